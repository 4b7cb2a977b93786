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
    """Return the families of paytables by which a wager is paid."""
    if isinstance(settles, VersusPaytable | EitherHandBeaten | HighestHand | AllWon):
        return (settles.paytable,)
    if isinstance(settles, VersusDealer):
        paid = [outcome.paytable for _, outcome in outcomes_of(settles) if outcome.do == "pay"]
        return tuple(dict.fromkeys(paid))
    assert isinstance(settles, Follows)
    return ()


def outcomes_of(settles: VersusDealer) -> Iterator[tuple[str, Outcome]]:
    """Return the possible outcomes of a wager at the showdown, each with its place."""
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
    """Return the tables in force by which a wager is paid; all of them if the number of hands
    selects one."""
    for family in families_of(settles):
        if family in rules.chosen:
            yield family, rules.chosen[family], rules.paytable(family)
        else:
            for table_id, table in rules.book.paytables[family].items():
                yield family, table_id, table
