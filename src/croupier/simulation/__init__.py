"""Mass runs: rounds through the real engine, added up to the cent and held against exact values."""

from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import (
    BooksDiffer,
    Setting,
    play_stretch,
    prepare,
    stretches,
)
from croupier.simulation.totals import Sums, Tally
from croupier.simulation.settings import betting, setting_for

__all__ = [
    "BooksDiffer",
    "Comparison",
    "Setting",
    "Sums",
    "Tally",
    "betting",
    "compare",
    "play_stretch",
    "prepare",
    "setting_for",
    "stretches",
]
