"""Heads-Up Hold'Em: what an operator must choose and state, as `croupier check` holds it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.submission import Limits, MeterTerms, ProgressiveTerms, Submission
from croupier.submissions.check import check_submission
from croupier.submissions.findings import Finding

BOOK = "md-wpt"
OPTIONS: dict[str, Any] = {"dealing": "manual_shoe"}
CHOSEN = {"bad_beat_bonus": "A", "pocket_bonus": "A", "trips_plus": "A", "progressive": "A"}
LEAST = {
    **dict.fromkeys("ABCDE", (5_000, "12.D'(3)(b)(i)")),
    "F": (6_000, "12.D'(3)(b)(ii)"),
    **dict.fromkeys("GHJ", (2_000, "12.D'(3)(b)(iii)")),
    "I": (2_500, "12.D'(3)(b)(iv)"),
}
NO_PROGRESSIVE: dict[str, Any] = {"progressive": ProgressiveTerms()}


def main_meter(seed: Any, reset: Any, rate: str | None = "0.2") -> ProgressiveTerms:
    return ProgressiveTerms(meters={"main": MeterTerms(seed=seed, reset=reset, rate=rate)})


def errors(**told: Any) -> list[Finding]:
    submission: dict[str, Any] = {
        "rulebook": BOOK,
        "offered": ("pocket_bonus", "trips_plus", "progressive"),
        "paytables": CHOSEN,
        "options": OPTIONS,
        "progressive": main_meter(6_000, 6_000),
    }
    findings = check_submission(Submission(**submission | told))
    return [finding for finding in findings if finding.severity == "error"]


def only_error(**told: Any) -> Finding:
    (finding,) = errors(**told)
    return finding


@pytest.mark.parametrize(
    ("table", "least", "clause"),
    [
        pytest.param(table, least, clause, marks=pytest.mark.clause(BOOK, clause))
        for table, (least, clause) in LEAST.items()
    ],
)
def test_12_D_3_b_seed_and_reset_have_a_floor(table: str, least: int, clause: str) -> None:
    paytables = CHOSEN | {"progressive": table}
    assert errors(paytables=paytables, progressive=main_meter(least, least)) == []
    short = f"{least - 1}.99"
    for terms in (
        main_meter(short, least),
        main_meter(least, short),
        main_meter(None, least),
        main_meter(least, None),
    ):
        finding = only_error(paytables=paytables, progressive=terms)
        assert finding.clause == clause
        assert f"${least:,}" in finding.message


@pytest.mark.clause(BOOK, "12.D'(3)(a)")
@pytest.mark.parametrize("rate", [None, "1.5", "-0.1", "a tenth"])
def test_12_D_3_a_the_meter_states_its_rate(rate: str | None) -> None:
    finding = only_error(progressive=main_meter(5_000, 5_000, rate))
    assert "main.rate" in finding.message


@pytest.mark.clause(BOOK, "12.D'(3)(a)")
def test_12_D_3_a_a_missing_rate_names_its_clause() -> None:
    assert only_error(progressive=main_meter(5_000, 5_000, None)).clause == "12.D'(3)(a)"


@pytest.mark.clause(BOOK, "12.B")
def test_12_B_only_odds_table_A_exists() -> None:
    assert errors(paytables=CHOSEN | {"odds": "A"}) == []
    assert only_error(paytables=CHOSEN | {"odds": "B"}).clause == "12.B"


@pytest.mark.parametrize(
    ("family", "tables", "clause"),
    [
        pytest.param("bad_beat_bonus", "ABCD", "12.C", marks=pytest.mark.clause(BOOK, "12.C")),
        pytest.param("pocket_bonus", "ABC", "12.D", marks=pytest.mark.clause(BOOK, "12.D")),
        pytest.param("trips_plus", "ABCD", "12.E", marks=pytest.mark.clause(BOOK, "12.E")),
        pytest.param(
            "progressive", "ABCDEFGHIJ", "12.D'(1)", marks=pytest.mark.clause(BOOK, "12.D'(1)")
        ),
    ],
)
def test_12_one_of_the_printed_paytables_is_chosen(family: str, tables: str, clause: str) -> None:
    for table in tables:
        assert errors(paytables=CHOSEN | {family: table}) == []
    beyond = chr(ord(tables[-1]) + 1)
    assert only_error(paytables=CHOSEN | {family: beyond}).clause == clause
    without = {name: table for name, table in CHOSEN.items() if name != family}
    assert only_error(paytables=without).clause == clause


@pytest.mark.clause(BOOK, "7.F(2)", "7.F(3)", "7.F(4)", "12.C")
def test_7_F_wagers_not_offered_need_no_table_but_the_bad_beat_bonus_does() -> None:
    bare = {"bad_beat_bonus": "B"}
    assert errors(offered=(), paytables=bare, **NO_PROGRESSIVE) == []
    assert only_error(offered=(), paytables={}, **NO_PROGRESSIVE).clause == "12.C"


@pytest.mark.clause(BOOK, "12.D'(7)")
def test_12_D_7_one_dollar_is_the_only_progressive_stake() -> None:
    terms = main_meter(6_000, 6_000)
    dollar = ProgressiveTerms(stakes=("1",), meters=terms.meters)
    assert errors(progressive=dollar) == []
    five = ProgressiveTerms(stakes=("5",), meters=terms.meters)
    assert "12.D'(7)" in {finding.clause for finding in errors(progressive=five)}


@pytest.mark.clause(BOOK, "11.J(2)(e)(i)")
def test_11_J_2_e_i_the_holder_of_an_envy_hand_is_not_the_operators_choice() -> None:
    assert errors(options=OPTIONS | {"envy_holder_must_bet": False}) == []
    finding = only_error(options=OPTIONS | {"envy_holder_must_bet": True})
    assert finding.clause == "11.J(2)(e)(i)"


@pytest.mark.clause(BOOK, "7.G")
def test_7_G_no_submission_gives_a_player_a_second_position() -> None:
    assert errors(options=OPTIONS | {"adjacent_boxes": 1}) == []
    assert only_error(options=OPTIONS | {"adjacent_boxes": 2}).clause == "7.G"


@pytest.mark.clause(BOOK, "3.A(1)")
def test_3_A_1_one_deck_or_two_and_no_third() -> None:
    assert errors(options=OPTIONS | {"decks": 1}) == []
    for decks in (0, 3):
        told = OPTIONS | {"decks": decks, "shuffler": True}
        assert only_error(options=told).clause == "3.A(1)"


@pytest.mark.clause(BOOK, "3.B")
def test_3_B_two_decks_only_with_a_shuffler() -> None:
    assert only_error(options=OPTIONS | {"decks": 2}).clause == "3.B"
    assert only_error(options=OPTIONS | {"decks": 2, "shuffler": False}).clause == "3.B"
    assert errors(options=OPTIONS | {"decks": 2, "shuffler": True}) == []


@pytest.mark.clause(BOOK, "9.A(1)")
def test_9_A_1_dealing_from_the_hand_only_with_a_shuffler() -> None:
    assert only_error(options={"dealing": "hand"}).clause == "9.A(1)"
    assert errors(options={"dealing": "hand", "shuffler": True}) == []


@pytest.mark.clause(BOOK, "12.E'", "12.E'(1)")
@pytest.mark.parametrize(
    ("offered", "minimum", "least"),
    [
        ((), 99, 50_000),  # 504 times the minimum: 500 Odds, 3 Raise, 1 Ante
        ((), 100, 50_400),
        (("trips_plus",), 100, 60_400),
        # The royal's ace may come as one of a pair of aces: 30 to 1.
        (("trips_plus", "pocket_bonus"), 100, 63_400),
    ],
)
def test_12_E_1_a_limit_is_at_least_50000_or_the_best_win_at_the_minimum(
    offered: tuple[str, ...], minimum: int, least: int
) -> None:
    stated: dict[str, Any] = {"minimum_wager": minimum, "payout_limit": least}
    assert errors(options=OPTIONS | stated, offered=offered, **NO_PROGRESSIVE) == []
    stated["payout_limit"] = f"{least - 1}.99"
    finding = only_error(options=OPTIONS | stated, offered=offered, **NO_PROGRESSIVE)
    assert finding.clause == "12.E'(1)"
    assert f"${least:,}" in finding.message


@pytest.mark.clause(BOOK, "12.E'(1)")
def test_12_E_1_a_limit_needs_the_minimum_wager_beside_it() -> None:
    assert only_error(options=OPTIONS | {"payout_limit": 50_000}).clause == "12.E'(1)"


@pytest.mark.clause(BOOK, "7.F(1)")
def test_7_F_1_both_required_wagers_have_the_same_limits() -> None:
    equal = {"ante": Limits(5, 100), "odds": Limits(5, 100)}
    assert errors(limits=equal) == []
    unequal = {"ante": Limits(5, 100), "odds": Limits(10, 100)}
    assert only_error(limits=unequal).clause == "7.F(1)"
