"""Seven-card hands per second: ours beside phevaluator, eval7, treys and pokerkit.

All evaluate the same random hands, each library in the representation it likes best, prepared
before the clock starts. Peers take one hand at a time, so they are called in a Python loop, and so
is our `strength`; the array functions are what a simulation or a solver uses instead. All run on
one core. Every round times each row once, so that a busy moment of the machine hits them all; the
table shows medians.

A peer that does not put the hands into the same order as we do is not measured but reported.
"""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.figures import Ratio
from benchmarks.figures import report as write_report
from croupier.cards import DECK
from croupier.ranking import fast, plain

ROUNDS = 7
SINGLE = 20_000  # hands for functions that take one
SLOW = {"treys": 4_000, "pokerkit": 200}
ARRAY = 4_000_000
BOARDS = 4_000
PAIRS = 1_081
EVERY = 133_784_560

Hands: TypeAlias = NDArray[np.uint8]
Masks: TypeAlias = NDArray[np.uint64]


@dataclass
class Row:
    """One line of the table. `run` evaluates `hands` hands."""

    label: str
    pattern: str
    hands: int
    run: Callable[[], object]
    peer: bool = False
    documented: bool = True
    seconds: list[float] = field(default_factory=list)

    @property
    def nanoseconds(self) -> float:
        return median(self.seconds) / self.hands * 1e9


def main() -> None:
    cards = random_cards(ARRAY, 7)
    peers, absent = peer_rows(cards)
    rows = peers + our_rows(cards)
    for row in rows:
        row.run()  # compile, fill caches
    for _ in range(ROUNDS):
        for row in rows:
            gc.collect()
            start = perf_counter()
            row.run()
            row.seconds.append(perf_counter() - start)
    report(rows, absent)


def random_cards(hands: int, size: int) -> Hands:
    random = np.random.default_rng(1)
    parts = [
        random.random((hands // 32, 52), np.float32).argpartition(size, axis=1)[:, :size]
        for _ in range(32)
    ]
    return np.concatenate(parts).astype(np.uint8)


def masks_of(cards: Hands) -> Masks:
    masks: Masks = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1)
    return masks


def in_a_loop(label: str, evaluate: Callable[[Any], object], hands: list[Any]) -> Row:
    def run() -> None:
        for hand in hands:
            evaluate(hand)

    return Row(label, "random hands, Python loop", len(hands), run)


def in_a_loop_spread(label: str, evaluate: Callable[..., object], hands: list[Any]) -> Row:
    def run() -> None:
        for hand in hands:
            evaluate(*hand)

    return Row(label, "random hands, Python loop", len(hands), run)


# -- ours -----------------------------------------------------------------------------------------


def our_rows(cards: Hands) -> list[Row]:
    masks = masks_of(cards)
    one_by_one = masks[:SINGLE].tolist()
    out = np.empty(ARRAY, np.uint16)
    boards = masks_of(random_cards(BOARDS, 5))
    pairs = np.empty(PAIRS, np.uint16)
    random = "random hands, one array"
    return [
        in_a_loop("croupier plain.value_of", plain.value_of, one_by_one),
        in_a_loop("croupier strength", fast.strength, one_by_one),
        Row("croupier strengths", random, ARRAY, lambda: fast.strengths(masks, out)),
        Row(
            "croupier strengths_of_cards",
            random,
            ARRAY,
            lambda: fast.strengths_of_cards(cards, out),
        ),
        Row("croupier strength_of", f"{random}, in a kernel", ARRAY, lambda: each(masks, out)),
        Row("croupier strength_of", "every hand in order, in a kernel", EVERY, every),
        Row(
            "croupier strengths_on_board",
            f"random boards, {PAIRS} hands each, in a kernel",
            BOARDS * PAIRS,
            lambda: on_boards(boards, pairs),
        ),
    ]


# Not cached: numba would not notice a change in the evaluator.
@njit(nogil=True)
def each(masks: Masks, out: NDArray[np.uint16]) -> None:
    for i in range(masks.size):
        out[i] = fast.strength_of(masks[i])


@njit(nogil=True)
def on_boards(boards: Masks, out: NDArray[np.uint16]) -> None:
    for board in boards:
        fast.strengths_on_board(board, out)


@njit(nogil=True)
def every() -> int:
    """All hands, as masks in ascending order (Gosper's hack)."""
    total = 0
    mask = np.uint64(0b1111111)
    while not mask >> np.uint64(52):
        total += int(fast.strength_of(mask))  # a sum, or else the compiler drops the work
        lowest = mask & (~mask + np.uint64(1))
        higher = mask + lowest
        mask = higher | ((mask ^ higher) >> np.uint64(2)) // lowest
    return total


# -- peers ----------------------------------------------------------------------------------------


def peer_rows(cards: Hands) -> tuple[list[Row], list[str]]:
    rows: list[Row] = []
    absent: list[str] = []
    for name, prepare in PEERS.items():
        hands = cards[: SLOW.get(name, SINGLE)]
        try:
            found, results = prepare(hands.tolist())
        except ImportError as error:
            absent.append(f"{name} is missing: {error}")
            continue
        if not same_order(results, fast.strengths_of_cards(hands)):
            absent.append(f"{name} {version(name)} ranks hands in another order: not measured")
            continue
        for row in found:
            row.peer = True
        rows += found
    return rows, absent


def same_order(theirs: Iterable[int], ours: NDArray[np.uint16]) -> bool:
    """Whether both rank the hands alike; most libraries give the best hand the lowest number."""
    _, order = np.unique(np.array(list(theirs)), return_inverse=True)
    _, our_order = np.unique(ours, return_inverse=True)
    return any(np.array_equal(our_order, each) for each in (order, order.max() - order))


Prepared: TypeAlias = tuple[list[Row], Iterable[int]]


def phevaluator(hands: list[list[int]]) -> Prepared:
    """Its card ids are rank * 4 + suit. The native function underneath is private, and fastest."""
    library = import_module("phevaluator.evaluator")
    ids = [tuple(card % 13 * 4 + card // 13 for card in hand) for hand in hands]
    rows = [
        in_a_loop_spread("phevaluator evaluate_cards", library.evaluate_cards, ids),
        in_a_loop_spread("phevaluator evaluate_7cards", library.evaluate_7cards, ids),
    ]
    native = getattr(library, "_pheval", None)  # older releases are Python throughout
    if native is not None:
        rows.append(in_a_loop_spread("phevaluator (private)", native.evaluate_7cards, ids))
        rows[-1].documented = False
    return rows, [library.evaluate_cards(*hand) for hand in ids]


def eval7(hands: list[list[int]]) -> Prepared:
    library = import_module("eval7")
    deck = [library.Card(str(card)) for card in DECK]
    prepared = [[deck[card] for card in hand] for hand in hands]
    return [in_a_loop("eval7 evaluate", library.evaluate, prepared)], map(
        library.evaluate, prepared
    )


def treys(hands: list[list[int]]) -> Prepared:
    library = import_module("treys")
    deck = [library.Card.new(str(card)) for card in DECK]
    prepared = [([deck[c] for c in hand[:2]], [deck[c] for c in hand[2:]]) for hand in hands]
    evaluate = library.Evaluator().evaluate
    results = [evaluate(*hand) for hand in prepared]
    return [in_a_loop_spread("treys evaluate", evaluate, prepared)], results


def pokerkit(hands: list[list[int]]) -> Prepared:
    library = import_module("pokerkit")
    deck = [next(iter(library.Card.parse(str(card)))) for card in DECK]
    prepared = [tuple(deck[card] for card in hand) for hand in hands]
    from_game = library.StandardHighHand.from_game
    results = [from_game(hand).entry.index for hand in prepared]
    return [in_a_loop("pokerkit from_game", from_game, prepared)], results


PEERS: dict[str, Callable[[list[list[int]]], Prepared]] = {
    "phevaluator": phevaluator,
    "eval7": eval7,
    "treys": treys,
    "pokerkit": pokerkit,
}


# -- the table ------------------------------------------------------------------------------------


def report(rows: list[Row], absent: list[str]) -> None:
    present = [name for name in PEERS if any(row.label.startswith(name) for row in rows)]
    packages = ("numba", "numpy", *present)
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(f"Seven-card hands, medians of {ROUNDS} rounds, one core of {os.cpu_count()}")
    print(f"{platform.machine()}, Python {platform.python_version()}, {versions}")
    documented = fastest(row for row in rows if row.peer and row.documented)
    anyone = fastest(row for row in rows if row.peer)
    lines = [
        (
            f"{row.label}, {row.pattern}",
            f"{row.nanoseconds:,.2f}",
            ratio(documented, row),
            ratio(anyone, row),
        )
        for row in sorted(rows, key=lambda row: -row.nanoseconds)
    ]
    head = ("hands and access", "ns a hand", "times the fastest peer", "also undocumented")
    ours = [row for row in rows if not row.peer]
    ratios = [
        Ratio(f"{row.label}, {row.pattern}", documented.nanoseconds / row.nanoseconds)
        for row in ours
        if documented
    ]
    write_report("evaluators", head, lines, ratios)
    print("times the fastest peer: of the documented functions of other libraries")
    for line in absent:
        print(line)


def fastest(rows: Iterable[Row]) -> Row | None:
    return min(rows, key=lambda row: row.nanoseconds, default=None)


def ratio(peer: Row | None, row: Row) -> str:
    return f"{peer.nanoseconds / row.nanoseconds:,.2f}" if peer else "-"
