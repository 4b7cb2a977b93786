"""A duty is on record only if a screen showed it before; and no screen shows two that contradict
each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.cards import DECK
from croupier.ledger.history.past_rounds import duties_on_record, moments
from croupier.ledger.journal import open_journal
from croupier.library.journals import Journal
from croupier.reports.conformance import SCREENS, place_of
from croupier.rounds import commands as r
from croupier.rounds.card_entry import cards_to_enter
from croupier.rounds.dealing import deal_order
from croupier.rounds.declaration import Actor
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.duties import Duty, all_duties, duties_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.runtime.house import House
from croupier.tables import commands as t
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import confirmed, on_record
from croupier.web.accounts.people import Person
from croupier.web.tables.demo import submission_for
from croupier.web.tables.work import work_form
from tests.tables.as_shown import do_as_shown
from tests.tables.cared_for import ANN, DAN, FLO
from tests.tables.test_voids_by_dealers import Dealt
from tests.web.duty_walk import OLGA, Evening, Way, every_way, offered, unmet

DUTIES = 1005
"""Of the five documents, when the list of duties was taken over; rows were split since."""


def evenings(document: str) -> list[Evening]:
    found = []
    for way in every_way():
        if way.document == document:
            evening = Evening(way)
            evening.run()
            found.append(evening)
    return found


def test_there_are_as_many_duties_as_ever() -> None:
    assert sum(len(all_duties(document)) for document in DOCUMENTS) >= DUTIES


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_duty_is_shown_to_its_person_before_it_is_confirmed(document: str) -> None:
    """Through every way of dealing, with every device: before each command everybody's screens are
    looked at, and at each moment what anybody could confirm. `reached` of the conformance report
    names the page on which the duty was seen, and whoever gives the command of a step can confirm
    its duties."""
    walked = evenings(document)
    faults = [fault for evening in walked for fault in evening.faults]
    assert not faults, faults[0]
    assert unmet(document, walked) == []
    pages = {(duty.clause, duty.role, duty.step): page for x in walked for page, duty in x.shown}
    for duty in all_duties(document):
        page = pages[duty.clause, duty.role, duty.step]
        assert place_of(duty).startswith(page.replace("_", " "))
        assert duty.role in SCREENS[duty.screen].for_
    done = {(duty.clause, duty.role, duty.step) for x in walked for _, duty in x.confirmed}
    for duty in all_duties(document):
        if (duty.role, duty.step) not in WITHOUT_COMMAND:
            assert (duty.clause, duty.role, duty.step) in done, duty


WITHOUT_COMMAND = {
    *(("commission", "approvals"), ("player", "close_bets")),
    *(("operator", step) for step in ("open_table", "felt", "sign", "meters", "approvals")),
}
"""The commission decides elsewhere, and players give nothing to close the bets; what an operator
confirms with the opening is tested with the journal."""


# -- contradictions -------------------------------------------------------------------------------


def rules_for(way: Way) -> Rules:
    wagers = offered(load_rulebook(way.document).default, way.dealing)
    order = {"deal_order": way.order} if way.order else {}
    options = {"dealing": way.dealing, **order, **way.options}
    return put_in_force(load_rulebook(way.document), Submission(offered=wagers, options=options))


def together(rules: Rules) -> Iterator[tuple[str, list[Duty]]]:
    """The duties that a dealer has before them at one time."""
    places = {(duty.step, duty.at) for duty in duties_of(rules, role="dealer") if not duty.kind}
    for step, at in sorted(places):
        yield f"{step} {at}", list(duties_of(rules, role="dealer", step=step, at=at))


OPPOSITES = (
    (r"(leave|wait|stay)\w* .*(in the shuffler|inside)", r"(?<!all but )empty the device|the rest"),
    (r"cover card .*turn|lift the cover card", r"from the (shuffler|device)"),
    (r"[Oo]ption one|^Either: own", r"[Oo]ption two|^Or: face"),
    (r"\bno cut\b|do not cut", r"cut before dealing"),
    (r"by section 7", r"by section 8"),
    (r"two-card stacks face down, clockwise from your left, to Ante", r"leave your own"),
    (r"board cards first", r"With five board cards down, rack"),
)
"""Patterns of words: of each pair only one may be asked for with a step."""


def contradictions(duties: list[Duty]) -> list[tuple[str, str]]:
    return [
        (a.clause, b.clause)
        for one, opposite in OPPOSITES
        for a in duties
        for b in duties
        if a is not b and re.search(one, a.words) and re.search(opposite, b.words)
    ]


@pytest.mark.parametrize("way", every_way(), ids=str)
def test_no_step_has_two_duties_that_contradict_each_other(way: Way) -> None:
    rules = rules_for(way)
    for step, duties in together(rules):
        assert contradictions(duties) == [], step
        clauses = [(duty.clause, duty.wager) for duty in duties]
        assert len(set(clauses)) == len(clauses), f"{step}: of one clause several alternatives"


@pytest.mark.parametrize("way", every_way(), ids=str)
def test_the_dealer_has_it_from_a_duty_how_the_players_get_their_cards(way: Way) -> None:
    duties = duties_of(rules_for(way), role="dealer", step="deal")
    assert [duty for duty in duties if re.search(r"clockwise|then the pairs", duty.words)]


@pytest.mark.parametrize("way", every_way(), ids=str)
def test_the_stub_is_racked_after_the_last_card_and_never_before_its_count(way: Way) -> None:
    """10.B(5) of md-uth, 10.B(4) of md-jackpot and 10.B(3) of md-wpt against the engine's order;
    MD-40: a pair that waits inside the device is no part of the stub."""
    rules = rules_for(way)
    racked = [
        duty
        for duty in duties_of(rules, role="dealer", step="deal")
        if re.search(r"rack (the stub|the rest|it) unseen", duty.words)
    ]
    order = deal_order(rules, (1, 2))
    for duty in racked:
        assert re.search(r"unless (a|its) count is due", duty.words), duty
        if way.dealing != "automated_shoe":
            continue
        waits = way.order == "dealer_last"
        assert ("all but" in duty.words) == waits, duty
        is_board_last = order[-1].place == "community"
        assert bool(re.search(r"board cards down", duty.words)) == (
            is_board_last and way.document == "md-wpt"
        ), duty


def test_the_contradictions_of_old_are_recognized() -> None:
    """MD-40: what a dealer of an automated shoe was given beside each other."""
    last = Way("md-uth", "automated_shoe", "dealer_last", {})
    duties = list(duties_of(rules_for(last), role="dealer", step="deal"))
    wrong = "After the last two-card stack, empty the device and rack the rest unseen."
    (stub,) = [duty for duty in duties if duty.clause == "10.B(5)"]
    assert contradictions(duties) == []
    duties.append(msgspec.structs.replace(stub, words=wrong))
    assert ("10.B(4)", "10.B(5)") in contradictions(duties)


# -- the progressive ------------------------------------------------------------------------------


def seen(evening: Evening, actor: Actor) -> set[str]:
    return {clause for _, _, clause, _ in evening.screens(actor).rows}


def at_claim() -> tuple[Evening, Table]:
    """Seat 1 has won the progressive and waits for a floorperson; the table before the dealer
    settled that seat."""
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.deal_royal()
    while evening.table.round.claim is None:
        before = evening.table
        evening.go_on()
    return evening, before


@pytest.mark.clause("md-uth", "11.J(2)(a)", "11.J(2)(b)", "11.J(2)(d)", "11.J(2)(e)")
def test_11_J_2_nothing_about_an_award_is_on_record_before_its_moment() -> None:
    """(a) to (c) when the dealer calls the floor, (d) and (e) when the dealer goes on."""
    evening, before = at_claim()
    table, rules = evening.table, evening.rules
    checks = {"11.J(2)", "11.J(2)(a)", "11.J(2)(b)", "11.J(2)(c)"}
    paid = {"11.J(1)", "11.J(2)(d)", "11.J(2)(e)", "12.D(4)"}
    settled = on_record(r.Settle(), DAN, before, rules)
    assert not (checks | paid) & {d.clause for d in (*settled.confirmed, *settled.shown)}
    assert checks <= seen(evening, DAN)
    assert not paid & seen(evening, DAN)
    called = confirmed(t.CallFloor("a royal flush"), DAN, table, rules)
    assert {duty.clause for duty in called} == checks
    assert "11.J(2)(c)" in seen(evening, FLO)
    answer = on_record(r.ValidateProgressive(1), FLO, table, rules)
    signed = {(duty.clause, duty.role) for duty in answer.confirmed}
    as_second = {("11.J(2)", "dealer"), ("11.J(2)(c)", "dealer")}
    assert signed == {*as_second, ("11.J(2)(c)", "floorperson")}
    assert {"11.J(2)(a)", "11.J(2)(b)"} <= {duty.clause for duty in answer.shown}
    evening.do(r.ValidateProgressive(1), FLO)
    assert paid <= seen(evening, DAN)
    assert not checks & seen(evening, DAN)
    goes_on = confirmed(r.Collect(), DAN, evening.table, evening.rules)
    assert paid <= {duty.clause for duty in goes_on}


def test_11_J_2_an_award_that_was_denied_is_paid_by_nobody() -> None:
    evening, _ = at_claim()
    evening.do(r.RefuseProgressive(1, "the light was off"), FLO)
    assert "11.J(2)(d)" not in seen(evening, DAN)
    done = confirmed(r.Collect(), DAN, evening.table, evening.rules)
    assert "11.J(2)(d)" not in {duty.clause for duty in done}


# -- reports --------------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "14(f)")
@pytest.mark.clause("md-235", "13.G")
@pytest.mark.parametrize(
    ("document", "order", "clause"),
    [("ma-uth", "", "14(f)"), ("md-235", "community_last", "13.G")],
)
def test_a_report_shows_its_own_duties_before_it_is_confirmed(
    document: str, order: str, clause: str
) -> None:
    evening = Evening(Way(document, "automated_shoe", order, {}))
    evening.idle()
    evening.prepare()
    evening.deal_royal()
    rows = evening.screens(DAN).rows
    assert {step for _, step, shown, _ in rows if shown == clause} == {"report shoe_jam"}
    jammed = confirmed(r.Report("shoe_jam"), DAN, evening.table, evening.rules)
    assert clause in {duty.clause for duty in jammed}
    other = confirmed(r.Report("wrong_count"), DAN, evening.table, evening.rules)
    assert clause not in {duty.clause for duty in other}
    assert confirmed(r.Report("earthquake"), DAN, evening.table, evening.rules) == ()


def test_13_G_a_report_asks_for_no_wager_that_nobody_has() -> None:
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.open_betting()
    evening.do(r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}))
    evening.do(r.CloseBets())
    evening.do(r.Deal())
    assert "13.F" in seen(evening, DAN)
    assert "13.G" not in seen(evening, DAN)
    exposed = confirmed(r.Report("dealer_card_exposed"), DAN, evening.table, evening.rules)
    assert {duty.clause for duty in exposed} == {"13.F"}


SAVED = {
    "md-uth": {"11.I(1)", "11.I(2)"},
    "md-jackpot": {"11.J(1)", "11.J(2)"},
    "md-wpt": {"11.I(1)", "11.I(2)", "11.I(3)", "11.I(4)"},
}
"""What is still settled when a card of the dealer's was seen too early (13.G)."""


@pytest.mark.clause("md-uth", "13.F")
@pytest.mark.clause("md-jackpot", "13.F")
@pytest.mark.clause("md-wpt", "13.F")
@pytest.mark.parametrize("document", SAVED)
def test_13_F_nobody_is_asked_to_settle_what_is_void(document: str) -> None:
    """All hands are void: the dealer takes and pays nothing of the main game, of a fold (MD-43) or
    of the progressive, and none of it is on record."""
    evening = Evening(Way(document, "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.deal_royal()
    while not any(seat.folded for seat in evening.table.round.seats):
        evening.go_on()
    evening.do(r.Report("dealer_card_exposed"))
    while cards_to_enter(evening.table.round, evening.rules):
        evening.go_on()
    duties = [x for x in evening.screens(DAN).rows if x[1] == "settle"]
    asked = {clause for _, _, clause, words in duties if "rack the cards" not in words}
    assert asked == SAVED[document]
    done = confirmed(r.Settle(), DAN, evening.table, evening.rules, evening.at)
    assert {duty.clause for duty in done} == SAVED[document]


@pytest.mark.clause("md-uth", "13.E")
def test_13_E_a_report_that_waits_for_the_floor_is_no_duty_done(tmp_path: Path) -> None:
    """The dealer has seen what is to be done, and nothing is void; the floor sees it and confirms.
    A report that is declined leaves nothing behind."""
    with open_journal(tmp_path / "journal.db") as store:
        dealt = Dealt(store)
        dealt.on_screen = ("13.E",)
        number = dealt.misdeal()
        table = dealt.table
        form = work_form(table, rules_of(table), Person("Flo", "floorperson"), 0)
        (waits,) = [step for step in form.steps if step.step == "confirm"]
        assert "13.E" in {duty.clause for duty in waits.duties}
        dealt.do(t.Decline(number, "I counted two"), FLO)
        dealt.do(t.Confirm(dealt.misdeal()), FLO)
        told = [
            (moment.event_name, moment.by, duties_on_record(moment))
            for moment in moments(store, "T1")
            if moment.event_name in ("proposed", "declined", "confirmed")
        ]
    clauses = [
        (kind, by, "13.E" in {d.clause for d in x.confirmed}, "13.E" in {d.clause for d in x.shown})
        for kind, by, x in told
    ]
    assert clauses == [
        ("proposed", "dealer Dan", False, True),
        ("declined", "floorperson Flo", False, False),
        ("proposed", "dealer Dan", False, True),
        ("confirmed", "floorperson Flo", True, False),
    ]


# -- betting --------------------------------------------------------------------------------------

BETTING = {
    "md-uth": {"7.A", "7.C", "7.D", "7.F(1)", "7.F(2)", "7.F(3)(a)", "7.F(3)(b)"},
    "md-jackpot": {"7.C"},
    "md-wpt": {"7.A", "7.C", "7.D", "7.F(1)", "7.F(4)(a)"},
    "md-235": {"7.A", "7.B", "7.C", "7.E(1)"},
    "ma-uth": {"6(a)", "6(b)", "6(c)", "6(e)", "11", "13(a)"},
}


@pytest.mark.clause("md-uth", "7.C", "7.F(1)", "7.F(2)")
@pytest.mark.clause("ma-uth", "6(e)")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_7_C_7_F_6_e_the_players_part_stands_on_both_screens_while_bets_are_open(
    document: str,
) -> None:
    """Before anybody has bet as well, when no step waits for the dealer."""
    evening = Evening(Way(document, "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    assert not BETTING[document] & seen(evening, ANN)
    evening.open_betting()
    for _ in range(2):
        assert BETTING[document] <= seen(evening, ANN)
        assert BETTING[document] <= seen(evening, DAN)
        evening.do(r.PlaceWagers(1, "Ann", evening.stakes), ANN)
    evening.do(r.CloseBets())
    assert BETTING[document] & seen(evening, ANN) <= {"6(b)"}, "6(b) has a part after that too"


def test_7_F_a_player_confirms_the_wagers_that_they_place_and_a_dealer_none_for_them() -> None:
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.open_betting()
    table, rules = evening.table, evening.rules
    plain = r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000})
    assert {d.clause for d in confirmed(plain, ANN, table, rules)} == {
        *("7.A", "7.C", "7.D", "7.F(1)"),
    }
    with_trips = r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000, "trips": 500})
    assert "7.F(2)" in {duty.clause for duty in confirmed(with_trips, ANN, table, rules)}
    assert confirmed(plain, DAN, table, rules) == ()
    record = on_record(plain, DAN, table, rules)
    assert {"7.A", "7.C", "7.F(1)"} <= {duty.clause for duty in record.shown}
    assert confirmed(r.TakeBack(1, "Ann"), ANN, table, rules) == ()


@pytest.mark.parametrize(
    "name", ["software", "software-player", "bot-1", "player 1"], ids=lambda name: name
)
def test_a_program_confirms_nothing_and_is_shown_nothing(name: str) -> None:
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.open_betting()
    bet = r.PlaceWagers(1, name, {"ante": 1000, "blind": 1000})
    table = msgspec.structs.replace(evening.table, seats={1: name})
    record = on_record(bet, Actor("player", name), table, evening.rules)
    assert record.confirmed == ()
    assert "player" not in {duty.role for duty in record.shown}


# -- folded hands ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "shown", "hidden"),
    [
        ({}, {"11.F(2)", "11.F(3)(b)"}, {"11.F(3)(a)"}),
        ({"trips": 500}, {"11.F(2)", "11.F(3)(a)"}, {"11.F(3)(b)"}),
        ({"progressive": 100}, {"11.F(2)"}, {"11.F(3)(a)", "11.F(3)(b)"}),
    ],
    ids=["no side wager", "trips", "progressive"],
)
@pytest.mark.clause("md-uth", "11.F(2)", "11.F(3)(a)", "11.F(3)(b)")
def test_11_F_3_folded_cards_are_kept_or_racked_and_never_both(
    side: dict[str, int], shown: set[str], hidden: set[str]
) -> None:
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.open_betting()
    evening.do(r.PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000, **side}))
    evening.do(r.CloseBets())
    if "progressive" in side:
        evening.do(r.CountChips(1))
    evening.do(r.Deal())
    evening.do(r.Act(1, "Ann", "check"))
    evening.do(r.RevealCards(DECK[:3]))
    evening.do(r.Act(1, "Ann", "check"))
    evening.do(r.RevealCards(DECK[3:5]))
    evening.do(r.Act(1, "Ann", "fold"), ANN)
    assert shown <= seen(evening, DAN)
    assert not hidden & seen(evening, DAN)
    done = {d.clause for d in confirmed(r.ShowDealer(), DAN, evening.table, evening.rules)}
    assert shown <= done
    assert not hidden & done


# -- the journal ----------------------------------------------------------------------------------


def test_the_opening_confirms_the_operators_duties_and_none_of_the_commissions(
    tmp_path: Path,
) -> None:
    given = {"number": "A-1", "date": "2026-11-02", "authority": "the Commission"}
    for document in DOCUMENTS:
        book = load_rulebook(document).default
        approvals = dict.fromkeys([approval.name for approval in book.approvals], given)
        terms = json.dumps(json.loads(submission_for(document)) | {"approvals": approvals})
        opening = t.OpenTable(document, document, terms, source="live", inventory=10**8)
        with open_journal(tmp_path / f"{document}.db") as store:
            do_as_shown(House(store), document, opening, OLGA)
            (first, *_) = moments(store, document)
            record = duties_on_record(first)
        assert {duty.role for duty in record.confirmed} == {"operator"}
        assert {"open_table", "sign", "approvals"} <= {d.step for d in record.confirmed}


def test_replay_says_who_confirmed_and_what_was_only_shown(tmp_path: Path) -> None:
    """A dealer bets and answers for players at a live table: the players' duties were shown to
    them and no more. Ann has done hers."""
    evening = Evening(Way("md-uth", "manual_shoe", "", {}))
    evening.idle()
    evening.prepare()
    evening.play()
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store)
        terms = json.loads(evening.table.submission)
        terms["progressive"] = {"meters": {"main": {"rate": "0.05"}}}
        opening = t.OpenTable("one", "md-uth", json.dumps(terms), source="live", inventory=10**8)
        house.do("one", opening, OLGA)
        for command, actor in evening.given:
            do_as_shown(house, "one", command, actor)
        told = Journal(store).replay("one", 1).events
    by = {(event.name, event.by): event for event in told if event.confirmed or event.shown}
    assert {"7.A", "7.C", "7.F(1)"} <= set(by["wagers_placed", "player Ann"].confirmed)
    for_bob = by["wagers_placed", "dealer Dan"]
    assert for_bob.confirmed == ()
    assert {"7.A", "7.C", "7.F(1)"} <= set(for_bob.shown)
    validated = by["progressive_paid", "floorperson Flo"]
    assert validated.confirmed == ("11.J(2)", "11.J(2)(c)")
    assert validated.shown == ("11.J(2)(a)", "11.J(2)(b)")
    assert validated.to_dict()["shown"] == ["11.J(2)(a)", "11.J(2)(b)"]
