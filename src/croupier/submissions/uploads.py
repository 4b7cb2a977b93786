"""A submission and a rulebook as somebody sent them: checked without opening any file.

Everything that can be wrong ends in a list of findings. How long a nonsensical rulebook may take is
for the caller to bound: this runs in a process that can be ended.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from croupier.errors import BadData, BadRequest, CroupierError
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.duties import duties_when_opening
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml, rulebook_from
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.submission import Submission
from croupier.submissions.approvals import missing_approvals, needed_approvals
from croupier.submissions.check import check_submission, read_tree, rules_of_valid_part
from croupier.submissions.choices import Bound, Choices, bounds_of, choices_of
from croupier.submissions.findings import Finding, error
from croupier.submissions.starting import starting_submission, submission_toml

MOST_FINDINGS: Final = 200
_SUBMISSION: Final = "the submission"
_RULEBOOK: Final = "the rulebook"
# A key of thousands of parts, or a number of thousands of digits, takes tomllib the square of it.
_LONG_KEY: Final = re.compile(
    r"""(?:(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|[\w-]{1,60})[ \t]{0,9}\.[ \t]{0,9}){64}"""
)
_LONG_NUMBER: Final = re.compile(r"[0-9A-Fa-f_]{1000}")


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`toml`: the submission as a file, or `submission`: the same as data. `rulebook_text`: a
    rulebook that is not bundled, for which the submission is; without one, the submission to begin
    from is checked."""

    toml: str = ""
    submission: dict[str, Any] | None = None
    rulebook_text: str = ""


class OperatorDuty(msgspec.Struct, frozen=True):
    """What the document asks of the operator, and where it is done."""

    clause: str
    words: str
    screen: str
    second: str


class NeededApproval(msgspec.Struct, frozen=True):
    """An approval of the regulator's that these choices take; `live`: only for real cards.
    `missing`: the submission does not name it with number, date and authority."""

    name: str
    words: str
    clause: str
    live: bool
    missing: bool


class CheckedUpload(msgspec.Struct, frozen=True, kw_only=True):
    """`submission` is what `open_table` takes and `toml` the same as a file; both are empty where
    the upload cannot be understood. `choices` come with an own rulebook, `duties` are the
    operator's under these choices."""

    valid: bool
    findings: tuple[Finding, ...]
    rulebook: str = ""
    submission: str = ""
    toml: str = ""
    bounds: tuple[Bound, ...] = ()
    duties: tuple[OperatorDuty, ...] = ()
    approvals: tuple[NeededApproval, ...] = ()
    choices: Choices | None = None


def operator_duties(rules: Rules) -> tuple[OperatorDuty, ...]:
    return tuple(
        [
            OperatorDuty(duty.clause, duty.words, duty.screen, duty.second)
            for duty in duties_when_opening(rules)
        ]
    )


def check_upload(upload: Upload) -> CheckedUpload:
    try:
        _refuse_bombs(upload)
        own = rulebook_from(upload.rulebook_text, _RULEBOOK) if upload.rulebook_text else None
    except CroupierError as mistake:
        return CheckedUpload(valid=False, findings=_mistakes(mistake))
    try:
        return _checked(upload, own)
    except CroupierError as mistake:
        return CheckedUpload(
            valid=False,
            findings=_mistakes(mistake),
            choices=None if own is None else choices_of(own),
        )


def _refuse_bombs(upload: Upload) -> None:
    for text, source in ((upload.toml, _SUBMISSION), (upload.rulebook_text, _RULEBOOK)):
        if _LONG_KEY.search(text):
            raise BadData(f"{source} is nested deeper than anything that is asked for")
        if _LONG_NUMBER.search(text):
            raise BadData(f"{source} has a number or a word of more than a thousand characters")


def _mistakes(mistake: CroupierError) -> tuple[Finding, ...]:
    """A rulebook's mistakes come together, each on a line of its own."""
    lines = [line.strip() for line in mistake.message.split("\n") if line.strip()]
    findings = [error(line, mistake.clause) for line in lines[:MOST_FINDINGS]]
    return tuple(findings or [error("it cannot be understood", mistake.clause)])


def _checked(upload: Upload, own: RulebookFile | None) -> CheckedUpload:
    submission, findings = _read(upload, own)
    if own is not None:
        submission = msgspec.structs.replace(submission, rulebook=own.default.id)

    def opened(name: str) -> RulebookFile:
        is_own = own is not None and name == own.default.id
        return own if is_own and own is not None else load_rulebook(name)

    findings += check_submission(submission, opened)
    rules, _ = rules_of_valid_part(opened(submission.rulebook), submission)
    return CheckedUpload(
        valid=not any(finding.severity == "error" for finding in findings),
        findings=tuple(findings[:MOST_FINDINGS]),
        rulebook=rules.book.id,
        submission=msgspec.json.encode(submission).decode(),
        toml=submission_toml(submission),
        bounds=bounds_of(rules),
        duties=operator_duties(rules),
        approvals=_approvals(rules, submission),
        choices=None if own is None else choices_of(own),
    )


def _approvals(rules: Rules, submission: Submission) -> tuple[NeededApproval, ...]:
    """With live cards, which take all of them."""
    missing = missing_approvals(rules, submission, "live")
    return tuple(
        [
            NeededApproval(
                approval.name, approval.words, approval.clause, approval.live, approval in missing
            )
            for approval in needed_approvals(rules, "live")
        ]
    )


def _read(upload: Upload, own: RulebookFile | None) -> tuple[Submission, list[Finding]]:
    if upload.toml and upload.submission is not None:
        raise BadRequest("send the submission as TOML or as data, not both")
    if upload.submission is not None:
        return into_form(upload.submission, Submission, _SUBMISSION), []
    if not upload.toml and own is not None:
        return starting_submission(own), []
    if not upload.toml:
        raise BadData("there is nothing to check: send a submission or a rulebook")
    return read_tree(parse_toml(upload.toml, _SUBMISSION), _SUBMISSION)
