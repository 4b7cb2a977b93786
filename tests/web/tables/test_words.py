"""The sentence beside a settled wager names a hand only to those who may see it; the rules sheet is
plain English."""

from __future__ import annotations

import pytest

from croupier.rounds.events import SeatSettled
from croupier.rounds.state import LineRecord, Reason, Round, SeatInRound
from croupier.rulebooks.rules import rules_for
from croupier.tables.state import Table
from croupier.web.tables.demo import DEMO_TABLES, submission_for
from croupier.web.tables.rulesheet import rules_form
from croupier.web.tables.views import NOBODY, Onlooker, Shown, happened, table_form

NEEDS = "it takes three of a kind or better"
LOST = LineRecord("trips", 500, "lose", -500, "11.I(1)", Reason("below_paytable", "final", "trips"))
FOLDED = SeatInRound(
    number=1,
    player="ann",
    wagers={"trips": 500},
    actions=("check", "check", "fold"),
    folded=True,
    shown=True,
    hand="pair",
    holds={"final": "pair 6K97"},
    lines=(LOST,),
    settled=True,
)
STAYED = SeatInRound(
    number=2,
    player="bob",
    wagers={"trips": 500},
    shown=True,
    hand="two_pair",
    holds={"final": "two_pair K97"},
    lines=(LOST,),
    settled=True,
)
TABLE = Table("T1", "md-uth", round=Round(number=1, phase="collecting", seats=(FOLDED, STAYED)))


def words(who: Onlooker) -> list[str]:
    form = table_form(TABLE, who, meters={})
    return [line.words for seat in form.round.seats for line in seat.lines]


def test_a_folded_hand_is_named_to_its_player_alone() -> None:
    stayed = f"Trips loses: the hand is two pair, kings and nines, and {NEEDS}."
    named = f"Trips loses: the hand is a pair of sixes, and {NEEDS}."
    unnamed = f"Trips loses: {NEEDS}."
    assert words(Onlooker("player", "ann")) == [named, stayed]
    for who in (NOBODY, Onlooker("player", "bob"), Onlooker("dealer"), Onlooker("floorperson")):
        assert words(who) == [unnamed, stayed]


def test_what_is_pushed_says_the_same() -> None:
    shown = Shown(TABLE, {})
    assert b"a pair of sixes" in shown.view_of(Onlooker("player", "ann")).whole
    assert b"a pair of sixes" not in shown.view_of(Onlooker("player", "bob")).whole
    assert b"a pair of sixes" not in shown.view_of(NOBODY).whole


def test_what_happened_does_not_name_it() -> None:
    for seat, is_named in ((FOLDED, False), (STAYED, True)):
        told = happened(SeatSettled(seat.number, seat.hand, seat.lines, seat.holds), TABLE)
        assert told is not None
        assert any("the hand is" in line for line in told.words) == is_named
        assert any(" has " in line for line in told.words) == is_named


# -- the rules sheet -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", DEMO_TABLES)
def test_what_a_wager_is_about_is_said_in_whole_sentences(game: str) -> None:
    form = rules_form(rules_for(game, "", submission_for(game)))
    has_dealer = form.cards.dealer > 0
    for said in (*(wager.words for wager in form.wagers), *(one.words for one in form.bonuses)):
        assert said[0].isupper() or said[0].isdigit()
        assert said.endswith(".")
        assert ";" not in said
        assert has_dealer or "dealer" not in said, "this game has no dealer's hand"
        assert "dealer's cards" not in said or "whatever the dealer has" not in said


@pytest.mark.parametrize("game", DEMO_TABLES)
def test_a_player_is_spoken_to(game: str) -> None:
    form = rules_form(rules_for(game, "", submission_for(game)))
    for duty in form.duties:
        assert not duty.words.startswith(("May ", "On a ", "Having "))
        assert "the own" not in duty.words
        assert "that player" not in duty.words
