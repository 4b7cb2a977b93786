"""The page on accidents says what the rulebooks say."""

from __future__ import annotations

from pathlib import Path

from croupier.reports.irregularities import irregularities_page
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook

PAGE = Path(__file__).parents[2] / "docs" / "irregularities.md"


def test_the_page_is_that_of_the_present_rulebooks() -> None:
    written = PAGE.read_text("utf-8")
    assert written == irregularities_page(), (
        "run `python -m croupier.reports.irregularities > docs/irregularities.md`"
    )


def test_it_has_every_accident_of_every_document() -> None:
    for document in DOCUMENTS:
        section = irregularities_page().partition(f"({document})\n")[2].partition("\n## ")[0]
        for name, accident in load_rulebook(document).default.irregularities.items():
            assert f"| `{name}` | {accident.title}" in section
