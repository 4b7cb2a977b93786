"""Exact figures as records: analyses of wagers, values of actions, strategy charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cards import Card, parse_cards
from croupier.errors import BadData, BadRequest, CroupierError, plain, suggest
from croupier.library import html, solving
from croupier.library.record import Record
from croupier.library.rulebook import AnyRulebook, AnySubmission, load_rulebook
from croupier.library.solving import Asked, ChartedHand, Situation, Without
from croupier.mathematics.questions.callouts import warnings_of
from croupier.money import parse_cents
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.changed_pays import read_changes, with_changes
from croupier.rulebooks.rules import Rules

__all__ = [
    "ActionValues",
    "Analysis",
    "StrategyChart",
    "WagerFigures",
    "advise",
    "analyze",
    "cents_of",
    "chart",
    "valued",
]


# -- wagers ---------------------------------------------------------------------------------------


class WagerFigures(Record, frozen=True):
    """One wager, exactly: per unit of it; `main` per unit of one required wager, best play.

    `details` is the whole object as the contract writes it, with `outcomes` and all the rest.
    """

    wager: str
    table: str
    details: dict[str, Any]

    @property
    def paytables(self) -> dict[str, str]:
        """Those that shaped it."""
        return dict(self.details["paytables"])

    @property
    def error(self) -> Mapping[str, Any] | None:
        """Why there are no figures, where no solver models the wager."""
        return self.details.get("error")

    @property
    def sampled(self) -> bool:
        """The figures are a mean of sampled rounds, and `details` has their `standard_error`."""
        return bool(self.details.get("sampled"))

    @property
    def estimate(self) -> float:
        """The expected value as a number: exact or, with its `standard_error`, sampled."""
        return float(self.details["expected_value"] if self.sampled else self.expected_value)

    @property
    def standard_error(self) -> float | None:
        """Of a sampled figure; None where it is exact."""
        return self.details["standard_error"] if self.sampled else None

    @property
    def expected_value(self) -> Fraction:
        if self.error is not None:
            raise BadRequest(self.error["message"], code=self.error["code"])
        if self.sampled:
            raise BadRequest(
                f"{self.wager} is sampled, not exact: take `estimate` and `standard_error`",
                code="sampled",
            )
        return Fraction(self.details["expected_value_exact"])

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @property
    def standard_deviation(self) -> float:
        return float(self.details["standard_deviation"])

    @property
    def hit_frequency(self) -> float:
        return float(self.details["hit_frequency"])

    @property
    def outcomes(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.details["outcomes"])

    @property
    def break_even_dollars(self) -> dict[str, Fraction | None]:
        """For each meter of a progressive the exact reading from which it favours the player, the
        others given; None where none does."""
        return {
            name: None if (exact := meter["break_even_exact"]) is None else Fraction(exact)
            for name, meter in self.details.get("meters", {}).items()
        }

    def to_dict(self) -> dict[str, Any]:
        return self.details

    def __repr__(self) -> str:
        name = " ".join((self.wager, self.table)).strip()
        if self.error is not None:
            return f"<WagerFigures {name}: {self.error['code']}>"
        if self.sampled:
            return f"<WagerFigures {name}: sampled house edge {_sampled_edge(self)}>"
        return f"<WagerFigures {name}: house edge {float(self.house_edge):.6%}>"

    def _repr_html_(self) -> str:
        return html.page(" ".join((self.wager, self.table)).strip(), _figures_html([self]))


class Analysis(Record, frozen=True):
    """`analysis["trips"]`; after `every_table=True` also `analysis["trips", "B"]`."""

    rulebook: str
    title: str
    found: dict[str, dict[str, WagerFigures]]
    pays: dict[str, str]
    """Lines that were made to pay otherwise than printed."""
    warnings: tuple[str, ...]
    """A player's edge, and paytables in which a better hand pays less."""

    @property
    def wagers(self) -> tuple[str, ...]:
        return tuple(self.found)

    def __getitem__(self, wanted: str | tuple[str, str]) -> WagerFigures:
        wager, table = (wanted, "") if isinstance(wanted, str) else wanted
        if wager not in self.found:
            raise KeyError(wager)
        tables = self.found[wager]
        if not table and "" not in tables and len(tables) == 1:
            return next(iter(tables.values()))
        if table not in tables:
            raise suggest(f"table of {wager}", table, tables)
        return tables[table]

    def __iter__(self) -> Iterator[WagerFigures]:
        return iter([one for tables in self.found.values() for one in tables.values()])

    def to_dict(self) -> dict[str, Any]:
        wagers = {
            wager: tables[""].details
            if "" in tables
            else {table: one.details for table, one in tables.items()}
            for wager, tables in self.found.items()
        }
        about: dict[str, Any] = {"pays": self.pays} if self.pays else {}
        return {"rulebook": self.rulebook, "wagers": wagers, **about, "warnings": self.warnings}

    def __repr__(self) -> str:
        return f"<Analysis {self.rulebook}: {', '.join(self.wagers)}>"

    def _repr_html_(self) -> str:
        return html.page(
            f"{self.title} ({self.rulebook})",
            _figures_html(list(self)),
            html.note("Per unit of the wager; main: per unit of one required wager, best play."),
        )


def _figures_html(found: Sequence[WagerFigures]) -> html.Markup:
    rows = [_figures_row(one) for one in found]
    columns = ("wager", "table", "house edge", "exact value", "deviation", "hits")
    return html.grid(columns, rows, right=(2, 3, 4, 5))


def _sampled_edge(one: WagerFigures) -> str:
    return f"{-one.estimate:.3%} ± {one.standard_error:.3%}"


def _figures_row(one: WagerFigures) -> tuple[object, ...]:
    if one.error is not None:
        return one.wager, one.table, one.error["message"], "", "", ""
    return (
        one.wager,
        one.table or ", ".join(one.paytables.values()),
        _sampled_edge(one) if one.sampled else f"{float(one.house_edge):.6%}",
        "sampled" if one.sampled else one.expected_value,
        f"{one.standard_deviation:.4f}",
        f"{one.hit_frequency:.4%}",
    )


def analyze(
    rulebook: AnyRulebook,
    wagers: str | Iterable[str] = (),
    *,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    stakes: Mapping[str, str | int] | None = None,
    meters: Mapping[str, str | int] | None = None,
    others: int = 0,
    hands: int = 2,
    every_table: bool = False,
    pays: Mapping[str, str | int] | None = None,
    sample: int | None = None,
    seed: int = 15,
    strategy: str = "",
) -> Analysis:
    """The exact mathematics of a rulebook's wagers: of all of them, or of those named.

    `main` is the required wagers with what is decided in play, under optimal play. `every_table`
    works out every paytable and not only the one in force. `stakes` and `meters` are dollars,
    `others` the other players who could win or cause an envy bonus, `hands` counts Cover All's.
    `pays` changes lines of the tables in force: `{"blind.flush": 2, "blind.straight": "3 to 2"}`.
    `sample` plays so many rounds from `seed`, by `strategy`, for what no solver models: its figures
    say `sampled` and have a `standard_error`.
    """
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    named = [wagers] if isinstance(wagers, str) else list(wagers)
    cents = cents_of(stakes, "stake")
    limits = limits_in_force(book.rules) if cents else ()
    asked = Asked(cents, cents_of(meters, "meter"), others, hands, limits=limits)
    work = solving.every_table if every_table else solving.figures
    changes = read_changes(book.rules, [f"{name}={odds}" for name, odds in (pays or {}).items()])
    sampling = None if sample is None else solving.Sampling(sample, seed, strategy)
    worked = work(book, named, asked, changes, sampling)
    found = {
        wager: {table: WagerFigures(wager, table, details) for table, details in tables.items()}
        for wager, tables in worked.items()
    }
    rules = with_changes(book.rules, changes)
    warnings = tuple(warnings_of(rules, worked))
    return Analysis(book.id, book.title, found, dict(rules.pays), warnings)


def cents_of(amounts: Mapping[str, str | int] | None, kind: str) -> dict[str, int]:
    """Amounts in dollars by name, as cents."""
    found = {}
    for name, amount in (amounts or {}).items():
        try:
            found[name] = parse_cents(amount)
        except CroupierError as error:
            raise error.within(f"{kind} {plain(name)}") from None
    return found


# -- actions --------------------------------------------------------------------------------------


class ActionValues(Record, frozen=True):
    """The exact value of every action now, in units of one required wager, best play afterwards."""

    decision: str
    values: dict[str, Fraction]

    @property
    def best(self) -> str:
        """The first of the best actions: bets before declining, in the order offered."""
        return max(self.values, key=lambda action: self.values[action])

    def cost(self, action: str) -> Fraction:
        """What is given away against the best action."""
        if action not in self.values:
            raise suggest("action", action, self.values)
        return self.values[self.best] - self.values[action]

    def to_dict(self) -> dict[str, Any]:
        actions = {
            action: {"expected_value": float(value), "expected_value_exact": str(value)}
            for action, value in self.values.items()
        }
        return {"decision": self.decision, "actions": actions, "best": self.best}

    def __repr__(self) -> str:
        told = ", ".join(f"{action} {float(value):+.6f}" for action, value in self.values.items())
        return f"<ActionValues {self.decision}: {told}; best {self.best}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                html.strong(action) if action == self.best else action,
                f"{float(value):+.6f}",
                value,
                f"{float(self.cost(action)):.6f}" if self.cost(action) else "",
            )
            for action, value in sorted(self.values.items(), key=lambda item: -item[1])
        ]
        return html.page(
            f"{self.decision} decision",
            html.grid(("action", "value", "exact", "cost"), rows, right=(1, 2, 3)),
            html.note("In units of one required wager, best play afterwards."),
        )


def advise(
    rulebook: AnyRulebook,
    cards: str | Iterable[Card],
    community: str | Iterable[Card] = (),
    *,
    known: str | Iterable[Card] = (),
    dealer: str | Iterable[Card] = (),
    said: Sequence[str] | None = None,
    decision: str = "",
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> ActionValues:
    """The exact value of every action that the rules allow on these cards. `known`: cards of other
    players that lie face up, where the game shows them; `dealer`: those of the dealer. `said`: what
    was answered before, in order (as the best play would, when left out); `decision`: its name,
    where two are taken on the same cards."""
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    own, board, others = _cards(cards), _cards(community), _cards(known)
    return valued(book.rules, Situation(own, board, others, decision, said, _cards(dealer)))


def valued(rules: Rules, seen: Situation, allowed: Sequence[str] = ()) -> ActionValues:
    """The values of these actions, or of all."""
    decision, values = solving.values_of(rules, seen)
    return ActionValues(decision, {a: values[a] for a in allowed or values if a in values})


def _cards(cards: str | Iterable[Card]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(cards)


# -- charts ---------------------------------------------------------------------------------------


class StrategyChart(Record, frozen=True):
    """The first decision over all starting hands: `chart.hands["AKs"].best`; a picture in a
    notebook."""

    rulebook: str
    decision: str
    hands: dict[str, ChartedHand]
    house_edge: Fraction
    without: tuple[Without, ...]
    svg: str

    def save(self, path: str | Path) -> None:
        """Write the picture."""
        try:
            Path(path).write_text(self.svg, "utf-8")
        except OSError as error:
            raise BadData(f"{plain(path, 200)} cannot be written: {error.strerror}") from None

    def to_dict(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "decision": self.decision,
            "hands": {name: _hand_object(hand) for name, hand in self.hands.items()},
            "house_edge": _number(self.house_edge),
            "without": [
                {
                    "decision": one.decision,
                    "instead": one.instead,
                    "house_edge": _number(one.house_edge),
                }
                for one in self.without
            ],
        }

    def __repr__(self) -> str:
        return f"<StrategyChart {self.rulebook}: {self.decision} over {len(self.hands)} hands>"

    def _repr_svg_(self) -> str:
        return self.svg


def _hand_object(hand: ChartedHand) -> dict[str, Any]:
    return {
        "best": hand.best,
        "actions": {
            said: {"expected_value": float(value), "expected_value_exact": str(value)}
            for said, value in hand.values.items()
        },
        "shares": {said: float(share) for said, share in hand.shares.items()},
        "worth": float(hand.worth),
    }


def _number(value: Fraction) -> dict[str, object]:
    return {"value": float(value), "exact": str(value)}


def chart(
    rulebook: AnyRulebook,
    *,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> StrategyChart:
    """The best play at the first decision, and what the game costs without each decision."""
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    found = solving.chart_of(book.rules)
    return StrategyChart(
        book.id, found.decision, found.hands, found.house_edge, found.without, found.svg
    )
