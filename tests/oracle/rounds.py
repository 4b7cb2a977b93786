"""Random requests that are valid, with far more royals, ties and caps than a real table sees."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle import ma_uth, md_235, md_jackpot, md_uth, md_wpt
from tests.oracle.common import cents
from tests.oracle.deals import BOARD, BOX, DEALER, HOLDEM, SIX_CARD, Wish, deal, hole, rigged
from tests.oracle.deals_235 import STUD
from tests.oracle.hands import RANKS, Card
from tests.oracle.request import Rules

Amount = int | str

LOW: tuple[Amount, ...] = (
    *(1, 2, 5, 5, 10, 15, 25, "5", "5.00", "7", "20.00"),
    *("1.25", "2.50", "7.50", "0.75", "12.35", "0.01", "33.33"),
)
HIGH: tuple[Amount, ...] = (100, 150, "200", 250, 500, 1000, "2500.00", "133.35", 5000, "45")


@dataclass(frozen=True)
class Book:
    rules: Rules
    seeds: dict[str, dict[str, int]]  # dollars, by progressive paytable
    progressive: tuple[Amount, ...]
    one_stake: bool  # one progressive stake for the whole table
    envy_option: bool  # the operator says whether an envy hand's holder must have bet


BOOKS: dict[str, Book] = {
    "md-uth": Book(md_uth.RULES, md_uth.SEEDS, (1, "5", "1.00", 5), False, True),
    "ma-uth": Book(ma_uth.RULES, ma_uth.SEEDS, (5, "5.00"), True, True),
    "md-jackpot": Book(md_jackpot.RULES, md_jackpot.SEEDS, (1, 2, "5"), True, False),
    "md-wpt": Book(md_wpt.RULES, md_wpt.SEEDS, (1, "1.00"), True, False),
    "md-235": Book(md_235.RULES, md_235.SEEDS, (1, "5", "1.00", 5), True, False),
}


def random_request(rng: random.Random, rulebook: str) -> dict[str, Any]:
    """One request of the contract; nothing in it is illegal."""
    book = BOOKS[rulebook]
    submission = random_submission(rng, rulebook)
    numbers = rng.sample(range(1, 7), rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6]))
    if rng.random() < 0.5:
        numbers.sort()
    wagers = random_wagers(rng, rulebook, submission, len(numbers))
    six_card = any("six_card_bonus" in placed for placed in wagers)
    box = rulebook == "md-uth" and (six_card or rng.random() < 0.3)
    cards = random_deal(rng, book.rules, len(numbers), box)
    request = written_deal(rng, rulebook, cards, box)
    request["seats"] = [
        {
            "seat": number,
            **person,
            "cards": request.pop(f"hole {i}"),
            "wagers": wagers[i],
            "actions": random_actions(rng, book.rules),
        }
        for i, (number, person) in enumerate(zip(numbers, people(rng, book, numbers), strict=True))
    ]
    if submission or rng.random() < 0.5:
        request["submission"] = submission
    meters = random_meters(rng, book, submission)
    if meters or rng.random() < 0.2:
        request["meters"] = meters
    return request


# The submission ---------------------------------------------------------------------------------


def random_submission(rng: random.Random, rulebook: str) -> dict[str, Any]:
    book = BOOKS[rulebook]
    submission: dict[str, Any] = {}
    if rng.random() < 0.85:
        submission["paytables"] = {
            wager: rng.choice(list(tables))
            for wager, tables in book.rules.paytables.items()
            if rng.random() < 0.8
        }
    if rulebook == "md-wpt" and rng.random() < 0.4:  # the two tables with rules of their own
        submission.setdefault("paytables", {})["progressive"] = rng.choice("IJ")
    if rng.random() < 0.6:
        submission["readings"] = {
            name: rng.choice(choices)
            for name, choices in book.rules.readings.items()
            if rng.random() < 0.4
        }
    options = random_limits(rng, rulebook) if rng.random() < 0.4 else {}
    if book.envy_option and rng.random() < 0.3:
        options["envy_holder_must_bet"] = rng.random() < 0.7
    if options or rng.random() < 0.2:
        submission["options"] = options
    return submission


def random_limits(rng: random.Random, rulebook: str) -> dict[str, Any]:
    """Limits that their clauses allow: floors in the hold'em games, a ceiling in 235 Stud."""
    if rulebook == "ma-uth":
        return {"minimum_wager": rng.choice([5, "25.00", 90, 100, 130, 136, 150])}
    if rulebook == "md-235":
        options = {"minimum_wager": rng.choice([1, 5, "10", 45, "47.50", 100])}
        stated = rng.choice([None, "50000", 50000, "20000.00", "12345.67", 75000])
        return options if stated is None else {**options, "payout_limit": stated}
    if rng.random() < 0.3:
        return {"payout_limit": rng.choice([50000, "50000.00", "75000", "123456.78"])}
    minimum = rng.choice([1, 2, 4, 5, 10])
    # 12,000 times the minimum is above the best round with every side wager (MD-35).
    limit = rng.choice([50000, "60000"]) if minimum < 5 else 12000 * minimum
    return {"payout_limit": limit, "minimum_wager": rng.choice([minimum, f"{minimum}.00"])}


def random_meters(rng: random.Random, book: Book, submission: dict[str, Any]) -> dict[str, Amount]:
    """Mostly above the seed, sometimes eroded by 10 % awards below it, with odd cents."""
    if rng.random() < 0.3:
        return {}
    letter = submission.get("paytables", {}).get("progressive", next(iter(book.seeds)))
    meters: dict[str, Amount] = {}
    for name, seed in book.seeds[letter].items():
        if rng.random() < 0.2:
            continue
        shown = rng.randint(seed * 80, seed * 400)
        exact = f"{shown // 100}.{shown % 100:02d}"
        meters[name] = exact if rng.random() < 0.75 else shown // 100
    return meters


# Seats ------------------------------------------------------------------------------------------


def people(rng: random.Random, book: Book, numbers: Sequence[int]) -> list[dict[str, str]]:
    """Nobody named, everybody named, or one person on two adjacent boxes."""
    if rng.random() < 0.3:
        return [{} for _ in numbers]
    names = {number: f"p{number}" for number in numbers}
    neighbors = [n for n in numbers if n + 1 in numbers]
    if book.rules.several_seats and neighbors and rng.random() < 0.5:
        first = rng.choice(neighbors)
        names[first + 1] = names[first]
    return [{"player": names[number]} for number in numbers]


def random_wagers(
    rng: random.Random, rulebook: str, submission: dict[str, Any], seats: int
) -> list[dict[str, Amount]]:
    book = BOOKS[rulebook]
    options = submission.get("options", {})
    minimum = cents(options.get("minimum_wager", 0))
    high = "payout_limit" in options or rng.random() < 0.2
    stakes = [amount for amount in (HIGH if high else LOW + HIGH[:2]) if cents(amount) >= minimum]
    chips = [rng.choice(book.progressive)] if book.one_stake else list(book.progressive)
    eagerness = rng.choice([0.3, 0.6, 0.9])
    return [random_bets(rng, rulebook, submission, stakes, chips, eagerness) for _ in range(seats)]


def random_bets(
    rng: random.Random,
    rulebook: str,
    submission: dict[str, Any],
    stakes: Sequence[Amount],
    chips: Sequence[Amount],
    eagerness: float,
) -> dict[str, Amount]:
    rules = BOOKS[rulebook].rules
    base = rng.choice(stakes)
    placed: dict[str, Amount] = dict.fromkeys(rules.required, base)
    for wager in rules.optional:
        if rng.random() < eagerness:
            placed[wager] = rng.choice(chips if wager == "progressive" else stakes)
    needs_trips = submission.get("readings", {}).get("six_card_bonus_needs_trips", "yes") == "yes"
    if "six_card_bonus" in placed and "trips" not in placed and needs_trips:
        placed["trips"] = rng.choice(stakes)
    return placed


def random_actions(rng: random.Random, rules: Rules) -> list[str]:
    if not rules.has_dealer:
        return [rng.choice(stage) for stage in rules.stages]
    actions: list[str] = []
    for stage in rules.stages[:-1]:
        if rng.random() < 0.35:
            return [*actions, rng.choice([said for said in stage if said != "check"])]
        actions.append("check")
    return [*actions, "fold" if rng.random() < 0.45 else "1x"]


# Cards ------------------------------------------------------------------------------------------


def random_deal(rng: random.Random, rules: Rules, seats: int, box: bool) -> Wish:
    slots = BOARD[: rules.board_cards] + (DEALER if rules.has_dealer else []) + (BOX if box else [])
    for seat in range(seats):
        slots = slots + hole(seat, rules.hole_cards)
    scenarios = list(HOLDEM if rules.has_dealer else STUD)
    if box:
        scenarios += SIX_CARD * 4
    return deal(rng, slots, rigged(rng, scenarios, seats))


def written_deal(rng: random.Random, rulebook: str, cards: Wish, box: bool) -> dict[str, Any]:
    """The cards as the contract writes them; `hole 0` and so on are for the seats."""
    ten = "10" if rng.random() < 0.1 else "T"

    def text(slots: Sequence[str]) -> str:
        return " ".join(written(cards[slot], ten) for slot in slots)

    rules = BOOKS[rulebook].rules
    request: dict[str, Any] = {"rulebook": rulebook}
    if rules.has_dealer:
        request["dealer"] = text(DEALER)
    request["community"] = text(BOARD[: rules.board_cards])
    if box:
        request["bonus_cards"] = text(BOX)
    seats = {int(slot[1 : slot.index(".")]) for slot in cards if slot.startswith("h")}
    return request | {f"hole {i}": text(hole(i, rules.hole_cards)) for i in seats}


def written(card: Card, ten: str) -> str:
    rank, suit = card
    return (ten if rank == 10 else RANKS[rank - 2]) + suit
