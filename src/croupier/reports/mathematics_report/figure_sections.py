"""The sections of figures: edges, outcome tables, moments, money, every paytable."""

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

__all__ = [
    "exposure_section",
    "figures_section",
    "outcome_sections",
    "table_named",
    "tables_section",
]

LARGEST_WHOLE = 2**53


def figures_section(report: Report) -> Section:
    """House edges first: what everybody looks for."""
    wagers = (report.main, *report.sides)
    rows = tuple(_edge_row(one) for one in wagers)
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


def _edge_row(one: WagerFigures) -> tuple[Cell, ...]:
    tables = ", ".join(table for table in one.tables.values() if table != "only")
    found = one.moments
    if one.sampled is not None:
        about = one.sampled
        figures = (about.standard_deviation, about.hit_frequency)
        return (one.title, tables, about.edge_words, "not exact", *figures, None, None)
    if found is None:
        return (one.title, tables, "not computed", "", None, None, None, None)
    return (
        one.title,
        tables,
        found.house_edge.value,
        found.expected_value.exact,
        found.standard_deviation,
        found.hit_frequency.value,
        found.push_frequency.value,
        found.loss_frequency.value,
    )


def _main_words(main: WagerFigures) -> Iterator[Block]:
    if main.units_wagered is not None and main.element_of_risk is not None:
        yield Words(
            f"{main.units_wagered:.6f} units are wagered on average, so the loss for each unit "
            f"wagered is {main.element_of_risk:.6%} (element of risk)."
        )


def _refusals(wagers: Sequence[WagerFigures]) -> Iterator[Block]:
    for one in wagers:
        if one.not_computed:
            yield Missing(one.title, one.not_computed)
        if one.sampled is not None:
            yield Words(
                f" {one.sampled.rounds:,} rounds from seed {one.sampled.seed} were sampled for "
                f"{one.title}, {one.sampled.played}. The figure is their mean with its standard "
                "error, not an exact one.",
                strong="Sampled.",
            )


# -- outcome tables -------------------------------------------------------------------------------


def outcome_sections(report: Report) -> tuple[Section, ...]:
    return tuple(_outcome_section(one) for one in (report.main, *report.sides))


def _outcome_section(one: WagerFigures) -> Section:
    if one.moments is None:
        return Section(one.title, (Missing(f"The outcomes of {one.title}", one.not_computed),))
    nets = by_net(one.outcomes)
    title = f"{one.title}: chance of each net result"
    mean = one.moments.expected_value.value
    settles = f"{one.title}: the mean result of a round, 95% interval"
    return Section(
        one.title,
        (
            *(
                [*_line_tables(one), _net_table(one, one.moments)]
                if one.wager == "main"
                else [_outcome_table(one, one.moments)]
            ),
            Picture(
                title,
                distribution_svg(nets, title, printed=False),
                (distribution_svg(nets, title, printed=True),),
            ),
            _moments_table(one.moments),
            _convergence_table(one),
            Picture(
                settles,
                convergence_svg(one.convergence, mean, settles, printed=False),
                (convergence_svg(one.convergence, mean, settles, printed=True),),
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
    """In a main game more than one unit is wagered, so one unit more is not its return."""
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


def _outcome_table(one: WagerFigures, moments: Moments) -> Grid:
    columns = (Column("Hand"), Column("Pays"), *_SUMMED, Column("True odds against"))
    rows = tuple((row.hand, row.pays, *_counted(row), row.true_odds) for row in one.outcomes)
    return Grid(
        "Paytable and outcomes",
        columns,
        rows,
        sums=_sums(moments),
        results=_results(moments),
        note=_about(one, moments),
    )


def _about(one: WagerFigures, moments: Moments) -> str:
    told = [f"Paytable {table}." for table in one.tables.values() if table != "only"]
    if one.hands:
        told = [f"{one.hands} hands dealt, the dealer's included."]
    if any("meter" in row.pays for row in one.outcomes):
        told.append(f"Stake ${one.stake_cents / 100:,.2f}; meters at their reset.")
    return " ".join([*told, _exact_counts(moments.combinations)]).strip()


def _counted(row: OutcomeRow) -> tuple[Cell, ...]:
    return (row.combinations, row.probability.value, row.net.value, row.contribution.value)


def _line_tables(one: WagerFigures, wagers: Collection[str] = ()) -> Iterator[Grid]:
    """A table for each wager of the main game, or for those named."""
    columns = (
        Column("Hand"),
        Column("Units"),
        Column("Pays"),
        *_SUMMED,
        Column("True odds against"),
    )
    for wager in dict.fromkeys(line.wager for line in one.lines):
        lines = [line for line in one.lines if line.wager == wager]
        if wagers and wager not in wagers:
            continue
        rows = tuple(_paid(line) for line in lines)
        part = sum((line.contribution.fraction for line in lines), Fraction(0))
        count = sum(line.combinations for line in lines)
        sums = {"combinations": float(count), "probability": 1.0, "contribution": float(part)}
        note = f"All ways in which the wager ends under the best play; together exactly {part}."
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


def _net_table(one: WagerFigures, moments: Moments) -> Grid:
    """The main game by what a round comes to; its single outcomes are an appendix."""
    total = moments.combinations
    rows = tuple(
        (
            f"{'+' if net > 0 else ''}{net}",
            count,
            float(count / total),
            float(net),
            float(net * count / total),
        )
        for net, count in by_net(one.outcomes).items()
    )
    columns = (Column("Result of the round"), *_SUMMED)
    tables = [f"{name} {table}".removesuffix(" only") for name, table in one.tables.items()]
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


def _moments_table(found: Moments) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = (
        ("Variance", found.variance.value, found.variance.exact),
        ("Standard deviation", found.standard_deviation, ""),
        ("Skewness", found.skewness, ""),
        ("Excess kurtosis", found.excess_kurtosis, ""),
        ("Volatility index, 90% (1.645 deviations)", found.volatility_90, ""),
        ("Volatility index, 95% (1.960 deviations)", found.volatility_95, ""),
        (
            "Most common net result",
            found.most_common_net.value,
            _often(found.most_common_frequency.value),
        ),
        ("Largest win", found.largest_win.value, _often(found.largest_win_frequency.value)),
        ("Largest loss", found.largest_loss.value, ""),
    )
    columns = (
        Column("Of one round, per unit"),
        Column("", "number"),
        Column("Exact, or how often"),
    )
    return Grid("Moments", columns, rows)


def _often(chance: float) -> str:
    return f"in {chance:.6%} of rounds" if chance >= 1e-6 else f"once in {1 / chance:,.0f} rounds"


def _convergence_table(one: WagerFigures) -> Grid:
    columns = (
        Column("Rounds", "count"),
        Column("from (normal)", "percent"),
        Column("to (normal)", "percent"),
        Column("from (counted)", "percent"),
        Column("to (counted)", "percent"),
    )
    rows = tuple(
        (row.rounds, row.low, row.high, row.exact_low, row.exact_high) for row in one.convergence
    )
    note = (
        "The mean result of so many rounds lies between these in 95 of 100 cases. Counted: the "
        "distribution of the sum itself, where it is within reach; normal: the usual "
        "approximation, rough where the skewness is large beside the root of the rounds."
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
        one.wager: one.moments.house_edge.value
        for one in (report.main, *report.sides)
        if one.moments is not None
    }
    rows = tuple(
        (
            one.title,
            one.stake_cents,
            edges[one.wager],
            one.per_hour_cents.value,
            one.per_table_hour_cents.value,
            one.hold.value,
            one.largest_stake_cents,
            one.largest_win_cents.value,
        )
        for one in report.winnings
    )
    total = sum(one.per_table_hour_cents.value for one in report.winnings)
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
        Column("Shortens from a stake of", "money"),
        Column("Stake looked at", "money"),
        Column("Edge without", "percent"),
        Column("Edge with it", "percent"),
        Column("Clause"),
    )
    rows = tuple(
        (
            one.wager,
            one.limit_cents,
            one.highest_pay.value,
            one.binds_from_cents.value,
            one.stake_cents,
            one.edge_without.value,
            "not computed" if one.edge_with_limit is None else one.edge_with_limit.value,
            one.clause,
        )
        for one in report.limits
    )
    yield Grid(
        "Payout limits, each wager taken alone",
        columns,
        rows,
        note="Wagers that win together meet the limit sooner. The main game is played as if there "
        "were no limit. Outside this section figures leave limits out.",
    )
    for why in dict.fromkeys(one.not_computed for one in report.limits if one.not_computed):
        yield Missing("The main game under a limit that shortens it", why)


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
                _alternative(one)
                for one in report.alternatives
                if not one.in_force
                and one.figures.moments is not None
                and (one.wager != "main" or one.figures.lines)
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
    for one in tables:
        title, found = one.figures.title, one.figures.moments
        mark = "in force" if one.in_force else ""
        if found is None:
            rows.append(
                (title, one.table, "not computed", "", None, None, one.figures.not_computed)
            )
            continue
        rows.append(
            (
                title,
                one.table,
                found.house_edge.value,
                found.expected_value.exact,
                found.standard_deviation,
                found.hit_frequency.value,
                mark,
            )
        )
    return Grid("", columns, tuple(rows), small=True)


def _alternative(one: AlternativeTable) -> Section:
    assert one.figures.moments is not None
    title = f"{one.figures.title}, {one.table}"
    if one.wager == "main":
        shaped = {line.wager for line in one.figures.lines if line.table}
        return Section(title, tuple(_line_tables(one.figures, shaped)))
    return Section(title, (_outcome_table(one.figures, one.figures.moments),))
