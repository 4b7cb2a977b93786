"""One round as a value: a command leads to events, an event to the next round. Nothing changes in
place, so a program can look ahead from any round as often as it likes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, get_args, get_type_hints

import msgspec

from croupier.cards import Card, cards_in, format_cards, parse_cards
from croupier.errors import BadRequest, Refusal, plain
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.library.settling import SettledRound, moneys, settled_so_far
from croupier.library.views import LegalAction, TableView, asked_seat, decision_of, table_view
from croupier.money import Amount, Cents, Money
from croupier.randomness.shuffling import Seeded, from_system, seal, shuffle
from croupier.rounds import state as engine
from croupier.rounds.actions import legal_actions
from croupier.rounds.commands import CloseBets, OpenBetting, RoundCommand, ValidateProgressive
from croupier.rounds.deciding import decide
from croupier.rounds.declaration import SOFTWARE, Actor, Command, to_json
from croupier.rounds.events import ProgressivePaid
from croupier.rounds.events import RoundEvent as EngineEvent
from croupier.rounds.evolving import evolve
from croupier.rounds.views import Audience, Viewer
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.schema import Decision
from croupier.runtime.dealer import dealer_command
from croupier.tables.command_input import checked_command, command_from_data
from croupier.tables.commands import COMMANDS, TableCommand
from croupier.tables.sentences import describe_event
from croupier.tables.state import Table as TableState

_OF_ROUNDS: Final = get_args(RoundCommand)


class RoundEvent(Record, frozen=True):
    """An event of a round: `Round.decide` returns it, `Round.evolve` applies it."""

    name: str
    """The event's name on the wire: `wagers_placed`, `cards_dealt`."""
    event: EngineEvent
    """The engine's own event."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data, as the journal writes it."""
        data: dict[str, Any] = msgspec.json.decode(to_json(self.event))
        return data

    def __repr__(self) -> str:
        return f"<RoundEvent {self.name}>"


class Round(msgspec.Struct, frozen=True):
    """One round, frozen: `round.play(…)` returns the next one and leaves this one unchanged.

    Money is not counted here: players can bet any amount, and progressive meters only change when
    they pay. `Table` keeps people, chips and meters over many rounds.
    """

    rulebook: Rulebook
    """The rulebook with the operator's choices in force."""
    state: engine.Round
    """The engine's own state, face-down cards included. People get a `view`."""
    meters: dict[str, Money]
    """What each progressive meter shows."""

    @classmethod
    def start(
        cls,
        rulebook: AnyRulebook,
        submission: AnySubmission = None,
        *,
        deck: str | Iterable[Card] = (),
        seed: int | str | None = None,
        meters: Mapping[str, Amount] | None = None,
        number: int = 1,
    ) -> Round:
        """Return a round whose bets are open.

        `deck` are the cards from the top of the deck; those not named follow in a random order,
        which a `seed` repeats. `meters` not named show their reset amount.
        """
        book = load_rulebook(rulebook, submission)
        draw = from_system if seed is None else Seeded(seed)
        whole = cards_of(book.rules.book.deck)
        top = parse_cards(deck) if isinstance(deck, str) else tuple(map(Card, deck))
        rest = list(shuffle(draw, whole))
        for card in top:
            if card not in rest:
                raise BadRequest(f"the deck does not have {card} that often")
            rest.remove(card)
        sealed = seal((*top, *rest), draw, whole)
        opening = OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)
        before = msgspec.structs.replace(engine.OPENING, number=number - 1)
        resets = book.rules.resets
        for name in meters or {}:
            if name not in resets:
                raise BadRequest(f"{plain(name)} is not a meter of {book.id}")
        shown = moneys(resets) | {name: Money(amount) for name, amount in (meters or {}).items()}
        round_ = cls(book, before, shown)
        return round_._after(decide(before, opening, book.rules))

    # -- the state --------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.state.number

    @property
    def phase(self) -> engine.Phase:
        """`betting`, then `closed`, `deciding` and so on, to `collecting` and `over`."""
        return self.state.phase

    @property
    def seats(self) -> dict[int, str]:
        """The players in the round by the number of their seat."""
        return {seat.number: seat.player for seat in self.state.seats}

    @property
    def turn(self) -> int:
        """The seat to act; 0 if there is none."""
        seat = asked_seat(self.state)
        return 0 if seat is None else seat.number

    @property
    def decision(self) -> Decision | None:
        """The decision that this seat has to answer; None if there is none."""
        return decision_of(self.state, self.rulebook.rules)

    @property
    def settlement(self) -> SettledRound | None:
        """The seats that are settled so far; None before the first."""
        return settled_so_far(self.state, self.rulebook.rules, self.meters)

    def legal_actions(self, seat: int, player: str = "") -> tuple[LegalAction, ...]:
        """Return everything that the player at a seat may do now; anything else is refused."""
        player = player or self.seats.get(seat, "")
        choices = legal_actions(self.state, self.rulebook.rules, seat, player)
        return tuple([LegalAction.of(choice) for choice in choices])

    def view(self, player: str = "", *, role: Audience = "player") -> TableView:
        """Return the round as this player sees it; without a name, as an onlooker sees it."""
        viewer = Viewer(role, player)
        return table_view(self.state, viewer, self.rulebook.rules, "round", {}, self.meters)

    # -- commands and events ----------------------------------------------------------------------

    def decide(
        self, command: RoundCommand | str, *, by: str = SOFTWARE, **fields: Any
    ) -> tuple[RoundEvent, ...]:
        """Return the events that a command leads to, or raise a refusal.

        `round.decide("act", seat=1, player="ann", action="4x")`: fields are written as the API
        writes them. `by` is the name of a floorperson who signs a decision.
        """
        parsed: TableCommand = (
            written_command(command, fields, Actor("dealer", SOFTWARE))
            if isinstance(command, str)
            else command
        )
        if not isinstance(parsed, _OF_ROUNDS) or isinstance(parsed, OpenBetting):
            raise BadRequest(f"{plain(command)} is not a command of a round in play")
        checked_command(parsed)
        rules = self.rulebook.rules
        cents = {name: money.cents for name, money in self.meters.items()}
        return tuple([_wrapped(event) for event in decide(self.state, parsed, rules, cents, by)])

    def evolve(self, event: RoundEvent) -> Round:
        """Return the round after an event."""
        return self._after((event.event,))

    def play(self, command: RoundCommand | str, *, by: str = SOFTWARE, **fields: Any) -> Round:
        """Return the round after a command: `decide`, then `evolve` for each event."""
        events = self.decide(command, by=by, **fields)
        return self._after([event.event for event in events])

    def advance(self) -> Round:
        """Return the round after all steps of the dealer and the floorperson until a player has to
        act or the round is over. They close the bets first, if they are open."""
        state = self
        while command := state._next_command():
            state = state.play(command)
        return state

    def describe(self, event: RoundEvent) -> tuple[str, ...]:
        """Return an event in words. This must be the round after the event."""
        return tuple(describe_event(event.event, self._table()))

    def _next_command(self) -> RoundCommand | None:
        if self.phase == "over":
            return None
        if self.phase == "betting":
            if not self.state.seats:
                raise Refusal("nobody has bet yet", code="not_now")
            return CloseBets()
        if self.state.claim is not None:
            return ValidateProgressive(self.state.claim.seat)
        command = dealer_command(self._table(), self.rulebook.rules, every_seat=True)
        return command if isinstance(command, _OF_ROUNDS) else None

    def _table(self) -> TableState:
        book = self.rulebook
        return TableState(
            "round", book.id, book.submission_json, rulebook_text=book.text, round=self.state
        )

    def _after(self, events: Iterable[EngineEvent]) -> Round:
        state, meters, rules = self.state, self.meters, self.rulebook.rules
        for event in events:
            if isinstance(event, ProgressivePaid) and state.claim is not None:
                name, line = event.line.from_meter, event.line
                if name:
                    left = meters[name].cents - line.net - line.stake
                    cents = rules.resets[name] if state.claim.percent == 100 else left
                    meters = meters | {name: Money.of_cents(cents)}
            state = evolve(state, event, rules)
        return Round(self.rulebook, state, meters)

    def __repr__(self) -> str:
        seat = asked_seat(self.state)
        waiting = self.phase if seat is None else f"{seat.player} is asked"
        return f"<Round {self.rulebook.id} {self.number}: {waiting}>"


def _wrapped(event: EngineEvent) -> RoundEvent:
    tag = type(event).__struct_config__.tag
    return RoundEvent(str(tag), event)


def written_command(tag: str, fields: Mapping[str, Any], actor: Actor) -> TableCommand:
    """Return a command from its name and its fields, written as the API writes them."""
    forms = _forms(COMMANDS[tag]) if tag in COMMANDS else {}
    data: dict[str, Any] = {"type": tag}
    data |= {name: _as_text(value, forms.get(name)) for name, value in fields.items()}
    cards = data.get("cards", "")
    try:
        if isinstance(cards, str):
            data |= {"cards": [str(card) for card in cards_in(cards)]} if cards else {}
        else:
            data["cards"] = format_cards(cards).split()
        return command_from_data(data, actor)
    except TypeError as error:
        raise BadRequest(f"{tag} cannot be read: {error}") from None


@cache
def _forms(command: type[Command]) -> dict[str, Any]:
    return get_type_hints(command)


def _as_text(value: Any, form: Any) -> object:
    """Return amounts as the API writes them; anything else unchanged."""
    if form is Cents or Cents in get_args(form):
        if isinstance(value, Mapping):
            return {name: Money(amount).text for name, amount in value.items()}
        return value if value is None else Money(value).text
    return value
