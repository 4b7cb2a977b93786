"""Why a wager won, lost or came back, from its line in the journal and the rulebook alone.

For everybody at the table to read: no card is named, nor the hand of somebody who gave up; only
hands that a paytable pays for. The player is "the player" throughout, so that a page can say "you".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from croupier.money import dollars, parse_pays
from croupier.rounds.lines import words_for
from croupier.rounds.state import LineRecord, Round
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Line,
    Outcome,
    Paytable,
    VersusDealer,
    VersusPaytable,
    Wager,
)

__all__ = ["Seen", "sentence", "why"]


class Seen(NamedTuple):
    """What everybody at the table saw of a seat's round: whether it was folded, whether the dealer
    qualified, and how many seats were dealt in."""

    folded: bool
    qualifies: bool
    seats: int

    @classmethod
    def of(cls, state: Round, number: int) -> Seen:
        seat = state.seat(number)
        return cls(seat is not None and seat.folded, state.qualifies, len(state.seats))


def sentence(line: LineRecord, rules: Rules, seen: Seen) -> str:
    """What became of a wager, and why: "Trips pays 3 to 1 for three of a kind." """
    wager = rules.book.wagers.get(line.wager)
    title = "Envy Bonus" if wager is None else wager.title
    reason = why(line, rules, seen)
    fate = {"lose": "loses", "push": "pushes", "void": "comes back"}.get(line.result, "")
    if not fate:
        fate = f"pays {line.pays}" if line.pays else f"wins {dollars(line.net)}"
    by_hand = wager is not None and isinstance(wager.settles, VersusPaytable)
    joined = " for " if by_hand and line.result == "win" else ": "
    text = f"{title} {fate}{joined + reason if reason else ''}."
    if line.limited_by:
        text += f" The payout limit ({line.limited_by}) takes {dollars(line.forgone)} off."
    return text


def why(line: LineRecord, rules: Rules, seen: Seen) -> str:
    """The reason alone, or nothing where the line does not tell."""
    wager = rules.book.wagers.get(line.wager)
    if wager is None:
        return "another player holds a hand that it pays for"
    if line.result == "void":
        return "it is void"
    if line.result == "lose" and line.clause == rules.book.procedure.abandoned:
        return "the player left the table"
    if seen.folded and _gone_with_fold(line, wager):
        return "the player folded"
    match wager.settles:
        case VersusDealer():
            return _versus_dealer(line, wager.settles, rules, qualifies=seen.qualifies)
        case VersusPaytable():
            return _versus_paytable(line, wager, wager.settles, rules)
        case EitherHandBeaten():
            return _either_hand_beaten(line, wager.settles, rules)
        case HighestHand():
            return _highest_hand(line, wager.settles, rules, seen.seats)
        case AllWon():
            titles = _listed(rules.book.wagers[name].title for name in wager.settles.wagers)
            return f"{titles} {'all won' if line.result == 'win' else 'did not all win'}"
        case Follows():
            return f"it goes with {rules.book.wagers[wager.settles.wager].title}"


def _gone_with_fold(line: LineRecord, wager: Wager) -> bool:
    if isinstance(wager.settles, VersusDealer):
        return True
    return wager.after_fold == "loses" and line.result == "lose"


def _versus_dealer(
    line: LineRecord, settles: VersusDealer, rules: Rules, *, qualifies: bool
) -> str:
    showdown = settles.qualified
    if not qualifies and settles.unqualified is not None:
        showdown = settles.unqualified
    # Where even the higher hand only gets its stake back, the dealer's hand is the reason.
    if showdown.higher.do == "return" and line.result == "push":
        return "the dealer does not qualify"
    won, tied, lost = (
        _outcome(line, outcome, rules)
        for outcome in (showdown.higher, showdown.equal, showdown.lower)
    )
    if won is not None:
        return f"the player won with {won}" if won else "the player beat the dealer"
    if tied is not None:
        return "the player tied the dealer"
    if lost is not None and line.result == "lose":
        return "the dealer has the higher hand"
    return f"the player lost with {lost}" if lost else ""


def _outcome(line: LineRecord, outcome: Outcome, rules: Rules) -> str | None:
    """The hand on which the outcome leads to this line; empty where any hand does, None where
    none does."""
    if outcome.do == "collect":
        clauses = (outcome.clause, *outcome.clause_on.values())
        return "" if line.result == "lose" and line.clause in clauses else None
    if outcome.do == "return":
        return "" if line.result == "push" and line.clause == outcome.clause else None
    table = rules.paytable(outcome.paytable)
    paid = _paid(line, table, rules)
    if paid:
        return paid if len(table.lines) > 1 else ""
    if outcome.otherwise is None or _outcome(line, outcome.otherwise, rules) is None:
        return None
    return f"less than {_least(table, rules)}"


def _versus_paytable(line: LineRecord, wager: Wager, settles: VersusPaytable, rules: Rules) -> str:
    table = rules.paytable(settles.paytable)
    if line.result == "lose":
        if wager.validated_clause and line.clause == wager.validated_clause:
            return "the floorperson did not confirm it"
        return _needs(_least(table, rules))
    return _paid(line, table, rules) or "the hand is not paid but does not lose"


def _either_hand_beaten(line: LineRecord, settles: EitherHandBeaten, rules: Rules) -> str:
    table = rules.paytable(settles.paytable)
    if line.result == "lose":
        return f"no hand of at least {_least(table, rules)} was beaten"
    return f"{_paid(line, table, rules)} was beaten"


def _highest_hand(line: LineRecord, settles: HighestHand, rules: Rules, seats: int) -> str:
    hands = seats + (rules.book.dealer is not None)
    found = _paid(line, rules.paytable(settles.paytable, str(hands)), rules)
    if found:
        return f"the best hand at the table is {found}"
    unpaid = "the best hand at the table is not paid"
    return unpaid if line.result == "lose" else f"{unpaid} but does not lose"


def _paid(line: LineRecord, table: Paytable, rules: Rules) -> str:
    """The hand whose line of the table this is; several share a clause here and there."""
    if not line.pays:
        return ""
    here = [one for one in table.lines if one.clause == line.clause]
    exact = [one for one in here if str(parse_pays(one.pays)) == line.pays] or here
    return " or ".join(dict.fromkeys(_words(one, rules) for one in exact))


def _needs(least: str) -> str:
    if least.endswith("or better"):
        return f"it needs {least}"
    if " or less" in least or " to " in least:
        return f"the least it pays for is {least}"
    return f"it needs {least} or better"


def _least(table: Paytable, rules: Rules) -> str:
    return _words([line for line in table.lines if line.pays != "push"][-1], rules)


def _words(line: Line, rules: Rules) -> str:
    return words_for(line.hand, rules.book.patterns)


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
