"""Writes the tables of exact figures into docs/mathematics.md, between its two marks.

Run `python docs/make_figures.py` from the project's folder after a change of rules or solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from croupier.mathematics.analysis import Asked, analyze, is_by_hands, tables_of, wagers_of
from croupier.rulebooks.clauses import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

PAGE = Path(__file__).with_name("mathematics.md")
START, STOP = "<!-- figures: written by docs/make_figures.py -->", "<!-- end of figures -->"


def rows_of(book: str, wager: str) -> Iterator[str]:
    file = load_rulebook(book)
    family, tables = tables_of(put_in_force(file, Submission()), wager)
    for table in tables:
        by_hands = is_by_hands(file.default, wager)
        chosen = {} if by_hands or family is None else {family: table}
        asked = Asked(hands=int(table)) if by_hands else Asked()
        found = analyze(put_in_force(file, Submission(paytables=chosen)), wager, asked)
        exact = Fraction(str(found["expected_value_exact"]))
        deviation, hit = found["standard_deviation"], found["hit_frequency"]
        yield (f"| {table} | {float(-exact):.12%} | {exact} | {deviation:.6f} | {hit:.6%} |")


def pages() -> Iterator[str]:
    for book in DOCUMENTS:
        title = load_rulebook(book).default
        yield f"\n### {title.title}, {title.jurisdiction} (`{book}`)\n"
        for wager in wagers_of(title):
            yield f"**{wager.replace('_', ' ')}**\n"
            yield "| table | house edge | expected net, exact | standard deviation | wins |"
            yield "| --- | ---: | ---: | ---: | ---: |"
            yield from rows_of(book, wager)
            yield ""


def main() -> None:
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    _, _, after = rest.partition(STOP)
    PAGE.write_text(f"{before}{START}\n{chr(10).join(pages())}\n{STOP}{after}", "utf-8")


if __name__ == "__main__":
    main()
