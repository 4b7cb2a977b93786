"""`croupier rehearse`: whole sessions from a text, each line carried out and each expectation held.

Ends with 0 when everything is as expected, 1 when it is not, 2 when a file cannot be followed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.text import Text

from croupier.commands.complaints import complain
from croupier.commands.output import console, print_json
from croupier.errors import BadRequest, CroupierError, plain
from croupier.scenarios import Outcome, Rehearsal, filled_in, read_file, rehearse

__all__ = ["run"]

_STYLES = {"ok": "green", "failed": "bold red", "not run": "yellow"}


def run(files: list[Path], *, tell: bool, write: bool, as_json: bool) -> int:
    if not files:
        raise BadRequest("name at least one scenario: croupier rehearse FILE…")
    code = 0
    for file in files:
        try:
            scenario = read_file(file)
            rehearsal = rehearse(scenario)
        except CroupierError as error:
            code = 2
            _refuse(error, file, as_json=as_json)
            continue
        if write:
            _write(file, filled_in(rehearsal, scenario.text))
        _print(rehearsal, tell=tell, as_json=as_json)
        if not rehearsal.holds:
            code = max(code, 1)
    return code


def _refuse(error: CroupierError, file: Path, *, as_json: bool) -> None:
    if as_json:
        told = {"code": error.code, "message": error.message, "clause": error.clause}
        print_json({"file": plain(file, 200), "error": told})
    sys.stdout.flush()
    complain(error.message)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise BadRequest(f"{plain(file, 200)} cannot be written: {error.strerror}") from None


def _print(rehearsal: Rehearsal, *, tell: bool, as_json: bool) -> None:
    if as_json:
        print_json(_object(rehearsal, tell=tell))
    elif tell:
        sys.stdout.write(rehearsal.playthrough())
    else:
        for outcome in rehearsal.outcomes:
            _print_line(outcome)
        console().print(_summary(rehearsal))


def _print_line(outcome: Outcome) -> None:
    style = _STYLES[outcome.verdict]
    console().print(
        Text.assemble(
            (f"{outcome.line:>5}  ", "dim"),
            (f"{outcome.verdict:<8}", style),
            (outcome.text, "bold" if outcome.text.lower().startswith("round") else ""),
        ),
        soft_wrap=True,
    )
    if outcome.verdict == "failed":
        console().print(Text(f"{'':15}{outcome.message}", style=style), soft_wrap=True)


def _summary(rehearsal: Rehearsal) -> Text:
    total = len(rehearsal.outcomes)
    failed = [outcome for outcome in rehearsal.outcomes if outcome.verdict == "failed"]
    skipped = sum(outcome.verdict == "not run" for outcome in rehearsal.outcomes)
    rounds = f"{rehearsal.rounds} round{'' if rehearsal.rounds == 1 else 's'}"
    text = Text(f"\n{rehearsal.source}: {total} lines, {rounds}: ")
    if rehearsal.holds:
        text.append("all as written; money conserved, layout empty", style="bold green")
    elif failed:
        places = ", ".join(str(outcome.line) for outcome in failed)
        said = f"line{'' if len(failed) == 1 else 's'} {places} failed"
        text.append(said + (f", {skipped} not run" if skipped else ""), style="bold red")
    for what in rehearsal.wrong:
        text.append(f"\n  wrong at the end: {what}", style="bold red")
    text.append(f"\n{rehearsal.ends}", style="dim")
    return text


def _object(rehearsal: Rehearsal, *, tell: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "file": rehearsal.source,
        "holds": rehearsal.holds,
        "rounds": rehearsal.rounds,
        "wrong": list(rehearsal.wrong),
        "lines": [_line_object(outcome) for outcome in rehearsal.outcomes],
    }
    if tell:
        found["playthrough"] = rehearsal.playthrough()
    return found


def _line_object(outcome: Outcome) -> dict[str, object]:
    found: dict[str, object] = {
        "line": outcome.line,
        "text": outcome.text,
        "verdict": outcome.verdict,
        "told": outcome.told,
    }
    if outcome.verdict == "failed":
        found |= {"message": outcome.message, "code": outcome.code, "clause": outcome.clause}
    return found
