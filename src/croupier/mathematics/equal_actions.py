"""Which of equally good actions is taken: the first offered, or the last (`Rules.takes_first`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def best_places(values: NDArray[Any], takes_first: bool) -> NDArray[np.int64]:
    """The place of the best answer in each column of values[answer, …]."""
    if takes_first:
        return np.asarray(values.argmax(axis=0))
    return np.asarray(len(values) - 1 - values[::-1].argmax(axis=0))
