"""A settled hand in a sentence that a player can check on the felt, and the cards that made it."""

from __future__ import annotations

import pytest

from croupier.cards import parse_cards
from croupier.rounds.explaining import Holdings, sentences_after_story, story
from croupier.rounds.state import LineRecord, Reason, ReasonCode, Result
from croupier.rounds.views import RoundView, SeatView, winning_cards
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import VersusPaytable
from croupier.rulebooks.submission import Submission


def _rules(book: str) -> Rules:
    return put_in_force(open_rulebook(book), Submission())


def _line(
    wager: str, result: Result, code: ReasonCode, hand: str = "", table: str = "", pays: str = ""
) -> LineRecord:
    return LineRecord(wager, 500, result, 0, "x", Reason(code, hand, table), pays)


_HAND = _rules("md-uth").book.announces


@pytest.mark.parametrize(
    ("code", "mine", "theirs", "words"),
    [
        (
            "beat_dealer",
            "two_pair 62A",
            "pair QAK9",
            "The player's two pair, sixes and twos, beat the dealer's pair of queens.",
        ),
        (
            "lost_to_dealer",
            "high_card AKQJ9",
            "two_pair 62A",
            "The dealer's two pair, sixes and twos, beat the player's ace high.",
        ),
        (
            "lost_to_dealer",
            "pair QA97",
            "pair QAK9",
            "The dealer's pair of queens with ace-king kickers beat the player's pair of queens "
            "with ace-nine kickers.",
        ),
        ("tied_dealer", "pair QAK9", "pair QAK9", "Both hands are a pair of queens."),
    ],
)
def test_hands_that_were_compared(code: ReasonCode, mine: str, theirs: str, words: str) -> None:
    rules, result = _rules("md-uth"), {"beat_dealer": "win", "tied_dealer": "push"}
    lines = [_line("ante", result.get(code, "lose"), code, "player")]  # type: ignore[arg-type]
    assert story(lines, rules, Holdings({"player": mine}, theirs)) == words


def test_a_dealer_who_does_not_qualify() -> None:
    rules = _rules("md-uth")
    lines = [
        _line("ante", "push", "dealer_did_not_qualify"),
        _line("play", "win", "beat_dealer", "player"),
    ]
    hands = Holdings({"player": "pair 4KQJ"}, "high_card AKQJ9")
    assert story(lines, rules, hands) == (
        "The player's pair of fours beat the dealer's ace high. "
        "The dealer does not qualify: it takes a pair or better."
    )
    assert story(lines[:1], rules, hands) == (
        "The dealer has only ace high and needs a pair or better to qualify."
    )


def test_a_game_without_a_dealers_hand() -> None:
    rules = _rules("let-it-ride")
    first = rules.required[0]
    settles = rules.book.wagers[first].settles
    assert isinstance(settles, VersusPaytable)
    family, hand = settles.paytable, settles.hand
    paid = _line(first, "win", "hand_paid", hand, table=family, pays="2 to 1")
    holds = {hand: "two_pair 62A"}
    told = story([paid], rules, Holdings(holds))
    assert told == "With two pair, sixes and twos, it pays 2 to 1."
    below = _line(first, "lose", "below_paytable", hand, table=family)
    told = story([below], rules, Holdings({hand: "pair 9AK2"}))
    assert told == "With a pair of nines nothing is paid: it takes a pair of tens or better."


def test_a_folded_hand_and_one_that_may_not_be_named() -> None:
    rules = _rules("md-uth")
    lines = [_line("ante", "lose", "folded")]
    assert story(lines, rules, Holdings({"player": "pair QAK9"}, "pair 4KQJ"), folded=True) == (
        "The player folded."
    )
    assert story([_line("ante", "lose", "lost_to_dealer", "player")], rules, Holdings()) == ""


def _seen(line: LineRecord, *, dealer: str = "Qs Qd", hidden: bool = False) -> tuple[str, ...]:
    rules = _rules("md-uth")
    cards = parse_cards("6h 2c")
    seat = SeatView(
        *(1, "ann", {}, (), (cards[0], None) if hidden else tuple(cards), False, False, False),
        *("", {}, (line,)),
    )
    board = tuple(parse_cards("6s 2d 9h Kc 3s"))
    seen = RoundView(
        *(1, "settling", 0, "", (seat,), board, tuple(parse_cards(dealer)), "", "", True, ()),
        *(None, False),
    )
    return tuple(str(card) for card in winning_cards(seat, seen, rules))


def test_the_five_cards_of_the_hand_that_won() -> None:
    won = _line("ante", "win", "beat_dealer", _HAND)
    assert set(_seen(won)) == {"6h", "6s", "2c", "2d", "Kc"}
    lost = _line("ante", "lose", "lost_to_dealer", _HAND)
    assert set(_seen(lost, dealer="9s 9d")) == {"9s", "9d", "9h", "Kc", "6s"}


def test_no_cards_where_one_lies_face_down_or_nothing_was_compared() -> None:
    won = _line("ante", "win", "beat_dealer", _HAND)
    assert _seen(won, hidden=True) == ()
    assert _seen(_line("ante", "void", "hand_void")) == ()


def test_a_game_with_a_table_for_each_hand() -> None:
    rules = _rules("md-235")
    lines, holds = [], {}
    for wager, held in zip(rules.required, ("pair 6", "high_card AJ6", "pair 9AJ6"), strict=True):
        settles = rules.book.wagers[wager].settles
        assert isinstance(settles, VersusPaytable)
        result: Result = "win" if wager == rules.required[0] else "lose"
        code: ReasonCode = "hand_paid" if result == "win" else "below_paytable"
        lines.append(
            _line(wager, result, code, settles.hand, table=settles.paytable, pays="1 to 1")
        )
        holds[settles.hand] = held
    assert story(lines, rules, Holdings(holds)) == (
        "2 Card Poker: a pair of sixes, pays 1 to 1. 3 Card Poker: ace high, not paid. "
        "5 Card Poker: a pair of nines, not paid."
    )


# -- the lines below the story say nothing twice ---------------------------------------------------


def test_what_the_story_has_told_is_not_told_again_at_each_wager() -> None:
    rules, hands = _rules("md-uth"), Holdings({_HAND: "two_pair 62A"}, "high_card AKQJ9")
    blind = Reason("beat_dealer", _HAND, "blind", line="less_than_straight")
    lines = [
        _line("ante", "push", "dealer_did_not_qualify", _HAND),
        LineRecord("blind", 500, "push", 0, "x", blind),
        _line("play", "win", "beat_dealer", _HAND, pays="1 to 1"),
        _line("trips", "lose", "below_paytable", _HAND, "trips"),
    ]
    assert sentences_after_story(lines, rules, hands) == [
        "Ante pushes: the dealer does not qualify.",
        "Blind pushes: it is less than a straight.",
        "Play pays 1 to 1.",
        "Trips loses: it takes three of a kind or better.",
    ]


def test_a_tie_still_says_what_a_tie_does() -> None:
    rules, hands = _rules("md-uth"), Holdings({_HAND: "pair QAK9"}, "pair QAK9")
    lines = [
        _line("ante", "push", "tied_dealer", _HAND),
        _line("play", "lose", "tied_dealer", _HAND),
    ]
    told = ["Ante pushes.", "Play loses: a tie loses."]
    assert sentences_after_story(lines, rules, hands) == told


def test_a_fold_is_told_once_and_what_a_side_wager_lost_by_is_kept() -> None:
    rules, hands = _rules("md-uth"), Holdings({_HAND: "high_card AKQJ9"})
    lines = [
        _line("ante", "lose", "folded"),
        _line("trips", "lose", "below_paytable", _HAND, "trips"),
    ]
    assert sentences_after_story(lines, rules, hands, folded=True) == [
        "Ante loses.",
        "Trips loses: the hand is ace high, and it takes three of a kind or better.",
    ]


def test_without_a_dealer_the_hand_is_told_once_for_all_bets() -> None:
    rules = _rules("let-it-ride")
    settles = rules.book.wagers["bet_3"].settles
    assert isinstance(settles, VersusPaytable)
    hands = Holdings({settles.hand: "pair 9AK7"})
    lost = _line("bet_3", "lose", "below_paytable", settles.hand, settles.paytable)
    assert "it takes a pair of tens or better" in story([lost], rules, hands)
    assert sentences_after_story([lost], rules, hands) == ["Bet 3 loses."]


def test_whoever_may_not_know_the_hands_is_told_what_he_may() -> None:
    rules = _rules("md-uth")
    lines = [_line("ante", "win", "beat_dealer", _HAND, pays="1 to 1")]
    assert story(lines, rules, Holdings()) == ""
    told = ["Ante pays 1 to 1: the player beat the dealer."]
    assert sentences_after_story(lines, rules, Holdings()) == told
