"""A first round for each game: a real one, dealt from a fixed deck, to be walked through.

It is played by the same engine as every other round, at a table in memory that nobody else sees.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from croupier.randomness.shuffling import Seeded
from croupier.rounds import commands as of_rounds
from croupier.rounds.declaration import Actor
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import DEALER, FLOOR, dealer_command
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.state import Table
from croupier.web.demo import OPERATOR, submission_for
from croupier.web.forms import TableForm
from croupier.web.happenings import happened
from croupier.web.seeing import Onlooker, table_form

__all__ = ["LessonForm", "LessonStep", "lesson"]

YOU: Final = "You"
SEAT: Final = 3
BET: Final = 1000
SEEDS: Final = 400


class LessonStep(msgspec.Struct, frozen=True):
    """`do` is what the learner does to come here (`place_wagers`, `ready`, `say`), or empty where
    the dealer does it; `action` is what he says then. `view` is how the table stands afterwards."""

    do: str
    action: str
    kind: str
    words: tuple[str, ...]
    view: TableForm


class LessonForm(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    seat: int
    wagers: dict[str, str]
    steps: tuple[LessonStep, ...]


@lru_cache(maxsize=16)
def lesson(rulebook: str) -> LessonForm:
    """The first of the seeded decks with which the learner, who waits at the first question and
    bets at the next, wins against a dealer who qualifies."""
    played = []
    for seed in range(SEEDS):
        played = _play(rulebook, seed)
        state = played[-1].view.round
        if float(state.seats[0].net or 0) > 0 and state.qualifies is not False:
            break
    last = played[-1].view
    return LessonForm(rulebook, last.title, SEAT, last.round.seats[0].wagers, tuple(played))


class _Lesson:
    def __init__(self, rulebook: str, seed: int) -> None:
        command = OpenTable("lesson", rulebook, submission_for(rulebook), inventory=10**8)
        draw = Seeded(f"lesson {rulebook} {seed}")
        self.running = TableSession.opened(command, OPERATOR, draw=draw)
        self.steps: list[LessonStep] = []

    @property
    def table(self) -> Table:
        return self.running.table

    @property
    def rules(self) -> Rules:
        return self.running.rules

    def do(self, command: TableCommand, actor: Actor, do: str = "", action: str = "") -> None:
        words: list[str] = []
        kind = ""
        for event in self.running.do(command, actor):
            form = happened(event, self.table)
            if form is not None:
                kind = kind or form.kind
                words += form.words
        meters = self.running.link.shown() if self.running.link is not None else {}
        view = table_form(self.table, Onlooker("player", YOU), meters=meters)
        self.steps.append(LessonStep(do, action, kind, tuple(words), view))


def _play(rulebook: str, seed: int) -> list[LessonStep]:
    game = _Lesson(rulebook, seed)
    you = Actor("player", YOU)
    game.do(TakeSeat(YOU, SEAT), you, "take_seat")
    game.do(BuyIn(YOU, 50_000), you, "buy_in")
    game.do(of_rounds.OpenBetting(), DEALER)
    wagers = dict.fromkeys(game.rules.required, BET)
    game.do(of_rounds.PlaceWagers(SEAT, YOU, wagers), you, "place_wagers")
    while game.table.round.phase != "over":
        state = game.table.round
        if state.phase == "deciding":
            said = _say(game, state.step)
            game.do(of_rounds.Act(SEAT, YOU, said), you, "say", said)
        elif state.claim is not None:
            game.do(of_rounds.ValidateProgressive(SEAT), FLOOR)
        elif state.phase == "betting":
            game.do(of_rounds.CloseBets(), DEALER, "ready")
        else:
            command = dealer_command(game.table, game.rules)
            assert command is not None, "a virtual table's dealer always goes on"
            game.do(command, DEALER)
    return game.steps


def _say(game: _Lesson, place: int) -> str:
    steps = flow_of(game.rules).steps
    step = steps[place]
    assert isinstance(step, Ask)
    first = not any(isinstance(earlier, Ask) for earlier in steps[:place])
    if first and step.decision.otherwise == "check":
        return "check"
    free = [bet for bet in step.decision.bets if bet not in step.decision.only_with]
    return free[0] if free else step.decision.otherwise
