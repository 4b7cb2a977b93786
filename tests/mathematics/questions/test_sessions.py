"""Wagers placed together, over one round and over many."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from croupier.errors import BadRequest, CroupierError
from croupier.mathematics.counters.boards.games import ShowdownResult
from croupier.mathematics.counters.boards.geometry import flops_of
from croupier.mathematics.counters.boards.rulebook import USUAL, holdem_game
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.game.payoffs import results_of
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.questions.round_nets import checked_stakes, net_distribution
from croupier.mathematics.questions.sessions import over_rounds
from croupier.mathematics.questions.sessions.over_rounds import mean_of, sums_over, variance_of
from croupier.mathematics.questions.sessions.ruin import (
    adjustment,
    ruin_for_ever,
    ruin_within,
)
from croupier.mathematics.questions.sessions.sweep import Marks, sweep
from croupier.mathematics.stakes import largest_raises
from tests.commands.program import croupier
from tests.mathematics.changed import HARBOUR, changed, lines
from tests.mathematics.dealt import rules_of, solution_of

NETS = {-2000: 3, -1000: 4, 0: 2, 1000: 5, 3000: 1}


# -- one round ------------------------------------------------------------------------------------


def sum_of_means(book: str, base: int, sides: dict[str, int], **tables: str) -> Fraction:
    rules = rules_of(book, **tables)
    main = (
        solution_of(book)[1].value
        if rules.book.dealer is not None
        else solver_for(rules).figures().expected_value
    )
    parts = (analyze_wager(rules, n, stake_cents=c).expected_value * c for n, c in sides.items())
    return main * base + sum(parts, Fraction(0))


TOGETHER = [
    ("md-uth", {"trips": 500, "bad_beat": 300, "play_the_board": 100}, {}),
    ("md-235", {"win_em_all": 500, "progressive": 100}, {}),
    (HARBOUR, {"lighthouse": 500, "first_mates": 500}, {}),
    ("md-uth", {"trips": 500, "progressive": 100}, {}),
    ("md-uth", {"ultimate_pairs": 500}, {"ultimate_pairs": "D"}),
    ("md-uth", {"ultimate_pairs": 500, "trips": 500}, {"ultimate_pairs": "B"}),
    ("ma-uth", {"trips": 500, "cover_all": 500}, {}),
    ("md-wpt", {"pocket_bonus": 500, "trips_plus": 500}, {}),
    ("md-wpt", {"progressive": 100}, {}),
    ("md-jackpot", {"player_bonus": 500, "progressive": 100}, {}),
    ("texas-holdem-bonus", {"bonus": 500}, {}),
]


@pytest.mark.parametrize(
    ("book", "sides", "tables"),
    [
        case if n < 2 else pytest.param(*case, marks=pytest.mark.full)
        for n, case in enumerate(TOGETHER)
    ],
)
def test_together_is_the_sum_of_the_means(
    book: str, sides: dict[str, int], tables: dict[str, str]
) -> None:
    rules = rules_of(book, **tables)
    placed = dict.fromkeys(rules.required, 1000) | sides
    nets = net_distribution(rules, placed)
    assert mean_of(nets) == sum_of_means(book, 1000, sides, **tables)
    assert min(nets.values()) > 0


@pytest.mark.parametrize(
    "book", ["md-uth", pytest.param(HARBOUR, id="harbour", marks=pytest.mark.full)]
)
def test_the_sweep_is_the_outcome_table(book: str) -> None:
    game, solution = solution_of(book)
    strategy = optimal_strategy(solution)
    table = outcome_table(strategy)
    edges = np.array([0, game.qualifier, 5000, 7000])
    pairs = len(flops_of(game.deck).hand)
    marks = Marks(
        labels=(np.arange(pairs) % 7).astype(np.int16),
        plain_boards=(np.arange(6188) % 3).astype(np.int8),
        flush_boards=np.full(8192, 2, np.int8),
        edges=edges,
        thresholds=np.array([game.qualifier, 6500]),
    )
    endings, found = sweep(strategy, marks)
    assert endings == tuple(path for path, _ in table.endings)
    assert (found.sum(axis=(0, 2, 3, 4)) > 0).all()
    by_interval = np.add.reduceat(np.stack([deals for _, deals in table.endings]), edges, axis=1)
    mine = found.sum(axis=(1, 2))
    for result, (qualified, unqualified) in enumerate(
        [
            (ShowdownResult.WIN_QUALIFIED, ShowdownResult.WIN_UNQUALIFIED),
            (ShowdownResult.TIE_QUALIFIED, ShowdownResult.TIE_UNQUALIFIED),
            (ShowdownResult.LOSS_QUALIFIED, ShowdownResult.LOSS_UNQUALIFIED),
        ]
    ):
        assert (mine[:, :, result] == by_interval[:, :, unqualified]).all()
        above = mine[:, :, 3 + result] + mine[:, :, 6 + result]
        assert (above == by_interval[:, :, qualified]).all()


@pytest.mark.parametrize(
    ("book", "stakes", "words"),
    [
        ("md-uth", {"trips": 500}, "'ante' must be placed"),
        ("md-uth", {"ante": 500, "blind": 1000}, "at one stake"),
        ("md-uth", {"ante": 500, "play": 1000}, "decided in play"),
        ("md-uth", {"ante": 500, "six_card_bonus": 100}, "needs trips"),
        ("md-uth", {"ante": 500, "tripz": 100}, "did you mean 'trips'"),
        ("md-uth", {"ante": 500, "progressive": 300}, "takes"),
        ("md-uth", {"ante": 500, "trips": 100, "six_card_bonus": 100}, "nobody else sees"),
    ],
)
def test_what_cannot_be_placed_is_refused(book: str, stakes: dict[str, int], words: str) -> None:
    with pytest.raises(CroupierError, match=words):
        net_distribution(rules_of(book), stakes)


def test_a_bonus_counts_with_the_wager_that_it_is_paid_on() -> None:
    bonus = {"title": "More", "on": "sail", "hand": "final", "paytable": "more", "clause": "x"}
    table = {"clause": "x", "lines": lines(("full_house", "5 to 1"), ("flush", "3 to 2"))}
    rules = changed(HARBOUR, {"bonuses.more": bonus, "paytables.more.only": table})
    game = holdem_game(rules)
    cases, stakes, (decided,) = USUAL.cases(rules), {"sail": 200 * game.scale}, game.decided
    for outcome, own in product(range(6), range(decided.shape[1])):
        results = results_of(rules.book, cases[USUAL.numbers[own]], outcome, stakes, {})
        assert sum(each.net for each in results) == 200 * decided[outcome, own]
    assert (decided != holdem_game(rules_of(HARBOUR)).decided[0]).any()


def test_equal_wagers_may_be_left_out() -> None:
    main, sides = checked_stakes(rules_of("md-wpt"), {"ante": 500, "trips_plus": 100})
    assert (main, sides) == ({"ante": 500, "odds": 500}, {"trips_plus": 100})


# -- many rounds ----------------------------------------------------------------------------------


def test_few_rounds_are_exact() -> None:
    found = sums_over(NETS, 4)
    brute: Counter[int] = Counter()
    for four in product(NETS.items(), repeat=4):
        ways = 1
        for _, deals in four:
            ways *= deals
        brute[sum(net for net, _ in four)] += ways
    assert found.exact == dict(sorted(brute.items()))
    won = sum(ways for net, ways in brute.items() if net > 0)
    assert found.exactly_ahead() == Fraction(won, 15**4)
    assert found.mean == 4 * mean_of(NETS)


@pytest.mark.parametrize("direct", [1_000_000_000, 0], ids=["direct", "by Fourier"])
def test_floats_keep_to_their_error(direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = sums_over(NETS, 60)
    monkeypatch.setattr(over_rounds, "_EXACT_WORK", 0)
    monkeypatch.setattr(over_rounds, "_DIRECT_WORK", direct)
    found = sums_over(NETS, 60)
    assert found.exact is None
    want = exact.exactly_ahead()
    assert want is not None
    assert abs(found.ahead() - float(want)) < found.error < 1e-11
    assert abs(found.ahead() + found.even() + found.behind() - 1) < found.error
    assert [found.percentile(p) for p in (1, 50, 99)] == [exact.percentile(p) for p in (1, 50, 99)]
    assert abs(float((found.chances * found.nets).sum()) - float(found.mean)) < 1e-6


def test_rare_large_wins_take_no_time() -> None:
    """A progressive, 10,000 rounds: its sums lie on 70,000 steps."""
    meter = {-1: 2524332, 9: 54912, 30: 10200, 40: 5108, 50: 3744, 300: 624, 999: 36, 9999: 4}
    found = sums_over(meter, 10_000)
    assert found.error < 1e-8
    assert abs(float(found.chances.sum()) - 1) < found.error
    assert (found.certain_percentile(2.5), found.certain_percentile(97.5)) == (-5426, -2328)
    assert float((found.chances * found.nets).sum()) == pytest.approx(float(found.mean))
    none_won = (2524332 / 2598960) ** 10_000
    assert float(found.chances[found.nets == -10_000].sum()) == pytest.approx(none_won, abs=1e-8)


def test_a_percentile_in_doubt_is_none() -> None:
    found = sums_over(NETS, 500)
    assert found.certain_percentile(50) == found.percentile(50)
    doubtful = replace(found, error=0.5)
    assert doubtful.certain_percentile(50) is None


def test_a_sum_has_the_variance_of_its_rounds() -> None:
    found = sums_over(NETS, 500)
    assert found.variance == 500 * variance_of(NETS)
    centered = found.nets - float(found.mean)
    assert float((found.chances * centered**2).sum()) == pytest.approx(float(found.variance))


# -- ruin -----------------------------------------------------------------------------------------


def test_ruin_of_a_few_rounds_is_counted() -> None:
    ruined = Fraction(0)
    for path in product(NETS.items(), repeat=5):
        money, chance, lost = 4500, Fraction(1), False
        for net, deals in path:
            chance *= Fraction(deals, 15)
            money += net
            lost = lost or money < 2000
        ruined += chance * lost
    found = ruin_within(NETS, 4500, 2000, 5)
    assert abs(found.chance - float(ruined)) < found.error


def test_ruin_for_ever_of_two_results_is_the_known_formula() -> None:
    nets = {-1000: 10, 1000: 11}
    ever = ruin_for_ever(nets, 10_000, 1000)
    assert ever.at_least == pytest.approx((10 / 11) ** 10)
    assert ever.at_most == pytest.approx((10 / 11) ** 10)
    within = ruin_within(nets, 10_000, 1000, 20_000)
    assert within.chance == pytest.approx((10 / 11) ** 10)


def test_ruin_for_ever_encloses_a_long_session() -> None:
    nets = {-1000: 60, 500: 30, 1500: 40}
    ever = ruin_for_ever(nets, 10_000, 1000)
    within = ruin_within(nets, 10_000, 1000, 20_000)
    assert ever.at_least <= within.chance + within.error
    assert within.chance <= ever.at_most


def test_who_loses_in_the_mean_is_ruined() -> None:
    assert adjustment({-1000: 11, 1000: 10}) is None
    assert ruin_for_ever({-1000: 11, 1000: 10}, 5000, 1000).at_least == 1.0
    assert ruin_within({-1000: 1, 0: 1}, 5000, 1000, 2000).chance == pytest.approx(1.0)
    assert ruin_within({0: 1, 1000: 1}, 5000, 1000, 2000).chance == 0


def test_too_little_money_and_too_many_rounds_are_refused() -> None:
    with pytest.raises(BadRequest, match="bankroll"):
        ruin_within(NETS, 500, 1000, 10)
    with pytest.raises(BadRequest, match="rounds"):
        sums_over(NETS, 0)
    with pytest.raises(BadRequest, match="common step"):
        sums_over({-1: 1, 10**9: 1}, 5000)


# -- the command ----------------------------------------------------------------------------------


STUD = ["session", "md-235"] + [
    f"--stake={wager}_card_poker=5" for wager in ("two", "three", "five")
]


def test_a_session_as_the_command_tells_it() -> None:
    ended = croupier(*STUD, "--rounds", "20", "--bankroll", "300", "--json")
    assert ended.code == 0
    answer = ended.json
    one, session = answer["round"], answer["session"]
    rules = rules_of("md-235")
    mean = 5 * solver_for(rules).figures().expected_value
    assert Fraction(one["expected_value_exact"]) == mean
    assert sum(outcome["combinations"] for outcome in one["outcomes"]) == one["combinations"]
    assert session["rounds"] == 20
    assert session["ahead"] + session["even"] + session["behind"] == pytest.approx(1)
    assert list(session["percentiles"]) == ["1", "5", "10", "25", "50", "75", "90", "95", "99"]
    assert 0 < answer["ruin"]["chance"] < 1
    assert answer["ruin"]["ever_at_least"] == 1
    covering = answer["ruin_covering_raises"]
    assert covering["chance"] > answer["ruin"]["chance"]


def test_a_session_drawn_for_people() -> None:
    ended = croupier(*STUD, "--rounds", "3")
    assert ended.code == 0
    assert "3 rounds:" in ended.text


def test_a_session_without_sense_is_refused() -> None:
    ended = croupier("session", "md-uth", "--stake", "ante=ten", "--json")
    assert (ended.code, ended.error["code"]) == (2, "bad_amount")
    ended = croupier("session", "md-uth", "--stake", "trips=5", "--json")
    assert (ended.code, ended.error["clause"]) == (2, "7.F(1)")


def test_the_largest_raise_of_a_wager_counts_once_whenever_it_can_be_made() -> None:
    """Play is 3x or 4x at first, 2x at the flop, 1x at the river: 4x is the most. Two questions
    about two wagers add up."""
    assert largest_raises(rules_of("md-uth").book, {"ante": 500}) == 2000
    streets = rules_of("mississippi-stud").book
    assert largest_raises(streets, {"ante": 500}) == 3 * 3 * 500
    stud = rules_of("md-235").book
    stakes = {"two_card_poker": 300, "three_card_poker": 500, "five_card_poker": 700}
    assert largest_raises(stud, stakes) == sum(
        {d.wager: max(d.bets.values()) * stakes[d.multiple_of] for d in stud.decisions}.values()
    )
