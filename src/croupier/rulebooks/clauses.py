"""The clauses of the documents: their ids, their kinds, and a summary of each in our words."""

from __future__ import annotations

from functools import cache

import msgspec

from croupier.rulebooks.bundled import read_bundled


class Clause(msgspec.Struct, frozen=True):
    id: str
    kind: str
    gist: str


@cache
def clauses_of(document: str) -> dict[str, Clause]:
    """Return all clauses of a document by id, in the order of the document."""
    rows = (line.split("\t") for line in read_bundled(document, "clauses.tsv").splitlines()[1:])
    return {id_: Clause(id_, type_, gist) for id_, type_, gist in rows}


def clause_named(document: str, id_: str) -> Clause | None:
    """Return the clause with this id, or the closest clause that contains it: 12.B(1)(a) is in
    12.B(1)."""
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
