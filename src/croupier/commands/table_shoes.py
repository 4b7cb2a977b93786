"""`croupier table shoe`: the tokens by which the reading shoes of a table are known."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.journal import opened
from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_refusal
from croupier.commands.table import actor_of
from croupier.errors import Refusal, suggest
from croupier.rounds.declaration import Actor

if TYPE_CHECKING:
    from croupier.web.tables.shoes import Shoes

__all__ = ["add_shoe", "list_shoes", "revoke_shoe"]


def add_shoe(
    table: str, name: str, acting: str | None, journal: str | None, *, as_json: bool
) -> int:
    actor = actor_of(acting)
    with _shoes(table, journal) as shoes:
        try:
            _check_operator(actor)
            shoe, token = shoes.add(table, name, actor.name)
        except Refusal as refusal:
            print_refusal(refusal, as_json=as_json)
            return 1
    if as_json:
        print_json({"shoe": shoe._asdict(), "token": token})
        return 0
    sys.stdout.write(
        f"{token}\nThis is the token of shoe {name} at table {table}. It is shown only now; "
        "a token that the shoe had before opens nothing any more.\n"
    )
    return 0


def list_shoes(table: str, journal: str | None, *, as_json: bool) -> int:
    with _shoes(table, journal) as shoes:
        found = shoes.of_table(table)
    if as_json:
        print_json({"shoes": [msgspec.to_builtins(one._asdict()) for one in found]})
        return 0
    if not found:
        console().print(
            "No shoe has a token here: `croupier table shoe add TABLE NAME`.", markup=False
        )
        return 0
    grid = Grid("shoe", "made by", "made", box=None, padding=(0, 2, 0, 0))
    for one in found:
        grid.add_row(Text(one.name), Text(one.made_by), one.made_at[:16].replace("T", " "))
    console().print(grid)
    return 0


def revoke_shoe(
    table: str, name: str, acting: str | None, journal: str | None, *, as_json: bool
) -> int:
    actor = actor_of(acting)
    with _shoes(table, journal) as shoes:
        try:
            _check_operator(actor)
            shoes.remove(table, name)
        except Refusal as refusal:
            print_refusal(refusal, as_json=as_json)
            return 1
    if as_json:
        print_json({"table": table, "revoked": name})
        return 0
    sys.stdout.write(f"The token of shoe {name} opens nothing any more.\n")
    return 0


def _check_operator(actor: Actor) -> None:
    if actor.role != "operator":
        raise Refusal(
            "an operator makes and revokes the tokens of shoes: write --as operator:NAME",
            code="wrong_role",
        )


@contextmanager
def _shoes(table: str, journal: str | None) -> Iterator[Shoes]:
    """Those of a table that is in the journal."""
    from croupier.web.tables.shoes import Shoes

    with opened(journal) as store:
        tables = [stream.removeprefix("table:") for stream in store.streams("table:")]
        if table not in tables:
            raise suggest("table", table, tables)
        yield Shoes(store)
