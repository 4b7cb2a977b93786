"""Tables driven from Python: people act, software deals, refusals name their clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import croupier
from croupier.rounds.commands import OpenBetting, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.tables.commands import BuyIn, Fill, TakeSeat
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES

BETS: dict[str, Any] = {"ante": 10, "blind": 10, "trips": "5"}


def opened(seed: int = 92, **terms: Any) -> croupier.Table:
    table = croupier.Table.open("md-uth", seed=seed, **terms)
    table.sit("ann", buy_in=500)
    return table


def test_a_round_by_hand() -> None:
    table = opened()
    table.bet("ann", ante=10, blind=10, trips="5")
    assert (table.phase, table.to_act) == ("betting", None)
    table.deal()
    assert (table.to_act, table.decision and table.decision.name) == ("ann", "preflop")
    said = [one.action for one in table.legal_actions("ann") if one.do == "say"]
    assert said == ["4x", "3x", "check"]
    table.act("ann", "check")
    assert table.decision is not None
    assert table.decision.name == "flop"
    table.act("ann", "2x")
    assert table.phase == "over"
    settled = table.settlement
    assert settled is not None
    assert settled.seat(1)["play"].explanation == (
        "King-queen-jack-eight high beat the dealer's king-queen-jack-seven high: 1 to 1, +$20."
    )
    assert settled.seat(1).best
    assert table.chips("ann") == 500 + settled.seat(1).net
    assert "the bets are open" in table.story()[0]
    assert any("Trips $5 loses $5 [11.I(1)]" in line for line in table.story())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_table_settles_as_settle_does(rulebook: str) -> None:
    """Round by round: the same hands, lines, clauses and sentences, whoever asks."""
    table = croupier.Table.open(rulebook, seed=5)
    for name in ("ann", "bob", "cyd"):
        table.sit(name)
    meters = table.meters
    for _ in range(60):
        settled = table.play("random")
        state = table.state
        same = croupier.settle(
            rulebook=table.rulebook,
            seats=[
                {
                    "seat": seat.number,
                    "player": seat.player,
                    "cards": seat.cards,
                    "wagers": {name: f"{c // 100}.{c % 100:02}" for name, c in seat.wagers.items()},
                    "actions": list(seat.actions),
                }
                for seat in state.round.seats
            ],
            dealer=state.round.dealer or None,
            community=state.round.community,
            bonus_cards=state.round.box or None,
        )
        assert settled.seats == same.seats
        assert settled.dealer == same.dealer
        assert settled._repr_html_()
    assert meters.keys() == table.meters.keys()


def test_the_same_seed_deals_the_same_cards() -> None:
    told = [opened(seed=seed).play("first", BETS).to_json() for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]
    assert croupier.Table.open("md-uth").seats == {}


def test_refusals_name_code_and_clause_and_change_nothing() -> None:
    table = opened()
    table.sit("bob", 3, buy_in=100)
    with pytest.raises(croupier.CroupierError) as caught:
        table.sit("cyd", 3)
    assert caught.value.code == "seat_taken"
    table.bet("ann", BETS)
    table.bet("bob", ante=10, blind=10)
    table.deal()
    before = table.state
    for player, action, code in (("bob", "check", "out_of_turn"), ("ann", "9x", "rule_broken")):
        with pytest.raises(croupier.CroupierError) as caught:
            table.act(player, action)
        assert (caught.value.code, caught.value.clause) == (code, "11.B(1)")
        assert table.state == before
    with pytest.raises(croupier.Refusal, match="has no seat"):
        table.bet("eve", ante=10)
    with pytest.raises(croupier.BadAmount, match="float"):
        table.bet("ann", ante=7.5)  # type: ignore[arg-type]
    with pytest.raises(croupier.BadAmount):
        opened().buy_in("ann", 0.5)  # type: ignore[arg-type]


def test_an_unequal_bet_is_refused_when_bets_close() -> None:
    table = opened()
    table.bet("ann", ante=10, blind=5)
    with pytest.raises(croupier.CroupierError) as caught:
        table.deal()
    assert caught.value.clause
    assert table.phase == "betting"


def test_a_view_shows_what_the_person_may_see() -> None:
    table = opened()
    table.sit("bob", 3, buy_in=100)
    table.bet("ann", BETS)
    table.bet("bob", ante=10, blind=10)
    table.deal()
    own, other = table.view("ann").seat(1).cards, table.view("bob").seat(1).cards
    assert None not in own
    assert set(other) == {None}
    assert set(table.view().seat(1).cards) == {None}
    assert table.view(role="surveillance").seat(1).cards == own
    told = table.view("bob").to_dict()
    assert told["seats"][0]["cards"] == [None, None]
    assert (told["asked"], told["decision"], told["phase"]) == ("ann", "preflop", "deciding")
    for card in own:
        assert str(card)[0].replace("T", "10") in table.view("ann")._repr_html_()
    assert "face down" in table._repr_html_()
    assert not [line for line in table.story() if any(str(card) in line for card in own)]
    assert table.view("bob").seat(3).wagers == {"ante": 10, "blind": 10}
    assert not table.view(role="dealer").deck
    with pytest.raises(KeyError):
        table.view().seat(2)
    with pytest.raises(croupier.UnknownName):
        table.view(role="owner")  # type: ignore[arg-type]


def test_values_are_those_of_advice_on_what_the_player_sees() -> None:
    table = opened()
    table.bet("ann", BETS)
    with pytest.raises(croupier.Refusal, match="nobody is asked"):
        table.action_values()
    table.deal()
    table.act("ann", "check")
    seen = table.view("ann")
    cards = [card for card in seen.seat(1).cards if card is not None]
    community = [card for card in seen.community if card is not None]
    assert table.action_values() == croupier.advise("md-uth", cards, community)


def test_a_game_without_a_dealers_hand_is_valued_with_the_cards_that_lie_open() -> None:
    table = croupier.Table.open("md-235", seed=4)
    table.sit("ann", buy_in=500)
    table.sit("bob", buy_in=500)
    bets = {"two_card_poker": 5, "three_card_poker": 5, "five_card_poker": 5}
    for name in ("ann", "bob"):
        table.bet(name, bets)
    table.deal()
    while table.to_act is not None:
        values = table.action_values()
        assert list(values.values) == ["raise", "check"]
        table.act(table.to_act, values.best)
    assert table.phase == "over"


def test_software_plays_a_round_on_from_anywhere() -> None:
    table = opened()
    table.bet("ann", ante=25, blind=25)
    assert table.play("first").seat(1)["ante"].stake == 25
    table.bet("ann", BETS)
    table.deal()
    table.act("ann", "check")
    assert table.play("random").seat(1)["trips"].stake == 5
    assert table.round_number == 2
    assert table.play("first").seat(1).player == "ann"
    empty = croupier.Table.open("md-uth")
    with pytest.raises(croupier.Refusal, match="software cannot do"):
        empty.play("first")


def test_every_command_can_be_given_by_name() -> None:
    table = opened()
    table.bet("ann", BETS)
    told = table.do("void_round", reason="fire alarm", by="floorperson:flo")
    assert any("fire alarm" in line for line in told)
    assert table.chips("ann") == 500
    with pytest.raises(croupier.Refusal) as caught:
        table.do("void_round", reason="no", by="dealer:dan")
    assert caught.value.code == "wrong_role"
    for command, by in (("void_rounds", "dealer"), ("deal", "king:arthur")):
        with pytest.raises(croupier.UnknownName):
            table.do(command, by=by)
    with pytest.raises(croupier.BadRequest):
        table.do("tip", by="player:ann", amount=object())


def test_a_live_dealer_enters_the_cards() -> None:
    table = opened(cards="live", care=False)
    table.bet("ann", ante=10, blind=10)
    table.deal()
    assert table.to_act == "ann"
    table.do("enter_cards", place="player", seat=1, cards="As Ah")
    table.act("ann", "4x")
    table.do("enter_cards", place="community", cards=croupier.parse_cards("Kd 7h 2c"))
    table.deal()
    table.do("enter_cards", place="community", cards="2d 9s")
    table.deal()
    table.do("enter_cards", place="dealer", cards="Qs Qh")
    table.deal()
    assert table.phase == "over"
    settled = table.settlement
    assert settled is not None
    assert settled.seat(1).net == 50


def test_people_come_and_go() -> None:
    table = opened()
    table.buy_in("ann", "12.50")
    table.cash_out("ann", 100)
    assert table.chips("ann") == croupier.Money("412.50")
    table.leave("ann")
    table.cash_out("ann")
    assert not table.seats
    assert table.chips("ann") == 0
    for number in range(6):
        table.sit(f"player {number}")
    with pytest.raises(croupier.Refusal, match="every seat is taken"):
        table.sit("late")


def test_the_story_is_that_of_the_round(tmp_path: Path) -> None:
    """Whoever comes between two rounds is in neither; in memory as in a journal."""
    with croupier.open_journal(tmp_path / "journal.db") as journal:
        for table in (opened(), croupier.Table.open("md-uth", journal=journal)):
            if not table.seats:
                assert table.story() == ()
                table.sit("ann", buy_in=500)
            table.play("first", BETS)
            story = table.story()
            table.sit("bob", buy_in=100)
            assert table.story() == story
            assert story[0] == "round 1: the bets are open, the deck sealed"
            assert story[-1].startswith("the cards are collected")
            table.bet("bob", ante=10, blind=10)
            assert len(table.story()) == 2


def test_a_table_by_ones_own_rulebook_and_submission() -> None:
    own = croupier.Table.open(EXAMPLES / "harbour-holdem.toml", seed=1)
    own.sit("ann")
    assert own.play("first").rulebook == own.rulebook.id == "harbour-holdem"
    by_submission = croupier.Table.open("md-uth", EXAMPLES / "submissions" / "maryland-uth.toml")
    assert by_submission.rulebook.paytables == by_submission.rules.chosen


def test_a_table_in_a_journal_goes_on_where_it_stood(tmp_path: Path) -> None:
    where = tmp_path / "evening.db"
    with croupier.open_journal(where) as journal:
        table = journal.open_table("md-uth", name="T1", seed=92)
        table.sit("ann", buy_in=500)
        table.bet("ann", BETS)
        table.deal()
        asked = table.to_act
        face_down = journal.replay("T1", 1)
        assert not face_down.is_over
        assert face_down.settlement is None
        assert "13 cards are dealt face down" in str(face_down)
    memory = opened()
    memory.bet("ann", BETS)
    memory.deal()
    with croupier.open_journal(where) as journal:
        table = journal.table("T1")
        assert table.to_act == asked == "ann"
        assert table.rulebook.id == "md-uth"
        for one in (table, memory):
            one.act("ann", "check")
            one.act("ann", "2x")
        assert table.settlement == memory.settlement
        assert table.story() == memory.story()
        with pytest.raises(croupier.Refusal, match="open already"):
            journal.open_table("md-uth", name="T1")


@pytest.mark.parametrize("in_journal", [False, True])
def test_what_the_journal_could_not_read_again_is_refused(
    tmp_path: Path, *, in_journal: bool
) -> None:
    """Python checks no types: a seat 1.5 or half a cent would be written and never read again."""
    with croupier.open_journal(tmp_path / "journal.db") as journal:
        terms: dict[str, Any] = {"journal": journal} if in_journal else {}
        table = opened(**terms)
        before = table.state
        buy, fill = BuyIn("ann", 5), Fill(100, "slip")
        for command, by in (
            (TakeSeat("bob", 1.5), "player:bob"),  # type: ignore[arg-type]
            (TakeSeat(5, 2), "player:bob"),  # type: ignore[arg-type]
            (replace(buy, amount=1.5), "player:ann"),
            (replace(buy, amount=100.0), "player:ann"),
            (replace(buy, amount=True), "player:ann"),
            (replace(buy, amount="5"), "player:ann"),
            (replace(fill, slip=7), "floorperson:flo"),
            (replace(fill, slip="x" * 301), "floorperson:flo"),
            (PlaceWagers(1, "ann", {"ante": 1000.0}), "player:ann"),  # type: ignore[dict-item]
            (OpenBetting(7, "virtual"), "dealer:dan"),
            (OpenBetting(), "dealer:d:n"),
            (OpenBetting(), "dealer:d\nn"),
            (OpenBetting(), Actor("dealer", "x" * 61)),
            (OpenBetting(), Actor("dealer", 5)),  # type: ignore[arg-type]
            (OpenBetting(), Actor("boss", "b")),  # type: ignore[arg-type]
            (OpenBetting(), 5),
            (5, "dealer:dan"),
        ):
            with pytest.raises(croupier.CroupierError):
                table.do(command, by=by)  # type: ignore[arg-type]
        wrong: Any
        for wrong in ({"cards": "paper"}, {"care": "maybe"}, {"name": 5}, {"link": "a b"}):
            with pytest.raises(croupier.CroupierError):
                croupier.Table.open("md-uth", **({"name": "other"} | terms | wrong))
        assert table.state == before
        if in_journal:
            assert journal.verify().valid


def test_a_story_never_tells_a_round_that_opened_meanwhile(tmp_path: Path) -> None:
    with croupier.open_journal(tmp_path / "journal.db") as journal:
        table = opened(journal=journal)
        table.bet("ann", BETS)
        table.do("void_round", reason="a test", by="floorperson:flo")
        rival = croupier.Table.resumed(journal, table.name)
        states = iter([table.state])

        class Slow(croupier.Table):
            """Somebody deals the next round after the first look at the table."""

            @property
            def state(self) -> Any:
                for first in states:
                    rival.bet("ann", BETS)
                    rival.deal()
                    return first
                return super().state

        told = Slow(table.session).story()
        assert any("void" in line for line in told)
        assert not any("dealt" in line for line in told)


def test_what_was_said_before_counts_for_the_value() -> None:
    """A fold loses all that lies there, so the value hangs on the answers given."""
    table = croupier.Table.open("mississippi-stud", seed=4)
    table.sit("ann", buy_in=500)
    table.bet("ann", ante=10)
    table.deal()
    table.act("ann", "3x")
    seen = table.view("ann")
    cards = [card for card in seen.seat(1).cards if card is not None]
    community = [card for card in seen.community if card is not None]
    values = table.action_values()
    assert values.values["fold"] == -4
    wanted = croupier.advise("mississippi-stud", cards, community, said=["3x"])
    assert values == wanted


def test_a_bet_taken_back_is_valued_at_the_table() -> None:
    table = croupier.Table.open("let-it-ride", seed=4)
    table.sit("ann", buy_in=500)
    table.bet("ann", bet_1=10, bet_2=10, bet_3=10)
    table.deal()
    first = table.action_values()
    assert set(first.values) == {"take_back", "ride"}
    table.act("ann", "take_back")
    assert set(table.action_values().values) == {"take_back", "ride"}
