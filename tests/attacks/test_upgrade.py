"""Another version of the program takes over while rounds are in play, and workers on two addresses
share a database at a third."""

from __future__ import annotations

import json
from pathlib import Path

from croupier import __version__
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.runtime.selfcheck import PROGRAMS
from tests.postgres import Server as Postgres
from tests.web.kit import settings
from tests.web.real import SERVE, Client, Player, Worker

UTH = "md-uth"
NEXT = "99.1.0"
SERVE_NEXT = f"import croupier\ncroupier.__version__ = {NEXT!r}\n{SERVE}"


def _to_a_question(player: Player) -> int:
    """Until the player is asked; gives the round."""
    while True:
        view = player.next_view()
        if any(one["do"] == "say" for one in view["actions"]):
            return int(view["round"]["number"])
        player.act(view)


def test_a_round_in_play_goes_on_in_the_next_version(tmp_path: Path) -> None:
    told = settings(tmp_path / "journal.db")
    old = Worker(told, tmp_path / "old.log")
    try:
        old.wait()
        ann = Player(Client(old.port).come_in(), UTH, 1)
        ann.sit()
        number = _to_a_question(ann)
        before = ann.client.call("GET", f"/tables/{UTH}").body["round"]
        ann.close()
    finally:
        old.stop()
    new = Worker(told, tmp_path / "new.log", serve=SERVE_NEXT)
    try:
        new.wait()
        ann.resume(new.port)
        after = ann.client.call("GET", f"/tables/{UTH}").body["round"]
        assert (after["number"], after["phase"]) == (number, "deciding")
        assert after["seats"] == before["seats"], "the same cards, the same bets"
        assert ann.play(1) == number + 1
        ann.close()
    finally:
        new.stop()
    with open_journal(told.database) as store:
        assert verify(store).valid
        versions = [json.loads(entry.body)["version"] for entry in store.read(PROGRAMS)]
    assert versions == [__version__, NEXT], "which versions ran is in the journal"


def test_workers_on_two_addresses_with_the_database_between_them(
    postgres_server: Postgres, tmp_path: Path
) -> None:
    """127.0.0.1 and 127.0.0.2, PostgreSQL by TCP at 127.0.0.3. They are replaced one after the
    other by another version, while a round is in play."""
    with postgres_server.over_tcp("127.0.0.3") as url:
        told = settings(url)
        started = [
            Worker(told, tmp_path / f"old-{place}.log", host=f"127.0.0.{place}") for place in (1, 2)
        ]
        try:
            for one in started:
                one.wait()
            one, two = started
            ann = Player(Client(one.port, one.host).come_in(), UTH, 1)
            ann.sit()
            bob = Player(Client(two.port, two.host).come_in(), UTH, 4)
            assert ann.client.name in json.dumps(bob.next_view()), "one table, seen from both"
            bob.close()
            number = _to_a_question(ann)
            one.stop()
            ann.resume(two.port, two.host)
            assert ann.play(1) == number + 1
            again = Worker(told, tmp_path / "new-1.log", host="127.0.0.1", serve=SERVE_NEXT)
            started.append(again)
            again.wait()
            number = _to_a_question(ann)
            two.stop()
            ann.resume(again.port, again.host)
            assert ann.play(1) == number + 1
            ann.close()
        finally:
            for one in started:
                one.stop()
        with open_journal(url) as store:
            assert verify(store).valid
            versions = [json.loads(entry.body)["version"] for entry in store.read(PROGRAMS)]
        assert versions[0] == __version__
        assert versions[-1] == NEXT
