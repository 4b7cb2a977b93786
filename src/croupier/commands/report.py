"""`croupier report`: the mathematics report of a game, to file and to sign."""

from __future__ import annotations

import os
from datetime import date as calendar_date
from pathlib import Path

import msgspec
from rich.console import Console

from croupier.commands.contributions import contributions
from croupier.commands.output import console, print_json
from croupier.commands.rules_asked import pairs, pays_note
from croupier.commands.stderr import print_error
from croupier.errors import BadData, BadRequest, CroupierError, plain
from croupier.money import parse_cents
from croupier.reports.mathematics_report.contents import assumptions_for, report_of
from croupier.reports.mathematics_report.forms import form_of
from croupier.reports.mathematics_report.identity import read_previous
from croupier.reports.mathematics_report.record import Assumptions, Report
from croupier.reports.mathematics_report.source import Source, open_source
from croupier.rulebooks.rules import Rules
from croupier.workers import using

__all__ = ["run"]

_MOST_ROUNDS = 10_000_000


def run(
    subject: str,
    *,
    to: Path,
    date: str,
    rounds_per_hour: int,
    seats: int | None,
    hours: int,
    bet: str | None,
    buy_in: str | None,
    hands: int,
    simulate: int,
    sample: int,
    seed: str,
    contribution: list[str],
    without: list[str],
    previous: Path | None,
    paytables: list[str],
    readings: list[str],
    pays: list[str],
    cluster: str | None = None,
    as_json: bool,
) -> int:
    make = form_of(to)
    _check_writable(to)
    source = open_source(
        subject, paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")
    ).paying(pays)
    book = source.rules.book
    before = None if previous is None else read_previous(previous, book.id)
    if contribution:
        rates = pairs(contribution, "--contribution")
        source = source.feeding(contributions(rates, source.rules))
    if _broken(source, as_json=as_json):
        return 1
    assumed = _assumptions(
        source.rules,
        date=_date(date),
        rounds_per_hour=_within(rounds_per_hour, "--rounds-per-hour", 1, 1000),
        seats=seats,
        hours=_within(hours, "--hours", 1, 100),
        bet=bet,
        buy_in=buy_in,
        hands=hands,
        simulate=_within(simulate, "--simulate", 0, _MOST_ROUNDS),
        sample=_within(sample, "--sample", 0, _MOST_ROUNDS),
        seed=seed,
    )
    with using(cluster):
        report = _worked_out(source, assumed, without, before)
    made = make(report)
    _write(made, to)
    failed = [one for one in report.method.checks if not one.holds]
    for one in failed:
        print_error(f"a check fails: {one.what}: {one.found}")
    who = report.identity
    if as_json:
        told: dict[str, object] = {"rulebook": who.rulebook, "file": str(to), "bytes": len(made)}
        told |= {"pays": who.pays} if who.pays else {}
        print_json(told | {"warnings": who.warnings})
    else:
        console().print(
            f"{report.identity.title}: written to {plain(to, 200)}, {len(made):,} bytes."
        )
        for line in (pays_note(source.rules), *(f"Warning: {each}" for each in who.warnings)):
            if line:
                console().print(line, soft_wrap=True)
    return 1 if failed else 0


def _worked_out(
    source: Source, assumed: Assumptions, without: list[str], previous: Report | None
) -> Report:
    """With what is going on shown to a person who waits."""
    out = Console(stderr=True)
    if not out.is_terminal:
        return report_of(source, assumed, without=without, previous=previous)
    with out.status("working out …") as status:
        return report_of(
            source,
            assumed,
            without=without,
            previous=previous,
            step=lambda what: status.update(f"{what} …"),
        )


def _broken(source: Source, *, as_json: bool) -> bool:
    """A submission that breaks a clause has no report; what is wrong is said as `check` says it."""
    errors = [one for one in source.findings if one.severity == "error"]
    for one in errors:
        print_error(f"{one.message}{f' [{one.clause}]' if one.clause else ''}")
    if errors and as_json:
        print_json({"valid": False, "findings": msgspec.to_builtins(source.findings)})
    return bool(errors)


def _assumptions(
    rules: Rules,
    *,
    date: str,
    rounds_per_hour: int,
    seats: int | None,
    hours: int,
    bet: str | None,
    buy_in: str | None,
    hands: int,
    simulate: int,
    sample: int,
    seed: str,
) -> Assumptions:
    most = rules.book.positions.most
    return assumptions_for(
        rules,
        date=date,
        rounds_per_hour=rounds_per_hour,
        seats=None if seats is None else _within(seats, "--seats", 1, most),
        hours=hours,
        bet_cents=None if bet is None else _amount(bet, "--bet"),
        buy_in_cents=None if buy_in is None else _amount(buy_in, "--buy-in"),
        hands=_within(hands, "--hands", 2, most + 1),
        simulated_rounds=simulate,
        seed=seed,
        sampled_rounds=sample,
    )


def _amount(text: str, flag: str) -> int:
    try:
        cents = parse_cents(text)
    except CroupierError as error:
        raise error.within(flag) from None
    if cents <= 0:
        raise BadRequest(f"{flag} must be more than 0")
    return cents


def _within(value: int, flag: str, least: int, most: int) -> int:
    if not least <= value <= most:
        raise BadRequest(f"{flag} is {value}, but must be {least} to {most}")
    return value


def _date(text: str) -> str:
    if text:
        try:
            calendar_date.fromisoformat(text)
        except ValueError:
            raise BadRequest(
                f"--date {plain(text)}: write year, month and day, as in 2026-03-01"
            ) from None
    return text


def _check_writable(to: Path) -> None:
    """Said before minutes of work, not after."""
    folder = to.parent
    if to.is_dir():
        raise BadData(f"{plain(to, 200)} cannot be written: it is a folder")
    if not folder.is_dir():
        raise BadData(
            f"{plain(to, 200)} cannot be written: there is no folder {plain(folder, 200)}"
        )
    if not os.access(to if to.exists() else folder, os.W_OK):
        raise BadData(f"{plain(to, 200)} cannot be written: permission denied")


def _write(made: bytes, to: Path) -> None:
    try:
        to.write_bytes(made)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadData(f"{plain(to, 200)} cannot be written: {reason}") from None
