"""Settlement against an independent one: `tests/oracle`, written from the documents alone.

The oracle has its own transcription of every paytable, its own evaluator and its own rules; nothing
is shared with the product but the contract.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from croupier.rounds.settle_requests import RequestSettler
from croupier.rulebooks.bundled import DOCUMENTS
from tests.oracle.rounds import random_request
from tests.oracle.settle import settle_round


def without_words(answer: dict[str, Any]) -> dict[str, Any]:
    """What both implementations state: hands, results and money; clauses and sentences are ours."""
    dealer = answer["dealer"]
    return {
        "dealer": dealer and {"hand": dealer["hand"], "qualifies": dealer["qualifies"]},
        "seats": [
            {
                "seat": seat["seat"],
                "hand": seat["hand"],
                "net": seat["net"],
                "lines": [
                    (line["wager"], line["stake"], line["result"], line["net"])
                    for line in seat["lines"]
                ],
            }
            for seat in answer["seats"]
        ],
        "meters": answer["meters"],
    }


def compare(rulebook: str, seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    settler = RequestSettler()
    for _ in range(rounds):
        request = random_request(chance, rulebook)
        ours = settler.settle_line(json.dumps(request))
        theirs = settle_round(request)
        assert without_words(ours) == without_words(theirs), json.dumps(request)


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_settlement_equals_the_independent_one(rulebook: str) -> None:
    compare(rulebook, seed=1, rounds=80)


@pytest.mark.full
@pytest.mark.parametrize("rulebook", DOCUMENTS)
@pytest.mark.parametrize("seed", range(10, 20))
def test_settlement_equals_the_independent_one_at_length(rulebook: str, seed: int) -> None:
    compare(rulebook, seed, rounds=2000)
