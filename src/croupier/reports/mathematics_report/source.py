"""What a report is about: a rulebook, or an operator's submission, with every choice in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from croupier.errors import BadRequest, plain
from croupier.files import is_toml_file
from croupier.mathematics.analysis import wagers_of
from croupier.rulebooks.loader import RulebookFile, open_rulebook, parse_toml, toml_text
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission, read_submission
from croupier.submissions.check import check_submission
from croupier.submissions.findings import Finding

__all__ = ["Source", "open_source"]


@dataclass(frozen=True)
class Source:
    """`name` is how a table would open the rulebook; `text` its whole file if it is not bundled."""

    name: str
    text: str
    file: RulebookFile
    submission: Submission
    is_submission: bool
    findings: tuple[Finding, ...] = ()

    @cached_property
    def rules(self) -> Rules:
        return put_in_force(self.file, self.submission)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The optional wagers that are on offer."""
        return tuple(name for name in wagers_of(self.rules.book)[1:] if name in self.rules.offered)

    def choosing(
        self,
        *,
        paytables: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Rules:
        """The rules with one thing otherwise."""
        said = self.submission
        changed = msgspec.structs.replace(
            said,
            paytables={**said.paytables, **(paytables or {})},
            readings={**said.readings, **(readings or {})},
        )
        return put_in_force(self.file, changed)


def open_source(name: str, *, paytables: Mapping[str, str], readings: Mapping[str, str]) -> Source:
    """A rulebook by its id or its file, or a submission by its file: that one names a rulebook."""
    if not is_toml_file(name):
        return _of_rulebook(name, "", paytables, readings)
    path = Path(name)
    text = toml_text(path)
    if not _is_submission(parse_toml(text, plain(path, 200))):
        return _of_rulebook(name, text, paytables, readings)
    if paytables or readings:
        raise BadRequest(
            "--paytable and --reading go with a rulebook: a submission states its own choices"
        )
    submission = read_submission(path)
    rulebook = submission.rulebook
    own = toml_text(Path(rulebook)) if is_toml_file(rulebook) else ""
    findings = tuple(check_submission(submission))
    return Source(rulebook, own, open_rulebook(rulebook), submission, True, findings)


def _is_submission(tree: Mapping[str, object]) -> bool:
    return "rulebook" in tree and "cards" not in tree


def _of_rulebook(
    name: str, text: str, paytables: Mapping[str, str], readings: Mapping[str, str]
) -> Source:
    chosen = Submission(paytables=dict(paytables), readings=dict(readings))
    return Source(name, text, open_rulebook(name), chosen, False)
