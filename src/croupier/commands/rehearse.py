"""`croupier rehearse`: whole sessions from a text, each line carried out and each expectation held.

Ends with 0 when everything is as expected, 1 when it is not, 2 when a file cannot be followed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.text import Text

from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_error
from croupier.errors import BadRequest, CroupierError, plain
from croupier.scenarios import LineResult, Rehearsal, read_file, rehearse, with_answers

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
            _write(file, with_answers(rehearsal, scenario.text))
        _print(rehearsal, tell=tell, as_json=as_json)
        if not rehearsal.holds:
            code = max(code, 1)
    return code


def _refuse(error: CroupierError, file: Path, *, as_json: bool) -> None:
    if as_json:
        told = {"code": error.code, "message": error.message, "clause": error.clause}
        print_json({"file": plain(file, 200), "error": told})
    sys.stdout.flush()
    print_error(error.message)


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
        for result in rehearsal.results:
            _print_line(result)
        console().print(_summary(rehearsal))


def _print_line(result: LineResult) -> None:
    style = _STYLES[result.verdict]
    console().print(
        Text.assemble(
            (f"{result.line:>5}  ", "dim"),
            (f"{result.verdict:<8}", style),
            (result.text, "bold" if result.text.lower().startswith("round") else ""),
        ),
        soft_wrap=True,
    )
    if result.verdict == "failed":
        console().print(Text(f"{'':15}{result.message}", style=style), soft_wrap=True)


def _summary(rehearsal: Rehearsal) -> Text:
    total = len(rehearsal.results)
    failed = [result for result in rehearsal.results if result.verdict == "failed"]
    skipped = sum(result.verdict == "not run" for result in rehearsal.results)
    rounds = f"{rehearsal.rounds} round{'' if rehearsal.rounds == 1 else 's'}"
    text = Text(f"\n{rehearsal.source}: {total} lines, {rounds}: ")
    if rehearsal.holds:
        text.append("all as written; money conserved, layout empty", style="bold green")
    elif failed:
        places = ", ".join(str(result.line) for result in failed)
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
        "lines": [_line_object(result) for result in rehearsal.results],
    }
    if tell:
        found["playthrough"] = rehearsal.playthrough()
    return found


def _line_object(result: LineResult) -> dict[str, object]:
    found: dict[str, object] = {
        "line": result.line,
        "text": result.text,
        "verdict": result.verdict,
        "told": result.told,
    }
    if result.verdict == "failed":
        found |= {"message": result.message, "code": result.code, "clause": result.clause}
    return found
