"""The words of `croupier sign`; what it does is in `commands.sign`, loaded when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

__all__ = ["sign"]


def sign(
    rulebook: str,
    submission: Path | None = None,
    *,
    format: Literal["text", "json", "svg", "pdf"] = "text",  # noqa: A002
    part: Literal["sign", "layout"] | None = None,
    paper: Literal["letter", "a4"] = "letter",
    to: Path | None = None,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """What the table must show: paytables, rules and limit on a sign, betting spots on the felt.

    Every line has its clause. `--format svg` draws the layout, `--format pdf` sets the sign ready
    to print (it needs the extra `reports`). A submission that breaks a rule gets no sign: what is
    wrong is said and the command ends with 1.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    submission
        The operator's Rules Submission; the document's first choices when left out.
    format
        To read, as data, drawn, or ready to print.
    part
        Only the sign or only the layout. Left out: both, the layout drawn, the sign printed.
    paper
        The sheet of a PDF.
    to
        Write into this file.
    json
        The same as `--format json`.
    """
    from croupier.commands import sign as command

    form = "json" if json else format
    return command.run(rulebook, submission, form=form, part=part, paper=paper, to=to)
