"""The methods behind the figures, and the checks made with this report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import msgspec

from croupier.errors import CroupierError, Unsolvable
from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.registry import solver_for
from croupier.reports.conformance import summary
from croupier.reports.mathematics_report.record import (
    Assumptions,
    Check,
    Method,
    SimulatedWager,
    Simulation,
    WagerFigures,
)
from croupier.reports.mathematics_report.source import Source
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.rules import Rules, at_a_table, put_in_force
from croupier.simulation.comparing import TOO_FAR, Comparison, compare
from croupier.simulation.playing import RunTotals, play_stretch, prepare, stretches
from croupier.simulation.run_setting import Setting, chosen_wagers, with_progressive


def simulated(source: Source, assumed: Assumptions, step: Callable[[str], None]) -> Simulation:
    """Simulate rounds of one seat through the engine, settled wager by wager, beside the exact
    values."""
    if not assumed.simulated_rounds:
        return _no_simulation(assumed, "it was left out (--simulate 0)")
    if source.changes:
        why = "pays were changed for this report, and rounds are dealt by rulebook files alone"
        return _no_simulation(assumed, why)
    try:
        setting, rules = _setting(source, assumed)
        prepare(setting)
        tally = RunTotals()
        planned = stretches(assumed.simulated_rounds)
        for stretch in planned:
            step(f"simulation, stretch {stretch.number} of {len(planned)}")
            tally.add(play_stretch(setting, stretch))
        comparisons = compare(tally, setting, rules)
    except CroupierError as error:
        return _no_simulation(assumed, error.message)
    return Simulation(
        rounds=tally.rounds,
        seats=setting.seats,
        seed=setting.seed,
        strategy=setting.strategy,
        wagers=tuple(
            _compared(comparison, rules)
            for comparison in comparisons
            if comparison.reason != "part of main"
        ),
    )


def _no_simulation(assumed: Assumptions, why: str) -> Simulation:
    return Simulation(
        rounds=0, seats=1, seed=assumed.seed, strategy="optimal", wagers=(), not_computed=why
    )


def _setting(source: Source, assumed: Assumptions) -> tuple[Setting, Rules]:
    """Return a setting with stakes and rates of a progressive that the rulebook leaves open."""
    submission = source.submission
    if source.is_submission:
        submission = at_a_table(submission, source.rules.book)
    else:
        submission = with_progressive(submission, source.rules)
    rules = put_in_force(source.file, submission)
    setting = Setting(
        rulebook=source.name,
        rulebook_text=source.text,
        submission=msgspec.json.encode(submission).decode(),
        wagers=chosen_wagers(rules, {}),
        seats=1,
        strategy="optimal",
        seed=assumed.seed,
    )
    return setting, rules


def _compared(comparison: Comparison, rules: Rules) -> SimulatedWager:
    named = rules.book.wagers.get(comparison.wager)
    title = comparison.wager.replace("_", " ") if named is None else named.title
    return SimulatedWager(
        wager=comparison.wager,
        title="Main game" if comparison.wager == "main" else title,
        hands=comparison.hands,
        mean=comparison.mean,
        standard_error=comparison.error,
        exact=comparison.exact,
        z=comparison.z,
        judged=not comparison.hangs_on_few,
        note=comparison.reason,
    )


# -- method ---------------------------------------------------------------------------------------


def method_of(source: Source, wagers: Sequence[WagerFigures], run: Simulation) -> Method:
    try:
        shape, missing = solver_for(source.rules).shape, ""
        solver, solves = shape.name, shape.solves
    except Unsolvable as error:
        solver = solves = ""
        missing = error.message
    return Method(
        solver=solver,
        solves=solves,
        not_computed=missing,
        checks=tuple(_checks(source, wagers, run)),
        clauses=_clauses(source),
    )


def _checks(source: Source, wagers: Sequence[WagerFigures], run: Simulation) -> Iterator[Check]:
    for figures in wagers:
        if figures.moments is None:
            continue
        shares = sum((row.probability.fraction for row in figures.outcomes), Fraction(0))
        yield Check(
            what=f"{figures.title}: the probabilities of all outcomes add up to 1",
            found=str(shares),
            holds=shares == 1,
        )
        if figures.wager == "main":
            yield _by_both(source, figures)
            yield _by_wager(figures)
    for wager in run.wagers:
        if wager.z is not None and wager.judged:
            yield Check(
                what=f"{wager.title}: simulation and exact value, less than {TOO_FAR:g} standard "
                "errors apart",
                found=f"z = {wager.z:+.2f}",
                holds=abs(wager.z) <= TOO_FAR,
            )


def _by_both(source: Source, main: WagerFigures) -> Check:
    """Compare the solver's value, from its decisions, with the outcomes counted in a second pass:
    both must give the same fraction."""
    assert main.moments is not None
    solved = str(analyze(source.rules, "main")["expected_value_exact"])
    return Check(
        what="Main game: the value of the best play equals the sum over the outcomes, to the last "
        "digit",
        found=f"{solved} and {main.moments.expected_value.exact}",
        holds=solved == main.moments.expected_value.exact,
    )


def _by_wager(main: WagerFigures) -> Check:
    """Compare the sum over wagers, tabulated by the rulebook's pays, with the solver's total."""
    assert main.moments is not None
    parts = sum((line.contribution.fraction for line in main.lines), Fraction(0))
    return Check(
        what="Main game: the lines of all its wagers add up to the value, to the last digit",
        found=f"{parts} and {main.moments.expected_value.exact}",
        holds=str(parts) == main.moments.expected_value.exact,
    )


def _clauses(source: Source) -> dict[str, int]:
    book = source.rules.book.id
    if book not in DOCUMENTS or source.text:
        return {}
    counts: dict[str, int] = {}
    for statuses in summary(book).values():
        for status, many in statuses.items():
            counts[status] = counts.get(status, 0) + many
    return dict(sorted(counts.items()))
