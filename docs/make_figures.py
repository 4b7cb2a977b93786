"""Write the tables of exact figures into docs/mathematics.md, between their marks.

Run `python docs/make_figures.py` from the project's folder after a change of rules or solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from published_figures import PUBLISHED, Published, figure_in, rounded

from croupier.errors import Unsolvable
from croupier.mathematics.questions.analysis import (
    Asked,
    analyze,
    is_by_hands,
    main_family,
    tables_of,
    wagers_of,
)
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission

PAGE = Path(__file__).with_name("mathematics.md")
START, STOP = "<!-- figures: written by docs/make_figures.py -->", "<!-- end of figures -->"
GAMES_START = "<!-- published: written by docs/make_figures.py -->"
GAMES_STOP = "<!-- end of published -->"


def rows_of(book: str, wager: str) -> Iterator[str]:
    file = load_rulebook(book)
    family, tables = tables_of(put_in_force(file, Submission()), wager)
    for table in tables:
        by_hands = is_by_hands(file.default, wager)
        chosen = {} if by_hands or family is None else {family: table}
        asked = Asked(hands=int(table)) if by_hands else Asked()
        try:
            found = analyze(put_in_force(file, Submission(paytables=chosen)), wager, asked)
        except Unsolvable:
            yield f"| {table} | not solved | | | |"
            continue
        exact = Fraction(str(found["expected_value_exact"]))
        deviation, hit = found["standard_deviation"], found["hit_frequency"]
        yield (f"| {table} | {float(-exact):.12%} | {exact} | {deviation:.6f} | {hit:.6%} |")


def pages() -> Iterator[str]:
    for book in BUNDLED:
        title = load_rulebook(book).default
        yield f"\n### {title.title}, {title.jurisdiction} (`{book}`)\n"
        for wager in wagers_of(title):
            yield f"**{wager.replace('_', ' ')}**\n"
            yield "| table | house edge | expected net, exact | standard deviation | wins |"
            yield "| --- | ---: | ---: | ---: | ---: |"
            yield from rows_of(book, wager)
            yield ""


WORDS = {
    "house_edge": "house edge",
    "element_of_risk": "element of risk",
    "units_wagered": "units wagered",
}


def beside(one: Published) -> str:
    """A row: the printed figure, ours, and ours to the last digit."""
    file = load_rulebook(one.game)
    book = file.default
    family = main_family(book) if one.wager == "main" else tables_of_wager(book, one.wager)
    chosen = {family: one.table} if one.table and family else {}
    what = WORDS.get(one.figure) or f"plays on at {one.figure.removeprefix('plays.')}"
    name = f"`{one.game}` {one.wager.replace('_', ' ')} {one.table}".rstrip()
    try:
        found = analyze(put_in_force(file, Submission(paytables=chosen)), one.wager)
    except Unsolvable:
        return f"| {name} | {what} | {one.printed} | not solved | |"
    value = figure_in(found, one.figure)
    more = f"{value:.6%}" if one.printed.endswith("%") else f"{value:.6f}"
    mark = "" if rounded(value, one.printed) == one.printed else " †"
    exact = f"{found['expected_value_exact']}" if one.figure == "house_edge" else ""
    return f"| {name} | {what} | {one.printed} | {more}{mark} | {exact} |"


def tables_of_wager(book: Rulebook, wager: str) -> str | None:
    return getattr(book.wagers[wager].settles, "paytable", None)


def published() -> Iterator[str]:
    yield "| game and wager | figure | published | here | expected net, exact |"
    yield "| --- | --- | ---: | ---: | ---: |"
    yield from map(beside, PUBLISHED)


def between(page: str, start: str, stop: str, lines: Iterator[str]) -> str:
    before, _, rest = page.partition(start)
    _, _, after = rest.partition(stop)
    return f"{before}{start}\n{chr(10).join(lines)}\n{stop}{after}"


def main() -> None:
    page = PAGE.read_text("utf-8")
    page = between(page, GAMES_START, GAMES_STOP, published())
    PAGE.write_text(between(page, START, STOP, pages()), "utf-8")


if __name__ == "__main__":
    main()
