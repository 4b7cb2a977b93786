"""A disk that fills while people play: a small one of its own, in memory (tmpfs).

It takes the right to mount. Without it the test is skipped, and says so; where it must not be left
out, `CROUPIER_MUST_MOUNT=1` makes that a failure.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.ledger.verification.verify import verify
from croupier.tables.commands import Tip
from tests.web.kit import PATIENCE, settings
from tests.web.real import Client, Player, workers

UTH = "md-uth"
SIZE = 12 * 2**20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "croupier-test", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        problem = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        problem = str(error)
    if problem:
        told = f"NOT TESTED: a disk that fills; this user may not mount a tmpfs ({problem})"
        (pytest.fail if os.environ.get("CROUPIER_MUST_MOUNT") else pytest.skip)(told)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def _fill(disk: Path) -> Path:
    """Not a byte is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        for size in (2**16, 2**12, 1):
            with suppress(OSError):
                while file.write(b"\0" * size):
                    pass
    return ballast


def test_a_disk_that_fills_while_people_play_loses_nothing(disk: Path, tmp_path: Path) -> None:
    database = disk / "journal.db"
    acknowledged: list[str] = []
    with workers(settings(database), 1, tmp_path) as (one,):
        ann = Player(Client(one.port).come_in(), UTH, 1)
        ann.sit()
        ann.play(1)
        bob = Client(one.port).come_in()
        bob.do("md-235", type="take_seat", seat=1)
        bob.do("md-235", type="buy_in", amount="500.00")

        def tip(number: int) -> int:
            key = f"tip-{number}"
            found = bob.send("md-235", key=key, type="tip", amount="1.00")
            if found.status == 200:
                acknowledged.append(key)
            return found.status

        assert tip(0) == 200
        ballast = _fill(disk)
        statuses = [tip(number) for number in range(1, 60)]
        assert set(statuses) <= {200, 503}, statuses
        assert 503 in statuses, "the disk is full, and that is told"
        time.sleep(2.1)  # the last probe is remembered for so long
        _fill(disk)
        ready = Client(one.port).call("GET", "/ready")
        assert ready.status == 503, ready.body
        assert "full" in ready.body["message"], ready.body
        assert Client(one.port).call("GET", "/health").body["journal"] == "unwritable"
        ballast.unlink()
        end = time.monotonic() + PATIENCE
        while tip(99) != 200:
            assert time.monotonic() < end
            time.sleep(0.2)
        time.sleep(2.1)
        assert Client(one.port).call("GET", "/ready").status == 200
        ann.play(1)
        ann.close()
    with open_journal(str(database)) as store:
        found = verify(store)
        assert found.valid, found.differences
        records = [table_record(entry) for entry in store.read(table_stream("md-235"))]
    written = [one.request for one in records if isinstance(one.command, Tip)]
    assert [key.rpartition(":")[2] for key in written] == acknowledged
