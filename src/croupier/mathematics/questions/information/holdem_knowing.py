"""Hold'em's value to a player who has seen cards of the dealer's or of other players'.

Each set of cards seen is a solve of its own (`removed_cards`). One card of the dealer's has 13
cases up to suits, two cards have 169: those are all solved. Two and more shared hands are sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.kernels.threads import cores
from croupier.mathematics.questions.information.bets_knowing import BetsSolving, is_solved
from croupier.mathematics.questions.information.seen_cards import (
    DEALER,
    DRAWS_SEED,
    Bets,
    Cards,
    KnowingFigures,
    SeenCase,
    SeenValue,
    asked_to_know,
    exact_value,
    not_worked_out,
    rules_seeing,
    sampled_value,
)
from croupier.mathematics.questions.strategies.grid import hand_name, members_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, Rulebook
from croupier.workers import workers


def figures_with_dealers_cards(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    """Return the figures with one card of the dealer's seen, or both, and possibly one of the
    board's."""
    board = {name: count for name, count in knows.items() if name != DEALER}
    book = rules_seeing(rules, board).book if board else rules.book
    game = _game_seeing(rules, book, asked_to_know(knows))
    reached = _decisions(book, game)
    solve = solve_with_dealers_card if knows[DEALER] == 1 else solve_with_dealers_hand
    return _figures(reached, solve(game, takes_first=rules.takes_first))


def figures_sharing(rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
    """Return the figures with the hands of `hands` other players seen."""
    game = _game_seeing(rules, rules.book, f"--shares {hands}")
    reached = _decisions(rules.book, game)
    if hands == 1:
        return _figures(reached, solve_sharing_a_hand(game, takes_first=rules.takes_first))
    seen = solve_sharing_hands(game, hands, samples, seed, takes_first=rules.takes_first)
    return _figures(reached, seen)


def _decisions(book: Rulebook, game: HoldemGame) -> tuple[Decision, ...]:
    """Return the decisions at which some path arrives."""
    reached = {number for path in game.paths for number, _ in path.said}
    return tuple(book.decisions[number] for number in sorted(reached))


def _figures(reached: Sequence[Decision], seen: SeenValue) -> KnowingFigures:
    """Return the figures; the river's decisions are not counted."""
    return KnowingFigures(
        seen.value,
        {each.name: _shares(each, seen.bets) for each in reached if each.sees_community < 5},
        by_card={case.name: (case.value, _shares(reached[0], case.bets)) for case in seen.by_cards},
        standard_error=seen.standard_error,
        samples=seen.samples,
    )


def _shares(decision: Decision, bets: Bets) -> dict[str, Fraction]:
    """Return how often each word is said, as a share of all rounds."""
    words = {**decision.bets, decision.otherwise: 0}
    return {
        word: bets.get((decision.sees_community, multiple), Fraction(0))
        for word, multiple in words.items()
    }


def _game_seeing(rules: Rules, book: Rulebook, words: str) -> HoldemGame:
    """Return the game of the rules with the decisions of `book`, which see more."""
    game = holdem_game(rules)
    questions = zip(game.questions, book.decisions, strict=True)
    moved = tuple(question._replace(seen=each.sees_community) for question, each in questions)
    game = replace(game, questions=moved)
    if not is_solved(game):
        why = (
            "beside cards of the dealer's or of other players, wagers are solved that pay alike, "
            "with decisions about one of them on the same cards: on no community card or one, on "
            "three, four and five"
        )
        raise not_worked_out(rules, words, why)
    return game


# -- the game solved with cards seen; bets[seen, multiple] come before the river, 0 is declining --


def solve_with_dealers_card(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """Return the value with one of the dealer's cards seen. Of equally good actions the first
    offered is taken, or the last if not `takes_first`; that changes the bets, never the value."""
    ranks = [rank for rank in range(13) if game.deck >> rank & 1]
    solved = _solved(game, takes_first, [((), (rank,)) for rank in ranks])
    pairs = zip(ranks, solved, strict=True)
    return exact_value([SeenCase(RANKS[rank], 4, *each) for rank, each in pairs])


def solve_with_dealers_hand(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """Return the value with both of the dealer's cards seen."""
    return _by_starting_hand(game, takes_first, held=True)


def solve_sharing_a_hand(game: HoldemGame, *, takes_first: bool = True) -> SeenValue:
    """Return the value with both cards of another player seen."""
    return _by_starting_hand(game, takes_first, held=False)


def solve_sharing_hands(
    game: HoldemGame, hands: int, samples: int, seed: int = DRAWS_SEED, *, takes_first: bool = True
) -> SeenValue:
    """Return the value with several other hands seen: the mean over random ones."""
    deck = [card for card in range(52) if game.deck >> card % 13 & 1]
    return sampled_value(deck, 2 * hands, samples, seed, partial(_solved_gone, game, takes_first))


def solve_one_case(game: HoldemGame, gone: Cards, held: Cards) -> Fraction:
    """Return the value with these cards of others seen, and these of the dealer's."""
    return _solved(game, True, [(gone, held)])[0][0]


def _by_starting_hand(game: HoldemGame, takes_first: bool, *, held: bool) -> SeenValue:
    hands = list(_hands(game))
    seen = [((), cards) if held else (cards, ()) for _, _, cards in hands]
    pairs = zip(hands, _solved(game, takes_first, seen), strict=True)
    return exact_value([SeenCase(name, weight, *each) for (name, weight, _), each in pairs])


def _hands(game: HoldemGame) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Return the starting hands by name, with the number of such hands and the cards of one."""
    for row in range(13):
        for column in range(13):
            if game.deck >> 12 - row & 1 and game.deck >> 12 - column & 1:
                members = members_of(row, column)
                yield hand_name(row, column), len(members), members[0]


class _Piece(NamedTuple):
    game: HoldemGame
    takes_first: bool
    gone: Cards
    held: Cards


def _solved_gone(
    game: HoldemGame, takes_first: bool, gone: Sequence[Cards]
) -> list[tuple[Fraction, Bets]]:
    return _solved(game, takes_first, [(cards, ()) for cards in gone])


def _solved(
    game: HoldemGame, takes_first: bool, seen: Sequence[tuple[Cards, Cards]]
) -> list[tuple[Fraction, Bets]]:
    """Return the value and the bets with these cards of others and of the dealer's seen."""
    assert is_solved(game)
    try:
        return list(workers().map(_solve, [_Piece(game, takes_first, *cards) for cards in seen]))
    finally:
        _solving.cache_clear()


def _solve(piece: _Piece) -> tuple[Fraction, Bets]:
    solving = _solving(piece.game, cores(), piece.takes_first)
    return solving.with_seen(piece.gone, piece.held)


@lru_cache(maxsize=1)
def _solving(game: HoldemGame, threads: int, takes_first: bool) -> BetsSolving:
    return BetsSolving(game, threads, takes_first)
