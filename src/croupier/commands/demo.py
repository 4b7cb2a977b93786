"""`croupier demo`: one round of each game, dealt from a shuffled deck and settled on the spot.

The players follow a rule of thumb, not a strategy: bet with a pair, or with high cards on the
first decision.
"""

from __future__ import annotations

import random
import secrets
import shlex
from pathlib import Path

from rich.markup import escape

from croupier.cards import DECK, RANKS, Card
from croupier.commands.output import console, print_json
from croupier.errors import BadRequest
from croupier.money import parse_cents
from croupier.reports.pictures import save_picture
from croupier.reports.story import story
from croupier.rounds.completed import CompletedRound, PlayedSeat
from croupier.rounds.settle_requests import settlement_object
from croupier.rounds.settlement import settle
from croupier.rulebooks.clauses import DOCUMENTS
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Decision
from croupier.rulebooks.submission import Submission

__all__ = ["deal_round", "run"]

_QUEEN = RANKS.index("Q")


def run(
    game: str | None, *, seed: int | None, seats: int, picture: Path | None, as_json: bool
) -> int:
    if not 1 <= seats <= 6:
        raise BadRequest(f"--seats is {seats}, but 1 to 6 players can sit down")
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    settled, stories = {}, []
    for name in DOCUMENTS if game is None else [game]:
        rules = put_in_force(open_rulebook(name), Submission())
        played = deal_round(rules, random.Random(f"{seed} {rules.book.id}"), seats)
        settlement = settle(played, rules)
        settled[rules.book.id] = settlement_object(settlement, rules)
        stories.append(story(played, settlement, rules))
        if not as_json:
            console().print(stories[-1])
    if as_json:
        print_json(settled)
    else:
        again = (
            f"croupier demo {shlex.quote(game) + ' ' if game else ''}--seed {seed} --seats {seats}"
        )
        console().print(f"[dim]Deal the same cards again: {escape(again)}[/]", soft_wrap=True)
    if picture is not None:
        save_picture(stories, picture, title="croupier demo")
    return 0


def deal_round(rules: Rules, chance: random.Random, seats: int) -> CompletedRound:
    """A whole round: cards off the top of a shuffled deck, wagers down, decisions made."""
    deck = list(DECK)
    chance.shuffle(deck)
    counts = rules.book.cards

    def take(count: int) -> tuple[Card, ...]:
        taken, deck[:] = tuple(deck[:count]), deck[count:]
        return taken

    holdings = [take(counts.player) for _ in range(seats)]
    dealer, community, box = take(counts.dealer), take(counts.community), take(counts.box)
    return CompletedRound(
        seats=tuple(
            PlayedSeat(
                number=number,
                player=f"seat {number}",
                cards=cards,
                wagers=_wagers(rules, number),
                actions=_decisions(rules, cards, community),
            )
            for number, cards in enumerate(holdings, start=1)
        ),
        community=community,
        dealer=dealer,
        box=box,
    )


def _wagers(rules: Rules, number: int) -> dict[str, int]:
    """Ten dollars on what is required, five (or the only stake there is) on the rest."""
    return {
        name: 1000
        if wager.role == "required"
        else parse_cents(wager.stakes[0])
        if wager.stakes
        else 500
        for name, wager in rules.book.wagers.items()
        if wager.role == "required" or (wager.role == "optional" and number != 2)
    }


def _decisions(
    rules: Rules, cards: tuple[Card, ...], community: tuple[Card, ...]
) -> tuple[str, ...]:
    said: list[str] = []
    placed: set[str] = set()
    for decision in rules.book.decisions:
        if decision.wager in placed:
            continue
        seen = cards[: decision.sees_player], community[: decision.sees_community]
        if _wants_to_bet(decision, *seen):
            said.append(next(iter(decision.bets)))
            placed.add(decision.wager)
        else:
            said.append(decision.otherwise)
    return tuple(said)


def _wants_to_bet(decision: Decision, cards: tuple[Card, ...], community: tuple[Card, ...]) -> bool:
    own = [card.rank for card in cards]
    if len(set(own)) < len(own) or set(own) & {card.rank for card in community}:
        return True
    first = decision.sees_community < 3 and decision.otherwise == "check"
    return first and min(own, default=0) >= _QUEEN - 2 and max(own) >= _QUEEN
