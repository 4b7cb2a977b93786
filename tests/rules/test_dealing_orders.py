"""The order in which cards leave the deck, card by card, as each document tells it.

A number is a card to that seat. The moments after the deal are named: `flop: burn board board
board`. What a moment does not list has left the deck before.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import RuleBroken
from croupier.rounds.dealing import dealer_waits, whole_order
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

ONE, TWO, SIX = (4,), (1, 3), (1, 2, 3, 4, 5, 6)
WORDS = {"community": "board"}


def rules_of(rulebook: str, offered: tuple[str, ...] | None = None, /, **options: Any) -> Rules:
    return put_in_force(load_rulebook(rulebook), Submission(offered=offered, options=options))


def told(rules: Rules, seats: tuple[int, ...]) -> str:
    """Every card of a round, one word each."""
    words, moment = [], "deal"
    for at, delivery in whole_order(rules, seats):
        if at != moment:
            words.append(f"{at}:")
            moment = at
        word = str(delivery.seat) if delivery.seat else WORDS.get(delivery.place, delivery.place)
        words += [word] * delivery.count
    return " ".join(words)


def clauses(rules: Rules, seats: tuple[int, ...]) -> list[tuple[str, str]]:
    """Which clause sends cards to which place."""
    return list(dict.fromkeys((d.place, d.clause) for _, d in whole_order(rules, seats)))


# -- md-uth ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "8.D(2)", "8.D(3)", "11.C(1)", "11.C(2)", "11.E(1)", "11.E(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer flop: board board board turn and river: board board"),
        (TWO, "1 3 dealer 1 3 dealer flop: board board board turn and river: board board"),
        (
            SIX,
            "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer "
            "flop: board board board turn and river: board board",
        ),
    ],
)
def test_md_uth_8_D_2_single_cards_from_the_shoe_and_no_burn(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-uth", ("trips",), dealing="manual_shoe")
    assert told(rules, seats) == expected
    assert not dealer_waits(rules)
    assert clauses(rules, seats) == [
        ("player", "8.D(2)"),
        ("dealer", "8.D(2)"),
        ("community", "11.C(2)"),
        ("community", "11.E(2)"),
    ]


@pytest.mark.clause("md-uth", "9.B(2)", "9.B(3)", "11.C(1)", "11.C(2)", "11.E(1)", "11.E(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer flop: burn board board board turn and river: burn board board"),
        (
            TWO,
            "1 3 dealer 1 3 dealer flop: burn board board board turn and river: burn board board",
        ),
        (
            SIX,
            "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer "
            "flop: burn board board board turn and river: burn board board",
        ),
    ],
)
def test_md_uth_9_B_2_from_the_hand_a_card_is_burned_before_flop_and_river(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-uth", ("trips",), dealing="hand", shuffler=True)
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [
        ("player", "9.B(2)"),
        ("dealer", "9.B(2)"),
        ("burn", "11.C(1)"),
        ("community", "11.C(2)"),
        ("burn", "11.E(1)"),
        ("community", "11.E(2)"),
    ]


@pytest.mark.clause("md-uth", "10.B(1)", "10.B(2)", "10.B(3)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "box box box box board board board board board dealer dealer 4 4"),
        (TWO, "box box box box board board board board board dealer dealer 1 1 3 3"),
        (
            SIX,
            "box box box box board board board board board dealer dealer 1 1 2 2 3 3 4 4 5 5 6 6",
        ),
    ],
)
@pytest.mark.parametrize("stated", [{}, {"deal_order": "dealer_first"}])
def test_md_uth_10_B_3_box_board_dealer_and_then_the_players(
    stated: dict[str, Any], seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-uth", ("trips", "six_card_bonus"), dealing="automated_shoe", **stated)
    assert told(rules, seats) == expected
    assert not dealer_waits(rules)
    assert clauses(rules, seats) == [
        ("box", "10.B(1)"),
        ("community", "10.B(2)"),
        ("dealer", "10.B(3)"),
        ("player", "10.B(3)"),
    ]


@pytest.mark.clause("md-uth", "10.B(4)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "box box box box board board board board board 4 4 dealer dealer"),
        (TWO, "box box box box board board board board board 1 1 3 3 dealer dealer"),
        (
            SIX,
            "box box box box board board board board board 1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer",
        ),
    ],
)
def test_md_uth_10_B_4_the_dealers_pair_is_last_and_stays_in_the_shuffler(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-uth", dealing="automated_shoe", deal_order="dealer_last")
    assert told(rules, seats) == expected
    assert dealer_waits(rules)


@pytest.mark.clause("md-uth", "10.F")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "box box box box board board board board board 4 4 dealer dealer"),
        (TWO, "box box box box board board board board board 1 1 3 3 dealer dealer"),
        (
            SIX,
            "box box box box board board board board board 1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer",
        ),
    ],
)
def test_md_uth_10_F_the_board_before_players_and_dealer(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-uth", dealing="automated_shoe", deal_order="community_first")
    assert told(rules, seats) == expected
    assert not dealer_waits(rules), "the dealer's pair is dispensed, not left behind"


@pytest.mark.clause("md-uth", "10.B(1)")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("dealer_first", "board board board board board dealer dealer 1 1 3 3"),
        ("dealer_last", "board board board board board 1 1 3 3 dealer dealer"),
        ("community_first", "board board board board board 1 1 3 3 dealer dealer"),
    ],
)
def test_md_uth_10_B_1_no_box_at_a_table_without_the_six_card_bonus(
    order: str, expected: str
) -> None:
    """MD-18: the box is dealt every round where the wager is offered, and nowhere else."""
    rules = rules_of("md-uth", ("trips",), dealing="automated_shoe", deal_order=order)
    assert told(rules, TWO) == expected


# -- md-wpt ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-wpt", "8.D(2)", "8.D(3)", "11.C(1)", "11.C(2)", "11.E(1)", "11.E(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer flop: board board board turn and river: board board"),
        (TWO, "1 3 dealer 1 3 dealer flop: board board board turn and river: board board"),
        (
            SIX,
            "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer "
            "flop: board board board turn and river: board board",
        ),
    ],
)
def test_md_wpt_8_D_2_single_cards_from_the_shoe_and_no_burn(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-wpt", dealing="manual_shoe")
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [
        ("player", "8.D(2)"),
        ("dealer", "8.D(2)"),
        ("community", "11.C(2)"),
        ("community", "11.E(2)"),
    ]


@pytest.mark.clause("md-wpt", "9.B(2)", "9.B(3)", "11.C(1)", "11.C(2)", "11.E(1)", "11.E(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer flop: burn board board board turn and river: burn board board"),
        (
            TWO,
            "1 3 dealer 1 3 dealer flop: burn board board board turn and river: burn board board",
        ),
        (
            SIX,
            "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer "
            "flop: burn board board board turn and river: burn board board",
        ),
    ],
)
def test_md_wpt_9_B_2_from_the_hand_a_card_is_burned_before_flop_and_river(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-wpt", dealing="hand", shuffler=True)
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [
        ("player", "9.B(2)"),
        ("dealer", "9.B(2)"),
        ("burn", "11.C(1)"),
        ("community", "11.C(2)"),
        ("burn", "11.E(1)"),
        ("community", "11.E(2)"),
    ]


@pytest.mark.clause("md-wpt", "10.B(1)", "10.B(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 4 dealer dealer board board board board board"),
        (TWO, "1 1 3 3 dealer dealer board board board board board"),
        (SIX, "1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer board board board board board"),
    ],
)
@pytest.mark.parametrize("stated", [{}, {"deal_order": "community_last"}])
def test_md_wpt_10_B_pairs_first_and_then_the_board_face_down_by_hand(
    stated: dict[str, Any], seats: tuple[int, ...], expected: str
) -> None:
    """B26: all five lie on the table before the first decision, so nothing is burned."""
    rules = rules_of("md-wpt", dealing="automated_shoe", **stated)
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [
        ("player", "10.B(1)"),
        ("dealer", "10.B(1)"),
        ("community", "10.B(2)"),
    ]


@pytest.mark.clause("md-wpt", "10.F")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "board board board board board 4 4 dealer dealer"),
        (TWO, "board board board board board 1 1 3 3 dealer dealer"),
        (SIX, "board board board board board 1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer"),
    ],
)
def test_md_wpt_10_F_the_board_before_players_and_dealer(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-wpt", dealing="automated_shoe", deal_order="community_first")
    assert told(rules, seats) == expected


# -- md-jackpot -----------------------------------------------------------------------------------


@pytest.mark.clause("md-jackpot", "8.D(2)", "8.D(3)", "9.B(2)", "9.B(3)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer board board board board board"),
        (TWO, "1 3 dealer 1 3 dealer board board board board board"),
        (SIX, "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer board board board board board"),
    ],
)
@pytest.mark.parametrize(
    ("dealing", "hands", "board"),
    [("manual_shoe", "8.D(2)", "8.D(3)"), ("hand", "9.B(2)", "9.B(3)")],
)
def test_md_jackpot_8_D_9_B_single_cards_then_the_board_and_never_a_burn(
    dealing: str, hands: str, board: str, seats: tuple[int, ...], expected: str
) -> None:
    """A27: chapter 11 only reveals, so all five lie face down after the hands."""
    rules = rules_of("md-jackpot", dealing=dealing)
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [("player", hands), ("dealer", hands), ("community", board)]


@pytest.mark.clause("md-jackpot", "10.B(1)", "10.B(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "board board board board board dealer dealer 4 4"),
        (TWO, "board board board board board dealer dealer 1 1 3 3"),
        (SIX, "board board board board board dealer dealer 1 1 2 2 3 3 4 4 5 5 6 6"),
    ],
)
@pytest.mark.parametrize("stated", [{}, {"deal_order": "dealer_first"}])
def test_md_jackpot_10_B_2_board_dealer_and_then_the_players(
    stated: dict[str, Any], seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-jackpot", dealing="automated_shoe", **stated)
    assert told(rules, seats) == expected
    assert not dealer_waits(rules)


@pytest.mark.clause("md-jackpot", "10.B(3)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "board board board board board 4 4 dealer dealer"),
        (TWO, "board board board board board 1 1 3 3 dealer dealer"),
        (SIX, "board board board board board 1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer"),
    ],
)
def test_md_jackpot_10_B_3_the_dealers_pair_is_last_and_stays_in_the_shuffler(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-jackpot", dealing="automated_shoe", deal_order="dealer_last")
    assert told(rules, seats) == expected
    assert dealer_waits(rules)


# -- md-235 ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-235", "8.D(2)", *(f"8.D(2)({letter})" for letter in "abcde"))
@pytest.mark.clause("md-235", "9.B", *(f"9.B({number})" for number in "12345"))
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 board 4 board 4"),
        (TWO, "1 3 board 1 3 board 1 3"),
        (SIX, "1 2 3 4 5 6 board 1 2 3 4 5 6 board 1 2 3 4 5 6"),
    ],
)
@pytest.mark.parametrize(
    ("dealing", "steps"),
    [
        ("manual_shoe", ["8.D(2)(a)", "8.D(2)(b)", "8.D(2)(c)", "8.D(2)(d)", "8.D(2)(e)"]),
        ("hand", ["9.B(1)", "9.B(2)", "9.B(3)", "9.B(4)", "9.B(5)"]),
    ],
)
def test_md_235_8_D_2_9_B_players_and_board_take_turns(
    dealing: str, steps: list[str], seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-235", dealing=dealing)
    assert told(rules, seats) == expected
    assert [clause for _, clause in clauses(rules, seats)] == steps


@pytest.mark.clause("md-235", "10.B(1)", "10.B(2)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 4 4 board board"),
        (TWO, "1 1 1 3 3 3 board board"),
        (SIX, "1 1 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6 board board"),
    ],
)
@pytest.mark.parametrize("stated", [{}, {"deal_order": "community_last"}])
def test_md_235_10_B_stacks_of_three_and_then_the_board(
    stated: dict[str, Any], seats: tuple[int, ...], expected: str
) -> None:
    """C21: every player gets his stack before the board, not only the first."""
    rules = rules_of("md-235", dealing="automated_shoe", **stated)
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [("player", "10.B(1)"), ("community", "10.B(2)")]


@pytest.mark.clause("md-235", "10.H")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "board board discard 4 4 4"),
        (TWO, "board board discard 1 1 1 3 3 3"),
        (SIX, "board board discard 1 1 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6"),
    ],
)
def test_md_235_10_H_a_board_of_three_first_and_its_last_card_discarded(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("md-235", dealing="automated_shoe", deal_order="community_first")
    assert told(rules, seats) == expected


# -- ma-uth ---------------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "7(d)", "7(d)(1)", "7(d)(2)", "7(d)(3)", "7(d)(4)")
@pytest.mark.clause("ma-uth", "7(f)(2)", "7(f)(4)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "4 dealer 4 dealer flop: burn board board board turn and river: burn board board"),
        (
            TWO,
            "1 3 dealer 1 3 dealer flop: burn board board board turn and river: burn board board",
        ),
        (
            SIX,
            "1 2 3 4 5 6 dealer 1 2 3 4 5 6 dealer "
            "flop: burn board board board turn and river: burn board board",
        ),
    ],
)
def test_ma_uth_7_d_f_the_manual_shoe_burns_in_massachusetts(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("ma-uth", ("trips",), dealing="manual_shoe")
    assert told(rules, seats) == expected
    assert clauses(rules, seats) == [
        ("player", "7(d)(1)"),
        ("dealer", "7(d)(2)"),
        ("player", "7(d)(3)"),
        ("dealer", "7(d)(4)"),
        ("burn", "7(f)(2)"),
        ("community", "7(f)(2)"),
        ("burn", "7(f)(4)"),
        ("community", "7(f)(4)"),
    ]


@pytest.mark.clause("ma-uth", "8(c)")
@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (ONE, "board board board board board 4 4 dealer dealer"),
        (TWO, "board board board board board 1 1 3 3 dealer dealer"),
        (SIX, "board board board board board 1 1 2 2 3 3 4 4 5 5 6 6 dealer dealer"),
    ],
)
def test_ma_uth_8_c_the_machine_deals_the_board_first_and_keeps_the_dealers_pair(
    seats: tuple[int, ...], expected: str
) -> None:
    rules = rules_of("ma-uth", dealing="automated_shoe")
    assert told(rules, seats) == expected
    assert dealer_waits(rules)


# -- the operator's choice ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "dealing", "order", "clause"),
    [
        pytest.param(
            *case, marks=pytest.mark.clause(case[0], case[3]), id=f"{case[0]} {case[3]} {case[1]}"
        )
        for case in (
            ("md-uth", "hand", "dealer_first", "10.B(3)"),
            ("md-uth", "manual_shoe", "dealer_last", "10.B(4)"),
            ("md-uth", "hand", "community_first", "10.F"),
            ("md-wpt", "manual_shoe", "community_first", "10.F"),
            ("md-jackpot", "hand", "dealer_first", "10.B(2)"),
            ("md-jackpot", "hand", "dealer_last", "10.B(3)"),
            ("md-235", "manual_shoe", "community_first", "10.H"),
        )
    ],
)
def test_an_order_of_the_machine_cannot_be_had_by_hand(
    rulebook: str, dealing: str, order: str, clause: str
) -> None:
    with pytest.raises(RuleBroken) as refusal:
        rules_of(rulebook, dealing=dealing, deal_order=order)
    assert refusal.value.clause == clause
    assert f"{order!r} is an order of automated_shoe" in refusal.value.message


@pytest.mark.parametrize(
    ("rulebook", "options", "expected"),
    [
        ("md-uth", {}, "box box box box board board board board board dealer dealer 1 1 3 3"),
        (
            "md-uth",
            {"deal_order": "dealer_last"},
            "box box box box board board board board board 1 1 3 3 dealer dealer",
        ),
        ("ma-uth", {}, "board board board board board 1 1 3 3 dealer dealer"),
        ("md-235", {}, "1 3 board 1 3 board 1 3"),
        ("md-235", {"deal_order": "community_first"}, "board board discard 1 1 1 3 3 3"),
        ("md-jackpot", {}, "1 3 dealer 1 3 dealer board board board board board"),
    ],
)
def test_where_no_way_of_dealing_is_stated_the_first_that_can_be(
    rulebook: str, options: dict[str, Any], expected: str
) -> None:
    """It knows the order stated and serves every wager on offer."""
    assert told(rules_of(rulebook, **options), TWO) == expected
