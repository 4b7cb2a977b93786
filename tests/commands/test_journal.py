"""`verify`, `replay`, `recall` and `export` as a person meets them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.machine_key import MachineKey, machine_key
from croupier.randomness.shuffling import Seeded
from croupier.runtime.house import House
from tests.commands.program import croupier
from tests.tables.dealing_school import open_table, play


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four rounds played, and a fifth in play."""
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    with open_journal(path) as store:
        house = House(store, draw=Seeded(7))
        open_table(house, "T1", "md-uth", players=2)
        for state in play(house, "T1", 5, Random(1)):
            if state.round.number == 5 and state.round.phase == "deciding":
                break
    return path


def copied(journal: Path, folder: Path) -> Path:
    with closing(sqlite3.connect(journal)) as source:
        source.execute("VACUUM INTO ?", (str(folder / "copy.db"),))
    return folder / "copy.db"


def test_verify_says_what_an_unsigned_journal_leaves_open(journal: Path) -> None:
    ran = croupier("verify", "--journal", str(journal), "--json")
    assert ran.code == 3
    found = json.loads(ran.text)
    assert (found["verdict"], found["valid"], found["rounds"]) == ("unanchored", True, 4)
    assert found["differences"] == []
    assert [one["missing"] for one in found["gaps"]] == ["it has no checkpoint"]
    *_, last = croupier("verify", "--journal", str(journal)).text.splitlines()
    assert last.startswith("whole, not anchored: it has no checkpoint, so anyone who can write")


def test_verify_ends_with_whole_and_anchored(journal: Path, tmp_path: Path) -> None:
    copy = copied(journal, tmp_path)
    signed = croupier("checkpoint", "--journal", copy, "--json").json
    ran = croupier("verify", "--journal", copy)
    assert (ran.code, ran.text.splitlines()[-1]) == (0, "whole and anchored")
    found = croupier("verify", "--journal", copy, "--json").json
    assert (found["verdict"], found["gaps"]) == ("anchored", [])
    key = tmp_path / "house.pub"
    key.write_text(signed["key"] + "\n")
    assert croupier("verify", "--journal", copy, "--key", key).code == 0


def test_the_key_that_is_named_must_have_signed(journal: Path, tmp_path: Path) -> None:
    copy, other = copied(journal, tmp_path), MachineKey(b"x" * 32).public
    ran = croupier("verify", "--journal", copy, "--key", other)
    assert ran.code == 1
    assert f"no checkpoint is signed with the key {other}" in " ".join(ran.text.split())
    assert ran.text.splitlines()[-1] == "differs: 1 difference, in checkpoints"
    croupier("checkpoint", "--journal", copy)
    found = croupier("verify", "--journal", copy, "--key", other, "--json").json
    assert found["verdict"] == "differs"
    assert len(found["differences"]) == 2, "signed with another key, and not with this one"


def test_a_journal_from_elsewhere_is_not_anchored_by_its_own_word(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key of its own, or with another, this machine cannot know who signed."""
    copy = copied(journal, tmp_path)
    signed = croupier("checkpoint", "--journal", copy, "--json").json
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "auditor.key"))
    ran = croupier("verify", "--journal", copy)
    assert ran.code == 3
    assert "this machine has no key, and none was named" in ran.text
    machine_key()
    ran = croupier("verify", "--journal", copy)
    assert ran.code == 3
    assert "not with this machine's key" in ran.text
    assert croupier("verify", "--journal", copy, "--key", signed["key"]).code == 0


def test_verify_ends_with_1_and_says_where(journal: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(journal.read_bytes())
    base = sqlite3.connect(copy)
    base.execute("update balances set cents = 1 where account = 'table:T1:drop'")
    base.commit()
    base.close()
    ran = croupier("verify", "--journal", str(copy))
    assert ran.code == 1
    assert "table:T1:drop" in ran.text
    assert ran.text.splitlines()[-1] == "differs: 1 difference, in balances"


def test_replay_tells_cards_decisions_payments_and_clauses(journal: Path) -> None:
    ran = croupier("replay", "T1", "2", "--journal", str(journal))
    assert ran.code == 0
    for words in ("Ultimate Texas Hold'em", "no more bets", "dealer shows", "[11.K]", "Ante $10"):
        assert words in ran.text, words
    told = json.loads(croupier("replay", "T1", "2", "--json", "--journal", str(journal)).text)
    assert [moment["kind"] for moment in told["told"]][:3] == [
        "open_betting",
        "table_stands",
        "wagers_placed",
    ]
    assert told["told"][-1]["kind"] == "cards_collected"


def test_replay_of_a_round_in_play_shows_no_card_still_face_down(journal: Path) -> None:
    ran = croupier("replay", "T1", "5", "--json", "--journal", str(journal))
    assert ran.code == 0
    with open_journal(journal) as store:
        hidden = House(store).table("T1").round
    assert hidden.phase == "deciding"
    for card in (*hidden.dealer, *hidden.community[hidden.exposed :], *hidden.seats[0].cards):
        assert str(card) not in ran.text


def test_recall_by_hand_seat_player_and_time(journal: Path) -> None:
    def rounds(*words: str) -> list[int]:
        ran = croupier("recall", *words, "--json", "--journal", str(journal))
        assert ran.code == 0, ran.err
        return [found["round"] for found in json.loads(ran.text)["rounds"]]

    assert rounds() == [4, 3, 2, 1]
    assert rounds("--seat", "2", "--limit", "1") == [4]
    assert rounds("--player", "p1", "--until", "2001-01-01") == []
    assert rounds("--player", "nobody") == []


def test_export_csv_has_a_row_for_every_wager(journal: Path) -> None:
    ran = croupier("export", "--format", "csv", "--journal", str(journal))
    rows = list(csv.DictReader(io.StringIO(ran.text)))
    assert {row["round"] for row in rows} == {"1", "2", "3", "4"}
    assert all(row["clause"] for row in rows)
    assert all(row["wager"] in ("ante", "blind", "play", "progressive", "envy") for row in rows)


def test_export_keeps_the_deck_of_a_round_in_play_sealed(journal: Path) -> None:
    ran = croupier("export", "T1", "--journal", str(journal))
    entries = [json.loads(line) for line in ran.text.splitlines()]
    opened = [e for e in entries if e["kind"] == "open_betting"]
    for told in ([e["command"] for e in opened], [e["events"][0] for e in opened]):
        assert [len(one["deck"]) for one in told] == [52, 52, 52, 52, 0]
        assert told[-1]["salt"] == ""
    (dealt,) = [e["events"] for e in entries if e["kind"] == "deal"][-1]
    assert not any(dealt["seats"].values())
    assert not dealt["dealer"]


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--journal", "/nowhere/journal.db"),
        ("replay", "T9", "1"),
        ("replay", "T1", "99"),
        ("recall", "--hand", "flsh"),
        ("recall", "--since", "yesterday"),
        ("recall", "--limit", "0"),
        ("export", "T9"),
    ],
)
def test_nonsense_is_answered_with_2_and_words(journal: Path, words: tuple[str, ...]) -> None:
    where = () if "--journal" in words else ("--journal", str(journal))
    ran = croupier(*words, *where)
    assert ran.code == 2
    assert ran.err.startswith("croupier: ")
    assert "Traceback" not in ran.err
