"""What people do at a table, in the words of a pit's log, as commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from croupier.errors import shown
from croupier.rounds import commands as of_rounds
from croupier.rounds.declaration import Role
from croupier.rounds.script import Ask, script_of
from croupier.scenarios.deck_verbs import counts_stub, verbs
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import LineError, MakeCommand, NamedPerson
from croupier.scenarios.text_parts import (
    amount,
    cards_at_end,
    cards_of,
    did_you_mean,
    items,
    look_up,
    whole_number,
)
from croupier.tables import commands as of_tables
from croupier.tables.commands import TableCommand
from croupier.tables.state import Table, rules_of

__all__ = ["IMPERATIVES", "VERBS", "commands_said"]

CommandMakers = tuple[MakeCommand, ...]
Reader = Callable[[Roster, NamedPerson, str], CommandMakers]


class Verb(NamedTuple):
    like: str
    """A line that is right."""
    read: Reader


def commands_said(roster: Roster, who: NamedPerson, text: str) -> CommandMakers:
    """The commands of what follows a person's name."""
    verb, _, rest = text.partition(" ")
    known = VERBS.get(verb.lower())
    if known is None:
        hint = did_you_mean(verb, VERBS)
        likely = re.search(r"'(.+)'", hint)
        like = VERBS[likely[1]].like if likely else "Ann bets ante 10, blind 10"
        said = f"{shown(verb)} is nothing that is done here" if verb else "a verb is missing"
        raise LineError(f"{said}: {hint}write, for instance, '{like}'")
    try:
        return known.read(roster, who, rest.strip())
    except LineError as error:
        raise LineError(f"{error} (as in '{known.like}')") from None


def _fixed(command: TableCommand) -> CommandMakers:
    return (lambda _: command,)


def _nothing_more(rest: str, *allowed: str) -> None:
    if rest.lower().removeprefix("the ") not in ("", *allowed):
        raise LineError(f"{shown(rest)} says too much")


# Players -----------------------------------------------------------------------------------------


def _sits(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"(?:down\s+)?(?:at|in)\s+seat\s+(\S+)(?:\s+with\s+(\S+))?", rest, re.I)
    if match is None:
        raise LineError("which seat?")
    seat = whole_number(match[1], "a seat")
    take: MakeCommand = lambda t: of_tables.TakeSeat(who.player(t), seat)  # noqa: E731
    if match[2] is None:
        return (take,)
    cents = amount(match[2])
    return take, lambda t: of_tables.BuyIn(who.player(t), cents)


def _buys(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"in\s+for\s+(\S+)", rest, re.I)
    if match is None:
        raise LineError("for how much?")
    cents = amount(match[1])
    return (lambda t: of_tables.BuyIn(who.player(t), cents),)


def _bets(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    wagers: dict[str, int] = {}
    for item in items(rest):
        name, _, stake = item.rpartition(" ")
        if not name:
            raise LineError(f"{shown(item)} is not a wager and its amount")
        wager = roster.wager(name.removesuffix(" of"))
        if wager in wagers:
            raise LineError(f"{name} is there twice")
        wagers[wager] = amount(stake)
    return (lambda t: of_rounds.PlaceWagers(who.position(t), who.player(t), wagers),)


def _takes(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    what = re.fullmatch(r"back\s+(.+)", rest, re.I)
    if what is None:
        raise LineError("takes back what?")
    every = what[1].lower() in ("everything", "all")
    names = () if every else tuple(roster.wager(item) for item in items(what[1]))
    return (lambda t: of_rounds.TakeBack(who.position(t), who.player(t), names),)


def _says(action: str) -> Reader:
    """What a player answers; `raises 4x` says `4x`, a bare `raises` says `raise`."""

    def read(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
        said = rest.lower() or action
        if not said or " " in said or (rest and action in ("check", "fold")):
            raise LineError(f"{shown(rest)} is not one word to say")
        return (lambda t: of_rounds.Act(who.position(t), who.player(t), said),)

    return read


def _leaves(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match rest.lower().removeprefix("the ").split():
        case ["round"]:
            return (lambda t: of_rounds.LeaveRound(who.position(t), who.player(t)),)
        case ["table"]:
            return (lambda t: of_tables.GiveUpSeat(who.player(t), _own_seat(who, t)),)
        case ["seat", number]:
            seat = whole_number(number, "a seat")
            return (lambda t: of_tables.GiveUpSeat(who.player(t), seat),)
    raise LineError("leaves the round, or the table?")


def _own_seat(who: NamedPerson, table: Table) -> int:
    name = who.player(table)
    return next((seat for seat, player in table.seats.items() if player == name), 0)


def _cashes(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"out(?:\s+(\S+))?", rest, re.I)
    if match is None:
        raise LineError("cashes out?")
    cents = amount(match[1]) if match[1] else None
    return (lambda t: of_tables.CashOut(who.player(t), cents),)


def _tips(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    cents = amount(rest)
    return (lambda t: of_tables.Tip(who.player(t), cents),)


def _colours(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"up\s+(.+?)\s+into\s+(.+)", rest, re.I)
    if match is None:
        raise LineError("which chips, and into which?")
    gives, gets = _chips(match[1]), _chips(match[2])
    return (lambda t: of_tables.ColourUp(who.player(t), gives, gets),)


def _chips(text: str) -> dict[int, int]:
    chips: dict[int, int] = {}
    for item in items(text):
        match = re.fullmatch(r"([0-9]{1,6})\s*x\s*(\S+)", item, re.I)
        if match is None:
            raise LineError(f"{shown(item)} is not a number of chips and their worth")
        worth = amount(match[2])
        chips[worth] = chips.get(worth, 0) + int(match[1])
    return chips


# The dealer --------------------------------------------------------------------------------------


def _closes(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    voiding = re.fullmatch(r"(?:the\s+)?table,?\s+voiding\s+the\s+round\s*:\s*(.+)", rest, re.I)
    if voiding is not None:
        return _fixed(of_tables.CloseTable(voiding[1]))
    what = rest.lower().removeprefix("the ")
    closed: dict[str, TableCommand] = {
        "bets": of_rounds.CloseBets(),
        "table": of_tables.CloseTable(),
    }
    return _fixed(look_up("thing that is closed", what, closed))


def _counts(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    stub = counts_stub(rest)
    if stub is not None:
        return stub
    match = re.fullmatch(r"([0-9]{1,6})(?:\s+chips?)?", rest, re.I)
    if match is None:
        raise LineError("how many chips?")
    return _fixed(of_rounds.CountChips(int(match[1])))


def _deals(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    _nothing_more(rest, "cards")
    return _fixed(of_rounds.Deal())


def _reveals(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    words, cards = cards_at_end(rest)
    if not words:
        return _fixed(of_rounds.RevealCards(cards))
    wanted = roster.reveal(words)

    def make(table: Table) -> TableCommand:
        steps, at = script_of(rules_of(table)).steps, table.round.step
        if table.round.phase == "revealing" and at < len(steps):
            step = steps[at]
            if not isinstance(step, Ask) and step.reveal.name != wanted:
                raise LineError(f"the next to be revealed is the {step.reveal.name}")
        return of_rounds.RevealCards(cards)

    return (make,)


def _enters(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    words, cards = cards_at_end(rest)
    if not words or not cards:
        raise LineError("which cards, and where?")
    place = roster.place(words)
    if isinstance(place, NamedPerson):
        return (lambda t: of_rounds.EnterCards("player", cards, place.position(t)),)
    return _fixed(of_rounds.EnterCards(place.place, cards))


def _shows(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    words, cards = cards_at_end(rest)
    _nothing_more(words, "dealer", "dealer's hand", "dealer's cards", "cards", "hand")
    return _fixed(of_rounds.ShowDealer(cards))


def _settles(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    _nothing_more(rest, "next", "next seat", "everything", "all seats")
    return _fixed(of_rounds.Settle(every="next" not in rest.lower()))


def _collects(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    _nothing_more(rest, "cards")
    return _fixed(of_rounds.Collect())


# The floor ---------------------------------------------------------------------------------------


def _validates(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    whose = roster.player(re.sub(r"['’]s\s+progressive$", "", rest, flags=re.I))
    return (lambda t: of_rounds.ValidateProgressive(whose.position(t)),)


def _denies(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    name, colon, reason = rest.partition(":")
    if not colon:
        raise LineError("for what reason? It follows a colon")
    whose = roster.player(re.sub(r"['’]s\s+progressive$", "", name.strip(), flags=re.I))
    return (lambda t: of_rounds.RefuseProgressive(whose.position(t), reason.strip()),)


def _rules(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"(.+?)['’]s\s+wagers\s+lost", rest, re.I)
    if match is None:
        raise LineError("rules what?")
    whose = roster.player(match[1])
    return (lambda t: of_rounds.RuleAbandoned(whose.position(t)),)


def _voids(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"(?:the\s+)?round\s*:\s*(.*?)(?:\s+by\s+([0-9]\S*))?", rest, re.I)
    if match is None:
        raise LineError("for what reason? It follows a colon")
    return _fixed(of_rounds.VoidRound(match[1], match[2] or ""))


def _reports(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    """`one card face up: 7h`, `wrong count at Ann`, `dealer card exposed (Bob saw it)`."""
    match = re.fullmatch(
        r"([^:(]+?)(?:\s+at\s+([^:(]+?))?\s*(?::\s*([^(]+?))?\s*(?:\((.+)\))?", rest, re.I
    )
    if match is None:
        raise LineError("what has happened?")
    names = {name: name for name in roster.book.irregularities}
    kind = look_up("irregularity of this document", match[1], names)
    at = roster.player(match[2]) if match[2] else None
    cards, note = cards_of(match[3] or ""), match[4] or ""
    return (lambda t: of_rounds.Report(kind, cards, at.position(t) if at is not None else 0, note),)


def _corrects(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        r"(.+?)['’]s\s+(.+?)\s+in\s+round\s+(\S+)\s+by\s+(-?)(\S+?)\s*:\s*(.+)", rest, re.I
    )
    if match is None:
        raise LineError("whose wager, in which round, by how much, and why?")
    whose, number = roster.player(match[1]), whole_number(match[3], "a round")
    wager = "envy" if match[2].lower() in ("envy", "envy bonus") else roster.wager(match[2])
    cents = amount(match[5]) * (-1 if match[4] else 1)
    reason = match[6]

    def make(table: Table) -> TableCommand:
        seat = _seat_in(whose, table, number)
        player = whose.player(table)
        return of_tables.Correct(number, seat, player, wager, cents, reason)

    return (make,)


def _seat_in(whose: NamedPerson, table: Table, number: int) -> int:
    """Where the player sat then: as written, else as the last round or the table has it."""
    if whose.seat or number != table.round.number:
        return whose.position(table)
    boxes = [seat.number for seat in table.round.seats if seat.player == whose.name]
    return boxes[0] if len(boxes) == 1 else whose.position(table)


def _slip(rest: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.+?),?\s+(?:on|with|against)\s+slip\s+(.+)", rest, re.I)
    if match is None:
        raise LineError("on which slip?")
    return match[1], match[2]


def _fills(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    cents, slip = _slip(rest)
    return _fixed(of_tables.Fill(amount(cents), slip))


def _credits(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    cents, slip = _slip(rest)
    return _fixed(of_tables.Credit(amount(cents), slip))


def _empties(_: Roster, __: NamedPerson, rest: str) -> CommandMakers:
    what, slip = _slip(rest)
    _nothing_more(what, "drop", "drop box")
    return _fixed(of_tables.EmptyDrop(slip))


VERBS: Final[dict[str, Verb]] = {
    "sits": Verb("Ann sits at seat 1 with 1,000", _sits),
    "buys": Verb("Ann buys in for 500", _buys),
    "bets": Verb("Ann bets ante 10, blind 10", _bets),
    "takes": Verb("Ann takes back trips", _takes),
    "checks": Verb("Ann checks", _says("check")),
    "folds": Verb("Ann folds", _says("fold")),
    "raises": Verb("Ann raises 4x", _says("raise")),
    "plays": Verb("Ann plays 4x", _says("")),
    "says": Verb("Ann says 4x", _says("")),
    "leaves": Verb("Ann leaves the round", _leaves),
    "cashes": Verb("Ann cashes out 200", _cashes),
    "tips": Verb("Ann tips 5", _tips),
    "colours": Verb("Ann colours up 20 x 5 into 1 x 100", _colours),
    "colors": Verb("Ann colors up 20 x 5 into 1 x 100", _colours),
    "closes": Verb("Dan closes the bets", _closes),
    "counts": Verb("Dan counts 2 chips", _counts),
    "deals": Verb("Dan deals", _deals),
    "reveals": Verb("Dan reveals the flop", _reveals),
    "enters": Verb("Dan enters seat 1: As Ah", _enters),
    "shows": Verb("Dan shows the dealer's hand", _shows),
    "settles": Verb("Dan settles", _settles),
    "collects": Verb("Dan collects", _collects),
    "validates": Verb("Flo validates Ann", _validates),
    "denies": Verb("Flo denies Ann: the card was exposed", _denies),
    "rules": Verb("Flo rules Ann's wagers lost", _rules),
    "voids": Verb("Flo voids the round: a card was found face up", _voids),
    "reports": Verb("Dan reports one card face up: 7h", _reports),
    "corrects": Verb("Flo corrects Ann's ante in round 3 by 10: it was underpaid", _corrects),
    "fills": Verb("Flo fills 5,000 on slip F-17", _fills),
    "credits": Verb("Flo credits 2,000 on slip C-3", _credits),
    "empties": Verb("Flo empties the drop on slip D-1", _empties),
    **{verb: Verb(*read) for verb, read in verbs().items()},
}

IMPERATIVES: Final[dict[str, tuple[Role, str]]] = {
    "no more bets": ("dealer", "closes the bets"),
    "count": ("dealer", "counts"),
    "deal": ("dealer", "deals"),
    "reveal": ("dealer", "reveals"),
    "enter": ("dealer", "enters"),
    "show": ("dealer", "shows"),
    "settle": ("dealer", "settles"),
    "collect": ("dealer", "collects"),
    "validate": ("floorperson", "validates"),
    "deny": ("floorperson", "denies"),
    "void": ("floorperson", "voids"),
    "fill": ("floorperson", "fills"),
    "credit": ("floorperson", "credits"),
    "empty": ("floorperson", "empties"),
    "close": ("floorperson", "closes"),
}
"""What is said without naming anybody is done by whoever is on duty."""
