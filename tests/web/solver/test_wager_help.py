"""What the help at a spot says: every paytable, and figures that come from the solvers."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from croupier.errors import Unsolvable
from croupier.mathematics.questions import analysis
from croupier.rulebooks.rules import Rules, rules_for
from croupier.rulebooks.schema import VersusPaytable
from croupier.tables.state import Table
from croupier.web.server.problems import NotThere
from croupier.web.solver.wager_figures import asked_about, figures_of
from croupier.web.tables.demo import DEMO_TABLES, submission_for
from croupier.web.tables.rulesheet import RulesForm, rules_form
from tests.web.conftest import Server
from tests.web.kit import PATIENCE, Caller


def _rules(game: str) -> Rules:
    return rules_for(game, "", submission_for(game))


def _shown(form: RulesForm) -> dict[str, set[str]]:
    """By family the tables that a player can read."""
    tables = [table for wager in form.wagers for table in wager.paytables]
    tables += [*form.envy, *(bonus.paytable for bonus in form.bonuses)]
    found: dict[str, set[str]] = {}
    for table in tables:
        assert table.title
        assert table.lines
        found.setdefault(table.family, set()).add(table.id)
    return found


@pytest.mark.parametrize("game", DEMO_TABLES)
def test_the_sheet_has_every_paytable_in_force(game: str) -> None:
    rules = _rules(game)
    shown = _shown(rules_form(rules))
    envy = set(rules.book.envy.tables.values()) if rules.book.envy is not None else set()
    for family, tables in rules.book.paytables.items():
        if family in rules.chosen:
            assert shown.pop(family) == {rules.chosen[family]}
        elif family in envy:
            letter = rules.chosen["progressive"]
            assert shown.pop(family, set()) == ({letter} if letter in tables else set())
        else:  # by the number of hands in play
            assert shown.pop(family) == set(tables)
    assert not shown


def test_12_C_the_odds_wager_shows_the_bad_beat_bonus() -> None:
    (odds,) = [one for one in rules_form(_rules("md-wpt")).wagers if one.name == "odds"]
    assert [one.title for one in odds.paytables] == ["Odds", "Bad Beat Bonus"]
    assert "A strong hand that loses is paid" in odds.words


def _asked(game: str, wager: str, meters: dict[str, int] | None = None) -> Any:
    table = Table(game, game, submission=submission_for(game))
    return asked_about(table, _rules(game), wager, meters or {})


def test_figures_are_those_of_the_solver() -> None:
    for game, wager in (("md-uth", "trips"), ("three-card-poker", "pair_plus")):
        exact = analysis.analyze(_rules(game), wager)
        found = figures_of(_asked(game, wager))
        assert found.house_edge == exact["house_edge"]
        assert f"-{found.house_edge_exact}" == exact["expected_value_exact"]
        assert found.hit_rate == exact["hit_frequency"]
        assert found.of == (found.unit,)


def test_wagers_that_are_one_game_have_their_figures_together() -> None:
    asked = _asked("md-235", "three_card_raise")
    assert "win_em_all" not in asked.game
    assert asked == _asked("md-235", "two_card_poker")._replace(wager="three_card_raise")
    found = figures_of(asked)
    assert found.house_edge == analysis.analyze(_rules("md-235"), "main")["house_edge"]
    assert found.unit == "2 Card Poker"
    assert len(found.of) == 5


def test_a_progressive_is_told_with_its_meter_of_now() -> None:
    low, high = (
        figures_of(_asked("caribbean-stud", "progressive", {"main": cents}))
        for cents in (1_000_000, 30_000_000)
    )
    assert low.house_edge is not None and high.house_edge is not None  # noqa: PT018
    assert low.house_edge > 0 > high.house_edge
    assert high.house_edge_exact.startswith("-")
    assert high.meters == {"main": "$300,000"}
    assert low.breaks_even_at == high.breaks_even_at == {"main": "$263,205"}


def test_what_no_solver_models_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> dict[str, object]:
        raise Unsolvable("nobody models it")

    monkeypatch.setattr(analysis, "analyze", refuse)
    found = figures_of(_asked("md-uth", "trips"))
    assert (found.unsolved, found.house_edge, found.hit_rate) == ("nobody models it", None, None)


def test_a_wager_that_is_not_there() -> None:
    with pytest.raises(NotThere, match="no wager"):
        _asked("md-uth", "x" * 10_000)


@pytest.mark.parametrize(
    ("game", "wager"),
    [("md-uth", "ultimate_pairs"), ("md-wpt", "pocket_bonus"), ("texas-holdem-bonus", "bonus")],
)
def test_what_a_two_card_bonus_takes_is_what_it_pays_on(game: str, wager: str) -> None:
    """`takes` is written by hand: 78 pairs, and 48 aces with a king, a queen or a jack."""
    rules = _rules(game)
    settles = rules.book.wagers[wager].settles
    assert isinstance(settles, VersusPaytable)
    assert settles.takes == "a pocket pair, or an ace with a jack or better"
    for table in rules.book.paytables[settles.paytable]:
        chosen = rules_for(game, "", json.dumps({"paytables": {settles.paytable: table}}))
        found = analysis.analyze(chosen, wager)
        assert found["hit_frequency"] == pytest.approx((78 + 48) / 1326)


def _patiently(who: Caller, path: str) -> Any:
    end = time.monotonic() + 3 * PATIENCE
    while time.monotonic() < end:
        found = who.call("GET", path)
        if found.status != 202:
            return found
        time.sleep(0.1)
    raise AssertionError("it is never worked out")


def test_anybody_may_ask_at_a_table(server: Server) -> None:
    who = server.stranger()
    found = _patiently(who, "/tables/three-card-poker/figures/pair_plus")
    assert found.status == 200
    exact = analysis.analyze(_rules("three-card-poker"), "pair_plus")
    assert found.body["house_edge"] == exact["house_edge"]
    json.dumps(found.body)
    for path in ("/tables/md-uth/figures/nothing", "/tables/nowhere/figures/trips"):
        assert who.call("GET", path).status == 404
