"""The operator in real Chromium: tables opened from a form, from files, and not opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.ledger.journal import open_journal
from croupier.web.accounts.people import People
from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.serving import Serving, settings
from tests.web.kit import GAMES, PASSWORD

EXAMPLES = Path(__file__).parents[3] / "examples"
WIDTHS = (390, 768, 1024, 1280, 1920)


@pytest.fixture(scope="module")
def house(serving: Serving, folder: Path) -> Serving:
    told = settings(folder)
    with open_journal(told.database) as store:
        people = People(store, told)
        for name, role in (("ada", "operator"), ("sue", "operator"), ("dee", "dealer")):
            people.add(name, role, PASSWORD)
    return serving


def signed_in(
    visitor: Open, name: str, path: str, width: int = 1280, scheme: str = "light"
) -> Page:
    viewport = {"width": width, "height": 900}
    return visitor(path, name, viewport=viewport, color_scheme=scheme)


def is_valid(page: Page, valid: bool) -> None:
    expect(page.locator("#opening-check .verdict")).to_have_attribute(
        "data-valid", str(valid).lower()
    )


@pytest.mark.parametrize("game", few(GAMES, "md-235"))
def test_each_document_opens_from_the_form(visitor: Open, house: Serving, game: str) -> None:
    page = signed_in(visitor, "ada", f"/house/open?rulebook={game}")
    is_valid(page, True)
    name = f"form-{game}"
    page.get_by_label("Name, without spaces").fill(name)
    page.get_by_label("Chips of $100", exact=True).fill("50")
    expect(page.locator(".chips-input .total")).to_have_text("$5,000.00")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#*")
    card = page.locator(f"[data-table='{name}']")
    expect(card).to_contain_text("waits for a second signature")
    expect(card.get_by_role("button", name="Sign the count")).to_have_count(0)


def test_an_error_typed_into_the_form_is_found_and_mended(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-uth")
    is_valid(page, True)
    seed = page.get_by_label("Seed in dollars")
    seed.fill("1")
    is_valid(page, False)
    expect(page.locator(".findings")).to_contain_text("at least $10,000")
    expect(page.locator(".findings")).to_contain_text("12.D(3)(b)(i)")
    expect(seed).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("button", name="Open the table")).to_be_disabled()
    seed.fill("10,000")
    is_valid(page, True)
    expect(page.get_by_role("button", name="Open the table")).to_be_enabled()


def test_a_clock_is_an_option_of_the_submission(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-uth")
    is_valid(page, True)
    page.get_by_text("Clocks: leave empty for no time limits").click()
    page.get_by_label("Seconds to decide").fill("30")
    is_valid(page, False)
    expect(page.locator(".findings")).to_contain_text("clock.extension is left out")
    page.get_by_label("Extra seconds on request").fill("30")
    is_valid(page, True)


def test_the_duties_of_the_operator_stand_beside_the_form(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-uth")
    is_valid(page, True)
    duties = page.locator("[data-name='duties']")
    duties.get_by_text("Approvals (").click()
    expect(duties).to_contain_text("8.A")
    page.get_by_label("How the cards are dealt").select_option("hand")
    is_valid(page, False)
    page.get_by_label("A shuffling machine is used").select_option("yes")
    is_valid(page, True)
    expect(duties.locator(".clause-id", has_text="8.A")).to_have_count(0)


def test_approvals_are_asked_for_where_the_document_demands_them(
    visitor: Open, house: Serving
) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-uth")
    is_valid(page, True)
    approvals = page.locator("[data-section='approvals']")
    expect(approvals).to_be_hidden()
    page.get_by_label("Cards", exact=True).select_option("live")
    expect(approvals).to_contain_text("8.A")
    expect(page.locator("[data-name='missing-approvals']")).to_contain_text("2.B")
    layout = approvals.locator("[data-approval='layout']")
    layout.get_by_label("Number").fill("L-17")
    layout.get_by_label("Authority").fill("The Commission")
    is_valid(page, False)
    expect(page.locator(".findings")).to_contain_text("approvals.layout.date is left out")
    layout.get_by_label("Day").fill("2026-11-02")
    is_valid(page, True)
    expect(page.locator("[data-name='missing-approvals']")).not_to_contain_text("2.B")
    page.get_by_label("Name, without spaces").fill("approved")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#approved")
    page.locator("[data-name='more-approved']").click()
    register = page.locator("dialog")
    expect(register).to_contain_text("L-17, Nov 2, 2026, The Commission")
    expect(register.locator("[data-approval='shoe']")).to_contain_text("not on record")


def upload(page: Page, label: str, text: str | bytes, name: str = "mine.toml") -> None:
    body = text if isinstance(text, bytes) else text.encode()
    page.get_by_label(label).set_input_files(
        {"name": name, "mimeType": "application/toml", "buffer": body}
    )


def test_an_uploaded_submission_with_an_error_shows_findings_and_cannot_open(
    visitor: Open, house: Serving
) -> None:
    paper = (EXAMPLES / "submissions/maryland-uth.toml").read_text()
    page = signed_in(visitor, "ada", "/house/open")
    wrong = paper.replace("payout_limit = 50000", "payout_limit = 5")
    upload(page, "A Rules Submission (.toml)", wrong)
    is_valid(page, False)
    expect(page.locator(".findings")).to_contain_text("12.F(1)")
    expect(page.get_by_role("button", name="Open the table")).to_be_disabled()
    expect(page.get_by_label("Name, without spaces")).to_have_value("UTH-4")
    upload(page, "A Rules Submission (.toml)", paper)
    is_valid(page, True)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#UTH-4")
    expect(page.locator("[data-table='UTH-4']")).to_contain_text("Ante $15 to $1,000")


def test_an_own_rulebook_opens_and_a_broken_one_shows_its_mistakes(
    visitor: Open, house: Serving
) -> None:
    own = (EXAMPLES / "harbour-holdem.toml").read_text()
    page = signed_in(visitor, "ada", "/house/open")
    upload(page, "A rulebook of your own (.toml)", own.replace('"royal_flush"', '"no_such_hand"'))
    expect(page.locator(".findings li[data-severity='error']").first).to_be_visible()
    expect(page.get_by_role("button", name="Open the table")).to_have_count(0)
    upload(page, "A rulebook of your own (.toml)", own)
    is_valid(page, True)
    page.get_by_label("Name, without spaces").fill("harbour")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#harbour")
    expect(page.locator("[data-table='harbour']")).to_contain_text("a rulebook of the house")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"x" * 10_000_000, "at most 150,000"),
        (b"rulebook = ", "is not TOML"),
        pytest.param(b"\xff\xfe\x00", "not UTF-8", marks=pytest.mark.full),
        pytest.param(b"x = " + b"[" * 60_000, "nested deeper", marks=pytest.mark.full),
    ],
)
def test_nonsense_uploads_are_told_in_a_sentence(
    visitor: Open, house: Serving, body: bytes, words: str
) -> None:
    page = signed_in(visitor, "ada", "/house/open")
    upload(page, "A Rules Submission (.toml)", body)
    expect(page.locator(".findings")).to_contain_text(words)


def test_the_second_signature_is_another_persons(visitor: Open, house: Serving) -> None:
    ada = signed_in(visitor, "ada", "/house/open?rulebook=md-jackpot")
    is_valid(ada, True)
    ada.get_by_label("Name, without spaces").fill("two-signatures")
    ada.get_by_label("Chips of $25", exact=True).fill("100")
    ada.get_by_role("button", name="Open the table").click()
    ada.wait_for_url("**/house#*")
    sue = signed_in(visitor, "sue", "/house")
    card = sue.locator("[data-table='two-signatures']")
    card.get_by_role("button", name="Sign the count").click()
    sue.get_by_label("Chips of $25", exact=True).fill("99")
    sue.locator("[data-name='do-sign_count']").click()
    expect(sue.locator(".command .bad")).not_to_be_empty()
    sue.get_by_label("Chips of $25", exact=True).fill("100")
    sue.locator("[data-name='do-sign_count']").click()
    expect(card).not_to_contain_text("waits for a second signature")


def test_a_table_is_closed_and_opened_again(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house")
    page.locator("[data-name='close-md-wpt']").click()
    page.get_by_role("button", name="What would happen?").click()
    expect(page.locator(".foreseen li").first).to_be_visible()
    page.locator("[data-name='do-close_table']").click()
    expect(page.locator("#closed [data-table='md-wpt']")).to_be_visible()
    page.locator("[data-name='reopen-md-wpt']").click()
    page.locator("[data-name='do-open_table']").click()
    expect(page.locator("#open [data-table='md-wpt']")).to_be_visible()


def test_the_sign_of_a_table_can_be_read_and_printed(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/tables/md-uth/sign")
    expect(page.get_by_role("heading", name="Notices")).to_be_visible()
    picture = page.locator(".felt-picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    expect(page.get_by_role("button", name="Print this page")).to_be_visible()


def test_the_controller_explains_a_meter(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/links")
    page.get_by_role("link", name="md-uth", exact=True).click()
    expect(page.locator("[data-meter='main'] .shown")).to_contain_text("$10,000")
    page.get_by_text("Sources and uses").click()
    expect(page.locator(".account")).to_contain_text("Seed")
    page.get_by_role("button", name="Change terms").click()
    page.get_by_label("Reset amount in dollars").fill("5")
    page.get_by_label("Reason, for the journal").fill("a test")
    page.get_by_role("button", name="Change the terms").click()
    expect(page.locator("dialog .bad")).to_contain_text("at least $10,000")
    page.get_by_label("Reset amount in dollars").fill("12000")
    page.get_by_role("button", name="Change the terms").click()
    expect(page.locator("[data-meter='main']")).to_contain_text("reset amount $12,000")
    expect(page.locator(".history-table").last).to_contain_text("a test")


def test_a_link_is_closed_and_says_where_its_money_goes(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-235")
    is_valid(page, True)
    page.get_by_label("Name, without spaces").fill("short-lived")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#short-lived")
    page.goto("/house/links/short-lived")
    expect(page.get_by_role("button", name="Close the link")).to_be_disabled()
    page.goto("/house")
    page.locator("[data-name='close-short-lived']").click()
    page.get_by_role("button", name="What would happen?").click()
    page.get_by_role("button", name="Confirm: Close the table").click()
    expect(page.locator("#closed [data-table='short-lived']")).to_be_visible()
    page.goto("/house/links/short-lived")
    page.get_by_role("button", name="Close the link").click()
    box = page.locator("dialog")
    box.get_by_label("Reason, for the journal").fill("the game is retired")
    box.get_by_role("button", name="Close the link").click()
    expect(box.locator(".bad")).to_contain_text("say to which other link")
    box.get_by_label("$10,000 of meter main").select_option("md-235:main")
    expect(box.locator(".foreseen")).to_contain_text("moves to md-235, meter main")
    box.get_by_role("button", name="Close the link").click()
    expect(page.get_by_text("This link is closed.")).to_be_visible()
    page.goto("/house/links/md-235")
    expect(page.locator("[data-meter='main'] .shown")).to_contain_text("$20,000")


@pytest.mark.parametrize("path", few(["/house", "/house/open", "/house/people"], "/house/open"))
def test_a_dealer_is_told_whose_page_it_is(visitor: Open, house: Serving, path: str) -> None:
    page = signed_in(visitor, "dee", path)
    expect(page.get_by_text("This page is for the operator of the house.")).to_be_visible()
    expect(page.locator("#house")).to_be_hidden()


PAGES = {
    "/house": ".house-card",
    "/house/open?rulebook=md-uth": "#open-table",
    "/house/people": ".people",
    "/house/links": ".house-card",
    "/house/links/md-jackpot": ".meter-card",
    "/tables/md-uth/sign": ".felt-picture",
}


@pytest.mark.parametrize("width", few(WIDTHS, 390, 1280))
def test_the_pages_fit_every_screen(visitor: Open, house: Serving, width: int) -> None:
    page = signed_in(visitor, "ada", "/house", width, "dark" if width % 256 else "light")
    for path, there in PAGES.items():
        page.goto(path)
        expect(page.locator(there).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_table_is_opened_by_keyboard_alone(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-235")
    is_valid(page, True)
    name = page.get_by_label("Name, without spaces")
    for _ in range(40):
        page.keyboard.press("Tab")
        if name.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.type("by-keys")
    button = page.locator("#open-table")
    for _ in range(120):
        page.keyboard.press("Tab")
        if button.evaluate("node => node === document.activeElement"):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    page.wait_for_url("**/house#by-keys")


def test_people_are_added_given_roles_and_disabled(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/people")
    adding = page.locator("#people-add")
    adding.get_by_label("Name").fill("new-dealer")
    adding.get_by_label("Role").select_option("dealer")
    adding.get_by_label("Password").fill("short")
    adding.get_by_label("Password").evaluate("node => node.removeAttribute('minlength')")
    adding.get_by_role("button", name="Add").click()
    expect(adding.locator(".bad")).to_contain_text("10 to 200 characters")
    expect(adding.get_by_label("Password")).to_have_value("")
    adding.get_by_label("Password").fill(PASSWORD)
    adding.get_by_role("button", name="Add").click()
    row = page.locator("[data-person='new-dealer']")
    expect(row).to_contain_text("dealer")
    assert PASSWORD not in page.content()
    row.get_by_role("button", name="Role").click()
    page.locator("dialog").get_by_label("Role").select_option("floorperson")
    page.get_by_role("button", name="Change the role").click()
    expect(row).to_contain_text("Floorperson")
    row.get_by_role("button", name="Disable").click()
    page.locator("dialog").get_by_role("button", name="Disable").click()
    expect(row).to_contain_text("Disabled")
    other = visitor("/sign-in")
    other.get_by_label("Name").fill("new-dealer")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    expect(other.locator("#problem")).not_to_be_empty()
    row.get_by_role("button", name="New password").click()
    page.locator("dialog").get_by_label("New password").fill("another good one")
    page.get_by_role("button", name="Set the password").click()
    expect(row).to_contain_text("May sign in")


def test_nobody_disables_himself(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "sue", "/house/people")
    row = page.locator("[data-person='sue']")
    expect(row).to_contain_text("(you)")
    expect(row.get_by_role("button", name="Disable")).to_have_count(0)


def test_a_shoe_gets_a_token_that_is_shown_once_and_revoked(visitor: Open, house: Serving) -> None:
    page = signed_in(visitor, "ada", "/house/open?rulebook=md-235")
    is_valid(page, True)
    page.get_by_label("Cards", exact=True).select_option("live")
    page.get_by_label("Name, without spaces").fill("with-shoe")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/house#with-shoe")
    expect(page.locator("[data-name='shoes-md-uth']")).to_have_count(0)  # its cards are virtual
    page.locator("[data-name='shoes-with-shoe']").click()
    box = page.locator("dialog")
    expect(box).to_contain_text("No shoe has a token yet.")
    box.get_by_label("Name of the shoe").fill("a:b")
    box.get_by_role("button", name="Make a token").click()
    expect(box.locator(".bad")).to_contain_text("cannot be a shoe's name")
    box.get_by_label("Name of the shoe").fill("S-17")
    box.get_by_role("button", name="Make a token").click()
    expect(box.locator("[data-shoe='S-17']")).to_contain_text("made by ada")
    token = box.locator("[data-name='shoe-token'] pre").inner_text()
    assert len(token) > 20
    box.get_by_role("button", name="Close").click()
    page.locator("[data-name='shoes-with-shoe']").click()
    expect(page.locator("[data-shoe='S-17']")).to_be_visible()
    assert token not in page.content()
    page.get_by_role("button", name="Revoke S-17").click()
    expect(page.locator("dialog")).to_contain_text("No shoe has a token yet.")
