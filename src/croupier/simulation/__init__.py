"""Simulation: rounds through the real engine, added up to the cent, compared with exact values."""

from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import (
    BooksDiffer,
    play_stretch,
    prepare,
    stretches,
)
from croupier.simulation.run_setting import Setting, chosen_wagers, setting_for
from croupier.simulation.totals import RunTotals, WagerTotals

__all__ = [
    "BooksDiffer",
    "Comparison",
    "RunTotals",
    "Setting",
    "WagerTotals",
    "chosen_wagers",
    "compare",
    "play_stretch",
    "prepare",
    "setting_for",
    "stretches",
]
