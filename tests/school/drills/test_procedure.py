"""Procedure and irregularities: the answers are those of the work that waits at the table, of the
duties of the document, and of what the engine makes of a command or a report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from croupier.cards import Card
from croupier.errors import CroupierError
from croupier.rounds.card_entry import known_cards
from croupier.rounds.commands import Report
from croupier.rounds.declaration import ROLES, Actor
from croupier.rounds.irregularities import irregularities_now
from croupier.rulebooks.bundled import BUNDLED, DOCUMENTS
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.duties import all_duties
from croupier.rulebooks.loader import load_rulebook
from croupier.runtime.session import TableSession
from croupier.school.drills import positions
from croupier.school.drills.drawing import draw_drill, rulebooks_for
from croupier.school.drills.drill import Drill
from croupier.school.drills.positions import Position, refused_now, scene_at, walk
from croupier.school.drills.procedure import people_in_words
from croupier.tables.work import work

FEW_WALKS = 2


@pytest.fixture(autouse=True)
def _few_walks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("full") is None:
        monkeypatch.setattr(positions, "WALKS", FEW_WALKS)


def moments(drill: Drill) -> list[Position]:
    """Every moment of a table at which people see what the exercise shows."""
    return [at for at in all_moments(drill) if at.is_due]


def all_moments(drill: Drill) -> list[Position]:
    """Also those before all players have bet."""
    found = _by_scene(drill.question.rulebook, positions.WALKS)
    return found[repr(drill.question.scene)]


@cache
def _by_scene(rulebook: str, walks: int) -> dict[str, list[Position]]:
    ways = load_rulebook(rulebook).default.dealing or ("",)
    found: dict[str, list[Position]] = {}
    for way, number in product(ways, range(walks)):
        for at in walk(rulebook, way, number):
            found.setdefault(repr(scene_at(at)), []).append(at)
    return found


def asked_step(drill: Drill) -> str:
    return drill.question.words.partition("“")[2].partition("”")[0]


def check_next(drill: Drill) -> None:
    for at in moments(drill):
        assert work(at.table, at.rules, 0)[0].label == drill.answer
        waiting = {step.label for step in work(at.table, at.rules, 0)}
        for place, choice in enumerate(drill.question.choices):
            assert (choice.words in waiting) == (place == drill.right)


def check_who(drill: Drill) -> None:
    """Everybody tries it: who is refused for his role, may not."""
    for at in moments(drill):
        assert work(at.table, at.rules, 0)[0].label == asked_step(drill)
        may = tuple(role for role in ROLES if _may(at, role))
        assert drill.answer == people_in_words(may)


def _may(at: Position, role: str) -> bool:
    assert role in ROLES
    try:
        TableSession(at.table).plan(at.command, Actor(role, "somebody else"))
    except CroupierError as error:
        return error.code != "wrong_role"
    return True


def check_clause(drill: Drill) -> None:
    for at in moments(drill):
        first = work(at.table, at.rules, 0)[0]
        assert first.label == asked_step(drill)
        cited = [choice.words.partition(": ")[0] for choice in drill.question.choices]
        assert [clause == first.clause for clause in cited] == [
            place == drill.right for place in range(len(cited))
        ]


def check_duty(drill: Drill) -> None:
    """The document's own list: the answer is a duty of this step, the others belong elsewhere."""
    for at in moments(drill):
        step = work(at.table, at.rules, 0)[0]
        if drill.question.rulebook not in DOCUMENTS:
            continue
        duties = all_duties(drill.question.rulebook)
        for place, choice in enumerate(drill.question.choices):
            steps = {duty.step for duty in duties if duty.words == choice.words}
            if "{kept}" in repr([duty.words for duty in duties]) and not steps:
                continue  # the words name the wagers of this table
            assert (step.step in steps or "fold" in steps) == (place == drill.right)


# -- irregularities -------------------------------------------------------------------------------


def reported(drill: Drill) -> Iterator[tuple[Position, Report, TableSession]]:
    """What is reported, at every moment that looks so, and the table after it."""
    label = drill.question.words.partition(". ")[0].partition(" (seat")[0]
    for at in all_moments(drill):
        for kind in irregularities_now(at.table.round, at.rules):
            if kind.label != label:
                continue
            lying = drill.question.words.partition("(seat ")[2].partition(")")[0]
            cards = _cards(at, kind.least_cards) if "cards" in kind.asks else ()
            report = Report(kind.kind, cards, int(lying or 0))
            session = TableSession(at.table)
            session.do(report, Actor("floorperson", "Flo"))
            yield at, report, session


def _cards(at: Position, count: int) -> tuple[Card, ...]:
    lying = set(known_cards(at.table.round))
    free = [card for card in cards_of(at.rules.book.deck) if card not in lying]
    return tuple(free[:count])


def check_follows(drill: Drill) -> None:
    """What became of the round, read off the table afterwards."""
    found = 0
    for at, report, session in reported(drill):
        after = session.table.round
        seats = [seat for seat in after.seats if seat.void]
        if after.void_by:
            expected = "All hands are void"
        elif after.void or (after.phase == "over" and at.table.round.phase != "over"):
            expected = "The round is void"
        elif len(seats) > len([seat for seat in at.table.round.seats if seat.void]):
            expected = "That seat's hand is void"
        elif set(after.void_wagers) - set(at.table.round.void_wagers):
            expected = "is void and goes back"
        else:
            expected = "The card is out" if after.set_aside else "The round goes on"
        assert expected in drill.answer, (report, drill.answer)
        found += 1
    assert found


def check_deck(drill: Drill) -> None:
    """The rulebook's own word for it."""
    accident = _accident(drill)
    words = {
        "": "Nothing",
        "reshuffled": "It is shuffled again",
        "removed": "It is removed from the table",
        "coming_removed": "It is removed before the next round",
        "other_reshuffled": "The other deck is shuffled again",
        "other_removed": "The other deck is removed",
    }
    assert drill.answer.startswith(words[accident])


def _accident(drill: Drill) -> str:
    book = load_rulebook(drill.question.rulebook).default
    label = drill.question.words.partition(". ")[0].partition(" (seat")[0]
    decks = {
        one.deck
        for one in book.irregularities.values()
        if one.title[:1].upper() + one.title[1:] == label
    }
    assert len(decks) == 1
    return decks.pop()


def check_decides(drill: Drill) -> None:
    """A dealer gives the report: it is taken, or refused for his role."""
    for at, report, _ in reported(drill):
        refusal = refused_now(at, report, Actor("dealer", "Dan"))
        assert refusal is None or refusal.code == "wrong_role"
        told = "The dealer reports it" if refusal is None else "A floorperson decides"
        assert drill.answer == told


def check_accident_clause(drill: Drill) -> None:
    for at, report, _ in reported(drill):
        events = TableSession(at.table).plan(report, Actor("floorperson", "Flo")).events
        cited = [choice.words.partition(": ")[0] for choice in drill.question.choices]
        clause = getattr(events[0], "clause", "")
        assert [one == clause for one in cited] == [
            place == drill.right for place in range(len(cited))
        ]


def check_happened(drill: Drill) -> None:
    """The right one is possible at every such moment, the others at none."""
    for at in all_moments(drill):
        possible = {one.label for one in irregularities_now(at.table.round, at.rules)}
        for place, choice in enumerate(drill.question.choices):
            assert (choice.words in possible) == (place == drill.right)


CHECKS = {
    "procedure.next": check_next,
    "procedure.who": check_who,
    "procedure.clause": check_clause,
    "procedure.duty": check_duty,
    "irregularities.follows": check_follows,
    "irregularities.deck": check_deck,
    "irregularities.decides": check_decides,
    "irregularities.clause": check_accident_clause,
    "irregularities.happened": check_happened,
}


@pytest.mark.parametrize("skill", CHECKS)
def test_every_step_is_what_waits_at_the_table(skill: str) -> None:
    for book in DOCUMENTS if skill.startswith("irreg") else (*DOCUMENTS, BUNDLED[-1]):
        for seed in range(4):
            CHECKS[skill](draw_drill(skill, book, f"procedure {seed}"))


@pytest.mark.full
@pytest.mark.parametrize("skill", CHECKS)
def test_ten_thousand_steps_of_each_kind(skill: str) -> None:
    books = rulebooks_for(skill)
    for number in range(10_000):
        book = books[number * len(books) // 10_000]
        CHECKS[skill](draw_drill(skill, book, f"many {number}"))
