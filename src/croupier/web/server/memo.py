"""The server's cache: a dictionary of bounded size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(OrderedDict[Key, Value]):
    """A dictionary of at most `most` entries: a new one evicts the entry that was set longest ago.
    Values for which `keeps` is true are never evicted, even if there are more than `most`."""

    def __init__(self, most: int, *, keeps: Callable[[Value], bool] | None = None) -> None:
        super().__init__()
        self.most = most
        self._keeps = keeps

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        excess = len(self) - self.most
        if excess > 0:
            for old in self._oldest(excess):
                del self[old]

    def _oldest(self, number: int) -> list[Key]:
        keeps = self._keeps
        if keeps is None:
            return list(islice(self, number))
        return list(islice((key for key, value in self.items() if not keeps(value)), number))
