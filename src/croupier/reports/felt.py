"""The layout of a table as SVG: a curved felt with the dealer at its straight edge.

Drawn as the players see it, so a spot "to the right" is to the right here. Position 1 is farthest
to the dealer's left, where dealing begins: on the right of the drawing. The picture is
self-contained: no script, font, or request. On a screen it follows the reader's light or dark
scheme; `printed` uses one set of colors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import cos, pi, radians, sin
from typing import Final

from croupier.reports.phrases import joined
from croupier.reports.signs import FeltArea, FeltSpot, Sign

_SPOT_WIDE, _SPOT_HIGH = 84.0, 68.0  # from one spot to the next
_CARD_WIDE, _CARD_HIGH = 58.0, 74.0
_FIRST, _LAST = 16.0, 164.0  # degrees, where the outer positions stand
_EDGE = 62.0  # the dealer's edge
_LINE = 23.0  # from one inscription to the next
_HEART: Final = 345.0
"""Inside this radius are the dealer's cards and the operator's name."""

_STYLE: Final = """
svg { font-family: Georgia, 'Libertinus Serif', 'Times New Roman', serif; }
.back { fill: #ffffff; } .ink { fill: #1b1e22; } .soft { fill: #5b6470; }
.rail { fill: #4b3021; } .lip { fill: #2e1d13; } .felt { fill: #14573f; } .glow { fill: #1d6b4f; }
.line { stroke: #f4e9c8; fill: none; stroke-width: 2; } .thin { stroke: #f4e9c8; fill: none; }
.spot { stroke: #f4e9c8; stroke-width: 2.2; fill: #0f4633; }
.side { stroke: #e7c873; stroke-width: 2; fill: #0f4633; }
.card { stroke: #f4e9c8; stroke-width: 1.4; fill: #114b37; stroke-dasharray: 5 3; }
.tray { fill: #24282d; stroke: #8d949d; stroke-width: 1.4; } .slot { stroke: #8d949d; fill: none; }
.gold { fill: #e7c873; } .cream { fill: #f4e9c8; } .lamp { fill: #d9483b; }
"""
_DARK: Final = """
svg { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .back { fill: #14171b; } .ink { fill: #f2f4f6; } .soft { fill: #a5adb8; }
  .rail { fill: #3a2419; } .lip { fill: #20130c; } .felt { fill: #0d3b2b; } .glow { fill: #124a37; }
  .spot, .side { fill: #0a2e22; } .card { fill: #0b3326; } .tray { fill: #1b1e22; }
}
"""


def felt_svg(sign: Sign, *, printed: bool = False) -> str:
    return _Felt(sign).drawn(printed)


class _Felt:
    def __init__(self, sign: Sign) -> None:
        self.sign = sign
        rows = sorted({spot.row for spot in sign.spots} | {a.row for a in sign.areas if a.each})
        self.rows = {row: place for place, row in enumerate(rows)}
        """Rows of wagers that are not offered move together."""
        step = (_LAST - _FIRST) / max(1, sign.positions - 1)
        self.angles = [_FIRST + step * seat for seat in range(sign.positions)]
        if sign.positions == 1:
            self.angles = [90.0]
        across = [abs(spot.across) for spot in sign.spots] + [0.0]
        widest = (2 * max(across) + 1) * _SPOT_WIDE + 22
        words = _HEART + _LINE * len(sign.inscriptions) + 18
        inner = max(words, widest / radians(step))
        self.words_from = inner - 18 - _LINE * (len(sign.inscriptions) - 1) - 14
        self.first_row = inner + _SPOT_HIGH / 2
        self.radius = inner + _SPOT_HIGH * len(self.rows) + 30
        self.width = 2 * self.radius + 108
        self.height = _EDGE + self.radius + 64
        self.middle = self.width / 2

    def drawn(self, printed: bool) -> str:
        title = f"{self.sign.title}: layout"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} '
            f'{self.height:.0f}" role="img" aria-label="{_clean(title)}">',
            f"<style>{_STYLE}{'' if printed else _DARK}</style>",
            f'<rect class="back" width="{self.width:.0f}" height="{self.height:.0f}"/>',
            *self._table(),
            *(part for area in self.sign.areas if not area.each for part in self._area(area)),
            *self._inscriptions(),
            *(
                part
                for seat, angle in enumerate(self.angles, 1)
                for part in self._seat(seat, angle)
            ),
            *self._captions(),
            "</svg>",
            "",
        ]
        return "\n".join(parts)

    # -- the table ---------------------------------------------------------------------------------

    def _table(self) -> Iterator[str]:
        for name, more in (("lip", 34), ("rail", 30), ("felt", 0)):
            r = self.radius + more
            top = _EDGE - (24 if more else 0)
            left, right = self.middle - r, self.middle + r
            yield (
                f'<path class="{name}" d="M{left:.1f} {_EDGE:g}V{top:g}H{right:.1f}V{_EDGE:g}'
                f'A{r:.1f} {r:.1f} 0 0 1 {left:.1f} {_EDGE:g}Z"/>'
            )
        yield self._arc("glow", self.radius - 14, filled=True)
        yield self._arc("thin", self.radius - 14)

    def _arc(self, name: str, r: float, *, filled: bool = False) -> str:
        left, right = self.middle - r, self.middle + r
        close = "Z" if filled else ""
        return (
            f'<path class="{name}" d="M{right:.1f} {_EDGE:g}A{r:.1f} {r:.1f} 0 0 1 {left:.1f} '
            f'{_EDGE:g}{close}"/>'
        )

    def _area(self, area: FeltArea) -> Iterator[str]:
        x = self.middle + area.across * _CARD_WIDE
        y = _EDGE + 62 + (area.row - 1) * (_CARD_HIGH + 26)
        yield f"<g>{_tip(area.words, area.clause)}"
        if area.holds == "name":
            name = self.sign.operator or f"[{area.words}]"
            yield _text(x, y + 22, name, _fit(name, 400, 30), "gold", weight=700)
            title = self.sign.title
            yield _text(x, y + 48, title, _fit(title, 360, 19), "cream")
        elif area.cards:
            wide = area.cards * _CARD_WIDE
            for card in range(area.cards):
                at = x - wide / 2 + card * _CARD_WIDE + 3
                yield (
                    f'<rect class="card" x="{at:.1f}" y="{y:.1f}" width="{_CARD_WIDE - 6:g}" '
                    f'height="{_CARD_HIGH:g}" rx="6"/>'
                )
            yield _text(x, y + _CARD_HIGH + 17, area.words, 14, "cream")
        else:
            yield from self._furniture(area, x)
        yield "</g>"

    def _furniture(self, area: FeltArea, x: float) -> Iterator[str]:
        wide, high = (440.0, 44.0) if area.holds == "chips" else (84.0, 40.0)
        yield (
            f'<rect class="tray" x="{x - wide / 2:.1f}" y="{_EDGE - 18:g}" width="{wide:g}" '
            f'height="{high:g}" rx="5"/>'
        )
        if area.holds == "chips":
            for slot in range(1, 12):
                at = x - wide / 2 + slot * wide / 12
                yield (
                    f'<path class="slot" d="M{at:.1f} {_EDGE - 12:g}v{high - 12:g}" '
                    'stroke-opacity="0.5"/>'
                )
        yield _text(x, _EDGE + 7, area.words, 13, "cream")

    def _inscriptions(self) -> Iterator[str]:
        """Draw inscriptions on arcs around the dealer, each line above the next."""
        for place, notice in enumerate(self.sign.inscriptions):
            r = self.words_from + place * _LINE
            reach = radians(74)
            x0, y0 = self.middle - r * sin(reach), _EDGE + r * cos(reach)
            x1 = self.middle + r * sin(reach)
            size = _fit(notice.words, 2 * reach * r, 18)
            yield (
                f'<path id="arc{place}" class="thin" stroke-opacity="0" d="M{x0:.1f} {y0:.1f}'
                f'A{r:.1f} {r:.1f} 0 0 0 {x1:.1f} {y0:.1f}"/>'
                f'<text class="cream" font-size="{size:g}" text-anchor="middle">'
                f"{_tip('', notice.asked_by or notice.rule)}"
                f'<textPath href="#arc{place}" startOffset="50%">{_clean(notice.words)}'
                "</textPath></text>"
            )

    # -- a position --------------------------------------------------------------------------------

    def _seat(self, seat: int, angle: float) -> Iterator[str]:
        """Draw a seat upright at the middle of its outer edge, then turn it to its place."""
        x = self.middle + self.radius * cos(angle * pi / 180)
        y = _EDGE + self.radius * sin(angle * pi / 180)
        yield f'<g transform="translate({x:.1f} {y:.1f}) rotate({angle - 90:.1f})">'
        for area in self.sign.areas:
            if area.each:
                yield from self._card(area)
        for spot in self.sign.spots:
            yield from self._spot(spot)
        yield _text(0, 21, str(seat), 16, "gold", weight=700)
        yield "</g>"

    def _row(self, row: int) -> float:
        return self.first_row + self.rows[row] * _SPOT_HIGH - self.radius

    def _card(self, area: FeltArea) -> Iterator[str]:
        x, y = area.across * _SPOT_WIDE, self._row(area.row)
        yield (
            f"<g>{_tip(area.words, area.clause)}"
            f'<rect class="card" x="{x - 22:.1f}" y="{y - 31:.1f}" width="44" height="62" rx="5"/>'
            f"{_text(x, y + 4, area.words, 11, 'cream')}</g>"
        )

    def _spot(self, spot: FeltSpot) -> Iterator[str]:
        x, y = spot.across * _SPOT_WIDE, self._row(spot.row)
        side = spot.role == "optional"
        yield f"<g>{_tip(spot.title, spot.clause)}"
        if side:
            yield (
                f'<rect class="side" x="{x - 37:.1f}" y="{y - 27:.1f}" width="74" height="54" '
                'rx="15"/>'
            )
        else:
            yield f'<circle class="spot" cx="{x:.1f}" cy="{y:.1f}" r="30"/>'
        if spot.device_clause:
            yield f'<circle class="lamp" cx="{x:.1f}" cy="{y - 18:.1f}" r="3.4"/>'
        yield from _label(spot.title, x, y, 66.0 if side else 52.0)
        if spot.symbol:
            yield _text(x + _SPOT_WIDE / 2, y + 9, spot.symbol, 28, "cream", weight=700)
        yield "</g>"

    # -- captions ----------------------------------------------------------------------------------

    def _captions(self) -> Iterator[str]:
        sign = self.sign
        words_drawn = [("ink", 21.0, sign.title), ("soft", 14.0, f"{sign.document}")]
        who = ", ".join(part for part in (sign.operator, sign.table) if part)
        words_drawn += [("soft", 14.0, who)] if who else []
        if sign.layout_clause:
            words_drawn.append(("soft", 14.0, f"Layout under {sign.layout_clause}"))
        y = self.height - 16 - 19 * (len(words_drawn) - 1)
        for place, (name, size, words) in enumerate(words_drawn):
            fitted = _fit(words, self.width * 0.3, size)
            yield _text(18, y + 19 * place, words, fitted, name, anchor="start")
        legend = list(self._legend())
        y = self.height - 16 - 17 * (len(legend) - 1)
        for place, words in enumerate(legend):
            fitted = _fit(words, self.width * 0.27, 13)
            yield _text(self.width - 18, y + 17 * place, words, fitted, "soft", anchor="end")

    def _legend(self) -> Iterator[str]:
        """Draw the clauses that each part of the felt answers."""
        parts: dict[str, list[str]] = {}
        for spot in self.sign.spots:
            parts.setdefault(spot.clause, []).append(spot.title)
            if spot.device_clause:
                parts.setdefault(spot.device_clause, []).append(f"{spot.title} device (red lamp)")
        for area in self.sign.areas:
            if area.clause:
                parts.setdefault(area.clause, []).append(area.words)
        for clause, words in parts.items():
            yield f"{joined(words)} · {clause}"


def _label(title: str, x: float, y: float, room: float) -> Iterable[str]:
    """Draw a spot's title, one word a line, as large as it fits."""
    lines = _broken(title)
    size = min(_fit(max(lines, key=len), room, 15), 40 / len(lines))
    top = y - size * 1.08 * (len(lines) - 1) / 2 + size * 0.34
    for place, line in enumerate(lines):
        yield _text(x, top + place * size * 1.08, line, size, "cream", weight=700)


def _broken(title: str) -> list[str]:
    """Break words into lines; a line is never longer than the longest word."""
    words = title.split() or [""]
    most = max(7, *(len(word) for word in words))
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _fit(words: str, room: float, size: float) -> float:
    """Return the font size at which the words fit; a letter is about 0.56 of it wide."""
    return round(min(size, room / (0.56 * max(1, len(words)))), 1)


def _text(
    x: float,
    y: float,
    words: str,
    size: float,
    name: str,
    *,
    weight: int = 400,
    anchor: str = "middle",
) -> str:
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    return (
        f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{bold} '
        f'text-anchor="{anchor}">{_clean(words)}</text>'
    )


def _tip(words: str, clause: str) -> str:
    words_drawn = " ".join(part for part in (words, f"[{clause}]" if clause else "") if part)
    return f"<title>{_clean(words_drawn)}</title>" if words_drawn else ""


def _clean(words: str) -> str:
    """Return the text without characters that XML cannot carry."""
    kept = "".join(letter if letter.isprintable() else " " for letter in words)
    return escape(kept.encode("utf-8", "replace").decode("utf-8"))
