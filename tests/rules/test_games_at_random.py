"""Random rounds of the nine casino games, settled by the engine and by rules written apart."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from croupier.cards import DECK, Card, format_cards
from croupier.errors import CroupierError
from croupier.money import dollars
from croupier.rounds.settle_requests import RequestSettler
from tests.oracle.casino_games import GAMES, Game, Played, may_say

ROUNDS = 200


def pools() -> list[list[Card]]:
    """The whole deck; and few ranks or few suits, where the rare hands are not rare."""
    few_ranks = [card for card in DECK if card.rank in (3, 4, 8, 9, 11, 12)]
    high = [card for card in DECK if card.rank >= 7]
    low = [card for card in DECK if card.rank <= 3 or card.rank == 12]
    two_suits = [card for card in DECK if card.suit < 2]
    return [list(DECK), few_ranks, high, low, two_suits]


def dealt(game: Game, said: str, chance: Random) -> Played:
    cards = tuple(chance.sample(chance.choice(pools()), game.own + game.dealer + game.board))
    own, rest = cards[: game.own], cards[game.own :]
    return Played(own, rest[: game.dealer], rest[game.dealer :], tuple(said.split()), game.bets)


def settled(settler: RequestSettler, game: str, played: Played) -> dict[str, int]:
    request = {
        "rulebook": game,
        "seats": [
            {
                "seat": 1,
                "cards": format_cards(played.own),
                "wagers": {name: f"{cents / 100:.2f}" for name, cents in played.bets.items()},
                "actions": list(played.said),
            }
        ],
        "community": format_cards(played.board),
        "dealer": format_cards(played.dealer) or None,
    }
    answer: Any = settler.settle_line(json.dumps(request))
    lines = answer["seats"][0]["lines"]
    return {line["wager"]: round(float(line["net"]) * 100) for line in lines}


def compare(game: str, rounds: int, seed: int) -> None:
    settler, chance, terms = RequestSettler(), Random(f"{game} {seed}"), GAMES[game]
    for _ in range(rounds):
        played = dealt(terms, chance.choice(terms.answers), chance)
        if may_say(game, " ".join(played.said), played.own):
            found = settled(settler, game, played)
            assert found == terms.settle(played), (game, played, dollars(sum(found.values())))
        else:
            with pytest.raises(CroupierError, match="or better"):
                settled(settler, game, played)


@pytest.mark.parametrize("game", GAMES)
def test_two_ways_to_settle_a_round_agree(game: str) -> None:
    compare(game, ROUNDS, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_two_ways_to_settle_many_rounds_agree(game: str) -> None:
    compare(game, 2000, seed=2)
