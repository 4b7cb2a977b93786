"""The journal's lines out of those written before are the lines that are worked out anew."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.rounds.held_hands import Hands, Held
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.resolvers import SettlingSeat, SettlingTable, resolver_of
from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rounds.settlement import MOST_STAKES, Settling, written_line
from croupier.rounds.state import LineRecord, Stakes
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.rules import Rules, progressive_wager
from tests.oracle.rounds import random_request

SETTLER = RequestSettler()


def is_worked_out(lines: list[LineRecord], rules: Rules) -> bool:
    """The progressive has won, or a payout limit could be met."""
    won = [line for line in lines if line.result == "win"]
    most = sum(line.stake + line.net + line.forgone for line in won)
    return any(line.wager == progressive_wager(rules.book) for line in won) or any(
        most > limit.cents for limit in limits_in_force(rules)
    )


@pytest.mark.parametrize("rulebook", DOCUMENTS)
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_written_before_or_worked_out_the_lines_are_the_same(rulebook: str, seed: int) -> None:
    request = random_request(random.Random(seed), rulebook)
    read = read_json(json.dumps(request), RoundRequest)
    rules = SETTLER.rules(read.rulebook, bytes(read.submission))
    settling = Settling(read.round(), rules)
    meters = {**rules.resets, **read.meters_in_cents()}
    for place in range(len(request["seats"])):
        lines = settling.lines(place, dict(meters))
        for _ in range(2):
            # The first time they may be written, the second time they are there.
            written = settling.written_lines(place)
            if is_worked_out(lines, rules):
                assert written is None
            else:
                assert written == tuple(lines)


def test_the_stakes_that_are_remembered_have_an_end() -> None:
    """A player who bets another amount every time does not fill the memory."""
    rules = SETTLER.rules("md-uth", b"{}")
    ante = resolver_of("ante", rules)
    hands = Hands({}, {})
    hands["final"] = Held("pair", 2)
    table = SettlingTable(hands, (hands,), qualifies=True, dealer_value=1, dealt=1, common={})
    ruling = ante(SettlingSeat(hands, Stakes(), {}), table)
    for cents in range(1, 1000):
        line = written_line("ante", cents, ruling, taken=False)
        assert (line.stake, line.net) == (cents, cents)
    assert len(ruling.written) == MOST_STAKES
