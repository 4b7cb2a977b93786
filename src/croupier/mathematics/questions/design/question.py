"""A designer's question: a paytable as they would have it, its figures, and the edge it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.errors import BadRequest, suggest
from croupier.mathematics.questions.analysis import main_family
from croupier.mathematics.shapes.fields import MAIN_ROLES
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.wager_families import families_of


class DesignedTable(NamedTuple):
    """A table of a family of a bundled rulebook, with some lines paying otherwise: units to 1."""

    rulebook: str
    family: str
    table: str
    pays: tuple[tuple[str, str], ...] = ()


class TableFigures(msgspec.Struct, frozen=True):
    """`wager` is whose edge it is. `decisions`: of all rounds, how often each word is said under
    the best play. `per_unit`: what one unit more on a line takes off the edge."""

    wager: str
    expected_value_exact: str
    house_edge: float
    standard_deviation: float
    hit_frequency: float
    pays: dict[str, str]
    decisions: dict[str, dict[str, float]] = {}
    per_unit: dict[str, float] = {}


class DesignQuestion(NamedTuple):
    """A family of paytables, and the wager whose edge is asked for: `main` or a side wager."""

    family: str
    edge_of: str


def question_of(book: Rulebook, name: str, hands: Sequence[str]) -> DesignQuestion:
    """`name` is `main`, a wager, or a family that pays one; of several families the one that has
    all these lines."""
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
        raise BadRequest(f"--wager {name}: it is paid by no table of its own")
    family = next((each for each in families if _has(book, each, hands)), families[0])
    return DesignQuestion(family, users[family])


def users_of(book: Rulebook) -> dict[str, str]:
    """By family: `main` if it pays a wager of the main game, else the side wager."""
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
