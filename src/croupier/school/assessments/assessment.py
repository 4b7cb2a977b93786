"""What is kept of an assessment, and what its page is told."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.school.progress_store import Kind

__all__ = [
    "ASSESSMENT",
    "REPORT",
    "TASKS",
    "Assessment",
    "AssessmentForm",
    "DoneStep",
    "Noted",
    "Task",
]

Task: TypeAlias = Literal["deck", "round", "accident"]
TASKS: Final[dict[Task, str]] = {
    "deck": "Open a deck: from its arrival until it can be dealt",
    "round": "Deal a whole round: from the opening of the bets to the collected cards",
    "accident": "Deal a round in which something goes wrong",
}
REPORT: Final = "Report what went wrong"
"""What is chosen, beside the steps, when something has."""


class Noted(msgspec.Struct, frozen=True):
    """Something that was chosen or asked for. `due` is what waited for him instead."""

    at: str
    chosen: str
    kind: Literal["right", "forgotten", "out_of_order", "somebody_else", "refused"]
    words: str = ""
    clause: str = ""
    due: str = ""
    due_clause: str = ""


class Assessment(msgspec.Struct, frozen=True):
    """`version`: the table's when it began; `attempts`: that of its refused attempts."""

    id: str
    table: str
    rulebook: str
    task: Task
    began_at: str
    version: int
    attempts: int
    round: int
    noted: tuple[Noted, ...] = ()
    ended_at: str = ""
    accident: str = ""
    """The irregularity that happens in this round, and from when on."""
    accident_at: int = 0


ASSESSMENT: Final = Kind("dealer assessment", Assessment)


class DoneStep(msgspec.Struct, frozen=True):
    """A command that he gave and the engine took, with the duties that he confirmed by it."""

    at: str
    label: str
    clause: str
    duties: tuple[tuple[str, str], ...]
    """Words and clause."""


class AssessmentForm(msgspec.Struct, frozen=True):
    """`menu`: everything that can be chosen. `happens`: what went wrong, where something did. At
    the end the steps that were done, the mistakes and the score in percent."""

    id: str
    table: str
    rulebook: str
    task: Task
    words: str
    page: str
    menu: tuple[str, ...]
    right: int
    mistakes: tuple[Noted, ...]
    done: tuple[DoneStep, ...]
    happens: str = ""
    is_complete: bool = False
    ended_at: str = ""
    score: int | None = None
    left: tuple[str, ...] = ()
    """What still waited for him when he stopped."""
