"""Every line of a settlement says why, in a sentence that is right.

`explained/*.txt` holds an example of each wager with each reason and result, as chance brings them
about; `make playthroughs` writes them anew, and the diff is to be read. Below them the hard cases.
"""

from __future__ import annotations

import json
import os
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.library.rehearsing import deal_round
from croupier.rounds.explaining import Holdings, explanation, holdings_of, sentence, why
from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rounds.settlement import Settlement, settle
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat, Reason, ReasonCode
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.loader import RulebookFile, open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.program import EXAMPLES
from tests.oracle.rounds import random_request
from tests.params import few
from tests.rounds.recomputed import check_settlement

HARBOUR = EXAMPLES / "harbour-holdem.toml"
EXPLAINED = Path(__file__).parent / "explained"
SETTLER = RequestSettler()


# -- every reason and result of every wager --------------------------------------------------------


def rounds(book: str, count: int) -> Iterator[tuple[Rules, Settlement]]:
    chance = random.Random(f"explaining {book}")
    for _ in range(count):
        if book == "harbour-holdem":
            rules = in_force(str(HARBOUR))
            yield rules, settle(deal_round(rules, chance, 4), rules)
        else:
            request = read_json(json.dumps(random_request(chance, book)), RoundRequest)
            _, rules, settlement = SETTLER.settle(request)
            yield rules, settlement


def in_force(book: str, **submission: Any) -> Rules:
    return put_in_force(open_rulebook(book), Submission(**submission))


def examples(book: str) -> str:
    found: dict[tuple[str, ...], list[str]] = {}
    for rules, settlement in rounds(book, 400):
        for seat in settlement.seats:
            hands = holdings_of(seat, settlement)
            for line in seat.lines:
                kind = [line.wager, line.result, line.reason.code]
                kind += ["the stake is lost"] if line.stake_lost else []
                kind += ["limited"] if line.limited_by else []
                if tuple(kind) in found:
                    continue
                told = [explanation(line, rules, hands), sentence(line, rules, hands)]
                told += [f"without the hands: {sentence(line, rules, Holdings())}"]
                found[tuple(kind)] = told
    order = {name: place for place, name in enumerate(rules.book.wagers)}
    kinds = sorted(found, key=lambda kind: (order.get(kind[0], 99), *kind[1:]))
    return "\n".join(
        ", ".join(kind) + "\n" + "".join(f"    {told}\n" for told in found[kind]) for kind in kinds
    )


@pytest.mark.parametrize("book", few([*DOCUMENTS, "harbour-holdem"], "md-uth", "md-235"))
def test_every_wager_is_explained_as_recorded(book: str) -> None:
    golden = EXPLAINED / f"{book}.txt"
    if os.environ.get("CROUPIER_WRITE_PLAYTHROUGHS"):
        EXPLAINED.mkdir(exist_ok=True)
        golden.write_text(examples(book), "utf-8")
    assert examples(book) == golden.read_text("utf-8")


@pytest.mark.parametrize(
    ("book", "count"),
    [
        ("md-uth", 60),
        ("md-235", 60),
        *(pytest.param(book, 150, marks=pytest.mark.full) for book in DOCUMENTS),
    ],
)
def test_the_reason_follows_from_the_cards(book: str, count: int) -> None:
    """Random rounds, each line's reason worked out once more; `Walk` does so in the engine."""
    chance, met = random.Random(f"recomputed {book}"), set()
    for _ in range(count):
        request = read_json(json.dumps(random_request(chance, book)), RoundRequest)
        played, rules, settlement = SETTLER.settle(request)
        met |= check_settlement(played, settlement, rules)
    assert len(met) >= 5, "chance has brought many of the reasons about"


SAID_BY_THE_ENGINE: tuple[ReasonCode, ...] = (
    *("not_confirmed", "not_accepted", "abandoned", "left_undecided"),
    *("hand_void", "all_hands_void", "wager_void"),
    *("taken_back", "bonus"),  # test_small_games has theirs
)


def test_the_examples_have_every_reason() -> None:
    """But for those that only a table knows: they have their sentences below."""
    recorded = "\n".join(path.read_text("utf-8") for path in EXPLAINED.glob("*.txt"))
    codes = set(msgspec.json.schema(Reason)["$defs"]["Reason"]["properties"]["code"]["enum"])
    assert {code for code in codes if f", {code}" not in recorded} == set(SAID_BY_THE_ENGINE)


@pytest.mark.parametrize(
    ("code", "result", "told"),
    [
        ("not_confirmed", "lose", "Progressive loses: the floorperson did not confirm it."),
        ("not_accepted", "void", "Progressive comes back: no wager was accepted."),
        (
            "abandoned",
            "lose",
            "Progressive loses: the player left the table and the wagers were ruled lost.",
        ),
        (
            "left_undecided",
            "lose",
            "Progressive loses: the player left the table before the last decision.",
        ),
        ("hand_void", "void", "Progressive comes back: the hand is void."),
        ("all_hands_void", "void", "Progressive comes back: all hands are void."),
        ("wager_void", "void", "Progressive comes back: the wager is void."),
    ],
)
def test_what_only_a_table_knows(code: Any, result: Any, told: str) -> None:
    line = LineRecord("progressive", 100, result, 0, "", Reason(code))
    assert sentence(line, in_force("md-uth"), Holdings()) == told


# -- hard cases ------------------------------------------------------------------------------------


def settled(
    rules: Rules, cards: str, wagers: dict[str, int], actions: str = "4x"
) -> tuple[Settlement, dict[str, str]]:
    """`player | board | dealer`; what each wager is told with."""
    own, board, dealer = (request_cards(part) for part in cards.split("|"))
    seat = PlayedSeat(1, "ann", own, wagers, tuple(actions.split()))
    settlement = settle(CompletedRound((seat,), board, dealer), rules)
    (outcome,) = settlement.seats
    hands = holdings_of(outcome, settlement)
    return settlement, {line.wager: explanation(line, rules, hands) for line in outcome.lines}


def request_cards(text: str) -> Any:
    return RoundRequest("", (), community=text).round().community


TEN_EACH = {"ante": 1000, "blind": 1000}
TEN_AT_SEA = {"ante": 1000, "anchor": 1000}


@pytest.mark.parametrize(
    ("cards", "ante"),
    [
        (
            "As Qd | Qh 9d 7c 4s 2h | Qs Kd",
            "A pair of queens with an ace kicker beat the dealer's pair of queens with a king "
            "kicker: 1 to 1, +$10.",
        ),
        (
            "Qd Js | Qh Ad 8c 4s 2h | Qs Td",
            "A pair of queens with ace-jack kickers beat the dealer's pair of queens with ace-ten "
            "kickers: 1 to 1, +$10.",
        ),
        (
            "As Jc | Kh Kd 7c 7s 2h | Qs 3d",
            "Two pair, kings and sevens, with an ace kicker, beat the dealer's two pair, kings and "
            "sevens, with a queen kicker: 1 to 1, +$10.",
        ),
        (
            "Kh 3h | Ah 9h 7h 4s 2d | Qh Jh",
            "A flush, ace-king high, beat the dealer's flush, ace-queen high: 1 to 1, +$10.",
        ),
        (
            "8c 2c | 9h 9d 9c 9s 3h | 7s 4d",
            "Four nines with an eight kicker beat the dealer's four nines with a seven kicker: "
            "1 to 1, +$10.",
        ),
        (
            "3c 2c | Th Jd Qc Ks Ah | 7s 4d",
            "Both hands are a straight, ace high: the stake comes back.",
        ),
        (
            "9s 3c | 9h 8d 5c 4s 2d | 8c Kd",
            "A pair of nines beat the dealer's pair of eights: 1 to 1, +$10.",
        ),
    ],
)
def test_where_a_kicker_decides_it_is_named(cards: str, ante: str) -> None:
    assert settled(in_force("md-uth"), cards, TEN_EACH)[1]["ante"] == ante


def test_a_winner_that_no_line_pays() -> None:
    """A paytable of the house's own without a line below the straight, and nothing otherwise."""

    def change(tree: dict[str, Any]) -> None:
        del tree["wagers"]["anchor"]["settles"]["qualified"]["higher"]["otherwise"]

    rules = changed_harbour(change)
    _, told = settled(rules, "As Ad | Kh 9d 7c 7s 2h | Jc 3d", TEN_AT_SEA, "5x")
    assert told["anchor"] == (
        "Two pair, aces and sevens, beat the dealer's pair of sevens, but the paytable has no line "
        "for it: $10 is lost."
    )


def changed_harbour(change: Any) -> Rules:
    tree = tomllib.loads(HARBOUR.read_text("utf-8"))
    change(tree)
    return put_in_force(RulebookFile(tree, "harbour-holdem.toml"), Submission())


def test_a_dealer_who_needs_a_pair_of_sixes() -> None:
    _, told = settled(in_force(str(HARBOUR)), "As Ad | Kh 9d 7c 5s 2h | 5c 3d", TEN_AT_SEA, "5x")
    assert told["ante"] == (
        "The dealer has only a pair of fives and needs a pair of sixes or better to qualify: "
        "the stake comes back."
    )
    assert told["sail"] == "A pair of aces beat the dealer's pair of fives: 1 to 1, +$50."


def test_a_dealer_who_needs_ace_king() -> None:
    def change(tree: dict[str, Any]) -> None:
        tree["dealer"] |= {"at_least": "high_card", "of": "AK"}
        tree["layout"].pop("notices")

    _, told = settled(changed_harbour(change), "Ks Kd | Ah 9d 7c 5s 2h | Qc 3d", TEN_AT_SEA, "5x")
    assert told["ante"] == (
        "The dealer has only ace-queen high and needs ace-king high or better to qualify: "
        "the stake comes back."
    )
    _, told = settled(changed_harbour(change), "Ks Kd | Jh 9d 7c 5s 2h | Qc 3d", TEN_AT_SEA, "5x")
    assert told["ante"].startswith("The dealer has only queen high and needs ace-king high or ")


def test_lines_written_lowest_first() -> None:
    """The least that pays is the least, wherever it stands."""

    def change(tree: dict[str, Any]) -> None:
        for family in ("lighthouse", "anchor"):
            tree["paytables"][family]["A"]["lines"].reverse()

    wagers = {"ante": 1000, "anchor": 1000, "lighthouse": 500}
    _, told = settled(changed_harbour(change), "As Ad | Kh 9d 7c 6s 2h | 6c 3d", wagers, "5x")
    assert told["anchor"] == (
        "A pair of aces beat the dealer's pair of sixes, but it takes a straight or better: "
        "the stake comes back."
    )
    assert told["lighthouse"] == (
        "The hand is a pair of aces, and it takes three of a kind or better: $5 is lost."
    )


def test_a_paytable_with_a_gap() -> None:
    """A hand above the least that pays, and yet without a line, is not told that it is too low."""

    def change(tree: dict[str, Any]) -> None:
        lines = tree["paytables"]["lighthouse"]["A"]["lines"]
        lines[:] = [line for line in lines if line["hand"] != "straight"]

    wagers = {"ante": 1000, "anchor": 1000, "lighthouse": 500}
    _, told = settled(changed_harbour(change), "As Kd | Qh Jd Tc 6s 2h | 6c 3d", wagers, "5x")
    assert told["lighthouse"] == (
        "The hand is a straight, ace high, and the paytable has no line for it: $5 is lost."
    )


def test_a_dealer_who_does_not_qualify_pays_the_ante_of_a_lower_hand() -> None:
    """As in Caribbean Stud: not the comparison is the reason, but the dealer's hand."""

    def change(tree: dict[str, Any]) -> None:
        paid = {"do": "pay", "paytable": "ante"}
        settles = tree["wagers"]["ante"]["settles"]
        tree["layout"].pop("notices")
        settles["unqualified"] = dict.fromkeys(("higher", "equal", "lower"), paid)

    _, told = settled(changed_harbour(change), "3s 4d | Kh 9d 7c 5s 2h | 5c Qd", TEN_AT_SEA, "5x")
    assert told["ante"] == (
        "The dealer has only a pair of fives and needs a pair of sixes or better to qualify: "
        "1 to 1, +$10."
    )
    assert told["sail"] == "King high lost to the dealer's pair of fives: $50 is lost."


def test_a_bad_beat_that_keeps_the_stake_or_not() -> None:
    cards, wagers = "Ks Kd | Kh 9d 9c 9s 2h | 9h 3d", {"ante": 1000, "odds": 1000}
    told = {}
    for keeps in ("yes", "no"):
        rules = in_force("md-wpt", readings={"bad_beat_keeps_odds": keeps})
        told[keeps] = settled(rules, cards, wagers, "3x")[1]["odds"]
    words = "A full house, kings over nines, lost to the dealer's four nines, a bad beat: "
    assert told["yes"].startswith(words)
    assert told["no"].startswith(words)
    assert ("the stake of $10 is lost" in told["yes"]) != ("the stake of $10 is lost" in told["no"])


def test_a_hand_that_was_given_up_is_not_named_to_others() -> None:
    rules = in_force("md-uth")
    settlement, _ = settled(
        rules, "6s 6d | Kh 9d 7c 3s 2h | Ac 3d", TEN_EACH | {"trips": 500}, "check check fold"
    )
    (seat,) = settlement.seats
    (trips,) = [line for line in seat.lines if line.wager == "trips"]
    mine, others = holdings_of(seat, settlement), Holdings()
    needs = "it takes three of a kind or better"
    assert why(trips, rules, mine) == f"the hand is a pair of sixes, and {needs}"
    assert why(trips, rules, others) == needs


def test_a_reason_is_small_in_the_journal() -> None:
    settlement, _ = settled(in_force("md-uth"), "As Ad | Kh 9d 7c 7s 2h | Jc 3d", TEN_EACH)
    (seat,) = settlement.seats
    assert msgspec.json.encode(seat.lines[0]) == (
        b'{"wager":"ante","stake":1000,"result":"win","net":1000,"clause":"12.A","reason":'
        b'{"code":"beat_dealer","hand":"final","table":"ante","line":"any_winning"},'
        b'"pays":"1 to 1"}'
    )
    assert seat.holds == {"final": "two_pair A7K"}
