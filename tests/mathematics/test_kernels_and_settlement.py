"""Mathematics and settlement share no code: here they meet, outcome by outcome."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from croupier.cards import DECK, mask_of
from croupier.mathematics.counters.boards.games import ShowdownResult
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.game.payments import Payment, net_cents
from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions.sweep import (
    LOST,
    TIED,
    WON,
    TwoHandWager,
    side_wager,
)
from croupier.mathematics.side_wagers.columns import bits_of, columns_of
from croupier.ranking.fast import strengths
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, VersusPaytable
from tests.mathematics.changed import HARBOUR, RULEBOOKS
from tests.mathematics.dealt import (
    HOLDEM,
    STAKE,
    best_play,
    deal,
    every_play,
    rules_of,
    saying,
    solution_of,
    stakes_of,
)

MAIN = ("required", "decided")


def strength_of(*hands: tuple[int, ...]) -> int:
    mask = sum(1 << card for hand in hands for card in hand)
    return int(strengths(np.array([mask], np.uint64))[0])


def nets(played: CompletedRound, rules: Rules) -> dict[str, int]:
    return {line.wager: line.net for line in settle(played, rules).seats[0].lines}


def main_net(found: dict[str, int], rules: Rules) -> int:
    return sum(cents for name, cents in found.items() if rules.book.wagers[name].role in MAIN)


# -- the main games -------------------------------------------------------------------------------


@pytest.mark.parametrize("book", HOLDEM, ids=lambda book: book.split("/")[-1])
def test_settlement_pays_what_the_kernels_count(book: str) -> None:
    rules = rules_of(book)
    game = holdem_game(rules)
    chance = random.Random(f"payoffs {rules.book.id}")
    met: set[tuple[int, int]] = set()
    for number in range(400):
        played = deal(rules, chance, narrow=number % 4 > 0)
        own = strength_of(played.seats[0].cards, played.community)
        theirs = strength_of(played.dealer, played.community)
        low = int(theirs < game.qualifier)
        outcome = ShowdownResult((0 if own > theirs else 2 if own == theirs else 4) + low)
        met.add((outcome, own >> 8))
        for actions, multiple in every_play(rules):
            found = main_net(nets(saying(played, actions), rules), rules)
            if multiple is None:
                want = game.folded[0]
            else:
                want = int(game.required[outcome, own] + multiple * game.decided[0][outcome, own])
            assert found * game.scale == want * STAKE, (played, actions)
    assert len({outcome for outcome, _ in met}) >= 5


# -- side wagers, deal by deal --------------------------------------------------------------------


def cards_of(rules: Rules, name: str, played: CompletedRound) -> int:
    places = {"player": played.seats[0].cards, "community": played.community}
    places |= {"dealer": played.dealer, "box": played.box}
    mask = 0
    for text in rules.book.hands[name].cards:
        place, _, first = text.partition(":")
        mask |= mask_of(places[place][: int(first) if first else None])
    return mask


def paid_by_lines(rules: Rules, settles: VersusPaytable, played: CompletedRound) -> Payment:
    """What the counting of `sides` makes of one deal."""
    tests = line_tests(rules, settles)
    columns = {
        name: columns_of(
            rules.book.hands[name], np.array([cards_of(rules, name, played)], np.uint64)
        )
        for name in {settles.hand, *(leaf.hand for leaf in tests.leaves)}
    }
    return tests.ending(int(bits_of(tests.leaves, columns)[0])).pays


def side_net(rules: Rules, name: str, stake: int, played: CompletedRound) -> int | None:
    """The net of a side wager by the mathematics alone; None for those on other wagers."""
    wager = rules.book.wagers[name]
    if isinstance(wager.settles, AllWon):
        return None
    if isinstance(wager.settles, VersusPaytable):
        pays = paid_by_lines(rules, wager.settles, played)
        return net_cents(pays, stake, rules.resets, taken_before_deal=wager.taken_before_deal)
    own = strength_of(played.seats[0].cards, played.community)
    theirs = strength_of(played.dealer, played.community)
    placed = side_wager(rules, name)
    assert isinstance(placed, TwoHandWager)
    end = placed.ending(own, theirs, WON if own > theirs else TIED if own == theirs else LOST)
    return net_cents(end.pays, stake, rules.resets, taken_before_deal=wager.taken_before_deal)


@pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.split("/")[-1])
def test_every_side_wager_of_every_table_is_paid_as_counted(book: str) -> None:
    rules = rules_of(book)
    families = {
        name: tuple(rules.book.paytables[name]) if name in rules.chosen else ("",)
        for name, wager in rules.book.wagers.items()
        if wager.role == "optional"
    }
    chance = random.Random(f"sides {rules.book.id}")
    paid: Counter[str] = Counter()
    for turn in range(max(map(len, families.values()))):
        chosen = {name: ids[turn % len(ids)] for name, ids in families.items() if ids[0]}
        rules = rules_of(book, **chosen)
        stakes = stakes_of(rules)
        said = tuple(next(iter(d.bets)) for d in rules.book.decisions)
        said = said if rules.book.dealer is None else said[:1]
        for number in range(48):
            played = saying(deal(rules, chance, narrow=number % 8 > 0), said)
            found = nets(played, rules)
            for name in families:
                want = side_net(rules, name, stakes[name], played)
                assert want is None or found[name] == want, (name, chosen, played)
                paid[name] += found[name] > 0
    assert all(paid[name] for name in families)


@pytest.mark.parametrize(
    ("book", "wager", "table"),
    [("md-uth", "ultimate_pairs", table) for table in "ACDE"]
    + [("md-wpt", "pocket_bonus", "A"), (HARBOUR, "first_mates", "A")],
    ids=lambda value: value.split("/")[-1],
)
def test_all_starting_hands_are_counted_as_settled(book: str, wager: str, table: str) -> None:
    rules = rules_of(book, **{wager: table})
    say = next(iter(rules.book.decisions[0].bets))
    settled: Counter[int] = Counter()
    for own in combinations(DECK, 2):
        rest = [card for card in DECK if card not in own]
        played = saying(deal(rules, random.Random(0)), (say,))
        seat = played.seats[0]
        played = CompletedRound(
            (type(seat)(1, "p", own, seat.wagers, seat.actions),),
            tuple(rest[:5]),
            tuple(rest[5:7]),
            tuple(rest[7 : 7 + rules.book.cards.box]),
        )
        settled[nets(played, rules)[wager]] += 1
    analysis = analyze_wager(rules, wager, stake_cents=STAKE)
    counted: Counter[int] = Counter()
    for outcome in analysis.outcomes:
        counted[int(outcome.net * STAKE)] += outcome.combinations
    scale = analysis.combinations_total // 1326
    assert {net: n * scale for net, n in settled.items()} == {n: c for n, c in counted.items() if c}


# -- simulation -----------------------------------------------------------------------------------


class Tally:
    """Sums and squares of what a wager came to."""

    def __init__(self) -> None:
        self.count = self.sum = self.squares = 0

    def add(self, cents: int) -> None:
        self.count, self.sum = self.count + 1, self.sum + cents
        self.squares += cents * cents

    def z(self, mean: Fraction, variance: Fraction | None) -> float:
        if variance is None:
            variance = Fraction(self.squares, self.count) - Fraction(self.sum, self.count) ** 2
        return float(Fraction(self.sum, self.count) - mean) / sqrt(variance / self.count)


TOGETHER = {
    "md-uth": ("trips", "bad_beat", "play_the_board"),
    "ma-uth": ("trips", "cover_all", "progressive"),
    "md-jackpot": ("player_bonus", "progressive"),
    "md-wpt": ("trips_plus", "pocket_bonus"),
    "md-235": ("win_em_all", "progressive"),
}


@cache
def simulate(book: str, rounds: int) -> tuple[dict[str, Tally], Counter[int]]:
    """Every wager by itself, and how often the main game and those of TOGETHER come to what."""
    rules = rules_of(book)
    chance = random.Random(f"simulation {rules.book.id}")
    tallies: dict[str, Tally] = {}
    together: Counter[int] = Counter()
    for _ in range(rounds):
        played = deal(rules, chance)
        found = nets(saying(played, best_play(book, rules, played)), rules)
        parts = {"main": main_net(found, rules)}
        parts |= {n: cents for n, cents in found.items() if rules.book.wagers[n].role not in MAIN}
        for name, cents in parts.items():
            tallies.setdefault(name, Tally()).add(cents)
        together[parts["main"] + sum(parts[name] for name in TOGETHER.get(book, ()))] += 1
    return tallies, together


def expected(book: str, name: str) -> tuple[Fraction, Fraction | None]:
    """The exact mean and variance, in cents."""
    rules = rules_of(book)
    if name != "main":
        stake = stakes_of(rules)[name]
        analysis = analyze_wager(rules, name, stake_cents=stake)
        return analysis.expected_value * stake, analysis.variance * stake**2
    if rules.book.dealer is None:
        solved = solver_for(rules).figures()
        assert solved.standard_deviation is not None
        variance = Fraction(solved.standard_deviation) ** 2
        return solved.expected_value * STAKE, variance * STAKE**2
    game, solution = solution_of(book)
    if any(level.seen == 4 for level in game.levels):
        return solution.value * STAKE, None
    table = outcome_table(optimal_strategy(solution))
    assert table.value == solution.value
    return table.value * STAKE, table.variance * STAKE**2


def check_scores(book: str, rounds: int) -> None:
    tallies, _ = simulate(book, rounds)
    scores = {name: tally.z(*expected(book, name)) for name, tally in tallies.items()}
    print(book, rounds, {name: round(score, 2) for name, score in scores.items()})
    assert max(map(abs, scores.values())) < 4.5, scores


def check_together(book: str, rounds: int) -> None:
    """How often the wagers together come to each net: the correlations, not only the means."""
    _, found = simulate(book, rounds)
    rules = rules_of(book)
    stakes = stakes_of(rules)
    placed = {name: stakes[name] for name in (*rules.required, *TOGETHER[book])}
    exact = net_distribution(rules, placed)
    total = sum(exact.values())
    assert set(found) <= set(exact)
    ahead = sum(deals for net, deals in exact.items() if net > 0)
    seen = sum(times for net, times in found.items() if net > 0)
    pairs = [(ahead, seen)]
    pairs += [(deals, found[net]) for net, deals in exact.items() if deals * rounds >= 50 * total]
    scores = []
    for deals, times in pairs:
        chance = deals / total
        scores.append((times / rounds - chance) / sqrt(chance * (1 - chance) / rounds))
    print(book, rounds, "together", len(scores), max(map(abs, scores)))
    assert max(map(abs, scores)) < 4.5


FEW = 500
EVERY_BOOK = pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.split("/")[-1])


@EVERY_BOOK
def test_simulated_rounds_come_to_the_exact_values(book: str) -> None:
    check_scores(book, FEW)


@pytest.mark.parametrize("book", ["md-uth", "md-235"])
def test_simulated_wagers_fall_together_as_counted(book: str) -> None:
    check_together(book, FEW)


@pytest.mark.full
@EVERY_BOOK
def test_a_million_rounds_come_to_the_exact_values(book: str) -> None:
    check_scores(book, 1_000_000)
    if book in TOGETHER:
        check_together(book, 1_000_000)
