"""docs/api-quickstart.md: the page from top to bottom, in a shell, against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands.program import ROOT, croupier
from tests.library.pages import examples_of
from tests.web.kit import settings
from tests.web.real import Worker


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_quickstart_plays_a_round(tmp_path: Path) -> None:
    blocks = [
        example.text
        for example in examples_of(ROOT / "docs" / "api-quickstart.md")
        if example.language == "sh"
    ]
    worker = Worker(settings(tmp_path / "journal.db", demo_tables=True), tmp_path / "log")
    try:
        worker.wait()
        done = subprocess.run(
            ["bash", "-eu", "-c", "\n".join(blocks)],
            cwd=tmp_path,
            env={**os.environ, "API": f"http://127.0.0.1:{worker.port}/api/v1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        worker.stop()
    assert done.returncode == 0, done.stderr
    assert '"code":"not_now"' in done.stdout
    assert '"preparing"' in done.stdout or '"best":' in done.stdout
    said = json.loads((tmp_path / "round.json").read_text("utf-8"))
    assert said["number"] == 1
    assert croupier("shuffle", "check", tmp_path / "round.json").code == 0
