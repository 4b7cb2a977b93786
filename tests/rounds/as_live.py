"""A settlement case played once more at a live table, where only the cards that the table asks for
are entered: it must come out the same, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.cards import Card
from croupier.rounds import commands as cmd
from croupier.rounds.actions import dealer_actions
from croupier.rounds.card_entry import cards_to_enter, check_asked_for
from croupier.rounds.deciding import decide
from croupier.rounds.events import ProgressivePaid, RoundEvent
from croupier.rounds.evolving import evolve
from croupier.rounds.explaining import Holdings, explanation, holdings_of
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.settlement import Settlement
from croupier.rounds.state import OPENING, CompletedRound, Round
from croupier.rulebooks.rules import Rules

__all__ = ["DealtRound", "check_live"]


class DealtRound:
    """A round with these cards on the table. At a live table nobody has seen them until the dealer
    turns them up or enters them."""

    def __init__(self, lies: CompletedRound, rules: Rules, meters: Mapping[str, int]) -> None:
        self.rules, self._lies = rules, lies
        self._seats = {seat.number: seat for seat in lies.seats}
        self.meters = {**rules.resets, **meters}
        self.state: Round = OPENING

    def do(self, command: cmd.RoundCommand) -> None:
        if isinstance(command, cmd.Settle) and self.state.source == "live":
            check_asked_for(self.state, self.rules, command.seat)  # as `plan` does
        for event in decide(self.state, command, self.rules, self.meters, "flo"):
            self.state = evolve(self.state, event, self.rules)
            self._pay(event)

    def _pay(self, event: RoundEvent) -> None:
        """A meter is lowered by what it pays, and starts again when it is empty."""
        if isinstance(event, ProgressivePaid) and event.line.from_meter:
            name = event.line.from_meter
            self.meters[name] -= event.line.net + event.line.stake
            if not self.meters[name]:
                self.meters[name] = self.rules.resets[name]

    def play_live(self) -> None:
        self.do(cmd.OpenBetting(1, "live"))
        for number in sorted(self._seats):
            seat = self._seats[number]
            self.do(cmd.PlaceWagers(number, seat.player, dict(seat.wagers)))
        while self.state.phase != "over":
            if self.state.phase == "deciding":
                self.do(self._answer())
                continue
            self.enter_asked()
            self.do(self.with_cards(self.next_of_staff()))

    def next_of_staff(self) -> cmd.RoundCommand:
        """What the dealer does next, or the floor; no cards are named."""
        state = self.state
        if state.claim is not None:
            return cmd.ValidateProgressive(state.claim.seat)
        tag = dealer_actions(state, self.rules)[0]
        if tag == "count_chips":
            name = flow_of(self.rules).progressive
            return cmd.CountChips(sum(name in seat.wagers for seat in state.seats))
        return cmd.Settle(every=len(self._seats) % 2 == 0) if tag == "settle" else _PLAIN[tag]

    def with_cards(self, command: cmd.RoundCommand) -> cmd.RoundCommand:
        """The dealer's command as it is given at a live table: cards that are turned up are
        named."""
        state = self.state
        if isinstance(command, cmd.RevealCards):
            return cmd.RevealCards(self._turned_up())
        if isinstance(command, cmd.ShowDealer):
            return cmd.ShowDealer(self._lies.dealer[len(state.dealer) :])
        return command

    def enter_asked(self) -> None:
        while "enter_cards" in dealer_actions(self.state, self.rules):
            self.do(self._entry())

    def scan(self) -> None:
        """Enter everything that was dealt."""
        for number, seat in self._seats.items():
            self.do(cmd.EnterCards("player", seat.cards, number))
        for place in ("dealer", "community", "box"):
            cards = getattr(self._lies, place)
            if cards:
                self.do(cmd.EnterCards(place, cards))

    def _answer(self) -> cmd.Act:
        seat = self.state.seat(self.state.turn)
        assert seat is not None
        said = self._seats[seat.number].actions[len(seat.actions)]
        return cmd.Act(seat.number, seat.player, said)

    def _turned_up(self) -> tuple[Card, ...]:
        state, step = self.state, flow_of(self.rules).steps[self.state.step]
        assert not isinstance(step, Ask)
        board = self._lies.community[len(state.community) : state.exposed + step.reveal.community]
        up = state.dealer_up + step.reveal.dealer
        return (*board, *self._lies.dealer[len(state.dealer) : up])

    def _entry(self) -> cmd.EnterCards:
        """The first cards that the table asks for, as they lie there."""
        place, number, _ = cards_to_enter(self.state, self.rules)[0]
        if place == "player":
            return cmd.EnterCards("player", self._seats[number].cards, number)
        if place == "community":
            return cmd.EnterCards("community", self._lies.community[len(self.state.community) :])
        if place == "dealer":
            return cmd.EnterCards("dealer", self._lies.dealer[len(self.state.dealer) :])
        return cmd.EnterCards("box", self._lies.box)


_PLAIN: Final[dict[str, cmd.RoundCommand]] = {
    "close_bets": cmd.CloseBets(),
    "deal": cmd.Deal(),
    "reveal": cmd.RevealCards(),
    "show_dealer": cmd.ShowDealer(),
    "collect": cmd.Collect(),
}


def check_live(
    played: CompletedRound, rules: Rules, meters: Mapping[str, int], settlement: Settlement
) -> DealtRound:
    """Every line with its clause and its sentence, and the meters, as the settlement has them."""
    live = DealtRound(played, rules, meters)
    live.play_live()
    assert live.meters == settlement.meters
    for outcome in settlement.seats:
        seat = live.state.seat(outcome.seat)
        assert seat is not None
        lines = {line.wager: line for line in outcome.lines}
        assert {line.wager: line for line in seat.lines} == lines, f"seat {seat.number}"
        assert len(seat.lines) == len(lines)
        shown, known = holdings_of(outcome, settlement), Holdings.at(live.state, seat.number)
        for line in seat.lines:
            assert explanation(line, rules, known) == explanation(line, rules, shown)
        is_known = bool(seat.cards)
        assert is_known or seat.folded, "only a folded hand is never asked for"
        assert (seat.hand, seat.holds) == ((outcome.hand, outcome.holds) if is_known else ("", {}))
    if settlement.dealer is not None:
        dealer = live.state.dealer_hand, live.state.qualifies, live.state.dealer_holds
        expected = settlement.dealer
        assert dealer == (expected.hand, expected.qualifies, expected.holds)
    return live
