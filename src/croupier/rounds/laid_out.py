"""A finished round laid out again hand by hand, for whoever decides a dispute (11.K, 9(i))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.cards import Card
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, plans_of
from croupier.rounds.payment import completed
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules

__all__ = ["LaidHand", "laid_out"]


class LaidHand(msgspec.Struct, frozen=True):
    """What lay at a place: `seat 3`, `dealer`, `board` or `bonus box`. `note` says why cards are
    missing: they were not entered at a live table, or not dealt."""

    place: str
    cards: tuple[str, ...]
    seat: int = 0
    player: str = ""
    hand: str = ""
    """The hand as a dealer announces it, where all its cards are known."""
    folded: bool = False
    void: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """`Ah Kd, a pair of kings, folded`."""
        ending = "folded" if self.folded else "void" if self.void else ""
        parts = (" ".join(self.cards), self.note, self.hand, ending)
        return ", ".join([part for part in parts if part])


def laid_out(state: Round, rules: Rules) -> tuple[LaidHand, ...]:
    """Every hand of a round that is over, folded ones too. Nothing while cards are in play."""
    if state.phase != "over" or not state.drawn:
        return ()
    return (*_of_players(state, rules), *_of_table(state, rules))


def _of_players(state: Round, rules: Rules) -> Iterator[LaidHand]:
    plans, played, size = plans_of(rules), completed(state, rules), rules.book.cards.player
    shared = hands_of_table(plans, played)
    is_board_known = len(state.community) == rules.book.cards.community
    for seat, mine in zip(state.seats, played.seats, strict=True):
        words = ""
        if is_board_known and len(seat.cards) == size:
            words = hands_of_seat(plans, shared, mine).words(rules.book.announces)
        yield LaidHand(
            f"seat {seat.number}",
            _names(seat.cards),
            seat.number,
            seat.player,
            words,
            seat.folded,
            bool(seat.void) or state.void,
            _missing(state, seat.cards, size),
        )


def _of_table(state: Round, rules: Rules) -> Iterator[LaidHand]:
    counts, dealer = rules.book.cards, rules.book.dealer
    if dealer is not None:
        words = ""
        if len(state.dealer) == counts.dealer and len(state.community) == counts.community:
            words = hands_of_table(plans_of(rules), completed(state, rules)).words(dealer.hand)
        note = _missing(state, state.dealer, counts.dealer)
        yield LaidHand("dealer", _names(state.dealer), hand=words, note=note)
    if counts.community:
        note = _missing(state, state.community, counts.community)
        yield LaidHand("board", _names(state.community), note=note)
    if state.box:
        yield LaidHand("bonus box", _names(state.box))


def _missing(state: Round, cards: tuple[Card, ...], count: int) -> str:
    left = count - len(cards)
    if left <= 0:
        return ""
    why = "not entered" if state.source == "live" else "not dealt"
    return f"{left} {why}" if cards else why


def _names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple([str(card) for card in cards])
