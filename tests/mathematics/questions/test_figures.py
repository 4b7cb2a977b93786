"""Edges of every wager: exact fractions, and the sanity figures of the readings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


def rules_of(
    rulebook: str, paytables: dict[str, str] | None = None, readings: dict[str, str] | None = None
) -> Rules:
    submission = Submission(paytables=paytables or {}, readings=readings or {})
    return put_in_force(load_rulebook(rulebook), submission)


def edge(
    rulebook: str,
    wager: str,
    table: str | None = None,
    reading: dict[str, str] | None = None,
    asked: Asked | None = None,
) -> float:
    """The house edge in percent."""
    family = {"main": {"md-wpt": "bad_beat_bonus", "md-uth": "blind"}.get(rulebook, "")}
    chosen = {family.get(wager, wager): table} if table is not None else {}
    found = analyze(rules_of(rulebook, chosen, reading), wager, asked)
    value = found["house_edge"]
    assert isinstance(value, float)
    return 100 * value


def pairs(tables: str, figures: tuple[float, ...]) -> list[tuple[str, float]]:
    return list(zip(tables, figures, strict=True))


def test_ultimate_texas_holdem_is_the_known_fraction() -> None:
    found = analyze(rules_of("md-uth"), "main")
    assert found["expected_value_exact"] == "-50643648973/2317817502000"
    assert Fraction(str(found["expected_value_exact"])) == Fraction(-50643648973, 2317817502000)


def test_massachusetts_plays_the_same_main_game() -> None:
    maryland = analyze(rules_of("md-uth"), "main")["expected_value_exact"]
    assert analyze(rules_of("ma-uth"), "main")["expected_value_exact"] == maryland


@pytest.mark.parametrize(
    ("rulebook", "wager", "table", "percent"),
    [
        *(("md-uth", "trips", t, p) for t, p in pairs("ABCDE", (0.90, 1.90, 3.50, 6.18, 4.50))),
        *(
            ("md-uth", "ultimate_pairs", t, p)
            for t, p in pairs("ABCDEF", (8.9, 8.5, 4.5, 4.7, 4.9, 6.8))
        ),
        *(("md-uth", "bad_beat", t, p) for t, p in pairs("ABC", (20.4, 14.8, 16.6))),
        *(("md-uth", "play_the_board", t, p) for t, p in pairs("ABC", (3.1, 5.2, 7.2))),
        *(("md-uth", "six_card_bonus", t, p) for t, p in pairs("AB", (13.0, 17.4))),
        *(("md-wpt", "main", t, p) for t, p in pairs("ABCD", (2.358, 3.057, 3.735, 4.553))),
        *(("md-wpt", "pocket_bonus", t, p) for t, p in pairs("ABC", (4.525, 6.787, 9.955))),
        *(("md-wpt", "trips_plus", t, p) for t, p in pairs("ABCD", (0.740, 1.742, 4.339, 3.336))),
        ("md-jackpot", "main", None, 2.382),
        ("md-jackpot", "player_bonus", None, 3.336),
        ("md-235", "win_em_all", None, 8.71),
    ],
)
def test_edges_of_the_readings(
    rulebook: str, wager: str, table: str | None, percent: float
) -> None:
    digits = 1 if percent == round(percent, 1) else 2 if percent == round(percent, 2) else 3
    assert round(edge(rulebook, wager, table), digits) == percent


@pytest.mark.parametrize(
    ("rulebook", "table", "returned"),
    [
        *(("md-jackpot", t, p) for t, p in pairs("ABCDE", (0.754, 0.832, 0.743, 0.826, 1.112))),
        *(("md-wpt", t, p) for t, p in pairs("ABCDE", (0.5685, 0.5845, 0.5848, 0.6054, 0.5973))),
        *(("md-wpt", t, p) for t, p in pairs("FGHIJ", (0.5199, 0.5444, 0.5743, 0.5831, 0.5444))),
        *(("md-235", t, p) for t, p in pairs("ABCD", (0.5598, 0.5364, 0.5598, 0.5478))),
    ],
)
def test_progressives_return_at_their_seeds_what_the_readings_say(
    rulebook: str, table: str, returned: float
) -> None:
    digits = 3 if rulebook == "md-jackpot" else 4
    assert round(1 - edge(rulebook, "progressive", table) / 100, digits) == returned


@pytest.mark.parametrize(
    ("rulebook", "wager", "reading", "percent"),
    [
        ("md-jackpot", "main", {"ante_when_dealer_below_pair": "lost_when_beaten"}, 2.759),
        ("md-wpt", "main", {"bad_beat_keeps_odds": "no"}, 3.197),
        ("md-uth", "bad_beat", {"bad_beat_loser": "player_only"}, 60.0),
        ("md-235", "win_em_all", {"ace_low_straights": "both"}, 7.39),
    ],
)
def test_readings_change_the_edge_as_they_say(
    rulebook: str, wager: str, reading: dict[str, str], percent: float
) -> None:
    assert edge(rulebook, wager, None, reading) == pytest.approx(percent, abs=0.5)


@pytest.mark.parametrize(
    ("choice", "loss"),
    [("none", 0.1051), ("two_card", 0.0870), ("three_card", 0.0776), ("both", 0.0595)],
)
def test_C2_loss_on_three_units_of_235(choice: str, loss: float) -> None:
    assert round(edge("md-235", "main", None, {"ace_low_straights": choice}) / 100, 4) == loss


def test_C1_raises_at_even_money_cost_more() -> None:
    assert round(edge("md-235", "main", None, {"raise_pays": "even_money"}) / 100, 3) == 0.424


@pytest.mark.parametrize(
    ("hands", "percent"), [(7, 10.6), (6, 10.0), (5, 8.6), (4, 9.2), (3, 10.0), (2, 10.0)]
)
def test_MA24_cover_all_keeps_about_a_tenth(hands: int, percent: float) -> None:
    # The readings' figures come from simulation: twenty million deals leave a tenth of a percent.
    found = edge("ma-uth", "cover_all", None, None, Asked(hands=hands))
    assert found == pytest.approx(percent, abs=0.15)


def test_outcomes_of_a_wager_are_all_deals() -> None:
    found = analyze(rules_of("md-uth"), "trips")
    outcomes = found["outcomes"]
    assert isinstance(outcomes, list)
    assert sum(row["combinations"] for row in outcomes) % 133_784_560 == 0
    assert sum(row["probability"] for row in outcomes) == pytest.approx(1)


def test_main_outcomes_are_all_deals_and_give_the_value() -> None:
    found = analyze(rules_of("md-uth"), "main")
    rows = found["outcomes"]
    assert isinstance(rows, list)
    total = sum(row["combinations"] for row in rows)
    assert total == 27_813_810_024_000
    value = sum(Fraction(row["pays"]["net"]) * row["combinations"] for row in rows) / total
    assert str(value) == found["expected_value_exact"]


def test_three_times_is_never_right() -> None:
    decisions = analyze(rules_of("md-uth"), "main")["decisions"]
    assert isinstance(decisions, dict)
    assert decisions["preflop"]["3x"] == 0
