"""Every record of the library can be sent to another process, and says its JSON."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest

import croupier
from croupier.library.record import Record
from tests.commands.program import EXAMPLES
from tests.commands.program import croupier as program

GAME = "three-card-poker"
SUBMISSION = EXAMPLES / "submissions" / "maryland-uth.toml"

# A record, and the command that prints the same.
RECORDS: dict[str, Callable[[], Record]] = {
    f"analyze {GAME} --wager pair_plus": lambda: croupier.analyze(GAME, "pair_plus"),
    f"advise {GAME} --cards AhKd2c": lambda: croupier.advise(GAME, "Ah Kd 2c"),
    f"check {SUBMISSION}": lambda: croupier.check(SUBMISSION),
    "conformance md-235": lambda: croupier.conformance("md-235"),
    "guide md-uth --dealing hand": lambda: croupier.guide("md-uth", dealing="hand"),
    "paytables": croupier.paytables,
    "rulebooks list": croupier.list_rulebooks,
    "rulebooks show md-uth": lambda: croupier.show_rulebook("md-uth"),
    "rulebooks check examples/harbour-holdem.toml --rounds 0": lambda: croupier.check_rulebook(
        EXAMPLES / "harbour-holdem.toml", rounds=0
    ),
    f"sign md-uth {SUBMISSION}": lambda: croupier.sign("md-uth", SUBMISSION),
    "demo md-uth --seed 1": lambda: croupier.demo("md-uth", seed=1),
    f"session {GAME} --stake ante=10 --bankroll 100": lambda: croupier.session(
        GAME, {"ante": 10}, bankroll=100
    ),
    f"exposure {GAME} --stake ante=10": lambda: croupier.exposure(GAME, {"ante": 10}),
    "shuffle --seed 1": lambda: croupier.shuffle(1),
    f"simulate {GAME} --rounds 100": lambda: croupier.simulate(GAME, rounds=100),
    f"strategy chart {GAME}": lambda: croupier.chart(GAME),
    f"strategy show {GAME}": lambda: croupier.optimal_strategy(GAME),
    f"strategy compare {GAME}": lambda: croupier.compare_strategies(GAME),
    "design md-uth --wager trips --vary flush=5..7 --edge 0..4": lambda: croupier.design(
        "md-uth", "flush=5..7", wager="trips", edge="0..4"
    ),
}


@pytest.mark.parametrize("command", RECORDS)
def test_a_record_is_what_its_command_prints_and_can_be_pickled(command: str) -> None:
    record = RECORDS[command]()
    printed = program(*command.split(), "--json").json
    assert json.loads(record.to_json()) == printed
    again = pickle.loads(pickle.dumps(record))
    assert json.loads(again.to_json()) == printed
