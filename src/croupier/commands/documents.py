"""`croupier check`, `paytables`, `sign`, `conformance` and `report`: documents and papers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

import croupier
from croupier.commands.analyze import print_pays_note
from croupier.commands.options import (
    AsJson,
    Clustered,
    Optional,
    Pays,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    Subject,
    documented,
    pairs,
)
from croupier.commands.output import (
    console,
    print_error,
    print_record,
    styled,
    table,
    working,
)
from croupier.errors import BadData, BadRequest, plain

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.library.documents import SubmissionCheck, TableSign
    from croupier.rulebooks.schema import Paytable
    from croupier.submissions.findings import Finding


# -- submissions ----------------------------------------------------------------------------------


@documented
def check(submission: Path, *, json: AsJson = False) -> int:
    """Check an operator's Rules Submission against its document. Everything wrong is found at once,
    each finding with its clause; ends with 1 if the submission breaks a rule. Examples are in
    `examples/submissions/`.

    Parameters
    ----------
    submission
        The submission as a TOML file.
    """
    checked = croupier.check(submission)
    if json:
        print_record(checked)
        return 0 if checked else 1
    print_findings(checked.findings)
    errors, warnings = len(checked.errors), len(checked.warnings)
    if checked:
        console().print(
            styled(f"[bold green]Valid[/]: complies with its document, {warnings} warnings.")
        )
    else:
        console().print(styled(f"[bold red]Not valid[/]: {errors} errors, {warnings} warnings."))
    return 0 if checked else 1


def print_findings(findings: Iterable[Finding]) -> None:
    """Print each finding with its clause."""
    from rich.text import Text

    for finding in findings:
        style = "bold red" if finding.severity == "error" else "bold yellow"
        clause = f" [{finding.clause}]" if finding.clause else ""
        console().print(
            Text.assemble((f"{finding.severity}{clause} ", style), finding.message), soft_wrap=True
        )


def _refuse(checked: SubmissionCheck, *, as_json: bool) -> int:
    """Print the errors as `check` does: nothing is produced for a table that may not open."""
    for error in checked.errors:
        print_error(f"{error.message}{f' [{error.clause}]' if error.clause else ''}")
    if as_json:
        print_record(checked)
    return 1


# -- paytables ------------------------------------------------------------------------------------


@documented
def paytables(rulebook: Optional = None, *, json: AsJson = False) -> int:
    """Every line of every paytable, with its clause.

    Parameters
    ----------
    rulebook
        A rulebook, or the path of a rulebook file; by default the five documents.
    """
    listed = croupier.paytables(rulebook)
    if json:
        print_record(listed)
        return 0
    for book in listed.books.values():
        console().print(f"\n{book.title} ({book.jurisdiction})", style="bold")
        for family, tables in book.paytables.items():
            console().print(_side_by_side(family, tables))
    return 0


def _side_by_side(family: str, tables: Mapping[str, Paytable]) -> Table:
    """Return all tables of a wager, a hand in each row."""
    from croupier.money import parse_pays

    drawn = table(
        title=family.replace("_", " "), title_justify="left", title_style="bold", framed=True
    )
    drawn.add_column("hand")
    for table_id, paytable in tables.items():
        heading = styled("{id} [dim]{clause}[/]", id=table_id, clause=paytable.clause)
        drawn.add_column(heading, justify="right")
    hands = dict.fromkeys(line.hand for each in tables.values() for line in each.lines)
    for hand in hands:
        cells = []
        for paytable in tables.values():
            line = next((line for line in paytable.lines if line.hand == hand), None)
            cells.append(str(parse_pays(line.pays)).replace(" meter", "") if line else "")
        drawn.add_row(hand.replace("_", " "), *cells)
    return drawn


# -- signs ----------------------------------------------------------------------------------------


@documented
def sign(
    rulebook: Rulebook,
    submission: Path | None = None,
    *,
    format: Literal["text", "json", "svg", "pdf"] = "text",  # noqa: A002
    part: Literal["sign", "layout"] | None = None,
    paper: Literal["letter", "a4"] = "letter",
    to: Path | None = None,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """What the table must show: a sign, and the felt's layout. The sign has the paytables, rules
    and limits, the layout the betting spots, every line with its clause. `--format svg` draws the
    layout, `--format pdf` sets the sign ready to print (it needs the extra `reports`). A submission
    that breaks a rule gets no sign: its errors are printed and the command ends with 1.

    Parameters
    ----------
    submission
        The operator's Rules Submission; by default the document's first choices.
    format
        Text to read, data, a drawing, or a page ready to print.
    part
        Only the sign or only the layout. By default both, the layout drawn, the sign printed.
    paper
        The sheet of a PDF.
    to
        Write into this file.
    json
        The same as `--format json`.
    """
    from croupier.library.documents import InvalidSubmission

    form = "json" if json else format
    try:
        made = croupier.sign(rulebook, submission)
    except InvalidSubmission as error:
        return _refuse(error.check, as_json=form == "json")
    if form == "text" and to is None:
        for line in made.lines(part):
            console().print(line, soft_wrap=True)
        return 0
    data = _formed(made, form, part, paper)
    if to is not None:
        from croupier.library.record import write_file

        write_file(to, data)
    elif form == "pdf" and sys.stdout.isatty():
        raise BadRequest("a PDF cannot be read in a terminal: name a file with --to FILE")
    else:
        sys.stdout.buffer.write(data)
    if form in {"svg", "pdf"}:
        for words, clause in made.missing:
            print_error(f"{words} [{clause}]")
    return 0


def _formed(
    made: TableSign,
    form: Literal["text", "json", "svg", "pdf"],
    part: Literal["sign", "layout"] | None,
    paper: Literal["letter", "a4"],
) -> bytes:
    match form:
        case "json":
            import msgspec

            return msgspec.json.encode(made.to_dict(part)) + b"\n"
        case "svg":
            return made.svg(part, paper)
        case "pdf":
            return made.pdf(part, paper)
        case "text":
            return made.text(part).encode()


# -- conformance ----------------------------------------------------------------------------------

_STYLES: Final = {"enforced": "green", "guided": "green", "shown": "green", "open": "yellow"}


@documented
def conformance(
    rulebook: Optional = None, *, write: Path | None = None, json: AsJson = False
) -> int:
    """What answers each clause of the five documents. That is code, tests, or nothing yet.

    Parameters
    ----------
    rulebook
        One document; by default all five.
    write
        Write the report as Markdown pages into this folder.
    """
    matrix = croupier.conformance(rulebook)
    if write is not None:
        from croupier.reports.conformance import write_pages

        try:
            write_pages(write)
        except OSError as error:
            raise BadData(f"{write} cannot be written: {error.strerror}") from None
    if json:
        print_record(matrix)
        return 0
    for document in matrix.documents:
        console().print(_summary(document))
    if rulebook is not None:
        console().print(_clauses(rulebook, matrix.documents[rulebook]))
    return 0


def _summary(document: str) -> Table:
    from croupier.reports.conformance import STATUSES, summary

    drawn = table(
        title=document, title_justify="left", title_style="bold", show_footer=True, framed=True
    )
    counts = summary(document)
    drawn.add_column("kind", footer="all")
    for status in STATUSES:
        total = sum(kinds[status] for kinds in counts.values())
        drawn.add_column(status.replace("_", " "), justify="right", footer=str(total))
    total = sum(sum(kinds.values()) for kinds in counts.values())
    drawn.add_column("clauses", justify="right", footer=str(total))
    for name, kinds in sorted(counts.items()):
        cells = [str(kinds[status] or "") for status in STATUSES]
        drawn.add_row(name, *cells, str(sum(kinds.values())))
    return drawn


def _clauses(document: str, answers: Mapping[str, Any]) -> Table:
    from rich.text import Text

    from croupier.rulebooks.clauses import clauses_of

    drawn = table("clause", "kind", "status", "subject", "answered by", "tests", framed=True)
    clauses = clauses_of(document)
    for clause, answer in answers.items():
        drawn.add_row(
            clause,
            answer.kind,
            Text(answer.status.replace("_", " "), style=_STYLES.get(answer.status, "")),
            clauses[clause].gist,
            answer.by or answer.reason,
            str(len(answer.tests) or ""),
        )
    return drawn


# -- the mathematics report -----------------------------------------------------------------------


@documented
def report(
    subject: Subject,
    *,
    to: Path,
    date: str = "",
    bet: str | None = None,
    rounds_per_hour: int = 30,
    seats: int | None = None,
    buy_in: str | None = None,
    hours: int = 2,
    hands: int = 2,
    simulate: int = 10_000,
    sample: int = 0,
    seed: str = "1",
    contribution: Repeated = None,
    without: Repeated = None,
    previous: Path | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """Write the mathematics report of a game. A laboratory or a regulator finds in it the rules
    with examples, every outcome, edges, moments, exposure, strategy, progressives, readings, seen
    cards, a simulation and what was checked; the same input gives the same bytes. Ends with 1 if a
    submission breaks a clause, or if a check of the report itself fails.

        croupier report md-uth --to md-uth.pdf --date 2026-03-01

    Parameters
    ----------
    to
        The file to write. Its ending chooses the form: .pdf, .xlsx, .html or .json.
    date
        The date on the title page, as in 2026-03-01; a report never looks at the clock.
    bet
        Assumed dollars on each required wager; by default the table's minimum, else 10.
    rounds_per_hour
        Assumed rounds an hour.
    seats
        Assumed players at the table; by default all positions.
    buy_in
        Assumed dollars that a player buys in for; by default 20 bets.
    hours
        Assumed hours that a player stays for one buy-in.
    hands
        Hands in the round, the dealer's included (Cover All).
    simulate
        Rounds of one seat that are played through the engine; 0 for none.
    sample
        Rounds to sample for each wager that no solver models, as `analyze --sample`; 0 for none.
    seed
        Seed of the simulation and of sampled wagers.
    contribution
        METER=RATE, for a rulebook: the share of each stake that feeds a meter, as in `main=0.1`. A
        submission states its own. Repeatable, for every meter.
    without
        Leave out slow parts: `paytables` (all but those in force), `readings` or
        `known-cards`. Repeatable.
    previous
        The version of this report before this one, as .json: the version history goes on from it.
    """
    from croupier.library.documents import InvalidSubmission

    try:
        with working("working out") as say:
            written = croupier.report(
                subject,
                to,
                date=date,
                bet=bet,
                rounds_per_hour=rounds_per_hour,
                seats=seats,
                buy_in=buy_in,
                hours=hours,
                hands=hands,
                simulate=simulate,
                sample=sample,
                seed=seed,
                contributions=pairs(contribution, "--contribution"),
                without=without or (),
                previous=previous,
                paytables=pairs(paytable, "--paytable"),
                readings=pairs(reading, "--reading"),
                pays=pairs(pays, "--pays"),
                cluster=cluster,
                step=say,
            )
    except InvalidSubmission as error:
        return _refuse(error.check, as_json=json)
    for subject_of_check, outcome in written.failed:
        print_error(f"a check fails: {subject_of_check}: {outcome}")
    if json:
        print_record(written)
        return 1 if written.failed else 0
    identity = written.report.identity
    console().print(f"{identity.title}: written to {plain(to, 200)}, {written.bytes:,} bytes.")
    print_pays_note(identity.pays)
    for warning in identity.warnings:
        console().print(f"Warning: {warning}", soft_wrap=True)
    return 1 if written.failed else 0
