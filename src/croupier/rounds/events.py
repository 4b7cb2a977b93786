"""The events of a round. Only events are stored; states are rebuilt from them.

Cards appear in events as they became known: a virtual deck's order when it was sealed, a live
dealer's cards when they were entered. A command whose effect is exactly its content is its own
event: `OpenBetting`, `CommitRandomness`, `RevealRandomness`, `EnterCards` and `ReplaceCards` here.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.cards import Card
from croupier.rounds.commands import (
    CommitRandomness,
    EnterCards,
    OpenBetting,
    ReplaceCards,
    RevealRandomness,
)
from croupier.rounds.state import Claim, LineRecord


class WagersPlaced(msgspec.Struct, frozen=True, gc=False, tag="wagers_placed"):
    """The seat's new bets on these spots, in cents."""

    seat: int
    player: str
    wagers: dict[str, int]


class WagersTakenBack(msgspec.Struct, frozen=True, gc=False, tag="wagers_taken_back"):
    seat: int
    wagers: tuple[str, ...]


class CouponPlaced(msgspec.Struct, frozen=True, gc=False, tag="coupon_placed"):
    """A match play coupon lies beside the seat's chips; 0 cents means that it was taken back."""

    seat: int
    player: str
    cents: int
    number: str
    clause: str


class WagerReturned(msgspec.Struct, frozen=True, gc=False, tag="wager_returned"):
    """Wagers go back to the player because they may not stand when the bets are closed."""

    seat: int
    wagers: tuple[str, ...]
    reason: str
    clause: str


class BetsClosed(msgspec.Struct, frozen=True, gc=False, tag="bets_closed"):
    """No more bets, on the layout or the progressive system. `chips_to_count` is the number of
    wagers the system has accepted, if a count is due."""

    clause: str
    seats: tuple[int, ...]
    chips_to_count: int = 0


class ChipsCounted(msgspec.Struct, frozen=True, gc=False, tag="chips_counted"):
    """The progressive's chips equal the wagers the system accepted; the chips go into the
    inventory."""

    chips: int
    cents: int
    clause: str


class ChipCountDiffers(msgspec.Struct, frozen=True, gc=False, tag="chip_count_differs"):
    """The dealer's count differs from the wagers the system accepted, so a floorperson decides."""

    chips: int
    accepted: int
    by: str
    clause: str


class ChipRecountOrdered(msgspec.Struct, frozen=True, gc=False, tag="chip_recount_ordered"):
    """A floorperson ordered another count of the progressive's chips."""

    by: str
    clause: str


class DeckMixed(msgspec.Struct, frozen=True, gc=False, tag="deck_mixed"):
    """The sealed deck is shuffled once more with the randomness of these seats. The seats in
    `missing` did not reveal in time, so only their commitments count."""

    seats: tuple[int, ...]
    missing: tuple[int, ...] = ()


class CardsDealt(msgspec.Struct, frozen=True, gc=False, tag="cards_dealt"):
    """The initial deal. With a live dealer the cards lie face down and are entered later."""

    drawn: int
    seats: dict[int, tuple[Card, ...]] = {}
    dealer: tuple[Card, ...] = ()
    community: tuple[Card, ...] = ()
    box: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()


class Acted(msgspec.Struct, frozen=True, gc=False, tag="acted"):
    """A player's answer: `cents` go down on the wager, or come back from it (negative)."""

    seat: int
    decision: str
    action: str
    clause: str
    wager: str = ""
    cents: int = 0


class AnswerTakenBack(msgspec.Struct, frozen=True, gc=False, tag="answer_taken_back"):
    """A seat's last answer is taken back: its wager goes back, and the seat is asked again."""

    seat: int
    step: int
    """The question's index among the round's questions and reveals."""
    decision: str
    action: str
    wager: str = ""
    cents: int = 0


class ChipCountDecided(msgspec.Struct, frozen=True, gc=False, tag="chip_count_decided"):
    """A floorperson decided a count of the progressive's chips that differed: these seats have no
    progressive bet."""

    chips: int
    accepted: int
    seats: tuple[int, ...]
    reason: str
    by: str
    clause: str


class Revealed(msgspec.Struct, frozen=True, gc=False, tag="revealed"):
    name: str
    clause: str
    drawn: int = 0
    community: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    """The dealer's cards that became known with the reveal."""
    box: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()


class DealerShown(msgspec.Struct, frozen=True, gc=False, tag="dealer_shown"):
    cards: tuple[Card, ...]
    hand: str
    qualifies: bool
    clause: str
    holds: str = ""
    """The hand's category and deciding ranks, as in `two_pair 62A`."""


class SeatSettled(msgspec.Struct, frozen=True, gc=False, tag="seat_settled"):
    """Every wager of the seat is settled except a progressive that awaits validation. `holds` has
    the value of each hand looked at, by the names that the lines' reasons use."""

    seat: int
    hand: str
    lines: tuple[LineRecord, ...]
    holds: dict[str, str] = {}


class ProgressiveWon(msgspec.Struct, frozen=True, gc=False, tag="progressive_won"):
    claim: Claim


class ProgressivePaid(msgspec.Struct, frozen=True, gc=False, tag="progressive_paid"):
    seat: int
    line: LineRecord
    validated_by: str


class ProgressiveRefused(msgspec.Struct, frozen=True, gc=False, tag="progressive_refused"):
    """A floorperson denied the progressive: the wager is lost or, if it was never accepted, goes
    back."""

    seat: int
    line: LineRecord
    refused_by: str
    reason: str
    ground: str = ""
    envy_stands: bool = False
    """The hand may still bring others the Envy Bonus."""


class EnvyPaid(msgspec.Struct, frozen=True, gc=False, tag="envy_paid"):
    """The round's Envy Bonuses by seat, paid when every hand is known."""

    lines: dict[int, LineRecord]


class CardsCollected(msgspec.Struct, frozen=True, gc=False, tag="cards_collected"):
    """The cards were collected, in this order, so that every hand can be laid out again."""

    pile: tuple[Card, ...]
    clause: str = ""


class PlayerLeft(msgspec.Struct, frozen=True, gc=False, tag="player_left"):
    """A player left during the round. `abandoned` is set when a floorperson rules the wagers
    lost."""

    seat: int
    abandoned: bool = False
    clause: str = ""


class IrregularityNoted(msgspec.Struct, frozen=True, gc=False, tag="irregularity_noted"):
    """An irregularity and the person who reported it. Its consequences are separate events."""

    kind: str
    by: str
    clause: str
    deck: str = ""
    cards: tuple[Card, ...] = ()
    set_aside: bool = False
    seat: int = 0
    note: str = ""
    held: int | None = None
    """The number of cards in the hand or the box with the wrong number, if it was reported."""


class HandsVoided(msgspec.Struct, frozen=True, gc=False, tag="hands_voided"):
    """All hands are void, but the board is completed and the wagers in `saves` are settled."""

    reason: str
    clause: str
    saves: tuple[str, ...]
    saves_clause: str


class HandVoided(msgspec.Struct, frozen=True, gc=False, tag="hand_voided"):
    """This hand is void and its wagers come back; the other hands play on."""

    seat: int
    clause: str


class WagersVoided(msgspec.Struct, frozen=True, gc=False, tag="wagers_voided"):
    """These wagers come back at every seat; everything else stands."""

    wagers: tuple[str, ...]
    clause: str


class RoundVoided(msgspec.Struct, frozen=True, gc=False, tag="round_voided"):
    """Every wager goes back; the progressive's contributions are reversed."""

    reason: str
    by: str
    clause: str = ""


RoundEvent: TypeAlias = (
    OpenBetting
    | WagersPlaced
    | WagersTakenBack
    | CouponPlaced
    | CommitRandomness
    | WagerReturned
    | BetsClosed
    | ChipsCounted
    | ChipCountDecided
    | ChipCountDiffers
    | ChipRecountOrdered
    | RevealRandomness
    | DeckMixed
    | CardsDealt
    | EnterCards
    | ReplaceCards
    | Acted
    | AnswerTakenBack
    | Revealed
    | DealerShown
    | SeatSettled
    | ProgressiveWon
    | ProgressivePaid
    | ProgressiveRefused
    | EnvyPaid
    | CardsCollected
    | PlayerLeft
    | IrregularityNoted
    | HandsVoided
    | HandVoided
    | WagersVoided
    | RoundVoided
)
