"""What the designer asks, answered by the solvers; only the process beside the server loads it."""

from __future__ import annotations

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.questions.design.designed import DesignedTable
from croupier.mathematics.questions.design.pricing import chosen_table, open_table, price
from croupier.mathematics.questions.design.question import users_of
from croupier.mathematics.questions.design.search import Candidate, search
from croupier.mathematics.questions.design.wishes import Wishes
from croupier.mathematics.questions.open_lines.open_table import OpenTable, read_range, read_varied
from croupier.reports.mathematics_report.as_html import html_report
from croupier.reports.mathematics_report.as_pdf import pdf_report
from croupier.reports.mathematics_report.contents import PARTS, assumptions_for, report_of
from croupier.reports.mathematics_report.source import Source
from croupier.reports.sheets import has_typst
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.edited_text import with_pays
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.submission import Submission
from croupier.web.design_forms import (
    LISTED,
    MOST_SEARCHED,
    MOST_SOLVED,
    Answer,
    DesignChoices,
    DesignFamily,
    DesignSearch,
    FoundTable,
    FoundTables,
    OpenLine,
    Question,
    ReportFile,
    SavedRulebook,
    WantedChoices,
)

__all__ = ["answer", "choices_of", "edited", "report_file"]


def answer(question: Question) -> Answer:
    if isinstance(question, DesignedTable):
        return price(question)
    if isinstance(question, DesignSearch):
        return _searched(question)
    if isinstance(question, WantedChoices):
        return choices_of(question.rulebook)
    return SavedRulebook(question.name, edited(question.table, question.name))


def _searched(asked: DesignSearch) -> FoundTables:
    """The lines of `asked.table.pays` stay as they are; those of `vary` may change."""
    fixed, question = open_table(asked.table)
    rules = fixed.filled(tuple(line.low for line in fixed.lines))
    varied = [read_varied(one) for one in asked.vary]
    table = OpenTable.of(rules, question.family, asked.table.table, varied)
    low, high = read_range(asked.edge.replace("%", ""), "edge")
    wishes = Wishes(edge=(low / 100, high / 100), limit=LISTED)
    if table.count > MOST_SEARCHED:
        raise BadRequest(
            f"that leads to {table.count:,} tables, and no more than {MOST_SEARCHED:,} are gone "
            "through here: lock a line, or narrow a range"
        )
    found = search(table, question.edge_of, wishes, most_solved=MOST_SOLVED)
    return FoundTables(
        found.searched,
        found.found,
        tuple(_told(table, one) for one in found.tables),
        () if found.found else tuple(_told(table, one) for _, one in sorted(found.nearest.items())),
    )


def _told(table: OpenTable, one: Candidate) -> FoundTable:
    return FoundTable(
        table.pays_of(one.pays),
        float(-one.found.value),
        str(one.found.value),
        one.found.standard_deviation,
        float(one.found.hits),
    )


def choices_of(rulebook: str) -> DesignChoices:
    """What can be changed: the tables that pay odds."""
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
            families.append(DesignFamily(family, edge_of, tables))
    return DesignChoices(rulebook, book.title, tuple(families))


def edited(asked: DesignedTable, name: str) -> str:
    """The rulebook's own text with the lines changed, read once to be sure of it."""
    if name in BUNDLED:
        raise BadRequest(
            f"{name} is the rulebook as it is printed: give the changed one another id"
        )
    table, _ = open_table(asked)
    pays = table.pays_of(tuple(line.low for line in table.lines))
    changed = {line.hand: pays[line.hand] for line in table.lines}
    text = with_pays(
        read_bundled(asked.rulebook, "game.toml"), name, asked.family, asked.table, changed
    )
    written = rulebook_from(text, f"{name}.toml").default.paytables[asked.family][asked.table]
    if {line.hand: line.pays for line in written.lines if line.hand in changed} != changed:
        raise Unsolvable(f"the text of {asked.rulebook} cannot be changed line by line")
    return text


def report_file(asked: DesignedTable, name: str, date: str) -> ReportFile:
    """Without the parts that take minutes: `croupier report` has them too. Where nothing is there
    that makes a PDF, it is a page, which a browser prints as well."""
    text = edited(asked, name)
    file = rulebook_from(text, f"{name}.toml")
    chosen = Submission(paytables=chosen_table(file.default, asked))
    source = Source(f"{name}.toml", text, file, chosen, False)
    assumed = assumptions_for(source.rules, date=date)
    with keeping_nothing():
        report = report_of(source, assumed, without=PARTS)
    if has_typst():
        return ReportFile("application/pdf", pdf_report(report))
    return ReportFile("text/html", html_report(report))
