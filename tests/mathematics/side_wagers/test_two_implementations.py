"""The lines that are counted here are the lines that the settlement of `rounds` pays."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.cards import DECK, Card, mask_of
from croupier.mathematics.game.paytable_lines import LineTests
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.columns import bits_of, columns_of
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, families_to_choose
from croupier.rulebooks.schema import VersusPaytable
from tests.mathematics.side_wagers.in_force import InForce

BOOKS = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")


def _tables() -> list[tuple[str, str, str]]:
    found = []
    for name in BOOKS:
        book = load_rulebook(name).default
        for wager, terms in book.wagers.items():
            if terms.role == "optional" and isinstance(terms.settles, VersusPaytable):
                family = terms.settles.paytable
                assert family in families_to_choose(book)
                found += [(name, wager, table) for table in book.paytables[family]]
    return found


def _interesting_deal(rng: random.Random, number: int) -> list[Card]:
    """A deck whose top cards make something: suited or of few ranks."""
    pool = list(DECK)
    rng.shuffle(pool)
    suit, ranks = rng.randrange(4), rng.sample(range(13), 3)
    kind = number % 4
    if kind == 1:
        pool.sort(key=lambda card: card.suit != suit)
    elif kind == 2:
        pool.sort(key=lambda card: card.rank not in ranks)
    elif kind == 3:
        pool.sort(key=lambda card: not (card.suit == suit and card.rank >= 7))
    top = pool[:13]
    rng.shuffle(top)
    return top


def _settled(rules: Rules, wager: str, cards: list[Card], stake: int) -> LineRecord:
    book = rules.book
    sizes = book.cards
    own, rest = cards[: sizes.player], cards[sizes.player :]
    dealer, rest = rest[: sizes.dealer], rest[sizes.dealer :]
    community, rest = rest[: sizes.community], rest[sizes.community :]
    placed = (*rules.required, *book.wagers[wager].needs, wager)
    wagers = dict.fromkeys(placed, stake)
    actions = ("check", "check") if sizes.dealer == 0 else ("check", "check", "1x")
    seat = PlayedSeat(1, "p", tuple(own), wagers, actions)
    played = CompletedRound((seat,), tuple(community), tuple(dealer), tuple(rest[: sizes.box]))
    return next(x for x in settle(played, rules).seats[0].lines if x.wager == wager)


@pytest.mark.parametrize(("name", "wager", "table"), _tables())
def test_the_same_line_pays(in_force: InForce, name: str, wager: str, table: str) -> None:
    rules = in_force(name, {wager: table})
    settles = rules.book.wagers[wager].settles
    assert isinstance(settles, VersusPaytable)
    tests = LineTests(
        rules.paytable(settles.paytable),
        rules.book.patterns,
        settles.hand,
        tested_first=settles.tested_first,
        returns=settles.returns,
    )
    stake = min(rules.stakes.get(wager, (100,)))
    nets = {o.hand: o.net for o in analyze_side(rules, wager, stake_cents=stake).outcomes}
    rng = random.Random(f"{name} {wager} {table}")
    for number in range(200):
        cards = _interesting_deal(rng, number)
        line = _settled(rules, wager, cards, stake)
        held = _leaves(rules, tests, cards)
        ours = tests.line(held)
        theirs = line.reason.line or None
        assert (None if ours is None else tests.lines[ours].hand) == theirs
        hand = "loses" if ours is None else tests.lines[ours].hand
        assert nets[hand] * stake == line.net


def _leaves(rules: Rules, tests: LineTests, cards: list[Card]) -> int:
    sizes = rules.book.cards
    places: dict[str, list[Card]] = {}
    for place in ("player", "dealer", "community", "box"):
        number = getattr(sizes, place)
        places[place], cards = cards[:number], cards[number:]
    columns = {}
    for name in {leaf.hand for leaf in tests.leaves}:
        hand = rules.book.hands[name]
        held: list[Card] = []
        for text in hand.cards:
            place, _, first = text.partition(":")
            held += places[place][: int(first)] if first else places[place]
        columns[name] = columns_of(hand, np.array([mask_of(held)], np.uint64))
    return int(bits_of(tests.leaves, columns)[0])


def test_ultimate_pairs_b_dealt_out(in_force: InForce) -> None:
    """All 1,326 * 1,225 hands of player and dealer would do; the aces are enough."""
    analysis = analyze_side(in_force("md-uth", {"ultimate_pairs": "B"}), "ultimate_pairs")
    found = {o.hand: o.combinations for o in analysis.outcomes}
    aces = [card for card in DECK if card.rank == 12]
    against = sum(
        not set(own) & set(dealer)
        for own in combinations(aces, 2)
        for dealer in combinations(aces, 2)
    )
    assert found["pocket_aces_player_and_dealer"] == against == 6
    assert found["pocket_aces"] == 6 * comb(50, 2) - 6
    assert analysis.combinations_total == 1326 * 1225


def test_flopped_and_community_royals(in_force: InForce) -> None:
    """B9, B10: of all royals one in 21 is flopped, one in 21 lies on the board."""
    analysis = analyze_side(in_force("md-wpt", {"progressive": "B"}), "progressive")
    found = {o.hand: analysis.probability(o) for o in analysis.outcomes}
    assert found["community_royal_flush"] * comb(52, 5) == 4
    flopped = found["flopped_royal_flush_spades"] + found["flopped_royal_flush"]
    assert flopped * comb(52, 5) == 4
    assert found["flopped_royal_flush_spades"] * 4 == flopped
    assert (flopped + found["community_royal_flush"] + found["royal_flush"]) * comb(52, 7) == 4324


def test_a_stud_round_settles_as_it_is_counted(in_force: InForce) -> None:
    """Rounds through the settlement, under the solved decisions, land in the distribution."""
    rules = in_force("md-235")
    sides = {"win_em_all": 500, "progressive": 100}
    exact = net_distribution(rules, dict.fromkeys(rules.required, 1000) | sides)
    rng = random.Random(235)
    seen: Counter[int] = Counter()
    rounds = 4000
    for _ in range(rounds):
        cards = rng.sample(DECK, 5)
        seen[_stud_net(rules, cards, sides)] += 1
    assert set(seen) <= set(exact)
    total = sum(exact.values())
    mean = sum(net * n for net, n in exact.items()) / total
    spread = (sum(net * net * n for net, n in exact.items()) / total - mean**2) ** 0.5
    sample = sum(net * n for net, n in seen.items()) / rounds
    assert abs(sample - mean) < 4 * spread / rounds**0.5
    assert total == comb(52, 2) * 50 * comb(49, 2)


def _stud_net(rules: Rules, cards: list[Card], sides: dict[str, int]) -> int:
    said = tuple(advise(rules, Situation(cards[:seen])).best for seen in (2, 3))
    wagers = dict.fromkeys(rules.required, 1000) | sides
    seat = PlayedSeat(1, "p", tuple(cards[:3]), wagers, said)
    return settle(CompletedRound((seat,), tuple(cards[3:])), rules).seats[0].net
