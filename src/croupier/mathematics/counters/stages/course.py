"""The course of a round of streets: in which order cards are seen, and what is asked when.

Cards are seen one after the other, in the order of `Course.order`. A decision is taken after so
many of them (its `time`); those dealt together come in any order, which changes nothing. What a
player has bet is counted in units of one required wager.
"""

from __future__ import annotations

from math import factorial, prod
from typing import NamedTuple, TypeAlias

from croupier.mathematics.game.course import seen_at
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Decision, Hand, Rulebook

__all__ = ["Answer", "Course", "Place", "Question", "Units", "course_of"]

Place: TypeAlias = tuple[str, int]
"""A card on the table: `("player", 0)` is the first of one's own."""
Units: TypeAlias = tuple[int, ...]
"""What lies on each wager of the main game, in the order of `Course.wagers`."""


class Answer(NamedTuple):
    """Something that may be said: on `wager` (a place among the wagers, -1 for none) lie so many
    `units` afterwards, none where it is taken back."""

    word: str
    wager: int = -1
    units: int = 0
    folds: bool = False


class Question(NamedTuple):
    """A decision of the rulebook: asked after `time` cards, unless the wager that is bet there is
    down, or the one that could be taken back is gone (places among the wagers, -1 for none)."""

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
    order: tuple[Place, ...]
    """All cards that a hand or a player looks at, as they are seen."""
    wagers: tuple[str, ...]
    """Required and decided ones."""
    questions: tuple[Question, ...]
    start: Units

    def places_of(self, hand: Hand) -> frozenset[Place]:
        """The cards of a named hand."""
        found: set[Place] = set()
        for text in hand.cards:
            kind, _, first = text.partition(":")
            held = [place for place in self.order if place[0] == kind]
            found.update(place for place in held if not first or place[1] < int(first))
        return frozenset(found)

    def with_cards_gone(self, count: int) -> Course:
        """The same course after `count` cards were seen that lie in no hand, such as those of other
        players."""
        gone = tuple([("gone", number) for number in range(count)])
        later = [question._replace(time=question.time + count) for question in self.questions]
        return self._replace(order=gone + self.order, questions=tuple(later))

    def steps(self) -> dict[Place, int]:
        """By card: how many decisions come before it is seen."""
        return {
            place: sum(question.time <= seen for question in self.questions)
            for seen, place in enumerate(self.order)
        }

    def exchanges(self, alike: dict[Place, object]) -> int:
        """In how many orders the same deal comes: cards of one step that nothing tells apart."""
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
        Question(
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
    found = [
        Answer(word, wagers.index(decision.wager), multiple)
        for word, multiple in decision.bets.items()
    ]
    if decision.takes_back:
        found.append(Answer(TAKE_BACK, wagers.index(decision.takes_back)))
    found.append(Answer(decision.otherwise, folds=decision.otherwise == "fold"))
    return tuple(found)


def _order(book: Rulebook) -> tuple[Place, ...]:
    """Own cards that are looked at first, then those that each reveal turns up, then the rest."""
    counts = {"player": book.cards.player, "community": book.cards.community}
    seen = {"player": book.cards.player - sum(r.player for r in book.reveals), "community": 0}
    order: list[Place] = [("player", number) for number in range(seen["player"])]
    for reveal in book.reveals:
        for kind, count in (("player", reveal.player), ("community", reveal.community)):
            order += [(kind, number) for number in range(seen[kind], seen[kind] + count)]
            seen[kind] += count
    for kind, count in counts.items():
        order += [(kind, number) for number in range(seen[kind], count)]
    return tuple(order)
