"""Limits of stakes, and payout limits with the bound that the documents compute."""

from __future__ import annotations

from typing import Any

import pytest

from tests.submissions.papers import DROP, errors, findings, warnings


def case(rulebook: str, clause: str, said: str, **changes: object) -> Any:
    held = pytest.mark.clause(rulebook, clause)
    return pytest.param(rulebook, clause, said, changes, marks=held, id=f"{rulebook} {said}")


@pytest.mark.parametrize(
    ("rulebook", "clause", "said", "changes"),
    [
        case("md-uth", "7.F(1)", "above the maximum", limits__ante__maximum=10),
        case("md-uth", "7.F(2)", "above the maximum", limits__trips__minimum=251),
        case("md-uth", "7.F(1)", "limits.blind and limits.ante", limits__blind__maximum=999),
        case("ma-uth", "1.Ante", "limits.blind and limits.ante", limits__blind__minimum=20),
        case("md-jackpot", "7.F(1)", "limits.x_tra_bonus", limits__x_tra_bonus__minimum=5),
        case("md-wpt", "7.F(1)", "limits.odds and limits.ante", limits__odds__maximum=5000),
        case("md-235", "7.E(1)", "limits.five_card_poker", limits__five_card_poker__minimum=5),
        case("md-uth", "7.F(1)", "limits.play: its amount follows", limits__play={"minimum": 1}),
        case("md-uth", "7.F(2)", "a minimum is more than $0", limits__trips__minimum=0),
        case("md-uth", "12.D(5)(a)", "shuts out the stake", limits__progressive={"maximum": 4}),
        case("ma-uth", "13(a)", "shuts out the stake", limits__progressive={"minimum": 6}),
        case("md-uth", "7.F(1)", "options.minimum_wager is $10", options__minimum_wager=10),
        case("md-wpt", "7.F(1)", "options.minimum_wager is $5", options__minimum_wager=5),
    ],
)
def test_limits_that_cannot_be(
    rulebook: str, clause: str, said: str, changes: dict[str, object]
) -> None:
    found = errors(rulebook, **changes)
    assert any(c == clause and said in message for c, message in found), found


@pytest.mark.parametrize("amount", ["x", 1.5, "1.234", "-5", True, "9" * 20])
def test_limits_that_are_no_amounts(amount: Any) -> None:
    if isinstance(amount, bool):  # refused by the form
        return
    found = errors("md-uth", limits__trips__minimum=amount)
    assert any(message.startswith("limits.trips.minimum: ") for _, message in found), found


def at_minimum(rulebook: str, minimum: int, limit: object) -> dict[str, object]:
    """The payout limit with everything bound to one minimum."""
    required = {
        "md-uth": ("ante", "blind"),
        "ma-uth": ("ante", "blind"),
        "md-jackpot": ("ante", "x_tra_bonus"),
        "md-wpt": ("ante", "odds"),
        "md-235": ("two_card_poker", "three_card_poker", "five_card_poker"),
    }[rulebook]
    return {
        "limits": {wager: {"minimum": minimum} for wager in required},
        "options__minimum_wager": minimum,
        "options__payout_limit": limit,
    }


# The most one player can win at a minimum of $100 on each wager, worked out by hand.
BEST = {
    # A royal flush on the board ties the dealer, but Play the Board wins 1,000, Trips 50 and two
    # aces 30 (table C of Ultimate Pairs).
    "md-uth": 100 * (1000 + 50 + 30),
    # A royal flush: 500 + 1 + 4, Trips 50.
    "ma-uth": 100 * (500 + 1 + 4 + 50),
    # A royal flush: 500 + 1 + 3, Player Bonus 100.
    "md-jackpot": 100 * (500 + 1 + 3 + 100),
    # A royal flush: 500 + 1 + 3, Trips Plus 100, two aces 30.
    "md-wpt": 100 * (500 + 1 + 3 + 100 + 30),
    # Ace and king suited 1, mini royal 50 and its raise, royal 500 and its raise, Win'em All 12.
    "md-235": 100 * (1 + 50 + 50 + 500 + 500 + 12),
}


def bounded(rulebook: str, clause: str, words: str) -> Any:
    held = pytest.mark.clause(rulebook, clause)
    return pytest.param(rulebook, clause, words, marks=held, id=rulebook)


@pytest.mark.parametrize(
    ("rulebook", "clause", "words"),
    [
        bounded("md-uth", "12.F(1)", "must be at least"),
        bounded("md-jackpot", "12.F(1)", "must be at least"),
        bounded("md-wpt", "12.E'(1)", "must be at least"),
    ],
)
def test_a_payout_limit_under_the_computed_bound(rulebook: str, clause: str, words: str) -> None:
    best = BEST[rulebook]
    ((found, said),) = errors(rulebook, **at_minimum(rulebook, 100, best - 1))
    assert found == clause
    assert f"is ${best - 1:,}, but {words} ${best:,} (the greater of $50,000 and" in said
    assert errors(rulebook, **at_minimum(rulebook, 100, best)) == []
    assert errors(rulebook, **at_minimum(rulebook, 100, best + 1)) == []
    ((found, said),) = errors(rulebook, **at_minimum(rulebook, 1, 49_999))
    assert found == clause
    assert f"{words} $50,000 " in said
    assert errors(rulebook, **at_minimum(rulebook, 1, 50_000)) == []


@pytest.mark.clause("ma-uth", "10(e)")
def test_10_e_the_document_fixes_the_payout_limit() -> None:
    best = BEST["ma-uth"]
    for limit in (best - 1, best + 1, 50_000, 75_000):
        ((clause, said),) = errors("ma-uth", **at_minimum("ma-uth", 100, limit))
        assert clause == "10(e)"
        assert f"the document fixes it at ${best:,} (the greater of $50,000 and" in said
    assert errors("ma-uth", **at_minimum("ma-uth", 100, best)) == []
    assert errors("ma-uth", **at_minimum("ma-uth", 10, 50_000)) == []


@pytest.mark.clause("md-235", "12.K", "12.K(2)")
def test_12_K_the_payout_limit_has_a_ceiling() -> None:
    best = BEST["md-235"]
    ((clause, said),) = errors("md-235", **at_minimum("md-235", 100, best + 1))
    assert clause == "12.K"
    assert f"may not exceed ${best:,} (the greater of $50,000 and" in said
    assert warnings("md-235", **at_minimum("md-235", 100, best)) == []
    (said,) = warnings("md-235", **at_minimum("md-235", 100, best - 1))
    assert f"below ${best:,}" in said
    ((clause, said),) = errors("md-235", **at_minimum("md-235", 10, 50_001))
    assert "may not exceed $50,000 " in said
    assert warnings("md-235", **at_minimum("md-235", 10, 50_000)) == []


@pytest.mark.clause("md-235", "12.K(2)")
def test_12_K_2_the_bound_follows_the_reading() -> None:
    """At even money the raises bring one unit each instead of 50 and 500."""
    best = 100 * (1 + 50 + 1 + 500 + 1 + 12)
    changes = at_minimum("md-235", 100, best + 1)
    ((_, said),) = errors("md-235", readings={"raise_pays": "even_money"}, **changes)
    assert f"may not exceed ${best:,}" in said


@pytest.mark.clause("md-uth", "12.F(1)")
def test_12_F_1_the_bound_follows_what_is_offered_and_its_own_minimums() -> None:
    changes = at_minimum("md-uth", 100, 1)
    small = {wager: {"minimum": 5} for wager in ("trips", "ultimate_pairs", "play_the_board")}
    own = {**changes, "limits": {**small, **changes["limits"]}}  # type: ignore[dict-item]
    ((_, said),) = errors("md-uth", **own)
    # Now the royal is made with an ace of one's own on a king-high straight flush.
    assert f"at least ${100 * (500 + 1 + 4) + 5 * (50 + 30 + 200):,} " in said
    ((_, said),) = errors("md-uth", **changes, offered=[])
    assert "at least $50,500 " in said
    changes["limits"] = {**changes["limits"], "trips": {"minimum": 7}}  # type: ignore[dict-item]
    ((_, said),) = errors("md-uth", **changes, offered=["trips"])
    assert "at least $50,850 " in said
    ((_, said),) = errors(
        "md-uth",
        **at_minimum("md-uth", 10, 1),
        offered=["bad_beat", "trips"],
        paytables={"blind": "A", "trips": "A", "bad_beat": "A"},
    )
    # A straight flush beaten by the player's royal flush: 10,000 to 1.
    assert f"at least ${10 * (500 + 1 + 4 + 50 + 10_000):,} " in said


@pytest.mark.parametrize("rulebook", ["md-uth", "md-jackpot", "md-wpt", "md-235", "ma-uth"])
def test_a_payout_limit_needs_a_minimum(rulebook: str) -> None:
    found = findings(rulebook, limits={}, options__minimum_wager=DROP, options__payout_limit=50_000)
    said = [finding for finding in found if "minimum_wager must be stated" in finding.message]
    assert len(said) == 1
    assert said[0].severity == "error"
    assert said[0].clause is not None


@pytest.mark.parametrize("rulebook", ["md-uth", "md-jackpot", "md-wpt", "md-235", "ma-uth"])
def test_a_payout_limit_is_optional(rulebook: str) -> None:
    changes: dict[str, object] = (
        {} if rulebook in {"ma-uth", "md-jackpot"} else {"options__payout_limit": DROP}
    )
    assert errors(rulebook, **changes) == []


def test_a_table_without_a_minimum_is_warned_about() -> None:
    said = warnings(
        "md-jackpot", limits={"player_bonus": {"minimum": 5}}, options__minimum_wager=DROP
    )
    assert said == ["limits.ante.minimum is left out: the table has no minimum"]
