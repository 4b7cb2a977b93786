"""Writes the list of kernels that `croupier warm` compiles, of those that the bundled games use.

Run `python docs/make_kernels.py` from the project's folder after a change of solvers or kernels. It
works out every bundled game from an empty cache, which takes some minutes. A kernel that has to be
compiled on the way brings those it calls into the list: a second run leaves them out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from croupier.commands.app import run
from croupier.mathematics import kernels
from croupier.mathematics.kernels.listed import LIST, compiled_so_far
from croupier.rulebooks.bundled import BUNDLED

assert kernels.__file__ is not None
PAGE = Path(kernels.__file__).with_name(LIST)


COMMANDS = """
advise md-uth --cards Ah7d
advise md-uth --cards Ah7d --community 2c3c9d
advise md-uth --cards Ah7d --community 2c3c9dTsKs
advise three-card-poker --cards Qh6d4c
advise md-235 --cards Ah7d
analyze md-uth --wager main --knows dealer=1
analyze md-uth --wager main --knows flop=1
strategy price md-uth uth-published
strategy chart md-uth
design md-uth --wager main --table A --vary flush=1..2 --vary straight=1..2 --edge 1..4
session md-uth --stake ante=10 --stake blind=10 --stake trips=5
simulate md-uth --rounds 20 --seats 2 --strategy optimal
"""


def commands() -> Iterator[str]:
    """What people do with the bundled games."""
    for book in BUNDLED:
        yield f"analyze {book} --all"
    yield from COMMANDS.strip().splitlines()


def main() -> None:
    with TemporaryDirectory() as folder:
        os.environ["CROUPIER_CACHE_DIR"] = folder
        for command in commands():
            began = perf_counter()
            with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                run([*command.split(), "--json"])
            sys.stderr.write(f"{perf_counter() - began:6.1f} s  {command}\n")
    lines = [f"{name} {signature}\n" for name, signature in compiled_so_far()]
    PAGE.write_text("".join(lines), encoding="utf-8")
    sys.stderr.write(f"{len(lines)} kernels in {PAGE.name}\n")


if __name__ == "__main__":
    main()
