"""Writing to the terminal: JSON for programs, tables for people, progress and errors on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Timer
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from croupier.errors import CroupierError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from croupier.library.record import Record

_T = TypeVar("_T")


# -- standard output ------------------------------------------------------------------------------


@cache
def console() -> Console:
    """Return standard output, 110 columns wide if it is not a terminal. Text is printed literally:
    text that people wrote must not be read as styles or emoji."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> NoReturn:
            """rich would end the program with 1, which is an answer; `main` ends it quietly."""
            raise BrokenPipeError

    output = Output(highlight=False, markup=False, emoji=False)
    if output.is_terminal:
        return output
    return Output(highlight=False, markup=False, emoji=False, width=110)


def styled(pattern: str, /, **values: object) -> Text:
    """Return styled text: `styled("[bold]{title}[/]", title=…)`. Styles are in the pattern, never
    in a value."""
    from rich.markup import escape
    from rich.text import Text

    return Text.from_markup(
        pattern.format(**{name: escape(str(value)) for name, value in values.items()})
    )


def table(*columns: str, framed: bool = False, **options: Any) -> Table:
    """Return a table for people: in a frame, or with its columns two blanks apart."""
    from rich.table import Table

    plain = {} if framed else {"box": None, "padding": (0, 2, 0, 0)}
    return Table(*columns, **{**plain, **options})


def print_json(value: object) -> None:
    """Print one compact line. It is written as bytes, so that its speed does not depend on the
    terminal's encoding."""
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def print_record(record: Record) -> None:
    """Print the JSON of the contract."""
    print_json(record.to_dict())


def print_refusal_object(error: CroupierError) -> None:
    """Print the contract's error object."""
    print_json({"error": error_dict(error)})


def error_dict(error: CroupierError) -> dict[str, str | None]:
    return {"code": error.code, "message": error.message, "clause": error.clause}


# -- standard error -------------------------------------------------------------------------------


def print_error(words: str) -> None:
    """Print a line for people. If stderr is closed or its disk is full, the work goes on."""
    try:
        sys.stderr.write(f"croupier: {words}\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def print_refusal(error: CroupierError, *, as_json: bool) -> None:
    """Print what is wrong: for people on stderr and, with `--json`, for programs on stdout."""
    if as_json:
        print_refusal_object(error)
    print_error(f"{error.message}{f' [{error.clause}]' if error.clause else ''}")


class Progress:
    """A progress bar on a terminal, nothing elsewhere: `progress.step("trips", work)`."""

    def __init__(self, steps: int) -> None:
        self._bars = _bars() if sys.stderr.isatty() else None
        self._task = self._bars.add_task("", total=steps) if self._bars else None

    def __enter__(self) -> Progress:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars:
            self._bars.stop()

    def step(self, label: str, work: Callable[[], _T]) -> _T:
        """Do one piece of work under its label."""
        if self._bars is None or self._task is None:
            return work()
        self._bars.update(self._task, description=label)
        result = work()
        self._bars.advance(self._task)
        return result

    def show(self, label: str, done: int, total: int) -> None:
        """Show the current work, and how many pieces are done."""
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, description=label, completed=done, total=total)


def _bars() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    return Bars(
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


@contextmanager
def working(words: str) -> Iterator[Callable[[str], None]]:
    """Show the current work if it takes longer than a second and stderr is a terminal. The
    context's value is a function that changes the words."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    status = Console(stderr=True).status(f"{words} …")
    timer = Timer(1.0, status.start)
    timer.start()
    try:
        yield lambda now: status.update(f"{now} …")
    finally:
        timer.cancel()
        timer.join()
        status.stop()
