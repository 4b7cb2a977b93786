"""The return tables of a main game: every ending of each wager, and every action taken.

All of it is a sum over the rounds under the best play. In every table the probabilities add up to
1. The contributions of a wager's lines add up to its part of the game's value, and those of a
decision's actions to the whole value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from croupier.mathematics.game.payments import FOLDED, Loses, Paid, Payment, payment_object
from croupier.mathematics.game.payoffs import Case, Row, main_wagers
from croupier.mathematics.questions.rounds import Answers, Betting, PlayedRounds
from croupier.money import Push
from croupier.rulebooks.rules import Rules

Result: TypeAlias = Literal["win", "push", "lose", "not_paid", "not_bet"]

WINS: Final = "wins"
TIES: Final = "ties"
LOSES: Final = "loses"
ANY_HAND: Final = "any_hand"
"""The dealer does not qualify, so the player's hand does not matter."""
NOT_PAID: Final = "not_paid"
"""A bonus that no line pays."""
NOT_BET: Final = "not_bet"
"""A wager that the player did not make."""
TAKEN_BACK: Final = "taken_back"
"""A required wager that the player took back, so that nothing was staked on it."""
REST: Final = (WINS, ANY_HAND, TIES, LOSES, FOLDED, TAKEN_BACK, NOT_PAID, NOT_BET)
"""The order of lines that are in no paytable."""
_ORDER: Final = ("win", "push", "not_paid", "lose", "not_bet")
NOT_ASKED: Final = "not_asked"
"""A decision that the round did not reach."""


class WagerEnd(NamedTuple):
    """The end of one wager of a round. `hand` is the paytable's line, the category of a winning
    hand without a line, or one of the words above. `family` is the paytable, `units` the stake in
    units of one required wager, `unit_net` the net of one unit. `dealer_qualifies` is None if it
    makes no difference."""

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
    """One action at a decision: `summed` is the total net of its rounds."""

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
    """The lines of every wager and bonus of the main game (`wagers`), and the actions of every
    decision (`decisions`)."""

    wagers: Mapping[str, tuple[WagerLine, ...]]
    decisions: Mapping[str, tuple[ActionLine, ...]]
    total: int

    def part(self, wager: str) -> Fraction:
        """Return what a wager adds to the value of the game."""
        return sum((line.contribution for line in self.wagers[wager]), Fraction(0))

    @property
    def value(self) -> Fraction:
        return sum(map(self.part, self.wagers), Fraction(0))

    def units(self, wager: str) -> Fraction:
        """Return the mean stake of a wager, in units of one required wager."""
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


def tabulate(rounds: PlayedRounds) -> LineTables:
    """Add up all rounds by wager and by decision."""
    rules = rounds.rules
    ended: dict[str, Counter[WagerEnd]] = {name: Counter() for name in main_wagers(rules.book)}
    nets: dict[Answers, Counter[int]] = {}
    for betting in rounds.bettings:
        summed = nets.setdefault(betting.answers, Counter())
        scaled = rounds.nets_of(betting)
        for place, outcome, deals in betting.cells:
            summed[scaled[place, outcome]] += deals
            case = rounds.cases[place]
            for name, ends in ended.items():
                ends[wager_end(rounds, betting, name, case, outcome)] += deals
    return LineTables(
        {name: _lines(rules, ends, rounds.total) for name, ends in ended.items() if ends},
        _actions(rounds, nets),
        rounds.total,
    )


def _lines(rules: Rules, ends: Counter[WagerEnd], total: int) -> tuple[WagerLine, ...]:
    def place(end: WagerEnd) -> tuple[int, ...]:
        """Return the sort key: the paytable's lines in their order, then pushes, losses and wagers
        that were not made."""
        printed = [line.hand for line in rules.paytable(end.family).lines] if end.family else []
        in_table = printed.index(end.hand) if end.hand in printed else len(printed)
        rest = REST.index(end.hand) if end.hand in REST else -1
        weak = end.dealer_qualifies is False
        return (end.hand not in printed, _ORDER.index(end.result), rest, in_table, weak, -end.units)

    listed = sorted(((end, n) for end, n in ends.items() if n), key=lambda item: place(item[0]))
    return tuple(WagerLine(end, count, total) for end, count in listed)


def _actions(
    rounds: PlayedRounds, nets: Mapping[Answers, Counter[int]]
) -> dict[str, tuple[ActionLine, ...]]:
    """Return the actions of a decision; `nets` has the deals by answers and by the round's net,
    scaled."""
    counted: dict[str, dict[str, Counter[int]]] = {
        decision.name: {word: Counter() for word in (*decision.answers, NOT_ASKED)}
        for decision in rounds.rules.book.decisions
    }
    for answers, counts in nets.items():
        said = dict(answers)
        for name, words in counted.items():
            words[said.get(name, NOT_ASKED)].update(counts)
    return {
        name: tuple(
            ActionLine(
                word,
                counts.total(),
                Fraction(sum(net * count for net, count in counts.items()), rounds.scale),
                rounds.total,
            )
            for word, counts in words.items()
            if word != NOT_ASKED or counts
        )
        for name, words in counted.items()
    }


# -- how one wager of a round ends -----------------------------------------------------------------


def wager_end(
    rounds: PlayedRounds, betting: Betting, name: str, case: Case, outcome: int
) -> WagerEnd:
    """Return the end of a wager or a bonus of the main game."""
    units = rounds.units_of(betting, name)
    is_bonus = name in rounds.rules.book.bonuses
    if not units:
        if name in rounds.rules.required:
            return WagerEnd(TAKEN_BACK, "push", Push(), 0, Fraction(0))
        return WagerEnd(NOT_BET, "not_bet", None, 0, Fraction(0))
    if betting.folded and is_bonus:
        return WagerEnd(FOLDED, "not_paid", None, units, Fraction(0))
    if betting.folded:
        paid = case.folded[name]
        return _end(paid, units, paid.hand, None)
    row = case.paid[name]
    paid = row[outcome]
    if is_bonus and not paid.hand:
        return WagerEnd(NOT_PAID, "not_paid", None, units, Fraction(0), paid.family)
    return _end(paid, units, *_named(case, row, outcome))


def _named(case: Case, row: Row, outcome: int) -> tuple[str, bool | None]:
    """Return the name of what decides the wager, and whether the dealer qualifies if that makes a
    difference."""
    paid, qualifies = row[outcome], outcome % 2 == 0
    if len(row) == 1:
        return paid.hand, None
    if row[1] == row[3] == row[5] and len(set(row)) > 1:
        hand = paid.hand or (ANY_HAND if not qualifies else _by_showdown(case, paid, outcome))
        return hand, qualifies
    hand = paid.hand or _by_showdown(case, paid, outcome)
    return hand, None if row[outcome] == row[outcome ^ 1] else qualifies


def _by_showdown(case: Case, paid: Paid, outcome: int) -> str:
    """Return the category of a winning hand that its paytable has no line for."""
    if outcome < 2:
        return case.name if paid.family else WINS
    return TIES if outcome < 4 else LOSES


def _end(paid: Paid, units: int, hand: str, qualifies: bool | None) -> WagerEnd:
    result: Result = "win"
    if isinstance(paid.pays, Loses):
        result = "lose"
    elif isinstance(paid.pays, Push):
        result = "push"
    return WagerEnd(hand, result, paid.pays, units, paid.unit_net, paid.family, qualifies)
