"""Sections on play, progressives, readings, and seen cards."""

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
            Section("Value of each decision", tuple(_without(report))),
            Section("Simple strategies", tuple(_simple(report))),
            Section("Value of one more unit on a line", tuple(_units_more(report))),
        ),
        new_page=True,
    )


def _actions(listed: Sequence[DecisionShare]) -> Iterator[Grid]:
    """Yield a table for each decision."""
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
    for decision in dict.fromkeys(share.decision for share in listed):
        actions = [share for share in listed if share.decision == decision]
        rows = tuple(
            (
                share.said,
                share.combinations,
                share.share,
                None if share.value is None else share.value.value,
                share.contribution.value,
            )
            for share in actions
        )
        value = sum((share.contribution.fraction for share in actions), Fraction(0))
        sums = {
            "combinations": float(sum(share.combinations for share in actions)),
            "probability": 1.0,
            "contribution": float(value),
        }
        note = "Value: the mean net of the rounds in which the action is taken, to their end."
        yield Grid(f"Actions at the decision “{decision}”", columns, rows, sums=sums, note=note)


def _without(report: Report) -> Iterator[Block]:
    play = report.strategy
    if play.without:
        rows = tuple(
            (
                decision.decision,
                decision.instead,
                decision.house_edge.value,
                decision.house_edge.exact,
            )
            for decision in play.without
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
            (strategy.title, strategy.house_edge.value, strategy.cost.value, strategy.cost.exact)
            for strategy in play.simple
        )
        columns = (
            Column("Strategy"),
            Column("House edge", "percent"),
            Column("Cost over the best play", "percent"),
            Column("Exact"),
        )
        yield Grid("", columns, rows)
        for strategy in play.simple:
            yield from _written(strategy)
    if play.simple_not_computed:
        yield Missing("The price of simple strategies", play.simple_not_computed)


def _written(strategy: SimpleStrategy) -> Iterator[Block]:
    lines = [
        line
        for line in strategy.text.splitlines()
        if not line.startswith(("title:", "games:", "#"))
    ]
    yield Grid(strategy.title, (Column("In words"),), tuple((line,) for line in lines if line))
    if strategy.mistakes:
        yield Grid(
            "",
            (Column("Most expensive mistakes"),),
            tuple((sentence,) for sentence in strategy.mistakes),
        )


def _units_more(report: Report) -> Iterator[Block]:
    lines = {
        (line.family, line.hand): line for line in report.main.lines if line.unit_more is not None
    }
    columns = (
        Column("Line"),
        Column("Pays"),
        Column("Edge reduction by one more unit", "percent"),
        Column("Exact"),
    )
    for family in dict.fromkeys(family for family, _ in lines):
        listed = [line for (its, _), line in lines.items() if its == family]
        rows = tuple(
            (line.hand, line.pays, line.unit_more.value, line.unit_more.exact)
            for line in listed
            if line.unit_more is not None
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
    parts = tuple(
        Section(progressive.title, tuple(_progressive(progressive)))
        for progressive in report.progressives
    )
    return Section("Progressives and envy", (), parts)


def _progressive(progressive: Progressive) -> Iterator[Block]:
    facts: list[tuple[Cell, ...]] = [
        ("Stake", f"${progressive.stake_cents / 100:,.2f}", ""),
        (
            "Return without the meters",
            progressive.return_without_meters.value,
            progressive.return_without_meters.exact,
        ),
        (
            "Return with every meter at its reset",
            progressive.return_at_reset.value,
            progressive.return_at_reset.exact,
        ),
    ]
    if progressive.long_run_return is not None:
        facts.append(
            (
                "Return in the long run",
                progressive.long_run_return.value,
                progressive.long_run_return.exact,
            )
        )
    facts.append(
        (
            "Liability from the first bet on: the seeds",
            f"${progressive.liability_cents / 100:,.2f}",
            "",
        )
    )
    columns = (Column(f"Paytable {progressive.table}"), Column("", "percent"), Column("Exact"))
    yield Grid("", columns, tuple(facts))
    if progressive.long_run_not_computed:
        yield Missing("The return in the long run", progressive.long_run_not_computed)
    yield _meters(progressive)
    title = f"{progressive.title}: return as a meter grows"
    yield Picture(
        title,
        meters_svg(progressive, title, printed=False),
        (meters_svg(progressive, title, printed=True),),
    )
    if progressive.envy:
        yield _envy(progressive)
    else:
        yield Words("No envy bonus goes with this paytable.")


def _meters(progressive: Progressive) -> Grid:
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
    return Grid(
        "Meters", columns, tuple(_meter_row(meter) for meter in progressive.meters), note=note
    )


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


def _envy(progressive: Progressive) -> Grid:
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
            formula=f"=[pays]*[probability]/{progressive.stake_cents / 100}",
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
            row.pays_cents * row.combinations / (row.total * progressive.stake_cents),
        )
        for row in progressive.envy
    )
    note = "For each other player; in all figures above nobody else is at the table."
    return Grid(
        "Envy Bonus", columns, rows, sums={"worth": progressive.envy_per_player.value}, note=note
    )


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
    for effect in report.readings:
        name = effect.reading.replace("_", " ")
        label = "" if name == last else f"{name} ({', '.join(effect.clauses)})"
        last = name
        rows.append(
            (label, effect.choice.replace("_", " "), effect.meaning, _changed(report, effect))
        )
    note = "One reading is changed at a time; the edges in force are in section 3."
    return Section(title, (Grid("", columns, tuple(rows), note=note),))


def _changed(report: Report, effect: ReadingEffect) -> str:
    if effect.in_force:
        return "in force"
    now = {each.wager: each.moments for each in (report.main, *report.sides)}
    changes = []
    for wager, edge in effect.edges.items():
        before = now[wager]
        was = "" if before is None else f"{before.house_edge.value:.4%} to "
        changes.append(f"{wager.replace('_', ' ')}: {was}{edge.value:.4%}")
    changes += [f"{wager.replace('_', ' ')}: not computed" for wager in effect.not_computed]
    return "; ".join(changes) or "none"


def known_section(report: Report) -> Section:
    title = "Cards seen too early"
    if report.known_cards_not_computed:
        return Section(title, (Missing("Known cards", report.known_cards_not_computed),))
    columns = (
        Column("Seen before the first decision"),
        Column("Value to the player", "percent"),
        Column("Value of seeing it", "percent"),
        Column("Value, exact"),
    )
    solved = tuple(
        (_seen(card), card.value.value, card.worth.value, card.value.exact)
        for card in report.known_cards
        if card.value is not None and card.worth is not None
    )
    blocks: list[Block] = [
        Words(
            "The value of the main game, per unit of one required wager, to a player who sees one "
            "face-down card and plays best with it."
        )
    ]
    if solved:
        blocks.append(Grid("", columns, solved))
    blocks += [Missing(_seen(o), o.not_computed) for o in report.known_cards if o.value is None]
    if not report.known_cards:
        blocks.append(Words("No card lies face down when the player decides."))
    return Section(title, tuple(blocks))


def _seen(card: KnownCard) -> str:
    return " and ".join(
        f"{'a card' if count == 1 else f'{count} cards'} of the {name.replace('_', ' ')}"
        for name, count in card.seen.items()
    ).replace("of the dealer", "of the dealer's")
