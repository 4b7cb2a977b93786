"""Explanations of why a wager won, lost or came back, from its line, the rulebook and the hands
compared.

One explainer serves settlements, screens, stories and reports. The player is "the player"
throughout, so that a page can replace it by "you". Hands that the reader may not know are left out
of `Holdings`, and the sentence then does without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from croupier.cards import RANKS
from croupier.money import Push, dollars, parse_pays
from croupier.ranking.hands import describe_named
from croupier.rounds.coupons import MATCH_PLAY
from croupier.rounds.paytable_lines import (
    as_subject,
    least_in_words,
    or_better,
    pattern_named,
    with_ranks,
    words_for,
)
from croupier.rounds.settlement import SeatOutcome, Settlement
from croupier.rounds.state import LineRecord, Reason, Round
from croupier.rulebooks.rankings import names_held
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    EitherHandBeaten,
    Hand,
    Pattern,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)


class Holdings(NamedTuple):
    """The hands that the reader may know: the player's by name, and the dealer's, as the journal
    writes them (`two_pair 62A`)."""

    player: Mapping[str, str] = {}
    dealer: str = ""

    @classmethod
    def at(cls, state: Round, number: int) -> Holdings:
        """Return every hand compared at the seat, for readers who may know them all."""
        seat = state.seat(number)
        return cls({} if seat is None else seat.holds, state.dealer_holds)


def holdings_of(seat: SeatOutcome, settlement: Settlement) -> Holdings:
    dealer = settlement.dealer
    return Holdings(seat.holds, "" if dealer is None else dealer.holds)


def sentence(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    """Return the wager's result, then why: "Trips pays 3 to 1 for three nines." """
    wager = rules.book.wagers.get(line.wager)
    title = line_title(line.wager, rules.book)
    fate = {"lose": "loses", "push": "pushes", "void": "comes back"}.get(line.result, "")
    if not fate:
        is_priced = wager is not None or line.wager in rules.book.bonuses
        fate = f"pays {line.pays}" if line.pays and is_priced else "pays"
    if line.result == "win" and (line.reason.code == "envy" or line.coupon):
        fate = f"pays {dollars(line.net)}"
    if line.result == "lose" and line.coupon:
        fate = "is taken"
    on_a_hand = line.reason.code in ("hand_paid", "bonus") and not line.reason.follows
    if line.result == "win" and on_a_hand:
        text = f"{title} {fate} for {_paid_hand(line.reason, rules, hands)}."
    else:
        text = f"{title} {fate}: {why(line, rules, hands)}."
    if line.reason.code == "taken_back":
        text = f"{title} was taken back."
    if line.stake_lost and line.result == "win":
        text += f" The stake of {dollars(line.stake)} is lost."
    return text + _cut(line) + _doubt(line, rules)


def explanation(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    """Return the reason, then the money, as in `A pair of aces beat the dealer's pair of fours: 1
    to 1, +$10.`"""
    text = f"{why(line, rules, hands)}: {_money(line)}.{_cut(line)}{_doubt(line, rules)}"
    return text[0].upper() + text[1:]


def why(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    """Return the reason alone, in lower case and without a period."""
    reason = line.reason
    words = _explained(line, rules, hands)
    if reason.follows:
        return f"as for {rules.book.wagers[reason.follows].title}, {words}"
    return words


def story(
    lines: Sequence[LineRecord], rules: Rules, hands: Holdings, *, folded: bool = False
) -> str:
    """Return a settled hand in a sentence or two that a player can check on the felt: "The player's
    two pair, sixes and twos, beat the dealer's pair of queens." Empty if there is nothing the
    reader may know."""
    if folded:
        return "The player folded."
    compared = _compared(lines, hands)
    parts = [compared] if compared else _paid_by_tables(lines, rules, hands)
    if any(line.reason.code == "dealer_did_not_qualify" for line in lines):
        least = rules.book.dealer
        needed = or_better(least_in_words(least)) if compared and least is not None else ""
        words = (
            f"the dealer does not qualify: it takes {needed}"
            if needed
            else _unqualified(rules.book, hands)
        )
        parts.append(words)
    return " ".join([f"{part[0].upper()}{part[1:]}." for part in parts])


def sentences_after_story(
    lines: Sequence[LineRecord], rules: Rules, hands: Holdings, *, folded: bool = False
) -> list[str]:
    """Return a sentence for each wager, without what `story` says already: "Ante pays 1 to 1." """
    if folded:
        return [_without(line, rules, hands, "", line.reason.code == "folded") for line in lines]
    is_compared = bool(_compared(lines, hands))
    shared = {line.reason.hand for line in lines if line.reason.code in _COMPARING}
    if not is_compared:
        shared = {line.reason.hand for line in lines if line.wager in rules.required}
    shared &= hands.player.keys()
    return [_after_story(line, rules, hands, shared, is_compared) for line in lines]


def _after_story(
    line: LineRecord, rules: Rules, hands: Holdings, shared: set[str], is_compared: bool
) -> str:
    """Return one wager's sentence. `shared` are the hands that the story has named."""
    reason, is_required = line.reason, line.wager in rules.required
    if reason.code == "dealer_did_not_qualify":
        return _without(line, rules, hands, "the dealer does not qualify")
    if reason.hand not in shared:
        return sentence(line, rules, hands)
    if reason.follows:
        return _without(line, rules, hands, f"as for {rules.book.wagers[reason.follows].title}")
    if reason.code == "beat_dealer" and line.result == "push" and reason.line:
        it_is = f"it is {words_for(reason.line, rules.book.patterns)}"
        return _without(line, rules, hands, it_is)
    if reason.code in _COMPARING:
        return _without(line, rules, hands, _COMPARING[reason.code](line, rules, hands).then)
    if reason.code == "below_paytable":
        is_told = is_required and not is_compared and len(shared) == 1
        left = "" if is_told else _takes(line, rules, hands.player[reason.hand])
        return _without(line, rules, hands, left, is_told or bool(left))
    return _without(line, rules, hands, "", is_required and not is_compared)


def _without(
    line: LineRecord, rules: Rules, hands: Holdings, left: str, is_told: bool = True
) -> str:
    """Return the sentence with its reason shortened to `left`."""
    whole = sentence(line, rules, hands)
    if not is_told:
        return whole
    if line.reason.code == "hand_paid" and not line.reason.follows:
        return whole.replace(f" for {_paid_hand(line.reason, rules, hands)}.", ".", 1)
    return whole.replace(f": {why(line, rules, hands)}.", f": {left}." if left else ".", 1)


def _compared(lines: Sequence[LineRecord], hands: Holdings) -> str:
    for line in lines:
        mine, code = hands.player.get(line.reason.hand), line.reason.code
        if code not in ("beat_dealer", "tied_dealer", "lost_to_dealer") or not mine:
            continue
        if code == "tied_dealer":
            return f"both hands are {_described(mine)}"
        own, theirs = map(_bare, _with_kickers(mine, hands.dealer))
        if code == "beat_dealer":
            return f"the player's {as_subject(own)} beat the dealer's {theirs}"
        return f"the dealer's {as_subject(theirs)} beat the player's {own}"
    return ""


def _paid_by_tables(lines: Sequence[LineRecord], rules: Rules, hands: Holdings) -> list[str]:
    """Return what the required wagers' paytables pay each hand, for a story without compared
    hands."""
    known = [line for line in lines if line.wager in rules.required]
    by_hand = {line.reason.hand: line for line in known if line.reason.hand in hands.player}
    if len(by_hand) > 1:
        return [_in_short(line, rules, hands) for line in by_hand.values()]
    return [words for line in by_hand.values() if (words := _by_table(line, rules, hands))]


def _in_short(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    title = rules.book.wagers[line.wager].title
    held = _described(hands.player[line.reason.hand])
    fate = {"win": f"pays {line.pays}", "lose": "not paid"}.get(line.result, "comes back")
    return f"{title}: {held}, {fate}"


def _by_table(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    held = hands.player[line.reason.hand]
    having = f"with {as_subject(_described(held))}"
    match line.reason.code:
        case "hand_paid":
            return f"{having} it pays {line.pays}"
        case "hand_returned":
            return f"{having} the bet comes back"
        case "below_paytable":
            needed = _needed(line.reason, rules, held)
            return f"{having} nothing is paid{f': {needed}' if needed else ''}"
        case _:
            return ""


def line_title(wager: str, book: Rulebook) -> str:
    """Return a line's title: its wager's, its bonus's, or the name of a coupon or Envy Bonus."""
    if wager in book.wagers:
        return book.wagers[wager].title
    if wager in book.bonuses:
        return book.bonuses[wager].title
    return "Match play coupon" if wager == MATCH_PLAY else "Envy Bonus"


def _money(line: LineRecord) -> str:
    if line.coupon:
        fates = {
            "win": f"the coupon is paid {dollars(line.net)} and taken",
            "lose": "the coupon is taken",
        }
        return fates.get(line.result, "the coupon goes back")
    if line.reason.code == "taken_back":
        return f"{dollars(line.stake)} came back"
    if line.result == "lose":
        return f"{dollars(line.stake)} is lost"
    if line.result != "win":
        return "the stake comes back"
    if line.reason.code == "envy":
        return f"{dollars(line.net)} in all"
    won = line.winnings + line.forgone
    lost = f", and the stake of {dollars(line.stake)} is lost" if line.stake_lost else ""
    return f"{line.pays}, {'+' if won >= 0 else ''}{dollars(won)}{lost}"


def _cut(line: LineRecord) -> str:
    if not line.limited_by:
        return ""
    return f" The payout limit ({line.limited_by}) takes {dollars(line.forgone)} off."


def _doubt(line: LineRecord, rules: Rules) -> str:
    """Return a note on a bet that a live table took before the cards were known, with a hand too
    weak for it."""
    if not line.too_weak_for:
        return ""
    for decision in rules.book.decisions:
        least = decision.only_with.get(line.too_weak_for)
        if decision.wager == line.wager and least is not None:
            needed = f"{line.too_weak_for} takes {or_better(least_in_words(least))}"
            clause = least.clause or decision.clause
            return f" But {needed} ({clause}): a floorperson decides whether the bet stands."
    return ""


# -- the reasons -----------------------------------------------------------------------------------


_PLAIN: Final[dict[str, str]] = {
    "folded": "the hand was folded",
    "not_confirmed": "the floorperson did not confirm it",
    "not_accepted": "no wager was accepted",
    "abandoned": "the player left the table and the wagers were ruled lost",
    "left_undecided": "the player left the table before the last decision",
    "hand_void": "the hand is void",
    "all_hands_void": "all hands are void",
    "wager_void": "the wager is void",
    "taken_back": "the player took it back",
}


def _explained(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    reason, book = line.reason, rules.book
    match reason.code:
        case "beat_dealer" | "tied_dealer" | "lost_to_dealer":
            comparison = _COMPARING[reason.code](line, rules, hands)
            return (
                f"{comparison.words}, {comparison.joint}{comparison.then}"
                if comparison.then
                else comparison.words
            )
        case "dealer_did_not_qualify":
            return _unqualified(book, hands)
        case "hand_paid" | "bonus":
            return f"{_subject(reason, book)} {_paid_hand(reason, rules, hands)}"
        case "hand_returned":
            held = hands.player.get(reason.hand)
            is_it = f"{_subject(reason, book)} {_described(held)}, which" if held else "the hand"
            return f"{is_it} is not paid but does not lose"
        case "below_paytable":
            return _below_paytable(line, rules, hands)
        case "bad_beat" | "no_bad_beat":
            return _bad_beat(line, rules, hands)
        case "best_hand_paid" | "best_hand_returned" | "best_hand_unpaid":
            return _best_hand(reason, rules)
        case "all_won" | "not_all_won":
            settles = book.wagers[reason.follows or line.wager].settles
            assert isinstance(settles, AllWon)
            titles = _listed([book.wagers[name].title for name in settles.wagers])
            return f"{titles} {'all won' if reason.code == 'all_won' else 'did not all win'}"
        case "envy":
            held_by_others = [words_for(hand, book.patterns) for hand in reason.met.values()]
            holds = "another player holds" if len(held_by_others) == 1 else "other players hold"
            return f"{holds} {_listed(held_by_others)}"
        case _:
            return _PLAIN[reason.code]


class _Comparison(NamedTuple):
    """How the hands compare, and what to add for this wager."""

    words: str
    then: str = ""
    joint: str = "but "


def _beat(line: LineRecord, rules: Rules, hands: Holdings) -> _Comparison:
    reason, words = line.reason, "the player beat the dealer"
    mine = hands.player.get(reason.hand)
    if mine and hands.dealer:
        own, theirs = _with_kickers(mine, hands.dealer)
        words = f"{as_subject(own)} beat the dealer's {_bare(theirs)}"
    if line.result == "win":
        return _Comparison(words)
    if reason.line:
        return _Comparison(words, f"{words_for(reason.line, rules.book.patterns)} only pushes")
    if not reason.table:
        taken = "returned" if line.result == "push" else "collected"
        return _Comparison(words, f"it is {taken} all the same")
    least = "" if line.result == "lose" else _needed(reason, rules, mine)
    return _Comparison(words, least or "the paytable has no line for it")


def _tied(line: LineRecord, _: Rules, hands: Holdings) -> _Comparison:
    mine = hands.player.get(line.reason.hand)
    words = f"both hands are {_described(mine)}" if mine else "the player tied the dealer"
    then = {"lose": "a tie loses", "win": "a tie is paid"}.get(line.result, "")
    return _Comparison(words, then, "and ")


def _lost(line: LineRecord, rules: Rules, hands: Holdings) -> _Comparison:
    reason, words = line.reason, "the dealer has the higher hand"
    mine = hands.player.get(reason.hand)
    if mine and hands.dealer:
        own, theirs = _with_kickers(mine, hands.dealer)
        words = f"{as_subject(own)} lost to the dealer's {_bare(theirs)}"
    elif reason.line:
        words = f"the player lost with {words_for(reason.line, rules.book.patterns)}"
    if line.result == "lose":
        return _Comparison(words)
    if line.result == "push":
        return _Comparison(words, "it is returned")
    settles = rules.book.wagers[reason.follows or line.wager].settles
    is_paid_anyway = (
        isinstance(settles, VersusDealer) and settles.qualified.higher.paytable == reason.table
    )
    if is_paid_anyway:
        return _Comparison(words, "it is paid whatever the dealer has")
    return _Comparison(words, "a bad beat", "")


_COMPARING: Final[dict[str, Callable[[LineRecord, Rules, Holdings], _Comparison]]] = {
    "beat_dealer": _beat,
    "tied_dealer": _tied,
    "lost_to_dealer": _lost,
}


def _unqualified(book: Rulebook, hands: Holdings) -> str:
    dealer = book.dealer
    if dealer is None or not hands.dealer:
        return "the dealer does not qualify"
    category, ranks = _parsed(hands.dealer)
    least = [RANKS.index(rank) for rank in dealer.of]
    needed = least_in_words(dealer)
    shown = 1
    if category == dealer.at_least:
        shown = (
            next((i for i, (x, y) in enumerate(zip(ranks, least, strict=False)) if x != y), 0) + 1
        )
    theirs = with_ranks(category, ranks, shown)
    has = as_subject(theirs)
    return f"the dealer has only {has} and needs {or_better(needed)} to qualify"


def _below_paytable(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    reason = line.reason
    held = hands.player.get(reason.hand)
    needed = _takes(line, rules, held)
    if not held:
        return needed or "the paytable has no line for the cards"
    is_it = f"{_subject(reason, rules.book)} {as_subject(_described(held)).rstrip(',')}"
    return f"{is_it}, and {needed or 'the paytable has no line for it'}"


def _takes(line: LineRecord, rules: Rules, held: str | None) -> str:
    """Return the hand required for payment, in the rulebook's words or by the lowest line of the
    paytable."""
    wager = rules.book.wagers.get(line.reason.follows or line.wager)
    if wager is not None and isinstance(wager.settles, VersusPaytable) and wager.settles.takes:
        return f"it takes {wager.settles.takes}"
    return _needed(line.reason, rules, held)


def _bad_beat(line: LineRecord, rules: Rules, hands: Holdings) -> str:
    reason, book = line.reason, rules.book
    is_dealers = book.dealer is not None and reason.hand == book.dealer.hand
    if reason.code == "bad_beat":
        held = hands.dealer if is_dealers else hands.player.get(reason.hand)
        words = _described(held) if held else words_for(reason.line, book.patterns)
        return f"the {'dealer' if is_dealers else 'player'} lost with {words}"
    least = least_paid(_table(reason, rules), book, reason.hand)
    if not least:
        return "no hand of the paytable was beaten"
    settles = book.wagers[reason.follows or line.wager].settles
    if isinstance(settles, EitherHandBeaten) and settles.loser == "player_only":
        return f"the player did not lose with {least}"
    return f"no hand of {least} was beaten"


def _best_hand(reason: Reason, rules: Rules) -> str:
    if reason.code == "best_hand_paid":
        return f"the best hand at the table is {words_for(reason.line, rules.book.patterns)}"
    if reason.code == "best_hand_returned":
        return "the best hand at the table is not paid but does not lose"
    least = least_paid(_table(reason, rules), rules.book, reason.hand)
    return f"no hand at the table is {least}" if least else "the best hand at the table is not paid"


def _table(reason: Reason, rules: Rules) -> Paytable:
    return rules.paytable(reason.table, reason.table_id or None)


# -- the words for hands ---------------------------------------------------------------------------


def _paid_hand(reason: Reason, rules: Rules, hands: Holdings) -> str:
    """Return the hand that a paytable paid on: the hand itself, or the line if it requires more
    than the hand's name says (suits, other cards)."""
    held, pattern = hands.player.get(reason.hand), pattern_named(reason.line, rules.book.patterns)
    if held and pattern == Pattern(
        category=pattern.category, made=pattern.made, words=pattern.words
    ):
        return _described(held)
    return words_for(reason.line, rules.book.patterns)


def _subject(reason: Reason, book: Rulebook) -> str:
    """Return the beginning of a sentence that says which cards the wager looks at: "the hand is" if
    they are those of the announced hand."""
    hand, announced = book.hands[reason.hand], book.hands[book.announces]
    if hand.ranking == "cards":
        return "the cards are"
    if hand.cards == announced.cards:
        return "the hand is"
    if hand.cards == ("community",):
        return "the board is"
    return f"{_places(hand)} make"


def _places(hand: Hand) -> str:
    words = []
    for place in sorted(hand.cards, key=lambda place: not place.startswith("player")):
        name, _, first = place.partition(":")
        count = f"first {_COUNTS[int(first)]} " if first else ""
        words.append(
            {
                "player": f"the player's {count}cards",
                "dealer": f"the dealer's {count}cards",
                "community": f"the {count}community cards",
                "box": f"the {count}bonus cards",
            }[name]
        )
    return _listed(words)


_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")


def _parsed(held: str) -> tuple[str, list[int]]:
    category, _, ranks = held.partition(" ")
    return category, [RANKS.index(rank) for rank in ranks]


def _described(held: str) -> str:
    return describe_named(*_parsed(held))


def _with_kickers(mine: str, theirs: str) -> tuple[str, str]:
    """Return two hands in words, with the kickers if a kicker decides between them."""
    (category, ranks), (their_category, others) = _parsed(mine), _parsed(theirs)
    words = describe_named(category, ranks), describe_named(their_category, others)
    if words[0] != words[1] or ranks == others:
        return words
    shown = next(i for i, (x, y) in enumerate(zip(ranks, others, strict=True)) if x != y) + 1
    return with_ranks(category, ranks, shown), with_ranks(their_category, others, shown)


def _bare(words: str) -> str:
    return words.removeprefix("a ").removeprefix("an ")


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# -- the least hand that is paid -------------------------------------------------------------------


class _Least(NamedTuple):
    words: str = ""
    place: int = 0
    """The category's index in its ranking."""
    is_part: bool = False
    """Whether only some hands of that category are paid."""


def least_paid(table: Paytable, book: Rulebook, hand: str) -> str:
    """Return the least hand that is paid, such as `a straight or better`, in whatever order the
    lines are written.

    Empty if the table pays on some hands and not on all higher ones; only the highest, which cannot
    be beaten, may be absent.
    """
    return _least(table, book, hand).words


def _needed(reason: Reason, rules: Rules, held: str | None) -> str:
    """Return the hand required for payment, or an empty string if the hand held is not below it: a
    hand in the paid range may still have no line of its own."""
    known = cast(
        dict[tuple[str, str, str], _Least],
        rules.prepared.setdefault(_Least, {}),
    )
    key = (reason.table, reason.table_id, reason.hand)
    least = known.get(key)
    if least is None:
        least = known[key] = _least(_table(reason, rules), rules.book, reason.hand)
    if not least.words:
        return ""
    if held:
        place = names_held(rules.book, reason.hand).index(_parsed(held)[0])
        if place > least.place or (place == least.place and not least.is_part):
            return ""
    return f"it takes {least.words}"


def lowest_line(table: Paytable, book: Rulebook, hand: str) -> str:
    """Return the lowest hand that a paytable pays on by name, in whatever order the lines are
    written."""
    paid = list(_paid_on(table, book, hand))
    if paid:
        return min(paid, key=lambda entry: entry[:2]).line
    return [line.hand for line in table.lines if not isinstance(parse_pays(line.pays), Push)][-1]


class _PaidOn(NamedTuple):
    """A line that pays, with the lowest category that it covers and the lowest rank in it."""

    place: int
    rank: int
    line: str
    places: frozenset[int]
    is_part: bool


def _paid_on(table: Paytable, book: Rulebook, hand: str) -> Iterator[_PaidOn]:
    names = names_held(book, hand)
    for line in table.lines:
        if isinstance(parse_pays(line.pays), Push):
            continue
        patterns = [pattern_named(name, book.patterns) for name in line.covers or (line.hand,)]
        if not all(p.category and (not p.hand or p.hand == hand) for p in patterns):
            continue
        places = frozenset(names.index(n) for p in patterns for n in p.category if n in names)
        if places:
            lowest = [p for p in patterns if names[min(places)] in p.category]
            tops = [RANKS.index(rank) for p in lowest for rank in p.made]
            is_part = all(p.made or p.ranks or p.suits or p.also or p.unless for p in lowest)
            yield _PaidOn(min(places), min(tops, default=0), line.hand, places, is_part)


def _least(table: Paytable, book: Rulebook, hand: str) -> _Least:
    last = len(names_held(book, hand)) - 1
    entries = list(_paid_on(table, book, hand))
    paid = frozenset[int]().union(*(entry.places for entry in entries))
    if not entries or paid | {last} != set(range(min(paid), last + 1)):
        return _Least()
    least = min(entries, key=lambda entry: entry[:2])
    words = words_for(least.line, book.patterns)
    if len(least.places) == 1 and least.place < last and not words.endswith(" or better"):
        words += " or better"
    return _Least(words, least.place, least.is_part)
