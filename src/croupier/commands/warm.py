"""`croupier warm`: the kernels are compiled before anybody waits for them."""

from __future__ import annotations

import sys
from functools import partial

from croupier.commands.output import print_json
from croupier.commands.progress import Progress
from croupier.commands.stderr import print_error
from croupier.mathematics.kernels.first_use import Sort
from croupier.mathematics.kernels.listed import compile_kernels, listed_kernels, standalone
from croupier.mathematics.kernels.threads import cores

__all__ = ["on_first_use", "run"]

_said: list[str] = []


def run(*, as_json: bool) -> int:
    kernels = listed_kernels()
    done = compile_kernels(kernels, cores())
    with Progress(len(kernels)) as progress:
        compiled = sum(progress.step("compiling", partial(next, done)) for _ in kernels)
    if as_json:
        print_json({"kernels": len(kernels), "compiled": compiled})
    else:
        sys.stdout.write(f"{len(kernels)} kernels are ready, {compiled} of them compiled now.\n")
    return 0


def on_first_use(sort: Sort) -> None:
    """A command has come to a kernel that is not compiled: seconds without a word would worry
    anybody. Those that run without numba are compiled together by several processes, for the types
    that most games need."""
    if not _said and sys.stderr.isatty():
        print_error("first use: compiling, half a minute; `croupier warm` compiles everything")
    _said.append(sort)
    if sort == "standalone" and _said.count(sort) == 1:
        first = {kernel.name: kernel for kernel in reversed(standalone(listed_kernels()))}
        for _ in compile_kernels(first.values(), cores()):
            pass
