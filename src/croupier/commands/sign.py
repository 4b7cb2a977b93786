"""`croupier sign`: what a table must show, to read, to print and to send to a printer."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from rich.console import Console, RenderableType

from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_error
from croupier.errors import BadData, BadRequest, plain
from croupier.reports.felt import felt_svg
from croupier.reports.sheets import Paper, Part, sheet
from croupier.reports.sign_text import heading, layout_told, missing_told, sign_told
from croupier.reports.signs import Sign, sign_of
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission, read_submission
from croupier.submissions.check import check_submission

__all__ = ["Form", "run"]

Form: TypeAlias = Literal["text", "json", "svg", "pdf"]


def run(
    rulebook: str,
    path: Path | None,
    *,
    form: Form,
    part: Part | None,
    paper: Paper,
    to: Path | None,
) -> int:
    file = open_rulebook(rulebook)
    submission = Submission() if path is None else _read(rulebook, path)
    if path is not None and _broken(submission, as_json=form == "json"):
        return 1
    rules = put_in_force(file, submission)
    sign = sign_of(rules, operator=submission.operator, table=submission.table)
    if form == "text" and to is None:
        for told in _told(sign, part):
            console().print(told, soft_wrap=True)
        return 0
    _write(_made(sign, form, part, paper), form, to)
    if form in {"svg", "pdf"}:
        for notice in sign.missing:
            print_error(f"{notice.words} [{notice.asked_by}]")
    return 0


def _read(rulebook: str, path: Path) -> Submission:
    """The submission, if it is one for this rulebook."""
    submission = read_submission(path)
    if not submission.rulebook:
        submission = msgspec.structs.replace(submission, rulebook=rulebook)
    elif submission.rulebook != rulebook:
        theirs, ours = open_rulebook(submission.rulebook), open_rulebook(rulebook)
        if theirs.default != ours.default:
            raise BadRequest(
                f"{plain(path, 200)} is a submission for {plain(submission.rulebook)}, not for "
                f"{plain(rulebook)}"
            )
    return submission


def _broken(submission: Submission, *, as_json: bool) -> bool:
    """No sign is made for a table that may not open; what is wrong is said as `check` says it."""
    findings = check_submission(submission)
    errors = [one for one in findings if one.severity == "error"]
    for error in errors:
        clause = f" [{error.clause}]" if error.clause else ""
        print_error(f"{error.message}{clause}")
    if errors and as_json:
        print_json({"valid": False, "findings": msgspec.to_builtins(findings)})
    return bool(errors)


def _told(sign: Sign, part: Part | None) -> Iterator[RenderableType]:
    yield heading(sign)
    if part != "layout":
        yield from sign_told(sign)
    if part is None:
        yield ""
    if part != "sign":
        yield from layout_told(sign)
    yield from missing_told(sign)


def _made(sign: Sign, form: Form, part: Part | None, paper: Paper) -> bytes:
    match form:
        case "json":
            return msgspec.json.encode(_object(sign, part)) + b"\n"
        case "svg":
            if part == "sign":
                return sheet(sign, "sign", paper, "svg")
            return felt_svg(sign).encode()
        case "pdf":
            return sheet(sign, part or "sign", paper)
        case "text":
            written = Console(width=100, record=True, file=io.StringIO(), highlight=False)
            for told in _told(sign, part):
                written.print(told, soft_wrap=True)
            return written.export_text().encode()


_LAYOUT = ("positions", "positions_clause", "layout_clause", "spots", "areas", "inscriptions")
_SIGN = ("notices", "paytables", "sign_clause", "odds_worded_by")


def _object(sign: Sign, part: Part | None) -> dict[str, object]:
    whole: dict[str, object] = msgspec.to_builtins(sign)
    left_out = {"sign": _LAYOUT, "layout": _SIGN, None: ()}[part]
    return {name: value for name, value in whole.items() if name not in left_out}


def _write(made: bytes, form: Form, to: Path | None) -> None:
    if to is None:
        if form == "pdf" and sys.stdout.isatty():
            raise BadRequest("a PDF is no text for a terminal: name a file with --to FILE")
        sys.stdout.buffer.write(made)
        return
    try:
        to.write_bytes(made)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadData(f"{plain(to, 200)} cannot be written: {reason}") from None
