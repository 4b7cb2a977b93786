"""The screens where people meet their duties, with their steps.

The conformance report takes from here where a duty is shown. The tests run every document through
its ways of dealing and check that each duty is shown on the screen named here before it is
confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, get_args

from croupier.rulebooks.duties import DeckStep, Duty, Role, Screen, Step


class Page(NamedTuple):
    """`path`: the page; `for_`: who works there; `steps`: what is done or shown there."""

    path: str
    for_: tuple[Role, ...]
    steps: tuple[Step, ...]


_DECKS: Final[tuple[Step, ...]] = get_args(DeckStep)
_ROUND: Final[tuple[Step, ...]] = (
    *("open_betting", "close_bets", "count_chips", "deal", "ask", "fold", "reveal"),
    *("show_dealer", "enter_cards", "settle", "validate", "award", "collect", "report"),
)

SCREENS: Final[dict[Screen, Page]] = {
    "table": Page("/tables/{table}", ("player",), ("bet", "close_bets", "ask", "view", "lay_out")),
    "dealer_console": Page("/tables/{table}/deal", ("dealer",), (*_ROUND, *_DECKS)),
    "deck_board": Page("/tables/{table}/decks", ("dealer", "floorperson", "operator"), _DECKS),
    "floor": Page(
        "/floor/{table}",
        ("floorperson", "operator"),
        (
            *("verify", "order_shuffle", "order_recut", "rule_abandoned", "validate", "report"),
            *("correct", "answer_call", "fill", "close_table"),
        ),
    ),
    "open_a_table": Page("/house/open", ("operator",), ("open_table",)),
    "approvals": Page("/house/open", ("operator", "commission"), ("approvals",)),
    "felt": Page("/house/open", ("operator",), ("felt",)),
    "sign": Page("/tables/{table}/sign", ("operator",), ("sign",)),
    "progressive_controller": Page("/house/links", ("operator",), ("meters",)),
}
"""The operator records the commission's decisions, with number and date."""


def place_of(duty: Duty) -> str:
    """Return `dealer console: inspect`; empty if no screen shows the duty to this person."""
    page = SCREENS[duty.screen]
    if duty.role not in page.for_ or duty.step not in page.steps:
        return ""
    return f"{duty.screen}: {duty.step}".replace("_", " ")


def reached(duties: Iterable[Duty]) -> dict[str, str]:
    """Return where each person meets these duties; an empty place if one of them is not shown."""
    steps_of: dict[str, list[str]] = {}
    for duty in duties:
        places = steps_of.setdefault(duty.role, [])
        if place_of(duty) not in places:
            places.append(place_of(duty))
    return {role: _joined(places) for role, places in steps_of.items()}


def _joined(places: list[str]) -> str:
    """Join steps of one screen under its name: `dealer console: turn, wash, stack`."""
    steps: dict[str, list[str]] = {}
    for place in places:
        if not place:
            return ""
        screen, _, step = place.partition(": ")
        steps.setdefault(screen, []).append(step)
    return "; ".join(f"{screen}: {', '.join(named)}" for screen, named in steps.items())
