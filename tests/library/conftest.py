"""Solved results of a test run go into a folder of their own, shared with other tests."""

from __future__ import annotations

from tests.mathematics.conftest import cache_of_the_run

__all__ = ["cache_of_the_run"]
