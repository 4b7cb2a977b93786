"""A submission and a rulebook as a client sent them: checked without opening any file.

Every fault ends in a list of findings. The caller must bound the time that a nonsensical rulebook
may take: this runs in a process that can be ended.
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
# tomllib takes quadratic time for a key of thousands of parts or a number of thousands of digits.
_LONG_KEY: Final = re.compile(
    r"""(?:(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|[\w-]{1,60})[ \t]{0,9}\.[ \t]{0,9}){64}"""
)
_LONG_NUMBER: Final = re.compile(r"[0-9A-Fa-f_]{1000}")


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`toml` is the submission as a file, `submission` the same as data. `rulebook_text` is a
    rulebook that is not bundled, if the submission is for one; if only a rulebook is sent, its
    starting submission is checked."""

    toml: str = ""
    submission: dict[str, Any] | None = None
    rulebook_text: str = ""


class OperatorDuty(msgspec.Struct, frozen=True):
    """A duty that the document gives the operator, and where it is performed."""

    clause: str
    words: str
    screen: str
    second: str


class NeededApproval(msgspec.Struct, frozen=True):
    """An approval of the regulator's that these choices require. `live`: needed only for real
    cards. `missing`: the submission does not state it with number, date and authority."""

    name: str
    words: str
    clause: str
    live: bool
    missing: bool


class CheckedUpload(msgspec.Struct, frozen=True, kw_only=True):
    """`submission` is the form that `open_table` takes and `toml` the same as a file; both are
    empty if the upload cannot be read. `choices` is present for an uploaded rulebook; `duties` are
    the operator's under these choices."""

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
    """Return a finding for each line of an error message: a rulebook reports all its mistakes in
    one error."""
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
    """Return the approvals needed with live cards, which require every approval that virtual cards
    do."""
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
