"""Advice for a game of streets: what every answer is worth, after what was seen and said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.cards import Card
from croupier.errors import BadCards, BadRequest, suggest
from croupier.mathematics.counters.stages.course import StreetsQuestion, Units
from croupier.mathematics.counters.stages.solver import Asked, StreetsSolution, solve_streets
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.rulebooks.rules import Rules


def advise_streets(rules: Rules, situation: Situation) -> Advice:
    solution = solve_streets(rules)
    said = None if situation.said is None else iter(situation.said)
    units = solution.course.start
    wanted = _wanted(solution, situation)
    for asked in solution.asked:
        question = asked.question
        if not question.is_asked(units):
            if question is wanted and situation.decision:
                raise BadRequest(f"{situation.decision!r} is not asked after what was said")
            wanted = _next_on_same_cards(solution, wanted) if question is wanted else wanted
            continue
        if question is wanted:
            _nothing_more(said, question)
            cards = _cards(solution, situation, question)
            if situation.known:
                _check_known(rules, situation)
                values = _values_without(solution, asked, cards, situation.known, units)
            else:
                values = solution.values_at(asked, cards, units)
            return Advice(question.decision.name, values, _best(values))
        units = _answered(solution, situation, asked, units, said)
    raise BadRequest("nothing is left to decide: every wager that is asked for is down")


def _check_known(rules: Rules, situation: Situation) -> None:
    """Other players' cards are seen where a reveal turns up a card of every player."""
    book, known = rules.book, len(situation.known)
    turned_up = sum(reveal.player for reveal in book.reveals)
    if not turned_up:
        raise BadCards("no other player's card is seen in this game: leave out the known ones")
    seen = turned_up - (book.cards.player - len(situation.own))
    if seen <= 0:
        raise BadCards("other players' cards are not turned up before one's own")
    most = seen * (book.positions.most - 1)
    if known > most:
        raise BadCards(f"{known} known cards: the other players show {most} by then")


def _values_without(
    solution: StreetsSolution,
    asked: Asked,
    cards: Sequence[Card],
    known: Sequence[Card],
    units: Units,
) -> dict[str, Fraction]:
    """The values when these cards have left the deck: all that may still come is dealt out."""
    first = (*known, *cards)
    rest = StreetsSolution(solution.rules, gone=len(known), first=first)
    place = solution.course.questions.index(asked.question)
    return rest.values_at(rest.asked[place], first, units)


def _best(values: dict[str, Fraction]) -> str:
    return max(values, key=lambda word: values[word])


def _wanted(solution: StreetsSolution, situation: Situation) -> StreetsQuestion:
    """The decision that is put on this number of cards; by its name, or the first."""
    seen = len(situation.own), len(situation.community)
    questions = {question.decision.name: question for question in solution.course.questions}
    if not questions:
        raise BadRequest("nothing is decided in this game")
    if situation.decision and situation.decision not in questions:
        raise suggest("decision", situation.decision, questions)
    for name, question in questions.items():
        decision = question.decision
        if seen == (decision.sees_player, decision.sees_community) and (
            situation.decision in ("", name)
        ):
            return question
    listed = [
        f"{name} on {question.decision.sees_player} own and "
        f"{question.decision.sees_community} community cards"
        for name, question in questions.items()
        if situation.decision in ("", name)
    ]
    raise BadCards(
        f"{seen[0]} own and {seen[1]} community cards: what is decided is {', '.join(listed)}",
        clause=solution.rules.book.decisions[0].clause,
    )


def _next_on_same_cards(solution: StreetsSolution, question: StreetsQuestion) -> StreetsQuestion:
    questions = solution.course.questions
    following = questions[questions.index(question) + 1 :]
    return next((later for later in following if later.time == question.time), question)


def _cards(
    solution: StreetsSolution, situation: Situation, question: StreetsQuestion
) -> list[Card]:
    """What is seen at a question, in the order in which it is seen."""
    held = {"player": situation.own, "community": situation.community}
    return [held[kind][number] for kind, number in solution.course.order[: question.time]]


def _answered(
    solution: StreetsSolution,
    situation: Situation,
    asked: Asked,
    units: Units,
    said: Iterator[str] | None,
) -> Units:
    """What lies there after a question before: as it was answered, or as is best for a hand that is
    not folded."""
    question = asked.question
    name = question.decision.name
    values = solution.values_at(asked, _cards(solution, situation, question), units)
    if said is None:
        folds = {answer.word for answer in question.answers if answer.folds}
        kept = {word: value for word, value in values.items() if word not in folds}
        word = _best(kept or values)
    else:
        word = next(said, "")
    if not word:
        raise BadRequest(f"what was said at {name!r} is missing: {' or '.join(values)}")
    if word not in values:
        raise suggest(f"answer at {name!r}", word, values)
    answer = next(each for each in question.answers if each.word == word)
    if answer.folds:
        raise BadRequest(f"the hand was folded at {name!r}: nothing is decided after that")
    return solution.after(units, answer)


def _nothing_more(said: Iterator[str] | None, question: StreetsQuestion) -> None:
    if said is not None and (word := next(said, "")):
        raise BadRequest(f"{word!r} is said too much: {question.decision.name!r} is asked now")
