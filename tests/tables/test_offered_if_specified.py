"""7.F: side wagers that a Maryland document offers only if the submission specifies them."""

from __future__ import annotations

import json

import pytest

from croupier.rounds.declaration import Actor
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import at_a_table, rules_for, submission_of
from croupier.tables.commands import OpenTable
from croupier.tables.deciding import open_table
from croupier.tables.events import TableOpened

FLO = Actor("floorperson", "Flo")
BY_ITSELF = {
    "md-uth": {"trips"},
    "md-wpt": set(),
    "md-jackpot": {"player_bonus"},
    "md-235": set(),
    "ma-uth": {"trips", "progressive", "cover_all"},
}


@pytest.mark.parametrize(("book", "offered"), BY_ITSELF.items())
def test_7_F_a_submission_that_names_nothing_offers_what_the_document_offers(
    book: str, offered: set[str]
) -> None:
    stated = at_a_table(submission_of("{}"), load_rulebook(book).default)
    assert set(stated.offered or ()) == offered


@pytest.mark.parametrize("book", BY_ITSELF)
def test_7_F_what_is_named_is_offered_as_named(book: str) -> None:
    for offered in ([], ["progressive"]):
        stated = submission_of(json.dumps({"offered": offered}))
        assert at_a_table(stated, load_rulebook(book).default) == stated


def _opened(book: str, *, strict: bool) -> TableOpened:
    approved = {
        name: {"number": "1", "date": "2026-01-01", "authority": "the Commission"}
        for name in ("layout", "boxes", "shoe", "electronic", "self_shuffling")
    }
    terms = {"options": {"dealing": "manual_shoe"}, "approvals": approved}
    opening = OpenTable("T1", book, json.dumps(terms), source="live", strict=strict)
    (event,) = open_table(opening, FLO)
    assert isinstance(event, TableOpened)
    return event


@pytest.mark.parametrize(("book", "offered"), list(BY_ITSELF.items())[:4])
def test_7_F_a_table_by_the_book_offers_no_wager_that_was_not_specified(
    book: str, offered: set[str]
) -> None:
    event = _opened(book, strict=True)
    assert rules_for(book, "", event.submission).offered == offered


@pytest.mark.parametrize("book", list(BY_ITSELF)[:4])
def test_rehearsals_and_settle_mean_what_they_meant(book: str) -> None:
    """Nobody asked for a table by the book: left out counts as all offered."""
    event = _opened(book, strict=False)
    every = {n for n, w in load_rulebook(book).default.wagers.items() if w.role == "optional"}
    assert rules_for(book, "", event.submission).offered == every
