"""Contradictions in a rulebook file that a person wrote.

The file could be read in one way all the same, so journals that hold such a rulebook replay as
before: only a file that is handed in is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from croupier.rulebooks.schema import Option, Rulebook, VersusDealer

__all__ = ["contradictions"]

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_AFTER_FOLD: Final = ("after_fold", "after_fold_clause")


def contradictions(tree: Mapping[str, Any], book: Rulebook) -> Iterator[str]:
    """Each contradiction with its place: `tree` is the file as written, `book` the same as read."""
    if _ID.fullmatch(book.id) is None:
        yield (
            f"at id: {book.id!r} is not an id: write lowercase letters and digits, with single "
            "dashes between them, as in 'my-game'"
        )
    yield from _two_rules_for_a_fold(tree, book)
    for name, option in book.options.items():
        yield from (f"at options.{name}.{problem}" for problem in _range_problems(option))


def _two_rules_for_a_fold(tree: Mapping[str, Any], book: Rulebook) -> Iterator[str]:
    """A wager against the dealer says under `folded` what a fold does to it."""
    for name, wager in book.wagers.items():
        if not isinstance(wager.settles, VersusDealer):
            continue
        for field in _AFTER_FOLD:
            place = f"wagers.{name}.{field}"
            where = [place] if field in tree["wagers"][name] else []
            where += [
                f"readings.{reading}.choices.{choice}.set"
                for reading, terms in book.readings.items()
                for choice, meaning in terms.choices.items()
                if place in meaning.set
            ]
            for written in where:
                yield (
                    f"at {written}: {field} contradicts settles.folded, which says what a fold "
                    f"does to {name!r}: leave {field} out"
                )


def _range_problems(option: Option) -> Iterator[str]:
    least, most = option.least, option.most
    if least is not None and most is not None and least > most:
        yield f"least: {least} is more than most, {most}: nothing could be stated"
