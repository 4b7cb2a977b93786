"""The names that a scenario's lines may use: people, wagers, places for cards."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from croupier.errors import BadCards, shown
from croupier.rounds.commands import CardPlace
from croupier.rounds.declaration import Role
from croupier.rulebooks.schema import Rulebook
from croupier.scenarios.scenario import LineError, NamedPerson
from croupier.scenarios.text_parts import (
    cards_of,
    did_you_mean,
    look_up,
    look_up_start,
    normalized,
    whole_number,
)

ROLES: Final[dict[str, Role]] = {
    "dealer": "dealer",
    "floor": "floorperson",
    "floorperson": "floorperson",
    "operator": "operator",
    "auditor": "auditor",
}

_NAME: Final = re.compile(r"[^\W\d_][\w.-]{0,29}")


class LayoutPlace(NamedTuple):
    """A place for cards that is not a player's hand, and the index of the first of its cards that
    is meant."""

    place: CardPlace
    first: int
    most: int


class Roster:
    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.players: dict[str, None] = {}
        self.staff: dict[str, Role] = {}
        self.on_duty: dict[Role, str] = {
            "dealer": "Dealer",
            "floorperson": "Floor",
            "operator": "Operator",
            "auditor": "Auditor",
        }
        self.wagers = {wager.title: name for name, wager in book.wagers.items()} | {
            name: name for name in book.wagers
        }
        self.lines = self.wagers | {bonus.title: name for name, bonus in book.bonuses.items()}
        """The items that a settlement has lines for, by title or name."""
        self.lines |= {name: name for name in book.bonuses} | {"envy": "envy", "envy bonus": "envy"}
        self.spots = _spots(book)
        self.answers = {normalized(word): word for d in book.decisions for word in d.answers}
        """The answers that players can give in this game, by normalized spelling."""

    def new_name(self, name: str, reserved: frozenset[str]) -> str:
        if not _NAME.fullmatch(name):
            raise LineError(f"{shown(name)} cannot be a name here: write one word, as in 'Ann'")
        if name.lower() in reserved or _is_cards(name):
            raise LineError(
                f"{shown(name)} cannot be a name here: the word has a meaning of its own"
            )
        return name

    def hire(self, role: Role, name: str) -> None:
        if name in self.players or self.staff.get(name, role) != role:
            raise LineError(
                f"{name} is somebody else already: give every person a name of their own"
            )
        self.staff[name] = role
        self.on_duty[role] = name

    def welcome(self, name: str) -> None:
        if name in self.staff:
            raise LineError(f"{name} works here as {self.staff[name]}: players have other names")
        self.players[name] = None

    def role(self, role: Role) -> NamedPerson:
        return NamedPerson(role, self.on_duty[role])

    def subject(self, text: str) -> tuple[NamedPerson, str]:
        """Return the person with whom a line begins, and the rest of the line."""
        words = text.split()
        first = words[0] if words else ""
        if first.lower() in ROLES:
            role = ROLES[first.lower()]
            named = len(words) > 1 and self.staff.get(words[1]) == role
            who = NamedPerson(role, words[1] if named else self.on_duty[role])
            rest = words[2 if named else 1 :]
        elif first.lower() == "seat" and len(words) > 1:
            who, rest = NamedPerson("player", "", self.seat(words[1])), words[2:]
        elif first.lower() == "surveillance":
            who, rest = NamedPerson("surveillance", "surveillance"), words[1:]
        elif first in self.players:
            who, rest = NamedPerson("player", first), words[1:]
        elif first in self.staff:
            who, rest = NamedPerson(self.staff[first], first), words[1:]
        else:
            names = [*self.players, *self.staff]
            raise LineError(
                f"{shown(first)} is nobody at this table: {did_you_mean(first, names)}"
                f"known are: {', '.join(names) or 'none yet'}"
            )
        if who.role == "player" and [word.lower() for word in rest[:2]] == ["at", "seat"]:
            if who.seat:
                raise LineError("one seat is enough")
            if len(rest) < 3:
                raise LineError("after 'at seat' comes its number")
            who, rest = NamedPerson("player", who.name, self.seat(rest[2])), rest[3:]
        return who, " ".join(rest)

    def player(self, text: str) -> NamedPerson:
        """Return the player whom the words name; refuse any other words."""
        who, rest = self.subject(text)
        if who.role != "player" or rest:
            raise LineError(
                f"{shown(text)} is not a player: write a name, or 'seat' and its number"
            )
        return who

    def seat(self, text: str) -> int:
        return whole_number(text.rstrip(":"), "a seat")

    def answer(self, text: str) -> str:
        """Return a player's answer as the rulebook spells it; other words in lower case."""
        return self.answers.get(normalized(text), text.lower())

    def line(self, text: str) -> str:
        return look_up("wager", text, self.lines)

    def wager(self, text: str) -> str:
        return look_up("wager of this game", text, self.wagers)

    def place(self, text: str) -> NamedPerson | LayoutPlace:
        """Return the place of cards: a player's hand, or a place on the layout."""
        bare = re.sub(r"^the ", "", text.strip(), flags=re.IGNORECASE)
        first = bare.split()[0] if bare else ""
        if first in self.players or first.lower() == "seat":
            return self.player(bare)
        if bare.lower() in ("himself", "herself", "dealer's", "own"):
            bare = "dealer"
        try:
            return look_up("place for cards", bare, self.spots)
        except LineError as error:
            raise LineError(f"{error}; or name a player or a seat") from None

    def reveal(self, text: str) -> str:
        """Return the name of a reveal; `river` is enough for `turn and river`."""
        names: dict[str, str] = {}
        for reveal in self.book.reveals:
            names |= dict.fromkeys(reveal.name.split(" and "), reveal.name)
            names[reveal.name] = reveal.name
        bare = re.sub(r"^the ", "", text, flags=re.IGNORECASE)
        person, rest = look_up_start("reveal of this game", bare, names)
        if rest:
            raise LineError(f"{shown(rest)} is not a card")
        return person


def _is_cards(name: str) -> bool:
    try:
        cards_of(name)
    except (LineError, BadCards):
        return False
    return True


def _spots(book: Rulebook) -> dict[str, LayoutPlace]:
    counts = book.cards
    spots = {"burn": LayoutPlace("burn", 0, 10)}
    if counts.dealer:
        spots["dealer"] = LayoutPlace("dealer", 0, counts.dealer)
    if counts.community:
        spots["board"] = spots["community"] = LayoutPlace("community", 0, counts.community)
    if counts.box:
        spots["box"] = LayoutPlace("box", 0, counts.box)
    first = 0
    for reveal in book.reveals:
        if not reveal.community:
            continue
        spots[reveal.name] = LayoutPlace("community", first, reveal.community)
        parts = reveal.name.split(" and ")
        if len(parts) == reveal.community > 1:
            for place, part in enumerate(parts):
                spots[part] = LayoutPlace("community", first + place, 1)
        first += reveal.community
    return spots
