"""Amounts as a dealer types them: `17.50`, `$1,750`, `-20`. To the cent, or refused."""

from __future__ import annotations

import re
from typing import Final

from croupier.errors import BadRequest, shown

__all__ = ["cents_typed"]

_TYPED: Final = re.compile(
    r"(?P<sign>[+-]?)\$?(?P<whole>[0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.(?P<part>[0-9]{1,2}))?"
)
_COMMA: Final = re.compile(r"[+-]?\$?[0-9]{1,12},[0-9]{1,2}")
_TOO_FINE: Final = re.compile(r"[+-]?\$?[0-9,]{1,16}\.[0-9]{3,}")
_MINUS: Final = str.maketrans({"−": "-", "–": "-"})


def cents_typed(text: str) -> int:
    """With or without a sign, `$` and thousands; never a part of a cent, never a guess."""
    said = text[:100].strip().translate(_MINUS).replace("-$ ", "-$").replace("$ ", "$")
    if not said:
        raise BadRequest("nothing is typed: type the amount, as 17.50")
    found = _TYPED.fullmatch(said)
    if found is not None and len(text) <= 100:
        cents = int(found["whole"].replace(",", "")) * 100
        cents += int((found["part"] or "0").ljust(2, "0"))
        return -cents if found["sign"] == "-" else cents
    if _COMMA.fullmatch(said):
        raise BadRequest(f"{shown(text)} is no amount: cents stand behind a point, as 17.50")
    if _TOO_FINE.fullmatch(said):
        raise BadRequest(f"{shown(text)} has a part of a cent: two digits stand behind the point")
    raise BadRequest(f"{shown(text)} is no amount: type dollars and cents, as 17.50")
