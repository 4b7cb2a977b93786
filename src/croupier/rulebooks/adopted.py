"""The readings adopted once and for all: where a document is unclear and no switch is offered.

A reading that an operator may take otherwise is a switch, under `[readings]` in the rulebook. All
others are told here, each with the clauses it is about, what is taken, and why.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

__all__ = ["AdoptedReading", "adopted_by"]


class AdoptedReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    clauses: tuple[str, ...]
    weight: Literal["money", "procedure"]
    """Whether reading it otherwise would change money on some round."""
    question: str
    reading: str
    reason: str


@cache
def adopted_by(document: str) -> tuple[AdoptedReading, ...]:
    """The adopted readings of a document, in the order of their ids."""
    text = files(__package__).joinpath("adopted", f"{document}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["adopted"], tuple[AdoptedReading, ...])
