"""The clauses of the five documents: ids, kinds, and what each is about in our words."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

__all__ = ["DOCUMENTS", "Clause", "clause_named", "clauses_of"]

DOCUMENTS: Final = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")


class Clause(msgspec.Struct, frozen=True):
    id: str
    kind: str
    gist: str


@cache
def clauses_of(document: str) -> dict[str, Clause]:
    """All clauses of a document by id, in the order of the document."""
    text = files(__package__).joinpath("clauses", f"{document}.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {id_: Clause(id_, kind, gist) for id_, kind, gist in rows}


def clause_named(document: str, id_: str) -> Clause | None:
    """The clause of that id, or the closest one it is a part of: 12.B(1)(a) stands in 12.B(1)."""
    table = clauses_of(document)
    while id_ not in table:
        shorter = _parent(id_)
        if shorter is None:
            return None
        id_ = shorter
    return table[id_]


def _parent(id_: str) -> str | None:
    if id_.endswith("'"):
        return id_[:-1]
    for bracket in ("(", "["):
        if id_.endswith((")", "]")) and bracket in id_:
            return id_[: id_.rindex(bracket)]
    return None
