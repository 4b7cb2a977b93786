"""Form fields of each command, derived from the command's type annotations."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.declaration import Command, tag_of
from croupier.tables.command_input import fields_of, is_required

FieldKind: TypeAlias = Literal[
    "text",
    "number",
    "money",
    "flag",
    "choice",
    "cards",
    "chips",
    "amounts",
    "texts",
    "names",
    "seat",
]


class CommandField(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a command's form. Kinds with parts: `amounts` is money by name; `texts` is words
    by name; `chips` is a count of each denomination; `names` is a list of names."""

    name: str
    kind: FieldKind
    required: bool
    words: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    """The largest number, or the greatest length of a text."""
    label: str = ""
    """The label of the field on a form."""
    choice_labels: dict[str, str] = {}
    """The label that a pick list shows for each choice."""
    list: str = ""
    """The list of `GET /tables/{table}/picks` that fills the field."""
    free: bool = False
    """A value that is not in the list is also accepted."""


@cache
def command_fields(form: type[Command]) -> tuple[CommandField, ...]:
    """Return the fields that a person fills in for the command, in the order of their
    declaration."""
    hints = get_type_hints(form, include_extras=True)
    tag = tag_of(form)
    return tuple(
        _field(tag, name, hints[name], is_required(form, name)) for name in fields_of(form)
    )


def _field(tag: str, name: str, hint: Any, required: bool) -> CommandField:
    form, marks = _without_none(hint)
    least = next((mark.ge for mark in marks if mark.ge is not None), None)
    most = next((mark.le for mark in marks if mark.le is not None), None)
    longest = next((mark.max_length for mark in marks if mark.max_length is not None), None)
    choices = get_args(form) if get_origin(form) is Literal else ()
    is_reason = name == "reason"
    return CommandField(
        name,
        _kind(name, form),
        required,
        next((mark.description for mark in reversed(marks) if mark.description), ""),
        choices,
        None if least is None else int(least),
        longest if most is None else int(most),
        next((mark.title for mark in reversed(marks) if mark.title), _in_words(name)),
        {choice: _CHOICES.get(f"{name}.{choice}", _in_words(choice)) for choice in choices},
        f"reasons.{tag}" if is_reason else _LISTS.get(f"{tag}.{name}", _LISTS.get(name, "")),
        is_reason or f"{tag}.{name}" in _FREE,
    )


def _in_words(name: str) -> str:
    return name.capitalize().replace("_", " ")


_CHOICES: Final = {
    "ground.light_off": "The light was off",
    "ground.late_bet": "The bet was late",
    "ground.hand_does_not_win": "The hand does not win",
    "ground.other": "Another reason",
    "how.covered": "A cover",
    "how.device": "The shuffler",
    "how.sign": "A sign",
    "place.box": "Bonus cards",
    "place.burn": "Burn cards",
    "place.community": "Community cards",
    "place.dealer": "Dealer's hand",
    "place.player": "Player's hand",
    "source.live": "Live cards",
    "source.virtual": "Virtual cards",
    "step.inspect": "Inspect the cards",
    "step.spread": "Spread the cards",
    "step.stack": "Stack the cards",
    "step.turn": "Turn the cards face down",
    "step.verify": "Verify the inspection",
    "step.view": "Show the cards to the first player",
    "step.wash": "Wash the cards",
}
"""Labels of choices whose own name is not the dealer's term."""

_LISTS: Final = {
    "action": "answers",
    "answer_call.number": "calls",
    "assign.name": "staff",
    "back": "decks",
    "confirm.number": "proposals",
    "decline.number": "proposals",
    "device": "devices",
    "maximum": "wagers",
    "method": "ways",
    "minimum": "wagers",
    "player": "players",
    "receive_deck.back": "new_decks",
    "report.kind": "irregularities",
    "seat": "seats",
    "seats": "seats",
    "take_seat.player": "",
    "take_seat.seat": "free_seats",
    "void_round.clause": "clauses",
    "wager": "wagers",
    "wagers": "wagers",
}
"""The pick list that fills each field, by field name or by `command.field`."""
_FREE: Final = frozenset({"receive_deck.back", "void_round.clause"})


def _without_none(hint: Any) -> tuple[Any, list[msgspec.Meta]]:
    """Return the type without `None`, and the constraints annotated on it."""
    if get_origin(hint) is Annotated:
        form, *extra = get_args(hint)
        inner, marks = _without_none(form)
        return inner, [*(mark for mark in extra if isinstance(mark, msgspec.Meta)), *marks]
    parts = [part for part in get_args(hint) if part is not type(None)]
    if type(None) in get_args(hint) and len(parts) == 1:
        return _without_none(parts[0])
    return hint, []


_PLAIN: Final[dict[Any, FieldKind]] = {Cents: "money", int: "number", bool: "flag"}


def _kind(name: str, form: Any) -> FieldKind:
    origin, parts = get_origin(form), get_args(form)
    if origin is dict:
        if parts[0] is Cents:
            return "chips"
        return "amounts" if _without_none(parts[1])[0] is Cents else "texts"
    if origin is tuple:
        return "cards" if _without_none(parts[0])[0] is Card else "names"
    if origin is Literal:
        return "choice"
    if name == "seat" and form is int:
        return "seat"
    return _PLAIN.get(form, "text")
