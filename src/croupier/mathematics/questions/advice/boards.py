"""Advice for hold'em on a board, whole or short, in the rulebook's words: what may be said at the
decision put now, after all that was said before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias

from croupier.cards import Card
from croupier.errors import BadCards, suggest
from croupier.mathematics.counters.boards.games import (
    Level,
    Path,
    Question,
    answers_to,
    paths_of,
)
from croupier.mathematics.counters.boards.geometry import hand_number, place_of_cards
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.short_boards import holdem_solution as short_solution_of
from croupier.mathematics.questions.advice.dealing_out import DealtOut
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules

Worth: TypeAlias = Callable[[Path], Fraction]
"""Of a path that leaves a level on some cards."""
WorthOf: TypeAlias = Callable[[Level, Sequence[Card], Sequence[Card]], Worth]
"""By level, own cards and community cards."""


def advise_holdem(rules: Rules, situation: Situation) -> Advice:
    """Up to the flop the solution has the answer; later the cards that are left are dealt out."""
    game = holdem_game(rules)

    def worth_of(level: Level, own: Sequence[Card], community: Sequence[Card]) -> Worth:
        if level.seen > 3:
            return DealtOut(game, own, community).value
        stage = holdem_solution(rules).stages[level.seen]
        place = place_of_cards(game.deck, own, community)
        unit = (1 if stage.size is None else int(stage.size[place])) * stage.ways * game.scale

        def worth(path: Path) -> Fraction:
            if path.folded:
                return Fraction(game.fold(path.bets), game.scale)
            return Fraction(int(stage.onward[path][place]), unit)

        return worth

    return _Advisor(rules, situation, game, worth_of).advice()


def advise_short_board(rules: Rules, situation: Situation) -> Advice:
    """A board of three or four cards: all is asked of the solution."""
    solution = short_solution_of(rules)

    def worth_of(level: Level, own: Sequence[Card], community: Sequence[Card]) -> Worth:
        hand = hand_number(own)
        if not level.seen:
            of_class = int(solution.classes[hand])
            unit = int(solution.number[of_class]) * solution.deals_after(-1) * solution.game.scale
            return lambda path: Fraction(int(solution.by_class[path][of_class]), unit)
        at = solution.after.index(level)
        values = solution.seen(at, sum(1 << int(card) for card in community))
        unit = solution.deals_after(at) * solution.game.scale
        sums = {
            path: each[hand]
            for arriving, paths in zip(level.arriving, level.leaving, strict=True)
            for path, each in zip(paths, values[arriving], strict=True)
        }
        return lambda path: Fraction(int(sums[path]), unit)

    return _Advisor(rules, situation, solution.game, worth_of).advice()


class _BoardGame(Protocol):
    @property
    def questions(self) -> tuple[Question, ...]: ...

    @property
    def levels(self) -> tuple[Level, ...]: ...


class _Advisor:
    """A question of the rulebook is a question of the game, under the same number."""

    def __init__(
        self, rules: Rules, situation: Situation, game: _BoardGame, worth_of: WorthOf
    ) -> None:
        self._rules, self._situation, self._game = rules, situation, game
        self._worth_of = worth_of
        self._names = [decision.name for decision in rules.book.decisions]
        self._seen = len(situation.community)

    def advice(self) -> Advice:
        self._check()
        path = self._path()
        number = self._asked(path)
        values = self._values(path, number)
        return Advice(self._names[number], values, self._best(values))

    def _check(self) -> None:
        book, situation, own = self._rules.book, self._situation, len(self._situation.own)
        names = {decision.name: decision.sees_community for decision in book.decisions}
        if situation.known:
            raise BadCards("no other player's card is seen in this game: leave out the known ones")
        if situation.decision and situation.decision not in names:
            raise suggest("decision", situation.decision, names)
        wanted = names.get(situation.decision, self._seen)
        if own != book.cards.player or self._seen not in names.values() or wanted != self._seen:
            counts = ", ".join(dict.fromkeys(map(str, names.values())))
            raise BadCards(
                f"{own} own and {self._seen} community cards: a decision is taken on "
                f"{book.cards.player} own cards and {counts} community cards",
                clause=book.decisions[0].clause,
            )

    def _path(self) -> Path:
        """What has been said before the decision put now: as stated, or as the best play says of
        what leads to it."""
        decision, said = self._situation.decision, self._situation.said
        left = None if said is None else list(said)
        path = self._game.levels[0].arriving[0]
        for number, question in enumerate(self._game.questions):
            is_here = question.seen == self._seen and decision in ("", self._names[number])
            if question.seen > self._seen or path.folded or (is_here and not left):
                break
            if path.bets[question.wager]:
                continue
            if left is None:
                path = self._best_before(path, number)
            elif left:
                answers = {each.said[-1][1]: each for each in answers_to(path, number, question)}
                word = left.pop(0)
                if word not in answers:
                    raise suggest("answer", word, answers)
                path = answers[word]
            else:
                raise BadCards(
                    f"before {decision or f'{self._seen} community cards'} a player has answered "
                    f"{self._names[number]}: say how"
                )
        if left:
            raise BadCards(f"{left[0]!r} was said after the last question before these cards")
        return path

    def _best_before(self, path: Path, number: int) -> Path:
        """The best answer after which the question put now may still be asked."""
        put = next(
            n
            for n, question in enumerate(self._game.questions)
            if question.seen == self._seen and self._situation.decision in ("", self._names[n])
        )
        answers = answers_to(path, number, self._game.questions[number])
        leading = [answer for answer in answers if self._leads_to(answer, put)] or answers
        if len(leading) == 1:
            return leading[0]
        values = self._values(path, number)
        by_word = {answer.said[-1][1]: answer for answer in leading}
        return by_word[self._best({word: values[word] for word in by_word})]

    def _leads_to(self, path: Path, number: int) -> bool:
        paths = paths_of(self._game.levels)
        return any(_follows(later, path) and number in dict(later.said) for later in paths)

    def _asked(self, path: Path) -> int:
        """The number of the question that the path comes to now."""
        answered = dict(path.said)
        for number, question in enumerate(self._game.questions):
            if (
                question.seen == self._seen
                and number not in answered
                and not path.folded
                and not path.bets[question.wager]
                and self._situation.decision in ("", self._names[number])
            ):
                return number
        said = ", ".join(word for _, word in path.said) or "nothing"
        raise BadCards(
            f"nothing is asked on these cards after {said}: look at what was said before"
        )

    def _values(self, path: Path, number: int) -> dict[str, Fraction]:
        """For each answer the best of the paths that it lets leave on the same cards."""
        question = self._game.questions[number]
        level = next(level for level in self._game.levels if level.seen == question.seen)
        worth = self._worth_of(
            level, self._situation.own, self._situation.community[: question.seen]
        )
        leaving = [each for paths in level.leaving for each in paths]
        return {
            answer.said[-1][1]: max(worth(each) for each in leaving if _follows(each, answer))
            for answer in answers_to(path, number, question)
        }

    def _best(self, values: dict[str, Fraction]) -> str:
        words = list(values) if self._rules.takes_first else list(values)[::-1]
        return max(words, key=lambda word: values[word])


def _follows(later: Path, path: Path) -> bool:
    return later.said[: len(path.said)] == path.said
