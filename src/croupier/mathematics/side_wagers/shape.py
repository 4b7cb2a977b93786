"""The shapes of side wagers that can be counted: cards, hands and lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.mathematics.game.course import cards_of, is_lost_with_fold
from croupier.mathematics.hand_values import MOST_CARDS
from croupier.mathematics.shapes import (
    Field,
    FieldCheck,
    Shape,
    any_fields,
    anything,
    exactly,
    is_made_of,
    nothing,
    pays_one_of,
    side_fields,
    unsolvable,
    within_limit,
)
from croupier.money import Fixed, For, Push, To
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Pattern,
    Resolver,
    VersusDealer,
    VersusPaytable,
)

_WAGER: Final[Mapping[str, FieldCheck]] = {
    **any_fields("wager", "equals", "needs", "taken_before_deal", "scales_seeds", "dealt_by"),
    "wager.stakes": anything,  # figures are for one stake that it takes
    "wager.after_fold": anything,  # the registry picks the way of counting for it
    "wager.settles": anything,  # the shape was picked by it
    "hands.ace_low": anything,
    **any_fields("line", "hand", "pays", "covers"),
    "settles.paytable": anything,
    "payout_limits.amount": within_limit,
    **any_fields("envy", "on", "hand", "tables", "per_dollar"),
    "envy.folded_holder": anything,  # every other player is taken to keep a hand that counts
    **any_fields(
        "pattern", *("category", "made", "ranks", "suited", "suits", "hand", "also", "unless")
    ),
}
_ANY_CARDS: Final[Mapping[str, FieldCheck]] = {
    **any_fields("cards", "player", "dealer", "community", "box"),
    **any_fields("deck", "ranks", "copies"),
    "dealer": anything,
    **any_fields("dealer", "hand", "at_least", "of"),
}
_ANY_RANKING: Final = any_fields("ranking", "by", "size", "order", "ace_low")


def _countable(rules: Rules, field: Field) -> str | None:
    """Accept cards that a hand has once each, at least as many as its ranking needs and few enough
    to visit every hand."""
    name, hand = next(item for item in rules.book.hands.items() if item[1] is field.owner)
    made = cards_of(hand, rules.book.cards)
    if made is None:
        return "every place once"
    least = max(1, ranking_of(rules.book, name).size)
    if least <= sum(made.values()) <= MOST_CARDS:
        return None
    return f"{least} to {MOST_CARDS} cards in all"


BY_PAYTABLE: Final = Shape(
    "a wager on what a hand shows",
    "a table on up to seven cards of the player, the dealer, the board and the box, in any ranking "
    "and with any ranks in one deck or several",
    {
        **_WAGER,
        **_ANY_CARDS,
        "settles.hand": anything,  # by `hands.cards`
        **any_fields("settles", "returns", "tested_first"),
        "hands.cards": _countable,
        "hands.ranking": anything,
        **_ANY_RANKING,
    },
)

_BEST_FIVE: Final = ("categories", 5)
_BY_STRENGTH: Final = nothing("hands of several people are paid by what they are worth")


def _suits_of_flush(_: Rules, field: Field) -> str | None:
    assert isinstance(field.owner, Pattern)
    return None if not field.value or field.owner.category else "suits of a flush that is named"


def _theirs(rules: Rules, field: Field) -> str | None:
    """Accept the dealer's hand, ranked like the hands that it is compared with."""
    if rules.book.dealer is None:
        return None
    ranked = _rankings_compared(rules)
    same = ranked[0] if len(set(ranked)) == 1 else "five_card"
    return is_made_of({"community": 5, "dealer": 2}, ranking=same)(rules, field)


def _rankings_compared(rules: Rules) -> list[str]:
    every = [wager.settles for wager in rules.book.wagers.values()]
    compared = [each.hand for each in every if isinstance(each, EitherHandBeaten | HighestHand)]
    return [rules.book.hands[name].ranking for name in compared]


def _by_five(rules: Rules, field: Field) -> str | None:
    """Accept the best five in any order of categories: a flush then needs three cards of
    the board."""
    own = rules.book.rankings.get(str(field.value))
    is_five = field.value == "five_card" if own is None else (own.by, own.size) == _BEST_FIVE
    return None if is_five else "a ranking of five cards by categories"


_SEVERAL_HANDS: Final[Mapping[str, FieldCheck]] = {
    **_WAGER,
    "deck.ranks": anything,
    "deck.copies": exactly(1),
    "hands.ranking": anything,
    **_ANY_RANKING,
    "pattern.ranks": _BY_STRENGTH,
    "pattern.suited": _BY_STRENGTH,
    "pattern.hand": _BY_STRENGTH,
    "pattern.suits": _suits_of_flush,
    "cards.player": exactly(2),
    "cards.community": exactly(5),
    "cards.box": anything,
    "dealer.hand": _theirs,
    "dealer.at_least": anything,  # a hand counts whether it qualifies or not
    "dealer.of": anything,
    "settles.hand": is_made_of({"community": 5, "player": 2}),
    "hands.cards": anything,  # by the fields that name the hand
}


def _present(_: Rules, field: Field) -> str | None:
    return "a dealer's hand" if field.value is None else None


BEATEN: Final = Shape(
    "a wager on the beaten hand",
    "the player's or the dealer's hand of seven in any ranking, two cards each on a board of five "
    "from one deck of any ranks",
    {
        **_SEVERAL_HANDS,
        "cards.dealer": exactly(2),
        "dealer": _present,
        "settles.loser": anything,
    },
)


def _two_if_any(rules: Rules, field: Field) -> str | None:
    return None if rules.book.dealer is None or field.value == 2 else "2"


HIGHEST: Final = Shape(
    "a wager on the highest hand",
    "the highest of all players' and the dealer's best five of seven in any order of categories, "
    "two cards each on a board of five from one deck of any ranks",
    {
        **_SEVERAL_HANDS,
        "hands.ranking": _by_five,
        "cards.dealer": _two_if_any,
        "dealer": anything,
        "settles.returns": anything,
    },
)

ALL_WON: Final = Shape(
    "a wager on others that all win",
    "wagers of a game of streets that is solved",
    {**_WAGER, **_ANY_CARDS, "settles.wagers": anything},
)


def _on_cards(rules: Rules, field: Field) -> str | None:
    """Accept only a followed wager that looks at cards, whether or not anyone folds."""
    wager = rules.book.wagers[str(field.value)]
    if not isinstance(wager.settles, VersusPaytable):
        return "a wager settled by a paytable"
    if is_lost_with_fold(rules.book, wager):
        return "a wager that stands after a fold"
    if rules.paytable(wager.settles.paytable).meters:
        return "a wager that no meter pays"
    return None


def _never_folded(rules: Rules, field: Field) -> str | None:
    lost = field.value == "loses" and is_lost_with_fold(rules.book, field.owner)  # type: ignore[arg-type]
    return "'stands'" if lost else None


FOLLOWER: Final = Shape(
    "a wager that follows another",
    "one that follows a wager settled by a paytable",
    {
        **_WAGER,
        **_ANY_CARDS,
        "wager.after_fold": _never_folded,
        "settles.wager": _on_cards,
        "settles.pays": pays_one_of(To, For, Push, Fixed),
    },
)


def _main_only(_: Rules, __: Field) -> str:
    return "a wager of its own; one against the dealer is solved as part of the main game"


AGAINST_DEALER: Final = Shape(
    "a side wager", "one that is not settled against the dealer", {"wager.settles": _main_only}
)

_SHAPES: Final[Mapping[type[Resolver], Shape]] = {
    VersusPaytable: BY_PAYTABLE,
    EitherHandBeaten: BEATEN,
    HighestHand: HIGHEST,
    AllWon: ALL_WON,
    Follows: FOLLOWER,
    VersusDealer: AGAINST_DEALER,
}


def check_side(rules: Rules, wager: str) -> None:
    """Refuse a wager that cannot be counted, with the field that prevents it."""
    settles = rules.book.wagers[wager].settles
    shape = _SHAPES[type(settles)]
    fields = side_fields(rules, wager)
    if shape is AGAINST_DEALER:
        fields = (field for field in fields if field.key == "wager.settles")
    misfit = next(shape.misfits(rules, fields), None)
    if misfit is not None:
        raise unsolvable(wager, misfit, shape)
    if isinstance(settles, Follows):
        check_side(rules, settles.wager)
