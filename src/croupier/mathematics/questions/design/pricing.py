"""A designer's question about one changed paytable: its figures, and the edge that it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.errors import BadRequest, shown, suggest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.questions.analysis import is_by_hands, main_family, shares_of
from croupier.mathematics.questions.open_lines.open_table import OpenTable, VariedLine, read_varied
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.shapes import MAIN_ROLES
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission
from croupier.rulebooks.wager_families import families_of


class DesignedTable(NamedTuple):
    """A paytable of a bundled rulebook with changed lines, in units to 1."""

    rulebook: str
    family: str
    table: str
    pays: tuple[tuple[str, str], ...] = ()


class TableFigures(msgspec.Struct, frozen=True):
    """The figures of a paytable. `wager` is the wager with this edge. `decisions`: how often each
    word is said under the best play, as a share of all rounds. `per_unit`: what one unit more on a
    line takes off the edge."""

    wager: str
    expected_value_exact: str
    house_edge: float
    standard_deviation: float
    hit_frequency: float
    pays: dict[str, str]
    decisions: dict[str, dict[str, float]] = {}
    per_unit: dict[str, float] = {}


class DesignQuestion(NamedTuple):
    """A family of paytables, and the wager whose edge is requested: `main` or a side wager."""

    family: str
    edge_of: str


def question_of(book: Rulebook, name: str, hands: Sequence[str]) -> DesignQuestion:
    """Return the family and wager that `name` means: `main`, a wager, or a family that pays one; of
    several families the one that has all these lines."""
    if not hands:
        raise BadRequest("--vary is missing: name a line and its range, as in --vary flush=4..8")
    users = users_of(book)
    if name == "main":
        first = main_family(book)
        families = [first] if first else []
        families += [family for family, user in users.items() if user == "main"]
    elif name in book.wagers:
        families = list(families_of(book.wagers[name].settles))
        families += [bonus.paytable for bonus in book.bonuses.values() if bonus.on == name]
    elif name in users:
        families = [name]
    else:
        raise suggest("wager", name, ("main", *book.wagers, *users))
    if not families:
        raise BadRequest(f"--wager {name}: this wager has no paytable of its own")
    family = next((each for each in families if _has(book, each, hands)), families[0])
    return DesignQuestion(family, users[family])


def users_of(book: Rulebook) -> dict[str, str]:
    """Return for each family `main` if it pays a wager of the main game, or else the side wager."""
    users: dict[str, str] = {}
    for name, wager in book.wagers.items():
        for family in families_of(wager.settles):
            main = wager.role in MAIN_ROLES
            users[family] = "main" if main else users.get(family, name)
    for bonus in book.bonuses.values():
        main = book.wagers[bonus.on].role in MAIN_ROLES
        users[bonus.paytable] = "main" if main else users.get(bonus.paytable, bonus.on)
    return users


def _has(book: Rulebook, family: str, hands: Sequence[str]) -> bool:
    lines = {line.hand for table in book.paytables[family].values() for line in table.lines}
    return lines.issuperset(hands)


def open_table(design: DesignedTable) -> tuple[OpenTable, DesignQuestion]:
    """Return the table with the named lines open, each at its new pay."""
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
    """Return the table by family, as a submission chooses; nothing if there is no choice."""
    by_hands = is_by_hands(book, users_of(book)[design.family])
    alone = len(book.paytables[design.family]) == 1
    return {} if by_hands or alone else {design.family: design.table}


_MOST = 1_000_000


def _paying(hand: str, pay: str) -> VariedLine:
    """Read one value, not a range; the refusal names no option of a command."""
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
    """Return the exact figures; a game that no solver models is refused."""
    from croupier.mathematics.questions.design.search import sensitivities  # loads numpy

    table, question = open_table(design)
    pays = tuple(line.low for line in table.lines)
    rules = table.filled(pays)
    shown_pays = table.pays_of(pays)
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
            shown_pays,
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
        shown_pays,
        decisions=shares_of(main.decisions),
        per_unit={line.hand: float(gain) for line, gain in zip(lines.lines, added, strict=False)},
    )


def _one_more(table: OpenTable) -> list[Rules]:
    """Return the rules with one unit more on each line."""
    pays = [line.low for line in table.lines]
    return [
        table.filled([pay + (place == line) for place, pay in enumerate(pays)])
        for line in range(len(pays))
    ]
