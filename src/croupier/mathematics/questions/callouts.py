"""Warnings about a game: the player has the edge, or a better hand pays less.

Each warning is one plain sentence; neither is ever a reason to refuse a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from croupier.cards import RANKS
from croupier.mathematics.game.payments import Loses, Paid, net_of
from croupier.mathematics.game.paytable_lines import HandTop, LineTests
from croupier.mathematics.stakes import stake_for
from croupier.money import MeterShare, Push
from croupier.rulebooks.rankings import names_held
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    EitherHandBeaten,
    HighestHand,
    Line,
    Pattern,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)
from croupier.rulebooks.wager_families import families_of, outcomes_of

MAIN: Final = "main"
_MOST_PAIRS: Final = 3


def warnings_of(rules: Rules, wagers: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """Return the warnings about figures by wager and by table, as `analysis` returns them."""
    warnings: list[str] = []
    for wager, tables in wagers.items():
        for table, figures in tables.items():
            exact = figures.get("expected_value_exact")
            if exact is not None:
                shown = bool(figures.get("meters"))
                value = Fraction(exact)
                warnings += edge_warning(rules.book, wager, value, table, shown=shown)
            for family, table_id in figures.get("paytables", {}).items():
                warnings += order_warnings(rules, family, table_id)
    return list(dict.fromkeys(warnings))


def edge_warning(
    book: Rulebook, wager: str, value: Fraction, table: str = "", *, shown: bool = False
) -> Iterator[str]:
    """Return a warning if the player has the edge; `value` is the expected net of one unit of the
    wager with its meters as they are `shown`, if it has any."""
    if value <= 0:
        return
    title = "the main game" if wager == MAIN else book.wagers[wager].title
    unit = "a required wager" if wager == MAIN else "the stake"
    named = f" with paytable {table}" if table and table != "only" else ""
    meters = ", with the meters as they stand" if shown else ""
    yield (
        f"The player has the edge on {title}{named}: {float(value):.4%} of {unit} a round on "
        f"average{meters}."
    )


def all_order_warnings(rules: Rules) -> Iterator[str]:
    """Return the order warnings of every paytable of the rulebook."""
    for family, tables in rules.book.paytables.items():
        for table_id in tables:
            yield from order_warnings(rules, family, table_id)


def order_warnings(rules: Rules, family: str, table_id: str) -> Iterator[str]:
    """Return a warning for each better hand that pays less than a worse one, in the order of the
    ranking."""
    pairs = dict.fromkeys(
        pair
        for lookup in _lookups(rules.book, family)
        for pair in _reversed(rules, lookup, family, table_id)
    )
    if pairs:
        table = f"{family.replace('_', ' ')} {table_id}".removesuffix(" only")
        listed = "; ".join(f"{better}, but {worse}" for better, worse in list(pairs)[:_MOST_PAIRS])
        yield f"In the paytable {table} a better hand pays less than a worse one: {listed}."


class _Lookup(NamedTuple):
    """The table of a wager or a bonus, and the hand that it looks at; `gaps`: a hand without a line
    pays nothing."""

    wager: str
    hand: str
    first: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    gaps: bool = True


def _lookups(book: Rulebook, family: str) -> Iterator[_Lookup]:
    for name, wager in book.wagers.items():
        settles = wager.settles
        if family not in families_of(settles):
            continue
        match settles:
            case VersusPaytable():
                yield _Lookup(name, settles.hand, settles.tested_first, settles.returns)
            case VersusDealer():
                # A table for losing hands need not have the best hands, which never lose.
                wins = [at for at, o in outcomes_of(settles) if o.paytable == family]
                yield _Lookup(name, settles.hand, gaps=any("higher" in at for at in wins))
            case EitherHandBeaten():  # the best hands are never beaten
                yield _Lookup(name, settles.hand, gaps=False)
            case HighestHand():
                yield _Lookup(name, settles.hand, returns=settles.returns)
    for bonus in book.bonuses.values():
        if bonus.paytable == family:
            yield _Lookup(bonus.on, bonus.hand)


class _Paid(NamedTuple):
    """A payment; `meter` is the share of a meter, in percent, in place of a net."""

    net: Fraction
    words: str
    meter: str = ""


def _reversed(
    rules: Rules, lookup: _Lookup, family: str, table_id: str
) -> Iterator[tuple[str, str]]:
    """Yield from the worst hand to the best each hand that pays less than a worse one, with that
    one."""
    lines = rules.paytable(family, table_id).lines
    plain = tuple([line for line in lines if _is_plain(rules.book, line)])
    tests = LineTests(
        Paytable(clause="", lines=plain),
        rules.book.patterns,
        lookup.hand,
        tested_first=lookup.first,
        returns=lookup.returns,
    )
    gaps = lookup.gaps and len(plain) == len(lines)
    best: dict[str, _Paid] = {}
    for top in _tops(rules.book, lookup.hand):
        paid = _paid(rules, lookup, tests.ending(top.held(tests.leaves)))
        if paid is None:
            worse = max(best.values(), default=None)
            if gaps and worse is not None and worse.net > 0:
                yield f"{_words(top.category)} is not paid", worse.words
            continue
        worse = best.get(paid.meter)
        if worse is not None and paid.net < worse.net:
            yield paid.words, worse.words
        elif worse is None or paid.net > worse.net:
            best[paid.meter] = paid


def _tops(book: Rulebook, hand: str) -> Iterator[HandTop]:
    """Return every category and first made rank, the worst first; plain cards have no order."""
    for category in names_held(book, hand):
        for rank in RANKS:
            if rank in book.deck.ranks:
                yield HandTop(category, rank)


def _paid(rules: Rules, lookup: _Lookup, ending: Paid) -> _Paid | None:
    """Return the payment at the smallest stake. A share of a meter is compared only with shares of
    the same meter."""
    pays = ending.pays
    if isinstance(pays, Loses):
        return None
    words = f"{_words(ending.hand)} {'pushes' if isinstance(pays, Push) else f'pays {pays}'}"
    if isinstance(pays, MeterShare):
        return _Paid(Fraction(pays.percent), words, pays.meter)
    taken = rules.book.wagers[lookup.wager].taken_before_deal
    stake = stake_for(rules, lookup.wager, None)
    return _Paid(net_of(pays, stake, taken_before_deal=taken), words)


def _words(name: str) -> str:
    return name.replace("_card_", "-card ").replace("_", " ")


def _is_plain(book: Rulebook, line: Line) -> bool:
    """Return whether the line follows the order of hands and looks only at category and
    made rank."""
    names = line.covers or (line.hand,)
    return all(_follows_order(book.patterns.get(name)) for name in names)


def _follows_order(pattern: Pattern | None) -> bool:
    if pattern is None:
        return True
    if pattern.ranks or pattern.suits or pattern.hand or pattern.suited is not None:
        return False
    return all(map(_follows_order, (*pattern.also, *pattern.unless)))
