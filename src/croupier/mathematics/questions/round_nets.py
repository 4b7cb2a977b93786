"""The wagers of a seat placed together: what they come to in one round, deal by deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.errors import BadRequest, RuleBroken, Unsolvable, suggest
from croupier.mathematics.payout_limits import PayoutLimit
from croupier.mathematics.questions.registry import ReportProgress, solver_for
from croupier.mathematics.stakes import stake_for
from croupier.money import dollars
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.wager_families import families_of

__all__ = ["checked_stakes", "net_distribution"]


def net_distribution(
    rules: Rules,
    stakes: Mapping[str, int],
    *,
    meters: Mapping[str, int] | None = None,
    limits: Sequence[PayoutLimit] = (),
    progress: ReportProgress = lambda _done, _all: None,
) -> dict[int, int]:
    """In how many deals the wagers placed (in cents) come to each net (in cents).

    Required wagers that must equal another may be left out of `stakes`. `limits` cut what the seat
    wins, as the settlement cuts it.
    """
    solver = solver_for(rules)
    main, sides = checked_stakes(rules, stakes)
    _one_meter(rules, sides)
    try:
        return solver.distribution(main, sides, meters, limits, progress)
    except OverflowError:
        raise Unsolvable("these stakes lead to sums that are too large to be exact") from None


def _one_meter(rules: Rules, sides: Mapping[str, int]) -> None:
    """Of two wagers on a meter the second finds what the first has left, which is not modelled."""
    fed = [name for name in sides if _has_meters(rules, name)]
    if len(fed) > 1:
        raise Unsolvable(f"{' and '.join(fed)} are paid from the same meters: place one of them")


def _has_meters(rules: Rules, name: str) -> bool:
    families = families_of(rules.book.wagers[name].settles)
    return any(f in rules.chosen and rules.paytable(f).meters for f in families)


def checked_stakes(
    rules: Rules, stakes: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """What is placed before the deal: the required wagers, at one stake, and the others."""
    book = rules.book
    for name in stakes:
        if name not in book.wagers:
            raise suggest("wager", name, book.wagers)
        if book.wagers[name].role == "decided":
            raise BadRequest(f"{name!r} is decided in play: its stake follows from the cards")
    placed = dict(stakes)
    for name in rules.required:
        led = book.wagers[name].equals
        if name not in placed and led in placed:
            placed[name] = placed[led]
        if name not in placed:
            raise RuleBroken(
                f"{name!r} must be placed: every round begins with {' and '.join(rules.required)}",
                clause=book.required_clause,
            )
    main = {name: stake_for(rules, name, placed[name]) for name in rules.required}
    if len(set(main.values())) > 1:
        told = ", ".join(f"{name} {dollars(cents)}" for name, cents in main.items())
        raise BadRequest(f"the required wagers are solved at one stake, not {told}")
    sides = {name: cents for name, cents in placed.items() if name not in main}
    for name, cents in sides.items():
        stake_for(rules, name, cents)
        missing = [other for other in book.wagers[name].needs if other not in placed]
        if missing:
            raise RuleBroken(
                f"{name!r} needs {' and '.join(missing)}", clause=book.wagers[name].needs_clause
            )
    return main, sides
