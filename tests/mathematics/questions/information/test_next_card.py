"""Mississippi Stud with the card to come known: against every card dealt out by rules written
apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.cards import Card
from croupier.mathematics.questions.information.seen_cards import rules_seeing
from croupier.mathematics.questions.registry import advise, figures_knowing
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

RULES = put_in_force(load_rulebook("mississippi-stud"), Submission())


def pays(cards: tuple[int, ...]) -> int:
    """To one: the game's paytable, read off the cards."""
    ranks = sorted(card % 13 for card in cards)
    flush = len({card // 13 for card in cards}) == 1
    runs = len(set(ranks)) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    counts = sorted(Counter(ranks).values(), reverse=True)
    if flush and runs:
        return 500 if ranks[0] == 8 else 100
    by_counts = {(4, 1): 40, (3, 2): 10, (3, 1, 1): 3, (2, 2, 1): 2}
    if tuple(counts) in by_counts:
        return by_counts[tuple(counts)]
    if flush or runs:
        return 6 if flush else 4
    pair = next((rank for rank in ranks if ranks.count(rank) == 2), -1)
    return 1 if pair >= 9 else 0 if pair >= 4 else -1


def best_of(down: int, mean: Fraction) -> list[Fraction]:
    """Fold what is down, or bet once, twice or three times more on a mean payment: the last bet."""
    return [Fraction(-down), *((down + k) * mean for k in (1, 2, 3))]


def dealt_out(own: tuple[int, int], third: int) -> dict[str, Fraction]:
    """The first decision with the third card known: each answer, the best play after it."""
    deck = [card for card in range(52) if card not in (*own, third)]
    means = {}
    for fourth in deck:
        last = [pays((*own, third, fourth, fifth)) for fifth in deck if fifth != fourth]
        means[fourth] = Fraction(sum(last), len(last))

    def after_two(down: int) -> Fraction:
        total = sum((max(best_of(down, mean)) for mean in means.values()), Fraction(0))
        return total / len(means)

    def after_one(down: int) -> Fraction:
        return max(Fraction(-down), *(after_two(down + k) for k in (1, 2, 3)))

    bets = {f"{k}x": after_one(1 + k) for k in (1, 2, 3)}
    return {**bets, "fold": Fraction(-1)}


HANDS = [((12, 25), 8), ((0, 14), 30), ((9, 22), 45), ((3, 5), 4), ((7, 20), 33), ((1, 28), 15)]


@pytest.mark.parametrize(("own", "third"), HANDS[:2])
def test_the_first_decision_with_the_next_card_known(own: tuple[int, int], third: int) -> None:
    check(own, third)


@pytest.mark.full
def test_many_first_decisions_with_the_next_card_known() -> None:
    for number, (own, third) in enumerate(combinations(combinations(range(0, 52, 5), 2), 2)):
        if number % 40 == 0 and third[0] not in own:
            check(own, third[0])


def check(own: tuple[int, int], third: int) -> None:
    seen = rules_seeing(RULES, {"third street": 1})
    found = advise(seen, Situation([Card(card) for card in own], [Card(third)]))
    assert dict(found.values) == dealt_out(own, third)


def test_each_card_has_its_worth() -> None:
    found = figures_knowing(RULES, {"third street": 1})
    assert found.expected_value == Fraction(254633, 464100)
    values = {card: value for card, (value, _) in found.by_card.items()}
    assert len(values) == 13
    assert sum(values.values()) / 13 == found.expected_value
    assert values["A"] > values["9"] > values["2"]
    first = {
        word: sum((said[word] for _, said in found.by_card.values()), Fraction(0)) / 13
        for word in ("1x", "2x", "3x", "fold")
    }
    assert first == next(iter(found.decisions.values()))
