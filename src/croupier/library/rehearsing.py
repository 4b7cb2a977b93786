"""Whole sessions from a text, and rounds dealt for a demonstration."""

from __future__ import annotations

import random
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.cards import RANKS, Card
from croupier.errors import BadRequest, plain
from croupier.library.record import Record, write_file
from croupier.library.rulebook import AnyRulebook, Rulebook, load_rulebook
from croupier.money import parse_cents
from croupier.rounds.round_flow import too_weak
from croupier.rounds.settle_requests import settlement_object
from croupier.rounds.settlement import Settlement, settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, Decision
from croupier.scenarios.reader import read_file, read_text
from croupier.scenarios.rehearsal import LineResult, with_answers
from croupier.scenarios.rehearsal import Rehearsal as Played
from croupier.scenarios.rehearsal import rehearse as play
from croupier.simulation.dealt_rounds import dealt_round

if TYPE_CHECKING:
    from rich.console import RenderableType


# -- rehearsals -----------------------------------------------------------------------------------


class Rehearsal(Record, frozen=True):
    """A session from a text, line by line, and whether every expectation was met."""

    source: str
    """The name of the file, or `-`."""
    text: str
    """The text of the session."""
    played: Played
    """The session as played."""

    @property
    def holds(self) -> bool:
        """Whether every expectation of the text was met."""
        return self.played.holds

    def __bool__(self) -> bool:
        return self.holds

    @property
    def lines(self) -> tuple[LineResult, ...]:
        """The result of every line."""
        return self.played.results

    def playthrough(self) -> str:
        """Return the whole session in words: each line, followed by its events."""
        return self.played.playthrough()

    def answered(self) -> str:
        """Return the text with every `?` of its expectations replaced by the actual value."""
        return with_answers(self.played, self.text)

    def to_dict(self, *, playthrough: bool = False) -> dict[str, Any]:
        return {
            "file": self.source,
            "holds": self.holds,
            "rounds": self.played.rounds,
            "wrong": list(self.played.wrong),
            "lines": [_line_object(line) for line in self.lines],
            **({"playthrough": self.playthrough()} if playthrough else {}),
        }

    def __repr__(self) -> str:
        holds = "as expected" if self.holds else "not as expected"
        return f"<Rehearsal {self.source}: {len(self.lines)} lines, {holds}>"


def _line_object(line: LineResult) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "line": line.line,
        "text": line.text,
        "verdict": line.verdict,
        "told": line.events_in_words,
    }
    if line.verdict == "failed":
        entry |= {"message": line.message, "code": line.code, "clause": line.clause}
    return entry


def rehearse(scenario: str | Path, *, write: bool = False) -> Rehearsal:
    """Play a session from a file (a `Path`, or a string of one line) or from its text, and check
    each `expect` line. `write` replaces every `?` in the file by the actual value."""
    is_text = isinstance(scenario, str) and "\n" in scenario
    read = read_text(str(scenario)) if is_text else read_file(Path(scenario))
    rehearsal = Rehearsal(read.source, read.text, play(read))
    if write:
        if is_text:
            raise BadRequest("a text has no file to write the answers into: use answered()")
        write_file(scenario, rehearsal.answered().encode())
    return rehearsal


# -- demonstrations -------------------------------------------------------------------------------


class DemoRound(Record, frozen=True):
    """A round dealt from a shuffled deck and settled. Its players follow a rule of thumb: they bet
    with a pair, or with high cards on the first decision."""

    rulebook: str
    """The id of the rulebook."""
    played: CompletedRound
    """The round that was dealt."""
    settlement: Settlement
    """Its settlement."""
    book: Rulebook
    """The rulebook."""

    def story(self) -> RenderableType:
        """Return the round as rich draws it on a terminal."""
        from croupier.reports.story import story

        return story(self.played, self.settlement, self.book.rules)

    def to_dict(self) -> dict[str, Any]:
        return settlement_object(self.settlement, self.book.rules)


class Demo(Record, frozen=True):
    """A round of each game, by rulebook."""

    seed: int
    """The seed of the decks."""
    seats: int
    """The number of seats played."""
    rounds: dict[str, DemoRound]
    """The rounds by rulebook."""

    def save_picture(self, to: str | Path) -> None:
        """Draw what the terminal shows into an SVG file."""
        from croupier.reports.pictures import save_picture

        stories = [each.story() for each in self.rounds.values()]
        save_picture(stories, Path(to), title="croupier demo")

    def to_dict(self) -> dict[str, Any]:
        return {name: each.to_dict() for name, each in self.rounds.items()}


def demo(game: AnyRulebook | None = None, *, seed: int | None = None, seats: int = 3) -> Demo:
    """Deal and settle a round of a game, or of each of the five documents. The same seed deals the
    same cards."""
    if not 1 <= seats <= 6:
        raise BadRequest(f"seats is {seats}, but 1 to 6 players can sit down")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    rounds = {}
    for name in DOCUMENTS if game is None else [game]:
        book = load_rulebook(name)
        rules = book.rules
        most = rules.book.positions.most
        if game is not None and seats > most:
            raise BadRequest(f"seats is {seats}, but {plain(rules.book.id)} has {most} positions")
        chance = random.Random(f"{seed} {rules.book.id}")
        played = deal_round(rules, chance, min(seats, most))
        rounds[book.id] = DemoRound(book.id, played, settle(played, rules), book)
    return Demo(seed, seats, rounds)


def deal_round(rules: Rules, chance: random.Random, seats: int) -> CompletedRound:
    """Deal a whole round, played by the rule of thumb."""
    placed = [_wagers(rules, number) for number in range(1, seats + 1)]
    return dealt_round(rules, chance, placed, _answer)


def _wagers(rules: Rules, number: int) -> dict[str, int]:
    """Return ten dollars on each required wager, five (or its only stake) on the others."""
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
    queen = RANKS.index("Q")
    first = decision.sees_community < 3 and decision.otherwise == "check"
    return first and min(own, default=0) >= queen - 2 and max(own) >= queen
