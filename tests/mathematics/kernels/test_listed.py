"""The list of kernels that `croupier warm` compiles fits the code."""

from __future__ import annotations

from importlib import import_module

from croupier.mathematics.kernels.decorators import Kernel
from croupier.mathematics.kernels.listed import listed_kernels
from croupier.mathematics.kernels.signatures import examples


def test_every_listed_kernel_exists_once_and_takes_as_many_arguments() -> None:
    listed = listed_kernels()
    assert len(set(listed)) == len(listed), "run `make kernels`"
    for kernel in listed:
        module, _, name = kernel.name.partition(":")
        function = getattr(import_module(module), name, None)
        assert function is not None, f"no {kernel.name}: run `make kernels`"
        python = function.dispatcher.py_func if isinstance(function, Kernel) else function.py_func
        arguments = python.__code__.co_argcount
        assert len(examples(kernel.signature)) == arguments, f"{kernel.name}: run `make kernels`"
