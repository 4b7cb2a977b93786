"""The flow of a round under its rulebook: its questions and reveals in order, and the answers a
seat may give."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from croupier.errors import RuleBroken, shown
from croupier.rounds.held_hands import hands_of_seat, hands_of_table, least_value, plans_of
from croupier.rounds.paytable_lines import least_in_words, or_better, pattern_named
from croupier.rounds.state import CompletedRound, PlayedSeat, Round, SeatInRound
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules, progressive_wager
from croupier.rulebooks.schema import (
    TAKE_BACK,
    Decision,
    HighestHand,
    Pattern,
    Reveal,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)


def looks_at(name: str, rules: Rules, place: str) -> bool:
    """Return whether the wager's settlement looks at cards of this place (`community`, `dealer`). A
    wager that is not settled by a paytable alone is assumed to look everywhere."""
    settles = rules.book.wagers[name].settles
    if not isinstance(settles, VersusPaytable):
        return True
    own = any(part.startswith(place) for part in rules.book.hands[settles.hand].cards)
    return own or lines_look_at(settles, rules, place)


def lines_look_at(settles: VersusPaytable, rules: Rules, place: str) -> bool:
    """Return whether the paytable in force has a line that looks at cards of this place in addition
    to the hand's own."""
    lines = rules.paytable(settles.paytable).lines
    named = {pattern for line in lines for pattern in line.covers or (line.hand,)}
    patterns = [pattern_named(pattern, rules.book.patterns) for pattern in named]
    return any(_pattern_looks_at(pattern, rules, place) for pattern in patterns)


def _pattern_looks_at(pattern: Pattern, rules: Rules, place: str) -> bool:
    hand = rules.book.hands.get(pattern.hand)
    if hand is not None and any(part.startswith(place) for part in hand.cards):
        return True
    return any(_pattern_looks_at(part, rules, place) for part in (*pattern.also, *pattern.unless))


class Ask(NamedTuple):
    """A question: the dealer asks every player who has not already answered it with a bet."""

    decision: Decision


class Show(NamedTuple):
    """A reveal: community cards, cards of each player or the dealer's first cards are turned up."""

    reveal: Reveal


class RoundFlow:
    """A rulebook in force, analyzed once for the engine."""

    def __init__(self, rules: Rules) -> None:
        book = rules.book
        self.steps: tuple[Ask | Show, ...] = tuple(_steps(book))
        self.first_look = _first_look(book)
        """The number of their own cards that players may look at before the first question."""
        self.has_dealer = book.dealer is not None
        self.turns_up = any(reveal.dealer for reveal in book.reveals)
        """Whether some of the dealer's cards are turned up before the whole hand is shown."""
        self.coupon_on = book.procedure.coupon_on
        self.dealing = dealing_in_force(rules)
        self.lawful: set[tuple[tuple[str, int], ...]] = set()
        """Cache of first bets of a seat that passed the checks: most players repeat theirs."""
        self.progressive = progressive_wager(book)
        self.taken_before_deal = frozenset(
            name for name, wager in book.wagers.items() if wager.taken_before_deal
        )
        self.decided_by_fold = frozenset(
            name
            for name, wager in book.wagers.items()
            if isinstance(wager.settles, VersusDealer) or wager.after_fold == "loses"
        )
        """Wagers that a fold decides, whatever the cards: if a seat has no others, its folded hand
        is mucked."""
        self.on_every_hand = frozenset(
            name for name, wager in book.wagers.items() if isinstance(wager.settles, HighestHand)
        )
        self.off_board = frozenset(
            name for name in book.wagers if not looks_at(name, rules, "community")
        )
        """Wagers that need no community card."""
        self.right_numbers = {
            name: book.cards.player if accident.counts == "hand" else book.cards.box
            for name, accident in book.irregularities.items()
            if accident.counts
        }
        """The right number of cards, by the irregularity that reports a wrong number."""
        self.wagers_on_box = frozenset(
            name
            for name, wager in book.wagers.items()
            if (hand := getattr(wager.settles, "hand", None)) is not None
            and any(place.startswith("box") for place in book.hands[hand].cards)
        )


def _steps(book: Rulebook) -> Iterator[Ask | Show]:
    community, looked, dealer = 0, _first_look(book), 0
    reveals = list(book.reveals)
    for decision in book.decisions:
        while reveals and (
            community < decision.sees_community
            or looked < decision.sees_player
            or dealer < decision.sees_dealer
        ):
            reveal = reveals.pop(0)
            community += reveal.community
            looked += reveal.player
            dealer += reveal.dealer
            yield Show(reveal)
        yield Ask(decision)
    yield from map(Show, reveals)


def _first_look(book: Rulebook) -> int:
    turned_later = sum(reveal.player for reveal in book.reveals)
    return book.cards.player - turned_later


def flow_of(rules: Rules) -> RoundFlow:
    flow = rules.prepared.get(RoundFlow)
    if flow is None:
        flow = rules.prepared[RoundFlow] = RoundFlow(rules)
    return flow  # type: ignore[return-value]


class Answer(NamedTuple):
    """A question put to a seat and its answer; `action` is None if there is none yet."""

    place: int
    """The decision's index in the rulebook."""
    decision: Decision
    action: str | None


def is_open(
    decision: Decision, placed: Collection[str], decided: Collection[str], back: Collection[str]
) -> bool:
    """Return whether the question is still to be asked, given the wagers placed, put down in play
    and taken back. A bet answers every question about the same wager."""
    if decision.wager in decided:
        return False
    name = decision.takes_back
    return not name or (name not in back and (name in placed or name in decided))


def answers_given(
    decisions: Iterable[Decision], placed: Collection[str], said: Iterable[str]
) -> Iterator[Answer]:
    """Yield the questions that a seat with these wagers is asked, each with its answer. Nothing is
    asked after a fold."""
    words = iter(said)
    decided: set[str] = set()
    back: set[str] = set()
    for place, decision in enumerate(decisions):
        if not is_open(decision, placed, decided, back):
            continue
        action = next(words, None)
        yield Answer(place, decision, action)
        if action == "fold":
            return
        if action in decision.bets:
            decided.add(decision.wager)
        elif action == TAKE_BACK and decision.takes_back:
            back.add(decision.takes_back)


def answers_of(seat: SeatInRound, rules: Rules) -> tuple[str, ...]:
    """Return the seat's answers. A player who left declines every question still to be asked."""
    if not seat.left or seat.folded:
        return seat.actions
    said: list[str] = []
    for answer in answers_given(rules.book.decisions, seat.wagers, seat.actions):
        said.append(answer.action or answer.decision.otherwise)
        if said[-1] == "fold":
            break
    return tuple(said)


def is_lost(state: Round, seat: SeatInRound, rules: Rules) -> bool:
    """Return whether all wagers of the seat are lost because the player left: by a floorperson's
    ruling, or because they left a question open and the rulebook makes them lose for it (MD-37)."""
    if seat.abandoned or not seat.left or state.void:
        return seat.abandoned
    undecided = len(answers_of(seat, rules)) > len(seat.actions)
    return undecided and rules.book.procedure.left_undecided == "loses"


def cannot_be_said(decision: Decision, action: str) -> RuleBroken:
    """Return the refusal of an answer that the question does not allow."""
    return RuleBroken(
        f"{shown(action)} cannot be said at the {decision.name} decision: say "
        f"{' or '.join(decision.answers)}",
        clause=decision.clause,
    )


def check_allowed(
    decision: Decision, action: str, seat: PlayedSeat, played: CompletedRound, rules: Rules
) -> None:
    """Refuse a bet that requires a better hand than the seat has, if its cards are known."""
    weak = too_weak(decision, seat, played, rules).get(action)
    if weak is not None:
        raise RuleBroken(weak, clause=decision.only_with[action].clause or decision.clause)


def too_weak(
    decision: Decision, seat: PlayedSeat, played: CompletedRound, rules: Rules
) -> Mapping[str, str]:
    """Return the bets that the seat's hand does not allow, each with the reason in a sentence.
    Cards that are not known yet rule out nothing."""
    if not decision.only_with:
        return {}
    plans, counts = plans_of(rules), rules.book.cards
    hands = hands_of_seat(plans, hands_of_table(plans, played), seat)
    refused = {}
    for action, least in decision.only_with.items():
        plan = plans[least.hand]
        is_known = all(
            len(hands.place(place)) == (place[1] or getattr(counts, place[0]))
            for place in plan.places
        )
        if is_known and hands[least.hand].value < least_value(plan, least.at_least, least.of):
            refused[action] = f"{action} takes {or_better(least_in_words(least))}"
    return refused


def as_played(state: Round, seat: SeatInRound) -> tuple[PlayedSeat, CompletedRound]:
    """Return the seat and the round as far as they are known now."""
    mine = PlayedSeat(seat.number, seat.player, seat.cards, seat.wagers, seat.actions)
    return mine, CompletedRound((mine,), state.community, state.dealer, state.box)


def completed(
    state: Round, rules: Rules, seats: Sequence[SeatInRound] | None = None
) -> CompletedRound:
    """Return the round as the settlement takes it, with these of its seats. Questions that a player
    left open count as declined."""
    return CompletedRound(
        seats=tuple(
            [
                PlayedSeat(
                    seat.number,
                    seat.player,
                    seat.cards,
                    seat.wagers,
                    answers_of(seat, rules),
                )
                for seat in (state.seats if seats is None else seats)
            ]
        ),
        community=state.community,
        dealer=state.dealer,
        box=state.box,
    )
