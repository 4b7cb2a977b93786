"""What only hands can do is told to the dealer with the step it belongs to, and the round waits.

The words are looked for by what matters in them, copied by hand from the clauses' sense.
"""

from __future__ import annotations

import pytest

from croupier.errors import CroupierError
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    OpenBetting,
    PlaceWagers,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.declaration import Actor
from croupier.rounds.guidance import guidance, guide_now
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.tables.commands import TableCommand

STEPS: dict[str, TableCommand] = {
    "betting": CloseBets(),
    "count": CountChips(1),
    "deal": Deal(),
    "reveal": RevealCards(),
    "show": ShowDealer(),
    "settle": Settle(),
    "collect": Collect(),
}
TOLD = [
    ("md-uth", "7.F(3)(b)", "betting", "", "accepted"),
    ("md-uth", "8.D(1)", "deal", "manual_shoe", "nearest the shoe"),
    ("md-uth", "8.D(4)", "show", "manual_shoe", "discard rack, unseen"),
    ("md-uth", "9.A(2)", "deal", "hand", "one hand"),
    ("md-uth", "9.A(2)(a)", "deal", "hand", "same hand"),
    ("md-uth", "9.A(2)(b)", "deal", "hand", "table inventory"),
    ("md-uth", "9.B(1)", "deal", "hand", "top card"),
    ("md-uth", "9.B(4)", "show", "hand", "discard rack, unseen"),
    ("md-uth", "10.B(5)", "show", "automated_shoe", "discard rack, unseen"),
    ("md-uth", "11.A(1)", "ask", "", "may touch"),
    ("md-uth", "11.A(2)", "ask", "", "see them at all times"),
    ("md-uth", "11.F(3)(b)", "fold", "", "Without a Trips"),
    ("md-uth", "11.F(3)(c)", "fold", "automated_shoe", "With a Six Card Bonus"),
    ("md-uth", "11.F(3)(d)", "fold", "automated_shoe", "Without a Six Card Bonus"),
    ("md-uth", "11.J(2)(a)", "validate", "", "really wins"),
    ("md-jackpot", "7.F(3)(b)", "betting", "", "accepted"),
    ("md-jackpot", "8.D(1)", "deal", "manual_shoe", "nearest the shoe"),
    ("md-jackpot", "8.D(4)", "show", "manual_shoe", "discard rack, unseen"),
    ("md-jackpot", "9.A(2)", "deal", "hand", "one hand"),
    ("md-jackpot", "9.A(2)(a)", "deal", "hand", "same hand"),
    ("md-jackpot", "9.A(2)(b)", "deal", "hand", "table inventory"),
    ("md-jackpot", "9.B(1)", "deal", "hand", "top card"),
    ("md-jackpot", "9.B(4)", "show", "hand", "discard rack, unseen"),
    ("md-jackpot", "10.B(4)", "show", "automated_shoe", "discard rack, unseen"),
    ("md-jackpot", "11.A(1)", "ask", "", "may touch"),
    ("md-jackpot", "11.A(2)", "ask", "", "see them at all times"),
    ("md-jackpot", "11.G(3)(b)", "fold", "", "Without a Player Bonus"),
    ("md-jackpot", "11.G(4)(a)", "fold", "", "With a progressive"),
    ("md-jackpot", "11.G(4)(b)", "fold", "", "Without a progressive"),
    ("md-jackpot", "11.K(2)(a)", "validate", "", "really wins"),
    ("md-wpt", "7.F(4)(b)", "betting", "", "accepted"),
    ("md-wpt", "8.D(1)", "deal", "manual_shoe", "nearest the shoe"),
    ("md-wpt", "8.D(4)", "show", "manual_shoe", "discard rack, unseen"),
    ("md-wpt", "9.A(2)", "deal", "hand", "one hand"),
    ("md-wpt", "9.A(2)(a)", "deal", "hand", "same hand"),
    ("md-wpt", "9.A(2)(b)", "deal", "hand", "table inventory"),
    ("md-wpt", "9.B(1)", "deal", "hand", "top card"),
    ("md-wpt", "9.B(4)", "show", "hand", "discard rack, unseen"),
    ("md-wpt", "10.B(3)", "show", "automated_shoe", "discard rack, unseen"),
    ("md-wpt", "11.A(1)", "ask", "", "may touch"),
    ("md-wpt", "11.A(2)", "ask", "", "see them at all times"),
    ("md-wpt", "11.F(3)(b)", "fold", "", "Without a Trips Plus"),
    ("md-wpt", "11.F(3)(d)", "fold", "", "Without a Pocket Bonus"),
    ("md-wpt", "11.J(2)(a)", "validate", "", "really wins"),
    ("md-235", "7.E(3)(b)", "betting", "", "accepted"),
    ("md-235", "8.C(2)(a)", "count", "manual_shoe", "Gather the progressive's chips"),
    ("md-235", "8.D(1)", "deal", "manual_shoe", "nearest the shoe"),
    ("md-235", "8.D(3)", "ask", "manual_shoe", "discard rack, unseen"),
    ("md-235", "9.A(2)", "deal", "hand", "one hand"),
    ("md-235", "9.A(2)(a)", "deal", "hand", "same hand"),
    ("md-235", "9.A(2)(b)", "deal", "hand", "table inventory"),
    ("md-235", "9.A(4)(a)", "count", "hand", "Gather the progressive's chips"),
    ("md-235", "9.C", "ask", "hand", "discard rack, unseen"),
    ("md-235", "10.A(1)(c)(i)", "count", "automated_shoe", "Gather the progressive's chips"),
    ("md-235", "10.C", "ask", "automated_shoe", "discard rack, unseen"),
    ("md-235", "11.A(1)", "ask", "", "answers for the hand"),
    ("md-235", "11.A(2)", "ask", "", "may touch"),
    ("md-235", "11.A(3)", "ask", "", "see them at all times"),
    ("md-235", "11.C", "reveal", "", "do not touch them again"),
    ("md-235", "11.D(3)", "settle", "", "until every wager is resolved"),
    ("md-235", "11.D(5)(a)", "validate", "", "really wins"),
    ("ma-uth", "1.Burn", "reveal", "manual_shoe", "face down and unseen"),
    ("ma-uth", "1.Stub", "show", "", "left of the deck"),
    ("ma-uth", "6(a)", "betting", "", "spoken wager"),
    ("ma-uth", "7(a)", "deal", "manual_shoe", "where it was approved"),
    ("ma-uth", "7(c)", "deal", "manual_shoe", "nearest the shoe"),
    ("ma-uth", "7(e)", "show", "manual_shoe", "discard rack, unseen"),
    ("ma-uth", "7(f)", "ask", "", "without showing them"),
    ("ma-uth", "7(f)(5)(ii)b", "fold", "manual_shoe", "Without a Trips"),
    ("ma-uth", "8(b)(1)", "deal", "automated_shoe", "into the machine"),
    ("ma-uth", "9(e)(2)(ii)", "fold", "automated_shoe", "Without a Trips"),
    ("ma-uth", "12(d)", "deal", "automated_shoe", "Cover All mode"),
    ("ma-uth", "12(h)", "settle", "automated_shoe", "Cover All wagers down"),
    ("ma-uth", "12(h)a", "settle", "automated_shoe", "straight or better"),
    ("ma-uth", "12(i)", "settle", "automated_shoe", "better one"),
    ("ma-uth", "12(j)", "settle", "automated_shoe", "all others are settled"),
]
DAN = Actor("dealer", "Dan")


def rules_of(rulebook: str, dealing: str) -> Rules:
    file = load_rulebook(rulebook)
    offered = None
    if dealing in ("manual_shoe", "hand"):
        wagers = file.default.wagers.items()
        offered = tuple(n for n, w in wagers if w.role == "optional" and not w.dealt_by)
    options: dict[str, str | int | float | bool] = {"dealing": dealing} if dealing else {}
    return put_in_force(file, Submission(offered=offered, options=options))


@pytest.mark.parametrize(
    ("rulebook", "clause", "at", "dealing", "words"),
    [
        pytest.param(*row, marks=pytest.mark.clause(row[0], row[1]), id=f"{row[0]}-{row[1]}")
        for row in TOLD
    ],
)
def test_the_dealer_is_told(rulebook: str, clause: str, at: str, dealing: str, words: str) -> None:
    rules = rules_of(rulebook, dealing)
    told = {guide.clause: guide.words for guide in guidance(rules, at)}
    assert words in told[clause]
    if dealing:
        other = "automated_shoe" if dealing == "manual_shoe" else "manual_shoe"
        elsewhere = guidance(rules_of(rulebook, other), at)
        assert clause not in {guide.clause for guide in elsewhere}
    if at in STEPS:
        assert "dealer" in STEPS[at].declared.by
        assert "player" not in STEPS[at].declared.by


def test_everything_that_a_rulebook_tells_is_looked_for_here() -> None:
    looked_for = {(rulebook, clause) for rulebook, clause, *_ in TOLD}
    for rulebook in {row[0] for row in TOLD}:
        for guide in load_rulebook(rulebook).default.guide:
            assert (rulebook, guide.clause) in looked_for


def test_the_words_come_with_the_step_that_is_next() -> None:
    """Through a whole round from the hand: told before it is done, gone when it is."""
    from croupier.cards import DECK
    from croupier.rounds.deciding import decide
    from croupier.rounds.evolving import evolve
    from croupier.rounds.state import OPENING

    rules = rules_of("md-uth", "hand")
    state = OPENING
    heard: dict[str, set[str]] = {}
    commands = (
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
    )
    for command in commands:
        heard[str(type(command).__struct_config__.tag)] = {
            guide.clause for guide in guide_now(state, rules)
        }
        for event in decide(state, command, rules, {}):
            state = evolve(state, event, rules)
    assert "9.A(2)" in heard["deal"]
    assert "9.A(2)" not in heard["count_chips"]
    assert "7.F(3)(b)" in heard["close_bets"]
    assert {"9.B(4)", "11.F(3)(b)"} <= heard["show_dealer"]
    if state.claim is not None:
        assert "11.J(2)(a)" in {guide.clause for guide in guide_now(state, rules)}
        assert ValidateProgressive(1).seat == state.claim.seat


@pytest.mark.clause("md-uth", "11.L", "11.L(1)", "11.L(2)")
def test_11_L_an_electronic_table_deals_two_to_the_dealer_and_five_to_the_board() -> None:
    from croupier.cards import DECK
    from croupier.rounds.deciding import decide
    from croupier.rounds.evolving import evolve
    from croupier.rounds.state import OPENING

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
    from croupier.cards import DECK
    from croupier.rounds.deciding import decide
    from croupier.rounds.evolving import evolve
    from croupier.rounds.state import OPENING

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
    from croupier.tables.state import Table
    from croupier.tables.telling import tell

    table = Table("T1", rulebook, '{"options": {"dealing": "automated_shoe"}}')
    accident = rules_of(rulebook, "automated_shoe").book.irregularities[kind]
    noted = IrregularityNoted(kind, "Dan", accident.clause, accident.deck)
    told = [line for line in tell(noted, table) if f"[{clause}]" in line]
    assert len(told) == 1
    assert words in told[0]
    assert accident.deck == "reshuffled"
