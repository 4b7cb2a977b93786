"""Encoded views: what a view remembers of the one before it."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from typing import Any

from croupier.web.tables.encoded_views import EncodedView
from croupier.web.tables.forms import RoundForm, TableForm


def view(number: int) -> EncodedView:
    fields: Any = number
    table = TableForm(*[fields for _ in TableForm.__struct_fields__])
    state = RoundForm(*[fields for _ in RoundForm.__struct_fields__])
    return EncodedView(table, state, seats=(b"%d" % number, b"same"), hands=())


def test_only_what_changed_is_sent() -> None:
    first, second = view(1), view(2)
    changes = second.changes_since(first)
    assert b'"0":2' in changes
    assert b"same" not in changes
    assert second.changes_since(first) is changes  # cached for everybody who has the first
    assert second.changes_since(second) == b""


def test_a_view_keeps_no_earlier_view_in_memory() -> None:
    """A table that is watched for days would hold every view it ever showed."""
    views = [view(number) for number in range(5)]
    for earlier, later in pairwise(views):
        assert later.changes_since(earlier)
    first, last = weakref.ref(views[0]), views[-1]
    del views, earlier, later
    gc.collect()
    assert first() is None
    assert last.changes_since(last) == b""
