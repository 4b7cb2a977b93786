"""Which parameters of a test run each time, and which only in `make test-full`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["few"]


def few(values: Iterable[Any], *kept: Any) -> list[Any]:
    """All of `values`, but those that are not `kept` only in `make test-full`."""
    given = list(values)
    missing = [one for one in kept if one not in given]
    assert not missing, f"no such parameter: {missing}"
    return [one if one in kept else pytest.param(one, marks=pytest.mark.full) for one in given]
