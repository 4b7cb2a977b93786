"""Wagers searched together: each table found is analyzed again from scratch."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import pytest

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.questions.design.search import Choice, Range, SearchResult, Wishes
from croupier.mathematics.questions.design.together import OpenWagers, search_together
from croupier.mathematics.questions.open_lines.open_table import OpenTable, read_varied
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions.over_rounds import mean_of, variance_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

ANY = (Fraction(-100), Fraction(100))

Opened: TypeAlias = tuple[str, str, *tuple[str, ...]]


def opened(book: str, stakes: dict[str, int], *tables: Opened) -> OpenWagers:
    rules = put_in_force(load_rulebook(book), Submission())
    lines = [
        OpenTable.of(rules, family, table, [read_varied(text) for text in texts])
        for family, table, *texts in tables
    ]
    return OpenWagers.of(rules, lines, stakes)


def filled(wagers: OpenWagers, choice: Choice) -> Rules:
    rules = wagers.rules
    for table, pays in zip(wagers.tables, choice, strict=True):
        rules = replace(table, rules=rules).filled(pays)
    return rules


def check_from_scratch(wagers: OpenWagers, found: SearchResult, times: int = 1) -> None:
    """`times` all stakes have no odd cents, so nothing is rounded."""
    assert found.tables
    assert not found.not_joined
    for one in found.tables:
        rules = filled(wagers, one.choice)
        figures = solver_for(rules).figures()
        wagered = figures.units_wagered * wagers.dollars("main")
        assert one.values["main"] == figures.expected_value
        for name in wagers.sides:
            alone = analyze_wager(rules, name, stake_cents=wagers.stakes[name])
            assert one.values[name] == alone.expected_value
            wagered += wagers.dollars(name)
        assert one.moments.wagered == wagered
        nets = net_distribution(rules, {n: cents * times for n, cents in wagers.stakes.items()})
        assert one.moments.value == mean_of(nets) / (100 * times)
        assert one.moments.variance == variance_of(nets) / (100 * times) ** 2
        ahead = sum(deals for net, deals in nets.items() if net > 0)
        assert one.moments.hits == Fraction(ahead, sum(nets.values()))


@pytest.mark.parametrize(
    ("book", "stakes", "tables", "times"),
    [
        (
            "three-card-poker",
            {"main": 1000, "pair_plus": 500},
            [
                ("pair_plus", "A", "flush=3..4:1/3", "straight=-1..5:6"),
                ("ante_bonus", "only", "straight=0..1"),
            ],
            3,
        ),
        (
            "let-it-ride",
            {"main": 100},
            [
                ("bets", "only", "flush=8..9"),
                ("three_card_bonus", "only", "flush=2..4:1/2"),
            ],
            2,
        ),
        pytest.param(
            "md-uth",
            {"main": 500, "trips": 100},
            [("blind", "A", "flush=1..2:1/2"), ("trips", "A", "flush=6..7", "straight=3..4")],
            1,
            marks=pytest.mark.full,
        ),
    ],
)
def test_every_combination_has_the_figures_of_a_fresh_analysis(
    book: str,
    stakes: dict[str, int],
    tables: list[Opened],
    times: int,
) -> None:
    wagers = opened(book, stakes, *tables)
    wishes = Wishes(deviation=(Fraction(0), Fraction(10**6)), best="hold", limit=10**6)
    found = search_together(wagers, wishes, {}, any_order=True)
    assert found.matches == found.searched == wagers.count
    check_from_scratch(wagers, found, times)
    holds = [one.moments.hold for one in found.tables]
    assert holds == sorted(holds)


def percent(low: Fraction | int, high: Fraction | int) -> Range:
    return Fraction(low) / 100, Fraction(high) / 100


PAIR_PLUS = ("pair_plus", "A", "flush=2..5", "straight=4..8")
BONUS = ("ante_bonus", "only", "straight=0..2")
STAKES = {"main": 1000, "pair_plus": 500}


def all_found() -> SearchResult:
    wagers = opened("three-card-poker", STAKES, PAIR_PLUS, BONUS)
    wishes = Wishes(hits=(Fraction(0), Fraction(1)), limit=10**6)
    return search_together(wagers, wishes, {}, any_order=True)


@pytest.mark.parametrize(
    ("wishes", "edges"),
    [
        (Wishes(hold=percent(1, 3), limit=10**6), {}),
        (
            Wishes(hold=(Fraction(0), Fraction(1))),
            {"pair_plus": (Fraction(2, 100), Fraction(5, 100))},
        ),
        (
            Wishes(deviation=(Fraction(26), Fraction(27)), best="deviation", limit=10**6),
            {"main": ANY},
        ),
        (
            Wishes(
                hits=(Fraction(449, 1000), Fraction(45, 100)), best="hit-frequency", limit=10**6
            ),
            {"main": (Fraction(0), Fraction(4, 100))},
        ),
    ],
)
def test_targets_pick_exactly_those_of_all_combinations(
    wishes: Wishes, edges: dict[str, Range]
) -> None:
    every = all_found().tables
    wagers = opened("three-card-poker", STAKES, PAIR_PLUS, BONUS)
    found = search_together(wagers, wishes, edges, any_order=True)
    fitting = {
        one.choice
        for one in every
        if not wishes.miss(one.moments)
        and wishes.besides(one.moments)
        and all(low <= -one.values[name] <= high for name, (low, high) in edges.items())
    }
    assert 0 < found.matches == len(fitting) < len(every)
    assert {one.choice for one in found.tables} <= fitting
    if wishes.limit > len(fitting):
        assert {one.choice for one in found.tables} == fitting


def test_none_found_has_the_nearest_by_the_hold() -> None:
    wagers = opened("three-card-poker", STAKES, PAIR_PLUS)
    wished = (Fraction(1, 1000), Fraction(11, 10000))
    found = search_together(wagers, Wishes(hold=wished), {})
    every = search_together(wagers, Wishes(hold=ANY, limit=10**6), {}).tables
    below, above = (one.moments.hold for one in found.nearest)
    assert not found.matches
    assert below == max(one.moments.hold for one in every if one.moments.hold < wished[0])
    assert above == min(one.moments.hold for one in every if one.moments.hold > wished[1])


def test_a_bonus_that_pays_0_is_a_bonus_without_the_line() -> None:
    wagers = opened("three-card-poker", {"main": 100}, BONUS)
    table = wagers.tables[0]
    dropped = table.filled((Fraction(0),)).paytable("ante_bonus")
    assert "straight" not in [line.hand for line in dropped.lines]
    assert table.pays_of((Fraction(0),))["straight"] == "not paid"


def test_wagers_that_cannot_be_joined_have_edges_and_say_why() -> None:
    """The box cards of Six Card Bonus are seen by no other wager."""
    stakes = {"main": 500, "trips": 100, "six_card_bonus": 100}
    wagers = opened("md-uth", stakes, ("trips", "A", "flush=6..7"))
    found = search_together(wagers, Wishes(hold=ANY), {})
    assert found.matches == 2
    assert "box" in found.not_joined
    assert not any(one.is_joined for one in found.tables)
    with pytest.raises(Unsolvable, match="box"):
        search_together(wagers, Wishes(deviation=(Fraction(0), Fraction(99))), {})


def test_what_is_not_bet_has_no_edge_and_too_much_is_refused() -> None:
    wagers = opened("three-card-poker", STAKES, PAIR_PLUS)
    with pytest.raises(BadRequest, match="pair_plus"):
        search_together(wagers, Wishes(hold=ANY), {"pair_plu": ANY})
    with pytest.raises(BadRequest, match="--most 20"):
        search_together(wagers, Wishes(hold=ANY), {}, most=19)


def test_odd_cents_are_multiplied_away() -> None:
    """A third of a unit on a stake of one dollar: the figures are of what is owed, unrounded."""
    wagers = opened(
        "three-card-poker", {"main": 100, "pair_plus": 100}, ("pair_plus", "A", "flush=10/3")
    )
    found = search_together(wagers, Wishes(hold=ANY), {})
    check_from_scratch(wagers, found, 3)
