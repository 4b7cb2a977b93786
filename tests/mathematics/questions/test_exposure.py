"""The exposure of the house against every deal of small decks, settled by the engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import sqrt
from typing import Any

import pytest

from croupier.cards import Card
from croupier.errors import BadRequest
from croupier.mathematics.questions.exposure import exposure_of
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions.ruin import ruin_within, running_loss
from croupier.reports.exposure import exposed
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from tests.commands.program import croupier
from tests.mathematics.counters.opponents.games import (
    RETURN,
    decision,
    in_force,
    table,
    tree,
    wager,
)
from tests.mathematics.dealt import rules_of

NETS = {-2000: 3, -1000: 4, 0: 2, 1000: 5, 3000: 1}
STAKE = 600


# -- a game of one card each ----------------------------------------------------------------------


def high_card(**more: Any) -> Rules:
    """One card against one, from four ranks; the ante and the raise pay on the dealer's hand too,
    and an ace is paid besides."""
    lines = [{"hand": "any", "pays": "3 to 2", "clause": "x", "covers": ["high_card"]}]
    paid = {"do": "pay", "paytable": "even"}
    settles = {
        "by": "versus_dealer",
        "hand": "own",
        "folded": {"do": "collect", "clause": "x"},
        "qualified": {"higher": paid, "equal": RETURN, "lower": {"do": "collect", "clause": "x"}},
    }
    by_table = {"by": "paytable", "hand": "own", "paytable": "aces", "lost": "x"}
    game = tree(1, 1, "one") | {
        "positions": {"most": 3, "clause": "x", "per_player": "one", "per_player_clause": "x"},
        "rankings": {"one": {"size": 1, "order": ["high_card"]}},
        "deck": {"ranks": "TQKA"},
        "patterns": {"ace": {"category": ["high_card"], "made": "A"}},
        "decisions": [decision(1, {"1x": 1, "2x": 2})],
        "paytables": {
            "even": {"only": {"clause": "x", "lines": lines}},
            "aces": table(("ace", "5 to 1")),
        },
        "wagers": {
            "ante": wager("required", settles),
            "play": wager("decided", settles),
            "aces": wager("optional", by_table),
        },
    }
    return in_force(game | more)


WAGERS = {"ante": STAKE, "aces": STAKE}
WORDS = (("1x",), ("2x",), ("fold",))


def nets_of(rules: Rules, own: tuple[Card, ...], theirs: Card, said: tuple[str, ...]) -> int:
    """What these seats win together, all with the same words."""
    seats = tuple(PlayedSeat(n, f"p{n}", (card,), WAGERS, said) for n, card in enumerate(own, 1))
    settled = settle(CompletedRound(seats, dealer=(theirs,)), rules)
    return sum(seat.net for seat in settled.seats)


def best_word(rules: Rules, own: Card) -> tuple[str, ...]:
    left = [card for card in cards_of(rules.book.deck) if card != own]
    sums = {said: sum(nets_of(rules, (own,), theirs, said) for theirs in left) for said in WORDS}
    return max(sums, key=lambda said: sums[said])


LIMIT = {
    "payout_limits": [
        {"clause": "9", "covers": ["ante", "play", "aces"], "set_by": "document", "amount": 40}
        | {"or_best_win": False, "bound_clause": "9", "shortens": "largest"}
    ]
}


@pytest.mark.parametrize("more", [{}, LIMIT], ids=["free", "limited"])
def test_one_seat_and_a_table_of_a_small_deck(more: dict[str, Any]) -> None:
    rules = high_card(**more)
    deck = cards_of(rules.book.deck)
    found = exposed(rules, WAGERS, seats=2, pace=10, rounds=20)
    alone = max(
        nets_of(rules, (own,), theirs, said)
        for own, theirs in permutations(deck, 2)
        for said in WORDS
    )
    assert found.seat.is_exact
    assert found.seat.at_least == alone
    assert found.seat.dealt <= alone
    assert found.exposure.seat is not None
    assert found.exposure.seat.cents == alone
    both = max(
        nets_of(rules, (a, b), theirs, said)
        for a, b, theirs in permutations(deck, 3)
        for said in WORDS
    )
    assert found.table.at_least <= both <= found.table.at_most == 2 * alone
    assert found.table.deal is not None
    assert len(found.table.deal["seats"]) == 2


def test_the_hour_encloses_the_variance_of_two_seats_that_share_cards() -> None:
    """Every deal of two seats, each with the word that is best for its card."""
    rules = high_card()
    deck = cards_of(rules.book.deck)
    best = {own: best_word(rules, own) for own in deck}
    sums: Counter[int] = Counter()
    for a, b, theirs in permutations(deck, 3):
        sums[sum(nets_of(rules, (own,), theirs, best[own]) for own in (a, b))] += 1
    total = sums.total()
    mean = Fraction(sum(net * n for net, n in sums.items()), total)
    variance = Fraction(sum(net * net * n for net, n in sums.items()), total) - mean**2
    hour = exposure_of(rules, WAGERS, seats=2, pace=10, rounds=1).hour
    assert hour is not None
    assert hour.mean == -mean * 10
    assert hour.independent < sqrt(variance * 10) < hour.together
    one = exposure_of(rules, WAGERS, seats=1, pace=10, rounds=1).hour
    assert one is not None
    assert one.independent == one.together


def test_what_is_never_passed_and_what_cannot_be_joined() -> None:
    rules = rules_of("md-uth")
    wagers = {"ante": 1000, "blind": 1000, "trips": 500, "six_card_bonus": 500}
    found = exposed(rules, wagers, seats=6, pace=30, rounds=240)
    assert found.exposure.seat is None
    assert found.exposure.hour is None
    assert found.exposure.bankroll is None
    assert "six_card_bonus beside the main game" in found.exposure.not_joined
    assert found.exposure.highest == {
        "ante": 1000,
        "blind": 500_000,
        "trips": 25_000,
        "six_card_bonus": 100_000_000,
        "play": 4000,
    }
    assert found.seat.at_most == sum(found.exposure.highest.values())
    assert found.table.at_most == 6 * found.seat.at_most
    assert not found.seat.is_exact
    assert found.table.at_least >= found.seat.at_least > 500_000


def test_others_bring_an_envy_bonus() -> None:
    rules = rules_of("ma-uth")
    wagers = {"ante": 1000, "blind": 1000, "progressive": 500}
    found = exposure_of(rules, wagers, seats=3, pace=30, rounds=1, meters={"main": 10_000_000})
    assert found.envy_at_most > 0
    assert found.table_at_most == 3 * (found.seat_at_most + found.envy_at_most)
    alone = exposure_of(rules, wagers, seats=1, pace=30, rounds=1, meters={"main": 10_000_000})
    assert alone.envy_at_most == 0
    assert alone.seat_at_most == found.seat_at_most


@pytest.mark.parametrize(
    ("book", "wagers"),
    [
        ("md-235", {"two_card_poker": 10_000, "win_em_all": 500}),
        ("mississippi-stud", {"ante": 1000}),
        ("three-card-poker", {"ante": 1000, "pair_plus": 500}),
    ],
)
def test_bundled_games_are_exact_for_one_seat(book: str, wagers: dict[str, int]) -> None:
    rules = rules_of(book)
    placed = dict.fromkeys(rules.required, wagers[next(iter(rules.required))]) | wagers
    found = exposed(rules, placed, seats=1, pace=30, rounds=30)
    nets = net_distribution(rules, placed, limits=limits_in_force(rules))
    assert found.exposure.seat is not None
    assert found.exposure.seat.cents == max(nets)
    assert found.seat.is_exact
    assert found.table.at_least == found.seat.at_least


# -- the bankroll ---------------------------------------------------------------------------------


def test_the_deepest_loss_of_a_few_hands_is_counted() -> None:
    deepest: Counter[int] = Counter()
    for hands in product(NETS.items(), repeat=4):
        low = total = 0
        for net, _ in hands:
            total += net
            low = max(low, total)
        weight = 1
        for _, deals in hands:
            weight *= deals
        deepest[low] += weight
    found = running_loss(NETS, 4)
    for place, chance in enumerate(found.chances.tolist()):
        assert abs(chance - deepest[place * found.step] / 15**4) < found.error + 1e-15
    for percent in (50, 90, 99, 99.9):
        covered = found.covered(percent)
        share = sum(n for loss, n in deepest.items() if loss <= covered) / 15**4
        below = sum(n for loss, n in deepest.items() if loss < covered) / 15**4
        assert below < percent / 100 <= share + found.error


def test_the_bankroll_is_the_least_that_is_not_ruined() -> None:
    house = {-net: deals for net, deals in NETS.items()}
    for hands in (1, 30, 300):
        covered = running_loss(NETS, hands).covered(99)
        assert ruin_within(house, covered, 0, hands).chance <= 0.01
        assert covered == 0 or ruin_within(house, covered - 1000, 0, hands).chance > 0.01


def test_seats_that_move_as_one_need_more_and_a_top_award_more_still() -> None:
    found = exposure_of(rules_of("md-235"), {"two_card_poker": 1000}, seats=6, pace=30, rounds=60)
    assert found.bankroll is not None
    assert found.seat is not None
    bankroll = found.bankroll
    assert 0 < bankroll.independent < bankroll.together
    assert bankroll.with_top_award == bankroll.independent + found.seat.cents
    with pytest.raises(BadRequest, match="takes too long"):
        running_loss({-101: 10**6, 7: 10**5, 5_000_003: 1}, 900_000)


# -- the command ----------------------------------------------------------------------------------

ASKED = ("exposure", "three-card-poker", "--stake", "ante=10", "--seats", "2", "--pace", "40")


def test_the_answer_for_programs_and_for_people() -> None:
    answer = croupier(*ASKED, "--json").json
    assert answer["stakes"] == {"ante": "10.00"}
    assert (answer["seats"], answer["rounds_per_hour"]) == (2, 40)
    assert answer["bankroll"]["rounds"] == 320
    assert answer["seat"]["exact"] is True
    assert answer["seat"]["at_most"] == answer["seat"]["best_play"]["largest_loss"] == "70.00"
    (seat,) = answer["seat"]["deal"]["seats"]
    assert sum(float(line["net"]) for line in seat["lines"]) == 70
    assert answer["table"]["at_most"] == "140.00"
    assert answer["not_computed"] == ""
    drawn = croupier(*ASKED).text
    assert "40 rounds an hour, 2 seats: the house wins" in drawn
    assert "never more than $" in drawn


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seats", "8"), "seats is 8, but must be 1 to"),
        (("--pace", "0"), "pace is 0, but must be 1 to 1,000"),
        (("--rounds", "0"), "rounds is 0, but must be 1 to"),
        (("--stake", "play=5"), "decided in play"),
        (("--meter", "main=5"), "unknown meter 'main'"),
    ],
)
def test_requests_that_make_no_sense(words: tuple[str, ...], message: str) -> None:
    ended = croupier("exposure", "three-card-poker", "--stake", "ante=10", *words, "--json")
    assert ended.code == 2
    assert message in ended.error["message"]
