"""Options that several commands take, and how help texts are laid out."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter

__all__ = [
    "Acting",
    "AsJson",
    "Clustered",
    "EqualActions",
    "Journal",
    "Pays",
    "Paytables",
    "Readings",
    "Repeated",
    "Rulebook",
    "documented",
    "unwrapped",
]

Command = TypeVar("Command", bound=Callable[..., int])

AsJson = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print JSON for programs, not tables.")
]
Clustered = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        help="The address of a dask scheduler whose workers do the work: tcp://HOST:8786. The "
        "result is the same.",
    ),
]
EqualActions = Literal["first", "last"]
Rulebook = Annotated[str, Parameter(help="A rulebook (md-uth, …) or the path of a rulebook file.")]
Repeated = Annotated[list[str] | None, Parameter(negative=())]
Paytables = Annotated[
    list[str] | None,
    Parameter(
        name="--paytable",
        negative=(),
        help="WAGER=ID, as in blind=B; the first one where left out. Repeatable.",
    ),
]
Pays = Annotated[
    list[str] | None,
    Parameter(
        name="--pays",
        negative=(),
        help="WAGER.HAND=ODDS: this line of the paytable in force pays otherwise, as in "
        'blind.flush=2 or "blind.straight=3 to 2". Repeatable.',
    ),
]
Readings = Annotated[
    list[str] | None,
    Parameter(
        name="--reading",
        negative=(),
        help="NAME=CHOICE, as in bad_beat_loser=player_only; the first one where left out. "
        "Repeatable.",
    ),
]
Journal = Annotated[
    str | None,
    Parameter(
        help="The journal: a file, or postgresql://… for a server. If left out, the one of "
        "CROUPIER_DATABASE or CROUPIER_DATABASE_FILE, else the one in CROUPIER_DATA_DIR."
    ),
]
Acting = Annotated[
    str | None,
    Parameter(
        name="--as",
        help="Who acts, as ROLE:NAME: dealer:Dan. Roles: player, dealer, floorperson, operator.",
    ),
]


def documented(function: Command) -> Command:
    """A command of the program; what it teaches is its docstring."""
    function.__doc__ = unwrapped(function.__doc__ or "")
    return function


def unwrapped(text: str) -> str:
    """Paragraphs on one line each, for the terminal to break; indented ones stay as they are."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith(("    ", "Parameters\n")) else " ".join(part.split())
        for part in paragraphs
    )
