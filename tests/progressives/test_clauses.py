"""What the documents say of progressives, held by the link alone."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from croupier.progressives import (
    Awarded,
    Contributed,
    ReverseRound,
    evolve,
)
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.loader import load_rulebook
from tests.progressives.links import (
    PAYTABLES,
    STAKE,
    after,
    bets,
    finish,
    happens,
    opened,
    opening,
    paid,
    papers,
    refused,
    wins,
)


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_every_clause_named_is_one_of_the_document(rulebook: str) -> None:
    kept = msgspec.structs.asdict(load_rulebook(rulebook).default.progressive)
    assert kept["turn"]
    assert set(kept.values()) - {""} <= clauses_of(rulebook).keys()


@pytest.mark.clause("md-uth", "12.D(3)(b)(i)")
@pytest.mark.clause("ma-uth", "13(e)[PTMGL01]")
@pytest.mark.clause("md-jackpot", "12.E(2)(a)")
@pytest.mark.clause("md-wpt", "12.D'(3)(b)(i)")
@pytest.mark.clause("md-235", "12.F(2)(a)")
@pytest.mark.parametrize(("rulebook", "paytable"), PAYTABLES)
def test_no_meter_opens_below_the_initial_or_reset_amount(rulebook: str, paytable: str) -> None:
    good = opening(rulebook, paytable)
    for name, terms in good.meters.items():
        floor = good.table.floors[name]
        assert terms.seed_cents == terms.reset_cents == floor.cents
        for low in ("seed_cents", "reset_cents"):
            spoiled = replace(terms, **{low: floor.cents - 1})
            meters = {**good.meters, name: spoiled}
            refusal = refused(None, opening(rulebook, paytable, meters=meters))
            assert (refusal.code, refusal.clause) == ("below_minimum", floor.clause)


@pytest.mark.clause("md-uth", "12.D(3)(a)")
@pytest.mark.clause("md-jackpot", "12.E(1)")
@pytest.mark.clause("md-wpt", "12.D'(3)(a)")
@pytest.mark.clause("md-235", "12.F(1)")
@pytest.mark.parametrize(("rulebook", "paytable"), PAYTABLES)
def test_each_meter_grows_by_its_rate_at_the_lock_out(rulebook: str, paytable: str) -> None:
    link = opened(rulebook, paytable, rate="0.123457")
    stake = STAKE[rulebook] * 100
    event = happens(link, bets(1, 1, 4, stake=stake))
    assert isinstance(event, Contributed)
    grown = evolve(link, event)
    for name, meter in link.meters.items():
        assert event.microcents[name] == 2 * stake * 123_457
        assert grown.meters[name].reading == meter.reading + 2 * stake * 123_457
        assert grown.explain(name).explained == grown.meters[name].reading


@pytest.mark.clause("md-uth", "2.C(2)")
@pytest.mark.clause("md-jackpot", "2.C(2)")
@pytest.mark.clause("md-wpt", "2.C(2)")
@pytest.mark.clause("md-235", "2.C(2)")
@pytest.mark.parametrize("rulebook", ["md-uth", "md-jackpot", "md-wpt", "md-235"])
def test_2_C_2_no_wager_is_recognized_after_the_lock_out(rulebook: str) -> None:
    stake = STAKE[rulebook] * 100
    link = after(opened(rulebook), bets(7, 1, stake=stake))
    for late in (bets(7, 2, stake=stake), bets(6, 2, stake=stake)):
        refusal = refused(link, late)
        assert (refusal.code, refusal.clause) == ("late_wager", "2.C(2)")
    over = after(link, finish(7))
    assert refused(over, bets(7, 2, stake=stake)).clause == "2.C(2)"
    void = after(link, ReverseRound(table="one", round=7, reason="13.B"))
    assert refused(void, bets(7, 1, stake=stake)).clause == "2.C(2)"


LIGHT = {
    "md-uth": "11.J(2)(b)",
    "md-jackpot": "11.K(2)(b)",
    "md-wpt": "11.J(2)(b)",
    "md-235": "11.D(5)(b)",
}


@pytest.mark.clause("md-uth", "11.J(2)(b)")
@pytest.mark.clause("md-jackpot", "11.K(2)(b)")
@pytest.mark.clause("md-wpt", "11.J(2)(b)")
@pytest.mark.clause("md-235", "11.D(5)(b)")
@pytest.mark.parametrize("rulebook", LIGHT)
def test_only_a_wager_the_system_accepted_is_paid(rulebook: str) -> None:
    link = opened(rulebook)
    hand = next(iter(link.members["one"].terms.lines))
    stake = STAKE[rulebook] * 100
    locked = after(link, bets(2, 3, stake=stake))
    for state, award in (
        (link, wins(3, hand, 1)),
        (locked, wins(2, hand, 2)),
        (locked, wins(3, hand, 1)),
        (locked, wins(3, hand, 3)),
        (after(locked, finish(2)), wins(3, hand, 2)),
        (after(locked, ReverseRound(table="one", round=2, reason="void")), wins(3, hand, 2)),
    ):
        refusal = refused(state, award)
        assert (refusal.code, refusal.clause) == ("no_wager", LIGHT[rulebook])
    assert isinstance(happens(locked, wins(3, hand, 2)), Awarded)


VALIDATION = {
    "md-uth": "11.J(2)(c)",
    "md-jackpot": "11.K(2)(c)",
    "md-wpt": "11.J(2)(c)",
    "md-235": "11.D(5)(c)",
}


@pytest.mark.clause("md-uth", "11.J(2)(c)")
@pytest.mark.clause("md-jackpot", "11.K(2)(c)")
@pytest.mark.clause("md-wpt", "11.J(2)(c)")
@pytest.mark.clause("md-235", "11.D(5)(c)")
@pytest.mark.parametrize("rulebook", VALIDATION)
@pytest.mark.parametrize("validate_all", [True, False])
def test_a_floorperson_validates_before_a_progressive_is_paid(
    rulebook: str, validate_all: bool
) -> None:
    link = opened(rulebook, validate_all=validate_all)
    link = after(link, bets(1, 2, stake=STAKE[rulebook] * 100))
    hand = next(iter(link.members["one"].terms.lines))
    for nobody in ("", "  "):
        refusal = refused(link, wins(2, hand, validated_by=nobody))
        assert (refusal.code, refusal.clause) == ("not_validated", VALIDATION[rulebook])
    event = happens(link, wins(2, hand, validated_by="Flo Reed"))
    assert isinstance(event, Awarded)
    assert event.validated_by == "Flo Reed"
    assert event.clause in {line.clause for line in link.members["one"].terms.lines.values()}


def test_massachusetts_leaves_validation_to_the_operator() -> None:
    for validate_all in (True, False):
        link = after(opened("ma-uth", "PTMGL01", validate_all=validate_all), bets(1, 2))
        award = wins(2, "royal_flush", validated_by="")
        if validate_all:
            refusal = refused(link, award)
            assert (refusal.code, refusal.clause) == ("not_validated", None)
        else:
            assert isinstance(happens(link, award), Awarded)


@pytest.mark.clause("md-uth", "12.D(4)")
@pytest.mark.clause("ma-uth", "13(c)")
@pytest.mark.clause("md-jackpot", "12.E(11)")
@pytest.mark.clause("md-wpt", "12.D'(4)", "12.D'(5)")
@pytest.mark.clause("md-235", "12.G")
@pytest.mark.parametrize(("rulebook", "paytable"), PAYTABLES)
def test_every_line_is_paid_from_the_meter_as_it_stands_at_the_turn(
    rulebook: str, paytable: str
) -> None:
    stake = STAKE[rulebook] * 100
    link = after(opened(rulebook, paytable, rate="0.333333"), bets(1, 1, 2, 3, stake=stake))
    for hand, line in link.members["one"].terms.lines.items():
        before = link.meters[line.meter]
        first, then = paid(link, wins(3, hand))
        assert first == before.shown_cents * line.percent // 100
        left = before.terms.reset_cents if line.percent == 100 else before.shown_cents - first
        assert then.meters[line.meter].shown_cents == left
        second, last = paid(then, wins(2, hand))
        assert second == left * line.percent // 100
        # What players gave below a cent is on the meter still.
        assert last.meters[line.meter].reading % 10**6 == before.reading % 10**6


@pytest.mark.clause("md-uth", "12.D(4)")
def test_12_D_4_seats_are_paid_counterclockwise() -> None:
    link = after(opened(), bets(1, 2, 5), wins(2, "straight_flush"))
    refusal = refused(link, wins(5, "royal_flush"))
    assert (refusal.code, refusal.clause) == ("out_of_turn", "12.D(4)")


@pytest.mark.clause("md-uth", "12.D(2)")
@pytest.mark.clause("md-wpt", "12.D'(2)")
@pytest.mark.parametrize(("rulebook", "clause"), [("md-uth", "12.D(2)"), ("md-wpt", "12.D'(2)")])
def test_one_wager_is_paid_once(rulebook: str, clause: str) -> None:
    link = after(opened(rulebook), bets(1, 2, stake=STAKE[rulebook] * 100))
    lines = list(link.members["one"].terms.lines)
    link = after(link, wins(2, lines[0]))
    for again in lines:
        refusal = refused(link, wins(2, again))
        assert (refusal.code, refusal.clause) == ("already_awarded", clause)


@pytest.mark.clause("ma-uth", "13(a)")
def test_13_a_the_wager_is_five_dollars() -> None:
    link = opened("ma-uth", "PTMGL01")
    for stake in (100, 499, 501, 0, -500):
        refusal = refused(link, bets(1, 1, stake=stake))
        assert (refusal.code, refusal.clause) == ("bad_stake", "13(a)")


@pytest.mark.clause("md-jackpot", "12.E(10)(a)")
def test_12_E_10_a_unused_club_meter_does_not_exist() -> None:
    link = opened("md-jackpot", "A")
    assert set(link.meters) == {"star", "spade", "heart", "diamond"}
    rules, _ = papers("md-jackpot", "E")
    assert set(rules.resets) == {"star", "spade", "heart", "diamond", "club"}
