"""One card found face up, by every document, way of dealing and moment of a round."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from croupier.scenarios import Rehearsal, read_text, rehearse

HOLDEM = ("reveal flop 2c 3d 4h", "reveal turn and river 9s Jd", "show dealer Qs Qd")
ROUNDS = {
    "md-uth": ("ante 10, blind 10", ("Ann raises 4x", *HOLDEM)),
    "ma-uth": ("ante 10, blind 10", ("Ann raises 4x", *HOLDEM)),
    "md-wpt": ("ante 10, odds 10", ("Ann raises 3x", *HOLDEM)),
    "md-jackpot": (
        "ante 10, x-tra bonus 10",
        (
            *("reveal first card 2c", "Ann raises 3x", "reveal next two cards 3d 4h"),
            *("reveal last two cards 9s Jd", "show dealer Qs Qd"),
        ),
    ),
    "md-235": (
        "2 card poker 10, 3 card poker 10, 5 card poker 10",
        ("Ann checks", "reveal third cards", "Ann checks", "reveal community cards 2c 3d"),
    ),
}
HELD = {"md-235": "As Ks 9d"}


class Way(NamedTuple):
    """`after`: the last line after which the dealer still takes cards from the deck."""

    doc: str
    dealt: str
    clause: str
    after: str

    def __str__(self) -> str:
        return f"{self.doc}, {self.dealt}"


SHOE, HAND, MACHINE = "from the manual shoe", "from the hand", "by the automated shoe"
FLOP = HOLDEM[0]
GOES_ON = [
    Way("md-uth", SHOE, "13.A", FLOP),
    Way("md-uth", HAND, "13.A", FLOP),
    Way("ma-uth", SHOE, "14(b)", FLOP),
    Way("ma-uth", MACHINE, "14(b)", HOLDEM[1]),  # the dealer's cards wait in the machine
    Way("md-wpt", SHOE, "13.A", FLOP),
    Way("md-wpt", HAND, "13.A", FLOP),
    Way("md-wpt", f"{MACHINE}, community last", "13.A", "deal"),  # the board is dealt by hand
    Way("md-jackpot", SHOE, "13.A", "deal"),
    Way("md-jackpot", HAND, "13.A", "deal"),
    Way("md-235", SHOE, "13.A", "deal"),
    Way("md-235", HAND, "13.A", "deal"),
]
VOID = [
    Way("md-uth", f"{MACHINE}, dealer first", "13.E", "deal"),
    Way("md-uth", f"{MACHINE}, dealer last", "13.E", HOLDEM[1]),
    Way("md-uth", f"{MACHINE}, community first", "13.E", "deal"),
    Way("md-wpt", f"{MACHINE}, community first", "13.E", "deal"),
    Way("md-wpt", f"{MACHINE}, community last", "13.E", "deal"),
    Way("md-jackpot", f"{MACHINE}, dealer first", "13.E", "deal"),
    Way("md-jackpot", f"{MACHINE}, dealer last", "13.E", "reveal last two cards 9s Jd"),
    Way("md-235", f"{MACHINE}, community first", "13.D", "deal"),
    Way("md-235", f"{MACHINE}, community last", "13.D", "deal"),
]


def lines_of(way: Way) -> list[str]:
    """A round of one player up to its settlement."""
    bets, play = ROUNDS[way.doc]
    return [
        f"table T1 plays {way.doc}, dealt {way.dealt}",
        *("live cards", "care not kept", "offers nothing", "inventory 20,000", "dealer Dan"),
        *([] if way.dealt == SHOE else ["option shuffler yes"]),
        *("Ann sits at seat 1 with 500", "round", f"Ann bets {bets}", "no more bets", "deal"),
        *play,
    ]


def moments(way: Way) -> list[int]:
    """Places in the lines before which something may happen, from the close of the bets on."""
    lines = lines_of(way)
    return list(range(lines.index("no more bets") + 1, len(lines) + 1))


def played(way: Way, place: int, *more: str) -> Rehearsal:
    lines = lines_of(way)
    lines[place:place] = more
    return rehearse(read_text("\n".join(lines) + "\n"))


def verdicts(rehearsal: Rehearsal) -> list[tuple[str, str]]:
    return [(one.text, one.message) for one in rehearsal.results if one.verdict != "ok"]


@pytest.mark.clause("md-uth", "13.A")
@pytest.mark.clause("md-wpt", "13.A")
@pytest.mark.clause("md-jackpot", "13.A")
@pytest.mark.clause("md-235", "13.A")
@pytest.mark.clause("ma-uth", "14(b)")
@pytest.mark.parametrize("way", GOES_ON, ids=str)
def test_one_card_face_up_while_dealing_is_out_and_the_round_goes_on(way: Way) -> None:
    lines = lines_of(way)
    last = lines.index(way.after) + 1
    told = "Dan reports one card face up: 7h"
    seen = ("expect dealer sees 7h", "expect round in play")
    for place in moments(way):
        if place > last:
            refused = f"expect refused not_now {way.clause}: {told}"
            assert verdicts(played(way, place, refused)) == [], lines[place - 1]
            continue
        ends = [f"Dan enters Ann: {HELD.get(way.doc, 'As Ks')}", "settle", "collect"]
        text = [*lines[:place], told, *seen, *lines[place:], *ends, "expect round over"]
        rehearsal = rehearse(read_text("\n".join(text) + "\n"))
        assert rehearsal.holds, (lines[place - 1], verdicts(rehearsal))
        assert f"[{way.clause}]" in rehearsal.playthrough()


@pytest.mark.clause("md-uth", "13.E")
@pytest.mark.clause("md-wpt", "13.E")
@pytest.mark.clause("md-jackpot", "13.E")
@pytest.mark.clause("md-235", "13.D")
@pytest.mark.parametrize("way", VOID, ids=str)
def test_a_card_face_up_in_a_stack_from_the_machine_voids_the_round(way: Way) -> None:
    """MD-45: the next card cannot take a place in a stack."""
    lines = lines_of(way)
    last = lines.index(way.after) + 1
    told = "Dan reports face up card in stack: 7h"
    for place in moments(way):
        if place > last:
            refused = f"expect refused not_now {way.clause}: {told}"
            assert verdicts(played(way, place, refused)) == [], lines[place - 1]
            continue
        text = [*lines[:place], told, "expect round void", "expect Ann has 500"]
        rehearsal = rehearse(read_text("\n".join(text) + "\n"))
        assert rehearsal.holds, (lines[place - 1], verdicts(rehearsal))


@pytest.mark.clause("md-wpt", "13.A", "10.B(2)")
def test_10_B_2_a_dealt_board_has_one_name_for_it_and_the_usual_one() -> None:
    """Who reports `one_card_face_up` at the automated shoe means the board that is dealt by hand;
    where the machine deals the board too, it can mean nothing."""
    by_hand = GOES_ON[6]
    for name in ("one card face up", "face up community card"):
        rehearsal = played(by_hand, moments(by_hand)[1], f"Dan reports {name}: 7h")
        assert "one card is found face up while the board is dealt by hand" in (
            rehearsal.playthrough()
        )
    machine = next(way for way in VOID if way.dealt.endswith("community first"))
    refused = "expect refused not_now 13.A: Dan reports one card face up: 7h"
    for place in moments(machine):
        assert verdicts(played(machine, place, refused)) == []
