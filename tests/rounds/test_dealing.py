"""Deals from a deck: every card goes to one place, and the same deck gives the same round."""

from __future__ import annotations

import copy
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, Card, parse_cards
from croupier.errors import BadCards, BadData, BadRequest, RuleBroken, UnknownName
from croupier.rounds.dealing import DEAL, Dealt, Delivery, deal_order, dealt, whole_order
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.loader import RulebookFile, open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

HARBOUR = Path(__file__).parents[2] / "examples" / "harbour-holdem.toml"
TREES = {
    name: tomllib.loads(path.read_text("utf-8"))
    for name, path in {
        "harbour": HARBOUR,
        **{
            name: Path(__file__).parents[2] / f"src/croupier/rulebooks/{name}/game.toml"
            for name in DOCUMENTS
        },
    }.items()
}


@cache
def every_way() -> tuple[tuple[str, Rules], ...]:
    """Every way of dealing and every order of it, with everything offered and with nothing."""

    def ways() -> Iterator[tuple[str, Rules]]:
        for name in (*DOCUMENTS, str(HARBOUR)):
            file = open_rulebook(name)
            for way, dealing in file.default.dealing.items():
                for order in dealing.variants or (None,):
                    for offered in (None, ()):
                        options: dict[str, Any] = {"dealing": way}
                        if order is not None:
                            options["deal_order"] = order
                        rules = put_in_force(file, Submission(offered=offered, options=options))
                        yield f"{Path(name).stem} {way} {order or ''}", rules

    return tuple(ways())


EACH = pytest.mark.parametrize(
    "rules", [pytest.param(rules, id=name) for name, rules in every_way()]
)
SEATS = st.sets(st.integers(1, 6), min_size=1).map(sorted)
DECKS = st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(DECK, 52))


def dealt_round(rules: Rules, seats: list[int], deck: list[Card]) -> list[Dealt]:
    """The deal and each reveal, every one from the stub the one before it left."""
    parts, stub = [], tuple(deck)
    for at in (DEAL, *(reveal.name for reveal in rules.book.reveals)):
        parts.append(dealt(stub, deal_order(rules, seats, at)))
        stub = parts[-1].stub
    return parts


def cards_of(part: Dealt) -> list[Card]:
    hands = [card for hand in part.players.values() for card in hand]
    return [*hands, *part.dealer, *part.community, *part.box, *part.burned, *part.discarded]


@EACH
@settings(max_examples=15)
@given(seats=SEATS, deck=DECKS)
def test_every_card_goes_to_exactly_one_place(
    rules: Rules, seats: list[int], deck: list[Card]
) -> None:
    parts = dealt_round(rules, seats, deck)
    assert sorted([*(c for part in parts for c in cards_of(part)), *parts[-1].stub]) == list(DECK)
    cards = rules.book.cards
    hands = Counter(seat for part in parts for seat, hand in part.players.items() for _ in hand)
    assert hands == dict.fromkeys(seats, cards.player)
    assert sum(len(part.dealer) for part in parts) == cards.dealer
    assert sum(len(part.community) for part in parts) == cards.community
    assert sum(len(part.box) for part in parts) in {0, cards.box}


@EACH
@settings(max_examples=15)
@given(seats=SEATS, deck=DECKS)
def test_the_whole_order_is_the_deal_and_its_reveals(
    rules: Rules, seats: list[int], deck: list[Card]
) -> None:
    once = dealt(deck, [delivery for _, delivery in whole_order(rules, seats)])
    parts = dealt_round(rules, seats, deck)
    assert once.stub == parts[-1].stub
    assert once.community == tuple(card for part in parts for card in part.community)
    assert once.burned == tuple(card for part in parts for card in part.burned)
    assert once.players == parts[0].players


@EACH
@settings(max_examples=15)
@given(seats=SEATS, deck=DECKS)
def test_the_same_deck_gives_the_same_round(
    rules: Rules, seats: list[int], deck: list[Card]
) -> None:
    assert dealt_round(rules, seats, deck) == dealt_round(rules, seats[::-1], list(deck))


@pytest.mark.clause("md-uth", "10.B(1)", "11.C(1)", "11.E(1)")
@EACH
def test_box_and_burn_never_go_together(rules: Rules) -> None:
    """MD-60: only a machine fills the box, and only single cards are burned."""
    places = {delivery.place for _, delivery in whole_order(rules, range(1, 7))}
    assert not {"box", "burn"} <= places


@EACH
def test_the_community_cards_are_there_when_they_are_revealed(rules: Rules) -> None:
    there, shown = 0, 0
    order = whole_order(rules, [2])
    for at in (DEAL, *(reveal.name for reveal in rules.book.reveals)):
        there += sum(d.count for moment, d in order if moment == at and d.place == "community")
        shown += sum(reveal.community for reveal in rules.book.reveals if reveal.name == at)
        assert there >= shown


@EACH
def test_every_delivery_names_a_clause_of_its_document(rules: Rules) -> None:
    if rules.book.id in DOCUMENTS:
        cited = {delivery.clause for _, delivery in whole_order(rules, [1])}
        assert cited <= clauses_of(rules.book.id).keys()


def rules_of(rulebook: str, **options: Any) -> Rules:
    return put_in_force(open_rulebook(rulebook), Submission(options=options))


def test_a_deal_from_the_hand_card_by_card() -> None:
    rules = rules_of("md-wpt", dealing="hand")
    deck = parse_cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d")
    deal = dealt(deck, deal_order(rules, (5, 2)))
    assert deal.players == {2: parse_cards("2c 5c"), 5: parse_cards("3c 6c")}
    assert deal.dealer == parse_cards("4c 7c")
    flop = dealt(deal.stub, deal_order(rules, (5, 2), "flop"))
    assert flop.burned == parse_cards("8c")
    assert flop.community == parse_cards("9c Tc Jc")
    last = dealt(flop.stub, deal_order(rules, (5, 2), "turn and river"))
    assert last.burned == parse_cards("Qc")
    assert last.community == parse_cards("Kc Ac")
    assert last.stub == parse_cards("2d 3d")


def test_cards_that_follow_each_other_to_one_place_are_one_delivery() -> None:
    rules = rules_of("md-jackpot", dealing="automated_shoe")
    assert deal_order(rules, [6]) == (
        Delivery("community", 0, 5, "10.B(1)"),
        Delivery("dealer", 0, 2, "10.B(2)"),
        Delivery("player", 6, 2, "10.B(2)"),
    )
    assert deal_order(rules, [6], "first card") == ()
    tree = changed(dealing__manual_shoe__order__0={"to": ["players"], "times": 2, "clause": "1.2"})
    tree["dealing"]["manual_shoe"]["order"].insert(
        1, {"to": ["dealer"], "cards": 2, "clause": "1.2"}
    )
    mine = put_in_force(RulebookFile(tree, "my-game.toml"), Submission())
    assert deal_order(mine, [1])[:2] == (
        Delivery("player", 1, 2, "1.2"),
        Delivery("dealer", 0, 2, "1.2"),
    )
    assert [d.seat for d in deal_order(mine, [2, 1])] == [1, 2, 1, 2, 0]


def test_an_order_is_worked_out_once() -> None:
    rules = rules_of("md-uth", dealing="hand")
    assert deal_order(rules, (1, 2)) is deal_order(rules, [1, 2])
    assert deal_order(rules, (1, 2)) is not deal_order(rules_of("md-uth"), (1, 2))


@pytest.mark.parametrize(
    ("seats", "kind", "said"),
    [
        ((), BadRequest, "at least one seat"),
        ((1, 2, 1), BadRequest, "seat 1 is given twice"),
        ((0,), RuleBroken, "seat 0: seats are numbered 1 to 6"),
        ((3, 7), RuleBroken, "seat 7: seats are numbered 1 to 6"),
    ],
)
def test_seats_that_cannot_be_dealt_to(
    seats: tuple[int, ...], kind: type[BadRequest], said: str
) -> None:
    with pytest.raises(kind, match=said):
        deal_order(rules_of("md-uth"), seats)


def test_a_moment_nobody_knows() -> None:
    with pytest.raises(UnknownName, match="did you mean 'flop'"):
        deal_order(rules_of("md-uth"), [1], "flopp")


def test_a_deck_that_is_too_short() -> None:
    with pytest.raises(BadCards, match="13 cards are to be dealt, but 12 are left"):
        dealt(DECK[:12], deal_order(rules_of("md-uth"), [1]))


# -- rulebooks that could not be dealt ------------------------------------------------------------


class _Drop:
    """Takes an entry away."""


DROP = _Drop()
SHOE = "dealing__manual_shoe__order"


def changed(book: str = "harbour", /, **changes: object) -> dict[str, Any]:
    tree: dict[str, Any] = copy.deepcopy(TREES[book])
    for path, value in changes.items():
        *parents, last = path.split("__")
        node: Any = tree
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
        if isinstance(node, list):
            node[int(last)] = value
        elif value is DROP:
            del node[last]
        else:
            node[last] = value
    return tree


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({f"{SHOE}__0__times": 1}, "it deals 1 to each player, but [cards] says 2"),
        ({f"{SHOE}__0__times": 1}, "it deals 1 to the dealer, but [cards] says 2"),
        ({f"{SHOE}__0__to": ["players"]}, "it deals 0 to the dealer, but [cards] says 2"),
        ({f"{SHOE}__2__cards": 4}, "it deals 6 to the community, but [cards] says 5"),
        ({f"{SHOE}__1__to": ["box"]}, "it deals 1 to the box, but [cards] says 0"),
        ({f"{SHOE}__1__cards": 34}, "6 positions need 55 cards with those burned"),
        ({f"{SHOE}__1__times": 10**12}, "a deck has 52"),
        ({f"{SHOE}__0__cards": 0}, "order[0]: a step deals at least one card"),
        ({f"{SHOE}__0__times": -1}, "order[0]: a step deals at least one card"),
        ({f"{SHOE}__0__to": []}, "order[0]: a step deals at least one card to someone"),
        ({f"{SHOE}__0__to": ["players", "crowd"]}, "unknown choice 'crowd'"),
        ({f"{SHOE}__1__at": "flopp"}, "order[1]: unknown reveal 'flopp': did you mean 'flop'?"),
        ({f"{SHOE}__1__at": "river"}, "order[2].at: 'flop' comes before 'river', not after it"),
        ({f"{SHOE}__0__at": "flop"}, "order[0].at: players get all their cards at the deal"),
        ({f"{SHOE}__0__waits": True}, "order[0].waits: only the dealer's cards"),
        ({f"{SHOE}__1__needs_wager": "lamp"}, "order[1]: unknown wager 'lamp'"),
        ({f"{SHOE}__1__needs_wager": "ante"}, "order[1].needs_wager: 'ante' is not optional"),
        ({f"{SHOE}__2__needs_wager": "lighthouse"}, "hands and board are dealt whatever"),
        ({f"{SHOE}__0__clause": DROP}, "'clause' is missing"),
        ({SHOE: DROP}, "at dealing.manual_shoe: it needs an order"),
        ({"dealing": {}}, "at dealing: a rulebook knows at least one way of dealing"),
        ({"reveals__0__name": "deal"}, "none is called deal"),
        ({"reveals__1__name": "flop"}, "at reveals: each has a name of its own"),
        ({"options__dealing__choices": ["hand"]}, "unknown way of dealing 'hand'"),
        (
            {"options__deal_order": {"type": "choice", "words": "x", "choices": ["x"]}},
            "at options.deal_order: unknown order of dealing 'x'",
        ),
        (
            {"options__dealing__default": "shoe"},
            "at options.dealing: unknown way of dealing 'shoe'",
        ),
        ({"options__dealing__fixed": True}, "at options.dealing: unknown way of dealing 'True'"),
        (
            {"dealing__manual_shoe__variants": {"one": {"clause": "1.2", "order": []}}},
            "at dealing.manual_shoe.variants.one: it needs an order",
        ),
        (
            {
                "dealing__manual_shoe__variants": {
                    "one": {
                        "clause": "1.2",
                        "order": TREES["harbour"]["dealing"]["manual_shoe"]["order"],
                    }
                }
            },
            "at dealing.manual_shoe: write its order or its variants, not both",
        ),
    ],
)
def test_a_rulebook_that_cannot_be_dealt_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadData) as refusal:
        RulebookFile(changed(**changes), "my-game.toml")
    assert said in refusal.value.message


AUTOMATED = "dealing__automated_shoe__variants"


@pytest.mark.parametrize(
    ("book", "changes", "said"),
    [
        (
            "md-uth",
            {f"{AUTOMATED}__dealer_last__order__0__cards": 3},
            "at dealing.automated_shoe.variants.dealer_last.order: it deals 3 to the box, "
            "but [cards] says 4",
        ),
        (
            "md-uth",
            {"wagers__six_card_bonus__dealt_by": []},
            "at wagers.six_card_bonus.dealt_by: dealing.manual_shoe deals nothing to the box",
        ),
        (
            "md-uth",
            {f"{AUTOMATED}__dealer_last__order__0__needs_wager": "trips"},
            "at wagers.six_card_bonus.dealt_by: dealing.automated_shoe deals nothing to the box",
        ),
        (
            "md-uth",
            {"options__deal_order__choices": ["dealer_first", "dealer_last"]},
            "at options.deal_order.choices: 'community_first' of dealing.automated_shoe is missing",
        ),
        (
            "md-wpt",
            {"options__deal_order": DROP},
            "at options.deal_order.choices: 'community_last' of dealing.automated_shoe is missing",
        ),
        (
            "md-wpt",
            {"options__deal_order__type": "count"},
            "at options.deal_order.type: it must be 'choice'",
        ),
        (
            "md-jackpot",
            {f"{SHOE}__1__at": "next two cards"},
            "'first card' shows the board up to card 1, but by then it has 0",
        ),
    ],
)
def test_a_document_that_deals_wrongly_is_refused(
    book: str, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadData) as refusal:
        RulebookFile(changed(book, **changes), f"{book}.toml")
    assert said in refusal.value.message
