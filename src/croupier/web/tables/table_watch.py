"""What a floorperson needs besides the table's state: how long each step has waited, who dealt, and
the pace. Blocking: call it in a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

from croupier.ledger.entries import seconds
from croupier.ledger.history.floor_records import (
    DeckHistory,
    DeckMoment,
    LimitUse,
    RecordedVoid,
    WrittenSlip,
    newest_slips,
    recent_uses,
    recent_voids,
)
from croupier.ledger.history.past_rounds import Moment, played, recall, standing
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import table_stream
from croupier.rounds.events import CardsDealt, ProgressiveWon
from croupier.tables.state import Table, rules_of
from croupier.tables.work import WorkStep, work

StepKey: TypeAlias = tuple[str, int, str, str, str]
PACE_ROUNDS: Final = 20
PACE_HOURS: Final = 1.0


class Watched(NamedTuple):
    """`since` is the time from which each step has waited. `dealer` last acted here as dealer,
    `dealt_by` dealt the round, and `claimed` is the entry in which the progressive was won."""

    since: dict[StepKey, str]
    dealer: str
    dealt_by: str
    claimed: int
    claimed_at: str
    pace: int | None


def step_key(step: WorkStep) -> StepKey:
    """Return what identifies a step from one moment to the next."""
    return step.step, step.seat, step.back, step.device, step.place


class TableWatch:
    """Follows one table in the journal, from the opening of its last round."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal = journal
        self._stream = table_stream(table)
        self._state: Table | None = None
        self._since: dict[StepKey, str] = {}
        self._dealer = self._dealt_by = ""
        self._claimed, self._claimed_at = 0, ""
        self._pace: int | None = None
        self._paced: tuple[int, int] = (-1, -1)
        self._decks = DeckHistory(journal, table)
        self._slips = newest_slips(journal, table)
        self._voids = recent_voids(journal, table)
        self._uses = recent_uses(journal, table)
        self._turn = Lock()

    def look(self, table: Table, steps: Sequence[WorkStep], now: datetime) -> Watched:
        """Follow the journal up to the given state, in which these steps wait, and return what was
        seen."""
        with self._turn:
            if self._state is None or self._state.version < table.version:
                self._follow(table)
            at = now.isoformat()
            since = {step_key(step): self._since.get(step_key(step), at) for step in steps}
            self._since |= since
            pace = self._pace_of(table, now)
            return Watched(
                since, self._dealer, self._dealt_by, self._claimed, self._claimed_at, pace
            )

    def deck_history(self, table: Table) -> tuple[DeckMoment, ...]:
        """Return who did what with the decks now at the table."""
        with self._turn:
            return self._decks.of(table)

    def slips(self, version: int) -> tuple[WrittenSlip, ...]:
        """Return the slips up to this version, newest first."""
        with self._turn:
            return self._slips.up_to(version)

    def voids(self, version: int, since: str) -> tuple[RecordedVoid, ...]:
        """Return the voids since this time, newest first."""
        with self._turn:
            return self._voids.since(since, version)

    def uses(self, version: int, since: str) -> tuple[LimitUse, ...]:
        """Return the money moved on somebody's word since this time, newest first."""
        with self._turn:
            return self._uses.since(since, version)

    def _follow(self, table: Table) -> None:
        last: Moment | None = None
        for moment in self._moments(table):
            if last is not None and moment.entry.version != last.entry.version:
                self._note(last)
            last = moment
            if moment.actor.role == "dealer":
                self._dealer = moment.actor.name
            if isinstance(moment.event, CardsDealt):
                self._dealt_by = moment.actor.name
            elif isinstance(moment.event, ProgressiveWon):
                self._claimed, self._claimed_at = moment.entry.version, moment.entry.at
        if last is not None:
            self._note(last)
            self._state = last.after

    def _moments(self, table: Table) -> Iterator[Moment]:
        """Return the new moments or, if the table was not looked at for long, those of its last
        round."""
        state = self._state
        if state is None or state.version < table.began - 1:
            state = standing(self._journal, self._stream, table.began) if table.began else None
            self._since.clear()
        after = state.version if state is not None else 0
        return played(self._journal.read(self._stream, after, table.version), state)

    def _note(self, moment: Moment) -> None:
        """Note the steps that wait after an entry; new ones have waited since then."""
        table, at = moment.after, moment.entry.at
        steps = work(table, rules_of(table), seconds(at))
        self._since = {step_key(step): self._since.get(step_key(step), at) for step in steps}

    def _pace_of(self, table: Table, now: datetime) -> int | None:
        """Return the rounds per hour over the latest rounds within the last hour, or None if there
        were none."""
        begun = (table.round.number, int(now.timestamp()) // 60)
        if begun != self._paced:
            self._paced = begun
            since = now - timedelta(hours=PACE_HOURS)
            pace = list(recall(self._journal, table=table.id, since=since, limit=PACE_ROUNDS))
            self._pace = _per_hour(len(pace), pace[-1].began, pace[0].ended) if pace else None
        return self._pace


def _per_hour(rounds: int, began: str, ended: str) -> int:
    passed = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
    return round(rounds / max(passed.total_seconds(), 1.0) * 3600)
