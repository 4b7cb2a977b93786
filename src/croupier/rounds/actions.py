"""Legal actions for buttons, APIs and simulations, by the same rules as `decide`."""

from __future__ import annotations

import msgspec

from croupier.errors import CroupierError
from croupier.rounds.card_entry import missing_cards
from croupier.rounds.coupons import takes_coupons
from croupier.rounds.deciding import can_settle, is_abandonable, standing
from croupier.rounds.legality import check_boxes, check_wager
from croupier.rounds.round_flow import Ask, as_played, flow_of, too_weak
from croupier.rounds.state import Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK


class Choice(msgspec.Struct, frozen=True):
    """A legal action: `place` a wager of `least` to `most` cents (or of one of `stakes`), lay a
    `coupon`, `take_back` a wager, `say` an answer that puts down `cents` (negative: takes them
    back), or `leave`."""

    do: str
    wager: str = ""
    action: str = ""
    cents: int = 0
    least: int = 0
    most: int | None = None
    stakes: tuple[int, ...] = ()
    clause: str = ""


def legal_actions(state: Round, rules: Rules, seat: int, player: str) -> tuple[Choice, ...]:
    """Return every action that the person at this seat may take now."""
    held = state.seat(seat)
    if held is not None and held.player != player:
        return ()
    if state.phase == "betting":
        return (*_placing(state, rules, seat, player), *_taking_back(state, rules, seat))
    if held is None or held.left or state.phase in ("over", "collecting"):
        return ()
    leave = Choice("leave", clause=rules.book.procedure.stays)
    if state.phase == "deciding" and state.turn == seat:
        return (*_answers(state, rules, held), leave)
    return (leave,)


def _placing(state: Round, rules: Rules, seat: int, player: str) -> list[Choice]:
    if not 1 <= seat <= rules.book.positions.most:
        return []
    held = state.seat(seat)
    placed = held.wagers if held is not None else {}
    if held is None:
        mine = [held_seat.number for held_seat in state.seats if held_seat.player == player]
        try:
            check_boxes(player, [*mine, seat], rules)
        except CroupierError:
            return []
    choices = []
    for name, wager in rules.book.wagers.items():
        if wager.role == "decided":
            continue
        least, most = rules.limits.get(name, (None, None))
        stakes = rules.stakes.get(name, ())
        example = stakes[0] if stakes else least or most or 1
        try:
            check_wager(name, example, placed, rules)
        except CroupierError:
            continue
        choices.append(
            Choice("place", name, least=least or 1, most=most, stakes=stakes, clause=wager.clause)
        )
    return choices


def _taking_back(state: Round, rules: Rules, seat: int) -> list[Choice]:
    held = state.seat(seat)
    if held is None:
        return []
    needed = {name for placed in held.wagers for name in rules.book.wagers[placed].needs}
    choices = [Choice("take_back", name) for name in held.wagers if name not in needed]
    chips = held.wagers.get(flow_of(rules).coupon_on, 0)
    if chips and takes_coupons(rules):
        clause = rules.book.procedure.coupon_clause
        least = 0 if held.coupon else 1
        choices.append(Choice("coupon", least=least, most=chips, clause=clause))
    return [*choices, Choice("take_back"), Choice("leave")]


def _answers(state: Round, rules: Rules, held: SeatInRound) -> list[Choice]:
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask)
    decision = step.decision
    weak = too_weak(decision, *as_played(state, held), rules) if decision.only_with else {}
    choices = [
        Choice(
            "say",
            decision.wager,
            action,
            cents=held.wagers[decision.multiple_of] * multiple,
            clause=decision.clause,
        )
        for action, multiple in decision.bets.items()
        if action not in weak
    ]
    back = decision.takes_back
    if back:
        cents = -(held.wagers | held.decided)[back]
        choices.append(Choice("say", back, TAKE_BACK, cents=cents, clause=decision.clause))
    return [*choices, Choice("say", action=decision.otherwise, clause=decision.clause)]


def refused_bets(state: Round, rules: Rules, seat: int) -> dict[str, str]:
    """Return the bets that the seat's hand does not allow at the current question, each with the
    reason."""
    if state.phase != "deciding" or state.turn != seat:
        return {}
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask)
    held = state.seat(seat) if step.decision.only_with else None
    if held is None:
        return {}
    return dict(too_weak(step.decision, *as_played(state, held), rules))


_DEALER_DOES = {
    "over": "open_betting",
    "revealing": "reveal",
    "showdown": "show_dealer",
    "collecting": "collect",
}


def dealer_actions(state: Round, rules: Rules) -> tuple[str, ...]:
    """Return the tags of the commands that a dealer may give now: at most one, except after an
    accident.

    A live dealer enters missing cards before settling. If the hands are void and no board is
    needed, settling comes first, and the board may still be turned up.
    """
    if state.phase == "betting":
        return ("close_bets",) if any(standing(seat, rules) for seat in state.seats) else ()
    if state.phase == "closed":
        if state.differing_chips is not None:
            return ()
        return ("deal",) if state.counted else ("count_chips",)
    if can_settle(state, rules):
        if state.claim is not None:
            return ()
        settle = "enter_cards" if missing_cards(state, rules) else "settle"
        return (settle,) if state.phase == "settling" else (settle, "reveal")
    return (_DEALER_DOES[state.phase],) if state.phase in _DEALER_DOES else ()


def floor_actions(state: Round, rules: Rules) -> tuple[str, ...]:
    """Return the tags of the commands that wait for a floorperson or are open to one."""
    actions: list[str] = []
    if state.claim is not None:
        actions += ["validate_progressive", "refuse_progressive"]
    if state.differing_chips is not None:
        actions += ["decide_chip_count", "recount_chips"]
    has_rule = bool(rules.book.procedure.abandoned)
    if has_rule and state.phase != "over" and any(map(is_abandonable, state.seats)):
        actions.append("rule_abandoned")
    if state.phase != "over" and not any(seat.settled for seat in state.seats):
        actions.append("void_round")
    return tuple(actions)
