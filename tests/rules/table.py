"""A table to play test rounds on: told as a dealer would tell them, settled by the real thing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from croupier.errors import CroupierError
from croupier.rounds.settle_requests import RequestSettler

__all__ = ["Settled", "refused", "seat", "settle"]

_SETTLER = RequestSettler()


class Settled:
    """The contract's answer, with short ways to what a test asks about."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        self.dealer = answer["dealer"]
        self.meters: dict[str, str] = answer["meters"]

    def seat(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = next(s for s in self.answer["seats"] if s["seat"] == number)
        return found

    def line(self, wager: str, number: int = 1) -> dict[str, Any] | None:
        return next((x for x in self.seat(number)["lines"] if x["wager"] == wager), None)

    def net(self, wager: str, number: int = 1) -> str:
        """What the wager changed in the player's money, as the contract prints it."""
        line = self.line(wager, number)
        assert line is not None, f"seat {number} has no {wager} line"
        return str(line["net"])

    def result(self, wager: str, number: int = 1) -> str:
        line = self.line(wager, number)
        assert line is not None, f"seat {number} has no {wager} line"
        return str(line["result"])

    def clause(self, wager: str, number: int = 1) -> str:
        line = self.line(wager, number)
        assert line is not None, f"seat {number} has no {wager} line"
        return str(line["clause"])


def seat(
    cards: str, said: str = "", number: int = 1, player: str | None = None, **wagers: int | str
) -> dict[str, Any]:
    """`seat("Ah Ad", "check 2x", ante=10, blind=10)`."""
    told: dict[str, Any] = {"seat": number, "cards": cards, "wagers": wagers}
    told["actions"] = said.split()
    if player is not None:
        told["player"] = player
    return told


def settle(
    rulebook: str,
    *seats: dict[str, Any],
    community: str = "",
    dealer: str | None = None,
    box: str | None = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    meters: Mapping[str, Any] | None = None,
    **submission: Any,
) -> Settled:
    request = {
        "rulebook": rulebook,
        "seats": list(seats),
        "community": community,
        "dealer": dealer,
        "bonus_cards": box,
        "meters": dict(meters or {}),
        "submission": {
            "paytables": dict(paytables or {}),
            "readings": dict(readings or {}),
            "options": dict(options or {}),
            **submission,
        },
    }
    return Settled(_SETTLER.settle_line(json.dumps(request)))


def refused(rulebook: str, *seats: dict[str, Any], **told: Any) -> CroupierError:
    """The refusal of a round that cannot have been played."""
    try:
        settle(rulebook, *seats, **told)
    except CroupierError as error:
        return error
    raise AssertionError("the round was settled, but should have been refused")
