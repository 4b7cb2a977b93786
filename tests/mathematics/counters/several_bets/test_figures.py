"""Texas Hold'em Bonus: its figures as published, what the best play says, and rounds that the
engine plays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.errors import BadCards, BadRequest, CroupierError
from croupier.mathematics.counters.boards.rulebook import holdem_solution, table_of
from croupier.mathematics.counters.shapes import HOLDEM
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.advice import DealtOut
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Player, Situation
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.mathematics.dealt import rules_of

BOOK = "texas-holdem-bonus"
PRICE = Fraction(40398999119, 6953452506000)
"""Of the shipped strategy: what it loses in a round."""


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_of(BOOK)


@pytest.fixture(scope="module")
def figures(rules: Rules) -> MainFigures:
    return solver_for(rules).figures()


def test_the_published_figures(rules: Rules, figures: MainFigures) -> None:
    assert solver_for(rules).shape is HOLDEM
    assert figures.expected_value == Fraction(-578107733, 28381438800)
    assert round(float(figures.units_wagered), 4) == 3.8181
    other = holdem_solution(rules_of(BOOK, ante="ac"))
    assert other.value == Fraction(-19447087313, 347672625300)


def test_decisions_add_up(figures: MainFigures) -> None:
    said = figures.decisions
    assert sum(said["preflop"].values()) == 1
    assert sum(said["flop"].values()) == sum(said["turn"].values()) == said["preflop"]["2x"]
    assert said["preflop"]["fold"] == Fraction(10, 221)
    units = 1 + 2 * said["preflop"]["2x"] + said["flop"]["1x"] + said["turn"]["1x"]
    assert units == figures.units_wagered


def test_the_table_of_outcomes_has_the_same_value(rules: Rules, figures: MainFigures) -> None:
    table = table_of(rules)
    nets = table.distribution()
    mean = sum((net * deals for net, deals in nets.items()), Fraction(0)) / table.total
    assert mean == figures.expected_value
    assert sum(int(str(outcome["combinations"])) for outcome in figures.outcomes) == table.total


@pytest.mark.parametrize(
    ("own", "flop"), [("Ah Kd", "2c 7d 9s"), ("7c 2d", "7d 9s Jh"), ("5h 6h", "7h 8h Ks")]
)
def test_the_flop_is_worth_what_dealing_out_makes_of_it(rules: Rules, own: str, flop: str) -> None:
    """Which shares no code with the solver."""
    solution = holdem_solution(rules)
    hole, board = parse_cards(own), parse_cards(flop)
    found = advise(rules, Situation(hole, board, said=("2x",)))
    dealt = DealtOut(solution.game, hole, board)
    level = solution.game.level(3)
    assert level is not None
    (answers,) = level.leaving
    assert list(found.values.values()) == [dealt.value(path) for path in answers]


def test_what_was_said_before_counts(rules: Rules) -> None:
    hole, board = parse_cards("Ah Kd"), parse_cards("Ac 7d 9s 2c")
    bet = advise(rules, Situation(hole, board, said=("2x", "1x")))
    checked = advise(rules, Situation(hole, board, said=("2x", "check")))
    best = advise(rules, Situation(hole, board))
    assert (bet.decision, bet.best) == ("turn", "1x")
    assert bet.values != checked.values
    assert best == bet, "at the flop the best play had bet"
    assert bet.values["1x"] - bet.values["check"] == checked.values["1x"] - checked.values["check"]


@pytest.mark.parametrize(
    ("own", "community", "more"),
    [
        ("Ah", "", {}),
        ("Ah Kd", "2c 7d", {}),
        ("Ah Kd", "2c 7d 9s", {"said": ("fold",)}),
        ("Ah Kd", "2c 7d 9s", {"said": ("2x", "1x")}),
        ("Ah Kd", "2c 7d 9s", {"said": ("4x",)}),
        ("Ah Kd", "2c 7d 9s", {"decision": "turn"}),
        ("Ah Kd", "2c 7d 9s", {"decision": "river"}),
        ("Ah Kd", "2c 7d 9s 3d", {"said": ("2x",)}),
        ("Ah Kd", "2c 7d Ah", {}),
        ("Ah Kd", "", {"known": parse_cards("2c")}),
    ],
)
def test_questions_that_make_no_sense(
    rules: Rules, own: str, community: str, more: dict[str, Any]
) -> None:
    with pytest.raises(CroupierError) as refused:
        advise(rules, Situation(parse_cards(own), parse_cards(community))._replace(**more))
    assert isinstance(refused.value, BadCards) or refused.value.code in (
        "unknown_name",
        "bad_cards",
    )


def test_what_is_not_worked_out_is_refused_in_words(rules: Rules) -> None:
    with pytest.raises(BadRequest, match="is drawn for up to three"):
        solver_for(rules).chart("turn")


def test_the_chart_of_the_flop_is_the_mean_of_its_situations(rules: Rules) -> None:
    """Before the flop a raise is worth the better of the two answers on the flop, on average."""
    deal, flop = solver_for(rules).chart(), solver_for(rules).chart("flop")
    assert flop.mixed
    for before, after in zip(deal.cells(), flop.cells(), strict=True):
        assert before.values["2x"] == after.values["check"] + after.worth


@pytest.mark.full
def test_the_shipped_strategy_costs_little(rules: Rules) -> None:
    """Its price is the mean of rounds played by the engine, too."""
    (name,) = shipped_for(BOOK)
    plan = open_strategy(name, solver_for(rules).choices())
    found = solver_for(rules).price(plan, mistakes=0)
    assert found.losses["preflop"] == 0
    assert sum(found.losses.values()) == found.cost == PRICE
    nets = [net / 1000 for net in rounds(rules, solver_for(rules).following(plan), 4000)]
    off = sum(nets) / len(nets) - float(found.value)
    assert abs(off) < 4 * found.standard_deviation / sqrt(len(nets))


def test_wagers_in_cents_come_to_the_same(rules: Rules, figures: MainFigures) -> None:
    nets = net_distribution(rules, {"ante": 500})
    mean = Fraction(sum(net * deals for net, deals in nets.items()), sum(nets.values()) * 500)
    assert mean == figures.expected_value
    won = sum(deals for net, deals in nets.items() if net > 0)
    assert Fraction(won, sum(nets.values())) == figures.hit_frequency


def test_the_chart_of_starting_hands(rules: Rules) -> None:
    """As printed everywhere: only a two with a seven or less of another suit is folded."""
    cells = solver_for(rules).chart().cells()
    folded = {cell.hand for cell in cells if cell.action == "fold"}
    assert folded == {"72o", "62o", "52o", "42o", "32o"}
    assert sum(cell.combinations for cell in cells) == 1326


@pytest.mark.full
def test_what_each_decision_is_worth(rules: Rules) -> None:
    best, skipped = solver_for(rules).decision_values()
    assert [each.how for each in skipped] == ["always 2x", "always check", "always check"]
    assert all(best < each.house_edge for each in skipped)


def rounds(rules: Rules, player: Player, number: int) -> Iterator[int]:
    """The nets of rounds that a player plays and the engine settles, in antes of ten."""
    chance = random.Random(12)
    for _ in range(number):
        cards: list[Card] = chance.sample(DECK, 9)
        own, theirs, board = tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:])
        said: tuple[str, ...] = ()
        for decision in rules.book.decisions:
            shown = board[: decision.sees_community]
            said = (*said, player.answer(Situation(own, shown, said=said)))
            if said[-1] == "fold":
                break
        seat = PlayedSeat(1, "p", own, {"ante": 1000}, said)
        yield settle(CompletedRound((seat,), board, theirs), rules).seats[0].net


def test_the_player_says_what_advice_says(rules: Rules) -> None:
    chance, player = random.Random(3), solver_for(rules).player()
    for _ in range(12):
        cards: list[Card] = chance.sample(DECK, 6)
        for shown, said in ((0, ()), (3, ("2x",)), (4, ("2x", "1x")), (4, ("2x", "check"))):
            seen = Situation(cards[:2], cards[2 : 2 + shown], said=said)
            assert player.answer(seen) == advise(rules, seen).best


def test_rounds_played_by_the_engine_come_to_the_exact_figure(
    rules: Rules, figures: MainFigures
) -> None:
    nets = [net / 1000 for net in rounds(rules, solver_for(rules).player(), 5000)]
    mean = sum(nets) / len(nets)
    z = (mean - float(figures.expected_value)) / (figures.standard_deviation / len(nets) ** 0.5)
    assert abs(z) < 4
