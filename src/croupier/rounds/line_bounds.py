"""The least and the most that a wager of a finished round could have come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.money import Pays, parse_pays
from croupier.rounds.coupons import MATCH_PLAY
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.resolvers import Ruling, net_of
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import Reason, Round, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Follows, Paytable
from croupier.rulebooks.wager_families import tables_in_force

__all__ = ["net_bounds"]


def net_bounds(
    played: Round, seat: SeatInRound, wager: str, rules: Rules, meters: Mapping[str, int]
) -> tuple[int, int]:
    """In cents, as the change in the player's money. `meters`: what each of them showed; one that
    is not named stands at its reset amount."""
    stakes = seat.wagers | seat.decided
    bonus = rules.book.bonuses.get(wager)
    if wager == MATCH_PLAY:
        return 0, seat.coupon
    if wager == "envy":
        return 0, _most_envy(played, seat, rules)
    stake = stakes.get(wager if bonus is None else bonus.on, 0)
    pays = _pays(wager, rules) if bonus is None else _lines([rules.paytable(bonus.paytable)])
    early = wager in flow_of(rules).taken_before_deal
    highest = max((_net(line, stake, rules, meters, early=early) for line in pays), default=0)
    for limit in limits_in_force(rules):
        if wager in limit.covers:
            highest = min(highest, limit.cents)
    return (-stake if bonus is None else 0), max(0, highest)


def _net(pays: Pays, stake: int, rules: Rules, meters: Mapping[str, int], *, early: bool) -> int:
    win = Ruling("win", "", Reason("hand_paid"), pays)
    shown = {**rules.resets, **meters}
    return net_of(win, stake, shown, rules.resets, taken_before_deal=early)


def _pays(wager: str, rules: Rules) -> Iterator[Pays]:
    """Every line by which the wager can be paid; one that follows another at its odds has its."""
    settles = rules.book.wagers[wager].settles
    if isinstance(settles, Follows):
        if settles.pays:
            yield parse_pays(settles.pays)
        else:
            yield from _pays(settles.wager, rules)
        return
    yield from _lines(table for _, _, table in tables_in_force(rules, settles))


def _lines(tables: Iterable[Paytable]) -> Iterator[Pays]:
    for table in tables:
        yield from (parse_pays(line.pays) for line in table.lines)


def _most_envy(played: Round, seat: SeatInRound, rules: Rules) -> int:
    """Everybody else at the table holds the best hand of the envy table."""
    envy = rules.book.envy
    if envy is None or envy.on not in seat.wagers:
        return 0
    letter = rules.chosen[getattr(rules.book.wagers[envy.on].settles, "paytable", "")]
    families = [rules.book.paytables[family] for family in envy.tables.values()]
    tables = [family[letter] for family in families if letter in family]
    best = max((_net(pays, 0, rules, {}, early=False) for pays in _lines(tables)), default=0)
    others = sum(other.player != seat.player for other in played.seats)
    return best * others * (seat.wagers[envy.on] if envy.per_dollar else 100) // 100
