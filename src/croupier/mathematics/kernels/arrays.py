"""Names for the array types of this package."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

I8: TypeAlias = npt.NDArray[np.int8]
U8: TypeAlias = npt.NDArray[np.uint8]
U16: TypeAlias = npt.NDArray[np.uint16]
I16: TypeAlias = npt.NDArray[np.int16]
I32: TypeAlias = npt.NDArray[np.int32]
I64: TypeAlias = npt.NDArray[np.int64]
IntArray: TypeAlias = npt.NDArray[np.int32] | npt.NDArray[np.int64]
