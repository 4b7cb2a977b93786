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
    expect(page.locator("#design-figures")).to_contain_text("Each extra unit on a line lowers")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a rulebook").click()
    assert saved.value.suggested_filename == "three-card-poker-mine.toml"
    with page.expect_download() as printed:
        page.get_by_role("button", name="Print the report").click()
        expect(page.locator("#design-state")).to_contain_text("Making the report")
    assert printed.value.suggested_filename == "three-card-poker-mine.pdf"
    assert Path(printed.value.path()).read_bytes().startswith(b"%PDF-")
    expect(page.locator("#design-state")).to_contain_text("Report saved as")
    expect(page.get_by_role("button", name="Print the report")).to_be_enabled()


def test_tables_of_two_wagers_are_searched_together(visitor: Open) -> None:
    """The ante bonus is added, then Pair Plus is on the screen: both vary, for a hold."""
    page = visitor("/design/three-card-poker")
    expect(page.locator("#design-figures .edge")).to_have_text("2.3167%")
    expect(page.locator("#design-unpaid")).to_contain_text("the line is not paid")
    page.get_by_label("Edge from, %").fill("")
    page.get_by_label("to, %").first.fill("")
    page.locator("#design-family").select_option("ante_bonus")
    expect(page.locator("#design-figures .edge")).to_have_text("3.3730%")
    expect(page.locator("#design-unpaid")).to_have_text("0: the line is not paid.")
    page.get_by_label("Lock Straight", exact=True).uncheck()
    page.get_by_role("button", name="Add this table").click()
    together = page.locator("#design-together")
    expect(together).to_contain_text("Ante bonus only")
    page.locator("#design-family").select_option("pair_plus")
    expect(page.locator("#design-figures .edge")).to_have_text("2.3167%")
    page.get_by_label("Hold from, %").fill("1")
    page.get_by_label("to, %").nth(1).fill("4")
    page.get_by_role("button", name="Search").click()
    found = page.locator("#design-found")
    expect(found).to_contain_text("Bet together: Ante $10.00, Pair plus $1.00.", timeout=60_000)
    expect(found.locator("thead")).to_contain_text("Edge of Pair plus")
    expect(found.locator("tbody tr").first).to_contain_text("%")
    together.get_by_role("button", name="Remove").click()
    expect(together).to_be_empty()
