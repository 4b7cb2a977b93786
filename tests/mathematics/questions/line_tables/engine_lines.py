"""The slow way to the lines of every wager: all deals of a small deck, played as well as can be and
settled wager by wager by the engine. Nothing of `mathematics` is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from croupier.cards import Card, mask_of
from croupier.ranking.plain import value_of
from croupier.rounds.round_flow import Show
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from tests.mathematics.by_engine import ByEngine as BoardsByEngine
from tests.mathematics.counters.opponents.by_engine import VersusByEngine
from tests.mathematics.counters.stages.brute import ByEngine as StreetsByEngine

STAKE = 6000  # cents: halves, thirds and quarters of it are whole

Cards: TypeAlias = tuple[Card, ...]
Said: TypeAlias = tuple[str, ...]


class SettledLine(NamedTuple):
    """`units` are 0 for a bonus, which has no stake of its own."""

    wager: str
    units: Fraction
    result: str
    net: Fraction


Chances: TypeAlias = dict[SettledLine, Fraction]


def lines_of(rules: Rules, played: CompletedRound) -> tuple[SettledLine, ...]:
    settled = settle(played, rules).seats[0].lines
    bonuses = rules.book.bonuses
    return tuple(
        SettledLine(
            line.wager,
            Fraction(0 if line.wager in bonuses else line.stake, STAKE),
            line.result,
            Fraction(line.net, STAKE),
        )
        for line in settled
    )


def versus_chances(rules: Rules) -> Chances:
    engine = VersusByEngine(rules)
    book = rules.book
    known: dict[tuple[tuple[int, ...], int, str], tuple[SettledLine, ...]] = {}

    def settled(own: Cards, theirs: Cards, word: str) -> tuple[SettledLine, ...]:
        values = tuple(engine._value(name, own) for name in engine._own)
        key = values, engine._value("theirs", theirs), word
        if key not in known:
            seat = PlayedSeat(1, "p", own, dict.fromkeys(rules.required, STAKE), (word,))
            known[key] = lines_of(rules, CompletedRound((seat,), dealer=theirs))
        return known[key]

    counts: Counter[SettledLine] = Counter()
    deals = 0
    for own, times in _own_hands(engine.deck, book.cards.player).items():
        left = [card for card in engine.deck if card not in own]
        for up in combinations(left, engine.decision.sees_dealer):
            values = engine.values(own, up)
            word = max(values, key=lambda word: values[word])
            rest = [card for card in left if card not in up]
            for more in combinations(rest, book.cards.dealer - len(up)):
                deals += times
                for line in settled(own, (*up, *more), word):
                    counts[line] += times
    return {line: Fraction(count, deals) for line, count in counts.items()}


def _own_hands(deck: Sequence[Card], size: int) -> Counter[Cards]:
    """One hand of all that exchanging suits makes alike."""
    found: Counter[Cards] = Counter()
    for own in combinations(deck, size):
        found[min(_exchanged(own))] += 1
    return found


def _exchanged(cards: Cards) -> Iterator[Cards]:
    for suits in permutations(range(4)):
        yield tuple(sorted(Card(13 * suits[card.suit] + card.rank) for card in cards))


def streets_chances(rules: Rules) -> Chances:
    engine = StreetsByEngine(rules)
    counts: dict[SettledLine, Fraction] = {}

    def walk(place: int, own: Cards, board: Cards, said: Said, chance: Fraction) -> None:
        if place == len(engine.steps):
            seat = PlayedSeat(1, "p", own, dict.fromkeys(rules.required, STAKE), said)
            for line in lines_of(rules, CompletedRound((seat,), board)):
                counts[line] = counts.get(line, Fraction(0)) + chance
            return
        step = engine.steps[place]
        if isinstance(step, Decision):
            if "fold" not in said and engine.is_asked(place, said):
                values = engine.values(place, own, board, said)
                said = (*said, max(values, key=lambda word: values[word]))
            walk(place + 1, own, board, said, chance)
            return
        left = [card for card in engine.deck if card not in own and card not in board]
        for card in left:
            mine, shown = ((*own, card), board) if step == "player" else (own, (*board, card))
            walk(place + 1, mine, shown, said, chance / len(left))

    walk(0, (), (), (), Fraction(1))
    return counts


def board_chances(rules: Rules, deck: int) -> Chances:
    """Two cards each and a board of five, on a deck of the ranks in `deck` (a mask)."""
    engine = BoardsByEngine(rules, deck)
    value = cache(value_of)
    examples: dict[tuple[int, int, Said], CompletedRound] = {}
    counts: Counter[tuple[int, int, Said]] = Counter()
    for own, times in _own_hands(engine.deck, 2).items():
        for (board, said), ways in _boards(engine, own).items():
            shared, placed = mask_of(tuple(board)), dict.fromkeys(rules.required, STAKE)
            mine, seat = value(mask_of(own) | shared), PlayedSeat(1, "p", own, placed, said)
            rest = [card for card in engine.deck if card not in own and card not in board]
            for theirs in combinations(rest, 2):
                key = mine, value(mask_of(theirs) | shared), said
                counts[key] += times * ways
                if key not in examples:  # the same strengths settle alike
                    examples[key] = CompletedRound((seat,), tuple(board), theirs)
    lines: Counter[SettledLine] = Counter()
    for key, count in counts.items():
        for line in lines_of(rules, examples[key]):
            lines[line] += count
    return {line: Fraction(count, counts.total()) for line, count in lines.items()}


def _boards(engine: BoardsByEngine, own: Cards) -> Counter[tuple[frozenset[Card], Said]]:
    """In how many orders each board comes, with what the best play says on the way."""
    best = engine._player(own)
    now: Counter[tuple[frozenset[Card], Said]] = Counter({(frozenset(), ()): 1})
    for place, step in enumerate(engine.steps):
        following: Counter[tuple[frozenset[Card], Said]] = Counter()
        for (board, said), ways in now.items():
            if isinstance(step, Show):
                left = [card for card in engine.deck if card not in own and card not in board]
                for cards in combinations(left, step.reveal.community):
                    following[board.union(cards), said] += ways
                continue
            after = said
            if engine._is_asked(step.decision, said):
                words = (*step.decision.bets, step.decision.otherwise)
                values = {word: best(place + 1, board, (*said, word)) for word in words}
                after = (*said, max(values, key=lambda word: values[word]))
            following[board, after] += ways
        now = following
    assert all(len(board) == 5 for board, _ in now)
    return now
