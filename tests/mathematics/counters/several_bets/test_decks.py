"""Hold'em from stripped decks and in other orders of the categories: the solver against dealing
out, and dealing out against the engine."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from croupier.cards import DECK, RANKS, Card, parse_cards
from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.counters.boards.numbering import deck_strengths
from croupier.mathematics.counters.boards.rulebook import holdem_solution, table_of
from croupier.mathematics.counters.shapes import HOLDEM
from croupier.mathematics.questions.advice import DealtOut
from croupier.mathematics.questions.registry import advise, analyze_wager, solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.lookup_tables import VALUES
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import HARBOUR, changed
from tests.params import few

SHORT = {
    "size": 5,
    "order": [
        *("royal_flush", "straight_flush", "four_of_a_kind", "flush", "full_house"),
        *("three_of_a_kind", "straight", "two_pair", "pair", "high_card"),
    ],
}
"""As short decks are ranked: a flush is rarer than a full house, and three of a kind than a
straight."""


def ranked(order: dict[str, Any]) -> dict[str, Any]:
    return {
        "rankings.short": order,
        "hands.final.ranking": "short",
        "hands.dealer.ranking": "short",
        "wagers.lighthouse": None,
        "paytables.lighthouse": None,
        "layout": None,
    }


GAMES: dict[str, dict[str, Any]] = {
    "36 cards": {"deck.ranks": "6789TJQKA"},
    "36 cards, a flush above a full house": {"deck.ranks": "6789TJQKA"} | ranked(SHORT),
    "ranks that do not follow each other": {"deck.ranks": "2468TQKA"},
}


@pytest.fixture(scope="module", params=few(GAMES, next(iter(GAMES))))
def rules(request: pytest.FixtureRequest) -> Rules:
    return changed(HARBOUR, GAMES[request.param])


def drawn(rules: Rules, chance: random.Random, number: int) -> list[Card]:
    deck = [card for card in DECK if RANKS[card.rank] in rules.book.deck.ranks]
    return chance.sample(deck, number)


def test_the_flop_is_worth_what_dealing_out_makes_of_it(rules: Rules) -> None:
    assert solver_for(rules).shape is HOLDEM
    solution, chance = holdem_solution(rules), random.Random(36)
    level = solution.game.level(3)
    assert level is not None
    for _ in range(4):
        cards = drawn(rules, chance, 5)
        said = ("check",) * (len(level.arriving[-1].said))
        found = advise(rules, Situation(cards[:2], cards[2:], said=said))
        dealt = DealtOut(solution.game, cards[:2], cards[2:])
        answers = level.leaving[-1]
        want = {path.said[-1][1]: dealt.value(path) for path in answers}
        assert found.values == want


@pytest.mark.parametrize("number", range(4))
def test_the_river_is_worth_what_the_engine_pays(rules: Rules, number: int) -> None:
    """All of the dealer's hands, settled by the engine."""
    chance = random.Random(f"river {number}")
    cards = drawn(rules, chance, 7)
    if number == 0 and rules.book.deck.ranks.startswith("6"):
        cards = list(parse_cards("Ah 6h 7d 8c 9s Ts 6c"))  # the ace is below the six
    own, board = tuple(cards[:2]), tuple(cards[2:])
    deck = [card for card in DECK if RANKS[card.rank] in rules.book.deck.ranks]
    left = [card for card in deck if card not in cards]
    last = rules.book.decisions[-1]
    said = ("check",) * (len(rules.book.decisions) - 1)
    found = advise(rules, Situation(own, board, said=said))
    wagers = dict.fromkeys(rules.required, 6000)
    for word in (*last.bets, last.otherwise):
        nets = []
        for theirs in combinations(left, 2):
            seat = PlayedSeat(1, "p", own, wagers, (*said, word))
            played = CompletedRound((seat,), board, theirs)
            nets.append(settle(played, rules).seats[0].net)
        assert found.values[word] == Fraction(sum(nets), len(nets) * 6000)


def test_the_table_of_outcomes_has_the_same_value(rules: Rules) -> None:
    table, value = table_of(rules), holdem_solution(rules).value
    nets = table.distribution()
    assert sum((net * deals for net, deals in nets.items()), Fraction(0)) == value * table.total


def test_rounds_played_by_the_engine_come_to_the_exact_figure(rules: Rules) -> None:
    chance, player = random.Random(9), solver_for(rules).player()
    nets = []
    for _ in range(1000):
        cards = drawn(rules, chance, 9)
        own, theirs, board = tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:])
        said: tuple[str, ...] = ()
        for decision in rules.book.decisions:
            shown = board[: decision.sees_community]
            said = (*said, player.answer(Situation(own, shown, said=said)))
            if said[-1] in ("fold", *decision.bets):
                break
        seat = PlayedSeat(1, "p", own, dict.fromkeys(rules.required, 6000), said)
        nets.append(settle(CompletedRound((seat,), board, theirs), rules).seats[0].net / 6000)
    table = table_of(rules)
    square = sum((n * n * deals for n, deals in table.distribution().items()), Fraction(0))
    value = holdem_solution(rules).value
    deviation = float(square / table.total - value**2) ** 0.5
    assert abs(sum(nets) / len(nets) - float(value)) < 4 * deviation / len(nets) ** 0.5


def test_no_chart_of_hands_that_are_not_in_the_deck(rules: Rules) -> None:
    with pytest.raises(BadRequest, match="52 cards"):
        solver_for(rules).chart()


def test_a_bonus_in_another_ranking_than_the_dealers_is_refused() -> None:
    bonus = {"title": "More", "on": "ante", "hand": "usual", "paytable": "anchor", "clause": "x"}
    usual = {"cards": ["community", "player"], "ranking": "five_card", "clause": "x"}
    changes = ranked(SHORT) | {"bonuses.more": bonus, "hands.usual": usual}
    with pytest.raises(Unsolvable, match="ranked like the dealer's"):
        solver_for(changed(HARBOUR, changes))


def test_side_wagers_from_a_stripped_deck_are_counted() -> None:
    found = analyze_wager(changed(HARBOUR, {"deck.ranks": "6789TJQKA"}), "first_mates")
    assert found.combinations_total == 36 * 35 // 2


def test_the_usual_ranking_has_the_usual_strengths() -> None:
    """The tables made of any ranking, where they are known."""
    found = deck_strengths(ByCategories(CATEGORY_NAMES[::-1], size=5))
    assert set(found.values.tolist()) <= set(VALUES.tolist())
    assert len(found.values) == 4824


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ({"size": 5, "order": ["straight", "flush", "pair", "high_card"]}, "cards.community"),
        ({"size": 5, "order": ["straight", "pair", "high_card"]}, "cards.community"),
        ({"size": 4, "order": ["flush", "straight", "pair", "high_card"]}, "cards.community"),
        ({"by": "longest_suit"}, "cards.community"),
    ],
)
def test_other_rankings_are_refused_on_a_board_of_five(order: dict[str, Any], field: str) -> None:
    changes = ranked(order) | {"dealer.at_least": "high_card", "dealer.of": ""}
    if order.get("by"):
        changes["dealer.at_least"] = "two_card_flush"
    with pytest.raises(Unsolvable, match="cannot be solved exactly") as refused:
        solver_for(changed(HARBOUR, changes))
    assert field in refused.value.message
