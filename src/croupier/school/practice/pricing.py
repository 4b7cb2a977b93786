"""The exact cost of a decision, and the reason in words made from the figures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.rounds.actions import Choice
from croupier.school.practice.hands import Hand
from croupier.school.practice.situations import situation_of


class Priced(msgspec.Struct, frozen=True):
    """A priced decision. `values` has, for every allowed answer, the exact expected net of the hand
    in units of one required wager with best play afterwards, as `advise` gives it."""

    decision: str
    situation: str
    said: str
    values: dict[str, str]
    wins: str = ""
    """The share of all possible deals in which the hand beats the dealer's; empty if not
    counted."""
    ties: str = ""

    @property
    def exact(self) -> dict[str, Fraction]:
        return {action: Fraction(value) for action, value in self.values.items()}

    @property
    def best(self) -> str:
        """The best answer; the given one if nothing is better."""
        values = self.exact
        top = max(values, key=lambda action: values[action])
        return self.said if values[self.said] == values[top] else top

    @property
    def best_value(self) -> Fraction:
        return max(self.exact.values())

    @property
    def said_value(self) -> Fraction:
        return Fraction(self.values[self.said])

    @property
    def cost(self) -> Fraction:
        """The cost in units of one required wager, never negative."""
        return self.best_value - self.said_value

    @property
    def is_right(self) -> bool:
        return not self.cost


def price(
    hand: Hand,
    values: Mapping[str, Fraction],
    said: str,
    beaten: tuple[int, int, int] = (0, 0, 0),
) -> Priced:
    """Price an answer to the decision that waits. `beaten`: the number of deals in which the hand
    is better than the dealer's, in which it ties, and of all deals."""
    decision = hand.decision
    assert decision is not None, "a hand that is over asks nothing"
    allowed = [choice.action for choice in hand.choices]
    missing = [action for action in allowed if action not in values]
    if missing:
        raise CroupierError(f"{missing[0]} has no value at {decision.name}", code="internal")
    return Priced(
        decision.name,
        situation_of(hand.rules, decision.name, hand.own, hand.community),
        said,
        {action: str(values[action]) for action in allowed},
        str(Fraction(beaten[0], beaten[2])) if beaten[2] else "",
        str(Fraction(beaten[1], beaten[2])) if beaten[2] else "",
    )


# -- in words -------------------------------------------------------------------------------------


def money(units: Fraction, unit_cents: int) -> str:
    """Format cents: `+$14.87`, `−$0.40`."""
    cents = round(units * unit_cents)
    sign = "+" if cents > 0 else "−" if cents < 0 else ""
    return f"{sign}{dollars(abs(cents))}"


def words_for(priced: Priced, choices: tuple[Choice, ...], unit_cents: int) -> str:
    """Return the verdict: `That cost $1.64: check is better, because …`."""
    best = _title(priced.best)
    if priced.is_right:
        rest = _next_best(priced, unit_cents)
        won = _beats(priced)
        words = f"Right. {_capital(best)} is worth {money(priced.best_value, unit_cents)}{rest}."
        return f"{words} {_capital(won)}." if won else words
    lost = _cost(priced.cost, unit_cents)
    return f"That cost {lost}: {best} is better, because {_reason(priced, choices, unit_cents)}."


def _cost(cost: Fraction, unit_cents: int) -> str:
    cents = cost * unit_cents
    return dollars(round(cents)) if cents >= Fraction(1, 2) else "less than a cent"


def _next_best(priced: Priced, unit_cents: int) -> str:
    others = {a: v for a, v in priced.exact.items() if a != priced.said}
    if not others:
        return ""
    second = max(others, key=lambda action: others[action])
    gap = priced.best_value - others[second]
    if not gap:
        return f", and {_title(second)} the same"
    return f" on average, {_cost(gap, unit_cents)} more than {_title(second)}"


def _reason(priced: Priced, choices: tuple[Choice, ...], unit_cents: int) -> str:
    """Return the reason, from the values and the chips each answer puts at risk."""
    down = {choice.action: choice.cents for choice in choices}
    said, best = priced.said, priced.best
    worth = {action: money(value, unit_cents) for action, value in priced.exact.items()}
    sentence = f"on average {_title(best)} is worth {worth[best]} and {_title(said)} {worth[said]}"
    won = _beats(priced)
    if won:
        sentence = f"{won}, and {sentence}"
    more = down[best] - down[said]
    if not more:
        return sentence
    each = priced.cost * unit_cents / abs(more)
    if more > 0:
        return f"{sentence}: every dollar more that you bet here gains {_of_a_dollar(each)}"
    return f"{sentence}: every dollar less that you bet here saves {_of_a_dollar(each)}"


def _beats(priced: Priced) -> str:
    """Return `you beat the dealer in 34.1% of all deals and tie in 2.0%`."""
    if not priced.wins:
        return ""
    ties = float(Fraction(priced.ties))
    sentence = f"you beat the dealer in {float(Fraction(priced.wins)):.1%} of all deals"
    return f"{sentence} and tie in {ties:.1%}" if round(ties, 3) else sentence


def _of_a_dollar(part: Fraction) -> str:
    """Format a share of a dollar: `$1.15`, `38 cents`, `0.4 cents`."""
    cents = part * 100
    if cents >= 100:
        return dollars(round(cents))
    text = str(round(cents)) if cents >= 10 else f"{float(cents):.2g}"
    return "1 cent" if text == "1" else f"{text} cents"


def _title(action: str) -> str:
    return action.replace("_", " ")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
