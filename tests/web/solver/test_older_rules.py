"""A table goes on by the rules of the program that opened it: so does the advice given there."""

from __future__ import annotations

import asyncio
import logging

import pytest

from croupier.cards import parse_cards
from croupier.rulebooks.kept_rules import RulesText, keep_rules, reference_to, todays_rules
from croupier.runtime.player_questions import Played, Question
from croupier.web.solver.advice import Adviser, Values

GAME = "three-card-poker"
OWN = tuple(int(card) for card in parse_cards("Qs 6h 4d"))


def _older() -> str:
    """A rulebook that no program of today comes with, kept as from a journal."""
    today = todays_rules(GAME)
    older = RulesText(GAME, today.text + "\n# as it was\n", today.patterns)
    keep_rules(older)
    return f"sha256:{older.hash}"


async def _values(adviser: Adviser, rules: str) -> Values:
    question = Question(GAME, rules, "{}", "play", OWN, ())
    for _ in range(600):
        if (found := await adviser.values(question)) is not None:
            return found
    raise AssertionError("no answer")


def test_advice_follows_the_rules_that_the_journal_has_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask() -> None:
        adviser = Adviser()
        try:
            today = await _values(adviser, reference_to(GAME))
            older = _older()  # kept while the process beside is already at work
            with caplog.at_level(logging.ERROR):
                await adviser.prepare([Played(GAME, older, "{}")])
            assert await _values(adviser, older) == today
        finally:
            adviser.close()

    asyncio.run(ask())
    assert not caplog.records
