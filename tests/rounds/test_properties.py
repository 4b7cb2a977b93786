"""What holds for every settlement, whatever the round: on random rounds full of royals and caps."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import SUITS, Card
from croupier.money import MeterShare, format_cents, parse_cents, parse_pays
from croupier.ranking.hands import CATEGORY_NAMES, category_of
from croupier.ranking.reference import best_five
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.settle_requests import RequestSettler, RoundRequest, settlement_object
from croupier.rounds.settlement import SeatOutcome, Settlement, settle
from croupier.rounds.state import CompletedRound
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.rules import Rules
from tests.oracle.rounds import random_request

_SETTLER = RequestSettler()
Check = Callable[[str, int], None]
LENGTHS = pytest.mark.parametrize("length", [20, pytest.param(60, marks=pytest.mark.full)])
BOOKS = pytest.mark.parametrize("rulebook", DOCUMENTS)


def each(test: Check) -> Check:
    """Of every document some rounds, and in `make test-full` more."""
    return BOOKS(LENGTHS(test))


class Settled(NamedTuple):
    request: dict[str, Any]
    played: CompletedRound
    rules: Rules
    settlement: Settlement
    meters: dict[str, int]

    @property
    def answer(self) -> dict[str, Any]:
        return settlement_object(self.settlement, self.rules)


def settled(request: dict[str, Any]) -> Settled:
    read = read_json(json.dumps(request), RoundRequest)
    return Settled(request, *_SETTLER.settle(read), read.meters_in_cents())


@cache
def rounds(rulebook: str, seed: int = 1, *, count: int) -> list[Settled]:
    chance = random.Random(f"{rulebook} {seed}")
    return [settled(random_request(chance, rulebook)) for _ in range(count)]


def seats_of(round_: Settled) -> Iterator[tuple[dict[str, Any], SeatOutcome]]:
    yield from zip(round_.request["seats"], round_.settlement.seats, strict=True)


@each
def test_a_seats_net_is_the_sum_of_its_lines(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        for seat in round_.answer["seats"]:
            total = sum(parse_cents(line["net"]) for line in seat["lines"])
            assert seat["net"] == format_cents(total)


@each
def test_every_wager_placed_has_exactly_one_line(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        for asked, seat in seats_of(round_):
            decided = {
                decision.wager: parse_cents(asked["wagers"][decision.multiple_of])
                * decision.bets[said]
                for decision, said in zip(
                    round_.rules.book.decisions, asked["actions"], strict=False
                )
                if said in decision.bets
            }
            placed = {name: parse_cents(stake) for name, stake in asked["wagers"].items()}
            lines = {line.wager: line.stake for line in seat.lines if line.wager != "envy"}
            assert lines == placed | decided
            names = [line.wager for line in seat.lines]
            assert len(set(names)) == len(names)
            assert all(line.stake == 0 for line in seat.lines if line.wager == "envy")


@each
def test_results_and_money_agree(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        for seat in round_.settlement.seats:
            for line in seat.lines:
                match line.result:
                    case "lose":
                        assert line.net == -line.stake
                    case "push" | "void":
                        assert line.net == 0
                    case "win":
                        assert line.net >= -line.stake
                        assert line.forgone >= 0
                assert (line.forgone > 0) == bool(line.limited_by)


@each
def test_the_order_of_the_seats_in_the_request_does_not_matter(rulebook: str, length: int) -> None:
    chance = random.Random(rulebook)
    for round_ in rounds(rulebook, count=length):
        request = copy.deepcopy(round_.request)
        chance.shuffle(request["seats"])
        other = settled(request).answer
        by_number = {seat["seat"]: seat for seat in other["seats"]}
        assert by_number == {seat["seat"]: seat for seat in round_.answer["seats"]}
        assert other["meters"] == round_.answer["meters"]
        assert other["dealer"] == round_.answer["dealer"]


# Tables on which all suits are equal; the others pay diamonds, red aces or spades apart.
SUITLESS = {
    "md-uth": {"six_card_bonus": "B", "ultimate_pairs": "B"},
    "ma-uth": {"progressive": "PTMGLML02"},
    "md-jackpot": {"progressive": "D"},
    "md-wpt": {"progressive": "J"},
    "md-235": {"progressive": "D"},
}


def renamed(text: str, suits: dict[str, str]) -> str:
    """Cards of a request with their suits swapped."""
    return " ".join(name[:-1] + suits[name[-1]] for name in text.split())


@each
def test_suits_are_equal(rulebook: str, length: int) -> None:
    chance = random.Random(rulebook)
    swaps = [dict(zip(SUITS, order, strict=True)) for order in permutations(SUITS)]
    for one in rounds(rulebook, count=length):
        request = copy.deepcopy(one.request)
        request.setdefault("submission", {}).setdefault("paytables", {}).update(SUITLESS[rulebook])
        request.pop("meters", None)
        before = settled(request).answer
        suits = chance.choice(swaps)
        for place in ("dealer", "community", "bonus_cards"):
            if place in request:
                request[place] = renamed(request[place], suits)
        for seat in request["seats"]:
            seat["cards"] = renamed(seat["cards"], suits)
        after = settled(request).answer
        for seat in (*before["seats"], before["dealer"] or {"best": ""}):
            seat["best"] = renamed(seat["best"], suits)
        if rulebook == "md-jackpot":  # two lines, one for diamonds, that pay the same
            for seat in (*before["seats"], *after["seats"]):
                for line in seat["lines"]:
                    if line["wager"] == "progressive":
                        del line["clause"], line["explanation"]
        assert after == before


def check_best(name: str, best: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    assert len(set(best)) == 5
    assert set(best) <= set(cards)
    value, _ = best_five(cards)
    assert best_five(best)[0] == value
    assert CATEGORY_NAMES[category_of(value)] == name


@each
def test_the_best_hand_is_named_card_by_card(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        played, settlement = round_.played, round_.settlement
        for dealt, seat in zip(played.seats, settlement.seats, strict=True):
            check_best(seat.hand, seat.best, dealt.cards + played.community)
        dealer = settlement.dealer
        if dealer is not None:
            check_best(dealer.hand, dealer.best, played.dealer + played.community)
            assert dealer.qualifies == (dealer.hand != "high_card")


@each
def test_without_a_progressive_bet_the_meters_stay(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        request = copy.deepcopy(round_.request)
        for seat in request["seats"]:
            seat["wagers"].pop("progressive", None)
        quiet = settled(request)
        shown = {**quiet.rules.resets, **quiet.meters}
        assert quiet.settlement.meters == shown


@each
def test_what_leaves_a_meter_reaches_a_player(rulebook: str, length: int) -> None:
    """Each share is of what the meter shows at the winner's turn; all of it resets the meter."""
    paid = 0
    for round_ in rounds(rulebook, seed=2, count=3 * length):
        shown = {**round_.rules.resets, **round_.meters}
        for seat in sorted(round_.settlement.seats, key=lambda seat: -seat.seat):
            for line in seat.lines:
                meter, table = line.from_meter, line.reason.table
                if not meter:
                    continue
                lines = {x.hand: x for x in round_.rules.paytable(table).lines}
                pays = parse_pays(lines[line.reason.line].pays)
                assert isinstance(pays, MeterShare)
                assert pays.meter == meter
                award = line.net + line.stake
                assert award == shown[meter] * pays.percent // 100
                left = shown[meter] - award
                shown[meter] = round_.rules.resets[meter] if left == 0 else left
                paid += 1
        assert round_.settlement.meters == shown
    assert paid > 3


@each
def test_no_hand_wins_more_than_the_payout_limit(rulebook: str, length: int) -> None:
    capped = 0
    for round_ in rounds(rulebook, seed=3, count=3 * length):
        for limit in limits_in_force(round_.rules):
            for seat in round_.settlement.seats:
                won = [x for x in seat.lines if x.result == "win" and x.wager in limit.covers]
                total = sum(line.winnings for line in won)
                assert total <= limit.cents
                if any(line.limited_by == limit.clause for line in won):
                    capped += 1
                    assert total == limit.cents or len(limits_in_force(round_.rules)) > 1
    assert capped > 0


@each
def test_settling_is_pure(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        played, meters = copy.deepcopy(round_.played), dict(round_.meters)
        once = settle(round_.played, round_.rules, round_.meters)
        again = settle(round_.played, round_.rules, round_.meters)
        assert settlement_object(once, round_.rules) == round_.answer
        assert settlement_object(again, round_.rules) == round_.answer
        assert round_.played == played
        assert round_.meters == meters


@each
def test_a_fresh_settler_says_the_same(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length)[:12]:
        line = json.dumps(round_.request)
        assert (
            RequestSettler().settle_line(line)
            == RequestSettler().settle_line(line)
            == round_.answer
        )


SHARED = {"progressive", "envy", "cover_all"}


@each
def test_wagers_of_ones_own_do_not_depend_on_the_neighbors(rulebook: str, length: int) -> None:
    for round_ in rounds(rulebook, count=length):
        if len(round_.request["seats"]) == 1 or limits_in_force(round_.rules):
            continue
        for place, seat in enumerate(round_.answer["seats"]):
            alone = {**round_.request, "seats": [round_.request["seats"][place]]}
            (one,) = settled(alone).answer["seats"]
            mine = [line for line in seat["lines"] if line["wager"] not in SHARED]
            assert [line for line in one["lines"] if line["wager"] not in SHARED] == mine


@each
def test_at_fixed_odds_ten_times_the_stake_is_ten_times_the_money(
    rulebook: str, length: int
) -> None:
    for round_ in rounds(rulebook, count=length):
        request = copy.deepcopy(round_.request)
        request.get("submission", {}).pop("options", None)
        for seat in request["seats"]:
            for wager in SHARED & seat["wagers"].keys() | {"six_card_bonus"}:
                seat["wagers"].pop(wager, None)
            # Whole dollars, so that 3 to 2 leaves no half cent.
            seat["wagers"] = {w: int(parse_cents(v)) // 100 + 1 for w, v in seat["wagers"].items()}
        small = settled(request).settlement
        for seat in request["seats"]:
            seat["wagers"] = {wager: stake * 10 for wager, stake in seat["wagers"].items()}
        large = settled(request).settlement
        if limits_in_force(settled(request).rules):
            continue
        assert [seat.net * 10 for seat in small.seats] == [seat.net for seat in large.seats]


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), rulebook=st.sampled_from(DOCUMENTS))
def test_no_seat_loses_more_than_it_has_down(seed: int, rulebook: str) -> None:
    """And the answer prints what was computed, with a sentence for every line."""
    request = random_request(random.Random(seed), rulebook)
    round_ = settled(request)
    for seat, printed in zip(round_.settlement.seats, round_.answer["seats"], strict=True):
        assert seat.net >= -sum(line.stake for line in seat.lines)
        assert [format_cents(line.net) for line in seat.lines] == [
            line["net"] for line in printed["lines"]
        ]
        assert all(line["explanation"].endswith(".") for line in printed["lines"])
    assert all(cents >= 0 for cents in round_.settlement.meters.values())
