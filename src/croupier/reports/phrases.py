"""Rules in the few words that fit on a sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier.money import dollars
from croupier.rounds.explaining import lowest_line
from croupier.rounds.paytable_lines import words_for
from croupier.rulebooks.schema import Hand, Paytable, Rulebook

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")


def number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Return `a, b and c`."""
    return f" {word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def called(hand: str, book: Rulebook) -> str:
    return words_for(hand, book.patterns)


def lowest_paid(table: Paytable, book: Rulebook, hand: str) -> str:
    """Return `a straight`: the lowest hand of a paytable that wins something."""
    return called(lowest_line(table, book, hand), book).removesuffix(" or better")


def cards_of(hand: Hand, book: Rulebook, player: str = "the player's") -> str:
    """Return `the best five of the player's two cards and the five community cards`."""
    parts, total = [], 0
    whose = {"player": player, "dealer": "the dealer's", "box": "the"}
    for place in sorted(hand.cards, key=lambda place: not place.startswith("player")):
        name, _, first = place.partition(":")
        all_of_them = getattr(book.cards, name)
        count = int(first) if first else all_of_them
        total += count
        only = "first " if count < all_of_them else ""
        place_word = {"community": "community ", "box": "bonus "}.get(name, "")
        parts.append(f"{whose.get(name, 'the')} {only}{number(count)} {place_word}cards")
    return f"{_counted(hand, book, total)}{joined(parts)}"


def _counted(hand: Hand, book: Rulebook, total: int) -> str:
    """Return which of the cards count, unless all do."""
    own = book.rankings.get(hand.ranking)
    if own is not None and own.by == "longest_suit":
        return "the longest suit of "
    size = own.size if own is not None else 5 if hand.ranking == "five_card" else total
    return f"the best {number(size)} of " if size < total else ""


def amounts(low: int | None, high: int | None) -> str:
    """Return the stakes between two limits, in cents."""
    if low and high:
        return f"{dollars(low)} to {dollars(high)}"
    return f"from {dollars(low)}" if low else f"up to {dollars(high or 0)}"


# -- lines of return tables in words --------------------------------------------------------------


_WORDS: Final = {
    "wins": "Beats the dealer",
    "ties": "Ties",
    "loses": "Loses",
    "any_hand": "Any hand",
    "folded": "Folded",
    "taken_back": "Taken back",
    "not_paid": "Not paid",
    "not_bet": "Not bet",
    "not_asked": "Not asked",
}


def hand_words(book: Rulebook, hand: str) -> str:
    """Return `Royal flush`, `Not bet`: a line of a paytable, or another outcome of a wager."""
    pattern = book.patterns.get(hand)
    if pattern is not None and pattern.words:
        return sentence(pattern.words)
    words = hand.replace("_card_", "-card ").replace("_", " ")
    return sentence(words if pattern is not None else _WORDS.get(hand, words))


def sentence(words: str) -> str:
    """Return the words with a capital and without the article that a dealer would say."""
    for article in ("a ", "an "):
        words = words.removeprefix(article)
    words = words.replace(" and a ", " and ")
    return words[:1].upper() + words[1:]


def line_words(book: Rulebook, line: Mapping[str, Any]) -> str:
    """Return the words for a line of `wager_lines`, as its JSON has it."""
    words, qualifies = hand_words(book, line["hand"]), line["dealer_qualifies"]
    if qualifies is False:
        return f"{words}, dealer does not qualify"
    return f"{words}, dealer qualifies" if qualifies and line["result"] == "win" else words


def pays_words(line: Mapping[str, Any]) -> str:
    """Return the words for what the line pays, an object of the contract."""
    match line["pays"]:
        case {"to": [n, d]}:
            return f"{n:,} to {d}"
        case {"for": n}:
            return f"{n:,} for 1"
        case {"fixed": sum_}:
            return f"${sum_:,.2f}".removesuffix(".00")
        case {"meter": meter, "percent": percent}:
            return f"{percent}% of {meter}"
        case {"push": True}:
            return "push"
        case {"loses": True}:
            return "loses"
    return ""


def wager_words(book: Rulebook, name: str) -> str:
    """Return the title of a wager or a bonus."""
    if name in book.bonuses:
        return book.bonuses[name].title
    return book.wagers[name].title if name in book.wagers else "Main game"
