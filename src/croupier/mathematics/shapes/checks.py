"""What may stand in a field: the checks that shapes are declared with."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.mathematics.shapes.course import cards_of
from croupier.mathematics.shapes.fields import Field, tables_in_force
from croupier.mathematics.shapes.shape import FieldCheck, told
from croupier.money import Fixed, For, Pays, To, parse_cents, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Follows,
    Hand,
    PayoutLimit,
)

__all__ = [
    "anything",
    "at_one_stake",
    "exactly",
    "is_made_of",
    "name_of_its_own",
    "nothing",
    "pays_one_of",
    "some",
    "within_limit",
]


def anything(_: Rules, __: Field) -> None:
    """Looked at, and everything that may stand there is understood (or changes nothing)."""


def exactly(*values: object) -> FieldCheck:
    def check(_: Rules, field: Field) -> str | None:
        return None if field.value in values else " or ".join(map(told, values))

    return check


def nothing(why: str) -> FieldCheck:
    """Only an empty field is solved; `why` says of what kind of game."""

    def check(_: Rules, field: Field) -> str | None:
        return None if not field.value and field.value is not False else f"nothing there ({why})"

    return check


def pays_one_of(*kinds: type[Pays]) -> FieldCheck:
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


def within_limit(rules: Rules, field: Field) -> str | None:
    """Figures leave payout limits out, so at the smallest stake none may cut a payment."""
    limit = field.owner
    assert isinstance(limit, PayoutLimit)
    most = sum((_most_won(rules, name) for name in limit.covers), Fraction(0))
    return (
        None if most <= limit.amount else f"at least {most}, all that can be won at the least stake"
    )


def _most_won(rules: Rules, name: str) -> Fraction:
    """In dollars, at the smallest stake and the largest multiple; meters and envy are no part."""
    book, settles = rules.book, rules.book.wagers[name].settles
    stake = Fraction(min(rules.stakes.get(name, (100,))), 100)
    stake *= max((max(d.bets.values()) for d in book.decisions if d.wager == name), default=1)
    pays = [
        parse_pays(line.pays)
        for _, _, table in tables_in_force(rules, settles)
        for line in table.lines
    ]
    if isinstance(settles, Follows):
        pays = [parse_pays(settles.pays)] if settles.pays else []
        followed = Fraction(0) if pays else _most_won(rules, settles.wager)
        return max([followed * stake, *(_won(each, stake) for each in pays)])
    return max((_won(each, stake) for each in pays), default=Fraction(0))


def _won(pays: Pays, stake: Fraction) -> Fraction:
    match pays:
        case To():
            return stake * pays.n / pays.d
        case For():
            return stake * (pays.n - 1)
        case Fixed():
            return Fraction(pays.cents, 100)
    return Fraction(0)


def name_of_its_own(rules: Rules, field: Field) -> str | None:
    """Of a decision."""
    same = [each for each in rules.book.decisions if each.name == field.value]
    return None if len(same) == 1 else "a name of its own for each decision"


def is_made_of(*ways: Mapping[str, int], ranking: str = "") -> FieldCheck:
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
