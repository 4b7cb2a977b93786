"""A proof of a round as one page for people, with the proof itself attached, and the proof read
back.

The page is for reading, the attachment is the evidence: checking the proof prints what the
attachment says, to compare with the page.
"""

from __future__ import annotations

import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.errors import BadData, BadRequest, plain
from croupier.ledger.checkpoints.proofs import RoundProof, check_proof
from croupier.ledger.history.past_rounds import Moment, corrections, round_moments
from croupier.ledger.journal import Journal
from croupier.money import dollars
from croupier.reports.sheets import Paper, printable, typeset
from croupier.rounds.deal_record import LaidHand, laid_out
from croupier.rounds.events import SeatSettled
from croupier.rounds.explaining import line_title
from croupier.rounds.state import LineRecord
from croupier.rulebooks.rules import Rules
from croupier.tables.sentences import describe_event
from croupier.tables.state import rules_of

MOST_PDF: Final = 16 * 2**20
MOST_PROOF: Final = 8 * 2**20
MOST_HEADER: Final = 1000
"""The most bytes of the dictionary of an attached file."""


def proof_pdf(journal: Journal, proof: RoundProof, paper: Paper = "letter") -> bytes:
    """Return the page. The same proof of the same journal gives the same bytes."""
    template = files(__package__).joinpath("round_proof.typ").read_bytes()
    inputs = {
        "page": msgspec.json.encode(printable(_page(journal, proof))).decode(),
        "proof": proof.to_json().decode(),
        "paper": {"letter": "us-letter", "a4": "a4"}[paper],
    }
    return typeset(template, inputs, standard="a-3b")


def write_proof(journal: Journal, proof: RoundProof, to: Path) -> None:
    """Write the page if the file ends in .pdf, otherwise JSON."""
    is_page = to.suffix.lower() == ".pdf"
    text = proof_pdf(journal, proof) if is_page else proof.to_json() + b"\n"
    try:
        to.write_bytes(text)
    except OSError as error:
        raise BadRequest(f"{plain(to, 200)} cannot be written: {error.strerror}") from None


def _page(journal: Journal, proof: RoundProof) -> dict[str, Any]:
    moments = list(round_moments(journal, proof.table, proof.round))
    state = moments[-1].after
    rules = rules_of(state)
    book, laid = rules.book, laid_out(state.round, rules)
    proved = check_proof(proof, frozenset({proof.checkpoint.key}))
    corrected = [
        f"{_time(correction.entry.at)}, {correction.actor}: "
        + " ".join(describe_event(correction.event, state))
        for correction in corrections(journal, proof.table, proof.round)
    ]
    return {
        "table": proof.table,
        "round": proof.round,
        "game": book.title,
        "jurisdiction": book.jurisdiction,
        "rulebook": book.id,
        "began": _time(proof.entries[0].at),
        "ended": _time(proof.entries[-1].at),
        "first": proof.entries[0].version,
        "last": proof.entries[-1].version,
        "sealed": proved.deck is not None,
        "seats": [
            _seat(hand, proved.lines.get(hand.seat, ()), rules) for hand in laid if hand.seat
        ],
        "table_cards": [_hand(hand) for hand in laid if not hand.seat],
        "void": state.round.void,
        "story": list(_story(moments)),
        "corrections": corrected,
        "checkpoint": msgspec.to_builtins(proof.checkpoint)
        | {"time": _time(proof.checkpoint.at), "signed": _date(proof.checkpoint.at)},
        "place": proof.place + 1,
    }


def _hand(hand: LaidHand) -> dict[str, Any]:
    return {
        "place": hand.place,
        "player": hand.player,
        "cards": list(hand.cards),
        "hand": hand.hand,
        "note": hand.note,
        "folded": hand.folded,
        "void": hand.void,
    }


def _seat(hand: LaidHand, lines: tuple[LineRecord, ...], rules: Rules) -> dict[str, Any]:
    rows = [
        {
            "wager": line_title(line.wager, rules.book),
            "stake": dollars(line.stake),
            "result": " ".join(filter(None, (_RESULTS[line.result], _odds(line)))),
            "net": _signed(line.net),
            "clause": line.clause,
        }
        for line in lines
    ]
    return {**_hand(hand), "lines": rows, "net": _signed(sum(line.net for line in lines))}


def _odds(line: LineRecord) -> str:
    return line.pays if line.result == "win" else ""


_RESULTS: Final = {"win": "won", "lose": "lost", "push": "returned", "void": "void"}


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _story(moments: list[Moment]) -> list[dict[str, str]]:
    """Return the events without the payments, which are listed with the seats."""
    sentences = []
    for moment in moments:
        words = [
            line.strip()
            for line in describe_event(moment.event, moment.after)
            if not isinstance(moment.event, SeatSettled) and not line.startswith(" ")
        ]
        if words:
            sentences.append(
                {"at": moment.entry.at[11:19], "by": moment.by, "words": "; ".join(words)}
            )
    return sentences


def _time(at: str) -> str:
    return f"{at[:10]} {at[11:19]} UTC"


def _date(at: str) -> dict[str, int]:
    year, month, day = at[:10].split("-")
    return {"year": int(year), "month": int(month), "day": int(day)}


# -- read back ------------------------------------------------------------------------------------


def is_pdf(text: bytes) -> bool:
    return text.startswith(b"%PDF-")


def attached_proof(pdf: bytes) -> bytes:
    """Return the attached file. What is read and unpacked is bounded, and nothing else in the PDF
    is looked at."""
    if len(pdf) > MOST_PDF:
        raise BadData(f"the PDF has more than {MOST_PDF:,} bytes: it is not a proof of a round")
    place = _attachment(pdf, 0)
    if place < 0:
        raise BadData(
            "this PDF has no proof attached, or another program has packed it again: check the "
            "file as `croupier prove TABLE ROUND --to FILE.pdf` wrote it"
        )
    if _attachment(pdf, place + 1) >= 0:
        raise BadData("this PDF has several files attached: a proof of a round has one")
    stream = pdf.find(b"stream", place, place + MOST_HEADER)
    header = pdf[max(0, place - MOST_HEADER) : stream].rpartition(b" obj")[2]
    if stream < 0 or b"/FlateDecode" not in header:
        raise BadData("the file attached to this PDF is not packed as `croupier prove` packs it")
    start = stream + len(b"stream")
    start += 2 if pdf[start : start + 2] == b"\r\n" else 1
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(memoryview(pdf)[start:], MOST_PROOF)
    except zlib.error:
        raise BadData("the file attached to this PDF is damaged") from None
    if not unpacking.eof:
        raise BadData(
            f"the file attached to this PDF is cut off, or has more than {MOST_PROOF:,} bytes"
        )
    return text


def _attachment(pdf: bytes, after: int) -> int:
    """Return the position where the next attached file begins; PDF lists them under
    `EmbeddedFiles`."""
    name = b"/EmbeddedFile"
    place = pdf.find(name, after)
    while place >= 0 and pdf[place + len(name) : place + len(name) + 1] == b"s":
        place = pdf.find(name, place + 1)
    return place
