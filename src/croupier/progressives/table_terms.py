"""The terms of a table on a link: paytable, wager, decks, and the clauses of its document.

They are taken from the rules in force when the table joins, and kept in the journal, so that a link
can be replayed without the rulebook files.
"""

from __future__ import annotations

import msgspec

from croupier.errors import BadAmount, CroupierError
from croupier.money import MeterShare, parse_cents, parse_pays
from croupier.progressives.meters import LinkMeterTerms, rate_millionths
from croupier.progressives.refusals import LinkRefusal
from croupier.rulebooks.rules import Rules, progressive_wager, seed_floors
from croupier.rulebooks.schema import Hand, Paytable, Rulebook, VersusPaytable
from croupier.rulebooks.submission import MeterTerms, Submission


class TableClauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clauses of the table's document; empty if it has none."""

    link: str = ""
    stakes: str = ""
    meter: str = ""
    late: str = ""
    light: str = ""
    validation: str = ""
    turn: str = ""
    once: str = ""


class DrawnLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the paytable that is paid from a meter."""

    meter: str
    percent: int
    clause: str


class Floor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The minimum for a meter's seed and reset amount."""

    cents: int
    clause: str


class TableTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    table: str
    rulebook: str
    title: str
    paytable: str
    figures: tuple[tuple[str, str], ...]
    """Hand and payout of every line, as printed."""
    lines: dict[str, DrawnLine]
    """The lines paid from a meter, by hand."""
    cards: int
    """The number of cards that make the hand."""
    stakes: tuple[int, ...]
    decks: int
    seats: int
    floors: dict[str, Floor]
    clauses: TableClauses


def table_terms(table: str, rules: Rules) -> TableTerms:
    """Return the table's terms for a link, under the rules in force."""
    name = progressive_wager(rules.book)
    if name is None or name not in rules.offered:
        raise LinkRefusal(f"table {table} offers no progressive wager", code="no_progressive")
    wager = rules.book.wagers[name]
    settles = wager.settles
    assert isinstance(settles, VersusPaytable)
    paytable = rules.paytable(settles.paytable)
    stakes = tuple(sorted(rules.stakes.get(name, ())))
    if not stakes:
        raise LinkRefusal(
            f"table {table} does not state the amount of its progressive wager",
            clause=wager.stakes_clause or wager.clause,
            code="no_stakes",
        )
    first = next(iter(paytable.meters.values()))
    decks = rules.options.get("decks")
    return TableTerms(
        table=table,
        rulebook=rules.book.id,
        title=rules.book.title,
        paytable=rules.chosen[settles.paytable],
        figures=tuple((line.hand, line.pays) for line in paytable.lines),
        lines=_drawn(paytable),
        cards=_count(rules.book.hands[settles.hand], rules.book),
        stakes=stakes,
        decks=decks if isinstance(decks, int) and decks else 1,
        seats=rules.book.positions.most,
        floors={
            meter: Floor(cents, paytable.meters[meter].clause)
            for meter, cents in seed_floors(rules.book, rules.chosen).items()
        },
        clauses=TableClauses(
            link=rules.book.link_clause,
            stakes=wager.stakes_clause or wager.clause,
            meter=first.rate_clause or first.clause,
            late=rules.book.progressive.late,
            light=rules.book.progressive.accepted,
            validation=wager.validated_clause,
            turn=rules.book.progressive.turn,
            once=rules.book.progressive.once,
        ),
    )


def _drawn(paytable: Paytable) -> dict[str, DrawnLine]:
    drawn = {}
    for line in paytable.lines:
        pays = parse_pays(line.pays)
        if isinstance(pays, MeterShare):
            drawn[line.hand] = DrawnLine(pays.meter, pays.percent, line.clause)
    return drawn


def _count(hand: Hand, book: Rulebook) -> int:
    """Return the number of cards in a hand: `community:3` is three cards, `community` all of
    them."""
    count = 0
    for place in hand.cards:
        name, _, some = place.partition(":")
        count += int(some) if some else int(getattr(book.cards, name))
    return count


def meter_terms(rules: Rules, submission: Submission) -> dict[str, LinkMeterTerms]:
    """Return the terms of every meter as the submission states them.

    A seed or reset amount that is not stated is the document's minimum; a rate must be stated.
    """
    name = progressive_wager(rules.book)
    if name is None:
        return {}
    settles = rules.book.wagers[name].settles
    assert isinstance(settles, VersusPaytable)
    seeds = rules.paytable(settles.paytable).meters
    floors = seed_floors(rules.book, rules.chosen)
    terms = {}
    for meter, reset_cents in rules.resets.items():
        stated = submission.progressive.meters.get(meter, MeterTerms())
        try:
            if stated.rate is None:
                raise BadAmount("its rate of progression must be stated")
            seed = floors[meter] if stated.seed is None else parse_cents(stated.seed)
            terms[meter] = LinkMeterTerms(seed, reset_cents, rate_millionths(stated.rate))
        except CroupierError as error:
            clause = seeds[meter].rate_clause or seeds[meter].clause
            raise BadAmount(f"meter {meter}: {error}", clause=clause) from None
    return terms
