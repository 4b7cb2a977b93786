"""All types of certificate, each with the function that deals and scores it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.school import exams as dealers
from croupier.school.certificates import Recompute
from croupier.school.practice import exams

KINDS: Final[Mapping[str, Recompute]] = {
    exams.KIND: exams.recomputed,
    dealers.KIND: dealers.recomputed,
}
