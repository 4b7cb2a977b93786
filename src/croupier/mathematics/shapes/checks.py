"""What may stand in a field: the checks that shapes are declared with."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.payments import net_of
from croupier.mathematics.game.payoffs import payments_of, wager_with_stake
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import FieldCheck, told
from croupier.money import MeterShare, Pays, parse_cents, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Deck,
    Hand,
    PayoutLimit,
)


def anything(_: Rules, __: Field) -> None:
    """Looked at, and everything that may stand there is understood (or changes nothing)."""


def any_fields(key: str, *names: str) -> dict[str, FieldCheck]:
    """Fields of one struct in which anything may stand."""
    return {f"{key}.{name}": anything for name in names}


def exactly(*values: object) -> FieldCheck:
    def check(_: Rules, field: Field) -> str | None:
        return None if field.value in values else " or ".join(map(told, values))

    return check


def nothing(why: str) -> FieldCheck:
    """Only an empty field is solved; `why` says of what kind of game."""

    def check(_: Rules, field: Field) -> str | None:
        return None if not field.value and field.value is not False else f"nothing there ({why})"

    return check


ONE_DECK_OF_52: Final[Mapping[str, FieldCheck]] = {
    "deck.ranks": exactly(Deck().ranks),
    "deck.copies": exactly(Deck().copies),
}


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
    limit, amount = field.owner, field.value
    assert isinstance(limit, PayoutLimit)
    assert isinstance(amount, int | Fraction)
    most = sum((_most_won(rules, name) for name in limit.covers), Fraction(0))
    return None if most <= amount else f"at least {most}, all that can be won at the least stake"


def _most_won(rules: Rules, name: str) -> Fraction:
    """In dollars, at the smallest stake and the largest multiple; meters and envy are no part."""
    stake = _least_stake(rules, wager_with_stake(rules.book, name))
    return max((_won(pays, stake) for pays in payments_of(rules, name)), default=Fraction(0))


def _least_stake(rules: Rules, name: str) -> Fraction:
    """In dollars. What is decided in play goes down in multiples of a required wager, and the
    required wagers are solved at one stake; a dollar where the rulebook itself names no sum."""
    book = rules.book
    decided = [decision for decision in book.decisions if decision.wager == name]
    if decided:
        return max(_least_stake(rules, d.multiple_of) * max(d.bets.values()) for d in decided)
    fixed = [set(rules.stakes[name])] if name in rules.stakes else []
    if name in rules.required:
        fixed = [set(rules.stakes[other]) for other in rules.required if other in rules.stakes]
    if fixed:
        # Where no stake suits all of them the game is refused for that.
        return Fraction(min(set.intersection(*fixed) or set.union(*fixed)), 100)
    floor = book.options["minimum_wager"].default if "minimum_wager" in book.options else None
    return Fraction(floor, 100) if isinstance(floor, int) else Fraction(1)


def _won(pays: Pays, stake: Fraction) -> Fraction:
    if isinstance(pays, MeterShare):
        return Fraction(0)
    return net_of(pays, int(100 * stake)) * stake


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
