"""A pytest plugin: which of the code that answers clauses each test runs.

    pytest -p tests.reports.calls --write-calls FILE tests/rules

writes a JSON object of test to names in `code.toml`. Code that only prepares something once (what
a resolver does, for instance) is counted for the first test that needs it.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from croupier.reports.conformance import symbols


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-calls", metavar="FILE", required=True)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Calls(Path(config.getoption("--write-calls"))))


class Calls:
    def __init__(self, target: Path) -> None:
        self._target = target
        self._names = {code: name for name, symbol in symbols().items() for code in codes(symbol)}
        self._found: dict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        found = self._found[item.nodeid.partition("[")[0]]

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code in self._names:
                found.add(self._names[frame.f_code])

        sys.setprofile(note)
        try:
            return (yield)
        finally:
            sys.setprofile(None)

    def pytest_sessionfinish(self) -> None:
        told = {test: sorted(names) for test, names in self._found.items()}
        self._target.write_text(json.dumps(told), "utf-8")


def codes(symbol: str) -> Iterator[CodeType]:
    """The code of a function, or of all methods of a class; a field has none."""
    module, _, name = symbol.partition(":")
    found: Any = reduce(getattr, name.split("."), import_module(module))
    for one in vars(found).values() if inspect.isclass(found) else [found]:
        code = getattr(inspect.unwrap(one), "__code__", None) if callable(one) else None
        if isinstance(code, CodeType):
            yield code
