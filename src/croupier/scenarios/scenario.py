"""A scenario that has been read: a table's terms, then its steps in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from croupier.cards import Card
from croupier.errors import BadData, shown
from croupier.progressives import Link, LinkCommand
from croupier.rounds.declaration import Actor, Role
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import OpenTable, TableCommand
from croupier.tables.state import Table


class BadScenario(BadData):
    """A text that cannot be followed: the message shows where, and what would be right."""

    code = "bad_scenario"


class LineError(Exception):
    """The fault of a line; the reader adds its place."""


@dataclass(frozen=True)
class SourceLine:
    number: int
    text: str
    table: str = ""
    """The linked table that the line is for; empty for the scenario's own."""


@dataclass(frozen=True)
class NamedPerson:
    """A person as a line names them: by name, by seat, or as the table's own dealer."""

    role: Role | Literal["surveillance"]
    name: str = ""
    seat: int = 0

    def player(self, table: Table) -> str:
        """Return the player's name, even if the line has only the seat."""
        if self.name:
            return self.name
        held, sits = table.round.seat(self.seat), table.seats.get(self.seat)
        in_play = held is not None and (table.round.phase != "over" or sits is None)
        name = held.player if held is not None and in_play else sits
        if name is None:
            raise LineError(f"nobody sits at seat {self.seat}")
        return name

    def actor(self, table: Table) -> Actor:
        if self.role == "surveillance":
            raise LineError("surveillance looks on and does nothing at the table")
        return Actor(self.role, self.player(table) if self.role == "player" else self.name)

    def position(self, table: Table) -> int:
        """Return the player's seat; a line about a player with several boxes must name it."""
        if self.seat:
            return self.seat
        boxes = [seat.number for seat in table.round.seats if seat.player == self.name]
        if table.round.phase in ("betting", "over") or not boxes:
            boxes = [number for number, name in table.seats.items() if name == self.name] or boxes
        if not boxes:
            raise LineError(f"{self.name} sits at no seat now")
        if len(boxes) > 1:
            listed = " and ".join(map(str, boxes))
            raise LineError(
                f"{self.name} plays seats {listed}: say which, as in "
                f"'{self.name} at seat {boxes[0]} checks'"
            )
        return boxes[0]


@dataclass(frozen=True)
class Situation:
    """The state that an expectation is checked against."""

    table: Table
    rules: Rules
    link: Link | None
    at: int = 0


@dataclass(frozen=True)
class CheckResult:
    """Whether the expectation holds, and the words that would have been right."""

    holds: bool
    words: str
    fills: bool = True
    """The words differ from the written ones only in place of a `?`."""


Check: TypeAlias = Callable[[Situation], CheckResult]
MakeCommand: TypeAlias = Callable[[Table], TableCommand]
Place: TypeAlias = tuple[str, int]
"""`player` with the seat, or `dealer`, `community`, `box`, `burn` with the index of the first
card."""


@dataclass(frozen=True)
class GiveCommands:
    """A person gives one command, or two if the line says two things."""

    line: SourceLine
    who: NamedPerson
    makes: tuple[MakeCommand, ...]


@dataclass
class NewRound:
    line: SourceLine
    who: NamedPerson
    top: tuple[Card, ...] = ()
    """The deck's first cards in order, if the scenario lists them that way."""
    seed: str = ""
    named: list[tuple[SourceLine, NamedPerson | None, str, int, tuple[Card, ...]]] = field(
        default_factory=list
    )
    """Cards by place: the line, the player or None, the place, the index of its first card, and the
    cards."""

    def cards(self) -> list[Card]:
        return [*self.top, *(card for _, _, _, _, cards in self.named for card in cards)]


@dataclass(frozen=True)
class Expect:
    line: SourceLine
    check: Check


@dataclass(frozen=True)
class ExpectRefusal:
    line: SourceLine
    code: str
    clause: str
    given: GiveCommands


@dataclass(frozen=True)
class Wait:
    """Time passes at the table."""

    line: SourceLine
    seconds: int


@dataclass(frozen=True)
class ExpectForeseen:
    """The words that a person reads before they confirm a decision; nothing is carried out."""

    line: SourceLine
    words: str
    given: GiveCommands


@dataclass(frozen=True)
class OpenLinked:
    """Another table opens on the same terms and the same progressive link."""

    line: SourceLine
    table: str


@dataclass(frozen=True)
class TellLink:
    """A person's command to the progressive link."""

    line: SourceLine
    who: NamedPerson
    command: LinkCommand


@dataclass(frozen=True)
class ExpectLinkRefusal:
    line: SourceLine
    code: str
    clause: str
    given: TellLink


ScenarioStep: TypeAlias = (
    GiveCommands
    | NewRound
    | Expect
    | ExpectForeseen
    | ExpectRefusal
    | Wait
    | OpenLinked
    | TellLink
    | ExpectLinkRefusal
)


@dataclass(frozen=True)
class Scenario:
    source: str
    text: str
    first: SourceLine
    opening: OpenTable
    operator: Actor
    with_link: bool
    rules: Rules
    steps: tuple[ScenarioStep, ...]

    def refuse(self, line: SourceLine, message: str) -> BadScenario:
        return BadScenario(f"{self.source}, line {line.number}: {shown(line.text, 80)}: {message}")
