"""Real servers: one on SQLite, two on one PostgreSQL, and one of the two killed."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import Card
from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import table_record
from croupier.ledger.verification.verify import verify
from tests.web.hidden import Sight, check_frame
from tests.web.kit import PATIENCE, settings
from tests.web.real import Client, Player, workers

UTH = "md-uth"


def _check_frames(database: str, table: str, players: list[Player]) -> int:
    """Every frame that came over the wires, against the journal."""
    sights = {player.client.name: dict[int, frozenset[Card]]() for player in players}
    sight = Sight(2)
    with open_journal(database) as store:
        for entry in store.read(f"table:{table}"):
            for event in table_record(entry).events:
                sight.take_in(event)
            for name, allowed in sights.items():
                allowed[entry.version] = sight.may_see(name)
    for player in players:
        for text in player.frames:
            check_frame(text, sights[player.client.name], player.client.name)
    return sum(len(player.frames) for player in players)


def _check_books(database: str) -> None:
    with open_journal(database) as store:
        found = verify(store)
        assert found.valid, found.differences
        assert sum(store.balances().values()) == 0


def _play_all(players: list[Player], rounds: int) -> None:
    with ThreadPoolExecutor(len(players)) as pool:
        list(pool.map(lambda player: player.play(rounds), players))


@pytest.mark.parametrize("table", ["md-uth", "md-235"])
def test_frames_over_real_connections_hold_nothing_hidden(tmp_path: Path, table: str) -> None:
    database = str(tmp_path / "journal.db")
    with workers(settings(database), 1, tmp_path) as (worker,):
        players = [Player(Client(worker.port).come_in(), table, seat) for seat in (1, 3)]
        for player in players:
            player.sit()
        _play_all(players, 7)
        for player in players:
            player.close()
    assert _check_frames(database, table, players) >= 7 * 2, "a busy machine may skip views"
    _check_books(database)


def test_two_workers_share_the_tables(postgres_url: str, tmp_path: Path) -> None:
    """People at one table on different workers; each command goes to any of them."""
    with workers(settings(postgres_url), 2, tmp_path) as (one, two):
        players = [
            Player(Client(worker.port).come_in(), UTH, seat)
            for seat, worker in ((1, one), (2, two), (5, one))
        ]
        for player in players:
            player.sit()
        _play_all(players, 5)
        ann = players[0].client
        ann.port = two.port
        key = "across-workers"
        first = ann.send(UTH, key=key, type="tip", amount="5.00")
        ann.port = one.port
        again = ann.send(UTH, key=key, type="tip", amount="5.00")
        assert (first.body["repeated"], again.body["repeated"]) == (False, True)
        _agree([Client(worker.port) for worker in (one, two)])
        for player in players:
            player.close()
    assert _check_frames(postgres_url, UTH, players) >= 5 * 3, "a busy machine may skip views"
    _check_books(postgres_url)


def _agree(strangers: list[Client]) -> None:
    """What one worker writes the others hear a moment later: then they show the same."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        views: list[Any] = [one.call("GET", f"/tables/{UTH}").body for one in strangers]
        for view in views:
            view.pop("clock")
        if views[0] == views[1]:
            return
        time.sleep(0.05)
    raise AssertionError(views)


def test_a_killed_worker_is_replaced_by_the_other(postgres_url: str, tmp_path: Path) -> None:
    """Clients resume where they were, the dealing goes on, and the books balance to the cent."""
    tables = ("md-uth", "ma-uth", "md-235")
    with workers(settings(postgres_url), 2, tmp_path) as (one, two):
        time.sleep(1.2)  # the tables are shared out
        players = [Player(Client(one.port).come_in(), table, 2) for table in tables]
        for player in players:
            player.sit()
        _play_all(players, 3)
        before = [player.seq for player in players]
        one.kill()
        for player in players:
            player.resume(two.port)
        frames = [json.loads(player.socket.recv(timeout=PATIENCE)) for player in players]
        for seen, frame in zip(before, frames, strict=True):
            assert seen is not None
            assert frame["seq"] >= seen
            assert all(told["version"] > seen for told in frame["happened"])
        for player, frame in zip(players, frames, strict=True):
            player.act(frame["view"])
        _play_all(players, 3)
        for player in players:
            player.close()
    _check_books(postgres_url)
