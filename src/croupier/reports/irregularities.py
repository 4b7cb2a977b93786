"""All irregularities in the rulebooks, for `docs/irregularities.md`."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rounds.irregularities import consequence
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.schema import Irregularity, Rulebook

_INTRODUCTION = """\
# Irregularities

What each document does about accidents, from the `[irregularities]` of its rulebook
(`python -m croupier.reports.irregularities > docs/irregularities.md` writes this page; a test
compares). A dealer or a floorperson reports one (`Report`); what follows is worked out from this
data, shown before it is confirmed (`House.foresee`), and written with its clause. At a table
of the house (`strict`) what a dealer reports is void only when a floorperson confirms it
(`Confirm`); until then the round stands still.

- Only what can have happened in the state of the round is accepted; screens list the same
  (`irregularities_now`). A virtual deck has no accidents.
- *Void* returns every wager, chips that were in the inventory included, and takes contributions
  out of the meters again. *But for* some wagers: nobody is asked any more, the board is completed
  from the same deck, these are settled, the rest comes back. In Maryland's Ultimate Texas Hold'em
  the reading `side_wagers_after_exposed_card = settled` settles every side wager so that needs no
  dealer's hand (13.C, 13.F).
- Once a seat is settled nothing is void any more: a floorperson corrects (`Correct`), by an entry
  added with reason and name that a replay of the round shows. It moves money between the inventory
  and the player's rack (or to a player who has gone); meters stay as they are.
- A table is closed in mid-round by `CloseTable(void_reason)`: the round is void first. Without a
  reason, or once a seat is settled, that is refused.
- Wagers of a player who left are ruled lost by a floorperson where a document says so (Maryland);
  in Massachusetts there is no such rule.
"""

MOMENTS = {
    "betting": "betting",
    "dealing": "dealing",
    "playing": "play",
    "settling": "settlement",
    "between": "between rounds",
}
ONLY = {
    "": "",
    "undealt": "no card is out",
    "deck_in_use": "cards are still to come from the deck",
    "stub_left": "none are to come from it",
    "undecided": "somebody is still to decide",
    "board_hidden": "no community card is open",
    "unasked": "the seat has not answered yet",
}
_DECKS = {
    "": "",
    "reshuffled": "reshuffled",
    "removed": "removed",
    "coming_removed": "removed",
    "other_reshuffled": "the other one reshuffled",
    "other_removed": "the other one removed",
}


def irregularities_page() -> str:
    parts = [_INTRODUCTION]
    for document in DOCUMENTS:
        book = load_rulebook(document).default
        parts.append(f"\n## {book.title} ({document})\n")
        parts += ["| report | what | clause | when | effect | deck |", "| --- " * 6 + "|"]
        parts += [_row(name, accident, book) for name, accident in book.irregularities.items()]
    return "\n".join(parts) + "\n"


def _row(name: str, accident: Irregularity, book: Rulebook) -> str:
    ways = ", ".join(book.dealing[way].title for way in accident.dealt_by)
    title = accident.title + (f" ({ways})" if ways else "")
    when = ", ".join(MOMENTS[moment] for moment in accident.when)
    if accident.only:
        when += f"; while {ONLY[accident.only]}"
    cells = (f"`{name}`", title, ", ".join(_clauses(accident)), when, consequence(accident, book))
    return f"| {' | '.join(cells)} | {_DECKS[accident.deck]} |"


def _clauses(accident: Irregularity) -> Iterator[str]:
    yield accident.clause
    for way, clause in accident.clause_by.items():
        yield f"{clause} ({way.replace('_', ' ')})"


if __name__ == "__main__":
    print(irregularities_page(), end="")
