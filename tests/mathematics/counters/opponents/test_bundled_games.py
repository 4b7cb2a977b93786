"""The bundled games of hand against hand: published figures, advice, charts, sessions, wagers lost
with a fold."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.errors import BadCards, Unsolvable
from croupier.mathematics.counters.opponents.solver import versus_solution
from croupier.mathematics.counters.shapes import VERSUS
from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.registry import advise, analyze_wager, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.reports.charts import chart_svg
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.counters.opponents.games import in_force
from tests.mathematics.counters.opponents.test_figures import check_outcomes, three_card_poker

SMALL = ("three-card-poker", "crazy-4-poker")

PUBLISHED: dict[str, dict[str, float]] = {
    "three-card-poker": {"house_edge": 3.37},
    "caribbean-stud": {"house_edge": 5.224, "element_of_risk": 2.555, "2x": 52.23},
    "four-card-poker": {"house_edge": 2.79, "element_of_risk": 1.30},
    "crazy-4-poker": {"house_edge": 3.42, "element_of_risk": 1.09},
    "high-card-flush": {"fold": 32.14},
}
"""In per cent, to the digits that are printed."""
DIGITS = {("caribbean-stud", "house_edge"): 3, ("caribbean-stud", "element_of_risk"): 3}
FULL = ("caribbean-stud", "four-card-poker", "high-card-flush")


def rules_of(name: str) -> Rules:
    return put_in_force(open_rulebook(name), Submission())


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full if n in FULL else ()) for n in PUBLISHED]
)
def test_published_figures(name: str) -> None:
    rules = rules_of(name)
    assert solver_for(rules).shape is VERSUS
    found: dict[str, Any] = analyze(rules, "main")
    (said,) = found["decisions"].values()
    for figure, percent in PUBLISHED[name].items():
        exact = (found | said)[figure] * 100
        assert round(exact, DIGITS.get((name, figure), 2)) == percent, figure
    game = versus_solution(rules).game
    check_outcomes(solver_for(rules).figures(), game.deals)


@pytest.mark.full
def test_high_card_flush_counts_as_published() -> None:
    """The dealer qualifies in 75.36% of all rounds; 0.08% are played and push."""
    outcomes: Any = analyze(rules_of("high-card-flush"), "main")["outcomes"]
    total = comb(52, 7) * comb(45, 7)
    qualified = sum(o["combinations"] for o in outcomes if o["dealer_qualifies"])
    assert round(100 * qualified / total, 2) == 75.36
    ties = [o for o in outcomes if o["result"] == "tie" and o["dealer_qualifies"]]
    assert round(100 * sum(o["combinations"] for o in ties) / total, 2) == 0.08


def test_advice_on_what_the_dealer_shows() -> None:
    rules = rules_of("caribbean-stud")
    own = parse_cards("Ah Kd 9c 5s 2d")
    against_king = advise(rules, Situation(own, dealer=parse_cards("Kh")))
    against_nine = advise(rules, Situation(own, dealer=parse_cards("9h")))
    assert against_king.best == "fold"
    assert against_nine.values["2x"] > against_king.values["2x"] == Fraction(-204652, 163185)
    with pytest.raises(BadCards, match="1 dealer's card, not on 0"):
        advise(rules, Situation(own))
    with pytest.raises(BadCards, match="5 own cards, not on 4"):
        advise(rules, Situation(own[:4], dealer=parse_cards("Kh")))
    with pytest.raises(BadCards, match="no community cards"):
        advise(rules, Situation(own, parse_cards("2s"), dealer=parse_cards("Kh")))


def test_a_bet_that_the_hand_does_not_allow_is_not_advised() -> None:
    rules = rules_of("high-card-flush")
    four = advise(rules, Situation(parse_cards("Ah Kh Th 5h 2d 3d 4c")))
    assert set(four.values) == {"1x", "fold"}
    five = advise(rules, Situation(parse_cards("Ah Kh Th 5h 2h 3d 4c")))
    assert set(five.values) == {"1x", "2x", "fold"}
    assert five.best == "2x"


def test_the_chart_of_three_card_poker_is_the_known_rule() -> None:
    rules = rules_of("three-card-poker")
    grid = solver_for(rules).chart()
    rows = dict(zip(grid.row_names, grid.rows, strict=True))
    assert list(rows) == [
        "pair to straight flush",
        "high card Q64 to A",
        "high card 5 to Q63",
    ]
    actions = [[cell.action for cell in row] for row in grid.rows]
    assert actions == [["1x"], ["1x"], ["fold"]]
    assert not any(cell.mixed for row in grid.rows for cell in row)
    # The chart's cells hold every hand, and their best play is the game's value.
    cells = [cell for row in grid.rows for cell in row]
    assert sum(cell.combinations for cell in cells) == comb(52, 3)
    declined = [cell.values["fold"] + cell.worth for cell in cells]
    total = sum(v * c.combinations for v, c in zip(declined, cells, strict=True))
    assert total / comb(52, 3) == solver_for(rules).figures().expected_value


def test_the_chart_is_drawn_with_its_rows_and_columns() -> None:
    rules = rules_of("three-card-poker")
    best, skipped = solver_for(rules).decision_values()
    assert [(one.how, one.house_edge > best) for one in skipped] == [
        ("always 1x", True),
        ("always fold", True),
    ]
    drawn = chart_svg(solver_for(rules).chart(), best, skipped, "a chart")
    assert "high card 5 to Q63" in drawn
    assert "always fold" in drawn


@pytest.mark.parametrize("name", SMALL)
def test_wagers_placed_together_add_up(name: str) -> None:
    rules = rules_of(name)
    side = {"three-card-poker": "pair_plus", "crazy-4-poker": "queens_up"}[name]
    stakes = dict.fromkeys(rules.required, 1000)
    alone = net_distribution(rules, stakes)
    game = versus_solution(rules).game
    assert sum(alone.values()) == game.deals
    value = solver_for(rules).figures().expected_value
    assert _mean(alone) == 1000 * value
    together = net_distribution(rules, stakes | {side: 400})
    beside = analyze_wager(rules, side, stake_cents=400).expected_value
    assert _mean(together) == 1000 * value + 400 * beside


def _mean(nets: dict[int, int]) -> Fraction:
    return Fraction(sum(net * count for net, count in nets.items()), sum(nets.values()))


def test_wagers_on_other_cards_are_not_placed_together() -> None:
    rules = rules_of("three-card-poker")
    with pytest.raises(Unsolvable, match=r"six_card_bonus beside the main game.*settles\.hand"):
        net_distribution(rules, dict.fromkeys(rules.required, 1000) | {"six_card_bonus": 100})


def test_a_wager_lost_with_a_fold_is_worth_less_by_what_is_folded() -> None:
    """With a pair nobody folds, so Pair Plus is as good as ever; a high card's is lost anyway."""
    game = three_card_poker()
    lines = [{"hand": "pair", "pays": "1 to 1", "clause": "x"}]
    lines += [{"hand": "high_card", "pays": "push", "clause": "x"}]
    game["paytables"]["plus"] = {"only": {"clause": "x", "lines": lines}}
    settles = {"by": "paytable", "hand": "own", "paytable": "plus", "lost": "x"}
    plus = {"title": "x", "role": "optional", "clause": "x", "settles": settles}
    game["wagers"]["plus"] = plus | {"after_fold": "loses", "after_fold_clause": "x"}
    rules = in_force(game)
    found = analyze_wager(rules, "plus")
    counted = {outcome.hand: Fraction(outcome.combinations) for outcome in found.outcomes}
    folded = solver_for(rules).figures().decisions["play"]["fold"]
    assert counted["folded"] / found.combinations_total == folded
    assert counted["pair"] / found.combinations_total == Fraction(3744, 22100)
    played = counted["high_card"] / found.combinations_total
    assert played == Fraction(16440, 22100) - folded
    nets = net_distribution(rules, {"ante": 600, "plus": 100})
    value = solver_for(rules).figures().expected_value
    assert _mean(nets) == 600 * value + 100 * found.expected_value
