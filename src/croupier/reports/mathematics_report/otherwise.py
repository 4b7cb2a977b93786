"""Alternatives: other readings of the document, and cards seen too early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.errors import CroupierError, Unsolvable
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.information.seen_cards import DEALER
from croupier.reports.mathematics_report.record import Exact, KnownCard, ReadingEffect
from croupier.reports.mathematics_report.source import Source
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Reading, Rulebook
from croupier.workers import workers

Step = Callable[[str], None]


def reading_effects(source: Source, hands: int, step: Step) -> Iterator[ReadingEffect]:
    """Yield every choice of every reading, changed one at a time: the house edges that move."""
    wagers = ("main", *source.sides)
    now = {wager: _edge(source.rules, wager, hands) for wager in wagers}
    for name, reading in source.rules.book.readings.items():
        for choice in reading.choices:
            if source.rules.readings[name] == choice:
                yield _effect(name, reading, choice, in_force=True)
                continue
            step(f"{name}={choice}")
            rules = source.choosing(readings={name: choice})
            questions = [(rules, wager, hands) for wager in wagers]
            edge_of = dict(zip(wagers, workers().map(_edge_of, questions), strict=True))
            edges = {
                wager: Exact.of(edge)
                for wager, edge in edge_of.items()
                if isinstance(edge, Fraction) and edge != now[wager]
            }
            missing = {wager: edge for wager, edge in edge_of.items() if isinstance(edge, str)}
            yield _effect(name, reading, choice, edges=edges, missing=missing)


def _effect(
    name: str,
    reading: Reading,
    choice: str,
    *,
    in_force: bool = False,
    edges: Mapping[str, Exact] | None = None,
    missing: Mapping[str, str] | None = None,
) -> ReadingEffect:
    return ReadingEffect(
        reading=name,
        question=reading.question,
        clauses=reading.clauses,
        choice=choice,
        meaning=reading.choices[choice].meaning,
        in_force=in_force,
        edges=dict(edges or {}),
        not_computed=dict(missing or {}),
    )


def _edge_of(question: tuple[Rules, str, int]) -> Fraction | str:
    return _edge(*question)


def _edge(rules: Rules, wager: str, hands: int) -> Fraction | str:
    """Return the house edge at the smallest stake that the table takes, or why there is none."""
    low, _ = rules.limits.get(wager, (None, None))
    try:
        figures: dict[str, Any] = analyze(
            rules, wager, Asked(stakes={wager: low} if low else {}, hands=hands)
        )
    except Unsolvable as error:
        return error.message
    return -Fraction(figures["expected_value_exact"])


def cards_to_see(book: Rulebook) -> Iterator[dict[str, int]]:
    """Return one card of each place that lies face down during a decision."""
    hidden = book.cards.dealer - max(
        (decision.sees_dealer for decision in book.decisions), default=0
    )
    if hidden > 0:
        yield {DEALER: 1}
    first = min((decision.sees_community for decision in book.decisions), default=0)
    shown = 0
    for reveal in book.reveals:
        shown += reveal.community
        if reveal.community and shown > first:
            yield {reveal.name: 1}


def known_cards(source: Source, step: Step) -> Iterator[KnownCard]:
    for seen in cards_to_see(source.rules.book):
        step(", ".join(f"{name}={count}" for name, count in seen.items()))
        try:
            figures: dict[str, Any] = analyze(source.rules, "main", Asked(knows=seen))
        except CroupierError as error:
            yield KnownCard(seen=seen, value=None, worth=None, not_computed=error.message)
            continue
        yield KnownCard(
            seen=seen,
            value=Exact.of(Fraction(figures["expected_value_exact"])),
            worth=Exact.of(Fraction(figures["worth_exact"])),
        )
