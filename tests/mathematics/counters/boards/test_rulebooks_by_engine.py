"""Random hold'em games as rulebook files: the solver against the engine's own rounds, every deal of
a deck of three ranks, every way to play them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.situation import Situation
from tests.mathematics.by_engine import ByEngine
from tests.mathematics.changed import HARBOUR, changed, dealt, decision, lines

THREE_RANKS = 0b1011 << 9  # tens, jacks and aces: full houses and four of a kind only

HANDS = ("four_of_a_kind", "full_house", "aces_full", "any_winning", "straight")
PAYS = ("1 to 1", "3 to 2", "20 to 1", "1 to 2", "4 for 1", "push")


@st.composite
def outcomes(draw: st.DrawFn, table: str) -> dict[str, Any]:
    do = draw(st.sampled_from(("pay", "return", "collect")))
    if do != "pay":
        return {"do": do, "clause": "x"}
    paid: dict[str, Any] = {"do": "pay", "paytable": table, "stake_stays": draw(st.booleans())}
    otherwise = draw(st.sampled_from((None, "return", "collect")))
    return paid | ({"otherwise": {"do": otherwise, "clause": "x"}} if otherwise else {})


@st.composite
def settlements(draw: st.DrawFn, table: str) -> dict[str, Any]:
    def showdown() -> dict[str, Any]:
        return {how: draw(outcomes(table)) for how in ("higher", "equal", "lower")}

    found = {
        "by": "versus_dealer",
        "hand": "final",
        "folded": {"do": draw(st.sampled_from(("collect", "return"))), "clause": "x"},
        "qualified": showdown(),
    }
    return found | ({"unqualified": showdown()} if draw(st.booleans()) else {})


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, str]]:
    hands = draw(st.lists(st.sampled_from(HANDS), min_size=1, max_size=3, unique=True))
    return lines(*((hand, draw(st.sampled_from(PAYS))) for hand in hands))


@st.composite
def courses(draw: st.DrawFn) -> dict[str, Any]:
    """Reveals in some steps and one to four decisions, some of them on the same cards."""
    steps = draw(st.sampled_from(((3, 1, 1), (1, 2, 2), (3, 2), (2, 3), (5,), (1, 3, 1))))
    reveals = {f"reveal {number}": count for number, count in enumerate(steps)}
    seen = [sum(steps[:place]) for place in range(len(steps) + 1)]
    places = sorted(draw(st.lists(st.sampled_from(seen), min_size=1, max_size=4)))
    decisions = []
    for number, place in enumerate(places):
        multiples = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2, unique=True))
        bets = {f"{number}: {multiple}x": multiple for multiple in multiples}
        last = number == len(places) - 1
        folds = draw(st.sampled_from((True, False) if last else (False, False, False, True)))
        decisions.append(decision(f"d{number}", place, bets, "fold" if folds else "check"))
    return dealt(reveals) | {"decisions": decisions}


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    changes: dict[str, Any] = draw(courses())
    for name in ("ante", "anchor", "sail"):
        table = "A" if name == "anchor" else "only"
        changes[f"paytables.{name}.{table}.lines"] = draw(tables())
        changes[f"wagers.{name}.settles"] = draw(settlements(name))
    changes["wagers.anchor.after_fold"] = draw(st.sampled_from(("stands", "loses")))
    changes["patterns.aces_full"] = {"category": ["full_house"], "made": "A"}
    if draw(st.booleans()):
        on = draw(st.sampled_from(("ante", "anchor", "sail")))
        bonus = {"title": "More", "on": on, "hand": "final", "paytable": "more", "clause": "x"}
        paid = lines(("four_of_a_kind", "5 to 2"), ("aces_full", "1 to 1"))
        changes |= {"bonuses.more": bonus, "paytables.more.only": {"clause": "x", "lines": paid}}
    qualifier = draw(st.sampled_from((("pair", ""), ("full_house", "A"), ("four_of_a_kind", ""))))
    changes["dealer.at_least"], changes["dealer.of"] = qualifier
    return changes


FEW = settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


MANY = settings(FEW, max_examples=40)


@FEW
@given(games())
def test_a_random_game_is_worth_what_the_engine_pays(changes: dict[str, Any]) -> None:
    check_value(changes)


@pytest.mark.full
@MANY
@given(games())
def test_many_random_games_are_worth_what_the_engine_pays(changes: dict[str, Any]) -> None:
    check_value(changes)


def check_value(changes: dict[str, Any]) -> None:
    rules = changed(HARBOUR, changes)
    game = replace(holdem_game(rules), deck=THREE_RANKS)
    assert solve_holdem(game).value == ByEngine(rules, THREE_RANKS).value()


@FEW
@given(games(), st.data())
def test_advice_lists_what_may_be_said_now_at_its_worth(
    changes: dict[str, Any], data: st.DataObject
) -> None:
    check_advice(changes, data)


@pytest.mark.full
@MANY
@given(games(), st.data())
def test_advice_in_many_games_is_what_may_be_said_now(
    changes: dict[str, Any], data: st.DataObject
) -> None:
    check_advice(changes, data)


def check_advice(changes: dict[str, Any], data: st.DataObject) -> None:
    """On the small deck, at a decision that the engine reaches with the words before declined."""
    rules = changed(HARBOUR, changes)
    engine = ByEngine(rules, THREE_RANKS)
    own = tuple(data.draw(st.permutations(engine.deck))[:2])
    left = data.draw(st.permutations([card for card in engine.deck if card not in own]))
    game = replace(holdem_game(rules), deck=THREE_RANKS)
    rules.prepared[type(game)] = game
    said: tuple[str, ...] = ()
    for each in rules.book.decisions:
        shown = left[: each.sees_community]
        want = engine.values(own, frozenset(shown), said)
        found = advise(rules, Situation(own, shown, (), each.name))
        assert found.values == want
        assert found.values[found.best] == max(want.values())
        if each.otherwise == "fold":
            break
        said = (*said, each.otherwise)
