"""Scenarios: whole sessions written as a pit's log, rehearsed line by line. See
docs/scenarios.md."""

from croupier.scenarios.reader import read_file, read_text
from croupier.scenarios.rehearsal import LineResult, Rehearsal, rehearse, with_answers
from croupier.scenarios.scenario import BadScenario, Scenario

__all__ = [
    "BadScenario",
    "LineResult",
    "Rehearsal",
    "Scenario",
    "read_file",
    "read_text",
    "rehearse",
    "with_answers",
]
