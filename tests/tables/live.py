"""What a live dealer does next: the same steps, with cards that nobody has seen yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.cards import Card
from croupier.rounds import commands as r
from croupier.rounds.card_entry import is_mucked, known_cards
from croupier.rounds.irregularities import possible_irregularities
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round, live_stakes
from croupier.rulebooks.rules import Rules


def unseen(state: Round, deck: Sequence[Card], count: int) -> tuple[Card, ...]:
    known = set(known_cards(state))
    return tuple([card for card in deck if card not in known][:count])


def live_command(tag: str, state: Round, rules: Rules, deck: Sequence[Card]) -> Any:
    """The dealer's command of that tag, where it names cards."""
    counts = rules.book.cards
    match tag:
        case "open_betting":
            return r.OpenBetting(state.number + 1, "live")
        case "reveal":
            step = flow_of(rules).steps[state.step]
            assert not isinstance(step, Ask)
            missing = max(0, state.exposed + step.reveal.community - len(state.community))
            return r.RevealCards(unseen(state, deck, missing))
        case "show_dealer":
            return r.ShowDealer(() if state.dealer else unseen(state, deck, counts.dealer))
        case "enter_cards":
            return missing_entry(state, rules, deck)
    return None


def missing_entry(state: Round, rules: Rules, deck: Sequence[Card]) -> r.EnterCards:
    """The first cards that are still to be entered before the settlement."""
    counts = rules.book.cards
    for seat in state.seats:
        if not seat.cards and live_stakes(state, seat) and not is_mucked(state, seat, rules):
            return r.EnterCards("player", unseen(state, deck, counts.player), seat.number)
    left = counts.community - len(state.community)
    if left:
        return r.EnterCards("community", unseen(state, deck, left))
    if counts.dealer and not state.dealer and not state.void:
        return r.EnterCards("dealer", unseen(state, deck, counts.dealer))
    return r.EnterCards("box", unseen(state, deck, counts.box))


def accident(state: Round, rules: Rules, deck: Sequence[Card], choice: int, by: str) -> Any:
    """One of the accidents that can have happened now, completely reported; or nothing."""
    possible = sorted(possible_irregularities(state, rules).items())
    if not possible:
        return None
    kind, terms = possible[choice % len(possible)]
    many = 1 if "card" in terms.asks else 2 if "cards" in terms.asks else 0
    number = 0
    if "seat" in terms.asks:
        free = [seat.number for seat in state.seats if not (seat.void or seat.left or seat.actions)]
        free = free or [seat.number for seat in state.seats if not seat.void]
        number = free[choice % len(free)] if free else 0
    return r.Report(kind, unseen(state, tuple(reversed(deck)), many), number)
