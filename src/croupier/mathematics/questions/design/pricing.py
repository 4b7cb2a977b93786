"""One paytable as somebody would have it: its exact figures, and what each line is worth."""

from __future__ import annotations

from croupier.errors import BadRequest, shown, suggest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.questions.analysis import is_by_hands, shares_of
from croupier.mathematics.questions.design.question import (
    DesignedTable,
    DesignQuestion,
    TableFigures,
    users_of,
)
from croupier.mathematics.questions.design.search import sensitivities
from croupier.mathematics.questions.open_lines.open_table import OpenTable, VariedLine, read_varied
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission


def open_table(design: DesignedTable) -> tuple[OpenTable, DesignQuestion]:
    """The table with the lines that were named open, each at what it is to pay."""
    file = load_rulebook(design.rulebook)
    users = users_of(file.default)
    if design.family not in users:
        raise suggest("paytable", design.family, users)
    question = DesignQuestion(design.family, users[design.family])
    tables = file.default.paytables[design.family]
    if design.table not in tables:
        raise suggest(f"table of {design.family}", design.table, tables)
    rules = put_in_force(file, Submission(paytables=chosen_table(file.default, design)))
    varied = [_paying(hand, pay) for hand, pay in design.pays]
    if any(line.low > _MOST for line in varied):
        raise BadRequest(f"a line may pay {_MOST:,} to 1 at most here")
    return OpenTable.of(rules, design.family, design.table, varied), question


def chosen_table(book: Rulebook, design: DesignedTable) -> dict[str, str]:
    """By family, as a submission chooses; nothing where there is nothing to choose."""
    by_hands = is_by_hands(book, users_of(book)[design.family])
    alone = len(book.paytables[design.family]) == 1
    return {} if by_hands or alone else {design.family: design.table}


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


def price(design: DesignedTable) -> TableFigures:
    """Exact; a game that no solver models is refused."""
    table, question = open_table(design)
    pays = tuple(line.low for line in table.lines)
    rules = table.filled(pays)
    told = table.pays_of(pays)
    if question.edge_of != "main":
        hands = int(design.table) if is_by_hands(rules.book, question.edge_of) else 2
        figures = analyze_wager(rules, question.edge_of, hands=hands)
        slopes = sensitivities(table, question.edge_of) or {}
        return TableFigures(
            question.edge_of,
            str(figures.expected_value),
            float(-figures.expected_value),
            figures.standard_deviation,
            float(figures.hit_frequency),
            told,
            per_unit={hand: float(gain) for hand, gain in slopes.items()},
        )
    lines = OpenTable.of(rules, design.family, design.table, []).as_printed()
    with keeping_nothing():
        main, added = solver_for(rules).changed_figures(_one_more(lines))
    return TableFigures(
        "main",
        str(main.expected_value),
        float(-main.expected_value),
        main.standard_deviation,
        float(main.hit_frequency),
        told,
        decisions=shares_of(main.decisions),
        per_unit={line.hand: float(gain) for line, gain in zip(lines.lines, added, strict=False)},
    )


def _one_more(table: OpenTable) -> list[Rules]:
    """The rules with a unit more on each line."""
    pays = [line.low for line in table.lines]
    return [
        table.filled([pay + (place == line) for place, pay in enumerate(pays)])
        for line in range(len(pays))
    ]
