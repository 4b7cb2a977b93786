"""`croupier check`: a Rules Submission against its document."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.submissions.check import check_file
from croupier.submissions.findings import Finding

__all__ = ["print_findings", "run"]


def run(path: Path, *, as_json: bool) -> int:
    findings = check_file(path)
    errors = [finding for finding in findings if finding.severity == "error"]
    if as_json:
        print_json({"valid": not errors, "findings": msgspec.to_builtins(findings)})
        return 1 if errors else 0
    out = console()
    print_findings(findings)
    warnings = len(findings) - len(errors)
    if errors:
        out.print(styled(f"[bold red]Not valid[/]: {len(errors)} errors, {warnings} warnings."))
        return 1
    told = f"[bold green]Valid[/]: breaks no rule of its document, {warnings} warnings."
    out.print(styled(told))
    return 0


def print_findings(findings: list[Finding]) -> None:
    for finding in findings:
        style = "bold red" if finding.severity == "error" else "bold yellow"
        clause = f" [{finding.clause}]" if finding.clause else ""
        console().print(
            Text.assemble((f"{finding.severity}{clause} ", style), finding.message), soft_wrap=True
        )
