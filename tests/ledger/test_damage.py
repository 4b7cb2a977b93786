"""A disk that lies: bytes flipped, pages torn, zeroed or swapped, files cut short.

`tests/ledger/crashes.py` has what a power cut can leave behind, where nothing acknowledged is lost.
Here the disk itself is damaged after the sync. Whatever it does to the files, `verify` either finds
the journal as it was written (or, where the -wal is damaged, a whole beginning of it that has all
that stood in the file), or it says that something is wrong. It never takes a changed journal for
good, and never ends in a fault of the program.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

import croupier
from croupier.ledger.entries import Entry
from croupier.ledger.journal import open_to_read
from tests.commands.program import WHOLE
from tests.commands.program import croupier as program
from tests.ledger.crashes import SECTOR, scratch

PAGE = 4096
ENDS = ("", "-wal")
WAGERS = {"ante": 5, "blind": 5}

Written = dict[str, list[Entry]]


class Sound(NamedTuple):
    """A journal before the damage: its files, all that was acknowledged, and what of it stood in
    the database file itself."""

    files: dict[str, bytes]
    written: Written
    in_file: Written


def _written(path: Path) -> Written:
    with open_to_read(path, read_only=True) as store:
        return {stream: list(store.stored(stream)) for stream in store.streams()}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    """Half of it in the database file, the rest in the -wal, as it is while a server runs."""
    path = tmp_path_factory.mktemp("sound") / "journal.db"
    with croupier.open_journal(path) as journal:
        table = journal.open_table("md-uth", name="one", seed="one")
        table.sit("Annabella", 1, buy_in=500)
        table.play("random", WAGERS)
        journal.checkpoint()
    in_file = _written(path)
    with croupier.open_journal(path) as journal:
        table = journal.table("one")
        for _ in range(2):
            table.play("random", WAGERS)
        journal.checkpoint()
        files = {end: Path(f"{path}{end}").read_bytes() for end in ENDS}
    assert min(map(len, files.values())) > 10 * PAGE
    return Sound(files, _written(path), in_file)


# -- what the disk does ----------------------------------------------------------------------------


def _flip(chance: random.Random, image: bytearray) -> str:
    """One bit; or a few bytes beside each other."""
    at = chance.randrange(len(image))
    for place in range(at, min(len(image), at + chance.choice((1, 1, 1, 4)))):
        image[place] ^= 1 << chance.randrange(8)
    return f"flipped at {at}"


def _cut(chance: random.Random, image: bytearray) -> str:
    at = chance.choice((chance.randrange(len(image)), PAGE * chance.randrange(len(image) // PAGE)))
    del image[at:]
    return f"cut at {at}"


def _tear(chance: random.Random, image: bytearray) -> str:
    """Some sectors of the end hold zeros, garbage, or what belongs elsewhere."""
    sectors = len(image) // SECTOR
    for _ in range(chance.randint(1, 4)):
        at = SECTOR * (sectors - 1 - min(sectors - 1, int(chance.expovariate(0.1))))
        other = SECTOR * chance.randrange(sectors)
        there = bytes(image[other : other + SECTOR])
        image[at : at + SECTOR] = chance.choice((bytes(SECTOR), chance.randbytes(SECTOR), there))
    return "torn"


def _swap(chance: random.Random, image: bytearray) -> str:
    one, two = (PAGE * chance.randrange(len(image) // PAGE) for _ in range(2))
    first, second = image[one : one + PAGE], image[two : two + PAGE]
    image[one : one + PAGE], image[two : two + PAGE] = second, first
    return f"pages at {one} and {two} swapped"


def damaged(sound: Sound, seed: int) -> tuple[str, dict[str, bytes]]:
    chance = random.Random(seed)
    end = chance.choice(ENDS)
    image = bytearray(sound.files[end])
    what = chance.choice((_flip, _flip, _flip, _cut, _tear, _swap))(chance, image)
    return f"seed {seed}: {end or 'file'} {what}", sound.files | {end: bytes(image)}


# -- what is made of it ----------------------------------------------------------------------------


def judge(what: str, files: dict[str, bytes], sound: Sound) -> bool:
    """Was it taken for good?"""
    with scratch() as folder:
        path = folder / "journal.db"
        for end, image in files.items():
            Path(f"{path}{end}").write_bytes(image)
        ended = program("verify", "--journal", path)
        told = f"{what}: {ended.code} {ended.text} {ended.err}"
        assert ended.code in (0, 1, 2, 3), told
        assert "fault of the program" not in told, told
        assert "Traceback" not in told, told
        if ended.code not in WHOLE:
            assert ended.text.strip() or ended.err.strip(), told
            return False
        found = _written(path)
    for stream, entries in found.items():
        assert sound.written[stream][: len(entries)] == entries, f"{what}: {stream} is changed"
    wal_is_whole = files["-wal"] == sound.files["-wal"]
    for stream, entries in (sound.written if wal_is_whole else sound.in_file).items():
        assert len(found.get(stream, ())) >= len(entries), f"{what}: {stream} is shorter"
    return True


@pytest.mark.parametrize("block", range(2))
def test_damage_is_told_or_harmless(sound: Sound, block: int) -> None:
    for seed in range(10 * block, 10 * block + 10):
        judge(*damaged(sound, seed), sound)


@pytest.mark.full
@pytest.mark.parametrize("block", range(1, 21))
def test_damage_is_told_or_harmless_thousands(sound: Sound, block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        judge(*damaged(sound, seed), sound)


def test_the_test_would_notice_a_changed_journal(sound: Sound) -> None:
    """Without damage it is good; with less in the -wal than was acknowledged it is not the same."""
    assert judge("nothing", sound.files, sound)
    empty = sound.files | {"-wal": b""}
    assert judge("no -wal", empty, sound), "a whole beginning"
    short = sound._replace(in_file=sound.written)
    with pytest.raises(AssertionError, match="is shorter"):
        judge("no -wal", empty, short)
