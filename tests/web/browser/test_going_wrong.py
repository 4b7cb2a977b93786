"""An old page, a table that closed, a link to nothing: each says what to do next."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.table import sit_down
from tests.web.kit import API


@pytest.mark.parametrize(
    "path",
    few(
        [
            *("/tables/nowhere", "/tables/" + "x" * 200, "/tables/" + "A" * 300, "/learn/whist"),
            *("/floor/nowhere", "/static/none.js", "/none"),
        ],
        *("/tables/nowhere", "/tables/" + "A" * 300, "/none"),
    ),
)
def test_a_link_to_nothing(visitor: Open, path: str) -> None:
    page = visitor(path)
    expect(page.get_by_role("heading", name="This page does not exist")).to_be_visible()
    told = page.locator("main")
    expect(told).to_contain_text("Choose an open table in the lobby")
    expect(told).not_to_contain_text("/api/v1")
    assert len(told.inner_text()) < 500
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("heading", name="Open tables")).to_be_visible()


def test_a_page_whose_session_changed_in_another_tab(visitor: Open) -> None:
    page = visitor("/tables/md-235")
    expect(page.locator("[data-action=sit]")).to_be_visible()
    other = page.context.new_page()
    other.goto("/")
    sit_down(other, "md-uth")
    page.locator("[data-action=sit]").click()
    expect(page.locator(".tray")).to_be_visible()  # the old page finds out who it is, and goes on
    expect(page.locator(".toast")).to_have_count(0)


def test_an_answer_that_comes_too_late(visitor: Open) -> None:
    page = visitor("/")
    seated = sit_down(page, "md-uth")

    def refuse(route: object) -> None:
        told = {"code": "stale", "title": "Stale", "status": 409, "message": "round 1, not 2"}
        route.fulfill(status=409, json=told)  # type: ignore[attr-defined]

    page.route("**/ready*", refuse)
    seated.bet()
    seated.deal.click()
    expect(page.locator(".toast")).to_contain_text("The table has moved on since.")


def test_a_table_that_closes_before_ones_eyes(visitor: Open) -> None:
    ann, flo = visitor("/tables/high-card-flush"), visitor("about:blank", "flo")
    expect(ann.locator("[data-action=sit]")).to_be_visible()
    me = flo.request.get(f"{API}/me").json()
    done = flo.request.post(
        f"{API}/tables/high-card-flush/commands",
        data={"type": "close_table"},
        headers={"X-CSRF-Token": me["csrf"], "Idempotency-Key": "close-1"},
    )
    assert done.ok, done.text()
    expect(ann.locator(".prompt")).to_have_text(
        "This table is closed. Choose another one in the lobby."
    )
    expect(ann.locator("[data-action=sit]")).to_have_count(0)
    ann.locator("[data-action=lobby]").click()
    expect(ann.get_by_role("heading", name="Open tables")).to_be_visible()
