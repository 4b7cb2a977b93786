"""Strategy charts: the first decision for all starting hands, and the value of each decision.

Color shows the action, shade shows how much the choice is worth in units of one required wager. If
a community card is exposed before the first decision (Jackpot Hold 'Em), a hand is bet on some
cards and checked on others; the shade then shows the share of cards on which the bet is right. The
SVG is self-contained: no script, font, or request; it follows the reader's light or dark scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from croupier.mathematics.questions.strategies.grid import Grid, HandCell, Skipped

_CELL: Final = 44
_LEFT: Final = 24
_LEAST_WIDE: Final = 860  # for the legend
_TOP: Final = 64
_MOST_ROWS: Final = 30  # on one page
_FULL: Final = Fraction(1, 2)  # a choice worth half a unit or more has the full shade
_COLORS: Final = ("#1a9850", "#d8901a", "#2b7bba", "#8a4fbf")
_DECLINED: Final = "#7a828c"

_STYLE: Final = """
svg { font-family: ui-sans-serif, system-ui, 'Libertinus Serif', sans-serif; }
.back { fill: #ffffff; } .ink { fill: #16191d; } .soft { fill: #5b6470; }
.line { stroke: #d5dae0; fill: none; } .edge { stroke: #5b6470; }
"""
_DARK: Final = """
svg { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .back { fill: #14171b; } .ink { fill: #f2f4f6; } .soft { fill: #a5adb8; }
  .line { stroke: #353b43; } .edge { stroke: #a5adb8; }
}
"""


def shade(grid: Grid, cell: HandCell) -> float:
    """Return 0 to 1: the share of cards on which the bet is right if that varies, otherwise how
    much the choice is worth."""
    if grid.mixed:
        return float(1 - cell.shares[grid.choice.actions[-1]])
    return min(1.0, float(cell.margin / _FULL))


def color(grid: Grid, cell: HandCell) -> str:
    actions = grid.choice.actions
    said = actions[0] if grid.mixed else cell.action
    place = actions.index(said)
    return _DECLINED if place == len(actions) - 1 else _COLORS[place % len(_COLORS)]


def _legend(grid: Grid) -> str:
    if grid.mixed:
        share = f"{grid.choice.actions[0]} is right on that share of the community cards seen"
        return f"shade: {share}"
    worth = "shade: how much the choice is worth, full from half a unit on"
    if any(cell.mixed for cell in grid.cells()):
        return f"{worth}; a share: right for this share of the hands"
    return worth


def _used(grid: Grid) -> list[tuple[str, str]]:
    colors: dict[str, str] = {}
    for cell in grid.cells():
        said = grid.choice.actions[0] if grid.mixed else cell.action
        colors.setdefault(said, color(grid, cell))
    return [(said, colors[said]) for said in grid.choice.actions if said in colors]


def values_in_words(cell: HandCell) -> str:
    """Return the values of a cell as a person would read them out."""
    values = ", ".join(f"{said} {float(value):+.6f}" for said, value in cell.values.items())
    if cell.mixed:
        shares = ", ".join(f"{said} {float(share):.1%}" for said, share in cell.shares.items())
        return f"{cell.hand}: {values}; right: {shares}"
    return f"{cell.hand}: {values}"


# -- SVG ------------------------------------------------------------------------------------------


def chart_svg(
    grid: Grid,
    best: Fraction | None,
    skipped: Sequence[Skipped],
    title: str,
    *,
    printed: bool = False,
) -> str:
    """Draw the grid, and below it what the game costs without each decision, if known. `printed`
    uses one set of colors."""
    margin = _LEFT + 8 * max((len(name) for name in grid.row_names), default=0)
    width = margin + len(grid.rows[0]) * _CELL + 24
    if grid.row_names:
        width = max(width, _LEAST_WIDE)
    top = _TOP + 18 * any(grid.column_names)
    bottom = top + len(grid.rows) * _CELL
    height = bottom + (24 if best is None else 66 + 26 * (len(skipped) + 1))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(title)}">',
        f"<style>{_STYLE}{'' if printed else _DARK}</style>",
        f'<rect class="back" width="{width}" height="{height}"/>',
        _words(_LEFT, 24, title, 17, weight=600),
        _legend_svg(grid),
    ]
    for row, name in enumerate(grid.row_names):
        parts.append(_words(_LEFT, top + row * _CELL + 27, name, 13))
    for column, name in enumerate(grid.column_names):
        middle = margin + (column + 0.5) * _CELL
        parts.append(_words(middle, top - 6, name, 13, weight=600, at="middle"))
    for row, cells in enumerate(grid.rows):
        y = top + row * _CELL
        parts += [_cell_svg(grid, cell, margin + n * _CELL, y) for n, cell in enumerate(cells)]
    if best is not None:
        parts.append(_bars(best, skipped, bottom + 36, width))
    return "\n".join([*parts, "</svg>", ""])


def chart_pages(
    grid: Grid, best: Fraction | None, skipped: Sequence[Skipped], title: str
) -> tuple[str, ...]:
    """Draw the chart for paper, split if it has more rows than a page."""
    count = -(-len(grid.rows) // _MOST_ROWS)
    if count < 2:
        return (chart_svg(grid, best, skipped, title, printed=True),)
    each = -(-len(grid.rows) // count)
    parts = [
        replace(grid, rows=grid.rows[at : at + each], row_names=grid.row_names[at : at + each])
        for at in range(0, len(grid.rows), each)
    ]
    return tuple(
        chart_svg(
            part,
            best if place == count else None,
            skipped,
            f"{title}, part {place} of {count}",
            printed=True,
        )
        for place, part in enumerate(parts, 1)
    )


def _words(
    x: float, y: float, text: str, size: int, *, weight: int = 400, soft: bool = False, at: str = ""
) -> str:
    anchor = f' text-anchor="{at}"' if at else ""
    return (
        f'<text class="{"soft" if soft else "ink"}" x="{x:g}" y="{y:g}" font-size="{size}" '
        f'font-weight="{weight}"{anchor}>{escape(text)}</text>'
    )


def _legend_svg(grid: Grid) -> str:
    parts = []
    x = float(_LEFT)
    for said, fill in _used(grid):
        parts.append(f'<rect x="{x:g}" y="38" width="14" height="14" rx="3" fill="{fill}"/>')
        parts.append(_words(x + 19, 50, said, 13))
        x += 34 + 8 * len(said)
    parts.append(_words(x + 6, 50, _legend(grid), 12, soft=True))
    return "\n".join(parts)


def _cell_svg(grid: Grid, cell: HandCell, x: int, y: int) -> str:
    if not cell.combinations:
        return f'<rect class="line" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'
    deep = shade(grid, cell)
    opacity = deep if grid.mixed else 0.18 + 0.82 * deep
    number = f"{deep:.0%}" if grid.mixed else f"{float(cell.margin):.2f}"
    middle = x + _CELL / 2
    return (
        f"<g><title>{escape(values_in_words(cell))}</title>"
        f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{color(grid, cell)}" '
        f'fill-opacity="{opacity:.3f}"/>'
        f'<rect class="line" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'
        f"{_words(middle, y + 20, _mark(grid, cell), 13, weight=600, at='middle')}"
        f"{_words(middle, y + 35, number, 10, at='middle')}</g>"
    )


def _mark(grid: Grid, cell: HandCell) -> str:
    """Return the text of a cell: the hand, or the action if rows and columns name the hand, or the
    share of hands for which it is right."""
    if not grid.row_names:
        return cell.hand
    share = cell.shares[cell.action]
    if share == 1:
        words = cell.action.replace("_", " ")
        return words if len(words) <= 5 else words.split()[0][:5]
    return f"{min(round(100 * share), 99)}%"  # 100% is only said by the action's name


def _bars(best: Fraction, skipped: Sequence[Skipped], top: float, width: int) -> str:
    rows = [("best play", best)]
    rows += [
        (f"{decision.decision.replace('_', ' ')}: {decision.how}", decision.house_edge)
        for decision in skipped
    ]
    most = max(edge for _, edge in rows) or Fraction(1)
    parts = [_words(_LEFT, top, "House edge without each decision", 14, weight=600)]
    start, room = _LEFT + 190, width - _LEFT - 190 - 90
    for place, (name, edge) in enumerate(rows):
        y = top + 12 + 26 * place
        long = max(1.0, float(edge / most) * room)
        parts.append(_words(_LEFT, y + 15, name, 13))
        fill = _COLORS[0] if place == 0 else _COLORS[1]
        parts.append(
            f'<rect x="{start}" y="{y + 3:g}" width="{long:.1f}" height="15" fill="{fill}"/>'
        )
        parts.append(_words(start + long + 8, y + 15, f"{float(edge):.3%}", 12, soft=True))
    return "\n".join(parts)


# -- the terminal ---------------------------------------------------------------------------------


def grid_drawn(grid: Grid, *, values: bool = False) -> RenderableType:
    """Return hands by rank, or types of hand by the dealer's card; with `values`, the exact value
    of each action follows."""
    drawn = Table.grid(padding=0)
    if grid.row_names:
        drawn.add_column(justify="left")
    for _ in grid.rows[0]:
        drawn.add_column(justify="center", width=5)
    if any(grid.column_names):
        drawn.add_row("", *grid.column_names)
    for place, row in enumerate(grid.rows):
        name = [f"{grid.row_names[place]}  "] if grid.row_names else []
        drawn.add_row(*name, *(_cell_text(grid, cell) for cell in row))
    legend = Text()
    for said, fill in _used(grid):
        legend.append(f" {said} ", style=f"bold white on {fill}")
        legend.append("  ")
    legend.append(_legend(grid), style="dim")
    if not values:
        return Group(drawn, Text(), legend)
    return Group(drawn, Text(), legend, Text(), _listed(grid))


def _cell_text(grid: Grid, cell: HandCell) -> Text:
    if not cell.combinations:
        return Text("  -  ", style="dim")
    red, green, blue = (int(color(grid, cell)[at : at + 2], 16) for at in (1, 3, 5))
    deep = 0.25 + 0.75 * shade(grid, cell)
    mixed = ",".join(str(round(part * deep)) for part in (red, green, blue))
    declined = cell.action == grid.choice.actions[-1]
    hand = _mark(grid, cell)
    mark = f"·{hand.lower()}"[:5] if declined else hand  # colors may be missing
    return Text(f"{mark:^5}", style=f"white on rgb({mixed})")


def _listed(grid: Grid) -> Table:
    drawn = Table("hand", *grid.choice.actions, "worth", box=None, pad_edge=False)
    for cell in grid.cells():
        values = [str(cell.values.get(said, "")) for said in grid.choice.actions]
        drawn.add_row(cell.hand, *values, str(cell.worth))
    return drawn


def values_drawn(best: Fraction, skipped: Sequence[Skipped]) -> Table:
    """Return the value of each decision: the house edge without it."""
    drawn = Table(
        "decision",
        "in its place",
        "house edge",
        "",
        title="Without each decision",
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
    )
    most = max([best, *(decision.house_edge for decision in skipped)]) or Fraction(1)
    rows = [("best play", "", best)]
    rows += [
        (decision.decision.replace("_", " "), decision.how, decision.house_edge)
        for decision in skipped
    ]
    for name, how, edge in rows:
        drawn.add_row(name, how, f"{float(edge):.4%}", "█" * max(1, round(40 * float(edge / most))))
    return drawn
