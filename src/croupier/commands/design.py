"""`croupier design`: the paytables whose exact edge lies where it is wished."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from croupier.commands.analyze import pairs
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.errors import BadRequest, suggest
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.callouts import table_warnings
from croupier.mathematics.questions.design.question import Question, question_of
from croupier.mathematics.questions.design.search import Candidate, Found, search, sensitivities
from croupier.mathematics.questions.design.wishes import BEST, Range, Wishes
from croupier.mathematics.questions.open_lines.by_line import Moments
from croupier.mathematics.questions.open_lines.open_table import OpenTable, read_range, read_varied
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.workers import using

__all__ = ["run"]

_MOST_WARNINGS: Final = 5


def run(
    rulebook: str,
    *,
    wager: str,
    table: str | None,
    vary: list[str],
    edge: str,
    hit_frequency: str | None,
    deviation: str | None,
    best: str,
    limit: int,
    most: int | None,
    any_order: bool,
    paytables: list[str],
    readings: list[str],
    cluster: str | None = None,
    as_json: bool,
) -> int:
    wishes = _wishes(edge, hit_frequency, deviation, best, limit)
    if most is not None and most < 1:
        raise BadRequest(f"--most is {most}, but must be 1 or more")
    varied = [read_varied(text) for text in vary]
    file = open_rulebook(rulebook)
    chosen, read = pairs(paytables, "--paytable"), pairs(readings, "--reading")
    rules = put_in_force(file, Submission(paytables=chosen, readings=read))
    question = question_of(rules.book, wager, [line.hand for line in varied])
    table = table or rules.chosen.get(question.family)
    if table is None:  # the tables of Cover All go by the number of hands
        table = next(iter(rules.book.paytables[question.family]))
    if not is_by_hands(rules.book, question.edge_of):
        if chosen.setdefault(question.family, table) != table:
            raise BadRequest(f"--table {table} and --paytable {question.family} are not the same")
        rules = put_in_force(file, Submission(paytables=chosen, readings=read))
    elif table not in rules.book.paytables[question.family]:
        raise suggest("table", table, rules.book.paytables[question.family])
    opened = OpenTable.of(rules, question.family, table, varied)
    with Progress(2) as progress, using(cluster):
        found = progress.step(
            f"{opened.count:,} tables",
            lambda: search(opened, question.edge_of, wishes, any_order=any_order, most=most),
        )
        slopes = progress.step("by line", lambda: sensitivities(opened, question.edge_of))
    if as_json:
        print_json(_object(rules.book.id, question, opened, found, slopes))
    else:
        _draw(question, opened, found, slopes, wishes)
    return 0 if found.found else 1


def _wishes(edge: str, hits: str | None, deviation: str | None, best: str, limit: int) -> Wishes:
    if best not in BEST:
        raise suggest("--best", best, BEST)
    if limit < 0:
        raise BadRequest(f"--limit is {limit}, but must be 0 or more")
    return Wishes(
        edge=_percents(edge, "--edge"),
        hits=None if hits is None else _percents(hits, "--hit-frequency"),
        deviation=None if deviation is None else _deviations(deviation),
        best=best,
        limit=limit,
    )


def _percents(text: str, flag: str) -> Range:
    low, high = read_range(text.replace("%", ""), flag)
    return low / 100, high / 100


def _deviations(text: str) -> Range:
    low, high = read_range(text, "--deviation")
    if low < 0:
        raise BadRequest(f"--deviation {text}: a deviation is never below 0")
    return low, high


def _warnings(wager: str, table: OpenTable, one: Candidate) -> list[str]:
    rules = table.filled(one.pays)
    return table_warnings(rules, wager, one.found.value, table.family, table.table_id)


def _figures(wager: str, table: OpenTable, one: Candidate) -> dict[str, Any]:
    found: Moments = one.found
    return {
        "pays": table.pays_of(one.pays),
        "expected_value": float(found.value),
        "expected_value_exact": str(found.value),
        "house_edge": float(-found.value),
        "standard_deviation": found.standard_deviation,
        "hit_frequency": float(found.hits),
        "warnings": _warnings(wager, table, one),
    }


def _object(
    rulebook: str,
    question: Question,
    table: OpenTable,
    found: Found,
    slopes: dict[str, Fraction] | None,
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "rulebook": rulebook,
        "wager": question.edge_of,
        "paytable": {table.family: table.table_id},
        "searched": found.searched,
        "found": found.found,
        "tables": [_figures(question.edge_of, table, one) for one in found.tables],
        "sensitivities": None
        if slopes is None
        else {
            hand: {"edge_per_unit": float(slope), "edge_per_unit_exact": str(slope)}
            for hand, slope in slopes.items()
        },
    }
    if not found.found:
        result["nearest"] = [
            _figures(question.edge_of, table, one) for _, one in sorted(found.nearest.items())
        ]
    return result


def _draw(
    question: Question,
    table: OpenTable,
    found: Found,
    slopes: dict[str, Fraction] | None,
    wishes: Wishes,
) -> None:
    out = console()
    out.print(
        f"{table.family} {table.table_id}, edge of {question.edge_of}: {found.searched:,} tables "
        f"searched, {found.found:,} found."
    )
    if found.tables:
        out.print(_table(table, found.tables))
    elif found.nearest and not found.found:
        low, high = (f"{float(end):.6%}" for end in wishes.edge)
        out.print(f"No table lies between {low} and {high}. The nearest below and above:")
        out.print(_table(table, [one for _, one in sorted(found.nearest.items())]))
    warned = [each for one in found.tables for each in _warnings(question.edge_of, table, one)]
    for warning in list(dict.fromkeys(warned))[:_MOST_WARNINGS]:
        out.print(f"Warning: {warning}", soft_wrap=True)
    if slopes is not None:
        told = ", ".join(f"{hand} {float(slope):.4%}" for hand, slope in slopes.items() if slope)
        out.print(Text(f"One unit more on a line of the printed table takes off the edge: {told}."))


def _table(table: OpenTable, listed: list[Candidate]) -> Table:
    drawn = Table()
    for line in table.lines:
        drawn.add_column(line.hand, justify="right")
    for heading in ("house edge", "exact expected value", "std deviation", "hit frequency"):
        drawn.add_column(heading, justify="right", overflow="fold")
    for one in listed:
        pays = table.pays_of(one.pays)
        drawn.add_row(
            *(pays[line.hand] for line in table.lines),
            f"{float(-one.found.value):.6%}",
            str(one.found.value),
            f"{one.found.standard_deviation:.4f}",
            f"{float(one.found.hits):.4%}",
        )
    return drawn
