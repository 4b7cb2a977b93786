"""Random commands by all roles at a table with a progressive link: money, roles and replay.

At every step: money only moves from account to account, none is overdrawn, the layout holds what
was bet, a meter's account is what the meter shows; a refusal changes nothing; a replay of the
written events gives the same table, byte for byte; and nobody does what his role does not allow.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from croupier import progressives
from croupier.cards import DECK
from croupier.errors import CroupierError
from croupier.ledger.records.table_entries import LinkRecord, TableRecord, link_entry, table_entry
from croupier.progressives import Link
from croupier.rounds import commands as r
from croupier.rounds.actions import dealer_actions, legal_actions
from croupier.rounds.declaration import ROLES, Actor, from_json, to_json
from croupier.rounds.payment import DENIALS
from croupier.runtime.session import TableSession
from croupier.tables import commands as t
from croupier.tables.events import is_grave
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.planning import plan
from croupier.tables.state import Table
from tests.rounds.engine.walking import a_deck
from tests.tables.live import accident, live_command, unseen
from tests.tables.seated import BOOKS, DEALER, FLOOR, NAMES, OPERATOR, Game, every_way, open_link
from tests.tables.seated import opened as open_a_table

GAMES = {book: every_way(book) for book in BOOKS}
QUICK = settings(
    max_examples=12,
    stateful_step_count=40,
    phases=(Phase.explicit, Phase.generate),  # a failure is told at once; `full` makes it small
)
LONG = settings(max_examples=1000, stateful_step_count=70)

SEATS = st.integers(1, 6)
PEOPLE = st.sampled_from((*NAMES, "a stranger"))
CENTS = st.sampled_from([0, -5, 1, 100, 777, 1000, 50_000, 10**15, 10**16])
ACTORS = st.one_of(
    st.builds(Actor, st.just("player"), PEOPLE),
    st.sampled_from([DEALER, FLOOR, OPERATOR]),
)
CHIPS = st.dictionaries(st.sampled_from([100, 500, 2500, 0, -100]), st.integers(-1, 5), max_size=2)
ACCIDENTS = {name for games in GAMES.values() for name in games[0].rules.book.irregularities}
KINDS = st.sampled_from([*sorted(ACCIDENTS), "an earthquake"])
HELD = st.lists(st.sampled_from(DECK), max_size=3).map(tuple)
SLIPS = st.sampled_from(["", "  ", "F-17"])

ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.builds(t.TakeSeat, PEOPLE, st.integers(-1, 8)),
    st.builds(t.GiveUpSeat, PEOPLE, SEATS),
    st.builds(t.BuyIn, PEOPLE, CENTS),
    st.builds(t.CashOut, PEOPLE, st.one_of(st.none(), CENTS)),
    st.builds(t.ColorUp, PEOPLE, CHIPS, CHIPS),
    st.builds(t.Tip, PEOPLE, CENTS),
    st.builds(t.Fill, CENTS, SLIPS),
    st.builds(t.Credit, CENTS, SLIPS),
    st.builds(t.EmptyDrop, SLIPS),
    st.builds(r.LeaveRound, SEATS, PEOPLE),
    st.builds(r.RuleAbandoned, SEATS),
    st.builds(r.TakeBack, SEATS, PEOPLE, st.sampled_from([(), ("ante", "ante"), ("trips",)])),
    st.builds(r.CountChips, st.integers(0, 6)),
    st.builds(r.VoidRound, st.sampled_from(["", "a misdeal"])),
    st.builds(r.ValidateProgressive, SEATS),
    st.builds(r.RefuseProgressive, SEATS, st.just("no")),
    st.builds(r.OpenBetting, st.integers(0, 2), st.sampled_from(["live", "virtual"])),
    st.builds(r.Report, KINDS, HELD, st.integers(-1, 7)),
    st.builds(
        t.Correct,
        st.integers(-1, 4),
        st.integers(0, 7),
        PEOPLE,
        st.sampled_from(["ante", "trips", "2_card_poker", "envy", "nonsense"]),
        st.one_of(CENTS, CENTS.map(lambda cents: -cents)),
        st.sampled_from(["", "underpaid"]),
    ),
    st.sampled_from([r.CloseBets(), r.Deal(), r.Settle(), r.Collect(), t.CloseTable()]),
    st.just(t.CloseTable("the roof leaks")),
)

MAY: dict[str, set[str]] = {
    role: {tag for tag, kind in t.COMMANDS.items() if role in kind.declared.by} for role in ROLES
}


class TableMachine(RuleBasedStateMachine):
    games: list[Game]

    @initialize(data=st.data(), seed=st.integers(0, 10**6), rich=st.booleans(), live=st.booleans())
    def open_the_table(self, data: st.DataObject, seed: int, rich: bool, live: bool) -> None:
        game = data.draw(st.sampled_from(self.games))
        self.seed = seed
        self.law = game.rules
        self.table: Table = open_a_table(
            game, "live" if live else "virtual", 10**9 if rich else 5_000
        )
        self.replayed = self.table
        self.link: Link | None = open_link("one", self.law, game.submission)
        self.link_replayed = self.link
        self.accounts: Counter[str] = Counter()
        inventory = self.table.money["inventory"]
        self.accounts["table:one:inventory"], self.accounts["cage"] = inventory, -inventory
        if self.link is not None:
            for name, cents in self.link.shown().items():
                self.accounts[f"meter:pot:{name}"] += cents
                self.accounts["house"] -= cents
        for seat, money in ((1, 100_000), (2, 100_000), (4, 3_000), (6, 100_000)):
            self.must(t.TakeSeat(NAMES[seat - 1], seat), DEALER)
            self.must(t.BuyIn(NAMES[seat - 1], money), Actor("player", NAMES[seat - 1]))

    # -- one command ---------------------------------------------------------------------------

    def give(self, command: Any, actor: Actor) -> bool:
        before = to_json(self.table), self.link
        try:
            made = plan(self.table, self.link, command, actor)
        except CroupierError:
            assert (to_json(self.table), self.link) == before
            return False
        assert (to_json(self.table), self.link) == before, "plan changed what it was given"
        assert type(command).__struct_config__.tag in MAY[actor.role]
        assert actor.role != "player" or getattr(command, "player", actor.name) == actor.name
        if any(map(is_grave, made.events)) and self.table.round.seats:
            assert command.declared.foreseen, "what voids, forfeits or corrects is shown before"
        entry = table_entry(made)
        record: TableRecord = from_json(entry.body, TableRecord)
        assert record.command == command
        assert record.by == actor
        state = next_entry(self.replayed)
        for event, moves in zip(record.events, made.moves, strict=True):
            state, again = evolve(state, event)
            assert again == moves
        assert state is not None
        self.replayed = state
        self._post(entry.transfers)
        for change in made.link_changes:
            fed = link_entry(change)
            written: LinkRecord = from_json(fed.body, LinkRecord)
            assert written.command == change.command
            for happened in written.events:
                self.link_replayed = progressives.evolve(self.link_replayed, happened)
            self._post(fed.transfers)
        self.table, self.link = made.table, made.link
        assert to_json(self.replayed) == to_json(self.table)
        assert from_json(to_json(self.table), Table) == self.table
        assert self.link_replayed == self.link
        return True

    def must(self, command: Any, actor: Actor) -> None:
        assert self.give(command, actor), f"{command} by {actor} in {self.table.round.phase}"

    def _post(self, transfers: Any) -> None:
        for source, target, cents in (
            tuple(x) if isinstance(x, tuple) else (x.source, x.target, x.cents) for x in transfers
        ):
            assert cents > 0
            assert source != target
            self.accounts[source] -= cents
            self.accounts[target] += cents

    # -- what people do ------------------------------------------------------------------------

    def _is_in(self, *phases: str) -> bool:
        return self.table.round.phase in phases

    def _dealer(self, tag: str) -> Any:
        state = self.table.round
        self.seed += tag == "open_betting"
        if self.table.source == "live":
            told = live_command(tag, state, self.law, a_deck(self.seed))
            if told is not None:
                return told
        if tag == "open_betting":
            deck = a_deck(self.seed)
            return r.OpenBetting(state.number + 1, "virtual", "sealed", "salt", deck)
        if tag == "count_chips":
            return r.CountChips(sum("progressive" in seat.wagers for seat in state.seats))
        plain = {
            "close_bets": r.CloseBets(),
            "deal": r.Deal(),
            "reveal": r.RevealCards(),
            "show_dealer": r.ShowDealer(),
            "settle": r.Settle(every=self.seed % 2 == 0),
            "collect": r.Collect(),
        }
        return plain[tag]

    @rule()
    def dealer_goes_on(self) -> None:
        for tag in dealer_actions(self.table.round, self.law)[:1]:
            if tag != "open_betting" or (self.table.seats and self.table.is_open):
                self.must(self._dealer(tag), DEALER)

    @precondition(lambda self: self._is_in("betting"))
    @rule(seat=SEATS, beside=st.booleans(), side=st.integers(0, 255), much=st.booleans())
    def bet(self, seat: int, beside: bool, side: int, much: bool) -> None:
        wagers = dict.fromkeys(self.law.required, 20_000 if much else 1000)
        for place, name in enumerate(sorted(self.law.offered)):
            if side >> place & 1:
                wagers[name] = self.law.stakes.get(name, (500,))[0]
        player = self.table.seats.get(seat, "ann")
        if beside and seat + 1 not in self.table.seats:
            seat += 1
        self.give(r.PlaceWagers(seat, player, wagers), Actor("player", player))

    @precondition(lambda self: self._is_in("deciding"))
    @rule(choice=st.integers(0, 4))
    def answer(self, choice: int) -> None:
        state = self.table.round
        asked = state.seat(state.turn)
        assert asked is not None
        listed = legal_actions(state, self.law, asked.number, asked.player)
        said = [x for x in listed if x.do == "say"]
        chosen = said[choice % len(said)]
        affordable = chosen.cents <= self.table.rack(asked.player)
        done = self.give(
            r.Act(asked.number, asked.player, chosen.action), Actor("player", asked.player)
        )
        assert done == affordable, "a player bets what he has, and nothing else"

    @precondition(lambda self: self.table.round.claim is not None)
    @rule(refuses=st.integers(0, 4), ground=st.sampled_from([None, *DENIALS]))
    def floorperson_answers(self, refuses: int, ground: r.DenialGround | None) -> None:
        claim = self.table.round.claim
        assert claim is not None
        assert not self.give(r.ValidateProgressive(claim.seat), DEALER)
        if refuses:
            self.must(r.ValidateProgressive(claim.seat), FLOOR)
        else:
            self.must(r.RefuseProgressive(claim.seat, "the light was off", ground), FLOOR)

    @precondition(lambda self: self.table.source == "live" and bool(self.table.round.seats))
    @rule(seat=st.integers(0, 5), place=st.sampled_from(("player", "dealer", "community", "box")))
    def the_dealer_mistyped(self, seat: int, place: Any) -> None:
        """An answer or a card goes back, or stands; either way every cent stays explained."""
        state = self.table.round
        held = state.seats[seat % len(state.seats)]
        actions, before = held.actions, self.table.rack(held.player)
        if self.give(r.TakeBackAnswer(held.number), DEALER):
            again = self.table.round.seat(held.number)
            assert again is not None
            assert again.actions == actions[:-1]
            back = sum(held.decided.values()) - sum(again.decided.values())
            assert self.table.rack(held.player) == before + back
        lying = {"player": held.cards, "dealer": state.dealer, "community": state.community}
        there = lying.get(place, state.box)
        cards = unseen(self.table.round, a_deck(self.seed + 1), len(there))
        number = held.number if place == "player" else 0
        if cards and self.give(r.ReplaceCards(place, cards, number), DEALER):
            assert not held.settled

    @precondition(lambda self: self.table.source == "live" and self._is_in("betting", "deciding"))
    @rule(action=st.sampled_from(("check", "raise", "4x", "fold")))
    def the_dealer_uses_few_words(self, action: str) -> None:
        self.give(r.RepeatWagers() if self._is_in("betting") else r.AnswerAll(action), DEALER)

    @precondition(lambda self: self._is_in("closed") and not self.table.round.counted)
    @rule(chips=st.integers(0, 4), seats=st.lists(SEATS, min_size=1, max_size=2))
    def the_chip_count_differs(self, chips: int, seats: list[int]) -> None:
        assert not self.give(r.DecideChipCount(chips, tuple(seats), "found"), DEALER)
        if self.give(r.DecideChipCount(chips, tuple(seats), "found"), FLOOR):
            assert self.table.round.counted

    @precondition(lambda self: self.table.is_open and self.table.source == "live")
    @rule(choice=st.integers(0, 200))
    def something_goes_wrong(self, choice: int) -> None:
        """The consequence that was shown is the one that comes about."""
        told = accident(self.table.round, self.law, a_deck(self.seed), choice, "flo")
        if told is None:
            return
        shown = TableSession(self.table, self.link).foresee(told, FLOOR)
        self.must(told, FLOOR)
        assert (shown.table, shown.link) == (self.table, self.link)

    @precondition(lambda self: self._is_in("over") and bool(self.table.round.seats))
    @rule(cents=st.sampled_from([1, 500, 10**9, -1, -500]), seat=SEATS)
    def a_dispute_is_decided(self, cents: int, seat: int) -> None:
        played = self.table.round
        held = played.seats[seat % len(played.seats)]
        wager = next(iter(held.wagers))
        before = self.table.rack(held.player)
        was_away = not self.table.is_seated(held.player) and not before
        told = t.Correct(played.number, held.number, held.player, wager, cents, "look")
        assert not self.give(told, DEALER)
        if self.give(told, FLOOR):
            assert self.table.rack(held.player) == before + (0 if was_away else cents)
        else:
            assert -cents > before
        assert self.table.round == played, "what was played stays as it was"

    @rule(command=ANYTHING, actor=ACTORS)
    def anything(self, command: Any, actor: Actor) -> None:
        if isinstance(command, t.CloseTable) and self.seed % 5:
            return
        self.give(command, actor)

    # -- what must hold ------------------------------------------------------------------------

    @invariant()
    def money_is_conserved(self) -> None:
        assert sum(self.accounts.values()) == 0
        prefix = "table:one:"
        inside = {
            name.removeprefix(prefix): cents
            for name, cents in self.accounts.items()
            if name.startswith(prefix) and cents
        }
        assert inside == self.table.money
        assert all(cents > 0 for cents in self.table.money.values())
        assert not self.accounts["award:one"], "what a meter pays, a player gets"

    @invariant()
    def the_layout_holds_what_was_bet(self) -> None:
        state = self.table.round
        taken = state.phase not in ("betting", "closed") or (
            state.phase == "closed" and state.counted
        )
        for seat in state.seats:
            stakes = seat.wagers | seat.decided
            if taken:
                stakes = {
                    name: cents
                    for name, cents in stakes.items()
                    if not self.law.book.wagers[name].taken_before_deal
                }
            lies = self.table.money.get(f"layout:{seat.number}", 0)
            done = seat.settled or state.phase == "over"
            assert lies == (0 if done else sum(stakes.values()))
        spots = {f"layout:{seat.number}" for seat in state.seats}
        assert all(name in spots for name in self.table.money if name.startswith("layout:"))

    @invariant()
    def every_cent_of_a_meter_is_explained(self) -> None:
        if self.link is None:
            return
        for name, cents in self.link.shown().items():
            account = self.link.explain(name)
            assert account.reading == account.explained
            assert self.accounts[f"meter:pot:{name}"] == cents

    def teardown(self) -> None:
        if hasattr(self, "table") and hasattr(self, "accounts"):
            self._to_the_end()

    def _to_the_end(self) -> None:
        """Dealer and floorperson alone bring any round to its end."""
        for _ in range(200):
            state = self.table.round
            if state.phase == "over":
                break
            if state.phase == "deciding":
                asked = state.seat(state.turn)
                assert asked is not None
                self.must(r.LeaveRound(asked.number, asked.player), FLOOR)
            elif state.claim is not None:
                self.must(r.ValidateProgressive(state.claim.seat), FLOOR)
            else:
                tags = dealer_actions(state, self.law)
                if tags:
                    self.must(self._dealer(tags[0]), DEALER)
                else:
                    self.must(r.VoidRound("nobody has bet"), FLOOR)
            self.money_is_conserved()
            self.the_layout_holds_what_was_bet()
            self.every_cent_of_a_meter_is_explained()
        assert self.table.round.phase == "over"
        assert not any(name.startswith("layout:") for name in self.table.money)
        if self.link is not None:
            member = self.link.members.get("one")  # a closed table has left its link
            assert member is None or member.round is None


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_under_random_commands(book: str) -> None:
    machine = type("Machine", (TableMachine,), {"games": GAMES[book]})
    run_state_machine_as_test(machine, settings=QUICK)


@pytest.mark.full
@pytest.mark.parametrize("book", BOOKS)
def test_a_table_under_many_random_commands(book: str) -> None:
    machine = type("Machine", (TableMachine,), {"games": GAMES[book]})
    run_state_machine_as_test(machine, settings=LONG)
