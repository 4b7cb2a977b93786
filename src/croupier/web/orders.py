"""A form from the wire as the command it means, given by a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from croupier.cards import Card
from croupier.errors import Refusal
from croupier.money import parse_cents
from croupier.randomness.shuffling import seal, shuffle
from croupier.rounds import commands as of_rounds
from croupier.tables import commands as of_tables
from croupier.tables.commands import Actor, TableCommand
from croupier.tables.state import Table
from croupier.web import forms
from croupier.web.seeing import Onlooker

__all__ = ["actor_of", "order_of"]


def actor_of(who: Onlooker) -> Actor:
    """An auditor reads; people without a role have to come in first."""
    if who.role is None:
        raise Refusal("sign in or come in as a guest first", code="signed_out")
    if who.role == "auditor":
        raise Refusal("an auditor looks at everything and does nothing", code="wrong_role")
    return Actor(who.role, who.name)


def order_of(form: forms.CommandForm, who: Onlooker, table: Table) -> TableCommand:
    return _ORDERS[type(form)](form, who.name, table)


def _cards(names: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple([Card.parse(name) for name in names])


def _open_betting(_: forms.OpenBettingForm, __: str, table: Table) -> TableCommand:
    number = table.round.number + 1
    if table.source == "live":
        return of_rounds.OpenBetting(number, "live")
    sealed = seal(shuffle())
    return of_rounds.OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)


_ORDERS: Final[dict[type, Callable[[Any, str, Table], TableCommand]]] = {
    forms.TakeSeatForm: lambda f, me, _: of_tables.TakeSeat(f.player or me, f.seat),
    forms.GiveUpSeatForm: lambda f, me, _: of_tables.GiveUpSeat(f.player or me, f.seat),
    forms.BuyInForm: lambda f, me, _: of_tables.BuyIn(f.player or me, parse_cents(f.amount)),
    forms.CashOutForm: lambda f, me, _: of_tables.CashOut(
        f.player or me, None if f.amount is None else parse_cents(f.amount)
    ),
    forms.PlaceWagersForm: lambda f, me, _: of_rounds.PlaceWagers(
        f.seat, f.player or me, {name: parse_cents(text) for name, text in f.wagers.items()}
    ),
    forms.TakeBackForm: lambda f, me, _: of_rounds.TakeBack(f.seat, f.player or me, f.wagers),
    forms.ActForm: lambda f, me, _: of_rounds.Act(f.seat, f.player or me, f.action),
    forms.LeaveRoundForm: lambda f, me, _: of_rounds.LeaveRound(f.seat, f.player or me),
    forms.TipForm: lambda f, me, _: of_tables.Tip(f.player or me, parse_cents(f.amount)),
    forms.OpenBettingForm: _open_betting,
    forms.CloseBetsForm: lambda _, __, ___: of_rounds.CloseBets(),
    forms.CountChipsForm: lambda f, _, __: of_rounds.CountChips(f.chips),
    forms.DealForm: lambda _, __, ___: of_rounds.Deal(),
    forms.EnterCardsForm: lambda f, _, __: of_rounds.EnterCards(f.place, _cards(f.cards), f.seat),
    forms.RevealForm: lambda f, _, __: of_rounds.RevealCards(_cards(f.cards)),
    forms.ShowDealerForm: lambda f, _, __: of_rounds.ShowDealer(_cards(f.cards)),
    forms.SettleForm: lambda f, _, __: of_rounds.Settle(f.every),
    forms.CollectForm: lambda _, __, ___: of_rounds.Collect(),
    forms.ValidateProgressiveForm: lambda f, me, _: of_rounds.ValidateProgressive(f.seat, me),
    forms.RefuseProgressiveForm: lambda f, me, _: of_rounds.RefuseProgressive(f.seat, me, f.reason),
    forms.RuleAbandonedForm: lambda f, _, __: of_rounds.RuleAbandoned(f.seat),
    forms.VoidRoundForm: lambda f, me, _: of_rounds.VoidRound(f.reason, me, f.clause),
    forms.FillForm: lambda f, _, __: of_tables.Fill(parse_cents(f.amount), f.slip),
    forms.CreditForm: lambda f, _, __: of_tables.Credit(parse_cents(f.amount), f.slip),
    forms.EmptyDropForm: lambda f, _, __: of_tables.EmptyDrop(f.slip),
    forms.CloseTableForm: lambda _, __, ___: of_tables.CloseTable(),
}
