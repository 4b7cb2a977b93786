"""Prices of written strategies kept on disk, under the rules and what the strategy says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

import msgspec

from croupier.cards import parse_cards
from croupier.errors import CroupierError
from croupier.mathematics.cache import key_of, read_result, write_result
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.losses import Mistake
from croupier.mathematics.questions.strategies.pricing import Price
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.rulebooks.rules import Rules

__all__ = ["price_of"]

_LISTED: Final = 10
"""So many mistakes are kept at least: to list them costs nothing beside finding them."""


def price_of(rules: Rules, plan: WrittenStrategy, *, mistakes: int = _LISTED) -> Price:
    """The price of a written strategy: read from disk, or worked out now and kept."""
    key = key_of(rules, "price", plan.meaning)
    price = _read(key, mistakes)
    if price is None:
        listed = max(mistakes, _LISTED)
        price = solver_for(rules).price(plan, mistakes=listed)
        write_result(key, _written(price, listed))
    shown = {decision: found[:mistakes] for decision, found in price.mistakes.items()}
    return replace(price, title=plan.title, mistakes=shown)


class _Mistake(msgspec.Struct, forbid_unknown_fields=True):
    words: str
    own: str
    community: str
    taken: str
    best: str
    frequency: str
    loss: str
    dealer: str = ""


class _Price(msgspec.Struct, forbid_unknown_fields=True):
    """`listed` is how many mistakes were asked for; there may be fewer."""

    rulebook: str
    value: str
    optimal: str
    standard_deviation: float
    units_decided: str
    frequencies: dict[str, dict[str, str]]
    losses: dict[str, str]
    listed: int
    mistakes: dict[str, list[_Mistake]]


def _written(price: Price, listed: int) -> dict[str, object]:
    stored = _Price(
        price.rulebook,
        str(price.value),
        str(price.optimal),
        price.standard_deviation,
        str(price.units_decided),
        {
            decision: {said: str(share) for said, share in shares.items()}
            for decision, shares in price.frequencies.items()
        },
        {decision: str(loss) for decision, loss in price.losses.items()},
        listed,
        {
            decision: [_written_mistake(one) for one in found]
            for decision, found in price.mistakes.items()
        },
    )
    found: dict[str, object] = msgspec.to_builtins(stored)
    return found


def _written_mistake(one: Mistake) -> _Mistake:
    own, community, dealer = (" ".join(map(str, part)) for part in one.example)
    shares = str(one.frequency), str(one.loss)
    return _Mistake(one.words, own, community, one.taken, one.best, *shares, dealer)


def _read(key: str, mistakes: int) -> Price | None:
    """None where there is nothing, nothing that can be read, or not enough."""
    found = read_result(key)
    if found is None:
        return None
    try:
        stored = msgspec.convert(found, _Price)
        return _restored(stored) if stored.listed >= mistakes else None
    except (msgspec.ValidationError, ValueError, ZeroDivisionError, CroupierError):
        return None


def _restored(stored: _Price) -> Price:
    return Price(
        title="",
        rulebook=stored.rulebook,
        value=Fraction(stored.value),
        optimal=Fraction(stored.optimal),
        standard_deviation=stored.standard_deviation,
        units_decided=Fraction(stored.units_decided),
        frequencies={
            decision: {said: Fraction(share) for said, share in shares.items()}
            for decision, shares in stored.frequencies.items()
        },
        losses={decision: Fraction(loss) for decision, loss in stored.losses.items()},
        mistakes={
            decision: tuple(_restored_mistake(one) for one in found)
            for decision, found in stored.mistakes.items()
        },
    )


def _restored_mistake(one: _Mistake) -> Mistake:
    cards = [parse_cards(text) if text else () for text in (one.own, one.community, one.dealer)]
    example = ExampleHand(*cards)
    return Mistake(
        one.words, example, one.taken, one.best, Fraction(one.frequency), Fraction(one.loss)
    )
