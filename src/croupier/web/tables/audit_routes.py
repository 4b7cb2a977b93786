"""Audit routes for auditors, surveillance and the operator, who may read everything."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import msgspec
from litestar import Controller, delete, get, post
from litestar.params import FromPath, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from croupier.errors import BadRequest, shown
from croupier.ledger.checkpoints.checkpoints import Checkpoint, latest_checkpoint
from croupier.ledger.checkpoints.kept import checkpoints_in
from croupier.ledger.history.search import KINDS, Sought
from croupier.money import parse_cents
from croupier.reports.exports import PARTS, Form, export_lines
from croupier.reports.shift import ShiftReport, shift_report
from croupier.rounds.declaration import from_json
from croupier.tables.state import Table
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.people import Person
from croupier.web.accounts.roles import READ_THE_JOURNAL
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest
from croupier.web.tables.audit import (
    AttemptsForm,
    Current,
    EntriesForm,
    OpenedEntry,
    attempts,
    found_entries,
    opened,
    rounds_of,
    streams_of,
)
from croupier.web.tables.history import time_of
from croupier.web.tables.pit import Pit, ThePit
from croupier.web.tables.verification import DifferencesForm, TheVerifications, VerificationForm

CHUNK: Final = 64 * 1024
MOST_SHIFT: Final = timedelta(days=7)
Text = Annotated[str, QueryParameter(max_length=200)]
Version = Annotated[int, PathParameter(ge=1, le=2**53)]


def auditor_of(request: AnyRequest) -> Person:
    """Return the person who asks. Refuse unless they may read the journal."""
    person = visit_of(request).signed_in()
    if person.role not in READ_THE_JOURNAL:
        raise Denied("this is for auditors, surveillance and the operator", code="wrong_role")
    return person


class VerifyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    since: str = ""


class CheckpointForm(msgspec.Struct, frozen=True):
    """The latest checkpoint, or null before the first round has ended."""

    checkpoint: Checkpoint | None


class Audit(Controller):
    path = "/api/v1/audit"
    tags = ("audit",)

    @get("/entries", summary="Entries of the journal", responses=PROBLEMS)
    async def entries(
        self,
        request: AnyRequest,
        pit: ThePit,
        entry_kind: Annotated[
            str,
            QueryParameter(name="kind", max_length=60, description=f"One of {', '.join(KINDS)}"),
        ] = "",
        stream: Text = "",
        table: Text = "",
        round_number: Annotated[int, QueryParameter(name="round", ge=0, le=2**53)] = 0,
        person: Text = "",
        role: Text = "",
        command: Text = "",
        clause: Text = "",
        amount: Annotated[str, QueryParameter(max_length=30, description="in dollars")] = "",
        words: Text = "",
        since: Annotated[str, QueryParameter(max_length=40)] = "",
        until: Annotated[str, QueryParameter(max_length=40)] = "",
        before: Annotated[str, QueryParameter(max_length=300)] = "",
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
    ) -> EntriesForm:
        """Return entries, newest first. Each page searches a bounded number of entries; if it holds
        fewer than `limit`, pass its `before` to continue."""
        auditor_of(request)
        sought = Sought(
            kinds=(entry_kind,) if entry_kind else (),
            command=command,
            person=person,
            role=role,
            clause=clause,
            cents=parse_cents(amount) if amount else None,
            words=words,
            since=time_of(since, "since"),
            until=time_of(until, "until"),
        )

        def look() -> EntriesForm:
            now = _current(pit)
            if round_number:
                place = rounds_of(pit.journal, table, round_number, now)
                wanted = replace(sought, streams=place.streams, first=place.first, last=place.last)
            else:
                wanted = replace(sought, streams=streams_of(pit.journal, table, stream, now))
            return found_entries(pit.journal, wanted, before, limit, now)

        return await pit.looking_back(look)

    @get("/entries/{stream:str}/{version:int}", summary="An entry whole", responses=PROBLEMS)
    async def entry(
        self, request: AnyRequest, stream: FromPath[str], version: Version, pit: ThePit
    ) -> OpenedEntry:
        """Return the command, who gave it, what happened in words, which money moved, and the
        entry's place in the hash chain."""
        auditor_of(request)
        return await pit.looking_back(lambda: opened(pit.journal, stream, version, _current(pit)))

    @get("/attempts", summary="What was refused", responses=PROBLEMS)
    async def attempts(self, request: AnyRequest, pit: ThePit, table: Text = "") -> AttemptsForm:
        """Return who tried what, why it was refused, and how often."""
        auditor_of(request)
        return await pit.looking_back(lambda: attempts(pit.journal, table))

    # -- verification -----------------------------------------------------------------------

    @post("/verify", status_code=202, summary="Verify the journal", responses=PROBLEMS)
    async def verify(
        self, request: AnyRequest, pit: ThePit, verifications: TheVerifications
    ) -> VerificationForm:
        """Run `croupier verify` in a separate process, one run at a time. The body may hold
        `since`: the text of a checkpoint file that the journal must extend."""
        person = auditor_of(request)
        by = f"{person.role} {person.name}"
        body = await request.body()
        run = from_json(body, VerifyForm, "what to verify") if body else VerifyForm()
        kept = checkpoints_in(run.since.encode())
        return await pit.looking_back(lambda: verifications.start(by, kept))

    @get("/checkpoint", summary="The last signed checkpoint", responses=PROBLEMS)
    async def checkpoint(self, request: AnyRequest, pit: ThePit) -> CheckpointForm:
        """Return a checkpoint to keep elsewhere. Given to a later verification, it reveals any
        change to earlier entries."""
        auditor_of(request)
        checkpoint = await pit.looking_back(lambda: latest_checkpoint(pit.journal))
        return CheckpointForm(checkpoint)

    @get("/verify", summary="How far the verification has come", responses=PROBLEMS)
    async def verification(
        self, request: AnyRequest, pit: ThePit, verifications: TheVerifications
    ) -> VerificationForm:
        auditor_of(request)
        return await pit.looking_back(verifications.latest)

    @delete("/verify", status_code=200, summary="Stop the verification", responses=PROBLEMS)
    async def stop(
        self, request: AnyRequest, pit: ThePit, verifications: TheVerifications
    ) -> VerificationForm:
        person = auditor_of(request)
        by = f"{person.role} {person.name}"
        only = by if person.guest else ""
        return await pit.looking_back(lambda: verifications.stop(only))

    @get("/verify/differences", summary="What differs", responses=PROBLEMS)
    async def differences(
        self,
        request: AnyRequest,
        pit: ThePit,
        verifications: TheVerifications,
        after: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=500)] = 100,
    ) -> DifferencesForm:
        """Return the differences between the journal and the rules, in the order of discovery."""
        auditor_of(request)
        return await pit.looking_back(lambda: verifications.differences(after, limit))

    # -- reports ----------------------------------------------------------------------------

    @get("/shift", summary="A shift in figures", responses=PROBLEMS)
    async def shift(
        self,
        request: AnyRequest,
        pit: ThePit,
        since: Annotated[str, QueryParameter(max_length=40)],
        until: Annotated[str, QueryParameter(max_length=40)] = "",
        table: Text = "",
    ) -> ShiftReport:
        """Return drop, win and hold, fills, credits and tips, rounds and pace, by table and dealer,
        for at most a week."""
        auditor_of(request)
        begins, ends = time_of(since, "since"), time_of(until, "until") or datetime.now(UTC)
        if begins is None or ends - begins > MOST_SHIFT:
            raise BadRequest("since= says when the shift began, a week before its end at most")
        if table:
            pit.table(table)
        return await pit.looking_back(
            lambda: shift_report(pit.journal, begins, ends, table or None)
        )

    @get("/export", summary="Everything, to keep", responses=PROBLEMS)
    async def export(
        self,
        request: AnyRequest,
        pit: ThePit,
        part: Annotated[str, QueryParameter(name="what", max_length=20)] = "entries",
        form: Annotated[str, QueryParameter(name="format", pattern="^(jsonl|csv)$")] = "jsonl",
        table: Text = "",
    ) -> Stream:
        """Stream `entries`, `wagers`, `transfers`, `attempts`, `tables` or `links` as JSON Lines or
        CSV, the same as `croupier export`."""
        auditor_of(request)
        if part not in PARTS:
            raise BadRequest(f"{shown(part)} cannot be exported: take {', '.join(PARTS)}")
        if table:
            pit.table(table)
        written_as: Form = "csv" if form == "csv" else "jsonl"
        chunk = _chunks(export_lines(pit.journal, written_as, part, table or None))

        async def parts() -> AsyncIterator[bytes]:
            while piece := await pit.looking_back(chunk):
                yield piece

        name = f"{table or 'journal'}-{part}.{form}".replace('"', "")
        return Stream(
            parts(),
            media_type="text/csv" if form == "csv" else "application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


def _chunks(lines: Iterator[str]) -> Callable[[], bytes]:
    """Return a function that returns the next chunk of an export, empty at the end."""

    def chunk() -> bytes:
        part, size = [], 0
        for line in lines:
            part.append(line)
            size += len(line)
            if size >= CHUNK:
                break
        return "".join(part).encode()

    return chunk


def _current(pit: Pit) -> Current:
    """Return a lookup of the current state of a table by name."""
    tables = {served.name: served for served in pit.tables}

    def now(name: str) -> Table | None:
        served = tables.get(name)
        return served.table if served is not None else None

    return now
