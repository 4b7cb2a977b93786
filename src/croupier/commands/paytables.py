"""`croupier paytables`: every line of every paytable."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.library.rulebook import paytables_object
from croupier.money import parse_pays
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.schema import Paytable

__all__ = ["run"]


def run(rulebook: str | None, *, as_json: bool) -> int:
    names = DOCUMENTS if rulebook is None else [rulebook]
    books = [open_rulebook(name).default for name in names]
    if as_json:
        print_json({book.id: paytables_object(book) for book in books})
        return 0
    for book in books:
        console().print(Text(f"\n{book.title} ({book.jurisdiction})", style="bold"))
        for family, tables in book.paytables.items():
            console().print(_drawn(family, tables))
    return 0


def _drawn(family: str, tables: dict[str, Paytable]) -> Table:
    """All tables of a wager side by side, a hand in each row."""
    drawn = Table(title=family.replace("_", " "), title_justify="left", title_style="bold")
    drawn.add_column("hand")
    for table_id, table in tables.items():
        heading = styled("{id} [dim]{clause}[/]", id=table_id, clause=table.clause)
        drawn.add_column(heading, justify="right")
    hands = dict.fromkeys(line.hand for table in tables.values() for line in table.lines)
    for hand in hands:
        cells = []
        for table in tables.values():
            line = next((line for line in table.lines if line.hand == hand), None)
            cells.append(str(parse_pays(line.pays)).replace(" meter", "") if line else "")
        drawn.add_row(hand.replace("_", " "), *cells)
    return drawn
