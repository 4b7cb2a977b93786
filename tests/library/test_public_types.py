"""Whatever a public function returns is public, too, and every field says what it holds."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import croupier
from docs.make_reference import entries

INTERNAL = {
    *("Rulebook.document", "Rulebook.file", "Rulebook.rules", "Rulebook.settler"),
    *("Rulebook.submission", "Table.state", "Table.rules", "Table.session", "Journal.ledger"),
    *("Round.state", "RoundEvent.event", "Wager.settles"),
    *("Adoption.result", "DeckCheck.checks", "DemoRound.played", "DemoRound.rules"),
    *("DemoRound.settlement", "ExposedTable.limits", "ExposedTable.result", "Session.limits"),
    *("OptimalStrategy.grid", "StrategyChart.grid", "StrategyChart.skipped", "Paytables.books"),
    *("PaytableSearch.designs", "PaytableSearch.nearest", "PaytableSearch.tables"),
    *("ProofCheck.round", "Pruning.result", "Rehearsal.lines", "Rehearsal.played"),
    *("Reindexing.result", "RuinChance.ever", "RuinChance.within", "RulebookCheck.compared"),
    *("RulebookCheck.unwise", "RulebookList.books", "Session.sums", "Shift.report"),
    *("ShownRulebook.adopted", "ShownRulebook.document", "ShuffleExamination.result"),
    *("Simulation.setting", "Simulation.too_far", "Simulation.totals", "Simulation.wagers"),
    *("StrategyPrice.price", "TableSign.sign", "WrittenReport.report"),
}
"""Ways into the modules of the program, which may change: `to_dict()` has the form that stays."""


def returned_types(name: str, public: Any) -> Iterator[tuple[str, Any]]:
    """Every annotation of a value that a public name hands out, and where it stands."""
    if not isinstance(public, type):
        if callable(public):
            yield name, hints_of(public).get("return")
        return
    for field, form in hints_of(public).items():
        if not field.startswith("_"):
            yield f"{name}.{field}", form
    for method, value in inspect.getmembers_static(public):
        function = getattr(value, "fget", getattr(value, "func", getattr(value, "__func__", value)))
        if method.startswith("_") or not isinstance(function, types.FunctionType):
            continue
        if function.__module__.startswith("croupier"):
            yield f"{name}.{method}", hints_of(function).get("return")


def hints_of(public: Any) -> dict[str, Any]:
    return typing.get_type_hints(public, localns=names_for_checkers(public.__module__))


@cache
def names_for_checkers(module: str) -> dict[str, Any]:
    """What a module imports for type checkers only."""
    source = Path(str(import_module(module).__file__)).read_text("utf-8")
    blocks = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname or alias.name: getattr(import_module(str(node.module)), alias.name)
        for node in imports
        for alias in node.names
    }


def classes_in(form: Any) -> Iterator[type]:
    """The classes that an annotation names, however deep."""
    for part in typing.get_args(form):
        yield from classes_in(part)
    if isinstance(form, type) and form.__module__.startswith("croupier"):
        yield form


def test_every_type_that_is_returned_is_public() -> None:
    public = [getattr(croupier, name) for name in croupier.__all__]
    missing = {
        f"{where}: {kind.__module__}.{kind.__qualname__}"
        for name in croupier.__all__
        for where, form in returned_types(name, getattr(croupier, name))
        if where not in INTERNAL
        for kind in classes_in(form)
        if kind not in public
    }
    assert not missing, "\n".join(sorted(missing))


def test_every_name_and_every_field_says_what_it_is() -> None:
    silent = [entry.name for entry in entries() if not entry.doc]
    silent += [
        f"{entry.name}.{member.name}"
        for entry in entries()
        for member in entry.members
        if not member.doc
    ]
    assert not silent, "\n".join(silent)
