"""What a journal holds: `verify`, `replay`, `recall`, `export`, `reindex`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.output import console, print_json, print_refusal_object
from croupier.commands.stderr import print_error
from croupier.errors import BadRequest, CroupierError, plain, suggest
from croupier.ledger import journal as ledger
from croupier.ledger.chain import ChainBroken
from croupier.ledger.data_folder import default_journal, named_journal, opener_for_owner
from croupier.ledger.differences import Difference, Verdict
from croupier.ledger.kept_checkpoints import kept_checkpoints, public_keys
from croupier.library.journals import Journal, PastRound, Verification
from croupier.reports.export_lines import Form, Part, export_lines
from croupier.reports.story import with_cards
from croupier.runtime.signing import signing
from croupier.workers import using

__all__ = [
    "adopted",
    "export",
    "opened",
    "pruned",
    "recalled",
    "reindexed",
    "replayed",
    "shift",
    "verified",
]


@contextmanager
def opened(
    journal: str | None, *, read_only: bool = False, signs: bool = True
) -> Iterator[ledger.Journal]:
    """The journal named, or the one in the data folder. It must be there: nothing is made. What
    only looks never signs: it would vouch for what it is about to check."""
    where = named_journal(journal) or str(default_journal())
    path = ledger.file_of(where)
    if path is not None and not path.exists():
        raise BadRequest(
            f"there is no journal at {plain(where, 200)}: name one with --journal, or make one "
            "with `croupier table open` or `croupier simulate --journal`"
        )
    with (
        ledger.open_to_read(where, read_only=read_only) as store,
        signing(store) if signs else nullcontext(),
    ):
        yield store


def verified(
    journal: str | None,
    *,
    since: str | None,
    keys: list[str],
    read_only: bool,
    jobs: int | None,
    cluster: str | None = None,
    as_json: bool,
) -> int:
    if jobs is not None and jobs < 1:
        raise BadRequest(f"--jobs {jobs}: take one process at least")
    kept = kept_checkpoints(since) if since is not None else ()
    trusted = public_keys(keys)
    with (
        using(cluster),
        opened(journal, read_only=read_only, signs=False) as store,
        _counting("entries verified") as told,
    ):
        found = Journal(store).verify(told, kept, trusted, jobs or _usual_jobs(store))
    if as_json:
        print_json(found.to_dict())
    else:
        _tell_verification(found, store.name)
    return EXIT_CODES[found.verdict]


EXIT_CODES: Final[dict[Verdict, int]] = {"anchored": 0, "differs": 1, "unanchored": 3}
MANY_ENTRIES: Final = 50_000
"""From here on it is worth while to start more processes."""


def _usual_jobs(store: ledger.Journal) -> int:
    versions = store.versions()
    if sum(versions.values()) < MANY_ENTRIES:
        return 1
    return max(1, min(os.cpu_count() or 1, len(versions)))


def reindexed(journal: str | None, *, even_if_cut: bool, as_json: bool) -> int:
    from croupier.ledger.reindex import reindex

    with opened(journal) as store, _counting("entries read") as told:
        try:
            found = reindex(store, told, even_if_cut=even_if_cut)
        except ChainBroken as error:
            return _does_not_hold(error, as_json=as_json)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return 0
    console().print(
        f"{store.name}: made anew from {found.entries:,} entries: {found.rounds:,} rounds, "
        f"{found.requests:,} request keys, {found.accounts:,} balances, {found.snapshots:,} "
        "snapshots"
    )
    return 0


def pruned(journal: str | None, *, days: int, as_json: bool) -> int:
    from croupier.ledger.pruning import prune_attempts

    with opened(journal) as store:
        found = prune_attempts(store, days)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return 0
    console().print(
        f"{found.entries:,} refused attempts that were signed {days} days before the last "
        f"checkpoint have no text any more ({found.bytes:,} bytes); that they were there stays "
        "provable"
    )
    return 0


def adopted(journal: str | None, *, since: str | None, as_json: bool) -> int:
    from croupier.ledger.adopting import adopt

    kept = kept_checkpoints(since) if since is not None else ()
    with opened(journal) as store:
        found = adopt(store, kept)
        name = store.name
    if as_json:
        print_json(msgspec.to_builtins(found))
    elif found.differences:
        _tell_differences(found.differences)
        print_error(f"{name} is not taken over: it differs in {len(found.differences)} places")
    else:
        console().print(
            f"{name}: this machine (key {found.key}) vouches for its {found.entries:,} entries "
            f"from now on; before it was the key {found.before}"
        )
    return 1 if found.differences else 0


def _does_not_hold(error: CroupierError, *, as_json: bool) -> int:
    """The request was right, and the answer is no."""
    if as_json:
        print_refusal_object(error, print_json)
    print_error(error.message)
    return 1


@contextmanager
def _counting(words: str) -> Iterator[Callable[[int], None]]:
    """How far the work has come, on a terminal."""
    from rich.console import Console
    from rich.status import Status

    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield lambda _: None
        return
    with Status(words, console=terminal) as status:
        yield lambda count: status.update(f"{count:,} {words}")


def _tell_verification(found: Verification, name: str) -> None:
    out = console()
    out.print(
        f"{name}: {found.entries:,} entries in {found.streams} streams, {found.rounds:,} rounds"
    )
    for note in found.notes:
        out.print(Text.assemble(("note", "yellow"), f" {note.stream}: {note.message}"))
    if found.valid:
        out.print(
            "Every chain holds, every round plays again to the same end, every settlement, "
            "transfer and balance agrees."
        )
    _tell_differences(found.differences)
    if found.signed.checkpoints:
        out.print(found.signed_words)
    out.print(Text(found.conclusion, _STYLES[found.verdict]), soft_wrap=True)


def _tell_differences(differences: Iterable[Difference]) -> None:
    for one in differences:
        place = f"{one.stream}, entry {one.version}" if one.version else one.stream
        console().print(Text.assemble(("differs", "bold red"), f" {place}: {one.message}"))


_STYLES: Final[dict[Verdict, str]] = {
    "anchored": "bold green",
    "unanchored": "bold yellow",
    "differs": "bold red",
}


def recalled(
    journal: str | None,
    *,
    table: str | None,
    marks: dict[str, Any],
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
) -> int:
    if limit < 1:
        raise BadRequest(f"--limit {limit}: ask for one round at least")
    with opened(journal) as store:
        found = Journal(store).rounds(
            table,
            **marks,
            since=_time(since, "--since"),
            until=_time(until, "--until"),
            limit=limit,
        )
    if as_json:
        print_json({"rounds": [one.to_dict() for one in found]})
        return 0
    _tell_rounds(found)
    return 0


def _tell_rounds(found: tuple[PastRound, ...]) -> None:
    if not found:
        console().print("No round like that is in the journal.")
        return
    grid = Grid("table", "round", "ended", "players", "hands", "dealer", box=None)
    for one in found:
        grid.add_row(
            Text(one.table),
            str(one.round),
            one.ended[:19].replace("T", " "),
            Text(", ".join(one.players)),
            ", ".join(hand.replace("_", " ") for hand in one.hands),
            "void" if one.void else (one.dealer or "").replace("_", " "),
        )
    console().print(grid)
    console().print("`croupier replay TABLE ROUND` tells one of them.", style="dim")


def replayed(journal: str | None, table: str, number: int, *, as_json: bool) -> int:
    with opened(journal) as store:
        played = Journal(store).replay(table, number)
    if as_json:
        print_json(played.to_dict())
        return 0
    out = console()
    where = f" ({played.jurisdiction}, {played.rulebook})"
    out.print(Text.assemble((played.title, "bold"), where), end="")
    at = played.told[0].at[:19].replace("T", " ")
    out.print(", table", table, end="")
    out.print(f", round {number}, {at} UTC\n")
    for event in played.told:
        for place, line in enumerate(event.words):
            clock = event.at[11:19] if place == 0 else ""
            out.print(Text(f"{clock:10}", style="dim") + with_cards(line))
        if event.confirmed:
            done = ", ".join(event.confirmed)
            out.print(Text(f"{'':10}{event.by} confirms {done}", style="dim"))
        if event.shown:
            out.print(Text(f"{'':10}shown: {', '.join(event.shown)}", style="dim"))
    if played.hands:
        out.print("\nThe hands as they lay")
    for hand in played.hands:
        holder = f"{hand.place}, {hand.player}" if hand.player else hand.place
        out.print(Text(f"{'':10}{holder}: ") + with_cards(hand.words))
    if not played.is_over:
        out.print("\nThe round is still being played.", style="yellow")
    return 0


def _time(text: str | None, where: str) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadRequest(
            f"{where} {plain(text)}: write a time like 2026-11-15 or 2026-11-15T18:00"
        ) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _check_table(store: ledger.Journal, table: str | None) -> None:
    names = tuple(name.removeprefix("table:") for name in store.streams("table:"))
    if table is not None and table not in names:
        raise suggest("table", table, names)


def export(
    journal: str | None, *, table: str | None, form: Form, part: Part | None, to: Path | None
) -> int:
    """Rows go out as they are read: any journal fits."""
    with opened(journal) as store:
        _check_table(store, table)
        lines = export_lines(store, form, part, table)
        if to is None:
            sys.stdout.writelines(lines)
            return 0
        try:
            # It has every player's name and money.
            with open(to, "w", encoding="utf-8", newline="", opener=opener_for_owner) as file:
                file.writelines(lines)
        except OSError as error:
            raise BadRequest(f"{plain(to, 200)} cannot be written: {error.strerror}") from None
    return 0


def shift(
    journal: str | None, *, since: str, until: str | None, table: str | None, as_json: bool
) -> int:
    from croupier.reports.shift import shift_report

    with opened(journal) as store:
        _check_table(store, table)
        begins = _time(since, "--since")
        ends = _time(until, "--until") or datetime.now(UTC)
        assert begins is not None
        found = shift_report(store, begins, ends, table)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return 0
    names = ("table", "rounds", "an hour", "drop", "win", "hold", "fills", "credits", "tips")
    grid = Grid(*names, "dealers", box=None)
    for one in (*found.tables, found.total):
        dealers = ", ".join(f"{d.dealer} {d.rounds} at {d.pace}/h" for d in one.dealers)
        hold = f"{one.hold}%" if one.hold is not None else "–"
        money = (one.drop, one.win, hold, one.fills, one.credits, one.tips)
        row = (one.table or "all", str(one.rounds), str(one.pace), *money)
        grid.add_row(*map(Text, row), Text(dealers))
    console().print(grid)
    return 0
