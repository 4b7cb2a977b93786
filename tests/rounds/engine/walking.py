"""A round walked through step by step, with everything that must hold checked at each of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.errors import CroupierError
from croupier.rounds import commands as cmd
from croupier.rounds import events as did
from croupier.rounds.actions import dealer_actions, floor_actions, legal_actions
from croupier.rounds.card_entry import cards_to_enter, check_asked_for, known_cards
from croupier.rounds.commands import RoundCommand
from croupier.rounds.dealing import DEAL, Dealt, dealt, whole_order
from croupier.rounds.deciding import decide
from croupier.rounds.declaration import from_json, to_json
from croupier.rounds.events import RoundEvent
from croupier.rounds.evolving import evolve
from croupier.rounds.irregularities import (
    PossibleIrregularity,
    irregularities_now,
    possible_irregularities,
)
from croupier.rounds.round_flow import completed
from croupier.rounds.settlement import settle
from croupier.rounds.state import OPENING, CompletedRound, Round, SeatInRound
from croupier.rounds.views import Viewer, own_seats, public_view, seen_by, view
from croupier.rulebooks.decks import cards_of
from tests.rounds.recomputed import check_round, is_known_to_the_oracle
from tests.tables.seated import NAMES, Game

WORDS = (
    *("check", "fold", "raise", "5x", "4x", "3x", "2x", "1x", "", "all in"),
    *("take_back", "ride", "double", "triple it"),
)
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
SALT = "the salt nobody may see"
AMOUNTS = (1, 100, 500, 1000)
OUT_OF_DEAL = ("deciding", "revealing", "showdown", "settling")


def a_deck(seed: int, whole: tuple[Card, ...] = DECK) -> tuple[Card, ...]:
    """Shuffled; every other one lies in suits and sequence, so that straight flushes are dealt."""
    if seed % 2:
        turn = (seed // 2) % len(whole)
        return whole[turn:] + whole[:turn]
    deck = list(whole)
    random.Random(seed).shuffle(deck)
    return tuple(deck)


class Walk:
    """One table's rounds. `give` a command: what follows is checked, or nothing has changed."""

    def __init__(self, game: Game, source: str, seed: int) -> None:
        self.rules = game.rules
        self.source = source
        self.seed = seed
        self.state: Round = OPENING
        self.replayed: Round = OPENING
        self.log: list[RoundEvent] = []
        self.refusal = CroupierError("nothing was refused yet")
        self.meters = {name: cents + seed % 9973 for name, cents in self.rules.resets.items()}
        self.at_settling = dict(self.meters)
        self.deck = a_deck(seed, cards_of(self.rules.book.deck))

    # -- one command ---------------------------------------------------------------------------

    def give(self, command: RoundCommand) -> tuple[RoundEvent, ...] | None:
        """The events, or None for a refusal."""
        before = to_json(self.state)
        try:
            events = self._decided(command)
        except CroupierError as error:
            self.refusal = error
            self._nothing_changed(before)
            return None
        assert to_json(self.state) == before, "decide changed the state"
        assert events
        for event in events:
            self._happens(event)
        self._check_views()
        if self.state.phase == "collecting":
            self._check_settlement()
        return events

    def _decided(self, command: RoundCommand) -> tuple[RoundEvent, ...]:
        """As a table plans it: settled when every card is entered that was asked for."""
        events = decide(self.state, command, self.rules, self.meters)
        if isinstance(command, cmd.Settle) and self.source == "live":
            check_asked_for(self.state, self.rules, command.seat)
        return events

    def _nothing_changed(self, before: bytes) -> None:
        assert to_json(self.state) == before
        assert self.refusal.code
        assert self.refusal.message

    def must(self, command: RoundCommand) -> tuple[RoundEvent, ...]:
        events = self.give(command)
        assert events is not None, f"{command} in phase {self.state.phase}: {self.refusal}"
        return events

    def _happens(self, event: RoundEvent) -> None:
        old = to_json(self.state)
        after = evolve(self.state, event, self.rules)
        assert to_json(self.state) == old, "evolve changed the state before"
        read: RoundEvent = from_json(to_json(event), RoundEvent)
        assert read == event
        self.replayed = evolve(self.replayed, read, self.rules)
        assert self.replayed == after
        assert to_json(self.replayed) == to_json(after)
        assert from_json(to_json(after), Round) == after
        self.log = [] if isinstance(event, cmd.OpenBetting) else self.log
        self.log.append(event)
        self.state = after
        if isinstance(event, did.DealerShown | did.Revealed | did.CardsDealt):
            self.at_settling = dict(self.meters)
        if isinstance(event, did.ProgressivePaid) and event.line.from_meter:
            self._lower(event)

    def _lower(self, event: did.ProgressivePaid) -> None:
        name = event.line.from_meter
        award = event.line.net + event.line.stake
        self.meters[name] -= award
        if not self.meters[name]:
            self.meters[name] = self.rules.resets[name]

    # -- the settlement ------------------------------------------------------------------------

    def _check_settlement(self) -> None:
        """The round, settled seat by seat, is what `settle` makes of it whole; with its meters."""
        self._check_void_lines()
        state = self.state
        if all(seat.cards for seat in state.seats) and is_known_to_the_oracle(self.rules):
            check_round(state, self.rules)
        if state.void or state.void_wagers or any(seat.void for seat in state.seats):
            return
        if any(line.too_weak_for for seat in state.seats for line in seat.lines):
            assert self.source == "live", "where the cards are known, such a bet is refused"
            return
        refused = [x for x in self.log if isinstance(x, did.ProgressiveRefused)]
        played, mucked = self._as_it_lay()
        expected = settle(played, self.rules, self.at_settling)
        for seat, outcome in zip(self.state.seats, expected.seats, strict=True):
            assert seat.hand == ("" if seat.number in mucked else outcome.hand)
            if seat.abandoned or self._forfeits(seat):
                stakes = dict.fromkeys(seat.taken_back, 0)
                stakes = seat.wagers | seat.decided | stakes
                assert {x.wager: x.net for x in seat.lines} == {w: -s for w, s in stakes.items()}
                continue
            if any(refusal.seat == seat.number for refusal in refused):
                continue
            lines = {x.wager: x for x in outcome.lines}
            got = {x.wager: x for x in seat.lines}
            if refused:
                assert {x: y.result for x, y in got.items()} == {
                    x: y.result for x, y in lines.items()
                }
                continue
            assert got == lines, f"seat {seat.number}: {got} instead of {lines}"
        lost = any(seat.abandoned or self._forfeits(seat) for seat in self.state.seats)
        if not refused and not lost:
            assert self.meters == expected.meters

    def _as_it_lay(self) -> tuple[CompletedRound, set[int]]:
        """The round with any cards in the hands that were mucked and never entered, and their
        seats."""
        mucked = {seat.number for seat in self.state.seats if not seat.cards}
        played, known = completed(self.state, self.rules), set(known_cards(self.state))
        left = iter([card for card in self.deck if card not in known])
        size = self.rules.book.cards.player
        seats = [
            s if s.cards else replace(s, cards=tuple(islice(left, size))) for s in played.seats
        ]
        return replace(played, seats=tuple(seats)), mucked

    def _forfeits(self, seat: SeatInRound) -> bool:
        """Left with a question open, under a rulebook that has this lose everything (MD-37)."""
        open_questions = {d.wager for d in self.rules.book.decisions} - seat.decided.keys()
        loses = self.rules.book.procedure.left_undecided == "loses"
        return loses and seat.left and not seat.folded and bool(open_questions)

    def _check_void_lines(self) -> None:
        """What is void comes back whole, and every wager has one line and no more."""
        noted = [
            x
            for x in self.log
            if isinstance(x, did.HandsVoided | did.HandVoided | did.WagersVoided)
        ]
        for seat in self.state.seats:
            stakes = seat.wagers | seat.decided
            lines = {line.wager: line for line in seat.lines if line.wager in stakes}
            assert len(lines) == sum(line.wager in stakes for line in seat.lines)
            assert lines.keys() == stakes.keys()
            void = set[str]()
            for event in noted:
                match event:
                    case did.HandsVoided():
                        void |= stakes.keys() - set(event.saves)
                    case did.HandVoided() if event.seat == seat.number:
                        void |= stakes.keys()
                    case did.WagersVoided():
                        void |= stakes.keys() & set(event.wagers)
            void -= seat.taken_back.keys()
            assert {name for name, line in lines.items() if line.result == "void"} == void
            assert all(lines[name].net == 0 and lines[name].clause for name in void)

    # -- accidents -----------------------------------------------------------------------------

    def accidents(self) -> list[str]:
        """What can have gone wrong now, where there is somebody it can have happened to."""
        return sorted(possible_irregularities(self.state, self.rules))

    def floor(self) -> tuple[str, ...]:
        return floor_actions(self.state, self.rules)

    def reports(self, kind: str, seat: int = 0) -> cmd.Report:
        """The accident as a dealer who is asked the right questions reports it."""
        accident = self.rules.book.irregularities[kind]
        spare = [card for card in reversed(self.deck) if card not in self.state.set_aside]
        many = 1 if "card" in accident.asks else 2 if "cards" in accident.asks else 0
        number = 0
        if "seat" in accident.asks:
            free = [s for s in self.state.seats if not (s.void or s.left or s.actions)]
            free = free or [s for s in self.state.seats if not s.void]
            number = free[seat % len(free)].number if free else 0
        return cmd.Report(kind, tuple(spare[:many]), number)

    # -- what may be seen ----------------------------------------------------------------------

    def layout(self) -> Dealt:
        """Where every card of the round lies or will lie, from the deck alone."""
        order = [delivery for _, delivery in whole_order(self.rules, self._numbers())]
        return dealt(self.deck, order)

    def _numbers(self) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.state.seats)

    def _may_see(self, player: str) -> set[Card]:
        """Worked out from the events and the deck, not from the state."""
        noted = [x for x in self.log if isinstance(x, did.IrregularityNoted) and x.set_aside]
        seen: set[Card] = {card for event in noted for card in event.cards}
        if not any(isinstance(event, did.CardsDealt) for event in self.log):
            return seen
        book, lies = self.rules.book, self.layout()
        looked = book.cards.player - sum(reveal.player for reveal in book.reveals)
        first, exposed, up = looked, 0, 0
        reveals = {reveal.name: reveal for reveal in book.reveals}
        for event in self.log:
            if isinstance(event, did.Revealed):
                exposed += reveals[event.name].community
                looked += reveals[event.name].player
                up += reveals[event.name].dealer
            elif isinstance(event, did.DealerShown):
                seen |= set(lies.dealer)
            elif isinstance(event, did.SeatSettled):
                seen |= set(lies.box)
        seen |= {*lies.community[:exposed], *lies.dealer[:up]}
        for number, cards in lies.players.items():
            seen |= set(cards[first:looked])
            if self._owner(number) == player:
                seen |= set(cards[:looked])
            if self._is_laid_open(number):
                seen |= set(cards)
        return seen

    def _owner(self, number: int) -> str:
        return next(
            x.player for x in self.log if isinstance(x, did.WagersPlaced) and x.seat == number
        )

    def _is_laid_open(self, number: int) -> bool:
        """Settled, and not a hand given up that has won nothing."""
        mine: list[Any] = [x for x in self.log if getattr(x, "seat", None) == number]
        lines = [line for x in mine if isinstance(x, did.SeatSettled) for line in x.lines]
        lines += [
            x.line for x in mine if isinstance(x, did.ProgressivePaid | did.ProgressiveRefused)
        ]
        lines += [
            x.lines[number] for x in self.log if isinstance(x, did.EnvyPaid) and number in x.lines
        ]
        folded = any(isinstance(x, did.Acted) and x.action == "fold" for x in mine)
        folded |= any(isinstance(x, did.PlayerLeft) for x in mine) and self._must_answer(mine)
        folded |= all(x.result == "void" for x in lines if x.reason.code != "taken_back")
        settled = any(isinstance(x, did.SeatSettled) for x in mine)
        won = [x for x in self.log if isinstance(x, did.ProgressiveWon) and x.claim.seat == number]
        answered = [x for x in mine if isinstance(x, did.ProgressivePaid | did.ProgressiveRefused)]
        wins = any(line.result == "win" for line in lines) or len(won) > len(answered)
        return settled and (not folded or wins)

    def _must_answer(self, mine: list[Any]) -> bool:
        """Is a bet needed to stay in, and has the seat none? Who leaves then has folded."""
        decisions = self.rules.book.decisions
        folds = {decision.wager for decision in decisions if decision.otherwise == "fold"}
        return bool(folds - {x.wager for x in mine if isinstance(x, did.Acted)})

    def _check_views(self) -> None:
        over = self.state.phase == "over"
        players = {seat.player for seat in self.state.seats} | {"a stranger"}
        viewers = [Viewer("player", name) for name in sorted(players)]
        viewers += [Viewer("dealer", "ann"), Viewer("floorperson", "ann")]
        public = public_view(self.state, self.rules)
        for viewer in viewers:
            seen_now = view(self.state, viewer, self.rules)
            own = own_seats(self.state, viewer, self.rules)
            assert seen_now == seen_by(viewer, public, self.state, self.rules)
            assert replace(seen_now, seats=public.seats) == public, "only seats may differ"
            for place, (mine, everybodys) in enumerate(
                zip(seen_now.seats, public.seats, strict=True)
            ):
                is_own = viewer.audience == "player" and mine.player == viewer.player
                assert (place in own) == is_own
                assert mine == own.get(place, everybodys)
            text = to_json(seen_now).decode()
            if over and self.source == "virtual":
                assert SALT in text
                continue
            found = {Card.parse(name) for name in CARD.findall(text)}
            name = viewer.player if viewer.audience == "player" else ""
            allowed = self._may_see(name)
            assert found <= allowed, f"{viewer} sees {found - allowed}"
            if self.source == "virtual":
                assert found == allowed, f"{viewer} does not see {allowed - found}"
            assert SALT not in text
            seen = json.loads(text)
            assert seen["deck"] == []
            for seat in seen["seats"]:
                is_open = seat["player"] == name or self._is_laid_open(seat["number"])
                assert is_open or not seat["hand"], f"{viewer} is told of {seat['hand']}"
        everything = to_json(view(self.state, Viewer("surveillance"), self.rules)).decode()
        if not over:
            assert SALT not in everything
            assert json.loads(everything)["deck"] == []

    # -- legal actions and decide agree --------------------------------------------------------

    def check_agreement(self, seat: int) -> None:
        before = to_json(self.state)
        for command, listed in (*self._of_players(seat), *self._of_staff()):
            accepted = self._is_accepted(command)
            assert accepted == listed, f"{command}: listed {listed}, accepted {accepted}"
        assert to_json(self.state) == before

    def _is_accepted(self, command: RoundCommand) -> bool:
        try:
            self._decided(command)
        except CroupierError:
            return False
        return True

    def _of_players(self, number: int) -> Iterator[tuple[RoundCommand, bool]]:
        book = self.rules.book
        held = self.state.seat(number)
        for player in dict.fromkeys(
            (held.player if held else f"new {number}", "ann", "a stranger")
        ):
            choices = legal_actions(self.state, self.rules, number, player)
            for name in (*book.wagers, "nonsense"):
                places = [x for x in choices if x.do == "place" and x.wager == name]
                for cents in (*AMOUNTS, 0, -100):
                    listed = any(_takes(x, cents) for x in places)
                    yield cmd.PlaceWagers(number, player, {name: cents}), listed
                listed = any(x.do == "take_back" and x.wager == name for x in choices)
                yield cmd.TakeBack(number, player, (name,)), listed
            listed = any(x.do == "take_back" and not x.wager for x in choices)
            yield cmd.TakeBack(number, player), listed
            for action in WORDS:
                listed = any(x.do == "say" and x.action == action for x in choices)
                yield cmd.Act(number, player, action), listed
            listed = any(x.do == "leave" for x in choices)
            yield cmd.LeaveRound(number, player), listed

    def dealer_does(self, tag: str) -> RoundCommand:
        """The command as a dealer who makes no mistake gives it."""
        if tag == "open_betting":
            number = self.state.number + 1
            if self.source == "live":
                return cmd.OpenBetting(number, "live")
            return cmd.OpenBetting(number, "virtual", "a commitment", SALT, self.deck)
        if tag == "count_chips":
            return cmd.CountChips(sum("progressive" in seat.wagers for seat in self.state.seats))
        if tag == "reveal":
            return cmd.RevealCards(self._to_turn_up())
        if tag == "show_dealer":
            if self.source == "virtual" or not self.state.seats:
                return cmd.ShowDealer()
            return cmd.ShowDealer(self.layout().dealer[len(self.state.dealer) :])
        if tag == "enter_cards":
            asked = {(x.place, x.seat) for x in cards_to_enter(self.state, self.rules)}
            return next(x for x in self.entries() if (x.place, x.seat) in asked)
        plain: dict[str, RoundCommand] = {
            "close_bets": cmd.CloseBets(),
            "deal": cmd.Deal(),
            "settle": cmd.Settle(every=self.seed % 3 == 0),
            "collect": cmd.Collect(),
        }
        return plain[tag]

    def _to_turn_up(self) -> tuple[Card, ...]:
        if self.source == "virtual" or self.state.phase != "revealing":
            return ()
        turned = sum(isinstance(event, did.Revealed) for event in self.log)
        reveal = self.rules.book.reveals[turned]
        lies = self.layout()
        board = lies.community[len(self.state.community) : self.state.exposed + reveal.community]
        up = self.state.dealer_up + reveal.dealer
        return (*board, *lies.dealer[len(self.state.dealer) : up])

    def entries(self) -> list[cmd.EnterCards]:
        """What a live dealer may still enter, one entry each."""
        if self.source != "live" or self.state.phase not in OUT_OF_DEAL:
            return []
        lies, found = self.layout(), list[cmd.EnterCards]()
        for seat in self.state.seats:
            if not seat.cards:
                found.append(cmd.EnterCards("player", lies.players[seat.number], seat.number))
        if len(self.state.dealer) < len(lies.dealer):
            found.append(cmd.EnterCards("dealer", lies.dealer[len(self.state.dealer) :]))
        if len(self.state.community) < len(lies.community):
            found.append(cmd.EnterCards("community", lies.community[len(self.state.community) :]))
        if not self.state.box and lies.box:
            found.append(cmd.EnterCards("box", lies.box))
        burns = [card for card in lies.burned if card not in self.state.burned]
        return [*found, *(cmd.EnterCards("burn", (card,)) for card in burns)]

    def _of_staff(self) -> Iterator[tuple[RoundCommand, bool]]:
        listed = dealer_actions(self.state, self.rules)
        tags = ("open_betting", "close_bets", "count_chips", "deal", "reveal", "show_dealer")
        for tag in (*tags, "settle", "collect"):
            yield self.dealer_does(tag), tag in listed
        waits = floor_actions(self.state, self.rules)
        claim = self.state.claim.seat if self.state.claim else 1
        yield cmd.ValidateProgressive(claim), "validate_progressive" in waits
        yield cmd.RefuseProgressive(claim, "no"), "refuse_progressive" in waits
        yield cmd.VoidRound("a misdeal"), "void_round" in waits
        possible = {told.kind: told for told in irregularities_now(self.state, self.rules)}
        for kind in self.rules.book.irregularities:
            command = self.reports(kind)
            yield command, kind in possible
            if kind in possible:
                self._asks_for_what_is_told(possible[kind], command)
        if "rule_abandoned" not in waits:
            for number in range(8):
                yield cmd.RuleAbandoned(number), False
        else:
            assert any(self._is_accepted(cmd.RuleAbandoned(seat)) for seat in range(1, 7))

    def _asks_for_what_is_told(self, told: PossibleIrregularity, command: cmd.Report) -> None:
        """Every field is asked for that an accepted report has, and the number of cards fits."""
        given = {"cards": command.cards, "seat": command.seat}
        assert {name for name, value in given.items() if value} == set(told.asks) - {"held"}
        assert told.least_cards <= len(command.cards) <= told.most_cards
        assert told.label
        assert told.words
        assert told.clause

    # -- to the end ----------------------------------------------------------------------------

    def finish(self) -> None:
        """Whatever the players do, dealer and floorperson bring the round to its end."""
        for _ in range(200):
            if self.state.phase == "over":
                return
            self.must(self.next_command())
        raise AssertionError(f"no end in phase {self.state.phase}")

    def next_command(self) -> RoundCommand:
        """A player who is asked leaves; the dealer goes on; the floor validates."""
        if self.state.phase == "deciding":
            asked = self.state.seat(self.state.turn)
            assert asked is not None
            return cmd.LeaveRound(asked.number, asked.player)
        if self.state.claim is not None:
            return cmd.ValidateProgressive(self.state.claim.seat)
        actions = dealer_actions(self.state, self.rules)
        return self.dealer_does(actions[0]) if actions else cmd.VoidRound("nobody has bet")


def _takes(choice: Any, cents: int) -> bool:
    if choice.stakes:
        return cents in choice.stakes
    return bool(choice.least <= cents and (choice.most is None or cents <= choice.most))


__all__ = ["AMOUNTS", "DEAL", "NAMES", "OUT_OF_DEAL", "SALT", "WORDS", "Walk", "a_deck"]
