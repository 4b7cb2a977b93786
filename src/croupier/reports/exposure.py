"""The exposure of a table: the bounds from the mathematics, and a round settled by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from croupier.mathematics.questions.exposure import Exposure, exposure_of
from croupier.mathematics.stakes import meters_for
from croupier.money import dollars, format_cents
from croupier.rounds.costly_rounds import CostlyRound, costly_round
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.rules import Rules

HOURS_OF_A_SHIFT: Final = 8


@dataclass(frozen=True)
class Reached:
    """The largest loss in a round in cents: `at_least` was reached, `at_most` is never exceeded.
    `dealt` is the cost of the round in `deal`."""

    at_least: int
    at_most: int
    dealt: int
    deal: dict[str, Any] | None
    words: str

    @property
    def is_exact(self) -> bool:
        return self.at_least == self.at_most


@dataclass(frozen=True)
class Exposed:
    exposure: Exposure
    seat: Reached
    table: Reached
    seats: int
    pace: int


def exposed(
    rules: Rules,
    stakes: Mapping[str, int],
    *,
    seats: int,
    pace: int,
    rounds: int,
    meters: Mapping[str, int] | None = None,
) -> Exposed:
    exposure = exposure_of(
        rules,
        stakes,
        seats=seats,
        pace=pace,
        rounds=rounds,
        meters=meters,
        limits=limits_in_force(rules),
    )
    shown = meters_for(rules, meters)
    costly = costly_round(rules, exposure.placed, shown)
    table = costly if seats == 1 else costly_round(rules, exposure.placed, shown, seats)
    known = exposure.seat.cents if exposure.seat is not None else 0
    return Exposed(
        exposure,
        _reached(costly, known, exposure.seat_at_most),
        _reached(table, known, exposure.table_at_most),
        seats,
        pace,
    )


def _reached(costly: CostlyRound | None, known: int, at_most: int) -> Reached:
    if costly is None:
        return Reached(known, at_most, 0, None, "")
    return Reached(
        max(known, costly.cents), at_most, costly.cents, _deal_object(costly), _deal_words(costly)
    )


def _deal_object(costly: CostlyRound) -> dict[str, Any]:
    played = costly.played
    return {
        "community": _cards(played.community),
        "dealer": _cards(played.dealer),
        "bonus_cards": _cards(played.box),
        "net": format_cents(costly.cents),
        "seats": [
            {
                "seat": seat.number,
                "cards": _cards(seat.cards),
                "actions": list(seat.actions),
                "net": format_cents(sum(line.net for line in lines)),
                "lines": [
                    {
                        "wager": line.wager,
                        "stake": format_cents(line.stake),
                        "net": format_cents(line.net),
                        "hand": line.reason.line,
                        "clause": line.limited_by or line.clause,
                    }
                    for line in lines
                ],
            }
            for seat, lines in zip(played.seats, costly.lines, strict=True)
        ],
    }


def _deal_words(costly: CostlyRound) -> str:
    played = costly.played
    parts = [f"community {_cards(played.community)}"] if played.community else []
    parts += [f"dealer {_cards(played.dealer)}"] if played.dealer else []
    for seat, lines in zip(played.seats, costly.lines, strict=True):
        said = ", ".join(seat.actions)
        parts.append(
            f"seat {seat.number} {_cards(seat.cards)} ({said}) "
            f"{dollars(sum(line.net for line in lines))}"
        )
    return "; ".join(parts)


def _cards(cards: tuple[Any, ...]) -> str:
    return " ".join(map(str, cards))
