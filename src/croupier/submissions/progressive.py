"""The check of a submission's progressive: stakes, seeds, resets, rates and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

from croupier.errors import CroupierError, Unsolvable, shown, suggest
from croupier.money import Fixed, For, MeterShare, Pays, To, dollars, parse_cents, parse_pays
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, progressive_wager, seed_floors
from croupier.rulebooks.schema import Line, Paytable, VersusPaytable
from croupier.rulebooks.submission import LinkedTable, MeterTerms, Submission
from croupier.submissions.findings import Finding, error, warning

_RATE = re.compile(r"(0|1)(\.\d{1,6})?")


def is_rate(text: str) -> bool:
    """Return whether this is a share of each stake, from 0 to 1 with at most six decimals."""
    return _RATE.fullmatch(text) is not None and Fraction(text) <= 1


def progressive_findings(
    rules: Rules, submission: Submission, opened: Callable[[str], RulebookFile]
) -> Iterator[Finding]:
    name = progressive_wager(rules.book)
    if name is None or name not in rules.offered:
        if submission.progressive.meters or submission.progressive.stakes:
            yield warning("progressive is filled in, but the wager is not offered")
        return
    table = _table(rules, name)
    yield from _stakes(rules, name)
    chosen = _is_chosen(rules, name, submission)
    if chosen:
        yield from _meters(rules, table, submission)
        seeds = _seeds(rules, submission)
        yield from _order(rules, name, table, seeds)
        yield from _generous(rules, name, table, seeds)
    for partner in submission.progressive.linked:
        yield from _link(rules, name, table if chosen else None, partner, opened)


def _family(rules: Rules, name: str) -> str:
    settles = rules.book.wagers[name].settles
    assert isinstance(settles, VersusPaytable)
    return settles.paytable


def _table(rules: Rules, name: str) -> Paytable:
    return rules.paytable(_family(rules, name))


def _is_chosen(rules: Rules, name: str, submission: Submission) -> bool:
    """Return whether the paytable, which determines the meters, is chosen. A missing choice is
    reported elsewhere."""
    family = _family(rules, name)
    only = len(rules.book.paytables[family]) == 1
    return only or submission.paytables.get(family) == rules.chosen[family]


def _stakes(rules: Rules, name: str) -> Iterator[Finding]:
    wager = rules.book.wagers[name]
    stakes = rules.stakes.get(name, ())
    clause = wager.stakes_clause or wager.clause
    if not stakes:
        yield error("progressive.stakes must be stated: the document names no amount", clause)
    elif len(stakes) > 1:
        amounts = " and ".join(dollars(stake) for stake in stakes)
        yield warning(
            f"progressive.stakes: {amounts} bets share one meter, so the smaller bet gets more of "
            "it for each dollar",
            clause,
        )


def _meters(rules: Rules, table: Paytable, submission: Submission) -> Iterator[Finding]:
    for meter in submission.progressive.meters:
        if meter not in table.meters:
            yield error(suggest("meter", meter, table.meters).message)
    floors = seed_floors(rules.book, rules.chosen)
    total = Fraction()
    for meter, seed in table.meters.items():
        terms = submission.progressive.meters.get(meter, MeterTerms())
        where = f"progressive.meters.{meter}"
        for part in ("seed", "reset"):
            yield from _floor(f"{where}.{part}", getattr(terms, part), floors[meter], seed.clause)
        rate_clause = seed.rate_clause or seed.clause
        if terms.rate is None:
            yield error(f"{where}.rate must be stated: its share of each stake", rate_clause)
        elif not is_rate(str(terms.rate)):
            yield error(
                f'{where}.rate is {shown(terms.rate)}, but must be a share from "0" to "1"',
                rate_clause,
            )
        else:
            total += Fraction(str(terms.rate))
    if total > 1:
        yield warning(f"the meters together take {float(total):.0%} of each stake")


def _floor(where: str, amount: object, floor: int, clause: str) -> Iterator[Finding]:
    if amount is None:
        yield error(f"{where} must be stated: at least {dollars(floor)}", clause)
        return
    try:
        cents = parse_cents(amount)
    except CroupierError as problem:
        yield error(f"{where}: {problem}", clause)
        return
    if cents < floor:
        yield error(f"{where} is {dollars(cents)}, but must be at least {dollars(floor)}", clause)


def _seeds(rules: Rules, submission: Submission) -> dict[str, int]:
    """Return each meter's seed, in cents: as stated, else the document's minimum."""
    seeds = dict(seed_floors(rules.book, rules.chosen))
    for meter, terms in submission.progressive.meters.items():
        if meter in seeds and terms.seed is not None:
            with suppress(CroupierError):
                seeds[meter] = max(0, parse_cents(terms.seed))
    return seeds


def _hand(line: Line) -> str:
    return line.hand.replace("_", " ")


def _order(rules: Rules, name: str, table: Paytable, seeds: dict[str, int]) -> Iterator[Finding]:
    """Warn of a better hand that pays less than a worse one with the meters at their seeds
    (MD-24)."""
    for stake in rules.stakes.get(name, ()):
        for better, worse in pairwise(table.lines):
            high, low = _worth(better, stake, seeds), _worth(worse, stake, seeds)
            if high < low:
                yield warning(
                    f"at the seeds and {dollars(stake)}, {_hand(better)} pays {dollars(high)} and "
                    f"the lower {_hand(worse)} {dollars(low)}",
                    better.clause,
                )


def _generous(rules: Rules, name: str, table: Paytable, seeds: dict[str, int]) -> Iterator[Finding]:
    """Warn of a progressive that returns more than is bet on it from its first day (A3).

    If a fold loses the wager, it returns less, and the exact figure needs a solution of the main
    game: this is computed only if the wager would be too generous without that rule.
    """
    from croupier.mathematics.questions.analysis import Asked, analyze
    from croupier.mathematics.side_wagers.analysis import analyze_side

    for stake in rules.stakes.get(name, ()):
        try:
            if analyze_side(rules, name, stake_cents=stake, meters=seeds).house_edge >= 0:
                continue
            figures = analyze(rules, name, Asked(stakes={name: stake}, meters=seeds))
        except Unsolvable:
            return  # no figure, no warning
        returned = 1 - float(str(figures["house_edge"]))
        if returned > 1:
            yield warning(
                f"at the seeds and {dollars(stake)} the {name} returns {returned:.1%} of what is "
                "bet on it",
                table.clause,
            )


def _worth(line: Line, stake: int, seeds: dict[str, int]) -> int:
    """Return everything the player receives on this line, in cents, the stake included if it comes
    back."""
    pays: Pays = parse_pays(line.pays)
    match pays:
        case MeterShare():
            return pays.award(seeds[pays.meter])
        case To() | For():
            return pays.winnings(stake) + stake
        case Fixed():
            return pays.cents
    return 0


def _link(
    rules: Rules,
    name: str,
    table: Paytable | None,
    partner: LinkedTable,
    opened: Callable[[str], RulebookFile],
) -> Iterator[Finding]:
    """Yield the faults of a linked game: it must have the same paytable, stake and number of decks
    (13(g))."""
    clause = rules.book.link_clause or rules.book.wagers[name].clause
    where = f"progressive.linked {partner.table!r}"
    try:
        theirs = opened(partner.rulebook).default
        stake = parse_cents(partner.stake)
    except CroupierError as problem:
        yield error(f"{where}: {problem}", clause)
        return
    tables = theirs.paytables.get("progressive", {})
    if partner.paytable not in tables:
        yield error(f"{where}: {partner.rulebook} has no progressive {partner.paytable!r}", clause)
    elif table is not None and not _same(
        rules, name, partner, _figures(tables[partner.paytable]), _figures(table)
    ):
        yield error(f"{where}: its paytable {partner.paytable} does not pay what ours pays", clause)
    if stake not in rules.stakes.get(name, (stake,)):
        yield error(f"{where}: its wager is {dollars(stake)}, ours is not", clause)
    if partner.decks != (rules.options.get("decks") or 1):
        yield error(f"{where}: it plays with {partner.decks} deck(s), we do not", clause)


def _same(
    rules: Rules,
    name: str,
    partner: LinkedTable,
    theirs: list[tuple[str, str]],
    ours: list[tuple[str, str]],
) -> bool:
    """Return whether the linked table has the same paytable: the very same one within a game (some
    differ in Envy only), the same figures between games."""
    if partner.rulebook != rules.book.id:
        return theirs == ours
    settles = rules.book.wagers[name].settles
    assert isinstance(settles, VersusPaytable)
    return partner.paytable == rules.chosen[settles.paytable]


def _figures(table: Paytable) -> list[tuple[str, str]]:
    return [(line.hand, line.pays) for line in table.lines]
