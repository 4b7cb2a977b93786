"""What a decision cost, exactly, and why in words that are made of the figures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.rounds.actions import Choice
from croupier.school.practice.hands import Hand
from croupier.school.practice.situations import situation_of

__all__ = ["Priced", "money", "price", "words_for"]


class Priced(msgspec.Struct, frozen=True):
    """One decision. `values` has the exact expected net of the hand for every answer that was
    allowed, in units of one required wager, best play afterwards: what `advise` gives."""

    decision: str
    situation: str
    said: str
    values: dict[str, str]
    wins: str = ""
    """Of all deals that may come, how often the hand beats the dealer's; nothing if not counted."""
    ties: str = ""

    @property
    def exact(self) -> dict[str, Fraction]:
        return {action: Fraction(value) for action, value in self.values.items()}

    @property
    def best(self) -> str:
        """What was said, where nothing is better."""
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
        """In units of one required wager; never below 0."""
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
    """The decision that is asked now, answered so. `beaten`: in how many deals the hand is better
    than the dealer's, the same, and of how many."""
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
    """`+$14.87`, `−$0.40`; to the cent."""
    cents = round(units * unit_cents)
    sign = "+" if cents > 0 else "−" if cents < 0 else ""
    return f"{sign}{dollars(abs(cents))}"


def words_for(priced: Priced, choices: tuple[Choice, ...], unit_cents: int) -> str:
    """`That cost $1.64: check is better, because …`."""
    best = _title(priced.best)
    if priced.is_right:
        rest = _next_best(priced, unit_cents)
        won = _beats(priced)
        told = f"Right. {_capital(best)} is worth {money(priced.best_value, unit_cents)}{rest}."
        return f"{told} {_capital(won)}." if won else told
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
    """From the values, and what each answer puts down."""
    down = {choice.action: choice.cents for choice in choices}
    said, best = priced.said, priced.best
    worth = {action: money(value, unit_cents) for action, value in priced.exact.items()}
    told = f"on average {_title(best)} is worth {worth[best]} and {_title(said)} {worth[said]}"
    won = _beats(priced)
    if won:
        told = f"{won}, and {told}"
    more = down[best] - down[said]
    if not more:
        return told
    each = priced.cost * unit_cents / abs(more)
    if more > 0:
        return f"{told}: every dollar more that you bet here gains {_of_a_dollar(each)}"
    return f"{told}: every dollar less that you bet here saves {_of_a_dollar(each)}"


def _beats(priced: Priced) -> str:
    """`you beat the dealer in 34.1% of all deals and tie in 2.0%`."""
    if not priced.wins:
        return ""
    ties = float(Fraction(priced.ties))
    told = f"you beat the dealer in {float(Fraction(priced.wins)):.1%} of all deals"
    return f"{told} and tie in {ties:.1%}" if round(ties, 3) else told


def _of_a_dollar(part: Fraction) -> str:
    """`$1.15`, `38 cents`, `0.4 cents`."""
    cents = part * 100
    if cents >= 100:
        return dollars(round(cents))
    text = str(round(cents)) if cents >= 10 else f"{float(cents):.2g}"
    return "1 cent" if text == "1" else f"{text} cents"


def _title(action: str) -> str:
    return action.replace("_", " ")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
