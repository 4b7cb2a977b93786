"""A game as drilled: a rulebook and the chosen paytables.

`md-uth` has the first paytable of every wager; `md-uth:trips=D,bad_beat=B` changes two. Each choice
has exactly one name: wagers in the rulebook's order, first paytables left out.
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

MOST_NAME: Final = 160


class PaytableFamily(msgspec.Struct, frozen=True):
    """The paytables to choose from for a wager; the first is the default."""

    family: str
    title: str
    tables: tuple[str, ...]


def rulebook_of(game: str) -> str:
    return game.partition(":")[0]


@lru_cache(maxsize=1024)
def game_named(name: str) -> str:
    """Return the canonical name of this choice. Refused: an unknown rulebook, wager, or
    paytable."""
    rulebook = rulebook_of(name)
    if rulebook not in BUNDLED:
        raise suggest("rulebook", rulebook, BUNDLED)
    book = load_rulebook(rulebook).default
    return _name(book, chosen_paytables(book, _written(name)))


def game_for(skill: str, game: str) -> str:
    """Return the game to drill: only payout skills depend on paytables; all others are drilled once
    per rulebook."""
    return game_named(game) if skill.startswith("payout.") else rulebook_of(game)


def game_at_table(rulebook: str, rulebook_text: str, submission: str) -> str:
    """Return the game of a table; empty if the table has a rulebook of its own."""
    if rulebook not in BUNDLED or own_text(rulebook, rulebook_text):
        return ""
    rules = rules_for(rulebook, rulebook_text, submission)
    return _name(rules.book, rules.chosen)


def families_of(rulebook: str) -> tuple[PaytableFamily, ...]:
    """Return the wagers with more than one paytable to choose from."""
    book = load_rulebook(rulebook).default
    return tuple(
        PaytableFamily(family, family_title(book, family), tuple(book.paytables[family]))
        for family in families_to_choose(book)
        if len(book.paytables[family]) > 1
    )


def paytables_of(game: str) -> dict[str, str]:
    """Return the chosen paytables, as in a submission."""
    return _written(game_named(game))


def paytables_in_words(game: str) -> str:
    """Return the chosen paytables in words, shown with each question; empty if all are the first
    ones."""
    book = load_rulebook(rulebook_of(game)).default
    chosen = [
        f"{family_title(book, family)} {table}" for family, table in paytables_of(game).items()
    ]
    return f"Paytables: {', '.join(chosen)}; else the first." if chosen else ""


def rules_of_game(game: str) -> Rules:
    """Return the rules with every wager offered, under these paytables."""
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
    tables: dict[str, str] = {}
    for part in text.split(",") if colon else ():
        family, equals, table = (text_part.strip() for text_part in part.partition("="))
        if not (family and equals and table):
            raise BadRequest(f"{shown(part)} chooses no paytable: write md-uth:trips=D,blind=B")
        if family in tables:
            raise BadRequest(f"the paytable of {shown(family)} is chosen twice")
        tables[family] = table
    return tables


def _name(book: Rulebook, chosen: Mapping[str, str]) -> str:
    others = [
        f"{family}={chosen[family]}"
        for family in families_to_choose(book)
        if chosen[family] != next(iter(book.paytables[family]))
    ]
    return f"{book.id}:{','.join(others)}" if others else book.id
