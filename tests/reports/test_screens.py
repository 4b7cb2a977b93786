"""Where duties are met: every screen and step that the conformance report names is there."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from croupier.reports import conformance
from croupier.reports.conformance import SCREENS, matrix, place_of, reached
from croupier.rounds.commands import Act
from croupier.rounds.declaration import Actor, Command
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.duties import STEPS, Duty, all_duties
from croupier.tables.command_input import command_from_data
from croupier.tables.commands import COMMANDS
from croupier.tables.work import step_of
from tests.tables.command_examples import NAME, json_example

INSPECT = Duty(clause="4.A", role="dealer", step="inspect", screen="dealer_console", words="Look.")
PARTS_OF_PAGES: Final = {"approvals", "felt", "sign", "meters"}
"""Steps that no command does: a page has a part for them."""


def doers() -> dict[str, set[str]]:
    """By step: the roles that may give a command which does it."""
    found: dict[str, set[str]] = {"fold": {"player", "dealer"}, "award": {"dealer"}}
    for kind in COMMANDS.values():
        for command in examples(kind):
            found.setdefault(str(step_of(command)), set()).update(kind.declared.by)
    return found


def examples(kind: type[Command]) -> list[Command]:
    if kind.__name__ == "HandleDeck":
        steps = ("inspect", "verify", "spread", "view", "turn", "wash", "stack")
        return [kind(step) for step in steps]
    if kind is Act:
        return [Act(1, "Ann", "check"), Act(1, "Ann", "fold")]
    return [command_from_data(json_example(kind, whole=True), Actor("operator", NAME))]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_person_meets_every_duty(document: str) -> None:
    for duty in all_duties(document):
        assert place_of(duty), duty
    for clause, answer in matrix(document).items():
        roles = {duty.role for duty in all_duties(document) if duty.clause == clause}
        assert set(answer.reached) == roles
        assert all(answer.reached.values())


def test_every_step_of_a_screen_is_done_by_a_command_or_has_its_part_of_the_page() -> None:
    done = doers()
    for name, page in SCREENS.items():
        for step in page.steps:
            assert step in STEPS
            assert step in PARTS_OF_PAGES or step in done, f"{name}: nothing does {step}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_duty_is_given_to_somebody_who_may_do_the_step(document: str) -> None:
    """But for a duty before the floor's validation, what a player hears, and what the house brings
    to the dealer."""
    done = doers()
    for duty in all_duties(document):
        if duty.step in PARTS_OF_PAGES:
            continue
        told = (duty.role, duty.step) in {
            ("dealer", "validate"),
            ("player", "close_bets"),
            ("player", "lay_out"),
        }
        assert told or duty.role in done[duty.step], duty


def test_reached_names_each_screen_once() -> None:
    spread = msgspec.structs.replace(INSPECT, step="spread")
    board = msgspec.structs.replace(INSPECT, step="mark", screen="deck_board")
    assert reached([INSPECT, spread, INSPECT, board]) == {
        "dealer": "dealer console: inspect, spread; deck board: mark"
    }


def test_a_duty_that_is_met_nowhere_leaves_its_clause_open(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = msgspec.structs.replace(INSPECT, step="approvals")
    assert place_of(lost) == ""
    assert place_of(msgspec.structs.replace(INSPECT, screen="floor")) == ""
    monkeypatch.setattr(conformance, "all_duties", lambda _: (lost,))
    found = conformance.matrix.__wrapped__("md-uth")["4.A"]
    assert (found.status, found.reached) == ("open", {"dealer": ""})
