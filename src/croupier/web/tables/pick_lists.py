"""Pick lists for the forms of staff: people, seats, wagers, decks, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from croupier.deck_care.devices import usable_ways
from croupier.rounds.declaration import SOFTWARE
from croupier.rounds.explaining import line_title
from croupier.rounds.irregularities import irregularities_now
from croupier.rulebooks.rules import Rules
from croupier.tables.house_sentences import proposal_lines
from croupier.tables.state import Table
from croupier.tables.work import BACKS, action_title, work
from croupier.web.tables.deck_board import devices_here

_REASONS: Final = {
    "call_floor": (
        "Dispute",
        "Fill needed",
        "Irregularity",
        "Large payout",
        "Device out of order",
        "A player needs help",
    ),
    "close_table": ("End of the shift", "No players"),
    "correct": ("Wrong payout", "Hand misread", "Wager misplaced"),
    "decide_chip_count": ("Chip without a light", "Light without a chip"),
    "order_recut": ("Too few cards cut", "Cut out of order"),
    "order_shuffle": ("Cards exposed", "Incomplete shuffle", "Request of a player"),
    "remove_deck": ("Worn cards", "Marked card", "Card missing", "End of use"),
    "void_round": ("Cards exposed", "Wrong number of cards", "Device failed", "Dealing error"),
}


class PickForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value and its label. `role`: only for people with this role. `player` is the player at the
    seat."""

    value: str | int
    words: str
    role: str = ""
    player: str = ""


class PickListsForm(msgspec.Struct, frozen=True):
    """The lists by name; the fields of the commands refer to these names."""

    lists: dict[str, tuple[PickForm, ...]]


def pick_lists(
    table: Table, rules: Rules, staff: Mapping[str, Iterable[str]], at: int
) -> PickListsForm:
    """Return the pick lists of a table. `staff` are the people who can be assigned, by role; `at`
    is in seconds since 1970."""
    lists = {
        "calls": _calls(table),
        "clauses": _clauses(rules),
        "irregularities": (
            PickForm(item.kind, item.label) for item in irregularities_now(table.round, rules)
        ),
        "answers": _answers(table, rules, at),
        "proposals": (
            PickForm(pending.number, f"{pending.name}: {proposal_lines(pending.command, rules)}")
            for pending in table.pending
        ),
        "players": (PickForm(name, name) for name in sorted(set(_seated(table).values()))),
        "seats": (
            PickForm(seat, f"Seat {seat}: {name}", player=name)
            for seat, name in sorted(_seated(table).items())
        ),
        "free_seats": (
            PickForm(seat, f"Seat {seat}")
            for seat in range(1, rules.book.positions.most + 1)
            if seat not in table.seats
        ),
        "staff": (
            PickForm(name, "Software" if name == SOFTWARE else name, role=role)
            for role, names in staff.items()
            for name in names
        ),
        "wagers": (
            PickForm(name, line_title(name, rules.book))
            for name, wager in rules.book.wagers.items()
            if wager.role == "required" or name in rules.offered
        ),
        **_of_care(table, rules),
        **{
            f"reasons.{tag}": (PickForm(reason, reason) for reason in reasons)
            for tag, reasons in _REASONS.items()
        },
    }
    return PickListsForm({name: tuple(picks) for name, picks in lists.items()})


def _seated(table: Table) -> dict[int, str]:
    """Return the player of each seat, including those who have left while their round goes on."""
    return {seat.number: seat.player for seat in table.round.seats} | table.seats


def _calls(table: Table) -> Iterator[PickForm]:
    for call in table.calls:
        yield PickForm(call.number, f"Call {call.number}: {call.reason} ({call.name})")


def _clauses(rules: Rules) -> Iterator[PickForm]:
    irregularities = rules.book.irregularities.values()
    for clause in dict.fromkeys(irregularity.clause for irregularity in irregularities):
        yield PickForm(clause, clause)


def _answers(table: Table, rules: Rules, at: int) -> Iterator[PickForm]:
    for step in work(table, rules, at):
        if "action" in step.asks:
            yield from (PickForm(action, action_title(action)) for action in step.choices)
            return


def _of_care(table: Table, rules: Rules) -> dict[str, Iterable[PickForm]]:
    care = table.care
    if care is None:
        return {}
    backs = [deck.back for deck in care.decks]
    other_ways = usable_ways(care, rules)
    return {
        "decks": [PickForm(back, f"{back.capitalize()} deck") for back in backs],
        "new_decks": [PickForm(color, color) for color in BACKS if color not in backs],
        "devices": [PickForm(name, name.capitalize()) for name in devices_here(care, rules)],
        "ways": [
            PickForm(name, way.title.capitalize())
            for name, way in rules.book.dealing.items()
            if name in other_ways
        ],
    }
