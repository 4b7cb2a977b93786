"""What people are told on standard error. Losing it must not cost a program its answers."""

from __future__ import annotations

import os
import sys

__all__ = ["print_error"]


def print_error(words: str) -> None:
    """Tell people; where nobody reads any more or the disk is full, the work goes on untold."""
    try:
        sys.stderr.write(f"croupier: {words}\n")
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
