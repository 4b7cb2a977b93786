"""Whoever reads the disk while a round is played learns no card; nobody exchanges one later."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

import croupier
from croupier.ledger.journal import open_journal
from croupier.ledger.maintenance.adopting import adopt
from croupier.ledger.records.table_entries import face_up
from croupier.ledger.signatures.chain import hash_of
from croupier.ledger.verification.verify import Verification, verify
from croupier.library.table import Table
from croupier.rounds.views import Viewer, view
from croupier.rulebooks.bundled import BUNDLED
from croupier.runtime.dealer import DEALER, dealer_command
from tests.commands.program import croupier as program
from tests.ledger.forgery import behind_our_back, change, read_bodies, rechain

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")
STREAM = "table:one"


def in_play(journal: croupier.Journal, rulebook: str = "md-uth") -> Table:
    """One round over, and one in which a player is asked."""
    table = journal.open_table(rulebook, name="one", seed=7)
    for seat, player in enumerate(("Ann", "Bob"), 1):
        table.sit(player, seat, buy_in=500)
    table.play("random")
    table.bet("Ann", dict.fromkeys(required(table), 5))
    table.bet("Bob", dict.fromkeys(required(table), 5))
    table.deal()
    assert table.phase == "deciding"
    return table


def required(table: Table) -> list[str]:
    wagers = table.rules.book.wagers
    return [name for name, wager in wagers.items() if wager.role == "required"]


def stored(path: Path, since: int) -> str:
    """All that the database says of the round in play, the index beside it."""
    with closing(sqlite3.connect(path)) as raw:
        read_bodies(raw)
        bodies = raw.execute(
            "SELECT body_text(body) FROM entries WHERE stream = ? AND version >= ?", (STREAM, since)
        ).fetchall()
        bodies += raw.execute(
            "SELECT body_text(body) FROM entries WHERE stream LIKE 'attempts:%'"
        ).fetchall()
        for table in ("snapshots", "chapters"):
            query = f"SELECT * FROM {table} WHERE stream = ?"
            versions = [row for row in raw.execute(query, (STREAM,)) if row[1] >= since]
            assert not versions, table
    return "\n".join(body for (body,) in bodies)


def cards_told(text: str) -> set[str]:
    return set(CARD.findall(re.sub(r'"(sealed|key)":"[^"]*"', "", text)))


def messages(found: Verification) -> str:
    return "\n".join(f"{one.stream} {one.version}: {one.message}" for one in found.differences)


def verified(path: Path) -> Verification:
    with open_journal(path) as journal:
        return verify(journal)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "another.key"))


@pytest.mark.parametrize("rulebook", BUNDLED)
def test_the_disk_tells_no_card_that_lies_face_down(path: Path, rulebook: str) -> None:
    """After every single entry of a round that goes through all its streets: Ann stays in, Bob
    declines, and seats are settled one by one."""
    with croupier.open_journal(path) as journal:
        table = in_play(journal, rulebook)
        began, phases = table.state.began, set()
        while table.phase != "over":
            phases.add(table.phase)
            text = stored(path, began)
            assert cards_told(text) <= face_up(table.state), table
            assert hands_told(text) <= hands_named(table), table
            one_step(table)
        assert {"deciding", "settling", "collecting"} <= phases


def one_step(table: Table) -> None:
    """What comes next, and no more than that."""
    asked = table.to_act
    if asked is None:
        command = dealer_command(table.state, table.rules)
        assert command is not None
        table.session.do(command, DEALER)
        return
    said = [one.action for one in table.legal_actions(asked) if one.do == "say"]
    action = said[0] if asked == "Ann" else said[-1]
    table.do("act", by=f"player:{asked}", seat=table.state.round.turn, action=action)


def hands_told(text: str) -> set[str]:
    """Of players: the names of hands, and what they are worth."""
    found = [json.loads(line) for line in text.splitlines()]
    settled = [
        event
        for entry in found
        for event in entry.get("followed", ())
        if event["type"] == "seat_settled"
    ]
    return {
        f"{event['seat']} {word}"
        for event in settled
        for word in (event["hand"], *event.get("holds", {}).values())
        if word
    }


def hands_named(table: Table) -> set[str]:
    """Those that a stranger may know."""
    seen = view(table.state.round, Viewer("player"), table.rules)
    return {
        f"{seat.number} {word}" for seat in seen.seats for word in (seat.hand, *seat.holds.values())
    }


def test_cards_that_a_dealer_enters_are_sealed_until_the_round_ends(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        table = journal.open_table("md-uth", name="one", cards="live", care=False)
        table.sit("Ann", 1, buy_in=500)
        table.bet("Ann", ante=5, blind=5)
        table.do("close_bets")
        table.do("deal")
        table.do("enter_cards", place="player", seat=1, cards="Ah Kd")
        assert cards_told(stored(path, table.state.began)) == set()
        table.do("void_round", reason="fire alarm", by="floorperson:Flo")
        assert {"Ah", "Kd"} <= {str(card) for card in table.state.round.seats[0].cards}
        assert journal.verify().valid


def test_no_hash_tells_a_card(path: Path) -> None:
    """With everything else known, the right cards do not give the hash."""
    with croupier.open_journal(path) as journal:
        in_play(journal)
        *_, before, dealt = journal.ledger.read(STREAM)
        assert "cards_dealt" in dealt.body.decode()
        guess = hash_of(
            before.hash, STREAM, dealt.version, dealt.at, dealt.kind, dealt.body, dealt.transfers
        )
        assert guess != dealt.hash


def test_an_export_of_a_round_in_play_tells_no_card_with_the_key_or_without(
    path: Path, lost: None
) -> None:
    with croupier.open_journal(path) as journal:
        table = in_play(journal)
        visible, began = face_up(table.state), table.state.began
        lines = program("export", "--journal", path).text.splitlines()
        told = [line for line in lines if json.loads(line)["stream"] == STREAM]
        assert cards_told("\n".join(told[began - 1 :])) <= visible


def test_a_crash_in_mid_round_loses_nothing_where_the_key_is(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        cards = [seat.cards for seat in in_play(journal).state.round.seats]
    with croupier.open_journal(path) as journal:
        table = journal.table("one")
        assert [seat.cards for seat in table.state.round.seats] == cards
        table.play("random")
        found = journal.verify()
        assert found.valid
        assert not found.notes


def test_without_the_key_a_person_voids_the_round_and_the_wagers_go_back(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with croupier.open_journal(path) as journal:
        table = in_play(journal)
        chips = table.chips("Ann")
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "another.key"))
    with croupier.open_journal(path) as journal:
        found = journal.verify()
        assert found.valid
        cards, macs = [note.message for note in found.notes]
        assert cards == "round 2 is in play: its cards are sealed until its end"
        assert macs.startswith(f"the MACs of {found.entries} entries cannot be checked")
        table = journal.table("one")
        with pytest.raises(croupier.CroupierError, match="`croupier journal adopt`") as no:
            table.do("void_round", reason="the key is lost", by="floorperson:Flo")
        assert no.value.code == "another_key"
        assert not adopt(journal.ledger).differences
        with pytest.raises(
            croupier.CroupierError, match="sealed with a key that is not here"
        ) as no:
            table.act("Ann", "check")
        assert no.value.code == "sealed"
        table.do("void_round", reason="the key is lost", by="floorperson:Flo")
        assert table.phase == "over"
        assert table.chips("Ann") == chips + 10
        table.play("random")
        found = journal.verify()
        assert found.valid
        assert "round 2 was declared void without the key" in found.notes[0].message


def test_what_was_sealed_can_not_be_exchanged(path: Path) -> None:
    """The deal of one round in place of another's, with all hashes computed anew."""
    with croupier.open_journal(path) as journal:
        in_play(journal).play("random")
    with behind_our_back(path) as raw:
        query = f"SELECT version, body FROM entries WHERE stream = '{STREAM}' AND kind = 'deal'"
        (first, old), (second, new) = raw.execute(query).fetchall()
        ours, other = json.loads(old)["sealed"], json.loads(new)["sealed"]
        change(raw, STREAM, first, ours, other)
        change(raw, STREAM, second, other, ours)
        rechain(raw, STREAM)
    text = messages(verified(path))
    assert f"what is sealed in entries {first} cannot be opened" in text
    assert f"what is sealed in entries {second} cannot be opened" in text


@pytest.mark.parametrize(
    ("kind", "old", "new", "said"),
    [
        ("deal", '"drawn":15', '"drawn":14', "what stands in the clear"),
        ("deal", '"round":1,', '"round":2,', "the round it is sealed for"),
        ("collect", '"opens":"', '"opens":"ff', "cannot be|is not the one"),
        ("collect", ',"opens":"', ',"request":"', "the key to its cards is not told"),
    ],
)
def test_what_stands_beside_the_seal_is_held_against_it(
    path: Path, kind: str, old: str, new: str, said: str
) -> None:
    with croupier.open_journal(path) as journal:
        in_play(journal).play("random")
    with behind_our_back(path) as raw:
        query = "SELECT min(version) FROM entries WHERE stream = ? AND kind = ?"
        (version,) = raw.execute(query, (STREAM, kind)).fetchone()
        change(raw, STREAM, version, old, new)
        rechain(raw, STREAM)
    assert re.search(said, messages(verified(path)))


def test_a_journal_is_for_its_owner_only(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        in_play(journal)
        for file in path.parent.glob("journal.db*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_key_that_others_can_read_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = tmp_path / "open.key"
    key.write_text("0" * 64)
    key.chmod(0o644)
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(key))
    with pytest.raises(croupier.CroupierError, match="can be read by others"):
        croupier.open_journal(path)
