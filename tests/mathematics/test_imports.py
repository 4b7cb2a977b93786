"""No import cycles between the modules of `mathematics`, and nobody uses another's private names.

Imports inside functions count: put off or not, they tie modules together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import croupier

ROOT = Path(croupier.__file__).parent
FOLDER = ROOT / "mathematics"
MODULES = {
    ".".join(("croupier", *path.relative_to(ROOT).with_suffix("").parts)): path
    for path in sorted(FOLDER.rglob("*.py"))
    if path.name != "__init__.py"
}


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Every name that is imported, with the module it comes from."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                yield node.module, name.name
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, ""


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        module: {
            other
            for source, name in imports(path)
            for other in (source, f"{source}.{name}")
            if other in MODULES
        }
        for module, path in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_no_private_names_are_imported() -> None:
    found = [
        f"{module}: {source}.{name}"
        for module, path in MODULES.items()
        for source, name in imports(path)
        if name.startswith("_") and source.startswith("croupier.")
    ]
    assert not found
