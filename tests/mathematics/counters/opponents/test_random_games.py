"""Random games of hand against hand as rulebook files, on decks of a few ranks: the solver against
every deal settled by the engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.mathematics.counters.shapes import VERSUS
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.opponents.by_engine import STAKE, VersusByEngine
from tests.mathematics.counters.opponents.games import (
    COLLECT,
    RETURN,
    decision,
    in_force,
    table,
    tree,
    wager,
)

PAYS = ("1 to 1", "3 to 2", "20 to 1", "1 to 2", "4 for 1", "push")
CATEGORIES = ("straight_flush", "three_of_a_kind", "flush", "straight", "pair")
SUITS = ("one_card_flush", "two_card_flush", "three_card_flush", "four_card_flush")
LOOKS = {  # own cards, dealer's, size of a hand, ranks of the deck
    "three against three": (3, 3, 3, "9QKA"),
    "the best three of four": (4, 4, 3, "QKA"),
    "the best two of three against four": (3, 4, 2, "QKA"),
    "four against three, the best three": (4, 3, 3, "TQA"),
    "one against one": (1, 1, 1, "9QKA"),
}


@st.composite
def outcomes(draw: st.DrawFn, family: str) -> dict[str, Any]:
    do = draw(st.sampled_from(("pay", "pay", "return", "collect")))
    if do != "pay":
        return {"do": do, "clause": "x"}
    paid: dict[str, Any] = {"do": "pay", "paytable": family, "stake_stays": draw(st.booleans())}
    otherwise = draw(st.sampled_from((None, RETURN, COLLECT)))
    return paid | ({"otherwise": otherwise} if otherwise else {})


@st.composite
def settlements(draw: st.DrawFn, family: str) -> dict[str, Any]:
    def showdown() -> dict[str, Any]:
        return {how: draw(outcomes(family)) for how in ("higher", "equal", "lower")}

    found = {
        "by": "versus_dealer",
        "hand": "own",
        "folded": draw(st.sampled_from((RETURN, COLLECT))),
        "qualified": showdown(),
    }
    return found | ({"unqualified": showdown()} if draw(st.booleans()) else {})


@st.composite
def rankings(draw: st.DrawFn, size: int) -> dict[str, Any]:
    """By categories in any order, or by the longest suit."""
    if draw(st.integers(0, 3)) == 0:
        return {"by": "longest_suit"}
    known = CATEGORIES if size > 2 else {1: (), 2: ("straight_flush", "flush", "pair")}[size]
    named = set(draw(st.lists(st.sampled_from(known), min_size=2, unique=True))) if known else set()
    order = [*draw(st.permutations(sorted(named - {"pair"}))), *named & {"pair"}]
    if "straight_flush" in order:
        order.remove("straight_flush")
        order.insert(0, "straight_flush")
    return {"size": size, "order": [*order, "high_card"], "ace_low": draw(st.booleans())}


def names_of(ranking: dict[str, Any]) -> tuple[str, ...]:
    return SUITS if "by" in ranking else tuple(ranking["order"])


@st.composite
def tables(draw: st.DrawFn, names: tuple[str, ...], pays: tuple[str, ...] = PAYS) -> dict[str, Any]:
    hands = st.sampled_from((*names, "high"))
    found = draw(st.lists(hands, min_size=1, max_size=3, unique=True))
    return table(*((hand, draw(st.sampled_from(pays))) for hand in found))


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    own, theirs, size, ranks = LOOKS[draw(st.sampled_from(sorted(LOOKS)))]
    first, second = draw(rankings(size)), draw(rankings(size))
    names = names_of(first)
    seen = min(draw(st.sampled_from((0, 0, 1, 1, 2, 4))), theirs)
    bets = draw(st.sampled_from(({"play": 1}, {"play": 2}, {"1x": 1, "3x": 3})))
    only = {
        said: {"hand": hand, "at_least": draw(st.sampled_from(names_of(of))), "of": least}
        for said in bets
        if draw(st.booleans())
        for hand, of, least in (draw(st.sampled_from((("own", first, "A"), ("also", second, "")))),)
    }
    game = tree(own, theirs, "first", seen)
    game["hands"]["also"] = {"cards": ["player"], "ranking": "second", "clause": "x"}
    game["rankings"] = {"first": first, "second": second}
    game["deck"] = {"ranks": ranks}
    game["patterns"] = {"high": {"made": "KA", "unless": [{"category": [names[-1]]}]}}
    of = draw(st.sampled_from(("", *ranks)))
    game["dealer"] |= {"at_least": draw(st.sampled_from(names)), "of": of}
    otherwise = draw(st.sampled_from(("fold", "fold", "check")))
    game["decisions"] = [decision(own, bets, seen, only_with=only, otherwise=otherwise)]
    game["paytables"] = {
        **{name: draw(tables(names)) for name in ("ante", "blind", "play")},
        "look": draw(tables(names_of(second))),
        "extra": draw(tables(names_of(second), ("2 to 1", "5 to 2"))),
    }
    by_table = {"by": "paytable", "hand": "also", "paytable": "look", "lost": "x"}
    folds = draw(st.sampled_from(("stands", "loses")))
    follows = {"by": "follows", "wager": "blind", "lost": "x", "pays": "5 to 3"}
    played = settlements("play") | st.just(by_table | {"hand": "own", "paytable": "play"})
    played |= st.just(follows)
    game["wagers"] = {
        "ante": wager("required", draw(settlements("ante")), after_fold=folds),
        "blind": wager("required", draw(settlements("blind"))),
        "look": wager("required", by_table, after_fold=draw(st.sampled_from(("stands", "loses")))),
        "tail": wager("required", {"by": "follows", "wager": "ante", "lost": "x"}),
        "play": wager("decided", draw(played)),
    }
    bonus = {"title": "x", "hand": "also", "paytable": "extra", "clause": "x"}
    game["bonuses"] = {"more": bonus | {"on": draw(st.sampled_from(("ante", "play")))}}
    return game


SETTINGS = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


def check_value(rules: Rules) -> None:
    solver = solver_for(rules)
    assert solver.shape is VERSUS
    engine = VersusByEngine(rules)
    stakes = dict.fromkeys(rules.required, STAKE)
    assert net_distribution(rules, stakes) == engine.nets
    assert solver.figures().expected_value == engine.value()


@SETTINGS
@given(games())
def test_a_random_game_is_worth_what_the_engine_pays(game: dict[str, Any]) -> None:
    check_value(in_force(game))


@pytest.mark.full
@settings(SETTINGS, max_examples=300)
@given(games())
def test_many_random_games_are_worth_what_the_engine_pays(game: dict[str, Any]) -> None:
    check_value(in_force(game))


@SETTINGS
@given(games(), st.data())
def test_advice_and_the_player_are_what_the_engine_pays(
    game: dict[str, Any], data: st.DataObject
) -> None:
    rules = in_force(game)
    engine = VersusByEngine(rules)
    dealt = data.draw(st.permutations(engine.deck))
    own, count = tuple(dealt[: rules.book.cards.player]), rules.book.decisions[0].sees_dealer
    up = tuple(dealt[len(own) : len(own) + count])
    want = engine.values(own, up)
    situation = Situation(own, dealer=up)
    found = advise(rules, situation)
    assert found.values == want
    assert want[found.best] == max(want.values())
    assert solver_for(rules).player().answer(situation) == found.best
