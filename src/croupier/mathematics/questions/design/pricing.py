"""One paytable as somebody would have it: its exact figures, and what each line is worth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.errors import BadRequest, shown, suggest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.design.designed import DesignedTable, TableFigures
from croupier.mathematics.questions.design.question import Question, users_of
from croupier.mathematics.questions.design.search import pricer_of
from croupier.mathematics.questions.open_lines.by_line import slopes
from croupier.mathematics.questions.open_lines.open_table import OpenTable, VariedLine, read_varied
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission

__all__ = ["chosen_table", "open_table", "price"]


def open_table(asked: DesignedTable) -> tuple[OpenTable, Question]:
    """The table with the lines that were named open, each at what it is to pay."""
    file = load_rulebook(asked.rulebook)
    users = users_of(file.default)
    if asked.family not in users:
        raise suggest("paytable", asked.family, users)
    question = Question(asked.family, users[asked.family])
    tables = file.default.paytables[asked.family]
    if asked.table not in tables:
        raise suggest(f"table of {asked.family}", asked.table, tables)
    rules = put_in_force(file, Submission(paytables=chosen_table(file.default, asked)))
    varied = [_paying(hand, pay) for hand, pay in asked.pays]
    if any(line.low > _MOST for line in varied):
        raise BadRequest(f"a line may pay {_MOST:,} to 1 at most here")
    return OpenTable.of(rules, asked.family, asked.table, varied), question


def chosen_table(book: Rulebook, asked: DesignedTable) -> dict[str, str]:
    """By family, as a submission chooses; nothing where there is nothing to choose."""
    by_hands = is_by_hands(book, users_of(book)[asked.family])
    alone = len(book.paytables[asked.family]) == 1
    return {} if by_hands or alone else {asked.family: asked.table}


_MOST = 1_000_000


def _paying(hand: str, pay: str) -> VariedLine:
    """One value, not a range; said in words that name no option of a command."""
    try:
        line = read_varied(f"{hand}={pay}")
    except BadRequest:
        line = None
    if line is None or line.count != 1:
        raise BadRequest(
            f"{shown(hand)} pays {shown(pay)}: write what it pays to 1, as in 6 or 7/2"
        )
    return line


def price(asked: DesignedTable) -> TableFigures:
    """Exact; a game that no solver models is refused."""
    table, question = open_table(asked)
    pays = tuple(line.low for line in table.lines)
    rules = table.filled(pays)
    told = table.pays_of(pays)
    if question.edge_of != "main":
        hands = int(asked.table) if is_by_hands(rules.book, question.edge_of) else 2
        found = analyze_wager(rules, question.edge_of, hands=hands)
        return TableFigures(
            question.edge_of,
            str(found.expected_value),
            float(-found.expected_value),
            found.standard_deviation,
            float(found.hit_frequency),
            told,
            per_unit=_per_unit(table, question.edge_of),
        )
    lines = OpenTable.of(rules, asked.family, asked.table, []).as_printed()
    with keeping_nothing():
        main, added = solver_for(rules).changed_figures(_one_more(lines))
    return TableFigures(
        "main",
        str(main.expected_value),
        float(-main.expected_value),
        main.standard_deviation,
        float(main.hit_frequency),
        told,
        decisions=_floats(main.decisions),
        per_unit={line.hand: float(one) for line, one in zip(lines.lines, added, strict=False)},
    )


def _one_more(table: OpenTable) -> list[Rules]:
    """The rules with a unit more on each line."""
    pays = [line.low for line in table.lines]
    return [
        table.filled([pay + (place == line) for place, pay in enumerate(pays)])
        for line in range(len(pays))
    ]


def _per_unit(table: OpenTable, wager: str) -> dict[str, float]:
    pricer = pricer_of(table.as_printed(), wager)
    return {} if pricer is None else {hand: float(one) for hand, one in slopes(pricer).items()}


def _floats(decisions: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, float]]:
    return {
        name: {word: float(share) for word, share in said.items()}
        for name, said in decisions.items()
    }
