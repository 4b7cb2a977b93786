"""Plots as SVG: the results of a round, the convergence of the mean, the return of a meter.

They are self-contained, like the strategy charts: no script, font, or request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

from croupier.reports.mathematics_report.record import Convergence, Progressive

_WIDE: Final = 760
_HIGH: Final = 300
_LEFT: Final = 74
_RIGHT: Final = 22
_TOP: Final = 44
_BOTTOM: Final = 50
_DOT: Final = 3
_MOST_BARS: Final = 21
_GROUPS: Final = 6
_COLORS: Final = ("#14573f", "#b3541e", "#2b6f9e", "#8a6d1c", "#6b4c9a")
_STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Libertinus Serif', sans-serif; }
.back { fill: #ffffff; } .ink { fill: #16191d; } .soft { fill: #5b6470; }
.rule { stroke: #dfe3e8; } .axis { stroke: #5b6470; }
"""
_DARK: Final = """
svg { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .back { fill: #14171b; } .ink { fill: #f2f4f6; } .soft { fill: #a5adb8; }
  .rule { stroke: #353b43; } .axis { stroke: #a5adb8; }
}
"""


def _framed(title: str, parts: Iterator[str], *, printed: bool) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" '
            f'width="{_WIDE}" height="{_HIGH}" role="img" aria-label="{escape(title)}">',
            f"<style>{_STYLE}{'' if printed else _DARK}</style>",
            f'<rect class="back" width="{_WIDE}" height="{_HIGH}"/>',
            _words(_LEFT, 22, title, 15, weight=600, at="start"),
            *parts,
            "</svg>",
            "",
        ]
    )


def _words(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    weight: int = 400,
    at: str = "middle",
    name: str = "ink",
) -> str:
    return (
        f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="{at}">{escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    return f'<line class="{name}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


class _Scale(NamedTuple):
    """A linear scale from values to positions."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)


def _steps(low: float, high: float, about: int = 5) -> list[float]:
    """Return round values between two values."""
    if high <= low:
        return [low]
    raw = (high - low) / about
    power = 10.0 ** floor(log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    first = ceil(low / step - 1e-9)
    return [n * step for n in range(first, floor(high / step + 1e-9) + 1)]


# -- what a round comes to ------------------------------------------------------------------------


def distribution_svg(nets: Mapping[Fraction, int], title: str, *, printed: bool) -> str:
    """Draw a bar for each result on a logarithmic scale, so that rare results are visible too."""
    return _framed(title, _bars(_grouped(nets)), printed=printed)


def _grouped(nets: Mapping[Fraction, int]) -> list[tuple[str, float, int]]:
    """Return (label, chance, sign): few single results, the high ones grouped."""
    total = sum(nets.values())
    listed = [(net, count) for net, count in sorted(nets.items()) if count]
    single = len(listed) if len(listed) <= _MOST_BARS else _MOST_BARS - _GROUPS
    parts = [[item] for item in listed[:single]]
    rest = listed[single:]
    size = -(-len(rest) // _GROUPS)
    parts += [rest[start : start + size] for start in range(0, len(rest), size or 1)]
    return [
        (
            _net(part[0][0]) if len(part) == 1 else f"{_net(part[0][0])}…{_net(part[-1][0])}",
            sum(count for _, count in part) / total,
            _sign(part[0][0]),
        )
        for part in parts
    ]


def _net(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{float(net):g}"


def _sign(net: Fraction) -> int:
    return (net > 0) - (net < 0)


def _bars(bars: Sequence[tuple[str, float, int]]) -> Iterator[str]:
    least = min(chance for _, chance, _ in bars)
    decades = _Scale(floor(log10(least)), 0, _HIGH - _BOTTOM, _TOP)
    every = max(1, ceil(-decades.low / 8))
    for power in range(int(decades.low), 1, every):
        y = decades(power)
        yield _line(_LEFT, y, _WIDE - _RIGHT, y, "rule")
        yield _words(_LEFT - 8, y + 4, _share(power), 11, at="end", name="soft")
    wide = (_WIDE - _LEFT - _RIGHT) / len(bars)
    for place, (label, chance, sign) in enumerate(bars):
        x, y = _LEFT + place * wide, decades(log10(chance))
        fill = {1: _COLORS[0], 0: _COLORS[3], -1: _COLORS[1]}[sign]
        yield (
            f'<rect x="{x + wide * 0.12:.1f}" y="{y:.1f}" width="{wide * 0.76:.1f}" '
            f'height="{_HIGH - _BOTTOM - y:.1f}" fill="{fill}"><title>{escape(label)}: '
            f"{chance:.6%}</title></rect>"
        )
        middle, below = x + wide / 2, _HIGH - _BOTTOM + 14
        if len(bars) > 12:
            yield (
                f'<text class="ink" font-size="9.5" text-anchor="end" '
                f'transform="translate({middle + 3:.1f} {below - 4:.1f}) rotate(-50)">'
                f"{escape(label)}</text>"
            )
        else:
            yield _words(middle, below, label, 11)
    yield _line(_LEFT, _HIGH - _BOTTOM, _WIDE - _RIGHT, _HIGH - _BOTTOM, "axis")
    yield _words(_WIDE - _RIGHT, 22, "by net result in units", 10.5, at="end", name="soft")


def _share(power: int) -> str:
    return f"{100 * 10.0**power:g}%"


# -- how the mean settles -------------------------------------------------------------------------


def convergence_svg(rows: Sequence[Convergence], mean: float, title: str, *, printed: bool) -> str:
    """Draw the interval of the mean result, which narrows as rounds are played."""
    return _framed(title, _funnel(rows, mean), printed=printed)


def _funnel(rows: Sequence[Convergence], mean: float) -> Iterator[str]:
    ends = [
        end
        for row in rows
        for end in (row.low, row.high, row.exact_low, row.exact_high)
        if end is not None
    ]
    low, high = min(ends), max(ends)
    x = _Scale(log10(rows[0].rounds), log10(rows[-1].rounds), _LEFT + 20, _WIDE - _RIGHT - 20)
    y = _Scale(low, high, _HIGH - _BOTTOM - _DOT, _TOP + _DOT)
    yield from _percent_rules(low, high, y)
    upper = [f"{x(log10(row.rounds)):.1f},{y(row.high):.1f}" for row in rows]
    lower = [f"{x(log10(row.rounds)):.1f},{y(row.low):.1f}" for row in reversed(rows)]
    yield (
        f'<polygon points="{" ".join(upper + lower)}" fill="{_COLORS[0]}" fill-opacity="0.16" '
        f'stroke="{_COLORS[0]}" stroke-width="1.2"/>'
    )
    yield (
        f'<line x1="{x.start:.1f}" y1="{y(mean):.1f}" x2="{x.end:.1f}" y2="{y(mean):.1f}" '
        f'stroke="{_COLORS[1]}" stroke-width="1.6"/>'
    )
    for row in rows:
        at = x(log10(row.rounds))
        yield _words(at, _HIGH - _BOTTOM + 16, f"{row.rounds:,}", 11)
        if row.exact_low is not None and row.exact_high is not None:
            for value in (row.exact_low, row.exact_high):
                yield f'<circle cx="{at:.1f}" cy="{y(value):.1f}" r="{_DOT}" fill="{_COLORS[2]}"/>'
    yield _line(_LEFT, _HIGH - _BOTTOM, _WIDE - _RIGHT, _HIGH - _BOTTOM, "axis")
    caption = "rounds; band: normal 95% interval, dots: counted, line: expected value"
    yield _words(_WIDE - _RIGHT, _HIGH - 8, caption, 10.5, at="end", name="soft")


def _percent_rules(low: float, high: float, y: _Scale) -> Iterator[str]:
    digits = 0 if high - low > 0.05 else 2
    for value in _steps(low, high):
        said = f"{value:,.0f} units" if high - low > 20 else f"{value:.{digits}%}"
        yield _line(_LEFT, y(value), _WIDE - _RIGHT, y(value), "rule")
        yield _words(_LEFT - 8, y(value) + 4, said, 11, at="end", name="soft")


# -- what a meter returns -------------------------------------------------------------------------


def meters_svg(progressive: Progressive, title: str, *, printed: bool) -> str:
    """Draw the return of the wager as each meter grows, the others at their reset."""
    return _framed(title, _meter_lines(progressive), printed=printed)


def _meter_lines(progressive: Progressive) -> Iterator[str]:
    at_reset = progressive.return_at_reset.value
    y = _Scale(min(0.0, at_reset), max(1.2, at_reset * 1.1), _HIGH - _BOTTOM, _TOP)
    yield from _percent_rules(y.low, y.high, y)
    x = _Scale(1.0, _farthest(progressive), _LEFT, _WIDE - _RIGHT)
    for value in _steps(1, x.high):
        yield _words(x(value), _HIGH - _BOTTOM + 16, f"{value:g}×", 11)
    for place, meter in enumerate(progressive.meters):
        fill = _COLORS[place % len(_COLORS)]
        slope = meter.return_at_reset.value
        far = min(x.high, 1 + (y.high - at_reset) / slope) if slope > 0 else x.high
        yield (
            f'<line x1="{x(1):.1f}" y1="{y(at_reset):.1f}" x2="{x(far):.1f}" '
            f'y2="{y(at_reset + slope * (far - 1)):.1f}" stroke="{fill}" stroke-width="2"/>'
        )
        even = meter.break_even_dollars
        reset = meter.reset_cents / 100
        said = meter.name
        if even is not None and even.value > 0:
            said += f": even at ${even.value:,.2f}"
            if reset and 1 <= even.value / reset <= x.high:
                at = x(even.value / reset)
                yield f'<circle cx="{at:.1f}" cy="{y(1):.1f}" r="4" fill="{fill}"/>'
        at = _LEFT + 14 + place % 3 * 225
        top = _TOP + 8 + place // 3 * 16
        yield f'<rect x="{at:.1f}" y="{top - 8:.1f}" width="10" height="10" fill="{fill}"/>'
        yield _words(at + 15, top + 1, said, 11, at="start")
    yield _line(_LEFT, y(1), _WIDE - _RIGHT, y(1), "axis")
    yield _line(_LEFT, _HIGH - _BOTTOM, _WIDE - _RIGHT, _HIGH - _BOTTOM, "axis")
    caption = "reading of the meter in multiples of its reset, the others at theirs"
    yield _words(_WIDE - _RIGHT, _HIGH - 8, caption, 10.5, at="end", name="soft")


def _farthest(progressive: Progressive) -> float:
    """Return the number of resets at which the first break-even is still visible."""
    evens = [
        meter.break_even_dollars.value / (meter.reset_cents / 100)
        for meter in progressive.meters
        if meter.break_even_dollars is not None and meter.reset_cents
    ]
    nearest = min((even for even in evens if even > 1), default=5.0)
    return max(3.0, min(60.0, nearest * 1.25))
