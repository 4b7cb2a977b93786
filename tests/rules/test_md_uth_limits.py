"""md-uth 12.F: what a payout limit covers, and how low it may be set."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from croupier.rulebooks.submission import Submission
from croupier.submissions.check import check_submission
from tests.rules.table import Settled, seat, settle

CAP = {"payout_limit": "50000", "minimum_wager": "5"}
ROYAL: dict[str, Any] = {"community": "Qs Js Ts 2d 2h", "dealer": "3c 4d"}


def won(told: Settled, number: int = 1) -> str:
    """Winnings of everything a limit could cover, lost stakes apart."""
    lines = told.seat(number)["lines"]
    return str(sum(Decimal(line["net"]) for line in lines if line["result"] == "win"))


@pytest.mark.clause("md-uth", "12.F")
def test_12_F_without_a_limit_everything_is_paid() -> None:
    told = settle("md-uth", seat("As Ks", "4x", ante=200, blind=200, trips=100), **ROYAL)
    assert won(told) == "106000.00"


@pytest.mark.clause("md-uth", "12.F")
def test_12_F_a_hand_wins_no_more_than_the_limit() -> None:
    told = settle(
        "md-uth", seat("As Ks", "4x", ante=200, blind=200, trips=100), options=CAP, **ROYAL
    )
    assert won(told) == "50000.00"
    nets = [told.net(wager) for wager in ("ante", "blind", "play", "trips")]
    assert nets == ["200.00", "44000.00", "800.00", "5000.00"]


@pytest.mark.clause("md-uth", "12.F")
def test_12_F_a_win_at_the_limit_is_paid_in_full() -> None:
    options = {"payout_limit": "50500", "minimum_wager": "5"}
    told = settle("md-uth", seat("As Ks", "4x", ante=100, blind=100), options=options, **ROYAL)
    assert won(told) == "50500.00"
    options = {"payout_limit": "50499.99", "minimum_wager": "5"}
    told = settle("md-uth", seat("As Ks", "4x", ante=100, blind=100), options=options, **ROYAL)
    assert won(told) == "50499.99"


@pytest.mark.clause("md-uth", "12.F")
def test_12_F_the_limit_is_for_a_single_hand() -> None:
    told = settle(
        "md-uth",
        seat("Ac Ad", "4x", 1, "ann", ante=10000, blind=10000),
        seat("7c 7d", "4x", 2, "ann", ante=10000, blind=10000),
        community="Ah Kd Kc 7s 2h",
        dealer="3c 4d",
        options={**CAP, "adjacent_boxes": 2},
    )
    assert [won(told, number) for number in (1, 2)] == ["50000.00", "50000.00"]


@pytest.mark.clause("md-uth", "12.F")
def test_12_F_lost_stakes_are_not_set_against_the_limit() -> None:
    told = settle(
        "md-uth",
        seat("As Ks", "4x", ante=200, blind=200, play_the_board=300),
        options=CAP,
        **ROYAL,
    )
    assert (won(told), told.net("play_the_board")) == ("50000.00", "-300.00")


@pytest.mark.clause("md-uth", "12.F(2)")
@pytest.mark.parametrize(
    ("wager", "cards", "board", "dealer"),
    [
        ("trips", "2c 2d", "2h 2s 9c Kd 4h", "3c 4d"),
        ("ultimate_pairs", "Ac Ad", "Qh 9s 5d 4c Kh", "Kc 2d"),
        ("bad_beat", "9c 9d", "Qh 9s 5d 4c Kh", "Qc Qd"),
        ("play_the_board", "2c 3d", "Qh Qs Qd 9c Kh", "Kc Ks"),
    ],
)
def test_12_F_2_the_limit_covers_this_side_wager(
    wager: str, cards: str, board: str, dealer: str
) -> None:
    bets: dict[str, Any] = {"ante": 10, "blind": 10, wager: 50000}
    told = settle("md-uth", seat(cards, "4x", **bets), community=board, dealer=dealer, options=CAP)
    assert told.result(wager) == "win"
    assert won(told) == "50000.00"


@pytest.mark.clause("md-uth", "12.F(2)")
def test_12_F_2_the_limit_leaves_progressive_envy_and_six_card_bonus_alone() -> None:
    told = settle(
        "md-uth",
        seat("Ah Kh", "4x", 1, ante=200, blind=200, trips=1, progressive=5, six_card_bonus=5),
        seat("9h 8h", "4x", 2, ante=10, blind=10, progressive=5),
        community="Qh Jh Th 2c 2d",
        dealer="3c 4d",
        box="As Ad Ac Ks",
        meters={"main": "90000"},
        options=CAP,
    )
    covered = ("ante", "blind", "play", "trips")
    assert sum(Decimal(told.net(wager)) for wager in covered) == 50000
    assert told.net("six_card_bonus") == "250.00"
    assert told.net("envy") == "1500.00"
    assert told.net("progressive") == "80995.00"


@pytest.mark.clause("md-uth", "12.F(2)")
def test_12_F_2_a_super_royal_is_above_every_limit() -> None:
    told = settle(
        "md-uth",
        seat("Ad Kd", "4x", ante=10, blind=10, trips=1, six_card_bonus=5),
        community="2s 3s 5c 8s 8c",
        dealer="7c 7h",
        box="Qd Jd Td 9d",
        options=CAP,
    )
    assert told.net("six_card_bonus") == "1000000.00"


# -- the least that may be set ----------------------------------------------------------------


def verdict(limit: str, minimum: int | None, *offered: str, **told: Any) -> list[str | None]:
    """The clauses of the errors about a payout limit at this table."""
    options = {
        "payout_limit": limit,
        "adjacent_boxes": 1,
        "dealing": "manual_shoe",
        "minimum_wager": minimum,
    }
    submission = {
        "rulebook": "md-uth",
        "offered": list(offered),
        "paytables": {"blind": "A", "trips": "A", **told.pop("paytables", {})},
        "options": {name: value for name, value in options.items() if value is not None},
        **told,
    }
    findings = check_submission(msgspec.convert(submission, Submission))
    return [finding.clause for finding in findings if finding.severity == "error"]


def exactly(bound: int, minimum: int, *offered: str, **told: Any) -> bool:
    """Is this the least limit that the check accepts?"""
    enough = verdict(str(bound), minimum, *offered, **dict(told))
    short = verdict(f"{bound - 1}.99", minimum, *offered, **dict(told))
    return (enough, short) == ([], ["12.F(1)"])


@pytest.mark.clause("md-uth", "12.F(1)")
def test_12_F_1_a_limit_is_at_least_fifty_thousand() -> None:
    assert exactly(50000, 5, "trips")


@pytest.mark.clause("md-uth", "12.F(1)")
def test_12_F_1_a_limit_goes_with_the_minimum_wager() -> None:
    assert verdict("50000", None, "trips") == ["12.F(1)"]


@pytest.mark.clause("md-uth", "12.F(1)")
@pytest.mark.parametrize(
    ("bound", "minimum", "offered"),
    [
        (50000, 99, ()),
        (50500, 100, ()),
        (50000, 90, ("trips",)),
        (50505, 91, ("trips",)),
        (55500, 100, ("trips",)),
    ],
)
def test_12_F_1_or_what_the_minimum_wager_can_win(
    bound: int, minimum: int, offered: tuple[str, ...]
) -> None:
    """Ante 1, Blind 500, Play 4 and Trips 50 for each dollar of the minimum."""
    assert exactly(bound, minimum, *offered)


@pytest.mark.clause("md-uth", "12.F(1)")
@pytest.mark.parametrize(
    ("wagers", "tables", "each"),
    [
        # Royal flush with a pair of aces in hand.
        (("trips", "ultimate_pairs"), {"ultimate_pairs": "A"}, 1 + 500 + 4 + 50 + 30),
        # The same, and the dealer has the other two aces.
        (("trips", "ultimate_pairs"), {"ultimate_pairs": "B"}, 1 + 500 + 4 + 50 + 1000),
        # A royal flush on the board ties, but pays the most on the board itself.
        (("trips", "play_the_board"), {"play_the_board": "A"}, 50 + 1000),
        # The royal flush beats the dealer's straight flush.
        (("trips", "bad_beat"), {"bad_beat": "C"}, 1 + 500 + 4 + 50 + 2500),
    ],
)
def test_12_F_1_counts_the_side_wagers_that_a_limit_covers(
    wagers: tuple[str, ...], tables: dict[str, str], each: int
) -> None:
    assert exactly(100 * each, 100, *wagers, paytables=tables)


@pytest.mark.clause("md-uth", "12.F(1)")
@pytest.mark.parametrize(("table", "red_aces"), [("D", 100), ("E", 50)])
def test_12_F_1_the_luckiest_royal_flush_begins_with_the_red_aces(
    table: str, red_aces: int
) -> None:
    each = 1 + 500 + 4 + 50 + red_aces
    tables = {"ultimate_pairs": table}
    assert exactly(100 * each, 100, "trips", "ultimate_pairs", paytables=tables)


@pytest.mark.clause("md-uth", "12.F(1)")
def test_12_F_1_read_for_the_player_alone_bad_beat_counts_his_beaten_straight_flush() -> None:
    """The dealer's royal flush beats it: all but Trips and Bad Beat are lost."""
    assert exactly(
        100 * (40 + 2500),
        100,
        "trips",
        "bad_beat",
        paytables={"bad_beat": "C"},
        readings={"bad_beat_loser": "player_only"},
    )


@pytest.mark.clause("md-uth", "12.F(1)", "12.F(2)")
def test_12_F_1_does_not_count_what_the_limit_leaves_alone() -> None:
    told = {
        "paytables": {"progressive": "A", "six_card_bonus": "A"},
        "progressive": {
            "stakes": [5],
            "meters": {"main": {"seed": 90000, "reset": 90000, "rate": "0.1"}},
        },
        "options": {
            "adjacent_boxes": 1,
            "dealing": "automated_shoe",
            "envy_holder_must_bet": False,
            "minimum_wager": 5,
            "payout_limit": 50000,
        },
    }
    assert verdict("50000", 5, "trips", "progressive", "six_card_bonus", **told) == []
