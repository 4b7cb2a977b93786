"""Every optional wager of a rulebook, exactly: one function that reads how the wager is settled.

Nothing here knows a game. The rulebook says which cards make the hand, which lines pay, what is
taken before the deal and what a meter shares; the counting is done by the modules beside.

`sides.shape` declares what each way of counting models, and whatever it does not is refused. Two
assumptions hold for all figures. Payout limits, which bind several wagers together, are left out.
And a side wager stands after a fold: where a fold takes it, its value depends on how the main game
is played, and `sessions.after_fold` does the counting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.mathematics.model import Envy, Loses, Outcome, Payment, WagerAnalysis, net_of
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.sides.deals import Counted, count_deals
from croupier.mathematics.sides.lines import LineTests, check_suits
from croupier.mathematics.sides.shape import check_side
from croupier.mathematics.stakes import meters_for, stake_for
from croupier.money import Fixed, MeterShare, Push
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    VersusDealer,
    VersusPaytable,
)

__all__ = [
    "Tally",
    "analyze_side",
    "envy_lines",
    "envy_of",
    "figures_of",
    "tally_lines",
    "tally_paytable",
]


class Tally(NamedTuple):
    """How often a wager ends in each way, before stakes and meters come in."""

    endings: tuple[tuple[str, Payment, int], ...]
    total: int


def analyze_side(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """The exact figures of a wager that is not settled against the dealer.

    `meters` are in cents; `others` are the other players, each assumed to play a hand that counts
    for envy; `hands` are those dealt in the round, the dealer's included, for a wager on the
    highest of them.
    """
    if wager not in rules.book.wagers:
        raise suggest("wager", wager, rules.book.wagers)
    check_side(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    tally, tables = _tally(rules, wager, hands)
    envy = envy_of(rules, wager, stake)
    return figures_of(rules, wager, stake, tally, tables, meters, others, envy)


def figures_of(
    rules: Rules,
    wager: str,
    stake: int,
    tally: Tally,
    tables: dict[str, str],
    meters: Mapping[str, int] | None,
    others: int,
    envy: tuple[tuple[Envy, ...], int],
) -> WagerAnalysis:
    """The figures that follow from how often a wager ends in each way."""
    if others < 0:
        raise BadRequest("others: fewer than no other players cannot sit at a table")
    taken = rules.book.wagers[wager].taken_before_deal
    own_meters = {
        pays.meter for _, pays, _ in tally.endings if isinstance(pays, MeterShare)
    } and meters_for(rules, meters)
    shown = dict(own_meters or {})
    outcomes = tuple(
        Outcome(hand, pays, net_of(pays, stake, shown, taken_before_deal=taken), count)
        for hand, pays, count in tally.endings
    )
    return WagerAnalysis(
        wager=wager,
        paytables=tables,
        stake_cents=stake,
        outcomes=outcomes,
        combinations_total=tally.total,
        meters=shown,
        resets={name: rules.resets[name] for name in shown},
        taken_before_deal=taken,
        others=others,
        envy=envy[0],
        envy_total=envy[1],
    )


def _tally(rules: Rules, wager: str, hands: int) -> tuple[Tally, dict[str, str]]:
    settles = rules.book.wagers[wager].settles
    match settles:
        case VersusPaytable():
            chosen = {settles.paytable: rules.chosen[settles.paytable]}
            return tally_paytable(rules, settles), chosen
        case EitherHandBeaten():
            from croupier.mathematics.sides.beaten import tally_beaten

            chosen = {settles.paytable: rules.chosen[settles.paytable]}
            return tally_beaten(rules, settles), chosen
        case HighestHand():
            from croupier.mathematics.sides.highest import tally_highest

            return tally_highest(rules, settles, hands), {settles.paytable: str(hands)}
        case AllWon():
            from croupier.mathematics.stud.solver import tally_all_won

            try:
                return tally_all_won(rules, settles), _tables_of_all(rules, settles)
            except Unsolvable as error:
                by = f"wagers.{wager}.settles.by is 'all_won', and {error}"
                raise refused(wager, by) from None
        case Follows():
            return _tally_follower(rules, settles, hands)
        case VersusDealer():
            raise refused(wager, f"wagers.{wager} is settled against the dealer")


def _tables_of_all(rules: Rules, settles: AllWon) -> dict[str, str]:
    """The table that pays, and those that say whether each of the wagers wins."""
    families = [settles.paytable]
    for name in settles.wagers:
        led = rules.book.wagers[name].settles
        if isinstance(led, VersusPaytable):
            families.append(led.paytable)
    return {family: rules.chosen[family] for family in families}


def _tally_follower(rules: Rules, settles: Follows, hands: int) -> tuple[Tally, dict[str, str]]:
    """A wager that follows another: its endings at its own odds, if it has any."""
    from croupier.money import parse_pays

    tally, tables = _tally(rules, settles.wager, hands)
    if not settles.pays:
        return tally, tables
    own = parse_pays(settles.pays)
    endings = tuple(
        (hand, pays if isinstance(pays, Push | Loses) else own, count)
        for hand, pays, count in tally.endings
    )
    return Tally(endings, tally.total), tables


def tally_paytable(rules: Rules, settles: VersusPaytable) -> Tally:
    """A wager settled by what a named hand shows."""
    book = rules.book
    tests = LineTests(
        rules.paytable(settles.paytable),
        book.patterns,
        settles.hand,
        tested_first=settles.tested_first,
        returns=settles.returns,
    )
    check_suits(tests, book.hands)
    counted = count_deals(tests.leaves, settles.hand, book.hands, book.cards)
    return tally_lines(tests, counted)


def tally_lines(tests: LineTests, counted: Counted) -> Tally:
    """The deals sorted by the line that pays, pushes and losses last."""
    lines = [0] * len(tests.lines)
    returned = [0] * len(tests.returns)
    lost = 0
    for held, count in counted.by_leaves.items():
        line = tests.line(held)
        if line is not None:
            lines[line] += count
            continue
        pushed = tests.returned(held)
        if pushed is not None:
            returned[pushed] += count
        else:
            lost += count
    return Tally(tuple(_endings(tests, lines, returned, lost)), counted.total)


def _endings(
    tests: LineTests, lines: Sequence[int], returned: Sequence[int], lost: int
) -> list[tuple[str, Payment, int]]:
    endings: list[tuple[str, Payment, int]] = [
        (line.hand, line.pays, count) for line, count in zip(tests.lines, lines, strict=True)
    ]
    endings += [(name, Push(), count) for name, count in zip(tests.returns, returned, strict=True)]
    endings.append(("loses", Loses(), lost))
    return endings


def envy_of(rules: Rules, wager: str, stake_cents: int) -> tuple[tuple[Envy, ...], int]:
    """What one other player's hand may bring to this wager, and the deals that it is counted in.

    Every other player is assumed to bet the wager too and to keep the hand, so it does not matter
    whether the operator asks that of the holder.
    """
    found = envy_lines(rules, wager, stake_cents)
    if found is None:
        return (), 1
    tests, hand, scale = found
    counted = count_deals(tests.leaves, hand, rules.book.hands, rules.book.cards)
    return tuple(
        Envy(line, pays.cents * scale // 100, count)
        for line, pays, count in tally_lines(tests, counted).endings
        if isinstance(pays, Fixed)
    ), counted.total


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
    tests = LineTests(rules.paytable(family, table_id), rules.book.patterns, envy.hand)
    check_suits(tests, rules.book.hands)
    return EnvyLines(tests, envy.hand, stake_cents if envy.per_dollar else 100)
