"""Requests that cannot be understood: one short error each, and the lines around it settled."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.commands.contract import OPTIONAL, RULEBOOKS
from tests.commands.program import croupier, lines_of
from tests.commands.rounds import DROP, GOOD, refusal, spoiled

HUGE = "x" * 100_000
DEEP = 100_000

NO_AMOUNTS: list[object] = [
    *(1.5, 10.0, 1e308, -0.0, True, False, None, [], {}, [10], {"dollars": 10}),
    *("", " ", "ten", "1e3", "1_000", "1,000", "$10", "+10", "10.", ".5", "10.001", "1/2"),
    *("NaN", "Infinity", "-Infinity", "0x10", "１０", "٣", "10\x00", "10 00", "--10", HUGE),
    *(10**400, 10**17, -(10**17), "9" * 15, "9" * 400),
]
NO_STAKES: list[object] = [0, "0", "0.00", "-0", -1, "-10.00", "-0.01"]


def short(value: object) -> str:
    return json.dumps(value)[:24]


@pytest.mark.parametrize("amount", [*NO_AMOUNTS, *NO_STAKES], ids=short)
@pytest.mark.parametrize("wager", ["ante", "trips", "progressive"])
def test_amounts_that_are_no_stakes(wager: str, amount: object) -> None:
    error = refusal(spoiled("md-uth", **{f"seats__0__wagers__{wager}": amount}))
    assert error["code"] in {"bad_amount", "bad_data"}
    assert error["clause"] is None
    assert wager in error["message"].lower()


@pytest.mark.parametrize("amount", [*NO_AMOUNTS, -1, "-0.01"], ids=short)
def test_amounts_that_no_meter_shows(amount: object) -> None:
    error = refusal(spoiled("md-uth", meters={"main": amount}))
    assert error["code"] in {"bad_amount", "bad_data"}
    assert "main" in error["message"]


@pytest.mark.parametrize(
    "part",
    [
        "options__payout_limit",
        "options__minimum_wager",
        "limits__ante__minimum",
        "limits__ante__maximum",
        "progressive__stakes__0",
        "progressive__meters__main__reset",
    ],
)
@pytest.mark.parametrize("amount", [1.5, "x", True, {}, HUGE, 10**400, "-5"], ids=short)
def test_amounts_of_a_submission(part: str, amount: object) -> None:
    request = spoiled("md-uth", submission__progressive__stakes=[1, 5])
    node: Any = request["submission"]
    *parents, last = part.split("__")
    for key in parents:
        node = node.setdefault(key, {})
    node[int(last) if last.isdigit() else last] = amount
    error = refusal(request)
    assert error["message"].startswith("submission: ")


def test_nan_and_infinity_are_no_json() -> None:
    for value in (float("nan"), float("inf"), float("-inf")):
        line = json.dumps(spoiled("md-uth", seats__0__wagers__ante=value)).encode()
        assert "not JSON" in refusal(line)["message"]


@pytest.mark.parametrize(
    "cards",
    [
        *("Ah Ax", "Ah 1d", "Ah 11d", "Ah D", "Ah dA", "Ah,Ad", "Ah; Ad"),
        *("Ah 100d", "Ah 0d", "Ah T", "Ah 10", "Ah Joker", "Ah ?", "Ah **", "Ah \u212ad"),
        *("Ah A\x00d", "Ah \ud83c\udccad", HUGE, "Ah " * 30_000 + "Zz", "Ah Ａd", "Ah Aď"),
    ],
    ids=short,
)
@pytest.mark.parametrize("place", ["seats__0__cards", "dealer", "community"])
def test_cards_that_are_none(place: str, cards: str) -> None:
    error = refusal(spoiled("md-uth", **{place: cards}))
    assert error["code"] == "bad_cards"
    assert "is not a card" in error["message"]


@pytest.mark.parametrize("value", [1, 1.5, True, [], ["Ah", "Ad"], {}], ids=short)
@pytest.mark.parametrize("place", ["seats__0__cards", "dealer", "community", "bonus_cards"])
def test_cards_of_a_wrong_type(place: str, value: object) -> None:
    error = refusal(spoiled("md-uth", **{place: value}))
    assert error["code"] == "bad_data"
    assert place.replace("seats__0__", "seats[0].") in error["message"]


@pytest.mark.parametrize(
    ("changes", "wrong", "meant"),
    [
        ({"rulebook": "md-utx"}, "md-utx", "md-uth"),
        ({"rulebook": "MD-UTH"}, "MD-UTH", "md-uth"),
        ({"rulbook": "md-uth"}, "rulbook", "rulebook"),
        ({"comunity": ""}, "comunity", "community"),
        ({"bonus_card": ""}, "bonus_card", "bonus_cards"),
        ({"Seats": []}, "Seats", "seats"),
        ({"seats__0__sead": 1}, "sead", "seat"),
        ({"seats__0__action": []}, "action", "actions"),
        ({"seats__0__wagers__antee": 10}, "antee", "ante"),
        ({"seats__0__wagers__Trips": 10}, "Trips", "trips"),
        ({"seats__0__wagers__six_card_bonsu": 10}, "six_card_bonsu", "six_card_bonus"),
        ({"meters": {"mane": 1}}, "mane", "main"),
        ({"submission__paytable": {}}, "paytable", "paytables"),
        ({"submission__paytables": {"trip": "A"}}, "trip", "trips"),
        ({"submission__paytables": {"trips": "a"}}, "a", None),
        ({"submission__readings": {"progresive_hand": "x"}}, "progresive_hand", "progressive_hand"),
        ({"submission__readings": {"progressive_a_odds": "too"}}, "too", "to"),
        ({"submission__options": {"payout_limt": 1}}, "payout_limt", "payout_limit"),
        ({"submission__options": {"dealing": "manual-shoe"}}, "manual-shoe", "manual_shoe"),
        ({"submission__limits": {"anti": {}}}, "anti", "ante"),
        ({"submission__limits": {"ante": {"min": 5}}}, "min", "minimum"),
        ({"submission__offered": ["tripps"]}, "tripps", "trips"),
        ({"submission__progressive": {"meter": {}}}, "meter", "meters"),
        ({"submission__progressive": {"meters": {"mini": {}}}}, "mini", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_nearest_right_name_is_suggested(
    changes: dict[str, object], wrong: str, meant: str | None
) -> None:
    error = refusal(spoiled("md-uth", **changes))
    assert error["code"] == "unknown_name"
    assert f"'{wrong}'" in error["message"]
    if meant is not None:
        assert f"did you mean '{meant}'?" in error["message"]
    assert "known are: " in error["message"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_wagers_of_another_game_are_unknown(rulebook: str) -> None:
    others = {w for name in RULEBOOKS for w in OPTIONAL[name]} - set(OPTIONAL[rulebook])
    for wager in sorted(others):
        error = refusal(spoiled(rulebook, **{f"seats__0__wagers__{wager}": 5}), rulebook)
        assert error["code"] == "unknown_name"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_meters_the_paytable_lacks_are_unknown(rulebook: str) -> None:
    error = refusal(spoiled(rulebook, meters={"grand": 5}), rulebook)
    assert (error["code"], error["clause"]) == ("unknown_name", None)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_seat_and_the_same_seat_twice(rulebook: str) -> None:
    assert "at least one seat" in refusal(spoiled(rulebook, seats=[]), rulebook)["message"]
    assert "twice" in refusal(spoiled(rulebook, seats__1__seat=2), rulebook)["message"]
    crowd = [{**GOOD[rulebook]["seats"][0], "seat": n} for n in range(1, 30)]
    refusal(spoiled(rulebook, seats=crowd), rulebook)


@pytest.mark.parametrize("field", ["rulebook", "seats", "seats__0__cards", "seats__0__wagers"])
@pytest.mark.parametrize("value", [DROP, None, 1, 1.5, True, "", "x", [1], [[]], {"a": 1}], ids=str)
def test_fields_dropped_or_of_another_type(field: str, value: object) -> None:
    refusal(spoiled("md-uth", **{field: value}))


@pytest.mark.parametrize("value", [DROP, None, "1", 1.0, 1.5, True, [], {}, 2**70, -(10**90)])
def test_seat_numbers_of_another_type(value: object) -> None:
    refusal(spoiled("md-uth", seats__0__seat=value))


@pytest.mark.parametrize("value", [1, 1.5, True, [], {}, ["Ann"]])
def test_player_names_of_another_type(value: object) -> None:
    assert "seats[0].player" in refusal(spoiled("md-uth", seats__0__player=value))["message"]


@pytest.mark.parametrize("value", [None, "4x", 4, {"4x": True}, [4], [["4x"]], [None], [HUGE]])
def test_actions_of_another_type(value: object) -> None:
    refusal(spoiled("md-uth", seats__0__actions=value))


@pytest.mark.parametrize(
    "submission",
    [
        *([], "A", 1, True, {"paytables": []}, {"paytables": {"trips": 1}}, {"readings": ["x"]}),
        *({"options": None}, {"options": {"decks": []}}, {"options": {"decks": 1.0}}),
        *({"offered": "trips"}, {"offered": [1]}, {"limits": {"ante": 5}}, {"progressive": []}),
        *({"progressive": {"stakes": 1}}, {"progressive": {"meters": {"main": 5}}}),
        *({"options": {HUGE: 1}}, {HUGE: 1}, {"paytables": {HUGE: HUGE}}, {"offered": [HUGE]}),
        *({"readings": {"progressive_hand": HUGE}}, {"options": {"dealing": HUGE}}),
        *({"options": {"decks": 10**400}}, {"limits": {HUGE: {}}}, {"limits": {"ante": {HUGE: 1}}}),
    ],
    ids=short,
)
def test_submissions_of_a_wrong_form(submission: object) -> None:
    assert refusal(spoiled("md-uth", submission=submission))["message"].startswith("submission: ")


@pytest.mark.parametrize(
    "line",
    [
        b"null",
        b"true",
        b"1",
        b'"md-uth"',
        b"[]",
        b"{}",
        b"[{}]",
        b"{",
        b"}",
        b'{"rulebook"',
        b'{"rulebook":}',
        b"{'rulebook': 'md-uth'}",
        b"rulebook = 'md-uth'",
        b"<xml/>",
        b"\x00",
        b"\x00" * 1000,
        b"\xff\xfe",
        b"\x80",
        b"{" * DEEP,
        b"[" * DEEP,
        b'{"rulebook":' * DEEP,
        b'{"rulebook":"md-uth","seats":' + b"[" * DEEP,
        b'{"rulebook":"md-uth","seats":[],"submission":' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"rulebook":"md-uth","seats":[],"submission":' + b'{"a":' * 900 + b"1" + b"}" * 901,
        b'{"rulebook":"md-uth","seats":[],"meters":' + b'{"a":' * 900 + b"1" + b"}" * 901,
        b'{"rulebook":"md-uth","seats":[],"' + b"x" * 100_000 + b'":1}',
        b'{"rulebook":"' + b"x" * 100_000 + b'","seats":[]}',
        b'{"rulebook":"md-uth","seats":[],}',
        b'{"rulebook":"md-uth" "seats":[]}',
        b'{"rulebook":"md-uth","seats":[]} trailing',
        b'{"rulebook":"md-uth","seats":[]}{"rulebook":"md-uth","seats":[]}',
        b'{"rulebook":"md-uth","seats":[]} // a comment',
        b'{"rulebook":"\x01","seats":[]}',
        b'{"rulebook":"md-uth\t","seats":[]}',
        b'{"rulebook":"\\ud800","seats":[]}',
        b'{"rulebook":"\\udfff\\ud800","seats":[]}',
        b'{"rulebook":"\\q","seats":[]}',
        b'{"rulebook":"md-uth","seats":[],"\\ud800":1}',
        b'{"rulebook":"\xff","seats":[]}',
        b'{"rulebook":"md-uth","seats":[],"\xff":1}',
        b'{"rulebook":"md-uth","seats":[],"submission":{"operator":"\xff"}}',
        b'{"rulebook":"md-uth","seats":[],"submission":{"\xff":1}}',
        b'{"rulebook":"md-uth","seats":[],"submission":{"operator":"\\ud800"}}',
        b'{"rulebook":"md-uth","seats":[],"submission":nul}',
        '{"rulebook":"md-uth","seats":[]}'.encode("utf-16"),
        b'{"rulebook":"md-uth","seats":[],"meters":{"main":' + b"9" * 5000 + b"}}",
        b'{"rulebook":"md-uth","seats":[{"seat":' + b"9" * 5000 + b"}]}",
    ],
    ids=lambda line: repr(line[:40]),
)
def test_lines_that_are_no_requests(line: bytes) -> None:
    assert refusal(line)["clause"] is None


@pytest.mark.parametrize("path", ["player", "cards", "wagers__x", "actions__0"])
@pytest.mark.parametrize("text", ["\ud800", "\udc00x", "a\ud800b"])
def test_half_a_surrogate_pair_in_a_string(path: str, text: str) -> None:
    request = spoiled("md-uth", seats__0__actions=["check", "2x"])
    node: Any = request["seats"][0]
    if path == "wagers__x":
        node["wagers"][text] = 1
    elif path == "actions__0":
        node["actions"][0] = text
    else:
        node[path] = text
    assert refusal(json.dumps(request).encode())["code"] == "bad_data"


@pytest.mark.parametrize(
    "name", ["", " ", "\x00\x1b[31m", "é", "🂡" * 50, HUGE, "seat 2"], ids=short
)
def test_any_text_is_a_name(name: str) -> None:
    request = spoiled("md-uth", seats__0__player=name)
    ended = croupier("settle", "--json", stdin=lines_of([request]))
    assert ended.code == 0
    told = croupier("settle", stdin=lines_of([request]))
    assert told.code == 0
    assert len(told.text) < 20_000


def test_a_refusal_names_a_huge_player_in_short() -> None:
    refusal(spoiled("md-wpt", seats__0__player=HUGE, seats__1__player=HUGE), "md-wpt")


@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "md-uth", "--paytable", "trips=A", "--paytable", "trips=B"],
        ["analyze", "md-uth", "--reading", "a=b", "--reading", "a=c"],
        ["session", "md-uth", "--stake", "ante=5", "--stake", "ante=10"],
        ["simulate", "md-uth", "--wager", "trips", "--wager", "trips=5"],
    ],
)
def test_two_answers_to_one_question_are_not_guessed_between(words: list[str]) -> None:
    ended = croupier(*words)
    assert ended.code == 2
    assert "given twice" in ended.err
