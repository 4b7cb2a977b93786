"""Journals: which tables they hold, past rounds found and told again, and whether all is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import BadRequest, plain, suggest
from croupier.ledger import journal as ledger
from croupier.ledger.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.differences import Gap, Verdict, conclusion_of, verdict_of
from croupier.ledger.entries import Chapter, Mark
from croupier.ledger.kept_checkpoints import kept_checkpoints, public_keys
from croupier.ledger.machine_key import machine_key
from croupier.ledger.past_rounds import (
    Correction,
    Moment,
    corrections,
    duties_on_record,
    recall,
    round_moments,
    withheld,
)
from croupier.ledger.proofs import RoundProof, prove_round
from croupier.ledger.signed_past import SignedPast, signed_words
from croupier.ledger.verify import Difference
from croupier.ledger.verify import verify as verify_ledger
from croupier.library import html
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission
from croupier.library.settling import SettledRound, settled_so_far
from croupier.ranking.built_in import EVERY_NAME
from croupier.reports.round_proof import write_proof
from croupier.rounds.deal_record import DealRecord, deal_record
from croupier.rounds.laid_out import LaidHand, laid_out
from croupier.runtime.signing import JournalSigner
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table as State
from croupier.tables.state import rules_of
from croupier.tables.step_duties import OnRecord

if TYPE_CHECKING:
    from croupier.library.table import Table

__all__ = [
    "Event",
    "Journal",
    "PastRound",
    "ReplayedRound",
    "Verification",
    "open_journal",
    "verify",
]


class PastRound(Record, frozen=True):
    """A finished round as `Journal.rounds` finds it."""

    table: str
    round: int
    began: str
    ended: str
    players: tuple[str, ...]
    hands: tuple[str, ...]
    dealer: str | None
    void: bool

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
        return msgspec.structs.asdict(self) | {
            "players": list(self.players),
            "hands": list(self.hands),
        }


class Event(Record, frozen=True):
    """An event of a past round: when, by whom, and what happened in words; the clauses of the
    duties that this person confirmed with it, and of those that screens showed to others."""

    version: int
    at: str
    by: str
    kind: str
    words: tuple[str, ...]
    confirmed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        lists = {name: list(getattr(self, name)) for name in ("words", "confirmed", "shown")}
        return msgspec.structs.asdict(self) | lists


class ReplayedRound(Record, frozen=True):
    """A round out of the journal, played again from its events."""

    table: str
    round: int
    rulebook: str
    title: str
    jurisdiction: str
    told: tuple[Event, ...]
    settlement: SettledRound | None
    is_over: bool
    deal: DealRecord | None = None
    """What it takes to check the deck of a round that is over (docs/shuffle.md)."""
    hands: tuple[LaidHand, ...] = ()
    """Every hand of a round that is over as it lay, folded ones too."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "round": self.round,
            "rulebook": self.rulebook,
            "told": [event.to_dict() for event in self.told],
            "deal": msgspec.to_builtins(self.deal),
            "hands": msgspec.to_builtins(self.hands),
        }

    def __str__(self) -> str:
        return "\n".join([line for event in self.told for line in event.words])

    def __repr__(self) -> str:
        return f"<ReplayedRound {self.table} {self.round}: {len(self.told)} events>"

    def _repr_html_(self) -> str:
        rows = [
            (event.at[11:19], event.by, html.Markup("<br>".join(map(html.escaped, event.words))))
            for event in self.told
        ]
        return html.page(
            f"Table {self.table}, round {self.round} ({self.rulebook})",
            html.grid(("UTC", "by", "what happened"), rows),
        )


class Verification(Record, frozen=True):
    """What `verify` found: everything that differs, and whether signatures anchor what does not."""

    streams: int
    entries: int
    rounds: int
    differences: tuple[Difference, ...]
    signed: SignedPast = SignedPast()
    """How far checkpoints reach, and which keys signed them."""
    notes: tuple[Difference, ...] = ()
    """What could not be looked at: the cards of rounds in play, sealed with a key that is not
    here."""
    gaps: tuple[Gap, ...] = ()
    """What keeps a journal without differences from being anchored."""

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
        return signed_words(self.signed)

    @property
    def valid(self) -> bool:
        """Nothing differs. Whether anybody could have rewritten it is for `verdict` to say."""
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
            "differences": [msgspec.to_builtins(one) for one in self.differences],
            "gaps": [msgspec.to_builtins(one) for one in self.gaps],
            "signed": msgspec.to_builtins(self.signed),
            "notes": [msgspec.to_builtins(one) for one in self.notes],
        }

    def __repr__(self) -> str:
        found = f"{len(self.differences)} differences" if self.differences else self.verdict
        return f"<Verification {found}: {self.entries} entries, {self.rounds} rounds>"

    def _repr_html_(self) -> str:
        counts = f"{self.entries:,} entries in {self.streams} streams, {self.rounds:,} rounds"
        rows = [(one.stream, one.version, one.message) for one in self.differences]
        differing = html.grid(("stream", "entry", "what differs"), rows) if rows else ""
        said = self.conclusion
        return html.page(said[0].upper() + said[1:], html.note(counts), differing)


class Journal:
    """A journal with its tables; made by `open_journal`. Use it in a `with`, or close it."""

    def __init__(self, found: ledger.Journal) -> None:
        self.ledger = found
        self._signer = JournalSigner(found)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Rounds that were played through this journal are signed."""
        self._signer.sign()
        self.ledger.close()

    def tables(self) -> tuple[str, ...]:
        """The names of all tables that were ever opened in it."""
        return tuple([name.removeprefix("table:") for name in self.ledger.streams("table:")])

    def table(self, name: str) -> Table:
        """A table of the journal, to be driven on from where it stands."""
        from croupier.library.table import Table  # with the players' strategies: a second

        self._check(name)
        return Table.resumed(self, name)

    def open_table(
        self, rulebook: AnyRulebook, submission: AnySubmission = None, **terms: Any
    ) -> Table:
        """`Table.open` in this journal."""
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
        """The last `limit` finished rounds with all that is asked for, the newest first; with None
        all of them. A time without a zone is meant as UTC."""
        if table is not None:
            self._check(table)
        if hand is not None and hand not in EVERY_NAME:
            raise suggest("hand", hand, EVERY_NAME)
        wanted = {"player": player, "seat": seat, "hand": hand, "dealer": dealer, "meter": meter}
        marks = [Mark(name, str(value)) for name, value in wanted.items() if value is not None]
        found = recall(
            self.ledger,
            table=table,
            marks=marks,
            since=_utc(since),
            until=_utc(until),
            limit=limit,
        )
        return tuple([PastRound.of(chapter) for chapter in found])

    def replay(self, table: str, number: int) -> ReplayedRound:
        """A round told again, event by event, with what was corrected later. The cards of a round
        that is still being played lie face down."""
        self._check(table)
        moments = list(round_moments(self.ledger, table, number))
        state = moments[-1].after
        is_over = state.round.phase == "over"
        told: list[Event] = []
        for moment in moments:
            is_first = not told or told[-1].version != moment.entry.version
            told.append(_told(moment, number if is_over else 0, is_first=is_first))
        told += [_corrected(one, state) for one in corrections(self.ledger, table, number)]
        rules = rules_of(state)
        settled = settled_so_far(state.round, rules, {}) if is_over else None
        book = rules.book
        return ReplayedRound(
            table,
            number,
            state.rulebook,
            book.title,
            book.jurisdiction,
            tuple(told),
            settled,
            is_over,
            deal_record(state.round, rules),
            laid_out(state.round, rules),
        )

    def verify(
        self,
        told: Callable[[int], None] = lambda _: None,
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
        jobs: int = 1,
    ) -> Verification:
        """Every chain walked, every command given again, every cent counted. `told` hears how
        many entries have been walked. `kept` are checkpoints that the journal must go on from,
        `keys` the public keys that its own must be signed with; without any, this machine's own key
        is trusted. `jobs` is how many processes walk its streams."""
        found = verify_ledger(self.ledger, told, kept, keys, jobs)
        return Verification(
            found.streams,
            found.entries,
            found.rounds,
            found.differences,
            found.signed,
            found.notes,
            found.gaps,
        )

    def checkpoint(self) -> Checkpoint | None:
        """Sign what the journal has now, with the key of this machine; nothing for an empty one."""
        return take_checkpoint(self.ledger, machine_key())

    def prove(self, table: str, number: int, to: str | Path | None = None) -> RoundProof:
        """A proof that a finished round is in the journal and was signed. `to` is the file to
        write: JSON, or a page with the proof attached if it ends in .pdf."""
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


def _told(moment: Moment, finished: int, *, is_first: bool) -> Event:
    """Duties are told with the first event of their command."""
    entry = moment.entry
    words = tuple(describe_event(withheld(moment, finished), moment.after))
    duties = duties_on_record(moment) if is_first else OnRecord()
    clauses = [tuple(dict.fromkeys(duty.clause for duty in some)) for some in duties]
    return Event(entry.version, entry.at, moment.by, moment.kind, words, *clauses)


def _corrected(one: Correction, table: State) -> Event:
    entry = one.entry
    words = tuple(describe_event(one.event, table))
    return Event(entry.version, entry.at, str(one.actor), "corrected", words)


def _utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def open_journal(where: str | Path, *, make: bool = True) -> Journal:
    """The journal in this SQLite file, or at this PostgreSQL address (`postgresql://…`). A file
    that is not there is made, unless `make` is false."""
    if not make and "://" not in str(where) and not Path(where).exists():
        raise BadRequest(f"there is no journal at {plain(where, 200)}")
    return Journal(ledger.open_journal(where) if make else ledger.open_to_read(where))


def verify(
    journal: Journal | str | Path, *, since: str | Path | None = None, keys: Iterable[str] = ()
) -> Verification:
    """Is the journal what happened? Of an open journal, or of the one at this place. `since` names
    checkpoints that were kept elsewhere, `keys` the public keys that must have signed (or files
    with them)."""
    kept = kept_checkpoints(str(since)) if since is not None else ()
    trusted = public_keys([keys] if isinstance(keys, str) else keys)
    if isinstance(journal, Journal):
        return journal.verify(kept=kept, keys=trusted)
    with open_journal(journal, make=False) as opened:
        return opened.verify(kept=kept, keys=trusted)
