"""Amounts as a dealer types them: `17.50`, `$1,750`, `-20`. Exact to the cent, or refused."""

from __future__ import annotations

import re
from typing import Final

from croupier.errors import BadRequest, shown

_TYPED: Final = re.compile(
    r"(?P<sign>[+-]?)\$?(?P<whole>[0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})(?:\.(?P<part>[0-9]{1,2}))?"
)
_COMMA: Final = re.compile(r"[+-]?\$?[0-9]{1,12},[0-9]{1,2}")
_TOO_FINE: Final = re.compile(r"[+-]?\$?[0-9,]{1,16}\.[0-9]{3,}")
_MINUS: Final = str.maketrans({"−": "-", "–": "-"})


def cents_typed(text: str) -> int:
    """Parse an amount with or without sign, `$`, and thousands separators; fractions of a cent are
    refused."""
    said = text[:100].strip().translate(_MINUS).replace("-$ ", "-$").replace("$ ", "$")
    if not said:
        raise BadRequest("nothing was typed: type the amount, as in 17.50")
    match = _TYPED.fullmatch(said)
    if match is not None and len(text) <= 100:
        cents = int(match["whole"].replace(",", "")) * 100
        cents += int((match["part"] or "0").ljust(2, "0"))
        return -cents if match["sign"] == "-" else cents
    if _COMMA.fullmatch(said):
        raise BadRequest(
            f"{shown(text)} is not an amount: put a point before the cents, as in 17.50"
        )
    if _TOO_FINE.fullmatch(said):
        raise BadRequest(f"{shown(text)} has a fraction of a cent: two digits follow the point")
    raise BadRequest(f"{shown(text)} is not an amount: type dollars and cents, as in 17.50")
