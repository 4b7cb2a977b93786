"""What answers each clause of a document, as its `answers.toml` says.

An answer names the places of the game file, the code and the readings that make a clause so:

    by = ["game:wagers.ante", "code:settle", "reading:progressive_hand"]

`game:` is a place in the document's `game.toml`. `code:` is a symbol that `code.toml` of the
rulebooks lists under this name. `reading:` is a switch of the game file or an adopted reading;
`reading:md-uth/MD-48` is one of another document. `answer_problems` finds every name that leads
nowhere.
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
from croupier.rulebooks.readings import adopted_readings, at_path, citing

__all__ = [
    "STATUSES",
    "Answered",
    "Status",
    "answer_problems",
    "answer_text",
    "answers_of",
    "holding_tests",
    "symbols",
]

Status: TypeAlias = Literal["open", "enforced", "guided", "shown", "not_applicable"]
STATUSES: Final[tuple[Status, ...]] = ("enforced", "guided", "shown", "not_applicable", "open")


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses with one answer: `by` names what makes them so, `words` adds what people should know,
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
    """By clause. A clause that is answered twice, or does not exist, is refused."""
    source = f"{document}/answers.toml"
    try:
        tree = tomllib.loads(read_bundled(document, "answers.toml"))
    except tomllib.TOMLDecodeError as error:
        raise BadData(f"{source}: {error}") from None
    found: dict[str, Answered] = {}
    for answered in into_form(tree, _File, source).answers:
        for clause in answered.clauses:
            if clause not in clauses_of(document):
                raise BadData(f"{source} answers {clause}, which does not exist")
            if clause in found:
                raise BadData(f"{source} answers {clause} twice")
            found[clause] = answered
    return found


@cache
def holding_tests(document: str) -> dict[str, tuple[str, ...]]:
    """By clause: the tests that hold it."""
    found: dict[str, list[str]] = {}
    for line in read_bundled(document, "tests.tsv").splitlines()[1:]:
        clause, test = line.split("\t")
        found.setdefault(clause, []).append(test)
    return {clause: tuple(tests) for clause, tests in found.items()}


@cache
def symbols() -> dict[str, str]:
    """The code that answers may name: `settle` is `croupier.rounds.settlement:settle`."""
    text = files("croupier.rulebooks").joinpath("code.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, str])


def answer_text(document: str, clause: str) -> str:
    """The answer in one line: places in the game file, symbols, readings, words."""
    answered = answers_of(document).get(clause)
    if answered is None:
        return ""
    places, code, readings = (_named(kind, answered.by) for kind in ("game", "code", "reading"))
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
    """What people are told with the step, by role."""
    return " ".join(
        f"{duty.role.capitalize()}, with the step {duty.step.replace('_', ' ')}: {in_general(duty)}"
        for duty in all_duties(document)
        if duty.clause == clause
    )


def _named(kind: str, by: Iterable[str]) -> list[str]:
    return [name for this, _, name in (one.partition(":") for one in by) if this == kind]


def _exact(tree: Any, places: Iterable[str], clause: str) -> list[str]:
    """The parts of these places that carry the clause. Of a section where one does, the places that
    do not carry it are left out."""
    parts = {place: list(citing(at_path(tree, place), clause, place)) for place in places}
    carry = {_section(place) for place, found in parts.items() if found}
    exact: list[str] = []
    for place, found in parts.items():
        for part in found or ([] if _section(place) in carry else [place]):
            if not any(part == one or part.startswith((f"{one}.", f"{one}[")) for one in exact):
                exact.append(part)
    return exact


def _section(place: str) -> str:
    return place.partition(".")[0]


def answer_problems(document: str, answers: Iterable[Answered] | None = None) -> Iterator[str]:
    """Every name in the answers that leads nowhere, and every enforced clause that names nothing in
    the game file or the code, or has no test."""
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
    kind, _, rest = name.partition(":")
    if kind == "game":
        tree = load_rulebook(document).tree
        return "" if at_path(tree, rest) is not None else f"game.toml has nothing at {rest!r}"
    if kind == "code":
        symbol = symbols().get(rest)
        return f"code.toml has no {rest!r}" if symbol is None else _missing(symbol)
    if kind == "reading":
        other, _, id_ = rest.rpartition("/")
        return "" if id_ in _readings(other or document) else f"there is no reading {rest!r}"
    return f"{name!r} is not a name: write game:, code: or reading: before it"


def _missing(symbol: str) -> str:
    """What is wrong with `module:symbol`, empty where it exists."""
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
