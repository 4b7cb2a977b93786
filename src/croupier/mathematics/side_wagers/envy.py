"""What the hands of other people bring to a wager: the Envy Bonus counted for one of them."""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.model import EnvyPayment
from croupier.mathematics.side_wagers.deals import count_deals
from croupier.mathematics.side_wagers.wager_tallies import tally_lines
from croupier.money import Fixed
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    VersusPaytable,
)

__all__ = ["EnvyLines", "envy_lines", "envy_of"]


class EnvyLines(NamedTuple):
    """The lines that another player's `hand` is held against; `scale` cents are paid for each
    dollar printed."""

    tests: LineTests
    hand: str
    scale: int


def envy_lines(rules: Rules, wager: str, stake_cents: int) -> EnvyLines | None:
    """The envy table that goes with a wager at this stake, if there is one."""
    envy = rules.book.envy
    if envy is None or envy.on != wager:
        return None
    settles = rules.book.wagers[wager].settles
    if not isinstance(settles, VersusPaytable):
        return None
    table_id = rules.chosen[settles.paytable]
    by_stake = {None if key == "any" else int(key) * 100: name for key, name in envy.tables.items()}
    family = by_stake.get(stake_cents) or by_stake.get(None)
    if family is None or table_id not in rules.book.paytables[family]:
        return None
    looked_up = VersusPaytable(hand=envy.hand, paytable=family, lost="")
    tests = line_tests(rules, looked_up, table_id)
    return EnvyLines(tests, envy.hand, stake_cents if envy.per_dollar else 100)


def envy_of(rules: Rules, wager: str, stake_cents: int) -> tuple[tuple[EnvyPayment, ...], int]:
    """What one other player's hand may bring to this wager, and the deals that it is counted in.

    Every other player is assumed to bet the wager too and to keep the hand, so it does not matter
    whether the operator asks that of the holder.
    """
    found = envy_lines(rules, wager, stake_cents)
    if found is None:
        return (), 1
    tests, hand, scale = found
    counted = count_deals(tests.leaves, hand, rules.book)
    return tuple(
        EnvyPayment(line, pays.cents * scale // 100, count)
        for line, pays, count in tally_lines(tests, counted).endings
        if isinstance(pays, Fixed)
    ), counted.total
