"""Who may do what at a table, by which clause, and how a person of the wrong role is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from croupier.care import commands as of_care
from croupier.care.equipment import way_in_force
from croupier.errors import Refusal
from croupier.rounds import commands as of_rounds
from croupier.rounds.dealing import dealing_in_force
from croupier.rounds.irregularities import clause_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Care
from croupier.tables import commands as of_tables
from croupier.tables.commands import Actor, Role, TableCommand

__all__ = ["may_give", "role_clause", "wrong_role"]

_ANYONE_AT_THE_TABLE: Final = ("player", "dealer")
_DEALER: Final = ("dealer",)
_FLOOR: Final = ("floorperson", "operator")

_ROLES: Final[dict[type, tuple[Role, ...]]] = {
    of_rounds.PlaceWagers: _ANYONE_AT_THE_TABLE,
    of_rounds.TakeBack: _ANYONE_AT_THE_TABLE,
    of_rounds.Act: _ANYONE_AT_THE_TABLE,
    of_rounds.LeaveRound: ("player", "dealer", "floorperson", "operator"),
    of_tables.TakeSeat: _ANYONE_AT_THE_TABLE,
    of_tables.GiveUpSeat: ("player", "dealer", "floorperson", "operator"),
    of_tables.BuyIn: _ANYONE_AT_THE_TABLE,
    of_tables.CashOut: ("player", "dealer", "floorperson", "operator"),
    of_tables.ColourUp: _ANYONE_AT_THE_TABLE,
    of_tables.Tip: _ANYONE_AT_THE_TABLE,
    of_rounds.ValidateProgressive: _FLOOR,
    of_rounds.RefuseProgressive: _FLOOR,
    of_rounds.RuleAbandoned: _FLOOR,
    of_rounds.VoidRound: _FLOOR,
    of_rounds.Report: ("dealer", "floorperson", "operator"),
    of_tables.OpenTable: _FLOOR,
    of_tables.CloseTable: _FLOOR,
    of_tables.Fill: _FLOOR,
    of_tables.Credit: _FLOOR,
    of_tables.Correct: _FLOOR,
    of_tables.EmptyDrop: _FLOOR,
    of_care.ReceiveDeck: ("dealer", "floorperson", "operator"),
    of_care.HandleDeck: ("player", "dealer", "floorperson", "operator"),
    of_care.OrderShuffle: _FLOOR,
    of_care.OrderRecut: _FLOOR,
    of_care.RemoveDeck: ("dealer", "floorperson", "operator"),
    of_care.ReportMalfunction: ("dealer", "floorperson", "operator"),
    of_care.MarkOutOfOrder: ("dealer", "floorperson", "operator"),
    of_care.RepairDevice: _FLOOR,
    of_care.ChangeDealing: _FLOOR,
}


def may_give(actor: Actor, command: TableCommand) -> tuple[Role, ...]:
    """The roles that may give the command; empty if this actor may."""
    allowed = _ROLES.get(type(command), _DEALER)
    return () if actor.role in allowed else allowed


def wrong_role(
    role: str, command: TableCommand, wanted: tuple[str, ...], clause: str | None
) -> Refusal:
    """Who was meant. An operator may do what a floorperson may, and is named only on his own."""
    people = [name for name in wanted if name != "operator"] or list(wanted)
    takes = " or ".join(_a(name) for name in people)
    return Refusal(
        f"{_a(role)} may not {_doing(command)}: that takes {takes}",
        code="wrong_role",
        clause=clause,
    )


def _a(role: str) -> str:
    return f"an {role}" if role[:1] in "aeiou" else f"a {role}"


def _doing(command: TableCommand) -> str:
    if isinstance(command, of_care.HandleDeck):
        return _STEPS[command.step]
    return _WORDS[type(command)]


_STEPS: Final[dict[str, str]] = {
    "inspect": "inspect the cards",
    "verify": "verify the inspection of the cards",
    "spread": "spread the cards",
    "view": "look at the cards as the first player",
    "turn": "turn the cards face down",
    "wash": "wash the cards",
    "stack": "stack the cards",
}
_WORDS: Final[dict[type, str]] = {
    of_rounds.OpenBetting: "open the bets",
    of_rounds.PlaceWagers: "place wagers",
    of_rounds.TakeBack: "take wagers back",
    of_rounds.CloseBets: 'announce "no more bets"',
    of_rounds.CountChips: "count the progressive's chips",
    of_rounds.Deal: "deal the cards",
    of_rounds.EnterCards: "enter cards",
    of_rounds.Act: "answer for a player",
    of_rounds.RevealCards: "turn cards up",
    of_rounds.ShowDealer: "show the dealer's hand",
    of_rounds.Settle: "settle wagers",
    of_rounds.ValidateProgressive: "validate a progressive",
    of_rounds.RefuseProgressive: "deny a progressive",
    of_rounds.Collect: "collect the cards",
    of_rounds.LeaveRound: "leave the round",
    of_rounds.RuleAbandoned: "rule wagers lost",
    of_rounds.VoidRound: "declare the round void",
    of_rounds.Report: "report an irregularity",
    of_tables.OpenTable: "open a table",
    of_tables.CloseTable: "close the table",
    of_tables.TakeSeat: "take a seat",
    of_tables.GiveUpSeat: "give up a seat",
    of_tables.BuyIn: "buy in",
    of_tables.CashOut: "cash out",
    of_tables.ColourUp: "change chips",
    of_tables.Tip: "tip the dealer",
    of_tables.Fill: "fill the inventory",
    of_tables.Credit: "take chips out of the inventory",
    of_tables.Correct: "correct a round",
    of_tables.EmptyDrop: "empty the drop box",
    of_care.ReceiveDeck: "bring a deck to the table",
    of_care.LoadDeck: "put a deck into the shuffler",
    of_care.ShuffleDeck: "shuffle",
    of_care.CutDeck: "cut the cards",
    of_care.OrderShuffle: "order a shuffle",
    of_care.OrderRecut: "order another cut",
    of_care.RemoveDeck: "take a deck off the table",
    of_care.LayOut: "lay the cards out",
    of_care.CountStub: "count the stub",
    of_care.ReportMalfunction: "report a device broken",
    of_care.MarkOutOfOrder: "mark a device out of order",
    of_care.RepairDevice: "put a device into use again",
    of_care.ChangeDealing: "change the way of dealing",
}


# -- the clause behind it -------------------------------------------------------------------------


def role_clause(command: TableCommand, rules: Rules | None) -> str | None:
    """The clause that gives this to a dealer, a floorperson or a player, where one does."""
    if rules is None:
        return None
    kind = type(command)
    if kind in _OF_CARE:
        care = rules.book.care
        return (_OF_CARE[kind](care, command, rules) or None) if care is not None else None
    found = _CLAUSES.get(kind)
    return (found(command, rules) or None) if found is not None else None


def _validation(_: Any, rules: Rules) -> str:
    clauses = [wager.validated_clause for wager in rules.book.wagers.values()]
    return next((clause for clause in clauses if clause), "")


def _accident(command: of_rounds.Report, rules: Rules) -> str:
    accident = rules.book.irregularities.get(command.kind)
    return clause_of(accident, rules) if accident is not None else ""


def _reveal(_: Any, rules: Rules) -> str:
    return rules.book.reveals[0].clause if rules.book.reveals else ""


def _decision(_: Any, rules: Rules) -> str:
    return rules.book.decisions[0].clause if rules.book.decisions else ""


_CLAUSES: Final[dict[type, Callable[[Any, Rules], str]]] = {
    of_rounds.PlaceWagers: lambda _, rules: rules.book.procedure.seated,
    of_rounds.TakeBack: lambda _, rules: rules.book.procedure.seated,
    of_rounds.CloseBets: lambda _, rules: dealing_in_force(rules).closes_bets,
    of_rounds.CountChips: lambda _, rules: dealing_in_force(rules).counts_chips,
    of_rounds.Deal: lambda _, rules: dealing_in_force(rules).clause,
    of_rounds.Act: _decision,
    of_rounds.RevealCards: _reveal,
    of_rounds.ShowDealer: lambda _, rules: rules.book.procedure.shows_dealer,
    of_rounds.Settle: lambda _, rules: rules.book.procedure.settles,
    of_rounds.ValidateProgressive: _validation,
    of_rounds.RefuseProgressive: _validation,
    of_rounds.Collect: lambda _, rules: rules.book.procedure.collects,
    of_rounds.RuleAbandoned: lambda _, rules: rules.book.procedure.abandoned,
    of_rounds.Report: _accident,
}


def _stub(care: Care, _: Any, rules: Rules) -> str:
    stub = care.stub.get(way_in_force(rules))
    return stub.clause if stub is not None else ""


def _out_of_order(care: Care, _: Any, __: Rules) -> str:
    return care.out_of_order.clause if care.out_of_order is not None else ""


_OF_CARE: Final[dict[type, Callable[[Care, Any, Rules], str]]] = {
    of_care.ReceiveDeck: lambda care, _, __: care.receive.clause,
    of_care.HandleDeck: lambda care, command, _: care.opening[command.step].clause,
    of_care.LoadDeck: lambda care, _, __: care.load.clause,
    of_care.ShuffleDeck: lambda care, _, __: care.shuffle.clause,
    of_care.CutDeck: lambda care, _, __: care.cut.clause,
    of_care.OrderShuffle: lambda care, _, __: care.ordered_clause,
    of_care.OrderRecut: lambda care, _, __: care.recut_clause,
    of_care.RemoveDeck: lambda care, _, __: care.remove.clause,
    of_care.LayOut: lambda care, _, __: care.idle.clause,
    of_care.CountStub: _stub,
    of_care.ReportMalfunction: _out_of_order,
    of_care.MarkOutOfOrder: _out_of_order,
    of_care.RepairDevice: _out_of_order,
    of_care.ChangeDealing: _out_of_order,
}
