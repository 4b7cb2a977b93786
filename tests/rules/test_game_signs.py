"""What the signs of the casino games say, and of games written in other ways."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest

from croupier.reports.felt import felt_svg
from croupier.reports.signs import Sign, sign_of
from croupier.rulebooks.bundled import GAMES, read_bundled
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


def rules_of(game: str, *changes: tuple[str, Any]) -> Rules:
    """The game with values at these places (`dealer.of`) changed."""
    tree = copy.deepcopy(tomllib.loads(read_bundled(game, "game.toml")))
    for place, value in changes:
        *path, last = place.split(".")
        node: Any = tree
        for step in path:
            node = node[int(step) if step.isdigit() else step]
        node[last] = value
    return put_in_force(RulebookFile(tree, game), Submission())


def notices(sign: Sign) -> list[str]:
    return [notice.words for notice in sign.notices]


def rows(sign: Sign, title: str) -> dict[str, str]:
    (table,) = [one for one in sign.paytables if one.title == title]
    return {row.hand: row.cells[0].says for row in table.rows}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_sign_and_its_felt(game: str) -> None:
    rules = rules_of(game)
    sign = sign_of(rules, operator="The Grand")
    assert {spot.wager for spot in sign.spots} == set(rules.book.wagers)
    assert sign.missing == ()
    drawn = felt_svg(sign)
    for wager in rules.book.wagers.values():
        assert all(word in drawn for word in wager.title.split())


def test_a_dealer_who_needs_ace_king() -> None:
    said = notices(sign_of(rules_of("caribbean-stud")))
    assert said == [
        "The dealer qualifies with ace-king high or better",
        "The Ante wins if the dealer has less than ace-king high, whatever your hand",
        "The Raise pushes if the dealer has less than ace-king high",
        "Raise: 2 times the Ante when one card of the dealer's is up, or fold",
    ]


def test_a_dealer_who_needs_a_suit() -> None:
    said = notices(sign_of(rules_of("high-card-flush")))
    assert said[0] == "The dealer qualifies with a three-card flush, nine high, or better"
    assert said[-1] == (
        "Raise: equal to the Ante, or fold; 2 times only with a five-card flush or better; 3 times "
        "only with a six-card flush or better"
    )


def test_a_dealer_who_always_plays_is_not_told_to_qualify() -> None:
    sign = sign_of(rules_of("four-card-poker"))
    assert not [words for words in notices(sign) if "qualifies" in words]
    (first, *_) = sign.paytables
    assert (first.title, first.on) == ("Ante and Play", "a winning hand, or a tie")


def test_bets_that_are_taken_back_and_share_a_table() -> None:
    sign = sign_of(rules_of("let-it-ride"))
    assert notices(sign) == [
        "Bet 1 may be taken back before the community cards",
        "Bet 2 may be taken back after the first community card",
    ]
    assert rows(sign, "Bet 1, Bet 2 and Bet 3")["Pair of tens or better"] == "1 to 1"


def test_lines_written_lowest_first() -> None:
    usual = rules_of("texas-holdem-bonus")
    tree = tomllib.loads(read_bundled("texas-holdem-bonus", "game.toml"))
    lines = tree["paytables"]["ante"]["lv"]["lines"]
    turned = rules_of("texas-holdem-bonus", ("paytables.ante.lv.lines", lines[::-1]))
    for rules in (usual, turned):
        sign = sign_of(rules)
        assert rows(sign, "Ante")["Less than a straight"] == "push"
        assert "The Ante pushes if the winning hand is not a straight or better" in notices(sign)


def test_a_super_bonus_is_told_once() -> None:
    sign = sign_of(rules_of("crazy-4-poker"))
    (table,) = [one for one in sign.paytables if one.title == "Super Bonus"]
    assert table.on == "the player's hand, whatever the dealer has"
    assert rows(sign, "Super Bonus")["Less than a straight"] == "push unless beaten"


def test_a_bonus_has_a_table_of_its_own() -> None:
    sign = sign_of(rules_of("three-card-poker"))
    assert rows(sign, "Ante Bonus") == {
        "Straight flush": "5 to 1",
        "Three of a kind": "4 to 1",
        "Straight": "1 to 1",
    }
