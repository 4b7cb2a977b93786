"""From an event back to the command that must have led to it: for audits and replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast, get_args

from croupier import progressives
from croupier.care import commands as ask_care
from croupier.care import events as did_care
from croupier.errors import BadData, plain
from croupier.rounds import commands as ask
from croupier.rounds import events as did
from croupier.rounds.state import Round
from croupier.tables import commands as ask_table
from croupier.tables import events as did_table
from croupier.tables.commands import Actor, Role, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table

__all__ = ["actor_of", "command_behind", "link_command_behind", "opening_of"]


def actor_of(by: str) -> Actor:
    """`dealer Dan` as the journal writes it."""
    role, _, name = by.partition(" ")
    if role not in get_args(Role):
        raise BadData(f"{plain(by)} is not a person at a table")
    return Actor(cast("Role", role), name)


def command_behind(event: TableEvent, table: Table | None) -> Any:
    """The command of which this is the first event."""
    found = _COMMANDS.get(type(event))
    if found is None:
        tag = type(event).__struct_config__.tag
        raise BadData(f"{tag} only happens as a consequence of what stands before it")
    return found(event, table.round if table is not None else None)


def _player(state: Round | None, seat: int) -> str:
    held = state.seat(seat) if state is not None else None
    return held.player if held is not None else ""


def _live(state: Round | None, cards: Any) -> Any:
    """Cards are named in a command only where a live dealer names them."""
    return cards if state is not None and state.source == "live" else ()


def _left(event: did.PlayerLeft, state: Round | None) -> TableCommand:
    if event.abandoned:
        return ask.RuleAbandoned(event.seat)
    return ask.LeaveRound(event.seat, _player(state, event.seat))


def _dealer_shown(event: did.DealerShown, state: Round | None) -> TableCommand:
    is_known = state is not None and bool(state.dealer)
    return ask.ShowDealer(() if is_known else _live(state, event.cards))


_COMMANDS: Final[dict[type, Callable[[Any, Round | None], TableCommand]]] = {
    did.BettingOpened: lambda e, _: ask.OpenBetting(
        e.number, e.source, e.commitment, e.salt, e.deck
    ),
    did.WagersPlaced: lambda e, _: ask.PlaceWagers(e.seat, e.player, e.wagers),
    did.WagersTakenBack: lambda e, s: ask.TakeBack(e.seat, _player(s, e.seat), e.wagers),
    did.WagerReturned: lambda _, __: ask.CloseBets(),
    did.BetsClosed: lambda _, __: ask.CloseBets(),
    did.ChipsCounted: lambda e, _: ask.CountChips(e.chips),
    did.CardsDealt: lambda _, __: ask.Deal(),
    did.CardsEntered: lambda e, _: ask.EnterCards(e.place, e.cards, e.seat),
    did.Acted: lambda e, s: ask.Act(e.seat, _player(s, e.seat), e.action),
    did.Revealed: lambda e, s: ask.RevealCards(_live(s, e.community)),
    did.DealerShown: _dealer_shown,
    did.SeatSettled: lambda _, __: ask.Settle(),
    did.ProgressivePaid: lambda e, _: ask.ValidateProgressive(e.seat, e.validated_by),
    did.ProgressiveRefused: lambda e, _: ask.RefuseProgressive(e.seat, e.refused_by, e.reason),
    did.CardsCollected: lambda _, __: ask.Collect(),
    did.PlayerLeft: _left,
    did.IrregularityNoted: lambda e, _: ask.Report(e.kind, e.by, e.cards, e.seat, e.note),
    did.RoundVoided: lambda e, _: ask.VoidRound(e.reason, e.by, e.clause),
    did_table.TableOpened: lambda e, _: ask_table.OpenTable(
        e.table, e.rulebook, e.submission, e.rulebook_text, e.source, e.inventory, e.link, e.care
    ),
    did_table.TableClosed: lambda _, __: ask_table.CloseTable(),
    did_table.SeatTaken: lambda e, _: ask_table.TakeSeat(e.player, e.seat),
    did_table.SeatGivenUp: lambda e, _: ask_table.GiveUpSeat(e.player, e.seat),
    did_table.BoughtIn: lambda e, _: ask_table.BuyIn(e.player, e.cents),
    did_table.CashedOut: lambda e, _: ask_table.CashOut(e.player, e.cents),
    did_table.ColouredUp: lambda e, _: ask_table.ColourUp(e.player, e.gives, e.gets),
    did_table.Tipped: lambda e, _: ask_table.Tip(e.player, e.cents),
    did_table.Filled: lambda e, _: ask_table.Fill(e.cents, e.slip),
    did_table.Credited: lambda e, _: ask_table.Credit(e.cents, e.slip),
    did_table.Corrected: lambda e, _: ask_table.Correct(
        e.round, e.seat, e.player, e.wager, e.cents, e.reason, e.by
    ),
    did_table.DropEmptied: lambda e, _: ask_table.EmptyDrop(e.slip),
    did_care.DeckReceived: lambda e, _: ask_care.ReceiveDeck(e.back, e.cover_cards, e.prepared),
    did_care.DeckHandled: lambda e, _: ask_care.HandleDeck(e.step, e.back, e.player),
    did_care.DeckLoaded: lambda e, _: ask_care.LoadDeck(e.back),
    did_care.DeckShuffled: lambda e, _: ask_care.ShuffleDeck(e.how, e.back, e.count),
    did_care.DeckCut: lambda e, _: ask_care.CutDeck(e.depth, e.back),
    did_care.ShuffleOrdered: lambda e, _: ask_care.OrderShuffle(e.reason, e.back),
    did_care.RecutOrdered: lambda e, _: ask_care.OrderRecut(e.reason, e.back),
    did_care.DeckRemoved: lambda e, _: ask_care.RemoveDeck(e.back, e.reason),
    did_care.CardsLaidOut: lambda e, _: ask_care.LayOut(e.face_up, e.player),
    did_care.StubCounted: lambda e, _: ask_care.CountStub(e.count, e.misdealt),
    did_care.MalfunctionReported: lambda e, _: ask_care.ReportMalfunction(e.device),
    did_care.DeviceMarked: lambda e, _: ask_care.MarkOutOfOrder(e.device, e.how),
    did_care.DeviceRepaired: lambda e, _: ask_care.RepairDevice(e.device),
    did_care.DealingChanged: lambda e, _: ask_care.ChangeDealing(e.method),
}


def link_command_behind(event: progressives.Event) -> progressives.Command:
    """The command of which this is the first event."""
    match event:
        case progressives.Contributed():
            return progressives.Contribute(
                table=event.table, round=event.round, stakes=event.stakes
            )
        case progressives.Awarded():
            return progressives.Award(
                table=event.table,
                round=event.round,
                seat=event.seat,
                hand=event.hand,
                validated_by=event.validated_by,
            )
        case progressives.RoundReversed():
            return progressives.ReverseRound(
                table=event.table,
                round=event.round,
                reason=event.reason,
                seats=event.seats,
                by=event.by,
            )
        case progressives.RoundFinished():
            return progressives.FinishRound(table=event.table, round=event.round)
        case progressives.TableLeft():
            return progressives.LeaveTable(table=event.table, by=event.by)
        case progressives.TableJoined():
            return progressives.JoinTable(table=event.table, by=event.by, approval=event.approval)
        case progressives.TermsChanged():
            return progressives.ChangeTerms(
                meter=event.meter,
                reason=event.reason,
                by=event.by,
                rate_millionths=event.terms.rate_millionths,
                reset_cents=event.terms.reset_cents,
            )
        case progressives.LinkClosed():
            goes = {meter: moved.to for meter, moved in event.goes.items()}
            return progressives.CloseLink(goes=goes, reason=event.reason, by=event.by)
        case progressives.MoneyReceived():
            return progressives.ReceiveMoney(
                meter=event.meter,
                microcents=event.microcents,
                from_link=event.from_link,
                from_meter=event.from_meter,
                by=event.by,
            )
        case progressives.LinkOpened():
            raise BadData("a link is opened together with its first table")


def opening_of(
    opened: progressives.LinkOpened, joined: progressives.TableJoined
) -> progressives.OpenLink:
    """A link opens with its first table: two events, one command."""
    return progressives.OpenLink(
        link=opened.link,
        table=joined.table,
        meters=opened.meters,
        by=opened.by,
        validate_all=opened.validate_all,
    )
