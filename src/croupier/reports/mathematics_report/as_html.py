"""The report as one self-contained HTML page: pictures inside, no script, no request."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from croupier.reports.mathematics_report.blocks import (
    Block,
    Cell,
    Column,
    Grid,
    Missing,
    Picture,
    Section,
    Words,
    printed,
)
from croupier.reports.mathematics_report.record import Identity, Report
from croupier.reports.mathematics_report.sections import sections_of

SIGNED_BY = ("Prepared by", "Reviewed by")


def html_report(report: Report) -> bytes:
    sections = sections_of(report)
    style = files(__package__).joinpath("report.css").read_text("utf-8")
    title = f"{report.identity.title}: mathematics report"
    page = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{style}</style></head><body>",
        *_front(report),
        *_listed(sections),
        "<main>",
        *_numbered(sections),
        "</main></body></html>",
        "",
    ]
    return "\n".join(page).encode("utf-8", "replace")


def _front(report: Report) -> Iterator[str]:
    who = report.identity
    yield '<header class="front">'
    yield '<p class="kind">Mathematics report</p>'
    yield f"<h1>{escape(who.title)}</h1>"
    yield f"<p>{escape(who.jurisdiction)} · {escape(who.document)}</p><dl>"
    for label, value in front_facts(who):
        yield f"<dt>{label}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"
    yield from _grid(headline(report))
    yield '<div class="signed">'
    for label in SIGNED_BY:
        yield f"<p><span></span>{label} · name, signature, date</p>"
    yield "</div></header>"


def front_facts(who: Identity) -> Iterator[tuple[str, str]]:
    """Return the facts on the title page of every form."""
    yield "Rulebook", who.rulebook
    if who.operator or who.table:
        yield "Operator", ", ".join(part for part in (who.operator, who.table) if part)
    for name, pays in who.pays.items():
        yield "Pays changed", f"{name} pays {pays}, not as the rulebook prints it"
    for warning in who.warnings:
        yield "Warning", warning
    yield "Date", who.date or "not given"
    yield "Made with", who.program
    yield "Rules, SHA-256", who.rules_hash
    yield "Solvers, SHA-256", who.solver_hash


def headline(report: Report) -> Grid:
    """Return the figures on the title page."""
    columns = (
        Column("Wager"),
        Column("House edge", "percent"),
        Column("Std deviation", "number"),
        Column("Wins", "percent"),
    )
    rows: list[tuple[Cell, ...]] = []
    for wager in (report.main, *report.sides):
        moments = wager.moments
        if wager.sampled is not None:
            about = wager.sampled
            deviation, hits = about.standard_deviation, about.hit_frequency
            rows.append((wager.title, about.edge_words, deviation, hits))
            continue
        if moments is None:
            rows.append((wager.title, "not computed", None, None))
            continue
        edge, hits = moments.house_edge.value, moments.hit_frequency.value
        rows.append((wager.title, edge, moments.standard_deviation, hits))
    note = (
        "Per unit of the wager; the main game per unit of one required wager, under the best play. "
        "Fractions and all assumptions are inside."
    )
    return Grid("", columns, tuple(rows), note=note)


def number_of(place: int, sections: Sequence[Section]) -> str:
    """Return `3`, or `A` for the first appendix."""
    if not sections[place].appendix:
        return str(place + 1)
    first = next(i for i, section in enumerate(sections) if section.appendix)
    return chr(ord("A") + place - first)


def _listed(sections: Sequence[Section]) -> Iterator[str]:
    yield '<nav aria-label="Contents"><h2>Contents</h2><ol>'
    for place, section in enumerate(sections):
        number = number_of(place, sections)
        yield f'<li><a href="#s{number}">{number} {escape(section.title)}</a></li>'
    yield "</ol></nav>"


def _numbered(sections: Sequence[Section]) -> Iterator[str]:
    for place, section in enumerate(sections):
        number = number_of(place, sections)
        yield f'<section id="s{number}"><h2>{number} {escape(section.title)}</h2>'
        for block in section.blocks:
            yield from _block(block)
        for below, part in enumerate(section.parts, 1):
            yield f"<h3>{number}.{below} {escape(part.title)}</h3>"
            for block in part.blocks:
                yield from _block(block)
        yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Words():
            strong = f"<strong>{escape(block.strong)}</strong>" if block.strong else ""
            yield f"<p>{strong}{escape(block.text)}</p>"
        case Missing():
            yield (
                f'<p class="missing"><strong>{escape(block.what)}:</strong> not computed, because '
                f"{escape(block.why)}.</p>"
            )
        case Picture():
            inside = b64encode(block.svg.encode("utf-8", "replace")).decode()
            alt = escape(block.title)
            yield (f'<figure><img src="data:image/svg+xml;base64,{inside}" alt="{alt}"></figure>')
        case Grid():
            yield from _grid(block)


def _grid(grid: Grid) -> Iterator[str]:
    yield f'<div class="table{" small" if grid.small else ""}"><table>'
    if grid.title:
        yield f"<caption>{escape(grid.title)}</caption>"
    if any(column.heading for column in grid.columns):
        heads = [
            f'<th scope="col" class="{column.kind}">{escape(column.heading)}</th>'
            for column in grid.columns
        ]
        yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    for row in grid.rows:
        cells = [
            f'<td class="{column.kind}">{escape(printed(cell, column.kind))}</td>'
            for cell, column in zip(row, grid.columns, strict=True)
        ]
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody>"
    yield from _foot(grid)
    yield "</table>"
    if grid.note:
        yield f'<p class="note">{escape(grid.note)}</p>'
    yield "</div>"


def _foot(grid: Grid) -> Iterator[str]:
    if not grid.sums:
        return
    cells = []
    for place, column in enumerate(grid.columns):
        total = grid.sums.get(column.key) if column.summed else None
        said = "Sum" if place == 0 else printed(total, column.kind)
        cells.append(f'<td class="{column.kind}">{said}</td>')
    yield f"<tfoot><tr>{''.join(cells)}</tr>"
    for result in grid.results:
        place = grid.result_place
        rest = "<td></td>" * (len(grid.columns) - place - 1)
        yield (
            f'<tr><td colspan="{place}">{escape(result.label)}</td><td class="{result.kind}">'
            f"{printed(result.value, result.kind)}</td>{rest}</tr>"
        )
    yield "</tfoot>"
