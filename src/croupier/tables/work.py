"""The work list of a table: each pending step, who may do it, and the command that does it.

The round's procedure, the care of the decks and everything that waits for a floorperson are in one
list, which the consoles of dealer and floor show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

import msgspec

from croupier.deck_care.commands import (
    ChangeDealing,
    CountStub,
    CutDeck,
    HandleDeck,
    LayOut,
    LoadDeck,
    MarkOutOfOrder,
    ReceiveDeck,
    RemoveDeck,
    ShuffleDeck,
)
from croupier.deck_care.devices import can_machine_shuffle, machine_counts, usable_ways
from croupier.deck_care.next_steps import NextStep, next_steps
from croupier.deck_care.state import Care, Device
from croupier.errors import Refusal
from croupier.rounds.actions import refused_bets
from croupier.rounds.card_entry import is_kept_for_others, missing_down_to, next_to_settle
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    DecideChipCount,
    EnterCards,
    OpenBetting,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.deciding import standing
from croupier.rounds.declaration import Command, Role
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.duties import Step
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import AnswerCall, Confirm, Decline, SignCount, TableCommand
from croupier.tables.house_sentences import proposal_lines
from croupier.tables.state import Table
from croupier.tables.two_people import check_stands_still, waiting_for_floor


class WorkStep(msgspec.Struct, frozen=True):
    """A pending step. `command` does it once the fields in `asks` are filled in. If cards must be
    entered, `place` states where and `cards` how many; `choices` are the possible answers."""

    step: Step
    label: str
    words: str
    clause: str
    by: tuple[Role, ...]
    command: TableCommand
    asks: tuple[str, ...] = ()
    blocks: Literal["round", "settlement", ""] = ""
    seat: int = 0
    back: str = ""
    device: str = ""
    place: str = ""
    cards: int = 0
    choices: tuple[str, ...] = ()
    proposed_by: str = ""
    """The person who proposed it; somebody else must confirm."""


def work(table: Table, rules: Rules, at: int) -> tuple[WorkStep, ...]:
    """Return all pending steps, most urgent first. `at` is in seconds since 1970."""
    house = list(_of_house(table, rules))
    proposals = list(_proposals(table, rules))
    if not table.is_open:
        return (*house, *proposals)
    steps = () if table.care is None else next_steps(table, rules, at)
    care = [_of_deck(step, table.care, rules) for step in steps if table.care is not None]
    if table.face_up_for:
        care = [_face_up(table, rules), *(step for step in care if step.step != "lay_out")]
    stopping = {step.blocks for step in (*house, *care) if step.blocks}
    # A dealer's report may void the round, so the round stops until the floor has decided.
    stands_still = waiting_for_floor(table) is not None
    of_round = [
        step
        for step in (() if stands_still else _of_round(table, rules))
        if _STOPPED_BY.get(type(step.command)) not in stopping
    ]
    if stands_still:
        care = [step for step in care if step.step != "count_stub"]
    urgent = [step for step in care if step.blocks and _is_now(step, table.round)]
    later = [step for step in care if step not in urgent]
    return (*house, *urgent, *of_round, *later, *proposals)


_STOPPED_BY: Final[dict[type[Command], str]] = {
    OpenBetting: "round",
    Deal: "round",
    Settle: "settlement",
}


def _is_now(step: WorkStep, state: Round) -> bool:
    """Return whether a deck step comes before the round's steps: between rounds, before cards are
    dealt, or if it blocks settlement."""
    return step.blocks == "settlement" or state.phase in ("over", "betting", "closed")


# -- the round ------------------------------------------------------------------------------------


def _of_round(table: Table, rules: Rules) -> Iterator[WorkStep]:
    steps = _BY_PHASE[table.round.phase]
    if table.round.claim is not None:
        steps = _claimed
    yield from steps(table, rules)


def _simple(
    step: Step, words: str, command: TableCommand, rules: Rules, **more: object
) -> WorkStep:
    declared = command.declared
    made = WorkStep(
        step,
        declared.label,
        words,
        command.role_clause(rules) or "",
        declared.by,
        command,
    )
    return msgspec.structs.replace(made, **more)


def _over(table: Table, rules: Rules) -> Iterator[WorkStep]:
    if table.seats:
        yield _simple("open_betting", "Open the bets of the next round.", OpenBetting(), rules)


def _betting(table: Table, rules: Rules) -> Iterator[WorkStep]:
    if any(standing(seat, rules) for seat in table.round.seats):
        words = "Announce it: nothing is placed or taken back after."
        yield _simple("close_bets", words, CloseBets(), rules)


def _closed(table: Table, rules: Rules) -> Iterator[WorkStep]:
    if table.round.counted:
        yield _simple("deal", f"Deal: {flow_of(rules).dealing.title}.", Deal(), rules)
        return
    name = flow_of(rules).progressive
    accepted = sum(name in seat.wagers for seat in table.round.seats)
    counted = table.round.differing_chips
    if counted is not None:
        words = f"The dealer counted {counted}, the system accepted {accepted}: find the reason."
        command = DecideChipCount(counted, (), "")
        asks = ("chips", "seats", "reason")
        yield _simple("count_chips", words, command, rules, asks=asks)
        return
    words = f"{accepted} accepted by the system: count the chips on the layout."
    yield _simple("count_chips", words, CountChips(accepted), rules, asks=("chips",))


def _deciding(table: Table, rules: Rules) -> Iterator[WorkStep]:
    state = table.round
    step, seat = flow_of(rules).steps[state.step], state.seat(state.turn)
    assert isinstance(step, Ask)
    assert seat is not None
    decision = step.decision
    weak = refused_bets(state, rules, seat.number)
    choices = tuple([said for said in decision.answers if said not in weak])
    command = Act(seat.number, seat.player, decision.otherwise)
    said = " or ".join(action_title(choice) for choice in choices)
    words = f"Seat {seat.number}, {seat.player}: {said}?"
    may_fold = state.source == "live" and decision.otherwise == "fold"
    if may_fold and is_kept_for_others(state, seat, rules):
        words += " Keep a folded hand: what another player has bet depends on it."
    yield _simple(
        "ask",
        words,
        command,
        rules,
        clause=decision.clause,
        by=("player", "dealer") if state.source == "live" else ("player",),
        asks=("action",),
        seat=seat.number,
        choices=choices,
    )


def action_title(action: str) -> str:
    """Return an answer as the buttons show it: `Bet 4×`, `Take back`."""
    if action.removesuffix("x").isdecimal():
        return f"Bet {action.removesuffix('x')}×"
    return {"ride": "Let it ride"}.get(action, action.capitalize().replace("_", " "))


def _revealing(table: Table, rules: Rules) -> Iterator[WorkStep]:
    state = table.round
    step = flow_of(rules).steps[state.step]
    assert not isinstance(step, Ask)
    reveal = step.reveal
    board = max(0, state.exposed + reveal.community - len(state.community))
    dealer = max(0, state.dealer_up + reveal.dealer - len(state.dealer))
    wanted = board + dealer if state.source == "live" else 0
    yield _simple(
        "reveal",
        f"Turn up: {reveal.name}.",
        RevealCards(),
        rules,
        clause=reveal.clause,
        **_cards("community" if board or not dealer else "dealer", wanted),
    )


def _showdown(table: Table, rules: Rules) -> Iterator[WorkStep]:
    state = table.round
    wanted = rules.book.cards.dealer - len(state.dealer) if state.source == "live" else 0
    words = "Turn your cards up and announce the hand."
    yield _simple("show_dealer", words, ShowDealer(), rules, **_cards("dealer", wanted))


def _settling(table: Table, rules: Rules) -> Iterator[WorkStep]:
    state = table.round
    is_live = state.source == "live"
    hand, down_to = next_to_settle(state, rules) if is_live else (0, 0)
    missing = missing_down_to(state, rules, down_to) if is_live else ()
    for place, seat, count in sorted(missing, key=lambda cards: -cards.seat):
        command = EnterCards(place, (), seat)
        words = f"Enter the cards of {'the ' + place if not seat else f'seat {seat}'}."
        more = _cards(place, count) | {"seat": seat, "clause": rules.book.cards.clause}
        yield _simple("enter_cards", words, command, rules, **more)
    if not missing and is_live:
        words = "Announce the hand, pay and take, then go on to the next seat."
        yield _simple("settle", words, Settle(seat=down_to), rules, seat=hand)
    elif not missing:
        words = "Seat by seat from your right, counterclockwise."
        yield _simple("settle", words, Settle(every=True), rules)


def _claimed(table: Table, rules: Rules) -> Iterator[WorkStep]:
    claim = table.round.claim
    assert claim is not None
    words = f"Seat {claim.seat} claims the progressive: check the hand, the light and the amount."
    command = ValidateProgressive(claim.seat)
    yield _simple("validate", words, command, rules, seat=claim.seat, clause=claim.clause)


def _collecting(_: Table, rules: Rules) -> Iterator[WorkStep]:
    words = "Pick the cards up so that every hand can be laid out again."
    yield _simple("collect", words, Collect(), rules)


def _cards(place: str, count: int) -> dict[str, object]:
    return {"asks": ("cards",), "place": place, "cards": count} if count else {}


_BY_PHASE: Final[dict[str, Callable[[Table, Rules], Iterator[WorkStep]]]] = {
    "over": _over,
    "betting": _betting,
    "closed": _closed,
    "deciding": _deciding,
    "revealing": _revealing,
    "showdown": _showdown,
    "settling": _settling,
    "collecting": _collecting,
}


# -- the house ------------------------------------------------------------------------------------


def _of_house(table: Table, rules: Rules) -> Iterator[WorkStep]:
    """Yield the open calls for the floor, and a count that takes a second signature."""
    count = table.count
    if count is not None and count.waits:
        paper = "float" if count.when == "opening" else "closing count"
        words = f"Count the {paper} again: {count.by} counted first, a second person signs."
        asks: tuple[str, ...] = ("chips",)
        if not count.chips:
            words, asks = f"Read the rules: {count.by} opened the table with rules of its own.", ()
        yield _simple("float", words, SignCount({}), rules, asks=asks, blocks="round")
    for call in table.calls:
        words = f"{call.role.capitalize()} {call.name} calls: {call.reason}"
        answer = AnswerCall(call.number)
        yield _simple("answer_call", words, answer, rules, asks=("decided",))


def _proposals(table: Table, rules: Rules) -> Iterator[WorkStep]:
    """Yield the proposals that wait for a second person."""
    for pending in table.pending:
        words = f"{pending.name} proposes: {proposal_lines(pending.command, rules)}"
        more = {"by": pending.by, "place": str(pending.number), "proposed_by": pending.name}
        confirming = Confirm(pending.number)
        try:
            check_stands_still(table, confirming)
        except Refusal:
            words += ". That round is over: decline it."
            declining = Decline(pending.number, "")
            yield _simple("confirm", words, declining, rules, asks=("reason",), **more)
        else:
            yield _simple("confirm", words, confirming, rules, **more)


# -- decks and devices ----------------------------------------------------------------------------

BACKS: Final = ("red", "blue", "green", "black")
"""Colors suggested for a deck that comes to the table; any color is accepted."""


def _of_deck(step: NextStep, care: Care, rules: Rules) -> WorkStep:
    command, asks = _deck_command(step, care, rules)
    doing = command.doing() if isinstance(command, HandleDeck) else ""
    return WorkStep(
        step.name,
        doing.capitalize() or command.declared.label,
        step.words,
        step.clause,
        step.by,
        command,
        asks,
        step.blocks,
        back=step.back,
        device=step.device,
        choices=_choices(step, care, rules),
    )


def _face_up(table: Table, rules: Rules) -> WorkStep:
    """Return the step to turn the cards face up: a player's request (5.H(1)) comes before other
    steps with the idle cards."""
    words = f"{table.face_up_for} asks that the cards lie face up: turn them."
    return _simple("lay_out", words, LayOut(True, table.face_up_for), rules, blocks="round")


def _choices(step: NextStep, care: Care, rules: Rules) -> tuple[str, ...]:
    if step.name == "change_dealing":
        return tuple(usable_ways(care, rules))
    if step.name == "receive":
        return tuple(back for back in BACKS if care.deck(back) is None)
    return ()


def _deck_command(step: NextStep, care: Care, rules: Rules) -> tuple[TableCommand, tuple[str, ...]]:
    """Return the command of a deck care step, and the fields that a person still fills in: anything
    that is counted or inspected."""
    match step.name:
        case "receive":
            book = rules.book.care
            covers = book.cover_cards if book is not None else 0
            return ReceiveDeck(_choices(step, care, rules)[0], covers), ("back", "prepared")
        case "load":
            return LoadDeck(step.back), ()
        case "shuffle":
            how: Literal["hand", "device"] = (
                "device" if can_machine_shuffle(care, rules) else "hand"
            )
            return ShuffleDeck(how, step.back), ("count",) if machine_counts(care, rules) else ()
        case "cut":
            return CutDeck(back=step.back), ()
        case "remove":
            return RemoveDeck(step.back), ("reason",)
        case "lay_out":
            return LayOut(), ("face_up", "player")
        case "count_stub":
            return CountStub(0), ("count", "misdealt")
        case "mark":
            return MarkOutOfOrder(_device(step.device), "sign"), ("how",)
        case "change_dealing":
            ways = usable_ways(care, rules)
            return ChangeDealing(ways[0] if ways else ""), ("method",)
        case "view":
            return HandleDeck("view", step.back), ("player",)
        case _:
            return HandleDeck(step.name, step.back), ()


def _device(name: str) -> Device:
    return "shuffler" if name == "shuffler" else "shoe"


# -- which step a command is ----------------------------------------------------------------------


def step_of(command: Command) -> Step | None:
    """Return the procedure's step that a command does, if it has one."""
    if isinstance(command, HandleDeck):
        return command.step
    if isinstance(command, Act):
        return "fold" if command.action == "fold" else "ask"
    return _STEP_OF.get(str(type(command).__struct_config__.tag))


_STEP_OF: Final[dict[str, Step]] = {
    "open_betting": "open_betting",
    "place_wagers": "bet",
    "repeat_wagers": "bet",
    "take_back": "bet",
    "close_bets": "close_bets",
    "count_chips": "count_chips",
    "deal": "deal",
    "answer_all": "ask",
    "enter_cards": "enter_cards",
    "reveal": "reveal",
    "show_dealer": "show_dealer",
    "settle": "settle",
    "validate_progressive": "validate",
    "refuse_progressive": "validate",
    "collect": "collect",
    "receive_deck": "receive",
    "load_deck": "load",
    "shuffle_deck": "shuffle",
    "cut_deck": "cut",
    "remove_deck": "remove",
    "lay_out": "lay_out",
    "ask_face_up": "lay_out",
    "count_stub": "count_stub",
    "report_malfunction": "mark",
    "mark_out_of_order": "mark",
    "repair_device": "mark",
    "change_dealing": "change_dealing",
    "order_shuffle": "order_shuffle",
    "order_recut": "order_recut",
    "rule_abandoned": "rule_abandoned",
    "leave_round": "rule_abandoned",
    "report": "report",
    "void_round": "report",
    "correct": "correct",
    "open_table": "open_table",
    "close_table": "close_table",
    "fill": "fill",
    "credit": "fill",
    "empty_drop": "fill",
    "sign_count": "float",
    "answer_call": "answer_call",
    "confirm": "confirm",
    "decline": "confirm",
    "change_limits": "limits",
}
