"""What 0.1 wrote into a journal, read as plain data: one event an entry, and no command.

From the first event of a command follows the command, as 0.1's own `verify` found it; the last
functions here give events and refused attempts the form they have today.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast, get_args

import msgspec

from croupier import progressives
from croupier.cards import Card
from croupier.care import commands as of_care
from croupier.errors import BadData, plain
from croupier.ledger.entries import Entry, Transfer
from croupier.rounds import commands as of_rounds
from croupier.rounds.declaration import Actor, Role
from croupier.rounds.records import to_json
from croupier.rounds.state import Round
from croupier.tables import commands as of_tables
from croupier.tables.commands import COMMANDS, TableCommand

__all__ = [
    "OldEvent",
    "as_today",
    "attempt_today",
    "commands_behind",
    "difference",
    "link_command_behind",
    "link_table",
    "old_event",
]

Data: TypeAlias = dict[str, Any]

_decode: Final = msgspec.json.Decoder().decode
_encode: Final = msgspec.json.Encoder().encode


class OldEvent(NamedTuple):
    """An entry of a table's stream."""

    version: int
    at: str
    actor: Actor
    event: Data
    transfers: tuple[Transfer, ...]

    @property
    def kind(self) -> str:
        return str(self.event["type"])


def old_event(entry: Entry) -> OldEvent:
    found = _decode(entry.body)
    return OldEvent(entry.version, entry.at, _actor(found["by"]), found["event"], entry.transfers)


def _actor(by: str) -> Actor:
    """`dealer Dan` as 0.1 wrote it."""
    role, _, name = by.partition(" ")
    if role not in get_args(Role):
        raise BadData(f"{plain(by)} is not a person at a table")
    return Actor(cast("Role", role), name)


# -- from events to commands ----------------------------------------------------------------------


def commands_behind(run: Sequence[OldEvent], state: Round | None) -> list[TableCommand]:
    """The commands that may have led to the first of these events, the most likely one first.
    `run` has one time and one person; `state` is the round before it."""
    event, kinds = run[0].event, [one.kind for one in run]
    found = _COMMANDS.get(run[0].kind)
    if found is None:
        raise BadData(f"{run[0].kind} only happens as a consequence of what stands before it")
    plain_command = found(event, state)
    if kinds[0] == "seat_settled" and kinds.count("seat_settled") > 1:
        return [of_rounds.Settle(every=True), plain_command]
    if kinds[:2] == ["round_voided", "table_closed"]:
        return [of_tables.CloseTable(event["reason"]), plain_command]
    return [plain_command]


def _cards(found: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(Card.parse, found))


def _player(state: Round | None, seat: int) -> str:
    held = state.seat(seat) if state is not None else None
    return held.player if held is not None else ""


def _live(state: Round | None, cards: Sequence[str]) -> tuple[Card, ...]:
    """Cards are named in a command only where a live dealer names them."""
    return _cards(cards) if state is not None and state.source == "live" else ()


def _dealer_shown(e: Data, state: Round | None) -> TableCommand:
    is_known = state is not None and bool(state.dealer)
    return of_rounds.ShowDealer(() if is_known else _live(state, e["cards"]))


def _left(e: Data, state: Round | None) -> TableCommand:
    if e["abandoned"]:
        return of_rounds.RuleAbandoned(e["seat"])
    return of_rounds.LeaveRound(e["seat"], _player(state, e["seat"]))


def _opened(e: Data, _: Round | None) -> TableCommand:
    return of_tables.OpenTable(
        e["table"],
        e["rulebook"],
        e["submission"],
        e["rulebook_text"],
        e["source"],
        e["inventory"],
        e["link"],
        e["care"],
    )


def _corrected(e: Data, _: Round | None) -> TableCommand:
    return of_tables.Correct(
        e["round"], e["seat"], e["player"], e["wager"], e["cents"], e["reason"]
    )


def _chips(found: Data) -> dict[Any, int]:
    return {int(worth): count for worth, count in found.items()}


def _coloured_up(e: Data, _: Round | None) -> TableCommand:
    return of_tables.ColourUp(e["player"], _chips(e["gives"]), _chips(e["gets"]))


def _betting_opened(e: Data, _: Round | None) -> TableCommand:
    return of_rounds.OpenBetting(
        e["number"], e["source"], e["commitment"], e["salt"], _cards(e["deck"])
    )


_COMMANDS: Final[dict[str, Callable[[Data, Round | None], TableCommand]]] = {
    "betting_opened": _betting_opened,
    "wagers_placed": lambda e, _: of_rounds.PlaceWagers(e["seat"], e["player"], e["wagers"]),
    "wagers_taken_back": lambda e, s: of_rounds.TakeBack(
        e["seat"], _player(s, e["seat"]), tuple(e["wagers"])
    ),
    "wager_returned": lambda _, __: of_rounds.CloseBets(),
    "bets_closed": lambda _, __: of_rounds.CloseBets(),
    "chips_counted": lambda e, _: of_rounds.CountChips(e["chips"]),
    "cards_dealt": lambda _, __: of_rounds.Deal(),
    "cards_entered": lambda e, _: of_rounds.EnterCards(e["place"], _cards(e["cards"]), e["seat"]),
    "acted": lambda e, s: of_rounds.Act(e["seat"], _player(s, e["seat"]), e["action"]),
    "revealed": lambda e, s: of_rounds.RevealCards(_live(s, e["community"])),
    "dealer_shown": _dealer_shown,
    "seat_settled": lambda _, __: of_rounds.Settle(),
    "progressive_paid": lambda e, _: of_rounds.ValidateProgressive(e["seat"]),
    "progressive_refused": lambda e, _: of_rounds.RefuseProgressive(e["seat"], e["reason"]),
    "cards_collected": lambda _, __: of_rounds.Collect(),
    "player_left": _left,
    "irregularity_noted": lambda e, _: of_rounds.Report(
        e["kind"], _cards(e["cards"]), e["seat"], e["note"]
    ),
    "round_voided": lambda e, _: of_rounds.VoidRound(e["reason"], e["clause"]),
    "table_opened": _opened,
    "table_closed": lambda _, __: of_tables.CloseTable(),
    "seat_taken": lambda e, _: of_tables.TakeSeat(e["player"], e["seat"]),
    "seat_given_up": lambda e, _: of_tables.GiveUpSeat(e["player"], e["seat"]),
    "bought_in": lambda e, _: of_tables.BuyIn(e["player"], e["cents"]),
    "cashed_out": lambda e, _: of_tables.CashOut(e["player"], e["cents"]),
    "coloured_up": _coloured_up,
    "tipped": lambda e, _: of_tables.Tip(e["player"], e["cents"]),
    "filled": lambda e, _: of_tables.Fill(e["cents"], e["slip"]),
    "credited": lambda e, _: of_tables.Credit(e["cents"], e["slip"]),
    "corrected": _corrected,
    "drop_emptied": lambda e, _: of_tables.EmptyDrop(e["slip"]),
    "deck_received": lambda e, _: of_care.ReceiveDeck(e["back"], e["cover_cards"], e["prepared"]),
    "deck_handled": lambda e, _: of_care.HandleDeck(e["step"], e["back"], e["player"]),
    "deck_loaded": lambda e, _: of_care.LoadDeck(e["back"]),
    "deck_shuffled": lambda e, _: of_care.ShuffleDeck(e["how"], e["back"], e["count"]),
    "deck_cut": lambda e, _: of_care.CutDeck(e["depth"], e["back"]),
    "shuffle_ordered": lambda e, _: of_care.OrderShuffle(e["reason"], e["back"]),
    "recut_ordered": lambda e, _: of_care.OrderRecut(e["reason"], e["back"]),
    "deck_removed": lambda e, _: of_care.RemoveDeck(e["back"], e["reason"]),
    "cards_laid_out": lambda e, _: of_care.LayOut(e["face_up"], e["player"]),
    "stub_counted": lambda e, _: of_care.CountStub(e["count"], e["misdealt"]),
    "malfunction_reported": lambda e, _: of_care.ReportMalfunction(e["device"]),
    "device_marked": lambda e, _: of_care.MarkOutOfOrder(e["device"], e["how"]),
    "device_repaired": lambda e, _: of_care.RepairDevice(e["device"]),
    "dealing_changed": lambda e, _: of_care.ChangeDealing(e["method"]),
}


def link_table(event: Data) -> str:
    """The table whose command led to an event of a link; none where the link was told itself."""
    table = event.get("table", "")
    return str(table["table"] if event["type"] == "table_joined" else table)


def link_command_behind(e: Data) -> progressives.Command | None:
    """The command that was given to the link itself; none where a table's command led to it."""
    match e["type"]:
        case "terms_changed":
            return progressives.ChangeTerms(
                meter=e["meter"],
                reason=e["reason"],
                by=e["by"],
                rate_millionths=e["terms"]["rate_millionths"],
                reset_cents=e["terms"]["reset_cents"],
            )
        case "link_closed":
            goes = {
                meter: msgspec.convert(moved["to"], _Goal) for meter, moved in e["goes"].items()
            }
            return progressives.CloseLink(goes=goes, reason=e["reason"], by=e["by"])
        case "money_received":
            told = {name: part for name, part in e.items() if name != "type"}
            return progressives.ReceiveMoney(**told)
    return None


_Goal: TypeAlias = progressives.MoveTo | progressives.Stated


# -- the same in today's form ---------------------------------------------------------------------

_RENAMED: Final = {
    "betting_opened": "open_betting",
    "cards_entered": "enter_cards",
    "seat_taken": "take_seat",
    "seat_given_up": "give_up_seat",
    "bought_in": "buy_in",
    "coloured_up": "colour_up",
    "tipped": "tip",
    "filled": "fill",
    "credited": "credit",
}
_AMOUNTS: Final = frozenset({"buy_in", "tip", "fill", "credit", "cash_out", "correct"})
"""Commands whose `cents` are called `amount` today."""


def as_today(event: Data) -> Data:
    kind = _RENAMED.get(event["type"], event["type"])
    if kind in _AMOUNTS:
        event = {("amount" if name == "cents" else name): part for name, part in event.items()}
    if kind == "progressive_won":  # the line of the paytable stands with the reason today
        claim = dict(event["claim"])
        claim["reason"] = {"line": claim.pop("hand")}
        event = {**event, "claim": claim}
    return {**event, "type": kind}


_APART: Final = frozenset({"pays", "opened"})
"""Not compared: words for people; and entries are counted otherwise today."""


def difference(old: Any, new: Any, where: str = "") -> str:
    """Where today's rules give something else than was written; what 0.1 did not write may be
    added. Empty if nowhere."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old.keys() - _APART:
            inside = f"{where}.{name}" if where else name
            if name not in new and not old[name]:
                continue
            found = difference(old[name], new.get(name), inside)
            if found:
                return found
        return ""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = enumerate(zip(old, new, strict=True), 1)
        found_in = (difference(*pair, f"{where} {place}") for place, pair in parts)
        return next(filter(None, found_in), "")
    if old == new:
        return ""
    was, now = (plain(_encode(value).decode(), 200) for value in (old, new))
    return f"{where or 'the event'} is written as {was}, but today's rules give {now}"


def attempt_today(body: bytes) -> bytes:
    """A refused attempt: the actor in two parts, the command as it is written today."""
    found = _decode(body)
    command = _command_today(found["command"])
    return to_json({**found, "command": msgspec.Raw(command), "by": _actor(found["by"])})


def _command_today(told: Data) -> bytes:
    tag = told["type"]
    kind = COMMANDS.get(tag)
    fields = {name: part for name, part in as_today(told).items() if name != "type"}
    if kind is not None:
        fields = {name: part for name, part in fields.items() if name in kind.__struct_fields__}
        for name in ("gives", "gets"):
            if name in fields:
                fields[name] = _chips(fields[name])
        try:
            return to_json(kind(**fields).outside())
        except (TypeError, ValueError):
            pass  # never a lawful command: kept as it was tried
    return _encode(told)
