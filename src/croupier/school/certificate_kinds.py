"""Every kind of certificate, with what deals and scores it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.school import exams as dealers
from croupier.school.certificates import Recompute
from croupier.school.practice import exams

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, Recompute]] = {
    exams.KIND: exams.recomputed,
    dealers.KIND: dealers.recomputed,
}
