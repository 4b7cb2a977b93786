"""What an operator must choose, and may: paytables, wagers, readings, options."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.rulebooks.loader import load_rulebook
from tests.commands.contract import OPTIONAL, PAYTABLES, RULEBOOKS
from tests.submissions.papers import DROP, PAPERS, errors, findings, warnings


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_examples_are_valid(rulebook: str) -> None:
    assert warnings(rulebook) == []


def chosen(rulebook: str, clause: str, family: str) -> Any:
    return pytest.param(rulebook, clause, family, marks=pytest.mark.clause(rulebook, clause))


FAMILIES = [
    chosen("md-uth", "12.B", "blind"),
    chosen("md-uth", "12.C", "trips"),
    chosen("md-uth", "12.D(1)", "progressive"),
    chosen("md-uth", "12.E", "six_card_bonus"),
    chosen("md-uth", "12.E'", "ultimate_pairs"),
    chosen("md-uth", "12.F'", "bad_beat"),
    chosen("md-uth", "12.G", "play_the_board"),
    chosen("ma-uth", "10(d)", "trips"),
    chosen("ma-uth", "13(e)", "progressive"),
    chosen("md-jackpot", "12.D(1)", "progressive"),
    chosen("md-wpt", "12.C", "bad_beat_bonus"),
    chosen("md-wpt", "12.D", "pocket_bonus"),
    chosen("md-wpt", "12.E", "trips_plus"),
    chosen("md-wpt", "12.D'(1)", "progressive"),
    chosen("md-235", "12.E", "progressive"),
]


@pytest.mark.parametrize(("rulebook", "clause", "family"), FAMILIES)
def test_a_paytable_must_be_chosen(rulebook: str, clause: str, family: str) -> None:
    offered = [w for w in OPTIONAL[rulebook] if w in PAYTABLES[rulebook]]
    found = errors(rulebook, offered=offered, paytables={})
    tables = ", ".join(PAYTABLES[rulebook][family])
    assert (clause, f"paytables.{family} is not chosen: one of {tables}") in found


@pytest.mark.parametrize(("rulebook", "clause", "family"), FAMILIES)
def test_a_paytable_must_exist(rulebook: str, clause: str, family: str) -> None:
    found = errors(rulebook, **{f"paytables__{family}": "Q"})
    assert any(c == clause and f"paytable for '{family}' 'Q'" in said for c, said in found), found


@pytest.mark.parametrize(("rulebook", "clause", "family"), FAMILIES)
def test_a_paytable_of_a_wager_not_offered_is_not_asked_for(
    rulebook: str, clause: str, family: str
) -> None:
    if family not in OPTIONAL[rulebook]:
        return
    found = errors(rulebook, offered=[], paytables={})
    assert not any(f"paytables.{family} " in said for _, said in found), clause


@pytest.mark.parametrize(
    ("rulebook", "changes", "wrong", "meant"),
    [
        ("md-uth", {"paytables__trip": "A"}, "trip", "trips"),
        ("md-uth", {"readings": {"progresive_hand": "x"}}, "progresive_hand", "progressive_hand"),
        ("md-uth", {"options__deks": 1}, "deks", "decks"),
        ("md-uth", {"options__dealing": "manual"}, "manual", "manual_shoe"),
        ("md-uth", {"limits__Ante": {"minimum": 15}}, "Ante", "ante"),
        ("ma-uth", {"paytables__progressive": "PTMGL03"}, "PTMGL03", "PTMGL"),
        ("md-wpt", {"progressive__meters__mane": {}}, "mane", "main"),
        ("md-235", {"readings": {"raise_pays": "evn_money"}}, "evn_money", "even_money"),
        ("md-jackpot", {"offered": ["player_bonsu"]}, "player_bonsu", "player_bonus"),
    ],
)
def test_unknown_names_with_the_nearest_right_one(
    rulebook: str, changes: dict[str, object], wrong: str, meant: str
) -> None:
    found = errors(rulebook, **changes)
    assert any(f"'{wrong}': did you mean '{meant}" in said for _, said in found), found


@pytest.mark.clause("md-uth", "1.B(6)")
def test_1_B_6_a_reading_has_named_choices() -> None:
    ((clause, said),) = errors("md-uth", readings={"progressive_hand": "six_cards"})
    assert clause == "1.B(6)"
    assert "known are: hole_and_flop, best_of_seven" in said


def test_every_named_choice_of_every_reading_is_valid() -> None:
    for rulebook in RULEBOOKS:
        options = {k: v for k, v in PAPERS[rulebook]["options"].items() if k != "payout_limit"}
        for name, reading in load_rulebook(rulebook).default.readings.items():
            for choice in reading.choices:
                found = errors(rulebook, readings={name: choice}, options=options)
                assert found == [], (rulebook, name, choice)


def stated(rulebook: str, clause: str, option: str) -> Any:
    return pytest.param(rulebook, clause, option, marks=pytest.mark.clause(rulebook, clause))


@pytest.mark.parametrize(
    ("rulebook", "clause", "option"),
    [
        stated("md-uth", "7.G", "adjacent_boxes"),
        stated("md-uth", "11.J(2)(e)(ii)", "envy_holder_must_bet"),
        stated("ma-uth", "13(e)", "envy_holder_must_bet"),
        stated("md-jackpot", "7.G", "adjacent_boxes"),
        stated("md-235", "7.F", "adjacent_boxes"),
    ],
)
def test_an_option_must_be_stated(rulebook: str, clause: str, option: str) -> None:
    found = errors(rulebook, **{f"options__{option}": DROP})
    assert [c for c, said in found if f"options.{option} must be stated" in said] == [clause]


@pytest.mark.clause("md-uth", "11.J(2)(e)(ii)")
def test_11_J_2_e_ii_matters_only_where_the_progressive_is_offered() -> None:
    assert errors("md-uth", offered=["trips"], options__envy_holder_must_bet=DROP) == []


@pytest.mark.parametrize(
    ("rulebook", "clause", "changes"),
    [
        ("md-uth", "7.G", {"options__adjacent_boxes": 0}),
        ("md-uth", "7.G", {"options__adjacent_boxes": 7}),
        ("md-uth", "7.G", {"options__adjacent_boxes": "two"}),
        ("md-uth", "7.G", {"options__adjacent_boxes": True}),
        ("ma-uth", "11", {"options__adjacent_boxes": 2}),
        ("md-wpt", "7.G", {"options__adjacent_boxes": 2}),
        ("md-235", "7.F", {"options__adjacent_boxes": 9}),
        ("md-uth", "3.A(1)", {"options__decks": 3}),
        ("ma-uth", "2(a)", {"options__decks": 0}),
        ("md-235", "3.A", {"options__decks": 1.5}),
        ("md-uth", "5.D(1)", {"options__dealing": "robot"}),
        ("ma-uth", "4(b)", {"options__dealing": "hand"}),
        ("md-uth", "3.B", {"options__shuffler": "yes"}),
        ("md-uth", "12.F", {"options__payout_limit": -1}),
        ("md-235", "12.K(2)", {"options__minimum_wager": 0}),
        ("md-wpt", "11.J(2)(e)(i)", {"options__envy_holder_must_bet": True}),
        ("md-235", "1.B(2)", {"options__envy_holder_must_bet": True}),
    ],
)
def test_options_out_of_bounds(rulebook: str, clause: str, changes: dict[str, object]) -> None:
    found = errors(rulebook, **changes)
    assert clause in [c for c, _ in found], found


def test_wagers_left_out_are_warned_about() -> None:
    assert warnings("md-235", offered=DROP) == [
        "offered is left out: every optional wager counts as offered"
    ]


@pytest.mark.parametrize("name", ["md-uht", "", "nothing.toml", "a\x00.toml", "."])
def test_a_submission_for_no_rulebook_raises(name: str) -> None:
    with pytest.raises(CroupierError) as refused:
        findings("md-uth", rulebook=name)
    assert len(refused.value.message) < 400


def test_everything_wrong_is_found_at_once() -> None:
    found = errors(
        "md-uth",
        offered=["trips", "six_card_bonus", "nope", "progressive"],
        paytables={"trips": "Z", "progressive": "A", "odd": "A"},
        readings={"progressive_hand": "x", "y": "z"},
        limits={
            "ante": {"minimum": "x", "maximum": -4},
            "blind": {"minimum": 10, "maximum": 5},
            "bogus": {"minimum": 5},
            "trips": {"minimum": 4.5},
            "play": {"minimum": 1},
        },
        progressive={
            "stakes": [1, 7, "q"],
            "meters": {"main": {"seed": "zz", "reset": -9}, "nope": {}},
            "linked": [{"table": "2", "rulebook": "md-utx", "paytable": "A", "stake": 1}],
        },
        options={"x": 1, "decks": 2, "dealing": "hand", "payout_limit": 5},
    )
    text = "\n".join(said for _, said in found)
    for wrong in (
        *("'nope'", "'Z'", "'odd'", "'x'", "'y'", "paytables.blind", "paytables.six_card_bonus"),
        *("limits.ante.minimum", "limits.ante.maximum", "limits.blind", "'bogus'"),
        *("limits.trips.minimum", "limits.play", "$7", "'q'", "meters.main.seed"),
        *("meters.main.reset", "meters.main.rate", "unknown meter 'nope'", "'md-utx'"),
        *("unknown option 'x'", "two decks", "from the hand", "payout_limit"),
        *("adjacent_boxes must be stated", "envy_holder_must_bet must be stated"),
    ):
        assert wrong in text, wrong
    assert len(found) == len(set(found))
    assert "six_card_bonus needs cards from automated_shoe" in text


def test_errors_come_before_warnings() -> None:
    severities = [f.severity for f in findings("md-uth", progressive__stakes=[1, 5], paytables={})]
    assert severities == sorted(severities)
    assert {"error", "warning"} == set(severities)


def test_12_D_5_b_an_envy_table_that_pays_the_same_may_be_named() -> None:
    assert not errors("md-uth", paytables__envy_1="A", paytables__envy_5="B")


def test_13_e_the_envy_column_is_that_of_the_progressive() -> None:
    (found,) = errors("ma-uth", paytables__envy="PTMGL02")
    assert found[0] == "13(e)"


def test_12_c_cover_all_may_name_a_table_though_the_hands_decide() -> None:
    assert not errors("ma-uth", paytables__cover_all="7")
