"""The paytables by which a wager can be paid."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Outcome,
    Paytable,
    Resolver,
    Showdown,
    VersusDealer,
    VersusPaytable,
)


def families_of(settles: Resolver) -> tuple[str, ...]:
    """The families of paytables that a wager is paid by."""
    if isinstance(settles, VersusPaytable | EitherHandBeaten | HighestHand | AllWon):
        return (settles.paytable,)
    if isinstance(settles, VersusDealer):
        paid = [outcome.paytable for _, outcome in outcomes_of(settles) if outcome.do == "pay"]
        return tuple(dict.fromkeys(paid))
    assert isinstance(settles, Follows)
    return ()


def outcomes_of(settles: VersusDealer) -> Iterator[tuple[str, Outcome]]:
    """What may become of a wager at the showdown, with its place."""
    for name in ("qualified", "unqualified"):
        showdown: Showdown | None = getattr(settles, name)
        if showdown is not None:
            for how in ("higher", "equal", "lower"):
                outcome: Outcome | None = getattr(showdown, how)
                where = f"{name}.{how}"
                while outcome is not None:
                    yield where, outcome
                    outcome, where = outcome.otherwise, f"{where}.otherwise"


def tables_in_force(rules: Rules, settles: Resolver) -> Iterator[tuple[str, str, Paytable]]:
    """The tables in force that a wager is paid by; by number of hands, all of them."""
    for family in families_of(settles):
        if family in rules.chosen:
            yield family, rules.chosen[family], rules.paytable(family)
        else:
            for table_id, table in rules.book.paytables[family].items():
                yield family, table_id, table
