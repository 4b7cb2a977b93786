"""Several wagers decided in play, with cards seen: against dealing out every card of a few."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Path, Question, payoffs
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.hand_values import FULL_DECK
from croupier.mathematics.questions.information.bets_knowing import is_solved
from croupier.mathematics.questions.information.holdem_knowing import (
    solve_one_case,
    solve_sharing_a_hand,
    solve_with_dealers_card,
)
from croupier.mathematics.questions.registry import figures_knowing, solver_for
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.questions.information.test_cards_of_hands import (
    SMALL,
    cards_of,
    few_cards,
    showdown,
)
from tests.params import few

FOLD_FIRST = Question(0, 0, (("2x", 2),), "fold", True)
CHECK_AT_FLOP = Question(3, 1, (("1x", 1),), "check", False)
CHECK_AT_TURN = Question(4, 2, (("1x", 1), ("3x", 3)), "check", False)
FOLD_AT_TURN = Question(4, 2, (("1x", 1),), "fold", True)
AT_RIVER = Question(5, 2, (("1x", 1), ("2x", 2)), "check", False)
AFTER_A_CARD = Question(1, 0, (("2x", 2),), "check", False)

BONUS = (FOLD_FIRST, CHECK_AT_FLOP, CHECK_AT_TURN)  # as Texas Hold'em Bonus, and a bet more
TO_THE_RIVER = (FOLD_FIRST, CHECK_AT_FLOP, AT_RIVER)
FOLDING_LATE = (AFTER_A_CARD, CHECK_AT_FLOP, FOLD_AT_TURN)
# One wager, as Ultimate Texas Hold'em is with a card of turn and river seen.
ONE_WAGER = (
    Question(1, 0, (("4x", 4), ("3x", 3)), "check", False),
    Question(4, 0, (("2x", 2),), "check", False),
    Question(5, 0, (("1x", 1),), "fold", True),
)
ONLY_AT_TURN = (Question(4, 0, (("1x", 1),), "fold", True),)


def a_game(seed: int, questions: tuple[Question, ...], deck: int = SMALL) -> HoldemGame:
    """With any payoffs at all, the same for all wagers that are decided in play."""
    random = np.random.default_rng(seed)
    rows = random.integers(-3, 6, size=(12, STRENGTHS))
    wagers = len({question.wager for question in questions})
    return HoldemGame(
        questions,
        payoffs(list(rows[:6])),
        (payoffs(list(rows[6:])),) * wagers,
        folded=(-1,) * (wagers + 1),
        qualifier=int(random.integers(1000, 4000)),
        deck=deck,
    )


class DealtOut:
    """Nothing is counted in classes here."""

    def __init__(self, game: HoldemGame, cards: Sequence[int], held: Sequence[int] = ()) -> None:
        self.game, self.cards, self.held = game, cards, held
        self.unit = game.decided[0]
        self._found: dict[tuple[tuple[int, ...], frozenset[int], Path], Fraction] = {}

    def value(self) -> Fraction:
        hands, start = list(combinations(self.cards, 2)), self.game.levels[0].arriving[0]
        total = sum((self.after(own, (), start) for own in hands), Fraction(0))
        return total / len(hands) / self.game.scale

    def after(self, own: tuple[int, ...], board: tuple[int, ...], path: Path) -> Fraction:
        """In whatever order the board came, it is the same board."""
        asked = (own, frozenset(board), path)
        if asked not in self._found:
            self._found[asked] = self._best(own, board, path)
        return self._found[asked]

    def _best(self, own: tuple[int, ...], board: tuple[int, ...], path: Path) -> Fraction:
        level = self.game.level(len(board))
        answers = level.leaving[level.arriving.index(path)] if level else (path,)
        return max(self.worth(own, board, answer) for answer in answers)

    def worth(self, own: tuple[int, ...], board: tuple[int, ...], path: Path) -> Fraction:
        if path.folded:
            return Fraction(self.game.fold(path.bets))
        if len(board) == 5:
            a, b = showdown(self, own, tuple(sorted(board)))
            return a + sum(path.bets) * b
        more = {0: 1 if self.game.level(1) else 3, 1: 2, 3: 1, 4: 1}[len(board)]
        cards = combinations(self.left([*own, *board]), more)
        values = [self.after(own, (*board, *new), path) for new in cards]
        return sum(values, Fraction(0)) / len(values)

    def left(self, gone: Sequence[int]) -> list[int]:
        return [card for card in self.cards if card not in gone]


@pytest.mark.parametrize(
    ("seed", "questions", "held"),
    [
        (1, BONUS, 1),
        (4, FOLDING_LATE, 2),
        (10, ONE_WAGER, 1),
        pytest.param(11, ONE_WAGER, 0, marks=pytest.mark.full),
        pytest.param(2, BONUS, 2, marks=pytest.mark.full),
        pytest.param(3, TO_THE_RIVER, 1, marks=pytest.mark.full),
        pytest.param(5, BONUS, 0, marks=pytest.mark.full),
        pytest.param(6, FOLDING_LATE, 0, marks=pytest.mark.full),
        pytest.param(7, FOLDING_LATE, 1, marks=pytest.mark.full),
        pytest.param(8, ONLY_AT_TURN, 1, marks=pytest.mark.full),
        pytest.param(9, TO_THE_RIVER, 0, marks=pytest.mark.full),
    ],
)
def test_every_card_dealt_out(seed: int, questions: tuple[Question, ...], held: int) -> None:
    """Nine cards of a full deck, many of them hearts; all others have been seen."""
    game = a_game(seed, questions, FULL_DECK)
    cards = few_cards(seed, 9)
    dealers, left = cards[3 : 3 + held], [*cards[:3], *cards[3 + held :]]
    gone = tuple(card for card in range(52) if card not in cards)
    found = solve_one_case(game, gone, tuple(dealers))
    assert found == DealtOut(game, left, dealers).value()


@pytest.mark.parametrize("questions", [BONUS, TO_THE_RIVER, FOLDING_LATE, ONLY_AT_TURN, ONE_WAGER])
def test_nothing_seen_is_the_game_itself(questions: tuple[Question, ...]) -> None:
    game = a_game(14, questions)
    assert solve_one_case(game, (), ()) == solve_holdem(game).value


def test_one_card_of_the_dealers_by_rank() -> None:
    game = a_game(13, BONUS)
    found = solve_with_dealers_card(game)
    values = {case.name: case.value for case in found.by_cards}
    left = [card for card in cards_of(SMALL) if card != 8]
    assert values["T"] == DealtOut(game, left, (8,)).value()
    assert found.value == sum(values.values()) / 3
    for case in found.by_cards:
        stays = case.bets[0, 2]
        assert stays + case.bets[0, 0] == 1
        assert case.bets[3, 1] + case.bets[3, 0] == stays
        assert case.bets[4, 1] + case.bets[4, 3] + case.bets[4, 0] == stays


@pytest.mark.full
def test_another_players_hand() -> None:
    game = a_game(12, BONUS)
    found = {case.name: case.value for case in solve_sharing_a_hand(game).by_cards}
    for name, pair in (("AA", (12, 25)), ("T4o", (8, 15))):
        left = [card for card in cards_of(SMALL) if card not in pair]
        assert found[name] == DealtOut(game, left).value()


@pytest.mark.parametrize("seed", few(range(6), 0, 1, 2))
def test_decisions_drawn_at_random(seed: int) -> None:
    """Any streets, folds, multiples, wagers asked twice; nobody may decline, but on five cards."""
    chance = random.Random(seed)
    questions: list[Question] = []
    streets = [*chance.choice(((), (0,), (1,))), *chance.sample((3, 4, 5), 2)]
    for seen in sorted(streets):
        wagers = len({question.wager for question in questions})
        wager = chance.randrange(wagers) if wagers and chance.random() < 0.25 else wagers
        bets = tuple((f"{k}x", k) for k in chance.sample((1, 2, 3, 4), chance.choice((1, 2))))
        folds = seen < 5 and chance.random() < 0.4
        word = "fold" if folds else "" if seen < 5 and chance.random() < 0.2 else "check"
        questions.append(Question(seen, wager, bets, word, folds))
    game, cards = a_game(seed, tuple(questions), FULL_DECK), few_cards(seed, 9)
    game = replace(game, folded=tuple(chance.randint(-3, 1) for _ in game.folded))
    gone = tuple(card for card in range(52) if card not in cards)
    found = solve_one_case(game, gone, (cards[3],))
    assert found == DealtOut(game, [*cards[:3], *cards[4:]], (cards[3],)).value()


def test_a_bet_on_all_cards_can_be_declined() -> None:
    """Otherwise the sums over runouts, which may always leave it out, would not be the game's."""
    with pytest.raises(ValueError, match="can be declined"):
        a_game(1, (FOLD_FIRST, Question(5, 1, (("2x", 2),), "", False)))


def test_wagers_that_pay_otherwise_are_not_solved_so() -> None:
    game = a_game(1, BONUS)
    other = replace(game, decided=(*game.decided[:2], game.decided[2] + 1))
    assert is_solved(game)
    assert not is_solved(other)
    late = Question(5, 2, (("1x", 1),), "fold", True)
    assert not is_solved(a_game(1, (FOLD_FIRST, CHECK_AT_FLOP, late)))


@pytest.mark.full
def test_texas_holdem_bonus_with_a_card_of_the_dealers() -> None:
    rules = put_in_force(load_rulebook("texas-holdem-bonus"), Submission())
    found = figures_knowing(rules, {"dealer": 1})
    assert found.expected_value == Fraction(1057899189443, 13906905012000)
    said = found.decisions
    assert said["preflop"]["2x"] == sum(said["flop"].values()) == sum(said["turn"].values())


@pytest.mark.full
def test_texas_holdem_bonus_with_shared_hands_is_sampled() -> None:
    rules = put_in_force(load_rulebook("texas-holdem-bonus"), Submission())
    found = solver_for(rules).figures_sharing(5, 2)
    assert found.samples == 2
    assert found.standard_error is not None


def test_what_is_out_of_reach_is_told_shortly() -> None:
    rules = put_in_force(load_rulebook("texas-holdem-bonus"), Submission())
    with pytest.raises(Unsolvable) as told:
        figures_knowing(rules, {"dealer": 1, "flop": 2})
    assert "decisions about one of them on the same cards" in told.value.message
    assert len(told.value.message) < 400
