"""Writing to the terminal: JSON for programs, rich for people."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from croupier.errors import CroupierError

__all__ = ["console", "print_json", "print_refusal_object", "styled"]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """rich would end the program with 1, which is an answer; `main` ends it quietly."""
        raise BrokenPipeError


@cache
def console() -> Console:
    """Standard output; wide enough for its tables when it is not a terminal. Brackets are brackets:
    what people write into files must not be read as styles."""
    found = _Console(highlight=False, markup=False)
    return found if found.is_terminal else _Console(highlight=False, markup=False, width=110)


def styled(pattern: str, /, **values: object) -> Text:
    """`styled("[bold]{title}[/]", title=…)`: styles stand in the pattern, never in a value."""
    told = {name: escape(str(value)) for name, value in values.items()}
    return Text.from_markup(pattern.format(**told))


def print_json(value: object) -> None:
    """One compact line; standard output is bytes, so speed does not depend on its encoding."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def print_refusal_object(error: CroupierError, write: Callable[[object], None]) -> None:
    write({"error": {"code": error.code, "message": error.message, "clause": error.clause}})
