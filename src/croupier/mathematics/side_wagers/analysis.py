"""Every optional wager of a rulebook, exactly: one function that reads how the wager is settled.

Nothing here knows a game. The rulebook says which cards make the hand, which lines pay, what is
taken before the deal and what a meter shares; the other modules of this package count.
`side_wagers.shape` declares what each way of counting models, and anything else is refused.

Two assumptions hold for all figures. Payout limits, which bind several wagers together, are left
out. And a side wager stands after a fold: if a fold loses it, its value depends on how the main
game is played, and `questions.lost_with_fold` counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.errors import BadRequest, suggest
from croupier.mathematics.game.course import led_by
from croupier.mathematics.game.payments import Loses, net_of
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.model import EnvyPayment, WagerAnalysis, WagerOutcome
from croupier.mathematics.shapes import refused
from croupier.mathematics.side_wagers.by_strength import tally_beaten
from croupier.mathematics.side_wagers.deals import WagerTally, count_deals, tally_lines
from croupier.mathematics.side_wagers.highest import tally_highest
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.stakes import meters_for, stake_for
from croupier.money import Fixed, MeterShare, Push, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    VersusPaytable,
)
from croupier.rulebooks.wager_families import families_of


def analyze_side(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,
) -> WagerAnalysis:
    """Return the exact figures of a wager that is not settled against the dealer.

    `meters` are in cents; `others` are the other players, each assumed to play a hand that counts
    for envy; `hands` are those dealt in the round, the dealer's included, for a wager on the
    highest of them.
    """
    if wager not in rules.book.wagers:
        raise suggest("wager", wager, rules.book.wagers)
    check_side(rules, wager)
    stake = stake_for(rules, wager, stake_cents)
    tally, envy = _tally(rules, wager, hands), envy_of(rules, wager, stake)
    return figures_of(rules, wager, stake, tally, meters, others, hands=hands, envy=envy)


def figures_of(
    rules: Rules,
    wager: str,
    stake: int,
    tally: WagerTally,
    meters: Mapping[str, int] | None,
    others: int,
    *,
    hands: int = 2,
    envy: tuple[tuple[EnvyPayment, ...], int] = ((), 1),
) -> WagerAnalysis:
    """Return the figures that follow from how often a wager ends in each way."""
    most = rules.book.positions.most - 1
    if not 0 <= others <= most:
        raise BadRequest(
            f"others is {others}, but must be 0 to {most}: the other players at a table"
        )
    taken = rules.book.wagers[wager].taken_before_deal
    own_meters = {
        pays.meter for _, pays, _ in tally.endings if isinstance(pays, MeterShare)
    } and meters_for(rules, meters)
    shown = dict(own_meters or {})
    outcomes = tuple(
        WagerOutcome(hand, pays, net_of(pays, stake, shown, taken_before_deal=taken), count)
        for hand, pays, count in tally.endings
    )
    return WagerAnalysis(
        wager=wager,
        paytables=_tables(rules, wager, hands),
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


def _tables(rules: Rules, wager: str, hands: int) -> dict[str, str]:
    """Return the tables by which a wager is paid, or that say whether others win."""
    book = rules.book
    settles = book.wagers[led_by(book, wager)].settles
    looked_at = [settles]
    if isinstance(settles, AllWon):
        looked_at += [book.wagers[name].settles for name in settles.wagers]
    families = [family for each in looked_at for family in families_of(each)]
    return {family: rules.chosen.get(family, str(hands)) for family in families}


def _tally(rules: Rules, wager: str, hands: int) -> WagerTally:
    match rules.book.wagers[wager].settles:
        case VersusPaytable() as settles:
            tests = line_tests(rules, settles)
            return tally_lines(tests, count_deals(tests.leaves, settles.hand, rules.book))
        case EitherHandBeaten() as settles:
            return tally_beaten(rules, settles)
        case HighestHand() as settles:
            return tally_highest(rules, settles, hands)
        case Follows() as settles:
            return _tally_follower(rules, settles, hands)
        case settles:
            raise refused(wager, f"wagers.{wager}.settles.by is {settles.__struct_config__.tag!r}")


def _tally_follower(rules: Rules, settles: Follows, hands: int) -> WagerTally:
    """Return the tally of a wager that follows another, at its own odds if it has any."""
    tally = _tally(rules, settles.wager, hands)
    if not settles.pays:
        return tally
    own = parse_pays(settles.pays)
    endings = [
        (hand, pays if isinstance(pays, Push | Loses) else own, count)
        for hand, pays, count in tally.endings
    ]
    return WagerTally(tuple(endings), tally.total)


# -- the Envy Bonus --------------------------------------------------------------------------------


class EnvyLines(NamedTuple):
    """The lines with which another player's `hand` is compared; `scale` cents are paid for each
    dollar printed."""

    tests: LineTests
    hand: str
    scale: int


def envy_lines(rules: Rules, wager: str, stake_cents: int) -> EnvyLines | None:
    """Return the envy table that goes with a wager at this stake, if there is one."""
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
    """Return what one other player's hand may pay this bettor, and the number of deals it is
    counted in.

    Every other player is assumed to bet the wager too and to keep the hand, so it does not matter
    whether the operator requires that of the holder.
    """
    lines = envy_lines(rules, wager, stake_cents)
    if lines is None:
        return (), 1
    tests, hand, scale = lines
    counted = count_deals(tests.leaves, hand, rules.book)
    return tuple(
        EnvyPayment(line, pays.cents * scale // 100, count)
        for line, pays, count in tally_lines(tests, counted).endings
        if isinstance(pays, Fixed)
    ), counted.total
