"""The head of a scenario: its table, and the terms on which it plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.errors import shown
from croupier.money import format_cents
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml, toml_text
from croupier.rulebooks.submission import read_submission
from croupier.scenarios.scenario import LineError
from croupier.scenarios.text_parts import (
    amount,
    chips_of,
    items,
    look_up,
    look_up_start,
    normalized,
)
from croupier.tables.commands import OpenTable

_TABLE: Final = re.compile(r"table\s+(\S+)\s+plays\s+(\S+?)(?:\s*,?\s+(dealt\s.+))?", re.I)
_SHARE: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)\s*%")
_METER: Final = (
    (re.compile(r"starts\s+at\s+(.+)", re.I), "seed"),
    (re.compile(r"resets\s+to\s+(.+)", re.I), "reset"),
    (re.compile(r"rate\s+(.+)", re.I), "rate"),
)


class OpeningLines:
    """The terms of the table, read line by line."""

    def __init__(self, line: str, folder: Path) -> None:
        match = _TABLE.fullmatch(line)
        if match is None:
            raise LineError(
                "a scenario begins with its table: write, for instance, 'table T1 plays md-uth'"
            )
        self.folder = folder
        self.table = match[1]
        self.rulebook, self.rulebook_text = match[2], ""
        if self.rulebook.endswith(".toml"):
            self.rulebook_text = toml_text(folder / self.rulebook)
            tree = parse_toml(self.rulebook_text, self.rulebook)
            self.book = RulebookFile(tree, self.rulebook).default
            self.rulebook = self.book.id
        else:
            self.book = load_rulebook(self.rulebook).default
        self.terms: dict[str, Any] = {}
        self.live = False
        self.care = True
        self.inventory = 0
        self.float: dict[int, int] = {}
        if match[3]:
            self.read(match[3])

    @property
    def has_rates(self) -> bool:
        meters = self.terms.get("progressive", {}).get("meters", {})
        return any(terms.get("rate") is not None for terms in meters.values())

    def opening(self) -> OpenTable:
        return OpenTable(
            self.table,
            self.rulebook,
            msgspec.json.encode(self.terms, order="sorted").decode(),
            self.rulebook_text,
            "live" if self.live else "virtual",
            self.inventory,
            care=self.care,
            float=self.float,
        )

    def read(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        OPENING_LINES[first.lower()](self, rest.strip())

    def _under(self, name: str) -> dict[str, Any]:
        match: dict[str, Any] = self.terms.setdefault(name, {})
        return match

    def read_dealt(self, rest: str) -> None:
        words = re.sub(r"^(by|from)\s+", "", rest, flags=re.I)
        words = re.sub(r"^(the|an?)\s+", "", words, flags=re.I).replace(",", " ")
        words = re.sub(r"\bdealing\s+", "", words, flags=re.I)
        way, order = look_up_start("way of dealing here", words, {n: n for n in self.book.dealing})
        options = self._under("options")
        options["dealing"] = way
        if order:
            variants = self.book.dealing[way].variants
            options["deal_order"] = look_up(
                f"order of the {way.replace('_', ' ')}", order, {name: name for name in variants}
            )

    def read_cards(self, rest: str) -> None:
        if normalized(rest) not in ("cards", "dealer"):
            raise LineError("write 'live cards' for a table whose dealer enters the cards")
        self.live = True

    def read_care(self, rest: str) -> None:
        if normalized(rest) != "not_kept":
            raise LineError(
                "write 'care not kept' for a table whose decks the software leaves alone"
            )
        self.care = False

    def read_offers(self, rest: str) -> None:
        optional = {
            key: name
            for name, wager in self.book.wagers.items()
            if wager.role == "optional"
            for key in (wager.title, name)
        }
        if rest.lower() == "nothing":
            self.terms["offered"] = []
            return
        names = [look_up("wager that can be offered", item, optional) for item in items(rest)]
        self.terms["offered"] = names

    def read_paytable(self, rest: str) -> None:
        for item in items(rest):
            tables, table_id = look_up_start("wager with paytables", item, self._families())
            family, known = tables
            named = {name: name for name in known}
            self._under("paytables")[family] = look_up(f"paytable of {family}", table_id, named)

    def _families(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        return {name: (name, tuple(tables)) for name, tables in self.book.paytables.items()}

    def read_reading(self, rest: str) -> None:
        known = {name: (name, reading) for name, reading in self.book.readings.items()}
        (name, reading), choice = look_up_start("reading of this document", rest, known)
        named = {choice: choice for choice in reading.choices}
        self._under("readings")[name] = look_up(f"choice of {name}", choice, named)

    def read_option(self, rest: str) -> None:
        known = {name: (name, option) for name, option in self.book.options.items()}
        (name, option), value = look_up_start("option of this document", rest, known)
        self._under("options")[name] = _option_value(option.type, option.choices, value)

    def read_limit(self, rest: str) -> None:
        match = re.fullmatch(r"(.+?)\s+(?:(?:from\s+)?(\S+)\s+to|from|up\s+to)\s+(\S+)", rest, re.I)
        if match is None:
            raise LineError("write 'limit ante 5 to 500', 'limit ante from 5' or '… up to 500'")
        name = look_up("wager of this game", match[1], {n: n for n in self.book.wagers})
        low, high = match[2], match[3]
        if low is None and re.search(r"\sfrom\s+\S+$", rest, re.I):
            low, high = high, None
        limits = self._under("limits").setdefault(name, {})
        if low is not None:
            limits["minimum"] = format_cents(amount(low))
        if high is not None:
            limits["maximum"] = format_cents(amount(high))

    def read_meter(self, rest: str) -> None:
        name, _, stated = rest.partition(" ")
        meters = self._under("progressive").setdefault("meters", {})
        terms = meters.setdefault(normalized(name), {})
        for item in items(stated):
            field, value = _meter_item(item)
            terms[field] = value

    def read_stakes(self, rest: str) -> None:
        option_type, _, listed = rest.partition(" ")
        if option_type.lower() not in ("stakes", "stake"):
            raise LineError("write 'progressive stakes 1, 5'")
        stakes = [format_cents(amount(item)) for item in items(listed)]
        self._under("progressive")["stakes"] = stakes

    def read_inventory(self, rest: str) -> None:
        self.inventory = amount(rest)

    def read_float(self, rest: str) -> None:
        self.float = chips_of(rest)

    def read_submission(self, rest: str) -> None:
        if self.terms:
            raise LineError("the submission comes first; lines after it can change its terms")
        try:
            stated = read_submission(self.folder / rest)
        except ValueError:
            raise LineError(f"{shown(rest)} is not the path of a file") from None
        if stated.rulebook and stated.rulebook != self.rulebook:
            raise LineError(f"that submission is for {stated.rulebook}, not for {self.rulebook}")
        self.terms = msgspec.to_builtins(stated)


def _option_value(option_type: str, choices: tuple[str, ...], value: str) -> Any:
    if option_type == "amount":
        return format_cents(amount(value))
    if option_type == "yes_no":
        return look_up("answer", value, {"yes": True, "no": False})
    if option_type == "count":
        if not re.fullmatch(r"[0-9]{1,4}", value):
            raise LineError(f"{shown(value)} is not a whole number")
        return int(value)
    return look_up("choice", value, {choice: choice for choice in choices})


def _meter_item(item: str) -> tuple[str, str]:
    for pattern, field in _METER:
        match = pattern.fullmatch(item)
        if match is None:
            continue
        if field != "rate":
            return field, format_cents(amount(match[1]))
        share = _SHARE.fullmatch(match[1].strip())
        if share is None:
            raise LineError(f"{shown(match[1])} is not a rate: write a percentage, as in 'rate 5%'")
        return field, format(Decimal(share[1]) / 100, "f")
    raise LineError(
        f"{shown(item)} is not a term of a meter: write 'meter main starts at 10,000, resets to "
        "10,000, rate 5%'"
    )


OPENING_LINES: Final[dict[str, Callable[[OpeningLines, str], None]]] = {
    "dealt": OpeningLines.read_dealt,
    "live": OpeningLines.read_cards,
    "care": OpeningLines.read_care,
    "offers": OpeningLines.read_offers,
    "paytable": OpeningLines.read_paytable,
    "reading": OpeningLines.read_reading,
    "option": OpeningLines.read_option,
    "limit": OpeningLines.read_limit,
    "meter": OpeningLines.read_meter,
    "progressive": OpeningLines.read_stakes,
    "inventory": OpeningLines.read_inventory,
    "float": OpeningLines.read_float,
    "submission": OpeningLines.read_submission,
}
