"""A practice hand: one player against the house, dealt from a seed by the tables' engine.

Hand `number` of a seed is dealt from the stream `Seeded("practice 1 SEED NUMBER")`, shuffled as a
virtual table shuffles. It is replayed from its answers on every access, so only seed, number, and
answers are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.cards import Card
from croupier.errors import Refusal, suggest
from croupier.randomness.shuffling import Seeded
from croupier.rounds.actions import Choice, legal_actions
from croupier.rounds.commands import Act, CloseBets, OpenBetting, PlaceWagers
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rounds.legality import smallest_wagers
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.views import RoundView, Viewer, view
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from croupier.runtime.dealer import DEALER, dealer_command
from croupier.runtime.player_questions import Question, question_for
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.tables.state import Table

GAMES: Final = BUNDLED
SUBMISSION: Final = '{"offered":[]}'
"""The document's first choice in everything, with the main game's wagers only."""

_OPERATOR: Final = Actor("operator", SOFTWARE)
_PLAYER: Final = "player"
_ACTOR: Final = Actor("player", _PLAYER)
_SEAT: Final = 1
_CHIPS: Final = 10**9


def checked_game(game: str) -> str:
    if game not in GAMES:
        raise suggest("game", game, GAMES)
    return game


class Hand:
    def __init__(self, game: str, seed: str, number: int, answers: Sequence[str] = ()) -> None:
        command = OpenTable("practice", checked_game(game), SUBMISSION, inventory=_CHIPS)
        draw = Seeded(f"practice 1 {seed} {number}")
        self._session = TableSession.opened(command, _OPERATOR, draw=draw)
        self._session.do(TakeSeat(_PLAYER, _SEAT), _ACTOR)
        self._session.do(BuyIn(_PLAYER, _CHIPS), _ACTOR)
        least = smallest_wagers(self.rules)
        self.wagers_cents = {name: least[name] for name in self.rules.required}
        self._session.do(OpenBetting(), DEALER)
        self._session.do(PlaceWagers(_SEAT, _PLAYER, self.wagers_cents), _ACTOR)
        self._session.do(CloseBets(), DEALER)
        self._go_on()
        for said in answers:
            self.say(said)

    @property
    def rules(self) -> Rules:
        return self._session.rules

    @property
    def table(self) -> Table:
        """The whole table, face-down cards included: for the house."""
        return self._session.table

    @property
    def unit_cents(self) -> int:
        """One required wager in cents, the unit of every value."""
        return self.wagers_cents[self.rules.required[0]]

    @property
    def is_over(self) -> bool:
        return self.table.round.phase == "over"

    @property
    def decision(self) -> Decision | None:
        """The decision that waits; None if the hand is over."""
        if self.is_over:
            return None
        step = flow_of(self.rules).steps[self.table.round.step]
        assert isinstance(step, Ask), "the dealer goes on until the player is asked"
        return step.decision

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The actions allowed now."""
        choices = legal_actions(self.table.round, self.rules, _SEAT, _PLAYER)
        return tuple([choice for choice in choices if choice.do == "say"])

    @property
    def question(self) -> Question:
        """The decision that waits and what the player sees, for the mathematics."""
        return question_for(self.table, _SEAT)

    @property
    def own(self) -> tuple[Card, ...]:
        """The cards that the player has looked at."""
        seen = self.view().seats[0].cards
        return tuple([card for card in seen if card is not None])

    @property
    def community(self) -> tuple[Card, ...]:
        return tuple([card for card in self.view().community if card is not None])

    @property
    def result_cents(self) -> int:
        """The net result of a finished hand."""
        if not self.is_over:
            raise Refusal("the hand is not over", code="not_now")
        return self.table.rack(_PLAYER) - _CHIPS

    def view(self) -> RoundView:
        """Return the round as the player sees it: a face-down card is None."""
        return view(self.table.round, Viewer("player", _PLAYER), self.rules)

    def check(self, answer: str) -> None:
        """Refuse an answer that is not allowed now."""
        if self.is_over:
            raise Refusal("the hand is over: nothing is asked", code="not_now")
        allowed = [choice.action for choice in self.choices]
        if answer not in allowed:
            raise suggest("answer", answer, allowed)

    def say(self, answer: str) -> None:
        self.check(answer)
        self._session.do(Act(_SEAT, _PLAYER, answer), _ACTOR)
        self._go_on()

    def _go_on(self) -> None:
        """Deal on until the player must decide or the hand is over."""
        while self.table.round.phase not in ("deciding", "over"):
            command = dealer_command(self.table, self.rules, every_seat=True)
            assert command is not None, "a virtual table's dealer always goes on"
            self._session.do(command, DEALER)
