"""`python -m croupier`, and the program that an installation puts on the path."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the program; Ctrl-C while it is read in ends like Ctrl-C later, without a traceback."""
    try:
        from croupier.commands.app import main as program
    except KeyboardInterrupt:
        sys.exit(130)
    program()


if __name__ == "__main__":
    main()
