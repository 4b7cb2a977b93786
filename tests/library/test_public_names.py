"""`import croupier`: what it offers, that it is light, and that type checkers see the same."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import croupier
from docs.make_reference import page

SOURCE = Path(croupier.__file__)


def test_every_public_name_is_there() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None
    assert dir(croupier) == sorted(croupier.__all__)
    assert len(croupier.__all__) == len(set(croupier.__all__))


def test_everything_but_the_version_has_one_home() -> None:
    homes = croupier._HOME_OF
    assert {*homes, "__version__"} == set(croupier.__all__)
    for name, module in homes.items():
        public = getattr(import_module(module), name)
        assert getattr(public, "__module__", module) == module, name


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(SOURCE.read_text("utf-8"))
    checking = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in checking.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for alias in node.names
    }
    assert seen == croupier._HOME_OF


def test_no_public_name_is_that_of_a_module() -> None:
    """Importing the module would put it in the place of the function."""
    modules = {path.stem for path in SOURCE.parent.iterdir() if path.stem != "__init__"}
    assert modules.isdisjoint(croupier.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'dealt'"):
        _ = croupier.dealt  # type: ignore[attr-defined]


def test_the_import_brings_nothing_heavy_along() -> None:
    code = "import croupier, sys; print(*sorted(m for m in sys.modules if m[:1] != '_'))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = told.stdout.split()
    assert "croupier" in loaded
    assert not [name for name in loaded if name.startswith(("croupier.", "msgspec", "numpy"))]


SETTLES = {
    "settle": """
seat = {'seat': 1, 'cards': 'Ah Ad', 'actions': ['4x'], 'wagers': {'ante': 10, 'blind': 10}}
croupier.settle(rulebook='md-uth', seats=[seat], dealer='Qs Qh', community='As Kd 7h 2c 2d')
""",
    "evaluate": "croupier.evaluate('As Ks Qs Js Ts')",
    "Round": """
start = croupier.Round.start('md-uth', seed=1)
bets = {'ante': 10, 'blind': 10}
start.play('place_wagers', seat=1, player='ann', wagers=bets).advance()
""",
}


@pytest.mark.parametrize("task", SETTLES)
def test_settling_loads_neither_the_solvers_nor_numba(task: str) -> None:
    code = f"import croupier, sys\n{SETTLES[task]}\nprint(*sorted(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    heavy = ("numba", "numpy", "llvmlite", "croupier.mathematics", "croupier.simulation")
    assert not [name for name in ended.stdout.split() if name.startswith(heavy)]


def test_every_record_and_function_says_what_it_is_for() -> None:
    for name in croupier.__all__:
        found = getattr(croupier, name)
        if callable(found) and not isinstance(found, type):
            assert found.__doc__, name


def test_every_name_stands_in_the_reference() -> None:
    """`make reference` writes it."""
    text = (SOURCE.parents[2] / "docs" / "library-reference.md").read_text("utf-8")
    for name in croupier.__all__:
        assert f"\n### {name}\n" in text or name == "__version__", name
    assert text == page(), "`make reference` writes it again"
