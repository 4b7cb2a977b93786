"""Views: what a person may see of a round.

A client gets a round only as a view. Face-down cards are empty places in it, never values that a
client is expected to hide.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.rounds.held_hands import Hands, plans_of
from croupier.rounds.paytable_lines import words_for
from croupier.rounds.round_flow import answers_of, flow_of
from croupier.rounds.state import AddedRandomness, Claim, LineRecord, Phase, Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand, Rulebook

Audience: TypeAlias = Literal["player", "dealer", "floorperson", "surveillance"]
FaceDown: TypeAlias = Card | None


class Viewer(msgspec.Struct, frozen=True):
    """The person a view is for. Players see their own cards; dealer and floorperson see the face-up
    cards."""

    audience: Audience
    player: str = ""


class SeatView(msgspec.Struct, frozen=True):
    number: int
    player: str
    wagers: dict[str, int]
    actions: tuple[str, ...]
    cards: tuple[FaceDown, ...]
    folded: bool
    left: bool
    void: bool
    hand: str
    holds: dict[str, str]
    """The values of the hands compared; empty if the viewer may not see them."""
    lines: tuple[LineRecord, ...]
    coupon: int = 0


class RoundView(msgspec.Struct, frozen=True):
    number: int
    phase: Phase
    turn: int
    commitment: str
    seats: tuple[SeatView, ...]
    community: tuple[FaceDown, ...]
    dealer: tuple[FaceDown, ...]
    dealer_hand: str
    dealer_holds: str
    qualifies: bool | None
    box: tuple[FaceDown, ...]
    claim: Claim | None
    void: bool
    set_aside: tuple[Card, ...] = ()
    salt: str = ""
    deck: tuple[Card, ...] = ()
    """The deck order behind the commitment, published when the round is over."""
    added: tuple[AddedRandomness, ...] = ()
    """The players' randomness mixed into the deck; each value appears once it is revealed."""
    odds: tuple[RoundOdds, ...] = ()


class RoundOdds(msgspec.Struct, frozen=True):
    """A wager whose odds depend on the number of hands in the round, with the odds of this
    round."""

    wager: str
    title: str
    hands: int
    """The number of hands dealt in the round, the dealer's included."""
    clause: str
    lines: tuple[tuple[str, str], ...]
    """Each hand in words with its payment."""


_SHOWN = ("showdown", "settling", "collecting", "over")
_DEALT = ("deciding", "revealing", *_SHOWN)


def view(state: Round, viewer: Viewer, rules: Rules) -> RoundView:
    """Return what this viewer may see of the round now."""
    if viewer.audience == "surveillance":
        return _view(state, rules, sees_all=True)
    return seen_by(viewer, public_view(state, rules), state, rules)


def public_view(state: Round, rules: Rules) -> RoundView:
    """Return what everyone may see; strangers, dealer and floor see no more than this."""
    return _view(state, rules, sees_all=False)


def seen_by(viewer: Viewer, public: RoundView, state: Round, rules: Rules) -> RoundView:
    """Return the public view of this state, extended by what only this viewer may see."""
    own = own_seats(state, viewer, rules)
    if not own:
        return public
    seats = [own.get(place, seat) for place, seat in enumerate(public.seats)]
    return msgspec.structs.replace(public, seats=tuple(seats))


def own_seats(state: Round, viewer: Viewer, rules: Rules) -> dict[int, SeatView]:
    """Return the viewer's own seats by their index in the round: those of which they see more than
    the public view shows."""
    if viewer.audience != "player":
        return {}
    first = flow_of(rules).first_look
    return {
        place: _seat(state, seat, rules, first, True, False)
        for place, seat in enumerate(state.seats)
        if seat.player == viewer.player
    }


def _view(state: Round, rules: Rules, *, sees_all: bool) -> RoundView:
    counts = rules.book.cards
    opened = state.phase == "over"
    first = flow_of(rules).first_look
    is_dealt = state.phase in _DEALT and bool(state.seats) and state.drawn > 0
    on_box = any(seat.shown for seat in state.seats)
    return RoundView(
        number=state.number,
        phase=state.phase,
        turn=state.turn,
        commitment=state.commitment,
        seats=tuple([_seat(state, seat, rules, first, False, sees_all) for seat in state.seats]),
        community=_lying(
            state.community, counts.community if is_dealt else 0, state.exposed, sees_all
        ),
        dealer=_lying(
            state.dealer,
            counts.dealer if is_dealt else 0,
            counts.dealer if state.dealer_shown else state.dealer_up,
            sees_all,
        ),
        dealer_hand=state.dealer_hand,
        dealer_holds=state.dealer_holds,
        qualifies=state.qualifies if state.dealer_shown else None,
        box=_lying(state.box, len(state.box), len(state.box) if on_box else 0, sees_all),
        claim=state.claim,
        void=state.void,
        set_aside=state.set_aside,
        salt=state.salt if opened else "",
        deck=state.deck if opened else (),
        added=state.added,
        odds=odds_of_round(state, rules) if state.phase in _SHOWN else (),
    )


def odds_of_round(state: Round, rules: Rules) -> tuple[RoundOdds, ...]:
    """Return the odds that depend on the number of hands, from the showdown on (12(e) of ma-uth). A
    hand that becomes void later still counts as dealt (MA-28)."""
    if state.phase not in _SHOWN or not state.seats or not state.drawn or state.void:
        return ()
    book = rules.book
    hands = len(state.seats) + (book.dealer is not None)
    return tuple(
        [
            RoundOdds(name, wager.title, hands, settles.shown_clause, _odds(settles, hands, book))
            for name, wager in book.wagers.items()
            if isinstance(settles := wager.settles, HighestHand)
            and (wager.role != "optional" or name in rules.offered)
        ]
    )


def _odds(settles: HighestHand, hands: int, book: Rulebook) -> tuple[tuple[str, str], ...]:
    table = book.paytables[settles.paytable][str(hands)]
    return tuple(
        [
            (words_for(line.hand, book.patterns).removeprefix("a "), line.pays)
            for line in table.lines
        ]
    )


def _lying(
    cards: tuple[Card, ...], count: int, face_up: int, sees_all: bool
) -> tuple[FaceDown, ...]:
    """Return `count` places; the first `face_up` show their card."""
    known = len(cards)
    return tuple(
        [cards[i] if i < known and (sees_all or i < face_up) else None for i in range(count)]
    )


def _seat(
    state: Round, seat: SeatInRound, rules: Rules, first: int, is_own: bool, sees_all: bool
) -> SeatView:
    """Return one seat as everyone sees it; its own player sees more, and surveillance sees every
    card."""
    is_up = seat.shown and turned_up(state, seat, rules)
    may_name = is_up or is_own
    cards: tuple[FaceDown, ...] = ()
    if state.drawn and state.phase in _DEALT:
        count, known = rules.book.cards.player, len(seat.cards)
        last = state.looked
        if sees_all or is_up:
            first, last = 0, count
        elif is_own:
            first = 0
        # Only the cards from `first` to `last` are in the view; the others are face down.
        cards = tuple(
            [seat.cards[i] if first <= i < last and i < known else None for i in range(count)]
        )
    return SeatView(
        number=seat.number,
        player=seat.player,
        wagers=lying_at(seat),
        actions=seat.actions,
        cards=cards,
        folded=seat.folded,
        left=seat.left,
        void=bool(seat.void) or state.void,
        hand=seat.hand if may_name else "",
        holds=seat.holds if may_name else {},
        lines=seat.lines,
        coupon=seat.coupon,
    )


def lying_at(seat: SeatInRound) -> dict[str, int]:
    """Return the chips on the spots, without wagers taken back."""
    down = seat.wagers | seat.decided
    for name in seat.taken_back:
        del down[name]
    return down


def turned_up(state: Round, seat: SeatInRound, rules: Rules) -> bool:
    """Return whether the seat's hand is turned up. Hands are turned up at their settlement; a hand
    given up only if it wins something, or while a floorperson validates its progressive."""
    if not seat.shown or not _is_given_up(seat, rules):
        return seat.shown
    claims = state.claim is not None and state.claim.seat == seat.number
    return claims or any(line.result == "win" for line in seat.lines)


def _is_given_up(seat: SeatInRound, rules: Rules) -> bool:
    """Return whether the hand was folded (by the player, or by leaving before the last question) or
    is void, and so is not compared with anything."""
    live = [line for line in seat.lines if line.reason.code != "taken_back"]
    if seat.folded or seat.void or all(line.result == "void" for line in live):
        return True
    return seat.left and "fold" in answers_of(seat, rules)


def winning_cards(seat: SeatView, seen: RoundView, rules: Rules) -> tuple[Card, ...]:
    """Return a settled seat's winning cards: its own if it beat or tied the dealer or a paytable
    paid it, else the dealer's.

    Empty if no hands were compared, or if one of the cards is face down.
    """
    name = _winning_hand(seat, rules)
    if not name:
        return ()
    places = {
        "player": seat.cards,
        "community": seen.community,
        "dealer": seen.dealer,
        "box": seen.box,
    }
    known = {place: _face_up(cards) for place, cards in places.items()}
    plan = plans_of(rules)[name]
    if any(known[place] is None for place, _ in plan.places):
        return ()
    hands = Hands(plans_of(rules), {place: cards or () for place, cards in known.items()})
    return hands.best(name)


def _winning_hand(seat: SeatView, rules: Rules) -> str:
    """Return the rulebook's name of the winning hand, or an empty string."""
    if seat.folded:
        return ""
    for line in seat.lines:
        if line.reason.code in ("beat_dealer", "tied_dealer"):
            return line.reason.hand
        if line.reason.code == "lost_to_dealer" and rules.book.dealer is not None:
            return rules.book.dealer.hand
    paid = [line for line in seat.lines if line.result == "win" and line.reason.hand]
    return paid[0].reason.hand if paid and paid[0].reason.code == "hand_paid" else ""


def _face_up(cards: tuple[FaceDown, ...]) -> tuple[Card, ...] | None:
    known = tuple([card for card in cards if card is not None])
    return known if len(known) == len(cards) else None
