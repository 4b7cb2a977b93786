"""Random paytables with random patterns on few cards: every deal of those cards is settled by the
engine, and comes to what was counted."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, RANKS, Card
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import HARBOUR, changed, lines

STAKE = 1200
PAYS = ("1 to 1", "3 to 2", "20 to 1", "9 for 1", "$50", "push")
SETTINGS = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


@st.composite
def patterns(draw: st.DrawFn, size: int, others: tuple[str, ...], deep: int = 1) -> dict[str, Any]:
    """Conditions on a hand of so many cards, some of them on the hands `others`."""
    found: dict[str, Any] = {}
    if draw(st.booleans()):
        sets = st.text(RANKS, min_size=size, max_size=size)
        found["ranks"] = draw(st.lists(sets, min_size=1, max_size=40))
    if draw(st.booleans()):
        found["suits"] = draw(st.sampled_from(("s", "hd", "shd")))
    if size > 1 and draw(st.booleans()):
        found["suited"] = draw(st.booleans())
    if deep:
        for name in ("also", "unless"):
            if draw(st.booleans()):
                parts = [draw(patterns(size, others, deep=0))]
                if others:
                    hand = draw(st.sampled_from(others))
                    parts.append(draw(patterns(1, (), deep=0)) | {"hand": hand})
                found[name] = parts
    return found


@st.composite
def tables(draw: st.DrawFn, size: int, others: tuple[str, ...]) -> dict[str, Any]:
    names = [f"p{number}" for number in range(draw(st.integers(1, 3)))]
    changes: dict[str, Any] = {
        f"patterns.{name}": draw(patterns(size, others)) | {"words": name} for name in names
    }
    changes["paytables.lighthouse.A.lines"] = lines(
        *((name, draw(st.sampled_from(PAYS))) for name in names)
    )
    settles: dict[str, Any] = {"by": "paytable", "paytable": "lighthouse", "lost": "x"}
    settles["returns"] = draw(st.sampled_from(([], [names[-1]])))
    settles["tested_first"] = draw(st.sampled_from(([], [names[-1]])))
    return changes | {
        "wagers.lighthouse.settles": settles,
        "wagers.lighthouse.taken_before_deal": draw(st.booleans()),
    }


def settled(
    rules: Rules, own: tuple[Card, ...], dealer: tuple[Card, ...], board: tuple[Card, ...] = ()
) -> int:
    """The net of the wager by the engine; the cards that it does not look at are the next ones."""
    rest = iter((Counter(cards_of(rules.book.deck)) - Counter(own + dealer + board)).elements())
    own += tuple(next(rest) for _ in range(2 - len(own)))
    dealer += tuple(next(rest) for _ in range(2 - len(dealer)))
    board += tuple(next(rest) for _ in range(5 - len(board)))
    wagers = {"ante": STAKE, "anchor": STAKE, "lighthouse": STAKE}
    seat = PlayedSeat(1, "p", own, wagers, ("5x",))
    lines_paid = settle(CompletedRound((seat,), board, dealer), rules).seats[0].lines
    return next(line.net for line in lines_paid if line.wager == "lighthouse")


def check(rules: Rules, found: Counter[int]) -> None:
    analysis = analyze_side(rules, "lighthouse", stake_cents=STAKE)
    counted: Counter[int] = Counter()
    for outcome in analysis.outcomes:
        counted[int(outcome.net * STAKE)] += outcome.combinations
    deals = sum(found.values())
    assert {net: n * analysis.combinations_total for net, n in found.items()} == {
        net: n * deals for net, n in counted.items() if n
    }


@SETTINGS
@given(tables(2, ()))
def test_lines_on_two_own_cards(changes: dict[str, Any]) -> None:
    changes["wagers.lighthouse.settles"]["hand"] = "pocket"
    rules = changed(HARBOUR, changes)
    check(rules, Counter(settled(rules, own, ()) for own in combinations(DECK, 2)))


@SETTINGS
@given(tables(1, ("theirs",)))
def test_lines_on_an_own_card_and_one_of_the_dealers(changes: dict[str, Any]) -> None:
    changes["wagers.lighthouse.settles"]["hand"] = "mine"
    changes["hands.mine"] = {"cards": ["player:1"], "ranking": "cards", "clause": "x"}
    changes["hands.theirs"] = {"cards": ["dealer:1"], "ranking": "cards", "clause": "x"}
    rules = changed(HARBOUR, changes)
    check(rules, Counter(settled(rules, (a,), (b,)) for a, b in permutations(DECK, 2)))


SEVERAL = {"positions.most": 1, "layout": None, "dealer.of": None}


@SETTINGS
@given(tables(2, ()))
def test_lines_on_two_own_cards_of_two_decks(changes: dict[str, Any]) -> None:
    """A player may hold the same card twice: a suited pair."""
    changes["wagers.lighthouse.settles"]["hand"] = "pocket"
    changes["deck"] = {"ranks": "TJQKA", "copies": 2}
    rules = changed(HARBOUR, changes | SEVERAL)
    deck = cards_of(rules.book.deck)
    hands = Counter(tuple(sorted(hand)) for hand in combinations(deck, 2))
    nets: Counter[int] = Counter()
    for hand, count in hands.items():
        nets[settled(rules, hand, ())] += count
    check(rules, nets)


@SETTINGS
@given(st.sampled_from(("KA", "QKA")), st.integers(0, 9))
def test_lines_on_five_cards_of_several_decks(ranks: str, seed: int) -> None:
    """Flushes with two aces, and five of a kind where the ranking knows it."""
    changes: dict[str, Any] = {
        "deck": {"ranks": ranks, "copies": 4 - len(ranks)},
        "patterns.high_flush": {"category": ["flush"], "suits": "sh", "words": "a flush"},
        "patterns.black": {"category": [], "suits": "sc", "words": "black"},
        "patterns.aces": {"ranks": ["AAAAA", "KAAAA", "KKAAA"], "words": "aces"},
        "hands.opening": {
            "cards": ["player", "community:3"],
            "ranking": "five_card",
            "clause": "x",
        },
        "wagers.lighthouse.settles": {
            "by": "paytable",
            "hand": "opening",
            "paytable": "lighthouse",
            "lost": "x",
        },
        "paytables.lighthouse.A.lines": lines(
            *(
                (name, PAYS[(number + seed) % len(PAYS)])
                for number, name in enumerate(
                    ("high_flush", "aces", "black", "four_of_a_kind", "flush", "full_house")
                )
            )
        ),
    }
    rules = changed(HARBOUR, changes | SEVERAL)
    deck = cards_of(rules.book.deck)
    hands = Counter(tuple(sorted(hand)) for hand in combinations(deck, 5))
    nets: Counter[int] = Counter()
    for hand, count in hands.items():
        nets[settled(rules, hand[:2], (), hand[2:])] += count
    check(rules, nets)
