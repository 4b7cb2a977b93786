"""A link pays what the settlement of a round says, to the cent, for every progressive paytable."""

from __future__ import annotations

import json
import random
from itertools import count

import msgspec
import pytest
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.progressives import (
    MICRO,
    Awarded,
    Contribute,
    LinkMeterTerms,
    LinkRefusal,
    OpenLink,
    awards_due,
    decide,
    evolve,
    pay_awards,
    replay,
    rules_on_link,
    table_terms,
)
from croupier.progressives.links import Link
from croupier.rounds.settle_requests import RoundRequest
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.oracle.rounds import random_request
from tests.progressives.links import PAYTABLES, after, bets, opened, papers

STAKES = {"md-jackpot": [1, 2, 5]}


def random_round(chance: random.Random, rulebook: str, table: str) -> tuple[CompletedRound, Rules]:
    """A valid round, rigged for rare hands, on this progressive table under any readings."""
    told = random_request(chance, rulebook)
    submission = told.setdefault("submission", {})
    submission.setdefault("paytables", {})["progressive"] = table
    submission.setdefault("progressive", {})["stakes"] = STAKES.get(rulebook, [])
    told.pop("meters", None)
    request = read_json(json.dumps(told), RoundRequest)
    rules = put_in_force(load_rulebook(rulebook), msgspec.convert(submission, Submission))
    return request.round(), rules


def random_link(chance: random.Random, rules: Rules, played: CompletedRound) -> Link:
    """Open, moved to readings with odd parts of a cent, and locked for the round."""
    terms = {
        name: LinkMeterTerms(
            seed_cents=reset + chance.randrange(reset * 2),
            reset_cents=reset + chance.choice([0, chance.randrange(reset)]),
            rate_millionths=chance.randrange(400_001),
        )
        for name, reset in rules.resets.items()
    }
    link = replay(
        decide(None, OpenLink(link="pot", table=table_terms("one", rules), meters=terms, by="Ann"))
    )
    assert link is not None
    stakes = tuple(
        (seat.number, seat.wagers["progressive"])
        for seat in played.seats
        if "progressive" in seat.wagers
    )
    for event in decide(link, Contribute(table="one", round=1, stakes=stakes)):
        link = evolve(link, event)
    return link


def compare(rulebook: str, table: str, rounds: int, hands: int) -> None:
    """So many rounds, and on until that many different hands were paid from meters."""
    chance = random.Random(f"{rulebook} {table}")
    seen: set[str] = set()
    for played_already in count():
        if played_already >= rounds and len(seen) >= hands:
            return
        assert played_already < 5000, f"only {seen} are paid from a meter"
        played, rules = random_round(chance, rulebook, table)
        link = random_link(chance, rules, played)
        settlement = settle(played, rules_on_link(rules, link), link.shown())
        paid, events = pay_awards(link, "one", 1, settlement, rules, "Flo")
        awards = [event for event in events if isinstance(event, Awarded)]
        assert len(awards) == len(events) == len(awards_due(settlement, rules))
        assert paid.shown() == settlement.meters
        for name, meter in paid.meters.items():
            assert meter.reading % MICRO == link.meters[name].reading % MICRO
            assert meter.explain().explained == meter.reading
        seen.update(award.hand for award in awards)


@pytest.mark.clause("md-uth", "12.D(4)")
@pytest.mark.clause("ma-uth", "13(c)")
@pytest.mark.clause("md-jackpot", "12.E(11)")
@pytest.mark.clause("md-wpt", "12.D'(4)", "12.D'(5)")
@pytest.mark.clause("md-235", "12.G")
@pytest.mark.parametrize(("rulebook", "table"), PAYTABLES)
def test_awards_through_a_link_equal_the_settlement(rulebook: str, table: str) -> None:
    compare(rulebook, table, rounds=20, hands=1)


@pytest.mark.full
@pytest.mark.parametrize(("rulebook", "table"), PAYTABLES)
def test_awards_of_every_hand_through_a_link_equal_the_settlement(
    rulebook: str, table: str
) -> None:
    lines = load_rulebook(rulebook).default.paytables["progressive"][table].lines
    compare(rulebook, table, rounds=200, hands=sum("%" in line.pays for line in lines))


def folded_round(*seats: tuple[int, str], board: str) -> CompletedRound:
    """Everybody bets $5 on the progressive and gives up in the end; the wager stands (MD-10)."""
    wagers = {"ante": 10, "blind": 10, "progressive": 5}
    said = ["check", "check", "fold"]
    request = {
        "rulebook": "md-uth",
        "seats": [
            {"seat": seat, "cards": cards, "wagers": wagers, "actions": said}
            for seat, cards in seats
        ],
        "community": board,
        "dealer": "2c 7d",
    }
    return read_json(json.dumps(request), RoundRequest).round()


@pytest.mark.clause("md-uth", "12.D(4)")
@pytest.mark.parametrize(
    ("table", "first", "second", "left"),
    [
        # 10% each: the second from what the first left.
        ("A", 100_100, 90_090, {"main": 810_810}),
        # 100% each: the second gets the reset amount.
        ("B", 26_000, 25_000, {"major": 101_000, "minor": 25_000}),
    ],
)
def test_12_D_4_two_straight_flushes_on_one_flop(
    table: str, first: int, second: int, left: dict[str, int]
) -> None:
    played = folded_round((2, "4h 5h"), (5, "9h Th"), board="6h 7h 8h Kd 2s")
    rules, _ = papers("md-uth", table, rate="1")
    link = after(opened("md-uth", table, rate="1"), bets(1, 2, 5))
    settlement = settle(played, rules, link.shown())
    assert awards_due(settlement, rules) == (
        (5, "straight_flush", first),
        (2, "straight_flush", second),
    )
    paid, _ = pay_awards(link, "one", 1, settlement, rules, "Flo")
    assert paid.shown() == settlement.meters == left


def test_a_settlement_at_another_reading_is_not_paid() -> None:
    played = folded_round((3, "As Ks"), board="Qs Js Ts 2d 3h")
    rules, _ = papers()
    link = after(opened(), bets(1, 3))
    stale = settle(played, rules, {"main": link.shown()["main"] - 1})
    with pytest.raises(LinkRefusal) as no:
        pay_awards(link, "one", 1, stale, rules, "Flo")
    assert no.value.code == "meter_moved"
    wrong = replace(settle(played, rules, link.shown()), meters={"main": 1})
    with pytest.raises(CroupierError) as fault:
        pay_awards(link, "one", 1, wrong, rules, "Flo")
    assert fault.value.code == "internal"
