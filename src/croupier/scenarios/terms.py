"""The head of a scenario: which table this is, and on which terms it plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.errors import shown
from croupier.money import format_cents
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml
from croupier.rulebooks.submission import read_submission
from croupier.scenarios.steps import Misread
from croupier.scenarios.words import amount, chosen, items, longest, squeezed
from croupier.tables.commands import OpenTable

__all__ = ["HEAD", "Head"]

_TABLE: Final = re.compile(r"table\s+(\S+)\s+plays\s+(\S+?)(?:\s*,?\s+(dealt\s.+))?", re.I)
_SHARE: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)\s*%")
_METER: Final = (
    (re.compile(r"starts\s+at\s+(.+)", re.I), "seed"),
    (re.compile(r"resets\s+to\s+(.+)", re.I), "reset"),
    (re.compile(r"rate\s+(.+)", re.I), "rate"),
)


class Head:
    """The terms as they are read, line by line."""

    def __init__(self, line: str, folder: Path) -> None:
        match = _TABLE.fullmatch(line)
        if match is None:
            raise Misread(
                "a scenario begins with its table: write, for instance, 'table T1 plays md-uth'"
            )
        self.folder = folder
        self.table = match[1]
        self.rulebook, self.rulebook_text = match[2], ""
        if self.rulebook.endswith(".toml"):
            self.rulebook_text = _text_of(folder / self.rulebook)
            tree = parse_toml(self.rulebook_text, self.rulebook)
            self.book = RulebookFile(tree, self.rulebook).default
            self.rulebook = self.book.id
        else:
            self.book = load_rulebook(self.rulebook).default
        self.terms: dict[str, Any] = {}
        self.live = False
        self.care = True
        self.inventory = 0
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
        )

    def read(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        HEAD[first.lower()](self, rest.strip())

    def _under(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.terms.setdefault(name, {})
        return found

    def _dealt(self, rest: str) -> None:
        words = re.sub(r"^(by|from)\s+", "", rest, flags=re.I)
        words = re.sub(r"^(the|an?)\s+", "", words, flags=re.I).replace(",", " ")
        words = re.sub(r"\bdealing\s+", "", words, flags=re.I)
        way, order = longest("way of dealing here", words, {n: n for n in self.book.dealing})
        options = self._under("options")
        options["dealing"] = way
        if order:
            variants = self.book.dealing[way].variants
            options["deal_order"] = chosen(
                f"order of the {way.replace('_', ' ')}", order, {name: name for name in variants}
            )

    def _cards(self, rest: str) -> None:
        if squeezed(rest) not in ("cards", "dealer"):
            raise Misread("write 'live cards' for a table whose dealer enters the cards")
        self.live = True

    def _care(self, rest: str) -> None:
        if squeezed(rest) != "not_kept":
            raise Misread("write 'care not kept' for a table whose decks the software leaves alone")
        self.care = False

    def _offers(self, rest: str) -> None:
        optional = {
            key: name
            for name, wager in self.book.wagers.items()
            if wager.role == "optional"
            for key in (wager.title, name)
        }
        if rest.lower() == "nothing":
            self.terms["offered"] = []
            return
        names = [chosen("wager that can be offered", item, optional) for item in items(rest)]
        self.terms["offered"] = names

    def _paytable(self, rest: str) -> None:
        for item in items(rest):
            tables, table_id = longest("wager with paytables", item, self._families())
            family, known = tables
            named = {name: name for name in known}
            self._under("paytables")[family] = chosen(f"paytable of {family}", table_id, named)

    def _families(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        return {name: (name, tuple(tables)) for name, tables in self.book.paytables.items()}

    def _reading(self, rest: str) -> None:
        known = {name: (name, reading) for name, reading in self.book.readings.items()}
        (name, reading), choice = longest("reading of this document", rest, known)
        named = {choice: choice for choice in reading.choices}
        self._under("readings")[name] = chosen(f"choice of {name}", choice, named)

    def _option(self, rest: str) -> None:
        known = {name: (name, option) for name, option in self.book.options.items()}
        (name, option), value = longest("option of this document", rest, known)
        self._under("options")[name] = _option_value(option.type, option.choices, value)

    def _limit(self, rest: str) -> None:
        match = re.fullmatch(r"(.+?)\s+(?:(?:from\s+)?(\S+)\s+to|from|up\s+to)\s+(\S+)", rest, re.I)
        if match is None:
            raise Misread("write 'limit ante 5 to 500', 'limit ante from 5' or '… up to 500'")
        name = chosen("wager of this game", match[1], {n: n for n in self.book.wagers})
        low, high = match[2], match[3]
        if low is None and re.search(r"\sfrom\s+\S+$", rest, re.I):
            low, high = high, None
        limits = self._under("limits").setdefault(name, {})
        if low is not None:
            limits["minimum"] = format_cents(amount(low))
        if high is not None:
            limits["maximum"] = format_cents(amount(high))

    def _meter(self, rest: str) -> None:
        name, _, stated = rest.partition(" ")
        meters = self._under("progressive").setdefault("meters", {})
        terms = meters.setdefault(squeezed(name), {})
        for item in items(stated):
            field, value = _meter_item(item)
            terms[field] = value

    def _stakes(self, rest: str) -> None:
        kind, _, listed = rest.partition(" ")
        if kind.lower() not in ("stakes", "stake"):
            raise Misread("write 'progressive stakes 1, 5'")
        stakes = [format_cents(amount(item)) for item in items(listed)]
        self._under("progressive")["stakes"] = stakes

    def _inventory(self, rest: str) -> None:
        self.inventory = amount(rest)

    def _submission(self, rest: str) -> None:
        if self.terms:
            raise Misread("the submission comes first; lines after it can change its terms")
        try:
            stated = read_submission(self.folder / rest)
        except ValueError:
            raise Misread(f"{shown(rest)} is not the path of a file") from None
        if stated.rulebook and stated.rulebook != self.rulebook:
            raise Misread(f"that submission is for {stated.rulebook}, not for {self.rulebook}")
        self.terms = msgspec.to_builtins(stated)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise Misread(f"{shown(str(path))} cannot be read: {error.strerror}") from None
    except ValueError:
        raise Misread(f"{shown(str(path))} cannot be read as text") from None


def _option_value(kind: str, choices: tuple[str, ...], value: str) -> Any:
    if kind == "amount":
        return format_cents(amount(value))
    if kind == "yes_no":
        return chosen("answer", value, {"yes": True, "no": False})
    if kind == "count":
        if not re.fullmatch(r"[0-9]{1,4}", value):
            raise Misread(f"{shown(value)} is not a whole number")
        return int(value)
    return chosen("choice", value, {choice: choice for choice in choices})


def _meter_item(item: str) -> tuple[str, str]:
    for pattern, field in _METER:
        match = pattern.fullmatch(item)
        if match is None:
            continue
        if field != "rate":
            return field, format_cents(amount(match[1]))
        share = _SHARE.fullmatch(match[1].strip())
        if share is None:
            raise Misread(f"{shown(match[1])} is not a rate: write a percentage, as in 'rate 5%'")
        return field, format(Decimal(share[1]) / 100, "f")
    raise Misread(
        f"{shown(item)} is no term of a meter: write 'meter main starts at 10,000, resets to "
        "10,000, rate 5%'"
    )


HEAD: Final[dict[str, Callable[[Head, str], None]]] = {
    "dealt": Head._dealt,
    "live": Head._cards,
    "care": Head._care,
    "offers": Head._offers,
    "paytable": Head._paytable,
    "reading": Head._reading,
    "option": Head._option,
    "limit": Head._limit,
    "meter": Head._meter,
    "progressive": Head._stakes,
    "inventory": Head._inventory,
    "submission": Head._submission,
}
