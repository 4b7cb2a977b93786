"""Slips of the hand at the dealer's console, with real keys; and a screen laid out for work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.params import few
from tests.web.browser.conftest import Open
from tests.web.browser.dealing import Console, Giver, add_staff, open_live, sign_in
from tests.web.browser.layout import faults
from tests.web.browser.serving import Serving
from tests.web.browser.test_access import contrast
from tests.web.crew import Crew
from tests.web.real import Client

TABLES = (
    *("held", "shift", "field", "rest", "error", "fold", "laid", "light", "dark", "opens"),
    *("retype", "next", "offline", "typing", "early", "amount", "back"),
)
SIZES = ((1024, 768), (1280, 800), (1366, 768), (1920, 1080))
GAMES = few(["md-uth", "md-235", "ma-uth", "md-wpt", "md-jackpot"], "ma-uth")


@pytest.fixture(scope="module")
def serving(folder: Path) -> Iterator[Serving]:
    add_staff(folder, dee="dealer", flo="floorperson")
    for table in TABLES:
        open_live(folder, table, "md-uth", 6, care=False)
    open_live(folder, "let-it-ride", "let-it-ride", 3, care=False)
    made = Serving(folder, "tests.web.browser.serving:people_deal")
    try:
        yield made.start()
    finally:
        made.close()


def _betting(visitor: Open, table: str, seats: int = 6) -> Console:
    page = visitor("/", viewport={"width": 1366, "height": 768})
    sign_in(page, "dee")
    console = Console(page, table)
    console.confirm("open_betting")
    console.phase("betting")
    for seat in range(1, seats + 1):
        console.bets(seat, "5")
    console.waits_for("close_bets")
    return console


def _asked(visitor: Open, table: str, seats: int = 6) -> Console:
    console = _betting(visitor, table, seats)
    console.press("Enter")
    console.confirm("deal")
    console.waits_for("ask")
    return console


def _paying(visitor: Open, table: str) -> Console:
    """Three seats have raised, and the hand of the third lies open to be paid."""
    console = _asked(visitor, table, 3)
    console.press("Shift+4")
    for board in ("Ah Kd 2c", "7s 8s"):
        expect(console.page.locator(".slot")).to_have_count(len(board.split()))
        console.waits_for("reveal")
        console.type(board)
    console.enters("show_dealer", "Ad 3d")
    console.enters("enter_cards", "Qs Qd")
    _pays(console, 3)
    return console


def _pays(console: Console, seat: int) -> None:
    """This seat is to be paid, and the keys count again."""
    expect(console.title).to_have_text(f"Seat {seat}: pay and take")
    expect(console.page.locator("body:not([data-resting])")).to_have_count(1)
    console.waits_for("settle")


def _settled(page: Page, table: str) -> list[int]:
    seats = page.request.get(f"/api/v1/tables/{table}").json()["round"]["seats"]
    return [seat["number"] for seat in seats if seat["lines"]]


def _state(page: Page, seat: int) -> Locator:
    return page.locator(f".pod[data-seat='{seat}'] .pod-state")


# -- keys -----------------------------------------------------------------------------------------


def test_a_key_that_is_held_down_counts_once(visitor: Open) -> None:
    console = _asked(visitor, "held")
    for _ in range(12):
        console.page.keyboard.down("4")  # the same key again: the browser calls it a repeat
    console.page.keyboard.up("4")
    expect(console.title).to_have_text("Seat 2: action?")
    console.waits_for("ask")
    expect(_state(console.page, 1)).to_have_text("4×")
    expect(_state(console.page, 3)).to_have_text("")
    console.page.locator("[data-name='answer-check']").focus()
    for _ in range(12):
        console.page.keyboard.down("Enter")
    console.page.keyboard.up("Enter")
    expect(console.title).to_have_text("Seat 3: action?")
    expect(_state(console.page, 4)).to_have_text("")


@pytest.mark.parametrize(("key", "field"), [("1", "input"), ("o", "[name=reason]")])
def test_a_held_key_types_nothing_into_the_dialog_that_it_opens(
    visitor: Open, key: str, field: str
) -> None:
    page = visitor("/", "dee")
    console = Console(page, "opens")
    if page.locator(".felt[data-phase='over']").count():
        console.confirm("open_betting")
        console.phase("betting")
    page.keyboard.down(key)
    typed = page.locator(f"dialog[open] {field}").first
    expect(typed).to_be_visible()
    typed.focus()
    for _ in range(4):
        page.keyboard.down(key)
    expect(typed).to_have_value("")
    page.keyboard.up(key)
    page.keyboard.press(key)
    if typed.evaluate("one => one.matches('input')"):
        expect(typed).to_have_value(key)


def test_enter_does_the_step_after_a_tool_was_clicked_and_left(visitor: Open) -> None:
    page = visitor("/", "dee")
    console = Console(page, "offline")
    console.waits_for("open_betting")
    page.locator("[data-name=tool-all]").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    console.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.press("Enter")
    console.phase("betting")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_shift_with_a_digit_answers_for_everyone(visitor: Open) -> None:
    console = _asked(visitor, "shift")
    console.page.keyboard.press("Shift+Digit3")
    console.waits_for("reveal")
    for seat in range(1, 7):
        expect(_state(console.page, seat)).to_have_text("3×")


def test_the_console_hears_w_o_escape_and_enter_in_a_field(visitor: Open) -> None:
    console = _betting(visitor, "field", 1)
    page = console.page
    console.press("1")
    page.locator("dialog[open] input[name=progressive]").fill("1")
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.confirm("close_bets")
    console.waits_for("count_chips")
    field = page.locator(".next-controls input").first
    for key, title in (("w", "What went wrong?"), ("o", "Call the floor")):
        expect(field).to_be_focused()
        console.press(key)
        expect(page.locator("dialog[open] h2")).to_have_text(title)
        expect(field).to_have_value("")
        console.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        field.focus()
    console.press("Escape")
    expect(field).not_to_be_focused()
    console.press("?")
    expect(page.locator("dialog[open] .keys")).to_be_visible()
    console.press("Escape")
    field.fill("1")
    console.press("Enter")
    console.waits_for("deal")


@pytest.mark.parametrize(("key", "title"), [("w", "What went wrong?"), ("o", "Call the floor")])
def test_the_console_hears_w_and_o_in_an_amount_of_a_dialog(
    visitor: Open, key: str, title: str
) -> None:
    page = visitor("/", "dee")
    console = Console(page, "amount")
    if page.locator(".felt[data-phase='over']").count():
        console.confirm("open_betting")
        console.phase("betting")
    console.press("1")
    field = page.locator("dialog[open] input").first
    expect(field).to_be_focused()
    console.type("10")
    expect(field).to_have_value("10")
    console.press(key)
    expect(page.locator("dialog[open] h2")).to_have_text(title)
    console.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    seats = page.request.get("/api/v1/tables/amount").json()["round"]["seats"]
    assert not any(seat["wagers"] for seat in seats), "nothing was bet"


def test_what_is_typed_stays_when_somebody_else_changes_the_table(visitor: Open) -> None:
    console = _betting(visitor, "typing", 1)
    page = console.page
    console.press("1")
    page.locator("dialog[open] input[name=progressive]").fill("1")
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.confirm("close_bets")
    console.waits_for("count_chips")
    other = Giver(visitor("/"), "typing", "dee")
    field = page.locator(".next-controls input").first
    console.type("1")
    for reason, text in (("A drink was spilled", "12"), ("And another", "12")):
        other.give(type="call_floor", reason=reason)
        expect(page.locator(".deal-also")).to_contain_text(reason)
        if text != field.input_value():
            expect(field).to_be_focused()
            console.type("2")
        expect(field).to_have_value(text)
        console.press("Escape")
    expect(field).not_to_be_focused()  # who has left the field is not put back into it


_PRESS_AT_ONCE = """() => new MutationObserver((_, watching) => {
  if (!("resting" in document.body.dataset)) return;
  watching.disconnect();
  for (const key of ["Enter", " "])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}).observe(document.body, { attributes: true })"""
"""A press in the moment in which the question changes under the hand."""


def test_keys_rest_after_somebody_else_has_moved_the_question(visitor: Open) -> None:
    console = _betting(visitor, "rest", 1)
    other = Giver(visitor("/"), "rest", "dee")
    console.page.evaluate(_PRESS_AT_ONCE)
    other.give(type="close_bets")
    console.waits_for("deal")
    console.page.wait_for_timeout(300)
    expect(console.page.locator(".next-step")).to_have_attribute("data-step", "deal")
    console.confirm("deal")
    console.waits_for("ask")


_PRESS_IN_THE_NEW_FIELD = """() => {
  window.taken = [];
  new MutationObserver((_, watching) => {
    const field = document.querySelector(".next-controls input");
    if (!field || !("resting" in document.body.dataset)) return;
    watching.disconnect();
    for (const key of ["1", "Enter", "w"]) {
      const pressed = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      window.taken.push(field.dispatchEvent(pressed));
    }
  }).observe(document.body, { attributes: true });
}"""
"""True for each key that the browser would have typed or sent."""


def test_a_field_that_somebody_elses_change_brings_takes_no_keys_at_once(visitor: Open) -> None:
    console = _betting(visitor, "early", 1)
    page, other = console.page, Giver(visitor("/"), "early", "dee")
    console.press("1")
    page.locator("dialog[open] input[name=progressive]").fill("1")
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    console.waits_for("close_bets")
    page.evaluate(_PRESS_IN_THE_NEW_FIELD)
    other.give(type="close_bets")
    console.waits_for("count_chips")
    assert page.evaluate("window.taken") == [False, False, False]
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("body:not([data-resting])")).to_have_count(1)
    field = page.locator(".next-controls input")
    expect(field).to_be_focused()
    console.type("1")
    expect(field).to_have_value("1")


def test_an_error_goes_when_it_is_over(visitor: Open) -> None:
    console = _asked(visitor, "error", 1)
    console.press("c")
    console.waits_for("reveal")
    console.type("Ah Ah")
    error = console.page.locator(".toast.bad")
    expect(error).to_contain_text("has been seen")
    for width, height in SIZES:
        console.page.set_viewport_size({"width": width, "height": height})
        question = console.page.locator(".next-step").evaluate(_BOX)
        assert error.evaluate(_BOX)[2] <= question[0], "it covers no question"
    console.type("Kd 2c")
    console.waits_for("ask")
    expect(error).to_have_count(0)


def test_the_error_of_a_lost_connection_goes_when_it_is_back(visitor: Open) -> None:
    page = visitor("/", "dee")
    console = Console(page, "offline")
    expect(page.locator("#wire[data-state=joined]")).to_be_visible()
    expect(page.locator("[data-name='tool-same']")).to_be_visible()
    expect(page.locator("body:not([data-resting])")).to_have_count(1)
    page.context.set_offline(True)
    console.press("b")
    error = page.locator(".toast.bad")
    expect(error).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    expect(error).to_have_count(0)


# -- paying ---------------------------------------------------------------------------------------


def test_nothing_is_paid_while_a_hand_is_typed_again(visitor: Open) -> None:
    console = _paying(visitor, "retype")
    page = console.page
    console.press("Backspace")
    expect(page.locator(".entry-label")).to_contain_text("type the cards again")
    expect(page.locator(".next-do")).to_have_count(0)
    console.type("Jh")
    for key in ("Enter", " "):
        console.press(key)
        page.wait_for_timeout(200)
    expect(console.title).to_have_text("Seat 3: pay and take")
    assert _settled(page, "retype") == []
    console.type("Jc")
    hand = page.locator(".payouts > li[data-state=next] .card")
    expect(hand.first).to_have_attribute("data-card", "Jh")
    _pays(console, 3)
    console.press("Enter")
    expect(console.title).to_have_text("Seat 2: enter cards")
    assert _settled(page, "retype") == [3]


def test_a_hand_that_is_taken_back_is_typed_in_its_places(visitor: Open) -> None:
    console = _paying(visitor, "back")
    page = console.page
    console.press("z")
    expect(page.locator("dialog[open] .deal-list button").first).to_be_focused()
    console.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".entry-label")).to_contain_text("Seat 3: type the cards again")
    console.type("Jh Jc")
    hand = page.locator(".payouts > li[data-state=next] .card")
    expect(hand.first).to_have_attribute("data-card", "Jh")
    assert _settled(page, "back") == []
    _pays(console, 3)
    console.press("z")
    page.locator("[data-name=back-dealer]").click()
    expect(page.locator("dialog[open] h2")).to_have_text("Correct your own cards")
    expect(page.locator("dialog[open] [type=submit]")).to_have_text("Correct your own cards")


def test_a_seat_is_paid_by_the_whole_next_hand_and_by_no_single_card(visitor: Open) -> None:
    console = _paying(visitor, "next")
    page = console.page
    console.type("Js")
    expect(page.locator(".slot .card")).to_have_count(1)
    page.wait_for_timeout(300)
    assert _settled(page, "next") == []
    console.press("Backspace")
    expect(page.locator(".slot .card")).to_have_count(0)
    console.type("Tc Td")
    _pays(console, 2)
    assert _settled(page, "next") == [3]


# -- folds and duties -----------------------------------------------------------------------------


def test_11_F_a_fold_takes_wagers_and_cards_at_once(visitor: Open) -> None:
    console = _asked(visitor, "fold", 2)
    page = console.page
    for board in ("Ah Kd 2c", "7s 8s"):
        console.waits_for("ask")
        console.press("c", "c")
        console.enters("reveal", board)
    console.waits_for("ask")
    expect(page.locator(".pod[data-seat='1'] .spot.laden")).to_have_count(2)
    console.press("f")
    expect(console.title).to_have_text("Seat 2: action?")
    expect(page.locator(".pod[data-seat='1'] .spot.laden")).to_have_count(0)
    expect(page.locator(".pod[data-seat='1'] .card")).to_have_count(0)
    taken = page.locator(".payouts > li[data-seat='1'][data-state=folded]")
    expect(taken).to_contain_text("Take $10")
    expect(taken).to_contain_text("§ 11.F(2)")
    console.waits_for("ask")
    console.press("z", "Enter")
    expect(console.title).to_have_text("Seat 1: action?")
    expect(page.locator(".pod[data-seat='1'] .spot.laden")).to_have_count(2)


def test_duties_are_a_folded_number_that_a_key_opens_and_remembers(visitor: Open) -> None:
    page = visitor("/")
    sign_in(page, "dee")
    console = Console(page, "held")
    console.waits_for("ask")
    duties = page.locator(".next-duties details")
    expect(duties.locator("summary")).to_contain_text("Duties now (")
    expect(duties.locator(".duties")).to_be_hidden()
    console.press("u")
    expect(duties.locator(".duties")).to_be_visible()
    page.reload()
    expect(duties.locator(".duties")).to_be_visible()


# -- the screen -----------------------------------------------------------------------------------

_BOX = """one => {
  const {left, top, right, bottom} = one.getBoundingClientRect();
  return [left, top, right, bottom];
}"""


_SHOWN = f"one => ({_BOX})(one.closest('.deal-now, .next-duties') ?? document.documentElement)"
"""The part of the page that one sees of what is around it."""
_ROWS = "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"


def _in_view(page: Page, node: Locator) -> list[float]:
    expect(node).to_be_visible()
    left, top, right, bottom = node.evaluate(_BOX)
    size = page.viewport_size
    assert size is not None
    shown = node.evaluate(_SHOWN)
    assert left >= 0, node
    assert top >= shown[1], node
    assert right <= size["width"], node
    assert bottom <= shown[3], node
    return [left, top, right, bottom]


def _laid_out(page: Page) -> None:
    """With the duties folded, and open."""
    for is_open in (False, True):
        duties = page.locator(".next-duties details")
        if duties.count() and duties.evaluate("one => one.open") != is_open:
            page.keyboard.press("u")
        _fits(page)


def _fits(page: Page) -> None:
    """The felt fills the height, the question stands beside it and at its seat, the page does not
    scroll, and what is to be paid is in view."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        felt = _in_view(page, page.locator(".felt"))
        assert felt[3] - felt[1] >= 0.85 * height
        _in_view(page, page.locator(".top .where"))
        question = page.locator(".next-step").evaluate(_BOX)
        assert question[0] >= felt[2]
        assert question[1] < height / 4
        for tool in ("floor", "report", "back", "all"):
            _in_view(page, page.locator(f"[data-name=tool-{tool}]"))
        rows = page.locator(".deal-tools button").evaluate_all(_ROWS)
        assert len(set(rows)) <= 2, (width, height)
        if page.locator(".next-step[data-step=settle]").count():
            _sees_payout(page)
        assert faults(page) == [], (width, height)


def _sees_payout(page: Page) -> None:
    for hand in (page.locator(".pay-hand b"), page.locator(".zone-told").first):
        expect(hand).to_have_css("text-transform", "none")  # "Four of a kind", not "Four Of A Kind"
    _in_view(page, page.get_by_role("heading", name="Pay and take", exact=True))
    _in_view(page, page.locator(".payouts > li[data-state=next] .pay-head"))
    _in_view(page, page.locator(".next-do"))


def test_the_console_is_laid_out_for_work(visitor: Open) -> None:
    console = _betting(visitor, "laid")
    page = console.page
    expect(page.locator(".top .where")).to_have_text("Table laid")
    _laid_out(page)
    console.press("Enter")
    console.confirm("deal")
    console.waits_for("ask")
    _laid_out(page)
    at_seat = page.locator(".pod[data-seat='1'] .seat-question")
    _in_view(page, at_seat)
    at_seat.get_by_role("button", name="Check").click()
    console.waits_for("ask")
    _in_view(page, page.locator(".pod[data-seat='2'] .seat-question"))
    console.press("Shift+C")
    console.enters("reveal", "Ah Kd 2c")
    console.waits_for("ask")
    console.press("Shift+C")
    console.enters("reveal", "7s 8s")
    console.waits_for("ask")
    console.press("f", "Shift+1")
    console.enters("show_dealer", "Ad 3d")
    console.enters("enter_cards", "Qs Qd")
    console.waits_for("settle")
    _laid_out(page)
    console.press("Enter")
    console.pays("Js Jd", "Ks 9d", "4c Td", "5c 5d")
    console.waits_for("collect")
    _laid_out(page)
    first = page.locator(".payouts > li").first
    expect(first).to_have_attribute("data-seat", "6")  # from the dealer's right


@pytest.mark.parametrize("game", GAMES)
def test_pay_and_take_is_in_view_with_every_side_bet(
    visitor: Open, serving: Serving, game: str
) -> None:
    port = int(serving.url.rsplit(":", 1)[1])
    crew = Crew(
        f"pays-{game}",
        dealer=Client(port).sign_in("dee"),
        floorperson=Client(port).sign_in("flo"),
        player=Client(port).come_in(),
    )
    crew.open(game, care=False).sit()
    crew.bet(everything=True)
    crew.work_until("settle")
    page = visitor("/", "dee")
    Console(page, crew.table).waits_for("settle")
    _laid_out(page)


def test_the_answers_of_let_it_ride_fit_into_their_buttons(visitor: Open) -> None:
    page = visitor("/", "dee")
    console = Console(page, "let-it-ride")
    console.confirm("open_betting")
    console.phase("betting")
    console.bets(1, "5")
    console.confirm("close_bets")
    console.confirm("deal")
    console.waits_for("ask")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for button in page.locator(".answer").all():
            assert button.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
            _in_view(page, button)
    expect(page.locator(".next-words")).to_contain_text("Seat 1, Ann: Take back or Let it ride?")


_COLORS = """all => all.map((one) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const read = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const text = getComputedStyle(one, one.placeholder ? "::placeholder" : null).color;
  const ground = getComputedStyle(one.placeholder ? one : one.closest("dialog")).backgroundColor;
  return [one.placeholder || one.textContent, read(text), read(ground)];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_labels_of_the_bets_can_be_read(visitor: Open, scheme: str) -> None:
    page = visitor("/", color_scheme=scheme)
    sign_in(page, "dee")
    console = Console(page, scheme)
    console.confirm("open_betting")
    console.phase("betting")
    console.press("1")
    labels = page.locator("dialog[open] label")
    expect(labels.first).to_be_visible()
    limits = page.locator("dialog[open] input[placeholder]")
    expect(limits.first).to_have_attribute("placeholder", "$5 to $500")
    for words, text, ground in labels.evaluate_all(_COLORS) + limits.evaluate_all(_COLORS):
        assert contrast(text, ground) >= 4.5, (words, text, ground)
