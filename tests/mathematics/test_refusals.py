"""Exact or refused: games that no solver models are refused with the field that says so, by every
road that leads to a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cards import parse_cards
from croupier.errors import BadCards, BadRequest, Unsolvable
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.shapes import HOLDEM, SHORT_BOARDS, STREETS, VERSUS
from croupier.mathematics.questions.analysis import analyze, wagers_of
from croupier.mathematics.questions.registry import (
    SOLVERS,
    MainSolver,
    advise,
    analyze_wager,
    solver_for,
)
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.rounds import PlayedRounds
from croupier.mathematics.questions.situation import Advice, Situation
from croupier.mathematics.shapes import NEUTRAL, Shape, main_fields
from croupier.mathematics.side_wagers.shape import BEATEN, BY_PAYTABLE, FOLLOWER, HIGHEST
from croupier.rulebooks import schema
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import (
    HARBOUR,
    RULEBOOKS,
    changed,
    dealt,
    decision,
    lines,
    stud,
)
from tests.mathematics.dealt import rules_of

BOARD_STEPS = {"flop": 3, "turn": 1, "river": 1}
PREFLOP = decision("preflop", 0, {"5x": 5})
SEVEN = {"cards": ["community", "dealer"], "ranking": "five_card", "clause": "x"}

_LIMIT = {
    "clause": "x",
    "covers": ["ante", "anchor", "sail"],
    "set_by": "document",
    "amount": 1500,
    "or_best_win": False,
    "bound_clause": "x",
    "shortens": "largest",
}

FOUR_CARD = {"size": 4, "order": ["four_of_a_kind", "straight_flush", "flush", "high_card"]}
"""A ranking of the rulebook's own."""

BONUS = {"title": "Bonus", "on": "ante", "hand": "final", "paytable": "anchor", "clause": "x"}

HOLDEM_GAMES: dict[str, tuple[dict[str, Any], str]] = {
    "a hand of one card": (
        dealt(BOARD_STEPS, player=1)
        | {"decisions": [decision("flop", 3, {"2x": 2}, "fold", sees_player=1)]}
        | {"wagers.first_mates": None, "paytables.first_mates": None},
        "cards.player",
    ),
    "three dealer's cards": (
        dealt(BOARD_STEPS, dealer=3)
        | {"hands.dealer": SEVEN | {"cards": ["community:4", "dealer"]}},
        "cards.dealer",
    ),
    "three dealer's cards of which two count": (
        dealt(BOARD_STEPS, dealer=3)
        | {"hands.dealer": SEVEN | {"cards": ["community", "dealer:2"]}},
        "cards.dealer",
    ),
    "a dealer's hand of other cards": (
        {"hands.dealer": SEVEN | {"cards": ["community:3", "dealer"]}},
        "dealer.hand",
    ),
    "a dealer's hand that is the board": (
        {"hands.dealer": SEVEN | {"cards": ["community"]}},
        "dealer.hand",
    ),
    "a player's hand of other cards": (
        {"hands.opening": SEVEN | {"cards": ["community:3", "player"]}}
        | {"wagers.anchor.settles.hand": "opening"},
        "wagers.anchor.settles.hand",
    ),
    "a decision between reveals": (
        {"decisions": [PREFLOP, decision("early", 2, {"2x": 2}, "fold")]},
        "decisions[1].sees_community",
    ),
    "a decision on fewer cards than are shown": (
        {"decisions": [decision("flop", 3, {"2x": 2}), decision("late", 0, {"1x": 1}, "fold")]},
        "decisions[1].sees_community",
    ),
    "a decision on one of two own cards": (
        {"decisions": [decision("blind", 0, {"1x": 1}, "fold", sees_player=1)]},
        "decisions[0].sees_player",
    ),
    "an own card that is turned up later": (
        {"reveals.0.player": 1, "decisions.0.sees_player": 1},
        "decisions[0].sees_player",
    ),
    "two wagers decided on all five cards": (
        {
            "wagers.oars": {
                "title": "Oars",
                "role": "decided",
                "clause": "x",
                "settles": {
                    "by": "versus_dealer",
                    "hand": "final",
                    "folded": {"do": "collect", "clause": "x"},
                    "qualified": {
                        "higher": {"do": "pay", "paytable": "sail"},
                        "equal": {"do": "return", "clause": "x"},
                        "lower": {"do": "collect", "clause": "x"},
                    },
                },
            },
            "decisions": [
                PREFLOP,
                decision("late", 5, {"1x": 1}),
                decision("last", 5, {"1x": 1}, "fold", wager="oars"),
            ],
            "layout": None,
        },
        "decisions[2].wager",
    ),
    "two decks": ({"deck.copies": 2}, "deck.copies"),
    "a bonus on the ante by its first cards": (
        {"bonuses.extra": BONUS | {"hand": "opening"}}
        | {"hands.opening": SEVEN | {"cards": ["community:3", "player"]}},
        "bonuses.extra.hand",
    ),
    "a dealer's card that is seen": (
        {"reveals.0.dealer": 1, "decisions.1.sees_dealer": 1},
        "reveals[0].dealer",
    ),
    "a bet with certain hands only": (
        {"decisions.0.only_with": {"5x": {"hand": "opening", "at_least": "pair"}}}
        | {"hands.opening": {"cards": ["player"], "ranking": "two_card", "clause": "x"}},
        "decisions[0].only_with",
    ),
    "two decisions of one name": (
        {"decisions": [decision("bet", 0, {"5x": 5}), decision("bet", 3, {"1x": 1}, "fold")]},
        "decisions[0].name",
    ),
    "a payout limit that cuts payments at the least stake": (
        {
            "payout_limits": [
                {
                    "clause": "x",
                    "covers": ["ante", "anchor", "sail"],
                    "set_by": "document",
                    "amount": 500,
                    "or_best_win": False,
                    "bound_clause": "x",
                    "shortens": "largest",
                }
            ]
        },
        "payout_limits[0].amount",
    ),
    "a payout limit that cuts a raise of the least ante": (
        {"payout_limits": [_LIMIT | {"covers": ["sail"]}], "wagers.ante.stakes": ["1000"]},
        "payout_limits[0].amount",
    ),
    "a payout limit that cuts what equals the least ante": (
        {"payout_limits": [_LIMIT | {"covers": ["anchor"]}], "wagers.ante.stakes": ["1", "5"]}
        | {"wagers.anchor.stakes": ["5"]},
        "payout_limits[0].amount",
    ),
    "a payout limit that cuts payments at the rulebook's own minimum": (
        {
            "payout_limits": [_LIMIT | {"covers": ["sail"]}],
            "options.minimum_wager": {"type": "amount", "words": "x", "default": 30100},
        },
        "payout_limits[0].amount",
    ),
    "a payout limit that is an option's default": (
        {
            "payout_limits": [_LIMIT | {"set_by": "at_least"}],
            "options.payout_limit": {"type": "amount", "words": "x", "default": 5000},
        },
        "options.payout_limit.default is 50;",
    ),
    "no decision": (
        {"decisions": [], "wagers.sail": None, "layout": None},
        "decisions",
    ),
    "a sum that is fixed": (
        {"paytables.anchor.A.lines": lines(("flush", "$50"))},
        "line flush.pays",
    ),
    "a line on single cards": (
        {
            "paytables.anchor.A.lines": lines(("in_spades", "3 to 1")),
            "patterns.in_spades": {"category": ["flush"], "suits": "s"},
        },
        "patterns.in_spades.suits",
    ),
    "a required wager on cards alone": (
        {
            "wagers.anchor.settles": {
                "by": "paytable",
                "hand": "final",
                "paytable": "lighthouse",
                "lost": "x",
            },
            "layout": None,
        },
        "wagers.anchor.settles.by",
    ),
    "stakes that are never equal": (
        {"wagers.ante.stakes": ["5"], "wagers.anchor.stakes": ["10"]},
        "wagers.ante.stakes",
    ),
    "payments beyond 64 bits": (
        {
            "paytables.anchor.A.lines": lines(
                ("flush", "1 to 99989"), ("straight", "1 to 99971"), ("pair", "99999 to 99961")
            )
        },
        "too",
    ),
}

STREETS_GAMES: dict[str, tuple[dict[str, Any], str]] = {
    "two decks": ({"deck.copies": 2}, "deck.copies"),
    "two decisions of one name": ({"decisions.0.name": "five_card"}, "decisions[0].name"),
    "a sum that is fixed": (
        {"paytables.five_card_poker.only.lines": lines(("flush", "$50"))},
        "line flush.pays",
    ),
}


QUESTIONS: dict[str, Callable[[Rules], object]] = {
    "analyze": lambda rules: analyze(rules, "main"),
    "advise": lambda rules: advise(rules, Situation(parse_cards("Ah Kd"))),
    "choices": lambda rules: solver_for(rules).choices(),
    "player": lambda rules: solver_for(rules).player(),
    "chart": lambda rules: solver_for(rules).chart(),
    "values": lambda rules: solver_for(rules).decision_values(),
    "session": lambda rules: net_distribution(rules, dict.fromkeys(rules.required, 1000)),
}


def check_refused(rules: Rules, field: str) -> None:
    for name, question in QUESTIONS.items():
        with pytest.raises(Unsolvable, match="cannot be solved exactly") as refused:
            question(rules)
        assert field in refused.value.message, (name, refused.value.message)
        assert refused.value.code == "unsolvable"
        assert refused.value.clause is None


@pytest.mark.parametrize("name", HOLDEM_GAMES)
def test_no_other_games_figure_for_hold_em(name: str) -> None:
    changes, field = HOLDEM_GAMES[name]
    rules = changed(HARBOUR, changes)
    if field == "too":
        with pytest.raises(Unsolvable, match=field):
            holdem_game(rules)
        return
    check_refused(rules, field)
    with pytest.raises(Unsolvable):
        holdem_game(rules)


@pytest.mark.parametrize("name", STREETS_GAMES)
def test_no_other_games_figure_for_streets(name: str) -> None:
    changes, field = STREETS_GAMES[name]
    check_refused(stud(changes), field)


def test_a_fold_that_returns_the_ante_is_worth_more() -> None:
    """Where the ante came back before, the value was printed as if it were lost."""
    back = {"do": "return", "clause": "x"}
    rules = changed("md-uth", {"wagers.ante.settles.folded": back})
    found = analyze(rules, "main")
    assert round(float(str(found["expected_value"])), 4) == 0.2490
    lost = changed(
        "md-uth", {"wagers.ante.settles.folded": back, "wagers.ante.after_fold": "loses"}
    )
    assert analyze(lost, "main")["expected_value_exact"] == "-50643648973/2317817502000"
    nets = net_distribution(rules, {"ante": 1000, "blind": 1000})
    mean = Fraction(sum(net * deals for net, deals in nets.items()), sum(nets.values()) * 1000)
    assert str(mean) == found["expected_value_exact"]


def test_what_follows_a_fold_is_never_asked() -> None:
    """A fold at the first decision: whoever goes on has bet, so no later decision is reached."""
    first = decision("preflop", 0, {"4x": 4, "3x": 3}, "fold", wager="play")
    early = changed("md-uth", {"decisions.0.otherwise": "fold"})
    alone = changed("md-uth", {"decisions": [first], "layout": None})
    found = analyze(early, "main")
    assert found["expected_value_exact"] == analyze(alone, "main")["expected_value_exact"]
    decisions = found["decisions"]
    assert isinstance(decisions, dict)
    assert sum(decisions["preflop"].values()) == pytest.approx(1)
    assert set(decisions["flop"].values()) == set(decisions["river"].values()) == {0.0}
    assert [choice.name for choice in solver_for(early).choices()] == ["preflop"]


def test_two_decisions_on_the_same_cards_list_only_their_own_words() -> None:
    two = [decision("big", 3, {"3x": 3}), decision("small", 3, {"1x": 1}, "fold")]
    rules = changed(HARBOUR, {"decisions": two})
    own, board = parse_cards("Ah Kd"), parse_cards("2c 7d 9s")
    first = advise(rules, Situation(own, board))
    second = advise(rules, Situation(own, board, decision="small"))
    assert set(first.values) == {"3x", "check"}
    assert set(second.values) == {"1x", "fold"}
    assert first.values["check"] == max(second.values.values())
    assert [choice.actions for choice in solver_for(rules).choices()] == [("3x", "1x", "fold")]


# -- side wagers ----------------------------------------------------------------------------------

BOARDS = dealt({"flop": 3, "turn": 1})
BEATEN_BY = {"by": "either_hand_beaten", "hand": "final", "paytable": "lighthouse", "lost": "x"}

SIDES: dict[str, tuple[dict[str, Any], str]] = {
    "a beaten hand of three own cards on four": (
        dealt({"flop": 3, "turn": 1}, player=3, dealer=3)
        | {
            "wagers.lighthouse.settles": BEATEN_BY,
            "decisions": [decision("turn", 4, {"1x": 1}, "fold", sees_player=3)],
            "wagers.first_mates": None,
            "paytables.first_mates": None,
        },
        "cards.player",
    ),
    "a beaten hand beside a dealer's of other cards": (
        {
            "wagers.lighthouse.settles": BEATEN_BY,
            "hands.dealer": SEVEN | {"cards": ["community:3", "dealer"]},
        },
        "dealer.hand",
    ),
    "a side wager against the dealer": (
        {
            "wagers.lighthouse.settles": {
                "by": "versus_dealer",
                "hand": "final",
                "folded": {"do": "collect", "clause": "x"},
                "qualified": {
                    "higher": {"do": "pay", "paytable": "lighthouse"},
                    "equal": {"do": "return", "clause": "x"},
                    "lower": {"do": "collect", "clause": "x"},
                },
            }
        },
        "wagers.lighthouse.settles.by",
    ),
    "a wager that follows one against the dealer": (
        {"wagers.lighthouse.settles": {"by": "follows", "wager": "ante", "lost": "x"}},
        "wagers.lighthouse.settles.wager",
    ),
    "all of the wagers against the dealer": (
        {
            "wagers.lighthouse.settles": {
                "by": "all_won",
                "wagers": ["ante", "anchor"],
                "paytable": "lighthouse",
                "lost": "x",
            }
        },
        "wagers.lighthouse.settles.by",
    ),
    "a payout limit that cuts it at the least stake": (
        {
            "payout_limits": [
                {
                    "clause": "x",
                    "covers": ["lighthouse"],
                    "set_by": "document",
                    "amount": 100,
                    "or_best_win": False,
                    "bound_clause": "x",
                    "shortens": "largest",
                }
            ]
        },
        "payout_limits[0].amount",
    ),
    "a beaten hand from two decks": (
        {"wagers.lighthouse.settles": BEATEN_BY, "deck.copies": 2},
        "deck.copies",
    ),
    "a line on a second hand from two decks": (
        {"patterns.lit": {"category": ["flush"], "also": [{"hand": "pocket", "suited": True}]}}
        | {"paytables.lighthouse.A.lines": lines(("lit", "9 to 1")), "deck.copies": 2},
        "deck.copies",
    ),
    "a bonus on a side wager": (
        {"bonuses.extra": BONUS | {"on": "lighthouse", "paytable": "lighthouse"}},
        "bonuses.extra.on",
    ),
    "a hand with a card twice": (
        {
            "hands.odd": {"cards": ["player", "player:1"], "ranking": "cards", "clause": "x"},
            "wagers.lighthouse.settles.hand": "odd",
        },
        "hands.odd.cards",
    ),
    "eight cards": (
        {
            "hands.odd": {
                "cards": ["player", "community", "dealer:1"],
                "ranking": "cards",
                "clause": "x",
            },
            "wagers.lighthouse.settles.hand": "odd",
        },
        "hands.odd.cards",
    ),
    "lost with a fold on a short board": (
        BOARDS
        | {
            "decisions": [decision("turn", 4, {"1x": 1}, "fold")],
            "wagers.lighthouse.after_fold": "loses",
        },
        "wagers.lighthouse.after_fold",
    ),
}


@pytest.mark.parametrize("name", SIDES)
def test_side_wagers_that_are_not_counted_are_refused(name: str) -> None:
    changes, field = SIDES[name]
    rules = changed(HARBOUR, changes)
    with pytest.raises(Unsolvable) as refused:
        analyze(rules, "lighthouse")
    assert field in refused.value.message


def test_side_wagers_of_a_game_that_is_not_solved_are_answered() -> None:
    rules = changed(HARBOUR, HOLDEM_GAMES["three dealer's cards of which two count"][0])
    assert analyze(rules, "first_mates")["expected_value_exact"] == "-18/221"
    assert analyze_wager(rules, "lighthouse").combinations_total == 133_784_560
    with pytest.raises(Unsolvable):
        analyze(rules, "main")


def test_a_wager_that_a_fold_would_lose_stands_where_nobody_folds() -> None:
    changes = {"decisions.3.otherwise": "check", "wagers.lighthouse.after_fold": "loses"}
    rules = changed(HARBOUR, changes)
    stands = analyze(rules_of(HARBOUR), "lighthouse")
    assert analyze(rules, "lighthouse")["expected_value_exact"] == stands["expected_value_exact"]


def test_no_more_players_than_the_table_has_positions() -> None:
    rules = changed("md-uth", {"positions.most": 3})
    for others in (-1, 3, 1_000_000):
        with pytest.raises(BadRequest, match="0 to 2"):
            analyze_wager(rules, "progressive", others=others)
    assert analyze_wager(rules, "progressive", others=2).others == 2


# -- the declarations -----------------------------------------------------------------------------

LOOKED_AT: dict[type, tuple[str, tuple[str, ...]]] = {
    schema.Rulebook: ("", ("cards", "deck", "reveals", "decisions", "dealer", "wagers")),
    schema.Deck: ("deck", ()),
    schema.Cards: ("cards", ()),
    schema.Reveal: ("reveals", ()),
    schema.Decision: ("decisions", ()),
    schema.Dealer: ("dealer", ()),
    schema.Hand: ("hands", ()),
    schema.Line: ("line", ()),
    schema.Pattern: ("pattern", ()),
}


@pytest.mark.parametrize(
    "shape", [HOLDEM, SHORT_BOARDS, STREETS, VERSUS], ids=lambda shape: shape.name
)
@pytest.mark.parametrize("struct", LOOKED_AT, ids=lambda struct: struct.__name__)
def test_every_field_of_the_schema_has_been_looked_at(shape: Shape, struct: type) -> None:
    """A field that is new in the schema must be declared here, or shown to change no value."""
    key, walked = LOOKED_AT[struct]
    neutral = NEUTRAL.get(struct.__name__, frozenset())
    if struct is schema.Dealer and shape is STREETS:
        return
    for info in msgspec.structs.fields(struct):
        if info.name in neutral or info.name in walked or info.name.endswith(("clause", "clauses")):
            continue
        name = f"{key}.{info.name}" if key else info.name
        assert name in shape.takes, f"{shape.name}: {name} is not declared"


@pytest.mark.parametrize(
    ("shape", "roles"),
    [(shape, ("required", "decided")) for shape in (HOLDEM, SHORT_BOARDS, STREETS, VERSUS)]
    + [(shape, ("wager",)) for shape in (BY_PAYTABLE, BEATEN, HIGHEST, FOLLOWER)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_every_field_of_a_wager_has_been_looked_at(shape: Shape, roles: tuple[str, ...]) -> None:
    neutral = NEUTRAL["Wager"]
    names = [info.name for info in msgspec.structs.fields(schema.Wager)]
    for role in roles:
        for name in names:
            if name not in neutral and not name.endswith("clause"):
                assert f"{role}.{name}" in shape.takes, f"{shape.name}: {role}.{name}"


def test_a_field_nobody_declared_is_refused_unless_it_says_nothing() -> None:
    rules = changed(HARBOUR, {})
    fewer = {key: check for key, check in HOLDEM.takes.items() if key != "cards.box"}
    shape = Shape("less", "less", fewer)
    assert not list(shape.misfits(rules, main_fields(rules)))
    with_box = changed(HARBOUR, {"cards.box": 2})
    (misfit,) = shape.misfits(with_box, main_fields(with_box))
    assert misfit.where == "cards.box"
    assert misfit.value == "2"


@pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.split("/")[-1])
def test_every_rulebook_there_is_has_a_solver(book: str) -> None:
    rules = rules_of(book)
    assert solver_for(rules).shape in [solver.shape for solver in SOLVERS]
    assert "main" in wagers_of(rules.book)


class _FiguresOnly(MainSolver):
    """A solver that answers no more than it must."""

    shape = HOLDEM

    def rounds(self, sides: Sequence[str] = ()) -> PlayedRounds:
        raise NotImplementedError(sides)

    def advise(self, situation: Situation) -> Advice:
        card = situation.own[0]
        return Advice("flop", {"call": Fraction(card), "fold": Fraction(20)}, "call")


def test_what_a_solver_does_not_answer_is_refused_with_what_it_does() -> None:
    rules = changed(HARBOUR, {})
    rules.prepared[MainSolver] = _FiguresOnly(rules)
    unanswered = {name: QUESTIONS[name] for name in ("choices", "chart", "values")}
    for question in unanswered.values():
        with pytest.raises(Unsolvable, match="not worked out for harbour-holdem") as refused:
            question(rules)
        assert "(analyze); the value of every action on given cards (advise)" in str(refused.value)
    player = solver_for(rules).player()
    assert player.action(parse_cards("Ah Kd")) == "call"
    with pytest.raises(Unsolvable, match="cannot be saved in a file"):
        player.save(Path("best.strategy"))


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (Situation(parse_cards("Ah Kd"), dealer=parse_cards("2c")), "no dealer's card may be seen"),
        (Situation(parse_cards("Ah Kd"), dealer=parse_cards("Ah")), "Ah is given twice"),
        (Situation(parse_cards("Ah Kd"), parse_cards("2c Kd 3d")), "Kd is given twice"),
    ],
)
def test_cards_that_nobody_can_see_have_no_advice(seen: Situation, why: str) -> None:
    with pytest.raises(BadCards, match=why):
        advise(changed(HARBOUR, {}), seen)


def test_a_card_that_the_deck_does_not_have_has_no_advice() -> None:
    rules = changed(HARBOUR, {"deck": {"ranks": "6789TJQKA"}})
    with pytest.raises(BadCards, match="2c is not in the deck of this game"):
        advise(rules, Situation(parse_cards("Ah 2c")))
