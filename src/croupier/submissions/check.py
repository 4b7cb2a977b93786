"""The check of a submission: it reports everything that is wrong in one pass.

The names and values are checked first, one by one, so that one mistake hides no other. The valid
ones are then put into force, and the rules that concern several choices are checked on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from croupier.errors import BadData, CroupierError, plain, shown, suggest
from croupier.rulebooks.clock import ClockTerms, clock_faults
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.loader import RulebookFile, open_rulebook, parse_toml, toml_text
from croupier.rulebooks.rules import (
    Rules,
    check_deal_order,
    chosen_paytables,
    families_to_choose,
    family_clause,
    option_value,
    optional_wagers,
    put_in_force,
)
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Limits, ProgressiveTerms, Submission
from croupier.submissions.approvals import approval_findings
from croupier.submissions.findings import (
    Finding,
    equipment_findings,
    error,
    limit_findings,
    payout_limit_findings,
    warning,
)
from croupier.submissions.progressive import progressive_findings


def rules_of_valid_part(file: RulebookFile, submission: Submission) -> tuple[Rules, list[Finding]]:
    """Return the rules in force from the valid entries alone, and the findings on limits and
    progressive.

    Findings on readings, wagers, paytables and options are omitted here: `check_submission` reports
    them.
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
            holds(msgspec.structs.replace(base, limits={name: bound})) for bound in (low, high)
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
    """Return the progressive's terms with the valid stakes only. Meters and links are checked by
    `progressive_findings`: nothing else depends on them."""
    return ProgressiveTerms(
        stakes=tuple(
            stake
            for stake in submission.progressive.stakes
            if holds(msgspec.structs.replace(base, progressive=ProgressiveTerms(stakes=(stake,))))
        )
    )


MOST_UNKNOWN: Final = 50
"""The most unknown entries that are listed; a file with more is probably not a submission."""

Opener: TypeAlias = Callable[[str], RulebookFile]
"""Open the rulebook that a submission names."""


def check_file(path: Path) -> list[Finding]:
    """Return the findings on a submission file. Raise an error if the file cannot be read as a
    submission."""
    source = plain(path, 200)
    submission, findings = read_tree(parse_toml(toml_text(path), source), source)
    return findings + check_submission(submission)


def read_tree(tree: dict[str, Any], source: str) -> tuple[Submission, list[Finding]]:
    """Return the submission in these parsed tables, and a finding for each unknown entry."""
    unknown = [name for name in tree if name not in Submission.__struct_fields__]
    findings = [
        _refused(suggest("entry", name, Submission.__struct_fields__))
        for name in unknown[:MOST_UNKNOWN]
    ]
    known = {name: value for name, value in tree.items() if name in Submission.__struct_fields__}
    return into_form(known, Submission, source), findings


def check_submission(submission: Submission, opened: Opener = open_rulebook) -> list[Finding]:
    """Return every finding, errors first. `opened` opens the rulebooks that the submission names; a
    server passes an opener that reads no files."""
    if not submission.rulebook:
        raise BadData('the submission names no rulebook: begin with rulebook = "md-uth"')
    file = opened(submission.rulebook)
    book = file.default
    findings = [
        *_readings(book, submission),
        *_offered(book, submission),
        *_paytables(book, submission),
        *_options(book, submission),
        *(error(fault) for fault in clock_faults(submission.clock)),
        *approval_findings(book, submission),
    ]
    rules, more = rules_of_valid_part(file, submission)
    findings += more
    findings += limit_findings(rules, submission)
    findings += payout_limit_findings(rules)
    findings += equipment_findings(rules)
    findings += progressive_findings(rules, submission, opened)
    return sorted(dict.fromkeys(findings), key=lambda finding: finding.severity != "error")


def _refused(problem: CroupierError) -> Finding:
    return error(problem.message, problem.clause)


def _readings(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    for name, choice in submission.readings.items():
        reading = book.readings.get(name)
        if reading is None:
            yield _refused(suggest("reading", name, book.readings))
        elif choice not in reading.choices:
            yield _refused(
                suggest(
                    f"choice for reading {name!r}",
                    choice,
                    reading.choices,
                    clause=reading.clauses[0],
                )
            )


def _in_play(book: Rulebook, submission: Submission) -> set[str]:
    """Return the required and decided wagers, and the optional ones on offer."""
    offered = optional_wagers(book) if submission.offered is None else submission.offered
    return {n for n, wager in book.wagers.items() if wager.role != "optional" or n in offered}


def _offered(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    if submission.offered is None:
        yield warning("offered is left out: every optional wager counts as offered")
        return
    for name in submission.offered:
        if name not in optional_wagers(book):
            yield _refused(suggest("optional wager", name, optional_wagers(book)))


def _paytables(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    families = families_to_choose(book)
    valid = {
        family: table_id
        for family, table_id in submission.paytables.items()
        if family in families and table_id in book.paytables[family]
    }
    for family, table_id in submission.paytables.items():
        try:
            chosen_paytables(book, {**valid, family: table_id})
        except CroupierError as problem:
            yield _refused(problem)
    in_play = _in_play(book, submission)
    for family in families:
        wager = book.wagers.get(family)
        if wager is not None and family not in in_play:
            continue
        tables = book.paytables[family]
        if len(tables) > 1 and family not in submission.paytables:
            yield error(
                f"paytables.{family} is not chosen: one of {', '.join(tables)}",
                family_clause(book, family),
            )


def _options(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    for name, value in submission.options.items():
        option = book.options.get(name)
        if option is None:
            yield _refused(suggest("option", name, book.options))
            continue
        try:
            option_value(name, option, value)
        except CroupierError as problem:
            yield _refused(problem)
        if option.fixed is not None and value != option.fixed:
            yield error(
                f"options.{name} is {shown(value)}, but the document decides it: {option.fixed}",
                option.clause,
            )
    try:
        check_deal_order(book, submission.options)
    except CroupierError as problem:
        yield _refused(problem)
    in_play = _in_play(book, submission)
    for name, option in book.options.items():
        wanted = not option.needs_wager or option.needs_wager in in_play
        if option.must_state and wanted and name not in submission.options:
            yield error(f"options.{name} must be stated: {option.words}", option.clause)
