"""The sound part of a submission put into force, so that one mistake hides no other."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from croupier.errors import CroupierError
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import (
    Rules,
    check_deal_order,
    families_to_choose,
    option_value,
    put_in_force,
)
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Limits, ProgressiveTerms, Submission
from croupier.submissions.findings import Finding, error

__all__ = ["optional_wagers", "sound_rules"]


def optional_wagers(book: Rulebook) -> list[str]:
    return [name for name, wager in book.wagers.items() if wager.role == "optional"]


def sound_rules(file: RulebookFile, submission: Submission) -> tuple[Rules, list[Finding]]:
    """The rules in force without what is unsound, and what is wrong with limits and progressive.

    Readings, wagers, paytables and options are left out silently: their own checks tell.
    """
    findings: list[Finding] = []
    base = _sound_choices(file.default, submission)

    def holds(trial: Submission) -> bool:
        try:
            put_in_force(file, trial)
        except CroupierError as problem:
            findings.append(error(problem.message, problem.clause))
            return False
        return True

    sound = msgspec.structs.replace(
        base,
        limits=_sound_limits(base, submission, holds),
        progressive=_sound_progressive(base, submission, holds),
    )
    return put_in_force(file, sound), list(dict.fromkeys(findings))


def _sound_choices(book: Rulebook, submission: Submission) -> Submission:
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
        options=_sound_options(book, submission),
        limits={},
        progressive=ProgressiveTerms(),
    )


def _sound_options(book: Rulebook, submission: Submission) -> dict[str, str | int | float | bool]:
    sound = {n: v for n, v in submission.options.items() if _is_sound(book, n, v)}
    try:
        check_deal_order(book, sound)
    except CroupierError:
        del sound["deal_order"]
    return sound


def _is_sound(book: Rulebook, name: str, value: object) -> bool:
    try:
        option_value(name, book.options[name], value)
    except (KeyError, CroupierError):
        return False
    return True


def _sound_limits(
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


def _sound_progressive(
    base: Submission, submission: Submission, holds: Callable[[Submission], bool]
) -> ProgressiveTerms:
    """The stakes that can be. Meters and links bind nothing else: `progressive` tells of them."""
    return ProgressiveTerms(
        stakes=tuple(
            stake
            for stake in submission.progressive.stakes
            if holds(msgspec.structs.replace(base, progressive=ProgressiveTerms(stakes=(stake,))))
        )
    )
