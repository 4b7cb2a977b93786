"""What only hands can do is told to the person whose duty it is, with the step it belongs to, and
the round waits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.deck_care.next_steps import stub_expected
from croupier.errors import CroupierError
from croupier.reports.conformance import answers_of
from croupier.rounds.commands import (
    Act,
    CloseBets,
    CountChips,
    Deal,
    OpenBetting,
    PlaceWagers,
    RevealCards,
    Settle,
    ShowDealer,
)
from croupier.rounds.deciding import decide
from croupier.rounds.declaration import Actor, tag_of
from croupier.rounds.evolving import evolve
from croupier.rounds.state import OPENING
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.submissions.uploads import operator_duties
from croupier.tables.step_duties import duties_at, moments_now
from tests.rules import reviewed

GUIDED = [
    pytest.param(document, clause, marks=pytest.mark.clause(document, clause))
    for document in DOCUMENTS
    for clause, answered in answers_of(document).items()
    if answered.status == "guided"
]


def rules_of(rulebook: str, dealing: str) -> Rules:
    file = load_rulebook(rulebook)
    offered = None
    if dealing in ("manual_shoe", "hand"):
        wagers = file.default.wagers.items()
        offered = tuple(n for n, w in wagers if w.role == "optional" and not w.dealt_by)
    options: dict[str, str | int | float | bool] = {"dealing": dealing} if dealing else {}
    return put_in_force(file, Submission(offered=offered, options=options))


@pytest.mark.parametrize(("document", "clause"), GUIDED)
def test_what_people_are_told_was_read_by_a_person(document: str, clause: str) -> None:
    """Words that say the opposite are other words: whoever changes one reads it against the clause
    and writes the reviewed list anew (`python -m tests.rules.reviewed`)."""
    told = [line for line in reviewed.lines(document) if line.split("\t")[0] == clause]
    assert told
    assert told == reviewed.written(document).get(clause)


def test_the_words_come_with_the_step_that_is_next() -> None:
    """Through a whole round from the hand: told before it is done, gone when it is."""
    rules = rules_of("md-uth", "hand")
    heard: dict[str, list[str]] = {}
    state = OPENING
    for command in (
        OpenBetting(1, deck=DECK),
        PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000, "progressive": 100}),
        CloseBets(),
        CountChips(1),
        Deal(),
        Act(1, "Ann", "check"),
        RevealCards(),
        Act(1, "Ann", "check"),
        RevealCards(),
        Act(1, "Ann", "fold"),
        ShowDealer(),
        Settle(),
    ):
        live = replace(state, source="live")
        told = [
            duty.clause
            for moment in moments_now(live, rules)
            for duty in duties_at(moment, live, rules)
            if duty.role == "dealer"
        ]
        heard.setdefault(tag_of(command), []).extend(told)
        for event in decide(state, command, rules, {}):
            state = evolve(state, event, rules)
    assert heard["close_bets"] == ["7.B", "7.F(3)(b)", "9.A(3)", "9.A(3)(a)"]
    assert heard["count_chips"] == ["9.A(3)(b)", "9.A(3)(c)"]
    assert heard["deal"] == ["9.A(2)", "9.A(2)(a)", "9.A(2)(b)", "9.B(1)", "9.B(2)"]
    always = ["11.A(1)", "11.A(2)"]
    assert heard["act"] == [*always, "11.B", *always, "11.D", *always, "11.F"]
    assert heard["reveal"] == [
        *("9.B(3)", "11.C", "11.C(1)", "11.C(2)"),
        *("9.B(3)", "9.B(4)", "11.E", "11.E(1)", "11.E(2)"),
    ]
    fold = ["11.F(2)"]  # the progressive keeps the cards, and there is no Trips
    assert heard["show_dealer"] == ["11.G", "11.G(1)", "11.G(2)", "11.G(3)", *fold]


@pytest.mark.clause("md-uth", "11.L", "11.L(1)", "11.L(2)")
def test_11_L_an_electronic_table_deals_two_to_the_dealer_and_five_to_the_board() -> None:
    rules = put_in_force(load_rulebook("md-uth"), Submission())
    state = OPENING
    for command in (
        OpenBetting(1, "virtual", deck=DECK),
        PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}),
        CloseBets(),
        Deal(),
        Act(1, "Ann", "4x"),
        RevealCards(),
        RevealCards(),
        ShowDealer(),
    ):
        for event in decide(state, command, rules, {}):
            state = evolve(state, event, rules)
    assert len(state.dealer) == 2
    assert len(state.community) == state.exposed == 5
    assert not state.box or len(state.box) == 4


@pytest.mark.clause("ma-uth", "12(a)")
def test_12_a_cover_all_is_bet_before_the_round_starts() -> None:
    rules = rules_of("ma-uth", "automated_shoe")
    state = OPENING
    for command in (
        OpenBetting(1, deck=DECK),
        PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}),
        CloseBets(),
    ):
        for event in decide(state, command, rules, {}):
            state = evolve(state, event, rules)
    with pytest.raises(CroupierError) as refused:
        decide(state, PlaceWagers(1, "Ann", {"cover_all": 500}), rules, {})
    assert refused.value.clause == "6(b)"


@pytest.mark.parametrize(
    "rulebook",
    [
        pytest.param(book, marks=pytest.mark.clause(book, "2.C"))
        for book in ("md-uth", "md-jackpot", "md-wpt", "md-235")
    ],
)
def test_2_C_a_progressive_is_offered_with_its_system_or_not_at_all(rulebook: str) -> None:
    import json

    from croupier.tables.commands import OpenTable
    from croupier.tables.planning import plan_opening

    olga = Actor("operator", "Olga")
    with pytest.raises(CroupierError):
        plan_opening(OpenTable("T1", rulebook), olga)
    meters = put_in_force(load_rulebook(rulebook), Submission()).resets
    terms = {"stakes": ["1"], "meters": {name: {"rate": "0.1"} for name in meters}}
    told = json.dumps({"progressive": terms})
    opened = plan_opening(OpenTable("T1", rulebook, told), olga)
    assert opened.link is not None
    assert set(opened.link.meters) == set(meters)
    without = plan_opening(OpenTable("T1", rulebook, json.dumps({"offered": []})), olga)
    assert without.link is None


@pytest.mark.parametrize(
    ("rulebook", "kind", "clause", "words"),
    [
        pytest.param(book, kind, clause, words, marks=pytest.mark.clause(book, clause))
        for book in ("md-uth", "md-jackpot", "md-wpt")
        for kind, clause, words in (
            ("shuffler_jam_in_round", "13.H(3)", "out of the machine"),
            ("shoe_jam", "13.I(2)", "out of the shoe"),
            ("shoe_jam", "13.I(3)", "already dealt"),
        )
    ],
)
def test_a_jam_tells_what_becomes_of_the_cards(
    rulebook: str, kind: str, clause: str, words: str
) -> None:
    """Told with the report; the next round waits for the shuffle (test_*_care: 13.H(1))."""
    from croupier.rounds.events import IrregularityNoted
    from croupier.tables.sentences import describe_event
    from croupier.tables.state import Table

    table = Table("T1", rulebook, '{"options": {"dealing": "automated_shoe"}}')
    accident = rules_of(rulebook, "automated_shoe").book.irregularities[kind]
    noted = IrregularityNoted(kind, "Dan", accident.clause, accident.deck)
    told = [line for line in describe_event(noted, table) if f"[{clause}]" in line]
    assert len(told) == 1
    assert words in told[0]
    assert accident.deck == "reshuffled"


@pytest.mark.clause("ma-uth", "1.Stub")
def test_1_Stub_is_what_is_left_when_every_card_is_out() -> None:
    rules = rules_of("ma-uth", "manual_shoe")
    state = OPENING
    left = []
    for command in (
        OpenBetting(1, deck=DECK),
        PlaceWagers(1, "Ann", {"ante": 1000, "blind": 1000}),
        PlaceWagers(2, "Bob", {"ante": 1000, "blind": 1000}),
        CloseBets(),
        Deal(),
        Act(1, "Ann", "4x"),
        Act(2, "Bob", "4x"),
        RevealCards(),
        RevealCards(),
    ):
        left.append(stub_expected(state, rules))
        for event in decide(state, command, rules, {}):
            state = evolve(state, event, rules)
    assert left == [None] * 9
    # Two hands and the dealer's of two cards, a board of five, two burns.
    assert stub_expected(state, rules) == 52 - 3 * 2 - 5 - 2


FURNITURE = {
    "md-uth": ("2.D(1)", "2.D(2)", "2.E", "8.A"),
    "md-jackpot": ("2.D(1)", "2.D(2)", "2.E", "8.A"),
    "md-wpt": ("2.D(1)", "2.D(2)", "2.E", "8.A"),
    "md-235": ("2.A(2)", "2.D", "2.F", "2.E", "8.A"),
}


@pytest.mark.parametrize(
    ("document", "clause"),
    [
        pytest.param(document, clause, marks=pytest.mark.clause(document, clause))
        for document, clauses in FURNITURE.items()
        for clause in clauses
    ],
)
def test_who_opens_a_table_is_told_what_stands_where(document: str, clause: str) -> None:
    told = operator_duties(rules_of(document, "manual_shoe"))
    found = [duty for duty in told if duty.clause == clause]
    assert found
    assert {duty.screen for duty in found} <= {"open_a_table", "approvals"}
    elsewhere = operator_duties(rules_of(document, "hand"))
    assert (clause in {duty.clause for duty in elsewhere}) is (clause != "8.A")
