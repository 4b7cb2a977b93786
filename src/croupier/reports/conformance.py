"""Conformance: every clause with its kind, status, answer, and tests.

The answers are written by hand in each document's `answers.toml`. They name places in the game
file, code, and readings:

    by = ["game:wagers.ante", "code:settle", "reading:progressive_hand"]

`game:` is a place in the document's `game.toml`. `code:` is a symbol listed under this name in the
rulebooks' `code.toml`. `reading:` is a switch of the game file or an adopted reading;
`reading:md-uth/MD-48` is a reading of another document. `answer_problems` finds every name that
leads nowhere. The tests that hold a clause are collected from their `clause` marks into `tests.tsv`
(`make conformance`), so that a test and its clause cannot drift apart.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from croupier.errors import BadData
from croupier.rulebooks.bundled import DOCUMENTS, read_bundled
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.duties import DeckStep, Duty, Role, Screen, Step, all_duties, in_general
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.readings import adopted_readings, at_path, citing


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` names the code or data; `reason` says why a clause does not apply. `reached`: for each
    person with a duty here, the screen and step that show it."""

    kind: str
    status: Status
    by: str
    tests: tuple[str, ...]
    reason: str = ""
    reached: dict[str, str] = {}


@cache
def matrix(document: str) -> dict[str, Answer]:
    """Return the answer to each clause in the order of the document. A clause without an answer is
    open, and so is one with a duty that no screen shows."""
    answers, tests = answers_of(document), holding_tests(document)
    nothing = Answered((), "open")
    duties: dict[str, list[Duty]] = {}
    for duty in all_duties(document):
        duties.setdefault(duty.clause, []).append(duty)
    matrix_rows: dict[str, Answer] = {}
    for clause in clauses_of(document).values():
        answered = answers.get(clause.id, nothing)
        met = reached(duties.get(clause.id, ()))
        matrix_rows[clause.id] = Answer(
            kind=clause.kind,
            status=answered.status if all(met.values()) else "open",
            by=answer_text(document, clause.id),
            tests=tests.get(clause.id, ()),
            reason=answered.reason,
            reached=met,
        )
    return matrix_rows


def summary(document: str) -> dict[str, Counter[Status]]:
    """Count the clauses by kind and status."""
    counts: dict[str, Counter[Status]] = {}
    for answer in matrix(document).values():
        counts.setdefault(answer.kind, Counter())[answer.status] += 1
    return counts


# -- what answers each clause of a document -------------------------------------------------------


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


# -- the screens where people meet their duties ---------------------------------------------------


class Page(NamedTuple):
    """`path`: the page; `for_`: who works there; `steps`: what is done or shown there."""

    path: str
    for_: tuple[Role, ...]
    steps: tuple[Step, ...]


_DECKS: Final[tuple[Step, ...]] = get_args(DeckStep)
_ROUND: Final[tuple[Step, ...]] = (
    *("open_betting", "close_bets", "count_chips", "deal", "ask", "fold", "reveal"),
    *("show_dealer", "enter_cards", "settle", "validate", "award", "collect", "report"),
)

SCREENS: Final[dict[Screen, Page]] = {
    "table": Page("/tables/{table}", ("player",), ("bet", "close_bets", "ask", "view", "lay_out")),
    "dealer_console": Page("/tables/{table}/deal", ("dealer",), (*_ROUND, *_DECKS)),
    "deck_board": Page("/tables/{table}/decks", ("dealer", "floorperson", "operator"), _DECKS),
    "floor": Page(
        "/floor/{table}",
        ("floorperson", "operator"),
        (
            *("verify", "order_shuffle", "order_recut", "rule_abandoned", "validate", "report"),
            *("correct", "answer_call", "fill", "close_table"),
        ),
    ),
    "open_a_table": Page("/house/open", ("operator",), ("open_table",)),
    "approvals": Page("/house/open", ("operator", "commission"), ("approvals",)),
    "felt": Page("/house/open", ("operator",), ("felt",)),
    "sign": Page("/tables/{table}/sign", ("operator",), ("sign",)),
    "progressive_controller": Page("/house/links", ("operator",), ("meters",)),
}
"""The operator records the commission's decisions, with number and date."""


def place_of(duty: Duty) -> str:
    """Return `dealer console: inspect`; empty if no screen shows the duty to this person."""
    page = SCREENS[duty.screen]
    if duty.role not in page.for_ or duty.step not in page.steps:
        return ""
    return f"{duty.screen}: {duty.step}".replace("_", " ")


def reached(duties: Iterable[Duty]) -> dict[str, str]:
    """Return where each person meets these duties; an empty place if one of them is not shown."""
    steps_of: dict[str, list[str]] = {}
    for duty in duties:
        places = steps_of.setdefault(duty.role, [])
        if place_of(duty) not in places:
            places.append(place_of(duty))
    return {role: _joined(places) for role, places in steps_of.items()}


def _joined(places: list[str]) -> str:
    """Join steps of one screen under its name: `dealer console: turn, wash, stack`."""
    steps: dict[str, list[str]] = {}
    for place in places:
        if not place:
            return ""
        screen, _, step = place.partition(": ")
        steps.setdefault(screen, []).append(step)
    return "; ".join(f"{screen}: {', '.join(named)}" for screen, named in steps.items())


# -- the conformance report as markdown pages for regulators --------------------------------------


_MEANING = """\
| status | meaning |
| --- | --- |
| enforced | the software makes it so, and a test fails when it does not |
| guided | the software asks for it, records who did it, and waits until it is done |
| shown | a screen, sign or report carries it |
| not applicable | with the reason |
| open | not answered yet |
"""


def write_pages(folder: Path) -> list[Path]:
    """Write an overview and a page for each document; return their paths. Nothing is written while
    an answer names something that does not exist."""
    problems = [problem for document in DOCUMENTS for problem in answer_problems(document)]
    if problems:
        raise BadData("the answers name what does not exist:\n  " + "\n  ".join(problems))
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / "README.md": _overview()}
    pages |= {folder / f"{document}.md": _page(document) for document in DOCUMENTS}
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return list(pages)


def _overview() -> str:
    head = " | ".join(status.replace("_", " ") for status in STATUSES)
    rows = []
    for document in DOCUMENTS:
        counts = [sum(kinds[status] for kinds in summary(document).values()) for status in STATUSES]
        cells = " | ".join(map(str, counts))
        rows.append(f"| [{document}]({document}.md) | {sum(counts)} | {cells} |")
    return (
        "# Conformance\n\n"
        "Written by `make conformance`; do not edit. What answers each clause of the five "
        "documents.\n\n"
        f"{_MEANING}\n"
        f"| document | clauses | {head} |\n| --- |{' ---: |' * (len(STATUSES) + 1)}\n"
        + "\n".join(rows)
        + "\n"
    )


def _page(document: str) -> str:
    book = load_rulebook(document).default
    answers = matrix(document)
    rows = [
        _row(clause.id, clause.gist, answers[clause.id]) for clause in clauses_of(document).values()
    ]
    return (
        f"# {book.title}, {book.jurisdiction} ({document})\n\n"
        f"{_by_kind(document)}\n"
        "| clause | kind | what it is about | status | answered by | reached | proven by |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


def _by_kind(document: str) -> str:
    head = " | ".join(status.replace("_", " ") for status in STATUSES)
    rows = [
        f"| {clause_kind} | " + " | ".join(str(counts[status]) for status in STATUSES) + " |"
        for clause_kind, counts in sorted(summary(document).items())
    ]
    return f"| kind | {head} |\n| --- |{' ---: |' * len(STATUSES)}\n" + "\n".join(rows) + "\n"


def _row(clause: str, gist: str, answer: Answer) -> str:
    tests = "<br>".join(f"`{test.rpartition('::')[2]}`" for test in answer.tests)
    by = answer.by or answer.reason
    met = "<br>".join(f"{role}, {place}" for role, place in answer.reached.items())
    cells = (clause, answer.kind, gist, answer.status.replace("_", " "), by, met, tests)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
