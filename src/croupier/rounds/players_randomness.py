"""Randomness that players add to a virtual deck: committed while the bets are open, revealed
between "no more bets" and the deal."""

from __future__ import annotations

from collections.abc import Collection

from croupier.cards import Card
from croupier.errors import Refusal, plain
from croupier.randomness.mixing import Contribution, is_value_of, mixed_order
from croupier.rounds.commands import CommitRandomness, RevealRandomness
from croupier.rounds.events import DeckMixed
from croupier.rounds.state import AddedRandomness, Round


def commit(state: Round, command: CommitRandomness) -> tuple[CommitRandomness]:
    if state.source == "live":
        raise Refusal(
            "the cards of this table are shuffled by hand: randomness is added to virtual decks",
            code="live_cards",
        )
    if state.phase != "betting":
        raise Refusal(
            "randomness is committed while the bets are open, before anybody reveals theirs",
            code="not_now",
        )
    if _of_seat(state, command.seat) is not None:
        raise Refusal(
            f"seat {command.seat} has committed already: one value for each seat and round",
            code="already_done",
        )
    if any(share.commitment == command.commitment for share in state.added):
        raise Refusal(
            "somebody else has given this commitment: draw 32 random bytes of your own",
            code="same_commitment",
        )
    return (command,)


def reveal(state: Round, command: RevealRandomness) -> tuple[RevealRandomness]:
    mine = _of_seat(state, command.seat)
    if state.phase != "closed":
        raise Refusal(
            'randomness is revealed after "no more bets" and before the deal: earlier, others '
            "could still commit to theirs, and later the cards are out",
            code="not_now",
        )
    if mine is None:
        raise Refusal(
            f"seat {command.seat} has committed to nothing in this round", code="nothing_there"
        )
    if mine.player != command.player:
        raise Refusal(
            f"what seat {command.seat} committed to is {plain(mine.player)}'s", code="not_yours"
        )
    if mine.value:
        raise Refusal(f"seat {command.seat} has revealed already", code="already_done")
    if not is_value_of(mine.commitment, command.value):
        raise Refusal(
            f"this is not the value that seat {command.seat} committed to: its SHA-256 is another",
            code="wrong_value",
        )
    return (command,)


def _of_seat(state: Round, seat: int) -> AddedRandomness | None:
    return next((share for share in state.added if share.seat == seat), None)


def waits_for_values(state: Round, away: Collection[str] = ()) -> bool:
    """Return whether a player who is dealt in has committed but not yet revealed. Players who are
    away do not count."""
    return any(
        not share.value and share.player not in away and state.seat(share.seat) is not None
        for share in state.added
    )


def mixing(state: Round) -> tuple[DeckMixed, ...]:
    """Return the event that precedes the deal if players added randomness."""
    if not state.added:
        return ()
    revealed = tuple([share.seat for share in state.added if share.value])
    missing = tuple([share.seat for share in state.added if not share.value])
    return (DeckMixed(revealed, missing),)


def deck_in_play(state: Round) -> tuple[Card, ...]:
    """The order in which cards leave the deck: as sealed, or mixed with players' randomness."""
    if not state.added:
        return state.deck
    added = [Contribution(share.seat, share.commitment, share.value) for share in state.added]
    return state.mixed or mixed_order(state.commitment, state.salt, state.deck, added)
