"""Everything public can be pickled and copied; a copy of a table stands on its own."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import croupier
from croupier import Table

GAMES = croupier.bundled_rulebooks()


def in_play(rulebook: str, seed: int | None = 5, **terms: Any) -> Table:
    table = Table.open(rulebook, seed=seed, **terms)
    table.sit("ann", buy_in=5000)
    table.bet("ann", dict.fromkeys(table.rules.required, 10))
    table.deal()
    return table


def play(table: Table, rounds: int = 3) -> list[tuple[object, ...]]:
    """Play by the first legal answers; what happened, in words and money."""
    record: list[tuple[object, ...]] = []
    for _ in range(rounds):
        settled = table.play("first", dict.fromkeys(table.rules.required, 10))
        record.append((table.story(), settled, table.chips("ann"), table.meters))
    return record


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_copy_goes_the_same_way_and_leaves_the_table_as_it_was(rulebook: str) -> None:
    table = in_play(rulebook)
    twins = [
        table.copy(),
        copy.copy(table),
        copy.deepcopy(table),
        pickle.loads(pickle.dumps(table)),
    ]
    state, story = table.state, table.story()
    records = [play(twin) for twin in twins]
    assert table.state == state
    assert table.story() == story
    assert play(table) == records[0]
    assert all(record == records[0] for record in records)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 1000), st.lists(st.integers(0, 5), max_size=12))
def test_the_same_commands_lead_to_the_same_events(
    rulebook: str, seed: int, choices: list[int]
) -> None:
    """Copies are made on the way; each is played on with the same answers as the table."""
    table = in_play(rulebook, seed)
    copies: list[tuple[Table, list[int]]] = []
    for choice in choices:
        copies.append((table.copy(), []))
        for _, answers in copies:
            answers.append(choice)
        answer(table, choice)
    state, story = table.state, table.story()
    for twin, answers in copies:
        for choice in answers:
            answer(twin, choice)
        assert twin.state == state
        assert twin.story() == story
    assert table.state == state


def answer(table: Table, choice: int) -> None:
    """The answer of this number, or the next round."""
    if table.to_act is None:
        table.bet("ann", dict.fromkeys(table.rules.required, 10))
        table.deal()
        return
    actions = [legal.action for legal in table.legal_actions("ann") if legal.action]
    table.act("ann", actions[choice % len(actions)])


def test_an_environment_can_be_kept() -> None:
    env = croupier.environment("md-uth", seed=3)
    env.reset()
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(5):
        assert twin.observation() == env.observation()
        if env.legal_actions():
            assert (
                twin.step("check" if "check" in env.legal_actions() else "fold")[1]
                == (env.step("check" if "check" in env.legal_actions() else "fold")[1])
            )
        else:
            assert twin.reset()[0] == env.reset()[0]


def test_without_a_seed_the_round_in_play_is_the_same() -> None:
    table = in_play("md-uth", seed=None)
    twin = table.copy()
    assert twin.play("first") == table.play("first")


def test_a_copy_of_a_table_in_a_journal_is_in_memory(tmp_path: Path) -> None:
    where = tmp_path / "evening.db"
    with croupier.open_journal(where) as journal:
        table = in_play("md-uth", journal=journal, name="T1")
        state, story = table.state, table.story()
        twin = table.copy()
        assert twin.story() == story
        settled = twin.play("first")
        assert twin.phase == "over"
        assert table.state == state
        assert table.play("first") == settled
        again = pickle.loads(pickle.dumps(table))
        assert again.state == table.state
        entries = journal.verify().entries
        assert pickle.loads(pickle.dumps(journal)).tables() == ("T1",)
        assert entries == journal.verify().entries


def everything(tmp_path: Path) -> dict[str, object]:
    """One of each thing that public functions return."""
    table = in_play("md-uth")
    view, values, legal = table.view("ann"), table.action_values(), table.legal_actions("ann")
    settled = table.play("first")
    round_ = croupier.Round.start("md-uth", seed=1)
    with croupier.open_journal(tmp_path / "evening.db") as journal:
        kept = in_play("md-uth", journal=journal, name="T1")
        kept.play("first")
        past, replayed = journal.rounds(), journal.replay("T1", 1)
        checked, checkpoint = journal.verify(), journal.checkpoint()
        proof = journal.prove("T1", 1)
    env = croupier.environment("md-uth", seed=1)
    observation, _ = env.reset()
    return {
        "card": croupier.Card("As"),
        "deck": croupier.DECK,
        "money": croupier.Money("7.50"),
        "hand": croupier.evaluate("As Ah Ad Kd Kc 2c 2d"),
        "rulebook": croupier.load_rulebook("md-uth", paytables={"trips": "B"}),
        "own rulebook": croupier.load_rulebook("examples/harbour-holdem.toml"),
        "paytable": croupier.load_rulebook("md-uth").paytable("trips"),
        "decisions": croupier.load_rulebook("md-uth").decisions,
        "wagers": croupier.load_rulebook("md-uth").wagers,
        "view": view,
        "values": values,
        "legal": legal,
        "settled": settled,
        "round": round_,
        "events": round_.decide("place_wagers", seat=1, player="a", wagers={"ante": 5, "blind": 5}),
        "past": past,
        "replayed": replayed,
        "checked": checked,
        "checkpoint": checkpoint,
        "proof": proof,
        "figures": croupier.analyze("md-uth", "trips"),
        "observation": observation,
    }


def test_everything_public_can_be_kept_and_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    for name, thing in everything(tmp_path).items():
        assert pickle.loads(pickle.dumps(thing)) == thing, name
        assert copy.deepcopy(thing) == thing, name


def test_errors_can_be_kept() -> None:
    for error in (
        croupier.Refusal("not now", code="not_now", clause="7.A"),
        croupier.UnknownName("unknown"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.code, again.clause) == (
            *(type(error), str(error), error.code, error.clause),
        )
