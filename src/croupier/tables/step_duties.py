"""Duties that the screens show, and duties that a person confirms with a command.

A duty is on record only if a screen showed it to that person, at its moment, before the command.
The page sends with a command the duties it showed, and the entry keeps their clauses; `confirmed`
returns those that the command fulfills, using the same functions that fill the screens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from croupier.deck_care.commands import CountStub, MarkOutOfOrder, ReceiveDeck, ShuffleDeck
from croupier.deck_care.events import CountDiffers
from croupier.deck_care.next_steps import stub_expected
from croupier.rounds.actions import floor_actions
from croupier.rounds.card_entry import cards_to_enter
from croupier.rounds.commands import Act, PlaceWagers, Report
from croupier.rounds.declaration import FLOOR, Actor, is_person, tag_of
from croupier.rounds.events import ChipCountDiffers
from croupier.rounds.irregularities import possible_irregularities
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round, live_stakes
from croupier.rulebooks.duties import Duty, Step, duties_of, duties_when_opening
from croupier.rulebooks.rules import Rules, submission_of
from croupier.tables.commands import CallFloor, Confirm, OpenTable, TableCommand
from croupier.tables.events import Proposed
from croupier.tables.state import Table
from croupier.tables.two_people import read_command
from croupier.tables.work import WorkStep, step_of, work

_STEPS: Final[dict[str, Step]] = {
    "over": "open_betting",
    "betting": "close_bets",
    "showdown": "show_dealer",
    "settling": "settle",
    "collecting": "collect",
}
_HANDLE_CARDS: Final = frozenset({"open_betting", "deal", "fold", "reveal", "collect"})
"""Steps whose duties concern physical cards: virtual cards have none."""


class Moment(NamedTuple):
    """A step of a round; `at` names the question, the reveal or the award if there are several."""

    step: Step
    at: str = ""


def moments_now(state: Round, rules: Rules) -> tuple[Moment, ...]:
    """Return the step that the round waits for, then what goes on meanwhile: players bet, folded
    hands are handled, a validated award is paid."""
    if state.claim is not None:
        return (Moment("validate"),)
    if state.phase == "closed":
        return (Moment("deal" if state.counted else "count_chips"),)
    if state.phase in ("deciding", "revealing"):
        waits = _in_flow(state, rules)
    else:
        waits = Moment(_STEPS[state.phase])
    return (waits, *_moments_beside(state, rules))


def _moments_beside(state: Round, rules: Rules) -> Iterator[Moment]:
    if state.phase == "betting":
        yield Moment("bet")
    is_folding = state.phase in ("deciding", "revealing", "showdown", "settling")
    if is_folding and any(seat.folded for seat in state.seats):
        yield Moment("fold")
    if state.phase not in ("settling", "collecting"):
        return
    # Seats are settled from the last to the first; an award is paid before the next seat.
    last = next((seat for seat in state.seats if seat.settled), None)
    progressive = flow_of(rules).progressive
    if last is not None and any((x.wager, x.result) == (progressive, "win") for x in last.lines):
        yield Moment("award", "progressive")
    if any(line.wager == "envy" for seat in state.seats for line in seat.lines):
        yield Moment("award", "envy")


def duties_at(moment: Moment, state: Round, rules: Rules) -> tuple[Duty, ...]:
    """Return all duties at a moment that apply in this round."""
    if state.source == "virtual" and moment.step in _HANDLE_CARDS:
        return ()
    duties = duties_of(rules, step=moment.step, at=moment.at)
    return tuple(duty for duty in duties if _has_occasion_in_round(duty, state, rules))


def _has_occasion_in_round(duty: Duty, state: Round, rules: Rules) -> bool:
    """Return whether a duty applies in this round: somebody has its wager (without one, a wager of
    the main game), and the wager is not void. For folded hands, somebody folded with that wager, or
    (`unless`) without any wager that keeps the cards on the table: their own, or another player's
    wager that still depends on the hand (MD-31)."""
    if duty.step not in ("fold", "settle", "count_chips", "report"):
        return True
    seats = [seat for seat in state.seats if not seat.settled]
    if duty.step == "fold":
        seats = [seat for seat in seats if seat.folded]
    if duty.unless:
        kept = {hand.seat for hand in cards_to_enter(state, rules)}
        racked = (seat for seat in seats if seat.number not in kept)
        return any(not set(duty.unless) & live_stakes(state, seat).keys() for seat in racked)
    if not duty.wager and duty.step not in ("fold", "settle"):
        return True
    wagers = {duty.wager} if duty.wager else set(rules.required)
    return any(wagers & live_stakes(state, seat).keys() for seat in seats)


def _in_flow(state: Round, rules: Rules) -> Moment:
    step = flow_of(rules).steps[state.step]
    if isinstance(step, Ask):
        return Moment("ask", step.decision.name)
    return Moment("reveal", step.reveal.name)


FLOOR_DIALOGS: Final[tuple[Step, ...]] = (
    "order_shuffle",
    "order_recut",
    "rule_abandoned",
    "correct",
)
"""Steps that a floorperson may start unprompted; their duties are shown in the command's dialog."""

_DO_NOTHING: Final = frozenset(
    {"report_malfunction", "repair_device", "leave_round", "void_round", "take_back", "decline"}
)
"""Commands that belong to a step without doing what it requires."""


# -- what the screens show ------------------------------------------------------------------------


def shown(step: WorkStep, table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """Return the duties that a screen of this role shows with a waiting step: their own, those that
    they confirm as the second person, and those of the people who may do the step. A step of the
    round also shows what goes on meanwhile: bets, folded hands, awards."""
    if isinstance(step.command, Confirm):
        return _proposed(_meant(step.command, table), table, rules, role)
    roles = {role, *step.by}
    duties = [
        duty
        for duty in duties_at(_moment(step, table, rules), table.round, rules)
        if duty.role in roles or duty.second == role
    ]
    waits, *beside = moments_now(table.round, rules)
    if step.step == waits.step:
        duties += _beside(beside, table, rules, role)
    return tuple(duty for duty in duties if _has_occasion(duty, step))


def shown_while_betting(table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """Return the duties that a screen of this role shows while bets are open, before anybody has
    bet and a step waits."""
    if table.round.phase != "betting":
        return ()
    waits, *beside = moments_now(table.round, rules)
    own = duties_at(waits, table.round, rules)
    mine = [duty for duty in own if role in (duty.role, duty.second)]
    return (*mine, *_beside(beside, table, rules, role))


def shown_now(table: Table, rules: Rules, role: str, at: int) -> tuple[Duty, ...]:
    """Return all duties that a screen of this role shows unprompted."""
    if role == "player":
        return players_part(table, rules)
    steps = work(table, rules, at)
    duties = [duty for step in steps for duty in shown(step, table, rules, role)]
    duties += shown_while_betting(table, rules, role)
    return tuple(dict.fromkeys(duties))


def shown_with_report(tag: str, table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """Return the duties in the report of an irregularity that can have happened now."""
    if role not in Report.declared.by:
        return ()
    return tuple(d for d in duties_at(Moment("report"), table.round, rules) if tag in d.kind)


def shown_on_floor(step: Step, table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """Return the duties in the dialog of a command that the floor's screen offers."""
    is_offered = step != "rule_abandoned" or step in floor_actions(table.round, rules)
    if role not in FLOOR or not is_offered:
        return ()
    return tuple(d for d in duties_of(rules, step=step) if d.role in FLOOR)


def players_part(table: Table, rules: Rules) -> tuple[Duty, ...]:
    """Return the duties that every player at the table has on their screen now."""
    state = table.round
    steps: list[Moment]
    if state.phase == "deciding":
        steps = [moments_now(state, rules)[0]]
    elif state.phase == "betting":
        steps = [Moment("bet"), Moment("close_bets")]
    elif state.phase == "over":
        steps = [Moment(step) for step in _about_decks(table)]
    else:
        steps = [Moment("close_bets")]
    return tuple(
        duty
        for moment in steps
        for duty in duties_of(rules, role="player", step=moment.step, at=moment.at)
    )


def _proposed(command: TableCommand, table: Table, rules: Rules, role: str) -> tuple[Duty, ...]:
    """Return the duties that a second person sees with the command they are to confirm."""
    step = step_of(command)
    if isinstance(command, Report):
        return shown_with_report(command.kind, table, rules, role)
    if isinstance(command, CountStub):
        return duties_at(Moment("count_stub"), table.round, rules)
    return shown_on_floor(step, table, rules, role) if step in FLOOR_DIALOGS else ()


def _meant(command: TableCommand, table: Table) -> TableCommand:
    """Return the command itself, or the proposed command that it confirms."""
    if isinstance(command, Confirm):
        for pending in table.pending:
            if pending.number == command.number:
                return read_command(pending.command)
    return command


def _about_decks(table: Table) -> Iterator[Step]:
    if table.care is None:
        return
    if any(deck.stage == "spread" for deck in table.care.decks):
        yield "view"
    if table.care.lies_face_down:
        yield "lay_out"


def _moment(step: WorkStep, table: Table, rules: Rules) -> Moment:
    if step.step == "shuffle" and table.care is not None:
        deck = table.care.deck(step.back)
        return Moment("shuffle", "used" if deck is not None and deck.stage == "used" else "new")
    waits = moments_now(table.round, rules)[0]
    return waits if waits.step == step.step else Moment(step.step)


def _beside(moments: list[Moment], table: Table, rules: Rules, role: str) -> list[Duty]:
    """Return the duties of what goes on beside a step. A dealer also sees the players' duties while
    they bet."""
    roles = (role, "player") if role == "dealer" else (role,)
    return [
        duty
        for moment in moments
        for duty in duties_at(moment, table.round, rules)
        if duty.role in roles
    ]


def _has_occasion(duty: Duty, step: WorkStep) -> bool:
    """Return whether the duty applies to this step: for removing a deck, the same clause; for a
    shuffler's duties, a working shuffler."""
    if duty.step == "remove":
        return duty.clause == step.clause
    return _is_by_device(duty, step.command)


def _is_by_device(duty: Duty, command: TableCommand) -> bool:
    is_by_hand = isinstance(command, ShuffleDeck) and command.how == "hand"
    return not (is_by_hand and {"shuffler", "counting_shuffler"} & set(duty.needs))


# -- what is on record ----------------------------------------------------------------------------


class OnRecord(NamedTuple):
    """Duties on record with a command. `confirmed`: by the person who gave the command. `shown`: on
    that person's screen, for somebody else to do."""

    confirmed: tuple[Duty, ...] = ()
    shown: tuple[Duty, ...] = ()


_NOT_YET: Final = (Proposed, CountDiffers, ChipCountDiffers)
"""Events after which the step is not done: a second person must confirm it, or it is counted
again."""


def confirmed(
    command: TableCommand,
    actor: Actor,
    table: Table,
    rules: Rules,
    at: int = 0,
    events: Iterable[object] = (),
    *,
    on_screen: Collection[str] | None = None,
) -> tuple[Duty, ...]:
    """Return the duties that the actor has done with this command. `table` is the state before it,
    `at` the time in seconds since 1970, `events` its results. `on_screen` holds the clauses that
    the actor was shown; without it, everything that a screen shows counts. Software does no
    duties."""
    if not is_person(actor.name) or any(isinstance(event, _NOT_YET) for event in events):
        return ()
    duties = _on_screen(command, actor.role, table, rules, at)
    mine = [duty for duty in duties if actor.role in (duty.role, duty.second)]
    if not mine and actor.role != "player":
        # Staff may act for each other, but never for a player or for the commission.
        by = set(command.declared.by) - {"player"}
        mine = [duty for duty in duties if duty.role in by]
    meant = _meant(command, table)
    done = (duty for duty in mine if _is_done(duty, meant, table, rules))
    return tuple(duty for duty in done if on_screen is None or duty.clause in on_screen)


def on_record(
    command: TableCommand,
    actor: Actor,
    table: Table,
    rules: Rules,
    at: int = 0,
    events: Iterable[object] = (),
    *,
    on_screen: Collection[str] | None = None,
) -> OnRecord:
    """Return the duties on record with a command: those done by the person who gave it, and those
    of others that were on the same screen."""
    done = confirmed(command, actor, table, rules, at, events, on_screen=on_screen)
    meant = _meant(command, table)
    duties = dict.fromkeys(
        duty
        for role in _watching(table, actor)
        for duty in _on_screen(command, role, table, rules, at)
        if duty not in done and duty.role == role and _is_done(duty, meant, table, rules)
    )
    seen = (duty for duty in duties if on_screen is None or duty.clause in on_screen)
    return OnRecord(done, tuple(seen))


def _watching(table: Table, actor: Actor) -> Iterator[str]:
    """Yield the roles that have a person at a screen."""
    if any(is_person(name) for name in table.seats.values()):
        yield "player"
    for role in ("dealer", "floorperson"):
        assigned = table.staff.get(role, actor.name if role == actor.role else "")
        if is_person(assigned) and (assigned or table.source == "live"):
            yield role


def _on_screen(
    command: TableCommand, role: str, table: Table, rules: Rules, at: int
) -> tuple[Duty, ...]:
    """Return the duties that a screen of this role showed with the command's step before it was
    given."""
    if isinstance(command, OpenTable):
        return tuple(_opened_with(command, rules))
    if isinstance(command, Confirm):
        return _proposed(_meant(command, table), table, rules, role)
    step = _step_done(command, table)
    if step is None:
        return ()
    if role == "player":
        return tuple(duty for duty in players_part(table, rules) if duty.step == step)
    if isinstance(command, Report):
        is_possible = command.kind in possible_irregularities(table.round, rules)
        return shown_with_report(command.kind, table, rules, role) if is_possible else ()
    if step in FLOOR_DIALOGS:
        return shown_on_floor(step, table, rules, role)
    if step == "bet":
        return tuple(duty for duty in shown_while_betting(table, rules, role) if duty.step == step)
    back = str(getattr(command, "back", "")).casefold()
    for waiting in work(table, rules, at):
        if waiting.step == step and (not back or waiting.back.casefold() in ("", back)):
            return shown(waiting, table, rules, role)
    return ()


def _step_done(command: TableCommand, table: Table) -> Step | None:
    """Return the step whose duties a command confirms. A fold is an answer: its duties for the
    dealer are done when the dealer goes on. A dealer who calls the floor to an award has inspected
    it."""
    if tag_of(command) in _DO_NOTHING:
        return None
    if isinstance(command, CallFloor):
        return "validate" if table.round.claim is not None else None
    step = step_of(command)
    return "ask" if step == "fold" else step


def _opened_with(opening: OpenTable, rules: Rules) -> Iterator[Duty]:
    """Yield the duties of an opening; of the approvals, only those that the submission names."""
    named = submission_of(opening.submission).approvals
    approved = {approval.clause for approval in rules.book.approvals if approval.name in named}
    for duty in duties_when_opening(rules):
        if duty.step != "approvals" or duty.clause in approved:
            yield duty


def _is_done(duty: Duty, command: TableCommand, table: Table, rules: Rules) -> bool:
    """Return whether the command fulfills the duty."""
    if duty.step == "fold":
        closing = "show_dealer" if rules.book.dealer is not None else "settle"
        return step_of(command) == closing
    if duty.step == "bet" and step_of(command) != "bet":
        return False
    care = rules.book.care
    match command:
        case PlaceWagers(wagers=wagers):
            return not duty.wager or duty.wager in wagers
        case Act(action=action) if duty.kind:
            return (action if action in ("check", "fold") else "bet") in duty.kind
        case ShuffleDeck():
            return _is_by_device(duty, command)
        case CountStub():
            return not duty.kind or _found_by(command, table, rules) in duty.kind
        case ReceiveDeck(prepared=prepared) if care is not None:
            return prepared or duty.clause != care.prepared_clause
        case MarkOutOfOrder(how=how) if care is not None:
            other_mark = care.sign_clause if how == "covered" else care.covered_clause
            return duty.clause != other_mark
    return True


def _found_by(count: CountStub, table: Table, rules: Rules) -> str:
    if count.count == stub_expected(table.round, rules):
        return ""
    return "stub_misdealt" if count.misdealt else "stub_wrong"
