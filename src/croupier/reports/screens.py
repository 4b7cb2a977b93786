"""The screens where people meet their duties: what each is called, where it is, and its steps.

The conformance report says by it where a duty is reached. The tests run every document through
its ways of dealing and see each duty on the screen that is named here, before it is confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, get_args

from croupier.rulebooks.duties import DeckStep, Duty, Role, Screen, Step

__all__ = ["SCREENS", "Page", "place_of", "reached"]


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
"""What the commission decides is written down by the operator, with number and date."""


def place_of(duty: Duty) -> str:
    """`dealer console: inspect`, or empty where the person does not meet the duty."""
    page = SCREENS[duty.screen]
    if duty.role not in page.for_ or duty.step not in page.steps:
        return ""
    return f"{duty.screen}: {duty.step}".replace("_", " ")


def reached(duties: Iterable[Duty]) -> dict[str, str]:
    """Where each person meets these duties; an empty place where one of them is not met."""
    found: dict[str, list[str]] = {}
    for duty in duties:
        places = found.setdefault(duty.role, [])
        if place_of(duty) not in places:
            places.append(place_of(duty))
    return {role: _joined(places) for role, places in found.items()}


def _joined(places: list[str]) -> str:
    """Steps of one screen are named after it once: `dealer console: turn, wash, stack`."""
    steps: dict[str, list[str]] = {}
    for place in places:
        if not place:
            return ""
        screen, _, step = place.partition(": ")
        steps.setdefault(screen, []).append(step)
    return "; ".join(f"{screen}: {', '.join(named)}" for screen, named in steps.items())
