"""`croupier table slip`: a slip to print."""

from __future__ import annotations

import sys

import msgspec

from croupier.commands.journal import opened
from croupier.commands.output import print_json
from croupier.ledger.history.floor_records import slip_numbered
from croupier.reports.slips import slip_form, slip_html, slip_text

__all__ = ["print_slip"]


def print_slip(table: str, number: str, journal: str | None, *, html: bool, as_json: bool) -> int:
    with opened(journal) as store:
        slip = slip_numbered(store, table, number)
    if as_json:
        print_json(msgspec.to_builtins(slip_form(slip)))
    else:
        sys.stdout.write(slip_html(slip) if html else slip_text(slip))
    return 0
