"""Known games of streets: figures to the fraction, advice, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.cards import RANKS, parse_cards
from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.counters.shapes import STREETS
from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.registry import advise, analyze_wager, solver_for
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import lines
from tests.mathematics.counters.stages.games import (
    LADDER,
    asked,
    hand,
    let_it_ride,
    mississippi,
    paytable,
    rules_of_tree,
    tree,
    wager,
)

RIDE, STUD = rules_of_tree(let_it_ride()), rules_of_tree(mississippi())


@pytest.mark.parametrize(
    ("rules", "exact", "risk", "wagered", "deals"),
    [
        (RIDE, Fraction(-37963, 1082900), 0.0286, 1.2237, comb(52, 3) * 49 * 48),
        (STUD, Fraction(-53223, 1082900), 0.0137, 3.5898, comb(52, 2) * 50 * 49 * 48),
    ],
    ids=["let it ride", "mississippi stud"],
)
def test_the_published_games(
    rules: Rules, exact: Fraction, risk: float, wagered: float, deals: int
) -> None:
    found = solver_for(rules).figures()
    assert found.expected_value == exact
    assert round(float(found.element_of_risk), 4) == risk
    assert round(float(found.units_wagered), 4) == wagered
    combinations = [one["combinations"] for one in found.outcomes]
    assert sum(combinations) == deals  # type: ignore[arg-type]


def test_what_is_published_of_their_play() -> None:
    ride = analyze(RIDE, "main")["decisions"]
    assert ride["first"]["ride"] == pytest.approx(0.0728, abs=5e-5)  # type: ignore[index]
    stud = analyze(STUD, "main")["decisions"]
    assert stud["third"]["fold"] == pytest.approx(0.3107, abs=5e-5)  # type: ignore[index]
    assert {words["2x"] for words in stud.values()} == {0}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("cards", "board", "best"),
    [
        ("Th Tc 2d", "", "ride"),  # a winner
        ("9h 8h 7h", "", "ride"),  # three to a straight flush
        ("4h 3h 2h", "", "take_back"),  # too low
        ("Ah Kd Qs", "", "take_back"),
        ("9h 8h 2h", "3h", "ride"),  # four to a flush
        ("9h 8c 2h", "3h", "take_back"),
    ],
)
def test_let_it_ride_as_everybody_plays_it(cards: str, board: str, best: str) -> None:
    own, seen = parse_cards(cards), parse_cards(board)
    assert advise(RIDE, Situation(own, seen)).best == best
    assert solver_for(RIDE).player().action(own, seen) == best


@pytest.mark.parametrize(
    ("cards", "board", "said", "best"),
    [
        ("2h 2c", "", (), "3x"),  # any pair
        ("Jh 2c", "", (), "1x"),  # a high card
        ("7h 6c", "", (), "1x"),  # two middle cards
        ("6h 5h", "", (), "1x"),
        ("6h 5c", "", (), "fold"),
        ("6h 5c", "2d", ("1x",), "fold"),
        ("Jh Tc", "Jd", ("1x",), "3x"),
        ("9h 8h", "7h", ("1x",), "3x"),
        ("9h 8c", "7h 6d", ("1x", "1x"), "3x"),  # eight cards make the straight
        ("7h 6c", "5h 4d", ("1x", "1x"), "1x"),
    ],
)
def test_mississippi_stud_as_everybody_plays_it(
    cards: str, board: str, said: tuple[str, ...], best: str
) -> None:
    found = advise(STUD, Situation(parse_cards(cards), parse_cards(board), said=said))
    assert found.best == best
    assert found.values["fold"] == -1 - sum(int(word[0]) for word in said)


def test_what_was_bet_before_changes_what_is_right() -> None:
    """With more at stake it is worth another bet to see a card."""
    seen = parse_cards("Ah Kd"), parse_cards("9s 3c")
    little = advise(STUD, Situation(*seen, said=("1x", "1x")))
    much = advise(STUD, Situation(*seen, said=("3x", "3x")))
    assert little.values["fold"] - little.values["1x"] > much.values["fold"] - much.values["1x"]
    assert advise(STUD, Situation(*seen)) == little  # as the best play answers, if it does not fold


@pytest.mark.parametrize(
    ("cards", "board", "more", "why"),
    [
        ("Ah", "", {}, "1 own and 0 community cards: the decisions are third on 2 own"),
        ("Ah Kd", "2c 3c 4c", {}, "2 own and 3 community cards"),
        ("Ah Kd", "2c", {"decision": "third"}, "2 own and 1 community cards"),
        ("Ah Kd", "2c", {"decision": "sixth"}, "unknown decision 'sixth'"),
        ("Ah Kd", "2c", {"said": ("5x",)}, "unknown answer at 'third' '5x'"),
        ("Ah Kd", "2c", {"said": ()}, "the answer at 'third' is missing"),
        ("Ah Kd", "2c", {"said": ("fold",)}, "folded at 'third'"),
        ("Ah Kd", "2c", {"said": ("1x", "1x")}, "is one answer too many"),
        ("Ah Kd", "2c", {"known": parse_cards("3c")}, "no other player's card"),
        ("Ah Kd", "2c", {"dealer": parse_cards("3c")}, "no dealer's card"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    cards: str, board: str, more: dict[str, Any], why: str
) -> None:
    situation = Situation(parse_cards(cards), parse_cards(board))._replace(**more)
    with pytest.raises(BadRequest, match=why):
        advise(STUD, situation)


# -- beside the main game -------------------------------------------------------------------------

BONUS = (("straight_flush", "40 to 1"), ("three_of_a_kind", "30 to 1"), ("straight", "6 to 1"))


def with_bonus(after_fold: str) -> Rules:
    """Mississippi Stud with 28 cards and a wager on the three community cards."""
    contents = mississippi() | {"deck": {"ranks": "89TJQKA"}}
    contents["hands"]["board"] = hand("community", ranking="three_card")
    contents["paytables"]["bonus"] = {"only": {"clause": "x", "lines": lines(*BONUS)}}
    settles = paytable("board", "bonus")
    contents["wagers"]["bonus"] = wager("optional", settles, after_fold=after_fold)
    return rules_of_tree(contents)


@pytest.mark.parametrize("after_fold", ["stands", "loses"])
def test_a_wager_beside_it_brings_its_own_mean(after_fold: str) -> None:
    rules = with_bonus(after_fold)
    alone = analyze_wager(rules, "bonus")
    nets = net_distribution(rules, {"ante": 100, "bonus": 500})
    mean = Fraction(sum(net * deals for net, deals in nets.items()), sum(nets.values()))
    main = solver_for(rules).figures()
    assert mean == 100 * main.expected_value + 500 * alone.expected_value
    if after_fold == "loses":
        *_, folded = alone.outcomes
        words = main.decisions.values()
        assert folded.hand == "folded"
        assert alone.probability(folded) == sum(shares["fold"] for shares in words)


def test_what_each_decision_is_worth() -> None:
    best, skipped = solver_for(RIDE).decision_values()
    edges = {(one.decision, one.how): one.house_edge for one in skipped}
    assert best == Fraction(37963, 1082900)
    assert min(edges.values()) > best
    assert len(edges) == 4
    always = {one.how: one.house_edge for one in solver_for(STUD).decision_values()[1]}
    assert always["always fold"] == 1


def test_the_first_decision_over_the_starting_hands() -> None:
    cells = {cell.hand: cell for cell in solver_for(STUD).chart().cells()}
    assert {hand for hand, cell in cells.items() if cell.action == "3x"} == {
        rank + rank for rank in RANKS
    }
    assert cells["65s"].action == "1x"
    assert cells["65o"].action == "fold"


def charted(rules: Rules, decision: str = "") -> dict[str, list[str]]:
    """The rows of a chart, each with what is best in its columns; every row has one answer."""
    grid = solver_for(rules).chart(decision)
    assert all(max(cell.shares.values()) == 1 for cell in grid.cells())
    return {
        name: [cell.action for cell in row]
        for name, row in zip(grid.row_names, grid.rows, strict=True)
    }


def test_let_it_ride_in_ten_lines() -> None:
    """The strategy that is in print, found by counting."""
    first = charted(RIDE)
    assert [name for name, said in first.items() if said == ["ride"]] == [
        "three of a kind",
        "pair of tens to aces",
        "all of one suit, 3 straights open",
        "all of one suit, 2 straights open, 1 to 3 high",
        "all of one suit, 1 straight open, 2 to 3 high",
    ]
    assert first["not of one suit"] == ["take_back"]
    second = charted(RIDE, "second")
    assert [name for name, said in second.items() if said == ["ride"]] == [
        "two pair to four of a kind",
        "pair of tens to aces",
        "all of one suit",
        "not of one suit, 2 straights open, 1 to 4 high",
    ]


def test_what_lies_there_is_a_column_of_the_chart() -> None:
    grid = solver_for(STUD).chart("fourth")
    assert grid.column_names == ("2u", "3u", "4u")
    third = charted(STUD, "fourth")
    assert third["pair of sixes to aces"] == ["3x"] * 3
    assert third["not of one suit, 0 straights open, 0 high 2 middle"] == ["fold", "fold", "1x"]
    for decision, why in (("fith", "did you mean 'fifth'"), ("turn", "unknown decision")):
        with pytest.raises(BadRequest, match=why):
            solver_for(STUD).chart(decision)


# -- invented games -------------------------------------------------------------------------------


def four_cards_one_board() -> dict[str, Any]:
    """Four own cards and one on the board; an ante before any card, a fold, several tables."""
    five, four = paytable("five", "pays"), paytable("four", "small")
    ranking = {"size": 4, "order": ["four_of_a_kind", "flush", "straight", "two_pair", "pair"]}
    return tree(
        4,
        [(4, 0), (0, 1)],
        [
            asked("blind", 0, 0, wager="dark", multiple_of="ante", bets={"1x": 1}),
            asked("play", 4, 0, "fold", wager="play", multiple_of="ante", bets={"2x": 2}),
        ],
        {"five": hand("player", "community"), "four": hand("player", ranking="quartet")},
        {
            "ante": wager("required", five, after_fold="loses"),
            "side": wager("required", four),
            "dark": wager("decided", four, after_fold="loses"),
            "play": wager("decided", five),
        },
        {
            "pays": LADDER,
            "small": [("flush", "9 to 1"), ("two_pair", "3 to 1"), ("pair", "1 to 1")],
        },
        rankings={"quartet": ranking},
    )


def test_four_own_cards_and_several_tables() -> None:
    rules = rules_of_tree(four_cards_one_board())
    assert solver_for(rules).shape is STREETS
    found = solver_for(rules).figures()
    assert found.decisions["blind"] == {"1x": 0, "check": 1}
    own = parse_cards("Ah Kh Qh Jh")
    values = advise(rules, Situation(own, said=("check",))).values
    # Of the 48 cards one makes a royal, eight a flush, three a straight, twelve a pair.
    mean = Fraction(1000 * 1 + 8 * 8 + 5 * 3 + 1 * 12 - (48 - 24), 48)
    assert values == {"2x": 9 + 3 * mean, "fold": Fraction(8)}


def test_a_game_without_a_decision_is_a_table_and_nothing_else() -> None:
    paid = {"ante": wager("required", paytable("five", "pays"))}
    hands = {"five": hand("player", "community")}
    rules = rules_of_tree(tree(3, [(0, 2)], [], hands, paid, {"pays": LADDER}))
    found = solver_for(rules).figures()
    counts = (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 422400)
    nets = (1000, 200, 50, 11, 8, 5, 3, 2, 1)
    won = sum(count * net for count, net in zip(counts, nets, strict=True))
    lost = 2_598_960 - sum(counts)
    assert found.expected_value == Fraction(won - lost, 2_598_960)
    assert found.decisions == {}
    with pytest.raises(BadRequest, match="nothing is decided"):
        advise(rules, Situation(parse_cards("Ah Kd Qs")))
    with pytest.raises(Unsolvable, match="decisions is empty"):
        solver_for(rules).chart()


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "two decks": (lambda book: book.update(deck={"copies": 2}), "deck.copies is 2"),
    "a fixed sum": (
        lambda book: book["paytables"]["pays"]["only"]["lines"][0].update(pays="$500"),
        "pays is",
    ),
    "payments beyond 64 bits": (
        lambda book: book["paytables"]["pays"]["only"]["lines"][0].update(
            pays="999,999,999,999 to 7"
        ),
        "too large",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_no_other_games_figure(name: str) -> None:
    change, why = REFUSED[name]
    contents = mississippi()
    change(contents)
    with pytest.raises(Unsolvable, match=why):
        analyze(rules_of_tree(contents), "main")


def test_a_game_too_large_is_refused_in_time() -> None:
    """Nine cards of which every one is told apart from the others."""
    hands = {f"h{n}": hand(f"player:{n}", "community", ranking="cards") for n in range(1, 6)} | {
        "all": hand("player", "community:1", ranking="cards")
    }
    contents = tree(
        6,
        [(0, 1)] * 3,
        [
            asked("on", 6, n, wager=f"w{n}", multiple_of="r", bets={"1x": 1}) | {"name": f"d{n}"}
            for n in range(4)
        ],
        hands | {"five": hand("player:5")},
        {"r": wager("required", paytable("five", "pays"))}
        | {f"w{n}": wager("decided", paytable(f"h{n + 1}", "cards")) for n in range(4)},
        {"pays": LADDER, "cards": [("red", "1 to 1")]},
        announces="five",
    )
    with pytest.raises(Unsolvable, match="more sets of cards than can be counted"):
        analyze(rules_of_tree(contents), "main")
