"""A settle request, read strictly: anything that the contract or a rulebook forbids is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.oracle.common import Paytable, cents
from tests.oracle.hands import Card, parse_cards

Choices = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Rules:
    """What reading a request needs to know about a rulebook."""

    required: tuple[str, ...]  # equal stakes
    optional: tuple[str, ...]
    stages: tuple[tuple[str, ...], ...]  # what may be said at each decision
    paytables: Mapping[str, Mapping[str, Paytable]]
    readings: Choices  # the first choice is the default
    progressive_stakes: tuple[int, ...]  # legal stakes in cents; empty: any
    several_seats: bool  # may one person bet several boxes?
    hole_cards: int = 2
    board_cards: int = 5
    has_dealer: bool = True


@dataclass(frozen=True)
class Seat:
    number: int
    person: str
    cards: list[Card]
    stakes: dict[str, int]
    actions: tuple[str, ...]

    @property
    def folded(self) -> bool:
        return self.actions[-1] == "fold"

    @property
    def multiple(self) -> int:
        """4 for a bet of 4x, 0 after a fold."""
        return 0 if self.folded else int(self.actions[-1][0])


@dataclass(frozen=True)
class Round:
    rules: Rules
    chosen: dict[str, str]
    readings: dict[str, str]
    options: dict[str, Any]
    given_meters: dict[str, Any]
    dealer: list[Card]
    community: list[Card]
    bonus: list[Card]
    seats: list[Seat]

    def table(self, wager: str) -> Paytable:
        return self.rules.paytables[wager][self.chosen[wager]]

    def reads(self, name: str, choice: str) -> bool:
        if choice not in self.rules.readings[name]:
            raise KeyError(choice)
        return self.readings[name] == choice

    @property
    def limit(self) -> int | None:
        """The operator's payout limit, in cents; none unless the submission sets one."""
        given = self.options.get("payout_limit")
        return None if given is None else cents(given)

    @property
    def minimum(self) -> int:
        return cents(self.options.get("minimum_wager", 0))


def refuse_unless(good: bool, why: str) -> None:
    if not good:
        raise ValueError(why)


def read_round(request: Mapping[str, Any], rules: Rules) -> Round:
    submission = request.get("submission") or {}
    seats = [read_seat(seat, rules) for seat in request["seats"]]
    given = Round(
        rules=rules,
        chosen=read_paytables(submission.get("paytables") or {}, rules),
        readings=read_readings(submission.get("readings") or {}, rules),
        options=dict(submission.get("options") or {}),
        given_meters=dict(request.get("meters") or {}),
        dealer=parse_cards(request["dealer"], 2) if rules.has_dealer else [],
        community=parse_cards(request["community"], rules.board_cards),
        bonus=parse_cards(request["bonus_cards"], 4) if request.get("bonus_cards") else [],
        seats=seats,
    )
    check_seats(given)
    check_deck(given)
    return given


def read_paytables(given: Mapping[str, str], rules: Rules) -> dict[str, str]:
    refuse_unless(set(given) <= set(rules.paytables), "unknown wager among paytables")
    chosen = {wager: next(iter(tables)) for wager, tables in rules.paytables.items()}
    for wager, name in given.items():
        refuse_unless(name in rules.paytables[wager], f"no paytable {name} for {wager}")
        chosen[wager] = name
    return chosen


def read_readings(given: Mapping[str, str], rules: Rules) -> dict[str, str]:
    refuse_unless(set(given) <= set(rules.readings), "unknown reading")
    readings = {name: choices[0] for name, choices in rules.readings.items()}
    for name, choice in given.items():
        refuse_unless(choice in rules.readings[name], f"no choice {choice} for {name}")
        readings[name] = choice
    return readings


def read_seat(seat: Mapping[str, Any], rules: Rules) -> Seat:
    number = seat["seat"]
    refuse_unless(type(number) is int and 1 <= number <= 6, "seats are 1 to 6")
    stakes = {wager: cents(amount) for wager, amount in seat["wagers"].items()}
    check_stakes(stakes, rules)
    actions = tuple(seat["actions"])
    check_actions(actions, rules)
    person = str(seat["player"]) if seat.get("player") is not None else f"#seat {number}"
    return Seat(number, person, parse_cards(seat["cards"], rules.hole_cards), stakes, actions)


def check_stakes(stakes: Mapping[str, int], rules: Rules) -> None:
    refuse_unless(set(stakes) <= {*rules.required, *rules.optional}, "unknown wager")
    refuse_unless(set(rules.required) <= set(stakes), "a required wager is missing")
    refuse_unless(all(stake > 0 for stake in stakes.values()), "a stake must be positive")
    refuse_unless(len({stakes[w] for w in rules.required}) == 1, "required wagers must be equal")
    if "progressive" in stakes and rules.progressive_stakes:
        refuse_unless(stakes["progressive"] in rules.progressive_stakes, "progressive stake")


def check_actions(actions: tuple[str, ...], rules: Rules) -> None:
    """Check until the bet; the last decision is a bet or a fold. 235 Stud decides at each stage."""
    refuse_unless(0 < len(actions) <= len(rules.stages), "wrong number of actions")
    legal = all(said in stage for said, stage in zip(actions, rules.stages, strict=False))
    refuse_unless(legal, f"illegal action in {actions}")
    if rules.has_dealer:
        refuse_unless(all(said == "check" for said in actions[:-1]), "a bet ends the decisions")
        refuse_unless(actions[-1] != "check", "decisions are missing")
    else:
        refuse_unless(len(actions) == len(rules.stages), "decisions are missing")


def check_seats(given: Round) -> None:
    numbers = [seat.number for seat in given.seats]
    refuse_unless(0 < len(numbers) == len(set(numbers)), "seats must differ")
    for person in {seat.person for seat in given.seats}:
        boxes = sorted(seat.number for seat in given.seats if seat.person == person)
        refuse_unless(len(boxes) == 1 or given.rules.several_seats, "one position per player")
        adjacent = boxes == list(range(boxes[0], boxes[0] + len(boxes)))
        refuse_unless(adjacent, "a player's boxes must be adjacent")


def check_deck(given: Round) -> None:
    out = given.dealer + given.community + given.bonus
    for seat in given.seats:
        out = out + seat.cards
    refuse_unless(len(out) == len(set(out)), "a card is dealt twice")
