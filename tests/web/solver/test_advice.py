"""Advice and review: exact, for one's own seat, worked out beside the server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.errors import BadCards, Unsolvable
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rules import Rules
from croupier.runtime import player_questions
from croupier.runtime.player_questions import Played, Question, answer, prepare, question_for
from croupier.tables.state import Table
from croupier.web.solver.advice import Adviser
from croupier.web.tables.demo import DEMO_TABLES, submission_for
from croupier.web.tables.lessons import SEAT, Answer, lessons, play_lesson
from tests.mathematics.changed import HARBOUR, dealt, toml_of, tree_of
from tests.mathematics.changed import decision as a_decision
from tests.web.conftest import Server
from tests.web.kit import PATIENCE, Caller


def _patiently(who: Caller, path: str) -> Any:
    """Ask until it is worked out; meanwhile the server answers others."""
    end = time.monotonic() + 3 * PATIENCE
    while time.monotonic() < end:
        found = who.call("GET", path)
        if found.status != 202:
            assert found.status == 200, found
            return found.body
        assert found.body == {"status": "preparing", "seconds": 1.0}
        assert who.call("GET", "/health").status == 200
        time.sleep(0.1)
    raise AssertionError("it is never worked out")


def test_advice_and_review_of_a_round(server: Server) -> None:
    stud, ann, ben = "md-235", server.guest(), server.guest()
    ann.sit(stud, 1)
    ann.bet(stud, 1)
    ann.ready(stud, 1)
    ann.until(stud, "deciding")
    for who, status in ((ben, 403), (server.stranger(), 401), (server.staff("floorperson"), 403)):
        assert who.call("GET", f"/tables/{stud}/advice?seat=1").status == status
    assert ann.call("GET", f"/tables/{stud}/advice?seat=2").status == 403
    advice = _patiently(ann, f"/tables/{stud}/advice?seat=1")
    assert set(advice["actions"]) == {"raise", "check"}
    assert advice["actions"][advice["best"]]["cost"] == 0
    worst = min(advice["actions"], key=lambda a: advice["actions"][a]["expected_value"])
    ann.do(stud, type="act", seat=1, action=worst, meant={"decision": "three_card"})
    ann.until(stud, "deciding")
    best = _patiently(ann, f"/tables/{stud}/advice?seat=1")["best"]
    ann.do(stud, type="act", seat=1, action=best, meant={"decision": "five_card"})
    ann.until_round(stud, lambda state: state["number"] == 2)
    review = _patiently(ann, f"/tables/{stud}/rounds/1/review")
    first, second = review["decisions"]
    assert (first["said"], first["right"]) == (worst, False)
    assert first["cost"] == pytest.approx(advice["actions"][worst]["cost"])
    assert Fraction(first["cost_exact"]) > 0
    assert (second["said"], second["right"]) == (best, True)
    assert review["cost_money"] == first["cost_money"]
    assert ann.call("GET", f"/tables/{stud}/rounds/2/review").status == 404
    assert _patiently(ben, f"/tables/{stud}/rounds/1/review")["decisions"] == []


def test_the_values_are_those_of_the_mathematics() -> None:
    own, board = parse_cards("Ah Kd"), parse_cards("2c 7d 9s Jh 4c")
    seen = (tuple(map(int, own)), tuple(map(int, board)))
    said = ("check", "check")
    question = Question("md-uth", "", submission_for("md-uth"), "river", *seen, said=said)
    values = {action: Fraction(*value) for action, value in answer(question).items()}
    assert values["fold"] == -2
    assert set(values) == {"1x", "fold"}
    from croupier.mathematics.questions.registry import advise
    from croupier.mathematics.questions.situation import Situation
    from croupier.rulebooks.rules import rules_for

    rules = rules_for("md-uth", "", submission_for("md-uth"))
    assert values == advise(rules, Situation(own, board, said=said)).values


def _question(
    changes: dict[str, Any], decision: str, own: str, board: str, said: tuple[str, ...] = ()
) -> Question:
    text = toml_of(tree_of(HARBOUR, changes | {"layout": None}))
    cards = tuple(map(int, parse_cards(own))), tuple(map(int, parse_cards(board)))
    return Question("harbour-holdem", text, "{}", decision, *cards, said=said)


def test_only_what_may_be_said_now_is_valued() -> None:
    two = [a_decision("big", 3, {"3x": 3}), a_decision("small", 3, {"1x": 1}, "fold")]
    for name, said, words in (
        ("big", (), {"3x", "check"}),
        ("small", ("check",), {"1x", "fold"}),
    ):
        question = _question({"decisions": two}, name, "Ah Kd", "2c 7d 9s", said)
        assert set(answer(question)) == words
    with pytest.raises(BadCards, match="has answered big: say how"):
        answer(_question({"decisions": two}, "small", "Ah Kd", "2c 7d 9s"))


def test_a_game_that_is_not_solved_has_no_advice() -> None:
    changes = dealt({"flop": 3}) | {"decisions": [a_decision("flop", 3, {"2x": 2}, "fold")]}
    with pytest.raises(Unsolvable, match=r"deck\.copies is 2"):
        answer(_question(changes | {"deck.copies": 2}, "flop", "Ah Kd", "2c 7d 9s"))


@pytest.mark.parametrize("rulebook", lessons())
def test_every_answer_of_a_lesson_is_the_best_one(rulebook: str) -> None:
    """Asked again, step by step, of the exact solver: the values are those that are told."""
    taught = lessons()[rulebook]
    told = iter(taught.answers)

    def asked_again(table: Table) -> Answer:
        found = {
            said: Fraction(*value) for said, value in answer(question_for(table, SEAT)).items()
        }
        best = max(found, key=lambda said: found[said])
        again = Answer(best, {said: str(value) for said, value in found.items()})
        assert again == next(told)
        return again

    play_lesson(rulebook, taught.seed, asked_again)
    assert next(told, None) is None


def test_every_game_in_the_lobby_has_a_lesson() -> None:
    assert set(DEMO_TABLES) <= set(lessons())


@pytest.mark.parametrize("rulebook", lessons())
def test_a_lesson_is_a_whole_round_that_is_won(server: Server, rulebook: str) -> None:
    found = server.stranger().get(f"/lessons/{rulebook}")
    kinds = [step["kind"] for step in found["steps"]]
    assert kinds[0] == "take_seat"
    assert kinds[-1] == "cards_collected"
    last = found["steps"][-1]["view"]["round"]
    assert float(last["seats"][0]["net"]) > 0
    assert [step["action"] for step in found["steps"] if step["do"] == "say"]
    for step in found["steps"]:
        if step["view"]["round"]["phase"] == "deciding":
            says = {a["action"] for a in step["view"]["actions"] if a["do"] == "say"}
            assert says
    assert server.stranger().call("GET", "/lessons/none").status == 404


_ADVISER = """
import time
from croupier.web.solver.advice import Adviser
import os
pool = Adviser().process._started()
print(pool.submit(os.getpid).result(), flush=True)
time.sleep(600)
"""


def test_the_adviser_does_not_outlive_a_server_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _ADVISER], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        adviser = int(server.stdout.readline())
        server.kill()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not Path(f"/proc/{adviser}").exists():
            return
        time.sleep(0.1)
    raise AssertionError(f"process {adviser} is still there")


class _Pool:
    """Does at once what it is given."""

    def __init__(self) -> None:
        self.given: list[Played] = []

    def submit(self, work: Callable[[Played], bool], game: Played) -> Future[bool]:
        done: Future[bool] = Future()
        self.given.append(game)
        if game.rulebook == "broken":
            done.set_exception(RuntimeError("broken"))
        else:
            done.set_result(work is prepare)
        return done


def test_every_game_of_the_house_is_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    adviser, pool = Adviser(), _Pool()
    monkeypatch.setattr(adviser, "run", pool.submit)
    games = [Played(name, "", "{}") for name in ("md-uth", "broken", "md-uth", "md-235")]
    asyncio.run(adviser.prepare(games))
    assert [game.rulebook for game in pool.given] == ["md-uth", "broken", "md-235"]


@pytest.mark.parametrize(
    ("rulebook", "seen"),
    [
        ("md-uth", [(2, 0, 0), (2, 3, 0), (2, 5, 0)]),
        ("md-235", [(2, 0, 0), (3, 0, 0)]),
        ("caribbean-stud", [(5, 0, 1)]),
    ],
)
def test_a_solver_is_asked_at_every_decision_before_anybody_plays(
    rulebook: str, seen: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int, int]] = []

    def advise(_: Rules, situation: Situation) -> None:
        asked.append((len(situation.own), len(situation.community), len(situation.dealer)))

    monkeypatch.setattr("croupier.mathematics.questions.registry.advise", advise)
    monkeypatch.setattr(player_questions, "_prepared", set())
    assert prepare(Played(rulebook, "", "{}"))
    assert asked == seen
    assert not prepare(Played(rulebook, "", "{}")), "ready already"
