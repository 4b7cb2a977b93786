"""Reading shoes: their tokens, and the cards they have read in a round.

A hand is entered when its last card is read; until then its cards wait here, where nobody sees
them. They are stored in the database, because losing a card would send the next one to a wrong
place.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias, cast

from litestar.di import NamedDependency
from sqlalchemy import (
    Column,
    Delete,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
    delete,
    insert,
    select,
)

from croupier.cards import Card, cards_in
from croupier.errors import BadCards, BadData, Refusal, plain
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, row_mac, writing
from croupier.ledger.signatures.macs import same_mac
from croupier.ledger.stores.schema import NAME
from croupier.rounds.card_entry import known_cards
from croupier.rounds.commands import CardPlace, EnterCards
from croupier.rounds.reading_shoe import ShoePlace, place_words, places_for
from croupier.rounds.state import Round
from croupier.rulebooks.decks import check_in_deck, one_too_many
from croupier.rulebooks.rules import Rules
from croupier.web.accounts.people import fresh_token

MOST_CARDS: Final = 52
_MOST_NOTED: Final = 10
"""Number of cards recorded of a refused reading."""
_metadata = MetaData()
_shoes = Table(
    "web_shoes",
    _metadata,
    Column("game_table", NAME, primary_key=True),
    Column("name", NAME, primary_key=True),
    Column("token", Text, nullable=False, unique=True),
    Column("made_by", Text, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("mac", Text, nullable=False),
)
_cards = Table(
    "web_shoe_cards",
    _metadata,
    Column("game_table", NAME, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("place", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("card", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("mac", Text, nullable=False),
)


class Shoe(NamedTuple):
    table: str
    name: str
    made_by: str
    made_at: str


class ReadCard(NamedTuple):
    place: ShoePlace
    card: Card
    request: str


# -- readings -------------------------------------------------------------------------------------


def read_cards(text: bytes) -> tuple[Card, ...]:
    """Parse cards, written one per line (`Ah`) or as a JSON list `["Ah", "Kd"]`."""
    try:
        words = text.decode("ascii").strip()
        if words.startswith(("[", "{", '"')):
            cards_read = json.loads(words)
            listed = cards_read.get("cards") if isinstance(cards_read, dict) else cards_read
            if not isinstance(listed, list) or not all(isinstance(card, str) for card in listed):
                raise BadData('write a list of cards, as in ["Ah", "Kd"]')
            words = " ".join(listed)
    except (ValueError, RecursionError):
        raise BadData("a shoe sends cards as lines of text (Ah) or as a JSON list") from None
    cards = cards_in(words)
    if not 1 <= len(cards) <= MOST_CARDS:
        raise BadCards(f"{len(cards)} cards are read: send 1 to {MOST_CARDS} at a time")
    return cards


def entries_of(
    cards: Sequence[Card], request: str, state: Round, rules: Rules, read: Sequence[ReadCard]
) -> tuple[list[ReadCard], list[EnterCards]]:
    """Return the new cards with their places, and the commands for the hands that they complete. If
    one card is impossible, none is accepted."""
    waiting = _waiting(state, read)
    places = places_for(len(cards), state, rules, Counter([entry.place for entry in waiting]))
    seen = [*known_cards(state), *[entry.card for entry in waiting]]
    fresh: list[ReadCard] = []
    for place, card in zip(places, cards, strict=True):
        where = f"card {len(fresh) + 1}, {card} for {place_words(place)}"
        check_in_deck((card,), rules.book, where)
        seen.append(card)
        if one_too_many(seen, rules.book) is not None:
            raise BadCards(
                f"{where}: it has been seen in this round already",
                clause=rules.book.decks_clause or None,
            )
        fresh.append(ReadCard(place, card, request))
    return fresh, list(_complete([*waiting, *fresh], state, rules))


def attempted_entry(
    cards: Sequence[Card], state: Round, rules: Rules, read: Sequence[ReadCard]
) -> EnterCards:
    """Return the command recorded for a refused reading: its first cards, for the next place or, if
    there is none, for the dealer."""
    waiting = Counter([card.place for card in _waiting(state, read)])
    try:
        place = places_for(1, state, rules, waiting)[0]
    except Refusal:
        place = ShoePlace("dealer")
    return EnterCards(place.place, tuple(cards[:_MOST_NOTED]), place.seat)


def _waiting(state: Round, read: Sequence[ReadCard]) -> list[ReadCard]:
    """Return the cards that were read but not yet entered."""
    known = Counter(known_cards(state))
    waiting = []
    for card in read:
        if known[card.card]:
            known[card.card] -= 1
        else:
            waiting.append(card)
    return waiting


def _complete(waiting: Sequence[ReadCard], state: Round, rules: Rules) -> Iterator[EnterCards]:
    counts = rules.book.cards
    dealer = counts.dealer - len(state.dealer)
    whole = {"player": counts.player, "dealer": dealer, "box": counts.box}
    for place in dict.fromkeys([card.place for card in waiting]):
        cards = tuple([card.card for card in waiting if card.place == place])
        if len(cards) == whole.get(place.place, len(cards)):
            yield EnterCards(place.place, cards, place.seat)


# -- storage --------------------------------------------------------------------------------------


class Shoes:
    """The stored shoes and their cards. All methods block: call them in a thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One lock per table, for the event loop: readings of a table are handled one after
        another."""
        create_missing(journal, _metadata)

    def add(self, table: str, name: str, by: str) -> tuple[Shoe, str]:
        """Store a shoe with a new token. Any earlier token of the shoe stops working."""
        good = 0 < len(name) <= 40 and name.isprintable() and ":" not in name
        if not good or name != name.strip():
            raise BadData(f"{plain(name, 60)} cannot be a shoe's name")
        token, shoe = fresh_token(), Shoe(table, name, by, stamp(datetime.now(UTC)))
        macs = self._journal.macs_to_write()
        with writing(self._journal) as connection:
            connection.execute(_one(table, name))
            row = {"game_table": table, "name": name, "token": _kept(token)}
            row |= {"made_by": by, "made_at": shoe.made_at}
            row["mac"] = row_mac(macs, _shoes.name, row)
            connection.execute(insert(_shoes).values(row))
        return shoe, token

    def remove(self, table: str, name: str) -> None:
        with writing(self._journal) as connection:
            if not connection.execute(_one(table, name)).rowcount:
                raise Refusal(f"table {table} has no shoe {plain(name, 60)}", code="nothing_there")

    def of_table(self, table: str) -> list[Shoe]:
        query = select(_shoes).where(_shoes.c.game_table == table).order_by(_shoes.c.name)
        with self._journal.reader() as connection:
            rows = connection.execute(query).all()
        return [Shoe(row.game_table, row.name, row.made_by, row.made_at) for row in rows]

    def find(self, token: str) -> Shoe | None:
        query = select(_shoes).where(_shoes.c.token == _kept(token))
        with self._journal.reader() as connection:
            row = connection.execute(query).one_or_none()
        if row is None or not self._is_ours(_shoes, row):
            return None
        return Shoe(row.game_table, row.name, row.made_by, row.made_at)

    def read(self, table: str, round_number: int) -> list[ReadCard]:
        """Return every card read in the round, in order."""
        query = (
            select(_cards)
            .where(_cards.c.game_table == table, _cards.c.round == round_number)
            .order_by(_cards.c.n)
        )
        with self._journal.reader() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            if not self._is_ours(_cards, row):
                raise Refusal(
                    f"card {row.n} that a shoe read in round {round_number} was changed in the "
                    "database: have a floorperson declare the round void",
                    code="not_on_record",
                )
        return [
            ReadCard(
                ShoePlace(cast("CardPlace", row.place), row.seat), Card.parse(row.card), row.request
            )
            for row in rows
        ]

    def keep(self, table: str, round_number: int, after: int, fresh: Sequence[ReadCard]) -> None:
        """Store new cards after the first `after` cards of the round, and delete those of earlier
        rounds."""
        macs = self._journal.macs_to_write()
        rows: list[dict[str, object]] = [
            {
                "game_table": table,
                "round": round_number,
                "n": n,
                "place": card.place.place,
                "seat": card.place.seat,
                "card": str(card.card),
                "request": card.request,
            }
            for n, card in enumerate(fresh, after + 1)
        ]
        for row in rows:
            row["mac"] = row_mac(macs, _cards.name, row)
        with writing(self._journal) as connection:
            old = _cards.c.game_table == table, _cards.c.round < round_number
            connection.execute(delete(_cards).where(*old))
            connection.execute(insert(_cards), rows)

    def _is_ours(self, table: Table, row: Row[Any]) -> bool:
        macs = self._journal.macs_to_write()
        values = dict(zip(table.columns.keys(), row, strict=True))
        return same_mac(row_mac(macs, table.name, values), row.mac)

    def forget(self, table: str, round_number: int, request: str) -> None:
        """Delete the cards of a request that the table refused."""
        with writing(self._journal) as connection:
            connection.execute(
                delete(_cards).where(
                    _cards.c.game_table == table,
                    _cards.c.round == round_number,
                    _cards.c.request == request,
                )
            )


TheShoes: TypeAlias = NamedDependency[Shoes]


def _one(table: str, name: str) -> Delete:
    return delete(_shoes).where(_shoes.c.game_table == table, _shoes.c.name == name)


def _kept(token: str) -> str:
    return sha256(token.encode()).hexdigest()
