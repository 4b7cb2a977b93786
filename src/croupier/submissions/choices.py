"""The choices that a document leaves to the operator: everything a submission can state, as data
for a form."""

from __future__ import annotations

import msgspec

from croupier.money import format_cents, parse_cents
from croupier.rounds.payout_limits import bound_of
from croupier.rounds.paytable_lines import words_for
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import (
    Rules,
    families_to_choose,
    family_clause,
    progressive_wager,
    put_in_force,
    seed_floors,
)
from croupier.rulebooks.schema import Option, Paytable, Rulebook, VersusPaytable, Wager
from croupier.rulebooks.submission import Submission


class LineChoice(msgspec.Struct, frozen=True):
    """A printed line of a paytable."""

    words: str
    pays: str
    clause: str


class MeterChoice(msgspec.Struct, frozen=True):
    """A meter of a progressive. `least` is the smallest seed and reset amount that the document
    allows, in dollars."""

    name: str
    least: str
    clause: str
    rate_clause: str


class TableChoice(msgspec.Struct, frozen=True):
    id: str
    clause: str
    lines: tuple[LineChoice, ...]
    meters: tuple[MeterChoice, ...] = ()


class PaytableChoice(msgspec.Struct, frozen=True):
    """A family of paytables. The operator chooses one of `tables`; the choice matters only if
    `wager` (if any) is offered."""

    family: str
    title: str
    clause: str
    wager: str
    tables: tuple[TableChoice, ...]


class WagerChoice(msgspec.Struct, frozen=True):
    """A wager that the document allows. `limited`: the operator sets its minimum and maximum.
    `stakes`: the only stakes it takes, if any."""

    name: str
    title: str
    role: str
    clause: str
    limited: bool
    equals: str
    needs: tuple[str, ...]
    dealt_by: tuple[str, ...]
    stakes: tuple[str, ...]
    stakes_clause: str


class ReadingChoices(msgspec.Struct, frozen=True):
    """A clause that can be read in more than one way; the first choice applies if none is
    stated."""

    name: str
    ids: tuple[str, ...]
    question: str
    clauses: tuple[str, ...]
    reason: str
    effect: str
    choices: dict[str, str]


class OptionChoice(msgspec.Struct, frozen=True):
    name: str
    type: str
    words: str
    clause: str
    must_state: bool
    needs_wager: str
    default: str | int | bool | None
    fixed: bool | None
    least: int | None
    most: int | None
    choices: dict[str, str]
    """Each choice with its description."""
    belongs_to: dict[str, str]
    """Choices that are possible with one way of dealing only, each with that way."""


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    rulebook: str
    title: str
    jurisdiction: str
    document: str
    summary: str
    positions: int
    progressive: str
    """The wager that is paid from meters, or empty if the game has none."""
    link_clause: str
    wagers: tuple[WagerChoice, ...]
    paytables: tuple[PaytableChoice, ...]
    options: tuple[OptionChoice, ...]
    readings: tuple[ReadingChoices, ...]


class Bound(msgspec.Struct, frozen=True):
    """A payout limit under the rules in force: `set_by` is `document`, `at_least` or `at_most`;
    `amount` is in dollars."""

    clause: str
    bound_clause: str
    set_by: str
    amount: str
    covers: tuple[str, ...]


def choices_of(file: RulebookFile) -> Choices:
    book = file.default
    return Choices(
        rulebook=book.id,
        title=book.title,
        jurisdiction=book.jurisdiction,
        document=book.document,
        summary=" ".join(book.summary.split()),
        positions=book.positions.most,
        progressive=progressive_wager(book) or "",
        link_clause=book.link_clause,
        wagers=tuple([_wager(book, name, wager) for name, wager in book.wagers.items()]),
        paytables=tuple([_family(file, family) for family in families_to_choose(book)]),
        options=tuple([_option(book, name, option) for name, option in book.options.items()]),
        readings=tuple([_reading(book, name) for name in book.readings]),
    )


def bounds_of(rules: Rules) -> tuple[Bound, ...]:
    return tuple(
        [
            Bound(
                limit.clause,
                limit.bound_clause,
                limit.set_by,
                format_cents(bound_of(limit, rules)),
                tuple([rules.book.wagers[name].title for name in limit.covers]),
            )
            for limit in rules.book.payout_limits
        ]
    )


def _wager(book: Rulebook, name: str, wager: Wager) -> WagerChoice:
    is_progressive = name == progressive_wager(book)
    return WagerChoice(
        name=name,
        title=wager.title,
        role=wager.role,
        clause=wager.clause,
        limited=wager.role != "decided" and not wager.stakes and not is_progressive,
        equals=wager.equals,
        needs=wager.needs,
        dealt_by=wager.dealt_by,
        stakes=tuple([format_cents(parse_cents(stake)) for stake in wager.stakes]),
        stakes_clause=wager.stakes_clause or wager.clause,
    )


def family_wager(book: Rulebook, family: str) -> str:
    """Return the wager that these paytables pay, or an empty string if they pay a bonus."""
    if family in book.wagers:
        return family
    paid = [
        name
        for name, wager in book.wagers.items()
        if isinstance(wager.settles, VersusPaytable) and wager.settles.paytable == family
    ]
    return paid[0] if paid else ""


def family_title(book: Rulebook, family: str) -> str:
    wager = family_wager(book, family)
    return book.wagers[wager].title if wager else family.replace("_", " ").capitalize()


def _family(file: RulebookFile, family: str) -> PaytableChoice:
    book = file.default
    return PaytableChoice(
        family=family,
        title=family_title(book, family),
        clause=family_clause(book, family),
        wager=family_wager(book, family),
        tables=tuple([_table(file, family, table) for table in book.paytables[family]]),
    )


def _table(file: RulebookFile, family: str, table_id: str) -> TableChoice:
    book = file.default
    table = book.paytables[family][table_id]
    lines = tuple(
        [
            LineChoice(
                words_for(line.hand, book.patterns).removeprefix("a ").removeprefix("an "),
                line.pays,
                line.clause,
            )
            for line in table.lines
        ]
    )
    return TableChoice(table_id, table.clause, lines, _meters(file, family, table_id, table))


def _meters(
    file: RulebookFile, family: str, table_id: str, table: Paytable
) -> tuple[MeterChoice, ...]:
    if not table.meters:
        return ()
    rules = put_in_force(file, Submission(paytables={family: table_id}))
    floors = seed_floors(rules.book, rules.chosen)
    return tuple(
        [
            MeterChoice(name, format_cents(floors[name]), seed.clause, seed.rate_clause)
            for name, seed in table.meters.items()
            if name in floors
        ]
    )


def _option(book: Rulebook, name: str, option: Option) -> OptionChoice:
    titles = {way: dealing.title for way, dealing in book.dealing.items()}
    return OptionChoice(
        name=name,
        type=option.type,
        words=option.words,
        clause=option.clause,
        must_state=option.must_state,
        needs_wager=option.needs_wager,
        default=option.default,
        fixed=option.fixed,
        least=option.least,
        most=option.most,
        choices={choice: titles.get(choice, choice.replace("_", " ")) for choice in option.choices},
        belongs_to={
            order: way
            for way, dealing in book.dealing.items()
            for order in dealing.variants
            if order in option.choices
        },
    )


def _reading(book: Rulebook, name: str) -> ReadingChoices:
    reading = book.readings[name]
    return ReadingChoices(
        name=name,
        ids=reading.ids,
        question=reading.question,
        clauses=reading.clauses,
        reason=" ".join(reading.reason.split()),
        effect=" ".join(reading.effect.split()),
        choices={choice: " ".join(c.meaning.split()) for choice, c in reading.choices.items()},
    )
