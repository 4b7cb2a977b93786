"""Which games a solver understands: the shape it declares, field by field of a rulebook.

A `Shape` names every field of the schema that it has looked at and what may stand there. A rulebook
is held against it field by field. What does not fit is a `Misfit`: the field, what is there and
what could be solved. A field that no declaration names must be left at its default, so a field that
the schema gains later is refused wherever a rulebook uses it, until a solver says what it means.

Fields that can never change a value (clauses, titles, the felt, the care of decks) are `NEUTRAL`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import msgspec

from croupier.errors import Unsolvable
from croupier.money import Pays, parse_cents, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    Cards,
    Decision,
    EitherHandBeaten,
    Envy,
    Follows,
    Hand,
    HighestHand,
    Outcome,
    Pattern,
    Paytable,
    Resolver,
    Reveal,
    Rulebook,
    Showdown,
    VersusDealer,
    VersusPaytable,
    Wager,
)

__all__ = [
    "MAIN_ROLES",
    "NEUTRAL",
    "Check",
    "Field",
    "Misfit",
    "Shape",
    "anything",
    "asked_decisions",
    "at_one_stake",
    "can_fold",
    "cards_of",
    "exactly",
    "families_of",
    "is_lost_with_fold",
    "is_made_of",
    "main_fields",
    "nothing",
    "outcomes_of",
    "pays_one_of",
    "refused",
    "seen_at",
    "seen_by",
    "side_fields",
    "some",
    "told",
    "unsolvable",
]

MAIN_ROLES: Final = ("required", "decided")
"""The wagers that make up the main game."""

NEUTRAL: Final[Mapping[str, frozenset[str]]] = {
    "Rulebook": frozenset(
        {
            *("id", "title", "jurisdiction", "document", "summary", "announces"),
            # One deck is dealt at random: its way to the table and the felt change no chance.
            *("positions", "dealing", "procedure", "layout", "irregularities", "care", "guide"),
            # Read by what looks at them: families by the wagers, patterns and hands by the lines.
            *("hands", "paytables", "patterns", "envy", "options", "readings"),
            # Left out of all figures, and said so: limits bind several wagers together.
            "payout_limits",
        }
    ),
    "Reveal": frozenset({"name"}),
    "Decision": frozenset({"name"}),
    "Wager": frozenset({"title", "role", "settles"}),
    "VersusPaytable": frozenset({"lost"}),
    "EitherHandBeaten": frozenset({"lost"}),
    "HighestHand": frozenset({"lost"}),
    "AllWon": frozenset({"lost"}),
    "Follows": frozenset({"lost"}),
    "Outcome": frozenset({"clause_on"}),
    "Paytable": frozenset({"lines", "meters"}),
    "Pattern": frozenset({"words"}),
}
"""By struct of the schema: fields that no value hangs on. So is whatever ends in `clause(s)`."""


class Field(NamedTuple):
    """One field of a rulebook: `key` is how shapes name it, `where` its place in the file, `owner`
    the struct it belongs to."""

    key: str
    where: str
    value: object
    owner: msgspec.Struct


Check: TypeAlias = Callable[[Rules, Field], str | None]
"""What could be solved in this field, in words; None where what stands there can be."""


class Misfit(NamedTuple):
    """A field with something that a solver does not model."""

    where: str
    found: str
    solved: str

    def __str__(self) -> str:
        return f"{self.where} is {self.found}; what is solved there: {self.solved}"


@dataclass(frozen=True)
class Shape:
    """`name` and `solves` are for people; `takes` has a check for every field it has looked at."""

    name: str
    solves: str
    takes: Mapping[str, Check]

    def misfits(self, rules: Rules, fields: Iterable[Field]) -> Iterator[Misfit]:
        for field in fields:
            check = self.takes.get(field.key, _left_alone)
            wanted = check(rules, field)
            if wanted is not None:
                yield Misfit(field.where, told(field.value), wanted)


def unsolvable(what: str, misfit: Misfit, shape: Shape) -> Unsolvable:
    return refused(what, str(misfit), f"{shape.name}: {shape.solves}")


def refused(what: str, why: str, solved: str = "") -> Unsolvable:
    """The error of a wager that is not solved; `why` names the field."""
    more = f". What can be solved: {solved}" if solved else ""
    return Unsolvable(f"{what} cannot be solved exactly: {why}{more}")


# -- checks ---------------------------------------------------------------------------------------


def anything(_: Rules, __: Field) -> None:
    """Looked at, and everything that may stand there is understood (or changes nothing)."""


def exactly(*values: object) -> Check:
    def check(_: Rules, field: Field) -> str | None:
        return None if field.value in values else " or ".join(map(told, values))

    return check


def nothing(why: str) -> Check:
    """Only an empty field is solved; `why` says of what kind of game."""

    def check(_: Rules, field: Field) -> str | None:
        return None if not field.value and field.value is not False else f"nothing there ({why})"

    return check


def pays_one_of(*kinds: type[Pays]) -> Check:
    """A payment of one of these kinds; an empty text is none."""
    words = {"To": "odds 'to'", "For": "odds 'for'", "Push": "a push"}
    listed = " or ".join(words.get(kind.__name__, kind.__name__.lower()) for kind in kinds)

    def check(_: Rules, field: Field) -> str | None:
        text = str(field.value)
        return None if not text or isinstance(parse_pays(text), kinds) else listed

    return check


def some(_: Rules, field: Field) -> str | None:
    """A number that is not 0."""
    return None if field.value else "at least one"


def at_one_stake(rules: Rules, field: Field) -> str | None:
    """The required wagers are solved at one stake, so there must be one that all of them take."""
    stakes = [set(map(parse_cents, rules.book.wagers[name].stakes)) for name in rules.required]
    fixed = [found for found in stakes if found]
    if not field.value or not fixed or set.intersection(*fixed):
        return None
    return "a stake that every required wager takes"


def is_made_of(*ways: Mapping[str, int], ranking: str = "") -> Check:
    """A hand's name in the field: made of exactly these cards, ranked so."""

    def check(rules: Rules, field: Field) -> str | None:
        hand = rules.book.hands[str(field.value)]
        if cards_of(hand, rules.book.cards) in ways and ranking in ("", hand.ranking):
            return None
        listed = " or ".join(
            " with ".join(f"{place}:{count}" for place, count in way.items()) for way in ways
        )
        ranked = f", ranked as {ranking}" if ranking else ""
        return f"a hand of {listed}{ranked}, and {field.value!r} is {_hand_told(hand)}"

    return check


def _hand_told(hand: Hand) -> str:
    return f"{' with '.join(hand.cards)}, ranked as {hand.ranking}"


def _left_alone(_: Rules, field: Field) -> str | None:
    """A field that the solver never heard of must say nothing: stand at its default."""
    name = field.key.rpartition(".")[2]
    for info in msgspec.structs.fields(type(field.owner)):
        if info.name == name and not info.required:
            made = info.default_factory
            default = info.default if made is msgspec.NODEFAULT else made()
            return None if field.value == default else f"{told(default)}: it does not know more"
    return "nothing: it does not know this field"


def told(value: object) -> str:
    """A value as a message shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "absent"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {told(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(told, value)) + "]"
    if isinstance(value, msgspec.Struct):
        return "present"
    return str(value)


# -- the fields of a rulebook ---------------------------------------------------------------------


def main_fields(rules: Rules) -> Iterator[Field]:
    """Every field that can change the value of the main game."""
    book = rules.book
    walked = {"cards", "reveals", "decisions", "dealer", "wagers"}
    yield from (field for field in _own_fields("", "", book) if field.key not in walked)
    yield Field("decisions", "decisions", len(book.decisions), book)
    yield Field("dealer", "dealer", book.dealer, book)
    yield Field("required", "wagers with the role 'required'", len(rules.required), book)
    yield from _own_fields("cards", "cards", book.cards)
    for number, reveal in enumerate(book.reveals):
        yield from _own_fields("reveals", f"reveals[{number}]", reveal)
    for number, decision in enumerate(book.decisions):
        yield from _own_fields("decisions", f"decisions[{number}]", decision)
    if book.dealer is not None:
        yield from _own_fields("dealer", "dealer", book.dealer)
    for name, wager in book.wagers.items():
        if wager.role in MAIN_ROLES:
            yield from _wager_fields(rules, wager.role, name)


def side_fields(rules: Rules, name: str) -> Iterator[Field]:
    """Every field that can change how often a wager ends in each way."""
    book = rules.book
    yield from _own_fields("cards", "cards", book.cards)
    yield Field("dealer", "dealer", book.dealer, book)
    if book.dealer is not None:
        yield from _own_fields("dealer", "dealer", book.dealer)
    yield from _wager_fields(rules, "wager", name)
    if book.envy is not None and book.envy.on == name:
        yield from _envy_fields(rules, book.envy)


def _envy_fields(rules: Rules, envy: Envy) -> Iterator[Field]:
    """What another person's hand brings to the wager."""
    yield from _own_fields("envy", "envy", envy)
    tables = [
        (f"paytables.{family}.{table_id}", table)
        for family in envy.tables.values()
        for table_id, table in rules.book.paytables[family].items()
        if table_id in rules.chosen.values()
    ]
    for where, table in tables:
        yield from _table_fields(rules, where, table)
    for hand in _looked_at(rules, envy.hand, (table for _, table in tables)):
        yield from _own_fields("hands", f"hands.{hand}", rules.book.hands[hand])


def _own_fields(key: str, where: str, owner: msgspec.Struct) -> Iterator[Field]:
    neutral = NEUTRAL.get(type(owner).__name__, frozenset())
    for name in owner.__struct_fields__:
        if name not in neutral and not name.endswith(("clause", "clauses")):
            dot = "." if key else ""
            yield Field(f"{key}{dot}{name}", f"{where}{dot}{name}", getattr(owner, name), owner)


def _wager_fields(rules: Rules, key: str, name: str) -> Iterator[Field]:
    wager = rules.book.wagers[name]
    where = f"wagers.{name}"
    yield from _own_fields(key, where, wager)
    settles = wager.settles
    yield Field(f"{key}.settles", f"{where}.settles.by", settles.__struct_config__.tag, wager)
    nested = {"qualified", "unqualified", "folded"}
    for field in _own_fields("settles", f"{where}.settles", settles):
        if field.key.rpartition(".")[2] not in nested:
            yield field
    if isinstance(settles, VersusDealer):
        for place, outcome in outcomes_of(settles):
            yield from _own_fields("outcome", f"{where}.settles.{place}", outcome)
        yield from _own_fields("folded", f"{where}.settles.folded", settles.folded)
    for family, table_id, table in _tables(rules, settles):
        yield from _table_fields(rules, f"paytables.{family}.{table_id}", table)
    for hand in _hands(rules, settles):
        yield from _own_fields("hands", f"hands.{hand}", rules.book.hands[hand])
    for pattern in getattr(settles, "returns", ()):
        yield from _pattern_fields(rules, pattern)


def _table_fields(rules: Rules, where: str, table: Paytable) -> Iterator[Field]:
    yield from _own_fields("paytable", where, table)
    for line in table.lines:
        yield from _own_fields("line", f"{where}: line {line.hand}", line)
        for name in line.covers or (line.hand,):
            yield from _pattern_fields(rules, name)


def _pattern_fields(rules: Rules, name: str) -> Iterator[Field]:
    for part in _parts(rules.book.patterns.get(name)):
        yield from _own_fields("pattern", f"patterns.{name}", part)


def _parts(pattern: Pattern | None) -> Iterator[Pattern]:
    if pattern is not None:
        yield pattern
        for part in (*pattern.also, *pattern.unless):
            yield from _parts(part)


def _hands(rules: Rules, settles: Resolver) -> Iterator[str]:
    """The named hands that a wager and its lines look at."""
    book = rules.book
    if book.dealer is not None and isinstance(
        settles, VersusDealer | EitherHandBeaten | HighestHand
    ):
        yield book.dealer.hand
    tables = (table for _, _, table in _tables(rules, settles))
    returns = getattr(settles, "returns", ())
    yield from _looked_at(rules, getattr(settles, "hand", ""), tables, returns)


def _looked_at(
    rules: Rules, own: str, tables: Iterable[Paytable], patterns: Iterable[str] = ()
) -> Iterator[str]:
    names = [name for table in tables for x in table.lines for name in x.covers or (x.hand,)]
    parts = [part for name in (*names, *patterns) for part in _parts(rules.book.patterns.get(name))]
    yield from (name for name in dict.fromkeys((own, *(part.hand for part in parts))) if name)


def _tables(rules: Rules, settles: Resolver) -> Iterator[tuple[str, str, Paytable]]:
    """The tables in force that a wager is paid by; by number of hands, all of them."""
    for family in families_of(settles):
        if family in rules.chosen:
            yield family, rules.chosen[family], rules.paytable(family)
        else:
            for table_id, table in rules.book.paytables[family].items():
                yield family, table_id, table


def families_of(settles: Resolver) -> tuple[str, ...]:
    """The families of paytables that a wager is paid by."""
    if isinstance(settles, VersusPaytable | EitherHandBeaten | HighestHand | AllWon):
        return (settles.paytable,)
    if isinstance(settles, VersusDealer):
        paid = [outcome.paytable for _, outcome in outcomes_of(settles) if outcome.do == "pay"]
        return tuple(dict.fromkeys(paid))
    assert isinstance(settles, Follows)
    return ()


def outcomes_of(settles: VersusDealer) -> Iterator[tuple[str, Outcome]]:
    """What may become of a wager at the showdown, with its place."""
    for name in ("qualified", "unqualified"):
        showdown: Showdown | None = getattr(settles, name)
        if showdown is not None:
            for how in ("higher", "equal", "lower"):
                outcome: Outcome | None = getattr(showdown, how)
                where = f"{name}.{how}"
                while outcome is not None:
                    yield where, outcome
                    outcome, where = outcome.otherwise, f"{where}.otherwise"


# -- cards and the course of a round --------------------------------------------------------------


def cards_of(hand: Hand, cards: Cards) -> dict[str, int] | None:
    """How many cards of each place a hand has; None where it would count a card twice."""
    counts: dict[str, int] = {}
    for text in hand.cards:
        place, _, first = text.partition(":")
        if place in counts:
            return None
        counts[place] = int(first) if first else getattr(cards, place)
    return {place: count for place, count in counts.items() if count}


def seen_at(book: Rulebook) -> tuple[tuple[int, int], ...]:
    """For every decision how many own and how many community cards a player has seen by then: cards
    are turned up by whole reveals, and only as many as the next decision asks for."""
    own = book.cards.player - sum(reveal.player for reveal in book.reveals)
    shown, waiting = 0, list(book.reveals)
    found = []
    for decision in book.decisions:
        while waiting and _is_before(decision, own, shown):
            reveal: Reveal = waiting.pop(0)
            own, shown = own + reveal.player, shown + reveal.community
        found.append((own, shown))
    return tuple(found)


def seen_by(rules: Rules, decision: object) -> tuple[int, int]:
    """What `seen_at` says of one decision of the rulebook."""
    places = zip(rules.book.decisions, seen_at(rules.book), strict=True)
    return next(seen for other, seen in places if other is decision)


def _is_before(decision: Decision, own: int, shown: int) -> bool:
    return shown < decision.sees_community or own < decision.sees_player


def asked_decisions(book: Rulebook) -> tuple[Decision, ...]:
    """The decisions that can be reached where all place one wager: to decline the first that ends
    in a fold ends the round, and to bet skips the rest."""
    found: list[Decision] = []
    for decision in book.decisions:
        found.append(decision)
        if decision.otherwise == "fold":
            break
    return tuple(found)


def can_fold(book: Rulebook) -> bool:
    return any(decision.otherwise == "fold" for decision in book.decisions)


def is_lost_with_fold(book: Rulebook, wager: Wager) -> bool:
    """Does a fold change what becomes of the wager?"""
    return wager.after_fold == "loses" and can_fold(book)
