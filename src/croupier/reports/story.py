"""A settled round in sentences: cards, hands, and the result of every wager."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from croupier.cards import Card
from croupier.errors import plain
from croupier.money import dollars
from croupier.rounds.explaining import explanation, holdings_of, line_title
from croupier.rounds.settlement import SeatOutcome, Settlement
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules

_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_BLACK, _RED = "bold #101014 on #f2f2ee", "bold #c2182b on #f2f2ee"
_FACES = {"c": _BLACK, "s": _BLACK, "h": _RED, "d": _RED}
_CARD = re.compile(r"[2-9TJQKA][cdhs]")
_CARDS_AND_CLAUSES = re.compile(r"(\b[2-9TJQKA][cdhs]\b|\[[^\]]*\])")
_RESULTS = {"win": "green", "lose": "red", "push": "yellow", "void": "yellow"}


def story(played: CompletedRound, settlement: Settlement, rules: Rules) -> RenderableType:
    """Return the table, then every seat in order of settlement, then the meters."""
    parts: list[RenderableType] = [_table(played, settlement, rules)]
    seats = sorted(
        zip(played.seats, settlement.seats, strict=True), key=lambda pair: -pair[0].number
    )
    parts += [_seat(seat, outcome, settlement, rules) for seat, outcome in seats]
    if settlement.meters:
        meters = ", ".join(f"{name} {dollars(cents)}" for name, cents in settlement.meters.items())
        parts.append(Text(f"Meters after the round: {meters}", style="dim"))
    title = Text(f"{rules.book.title} ({rules.book.jurisdiction}, {rules.book.id})")
    return Panel(Group(*parts), title=title, title_align="left", expand=False, padding=(1, 2))


def cards_drawn(cards: tuple[Card, ...]) -> Text:
    """Draw cards as small white faces; a terminal without color still shows rank and suit."""
    drawn = Text()
    for card in cards:
        rank, suit = str(card)[0].replace("T", "10"), str(card)[1]
        drawn.append(f" {rank}{_GLYPHS[suit]} ", style=_FACES[suit])
        drawn.append(" ")
    return drawn


def with_cards(sentence: str) -> Text:
    """Return a sentence with its cards (`As`, `Td`) drawn and its clause dimmed."""
    drawn = Text()
    for part in _CARDS_AND_CLAUSES.split(sentence):
        if _CARD.fullmatch(part):
            rank, suit = part[0].replace("T", "10"), part[1]
            drawn.append(f" {rank}{_GLYPHS[suit]} ", style=_FACES[suit])
        else:
            drawn.append(part, style="dim" if part.startswith("[") else "")
    return drawn


def _table(played: CompletedRound, settlement: Settlement, rules: Rules) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    if played.community:
        grid.add_row("Community", cards_drawn(played.community), "")
    if played.box:
        grid.add_row("Bonus box", cards_drawn(played.box), "")
    dealer = settlement.dealer
    if dealer is not None:
        words = dealer.words
        if rules.book.dealer is not None and not dealer.qualifies:
            words += ", does not qualify"
        grid.add_row("Dealer", cards_drawn(played.dealer), words)
    return Padding(grid, (0, 0, 1, 0))


def _seat(
    seat: PlayedSeat, outcome: SeatOutcome, settlement: Settlement, rules: Rules
) -> RenderableType:
    said = ", ".join(seat.actions)
    head = Text.assemble(
        (f"Seat {seat.number}", "bold"),
        "" if seat.player == f"seat {seat.number}" else f" ({plain(seat.player)})",
        "  ",
        cards_drawn(seat.cards),
        f" {outcome.words}",
        (f"  [{said}]" if said else "", "dim"),
        "  ",
        _net(outcome.net),
    )
    hands = holdings_of(outcome, settlement)
    lines = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    for line in outcome.lines:
        lines.add_row(
            "  " + line_title(line.wager, rules.book),
            Text(dollars(line.stake), justify="right"),
            Text(line.result, style=_RESULTS[line.result]),
            _net(line.net),
            Text(explanation(line, rules, hands)),
            Text(line.clause, style="dim"),
        )
    return Padding(Group(head, lines), (0, 0, 1, 0))


def _net(cents: int) -> Text:
    style = "bold green" if cents > 0 else "bold red" if cents < 0 else "bold"
    return Text(("+" if cents > 0 else "") + dollars(cents), style=style, justify="right")
