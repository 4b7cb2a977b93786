"""`croupier table list` and `show`: how tables stand. Of a round only what `view` lets through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rich.table import Table as Grid
from rich.text import Text

from croupier.cards import Card
from croupier.commands.journal import opened
from croupier.commands.output import console, print_json
from croupier.commands.table import actor_of
from croupier.money import dollars, format_cents
from croupier.progressives import Link
from croupier.reports.story import with_cards
from croupier.rounds.actions import dealer_actions, floor_actions, legal_actions
from croupier.rounds.declaration import Actor, tag_of
from croupier.rounds.views import RoundView, SeatView, Viewer, view
from croupier.rulebooks.duties import Duty
from croupier.rulebooks.rules import Rules
from croupier.runtime.house import House
from croupier.runtime.journal_session import JournalSession
from croupier.tables.commands import COMMANDS
from croupier.tables.sentences import describe_money
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import shown_now
from croupier.tables.work import work

__all__ = ["list_tables", "show_table"]

_FACE_DOWN: Final = "??"
_PHASES: Final = {
    "betting": "the bets are open",
    "closed": "no more bets",
    "deciding": "players decide",
    "revealing": "cards are to be turned up",
    "showdown": "the dealer's hand is to be shown",
    "settling": "the wagers are settled",
    "collecting": "the cards are to be collected",
    "over": "over",
}


def list_tables(journal: str | None, *, as_json: bool) -> int:
    with opened(journal) as store:
        house = House(store)
        tables = [house.table(name) for name in house.tables()]
    if as_json:
        print_json({"tables": [_row(table) for table in tables]})
        return 0
    if not tables:
        console().print("No table is in this journal: `croupier table open` opens one.")
        return 0
    grid = Grid("table", "game", "", "cards", "round", "players", "inventory", box=None)
    for table in tables:
        grid.add_row(
            Text(table.id),
            rules_of(table).book.title,
            "open" if table.is_open else "closed",
            table.source,
            f"{table.round.number}, {_PHASES[table.round.phase]}" if table.round.number else "none",
            Text(", ".join(dict.fromkeys(table.seats.values()))),
            dollars(table.money.get("inventory", 0)),
        )
    console().print(grid)
    return 0


def _row(table: Table) -> dict[str, Any]:
    return {
        "table": table.id,
        "rulebook": table.rulebook,
        "open": table.is_open,
        "source": table.source,
        "round": {"number": table.round.number, "phase": table.round.phase},
        "seats": {str(seat): player for seat, player in table.seats.items()},
        "inventory": format_cents(table.money.get("inventory", 0)),
    }


def show_table(name: str, acting: str | None, journal: str | None, *, as_json: bool) -> int:
    actor = actor_of(acting) if acting is not None else None
    with opened(journal) as store:
        session = JournalSession(store, name)
        table, link, steps = session.table, session.link, session.next_steps()
        now = session.now()
    rules = rules_of(table)
    seen = view(table.round, _viewer(actor), rules)
    house = [step for step in work(table, rules, now) if step.step in ("float", "answer_call")]
    next_now = [f"{step.words} ({tag_of(step.command)}: {' or '.join(step.by)})" for step in house]
    next_now += [f"{step.words} ({' or '.join(step.by)}) [{step.clause}]" for step in steps]
    waits = "round" if table.round.phase in ("over", "betting", "closed") else "settlement"
    blocked = {step.blocks for step in house} | {step.blocks for step in steps}
    if table.is_open and waits not in blocked:
        next_now += _next_in_round(table, rules)
    duties = shown_now(table, rules, actor.role if actor is not None else "dealer", now)
    if as_json:
        print_json(_object(table, link, seen, next_now) | {"duties": _duty_rows(duties)})
    else:
        _print(table, link, seen, rules, next_now)
        for duty in duties:
            console().print(Text(f"  {duty.words} [{duty.clause}]", "dim"), soft_wrap=True)
    return 0


def _viewer(actor: Actor | None) -> Viewer:
    """What staff see, unless a player looks: the same for dealer, floorperson and operator."""
    if actor is not None and actor.role == "player":
        return Viewer("player", actor.name)
    return Viewer("floorperson")


def _next_in_round(table: Table, rules: Rules) -> list[str]:
    """Who may do what now, with the commands for it."""
    state = table.round
    if state.phase == "over" and not table.seats:
        return [_offer("take_seat")]
    found = [_offer(tag) for tag in dealer_actions(state, rules)]
    found += [_offer(tag) for tag in floor_actions(state, rules)]
    asked = state.seat(state.turn)
    if asked is not None:
        choices = legal_actions(state, rules, asked.number, asked.player)
        said = ", ".join(choice.action for choice in choices if choice.do == "say")
        found.insert(0, f"{asked.player} (seat {asked.number}) says one of: {said}")
    return found


def _offer(tag: str) -> str:
    declared = COMMANDS[tag].declared
    return f"{declared.label}: {tag} ({declared.by[0]})"


# -- for programs ---------------------------------------------------------------------------------


def _object(
    table: Table, link: Link | None, seen: RoundView, next_now: list[str]
) -> dict[str, Any]:
    racks = {name[5:]: cents for name, cents in table.money.items() if name.startswith("rack:")}
    return {
        **_row(table),
        "version": table.version,
        "link": table.link,
        "drop": format_cents(table.money.get("drop", 0)),
        "tips": format_cents(table.money.get("tips", 0)),
        "racks": _amounts(racks),
        "meters": _amounts(link.shown()) if link is not None else {},
        "next": next_now,
        "staff": table.staff,
        "calls": [
            {"number": one.number, "by": one.name, "reason": one.reason} for one in table.calls
        ],
        "round": {
            "number": seen.number,
            "phase": seen.phase,
            "void": seen.void,
            "turn": seen.turn,
            "commitment": seen.commitment,
            "community": _cards(seen.community),
            "dealer": _cards(seen.dealer),
            "dealer_hand": seen.dealer_hand,
            "qualifies": seen.qualifies,
            "bonus_cards": _cards(seen.box),
            "waits_for_floor": seen.claim.seat if seen.claim is not None else None,
            "seats": [_seat_object(seat) for seat in seen.seats],
            "odds": [
                {
                    "wager": one.wager,
                    "hands": one.hands,
                    "clause": one.clause,
                    "pays": dict(one.lines),
                }
                for one in seen.odds
            ],
        },
    }


def _duty_rows(duties: Iterable[Duty]) -> list[dict[str, str]]:
    return [{"clause": d.clause, "role": d.role, "words": d.words} for d in duties]


def _seat_object(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.number,
        "player": seat.player,
        "wagers": _amounts(seat.wagers),
        "actions": seat.actions,
        "cards": _cards(seat.cards),
        "hand": seat.hand,
        "folded": seat.folded,
        "left": seat.left,
        "void": seat.void,
        "lines": [
            {
                "wager": line.wager,
                "stake": format_cents(line.stake),
                "result": line.result,
                "net": format_cents(line.net),
                "clause": line.clause,
            }
            for line in seat.lines
        ],
    }


def _amounts(cents: dict[str, int]) -> dict[str, str]:
    return {name: format_cents(amount) for name, amount in cents.items()}


def _cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


# -- for people -----------------------------------------------------------------------------------


def _print(
    table: Table, link: Link | None, seen: RoundView, rules: Rules, next_now: list[str]
) -> None:
    out, book = console(), rules.book
    state = "open" if table.is_open else "closed"
    out.print(
        Text.assemble((table.id, "bold"), f", {state}: {book.title} ({book.jurisdiction}, ")
        + Text(f"{book.id}), {table.source} cards")
    )
    out.print(Text(describe_money(table, link)), soft_wrap=True)
    seated = ", ".join(f"seat {seat} {player}" for seat, player in sorted(table.seats.items()))
    out.print(Text(f"seated: {seated or 'nobody'}"), soft_wrap=True)
    if seen.number:
        void = ", void" if seen.void else ""
        out.print(Text(f"round {seen.number}: {_PHASES[seen.phase]}{void}", "bold"))
    for line in _round_lines(seen, rules):
        out.print(with_cards(line), soft_wrap=True)
    for line in next_now:
        out.print(Text.assemble(("next ", "bold"), with_cards(line)), soft_wrap=True)


def _round_lines(seen: RoundView, rules: Rules) -> list[str]:
    places = (("board", seen.community), ("dealer", seen.dealer), ("bonus box", seen.box))
    lines = [f"  {name}: {_drawn(cards)}" for name, cards in places if cards]
    for odds in seen.odds:
        paid = ", ".join(f"{hand} {pays}" for hand, pays in odds.lines)
        lines.append(f"  {odds.title} with {odds.hands} hands: {paid} [{odds.clause}]")
    for seat in seen.seats:
        wagers = rules.book.wagers
        stakes = ", ".join(f"{wagers[w].title} {dollars(c)}" for w, c in seat.wagers.items())
        parts = [f"  seat {seat.number} {seat.player}: {stakes or 'no wager'}"]
        if seat.cards:
            parts.append(_drawn(seat.cards))
        parts += [word for word in ("folded", "left", "void") if getattr(seat, word)]
        if seat.hand:
            parts.append(seat.hand.replace("_", " "))
        if seat.lines:
            net = sum(line.net for line in seat.lines)
            parts.append(f"{'+' if net > 0 else ''}{dollars(net)}")
        lines.append("; ".join(parts))
    return lines


def _drawn(cards: tuple[Card | None, ...]) -> str:
    return " ".join(_FACE_DOWN if card is None else str(card) for card in cards)
