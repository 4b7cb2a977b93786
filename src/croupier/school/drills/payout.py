"""Payout drills: the fate of a wager, its odds, the amount, the total of a seat, and the clause.

The engine settles the round; the answer is a line of that settlement.
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

ROUNDS: Final = 8
"""The number of rounds to choose a line from."""


class AskedLine(NamedTuple):
    """A settlement line with its round."""

    deal: SettledDeal
    seat: SeatOutcome
    line: LineRecord

    @property
    def exercise(self) -> tuple[str, str, str]:
        """Lines with an equal key make the same exercise."""
        return self.line.wager, self.line.result, self.line.pays


def fate(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: does the wager win, lose, or push?"""
    drawn = _drawn(
        rules,
        draws,
        lambda candidate: candidate.line.result in _FATES,
        lambda candidate: candidate.line.result,
    )
    right = _FATES[drawn.line.result]
    wrong = [Option.of(words) for words in _FATES.values() if words != right]
    words = "{wager}, {stake}: what becomes of it?"
    return _asked(drawn, rules, words, Option.of(right), wrong)._replace(in_order=True)


_FATES: Final = {"win": "It wins", "lose": "It loses", "push": "It pushes"}


def odds(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: at which odds does the wager win?"""
    drawn = _drawn(rules, draws, _has_odds, lambda candidate: candidate.line.pays)
    right = _ratio(drawn.line.pays)
    others = [pays for pays in _all_odds(rules) if _ratio(pays) != right]
    wrong = [Option.of(pays) for pays in _nearest(others, right)]
    words = "{wager} wins. At which odds?"
    return _asked(drawn, rules, words, Option.of(drawn.line.pays), wrong)


def amount(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: how much does the dealer hand over for a winning wager? The answer is
    typed."""
    drawn = line_drawn(rules, draws, lambda _: True)
    right = handed_over(drawn.line, rules)
    words = "{wager}, {stake}, wins. How much do you pay?"
    if is_stake_gone(drawn.line, rules):
        words = "{wager}, {stake}, wins. How much does the player receive in all?"
    made = _asked(drawn, rules, words, Option.of(dollars(right)), [])
    mistakes = _amount_mistakes(drawn, rules, right)
    return made._replace(cents=right, correction=replace(made.correction, mistakes=mistakes))


def total(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: what does the seat win or lose in total? The answer is typed, a loss with a
    minus."""
    sign = draws.pick((1, -1))
    candidates = [
        (deal, seat)
        for deal in settled_deals(rules, draws, ROUNDS)
        for seat in deal.settlement.seats
        if len(seat.lines) > 1 and seat.net
    ]
    candidates = [
        candidate for candidate in candidates if candidate[1].net * sign > 0
    ] or candidates
    if not candidates:
        raise NoDrill(f"no seat of {rules.book.id} wins or loses")
    deal, seat = draws.pick(candidates)
    words = f"Seat {seat.seat}: what does the player win or lose in all?"
    why = f"{', '.join(_signed(line.net) for line in seat.lines)}: {_signed(seat.net)} in all."
    correction = Correction(
        why, lines=_told(seat, deal, rules), mistakes=_total_mistakes(seat, rules)
    )
    scene = scene_of(deal, rules, seat.seat)
    return Asked(words, scene, Option.of(_signed(seat.net)), [], correction, cents=seat.net)


def clause(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which clause decides the line?"""
    drawn = _drawn(
        rules,
        draws,
        lambda candidate: bool(candidate.line.clause),
        lambda candidate: candidate.line.clause,
    )
    others = {line.clause for _, _, line in _lines(rules, draws)}
    right, wrong = clause_choices(rules, drawn.line.clause, others)
    words = "{wager}, {stake}: {fate}. Which clause does that line cite?"
    return _asked(drawn, rules, words, right, wrong)


# -- which line -----------------------------------------------------------------------------------


def _lines(rules: Rules, draws: Draws) -> Iterator[AskedLine]:
    for deal in settled_deals(rules, draws, ROUNDS):
        for seat in deal.settlement.seats:
            for line in seat.lines:
                yield AskedLine(deal, seat, line)


def line_drawn(rules: Rules, draws: Draws, fits: Callable[[AskedLine], bool]) -> AskedLine:
    """Draw a line that wins an amount and that `fits`."""
    return _drawn(
        rules,
        draws,
        lambda candidate: _has_amount(candidate) and fits(candidate),
        lambda candidate: candidate.exercise,
    )


def _drawn(
    rules: Rules,
    draws: Draws,
    fits: Callable[[AskedLine], bool],
    group_of: Callable[[AskedLine], object],
) -> AskedLine:
    """Draw a line, each group equally likely, so that even money does not dominate."""
    kinds: dict[object, list[AskedLine]] = {}
    for candidate in _lines(rules, draws):
        if not candidate.line.limited_by and fits(candidate):
            kinds.setdefault(group_of(candidate), []).append(candidate)
    if not kinds:
        raise NoDrill(f"no line of {rules.book.id} is of that kind")
    return draws.pick(draws.pick(list(kinds.values())))


def _has_odds(drawn: AskedLine) -> bool:
    return _has_amount(drawn) and isinstance(_paid_by(drawn.line), To | For)


def _has_amount(drawn: AskedLine) -> bool:
    line = drawn.line
    return line.result == "win" and bool(line.pays) and not line.coupon


def _paid_by(line: LineRecord) -> object:
    """Return what the line was paid by; None for a meter's share, which has no odds."""
    return Push() if line.pays.endswith("meter") else parse_pays(line.pays)


# -- the answer -----------------------------------------------------------------------------------


def is_stake_gone(line: LineRecord, rules: Rules) -> bool:
    """Return whether the stake stays with the house when the wager wins: odds `for`, or a chip
    taken before the deal. Odds `to` return it even then (MD-22)."""
    wager = rules.book.wagers.get(line.wager)
    if wager is None or isinstance(_paid_by(line), To):
        return False
    return wager.taken_before_deal or isinstance(_paid_by(line), For)


def handed_over(line: LineRecord, rules: Rules) -> int:
    """Return the cents that the dealer hands over for a winning line: the winnings, or everything
    the player receives if the stake is gone."""
    return line.net + line.stake if is_stake_gone(line, rules) else line.winnings


def _amount_mistakes(drawn: AskedLine, rules: Rules, right: int) -> dict[int, str]:
    """Return the amounts that typical mistakes give, each with its explanation: the stake added or
    forgotten, the odds of another line, another wager's stake."""
    line = drawn.line
    reasons = {}
    if _has_odds(drawn):
        ratio = _ratio(line.pays)
        for pays in _nearest(_all_odds(rules), ratio):
            reasons[int(line.stake * _ratio(pays))] = f"That would be {pays}."
        for line_of_seat in drawn.seat.lines:
            if line_of_seat.stake:
                title = line_title(line_of_seat.wager, rules.book)
                reasons[int(line_of_seat.stake * ratio)] = (
                    f"That is {line.pays} on the stake of {title}."
                )
    if is_stake_gone(line, rules):
        reasons[right - line.stake] = "The stake is taken: what the player receives is all of it."
    else:
        reasons[right + line.stake] = "That is with the stake, which is not paid."
    return {cents: why for cents, why in reasons.items() if cents > 0 and cents != right}


def _total_mistakes(seat: SeatOutcome, rules: Rules) -> dict[int, str]:
    reasons = {}
    for line in seat.lines:
        title = line_title(line.wager, rules.book)
        reasons[seat.net - 2 * line.net] = f"{title} is counted the wrong way round."
        reasons[seat.net - line.net] = f"{title} is left out."
    reasons[-seat.net] = (
        f"The player {'wins' if seat.net > 0 else 'loses: type a minus before'} it."
    )
    return {cents: why for cents, why in reasons.items() if cents != seat.net}


def _ratio(pays: str) -> Fraction:
    """Return the winnings for a stake of 1."""
    odds = parse_pays(pays)
    if isinstance(odds, To):
        return Fraction(odds.n, odds.d)
    assert isinstance(odds, For)
    return Fraction(odds.n)


def _all_odds(rules: Rules) -> list[str]:
    odds = {"1 to 1"}
    for tables in rules.book.paytables.values():
        for table in tables.values():
            odds |= {line.pays for line in table.lines}
    return sorted(pays for pays in odds if isinstance(parse_pays(pays), To | For))


def _nearest(odds_: Iterable[str], right: Fraction) -> list[str]:
    by_ratio = {_ratio(pays): pays for pays in odds_}
    near = sorted(by_ratio, key=lambda ratio: abs(ratio - right))
    return [by_ratio[ratio] for ratio in near if ratio != right][:6]


# -- the scene and the correction -----------------------------------------------------------------


def _asked(drawn: AskedLine, rules: Rules, words: str, right: Option, wrong: list[Option]) -> Asked:
    line = drawn.line
    question = words.format(
        wager=line_title(line.wager, rules.book),
        stake=dollars(line.stake) if line.stake else "no stake",
        fate=_FATES.get(line.result, "it comes back").removeprefix("It "),
    )
    explanation = sentence(line, rules, holdings_of(drawn.seat, drawn.deal.settlement))
    return payout_asked(drawn, rules, question, right, wrong, Correction(explanation))


def payout_asked(
    drawn: AskedLine,
    rules: Rules,
    words: str,
    right: Option,
    wrong: list[Option],
    correction: Correction,
) -> Asked:
    """Return a question about one line, with its round as the scene; the correction has its clause
    and all lines of the seat."""
    deal, seat, line = drawn
    if len(deal.played.seats) > 1:
        words = f"Seat {seat.seat}. {words}"
    full_correction = replace(
        correction,
        clause=line.clause,
        gist=gist_of(rules, line.clause),
        lines=_told(seat, deal, rules),
    )
    return Asked(words, scene_of(deal, rules, seat.seat), right, wrong, full_correction)


def _told(seat: SeatOutcome, deal: SettledDeal, rules: Rules) -> tuple[str, ...]:
    hands = holdings_of(seat, deal.settlement)
    return tuple(
        f"{line_title(line.wager, rules.book)}: {explanation(line, rules, hands)}"
        + (f" [{line.clause}]" if line.clause else "")
        for line in seat.lines
    )


def _signed(cents: int) -> str:
    return ("+" if cents > 0 else "") + dollars(cents)
