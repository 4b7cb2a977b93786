"""The types of a kernel's arguments as text: `int64 int32[2C] (module:Record int64 none)`.

Numbers, arrays (with dimensions and layout: C, F or A; `r` if read-only), None, and tuples of
these, named or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import reduce
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_ARRAY: Final = re.compile(r"(\w+)\[(\d)([CFA])(r?)\]")


class ArrayType(NamedTuple):
    dtype: str
    dimensions: int
    layout: str
    read_only: bool


class Record(NamedTuple):
    """A tuple; `constructor` is None for a plain one."""

    constructor: Callable[..., object] | None
    fields: tuple[Type, ...]


Type: TypeAlias = str | ArrayType | Record
"""A string is the type of a number, or `none`."""


def signature_of(arguments: Iterable[object]) -> str:
    return " ".join(map(_code, arguments))


def _code(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool() | np.bool_():
            return "bool"
        case int():
            return "int64"
        case float():
            return "float64"
        case np.generic():
            return value.dtype.name
        case np.ndarray():
            flags = value.flags
            layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
            return f"{value.dtype.name}[{value.ndim}{layout}{'' if flags.writeable else 'r'}]"
        case tuple():
            record = type(value)
            name = "-" if record is tuple else f"{record.__module__}:{record.__qualname__}"
            return f"({name} {signature_of(value)})"
    raise TypeError(f"a kernel takes numbers, arrays, None and tuples, not {type(value).__name__}")


def signature_of_types(types: Iterable[object]) -> str:
    """Return the signature of numba's own types."""
    return " ".join(map(_code_of_type, types))


def _code_of_type(type_: Any) -> str:
    from numba import types

    match type_:
        case types.Array():
            read_only = "" if type_.mutable else "r"
            return f"{type_.dtype.name}[{type_.ndim}{type_.layout}{read_only}]"
        case types.BaseTuple():
            record = getattr(type_, "instance_class", None)
            name = "-" if record is None else f"{record.__module__}:{record.__qualname__}"
            fields: Any = type_
            return f"({name} {signature_of_types(fields)})"
        case types.Integer() | types.Float() | types.Boolean() | types.NoneType():
            return str(type_.name)
    raise TypeError(f"a kernel cannot take {type_}")


def parse(signature: str) -> list[Type]:
    """Return the types of a signature; the classes of its records are imported."""
    stack: list[list[Type]] = [[]]
    constructors: list[Callable[..., object] | None] = []
    tokens = iter(_TOKEN.findall(signature))
    for token in tokens:
        if token == "(":
            stack.append([])
            constructors.append(_class(next(tokens)))
        elif token == ")":
            fields = tuple(stack.pop())
            stack[-1].append(Record(constructors.pop(), fields))
        else:
            stack[-1].append(_plain(token))
    return stack[0]


def _class(name: str) -> Callable[..., object] | None:
    if name == "-":
        return None
    module, _, path = name.partition(":")
    record: Callable[..., object] = reduce(
        getattr, path.split("."), cast(Any, import_module(module))
    )
    return record


def _plain(token: str) -> Type:
    if match := _ARRAY.fullmatch(token):
        dtype, dimensions, layout, read_only = match.groups()
        return ArrayType(dtype, int(dimensions), layout, bool(read_only))
    return token


def examples(signature: str) -> tuple[object, ...]:
    """Return arguments of these types for inspection only: numbers are 0, arrays nearly empty."""
    return tuple(map(_example, parse(signature)))


def _example(type_: Type) -> object:
    match type_:
        case "none":
            return None
        case "bool":
            return False
        case "int64":
            return 0
        case str():
            return np.dtype(type_).type(0)
        case ArrayType():
            return _array(type_)
        case Record():
            fields = tuple(map(_example, type_.fields))
            return fields if type_.constructor is None else type_.constructor(*fields)


def _array(type_: ArrayType) -> np.ndarray[Any, Any]:
    """Return an array with two elements in each dimension, because an empty array is contiguous in
    every way."""
    shape = (2,) * type_.dimensions
    if type_.layout == "A":
        every_second = (slice(0, 4, 2),) * type_.dimensions
        array = np.zeros((4,) * type_.dimensions, type_.dtype)[every_second]
    else:
        array = np.zeros(shape, type_.dtype, order="F" if type_.layout == "F" else "C")
    array.flags.writeable = not type_.read_only
    return array
