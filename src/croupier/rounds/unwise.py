"""Warnings about a rulebook file that says something it probably does not mean: lines that nobody
can be paid on, winners that no line pays, bets that nobody or everybody may make.

Hands are tried one by one, so every warning about a hand that exists was seen with a real hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from croupier.cards import Card
from croupier.ranking.by_categories import order_of
from croupier.ranking.categories import order_problems
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.rounds.held_hands import HandPlan, Hands, least_value, plans_of
from croupier.rounds.paytable_lines import PaidTable, pattern_named
from croupier.rounds.round_flow import Show, flow_of
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.name_checks import of_problem
from croupier.rulebooks.rankings import names_held
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Dealer,
    Deck,
    EitherHandBeaten,
    HighestHand,
    LeastHand,
    Outcome,
    Pattern,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)

SAMPLE: Final = 20_000
"""The number of random hands of four or more cards that are tried, besides the rare ones."""
SAMPLE_OF_SEVERAL: Final = 2_000
"""The same if several decks are shuffled together, which are slower to rank."""


class Unwise(NamedTuple):
    """A warning. `place` is the place in the file; `words` say what happens, with an example if
    there is one."""

    place: str
    words: str


def unwise(rules: Rules) -> Iterator[Unwise]:
    """Yield every warning about the rulebook."""
    plans = plans_of(rules)
    looked: set[tuple[str, str]] = set()
    for name, wager in rules.book.wagers.items():
        settles = wager.settles
        place = f"wagers.{name}.settles"
        match settles:
            case VersusPaytable() | EitherHandBeaten() | HighestHand():
                first = settles.tested_first if isinstance(settles, VersusPaytable) else ()
                yield from _lines(rules.book, settles.paytable, settles.hand, plans, first, looked)
                # A royal is never beaten, so a table for beaten hands may omit it.
                if not isinstance(settles, EitherHandBeaten):
                    yield from _royals(rules.book, settles.paytable, settles.hand)
            case VersusDealer():
                for said in ("qualified", "unqualified"):
                    showdown = getattr(settles, said)
                    if showdown is not None:
                        at = f"{place}.{said}.higher"
                        yield from _winner(rules, at, showdown.higher, settles.hand, plans)
                        family = showdown.higher.paytable
                        if family:
                            yield from _lines(rules.book, family, settles.hand, plans, (), looked)
                            if said == "qualified":
                                yield from _royals(rules.book, family, settles.hand)
    for bonus in rules.book.bonuses.values():
        yield from _lines(rules.book, bonus.paytable, bonus.hand, plans, (), looked)
        yield from _royals(rules.book, bonus.paytable, bonus.hand)
    yield from _rankings(rules.book)
    yield from _qualifier(rules.book, plans)
    yield from _strong_bets(rules.book, plans)
    yield from _folded(rules.book)
    yield from _seen(rules)


# -- lines ----------------------------------------------------------------------------------------


def _lines(
    book: Rulebook,
    family: str,
    hand: str,
    plans: dict[str, HandPlan],
    first: tuple[str, ...],
    looked: set[tuple[str, str]],
) -> Iterator[Unwise]:
    """Yield a warning for each line that no hand is paid on, in every paytable of the family."""
    if (family, hand) in looked:
        return
    looked.add((family, hand))
    for table_id, table in book.paytables.get(family, {}).items():
        place = f"paytables.{family}.{table_id}"
        yield from _doubled(place, table)
        yield from _unreached(place, table, book, hand, plans, first)


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
        reached = paid.line(hands, hand)
        if reached is not None:
            open_lines.discard(reached.hand)
            for name in open_lines - instead.keys():
                if alone[name].line(hands, hand) is not None:
                    instead[name] = reached.hand
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
    """Return whether a pattern also looks at another hand, so that this hand alone cannot decide
    it."""
    return bool(pattern.hand) or any(map(_looks_elsewhere, (*pattern.also, *pattern.unless)))


def _royals(book: Rulebook, family: str, hand: str) -> Iterator[Unwise]:
    """Warn if a royal is not paid as a straight flush: a royal with a name of its own does not
    count as one."""
    named = names_held(book, hand)
    for table_id, table in book.paytables.get(family, {}).items():
        covered = {
            category
            for line in table.lines
            for name in line.covers or (line.hand,)
            for category in pattern_named(name, book.patterns).category or named
        }
        for royal, cards in _ROYAL_CARDS.items():
            if royal in named and "straight_flush" in covered and royal not in covered:
                yield Unwise(
                    f"paytables.{family}.{table_id}.lines.straight_flush",
                    f"it does not cover {cards} of one suit, a {royal.replace('_', ' ')} here: add "
                    f'a line \'{royal}\', or covers = ["straight_flush", "{royal}"]',
                )


_ROYAL_CARDS: Final = {"mini_royal": "Q-K-A", "royal_flush": "the highest cards up to the ace"}


# -- rankings, qualifiers, bets -------------------------------------------------------------------


def _rankings(book: Rulebook) -> Iterator[Unwise]:
    """Warn of well-known hands that an order leaves out."""
    for name, ranking in book.rankings.items():
        if ranking.by != "categories":
            continue
        usual = [*CATEGORY_NAMES[:-1], *(["five_of_a_kind"] if book.deck.copies > 1 else [])]
        ranks, copies = book.deck.ranks, book.deck.copies
        for left_out in usual:
            impossible = order_problems((left_out,), ranking.size, ranks=ranks, copies=copies)
            if left_out not in order_of(ranking.order) and not list(impossible):
                words = "is left out: such a hand counts as the best of the others that it is"
                yield Unwise(f"rankings.{name}.order", f"{left_out!r} {words}")


def _qualifier(book: Rulebook, plans: dict[str, HandPlan]) -> Iterator[Unwise]:
    dealer = book.dealer
    if dealer is None or (dealer.at_least == "high_card" and not dealer.of):
        return
    against = [w.settles for w in book.wagers.values() if isinstance(w.settles, VersusDealer)]
    if all(settles.unqualified is None for settles in against):
        words = "a dealer who does not qualify changes nothing: no wager has settles.unqualified"
        yield Unwise("dealer.at_least", words)
    if problem := of_problem(book, dealer):
        yield Unwise("dealer.of", problem)
    yield from _met(book, "dealer.at_least", dealer, plans, "qualifies")


def _strong_bets(book: Rulebook, plans: dict[str, HandPlan]) -> Iterator[Unwise]:
    for number, decision in enumerate(book.decisions):
        for bet, least in decision.only_with.items():
            place = f"decisions[{number}].only_with.{bet}"
            yield from _met(book, place, least, plans, "may bet so")


def _met(
    book: Rulebook, place: str, least: Dealer | LeastHand, plans: dict[str, HandPlan], verb: str
) -> Iterator[Unwise]:
    """Warn if a required least hand is met by every hand or by none."""
    wanted = least_value(plans[least.hand], least.at_least, least.of)
    met = {hands[least.hand].value >= wanted for hands in _tried(book, least.hand, plans)}
    if met == {True}:
        yield Unwise(place, f"every hand {verb}")
    if met == {False}:
        yield Unwise(place, f"no hand {verb}: none is that good")


def _seen(rules: Rules) -> Iterator[Unwise]:
    """Warn if a decision states another number of cards seen than are up when it is asked."""
    up = {"player": flow_of(rules).first_look, "community": 0, "dealer": 0}
    for step in flow_of(rules).steps:
        if isinstance(step, Show):
            up = {place: count + getattr(step.reveal, place) for place, count in up.items()}
            continue
        number = rules.book.decisions.index(step.decision)
        for place, count in up.items():
            said = getattr(step.decision, f"sees_{place}")
            if said != count:
                words = f"{count} are seen by then, as the reveals have it, not {said}"
                yield Unwise(f"decisions[{number}].sees_{place}", words)


def _folded(book: Rulebook) -> Iterator[Unwise]:
    """Warn if a paytable alone settles a bet of the main game and the rulebook does not say what a
    fold does to it."""
    if not any(decision.otherwise == "fold" for decision in book.decisions):
        return
    for name, wager in book.wagers.items():
        is_main = wager.role != "optional" and isinstance(wager.settles, VersusPaytable)
        if is_main and wager.after_fold == "stands" and not wager.after_fold_clause:
            words = 'a player who folds is paid all the same: say after_fold = "loses", or '
            yield Unwise(f"wagers.{name}", words + "name the after_fold_clause by which it stands")


# -- winners --------------------------------------------------------------------------------------


def _winner(
    rules: Rules, place: str, outcome: Outcome, hand: str, plans: dict[str, HandPlan]
) -> Iterator[Unwise]:
    """Warn of a hand that beats the dealer and still loses."""
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
    for cards in _sets(sum(count for _, count in sizes), book.deck):
        placed: dict[str, tuple[Card, ...]] = {}
        rest = cards
        for name, count in sizes:
            placed[name], rest = rest[:count], rest[count:]
        yield Hands(plans, placed)


@cache
def _sets(size: int, deck: Deck) -> tuple[tuple[Card, ...], ...]:
    """Return sets of cards: all of up to three cards; of more, the rare ones and a fixed random
    sample."""
    cards = cards_of(deck)
    if size <= 3 and deck.copies == 1:
        return tuple(combinations(cards, size))
    drawn = Random(size)
    count = SAMPLE if deck.copies == 1 else SAMPLE_OF_SEVERAL
    sample = [tuple(drawn.sample(cards, size)) for _ in range(count)]
    return (*sample, *_rare(size, cards))


def _rare(size: int, deck: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Yield straights, flushes, fours of a kind and full houses of every rank and suit, each filled
    up in two ways."""
    for core in (*_in_one_suit(size, deck), *_of_ranks(deck)):
        rest = [card for card in deck if card not in core]
        missing = size - len(core)
        if 0 <= missing <= len(rest):
            yield (*core, *rest[:missing])
            yield (*core, *rest[-missing:]) if missing else core


def _in_one_suit(size: int, deck: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    for suit in range(4):
        of_suit = sorted({card for card in deck if card.suit == suit})
        around = [*of_suit[-1:], *of_suit]
        for length in range(min(size, 5), min(size, 13) + 1):
            for start in range(len(around) - length + 1):
                cards = tuple(around[start : start + length])
                if len(set(cards)) == length:
                    yield cards
        for others in (suit, (suit + 1) % 4):
            mixed = sorted({card for card in deck if card.suit == others})
            for start in range(len(of_suit) - 4):
                yield (*of_suit[start : start + 4], mixed[start + 4])


def _of_ranks(deck: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    by_rank = [[card for card in deck if card % 13 == rank] for rank in range(13)]
    for high in filter(None, by_rank):
        yield from (tuple(high[:count]) for count in range(2, min(len(high), 5) + 1))
        for low in filter(None, by_rank):
            if low != high:
                yield (*high[:3], *low[:2])
                yield (*high[:2], *low[:2])
