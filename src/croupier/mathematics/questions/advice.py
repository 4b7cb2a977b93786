"""The exact value of every legal action on given cards, for every counter.

In hold'em the solution has the answer up to the flop; later the remaining cards are dealt one by
one against every dealer's hand, which shares no code with the solver's kernels. Hand against hand,
in rankings by categories, every hand that the dealer may have is dealt and compared, which shares
nothing with the counting of `opponents`; by the longest suit the hands are too many, and the
polynomials of `meet_suits` are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, Card, mask_of
from croupier.errors import BadCards, BadRequest, suggest
from croupier.mathematics.counters.boards.games import (
    HoldemGame,
    Level,
    Path,
    Question,
    answers_to,
    paths_of,
)
from croupier.mathematics.counters.boards.geometry import hand_number, place_of_cards
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.opponents.decks import FourSuits, suits_of
from croupier.mathematics.counters.opponents.game import VersusGame, versus_game
from croupier.mathematics.counters.opponents.opponents import by_outcome, meet_suits, next_set
from croupier.mathematics.counters.short_boards import short_board_solution
from croupier.mathematics.counters.stages.course import StreetsQuestion, Units
from croupier.mathematics.counters.stages.solver import Asked, StreetsSolution, solve_streets
from croupier.mathematics.hand_values import ValueTables, strength_of, value_of_suits, values_of
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.decorators import kernel
from croupier.mathematics.questions.situation import Advice, Situation
from croupier.ranking.by_categories import ByCategories
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules


class Showdown(NamedTuple):
    """The number of deals that the player wins and ties; the rest is lost. Only the hands are
    compared, whether or not the dealer qualifies."""

    wins: int
    ties: int
    deals: int


def holdem_showdown(rules: Rules, seen: Situation) -> Showdown | None:
    """Return how often a hand beats the dealer's over every card that may still come; None before
    the flop, and in rankings other than the usual one."""
    assert rules.book.dealer is not None
    ranking = ranking_of(rules.book, rules.book.dealer.hand)
    is_usual = isinstance(ranking, ByCategories) and ranking.is_usual
    if not is_usual or not 3 <= len(seen.community) <= 5 or seen.dealer:
        return None
    return _dealt_out(seen.own, seen.community)


def _dealt_out(own: Sequence[Card], community: Sequence[Card]) -> Showdown:
    """Deal every completion of the board with every two cards that the dealer may have."""
    from croupier.ranking.fast import strengths  # loads numba

    gone = {*own, *community}
    left = np.array([1 << card for card in DECK if card not in gone], np.uint64)
    held, board = np.uint64(mask_of(own)), np.uint64(mask_of(community))
    dealers = np.array([a | b for a, b in combinations(left, 2)])
    wins = ties = deals = 0
    for more in combinations(left, 5 - len(community)):
        shared = np.bitwise_or.reduce([board, *more])
        mine = strengths(np.array([held | shared]))
        theirs = strengths(dealers[dealers & shared == 0] | shared)
        wins += int((theirs < mine).sum())
        ties += int((theirs == mine).sum())
        deals += theirs.size
    return Showdown(wins, ties, deals)


class DealtOut:
    """One hand with the community cards seen so far, at least three."""

    def __init__(self, game: HoldemGame, own: Sequence[int], community: Sequence[int]) -> None:
        self.game = game
        self.own = sorted(int(card) for card in own)
        self.seen = tuple(int(card) for card in community)
        self.deck = [card for card in range(52) if game.deck >> card % 13 & 1]
        self._counts: dict[frozenset[int], tuple[I64, int]] = {}
        self._pays: dict[tuple[int, ...], I64] = {}

    def value(self, path: Path) -> Fraction:
        """Return the value of continuing by this path, in units of one required wager."""
        if path.folded:
            return Fraction(self.game.fold(path.bets), self.game.scale)
        total, ways = self._onward(path, self.seen)
        return Fraction(total, ways * self.game.scale)

    def _onward(self, path: Path, shown: tuple[int, ...]) -> tuple[int, int]:
        """Return the sum over everything that may come after these cards, and the number of
        ways."""
        if len(shown) == 5:
            counts, mine = self._showdowns(frozenset(shown))
            return int(counts @ self._payoffs(path.bets)[:, mine]), int(counts.sum())
        total = ways = 0
        for card in self.deck:
            if card not in shown and card not in self.own:
                sums, each = self._best(path, (*shown, card))
                total, ways = total + sums, ways + each
        return total, ways

    def _best(self, path: Path, shown: tuple[int, ...]) -> tuple[int, int]:
        """Return the sum of the best answer on these cards, if a decision is put."""
        level = self.game.level(len(shown))
        answers = (path,) if level is None else level.leaving[level.arriving.index(path)]
        sums = [self._onward(answer, shown) for answer in answers if not answer.folded]
        ways = sums[0][1] if sums else self._onward(path, shown)[1]
        folds = [self.game.fold(a.bets) * ways for a in answers if a.folded]
        return max([*(total for total, _ in sums), *folds]), ways

    def _payoffs(self, bets: tuple[int, ...]) -> I64:
        if bets not in self._pays:
            self._pays[bets] = self.game.payoffs(bets)
        return self._pays[bets]

    def _showdowns(self, board: frozenset[int]) -> tuple[I64, int]:
        """Return how many of the dealer's hands end the round in each way, and the own strength."""
        if board not in self._counts:
            left = [card for card in self.deck if card not in board and card not in self.own]
            shared = sum(1 << card for card in board)
            hands = [tuple(self.own), *combinations(left, 2)]
            masks = np.array([shared | 1 << a | 1 << b for a, b in hands], np.uint64)
            mine, *_ = hands_strengths = self._strengths(masks)
            theirs = hands_strengths[1:]
            row = np.where(theirs < mine, 0, np.where(theirs == mine, 2, 4))
            row += theirs < self.game.qualifier
            self._counts[board] = np.bincount(row, minlength=6).astype(np.int64), int(mine)
        return self._counts[board]

    def _strengths(self, masks: NDArray[np.uint64]) -> I64:
        if self.game.ranking is None:
            from croupier.ranking.fast import strengths  # loads numba

            return strengths(masks).astype(np.int64)
        return self.game.strengths.of(values_of(self.game.ranking, masks))


Worth: TypeAlias = Callable[[Path], Fraction]
"""Returns the value of a path that leaves a level on some cards."""
WorthOf: TypeAlias = Callable[[Level, Sequence[Card], Sequence[Card]], Worth]
"""Returns the values at a level, on these own and community cards."""


def advise_holdem(rules: Rules, situation: Situation) -> Advice:
    """Return the advice: up to the flop from the solution, later by dealing the remaining cards."""
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
    """Return the advice on a board of three or four cards, all of it from the solution."""
    solution = short_board_solution(rules)

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
    """Advice in the rulebook's words: a decision of the rulebook is the game's question of the same
    number."""

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
            raise BadCards("no other player's card is seen in this game: leave out the known cards")
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
        """Return the answers before the current decision: as stated, or as the best play gives them
        on the way there."""
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
            raise BadCards(f"{left[0]!r} was said after the last decision before these cards")
        return path

    def _best_before(self, path: Path, number: int) -> Path:
        """Return the best answer after which the current decision can still be reached."""
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
        """Return the number of the decision at which the path now arrives."""
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
            f"there is no decision on these cards after {said}: check the earlier answers"
        )

    def _values(self, path: Path, number: int) -> dict[str, Fraction]:
        """Return for each answer the best of the paths that it allows on the same cards."""
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


def advise_versus(rules: Rules, situation: Situation) -> Advice:
    _check_versus(rules, situation)
    game, decision = versus_game(rules), rules.book.decisions[0]
    own, seen = suits_of(situation.own), suits_of(situation.dealer)
    counts = _outcomes(game, own, seen, [*situation.own, *situation.dealer])
    case, pays = game.case_of(own), game.payoffs
    required = sum(n * pay for n, pay in zip(counts, pays.required[case].tolist(), strict=True))
    decided = sum(n * pay for n, pay in zip(counts, pays.decided[case].tolist(), strict=True))
    unit = game.opponents * game.scale
    values = {
        said: Fraction(required + multiple * decided, unit)
        for said, multiple, allowed in zip(
            decision.bets, game.bets, pays.allowed[case].tolist(), strict=True
        )
        if allowed
    }
    declined = int(pays.fold[case]) * game.opponents if game.folds else required
    values[decision.otherwise] = Fraction(declined, unit)
    return Advice(decision.name, values, max(values, key=lambda said: values[said]))


def dealers_hands(rules: Rules, situation: Situation) -> tuple[int, int, int]:
    """Return how many of the dealer's hands are weaker, how many are equal, and how many
    there are."""
    _check_versus(rules, situation)
    game = versus_game(rules)
    own, seen = suits_of(situation.own), suits_of(situation.dealer)
    met = _met(game, own, seen, [*situation.own, *situation.dealer])
    return int(met[0]), int(met[1]), game.opponents


def _check_versus(rules: Rules, situation: Situation) -> None:
    book, decision = rules.book, rules.book.decisions[0]
    if situation.decision not in ("", decision.name):
        raise suggest("decision", situation.decision, [decision.name])
    if situation.known:
        raise BadCards("no other player's card is seen in this game: leave out the known cards")
    if situation.community:
        raise BadCards("this game has no community cards: leave them out")
    for count, wanted, whose in (
        (len(situation.own), book.cards.player, "own"),
        (len(situation.dealer), decision.sees_dealer, "dealer's"),
    ):
        if count != wanted:
            raise BadCards(
                f"the decision is taken on {wanted} {whose} card{'s' * (wanted != 1)}, not on "
                f"{count}",
                clause=decision.clause,
            )


def _outcomes(game: VersusGame, own: FourSuits, seen: FourSuits, gone: list[Card]) -> list[int]:
    """Return how many of the dealer's hands lead to each outcome."""
    met = _met(game, own, seen, gone)
    if game.qualifier >= len(game.strengths.values):
        met[2] = game.opponents
    counts = np.zeros(6, np.int64)
    weak = strength_of(own, game.strengths.tables[game.own]) < game.qualifier
    by_outcome(int(met[0]), int(met[1]), int(met[2]), weak, game.opponents, counts)
    return [int(count) for count in counts]


def _met(game: VersusGame, own: FourSuits, seen: FourSuits, gone: list[Card]) -> I64:
    """Return how many of the dealer's hands are weaker, equal and below the qualifier."""
    strength = strength_of(own, game.strengths.tables[game.own])
    met = np.zeros(3, np.int64)
    if game.by_suit:
        masks, suit = np.array([own], np.int16), game.strengths.tables[game.theirs].suit
        counts = meet_suits(game.deck, game.theirs, seen, masks, suit, game.qualifier)
        met[:] = [counts.weaker[0], counts.equal[0], counts.unqualified[0]]
    else:
        left = np.array([card for card in game.deck.cards if card not in gone], np.int64)
        others = game.theirs - game.seen
        tables = game.strengths.tables[game.theirs]
        _deal_out(np.array(seen, np.int64), left, others, tables, strength, game.qualifier, met)
    return met


@kernel
def _deal_out(
    seen: I64,
    left: I64,
    others: int,
    tables: ValueTables,
    strength: int,
    qualifier: int,
    met: I64,
) -> None:
    """Write into met how many of the dealer's hands are weaker, equal and below the qualifier."""
    chosen = np.arange(others)
    hand = np.zeros(4, np.int64)
    while others == 0 or chosen[others - 1] < len(left):
        hand[:] = seen
        for place in chosen:
            hand[left[place] // 13] |= 1 << left[place] % 13
        theirs = value_of_suits(hand[0], hand[1], hand[2], hand[3], tables)
        met[0] += theirs < strength
        met[1] += theirs == strength
        met[2] += theirs < qualifier
        if others == 0:
            break
        next_set(chosen)


def advise_streets(rules: Rules, situation: Situation) -> Advice:
    solution = solve_streets(rules)
    said = None if situation.said is None else iter(situation.said)
    units = solution.course.start
    wanted = _wanted(solution, situation)
    for decision in solution.decisions_asked:
        question = decision.question
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
                values = _values_without(solution, decision, cards, situation.known, units)
            else:
                values = solution.values_at(decision, cards, units)
            return Advice(question.decision.name, values, _best_word(values))
        units = _answered(solution, situation, decision, units, said)
    raise BadRequest("nothing is left to decide: every wager has been bet")


def _check_known(rules: Rules, situation: Situation) -> None:
    """Refuse other players' cards unless a reveal turns up a card of every player."""
    book, known = rules.book, len(situation.known)
    turned_up = sum(reveal.player for reveal in book.reveals)
    if not turned_up:
        raise BadCards("no other player's card is seen in this game: leave out the known cards")
    seen = turned_up - (book.cards.player - len(situation.own))
    if seen <= 0:
        raise BadCards("other players' cards are not turned up before one's own")
    most = seen * (book.positions.most - 1)
    if known > most:
        raise BadCards(f"{known} known cards: the other players show {most} by then")


def _values_without(
    solution: StreetsSolution,
    decision: Asked,
    cards: Sequence[Card],
    known: Sequence[Card],
    units: Units,
) -> dict[str, Fraction]:
    """Return the values when these cards have left the deck, dealing everything that may still
    come."""
    first = (*known, *cards)
    rest = StreetsSolution(solution.rules, gone=len(known), first=first)
    place = solution.course.questions.index(decision.question)
    return rest.values_at(rest.decisions_asked[place], first, units)


def _best_word(values: dict[str, Fraction]) -> str:
    return max(values, key=lambda word: values[word])


def _wanted(solution: StreetsSolution, situation: Situation) -> StreetsQuestion:
    """Return the decision on this number of cards: by its name, or the first."""
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
        f"{seen[0]} own and {seen[1]} community cards: the decisions are {', '.join(listed)}",
        clause=solution.rules.book.decisions[0].clause,
    )


def _next_on_same_cards(solution: StreetsSolution, question: StreetsQuestion) -> StreetsQuestion:
    questions = solution.course.questions
    following = questions[questions.index(question) + 1 :]
    return next((later for later in following if later.time == question.time), question)


def _cards(
    solution: StreetsSolution, situation: Situation, question: StreetsQuestion
) -> list[Card]:
    """Return the cards seen at a decision, in the order in which they are seen."""
    held = {"player": situation.own, "community": situation.community}
    return [held[place][number] for place, number in solution.course.order[: question.time]]


def _answered(
    solution: StreetsSolution,
    situation: Situation,
    decision: Asked,
    units: Units,
    said: Iterator[str] | None,
) -> Units:
    """Return the bets after an earlier decision: as it was answered, or as is best for a hand that
    is not folded."""
    question = decision.question
    name = question.decision.name
    values = solution.values_at(decision, _cards(solution, situation, question), units)
    if said is None:
        folds = {answer.word for answer in question.answers if answer.folds}
        kept = {word: value for word, value in values.items() if word not in folds}
        word = _best_word(kept or values)
    else:
        word = next(said, "")
    if not word:
        raise BadRequest(f"the answer at {name!r} is missing: {' or '.join(values)}")
    if word not in values:
        raise suggest(f"answer at {name!r}", word, values)
    answer = next(each for each in question.answers if each.word == word)
    if answer.folds:
        raise BadRequest(f"the hand was folded at {name!r}: nothing is decided after that")
    return solution.after(units, answer)


def _nothing_more(said: Iterator[str] | None, question: StreetsQuestion) -> None:
    if said is not None and (word := next(said, "")):
        raise BadRequest(
            f"{word!r} is one answer too many: {question.decision.name!r} is the current decision"
        )
