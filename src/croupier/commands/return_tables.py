"""Return tables in the terminal: every wager line by line, every decision action by action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from croupier.commands.output import console
from croupier.reports.phrases import hand_words, line_words, pays_words, wager_words
from croupier.rulebooks.schema import Rulebook

__all__ = ["HIT_FREQUENCY", "draw_return_tables"]

HIT_FREQUENCY: Final = (
    "Hit frequency: how often the wager ends with a win, a push not counted; for the main game, "
    "how often the whole round does."
)
_Row = tuple[str, ...]


def draw_return_tables(book: Rulebook, wager: str, table: str, figures: Mapping[str, Any]) -> None:
    """Of a side wager its outcomes; of the main game a table for each of its wagers and
    decisions, unless cards are seen too early."""
    if wager == "main" and "line_tables" not in figures:
        return
    if "line_tables" not in figures:
        ids = table or ", ".join(figures["paytables"].values())
        _draw(f"{wager_words(book, wager)} {ids}".rstrip(), _HAND, tuple(_side_rows(book, figures)))
        return
    main = " ".join(("Main game", table)).strip()
    for name, part in figures["line_tables"].items():
        title = f"{main}: {wager_words(book, name)} {_own_tables(figures, part)}".rstrip()
        units = part["units_wagered"]
        title += f", {units:.6g} units on average" if units != 1 else ""
        _draw(title, _WAGER, tuple(_wager_rows(book, part)))
    for name, actions in figures["decision_tables"].items():
        title = f"{main}: {name.replace('_', ' ')}"
        _draw(title, _ACTION, tuple(_action_rows(book, actions)))


def _own_tables(figures: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """The ids of the paytables that a wager is paid by, where there is a choice."""
    families = dict.fromkeys(line["paytable"] for line in part["lines"])
    ids = (figures["paytables"].get(family, "only") for family in families)
    return ", ".join(each for each in ids if each != "only")


_HAND: Final = ("hand", "combinations", "probability", "pays", "return")
_WAGER: Final = ("hand", "bet", "combinations", "probability", "pays", "return")
_ACTION: Final = ("action", "combinations", "probability", "worth", "return")


def _side_rows(book: Rulebook, figures: Mapping[str, Any]) -> Iterator[_Row]:
    outcomes = figures["outcomes"]
    for one in outcomes:
        hand = hand_words(book, one["hand"])
        yield (hand, *_counted(one), pays_words(one), _percent(one["return"]))
    own = sum(one["return"] for one in outcomes)
    envy = figures["expected_value"] - own
    if abs(envy) > 1e-12:
        yield ("Envy bonuses of other players", "", "", "", _percent(envy))
    yield ("Total", *_totals(outcomes), "", _percent(figures["expected_value"]))


def _wager_rows(book: Rulebook, part: Mapping[str, Any]) -> Iterator[_Row]:
    for one in part["lines"]:
        pays, bet = pays_words(one), str(one["units"] or "")
        yield (line_words(book, one), bet, *_counted(one), pays, _percent(one["return"]))
    yield ("Total", "", *_totals(part["lines"]), "", _percent(part["expected_value"]))


def _action_rows(book: Rulebook, actions: Sequence[Mapping[str, Any]]) -> Iterator[_Row]:
    for one in actions:
        worth = "" if one["expected_value"] is None else f"{one['expected_value']:+.6f}"
        yield (hand_words(book, one["action"]), *_counted(one), worth, _percent(one["return"]))
    value = sum(one["return"] for one in actions)
    yield ("Total", *_totals(actions), f"{value:+.6f}", _percent(value))


def _counted(one: Mapping[str, Any]) -> tuple[str, str]:
    return f"{one['combinations']:,}", f"{one['probability']:.6%}"


def _totals(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    return f"{sum(one['combinations'] for one in rows):,}", "100.000000%"


def _percent(value: float) -> str:
    return f"{value:+.6%}"


def _draw(title: str, headings: _Row, rows: Sequence[_Row]) -> None:
    """The first column to the left, numbers to the right; plain lines, since rich takes longer for
    a hundred rows than everything else."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    out = console()
    out.print(f"\n{title}", style="bold", soft_wrap=True)
    lines = [_line(headings, widths), "─" * (sum(widths) + 2 * len(widths) - 2)]
    lines += [_line(row, widths) for row in rows]
    out.print("\n".join(lines), soft_wrap=True)


def _line(cells: _Row, widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join((first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)))
