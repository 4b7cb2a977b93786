"""The checker of submissions and rulebooks, in a separate process.

An uploaded file may need a great deal of work. Whatever it holds, the tables go on, the answer
comes within a time limit, and a process that takes longer is killed.
"""

from __future__ import annotations

import contextlib
import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final

from croupier.errors import Refusal
from croupier.rulebooks.decoding import read_json
from croupier.submissions.findings import Finding, error
from croupier.submissions.uploads import CheckedUpload, Upload, check_upload
from croupier.tables.commands import OpenTable

MOST_SECONDS: Final = 60.0
"""Time limit of a check. The first check of a game may have to count all its hands; later ones take
milliseconds."""
START_SECONDS: Final = 60.0
MOST_MEMORY: Final = 4 * 1024**3


class Checker:
    """Checks one upload at a time in the other process. Blocking: call it in a thread."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._wire: Connection | None = None

    def check(self, upload: Upload) -> CheckedUpload:
        with self._lock:
            wire = self._started()
            try:
                wire.send(upload)
                if wire.poll(self._seconds):
                    checked: CheckedUpload = wire.recv()
                    return checked
                problem = f"checking it takes longer than {self._seconds:g} seconds"
            except (EOFError, OSError):
                problem = "checking it takes more memory or deeper nesting than there is"
            self._end()
            return CheckedUpload(valid=False, findings=(error(f"{problem}: make it simpler"),))

    def close(self) -> None:
        with self._lock:
            self._end()

    def _started(self) -> Connection:
        if self._wire is None or self._process is None or not self._process.is_alive():
            self._end()
            context = get_context("spawn")
            self._wire, theirs = context.Pipe()
            self._process = context.Process(target=_work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._wire.poll(START_SECONDS) or self._wire.recv() != "ready":
                self._end()
                raise Refusal("submissions cannot be checked just now: try again", code="not_now")
        return self._wire

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._wire is not None:
            self._wire.close()
        self._process = self._wire = None


def refuse_invalid(command: OpenTable, checker: Checker) -> None:
    """Refuse to open a table if its Rules Submission or its own rulebook has an error.

    A submission that does not name its rulebook does not count as one: the rulebook applies with
    its first choices.
    """
    stated = read_json(command.submission, dict)
    is_stated = bool(stated.get("rulebook"))
    if not is_stated and not command.rulebook_text:
        return
    checked = checker.check(
        Upload(submission=stated if is_stated else None, rulebook_text=command.rulebook_text)
    )
    errors = [finding for finding in checked.findings if finding.severity == "error"]
    if errors:
        raise _refusal(errors)
    if checked.rulebook != command.rulebook:
        raise Refusal(
            f"the submission is for {checked.rulebook}, "
            f"and the table would play {command.rulebook}",
            code="submission_invalid",
        )


def _refusal(errors: list[Finding]) -> Refusal:
    count = f"{len(errors)} error{'' if len(errors) == 1 else 's'}"
    return Refusal(
        f"the submission breaks the rules ({count}), so the table does not open: "
        f"{errors[0].message}",
        code="submission_invalid",
        clause=errors[0].clause,
    )


# -- in the separate process ----------------------------------------------------------------------


def _work(wire: Connection) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    with contextlib.suppress(EOFError, OSError, BrokenPipeError):
        wire.send("ready")
        while True:
            wire.send(_answer(wire.recv()))


def _answer(upload: Upload) -> CheckedUpload:
    try:
        return check_upload(upload)
    except RecursionError:
        problem = "it is nested deeper than anything that is asked for"
    except MemoryError:
        problem = "checking it takes more memory than there is: make it simpler"
    except Exception as fault:  # a bug of ours must not pass for a valid file
        problem = f"the check itself failed ({type(fault).__name__}): please report this file"
    return CheckedUpload(valid=False, findings=(error(problem),))


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
