"""Names for array types, and the best action in stacked arrays of values."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

I8: TypeAlias = npt.NDArray[np.int8]
U8: TypeAlias = npt.NDArray[np.uint8]
U16: TypeAlias = npt.NDArray[np.uint16]
I16: TypeAlias = npt.NDArray[np.int16]
I32: TypeAlias = npt.NDArray[np.int32]
I64: TypeAlias = npt.NDArray[np.int64]
IntArray: TypeAlias = npt.NDArray[np.int32] | npt.NDArray[np.int64]

NEVER: Final = -(1 << 62)
"""The value of an action that the rules do not allow; below every other value."""


def best_places(values: npt.NDArray[Any], takes_first: bool) -> npt.NDArray[np.int64]:
    """Return the index of the best answer in each column of values[answer, …]."""
    if takes_first:
        return np.asarray(values.argmax(axis=0))
    return np.asarray(len(values) - 1 - values[::-1].argmax(axis=0))
