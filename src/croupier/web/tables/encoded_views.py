"""A table's view as JSON, in parts: the common part is encoded once, each person's own part is
added, and only changed parts are sent again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Final, NamedTuple

import msgspec

from croupier.web.tables.forms import RoundForm, TableForm


def _fields(form: type[msgspec.Struct], apart: tuple[str, ...]) -> tuple[tuple[int, bytes], ...]:
    """Return the positions and names of the form's fields, except those in `apart`."""
    names = form.__struct_fields__
    return tuple((place, name.encode()) for place, name in enumerate(names) if name not in apart)


to_json: Final = msgspec.json.Encoder().encode
EMPTY: Final = b"[]"
_NUMBERS: Final = count(1)
_OWN_FIELDS: Final = (b"me", b"actions", b"dealer_actions", b"floor_actions")
_APART: Final = (*(name.decode() for name in _OWN_FIELDS), "seats", "round")
_TABLE_FIELDS: Final = _fields(TableForm, _APART)
_ROUND_FIELDS: Final = _fields(RoundForm, ("seats",))


class EncodedView:
    """The JSON of a table as a stranger sees it, field by field."""

    def __init__(
        self,
        table: TableForm,
        state: RoundForm,
        seats: tuple[bytes, ...],
        hands: tuple[bytes, ...],
    ) -> None:
        self.table = _encoded_fields(table, _TABLE_FIELDS)
        self.round = _encoded_fields(state, _ROUND_FIELDS)
        self.seats = seats
        self.hands = hands
        self._whole = b""
        self._number = next(_NUMBERS)
        self._since: tuple[int, bytes] = 0, b""

    @property
    def whole(self) -> bytes:
        """The JSON of everything common, left unclosed so that a person's own parts can follow."""
        if not self._whole:
            fields = b",".join([b'"%b":%b' % field for field in self.table.items()])
            of_round = b",".join([b'"%b":%b' % field for field in self.round.items()])
            seats = b",".join(self.seats)
            self._whole = b'{%b,"seats":[%b],"round":{%b' % (fields, seats, of_round)
        return self._whole

    def changes_since(self, earlier: EncodedView) -> bytes:
        """Return the fields that differ. The last result is cached, because almost everyone
        watching has the same earlier view. It is known by its number: a reference would keep every
        view there ever was in memory."""
        if self._since[0] != earlier._number:
            self._since = earlier._number, self._changes_since(earlier)
        return self._since[1]

    def _changes_since(self, earlier: EncodedView) -> bytes:
        if self is earlier:
            return b""
        parts = [
            b',"changes":{%b}' % _changed(earlier.table, self.table),
            b',"round":{%b}' % _changed(earlier.round, self.round),
            b',"seats":{%b}' % _changed(_by_index(earlier.seats), _by_index(self.seats)),
        ]
        return b"".join([part for part in parts if not part.endswith(b"{}")])


class PersonalView(NamedTuple):
    """A table as one person sees it: the common view and their own parts."""

    common: EncodedView
    hands: tuple[bytes, ...]
    me: bytes = b"null"
    actions: tuple[bytes, bytes, bytes] = (EMPTY, EMPTY, EMPTY)
    """Actions as a player, as a dealer and as a floorperson."""

    @property
    def whole(self) -> bytes:
        hands = b",".join(self.hands)
        return b'%b,"seats":[%b]},"me":%b,"actions":%b,"dealer_actions":%b,"floor_actions":%b}' % (
            self.common.whole,
            hands,
            self.me,
            *self.actions,
        )

    def changes_since(self, earlier: PersonalView) -> bytes:
        """Return only what differs from an earlier view that this person has. `changes` holds
        fields of the table, `round` fields of the round, `seats` and `hands` list entries by index,
        `own` the person's own fields. If the number of hands changed, `hands` is the complete
        list."""
        text = self.common.changes_since(earlier.common)
        if len(self.hands) != len(earlier.hands):
            text += b',"hands":[%b]' % b",".join(self.hands)
        elif self.hands != earlier.hands:
            hands = _changed(_by_index(earlier.hands), _by_index(self.hands))
            text += b',"hands":{%b}' % hands
        own = _changed(earlier._own, self._own)
        return text + b',"own":{%b}' % own if own else text

    @property
    def _own(self) -> dict[bytes, bytes]:
        return dict(zip(_OWN_FIELDS, (self.me, *self.actions), strict=True))


def _encoded_fields(
    form: msgspec.Struct, names: tuple[tuple[int, bytes], ...]
) -> dict[bytes, bytes]:
    values = msgspec.structs.astuple(form)
    return {name: to_json(values[place]) for place, name in names}


def _changed(earlier: Mapping[bytes, bytes], now: Mapping[bytes, bytes]) -> bytes:
    changed = [b'"%b":%b' % (n, text) for n, text in now.items() if earlier.get(n) != text]
    return b",".join(changed)


def _by_index(texts: tuple[bytes, ...]) -> dict[bytes, bytes]:
    return {b"%d" % place: text for place, text in enumerate(texts)}
