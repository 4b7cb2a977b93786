"""The course of a round as a rulebook describes it: what is seen at each decision, who can fold."""

from __future__ import annotations

from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Cards,
    Decision,
    Follows,
    Hand,
    Reveal,
    Rulebook,
    Wager,
)


def cards_of(hand: Hand, cards: Cards) -> dict[str, int] | None:
    """Return how many cards of each place a hand has, or None if it would count a card twice."""
    counts: dict[str, int] = {}
    for text in hand.cards:
        place, _, first = text.partition(":")
        if place in counts:
            return None
        counts[place] = int(first) if first else getattr(cards, place)
    return {place: count for place, count in counts.items() if count}


def seen_at(book: Rulebook) -> tuple[tuple[int, int], ...]:
    """Return for every decision how many own and how many community cards a player has seen by
    then. Cards are turned up by whole reveals, and only as many as the next decision requires."""
    own = book.cards.player - sum(reveal.player for reveal in book.reveals)
    shown, waiting = 0, list(book.reveals)
    seen = []
    for decision in book.decisions:
        while waiting and _is_before(decision, own, shown):
            reveal: Reveal = waiting.pop(0)
            own, shown = own + reveal.player, shown + reveal.community
        seen.append((own, shown))
    return tuple(seen)


def seen_by(rules: Rules, decision: object) -> tuple[int, int]:
    """Return what `seen_at` says of one decision of the rulebook."""
    places = zip(rules.book.decisions, seen_at(rules.book), strict=True)
    return next(seen for candidate, seen in places if candidate is decision)


def _is_before(decision: Decision, own: int, shown: int) -> bool:
    return shown < decision.sees_community or own < decision.sees_player


def led_by(book: Rulebook, name: str) -> str:
    """Return the wager that looks at cards and that this one follows; itself if it looks at
    cards."""
    settles = book.wagers[name].settles
    return led_by(book, settles.wager) if isinstance(settles, Follows) else name


def can_fold(book: Rulebook) -> bool:
    return any(decision.otherwise == "fold" for decision in book.decisions)


def is_lost_with_fold(book: Rulebook, wager: Wager) -> bool:
    """Return whether a fold changes what becomes of the wager."""
    return wager.after_fold == "loses" and can_fold(book)
