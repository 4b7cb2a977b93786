"""The side wagers of the bundled games: their figures as published, and the lines that pay them as
the engine does."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from croupier.cards import DECK, RANKS, Card, mask_of
from croupier.mathematics.game.course import cards_of
from croupier.mathematics.game.paytable_lines import LineTests
from croupier.mathematics.questions.registry import analyze_wager
from croupier.mathematics.side_wagers.columns import bits_of, columns_by
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusPaytable
from tests.mathematics.dealt import rules_of

FIGURES = [
    ("casino-holdem", "aa", "only", Fraction(-5809, 92820), "6.26"),
    ("texas-holdem-bonus", "bonus", "only", Fraction(-13873, 162435), "8.54"),
    ("three-card-poker", "pair_plus", "A", Fraction(-128, 5525), "2.32"),
    ("three-card-poker", "pair_plus", "B", Fraction(-402, 5525), "7.28"),
    # Printed as 10.23%; the hands of six cards are known, and come to 10.2248%.
    ("three-card-poker", "six_card_bonus", "only", Fraction(-15306, 149695), "10.22"),
    ("let-it-ride", "three_card_bonus", "only", Fraction(-402, 5525), "7.28"),
    ("mississippi-stud", "three_card_bonus", "only", Fraction(-402, 5525), "7.28"),
    ("four-card-poker", "aces_up", "only", Fraction(-12643, 324870), "3.89"),
    ("crazy-4-poker", "queens_up", "only", Fraction(-7339, 108290), "6.78"),
    ("high-card-flush", "flush_bonus", "only", Fraction(-200861, 2572780), "7.81"),
]
IDS = [f"{book} {wager} {table}" for book, wager, table, _, _ in FIGURES]


def in_force(book: str, wager: str, table: str) -> Rules:
    settles = rules_of(book).book.wagers[wager].settles
    assert isinstance(settles, VersusPaytable)
    return rules_of(book, **{settles.paytable: table})


@pytest.mark.parametrize(("book", "wager", "table", "exact", "printed"), FIGURES, ids=IDS)
def test_figures(book: str, wager: str, table: str, exact: Fraction, printed: str) -> None:
    found = analyze_wager(in_force(book, wager, table), wager)
    assert found.expected_value == exact
    assert f"{-float(exact) * 100:.2f}" == printed


def test_a_progressive_hangs_on_its_meter() -> None:
    """Of a dollar in Caribbean Stud: what the fixed lines return, and 23/10 of a millionth of the
    meter (royal flushes take all of it, straight flushes a tenth)."""
    rules = rules_of("caribbean-stud")
    (meter,) = rules.resets
    low, high = (
        analyze_wager(rules, "progressive", stake_cents=100, meters={meter: cents})
        for cents in (10_000_000, 30_000_000)
    )
    gained = (high.expected_value - low.expected_value) / 200_000
    assert gained == Fraction(4 * 10 + 36, 10) / 2_598_960


def interesting(rules: Rules, chance: random.Random) -> list[Card]:
    """Cards that make something: of one suit, of few ranks, or any."""
    deck = [card for card in DECK if RANKS[card.rank] in rules.book.deck.ranks]
    cards = rules.book.cards
    needed = cards.player + cards.dealer + cards.community + cards.box
    suit, ranks = chance.randrange(4), chance.sample(range(13), 4)
    chance.shuffle(deck)
    kind = chance.randrange(3)
    if kind:
        deck.sort(key=lambda c: c.suit != suit if kind == 1 else c.rank not in ranks)
    top = deck[:needed]
    chance.shuffle(top)
    return top


@pytest.mark.parametrize(("book", "wager", "table", "exact", "printed"), FIGURES, ids=IDS)
def test_the_engine_pays_the_same_line(
    book: str, wager: str, table: str, exact: Fraction, printed: str
) -> None:
    del exact, printed
    rules = in_force(book, wager, table)
    settles = rules.book.wagers[wager].settles
    assert isinstance(settles, VersusPaytable)
    tests = LineTests(rules.paytable(settles.paytable), rules.book.patterns, settles.hand)
    chance = random.Random(f"{book} {wager} {table}")
    for _ in range(60):
        played = interesting(rules, chance)
        line = tests.line(leaves_of(rules, tests, played))
        want = None if line is None else tests.lines[line].hand
        assert paid_line(rules, wager, played) == want, played


def at_places(rules: Rules, cards: list[Card]) -> dict[str, tuple[Card, ...]]:
    found: dict[str, tuple[Card, ...]] = {}
    for place in ("player", "dealer", "community", "box"):
        number = getattr(rules.book.cards, place)
        found[place], cards = tuple(cards[:number]), cards[number:]
    return found


def leaves_of(rules: Rules, tests: LineTests, cards: list[Card]) -> int:
    book, places = rules.book, at_places(rules, cards)
    columns = {}
    for name in {leaf.hand for leaf in tests.leaves}:
        made = cards_of(book.hands[name], book.cards) or {}
        held = [card for place, count in made.items() for card in places[place][:count]]
        mask = np.array([mask_of(held)], np.uint64)
        columns[name] = columns_by(ranking_of(book, name), mask)
    return int(bits_of(tests.leaves, columns)[0])


def paid_line(rules: Rules, wager: str, cards: list[Card]) -> str | None:
    book, places = rules.book, at_places(rules, cards)
    placed = dict.fromkeys((*rules.required, wager), 1000)
    said = tuple(next(iter(d.bets), "ride") for d in book.decisions)
    seat = PlayedSeat(1, "p", places["player"], placed, said)
    played = CompletedRound((seat,), places["community"], places["dealer"], places["box"])
    lines = settle(played, rules).seats[0].lines
    return next(line.reason.line or None for line in lines if line.wager == wager)
