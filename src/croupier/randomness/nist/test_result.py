"""What one test says about one sequence."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TestResult"]


class TestResult(NamedTuple):
    statistic: float
    p_value: float
