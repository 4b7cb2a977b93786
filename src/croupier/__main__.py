"""`python -m croupier`, and the program that an installation puts on the path."""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]


def main() -> None:
    """Run the program; Ctrl-C during start-up also ends it without a traceback."""
    # Reading in makes many objects that stay: to look for garbage among them after every 700 takes
    # an eighth of a short command.
    gc.set_threshold(50_000, 20, 20)
    try:
        from croupier.commands.app import main as program
    except KeyboardInterrupt:
        sys.exit(130)
    program()


if __name__ == "__main__":
    main()
