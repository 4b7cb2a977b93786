"""Every command has its function in the library, or a reason why not; the page says the same."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import get_args

import pytest

import croupier
from croupier.commands import options
from croupier.rulebooks.bundled import BUNDLED
from tests.commands.program import ROOT


@pytest.fixture(scope="module")
def matrix() -> ModuleType:
    path = ROOT / "docs" / "make_commands.py"
    spec = importlib.util.spec_from_file_location("make_commands", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_is_offered_by_the_library_or_says_why_not(matrix: ModuleType) -> None:
    assert set(matrix.commands()) == set(matrix.LIBRARY)
    for command, offered in matrix.LIBRARY.items():
        for name in offered if isinstance(offered, tuple) else ():
            value: object = croupier
            for part in name.split("."):
                value = getattr(value, part)
            assert callable(value) or isinstance(value, property), (command, name)
            first = name.partition(".")[0]
            assert first in croupier.__all__, (command, name)


def test_every_function_of_the_library_returns_a_public_type(matrix: ModuleType) -> None:
    simple = {"dict[str, Any]", "Iterator[str]", "Path", "str", "RoundProof", "tuple[str, ...]"}
    for offered in matrix.LIBRARY.values():
        for name in offered if isinstance(offered, tuple) else ():
            if "." not in name:
                returned = getattr(croupier, name).__annotations__["return"]
                assert returned in croupier.__all__ or returned in simple, name


def test_the_page_says_the_same(matrix: ModuleType) -> None:
    page = matrix.PAGE.read_text("utf-8")
    assert matrix.written(page) == page, "run docs/make_commands.py"


def test_the_shell_completes_every_bundled_rulebook() -> None:
    choices, _ = get_args(vars(options)["AnyRulebook"])
    assert get_args(choices) == tuple(BUNDLED)
