"""Random commands, lawful and unlawful, in random rounds of every game and way of dealing.

At every step: a refusal changes nothing, the legal actions are those that are accepted, a replay of
the written events is the state that was played, nobody sees a card he may not see. At the end: the
round is settled as `settle` settles it, and no state is a dead end.
"""

from __future__ import annotations

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

from croupier.cards import DECK
from croupier.rounds import commands as cmd
from croupier.rounds.actions import dealer_actions, legal_actions
from croupier.rounds.payment import DENIALS
from croupier.rulebooks.bundled import GAMES as BUNDLED_GAMES
from tests.params import few
from tests.rounds.engine.walking import AMOUNTS, NAMES, WORDS, Walk
from tests.rounds.small_games import GAMES as SMALL_GAMES
from tests.tables.seated import BOOKS, Game, every_way

GAMES = {book: every_way(book) for book in (*BOOKS, *SMALL_GAMES, *BUNDLED_GAMES)}
QUICK = settings(
    max_examples=8,
    stateful_step_count=30,
    phases=(Phase.explicit, Phase.generate),  # a failure is told at once; `full` makes it small
)
LONG = settings(max_examples=1500, stateful_step_count=50)
SEATS = st.integers(1, 6)
PEOPLE = st.sampled_from((*NAMES, "a stranger", ""))
KNOWN = {name for games in GAMES.values() for name in games[0].rules.book.wagers}
WAGERS = st.sampled_from([*sorted(KNOWN), "nonsense"])
SAID = st.sampled_from(WORDS)
ACCIDENTS = {name for games in GAMES.values() for name in games[0].rules.book.irregularities}
KINDS = st.sampled_from([*sorted(ACCIDENTS), "an earthquake"])
HELD = st.lists(st.sampled_from(DECK), max_size=5).map(tuple)

ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.builds(cmd.OpenBetting, st.integers(0, 3), st.sampled_from(["virtual", "live"])),
    st.builds(
        cmd.PlaceWagers,
        st.integers(-1, 8),
        PEOPLE,
        st.dictionaries(WAGERS, st.sampled_from((*AMOUNTS, 0, -1, 10**15, 777)), max_size=4),
    ),
    st.builds(cmd.TakeBack, st.integers(0, 7), PEOPLE, st.lists(WAGERS, max_size=3).map(tuple)),
    st.builds(cmd.CountChips, st.integers(-1, 7)),
    st.builds(
        cmd.EnterCards,
        st.sampled_from(["player", "dealer", "community", "box", "burn", "sleeve"]),
        HELD,
        st.integers(0, 7),
    ),
    st.builds(cmd.Act, st.integers(0, 7), PEOPLE, SAID),
    st.builds(cmd.RevealCards, HELD),
    st.builds(cmd.ShowDealer, HELD),
    st.builds(cmd.Settle, st.booleans()),
    st.builds(cmd.ValidateProgressive, st.integers(0, 7)),
    st.builds(cmd.RefuseProgressive, st.integers(0, 7), st.sampled_from(["", "no such hand"])),
    st.builds(cmd.LeaveRound, st.integers(0, 7), PEOPLE),
    st.builds(cmd.RuleAbandoned, st.integers(0, 7)),
    st.builds(cmd.VoidRound, st.sampled_from(["", "a misdeal"])),
    st.builds(cmd.Report, KINDS, HELD, st.integers(-1, 7), st.just("as told")),
    st.sampled_from([cmd.CloseBets(), cmd.Deal(), cmd.Collect()]),
)


class RoundMachine(RuleBasedStateMachine):
    games: list[Game]
    sources: tuple[str, ...] = ("virtual", "live")

    @initialize(data=st.data(), seed=st.integers(0, 10**6))
    def sit_down(self, data: st.DataObject, seed: int) -> None:
        game = data.draw(st.sampled_from(self.games))
        source = data.draw(st.sampled_from(self.sources))
        self.walk = Walk(game, source, seed)
        self.steps = 0
        self.walk.must(self.walk.dealer_does("open_betting"))

    def _is_in(self, *phases: str) -> bool:
        return self.walk.state.phase in phases

    @precondition(lambda self: self._is_in("betting"))
    @rule(seat=SEATS, side=st.integers(0, 2**8 - 1), boxes=st.booleans(), uneven=st.integers(0, 9))
    def bet(self, seat: int, side: int, boxes: bool, uneven: int) -> None:
        rules = self.walk.rules
        wagers = dict.fromkeys(rules.required, 1000)
        if uneven == 0:
            wagers[rules.required[-1]] = 500
        for place, name in enumerate(sorted(rules.offered)):
            if side >> place & 1:
                wagers[name] = rules.stakes.get(name, (500,))[0]
        self.walk.give(
            cmd.PlaceWagers(seat, "ann" if boxes and seat < 3 else NAMES[seat - 1], wagers)
        )

    @rule()
    def dealer_goes_on(self) -> None:
        for tag in dealer_actions(self.walk.state, self.walk.rules)[:1]:
            self.walk.must(self.walk.dealer_does(tag))

    @precondition(lambda self: self._is_in("deciding"))
    @rule(choice=st.integers(0, 5))
    def answer(self, choice: int) -> None:
        state, rules = self.walk.state, self.walk.rules
        asked = state.seat(state.turn)
        assert asked is not None
        said = [x for x in legal_actions(state, rules, asked.number, asked.player) if x.do == "say"]
        assert said, "a player who is asked can answer"
        self.walk.must(cmd.Act(asked.number, asked.player, said[choice % len(said)].action))

    @precondition(lambda self: self._is_in("deciding"))
    @rule()
    def all_answer_as_briefly_as_they_can(self) -> None:
        step = self.walk.state.step
        while self._is_in("deciding") and self.walk.state.step == step:
            self.answer(5)

    @precondition(lambda self: bool(self.walk.floor()) and not self._is_in("betting"))
    @rule(choice=st.integers(0, 12), seat=SEATS)
    def floorperson_rules(self, choice: int, seat: int) -> None:
        waits = self.walk.floor()
        if "validate_progressive" in waits:
            claim = self.walk.state.claim
            assert claim is not None
            grounds: list[cmd.DenialGround | None] = [None, *DENIALS]
            if choice < len(grounds):
                self.walk.must(cmd.RefuseProgressive(claim.seat, "in words", grounds[choice]))
            else:
                self.walk.must(cmd.ValidateProgressive(claim.seat))
        elif "rule_abandoned" in waits:
            self.walk.give(cmd.RuleAbandoned(seat))
        elif choice == 12:
            self.walk.must(cmd.VoidRound("a misdeal"))

    @precondition(lambda self: bool(self.walk.accidents()))
    @rule(choice=st.integers(0, 40), seat=SEATS)
    def something_goes_wrong(self, choice: int, seat: int) -> None:
        kinds = self.walk.accidents()
        self.walk.must(self.walk.reports(kinds[choice % len(kinds)], seat))

    @precondition(lambda self: bool(self.walk.entries()))
    @rule(choice=st.integers(0, 20), cut=st.integers(0, 3))
    def enter_cards(self, choice: int, cut: int) -> None:
        entries = self.walk.entries()
        entry = entries[choice % len(entries)]
        assert isinstance(entry, cmd.EnterCards)
        some = entry.cards[: len(entry.cards) - cut] or entry.cards[:1]
        taken = self.walk.give(cmd.EnterCards(entry.place, some, entry.seat))
        in_parts = ["community"]
        in_parts += ["dealer"] * any(reveal.dealer for reveal in self.walk.rules.book.reveals)
        assert (taken is not None) == (len(some) == len(entry.cards) or entry.place in in_parts)

    @rule(command=ANYTHING)
    def anything(self, command: Any) -> None:
        names_cards = isinstance(
            command,
            cmd.EnterCards | cmd.RevealCards | cmd.ShowDealer | cmd.Report,
        )
        if self.walk.source == "live" and names_cards:
            return  # the dealer's cards are those of the deck; mistakes have tests of their own
        if isinstance(command, cmd.OpenBetting) and self._is_in("over"):
            return  # only with this deck
        self.walk.give(command)

    @invariant()
    def legal_actions_and_decide_agree(self) -> None:
        self.steps += 1
        self.walk.check_agreement(self.walk.state.turn or self.steps % 8)

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.finish()
            self.walk.check_agreement(1)


@pytest.mark.parametrize("book", few(GAMES, *BOOKS, *BUNDLED_GAMES[::3]))
def test_a_round_under_random_commands(book: str) -> None:
    machine = type("Machine", (RoundMachine,), {"games": GAMES[book]})
    run_state_machine_as_test(machine, settings=QUICK)


@pytest.mark.full
@pytest.mark.parametrize("book", GAMES)
def test_a_round_under_many_random_commands(book: str) -> None:
    machine = type("Machine", (RoundMachine,), {"games": GAMES[book]})
    run_state_machine_as_test(machine, settings=LONG)
