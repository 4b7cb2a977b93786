"""The designer's page: a pay is moved, the edge follows, and the table goes home as a file."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.web.browser.conftest import Open


def test_a_pay_is_moved_and_the_report_printed(visitor: Open) -> None:
    page = visitor("/design/three-card-poker")
    edge = page.locator("#design-figures .edge")
    expect(page.get_by_label("Wager")).to_have_value("pair_plus")
    expect(edge).to_have_text("2.3167%")
    page.get_by_label("Flush pays, to 1", exact=True).fill("3")
    expect(edge).to_have_text("7.2760%")
    expect(page.locator("#design-figures")).to_contain_text("One unit more on a line takes off")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a rulebook").click()
    assert saved.value.suggested_filename == "three-card-poker-mine.toml"
    with page.expect_download() as printed:
        page.get_by_role("button", name="Print the report").click()
        expect(page.locator("#design-state")).to_contain_text("Making the report")
    assert printed.value.suggested_filename == "three-card-poker-mine.pdf"
    assert Path(printed.value.path()).read_bytes().startswith(b"%PDF-")
    expect(page.locator("#design-state")).to_contain_text("The report is there")
    expect(page.get_by_role("button", name="Print the report")).to_be_enabled()
