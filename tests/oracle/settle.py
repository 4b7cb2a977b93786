"""The oracle's front door: one request of the contract in, its settlement out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle import ma_uth, md_235, md_jackpot, md_uth, md_wpt

RULEBOOKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "md-uth": md_uth.settle,
    "ma-uth": ma_uth.settle,
    "md-jackpot": md_jackpot.settle,
    "md-wpt": md_wpt.settle,
    "md-235": md_235.settle,
}


def settle_round(request: dict[str, Any]) -> dict[str, Any]:
    """The contract's output without `clause` and `best`. ValueError for what may not be settled."""
    try:
        return RULEBOOKS[request["rulebook"]](request)
    except (KeyError, TypeError, AttributeError, IndexError) as problem:
        raise ValueError(f"malformed request: {problem!r}") from problem
