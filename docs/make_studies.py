"""Writes docs/studies/: comparisons that people quote, every figure worked out by the program.

Run `make studies` after a change of rules or solvers. Each page is a head and a section for each
game, so that a test can make the cheap ones anew and compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from croupier.errors import CroupierError
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.reports.mathematics_report.play_part import reading_effects
from croupier.reports.mathematics_report.source import open_source
from croupier.reports.mathematics_report.wager_figures import alternatives_of, main_figures
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

FOLDER = Path(__file__).with_name("studies")
WRITTEN = "<!-- written by docs/make_studies.py: `make studies` -->"


class Seen(NamedTuple):
    """A card seen too early, and what is in print about it, in per cent."""

    game: str
    knows: dict[str, int]
    published: str = ""


SEEN = (
    Seen("md-uth", {"dealer": 1}, "13.59%"),
    Seen("md-wpt", {"dealer": 1}, "12.60%"),
    Seen("md-jackpot", {"dealer": 1}),
    Seen("md-uth", {"dealer": 1, "flop": 1}),
    Seen("md-uth", {"flop": 1}),
    Seen("md-uth", {"flop": 2}),
    Seen("md-wpt", {"flop": 1}),
    Seen("three-card-poker", {"dealer": 1}),
    Seen("three-card-poker", {"dealer": 2}),
    Seen("mississippi-stud", {"third street": 1}),
    Seen("mississippi-stud", {"fifth street": 1}),
)
"""The published figures are Eliot Jacobson's."""


def _rules(game: str, readings: Mapping[str, str] | None = None) -> Rules:
    return put_in_force(load_rulebook(game), Submission(readings=dict(readings or {})))


def _named(game: str) -> str:
    book = load_rulebook(game).default
    where = f", {book.jurisdiction}" if game in DOCUMENTS else ""
    return f"{book.title}{where} (`{game}`)"


def _percent(value: Fraction | float, digits: int = 4) -> str:
    return f"{float(value):.{digits}%}"


# -- the games of the five documents --------------------------------------------------------------


def comparison_head() -> Iterator[str]:
    yield "# Five documents, compared"
    yield WRITTEN
    yield ""
    yield (
        "The games of the five documents under the best play, first paytable and first reading of "
        "each. House edge and deviation are per unit of one required wager; a player puts more "
        "than one unit at stake, so the loss for each unit wagered (element of risk) is the fairer "
        "comparison. *Costs an hour* is for $10 on each required wager and 30 rounds."
    )
    yield ""
    yield (
        "| game | house edge | units wagered | element of risk | std deviation | wins | pushes | "
        "loses | largest win | costs an hour |"
    )
    yield f"| --- {'| ---: ' * 9}|"


def comparison_row(game: str) -> str:
    found = main_figures(_rules(game), settles=False)
    moments = found.moments
    assert moments is not None
    cost = moments.house_edge.fraction * 10 * 30
    return (
        f"| {_named(game)} | {_percent(moments.house_edge.fraction)} | {found.units_wagered:.4f} | "
        f"{_percent(found.element_of_risk or 0)} | {moments.standard_deviation:.4f} | "
        f"{_percent(moments.hit_frequency.fraction, 2)} | "
        f"{_percent(moments.push_frequency.fraction, 2)} | "
        f"{_percent(moments.loss_frequency.fraction, 2)} | {float(moments.largest_win.fraction):g} "
        f"| ${float(cost):.2f} |"
    )


def tables_rows(game: str) -> Iterator[str]:
    """The side wagers and paytables, from the cheapest to the dearest."""
    source = open_source(game, paytables={}, readings={})
    edges: dict[str, list[tuple[Fraction, str]]] = {}
    for one in alternatives_of(source, lambda _what: None):
        if one.figures.moments is not None:
            edge = one.figures.moments.house_edge.fraction
            edges.setdefault(one.figures.title, []).append((edge, one.table))
    for title, found in edges.items():
        told = ", ".join(f"{table} {_percent(edge, 3)}" for edge, table in sorted(found))
        yield f"| {title} | {told} |"


def comparison() -> str:
    lines = [*comparison_head(), *(comparison_row(game) for game in DOCUMENTS), ""]
    lines += ["## Which paytable costs what", ""]
    lines += [
        "House edges of every paytable that an operator may choose, the player's best first. "
        "Meters are at their minimum; Cover All goes by the number of hands dealt.",
        "",
    ]
    for game in DOCUMENTS:
        lines += [f"### {_named(game)}", "", "| wager | paytables |", "| --- | --- |"]
        lines += [*tables_rows(game), ""]
    return _page(lines)


# -- what each reading costs ----------------------------------------------------------------------


def readings_head() -> Iterator[str]:
    yield "# What each reading costs"
    yield WRITTEN
    yield ""
    yield (
        "Where a document can be read in more than one way, `croupier` has a switch. Each choice "
        "that is not in force is taken alone, and every house edge that moves is listed, for the "
        "first paytables, meters at their minimum and no other players; so a reading about another "
        "paytable, or about what others win, changes none of them here."
    )
    yield ""
    yield (
        "The public analysis of 235 Stud Poker counts A-2 as a straight, the document does not. "
        "Counted so the house edge is 8.70% (with two cards) or 5.95% (with three cards as well) "
        "instead of 10.51%."
    )
    yield ""


def readings_section(game: str) -> str:
    source = open_source(game, paytables={}, readings={})
    now = {
        wager: -Fraction(str(analyze(source.rules, wager)["expected_value_exact"]))
        for wager in ("main", *source.sides)
    }
    lines = [f"## {_named(game)}", "", "| reading | choice | wager | in force | read so | costs |"]
    lines += ["| --- | --- | --- | ---: | ---: | ---: |"]
    for one in reading_effects(source, 2, lambda _what: None):
        if one.in_force:
            continue
        name = f"{one.reading.replace('_', ' ')} ({', '.join(one.clauses)})"
        choice = one.choice.replace("_", " ")
        for wager, edge in one.edges.items():
            before, after = now[wager], edge.fraction
            lines.append(
                f"| {name} | {choice} | {wager.replace('_', ' ')} | {_percent(before)} | "
                f"{_percent(after)} | {float(after - before):+.4%} |"
            )
        if not one.edges:
            lines.append(f"| {name} | {choice} | none changes | | | |")
    return "\n".join([*lines, ""])


def readings() -> str:
    return _page([*readings_head(), *(readings_section(game) for game in DOCUMENTS)])


# -- simple strategies ----------------------------------------------------------------------------


def strategies_head() -> Iterator[str]:
    yield "# The price of simple strategies"
    yield WRITTEN
    yield ""
    yield (
        "What a strategy that fits on a card costs over the best play, exactly: every deal is "
        "played by its words. `croupier strategy price` does the same for any text "
        "([strategies.md](../strategies.md))."
    )
    yield ""
    yield "| game | strategy | words | house edge | over the best play | exactly |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"


def strategies_rows(game: str) -> Iterator[str]:
    rules = _rules(game)
    choices = solver_for(rules).choices()
    best = -Fraction(str(analyze(rules, "main")["expected_value_exact"]))
    yield f"| {_named(game)} | best play | | {_percent(best)} | | |"
    for name in shipped_for(game):
        plan = open_strategy(name, choices)
        price = price_of(rules, plan, mistakes=0)
        words = sum(len(line.words.split()) for part in plan.sections for line in part.lines)
        yield (
            f"| | `{name}` | {words} | {_percent(price.house_edge)} | {_percent(price.cost)} | "
            f"{price.cost} |"
        )


def strategies() -> str:
    rows = [row for game in DOCUMENTS for row in strategies_rows(game)]
    return _page([*strategies_head(), *rows, ""])


# -- information edges ----------------------------------------------------------------------------


def information_head() -> Iterator[str]:
    yield "# Information edges"
    yield WRITTEN
    yield ""
    yield (
        "What the main game is worth, per unit of one required wager, to a player who has seen "
        "cards before the first decision and plays his best with them (`croupier analyze "
        "--knows`). Without them he loses the house edge; *worth* is the difference. Published "
        "figures are Eliot Jacobson's, where we know of one."
    )
    yield ""
    yield "| game | seen | value to the player | worth | exactly | published |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"


def information_row(one: Seen) -> str:
    told = " and ".join(f"{count} of the {name}" for name, count in one.knows.items())
    told = told.replace("of the dealer", "of the dealer's")
    try:
        found: dict[str, Any] = analyze(_rules(one.game), "main", Asked(knows=one.knows))
    except CroupierError as error:
        return (
            f"| {_named(one.game)} | {told} | not computed: {error.message} | | | {one.published} |"
        )
    value, worth = Fraction(found["expected_value_exact"]), Fraction(found["worth_exact"])
    return (
        f"| {_named(one.game)} | {told} | {_percent(value)} | {_percent(worth)} | {value} | "
        f"{one.published} |"
    )


def settled() -> Iterator[str]:
    """Where printed figures contradict each other, or a count."""
    yield "## What exact values settle"
    yield ""
    yield "| figure | in print | exactly |"
    yield "| --- | --- | --- |"
    edge = -Fraction(str(analyze(_rules("high-card-flush"), "main")["expected_value_exact"]))
    yield (
        "| High Card Flush, house edge | 2.64%, and 2.6855% for a written strategy | "
        f"{_percent(edge)} under the best play ({edge}) |"
    )
    bonus = -Fraction(
        str(analyze(_rules("three-card-poker"), "six_card_bonus")["expected_value_exact"])
    )
    yield f"| Three Card Poker, Six Card Bonus | 10.23% | {_percent(bonus)} ({bonus}) |"
    both = {"ace_low_straights": "both"}
    two = {"ace_low_straights": "two_card"}
    edges = [
        -Fraction(str(analyze(_rules("md-235", said), "main")["expected_value_exact"]))
        for said in ({}, two, both)
    ]
    yield (
        f"| 235 Stud Poker, house edge | 8.70% or 5.95% | {_percent(edges[0])} by the document; "
        f"{_percent(edges[1])} with A-2 a straight of two cards, {_percent(edges[2])} "
        "of three too |"
    )


def information() -> str:
    return _page([*information_head(), *map(information_row, SEEN), "", *settled(), ""])


# -- all of them ----------------------------------------------------------------------------------


def _page(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def index() -> str:
    return _page(
        [
            "# Studies",
            WRITTEN,
            "",
            "Comparisons that follow from the exact figures. `make studies` writes them anew, and",
            "tests compare, so that they stay true.",
            "",
            "- [Five documents, compared](comparison.md)",
            "- [What each reading costs](readings.md)",
            "- [The price of simple strategies](simple-strategies.md)",
            "- [Information edges](information-edges.md)",
        ]
    )


PAGES: dict[str, Callable[[], str]] = {
    "index.md": index,
    "comparison.md": comparison,
    "readings.md": readings,
    "simple-strategies.md": strategies,
    "information-edges.md": information,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), "utf-8")


if __name__ == "__main__":
    main()
