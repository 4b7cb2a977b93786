"""The fields of a rulebook that can change a value, as shapes name them.

Fields that never can (clauses, titles, the felt, the care of decks) are `NEUTRAL`. Everything else
that a main game or a side wager rests on is walked through, whatever a solver makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    EitherHandBeaten,
    Envy,
    HighestHand,
    Pattern,
    Paytable,
    Resolver,
    VersusDealer,
)
from croupier.rulebooks.wager_families import outcomes_of, tables_in_force

MAIN_ROLES: Final = ("required", "decided")
"""The wagers that make up the main game."""


NEUTRAL: Final[Mapping[str, frozenset[str]]] = {
    "Rulebook": frozenset(
        {
            *("id", "title", "jurisdiction", "document", "summary", "announces"),
            # One deck is dealt at random: its way to the table and the felt change no chance.
            *("positions", "dealing", "procedure", "layout", "irregularities", "care", "guide"),
            "approvals",
            "progressive",  # only the clauses of the system
            # Read by what looks at them: families by the wagers, patterns and hands by the lines,
            # rankings by the hands, bonuses with the wagers that they are paid on.
            *("hands", "paytables", "patterns", "envy", "options", "readings"),
            *("rankings", "bonuses"),
            "payout_limits",  # of the wagers that they cover, see `_limit_fields`
        }
    ),
    "Reveal": frozenset({"name"}),
    "Bonus": frozenset({"title"}),
    "Wager": frozenset({"title", "role", "settles"}),
    "VersusPaytable": frozenset({"lost", "takes"}),
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


def main_fields(rules: Rules) -> Iterator[Field]:
    """Every field that can change the value of the main game."""
    book = rules.book
    walked = {"cards", "deck", "reveals", "decisions", "dealer", "wagers"}
    yield from (field for field in _own_fields("", "", book) if field.key not in walked)
    yield Field("decisions", "decisions", len(book.decisions), book)
    yield Field("dealer", "dealer", book.dealer, book)
    yield Field("required", "wagers with the role 'required'", len(rules.required), book)
    yield from _own_fields("cards", "cards", book.cards)
    yield from _own_fields("deck", "deck", book.deck)
    for number, reveal in enumerate(book.reveals):
        yield from _own_fields("reveals", f"reveals[{number}]", reveal)
    for number, decision in enumerate(book.decisions):
        where = f"decisions[{number}]"
        yield from _own_fields("decisions", where, decision)
        for said, least in decision.only_with.items():
            yield from _own_fields("only_with", f"{where}.only_with.{said}", least)
            yield from _hand_fields(rules, least.hand)
    if book.dealer is not None:
        yield from _own_fields("dealer", "dealer", book.dealer)
    main = [name for name, wager in book.wagers.items() if wager.role in MAIN_ROLES]
    for name in main:
        yield from _wager_fields(rules, book.wagers[name].role, name)
    yield from _bonus_fields(rules, main)
    besides = [name for name, bonus in book.bonuses.items() if bonus.on in main]
    yield from _limit_fields(rules, [*main, *besides])


def side_fields(rules: Rules, name: str) -> Iterator[Field]:
    """Every field that can change how often a wager ends in each way."""
    book = rules.book
    yield from _own_fields("cards", "cards", book.cards)
    yield from _own_fields("deck", "deck", book.deck)
    for number, decision in enumerate(book.decisions):
        if decision.takes_back == name:
            yield Field("taken_back", f"decisions[{number}].takes_back", name, decision)
    yield Field("dealer", "dealer", book.dealer, book)
    if book.dealer is not None:
        yield from _own_fields("dealer", "dealer", book.dealer)
    yield from _wager_fields(rules, "wager", name)
    yield from _bonus_fields(rules, [name])
    yield from _limit_fields(rules, [name])
    if book.envy is not None and book.envy.on == name:
        yield from _envy_fields(rules, book.envy)


def _limit_fields(rules: Rules, wagers: Sequence[str]) -> Iterator[Field]:
    """Payout limits that the rulebook itself sets, as the document's or as an option's default (in
    cents); others are the operator's to state. Their values are in dollars."""
    option = rules.book.options.get("payout_limit")
    default = None if option is None else option.default
    for number, limit in enumerate(rules.book.payout_limits):
        if set(wagers).isdisjoint(limit.covers):
            continue
        if limit.set_by == "document" or limit.unless_stated:
            yield Field(
                "payout_limits.amount", f"payout_limits[{number}].amount", limit.amount, limit
            )
        if limit.set_by != "document" and isinstance(default, int):
            where = "options.payout_limit.default"
            yield Field("payout_limits.amount", where, Fraction(default, 100), limit)


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
        yield from _hand_fields(rules, hand)


def _bonus_fields(rules: Rules, wagers: Sequence[str]) -> Iterator[Field]:
    """What is paid besides on one of these wagers."""
    for name, bonus in rules.book.bonuses.items():
        if bonus.on not in wagers:
            continue
        yield from _own_fields("bonus", f"bonuses.{name}", bonus)
        table_id, table = rules.chosen[bonus.paytable], rules.paytable(bonus.paytable)
        yield from _table_fields(rules, f"paytables.{bonus.paytable}.{table_id}", table)
        for hand in _looked_at(rules, bonus.hand, [table]):
            yield from _hand_fields(rules, hand)


def _hand_fields(rules: Rules, name: str) -> Iterator[Field]:
    """A named hand, and the ranking of the rulebook's own that it names."""
    hand = rules.book.hands[name]
    yield from _own_fields("hands", f"hands.{name}", hand)
    if hand.ranking in rules.book.rankings:
        ranking = rules.book.rankings[hand.ranking]
        yield from _own_fields("ranking", f"rankings.{hand.ranking}", ranking)


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
    for family, table_id, table in tables_in_force(rules, settles):
        yield from _table_fields(rules, f"paytables.{family}.{table_id}", table)
    for hand in _hands(rules, settles):
        yield from _hand_fields(rules, hand)
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
    tables = (table for _, _, table in tables_in_force(rules, settles))
    returns = getattr(settles, "returns", ())
    yield from _looked_at(rules, getattr(settles, "hand", ""), tables, returns)


def _looked_at(
    rules: Rules, own: str, tables: Iterable[Paytable], patterns: Iterable[str] = ()
) -> Iterator[str]:
    names = [name for table in tables for x in table.lines for name in x.covers or (x.hand,)]
    parts = [part for name in (*names, *patterns) for part in _parts(rules.book.patterns.get(name))]
    yield from (name for name in dict.fromkeys((own, *(part.hand for part in parts))) if name)
