"""Rounds that cannot have been played: refused with the clause that forbids them."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.loader import load_rulebook
from tests.commands.contract import RULEBOOKS
from tests.commands.program import croupier, lines_of
from tests.commands.rounds import DROP, GOOD, refusal, spoiled


def forbidden(rulebook: str, clause: str, /, **changes: object) -> Any:
    """A test case that holds the clause it expects."""
    told = ", ".join(f"{path}={'-' if v is DROP else v}" for path, v in changes.items())
    return pytest.param(
        rulebook,
        clause,
        changes,
        id=f"{rulebook} {clause} {told}"[:90].replace("__", "."),
        marks=pytest.mark.clause(rulebook, clause),
    )


def check(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    error = refusal(spoiled(rulebook, **changes), rulebook)
    assert error["clause"] == clause, error


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        forbidden("md-uth", "7.F(1)", seats__0__wagers__ante=DROP),
        forbidden("md-uth", "7.F(1)", seats__0__wagers__blind=DROP),
        forbidden("md-uth", "7.F(1)", seats__1__wagers={}),
        forbidden("md-uth", "7.F(1)", seats__1__wagers={"trips": 5}),
        forbidden("ma-uth", "1.Ante", seats__0__wagers__ante=DROP),
        forbidden("ma-uth", "1.Blind", seats__0__wagers__blind=DROP),
        forbidden("md-jackpot", "1.B(1)", seats__0__wagers__ante=DROP),
        forbidden("md-jackpot", "1.B(6)", seats__1__wagers__x_tra_bonus=DROP),
        forbidden("md-wpt", "7.F(1)", seats__0__wagers__ante=DROP),
        forbidden("md-wpt", "7.F(1)", seats__0__wagers__odds=DROP),
        forbidden("md-235", "7.E(1)", seats__0__wagers__two_card_poker=DROP),
        forbidden("md-235", "7.E(1)", seats__0__wagers__three_card_poker=DROP),
        forbidden("md-235", "7.E(1)", seats__1__wagers__five_card_poker=DROP),
    ],
)
def test_a_required_wager_is_missing(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    check(rulebook, clause, changes)


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        forbidden("md-uth", "7.F(1)", seats__0__wagers__blind=5),
        forbidden("md-uth", "7.F(1)", seats__0__wagers__ante="10.01"),
        forbidden("ma-uth", "1.Ante", seats__0__wagers__blind="9.99"),
        forbidden("md-jackpot", "7.F(1)", seats__0__wagers__x_tra_bonus=20),
        forbidden("md-wpt", "7.F(1)", seats__1__wagers__odds=20),
        forbidden("md-235", "7.E(1)", seats__0__wagers__three_card_poker=6),
        forbidden("md-235", "7.E(1)", seats__0__wagers__five_card_poker=4),
        forbidden("md-235", "7.E(1)", seats__1__wagers__two_card_poker=10),
    ],
)
def test_required_wagers_differ(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    check(rulebook, clause, changes)


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        *(
            forbidden("md-uth", "12.D(5)(a)", seats__0__wagers__progressive=stake)
            for stake in (2, 3, "1.50", "0.99", 10, 4, "5.01")
        ),
        *(
            forbidden("ma-uth", "13(a)", seats__0__wagers__progressive=stake)
            for stake in (1, 4, 10, "4.99")
        ),
        *(
            forbidden("md-wpt", "12.D'(7)", seats__0__wagers__progressive=stake)
            for stake in (2, 5, "0.50")
        ),
        *(
            forbidden("md-235", "12.H(1)", seats__0__wagers__progressive=stake)
            for stake in (2, 10, "2.50")
        ),
        forbidden("md-jackpot", "7.F(3)", submission__progressive={"stakes": [5]}),
        forbidden("md-uth", "12.D(5)(a)", submission__progressive={"stakes": [5]}),
        forbidden("md-uth", "12.D(5)(a)", submission__progressive={"stakes": [2]}),
    ],
)
def test_a_stake_the_progressive_does_not_take(
    rulebook: str, clause: str, changes: dict[str, Any]
) -> None:
    check(rulebook, clause, changes)


BOX = {"bonus_cards": "3c 4c 5c 6c"}


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        forbidden(
            "md-uth",
            "7.F(4)(b)",
            seats__0__wagers={"ante": 10, "blind": 10, "six_card_bonus": 5},
            **BOX,
        ),
        forbidden(
            "md-uth",
            "10.B(1)",
            seats__0__wagers__six_card_bonus=5,
            submission__options={"dealing": "manual_shoe"},
            **BOX,
        ),
        forbidden(
            "md-uth",
            "10.B(1)",
            seats__0__wagers__six_card_bonus=5,
            submission__options={"dealing": "hand"},
            **BOX,
        ),
        forbidden("ma-uth", "12(d)", submission__options={"dealing": "manual_shoe"}),
        forbidden("md-uth", "7.F(2)", submission__offered=["progressive"]),
        forbidden("ma-uth", "12(a)", submission__offered=["trips", "progressive"]),
        forbidden("md-wpt", "7.F(4)", submission__offered=[]),
        forbidden("md-235", "7.E(2)", submission__offered=["progressive"]),
        forbidden("md-jackpot", "7.F(3)", submission__offered=["player_bonus"]),
        forbidden("md-uth", "7.F(1)", submission__limits={"ante": {"minimum": 15}}),
        forbidden("md-uth", "7.F(1)", submission__limits={"blind": {"maximum": "9.99"}}),
        forbidden("md-uth", "7.F(2)", submission__limits={"trips": {"maximum": 4}}),
        forbidden("md-uth", "7.F(1)", seats__0__wagers__play=20),
        forbidden("ma-uth", "1.Play wager", seats__0__wagers__play=20),
        forbidden("md-wpt", "7.F(1)", seats__0__wagers={"ante": 5, "odds": 5, "raise": 5}),
        forbidden("md-235", "11.B(1)(a)", seats__0__wagers__three_card_raise=5),
        forbidden("md-235", "11.B(1)'(a)", seats__0__wagers__five_card_raise=5),
    ],
)
def test_a_wager_that_cannot_be_made(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    check(rulebook, clause, changes)


def said(rulebook: str, clause: str, *actions: str) -> Any:
    return forbidden(rulebook, clause, seats__0__actions=list(actions))


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        # Multiples and words that a decision does not know.
        *(said("md-uth", "11.B(1)", word) for word in ("2x", "1x", "5x", "fold", "raise", "4X")),
        *(said("md-uth", "11.D(1)", "check", word) for word in ("4x", "3x", "1x", "fold", "bet")),
        *(said("md-uth", "11.F", "check", "check", word) for word in ("2x", "3x", "check", "call")),
        *(said("ma-uth", "9(a)", word) for word in ("2x", "1x", "fold", "4")),
        *(said("ma-uth", "9(c)", "check", word) for word in ("4x", "1x", "fold")),
        *(said("ma-uth", "9(e)", "check", "check", word) for word in ("2x", "check")),
        *(said("md-jackpot", "11.C(1)", word) for word in ("4x", "2x", "1x", "fold")),
        *(said("md-jackpot", "11.E(1)", "check", word) for word in ("3x", "1x", "fold")),
        *(said("md-jackpot", "11.G", "check", "check", word) for word in ("2x", "check")),
        *(said("md-wpt", "11.B(1)", word) for word in ("4x", "2x", "1x", "fold")),
        *(said("md-wpt", "11.D(1)", "check", word) for word in ("3x", "1x", "fold")),
        *(said("md-wpt", "11.F", "check", "check", word) for word in ("2x", "check")),
        *(said("md-235", "11.B(1)", word, "check") for word in ("1x", "fold", "2x", "")),
        *(said("md-235", "11.B(1)'", "raise", word) for word in ("1x", "fold", "Raise")),
        # A decision left open.
        said("md-uth", "11.B(1)"),
        said("md-uth", "11.D(1)", "check"),
        said("md-uth", "11.F", "check", "check"),
        said("ma-uth", "9(a)"),
        said("ma-uth", "9(e)", "check", "check"),
        said("md-jackpot", "11.C(1)"),
        said("md-jackpot", "11.G", "check", "check"),
        said("md-wpt", "11.B(1)"),
        said("md-wpt", "11.D(1)", "check"),
        said("md-235", "11.B(1)"),
        said("md-235", "11.B(1)'", "raise"),
        forbidden("md-uth", "11.B(1)", seats__0__actions=DROP),
        # Something said after the bet or the fold.
        said("md-uth", "11.F", "4x", "check"),
        said("md-uth", "11.F", "check", "2x", "1x"),
        said("md-uth", "11.F", "check", "check", "fold", "1x"),
        said("md-uth", "11.F", "3x", "4x"),
        said("ma-uth", "9(e)", "4x", "2x"),
        said("md-jackpot", "11.G", "3x", "check", "check"),
        said("md-wpt", "11.F", "check", "check", "1x", "1x"),
        said("md-235", "11.B(1)'", "raise", "raise", "raise"),
    ],
)
def test_a_decision_that_cannot_be_made(
    rulebook: str, clause: str, changes: dict[str, Any]
) -> None:
    check(rulebook, clause, changes)


DEALT = {name: load_rulebook(name).default.cards.clause for name in RULEBOOKS}
BOXED = load_rulebook("md-uth").default.cards.box_clause or DEALT["md-uth"]


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        # Too few, too many, or cards the game does not deal.
        *(
            forbidden(rulebook, clause, **{place: cards})
            for rulebook, clause in DEALT.items()
            if rulebook != "md-235"
            for place, cards in (
                ("dealer", DROP),
                ("dealer", None),
                ("dealer", ""),
                ("dealer", "Qs"),
                ("dealer", "Qs Qh Qd"),
                ("community", DROP),
                ("community", "As Kd 7h 2c"),
                ("community", "As Kd 7h 2c 2d 3d"),
                ("seats__0__cards", ""),
                ("seats__0__cards", "Ah"),
                ("seats__1__cards", "9s 8s 7s"),
            )
        ),
        forbidden("md-235", DEALT["md-235"], dealer="Qs Qh"),
        forbidden("md-235", DEALT["md-235"], dealer="Qs"),
        forbidden("md-235", DEALT["md-235"], community="9h"),
        forbidden("md-235", DEALT["md-235"], community="9h 9s 2d"),
        forbidden("md-235", DEALT["md-235"], seats__0__cards="9c 9d"),
        forbidden("md-235", DEALT["md-235"], seats__0__cards="9c 9d 2h 3h"),
        # The bonus box.
        forbidden("md-uth", BOXED, seats__0__wagers__six_card_bonus=5),
        forbidden("md-uth", BOXED, seats__0__wagers__six_card_bonus=5, bonus_cards=""),
        forbidden("md-uth", BOXED, seats__0__wagers__six_card_bonus=5, bonus_cards=None),
        forbidden("md-uth", BOXED, bonus_cards="3c 4c 5c"),
        forbidden("md-uth", BOXED, bonus_cards="3c 4c 5c 6c 7c"),
        forbidden("ma-uth", DEALT["ma-uth"], **BOX),
        forbidden("md-jackpot", DEALT["md-jackpot"], **BOX),
        forbidden("md-wpt", DEALT["md-wpt"], **BOX),
        forbidden("md-235", DEALT["md-235"], **BOX),
    ],
)
def test_a_wrong_number_of_cards(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    check(rulebook, clause, changes)


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        *(
            forbidden(rulebook, clause, **changes)
            for rulebook, clause in (
                ("md-uth", "3.A(1)"),
                ("ma-uth", "2(a)"),
                ("md-jackpot", "3.A(1)"),
                ("md-wpt", "3.A(1)"),
            )
            for changes in (
                {"dealer": "Qs Qs"},
                {"dealer": "As Qs"},
                {"dealer": "Ah Qs"},
                {"community": "As Kd 7h 2c 2c"},
                {"community": "As AS 7h 2c 2d"},
                {"seats__0__cards": "Ah ah"},
                {"seats__0__cards": "2d Ad"},
                {"seats__1__cards": "Ah 8s"},
                {"seats__0__cards": "10c Tc"},
            )
        ),
        forbidden("md-uth", "3.A(1)", bonus_cards="3c 4c 5c As"),
        forbidden("md-uth", "3.A(1)", bonus_cards="3c 4c 5c 3c"),
        forbidden("md-235", "3.A", community="9h 9h"),
        forbidden("md-235", "3.A", community="9h 9c"),
        forbidden("md-235", "3.A", seats__1__cards="9c Kc Qc"),
        forbidden("md-235", "3.A", seats__1__cards="Ac Ac Qc"),
    ],
)
def test_a_card_lies_twice(rulebook: str, clause: str, changes: dict[str, Any]) -> None:
    check(rulebook, clause, changes)


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        *(
            forbidden(rulebook, clause, seats__0__seat=number)
            for rulebook, clause in (
                ("md-uth", "2.A"),
                ("ma-uth", "12(k)"),
                ("md-jackpot", "2.A"),
                ("md-wpt", "2.A"),
                ("md-235", "2.A(1)"),
            )
            for number in (0, 7, -1, 10**30)
        ),
        # One person on several positions.
        forbidden("md-wpt", "7.G", seats__1__player="Ann"),
        forbidden("ma-uth", "11", seats__1__player="Ann"),
        *(
            forbidden(
                rulebook,
                clause,
                seats__1__player="Ann",
                seats__1__seat=seat,
                submission__options={"adjacent_boxes": boxes},
            )
            for rulebook, clause in (("md-uth", "7.G"), ("md-jackpot", "7.G"), ("md-235", "7.F"))
            for seat, boxes in ((3, 1), (4, 2), (5, 6), (6, 3))
        ),
        forbidden("md-uth", "7.G", submission__options={"adjacent_boxes": 0}),
        forbidden("md-uth", "7.G", submission__options={"adjacent_boxes": 7}),
        forbidden("md-wpt", "7.G", submission__options={"adjacent_boxes": 2}),
        forbidden("ma-uth", "11", submission__options={"adjacent_boxes": 2}),
    ],
)
def test_a_position_that_cannot_be_played(
    rulebook: str, clause: str, changes: dict[str, Any]
) -> None:
    check(rulebook, clause, changes)


@pytest.mark.clause("md-uth", "7.G")
@pytest.mark.parametrize("rulebook", ["md-uth", "md-jackpot", "md-235"])
def test_adjacent_boxes_within_the_submission_are_played(rulebook: str) -> None:
    request = spoiled(
        rulebook,
        seats__1__player="Ann",
        seats__1__seat=3,
        submission__options={"adjacent_boxes": 2},
    )
    assert croupier("settle", "--json", stdin=lines_of([request])).code == 0


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        forbidden("md-uth", "12.B", submission__paytables={"blind": "C"}),
        forbidden("md-uth", "12.C", submission__paytables={"trips": "F"}),
        forbidden("md-uth", "12.D(1)", submission__paytables={"progressive": "E"}),
        forbidden("md-uth", "12.E", submission__paytables={"six_card_bonus": "C"}),
        forbidden("md-uth", "12.E'", submission__paytables={"ultimate_pairs": "G"}),
        forbidden("md-uth", "12.F'", submission__paytables={"bad_beat": "D"}),
        forbidden("md-uth", "12.G", submission__paytables={"play_the_board": "D"}),
        forbidden("ma-uth", "13(e)", submission__paytables={"progressive": "PTMGL03"}),
        forbidden("md-jackpot", "12.B", submission__paytables={"x_tra_bonus": "B"}),
        forbidden("md-wpt", "12.C", submission__paytables={"bad_beat_bonus": "E"}),
        forbidden("md-235", "12.E", submission__paytables={"progressive": "E"}),
        forbidden("md-uth", "3.A(1)", submission__options={"decks": 3}),
        forbidden("md-uth", "5.D(1)", submission__options={"dealing": "robot"}),
        forbidden("md-uth", "3.B", submission__options={"shuffler": "yes"}),
        forbidden("md-uth", "12.F", submission__options={"payout_limit": 0}),
        forbidden("md-235", "12.K(2)", submission__options={"minimum_wager": "-5"}),
        forbidden("ma-uth", "13(e)", submission__options={"envy_holder_must_bet": 1}),
        forbidden("md-uth", "1.B(6)", submission__readings={"progressive_hand": "best"}),
        forbidden("md-235", "6.A", submission__readings={"ace_low_straights": "all"}),
    ],
)
def test_a_choice_the_document_does_not_offer(
    rulebook: str, clause: str, changes: dict[str, Any]
) -> None:
    check(rulebook, clause, changes)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_good_rounds_are_good(rulebook: str) -> None:
    assert croupier("settle", "--json", stdin=lines_of([GOOD[rulebook]])).code == 0
