"""Parsers for the parts of a scenario's lines: names, amounts, cards, lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, TypeVar

from croupier.cards import Card, cards_in
from croupier.errors import BadAmount, BadCards, shown
from croupier.money import format_cents, parse_cents
from croupier.scenarios.scenario import LineError

_T = TypeVar("_T")
_THOUSANDS: Final = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?")
# A comma before exactly three digits belongs to an amount.
_COMMA: Final = re.compile(r",(?![0-9]{3}(?![0-9]))")


def normalized(name: str) -> str:
    """Return a name's normal form: `X-tra Bonus` and `x_tra bonus` are the same name."""
    return "_".join(re.findall(r"[^\W_]+", name.lower()))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean 'trips'? `, or an empty string."""
    names = {name.lower(): name for name in known}
    close = get_close_matches(word[:60].lower(), names, n=1, cutoff=0.5)
    return f"did you mean {names[close[0]]!r}? " if close else ""


def look_up(noun: str, word: str, known: Mapping[str, _T]) -> _T:
    """Return the value of a name, ignoring differences in blanks, hyphens and capitals."""
    by_name = {normalized(name): value for name, value in known.items()}
    key = normalized(word)
    if key not in by_name:
        spoken = [name.replace("_", " ") for name in known]
        raise LineError(
            f"{shown(word)} is no {noun}: {did_you_mean(word, spoken)}"
            f"known are: {', '.join(spoken) or 'none'}"
        )
    return by_name[key]


def look_up_start(noun: str, text: str, known: Mapping[str, _T]) -> tuple[_T, str]:
    """Return the value of a name, of one word or several, at the beginning of a text, and the text
    after it."""
    words = text.split()
    by_name = {normalized(name): value for name, value in known.items()}
    for count in range(len(words), 0, -1):
        key = normalized(" ".join(words[:count]))
        if key in by_name:
            return by_name[key], " ".join(words[count:])
    return look_up(noun, words[0] if words else "", known), ""


def items(text: str) -> list[str]:
    """Split a list at its commas, but not within amounts: `ante 10, blind 1,000, trips 5`."""
    parts = [part.strip() for part in _COMMA.split(text)]
    if not all(parts):
        raise LineError("something is missing between two commas")
    return parts


def amount(text: str) -> int:
    """Return cents. `$1,000`, `1,000.00` and `7.50` are amounts."""
    match = _THOUSANDS.fullmatch(text.strip())
    if match is None:
        raise LineError(
            f"{shown(text)} is not an amount: write dollars, as in '10', '1,000' or '7.50'"
        )
    try:
        return parse_cents(match[1].replace(",", "") + (match[2] or ""))
    except BadAmount as error:
        raise LineError(str(error)) from None


def amount_words(cents: int) -> str:
    """Return an amount as a scenario's author would write it: `1,000` or `7.50`."""
    whole_dollars, _, part = format_cents(abs(cents)).partition(".")
    sign = "-" if cents < 0 else ""
    return f"{sign}{int(whole_dollars):,}" + ("" if part == "00" else f".{part}")


def whole_number(text: str, subject: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise LineError(f"{shown(text)} is not {subject}: write a whole number")
    return int(text)


def cards_of(text: str) -> tuple[Card, ...]:
    try:
        cards = cards_in(text.replace(",", " "))
    except BadCards as error:
        raise LineError(str(error)) from None
    for card in cards:
        if cards.count(card) > 1:
            raise LineError(f"{card} is named twice: a deck holds it once")
    return cards


def cards_at_end(text: str) -> tuple[str, tuple[Card, ...]]:
    """Split `flop 2c 3c 4c` into the words and the cards."""
    words = text.replace(",", " ").split()
    start = len(words)
    while start and _is_card(words[start - 1]):
        start -= 1
    return " ".join(words[:start]).rstrip(": "), cards_of(" ".join(words[start:]))


def _is_card(word: str) -> bool:
    try:
        cards_in(word)
    except BadCards:
        return False
    return True


def chips_of(text: str) -> dict[int, int]:
    """Return the number of chips of each value in cents, from `20 x 5, 1 x 100`."""
    chips: dict[int, int] = {}
    for item in items(text):
        match = re.fullmatch(r"([0-9]{1,6})\s*x\s*(\S+)", item, re.I)
        if match is None:
            raise LineError(f"{shown(item)} is not a number of chips and their worth")
        worth = amount(match[2])
        chips[worth] = chips.get(worth, 0) + int(match[1])
    return chips
