"""A designer's request read from text, and its answer: for one paytable, or for several wagers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from croupier.errors import BadRequest, shown, suggest
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.callouts import edge_warning, order_warnings
from croupier.mathematics.questions.design.pricing import DesignQuestion, question_of
from croupier.mathematics.questions.design.search import (
    BEST,
    Candidate,
    Range,
    Report,
    SearchResult,
    Wishes,
    search,
    sensitivities,
)
from croupier.mathematics.questions.design.together import OpenWagers, search_together
from croupier.mathematics.questions.open_lines.by_line import Moments
from croupier.mathematics.questions.open_lines.open_table import (
    OpenTable,
    VariedLine,
    read_range,
    read_varied,
)
from croupier.money import format_cents
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission

RulesAt: TypeAlias = Callable[[Mapping[str, str]], Rules]


@dataclass(frozen=True)
class DesignRequest:
    """A designer's request.

    `vary` are lines as `flush=4..8` of the wager `wager`, or `trips.flush=4..8` of any. With
    `stakes` (in cents), or lines of several wagers, the wagers are bet together. `table` is the
    table of `wager` to start from, `tables` those by family. `edge` are ranges in percent, `2..3`
    or `trips=2..3`; `hold`, `hit_frequency` and `deviation` are one range each.
    """

    vary: Sequence[str]
    wager: str = ""
    table: str = ""
    tables: Mapping[str, str] = field(default_factory=dict)
    stakes: Mapping[str, int] = field(default_factory=dict)
    edge: Sequence[str] = ()
    hold: str = ""
    hit_frequency: str = ""
    deviation: str = ""
    best: str = "edge"
    limit: int = 20
    most: int | None = None
    most_solved: int | None = None
    any_order: bool = False


@dataclass(frozen=True)
class Design:
    """One way to fill the lines: `pays` by family and hand, `values` of a unit of each wager, and
    the `figures` of the wager, or of a round in dollars if several are bet together."""

    varied: dict[str, str]
    pays: dict[str, dict[str, str]]
    values: Mapping[str, Fraction]
    figures: Moments
    is_joined: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Designs:
    """The best designs; without any, `nearest` come nearest to the requested edge or hold.

    `wager` is empty if several are bet together at the `stakes`. `slopes`: by line of the printed
    table, what one unit more of its pay takes off the edge. `not_joined` says why deviation and hit
    frequency of a round are not computed.
    """

    rulebook: str
    wager: str
    paytables: dict[str, str]
    stakes: dict[str, int]
    searched: int
    matches: int
    tables: tuple[Design, ...]
    nearest: tuple[Design, ...]
    slopes: dict[str, Fraction] | None = None
    not_joined: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the contract writes."""
        result: dict[str, Any] = {"rulebook": self.rulebook}
        if self.wager:
            result |= {"wager": self.wager, "paytable": self.paytables}
        else:
            stakes = {name: format_cents(cents) for name, cents in self.stakes.items()}
            result |= {"paytables": self.paytables, "stakes": stakes}
        result |= {"searched": self.searched, "found": self.matches}
        result["tables"] = [self._design(design) for design in self.tables]
        if self.wager:
            result["sensitivities"] = None if self.slopes is None else _slopes(self.slopes)
        if self.not_joined:
            result["not_joined"] = self.not_joined
        if not self.matches:
            result["nearest"] = [self._design(design) for design in self.nearest]
        return result

    def _design(self, design: Design) -> dict[str, Any]:
        figures, joined = design.figures, design.is_joined
        pays = next(iter(design.pays.values())) if self.wager else design.pays
        result: dict[str, Any] = {"pays": pays}
        if not self.wager:
            result["wagers"] = {
                name: {"expected_value_exact": str(value), "house_edge": float(-value)}
                for name, value in design.values.items()
            }
            result |= {"wagered": float(figures.wagered), "wagered_exact": str(figures.wagered)}
        result |= {
            "expected_value": float(figures.value),
            "expected_value_exact": str(figures.value),
        }
        if self.wager:
            result["house_edge"] = float(-figures.value)
        return result | {
            "hold": float(figures.hold),
            "hold_exact": str(figures.hold),
            "standard_deviation": figures.standard_deviation if joined else None,
            "hit_frequency": float(figures.hits) if joined else None,
            "hit_frequency_exact": str(figures.hits) if joined else None,
            "warnings": list(design.warnings),
        }


def _slopes(slopes: Mapping[str, Fraction]) -> dict[str, dict[str, object]]:
    return {
        hand: {"edge_per_unit": float(slope), "edge_per_unit_exact": str(slope)}
        for hand, slope in slopes.items()
    }


def designs_for(
    file: RulebookFile,
    submission: Submission,
    request: DesignRequest,
    *,
    progress: Report = lambda _done, _all: None,
) -> Designs:
    """Return the answer to a request; `submission` has the tables to start from and the
    readings."""
    wishes, edges = _wishes(request)
    varied = [_read_line(text) for text in request.vary]

    def rules_at(paytables: Mapping[str, str]) -> Rules:
        chosen = {**submission.paytables, **paytables}
        return put_in_force(file, Submission(paytables=chosen, readings=submission.readings))

    opened = _opened(rules_at, submission, request, varied)
    if request.stakes or len(opened.tables) > 1 or (edges and "" not in edges):
        return _together(opened, request, wishes, edges, progress)
    if len(edges) > 1:
        raise BadRequest(f"--edge: {_ALONE}")
    return _alone(opened, request, wishes, edges.get(""), progress)


# -- the request, read ----------------------------------------------------------------------------


def _wishes(request: DesignRequest) -> tuple[Wishes, dict[str, Range]]:
    if request.best not in BEST:
        raise suggest("--best", request.best, BEST)
    if request.limit < 0:
        raise BadRequest(f"--limit is {request.limit}, but must be 0 or more")
    if request.most is not None and request.most < 1:
        raise BadRequest(f"--most is {request.most}, but must be 1 or more")
    edges = dict(map(_read_edge, request.edge))
    if len(edges) < len(request.edge):
        raise BadRequest("--edge: the edge of one wager is given twice")
    if not (edges or request.hold or request.hit_frequency or request.deviation):
        raise BadRequest(
            "name a target: --edge, --hold, --hit-frequency or --deviation, as in --edge 2..3"
        )
    wishes = Wishes(
        hits=_percents(request.hit_frequency, "--hit-frequency"),
        deviation=_deviations(request.deviation),
        best=request.best,
        limit=request.limit,
        hold=_percents(request.hold, "--hold"),
    )
    return wishes, edges


def _read_edge(text: str) -> tuple[str, Range]:
    """Read `2..3`, or `trips=2..3`; without a name the wager is `""`."""
    name, equals, ends = text.rpartition("=")
    ends_read = _percents(ends, "--edge")
    if ends_read is None or (equals and not name):
        raise BadRequest(f"--edge {shown(text)}: write LOW..HIGH or WAGER=LOW..HIGH")
    return name.strip(), ends_read


def _percents(text: str, flag: str) -> Range | None:
    if not text:
        return None
    low, high = read_range(text.replace("%", ""), flag)
    return low / 100, high / 100


def _deviations(text: str) -> Range | None:
    if not text:
        return None
    low, high = read_range(text, "--deviation")
    if low < 0:
        raise BadRequest(f"--deviation {text}: a deviation is never below 0")
    return low, high


def _read_line(text: str) -> tuple[str, VariedLine]:
    """Read `trips.flush=4..8` with its wager, `flush=4..8` with none."""
    target, equals, ends = text.partition("=")
    wager, dot, hand = target.strip().rpartition(".")
    if dot and not wager:
        raise BadRequest(f"--vary {shown(text)}: write WAGER.HAND=LOW..HIGH")
    return wager, read_varied(f"{hand}{equals}{ends}")


class _Opened(NamedTuple):
    rules: Rules
    questions: tuple[DesignQuestion, ...]
    tables: tuple[OpenTable, ...]


def _opened(
    rules_at: RulesAt,
    submission: Submission,
    request: DesignRequest,
    varied: Sequence[tuple[str, VariedLine]],
) -> _Opened:
    """Return every table with its open lines, all under the same rules."""
    rules = rules_at({})
    by_family = _by_family(rules.book, request, varied)
    chosen: dict[str, str] = {}
    for family, (question, _) in by_family.items():
        wanted = request.tables.get(family, "")
        wanted = wanted or (request.table if _is_meant(rules.book, question, request) else "")
        tables = rules.book.paytables[family]
        if wanted and wanted not in tables:
            raise suggest("paytable", wanted, tables)
        # The number of hands selects the table of Cover All.
        table = wanted or rules.chosen.get(family) or next(iter(tables))
        if submission.paytables.get(family, table) != table:
            raise BadRequest(f"--table {table} and --paytable {family} are not the same")
        chosen[family] = table
    by_hands = {f for f, (q, _) in by_family.items() if is_by_hands(rules.book, q.edge_of)}
    rules = rules_at({f: table for f, table in chosen.items() if f not in by_hands})
    return _Opened(
        rules,
        tuple(question for question, _ in by_family.values()),
        tuple(
            OpenTable.of(rules, family, chosen[family], lines)
            for family, (_, lines) in by_family.items()
        ),
    )


def _by_family(
    book: Rulebook, request: DesignRequest, varied: Sequence[tuple[str, VariedLine]]
) -> dict[str, tuple[DesignQuestion, list[VariedLine]]]:
    by_wager: dict[str, list[VariedLine]] = {}
    for wager, line in varied:
        name = wager or request.wager
        if not name:
            raise BadRequest(
                f"--vary {line.hand}: which wager's line? Write WAGER.{line.hand}, or name it by "
                "--wager"
            )
        by_wager.setdefault(name, []).append(line)
    if not varied:
        raise BadRequest("--vary is missing: name a line and its range, as in --vary flush=4..8")
    opened: dict[str, tuple[DesignQuestion, list[VariedLine]]] = {}
    for name, lines in by_wager.items():
        question = question_of(book, name, [line.hand for line in lines])
        opened.setdefault(question.family, (question, []))[1].extend(lines)
    return opened


def _is_meant(book: Rulebook, question: DesignQuestion, request: DesignRequest) -> bool:
    """Return whether `--table` means this family."""
    if not request.wager:
        return True
    return question_of(book, request.wager, ["?"]).edge_of == question.edge_of


# -- the answer -----------------------------------------------------------------------------------

_ALONE: Final = "name the wager, as in --edge trips=2..3, or ask for --hold, of all wagers together"


def _alone(
    opened: _Opened,
    request: DesignRequest,
    wishes: Wishes,
    edge: Range | None,
    progress: Report,
) -> Designs:
    (question,), (table,) = opened.questions, opened.tables
    result = search(
        table,
        question.edge_of,
        replace(wishes, edge=edge),
        any_order=request.any_order,
        most=request.most,
        most_solved=request.most_solved,
        progress=progress,
    )
    slopes = sensitivities(table, question.edge_of)
    return replace(_designs(opened, question.edge_of, result), slopes=slopes)


def _together(
    opened: _Opened,
    request: DesignRequest,
    wishes: Wishes,
    edges: Mapping[str, Range],
    progress: Report,
) -> Designs:
    if "" in edges:
        raise BadRequest(f"--edge: {_ALONE}")
    wagers = OpenWagers.of(opened.rules, opened.tables, request.stakes)
    result = search_together(
        wagers,
        wishes,
        edges,
        any_order=request.any_order,
        most=request.most,
        most_solved=request.most_solved,
        progress=progress,
    )
    return replace(_designs(opened, "", result), stakes=dict(wagers.stakes))


def _designs(opened: _Opened, wager: str, result: SearchResult) -> Designs:
    return Designs(
        opened.rules.book.id,
        wager,
        {table.family: table.table_id for table in opened.tables},
        {},
        result.searched,
        result.matches,
        tuple(_design_of(opened, wager, candidate) for candidate in result.tables),
        tuple(_design_of(opened, wager, candidate) for candidate in result.nearest),
        not_joined=result.not_joined,
    )


def _design_of(opened: _Opened, wager: str, candidate: Candidate) -> Design:
    book, rules, filled = opened.rules.book, opened.rules, {}
    varied: dict[str, str] = {}
    for table, own in zip(opened.tables, candidate.choice, strict=True):
        rules = replace(table, rules=rules).filled(own)
        pays = filled[table.family] = table.pays_of(own)
        for line in table.lines:
            varied[line.hand if wager else f"{table.family}.{line.hand}"] = pays[line.hand]
    values = candidate.values
    warnings = [text for name in values for text in edge_warning(book, name, values[name])]
    for table in opened.tables:
        warnings += order_warnings(rules, table.family, table.table_id)
    return Design(varied, filled, values, candidate.moments, candidate.is_joined, tuple(warnings))
