"""The beaten hand and the highest hand in other decks and rankings: every deal of a small deck,
settled by the engine, comes to what was counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from croupier.cards import DECK, Card, mask_of
from croupier.errors import Unsolvable
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.by_strength import _beaten, seven_card_strengths
from croupier.mathematics.side_wagers.highest import ways_below
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.categories import CATEGORIES, order_problems
from croupier.ranking.ranking import Ranking
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rankings import names_of, ranking_of
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import HARBOUR, changed, lines
from tests.mathematics.changed import dealt as dealt_in

STAKE = 1200
PAYS = ("1 to 1", "3 to 2", "20 to 1", "9 for 1", "$50", "push")
BEATEN = {"by": "either_hand_beaten", "hand": "final", "paytable": "lighthouse", "lost": "x"}
HIGHEST = {"by": "highest_hand", "hand": "final", "paytable": "lighthouse", "lost": "x"}


def game(
    ranks: str, settles: dict[str, Any], chance: random.Random, described: dict[str, Any] | None
) -> Rules:
    """Harbour Hold'em with the ranks in another deck, in a ranking of its own if one is described,
    and a table of random lines."""
    changes: dict[str, Any] = dealt_in({"flop": 3, "turn": 1, "river": 1}) | {
        "deck": {"ranks": ranks, "clause": "x"},
        "positions.most": 2,
        "dealer": {"hand": "dealer", "clause": "x"},
        "wagers.lighthouse.settles": settles,
    }
    names = list(names_of(changed(HARBOUR, {}).book, "five_card"))
    if described is not None:
        changes |= {"rankings.own": described | {"clause": "x"}}
        changes |= {f"hands.{name}.ranking": "own" for name in ("final", "dealer")}
        names = [*described.get("order", ()), "high_card"]
        if described.get("by") == "longest_suit":
            names = ["three_card_flush", "two_card_flush"]
        changes["paytables.anchor.A.lines"] = lines((names[0], "2 to 1"))
    paid = chance.sample(names, min(len(names), chance.randint(1, 4)))
    table = lines(*((name, chance.choice(PAYS)) for name in paid))
    tables = {number: {"clause": "x", "lines": table} for number in ("2", "3")}
    changes["paytables.lighthouse"] = tables if settles is HIGHEST else {"A": tables["2"]}
    return changed(HARBOUR, changes)


def orders(ranks: str, size: int, chance: random.Random) -> dict[str, Any]:
    """A random ranking of a deck with these ranks."""
    order: list[str] = []
    for name in chance.sample(sorted(CATEGORIES), len(CATEGORIES)):
        tried = (*order, name)
        if name != "high_card" and not list(order_problems(tried, size, ranks=ranks, copies=1)):
            order.append(name)
    return {"size": size, "order": order, "ace_low": chance.random() < 0.5}


def dealt(ranking: Ranking, deck: tuple[Card, ...], hands: int) -> Iterator[tuple[Any, ...]]:
    """Every board with the cards of each hand and their values."""

    @cache
    def worth(mask: int) -> int:
        return ranking.value_of_mask(mask)

    for board in combinations(deck, 5):
        shared = mask_of(board)
        left = [card for card in deck if card not in board]
        pairs = [(pair, worth(shared | mask_of(pair))) for pair in combinations(left, 2)]
        for one in pairs:
            for other in pairs:
                if not set(one[0]) & set(other[0]):
                    if hands == 2:
                        yield board, one, other
                        continue
                    for third in pairs:
                        if not set(third[0]) & (set(one[0]) | set(other[0])):
                            yield board, one, other, third


def check(rules: Rules, hands: int, *, highest: bool) -> None:
    """The dealer's hand is the last. What a deal comes to hangs on the values only, so each set of
    values is settled once."""
    book = rules.book
    nets: dict[tuple[int, ...], int] = {}
    found: Counter[int] = Counter()
    for board, *held in dealt(ranking_of(book, "final"), cards_of(book.deck), hands):
        values = tuple(value for _, value in held)
        key = (max(values),) if highest else values
        if key not in nets:
            nets[key] = settled(rules, board, [pair for pair, _ in held])
        found[nets[key]] += 1
    analysis = analyze_side(rules, "lighthouse", stake_cents=STAKE, hands=hands)
    counted: Counter[int] = Counter()
    for outcome in analysis.outcomes:
        counted[int(outcome.net * STAKE)] += outcome.combinations
    deals = sum(found.values())
    assert {net: n * analysis.combinations_total for net, n in found.items()} == {
        net: n * deals for net, n in counted.items() if n
    }


def settled(rules: Rules, board: tuple[Card, ...], held: list[tuple[Card, ...]]) -> int:
    wagers = {"ante": STAKE, "anchor": STAKE, "lighthouse": STAKE}
    seats = tuple(
        PlayedSeat(number, f"player {number}", cards, wagers, ("5x",))
        for number, cards in enumerate(held[:-1], 1)
    )
    paid = settle(CompletedRound(seats, board, held[-1]), rules).seats[0].lines
    return next(line.net for line in paid if line.wager == "lighthouse")


@pytest.mark.parametrize("loser", ["either_side", "player_only"])
@pytest.mark.parametrize("ranks", ["QKA", "2KA"])
def test_the_beaten_hand_in_a_stripped_deck(ranks: str, loser: str) -> None:
    settles = BEATEN | {"loser": loser}
    check(game(ranks, settles, random.Random(ranks), None), 2, highest=False)


@pytest.mark.parametrize("seed", range(6))
def test_the_beaten_hand_in_a_random_ranking(seed: int) -> None:
    chance = random.Random(seed)
    ranks = chance.choice(("QKA", "9TJ", "2JA"))
    described = orders(ranks, chance.randint(2, 5), chance) if seed else {"by": "longest_suit"}
    check(game(ranks, BEATEN, chance, described), 2, highest=False)


@pytest.mark.parametrize(("ranks", "hands"), [("QKA", 2), ("QKA", 3), ("2KA", 3)])
def test_the_highest_hand_in_a_stripped_deck(ranks: str, hands: int) -> None:
    check(game(ranks, HIGHEST, random.Random(hands), None), hands, highest=True)


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_hand_in_a_random_ranking_of_five(seed: int) -> None:
    chance = random.Random(seed)
    ranks = chance.choice(("QKA", "9TJ", "2JA"))
    check(game(ranks, HIGHEST, chance, orders(ranks, 5, chance)), 2, highest=True)


@pytest.mark.parametrize("seed", range(8))
def test_one_board_of_a_deck_in_which_flushes_are_made(seed: int) -> None:
    """Twenty-four cards in a random ranking of five: the hands of one board, pair by pair."""
    chance = random.Random(seed)
    ranks = "9TJQKA"
    described = orders(ranks, 5, chance)
    ranking = ByCategories(tuple(described["order"]), size=5, ranks=ranks, ace_low=bool(seed % 2))
    deck = [card for card in DECK if card.rank > 6]
    suited = [card for card in deck if card.suit == seed % 4]
    board = chance.sample(suited, 3)
    board += chance.sample([card for card in deck if card not in board], 2)
    left = [card for card in deck if card not in board]
    shared, ranked = mask_of(tuple(board)), seven_card_strengths(ranking)
    held = [
        (mask_of(pair), ranking.value_of_mask(shared | mask_of(pair)))
        for pair in combinations(left, 2)
    ]
    beaten: Counter[int] = Counter()
    for mine, low in held:
        beaten[low] += sum(low < high for theirs, high in held if not mine & theirs)
    out = np.zeros(ranked.values.size, np.int64)
    every, one = np.uint64(mask_of(tuple(deck))), np.ones(1, np.int64)
    _beaten(np.array([shared], np.uint64), one, every, ranked, out)
    assert {int(ranked.values[n]): int(out[n]) for n in np.flatnonzero(out)} == +beaten
    for strength in {0, *(chance.randrange(ranked.values.size) for _ in range(20))}:
        below = [mask for mask, value in held if value < ranked.values[strength]]
        pairs = sum(not mine & theirs for mine, theirs in combinations(below, 2))
        assert ways_below(shared, mask_of(tuple(left)), strength, 2, ranking) == pairs


def test_the_highest_hand_of_four_cards_is_refused() -> None:
    chance = random.Random(1)
    rules = game("QKA", HIGHEST, chance, orders("QKA", 4, chance))
    with pytest.raises(Unsolvable, match=r"hands\.dealer\.ranking is 'own'; .* five cards"):
        analyze_side(rules, "lighthouse")
