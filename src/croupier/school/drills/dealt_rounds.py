"""Possible rounds, made from a seed and settled by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier.cards import Card, format_cards
from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.rounds.round_flow import answers_given, too_weak
from croupier.rounds.settlement import Settlement, settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import NoDrill, Scene, SceneSeat

_REQUIRED: Final = (500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 5000, 7500, 10000)
_OPTIONAL: Final = (500, 1000, 1500, 2000, 2500)
_MOST_SEATS: Final = 3
_TRIES: Final = 400


class SettledDeal(NamedTuple):
    """A completed round, the meters before it, and its settlement."""

    played: CompletedRound
    meters: dict[str, int]
    settlement: Settlement


def settled_deals(rules: Rules, draws: Draws, count: int) -> Iterator[SettledDeal]:
    """Yield `count` settled rounds. High hands are far more frequent than at a table, so that every
    line of a paytable occurs."""
    made = 0
    for _ in range(_TRIES):
        played, meters = _dealt(rules, draws), _meters(rules, draws)
        try:
            yield SettledDeal(played, meters, settle(played, rules, meters))
        except CroupierError:  # these wagers cannot lie side by side
            continue
        made += 1
        if made == count:
            return
    raise NoDrill(f"no round of {rules.book.id} can be made")


def scene_of(
    deal: SettledDeal, rules: Rules, seat_in_question: int = 0, *, notes: tuple[str, ...] = ()
) -> Scene:
    """Return the whole table after the last card; `seat_in_question` is the seat of the
    question."""
    played = deal.played
    titles = {name: wager.title for name, wager in rules.book.wagers.items()}
    is_progressive = any(
        rules.book.wagers[name].taken_before_deal for seat in played.seats for name in seat.wagers
    )
    return Scene(
        game=rules.book.title,
        community=format_cards(played.community),
        dealer=format_cards(played.dealer),
        box=format_cards(played.box),
        seats=tuple(
            SceneSeat(
                seat.number,
                format_cards(seat.cards),
                {titles[name]: dollars(cents) for name, cents in _stakes(seat, deal).items()},
                seat.actions,
                seat.number == seat_in_question,
            )
            for seat in played.seats
        ),
        meters={name: dollars(cents) for name, cents in deal.meters.items()}
        if is_progressive
        else {},
        told=notes,
    )


def _stakes(seat: PlayedSeat, deal: SettledDeal) -> dict[str, int]:
    """Return the seat's stakes, including those bet during play."""
    outcome = next(
        candidate for candidate in deal.settlement.seats if candidate.seat == seat.number
    )
    decided = {line.wager: line.stake for line in outcome.lines if line.stake}
    return {**seat.wagers, **decided}


# -- cards ----------------------------------------------------------------------------------------


def _dealt(rules: Rules, draws: Draws) -> CompletedRound:
    cards, most = rules.book.cards, min(_MOST_SEATS, rules.book.positions.most)
    numbers = sorted(draws.some(range(1, rules.book.positions.most + 1), 1 + draws.below(most)))
    needed = cards.dealer + cards.community + cards.box + cards.player * len(numbers)
    drawn = draws.some(_deck(rules, draws, needed), needed)

    def take(count: int) -> tuple[Card, ...]:
        taken, drawn[:] = tuple(drawn[:count]), drawn[count:]
        return taken

    hands = {number: take(cards.player) for number in numbers}
    table = CompletedRound((), take(cards.community), take(cards.dealer), take(cards.box))
    seats = [_seat(number, hand, table, rules, draws) for number, hand in hands.items()]
    box = table.box if any(_on_box(name, rules) for seat in seats for name in seat.wagers) else ()
    return CompletedRound(tuple(seats), table.community, table.dealer, box)


def _deck(rules: Rules, draws: Draws, needed: int) -> list[Card]:
    """Return all cards; or a few ranks, for pairs and better; or adjacent ranks of few suits, for
    straight flushes."""
    whole = cards_of(rules.book.deck)
    style = draws.below(3)
    if style == 0:
        return list(whole)
    ranks = sorted({card.rank for card in whole})
    suits = draws.some(range(4), 4 if style == 1 or needed > 16 else 2)
    row = draws.below(len(ranks))
    order = draws.some(ranks, len(ranks)) if style == 1 else [*ranks[row:], *reversed(ranks[:row])]
    for count in range(3, len(ranks) + 1):
        among = order[:count]
        cards = [card for card in whole if card.rank in among and card.suit in suits]
        if len(cards) >= needed + 2:
            return cards
    return list(whole)


def _on_box(name: str, rules: Rules) -> bool:
    hand = getattr(rules.book.wagers[name].settles, "hand", None)
    return hand is not None and any(
        place.startswith("box") for place in rules.book.hands[hand].cards
    )


# -- wagers and answers ---------------------------------------------------------------------------


def _seat(
    number: int, cards: tuple[Card, ...], table: CompletedRound, rules: Rules, draws: Draws
) -> PlayedSeat:
    wagers = _wagers(rules, draws)
    said: tuple[str, ...] = ()
    while True:
        seat = PlayedSeat(number, f"seat {number}", cards, wagers, said)
        answers = answers_given(rules.book.decisions, wagers, said)
        decision = next((answer.decision for answer in answers if answer.action is None), None)
        if decision is None:
            return seat
        weak = too_weak(decision, seat, table, rules)
        words = [word for word in decision.answers if word not in weak]
        word = draws.pick(words)
        if word == "fold" and not draws.one_in(3):
            word = draws.pick(words)
        said = (*said, word)


def _wagers(rules: Rules, draws: Draws) -> dict[str, int]:
    base = draws.pick(_REQUIRED)
    placed: dict[str, int] = {}
    for name, wager in rules.book.wagers.items():
        if wager.role == "decided":
            continue
        if wager.role == "optional" and (name not in rules.offered or draws.one_in(2)):
            continue
        if any(needed not in placed for needed in wager.needs):
            continue
        stakes = rules.stakes.get(name)
        usual = base if wager.role == "required" else draws.pick(_OPTIONAL)
        usual = placed.get(wager.equals, usual)
        placed[name] = draws.pick(stakes) if stakes else usual
    return placed


def _meters(rules: Rules, draws: Draws) -> dict[str, int]:
    """Return meters above their reset amounts, to the cent."""
    return {name: reset + draws.below(reset // 2 + 1) for name, reset in rules.resets.items()}
