"""What a rulebook file says and probably does not mean: lines that nobody can be paid on, winners
that no line pays. Hands are tried one by one, so what is told has happened to one of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from croupier.cards import DECK, Card
from croupier.rounds.held_hands import HandPlan, Hands, plans_of
from croupier.rounds.paytable_lines import PaidTable, pattern_named
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    EitherHandBeaten,
    HighestHand,
    Outcome,
    Pattern,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)

__all__ = ["Unwise", "unwise"]

SAMPLE: Final = 20_000
"""Hands of five cards and more that are tried besides the rare ones."""


class Unwise(NamedTuple):
    """`place` as in the file; `words` say what happens, with an example where there is one."""

    place: str
    words: str


def unwise(rules: Rules) -> Iterator[Unwise]:
    """Everything found, in the order of the file."""
    plans = plans_of(rules)
    looked: set[tuple[str, str]] = set()
    for name, wager in rules.book.wagers.items():
        settles = wager.settles
        place = f"wagers.{name}.settles"
        match settles:
            case VersusPaytable() | EitherHandBeaten() | HighestHand():
                first = settles.tested_first if isinstance(settles, VersusPaytable) else ()
                yield from _lines(rules.book, settles.paytable, settles.hand, plans, first, looked)
            case VersusDealer():
                for said in ("qualified", "unqualified"):
                    showdown = getattr(settles, said)
                    if showdown is not None:
                        at = f"{place}.{said}.higher"
                        yield from _winner(rules, at, showdown.higher, settles.hand, plans)
                        family = showdown.higher.paytable
                        if family:
                            yield from _lines(rules.book, family, settles.hand, plans, (), looked)


# -- lines ----------------------------------------------------------------------------------------


def _lines(
    book: Rulebook,
    family: str,
    hand: str,
    plans: dict[str, HandPlan],
    first: tuple[str, ...],
    looked: set[tuple[str, str]],
) -> Iterator[Unwise]:
    """Lines of every paytable of the family that no hand is paid on."""
    if (family, hand) in looked:
        return
    looked.add((family, hand))
    for table_id, table in book.paytables.get(family, {}).items():
        place = f"paytables.{family}.{table_id}"
        yield from _doubled(place, table)
        yield from _unreached(place, table, book, hand, plans, first)
        yield from _mini_royal(place, table, book, hand)


def _doubled(place: str, table: Paytable) -> Iterator[Unwise]:
    names = [line.hand for line in table.lines]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Unwise(f"{place}.lines.{name}", "this line is there twice: only one is paid")


def _unreached(
    place: str,
    table: Paytable,
    book: Rulebook,
    hand: str,
    plans: dict[str, HandPlan],
    first: tuple[str, ...],
) -> Iterator[Unwise]:
    paid = PaidTable(table, book.patterns, first)
    open_lines = {
        line.hand
        for line in table.lines
        if not any(
            _looks_elsewhere(pattern_named(name, book.patterns))
            for name in line.covers or (line.hand,)
        )
    }
    alone = {
        line.hand: PaidTable(Paytable(clause=table.clause, lines=(line,)), book.patterns)
        for line in table.lines
    }
    instead: dict[str, str] = {}
    for hands in _tried(book, hand, plans):
        if not open_lines:
            return
        found = paid.line(hands, hand)
        if found is not None:
            open_lines.discard(found.hand)
            for name in open_lines - instead.keys():
                if alone[name].line(hands, hand) is not None:
                    instead[name] = found.hand
    for line in table.lines:
        if line.hand in open_lines:
            above = instead.get(line.hand)
            words = (
                f"nobody is paid on this line: {above!r} is looked at first and covers it"
                if above
                else "nobody is paid on this line: no hand like this can be held here"
            )
            yield Unwise(f"{place}.lines.{line.hand}", words)


def _looks_elsewhere(pattern: Pattern) -> bool:
    """A line that asks about another hand as well cannot be judged by this one."""
    return bool(pattern.hand) or any(map(_looks_elsewhere, (*pattern.also, *pattern.unless)))


def _mini_royal(place: str, table: Paytable, book: Rulebook, hand: str) -> Iterator[Unwise]:
    """Q-K-A of a suit has a name of its own among three cards: a straight flush it is not."""
    if book.hands[hand].ranking != "three_card":
        return
    covered = {
        category
        for line in table.lines
        for name in line.covers or (line.hand,)
        for category in pattern_named(name, book.patterns).category
    }
    if "straight_flush" in covered and "mini_royal" not in covered:
        yield Unwise(
            f"{place}.lines.straight_flush",
            "it does not cover Q-K-A of one suit, which is a mini royal here: add a line "
            '\'mini_royal\', or covers = ["straight_flush", "mini_royal"]',
        )


# -- winners --------------------------------------------------------------------------------------


def _winner(
    rules: Rules, place: str, outcome: Outcome, hand: str, plans: dict[str, HandPlan]
) -> Iterator[Unwise]:
    """A hand that beats the dealer and loses all the same."""
    tables = []
    while outcome.do == "pay":
        tables.append(PaidTable(rules.paytable(outcome.paytable), rules.book.patterns))
        if outcome.otherwise is None:
            break
        outcome = outcome.otherwise
    if not tables or outcome.do == "return":
        return
    example = next(
        (
            hands
            for hands in _tried(rules.book, hand, plans)
            if all(table.line(hands, hand) is None for table in tables)
        ),
        None,
    )
    if example is None:
        return
    cards = " ".join(map(str, example.cards(hand)))
    yield Unwise(
        place,
        f"{cards} ({example[hand].name.replace('_', ' ')}) beats the dealer and is collected: no "
        'line pays it. Add a line, or `otherwise = { do = "return" }`',
    )


# -- hands to try ---------------------------------------------------------------------------------


def _tried(book: Rulebook, hand: str, plans: dict[str, HandPlan]) -> Iterator[Hands]:
    counts = {"player": book.cards.player, "dealer": book.cards.dealer}
    counts |= {"community": book.cards.community, "box": book.cards.box}
    sizes = [(name, counts[name] if count is None else count) for name, count in plans[hand].places]
    for cards in _sets(sum(count for _, count in sizes)):
        placed: dict[str, tuple[Card, ...]] = {}
        rest = cards
        for name, count in sizes:
            placed[name], rest = rest[:count], rest[count:]
        yield Hands(plans, placed)


@cache
def _sets(size: int) -> tuple[tuple[Card, ...], ...]:
    """All sets of up to three cards; of more, the rare ones and a sample, always the same."""
    if size <= 3:
        return tuple(combinations(DECK, size))
    drawn = Random(size)
    sample = [tuple(drawn.sample(DECK, size)) for _ in range(SAMPLE)]
    return (*sample, *_rare(size))


def _rare(size: int) -> Iterator[tuple[Card, ...]]:
    """Straights, flushes, fours and full houses of every rank and suit, filled up in two ways."""
    for core in (*_in_one_suit(size), *_of_ranks()):
        rest = [card for card in DECK if card not in core]
        missing = size - len(core)
        if missing >= 0:
            yield (*core, *rest[:missing])
            yield (*core, *rest[-missing:]) if missing else core


def _in_one_suit(size: int) -> Iterator[tuple[Card, ...]]:
    for suit in range(4):
        of_suit = [card for card in DECK if card.suit == suit]
        around = [*of_suit[-1:], *of_suit]
        for length in range(5, min(size, 13) + 1):
            for start in range(len(around) - length + 1):
                cards = tuple(around[start : start + length])
                if len(set(cards)) == length:
                    yield cards
        for others in (suit, (suit + 1) % 4):
            mixed = [card for card in DECK if card.suit == others]
            for start in range(9):
                yield (*of_suit[start : start + 4], mixed[start + 4])


def _of_ranks() -> Iterator[tuple[Card, ...]]:
    by_rank = [[card for card in DECK if card % 13 == rank] for rank in range(13)]
    for high in range(13):
        yield tuple(by_rank[high])
        for low in range(13):
            if low != high:
                yield (*by_rank[high][:3], *by_rank[low][:2])
                yield (*by_rank[high][:2], *by_rank[low][:2])
