"""`croupier link`: the progressive links of a journal, from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cyclopts import App

from croupier.commands.journal import opened
from croupier.commands.options import (
    Acting,
    AsJson,
    Journal,
    Repeated,
    Request,
    actor_of,
    documented,
    pairs,
)
from croupier.commands.output import console, print_json, print_refusal, table
from croupier.errors import BadRequest, CroupierError, Refusal, RuleBroken, suggest

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.ledger.journal import Journal as Store
    from croupier.progressives import LinkCommand
    from croupier.reports.links import AwardRow, HistoryRow, LinkForm, MeterForm
    from croupier.rounds.declaration import Actor

EVERY: Final = 10**9

link = App(name="link", help="Progressive links: meters, tables, awards, terms.")


# -- looking --------------------------------------------------------------------------------------


@link.command(name="list")
@documented
def list_links(*, journal: Journal = None, json: AsJson = False) -> int:
    """The links of a journal, and what their meters show."""
    from rich.text import Text

    from croupier.reports.links import link_row
    from croupier.runtime.links import LinkSession, link_names

    with opened(journal) as store:
        rows = [
            link_row(held.link, held.version)
            for held in (LinkSession(store, name).held for name in link_names(store))
        ]
    if json:
        print_json({"links": rows})
        return 0
    if not rows:
        console().print("No link is in this journal: a table with a progressive opens one.")
        return 0
    drawn = table("link", "game", "", "tables", "meters")
    for row in rows:
        meters = ", ".join(f"{name} ${meter.shown}" for name, meter in row.meters.items())
        state = "closed" if row.closed else "open"
        drawn.add_row(Text(row.link), row.title, state, Text(", ".join(row.tables)), meters)
    console().print(drawn)
    return 0


@link.command(name="show")
@documented
def show(link: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """Meters with their terms, tables with the lights of their seats, and the last 25 awards.

    Parameters
    ----------
    link
        The link's name.
    """
    with opened(journal) as store:
        form = _form(store, link)
    if json:
        print_json(form)
        return 0
    out = console()
    state = "closed" if form.closed else "open"
    out.print(f"Link {form.link}, {state}: {form.title}; wager ${' or $'.join(form.stakes)}")
    out.print(_meters(form.meters))
    for member in form.members:
        counted = "counted" if member.counted else "not counted"
        lights = ", ".join(
            f"seat {each.seat} {each.player}" for each in member.lights if each.light
        )
        lit = f"; lights on: {lights} (chips {counted})" if lights else ""
        out.print(f"table {member.table}, round {member.round}{lit}")
    if form.awards:
        out.print(_awards(form.awards))
    return 0


def _form(store: Store, name: str) -> LinkForm:
    from croupier.reports.links import link_form
    from croupier.runtime.house import House
    from croupier.runtime.links import LinkSession

    held = LinkSession(store, name).held
    house = House(store)
    tables = {}
    for member in held.link.members:
        try:
            tables[member] = house.table(member)
        except CroupierError:
            continue  # `verify` reports it
    return link_form(store, held.link, held.version, tables)


@link.command(name="explain")
@documented
def explain(
    link: str, /, *, limit: int = 100, journal: Journal = None, json: AsJson = False
) -> int:
    """The origin of every part of a cent: the sums of each meter, and the entries behind them.

    Parameters
    ----------
    link
        The link's name.
    limit
        How many entries, the newest first; 0 for all of them.
    """
    import msgspec

    from croupier.reports.links import history, link_row
    from croupier.runtime.links import LinkSession

    with opened(journal) as store:
        held = LinkSession(store, link).held
        meters = link_row(held.link, held.version).meters
        rows = list(history(store, held.link, held.version, limit=limit or EVERY))
    if json:
        explained = {
            meter: form.explained | {"reading": form.exact} for meter, form in meters.items()
        }
        print_json({"link": link, "meters": explained, "history": msgspec.to_builtins(rows)})
        return 0
    out = console()
    for meter, form in meters.items():
        parts = ", ".join(f"{column} {amount}" for column, amount in form.explained.items())
        out.print(f"{meter} reads {form.exact}: {parts}", soft_wrap=True)
    out.print(_history(rows))
    return 0


# -- commands -------------------------------------------------------------------------------------


@link.command(name="do")
@documented
def do(
    link: str | None = None,
    command: str | None = None,
    /,
    *fields: str,
    acting: Acting = None,
    request: Request = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a command to a link; without a command, list them. Ends with 1 and the clause if the
    rules refuse it, with 2 if it cannot be understood.

        croupier link do pot change_terms meter=main rate=0.06 reason=promotion --as operator:Olga

    Parameters
    ----------
    link
        The link's name.
    command
        change_terms or close_link.
    fields
        name=value for each field of the command.
    """
    from croupier.progressives import LINK_COMMANDS
    from croupier.tables.command_input import link_command_from_words

    if command is None:
        return _list_commands(as_json=json)
    tag = command.replace("-", "_")
    if tag not in LINK_COMMANDS:
        raise suggest("command of a link", command, LINK_COMMANDS)
    actor = actor_of(acting)
    if request is not None and not request.strip():
        raise BadRequest("--request is empty: write a key of your own, or leave it out")
    chosen = link_command_from_words(tag, list(fields), actor)
    return _give(str(link), chosen, actor, journal, request, as_json=json)


@link.command(name="close")
@documented
def close(
    link: str,
    /,
    *,
    reason: str,
    move: Repeated = None,
    state: Repeated = None,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Close a link that no table is on. Say for every meter where its money goes.

    Parameters
    ----------
    link
        The link's name.
    reason
        Why it is closed.
    move
        METER=LINK:METER, the meter of another link that takes the money over. Repeatable.
    state
        METER=WORDS, what else becomes of the money. Repeatable.
    """
    from croupier.progressives import EndLink

    command = EndLink(reason, pairs(move, "--move"), pairs(state, "--state"))
    return _give(link, command, actor_of(acting), journal, None, as_json=json)


def _give(
    name: str,
    command: LinkCommand,
    actor: Actor,
    journal: str | None,
    request: str | None,
    *,
    as_json: bool,
) -> int:
    """Carry a command out and print what happened; a refusal ends with 1."""
    from croupier.runtime.links import LinkSession
    from croupier.tables.sentences import describe_link_event

    with opened(journal) as store:
        session = LinkSession(store, name)
        key = None if request is None else f"{actor}:{request}"
        try:
            done = session.carry_out(command, actor, key)
        except (Refusal, RuleBroken) as error:
            print_refusal(error, as_json=as_json)
            return 1
        changed = session.link
    lines = [line for event in done.events for line in describe_link_event(event, changed)]
    if as_json:
        answer = {"link": name, "version": done.version, "by": actor, "repeated": done.repeated}
        print_json(answer | {"told": lines})
        return 0
    for line in lines:
        console().print(line, soft_wrap=True)
    return 0


def _list_commands(*, as_json: bool) -> int:
    from rich.text import Text

    from croupier.progressives import LINK_COMMANDS
    from croupier.tables.command_input import usage

    rows = [
        {
            "command": tag,
            "label": command.declared.label,
            "roles": command.declared.by,
            "usage": usage(command),
        }
        for tag, command in LINK_COMMANDS.items()
    ]
    if as_json:
        print_json({"commands": rows})
        return 0
    drawn = table("command", "what it does", "who", "fields")
    for tag, command in LINK_COMMANDS.items():
        declared = command.declared
        drawn.add_row(
            Text(tag, "bold"), declared.label, ", ".join(declared.by), Text(usage(command))
        )
    console().print(drawn)
    return 0


# -- for people -----------------------------------------------------------------------------------


def _meters(meters: Mapping[str, MeterForm]) -> Table:
    drawn = table("meter", "shows", "rate", "seed", "reset", "emptied")
    for name, form in meters.items():
        row = (f"${form.shown}", form.rate, f"${form.seed}", f"${form.reset}", str(form.emptied))
        drawn.add_row(name, *row)
    return drawn


def _awards(rows: Sequence[AwardRow]) -> Table:
    from rich.text import Text

    headings = ("award", "table", "round", "seat", "hand", "paid", "validated by")
    drawn = table(*headings, padding=(0, 1))
    for row in rows:
        drawn.add_row(
            row.at[:19],
            Text(row.table),
            str(row.round),
            str(row.seat),
            row.hand.replace("_", " "),
            f"${row.paid}",
            Text(row.validated_by),
        )
    return drawn


def _history(rows: Sequence[HistoryRow]) -> Table:
    from rich.text import Text

    drawn = table("entry", "when", "by", "event", "changes", "reads")
    for row in rows:
        changes = ", ".join(f"{name} {amount}" for name, amount in row.changes.items())
        after = ", ".join(f"{name} {amount}" for name, amount in row.after.items())
        cells = (Text(row.by), Text(row.words), changes, after)
        drawn.add_row(str(row.version), row.at[:19], *cells)
    return drawn
