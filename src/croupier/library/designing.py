"""Search pay combinations for paytables that hit a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier.library import html
from croupier.library.figures import cents_of
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission, load_rulebook
from croupier.mathematics.questions.design.designs import (
    Design,
    DesignRequest,
    Designs,
    designs_for,
)
from croupier.money import Amount
from croupier.workers import using


class PaytableSearch(Record, frozen=True):
    """The paytables that meet the targets, best first; `nearest` if none does."""

    designs: Designs
    """The whole result of the search."""

    @property
    def searched(self) -> int:
        """How many paytables were searched."""
        return self.designs.searched

    @property
    def matches(self) -> int:
        """How many tables hit the target."""
        return self.designs.matches

    @property
    def tables(self) -> tuple[Design, ...]:
        """The paytables found, each with its `pays`, the exact `values` of the wagers and its exact
        `figures`."""
        return self.designs.tables

    @property
    def nearest(self) -> tuple[Design, ...]:
        """The nearest paytables, if none meets the targets."""
        return self.designs.nearest

    def to_dict(self) -> dict[str, Any]:
        return self.designs.to_dict()

    def __repr__(self) -> str:
        return f"<PaytableSearch {self.designs.rulebook}: {self.matches:,} of {self.searched:,}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                *each.varied.values(),
                *(f"{float(-value):.6%}" for value in each.values.values()),
                f"{float(each.figures.hold):.6%}",
            )
            for each in self.tables
        ]
        first = self.tables[0] if self.tables else None
        lines = (*first.varied, *(f"edge of {name}" for name in first.values)) if first else ()
        return html.page(repr(self)[1:-1], html.grid((*lines, "hold"), rows))


def design(
    rulebook: AnyRulebook,
    vary: str | Sequence[str],
    *,
    wager: str = "",
    table: str = "",
    edge: str | Sequence[str] = (),
    hold: str = "",
    hit_frequency: str = "",
    deviation: str = "",
    stakes: Mapping[str, Amount] | None = None,
    best: str = "edge",
    limit: int = 20,
    most: int | None = None,
    any_order: bool = False,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    cluster: str | None = None,
) -> PaytableSearch:
    """Search pay combinations for paytables that hit a target.

    `vary` are lines with ranges, `"trips.flush=5..9"`, or `"flush=5..9"` of `wager`. `edge`
    (`"2..3"`, or `"trips=2..3"` of one of several wagers), `hold` and `hit_frequency` are percent.
    With `stakes` in dollars, or lines of several wagers, they are bet together; docs/design.md
    defines every figure.
    """
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    request = DesignRequest(
        vary=[vary] if isinstance(vary, str) else list(vary),
        wager=wager,
        table=table,
        stakes=cents_of(stakes, "stake"),
        edge=[edge] if isinstance(edge, str) else list(edge),
        hold=hold,
        hit_frequency=hit_frequency,
        deviation=deviation,
        best=best,
        limit=limit,
        most=most,
        any_order=any_order,
    )
    with using(cluster):
        return PaytableSearch(designs_for(book.file, book.submission, request))
