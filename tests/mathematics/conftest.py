"""Solved results of a test run go into a folder of their own, shared by its processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "croupier-cache"
    patch = pytest.MonkeyPatch()
    patch.setenv("CROUPIER_CACHE_DIR", str(folder))
    yield folder
    patch.undo()
