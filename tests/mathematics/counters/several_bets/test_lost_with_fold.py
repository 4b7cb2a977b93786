"""Side wagers that a fold loses beside a game with several bets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from croupier.cards import DECK, RANKS, mask_of
from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.rulebook import table_of
from croupier.mathematics.questions.lost_with_fold import split_by_fold
from croupier.mathematics.questions.registry import advise, analyze_wager
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import changed, decision, lines

BOOK = "texas-holdem-bonus"
LOST = {"wagers.bonus.after_fold": "loses"}


def endings(rules: Rules) -> dict[str, int]:
    return {each.hand: each.combinations for each in analyze_wager(rules, "bonus").outcomes}


def folds(rules: Rules, own: tuple[Any, ...]) -> bool:
    return advise(rules, Situation(own)).best == "fold"


@pytest.mark.full
def test_hands_that_are_folded_are_not_paid() -> None:
    """Of another suit the seven and the two are folded, of the same suit they are played."""
    sevens = {
        "patterns.sevens": {"ranks": ["72"], "words": "x"},
        "paytables.bonus.only.lines": lines(("sevens", "10 to 1")),
    }
    stands, lost = (endings(changed(BOOK, sevens | more)) for more in ({}, LOST))
    assert stands["sevens"] == 16 == 4 * lost["sevens"]
    assert lost["folded"] == 60
    assert sum(lost.values()) == sum(stands.values()) == 1326


def test_on_two_cards_and_the_flop_every_deal_is_gone_through() -> None:
    opening = {"cards": ["community:3", "player"], "ranking": "five_card", "clause": "x"}
    changes = LOST | {
        "deck.ranks": "TJQKA",
        "positions.most": 4,
        "hands.opening": opening,
        "wagers.bonus.settles.hand": "opening",
        "paytables.bonus.only.lines": lines(("full_house", "7 to 1"), ("two_pair", "1 to 1")),
        # To pay more for the flop than it is worth makes people fold.
        "decisions.0.bets": {"9x": 9},
    }
    rules = changed(BOOK, changes)
    ranking = ranking_of(rules.book, "opening")
    deck = [card for card in DECK if RANKS[card.rank] in "TJQKA"]
    folded = {own: folds(rules, own) for own in combinations(deck, 2)}
    assert 0 < sum(folded.values()) < len(folded)
    found: Counter[str] = Counter()
    for own, gone in folded.items():
        for flop in combinations([card for card in deck if card not in own], 3):
            name = ranking.name_of(ranking.value_of_mask(mask_of((*own, *flop))))
            paid = name if name in ("full_house", "two_pair") else "loses"
            found["folded" if gone else paid] += 1
    assert endings(rules) == found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"wagers.bonus.settles": {"by": "follows", "wager": "ante", "lost": "x"}},
            "wagers.bonus.after_fold is 'loses'",
        ),
    ],
)
def test_what_is_not_counted_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Unsolvable) as refused:
        analyze_wager(changed(BOOK, LOST | changes), "bonus")
    assert words in refused.value.message


def test_a_fold_at_the_second_of_two_questions() -> None:
    """Both are put on the two own cards: whoever declines the first may still fold."""
    course = [
        decision("big", 0, {"3x": 3}, "check", wager="flop"),
        decision("small", 0, {"1x": 1}, "fold", wager="flop"),
        decision("flop", 3, {"1x": 1}, "check", wager="turn"),
        decision("turn", 4, {"1x": 1}, "check", wager="river"),
    ]
    small = {"deck.ranks": "9TJQKA", "positions.most": 4}
    rules = changed(BOOK, LOST | small | {"decisions": course})
    found = endings(rules)
    deck = [card for card in DECK if RANKS[card.rank] in "9TJQKA"]
    gone = [
        own
        for own in combinations(deck, 2)
        if advise(rules, Situation(own)).best == "check"
        and advise(rules, Situation(own, decision="small", said=("check",))).best == "fold"
    ]
    assert found["folded"] * 276 == len(gone) * sum(found.values())


@pytest.mark.full
def test_folds_on_community_cards_are_told_apart() -> None:
    """Played and folded together are the wager that stands; the dealer's aces lie in both."""
    rules = changed(BOOK, LOST | {"decisions.1.otherwise": "fold"})
    split = split_by_fold(rules, "bonus")
    both = split._replace(played=Counter(split.played) + Counter(split.folded), folded={}).tally()
    stands = analyze_wager(changed(BOOK, {}), "bonus")
    for (hand, _, count), outcome in zip(both.endings, stands.outcomes, strict=False):
        assert hand == outcome.hand
        assert Fraction(count, both.total) == stands.probability(outcome)
    table = table_of(rules)
    folded = sum(int(deals.sum()) for path, deals in table.endings if path.folded)
    assert Fraction(sum(split.folded.values()), split.total) == Fraction(folded, table.total) > 0
