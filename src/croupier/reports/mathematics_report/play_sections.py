"""The sections on play, and on what may be otherwise: progressives, readings, seen cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.reports.mathematics_report.blocks import (
    Block,
    Cell,
    Column,
    Grid,
    Missing,
    Picture,
    Section,
    Words,
)
from croupier.reports.mathematics_report.charts import meters_svg
from croupier.reports.mathematics_report.figure_sections import table_named
from croupier.reports.mathematics_report.record import (
    DecisionShare,
    KnownCard,
    Meter,
    Progressive,
    ReadingEffect,
    Report,
    SimpleStrategy,
)

__all__ = ["known_section", "progressive_section", "readings_section", "strategy_section"]


def strategy_section(report: Report) -> Section:
    play = report.strategy
    blocks: list[Block] = []
    if play.decisions:
        blocks += _actions(play.decisions)
    else:
        blocks.append(Missing("The best play", report.main.not_computed))
    blocks.append(Words(play.equal_actions, "Equal actions: "))
    if play.chart is not None:
        title = f"The best play at the decision “{play.chart.decision}”"
        blocks.append(Picture(title, play.chart.svg, play.chart.printed_svgs, percent=64))
    else:
        blocks.append(Missing("A chart of the first decision", play.chart_not_computed))
    return Section(
        "Strategy",
        tuple(blocks),
        (
            Section("What each decision is worth", tuple(_without(report))),
            Section("Simple strategies", tuple(_simple(report))),
            Section("What one unit more on a line is worth", tuple(_units_more(report))),
        ),
        new_page=True,
    )


def _actions(listed: Sequence[DecisionShare]) -> Iterator[Grid]:
    """A table for each decision."""
    columns = (
        Column("Said"),
        Column("Combinations", "count", key="combinations", summed=True),
        Column(
            "Of all rounds",
            "percent",
            key="probability",
            formula="=[combinations]/[combinations:sum]",
            summed=True,
        ),
        Column("Worth in units", "number", key="worth"),
        Column(
            "Contribution",
            "percent",
            key="contribution",
            formula="=[probability]*[worth]",
            summed=True,
        ),
    )
    for decision in dict.fromkeys(one.decision for one in listed):
        actions = [one for one in listed if one.decision == decision]
        rows = tuple(
            (
                one.said,
                one.combinations,
                one.share,
                None if one.value is None else one.value.value,
                one.contribution.value,
            )
            for one in actions
        )
        value = sum((one.contribution.fraction for one in actions), Fraction(0))
        sums = {
            "combinations": float(sum(one.combinations for one in actions)),
            "probability": 1.0,
            "contribution": float(value),
        }
        note = "Worth: the mean net of the rounds in which the action is taken, to their end."
        yield Grid(f"Actions at the decision “{decision}”", columns, rows, sums=sums, note=note)


def _without(report: Report) -> Iterator[Block]:
    play = report.strategy
    if play.without:
        rows = tuple(
            (one.decision, one.instead, one.house_edge.value, one.house_edge.exact)
            for one in play.without
        )
        columns = (
            Column("Decision"),
            Column("Answered always"),
            Column("House edge", "percent"),
            Column("Exact"),
        )
        yield Grid("", columns, rows)
    if play.without_not_computed:
        yield Missing("The game without each decision", play.without_not_computed)


def _simple(report: Report) -> Iterator[Block]:
    play = report.strategy
    if play.simple:
        rows = tuple(
            (one.title, one.house_edge.value, one.cost.value, one.cost.exact) for one in play.simple
        )
        columns = (
            Column("Strategy"),
            Column("House edge", "percent"),
            Column("Over the best play", "percent"),
            Column("Exact"),
        )
        yield Grid("", columns, rows)
        for one in play.simple:
            yield from _written(one)
    if play.simple_not_computed:
        yield Missing("The price of simple strategies", play.simple_not_computed)


def _written(one: SimpleStrategy) -> Iterator[Block]:
    lines = [
        line for line in one.text.splitlines() if not line.startswith(("title:", "games:", "#"))
    ]
    yield Grid(one.title, (Column("As it is written"),), tuple((line,) for line in lines if line))
    if one.mistakes:
        yield Grid("", (Column("Where it errs most"),), tuple((told,) for told in one.mistakes))


def _units_more(report: Report) -> Iterator[Block]:
    lines = {(one.family, one.hand): one for one in report.main.lines if one.unit_more is not None}
    columns = (
        Column("Line"),
        Column("Pays"),
        Column("One unit more takes off the edge", "percent"),
        Column("Exact"),
    )
    for family in dict.fromkeys(family for family, _ in lines):
        listed = [one for (its, _), one in lines.items() if its == family]
        rows = tuple(
            (one.hand, one.pays, one.unit_more.value, one.unit_more.exact)
            for one in listed
            if one.unit_more is not None
        )
        note = "For the main game, until the best play changes."
        yield Grid(table_named(listed[0]), columns, rows, note=note)
    if not lines:
        yield Words("No paytable shapes the main game.")
    if report.sides:
        yield Words("On a side wager's line it is worth the probability of the line.")


# -- progressives ---------------------------------------------------------------------------------


def progressive_section(report: Report) -> Section:
    if not report.progressives:
        return Section(
            "Progressives and envy", (Words("No wager that pays from a meter is on offer."),)
        )
    parts = tuple(Section(one.title, tuple(_progressive(one))) for one in report.progressives)
    return Section("Progressives and envy", (), parts)


def _progressive(one: Progressive) -> Iterator[Block]:
    facts: list[tuple[Cell, ...]] = [
        ("Stake", f"${one.stake_cents / 100:,.2f}", ""),
        (
            "Return without the meters",
            one.return_without_meters.value,
            one.return_without_meters.exact,
        ),
        (
            "Return with every meter at its reset",
            one.return_at_reset.value,
            one.return_at_reset.exact,
        ),
    ]
    if one.long_run_return is not None:
        facts.append(
            ("Return in the long run", one.long_run_return.value, one.long_run_return.exact)
        )
    facts.append(
        ("Liability from the first bet on: the seeds", f"${one.liability_cents / 100:,.2f}", "")
    )
    columns = (Column(f"Paytable {one.table}"), Column("", "percent"), Column("Exact"))
    yield Grid("", columns, tuple(facts))
    if one.long_run_not_computed:
        yield Missing("The return in the long run", one.long_run_not_computed)
    yield _meters(one)
    title = f"{one.title}: return as a meter grows"
    yield Picture(
        title, meters_svg(one, title, printed=False), (meters_svg(one, title, printed=True),)
    )
    if one.envy:
        yield _envy(one)
    else:
        yield Words("No envy bonus goes with this paytable.")


def _meters(one: Progressive) -> Grid:
    columns = (
        Column("Meter"),
        Column("Seed", "money"),
        Column("Reset", "money"),
        Column("Rate", "percent"),
        Column("Paid to a bet", "percent"),
        Column("Bets between awards", "number"),
        Column("Breaks even at", "money"),
        Column("Mean reading", "money"),
        Column("Return at reset", "percent"),
    )
    note = (
        "Breaks even at: what the meter must show for the wager to cost nothing, the others at "
        "their reset. Mean reading: what a bet finds in the long run. What players have paid in "
        "and not won is owed besides the seeds."
    )
    return Grid("Meters", columns, tuple(_meter_row(meter) for meter in one.meters), note=note)


def _meter_row(meter: Meter) -> tuple[Cell, ...]:
    even, mean = meter.break_even_dollars, meter.mean_reading_dollars
    between = meter.bets_between_awards
    return (
        meter.name,
        meter.seed_cents,
        meter.reset_cents,
        "not stated" if meter.rate is None else meter.rate.value,
        meter.frequency.value,
        None if between is None else between.value,
        "never" if even is None else even.value * 100,
        "not computed" if mean is None else mean.value * 100,
        meter.return_at_reset.value,
    )


def _envy(one: Progressive) -> Grid:
    columns = (
        Column("Another player's hand"),
        Column("Pays", "money", key="pays"),
        Column("Combinations", "count", key="combinations"),
        Column("of", "count", key="total"),
        Column("Probability", "percent", key="probability", formula="=[combinations]/[total]"),
        Column(
            "Worth of one stake",
            "percent",
            key="worth",
            formula=f"=[pays]*[probability]/{one.stake_cents / 100}",
            summed=True,
        ),
    )
    rows = tuple(
        (
            row.hand,
            row.pays_cents,
            row.combinations,
            row.total,
            row.combinations / row.total,
            row.pays_cents * row.combinations / (row.total * one.stake_cents),
        )
        for row in one.envy
    )
    note = "For each other player; in all figures above nobody else is at the table."
    return Grid("Envy Bonus", columns, rows, sums={"worth": one.envy_per_player.value}, note=note)


# -- what may be otherwise ------------------------------------------------------------------------


def readings_section(report: Report) -> Section:
    title = "Sensitivity to every reading"
    if report.readings_not_computed:
        return Section(title, (Missing("Other readings", report.readings_not_computed),))
    if not report.readings:
        return Section(
            title, (Words("The rulebook has no place that can be read in more than one way."),)
        )
    columns = (
        Column("Reading and clauses"),
        Column("Choice"),
        Column("What it means"),
        Column("House edges that change"),
    )
    rows, last = [], ""
    for one in report.readings:
        name = one.reading.replace("_", " ")
        told = "" if name == last else f"{name} ({', '.join(one.clauses)})"
        last = name
        rows.append((told, one.choice.replace("_", " "), one.meaning, _changed(report, one)))
    note = "One reading is changed at a time; the edges in force are in section 3."
    return Section(title, (Grid("", columns, tuple(rows), note=note),))


def _changed(report: Report, one: ReadingEffect) -> str:
    if one.in_force:
        return "in force"
    now = {each.wager: each.moments for each in (report.main, *report.sides)}
    told = []
    for wager, edge in one.edges.items():
        before = now[wager]
        was = "" if before is None else f"{before.house_edge.value:.4%} to "
        told.append(f"{wager.replace('_', ' ')}: {was}{edge.value:.4%}")
    told += [f"{wager.replace('_', ' ')}: not computed" for wager in one.not_computed]
    return "; ".join(told) or "none"


def known_section(report: Report) -> Section:
    title = "Cards that are seen too early"
    if report.known_cards_not_computed:
        return Section(title, (Missing("Known cards", report.known_cards_not_computed),))
    columns = (
        Column("Seen before the first decision"),
        Column("Value to the player", "percent"),
        Column("Worth of seeing it", "percent"),
        Column("Value, exact"),
    )
    solved = tuple(
        (_seen(one), one.value.value, one.worth.value, one.value.exact)
        for one in report.known_cards
        if one.value is not None and one.worth is not None
    )
    blocks: list[Block] = [
        Words(
            "What the main game is worth, per unit of one required wager, to a player who sees one "
            "card that lies face down and plays his best with it."
        )
    ]
    if solved:
        blocks.append(Grid("", columns, solved))
    blocks += [Missing(_seen(o), o.not_computed) for o in report.known_cards if o.value is None]
    if not report.known_cards:
        blocks.append(Words("No card lies face down when the player decides."))
    return Section(title, tuple(blocks))


def _seen(one: KnownCard) -> str:
    return " and ".join(
        f"{'a card' if count == 1 else f'{count} cards'} of the {name.replace('_', ' ')}"
        for name, count in one.seen.items()
    ).replace("of the dealer", "of the dealer's")
