"""The table of an exercise, put together again from what the person sees, and settled anew."""

from __future__ import annotations

import re
from typing import Any

import croupier
from croupier.cards import Card, cards_in, format_cards
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.schema import Rulebook
from croupier.school.drills.drill import Question, Scene
from croupier.school.drills.games import paytables_of, rulebook_of


def book_of(question: Question) -> Rulebook:
    return load_rulebook(rulebook_of(question.rulebook)).default


def settled_again(question: Question) -> Any:
    """Through `croupier.settle`, from the cards, chips and words of the scene alone."""
    book, scene = book_of(question), question.scene
    names = {wager.title: name for name, wager in book.wagers.items() if wager.role != "decided"}
    seats = [
        {
            "seat": seat.seat,
            "cards": seat.cards,
            "wagers": {
                names[title]: stake.replace("$", "").replace(",", "")
                for title, stake in seat.wagers.items()
                if title in names
            },
            "actions": list(seat.said),
        }
        for seat in scene.seats
    ]
    return _settle(question.rulebook, scene, seats)


def _settle(rulebook: str, scene: Scene, seats: list[dict[str, Any]]) -> Any:
    meters = {name: text.replace("$", "").replace(",", "") for name, text in scene.meters.items()}
    return croupier.settle(
        {
            "rulebook": rulebook_of(rulebook),
            "submission": {"paytables": paytables_of(rulebook)},
            "seats": seats,
            "community": scene.community,
            "dealer": scene.dealer or None,
            "bonus_cards": scene.box or None,
            "meters": meters or None,
        }
    )


def line_of(question: Question, settled: Any) -> Any:
    """The line that is asked about: its seat is marked, its wager named first."""
    seat = next(seat.seat for seat in question.scene.seats if seat.asked)
    words = re.sub(r"^Seat \d+\. ", "", question.words)
    found = [
        line
        for line in settled.seat(seat).lines
        if re.match(rf"{re.escape(line.title)}(,| wins)", words)
    ]
    # "Trips" begins "Trips Plus" as well.
    return max(found, key=lambda line: len(line.title))


def with_a_player(question: Question) -> Any:
    """The dealer's hand settled against a player with any other cards, who declines all he can."""
    book, scene = book_of(question), question.scene
    used = set(cards_in(f"{scene.community} {scene.dealer}"))
    free: list[Card] = [card for card in cards_of(book.deck) if card not in used]
    said: list[str] = []
    for decision in book.decisions:
        said.append(decision.otherwise)
        if decision.otherwise == "fold":
            break
    required = [name for name, wager in book.wagers.items() if wager.role == "required"]
    seat = {
        "seat": 1,
        "cards": format_cards(free[: book.cards.player]),
        "wagers": dict.fromkeys(required, 10),
        "actions": said,
    }
    return _settle(question.rulebook, scene, [seat])
