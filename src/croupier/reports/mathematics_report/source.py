"""The subject of a report: a rulebook or an operator's submission, with every choice in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from croupier.errors import BadRequest, plain
from croupier.files import is_toml_file
from croupier.mathematics.questions.analysis import wagers_of
from croupier.rulebooks.changed_pays import ChangedLine, read_changes, with_changes
from croupier.rulebooks.loader import (
    RulebookFile,
    open_rulebook,
    parse_toml,
    rulebook_from,
    toml_text,
)
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import MeterTerms, Submission
from croupier.submissions.check import check_submission, read_tree
from croupier.submissions.findings import Finding


@dataclass(frozen=True)
class Source:
    """`name` is how a table would open the rulebook; `text` is its whole file unless it is
    bundled."""

    name: str
    text: str
    file: RulebookFile
    submission: Submission
    is_submission: bool
    findings: tuple[Finding, ...] = ()
    changes: tuple[ChangedLine, ...] = ()
    """Lines that pay differently from print."""

    @cached_property
    def rules(self) -> Rules:
        return with_changes(put_in_force(self.file, self.submission), self.changes)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The optional wagers on offer."""
        return tuple(name for name in wagers_of(self.rules.book)[1:] if name in self.rules.offered)

    def paying(self, texts: Sequence[str]) -> Source:
        """Return the source with changed lines, as `--pays` writes them."""
        return replace(self, changes=read_changes(self.rules, texts))

    def feeding(self, rates: Mapping[str, str]) -> Source:
        """Return the source with this contribution rate of a meter, which a rulebook leaves
        open."""
        if self.is_submission:
            raise BadRequest(
                "--contribution goes with a rulebook: a submission states its own rates"
            )
        meters = {name: MeterTerms(rate=rate) for name, rate in rates.items()}
        terms = msgspec.structs.replace(self.submission.progressive, meters=meters)
        return replace(self, submission=msgspec.structs.replace(self.submission, progressive=terms))

    def choosing(
        self,
        *,
        paytables: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Rules:
        """Return the rules with one choice changed."""
        said = self.submission
        changed = msgspec.structs.replace(
            said,
            paytables={**said.paytables, **(paytables or {})},
            readings={**said.readings, **(readings or {})},
        )
        return with_changes(put_in_force(self.file, changed), self.changes)


def open_source(name: str, *, paytables: Mapping[str, str], readings: Mapping[str, str]) -> Source:
    """Open a rulebook by id or file, or a submission by its file, which names a rulebook."""
    chosen = Submission(paytables=dict(paytables), readings=dict(readings))
    if not is_toml_file(name):
        return Source(name, "", open_rulebook(name), chosen, False)
    path, where = Path(name), plain(name, 200)
    text = toml_text(path)  # once: standard input is a file too
    tree = parse_toml(text, where)
    if "rulebook" not in tree or "cards" in tree:
        return Source(name, text, rulebook_from(text, where), chosen, False)
    if paytables or readings:
        raise BadRequest(
            "--paytable and --reading go with a rulebook: a submission states its own choices"
        )
    return _of_submission(tree, where)


def _of_submission(tree: dict[str, Any], where: str) -> Source:
    submission, unknown = read_tree(tree, where)
    rulebook = submission.rulebook
    text = toml_text(Path(rulebook)) if is_toml_file(rulebook) else ""
    file = rulebook_from(text, plain(rulebook, 200)) if text else open_rulebook(rulebook)
    findings = (*unknown, *check_submission(submission))
    return Source(rulebook, text, file, submission, True, findings)
