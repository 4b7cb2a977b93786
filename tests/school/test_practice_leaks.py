"""Leaks: ranked by what they cost; boxes as the rule says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from croupier.school.practice.leaks import INTERVALS, Leaks, due, noted, ranked
from croupier.school.practice.pricing import Priced

NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
RIVER = Priced("river", "river, low pair", "fold", {"1x": "-3/2", "fold": "-2"})
RIGHT = Priced("river", "river, low pair", "1x", RIVER.values)
FLOP = Priced("flop", "flop, ace high", "2x", {"2x": "-1", "check": "0"})


def test_the_dearest_leak_comes_first() -> None:
    leaks = noted(noted(noted(None, RIVER, NOW), FLOP, NOW), RIGHT, NOW)
    listed = ranked(leaks)
    assert [name for name, _ in listed] == ["flop, ace high", "river, low pair"]
    river = listed[1][1]
    assert (river.asked, river.wrong, river.cost_exact) == (2, 1, Fraction(1, 2))
    assert (river.said, river.best) == ("fold", "1x")
    assert ranked(noted(None, RIGHT, NOW)) == []


def test_a_mistake_goes_into_the_first_box_and_climbs_when_it_is_due() -> None:
    leaks, now = noted(None, RIVER, NOW), NOW
    assert due(leaks, now) == []
    assert noted(leaks, RIGHT, now).situations[RIVER.situation].box == 1, "too early to count"
    for box, interval in enumerate(INTERVALS, 1):
        assert leaks.situations[RIVER.situation].box == box
        now += interval
        assert due(leaks, now) == [RIVER.situation]
        leaks = noted(leaks, RIGHT, now)
    assert leaks.situations[RIVER.situation].box == 0
    assert due(leaks, now + timedelta(days=999)) == []


def test_a_wrong_answer_goes_back_to_the_first_box() -> None:
    leaks = noted(noted(None, RIVER, NOW), RIGHT, NOW + INTERVALS[0])
    assert leaks.situations[RIVER.situation].box == 2
    again = noted(leaks, RIVER, NOW + INTERVALS[0])
    assert again.situations[RIVER.situation].box == 1


def test_nothing_is_due_of_nothing() -> None:
    assert due(Leaks(), NOW) == []
