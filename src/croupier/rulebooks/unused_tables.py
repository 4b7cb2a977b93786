"""Paytables of a rulebook file that never pay a wager."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.schema import HighestHand, Rulebook
from croupier.rulebooks.wager_families import families_of


def unused_tables(file: RulebookFile) -> Iterator[tuple[str, str]]:
    """Yield the place of each table in the file that no choice of readings uses, and the reason."""
    book = file.default
    books = [book]
    for reading, terms in book.readings.items():
        books += [file.under({reading: choice}) for choice in terms.choices]
    used = {place for each in books for place in _used(each)}
    for family, tables in book.paytables.items():
        unused = [table for table in tables if (family, table) not in used]
        if len(unused) == len(tables):
            yield f"paytables.{family}", "no wager is paid by this paytable"
        else:
            for table in unused:
                yield f"paytables.{family}.{table}", "no wager is ever paid by this table"


def _used(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each family with the tables that can be in force: any that an operator may choose, one
    for each number of hands, and for an Envy Bonus one for each table of the progressive."""
    for wager in book.wagers.values():
        for family in families_of(wager.settles):
            ids = list(book.paytables[family])
            if isinstance(wager.settles, HighestHand):
                ids = [str(hands) for hands in range(2, book.positions.most + 2)]
            yield from ((family, table) for table in ids)
    for bonus in book.bonuses.values():
        yield from ((bonus.paytable, table) for table in book.paytables[bonus.paytable])
    if book.envy is not None:
        letters = [
            table
            for family in families_of(book.wagers[book.envy.on].settles)
            for table in book.paytables[family]
        ]
        yield from ((family, each) for family in book.envy.tables.values() for each in letters)
