"""`analyze --stake` and `session` where a payout limit cuts what is won."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import croupier as library
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions.over_rounds import mean_of, variance_of
from croupier.rounds.payout_limits import limits_in_force
from tests.commands.program import croupier
from tests.mathematics.dealt import rules_of


def figures(book: str, *words: str) -> dict[str, dict[str, object]]:
    answer = json.loads(croupier("analyze", book, *words, "--json").out)
    found: dict[str, dict[str, object]] = answer["wagers"]
    return found


def test_a_side_wager_is_cut_line_by_line() -> None:
    """Trips of ma-uth at $2,000: royal 50, straight flush 40 and quads 30 to 1 are over $50,000."""
    free = figures("ma-uth", "--wager", "trips")["trips"]
    cut = figures("ma-uth", "--wager", "trips", "--stake", "trips=2000")["trips"]
    limited = cut.pop("limited")
    assert isinstance(limited, dict)
    assert cut == free | {"stake": "2000.00"}
    assert limited["stake"] == "2000.00"
    assert limited["limits"] == [
        {"clause": "10(e)", "limit": "50000.00"},
        {"clause": "13(d)", "limit": "75000.00"},
    ]
    rows = {row["hand"]: row for row in limited["outcomes"]}
    assert {hand: row["forgone"] for hand, row in rows.items()} == {
        "royal_flush": "50000.00",
        "straight_flush": "30000.00",
        "four_of_a_kind": "10000.00",
    }
    assert all(row["net"] == "50000.00" for row in rows.values())
    total = sum(row["combinations"] for row in free["outcomes"])  # type: ignore[attr-defined]
    lost = sum(Fraction(row["forgone"]) * row["combinations"] for row in rows.values())
    value = Fraction(str(free["expected_value_exact"])) - lost / total / 2000
    assert limited["expected_value_exact"] == str(value)
    assert limited["house_edge"] == float(-value)


def test_the_main_game_is_cut_by_all_its_wagers_together() -> None:
    rules = rules_of("md-235")
    limits = limits_in_force(rules)
    nets = net_distribution(rules, dict.fromkeys(rules.required, 10_000), limits=limits)
    found = analyze(rules, "main", Asked(stakes={"main": 10_000}, limits=limits))
    limited = found["limited"]
    assert isinstance(limited, dict)
    assert Fraction(limited["expected_value_exact"]) == mean_of(nets) / 10_000
    assert limited["standard_deviation"] ** 2 == pytest.approx(float(variance_of(nets)) / 10**8)
    assert limited["expected_value_exact"] == "-344821/3248700"
    assert found["expected_value_exact"] == "-28454/270725"
    assert max(nets) == 5_000_000


def test_below_the_limit_and_without_a_stake_nothing_is_limited() -> None:
    for words in ((), ("--stake", "main=10"), ("--stake", "two_card_poker=10")):
        assert "limited" not in figures("md-235", "--wager", "main", *words)["main"]
    assert "limited" not in figures("md-uth", "--wager", "main", "--stake", "main=9000")["main"]
    drawn = croupier("analyze", "md-235", "--wager", "main").text
    assert "cut at" not in drawn
    drawn = croupier("analyze", "md-235", "--wager", "main", "--stake", "main=100").text
    assert "main at $100, its winnings cut at $50,000 [12.K]: house edge 10.614123%" in drawn


def test_a_session_is_limited() -> None:
    words = ("session", "md-235", "--stake", "two_card_poker=100", "--rounds", "3")
    answer = json.loads(croupier(*words, "--json").out)
    (limit,) = answer["payout_limits"]
    assert (limit["clause"], limit["limit"]) == ("12.K", "50000.00")
    assert "two_card_poker" in limit["covers"]
    assert max(float(row["net"]) for row in answer["round"]["outcomes"]) == 50_000
    assert Fraction(answer["round"]["expected_value_exact"]) == Fraction(-344821, 32487)
    assert "Winnings are cut at $50,000 a round [12.K] on " in croupier(*words).text


def test_the_library_applies_the_limit_of_a_submission() -> None:
    stated = {"options": {"payout_limit": "60000", "minimum_wager": "10"}}
    found = library.analyze("md-uth", "trips", submission=stated, stakes={"trips": 2000})
    assert found["trips"].details["limited"]["limits"] == [{"clause": "12.F", "limit": "60000.00"}]
    every = library.analyze(
        "md-uth", "trips", submission=stated, stakes={"trips": 2000}, every_table=True
    )
    assert all("limited" in each.details for each in every)
