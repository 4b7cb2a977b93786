"""The return tables of a main game: all ways in which each wager ends, and all actions taken.

A solver lists how its rounds end under the best play (`RoundEnd`); everything else is a sum over
that list. In every table the probabilities add up to 1. The contributions of a wager's lines add up
to its part of the game's value, and those of a decision's actions to the whole value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from croupier.mathematics.model import Payment, payment_object
from croupier.rulebooks.rules import Rules

__all__ = [
    "ANY_HAND",
    "FOLDED",
    "LOSES",
    "NOT_ASKED",
    "NOT_BET",
    "NOT_PAID",
    "TAKEN_BACK",
    "TIES",
    "WINS",
    "ActionLine",
    "LineTables",
    "Result",
    "RoundEnd",
    "WagerEnd",
    "WagerLine",
    "tabulate",
]

Result: TypeAlias = Literal["win", "push", "lose", "not_paid", "not_bet"]

WINS: Final = "wins"
TIES: Final = "ties"
LOSES: Final = "loses"
ANY_HAND: Final = "any_hand"
"""Where the dealer does not qualify and the player's hand does not matter."""
FOLDED: Final = "folded"
NOT_PAID: Final = "not_paid"
"""A bonus that no line pays."""
NOT_BET: Final = "not_bet"
"""A wager that the player did not make."""
TAKEN_BACK: Final = "taken_back"
"""A required wager that the player had back, and staked nothing on."""
NOT_ASKED: Final = "not_asked"
"""A decision that the round did not come to."""

_ORDER: Final = ("win", "push", "not_paid", "lose", "not_bet")
_REST: Final = (WINS, ANY_HAND, TIES, LOSES, FOLDED, TAKEN_BACK, NOT_PAID, NOT_BET)
"""The order of lines that no paytable has."""


class WagerEnd(NamedTuple):
    """How one wager of a round ends.

    `hand` is the paytable's line, the category of a winning hand without a line, or one of the
    words above. `family` is the paytable, `units` the stake in units of one required wager,
    `unit_net` the net of one unit. `dealer_qualifies` is None where it makes no difference.
    """

    hand: str
    result: Result
    pays: Payment | None
    units: int
    unit_net: Fraction
    family: str = ""
    dealer_qualifies: bool | None = None

    @property
    def net(self) -> Fraction:
        return self.units * self.unit_net


class RoundEnd(NamedTuple):
    """Deals that end alike: what was said at each decision, and how every wager and bonus ends."""

    answers: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, WagerEnd], ...]
    deals: int


class WagerLine(NamedTuple):
    end: WagerEnd
    combinations: int
    total: int

    @property
    def probability(self) -> Fraction:
        return Fraction(self.combinations, self.total)

    @property
    def contribution(self) -> Fraction:
        return self.end.net * self.probability

    def to_dict(self) -> dict[str, object]:
        end = self.end
        return {
            "hand": end.hand,
            "result": end.result,
            "paytable": end.family or None,
            "dealer_qualifies": end.dealer_qualifies,
            "units": end.units,
            "pays": None if end.pays is None else payment_object(end.pays),
            "net": float(end.net),
            "net_exact": str(end.net),
            "combinations": self.combinations,
            "probability": float(self.probability),
            "return": float(self.contribution),
            "return_exact": str(self.contribution),
        }


class ActionLine(NamedTuple):
    """One action at a decision: `summed` is the net of all its rounds, to their end."""

    action: str
    combinations: int
    summed: Fraction
    total: int

    @property
    def probability(self) -> Fraction:
        return Fraction(self.combinations, self.total)

    @property
    def value(self) -> Fraction | None:
        """The mean net of the rounds in which the action is taken."""
        return self.summed / self.combinations if self.combinations else None

    @property
    def contribution(self) -> Fraction:
        return self.summed / self.total

    def to_dict(self) -> dict[str, object]:
        value = self.value
        return {
            "action": self.action,
            "combinations": self.combinations,
            "probability": float(self.probability),
            "expected_value": None if value is None else float(value),
            "expected_value_exact": None if value is None else str(value),
            "return": float(self.contribution),
            "return_exact": str(self.contribution),
        }


@dataclass(frozen=True)
class LineTables:
    """`wagers` has the lines of every wager and bonus of the main game, `decisions` the actions of
    every decision."""

    wagers: Mapping[str, tuple[WagerLine, ...]]
    decisions: Mapping[str, tuple[ActionLine, ...]]
    total: int

    def part(self, wager: str) -> Fraction:
        """What a wager adds to the value of the game."""
        return sum((line.contribution for line in self.wagers[wager]), Fraction(0))

    @property
    def value(self) -> Fraction:
        return sum(map(self.part, self.wagers), Fraction(0))

    def units(self, wager: str) -> Fraction:
        """The mean stake of a wager, in units of one required wager."""
        lines = self.wagers[wager]
        return sum((line.end.units * line.probability for line in lines), Fraction(0))

    def to_dict(self) -> dict[str, object]:
        return {
            "line_tables": {
                name: {
                    "units_wagered": float(self.units(name)),
                    "expected_value": float(self.part(name)),
                    "expected_value_exact": str(self.part(name)),
                    "lines": [line.to_dict() for line in lines],
                }
                for name, lines in self.wagers.items()
            },
            "decision_tables": {
                name: [line.to_dict() for line in lines] for name, lines in self.decisions.items()
            },
        }


def tabulate(rules: Rules, rounds: Iterable[RoundEnd]) -> LineTables:
    """Add up all rounds by wager and by decision."""
    book = rules.book
    names = [name for name, wager in book.wagers.items() if wager.role != "optional"]
    names += [name for name, bonus in book.bonuses.items() if bonus.on in names]
    ended: dict[str, Counter[WagerEnd]] = {name: Counter() for name in names}
    nets: dict[tuple[tuple[str, str], ...], Counter[Fraction]] = {}
    for answers, wagers, deals in rounds:
        for name, end in wagers:
            ended[name][end] += deals
        net = sum((end.net for _, end in wagers), Fraction(0))
        nets.setdefault(answers, Counter())[net] += deals
    total = sum(count.total() for count in nets.values())
    return LineTables(
        {name: _lines(rules, ends, total) for name, ends in ended.items() if ends},
        _actions(rules, nets, total),
        total,
    )


def _lines(rules: Rules, ends: Counter[WagerEnd], total: int) -> tuple[WagerLine, ...]:
    def place(end: WagerEnd) -> tuple[int, ...]:
        """The paytable's lines in their order, then pushes, losses and wagers that were not
        made."""
        printed = [line.hand for line in rules.paytable(end.family).lines] if end.family else []
        in_table = printed.index(end.hand) if end.hand in printed else len(printed)
        rest = _REST.index(end.hand) if end.hand in _REST else -1
        weak = end.dealer_qualifies is False
        return (end.hand not in printed, _ORDER.index(end.result), rest, in_table, weak, -end.units)

    listed = sorted(((end, n) for end, n in ends.items() if n), key=lambda item: place(item[0]))
    return tuple(WagerLine(end, count, total) for end, count in listed)


def _actions(
    rules: Rules,
    nets: Mapping[tuple[tuple[str, str], ...], Counter[Fraction]],
    total: int,
) -> dict[str, tuple[ActionLine, ...]]:
    found: dict[str, dict[str, Counter[Fraction]]] = {
        decision.name: {word: Counter() for word in (*decision.answers, NOT_ASKED)}
        for decision in rules.book.decisions
    }
    for answers, counts in nets.items():
        said = dict(answers)
        for name, words in found.items():
            words[said.get(name, NOT_ASKED)].update(counts)
    return {
        name: tuple(
            ActionLine(word, counts.total(), _sum(counts), total)
            for word, counts in words.items()
            if word != NOT_ASKED or counts
        )
        for name, words in found.items()
    }


def _sum(counts: Counter[Fraction]) -> Fraction:
    return sum((net * count for net, count in counts.items()), Fraction(0))
