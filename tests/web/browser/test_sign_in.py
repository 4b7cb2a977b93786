"""Signing in with an authenticator, from the page alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.web.accounts.second_factors import authenticator_uri, code_at
from croupier.web.server.qr_code import qr_code
from tests.web.browser.conftest import Open
from tests.web.browser.serving import Serving, add_floorperson
from tests.web.kit import PASSWORD


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    made = Serving(folder, "tests.web.browser.serving:with_second_factor")
    add_floorperson(folder)
    try:
        yield made.start()
    finally:
        made.close()


def _sign_in(page: Page, code: str = "") -> None:
    page.get_by_label("Name").fill("flo")
    page.get_by_label("Password").fill(PASSWORD)
    if code:
        page.get_by_label("Authenticator code").fill(code)
    page.get_by_role("button", name="Sign in").click()


def test_an_authenticator_is_set_up_at_the_first_sign_in(visitor: Open) -> None:
    page = visitor("/sign-in")
    expect(page.get_by_label("Authenticator code")).to_be_hidden()
    _sign_in(page)
    secret = page.locator("#secret").inner_text().replace(" ", "")
    drawn = page.get_by_role("img", name="QR code for the authenticator")
    expect(drawn).to_be_in_viewport(ratio=1)
    assert drawn.bounding_box()["width"] > 150  # type: ignore[index]
    lines = drawn.locator("path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    assert lines[-1] in qr_code(authenticator_uri(secret, "flo")).decode(), "what it says is right"
    _sign_in(page, "000000")
    expect(page.locator("#problem")).to_contain_text("wrong")
    step = int(time.time()) // 30
    _sign_in(page, code_at(secret, step))
    page.wait_for_url("**/floor")
    again = visitor("/sign-in")
    _sign_in(again)
    expect(again.get_by_label("Authenticator code")).to_be_focused()
    expect(again.locator("#secret")).to_have_count(0)
    _sign_in(again, code_at(secret, step + 1))
    again.wait_for_url("**/floor")
    expect(again.locator(".toast")).to_contain_text("last signed in")
