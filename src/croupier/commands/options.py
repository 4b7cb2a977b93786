"""Options that several commands share, how they are read, and how help texts are laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from inspect import cleandoc
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias, TypeVar

from cyclopts import Parameter

from croupier.errors import BadRequest

if TYPE_CHECKING:
    from croupier.library.rulebook import Rulebook as LoadedRulebook
    from croupier.rounds.declaration import Actor

Command = TypeVar("Command", bound=Callable[..., int])

if TYPE_CHECKING:
    AnyRulebook: TypeAlias = str
else:
    # Their list alone: reading the rulebooks would make every `--help` slow.
    _LISTED = files("croupier").joinpath("rulebooks/order.txt").read_text("utf-8").split()
    AnyRulebook = Literal[tuple(_LISTED)] | str
    """A bundled rulebook, which the shell completes, or the path of a file."""
EqualActions: TypeAlias = Literal["first", "last"]

AsJson = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print JSON for programs, not tables.")
]
Flag = Annotated[bool, Parameter(negative=())]
Repeated = Annotated[list[str] | None, Parameter(negative=())]
Rulebook = Annotated[
    AnyRulebook,
    Parameter(help="A rulebook (md-uth, …) or the path of a rulebook file.", show_choices=False),
]
Subject = Annotated[
    AnyRulebook,
    Parameter(
        help="A rulebook (md-uth, …), a rulebook file, or a submission's file.", show_choices=False
    ),
]
Optional = Annotated[AnyRulebook | None, Parameter(show_choices=False)]
"""A rulebook that may be left out; the command says what its default is."""
Clustered = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        help="The address of a dask scheduler whose workers do the work: tcp://HOST:8786. The "
        "result is the same.",
    ),
]
Paytables = Annotated[
    list[str] | None,
    Parameter(
        name="--paytable",
        negative=(),
        help="WAGER=ID, as in blind=B; by default the first table of each wager. Repeatable.",
    ),
]
Pays = Annotated[
    list[str] | None,
    Parameter(
        name="--pays",
        negative=(),
        help="WAGER.HAND=ODDS changes a line of the paytable in force, as in blind.flush=2 or "
        '"blind.straight=3 to 2". Repeatable.',
    ),
]
Readings = Annotated[
    list[str] | None,
    Parameter(
        name="--reading",
        negative=(),
        help="NAME=CHOICE, as in bad_beat_loser=player_only; by default the first choice of each "
        "reading. Repeatable.",
    ),
]
Journal = Annotated[
    str | None,
    Parameter(
        help="The journal: a file, or postgresql://… for a server. By default the one named by "
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
Request = Annotated[
    str | None,
    Parameter(help="A key of your own: a command that arrives twice under it is done once."),
]

_EXAMPLES: Final = {
    "--knows": "dealer=1",
    "--stake": "trips=5",
    "--meter": "main=12500",
    "--contribution": "main=0.1",
    "--reading": "bad_beat_loser=player_only",
    "--pays": "blind.flush=2",
    "--move": "main=pot2:main",
    "--state": "main=paid",
}


def documented(function: Command) -> Command:
    """Mark a command of the program; its docstring is its help."""
    function.__doc__ = unwrapped(function.__doc__ or "")
    return function


def unwrapped(text: str) -> str:
    """Put each paragraph on one line, for the terminal to wrap; indented paragraphs stay
    unchanged."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith(("    ", "Parameters\n")) else " ".join(part.split())
        for part in paragraphs
    )


def pairs(texts: Iterable[str] | None, flag: str) -> dict[str, str]:
    """Return the values of a repeated option: `NAME=VALUE`, each name once."""
    example = _EXAMPLES.get(flag, "trips=B")
    values: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise BadRequest(f"{flag} {text!r}: write NAME=VALUE, as in {flag} {example}")
        if values.setdefault(name, value) != value:
            raise BadRequest(f"{flag} {name} is given twice: {values[name]} and {value}")
    return values


def rulebook_with(
    rulebook: str, paytables: Iterable[str] | None, readings: Iterable[str] | None
) -> LoadedRulebook:
    """Return a rulebook with the paytables and readings of the command line in force."""
    import croupier

    return croupier.load_rulebook(
        rulebook, paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")
    )


def within(value: int, flag: str, least: int, most: int) -> int:
    if not least <= value <= most:
        raise BadRequest(f"{flag} is {value}, but must be {least:,} to {most:,}")
    return value


def actor_of(acting: str | None) -> Actor:
    """Return the person of `--as`, which is required."""
    from croupier.errors import plain, suggest
    from croupier.rounds.declaration import ROLES, Actor
    from croupier.tables.command_input import checked_actor

    if acting is None:
        raise BadRequest(
            f"who acts? Add --as ROLE:NAME, as in --as dealer:Dan (roles: {', '.join(ROLES)})"
        )
    role, colon, name = acting.partition(":")
    if not colon or not name.strip():
        raise BadRequest(f"--as {plain(acting)}: write ROLE:NAME, as in dealer:Dan")
    for known in ROLES:
        if role == known:
            return checked_actor(Actor(known, name.strip()))
    raise suggest("role", role, ROLES)
