"""Written strategies for hand against hand: their price against every deal settled by the engine,
what a player does who follows them, and what those that come with Croupier are worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.mathematics.questions.players.tables import load_player
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.questions.strategies.text import (
    BadStrategy,
    open_strategy,
    read_text,
    shipped_for,
)
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.opponents.by_engine import STAKE, Cards, VersusByEngine
from tests.mathematics.counters.opponents.games import decision, in_force
from tests.mathematics.counters.opponents.test_figures import three_card_poker
from tests.mathematics.dealt import rules_of

Said = Callable[[Cards, Cards], str]
"""What a text says with own cards against the dealer's that are seen, in plain words."""


def by_rank(cards: Cards) -> list[int]:
    return sorted((card.rank for card in cards), reverse=True)


# -- the same game three times: nothing seen, a card seen, the longest suit -----------------------

KING_QUEEN_SIX = """
play:
    play with K-Q-6 or better
    fold otherwise
"""
STRAIGHTS = ([10, 5, 4], [11, 10, 5])
"""Of three ranks that follow each other in a deck of 6, 7, Q and K."""


def is_made(own: Cards) -> bool:
    """More than a pair: three of a kind, a straight or a flush."""
    ranks = by_rank(own)
    return ranks in STRAIGHTS or len(set(ranks)) == 1 or len({card.suit for card in own}) == 1


def plain() -> Rules:
    return in_force(three_card_poker() | {"deck": {"ranks": "67QK"}})


def king_queen_six(own: Cards, _: Cards) -> str:
    ranks = by_rank(own)
    return "play" if is_made(own) or len(set(ranks)) < 3 or ranks >= [11, 10, 4] else "fold"


AGAINST_A_CARD = """
play:
    3x with a pair of queens or better and the dealer's card is a queen or lower
    1x otherwise with a pair or better,
        any king and not the dealer's card matches one of yours,
        two cards queen or higher and the dealer's card is lower than your second card
    fold otherwise
"""


def with_a_card_seen() -> Rules:
    game = three_card_poker() | {"deck": {"ranks": "67QK"}}
    game["reveals"] = [{"name": "up", "dealer": 1, "clause": "x"}]
    game["decisions"] = [decision(3, {"1x": 1, "3x": 3}, 1)]
    return in_force(game)


def against_a_card(own: Cards, up: Cards) -> str:
    counts, shown = Counter(card.rank for card in own), up[0].rank
    best = max(counts, key=lambda rank: (counts[rank], rank))
    pair, made = counts[best] == 2, is_made(own)
    if (made or (pair and best >= 10)) and shown <= 10:
        return "3x"
    high, matched = by_rank(own), shown in counts
    if pair or made or (11 in counts and not matched) or (high[1] >= 10 and shown < high[1]):
        return "1x"
    return "fold"


LONGEST_SUIT = """
play:
    2x with a two-card flush K-Q or better
    1x otherwise with two cards of one suit, any king
    fold otherwise
"""


def by_longest_suit() -> Rules:
    game = three_card_poker() | {"deck": {"ranks": "67QK"}, "bonuses": {}}
    game["rankings"] = {"suits": {"by": "longest_suit", "clause": "x"}}
    for hand in game["hands"].values():
        hand.pop("ace_low", None)
        hand["ranking"] = "suits"
    game["dealer"] |= {"at_least": "two_card_flush", "of": ""}
    names = ("one_card_flush", "two_card_flush", "three_card_flush")
    line = {"hand": "any", "pays": "1 to 1", "clause": "x", "covers": list(names)}
    game["paytables"] = {"even": {"only": {"clause": "x", "lines": [line]}}}
    only = {"2x": {"hand": "own", "at_least": "two_card_flush", "clause": "x"}}
    game["decisions"] = [decision(3, {"1x": 1, "2x": 2}, only_with=only)]
    return in_force(game)


def longest_suit(own: Cards, _: Cards) -> str:
    suits = [sorted((c.rank for c in own if c.suit == s), reverse=True) for s in range(4)]
    longest = max(suits, key=lambda ranks: (len(ranks), ranks))
    if len(longest) == 3 or longest == [11, 10]:
        return "2x"
    return "1x" if len(longest) == 2 or by_rank(own)[0] == 11 else "fold"


GAMES: dict[str, tuple[Callable[[], Rules], str, Said]] = {
    "nothing seen": (plain, KING_QUEEN_SIX, king_queen_six),
    "a card seen": (with_a_card_seen, AGAINST_A_CARD, against_a_card),
    "longest suit": (by_longest_suit, LONGEST_SUIT, longest_suit),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_price_is_what_the_engine_pays_over_all_deals(name: str) -> None:
    make, text, said = GAMES[name]
    engine = VersusByEngine(rules := make())
    units: dict[str, int] = dict(rules.book.decisions[0].bets)
    nets: Counter[int] = Counter()
    words: Counter[str] = Counter()
    best = lost = 0
    for own in combinations(engine.deck, 3):
        left = [card for card in engine.deck if card not in own]
        for up in combinations(left, rules.book.decisions[0].sees_dealer):
            met, word = engine.met(own, up), said(own, up)
            sums = {answer: sum(net * n for net, n in met[answer].items()) for answer in met}
            nets.update(met[word])
            words[word] += met[word].total()
            best += max(sums.values())
            lost += max(sums.values()) - sums[word]
    deals = nets.total()
    found = solver_for(rules).price(read_text(text, solver_for(rules).choices()))
    mean = Fraction(sum(net * count for net, count in nets.items()), deals * STAKE)
    squares = Fraction(sum(net**2 * count for net, count in nets.items()), deals * STAKE**2)
    assert found.value == mean
    assert found.standard_deviation == sqrt(squares - mean**2)
    assert found.optimal == Fraction(best, deals * STAKE)
    assert found.losses == {"play": Fraction(lost, deals * STAKE)}
    assert found.cost == found.losses["play"] > 0
    bet = sum(units.get(word, 0) * count for word, count in words.items())
    assert found.units_decided == Fraction(bet, deals)
    shares = found.frequencies["play"]
    assert {word: share for word, share in shares.items() if share} == {
        word: Fraction(count, deals) for word, count in words.items()
    }
    for mistake in found.mistakes["play"]:
        hand = mistake.example
        assert said(hand.own, hand.dealer) == mistake.taken
        values = advise(rules, Situation(hand.own, dealer=hand.dealer)).values
        assert values[mistake.best] > values[mistake.taken]


@pytest.mark.parametrize("name", GAMES)
def test_a_player_does_what_the_text_says(name: str, tmp_path: Path) -> None:
    make, text, said = GAMES[name]
    rules = make()
    player = solver_for(rules).following(read_text(text, solver_for(rules).choices()))
    player.save(tmp_path / "written.strategy")
    loaded = load_player(tmp_path / "written.strategy")
    deck, chance = VersusByEngine(rules).deck, random.Random(9)
    for _ in range(300):
        own, up = _dealt(chance, deck, rules)
        situation = Situation(own, dealer=up)
        assert player.answer(situation) == loaded.answer(situation) == said(own, up)


@pytest.mark.parametrize("name", GAMES)
def test_the_best_player_is_as_advised(name: str) -> None:
    rules = GAMES[name][0]()
    player, deck, chance = solver_for(rules).player(), VersusByEngine(rules).deck, random.Random(7)
    for _ in range(100):
        own, up = _dealt(chance, deck, rules)
        situation = Situation(own, dealer=up)
        values = advise(rules, situation).values
        assert values[player.answer(situation)] == max(values.values())


def _dealt(chance: random.Random, deck: Any, rules: Rules) -> tuple[Cards, Cards]:
    cards: tuple[Card, ...] = tuple(chance.sample(list(deck), 4))
    return cards[:3], cards[3 : 3 + rules.book.decisions[0].sees_dealer]


# -- what is said wrongly -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("longest suit", "play:\n 2x always", "'2x' may not be said with"),
        ("longest suit", "play:\n 1x with K-Q or better", "say of how many cards"),
        ("longest suit", "play:\n 1x with a pair", "hands of this game are one card flush"),
        ("nothing seen", "play:\n play with the dealer's card is a king", "no card of the dealer"),
        ("nothing seen", "play:\n play with Q-K or better", "the highest first"),
        ("nothing seen", "play:\n play with four cards queen or higher", "3 are held"),
        ("nothing seen", "play:\n play with K5o+", "is not a hand that a strategy can name"),
        ("nothing seen", "play:\n play with 77-33", "names different ranks, the highest first"),
        ("nothing seen", "play:\n play with any king", "leaves hands undecided"),
        ("a card seen", "play:\n 1x always with", "after '1x' comes 'with'"),
        (
            "a card seen",
            "play:\n 1x with any king\n fold with a pair\n fold otherwise",
            "contradict",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused(name: str, text: str, message: str) -> None:
    rules = GAMES[name][0]()
    with pytest.raises(BadStrategy, match=message):
        solver_for(rules).price(read_text(text, solver_for(rules).choices()))


# -- those that come with Croupier ----------------------------------------------------------------

QUICK: dict[str, tuple[str, Fraction, Fraction]] = {
    "three-card-poker-published": ("three-card-poker", Fraction(-686689, 20358520), Fraction(0)),
    "crazy-4-published": (
        "crazy-4-poker",
        Fraction(-1893072393, 55370084770),
        Fraction(2077, 2323220340),
    ),
}
SLOW: dict[str, tuple[str, Fraction, Fraction]] = {
    "caribbean-published": (
        "caribbean-stud",
        Fraction(-539036107, 10317407100),
        Fraction(311433, 138425211925),
    ),
    "caribbean-simple": (
        "caribbean-stud",
        Fraction(-5887307781, 110740169540),
        Fraction(34739561, 37752330525),
    ),
    "four-card-simple": (
        "four-card-poker",
        Fraction(-249700271, 7047101698),
        Fraction(171120353, 22651398315),
    ),
    "high-card-flush-simple": (
        "high-card-flush",
        Fraction(-2286257119043, 84320729092600),
        Fraction(871448374, 1860016082925),
    ),
}


def check_shipped(name: str, game: str, value: Fraction, cost: Fraction) -> None:
    rules = rules_of(game)
    assert name in shipped_for(game)
    found = solver_for(rules).price(open_strategy(name, solver_for(rules).choices()))
    assert (found.value, found.cost) == (value, cost)


@pytest.mark.parametrize("name", QUICK)
def test_shipped_strategies_have_their_price(name: str) -> None:
    check_shipped(name, *QUICK[name])


@pytest.mark.full
@pytest.mark.parametrize("name", SLOW)
def test_shipped_strategies_for_larger_games_have_their_price(name: str) -> None:
    check_shipped(name, *SLOW[name])


def value(rules: Rules, own: Cards) -> int:
    """By the ranking itself, which the mathematics only reads its tables from."""
    return ranking_of(rules.book, "own").value_of(own)


def least(rules: Rules, hand: str, of: str) -> int:
    return ranking_of(rules.book, "own").least(hand, of)


def queen_six_four(rules: Rules, own: Cards, _: Cards) -> str:
    return "1x" if value(rules, own) >= least(rules, "high_card", "Q64") else "fold"


def crazy_four(rules: Rules, own: Cards, _: Cards) -> str:
    if value(rules, own) >= least(rules, "pair", "A"):
        return "3x"
    return "1x" if value(rules, own) >= least(rules, "high_card", "KQ84") else "fold"


def caribbean(rules: Rules, own: Cards, up: Cards) -> str:
    if value(rules, own) >= least(rules, "pair", ""):
        return "2x"
    ranks, shown = by_rank(own), up[0].rank
    if ranks[:2] != [12, 11]:
        return "fold"
    if shown <= 10 and shown in ranks:
        return "2x"
    if shown >= 11 and (10 in ranks or 9 in ranks):
        return "2x"
    return "2x" if shown not in ranks and 10 in ranks and shown < ranks[3] else "fold"


def four_card(rules: Rules, own: Cards, _: Cards) -> str:
    if value(rules, own) >= least(rules, "pair", "T"):
        return "3x"
    return "1x" if value(rules, own) >= least(rules, "pair", "") else "fold"


def high_card_flush(rules: Rules, own: Cards, _: Cards) -> str:
    counts = Counter(card.suit for card in own)
    if max(counts.values()) >= 5:
        return "3x" if max(counts.values()) >= 6 else "2x"
    return "1x" if value(rules, own) >= least(rules, "three_card_flush", "T86") else "fold"


READ = {
    "three-card-poker-published": queen_six_four,
    "crazy-4-published": crazy_four,
    "caribbean-published": caribbean,
    "four-card-simple": four_card,
    "high-card-flush-simple": high_card_flush,
}


def check_said(name: str, hands: int) -> None:
    """Half of the hands have nothing below a nine."""
    game, *_ = (QUICK | SLOW)[name]
    rules, chance = rules_of(game), random.Random(name)
    player = solver_for(rules).following(open_strategy(name, solver_for(rules).choices()))
    decided, said = rules.book.decisions[0], Counter[str]()
    for number in range(hands):
        deck = [card for card in DECK if card.rank >= (7 if number % 2 else 0)]
        cards = tuple(chance.sample(deck, decided.sees_player + decided.sees_dealer))
        own, up = cards[: decided.sees_player], cards[decided.sees_player :]
        word = READ[name](rules, own, up)
        assert player.answer(Situation(own, dealer=up)) == word, (own, up)
        said[word] += 1
    assert len(said) > 1


@pytest.mark.parametrize("name", QUICK)
def test_shipped_strategies_are_played_as_they_read(name: str) -> None:
    check_said(name, 2000)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in SLOW if name in READ])
def test_shipped_strategies_for_larger_games_are_played_as_they_read(name: str) -> None:
    check_said(name, 4000)


def test_the_search_finds_queen_six_four() -> None:
    """The published strategy of Three Card Poker comes out by itself and is the best play."""
    rules = rules_of("three-card-poker")
    text = solver_for(rules).search()
    assert text.split() == ["play:", "1x", "with", "Q-6-4", "or", "better", "fold", "otherwise"]
    found = solver_for(rules).price(read_text(text, solver_for(rules).choices()))
    assert f"{float(found.house_edge):.4%}" == "3.3730%"
    assert found.cost == 0


def test_a_search_says_what_its_text_loses() -> None:
    lost: list[float] = []
    rules = with_a_card_seen()
    text = solver_for(rules).search(0.002, lambda line: lost.append(float(line.split()[2])))
    found = solver_for(rules).price(read_text(text, solver_for(rules).choices()))
    assert float(found.cost) == pytest.approx(sum(lost), abs=2e-6)
    assert found.cost < Fraction(1, 25)
    assert "the dealer's card" in text


def test_always_playing_costs_what_the_chart_says() -> None:
    rules = rules_of("three-card-poker")
    found = solver_for(rules).price(read_text("play: 1x always", solver_for(rules).choices()))
    assert f"{float(found.house_edge):.4%}" == "7.6538%"
    worst = found.mistakes["play"][0]
    assert (worst.taken, worst.best) == ("1x", "fold")
    assert advise(rules, Situation(parse_cards("Qh 6d 3c"))).best == "fold"
