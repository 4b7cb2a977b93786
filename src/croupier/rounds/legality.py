"""Checks that a round could have been played: cards, seats, wagers and decisions against the rules
in force.

What the document forbids is refused with its clause; a round that could not have happened is never
settled.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.cards import RANKS, Card, mask_of
from croupier.errors import (
    BadAmount,
    BadCards,
    BadRequest,
    CroupierError,
    RuleBroken,
    plain,
    shown,
    suggest,
)
from croupier.money import dollars
from croupier.rounds.round_flow import answers_given, cannot_be_said, check_allowed
from croupier.rounds.state import CompletedRound, PlayedSeat, Stakes, all_cards
from croupier.rulebooks.decks import check_in_deck, one_too_many
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Rulebook


def check_round(played: CompletedRound, rules: Rules) -> None:
    """Check a round's cards and seats; `stakes_of` checks each seat's wagers and decisions."""
    _check_cards(played, rules)
    _check_seats(played, rules)


def _check_cards(played: CompletedRound, rules: Rules) -> None:
    counts = rules.book.cards
    _check_count("community", len(played.community), counts.community, counts.clause)
    _check_count("dealer", len(played.dealer), counts.dealer, counts.clause)
    if played.box:
        clause = counts.box_clause or counts.clause
        _check_count("bonus_cards", len(played.box), counts.box, clause)
    total = len(played.community) + len(played.dealer) + len(played.box)
    mask = mask_of(played.community) | mask_of(played.dealer) | mask_of(played.box)
    for seat in played.seats:
        _check_count(f"seat {shown(seat.number)}", len(seat.cards), counts.player, counts.clause)
        total += len(seat.cards)
        mask |= mask_of(seat.cards)
    deck = rules.book.deck
    if deck.ranks != RANKS:
        for place, card in all_cards(played):
            check_in_deck((card,), rules.book, place)
    if mask.bit_count() != total and one_too_many(_faces(played), rules.book) is not None:
        _name_the_duplicate(played, rules)


def _faces(played: CompletedRound) -> list[Card]:
    return [card for _, card in all_cards(played)]


def _check_count(where: str, got: int, wanted: int, clause: str) -> None:
    if got != wanted:
        cards = "card" if wanted == 1 else "cards"
        raise BadCards(
            f"{where}: {got} given, but this game deals {wanted or 'no'} {cards} there",
            clause=clause,
        )


def _name_the_duplicate(played: CompletedRound, rules: Rules) -> None:
    """Refuse a card that lies on the table too often. A round's cards come from one deck, even if
    the table has two; if several are shuffled together, from all of them."""
    decks, copies = rules.book.options.get("decks"), rules.book.deck.copies
    seen: dict[int, list[str]] = {}
    for place, card in all_cards(played):
        there = seen.setdefault(card, [])
        if len(there) == copies:
            places = f"in {there[0]} and {place}" if there[0] != place else f"twice in {place}"
            held = "a deck holds it once"
            if copies > 1:
                places = f"{copies + 1} times on the table"
                held = f"{copies} decks hold it {copies} times"
            raise BadCards(
                f"{card} lies {places}, but {held}",
                clause=decks.clause or None if decks is not None else None,
            )
        there.append(place)


def _check_seats(played: CompletedRound, rules: Rules) -> None:
    positions = rules.book.positions
    if not played.seats:
        raise BadRequest("seats: a round needs at least one seat")
    numbers = [seat.number for seat in played.seats]
    for number in numbers:
        if not 1 <= number <= positions.most:
            raise RuleBroken(
                f"seat {shown(number)}: seats are numbered 1 to {positions.most}",
                clause=positions.clause,
            )
    if len(set(numbers)) != len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        raise BadRequest(f"seat {twice} is given twice")
    if len({seat.player for seat in played.seats}) != len(numbers):
        boxes: dict[str, list[int]] = {}
        for seat in played.seats:
            boxes.setdefault(seat.player, []).append(seat.number)
        for player, mine in boxes.items():
            check_boxes(player, mine, rules)


def check_boxes(player: str, numbers: list[int], rules: Rules) -> None:
    """Refuse positions that one player may not bet on together."""
    if len(numbers) == 1:
        return
    positions = rules.book.positions
    clause = positions.per_player_clause
    seats = ", ".join(map(str, sorted(numbers)))
    if positions.per_player == "one":
        raise RuleBroken(
            f"{plain(player)} plays seats {seats}, but one player may bet on one position only",
            clause=clause,
        )
    most = rules.options.get("adjacent_boxes")
    if not isinstance(most, int):
        return
    if len(numbers) > most or max(numbers) - min(numbers) >= len(numbers):
        raise RuleBroken(
            f"{plain(player)} plays seats {seats}, but the submission allows {most} adjacent boxes",
            clause=clause,
        )


def stakes_of(seat: PlayedSeat, played: CompletedRound, rules: Rules) -> Stakes:
    """Return everything the seat has bet, checked, including wagers its decisions put down or took
    back."""
    try:
        stakes = Stakes(seat.wagers)
        _check_wagers(seat, rules)
        _decide(seat, played, rules, stakes)
    except CroupierError as error:
        raise error.within(f"seat {seat.number}") from None
    return stakes


def _check_wagers(seat: PlayedSeat, rules: Rules) -> None:
    book = rules.book
    placed = seat.wagers
    for name in rules.required:
        if name not in placed:
            raise RuleBroken(
                f"the {book.wagers[name].title} wager is missing: it is required of every player",
                clause=book.wagers[name].clause,
            )
    for name, cents in placed.items():
        check_wager(name, cents, placed, rules)
        equals = book.wagers[name].equals
        if equals and placed[equals] != cents:
            raise RuleBroken(
                f"{book.wagers[name].title} is {dollars(cents)} and {book.wagers[equals].title} "
                f"{dollars(placed[equals])}: they must be equal",
                clause=book.required_clause,
            )


def check_wager(name: str, cents: int, placed: Mapping[str, int], rules: Rules) -> None:
    """Refuse an amount that may not lie on this spot beside the other wagers placed."""
    book = rules.book
    wager = book.wagers.get(name)
    if wager is None:
        raise suggest("wager", name, (n for n, w in book.wagers.items() if w.role != "decided"))
    if wager.role == "decided":
        raise BadRequest(
            f"{wager.title} is not placed before the deal: it follows from the actions",
            clause=wager.clause,
        )
    if cents <= 0:
        raise BadAmount(f"{wager.title}: {dollars(cents)} is not a stake; leave the wager out")
    if wager.role == "optional":
        _check_optional(name, placed, rules)
    _check_amount(name, cents, rules)


def _check_optional(name: str, placed: Mapping[str, int], rules: Rules) -> None:
    book = rules.book
    wager = book.wagers[name]
    if name not in rules.offered:
        raise RuleBroken(f"{wager.title} is not offered at this table", clause=wager.clause)
    for needed in wager.needs:
        if needed not in placed:
            raise RuleBroken(
                f"{wager.title} needs {book.wagers[needed].title} as well",
                clause=wager.needs_clause,
            )
    dealing = rules.options.get("dealing")
    if wager.dealt_by and dealing is not None and dealing not in wager.dealt_by:
        raise RuleBroken(
            f"{wager.title} cannot be bet when the cards are dealt this way "
            f"({_ways(book, dealing)}): it needs {_ways(book, *wager.dealt_by)}",
            clause=wager.dealt_by_clause,
        )


def _ways(book: Rulebook, *dealing: object) -> str:
    """Return the ways of dealing in words, such as `a manual dealing shoe or from the hand`."""
    return " or ".join(book.dealing[str(way)].title for way in dealing)


def _check_amount(name: str, cents: int, rules: Rules) -> None:
    wager = rules.book.wagers[name]
    stakes = rules.stakes.get(name)
    if stakes is not None and cents not in stakes:
        allowed = " or ".join(dollars(stake) for stake in stakes)
        raise RuleBroken(
            f"{wager.title} is {dollars(cents)}, but takes exactly {allowed}",
            clause=wager.stakes_clause or wager.clause,
        )
    low, high = rules.limits.get(name, (None, None))
    if (low is not None and cents < low) or (high is not None and cents > high):
        bounds = f"{dollars(low or 0)} to {'any amount' if high is None else dollars(high)}"
        raise RuleBroken(
            f"{wager.title} is {dollars(cents)}, but the table takes {bounds}",
            clause=wager.clause,
        )


def _decide(seat: PlayedSeat, played: CompletedRound, rules: Rules, stakes: Stakes) -> None:
    """Apply the seat's answers to its stakes, and refuse missing, illegal or surplus ones."""
    answered = 0
    back: dict[str, str] = {}
    for _, decision, action in answers_given(rules.book.decisions, seat.wagers, seat.actions):
        if action is None:
            raise RuleBroken(
                f"the {decision.name} decision is missing: say {' or '.join(decision.answers)}",
                clause=decision.clause,
            )
        answered += 1
        if action in decision.bets:
            check_allowed(decision, action, seat, played, rules)
            stakes[decision.wager] = seat.wagers[decision.multiple_of] * decision.bets[action]
        elif action not in decision.answers:
            raise cannot_be_said(decision, action)
        elif action == TAKE_BACK:
            back[decision.takes_back] = decision.clause
        stakes.folded = action == "fold"
    stakes.taken_back = back
    if answered < len(seat.actions):
        raise RuleBroken(
            f"{shown(seat.actions[answered])} comes after the last decision: nothing is left to "
            "decide",
            clause=rules.book.decisions[-1].clause if rules.book.decisions else None,
        )


def smallest_wagers(
    rules: Rules, required: int = 1000, names: tuple[str, ...] = ()
) -> dict[str, int]:
    """Return every wager on offer at its smallest amount: by fixed stakes and limits if there are
    any, else `required` cents for each required wager and five dollars for the others."""
    offered = [
        name
        for name, wager in rules.book.wagers.items()
        if name in rules.required or (name in rules.offered and (not names or name in names))
    ]
    dealing = rules.options.get("dealing")
    wagers = {}
    for name in offered:
        served = rules.book.wagers[name].dealt_by
        if dealing is not None and served and dealing not in served:
            continue
        low = rules.limits.get(name, (None, None))[0]
        usual = required if name in rules.required else 500
        wagers[name] = min(rules.stakes[name]) if name in rules.stakes else low or usual
    return wagers
