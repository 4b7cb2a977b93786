"""The designer's answers, computed by the solvers. Only the process beside the server loads this
module."""

from __future__ import annotations

from math import prod
from typing import Any

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.questions.design.designs import (
    Design,
    DesignRequest,
    Designs,
    designs_for,
)
from croupier.mathematics.questions.design.pricing import (
    DesignedTable,
    chosen_table,
    open_table,
    price,
    users_of,
)
from croupier.mathematics.questions.open_lines.open_table import UNPAID, read_varied
from croupier.money import format_cents, parse_cents
from croupier.reports.mathematics_report.as_html import html_report
from croupier.reports.mathematics_report.as_pdf import pdf_report
from croupier.reports.mathematics_report.contents import PARTS, assumptions_for, report_of
from croupier.reports.mathematics_report.source import Source
from croupier.reports.sheets import has_typst
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.edited_text import with_pays
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.submission import Submission
from croupier.web.solver.design_forms import (
    LISTED,
    MOST_SEARCHED,
    MOST_SOLVED,
    Answer,
    DesignChoices,
    DesignFamily,
    DesignSearch,
    DesignTogether,
    FoundDesign,
    FoundDesigns,
    FoundTable,
    FoundTables,
    OpenLine,
    Question,
    ReportFile,
    SavedRulebook,
    WantedChoices,
)


def answer(question: Question) -> Answer:
    if isinstance(question, DesignedTable):
        return price(question)
    if isinstance(question, DesignSearch):
        return _searched(question)
    if isinstance(question, DesignTogether):
        return _together(question)
    if isinstance(question, WantedChoices):
        return choices_of(question.rulebook)
    return SavedRulebook(question.name, edited(question.table, question.name))


def _searched(search: DesignSearch) -> FoundTables:
    """Search for paytables. The lines in `search.table.pays` are fixed; those in `vary` may
    change."""
    tables = _designs(
        search.table.rulebook,
        ((search.table, search.vary),),
        edge=(search.edge,) if search.edge else (),
        hold=search.hold,
        hit_frequency=search.hit_frequency,
        deviation=search.deviation,
    )
    return FoundTables(
        tables.searched,
        tables.matches,
        tuple(map(_told, tables.tables)),
        tuple(map(_told, tables.nearest)),
    )


def _together(together: DesignTogether) -> FoundDesigns:
    designs = _designs(
        together.rulebook,
        together.tables,
        stakes={name: parse_cents(dollars) for name, dollars in together.stakes},
        edge=tuple(f"{wager}={ends}" for wager, ends in together.edges),
        hold=together.hold,
        hit_frequency=together.hit_frequency,
        deviation=together.deviation,
    )
    return FoundDesigns(
        {name: format_cents(cents) for name, cents in designs.stakes.items()},
        designs.searched,
        designs.matches,
        tuple(map(_design, designs.tables)),
        tuple(map(_design, designs.nearest)),
        designs.not_joined,
    )


def _designs(
    rulebook: str, tables: tuple[tuple[DesignedTable, tuple[str, ...]], ...], **targets: Any
) -> Designs:
    """Search for designs. A changed line that does not vary counts as a range of one value."""
    chosen: dict[str, str] = {}
    vary: list[str] = []
    for table, ranges in tables:
        open_table(table)
        open_hands = [each.partition("=")[0].strip() for each in ranges]
        fixed = [f"{hand}={pay}" for hand, pay in table.pays if hand not in open_hands]
        vary += [f"{table.family}.{each}" for each in (*fixed, *ranges)]
        chosen[table.family] = table.table
    count = prod(read_varied(each.partition(".")[2]).count for each in vary)
    if count > MOST_SEARCHED:
        raise BadRequest(
            f"that leads to {count:,} tables, and no more than {MOST_SEARCHED:,} are gone "
            "through here: lock a line, or narrow a range"
        )
    request = DesignRequest(vary, tables=chosen, limit=LISTED, most_solved=MOST_SOLVED, **targets)
    return designs_for(load_rulebook(rulebook), Submission(), request)


def _told(table: Design) -> FoundTable:
    figures = table.figures
    return FoundTable(
        next(iter(table.pays.values())),
        float(-figures.value),
        str(figures.value),
        figures.standard_deviation,
        float(figures.hits),
        float(figures.hold),
    )


def _design(design: Design) -> FoundDesign:
    figures = design.figures
    return FoundDesign(
        design.pays,
        {name: float(-value) for name, value in design.values.items()},
        float(-figures.value),
        str(-figures.value),
        float(figures.hold),
        str(figures.hold),
        figures.standard_deviation if design.is_joined else None,
        float(figures.hits) if design.is_joined else None,
    )


def choices_of(rulebook: str) -> DesignChoices:
    """Return the paytables that can be changed: those that pay odds."""
    rules_file = load_rulebook(rulebook)
    book = rules_file.default
    families = []
    for family, edge_of in users_of(book).items():
        tables = {}
        for name in book.paytables[family]:
            table = open_table(DesignedTable(rulebook, family, name))[0]
            tables[name] = tuple(
                OpenLine(hand, pays, "" if (units := table.worths[hand]) is None else str(units))
                for hand, pays in table.pays_of(()).items()
            )
        if any(line.units for lines in tables.values() for line in lines):
            families.append(DesignFamily(family, edge_of, tables, table.is_bonus))
    return DesignChoices(rulebook, book.title, tuple(families))


def edited(wanted: DesignedTable, name: str) -> str:
    """Return the rulebook's text with the lines changed, after parsing it to check the change."""
    if name in BUNDLED:
        raise BadRequest(
            f"{name} is the rulebook as it is printed: give the changed one another id"
        )
    table, _ = open_table(wanted)
    pays = table.pays_of(tuple(line.low for line in table.lines))
    changed = {line.hand: pays[line.hand] for line in table.lines}
    text = with_pays(
        read_bundled(wanted.rulebook, "game.toml"), name, wanted.family, wanted.table, changed
    )
    written = rulebook_from(text, f"{name}.toml").default.paytables[wanted.family][wanted.table]
    paid = {hand: pay for hand, pay in changed.items() if pay != UNPAID}
    if {line.hand: line.pays for line in written.lines if line.hand in changed} != paid:
        raise Unsolvable(f"the text of {wanted.rulebook} cannot be changed line by line")
    return text


def report_file(table: DesignedTable, name: str, date: str) -> ReportFile:
    """Return the report without the parts that take minutes, which `croupier report` includes.
    Without a program that makes PDFs it is a web page, which a browser can print."""
    text = edited(table, name)
    file = rulebook_from(text, f"{name}.toml")
    chosen = Submission(paytables=chosen_table(file.default, table))
    source = Source(f"{name}.toml", text, file, chosen, False)
    assumed = assumptions_for(source.rules, date=date)
    with keeping_nothing():
        report = report_of(source, assumed, without=PARTS)
    if has_typst():
        return ReportFile("application/pdf", pdf_report(report))
    return ReportFile("text/html", html_report(report))
