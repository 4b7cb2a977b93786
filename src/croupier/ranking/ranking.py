"""The interface of a ranking, and the rankings without categories."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, Literal

from croupier.cards import RANKS, Card, mask_of
from croupier.ranking.hands import describe_named


class Ranking(ABC):
    """A ranking of hands with a certain deck. Its public attributes never change."""

    by: Literal["categories", "longest_suit", "nothing"]

    def __init__(
        self,
        names: tuple[str, ...],
        *,
        size: int = 0,
        ace_low: bool = False,
        ranks: str = RANKS,
        copies: int = 1,
    ) -> None:
        self.names = names
        """The categories, lowest first: `value >> 20` is a place among them."""
        self.size = size
        """The number of cards that make the hand; 0 if it varies."""
        self.ace_low = ace_low
        """Whether an ace may also be below the lowest rank of the deck in a straight."""
        self.ranks = ranks
        """The ranks of the deck, lowest first."""
        self.copies = copies
        """How many times each card is in the deck."""
        self.written = _Told(self._written)
        """Values as the journal keeps them: `two_pair 62A`."""
        self.words = _Told(self._words)
        """Values as a dealer announces them: `a full house, aces over twos`."""

    @abstractmethod
    def value_of_mask(self, mask: int) -> int:
        """Return the value of the cards of a 52-bit mask; each card is held once."""

    @abstractmethod
    def value_of(self, cards: Sequence[Card]) -> int:
        """Return the value of any cards, even if one is held twice."""

    @abstractmethod
    def best_cards(self, value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards that make `value`, made ranks first, ties in the order of `cards`."""

    @abstractmethod
    def deciding(self, value: int) -> tuple[int, ...]:
        """Return the ranks that decide between two hands of a category, most significant first."""

    @abstractmethod
    def least(self, name: str, of: str = "") -> int:
        """Return the lowest value of a category with these ranks and up: `pair` of `4`. A name that
        the ranking does not have means any hand."""

    def name_of(self, value: int) -> str:
        return self.names[value >> 20]

    def _written(self, value: int) -> str:
        ranks = "".join([RANKS[rank] for rank in self.deciding(value)])
        return f"{self.name_of(value)} {ranks}"

    def _words(self, value: int) -> str:
        return describe_named(self.name_of(value), self.deciding(value))


class _Told(dict[int, str]):
    """The values of one ranking as text, each made when it is first requested."""

    def __init__(self, tell: Callable[[int], str]) -> None:
        self._tell = tell

    def __missing__(self, value: int) -> str:
        made = self[value] = self._tell(value)
        return made


class Unranked(Ranking):
    """Cards that a hand only contains: they have neither name nor value."""

    by = "nothing"

    def __init__(self, *, ranks: str = RANKS, copies: int = 1) -> None:
        super().__init__(("",), ranks=ranks, copies=copies)

    def value_of_mask(self, mask: int) -> int:  # noqa: ARG002
        return 0

    def value_of(self, cards: Sequence[Card]) -> int:
        return self.value_of_mask(mask_of(cards))

    def best_cards(self, value: int, cards: Sequence[Card]) -> tuple[Card, ...]:  # noqa: ARG002
        return tuple(cards)

    def deciding(self, value: int) -> tuple[int, ...]:  # noqa: ARG002
        return ()

    def least(self, name: str, of: str = "") -> int:  # noqa: ARG002
        return 0

    def _words(self, value: int) -> str:  # noqa: ARG002
        return ""


_COUNTS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)
SUIT_NAMES: Final = tuple(f"{count}_card_flush" for count in _COUNTS)
_SUIT: Final = (1 << 13) - 1


class ByLongestSuit(Ranking):
    """Ranking by the longest suit: more cards of a suit beat fewer, then the ranks from the top
    decide.

    A category is the number of cards, `seven_card_flush` for instance. The low bits of a value are
    the suit's thirteen bits, because a set of ranks compares like its highest different rank: value
    = cards - 1 << 20 | top rank << 16 | ranks of the suit. Every card is held once: with several
    decks a rank could be in a suit twice.
    """

    by = "longest_suit"

    def __init__(self, *, ranks: str = RANKS) -> None:
        super().__init__(SUIT_NAMES, ranks=ranks)

    def value_of_mask(self, mask: int) -> int:
        suits = (mask & _SUIT, mask >> 13 & _SUIT, mask >> 26 & _SUIT, mask >> 39)
        return max([_packed(suit) for suit in suits if suit])

    def value_of(self, cards: Sequence[Card]) -> int:
        return self.value_of_mask(mask_of(cards))

    def best_cards(self, value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        for suit in range(4):
            suited = sorted([card for card in cards if card.suit == suit], reverse=True)
            if suited and _packed(mask_of(suited) >> 13 * suit) == value:
                return tuple(suited)
        raise AssertionError("the value is another hand's")

    def deciding(self, value: int) -> tuple[int, ...]:
        return tuple([rank for rank in range(12, -1, -1) if value >> rank & 1])

    def least(self, name: str, of: str = "") -> int:
        place = self.names.index(name) if name in self.names else 0
        ranks = {RANKS.index(rank) for rank in of}
        return place << 20 | max(ranks, default=0) << 16 | sum(1 << rank for rank in ranks)


def _packed(suit: int) -> int:
    return suit.bit_count() - 1 << 20 | suit.bit_length() - 1 << 16 | suit
