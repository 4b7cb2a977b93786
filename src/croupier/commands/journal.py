"""Commands for past rounds and whole journals: `replay`, `recall`, `export`, `reindex` and
`journal`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

import croupier
from croupier.commands.options import AsJson, Flag, Journal, documented
from croupier.commands.output import (
    console,
    print_error,
    print_json,
    print_record,
    print_refusal,
)
from croupier.commands.output import (
    table as new_table,
)
from croupier.errors import BadRequest, plain

if TYPE_CHECKING:
    from croupier.ledger.differences import Difference
    from croupier.ledger.journal import Journal as Store
    from croupier.library.journals import PastRound, ReplayedRound

journal = App(name="journal", help="Shift figures, pruning, and adopting a moved journal.")


@contextmanager
def opened(journal: str | None, *, read_only: bool = False, signs: bool = True) -> Iterator[Store]:
    """Open the named journal, or the one in the data folder. It must exist: no file is created.

    A read-only command never signs, because it would vouch for what it is about to check.
    """
    from croupier.ledger import journal as ledger
    from croupier.ledger.data_folder import default_journal, named_journal
    from croupier.runtime.signing import signing

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


@contextmanager
def counting(words: str) -> Iterator[Callable[[int], None]]:
    """Show the progress of the work on a terminal."""
    from rich.console import Console
    from rich.status import Status

    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield lambda _: None
        return
    with Status(words, console=terminal) as status:
        yield lambda count: status.update(f"{count:,} {words}")


def time_of(text: str | None, flag: str) -> datetime | None:
    """Return a time as the command line writes it; without a zone it is UTC."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadRequest(
            f"{flag} {plain(text)}: write a time like 2026-11-15 or 2026-11-15T18:00"
        ) from None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


# -- past rounds ----------------------------------------------------------------------------------


@documented
def replay(table: str, number: int, *, journal: Journal = None, json: AsJson = False) -> int:
    """Print a past round: cards, decisions, payments and clauses.

    Parameters
    ----------
    table
        The table's name.
    number
        The round's number at that table.
    """
    with opened(journal) as store:
        played = croupier.Journal(store).replay(table, number)
    if json:
        print_record(played)
    else:
        _print_round(played)
    return 0


def _print_round(played: ReplayedRound) -> None:
    from rich.text import Text

    from croupier.reports.story import with_cards

    out = console()
    where = f" ({played.jurisdiction}, {played.rulebook})"
    at = played.events[0].at[:19].replace("T", " ")
    out.print(
        Text.assemble((played.title, "bold"), where)
        + Text(f", table {played.table}, round {played.round}, {at} UTC\n"),
        soft_wrap=True,
    )
    for event in played.events:
        for place, line in enumerate(event.words):
            clock = event.at[11:19] if place == 0 else ""
            out.print(Text(f"{clock:10}", style="dim") + with_cards(line))
        if event.confirmed:
            done = ", ".join(event.confirmed)
            out.print(f"{'':10}{event.by} confirms {done}", style="dim")
        if event.shown:
            out.print(f"{'':10}shown: {', '.join(event.shown)}", style="dim")
    if played.hands:
        out.print("\nThe hands as they lay")
    for hand in played.hands:
        holder = f"{hand.place}, {hand.player}" if hand.player else hand.place
        out.print(Text(f"{'':10}{holder}: ") + with_cards(hand.words))
    if not played.is_over:
        out.print("\nThe round is still being played.", style="yellow")


@documented
def recall(
    table: str | None = None,
    *,
    player: str | None = None,
    seat: int | None = None,
    hand: str | None = None,
    dealer: str | None = None,
    meter: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int = 20,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Find past rounds by table, player, seat, hand or time. The newest comes first.

    Parameters
    ----------
    table
        Rounds at this table only.
    player
        Rounds this person played in.
    seat
        Rounds in which this seat was played.
    hand
        Rounds in which a player held it: straight_flush, full_house, …
    dealer
        Rounds in which the dealer held it.
    meter
        Rounds in which this meter of a progressive paid.
    since
        Not before this time (UTC): 2026-11-15 or 2026-11-15T18:00.
    until
        Not after this time.
    limit
        At most this many.
    """
    if limit < 1:
        raise BadRequest(f"--limit {limit}: the least is one round")
    with opened(journal) as store:
        rounds = croupier.Journal(store).rounds(
            table,
            player=player,
            seat=seat,
            hand=hand,
            dealer=dealer,
            meter=meter,
            since=time_of(since, "--since"),
            until=time_of(until, "--until"),
            limit=limit,
        )
    if json:
        print_json({"rounds": [each.to_dict() for each in rounds]})
    else:
        _print_rounds(rounds)
    return 0


def _print_rounds(rounds: tuple[PastRound, ...]) -> None:
    from rich.text import Text

    if not rounds:
        console().print("No round like that is in the journal.")
        return
    drawn = new_table("table", "round", "ended", "players", "hands", "dealer", padding=(0, 1))
    for each in rounds:
        drawn.add_row(
            Text(each.table),
            str(each.round),
            each.ended[:19].replace("T", " "),
            Text(", ".join(each.players)),
            ", ".join(hand.replace("_", " ") for hand in each.hands),
            "void" if each.void else (each.dealer or "").replace("_", " "),
        )
    console().print(drawn)
    console().print("`croupier replay TABLE ROUND` prints one of them.", style="dim")


@documented
def export(
    table: str | None = None,
    *,
    form: Annotated[Literal["jsonl", "csv"], Parameter(name="--format")] = "jsonl",
    part: Annotated[
        Literal["entries", "wagers", "transfers", "attempts", "tables", "links"] | None,
        Parameter(name="--what"),
    ] = None,
    to: Path | None = None,
    journal: Journal = None,
) -> int:
    """Write a journal out for a regulator, as JSON Lines or CSV.

    Parameters
    ----------
    table
        This table only; by default all of them.
    form
        jsonl: every entry with its hash and transfers. csv: a row for each wager settled.
    part
        entries: of tables, then of links, refused attempts and corrections. wagers: what was
        settled. transfers: every cent moved. attempts, tables, links: these entries only.
    to
        The file to write; by default standard output.
    """
    from croupier.ledger.data_folder import opener_for_owner

    with opened(journal) as store:
        # Rows go out as they are read: a journal of any size can be exported.
        lines = croupier.export(croupier.Journal(store), table=table, form=form, part=part)
        if to is None:
            sys.stdout.writelines(lines)
            return 0
        try:
            # The file has every player's name and money.
            with open(to, "w", encoding="utf-8", newline="", opener=opener_for_owner) as file:
                file.writelines(lines)
        except OSError as error:
            raise BadRequest(f"{plain(to, 200)} cannot be written: {error.strerror}") from None
    return 0


# -- whole journals -------------------------------------------------------------------------------


@documented
def reindex(*, even_if_cut: Flag = False, journal: Journal = None, json: AsJson = False) -> int:
    """Rebuild indexes and balances from the entries. The index of rounds, balances, request keys
    and snapshots are made again; the entries stay as they are. If their chain does not hold,
    nothing is touched, and the command ends with 1. Nobody can write meanwhile.

    Parameters
    ----------
    even_if_cut
        Go on if the old index mentions entries that are missing: it may be their only trace.
    """
    from croupier.ledger.signatures.chain import ChainBroken

    with opened(journal) as store, counting("entries read") as count:
        try:
            rebuilt = croupier.reindex(
                croupier.Journal(store), even_if_cut=even_if_cut, progress=count
            )
        except ChainBroken as error:  # the request was right, and the answer is no
            print_refusal(error, as_json=json)
            return 1
    if json:
        print_record(rebuilt)
        return 0
    result = rebuilt.result
    console().print(
        f"{store.name}: rebuilt from {result.entries:,} entries: {result.rounds:,} rounds, "
        f"{result.requests:,} request keys, {result.accounts:,} balances, {result.snapshots:,} "
        "snapshots"
    )
    return 0


@journal.command(name="shift")
@documented
def shift(
    table: str | None = None,
    *,
    since: str,
    until: str | None = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """A shift in figures, by table and dealer: drop, win and hold, fills, credits and tips, rounds
    and how many of them an hour.

    Parameters
    ----------
    table
        This table only; by default all of them.
    since
        When the shift began, as in 2026-11-15T18:00; without a zone it is UTC.
    until
        When it ended; by default now.
    """
    from rich.text import Text

    began = time_of(since, "--since")
    assert began is not None
    with opened(journal) as store:
        result = croupier.shift(
            croupier.Journal(store), began, time_of(until, "--until"), table=table
        )
    if json:
        print_record(result)
        return 0
    names = ("table", "rounds", "an hour", "drop", "win", "hold", "fills", "credits", "tips")
    drawn = new_table(*names, "dealers", padding=(0, 1))
    for each in (*result.report.tables, result.report.total):
        dealers = ", ".join(f"{d.dealer} {d.rounds} at {d.pace}/h" for d in each.dealers)
        hold = f"{each.hold}%" if each.hold is not None else "–"
        money = (each.drop, each.win, hold, each.fills, each.credits, each.tips)
        row = (each.table or "all", str(each.rounds), str(each.pace), *money)
        drawn.add_row(*map(Text, row), Text(dealers))
    console().print(drawn)
    return 0


@journal.command(name="prune")
@documented
def prune(*, days: int, journal: Journal = None, json: AsJson = False) -> int:
    """Empty refused attempts that were signed this many days before the last checkpoint. Their
    times and hashes stay, so that checkpoints prove that they were there. Signed times are counted,
    not the clock: setting it forward erases nothing.

    Parameters
    ----------
    days
        How many days lie between the two checkpoints; 30 at least.
    """
    with opened(journal) as store:
        pruned = croupier.prune(croupier.Journal(store), days)
    if json:
        print_record(pruned)
        return 0
    result = pruned.result
    console().print(
        f"{result.entries:,} refused attempts that were signed {days} days before the last "
        f"checkpoint have no text any more ({result.bytes:,} bytes); that they were there stays "
        "provable"
    )
    return 0


@journal.command(name="adopt")
@documented
def adopt(*, since: str | None = None, journal: Journal = None, json: AsJson = False) -> int:
    """Continue a journal that was moved here from a machine with another key. It is verified first;
    if anything differs, nothing is changed and the command ends with 1. Then the key of this
    machine vouches for all its entries, and the journal says since when. Stop every server of the
    journal before.

    Parameters
    ----------
    since
        Checkpoints kept elsewhere (a file, a folder, or postgresql://…) that it must go on from.
    """
    with opened(journal) as store:
        adoption = croupier.adopt(croupier.Journal(store), since=since)
        name = store.name
    result = adoption.result
    if json:
        print_record(adoption)
    elif result.differences:
        print_differences(result.differences)
        print_error(f"{name} is not adopted: it differs in {len(result.differences)} places")
    else:
        console().print(
            f"{name}: this machine (key {result.key}) vouches for its {result.entries:,} entries "
            f"from now on; before it was the key {result.before}"
        )
    return 0 if adoption else 1


def print_differences(differences: Iterable[Difference]) -> None:
    """Print everything that differs, with its place in the journal."""
    from rich.text import Text

    for each in differences:
        place = f"{each.stream}, entry {each.version}" if each.version else each.stream
        console().print(Text.assemble(("differs", "bold red"), f" {place}: {each.message}"))
