"""The form of a rulebook file: one game as one document describes it.

Everything particular to a game is in its TOML file; this module only says what may be written
there. Amounts are written as dealers write them (`"500 to 1"`, `"$1,000"`), sets of cards by their
place (`"player"`, `"community:3"` for the first three exposed).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

TAKE_BACK: Final = "take_back"
"""The answer by which a player takes a wager back."""


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Strict and immutable: an unknown key in a rulebook file is a mistake, not a comment."""


class Positions(_Form, frozen=True, kw_only=True):
    """Betting positions at the table, and how many of them one person may play."""

    most: int
    clause: str
    per_player: Literal["one", "submission"]
    per_player_clause: str


class Cards(_Form, frozen=True, kw_only=True):
    """The number of cards dealt to each place in one round; `box_clause`: the clause that fills the
    box, if it is another one."""

    player: int
    dealer: int = 0
    community: int = 0
    box: int = 0
    clause: str
    box_clause: str = ""


class Deck(_Form, frozen=True, kw_only=True):
    """The cards of a round: which ranks, lowest first, and how many decks are shuffled together."""

    ranks: str = "23456789TJQKA"
    copies: int = 1
    clause: str = ""


class Reveal(_Form, frozen=True, kw_only=True):
    """Cards turned up between decisions: community cards, a card of each player, or the dealer's
    first cards."""

    name: str
    community: int = 0
    player: int = 0
    dealer: int = 0
    clause: str


class LeastHand(_Form, frozen=True, kw_only=True):
    """A minimum hand: `at_least = "pair"`, `of = "A"`."""

    hand: str
    """The named hand."""
    at_least: str
    """The lowest category."""
    of: str = ""
    """The lowest ranks within it: `A`."""
    clause: str = ""
    """The clause of the document."""


class Decision(_Form, frozen=True, kw_only=True):
    """A question put to each player who has not answered it with a bet yet.

    `bets` maps what a player says to the multiple of `multiple_of` that goes down as `wager`;
    `only_with`: a bet that may be said only with such a hand. `takes_back`: the wager that comes
    back to a player who says `take_back`. `otherwise` is the word for declining (`check`, `fold`,
    `ride`).
    """

    name: str
    """The decision's name: `flop`."""
    sees_player: int
    """How many of their own cards the player has seen by then."""
    sees_community: int = 0
    """How many community cards they have seen."""
    sees_dealer: int = 0
    """How many of the dealer's cards they have seen."""
    wager: str = ""
    """The wager that a bet puts down."""
    multiple_of: str = ""
    """The wager that the bets are multiples of."""
    bets: dict[str, int] = {}
    """What can be said, and the multiple that it puts down: `{"4x": 4}`."""
    only_with: dict[str, LeastHand] = {}
    """Bets that require such a hand."""
    takes_back: str = ""
    """The wager that comes back on `take_back`."""
    otherwise: Literal["check", "fold", "ride"]
    """What a player says to decline."""
    clause: str
    """The clause of the document."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Every possible answer: the bets, then taking back, then declining."""
        back = (TAKE_BACK,) if self.takes_back else ()
        return (*self.bets, *back, self.otherwise)


class Ranking(_Form, frozen=True, kw_only=True):
    """How hands are ranked: by the best `size` of their cards, categories best first in `order`; or
    by the longest suit and its ranks, where a category is the number of cards in it
    (`seven_card_flush`)."""

    by: Literal["categories", "longest_suit"] = "categories"
    size: int = 5
    order: tuple[str, ...] = ()
    ace_low: bool = True
    clause: str = ""


class Hand(_Form, frozen=True, kw_only=True):
    """A named set of cards and the ranking that names what they make: `five_card`, `three_card`,
    `two_card`, plain `cards`, or one of the rulebook's own."""

    cards: tuple[str, ...]
    ranking: str
    ace_low: bool = False
    clause: str


class Dealer(_Form, frozen=True, kw_only=True):
    """The dealer's hand and the lowest hand with which it qualifies."""

    hand: str
    at_least: str = "high_card"
    of: str = ""
    clause: str


class Pattern(_Form, frozen=True, kw_only=True):
    """When a paytable line applies; every condition given must hold.

    `category`: the hand is one of these; `made`: its first made rank is one of these; `ranks`: the
    cards have exactly these ranks (`"AK"`); `suited`: all of one suit, or not; `suits`: no card of
    another suit; `hand`: look at another named hand; `also`: these hold too; `unless`: none of
    these holds. `words` is what the dealer calls it.
    """

    category: tuple[str, ...] = ()
    made: str = ""
    ranks: tuple[str, ...] = ()
    suited: bool | None = None
    suits: str = ""
    hand: str = ""
    also: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()
    words: str = ""


class Line(_Form, frozen=True, kw_only=True):
    """One line of a paytable. `covers` names the patterns on which it pays; by default its own
    name."""

    hand: str
    """The hand on which it pays."""
    pays: str
    """What it pays: `3 to 2`, `300 for 1`, `$1,000`, `10% of main`, `push`."""
    clause: str
    """The clause of the document."""
    covers: tuple[str, ...] = ()
    """The patterns on which it pays, if there are several."""


class Seed(_Form, frozen=True, kw_only=True):
    """A meter, with the minimum for its start and its reset amount, in dollars. `rate_clause` is
    the clause that requires its contribution rate, if it is another one."""

    minimum: int
    """The minimum, in dollars."""
    clause: str
    """The clause of the document."""
    rate_clause: str = ""
    """The clause that requires its contribution rate."""


class Paytable(_Form, frozen=True, kw_only=True):
    """The paytable of a wager."""

    clause: str
    """The clause of the document."""
    lines: tuple[Line, ...]
    """The lines in the order printed."""
    meters: dict[str, Seed] = {}
    """The progressive meters from which it pays, by name."""


class Outcome(_Form, frozen=True, kw_only=True):
    """What the dealer does with a wager: pay by a table, return or collect it. A table without a
    line for the hand leads to `otherwise`. If `stake_stays` is false, the odds are paid but the
    stake is collected. `clause_on` names the clause for hands of a pattern, if the document treats
    them separately."""

    do: Literal["pay", "return", "collect"]
    clause: str = ""
    clause_on: dict[str, str] = {}
    paytable: str = ""
    stake_stays: bool = True
    otherwise: Outcome | None = None


class Showdown(_Form, frozen=True, kw_only=True):
    higher: Outcome
    equal: Outcome
    lower: Outcome


class VersusDealer(_Form, frozen=True, kw_only=True, tag_field="by", tag="versus_dealer"):
    """Settled by comparing the player's hand with the dealer's. `unqualified` is left out if a
    dealer who does not qualify changes nothing."""

    hand: str
    folded: Outcome
    qualified: Showdown
    unqualified: Showdown | None = None


class VersusPaytable(_Form, frozen=True, kw_only=True, tag_field="by", tag="paytable"):
    """Settled by the player's named hand, whatever the dealer has. `returns`: patterns that push
    although the table has no line for them; `tested_first`: lines tested before the printed order;
    `takes`: the requirement for being paid, in words, if no line is the lowest."""

    hand: str
    paytable: str
    lost: str
    returns: tuple[str, ...] = ()
    tested_first: tuple[str, ...] = ()
    takes: str = ""


class EitherHandBeaten(_Form, frozen=True, kw_only=True, tag_field="by", tag="either_hand_beaten"):
    """Pays on the losing hand of player and dealer (or only on the player's)."""

    hand: str
    paytable: str
    loser: Literal["either_side", "player_only"] = "either_side"
    lost: str


class HighestHand(_Form, frozen=True, kw_only=True, tag_field="by", tag="highest_hand"):
    """Pays on the best hand at the table; the tables are named by the number of hands dealt.
    `shown_clause` requires that the round's table be shown."""

    hand: str
    paytable: str
    lost: str
    returns: tuple[str, ...] = ()
    shown_clause: str = ""


class AllWon(_Form, frozen=True, kw_only=True, tag_field="by", tag="all_won"):
    """Wins when every one of these wagers of the same seat wins."""

    wagers: tuple[str, ...]
    paytable: str
    lost: str


class Follows(_Form, frozen=True, kw_only=True, tag_field="by", tag="follows"):
    """Wins, pushes and loses with another wager: at its odds, or at `pays`."""

    wager: str
    pays: str = ""
    lost: str


Resolver: TypeAlias = (
    VersusDealer | VersusPaytable | EitherHandBeaten | HighestHand | AllWon | Follows
)


class Wager(_Form, frozen=True, kw_only=True):
    """A wager of the game; their order in the file is the order of settlement within a seat."""

    title: str
    """The wager's name for people."""
    role: Literal["required", "decided", "optional"]
    """The wager's name on screens and in reports."""
    clause: str
    """The clause of the document."""
    equals: str = ""
    """The wager that it must equal."""
    needs: tuple[str, ...] = ()
    """Wagers that must be placed with it."""
    needs_clause: str = ""
    """The clause that requires them."""
    stakes: tuple[str, ...] = ()
    """The only stakes that it takes, in dollars; empty if any amount is allowed."""
    stakes_clause: str = ""
    """The clause that fixes the stakes."""
    taken_before_deal: bool = False
    """Whether its chip is collected before the deal."""
    validated_clause: str = ""
    """The clause by which a floorperson validates a win."""
    scales_seeds: bool = False
    """Whether the minimum of each meter grows with the stake."""
    after_fold: Literal["stands", "loses"] = "stands"
    """Whether it `stands` or `loses` when the player folds."""
    after_fold_clause: str = ""
    """The clause that decides this."""
    dealt_by: tuple[str, ...] = ()
    """The ways of dealing that offer it; empty for all."""
    dealt_by_clause: str = ""
    """The clause that restricts it to those."""
    specified_clause: str = ""
    """The clause by which the wager is offered only if the submission names it."""
    settles: Resolver
    """How it is settled (docs/rulebooks.md)."""


class Bonus(_Form, frozen=True, kw_only=True):
    """A payment on top of what the wager `on` wins, in units of its stake, by the player's hand
    alone. A player who folded gets none. It is a line of its own in a settlement."""

    title: str
    on: str
    hand: str
    paytable: str
    clause: str


class Envy(_Form, frozen=True, kw_only=True):
    """A fixed sum paid to players who made the wager `on`, if another person holds a hand of the
    table. `tables` maps the receiver's stake in dollars to a family of paytables (`any` for every
    stake); the table has the letter of the progressive's. `per_dollar`: the sums are for one
    dollar."""

    on: str
    hand: str
    tables: dict[str, str]
    folded_holder: Literal["counts", "needs_bet"] = "counts"
    per_dollar: bool = False
    clause: str


class PayoutLimit(_Form, frozen=True, kw_only=True):
    """A ceiling on what one hand may win in a round, returned stakes apart.

    `amount` is the sum in the document; `or_best_win`: or the most that can be won at the minimum
    wager, if greater. `set_by` says whether that figure is the limit itself (`document`), or the
    least (`at_least`) or the most (`at_most`) that the operator may set. With `unless_stated` it is
    also the limit if the operator states none.
    """

    clause: str
    covers: tuple[str, ...]
    set_by: Literal["document", "at_least", "at_most"]
    amount: int
    or_best_win: bool
    bound_clause: str
    shortens: Literal["largest", "last"]
    unless_stated: bool = False


class Option(_Form, frozen=True, kw_only=True):
    """Something that the operator states in the submission; `fixed` if the document decides it."""

    type: Literal["amount", "count", "yes_no", "choice"]
    words: str
    clause: str = ""
    must_state: bool = False
    needs_wager: str = ""
    default: str | int | bool | None = None
    fixed: bool | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


class Approval(_Form, frozen=True, kw_only=True):
    """An approval of the regulator that is required before a table opens: always, or only with a
    way of dealing or an option. `live`: only if real cards are dealt."""

    name: str
    words: str
    clause: str
    live: bool = True
    dealing: tuple[str, ...] = ()
    option: str = ""


class DealStep(_Form, frozen=True, kw_only=True):
    """Cards that leave the deck together: `cards` to each of `to` in turn, repeated `times` times.

    `players` are those in the round, seat 1 first. `at` is the reveal with which the cards leave
    the deck, if they do not leave it at the deal. `needs_wager`: only if that wager is offered.
    `waits`: they are next in the deck but stay in the machine until everyone has acted.
    """

    to: tuple[Literal["players", "dealer", "community", "box", "burn", "discard"], ...]
    cards: int = 1
    times: int = 1
    at: str = "deal"
    needs_wager: str = ""
    waits: bool = False
    clause: str


class DealVariant(_Form, frozen=True, kw_only=True):
    """One of several orders that a way of dealing allows, and the clause that allows it."""

    clause: str
    needs_shuffler: bool = False
    order: tuple[DealStep, ...]


class Dealing(_Form, frozen=True, kw_only=True):
    """A way of dealing that the document allows, and the order in which cards leave the deck.

    If the operator has a choice of orders, they are `variants`, and `options.deal_order` names one;
    the default is the first.
    """

    title: str
    clause: str
    needs_shuffler: bool = False
    needs_shuffler_clause: str = ""
    closes_bets: str = ""
    """The clause by which the dealer announces "no more bets"."""
    counts_chips: str = ""
    """The clause by which the progressive's chips are checked against the wagers accepted."""
    order: tuple[DealStep, ...] = ()
    variants: dict[str, DealVariant] = {}


class Procedure(_Form, frozen=True, kw_only=True):
    """The clauses behind the engine's steps and refusals, unless another section names them."""

    seated: str = ""
    """The clause that only a seated player may bet."""
    stays: str = ""
    """The clause that a player with cards stays until the round is over."""
    abandoned: str = ""
    """The clause by which the wagers of a player who left may be treated as lost; empty if there is
    none."""
    left_undecided: Literal["folds", "loses"] = "folds"
    """What happens to the questions that a player left open: declined as at the table, or all is
    lost."""
    late_bets: str = ""
    """The clause that nothing is placed, raised or withdrawn after "no more bets"."""
    shows_dealer: str = ""
    settles: str = ""
    collects: str = ""
    coupon_on: str = ""
    """The wager that a match play coupon may lie beside, if the operator takes coupons."""
    coupon_clause: str = ""


class ProgressiveClauses(_Form, frozen=True, kw_only=True):
    """The clauses for a progressive system; empty if the document has none."""

    late: str = ""
    """The clause that no wager is recognized after "no more bets"."""
    accepted: str = ""
    """The clause that only a wager accepted by the system is paid."""
    turn: str = ""
    """The clause that a meter pays what it shows at the player's turn."""
    once: str = ""
    """The clause that a hand gets only one payout, the highest."""


class Irregularity(_Form, frozen=True, kw_only=True):
    """An irregularity that the document foresees, and its effect on the round.

    `when`: the moments at which it can have happened; `only`: a further condition. `asks`: what a
    report must name. `effect`: the round goes on, is void (every wager returned) or void except for
    the wagers in `saves`, which are settled on a completed board; or one hand, or the wagers in
    `returns`, are void.
    """

    title: str
    clause: str
    clause_by: dict[str, str] = {}
    """The clause under other ways of dealing, if each has its own."""
    when: tuple[Literal["betting", "dealing", "playing", "settling", "between"], ...]
    only: Literal[
        "", "undealt", "deck_in_use", "stub_left", "undecided", "board_hidden", "unasked"
    ] = ""
    """In order: the cards are not out yet; cards are still to come from the deck; none are to come;
    somebody still has to decide; no community card is turned up; the seat has not been asked
    anything yet."""
    asks: tuple[Literal["cards", "card", "seat"], ...] = ()
    effect: Literal["goes_on", "void", "void_hand", "void_wagers"] = "void"
    saves: tuple[str, ...] = ()
    saves_clause: str = ""
    returns: tuple[str, ...] = ()
    card: Literal["", "set_aside", "next"] = ""
    """What happens to the named card: it is out of the round, or it is dealt next."""
    deck: Literal[
        "", "reshuffled", "removed", "coming_removed", "other_reshuffled", "other_removed"
    ] = "reshuffled"
    """What happens to this round's deck; to the coming round's if no card is out; or to the other
    one of two."""
    dealt_by: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    """The orders of dealing in which it can happen, by their names among the variants."""
    also: tuple[str, ...] = ()
    """Irregularities that are treated as this one at a table whose dealing does not allow for
    them."""
    counts: Literal["", "hand", "box"] = ""
    """Where the number of cards is wrong while the round goes on: the stub is short or over by the
    difference."""
    needs: tuple[Literal["shuffler", "counting_shuffler", "two_decks"], ...] = ()
    needs_floor: bool = False
    """Whether it takes a floorperson's decision, not only a dealer's report."""
    physical: bool = True
    """Whether only real cards and machines can do this; the cards of a virtual deck cannot lie face
    up."""
    hands: dict[str, str] = {}
    """What hands do then, by clause: shown with the report, before the next shuffle is
    requested."""


class CareStep(_Form, frozen=True, kw_only=True):
    """A step in the care of the cards: the clause, and the prompt for it."""

    clause: str
    words: str


class DeckLife(_Form, frozen=True, kw_only=True):
    """The number of hours after which a deck must be changed at the latest."""

    hours: int
    clause: str


class StubCount(_Form, frozen=True, kw_only=True):
    """The stub is counted at least every `every` rounds, unless a shuffler counts the deck."""

    every: int
    clause: str
    words: str
    right_clause: str
    wrong_clause: str


class CareRules(_Form, frozen=True, kw_only=True):
    """The life of a deck: what is done with the cards, in which order, and by which clause.

    `opening` has the steps before the first shuffle. `life` and `stub` are by way of dealing.
    """

    decks_clause: str
    cover_cards: int
    cover_cards_clause: str
    receive: CareStep
    backs_clause: str
    load: CareStep
    """With two decks: the step that puts one into the shuffler while the other is in play."""
    alternate_clause: str
    rack_clause: str
    life: dict[str, DeckLife] = {}
    opening: dict[Literal["inspect", "verify", "spread", "view", "turn", "wash", "stack"], CareStep]
    each_deck_clause: str
    prepared_clause: str = ""
    """The clause by which decks that were inspected and shuffled before need none of `opening`;
    empty if the document has none."""
    shuffle: CareStep
    again_clause: str
    """The clause for shuffling again after every round."""
    ordered_clause: str
    cut: CareStep
    cut_least: int
    recut_clause: str
    idle: CareStep
    reopen_clause: str
    remove: CareStep
    self_shuffling_clause: str = ""
    self_shuffling_waives: tuple[Literal["cut", "recut", "idle"], ...] = ()
    out_of_order: CareStep | None = None
    covered_clause: str = ""
    sign_clause: str = ""
    stub: dict[str, StubCount] = {}


class Guidance(_Form, frozen=True, kw_only=True):
    """A dealer's prompt at a step of the round, for what only hands can do.

    The step itself is a command that a named dealer or floorperson gives, and the round waits for
    it. `dealing` and `needs_wager`: only with that way of dealing, or if that wager is offered.
    """

    at: Literal[
        "betting", "count", "deal", "ask", "fold", "reveal", "show", "settle", "validate", "collect"
    ]
    words: str
    clause: str
    dealing: str = ""
    needs_wager: str = ""


class ReadingChoice(_Form, frozen=True, kw_only=True):
    """`set` maps places in the rulebook file to the value they take under this choice."""

    meaning: str
    set: dict[str, object] = {}


class Reading(_Form, frozen=True, kw_only=True):
    """A passage that can be read in more than one way. The first choice is the default."""

    ids: tuple[str, ...]
    question: str
    clauses: tuple[str, ...]
    reason: str
    effect: str = ""
    choices: dict[str, ReadingChoice]


class Spot(_Form, frozen=True, kw_only=True):
    """The place of a wager in front of each position, as its player sees it.

    `row` 1 is nearest the dealer; `across` counts spots from the middle, negative to the player's
    left. `symbol` is printed between this spot and the next one to the right. `device_clause`: the
    position has a device that takes the wager. `always`: on the felt even if the wager is not on
    offer.
    """

    row: int
    across: float = 0
    symbol: Literal["", "=", "+"] = ""
    clause: str
    device_clause: str = ""
    always: bool = False


class Area(_Form, frozen=True, kw_only=True):
    """A marked place that takes no wager. Without `each` there is one for the table.

    At the table row 0 is the dealer's edge and `across` counts card widths from the middle, to the
    right as the players see it; with `each` it is at every position, counted like its spots.
    """

    holds: Literal[
        "community", "dealer", "box", "third_card", "name", "chips", "drop", "tips", "discards"
    ]
    row: int
    across: float = 0
    each: bool = False
    needs_wager: str = ""
    clause: str = ""


NoticeKind: TypeAlias = Literal[
    "qualifies", "unqualified_push", "unqualified_win", "win_push", "multiples", "payout_limit"
]


class Layout(_Form, frozen=True, kw_only=True):
    """What the document requires on the felt or on a sign beside it.

    `notices` names the clause that requires a notice of a rule; its text follows from the rules in
    force. `odds`: as the paytables print them, or all of them worded "to". `limit_may_be_posted`:
    the felt may refer to a limit that is posted.
    """

    clause: str = ""
    odds_clause: str = ""
    odds: Literal["as_printed", "to"] = "as_printed"
    odds_words_clause: str = ""
    sign_clause: str = ""
    limit_may_be_posted: bool = False
    notices: dict[NoticeKind, str] = {}
    spots: dict[str, Spot]
    areas: tuple[Area, ...] = ()


class Rulebook(_Form, frozen=True, kw_only=True):
    id: str
    title: str
    jurisdiction: str
    document: str
    summary: str
    positions: Positions
    cards: Cards
    decks_clause: str
    deck: Deck = Deck()
    reveals: tuple[Reveal, ...]
    decisions: tuple[Decision, ...]
    rankings: dict[str, Ranking] = {}
    hands: dict[str, Hand]
    announces: str
    dealer: Dealer | None = None
    wagers: dict[str, Wager]
    required_clause: str
    paytables: dict[str, dict[str, Paytable]]
    choice_clauses: dict[str, str] = {}
    """The clause that requires the choice of a paytable, if it is not the tables' parent."""
    patterns: dict[str, Pattern] = {}
    bonuses: dict[str, Bonus] = {}
    envy: Envy | None = None
    link_clause: str = ""
    progressive: ProgressiveClauses = ProgressiveClauses()
    payout_limits: tuple[PayoutLimit, ...] = ()
    dealing: dict[str, Dealing]
    procedure: Procedure = Procedure()
    layout: Layout | None = None
    irregularities: dict[str, Irregularity] = {}
    care: CareRules | None = None
    guide: tuple[Guidance, ...] = ()
    options: dict[str, Option]
    readings: dict[str, Reading] = {}
    approvals: tuple[Approval, ...] = ()
