"""From the lobby to a job at a rehearsal table with one click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.params import few
from tests.web.browser.conftest import Open

PAGES = {
    "dealer": "**/tables/rehearsal-md-uth-*/deal",
    "floorperson": "**/floor/rehearsal-md-uth-*",
    "operator": "**/house",
    "auditor": "**/audit",
}


@pytest.mark.parametrize("role", few(PAGES, "dealer", "auditor"))
def test_one_click_in_the_lobby_leads_to_the_job(visitor: Open, role: str) -> None:
    page = visitor("/")
    page.locator(f".table-card[data-table=md-uth] [data-job={role}]").click()
    page.wait_for_url(PAGES[role])
    expect(page.locator("#person")).to_contain_text(role)
    page.get_by_role("button", name="Stop working").click()
    page.wait_for_url("**/")
    expect(page.locator("#tables .table-card")).to_have_count(5)  # rehearsal tables are not listed


def test_the_table_page_offers_it_too_and_a_player_may_change_over(visitor: Open) -> None:
    page = visitor("/tables/ma-uth")
    page.locator("[data-job=dealer]").click()
    page.wait_for_url("**/tables/rehearsal-ma-uth-*/deal")
    table = page.url.split("/")[-2]
    page.goto(f"/tables/{table}")
    expect(page.locator(".prompt")).to_contain_text("You are signed in as dealer")
    expect(page.get_by_text("bot-1").first).to_be_visible()  # he has sat down


def test_a_guest_operator_is_offered_work_at_his_rehearsal_table_only(visitor: Open) -> None:
    page = visitor("/")
    page.locator(".table-card[data-table=md-uth] [data-job=operator]").click()
    page.wait_for_url("**/house")
    own = page.locator(".house-card[data-table^='rehearsal-']").first
    expect(own.get_by_role("button", name="Change limits")).to_be_visible()
    other = page.locator(".house-card[data-table='md-uth']")
    expect(other).to_contain_text("work at your rehearsal table")
    expect(other.get_by_role("button")).to_have_count(0)
