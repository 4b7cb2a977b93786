"""What the four hold'em games against a dealer share: comparison, decisions, main wagers."""

from __future__ import annotations

from tests.oracle.common import ONE_TO_ONE, Line, Paytable, by_table, lose, push, win
from tests.oracle.hands import Card, at_least, best_name, best_value
from tests.oracle.request import Round, Seat

FOUR_THREE_TWO_ONE = (("check", "4x", "3x"), ("check", "2x"), ("1x", "fold"))
THREE_TWO_ONE = (("check", "3x"), ("check", "2x"), ("1x", "fold"))


def seven(given: Round, seat: Seat) -> list[Card]:
    return seat.cards + given.community


def hole_and_flop(given: Round, seat: Seat) -> list[Card]:
    """The two hole cards and the first three community cards in order of exposure."""
    return seat.cards + given.community[:3]


def dealer_seven(given: Round) -> list[Card]:
    return given.dealer + given.community


def dealer_qualifies(given: Round) -> bool:
    return at_least(best_name(dealer_seven(given)), "pair")


def dealer_output(given: Round) -> dict[str, object]:
    return {"hand": best_name(dealer_seven(given)), "qualifies": dealer_qualifies(given)}


def compare(given: Round, seat: Seat) -> int:
    """1 where the player's best five beat the dealer's, -1 where they lose, 0 for a tie."""
    player, dealer = best_value(seven(given, seat)), best_value(dealer_seven(given))
    return (player > dealer) - (player < dealer)


def even_money(wager: str, stake: int, sign: int) -> Line:
    if sign > 0:
        return win(wager, stake, ONE_TO_ONE)
    return push(wager, stake) if sign == 0 else lose(wager, stake)


def ranked(wager: str, stake: int, sign: int, table: Paytable, hand: str) -> Line:
    """Blind, X-tra Bonus, Odds: a win below the table's last line is returned, a tie too."""
    if sign < 0:
        return lose(wager, stake)
    if sign == 0 or hand not in table:
        return push(wager, stake)
    return by_table(wager, stake, table, hand)


def folded_lines(seat: Seat, required: tuple[str, ...]) -> list[Line]:
    return [lose(wager, seat.stakes[wager]) for wager in required]
