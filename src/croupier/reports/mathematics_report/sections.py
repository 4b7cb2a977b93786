"""The layout of the record: the sections of the report and their tables, in order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.reports.mathematics_report.blocks import (
    Block,
    Column,
    Grid,
    Missing,
    Picture,
    Section,
    Words,
)
from croupier.reports.mathematics_report.figure_sections import (
    exposure_section,
    figures_section,
    outcome_sections,
    tables_section,
)
from croupier.reports.mathematics_report.play_sections import (
    known_section,
    progressive_section,
    readings_section,
    strategy_section,
)
from croupier.reports.mathematics_report.record import ExampleRound, Report


def sections_of(report: Report) -> tuple[Section, ...]:
    detail = outcome_sections(report)
    return (
        _subject(report),
        _rules(report),
        figures_section(report),
        Section("Outcome tables", (Words(_OUTCOMES),), detail, new_page=True),
        exposure_section(report),
        strategy_section(report),
        progressive_section(report),
        readings_section(report),
        known_section(report),
        _simulation(report),
        _method(report),
        _verification(report),
        _history(report),
        *tables_section(report),
    )


_OUTCOMES = (
    "Each way a wager can end, with the number of deals that lead there. The probability is the "
    "number of deals over all deals, the contribution is the probability times the net pay, and "
    "the contributions add up to the expected value."
)


def _subject(report: Report) -> Section:
    who, assumed = report.identity, report.assumptions
    facts = [
        ("Game", who.title),
        ("Rulebook", who.rulebook),
        ("Jurisdiction", who.jurisdiction),
        ("Document", who.document),
        ("Operator", who.operator or "none named"),
        ("Table", who.table or "none named"),
        ("Program", who.program),
        ("SHA-256 of the rules in force", who.rules_hash),
        ("SHA-256 of the solvers", who.solver_hash),
        ("SHA-256 of the settlement engine", who.engine_hash),
    ]
    choices = [
        ("paytable", name.replace("_", " "), _table(table)) for name, table in who.paytables.items()
    ]
    choices += [
        ("reading", name.replace("_", " "), choice.replace("_", " "))
        for name, choice in who.readings.items()
    ]
    choices += [
        ("option", name.replace("_", " "), value.replace("_", " "))
        for name, value in who.options.items()
    ]
    blocks: list[Block] = [
        _pairs("", facts),
        Grid("Choices in force", _columns("Kind", "Name", "Choice"), tuple(choices)),
        _pairs(
            "Assumptions of the figures in dollars",
            [
                ("Rounds an hour", f"{assumed.rounds_per_hour:,}"),
                ("Players at the table", f"{assumed.seats}"),
                ("Bet on each required wager", _dollars(assumed.bet_cents)),
                ("Buy-in of a player (the drop)", _dollars(assumed.buy_in_cents)),
                ("Hours played for it", f"{assumed.hours}"),
            ],
        ),
    ]
    blocks += [Words(f"{warning}.", "Warning: ") for warning in who.warnings]
    return Section("Subject", tuple(blocks))


def _table(name: str) -> str:
    return "the only one" if name == "only" else name


def _pairs(title: str, facts: list[tuple[str, str]]) -> Grid:
    return Grid(title, _columns("", ""), tuple(facts))


def _columns(*headings: str) -> tuple[Column, ...]:
    return tuple(Column(heading) for heading in headings)


def _dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


# -- the rules ------------------------------------------------------------------------------------


def _rules(report: Report) -> Section:
    rules = report.rules
    steps = tuple((item.step, item.words, item.clause) for item in rules.procedure)
    wagers = tuple(
        (item.title, item.role, item.stakes, item.paytable, item.needs, item.clause)
        for item in rules.wagers
    )
    decisions = tuple((item.step, item.words, item.clause) for item in rules.decisions)
    notices = tuple((item.words, item.clause) for item in rules.notices)
    remedies = tuple((item.what, item.when, item.effect, item.clause) for item in rules.remedies)
    layout = Picture("Layout of the table", rules.layout_svg, (rules.layout_svg,), percent=100)
    return Section(
        "Rules",
        (
            Words(rules.summary),
            Words(f"{rules.cards}; up to {rules.positions} positions.", "Cards: "),
            Grid("Notices to players", _columns("Rule", "Clause"), notices),
            Grid("Decisions", _columns("Decision", "What is asked", "Clause"), decisions),
        ),
        (
            Section(
                "Wagers and limits",
                (
                    Grid(
                        "",
                        _columns("Wager", "Role", "Stakes", "Paytable", "Needs", "Clause"),
                        wagers,
                    ),
                ),
            ),
            Section("Examples", tuple(_examples(report))),
            Section("Layout", (layout,)),
            Section("Procedure", (Grid("", _columns("Step", "What is done", "Clause"), steps),)),
            Section("Remedies", (_remedies(remedies),)),
        ),
        new_page=True,
    )


def _remedies(rows: tuple[tuple[str, str, str, str], ...]) -> Block:
    if not rows:
        return Words("The rulebook names no irregularities.")
    return Grid("", _columns("What happened", "When", "Effect on the round", "Clause"), rows)


def _examples(report: Report) -> Iterator[Block]:
    yield Words(
        "Rounds dealt from numbered seeds, played as the strategy of this report says, and settled "
        "by the engine that settles at tables."
    )
    for example in report.rules.examples:
        yield _example(example)
    if report.rules.examples_not_computed:
        yield Missing("Further examples", report.rules.examples_not_computed)


def _example(example: ExampleRound) -> Grid:
    cards = [f"Player {example.cards}"]
    cards += [f"community {example.community}"] if example.community else []
    cards += [f"dealer {example.dealer} ({example.dealer_hand})"] if example.dealer else []
    said = f" Said: {example.said}." if example.said else ""
    columns = (
        Column("Wager"),
        Column("Stake", "money"),
        Column("Net", "money", key="net", summed=True),
        Column("Why"),
        Column("Clause"),
    )
    rows = tuple(
        (line.wager, line.stake_cents, line.net_cents, line.words, line.clause)
        for line in example.lines
    )
    title = f"A {example.shows}: the player holds {example.player_hand}"
    note = f"{'; '.join(cards)}.{said}"
    return Grid(title, columns, rows, sums={"net": example.net_cents}, note=note)


# -- simulation and method ------------------------------------------------------------------------


def _simulation(report: Report) -> Section:
    run = report.simulation
    if run.not_computed:
        return Section("Simulation", (Missing("A simulation", run.not_computed),))
    columns = (
        Column("Wager"),
        Column("Hands", "count"),
        Column("Mean", "number", key="mean"),
        Column("Standard error", "number", key="error"),
        Column("Exact value", "number", key="exact"),
        Column("z", "number", formula="=([mean]-[exact])/[error]"),
        Column(""),
    )
    rows = tuple(
        (
            wager.title,
            wager.hands,
            wager.mean,
            wager.standard_error,
            wager.exact,
            wager.z,
            wager.note or ("" if wager.judged else "rests on hands too rare for so few rounds"),
        )
        for wager in run.wagers
    )
    return Section(
        "Simulation",
        (
            Words(
                f"{run.rounds:,} rounds of {run.seats} seat, seed {run.seed}, strategy "
                f"{run.strategy}, played command by command through the engine that runs tables. "
                "Means are per unit of the stake. The standard error is the larger of the sample's "
                "own and the one that follows from the exact deviation; z is the distance between "
                "mean and exact value in standard errors: between -2 and 2 in nineteen of twenty "
                "cases."
            ),
            Grid("", columns, rows),
        ),
    )


def _method(report: Report) -> Section:
    method = report.method
    blocks: list[Block] = []
    if method.not_computed:
        blocks.append(Missing("The main game", method.not_computed))
    else:
        blocks.append(
            Words(
                f"Solved as {method.solver}: {method.solves}. Every deal is counted, suits that "
                "can be exchanged together; decisions are found backwards from the last card. "
                "Counts are integers and every figure called exact is a quotient of two of them."
            )
        )
    blocks.append(
        Words(
            "Solvers and settlement are two programs that share no code but the ranking of hands "
            "and the rulebook. The project's tests compare them outcome by outcome and the ranking "
            "with a plain one on all hands; the checks below were made for this report."
        )
    )
    rows = tuple(
        (check.what, check.found, "holds" if check.holds else "FAILS") for check in method.checks
    )
    blocks.append(Grid("Checks", _columns("What", "Found", ""), rows))
    if method.clauses:
        counted = tuple((status.replace("_", " "), many) for status, many in method.clauses.items())
        columns = (Column("Status"), Column("Clauses", "count", key="clauses", summed=True))
        total = float(sum(method.clauses.values()))
        blocks.append(
            Grid(
                "Clauses of the document by status",
                columns,
                counted,
                sums={"clauses": total},
            )
        )
    return Section("Method and checks", tuple(blocks))


def _verification(report: Report) -> Section:
    """Return who verified what, and lines for signatures."""
    who, checks = report.identity, report.method.checks
    failed = sum(not check.holds for check in checks)
    outcome = f"{failed} of them FAILED; nothing should be signed" if failed else "all of them hold"
    run = report.simulation
    blocks: list[Block] = [
        Words(
            f"{who.program} made {len(checks)} checks while it wrote this report, listed under "
            f"Method and checks: {outcome}."
        ),
        Words(
            f"The settlement engine (SHA-256 {who.engine_hash[:16]}) played {run.rounds:,} rounds "
            "beside the exact figures; the section Simulation has the differences."
            if run.rounds
            else f"No rounds were played beside the exact figures: {run.not_computed}."
        ),
        Words(
            "The same rules, options, date and program give the same bytes of this report, so "
            "anybody can make it again and compare. The hashes on this page say what was verified; "
            "under other hashes the statement does not hold."
        ),
        Grid(
            "What is stated",
            _columns("Part", "SHA-256"),
            (
                ("rules in force", who.rules_hash),
                ("solvers", who.solver_hash),
                ("settlement engine", who.engine_hash),
            ),
        ),
    ]
    signers = (
        "figures, by the laboratory",
        "rules and layout, by the operator",
        "approval, by the regulator",
    )
    lines = tuple((part, "_" * 24, "_" * 24, "_" * 12) for part in signers)
    blocks.append(Grid("Verified by others", _columns("What", "Name", "Signature", "Date"), lines))
    return Section("Statement of verification", tuple(blocks))


def _history(report: Report) -> Section:
    rows = tuple(
        (
            str(version.number),
            version.date or "not given",
            version.program,
            version.rules_hash[:16],
            version.solver_hash[:16],
            "; ".join(version.changes),
        )
        for version in report.history
    )
    columns = _columns("Version", "Date", "Program", "Rules", "Solvers", "What changed")
    sentence = (
        "Each version with the first sixteen digits of its hashes. The version before this one is "
        "named by --previous when a report is made."
    )
    return Section("Version history", (Words(sentence), Grid("", columns, rows)))
