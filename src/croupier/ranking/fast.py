"""The compiled evaluator: hands of five, six or seven cards by the hundred million.

A hand is the 52-bit mask of `cards.mask_of`. The result is its strength, 0 to 7461: the place of
its value among all values, so that strengths compare as values do (`strength_to_value` converts
back).

The algorithm: look up the thirteen bits of each suit in one table and add the four entries. The top
of the sum is the strength of the hand's flush; if it is not zero, that is the answer. Otherwise the
bottom of the sum is a key that no other multiset of ranks has, and a perfect hash of it finds the
strength: one look at the shift of the key's row, one at the strength itself. That is six loads
from 336 kilobytes and one branch, which three hands in a hundred take. `ranking.lookup_tables` says
how the tables are built and why no two hands collide.

Use, by access pattern:

    strength(mask)                     one hand, from Python
    strength_of(mask)                  one hand, inside a numba kernel; unchecked
    strengths(masks)                   an array of masks, in any order
    strengths_of_cards(cards)          an array with a row of cards for each hand
    strengths_on_board(board, out)     one board with every two cards that it leaves; unchecked

The unchecked ones never read outside their tables, but for anything that is not a hand the result
means nothing. Everything runs in the caller's thread; the array functions release the GIL.

The tables enter machine code as constants: they are built while the first kernel is compiled, in a
third of a second, and come from numba's cache later. A kernel elsewhere that calls `strength_of`
contains them too. Numba's cache checks only the file of the kernel itself, so after a change here
or in `ranking.lookup_tables` delete the `__pycache__` folders (`make clean`).
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any, Final, SupportsIndex, cast

import numpy as np
from numba import cfunc, njit, types
from numba.extending import overload
from numpy.typing import NDArray

from croupier.errors import BadCards
from croupier.ranking.lookup_tables import (
    COLUMN_BITS,
    COUNT_AT,
    FLUSH_AT,
    ROW_BITS,
    VALUES,
    lookup_tables,
)

# In numba, unsigned with signed gives a float, so every constant is unsigned.
_ONE: Final = np.uint64(1)
_SUIT: Final = np.uint64((1 << 13) - 1)
_DIAMONDS: Final = np.uint64(13)
_HEARTS: Final = np.uint64(26)
_SPADES: Final = np.uint64(39)
_DECK: Final = np.uint64(52)
_ROW: Final = np.uint64(32 - ROW_BITS)
_ROWS: Final = np.uint64((1 << ROW_BITS) - 1)
_COLUMNS: Final = np.uint64((1 << COLUMN_BITS) - 1)
_FLUSH: Final = np.uint64(FLUSH_AT)
_COUNT: Final = np.uint64(0xFF << COUNT_AT)
_TWO_CARDS: Final = np.uint64(2 << COUNT_AT)
_THREE_CARDS: Final = np.uint64(3 << COUNT_AT)
_FOUR_CARDS: Final = np.uint64(4 << COUNT_AT)
_FIVE_CARDS: Final = np.uint64(5 << COUNT_AT)
_SEVEN_CARDS: Final = np.uint64(7 << COUNT_AT)


def strength_to_value(strength: SupportsIndex) -> int:
    """Return the packed value of `ranking.hands` that has this strength."""
    return int(VALUES[strength])


# -- inside kernels -------------------------------------------------------------------------------
# Kernels reach the tables only through the next two functions. Numba calls their overloads when it
# compiles a caller, not when it loads one from its cache, so a warm start builds no table.


def _entry(suit: np.uint64) -> np.uint64:
    """Return what the thirteen bits of a suit add to the sum."""
    raise NotImplementedError("inside kernels only")


def _offsuit(key: np.uint64) -> np.uint16:
    """Return the strength that the perfect hash has for a sum of entries."""
    raise NotImplementedError("inside kernels only")


@overload(_entry)
def _compile_entry(suit: Any) -> Callable[[Any], Any]:  # noqa: ARG001
    keys = lookup_tables().keys

    def entry(suit: Any) -> Any:
        return keys[suit]

    return entry


@overload(_offsuit)
def _compile_offsuit(key: Any) -> Callable[[Any], Any]:  # noqa: ARG001
    _, shifts, strengths = lookup_tables()

    def offsuit(key: Any) -> Any:
        return strengths[(key & _COLUMNS) ^ np.uint64(shifts[key >> _ROW & _ROWS])]

    return offsuit


@njit(cache=True)
def _key_of(mask: np.uint64) -> np.uint64:
    return (
        _entry(mask & _SUIT)
        + _entry(mask >> _DIAMONDS & _SUIT)
        + _entry(mask >> _HEARTS & _SUIT)
        + _entry(mask >> _SPADES & _SUIT)
    )


@njit(cache=True)
def _settled(key: np.uint64) -> np.uint16:
    # A branch, though max() of the two would do: without it LLVM vectorises the caller's loop with
    # gather instructions, which are several times slower than the loads they replace.
    flush = key >> _FLUSH
    if flush:
        return np.uint16(flush)
    return _offsuit(key)


@njit(cache=True)
def strength_of(mask: np.uint64) -> np.uint16:
    """Return the strength of the five to seven cards of a mask, for use inside other kernels."""
    return _settled(_key_of(np.uint64(mask)))


@njit(cache=True, nogil=True)
def strengths_on_board(board: np.uint64, out: NDArray[np.uint16]) -> None:
    """Write the strengths of three to five cards with every two of the n others: n * (n - 1) / 2
    hands.

    With the n cards in ascending order, cards number i and j > i are at j * (j - 1) / 2 + i. `out`
    must have room for all of them: nothing is checked.
    """
    board = np.uint64(board)
    suit, suited = _flush_suit(board)
    ranks = np.empty(52, np.uint64)
    bits = np.empty(52, np.uint64)
    cards = 0
    for card in range(52):
        if not board >> np.uint64(card) & _ONE:
            ranks[cards] = card % 13
            bits[cards] = _ONE << np.uint64(card % 13) if card // 13 == suit else 0
            cards += 1
    pairs = _pairs_of_ranks(board)
    start = 0
    for high in range(1, cards):
        row = pairs[ranks[high]]
        for low in range(high):
            out[start + low] = row[ranks[low]]
        with_high = suited | bits[high]
        if _entry(with_high) & _COUNT >= _FOUR_CARDS:
            for low in range(high):
                flush = _entry(with_high | bits[low]) >> _FLUSH
                out[start + low] = max(out[start + low], flush)
        start += high


@njit(cache=True)
def _flush_suit(board: np.uint64) -> tuple[int, np.uint64]:
    """Return the suit of which two more cards can make a flush and the board's cards of it; or -1,
    0."""
    for suit in range(4):
        suited = board >> np.uint64(13 * suit) & _SUIT
        if _entry(suited) & _COUNT >= _THREE_CARDS:
            return suit, suited
    return -1, np.uint64(0)


@njit(cache=True)
def _pairs_of_ranks(board: np.uint64) -> NDArray[np.uint16]:
    """Write the strength of the board with a card of each of two ranks, flushes aside."""
    pairs = np.empty((13, 13), np.uint16)
    key = _key_of(board)
    for high in range(13):
        with_high = key + _entry(_ONE << np.uint64(high))
        for low in range(high + 1):
            strengths = _offsuit(with_high + _entry(_ONE << np.uint64(low)))
            pairs[high, low] = strengths
            pairs[low, high] = strengths
    return pairs


# -- arrays ---------------------------------------------------------------------------------------


def strengths(
    masks: NDArray[np.uint64], out: NDArray[np.uint16] | None = None
) -> NDArray[np.uint16]:
    """Return the strength of every mask of an array of any shape, in `out` if it is passed."""
    masks = np.ascontiguousarray(masks, np.uint64)
    out = _place_for(masks.shape, out)
    if not _fill_from_masks(masks.reshape(-1), out.reshape(-1)):
        bad = next(mask for mask in masks.reshape(-1).tolist() if not _is_hand(mask))
        raise _no_hand(bad)
    return out


def strengths_of_cards(
    cards: NDArray[np.uint8], out: NDArray[np.uint16] | None = None
) -> NDArray[np.uint16]:
    """Return the strength of every row of five, six or seven card numbers (`suit * 13 + rank`)."""
    cards = np.ascontiguousarray(cards)
    if (
        cards.dtype != np.uint8  # another type would wrap around when converted
        or cards.ndim != 2
        or cards.shape[1] not in (5, 6, 7)
        or cards.max(initial=0) >= 52
    ):
        raise BadCards("hands are rows of five, six or seven cards, each a uint8 from 0 to 51")
    out = _place_for(cards.shape[:1], out)
    # LLVM unrolls the loop over a row's cards when it knows how many there are.
    fill = _fill_from_sevens if cards.shape[1] == 7 else _fill_from_cards
    row = fill(cards, out)
    if row < len(cards):
        raise BadCards(f"row {row} holds a card twice: {cards[row].tolist()}")
    return out


def _place_for(shape: tuple[int, ...], out: NDArray[np.uint16] | None) -> NDArray[np.uint16]:
    if out is None:
        return np.empty(shape, np.uint16)
    if out.shape != shape or out.dtype != np.uint16 or not out.flags.c_contiguous:
        raise ValueError(f"out must be a contiguous uint16 array of shape {shape}")
    return out


@njit(cache=True, nogil=True)
def _fill_from_masks(masks: NDArray[np.uint64], out: NDArray[np.uint16]) -> bool:
    """Fill in the strengths, and return whether all masks were hands."""
    seen = np.uint64(0)
    for i in range(masks.size):
        mask = masks[i]
        seen |= mask
        key = _key_of(mask)
        # Unsigned: a count below five wraps to a large number.
        if (key & _COUNT) - _FIVE_CARDS > _TWO_CARDS:
            return False
        out[i] = _settled(key)
    return not seen >> _DECK


@njit(cache=True, nogil=True)
def _fill_from_sevens(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> int:
    for i in range(len(cards)):
        mask = np.uint64(0)
        for place in range(7):
            mask |= _ONE << np.uint64(cards[i, place])
        key = _key_of(mask)
        if key & _COUNT != _SEVEN_CARDS:
            return i
        out[i] = _settled(key)
    return len(cards)


@njit(cache=True, nogil=True)
def _fill_from_cards(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> int:
    wanted = np.uint64(cards.shape[1]) << np.uint64(COUNT_AT)
    for i in range(len(cards)):
        mask = np.uint64(0)
        for place in range(cards.shape[1]):
            mask |= _ONE << np.uint64(cards[i, place])
        key = _key_of(mask)
        if key & _COUNT != wanted:
            return i
        out[i] = _settled(key)
    return len(cards)


# -- one hand, from Python ------------------------------------------------------------------------
# Calling a numba function from Python takes about 200 ns, mostly to check the types of the
# arguments; the evaluation takes 3. So it is compiled as a CPython built-in function of one
# argument, which gets the integer directly: 70 ns in all.

_OBJECT: Final = types.voidptr
_to_integer: Any = types.ExternalFunction("PyLong_AsUnsignedLongLong", types.uint64(_OBJECT))
_from_integer: Any = types.ExternalFunction("PyLong_FromUnsignedLongLong", _OBJECT(types.uint64))
_forget_error: Any = types.ExternalFunction("PyErr_Clear", types.void())
_call: Any = types.ExternalFunction("PyObject_CallOneArg", _OBJECT(_OBJECT, _OBJECT))


@cfunc(_OBJECT(_OBJECT, _OBJECT), cache=True)
def _strength(otherwise: Any, argument: Any) -> Any:
    mask = _to_integer(argument)  # all bits set if that fails
    key = _key_of(mask)
    if mask >> _DECK or (key & _COUNT) - _FIVE_CARDS > _TWO_CARDS:
        _forget_error()
        return _call(otherwise, argument)
    return _from_integer(np.uint64(_settled(key)))


def _otherwise(argument: SupportsIndex) -> int:
    """Handle arguments that are not an int with a valid hand: a numpy integer may still be one."""
    mask = operator.index(argument)
    if not _is_hand(mask):
        raise _no_hand(mask)
    return strength(mask)


def _is_hand(mask: int) -> bool:
    return 0 <= mask < 1 << 52 and 5 <= mask.bit_count() <= 7


def _no_hand(mask: int) -> BadCards:
    return BadCards(f"{mask:#x} is not a hand: a hand is five to seven of 52 bits (cards.mask_of)")


class _MethodDefinition(ctypes.Structure):
    """PyMethodDef, as in CPython's methodobject.h."""

    _fields_ = (
        ("ml_name", ctypes.c_char_p),
        ("ml_meth", ctypes.c_void_p),
        ("ml_flags", ctypes.c_int),
        ("ml_doc", ctypes.c_char_p),
    )


_METH_O: Final = 0x0008
_DEFINITION: Final = _MethodDefinition(
    b"strength",
    _strength.address,
    _METH_O,
    b"strength(mask, /)\n--\n\nThe strength of the five to seven cards of a mask.",
)


def _built_in() -> Callable[[SupportsIndex], int]:
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.POINTER(_MethodDefinition), ctypes.py_object, ctypes.py_object]
    return cast(Callable[[SupportsIndex], int], make(_DEFINITION, _otherwise, __name__))


strength: Final = _built_in()
# Pickle takes a bound built-in for an attribute of what it is bound to.
_otherwise.__dict__["strength"] = strength
