"""Journals: their tables, their past rounds, and their verification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import BadRequest, plain, suggest
from croupier.ledger import journal as ledger
from croupier.ledger.checkpoints.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.checkpoints.kept import kept_checkpoints, public_keys
from croupier.ledger.checkpoints.proofs import RoundProof, prove_round
from croupier.ledger.checkpoints.signed_past import SignedPast, signed_words
from croupier.ledger.differences import Difference, Gap, Verdict, conclusion_of, verdict_of
from croupier.ledger.entries import Chapter, Mark
from croupier.ledger.history.past_rounds import (
    Correction,
    Moment,
    corrections,
    duties_on_record,
    recall,
    round_moments,
    withheld,
)
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.verification.verify import verify as verify_ledger
from croupier.library import html
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission
from croupier.library.settling import SettledRound, settled_so_far
from croupier.ranking.built_in import EVERY_NAME
from croupier.reports.round_proof import write_proof
from croupier.rounds.deal_record import DealRecord, LaidHand, deal_record, laid_out
from croupier.runtime.signing import JournalSigner
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table as State
from croupier.tables.state import rules_of
from croupier.tables.step_duties import OnRecord

if TYPE_CHECKING:
    from croupier.library.table import Table


class PastRound(Record, frozen=True):
    """A finished round in the list that `Journal.rounds` returns."""

    table: str
    """The name of the table."""
    round: int
    """The number of the round."""
    began: str
    """When the bets opened, in UTC: `2026-03-01T20:15:00.000Z`."""
    ended: str
    """When the cards were collected, in UTC."""
    players: tuple[str, ...]
    """The players who bet."""
    hands: tuple[str, ...]
    """The keys of the hands that were held."""
    dealer: str | None
    """The dealer's name; None if it was software."""
    void: bool
    """Whether the round was declared void."""

    @classmethod
    def of(cls, chapter: Chapter) -> PastRound:
        marks: dict[str, list[str]] = {}
        for mark in chapter.marks:
            marks.setdefault(mark.name, []).append(mark.value)
        return cls(
            chapter.stream.removeprefix("table:"),
            chapter.number,
            chapter.began,
            chapter.ended,
            tuple(marks.get("player", ())),
            tuple(marks.get("hand", ())),
            next(iter(marks.get("dealer", ())), None),
            "yes" in marks.get("void", ()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the round as plain data."""
        return msgspec.structs.asdict(self) | {
            "players": list(self.players),
            "hands": list(self.hands),
        }


class Event(Record, frozen=True):
    """An event of a past round."""

    version: int
    """The entry's number in the table's journal."""
    at: str
    """When it happened, in UTC."""
    by: str
    """The person who gave the command: `dealer:dan`."""
    name: str
    """The event's name on the wire: `wagers_placed`."""
    words: tuple[str, ...]
    """What happened, line by line."""
    confirmed: tuple[str, ...] = ()
    """The clauses of the duties that this person confirmed with the command."""
    shown: tuple[str, ...] = ()
    """The clauses of the duties that screens showed to others."""

    def to_dict(self) -> dict[str, Any]:
        lists = {name: list(getattr(self, name)) for name in ("words", "confirmed", "shown")}
        fields = msgspec.structs.asdict(self)
        return {"kind" if name == "name" else name: fields[name] for name in fields} | lists


class ReplayedRound(Record, frozen=True):
    """A round of the journal, replayed from its events. `print` shows it in words."""

    table: str
    """The name of the table."""
    round: int
    """The number of the round."""
    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    jurisdiction: str
    """The jurisdiction of its document."""
    events: tuple[Event, ...]
    """All events, with later corrections."""
    settlement: SettledRound | None
    """The settled round; None if it is not over or no seat was settled."""
    is_over: bool
    """Whether the round is over: until then its cards stay face down."""
    deal: DealRecord | None = None
    """The data for checking the deck of a round that is over (docs/shuffle.md)."""
    hands: tuple[LaidHand, ...] = ()
    """Every hand of a round that is over, folded ones included."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "round": self.round,
            "rulebook": self.rulebook,
            "told": [event.to_dict() for event in self.events],
            "deal": msgspec.to_builtins(self.deal),
            "hands": msgspec.to_builtins(self.hands),
        }

    def __str__(self) -> str:
        return "\n".join([line for event in self.events for line in event.words])

    def __repr__(self) -> str:
        return f"<ReplayedRound {self.table} {self.round}: {len(self.events)} events>"

    def _repr_html_(self) -> str:
        rows = [
            (event.at[11:19], event.by, html.Markup("<br>".join(map(html.escaped, event.words))))
            for event in self.events
        ]
        return html.page(
            f"Table {self.table}, round {self.round} ({self.rulebook})",
            html.grid(("UTC", "by", "what happened"), rows),
        )


class Verification(Record, frozen=True):
    """The result of `verify`: it is true if nothing differs."""

    streams: int
    """How many streams were checked: tables, links, accounts."""
    entries: int
    """How many entries were checked."""
    rounds: int
    """How many finished rounds were checked."""
    differences: tuple[Difference, ...]
    """All differences between the journal and the result of its commands."""
    signed: SignedPast = SignedPast()
    """How far the checkpoints reach, and the keys that signed them."""
    notes: tuple[Difference, ...] = ()
    """What could not be checked: the cards of rounds in play that are sealed with another key."""
    gaps: tuple[Gap, ...] = ()
    """Why a journal without differences is not anchored."""

    @property
    def verdict(self) -> Verdict:
        """`anchored`, `unanchored` or `differs`."""
        return verdict_of(len(self.differences), self.gaps)

    @property
    def conclusion(self) -> str:
        """The last line of `croupier verify`."""
        return conclusion_of(len(self.differences), self.gaps, self.differences)

    @property
    def signed_words(self) -> str:
        """How far the journal is signed, in a sentence."""
        return signed_words(self.signed)

    @property
    def valid(self) -> bool:
        """Whether nothing differs. `verdict` says whether somebody could have rewritten the
        journal."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.valid

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "valid": self.valid,
            "streams": self.streams,
            "entries": self.entries,
            "rounds": self.rounds,
            "differences": [msgspec.to_builtins(difference) for difference in self.differences],
            "gaps": [msgspec.to_builtins(gap) for gap in self.gaps],
            "signed": msgspec.to_builtins(self.signed),
            "notes": [msgspec.to_builtins(note) for note in self.notes],
        }

    def __repr__(self) -> str:
        result = f"{len(self.differences)} differences" if self.differences else self.verdict
        return f"<Verification {result}: {self.entries} entries, {self.rounds} rounds>"

    def _repr_html_(self) -> str:
        counts = f"{self.entries:,} entries in {self.streams} streams, {self.rounds:,} rounds"
        rows = [(each.stream, each.version, each.message) for each in self.differences]
        differing = html.grid(("stream", "entry", "what differs"), rows) if rows else ""
        heading = self.conclusion
        return html.page(heading[0].upper() + heading[1:], html.note(counts), differing)


class Journal:
    """A journal with its tables, as `open_journal` returns it. Use it in a `with`, or close it."""

    def __init__(self, store: ledger.Journal) -> None:
        self.ledger = store
        self._signer = JournalSigner(store)

    def __reduce__(self) -> tuple[Callable[[str], Journal], tuple[str]]:
        """Pickle the journal's location; unpickling opens it again there."""
        return open_journal, (self.ledger.name,)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Sign the rounds that were played through this journal, and close it."""
        self._signer.sign()
        self.ledger.close()

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables that were ever opened in the journal."""
        return tuple([name.removeprefix("table:") for name in self.ledger.streams("table:")])

    def table(self, name: str) -> Table:
        """Return a table of the journal in its current state, to play on."""
        from croupier.library.table import Table  # loads the players' strategies: a second

        self._check(name)
        return Table.resumed(self, name)

    def open_table(
        self, rulebook: AnyRulebook, submission: AnySubmission = None, **terms: Any
    ) -> Table:
        """Open a table in this journal; the terms are those of `Table.open`."""
        from croupier.library.table import Table

        return Table.open(rulebook, submission, journal=self, **terms)

    def rounds(
        self,
        table: str | None = None,
        *,
        player: str | None = None,
        seat: int | None = None,
        hand: str | None = None,
        dealer: str | None = None,
        meter: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = 20,
    ) -> tuple[PastRound, ...]:
        """Return the last `limit` finished rounds that meet all conditions, the newest first.
        `limit=None` returns all of them. A time without a zone is UTC."""
        if table is not None:
            self._check(table)
        if hand is not None and hand not in EVERY_NAME:
            raise suggest("hand", hand, EVERY_NAME)
        wanted = {"player": player, "seat": seat, "hand": hand, "dealer": dealer, "meter": meter}
        marks = [Mark(name, str(value)) for name, value in wanted.items() if value is not None]
        chapters = recall(
            self.ledger,
            table=table,
            marks=marks,
            since=_utc(since),
            until=_utc(until),
            limit=limit,
        )
        return tuple([PastRound.of(chapter) for chapter in chapters])

    def replay(self, table: str, number: int) -> ReplayedRound:
        """Replay a round event by event, with later corrections. The cards of a round in play stay
        face down."""
        self._check(table)
        moments = list(round_moments(self.ledger, table, number))
        state = moments[-1].after
        is_over = state.round.phase == "over"
        events: list[Event] = []
        for moment in moments:
            is_first = not events or events[-1].version != moment.entry.version
            events.append(_event(moment, number if is_over else 0, is_first=is_first))
        events += [_corrected(each, state) for each in corrections(self.ledger, table, number)]
        rules = rules_of(state)
        settled = settled_so_far(state.round, rules, {}) if is_over else None
        book = rules.book
        return ReplayedRound(
            table,
            number,
            state.rulebook,
            book.title,
            book.jurisdiction,
            tuple(events),
            settled,
            is_over,
            deal_record(state.round, rules),
            laid_out(state.round, rules),
        )

    def verify(
        self,
        report: Callable[[int], None] = lambda _: None,
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
        jobs: int = 1,
    ) -> Verification:
        """Check the whole journal: verify every chain, execute every command again, recompute every
        amount.

        `report` is called with the number of entries checked so far. `kept` are checkpoints that
        the journal must continue, `keys` the public keys that must have signed its own; without
        any, this machine's own key is trusted. `jobs` is the number of processes.
        """
        checked = verify_ledger(self.ledger, report, kept, keys, jobs)
        return Verification(
            checked.streams,
            checked.entries,
            checked.rounds,
            checked.differences,
            checked.signed,
            checked.notes,
            checked.gaps,
        )

    def checkpoint(self) -> Checkpoint | None:
        """Sign the current state of the journal with the key of this machine; None if it is
        empty."""
        return take_checkpoint(self.ledger, machine_key())

    def prove(self, table: str, number: int, to: str | Path | None = None) -> RoundProof:
        """Prove that a finished round is in the journal and was signed.

        `to` is the file to write: JSON, or a page with the proof attached if it ends in .pdf.
        """
        self._check(table)
        proof = prove_round(self.ledger, table, number)
        if to is not None:
            write_proof(self.ledger, proof, Path(to))
        return proof

    def _check(self, table: str) -> None:
        names = self.tables()
        if table not in names:
            raise suggest("table", table, names)

    def __repr__(self) -> str:
        return f"<Journal {self.ledger.name}: {', '.join(self.tables()) or 'no table yet'}>"


def _event(moment: Moment, finished: int, *, is_first: bool) -> Event:
    """Return the event. Duties are listed with the first event of their command."""
    entry = moment.entry
    words = tuple(describe_event(withheld(moment, finished), moment.after))
    duties = duties_on_record(moment) if is_first else OnRecord()
    clauses = [tuple(dict.fromkeys(duty.clause for duty in each)) for each in duties]
    return Event(entry.version, entry.at, moment.by, moment.event_name, words, *clauses)


def _corrected(correction: Correction, table: State) -> Event:
    entry = correction.entry
    words = tuple(describe_event(correction.event, table))
    return Event(entry.version, entry.at, str(correction.actor), "corrected", words)


def _utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def open_journal(where: str | Path, *, make: bool = True) -> Journal:
    """Open the journal in this SQLite file, or at this PostgreSQL address (`postgresql://…`). A
    missing file is created, unless `make` is false."""
    if not make and "://" not in str(where) and not Path(where).exists():
        raise BadRequest(f"there is no journal at {plain(where, 200)}")
    return Journal(ledger.open_journal(where) if make else ledger.open_to_read(where))


def verify(
    journal: Journal | str | Path, *, since: str | Path | None = None, keys: Iterable[str] = ()
) -> Verification:
    """Check a journal, open or at this location, against its commands. `since` names checkpoints
    that were kept elsewhere, `keys` the public keys that must have signed, or files with them."""
    kept = kept_checkpoints(str(since)) if since is not None else ()
    trusted = public_keys([keys] if isinstance(keys, str) else keys)
    if isinstance(journal, Journal):
        return journal.verify(kept=kept, keys=trusted)
    with open_journal(journal, make=False) as opened:
        return opened.verify(kept=kept, keys=trusted)
