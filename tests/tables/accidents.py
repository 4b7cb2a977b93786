"""Accidents as the documents foresee them, put to a live table: one function for each rule that
several documents share. The tests in tests/rules name the document and its clause.
"""

from __future__ import annotations

from typing import Any

from croupier.cards import Card, parse_cards
from croupier.errors import CroupierError
from croupier.rounds.card_entry import missing_cards
from croupier.rounds.commands import CloseBets, Collect, EnterCards, Report, Settle
from croupier.rounds.declaration import Actor
from croupier.rounds.events import (
    CardsCollected,
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.irregularities import possible_irregularities
from tests.tables.live import live_command
from tests.tables.seated import DEALER, FLOOR, SOME_DECK, Sitting


class Live(Sitting):
    """A table with real cards: they fall from a deck, unless a test enters them before."""

    def __init__(self, rulebook: str, *seats: int, dealing: str = "", **told: Any) -> None:
        if dealing:
            options = {"dealing": dealing, "shuffler": True}
            told["options"] = options | told.get("options", {})
        super().__init__(rulebook, *seats, source="live", **told)

    def go(self) -> None:
        tags = {"revealing": "reveal", "showdown": "show_dealer"}
        while self.round.phase in tags:
            self.do(live_command(tags[self.round.phase], self.round, self.rules, SOME_DECK))

    def settle(self, *, validate: bool = True) -> list[int]:
        while missing_cards(self.round, self.rules):
            self.do(live_command("enter_cards", self.round, self.rules, SOME_DECK))
        return super().settle(validate=validate)

    def enter(self, seat: int, cards: str) -> None:
        self.do(EnterCards("player", parse_cards(cards), seat))

    def happens(self, kind: str, cards: str = "", seat: int = 0, by: Actor = DEALER) -> Any:
        return self.do(Report(kind, parse_cards(cards), seat), by)

    def cannot(
        self, kind: str, cards: str = "", seat: int = 0, by: Actor = DEALER
    ) -> CroupierError:
        return self.refused(Report(kind, parse_cards(cards), seat), by)

    def can_happen(self, kind: str) -> bool:
        return kind in possible_irregularities(self.round, self.rules)

    def results(self, seat: int) -> dict[str, str]:
        return {line.wager: line.result for line in self.seat(seat).lines}


def betting(rulebook: str, *seats: int, dealing: str = "", **told: Any) -> Live:
    """Every optional wager of the table is down at the first seat, the required ones at all."""
    table = Live(rulebook, *(seats or (1, 3)), dealing=dealing, **told)
    table.open()
    for seat in seats or (1, 3):
        sides = {}
        if seat == (seats or (1,))[0]:
            way = table.rules.options.get("dealing")
            for name in table.rules.offered:
                by = table.rules.book.wagers[name].dealt_by
                if not by or way in by:
                    sides[name] = table.rules.stakes.get(name, (500,))[0] // 100
        table.do(table.bets(seat, "", **sides))
    return table


def dealt(rulebook: str, *seats: int, dealing: str = "", **told: Any) -> Live:
    table = betting(rulebook, *seats, dealing=dealing, **told)
    table.deal()
    return table


def at_the_last_question(rulebook: str, *seats: int, **told: Any) -> Live:
    table = dealt(rulebook, *seats, **told)
    table.go()
    last = table.rules.book.decisions[-1].name
    while table.asked() != last:
        table.everyone("check")
    return table


START = 10_000 * 100


def all_is_back(table: Live, clause: str, deck: str = "reshuffled") -> None:
    """Every wager returned, nothing on the layout, the meters as before; and by which clause."""
    noted, voided = table.events[-2:]
    assert isinstance(noted, IrregularityNoted)
    assert isinstance(voided, RoundVoided)
    assert (noted.clause, noted.deck, voided.clause) == (clause, deck, clause)
    assert table.round.phase == "over"
    assert table.round.void
    for seat in table.round.seats:
        assert table.rack(seat.number) == START
    assert not any(name.startswith("layout") for name in table.table.money)
    if table.running.link is not None:
        assert table.link.shown() == table.rules.resets
        assert table.link.members["one"].round is None


def one_card_is_set_aside(rulebook: str, dealing: str, clause: str) -> None:
    """It is out of the round, the next one takes its place, and the round is played to its end."""
    table = betting(rulebook, dealing=dealing)
    table.do(CloseBets())
    told = table.happens("one_card_face_up", "7h")
    assert [type(event) for event in told] == [IrregularityNoted]
    assert (told[0].clause, told[0].set_aside) == (clause, True)
    assert table.round.set_aside == (Card.parse("7h"),)
    assert table.refused(CloseBets()).code == "not_now"
    _deal_on(table)
    assert table.refused(EnterCards("player", _hand(table, "7h"), 1)).code == "bad_cards"
    assert table.cannot("one_card_face_up", "8h").clause == clause
    table.play_out()
    assert not table.round.void
    collected = table.events[-1]
    assert isinstance(collected, CardsCollected)
    assert Card.parse("7h") in collected.pile


def _deal_on(table: Live) -> None:
    from croupier.rounds.commands import CountChips, Deal

    if not table.round.counted:
        table.do(CountChips(sum("progressive" in seat.wagers for seat in table.round.seats)))
    table.do(Deal())


def _hand(table: Live, card: str) -> tuple[Card, ...]:
    others = parse_cards("2c 3d 4s")
    return (Card.parse(card), *others)[: table.rules.book.cards.player]


def a_stack_with_a_face_up_card_is_void(rulebook: str, clause: str) -> None:
    table = dealt(rulebook, dealing="automated_shoe")
    if rulebook != "md-wpt":  # there it means the board, which is dealt by hand (B26)
        assert table.cannot("one_card_face_up", "7h").code == "not_now"
    told = table.happens("face_up_card_in_stack", "7h")
    assert told[0].set_aside
    assert table.round.set_aside == (Card.parse("7h"),), "everybody has seen it"
    all_is_back(table, clause)


def several_before_the_deal_are_void(rulebook: str, dealing: str, clause: str) -> None:
    table = betting(rulebook, dealing=dealing)
    table.do(CloseBets())
    assert table.cannot("several_cards_face_up", "7h").code == "bad_cards"
    twice = Report("several_cards_face_up", (Card.parse("7h"),) * 2)
    assert table.refused(twice).code == "bad_cards"
    told = table.happens("several_cards_face_up", "7h 8h")
    assert told[0].set_aside
    all_is_back(table, clause)


def several_only_until_somebody_acts(rulebook: str, dealing: str, clause: str) -> None:
    """What the deal brought to light may be told right after it, before anybody has acted on his
    cards. Later it is another accident, by another clause, or none."""
    table = dealt(rulebook, dealing=dealing)
    assert table.can_happen("several_cards_face_up")
    if table.round.phase == "revealing":  # the first shared card comes before the first answer
        table.go()
        assert not table.can_happen("several_cards_face_up")
    table.go()
    table.say(table.round.turn, table.rules.book.decisions[0].otherwise)
    assert not table.can_happen("several_cards_face_up")
    refused = table.cannot("several_cards_face_up", "7h 8h")
    assert (refused.code, refused.clause) == ("not_now", clause)
    table.everyone(table.rules.book.decisions[0].otherwise)
    assert table.cannot("several_cards_face_up", "7h 8h").code == "not_now"


def a_second_card_is_more_than_one(rulebook: str, dealing: str, clause: str) -> None:
    table = betting(rulebook, dealing=dealing)
    table.do(CloseBets())
    table.happens("one_card_face_up", "7h")
    assert table.cannot("several_cards_face_up", "7h").code == "bad_cards"
    table.happens("several_cards_face_up", "8h")
    all_is_back(table, clause)


def hands_are_void_but(
    table: Live, told: Any, clause: str, saves: set[str], saves_clause: str
) -> None:
    """Nobody is asked any more; the board is completed and only these wagers are settled."""
    noted, voided = told
    assert isinstance(noted, IrregularityNoted)
    assert isinstance(voided, HandsVoided)
    assert (voided.clause, set(voided.saves), voided.saves_clause) == (clause, saves, saves_clause)
    assert noted.deck == "reshuffled"
    assert table.link.shown() == table.rules.resets, "contributions are taken back at once"
    table.go()
    assert table.round.phase == "settling"
    assert table.round.exposed == table.rules.book.cards.community
    assert not table.round.dealer_shown
    table.settle()
    for seat in table.round.seats:
        for line in seat.lines:
            if line.wager in saves:
                assert line.result in ("win", "lose")
            else:
                assert (line.result, line.net, line.clause) == ("void", 0, clause)
    first = table.round.seats[0]
    settled = sum(line.net for line in first.lines if line.wager in saves)
    assert table.rack(first.number) == START + settled
    assert table.rack(table.round.seats[-1].number) == START
    table.do(Collect())
    assert not any(name.startswith("layout") for name in table.table.money)


def several_after_the_deal_save(
    rulebook: str, clause: str, saves: set[str], hand: str, dealing: str = "manual_shoe"
) -> None:
    """`hand` wins at least one of the saved wagers."""
    table = dealt(rulebook, dealing=dealing)
    told = table.happens("several_cards_face_up_after_deal", "7h 8h")
    table.enter(1, hand)
    assert table.refused(EnterCards("community", parse_cards("7h"))).code == "bad_cards"
    hands_are_void_but(table, told, clause, saves, clause)


def nothing_saved_means_void(rulebook: str, kind: str, clause: str, cards: str = "") -> None:
    """Nobody has made a wager that would still be settled: every wager goes back at once."""
    table = Live(rulebook, 1, 3, dealing="manual_shoe")
    table.open()
    table.bet(1)
    table.bet(3, progressive=table.rules.stakes.get("progressive", (100,))[0] // 100)
    table.deal()
    table.happens(kind, cards)
    all_is_back(table, clause)


def an_unseen_card_is_the_next(rulebook: str, dealing: str, clause: str) -> None:
    table = dealt(rulebook, dealing=dealing)
    told = table.happens("card_drawn_in_error")
    assert [(event.kind, event.clause, event.deck) for event in told] == [
        ("card_drawn_in_error", clause, "")
    ]
    assert table.cannot("card_drawn_in_error", "7h").code == "bad_cards"
    table.play_out()
    assert not table.round.void


def a_wrong_count_voids_all(rulebook: str, clause: str) -> None:
    for dealing in load_ways(rulebook):
        table = dealt(rulebook, dealing=dealing)
        told = table.happens("wrong_count", seat=3)
        assert told[0].seat == 3
        all_is_back(table, clause)
        table = at_the_last_question(rulebook, dealing=dealing)
        table.happens("wrong_count")
        all_is_back(table, clause)


def load_ways(rulebook: str) -> tuple[str, ...]:
    from croupier.rulebooks.loader import load_rulebook

    return tuple(load_rulebook(rulebook).default.dealing)


def too_late_when_settled(rulebook: str, kind: str, clause: str) -> None:
    """A void in the middle of the settlement is refused, and so it is at another's table."""
    table = at_the_last_question(rulebook, dealing="manual_shoe")
    table.everyone(table.rules.book.decisions[-1].otherwise)
    while missing_cards(table.round, table.rules):
        table.do(live_command("enter_cards", table.round, table.rules, SOME_DECK))
    table.do(Settle())
    refusal = table.cannot(kind)
    assert (refusal.code, refusal.clause) == ("not_now", clause)
    assert "correction" in refusal.message


def an_exposed_dealer_card_saves(
    rulebook: str, clause: str, saves_clause: str, saves: set[str], hand: str
) -> None:
    table = at_the_last_question(rulebook, dealing="manual_shoe")
    table.say(1, "fold")
    told = table.happens("dealer_card_exposed")
    table.enter(1, hand)
    hands_are_void_but(table, told, clause, saves, saves_clause)
    assert set(table.results(1)) >= {*saves, *table.rules.required}, "the fold is void too"


def an_exposed_dealer_card_is_harmless_when_all_have_decided(rulebook: str, clause: str) -> None:
    table = at_the_last_question(rulebook, dealing="manual_shoe")
    decision = table.rules.book.decisions[-1]
    table.say(1, next(iter(decision.bets)))
    assert table.can_happen("dealer_card_exposed")
    table.say(3, "fold")
    assert not table.can_happen("dealer_card_exposed")
    refusal = table.cannot("dealer_card_exposed")
    assert (refusal.code, refusal.clause) == ("not_now", clause)


def a_stub_is_counted_wrong(rulebook: str, dealing: str, misdealt: str, wrong: str) -> None:
    """After the last card has left the deck, and before anybody is paid."""
    for kind, clause, deck in (
        ("stub_misdealt", misdealt, "reshuffled"),
        ("stub_wrong", wrong, "removed"),
    ):
        table = betting(rulebook, dealing=dealing)
        table.do(CloseBets())
        assert table.cannot(kind).clause == clause
        _deal_on(table)
        table.go()
        while not table.can_happen(kind):
            table.everyone("check")
        table.happens(kind)
        all_is_back(table, clause, deck)


def a_stub_counted_late_leaves_the_round(rulebook: str, clause: str) -> None:
    table = dealt(rulebook, dealing="manual_shoe")
    table.play_out()
    racks = [table.rack(1), table.rack(3)]
    told = table.happens("stub_wrong")
    assert [(event.clause, event.deck) for event in told] == [(clause, "removed")]
    assert [table.rack(1), table.rack(3)] == racks
    assert not table.round.void


def a_jam_before_the_deal_returns_the_bets(rulebook: str, clause: str) -> None:
    for closed in (False, True):
        table = betting(rulebook, dealing="hand")
        if closed:
            table.do(CloseBets())
        table.happens("shuffler_jam")
        all_is_back(table, clause)
    table = dealt(rulebook, dealing="hand")
    assert table.cannot("shuffler_jam").clause == clause


def a_jam_leaves_the_bets(rulebook: str, dealing: str, clause: str) -> None:
    table = betting(rulebook, dealing=dealing, options={"shuffler": True})
    told = table.happens("shuffler_jam")
    assert [(event.clause, event.deck) for event in told] == [(clause, "reshuffled")]
    assert table.round.phase == "betting"
    table.deal()
    table.play_out()
    assert not table.round.void
    bare = betting(rulebook, options={"dealing": "manual_shoe", "shuffler": False})
    assert bare.cannot("shuffler_jam").clause == clause


def a_jam_of_the_machine_that_holds_the_cards_voids(rulebook: str, clause: str) -> None:
    """The dealer's cards are still inside; by hand nothing of this round is in it any more."""
    last = {"deal_order": "dealer_last"}
    table = dealt(rulebook, dealing="automated_shoe", options=last)
    table.go()
    table.everyone("check")
    table.happens("shuffler_jam_in_round")
    all_is_back(table, clause)
    table = dealt(rulebook, dealing="hand")
    assert table.cannot("shuffler_jam_in_round").clause == clause


def the_other_deck_jams(rulebook: str, dealing: str, clause: str) -> None:
    table = dealt(rulebook, dealing=dealing, options={"decks": 2})
    told = table.happens("other_deck_jam")
    assert [(event.clause, event.deck) for event in told] == [(clause, "other_reshuffled")]
    table.play_out()
    assert not table.round.void
    single = dealt(rulebook, dealing=dealing)
    assert single.cannot("other_deck_jam").code == "not_now"


def a_shoe_jam_voids(rulebook: str, clause: str) -> None:
    table = dealt(rulebook, dealing="automated_shoe")
    table.happens("shoe_jam")
    all_is_back(table, clause)
    table = dealt(rulebook, dealing="manual_shoe")
    assert table.cannot("shoe_jam").clause == clause


def a_virtual_deck_has_no_accidents(rulebook: str) -> None:
    table = Sitting(rulebook, 1)
    table.open()
    table.bet(1)
    table.deal()
    assert possible_irregularities(table.round, table.rules) == {}
    for kind, accident in table.rules.book.irregularities.items():
        refusal = table.refused(Report(kind, (), 1))
        assert (refusal.code, "virtual deck" in refusal.message) == ("not_now", True) or (
            refusal.code == "wrong_role" and accident.needs_floor
        )


def players_report_nothing(rulebook: str, kind: str, clause: str) -> None:
    table = dealt(rulebook, dealing="manual_shoe")
    refusal = table.refused(Report(kind), Actor("player", "ann"))
    assert (refusal.code, refusal.clause) == ("wrong_role", clause)
    assert table.refused(Report("an_earthquake")).code == "unknown_name"


__all__ = ["FLOOR", "HandVoided", "Live", "WagersVoided", "at_the_last_question", "dealt"]
