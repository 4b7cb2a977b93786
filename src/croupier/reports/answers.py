"""What answers each clause of a document, read from its `answers.toml`.

An answer names places in the game file, code, and readings:

    by = ["game:wagers.ante", "code:settle", "reading:progressive_hand"]

`game:` is a place in the document's `game.toml`. `code:` is a symbol listed under this name in the
rulebooks' `code.toml`. `reading:` is a switch of the game file or an adopted reading;
`reading:md-uth/MD-48` is a reading of another document. `answer_problems` finds every name that
leads nowhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from importlib import import_module
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import msgspec

from croupier.errors import BadData
from croupier.rulebooks.bundled import DOCUMENTS, read_bundled
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.duties import all_duties, in_general
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.paths import at_path, citing
from croupier.rulebooks.readings import adopted_readings

Status: TypeAlias = Literal["open", "enforced", "guided", "shown", "not_applicable"]
STATUSES: Final[tuple[Status, ...]] = ("enforced", "guided", "shown", "not_applicable", "open")


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses with one answer: `by` names what implements them, `words` adds remarks for people,
    `reason` says why they do not apply."""

    clauses: tuple[str, ...]
    status: Status
    by: tuple[str, ...] = ()
    words: str = ""
    reason: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answers: tuple[Answered, ...]


@cache
def answers_of(document: str) -> dict[str, Answered]:
    """Return the answers by clause. Refused: a clause that is answered twice or does not exist."""
    source = f"{document}/answers.toml"
    try:
        tree = tomllib.loads(read_bundled(document, "answers.toml"))
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"{source}: {error}") from None
    answers: dict[str, Answered] = {}
    for answered in into_form(tree, _File, source).answers:
        for clause in answered.clauses:
            if clause not in clauses_of(document):
                raise BadData(f"{source} answers {clause}, which does not exist")
            if clause in answers:
                raise BadData(f"{source} answers {clause} twice")
            answers[clause] = answered
    return answers


@cache
def holding_tests(document: str) -> dict[str, tuple[str, ...]]:
    """Return the tests that hold each clause."""
    held: dict[str, list[str]] = {}
    for line in read_bundled(document, "tests.tsv").splitlines()[1:]:
        clause, test = line.split("\t")
        held.setdefault(clause, []).append(test)
    return {clause: tuple(tests) for clause, tests in held.items()}


@cache
def symbols() -> dict[str, str]:
    """Return the code that answers may name: `settle` is `croupier.rounds.settlement:settle`."""
    text = files("croupier.rulebooks").joinpath("code.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, str])


def answer_text(document: str, clause: str) -> str:
    """Return the answer in one line: places in the game file, symbols, readings, remarks."""
    answered = answers_of(document).get(clause)
    if answered is None:
        return ""
    places, code, readings = (_named(prefix, answered.by) for prefix in ("game", "code", "reading"))
    exact = _exact(load_rulebook(document).tree, places, clause)
    names = [
        f"{', '.join(exact)} in game.toml" if exact else "",
        ", ".join(symbols().get(name, name) for name in code),
        f"reading{'s' * (len(readings) > 1)} {', '.join(readings)}" if readings else "",
    ]
    text = ". ".join(part for part in ("; ".join(filter(None, names)), answered.words) if part)
    if answered.status != "guided":
        return text
    return f"{text.rstrip('.')}. {_told(document, clause)}"


def _told(document: str, clause: str) -> str:
    """Return the duties shown with the step, by role."""
    return " ".join(
        f"{duty.role.capitalize()}, with the step {duty.step.replace('_', ' ')}: {in_general(duty)}"
        for duty in all_duties(document)
        if duty.clause == clause
    )


def _named(prefix: str, by: Iterable[str]) -> list[str]:
    return [name for this, _, name in (entry.partition(":") for entry in by) if this == prefix]


def _exact(tree: Any, places: Iterable[str], clause: str) -> list[str]:
    """Return the parts of these places that carry the clause. In a section with such parts, the
    other places are left out."""
    parts = {place: list(citing(at_path(tree, place), clause, place)) for place in places}
    carry = {_section(place) for place, exact_parts in parts.items() if exact_parts}
    exact: list[str] = []
    for place, exact_parts in parts.items():
        for part in exact_parts or ([] if _section(place) in carry else [place]):
            if not any(
                part == place_kept or part.startswith((f"{place_kept}.", f"{place_kept}["))
                for place_kept in exact
            ):
                exact.append(part)
    return exact


def _section(place: str) -> str:
    return place.partition(".")[0]


def answer_problems(document: str, answers: Iterable[Answered] | None = None) -> Iterator[str]:
    """Yield every name in the answers that leads nowhere, and every enforced clause without a name
    or a test."""
    if answers is None:
        answers = dict.fromkeys(answers_of(document).values())
    for answered in answers:
        where = f"{document} {answered.clauses[0]}"
        for name in answered.by:
            problem = _problem(document, name)
            if problem:
                yield f"{where}: {problem}"
        if answered.status == "not_applicable":
            continue
        if not _named("game", answered.by) + _named("code", answered.by):
            yield f"{where}: it is {answered.status}, but no code and no place of the game is named"
        if answered.status == "guided":
            with_duties = {duty.clause for duty in all_duties(document)}
            for clause in answered.clauses:
                if clause not in with_duties:
                    yield f"{document} {clause}: it is guided, but nobody has a duty there"
        if answered.status == "enforced":
            for clause in answered.clauses:
                if clause not in holding_tests(document):
                    yield f"{document} {clause}: it is enforced, but no test holds it"


def _problem(document: str, name: str) -> str:
    prefix, _, rest = name.partition(":")
    if prefix == "game":
        tree = load_rulebook(document).tree
        return "" if at_path(tree, rest) is not None else f"game.toml has nothing at {rest!r}"
    if prefix == "code":
        symbol = symbols().get(rest)
        return f"code.toml has no {rest!r}" if symbol is None else _missing(symbol)
    if prefix == "reading":
        named_document, _, id_ = rest.rpartition("/")
        return (
            "" if id_ in _readings(named_document or document) else f"there is no reading {rest!r}"
        )
    return f"{name!r} is not a name: write game:, code: or reading: before it"


def _missing(symbol: str) -> str:
    """Return what is wrong with `module:symbol`; empty if it exists."""
    module, _, name = symbol.partition(":")
    try:
        reduce(getattr, name.split("."), import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        return f"there is no {symbol}: {error}"
    return ""


@cache
def _readings(document: str) -> frozenset[str]:
    if document not in DOCUMENTS:
        return frozenset()
    switches = load_rulebook(document).default.readings
    return frozenset(switches) | {reading.id for reading in adopted_readings(document)}
