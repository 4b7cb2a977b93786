"""Advice on a board of three or four cards: what every answer is worth on the cards seen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.cards import Card
from croupier.errors import BadCards, suggest
from croupier.mathematics.counters.boards.games import Level, Path
from croupier.mathematics.counters.short_boards import ShortBoardSolution, solution_of
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision

__all__ = ["advise_short_board"]


def advise_short_board(rules: Rules, situation: Situation) -> Advice:
    book, solution = rules.book, solution_of(rules)
    _check(rules, situation)
    said = list(situation.said or ())
    path: tuple[tuple[int, str], ...] = ()
    for number, decision in enumerate(book.decisions):
        seen, bets = decision.sees_community, _bets(solution, path)
        if bets[solution.game.questions[number].wager]:
            continue
        values = _values(rules, solution, situation, path, number)
        is_here = seen == len(situation.community) and situation.decision in ("", decision.name)
        if is_here and not said:
            return Advice(decision.name, values, _best(rules, values))
        if seen > len(situation.community):
            break
        if situation.said is None:
            word = _best(rules, _going_on(rules, situation, decision, values))
        else:
            word = said.pop(0) if said else ""
        if word not in values:
            raise suggest("answer", word, values)
        if word == "fold":
            break
        path = (*path, (number, word))
    raise BadCards("nothing is asked on these cards after what was said before")


def _check(rules: Rules, situation: Situation) -> None:
    book, own, shown = rules.book, len(situation.own), len(situation.community)
    names = {decision.name: decision.sees_community for decision in book.decisions}
    if situation.known:
        raise BadCards("no other player's card is seen in this game: leave out the known ones")
    if situation.decision and situation.decision not in names:
        raise suggest("decision", situation.decision, names)
    if own != 2 or names.get(situation.decision, shown) != shown or shown not in names.values():
        counts = ", ".join(dict.fromkeys(map(str, names.values())))
        raise BadCards(
            f"{own} own and {shown} community cards: a decision is taken on 2 own cards and "
            f"{counts} community cards",
            clause=book.decisions[0].clause,
        )


def _going_on(
    rules: Rules, situation: Situation, decision: Decision, values: dict[str, Fraction]
) -> dict[str, Fraction]:
    """The answers before which the question on these cards is still put: whoever is asked about a
    wager later has neither folded nor bet it."""
    seen, name = len(situation.community), situation.decision
    asked = [d for d in rules.book.decisions if d.sees_community == seen and name in ("", d.name)]
    is_open = all(d.wager == decision.wager for d in asked)
    gone = {"fold", *(decision.bets if is_open else ())}
    return {word: value for word, value in values.items() if word not in gone}


def _bets(solution: ShortBoardSolution, said: tuple[tuple[int, str], ...]) -> list[int]:
    bets = [0] * len(solution.game.decided)
    for number, word in said:
        question = solution.game.questions[number]
        bets[question.wager] += dict(question.bets).get(word, 0)
    return bets


def _best(rules: Rules, values: dict[str, Fraction]) -> str:
    words = list(values) if rules.takes_first else list(values)[::-1]
    return max(words, key=lambda word: values[word])


def _values(
    rules: Rules,
    solution: ShortBoardSolution,
    situation: Situation,
    said: tuple[tuple[int, str], ...],
    number: int,
) -> dict[str, Fraction]:
    """What every word is worth: the best of the paths that it lets leave on the same cards."""
    decision = rules.book.decisions[number]
    seen = decision.sees_community
    level = next(level for level in solution.game.levels if level.seen == seen)
    worth = _leaving(solution, level, situation.own, situation.community[:seen])
    found: dict[str, Fraction] = {}
    for word in decision.answers:
        start = (*said, (number, word))
        found[word] = max(worth[path] for path in worth if path.said[: len(start)] == start)
    return found


def _leaving(
    solution: ShortBoardSolution, level: Level, own: Sequence[Card], community: Sequence[Card]
) -> dict[Path, Fraction]:
    """What every path is worth that leaves a level with these cards seen."""
    low, high = sorted(int(card) for card in own)
    hand = high * (high - 1) // 2 + low
    if not level.seen:
        ((_, paths),) = zip(level.arriving, level.leaving, strict=True)
        of_class = int(solution.classes[hand])
        unit = int(solution.number[of_class]) * solution.deals_after(-1) * solution.game.scale
        return {path: Fraction(int(solution.by_class[path][of_class]), unit) for path in paths}
    at = solution.after.index(level)
    values = solution.seen(at, sum(1 << int(card) for card in community))
    unit = solution.deals_after(at) * solution.game.scale
    return {
        path: Fraction(int(sums[hand]), unit)
        for arriving, paths in zip(level.arriving, level.leaving, strict=True)
        for path, sums in zip(paths, values[arriving], strict=True)
    }
