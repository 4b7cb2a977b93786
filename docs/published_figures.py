"""Published figures about the games of `rulebooks/games/`: house edges on the first unit, and more.

`make_figures.py` puts the exact figures beside them, and `tests/mathematics/test_published.py`
compares the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Published(NamedTuple):
    """A figure in per cent (or in units), with as many digits as are printed. `figure` is in the
    words of `analyze --json`; `plays.NAME` is how often a decision is not declined."""

    game: str
    wager: str
    table: str
    figure: str
    printed: str


PUBLISHED = (
    Published("casino-holdem", "main", "", "house_edge", "2.16%"),
    Published("casino-holdem", "main", "", "plays.flop", "82%"),
    Published("casino-holdem", "aa", "", "house_edge", "6.26%"),
    Published("texas-holdem-bonus", "main", "lv", "house_edge", "2.037%"),
    Published("texas-holdem-bonus", "main", "lv", "units_wagered", "3.8181"),
    Published("texas-holdem-bonus", "main", "ac", "house_edge", "5.5935%"),
    Published("texas-holdem-bonus", "bonus", "", "house_edge", "8.54%"),
    Published("three-card-poker", "main", "", "house_edge", "3.37%"),
    Published("three-card-poker", "pair_plus", "A", "house_edge", "2.32%"),
    Published("three-card-poker", "pair_plus", "B", "house_edge", "7.28%"),
    Published("three-card-poker", "six_card_bonus", "", "house_edge", "10.23%"),
    Published("caribbean-stud", "main", "", "house_edge", "5.224%"),
    Published("caribbean-stud", "main", "", "element_of_risk", "2.555%"),
    Published("caribbean-stud", "main", "", "plays.raise", "52.23%"),
    Published("let-it-ride", "main", "", "house_edge", "3.51%"),
    Published("let-it-ride", "main", "", "element_of_risk", "2.86%"),
    Published("mississippi-stud", "main", "", "house_edge", "4.91%"),
    Published("mississippi-stud", "main", "", "element_of_risk", "1.37%"),
    Published("four-card-poker", "main", "", "house_edge", "2.79%"),
    Published("four-card-poker", "main", "", "element_of_risk", "1.30%"),
    Published("crazy-4-poker", "main", "", "house_edge", "3.42%"),
    Published("crazy-4-poker", "main", "", "element_of_risk", "1.09%"),
    Published("high-card-flush", "main", "", "plays.raise", "67.86%"),
)


def rounded(value: float, like: str) -> str:
    """A value with as many digits as the printed figure has."""
    digits = len(like.rstrip("%").partition(".")[2])
    return f"{value * 100:.{digits}f}%" if like.endswith("%") else f"{value:.{digits}f}"


def figure_in(found: dict[str, Any], figure: str) -> float:
    """One figure of an object of `analyze --json`."""
    if not figure.startswith("plays."):
        return float(found[figure])
    *_, declined = found["decisions"][figure.removeprefix("plays.")].values()
    return 1 - float(declined)
