"""Side wagers under the reading by which a fold loses them, counted in other ways."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest

from croupier.cards import Card, parse_cards
from croupier.mathematics.counters.boards.games import showdowns_of
from croupier.mathematics.counters.boards.geometry import HANDS, card_pairs
from croupier.mathematics.counters.boards.solver import river_game
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.game.payments import FOLDED, Payment
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.lost_with_fold import Split, split_by_fold
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions import envy_after_fold as envy_module
from croupier.mathematics.questions.sessions.line_facts import hands_at
from croupier.mathematics.questions.sessions.over_rounds import mean_of
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.side_wagers.analysis import analyze_side, envy_lines, envy_of, figures_of
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.boards.examples import category_of_strength
from tests.mathematics.dealt import best_play, deal, saying, solution_of
from tests.mathematics.side_wagers.in_force import InForce
from tests.params import few

LOSE = {"side_wagers_after_fold": "lose"}
LOST = {
    "md-uth": ("ultimate_pairs", "bad_beat", "play_the_board", "progressive"),
    "ma-uth": ("cover_all", "progressive"),
    "md-jackpot": ("player_bonus", "progressive"),
    "md-wpt": ("progressive",),
}
ALWAYS = ("md-uth", "ultimate_pairs")
EVERY = [
    # All are counted alike: one of them here, the others in `make test-full`.
    pytest.param(book, wager, marks=() if (book, wager) == ALWAYS else pytest.mark.full)
    for book, wagers in LOST.items()
    for wager in wagers
]


@cache
def split_of(book: str, wager: str) -> Split:
    return split_by_fold(InForce()(book, readings=LOSE), wager)


def figures(book: str, wager: str, stake: int = 100) -> WagerAnalysis:
    """Without envy, which takes seconds and is tested below."""
    rules = InForce()(book, readings=LOSE)
    return figures_of(rules, wager, stake, split_of(book, wager).tally(), None, 0)


def both(split: Split) -> Counter[tuple[str, Payment]]:
    return Counter(split.played) + Counter(split.folded)


def fold_frequency(table: OutcomeTable) -> Fraction:
    folded = sum(int(deals.sum()) for path, deals in table.endings if path.folded)
    return Fraction(folded, table.total)


@pytest.mark.parametrize("book", LOST)
def test_only_the_wagers_that_are_not_kept_by_name_are_lost(book: str, in_force: InForce) -> None:
    wagers = in_force(book, readings=LOSE).book.wagers
    assert {n for n, wager in wagers.items() if wager.after_fold == "loses"} == set(LOST[book])


@pytest.mark.parametrize(("book", "wager"), EVERY)
def test_played_and_folded_together_are_the_standing_wager(
    book: str, wager: str, in_force: InForce
) -> None:
    """`sides` counts the standing wager without any strategy: the two parts must add up to it."""
    rules = in_force(book, readings=LOSE)
    split = split_of(book, wager)
    standing = analyze_side(rules, wager)
    whole = split._replace(played=both(split), folded={}).tally()
    for (hand, pays, count), outcome in zip(whole.endings, standing.outcomes, strict=False):
        assert (hand, pays) == (outcome.hand, outcome.pays)
        assert Fraction(count, whole.total) == standing.probability(outcome)
    _, solution = solution_of(book)
    share = Fraction(sum(split.folded.values()), split.total)
    assert share == fold_frequency(outcome_table(optimal_strategy(solution)))
    assert standing.house_edge <= figures(book, wager, standing.stake_cents).house_edge <= 1


def test_a_line_on_the_dealers_aces(in_force: InForce) -> None:
    rules = in_force("md-uth", {"ultimate_pairs": "B"}, LOSE)
    split = split_by_fold(rules, "ultimate_pairs")
    whole = split._replace(played=both(split), folded={}).tally()
    standing = analyze_side(rules, "ultimate_pairs")
    for (_, _, count), outcome in zip(whole.endings, standing.outcomes, strict=False):
        assert Fraction(count, whole.total) == standing.probability(outcome)


def test_folded_hands_by_strength_are_those_of_the_outcome_table() -> None:
    """The Player Bonus looks at the final hand, which the table of the main game keeps."""
    _, solution = solution_of("md-jackpot")
    table = outcome_table(optimal_strategy(solution))
    kept = sum(deals.sum(axis=1) for path, deals in table.endings if not path.folded)
    found = figures("md-jackpot", "player_bonus")
    for outcome in found.outcomes:
        if outcome.hand in CATEGORY_NAMES:
            category = CATEGORY_NAMES.index(outcome.hand)
            exact = int(kept[category_of_strength() == category].sum())
            assert found.probability(outcome) == Fraction(exact, table.total)


@pytest.mark.parametrize(
    ("book", "sides"),
    [
        ("md-uth", {"ultimate_pairs": 300, "play_the_board": 100}),
        pytest.param("md-uth", {"bad_beat": 300, "play_the_board": 100}, marks=pytest.mark.full),
        pytest.param("ma-uth", {"cover_all": 500}, marks=pytest.mark.full),
        pytest.param(
            "md-jackpot", {"player_bonus": 500, "progressive": 100}, marks=pytest.mark.full
        ),
    ],
)
def test_together_with_the_main_game_is_the_sum_of_the_means(
    book: str, sides: dict[str, int], in_force: InForce
) -> None:
    rules = in_force(book, readings=LOSE)
    nets = net_distribution(rules, dict.fromkeys(rules.required, 1000) | sides)
    mean = 1000 * solution_of(book)[1].value
    for name, cents in sides.items():
        mean += cents * figures(book, name, cents).expected_value
    assert mean_of(nets) == mean


# -- simulation through the settlement ------------------------------------------------------------


def scores(book: str, rules: Rules, rounds: int) -> dict[str, float]:
    """z-scores of the mean of every wager that a fold loses, and of the rounds folded."""
    stakes = {name: min(rules.stakes.get(name, (200,))) for name in LOST[book]}
    exact = {name: figures(book, name, cents) for name, cents in stakes.items()}
    chance = random.Random(f"lost with a fold {book}")
    sums: Counter[str] = Counter()
    folded = 0
    for _ in range(rounds):
        played = deal(rules, chance)
        said = best_play(book, rules, played)
        folded += said[-1] == "fold"
        for line in settle(saying(played, said), rules).seats[0].lines:
            sums[line.wager] += line.net
    found = {}
    for name, analysis in exact.items():
        mean = Fraction(sums[name], rounds * stakes[name])
        error = sqrt(analysis.variance / rounds)
        found[name] = float(mean - analysis.expected_value) / error
    any_wager = next(iter(exact.values()))
    share = next(any_wager.probability(o) for o in any_wager.outcomes if o.hand == FOLDED)
    found[FOLDED] = (folded / rounds - share) / sqrt(share * (1 - share) / rounds)
    return found


@pytest.mark.parametrize("book", few(LOST, "md-jackpot"))
def test_simulated_rounds_come_to_the_exact_values(book: str, in_force: InForce) -> None:
    found = scores(book, in_force(book, readings=LOSE), 500)
    assert max(map(abs, found.values())) < 4.5, found


@pytest.mark.full
@pytest.mark.parametrize("book", LOST)
def test_many_rounds_come_to_the_exact_values(book: str, in_force: InForce) -> None:
    found = scores(book, in_force(book, readings=LOSE), 200_000)
    assert max(map(abs, found.values())) < 4.5, found


# -- envy -----------------------------------------------------------------------------------------


def test_folds_against_an_envy_hand_are_those_that_are_advised(in_force: InForce) -> None:
    """One turn and river beside a straight flush on the flop, hand by hand with `advise`."""
    rules = in_force("md-uth", readings=LOSE)
    game, solution = solution_of("md-uth")
    strategy = optimal_strategy(solution)
    lines = envy_lines(rules, "progressive", 100)
    assert lines is not None
    met = list(envy_module._meetings(lines.tests, hands_at(rules)))
    assert sum(one.weight for one in met) == 10 * 40
    one = random.Random(3).choice(met)
    free = [card for card in range(51, -1, -3) if card not in one.flop + one.held]
    turn, river = free[0], free[4]
    orders, waits, path = envy_module._on_the_way(strategy)
    assert not len(waits), "nothing is decided at the turn"
    arrived = envy_module._by_hand(orders, game.deck, one.flop)
    out = np.zeros((1, HANDS), np.int64)
    prices = (showdowns_of(river_game(game, path)[0]), np.array([1]))
    later = np.zeros((0, HANDS), np.int64)
    flop, held = np.array(one.flop), np.array([one.held])
    envy_module._count_folds(flop, held, arrived, later, *prices, out)
    folds = 0
    gone = {*one.flop, *one.held, turn, river}
    for hand in card_pairs().tolist():
        if gone & {*hand}:
            continue
        shown = [[], list(one.flop), [*one.flop, turn, river]]
        said = [
            advise(rules, Situation([Card(n) for n in hand], [Card(n) for n in seen])).best
            for seen in shown
        ]
        folds += said == ["check", "check", "fold"]
    assert folds == out[0, turn * (turn - 1) // 2 + river] > 0


@pytest.mark.full
def test_envy_is_less_where_folds_lose_it(in_force: InForce) -> None:
    rules = in_force("md-wpt", {"progressive": "J"}, LOSE)
    standing, total = envy_of(rules, "progressive", 100)
    left, deals = envy_module.envy_unless_folded(rules, "progressive", 100)
    before = Fraction(sum(one.combinations for one in standing), total)
    after = Fraction(sum(one.combinations for one in left), deals)
    assert Fraction(3, 4) * before < after < before
    found = analyze(rules, "progressive", Asked(others=2))
    assert found["envy_per_player"] == pytest.approx(float(100 * after))


def test_the_settlement_takes_a_folders_envy(in_force: InForce) -> None:
    """What the figures assume: nothing for a folder, and a hand that is kept counts."""
    rules = in_force("md-uth", readings=LOSE)
    wagers = {"ante": 1000, "blind": 1000, "progressive": 100}
    board, dealer = parse_cards("6s 7s 8s 2c Kd"), parse_cards("Ah Ac")
    for said, paid in ((("check", "check", "fold"), 0), (("check", "check", "1x"), 30_000)):
        seats = (
            PlayedSeat(1, "envious", parse_cards("3h 4d"), wagers, said),
            PlayedSeat(2, "holder", parse_cards("9s Ts"), wagers, ("4x",)),
        )
        settled = settle(CompletedRound(seats, board, dealer), rules)
        lines = {line.wager: line.net for line in settled.seats[0].lines}
        assert lines.get("envy", 0) == paid


# -- the object -----------------------------------------------------------------------------------


def test_a_progressive_has_all_its_figures(in_force: InForce) -> None:
    rules = in_force("md-jackpot", readings=LOSE)
    found = analyze(rules, "progressive")
    standing = analyze(in_force("md-jackpot"), "progressive")
    assert found["house_edge"] > standing["house_edge"]  # type: ignore[operator]
    assert found["return_without_meters"] < standing["return_without_meters"]  # type: ignore[operator]
    assert set(found["meters"]) == set(standing["meters"])  # type: ignore[call-overload]
    last = found["outcomes"][-1]  # type: ignore[index]
    assert (last["hand"], last["pays"], last["net"]) == ("folded", {"loses": True}, -1.0)
