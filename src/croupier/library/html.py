"""HTML for notebooks: escaped, with inline styles, so that it can be sent by mail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from croupier.cards import Card
from croupier.money import dollars

_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_INKS: Final = {"c": "#101014", "d": "#c2182b", "h": "#c2182b", "s": "#101014"}
_FACE: Final = (
    "display:inline-block;min-width:1.6em;margin:1px;padding:1px 3px;border-radius:4px;"
    "border:1px solid #b9bec6;text-align:center;font-weight:600"
)
_CELL: Final = "text-align:{};padding:3px 10px;vertical-align:top"


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def escaped(value: object) -> str:
    return str(value) if isinstance(value, Markup) else escape(str(value))


def cards(shown: Iterable[Card | None]) -> Markup:
    """Return card faces; None is a card face down."""
    return Markup("".join([_card(card) for card in shown]))


def _card(card: Card | None) -> str:
    if card is None:
        return f'<span style="{_FACE};background:#2b4c7e;color:#2b4c7e" title="face down">?</span>'
    rank, suit = str(card)[0].replace("T", "10"), str(card)[1]
    style = f"{_FACE};background:#fdfdfb;color:{_INKS[suit]}"
    return f'<span style="{style}">{rank}{_SIGNS[suit]}</span>'


def net(cents: int) -> Markup:
    """Return an amount won or lost, with its sign."""
    ink = "#1a7f37" if cents > 0 else "#c2182b" if cents < 0 else "inherit"
    sign = "+" if cents > 0 else ""
    return Markup(f'<b style="color:{ink}">{sign}{escape(dollars(cents))}</b>')


def strong(text: object) -> Markup:
    return Markup(f"<b>{escaped(text)}</b>")


def note(text: object) -> Markup:
    return Markup(f'<div style="opacity:.7">{escaped(text)}</div>')


def grid(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[int] = ()
) -> Markup:
    """Return a table; the columns numbered in `right` (from 0) hold figures."""
    sides = ["right" if place in set(right) else "left" for place in range(len(headings))]
    head = "".join([_cell("th", name, side) for name, side in zip(headings, sides, strict=True)])
    body = "".join(
        [
            "<tr>" + "".join([_cell("td", c, s) for c, s in zip(row, sides, strict=True)]) + "</tr>"
            for row in rows
        ]
    )
    return Markup(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _cell(tag: str, value: object, side: str) -> str:
    return f'<{tag} style="{_CELL.format(side)}">{escaped(value)}</{tag}>'


def page(title: object, *parts: object) -> str:
    """Return a heading with these parts below it."""
    below = "".join([escaped(part) for part in parts])
    return f"<div><div>{strong(title)}</div>{below}</div>"
