"""Figures that others published, or that the readings were decided by, reproduced exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.deals import ranked_rows
from croupier.mathematics.side_wagers.highest import total_deals
from croupier.ranking.built_in import built_in
from tests.mathematics.side_wagers.in_force import InForce

SEVEN = {
    "royal_flush": 4_324,
    "straight_flush": 37_260,
    "four_of_a_kind": 224_848,
    "full_house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three_of_a_kind": 6_461_620,
}

EDGES = [
    # rulebook, wager, table, edge in percent as the readings give it
    ("md-uth", "trips", "A", "0.90"),
    ("md-uth", "trips", "B", "1.90"),
    ("md-uth", "trips", "C", "3.50"),
    ("md-uth", "trips", "D", "6.18"),
    ("md-uth", "trips", "E", "4.50"),
    ("md-uth", "six_card_bonus", "A", "13.0"),
    ("md-uth", "six_card_bonus", "B", "17.4"),
    ("md-uth", "ultimate_pairs", "A", "8.9"),
    ("md-uth", "ultimate_pairs", "B", "8.5"),
    ("md-uth", "ultimate_pairs", "C", "4.5"),
    ("md-uth", "ultimate_pairs", "D", "4.7"),
    ("md-uth", "ultimate_pairs", "E", "4.9"),
    ("md-uth", "ultimate_pairs", "F", "6.8"),
    ("md-uth", "play_the_board", "A", "3.1"),
    ("md-uth", "play_the_board", "B", "5.2"),
    ("md-uth", "play_the_board", "C", "7.2"),
    ("md-uth", "bad_beat", "A", "20.4"),
    ("md-uth", "bad_beat", "B", "14.8"),
    ("md-uth", "bad_beat", "C", "16.6"),
    ("md-jackpot", "player_bonus", "A", "3.336"),
    ("md-wpt", "pocket_bonus", "A", "4.525"),
    ("md-wpt", "pocket_bonus", "B", "6.787"),
    ("md-wpt", "pocket_bonus", "C", "9.955"),
    ("md-wpt", "trips_plus", "A", "0.740"),
    ("md-wpt", "trips_plus", "B", "1.742"),
    ("md-wpt", "trips_plus", "C", "4.339"),
    ("md-wpt", "trips_plus", "D", "3.336"),
    ("md-235", "win_em_all", "only", "8.71"),
]

RETURNS = [
    # at the seeds and $1, the stake not counted as a loss
    *[
        ("md-jackpot", letter, r)
        for letter, r in zip("ABCDE", (754, 832, 743, 826, 1112), strict=True)
    ],
    *[
        ("md-wpt", letter, r)
        for letter, r in zip(
            "ABCDEFGHIJ", (5685, 5845, 5848, 6054, 5973, 5199, 5444, 5743, 5831, 5444), strict=True
        )
    ],
    *[("md-235", letter, r) for letter, r in zip("ABCD", (5598, 5364, 5598, 5478), strict=True)],
]


def _rounds_to(value: Fraction, text: str) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(value - Fraction(text)) <= Fraction(1, 2 * 10**decimals)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_every_hand_is_counted_once(cards: int) -> None:
    assert int(ranked_rows(built_in("five_card"), cards)[1].sum()) == comb(52, cards)


@pytest.mark.parametrize(("book", "wager", "table", "edge"), EDGES)
def test_edges_of_the_readings(
    in_force: InForce, book: str, wager: str, table: str, edge: str
) -> None:
    rules = in_force(book, {wager: table})
    assert _rounds_to(100 * analyze_wager(rules, wager).house_edge, edge)


def test_seven_card_counts(in_force: InForce) -> None:
    found = {o.hand: o.combinations for o in analyze_side(in_force("md-uth"), "trips").outcomes}
    assert {hand: found[hand] for hand in SEVEN} == SEVEN
    assert found["loses"] == comb(52, 7) - sum(SEVEN.values())


@pytest.mark.parametrize(("book", "table", "permille"), RETURNS)
def test_returns_of_the_progressives(
    in_force: InForce, book: str, table: str, permille: int
) -> None:
    analysis = analyze_side(in_force(book, {"progressive": table}), "progressive")
    scale = 1000 if book == "md-jackpot" else 10000
    assert abs(scale * (1 + analysis.own_value) - permille) < 1


def test_md_uth_progressive_parts(in_force: InForce) -> None:
    as_to = analyze_side(in_force("md-uth"), "progressive")
    as_for = analyze_side(in_force("md-uth", readings={"progressive_a_odds": "for"}), "progressive")
    assert _rounds_to(100 * as_to.return_without_meters, "55.93")
    assert _rounds_to(100 * as_for.return_without_meters, "53.06")
    for letter, fixed in (("C", "47.97"), ("D", "45.85")):
        analysis = analyze_side(in_force("md-uth", {"progressive": letter}), "progressive")
        assert _rounds_to(100 * analysis.return_without_meters, fixed)
    readings = {"progressive_hand": "best_of_seven", "progressive_a_odds": "for"}
    seven = analyze_side(in_force("md-uth", readings=readings), "progressive")
    assert _rounds_to(seven.return_without_meters, "4.83")


def test_jackpot_on_seven_cards(in_force: InForce) -> None:
    for letter, back in zip("ABCDE", ("5.87", "7.29", "6.20", "7.66", "13.27"), strict=True):
        rules = in_force(
            "md-jackpot", {"progressive": letter}, {"progressive_hand": "best_of_seven"}
        )
        assert _rounds_to(1 + analyze_side(rules, "progressive").own_value, back)


def test_jackpot_e_at_other_stakes(in_force: InForce) -> None:
    rules = in_force("md-jackpot", {"progressive": "E"})
    for dollars, back in ((2, "77.0"), (5, "56.4")):
        analysis = analyze_side(rules, "progressive", stake_cents=100 * dollars)
        assert _rounds_to(100 * (1 + analysis.own_value), back)


def test_235_progressive_at_five_dollars(in_force: InForce) -> None:
    for letter, back in zip("ABCD", (".5364", ".5317", ".5364", ".4764"), strict=True):
        rules = in_force("md-235", {"progressive": letter})
        analysis = analyze_side(rules, "progressive", stake_cents=500)
        assert _rounds_to(1 + analysis.own_value, back)


def test_six_card_bonus_at_five_dollars(in_force: InForce) -> None:
    for letter, edge in (("A", "18.1"), ("B", "19.0")):
        rules = in_force("md-uth", {"six_card_bonus": letter})
        analysis = analyze_side(rules, "six_card_bonus", stake_cents=500)
        assert _rounds_to(100 * analysis.house_edge, edge)


def test_wpt_table_i_readings(in_force: InForce) -> None:
    for choice, back in (("meter", "58.31"), ("royal_line", "58.24")):
        rules = in_force("md-wpt", {"progressive": "I"}, {"paytable_i_flopped_royal": choice})
        assert _rounds_to(100 * (1 + analyze_side(rules, "progressive").own_value), back)


def test_envy_per_other_player(in_force: InForce) -> None:
    for book, tables, worth in (
        ("md-uth", {}, ".0057"),
        ("md-235", {}, ".0057"),
        ("md-wpt", {"progressive": "J"}, ".0031"),
        ("md-wpt", {"progressive": "A"}, "0"),
    ):
        rules = in_force(book, tables)
        alone = analyze_side(rules, "progressive")
        with_three = analyze_side(rules, "progressive", others=3)
        assert _rounds_to(alone.envy_per_player, worth)
        assert with_three.expected_value == alone.expected_value + 3 * alone.envy_per_player


def test_bad_beat_readings(in_force: InForce) -> None:
    both = analyze_side(in_force("md-uth"), "bad_beat")
    assert _rounds_to(100 * both.hit_frequency, "3.98")
    for letter, edge in (("A", "60"), ("B", "57"), ("C", "58")):
        rules = in_force("md-uth", {"bad_beat": letter}, {"bad_beat_loser": "player_only"})
        assert _rounds_to(100 * analyze_side(rules, "bad_beat").house_edge, edge)


def test_losing_hands_of_the_wpt_bad_beat(in_force: InForce) -> None:
    """B4: how often a player who sees it through loses with each hand."""
    rules = in_force("md-uth", readings={"bad_beat_loser": "player_only"})
    analysis = analyze_side(rules, "bad_beat")
    found = {o.hand: 100 * analysis.probability(o) for o in analysis.outcomes}
    for hand, percent in (
        ("straight", ".328453"),
        ("flush", ".349363"),
        ("full_house", ".151637"),
        ("four_of_a_kind", ".0084677"),
        ("straight_flush", ".00018517"),
    ):
        assert _rounds_to(found[hand], percent)


def test_cover_all(in_force: InForce) -> None:
    edges = {7: "10.6", 6: "9.9", 5: "8.6", 4: "9.2", 3: "10.0", 2: "10.0"}
    for hands, edge in edges.items():
        analysis = analyze_side(in_force("ma-uth"), "cover_all", hands=hands)
        assert _rounds_to(100 * analysis.house_edge, edge)
        assert analysis.combinations_total == total_deals(hands)
        assert sum(o.combinations for o in analysis.outcomes) == total_deals(hands)


@pytest.mark.parametrize(
    ("readings", "loss"),
    [
        ({}, ".1051"),
        ({"ace_low_straights": "two_card"}, ".0870"),
        ({"ace_low_straights": "three_card"}, ".0776"),
        ({"ace_low_straights": "both"}, ".0595"),
        ({"raise_pays": "even_money"}, ".424"),
    ],
)
def test_235_stud_under_each_reading(
    in_force: InForce, readings: dict[str, str], loss: str
) -> None:
    rules = in_force("md-235", readings=readings)
    assert _rounds_to(-solver_for(rules).figures().expected_value, loss)


def test_235_base_wagers(in_force: InForce) -> None:
    rules = in_force("md-235")
    for wager, edge in (
        ("two_card_poker", "19.46"),
        ("three_card_poker", "20.98"),
        ("five_card_poker", "14.57"),
    ):
        assert _rounds_to(100 * analyze_side(rules, wager).house_edge, edge)
    low = in_force("md-235", readings={"ace_low_straights": "both"})
    assert _rounds_to(100 * analyze_side(low, "two_card_poker").house_edge, "17.65")
    assert _rounds_to(100 * analyze_side(low, "three_card_poker").house_edge, "19.04")
    assert _rounds_to(100 * analyze_wager(low, "win_em_all").house_edge, "7.39")
    pushed = in_force("md-235", readings={"five_card_low_pair": "pushes"})
    assert _rounds_to(100 * analyze_side(pushed, "five_card_poker").expected_value, "11.4")
