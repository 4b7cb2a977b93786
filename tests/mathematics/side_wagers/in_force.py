"""Rules in force, as tests ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


@cache
def _rules(
    book: str, paytables: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]
) -> Rules:
    submission = Submission(paytables=dict(paytables), readings=dict(readings))
    return put_in_force(load_rulebook(book), submission)


class InForce:
    def __call__(
        self,
        book: str,
        paytables: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Rules:
        return _rules(book, tuple((paytables or {}).items()), tuple((readings or {}).items()))
