"""Which games a solver can take: the shape that it declares, field by field of a rulebook.

A `Shape` names every field of the schema that it has considered and what that field may hold. A
rulebook is compared with it field by field; what does not fit is a `Misfit`: the field, its value
and what could be solved. A field that no declaration names must stay at its default, so a field
that the schema gains later is refused wherever a rulebook uses it, until a solver says what it
means. Fields that can never change a value (clauses, titles, the felt, the care of decks) are
`NEUTRAL`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.payments import net_of
from croupier.mathematics.game.payoffs import payments_of, wager_with_stake
from croupier.money import MeterShare, Pays, parse_cents, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Deck,
    EitherHandBeaten,
    Envy,
    Hand,
    HighestHand,
    Pattern,
    PayoutLimit,
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
"""By struct of the schema: fields that change no value, like all that end in `clause(s)`."""


class Field(NamedTuple):
    """One field of a rulebook: its name in shapes (`key`), its place in the file (`where`), its
    value, and the struct it belongs to."""

    key: str
    where: str
    value: object
    owner: msgspec.Struct


def main_fields(rules: Rules) -> Iterator[Field]:
    """Yield every field that can change the value of the main game."""
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
    """Yield every field that can change how often a side wager ends in each way."""
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
    """Yield the payout limits that the rulebook itself sets, by the document or as an option's
    default (in cents); others are the operator's to state. Their values are in dollars."""
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
    """Yield what another person's hand pays on the wager."""
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
    """Yield the bonuses on these wagers."""
    for name, bonus in rules.book.bonuses.items():
        if bonus.on not in wagers:
            continue
        yield from _own_fields("bonus", f"bonuses.{name}", bonus)
        table_id, table = rules.chosen[bonus.paytable], rules.paytable(bonus.paytable)
        yield from _table_fields(rules, f"paytables.{bonus.paytable}.{table_id}", table)
        for hand in _looked_at(rules, bonus.hand, [table]):
            yield from _hand_fields(rules, hand)


def _hand_fields(rules: Rules, name: str) -> Iterator[Field]:
    """Yield a named hand, and the rulebook's own ranking that it names."""
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
    """Return the named hands that a wager and its lines look at."""
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


FieldCheck: TypeAlias = Callable[[Rules, Field], str | None]
"""Returns what could be solved in this field, in words, or None if its value can be solved."""


class Misfit(NamedTuple):
    """A field with something that a solver does not model."""

    where: str
    value: str
    solved: str

    def __str__(self) -> str:
        return f"{self.where} is {self.value}; what can be solved there: {self.solved}"


@dataclass(frozen=True)
class Shape:
    """The games that a solver takes. `name` and `solves` are for people; `takes` has a check for
    every field that the solver has considered."""

    name: str
    solves: str
    takes: Mapping[str, FieldCheck]

    def misfits(self, rules: Rules, fields: Iterable[Field]) -> Iterator[Misfit]:
        for field in fields:
            check = self.takes.get(field.key, _left_alone)
            wanted = check(rules, field)
            if wanted is not None:
                yield Misfit(field.where, value_in_words(field.value), wanted)


def unsolvable(subject: str, misfit: Misfit, shape: Shape) -> Unsolvable:
    return refused(subject, f"{misfit} ({shape.name})")


def refused(subject: str, why: str, solved: str = "") -> Unsolvable:
    """Return the error for a wager that is not solved, in one sentence; `why` names the field."""
    more = f"; what can be solved: {solved}" if solved else ""
    return Unsolvable(f"{subject} cannot be solved exactly: {why}{more}")


def _left_alone(_: Rules, field: Field) -> str | None:
    """Check that a field which the solver does not know stands at its default."""
    name = field.key.rpartition(".")[2]
    for info in msgspec.structs.fields(type(field.owner)):
        if info.name == name and not info.required:
            made = info.default_factory
            default = info.default if made is msgspec.NODEFAULT else made()
            return (
                None
                if field.value == default
                else f"{value_in_words(default)}: no other value is known"
            )
    return "nothing: the solver does not know this field"


def value_in_words(value: object) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "absent"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{name} = {value_in_words(part)}" for name, part in value.items())
            + "}"
        )
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(value_in_words, value)) + "]"
    if isinstance(value, msgspec.Struct):
        return "present"
    return str(value)


def anything(_: Rules, __: Field) -> None:
    """Accept any value: the field is considered, and every value is understood or irrelevant."""


def any_fields(key: str, *names: str) -> dict[str, FieldCheck]:
    """Return checks that accept any value in these fields of one struct."""
    return {f"{key}.{name}": anything for name in names}


def exactly(*values: object) -> FieldCheck:
    def check(_: Rules, field: Field) -> str | None:
        return None if field.value in values else " or ".join(map(value_in_words, values))

    return check


def nothing(why: str) -> FieldCheck:
    """Accept only an empty field; `why` says for which sort of game."""

    def check(_: Rules, field: Field) -> str | None:
        return None if not field.value and field.value is not False else f"nothing there ({why})"

    return check


ONE_DECK_OF_52: Final[Mapping[str, FieldCheck]] = {
    "deck.ranks": exactly(Deck().ranks),
    "deck.copies": exactly(Deck().copies),
}


def pays_one_of(*kinds: type[Pays]) -> FieldCheck:
    """Accept only payments of these forms; an empty text is no payment."""
    words = {"To": "odds 'to'", "For": "odds 'for'", "Push": "a push"}
    listed = " or ".join(words.get(form.__name__, form.__name__.lower()) for form in kinds)

    def check(_: Rules, field: Field) -> str | None:
        text = str(field.value)
        return None if not text or isinstance(parse_pays(text), kinds) else listed

    return check


def some(_: Rules, field: Field) -> str | None:
    """Accept any number but 0."""
    return None if field.value else "at least one"


def at_one_stake(rules: Rules, field: Field) -> str | None:
    """Accept a stake that all required wagers take, because they are solved at one stake."""
    stakes = [set(map(parse_cents, rules.book.wagers[name].stakes)) for name in rules.required]
    fixed = [stake for stake in stakes if stake]
    if not field.value or not fixed or set.intersection(*fixed):
        return None
    return "a stake that every required wager takes"


def within_limit(rules: Rules, field: Field) -> str | None:
    """Accept a payout limit that can cut no payment at the smallest stake, because figures leave
    limits out."""
    limit, amount = field.owner, field.value
    assert isinstance(limit, PayoutLimit)
    assert isinstance(amount, int | Fraction)
    most = sum((_most_won(rules, name) for name in limit.covers), Fraction(0))
    return None if most <= amount else f"at least {most}, all that can be won at the least stake"


def _most_won(rules: Rules, name: str) -> Fraction:
    """Return the most that a wager can win in dollars, at the smallest stake and the largest
    multiple, without meters and envy."""
    stake = _least_stake(rules, wager_with_stake(rules.book, name))
    return max((_won(pays, stake) for pays in payments_of(rules, name)), default=Fraction(0))


def _least_stake(rules: Rules, name: str) -> Fraction:
    """Return the smallest stake in dollars. Bets made in play are multiples of a required wager,
    and the required wagers are solved at one stake; a dollar if the rulebook names no amount."""
    book = rules.book
    decided = [decision for decision in book.decisions if decision.wager == name]
    if decided:
        return max(_least_stake(rules, d.multiple_of) * max(d.bets.values()) for d in decided)
    fixed = [set(rules.stakes[name])] if name in rules.stakes else []
    if name in rules.required:
        fixed = [
            set(rules.stakes[required]) for required in rules.required if required in rules.stakes
        ]
    if fixed:
        # If no stake suits all of them, the game is refused for that reason.
        return Fraction(min(set.intersection(*fixed) or set.union(*fixed)), 100)
    floor = book.options["minimum_wager"].default if "minimum_wager" in book.options else None
    return Fraction(floor, 100) if isinstance(floor, int) else Fraction(1)


def _won(pays: Pays, stake: Fraction) -> Fraction:
    if isinstance(pays, MeterShare):
        return Fraction(0)
    return net_of(pays, int(100 * stake)) * stake


def name_of_its_own(rules: Rules, field: Field) -> str | None:
    """Accept a decision's name that no other decision has."""
    same = [each for each in rules.book.decisions if each.name == field.value]
    return None if len(same) == 1 else "a name of its own for each decision"


def is_made_of(*ways: Mapping[str, int], ranking: str = "") -> FieldCheck:
    """Accept the name of a hand that is made of exactly these cards and ranked so."""

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
