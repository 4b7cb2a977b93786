"""Writes docs/library-reference.md from the docstrings: `python docs/make_reference.py`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import croupier

PAGE = Path(__file__).with_name("library-reference.md")
_INTRODUCTION = """# Library reference

Every name that `import croupier` offers, with its fields, in alphabetical order of the modules they live in.
[library.md](library.md) teaches them by example. This page is written by `make reference` from the docstrings.

Every record also has `to_dict()`, plain data as [contract.md](contract.md) writes it, and `to_json()`, the same as a line of JSON.
"""


class Member(NamedTuple):
    """A field, property or method of a class, as its source has it."""

    name: str
    text: str
    doc: str
    is_method: bool


class Entry(NamedTuple):
    """A public name: its text is a signature, its members those of a class."""

    name: str
    module: str
    text: str
    doc: str
    members: tuple[Member, ...]


def entries() -> list[Entry]:
    """All public names in the order of their modules."""
    homes = croupier._HOME_OF
    return [_entry(name, homes[name]) for name in sorted(homes, key=lambda name: (homes[name], name))]


def _entry(name: str, module: str) -> Entry:
    source = Path(inspect.getfile(import_module(module))).read_text("utf-8")
    for node, after in _with_next(ast.parse(source).body):
        if isinstance(node, ast.ClassDef) and node.name == name:
            base = ast.unparse(node.bases[0]) if node.bases else ""
            text = f"class {name}({base})" if base in croupier.__all__ else f"class {name}"
            return Entry(name, module, text, _doc(node), tuple(_members(node)))
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Entry(name, module, _signature(node), _doc(node), ())
        if _name_of(node) == name:
            return Entry(name, module, name, _text_of(after) or "", ())
    raise LookupError(f"{module} has no {name}")


def _members(owner: ast.ClassDef) -> Iterator[Member]:
    for node, after in _with_next(owner.body):
        if isinstance(node, ast.AnnAssign | ast.Assign) and not (name := _name_of(node)).startswith("_"):
            form = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            is_constant = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            value = f"Always `{ast.unparse(node.value)}`." if is_constant and node.value else ""
            yield Member(name, form, _text_of(after) or value, False)
        elif isinstance(node, ast.FunctionDef):
            if node.name == "__init__":
                yield from _set_in(node)
            elif not node.name.startswith("_") and node.name not in ("to_dict", "to_json", "of"):
                marks = {ast.unparse(mark) for mark in node.decorator_list}
                if marks & {"property", "cached_property"}:
                    form = ast.unparse(node.returns) if node.returns else ""
                    yield Member(node.name, form, _doc(node), False)
                else:
                    yield Member(node.name, _signature(node), _doc(node), True)


def _set_in(made: ast.FunctionDef) -> Iterator[Member]:
    """Attributes that `__init__` sets and documents."""
    for node, after in _with_next(made.body):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            doc = _text_of(after)
            if isinstance(target, ast.Attribute) and doc:
                form = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                yield Member(target.attr, form, doc, False)


def _with_next(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    return zip(body, [*body[1:], None], strict=True)


def _name_of(node: ast.stmt) -> str:
    target: ast.expr | None = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign):
        target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else "_"


def _text_of(node: ast.stmt | None) -> str | None:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return inspect.cleandoc(str(node.value.value)) if is_text else None  # type: ignore[union-attr]


def _doc(node: ast.ClassDef | ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _signature(node: ast.FunctionDef) -> str:
    arguments = node.args
    for group in (arguments.posonlyargs, arguments.args):
        if group and group[0].arg in ("self", "cls"):
            del group[0]
            break
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(arguments)}){returns}"


# -- the page -------------------------------------------------------------------------------------


def page() -> str:
    parts, module = [_INTRODUCTION], ""
    for entry in entries():
        if entry.module != module:
            module = entry.module
            parts.append(f"## {module}\n")
        parts.append(f"### {entry.name}\n\n```text\n{entry.text}\n```\n\n{_plain(entry.doc)}\n")
        fields = [member for member in entry.members if not member.is_method]
        if fields:
            rows = [f"| `{_cell(f.name)}` | {_code(f.text)} | {_cell(_plain(f.doc))} |" for f in fields]
            parts.append("\n".join(["| field | type | |", "| --- | --- | --- |", *rows]) + "\n")
        for method in (member for member in entry.members if member.is_method):
            parts.append(f"- `{method.text}`\n\n{_indented(_plain(method.doc))}\n")
    return "\n".join(parts).rstrip() + "\n"


def _plain(text: str) -> str:
    """Paragraphs on one line each, so that a table or a list can hold them."""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    return "\n\n".join(paragraphs)


def _indented(text: str) -> str:
    return "\n".join([f"  {line}" if line else "" for line in text.split("\n")])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n\n", " ")


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
