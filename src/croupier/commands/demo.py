"""`croupier demo`: one round of each game, dealt from a shuffled deck and settled on the spot.

The players follow a rule of thumb, not a strategy: bet with a pair, or with high cards on the
first decision.
"""

from __future__ import annotations

import random
import secrets
import shlex
from pathlib import Path

from croupier.cards import RANKS, Card
from croupier.commands.output import console, print_json, styled
from croupier.errors import BadRequest
from croupier.money import parse_cents
from croupier.reports.pictures import save_picture
from croupier.reports.story import story
from croupier.rounds.round_flow import too_weak
from croupier.rounds.settle_requests import settlement_object
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import TAKE_BACK, Decision
from croupier.rulebooks.submission import Submission
from croupier.simulation.dealt_rounds import dealt_round

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
        most = rules.book.positions.most
        if game is not None and seats > most:
            raise BadRequest(f"--seats is {seats}, but this game has {most} positions")
        chance = random.Random(f"{seed} {rules.book.id}")
        played = deal_round(rules, chance, min(seats, most))
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
        told = styled("[dim]Deal the same cards again: {again}[/]", again=again)
        console().print(told, soft_wrap=True)
    if picture is not None:
        save_picture(stories, picture, title="croupier demo")
    return 0


def deal_round(rules: Rules, chance: random.Random, seats: int) -> CompletedRound:
    """A whole round by the rule of thumb."""
    placed = [_wagers(rules, number) for number in range(1, seats + 1)]
    return dealt_round(rules, chance, placed, _answer)


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


def _answer(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:
    cards = seat.cards[: decision.sees_player]
    wants = _wants_to_bet(decision, cards, dealt.community[: decision.sees_community])
    weak = too_weak(decision, seat, dealt, rules)
    bets = [bet for bet in decision.bets if bet not in weak]
    if bets:
        return bets[0] if wants else decision.otherwise
    return TAKE_BACK if decision.takes_back and not wants else decision.otherwise


def _wants_to_bet(decision: Decision, cards: tuple[Card, ...], community: tuple[Card, ...]) -> bool:
    own = [card.rank for card in cards]
    if len(set(own)) < len(own) or set(own) & {card.rank for card in community}:
        return True
    first = decision.sees_community < 3 and decision.otherwise == "check"
    return first and min(own, default=0) >= _QUEEN - 2 and max(own) >= _QUEEN
