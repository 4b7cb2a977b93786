"""Identity of a report: game, rules, program, with names, choices, and hashes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from croupier import __version__
from croupier.money import dollars
from croupier.reports.mathematics_report.record import Identity
from croupier.reports.mathematics_report.source import Source
from croupier.rulebooks.rules import Rules


def identity_of(source: Source, date: str, warnings: Sequence[str] = ()) -> Identity:
    rules, book = source.rules, source.rules.book
    return Identity(
        title=book.title,
        rulebook=book.id,
        jurisdiction=book.jurisdiction,
        document=book.document,
        date=date,
        operator=source.submission.operator,
        table=source.submission.table,
        program=f"croupier {__version__}",
        rules_hash=rules_hash(rules),
        solver_hash=program_hash("mathematics", "ranking"),
        engine_hash=program_hash("rounds", "ranking"),
        paytables=dict(rules.chosen),
        readings=dict(rules.readings),
        options={name: _told(rules, name) for name in rules.options if _told(rules, name)},
        offered=tuple(book.wagers[name].title for name in source.sides),
        pays=dict(rules.pays),
        warnings=(
            *warnings,
            *(finding.message for finding in source.findings if finding.severity == "warning"),
        ),
    )


def _told(rules: Rules, name: str) -> str:
    value, option = rules.options[name], rules.book.options[name]
    if value is None:
        return ""
    if option.type == "amount" and isinstance(value, int):
        return dollars(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def rules_hash(rules: Rules) -> str:
    """Return the SHA-256 of everything in force: the rulebook under its readings, and every
    choice."""
    stated = (
        rules.book,
        dict(rules.chosen),
        dict(rules.readings),
        dict(rules.options),
        sorted(rules.offered),
        {name: list(limits) for name, limits in rules.limits.items()},
        {name: list(stakes) for name, stakes in rules.stakes.items()},
        dict(rules.resets),
    )
    return sha256(msgspec.json.encode(stated, order="sorted", enc_hook=str)).hexdigest()


def program_hash(*packages: str) -> str:
    """Return the SHA-256 of the source of these packages: every file with its path, in order."""
    digest = sha256()
    for package in packages:
        for path, file in sorted(_sources(files("croupier").joinpath(package), package)):
            body = file.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{path}\n{len(body)}\n".encode() + body)
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    sources = []
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            sources += _sources(entry, f"{path}/{entry.name}")
        elif entry.name.endswith((".py", ".txt", ".toml")):
            sources.append((f"{path}/{entry.name}", entry))
    return sources
