"""The result of one test on one sequence."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SequenceResult"]


class SequenceResult(NamedTuple):
    statistic: float
    p_value: float
