"""The games that the main solvers take: the fields they understand, and their allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Final

from croupier.mathematics.game.course import cards_of, led_by, seen_by
from croupier.mathematics.shapes import (
    ONE_DECK_OF_52,
    Field,
    FieldCheck,
    Shape,
    anything,
    at_one_stake,
    exactly,
    is_made_of,
    main_fields,
    name_of_its_own,
    nothing,
    pays_one_of,
    some,
    unsolvable,
    value_in_words,
    within_limit,
)
from croupier.money import For, Push, To
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Bonus,
    Decision,
    Follows,
    Hand,
    LeastHand,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)

_MOST_CARDS: Final = 7


def check_main_game(rules: Rules, shape: Shape) -> None:
    """Refuse a game that the solver of this shape does not model."""
    misfit = next(shape.misfits(rules, main_fields(rules)), None)
    if misfit is not None:
        raise unsolvable("the main game", misfit, shape)


# -- fields of several shapes ---------------------------------------------------------------------


def _any(key: str, *names: str) -> dict[str, FieldCheck]:
    """Return fields in which everything is understood, or changes nothing."""
    return {f"{key}.{name}": anything for name in names}


_WAGER: Final = ("equals", "needs", "taken_before_deal", "scales_seeds", "after_fold", "dealt_by")
"""All are solved at one stake, and odds give the stake back all the same."""


def _main_wagers(*resolvers: str) -> dict[str, FieldCheck]:
    """Accept required and decided wagers that are settled by one of these resolvers."""
    fields: dict[str, FieldCheck] = {}
    for role in ("required", "decided"):
        fields |= _any(role, *_WAGER)
        fields |= {f"{role}.stakes": at_one_stake, f"{role}.settles": exactly(*resolvers)}
    return fields


_LINES: Final[Mapping[str, FieldCheck]] = {
    **_any("hands", "cards", "ranking", "ace_low"),  # by the fields that name the hand
    **_any("ranking", "by", "size", "order", "ace_low"),
    **_any("line", "hand", "covers"),
    "line.pays": pays_one_of(To, For, Push),
    **_any("pattern", "category", "made", "ranks", "suited", "suits", "hand", "also", "unless"),
}


def _no_patterns(why: str, *names: str) -> dict[str, FieldCheck]:
    return {f"pattern.{name}": nothing(why) for name in names}


_EVERY_GAME: Final[Mapping[str, FieldCheck]] = {
    "cards.box": anything,  # cards that nobody sees
    "reveals.dealer": exactly(0),
    "decisions.bets": anything,  # an answer is known by its decision
    "decisions.sees_dealer": exactly(0),
    "required": some,
    "payout_limits.amount": within_limit,
    **_LINES,
}


def _is_there(_: Rules, field: Field) -> str | None:
    return "a dealer's hand" if field.value is None else None


_AGAINST_DEALER: Final[Mapping[str, FieldCheck]] = {
    **_EVERY_GAME,
    "decisions.takes_back": nothing("no wager is taken back"),
    "decisions.multiple_of": anything,  # every required wager is one unit
    "decisions.otherwise": exactly("check", "fold"),
    "dealer": _is_there,
    **_any("dealer", "at_least", "of"),
    **_any("folded", "paytable", "stake_stays", "otherwise"),
    "folded.do": exactly("collect", "return"),
    **_any("outcome", "do", "paytable", "stake_stays", "otherwise"),
    "bonus.on": anything,
}


def _board_seen(rules: Rules, field: Field) -> str | None:
    _, shown = seen_by(rules, field.owner)
    return None if shown == field.value else f"{shown}, all that the reveals have turned up by then"


# -- hold'em --------------------------------------------------------------------------------------


def _own_cards_seen(rules: Rules, field: Field) -> str | None:
    """Accept both own cards seen from the first decision on."""
    own, _ = seen_by(rules, field.owner)
    if own == rules.book.cards.player == field.value:
        return None
    return f"{rules.book.cards.player}, all own cards, with no reveal of them (here {own} are seen)"


_BELOW_FLUSH: Final = ("straight", "three_of_a_kind", "two_pair", "pair", "high_card")
"""The categories of seven cards besides a flush."""
_SEVEN: Final = is_made_of({"community": 5, "player": 2})


def _own(rules: Rules, field: Field) -> str | None:
    """Accept all seven cards, ranked like the dealer's."""
    book = rules.book
    ranking = book.hands[book.dealer.hand].ranking if book.dealer else "five_card"
    if book.hands[str(field.value)].ranking != ranking:
        return f"a hand ranked like the dealer's, {ranking!r}"
    return _SEVEN(rules, field)


def _some_bet(_: Rules, field: Field) -> str | None:
    return None if field.value else "a wager that is bet there"


def _one_at_the_river(rules: Rules, field: Field) -> str | None:
    """Accept one wager decided on all five community cards, though it may be offered twice."""
    assert isinstance(field.owner, Decision)
    if not field.value:
        return _some_bet(rules, field)
    last = [d.wager for d in rules.book.decisions if d.sees_community == 5]
    if field.owner.sees_community == 5 and field.value != last[0]:
        return f"{last[0]!r}: one wager is decided on all five community cards"
    return None


def _enough(_: Rules, field: Field) -> str | None:
    return None if 4 * len(str(field.value)) >= 9 else "nine cards at least"


def _flush_on_top(rules: Rules, field: Field) -> str | None:
    """Accept the usual ranking of five cards, or a ranking of the rulebook's own in which a flush
    beats everything else that seven cards can be."""
    own = rules.book.rankings.get(str(field.value))
    if own is None:
        return None if field.value == "five_card" else "'five_card' or a ranking of five cards"
    if own.by != "categories" or own.size != 5:
        return "a ranking by the categories of five cards"
    names = (*own.order, "high_card")
    above = names[: names.index("flush")] if "flush" in names else names
    return f"a flush above {', '.join(_BELOW_FLUSH)}" if set(_BELOW_FLUSH) & set(above) else None


HOLDEM: Final = Shape(
    "hold'em against the dealer",
    "two cards each for player and dealer, and a board of five turned up in any steps, at which "
    "one wager or several may be bet in multiples, each of them once; a check or a fold at any "
    "decision; all of it settled by the best five of seven cards against the dealer's, with "
    "bonuses by those seven cards, from one deck of any ranks and in any order of categories with "
    "a flush above the straight",
    {
        **_AGAINST_DEALER,
        "cards.player": exactly(2),
        "cards.dealer": exactly(2),
        "cards.community": exactly(5),
        "reveals.community": anything,  # by `decisions.sees_community`
        "reveals.player": anything,  # by `decisions.sees_player`
        **ONE_DECK_OF_52,
        "deck.ranks": _enough,
        "decisions": some,
        "decisions.name": name_of_its_own,
        "decisions.sees_player": _own_cards_seen,
        "decisions.sees_community": _board_seen,
        "decisions.only_with": nothing("every bet may be made with any hand"),
        "decisions.wager": _one_at_the_river,
        "dealer.hand": is_made_of({"community": 5, "dealer": 2}),
        **_main_wagers("versus_dealer"),
        "settles.hand": _own,
        "bonus.hand": _own,
        "bonus.paytable": anything,
        "hands.ranking": _flush_on_top,  # and five cards always know the low straight
        **_no_patterns(
            "a wager against the dealer is paid by what the hand is worth",
            *("ranks", "suited", "suits", "hand", "also", "unless"),
        ),
    },
)


# -- hold'em on a short board ---------------------------------------------------------------------


def _whole(place: str, rules: Rules, name: str) -> str | None:
    """Accept a hand of two cards and the whole board."""
    book = rules.book
    if cards_of(book.hands[name], book.cards) == {"community": book.cards.community, place: 2}:
        return None
    return f"a hand of the whole board with {place}:2, and it is {name!r}"


def _dealers_with_board(rules: Rules, field: Field) -> str | None:
    return _whole("dealer", rules, str(field.value))


def _own_with_board(rules: Rules, field: Field) -> str | None:
    book = rules.book
    if book.dealer is None:
        return "a hand compared with the dealer's"
    if ranking_of(book, str(field.value)) is not ranking_of(book, book.dealer.hand):
        return f"a hand ranked like the dealer's, {book.hands[book.dealer.hand].ranking!r}"
    return _whole("player", rules, str(field.value))


SHORT_BOARDS: Final = Shape(
    "hold'em on a short board",
    "two cards each for player and dealer, and a board of three or four turned up in any steps, at "
    "which several wagers may be bet in multiples, each of them once; a fold at any decision; all "
    "of it settled by the best of these cards in any ranking against the dealer's, from one deck "
    "of any ranks",
    {
        **HOLDEM.takes,
        "cards.community": exactly(3, 4),
        "decisions.wager": _some_bet,
        "deck.ranks": anything,
        "hands.ranking": anything,
        "settles.hand": _own_with_board,
        "bonus.hand": _own_with_board,
        "dealer.hand": _dealers_with_board,
    },
)


# -- hand against hand ----------------------------------------------------------------------------


_MOST_STEPS: Final = 12 * 10**9
"""About a minute of counting; four-card poker takes 10^9 steps."""
_MOST_BY_SUIT: Final = 3 * 10**8


def _few_cards(rules: Rules, field: Field) -> str | None:
    """Accept numbers of cards small enough to count everything."""
    if not isinstance(field.value, int) or not 1 <= field.value <= _MOST_CARDS:
        return f"1 to {_MOST_CARDS}"
    if _steps(rules.book) > _MOST_STEPS:
        return "fewer cards, or fewer of the dealer's seen: these deals are too many to count"
    return None


def _steps(book: Rulebook) -> int:
    """Return the amount of counting: the dealer's hands with the sets of cards that each holds, and
    the player's likewise, both for every set of cards seen."""
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


def _hand_of(place: str) -> FieldCheck:
    """Accept a hand's name: made of all cards of one place, and ranked."""

    def check(rules: Rules, field: Field) -> str | None:
        hand = rules.book.hands[str(field.value)]
        whole = {place: getattr(rules.book.cards, place)}
        if cards_of(hand, rules.book.cards) != whole:
            return f"a hand of {place}, all cards of it, and it is {' with '.join(hand.cards)}"
        return "a hand with a ranking" if hand.ranking == "cards" else None

    return check


_ALL_OWN: Final = _hand_of("player")


def _compared(rules: Rules, field: Field) -> str | None:
    """Accept one's own cards; against the dealer ranked like the dealer's."""
    wrong = _ALL_OWN(rules, field)
    book = rules.book
    if wrong is not None or not isinstance(field.owner, VersusDealer) or book.dealer is None:
        return wrong
    own, theirs = book.hands[str(field.value)], book.hands[book.dealer.hand]
    if (own.ranking, own.ace_low) == (theirs.ranking, theirs.ace_low):
        return None
    return f"a hand ranked like the dealer's {book.dealer.hand!r} is ({theirs.ranking})"


def _followed_by_cards(rules: Rules, field: Field) -> str | None:
    """Accept a wager of the main game that looks at cards, or follows one that does."""
    wager = rules.book.wagers[str(field.value)]
    known = wager.role != "optional" and isinstance(
        wager.settles, VersusDealer | VersusPaytable | Follows
    )
    return None if known else "a wager of the main game that is settled by cards"


def _all_own(rules: Rules, field: Field) -> str | None:
    count = rules.book.cards.player
    return None if field.value == count else f"{count}, all own cards"


def _dealer_seen(rules: Rules, field: Field) -> str | None:
    """Accept as many cards as whole reveals have turned up when the decision is put."""
    assert isinstance(field.value, int)
    shown = 0
    for reveal in rules.book.reveals:
        if shown < field.value:
            shown += reveal.dealer
    most = min(shown, rules.book.cards.dealer)
    return None if field.value == most else f"{most}, all that the reveals have turned up by then"


def _pays_besides(rules: Rules, field: Field) -> str | None:
    """Accept odds as the pay of a bonus: a fixed sum would depend on the stake."""
    assert isinstance(field.owner, Bonus)
    table: Paytable = rules.paytable(str(field.value))
    check = pays_one_of(To)
    for line in table.lines:
        wrong = check(rules, Field("", "", line.pays, line))
        if wrong is not None:
            return f"lines that pay {wrong}, and one pays {value_in_words(line.pays)}"
    return None


_BY_VALUE: Final = _no_patterns(
    "wagers are paid by what the hand is worth", "ranks", "suited", "suits", "hand"
)

VERSUS: Final = Shape(
    "hand against hand without a board",
    "up to seven cards each for player and dealer from one deck of any ranks, ranked in any way; "
    "one decision with all own cards seen and some or none of the dealer's, with bets in multiples "
    "that may ask for a certain hand; all of it settled against the dealer's hand or by a table on "
    "the player's",
    {
        **_AGAINST_DEALER,
        "cards.player": _few_cards,
        "cards.dealer": _few_cards,
        "cards.community": exactly(0),
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
        "only_with.hand": _ALL_OWN,
        **_any("only_with", "at_least", "of"),
        "decisions.wager": anything,
        "dealer.hand": _hand_of("dealer"),
        **_main_wagers("versus_dealer", "paytable", "follows"),
        "settles.hand": _compared,
        **_any("settles", "paytable", "returns", "tested_first"),
        "settles.wager": _followed_by_cards,
        "settles.pays": pays_one_of(To, For),
        "bonus.hand": _ALL_OWN,
        "bonus.paytable": _pays_besides,
        **_BY_VALUE,
    },
)

BESIDE: Final = Shape(
    "a wager beside hand against hand",
    "a table on the player's own cards, by what they are worth in any ranking",
    {
        **_LINES,
        **_BY_VALUE,
        **_any("cards", "player", "dealer", "community", "box"),
        **_any("deck", "ranks", "copies"),
        "dealer": anything,
        **_any("dealer", "hand", "at_least", "of"),
        **_any("wager", *_WAGER, "stakes"),
        "wager.settles": exactly("paytable"),
        "settles.hand": _ALL_OWN,
        **_any("settles", "paytable", "returns", "tested_first"),
        "line.pays": anything,
        "payout_limits.amount": within_limit,
        **_any("envy", "on", "hand", "tables", "per_dollar"),
        "envy.folded_holder": anything,  # envy is left out of sessions
    },
)


# -- streets --------------------------------------------------------------------------------------


_OWN_AND_BOARD: Final = "a hand of the player's and the community cards"


def _absent(_: Rules, field: Field) -> str | None:
    return None if field.value is None else "no dealer's hand"


def _own_seen(rules: Rules, field: Field) -> str | None:
    own, _ = seen_by(rules, field.owner)
    return None if own == field.value else f"{own}, all own cards seen by then"


def _taken_back(book: Rulebook) -> list[str]:
    return [decision.takes_back for decision in book.decisions if decision.takes_back]


def _a_unit(rules: Rules, field: Field) -> str | None:
    """Accept required wagers of one unit each, as long as they stand."""
    assert isinstance(field.owner, Decision)
    if not field.owner.bets:
        return None
    if field.value in rules.required and field.value not in _taken_back(rules.book):
        return None
    return "a required wager that is never taken back"


def _bet_once(rules: Rules, field: Field) -> str | None:
    """Accept a wager that is not offered again after it is gone."""
    bets = [decision.wager for decision in rules.book.decisions]
    again = bool(field.value) and bets.count(str(field.value)) > 1
    return "a wager that one decision puts down" if again else None


def _own_or_board(rules: Rules, field: Field) -> str | None:
    assert isinstance(field.owner, Hand)
    made = cards_of(field.owner, rules.book.cards)
    if made is None or not set(made) <= {"player", "community"}:
        return f"{_OWN_AND_BOARD}, each place once"
    fits = 0 < sum(made.values()) <= _MOST_CARDS
    return None if fits else f"{_OWN_AND_BOARD}, one to {_MOST_CARDS} of them"


def _seen_hand(rules: Rules, field: Field) -> str | None:
    """Accept a bet that depends on a hand only if all its cards are seen."""
    least = field.owner
    decision = next(
        d for d in rules.book.decisions if any(each is least for each in d.only_with.values())
    )
    assert isinstance(least, LeastHand)
    seen = dict(zip(("player", "community"), seen_by(rules, decision), strict=True))
    for text in rules.book.hands[least.hand].cards:
        place, _, first = text.partition(":")
        needed = int(first) if first else getattr(rules.book.cards, place)
        if needed > seen.get(place, 0):
            return "a hand whose cards are all seen at the decision"
    return None


def _followed_to_the_end(rules: Rules, field: Field) -> str | None:
    """Accept a wager that stands whenever this one does, and that looks at cards in the end."""
    name, book = str(field.value), rules.book
    led = book.wagers[led_by(book, name)].settles
    if not isinstance(led, VersusPaytable):
        return "a wager settled by a paytable"
    if name not in rules.required or name in _taken_back(book):
        return "a required wager that is never taken back"
    return None


def _never_taken_back(rules: Rules, field: Field) -> str | None:
    back = field.value in _taken_back(rules.book)
    return "a wager that is never taken back" if back else None


STREETS: Final = Shape(
    "streets without a dealer's hand",
    "own and community cards turned up in steps, at each of which a player may bet in multiples, "
    "fold, check or take a wager back; wagers paid by tables on named hands of these cards, in any "
    "ranking, with one deck of any ranks",
    {
        **_EVERY_GAME,
        "deck.ranks": anything,
        "deck.copies": exactly(1),
        "cards.player": some,
        "cards.dealer": exactly(0),
        "cards.community": anything,
        **_any("reveals", "community", "player"),
        "decisions": anything,
        "decisions.name": name_of_its_own,
        "decisions.sees_player": _own_seen,
        "decisions.sees_community": _board_seen,
        "decisions.wager": anything,
        "decisions.multiple_of": _a_unit,
        "decisions.only_with": anything,  # by the hand, as follows
        "decisions.takes_back": _bet_once,
        "decisions.otherwise": anything,
        "only_with.hand": _seen_hand,
        **_any("only_with", "at_least", "of"),
        "dealer": _absent,
        **_main_wagers("paytable", "follows"),
        **_any("settles", "hand", "paytable", "returns", "tested_first"),
        "settles.wager": _followed_to_the_end,
        "settles.pays": pays_one_of(To, For),
        "bonus.on": _never_taken_back,
        **_any("bonus", "hand", "paytable"),
        "hands.cards": _own_or_board,
    },
)
