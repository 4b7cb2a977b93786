"""Others ahead who take from the meter: small cases dealt out, and the settlement's own order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb

from croupier.cards import DECK, Card, mask_of, parse_cards
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.shared_meters import change_by_others
from croupier.ranking.plain import value_of
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.commands.program import croupier
from tests.mathematics.side_wagers.in_force import InForce


def value_after_others(
    rules: Rules, wager: str, before: int, meters: Mapping[str, int] | None = None
) -> Fraction:
    """The expected net per unit of stake with this many other bettors settled earlier."""
    analysis = analyze_side(rules, wager, meters=meters)
    return analysis.own_value + change_by_others(rules, analysis, before)


def _winners(category: int) -> dict[tuple[Card, ...], list[tuple[Card, ...]]]:
    """For every flop the own cards that make the category with it."""
    found: dict[tuple[Card, ...], list[tuple[Card, ...]]] = {}
    pool = list(combinations(DECK, 5)) if category not in (8, 9) else _straight_flushes()
    for five in pool:
        if value_of(mask_of(five)) >> 20 == category:
            for own in combinations(five, 2):
                flop = tuple(card for card in five if card not in own)
                found.setdefault(flop, []).append(own)
    return found


def _straight_flushes() -> list[tuple[Card, ...]]:
    runs = [tuple(sorted((top - n) % 13 for n in range(5))) for top in range(3, 13)]
    return [tuple(DECK[13 * suit + rank] for rank in run) for suit in range(4) for run in runs]


def _meetings(category: int) -> int:
    """Ordered pairs of people who both make the category on one flop."""
    return sum(
        not set(mine) & set(theirs)
        for hands in _winners(category).values()
        for mine in hands
        for theirs in hands
    )


def test_two_straight_flushes_on_one_flop(in_force: InForce) -> None:
    """Table C: the second to be settled finds the reset instead of the meter."""
    rules = in_force("md-uth", {"progressive": "C"})
    meters = {"major": 900_000}
    alone = analyze_side(rules, "progressive", meters=meters).own_value
    lost = Fraction(900_000 - rules.resets["major"], 100)
    chance = Fraction(_meetings(8), comb(52, 3) * comb(49, 2) * comb(47, 2))
    assert chance > 0
    for before in (0, 1, 2, 5):  # never three at once, so every one ahead adds the same
        value = value_after_others(rules, "progressive", before, meters=meters)
        assert alone - value == before * chance * lost


def test_full_houses_meet_often(in_force: InForce) -> None:
    """Jackpot table B pays them from a meter; one player ahead, every flop dealt out."""
    rules = in_force("md-jackpot", {"progressive": "B"})
    meters = {"diamond": 50_000}
    alone = analyze_side(rules, "progressive", meters=meters).own_value
    deals = comb(52, 3) * comb(49, 2) * comb(47, 2)
    chance = Fraction(_full_house_meetings(), deals)
    lost = Fraction(50_000 - rules.resets["diamond"], 100)
    value = value_after_others(rules, "progressive", 1, meters=meters)
    # Straight flushes may meet as well, but that meter stands at its reset.
    assert alone - value == chance * lost


def _full_house_meetings() -> int:
    """On xxy: x-y or y-y; on xxx: pocket pairs. Counted on one flop of each kind."""
    total = 0
    for text, flops in (("2c 2d 3c", 13 * 6 * 48), ("2c 2d 2h", 13 * 4)):
        flop = parse_cards(text)
        left = [card for card in DECK if card not in flop]
        hands = [
            own for own in combinations(left, 2) if value_of(mask_of((*flop, *own))) >> 20 == 6
        ]
        total += flops * sum(not set(a) & set(b) for a in hands for b in hands)
    return total


def test_a_shared_royal_is_paid_ten_percent_after_another(in_force: InForce) -> None:
    rules = in_force("md-wpt", {"progressive": "A"})
    alone = value_after_others(rules, "progressive", 0)
    third = value_after_others(rules, "progressive", 2)
    seed = rules.resets["main"] // 100
    assert alone - third == Fraction(4, comb(52, 5)) * Fraction(seed, 10) * (1 - Fraction(81, 100))
    fixed = in_force("md-wpt", {"progressive": "G"})
    assert value_after_others(fixed, "progressive", 5) == value_after_others(
        fixed, "progressive", 0
    )


def test_flopped_straight_flushes_of_table_i(in_force: InForce) -> None:
    rules = in_force("md-wpt", {"progressive": "I"})
    meters = {"main": 2_000_000}
    alone = value_after_others(rules, "progressive", 0, meters=meters)
    one = value_after_others(rules, "progressive", 1, meters=meters)
    both = {8: _winners(8), 9: _winners(9)}
    flops = {*both[8], *both[9]}
    meetings = 0
    for flop in flops:
        hands = both[8].get(flop, []) + both[9].get(flop, [])
        meetings += sum(not set(a) & set(b) for a in hands for b in hands)
    chance = Fraction(meetings, comb(52, 3) * comb(49, 2) * comb(47, 2))
    assert alone - one == chance * (20_000 - Fraction(rules.resets["main"], 100))


def test_the_settlement_pays_in_that_order(in_force: InForce) -> None:
    rules = in_force("md-uth", {"progressive": "C"})
    wagers = {"ante": 1000, "blind": 1000, "progressive": 100}
    actions = ("check", "check", "1x")
    seats = (
        PlayedSeat(1, "last", parse_cards("4s 5s"), wagers, actions),
        PlayedSeat(6, "first", parse_cards("9s Ts"), wagers, actions),
    )
    board, dealer = parse_cards("6s 7s 8s 2c Kd"), parse_cards("Ah Ac")
    settled = settle(CompletedRound(seats, board, dealer), rules, {"major": 900_000})
    nets = {
        seat.player: line.net
        for seat in settled.seats
        for line in seat.lines
        if line.wager == "progressive"
    }
    assert nets == {"first": 900_000 - 100, "last": rules.resets["major"] - 100}


def test_analyze_tells_what_the_last_to_be_settled_gets(in_force: InForce) -> None:
    rules = in_force("md-uth", {"progressive": "C"})
    asked = Asked(meters={"major": 900_000}, others=2)
    found = analyze(rules, "progressive", asked)
    value = value_after_others(rules, "progressive", 2, meters=asked.meters)
    envy = analyze_side(rules, "progressive").envy_per_player
    assert envy > 0
    exact = Fraction(str(found["expected_value_in_company_exact"]))
    assert exact == value + 2 * envy < Fraction(str(found["expected_value_exact"]))
    assert found["expected_value_in_company"] == float(exact)
    assert "expected_value_in_company" not in analyze(rules, "progressive")
    assert "expected_value_in_company" not in analyze(rules, "trips", Asked(others=2))


def test_where_a_fold_loses_it_no_hand_of_a_meter_is_folded(in_force: InForce) -> None:
    """So those ahead take from the meter as often as under the other reading."""
    asked = Asked(meters={"main": 2_000_000}, others=1)
    lost, stands = (
        analyze(in_force("md-wpt", {"progressive": "I"}, readings), "progressive", asked)
        for readings in ({"side_wagers_after_fold": "lose"}, {})
    )
    changes = {
        Fraction(str(one["expected_value_in_company_exact"]))
        - Fraction(str(one["expected_value_exact"]))
        for one in (lost, stands)
    }
    assert len(changes) == 1
    assert changes.pop() < 0


def test_the_command_prints_it(in_force: InForce) -> None:
    ended = croupier("analyze", "md-235", "--wager", "progressive", "--others", "2")
    assert ended.code == 0
    assert "progressive, settled after all 2 others: house edge" in " ".join(ended.text.split())
