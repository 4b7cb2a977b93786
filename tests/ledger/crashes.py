"""A simulator of crashes: what could a power cut or a kill leave behind, and does it recover?

**Power cut.** A random workload runs on the real SQLite; images of the database and its -wal file
are taken around every step. From two images the files are built that a cut in between could have
left: the tail lost, torn at a sector, sectors out of order, garbage where a write was under way;
a checkpoint half done. What was synced before an acknowledgement stays. As SQLite does by default
on Unix, it is assumed that writing a sector does not harm the bytes of it that are not written.

**Kill.** A child process kills itself in the middle of `add` or `open_journal`: before a statement,
or at any single instruction of SQLite's virtual machine.

Everything follows from a seed. `python -m tests.ledger.crashes FOLDER FIRST LAST` runs the kills.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import open_journal
from croupier.ledger.stores.sqlite import SQLite
from tests.ledger.model import Model, bare, random_work
from tests.ledger.samples import NOON, check_all

SECTOR = 512
STEPS = 14


class Disk(NamedTuple):
    database: bytes
    wal: bytes
    shm: bytes


class Cut(NamedTuple):
    """The files after the power came back, and what may be in them: one of the models, whole."""

    what: str
    disk: Disk
    allowed: tuple[Model, ...]


# -- power cuts -------------------------------------------------------------------------------


def power_cuts(seed: int, folder: Path) -> Iterator[Cut]:
    """Run the workload of this seed; after every step, give one way in which it could be cut."""
    chance = random.Random(seed)
    file = folder / "journal.db"
    model = Model()
    with open_journal(file) as store, closing(sqlite3.connect(file, isolation_level=None)) as other:
        store.add(*_first(chance, model), at=NOON)
        # Small, so that checkpoints happen within commits as well.
        store._idle[-1].execute(f"PRAGMA wal_autocheckpoint = {chance.choice((0, 5, 20, 1000))}")
        for _ in range(STEPS):
            before, old = _disk(file), model.copy()
            if chance.random() < 0.25:
                mode = chance.choice(("PASSIVE", "FULL", "RESTART", "TRUNCATE"))
                other.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
                yield _cut_checkpoint(chance, mode, before, _disk(file), old)
            else:
                additions, at = random_work(chance, model)
                assert bare(store.add(*additions, at=at)) == model.add(*additions, at=at)
                yield _cut_commit(chance, before, _disk(file), old, model.copy())


def _first(chance: random.Random, model: Model) -> tuple[Addition, ...]:
    additions, _ = random_work(chance, model)
    model.add(*additions, at=NOON)
    return additions


def _cut_commit(chance: random.Random, before: Disk, after: Disk, old: Model, new: Model) -> Cut:
    """First the -wal file is written and synced; a checkpoint may follow in the same commit."""
    phase = chance.random()
    if phase < 0.75:
        mode, wal = torn(chance, before.wal, after.wal)
        return Cut(f"commit, {mode}", Disk(before.database, wal, _shm(chance, after)), (old, new))
    if phase < 0.9:
        mode, database = torn(chance, before.database, after.database)
        disk = Disk(database, after.wal, _shm(chance, after))
        return Cut(f"checkpoint within the commit, {mode}", disk, (new,))
    return Cut("after the commit", Disk(after.database, after.wal, _shm(chance, after)), (new,))


def _cut_checkpoint(
    chance: random.Random, mode: str, before: Disk, after: Disk, model: Model
) -> Cut:
    """The database is written from the full -wal file and synced before that one is cut off."""
    if chance.random() < 0.8:
        how, database = torn(chance, before.database, after.database)
        disk = Disk(database, before.wal, _shm(chance, before))
        return Cut(f"checkpoint {mode}, {how}", disk, (model,))
    wal = chance.choice((before.wal, after.wal))
    return Cut(f"after checkpoint {mode}", Disk(after.database, wal, _shm(chance, after)), (model,))


def torn(chance: random.Random, old: bytes, new: bytes) -> tuple[str, bytes]:
    """Part of the write from `old` to `new`, sector by sector."""
    mode = chance.choice(("lost", "torn", "shuffled", "garbage"))
    count = -(-max(len(old), len(new)) // SECTOR)
    changed = [
        place
        for place in range(count)
        if old[place * SECTOR : (place + 1) * SECTOR] != new[place * SECTOR : (place + 1) * SECTOR]
    ]
    if not changed:
        return "nothing written", old
    reached = chance.randrange(len(changed) + 1)
    sectors = []
    for place in range(count):
        was, now = (image[place * SECTOR : (place + 1) * SECTOR] for image in (old, new))
        if place not in changed:
            sectors.append(now)
            continue
        order = changed.index(place)
        arrived = chance.random() < 0.5 if mode in {"shuffled", "garbage"} else order < reached
        if arrived:
            sectors.append(now)
        elif mode == "garbage" or (mode == "torn" and order == reached):
            sectors.append(_spoilt(chance, was, now))
        else:
            sectors.append(was.ljust(len(now), b"\0"))
    image = b"".join(sectors)
    if mode == "lost" and len(new) > len(old):
        # The file's new length may be lost as well.
        image = image[: max(len(old), (changed[reached - 1] + 1) * SECTOR if reached else 0)]
    return mode, image


def _spoilt(chance: random.Random, was: bytes, now: bytes) -> bytes:
    """A sector half written: garbage, but only among the bytes that were being written."""
    length = max(len(was), len(now))
    was, now = was.ljust(length, b"\0"), now.ljust(length, b"\0")
    places = [place for place in range(length) if was[place] != now[place]] or [0]
    first, last = places[0], places[-1] + 1
    return was[:first] + chance.randbytes(last - first) + was[last:]


def _disk(file: Path) -> Disk:
    return Disk(*(_bytes(Path(f"{file}{end}")) for end in ("", "-wal", "-shm")))


def _bytes(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _shm(chance: random.Random, disk: Disk) -> bytes:
    """It is only memory shared by processes: after a cut anything may stand there."""
    return chance.choice((b"", disk.shm, chance.randbytes(len(disk.shm))))


def recover(cut: Cut, folder: Path) -> None:
    """Open what is left and compare: nothing acknowledged lost, nothing invented, all usable."""
    file = folder / "journal.db"
    for end, image in zip(("", "-wal", "-shm"), cut.disk, strict=True):
        if image or not end:
            Path(f"{file}{end}").write_bytes(image)
    with open_journal(file) as store:
        found = [model.differs(store) for model in cut.allowed]
        assert None in found, f"{cut.what}: {found}"
        check_all(store)
        model = cut.allowed[found.index(None)].copy()
        additions, at = random_work(random.Random("afterwards"), model)
        assert bare(store.add(*additions, at=at)) == model.add(*additions, at=at)
    with open_journal(file) as store:
        assert model.differs(store) is None, f"{cut.what}, then an addition: {model.differs(store)}"


def run_power_cuts(seed: int) -> int:
    """All cuts of one seed; how many they were."""
    count = 0
    with scratch() as folder:
        for cut in power_cuts(seed, folder):
            with scratch() as other:
                recover(cut, other)
            count += 1
    return count


@contextmanager
def scratch() -> Iterator[Path]:
    """In memory where possible: the images are what counts here, and syncing costs time."""
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="croupier-crash-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# -- kills ------------------------------------------------------------------------------------


def run_kill(number: int, folder: Path) -> bool:
    """Fork a child that is killed at point `number`; False when it lived to the end.

    Even numbers count statements, odd ones instructions of SQLite's virtual machine.
    """
    file = folder / f"{number}.db"
    seed = random.Random(number).getrandbits(30)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_killed(file, seed, number, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        acknowledged = len(told.read())
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"kill {number}: {status}"
    _check_after_kill(file, seed, acknowledged)
    return os.WIFSIGNALED(status)


def _be_killed(file: Path, seed: int, number: int, told: int) -> None:
    """Acknowledge every addition with a byte, as a table would tell its players."""
    try:
        chance, model = random.Random(seed), Model()
        with open_journal(file) as store:
            for turn in range(4):
                additions, at = random_work(chance, model)
                model.add(*additions, at=at)
                if turn == 2:
                    _arm(store._idle[-1], number)
                store.add(*additions, at=at)
                os.write(told, b".")
    except BaseException:
        os._exit(1)
    os._exit(0)


def _arm(connection: sqlite3.Connection, number: int) -> None:
    left = [number // 2 if number % 2 == 0 else random.Random(number).randrange(900)]

    def tick(*_: object) -> int:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return 0

    if number % 2 == 0:
        connection.set_trace_callback(tick)
    else:
        connection.set_progress_handler(tick, 1)


def _check_after_kill(file: Path, seed: int, acknowledged: int) -> None:
    chance, model = random.Random(seed), Model()
    allowed = [model.copy()]
    for _ in range(4):
        additions, at = random_work(chance, model)
        model.add(*additions, at=at)
        allowed.append(model.copy())
    with open_journal(file) as store:
        now = allowed[acknowledged : acknowledged + 2]
        found = [one.differs(store) for one in now]
        assert None in found, f"{acknowledged} acknowledged: {found}"
        check_all(store)
        model = now[found.index(None)]
        additions, at = random_work(chance, model)
        store.add(*additions, at=at)
        check_all(store)


def run_kill_while_opening(number: int, folder: Path) -> bool:
    """The same while the tables are made: the next to open finds all of them or none."""
    file = folder / f"opening-{number}.db"
    child = os.fork()
    if child == 0:
        prepare = SQLite._prepare

        def armed(self: SQLite, connection: sqlite3.Connection) -> None:
            prepare(self, connection)
            left = [number]

            def tick() -> int:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return 0

            connection.set_progress_handler(tick, 1)

        SQLite._prepare = armed  # type: ignore[method-assign]
        open_journal(file)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    with open_journal(file) as store:
        store.add(Addition("table/1", 0, (NewEntry("noted", b"{}"),)), at=NOON)
        check_all(store)
    return os.WIFSIGNALED(status)


def main() -> None:
    """In a process of its own, since a process with threads must not fork."""
    folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    killed = sum(run_kill(number, folder) for number in range(first, last))
    opening = sum(
        run_kill_while_opening(number * 37 % 1000, folder) for number in range(first, last, 4)
    )
    print(f"{killed} {opening}")


if __name__ == "__main__":
    main()
