"""A progressive that a floorperson denies: what follows depends on the reason (MD-57, MD-31)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.cards import parse_cards
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds import commands as r
from croupier.rounds.commands import DenialGround, RefuseProgressive
from croupier.rounds.deciding import decide
from croupier.rounds.declaration import Actor
from croupier.rounds.events import EnvyPaid, ProgressiveRefused
from croupier.rounds.payment import DENIALS, denial_words, named_denial
from croupier.runtime.house import House
from croupier.scenarios import read_text, rehearse
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from tests.tables.procedure import royal_waits

FLOOR = Actor("floorperson", "Flo")

UTH = """\
table T1 plays md-uth, dealt from the hand
offers progressive
option envy holder must bet {must_bet}
progressive stakes 1
inventory 50,000
meter main starts at 10,000, resets to 10,000, rate 5%
floor Flo
Ann sits at seat 1 with 1,000
Bob sits at seat 3 with 1,000
round
cards Ann: As Ks; Bob: Kd 7c; dealer: Qh Qd; flop: Qs Js Ts; turn: 9h; river: 2c
Ann bets ante 10, blind 10, progressive 1
Bob bets ante 10, blind 10, progressive 1
no more bets
count 2 chips
deal
Ann raises 4x
Bob checks
reveal flop
Bob checks
reveal turn and river
Bob folds
show dealer
settle
expect meter main 10,000.10
{denial}
{expected}
collect
expect meter main {meter}
expect Ann has {ann}
expect Bob has {bob}
"""
RETURNED, LOST = "comes back by 11.J(2)(b)", "loses 1 by 11.J(2)(c)"
LATE = "comes back by 2.C(2)"


def holds(text: str) -> None:
    rehearsal = rehearse(read_text(text))
    assert rehearsal.holds, rehearsal


@pytest.mark.clause("md-uth", "11.J(2)(b)", "11.J(2)(c)", "11.J(2)(e)(ii)", "2.C(2)")
@pytest.mark.parametrize(
    ("must_bet", "reason", "fate", "envy"),
    [
        ("no", "the light was off", RETURNED, True),
        ("yes", "the light was off", RETURNED, False),
        ("no", "The light was off, and nobody had seen it.", RETURNED, True),
        ("no", "the bet came after no more bets", LATE, True),
        ("yes", "the bet came after no more bets", LATE, False),
        ("no", "the hand does not win", LOST, False),
        ("yes", "the hand does not win", LOST, False),
        ("no", "the light was on, but a card was marked", LOST, True),
        ("yes", "a card was marked", LOST, False),
    ],
)
def test_11_J_2_the_reason_decides_about_chip_meter_and_the_others_envy(
    must_bet: str, reason: str, fate: str, envy: bool
) -> None:
    """Ann's royal flush brings 5,050 besides; Bob loses 21 and has the Envy of 1,000 or not."""
    is_back = fate != LOST
    expected = [f"expect Ann's progressive {fate}"]
    expected += ["expect Bob's envy wins 1,000"] if envy else []
    holds(
        UTH.format(
            must_bet=must_bet,
            denial=f"Flo denies Ann: {reason}",
            expected="\n".join(expected),
            meter="10,000.05" if is_back else "10,000.10",
            ann="6,050" if is_back else "6,049",
            bob="1,979" if envy else "979",
        )
    )


@pytest.mark.clause("md-uth", "11.J(2)(e)(i)", "12.D(4)")
@pytest.mark.parametrize(("must_bet", "bob"), [("no", "2,819.01"), ("yes", "2,519.01")])
def test_11_J_2_e_no_light_no_envy_for_the_one_who_has_not_bet(must_bet: str, bob: str) -> None:
    """Both flop a straight flush, and Bob takes a tenth of the meter. Ann's wager was not accepted:
    its contribution leaves the meter, and Bob's hand brings her nothing. Hers brings him the Envy
    Bonus of 300 where its holder need not have bet."""
    text = UTH.format(
        must_bet=must_bet,
        denial="Flo validates Bob\nsettle\nFlo denies Ann: the light was off",
        expected="expect Ann's progressive comes back by 11.J(2)(b)",
        # 10,000.10 less a tenth of it (1,000.01), less Ann's five cents.
        meter="9,000.04",
        ann="1,550",
        bob=bob,
    )
    text = text.replace("Ann: As Ks; Bob: Kd 7c", "Ann: 5s 4s; Bob: Ts 9s")
    holds(text.replace("Qs Js Ts", "8s 7s 6s").replace("Bob folds", "Bob raises 1x"))


def test_what_is_foreseen_names_the_consequence() -> None:
    foreseen = [
        "expect foreseen Progressive $1 comes back: Flo denies Ann: the light was off",
        "expect foreseen Bob gets $1,000: Flo denies Ann: the light was off",
        "expect foreseen brings nobody an Envy Bonus: Flo denies Ann: the hand does not win",
        "expect refused no_reason: Flo does refuse_progressive seat=1",
        "expect refused no_reason: Flo does refuse_progressive seat=1 ground=other",
        "Flo does refuse_progressive seat=1 ground=light_off",
    ]
    holds(
        UTH.format(
            must_bet="no",
            denial="\n".join(foreseen),
            expected="expect Bob's envy wins 1,000",
            meter="10,000.05",
            ann="6,050",
            bob="1,979",
        )
    )


@pytest.mark.parametrize(
    ("reason", "ground"),
    [
        ("the light was off", "light_off"),
        ("No light", "light_off"),
        ("light off: the chip lay beside the slot", "light_off"),
        ("the light was offered", "other"),
        ("the light was on", "other"),
        ("late bet", "late_bet"),
        ("the hand does not qualify.", "hand_does_not_win"),
        ("the card was exposed", "other"),
    ],
)
def test_words_that_begin_with_a_reason_of_the_list_name_it(
    reason: str, ground: DenialGround
) -> None:
    assert named_denial(RefuseProgressive(1, reason)).ground == ground
    picked = RefuseProgressive(1, reason, "hand_does_not_win")
    assert named_denial(picked) == picked, "what was picked goes before the words"


def test_a_reason_is_told_once() -> None:
    assert denial_words("light_off", "") == "the light was off"
    assert denial_words("light_off", "the light was off") == "the light was off"
    assert denial_words("light_off", "Dan saw it") == "the light was off: Dan saw it"
    assert denial_words("other", "a card was marked") == "a card was marked"
    assert denial_words("", "as in an old journal") == "as in an old journal"


@pytest.mark.parametrize("rulebook", ["md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235"])
@pytest.mark.parametrize("ground", DENIALS)
def test_every_document_takes_every_reason(rulebook: str, ground: DenialGround) -> None:
    table = royal_waits(rulebook)
    rack = table.rack(3)
    table.do(RefuseProgressive(3, "in words", ground), FLOOR)
    line = table.line(3, "progressive")
    is_back = DENIALS[ground].returned
    assert line.result == ("void" if is_back else "lose")
    assert table.rack(3) == rack + (line.stake if is_back else 0)
    assert line.clause


def test_journals_from_before_have_no_ground_and_mean_what_they_meant() -> None:
    """`decide` is what a journal is replayed with: lost, and nobody has an Envy."""
    table = royal_waits("md-uth")
    command = RefuseProgressive(3, "the light was off")
    events = decide(table.round, command, table.rules, {}, "Flo")
    (refused,) = [event for event in events if isinstance(event, ProgressiveRefused)]
    assert (refused.line.result, refused.ground, refused.envy_stands) == ("lose", "", False)
    assert not [event for event in events if isinstance(event, EnvyPaid)]


@pytest.mark.parametrize("request_key", ["", "deny-1"])
def test_the_journal_keeps_the_reason_that_the_words_name(tmp_path: Path, request_key: str) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store)
        for command, actor in ROYAL_AT_235:
            house.do("T1", command, actor)
        denial = RefuseProgressive(1, "The light was off")
        for _ in range(2 if request_key else 1):  # a request that comes twice is done once
            events = house.do("T1", denial, FLOOR, request_key or None)
            assert [event.ground for event in events if isinstance(event, ProgressiveRefused)] == [
                "light_off"
            ]
        assert house.link("T1").shown()["main"] == 10_000_00  # type: ignore[union-attr]
        house.do("T1", r.Collect(), DAN)
        assert verify(store).differences == ()


DAN, ANN = Actor("dealer", "Dan"), Actor("player", "Ann")
TERMS = {
    "offered": ["progressive"],
    "paytables": {"progressive": "A"},
    "progressive": {"stakes": [1], "meters": {"main": {"seed": 10000, "rate": "0.10"}}},
}
BETS = {"two_card_poker": 1000, "three_card_poker": 1000, "five_card_poker": 1000}
ROYAL_AT_235: list[tuple[TableCommand, Actor]] = [
    (
        OpenTable(*("T1", "md-235", json.dumps(TERMS)), source="live", inventory=10**8, care=False),
        FLOOR,
    ),
    (TakeSeat("Ann", 1), ANN),
    (BuyIn("Ann", 100_000), DAN),
    (r.OpenBetting(), DAN),
    (r.PlaceWagers(1, "Ann", {**BETS, "progressive": 100}), ANN),
    (r.CloseBets(), DAN),
    (r.CountChips(1), DAN),
    (r.Deal(), DAN),
    (r.Act(1, "Ann", "check"), ANN),
    (r.RevealCards(), DAN),
    (r.Act(1, "Ann", "check"), ANN),
    (r.RevealCards(parse_cards("Js Ts")), DAN),
    (r.EnterCards("player", parse_cards("As Ks Qs"), 1), DAN),
    (r.Settle(), DAN),
]
