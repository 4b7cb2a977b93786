"""Scenarios: whole sessions written as a pit's log, rehearsed line by line. docs/scenarios.md."""

from croupier.scenarios.reading import read_file, read_text
from croupier.scenarios.rehearsing import Outcome, Rehearsal, filled_in, rehearse
from croupier.scenarios.steps import BadScenario, Scenario

__all__ = [
    "BadScenario",
    "Outcome",
    "Rehearsal",
    "Scenario",
    "filled_in",
    "read_file",
    "read_text",
    "rehearse",
]
