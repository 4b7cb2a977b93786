"""Advice in the rulebook's words: what may be said at the decision put now, on all said before.

Up to the flop the solution has the answer; later the cards that are left are dealt out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.errors import BadCards, suggest
from croupier.mathematics.counters.boards.games import HoldemGame, Level, Path
from croupier.mathematics.counters.boards.geometry import place_of_cards
from croupier.mathematics.counters.boards.rulebook import game_of, solution_of
from croupier.mathematics.counters.boards.solver import Stage
from croupier.mathematics.questions.advice.dealing_out import DealtOut
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules

__all__ = ["advise_holdem"]


def advise_holdem(rules: Rules, situation: Situation) -> Advice:
    game = game_of(rules)
    _check(rules, situation)
    path = _path(rules, game, situation)
    number = _asked(rules, game, situation, path)
    values = _answers(rules, game, situation, path, number)
    return Advice(rules.book.decisions[number].name, values, max(values, key=lambda w: values[w]))


def _check(rules: Rules, situation: Situation) -> None:
    book, own, shown = rules.book, len(situation.own), len(situation.community)
    names = {decision.name: decision.sees_community for decision in book.decisions}
    if situation.known:
        raise BadCards("no other player's card is seen in this game: leave out the known ones")
    if situation.decision and situation.decision not in names:
        raise suggest("decision", situation.decision, names)
    wanted = names.get(situation.decision, shown)
    if own != book.cards.player or shown not in names.values() or wanted != shown:
        counts = ", ".join(dict.fromkeys(map(str, names.values())))
        raise BadCards(
            f"{own} own and {shown} community cards: a decision is taken on {book.cards.player} "
            f"own cards and {counts} community cards",
            clause=book.decisions[0].clause,
        )


def _path(rules: Rules, game: HoldemGame, situation: Situation) -> Path:
    """What has been said before the decision put now: as stated, or as the best play says of what
    leads to it."""
    seen, names = len(situation.community), [decision.name for decision in rules.book.decisions]
    said = None if situation.said is None else list(situation.said)
    path, put = game.levels[0].arriving[0], _put_now(rules, game, situation)
    for number, question in enumerate(game.questions):
        is_here = question.seen == seen and situation.decision in ("", names[number])
        if question.seen > seen or path.folded or (is_here and not said):
            break
        if path.bets[question.wager]:
            continue
        if said is None:
            before = situation._replace(community=situation.community[: question.seen])
            path = _best_before(rules, game, before, path, number, put)
        elif said:
            path = _told(path, game, number, said.pop(0))
        else:
            raise BadCards(
                f"before {situation.decision or f'{seen} community cards'} a player has answered "
                f"{names[number]}: say how"
            )
    if said:
        raise BadCards(f"{said[0]!r} was said after the last question before these cards")
    return path


def _told(path: Path, game: HoldemGame, number: int, word: str) -> Path:
    found = dict(_next(path, game, number))
    if word not in found:
        raise suggest("answer", word, found)
    return found[word]


def _put_now(rules: Rules, game: HoldemGame, situation: Situation) -> int:
    """The number of the question that is put, or of the first one on these cards."""
    names = [decision.name for decision in rules.book.decisions]
    if situation.decision:
        return names.index(situation.decision)
    seen = len(situation.community)
    return next(n for n, question in enumerate(game.questions) if question.seen == seen)


def _best_before(
    rules: Rules, game: HoldemGame, situation: Situation, path: Path, number: int, put: int
) -> Path:
    """The best answer after which the question `put` may still be asked."""
    following = {
        word: after
        for word, after in _next(path, game, number)
        if any(
            later.said[: len(after.said)] == after.said and put in dict(later.said)
            for later in game.paths
        )
    }
    if len(following) == 1:
        return next(iter(following.values()))
    values = _answers(rules, game, situation, path, number)
    if not following:
        return max(_next(path, game, number), key=lambda item: values[item[0]])[1]
    return following[max(following, key=lambda word: values[word])]


def _asked(rules: Rules, game: HoldemGame, situation: Situation, path: Path) -> int:
    """The number of the question that the path comes to now."""
    answered = {number for number, _ in path.said}
    for number, question in enumerate(game.questions):
        if (
            question.seen == len(situation.community)
            and number not in answered
            and not path.folded
            and not path.bets[question.wager]
            and situation.decision in ("", rules.book.decisions[number].name)
        ):
            return number
    told = ", ".join(word for _, word in path.said) or "nothing"
    raise BadCards(f"nothing is asked on these cards after {told}: look at what was said before")


def _next(path: Path, game: HoldemGame, number: int) -> Iterator[tuple[str, Path]]:
    """Each answer to a question, and the path that it leads to."""
    level = next(level for level in game.levels if level.seen == game.questions[number].seen)
    said = len(path.said)
    for leaving in (each for paths in level.leaving for each in paths):
        if leaving.said[:said] == path.said and leaving.said[said : said + 1]:
            asked, word = leaving.said[said]
            if asked == number:
                folded = leaving.folded and len(leaving.said) == said + 1
                yield word, _up_to(leaving, game, said + 1, folded=folded)


def _up_to(leaving: Path, game: HoldemGame, count: int, *, folded: bool) -> Path:
    """The path as it was after its first answers."""
    bets = [0] * len(game.decided)
    for number, word in leaving.said[:count]:
        bets[game.questions[number].wager] += dict(game.questions[number].bets).get(word, 0)
    return Path(leaving.said[:count], tuple(bets), folded)


def _answers(
    rules: Rules, game: HoldemGame, situation: Situation, path: Path, number: int
) -> dict[str, Fraction]:
    """What every answer is worth: the best of the paths that it lets leave on the same cards."""
    question = game.questions[number]
    level = next(level for level in game.levels if level.seen == question.seen)
    words = (*(word for word, _ in question.bets), question.decline)
    found: dict[str, Fraction] = {}
    worth = _Worth(rules, game, level, situation)
    for word in words:
        said = (*path.said, (number, word))
        leaving = [p for paths in level.leaving for p in paths if p.said[: len(said)] == said]
        found[word] = max(worth.of(each) for each in leaving)
    return found


class _Worth:
    """What the paths that leave a decision are worth, for one hand and what is seen."""

    def __init__(self, rules: Rules, game: HoldemGame, level: Level, situation: Situation) -> None:
        self.game = game
        own, community = situation.own, situation.community
        self._dealt = DealtOut(game, own, community) if level.seen > 3 else None
        solution = solution_of(rules) if level.seen <= 3 else None
        self._stage = None if solution is None else solution.stages[level.seen]
        self._place = 0 if solution is None else place_of_cards(game.deck, own, community)

    def of(self, path: Path) -> Fraction:
        if path.folded:
            return Fraction(self.game.fold(path.bets), self.game.scale)
        if self._dealt is not None:
            return self._dealt.value(path)
        stage = self._stage
        assert isinstance(stage, Stage)
        size = 1 if stage.size is None else int(stage.size[self._place])
        total = int(stage.onward[path][self._place])
        return Fraction(total, size * stage.ways * self.game.scale)
