"""ma-uth section 13: the Progressive, its six tables, meters and Envy, and what `check` asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from croupier.rulebooks.submission import Submission
from croupier.submissions.check import check_submission
from tests.rules.table import Settled, refused, seat, settle

# Hole cards and the board; the first three board cards are the flop.
OPENING = {
    "royal_flush": ("As Ks", "Qs Js Ts 2d 3h"),
    "straight_flush": ("9h 8h", "7h 6h 5h Kd Kc"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd 4c 2h"),
    "full_house": ("Ac Ad", "Ah Kd Kc 7s 2h"),
    "flush": ("Ah 9h", "Kh 6h 2h Kd 7c"),
    "straight": ("9c 8d", "7h 6s 5d Jc Kh"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 4c Kh"),
}
# In the order of OPENING, as printed: percent of a meter, or how many for 1.
TABLES: dict[str, tuple[str, ...]] = {
    "PTMGL01": ("100 main", "10 main", "300", "50", "40", "30", "9"),
    "PTMGL02": ("100 main", "10 main", "300", "50", "40", "30", "9"),
    "PTMGL04": ("100 main", "100 main", "300", "50", "40", "30", "9"),
    "PTMGLML01": ("100 major", "100 minor", "300", "50", "40", "30", "9"),
    "PTMGLML02": ("100 mega", "100 major", "100 minor", "50", "40", "30", "10"),
    "PTMGLML03": ("100 mega", "100 major", "100 minor", "50", "40", "30", "9"),
}
# Printed for a $1 wager.
SEEDS: dict[str, dict[str, int]] = {
    "PTMGL01": {"main": 10000},
    "PTMGL02": {"main": 10000},
    "PTMGL04": {"main": 1000},
    "PTMGLML01": {"major": 10000, "minor": 1000},
    "PTMGLML02": {"mega": 10000, "major": 1000, "minor": 250},
    "PTMGLML03": {"mega": 10000, "major": 1000, "minor": 250},
}
# Royal flush, straight flush.
ENVY = {
    "PTMGL01": (1000, 300),
    "PTMGL02": (5000, 1500),
    "PTMGL04": (250, 250),
    "PTMGLML01": (1000, 300),
    "PTMGLML02": (1000, 300),
    "PTMGLML03": (1000, 300),
}
CLAUSES = [f"13(e)[{name}]" for name in TABLES]
CELLS = [
    (name, hand, cell)
    for name, column in TABLES.items()
    for hand, cell in zip(OPENING, column, strict=True)
]
TWO_FLUSHES = "8h 7h 6h Kd Kc"
LOW, HIGH = "5h 4h", "Th 9h"


def bet(cards: str, number: int = 1, said: str = "4x", **told: Any) -> dict[str, Any]:
    return seat(cards, said, number, ante=10, blind=10, progressive=5, **told)


def table(
    *seats: dict[str, Any],
    board: str,
    name: str = "PTMGL01",
    dealer: str = "3c 4d",
    meters: Mapping[str, str | int] | None = None,
    **told: Any,
) -> Settled:
    return settle(
        "ma-uth",
        *seats,
        community=board,
        dealer=dealer,
        paytables={"progressive": name},
        meters=dict(meters or {}),
        **told,
    )


def paid(told: Settled, wager: str, number: int = 1) -> tuple[str, str, str]:
    return told.result(wager, number), told.net(wager, number), told.clause(wager, number)


# -- paytables --------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "13(e)", *CLAUSES, "13(c)")
@pytest.mark.parametrize(("name", "hand", "cell"), CELLS)
def test_13_e_every_line(name: str, hand: str, cell: str) -> None:
    """The meters show $77,000 and more each, and the wager itself is never returned."""
    cards, board = OPENING[hand]
    shown = {meter: 77000 + place for place, meter in enumerate(SEEDS[name])}
    after = {meter: f"{amount}.00" for meter, amount in shown.items()}
    number, _, meter = cell.partition(" ")
    received = shown[meter] * int(number) / 100 if meter else 5 * int(number)
    if meter:
        after[meter] = f"{5 * SEEDS[name][meter] if number == '100' else 69300}.00"
    told = table(bet(cards), board=board, name=name, meters=shown)
    assert paid(told, "progressive") == ("win", f"{received - 5:.2f}", f"13(e)[{name}]")
    assert told.meters == after


@pytest.mark.clause("ma-uth", "13(e)", *CLAUSES)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("cards", ["Qc 9d", "Qc Jd", "Ac 7d"], ids=["two pair", "pair", "nothing"])
def test_13_e_less_than_three_of_a_kind_loses(name: str, cards: str) -> None:
    told = table(bet(cards), board="Qh 9s 5d 4c Kh", name=name)
    assert paid(told, "progressive") == ("lose", "-5.00", "13(e)")


@pytest.mark.clause("ma-uth", "13(e)[PTMGL04]")
def test_13_e_PTMGL04_read_otherwise_a_royal_flush_is_not_paid() -> None:
    cards, board = OPENING["royal_flush"]
    readings = {"ptmgl04_royal_flush": "nothing"}
    seats = bet(cards, 2), bet("Jc 8d", 4)
    told = table(*seats, board=board, name="PTMGL04", readings=readings)
    assert told.net("progressive", 2) == "-5.00"
    assert told.line("envy", 4) is None
    cards, board = OPENING["straight_flush"]
    told = table(bet(cards), board=board, name="PTMGL04", readings=readings)
    assert told.net("progressive") == "4995.00"


@pytest.mark.clause("ma-uth", "13(a)")
@pytest.mark.parametrize("stake", [1, 4, "4.99", "5.01", 6, 10])
def test_13_a_the_progressive_is_five_dollars(stake: int | str) -> None:
    hand = seat("Ac 7d", "4x", ante=10, blind=10, progressive=stake)
    error = refused("ma-uth", hand, community="Qh 9s 5d 4c Kh", dealer="2c 2d")
    assert (error.code, error.clause) == ("rule_broken", "13(a)")


@pytest.mark.clause("ma-uth", "13(b)")
@pytest.mark.parametrize("wagers", [{}, {"ante": 10}, {"blind": 10}, {"trips": 10}])
def test_13_b_the_progressive_never_stands_alone(wagers: dict[str, Any]) -> None:
    hand = seat("Ac 7d", "4x", progressive=5, **wagers)
    assert refused("ma-uth", hand, community="Qh 9s 5d 4c Kh", dealer="2c 2d").code == "rule_broken"


@pytest.mark.clause("ma-uth", "13(f)", "1.Flop")
@pytest.mark.parametrize(
    ("cards", "board", "net"),
    [
        ("Qc Qd", "5h 9s 2d 3h Qh", "-5.00"),
        ("Qc Qd", "Qh 9s 5d 4c Qs", "40.00"),
        ("9h 8h", "7h 6h 2h 5h Tc", "195.00"),
        ("2c 3d", "Qh Qs 9d Qd Kh", "-5.00"),
    ],
)
def test_13_f_the_hand_is_the_two_cards_and_the_flop(cards: str, board: str, net: str) -> None:
    assert table(bet(cards), board=board, dealer="7c 4d").net("progressive") == net


def test_13_e_the_progressive_pays_although_the_dealer_wins() -> None:
    told = table(bet("9c 9d"), board="9h 4s Kd Kc 2h", dealer="Kh Ks")
    assert (told.result("play"), told.net("progressive")) == ("lose", "40.00")


# -- meters -----------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "13(e)", *CLAUSES)
@pytest.mark.parametrize(("reading", "scale"), [("yes", 5), ("no", 1)])
@pytest.mark.parametrize("name", TABLES)
def test_13_e_a_meter_left_out_shows_the_seed_for_the_wager(
    name: str, reading: str, scale: int
) -> None:
    readings = {"progressive_seeds_scale": reading}
    told = table(bet("Ac 7d"), board="Qh 9s 5d 4c Kh", name=name, readings=readings)
    assert told.meters == {meter: f"{scale * seed}.00" for meter, seed in SEEDS[name].items()}


@pytest.mark.clause("ma-uth", "13(c)", "9(h)")
@pytest.mark.parametrize("order", [(2, 5), (5, 2)], ids=["told upwards", "told downwards"])
def test_13_c_the_higher_seat_is_settled_first(order: tuple[int, int]) -> None:
    cards = {2: LOW, 5: HIGH}
    seats = [bet(cards[number], number) for number in order]
    told = table(*seats, board=TWO_FLUSHES, meters={"main": "80000"})
    assert told.net("progressive", 5) == "7995.00"
    assert told.net("progressive", 2) == "7195.00"
    assert told.meters == {"main": "64800.00"}


@pytest.mark.clause("ma-uth", "13(c)", "9(h)")
@pytest.mark.parametrize(("high_seat", "low_seat"), [(6, 1), (1, 6)])
def test_13_c_after_a_whole_meter_the_next_winner_finds_the_reset(
    high_seat: int, low_seat: int
) -> None:
    told = table(
        bet(HIGH, high_seat),
        bet(LOW, low_seat),
        board=TWO_FLUSHES,
        name="PTMGLML01",
        meters={"minor": "6500"},
    )
    assert told.net("progressive", 6) == "6495.00"
    assert told.net("progressive", 1) == "4995.00"
    assert told.meters == {"major": "50000.00", "minor": "5000.00"}


# -- Envy -------------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", *CLAUSES)
@pytest.mark.parametrize(("reading", "scale"), [("no", 1), ("yes", 5)])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("hand", ["royal_flush", "straight_flush"])
def test_13_e_envy(name: str, hand: str, reading: str, scale: int) -> None:
    cards, board = OPENING[hand]
    readings = {"envy_scales": reading}
    told = table(bet(cards, 2), bet("Jc 8d", 4), board=board, name=name, readings=readings)
    sum_paid = scale * ENVY[name][hand == "straight_flush"]
    assert paid(told, "envy", 4) == ("win", f"{sum_paid}.00", f"13(e)[{name}]")
    assert told.line("envy", 2) is None


@pytest.mark.clause("ma-uth", *CLAUSES)
@pytest.mark.parametrize("name", TABLES)
def test_13_e_no_envy_for_four_of_a_kind(name: str) -> None:
    cards, board = OPENING["four_of_a_kind"]
    told = table(bet(cards, 2), bet("Jd 8c", 4), board=board, name=name)
    assert told.line("envy", 4) is None


def test_13_e_envy_is_for_bettors_and_never_for_the_dealers_hand() -> None:
    told = table(
        bet(LOW, 1),
        seat("Jc 8d", "4x", 2, ante=10, blind=10),
        bet("Js 8c", 3),
        board=TWO_FLUSHES,
        dealer=HIGH,
    )
    assert (told.line("envy", 1), told.line("envy", 2)) == (None, None)
    assert told.net("envy", 3) == "300.00"


@pytest.mark.clause("ma-uth", "13(f)")
def test_13_f_envy_looks_at_the_same_five_cards() -> None:
    told = table(bet(LOW, 2), bet("Jc 8d", 3), board="8h 7h Kd 6h Kc")
    assert told.seat(2)["hand"] == "straight_flush"
    assert told.line("envy", 3) is None


def test_13_e_two_hands_bring_two_envies() -> None:
    told = table(bet(LOW, 1), bet(HIGH, 2), bet("Jc 8d", 3), board=TWO_FLUSHES)
    assert [told.net("envy", number) for number in (1, 2, 3)] == ["300.00", "300.00", "600.00"]


@pytest.mark.parametrize("must_bet", [True, False])
def test_13_e_the_licensee_says_whether_the_holder_must_bet(*, must_bet: bool) -> None:
    told = table(
        seat(HIGH, "4x", 2, ante=10, blind=10),
        bet("Jc 8d", 3),
        board=TWO_FLUSHES,
        options={"envy_holder_must_bet": must_bet},
    )
    assert (told.line("envy", 3) is None) is must_bet


# -- the submission ---------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "rulebook": "ma-uth",
    "offered": ["trips", "progressive", "cover_all"],
    "paytables": {"trips": "C", "progressive": "PTMGL01"},
    "progressive": {"meters": {"main": {"seed": 50000, "reset": 50000, "rate": "0.1"}}},
    "options": {
        "envy_holder_must_bet": True,
        "minimum_wager": 25,
        "dealing": "automated_shoe",
        "decks": 2,
        "shuffler": True,
    },
}


def errors(**parts: Any) -> list[str | None]:
    """The clauses of the errors, with tables merged into GOOD; None takes an entry away."""
    told = dict(GOOD)
    for name, value in parts.items():
        merged = {**told.get(name, {}), **value} if isinstance(value, dict) else value
        told[name] = (
            {key: entry for key, entry in merged.items() if entry is not None}
            if isinstance(merged, dict)
            else merged
        )
    findings = check_submission(msgspec.convert(told, Submission))
    return [finding.clause for finding in findings if finding.severity == "error"]


def test_the_submission_that_the_others_change_is_valid() -> None:
    assert check_submission(msgspec.convert(GOOD, Submission)) == []


@pytest.mark.clause("ma-uth", "10(d)")
def test_10_d_the_licensee_selects_one_of_four_trips_tables() -> None:
    for table_id in (None, "E"):
        assert errors(paytables={"trips": table_id}) == ["10(d)"]
    for table_id in "ABCD":
        assert errors(paytables={"trips": table_id}) == []


@pytest.mark.clause("ma-uth", "13(e)")
@pytest.mark.parametrize("name", [None, "PTMGL03", "A"])
def test_13_e_the_licensee_selects_one_of_six_tables(name: str | None) -> None:
    assert "13(e)" in errors(paytables={"progressive": name})


@pytest.mark.clause("ma-uth", "13(e)", *CLAUSES)
@pytest.mark.parametrize("reading", ["yes", "no"])
@pytest.mark.parametrize("name", TABLES)
def test_13_e_the_least_seeds_and_resets(name: str, reading: str) -> None:
    scale = 5 if reading == "yes" else 1

    def verdict(meter: str = "", what: str = "", amount: str = "") -> list[str | None]:
        meters = {
            m: {"seed": scale * seed, "reset": scale * seed, "rate": "0.05"}
            | ({what: amount} if m == meter else {})
            for m, seed in SEEDS[name].items()
        }
        return errors(
            paytables={"progressive": name},
            progressive={"meters": meters},
            readings={"progressive_seeds_scale": reading},
        )

    assert verdict() == []
    for meter, seed in SEEDS[name].items():
        for what in ("seed", "reset"):
            assert verdict(meter, what, f"{scale * seed - 1}.99") == [f"13(e)[{name}]"]


def test_13_e_the_licensee_states_whether_the_envied_holder_must_bet() -> None:
    assert errors(options={"envy_holder_must_bet": None}) == ["13(e)"]
    assert errors(options={"envy_holder_must_bet": None}, offered=["trips", "cover_all"]) == []


@pytest.mark.clause("ma-uth", "13(a)")
def test_13_a_no_other_stake_can_be_offered() -> None:
    assert errors(progressive={"stakes": [1]}) == ["13(a)"]
    assert errors(progressive={"stakes": [5]}) == []


LINKED = {"table": "UTH 2", "rulebook": "ma-uth", "paytable": "PTMGL01", "stake": 5, "decks": 2}


@pytest.mark.clause("ma-uth", "13(g)")
@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, []),
        ({"paytable": "PTMGL02"}, ["13(g)"]),
        ({"paytable": "PTMGLML01"}, ["13(g)"]),
        ({"paytable": "PTMGL03"}, ["13(g)"]),
        ({"stake": 1}, ["13(g)"]),
        ({"decks": 1}, ["13(g)"]),
    ],
    ids=str,
)
def test_13_g_linked_games_have_one_paytable_stake_and_number_of_decks(
    change: dict[str, Any], verdict: list[str]
) -> None:
    assert errors(progressive={"linked": [LINKED | change]}) == verdict


@pytest.mark.clause("ma-uth", "2(b)", "2(a)")
def test_2_b_a_second_deck_needs_a_shuffler() -> None:
    assert errors(options={"shuffler": False}) == ["2(b)"]
    assert errors(options={"shuffler": False, "decks": 1}) == []
    for decks in (0, 3):
        assert errors(options={"decks": decks}) == ["2(a)"]


@pytest.mark.clause("ma-uth", "8(a)", "12(d)")
def test_8_a_the_licensee_may_deal_from_a_machine_which_cover_all_needs() -> None:
    assert errors(options={"dealing": "manual_shoe"}) == ["12(d)"]
    assert errors(options={"dealing": "manual_shoe"}, offered=["trips", "progressive"]) == []
    assert errors(options={"dealing": "hand"}) != []


@pytest.mark.clause("ma-uth", "11")
@pytest.mark.parametrize("boxes", [0, 2])
def test_11_a_submission_allows_one_position(boxes: int) -> None:
    assert errors(options={"adjacent_boxes": boxes}) == ["11"]


@pytest.mark.clause("ma-uth", "10(e)")
@pytest.mark.parametrize(
    ("limit", "minimum", "verdict"),
    [
        (50000, 25, []),
        (49999, 25, ["10(e)"]),
        (50001, 25, ["10(e)"]),
        (55500, 100, []),
        (50000, 100, ["10(e)"]),
        (50000, None, ["10(e)"]),
    ],
)
def test_10_e_the_document_fixes_the_limit(
    limit: int, minimum: int | None, verdict: list[str]
) -> None:
    assert errors(options={"payout_limit": limit, "minimum_wager": minimum}) == verdict


@pytest.mark.clause("ma-uth", "10(e)", "13(d)")
def test_13_d_caps_the_limit_of_a_high_minimum() -> None:
    """At $200 the minimum wager could win $111,000, which the later clause cuts to $75,000."""
    assert errors(options={"payout_limit": 75000, "minimum_wager": 200}) == []
    assert errors(options={"payout_limit": 111000, "minimum_wager": 200}) != []


@pytest.mark.clause("ma-uth", "1.Ante", "1.Blind")
def test_1_the_limits_of_ante_and_blind_are_the_same() -> None:
    assert "1.Ante" in errors(limits={"ante": {"minimum": 25}, "blind": {"minimum": 30}})
