"""The report on paper, set by typst (the extra `reports`)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from croupier.reports.mathematics_report.as_html import SIGNED_BY, front_facts, headline, number_of
from croupier.reports.mathematics_report.blocks import (
    Block,
    Cell,
    Grid,
    Missing,
    Picture,
    Section,
    Words,
    printed,
)
from croupier.reports.mathematics_report.record import Report
from croupier.reports.mathematics_report.sections import sections_of
from croupier.reports.sheets import load_typst, printable


def pdf_report(report: Report) -> bytes:
    typst = load_typst()
    template = files(__package__).joinpath("report.typ").read_bytes()
    inputs = {
        "report": msgspec.json.encode(printable(_data(report))).decode(),
        "paper": "us-letter",
    }
    made = typst.compile(
        template, format="pdf", sys_inputs=inputs, ignore_system_fonts=True, timestamp=0
    )
    return bytes(made)


def _data(report: Report) -> dict[str, Any]:
    who = report.identity
    sections = sections_of(report)
    return {
        "title": who.title,
        "jurisdiction": who.jurisdiction,
        "document": who.document,
        "operator": who.operator,
        "date": who.date,
        "rules": who.rules_hash,
        "facts": list(front_facts(who)),
        "headline": [_cells(headline(report), row) for row in headline(report).rows],
        "signed": SIGNED_BY,
        "sections": [
            _section(section, number_of(place, sections)) for place, section in enumerate(sections)
        ],
    }


def _section(section: Section, number: str) -> dict[str, Any]:
    return {
        "title": f"{number}  {section.title}",
        "break_before": section.new_page or section.appendix,
        "blocks": [_block(block) for block in section.blocks],
        "parts": [
            {"title": f"{number}.{place}  {part.title}", "blocks": [_block(b) for b in part.blocks]}
            for place, part in enumerate(section.parts, 1)
        ],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Words():
            return {"type": "words", "text": block.text, "strong": block.strong}
        case Missing():
            return {"type": "missing", "what": block.what, "why": block.why}
        case Picture():
            svgs, width = block.printed_svgs, block.percent
            return {"type": "picture", "title": block.title, "svgs": svgs, "width": width}
        case Grid():
            return _grid(block)


def _grid(grid: Grid) -> dict[str, Any]:
    sums = []
    if grid.sums:
        sums = [
            "Sum"
            if place == 0
            else printed(grid.sums.get(column.key), column.kind)
            if column.summed
            else ""
            for place, column in enumerate(grid.columns)
        ]
    return {
        "type": "grid",
        "title": grid.title,
        "small": grid.small,
        "columns": [{"heading": item.heading, "kind": item.kind} for item in grid.columns],
        "rows": [_cells(grid, row) for row in grid.rows],
        "sums": sums,
        "result_place": grid.result_place,
        "results": [(item.label, printed(item.value, item.kind)) for item in grid.results],
        "note": grid.note,
    }


def _cells(grid: Grid, row: tuple[Cell, ...]) -> list[str]:
    return [printed(cell, column.kind) for cell, column in zip(row, grid.columns, strict=True)]
