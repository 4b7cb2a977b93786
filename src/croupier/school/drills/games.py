"""A game as it is drilled: a rulebook, and the paytables that are not its first ones.

`md-uth` has the first paytable of everything, `md-uth:trips=D,bad_beat=B` those two others. Each
choice has one name: families in the rulebook's order, first paytables left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from croupier.errors import BadRequest, shown, suggest
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import (
    Rules,
    chosen_paytables,
    families_to_choose,
    put_in_force,
    rules_for,
)
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission
from croupier.simulation.run_setting import with_progressive
from croupier.submissions.choices import family_title

__all__ = [
    "MOST_NAME",
    "PaytableFamily",
    "families_of",
    "game_at_table",
    "game_for",
    "game_named",
    "paytables_in_words",
    "paytables_of",
    "rulebook_of",
    "rules_of_game",
]

MOST_NAME: Final = 160


class PaytableFamily(msgspec.Struct, frozen=True):
    """What can be chosen for one wager; the first is taken where nothing is."""

    family: str
    title: str
    tables: tuple[str, ...]


def rulebook_of(game: str) -> str:
    return game.partition(":")[0]


@lru_cache(maxsize=1024)
def game_named(name: str) -> str:
    """The one name of this choice. Refused: a rulebook, a wager or a paytable that there is not."""
    rulebook = rulebook_of(name)
    if rulebook not in BUNDLED:
        raise suggest("rulebook", rulebook, BUNDLED)
    book = load_rulebook(rulebook).default
    return _name(book, chosen_paytables(book, _written(name)))


def game_for(skill: str, game: str) -> str:
    """Only payouts hang on paytables: everything else is drilled once for a rulebook."""
    return game_named(game) if skill.startswith("payout.") else rulebook_of(game)


def game_at_table(rulebook: str, rulebook_text: str, submission: str) -> str:
    """The game that a table plays; empty where the table has a rulebook of its own."""
    if rulebook not in BUNDLED or own_text(rulebook, rulebook_text):
        return ""
    rules = rules_for(rulebook, rulebook_text, submission)
    return _name(rules.book, rules.chosen)


def families_of(rulebook: str) -> tuple[PaytableFamily, ...]:
    """Wagers with more than one paytable to choose from."""
    book = load_rulebook(rulebook).default
    return tuple(
        PaytableFamily(family, family_title(book, family), tuple(book.paytables[family]))
        for family in families_to_choose(book)
        if len(book.paytables[family]) > 1
    )


def paytables_of(game: str) -> dict[str, str]:
    """What a submission would choose for it."""
    return _written(game_named(game))


def paytables_in_words(game: str) -> str:
    """What whoever is asked must know; empty where all are the first ones."""
    book = load_rulebook(rulebook_of(game)).default
    chosen = [
        f"{family_title(book, family)} {table}" for family, table in paytables_of(game).items()
    ]
    return f"Paytables: {', '.join(chosen)}; else the first." if chosen else ""


def rules_of_game(game: str) -> Rules:
    """Everything on offer, under these paytables."""
    return _rules(game_named(game))


@lru_cache(maxsize=128)
def _rules(game: str) -> Rules:
    file = load_rulebook(rulebook_of(game))
    chosen = Submission(paytables=_written(game))
    return put_in_force(file, with_progressive(chosen, put_in_force(file, chosen)))


def _written(name: str) -> dict[str, str]:
    if len(name) > MOST_NAME:
        raise BadRequest(f"the name of a game has at most {MOST_NAME} characters")
    _, colon, text = name.partition(":")
    found: dict[str, str] = {}
    for part in text.split(",") if colon else ():
        family, equals, table = (one.strip() for one in part.partition("="))
        if not (family and equals and table):
            raise BadRequest(f"{shown(part)} chooses no paytable: write md-uth:trips=D,blind=B")
        if family in found:
            raise BadRequest(f"the paytable of {shown(family)} is chosen twice")
        found[family] = table
    return found


def _name(book: Rulebook, chosen: Mapping[str, str]) -> str:
    others = [
        f"{family}={chosen[family]}"
        for family in families_to_choose(book)
        if chosen[family] != next(iter(book.paytables[family]))
    ]
    return f"{book.id}:{','.join(others)}" if others else book.id
