"""A guided first round for each game: a real round, dealt from a fixed deck.

The engine of every other round plays it, at a table in memory that nobody else sees. The learner
makes the best play at every decision. `lessons.json`, which `docs/make_lessons.py` computes with
the exact solvers, holds the deck that teaches this and the value of each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import msgspec
from litestar import Controller, get

from croupier.money import dollars
from croupier.randomness.shuffling import Seeded
from croupier.rounds import commands as round_commands
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import DEALER, FLOOR, dealer_command
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.state import Table
from croupier.web.server.problems import PROBLEMS, NotThere
from croupier.web.server.requests import NameInPath
from croupier.web.tables.demo import OPERATOR, submission_for
from croupier.web.tables.forms import TableForm
from croupier.web.tables.pit import ThePit
from croupier.web.tables.views import Onlooker, happened, table_form

YOU: Final = "You"
SEAT: Final = 3
BET: Final = 1000


class Answer(msgspec.Struct, frozen=True):
    """What the learner says, and the exact value of each possible action, in units of one required
    wager."""

    action: str
    values: dict[str, str]


class Taught(msgspec.Struct, frozen=True):
    """The deck seed of a lesson, and its answers in order."""

    seed: int
    answers: tuple[Answer, ...]


class LessonStep(msgspec.Struct, frozen=True):
    """`do` is the learner's part in the step (`place_wagers`, `ready`, `say`), or empty if the
    dealer acts; `action` is what they then say, and `why` the reason in words. `view` is the table
    afterwards."""

    do: str
    action: str
    kind: str
    words: tuple[str, ...]
    view: TableForm
    why: str = ""


class LessonForm(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    seat: int
    wagers: dict[str, str]
    steps: tuple[LessonStep, ...]


@cache
def lessons() -> Mapping[str, Taught]:
    """Return the lessons by rulebook."""
    text = files(__package__).joinpath("lessons.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Taught])


@lru_cache(maxsize=32)
def lesson(rulebook: str) -> LessonForm:
    """Return the lesson of a rulebook that has one."""
    taught = lessons()[rulebook]
    answers = iter(taught.answers)
    played = play_lesson(rulebook, taught.seed, lambda _: next(answers))
    last = played[-1].view
    return LessonForm(rulebook, last.title, SEAT, _first_wagers(played), tuple(played))


def _first_wagers(played: list[LessonStep]) -> dict[str, str]:
    """Return the wagers placed before the deal."""
    return next(step for step in played if step.do == "place_wagers").view.round.seats[0].wagers


def why(answer: Answer) -> str:
    """Give the reason in money: the average value of each answer at the lesson's bets."""
    worth = {said: Fraction(value) for said, value in answer.values.items()}
    others = [said for said in worth if said != answer.action]
    best = _on_average(worth[answer.action])
    if not others:
        return f"On average it is worth {best}."
    rest = ", ".join(f"{_title(said)} {_on_average(worth[said])}" for said in others)
    return f"On average {_title(answer.action)} is worth {best}, {rest}."


def _title(action: str) -> str:
    """Return the name of an action as its button shows it."""
    return action.replace("_", " ")


def _on_average(value: Fraction) -> str:
    cents = round(value * BET)
    return f"{'+' if cents > 0 else '−' if cents < 0 else ''}{dollars(abs(cents))}"


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

    def do(
        self, command: TableCommand, actor: Actor, do: str = "", action: str = "", why: str = ""
    ) -> None:
        words: list[str] = []
        step = ""
        for event in self.running.do(command, actor):
            form = happened(event, self.table)
            if form is not None:
                step = step or form.kind
                words += form.words
        meters = self.running.link.shown() if self.running.link is not None else {}
        view = table_form(self.table, Onlooker("player", YOU), meters=meters)
        self.steps.append(LessonStep(do, action, step, tuple(words), view, why))


def play_lesson(rulebook: str, seed: int, answer: Callable[[Table], Answer]) -> list[LessonStep]:
    """Play the round of a seeded deck, with these answers at the decisions."""
    game = _Lesson(rulebook, seed)
    you = Actor("player", YOU)
    game.do(TakeSeat(YOU, SEAT), you, "take_seat")
    game.do(BuyIn(YOU, 50_000), you, "buy_in")
    game.do(round_commands.OpenBetting(), DEALER)
    wagers = dict.fromkeys(game.rules.required, BET)
    game.do(round_commands.PlaceWagers(SEAT, YOU, wagers), you, "place_wagers")
    while game.table.round.phase != "over":
        state = game.table.round
        if state.phase == "deciding":
            said = answer(game.table)
            reason = why(said)
            game.do(round_commands.Act(SEAT, YOU, said.action), you, "say", said.action, reason)
        elif state.claim is not None:
            game.do(round_commands.ValidateProgressive(SEAT), FLOOR)
        elif state.phase == "betting":
            game.do(round_commands.CloseBets(), DEALER, "ready")
        else:
            command = dealer_command(game.table, game.rules)
            assert command is not None, "a virtual table's dealer always goes on"
            game.do(command, DEALER)
    return game.steps


class Lessons(Controller):
    path = "/api/v1/lessons"
    tags = ("rounds",)

    @get("/{rulebook:str}", summary="A first round to walk through", responses=PROBLEMS)
    async def lesson(self, rulebook: NameInPath, pit: ThePit) -> LessonForm:
        """Return a round from a fixed deck, step by step as the learner at seat 3 sees it."""
        if rulebook not in lessons():
            raise NotThere(f"there is no lesson for {rulebook[:60]!r}")
        form: LessonForm = await pit.looking_back(lambda: lesson(rulebook))
        return form
