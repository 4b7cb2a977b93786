"""Advice for 235 Stud, and what it is worth to look at the other players' third cards.

The rules turn every third card up before the 5 Card decision, so up to five more cards are known
then. With S the sum of a raise's net over all pairs of the 49 unseen cards, r(c) the part of it in
which card c takes part and w(c, d) that of one pair, the sum left when a set K is known to be gone
is S - sum of r(c) + sum of w(c, d) over K. So every K costs a handful of additions, and even the
C(49, 5) sets of five can be gone through for each of the 1,755 kinds of three cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.cards import DECK, Card, format_cards
from croupier.errors import BadCards, BadRequest
from croupier.mathematics.advice import Advice
from croupier.mathematics.sides.deals import exchanges_of_suits
from croupier.mathematics.sides.paytable_lines import LineTests
from croupier.mathematics.stud.counts import PAIRS, THIRDS, place_of_three, place_of_two
from croupier.mathematics.stud.solver import StudSolution, solve_stud
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, VersusPaytable

__all__ = ["MOST_KNOWN", "advise_stud", "value_with_known"]

MOST_KNOWN: Final = 5


def advise_stud(
    rules: Rules,
    cards: Sequence[Card],
    known: Sequence[Card] = (),
    *,
    raised: int | None = None,
) -> Advice:
    """What to say on the first two cards, or on all three.

    With three cards, in the order dealt, `raised` is the multiple that was bet at the decision
    before (0: none); left out, it was what the best play had said. `known` are other players' third
    cards, which are seen by then and not before.
    """
    solution = solve_stud(rules)
    _check(cards, known)
    decision = next((d for d in solution.decisions if d.sees_player == len(cards)), None)
    if decision is None:
        raise BadRequest(f"no decision is taken on {len(cards)} cards")
    if len(cards) == 2:
        base, gain = _on_two(solution, cards, decision)
    else:
        base, gain = _on_three(solution, cards, known, decision, raised)
    values = {said: base + multiple * gain for said, multiple in decision.bets.items()}
    values[decision.otherwise] = base
    best = max(values, key=lambda said: values[said])
    return Advice(decision.name, values, best if gain > 0 else decision.otherwise)


def _check(cards: Sequence[Card], known: Sequence[Card]) -> None:
    if len(cards) not in (2, 3):
        raise BadCards(f"advice is for two or three cards, not {len(cards)}")
    if known and len(cards) != 3:
        raise BadCards("other players' third cards are not seen before one's own")
    if len(known) > MOST_KNOWN:
        raise BadCards(f"{len(known)} other cards: five other players show one each")
    everything = [*cards, *known]
    if len(set(everything)) != len(everything):
        raise BadCards(f"a deck holds every card once: {format_cards(everything)}")


def _on_two(
    solution: StudSolution, cards: Sequence[Card], decision: Decision
) -> tuple[Fraction, Fraction]:
    """The value without this raise, and what one unit of it adds."""
    table = solution.table
    a, b = sorted(cards)
    pair = place_of_two(a, b)
    ways = THIRDS * PAIRS * solution.scale
    base = Fraction(0)
    for name in table.required:
        if table.size(name) == 2:
            net = int(solution.nets(name, table.two)[table.two.ids[pair]])
            base += Fraction(net, solution.scale)
    trios = [place_of_three(*sorted((a, b, c))) for c in range(52) if c not in (a, b)]
    for name in table.required:
        if table.size(name) != 2:
            base += Fraction(int(solution.sums(name)[trios].sum()), ways)
    for later in solution.decisions:
        if later.sees_player == 3:
            sums = solution.raise_sums[later.name][trios]
            best = int(np.maximum(sums, 0).sum()) * solution.multiple[later.name]
            base += Fraction(best, ways)
    return base, Fraction(int(solution.raise_sums[decision.name][pair]), ways)


def _on_three(
    solution: StudSolution,
    cards: Sequence[Card],
    known: Sequence[Card],
    decision: Decision,
    raised: int | None,
) -> tuple[Fraction, Fraction]:
    table = solution.table
    first = sorted(cards[:2])
    pair, trio = place_of_two(*first), place_of_three(*sorted(cards))
    left = [card for card in DECK if card not in cards and card not in known]
    units = dict.fromkeys(table.required, 1)
    for earlier in solution.decisions:
        if earlier.sees_player == 2:
            best = solution.multiple[earlier.name]
            right = best if solution.raise_sums[earlier.name][pair] > 0 else 0
            units[earlier.wager] = right if raised is None else raised
    base = Fraction(0)
    for name, number in units.items():
        base += number * _value_on(solution, name, pair, trio, cards, left)
    return base, _value_on(solution, decision.wager, pair, trio, cards, left)


def _value_on(
    solution: StudSolution,
    wager: str,
    pair: int,
    trio: int,
    cards: Sequence[Card],
    left: Sequence[Card],
) -> Fraction:
    """The expected net of one unit of a wager when three cards are held and these are left."""
    table = solution.table
    size = table.size(wager)
    if size == 2:
        return Fraction(int(solution.nets(wager, table.two)[table.two.ids[pair]]), solution.scale)
    if size == 3:
        nets = solution.nets(wager, table.three)
        return Fraction(int(nets[table.three.ids[trio]]), solution.scale)
    if len(left) == 49:
        return Fraction(int(solution.sums(wager)[trio]), PAIRS * solution.scale)
    places = _places_with_pairs(cards, left)
    nets = solution.nets(wager, table.five)[table.five.ids[places]]
    return Fraction(int(nets.sum()), len(places) * solution.scale)


def _places_with_pairs(cards: Sequence[Card], left: Sequence[Card]) -> NDArray[np.int64]:
    """Where the three cards with every two of those left come in the order of `subsets(5)`."""
    fives = np.sort([(*cards, *pair) for pair in combinations(left, 2)], axis=1)
    after = _binomials()[51 - fives, np.arange(5, 0, -1)].sum(axis=1)
    return np.asarray(comb(52, 5) - 1 - after)


@cache
def _binomials() -> NDArray[np.int64]:
    return np.array([[comb(n, k) for k in range(6)] for n in range(53)], np.int64)


@njit(cache=True)
def _place(cards: NDArray[np.int64], binomials: NDArray[np.int64]) -> int:
    """All sets, less those from this one on: C(52, 5) - 1 - sum of C(51 - card, 5 - number)."""
    after = 0
    for number in range(5):
        after += binomials[51 - cards[number], 5 - number]
    return int(binomials[52, 5] - 1 - after)


# -- how much the other third cards are worth -----------------------------------------------------


def value_with_known(rules: Rules, known: int) -> Fraction:
    """The expected value of the round, in units of one base wager, when so many other players'
    third cards are seen before each decision on three cards and used as best they can be."""
    if not 0 <= known <= MOST_KNOWN:
        raise BadRequest(f"known must be 0 to {MOST_KNOWN}")
    solution = solve_stud(rules)
    value = solution.expected_value
    for decision in solution.decisions:
        if decision.sees_player == 3:
            before = int(np.maximum(solution.raise_sums[decision.name], 0).sum())
            blind = Fraction(before, comb(52, 3) * PAIRS)
            sets = comb(49, known) * comb(49 - known, 2)
            seen = Fraction(_best_sums(solution, decision, known), comb(52, 3) * sets)
            value += solution.multiple[decision.name] * (seen - blind) / solution.scale
    return value


def _best_sums(solution: StudSolution, decision: Decision, known: int) -> int:
    """The sum, over all three cards and all sets of known ones, of what the better action adds."""
    if solution.table.size(decision.wager) != 5:
        raise BadRequest(f"{decision.wager!r} is decided by cards that are already seen")
    nets = solution.nets(decision.wager, solution.table.five)[solution.table.five.ids]
    trios, weights = _kinds_of_three(_named_suits(solution.rules))
    binomials = _binomials()

    def one(row: int) -> int:
        return int(weights[row]) * int(_best_of_known(trios[row], known, nets, binomials))

    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(one, range(len(trios)), chunksize=16))


@cache
def _kinds_of_three(named: frozenset[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One of each kind of three cards under exchange of the suits that no line tells apart."""
    orders = exchanges_of_suits(named)
    kinds: dict[tuple[int, ...], int] = {}
    for cards in combinations(range(52), 3):
        least = min(
            tuple(sorted(order[card // 13] * 13 + card % 13 for card in cards)) for order in orders
        )
        kinds[least] = kinds.get(least, 0) + 1
    return np.array(list(kinds), np.int64), np.array(list(kinds.values()), np.int64)


def _named_suits(rules: Rules) -> frozenset[str]:
    book = rules.book
    found: set[str] = set()
    for wager in book.wagers.values():
        if isinstance(wager.settles, VersusPaytable):
            settles = wager.settles
            table = rules.paytable(settles.paytable)
            tests = LineTests(table, book.patterns, settles.hand, returns=settles.returns)
            found |= {leaf.suits for leaf in tests.leaves if leaf.suits}
    return frozenset(found)


@njit(cache=True, nogil=True)
def _best_of_known(
    trio: NDArray[np.int64], known: int, nets: NDArray[np.int64], binomials: NDArray[np.int64]
) -> int:
    """The sum over all sets K of `known` cards of max(0, what a raise brings on the rest)."""
    pairs = np.zeros((49, 49), np.int64)
    rows = np.zeros(49, np.int64)
    total = _pair_nets(trio, nets, binomials, pairs, rows)
    if known == 0:
        return max(total, 0)
    # Where no set can turn the decision, the sum is a multiple of the total.
    low, high = _bounds(total, known, rows, pairs)
    if low >= 0:
        return total * binomials_of(47, known)
    if high <= 0:
        return 0
    return _turn(total, known, rows, pairs)


@njit(cache=True)
def binomials_of(n: int, k: int) -> int:
    result = 1
    for step in range(k):
        result = result * (n - step) // (step + 1)
    return result


@njit(cache=True)
def _pair_nets(
    trio: NDArray[np.int64],
    nets: NDArray[np.int64],
    binomials: NDArray[np.int64],
    pairs: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> int:
    """Fills w(c, d) and r(c) for the 49 unseen cards; S comes back."""
    unseen = np.empty(49, np.int64)
    number = 0
    for card in range(52):
        if card != trio[0] and card != trio[1] and card != trio[2]:
            unseen[number] = card
            number += 1
    total = 0
    held = np.empty(5, np.int64)
    for i in range(49):
        for j in range(i + 1, 49):
            held[:3] = trio
            held[3], held[4] = unseen[i], unseen[j]
            net = nets[_place(np.sort(held), binomials)]
            pairs[i, j] = pairs[j, i] = net
            rows[i] += net
            rows[j] += net
            total += net
    return total


@njit(cache=True)
def _bounds(
    total: int, known: int, rows: NDArray[np.int64], pairs: NDArray[np.int64]
) -> tuple[int, int]:
    """No set of known cards brings the total lower or higher than these."""
    ordered = np.sort(rows)
    inner = known * (known - 1) // 2
    low = total - ordered[49 - known :].sum() + inner * min(pairs.min(), 0)
    high = total - ordered[:known].sum() + inner * max(pairs.max(), 0)
    return low, high


@njit(cache=True)
def _turn(total: int, known: int, rows: NDArray[np.int64], pairs: NDArray[np.int64]) -> int:
    """Goes through the sets: an odometer for all known cards but the last, the last one inside."""
    places = np.arange(known)
    weight = np.empty(49, np.int64)
    found = 0
    while True:
        outer = total
        for i in range(known - 1):
            outer -= rows[places[i]]
            for j in range(i):
                outer += pairs[places[j], places[i]]
        start = places[known - 2] + 1 if known > 1 else 0
        for last in range(start, 49):
            weight[last] = outer - rows[last]
        for i in range(known - 1):
            row = pairs[places[i]]
            for last in range(start, 49):
                weight[last] += row[last]
        for last in range(start, 49):
            found += max(weight[last], 0)
        place = known - 2
        while place >= 0 and places[place] == 49 - known + place:
            place -= 1
        if place < 0:
            return found
        places[place] += 1
        for later in range(place + 1, known - 1):
            places[later] = places[later - 1] + 1
