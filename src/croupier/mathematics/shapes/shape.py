"""Which games a solver understands: the shape it declares, field by field of a rulebook.

A `Shape` names every field of the schema that it has looked at and what may stand there. A rulebook
is held against it field by field. What does not fit is a `Misfit`: the field, what is there and
what could be solved. A field that no declaration names must be left at its default, so a field that
the schema gains later is refused wherever a rulebook uses it, until a solver says what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.shapes.fields import Field
from croupier.rulebooks.rules import Rules

FieldCheck: TypeAlias = Callable[[Rules, Field], str | None]
"""What could be solved in this field, in words; None where what stands there can be."""


class Misfit(NamedTuple):
    """A field with something that a solver does not model."""

    where: str
    found: str
    solved: str

    def __str__(self) -> str:
        return f"{self.where} is {self.found}; what can be solved there: {self.solved}"


@dataclass(frozen=True)
class Shape:
    """`name` and `solves` are for people; `takes` has a check for every field it has looked at."""

    name: str
    solves: str
    takes: Mapping[str, FieldCheck]

    def misfits(self, rules: Rules, fields: Iterable[Field]) -> Iterator[Misfit]:
        for field in fields:
            check = self.takes.get(field.key, _left_alone)
            wanted = check(rules, field)
            if wanted is not None:
                yield Misfit(field.where, told(field.value), wanted)


def unsolvable(what: str, misfit: Misfit, shape: Shape) -> Unsolvable:
    return refused(what, f"{misfit} ({shape.name})")


def refused(what: str, why: str, solved: str = "") -> Unsolvable:
    """The error of a wager that is not solved, in one sentence; `why` names the field."""
    more = f"; what can be solved: {solved}" if solved else ""
    return Unsolvable(f"{what} cannot be solved exactly: {why}{more}")


def _left_alone(_: Rules, field: Field) -> str | None:
    """A field that the solver never heard of must say nothing: stand at its default."""
    name = field.key.rpartition(".")[2]
    for info in msgspec.structs.fields(type(field.owner)):
        if info.name == name and not info.required:
            made = info.default_factory
            default = info.default if made is msgspec.NODEFAULT else made()
            return None if field.value == default else f"{told(default)}: it does not know more"
    return "nothing: it does not know this field"


def told(value: object) -> str:
    """A value as a message shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "absent"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {told(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(told, value)) + "]"
    if isinstance(value, msgspec.Struct):
        return "present"
    return str(value)
