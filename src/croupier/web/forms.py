"""What goes over the wire: commands in, views and problems out. Money as "7.50", cards as "As"."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

__all__ = [
    "ActionForm",
    "ClockForm",
    "CommandForm",
    "DoneForm",
    "FrameForm",
    "HappenedForm",
    "LineForm",
    "MeForm",
    "PersonForm",
    "Problem",
    "RoundForm",
    "SeatForm",
    "SeatInRoundForm",
    "TableCard",
    "TableForm",
    "TablesForm",
]

Money: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^-?[0-9]{1,13}(\.[0-9]{1,2})?$",
        description="Dollars with at most two decimals",
        examples=["7.50"],
    ),
]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
PlayerName: TypeAlias = Annotated[
    str, Meta(max_length=60, description="For whom; left out, for oneself")
]
RoundNumber: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=2**53,
        description="The round that is meant: in another one the command is stale. 0: any",
    ),
]
Card: TypeAlias = Annotated[str, Meta(pattern="^[2-9TJQKA][cdhs]$")]


class _Command(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Strict: an unknown key is a mistake of the client's, not a comment."""


class TakeSeatForm(_Command, frozen=True, tag="take_seat"):
    seat: SeatNumber
    player: PlayerName = ""


class GiveUpSeatForm(_Command, frozen=True, tag="give_up_seat"):
    seat: SeatNumber
    player: PlayerName = ""


class BuyInForm(_Command, frozen=True, tag="buy_in"):
    amount: Money
    player: PlayerName = ""


class CashOutForm(_Command, frozen=True, tag="cash_out"):
    """Without an amount, everything."""

    amount: Money | None = None
    player: PlayerName = ""


class PlaceWagersForm(_Command, frozen=True, tag="place_wagers"):
    """In place of what lies on these spots."""

    seat: SeatNumber
    wagers: Annotated[dict[str, Money], Meta(max_length=40)]
    round: RoundNumber = 0
    player: PlayerName = ""


class TakeBackForm(_Command, frozen=True, tag="take_back"):
    seat: SeatNumber
    wagers: Annotated[tuple[str, ...], Meta(max_length=40)] = ()
    round: RoundNumber = 0
    player: PlayerName = ""


class ReadyForm(_Command, frozen=True, tag="ready"):
    """Done betting: when everybody is, the dealer says "no more bets"."""

    seat: SeatNumber
    round: RoundNumber = 0


class ActForm(_Command, frozen=True, tag="act"):
    """`decision` names the question that is answered: once another is asked, this is stale."""

    seat: SeatNumber
    action: Annotated[str, Meta(max_length=40)]
    decision: Annotated[str, Meta(max_length=60)] = ""
    round: RoundNumber = 0
    player: PlayerName = ""


class LeaveRoundForm(_Command, frozen=True, tag="leave_round"):
    seat: SeatNumber
    round: RoundNumber = 0
    player: PlayerName = ""


class TipForm(_Command, frozen=True, tag="tip"):
    amount: Money
    player: PlayerName = ""


class OpenBettingForm(_Command, frozen=True, tag="open_betting"):
    pass


class CloseBetsForm(_Command, frozen=True, tag="close_bets"):
    round: RoundNumber = 0


class CountChipsForm(_Command, frozen=True, tag="count_chips"):
    chips: Annotated[int, Meta(ge=0, le=100)]
    round: RoundNumber = 0


class DealForm(_Command, frozen=True, tag="deal"):
    round: RoundNumber = 0


class EnterCardsForm(_Command, frozen=True, tag="enter_cards"):
    place: Literal["player", "dealer", "community", "box", "burn"]
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=10)]
    seat: Annotated[int, Meta(ge=0, le=20)] = 0
    round: RoundNumber = 0


class RevealForm(_Command, frozen=True, tag="reveal"):
    cards: Annotated[tuple[Card, ...], Meta(max_length=10)] = ()
    round: RoundNumber = 0


class ShowDealerForm(_Command, frozen=True, tag="show_dealer"):
    cards: Annotated[tuple[Card, ...], Meta(max_length=10)] = ()
    round: RoundNumber = 0


class SettleForm(_Command, frozen=True, tag="settle"):
    every: bool = False
    round: RoundNumber = 0


class CollectForm(_Command, frozen=True, tag="collect"):
    round: RoundNumber = 0


class ValidateProgressiveForm(_Command, frozen=True, tag="validate_progressive"):
    seat: SeatNumber
    round: RoundNumber = 0


class RefuseProgressiveForm(_Command, frozen=True, tag="refuse_progressive"):
    seat: SeatNumber
    reason: Sentence
    round: RoundNumber = 0


class RuleAbandonedForm(_Command, frozen=True, tag="rule_abandoned"):
    seat: SeatNumber
    round: RoundNumber = 0


class VoidRoundForm(_Command, frozen=True, tag="void_round"):
    reason: Sentence
    clause: Annotated[str, Meta(max_length=60)] = ""
    round: RoundNumber = 0


class FillForm(_Command, frozen=True, tag="fill"):
    amount: Money
    slip: Sentence


class CreditForm(_Command, frozen=True, tag="credit"):
    amount: Money
    slip: Sentence


class EmptyDropForm(_Command, frozen=True, tag="empty_drop"):
    slip: Sentence


class CloseTableForm(_Command, frozen=True, tag="close_table"):
    pass


CommandForm: TypeAlias = (
    TakeSeatForm
    | GiveUpSeatForm
    | BuyInForm
    | CashOutForm
    | PlaceWagersForm
    | TakeBackForm
    | ReadyForm
    | ActForm
    | LeaveRoundForm
    | TipForm
    | OpenBettingForm
    | CloseBetsForm
    | CountChipsForm
    | DealForm
    | EnterCardsForm
    | RevealForm
    | ShowDealerForm
    | SettleForm
    | CollectForm
    | ValidateProgressiveForm
    | RefuseProgressiveForm
    | RuleAbandonedForm
    | VoidRoundForm
    | FillForm
    | CreditForm
    | EmptyDropForm
    | CloseTableForm
)


class Problem(msgspec.Struct, frozen=True):
    """What is wrong (RFC 9457): `code` for programs, `message` for people, the clause if a rule is
    involved. Nothing has changed."""

    type: str
    title: str
    status: int
    code: str
    message: str
    clause: str | None = None


class DoneForm(msgspec.Struct, frozen=True):
    """The table's version with the command done; `repeated`: it had been done before."""

    version: int
    repeated: bool = False


class PersonForm(msgspec.Struct, frozen=True):
    """Who is asking. `csrf` goes into the header X-CSRF-Token of everything that changes things."""

    name: str
    role: Literal["player", "dealer", "floorperson", "auditor", "operator"] | None
    guest: bool
    csrf: str
    demo: bool = False


class LineForm(msgspec.Struct, frozen=True):
    wager: str
    stake: str
    result: str
    net: str
    clause: str
    pays: str
    words: str


class SeatInRoundForm(msgspec.Struct, frozen=True):
    """`cards`: null lies face down. `ready`: done betting."""

    number: int
    player: str
    wagers: dict[str, str]
    actions: tuple[str, ...]
    cards: tuple[str | None, ...]
    folded: bool
    left: bool
    ready: bool
    hand: str
    net: str | None
    lines: tuple[LineForm, ...]


class ClaimForm(msgspec.Struct, frozen=True):
    """A progressive won that waits for a floorperson."""

    seat: int
    hand: str
    pays: str
    clause: str
    meter: str


class RoundForm(msgspec.Struct, frozen=True):
    number: int
    phase: str
    decision: str
    """The name of the question that is asked now."""
    turn: int
    commitment: str
    seats: tuple[SeatInRoundForm, ...]
    community: tuple[str | None, ...]
    dealer: tuple[str | None, ...]
    dealer_hand: str
    qualifies: bool | None
    box: tuple[str | None, ...]
    claim: ClaimForm | None
    void: bool
    salt: str = ""
    order: tuple[str, ...] = ()


class SeatForm(msgspec.Struct, frozen=True):
    number: int
    player: str | None
    rack: str


class MeForm(msgspec.Struct, frozen=True):
    player: str
    rack: str
    seats: tuple[int, ...]


class ActionForm(msgspec.Struct, frozen=True, omit_defaults=True):
    do: str
    seat: int
    wager: str = ""
    action: str = ""
    cost: str | None = None
    least: str | None = None
    most: str | None = None
    stakes: tuple[str, ...] = ()
    clause: str = ""
    affordable: bool = True


class ClockForm(msgspec.Struct, frozen=True):
    """`at` is when it happens unless people act before; `seconds` is what is left of it now."""

    what: str
    at: str
    seconds: float
    seat: int = 0


class TableForm(msgspec.Struct, frozen=True):
    """A table as the asker may see it."""

    id: str
    version: int
    rulebook: str
    title: str
    jurisdiction: str
    is_open: bool
    source: str
    dealt_by: str
    me: MeForm | None
    seats: tuple[SeatForm, ...]
    meters: dict[str, str]
    round: RoundForm
    actions: tuple[ActionForm, ...]
    dealer_actions: tuple[str, ...]
    floor_actions: tuple[str, ...]
    clock: ClockForm | None


class HappenedForm(msgspec.Struct, frozen=True, omit_defaults=True):
    version: int
    kind: str
    words: tuple[str, ...]
    seat: int | None = None


class FrameForm(msgspec.Struct, frozen=True):
    """A message of the live connection."""

    seq: int
    view: TableForm
    happened: tuple[HappenedForm, ...]


class LimitForm(msgspec.Struct, frozen=True):
    least: str | None
    most: str | None


class CardSeat(msgspec.Struct, frozen=True):
    number: int
    player: str | None


class TableCard(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    id: str
    rulebook: str
    title: str
    jurisdiction: str
    document: str
    summary: str
    limits: dict[str, LimitForm]
    seats: tuple[CardSeat, ...]
    open_seats: int
    meters: dict[str, str]
    is_open: bool
    phase: str
    round: int
    version: int
    players_watching: int
    waits_for_floor: bool
    """A progressive is to be validated."""


class TablesForm(msgspec.Struct, frozen=True):
    tables: tuple[TableCard, ...]
