"""Jackpot Hold 'Em: what an operator must choose and state, as `croupier check` holds it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.submission import Limits, MeterTerms, ProgressiveTerms, Submission
from croupier.submissions.check import check_submission
from croupier.submissions.findings import Finding

BOOK = "md-jackpot"
MINIMUM = {
    "A": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "B": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "C": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "D": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "E": {"star": 10_000, "spade": 10_000, "heart": 5_000, "diamond": 1_000, "club": 250},
}
OPTIONS: dict[str, Any] = {"adjacent_boxes": 1, "dealing": "manual_shoe"}


def progressive(table: str, **changed: MeterTerms) -> ProgressiveTerms:
    """Every meter of the table at the least it may be, but for those told."""
    least = {
        name: MeterTerms(seed=dollars, reset=dollars, rate="0.05")
        for name, dollars in MINIMUM[table].items()
    }
    return ProgressiveTerms(stakes=("5",), meters=least | changed)


def errors(table: str = "A", **told: Any) -> list[Finding]:
    submission: dict[str, Any] = {
        "rulebook": BOOK,
        "offered": ("player_bonus", "progressive"),
        "paytables": {"progressive": table},
        "options": OPTIONS,
        "progressive": progressive(table),
    }
    findings = check_submission(Submission(**submission | told))
    return [finding for finding in findings if finding.severity == "error"]


def only_error(table: str = "A", **told: Any) -> Finding:
    (finding,) = errors(table, **told)
    return finding


@pytest.mark.parametrize("table", MINIMUM)
@pytest.mark.clause(BOOK, "12.D(1)")
def test_12_E_a_submission_with_every_meter_at_its_least_is_lawful(table: str) -> None:
    assert errors(table) == []


FLOORS = [
    *[("star", table, "12.E(2)(a)") for table in "ABCDE"],
    *[("spade", table, f"12.E(4)({table.lower()})") for table in "ABCDE"],
    *[("heart", table, f"12.E(6)({table.lower()})") for table in "ABCDE"],
    *[("diamond", table, f"12.E(8)({table.lower()})") for table in "ABCDE"],
    ("club", "E", "12.E(10)(e)"),
]


@pytest.mark.parametrize(
    ("meter", "table", "clause"),
    [pytest.param(*row, marks=pytest.mark.clause(BOOK, row[2])) for row in FLOORS],
)
def test_12_E_seed_and_reset_have_a_floor(meter: str, table: str, clause: str) -> None:
    least = MINIMUM[table][meter]
    short = f"{least - 1}.99"
    for terms in (
        MeterTerms(seed=short, reset=least, rate="0.05"),
        MeterTerms(seed=least, reset=short, rate="0.05"),
        MeterTerms(reset=least, rate="0.05"),
        MeterTerms(seed=least, rate="0.05"),
    ):
        finding = only_error(table, progressive=progressive(table, **{meter: terms}))
        assert finding.clause == clause
        assert f"${least:,}" in finding.message


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("A", marks=pytest.mark.clause(BOOK, "12.E(10)(a)")),
        pytest.param("B", marks=pytest.mark.clause(BOOK, "12.E(10)(b)")),
        pytest.param("C", marks=pytest.mark.clause(BOOK, "12.E(10)(c)")),
        pytest.param("D", marks=pytest.mark.clause(BOOK, "12.E(10)(d)")),
    ],
)
def test_12_E_10_no_club_meter_but_in_table_E(table: str) -> None:
    assert errors(table) == []
    club = MeterTerms(seed=0, reset=0, rate="0.05")
    found = errors(table, progressive=progressive(table, club=club))
    assert any("'club'" in finding.message for finding in found)


RATES = [
    ("star", "12.E(1)"),
    ("spade", "12.E(3)"),
    ("heart", "12.E(5)"),
    ("diamond", "12.E(7)"),
    ("club", "12.E(9)"),
]


@pytest.mark.parametrize(
    "meter",
    [pytest.param(meter, marks=pytest.mark.clause(BOOK, clause)) for meter, clause in RATES],
)
@pytest.mark.parametrize("rate", [None, "1.5", "-0.1", "a tenth"])
def test_12_E_1_each_meter_states_its_rate(meter: str, rate: str | None) -> None:
    least = MINIMUM["E"][meter]
    terms = MeterTerms(seed=least, reset=least, rate=rate)
    finding = only_error("E", progressive=progressive("E", **{meter: terms}))
    assert f"{meter}.rate" in finding.message


@pytest.mark.clause(BOOK, *(clause for _, clause in RATES))
def test_12_E_1_a_missing_rate_names_its_clause() -> None:
    for meter, clause in RATES:
        least = MINIMUM["E"][meter]
        terms = progressive("E", **{meter: MeterTerms(seed=least, reset=least)})
        assert only_error("E", progressive=terms).clause == clause


@pytest.mark.clause(BOOK, "12.B")
def test_12_B_only_x_tra_bonus_table_A_exists() -> None:
    assert errors(paytables={"x_tra_bonus": "A", "progressive": "A"}) == []
    assert only_error(paytables={"x_tra_bonus": "B", "progressive": "A"}).clause == "12.B"


@pytest.mark.clause(BOOK, "12.C")
def test_12_C_only_player_bonus_table_A_exists() -> None:
    assert errors(paytables={"player_bonus": "A", "progressive": "A"}) == []
    assert only_error(paytables={"player_bonus": "B", "progressive": "A"}).clause == "12.C"


@pytest.mark.clause(BOOK, "12.D(1)")
@pytest.mark.parametrize("paytables", [{}, {"progressive": "F"}])
def test_12_D_1_an_offered_progressive_names_one_of_its_tables(paytables: dict[str, str]) -> None:
    assert "12.D(1)" in {finding.clause for finding in errors(paytables=paytables)}


@pytest.mark.clause(BOOK, "12.D(1)", "7.F(3)")
def test_7_F_3_a_progressive_that_is_not_offered_needs_no_table() -> None:
    without: dict[str, Any] = {"paytables": {}, "progressive": ProgressiveTerms()}
    assert errors(offered=("player_bonus",), **without) == []


@pytest.mark.clause(BOOK, "7.F(3)")
def test_7_F_3_the_operator_states_the_progressive_stake() -> None:
    terms = ProgressiveTerms(meters=progressive("A").meters)
    assert only_error(progressive=terms).clause == "7.F(3)"


@pytest.mark.clause(BOOK, "7.G")
def test_7_G_the_number_of_adjacent_boxes_must_be_stated() -> None:
    assert only_error(options={"dealing": "manual_shoe"}).clause == "7.G"
    for boxes in (0, 7):
        assert only_error(options=OPTIONS | {"adjacent_boxes": boxes}).clause == "7.G"
    for boxes in (1, 6):
        assert errors(options=OPTIONS | {"adjacent_boxes": boxes}) == []


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
    assert only_error(options=OPTIONS | {"dealing": "hand"}).clause == "9.A(1)"
    assert errors(options=OPTIONS | {"dealing": "hand", "shuffler": True}) == []


@pytest.mark.clause(BOOK, "12.F", "12.F(1)")
@pytest.mark.parametrize(
    ("offered", "minimum", "least"),
    [
        (("player_bonus",), 10, 50_000),  # 604 times the minimum is less
        ((), 99, 50_000),  # 504 times the minimum: 500 X-tra Bonus, 3 Play, 1 Ante
        ((), 100, 50_400),
        (("player_bonus",), 100, 60_400),
    ],
)
def test_12_F_1_a_limit_is_at_least_50000_or_the_best_win_at_the_minimum(
    offered: tuple[str, ...], minimum: int, least: int
) -> None:
    stated: dict[str, Any] = {"minimum_wager": minimum, "payout_limit": least}
    table: dict[str, Any] = {"offered": offered, "paytables": {}, "progressive": ProgressiveTerms()}
    assert errors(options=OPTIONS | stated, **table) == []
    stated["payout_limit"] = f"{least - 1}.99"
    finding = only_error(options=OPTIONS | stated, **table)
    assert finding.clause == "12.F(1)"
    assert f"${least:,}" in finding.message


@pytest.mark.clause(BOOK, "12.F(1)")
def test_12_F_1_a_limit_needs_the_minimum_wager_beside_it() -> None:
    assert only_error(options=OPTIONS | {"payout_limit": 50_000}).clause == "12.F(1)"


@pytest.mark.clause(BOOK, "7.F(1)")
def test_7_F_1_both_required_wagers_have_the_same_limits() -> None:
    equal = {"ante": Limits(5, 100), "x_tra_bonus": Limits(5, 100)}
    assert errors(limits=equal) == []
    unequal = {"ante": Limits(5, 100), "x_tra_bonus": Limits(10, 100)}
    assert only_error(limits=unequal).clause == "7.F(1)"
