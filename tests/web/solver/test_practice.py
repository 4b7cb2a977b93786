"""Practice over the API: dealt and scored by the server, counted once, hidden until it is over."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from croupier.runtime import clock
from croupier.school.certificate_kinds import KINDS
from croupier.school.certificates import check, commitment_to, read
from croupier.school.practice.hands import Hand
from croupier.school.practice.pricing import price
from croupier.school.practice.sessions import SESSIONS, answered
from croupier.school.practice.spots import values_at
from croupier.school.progress_store import ProgressStore
from tests.web.conftest import Server
from tests.web.kit import PATIENCE, Answer, Caller

GAME = "let-it-ride"
"""Quick to solve, with two decisions in every hand."""
EXAM = "mississippi-stud"
"""A hand can be folded at once."""


def patiently(who: Caller, method: str, path: str, body: Any = None) -> Answer:
    """Until the mathematics has answered."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = who.call(method, f"/practice/{path}", body)
        if found.status != 202:
            return found
        time.sleep(0.2)
    raise AssertionError(f"{path} is not ready")


def shown(who: Caller, mode: str = "play") -> Any:
    found = patiently(who, "GET", f"{GAME}/in/{mode}")
    assert found.status == 200, found.body
    return found.body


def say(who: Caller, view: Any, said: str, mode: str = "play", game: str = GAME) -> Answer:
    given = {"hand": view["hand"], "place": view["place"], "said": said}
    return patiently(who, "POST", f"{game}/in/{mode}/answer", given)


def go_on(who: Caller, view: Any, mode: str = "play") -> Any:
    found = patiently(who, "POST", f"{GAME}/in/{mode}/next", {"hand": view["hand"]})
    assert found.status == 200, found.body
    return found.body


@pytest.fixture
def ann(server: Server) -> Caller:
    return server.guest()


def kept(server: Server, who: Caller, mode: str = "play", game: str = GAME) -> Any:
    return ProgressStore(server.pit.journal).get(who.name, SESSIONS, f"{game}/{mode}")


def test_a_session_is_priced_and_adds_up(server: Server, ann: Caller) -> None:
    view = shown(ann)
    lost = Fraction(0)
    for number in range(1, 4):
        assert view["hand"] == number
        while not view["is_hand_over"]:
            session = kept(server, ann)
            hand = session.hand
            values = values_at(hand)
            said = view["choices"][number % len(view["choices"])]["action"]
            assert [one["action"] for one in view["choices"]] == list(values)
            view = say(ann, view, said).body
            priced = view["priced"][-1]
            assert {one["action"]: Fraction(one["exact"]) for one in priced["values"]} == values
            cost = max(values.values()) - values[said]
            assert Fraction(priced["cost_exact"]) == cost
            assert priced["right"] == (not cost)
            assert priced["words"].startswith("Right." if not cost else "That cost")
            lost += cost
        assert view["result"]["net"]
        if number < 3:
            view = go_on(ann, view)
    found = patiently(ann, "GET", f"{GAME}/curve").body
    exact = {name: Fraction(text) for name, text in found["exact"].items()}
    assert exact["mistakes"] == lost * 10
    assert exact["result"] == exact["expected"] - exact["mistakes"] + exact["luck"]
    cents = {name: round(float(found[name]) * 100) for name in exact}
    assert cents["result"] == cents["expected"] - cents["mistakes"] + cents["luck"]
    assert found["curve"][-1] == cents["result"]
    leaks = ann.get(f"/practice/{GAME}/leaks")["leaks"]
    assert sum(one["wrong"] for one in leaks) == view["score"]["decisions"] - view["score"]["right"]
    (mine,) = [one for one in ann.get("/practice")["games"] if one["game"] == GAME]
    assert mine["decisions"] == view["score"]["decisions"]


def test_an_answer_counts_once(server: Server, ann: Caller) -> None:
    view = shown(ann)
    first = say(ann, view, "ride").body
    again = say(ann, view, "ride")
    assert (again.status, again.body["code"]) == (409, "already_done")
    assert len(kept(server, ann).answers) == 1
    later = {"hand": 7, "place": 0, "said": "ride"}
    assert ann.call("POST", f"/practice/{GAME}/in/play/answer", later).status == 409
    early = ann.call("POST", f"/practice/{GAME}/in/play/next", {"hand": 1})
    assert (early.status, early.body["code"]) == (409, "not_now")
    go_on(ann, say(ann, first, "ride").body)
    twice = ann.call("POST", f"/practice/{GAME}/in/play/next", {"hand": 1})
    assert (twice.status, twice.body["code"]) == (409, "already_done")


@pytest.mark.parametrize(
    "given",
    [
        {"hand": 1, "place": 0, "said": "call"},
        {"hand": 1, "place": 0, "said": "ride", "cost": "0"},
        {"hand": 1, "place": 0, "said": "ride", "score": 100},
        {"hand": -1, "place": 0, "said": "ride"},
        {"hand": 1, "place": 0},
    ],
)
def test_nonsense_is_refused_and_not_counted(
    server: Server, ann: Caller, given: dict[str, Any]
) -> None:
    shown(ann)
    assert ann.call("POST", f"/practice/{GAME}/in/play/answer", given).status in (400, 422)
    assert kept(server, ann).answers == ()


def test_what_is_not_there(server: Server, ann: Caller) -> None:
    assert ann.call("GET", "/practice/bridge/in/play").status == 422
    assert ann.call("GET", f"/practice/{GAME}/in/poker").status == 422
    assert ann.call("GET", f"/practice/{GAME}/in/exam").status == 404
    assert ann.call("GET", "/practice/certificates/0123").status == 404
    assert ann.call("GET", f"/practice/{GAME}/curve").status == 404
    assert server.stranger().look().call("GET", f"/practice/{GAME}/in/play").status == 401
    nothing = ann.call("POST", f"/practice/{GAME}/in/leaks", {})
    assert (nothing.status, nothing.body["code"]) == (409, "not_now")


def nearly_there(server: Server, who: Caller) -> None:
    """97 hands of the exam, so that the test need not send them."""
    session = kept(server, who, "exam", EXAM)
    while session.number < 98:
        hand = session.hand
        session = answered(session, price(hand, values_at(hand), "fold"), clock.now())
    ProgressStore(server.pit.journal).put(who.name, SESSIONS, f"{EXAM}/exam", session)


def test_the_exam_hides_its_cards_and_its_score_until_the_end(server: Server, ann: Caller) -> None:
    view = ann.call("POST", f"/practice/{EXAM}/in/exam", {}).body
    sealed = view["commitment"]
    nearly_there(server, ann)
    assert (say(ann, view, "fold", "exam", EXAM)).status == 409, "a page that stayed behind"
    view = ann.get(f"/practice/{EXAM}/in/exam")
    while not view["is_over"]:
        session = kept(server, ann, "exam", EXAM)
        told = json.dumps(view)
        assert session.seed not in told
        assert view["priced"] == []
        assert view["result"] is None
        assert view["score"] == {"hands": view["hand"] - 1} | {
            "decisions": 0, "right": 0, "accuracy": None, "lost": "0.00", "result": "0.00",
        }  # fmt: skip
        hand: Hand = session.hand
        seen = [card for card in [*view["cards"], *view["community"]] if card]
        assert seen == [str(card) for card in [*hand.own, *hand.community]]
        found = say(ann, view, "fold" if view["hand"] % 10 else "1x", "exam", EXAM)
        assert found.status == 200, found.body
        view = found.body
    assert not ann.get(f"/practice/{EXAM}/leaks")["leaks"], "an exam tells nothing by the way"
    text = ann.call("GET", f"/practice/certificates/{view['certificate']}")
    assert "attachment" in text.headers["content-disposition"]
    certificate = read(json.dumps(text.body).encode())
    assert commitment_to(certificate.seed) == sealed
    assert certificate.person == ann.name
    assert check(certificate, KINDS).verdict == "valid"
    assert view["score"]["decisions"] == int(certificate.score["decisions"])
    other = server.guest().call("GET", f"/practice/certificates/{view['certificate']}")
    assert other.status == 404
    late = {"hand": 100, "place": 0, "said": "fold"}
    assert ann.call("POST", f"/practice/{EXAM}/in/exam/answer", late).status == 409


def test_a_daily_hand_is_played_once_and_the_clock_does_not_go_back(
    server: Server, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    bea = server.guest()
    mine, hers = shown(ann, "daily"), shown(bea, "daily")
    assert mine["cards"] == hers["cards"]
    assert ann.call("POST", f"/practice/{GAME}/in/daily", {}).status == 409
    for who in (ann, bea):
        while not (view := shown(who, "daily"))["is_over"]:
            say(who, view, "ride", "daily")
    assert "of 1 others" in view["others"]
    assert "of 1 others" in shown(ann, "daily")["others"]
    monkeypatch.setattr(clock, "now", lambda: datetime(2020, 1, 1, tzinfo=UTC))
    back = ann.call("GET", f"/practice/{GAME}/in/daily")
    assert (back.status, back.body["code"]) == (409, "clock_set_back")


def test_flash_asks_one_question_of_a_street(server: Server, ann: Caller) -> None:
    view = patiently(ann, "POST", f"{GAME}/in/flash", {"street": "four cards"}).body
    assert view["decision"] == "four cards"
    view = say(ann, view, view["choices"][0]["action"], "flash").body
    assert view["is_hand_over"]
    assert view["score"]["decisions"] == 1
    assert go_on(ann, view, "flash")["decision"] == "four cards"
    nowhere = ann.call("POST", f"/practice/{GAME}/in/flash", {"street": "river"})
    assert nowhere.status in (202, 422)


def test_the_strategy_at_hand_has_exact_prices(ann: Caller) -> None:
    """And a card to print: two of the same are the same bytes."""
    found = patiently(ann, "GET", "md-235/strategy").body
    assert found["chart"]["rows"][0][0]["hand"] == "AA"
    (simple,) = found["in_words"]
    assert Fraction(simple["house_edge"]) - Fraction(simple["cost"]) == Fraction(
        found["house_edge"]
    )
    card, again = (patiently(ann, "GET", "md-235/card.pdf").body for _ in range(2))
    assert card.startswith("%PDF-")
    assert card == again


def test_a_guest_who_is_gone_leaves_no_progress(server: Server, ann: Caller) -> None:
    shown(ann)
    store = ProgressStore(server.pit.journal)
    store.put("Bea", SESSIONS, f"{GAME}/play", kept(server, ann))
    store.put("guest-gone", SESSIONS, f"{GAME}/play", kept(server, ann))
    server.guest()
    there = [one.person for one in store.of_everybody(SESSIONS)]
    assert sorted(there) == sorted(["Bea", ann.name])
