"""A sentence for people about every line of a settlement."""

from __future__ import annotations

from croupier.money import dollars
from croupier.ranking.hands import describe
from croupier.rounds.settlement import DealerOutcome, SeatOutcome, SettledLine
from croupier.rulebooks.schema import Rulebook

__all__ = ["explain"]


def explain(
    line: SettledLine, seat: SeatOutcome, dealer: DealerOutcome | None, book: Rulebook
) -> str:
    """Why the wager won, lost or pushed, and what it paid."""
    text = _reason(line, seat, dealer, book) + _money(line)
    if line.limited_by:
        text += f" The payout limit ({line.limited_by}) takes {dollars(line.forgone)} off."
    return text[0].upper() + text[1:]


def _reason(
    line: SettledLine, seat: SeatOutcome, dealer: DealerOutcome | None, book: Rulebook
) -> str:
    mine = describe(seat.value)
    theirs = describe(dealer.value) if dealer is not None else ""
    words = line.line.words if line.line is not None else ""
    match line.because:
        case "folded":
            return "the hand was folded"
        case "beat_dealer" if line.result == "push":
            return f"{mine} beat the dealer with less than the paytable pays on"
        case "beat_dealer":
            return f"{mine} beat the dealer's {_bare(theirs)}"
        case "lost_to_dealer" if line.line is not None:
            return f"{mine} lost to the dealer's {_bare(theirs)}, a bad beat"
        case "lost_to_dealer":
            return f"{mine} lost to the dealer's {_bare(theirs)}"
        case "tied_dealer":
            return f"{mine} tied the dealer"
        case "dealer_did_not_qualify":
            return f"the dealer has only {theirs} and does not qualify"
        case "hand_paid":
            return f"the cards show {words}"
        case "hand_returned":
            return "the hand is below the paytable but does not lose"
        case "hand_not_paid":
            return "the paytable has no line for the hand"
        case "beaten_hand_paid":
            return f"{words} was beaten"
        case "nothing_beaten":
            return "no hand of the paytable was beaten"
        case "highest_paid":
            return f"the best hand at the table is {words}"
        case "all_won":
            return "all the wagers it needs have won"
        case "not_all_won":
            return "not all the wagers it needs have won"
        case "followed":
            assert line.wager in book.wagers
            led = book.wagers[getattr(book.wagers[line.wager].settles, "wager")]  # noqa: B009
            return f"it goes with {led.title}"
        case "envy":
            return f"another player holds {words}"
    raise AssertionError(line.because)


def _bare(described: str) -> str:
    return described.removeprefix("a ")


def _money(line: SettledLine) -> str:
    if line.result == "lose":
        return f": {dollars(line.stake)} is lost."
    if line.result == "push":
        return ": the stake comes back."
    if line.because == "envy":
        return f": {dollars(line.net)} in all."
    return f": {line.pays}, {_signed(line.net + line.forgone)}."


def _signed(cents: int) -> str:
    return ("+" if cents >= 0 else "") + dollars(cents)
