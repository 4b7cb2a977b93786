"""Figures put together line by line are those of every filling solved by itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.questions import rounds
from croupier.mathematics.questions.design.search import (
    Wishes,
    moments_of,
    pricer_of,
    search,
    sensitivities,
)
from croupier.mathematics.questions.open_lines.by_line import (
    LinePricer,
    Moments,
    Pays,
    holdem_pricer,
    line_parts,
    slopes,
)
from croupier.mathematics.questions.open_lines.open_table import OpenTable, read_varied
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

EVERYTHING = Wishes((Fraction(-100), Fraction(100)), limit=10**6)


def opened(book: str, family: str, table: str, *texts: str) -> OpenTable:
    rules = put_in_force(load_rulebook(book), Submission(paytables={family: table}))
    return OpenTable.of(rules, family, table, [read_varied(text) for text in texts])


class Pub(LinePricer):
    """A game of twelve hands, three to a line and three to none. One folds (-1), or plays on and
    wins the line's pay with a chance of its own, else loses 2."""

    CHANCES = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 9))

    def __init__(self, *texts: str) -> None:
        self.table = opened("md-uth", "trips", "A", *texts)
        self.asked: Counter[Pays] = Counter()

    def counted(self, pays: Pays) -> dict[tuple[int, int], bool]:
        self.asked[pays] += 1
        return {
            (line, hand): chance * (pays[line] if line >= 0 else 1) - (1 - chance) * 2 >= -1
            for line, (hand, chance) in product(range(-1, len(pays)), enumerate(self.CHANCES))
        }

    def part(self, counted: dict[tuple[int, int], bool], pays: Pays, line: int) -> Moments:
        share = Fraction(1, 3 * (len(pays) + 1))
        value = squares = hits = Fraction(0)
        for hand, chance in enumerate(self.CHANCES):
            pay = pays[line] if line >= 0 else Fraction(1)
            if counted[line, hand]:
                value += share * (chance * pay - (1 - chance) * 2)
                squares += share * (chance * pay**2 + (1 - chance) * 4)
                hits += share * chance * (pay > 0)
            else:
                value -= share
                squares += share
        return Moments(value, squares, hits)


def test_between_two_solved_pays_nothing_is_guessed() -> None:
    """Folds change at pays of 2 and 7, and where both are as good the call counts."""
    pub = Pub("flush=0..12:1/2", "straight=0..12")
    parts = line_parts(pub)
    solved = sum(pub.asked.values())
    for pays in pub.table.candidates(any_order=True):
        counted = pub.counted(pays)
        found = [pub.part(counted, pays, line) for line in (-1, 0, 1)]
        assert parts.at(pays) == found[0].plus(found[1]).plus(found[2])
    assert solved < 25


def test_a_side_wager_is_counted_once() -> None:
    table = opened("md-uth", "trips", "A", "flush=6..8:1/2", "straight=0..4")
    found = search(table, "trips", EVERYTHING, any_order=True)
    assert found.searched == found.matches == 25
    for one in found.tables:
        alone = analyze_wager(table.filled(one.choice[0]), "trips")
        assert one.moments.value == alone.expected_value
        assert one.moments.variance == alone.variance
        assert one.moments.hits == alone.hit_frequency


@pytest.mark.parametrize(
    ("book", "family", "texts"),
    [
        ("three-card-poker", "ante_bonus", ("straight=1..3", "three_of_a_kind=2..6:2")),
        ("three-card-poker", "even_money", ("any_winning=1/2..2:1/2",)),
    ],
)
def test_hand_against_hand(book: str, family: str, texts: tuple[str, ...]) -> None:
    table = opened(book, family, "only", *texts)
    for one in search(table, "main", EVERYTHING, any_order=True).tables:
        rules = table.filled(one.choice[0])
        assert one.moments == moments_of(solver_for(rules).figures())


@pytest.mark.full
def test_games_solved_one_by_one_leave_nothing_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solution of hold'em on disk has 15 MB."""
    monkeypatch.setenv("CROUPIER_CACHE_DIR", str(tmp_path))
    table = opened("casino-holdem", "ante", "only", "flush=2..3")
    found = search(table, "main", EVERYTHING)
    assert not list(tmp_path.iterdir())
    for one in found.tables:
        assert one.moments == exactly(table, one.choice[0])


def exactly(table: OpenTable, pays: Pays) -> Moments:
    game = holdem_game(table.filled(pays))
    found = outcome_table(optimal_strategy(solve_holdem(game)))
    wagered = len(table.rules.required) + found.decided_units()
    squares = found.variance + found.value**2
    won = sum(deals for net, deals in found.distribution().items() if net > 0)
    return Moments(found.value, squares, Fraction(won, found.total), wagered)


@pytest.mark.parametrize(
    "texts",
    [
        ("flush=1..2", "straight=2"),
        pytest.param(("flush=1..2", "straight=1..2"), marks=pytest.mark.full),
    ],
)
def test_the_blind_is_put_together_from_its_lines(texts: tuple[str, ...]) -> None:
    table = opened("md-uth", "blind", "A", *texts)
    pricer = pricer_of(table, "main")
    assert pricer is not None
    pays = (Fraction(2), Fraction(2))
    assert line_parts(pricer).at(pays) == exactly(table, pays)


@pytest.mark.full
@pytest.mark.parametrize(
    ("book", "family", "texts"),
    [
        ("md-uth", "blind", ("four_of_a_kind=2..30:14", "flush=0..6:3", "straight=0..4:2")),
        ("md-wpt", "bad_beat_bonus", ("full_house=2..30:14", "four_of_a_kind=30..90:30")),
        ("md-jackpot", "x_tra_bonus", ("flush=1..7:3", "full_house=2..8:3")),
    ],
)
def test_every_filling_of_a_main_table(book: str, family: str, texts: tuple[str, ...]) -> None:
    table = opened(book, family, "A", *texts)
    pricer = holdem_pricer(table)
    assert pricer is not None
    parts = line_parts(pricer)
    for pays in table.candidates(any_order=True):
        assert parts.at(pays) == exactly(table, pays)


def test_the_sensitivities_of_the_blind() -> None:
    table = opened("md-uth", "blind", "A", "flush=1")
    found = sensitivities(table, "main")
    assert found is not None
    assert f"{float(found['straight']):.6f} {float(found['flush']):.6f}" == "0.037278 0.025715"


def test_a_game_that_folds_on_the_flop_is_solved_filling_by_filling() -> None:
    assert pricer_of(opened("casino-holdem", "ante", "only", "flush=2..3"), "main") is None
    # At what is printed there is nothing to prove, and a unit of each line has its worth.
    assert pricer_of(opened("casino-holdem", "ante", "only", "flush=2"), "main") is not None
    assert slopes(Pub("flush=7"))["flush"] == sum(Pub.CHANCES) / 6


@pytest.mark.parametrize(
    "moved",
    [("2", "3", "40"), pytest.param(("2", "3", "40", "5/2"), marks=pytest.mark.full)],
)
def test_a_pay_moved_about_has_the_figures_of_a_fresh_solve(moved: tuple[str, ...]) -> None:
    """Played as before, the deals are not counted again; played otherwise, they are."""
    rounds._counted.clear()
    counted = []
    for pay in moved:
        table = opened("md-uth", "blind", "A", f"flush={pay}")
        rules = table.filled(tuple(line.low for line in table.lines))
        found, _ = rounds.changed_figures(rules, ())
        counted.append(len(rounds._counted))
        with keeping_nothing():
            assert found == solver_for(rules).figures()
    assert counted[:2] == [1, 1]
