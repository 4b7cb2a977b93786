"""A round's known cards, and those that a live dealer still has to enter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, Refusal, plain
from croupier.rounds.envy import hands_envy_needs
from croupier.rounds.round_flow import RoundFlow, flow_of, is_lost
from croupier.rounds.state import CompletedRound, PlayedSeat, Round, SeatInRound, live_stakes
from croupier.rulebooks.decks import check_in_deck, deck_size, one_too_many
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Cards


class CardsToEnter(NamedTuple):
    """Cards that a live dealer has not entered yet: their place, seat and number."""

    place: Literal["player", "community", "dealer", "box"]
    seat: int
    cards: int

    def __str__(self) -> str:
        words = {"community": "the board", "dealer": "the dealer", "box": "the bonus box"}
        return words.get(self.place, f"seat {self.seat}")


def known_cards(state: Round) -> tuple[Card, ...]:
    """Return every known card in the order of pickup: the hands from the dealer's right, the
    dealer's, the board, the box, burns, then cards that were not used."""
    cards: list[Card] = []
    for seat in reversed(state.seats):
        cards += seat.cards
    return (
        *cards,
        *state.dealer,
        *state.community,
        *state.box,
        *state.burned,
        *state.discarded,
        *state.set_aside,
    )


def check_entry(
    state: Round, place: str, number: int, cards: tuple[Card, ...], rules: Rules
) -> None:
    """Refuse cards that a live dealer may not enter here: a wrong place or count, or a card already
    seen."""
    if state.source != "live":
        raise Refusal("the cards come from the sealed deck: none can be named", code="sealed_deck")
    counts = rules.book.cards
    seat = state.seat(number)
    if place == "player" and seat is None:
        raise BadRequest(f"seat {number} has no cards in this round")
    wanted = {
        "player": counts.player if seat is None or not seat.cards else 0,
        "dealer": counts.dealer - len(state.dealer),
        "community": counts.community - len(state.community),
        "box": 0 if state.box else counts.box,
        "burn": deck_size(rules.book),
    }.get(place)
    if wanted is None:
        raise BadRequest(
            f"{plain(place)} is not a place for cards: player, dealer, community, box or burn"
        )
    where = f"seat {number}" if place == "player" else place
    in_parts = place in ("community", "burn") or (place == "dealer" and flow_of(rules).turns_up)
    if not cards or len(cards) > wanted or (len(cards) != wanted and not in_parts):
        raise BadCards(
            f"{where}: {len(cards)} entered, but {wanted} are to be entered there",
            clause=counts.clause,
        )
    check_faces(cards, known_cards(state), where, rules)


def check_faces(cards: Sequence[Card], elsewhere: Sequence[Card], where: str, rules: Rules) -> None:
    """Refuse cards that the game's deck does not have, or that already lie elsewhere as often as
    the decks contain them."""
    check_in_deck(cards, rules.book, where)
    twice = one_too_many((*cards, *elsewhere), rules.book)
    if twice is not None:
        raise BadCards(
            f"{where}: {twice} has been seen in this round already",
            clause=rules.book.decks_clause or None,
        )


def missing_cards(state: Round, rules: Rules) -> list[str]:
    """Return the places whose cards a live dealer still has to enter, in words."""
    return [str(place) for place in cards_to_enter(state, rules)]


def cards_to_enter(state: Round, rules: Rules) -> tuple[CardsToEnter, ...]:
    """Return the places whose cards a live dealer still has to enter, if a wager needs them."""
    missing = _cards_for_wagers(state, rules)
    if state.source != "live" or rules.book.envy is None or state.phase == "over":
        return missing
    hands = [*_hands_for_envy(state, rules, missing), *missing]
    return tuple(sorted(hands, key=lambda hand: (not hand.seat, hand.seat)))


def _cards_for_wagers(state: Round, rules: Rules) -> tuple[CardsToEnter, ...]:
    counts = rules.book.cards
    if _all_there(state, counts, flow_of(rules)):
        return ()
    seats = [seat for seat in state.seats if live_stakes(state, seat)]
    missing = [
        CardsToEnter("player", seat.number, counts.player - len(seat.cards))
        for seat in seats
        if len(seat.cards) != counts.player and not is_mucked(state, seat, rules)
    ]
    if len(state.community) != counts.community and needs_board(state, rules):
        more = counts.community - len(state.community)
        missing.append(CardsToEnter("community", 0, more))
    if len(state.dealer) != counts.dealer and not state.void:
        missing.append(CardsToEnter("dealer", 0, counts.dealer - len(state.dealer)))
    on_box = flow_of(rules).wagers_on_box
    if not state.box and any(not on_box.isdisjoint(live_stakes(state, seat)) for seat in seats):
        missing.append(CardsToEnter("box", 0, counts.box))
    return tuple(missing)


def _hands_for_envy(
    state: Round, rules: Rules, needed: Collection[CardsToEnter]
) -> Iterator[CardsToEnter]:
    """Yield the folded hands that only another player's Envy Bonus looks at (MD-31)."""
    seats = [seat for seat in state.seats if live_stakes(state, seat)]
    known = {hand.seat for hand in needed}
    if all(len(s.cards) == rules.book.cards.player or s.number in known for s in seats):
        return
    stakes = [live_stakes(state, seat) for seat in seats]
    played = CompletedRound(
        tuple([PlayedSeat(s.number, s.player, s.cards, s.wagers, s.actions) for s in seats]),
        state.community,
        state.dealer,
        state.box,
    )
    out = [place for place, seat in enumerate(seats) if is_lost(state, seat, rules)]
    for place in hands_envy_needs(played, stakes, rules, known_cards(state), out):
        number, cards = seats[place].number, seats[place].cards
        if number not in known:
            yield CardsToEnter("player", number, rules.book.cards.player - len(cards))


def is_mucked(state: Round, seat: SeatInRound, rules: Rules) -> bool:
    """Return whether the hand is folded and no live wager of the seat, or on every hand, looks at
    its cards.

    The document has such a hand mucked at once (MD-09, A14, B18). It is not entered unless another
    player's Envy Bonus may depend on it.
    """
    stakes, flow = live_stakes(state, seat), flow_of(rules)
    down = stakes.keys() - stakes.taken_back.keys()
    if not stakes.folded or not flow.decided_by_fold.issuperset(down):
        return False
    others = [live_stakes(state, each) for each in state.seats]
    return all(flow.on_every_hand.isdisjoint(live) for live in others)


def is_kept_for_others(state: Round, seat: SeatInRound, rules: Rules) -> bool:
    """Return whether this hand, if folded now, would still have to be entered although none of its
    own wagers looks at it: for a wager on every hand, or for another player's Envy Bonus. The
    dealer does not muck such a hand."""
    down = live_stakes(state, seat).keys() - seat.taken_back.keys()
    if len(seat.cards) == rules.book.cards.player or not flow_of(rules).decided_by_fold >= down:
        return False
    # Use only face-up cards: letting the hand go must not reveal a card that was scanned.
    seats = tuple(
        [replace(held, cards=(), folded=held.folded or held is seat) for held in state.seats]
    )
    board = state.community[: state.exposed]
    after = replace(state, seats=seats, community=board, dealer=(), box=(), burned=())
    return any(hand.seat == seat.number for hand in cards_to_enter(after, rules))


def needs_board(state: Round, rules: Rules) -> bool:
    """Return whether a wager still to be settled looks at the community cards. After an accident
    only the wagers that the document saves remain, and some of these need no community card."""
    if not state.void or state.phase == "over":
        return True
    off_board = flow_of(rules).off_board
    return not all(off_board.issuperset(live_stakes(state, seat)) for seat in state.seats)


def missing_down_to(state: Round, rules: Rules, number: int) -> tuple[CardsToEnter, ...]:
    """Return what must be entered before the seats down to this one are settled (11.H(2)(d)): their
    own hands and the shared cards. Seat 0, the last seat to be settled and a wager on every hand
    require all of it."""
    return _down_to(state, rules, number, cards_to_enter(state, rules))


def _down_to(
    state: Round, rules: Rules, number: int, missing: tuple[CardsToEnter, ...]
) -> tuple[CardsToEnter, ...]:
    waiting = [seat for seat in state.seats if not seat.settled]
    on_every_hand = flow_of(rules).on_every_hand
    if not number or not waiting or waiting[0].number == number:
        return missing
    if any(not on_every_hand.isdisjoint(live_stakes(state, seat)) for seat in waiting):
        return missing
    return tuple([cards for cards in missing if cards.place != "player" or cards.seat >= number])


def next_to_settle(state: Round, rules: Rules) -> tuple[int, int]:
    """Return the seat whose hand is compared next (0 if all are mucked), and the seat down to which
    wagers are settled with it.

    Mucked hands are included: their wagers were taken at the fold (11.F(2)).
    """
    waiting = [seat for seat in reversed(state.seats) if not seat.settled]
    played = [seat.number for seat in waiting if not is_mucked(state, seat, rules)]
    if len(played) > 1:
        return played[0], played[0]
    return sum(played), waiting[-1].number if waiting else 0


def check_known(state: Round, rules: Rules, down_to: int = 0) -> None:
    """Refuse if a card is not entered that the settlement of the wagers (down to a seat) looks
    at."""
    _check_entered(_down_to(state, rules, down_to, _cards_for_wagers(state, rules)), rules)


def check_asked_for(state: Round, rules: Rules, down_to: int = 0) -> None:
    """Refuse if a card that the table requires is not entered, including hands that only an Envy
    Bonus looks at. Older journals were settled without those, so `plan` checks this."""
    _check_entered(missing_down_to(state, rules, down_to), rules)


def _check_entered(missing: Collection[CardsToEnter], rules: Rules) -> None:
    if missing:
        raise Refusal(
            f"enter the cards of {', '.join(map(str, missing))} first",
            code="cards_missing",
            clause=rules.book.cards.clause,
        )


def _all_there(state: Round, counts: Cards, flow: RoundFlow) -> bool:
    """Return whether every card that any wager could need is known, as it always is with a virtual
    deck."""
    if len(state.community) != counts.community or len(state.dealer) != counts.dealer:
        return False
    for seat in state.seats:
        if len(seat.cards) != counts.player:
            return False
        if not state.box and not flow.wagers_on_box.isdisjoint(seat.wagers):
            return False
    return True
