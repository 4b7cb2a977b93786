"""What may be asked of a round."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from croupier.cards import Card
from croupier.money import Cents
from croupier.rounds.dealing import dealing_in_force, irregularity_clause
from croupier.rounds.declaration import (
    ANYBODY,
    CREW,
    DEALER,
    FLOOR,
    PLAYERS,
    Command,
    Declaration,
    MoneyCommand,
)
from croupier.rulebooks.rules import Rules

__all__ = [
    "MOST_CARDS",
    "Act",
    "AnswerAll",
    "CardPlace",
    "CloseBets",
    "Collect",
    "CommitRandomness",
    "CountChips",
    "Deal",
    "DecideChipCount",
    "EnterCards",
    "LeaveRound",
    "OpenBetting",
    "PlaceCoupon",
    "PlaceWagers",
    "PlayerName",
    "RefuseProgressive",
    "RepeatWagers",
    "ReplaceCards",
    "Report",
    "RevealCards",
    "RevealRandomness",
    "RoundCommand",
    "RuleAbandoned",
    "SeatNumber",
    "Sentence",
    "Settle",
    "ShowDealer",
    "TakeBack",
    "TakeBackAnswer",
    "ValidateProgressive",
    "VoidRound",
    "WagerName",
]

SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=20, description="A seat of the table")]
PlayerName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=60, description="For whom; left out, for oneself")
]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
MOST_CARDS: Final = 10
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=MOST_CARDS)]
CardPlace: TypeAlias = Literal["player", "dealer", "community", "box", "burn"]
WagerName: TypeAlias = Annotated[str, Meta(max_length=60)]
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
    found = rules.book.irregularities.get(command.kind)
    return irregularity_clause(found, rules) if found is not None else ""


class OpenBetting(Command, frozen=True, gc=False, tag="open_betting"):
    """Open the bets of the next round. The shuffled deck is an input, which the house draws and
    seals when nobody gives a number: chance never happens inside the engine."""

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
    """Put these amounts on the spots, in place of what lies there."""

    declared = Declaration(
        PLAYERS, "Bet", "place wagers", lambda _, rules: rules.book.procedure.seated
    )
    seat: SeatNumber
    player: PlayerName
    wagers: Annotated[dict[WagerName, Cents], Meta(max_length=40)]


class TakeBack(Command, frozen=True, gc=False, tag="take_back"):
    """Take wagers back; without names, all of them."""

    declared = Declaration(
        PLAYERS, "Take back", "take wagers back", lambda _, rules: rules.book.procedure.seated
    )
    seat: SeatNumber
    player: PlayerName
    wagers: Annotated[tuple[WagerName, ...], Meta(max_length=40)] = ()


class RepeatWagers(Command, frozen=True, gc=False, tag="repeat_wagers"):
    """At a live table: everybody who has not bet yet bets what he bet in the last round, where his
    chips are enough."""

    declared = Declaration(
        DEALER,
        "Same bets as before",
        "place wagers",
        lambda _, rules: rules.book.procedure.seated,
    )


class PlaceCoupon(MoneyCommand, frozen=True, gc=False, tag="place_coupon"):
    """Lay a match play coupon beside the chips of the wager it goes with; 0 takes it back."""

    declared = Declaration(
        PLAYERS,
        "Match play coupon",
        "lay a coupon",
        lambda _, rules: rules.book.procedure.coupon_clause,
    )
    seat: SeatNumber
    player: PlayerName
    amount: Cents
    number: Annotated[str, Meta(max_length=60, description="What is printed on it")] = ""


class CommitRandomness(Command, frozen=True, gc=False, tag="commit_randomness"):
    """Add randomness of one's own to a virtual deck: first only the SHA-256 of 32 random bytes,
    while the bets are open."""

    declared = Declaration(("player",), "Commit randomness", "commit randomness for a player")
    seat: SeatNumber
    player: PlayerName
    commitment: Hex256


class RevealRandomness(Command, frozen=True, gc=False, tag="reveal_randomness"):
    """The 32 bytes that were committed to, between "no more bets" and the deal."""

    declared = Declaration(("player",), "Reveal randomness", "reveal randomness for a player")
    seat: SeatNumber
    player: PlayerName
    value: Hex256


class CloseBets(Command, frozen=True, gc=False, tag="close_bets"):
    """The dealer announces "no more bets" and locks the progressive."""

    declared = Declaration(
        DEALER,
        "No more bets",
        'announce "no more bets"',
        lambda _, rules: dealing_in_force(rules).closes_bets,
    )


class CountChips(Command, frozen=True, gc=False, tag="count_chips"):
    """How many progressive wagers the chips on the layout make up."""

    declared = Declaration(
        DEALER,
        "Count the progressive's chips",
        "count the progressive's chips",
        lambda _, rules: dealing_in_force(rules).counts_chips,
    )
    chips: Annotated[int, Meta(ge=0, le=100)]


class DecideChipCount(Command, frozen=True, gc=False, tag="decide_chip_count"):
    """A floorperson decides a count of the progressive's chips that differs from the wagers the
    system accepted. At the `seats` there is no bet: a chip without a light goes back, and so does a
    wager without its chip (MD-57)."""

    declared = Declaration(
        FLOOR,
        "Decide the chip count",
        "decide the chip count",
        lambda _, rules: dealing_in_force(rules).counts_chips,
        foreseen=True,
    )
    chips: Annotated[int, Meta(ge=0, le=100, description="How many wagers' chips were counted")]
    seats: Annotated[tuple[SeatNumber, ...], Meta(min_length=1, max_length=20)]
    reason: Sentence


class Deal(Command, frozen=True, gc=False, tag="deal"):
    """Deal the cards."""

    declared = Declaration(
        DEALER, "Deal", "deal the cards", lambda _, rules: dealing_in_force(rules).clause
    )


class EnterCards(Command, frozen=True, gc=False, tag="enter_cards"):
    """A live dealer names the cards of a place."""

    declared = Declaration(DEALER, "Enter cards", "enter cards")
    place: CardPlace
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=10)]
    seat: Annotated[int, Meta(ge=0, le=20)] = 0


class ReplaceCards(Command, frozen=True, gc=False, tag="replace_cards"):
    """A live dealer mistyped: these cards lie there. Until their seat is settled; the dealer's, the
    board's and the box's until the first seat is."""

    declared = Declaration(DEALER, "Correct cards", "correct cards")
    place: CardPlace
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=MOST_CARDS)]
    seat: Annotated[int, Meta(ge=0, le=20)] = 0


class TakeBackAnswer(Command, frozen=True, gc=False, tag="take_back_answer"):
    """A live dealer misheard or mistyped a player's last answer: it and its wager go back, and the
    player is asked again. Until cards are turned up after it."""

    declared = Declaration(DEALER, "Take an answer back", "take an answer back")
    seat: SeatNumber


class AnswerAll(Command, frozen=True, gc=False, tag="answer_all"):
    """At a live table: everybody who is still asked this question gives the same answer."""

    declared = Declaration(
        DEALER,
        "All the others say",
        "answer for the players",
        lambda _, rules: rules.book.decisions[0].clause if rules.book.decisions else "",
    )
    action: Annotated[str, Meta(max_length=40)]


class Act(Command, frozen=True, gc=False, tag="act"):
    """What a player says when asked: `check`, `4x`, `fold`, `raise`."""

    declared = Declaration(
        PLAYERS,
        "Answer",
        "answer for a player",
        lambda _, rules: rules.book.decisions[0].clause if rules.book.decisions else "",
    )
    seat: SeatNumber
    player: PlayerName
    action: Annotated[str, Meta(max_length=40)]


class RevealCards(Command, frozen=True, gc=False, tag="reveal"):
    """Turn the next cards up; a live dealer names them, unless they were entered before."""

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
    """The next seat, counterclockwise; or `every` seat until one has to wait."""

    declared = Declaration(
        DEALER, "Settle", "settle wagers", lambda _, rules: rules.book.procedure.settles
    )
    every: bool = False


class ValidateProgressive(Command, frozen=True, gc=False, tag="validate_progressive"):
    """A floorperson confirms the hand that wins the progressive."""

    declared = Declaration(
        FLOOR, "Validate the progressive", "validate a progressive", _validated, foreseen=True
    )
    seat: SeatNumber


class RefuseProgressive(Command, frozen=True, gc=False, tag="refuse_progressive"):
    """A floorperson finds that the hand does not win it."""

    declared = Declaration(
        FLOOR, "Deny the progressive", "deny a progressive", _validated, foreseen=True
    )
    seat: SeatNumber
    reason: Sentence


class Collect(Command, frozen=True, gc=False, tag="collect"):
    """Collect the cards: the round is over."""

    declared = Declaration(
        DEALER, "Collect the cards", "collect the cards", lambda _, r: r.book.procedure.collects
    )


class LeaveRound(Command, frozen=True, gc=False, tag="leave_round"):
    """The player gets up. What is still to be asked is declined for him."""

    declared = Declaration(ANYBODY, "Leave the round", "leave the round")
    seat: SeatNumber
    player: PlayerName


class RuleAbandoned(Command, frozen=True, gc=False, tag="rule_abandoned"):
    """A floorperson treats the wagers of a player who left as lost."""

    declared = Declaration(
        FLOOR,
        "Rule the wagers lost",
        "rule wagers lost",
        lambda _, rules: rules.book.procedure.abandoned,
        foreseen=True,
    )
    seat: SeatNumber


class Report(Command, frozen=True, gc=False, tag="report"):
    """Something went wrong: `kind` is one of the rulebook's irregularities."""

    declared = Declaration(
        CREW, "Report an irregularity", "report an irregularity", _irregularity, foreseen=True
    )
    kind: Annotated[str, Meta(min_length=1, max_length=60)]
    cards: Cards = ()
    seat: Annotated[int, Meta(ge=0, le=20)] = 0
    note: Annotated[str, Meta(max_length=300)] = ""
    held: (
        Annotated[int, Meta(ge=0, le=20, description="How many cards lie where they are wrong")]
        | None
    ) = None


class VoidRound(Command, frozen=True, gc=False, tag="void_round"):
    """A floorperson declares the round void: every wager goes back."""

    declared = Declaration(FLOOR, "Void the round", "declare the round void", foreseen=True)
    reason: Sentence
    clause: Annotated[str, Meta(max_length=60)] = ""


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
