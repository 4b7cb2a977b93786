"""Paytable lines that pay otherwise than printed: `blind.flush=2`, `blind.straight=3 to 2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec import structs

from croupier.errors import BadRequest, CroupierError, shown, suggest
from croupier.money import Fixed, For, MeterShare, parse_pays
from croupier.rulebooks.name_checks import unknown_names
from croupier.rulebooks.play_checks import unplayable
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Follows, Paytable, Rulebook
from croupier.rulebooks.wager_families import families_of

_NUMBER: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,4})|/([1-9][0-9]{0,3}))?")
_FORM: Final = "write WAGER.HAND=ODDS, as in blind.flush=2 or blind.straight=3 to 2"


class ChangedLine(NamedTuple):
    """A changed line of a family's paytables; `name` is the name in the request."""

    name: str
    family: str
    tables: tuple[str, ...]
    hand: str
    pays: str


def read_changes(rules: Rules, texts: Iterable[str]) -> tuple[ChangedLine, ...]:
    """Read changes. `WAGER` is a wager, a bonus or a family of paytables; a bare number keeps the
    line's own form: n to 1, n for 1, or n dollars."""
    changes: dict[tuple[str, str], ChangedLine] = {}
    for text in texts:
        change = _read(rules, text)
        before = changes.setdefault((change.family, change.hand), change)
        if before.pays != change.pays:
            raise BadRequest(
                f"--pays {change.name} is given twice: {before.pays} and {change.pays}"
            )
    return tuple(changes.values())


def with_changes(rules: Rules, changes: Sequence[ChangedLine]) -> Rules:
    """Return the rules with these lines changed, checked like a rulebook file."""
    if not changes:
        return rules
    paytables = dict(rules.book.paytables)
    for change in changes:
        tables = dict(paytables[change.family])
        for table_id in change.tables:
            tables[table_id] = _changed(tables[table_id], change)
        paytables[change.family] = tables
    book = structs.replace(rules.book, paytables=paytables)
    problems = [*unknown_names(book), *unplayable(book)]
    if problems:
        raise BadRequest(f"--pays: {'; '.join(dict.fromkeys(problems))}")
    pays = {change.name: str(parse_pays(change.pays)) for change in changes}
    return replace(rules, book=book, pays={**rules.pays, **pays}, prepared={})


def _changed(table: Paytable, change: ChangedLine) -> Paytable:
    lines = tuple(
        structs.replace(line, pays=change.pays) if line.hand == change.hand else line
        for line in table.lines
    )
    return structs.replace(table, lines=lines)


def _read(rules: Rules, text: str) -> ChangedLine:
    target, equals, odds = text.partition("=")
    wager, dot, hand = target.strip().rpartition(".")
    odds = odds.strip()
    if not equals or not dot or not wager or not hand or not odds:
        raise BadRequest(f"--pays {shown(text)}: {_FORM}")
    tables = dict(_tables_of(rules, wager))
    having = [f for f, ids in tables.items() if any(hand in _hands(rules, f, i) for i in ids)]
    if not having:
        lines = [each for f, ids in tables.items() for i in ids for each in _hands(rules, f, i)]
        raise suggest(f"line of {wager}", hand, dict.fromkeys(lines))
    if len(having) > 1:
        raise BadRequest(
            f"--pays {target}: the paytables {' and '.join(having)} have this line; name one of "
            f"them, as in {having[0]}.{hand}"
        )
    (family,) = having
    ids = tuple(i for i in tables[family] if hand in _hands(rules, family, i))
    _check_alone(rules.book, wager, family, hand)
    table = rules.book.paytables[family][ids[0]]
    printed = next(line.pays for line in table.lines if line.hand == hand)
    return ChangedLine(f"{wager}.{hand}", family, ids, hand, _odds(text, odds, printed))


def _hands(rules: Rules, family: str, table: str) -> list[str]:
    return [line.hand for line in rules.book.paytables[family][table].lines]


def _tables_of(rules: Rules, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the families that a name stands for, each with its table in force, or all of its
    tables if the number of hands selects one."""
    book = rules.book
    families: list[str] = []
    if name in book.wagers:
        settles = book.wagers[name].settles
        families += families_of(settles)
        if isinstance(settles, Follows) and name not in book.paytables:
            raise BadRequest(
                f"--pays {name}: this wager has no paytable, it follows {settles.wager}"
            )
    elif name in book.bonuses:
        families.append(book.bonuses[name].paytable)
    if name in book.paytables and name not in families:
        families.append(name)
    if not families:
        known = [n for n, wager in book.wagers.items() if families_of(wager.settles)]
        raise suggest("wager with paytables", name, [*known, *book.bonuses, *book.paytables])
    for family in families:
        chosen = rules.chosen.get(family)
        yield family, tuple(book.paytables[family]) if chosen is None else (chosen,)


def _check_alone(book: Rulebook, wager: str, family: str, hand: str) -> None:
    """Refuse a wager's name if other wagers are paid by the same table, because the name means that
    wager alone."""
    if wager == family:
        return
    paid = [n for n, each in book.wagers.items() if family in families_of(each.settles)]
    paid += [name for name, bonus in book.bonuses.items() if bonus.paytable == family]
    others = [name for name in paid if name != wager]
    if others:
        raise BadRequest(
            f"--pays {wager}.{hand}: the paytable {family} also pays {' and '.join(others)}; to "
            f"change it for all of them write {family}.{hand}"
        )


def _odds(text: str, odds: str, printed: str) -> str:
    """Return odds as a rulebook file writes them."""
    if not _NUMBER.fullmatch(odds):
        try:
            return _as_written(odds)
        except CroupierError as error:
            raise BadRequest(f"--pays {shown(text)}: {error.message}") from None
    number, form = Fraction(odds), parse_pays(printed)
    if isinstance(form, MeterShare):
        raise BadRequest(
            f"--pays {shown(text)}: this line pays {form}, so write a share or a sum, as in "
            f"'{form.percent}% of {form.meter}' or '$500'"
        )
    if isinstance(form, For):
        if number.denominator == 1 and number > 0:
            return f"{number} for 1"
        raise BadRequest(f"--pays {shown(text)}: this line pays {form}, so write a whole number")
    if isinstance(form, Fixed):
        if (number * 100).denominator == 1:
            return f"${number}" if number.denominator == 1 else f"${float(number):.2f}"
        raise BadRequest(f"--pays {shown(text)}: this line pays {form}, so write dollars")
    return f"{number.numerator} to {number.denominator}" if number else "push"


def _as_written(odds: str) -> str:
    parse_pays(odds)
    return odds
