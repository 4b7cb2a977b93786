"""Sections of figures: edges, outcome tables, moments, money, every paytable."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from croupier.reports.mathematics_report.blocks import (
    Block,
    Cell,
    Column,
    Grid,
    Missing,
    Picture,
    Result,
    Section,
    Words,
)
from croupier.reports.mathematics_report.charts import convergence_svg, distribution_svg
from croupier.reports.mathematics_report.distributions import by_net
from croupier.reports.mathematics_report.record import (
    AlternativeTable,
    Moments,
    OutcomeRow,
    PaidLine,
    Report,
    WagerFigures,
)

LARGEST_WHOLE = 2**53


def figures_section(report: Report) -> Section:
    """Return the house edges, which readers look for first."""
    wagers = (report.main, *report.sides)
    rows = tuple(_edge_row(wager) for wager in wagers)
    columns = (
        Column("Wager"),
        Column("Paytable"),
        Column("House edge", "percent"),
        Column("Expected value, exact"),
        Column("Std deviation", "number"),
        Column("Wins", "percent"),
        Column("Pushes", "percent"),
        Column("Loses", "percent"),
    )
    note = (
        "Per unit of the wager; the main game per unit of one required wager, under the best play."
    )
    return Section(
        "House edge and frequencies",
        (
            Grid("", columns, rows, note=note),
            *_main_words(report.main),
            *_refusals(wagers),
        ),
    )


def _edge_row(wager: WagerFigures) -> tuple[Cell, ...]:
    tables = ", ".join(table for table in wager.tables.values() if table != "only")
    moments = wager.moments
    if wager.sampled is not None:
        about = wager.sampled
        figures = (about.standard_deviation, about.hit_frequency)
        return (wager.title, tables, about.edge_words, "not exact", *figures, None, None)
    if moments is None:
        return (wager.title, tables, "not computed", "", None, None, None, None)
    return (
        wager.title,
        tables,
        moments.house_edge.value,
        moments.expected_value.exact,
        moments.standard_deviation,
        moments.hit_frequency.value,
        moments.push_frequency.value,
        moments.loss_frequency.value,
    )


def _main_words(main: WagerFigures) -> Iterator[Block]:
    if main.units_wagered is not None and main.element_of_risk is not None:
        yield Words(
            f"{main.units_wagered:.6f} units are wagered on average, so the loss for each unit "
            f"wagered is {main.element_of_risk:.6%} (element of risk)."
        )


def _refusals(wagers: Sequence[WagerFigures]) -> Iterator[Block]:
    for wager in wagers:
        if wager.not_computed:
            yield Missing(wager.title, wager.not_computed)
        if wager.sampled is not None:
            yield Words(
                f" {wager.sampled.rounds:,} rounds from seed {wager.sampled.seed} were sampled for "
                f"{wager.title}, {wager.sampled.played}. The figure is their mean with its "
                "standard error, not an exact one.",
                strong="Sampled.",
            )


# -- outcome tables -------------------------------------------------------------------------------


def outcome_sections(report: Report) -> tuple[Section, ...]:
    return tuple(_outcome_section(wager) for wager in (report.main, *report.sides))


def _outcome_section(wager: WagerFigures) -> Section:
    if wager.moments is None:
        return Section(wager.title, (Missing(f"Outcomes of {wager.title}", wager.not_computed),))
    nets = by_net(wager.outcomes)
    title = f"{wager.title}: chance of each net result"
    mean = wager.moments.expected_value.value
    settles = f"{wager.title}: the mean result of a round, 95% interval"
    return Section(
        wager.title,
        (
            *(
                [*_line_tables(wager), _net_table(wager, wager.moments)]
                if wager.wager == "main"
                else [_outcome_table(wager, wager.moments)]
            ),
            Picture(
                title,
                distribution_svg(nets, title, printed=False),
                (distribution_svg(nets, title, printed=True),),
            ),
            _moments_table(wager.moments),
            _convergence_table(wager),
            Picture(
                settles,
                convergence_svg(wager.convergence, mean, settles, printed=False),
                (convergence_svg(wager.convergence, mean, settles, printed=True),),
            ),
        ),
    )


_SUMMED = (
    Column("Combinations", "count", key="combinations", summed=True),
    Column(
        "Probability",
        "percent",
        key="probability",
        formula="=[combinations]/[combinations:sum]",
        summed=True,
    ),
    Column("Net pay", "number", key="net"),
    Column(
        "Contribution",
        "percent",
        key="contribution",
        formula="=[probability]*[net]",
        summed=True,
    ),
)


def _results(moments: Moments, *, main: bool = False) -> tuple[Result, ...]:
    """A main game wagers more than one unit, so the result of one more unit is not its return."""
    value, edge = moments.expected_value.value, moments.house_edge.value
    back = Result("Return to the player", 1 + value, "percent", "=1+[contribution:sum]")
    return (
        Result("Expected value", value, "percent", "=[contribution:sum]"),
        *(() if main else (back,)),
        Result("House edge", edge, "percent", "=-[contribution:sum]"),
    )


def _sums(moments: Moments) -> dict[str, float]:
    return {
        "combinations": float(moments.combinations),
        "probability": 1.0,
        "contribution": moments.expected_value.value,
    }


def _exact_counts(total: int) -> str:
    if total < LARGEST_WHOLE:
        return ""
    return "Counts above 9,007,199,254,740,992 are rounded here; the JSON form has every digit."


def _outcome_table(wager: WagerFigures, moments: Moments) -> Grid:
    columns = (Column("Hand"), Column("Pays"), *_SUMMED, Column("True odds against"))
    rows = tuple((row.hand, row.pays, *_counted(row), row.true_odds) for row in wager.outcomes)
    return Grid(
        "Paytable and outcomes",
        columns,
        rows,
        sums=_sums(moments),
        results=_results(moments),
        note=_about(wager, moments),
    )


def _about(wager: WagerFigures, moments: Moments) -> str:
    sentences = [f"Paytable {table}." for table in wager.tables.values() if table != "only"]
    if wager.hands:
        sentences = [f"{wager.hands} hands dealt, the dealer's included."]
    if any("meter" in row.pays for row in wager.outcomes):
        sentences.append(f"Stake ${wager.stake_cents / 100:,.2f}; meters at their reset.")
    return " ".join([*sentences, _exact_counts(moments.combinations)]).strip()


def _counted(row: OutcomeRow) -> tuple[Cell, ...]:
    return (row.combinations, row.probability.value, row.net.value, row.contribution.value)


def _line_tables(figures: WagerFigures, wagers: Collection[str] = ()) -> Iterator[Grid]:
    """Yield a table for each wager of the main game, or for those named."""
    columns = (
        Column("Hand"),
        Column("Units"),
        Column("Pays"),
        *_SUMMED,
        Column("True odds against"),
    )
    for wager in dict.fromkeys(line.wager for line in figures.lines):
        lines = [line for line in figures.lines if line.wager == wager]
        if wagers and wager not in wagers:
            continue
        rows = tuple(_paid(line) for line in lines)
        part = sum((line.contribution.fraction for line in lines), Fraction(0))
        count = sum(line.combinations for line in lines)
        sums = {"combinations": float(count), "probability": 1.0, "contribution": float(part)}
        note = f"Every result of the wager under the best play; together exactly {part}."
        tables = ", ".join(dict.fromkeys(line.table for line in lines if line.table))
        yield Grid(f"{wager} {tables}".rstrip(), columns, rows, sums=sums, note=note)


def _paid(line: PaidLine) -> tuple[Cell, ...]:
    return (
        line.hand,
        str(line.units or ""),
        line.pays,
        line.combinations,
        line.probability.value,
        line.net.value,
        line.contribution.value,
        line.true_odds,
    )


def table_named(line: PaidLine) -> str:
    return f"Paytable {line.family.replace('_', ' ')} {line.table}".removesuffix(" only")


def _net_table(wager: WagerFigures, moments: Moments) -> Grid:
    """Return the main game by net result; its single outcomes are an appendix."""
    total = moments.combinations
    rows = tuple(
        (
            f"{'+' if net > 0 else ''}{net}",
            count,
            float(count / total),
            float(net),
            float(net * count / total),
        )
        for net, count in by_net(wager.outcomes).items()
    )
    columns = (Column("Result of the round"), *_SUMMED)
    tables = [f"{name} {table}".removesuffix(" only") for name, table in wager.tables.items()]
    about = f"Paytables: {', '.join(tables).replace('_', ' ')}. " if tables else ""
    return Grid(
        "By net result, in units of one required wager",
        columns,
        rows,
        sums=_sums(moments),
        results=_results(moments, main=True),
        note=f"{about}Single outcomes are in the appendix. {_exact_counts(total)}".strip(),
        small=len(rows) > 24,
    )


def _moments_table(moments: Moments) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = (
        ("Variance", moments.variance.value, moments.variance.exact),
        ("Standard deviation", moments.standard_deviation, ""),
        ("Skewness", moments.skewness, ""),
        ("Excess kurtosis", moments.excess_kurtosis, ""),
        ("Volatility index, 90% (1.645 deviations)", moments.volatility_90, ""),
        ("Volatility index, 95% (1.960 deviations)", moments.volatility_95, ""),
        (
            "Most common net result",
            moments.most_common_net.value,
            _often(moments.most_common_frequency.value),
        ),
        ("Largest win", moments.largest_win.value, _often(moments.largest_win_frequency.value)),
        ("Largest loss", moments.largest_loss.value, ""),
    )
    columns = (
        Column("Of one round, per unit"),
        Column("", "number"),
        Column("Exact, or how often"),
    )
    return Grid("Moments", columns, rows)


def _often(chance: float) -> str:
    return f"in {chance:.6%} of rounds" if chance >= 1e-6 else f"once in {1 / chance:,.0f} rounds"


def _convergence_table(wager: WagerFigures) -> Grid:
    columns = (
        Column("Rounds", "count"),
        Column("from (normal)", "percent"),
        Column("to (normal)", "percent"),
        Column("from (counted)", "percent"),
        Column("to (counted)", "percent"),
    )
    rows = tuple(
        (row.rounds, row.low, row.high, row.exact_low, row.exact_high) for row in wager.convergence
    )
    note = (
        "The mean result of this many rounds lies between these values in 95 of 100 cases. "
        "Counted: from the exact distribution of the sum, if it is within reach; normal: the "
        "usual approximation, rough if the skewness is large relative to the square root of "
        "the number of rounds."
    )
    return Grid("Intervals", columns, rows, note=note)


# -- money ----------------------------------------------------------------------------------------


def exposure_section(report: Report) -> Section:
    assumed = report.assumptions
    columns = (
        Column("Wager"),
        Column("Stake", "money", key="stake"),
        Column("House edge", "percent", key="edge"),
        Column(
            "House wins an hour, a player",
            "money",
            key="hour",
            formula=f"=[stake]*[edge]*{assumed.rounds_per_hour}",
        ),
        Column("a table", "money", key="table", formula=f"=[hour]*{assumed.seats}", summed=True),
        Column(
            "Share of the drop",
            "percent",
            formula=f"=[hour]*{assumed.hours}/{assumed.buy_in_cents / 100}",
        ),
        Column("Largest stake", "money"),
        Column("Largest win on it", "money"),
    )
    edges = {
        wager.wager: wager.moments.house_edge.value
        for wager in (report.main, *report.sides)
        if wager.moments is not None
    }
    rows = tuple(
        (
            wager.title,
            wager.stake_cents,
            edges[wager.wager],
            wager.per_hour_cents.value,
            wager.per_table_hour_cents.value,
            wager.hold.value,
            wager.largest_stake_cents,
            wager.largest_win_cents.value,
        )
        for wager in report.winnings
    )
    total = sum(wager.per_table_hour_cents.value for wager in report.winnings)
    note = (
        f"With {assumed.rounds_per_hour} rounds an hour, {assumed.seats} players, a buy-in of "
        f"${assumed.buy_in_cents / 100:,.2f} each for {assumed.hours} hours, every wager placed in "
        "every round. Players who lose their buy-in sooner play fewer rounds, so the share of the "
        "drop is an upper end. The largest stake is the one stated, else the one assumed."
    )
    blocks: list[Block] = [Grid("", columns, rows, sums={"table": total}, note=note)]
    blocks += _limits(report)
    return Section("Hold, exposure and payout limits", tuple(blocks))


def _limits(report: Report) -> Iterator[Block]:
    if not report.limits:
        yield Words(
            "No payout limit is in force: the document sets none, and no submission states one.",
            "Payout limits: ",
        )
        return
    columns = (
        Column("Wager"),
        Column("Limit", "money"),
        Column("Highest pay, units", "number"),
        Column("Reduces payments from a stake of", "money"),
        Column("Stake looked at", "money"),
        Column("Edge without", "percent"),
        Column("Edge with it", "percent"),
        Column("Clause"),
    )
    rows = tuple(
        (
            limit.wager,
            limit.limit_cents,
            limit.highest_pay.value,
            limit.binds_from_cents.value,
            limit.stake_cents,
            limit.edge_without.value,
            "not computed" if limit.edge_with_limit is None else limit.edge_with_limit.value,
            limit.clause,
        )
        for limit in report.limits
    )
    yield Grid(
        "Payout limits, each wager taken alone",
        columns,
        rows,
        note="Wagers that win together meet the limit sooner. The main game is played as if there "
        "were no limit. Outside this section figures leave limits out.",
    )
    for why in dict.fromkeys(limit.not_computed for limit in report.limits if limit.not_computed):
        yield Missing("The main game under a limit that reduces it", why)


# -- appendices -----------------------------------------------------------------------------------


def tables_section(report: Report) -> Iterator[Section]:
    main = report.main
    if main.moments is not None:
        columns = (Column("Hand"), Column("How it ended"), *_SUMMED)
        rows = tuple((row.hand, row.how, *_counted(row)) for row in main.outcomes)
        yield Section(
            "Main game, every outcome",
            (
                Grid(
                    "",
                    columns,
                    rows,
                    sums=_sums(main.moments),
                    results=_results(main.moments, main=True),
                    note=_exact_counts(main.moments.combinations),
                    small=True,
                ),
            ),
            appendix=True,
        )
    if report.alternatives:
        yield Section(
            "Every paytable of the rulebook",
            (_summary(report.alternatives),),
            tuple(
                _alternative(alternative)
                for alternative in report.alternatives
                if not alternative.in_force
                and alternative.figures.moments is not None
                and (alternative.wager != "main" or alternative.figures.lines)
            ),
            appendix=True,
        )


def _summary(tables: Sequence[AlternativeTable]) -> Grid:
    columns = (
        Column("Wager"),
        Column("Table"),
        Column("House edge", "percent"),
        Column("Expected value, exact"),
        Column("Std deviation", "number"),
        Column("Wins", "percent"),
        Column(""),
    )
    rows: list[tuple[Cell, ...]] = []
    for alternative in tables:
        title, moments = alternative.figures.title, alternative.figures.moments
        mark = "in force" if alternative.in_force else ""
        if moments is None:
            rows.append(
                (
                    title,
                    alternative.table,
                    "not computed",
                    "",
                    None,
                    None,
                    alternative.figures.not_computed,
                )
            )
            continue
        rows.append(
            (
                title,
                alternative.table,
                moments.house_edge.value,
                moments.expected_value.exact,
                moments.standard_deviation,
                moments.hit_frequency.value,
                mark,
            )
        )
    return Grid("", columns, tuple(rows), small=True)


def _alternative(alternative: AlternativeTable) -> Section:
    assert alternative.figures.moments is not None
    title = f"{alternative.figures.title}, {alternative.table}"
    if alternative.wager == "main":
        shaped = {line.wager for line in alternative.figures.lines if line.table}
        return Section(title, tuple(_line_tables(alternative.figures, shaped)))
    return Section(title, (_outcome_table(alternative.figures, alternative.figures.moments),))
