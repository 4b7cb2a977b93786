"""The history of a report: its versions with their changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from croupier.errors import BadRequest, plain
from croupier.reports.mathematics_report.record import Identity, Report, Version, WagerFigures


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
