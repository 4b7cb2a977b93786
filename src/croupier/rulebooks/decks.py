"""The cards of a game's decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from croupier.cards import DECK, RANKS, SUITS, Card
from croupier.errors import BadCards
from croupier.rulebooks.schema import Deck, Rulebook

_MOST_COPIES = 8


@cache
def cards_of(deck: Deck) -> tuple[Card, ...]:
    """Return every card of the deck in new-deck order; with two decks every card twice."""
    ranks = [RANKS.index(rank) for rank in deck.ranks]
    single = tuple([Card(suit * 13 + rank) for suit in range(len(SUITS)) for rank in ranks])
    return DECK if single == DECK and deck.copies == 1 else single * deck.copies


def deck_size(book: Rulebook) -> int:
    return len(cards_of(book.deck))


def deck_words(deck: Deck) -> str:
    """Return `52 cards of a deck`, `104 cards of 2 decks`."""
    decks = "a deck" if deck.copies == 1 else f"{deck.copies} decks"
    return f"{len(cards_of(deck))} cards of {decks}"


def check_in_deck(cards: Iterable[Card], book: Rulebook, where: str = "") -> None:
    """Refuse a card that the game is not dealt with."""
    known = _different(book.deck)
    for card in cards:
        if card not in known:
            lowest, highest = min(known) % 13, max(known) % 13
            raise BadCards(
                f"{where + ': ' if where else ''}{card} is not in the deck: this game is dealt "
                f"with the ranks {RANKS[lowest]} to {RANKS[highest]} ({book.deck.ranks})",
                clause=book.deck.clause or book.decks_clause or None,
            )


def check_whole_deck(cards: Sequence[Card], book: Rulebook) -> None:
    """Refuse anything but every card of the game's deck, in any order."""
    whole = cards_of(book.deck)
    different, size = len(set(cards)), len(whole)
    is_whole = len(cards) == size and set(cards) == _different(book.deck)
    if is_whole and (different == size or sorted(cards) == sorted(whole)):
        return
    check_in_deck(cards, book)
    expected = f"{size} different cards" if book.deck.copies == 1 else f"{size} cards"
    raise BadCards(
        f"a deck holds {expected}, not {different} among {len(cards)}",
        clause=book.decks_clause or None,
    )


def one_too_many(cards: Iterable[Card], book: Rulebook) -> Card | None:
    """Return a card that is on the table more often than in the decks, if there is one."""
    counts = Counter(cards)
    return next((card for card, count in counts.items() if count > book.deck.copies), None)


def deck_problems(deck: Deck) -> Iterator[str]:
    """Yield everything that is impossible in a rulebook's deck."""
    strange = sorted(set(deck.ranks) - set(RANKS))
    if strange:
        yield f"at deck.ranks: {''.join(strange)!r} is no rank: write letters of {RANKS}"
    for rank in sorted(set(deck.ranks)):
        if deck.ranks.count(rank) > 1:
            yield f"at deck.ranks: {rank!r} stands there twice; several decks are deck.copies"
    if list(deck.ranks) != sorted(deck.ranks, key=RANKS.find):
        right = "".join(sorted(deck.ranks, key=RANKS.find))
        yield f"at deck.ranks: write the lowest first: {right!r}"
    if not deck.ranks:
        yield f"at deck.ranks: a deck has at least one rank of {RANKS}"
    if not 1 <= deck.copies <= _MOST_COPIES:
        yield f"at deck.copies: 1 to {_MOST_COPIES} decks can be shuffled together"


@cache
def _different(deck: Deck) -> frozenset[Card]:
    return frozenset(cards_of(deck))
