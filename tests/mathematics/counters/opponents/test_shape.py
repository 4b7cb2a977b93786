"""Games beside the family are refused, with the field that stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.errors import Unsolvable
from croupier.mathematics.counters.opponents.game import versus_game
from croupier.mathematics.questions.registry import solver_for
from tests.mathematics.changed import lines
from tests.mathematics.counters.opponents.games import decision, in_force, table
from tests.mathematics.counters.opponents.test_figures import three_card_poker

Game = dict[str, Any]


def two_decks(game: Game) -> None:
    game["deck"] = {"copies": 2}


def two_decisions(game: Game) -> None:
    first = decision(3, {"1x": 1}, otherwise="check", name="first")
    game["decisions"] = [first, *game["decisions"]]


def lines_on_suits(game: Game) -> None:
    game["patterns"] = {"spades": {"category": ["flush"], "suits": "s"}}
    game["paytables"]["bonus"]["only"]["lines"] = lines(("spades", "5 to 1"))


def a_fixed_bonus(game: Game) -> None:
    game["paytables"]["bonus"] = table(("flush", "$50"))


def a_bonus_on_both_hands(game: Game) -> None:
    six = {"cards": ["player", "dealer"], "ranking": "five_card", "clause": "x"}
    game["hands"]["six"] = six
    game["bonuses"]["ante_bonus"]["hand"] = "six"


def a_limit_on_the_bonus(game: Game) -> None:
    limit = {"clause": "x", "covers": ["ante_bonus"], "set_by": "document", "amount": 2}
    more = {"or_best_win": False, "bound_clause": "x", "shortens": "last"}
    game["payout_limits"] = [limit | more]


def the_best_five_of_seven(game: Game) -> None:
    game["cards"] |= {"player": 7, "dealer": 7}
    for name in ("own", "theirs"):
        game["hands"][name]["ranking"] = "five_card"
    for step in game["dealing"]["hand"]["order"]:
        step["cards"] = 7
    game["decisions"] = [decision(7, {"1x": 1})]


REFUSED: dict[Callable[[Game], None], str] = {
    two_decks: "deck.copies is 2",
    two_decisions: "decisions is 2",
    lines_on_suits: "patterns.spades.suits",
    a_fixed_bonus: r"bonuses.ante_bonus.paytable.*one pays '\$50'",
    a_bonus_on_both_hands: "bonuses.ante_bonus.hand",
    a_limit_on_the_bonus: r"payout_limits\[0\].amount is 2",
    the_best_five_of_seven: "cards.player is 7.*too many to count",
}


@pytest.mark.parametrize("change", REFUSED, ids=lambda change: change.__name__)
def test_what_is_not_modeled_is_refused_by_its_field(change: Callable[[Game], None]) -> None:
    game = three_card_poker()
    change(game)
    rules = in_force(game)
    for ask in (solver_for, versus_game):
        with pytest.raises(Unsolvable, match=REFUSED[change]) as refused:
            ask(rules)
        assert "hand against hand without a board" in refused.value.message


def test_payments_beyond_64_bits_are_refused() -> None:
    game = three_card_poker()
    game["paytables"]["bonus"] = table(("flush", "999,999,999,998 to 7"), ("pair", "1 to 991"))
    with pytest.raises(Unsolvable, match="too large to count"):
        versus_game(in_force(game))
