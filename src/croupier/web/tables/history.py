"""Past rounds: listed, described, laid out again, and reviewed. Every function here blocks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import PathParameter, QueryParameter
from msgspec.structs import replace

from croupier.errors import BadRequest, shown
from croupier.ledger.entries import Chapter, Mark
from croupier.ledger.history.past_rounds import Moment, corrections, round_moments
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import table_stream
from croupier.money import format_cents
from croupier.rounds.deal_record import DealRecord, LaidHand, deal_record, laid_out
from croupier.rounds.events import Acted
from croupier.runtime.player_questions import Question, question_for
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table, rules_of
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.roles import READ_THE_HOUSE
from croupier.web.accounts.trial import may_work_at
from croupier.web.server.problems import PROBLEMS, Denied, NotThere
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.forms import TableForm
from croupier.web.tables.outsiders import seat_label, veiled
from croupier.web.tables.pit import ThePit
from croupier.web.tables.views import NOBODY, Onlooker, happened, table_form


class RoundCard(msgspec.Struct, frozen=True):
    number: int
    began: str
    ended: str
    players: tuple[str, ...]
    hands: tuple[str, ...]
    dealer: str
    void: bool
    net_of_me: str | None


class RoundsForm(msgspec.Struct, frozen=True):
    """A page of rounds. `before` is the value that requests the rounds before these, null once the
    first round is listed."""

    rounds: tuple[RoundCard, ...]
    before: int | None


class ToldMoment(msgspec.Struct, frozen=True):
    version: int
    at: str
    kind: str
    by: str
    words: tuple[str, ...]


class ToldRound(msgspec.Struct, frozen=True):
    """A past round. `told` and `views` correspond step by step. The deck's order and salt open the
    commitment: their sha256 was shown before the first bet."""

    table: str
    number: int
    told: tuple[ToldMoment, ...]
    views: tuple[TableForm, ...]
    commitment: str
    salt: str
    order: tuple[str, ...]
    corrections: tuple[ToldMoment, ...] = ()
    """Decisions made about the round afterwards."""
    deal: DealRecord | None = None
    """What is needed to check the deck; null if cards were shuffled by hand."""
    hands: tuple[LaidHand, ...] = ()
    """Every hand as it lay, folded ones included; only for people who decide disputes or audit."""


class Wanted(msgspec.Struct, frozen=True):
    """Which rounds to list: those of a player, or of a period."""

    player: str = ""
    since: datetime | None = None
    until: datetime | None = None


class Decided(msgspec.Struct, frozen=True):
    """One decision of a person in a round: the question, the answer, and the unit at stake."""

    question: Question
    seat: int
    said: str
    unit_cents: int
    version: int


def listed(
    journal: Journal,
    table: str,
    who: Onlooker,
    before: int | None,
    limit: int,
    wanted: Wanted = Wanted(),  # noqa: B008 - a constant
) -> RoundsForm:
    marks = (Mark("player", wanted.player),) if wanted.player else ()
    stream = table_stream(table)
    page = list(
        journal.chapters(stream, marks, wanted.since, wanted.until, limit=limit, before=before)
    )
    rounds = tuple([_card(journal, table, chapter, who) for chapter in page])
    last = page[-1].number if len(page) == limit else None
    return RoundsForm(rounds, last if last is not None and last > 1 else None)


def _card(journal: Journal, table: str, chapter: Chapter, who: Onlooker) -> RoundCard:
    players = _marked(chapter, "player")
    if who.private and who.name not in players:
        players = tuple(map(seat_label, sorted(map(int, _marked(chapter, "seat")))))
    net = None
    if who.plays and who.name in players:
        *_, last = round_moments(journal, table, chapter.number)
        lines = [line for s in last.after.round.seats if s.player == who.name for line in s.lines]
        net = format_cents(sum(line.net for line in lines))
    return RoundCard(
        number=chapter.number,
        began=chapter.began,
        ended=chapter.ended,
        players=players,
        hands=_marked(chapter, "hand"),
        dealer=next(iter(_marked(chapter, "dealer")), ""),
        void=Mark("void", "yes") in chapter.marks,
        net_of_me=net,
    )


def _marked(chapter: Chapter, name: str) -> tuple[str, ...]:
    return tuple([mark.value for mark in chapter.marks if mark.name == name])


def _finished(journal: Journal, table: str, number: int) -> list[Moment]:
    if number < 1 or journal.chapter(table_stream(table), number) is None:
        raise NotThere(f"round {number} of table {table} is not there or not over")
    return list(round_moments(journal, table, number))


def past_round(journal: Journal, table: str, number: int, who: Onlooker) -> ToldRound:
    """Return a round step by step as the asker saw it, or could have seen it from the rail. People
    who decide disputes (11.K, 9(i)) or audit get every card."""
    moments, views = [], []
    played = _finished(journal, table, number)
    veil = who.is_kept_out(played[-1].after)
    sees_all = who.role in READ_THE_HOUSE
    if sees_all:
        who = replace(who, after_the_round=True)
    for moment in played:
        form = happened(moment.event, moment.after, veil=veil)
        if form is None:
            continue
        words = tuple(describe_event(moment.event, moment.after)) if sees_all else form.words
        by = moment.actor.role if veil else moment.by
        moments.append(ToldMoment(form.version, moment.entry.at, form.kind, by, words))
        seen = veiled(moment.after) if veil else moment.after
        views.append(_without_actions(seen, replace(who, private=False) if not veil else NOBODY))
    last = played[-1].after
    if veil:
        last = veiled(last)
    final = views[-1].round
    rules = rules_of(last)
    return ToldRound(
        table,
        number,
        tuple(moments),
        tuple(views),
        final.commitment,
        final.salt,
        final.order,
        () if veil else _corrected(journal, last, number),
        deal_record(last.round, rules),
        laid_out(last.round, rules) if sees_all else (),
    )


def _corrected(journal: Journal, table: Table, number: int) -> tuple[ToldMoment, ...]:
    return tuple(
        [
            ToldMoment(
                correction.entry.version,
                correction.entry.at,
                "corrected",
                str(correction.actor),
                tuple(describe_event(correction.event, table)),
            )
            for correction in corrections(journal, table.id, number)
        ]
    )


def _without_actions(table: Table, who: Onlooker) -> TableForm:
    form = table_form(table, who, meters={})
    return replace(form, actions=(), dealer_actions=(), floor_actions=())


def decisions_of(journal: Journal, table: str, number: int, player: str) -> list[Decided]:
    decisions = []
    for moment in _finished(journal, table, number):
        event, before = moment.event, moment.before
        if not isinstance(event, Acted) or before is None:
            continue
        seat = before.round.seat(event.seat)
        if seat is None or seat.player != player:
            continue
        question = question_for(before, event.seat)
        unit = _unit(before, event, seat.wagers)
        decisions.append(Decided(question, event.seat, event.action, unit, moment.entry.version))
    return decisions


def _unit(table: Table, event: Acted, wagers: dict[str, int]) -> int:
    decision = next(d for d in rules_of(table).book.decisions if d.name == event.decision)
    return wagers[decision.multiple_of or decision.takes_back]


RoundNumber = Annotated[int, PathParameter(ge=1, le=2**53)]
TimeAsked = Annotated[
    str, QueryParameter(max_length=40, description="ISO 8601 with a zone: 2026-11-15T18:00:00Z")
]


class Rounds(Controller):
    path = "/api/v1/tables"
    tags = ("rounds",)

    @get("/{table:str}/rounds", summary="The table's rounds", responses=PROBLEMS)
    async def rounds(
        self,
        request: AnyRequest,
        table: NameInPath,
        pit: ThePit,
        before: Annotated[int | None, QueryParameter(ge=1, le=2**53)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
        player: Annotated[str, QueryParameter(max_length=60)] = "",
        since: TimeAsked = "",
        until: TimeAsked = "",
    ) -> RoundsForm:
        """Return finished rounds, newest first."""
        pit.table(table)
        who = pit.onlooker(visit_of(request).person)
        if who.private and player not in ("", who.name):
            raise Denied(
                "the rounds of a player are for that player and the house", code="not_yours"
            )
        wanted = Wanted(player, time_of(since, "since"), time_of(until, "until"))
        return await pit.looking_back(
            lambda: listed(pit.journal, table, who, before, limit, wanted)
        )

    @get("/{table:str}/rounds/{number:int}", summary="A round again", responses=PROBLEMS)
    async def round(
        self, request: AnyRequest, table: NameInPath, number: RoundNumber, pit: ThePit
    ) -> ToldRound:
        """Return a round in words and step by step on the felt, with what opens the deck's
        commitment."""
        pit.table(table)
        person = visit_of(request).person
        # A guest trying a job sees the cards of rehearsal rounds only.
        sees = person is not None and may_work_at(person, table)
        who = pit.onlooker(person if sees else None)
        return await pit.looking_back(lambda: past_round(pit.journal, table, number, who))


def time_of(text: str, name: str) -> datetime | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        is_time = at.tzinfo is not None and bool(at.astimezone(UTC))
    except (ValueError, OverflowError):
        is_time = False
    if not is_time:
        raise BadRequest(
            f"{name}={shown(text)} is not a time: write it with its zone, 2026-11-15T18:00:00Z"
        )
    return at
