"""`croupier settle`: rounds in, settlements out, line by line, in flat memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_error
from croupier.errors import BadData, CroupierError, our_fault, plain
from croupier.rounds.settle_requests import (
    RequestSettler,
    RoundRequest,
    error_object,
    settlement_object,
)
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.loader import open_rulebook

__all__ = ["run"]


def run(file: Path | None, rules: list[str], *, as_json: bool) -> int:
    settler = RequestSettler({book.default.id: book for book in map(open_rulebook, rules)})
    failed = False
    for number, line in _lines(file):
        try:
            _answer(settler, line, as_json=as_json)
        except OSError:
            raise
        except Exception as error:
            failed = True
            refusal = error if isinstance(error, CroupierError) else our_fault(error)
            _refuse(refusal, number, as_json=as_json)
    return 2 if failed else 0


def _answer(settler: RequestSettler, line: bytes, *, as_json: bool) -> None:
    request = read_json(line, RoundRequest)
    played, rules, settlement = settler.settle(request)
    if as_json:
        print_json(settlement_object(settlement, rules))
        return
    from croupier.reports.story import story

    console().print(story(played, settlement, rules))


def _refuse(error: CroupierError, number: int, *, as_json: bool) -> None:
    if as_json:
        print_json(error_object(error))
    sys.stdout.flush()
    clause = f" [{error.clause}]" if error.clause else ""
    print_error(f"line {number}: {error.message}{clause}")


def _lines(file: Path | None) -> Iterator[tuple[int, bytes]]:
    """The lines that say anything, with their numbers."""
    if file is None:
        if sys.stdin.isatty():
            sys.stderr.write("Reading rounds from standard input, one JSON object a line.\n")
        yield from _numbered(sys.stdin.buffer)
        return
    try:
        with file.open("rb") as stream:
            yield from _numbered(stream)
    except OSError as error:
        raise BadData(f"{plain(file, 200)} cannot be read: {error.strerror}") from None


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(stream, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if text:
            yield number, text
