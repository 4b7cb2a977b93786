"""The declaration of every command (who may give it, by which clause, in which words), and
commands, events and states as JSON.

Role checks, refusals, the API, the command line, rehearsals and button labels are derived from the
declaration. The person who gives a command is a separate `Actor`, never a field of the command.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec.structs import force_setattr

from croupier.cards import Card
from croupier.errors import (
    BadAmount,
    BadCards,
    BadData,
    CroupierError,
    Refusal,
    plain,
    shown,
    with_article,
)
from croupier.money import Cents, format_cents, parse_cents
from croupier.rulebooks.rules import Rules

Role: TypeAlias = Literal["player", "dealer", "floorperson", "operator", "cashier", "auditor"]
ROLES: Final[tuple[Role, ...]] = ("player", "dealer", "floorperson", "operator", "auditor")
"""The roles at a table. A cashier, who is not among them, keeps players' accounts."""

PLAYERS: Final[tuple[Role, ...]] = ("player", "dealer")
"""A player, or the dealer on the player's behalf."""
DEALER: Final[tuple[Role, ...]] = ("dealer",)
FLOOR: Final[tuple[Role, ...]] = ("floorperson", "operator")
CREW: Final[tuple[Role, ...]] = ("dealer", "floorperson", "operator")
ANYBODY: Final[tuple[Role, ...]] = ("player", *CREW)
AUDITORS: Final[tuple[Role, ...]] = ("auditor",)
CASHIERS: Final[tuple[Role, ...]] = ("cashier", "operator")

SOFTWARE: Final = "software"
"""The name of an automated dealer or floorperson. A rehearsal table has several, each with a name
that begins with it."""
BOT: Final = "bot-"
"""Prefix of the name of a software player; the seat number follows."""
SHOE: Final = "shoe "
"""Prefix of the name under which a reading shoe enters cards. No person's name begins with it."""


_SIMULATED: Final = re.compile(r"player \d+")


class Actor(msgspec.Struct, frozen=True):
    """A person at the table and the role in which they act."""

    role: Role
    name: str

    def __str__(self) -> str:
        return f"{self.role} {self.name}"


def _no_clause(_: Any, __: Rules) -> str:
    return ""


Amount: TypeAlias = Annotated[Cents, msgspec.Meta(title="Amount in dollars")]


class Declaration(NamedTuple):
    """What a command declares. `words` follow "may not"; `label` is the button's text; `clause` is
    the one that gives the command to its role, if the document has one."""

    by: tuple[Role, ...]
    label: str
    words: str
    clause: Callable[[Any, Rules], str] = _no_clause
    filled: frozenset[str] = frozenset()
    """Fields that the house fills in; no client may send them."""
    foreseen: bool = False
    """Whether the consequences can be previewed before the command is confirmed."""
    help: str = ""
    """A sentence on the form for the person who fills it in; empty if the label is enough."""


class Command(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A command as one struct: the same in the API, in the journal and in the library."""

    declared: ClassVar[Declaration]

    def doing(self) -> str:
        """Return what the command does, in the words that follow "may not"."""
        return self.declared.words

    def role_clause(self, rules: Rules | None) -> str | None:
        """Return the clause that gives this command to its role, if there is one."""
        return (self.declared.clause(self, rules) or None) if rules is not None else None

    def outside(self) -> Self:
        """Return the command in the form in which it is written to JSON."""
        return self


class MoneyCommand(Command, frozen=True, gc=False):
    """A command with amounts: plain cents inside, dollars such as `"7.50"` in JSON."""

    def __post_init__(self) -> None:
        """Convert amounts read from JSON to plain cents, so that equal commands compare equal."""
        for name in _money_fields(type(self)):
            value = getattr(self, name)
            plain = _plain(value)
            if plain is not value:
                force_setattr(self, name, plain)

    def outside(self) -> Self:
        marked = copy.copy(self)
        form = type(self)
        for name, of_chips in _money_fields(form).items():
            force_setattr(marked, name, _marked(getattr(self, name), of_chips=of_chips))
        return marked


@cache
def _money_fields(form: type[Command]) -> dict[str, bool]:
    """Return the fields that hold money; the value is true if the field counts chips by their
    worth."""
    hints = get_type_hints(form)
    inside = {name: get_args(hints[name]) for name in form.__struct_fields__}
    return {
        name: parts[:1] == (Cents,) and hints[name] != Cents | None
        for name, parts in inside.items()
        if hints[name] is Cents or Cents in parts
    }


def _plain(value: Any) -> Any:
    if type(value) is Cents:
        return int(value)
    if type(value) is dict and any(type(part) is Cents for item in value.items() for part in item):
        return {_plain(key): _plain(part) for key, part in value.items()}
    return value


def _marked(value: Any, *, of_chips: bool) -> Any:
    if value is None:
        return None
    if not isinstance(value, dict):
        return Cents(value)
    if of_chips:
        return {Cents(worth): count for worth, count in value.items()}
    return {name: Cents(cents) for name, cents in value.items()}


def is_software(name: str) -> bool:
    return name == SOFTWARE or name.startswith((f"{SOFTWARE}-", BOT))


def is_person(name: str) -> bool:
    """Return whether this name belongs to a person who looks at a screen: not software, nor a
    numbered player of a simulation."""
    return not is_software(name) and not _SIMULATED.fullmatch(name)


def tag_of(command: Command | type[Command]) -> str:
    """Return the name of a command in JSON, such as `place_wagers`."""
    return str(command.__struct_config__.tag)


def wrong_role(role: str, command: Command, wanted: tuple[str, ...], clause: str | None) -> Refusal:
    """Return the refusal that names the roles allowed to give this command. An operator may do
    whatever a floorperson may, and is named only if no other role is allowed."""
    people = [name for name in wanted if name != "operator"] or list(wanted)
    takes = " or ".join(with_article(name) for name in people)
    return Refusal(
        f"{with_article(role)} may not {command.doing()}: that takes {takes}",
        code="wrong_role",
        clause=clause,
    )


T = TypeVar("T")


def _written(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Cents):
        return format_cents(value)
    raise NotImplementedError(type(value))


def _read(wanted: type, value: Any) -> Any:
    if wanted is Card:
        if not isinstance(value, str):
            raise BadCards(f'{shown(value)} is not a card: write it as in "As"')
        return Card.parse(value)
    if wanted is Cents:
        if not isinstance(value, str):  # a bare number could mean cents or dollars
            raise BadAmount(f'{shown(value)}: write the amount as a string, as in "7.50"')
        return Cents(parse_cents(value))
    raise NotImplementedError(wanted)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def to_json(value: object) -> bytes:
    """Encode a value with its fields in the order of the struct, so that equal values give equal
    text. A command must first pass through `Command.outside`."""
    return _ENCODER.encode(value)


def from_json(text: bytes | str, form: type[T] | Any, name: str = "a record of this program") -> T:
    """Decode a value of this form, or raise `BadData` with the place of the error."""
    decoder = _DECODERS.get(form)
    if decoder is None:
        decoder = _DECODERS[form] = msgspec.json.Decoder(form, dec_hook=_read)
    try:
        value: T = decoder.decode(text)
    except CroupierError:
        raise
    except msgspec.MsgspecError as error:
        raise BadData(f"not {name}: {plain(error, 200)}") from None
    return value
