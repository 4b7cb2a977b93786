"""The page about a round with its proof attached, and how it is read back."""

from __future__ import annotations

import json
import re
import time
import zlib
from pathlib import Path
from random import Random

import pytest

import croupier
from croupier.errors import BadData, CroupierError
from croupier.ledger.checkpoints.proofs import RoundProof, check_proof, lines_of, prove_round
from croupier.reports.round_proof import MOST_PDF, MOST_PROOF, _page, attached_proof, proof_pdf
from croupier.rounds.events import EnvyPaid, RoundVoided, SeatSettled
from croupier.rounds.state import LineRecord, Reason
from tests.commands.program import croupier as program

WAGERS = {"ante": 5, "blind": 5, "trips": 5}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round of one player, and then one of six with many wagers."""
    path = tmp_path_factory.mktemp("proofs") / "journal.db"
    with croupier.open_journal(path) as opened:
        table = opened.open_table("md-uth", name="one", seed="one")
        table.sit("Annabella", 1, buy_in=500)
        table.play("random", WAGERS)
        for seat in range(2, 7):
            table.sit(f"Guest {seat}", seat, buy_in=500)
        optional = ("trips", "six_card_bonus", "ultimate_pairs", "bad_beat")
        required = {"ante": 10, "blind": 10, "progressive": 1}
        table.play("random", required | dict.fromkeys(optional, 5))
    return path


def key(journal: Path) -> str:
    with croupier.open_journal(journal) as opened:
        made = opened.checkpoint()
    assert made is not None
    return made.key


@pytest.fixture(scope="module")
def pdf(journal: Path) -> bytes:
    with croupier.open_journal(journal) as opened:
        return proof_pdf(opened.ledger, prove_round(opened.ledger, "one", 2))


def test_the_pdf_proves_what_its_attachment_says(journal: Path, tmp_path: Path) -> None:
    page, plain = tmp_path / "round.pdf", tmp_path / "round.json"
    for file in (page, plain):
        assert program("prove", "one", "2", "--journal", journal, "--to", file).code == 0
    assert attached_proof(page.read_bytes()) + b"\n" == plain.read_bytes()
    trusted = ("--key", key(journal))
    found = program("verify", "--proof", page, *trusted, "--json")
    same = program("verify", "--proof", plain, *trusted, "--json")
    assert (found.code, found.json) == (0, same.json)
    assert sorted(found.json["lines"]["6"][0]) == ["clause", "net", "result", "stake", "wager"]
    told = program("verify", "--proof", page, *trusted).text
    assert "The proof holds: round 2 of table one" in told
    assert re.search(r"six_card_bonus +\$5.00 +(win|lose|push) ", told)
    assert program("verify", "--proof", page, "--key", "0" * 64).code == 1


def test_the_same_proof_gives_the_same_bytes_on_one_page(journal: Path, pdf: bytes) -> None:
    with croupier.open_journal(journal) as opened:
        again = proof_pdf(opened.ledger, prove_round(opened.ledger, "one", 2))
    assert again == pdf
    assert re.search(rb"/Type/Pages/Count 1/", pdf), "six players and nine wagers each fit"
    assert b"pdfaid:part>3<" in pdf, "it may be kept in an archive"


@pytest.mark.parametrize("game", ["ma-uth", "md-jackpot", "md-wpt", "md-235", "let-it-ride"])
def test_every_game_has_its_page(game: str, tmp_path: Path) -> None:
    with croupier.open_journal(tmp_path / "journal.db") as opened:
        table = opened.open_table(game, name="one", seed="one")
        for seat in (1, 2):
            table.sit(f"Guest {seat}", seat, buy_in=500)
        table.play("random")
        opened.checkpoint()
        opened.prove("one", 1, tmp_path / "round.PDF")
        proof = opened.prove("one", 1)
    text = (tmp_path / "round.PDF").read_bytes()
    assert attached_proof(text) == proof.to_json()
    assert b"/Type/Pages/Count 1/" in text


def test_a_round_declared_void_says_so(tmp_path: Path) -> None:
    with croupier.open_journal(tmp_path / "journal.db") as opened:
        table = opened.open_table("md-uth", name="one", seed="one")
        table.sit("Annabella", 1, buy_in=500)
        table.bet("Annabella", ante=5, blind=5)
        table.do("void_round", reason="fire", by="floorperson:Flo")
        opened.checkpoint()
        proof = opened.prove("one", 1)
        page = _page(opened.ledger, proof)
    assert (page["void"], page["seats"]) == (True, [])
    assert "void" in str(page["story"])


def test_envy_bonuses_count_to_what_a_seat_won() -> None:
    """They were left out of what a proof says each seat won."""
    lost = LineRecord("ante", 500, "lose", -500, "11.H", Reason("lost_to_dealer"))
    envy = LineRecord("envy", 0, "win", 2500, "12.D", Reason("envy"))
    events = (SeatSettled(3, "pair", (lost,)), EnvyPaid({3: envy, 4: envy}))
    assert lines_of(events) == {3: (lost, envy), 4: (envy,)}
    assert lines_of((*events, RoundVoided("fire", "Flo"))) == {}


# -- hostile files --------------------------------------------------------------------------------


def packed(text: bytes, *, times: int = 1) -> bytes:
    stream = zlib.compress(text, 9)
    head = b"1 0 obj\n<</Length %d/Type/EmbeddedFile/Filter/FlateDecode>>\nstream\n" % len(stream)
    return b"%PDF-1.7\n" + (head + stream + b"\nendstream\nendobj\n") * times


def test_hostile_pdfs_are_refused(pdf: bytes, tmp_path: Path) -> None:
    for text, why in (
        (b"%PDF-1.7\n", "has no proof attached"),
        (packed(b"{}", times=2), "several files attached"),
        (packed(bytes(MOST_PROOF + 1)), "or has more than"),
        (packed(Random(1).randbytes(5000))[:-60], "is cut off"),
        (packed(b"{}").replace(b"FlateDecode", b"LZWDecode"), "is not packed as"),
        (packed(b"{}").replace(b"stream\n", b"stream\nx", 1), "is damaged"),
        (bytes(MOST_PDF + 1), "more than"),
    ):
        with pytest.raises(BadData, match=why):
            attached_proof(text)
    file = tmp_path / "other.pdf"
    file.write_bytes(packed(b'{"form":"other"}'))
    ended = program("verify", "--proof", file, "--key", "0" * 64)
    assert (ended.code, "this is not a proof of a round" in ended.err) == (2, True)
    file.write_bytes(bytes(MOST_PDF + 1))
    assert program("verify", "--proof", file, "--key", "0" * 64).code == 2
    assert len(attached_proof(pdf)) > 1000


@pytest.mark.parametrize("word", [b"/EmbeddedFiles", b"/EmbeddedFile ", b"stream", b" obj", b"<<"])
def test_reading_is_linear(word: bytes) -> None:
    """Twice the bytes take about twice the time, however they are filled."""

    def seconds(size: int) -> float:
        text = b"%PDF-1.7\n" + word * (size // len(word))
        began = time.process_time()
        for _ in range(3):
            with pytest.raises(BadData):
                attached_proof(text)
        return time.process_time() - began

    assert seconds(4 * 2**20) < 3 * seconds(2 * 2**20) + 0.05


def test_a_changed_byte_is_noticed_or_changes_nothing(pdf: bytes, journal: Path) -> None:
    trusted, proof = frozenset({key(journal)}), attached_proof(pdf)
    chance = Random(7)
    for _ in range(200):
        image = bytearray(pdf)
        image[chance.randrange(len(image))] ^= 1 << chance.randrange(8)
        try:
            found = attached_proof(bytes(image))
            check_proof(RoundProof.from_json(found), trusted)
        except CroupierError:
            continue
        assert json.loads(found) == json.loads(proof)
