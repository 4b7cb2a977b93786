"""The valid part of a submission put into force, so that one mistake hides no other."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from croupier.errors import CroupierError
from croupier.rulebooks.clock import ClockTerms, clock_faults
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import (
    Rules,
    check_deal_order,
    families_to_choose,
    option_value,
    optional_wagers,
    put_in_force,
)
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Limits, ProgressiveTerms, Submission
from croupier.submissions.findings import Finding, error

__all__ = ["rules_of_valid_part"]


def rules_of_valid_part(file: RulebookFile, submission: Submission) -> tuple[Rules, list[Finding]]:
    """The rules in force without what is not valid, and what is wrong with limits and progressive.

    Readings, wagers, paytables and options are left out here: `check` reports them.
    """
    findings: list[Finding] = []
    base = _valid_choices(file.default, submission)

    def holds(trial: Submission) -> bool:
        try:
            put_in_force(file, trial)
        except CroupierError as problem:
            findings.append(error(problem.message, problem.clause))
            return False
        return True

    valid = msgspec.structs.replace(
        base,
        limits=_valid_limits(base, submission, holds),
        progressive=_valid_progressive(base, submission, holds),
    )
    return put_in_force(file, valid), list(dict.fromkeys(findings))


def _valid_choices(book: Rulebook, submission: Submission) -> Submission:
    families = families_to_choose(book)
    offered = submission.offered
    return msgspec.structs.replace(
        submission,
        readings={
            name: choice
            for name, choice in submission.readings.items()
            if name in book.readings and choice in book.readings[name].choices
        },
        offered=None
        if offered is None
        else tuple(name for name in offered if name in optional_wagers(book)),
        paytables={
            family: table_id
            for family, table_id in submission.paytables.items()
            if family in families and table_id in book.paytables[family]
        },
        options=_valid_options(book, submission),
        limits={},
        progressive=ProgressiveTerms(),
        clock=ClockTerms() if any(clock_faults(submission.clock)) else submission.clock,
    )


def _valid_options(book: Rulebook, submission: Submission) -> dict[str, str | int | float | bool]:
    valid = {n: v for n, v in submission.options.items() if _is_valid(book, n, v)}
    try:
        check_deal_order(book, valid)
    except CroupierError:
        del valid["deal_order"]
    return valid


def _is_valid(book: Rulebook, name: str, value: object) -> bool:
    try:
        option_value(name, book.options[name], value)
    except (KeyError, CroupierError):
        return False
    return True


def _valid_limits(
    base: Submission, submission: Submission, holds: Callable[[Submission], bool]
) -> dict[str, Limits]:
    limits: dict[str, Limits] = {}
    for name, limit in submission.limits.items():
        low, high = Limits(minimum=limit.minimum), Limits(maximum=limit.maximum)
        good_low, good_high = (
            holds(msgspec.structs.replace(base, limits={name: one})) for one in (low, high)
        )
        if good_low or good_high:
            limits[name] = Limits(
                minimum=limit.minimum if good_low else None,
                maximum=limit.maximum if good_high else None,
            )
    return limits


def _valid_progressive(
    base: Submission, submission: Submission, holds: Callable[[Submission], bool]
) -> ProgressiveTerms:
    """The stakes that are possible. Meters and links are left to `progressive`: nothing else
    depends on them."""
    return ProgressiveTerms(
        stakes=tuple(
            stake
            for stake in submission.progressive.stakes
            if holds(msgspec.structs.replace(base, progressive=ProgressiveTerms(stakes=(stake,))))
        )
    )
