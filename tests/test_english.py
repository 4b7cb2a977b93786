"""One spelling and no empty names: American English everywhere, and values called by what they are.

Nothing else about style is enforced. Fields of records may keep a name that stands in the journal,
in a rulebook or in the contract's JSON.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
EMPTY: Final = frozenset({"found", "told", "one", "other", "kind", "what", "given", "asked"})
BRITISH: Final = re.compile(
    r"\b(?:\w*(?:colour|favour|honour|behaviour|neighbour|labour)\w*"
    r"|(?:practis|organis|recognis|initialis|normalis|optimis|summaris|minimis|maximis|realis"
    r"|standardis)(?:e|ed|es|ing|ation)"
    r"|analys(?:e|ed|ing)|(?:cancel|label|model|travel)l(?:ed|ing)|grey|centre[ds]?|cheques?"
    r"|catalogues?|licence[sd]?|programmes?|judgement|whilst|learnt|artefacts?)\b",
    re.IGNORECASE,
)
TEXTS: Final = (
    ".py",
    ".md",
    ".toml",
    ".js",
    ".mjs",
    ".css",
    ".html",
    ".typ",
    ".sh",
    ".yml",
    ".cff",
)
_PUBLIC: Final = re.compile(
    r"colour_up|[Aa]nn colours up|\"colours\"|CancelledError|\.cancelled\(\)"
)
"""A tag in the journal, a verb of rehearsals, names of Python: they stay as they are."""
_ELSEWHERE: Final = re.compile(
    r"node_modules|/fixtures/|package-lock|test_english.py|test_staff_words.py|\.clauses\."
    r"|docs/conformance/"
)
_JS_BINDING: Final = re.compile(
    rf"\b(?:const|let|var|function|catch \()\s*[\[{{]?\s*({'|'.join(sorted(EMPTY))})\b(?!\s*:)"
    rf"|\(\s*({'|'.join(sorted(EMPTY))})\s*(?:,[^()]*)?\)\s*=>"
)


def tracked(*endings: str) -> list[Path]:
    """The project's own files: those that git tracks or would track; all, outside a checkout."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):  # an unpacked sdist
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
    return [
        ROOT / name
        for name in listed
        if name.endswith(endings) and not _ELSEWHERE.search(name) and (ROOT / name).exists()
    ]


def british(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in BRITISH.finditer(_PUBLIC.sub("", line)):
            yield number, match[0]


def empty_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield parameters, variables, functions, and attributes with an empty name."""
    fields = {
        id(statement.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    operands = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and re.fullmatch(r"__\w+__", node.name)
        for argument in node.args.args  # `other` of `__eq__` is Python's own word
    }
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) if name in EMPTY and id(node) not in operands:
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) if name in EMPTY and id(node) not in fields:
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()) if name in EMPTY:
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in EMPTY:
                yield node.lineno, name


def test_the_spelling_is_american() -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{number}: {word}"
        for path in tracked(*TEXTS)
        for number, word in british(path.read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)


def test_no_value_in_python_has_an_empty_name() -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in tracked(".py")
        if path.is_relative_to(ROOT / "src")
        for number, name in empty_names(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not faults, "\n".join(faults)


def test_no_value_in_javascript_has_an_empty_name() -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in tracked(".js")
        if path.is_relative_to(ROOT / "src")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _JS_BINDING.search(line)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("found = 1", "found"),
        ("def told(): ...", "told"),
        ("def seat(other): ...", "other"),
        ("[x for one in y]", "one"),
        ("self.asked = 1", "asked"),
        ("class Record:\n    def look(self, kind): ...", "kind"),
    ],
)
def test_the_check_notices_an_empty_name(source: str, name: str) -> None:
    assert [found_name for _, found_name in empty_names(ast.parse(source))] == [name]


def test_the_check_leaves_fields_alone() -> None:
    assert not list(empty_names(ast.parse("class Clause:\n    kind: str\n    asked: bool = False")))


def test_the_check_notices_a_british_word() -> None:
    assert [word for _, word in british("The colour\nof a Neighbour")] == ["colour", "Neighbour"]
