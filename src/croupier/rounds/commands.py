"""The commands of a round."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.dealing import irregularity_clause
from croupier.rounds.declaration import (
    ANYBODY,
    CREW,
    DEALER,
    FLOOR,
    PLAYERS,
    Amount,
    Command,
    Declaration,
    MoneyCommand,
)
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules

SeatNumber: TypeAlias = Annotated[
    int, Meta(ge=1, le=20, title="Seat", description="A seat of the table")
]
AnySeat: TypeAlias = Annotated[int, Meta(ge=0, le=20, title="Seat")]
"""A seat, or 0 for none."""
PlayerName: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        title="Player",
        description="Defaults to the player who sends the command",
    ),
]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300, title="Reason")]
MOST_CARDS: Final = 10
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=MOST_CARDS, title="Cards")]
SomeCards: TypeAlias = Annotated[
    tuple[Card, ...], Meta(min_length=1, max_length=MOST_CARDS, title="Cards")
]
CardPlace: TypeAlias = Annotated[
    Literal["player", "dealer", "community", "box", "burn"], Meta(title="Place")
]
DenialGround: TypeAlias = Literal["light_off", "late_bet", "hand_does_not_win", "other"]
"""The ground on which a progressive is denied."""
WagerName: TypeAlias = Annotated[str, Meta(max_length=60, title="Wager")]
Hex256: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{64}$",
        max_length=64,  # `$` allows a newline after it
        description="64 hexadecimal digits, lower case",
    ),
]


def _validated(_: Any, rules: Rules) -> str:
    clauses = [wager.validated_clause for wager in rules.book.wagers.values()]
    return next((clause for clause in clauses if clause), "")


def _irregularity(command: Report, rules: Rules) -> str:
    irregularity = rules.book.irregularities.get(command.kind)
    return irregularity_clause(irregularity, rules) if irregularity is not None else ""


class OpenBetting(Command, frozen=True, gc=False, tag="open_betting"):
    """Open the bets of the next round. The shuffled deck is an input: the house draws and seals it
    unless `number` is set. The engine itself uses no randomness."""

    declared = Declaration(
        DEALER,
        "Open the bets",
        "open the bets",
        filled=frozenset({"number", "source", "commitment", "salt", "deck"}),
    )
    number: int = 0
    source: Literal["virtual", "live"] = "virtual"
    commitment: str = ""
    salt: str = ""
    deck: tuple[Card, ...] = ()


class PlaceWagers(MoneyCommand, frozen=True, gc=False, tag="place_wagers"):
    """Put these amounts on the spots, replacing the seat's bets there."""

    declared = Declaration(
        PLAYERS,
        "Place bets",
        "place wagers",
        lambda _, rules: rules.book.procedure.seated,
        help="These amounts replace the bets at the seat.",
    )
    seat: SeatNumber
    player: PlayerName
    wagers: Annotated[dict[WagerName, Cents], Meta(max_length=40, title="Wagers in dollars")]


class TakeBack(Command, frozen=True, gc=False, tag="take_back"):
    """Take wagers back: those named, or all of them if none is named."""

    declared = Declaration(
        PLAYERS, "Take bets back", "take wagers back", lambda _, rules: rules.book.procedure.seated
    )
    seat: SeatNumber
    player: PlayerName
    wagers: Annotated[
        tuple[WagerName, ...],
        Meta(max_length=40, title="Wagers", description="All of them if none is chosen"),
    ] = ()


class RepeatWagers(Command, frozen=True, gc=False, tag="repeat_wagers"):
    """At a live table, repeat last round's bets for everyone who has not bet yet, if their chips
    are enough."""

    declared = Declaration(
        DEALER,
        "Repeat the last bets",
        "place wagers",
        lambda _, rules: rules.book.procedure.seated,
        help="Everyone who has not bet yet bets the same as in the last round, if "
        "their chips are enough.",
    )


class PlaceCoupon(MoneyCommand, frozen=True, gc=False, tag="place_coupon"):
    """Lay a match play coupon beside the chips of the wager it goes with; 0 takes it back."""

    declared = Declaration(
        PLAYERS,
        "Lay a match play coupon",
        "lay a coupon",
        lambda _, rules: rules.book.procedure.coupon_clause,
        help="The coupon lies beside the chips of its wager. An amount of 0 takes it back.",
    )
    seat: SeatNumber
    player: PlayerName
    amount: Amount
    number: Annotated[
        str, Meta(max_length=60, title="Coupon number", description="The number printed on it")
    ] = ""


class CommitRandomness(Command, frozen=True, gc=False, tag="commit_randomness"):
    """Commit to adding randomness to a virtual deck, while the bets are open: send only the SHA-256
    of 32 random bytes."""

    declared = Declaration(
        ("player",),
        "Commit randomness",
        "commit randomness for a player",
        help="Your own share of the randomness of a virtual deck, while the bets are open.",
    )
    seat: SeatNumber
    player: PlayerName
    commitment: Annotated[Hex256, Meta(title="Commitment")]


class RevealRandomness(Command, frozen=True, gc=False, tag="reveal_randomness"):
    """Reveal the 32 bytes committed to, between "no more bets" and the deal."""

    declared = Declaration(
        ("player",),
        "Reveal randomness",
        "reveal randomness for a player",
        help="The value you committed to, before the deal.",
    )
    seat: SeatNumber
    player: PlayerName
    value: Annotated[Hex256, Meta(title="Committed value")]


class CloseBets(Command, frozen=True, gc=False, tag="close_bets"):
    """Announce "no more bets" and lock the progressive."""

    declared = Declaration(
        DEALER,
        "No more bets",
        'announce "no more bets"',
        lambda _, rules: dealing_in_force(rules).closes_bets,
    )


class CountChips(Command, frozen=True, gc=False, tag="count_chips"):
    """Enter the number of progressive wagers, counted by their chips on the layout."""

    declared = Declaration(
        DEALER,
        "Count the progressive chips",
        "count the progressive's chips",
        lambda _, rules: dealing_in_force(rules).counts_chips,
        help="Enter how many progressive wagers the chips on the layout make up.",
    )
    chips: Annotated[int, Meta(ge=0, le=100, title="Wagers counted")]


class DecideChipCount(Command, frozen=True, gc=False, tag="decide_chip_count"):
    """A floorperson decides a count of the progressive's chips that differs from the wagers the
    system accepted. The `seats` have no bet: a chip without a light goes back, and a wager without
    its chip is returned (MD-57)."""

    declared = Declaration(
        FLOOR,
        "Decide the chip count",
        "decide the chip count",
        lambda _, rules: dealing_in_force(rules).counts_chips,
        foreseen=True,
        help="Choose the seats without a bet: a chip without a light goes back, and "
        "so does a wager without its chip.",
    )
    chips: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            title="Wagers counted",
            description="How many wagers the chips on the layout make up",
        ),
    ]
    seats: Annotated[
        tuple[SeatNumber, ...], Meta(min_length=1, max_length=20, title="Seats without a bet")
    ]
    reason: Sentence


class RecountChips(Command, frozen=True, gc=False, tag="recount_chips"):
    """A floorperson orders another count after one of the progressive's chips that differs."""

    declared = Declaration(
        FLOOR,
        "Count the chips again",
        "order another count of the chips",
        lambda _, rules: dealing_in_force(rules).counts_chips,
    )


class Deal(Command, frozen=True, gc=False, tag="deal"):
    """Deal the cards."""

    declared = Declaration(
        DEALER, "Deal", "deal the cards", lambda _, rules: dealing_in_force(rules).clause
    )


class EnterCards(Command, frozen=True, gc=False, tag="enter_cards"):
    """Enter the cards of one place at a live table."""

    declared = Declaration(DEALER, "Enter cards", "enter cards")
    place: CardPlace
    cards: SomeCards
    seat: AnySeat = 0


class ReplaceCards(Command, frozen=True, gc=False, tag="replace_cards"):
    """Correct cards that a live dealer mistyped. A hand can be corrected until its seat is settled;
    the dealer's cards, the board and the box until the first seat is settled."""

    declared = Declaration(
        DEALER,
        "Correct cards",
        "correct cards",
        help="Cards can be corrected until their seat is settled; the dealer's and "
        "the community cards until the first seat is.",
    )
    place: CardPlace
    cards: SomeCards
    seat: AnySeat = 0


class TakeBackAnswer(Command, frozen=True, gc=False, tag="take_back_answer"):
    """Take back a player's last answer that a live dealer misheard or mistyped: its wager goes
    back, and the player is asked again. Possible until cards are turned up after the answer."""

    declared = Declaration(
        DEALER,
        "Take an answer back",
        "take an answer back",
        help="The wager goes back, and the player is asked again.",
    )
    seat: SeatNumber


class AnswerAll(Command, frozen=True, gc=False, tag="answer_all"):
    """At a live table, give the same answer for everyone who has not yet answered the current
    question."""

    declared = Declaration(
        DEALER,
        "Answer for everyone else",
        "answer for the players",
        lambda _, rules: rules.book.decisions[0].clause if rules.book.decisions else "",
        help="Everyone who has not answered yet gives this answer.",
    )
    action: Annotated[str, Meta(max_length=40, title="Answer")]


class Act(Command, frozen=True, gc=False, tag="act"):
    """Give a player's answer to the current question: `check`, `4x`, `fold`, `raise`."""

    declared = Declaration(
        PLAYERS,
        "Answer",
        "answer for a player",
        lambda _, rules: rules.book.decisions[0].clause if rules.book.decisions else "",
    )
    seat: SeatNumber
    player: PlayerName
    action: Annotated[str, Meta(max_length=40, title="Answer")]


class RevealCards(Command, frozen=True, gc=False, tag="reveal"):
    """Turn the next cards up. A live dealer names them, unless they were entered before."""

    declared = Declaration(
        DEALER,
        "Turn cards up",
        "turn cards up",
        lambda _, rules: rules.book.reveals[0].clause if rules.book.reveals else "",
    )
    cards: Cards = ()


class ShowDealer(Command, frozen=True, gc=False, tag="show_dealer"):
    """Show the dealer's hand."""

    declared = Declaration(
        DEALER,
        "Show the dealer's hand",
        "show the dealer's hand",
        lambda _, rules: rules.book.procedure.shows_dealer,
    )
    cards: Cards = ()


class Settle(Command, frozen=True, gc=False, tag="settle"):
    """Settle the next seat, counterclockwise; or, with `every`, all seats until one has to wait; or
    those down to `seat`, which at a live table requires no cards of later seats."""

    declared = Declaration(
        DEALER,
        "Settle",
        "settle wagers",
        lambda _, rules: rules.book.procedure.settles,
        help="Seats are settled counterclockwise.",
    )
    every: Annotated[bool, Meta(title="All remaining seats")] = False
    seat: Annotated[int, Meta(ge=0, le=99, title="Down to seat")] = 0


class ValidateProgressive(Command, frozen=True, gc=False, tag="validate_progressive"):
    """Confirm the hand that wins the progressive."""

    declared = Declaration(
        FLOOR,
        "Validate the progressive",
        "validate a progressive",
        _validated,
        foreseen=True,
        help="The hand wins the progressive.",
    )
    seat: SeatNumber


class RefuseProgressive(Command, frozen=True, gc=False, tag="refuse_progressive"):
    """Deny the progressive. The consequence depends on the ground, or on the free-text reason."""

    declared = Declaration(
        FLOOR,
        "Deny the progressive",
        "deny a progressive",
        _validated,
        foreseen=True,
        help="The consequence depends on the reason.",
    )
    seat: SeatNumber
    reason: Annotated[str, Meta(max_length=300, title="Remarks")] = ""
    ground: (
        Annotated[
            DenialGround,
            Meta(title="Reason", description="Why it is denied: what follows depends on it"),
        ]
        | None
    ) = None


class Collect(Command, frozen=True, gc=False, tag="collect"):
    """Collect the cards: the round is over."""

    declared = Declaration(
        DEALER, "Collect the cards", "collect the cards", lambda _, r: r.book.procedure.collects
    )


class LeaveRound(Command, frozen=True, gc=False, tag="leave_round"):
    """A player leaves the round. Questions they would still be asked count as declined."""

    declared = Declaration(
        ANYBODY,
        "Leave the round",
        "leave the round",
        foreseen=True,
        help="Whatever the player is still asked in this round counts as declined.",
    )
    seat: SeatNumber
    player: PlayerName


class RuleAbandoned(Command, frozen=True, gc=False, tag="rule_abandoned"):
    """Forfeit the wagers of a player who left during the round."""

    declared = Declaration(
        FLOOR,
        "Forfeit abandoned wagers",
        "forfeit abandoned wagers",
        lambda _, rules: rules.book.procedure.abandoned,
        foreseen=True,
        help="The player left during the round, and their wagers are lost.",
    )
    seat: SeatNumber


class Report(Command, frozen=True, gc=False, tag="report"):
    """Report an irregularity. `kind` is its name in the rulebook."""

    declared = Declaration(
        CREW,
        "Report an irregularity",
        "report an irregularity",
        _irregularity,
        foreseen=True,
        help="See what follows before you confirm it.",
    )
    kind: Annotated[str, Meta(min_length=1, max_length=60, title="What happened")]
    cards: Cards = ()
    seat: AnySeat = 0
    note: Annotated[str, Meta(max_length=300, title="Note")] = ""
    held: Annotated[int, Meta(ge=0, le=20, title="Cards lying there")] | None = None


class VoidRound(Command, frozen=True, gc=False, tag="void_round"):
    """Declare the round void: every wager goes back."""

    declared = Declaration(
        FLOOR,
        "Void the round",
        "declare the round void",
        foreseen=True,
        help="Every wager of the round goes back to its player.",
    )
    reason: Sentence
    clause: Annotated[str, Meta(max_length=60, title="Clause")] = ""


RoundCommand: TypeAlias = (
    OpenBetting
    | PlaceWagers
    | TakeBack
    | RepeatWagers
    | PlaceCoupon
    | CommitRandomness
    | CloseBets
    | RevealRandomness
    | CountChips
    | DecideChipCount
    | RecountChips
    | Deal
    | EnterCards
    | ReplaceCards
    | Act
    | AnswerAll
    | TakeBackAnswer
    | RevealCards
    | ShowDealer
    | Settle
    | ValidateProgressive
    | RefuseProgressive
    | Collect
    | LeaveRound
    | RuleAbandoned
    | Report
    | VoidRound
)
