"""Runs examples/library.ipynb anew and writes its outputs: `python docs/make_notebook.py`.

The notebook is its own source: edit its cells in Jupyter or in the file. No Jupyter is needed here.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["NOTEBOOK", "outputs_of", "read", "written"]

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "library.ipynb"
_SHOWN = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


def read() -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return notebook


def outputs_of(cell: dict[str, Any], names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a code cell prints, and what its last line shows, as a notebook keeps it."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed)})
    if value is not None:
        result = {"execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append({"data": _shown(value), **result})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    data = {
        kind: getattr(value, method)() for method, kind in _SHOWN.items() if hasattr(value, method)
    }
    return {kind: text.splitlines(keepends=True) for kind, text in data.items()} | {
        "text/plain": repr(value).splitlines(keepends=True)
    }


def _lines(printed: io.StringIO) -> list[str]:
    return printed.getvalue().splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main() -> None:
    notebook, names = read(), {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, cell in enumerate(code, 1):
            cell |= {"execution_count": number, "outputs": outputs_of(cell, names, number)}
        os.chdir(NOTEBOOK.parent)
    NOTEBOOK.write_text(written(notebook), "utf-8")


if __name__ == "__main__":
    main()
