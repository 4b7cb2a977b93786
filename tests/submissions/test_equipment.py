"""Decks, shufflers and ways of dealing, and the wagers they can serve."""

from __future__ import annotations

from typing import Any

import pytest

from tests.submissions.papers import DROP, errors, warnings


def case(rulebook: str, clause: str, **changes: object) -> Any:
    return pytest.param(
        rulebook,
        clause,
        changes,
        marks=pytest.mark.clause(rulebook, clause),
        id=f"{rulebook} {clause}",
    )


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        case("md-uth", "3.B", options__shuffler=DROP),
        case("ma-uth", "2(b)", options__shuffler=False),
        case("md-jackpot", "3.B", options__decks=2),
        case("md-235", "3.B", options__shuffler=DROP),
        case("md-wpt", "3.B", options__shuffler=False, options__dealing="manual_shoe"),
    ],
)
def test_two_decks_need_a_shuffler(rulebook: str, clause: str, changes: dict[str, object]) -> None:
    ((found, said),) = errors(rulebook, **changes)
    assert found == clause
    assert "two decks" in said


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        case("md-uth", "9.A(1)", offered=["trips"], options__dealing="hand", options__decks=1),
        case("md-jackpot", "9.A(1)", options__dealing="hand"),
        case("md-wpt", "9.A(1)", options__decks=1),
        case("md-235", "9.A(1)", options__dealing="hand", options__decks=1),
    ],
)
def test_dealing_from_the_hand_needs_a_shuffler(
    rulebook: str, clause: str, changes: dict[str, object]
) -> None:
    ((found, said),) = errors(rulebook, **{"options__shuffler": False, **changes})
    assert found == clause
    assert "from the hand" in said
    assert errors(rulebook, **{**changes, "options__shuffler": True}) == []


@pytest.mark.clause("md-uth", "10.B(1)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", None])
def test_10_B_1_only_the_automated_shoe_fills_the_bonus_box(dealing: str | None) -> None:
    found = errors("md-uth", options__dealing=DROP if dealing is None else dealing)
    ((clause, said),) = found
    assert clause == "10.B(1)"
    assert "six_card_bonus needs cards from automated_shoe" in said
    others = ["trips", "progressive"]
    assert errors("md-uth", options__dealing="manual_shoe", offered=others) == []


@pytest.mark.clause("ma-uth", "12(d)")
def test_12_d_cover_all_needs_the_machine() -> None:
    ((clause, said),) = errors("ma-uth", options__dealing="manual_shoe")
    assert clause == "12(d)"
    assert "cover_all needs cards from automated_shoe" in said
    assert errors("ma-uth", options__dealing="manual_shoe", offered=["trips", "progressive"]) == []


@pytest.mark.clause("md-uth", "7.F(4)(b)")
def test_7_F_4_b_six_card_bonus_needs_trips_on_offer() -> None:
    ((clause, said),) = errors("md-uth", offered=["six_card_bonus", "progressive"])
    assert clause == "7.F(4)(b)"
    assert "six_card_bonus needs trips" in said
    loose = {"six_card_bonus_needs_trips": "no"}
    assert errors("md-uth", offered=["six_card_bonus", "progressive"], readings=loose) == []


def test_a_submission_that_does_not_say_how_cards_are_dealt() -> None:
    said = warnings("md-jackpot", options__dealing=DROP)
    assert said == ["options.dealing is left out: how are the cards dealt?"]
