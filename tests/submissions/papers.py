"""The example submissions, and ways to spoil them."""

from __future__ import annotations

import copy
import tomllib
from typing import Any, Final

from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.submission import Submission
from croupier.submissions.check import check_submission
from croupier.submissions.findings import Finding
from tests.commands.program import EXAMPLES

__all__ = ["DROP", "PAPERS", "PATHS", "errors", "findings", "paper", "warnings"]

PATHS: Final = {
    "md-uth": EXAMPLES / "submissions" / "maryland-uth.toml",
    "ma-uth": EXAMPLES / "submissions" / "massachusetts-uth.toml",
    "md-jackpot": EXAMPLES / "submissions" / "maryland-jackpot.toml",
    "md-wpt": EXAMPLES / "submissions" / "maryland-wpt.toml",
    "md-235": EXAMPLES / "submissions" / "maryland-235.toml",
}
PAPERS: Final = {name: tomllib.loads(path.read_text("utf-8")) for name, path in PATHS.items()}


class _Drop:
    def __repr__(self) -> str:
        return "DROP"


DROP: Final = _Drop()


def paper(rulebook: str, /, **changes: object) -> dict[str, Any]:
    """The example with changes: `options__decks=2`; DROP takes an entry out."""
    tree: dict[str, Any] = copy.deepcopy(PAPERS[rulebook])
    for path, value in changes.items():
        *parents, last = [int(key) if key.isdigit() else key for key in path.split("__")]
        node: Any = tree
        for key in parents:
            node = node[key] if isinstance(key, int) else node.setdefault(key, {})
        if value is DROP:
            del node[last]
        else:
            node[last] = value
    return tree


def findings(rulebook: str, /, **changes: object) -> list[Finding]:
    """Everything the check says about the changed example."""
    return check_submission(into_form(paper(rulebook, **changes), Submission, "paper"))


def errors(rulebook: str, /, **changes: object) -> list[tuple[str | None, str]]:
    """The errors only, as clause and message."""
    return [
        (found.clause, found.message)
        for found in findings(rulebook, **changes)
        if found.severity == "error"
    ]


def warnings(rulebook: str, /, **changes: object) -> list[str]:
    """The warnings of a submission that breaks no rule."""
    found = findings(rulebook, **changes)
    assert all(finding.severity == "warning" for finding in found), found
    return [finding.message for finding in found]
