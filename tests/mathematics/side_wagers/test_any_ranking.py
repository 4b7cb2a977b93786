"""Hands in any ranking and from any deck, counted: against every hand gone through one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, RANKS, SUITS, Card, mask_of
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import subsets, values_of
from croupier.mathematics.side_wagers.columns import codes_of, rank_code
from croupier.mathematics.side_wagers.deals import count_deals, ranked_rows
from croupier.ranking.built_in import built_in
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.categories import CATEGORIES, order_problems
from croupier.ranking.ranking import ByLongestSuit, Ranking
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.schema import Cards, Deck, Hand, Rulebook
from croupier.rulebooks.schema import Ranking as Described

SETTINGS = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
FOUR_CARD = (
    *("four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair"),
    *("pair", "high_card"),
)


@st.composite
def decks(draw: st.DrawFn, least: int = 2, most: int = 4) -> str:
    chosen = draw(st.sets(st.sampled_from(RANKS), min_size=least, max_size=most))
    return "".join(rank for rank in RANKS if rank in chosen)


@st.composite
def described(draw: st.DrawFn, deck: str) -> Described:
    """A ranking that a rulebook may describe."""
    if draw(st.integers(0, 3)) == 0:
        return Described(by="longest_suit")
    size = draw(st.integers(2, 5))
    order: list[str] = []
    for name in draw(st.permutations(sorted(CATEGORIES))):
        if name != "high_card" and draw(st.booleans()):
            tried = (*order, name)
            if not list(order_problems(tried, size, ranks=deck, copies=1)):
                order.append(name)
    return Described(size=size, order=(*order, "high_card"), ace_low=draw(st.booleans()))


class _Game(NamedTuple):
    """A whole rulebook would be too long a thing for hypothesis to print."""

    cards: Cards
    hands: dict[str, Hand]
    rankings: dict[str, Described]
    deck: Deck
    leaves: tuple[Leaf, ...] = ()

    def book(self) -> Rulebook:
        return msgspec.structs.replace(
            load_rulebook("md-uth").default,
            cards=self.cards,
            hands=self.hands,
            rankings=self.rankings,
            deck=self.deck,
        )


@st.composite
def games(draw: st.DrawFn) -> _Game:
    """Two hands of few cards in rankings of the rulebook's own, and conditions on them."""
    deck = draw(decks())
    rankings = {"one": draw(described(deck)), "two": draw(described(deck))}
    places = {"player": draw(st.integers(1, 3)), "dealer": draw(st.integers(0, 2))}
    places["community"] = draw(st.integers(0, 5 - sum(places.values())))
    own, theirs, board = places["player"], places["dealer"], places["community"]
    cards = Cards(player=own, dealer=theirs, community=board, clause="x")
    hands = {}
    for name, ranking in (("mine", "one"), ("other", "two")):
        shown = [place for place, count in places.items() if count and draw(st.booleans())]
        held = [f"{place}:{draw(st.integers(1, places[place]))}" for place in shown]
        size = sum(int(text.partition(":")[2]) for text in held)
        if not held:
            held, size = ["player"], places["player"]
        fits = size >= rankings[ranking].size or rankings[ranking].by == "longest_suit"
        hands[name] = Hand(cards=tuple(held), ranking=ranking if fits else "cards", clause="x")
    game = _Game(cards, hands, rankings, Deck(ranks=deck))
    names = draw(st.lists(st.sampled_from(("mine", "other")), min_size=1, max_size=4))
    return game._replace(leaves=tuple(draw(leaves(game, name)) for name in names))


@st.composite
def leaves(draw: st.DrawFn, game: _Game, name: str) -> Leaf:
    book = game.book()
    known = [category for category in ranking_of(book, name).names if category]
    category = draw(st.sets(st.sampled_from(known), max_size=2)) if known else set()
    made = draw(st.text(book.deck.ranks, max_size=2))
    suits = "" if category else draw(st.sampled_from(("", "", "s", "hd")))
    return Leaf(
        name,
        category=tuple(sorted(category)),
        made=made if category else "",
        ranks=tuple(draw(st.lists(st.text(book.deck.ranks, min_size=1, max_size=3), max_size=3))),
        suited=draw(st.sampled_from((None, None, True, False))),
        suits=suits,
    )


def holds(leaf: Leaf, ranking: Ranking, cards: tuple[Card, ...]) -> bool:
    """One hand, in plain words."""
    value = ranking.value_of(cards)
    if leaf.category and ranking.name_of(value) not in leaf.category:
        return False
    if leaf.made and RANKS[value >> 16 & 15] not in leaf.made:
        return False
    ranks = sorted(RANKS[card.rank] for card in cards)
    if leaf.ranks and ranks not in [sorted(text) for text in leaf.ranks]:
        return False
    suits = {SUITS[card.suit] for card in cards}
    if leaf.suited is not None and leaf.suited != (len(suits) == 1):
        return False
    return not leaf.suits or suits <= set(leaf.suits)


def deals(book: Rulebook) -> Iterator[dict[str, tuple[Card, ...]]]:
    """Every deal of the places, each set of cards once for every prefix that a hand may look at:
    in order, so that first cards are first."""
    deck = [card for card in DECK if RANKS[card.rank] in book.deck.ranks]
    segments: list[tuple[str, int]] = []
    for place in ("player", "dealer", "community"):
        cuts = {
            int(text.partition(":")[2])
            for hand in book.hands.values()
            for text in hand.cards
            if text.startswith(f"{place}:")
        }
        whole = any(place in hand.cards for hand in book.hands.values())
        stops = sorted(cuts | ({getattr(book.cards, place)} if whole else set()))
        segments += [(place, b - a) for a, b in zip([0, *stops], stops, strict=False)]

    def grow(
        left: tuple[tuple[str, int], ...], dealt: dict[str, tuple[Card, ...]]
    ) -> Iterator[dict[str, tuple[Card, ...]]]:
        if not left:
            yield dealt
            return
        (place, count), *rest = left
        gone = {card for cards in dealt.values() for card in cards}
        for new in combinations([card for card in deck if card not in gone], count):
            yield from grow(tuple(rest), dealt | {place: dealt.get(place, ()) + new})

    return grow(tuple(segments), {})


@SETTINGS
@given(games())
def test_lines_on_hands_of_any_ranking_and_deck(game: _Game) -> None:
    book, asked = game.book(), game.leaves
    own = asked[0].hand
    counted = count_deals(asked, own, book)
    rankings = {name: ranking_of(book, name) for name in book.hands}
    looked_at = {own, *(leaf.hand for leaf in asked)}
    small = msgspec.structs.replace(
        book, hands={name: hand for name, hand in book.hands.items() if name in looked_at}
    )
    found: Counter[int] = Counter()
    for dealt in deals(small):
        bits = 0
        for number, leaf in enumerate(asked):
            held: tuple[Card, ...] = ()
            for text in book.hands[leaf.hand].cards:
                place, _, first = text.partition(":")
                held += dealt[place][: int(first) if first else None]
            bits |= holds(leaf, rankings[leaf.hand], held) << number
        found[bits] += 1
    all_deals = sum(found.values())
    assert {bits: count * all_deals for bits, count in counted.by_leaves.items()} == {
        bits: count * counted.total for bits, count in found.items()
    }


@SETTINGS
@given(st.data())
def test_every_hand_of_five_to_seven_cards(data: st.DataObject) -> None:
    """From a deck of three or four ranks: category, first made rank, suits."""
    deck = data.draw(decks(least=3))
    made = data.draw(described(deck))
    if made.by == "longest_suit":
        ranking: Ranking = ByLongestSuit(ranks=deck)
    else:
        ranking = ByCategories(made.order, size=made.size, ace_low=made.ace_low, ranks=deck)
    cards = data.draw(st.integers(5, 7))
    mask = sum(1 << RANKS.index(rank) for rank in deck)
    found: Counter[tuple[int, int, int]] = Counter()
    for hand in subsets(cards, mask).tolist():
        value = ranking.value_of_mask(hand)
        suits = sum((hand >> 13 * suit & 8191 > 0) << suit for suit in range(4))
        found[value >> 20, value >> 16 & 15, suits] += 1
    assert counted(ranking, cards) == found


def counted(ranking: Ranking, cards: int, *, with_ranks: bool = False) -> Counter[tuple[int, ...]]:
    """Category, first made rank, suits and, where asked for, the code of the ranks."""
    found: Counter[tuple[int, ...]] = Counter()
    rows, hands_of_row = ranked_rows(ranking, cards, with_ranks=with_ranks)
    categories = [codes_of(ranking).tolist().index(code) for code in rows.category.tolist()]
    columns = (column.tolist() for column in (rows.made, rows.suits, rows.ranks, hands_of_row))
    for category, made, suits, ranks, hands in zip(categories, *columns, strict=True):
        found[(category, made, suits, ranks) if with_ranks else (category, made, suits)] += hands
    return found


@SETTINGS
@given(st.data())
def test_every_hand_of_several_decks(data: st.DataObject) -> None:
    """A card may be held twice, a flush may have two aces, and five cards may be of one rank."""
    deck = data.draw(decks(least=2, most=3))
    copies = data.draw(st.integers(1, 3))
    name = data.draw(st.sampled_from(("five_card", "three_card", "two_card", "cards")))
    ranking = built_in(name, ranks=deck, copies=copies)
    cards = data.draw(st.integers(max(ranking.size, 1), 5 if copies == 1 else 4 + (len(deck) < 3)))
    if ranking.size <= cards:
        check_hands(ranking, cards)


@pytest.mark.parametrize(
    ("order", "size", "cards"),
    [
        (("five_of_a_kind", "straight_flush", "four_of_a_kind", "flush", "full_house"), 5, 5),
        (("straight_flush", "three_of_a_kind", "flush", "straight", "pair"), 3, 5),
        (("flush", "pair"), 2, 4),
    ],
)
def test_rankings_of_several_decks(order: tuple[str, ...], size: int, cards: int) -> None:
    check_hands(ByCategories(order, size=size, ranks="QKA", copies=2), cards)


def check_hands(ranking: Ranking, cards: int) -> None:
    one = [card for card in DECK if RANKS[card.rank] in ranking.ranks]
    found: Counter[tuple[int, ...]] = Counter()
    ways: Counter[tuple[Card, ...]] = Counter(combinations(one * ranking.copies, cards))
    for hand, count in ways.items():
        value = ranking.value_of(hand)
        suits = sum({1 << card.suit for card in hand})
        found[value >> 20, value >> 16 & 15, suits, rank_code([c.rank for c in hand])] += count
    assert counted(ranking, cards, with_ranks=True) == found


@pytest.mark.parametrize(
    ("ranking", "cards"),
    [
        (ByCategories(FOUR_CARD, size=4), 6),
        (ByLongestSuit(), 7),
        (built_in("five_card", ranks="6789TJQKA"), 7),
        (built_in("three_card", ace_low=True), 3),
        (ByCategories(("straight", "pair"), size=3, ranks="789TJQKA"), 6),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else value.names[-1],
)
def test_values_by_the_million_are_the_rankings_own(ranking: Ranking, cards: int) -> None:
    deck = [card for card in DECK if RANKS[card.rank] in ranking.ranks]
    chance = np.random.default_rng(cards)
    hands = [mask_of(chance.choice(deck, cards, replace=False).tolist()) for _ in range(2000)]
    found = values_of(ranking, np.array(hands, np.uint64)).tolist()
    assert found == [ranking.value_of_mask(hand) for hand in hands]


def test_known_counts() -> None:
    """The five cards of four-card poker and the suits of high card flush, as both are published."""
    four = ByCategories(FOUR_CARD, size=4)
    rows, hands = ranked_rows(four, 5)
    codes = zip(four.names, codes_of(four), strict=True)
    counts = {name: int(hands[rows.category == code].sum()) for name, code in codes}
    assert (counts["four_of_a_kind"], counts["straight_flush"]) == (624, 2072)
    assert (counts["three_of_a_kind"], counts["flush"]) == (58656, 114616)
    rows, hands = ranked_rows(ByLongestSuit(), 7)
    lengths = [int(hands[rows.category == code].sum()) for code in codes_of(ByLongestSuit())[:7]]
    assert lengths[6] == 4 * comb(13, 7)
    assert lengths[5] == 4 * comb(13, 6) * 39
    assert lengths[4] == 4 * comb(13, 5) * comb(39, 2)
    assert sum(lengths) == comb(52, 7)
