"""`croupier settle`, to the letter of the contract: lines in, lines out, in order."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.rulebooks.clauses import clause_named
from tests.commands.contract import HANDS, RULEBOOKS
from tests.commands.program import EXAMPLES, croupier, lines_of, spawn
from tests.oracle.rounds import random_request

EXAMPLE: dict[str, Any] = {
    "rulebook": "md-uth",
    "submission": {
        "paytables": {"blind": "A", "trips": "B", "progressive": "A"},
        "readings": {},
        "options": {},
    },
    "meters": {"main": "12500.00"},
    "dealer": "Qs Qh",
    "community": "As Kd 7h 2c 2d",
    "bonus_cards": "3c 4c 5c 6c",
    "seats": [
        {
            "seat": 1,
            "player": "p1",
            "cards": "Ah Ad",
            "wagers": {"ante": "10", "blind": "10", "trips": "5", "progressive": "1"},
            "actions": ["check", "2x"],
        }
    ],
}
MONEY = re.compile(r"-?\d+\.\d\d")
BROKEN = b'{"rulebook": "md-uth", '


def settled(*requests: object) -> list[Any]:
    ended = croupier("settle", "--json", stdin=lines_of(requests))
    return ended.lines


def test_the_contracts_own_example() -> None:
    ended = croupier("settle", "--json", stdin=lines_of([EXAMPLE]))
    assert ended.code == 0
    assert not ended.err
    assert ended.out.count(b"\n") == 1
    answer = ended.json
    assert list(answer) == ["rulebook", "dealer", "seats", "meters"]
    assert answer["rulebook"] == "md-uth"
    assert answer["dealer"] == {"hand": "two_pair", "best": "Qs Qh 2c 2d As", "qualifies": True}
    (seat,) = answer["seats"]
    lines = seat.pop("lines")
    assert seat == {"seat": 1, "hand": "full_house", "best": "As Ah Ad 2c 2d", "net": "109.00"}
    for line in lines:
        assert line.pop("explanation")
    assert [tuple(line.values()) for line in lines] == [
        ("ante", "10.00", "win", "10.00", "12.A"),
        ("blind", "10.00", "win", "30.00", "12.B(1)(d)"),
        ("play", "20.00", "win", "20.00", "12.A"),
        ("trips", "5.00", "win", "40.00", "12.C(2)(d)"),
        ("progressive", "1.00", "win", "9.00", "12.D(1)(a)(vii)"),
    ]
    assert list(lines[0]) == ["wager", "stake", "result", "net", "clause"]
    assert answer["meters"] == {"main": "12500.00"}


def test_a_submission_may_be_left_out() -> None:
    """The first paytable of each wager and the default readings hold."""
    bare = {k: v for k, v in EXAMPLE.items() if k not in ("submission", "bonus_cards", "meters")}
    (answer,) = settled(bare)
    net = {line["wager"]: line["net"] for line in answer["seats"][0]["lines"]}
    assert net["trips"] == "45.00"
    assert answer["meters"] == {"main": "10000.00"}


@pytest.mark.parametrize("left", [None, {}, {"paytables": {}}, {"options": {}, "readings": {}}])
def test_an_empty_submission_is_none(left: object) -> None:
    bare = {k: v for k, v in EXAMPLE.items() if k != "submission"}
    assert settled({**bare, "submission": left}) == settled(bare)


@pytest.mark.parametrize(
    ("amount", "printed"),
    [(10, "10.00"), ("10", "10.00"), ("10.5", "10.50"), ("0.01", "0.01"), ("10.00", "10.00")],
)
def test_amounts_come_as_strings_or_integers(amount: object, printed: str) -> None:
    request = json.loads(json.dumps(EXAMPLE))
    request["seats"][0]["wagers"] = {"ante": amount, "blind": amount}
    (answer,) = settled(request)
    assert answer["seats"][0]["lines"][0]["stake"] == printed


@pytest.mark.parametrize("cards", ["Ah Ad", "AH AD", "ah ad", "aH  aD", " Ah\tAd "])
def test_cards_are_read_in_upper_and_lower_case(cards: str) -> None:
    request = json.loads(json.dumps(EXAMPLE))
    request["seats"][0]["cards"] = cards
    assert settled(request) == settled(EXAMPLE)


def test_ten_is_written_in_two_ways() -> None:
    request = json.loads(json.dumps(EXAMPLE))
    request["seats"][0]["cards"] = "10c 10d"
    ten = json.loads(json.dumps(EXAMPLE))
    ten["seats"][0]["cards"] = "Tc Td"
    assert settled(request) == settled(ten)
    assert "Tc Td" in settled(request)[0]["seats"][0]["best"]


def test_235_stud_has_no_dealer() -> None:
    request = {
        "rulebook": "md-235",
        "community": "9h 9s",
        "seats": [
            {
                "seat": 6,
                "cards": "9c 9d 2h",
                "wagers": {"two_card_poker": 5, "three_card_poker": 5, "five_card_poker": 5},
                "actions": ["check", "raise"],
            }
        ],
    }
    (answer,) = settled(request)
    assert answer["dealer"] is None
    assert [line["wager"] for line in answer["seats"][0]["lines"]] == [
        "two_card_poker",
        "three_card_poker",
        "five_card_poker",
        "five_card_raise",
    ]
    assert settled({**request, "dealer": None}) == [answer]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_answer_has_the_contracts_form(rulebook: str) -> None:
    chance = random.Random(rulebook)
    requests = [random_request(chance, rulebook) for _ in range(60)]
    answers = settled(*requests)
    assert len(answers) == len(requests)
    for request, answer in zip(requests, answers, strict=True):
        assert list(answer) == ["rulebook", "dealer", "seats", "meters"]
        assert [seat["seat"] for seat in answer["seats"]] == [s["seat"] for s in request["seats"]]
        for seat in answer["seats"]:
            assert list(seat) == ["seat", "hand", "best", "net", "lines"]
            assert seat["hand"] in HANDS
            for line in seat["lines"]:
                assert line["result"] in {"win", "lose", "push", "void"}
                assert MONEY.fullmatch(line["stake"])
                assert MONEY.fullmatch(line["net"])
                assert line["net"] != "-0.00"
                assert clause_named(rulebook, line["clause"]) is not None, line
        assert all(MONEY.fullmatch(shown) for shown in answer["meters"].values())


def test_answers_keep_the_order_of_the_lines() -> None:
    chance = random.Random(7)
    requests = [random_request(chance, RULEBOOKS[i % 5]) for i in range(50)]
    answers = settled(*requests)
    assert [a["rulebook"] for a in answers] == [r["rulebook"] for r in requests]
    assert answers == [settled(request)[0] for request in requests]


def test_a_bad_line_is_answered_in_its_place_and_the_rest_is_settled() -> None:
    worse = {**EXAMPLE, "dealer": "Qs Qs"}
    stdin = lines_of([EXAMPLE, BROKEN, EXAMPLE, worse, {}, EXAMPLE])
    ended = croupier("settle", "--json", stdin=stdin)
    assert ended.code == 2
    good, bad = settled(EXAMPLE)[0], {"error"}
    answers = ended.lines
    assert [a if a == good else set(a) for a in answers] == [good, bad, good, bad, bad, good]
    for answer in answers:
        if "error" in answer:
            assert list(answer["error"]) == ["code", "message", "clause"]
    assert re.findall(r"^croupier: line (\d+): ", ended.err, re.MULTILINE) == ["2", "4", "5"]


def test_the_very_last_line_decides_the_exit_code_too() -> None:
    assert croupier("settle", "--json", stdin=lines_of([EXAMPLE, BROKEN])).code == 2
    assert croupier("settle", "--json", stdin=lines_of([BROKEN, EXAMPLE])).code == 2


@pytest.mark.parametrize(
    "between",
    [b"\n", b"\r\n", b"\n\n\n", b"\n  \t \n", b"\r\n\r\n", b"\n\xef\xbb\xbf", b"  \n  "],
)
def test_blank_lines_carriage_returns_and_byte_order_marks(between: bytes) -> None:
    line = json.dumps(EXAMPLE).encode()
    one = settled(EXAMPLE)[0]
    for stdin in (
        b"\xef\xbb\xbf" + line + between + line,
        between + line + between + line + between,
        line + between + line,
    ):
        ended = croupier("settle", "--json", stdin=stdin)
        assert (ended.code, ended.lines) == (0, [one, one])


@pytest.mark.parametrize("nothing", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"   \n\t\n"])
def test_nothing_in_nothing_out(nothing: bytes) -> None:
    ended = croupier("settle", "--json", stdin=nothing)
    assert (ended.code, ended.out, ended.err) == (0, b"", "")


def test_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    text = lines_of([EXAMPLE, BROKEN, EXAMPLE])
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(text)
    from_file = croupier("settle", path, "--json")
    assert from_file == croupier("settle", "--json", stdin=text)
    assert from_file == croupier("settle", "--json", path)


def test_a_file_that_is_not_there_or_not_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        ended = croupier("settle", path, "--json")
        assert ended.code == 2
        assert ended.error["code"] == "bad_data"
        assert "cannot be read" in ended.error["message"]


def test_a_rulebook_of_ones_own_settles_without_new_python() -> None:
    rules = EXAMPLES / "harbour-holdem.toml"
    rounds = EXAMPLES / "harbour-round.jsonl"
    ended = croupier("settle", "--rules", rules, rounds, "--json")
    assert ended.code == 0
    assert ended.lines[0]["rulebook"] == "harbour-holdem"
    without = croupier("settle", rounds, "--json")
    assert without.code == 2
    assert "unknown rulebook 'harbour-holdem'" in without.lines[0]["error"]["message"]


def test_own_and_bundled_rulebooks_in_one_batch() -> None:
    own = (EXAMPLES / "harbour-round.jsonl").read_bytes().strip()
    stdin = lines_of([EXAMPLE, own, EXAMPLE])
    ended = croupier("settle", "--rules", EXAMPLES / "harbour-holdem.toml", "--json", stdin=stdin)
    assert ended.code == 0
    assert [a["rulebook"] for a in ended.lines] == ["md-uth", "harbour-holdem", "md-uth"]


def test_the_examples_are_settled() -> None:
    ended = croupier("settle", EXAMPLES / "rounds.jsonl", "--json")
    assert ended.code == 0
    assert {answer["rulebook"] for answer in ended.lines} == set(RULEBOOKS)


def test_people_read_a_story() -> None:
    stdin = lines_of([EXAMPLE, BROKEN, EXAMPLE])
    ended = croupier("settle", stdin=stdin)
    assert ended.code == 2
    assert ended.text.count("Ultimate Texas Hold'em") == 2
    assert "12.D(1)(a)(vii)" in ended.text
    assert "+$109" in ended.text
    assert "croupier: line 2: this is not JSON" in ended.err


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_round_can_be_told(rulebook: str) -> None:
    chance = random.Random(rulebook)
    requests = [random_request(chance, rulebook) for _ in range(8)]
    ended = croupier("settle", stdin=lines_of(requests))
    assert (ended.code, ended.err) == (0, "")


def test_a_name_cannot_write_to_the_terminal() -> None:
    request = json.loads(json.dumps(EXAMPLE))
    request["seats"][0]["player"] = "\x1b[2J\x00[red]Eve\u202e"
    ended = croupier("settle", stdin=lines_of([request]))
    assert ended.code == 0
    assert b"\x1b" not in ended.out
    assert "[red]Eve" in ended.text


def test_the_installed_program_says_the_same() -> None:
    stdin = lines_of([EXAMPLE, BROKEN, EXAMPLE])
    child = spawn("settle", "--json", stdin=stdin)
    assert child == croupier("settle", "--json", stdin=stdin)


def test_of_two_equal_keys_neither_counts() -> None:
    """../shared/contract.md, "Input, everywhere": the line is refused, the others are settled."""
    good = json.dumps(EXAMPLE)
    twice = good.replace('"dealer":', '"dealer": "Ks Kh", "dealer":')
    inside = good.replace('"ante": "10"', '"ante": "1000", "ante": "10"')
    ended = croupier("settle", "--json", stdin="\n".join([twice, inside, good]).encode())
    first, second, third = ended.lines
    assert ended.code == 2
    assert "'dealer' is there twice" in first["error"]["message"]
    assert "'ante' is there twice" in second["error"]["message"]
    assert third["rulebook"] == "md-uth"
