"""The slow way to the lines of every wager: all deals of a small deck, played as well as can be and
settled wager by wager by the engine. Nothing of `mathematics` is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from croupier.cards import Card, mask_of
from croupier.ranking.plain import value_of
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.round_flow import Show
from croupier.rounds.settlement import settle
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from tests.mathematics.by_engine import ByEngine as BoardsByEngine
from tests.mathematics.streets.brute import ByEngine as StreetsByEngine
from tests.mathematics.versus.by_engine import VersusByEngine

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


def _own_hands(deck: list[Card], size: int) -> Counter[Cards]:
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
    counts: dict[SettledLine, Fraction] = {}
    known: dict[tuple[int, int, Said], tuple[SettledLine, ...]] = {}

    def settled(own: Cards, board: Cards, theirs: Cards, said: Said) -> tuple[SettledLine, ...]:
        shared = mask_of(board)
        key = value_of(mask_of(own) | shared), value_of(mask_of(theirs) | shared), said
        if key not in known:
            seat = PlayedSeat(1, "p", own, dict.fromkeys(rules.required, STAKE), said)
            known[key] = lines_of(rules, CompletedRound((seat,), board, theirs))
        return known[key]

    def walk(own: Cards, step: int, board: Cards, said: Said, chance: Fraction) -> None:
        left = [card for card in engine.deck if card not in own and card not in board]
        if step == len(engine.steps):
            ends = [
                (more, theirs)
                for more in combinations(left, 5 - len(board))
                for theirs in combinations([card for card in left if card not in more], 2)
            ]
            for more, theirs in ends:
                for line in settled(own, (*board, *more), theirs, said):
                    counts[line] = counts.get(line, Fraction(0)) + chance / len(ends)
            return
        now = engine.steps[step]
        if isinstance(now, Show):
            shown = list(combinations(left, now.reveal.community))
            for cards in shown:
                walk(own, step + 1, (*board, *cards), said, chance / len(shown))
            return
        if engine._is_asked(now.decision, said):
            best, seen = engine._player(own), frozenset(board)
            words = (*now.decision.bets, now.decision.otherwise)
            said = (*said, max(words, key=lambda word: best(step + 1, seen, (*said, word))))
        walk(own, step + 1, board, said, chance)

    hands = _own_hands(engine.deck, 2)
    for own, times in hands.items():
        walk(own, 0, (), (), Fraction(times, hands.total()))
    return counts
