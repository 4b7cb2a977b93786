"""Check whether a table may share a link's meters: paytable, wager and number of decks must be
equal (ma-uth 13(g)).

Maryland's documents do not mention links. The requirements of 13(g) make one meter fair to two
tables, so they are checked for every link. Another game title joins only if both documents allow it
or the regulator's approval is on record.
"""

from __future__ import annotations

import msgspec

from croupier.money import dollars
from croupier.progressives.links import Link
from croupier.progressives.refusals import LinkRefusal
from croupier.progressives.table_terms import TableTerms


class TermsDifference(msgspec.Struct, frozen=True):
    """One reason why a table cannot join."""

    what: str
    link: str
    table: str
    clause: str

    def __str__(self) -> str:
        return f"{self.what}: {self.link} on the link, {self.table} at the table"


def check_link(link: Link, table: TableTerms, approval: str = "") -> None:
    """Refuse a table that may not join, with the clause and all differences."""
    first = differences(link, table)
    if first:
        raise LinkRefusal(
            f"table {table.table} cannot join link {link.id}: "
            + "; ".join(str(difference) for difference in first),
            clause=first[0].clause,
            code="terms_differ",
        )
    if table.rulebook == link.game.rulebook:
        return
    silent = next((c for c in (table.clauses, link.game.clauses) if not c.link), None)
    if silent is not None and not approval.strip():
        raise LinkRefusal(
            f"table {table.table} plays {table.title} and link {link.id} was opened for another "
            "game: the document does not speak of links between games, so the regulator's "
            "approval must be named",
            clause=silent.meter,
            code="approval_missing",
        )


def differences(link: Link, table: TableTerms) -> tuple[TermsDifference, ...]:
    game = link.game
    clause = table.clauses.link or game.clauses.link or table.clauses.stakes
    terms_differences = []
    paytable = link.paytables.get(table.rulebook, table.paytable)
    if paytable != table.paytable:
        terms_differences.append(TermsDifference("paytable", paytable, table.paytable, clause))
    elif game.figures != table.figures:
        ours, theirs = _first_difference(game.figures, table.figures)
        terms_differences.append(TermsDifference("paytable", ours, theirs, clause))
    if game.cards != table.cards:
        words = "a hand from {} cards".format
        terms_differences.append(
            TermsDifference("paytable", words(game.cards), words(table.cards), clause)
        )
    if game.stakes != table.stakes:
        ours, theirs = _amounts(game.stakes), _amounts(table.stakes)
        terms_differences.append(TermsDifference("wager", ours, theirs, clause))
    if game.decks != table.decks:
        terms_differences.append(
            TermsDifference("decks", str(game.decks), str(table.decks), clause)
        )
    for name, floor in table.floors.items():
        meter = link.meters.get(name)
        if meter is not None and meter.terms.reset_cents < floor.cents:
            reset, least = dollars(meter.terms.reset_cents), f"at least {dollars(floor.cents)}"
            terms_differences.append(
                TermsDifference(f"reset of meter {name}", reset, least, floor.clause)
            )
    return tuple(terms_differences)


def _first_difference(
    ours: tuple[tuple[str, str], ...], theirs: tuple[tuple[str, str], ...]
) -> tuple[str, str]:
    """Return the first line in which two paytables differ, in words."""
    longest = max(len(ours), len(theirs))
    lines = zip(_padded(ours, longest), _padded(theirs, longest), strict=True)
    return next(pair for pair in lines if pair[0] != pair[1])


def _padded(figures: tuple[tuple[str, str], ...], length: int) -> list[str]:
    words = [f"{hand} {pays}" for hand, pays in figures]
    return words + ["no such line"] * (length - len(words))


def _amounts(stakes: tuple[int, ...]) -> str:
    return " or ".join(dollars(stake) for stake in stakes)
