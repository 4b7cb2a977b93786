"""Whose hands move a player's chips."""

from __future__ import annotations

from typing import Final

from croupier.errors import Refusal, plain
from croupier.rounds.commands import Act, LeaveRound, PlaceCoupon, PlaceWagers, TakeBack
from croupier.rounds.declaration import FLOOR, SOFTWARE, Actor
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import BuyIn, CashOut, ColourUp, TableCommand, Tip
from croupier.tables.state import Table

__all__ = ["check_chips"]

_CHIPS: Final = frozenset(
    {
        *(PlaceWagers, PlaceCoupon, TakeBack, Act, LeaveRound),
        *(BuyIn, ColourUp, Tip, CashOut),
    }
)
"""Commands that move a player's chips because he wants it so."""


def check_chips(table: Table, command: TableCommand, actor: Actor, rules: Rules) -> None:
    """At a live table the dealer does with a player's chips what he asks. With virtual cards nobody
    can ask him: only the player moves them. Whoever has taken a player's money buys in for him. The
    software declines for a player whose time is up, and gives chips back to one who is away; so
    does the floor to one who has left his seat, and it says who has left the round."""
    if isinstance(command, PlaceCoupon) and table.by_people_only and actor.role == "player":
        raise Refusal(
            "at a live table the dealer looks at a coupon and lays it: hand it to the dealer",
            code="not_yours",
            clause=command.role_clause(rules),
        )
    if isinstance(command, Tip) and table.by_people_only and actor.role == "dealer":
        _check_seated(table, command)
    if table.source != "virtual" or actor.role == "player" or type(command) not in _CHIPS:
        return
    if actor.role not in command.declared.by:
        return  # `decide` refuses that role
    if isinstance(command, CashOut) and actor.role in FLOOR and not table.is_seated(command.player):
        return
    if isinstance(command, LeaveRound) and actor.role in FLOOR:
        return
    if isinstance(command, BuyIn) and actor.name != SOFTWARE:
        return
    if actor.name == SOFTWARE:
        if isinstance(command, CashOut):
            return
        if isinstance(command, Act) and _declines(table.round, command, rules):
            return
    raise Refusal(
        f"with virtual cards nobody but the player moves a player's chips: the {actor.role} may "
        f"not {command.doing()}",
        code="not_yours",
        clause=command.role_clause(rules),
    )


def _check_seated(table: Table, command: Tip) -> None:
    if not table.is_seated(command.player):
        raise Refusal(
            f"{plain(command.player)} has left the seat: nobody tips the dealers for them",
            code="not_seated",
        )


def _declines(state: Round, command: Act, rules: Rules) -> bool:
    steps = flow_of(rules).steps
    step = steps[state.step] if state.step < len(steps) else None
    return not isinstance(step, Ask) or command.action == step.decision.otherwise
