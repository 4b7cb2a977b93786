"""Payout limits in figures against the settlement of rounds: line by line, and deal by deal."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.stakes import SeatLimits, WagerResult
from croupier.rounds.payout_limits import LimitInForce, limits_in_force, shorten
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat, Reason, Result
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.counters.opponents.by_engine import STAKE, VersusByEngine
from tests.mathematics.counters.opponents.games import in_force
from tests.mathematics.counters.opponents.test_random_games import SETTINGS, games
from tests.mathematics.dealt import best_play, deal, rules_of, saying

MA_UTH = rules_of("ma-uth")
NAMES = (*MA_UTH.book.wagers, *MA_UTH.book.bonuses)


# -- line by line ---------------------------------------------------------------------------------


@st.composite
def limits(draw: st.DrawFn) -> list[LimitInForce]:
    covers = st.frozensets(st.sampled_from(NAMES), min_size=1)
    shortens = st.sampled_from(("largest", "last"))
    made = st.builds(LimitInForce, st.just("1"), covers, st.integers(0, 3000), shortens)
    return draw(st.lists(made, max_size=3))


@st.composite
def settled_lines(draw: st.DrawFn) -> list[LineRecord]:
    """In the order of settlement, as an engine without limits leaves them."""
    records = []
    results: tuple[Result, ...] = ("win", "win", "lose", "push")
    for name in NAMES:
        result, stake = draw(st.sampled_from(results)), draw(st.integers(1, 500))
        lost = result == "win" and draw(st.booleans())
        net = {"lose": -stake, "push": 0}.get(result, draw(st.integers(-stake * lost, 2500)))
        if draw(st.booleans()):
            reason = Reason("hand_paid")
            records.append(LineRecord(name, stake, result, net, "1", reason, stake_lost=lost))
    return records


@settings(max_examples=400, deadline=None)
@given(settled_lines(), limits())
def test_lines_are_cut_as_the_settlement_cuts_them(
    records: list[LineRecord], in_force_now: list[LimitInForce]
) -> None:
    settled = records
    for limit in in_force_now:
        settled = shorten(settled, limit)
    results = [
        WagerResult(line.wager, line.net, line.winnings if line.result == "win" else 0)
        for line in records
    ]
    random.Random(len(records)).shuffle(results)  # whatever the order in which they are counted
    seat = SeatLimits(MA_UTH.book, in_force_now)
    assert seat.cuts(results) == {line.wager: line.forgone for line in settled if line.forgone}
    assert seat.net(results) == sum(line.net for line in settled)


# -- deal by deal ---------------------------------------------------------------------------------


class Limited(VersusByEngine):
    """Settled with a payout limit, played as if there were none."""

    def __init__(self, rules: Rules, limited: Rules) -> None:
        super().__init__(limited)
        self.free = VersusByEngine(rules)

    def met(self, own: Any, up: Any) -> dict[str, Counter[int]]:
        met, free = super().met(own, up), self.free.met(own, up)
        sums = {word: self._sum(nets) for word, nets in free.items()}
        said = max(sums, key=lambda word: sums[word])
        return {said: met[said]}


@SETTINGS
@given(games(), st.integers(0, 4), st.sampled_from(("largest", "last")))
def test_every_deal_of_a_small_deck_comes_to_what_the_engine_pays(
    game: dict[str, Any], units: int, shortens: str
) -> None:
    covers = [name for name in (*game["wagers"], *game.get("bonuses", {})) if name != "blind"]
    limit = {"clause": "9", "covers": covers, "set_by": "document", "amount": units * STAKE // 100}
    limit |= {"or_best_win": False, "bound_clause": "9", "shortens": shortens}
    rules, limited = in_force(game), in_force(game | {"payout_limits": [limit]})
    found = net_distribution(
        rules, dict.fromkeys(rules.required, STAKE), limits=limits_in_force(limited)
    )
    assert found == Limited(rules, limited).nets


LOW = {"payout_limit": "7", "minimum_wager": "2"}
ROUNDS = 1500


@pytest.mark.parametrize(
    ("book", "sides", "readings"),
    [
        ("md-235", ("win_em_all", "progressive"), {}),
        ("md-uth", ("trips", "play_the_board"), {}),
        ("md-wpt", ("trips_plus",), {"bad_beat_keeps_odds": "no"}),
    ],
)
def test_bundled_games_come_to_what_the_engine_pays(
    book: str, sides: tuple[str, ...], readings: dict[str, str]
) -> None:
    """Dealt at random with a limit that binds often, or in `md-wpt` in each of a few hands."""
    stated = Submission(options=dict(LOW), readings=readings)
    rules = put_in_force(load_rulebook(book), stated)
    wagers = dict.fromkeys(rules.required, 200) | dict.fromkeys(sides, 200)
    wagers |= {name: min(rules.stakes[name]) for name in sides if rules.stakes.get(name)}
    exact = net_distribution(rules, wagers, limits=limits_in_force(rules))
    free = net_distribution(rules, wagers)
    assert exact != free
    assert sum(exact.values()) == sum(free.values())
    total, chance = sum(exact.values()), random.Random(f"limits {book}")
    seen: Counter[int] = Counter()
    cut = 0
    for _ in range(ROUNDS):
        played = deal(rules, chance)
        said = saying(played, best_play(book, rules, played))
        lines = settle(_placing(said, wagers), rules).seats[0].lines
        seen[sum(line.net for line in lines)] += 1
        cut += any(line.forgone for line in lines)
    assert cut > 10
    assert set(seen) <= set(exact)
    for net, deals in exact.items():
        share = deals / total
        if share * ROUNDS >= 20:
            assert abs(seen[net] / ROUNDS - share) < 4.5 * sqrt(share * (1 - share) / ROUNDS)


def _placing(played: CompletedRound, wagers: dict[str, int]) -> CompletedRound:
    seat = played.seats[0]
    placed = PlayedSeat(seat.number, seat.player, seat.cards, wagers, seat.actions)
    return CompletedRound((placed,), played.community, played.dealer, played.box)


def test_a_limit_on_all_wagers_of_holdem_with_several_bets_cuts_the_net() -> None:
    """No wager of this game loses while another wins, so the limit holds for their sum."""
    rules = rules_of("texas-holdem-bonus")
    main = frozenset(name for name, wager in rules.book.wagers.items() if wager.role != "optional")
    limit = LimitInForce("1", main, 1500, "largest")
    want: Counter[int] = Counter()
    for net, deals in net_distribution(rules, {"ante": 1000}).items():
        want[min(net, 1500)] += deals
    assert net_distribution(rules, {"ante": 1000}, limits=[limit]) == want
    assert max(net_distribution(rules, {"ante": 1000}, limits=[limit._replace(cents=10**7)])) > 1500
