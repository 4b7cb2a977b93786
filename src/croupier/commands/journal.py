"""What a journal holds: `verify`, `replay`, `recall`, `export`; `reindex` and `journal migrate`."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO, cast

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.complaints import complain
from croupier.commands.output import console, print_json, print_refusal_object
from croupier.errors import BadRequest, CroupierError, plain, suggest
from croupier.ledger.chain import ChainBroken
from croupier.ledger.entries import Mark
from croupier.ledger.journal import Journal, file_of, open_journal
from croupier.ledger.past_rounds import (
    Correction,
    Moment,
    corrections,
    recall,
    round_moments,
    withheld,
)
from croupier.ledger.verify import Verification, verify
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.reports.story import with_cards
from croupier.runtime.data_folder import default_journal
from croupier.tables.state import Table, rules_of
from croupier.tables.telling import tell

__all__ = ["export", "migrated", "opened", "recalled", "reindexed", "replayed", "verified"]


@contextmanager
def opened(journal: str | None) -> Iterator[Journal]:
    """The journal named, or the one in the data folder. It must be there: nothing is made."""
    where = journal or str(default_journal())
    path = file_of(where)
    if path is not None and not path.exists():
        raise BadRequest(
            f"there is no journal at {plain(where, 200)}: name one with --journal, or make one "
            "with `croupier simulate --journal`"
        )
    with open_journal(where) as store:
        yield store


def verified(journal: str | None, *, as_json: bool) -> int:
    with opened(journal) as store, _counting("entries verified") as told:
        found = verify(store, told)
    if as_json:
        print_json({"valid": found.valid} | msgspec.to_builtins(found))
    else:
        _tell_verification(found, store.name)
    return 0 if found.valid else 1


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


def migrated(old: str, to: str, *, as_json: bool) -> int:
    from croupier.ledger.migration import migrate_journal
    from croupier.ledger.regrouping import Differs

    try:
        with _status("reading") as told:
            found = migrate_journal(old, to, told)
    except (ChainBroken, Differs) as error:
        return _does_not_hold(error, as_json=as_json)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return 0
    out = console()
    out.print(
        f"{found.new}: {found.written:,} entries made of {found.read:,}, with "
        f"{found.commands:,} commands, {found.rounds:,} rounds, {found.requests:,} request keys"
    )
    for place in found.mended:
        out.print(Text.assemble(("mended  ", "yellow"), place))
    out.print(f"[green]It verifies.[/] {found.old} is as it was: keep it.")
    return 0


def _does_not_hold(error: CroupierError, *, as_json: bool) -> int:
    """The request was right, and the answer is no."""
    if as_json:
        print_refusal_object(error, print_json)
    complain(error.message)
    return 1


@contextmanager
def _counting(words: str) -> Iterator[Callable[[int], None]]:
    """How far the work has come, on a terminal."""
    with _status(words) as told:
        yield lambda count: told(f"{count:,} {words}")


@contextmanager
def _status(words: str) -> Iterator[Callable[[str], None]]:
    from rich.console import Console
    from rich.status import Status

    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield lambda _: None
        return
    with Status(words, console=terminal) as status:
        yield status.update


def _tell_verification(found: Verification, name: str) -> None:
    out = console()
    out.print(
        f"{name}: {found.entries:,} entries in {found.streams} streams, {found.rounds:,} rounds"
    )
    if found.valid:
        out.print(
            "[green]The journal is whole:[/] every chain holds, every round plays again to the "
            "same end, every settlement, transfer and balance agrees."
        )
        return
    for difference in found.differences:
        out.print(
            Text.assemble(
                ("differs", "bold red"),
                f" {difference.stream}, entry {difference.version}: {difference.message}",
            )
        )


def recalled(
    journal: str | None,
    *,
    table: str | None,
    marks: dict[str, str | None],
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
) -> int:
    if limit < 1:
        raise BadRequest(f"--limit {limit}: ask for one round at least")
    hand = marks.get("hand")
    if hand is not None and hand not in CATEGORY_NAMES:
        raise suggest("hand", hand, CATEGORY_NAMES)
    wanted = [Mark(name, value) for name, value in marks.items() if value is not None]
    with opened(journal) as store:
        _check_table(store, table)
        found = list(
            recall(
                store,
                table=table,
                marks=wanted,
                since=_time(since, "--since"),
                until=_time(until, "--until"),
                limit=limit,
            )
        )
    rows: list[dict[str, object]] = [
        {
            "table": chapter.stream.removeprefix("table:"),
            "round": chapter.number,
            "began": chapter.began,
            "ended": chapter.ended,
            "players": [mark.value for mark in chapter.marks if mark.name == "player"],
            "hands": [mark.value for mark in chapter.marks if mark.name == "hand"],
            "dealer": next((m.value for m in chapter.marks if m.name == "dealer"), None),
            "void": any(mark == Mark("void", "yes") for mark in chapter.marks),
        }
        for chapter in found
    ]
    if as_json:
        print_json({"rounds": rows})
        return 0
    _tell_rounds(rows)
    return 0


def _tell_rounds(rows: list[dict[str, object]]) -> None:
    if not rows:
        console().print("No round like that is in the journal.")
        return
    grid = Grid("table", "round", "ended", "players", "hands", "dealer", box=None)
    for row in rows:
        players, hands = row["players"], row["hands"]
        assert isinstance(players, list)
        assert isinstance(hands, list)
        grid.add_row(
            Text(str(row["table"])),
            str(row["round"]),
            str(row["ended"])[:19].replace("T", " "),
            Text(", ".join(players)),
            ", ".join(hand.replace("_", " ") for hand in hands),
            "void" if row["void"] else str(row["dealer"] or "").replace("_", " "),
        )
    console().print(grid)
    console().print("`croupier replay TABLE ROUND` tells one of them.", style="dim")


def replayed(journal: str | None, table: str, number: int, *, as_json: bool) -> int:
    with opened(journal) as store:
        _check_table(store, table)
        played = list(round_moments(store, table, number))
        added = list(corrections(store, table, number))
    state = played[-1].after
    finished = number if state.round.phase == "over" else 0
    told = [_told(moment, finished) for moment in played]
    told += [_told_correction(one, state) for one in added]
    if as_json:
        print_json({"table": table, "round": number, "rulebook": state.rulebook, "told": told})
        return 0
    book = rules_of(state).book
    out = console()
    out.print(f"[bold]{book.title}[/] ({book.jurisdiction}, {book.id}), table", table, end="")
    out.print(f", round {number}, {str(told[0]['at'])[:19].replace('T', ' ')} UTC\n")
    for moment in told:
        for place, line in enumerate(cast("list[str]", moment["words"])):
            clock = str(moment["at"])[11:19] if place == 0 else ""
            out.print(Text(f"{clock:10}", style="dim") + with_cards(line))
    if state.round.phase != "over":
        out.print("\nThe round is still being played.", style="yellow")
    return 0


def _told(moment: Moment, finished: int) -> dict[str, object]:
    return {
        "version": moment.entry.version,
        "at": moment.entry.at,
        "by": moment.by,
        "kind": moment.kind,
        "words": tell(withheld(moment, finished), moment.after),
    }


def _told_correction(one: Correction, table: Table) -> dict[str, object]:
    return {
        "version": one.entry.version,
        "at": one.entry.at,
        "by": str(one.actor),
        "kind": "corrected",
        "words": tell(one.event, table),
    }


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


def _check_table(store: Journal, table: str | None) -> None:
    names = tuple(name.removeprefix("table:") for name in store.streams("table:"))
    if table is not None and table not in names:
        raise suggest("table", table, names)


def export(journal: str | None, *, table: str | None, form: str, to: Path | None) -> int:
    """Rows go out as they are read: any journal fits."""
    with opened(journal) as store:
        _check_table(store, table)
        names = [table] if table is not None else store.streams("table:")
        tables = [name.removeprefix("table:") for name in names]
        if to is None:
            _write(store, tables, form, sys.stdout)
            return 0
        try:
            with to.open("w", encoding="utf-8", newline="") as file:
                _write(store, tables, form, file)
        except OSError as error:
            raise BadRequest(f"{plain(to, 200)} cannot be written: {error.strerror}") from None
    return 0


def _write(store: Journal, tables: list[str], form: str, file: TextIO) -> None:
    from croupier.reports.exports import COLUMNS, entries, settled_wagers

    if form == "csv":
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for table in tables:
            writer.writerows(map(_harmless, settled_wagers(store, table)))
        return
    for table in tables:
        for entry in entries(store, table):
            file.write(msgspec.json.encode(entry).decode() + "\n")


def _harmless(row: tuple[str, ...]) -> list[str]:
    """A name that a spreadsheet would take for a formula is written as text."""
    return [f"'{cell}" if cell.startswith(("=", "+", "@", "\t", "\r")) else cell for cell in row]
