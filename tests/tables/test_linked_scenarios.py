"""Rehearsals of several tables on one link, of strangers, and of rounds that do not open."""

from __future__ import annotations

import pytest

from croupier.errors import BadData
from croupier.scenarios import Rehearsal, read_text, rehearse

HEAD = """\
table T1 plays md-uth
offers progressive
progressive stakes 5
meter main rate 5%
dealer Dan
floor Flo
operator Olga
"""
TWO = (
    HEAD
    + """\
Ann sits at seat 1 with 1,000
linked table T2
at T2: Bob sits at seat 2 with 500
at T2: round
at T2: Bob bets ante 10, blind 10, progressive 5
at T2: no more bets
at T2: count 1
"""
)


def run(text: str) -> Rehearsal:
    return rehearse(read_text(text))


def failed(found: Rehearsal) -> list[str]:
    return [f"{one.text}: {one.message}" for one in found.results if one.verdict != "ok"]


def test_two_tables_feed_one_meter() -> None:
    found = run(
        TWO
        + """\
expect meter main 10,000.25
round
Ann bets ante 10, blind 10, progressive 5
no more bets
count 1
at T2: expect meter main 10,000.50
Flo voids the round: practice
at T2: Flo voids the round: practice
expect meter main 10,000
at T2: expect Bob has 500
"""
    )
    assert failed(found) == []
    assert found.wrong == ()


def test_what_is_left_open_at_a_linked_table_is_told() -> None:
    assert run(TWO).wrong == ("table T2: round 1 is not finished: the cards are not collected",)


def test_terms_change_and_apply_from_then_on() -> None:
    found = run(
        HEAD
        + """\
Ann sits at seat 1 with 1,000
expect refused wrong_role: Dan tells the link change_terms meter=main rate=0.1 reason=mine
expect refused no_change: Olga tells the link change_terms meter=main reason=nothing
Olga tells the link change_terms meter=main rate=0.10 reason=a promotion
round
Ann bets ante 10, blind 10, progressive 5
no more bets
count 1
expect meter main 10,000.50
Flo voids the round: practice
"""
    )
    assert failed(found) == []


def test_a_stranger_and_a_round_that_does_not_open() -> None:
    found = run(
        HEAD
        + """\
stranger Zoe
expect refused no_players: round
expect refused not_seated 7.C: Zoe does buy_in amount=5
expect refused not_seated: Zoe calls the floor: let me in
Ann sits at seat 1 with 1,000
expect refused no_players: round
"""
    )
    assert failed(found) == [
        "expect refused no_players: round: this was not refused (and was not carried out)"
    ]


def test_the_houses_own_lines() -> None:
    found = run(
        HEAD
        + """\
Ann sits at seat 1 with 1,000
Ann calls the floor: the light is off
expect refused already_done: Ann calls the floor: again
Flo answers call 1: it is on now
Flo assigns dealer Dee
expect refused not_on_duty: round
Flo fills 500
Flo credits 20
Flo empties the drop
"""
    )
    assert failed(found) == []
    told = [line for one in found.results for line in one.events_in_words]
    assert [line for line in told if "has number" in line] == [
        f"the slip has number {number}" for number in ("F-0001", "C-0001", "D-0001")
    ]


def test_words_that_came_later_are_still_names() -> None:
    found = run(
        "table T1 plays md-uth\noffers nothing\nstranger sits at seat 1 with 50\n"
        "expect stranger has 50\n"
    )
    assert failed(found) == []


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("linked table T1", "table T1 is there already"),
        ("linked table T2\nlinked table T2", "table T2 is there already"),
        ("at T9: round", "neither a person at this table"),
        ("Olga tells the link change_terms", "change_terms lacks meter and reason"),
        ("Olga tells the link close", "did you mean 'close_link'?"),
    ],
)
def test_lines_that_make_no_sense(lines: str, says: str) -> None:
    with pytest.raises(BadData, match=says.replace("?", r"\?")):
        run(HEAD + lines + "\n")
