"""Payout drills: what becomes of a wager, at which odds, how much, in all, and by which clause.

The round is settled by the engine; the answer is a line of that settlement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.money import For, Push, To, dollars, parse_pays
from croupier.rounds.explaining import explanation, holdings_of, line_title, sentence
from croupier.rounds.settlement import SeatOutcome
from croupier.rounds.state import LineRecord
from croupier.rulebooks.rules import Rules
from croupier.school.drills.clauses import clause_choices, gist_of
from croupier.school.drills.dealt_rounds import SettledDeal, scene_of, settled_deals
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Correction, NoDrill, Option

__all__ = [
    "AskedLine",
    "amount",
    "clause",
    "fate",
    "handed_over",
    "line_drawn",
    "odds",
    "payout_asked",
    "total",
]

ROUNDS: Final = 8
"""How many rounds are made to choose a line from."""


class AskedLine(NamedTuple):
    """One line of a settlement, with the round it belongs to."""

    deal: SettledDeal
    seat: SeatOutcome
    line: LineRecord

    @property
    def kind(self) -> tuple[str, str, str]:
        """Lines of the same kind are the same exercise."""
        return self.line.wager, self.line.result, self.line.pays


def fate(rules: Rules, draws: Draws) -> Asked:
    """Does the wager win, lose or push?"""
    asked = _drawn(rules, draws, lambda one: one.line.result in _FATES, lambda one: one.line.result)
    right = _FATES[asked.line.result]
    wrong = [Option.of(words) for words in _FATES.values() if words != right]
    words = "{wager}, {stake}: what becomes of it?"
    return _asked(asked, rules, words, Option.of(right), wrong)._replace(in_order=True)


_FATES: Final = {"win": "It wins", "lose": "It loses", "push": "It pushes"}


def odds(rules: Rules, draws: Draws) -> Asked:
    """Which odds does the wager win?"""
    asked = _drawn(rules, draws, _has_odds, lambda one: one.line.pays)
    right = _ratio(asked.line.pays)
    others = [pays for pays in _all_odds(rules) if _ratio(pays) != right]
    wrong = [Option.of(pays) for pays in _nearest(others, right)]
    words = "{wager} wins. At which odds?"
    return _asked(asked, rules, words, Option.of(asked.line.pays), wrong)


def amount(rules: Rules, draws: Draws) -> Asked:
    """How much is handed over for a wager that wins? The dealer types it."""
    asked = line_drawn(rules, draws, lambda _: True)
    right = handed_over(asked.line, rules)
    words = "{wager}, {stake}, wins. How much do you pay?"
    if is_stake_gone(asked.line, rules):
        words = "{wager}, {stake}, wins. How much does the player receive in all?"
    made = _asked(asked, rules, words, Option.of(dollars(right)), [])
    mistakes = _amount_mistakes(asked, rules, right)
    return made._replace(cents=right, correction=replace(made.correction, mistakes=mistakes))


def total(rules: Rules, draws: Draws) -> Asked:
    """What does the seat win or lose in all? The dealer types it, a loss with a minus."""
    kind = draws.pick((1, -1))
    found = [
        (deal, seat)
        for deal in settled_deals(rules, draws, ROUNDS)
        for seat in deal.settlement.seats
        if len(seat.lines) > 1 and seat.net
    ]
    found = [one for one in found if one[1].net * kind > 0] or found
    if not found:
        raise NoDrill(f"no seat of {rules.book.id} wins or loses")
    deal, seat = draws.pick(found)
    words = f"Seat {seat.seat}: what does the player win or lose in all?"
    why = f"{', '.join(_signed(line.net) for line in seat.lines)}: {_signed(seat.net)} in all."
    correction = Correction(
        why, lines=_told(seat, deal, rules), mistakes=_total_mistakes(seat, rules)
    )
    scene = scene_of(deal, rules, seat.seat)
    return Asked(words, scene, Option.of(_signed(seat.net)), [], correction, cents=seat.net)


def clause(rules: Rules, draws: Draws) -> Asked:
    """Which clause does the line rest on?"""
    asked = _drawn(rules, draws, lambda one: bool(one.line.clause), lambda one: one.line.clause)
    others = {line.clause for _, _, line in _lines(rules, draws)}
    right, wrong = clause_choices(rules, asked.line.clause, others)
    words = "{wager}, {stake}: {fate}. Which clause does that line cite?"
    return _asked(asked, rules, words, right, wrong)


# -- which line -----------------------------------------------------------------------------------


def _lines(rules: Rules, draws: Draws) -> Iterator[AskedLine]:
    for deal in settled_deals(rules, draws, ROUNDS):
        for seat in deal.settlement.seats:
            for line in seat.lines:
                yield AskedLine(deal, seat, line)


def line_drawn(rules: Rules, draws: Draws, fits: Callable[[AskedLine], bool]) -> AskedLine:
    """A wager that wins an amount, of those that fit."""
    return _drawn(rules, draws, lambda one: _has_amount(one) and fits(one), lambda one: one.kind)


def _drawn(
    rules: Rules,
    draws: Draws,
    fits: Callable[[AskedLine], bool],
    kind: Callable[[AskedLine], object],
) -> AskedLine:
    """Each kind equally likely, so that even money is not asked all the time."""
    kinds: dict[object, list[AskedLine]] = {}
    for one in _lines(rules, draws):
        if not one.line.limited_by and fits(one):
            kinds.setdefault(kind(one), []).append(one)
    if not kinds:
        raise NoDrill(f"no line of {rules.book.id} is of that kind")
    return draws.pick(draws.pick(list(kinds.values())))


def _has_odds(asked: AskedLine) -> bool:
    return _has_amount(asked) and isinstance(_paid_by(asked.line), To | For)


def _has_amount(asked: AskedLine) -> bool:
    line = asked.line
    return line.result == "win" and bool(line.pays) and not line.coupon


def _paid_by(line: LineRecord) -> object:
    """What the line was paid by. A meter's share is written in words, and is none of the odds."""
    return Push() if line.pays.endswith("meter") else parse_pays(line.pays)


# -- the answer -----------------------------------------------------------------------------------


def is_stake_gone(line: LineRecord, rules: Rules) -> bool:
    """The stake does not come back with the winnings: odds `for`, or a chip that was taken before
    the deal. Odds `to` give it back even then (MD-22)."""
    wager = rules.book.wagers.get(line.wager)
    if wager is None or isinstance(_paid_by(line), To):
        return False
    return wager.taken_before_deal or isinstance(_paid_by(line), For)


def handed_over(line: LineRecord, rules: Rules) -> int:
    """The chips that the dealer gives for a winning line, in cents: the winnings, or all that the
    player receives where the stake is gone."""
    return line.net + line.stake if is_stake_gone(line, rules) else line.winnings


def _amount_mistakes(asked: AskedLine, rules: Rules, right: int) -> dict[int, str]:
    """Amounts that a mistake would give, and which: the stake added or forgotten, the odds of
    another line, another wager's stake."""
    line = asked.line
    found = {}
    if _has_odds(asked):
        ratio = _ratio(line.pays)
        for pays in _nearest(_all_odds(rules), ratio):
            found[int(line.stake * _ratio(pays))] = f"That would be {pays}."
        for other in asked.seat.lines:
            if other.stake:
                title = line_title(other.wager, rules.book)
                found[int(other.stake * ratio)] = f"That is {line.pays} on the stake of {title}."
    if is_stake_gone(line, rules):
        found[right - line.stake] = "The stake is taken: what the player receives is all of it."
    else:
        found[right + line.stake] = "That is with the stake, which is not paid."
    return {cents: why for cents, why in found.items() if cents > 0 and cents != right}


def _total_mistakes(seat: SeatOutcome, rules: Rules) -> dict[int, str]:
    found = {}
    for line in seat.lines:
        title = line_title(line.wager, rules.book)
        found[seat.net - 2 * line.net] = f"{title} is counted the wrong way round."
        found[seat.net - line.net] = f"{title} is left out."
    found[-seat.net] = f"The player {'wins' if seat.net > 0 else 'loses: type a minus before'} it."
    return {cents: why for cents, why in found.items() if cents != seat.net}


def _ratio(pays: str) -> Fraction:
    """What is won for a stake of 1."""
    found = parse_pays(pays)
    if isinstance(found, To):
        return Fraction(found.n, found.d)
    assert isinstance(found, For)
    return Fraction(found.n)


def _all_odds(rules: Rules) -> list[str]:
    found = {"1 to 1"}
    for tables in rules.book.paytables.values():
        for table in tables.values():
            found |= {line.pays for line in table.lines}
    return sorted(pays for pays in found if isinstance(parse_pays(pays), To | For))


def _nearest(odds_: Iterable[str], right: Fraction) -> list[str]:
    by_ratio = {_ratio(pays): pays for pays in odds_}
    near = sorted(by_ratio, key=lambda ratio: abs(ratio - right))
    return [by_ratio[ratio] for ratio in near if ratio != right][:6]


# -- the scene and the correction -----------------------------------------------------------------


def _asked(asked: AskedLine, rules: Rules, words: str, right: Option, wrong: list[Option]) -> Asked:
    line = asked.line
    question = words.format(
        wager=line_title(line.wager, rules.book),
        stake=dollars(line.stake) if line.stake else "no stake",
        fate=_FATES.get(line.result, "it comes back").removeprefix("It "),
    )
    told = sentence(line, rules, holdings_of(asked.seat, asked.deal.settlement))
    return payout_asked(asked, rules, question, right, wrong, Correction(told))


def payout_asked(
    asked: AskedLine,
    rules: Rules,
    words: str,
    right: Option,
    wrong: list[Option],
    correction: Correction,
) -> Asked:
    """A question about one line: its round is the scene, its clause and all lines of the seat are
    told with the correction."""
    deal, seat, line = asked
    if len(deal.played.seats) > 1:
        words = f"Seat {seat.seat}. {words}"
    told = replace(
        correction,
        clause=line.clause,
        gist=gist_of(rules, line.clause),
        lines=_told(seat, deal, rules),
    )
    return Asked(words, scene_of(deal, rules, seat.seat), right, wrong, told)


def _told(seat: SeatOutcome, deal: SettledDeal, rules: Rules) -> tuple[str, ...]:
    hands = holdings_of(seat, deal.settlement)
    return tuple(
        f"{line_title(line.wager, rules.book)}: {explanation(line, rules, hands)}"
        + (f" [{line.clause}]" if line.clause else "")
        for line in seat.lines
    )


def _signed(cents: int) -> str:
    return ("+" if cents > 0 else "") + dollars(cents)
