"""The games that the solver of hand against hand solves: no board, one decision."""

from __future__ import annotations

from math import comb
from typing import Final

from croupier.mathematics.game.course import cards_of
from croupier.mathematics.shapes.checks import (
    anything,
    at_one_stake,
    exactly,
    nothing,
    pays_one_of,
    some,
    within_limit,
)
from croupier.mathematics.shapes.fields import Field
from croupier.mathematics.shapes.shape import FieldCheck, Shape, told
from croupier.money import For, Push, To
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Bonus,
    Follows,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)

__all__ = ["BESIDE", "VERSUS"]

_MOST_CARDS: Final = 7
_MOST_STEPS: Final = 12 * 10**9
"""A minute or so of counting; four-card poker takes 10^9 steps."""
_MOST_BY_SUIT: Final = 3 * 10**8

_BY_STRENGTH: Final = nothing("wagers are paid by what the hand is worth")


def _few_cards(rules: Rules, field: Field) -> str | None:
    """So many that everything can be counted."""
    if not isinstance(field.value, int) or not 1 <= field.value <= _MOST_CARDS:
        return f"1 to {_MOST_CARDS}"
    if _steps(rules.book) > _MOST_STEPS:
        return "fewer cards, or fewer of the dealer's seen: these deals are too many to count"
    return None


def _steps(book: Rulebook) -> int:
    """How much there is to count: the dealer's hands with the sets of cards that each holds, and
    the player's with the same, both for every set of cards seen."""
    deck, own, theirs = 4 * len(book.deck.ranks), book.cards.player, book.cards.dealer
    seen = max((decision.sees_dealer for decision in book.decisions), default=0)
    if own + theirs > deck or seen > theirs:
        return 0  # others refuse it
    classes = comb(deck, seen) * comb(deck - seen, own) // 24
    if _by_longest_suit(book):
        return classes * _MOST_STEPS // _MOST_BY_SUIT
    others = theirs - seen
    sets = sum(comb(own, size) for size in range(min(own, others) + 1))
    shown = comb(deck, seen) // 12 + 1
    return shown * comb(deck - seen, others) * (1 << others) + 3 * classes * sets


def _by_longest_suit(book: Rulebook) -> bool:
    if book.dealer is None:
        return False
    ranking = book.rankings.get(book.hands[book.dealer.hand].ranking)
    return ranking is not None and ranking.by == "longest_suit"


def _present(_: Rules, field: Field) -> str | None:
    return "a dealer's hand" if field.value is None else None


def _hand_of(place: str) -> FieldCheck:
    """A hand's name in the field: made of all cards of one place, and ranked."""

    def check(rules: Rules, field: Field) -> str | None:
        hand = rules.book.hands[str(field.value)]
        whole = {place: getattr(rules.book.cards, place)}
        if cards_of(hand, rules.book.cards) != whole:
            return f"a hand of {place}, all cards of it, and it is {' with '.join(hand.cards)}"
        return "a hand with a ranking" if hand.ranking == "cards" else None

    return check


_OWN: Final = _hand_of("player")


def _compared(rules: Rules, field: Field) -> str | None:
    """One's own cards; against the dealer ranked as the dealer's are."""
    wrong = _OWN(rules, field)
    book = rules.book
    if wrong is not None or not isinstance(field.owner, VersusDealer) or book.dealer is None:
        return wrong
    own, theirs = book.hands[str(field.value)], book.hands[book.dealer.hand]
    if (own.ranking, own.ace_low) == (theirs.ranking, theirs.ace_low):
        return None
    return f"a hand ranked as the dealer's {book.dealer.hand!r} is ({theirs.ranking})"


def _followed(rules: Rules, field: Field) -> str | None:
    """A wager of the main game that looks at cards, or follows one that does."""
    wager = rules.book.wagers[str(field.value)]
    known = wager.role != "optional" and isinstance(
        wager.settles, VersusDealer | VersusPaytable | Follows
    )
    return None if known else "a wager of the main game that is settled by cards"


def _all_own(rules: Rules, field: Field) -> str | None:
    count = rules.book.cards.player
    return None if field.value == count else f"{count}, all own cards"


def _dealer_seen(rules: Rules, field: Field) -> str | None:
    """As many as whole reveals have turned up when the decision is put."""
    assert isinstance(field.value, int)
    shown = 0
    for reveal in rules.book.reveals:
        if shown < field.value:
            shown += reveal.dealer
    most = min(shown, rules.book.cards.dealer)
    return None if field.value == most else f"{most}: so many the reveals have turned up by then"


def _pays_besides(rules: Rules, field: Field) -> str | None:
    """A bonus pays odds: a fixed sum would hang on the stake."""
    assert isinstance(field.owner, Bonus)
    table: Paytable = rules.paytable(str(field.value))
    check = pays_one_of(To)
    for line in table.lines:
        wrong = check(rules, Field("", "", line.pays, line))
        if wrong is not None:
            return f"lines that pay {wrong}, and one pays {told(line.pays)}"
    return None


_WAGER: Final = {
    "equals": anything,  # they are all solved at one stake
    "needs": anything,
    "stakes": at_one_stake,
    "taken_before_deal": anything,  # odds give the stake back all the same
    "scales_seeds": anything,
    "after_fold": anything,
    "dealt_by": anything,
    "settles": exactly("versus_dealer", "paytable", "follows"),
}

_LINES: Final = {
    "hands.cards": anything,  # by the fields that name the hand
    "hands.ranking": anything,
    "hands.ace_low": anything,
    "ranking.by": anything,
    "ranking.size": anything,
    "ranking.order": anything,
    "ranking.ace_low": anything,
    "line.hand": anything,
    "line.covers": anything,
    "pattern.category": anything,
    "pattern.made": anything,
    "pattern.ranks": _BY_STRENGTH,
    "pattern.suited": _BY_STRENGTH,
    "pattern.suits": _BY_STRENGTH,
    "pattern.hand": _BY_STRENGTH,
    "pattern.also": anything,
    "pattern.unless": anything,
}

VERSUS: Final = Shape(
    "hand against hand without a board",
    "up to seven cards each for player and dealer from one deck of any ranks, ranked in any way; "
    "one decision with all own cards seen and some or none of the dealer's, with bets in multiples "
    "that may ask for a certain hand; all of it settled against the dealer's hand or by a table on "
    "the player's",
    {
        "cards.player": _few_cards,
        "cards.dealer": _few_cards,
        "cards.community": exactly(0),
        "cards.box": anything,  # cards that nobody sees
        "deck.ranks": anything,
        "deck.copies": exactly(1),
        "reveals.community": exactly(0),
        "reveals.player": exactly(0),
        "reveals.dealer": anything,  # by `decisions.sees_dealer`
        "decisions": exactly(1),
        "decisions.name": anything,
        "decisions.sees_player": _all_own,
        "decisions.sees_community": exactly(0),
        "decisions.sees_dealer": _dealer_seen,
        "decisions.only_with": anything,  # by its hands
        "only_with.hand": _OWN,
        "only_with.at_least": anything,
        "only_with.of": anything,
        "decisions.takes_back": nothing("no wager is taken back"),
        "decisions.wager": anything,
        "decisions.multiple_of": anything,  # every required wager is one unit
        "decisions.bets": anything,
        "decisions.otherwise": exactly("check", "fold"),
        "dealer": _present,
        "dealer.hand": _hand_of("dealer"),
        "dealer.at_least": anything,
        "dealer.of": anything,
        "required": some,
        "payout_limits.amount": within_limit,
        **{
            f"{role}.{name}": check
            for role in ("required", "decided")
            for name, check in _WAGER.items()
        },
        "settles.hand": _compared,
        "settles.paytable": anything,
        "settles.returns": anything,
        "settles.tested_first": anything,
        "settles.wager": _followed,
        "settles.pays": pays_one_of(To, For),
        "folded.do": exactly("collect", "return"),
        "folded.paytable": anything,
        "folded.stake_stays": anything,
        "folded.otherwise": anything,
        "outcome.do": anything,
        "outcome.paytable": anything,
        "outcome.stake_stays": anything,
        "outcome.otherwise": anything,
        "bonus.on": anything,
        "bonus.hand": _OWN,
        "bonus.paytable": _pays_besides,
        "line.pays": pays_one_of(To, For, Push),
        **_LINES,
    },
)

BESIDE: Final = Shape(
    "a wager beside hand against hand",
    "a table on the player's own cards, by what they are worth in any ranking",
    {
        **_LINES,
        **{f"cards.{place}": anything for place in ("player", "dealer", "community", "box")},
        "deck.ranks": anything,
        "deck.copies": anything,
        **dict.fromkeys(("dealer", "dealer.hand", "dealer.at_least", "dealer.of"), anything),
        **{f"wager.{name}": anything for name in _WAGER},
        "wager.settles": exactly("paytable"),
        "settles.hand": _OWN,
        "settles.paytable": anything,
        "settles.returns": anything,
        "settles.tested_first": anything,
        "line.pays": anything,
        "payout_limits.amount": within_limit,
        **{f"envy.{name}": anything for name in ("on", "hand", "tables", "per_dollar")},
        "envy.folded_holder": anything,  # envy is left out of sessions
    },
)
