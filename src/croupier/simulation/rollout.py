"""Players for games without a solver: trial rounds (rollouts) or a written strategy.

`RolloutPlayer` deals the unseen cards at random a number of times, plays each trial round to its
end with every answer, and gives the answer that did best. It is a fixed strategy: its draws depend
only on a seed and on the cards seen. Its value is therefore a lower bound on the value of the best
play, and sampled rounds in which it plays are independent of each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from croupier.cards import Card
from croupier.errors import Unsolvable
from croupier.mathematics.questions.strategies.compiling import decide_all
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.features import SeenFeature
from croupier.mathematics.questions.strategies.situations import seen_situations
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from croupier.rounds.round_flow import answers_given, too_weak
from croupier.rounds.settlement import Settling
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from croupier.runtime.players import TurnView

_INNER: Final = 4
"""Trial rounds for a decision within a trial round; these look no further ahead."""


def seen_by(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> TurnView:
    """Return what the seat sees at this decision of a round whose cards are all known."""
    view = TurnView(
        seat.cards[: decision.sees_player],
        dealt.community[: decision.sees_community],
        decision,
        seat.actions,
        dealt.dealer[: decision.sees_dealer],
    )
    return view._replace(refused=_refused(view, rules))


def _refused(seen: TurnView, rules: Rules) -> tuple[str, ...]:
    if not seen.decision.only_with:
        return ()
    seat = PlayedSeat(1, "player", seen.cards, {}, seen.said)
    known = CompletedRound((seat,), seen.community, seen.dealer)
    return tuple(too_weak(seen.decision, seat, known, rules))


def main_net(dealt: CompletedRound, rules: Rules) -> int:
    """Return the net of the first seat's wagers together, in cents, before payout limits."""
    lines = Settling(dealt, rules).lines(0, dict(rules.resets))
    return sum([line.net + line.forgone for line in lines])


class RolloutPlayer:
    """A player that plays `draws` trial rounds for each decision. `placed` are the wagers of the
    main game."""

    def __init__(self, rules: Rules, placed: Mapping[str, int], draws: int, seed: str) -> None:
        self._rules, self._placed, self._draws, self._seed = rules, placed, draws, seed
        self._known: dict[object, str] = {}

    def action(self, seen: TurnView) -> str:
        """Return the best answer found. Hands that differ only in suits or order get the same
        answer."""
        key = (seen.decision.name, seen.said, *_alike(seen), tuple(sorted(seen.refused)))
        answer = self._known.get(key)
        if answer is None:
            chance = random.Random(f"{self._seed}/{key}")
            answer = self._known[key] = self._best(seen, self._draws, chance, look_ahead=True)
        return answer

    def _best(self, seen: TurnView, draws: int, chance: random.Random, *, look_ahead: bool) -> str:
        words = [word for word in seen.decision.answers if word not in seen.refused]
        if len(words) == 1:
            return words[0]
        sums = {word: dict[tuple[str, ...], int]() for word in words}
        for _ in range(draws):
            dealt = self._trial(seen, chance)
            for word in words:
                said = (*seen.said, word)
                ends = self._every_end(dealt, said)
                if look_ahead:
                    ends = iter([((), self._played(dealt, said, chance))])
                for path, net in ends:
                    sums[word][path] = sums[word].get(path, 0) + net
        # max takes the first of equally good answers, as the solvers do.
        return max(words, key=lambda word: max(sums[word].values()))

    def _trial(self, seen: TurnView, chance: random.Random) -> CompletedRound:
        """Return a round with the cards seen and all other cards drawn at random."""
        left = list(cards_of(self._rules.book.deck))
        for card in (*seen.cards, *seen.community, *seen.dealer):
            left.remove(card)
        counts = self._rules.book.cards
        places = {
            "player": (seen.cards, counts.player),
            "community": (seen.community, counts.community),
            "dealer": (seen.dealer, counts.dealer),
            "box": ((), counts.box),
        }
        missing = sum(count - len(cards) for cards, count in places.values())
        drawn = iter(chance.sample(left, missing))
        filled = {
            place: (*cards, *[next(drawn) for _ in range(count - len(cards))])
            for place, (cards, count) in places.items()
        }
        seat = PlayedSeat(1, "player", filled["player"], self._placed, seen.said)
        return CompletedRound((seat,), filled["community"], filled["dealer"], filled["box"])

    def _asked(self, dealt: CompletedRound, said: tuple[str, ...]) -> TurnView | None:
        """Return the next question after these answers, or None."""
        for question in answers_given(self._rules.book.decisions, self._placed, said):
            if question.action is None:
                seat = PlayedSeat(1, "player", dealt.seats[0].cards, self._placed, said)
                return seen_by(question.decision, seat, dealt, self._rules)
        return None

    def _played(self, dealt: CompletedRound, said: tuple[str, ...], chance: random.Random) -> int:
        """Return the net of a trial round whose later decisions are made by short trials of their
        own."""
        while (seen := self._asked(dealt, said)) is not None:
            said = (*said, self._best(seen, _INNER, chance, look_ahead=False))
        return self._net(dealt, said)

    def _every_end(
        self, dealt: CompletedRound, said: tuple[str, ...], path: tuple[str, ...] = ()
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield every sequence of further answers with its net."""
        seen = self._asked(dealt, said)
        if seen is None:
            yield path, self._net(dealt, said)
            return
        for word in seen.decision.answers:
            if word not in seen.refused:
                yield from self._every_end(dealt, (*said, word), (*path, word))

    def _net(self, dealt: CompletedRound, said: tuple[str, ...]) -> int:
        seat = PlayedSeat(1, "player", dealt.seats[0].cards, self._placed, said)
        end = CompletedRound((seat,), dealt.community, dealt.dealer, dealt.box)
        return main_net(end, self._rules)


def _alike(seen: TurnView) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the cards seen, highest first in each place, with suits numbered in order of
    appearance."""
    suits: dict[int, int] = {}
    places = []
    for cards in (seen.cards, seen.community, seen.dealer):
        ordered = sorted(cards, key=lambda card: (-card.rank, card.suit))
        named = [(card.rank, suits.setdefault(card.suit, len(suits))) for card in ordered]
        places.append(tuple(named))
    return tuple(places)


# -- a written strategy ---------------------------------------------------------------------------


def plain_choices(rules: Rules) -> tuple[StrategyDecision, ...]:
    """Return the decisions of a game in the form a strategy text answers them."""
    return tuple(
        StrategyDecision(
            decision.name,
            decision.answers,
            CardsSeen(decision.sees_player, decision.sees_community),
        )
        for decision in rules.book.decisions
    )


class WrittenPlayer:
    """A player that follows a strategy text hand by hand in a game without a solver."""

    def __init__(self, rules: Rules, plan: WrittenStrategy) -> None:
        for decision in rules.book.decisions:
            if decision.sees_player not in (2, 3) or decision.sees_community > 5:
                raise Unsolvable(
                    f"no strategy can be written for {rules.book.id}: {decision.name!r} sees "
                    f"{decision.sees_player} own cards and {decision.sees_community} of the board, "
                    "and strategies are written for two or three own cards and at most five on the "
                    "board"
                )
        self._plan, self._rules = plan, rules
        self._sections = {section.choice.name: section for section in plan.sections}

    def action(self, seen: TurnView) -> str:
        section = self._sections[seen.decision.name]
        hand = seen_situations(_row(seen.cards), _row(seen.community))
        hand.features[SeenFeature.UNITS] = min(self._units(seen), 127)
        chosen = int(decide_all(self._plan, section, hand.features, hand.example)[0])
        word = section.choice.actions[chosen]
        if word in seen.refused:
            line = section.lines[-1].number
            raise self._plan.refuse(line, f"{word!r} may not be said with {hand.example(0)}")
        return word

    def _units(self, seen: TurnView) -> int:
        """Return the amount at stake, in units of a required wager."""
        required = self._rules.required
        units = len(required)
        for question in answers_given(self._rules.book.decisions, required, seen.said):
            units += question.decision.bets.get(question.action or "", 0)
            units -= question.action == "take_back"
        return units


def _row(cards: Sequence[Card]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array([int(card) for card in cards], np.int64).reshape(1, -1)
