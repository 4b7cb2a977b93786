"""Software in the roles that nobody has taken at a rehearsal table, so that one person can work
there alone: players who bet and answer, a dealer, a floorperson. Software gives the same commands
as people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from msgspec.structs import replace

from croupier.cards import Card
from croupier.deck_care.commands import HandleDeck
from croupier.deck_care.next_steps import stub_expected
from croupier.rounds.card_entry import known_cards
from croupier.rounds.commands import Act, CloseBets, PlaceWagers
from croupier.rounds.deciding import standing
from croupier.rounds.declaration import BOT, SOFTWARE, Actor, Role
from croupier.rounds.legality import smallest_wagers
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.decks import cards_of, deck_size
from croupier.rulebooks.rules import Rules, progressive_wager
from croupier.tables.commands import BuyIn, TableCommand, TakeSeat
from croupier.tables.state import Table
from croupier.tables.work import WorkStep, work

Step = tuple[Actor, TableCommand]
Draw = Callable[[Sequence[Card], int], Sequence[Card]]

SOFTWARE_PLAYERS: Final = {seat: f"{BOT}{seat}" for seat in (1, 3, 4)}
"""The names of software players by seat."""
_BUY_IN: Final = 100_000
_STAFF: Final[tuple[Role, ...]] = ("dealer", "floorperson", "operator")


def software_step(
    table: Table, rules: Rules, taken: Collection[str], at: int, draw: Draw
) -> Step | None:
    """Return what software does next, or None if a person must act. `taken` lists the roles of the
    people who work at the table; `draw` picks live cards for a software dealer."""
    if not table.is_open:
        return None
    steps = work(table, rules, at)
    player_step = _player_step(table, rules, steps)
    if player_step is not None:
        return player_step
    for step in steps:
        role = _free_role(step, taken)
        waits = isinstance(step.command, CloseBets) and not _all_have_bet(table, rules)
        if role is None or waits:
            continue
        # Each role has its own name, because the person who inspects a deck may not verify it.
        return Actor(role, f"{SOFTWARE}-{role}"), _filled_in(step, table, rules, draw)
    return None


# -- players --------------------------------------------------------------------------------------


def _player_step(table: Table, rules: Rules, steps: Sequence[WorkStep]) -> Step | None:
    state = table.round
    if state.phase in ("over", "betting"):
        for number, name in SOFTWARE_PLAYERS.items():
            wanted = _before_the_deal(table, rules, number, name)
            if wanted is not None:
                return Actor("player", name), wanted
    seated = [name for name in table.seats.values() if name in SOFTWARE_PLAYERS.values()]
    for step in steps:
        if step.step == "view" and seated:
            command = HandleDeck("view", step.back, seated[0])
            return Actor("player", seated[0]), command
    seat = state.seat(state.turn) if state.phase == "deciding" else None
    if seat is None or seat.player not in SOFTWARE_PLAYERS.values():
        return None
    answer = Act(seat.number, seat.player, _answer(table, rules, seat.number))
    return Actor("player", seat.player), answer


def _before_the_deal(table: Table, rules: Rules, number: int, name: str) -> TableCommand | None:
    if table.seats.get(number) != name:
        is_free = number not in table.seats and table.round.seat(number) is None
        can_sit = number <= rules.book.positions.most and not table.is_seated(name)
        return TakeSeat(name, number) if is_free and can_sit else None
    if table.round.phase != "betting" or table.round.seat(number) is not None:
        return None
    if table.rack(name) < _BUY_IN // 2:
        return BuyIn(name, _BUY_IN)
    # The first software player also bets the progressive, so that its chips must be counted.
    progressive = progressive_wager(rules.book) if number == 1 else None
    return PlaceWagers(number, name, smallest_wagers(rules, names=(progressive or "none",)))


def _answer(table: Table, rules: Rules, seat: int) -> str:
    """Return an answer chosen without the cards, which lie face down until the end: decline while
    that does not fold, then take the smallest bet, and fold in every fourth round."""
    step = flow_of(rules).steps[table.round.step]
    assert isinstance(step, Ask)
    decision = step.decision
    folds = (table.round.number + seat) % 4 == 0
    if decision.otherwise != "fold" or folds:
        return decision.otherwise
    free = {name: k for name, k in decision.bets.items() if name not in decision.only_with}
    return min(free or decision.bets, key=lambda name: decision.bets[name])


# -- staff ----------------------------------------------------------------------------------------


def _free_role(step: WorkStep, taken: Collection[str]) -> Role | None:
    """Return the role that software takes for a step: the step's first role, unless a person has
    taken it."""
    role = step.by[0]
    return role if role in _STAFF and role not in taken else None


def _all_have_bet(table: Table, rules: Rules) -> bool:
    betting = {seat.player for seat in table.round.seats if standing(seat, rules)}
    return betting >= set(table.seats.values())


def _filled_in(step: WorkStep, table: Table, rules: Rules, draw: Draw) -> TableCommand:
    """Return the step's command with the fields that a person would have looked up or counted."""
    fields: dict[str, Any] = {}
    for name in step.asks:
        match name:
            case "cards":
                left = Counter(cards_of(rules.book.deck))
                left.subtract(known_cards(table.round))
                fields["cards"] = tuple(draw(list(left.elements()), step.cards))
            case "count" if step.step == "count_stub":
                fields["count"] = stub_expected(table.round, rules) or 0
            case "count":
                fields["count"] = deck_size(rules.book)
            case "depth":
                fields["depth"] = deck_size(rules.book) // 2
            case "reason":
                fields["reason"] = "it has served its time"
    return replace(step.command, **fields) if fields else step.command
