"""The nine casino games once more, written from their rules alone: slow, and nothing shared with
the engine but the cards. Stakes and results are in cents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.cards import RANKS, Card
from tests.ranking.slow import slow_value

FIVE = (
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"),
    *("three_of_a_kind", "two_pair", "pair", "high_card"),
)
FOUR = (
    *("four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair"),
    *("pair", "high_card"),
)
THREE = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card")


class Worth(NamedTuple):
    """Compares as hands do: a higher place is better."""

    place: int
    ranks: tuple[int, ...]
    name: str = ""


class Played(NamedTuple):
    own: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]
    said: tuple[str, ...]
    bets: Mapping[str, int]


Nets = dict[str, int]
Pays = Mapping[str, int | Fraction]


def best(cards: Sequence[Card], order: tuple[str, ...], size: int) -> Worth:
    name, ranks = slow_value(cards, order, size)
    return Worth(-order.index(name), ranks, name)


def suit(cards: Sequence[Card]) -> Worth:
    suits = [
        sorted((card.rank for card in cards if card.suit == s), reverse=True) for s in range(4)
    ]
    ranks = max(suits, key=lambda held: (len(held), held))
    return Worth(len(ranks), tuple(ranks))


def rank(letter: str) -> int:
    return RANKS.index(letter)


def by(pays: Pays, held: Worth, stake: int, *, pair_from: str = "") -> int:
    """What a table pays; a pair below `pair_from` and a hand without a line lose."""
    if held.name == "pair" and pair_from and held.ranks[0] < rank(pair_from):
        return -stake
    found = pays.get(held.name)
    return -stake if found is None else int(found * stake)


def compared(mine: Worth, theirs: Worth, stake: int, pays: int | Fraction = 1, tie: int = 0) -> int:
    """Won at `pays`, returned or paid on a tie, or lost."""
    if mine[:2] == theirs[:2]:
        return tie * stake
    return int(stake * pays) if mine[:2] > theirs[:2] else -stake


def table(names: Sequence[str], *pays: int | Fraction) -> Pays:
    return dict(zip(names, pays, strict=False))


# -- the games ------------------------------------------------------------------------------------


def casino_holdem(played: Played) -> Nets:
    own, dealer, board, (said,), bets = played
    ante = bets["ante"]
    nets = {"ante": -ante}
    if said != "fold":
        mine, theirs = best(own + board, FIVE, 5), best(dealer + board, FIVE, 5)
        pays = table(FIVE, 100, 20, 10, 3, 2).get(mine.name, 1)
        qualifies = theirs.name != "high_card" and not (
            theirs.name == "pair" and theirs.ranks[0] < rank("4")
        )
        if qualifies:
            nets = {
                "ante": compared(mine, theirs, ante, pays),
                "call": compared(mine, theirs, 2 * ante),
            }
        else:
            nets = {"ante": int(ante * pays), "call": 0}
    aa = table(FIVE, 100, 50, 40, 30, 20, 7, 7, 7, 7)
    return nets | {"aa": by(aa, best(own + board[:3], FIVE, 5), bets["aa"], pair_from="A")}


def texas_holdem_bonus(played: Played) -> Nets:
    own, dealer, board, said, bets = played
    ante = bets["ante"]
    nets = {"ante": -ante}
    if said[0] != "fold":
        mine, theirs = best(own + board, FIVE, 5), best(dealer + board, FIVE, 5)
        won = compared(mine, theirs, ante)
        is_strong = FIVE.index(mine.name) <= FIVE.index("straight")
        nets = {"ante": won if won < 0 or is_strong else 0, "flop": 2 * won}
        nets |= {
            name: won
            for name, word in zip(("turn", "river"), said[1:], strict=True)
            if word == "1x"
        }
    return nets | {"bonus": _bonus(own, dealer) * bets["bonus"]}


def _bonus(own: tuple[Card, ...], dealer: tuple[Card, ...]) -> int:
    ranks = "".join(sorted((RANKS[card.rank] for card in own), key=RANKS.index, reverse=True))
    suited = own[0].suit == own[1].suit
    if ranks == "AA":
        return 1000 if all(RANKS[card.rank] == "A" for card in dealer) else 30
    if ranks == "AK":
        return 25 if suited else 15
    if ranks in ("AQ", "AJ"):
        return 20 if suited else 5
    if ranks in ("KK", "QQ", "JJ"):
        return 10
    return 3 if ranks[0] == ranks[1] else -1


def three_card_poker(played: Played) -> Nets:
    own, dealer, _, (said,), bets = played
    ante = bets["ante"]
    mine, theirs = best(own, THREE, 3), best(dealer, THREE, 3)
    nets = {"ante": -ante}
    if said != "fold":
        if theirs.name == "high_card" and theirs.ranks[0] < rank("Q"):
            nets = {"ante": ante, "play": 0}
        else:
            nets = dict.fromkeys(("ante", "play"), compared(mine, theirs, ante))
    nets["pair_plus"] = by(table(THREE, 40, 30, 6, 4, 1), mine, bets["pair_plus"])
    six = table(FIVE, 1000, 200, 50, 25, 20, 10, 5)
    nets["six_card_bonus"] = by(six, best(own + dealer, FIVE, 5), bets["six_card_bonus"])
    bonus = table(THREE, 5, 4, 1).get(mine.name)
    if said != "fold" and bonus is not None:
        nets["ante_bonus"] = int(bonus * ante)
    return nets


def caribbean_stud(played: Played) -> Nets:
    own, dealer, _, (said,), bets = played
    ante = bets["ante"]
    mine, theirs = best(own, FIVE, 5), best(dealer, FIVE, 5)
    nets = {"ante": -ante}
    if said != "fold":
        if theirs.name == "high_card" and theirs.ranks[:2] != (rank("A"), rank("K")):
            nets = {"ante": ante, "raise": 0}
        else:
            pays = table(FIVE, 100, 50, 20, 7, 5, 4, 3, 2).get(mine.name, 1)
            nets = {
                "ante": compared(mine, theirs, ante),
                "raise": compared(mine, theirs, 2 * ante, pays),
            }
    sums = {"royal_flush": 10_000_00, "straight_flush": 1_000_00, "four_of_a_kind": 100_00}
    sums |= {"full_house": 75_00, "flush": 50_00}
    return nets | {"progressive": sums.get(mine.name, 0) - 100}


def let_it_ride(played: Played) -> Nets:
    own, _, board, said, bets = played
    pays = table(FIVE, 1000, 200, 50, 11, 8, 5, 3, 2, 1)
    each = by(pays, best(own + board, FIVE, 5), bets["bet_1"], pair_from="T")
    nets = dict.fromkeys(("bet_1", "bet_2", "bet_3"), each)
    for name, word in zip(("bet_1", "bet_2"), said, strict=True):
        if word == "take_back":
            nets[name] = 0
    bonus = by(table(THREE, 40, 30, 6, 3, 1), best(own, THREE, 3), bets["three_card_bonus"])
    return nets | {"three_card_bonus": bonus}


def mississippi_stud(played: Played) -> Nets:
    own, _, board, said, bets = played
    streets = ("third_street", "fourth_street", "fifth_street")
    stakes = {"ante": bets["ante"]}
    for name, word in zip(streets, said, strict=False):
        if word != "fold":
            stakes[name] = int(word[0]) * bets["ante"]
    held = best(own + board, FIVE, 5)
    pays = table(FIVE, 500, 100, 40, 10, 6, 4, 3, 2, 1)
    if held.name == "pair" and rank("6") <= held.ranks[0] <= rank("T"):
        pays = {"pair": 0}
    elif held.name == "pair" and held.ranks[0] < rank("6"):
        pays = {}
    folded = "fold" in said
    nets = {n: -stake if folded else by(pays, held, stake) for n, stake in stakes.items()}
    bonus = by(table(THREE, 40, 30, 6, 3, 1), best(board, THREE, 3), bets["three_card_bonus"])
    return nets | {"three_card_bonus": bonus}


def four_card_poker(played: Played) -> Nets:
    own, dealer, _, (said,), bets = played
    ante = bets["ante"]
    mine, theirs = best(own, FOUR, 4), best(dealer, FOUR, 4)
    nets = {"ante": -ante}
    if said != "fold":
        nets = {
            "ante": compared(mine, theirs, ante, tie=1),
            "play": compared(mine, theirs, int(said[0]) * ante, tie=1),
        }
    aces_up = table(FOUR, 50, 40, 8, 5, 4, 3, 1)
    nets["aces_up"] = by(aces_up, mine, bets["aces_up"], pair_from="A")
    bonus = table(FOUR, 25, 20, 2).get(mine.name)
    if said != "fold" and bonus is not None:
        nets["ante_bonus"] = int(bonus * ante)
    return nets


def crazy_4_poker(played: Played) -> Nets:
    own, dealer, _, (said,), bets = played
    ante = bets["ante"]
    mine, theirs = best(own, FOUR, 4), best(dealer, FOUR, 4)
    nets = {"ante": -ante, "super_bonus": -ante}
    if said != "fold":
        opens = theirs.name != "high_card" or theirs.ranks[0] >= rank("K")
        pays = table(FOUR, 30, 15, 2, Fraction(3, 2), 1).get(mine.name)
        if mine.name == "four_of_a_kind" and mine.ranks[0] == rank("A"):
            pays = 200
        nets = {
            "ante": compared(mine, theirs, ante) if opens else 0,
            "super_bonus": min(0, compared(mine, theirs, ante))
            if pays is None
            else int(pays * ante),
            "play": compared(mine, theirs, int(said[0]) * ante),
        }
    queens_up = table(FOUR, 50, 40, 7, 4, 3, 2, 1)
    return nets | {"queens_up": by(queens_up, mine, bets["queens_up"], pair_from="Q")}


def high_card_flush(played: Played) -> Nets:
    own, dealer, _, (said,), bets = played
    ante = bets["ante"]
    mine, theirs = suit(own), suit(dealer)
    nets = {"ante": -ante}
    if said != "fold":
        if theirs[:2] < (3, (rank("9"),)):
            nets = {"ante": ante, "raise": 0}
        else:
            bet = int(said[0]) * ante
            nets = {"ante": compared(mine, theirs, ante), "raise": compared(mine, theirs, bet)}
    bonus = {7: 300, 6: 100, 5: 10, 4: 1}.get(mine.place, -1)
    return nets | {"flush_bonus": bonus * bets["flush_bonus"]}


class Game(NamedTuple):
    """How many cards go where, what is bet before the deal, every way to answer, the settlement."""

    own: int
    dealer: int
    board: int
    bets: Mapping[str, int]
    answers: tuple[str, ...]
    settle: Callable[[Played], Nets]


_STREETS = tuple(
    f"{one} {two} {three}".partition("fold")[0] + ("fold" if "fold" in (one, two, three) else "")
    for one in ("1x", "3x", "fold")
    for two in ("1x", "2x", "fold")
    for three in ("1x", "3x", "fold")
)
GAMES = {
    "casino-holdem": Game(2, 2, 5, {"ante": 1000, "aa": 500}, ("2x", "fold"), casino_holdem),
    "texas-holdem-bonus": Game(
        *(2, 2, 5, {"ante": 1000, "bonus": 500}),
        ("fold", "2x check check", "2x 1x check", "2x check 1x", "2x 1x 1x"),
        texas_holdem_bonus,
    ),
    "three-card-poker": Game(
        *(3, 3, 0, {"ante": 1000, "pair_plus": 500, "six_card_bonus": 500}),
        ("1x", "fold"),
        three_card_poker,
    ),
    "caribbean-stud": Game(
        5, 5, 0, {"ante": 1000, "progressive": 100}, ("2x", "fold"), caribbean_stud
    ),
    "let-it-ride": Game(
        *(3, 0, 2, {"bet_1": 1000, "bet_2": 1000, "bet_3": 1000, "three_card_bonus": 500}),
        tuple(f"{one} {two}" for one in ("ride", "take_back") for two in ("ride", "take_back")),
        let_it_ride,
    ),
    "mississippi-stud": Game(
        2, 0, 3, {"ante": 1000, "three_card_bonus": 500}, _STREETS, mississippi_stud
    ),
    "four-card-poker": Game(
        *(5, 6, 0, {"ante": 1000, "aces_up": 500}), ("1x", "2x", "3x", "fold"), four_card_poker
    ),
    "crazy-4-poker": Game(
        *(5, 5, 0, {"ante": 1000, "super_bonus": 1000, "queens_up": 500}),
        ("1x", "2x", "3x", "fold"),
        crazy_4_poker,
    ),
    "high-card-flush": Game(
        *(7, 7, 0, {"ante": 1000, "flush_bonus": 500}), ("1x", "2x", "3x", "fold"), high_card_flush
    ),
}


def may_say(game: str, said: str, own: Sequence[Card]) -> bool:
    """Bets that take a strong hand."""
    if game == "crazy-4-poker" and said in ("2x", "3x"):
        held = best(own, FOUR, 4)
        return held.name != "high_card" and (held.name != "pair" or held.ranks[0] == rank("A"))
    if game == "high-card-flush" and said in ("2x", "3x"):
        return suit(own).place >= {"2x": 5, "3x": 6}[said]
    return True
