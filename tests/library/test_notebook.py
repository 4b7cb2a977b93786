"""examples/library.ipynb: a valid notebook whose cells do what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs.make_notebook import NOTEBOOK, outputs_of, read, written


def test_the_cells_show_what_the_notebook_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python docs/make_notebook.py` writes the outputs anew."""
    monkeypatch.chdir(tmp_path)
    code = [cell for cell in read()["cells"] if cell["cell_type"] == "code"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code, 1):
        assert cell["execution_count"] == number
        assert cell["outputs"] == outputs_of(cell, names, number), f"cell {number}"
    assert len(code) >= 10


def test_it_is_a_notebook() -> None:
    notebook = read()
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        keys = {"cell_type", "id", "metadata", "source"}
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == keys | code
    assert NOTEBOOK.read_text("utf-8") == written(notebook)


def test_tables_and_pictures_are_in_it() -> None:
    shown = {
        kind
        for cell in read()["cells"]
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }
    assert shown == {"text/html", "text/plain", "image/svg+xml"}
