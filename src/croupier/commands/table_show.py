"""`croupier table list` and `show`: the state of tables. A round is shown only as `view`
permits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from croupier.commands.journal import opened
from croupier.commands.options import Acting, AsJson, Journal, actor_of, documented
from croupier.commands.output import console, print_json
from croupier.commands.output import table as new_table

if TYPE_CHECKING:
    from croupier.cards import Card
    from croupier.progressives import Link
    from croupier.rounds.declaration import Actor
    from croupier.rounds.views import RoundView, SeatView, Viewer
    from croupier.rulebooks.duties import Duty
    from croupier.rulebooks.rules import Rules
    from croupier.tables.state import Table

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


@documented
def list_tables(*, journal: Journal = None, json: AsJson = False) -> int:
    """The tables of a journal, and how they stand."""
    from rich.text import Text

    from croupier.money import dollars
    from croupier.runtime.house import House
    from croupier.tables.state import rules_of

    with opened(journal) as store:
        house = House(store)
        tables = [house.table(name) for name in house.tables()]
    if json:
        print_json({"tables": [_row(table) for table in tables]})
        return 0
    if not tables:
        console().print("No table is in this journal: `croupier table open` opens one.")
        return 0
    headings = ("table", "game", "", "cards", "round", "players", "inventory")
    drawn = new_table(*headings, padding=(0, 1))
    for table in tables:
        drawn.add_row(
            Text(table.id),
            rules_of(table).book.title,
            "open" if table.is_open else "closed",
            table.source,
            f"{table.round.number}, {_PHASES[table.round.phase]}" if table.round.number else "none",
            Text(", ".join(dict.fromkeys(table.seats.values()))),
            dollars(table.money.get("inventory", 0)),
        )
    console().print(drawn)
    return 0


def _row(table: Table) -> dict[str, Any]:
    from croupier.money import format_cents

    return {
        "table": table.id,
        "rulebook": table.rulebook,
        "open": table.is_open,
        "source": table.source,
        "round": {"number": table.round.number, "phase": table.round.phase},
        "seats": {str(seat): player for seat, player in table.seats.items()},
        "inventory": format_cents(table.money.get("inventory", 0)),
    }


@documented
def show(
    table: str, /, *, acting: Acting = None, journal: Journal = None, json: AsJson = False
) -> int:
    """How a table stands: people, money, the round in play, and what is to be done next. Cards that
    lie face down are not shown. With `--as player:Ann` it is what Ann sees.

    Parameters
    ----------
    table
        The table's name.
    """
    from croupier.rounds.declaration import tag_of
    from croupier.rounds.views import view
    from croupier.runtime.journal_session import JournalSession
    from croupier.tables.state import rules_of
    from croupier.tables.step_duties import shown_now
    from croupier.tables.work import work

    actor = actor_of(acting) if acting is not None else None
    with opened(journal) as store:
        session = JournalSession(store, table)
        state, link, steps = session.table, session.link, session.next_steps()
        now = session.now()
    rules = rules_of(state)
    seen = view(state.round, _viewer(actor), rules)
    house = [step for step in work(state, rules, now) if step.step in ("float", "answer_call")]
    next_now = [f"{step.words} ({tag_of(step.command)}: {' or '.join(step.by)})" for step in house]
    next_now += [f"{step.words} ({' or '.join(step.by)}) [{step.clause}]" for step in steps]
    waits = "round" if state.round.phase in ("over", "betting", "closed") else "settlement"
    blocked = {step.blocks for step in house} | {step.blocks for step in steps}
    if state.is_open and waits not in blocked:
        next_now += _next_in_round(state, rules)
    duties = shown_now(state, rules, actor.role if actor is not None else "dealer", now)
    if json:
        print_json(_object(state, link, seen, next_now) | {"duties": _duty_rows(duties)})
    else:
        _print(state, link, seen, rules, next_now)
        for duty in duties:
            console().print(f"  {duty.words} [{duty.clause}]", style="dim", soft_wrap=True)
    return 0


def _viewer(actor: Actor | None) -> Viewer:
    """Return the viewer: the player of `--as`, or else staff, who all see the same."""
    from croupier.rounds.views import Viewer

    if actor is not None and actor.role == "player":
        return Viewer("player", actor.name)
    return Viewer("floorperson")


def _next_in_round(table: Table, rules: Rules) -> list[str]:
    """Return who may do what now, with the commands for it."""
    from croupier.rounds.actions import dealer_actions, floor_actions, legal_actions

    state = table.round
    if state.phase == "over" and not table.seats:
        return [_offer("take_seat")]
    offers = [_offer(tag) for tag in dealer_actions(state, rules)]
    offers += [_offer(tag) for tag in floor_actions(state, rules)]
    turn = state.seat(state.turn)
    if turn is not None:
        choices = legal_actions(state, rules, turn.number, turn.player)
        answers = ", ".join(choice.action for choice in choices if choice.do == "say")
        offers.insert(0, f"{turn.player} (seat {turn.number}) says one of: {answers}")
    return offers


def _offer(tag: str) -> str:
    from croupier.tables.commands import COMMANDS

    declared = COMMANDS[tag].declared
    return f"{declared.label}: {tag} ({declared.by[0]})"


# -- for programs ---------------------------------------------------------------------------------


def _object(
    table: Table, link: Link | None, seen: RoundView, next_now: list[str]
) -> dict[str, Any]:
    from croupier.money import format_cents

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
            {"number": call.number, "by": call.name, "reason": call.reason} for call in table.calls
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
                    "wager": odds.wager,
                    "hands": odds.hands,
                    "clause": odds.clause,
                    "pays": dict(odds.lines),
                }
                for odds in seen.odds
            ],
        },
    }


def _duty_rows(duties: Iterable[Duty]) -> list[dict[str, str]]:
    return [{"clause": d.clause, "role": d.role, "words": d.words} for d in duties]


def _seat_object(seat: SeatView) -> dict[str, Any]:
    from croupier.money import format_cents

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
    from croupier.money import format_cents

    return {name: format_cents(amount) for name, amount in cents.items()}


def _cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


# -- for people -----------------------------------------------------------------------------------


def _print(
    table: Table, link: Link | None, seen: RoundView, rules: Rules, next_now: list[str]
) -> None:
    from rich.text import Text

    from croupier.reports.story import with_cards
    from croupier.tables.sentences import describe_money

    out, book = console(), rules.book
    state = "open" if table.is_open else "closed"
    out.print(
        Text.assemble((table.id, "bold"), f", {state}: {book.title} ({book.jurisdiction}, ")
        + Text(f"{book.id}), {table.source} cards")
    )
    out.print(describe_money(table, link), soft_wrap=True)
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
    from croupier.money import dollars

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
