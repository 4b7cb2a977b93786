"""`croupier rehearse`: whole sessions from a text, with each line played and each expectation
checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

import croupier
from croupier.commands.options import AsJson, Flag, documented
from croupier.commands.output import console, error_dict, print_error, print_json
from croupier.errors import BadRequest, CroupierError, plain

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.library.rehearsing import Rehearsal
    from croupier.scenarios.rehearsal import LineResult

_STYLES: Final = {"ok": "green", "failed": "bold red", "not run": "yellow"}


@documented
def rehearse(
    files: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    playthrough: Annotated[bool, Parameter(name="--tell", negative=())] = False,
    write: Flag = False,
    json: AsJson = False,
) -> int:
    """Play whole sessions from a text and check what it expects. A scenario reads like a pit's log,
    one entry a line; docs/scenarios.md lists every form of line:

        table T1 plays md-uth, dealt from the hand
        Ann sits at seat 1 with 1,000
        round
        cards Ann: As Ah; dealer: Qs Qd
        Ann bets ante 10, blind 10
        no more bets
        deal
        Ann raises 4x
        expect refused out_of_turn: Ann checks

    Ends with 0 if all is as expected, with 1 if it is not, with 2 if a file cannot be followed.

    Parameters
    ----------
    files
        The scenarios.
    playthrough
        Print everything that happens, in words, instead of the lines.
    write
        Write what happened in place of every `?` in an `expect` line: `expect Ann has ?`.
    """
    if not files:
        raise BadRequest("name at least one scenario: croupier rehearse FILE…")
    code = 0
    for file in files:
        try:
            rehearsal = croupier.rehearse(file, write=write)
        except CroupierError as error:
            code = 2
            if json:
                print_json({"file": plain(file, 200), "error": error_dict(error)})
            sys.stdout.flush()
            print_error(error.message)
            continue
        if json:
            print_json(rehearsal.to_dict(playthrough=playthrough))
        elif playthrough:
            sys.stdout.write(rehearsal.playthrough())
        else:
            for line in rehearsal.lines:
                _print_line(line)
            console().print(_summary(rehearsal))
        if not rehearsal:
            code = max(code, 1)
    return code


def _print_line(line: LineResult) -> None:
    from rich.text import Text

    style = _STYLES[line.verdict]
    console().print(
        Text.assemble(
            (f"{line.line:>5}  ", "dim"),
            (f"{line.verdict:<8}", style),
            (line.text, "bold" if line.text.lower().startswith("round") else ""),
        ),
        soft_wrap=True,
    )
    if line.verdict == "failed":
        console().print(Text(f"{'':15}{line.message}", style=style), soft_wrap=True)


def _summary(rehearsal: Rehearsal) -> Text:
    from rich.text import Text

    played, lines = rehearsal.played, rehearsal.lines
    failed = [str(line.line) for line in lines if line.verdict == "failed"]
    skipped = sum(line.verdict == "not run" for line in lines)
    rounds = f"{played.rounds} round{'' if played.rounds == 1 else 's'}"
    text = Text(f"\n{rehearsal.source}: {len(lines)} lines, {rounds}: ")
    if rehearsal.holds:
        text.append("all as written; money conserved, layout empty", style="bold green")
    elif failed:
        words = f"line{'' if len(failed) == 1 else 's'} {', '.join(failed)} failed"
        text.append(words + (f", {skipped} not run" if skipped else ""), style="bold red")
    for problem in played.wrong:
        text.append(f"\n  wrong at the end: {problem}", style="bold red")
    text.append(f"\n{played.ends}", style="dim")
    return text
