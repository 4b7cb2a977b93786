"""Lines of return tables in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.rulebooks.schema import Rulebook

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
