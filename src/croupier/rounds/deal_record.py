"""Finished rounds: the record that lets anyone check the deck, and every hand laid out for a
dispute.

The record holds the sealed deck, the players' randomness, the order of the deal and the place of
every card. docs/shuffle.md has the few lines of Python that check it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from croupier.cards import Card, parse_cards
from croupier.errors import BadData, plain
from croupier.randomness.mixing import Contribution, is_value_of, mixed_order
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.dealing import whole_order
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, plans_of
from croupier.rounds.round_flow import completed
from croupier.rounds.state import AddedRandomness, Round
from croupier.rulebooks.rules import Rules


class DealStep(msgspec.Struct, frozen=True):
    """One step of the deal: the next `count` cards of the deck go to the place `to` (`seat 3`,
    `dealer`, `community`, `box`, `burn` or `discard`)."""

    to: str
    """The place."""
    count: int
    """How many cards go there."""


class DealRecord(msgspec.Struct, frozen=True):
    """The deck of a finished round, with everything needed to check it."""

    seal: str
    """The hash of salt and order, published before the bets."""
    salt: str
    """The salt, in hexadecimal."""
    order: tuple[str, ...]
    """The order of the whole deck."""
    added: tuple[AddedRandomness, ...]
    """The randomness that players added, in the order committed."""
    dealing: tuple[DealStep, ...]
    """The order in which the cards left the deck."""
    cards: dict[str, tuple[str, ...]]
    """The cards on record at each place."""


def deal_record(state: Round, rules: Rules) -> DealRecord | None:
    """Return the record of a finished round, or None if the round is in play or the cards were
    shuffled by hand."""
    if state.source == "live" or state.phase != "over":
        return None
    return DealRecord(
        state.commitment,
        state.salt,
        _names(state.deck),
        state.added,
        tuple(_dealt(state, rules)),
        {place: _names(cards) for place, cards in _places(state) if cards},
    )


class _RoundOfDeal(msgspec.Struct, frozen=True):
    deal: DealRecord | None


def read_deal(text: bytes) -> DealRecord | None:
    """Return the deal record in the JSON of a round."""
    try:
        return msgspec.json.decode(text, type=_RoundOfDeal).deal
    except msgspec.MsgspecError as error:
        raise BadData(f"this is not a round's JSON: {plain(error, 200)}") from None


class DealCheck(NamedTuple):
    """One check of a deal record, and whether it holds."""

    holds: bool
    words: str


def check_deal(record: DealRecord) -> tuple[DealCheck, ...]:
    """Check the seal, the players' randomness, the deck and every dealt card from the record
    alone."""
    order = parse_cards(" ".join(record.order))
    opens = matches_seal(record.seal, record.salt, order)
    checks = [DealCheck(opens, "Salt and order open the seal: the house did not change them.")]
    checks += [_check_value(share) for share in record.added]
    deck = order
    if record.added:
        added = [Contribution(share.seat, share.commitment, share.value) for share in record.added]
        deck = mixed_order(record.seal, record.salt, order, added)
    top, dealt = 0, dict[str, tuple[str, ...]]()
    for step in record.dealing:
        cards = _names(deck[top : top + step.count])
        dealt[step.to] = dealt.get(step.to, ()) + cards
        top += step.count
    from_it = "mixed with it" if record.added else "in that order"
    words = f"All {top} cards dealt came from the deck {from_it}, each to its place."
    return (*checks, DealCheck(dealt == record.cards, words))


def _check_value(share: AddedRandomness) -> DealCheck:
    if not share.value:
        who = f"{share.player} (seat {share.seat})"
        words = f"{who} did not reveal in time: only the commitment counts."
        return DealCheck(True, words)
    words = f"The randomness of {share.player} (seat {share.seat}) is what was committed to."
    return DealCheck(is_value_of(share.commitment, share.value), words)


def _dealt(state: Round, rules: Rules) -> Iterator[DealStep]:
    """Yield the steps that were dealt: a round can end before its last reveal."""
    left = state.drawn
    if not left:
        return
    for _, delivery in whole_order(rules, [seat.number for seat in state.seats]):
        if not left:
            return
        to = f"seat {delivery.seat}" if delivery.seat else delivery.place
        yield DealStep(to, delivery.count)
        left -= delivery.count


def _places(state: Round) -> Iterator[tuple[str, tuple[Card, ...]]]:
    for seat in state.seats:
        yield f"seat {seat.number}", seat.cards
    yield "dealer", state.dealer
    yield "community", state.community
    yield "box", state.box
    yield "burn", state.burned
    yield "discard", state.discarded


def _names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple([str(card) for card in cards])


class LaidHand(msgspec.Struct, frozen=True):
    """A hand of a finished round as it lay on the table."""

    place: str
    """The hand's place: `seat 3`, `dealer`, `board` or `bonus box`."""
    cards: tuple[str, ...]
    """The cards."""
    seat: int = 0
    """The number of the seat; 0 if it is not a player's hand."""
    player: str = ""
    """The name of the player."""
    hand: str = ""
    """The hand as a dealer announces it, if all its cards are known."""
    folded: bool = False
    """Whether the hand was folded."""
    void: bool = False
    """Whether the hand was void."""
    note: str = ""
    """Why cards are missing: not entered at a live table, or not dealt."""

    @property
    def words(self) -> str:
        """The hand in words, as in `Ah Kd, a pair of kings, folded`."""
        ending = "folded" if self.folded else "void" if self.void else ""
        parts = (" ".join(self.cards), self.note, self.hand, ending)
        return ", ".join([part for part in parts if part])


def laid_out(state: Round, rules: Rules) -> tuple[LaidHand, ...]:
    """Return every hand of a finished round, folded ones included. Empty while cards are in
    play."""
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
            _card_names(seat.cards),
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
        yield LaidHand("dealer", _card_names(state.dealer), hand=words, note=note)
    if counts.community:
        note = _missing(state, state.community, counts.community)
        yield LaidHand("board", _card_names(state.community), note=note)
    if state.box:
        yield LaidHand("bonus box", _card_names(state.box))


def _missing(state: Round, cards: tuple[Card, ...], count: int) -> str:
    left = count - len(cards)
    if left <= 0:
        return ""
    why = "not entered" if state.source == "live" else "not dealt"
    return f"{left} {why}" if cards else why


def _card_names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple([str(card) for card in cards])
