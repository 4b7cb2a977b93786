"""Prices of written strategies on disk, keyed by the rules and the meaning of the strategy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.errors import CroupierError
from croupier.mathematics.cache import key_of, read_result, write_result
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.pricing import Price
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.rulebooks.rules import Rules

_LISTED: Final = 10
"""At least this many mistakes are stored: listing them costs nothing beside finding them."""


class _StoredPrice(msgspec.Struct, forbid_unknown_fields=True):
    """`listed` is how many mistakes were requested; there may be fewer."""

    listed: int
    price: Price


def price_of(rules: Rules, plan: WrittenStrategy, *, mistakes: int = _LISTED) -> Price:
    """Return the price of a written strategy: read from disk, or computed now and stored."""
    key = key_of(rules, "price", plan.meaning)
    price = _read(key, mistakes)
    if price is None:
        listed = max(mistakes, _LISTED)
        price = solver_for(rules).price(plan, mistakes=listed)
        stored = _StoredPrice(listed, replace(price, title=""))
        write_result(key, msgspec.to_builtins(stored, enc_hook=str))
    shown = {decision: listed[:mistakes] for decision, listed in price.mistakes.items()}
    return replace(price, title=plan.title, mistakes=shown)


def _read(key: str, mistakes: int) -> Price | None:
    """Return the stored price; None if it is missing, unreadable, or lists too few mistakes."""
    content = read_result(key)
    if content is None:
        return None
    try:
        stored = msgspec.convert(content, _StoredPrice, dec_hook=_decoded)
    except (msgspec.ValidationError, ValueError, ZeroDivisionError, CroupierError):
        return None
    return stored.price if stored.listed >= mistakes else None


def _decoded(wanted: type, content: str) -> Card | Fraction:
    return Card.parse(content) if wanted is Card else Fraction(content)
