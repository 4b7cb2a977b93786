"""`croupier link`: the progressive links of a journal, from the command line."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.journal import opened
from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_refusal
from croupier.commands.table import Given, actor_of
from croupier.errors import BadRequest, CroupierError, Refusal, RuleBroken, suggest
from croupier.ledger.journal import Journal
from croupier.progressives import LINK_COMMANDS, EndLink, LinkCommand
from croupier.reports.links import (
    AwardRow,
    HistoryRow,
    LinkForm,
    MeterForm,
    history,
    link_form,
    link_row,
)
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.runtime.links import LinkSession, link_names
from croupier.tables.command_input import link_command_from_words, usage
from croupier.tables.sentences import describe_link_event

__all__ = ["close_link", "do", "explain", "list_link_commands", "list_links", "show_link"]

EVERY = 10**9


def list_links(journal: str | None, *, as_json: bool) -> int:
    with opened(journal) as store:
        rows = [
            link_row(held.link, held.version)
            for held in (LinkSession(store, name).held for name in link_names(store))
        ]
    if as_json:
        print_json({"links": msgspec.to_builtins(rows)})
        return 0
    if not rows:
        console().print("No link is in this journal: a table with a progressive opens one.")
        return 0
    grid = Grid("link", "game", "", "tables", "meters", box=None, padding=(0, 2, 0, 0))
    for row in rows:
        meters = ", ".join(f"{name} ${meter.shown}" for name, meter in row.meters.items())
        state = "closed" if row.closed else "open"
        grid.add_row(Text(row.link), row.title, state, Text(", ".join(row.tables)), meters)
    console().print(grid)
    return 0


def show_link(name: str, journal: str | None, *, as_json: bool) -> int:
    with opened(journal) as store:
        form = _form(store, name)
    if as_json:
        print_json(msgspec.to_builtins(form))
        return 0
    out = console()
    state = "closed" if form.closed else "open"
    out.print(f"Link {form.link}, {state}: {form.title}; wager ${' or $'.join(form.stakes)}")
    out.print(_meters(form.meters))
    for member in form.members:
        counted = "counted" if member.counted else "not counted"
        lights = ", ".join(f"seat {one.seat} {one.player}" for one in member.lights if one.light)
        told = f"; lights on: {lights} (chips {counted})" if lights else ""
        out.print(Text(f"table {member.table}, round {member.round}{told}"))
    if form.awards:
        out.print(_awards(form.awards))
    return 0


def explain(name: str, journal: str | None, *, limit: int, as_json: bool) -> int:
    with opened(journal) as store:
        held = LinkSession(store, name).held
        meters = link_row(held.link, held.version).meters
        rows = list(history(store, held.link, held.version, limit=limit or EVERY))
    if as_json:
        explained = {
            meter: form.explained | {"reading": form.exact} for meter, form in meters.items()
        }
        print_json({"link": name, "meters": explained, "history": msgspec.to_builtins(rows)})
        return 0
    out = console()
    for meter, form in meters.items():
        parts = ", ".join(f"{column} {sum_}" for column, sum_ in form.explained.items())
        out.print(Text(f"{meter} reads {form.exact}: {parts}"), soft_wrap=True)
    out.print(_history(rows))
    return 0


def do(name: str, given: Given, acting: str | None, journal: str | None, *, as_json: bool) -> int:
    tag = given.command.replace("-", "_")
    if tag not in LINK_COMMANDS:
        raise suggest("command of a link", given.command, LINK_COMMANDS)
    actor = actor_of(acting)
    if given.request is not None and not given.request.strip():
        raise BadRequest("--request is empty: write a key of your own, or leave it out")
    command = link_command_from_words(tag, given.fields, actor)
    return _give(name, command, actor, journal, given.request, as_json=as_json)


def close_link(
    name: str,
    reason: str,
    moves: Sequence[str],
    stated: Sequence[str],
    acting: str | None,
    journal: str | None,
    *,
    as_json: bool,
) -> int:
    command = EndLink(reason, _pairs(moves, "--move"), _pairs(stated, "--state"))
    return _give(name, command, actor_of(acting), journal, None, as_json=as_json)


def _pairs(texts: Sequence[str], flag: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        meter, sign, value = text.partition("=")
        if not sign or not meter or not value or meter in found:
            raise BadRequest(f"{flag} {text}: write each meter once, as METER=…")
        found[meter] = value
    return found


def _give(
    name: str,
    command: LinkCommand,
    actor: Actor,
    journal: str | None,
    request: str | None,
    *,
    as_json: bool,
) -> int:
    with opened(journal) as store:
        session = LinkSession(store, name)
        key = None if request is None else f"{actor}:{request}"
        try:
            done = session.carry_out(command, actor, key)
        except (Refusal, RuleBroken) as error:
            print_refusal(error, as_json=as_json)
            return 1
        link = session.link
    told = [line for event in done.events for line in describe_link_event(event, link)]
    if as_json:
        print_json(
            {
                "link": name,
                "version": done.version,
                "by": msgspec.to_builtins(actor),
                "repeated": done.repeated,
                "told": told,
            }
        )
        return 0
    for line in told:
        console().print(Text(line), soft_wrap=True)
    return 0


def list_link_commands(*, as_json: bool) -> int:
    if as_json:
        rows = [
            {
                "command": tag,
                "label": kind.declared.label,
                "roles": kind.declared.by,
                "usage": usage(kind),
            }
            for tag, kind in LINK_COMMANDS.items()
        ]
        print_json({"commands": rows})
        return 0
    grid = Grid("command", "what it does", "who", "fields", box=None, padding=(0, 2, 0, 0))
    for tag, kind in LINK_COMMANDS.items():
        declared = kind.declared
        grid.add_row(Text(tag, "bold"), declared.label, ", ".join(declared.by), Text(usage(kind)))
    console().print(grid)
    return 0


# -- drawing --------------------------------------------------------------------------------------


def _form(store: Journal, name: str) -> LinkForm:
    held = LinkSession(store, name).held
    house = House(store)
    tables = {}
    for table in held.link.members:
        try:
            tables[table] = house.table(table)
        except CroupierError:
            continue  # told by `verify`
    return link_form(store, held.link, held.version, tables)


def _meters(meters: dict[str, MeterForm]) -> Grid:
    grid = Grid(
        "meter", "shows", "rate", "seed", "reset", "emptied", box=None, padding=(0, 2, 0, 0)
    )
    for name, form in meters.items():
        row = (f"${form.shown}", form.rate, f"${form.seed}", f"${form.reset}", str(form.emptied))
        grid.add_row(name, *row)
    return grid


def _awards(rows: Sequence[AwardRow]) -> Grid:
    grid = Grid("award", "table", "round", "seat", "hand", "paid", "validated by", box=None)
    for row in rows:
        grid.add_row(
            row.at[:19],
            Text(row.table),
            str(row.round),
            str(row.seat),
            row.hand.replace("_", " "),
            f"${row.paid}",
            Text(row.validated_by),
        )
    return grid


def _history(rows: Sequence[HistoryRow]) -> Grid:
    grid = Grid("entry", "when", "by", "what", "changes", "reads", box=None, padding=(0, 2, 0, 0))
    for row in rows:
        changes = ", ".join(f"{name} {amount}" for name, amount in row.changes.items())
        after = ", ".join(f"{name} {amount}" for name, amount in row.after.items())
        told = (Text(row.by), Text(row.words), changes, after)
        grid.add_row(str(row.version), row.at[:19], *told)
    return grid
