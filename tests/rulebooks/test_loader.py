"""Malformed rulebook files: refused with the place of the error and the form expected there."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import BadData, CroupierError, UnknownName
from croupier.library.rehearsing import deal_round
from croupier.rounds.settle_requests import settlement_object
from croupier.rounds.settlement import settle
from croupier.rulebooks.loader import RulebookFile, load_rulebook, open_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES, croupier

HARBOUR = EXAMPLES / "harbour-holdem.toml"
TREES = {
    "harbour": tomllib.loads(HARBOUR.read_text("utf-8")),
    **{
        name: tomllib.loads(
            (Path(__file__).parents[2] / f"src/croupier/rulebooks/{name}/game.toml").read_text(
                "utf-8"
            )
        )
        for name in RULEBOOKS
    },
}


class _Drop:
    def __repr__(self) -> str:
        return "DROP"


DROP = _Drop()


def changed(book: str, /, **changes: object) -> dict[str, Any]:
    """A rulebook's tree with changes: `wagers__ante__role="x"`."""
    tree: dict[str, Any] = copy.deepcopy(TREES[book])
    for path, value in changes.items():
        *parents, last = path.split("__")
        node: Any = tree
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
        if value is DROP:
            del node[last]
        else:
            node[last] = value
    return tree


def refused(book: str, /, **changes: object) -> str:
    with pytest.raises(BadData) as caught:
        RulebookFile(changed(book, **changes), "my-game.toml")
    message = caught.value.message
    assert message.startswith("my-game.toml: ")
    assert caught.value.clause is None
    return message.removeprefix("my-game.toml: ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # Missing, of a wrong type, or unknown.
        ({"id": DROP}, "'id' is missing"),
        ({"wagers": DROP}, "'wagers' is missing"),
        ({"id": 5}, "at id: text is expected here, not a whole number"),
        ({"positions": 6}, "at positions: a table is expected here, not a whole number"),
        (
            {"positions__most": "six"},
            "at positions.most: a whole number is expected here, not text",
        ),
        ({"positions__per_player": "two"}, "at positions.per_player: unknown choice 'two'"),
        (
            {"cards__player": 2.0},
            "at cards.player: a whole number is expected here, not a number with decimals",
        ),
        ({"patterns": "x"}, "at patterns: a table is expected here, not text"),
        (
            {"patterns": {"pair_of_x": 5}},
            "at patterns.pair_of_x: a table is expected here, not a whole number",
        ),
        ({"wagers__ante__roll": "x"}, "at wagers.ante: unknown field 'roll': did you mean 'role'?"),
        ({"wagers__ante__role": "must"}, "at wagers.ante.role: unknown choice 'must'"),
        ({"wagers__ante__settles__by": "luck"}, "at wagers.ante.settles"),
        ({"wagers__ante__settles__hands": "x"}, "at wagers.ante.settles: unknown field 'hands'"),
        ({"wagers__ante__settles__folded__do": "burn"}, "at wagers.ante.settles.folded.do"),
        ({"wagers__ante": []}, "at wagers.ante: a table is expected here, not a list"),
        (
            {"decisions__1__bets": ["2x"]},
            "at decisions[1].bets: a table is expected here, not a list",
        ),
        ({"decisions__0__otherwise": "pass"}, "at decisions[0].otherwise: unknown choice"),
        ({"paytables__anchor__A__lines__0__pays": 5}, "at paytables.anchor.A.lines[0].pays"),
        ({"paytables__anchor__A__lines__0__pay": ""}, "did you mean 'pays'?"),
        ({"hands__final__ranking": "seven"}, "at hands.final.ranking: unknown ranking"),
        ({"hue": "red"}, "unknown field 'hue'"),
        # Names that lead nowhere.
        ({"announces": "finale"}, "at announces: unknown hand 'finale': did you mean 'final'?"),
        ({"dealer__hand": "x"}, "at dealer.hand: unknown hand 'x'"),
        ({"dealer__at_least": "pairs"}, "at dealer.at_least: unknown hand 'pairs'"),
        ({"dealer__of": "1"}, "at dealer.of: '1' has a letter that is no rank"),
        ({"dealer": DROP}, "the rulebook has no [dealer]"),
        (
            {"hands__final__cards": ["player", "bord"]},
            "at hands.final.cards: 'bord' is not a place",
        ),
        ({"hands__final__cards": ["player:3"]}, "has more cards than are dealt there"),
        ({"hands__final__cards": ["player:0", "community"]}, "'player:0' is not a place"),
        ({"decisions__0__wager": "sale"}, "at decisions[0]: unknown wager 'sale'"),
        ({"decisions__0__multiple_of": "anti"}, "did you mean 'ante'?"),
        ({"decisions__0__bets": {}}, "at decisions[0].bets: every bet is a multiple of at least 1"),
        ({"decisions__0__bets": {"0x": 0}}, "every bet is a multiple of at least 1"),
        ({"wagers__lighthouse__needs": ["x"]}, "at wagers.lighthouse: unknown wager 'x'"),
        ({"wagers__anchor__equals": "x"}, "at wagers.anchor: unknown wager 'x'"),
        ({"wagers__lighthouse__dealt_by": ["x"]}, "unknown way of dealing 'x'"),
        ({"wagers__lighthouse__settles__hand": "x"}, "at wagers.lighthouse: unknown hand 'x'"),
        ({"wagers__lighthouse__settles__paytable": "x"}, "unknown paytable 'x'"),
        ({"wagers__lighthouse__settles__returns": ["x"]}, "unknown hand 'x'"),
        ({"wagers__ante__settles__qualified__equal": {"do": "return"}}, "needs the clause"),
        ({"paytables__anchor__A__lines__1__hand": "flsh"}, "did you mean 'flush'?"),
        ({"paytables__anchor__A__lines__1__covers": ["flsh"]}, "unknown hand 'flsh'"),
        ({"patterns__pocket_pair__category": ["pairs"]}, "at patterns.pocket_pair: unknown hand"),
        ({"patterns__pocket_pair__ranks": ["1Z"]}, "is no rank"),
        ({"patterns__pocket_pair__suits": "x"}, "must be letters of cdhs"),
        ({"patterns__pocket_pair__also": [{"hand": "x", "ranks": ["AA"]}]}, "looks at 'x'"),
        ({"payout_limits": [{"clause": "1", "covers": ["x"], "set_by": "document"}]}, "missing"),
        ({"wagers__lighthouse__stakes": ["1.234"]}, "is not an amount"),
        # Payouts nobody could pay.
        *(
            ({"paytables__anchor__A__lines__0__pays": pays}, "is not a payout")
            for pays in ("", "5", "5 to", "5 to 0", "0 to 1", "5 for 2", "five to 1", "5:1")
        ),
        *(
            ({"paytables__anchor__A__lines__0__pays": pays}, "is not a payout")
            for pays in (", to 1", "$", "$,", "-5 to 1", "0% of main", "101% of main", "Push")
        ),
        ({"paytables__lighthouse__A__lines__0__pays": "10% of x"}, "no meter 'x' under meters"),
        # Rounds nobody could deal or settle.
        ({"positions__most": 0}, "at cards: a round has at least one position"),
        ({"positions__most": 23}, "23 positions need more than the 52 cards of a deck"),
        ({"positions__most": 10**30}, "need more than the 52 cards of a deck"),
        ({"cards__dealer": -1}, "has more cards than are dealt there"),
        ({"cards__box": -1}, "none below 0"),
        ({"cards__player": 0}, "has more cards than are dealt there"),
        ({"cards__community": 2}, "at hands.final: 4 cards cannot be ranked as five_card"),
        ({"cards__community": 6}, "at hands.final: 8 cards cannot be ranked as five_card"),
        ({"announces": "pocket"}, "at announces: hand 'pocket' is plain cards"),
        ({"wagers__sail__role": "optional"}, "'sail' must have the role 'decided'"),
        ({"wagers__ante__role": "optional"}, "'ante' must have the role 'required'"),
        ({"decisions": []}, "at wagers.sail: a decided wager needs a decision that places it"),
        ({"decisions__0__bets": {"check": 5}}, "a bet cannot be called check"),
        ({"decisions__0__sees_community": 9}, "the board has 5 cards"),
        ({"decisions__0__sees_player": 3}, "a player has 2 cards"),
        ({"wagers__lighthouse__equals": "ante"}, "only required wagers can be bound to be equal"),
        ({"wagers__lighthouse__stakes": ["0"]}, "a stake is more than 0"),
        ({"wagers__lighthouse__scales_seeds": True}, "seeds scale with the one stake"),
        ({"paytables__anchor": {}}, "a family has at least one table"),
        ({"paytables__anchor__A__lines": []}, "a table at least one line"),
        ({"options__minimum_wager__type": "count"}, "at options.minimum_wager.type"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_malformed_rulebook_is_refused_with_the_place(
    changes: dict[str, object], said: str
) -> None:
    assert said in refused("harbour", **changes)


@pytest.mark.parametrize(
    ("book", "changes", "said"),
    [
        ("md-235", {"wagers__win_em_all__settles__wagers": ["x"]}, "unknown wager 'x'"),
        (
            "md-235",
            {"wagers__win_em_all__settles__wagers": ["progressive"]},
            "'progressive' must be required and stand before it",
        ),
        ("md-235", {"wagers__three_card_raise__settles__wager": "x"}, "unknown wager 'x'"),
        (
            "md-235",
            {"wagers__three_card_raise__settles__wager": "five_card_poker"},
            "'five_card_poker' must be required and stand before it",
        ),
        ("md-235", {"wagers__three_card_raise__settles__pays": "x"}, "is not a payout"),
        ("md-235", {"envy__on": "x"}, "at envy: unknown wager 'x'"),
        ("md-235", {"envy__on": "win_em_all"}, "'win_em_all' must be settled by 'paytable'"),
        ("md-235", {"envy__hand": "x"}, "at envy: unknown hand 'x'"),
        ("md-235", {"envy__tables": {"1": "x"}}, "at envy: unknown paytable 'x'"),
        ("md-235", {"envy__tables": {"one": "envy_1"}}, "'one' is no stake"),
        ("md-235", {"paytables__envy_1__A__lines__0__pays": "5 to 1"}, "must pay a fixed sum"),
        ("md-235", {"paytables__win_em_all__only__lines": []}, "a table at least one line"),
        ("md-235", {"paytables__progressive__A__meters": {}}, "no meter 'main' under meters"),
        (
            "md-235",
            {"paytables__progressive__A__meters__main__minimum": -1},
            "a minimum is not below 0",
        ),
        (
            "ma-uth",
            {"paytables__cover_all__2": DROP},
            "its tables are named by the number of hands: 2, 3, 4, 5, 6, 7",
        ),
        ("ma-uth", {"positions__most": 7}, "its tables are named by the number of hands"),
        (
            "ma-uth",
            {"wagers__trips__settles__paytable": "envy"},
            "'envy' is not a paytable an operator chooses",
        ),
        ("md-uth", {"payout_limits__0__covers": ["x"]}, "at payout_limits[0].covers: unknown"),
        (
            "md-uth",
            {"payout_limits__0__covers": ["ante", "progressive"]},
            "at payout_limits[0].covers: 'progressive' wins from meters",
        ),
        ("md-uth", {"readings__bad_beat_loser__choices": {}}, "at least one choice"),
        ("md-uth", {"readings__bad_beat_loser__clauses": []}, "names the clauses it reads"),
        ("md-uth", {"readings__bad_beat_loser__choices__x": {}}, "is missing"),
        (
            "md-uth",
            {
                "paytables__trips__A__meters": {"main": {"minimum": 1, "clause": "x"}},
                "paytables__trips__A__lines__0__pays": "5% of main",
            },
            "one family can have meters, not progressive and trips",
        ),
        ("md-uth", {"hands__dealer_pocket": DROP}, "looks at 'dealer_pocket'"),
    ],
)
def test_what_only_the_documents_have(book: str, changes: dict[str, object], said: str) -> None:
    assert said in refused(book, **changes)


def test_everything_that_leads_nowhere_is_told_at_once() -> None:
    said = refused("harbour", announces="x", dealer__hand="y", wagers__anchor__equals="z")
    assert all(f"'{name}'" in said for name in "xyz")


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("wagers.anti.after_fold", "loses", "(nothing called 'anti')"),
        ("hands.final.cards.player.x", 1, "(nothing called 'player')"),
        ("wagers.anchor.settles.hand.x", 1, "does not lead to a table"),
        ("paytables.anchor.A.lines.high_card.pays", "1 to 1", "nothing called"),
        ("wagers.anchor.after_folds", "loses", "did you mean 'after_fold'?"),
        ("wagers.anchor.after_fold", "wins", "unknown choice 'wins'"),
        ("paytables.anchor.A.lines.flush.pays", "lots", "is not a payout"),
        ("announces", "x", "unknown hand 'x'"),
        ("", 1, "unknown field ''"),
    ],
)
def test_a_reading_that_points_nowhere(
    tmp_path: Path, place: str, value: object, said: str
) -> None:
    written = f'"{value}"' if isinstance(value, str) else str(value)
    path = tmp_path / "my-game.toml"
    path.write_text(
        HARBOUR.read_text("utf-8")
        + f"""
[readings.mine]
ids = ["1"]
question = "Which?"
clauses = ["1"]
reason = "Because."
choices.a.meaning = "as it stands"
choices.b.meaning = "otherwise"
choices.b.set = {{ "{place}" = {written} }}
""",
        "utf-8",
    )
    with pytest.raises(BadData) as caught:
        open_rulebook(str(path))
    assert caught.value.message.startswith(str(path))
    assert said in caught.value.message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "broken.toml").write_text("id = ")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5000)
    (tmp_path / "long.toml").write_text("a = " + "1" * 5000)
    (tmp_path / "empty.toml").write_text("")
    for name, said in (
        ("none.toml", "cannot be read: No such file"),
        ("folder.toml", "cannot be read: Is a directory"),
        ("bytes.toml", "it is not UTF-8 text"),
        ("broken.toml", "is not TOML: Invalid value (at"),
        ("deep.toml", "is n"),
        ("long.toml", "is not TOML"),
        ("empty.toml", "'id' is missing"),
        ("nul\x00.toml", "cannot be read"),
    ):
        with pytest.raises(BadData) as caught:
            open_rulebook(str(tmp_path / name))
        assert said in caught.value.message
        for command in (["paytables"], ["rulebooks", "show"], ["demo"], ["settle", "--rules"]):
            ended = croupier(*command, tmp_path / name, "--json")
            assert ended.code == 2
            assert ended.error["code"] in {"bad_data", "unknown_name"}


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(b"\xef\xbb\xbf" + HARBOUR.read_bytes())
    assert open_rulebook(str(path)).default == open_rulebook(str(HARBOUR)).default


@pytest.mark.parametrize(
    "name", ["", "md-ut", "MD-UTH", "harbour-holdem", "/etc/passwd", "x" * 999]
)
def test_an_unknown_name_is_no_path(name: str) -> None:
    with pytest.raises(UnknownName):
        load_rulebook(name)
    with pytest.raises(UnknownName):
        open_rulebook(name)


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(entries):
        yield node, key
        if isinstance(value, dict | list):
            yield from places(value)


def words(node: Any) -> Iterator[str]:
    for value in node.values() if isinstance(node, dict) else node:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            yield from words(value)


JUNK: list[object] = [0, -1, 1, 3, 7, 99, 10**30, "", [], {}, True, 1.5, "x" * 500, [1], {"a": 1}]


@pytest.mark.parametrize("book", TREES)
def test_a_rulebook_spoiled_at_random_is_refused_or_can_be_played(book: str) -> None:
    """Whatever the loader lets through can be dealt and settled."""
    chance = random.Random(book)
    known = list(words(TREES[book]))
    for _ in range(120):
        tree = copy.deepcopy(TREES[book])
        tree.pop("readings", None)
        node, key = chance.choice(list(places(tree)))
        if chance.random() < 0.2:
            del node[key]
        else:
            node[key] = copy.deepcopy(chance.choice([chance.choice(known), chance.choice(JUNK)]))
        try:
            rules = put_in_force(RulebookFile(tree, "my-game.toml"), Submission())
            for seats in (1, 6):
                played = deal_round(
                    rules, random.Random(seats), min(seats, rules.book.positions.most)
                )
                settlement_object(settle(played, rules), rules)
        except CroupierError:
            pass


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shoe_jam__when": ["noon"]}, "at irregularities.shoe_jam.when[0]: unknown choice"),
        ({"shoe_jam__when": []}, "name at least one moment"),
        ({"shoe_jam__dealt_by": ["slot"]}, "unknown way of dealing 'slot'"),
        ({"stub_wrong__clause_by": {"hands": "9.E"}}, "did you mean 'hand'?"),
        ({"dealer_card_exposed__saves": ["trip"]}, "unknown wager 'trip': did you mean 'trips'?"),
        ({"dealer_card_exposed__saves": ["blind"]}, "'blind' needs the dealer's hand"),
        ({"dealer_card_exposed__saves_clause": ""}, "saves and saves_clause go together"),
        ({"dealer_card_exposed__effect": "goes_on"}, "wagers are saved from a round that is void"),
        ({"box_wrong_count__returns": ["box"]}, "unknown wager 'box'"),
        ({"box_wrong_count__returns": []}, "returns: the wagers that are void"),
        ({"box_wrong_count__when": ["betting"]}, "only when the cards are dealt"),
        ({"wrong_count__effect": "void_hand"}, "asks: the effect 'void_hand' asks for the seat"),
        ({"one_card_face_up__asks": []}, "what is set aside has to be asked for"),
        ({"shoe_jam__hue": "red"}, "unknown field 'hue'"),
    ],
)
def test_an_accident_that_leads_nowhere_is_refused(changes: dict[str, object], said: str) -> None:
    placed = {f"irregularities__{where}": value for where, value in changes.items()}
    assert said in refused("md-uth", **placed)
