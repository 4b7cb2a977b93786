"""The course of a round of streets: the order in which cards are seen, and the decisions between.

Cards are seen one after another, in the order of `Course.order`. A decision is taken after a number
of them (its `time`); cards dealt together come in any order, which changes nothing. Bets are
counted in units of one required wager.

A `SeenHand` sorts sets of cards into the few results that matter: by the leaves of paytable lines
that hold for them, or by whether they are good enough for a bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import factorial, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.game.course import seen_at
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import Masks, values_of
from croupier.mathematics.side_wagers.columns import bits_of_hand
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Decision, Hand, LeastHand, Rulebook

Place: TypeAlias = tuple[str, int]
"""A card on the table: `("player", 0)` is the first of one's own."""
Units: TypeAlias = tuple[int, ...]
"""The bet on each wager of the main game, in the order of `Course.wagers`."""


class Answer(NamedTuple):
    """An answer to a decision: afterwards `units` are bet on `wager` (an index among the wagers, -1
    for none), or none if it is taken back."""

    word: str
    wager: int = -1
    units: int = 0
    folds: bool = False


class StreetsQuestion(NamedTuple):
    """A decision of the rulebook: asked after `time` cards, unless the wager that it bets is
    already bet, or the one that it could take back is gone (indexes among the wagers, -1 for none).
    """

    decision: Decision
    time: int
    answers: tuple[Answer, ...]
    bet: int
    taken: int

    def is_asked(self, units: Units) -> bool:
        is_down = self.bet >= 0 and units[self.bet] > 0
        is_gone = self.taken >= 0 and not units[self.taken]
        return not is_down and not is_gone


class Course(NamedTuple):
    """All cards that a hand or a player looks at, in the order in which they are seen."""

    order: tuple[Place, ...]
    """All cards that a hand or a player looks at, as they are seen."""
    wagers: tuple[str, ...]
    """Required and decided ones."""
    questions: tuple[StreetsQuestion, ...]
    start: Units

    def places_of(self, hand: Hand) -> frozenset[Place]:
        """Return the cards of a named hand."""
        places: set[Place] = set()
        for text in hand.cards:
            where, _, first = text.partition(":")
            held = [place for place in self.order if place[0] == where]
            places.update(place for place in held if not first or place[1] < int(first))
        return frozenset(places)

    def with_cards_gone(self, count: int) -> Course:
        """Return the same course after `count` cards were seen that are in no hand, such as other
        players'."""
        gone = tuple([("gone", number) for number in range(count)])
        later = [question._replace(time=question.time + count) for question in self.questions]
        return self._replace(order=gone + self.order, questions=tuple(later))

    def steps(self) -> dict[Place, int]:
        """Return by card how many decisions come before it is seen."""
        return {
            place: sum(question.time <= seen for question in self.questions)
            for seen, place in enumerate(self.order)
        }

    def exchanges(self, alike: dict[Place, object]) -> int:
        """Return in how many orders the same deal can come: cards of one step that nothing
        distinguishes."""
        counts: dict[object, int] = {}
        for place, step in self.steps().items():
            key = step, place[0], alike[place]
            counts[key] = counts.get(key, 0) + 1
        return prod(map(factorial, counts.values()))


def course_of(rules: Rules) -> Course:
    book = rules.book
    wagers = tuple([n for n, wager in book.wagers.items() if wager.role != "optional"])
    start = tuple([int(book.wagers[name].role == "required") for name in wagers])
    questions = [
        StreetsQuestion(
            decision,
            own + shown,
            _answers(decision, wagers),
            wagers.index(decision.wager) if decision.wager else -1,
            wagers.index(decision.takes_back) if decision.takes_back else -1,
        )
        for decision, (own, shown) in zip(book.decisions, seen_at(book), strict=True)
    ]
    return Course(_order(book), wagers, tuple(questions), start)


def _answers(decision: Decision, wagers: tuple[str, ...]) -> tuple[Answer, ...]:
    answers = [
        Answer(word, wagers.index(decision.wager), multiple)
        for word, multiple in decision.bets.items()
    ]
    if decision.takes_back:
        answers.append(Answer(TAKE_BACK, wagers.index(decision.takes_back)))
    answers.append(Answer(decision.otherwise, folds=decision.otherwise == "fold"))
    return tuple(answers)


def _order(book: Rulebook) -> tuple[Place, ...]:
    """Return own cards that are looked at first, then those that each reveal turns up, then the
    rest."""
    counts = {"player": book.cards.player, "community": book.cards.community}
    seen = {"player": book.cards.player - sum(r.player for r in book.reveals), "community": 0}
    order: list[Place] = [("player", number) for number in range(seen["player"])]
    for reveal in book.reveals:
        for place, count in (("player", reveal.player), ("community", reveal.community)):
            order += [(place, number) for number in range(seen[place], seen[place] + count)]
            seen[place] += count
    for place, count in counts.items():
        order += [(place, number) for number in range(seen[place], count)]
    return tuple(order)


@dataclass
class SeenHand:
    """A hand whose sets of cards are sorted into results. `sort` gives a number for every set of
    cards; `results` lists them as they come up, so that a result is an index in it."""

    name: str
    places: frozenset[Place]
    sort: Callable[[Masks], NDArray[np.int64]]
    suits: frozenset[str]
    """The sets of suits that are named: others are all alike."""
    results: list[int] = field(default_factory=list)

    def of(self, masks: Masks) -> NDArray[np.int64]:
        """Return the results of these sets of cards."""
        numbers, where = np.unique(self.sort(masks), return_inverse=True)
        for number in numbers.tolist():
            if number not in self.results:
                self.results.append(number)
        places = np.array([self.results.index(number) for number in numbers.tolist()], np.int64)
        return places[where]


def paid_hands(rules: Rules, course: Course, leaves: Sequence[Leaf]) -> Iterable[SeenHand]:
    """Return a hand for each that a leaf looks at; its numbers are the leaves that hold, as
    bits."""
    for name in dict.fromkeys(leaf.hand for leaf in leaves):
        hand = rules.book.hands[name]

        def sort(masks: Masks, name: str = name) -> NDArray[np.int64]:
            return bits_of_hand(leaves, name, ranking_of(rules.book, name), masks)

        suits = frozenset(leaf.suits for leaf in leaves if leaf.hand == name and leaf.suits)
        yield SeenHand(name, course.places_of(hand), sort, suits)


def least_hand(rules: Rules, course: Course, least: LeastHand) -> SeenHand:
    """Return a hand whose result is 1 if it is good enough for the bet."""
    hand = rules.book.hands[least.hand]
    ranking = ranking_of(rules.book, least.hand)
    enough = ranking.least(least.at_least, least.of)

    def sort(masks: Masks) -> NDArray[np.int64]:
        return (values_of(ranking, masks) >= enough).astype(np.int64)

    return SeenHand(least.hand, course.places_of(hand), sort, frozenset())


def kept_apart(course: Course) -> SeenHand:
    """Return a hand that pays nothing and separates own cards from community cards up to
    the last."""
    own = frozenset(place for place in course.order if place[0] == "player")

    def sort(masks: Masks) -> NDArray[np.int64]:
        return np.zeros(masks.size, np.int64)

    return SeenHand("own cards", own | {course.order[-1]}, sort, frozenset())
