"""Verbs for what people do at a table, in the words of a pit's log, read as commands."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.errors import BadRequest, CroupierError, shown
from croupier.progressives import LinkCommand
from croupier.randomness.shuffling import Seeded
from croupier.rounds import commands as round_commands
from croupier.rounds.declaration import Actor, Command, Role
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.schema import TAKE_BACK
from croupier.runtime.session import with_deck
from croupier.scenarios.deck_verbs import DECK_VERBS, STUB
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import LineError, MakeCommand, NamedPerson
from croupier.scenarios.text_parts import (
    amount,
    cards_at_end,
    cards_of,
    chips_of,
    did_you_mean,
    items,
    look_up,
    whole_number,
)
from croupier.scenarios.verb_forms import CommandMakers, VerbReader, form, read_forms
from croupier.tables import commands as table_commands
from croupier.tables.command_input import (
    command_from_words,
    is_required,
    link_command_from_words,
)
from croupier.tables.commands import COMMANDS, TableCommand
from croupier.tables.state import Table, rules_of

_SLIP: Final = r",?\s+(?:on|with|against)\s+slip\s+(?P<slip>.+)"
_FIELD: Final = re.compile(
    r"""([a-z_]+(?:\.[^\s=]+)?)=("[^"]*"|.*?)(?=\s+[a-z_]+(?:\.[^\s=]+)?=|$)\s*""", re.I
)


class Verb(NamedTuple):
    like: str
    """A correct example line."""
    read: VerbReader


def commands_said(roster: Roster, who: NamedPerson, text: str) -> CommandMakers:
    """Return the commands for the words after a person's name."""
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


# Players -----------------------------------------------------------------------------------------


def _sits(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"(?:down\s+)?(?:at|in)\s+seat\s+(\S+)(?:\s+with\s+(\S+))?", rest, re.I)
    if match is None:
        raise LineError("which seat?")
    seat = whole_number(match[1], "a seat")
    take: MakeCommand = lambda t: table_commands.TakeSeat(who.player(t), seat)  # noqa: E731
    if match[2] is None:
        return (take,)
    cents = amount(match[2])
    return take, lambda t: table_commands.BuyIn(who.player(t), cents)


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
    return (lambda t: round_commands.PlaceWagers(who.position(t), who.player(t), wagers),)


def _says(action: str) -> VerbReader:
    """Return the reader of a player's answer; `raises 4x` means `4x`, a bare `raises` means
    `raise`."""

    def read(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
        said = roster.answer(rest) if rest else action
        if not said or (rest and action in ("check", "fold", "ride")):
            raise LineError(f"{shown(rest)} is not one word to say")
        if " " in said and said not in roster.answers.values():
            raise LineError(f"{shown(rest)} is not one word to say")
        return (lambda t: round_commands.Act(who.position(t), who.player(t), said),)

    return read


_TAKES_BACK: Final = read_forms(
    form(round_commands.TakeBack, r"back\s+(?:everything|all)"),
    form(round_commands.TakeBack, r"back\s+(?P<wagers>.+)"),
    ask="takes back what?",
)


def _takes(roster: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    """Read wagers that are taken back: from the layout while bets are open, or as the answer to a
    decision."""
    (before_the_deal,) = _TAKES_BACK(roster, who, rest)

    def make(table: Table) -> TableCommand:
        command = before_the_deal(table)
        if table.round.phase != "deciding":
            return command
        step = flow_of(rules_of(table)).steps[table.round.step]
        assert isinstance(step, Ask)
        if step.decision.takes_back not in getattr(command, "wagers", ()):
            return command
        return round_commands.Act(who.position(table), who.player(table), TAKE_BACK)

    return (make,)


def _leaves(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match rest.lower().removeprefix("the ").split():
        case ["round"]:
            return (lambda t: round_commands.LeaveRound(who.position(t), who.player(t)),)
        case ["table"]:
            return (lambda t: table_commands.GiveUpSeat(who.player(t), _own_seat(who, t)),)
        case ["seat", number]:
            seat = whole_number(number, "a seat")
            return (lambda t: table_commands.GiveUpSeat(who.player(t), seat),)
    raise LineError("leaves the round, or the table?")


def _own_seat(who: NamedPerson, table: Table) -> int:
    name = who.player(table)
    return next((seat for seat, player in table.seats.items() if player == name), 0)


def _colors(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(r"up\s+(.+?)\s+into\s+(.+)", rest, re.I)
    if match is None:
        raise LineError("which chips, and into which?")
    gives, gets = chips_of(match[1]), chips_of(match[2])
    return (lambda t: table_commands.ColorUp(who.player(t), gives, gets),)


# The dealer --------------------------------------------------------------------------------------


def _reveals(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    words, cards = cards_at_end(rest)
    if not words:
        return _fixed(round_commands.RevealCards(cards))
    wanted = roster.reveal(words)

    def make(table: Table) -> TableCommand:
        steps, at = flow_of(rules_of(table)).steps, table.round.step
        if table.round.phase == "revealing" and at < len(steps):
            step = steps[at]
            if not isinstance(step, Ask) and step.reveal.name != wanted:
                raise LineError(f"the next to be revealed is the {step.reveal.name}")
        return round_commands.RevealCards(cards)

    return (make,)


def _enters(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    words, cards = cards_at_end(rest)
    if not words or not cards:
        raise LineError("which cards, and where?")
    place = roster.place(words)
    if isinstance(place, NamedPerson):
        return (lambda t: round_commands.EnterCards("player", cards, place.position(t)),)
    return _fixed(round_commands.EnterCards(place.place, cards))


# The floor ---------------------------------------------------------------------------------------


def _reports(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    """Read a report: `one card face up: 7h`, `wrong count at Ann with 3 cards`, `dealer card
    exposed (Bob saw it)`."""
    match = re.fullmatch(
        r"([^:(]+?)(?:\s+at\s+([^:(]+?))?(?:\s+with\s+(\d+)\s+cards?)?"
        r"\s*(?::\s*([^(]+?))?\s*(?:\((.+)\))?",
        rest,
        re.I,
    )
    if match is None:
        raise LineError("what has happened?")
    names = {name: name for name in roster.book.irregularities}
    command_type = look_up("irregularity of this document", match[1], names)
    at = roster.player(match[2]) if match[2] else None
    held = whole_number(match[3], "cards") if match[3] else None
    cards, note = cards_of(match[4] or ""), match[5] or ""

    def make(table: Table) -> TableCommand:
        seat = at.position(table) if at is not None else 0
        return round_commands.Report(command_type, cards, seat, note, held)

    return (make,)


def _corrects(roster: Roster, _: NamedPerson, rest: str) -> CommandMakers:
    match = re.fullmatch(
        r"(.+?)['’]s\s+(.+?)\s+in\s+round\s+(\S+)\s+by\s+(-?)(\S+?)\s*:\s*(.+)", rest, re.I
    )
    if match is None:
        raise LineError("whose wager, in which round, by how much, and why?")
    whose, number = roster.player(match[1]), whole_number(match[3], "a round")
    wager = roster.line(match[2])
    cents = amount(match[5]) * (-1 if match[4] else 1)
    reason = match[6]

    def make(table: Table) -> TableCommand:
        seat = _seat_in(whose, table, number)
        player = whose.player(table)
        return table_commands.Correct(number, seat, player, wager, cents, reason)

    return (make,)


def _seat_in(whose: NamedPerson, table: Table, number: int) -> int:
    """Return the player's seat in that round: as written, else from the current round or the
    table."""
    if whose.seat or number != table.round.number:
        return whose.position(table)
    boxes = [seat.number for seat in table.round.seats if seat.player == whose.name]
    return boxes[0] if len(boxes) == 1 else whose.position(table)


# Everything ---------------------------------------------------------------------------------------


def _does(_: Roster, who: NamedPerson, rest: str) -> CommandMakers:
    """Read any command by its name and fields, as the API and the command line write them."""
    tag, _blank, said = rest.partition(" ")
    words = _words(said)
    if tag not in COMMANDS:
        hint = did_you_mean(tag, COMMANDS)
        raise LineError(f"{shown(tag)} is no command: {hint}known are: {', '.join(COMMANDS)}")
    asks_seat = who.role == "player" and is_required(COMMANDS[tag], "seat")
    fills_seat = asks_seat and not any(word.startswith("seat=") for word in words)

    def make(table: Table) -> TableCommand:
        sentence = [*words, f"seat={who.position(table)}"] if fills_seat else words
        command = command_from_words(tag, sentence, who.actor(table))
        return with_deck(command, table, Seeded(str(table.round.number + 1)))

    # Refuse invalid words when the line is read, not when it is carried out.
    _check_words(tag, [*words, "seat=1"] if fills_seat else words, who)
    return (make,)


def link_command_said(who: NamedPerson, said: str) -> LinkCommand:
    """Return a command to the link, from `change_terms meter=main rate=0.06 reason=a promotion`."""
    tag, _blank, rest = said.partition(" ")
    if who.role not in ("floorperson", "operator", "dealer", "player"):
        raise LineError("surveillance looks on and does nothing at the table")
    try:
        return link_command_from_words(tag, _words(rest), Actor(who.role, who.name or "nobody"))
    except CroupierError as error:
        raise LineError(error.message) from None


def _words(text: str) -> list[str]:
    """Split `amount=2,000 reason=two words` into `name=value`, each value up to the next name."""
    words, at = [], 0
    while match := _FIELD.match(text, at):
        value = match[2].strip().strip('"')
        words.append(f"{match[1].lower()}={value}")
        at = match.end()
    if at < len(text):
        raise LineError(f"{shown(text[at:])}: write name=value")
    return words


def _check_words(tag: str, words: list[str], who: NamedPerson) -> None:
    role: Role = "dealer" if who.role == "surveillance" else who.role
    try:
        command_from_words(tag, words, Actor(role, who.name or "somebody"))
    except BadRequest as error:
        raise LineError(error.message) from None


VERBS: Final[dict[str, Verb]] = {
    "sits": Verb("Ann sits at seat 1 with 1,000", _sits),
    "buys": Verb(
        "Ann buys in for 500",
        read_forms(form(table_commands.BuyIn, r"in\s+for\s+(?P<amount>\S+)"), ask="for how much?"),
    ),
    "bets": Verb("Ann bets ante 10, blind 10", _bets),
    "takes": Verb("Ann takes back trips", _takes),
    "checks": Verb("Ann checks", _says("check")),
    "folds": Verb("Ann folds", _says("fold")),
    "rides": Verb("Ann rides", _says("ride")),
    "raises": Verb("Ann raises 4x", _says("raise")),
    "plays": Verb("Ann plays 4x", _says("")),
    "says": Verb("Ann says 4x", _says("")),
    "leaves": Verb("Ann leaves the round", _leaves),
    "cashes": Verb(
        "Ann cashes out 200",
        read_forms(form(table_commands.CashOut, r"out(?:\s+(?P<amount>\S+))?"), ask="cashes out?"),
    ),
    "tips": Verb("Ann tips 5", read_forms(form(table_commands.Tip, r"(?P<amount>.*)"))),
    "colours": Verb("Ann colours up 20 x 5 into 1 x 100", _colors),
    "colors": Verb("Ann colors up 20 x 5 into 1 x 100", _colors),
    "closes": Verb(
        "Dan closes the bets",
        read_forms(
            form(round_commands.CloseBets, r"(?:the\s+)?bets"),
            form(
                table_commands.CloseTable,
                r"(?:the\s+)?table(?:,?\s+voiding\s+the\s+round\s*:\s*(?P<void_reason>.+))?",
            ),
            ask="the bets, or the table?",
        ),
    ),
    "counts": Verb(
        "Dan counts 2 chips",
        read_forms(
            STUB,
            form(round_commands.CountChips, r"(?P<chips>[0-9]{1,6})(?:\s+chips?)?"),
            ask="how many chips?",
        ),
    ),
    "deals": Verb("Dan deals", read_forms(form(round_commands.Deal, r"(?:(?:the\s+)?cards)?"))),
    "reveals": Verb("Dan reveals the flop", _reveals),
    "enters": Verb("Dan enters seat 1: As Ah", _enters),
    "shows": Verb(
        "Dan shows the dealer's hand",
        read_forms(
            form(
                round_commands.ShowDealer,
                r"(?:the\s+)?(?:dealer(?:'s\s+(?:hand|cards))?|cards|hand)?[:\s]*(?P<cards>.*)",
            )
        ),
    ),
    "settles": Verb(
        "Dan settles",
        read_forms(
            form(round_commands.Settle, r"(?:(?:the\s+)?(?:everything|all\s+seats))?", every=True),
            form(round_commands.Settle, r"(?:the\s+)?next(?:\s+seat)?", every=False),
        ),
    ),
    "collects": Verb(
        "Dan collects", read_forms(form(round_commands.Collect, r"(?:(?:the\s+)?cards)?"))
    ),
    "validates": Verb(
        "Flo validates Ann",
        read_forms(
            form(round_commands.ValidateProgressive, r"(?P<seat>.+?)(?:['’]s\s+progressive)?"),
            ask="validates whose?",
        ),
    ),
    "denies": Verb(
        "Flo denies Ann: the light was off",
        read_forms(
            form(
                round_commands.RefuseProgressive,
                r"(?P<seat>[^:]+?)(?:['’]s\s+progressive)?\s*:\s*(?P<reason>.+)",
            ),
            ask="for what reason? It follows a colon",
        ),
    ),
    "rules": Verb(
        "Flo rules Ann's wagers lost",
        read_forms(
            form(round_commands.RuleAbandoned, r"(?P<seat>.+?)['’]s\s+wagers\s+lost"),
            ask="rules what?",
        ),
    ),
    "voids": Verb(
        "Flo voids the round: a card was found face up",
        read_forms(
            form(
                round_commands.VoidRound,
                r"(?:the\s+)?round\s*:\s*(?P<reason>.*?)(?:\s+by\s+(?P<clause>[0-9]\S*))?",
            ),
            ask="for what reason? It follows a colon",
        ),
    ),
    "reports": Verb("Dan reports one card face up: 7h", _reports),
    "corrects": Verb("Flo corrects Ann's ante in round 3 by 10: it was underpaid", _corrects),
    "fills": Verb(
        "Flo fills 5,000 on slip F-17",
        read_forms(
            form(table_commands.Fill, rf"(?P<amount>.+?){_SLIP}"),
            form(table_commands.Fill, r"(?P<amount>[$0-9.,]+)"),
            ask="on which slip?",
        ),
    ),
    "credits": Verb(
        "Flo credits 2,000 on slip C-3",
        read_forms(
            form(table_commands.Credit, rf"(?P<amount>.+?){_SLIP}"),
            form(table_commands.Credit, r"(?P<amount>[$0-9.,]+)"),
            ask="on which slip?",
        ),
    ),
    "empties": Verb(
        "Flo empties the drop on slip D-1",
        read_forms(
            form(table_commands.EmptyDrop, rf"(?:the\s+)?drop(?:\s+box)?{_SLIP}"),
            form(table_commands.EmptyDrop, r"(?:the\s+)?drop(?:\s+box)?"),
            ask="the drop, on which slip?",
        ),
    ),
    **{verb: Verb(*read) for verb, read in DECK_VERBS.items()},
    "does": Verb("Flo does credit amount=2,000 slip=C-3", _does),
    "calls": Verb(
        "Ann calls the floor: the payout",
        read_forms(
            form(table_commands.CallFloor, r"(?:the\s+)?floor\s*:\s*(?P<reason>.+)"),
            ask="for what reason? It follows a colon",
        ),
    ),
    "answers": Verb(
        "Flo answers call 1: it was paid right",
        read_forms(
            form(
                table_commands.AnswerCall, r"call\s+(?P<number>[0-9]+)(?:\s*:\s*(?P<decided>.+))?"
            ),
            ask="which call?",
        ),
    ),
    "assigns": Verb(
        "Flo assigns dealer Dan",
        read_forms(
            form(table_commands.Assign, r"(?P<role>dealer|floorperson)\s+(?P<name>\S+)"),
            ask="whom, and as what?",
        ),
    ),
}

IMPERATIVES: Final[dict[str, tuple[type[Command], str]]] = {
    "no more bets": (round_commands.CloseBets, "closes the bets"),
    "count": (round_commands.CountChips, "counts"),
    "deal": (round_commands.Deal, "deals"),
    "reveal": (round_commands.RevealCards, "reveals"),
    "enter": (round_commands.EnterCards, "enters"),
    "show": (round_commands.ShowDealer, "shows"),
    "settle": (round_commands.Settle, "settles"),
    "collect": (round_commands.Collect, "collects"),
    "validate": (round_commands.ValidateProgressive, "validates"),
    "deny": (round_commands.RefuseProgressive, "denies"),
    "void": (round_commands.VoidRound, "voids"),
    "fill": (table_commands.Fill, "fills"),
    "credit": (table_commands.Credit, "credits"),
    "empty": (table_commands.EmptyDrop, "empties"),
    "close": (table_commands.CloseTable, "closes"),
}
"""Lines without a name: the person on duty in the command's role gives the command."""


def role_of(command_type: type[Command]) -> Role:
    """Return the role that gives the command if nobody is named."""
    return command_type.declared.by[0]
