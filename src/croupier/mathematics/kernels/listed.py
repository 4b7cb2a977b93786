"""The kernels of the bundled games, with the argument types that their solvers use.

`kernels.txt` is written by docs/make_kernels.py, which solves the games and lists what was
compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from importlib import import_module
from importlib.resources import files
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

from croupier.mathematics.kernels.decorators import Kernel, StandaloneKernel
from croupier.mathematics.kernels.signatures import examples, signature_of_types

LIST: Final = "kernels.txt"


class ListedKernel(NamedTuple):
    name: str  # module:function
    signature: str

    @property
    def function(self) -> Any:
        module, _, name = self.name.partition(":")
        return getattr(import_module(module), name)


def listed_kernels() -> list[ListedKernel]:
    lines = files(__package__).joinpath(LIST).read_text("utf-8").splitlines()
    return [ListedKernel(*line.split(" ", 1)) for line in lines]


def standalone(kernels: Iterable[ListedKernel]) -> list[ListedKernel]:
    """Return the kernels that run without numba."""
    return [kernel for kernel in kernels if isinstance(kernel.function, StandaloneKernel)]


def compile_kernels(kernels: Iterable[ListedKernel], processes: int) -> Iterator[bool]:
    """Compile the missing kernels; yield for each kernel, as it finishes, whether it was missing.

    Two processes cannot share numba's cache, so all kernels that it stores go to one process.
    """
    listed = list(kernels)
    alone = standalone(listed)
    kept = [kernel for kernel in listed if kernel not in alone]
    alone.sort(key=lambda kernel: -len(kernel.signature))  # the largest take longest
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting: list[Future[list[bool]]] = []
        if kept:
            waiting.append(pool.submit(_compile, kept))
        waiting += [pool.submit(_compile, [kernel]) for kernel in alone]
        for done in as_completed(waiting):
            yield from done.result()


def _compile(kernels: list[ListedKernel]) -> list[bool]:
    return [_compile_one(kernel) for kernel in kernels]


def _compile_one(kernel: ListedKernel) -> bool:
    function = kernel.function
    if isinstance(function, StandaloneKernel):
        is_new = not function.is_compiled(kernel.signature)
        function.compile(kernel.signature)
        return is_new
    from numba import typeof

    dispatcher = function.dispatcher if isinstance(function, Kernel) else function
    dispatcher.compile(tuple(map(typeof, examples(kernel.signature))))
    return bool(dispatcher.stats.cache_misses)


def compiled_so_far() -> list[ListedKernel]:
    """Return the kernels that this process has called, by name, and of each the types of its first
    call first."""
    kernels: dict[ListedKernel, None] = {}
    for module in [m for name, m in sys.modules.items() if name.startswith("croupier.")]:
        for value in vars(module).values():
            home = getattr(value, "__module__", None)
            if home == module.__name__:
                name = f"{home}:{getattr(value, '__name__', '')}"
                kernels |= dict.fromkeys(ListedKernel(name, types) for types in _signatures(value))
    return sorted(kernels, key=lambda kernel: kernel.name)


def _signatures(value: Any) -> list[str]:
    if isinstance(value, StandaloneKernel):
        return value.signatures
    if isinstance(value, Kernel):
        value = value.dispatcher if value.is_loaded else None
    if not hasattr(value, "py_func"):
        return []
    from numba import types

    return [
        signature_of_types(signature)
        for signature in value.signatures
        if not any(
            isinstance(argument, types.Literal) for argument in signature
        )  # of another kernel's call
    ]
