"""`croupier rulebooks new`, `check` and `schema`: a game is written, and its mistakes are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.library import rulebook_checks
from croupier.rounds.unwise import Unwise, unwise
from croupier.rulebooks.rules import Rules, rules_for
from tests.commands.contract import GAMES, RULEBOOKS
from tests.commands.program import EXAMPLES, ROOT, Ended, croupier
from tests.params import few

BEGUN = "night-holdem"
BUNDLED_GAMES = ROOT / "src" / "croupier" / "rulebooks" / "games"


@pytest.fixture(scope="module", autouse=True)
def looked_at_once() -> Iterator[None]:
    """Every file is checked for people and for programs: its hands are tried for both together."""
    found: dict[str, list[Unwise]] = {}

    def of_each_book(rules: Rules) -> list[Unwise]:
        book = repr(rules)
        if book not in found:
            found[book] = list(unwise(rules))
        return found[book]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulebook_checks, "unwise", of_each_book)
        yield


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    path = tmp_path / f"{BEGUN}.toml"
    assert croupier("rulebooks", "new", BEGUN, "--to", path).code == 0
    return path


def _changed(path: Path, *changes: tuple[str, str]) -> Path:
    text = path.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text)
    return path


def _checked(path: Path, rounds: int = 0) -> Ended:
    ended = croupier("rulebooks", "check", path, "--rounds", str(rounds), "--json")
    people = croupier("rulebooks", "check", path, "--rounds", "0")
    assert people.code == ended.code
    assert "Traceback" not in people.err
    return ended


def _unwise(path: Path) -> dict[str, str]:
    found = _checked(path).json["unwise"]
    return {one["place"]: one["words"] for one in found}


@pytest.mark.parametrize("rounds", few((500, 5000), 500))
def test_a_new_game_is_played_as_it_is(begun: Path, rounds: int) -> None:
    found = _checked(begun, rounds=rounds).json
    assert (found["valid"], found["mistakes"], found["unwise"]) == (True, [], [])
    assert found["rounds"]["dealt"] == rounds
    main = found["rounds"]["wagers"]["main"]
    assert abs(main["z"]) < 5
    # Published as 2.16%: the file that `new` writes is Casino Hold'em.
    assert round(-100 * main["exact"], 2) == 2.16


def test_a_file_is_never_written_over(begun: Path) -> None:
    before = begun.read_bytes()
    ended = croupier("rulebooks", "new", BEGUN, "--to", begun, "--json")
    assert ended.code == 2
    assert begun.read_bytes() == before


@pytest.mark.parametrize("name", ["md-uth", "Night", "a b", "../x", "", "näh"])
def test_an_id_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new.toml"
    assert croupier("rulebooks", "new", name, "--to", path).code == 2
    assert not path.exists()


def test_every_mistake_is_told_at_once(begun: Path) -> None:
    _changed(
        begun,
        ('title = "Ante"', 'titel = "Ante"'),
        ("most = 6 ", 'most = "six" '),
        ('otherwise = "fold"', 'otherwise = "walk"'),
        ('settles.by = "versus_dealer"', 'settles.by = "versus_dealr"'),
    )
    ended = _checked(begun)
    assert ended.code == 1
    mistakes = "\n".join(ended.json["mistakes"])
    assert not ended.json["valid"]
    for told in (
        "at wagers.ante: unknown field 'titel': did you mean 'title'?",
        "at wagers.ante: 'title' is missing",
        "at positions.most: a whole number is expected here, not text",
        "at decisions[0].otherwise: unknown choice 'walk': known are: check, fold",
        "at wagers.call.settles.by: unknown choice 'versus_dealr': did you mean 'versus_dealer'?",
    ):
        assert told in mistakes


def test_mistakes_of_every_kind_are_told_together(begun: Path) -> None:
    """A field that nobody knows, a missing one, names that lead nowhere, an impossible board."""
    _changed(
        begun,
        ('summary = "', 'sumary = "'),
        ("most = 6 ", 'most = "six" '),
        ('paytable = "call" }', 'paytable = "cal" }'),
        ("sees_community = 3", "sees_community = 6"),
        ('hand = "flush"', 'hand = "flsh"'),
    )
    told = "\n".join(_checked(begun).json["mistakes"])
    for mistake in (
        "unknown field 'sumary': did you mean 'summary'?",
        "'summary' is missing",
        "at positions.most: a whole number is expected here, not text",
        "at wagers.call: unknown paytable 'cal': did you mean 'call'?",
        "at decisions[0].sees_community: the board has 5 cards",
        "at paytables.ante.A: unknown hand 'flsh': did you mean 'flush'?",
    ):
        assert mistake in told
    assert len(told.splitlines()) == 6


def test_a_line_below_one_that_covers_it_pays_nobody(begun: Path) -> None:
    line = '{ hand = "any_winning", pays = "1 to 1", clause = "4.1" },'
    _changed(begun, (line, ""), ("lines = [\n", f"lines = [\n    {line}\n"))
    told = _unwise(begun)
    assert "'any_winning' is looked at first" in told["paytables.ante.A.lines.flush"]


def test_a_line_that_nobody_can_hold(begun: Path) -> None:
    _changed(begun, ('hand = "flush"', 'hand = "mini_royal"'))
    told = _unwise(begun)
    assert "no hand like this" in told["paytables.ante.A.lines.mini_royal"]


def test_a_doubled_line(begun: Path) -> None:
    line = '    { hand = "flush", pays = "2 to 1", clause = "4.1" },\n'
    _changed(begun, (line, line + line))
    assert "twice" in _unwise(begun)["paytables.ante.A.lines.flush"]


def test_a_winner_that_no_line_pays(begun: Path) -> None:
    _changed(begun, ('    { hand = "any_winning", pays = "1 to 1", clause = "4.1" },\n', ""))
    told = _unwise(begun)
    assert "beats the dealer and is collected" in told["wagers.ante.settles.qualified.higher"]
    lost = 'higher = { do = "pay", paytable = "ante" }'
    saved = 'higher = { do = "pay", paytable = "ante", otherwise = { do = "return" } }'
    assert "wagers.ante.settles.qualified.higher" not in _unwise(_changed(begun, (lost, saved)))


def test_three_cards_have_a_mini_royal_and_an_ace(begun: Path) -> None:
    side = """
[wagers.bonus]
title = "Bonus"
role = "optional"
clause = "2.3"
settles = { by = "paytable", hand = "three", paytable = "bonus", lost = "4.3" }

[paytables.bonus.A]
clause = "4.3"
lines = [
    { hand = "straight_flush", pays = "40 to 1", clause = "4.3" },
    { hand = "straight", pays = "6 to 1", clause = "4.3" },
]
"""
    three = 'three = { cards = ["player", "community:1"], ranking = "three_card", clause = "4.3" }'
    _changed(begun, ("[dealer]\n", f"{three}\n\n[dealer]\n"))
    begun.write_text(begun.read_text() + side)
    told = _unwise(begun)
    assert "mini royal" in told["paytables.bonus.A.lines.straight_flush"]
    assert "A-2-3 is no straight" in told["hands.three"]
    _changed(begun, ('"three_card", clause', '"three_card", ace_low = true, clause'))
    covers = 'hand = "straight_flush", covers = ["straight_flush", "mini_royal"], pays = "40'
    _changed(begun, ('hand = "straight_flush", pays = "40', covers))
    assert _unwise(begun) == {}


def test_a_bundled_id_is_taken(begun: Path) -> None:
    _changed(begun, (f'id = "{BEGUN}"', 'id = "md-uth"'))
    assert "bundled" in _unwise(begun)["id"]


def test_our_own_games_are_wise() -> None:
    assert _unwise(EXAMPLES / "harbour-holdem.toml") == {}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_documents_are_wise(rulebook: str) -> None:
    assert list(unwise(rules_for(rulebook, "", "{}"))) == []


@pytest.mark.parametrize("game", few(GAMES, *GAMES[::4]))
def test_the_file_of_a_bundled_game_is_checked_without_a_complaint(game: str) -> None:
    found = _checked(BUNDLED_GAMES / game / "game.toml").json
    assert (found["valid"], found["mistakes"], found["unwise"]) == (True, [], [])


@pytest.mark.parametrize(
    ("game", "old", "new", "place", "words"),
    [
        (
            *("three-card-poker", '"three_of_a_kind", "straight", ', '"straight", '),
            *("rankings.three_cards.order", "'three_of_a_kind' is left out"),
        ),
        (
            *("three-card-poker", "ace_low = true\n", ""),
            *("rankings.three_cards", "A-2-3 is a straight"),
        ),
        (
            *("three-card-poker", 'order = ["straight', 'order = ["mini_royal", "straight'),
            *("paytables.pair_plus.A.lines.straight_flush", "does not cover Q-K-A"),
        ),
        (
            *("crazy-4-poker", 'at_least = "pair", of = "A"', 'at_least = "high_card"'),
            *("decisions[0].only_with.2x", "every hand may bet so"),
        ),
        (
            *("high-card-flush", '"six_card_flush", clause', '"eight_card_flush", clause'),
            *("decisions[0].only_with.3x", "no hand may bet so"),
        ),
        (
            *("caribbean-stud", 'of = "AK"', 'of = "2"'),
            *("dealer.at_least", "every hand qualifies"),
        ),
        (
            *("four-card-poker", 'hand = "dealer"\nclause', 'hand = "dealer"\nof = "K"\nclause'),
            *("dealer.at_least", "changes nothing"),
        ),
        (
            *("caribbean-stud", "sees_player = 5", "sees_player = 3"),
            *("decisions[0].sees_player", "5 are seen by then"),
        ),
        (
            *("caribbean-stud", 'of = "AK"', 'of = "KA"'),
            *("dealer.of", "'KA' is no hand"),
        ),
        (
            *("mississippi-stud", 'after_fold = "loses"\nafter_fold_clause = "Streets"\n', ""),
            *("wagers.ante", 'say after_fold = "loses"'),
        ),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_unwise_in_other_families_of_games(
    tmp_path: Path, game: str, old: str, new: str, place: str, words: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text((BUNDLED_GAMES / game / "game.toml").read_text())
    _changed(path, (old, new), (f'id = "{game}"', 'id = "own"'))
    assert words in _unwise(path)[place]


@pytest.mark.parametrize(
    ("game", "old", "new", "told"),
    [
        (
            *("crazy-4-poker", 'order = [\n    "four_of_a_kind"', 'order = [\n    "four_of_kind"'),
            "at rankings.four_cards.order: unknown category 'four_of_kind': did you mean",
        ),
        (
            *("crazy-4-poker", "size = 4", "size = 3"),
            "at rankings.four_cards.order: 'two_pair' cannot be made of 3 cards",
        ),
        (
            *("crazy-4-poker", 'at_least = "pair", of = "A"', 'at_least = "pair", of = "AKQJ"'),
            "at decisions[0].only_with.2x.of: 'AKQJ' is no hand: 3 decide",
        ),
        (
            *("crazy-4-poker", 'of = "K"', 'of = "JK"'),
            "at dealer.of: 'JK' is no hand: the ranks that make the hand come first",
        ),
        (
            *("high-card-flush", 'of = "9"', 'of = "99"'),
            "at dealer.of: '99': name up to 3 ranks of the suit from the highest down",
        ),
        (
            *("high-card-flush", 'at_least = "three_card_flush"', 'at_least = "flush"'),
            "at dealer.at_least: unknown hand 'flush'",
        ),
        (
            *(
                "three-card-poker",
                'ranking = "three_cards", clause',
                'ranking = "three_cards", ace_low = true, clause',
            ),
            "at hands.own.ace_low: say it under rankings.three_cards",
        ),
        (
            *("let-it-ride", 'takes_back = "bet_1"', 'takes_back = "bet_1"\nbets = { "1x" = 1 }'),
            "at decisions[0]: bets need a wager that they put down, and multiple_of",
        ),
    ],
    ids=lambda value: value[:24],
)
def test_mistakes_in_other_families_of_games(
    tmp_path: Path, game: str, old: str, new: str, told: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text((BUNDLED_GAMES / game / "game.toml").read_text())
    assert any(
        one.startswith(told) for one in _checked(_changed(path, (old, new))).json["mistakes"]
    )


def test_names_that_lead_nowhere_do_not_hide_what_cannot_be_played(begun: Path) -> None:
    _changed(
        begun,
        ('paytable = "call" }', 'paytable = "cal" }'),
        ("sees_community = 3", "sees_community = 6"),
        ("most = 6 ", "most = 6  "),
    )
    told = "\n".join(_checked(begun).json["mistakes"])
    assert "unknown paytable 'cal': did you mean 'call'?" in told
    assert "at decisions[0].sees_community: the board has 5 cards" in told


def test_the_form_for_editors() -> None:
    ended = croupier("rulebooks", "schema")
    schema = json.loads(ended.out)
    assert ended.code == 0
    assert "Wager" in schema["$defs"]
    assert "settles" in schema["$defs"]["Wager"]["properties"]


@pytest.mark.parametrize(
    "text", ["", "x = [", "[[[", "id = 1", "\x00", "id = " + "[" * 5000 + "]" * 5000]
)
def test_nonsense_ends_in_a_list_of_mistakes(tmp_path: Path, text: str) -> None:
    path = tmp_path / "nonsense.toml"
    path.write_text(text)
    ended = _checked(path)
    assert ended.code == 1
    assert ended.json["mistakes"]


@pytest.mark.parametrize("command", ["rulebooks show", "sign", "paytables", "demo", "guide"])
def test_brackets_in_a_file_are_brackets(begun: Path, command: str) -> None:
    """The terminal's styles are written in brackets; what a file says is no style."""
    _changed(begun, ('clause = "3.2"', 'clause = "[/b] 3.2"'))
    _changed(begun, ('title = "Night', 'title = "[/]Night'))
    ended = croupier(*command.split(), begun)
    assert ended.code == 0
    assert "[/]Night" in ended.text
