"""Compiled functions: kernels, and the parts that are compiled into them.

Importing numba and preparing it for its first kernel takes longer than solving a game. Therefore
kernels that short commands run are compiled to a C function that LLVM's loader alone can load. Its
only argument is the address of a row of numbers: the kernel's numbers, and the addresses and shapes
of its arrays.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import llvmlite.binding as llvm
import numpy as np

from croupier.mathematics.kernels.code_store import ENTRY, place_of, read_code, write_code
from croupier.mathematics.kernels.first_use import note_missing
from croupier.mathematics.kernels.signatures import signature_of

Result = TypeVar("Result")
_waiting: Final[list[Callable[..., Any]]] = []


def part(function: Callable[..., Result]) -> Callable[..., Result]:
    """Declare a function that is compiled into the kernels that call it, and plain Python
    elsewhere.

    Arithmetic on a number from an array needs `whole`: plain Python keeps the number's width.
    """
    _waiting.append(function)
    return function


def register_parts() -> None:
    """Register all parts declared so far with numba, which is loaded for that."""
    from numba.extending import register_jitable

    while _waiting:
        register_jitable(_waiting.pop())


whole: Final[Callable[[Any], int]] = cast(Callable[[Any], int], np.int64)
"""Convert to a signed 64-bit integer: numba turns mixed signs into floats, even with `int(x)`."""


def kernel(function: Callable[..., Result]) -> Callable[..., Result]:
    """Declare a function that numba compiles on first use, caches, and runs without the GIL.

    Arguments are not checked against the annotations, here or by mypy: kernels pass each other
    numbers of every width.
    """
    return cast(Callable[..., Result], Kernel(cast(FunctionType, function)))


def standalone_kernel(function: Callable[..., None]) -> Callable[..., None]:
    """Declare a kernel that runs without numba, which takes half a second to load, for short
    commands. It neither creates arrays nor raises errors, and returns nothing."""
    return StandaloneKernel(cast(FunctionType, function))


_lock: Final = Lock()


class Kernel:
    """A function that numba compiles; numba itself is loaded at the first call."""

    def __init__(self, function: FunctionType) -> None:
        update_wrapper(self, function)
        self.py_func: Final = function
        self._dispatcher: Any = None
        self._has_run = False
        self._first: Final = Lock()

    def __call__(self, *arguments: object) -> Any:
        if not self._has_run:
            with self._first:  # other threads wait until the code on disk has proved fit
                if not self._has_run:
                    result = self._first_call(arguments)
                    self._has_run = True
                    return result
        return self._dispatcher(*arguments)

    @property
    def is_loaded(self) -> bool:
        return self._dispatcher is not None

    @property
    def dispatcher(self) -> Any:
        """Numba's own object."""
        with _lock:
            if self._dispatcher is None:
                from numba import njit

                register_parts()
                options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
                self._dispatcher = njit(**options)(self.py_func)
        return self._dispatcher

    def _first_call(self, arguments: tuple[object, ...]) -> Any:
        dispatcher = self.dispatcher
        indexes = [*Path(dispatcher.stats.cache_path).glob(f"*.{self.py_func.__name__}-*.nbi")]
        if not indexes:
            note_missing("numba")
        try:
            return dispatcher(*arguments)
        except (ImportError, AttributeError):
            # Numba's index refers to a record by a name that an earlier version used.
            for index in indexes:
                index.unlink()
            return dispatcher(*arguments)


# -- kernels without numba ------------------------------------------------------------------------

_loading: Final = Lock()
_engines: Final[list[Any]] = []  # as long as they live, so does their code

_Call = Callable[[int], None]


class StandaloneKernel:
    """A kernel without numba: takes integers, truth values, C-contiguous arrays, None, and tuples
    of these."""

    def __init__(self, function: FunctionType) -> None:
        update_wrapper(self, function)
        self.py_func: Final = function
        self.signatures: Final[list[str]] = []
        self._loaded: dict[tuple[object, ...], _Call] = {}

    def __call__(self, *arguments: object) -> None:
        words: list[int] = []
        types: list[object] = []
        for argument in arguments:
            _lay_out(argument, words, types)
        key = tuple(types)
        call = self._loaded.get(key)
        if call is None:
            call = self._loaded[key] = self._load(signature_of(arguments))
        row = array("q", words)
        call(row.buffer_info()[0])

    def is_compiled(self, signature: str) -> bool:
        return place_of(self.py_func, signature).exists()

    def compile(self, signature: str) -> bytes:
        """Return the machine code for arguments of these types, from disk if it is there."""
        place = place_of(self.py_func, signature)
        code = read_code(place)
        if code is None:
            from croupier.mathematics.kernels.standalone_compiler import machine_code

            register_parts()
            code = machine_code(self.py_func, signature)
            write_code(place, code)
        return code

    def _load(self, signature: str) -> _Call:
        with _loading:
            if not self.is_compiled(signature):
                note_missing("standalone")
            code = llvm.ObjectFileRef.from_data(self.compile(signature))
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
            engine.add_object_file(code)
            engine.finalize_object()
            _engines.append(engine)
            self.signatures.append(signature)
            return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address(ENTRY))


def _target_machine() -> Any:
    """Return a target machine for one engine, which then owns it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)


def _lay_out(value: Any, words: list[int], types: list[object]) -> None:
    """Append the words that the kernel reads, and the key of their types."""
    record = type(value)
    if record is np.ndarray:
        if not value.flags.c_contiguous:
            raise TypeError("a standalone kernel takes C-contiguous arrays only")
        words.append(value.__array_interface__["data"][0])
        words.extend(value.shape)
        types.append((value.dtype.num, value.ndim))
    elif value is None:
        types.append(None)
    elif isinstance(value, tuple):
        types.append((record, len(value)))
        for field in value:
            _lay_out(field, words, types)
    elif isinstance(value, int | np.integer | np.bool_):
        words.append(int(value))
        types.append(record)
    else:
        raise TypeError(f"a standalone kernel cannot take a {record.__name__}")
