"""Folded hands at a live table: what the document has mucked at once is never entered."""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.rounds.card_entry import missing_cards, next_to_settle
from croupier.rounds.commands import (
    Collect,
    EnterCards,
    LeaveRound,
    RevealCards,
    RuleAbandoned,
    Settle,
    ShowDealer,
)
from croupier.rounds.deciding import decide
from croupier.rounds.events import SeatSettled
from croupier.rounds.round_flow import Show, flow_of
from croupier.runtime.dealer import dealer_command
from croupier.tables.payouts import taken_at_fold
from croupier.tables.step_duties import shown_now
from croupier.tables.work import work
from tests.tables.accidents import Live
from tests.tables.live import live_command
from tests.tables.seated import FLOOR, SOME_DECK

FOLD = {
    "md-uth": ("check", "check", "fold"),
    "ma-uth": ("check", "check", "fold"),
    "md-jackpot": ("check", "check", "fold"),
    "md-wpt": ("check", "check", "fold"),
}
KEPT = [
    # MD-09: Trips and a Six Card Bonus; MD-10: the others are not collected with the fold.
    ("md-uth", "trips", {}),
    ("md-uth", "progressive", {}),
    ("md-uth", "ultimate_pairs", {}),
    ("md-uth", "six_card_bonus", {"trips": 5}),
    ("ma-uth", "trips", {}),
    ("ma-uth", "progressive", {}),
    # A14: either of the two keeps the cards.
    ("md-jackpot", "player_bonus", {}),
    ("md-jackpot", "progressive", {}),
    # B18: any side wager does.
    ("md-wpt", "trips_plus", {}),
    ("md-wpt", "pocket_bonus", {}),
    ("md-wpt", "progressive", {}),
]


def _folded(book: str, **sides: int) -> Live:
    """Seat 1 folds, seat 3 does not; the dealer's cards are shown."""
    way = "automated_shoe" if {"six_card_bonus", "cover_all"} & sides.keys() else "manual_shoe"
    table = Live(book, 1, 3, dealing=way)
    table.open()
    stakes = {
        name: table.rules.stakes.get(name, (cents * 100,))[0] for name, cents in sides.items()
    }
    table.do(table.bets(1, "", **{name: cents // 100 for name, cents in stakes.items()}))
    table.do(table.bets(3, ""))
    table.deal()
    table.go()
    for said in FOLD[book]:
        table.say(1, said)
        if said == "check":
            if table.round.turn == 3:
                table.say(3, "check")
        elif table.round.turn == 3:
            table.say(3, "1x")
        table.go()
    return table


def _enter_all(table: Live) -> list[int]:
    entered = []
    while missing_cards(table.round, table.rules):
        command = live_command("enter_cards", table.round, table.rules, SOME_DECK)
        if isinstance(command, EnterCards) and command.place == "player":
            entered.append(command.seat)
        table.do(command)
    return entered


@pytest.mark.parametrize("book", FOLD)
def test_a_folded_hand_without_a_live_wager_is_never_entered(book: str) -> None:
    table = _folded(book)
    assert missing_cards(table.round, table.rules) == ["seat 3"]
    assert _enter_all(table) == [3]
    assert isinstance(dealer_command(table.table, table.rules, every_seat=True), Settle)
    table.do(Settle(every=True))
    seat = table.seat(1)
    assert seat.hand == ""
    assert seat.holds == {}
    assert {line.result for line in seat.lines} == {"lose"}
    assert {line.reason.code for line in seat.lines} == {"folded"}
    table.do(Collect())


@pytest.mark.parametrize(("book", "side", "more"), KEPT)
def test_a_folded_hand_that_a_wager_looks_at_is_entered(
    book: str, side: str, more: dict[str, int]
) -> None:
    table = _folded(book, **more, **{side: 5})
    assert "seat 1" in missing_cards(table.round, table.rules)
    refused = table.refused(Settle(every=True))
    assert refused.code == "cards_missing"
    assert 1 in _enter_all(table)
    table.do(Settle(every=True))
    assert side in table.results(1) or table.round.claim is not None


@pytest.mark.parametrize("book", FOLD)
def test_a_fold_loses_its_wagers_and_cards_at_once(book: str) -> None:
    """What is shown at the fold is what the settlement writes down: 11.F(2) of md-uth."""
    table = _folded(book)
    ((seat, cards_too),) = taken_at_fold(table.round, table.rules)
    assert (seat.number, cards_too) == (1, True)
    _enter_all(table)
    assert next_to_settle(table.round, table.rules) == (3, 1), "the mucked hand goes along"
    table.do(Settle(seat=1))
    assert {line.wager: (line.net, line.clause) for line in seat.lines} == {
        line.wager: (line.net, line.clause) for line in table.seat(1).lines
    }
    assert not list(taken_at_fold(table.round, table.rules))


@pytest.mark.parametrize(("book", "side", "more"), KEPT)
def test_a_fold_leaves_the_wagers_that_look_at_its_cards(
    book: str, side: str, more: dict[str, int]
) -> None:
    table = _folded(book, **more, **{side: 5})
    ((seat, cards_too),) = taken_at_fold(table.round, table.rules)
    assert not cards_too
    assert side not in {line.wager for line in seat.lines}


def test_12_e_a_live_cover_all_counts_every_hand_dealt() -> None:
    """MA-25: somebody else's Cover All keeps the cards of a player who folds."""
    table = _folded("ma-uth", cover_all=5)
    assert missing_cards(table.round, table.rules)[:2] == ["seat 1", "seat 3"]


def test_12_e_a_hand_that_a_cover_all_counts_is_kept_when_folded() -> None:
    table = Live("ma-uth", 1, 3, dealing="automated_shoe", offered=["cover_all"])
    table.open()
    table.do(table.bets(1, ""))
    table.do(table.bets(3, "", cover_all=5))
    table.deal()
    table.go()
    for _ in range(2):
        table.everyone("check")
    assert "Keep a folded hand" in work(table.table, table.rules, 0)[0].words


# -- the Envy Bonus -------------------------------------------------------------------------------

FLOP = "2c 3c 4c"


def _envied(
    book: str = "md-uth",
    board: str = f"{FLOP} 9h Jd",
    *,
    dealer: str = "Qd Qs",
    folder: str = "",
    options: dict[str, int] | None = None,
    bet: bool = False,
    **told: dict[str, str],
) -> Live:
    """Seat 1 folds, with or without a progressive bet; seat 2 has made it and stays in."""
    offered = ["progressive"]
    seats = (2,) if folder else (1, 2)
    table = Live(
        book, *seats, dealing="manual_shoe", options=options or {}, offered=offered, **told
    )
    table.open()
    chip = {"progressive": table.rules.stakes.get("progressive", (100,))[0] // 100}
    table.do(table.bets(1, folder, **(chip if bet else {})))
    table.do(table.bets(2, "", **chip))
    table.deal()
    up = list(parse_cards(board))
    while table.round.phase != "showdown":
        if table.round.phase == "deciding":
            says = FOLD[book][len(table.seat(table.round.turn).actions)]
            table.say(table.round.turn, "1x" if table.round.turn == 2 and says == "fold" else says)
            continue
        step = flow_of(table.rules).steps[table.round.step]
        assert isinstance(step, Show)
        table.do(RevealCards(tuple(up[: step.reveal.community])))
        del up[: step.reveal.community]
    table.do(ShowDealer(parse_cards(dealer)))
    return table


@pytest.mark.parametrize(
    ("board", "side", "is_kept"),
    [(f"{FLOP} 9h Jd", "progressive", True), ("2c 7d Jh 9h Jd", "progressive", False)],
)
def test_the_dealer_hears_of_it_before_the_hand_is_mucked(
    board: str, side: str, is_kept: bool
) -> None:
    """When the player is asked for the last time, not when the cards are gone."""
    table = Live("md-uth", 1, 2, dealing="manual_shoe", offered=[side])
    table.open()
    table.do(table.bets(1, ""))
    table.do(table.bets(2, "", **{side: table.rules.stakes[side][0] // 100}))
    table.deal()
    up = parse_cards(board)
    for cards in (up[:3], up[3:]):
        assert "Keep" not in work(table.table, table.rules, 0)[0].words, "nobody can fold yet"
        table.say(1, "check")
        table.say(2, "check")
        table.do(RevealCards(cards))
    (step,) = work(table.table, table.rules, 0)
    assert (step.step, step.seat) == ("ask", 1)
    assert ("Keep a folded hand" in step.words) == is_kept
    table.say(1, "fold")
    (step,) = work(table.table, table.rules, 0)
    assert (step.seat, "Keep" in step.words) == (2, False), "seat 2 has a bet of its own"
    table.say(2, "1x")
    duties = shown_now(table.table, table.rules, "dealer", 0)
    racks = [d.clause for d in duties if d.step == "fold" and d.unless]
    assert bool(racks) != is_kept, "no duty racks a hand that another player's bet keeps (MD-31)"


def test_that_a_hand_is_kept_tells_of_no_card_that_lies_face_down() -> None:
    """Of this flop only jack and ten of clubs make a royal flush, and a shoe has read the jack."""
    table = Live("md-uth", 1, 2, dealing="manual_shoe", offered=["progressive"])
    table.open()
    table.do(table.bets(1, ""))
    table.do(table.bets(2, "", progressive=1))
    table.deal()
    table.enter(2, "Jc 2d")
    for cards in (parse_cards("Ac Kc Qc"), parse_cards("9h Jd")):
        table.say(1, "check")
        table.say(2, "check")
        table.do(RevealCards(cards))
    assert "Keep a folded hand" in work(table.table, table.rules, 0)[0].words


def _asked(table: Live) -> list[str]:
    return missing_cards(table.round, table.rules)


@pytest.mark.clause("md-uth", "11.J(2)(e)(i)", "11.J(2)(e)(ii)")
def test_11_J_2_e_a_folded_hand_that_may_bring_an_envy_is_asked_for() -> None:
    """MD-31: without a bet of its own, too. It is settled as if the cards had been known."""
    table = _envied()
    assert _asked(table) == ["seat 1", "seat 2"]
    (first,) = [step for step in work(table.table, table.rules, 0) if step.seat == 1]
    assert (first.step, first.place, first.cards) == ("enter_cards", "player", 2)
    table.enter(2, "Ah Kd")
    assert dealer_command(table.table, table.rules, every_seat=True) is None
    refused = table.refused(Settle(every=True))
    assert (refused.code, refused.clause) == ("cards_missing", table.rules.book.cards.clause)
    assert "seat 1" in str(refused)
    table.enter(1, "5c 6c")
    table.do(Settle(every=True))
    envy = table.line(2, "envy")
    assert (envy.net, envy.reason.met) == (30_000, {1: "straight_flush"})
    assert table.line(1, "ante").reason.code == "folded"


@pytest.mark.clause("md-uth", "11.J(2)(e)(ii)")
def test_11_J_2_e_where_the_holder_must_have_bet_no_other_hand_is_asked_for() -> None:
    assert _asked(_envied(options={"envy_holder_must_bet": True})) == ["seat 2"]
    assert _asked(_envied(options={"envy_holder_must_bet": True}, bet=True)) == ["seat 1", "seat 2"]


@pytest.mark.parametrize(
    ("board", "dealer"),
    [
        ("2c 7d Jh 9h Jd", "Qd Qs"),  # no straight flush can be made of this flop
        ("Ac Kc Qc 9h Jd", "Jc Qs"),  # nor of this one: the dealer shows the jack
        ("Ac Kc Qc Tc Jd", "Qd Qs"),  # the ten lies on the board, not in the opening hand
    ],
)
def test_a_folded_hand_that_cannot_bring_an_envy_is_not_asked_for(board: str, dealer: str) -> None:
    table = _envied(board=board, dealer=dealer)
    assert _asked(table) == ["seat 2"]
    table.enter(2, "9d 3h")
    table.do(Settle(every=True))
    assert {line.wager for line in table.seat(2).lines} == {"ante", "blind", "play", "progressive"}


def test_a_card_entered_elsewhere_can_make_a_folded_hand_needless() -> None:
    table = _envied(board="Ac Kc Qc 9h Jd")
    assert _asked(table) == ["seat 1", "seat 2"]
    table.enter(2, "Tc 2h")
    assert _asked(table) == []


@pytest.mark.clause("md-uth", "11.J(2)(e)(iv)")
def test_11_J_2_e_iv_nobody_is_paid_on_their_own_second_box() -> None:
    table = _envied(folder="ben", options={"adjacent_boxes": 2})
    assert table.seat(1).player == table.seat(2).player == "ben"
    assert _asked(table) == ["seat 2"]


def test_nobody_who_lost_everything_waits_for_an_envy() -> None:
    """MD-37: the wagers of the only player who could receive it are ruled abandoned."""
    table = _envied()
    table.do(LeaveRound(2, "ben"))
    table.do(RuleAbandoned(2), FLOOR)
    assert _asked(table) == ["seat 2"]


def test_an_abandoned_hand_brings_nobody_an_envy_and_is_not_asked_for() -> None:
    table = _envied()
    table.do(LeaveRound(1, table.seat(1).player))
    table.do(RuleAbandoned(1), FLOOR)
    assert _asked(table) == ["seat 2"]


@pytest.mark.clause("md-wpt", "11.J(2)(e)(i)")
def test_11_J_2_e_i_a_folded_hand_without_a_bet_brings_no_envy_in_wpt() -> None:
    """B20: a folded hand counts for progressive bettors only, so its cards are gone."""
    royal = {"board": "Ac Kc Qc 9h Jd", "paytables": {"progressive": "J"}}
    assert _asked(_envied("md-wpt", **royal)) == ["seat 2"]  # type: ignore[arg-type]


def test_an_older_journal_is_replayed_without_the_hand() -> None:
    """`plan` refuses; `decide`, by which journals are replayed, takes what was recorded."""
    table = _envied()
    table.enter(2, "Ah Kd")
    table.refused(Settle(every=True))
    settled = decide(table.round, Settle(every=True), table.rules, {})
    assert [event.seat for event in settled if isinstance(event, SeatSettled)] == [2, 1]
