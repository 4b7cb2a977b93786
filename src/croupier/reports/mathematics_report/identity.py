"""Identity and history of a report: game, rules, program, hashes, earlier versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from croupier import __version__
from croupier.errors import BadRequest, plain
from croupier.money import dollars
from croupier.reports.mathematics_report.record import Identity, Report, Version, WagerFigures
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


# -- the history of a report ----------------------------------------------------------------------


def read_previous(path: Path, rulebook: str) -> Report:
    """Read an earlier version of the same game's report, written by `croupier report … --to
    FILE.json`."""
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except OSError as error:
        why = error.strerror or "cannot be read"
    except (msgspec.DecodeError, ValueError):
        why = "not a report in JSON, as `croupier report … --to FILE.json` writes it"
    else:
        if report.identity.rulebook == rulebook:
            return report
        why = f"a report about {plain(report.identity.rulebook)}, not about {rulebook}"
    raise BadRequest(f"--previous {plain(path, 200)}: {why}")


def history_of(
    identity: Identity, wagers: tuple[WagerFigures, ...], previous: Report | None
) -> tuple[Version, ...]:
    """Return the versions up to this one; without an earlier report it is the first."""
    if previous is None:
        return (_version(identity, 1, ("first version",)),)
    before = previous.history or (_version(previous.identity, 1, ("first version",)),)
    changes = tuple(_changes(_Made.of(previous), _Made(identity, wagers)))
    number = before[-1].number + 1
    return (*before, _version(identity, number, changes or ("no rule and no figure",)))


def _version(identity: Identity, number: int, changes: tuple[str, ...]) -> Version:
    return Version(
        number,
        identity.date,
        identity.program,
        identity.rules_hash,
        identity.solver_hash,
        changes,
    )


@dataclass(frozen=True)
class _Made:
    identity: Identity
    wagers: tuple[WagerFigures, ...]

    @classmethod
    def of(cls, report: Report) -> _Made:
        return cls(report.identity, (report.main, *report.sides))

    def edges(self) -> dict[str, str]:
        return {
            wager.title: wager.moments.house_edge.exact
            for wager in self.wagers
            if wager.moments is not None
        }


def _changes(old: _Made, new: _Made) -> Iterator[str]:
    for field in ("paytables", "readings", "options", "pays"):
        before: Mapping[str, str] = getattr(old.identity, field)
        after: Mapping[str, str] = getattr(new.identity, field)
        for name in dict.fromkeys((*before, *after)):
            was, now = before.get(name, "not stated"), after.get(name, "not stated")
            if was != now:
                yield f"{name.replace('_', ' ')}: {was} to {now}"
    if old.identity.rules_hash != new.identity.rules_hash:
        yield "the rules in force"
    if old.identity.solver_hash != new.identity.solver_hash:
        yield "the program's solvers"
    edges = old.edges()
    for title, edge in new.edges().items():
        if title not in edges:
            yield f"{title}: added"
        elif edges[title] != edge:
            yield f"{title}: expected value changed"
    yield from (f"{title}: left out" for title in edges if title not in new.edges())
