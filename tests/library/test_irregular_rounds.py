"""Settlements of rounds in which something went wrong: every rehearsal, at every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.library.settling import settled_so_far
from croupier.scenarios.reader import read_file
from croupier.scenarios.rehearsal import LineResult, _Run
from croupier.tables.planning import CommandPlan
from croupier.tables.state import rules_of

SCENARIOS = sorted((Path(__file__).parents[1] / "playthroughs" / "scenarios").glob("*.rehearsal"))


class Watched(_Run):
    settled = 0

    def _tell(self, made: CommandPlan, result: LineResult) -> None:
        super()._tell(made, result)
        state = made.table.round
        found = settled_so_far(state, rules_of(made.table), {})
        if found is None:
            assert not any(seat.lines for seat in state.seats)
            return
        self.settled += 1
        assert found._repr_html_()
        for seat in found.seats:
            held = state.seat(seat.seat)
            assert held is not None
            assert seat.net.cents == sum(line.net for line in held.lines)
            assert all(line.explanation for line in seat.lines)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_settlement_can_be_told_at_every_step(path: Path) -> None:
    watched = Watched(read_file(path))
    assert watched.run().holds
