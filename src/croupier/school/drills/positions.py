"""Tables at work: the opening of a deck and a few rounds with live cards, dealt by software, with
every state on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from croupier.cards import format_cards
from croupier.errors import CroupierError
from croupier.rounds.declaration import BOT, SOFTWARE, Actor
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules
from croupier.runtime.session import TableSession
from croupier.runtime.software_staff import software_step
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import NoDrill, Scene, SceneSeat
from croupier.submissions.starting import starting_submission
from croupier.tables.commands import OpenTable, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table
from croupier.tables.work import WorkStep, work

_OPERATOR: Final = Actor("operator", "school")
_INVENTORY: Final = 100_000_00
_ROUNDS: Final = 3
_STEPS: Final = 220
WALKS: Final = 16
"""The number of walks for each way of dealing."""


class Position(NamedTuple):
    """A table at one moment: the work that waits, the last sentences, and the command that came
    next."""

    table: Table
    rules: Rules
    steps: tuple[WorkStep, ...]
    told: tuple[str, ...]
    actor: Actor
    command: TableCommand

    @property
    def is_due(self) -> bool:
        """Whether the next command was the first step that waited, so that nobody else had to act
        before."""
        return type(self.command) is type(self.steps[0].command)


def walk_drawn(rules: Rules, draws: Draws) -> tuple[Position, ...]:
    """Draw a walk of a table that deals this game, in one of its ways of dealing."""
    ways = tuple(rules.book.dealing) or ("",)
    return walk(rules.book.id, draws.pick(ways), draws.below(WALKS))


@lru_cache(maxsize=48)
def walk(rulebook: str, dealing: str, number: int) -> tuple[Position, ...]:
    """Return all moments at which somebody has something to do, from the opening of the table."""
    draws = Draws(f"walk {rulebook} {dealing} {number}")
    session = _opened(rulebook, dealing)
    positions: list[Position] = []
    sentences: list[str] = []
    for _ in range(_STEPS):
        table, rules = session.table, session.rules
        step = software_step(table, rules, (), 0, draws.some)
        if step is None:
            break
        steps, (actor, command) = work(table, rules, 0), step
        if steps:
            positions.append(Position(table, rules, steps, tuple(sentences[-2:]), actor, command))
        sentences += _told(table, session.do(command, actor))
        if session.table.round.number > _ROUNDS:
            break
    if not positions:
        raise NoDrill(f"nothing waits at a table of {rulebook}")
    return tuple(positions)


def _told(before: Table, events: tuple[TableEvent, ...]) -> Iterator[str]:
    state: Table | None = next_entry(before)
    for event in events:
        state, _ = evolve(state, event)
        for line in describe_event(event, state):
            if not line.startswith(" "):  # the lines of a settlement are many
                yield _named(line)


def _named(line: str) -> str:
    """Return the software actor in the place it takes at the table."""
    line = re.sub(rf"\b{SOFTWARE}-(\w+)", r"the \1", line)
    line = re.sub(rf"\b{BOT}\d+ \((seat \d+)\)", r"\1", line)
    line = re.sub(rf"\b{BOT}(\d+)", r"player \1", line)
    return f"{line[:1].upper()}{line[1:]}."


def _opened(rulebook: str, dealing: str) -> TableSession:
    submission = starting_submission(load_rulebook(rulebook), dealing)
    text = msgspec.json.encode(submission).decode()
    command = OpenTable(f"school-{rulebook}", rulebook, text, source="live", inventory=_INVENTORY)
    return TableSession.opened(command, _OPERATOR)


def refused_now(position: Position, command: TableCommand, actor: Actor) -> CroupierError | None:
    """Return the refusal if the engine would refuse this command now; otherwise None."""
    try:
        TableSession(position.table).plan(command, actor)
    except CroupierError as error:
        return error
    return None


def scene_at(position: Position) -> Scene:
    """Return what everybody at the table sees, with the last sentences."""
    state = position.table.round
    return Scene(
        position.rules.book.title,
        community=format_cards(state.community[: state.exposed]),
        dealer=format_cards(state.dealer if state.dealer_shown else ()),
        seats=tuple(
            SceneSeat(
                seat.number,
                format_cards(seat.cards if state.phase in ("settling", "collecting") else ()),
                said=seat.actions,
                asked=seat.number == state.turn and state.phase == "deciding",
            )
            for seat in state.seats
        ),
        told=(f"Dealing: {dealing_in_force(position.rules).title}.", *position.told),
    )
