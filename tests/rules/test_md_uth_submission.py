"""md-uth: what the document leaves to the operator, and how far (`croupier check`)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.rulebooks.submission import Submission
from croupier.submissions.check import check_submission

GOOD: dict[str, Any] = {
    "rulebook": "md-uth",
    "offered": ["trips", "six_card_bonus", "ultimate_pairs", "play_the_board", "progressive"],
    "paytables": {
        "blind": "A",
        "trips": "B",
        "six_card_bonus": "A",
        "ultimate_pairs": "C",
        "play_the_board": "A",
        "progressive": "A",
    },
    "progressive": {
        "stakes": [1],
        "meters": {"main": {"seed": 10000, "reset": 10000, "rate": "0.1"}},
    },
    "options": {
        "adjacent_boxes": 2,
        "envy_holder_must_bet": False,
        "dealing": "automated_shoe",
        "decks": 2,
        "shuffler": True,
    },
}


def changed(**parts: Any) -> dict[str, Any]:
    """GOOD with tables merged and other entries replaced; None takes an entry of a table away."""
    told = dict(GOOD)
    for name, value in parts.items():
        if isinstance(value, dict):
            merged = {**told.get(name, {}), **value}
            told[name] = {key: entry for key, entry in merged.items() if entry is not None}
        else:
            told[name] = value
    return told


def errors(**parts: Any) -> list[str | None]:
    """The clauses of the errors."""
    submission = msgspec.convert(changed(**parts), Submission)
    return [f.clause for f in check_submission(submission) if f.severity == "error"]


def messages(**parts: Any) -> str:
    submission = msgspec.convert(changed(**parts), Submission)
    return "\n".join(f.message for f in check_submission(submission) if f.severity == "error")


def test_the_submission_that_the_others_change_is_valid() -> None:
    assert check_submission(msgspec.convert(GOOD, Submission)) == []


# -- paytables --------------------------------------------------------------------------------

FAMILIES = [
    ("blind", "12.B", "AB"),
    ("trips", "12.C", "ABCDE"),
    ("six_card_bonus", "12.E", "AB"),
    ("ultimate_pairs", "12.E'", "ABCDEF"),
    ("play_the_board", "12.G", "ABC"),
    ("bad_beat", "12.F'", "ABC"),
    ("progressive", "12.D(1)", "ABCD"),
]
CHOOSING = [clause for _, clause, _ in FAMILIES]


@pytest.mark.clause("md-uth", *CHOOSING)
@pytest.mark.parametrize(("family", "clause", "tables"), FAMILIES)
def test_12_the_operator_selects_one_table_of_an_offered_wager(
    family: str, clause: str, tables: str
) -> None:
    offered = [*GOOD["offered"], "bad_beat"]
    assert clause in errors(offered=offered, paytables={family: None})
    assert clause in errors(offered=offered, paytables={family: chr(ord(tables[-1]) + 1)})
    others = {"bad_beat": "A", "blind": "A"}
    for table in tables:
        assert clause not in errors(offered=offered, paytables={**others, family: table})


@pytest.mark.clause("md-uth", "12.D(1)", "12.E", "12.E'", "12.F'", "12.G", "7.F(3)", "7.F(6)")
def test_12_no_table_is_asked_for_a_wager_that_is_not_offered() -> None:
    paytables = {family: None for family, _, _ in FAMILIES[2:]}
    assert errors(offered=["trips"], paytables=paytables, progressive={"meters": {}}) == []


@pytest.mark.clause("md-uth", "7.F(4)(b)")
def test_7_F_4_b_six_card_bonus_is_not_offered_without_trips() -> None:
    offered = [name for name in GOOD["offered"] if name != "trips"]
    assert "7.F(4)(b)" in errors(offered=offered)
    assert "7.F(4)(b)" not in errors(offered=offered, readings={"six_card_bonus_needs_trips": "no"})


# -- options ----------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "7.G")
@pytest.mark.parametrize("boxes", [None, 0, 7, "two"])
def test_7_G_the_number_of_boxes_is_stated_and_possible(boxes: int | str | None) -> None:
    assert errors(options={"adjacent_boxes": boxes}) == ["7.G"]


@pytest.mark.clause("md-uth", "7.G", "2.A")
@pytest.mark.parametrize("boxes", [1, 6])
def test_7_G_one_to_six_boxes(boxes: int) -> None:
    assert errors(options={"adjacent_boxes": boxes}) == []


@pytest.mark.clause("md-uth", "11.J(2)(e)(ii)")
def test_11_J_2_e_ii_the_envy_rule_is_stated_where_the_progressive_is_offered() -> None:
    assert errors(options={"envy_holder_must_bet": None}) == ["11.J(2)(e)(ii)"]
    offered = [name for name in GOOD["offered"] if name != "progressive"]
    assert errors(options={"envy_holder_must_bet": None}, offered=offered) == []
    for choice in (True, False):
        assert errors(options={"envy_holder_must_bet": choice}) == []


@pytest.mark.clause("md-uth", "3.A(1)", "3.B")
def test_3_B_a_second_deck_needs_a_shuffler() -> None:
    assert errors(options={"shuffler": False}) == ["3.B"]
    assert errors(options={"shuffler": None}) == ["3.B"]
    assert errors(options={"shuffler": False, "decks": 1}) == []
    for decks in (0, 3):
        assert errors(options={"decks": decks}) == ["3.A(1)"]


@pytest.mark.clause("md-uth", "9.A(1)")
def test_9_A_1_dealing_from_the_hand_needs_a_shuffler() -> None:
    dealt = {"dealing": "hand", "decks": 1}
    offered = ["trips", "progressive"]
    assert errors(offered=offered, options={**dealt, "shuffler": False}) == ["9.A(1)"]
    assert errors(offered=offered, options={**dealt, "shuffler": True}) == []
    shoe = {"dealing": "manual_shoe", "decks": 1, "shuffler": False}
    assert errors(offered=offered, options=shoe) == []


@pytest.mark.clause("md-uth", "10.B(1)", "7.F(4)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", None])
def test_10_B_1_six_card_bonus_needs_the_machine(dealing: str | None) -> None:
    assert errors(options={"dealing": dealing}) == ["10.B(1)"]


@pytest.mark.clause("md-uth", "7.F(1)")
def test_7_F_1_the_limits_of_ante_and_blind_are_the_same() -> None:
    limits = {"ante": {"minimum": 10}, "blind": {"minimum": 15}}
    assert "7.F(1)" in errors(limits=limits)


# -- seeds and rates --------------------------------------------------------------------------

SEEDS = [
    ("A", "main", 10000, "12.D(3)(b)(i)"),
    ("B", "major", 1000, "12.D(3)(b)(ii)(1)"),
    ("B", "minor", 250, "12.D(3)(b)(ii)(2)"),
    ("C", "mega", 10000, "12.D(3)(b)(iii)(1)"),
    ("C", "major", 1000, "12.D(3)(b)(iii)(2)"),
    ("C", "minor", 250, "12.D(3)(b)(iii)(3)"),
    ("D", "mega", 10000, "12.D(3)(b)(iv)(1)"),
    ("D", "major", 1000, "12.D(3)(b)(iv)(2)"),
    ("D", "minor", 250, "12.D(3)(b)(iv)(3)"),
]
FLOORS = [clause for *_, clause in SEEDS]


def seeded(table: str, **meters: dict[str, Any]) -> list[str | None]:
    """The errors with every meter of the table at its least, but for those given."""
    lawful = {
        meter: {"seed": least, "reset": least, "rate": "0.05"}
        for letter, meter, least, _ in SEEDS
        if letter == table
    }
    terms = {name: {**lawful[name], **meters.get(name, {})} for name in lawful}
    return errors(paytables={"progressive": table}, progressive={"meters": terms})


@pytest.mark.clause("md-uth", "12.D(3)(b)", *FLOORS)
@pytest.mark.parametrize("table", "ABCD")
def test_12_D_3_b_the_printed_minimum_is_enough(table: str) -> None:
    assert seeded(table) == []


@pytest.mark.clause("md-uth", "12.D(3)(b)", *FLOORS)
@pytest.mark.parametrize(("table", "meter", "least", "clause"), SEEDS)
@pytest.mark.parametrize("what", ["seed", "reset"])
def test_12_D_3_b_a_cent_less_is_refused(
    table: str, meter: str, least: int, clause: str, what: str
) -> None:
    assert seeded(table, **{meter: {what: f"{least - 1}.99"}}) == [clause]
    assert seeded(table, **{meter: {what: least + 1}}) == []


@pytest.mark.clause("md-uth", "12.D(3)(b)")
@pytest.mark.parametrize("what", ["seed", "reset"])
def test_12_D_3_b_initial_and_reset_amount_are_both_stated(what: str) -> None:
    assert seeded("A", main={what: None}) == ["12.D(3)(b)(i)"]


@pytest.mark.clause("md-uth", "12.D(3)(a)")
@pytest.mark.parametrize("rate", [None, "1.5", "-0.1", "much"])
def test_12_D_3_a_the_rate_of_progression_is_stated_as_a_share(rate: str | None) -> None:
    terms = {"main": {"seed": 10000, "reset": 10000, "rate": rate}}
    assert "progressive.meters.main.rate" in messages(progressive={"meters": terms})


@pytest.mark.clause("md-uth", "12.D(3)(a)")
def test_12_D_3_a_is_the_clause_that_asks_for_the_rate() -> None:
    assert seeded("A", main={"rate": None}) == ["12.D(3)(a)"]


@pytest.mark.clause("md-uth", "12.D(5)(a)")
@pytest.mark.parametrize("stakes", [[2], [1, 10]])
def test_12_D_5_a_no_other_stake_can_be_offered(stakes: list[int]) -> None:
    assert errors(progressive={"stakes": stakes}) == ["12.D(5)(a)"]
