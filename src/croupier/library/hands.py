"""Hands of cards: their names, the cards that count, and comparisons between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.cards import Card, format_cards, parse_cards
from croupier.errors import BadCards, BadRequest, suggest
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, load_rulebook
from croupier.ranking.built_in import SIZES, built_in
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of


class Hand(Record, frozen=True, eq=False):
    """A hand of cards with its rank: hands of one ranking can be compared, and the better one is
    greater. `==` also compares ranks: two hands that tie are equal."""

    cards: tuple[Card, ...]
    """All cards of the hand, in the order given."""
    name: str
    """The hand's key in paytables: `full_house`, `mini_royal`, `five_card_flush`."""
    words: str
    """The hand as a dealer announces it: `a full house, aces over twos`."""
    best: tuple[Card, ...]
    """The cards that make the hand, the best five of seven for instance."""
    value: int
    """The hand's rank as a number: the higher, the better, within one ranking."""
    ranking: str
    """The ranking: `five_card`, or one of a rulebook, `crazy-4-poker:best_four`."""

    def _difference(self, hand: object) -> int | None:
        """Return how much higher this hand ranks than the other; None if the other is not a
        hand."""
        if not isinstance(hand, Hand):
            return None
        if self.ranking != hand.ranking:
            raise BadRequest(
                f"a hand ranked as {self.ranking} cannot be compared with one ranked as "
                f"{hand.ranking}"
            )
        return self.value - hand.value

    def __eq__(self, hand: object) -> bool:
        if not isinstance(hand, Hand):
            return NotImplemented
        return self.ranking == hand.ranking and self.value == hand.value

    def __ne__(self, hand: object) -> bool:
        return not self == hand

    def __lt__(self, hand: Hand) -> bool:
        more = self._difference(hand)
        return NotImplemented if more is None else more < 0

    def __le__(self, hand: Hand) -> bool:
        more = self._difference(hand)
        return NotImplemented if more is None else more <= 0

    def __gt__(self, hand: Hand) -> bool:
        more = self._difference(hand)
        return NotImplemented if more is None else more > 0

    def __ge__(self, hand: Hand) -> bool:
        more = self._difference(hand)
        return NotImplemented if more is None else more >= 0

    def __hash__(self) -> int:
        return hash((self.ranking, self.value))

    def to_dict(self) -> dict[str, Any]:
        """Return the hand as plain data."""
        return {
            "cards": format_cards(self.cards),
            "hand": self.name,
            "words": self.words,
            "best": format_cards(self.best),
        }

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return f"<Hand {format_cards(self.best)}: {self.words}>"


def evaluate(
    cards: str | Iterable[Card],
    *,
    ranking: str = "five_card",
    rulebook: AnyRulebook | None = None,
    hand: str = "",
) -> Hand:
    """Return the best hand that these cards make.

    `ranking` is `five_card` (the best five of five or more cards), `three_card` or `two_card`. With
    a `rulebook` the cards are ranked as one of its hands: the one that the dealer announces, or the
    one named by `hand`.
    """
    held = parse_cards(cards) if isinstance(cards, str) else tuple(map(Card, cards))
    if rulebook is None:
        if ranking not in SIZES:
            raise suggest("ranking", ranking, SIZES)
        return _ranked(held, built_in(ranking), ranking)
    book = load_rulebook(rulebook).document
    named = hand or book.announces
    if named not in book.hands:
        raise suggest(f"hand of {book.id}", named, book.hands)
    form = book.hands[named].ranking
    # A hand ranked by a rulebook's own ranking can only be compared within that rulebook.
    ranks = ranking_of(book, named)
    usual = None if form in book.rankings else built_in(form)
    is_usual = usual is not None and (ranks.ranks, ranks.copies, ranks.ace_low) == (
        *(usual.ranks, usual.copies, usual.ace_low),
    )
    return _ranked(held, ranks, form if is_usual else f"{book.id}:{form}")


def _ranked(cards: tuple[Card, ...], ranking: Ranking, name: str) -> Hand:
    if ranking.by == "nothing":
        raise BadRequest("these cards are only looked at: they are not ranked as a hand")
    if len(cards) < max(ranking.size, 1):
        raise BadCards(f"{len(cards)} cards: a hand ranked as {name} takes {ranking.size} or more")
    if len(cards) > len(set(cards)) and ranking.copies == 1:
        raise BadCards(f"{format_cards(cards)}: a deck holds every card once")
    value = ranking.value_of(cards)
    best = ranking.best_cards(value, cards)
    return Hand(cards, ranking.name_of(value), ranking.words[value], best, value, name)
