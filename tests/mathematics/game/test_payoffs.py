"""What the mathematics reads of payoffs against the settlement, wager by wager, at odd cents."""

from __future__ import annotations

import random

import numpy as np
import pytest

from croupier.mathematics.game.payoffs import Case, Payoffs, main_wagers, results_of
from croupier.mathematics.hand_values import values_of
from croupier.mathematics.side_wagers.columns import bits_of_hand
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, VersusDealer
from tests.mathematics.changed import RULEBOOKS
from tests.mathematics.dealt import deal, rules_of
from tests.mathematics.test_kernels_and_settlement import cards_of

STAKE = 751
ROUNDS = 150


def at_random(rules: Rules, chance: random.Random) -> tuple[tuple[str, ...], dict[str, int], bool]:
    """What is said, the stakes on the table then, and whether the hand is folded."""
    stakes = dict.fromkeys(rules.required, STAKE)
    said: list[str] = []
    for decision in rules.book.decisions:
        if stakes.get(decision.wager) or stakes.get(decision.takes_back, 1) == 0:
            continue
        word = chance.choice([word for word in decision.answers if word not in decision.only_with])
        said.append(word)
        if word in decision.bets:
            stakes[decision.wager] = decision.bets[word] * stakes[decision.multiple_of]
        elif word == TAKE_BACK:
            stakes[decision.takes_back] = 0
        elif word == "fold":
            break
    placed = {name: stake for name, stake in stakes.items() if stake}
    return tuple(said), placed, said[-1] == "fold"


def case_of(rules: Rules, payoffs: Payoffs, played: CompletedRound) -> Case:
    held = 0
    for name in {leaf.hand for leaf in payoffs.leaves}:
        mask = np.array([cards_of(rules, name, played)], np.uint64)
        held |= int(bits_of_hand(payoffs.leaves, name, ranking_of(rules.book, name), mask)[0])
    return payoffs.of(held)


def outcome_of(rules: Rules, played: CompletedRound) -> int:
    """The place of the showdown among the six outcomes; the only one without a dealer's hand."""
    dealer = rules.book.dealer
    if dealer is None:
        return 0
    ranking = ranking_of(rules.book, dealer.hand)
    own_hand = next(
        wager.settles.hand
        for wager in rules.book.wagers.values()
        if isinstance(wager.settles, VersusDealer)
    )
    masks = [np.array([cards_of(rules, n, played)], np.uint64) for n in (own_hand, dealer.hand)]
    own, theirs = (int(values_of(ranking, mask)[0]) for mask in masks)
    result = 0 if own > theirs else 1 if own == theirs else 2
    return 2 * result + int(theirs < ranking.least(dealer.at_least, dealer.of))


@pytest.mark.parametrize(
    "book", sorted({*RULEBOOKS, *BUNDLED}), ids=lambda each: each.split("/")[-1]
)
def test_every_wager_and_bonus_is_read_as_it_is_settled(book: str) -> None:
    rules = rules_of(book)
    payoffs = Payoffs(rules, main_wagers(rules.book))
    chance = random.Random(f"payoffs {rules.book.id}")
    won: set[str] = set()
    for number in range(ROUNDS):
        dealt = deal(rules, chance, narrow=number % 4 > 0)
        said, stakes, folded = at_random(rules, chance)
        placed = dict.fromkeys(rules.required, STAKE)
        seat = PlayedSeat(1, "p", dealt.seats[0].cards, placed, said)
        played = CompletedRound((seat,), dealt.community, dealt.dealer, dealt.box)
        lines = settle(played, rules).seats[0].lines
        outcome = None if folded else outcome_of(rules, played)
        results = list(results_of(rules.book, case_of(rules, payoffs, played), outcome, stakes, {}))
        assert {each.wager: each.net for each in results if each.net} == {
            line.wager: line.net for line in lines if line.net
        }
        assert {each.wager: each.winnings for each in results if each.winnings} == {
            line.wager: line.winnings for line in lines if line.result == "win" and line.winnings
        }
        won.update(line.wager for line in lines if line.result == "win")
    assert won >= set(rules.required)
