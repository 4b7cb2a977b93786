"""235 Stud: what an operator must choose and state, as `croupier check` holds it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.submission import Limits, MeterTerms, ProgressiveTerms, Submission
from croupier.submissions.check import check_submission
from croupier.submissions.findings import Finding

BOOK = "md-235"
OPTIONS: dict[str, Any] = {"adjacent_boxes": 1, "dealing": "manual_shoe"}
NO_PROGRESSIVE: dict[str, Any] = {"paytables": {}, "progressive": ProgressiveTerms()}
LEAST = {
    "A": {"main": (10_000, "12.F(2)(a)")},
    "B": {"main": (2_000, "12.F(2)(b)")},
    "C": {"major": (10_000, "12.F(2)(c)(i)"), "minor": (1_000, "12.F(2)(c)(ii)")},
    "D": {
        "mega": (10_000, "12.F(2)(d)(i)"),
        "major": (1_000, "12.F(2)(d)(ii)"),
        "minor": (250, "12.F(2)(d)(iii)"),
    },
}


def progressive(table: str, **told: MeterTerms) -> ProgressiveTerms:
    """Every meter of the table at the least it may be, but for those told; $1 wagers."""
    least = {
        name: MeterTerms(seed=dollars, reset=dollars, rate="0.05")
        for name, (dollars, _) in LEAST[table].items()
    }
    return ProgressiveTerms(stakes=("1",), meters=least | told)


def found(table: str = "A", **told: Any) -> list[Finding]:
    submission: dict[str, Any] = {
        "rulebook": BOOK,
        "offered": ("win_em_all", "progressive"),
        "paytables": {"progressive": table},
        "options": OPTIONS,
        "progressive": progressive(table),
    }
    return check_submission(Submission(**submission | told))


def errors(table: str = "A", **told: Any) -> list[Finding]:
    return [finding for finding in found(table, **told) if finding.severity == "error"]


def only_error(table: str = "A", **told: Any) -> Finding:
    (finding,) = errors(table, **told)
    return finding


@pytest.mark.parametrize(
    ("table", "meter", "least", "clause"),
    [
        pytest.param(table, meter, least, clause, marks=pytest.mark.clause(BOOK, clause))
        for table, meters in LEAST.items()
        for meter, (least, clause) in meters.items()
    ],
)
def test_12_F_2_seed_and_reset_have_a_floor(
    table: str, meter: str, least: int, clause: str
) -> None:
    assert errors(table) == []
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


METERS = [(table, meter) for table, meters in LEAST.items() for meter in meters]


@pytest.mark.clause(BOOK, "12.F(1)")
@pytest.mark.parametrize(("table", "meter"), METERS)
@pytest.mark.parametrize("rate", [None, "1.5", "-0.1", "a tenth"])
def test_12_F_1_each_meter_states_its_rate(table: str, meter: str, rate: str | None) -> None:
    least = LEAST[table][meter][0]
    terms = MeterTerms(seed=least, reset=least, rate=rate)
    finding = only_error(table, progressive=progressive(table, **{meter: terms}))
    assert f"{meter}.rate" in finding.message


@pytest.mark.clause(BOOK, "12.F(1)")
def test_12_F_1_a_missing_rate_names_its_clause() -> None:
    for table, meter in METERS:
        least = LEAST[table][meter][0]
        terms = progressive(table, **{meter: MeterTerms(seed=least, reset=least)})
        assert only_error(table, progressive=terms).clause == "12.F(1)"


@pytest.mark.clause(BOOK, "12.E", "12.H(2)")
@pytest.mark.parametrize("paytables", [{}, {"progressive": "E"}])
def test_12_E_an_offered_progressive_names_one_of_its_tables(paytables: dict[str, str]) -> None:
    assert only_error(paytables=paytables).clause == "12.E"


@pytest.mark.clause(BOOK, "7.E(2)", "7.E(3)", "12.E")
def test_7_E_wagers_not_offered_need_no_choice() -> None:
    assert errors(offered=(), **NO_PROGRESSIVE) == []


@pytest.mark.clause(BOOK, "12.H(1)", "12.I", "12.J")
def test_12_H_1_one_dollar_five_or_both_and_no_other_stake() -> None:
    meters = progressive("A").meters
    for stakes in (("1",), ("5",), ("1", "5")):
        assert errors(progressive=ProgressiveTerms(stakes=stakes, meters=meters)) == []
    other = ProgressiveTerms(stakes=("2",), meters=meters)
    assert "12.H(1)" in {finding.clause for finding in errors(progressive=other)}


@pytest.mark.clause(BOOK, "1.B(2)")
def test_1_B_2_the_holder_of_an_envy_hand_is_not_the_operators_choice() -> None:
    assert errors(options=OPTIONS | {"envy_holder_must_bet": False}) == []
    assert only_error(options=OPTIONS | {"envy_holder_must_bet": True}).clause == "1.B(2)"


@pytest.mark.clause(BOOK, "7.F")
def test_7_F_the_number_of_adjacent_boxes_must_be_stated() -> None:
    assert only_error(options={"dealing": "manual_shoe"}).clause == "7.F"
    for boxes in (0, 7):
        assert only_error(options=OPTIONS | {"adjacent_boxes": boxes}).clause == "7.F"
    for boxes in (1, 6):
        assert errors(options=OPTIONS | {"adjacent_boxes": boxes}) == []


@pytest.mark.clause(BOOK, "3.A")
def test_3_A_one_deck_or_two_and_no_third() -> None:
    assert errors(options=OPTIONS | {"decks": 1}) == []
    for decks in (0, 3):
        told = OPTIONS | {"decks": decks, "shuffler": True}
        assert only_error(options=told).clause == "3.A"


@pytest.mark.clause(BOOK, "3.B")
def test_3_B_two_decks_only_with_a_shuffler() -> None:
    assert only_error(options=OPTIONS | {"decks": 2}).clause == "3.B"
    assert only_error(options=OPTIONS | {"decks": 2, "shuffler": False}).clause == "3.B"
    assert errors(options=OPTIONS | {"decks": 2, "shuffler": True}) == []


@pytest.mark.clause(BOOK, "9.A(1)")
def test_9_A_1_dealing_from_the_hand_only_with_a_shuffler() -> None:
    assert only_error(options=OPTIONS | {"dealing": "hand"}).clause == "9.A(1)"
    assert errors(options=OPTIONS | {"dealing": "hand", "shuffler": True}) == []


@pytest.mark.parametrize(
    ("offered", "minimum", "most"),
    [
        # 1,101 times the minimum: 5 Card and its Raise 500 each, 3 Card and its Raise 50, 2 Card 1.
        pytest.param((), 45, 50_000, marks=pytest.mark.clause(BOOK, "12.K", "12.K(1)")),
        pytest.param((), 46, 50_646, marks=pytest.mark.clause(BOOK, "12.K", "12.K(2)")),
        # Win'em All adds 12.
        pytest.param(
            ("win_em_all",), 46, 51_198, marks=pytest.mark.clause(BOOK, "12.K", "12.K(2)")
        ),
    ],
)
def test_12_K_a_limit_is_at_most_50000_or_the_best_win_at_the_minimum(
    offered: tuple[str, ...], minimum: int, most: int
) -> None:
    stated: dict[str, Any] = {"minimum_wager": minimum, "payout_limit": most}
    table: dict[str, Any] = {"offered": offered, **NO_PROGRESSIVE}
    assert found(options=OPTIONS | stated, **table) == []
    stated["payout_limit"] = f"{most}.01"
    finding = only_error(options=OPTIONS | stated, **table)
    assert finding.clause == "12.K"
    assert f"${most:,}" in finding.message


@pytest.mark.clause(BOOK, "12.K")
def test_12_K_a_lower_limit_is_lawful_and_warned_of() -> None:
    stated = {"minimum_wager": 5, "payout_limit": 49_999}
    (finding,) = found(options=OPTIONS | stated, offered=(), **NO_PROGRESSIVE)
    assert (finding.severity, finding.clause) == ("warning", "12.K")


@pytest.mark.clause(BOOK, "7.E(1)")
def test_7_E_1_the_required_wagers_have_the_same_limits() -> None:
    names = ("two_card_poker", "three_card_poker", "five_card_poker")
    equal = dict.fromkeys(names, Limits(5, 100))
    assert errors(limits=equal) == []
    unequal = equal | {"five_card_poker": Limits(5, 200)}
    assert only_error(limits=unequal).clause == "7.E(1)"
