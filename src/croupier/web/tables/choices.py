"""The actions open to a player at a table now."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from croupier.errors import Refusal
from croupier.money import format_cents
from croupier.rounds.actions import Choice, legal_actions, refused_bets
from croupier.rounds.deciding import standing
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import MoreTime
from croupier.tables.people_and_money import check_more_time
from croupier.tables.state import Table, is_waited_for
from croupier.web.tables.forms import ActionForm


def actions_of(table: Table, rules: Rules, player: str, ready: Collection[int]) -> list[ActionForm]:
    """Return what this player may do now, seat by seat."""
    if not table.is_open:
        return []
    actions = []
    rack = table.rack(player)
    for number in _spots(table, rules, player):
        for choice in legal_actions(table.round, rules, number, player):
            if choice.do != "coupon" or not table.by_people_only:  # there the dealer places it
                actions.append(_action(choice, number, rack))
        held = table.round.seat(number)
        if held is not None and held.player == player:
            actions += _refused(table.round, rules, number)
        if (
            table.round.phase == "betting"
            and held is not None
            and held.player == player
            and number not in ready
            and standing(held, rules)
        ):
            actions.append(ActionForm("ready", number))
    return actions + _about_time(table, rules, player, ready) + _about_decks(table, rules, player)


def _refused(state: Round, rules: Rules, number: int) -> list[ActionForm]:
    """Return the actions that this hand does not allow. For its player only: they reveal something
    about the hand."""
    weak = refused_bets(state, rules, number)
    return [ActionForm("cannot_say", number, action=said, why=why) for said, why in weak.items()]


def _about_decks(table: Table, rules: Rules, player: str) -> list[ActionForm]:
    """Return the actions to view a deck spread for the first player, and to ask for idle cards to
    be turned face up."""
    care, book = table.care, rules.book.care
    if care is None or book is None or table.round.phase != "over":
        return []
    actions = []
    own = next((number for number, name in table.seats.items() if name == player), 0)
    for deck in care.decks if own and not care.idle else ():
        if deck.stage == "spread":
            clause = book.opening["view"].clause
            actions.append(ActionForm("view_deck", own, action=deck.back, clause=clause))
    if care.lies_face_down and not table.face_up_for:
        actions.append(ActionForm("ask_face_up", own, clause=book.idle.clause))
    return actions


def _about_time(
    table: Table, rules: Rules, player: str, ready: Collection[int]
) -> list[ActionForm]:
    """If others are at the table, return the actions to sit a round out and to ask for more
    time."""
    state = table.round
    if state.phase not in ("betting", "deciding") or not is_waited_for(table, player):
        return []
    actions = []
    own = [number for number, name in table.seats.items() if name == player]
    if state.phase == "deciding":
        own = [seat.number for seat in state.seats if seat.player == player]
    seats = own if state.phase == "betting" else [n for n in own if n == state.turn]
    for number in seats:
        if state.phase == "betting" and number not in ready and state.seat(number) is None:
            actions.append(ActionForm("sit_out", number))
        try:
            check_more_time(table, MoreTime(player, number), rules)
        except Refusal:
            continue
        actions.append(ActionForm("more_time", number))
    return actions


def _spots(table: Table, rules: Rules, player: str) -> Sequence[int]:
    own = [number for number, name in table.seats.items() if name == player]
    in_round = [seat.number for seat in table.round.seats if seat.player == player]
    return spots_of(table.round.phase, own, in_round, free_boxes(table, rules))


def spots_of(
    phase: str, own: Sequence[int], in_round: Sequence[int], boxes: Sequence[int]
) -> Sequence[int]:
    """Return a player's own seats and, while bets are open, the free boxes that they may play as
    well."""
    if phase == "over":
        return ()
    if not own:
        return in_round if phase != "betting" else ()
    return sorted({*own, *in_round, *boxes})


def free_boxes(table: Table, rules: Rules) -> list[int]:
    """Return the boxes beside their own seats that players may bet on now."""
    more = rules.options.get("adjacent_boxes")
    if table.round.phase != "betting" or not isinstance(more, int) or more <= 1:
        return []
    taken = {*table.seats, *(seat.number for seat in table.round.seats)}
    return [n for n in range(1, rules.book.positions.most + 1) if n not in taken]


def _action(choice: Choice, seat: int, rack: int) -> ActionForm:
    needed = choice.cents if choice.do == "say" else 0
    if choice.do == "place":
        needed = min(choice.stakes) if choice.stakes else choice.least
    return ActionForm(
        do=choice.do,
        seat=seat,
        wager=choice.wager,
        action=choice.action,
        cost=format_cents(choice.cents) if choice.do == "say" else None,
        least=format_cents(choice.least) if choice.do == "place" else None,
        most=None if choice.most is None else format_cents(choice.most),
        stakes=tuple([format_cents(stake) for stake in choice.stakes]),
        clause=choice.clause,
        affordable=needed <= rack,
    )
