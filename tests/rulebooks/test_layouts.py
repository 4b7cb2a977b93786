"""The [layout] of a rulebook file: what it must have, what is refused, what stands in for it."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest

from croupier.errors import BadData
from croupier.rulebooks.layouts import layout_of
from croupier.rulebooks.loader import RulebookFile, load_rulebook
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES

HARBOUR = tomllib.loads((EXAMPLES / "harbour-holdem.toml").read_text("utf-8"))


def refused(**changes: Any) -> str:
    """What the loader says to Harbour Hold'em with its layout changed."""
    tree: dict[str, Any] = copy.deepcopy(HARBOUR)
    for path, value in changes.items():
        *parents, last = path.split("__")
        node: Any = tree["layout"]
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node[key]
        if value is None:
            del node[last]
        else:
            node[int(last) if isinstance(node, list) else last] = value
    with pytest.raises(BadData) as caught:
        RulebookFile(tree, "harbour.toml")
    return caught.value.message


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_document_describes_its_felt(name: str) -> None:
    book = load_rulebook(name).default
    assert book.layout is not None
    assert layout_of(book) is book.layout
    assert book.layout.spots.keys() == book.wagers.keys()


def test_a_rulebook_without_a_layout_has_a_plain_one() -> None:
    tree = copy.deepcopy(HARBOUR)
    del tree["layout"]
    book = RulebookFile(tree, "harbour.toml").default
    plain = layout_of(book)
    assert plain.spots.keys() == book.wagers.keys()
    rows = {name: plain.spots[name].row for name in ("lighthouse", "ante", "sail")}
    assert rows == {"lighthouse": 1, "ante": 2, "sail": 3}
    assert [area.holds for area in plain.areas] == ["chips", "name", "community", "dealer"]
    again = RulebookFile({**tree, "layout": _tree(plain)}, "harbour.toml").default
    assert again.layout == plain, "the plain layout is a sound one"


def _tree(layout: object) -> Any:
    import msgspec

    return msgspec.to_builtins(layout)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"spots__sail": None}, "at layout.spots: 'sail' has no spot"),
        ({"spots__sial": {"row": 4, "clause": ""}}, "unknown wager 'sial': did you mean 'sail'?"),
        ({"spots__sail": {"row": 2, "clause": "2.2"}}, "it overlaps the spot of 'ante'"),
        ({"spots__sail__row": 0}, "at layout.spots.sail: rows are 1 to 6"),
        ({"spots__sail__row": 7}, "at layout.spots.sail: rows are 1 to 6"),
        ({"spots__sail__across": 2}, "at most 1.5 from the middle"),
        ({"spots__sail__across": float("nan")}, "at most 1.5 from the middle"),
        ({"spots__sail__across": float("inf")}, "at most 1.5 from the middle"),
        ({"spots__anchor__symbol": "="}, "there is no spot to its right"),
        ({"spots__ante__symbol": "<"}, "at layout.spots.ante.symbol"),
        ({"spots__ante__hue": "red"}, "unknown field 'hue'"),
        ({"spots__ante__row": "1"}, "at layout.spots.ante.row: a whole number is expected"),
        ({"areas__2": {"holds": "chips", "row": 3}}, "'chips' has its place already"),
        ({"areas__2": {"holds": "box", "row": 3}}, "no card is dealt to 'box'"),
        ({"areas__2": {"holds": "community", "row": 99}}, "rows are 0 to 6"),
        ({"areas__2": {"holds": "tips", "row": 1}}, "dealt to 'community', which has no place"),
        ({"areas__0": {"holds": "third_card", "row": 1, "each": True}}, "each player's third card"),
        ({"areas__0": {"holds": "name", "row": 1, "each": True}}, "only 'third_card'"),
        ({"areas__0": {"holds": "bar", "row": 1}}, "at layout.areas[0].holds"),
        ({"areas__0": {"holds": "name", "row": 1, "needs_wager": "rum"}}, "unknown wager 'rum'"),
        ({"notices": {"payout_limit": "1.4"}}, "nothing to state under 'payout_limit'"),
        ({"notices": {"weather": "1.4"}}, "weather"),
        ({"odds": "to"}, "at layout.odds_words_clause"),
        ({"odds": "for"}, "at layout.odds"),
        ({"spots": None}, "at layout: 'spots' is missing"),
    ],
)
def test_a_felt_that_cannot_be_is_refused_with_its_place(
    changes: dict[str, Any], said: str
) -> None:
    assert said in refused(**changes)
