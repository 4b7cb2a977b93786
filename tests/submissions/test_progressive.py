"""The progressive of a submission: stakes, seeds, resets, rates, links, and what is unwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from croupier.rulebooks.loader import load_rulebook
from tests.commands.contract import PAYTABLES, RULEBOOKS
from tests.submissions.papers import DROP, PAPERS, errors, findings, paper, warnings

# Clause, paytable, meter and the least seed in dollars, as the documents state them.
FLOORS = {
    "md-uth": [
        ("12.D(3)(b)(i)", "A", "main", 10_000),
        ("12.D(3)(b)(ii)(1)", "B", "major", 1_000),
        ("12.D(3)(b)(ii)(2)", "B", "minor", 250),
        ("12.D(3)(b)(iii)(1)", "C", "mega", 10_000),
        ("12.D(3)(b)(iii)(2)", "C", "major", 1_000),
        ("12.D(3)(b)(iii)(3)", "C", "minor", 250),
        ("12.D(3)(b)(iv)(1)", "D", "mega", 10_000),
        ("12.D(3)(b)(iv)(2)", "D", "major", 1_000),
        ("12.D(3)(b)(iv)(3)", "D", "minor", 250),
    ],
    # Printed for a $1 wager, and the wager is always $5 (MA-15).
    "ma-uth": [
        ("13(e)[PTMGL01]", "PTMGL01", "main", 50_000),
        ("13(e)[PTMGL02]", "PTMGL02", "main", 50_000),
        ("13(e)[PTMGL04]", "PTMGL04", "main", 5_000),
        ("13(e)[PTMGLML01]", "PTMGLML01", "major", 50_000),
        ("13(e)[PTMGLML01]", "PTMGLML01", "minor", 5_000),
        ("13(e)[PTMGLML02]", "PTMGLML02", "mega", 50_000),
        ("13(e)[PTMGLML02]", "PTMGLML02", "major", 5_000),
        ("13(e)[PTMGLML02]", "PTMGLML02", "minor", 1_250),
        ("13(e)[PTMGLML03]", "PTMGLML03", "mega", 50_000),
        ("13(e)[PTMGLML03]", "PTMGLML03", "major", 5_000),
        ("13(e)[PTMGLML03]", "PTMGLML03", "minor", 1_250),
    ],
    "md-jackpot": [
        *(("12.E(2)(a)", table, "star", 10_000) for table in "ABCDE"),
        ("12.E(4)(a)", "A", "spade", 5_000),
        ("12.E(4)(b)", "B", "spade", 1_000),
        ("12.E(4)(c)", "C", "spade", 5_000),
        ("12.E(4)(d)", "D", "spade", 1_000),
        ("12.E(4)(e)", "E", "spade", 10_000),
        ("12.E(6)(a)", "A", "heart", 1_000),
        ("12.E(6)(b)", "B", "heart", 500),
        ("12.E(6)(c)", "C", "heart", 1_000),
        ("12.E(6)(d)", "D", "heart", 500),
        ("12.E(6)(e)", "E", "heart", 5_000),
        ("12.E(8)(a)", "A", "diamond", 500),
        ("12.E(8)(b)", "B", "diamond", 100),
        ("12.E(8)(c)", "C", "diamond", 500),
        ("12.E(8)(d)", "D", "diamond", 100),
        ("12.E(8)(e)", "E", "diamond", 1_000),
        ("12.E(10)(e)", "E", "club", 250),
    ],
    "md-wpt": [
        *(("12.D'(3)(b)(i)", table, "main", 5_000) for table in "ABCDE"),
        ("12.D'(3)(b)(ii)", "F", "main", 6_000),
        *(("12.D'(3)(b)(iii)", table, "main", 2_000) for table in "GHJ"),
        ("12.D'(3)(b)(iv)", "I", "main", 2_500),
    ],
    "md-235": [
        ("12.F(2)(a)", "A", "main", 10_000),
        ("12.F(2)(b)", "B", "main", 2_000),
        ("12.F(2)(c)(i)", "C", "major", 10_000),
        ("12.F(2)(c)(ii)", "C", "minor", 1_000),
        ("12.F(2)(d)(i)", "D", "mega", 10_000),
        ("12.F(2)(d)(ii)", "D", "major", 1_000),
        ("12.F(2)(d)(iii)", "D", "minor", 250),
    ],
}
RATES = {
    "md-uth": dict.fromkeys(("main", "major", "minor", "mega"), "12.D(3)(a)"),
    "md-jackpot": {
        "star": "12.E(1)",
        "spade": "12.E(3)",
        "heart": "12.E(5)",
        "diamond": "12.E(7)",
        "club": "12.E(9)",
    },
    "md-wpt": {"main": "12.D'(3)(a)"},
    "md-235": dict.fromkeys(("main", "major", "minor", "mega"), "12.F(1)"),
}


def with_table(rulebook: str, table: str, **spoiled: Mapping[str, object]) -> dict[str, object]:
    """The example on another progressive table, its meters at their floors but for `spoiled`."""
    meters: dict[str, dict[str, object]] = {
        meter: {"seed": floor, "reset": floor, "rate": "0.05"}
        for _, letter, meter, floor in FLOORS[rulebook]
        if letter == table
    }
    for meter, terms in spoiled.items():
        meters[meter] = {k: v for k, v in {**meters[meter], **terms}.items() if v is not None}
    progressive = {**PAPERS[rulebook]["progressive"], "meters": meters, "linked": []}
    return {"progressive": progressive, "paytables__progressive": table}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_floors_cover_every_meter_of_every_table(rulebook: str) -> None:
    for table in PAYTABLES[rulebook]["progressive"]:
        meters = load_rulebook(rulebook).default.paytables["progressive"][table].meters
        assert set(meters) == {meter for _, t, meter, _ in FLOORS[rulebook] if t == table}
        assert errors(rulebook, **with_table(rulebook, table)) == []


FLOOR_CASES = [
    pytest.param(
        *(rulebook, clause, table, meter, floor),
        marks=pytest.mark.clause(rulebook, clause),
        id=f"{rulebook} {table} {meter}",
    )
    for rulebook, floors in FLOORS.items()
    for clause, table, meter, floor in floors
]


@pytest.mark.parametrize(("rulebook", "clause", "table", "meter", "floor"), FLOOR_CASES)
def test_seed_and_reset_under_the_floor(
    rulebook: str, clause: str, table: str, meter: str, floor: int
) -> None:
    for what in ("seed", "reset"):
        where = f"progressive.meters.{meter}.{what}"
        low = f"{floor - 1}.99"
        found = errors(rulebook, **with_table(rulebook, table, **{meter: {what: low}}))
        shown = f"${floor - 1:,}.99"
        assert found == [(clause, f"{where} is {shown}, but must be at least ${floor:,}")]
        found = errors(rulebook, **with_table(rulebook, table, **{meter: {what: None}}))
        assert found == [(clause, f"{where} must be stated: at least ${floor:,}")]


@pytest.mark.parametrize(
    ("rulebook", "meter", "clause"),
    [
        pytest.param(rulebook, meter, clause, marks=pytest.mark.clause(rulebook, clause))
        for rulebook, clauses in RATES.items()
        for meter, clause in clauses.items()
    ],
)
def test_a_rate_of_progression_must_be_stated(rulebook: str, meter: str, clause: str) -> None:
    table = next(t for _, t, m, _ in FLOORS[rulebook] if m == meter)
    ((found, said),) = errors(rulebook, **with_table(rulebook, table, **{meter: {"rate": None}}))
    assert f"progressive.meters.{meter}.rate must be stated" in said
    assert found == clause


@pytest.mark.parametrize("rate", ["1.01", "2", "-0.1", "10%", "a", "", ".5", "1e-3", 2, 1.5, -1])
def test_a_rate_is_a_share(rate: object) -> None:
    ((clause, said),) = errors("md-uth", progressive__meters__mega__rate=rate)
    assert 'must be a share from "0" to "1"' in said
    assert clause is not None


@pytest.mark.parametrize("rate", ["0", "1", "0.000001", "1.0", 0, 1, 0.25])
def test_rates_that_are_shares(rate: object) -> None:
    meters = {meter: {"rate": "0"} for meter in ("major", "minor")}
    changes = with_table("md-uth", "C", **meters, mega={"rate": rate})
    assert errors("md-uth", **changes) == []


@pytest.mark.clause("ma-uth", "13(e)")
def test_13_e_seeds_are_scaled_unless_read_otherwise() -> None:
    printed = {"seed": 10_000, "reset": 10_000}
    changes = with_table("ma-uth", "PTMGLML01", major=printed)
    assert len(errors("ma-uth", **changes)) == 2
    assert errors("ma-uth", **changes, readings={"progressive_seeds_scale": "no"}) == []


@pytest.mark.parametrize("amount", ["x", 1.5, "10000.001", "9" * 20])
def test_seeds_that_are_no_amounts(amount: object) -> None:
    found = errors("md-uth", progressive__meters__mega__seed=amount)
    assert [c for c, said in found if "progressive.meters.mega.seed: " in said] == [
        "12.D(3)(b)(iii)(1)"
    ]


@pytest.mark.parametrize(
    ("rulebook", "clause", "stakes"),
    [
        pytest.param("md-uth", "12.D(5)(a)", [2], marks=pytest.mark.clause("md-uth", "12.D(5)(a)")),
        pytest.param("ma-uth", "13(a)", [1], marks=pytest.mark.clause("ma-uth", "13(a)")),
        pytest.param("md-wpt", "12.D'(7)", [5], marks=pytest.mark.clause("md-wpt", "12.D'(7)")),
        pytest.param("md-235", "12.H(1)", [10], marks=pytest.mark.clause("md-235", "12.H(1)")),
        pytest.param("md-jackpot", "7.F(3)", [], marks=pytest.mark.clause("md-jackpot", "7.F(3)")),
    ],
)
def test_stakes_of_the_progressive(rulebook: str, clause: str, stakes: list[int]) -> None:
    found = errors(rulebook, progressive__stakes=stakes)
    assert [c for c, said in found if said.startswith("progressive.stakes")] == [clause]


@pytest.mark.parametrize("stake", [0, "x", -5, 1.5])
def test_stakes_that_are_none(stake: object) -> None:
    found = errors("md-jackpot", progressive__stakes=[stake])
    assert any(said.startswith("progressive.stakes: ") for _, said in found), found


def test_two_stakes_on_one_meter_are_unwise() -> None:
    (said,) = warnings("md-uth", progressive__stakes=[1, 5])
    assert "the smaller bet gets more" in said


def test_rates_above_the_stake_are_unwise() -> None:
    (said,) = warnings("md-uth", progressive__meters__mega__rate="0.99")
    assert "107% of each stake" in said


def test_a_better_hand_that_pays_less_is_unwise() -> None:
    """At $5 four of a kind pays $1,500 for 1, more than a Minor of $250 for a straight flush."""
    changes = with_table("md-uth", "B")
    found = findings("md-uth", **changes)
    (said,) = [finding.message for finding in found]
    assert "straight flush pays $250" in said
    assert "four of a kind $1,500" in said


def test_a_progressive_filled_in_but_not_offered() -> None:
    offered = [wager for wager in PAPERS["md-uth"]["offered"] if wager != "progressive"]
    assert warnings("md-uth", offered=offered) == [
        "progressive is filled in, but the wager is not offered"
    ]


def linked(**changes: object) -> list[tuple[str | None, str]]:
    changed = {f"progressive__linked__0__{key}": value for key, value in changes.items()}
    return errors("ma-uth", **changed)


@pytest.mark.clause("ma-uth", "13(g)")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"paytable": "PTMGLML02"}, "does not pay what ours pays"),
        ({"paytable": "PTMGL01"}, "does not pay what ours pays"),
        ({"paytable": "A"}, "has no progressive 'A'"),
        ({"stake": 1}, "its wager is $1"),
        ({"stake": "x"}, "is not an amount"),
        ({"decks": 1}, "1 deck(s)"),
        ({"decks": DROP}, "1 deck(s)"),
        ({"rulebook": "ma-uht"}, "did you mean 'ma-uth'?"),
        ({"rulebook": "none.toml"}, "cannot be read"),
        ({"rulebook": "a\x00.toml"}, "cannot be read"),
        ({"rulebook": "md-jackpot", "paytable": "A"}, "does not pay what ours pays"),
    ],
)
def test_13_g_linked_games_are_alike(changes: dict[str, object], said: str) -> None:
    ((clause, message),) = linked(**changes)
    assert clause == "13(g)"
    assert "'UTH 2'" in message
    assert said in message


@pytest.mark.clause("ma-uth", "13(g)")
def test_13_g_everything_that_differs_is_told() -> None:
    assert len(linked(paytable="PTMGL04", stake=1, decks=1)) == 3


def test_without_a_paytable_nothing_false_is_said_about_meters() -> None:
    found: list[Any] = errors("ma-uth", paytables__progressive=DROP)
    assert [clause for clause, _ in found] == ["13(e)"]
    assert paper("ma-uth")["progressive"]["meters"]


def test_A3_a_progressive_that_returns_more_than_is_bet_is_unwise() -> None:
    """Table E of Jackpot Hold 'Em at $1 gives back 111.2% at its seeds; at $5 it does not."""
    (said,) = warnings("md-jackpot", progressive__stakes=[1])
    assert "returns 111.2% of what is bet" in said
    assert not warnings("md-jackpot")
