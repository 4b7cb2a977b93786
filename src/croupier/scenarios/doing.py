"""What people do at a table, in the words of a pit's log, as commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from croupier.errors import shown
from croupier.rounds import commands as of_rounds
from croupier.rounds.round_flow import Ask, flow_of
from croupier.scenarios.caring import counts_stub, verbs
from croupier.scenarios.cast import Cast
from croupier.scenarios.steps import Make, Misread, Who
from croupier.scenarios.words import (
    amount,
    cards_at_end,
    cards_of,
    chosen,
    items,
    nearest,
    whole,
)
from croupier.tables import commands as of_tables
from croupier.tables.commands import Role, TableCommand
from croupier.tables.state import Table, rules_of

__all__ = ["IMPERATIVES", "VERBS", "done"]

Makes = tuple[Make, ...]
Reader = Callable[[Cast, Who, str], Makes]


class Verb(NamedTuple):
    like: str
    """A line that is right."""
    read: Reader


def done(cast: Cast, who: Who, text: str) -> Makes:
    """The commands of what follows a person's name."""
    verb, _, rest = text.partition(" ")
    known = VERBS.get(verb.lower())
    if known is None:
        hint = nearest(verb, VERBS)
        likely = re.search(r"'(.+)'", hint)
        like = VERBS[likely[1]].like if likely else "Ann bets ante 10, blind 10"
        said = f"{shown(verb)} is nothing that is done here" if verb else "a verb is missing"
        raise Misread(f"{said}: {hint}write, for instance, '{like}'")
    try:
        return known.read(cast, who, rest.strip())
    except Misread as error:
        raise Misread(f"{error} (as in '{known.like}')") from None


def _fixed(command: TableCommand) -> Makes:
    return (lambda _: command,)


def _nothing_more(rest: str, *allowed: str) -> None:
    if rest.lower().removeprefix("the ") not in ("", *allowed):
        raise Misread(f"{shown(rest)} says too much")


# Players -----------------------------------------------------------------------------------------


def _sits(_: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(r"(?:down\s+)?(?:at|in)\s+seat\s+(\S+)(?:\s+with\s+(\S+))?", rest, re.I)
    if match is None:
        raise Misread("which seat?")
    seat = whole(match[1], "a seat")
    take: Make = lambda t: of_tables.TakeSeat(who.player(t), seat)  # noqa: E731
    if match[2] is None:
        return (take,)
    cents = amount(match[2])
    return take, lambda t: of_tables.BuyIn(who.player(t), cents)


def _buys(_: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(r"in\s+for\s+(\S+)", rest, re.I)
    if match is None:
        raise Misread("for how much?")
    cents = amount(match[1])
    return (lambda t: of_tables.BuyIn(who.player(t), cents),)


def _bets(cast: Cast, who: Who, rest: str) -> Makes:
    wagers: dict[str, int] = {}
    for item in items(rest):
        name, _, stake = item.rpartition(" ")
        if not name:
            raise Misread(f"{shown(item)} is not a wager and its amount")
        wager = cast.wager(name.removesuffix(" of"))
        if wager in wagers:
            raise Misread(f"{name} is there twice")
        wagers[wager] = amount(stake)
    return (lambda t: of_rounds.PlaceWagers(who.position(t), who.player(t), wagers),)


def _takes(cast: Cast, who: Who, rest: str) -> Makes:
    what = re.fullmatch(r"back\s+(.+)", rest, re.I)
    if what is None:
        raise Misread("takes back what?")
    every = what[1].lower() in ("everything", "all")
    names = () if every else tuple(cast.wager(item) for item in items(what[1]))
    return (lambda t: of_rounds.TakeBack(who.position(t), who.player(t), names),)


def _says(action: str) -> Reader:
    """What a player answers; `raises 4x` says `4x`, a bare `raises` says `raise`."""

    def read(_: Cast, who: Who, rest: str) -> Makes:
        said = rest.lower() or action
        if not said or " " in said or (rest and action in ("check", "fold")):
            raise Misread(f"{shown(rest)} is not one word to say")
        return (lambda t: of_rounds.Act(who.position(t), who.player(t), said),)

    return read


def _leaves(_: Cast, who: Who, rest: str) -> Makes:
    match rest.lower().removeprefix("the ").split():
        case ["round"]:
            return (lambda t: of_rounds.LeaveRound(who.position(t), who.player(t)),)
        case ["table"]:
            return (lambda t: of_tables.GiveUpSeat(who.player(t), _own_seat(who, t)),)
        case ["seat", number]:
            seat = whole(number, "a seat")
            return (lambda t: of_tables.GiveUpSeat(who.player(t), seat),)
    raise Misread("leaves the round, or the table?")


def _own_seat(who: Who, table: Table) -> int:
    name = who.player(table)
    return next((seat for seat, player in table.seats.items() if player == name), 0)


def _cashes(_: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(r"out(?:\s+(\S+))?", rest, re.I)
    if match is None:
        raise Misread("cashes out?")
    cents = amount(match[1]) if match[1] else None
    return (lambda t: of_tables.CashOut(who.player(t), cents),)


def _tips(_: Cast, who: Who, rest: str) -> Makes:
    cents = amount(rest)
    return (lambda t: of_tables.Tip(who.player(t), cents),)


def _colours(_: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(r"up\s+(.+?)\s+into\s+(.+)", rest, re.I)
    if match is None:
        raise Misread("which chips, and into which?")
    gives, gets = _chips(match[1]), _chips(match[2])
    return (lambda t: of_tables.ColourUp(who.player(t), gives, gets),)


def _chips(text: str) -> dict[int, int]:
    chips: dict[int, int] = {}
    for item in items(text):
        match = re.fullmatch(r"([0-9]{1,6})\s*x\s*(\S+)", item, re.I)
        if match is None:
            raise Misread(f"{shown(item)} is not a number of chips and their worth")
        worth = amount(match[2])
        chips[worth] = chips.get(worth, 0) + int(match[1])
    return chips


# The dealer --------------------------------------------------------------------------------------


def _closes(_: Cast, __: Who, rest: str) -> Makes:
    voiding = re.fullmatch(r"(?:the\s+)?table,?\s+voiding\s+the\s+round\s*:\s*(.+)", rest, re.I)
    if voiding is not None:
        return _fixed(of_tables.CloseTable(voiding[1]))
    what = rest.lower().removeprefix("the ")
    closed: dict[str, TableCommand] = {
        "bets": of_rounds.CloseBets(),
        "table": of_tables.CloseTable(),
    }
    return _fixed(chosen("thing that is closed", what, closed))


def _counts(_: Cast, __: Who, rest: str) -> Makes:
    stub = counts_stub(rest)
    if stub is not None:
        return stub
    match = re.fullmatch(r"([0-9]{1,6})(?:\s+chips?)?", rest, re.I)
    if match is None:
        raise Misread("how many chips?")
    return _fixed(of_rounds.CountChips(int(match[1])))


def _deals(_: Cast, __: Who, rest: str) -> Makes:
    _nothing_more(rest, "cards")
    return _fixed(of_rounds.Deal())


def _reveals(cast: Cast, _: Who, rest: str) -> Makes:
    words, cards = cards_at_end(rest)
    if not words:
        return _fixed(of_rounds.RevealCards(cards))
    wanted = cast.reveal(words)

    def make(table: Table) -> TableCommand:
        steps, at = flow_of(rules_of(table)).steps, table.round.step
        if table.round.phase == "revealing" and at < len(steps):
            step = steps[at]
            if not isinstance(step, Ask) and step.reveal.name != wanted:
                raise Misread(f"the next to be revealed is the {step.reveal.name}")
        return of_rounds.RevealCards(cards)

    return (make,)


def _enters(cast: Cast, _: Who, rest: str) -> Makes:
    words, cards = cards_at_end(rest)
    if not words or not cards:
        raise Misread("which cards, and where?")
    place = cast.place(words)
    if isinstance(place, Who):
        return (lambda t: of_rounds.EnterCards("player", cards, place.position(t)),)
    return _fixed(of_rounds.EnterCards(place.place, cards))


def _shows(_: Cast, __: Who, rest: str) -> Makes:
    words, cards = cards_at_end(rest)
    _nothing_more(words, "dealer", "dealer's hand", "dealer's cards", "cards", "hand")
    return _fixed(of_rounds.ShowDealer(cards))


def _settles(_: Cast, __: Who, rest: str) -> Makes:
    _nothing_more(rest, "next", "next seat", "everything", "all seats")
    return _fixed(of_rounds.Settle(every="next" not in rest.lower()))


def _collects(_: Cast, __: Who, rest: str) -> Makes:
    _nothing_more(rest, "cards")
    return _fixed(of_rounds.Collect())


# The floor ---------------------------------------------------------------------------------------


def _validates(cast: Cast, who: Who, rest: str) -> Makes:
    whose = cast.player(re.sub(r"['’]s\s+progressive$", "", rest, flags=re.I))
    return (lambda t: of_rounds.ValidateProgressive(whose.position(t), who.name),)


def _denies(cast: Cast, who: Who, rest: str) -> Makes:
    name, colon, reason = rest.partition(":")
    if not colon:
        raise Misread("for what reason? It follows a colon")
    whose = cast.player(re.sub(r"['’]s\s+progressive$", "", name.strip(), flags=re.I))
    return (lambda t: of_rounds.RefuseProgressive(whose.position(t), who.name, reason.strip()),)


def _rules(cast: Cast, _: Who, rest: str) -> Makes:
    match = re.fullmatch(r"(.+?)['’]s\s+wagers\s+lost", rest, re.I)
    if match is None:
        raise Misread("rules what?")
    whose = cast.player(match[1])
    return (lambda t: of_rounds.RuleAbandoned(whose.position(t)),)


def _voids(_: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(r"(?:the\s+)?round\s*:\s*(.*?)(?:\s+by\s+([0-9]\S*))?", rest, re.I)
    if match is None:
        raise Misread("for what reason? It follows a colon")
    return _fixed(of_rounds.VoidRound(match[1], who.name, match[2] or ""))


def _reports(cast: Cast, who: Who, rest: str) -> Makes:
    """`one card face up: 7h`, `wrong count at Ann`, `dealer card exposed (Bob saw it)`."""
    match = re.fullmatch(
        r"([^:(]+?)(?:\s+at\s+([^:(]+?))?\s*(?::\s*([^(]+?))?\s*(?:\((.+)\))?", rest, re.I
    )
    if match is None:
        raise Misread("what has happened?")
    names = {name: name for name in cast.book.irregularities}
    kind = chosen("irregularity of this document", match[1], names)
    at = cast.player(match[2]) if match[2] else None
    cards, note = cards_of(match[3] or ""), match[4] or ""
    return (
        lambda t: of_rounds.Report(
            kind, who.name, cards, at.position(t) if at is not None else 0, note
        ),
    )


def _corrects(cast: Cast, who: Who, rest: str) -> Makes:
    match = re.fullmatch(
        r"(.+?)['’]s\s+(.+?)\s+in\s+round\s+(\S+)\s+by\s+(-?)(\S+?)\s*:\s*(.+)", rest, re.I
    )
    if match is None:
        raise Misread("whose wager, in which round, by how much, and why?")
    whose, number = cast.player(match[1]), whole(match[3], "a round")
    wager = "envy" if match[2].lower() in ("envy", "envy bonus") else cast.wager(match[2])
    cents = amount(match[5]) * (-1 if match[4] else 1)
    reason = match[6]

    def make(table: Table) -> TableCommand:
        seat = _seat_in(whose, table, number)
        player = whose.player(table)
        return of_tables.Correct(number, seat, player, wager, cents, reason, who.name)

    return (make,)


def _seat_in(whose: Who, table: Table, number: int) -> int:
    """Where the player sat then: as written, else as the last round or the table has it."""
    if whose.seat or number != table.round.number:
        return whose.position(table)
    boxes = [seat.number for seat in table.round.seats if seat.player == whose.name]
    return boxes[0] if len(boxes) == 1 else whose.position(table)


def _slip(rest: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.+?),?\s+(?:on|with|against)\s+slip\s+(.+)", rest, re.I)
    if match is None:
        raise Misread("on which slip?")
    return match[1], match[2]


def _fills(_: Cast, __: Who, rest: str) -> Makes:
    cents, slip = _slip(rest)
    return _fixed(of_tables.Fill(amount(cents), slip))


def _credits(_: Cast, __: Who, rest: str) -> Makes:
    cents, slip = _slip(rest)
    return _fixed(of_tables.Credit(amount(cents), slip))


def _empties(_: Cast, __: Who, rest: str) -> Makes:
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
