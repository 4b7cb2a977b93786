"""`croupier.settle` is `croupier settle --json`, as records."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

import pytest

import croupier
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES, lines_of, settle_batch
from tests.commands.program import croupier as program
from tests.commands.rounds import GOOD, spoiled
from tests.oracle.rounds import random_request
from tests.params import few


@pytest.mark.parametrize("rulebook", few(RULEBOOKS, "md-uth", "md-235"))
def test_the_record_is_the_commands_line(rulebook: str) -> None:
    dice = random.Random(f"library {rulebook}")
    requests = [random_request(dice, rulebook) for _ in range(40)]
    answers = settle_batch(lines_of(requests)).out.decode().splitlines()
    for request, answer in zip(requests, answers, strict=True):
        settled = croupier.settle(request)
        assert settled.to_json() == answer
        assert settled.seats[0].net == sum(w.net for w in settled.seats[0].lines)


def test_a_round_by_its_parts() -> None:
    whole: dict[str, Any] = GOOD["md-uth"]
    ann, bob = whole["seats"]
    settled = croupier.settle(
        rulebook=croupier.load_rulebook("md-uth"),
        seats=[croupier.SeatRequest(**ann), {**bob, "cards": croupier.parse_cards("9s 8s")}],
        dealer=croupier.parse_cards("Qs Qh"),
        community="As Kd 7h 2c 2d",
    )
    assert settled == croupier.settle(whole)
    blind = settled.seat(2)["blind"]
    assert blind.net == 30
    assert blind.clause == "12.B(1)(d)"
    assert settled.seat(2).words == "a full house, aces over twos"
    assert settled.dealer is not None
    assert settled.dealer.cards == croupier.parse_cards("Qs Qh")
    with pytest.raises(KeyError):
        settled.seat(1)


def test_choices_of_the_rulebook_hold_unless_the_round_has_its_own() -> None:
    book = croupier.load_rulebook("md-uth", paytables={"trips": "B"})
    trips = [
        croupier.settle(GOOD["md-uth"], rulebook=one).seat(2)["trips"].net
        for one in ("md-uth", book)
    ]
    assert trips == [45, 40]
    own = {**GOOD["md-uth"], "submission": {"paytables": {"trips": "A"}}}
    assert croupier.settle(own, rulebook=book).seat(2)["trips"].net == 45


def test_a_rulebook_of_ones_own() -> None:
    path = EXAMPLES / "harbour-holdem.toml"
    lines = (EXAMPLES / "harbour-round.jsonl").read_text("utf-8").splitlines()
    answers = program("settle", "--rules", path, "--json", EXAMPLES / "harbour-round.jsonl")
    for line, answer in zip(lines, answers.text.splitlines(), strict=True):
        assert croupier.settle(json.loads(line), rulebook=path).to_json() == answer


@pytest.mark.parametrize(
    "request_",
    [
        spoiled("md-uth", dealer="Qs Qs"),
        spoiled("md-uth", seats__0__wagers__ante=5),
        spoiled("md-uth", seats__0__wagers__ante=7.5),
        spoiled("md-uth", seats__0__actions=["9x"]),
        spoiled("md-uth", hue="red"),
        {**GOOD["md-uth"], "rulebook": "md-ut"},
    ],
    ids=["card twice", "unequal", "float", "action", "field", "rulebook"],
)
def test_what_the_command_refuses_raises_with_its_code_and_clause(request_: Any) -> None:
    told = settle_batch(lines_of([request_])).error
    with pytest.raises(croupier.CroupierError) as caught:
        croupier.settle(request_)
    assert (caught.value.code, caught.value.clause) == (told["code"], told["clause"])


def test_no_float_is_money_but_a_decimal_is_text() -> None:
    seat = {"seat": 1, "cards": "Ah Ad", "actions": ["4x"]}
    round_ = {"dealer": "Qs Qh", "community": "As Kd 7h 2c 2d", "rulebook": "md-uth"}
    exact = {**seat, "wagers": {"ante": Decimal("7.50"), "blind": "7.50"}}
    assert croupier.settle(round_, seats=[exact]).seat(1)["play"].stake == 30
    with pytest.raises(croupier.BadAmount):
        croupier.settle(round_, seats=[{**seat, "wagers": {"ante": 7.5, "blind": 7.5}}])
    with pytest.raises(croupier.BadRequest, match="name the rulebook"):
        croupier.settle(seats=[exact])
    with pytest.raises(croupier.BadRequest, match="written as JSON"):
        croupier.settle(round_, seats=[{**seat, "wagers": {"ante": object()}}])


def test_it_shows_itself_in_a_notebook() -> None:
    request = {**GOOD["md-uth"], "meters": {"main": 12500}}
    request["seats"] = [{**GOOD["md-uth"]["seats"][0], "player": "<script>"}]
    shown = croupier.settle(request)._repr_html_()
    for piece in ("A♥", "12.B(1)(d)", "a full house", "+$30", "&lt;script&gt;", "Meters"):
        assert piece in shown
    assert "<script>" not in shown
