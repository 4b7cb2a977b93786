"""Links to test on: opened, moved by commands, refused; told in few words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.progressives import (
    Award,
    Awarded,
    Command,
    Contribute,
    Event,
    FinishRound,
    Link,
    LinkMeterTerms,
    LinkRefusal,
    OpenLink,
    TableTerms,
    decide,
    evolve,
    meter_terms,
    table_terms,
)
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force, seed_floors
from croupier.rulebooks.submission import Submission

STAKE = {"md-uth": 5, "ma-uth": 5, "md-jackpot": 5, "md-wpt": 1, "md-235": 5}
PAYTABLES = [
    (rulebook, table)
    for rulebook in DOCUMENTS
    for table in load_rulebook(rulebook).default.paytables["progressive"]
]


def papers(
    rulebook: str = "md-uth",
    paytable: str = "A",
    *,
    rate: str = "0.25",
    above: int = 0,
    **told: Any,
) -> tuple[Rules, Submission]:
    """A submission with every meter at its floor plus `above` dollars."""
    stakes = told.pop("stakes", [STAKE[rulebook]])
    file = load_rulebook(rulebook)
    told["paytables"] = {"progressive": paytable, **told.get("paytables", {})}
    floors = seed_floors(file.under(told.get("readings", {})), {"progressive": paytable})
    meters = {
        name: {"seed": cents // 100 + above, "reset": cents // 100 + above, "rate": rate}
        for name, cents in floors.items()
    }
    told["progressive"] = {"stakes": stakes, "meters": meters}
    submission = msgspec.convert(told, Submission)
    return put_in_force(file, submission), submission


def terms(rulebook: str = "md-uth", paytable: str = "A", **told: Any) -> TableTerms:
    return table_terms(told.pop("table", "one"), papers(rulebook, paytable, **told)[0])


def opening(
    rulebook: str = "md-uth",
    paytable: str = "A",
    *,
    meters: Mapping[str, LinkMeterTerms] | None = None,
    link: str = "pot",
    validate_all: bool = True,
    **told: Any,
) -> OpenLink:
    table = told.pop("table", "one")
    rules, submission = papers(rulebook, paytable, **told)
    return OpenLink(
        link=link,
        table=table_terms(table, rules),
        meters=dict(meters or meter_terms(rules, submission)),
        by="Ann",
        validate_all=validate_all,
    )


def opened(rulebook: str = "md-uth", paytable: str = "A", **told: Any) -> Link:
    link = None
    for event in decide(None, opening(rulebook, paytable, **told)):
        link = evolve(link, event)
    assert link is not None
    return link


def after(link: Link, *commands: Command) -> Link:
    for command in commands:
        for event in decide(link, command):
            link = evolve(link, event)
    return link


def happens(link: Link, command: Command) -> Event:
    (event,) = decide(link, command)
    return event


def refused(link: Link | None, command: Command) -> LinkRefusal:
    try:
        decide(link, command)
    except LinkRefusal as refusal:
        return refusal
    raise AssertionError(f"{command} was not refused")


def bets(number: int, *seats: int, table: str = "one", stake: int = 500) -> Contribute:
    return Contribute(table=table, round=number, stakes=tuple((seat, stake) for seat in seats))


def wins(seat: int, hand: str, number: int = 1, table: str = "one", **told: Any) -> Award:
    told.setdefault("validated_by", "Flo")
    return Award(table=table, round=number, seat=seat, hand=hand, **told)


def finish(number: int, table: str = "one") -> FinishRound:
    return FinishRound(table=table, round=number)


def paid(link: Link, award: Award) -> tuple[int, Link]:
    """The cents, and the link after it."""
    event = happens(link, award)
    assert isinstance(event, Awarded)
    return event.cents, evolve(link, event)
