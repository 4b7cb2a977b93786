"""Payout drills: every answer is what `croupier.settle` says of the table that is shown."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from croupier.money import dollars, format_cents, parse_cents
from croupier.rulebooks.bundled import BUNDLED
from croupier.school.drills.chips import DENOMINATIONS, fewest_chips
from croupier.school.drills.drawing import draw_drill
from croupier.school.drills.drill import Choice, Drill, graded, why_wrong
from croupier.school.drills.games import game_named
from tests.school.drills.dealt_again import book_of, line_of, settled_again

FATES = {"win": "It wins", "lose": "It loses", "push": "It pushes"}


def check_fate(drill: Drill) -> None:
    line = line_of(drill.question, settled_again(drill.question))
    assert drill.answer == FATES[line.result]
    assert sorted(choice.words for choice in drill.question.choices) == sorted(FATES.values())


def check_odds(drill: Drill) -> None:
    line = line_of(drill.question, settled_again(drill.question))
    stake = line.stake.cents or _stake_below(drill, line.wager)
    gained = line.net.cents + (stake if drill.answer.endswith("for 1") else 0)
    ratios = [_odds(choice.words) for choice in drill.question.choices]
    assert drill.right is not None
    assert 0 <= gained - ratios[drill.right] * stake < 1  # half a cent is rounded up
    assert len(set(ratios)) == len(ratios)


def check_amount(drill: Drill) -> None:
    line = line_of(drill.question, settled_again(drill.question))
    given = _given(drill, line)
    assert (drill.cents, drill.answer) == (given, dollars(given))
    check_typed(drill)


def check_total(drill: Drill) -> None:
    seat = next(seat.seat for seat in drill.question.scene.seats if seat.asked)
    net = settled_again(drill.question).seat(seat).net.cents
    assert (drill.cents, drill.answer) == (net, ("+" if net > 0 else "") + dollars(net))
    check_typed(drill)


def check_typed(drill: Drill) -> None:
    """Nothing shows the amount beforehand; it is right to the cent, and a known mistake is told."""
    assert drill.question.typed
    assert not drill.question.choices
    assert drill.cents is not None
    assert graded(drill, format_cents(drill.cents))
    assert graded(drill, f" {drill.answer} ")
    for other in (drill.cents + 1, drill.cents - 1, -drill.cents, *drill.correction.mistakes):
        assert not graded(drill, format_cents(other))
    for cents, why in drill.correction.mistakes.items():
        assert why_wrong(drill, format_cents(cents)) == why != ""


def check_chips(drill: Drill) -> None:
    found = re.search(r"You pay \$([\d,.]+)\.", drill.question.words)
    assert found is not None
    cents = parse_cents(found[1].replace(",", ""))
    seat = next(seat.seat for seat in drill.question.scene.seats if seat.asked)
    won = settled_again(drill.question).seat(seat).lines
    assert any(cents in (line.net.cents, line.net.cents + line.stake.cents) for line in won)
    fewest = _fewest(cents)
    for place, choice in enumerate(drill.question.choices):
        is_best = _worth(choice) == cents and sum(choice.chips.values()) == fewest
        assert is_best == (place == drill.right)


def check_clause(drill: Drill) -> None:
    line = line_of(drill.question, settled_again(drill.question))
    cited = [choice.words.partition(": ")[0] for choice in drill.question.choices]
    assert drill.right is not None
    if book_of(drill.question).id.startswith(("md-", "ma-")):
        assert cited[drill.right] == line.clause
    else:
        assert drill.answer == line.clause
    for place, clause in enumerate(cited):
        assert (clause == line.clause) == (place == drill.right)


CHECKS = {
    "payout.fate": check_fate,
    "payout.odds": check_odds,
    "payout.amount": check_amount,
    "payout.total": check_total,
    "payout.chips": check_chips,
    "payout.clause": check_clause,
}


def check(skill: str, rulebook: str, seed: str) -> None:
    drill = draw_drill(skill, rulebook, seed)
    assert _all_differ(drill)
    CHECKS[skill](drill)


@pytest.mark.parametrize("skill", CHECKS)
@pytest.mark.parametrize("rulebook", BUNDLED)
def test_every_payout_is_what_settle_says(skill: str, rulebook: str) -> None:
    for seed in range(3):
        check(skill, rulebook, f"payout {seed}")


OTHERS = (
    "md-uth:trips=D,blind=B,progressive=C,bad_beat=C,ultimate_pairs=F",
    "ma-uth:trips=C,progressive=PTMGLML03",
    "md-wpt:trips_plus=D,progressive=J",
    "md-235:progressive=D",
    "texas-holdem-bonus:ante=ac",
    "three-card-poker:pair_plus=B",
)


@pytest.mark.parametrize("skill", CHECKS)
@pytest.mark.parametrize("game", OTHERS)
def test_other_paytables_are_settled_by_themselves(skill: str, game: str) -> None:
    for seed in range(2):
        drill = draw_drill(skill, game, f"other {seed}")
        assert drill.question.rulebook == game_named(game)
        assert drill.question.scene.told[0].startswith("Paytables: ")
        CHECKS[skill](drill)


@pytest.mark.full
@pytest.mark.parametrize("skill", CHECKS)
def test_ten_thousand_payouts_of_each_kind(skill: str) -> None:
    games = (*BUNDLED, *OTHERS)
    for number in range(10_000):
        check(skill, games[number % len(games)], f"many {number}")


@pytest.mark.parametrize("cents", [50, 100, 450, 1050, 1750, 6250, 49950, 123_450])
def test_the_fewest_chips_are_found_by_trying_all(cents: int) -> None:
    found = fewest_chips(cents)
    assert sum(worth * count for worth, count in found.items()) == cents
    assert sum(found.values()) == _fewest(cents)


# -- by another route -----------------------------------------------------------------------------


def _fewest(cents: int) -> int:
    """Coin by coin: how few chips can be worth this."""
    step = DENOMINATIONS[-1]
    best = [0] + [10**9] * (cents // step)
    for amount in range(1, len(best)):
        best[amount] = 1 + min(
            best[amount - worth // step] for worth in DENOMINATIONS if worth // step <= amount
        )
    return best[-1]


def _worth(choice: Choice) -> int:
    return sum(parse_cents(worth) * count for worth, count in choice.chips.items())


def _odds(words: str) -> Fraction:
    won, _, stake = words.replace(",", "").replace(" for ", " to ").partition(" to ")
    return Fraction(int(won), int(stake))


def _given(drill: Drill, line: Any) -> int:
    """What goes over the table: the winnings; with the stake where the player is asked for in
    all; where a stake is lost although odds are paid, the explanation says so."""
    if "receive in all" in drill.question.words or "is lost" in line.explanation:
        return int(line.net.cents + line.stake.cents)
    return int(line.net.cents)


def _stake_below(drill: Drill, bonus: str) -> int:
    """A bonus has no stake: it is paid on that of another wager."""
    book = book_of(drill.question)
    title = book.wagers[book.bonuses[bonus].on].title
    seat = next(seat for seat in drill.question.scene.seats if seat.asked)
    return parse_cents(seat.wagers[title].replace("$", ""))


def _all_differ(drill: Drill) -> bool:
    words = [choice.words for choice in drill.question.choices]
    return len(set(words)) == len(words)
