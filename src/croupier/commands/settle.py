"""`croupier settle`, `demo` and `guide`: rounds settled, demonstrated, and explained step by
step."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import croupier
from croupier.commands.options import AsJson, Optional, Repeated, Rulebook, documented
from croupier.commands.output import (
    console,
    error_dict,
    print_error,
    print_json,
    print_record,
    styled,
)
from croupier.errors import BadData, CroupierError, our_fault, plain

if TYPE_CHECKING:
    from croupier.rounds.settle_requests import RequestSettler


@documented
def settle(file: Path | None = None, *, rules: Repeated = None, json: AsJson = False) -> int:
    """Settle completed rounds: one JSON object a line in, one out. Without `--json` each round is
    printed as a story. A round that cannot be settled is answered with an error in its place, the
    others are settled all the same, and the command ends with 2. A round, here over several lines:

        {"rulebook": "md-uth", "dealer": "Qs Qh", "community": "As Kd 7h 2c 2d",
         "seats": [{"seat": 1, "cards": "Ah Ad",
                    "wagers": {"ante": 10, "blind": 10, "trips": 5},
                    "actions": ["check", "2x"]}]}

    Parameters
    ----------
    file
        The rounds, one a line; by default standard input.
    rules
        The path of a rulebook file of your own, whose id the rounds may then name. Repeatable.
    """
    settler = _settler(rules or [])
    failed = False
    for number, line in _lines(file):
        try:
            _print_answer(settler, line, as_json=json)
        except OSError:
            raise
        except Exception as error:
            failed = True
            refusal = error if isinstance(error, CroupierError) else our_fault(error)
            if json:
                print_json({"error": error_dict(refusal)})
            sys.stdout.flush()
            clause = f" [{refusal.clause}]" if refusal.clause else ""
            print_error(f"line {number}: {refusal.message}{clause}")
    return 2 if failed else 0


def _settler(rules: list[str]) -> RequestSettler:
    from croupier.rounds.settle_requests import RequestSettler
    from croupier.rulebooks.loader import open_rulebook

    return RequestSettler({book.default.id: book for book in map(open_rulebook, rules)})


def _print_answer(settler: RequestSettler, line: bytes, *, as_json: bool) -> None:
    """Print an answer without making a record of the library, because a file may have hundreds of
    thousands of rounds."""
    if as_json:
        print_json(settler.settle_line(line))
        return
    from croupier.reports.story import story
    from croupier.rounds.settle_requests import RoundRequest
    from croupier.rulebooks.decoding import read_json

    played, rules, settlement = settler.settle(read_json(line, RoundRequest))
    console().print(story(played, settlement, rules))


def _lines(file: Path | None) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers."""
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


@documented
def demo(
    game: Optional = None,
    *,
    seed: int | None = None,
    seats: int = 3,
    picture: Path | None = None,
    json: AsJson = False,
) -> int:
    """Deal and settle a round of each game, drawn in the terminal.

    Parameters
    ----------
    game
        A rulebook (md-uth, …) or the path of a rulebook file; by default the five documents.
    seed
        Deal the same cards again: any whole number.
    seats
        How many players sit down.
    picture
        Also draw what the terminal shows into this SVG file.
    """
    dealt = croupier.demo(game, seed=seed, seats=seats)
    if json:
        print_record(dealt)
    else:
        for each in dealt.rounds.values():
            console().print(each.story())
        named = f"{shlex.quote(game)} " if game else ""
        again = f"croupier demo {named}--seed {dealt.seed} --seats {seats}"
        line = styled("[dim]Deal the same cards again: {again}[/]", again=again)
        console().print(line, soft_wrap=True)
    if picture is not None:
        dealt.save_picture(picture)
    return 0


@documented
def guide(rulebook: Rulebook, *, dealing: str | None = None, json: AsJson = False) -> int:
    """Print a round step by step, as its dealer does it, with clauses.

    Parameters
    ----------
    dealing
        manual_shoe, hand or automated_shoe; by default the rulebook's first.
    """
    from rich.text import Text

    steps = croupier.guide(rulebook, dealing=dealing)
    if json:
        print_record(steps)
        return 0
    out = console()
    title = styled(
        "[bold]{title}[/] ({where}), dealt: {way}",
        title=steps.title,
        where=steps.jurisdiction,
        way=steps.dealing,
    )
    out.print(title)
    last = ""
    for step in steps.steps:
        if step["step"] != last:
            out.print(styled("\n[bold]{step}[/]", step=step["step"]))
        last = step["step"]
        out.print(Text(f"  {step['words']} ") + Text(step["clause"], style="dim"))
    return 0
