"""What people are told on standard error. Losing it must not cost a program its answers."""

from __future__ import annotations

import os
import sys

from croupier.errors import CroupierError

__all__ = ["print_error", "print_refusal"]


def print_error(words: str) -> None:
    """Tell people; where nobody reads any more or the disk is full, the work goes on untold."""
    try:
        sys.stderr.write(f"croupier: {words}\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def print_refusal(error: CroupierError, *, as_json: bool) -> None:
    """Say what is wrong: to people on stderr and, with `--json`, to programs on stdout."""
    if as_json:
        from croupier.commands.output import print_json, print_refusal_object

        print_refusal_object(error, print_json)
    print_error(f"{error.message}{f' [{error.clause}]' if error.clause else ''}")
