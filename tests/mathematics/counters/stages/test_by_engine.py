"""Random games of streets as rulebook files: the solver against every deal of a small deck that the
engine settles."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from croupier.cards import Card
from croupier.errors import BadData
from croupier.mathematics.counters.shapes import STREETS
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from tests.mathematics.counters.stages.brute import STAKE, ByEngine
from tests.mathematics.counters.stages.games import (
    asked,
    hand,
    paytable,
    rules_of_tree,
    tree,
    wager,
)

PAYS = ("1 to 1", "3 to 2", "20 to 1", "1 to 2", "4 for 1", "push")
THREE = ["straight_flush", "three_of_a_kind", "straight", "flush", "pair"]
RANKINGS: dict[str, dict[str, Any]] = {
    "two": {"size": 2, "order": ["pair", "straight", "flush"], "ace_low": False},
    "three": {"size": 3, "order": THREE},
    "four": {"size": 4, "order": ["four_of_a_kind", *THREE[1:4], "two_pair", "pair"]},
    "suit": {"by": "longest_suit"},
}
CATEGORIES = {
    "two": ("pair", "straight", "flush", "high_card"),
    "three": (*THREE, "high_card"),
    "four": ("four_of_a_kind", "straight", "flush", "two_pair", "pair"),
    "suit": ("three_card_flush", "two_card_flush", "one_card_flush"),
    "five_card": ("full_house", "flush", "two_pair", "pair", "any_winning"),
    "cards": ("red", "suited", "aces"),
}
PATTERNS = {
    "aces": {"ranks": ["AA", "A", "AK"]},
    "red": {"suits": "hd"},
    "spades": {"suits": "s"},
    "suited": {"suited": True},
    "kings": {"category": ["pair"], "made": "K"},
    "any_winning": {"category": ["three_of_a_kind", "pair"], "unless": [{"suits": "c"}]},
}


@st.composite
def steps(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """How many own cards, and what each reveal turns up."""
    reveals = draw(
        st.lists(st.sampled_from([(0, 1), (0, 1), (0, 2), (1, 0), (1, 1)]), min_size=1, max_size=3)
    )
    while sum(map(sum, reveals)) > 3:
        reveals.pop()
    looked = draw(st.sampled_from([0, 1, 2, 2]))
    return max(1, looked + sum(own for own, _ in reveals)), reveals


@st.composite
def hands(draw: st.DrawFn, own: int, board: int) -> dict[str, Any]:
    places = [("player", own), ("community", board)]
    found = {}
    for name in ("a", "b", "c")[: draw(st.sampled_from([1, 2, 2, 3]))]:
        cards, count = [], 0
        for place, most in places:
            first = draw(st.integers(0, most))
            if first:
                cards.append(place if first == most else f"{place}:{first}")
                count += first
        if not count:
            cards, count = ["player"], own
        fitting = [r for r in ("two", "three", "four") if RANKINGS[r].get("size", 0) <= count]
        fitting += ["suit", "cards"] + ["five_card"] * (5 <= count <= 7) * 3
        found[name] = hand(*cards, ranking=draw(st.sampled_from(fitting)))
    return found


@st.composite
def decisions(
    draw: st.DrawFn, own: int, reveals: list[tuple[int, int]], held: dict[str, Any]
) -> list[dict[str, Any]]:
    looked, shown = own - sum(mine for mine, _ in reveals), 0
    moments = [(looked, shown)]
    for mine, board in reveals:
        looked, shown = looked + mine, shown + board
        moments.append((looked, shown))
    found: list[dict[str, Any]] = []
    for number, seen in enumerate(moments):
        for again in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            name = f"d{number}{again}"
            kind = draw(st.sampled_from(["bet", "bet", "bet", "back", "same"]))
            declined = draw(st.sampled_from(["check", "fold", "fold"]))
            more: dict[str, Any] = {}
            if kind == "back":
                more["takes_back"] = draw(st.sampled_from(["r0", "r1"]))
                declined = draw(st.sampled_from(["ride", "fold"]))
            else:
                bets = draw(st.sampled_from([{"1x": 1}, {"1x": 1, "3x": 3}, {"2x": 2}]))
                down = "w0" if kind == "same" else f"w{number}{again}"
                more |= {"wager": down, "multiple_of": "r2", "bets": bets}
                if draw(st.booleans()):
                    least = {"hand": draw(st.sampled_from(sorted(held))), "at_least": "pair"}
                    more["only_with"] = {next(iter(bets)): least}
            found.append(asked(name, *seen, declined, **more))
    return found[:3]


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    own, reveals = draw(steps())
    held = draw(hands(own, sum(board for _, board in reveals)))
    taken = draw(decisions(own, reveals, held))
    tables, wagers = {}, {}
    names = [f"r{number}" for number in range(3)] + sorted(
        {one["wager"] for one in taken if "wager" in one}
    )
    for name in names:
        which = draw(st.sampled_from(sorted(held)))
        ranking = held[which]["ranking"]
        listed = draw(
            st.lists(
                st.sampled_from((*CATEGORIES[ranking], "kings", "spades")),
                min_size=1,
                max_size=3,
                unique=True,
            )
        )
        tables[f"pays_{name}"] = [(line, draw(st.sampled_from(PAYS))) for line in listed]
        settles = paytable(which, f"pays_{name}", returns=draw(st.sampled_from([[], ["red"]])))
        role = "required" if name.startswith("r") else "decided"
        if role == "decided" and draw(st.booleans()):
            settles = {"by": "follows", "wager": "r2", "lost": "x"}
        fold = draw(st.sampled_from(["loses", "loses", "stands"]))
        wagers[name] = wager(role, settles, after_fold=fold)
    bonuses = {}
    if draw(st.booleans()):
        tables["extra"] = [("pair", "2 to 1"), ("red", "1 to 1")]
        bonus = {"title": "x", "on": "r2", "hand": "a", "paytable": "extra", "clause": "x"}
        bonuses = {"extra_bonus": bonus}
    few = own + sum(board for _, board in reveals) < 4
    deck = {"ranks": draw(st.sampled_from(["QKA", "23A", "JQKA"] if few else ["KA", "QK", "2A"]))}
    more = {"deck": deck, "rankings": RANKINGS, "patterns": PATTERNS, "bonuses": bonuses}
    return tree(own, reveals, taken, held, wagers, tables) | more


def lawful(contents: dict[str, Any]) -> Rules:
    try:
        return rules_of_tree(contents)
    except BadData:
        reject()


FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


@FEW
@given(games(), st.data())
def test_a_random_game_is_worth_what_the_engine_pays(
    contents: dict[str, Any], data: st.DataObject
) -> None:
    check_worth(contents, data)


@pytest.mark.full
@settings(FEW, max_examples=int(os.environ.get("STREETS_EXAMPLES", "40")))
@given(games(), st.data())
def test_many_random_games_are_worth_what_the_engine_pays(
    contents: dict[str, Any], data: st.DataObject
) -> None:
    check_worth(contents, data)


def check_worth(contents: dict[str, Any], data: st.DataObject) -> None:
    rules = lawful(contents)
    solver = solver_for(rules)
    assert solver.shape is STREETS
    engine = ByEngine(rules)
    found = solver.figures()
    assert found.expected_value == engine.value()
    for shares in found.decisions.values():
        assert sum(shares.values()) <= 1
    nets = net_distribution(rules, dict.fromkeys(rules.required, STAKE))
    mean = Fraction(sum(net * deals for net, deals in nets.items()), sum(nets.values()))
    assert mean == found.expected_value * STAKE
    assert nets == nets_of_outcomes(found.outcomes)
    check_advice(rules, engine, data)


def nets_of_outcomes(outcomes: Sequence[dict[str, Any]]) -> Counter[int]:
    """At a stake that every payment comes to whole cents of, rounding changes nothing."""
    found: Counter[int] = Counter()
    for outcome in outcomes:
        found[int(Fraction(outcome["pays"]["net"]) * STAKE)] += outcome["combinations"]
    return found


def check_advice(rules: Rules, engine: ByEngine, data: st.DataObject) -> None:
    """One random way through the round: what every answer is worth, whatever was said before."""
    cards = data.draw(st.permutations(engine.deck))
    own: list[Card] = []
    board: list[Card] = []
    said: list[str] = []
    for place, step in enumerate(engine.steps):
        if not isinstance(step, Decision):
            (own if step == "player" else board).append(cards.pop())
            continue
        if "fold" in said or not engine.is_asked(place, tuple(said)):
            continue
        wanted = engine.values(place, tuple(own), tuple(board), tuple(said))
        found = advise(rules, Situation(own, board, (), step.name, said))
        assert found.values == wanted
        assert wanted[found.best] == max(wanted.values(), default=Fraction(0))
        said.append(data.draw(st.sampled_from(sorted(wanted))))
