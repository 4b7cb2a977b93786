"""Documents: submissions, clauses, paytables, signs, the dealer's guide, the mathematics report."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date as calendar_date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from croupier.errors import BadData, BadRequest, CroupierError, plain, suggest
from croupier.library.record import Record, check_count, write_file
from croupier.library.rulebook import (
    AnyRulebook,
    AnySubmission,
    Rulebook,
    load_rulebook,
    paytables_object,
)
from croupier.money import Amount, parse_cents
from croupier.reports.conformance import matrix
from croupier.reports.procedure import procedure_of
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.schema import Rulebook as Document
from croupier.rulebooks.submission import Submission, read_submission
from croupier.submissions.check import check_file, check_submission
from croupier.submissions.findings import Finding

if TYPE_CHECKING:
    from rich.console import RenderableType

    from croupier.reports.mathematics_report.record import Report
    from croupier.reports.sheets import Paper
    from croupier.reports.signs import Sign
    from croupier.rulebooks.readings import AdoptedReading


# -- submissions ----------------------------------------------------------------------------------


class SubmissionCheck(Record, frozen=True):
    """The findings of a check: errors break a clause, warnings are legal but unwise."""

    findings: tuple[Finding, ...]
    """All findings."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that break a clause."""
        return tuple([each for each in self.findings if each.severity == "error"])

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are legal but unwise."""
        return tuple([each for each in self.findings if each.severity == "warning"])

    @property
    def valid(self) -> bool:
        """Whether no clause is broken."""
        return not self.errors

    def __bool__(self) -> bool:
        return self.valid

    def to_dict(self) -> dict[str, Any]:
        return {"valid": self.valid, "findings": msgspec.to_builtins(self.findings)}

    def __repr__(self) -> str:
        return f"<SubmissionCheck: {len(self.errors)} errors, {len(self.warnings)} warnings>"


def check(submission: Submission | Mapping[str, Any] | str | Path) -> SubmissionCheck:
    """Check an operator's submission against its document: the contract's object, or the path of a
    TOML file. All findings are reported at once."""
    if isinstance(submission, str | Path):
        return SubmissionCheck(tuple(check_file(Path(submission))))
    if not isinstance(submission, Submission):
        from croupier.submissions.check import read_tree

        submission, unknown = read_tree(dict(submission), "submission")
        return SubmissionCheck((*unknown, *check_submission(submission)))
    return SubmissionCheck(tuple(check_submission(submission)))


# -- rulebooks ------------------------------------------------------------------------------------


class RulebookList(Record, frozen=True):
    """The bundled rulebooks, by id."""

    books: dict[str, Document]
    """The rulebooks by id."""

    def to_dict(self) -> dict[str, Any]:
        return {
            name: {
                "title": book.title,
                "jurisdiction": book.jurisdiction,
                "document": book.document,
                "wagers": list(book.wagers),
                "readings": {key: list(each.choices) for key, each in book.readings.items()},
            }
            for name, book in self.books.items()
        }


class ShownRulebook(Record, frozen=True):
    """The contents of a rulebook, and the readings of its document that are not switches."""

    document: Document
    """The contents of the file."""
    adopted: tuple[AdoptedReading, ...]
    """The readings adopted where the document is ambiguous and has no switch."""

    def to_dict(self) -> dict[str, Any]:
        adopted = {"adopted": msgspec.to_builtins(self.adopted)}
        return {self.document.id: msgspec.to_builtins(self.document) | adopted}


class Paytables(Record, frozen=True):
    """Every line of every paytable of some rulebooks, by id."""

    books: dict[str, Document]
    """The rulebooks by id."""

    def to_dict(self) -> dict[str, Any]:
        return {name: paytables_object(book) for name, book in self.books.items()}


def list_rulebooks() -> RulebookList:
    """Return the bundled rulebooks, with what each offers."""
    from croupier.rulebooks.bundled import BUNDLED

    return RulebookList({name: load_rulebook(name).document for name in BUNDLED})


def show_rulebook(rulebook: AnyRulebook) -> ShownRulebook:
    """Return everything that a rulebook says: wagers, decisions, options, readings."""
    from croupier.rulebooks.readings import adopted_readings

    book = _file_of(rulebook)
    return ShownRulebook(book, adopted_readings(book.id) if book.id in DOCUMENTS else ())


def paytables(rulebook: AnyRulebook | None = None) -> Paytables:
    """Return every line of every paytable: of one rulebook, or of the five documents."""
    named: Sequence[AnyRulebook] = DOCUMENTS if rulebook is None else [rulebook]
    books = [_file_of(each) for each in named]
    return Paytables({book.id: book for book in books})


def _file_of(rulebook: AnyRulebook) -> Document:
    """Return the rulebook as it is written, without anyone's choices."""
    if isinstance(rulebook, Rulebook):
        return rulebook.file.default
    return open_rulebook(str(rulebook)).default


# -- clauses --------------------------------------------------------------------------------------


class Conformance(Record, frozen=True):
    """What answers each clause, by document, or that nothing does yet."""

    documents: dict[str, Mapping[str, Any]]
    """What answers each clause, by document and clause."""

    def to_dict(self) -> dict[str, Any]:
        return {name: msgspec.to_builtins(clauses) for name, clauses in self.documents.items()}


def conformance(rulebook: str | None = None) -> Conformance:
    """Return every clause of a document, or of all five, with the code and tests that answer it."""
    if rulebook is not None and rulebook not in DOCUMENTS:
        raise suggest("rulebook", rulebook, DOCUMENTS)
    names = DOCUMENTS if rulebook is None else [rulebook]
    return Conformance({name: matrix(name) for name in names})


# -- the dealer's guide ---------------------------------------------------------------------------


class Guide(Record, frozen=True):
    """A round step by step, as its dealer carries it out, with clauses."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    jurisdiction: str
    """The jurisdiction of its document."""
    dealing: str
    """The way of dealing."""
    steps: tuple[dict[str, str], ...]
    """The steps in order, with their clauses."""

    def to_dict(self) -> dict[str, Any]:
        return {"rulebook": self.rulebook, "dealing": self.dealing, "steps": list(self.steps)}


def guide(rulebook: AnyRulebook, *, dealing: str | None = None) -> Guide:
    """Return a round step by step, dealt by hand or from a shoe (`dealing`)."""
    book = load_rulebook(rulebook)
    if dealing is not None:
        document = book.document
        if dealing not in document.dealing:
            raise suggest("way of dealing", dealing, document.dealing)
        offered = tuple(
            name
            for name, wager in document.wagers.items()
            if wager.role == "optional" and (not wager.dealt_by or dealing in wager.dealt_by)
        )
        book = book.choosing(Submission(offered=offered, options={"dealing": dealing}))
    steps = tuple([each._asdict() for each in procedure_of(book.rules)])
    way = dealing_in_force(book.rules).title
    return Guide(book.id, book.title, book.document.jurisdiction, way, steps)


# -- signs ----------------------------------------------------------------------------------------

SignPart: TypeAlias = Literal["sign", "layout"]

_LAYOUT: Final = (
    "positions",
    "positions_clause",
    "layout_clause",
    "spots",
    "areas",
    "inscriptions",
)
_SIGN: Final = ("notices", "paytables", "sign_clause", "odds_worded_by")


class TableSign(Record, frozen=True):
    """What a table must show its players, line by line with the clauses."""

    sign: Sign
    """The sign, line by line."""

    def to_dict(self, part: SignPart | None = None) -> dict[str, Any]:
        whole: dict[str, Any] = msgspec.to_builtins(self.sign)
        left_out = {"sign": _LAYOUT, "layout": _SIGN, None: ()}[part]
        return {name: value for name, value in whole.items() if name not in left_out}

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The lines that the sign should have but cannot, each with the clause that requires it."""
        return tuple([(notice.words, notice.asked_by) for notice in self.sign.missing])

    def lines(self, part: SignPart | None = None) -> Iterator[RenderableType]:
        """Return the sign for a terminal, as rich draws it."""
        from croupier.reports.sign_text import heading, layout_told, missing_told, sign_told

        yield heading(self.sign)
        if part != "layout":
            yield from sign_told(self.sign)
        if part is None:
            yield ""
        if part != "sign":
            yield from layout_told(self.sign)
        yield from missing_told(self.sign)

    def text(self, part: SignPart | None = None) -> str:
        """Return the sign as plain text of 100 columns."""
        from rich.console import Console

        written = Console(width=100, record=True, file=io.StringIO(), highlight=False)
        for line in self.lines(part):
            written.print(line, soft_wrap=True)
        return written.export_text()

    def svg(self, part: SignPart | None = None, paper: Paper = "letter") -> bytes:
        """Return the felt's layout as a drawing, or the sign as a sheet."""
        from croupier.reports.felt import felt_svg
        from croupier.reports.sheets import sheet

        if part == "sign":
            return sheet(self.sign, "sign", paper, "svg")
        return felt_svg(self.sign).encode()

    def pdf(self, part: SignPart | None = None, paper: Paper = "letter") -> bytes:
        """Return the sign (or the layout) ready to print."""
        from croupier.reports.sheets import sheet

        return sheet(self.sign, part or "sign", paper)


class InvalidSubmission(BadRequest):
    """The submission breaks a rule of its document; `check` has every finding."""

    code = "submission_invalid"

    def __init__(self, checked: SubmissionCheck) -> None:
        first = checked.errors[0]
        super().__init__(first.message, clause=first.clause)
        self.check = checked


def sign(rulebook: AnyRulebook, submission: AnySubmission = None) -> TableSign:
    """Return the sign that a table must show under an operator's submission. A submission that
    breaks a rule raises `InvalidSubmission`."""
    from croupier.reports.signs import sign_of

    book, stated = load_rulebook(rulebook), Submission()
    if submission is not None:
        stated = _submission_for(book, rulebook, submission)
        if not (checked := check(stated)):
            raise InvalidSubmission(checked)
    book = Rulebook(book.file, book.text, stated)
    return TableSign(sign_of(book.rules, operator=stated.operator, table=stated.table))


def _submission_for(book: Rulebook, rulebook: AnyRulebook, submission: AnySubmission) -> Submission:
    """Return the submission if it is for this rulebook."""
    if isinstance(submission, str | Path):
        stated = read_submission(Path(submission))
    elif isinstance(submission, Submission):
        stated = submission
    else:
        stated = msgspec.convert(dict(submission or {}), Submission)
    if not stated.rulebook:
        named = book.id if isinstance(rulebook, Rulebook) else str(rulebook)
        return msgspec.structs.replace(stated, rulebook=named)
    if stated.rulebook != str(rulebook) and _file_of(stated.rulebook) != book.file.default:
        named = plain(submission, 200) if isinstance(submission, str | Path) else "this"
        raise BadRequest(
            f"{named} is a submission for {plain(stated.rulebook)}, not for {plain(book.id)}"
        )
    return stated


# -- the mathematics report -----------------------------------------------------------------------

MOST_ROUNDS: Final = 10_000_000


class WrittenReport(Record, frozen=True):
    """A mathematics report and the file it was written to."""

    report: Report
    """The whole report."""
    file: str
    """The file that was written."""
    bytes: int
    """The size of the file."""

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """The report's own checks that failed, with their results."""
        checks = self.report.method.checks
        return tuple([(each.what, each.found) for each in checks if not each.holds])

    def to_dict(self) -> dict[str, Any]:
        identity = self.report.identity
        return {
            "rulebook": identity.rulebook,
            "file": self.file,
            "bytes": self.bytes,
            **({"pays": identity.pays} if identity.pays else {}),
            "warnings": identity.warnings,
        }


def report(
    subject: str | Path,
    to: str | Path,
    *,
    date: str = "",
    bet: Amount | None = None,
    rounds_per_hour: int = 30,
    seats: int | None = None,
    buy_in: Amount | None = None,
    hours: int = 2,
    hands: int = 2,
    simulate: int = 10_000,
    sample: int = 0,
    seed: str = "1",
    contributions: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
    previous: str | Path | None = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    pays: Mapping[str, str | int] | None = None,
    cluster: str | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> WrittenReport:
    """Write the mathematics report of a rulebook or of a submission's file, as .pdf, .xlsx, .html
    or .json by the ending of `to`; the same input gives the same bytes.

    `bet` and `buy_in` are dollars; `simulate` rounds are played through the engine, `sample` rounds
    for each wager that no solver models. `without` leaves out `paytables`, `readings` or
    `known-cards`. `step` hears what is being worked out. A submission that breaks a clause raises
    `InvalidSubmission`.
    """
    from croupier.library.figures import checked_contributions
    from croupier.reports.mathematics_report.contents import assumptions_for, report_of
    from croupier.reports.mathematics_report.forms import form_of
    from croupier.reports.mathematics_report.identity import read_previous
    from croupier.reports.mathematics_report.source import open_source
    from croupier.workers import using

    path = Path(to)
    make = form_of(path)
    _check_writable(path)
    source = open_source(str(subject), paytables=paytables or {}, readings=readings or {}).paying(
        [f"{name}={odds}" for name, odds in (pays or {}).items()]
    )
    rules = source.rules
    before = None if previous is None else read_previous(Path(previous), rules.book.id)
    if contributions:
        source = source.feeding(checked_contributions(contributions, rules))
        rules = source.rules
    if not (checked := SubmissionCheck(tuple(source.findings))):
        raise InvalidSubmission(checked)
    most = rules.book.positions.most
    for name, value, highest, least in (
        ("rounds per hour", rounds_per_hour, 1000, 1),
        ("seats", most if seats is None else seats, most, 1),
        ("hours", hours, 100, 1),
        ("hands", hands, most + 1, 2),
        ("simulated rounds", simulate, MOST_ROUNDS, 0),
        ("sampled rounds", sample, MOST_ROUNDS, 0),
    ):
        check_count(name, value, highest, least)
    assumed = assumptions_for(
        rules,
        date=_checked_date(date),
        rounds_per_hour=rounds_per_hour,
        seats=seats,
        hours=hours,
        bet_cents=None if bet is None else _amount(bet, "bet"),
        buy_in_cents=None if buy_in is None else _amount(buy_in, "buy-in"),
        hands=hands,
        simulated_rounds=simulate,
        seed=seed,
        sampled_rounds=sample,
    )
    with using(cluster):
        made = report_of(source, assumed, without=without, step=step, previous=before)
    data = make(made)
    write_file(path, data)
    return WrittenReport(made, str(to), len(data))


def _amount(dollars: Amount, noun: str) -> int:
    try:
        cents = parse_cents(dollars)
    except CroupierError as error:
        raise error.within(noun) from None
    if cents <= 0:
        raise BadRequest(f"the {noun} must be more than 0")
    return cents


def _checked_date(text: str) -> str:
    if text:
        try:
            calendar_date.fromisoformat(text)
        except ValueError:
            raise BadRequest(
                f"date {plain(text)}: write year, month and day, as in 2026-03-01"
            ) from None
    return text


def _check_writable(to: Path) -> None:
    """Refuse a file that cannot be written before minutes of work, not after."""
    folder, reason = to.parent, ""
    if to.is_dir():
        reason = "it is a folder"
    elif not folder.is_dir():
        reason = f"there is no folder {plain(folder, 200)}"
    elif not os.access(to if to.exists() else folder, os.W_OK):
        reason = "permission denied"
    if reason:
        raise BadData(f"{plain(to, 200)} cannot be written: {reason}")
