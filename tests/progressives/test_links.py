"""Which tables may share meters, and what happens over the life of a link."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.errors import BadAmount, UnknownName
from croupier.progressives import (
    ChangeTerms,
    CloseLink,
    Contribute,
    JoinTable,
    LeaveTable,
    Link,
    LinkClosed,
    LinkRefusal,
    MeterTransfer,
    MoveTo,
    ReceiveMoney,
    ReverseRound,
    RoundReversed,
    Stated,
    Terms,
    check_link,
    decide,
    differences,
    evolve,
    from_json,
    meter_terms,
    rate_millionths,
    table_terms,
    to_json,
    transfers,
)
from tests.progressives.links import (
    after,
    bets,
    finish,
    happens,
    opened,
    opening,
    paid,
    papers,
    refused,
    terms,
    wins,
)


def join(table: str = "two", approval: str = "", **told: Any) -> JoinTable:
    rulebook = told.pop("rulebook", "md-uth")
    paytable = told.pop("paytable", "A")
    return JoinTable(
        table=terms(rulebook, paytable, table=table, **told), by="Ann", approval=approval
    )


# Joining ----------------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "13(g)")
@pytest.mark.parametrize(
    ("change", "what", "said"),
    [
        ({"paytable": "PTMGL02"}, "paytable", "PTMGL01 on the link, PTMGL02 at the table"),
        ({"paytable": "PTMGLML01"}, "paytable", "PTMGLML01"),
        ({"options": {"decks": 2}}, "decks", "1 on the link, 2 at the table"),
    ],
)
def test_13_g_linked_tables_are_alike(change: dict[str, Any], what: str, said: str) -> None:
    link = opened("ma-uth", "PTMGL01")
    command = join(rulebook="ma-uth", **{"paytable": "PTMGL01", **change})
    refusal = refused(link, command)
    assert (refusal.code, refusal.clause) == ("terms_differ", "13(g)")
    assert said in refusal.message
    assert [difference.what for difference in differences(link, command.table)] == [what]


@pytest.mark.clause("ma-uth", "13(g)")
def test_13_g_the_wager_amount_is_the_same() -> None:
    link = opened("ma-uth", "PTMGL01")
    other = replace(terms("ma-uth", "PTMGL01", table="two"), stakes=(100,), decks=2)
    with pytest.raises(LinkRefusal, match=r"wager: \$5 on the link, \$1 at the table; decks") as no:
        check_link(link, other)
    assert no.value.clause == "13(g)"


@pytest.mark.clause("ma-uth", "13(g)")
def test_13_g_another_title_with_equal_terms_joins() -> None:
    link = opened("ma-uth", "PTMGL01")
    other = replace(terms("ma-uth", "PTMGL01", table="two"), rulebook="ma-other", title="Other")
    joined = after(link, JoinTable(table=other, by="Ann"))
    assert set(joined.members) == {"one", "two"}
    unlike = replace(other, table="three", figures=(*other.figures[:-1], ("straight", "8 for 1")))
    refusal = refused(joined, JoinTable(table=unlike, by="Ann"))
    assert refusal.clause == "13(g)"
    assert "straight 8 for 1 at the table" in refusal.message


def test_other_titles_join_in_maryland_only_with_an_approval_on_record() -> None:
    link = opened("md-uth", "D")
    stud = {"rulebook": "md-235", "paytable": "D"}
    if differences(link, terms("md-235", "D")):
        pytest.fail("the two tables pay the same figures")
    refusal = refused(link, join(**stud))
    assert (refusal.code, refusal.clause) == ("approval_missing", "12.F(1)")
    joined = after(link, join(**stud, approval="MLGCA 2025-117"))
    assert joined.paytables == {"md-uth": "D", "md-235": "D"}


def test_the_hand_of_both_tables_is_made_from_as_many_cards() -> None:
    refusal = refused(opened(), join(readings={"progressive_hand": "best_of_seven"}))
    assert "a hand from 5 cards on the link, a hand from 7 cards" in refusal.message


def test_a_table_whose_document_asks_for_more_cannot_join() -> None:
    link = opened("md-uth", "B", stakes=[5])
    boston = join(rulebook="ma-uth", paytable="PTMGLML01", approval="both regulators")
    refusal = refused(link, boston)
    assert refusal.clause == "13(e)[PTMGLML01]"
    assert "reset of meter major: $1,000 on the link, at least $50,000" in refusal.message


def test_a_table_is_on_a_link_once_and_leaves_between_rounds() -> None:
    link = after(opened(), join())
    assert refused(link, join()).code == "already_joined"
    playing = after(link, bets(1, 3, table="two"))
    assert refused(playing, LeaveTable(table="two", by="Ann")).code == "round_open"
    left = after(playing, finish(1, "two"), LeaveTable(table="two", by="Ann"))
    assert refused(left, bets(2, 3, table="two")).code == "unknown_table"
    assert refused(left, wins(3, "royal_flush", table="two")).code == "unknown_table"
    back = after(left, join())
    assert refused(back, bets(1, 3, table="two")).code == "late_wager"
    assert refused(back, LeaveTable(table="two", by=" ")).code == "name_missing"


def test_a_table_without_a_progressive_or_without_its_amount_has_no_terms() -> None:
    rules, _ = papers(offered=["trips"])
    with pytest.raises(LinkRefusal, match="offers no progressive") as no:
        table_terms("one", rules)
    assert no.value.code == "no_progressive"
    rules, _ = papers("md-jackpot", stakes=[])
    with pytest.raises(LinkRefusal, match="does not state the amount") as no:
        table_terms("one", rules)
    assert no.value.clause == "7.F(3)"


def test_a_rate_is_exact_and_must_be_stated() -> None:
    assert rate_millionths("0.000001") == 1
    assert rate_millionths(1) == rate_millionths("1.000000") == 1_000_000
    for bad in ("0.0000001", "1.000001", "-0.1", "2", 0.25, True, "", "a quarter", None):
        with pytest.raises(BadAmount):
            rate_millionths(bad)
    rules, submission = papers()
    progressive = replace(submission.progressive, meters={})
    with pytest.raises(BadAmount, match="rate of progression must be stated") as no:
        meter_terms(rules, replace(submission, progressive=progressive))
    assert no.value.clause == "12.D(3)(a)"


# A round ----------------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "12.D(4)")
def test_two_tables_hit_all_of_it_and_the_second_gets_the_reset() -> None:
    """Each decides on the link that it finds in the store."""
    link = after(opened(), join(), bets(1, 1, 2), bets(9, 4, table="two"))
    first, left = paid(from_json(to_json(link)), wins(2, "royal_flush"))
    assert first == 1_000_000 + 375
    second, last = paid(from_json(to_json(left)), wins(4, "royal_flush", 9, "two"))
    assert second == 1_000_000
    assert last.shown() == {"main": 1_000_000}
    assert last.meters["main"].times_emptied == 2


def test_an_award_that_was_announced_at_another_reading_is_refused() -> None:
    link = after(opened(), join(), bets(1, 1), bets(1, 4, table="two"))
    told = wins(1, "royal_flush", expected_cents=link.shown()["main"])
    moved = after(link, wins(4, "straight_flush", table="two"))
    refusal = refused(moved, told)
    assert (refusal.code, refusal.clause) == ("meter_moved", "12.D(4)")
    assert paid(link, told)[0] == link.shown()["main"]


def void(number: int, *seats: int, table: str = "one") -> ReverseRound:
    return ReverseRound(table=table, round=number, seats=seats, reason="13.B: void")


def test_a_void_round_gives_back_exactly_what_it_gave_once() -> None:
    start = after(opened(rate="0.000333"), join(rate="0.000333"), bets(1, 5, table="two"))
    link = after(
        start,
        bets(1, 1, 2, 6),
        ChangeTerms(meter="main", rate_millionths=0, reason="tired", by="Ann"),
        void(1),
    )
    assert link.meters["main"].reading == start.meters["main"].reading
    assert link.explain("main").reversed == 3 * 500 * 333
    assert refused(link, void(1)).code == "no_round"
    assert refused(link, finish(1)).code == "no_round"


def test_single_seats_of_a_round_can_be_void() -> None:
    link = after(opened(), bets(1, 1, 2), void(1, 2))
    assert link.shown() == {"main": 1_000_125}
    assert refused(link, wins(2, "royal_flush")).code == "no_wager"
    assert refused(link, void(1, 2)).code == "no_wager"
    assert refused(link, void(1, 5)).code == "no_wager"
    assert after(link, void(1)).shown() == {"main": 1_000_000}


def test_a_void_round_whose_contribution_a_winner_has_leaves_the_reset_amount() -> None:
    """12.D(3)(b): the next winner finds no less than the reset amount; the house bears it."""
    link = after(opened(), join(), bets(1, 1), bets(1, 4, table="two"))
    link = after(link, wins(4, "royal_flush", table="two"))
    event = happens(link, void(1))
    assert isinstance(event, RoundReversed)
    assert event.microcents == event.made_good == {"main": 125_000_000}
    then = evolve(link, event)
    assert then.shown() == {"main": 1_000_000}
    assert transfers(link, then, event) == ()
    assert then.explain("main").explained == then.meters["main"].reading


def test_a_share_paid_in_between_does_not_change_what_goes_back() -> None:
    link = after(opened(), join(), bets(1, 1), bets(1, 4, table="two"))
    link = after(link, wins(4, "straight_flush", table="two"), void(1))
    assert link.shown() == {"main": 1_000_250 - 100_025 - 125}
    assert link.explain("main").made_good == 0


def test_a_seat_paid_from_a_meter_is_settled() -> None:
    link = after(opened(), bets(1, 1, 3), wins(3, "straight_flush"))
    assert refused(link, void(1)).code == "award_stands"
    assert refused(link, void(1, 3)).code == "award_stands"
    assert after(link, void(1, 1)).members["one"].round is not None
    assert refused(link, ReverseRound(table="one", round=1, reason=" ")).code == "reason_missing"


def test_bad_wagers_leave_the_link_as_it_was() -> None:
    link = after(opened(), bets(1, 1))
    before = to_json(link)
    assert refused(link, bets(2, 1)).code == "round_open"
    idle = after(link, finish(1))
    for seat in (0, 7, -1):
        assert refused(idle, bets(2, seat)).code == "unknown_seat"
    assert refused(idle, bets(2, 1, stake=100)).clause == "12.D(5)(a)"
    assert decide(idle, Contribute(table="one", round=2, stakes=())) == ()
    assert refused(idle, bets(2, 1, 1)).code == "two_wagers"
    with pytest.raises(UnknownName, match="royal_flush"):
        decide(link, wins(1, "royal"))
    assert to_json(link) == before


def test_the_state_does_not_grow_with_the_rounds() -> None:
    link = opened()
    sizes = []
    for number in range(100, 300):
        link = after(link, bets(number, *range(1, 7)), wins(6, "straight_flush", number))
        link = after(link, finish(number))
        sizes.append(len(to_json(link)))
    assert max(sizes) - min(sizes) < 30


# Terms, closing ---------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "12.D(3)(b)(i)")
def test_new_terms_leave_the_reading_alone_and_keep_the_minimum() -> None:
    link = after(opened(above=500), bets(1, 1))
    change = ChangeTerms(meter="main", reset_cents=1_000_000, reason="new papers", by="Ann")
    new = after(link, change)
    assert new.shown() == link.shown()
    assert new.resets() == {"main": 1_000_000}
    refusal = refused(link, replace(change, reset_cents=999_999))
    assert (refusal.code, refusal.clause) == ("below_minimum", "12.D(3)(b)(i)")
    assert refused(link, replace(change, rate_millionths=1_000_001)).clause == "12.D(3)(a)"
    assert refused(link, replace(change, reason="")).code == "reason_missing"
    assert refused(link, replace(change, by="")).code == "name_missing"
    assert refused(new, change).code == "no_change"
    with pytest.raises(UnknownName):
        decide(link, replace(change, meter="mian"))


def emptied(link: Link) -> Link:
    return after(link, *(LeaveTable(table=name, by="Ann") for name in link.members))


def test_a_link_closes_when_all_its_money_is_accounted_for() -> None:
    start = after(opened("md-uth", "B", rate="0.333333"), bets(1, 1), finish(1))
    moved: dict[str, MoveTo | Stated] = {
        "major": MoveTo(link="new", meter="major"),
        "minor": Stated(words="to charity"),
    }
    close = CloseLink(goes=moved, reason="table gone", by="Ann")
    assert refused(start, close).code == "tables_remain"
    link = emptied(start)
    for goes in (
        {},
        {"major": moved["major"]},
        {**moved, "minor": Stated(words=" ")},
        {**moved, "major": MoveTo(link="pot", meter="major")},
    ):
        assert refused(link, replace(close, goes=goes)).code == "unexplained"
    event = happens(link, close)
    assert isinstance(event, LinkClosed)
    closed = evolve(link, event)
    assert closed.shown() == {"major": 0, "minor": 0}
    assert set(transfers(link, closed, event)) == {
        MeterTransfer("meter:pot:major", "moving:pot:major", 100_166),
        MeterTransfer("meter:pot:minor", "disposed:pot:minor", 25_166),
    }
    assert refused(closed, close).code == "closed"


def test_money_that_moves_arrives_with_its_part_of_a_cent() -> None:
    new = after(opened("md-uth", "B", rate="0.333333", link="new"), bets(1, 1), finish(1))
    command = ReceiveMoney(
        meter="major", microcents=100_166_666_500, from_link="pot", from_meter="major", by="Ann"
    )
    event = happens(new, command)
    after_it = evolve(new, event)
    assert transfers(new, after_it, event) == (
        MeterTransfer("moving:pot:major", "meter:new:major", 100_166),
        MeterTransfer("house", "meter:new:major", 1),
    )
    assert refused(after_it, command).code == "already_received"
    assert refused(new, replace(command, microcents=-1)).code == "bad_amount"


def test_openings_that_make_no_sense() -> None:
    good = opening()
    assert refused(None, replace(good, link="a:b")).code == "bad_name"
    assert refused(None, replace(good, by="")).code == "name_missing"
    assert refused(None, replace(good, meters={})).clause == "12.D(3)(b)(i)"
    with pytest.raises(UnknownName):
        decide(None, replace(good, meters={**good.meters, "club": Terms(0, 0, 0)}))
    wild = {"main": Terms(10**18, 10**18, 0)}
    assert refused(None, replace(good, meters=wild)).code == "too_much"
    assert refused(None, bets(1, 1)).code == "not_open"
    assert refused(opened(), good).code == "already_open"
    assert refused(None, replace(good, table=replace(good.table, stakes=(0,)))).code == "bad_stake"
    with pytest.raises(UnknownName, match="meter"):
        opened().explain("mian")
