"""Mass runs: reproducible to the cent, money conserved, and no further off the exact values than
chance allows."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK
from croupier.commands.app import run
from croupier.errors import CroupierError
from croupier.ledger.journal import open_journal
from croupier.mathematics.questions.players.boards import river_place
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.situations import river_example, river_situations
from croupier.mathematics.questions.strategies.text import read_text, shipped_for
from croupier.rulebooks.bundled import DOCUMENTS, GAMES
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force, rules_for
from croupier.rulebooks.submission import Submission
from croupier.runtime.players import (
    TurnView,
    strategy_by_name,
    strategy_of_player,
    strategy_of_text,
)
from croupier.simulation import playing as the_playing
from croupier.simulation.comparing import Comparison, compare
from croupier.simulation.playing import BooksDiffer, RunTotals, Stretch, play_stretch, stretches
from croupier.simulation.run_setting import Setting, setting_for
from tests.mathematics.changed import HARBOUR, RULEBOOKS, dealt, toml_of, tree_of
from tests.mathematics.changed import decision as a_decision
from tests.mathematics.questions.strategies.places import features_of
from tests.params import few


def played(setting: Setting, rounds: int) -> RunTotals:
    tally = RunTotals()
    for stretch in stretches(rounds):
        tally.add(play_stretch(setting, stretch))
    return tally


def same(a: RunTotals, b: RunTotals) -> bool:
    return msgspec.json.encode(a, order="sorted") == msgspec.json.encode(b, order="sorted")


# -- players --------------------------------------------------------------------------------------


def situations(
    rules: Rules, count: int, answer: Callable[[TurnView], str] | None = None
) -> Iterator[TurnView]:
    """Turns on random cards, after what `answer` says before them; otherwise after no bet."""
    chance = random.Random(f"situations {rules.book.id}")
    for _ in range(count):
        cards = tuple(chance.sample(DECK, 8))
        said: tuple[str, ...] = ()
        bet = set[str]()
        for decision in rules.book.decisions:
            if decision.wager in bet:
                continue
            own, shown = decision.sees_player, decision.sees_community
            turn = TurnView(cards[:own], cards[3 : 3 + shown], decision, said=said)
            yield turn
            word = answer(turn) if answer else decision.otherwise
            said += (word,)
            if word in decision.bets:
                bet.add(decision.wager)
            elif word == "fold":
                break


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_the_best_play_laid_out_says_what_the_strategy_says(rulebook: str) -> None:
    rules = rules_for(rulebook, "", "{}")
    asked = solver_for(rules).player()
    laid_out = strategy_of_player(asked)
    for seen in situations(rules, 150, laid_out.action):
        word = asked.action(seen.cards, seen.community)
        expected = word if word in seen.decision.bets else seen.decision.otherwise
        assert laid_out.action(seen) == expected, seen


@pytest.mark.parametrize(("by_suit", "boards", "hands"), [(False, 6188, 91), (True, 36_608, 338)])
def test_the_river_of_a_text_is_found_by_its_cards(by_suit: bool, boards: int, hands: int) -> None:
    """Cards that stand for a place lead back to it, whatever the suits are called."""
    chance = random.Random("rivers")
    checked = 0
    while checked < 300:
        board, hand = chance.randrange(boards), chance.randrange(hands)
        situation = river_situations((1 << 13) - 1, by_suit, board, board + 1)
        if not situation.possible[0, hand]:
            continue
        own, community, _ = river_example((1 << 13) - 1, by_suit, board, hand)
        suits = chance.sample(range(4), 4)
        renamed = [DECK[13 * suits[card // 13] + card % 13] for card in (*own, *community)]
        assert river_place(tuple(renamed[:2]), tuple(renamed[2:])) == (by_suit, board, hand)
        checked += 1


def test_a_written_strategy_says_what_its_text_says(tmp_path: Path) -> None:
    text = tmp_path / "pairs.txt"
    text.write_text(
        "three card:\n  raise with any pair\n  check otherwise\nfive card:\n  check otherwise\n"
    )
    rules = rules_for("md-235", "", "{}")
    strategy = strategy_by_name(rules, str(text))
    for seen in situations(rules, 200):
        is_pair = len({card % 13 for card in seen.cards}) == 1
        says = "raise" if is_pair and len(seen.cards) == 2 else "check"
        assert strategy.action(seen) == says, seen


def test_an_unknown_strategy_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(CroupierError, match="did you mean"):
        strategy_by_name(rules_for("md-uth", "", "{}"), "optimall")


def test_a_saved_strategy_plays_and_has_no_exact_value(tmp_path: Path) -> None:
    setting, rules = setting_for("md-235", strategy=str(tmp_path / "best.strategy"), seats=2)
    solver_for(rules).player().save(tmp_path / "best.strategy")
    tally = played(setting, 20)
    best = msgspec.structs.replace(setting, strategy="optimal")
    assert same(tally, played(best, 20))
    assert "not computed" in compare(tally, setting, rules)[0].reason


# -- runs -----------------------------------------------------------------------------------------


def agree(rulebook: str, rounds: int) -> None:
    setting, rules = setting_for(rulebook, seed="agreement")
    tally = played(setting, rounds)
    found = compare(tally, setting, rules)
    assert next(one.wager for one in found if one.exact is not None) == "main"
    optional = {name for name in setting.wagers if name not in rules.required}
    assert optional <= {one.wager for one in found if one.exact is not None}
    for one in found:
        if one.z is not None:
            assert abs(one.z) < 3.5, one
    assert not any(one.is_too_far for one in found)


@pytest.mark.parametrize(
    "rulebook", few(RULEBOOKS, "md-uth", "md-235"), ids=lambda book: book.split("/")[-1]
)
def test_the_sample_agrees_with_the_exact_values(rulebook: str) -> None:
    # Decisions at the turn are dealt out one by one: fewer rounds of those.
    agree(rulebook, 700 if rulebook in DOCUMENTS else 60)


QUICK = ("let-it-ride", "mississippi-stud")


@pytest.mark.parametrize(
    "rulebook",
    few(GAMES, *QUICK),
)
def test_the_games_come_to_their_exact_values(rulebook: str) -> None:
    agree(rulebook, 60)


INVENTED: dict[str, dict[str, Any]] = {
    "a fold returns the ante": {
        "wagers.ante.settles.folded.do": "return",
        "decisions": [a_decision("flop", 3, {"2x": 2}), a_decision("river", 5, {"1x": 1}, "fold")],
    },
    "a fold at the first decision": {"decisions.0.otherwise": "fold"},
    "two decisions on the flop": {
        "decisions": [a_decision("big", 3, {"3x": 3}), a_decision("small", 3, {"1x": 1}, "fold")]
    },
    "a reveal of two and of three": dealt({"first two": 2, "last three": 3})
    | {"decisions": [a_decision("two", 2, {"2x": 2, "4x": 4}), a_decision("all", 5, {"1x": 1})]},
}


@pytest.mark.parametrize("name", few(INVENTED, *list(INVENTED)[::2]))
def test_invented_games_come_to_their_exact_values(tmp_path: Path, name: str) -> None:
    path = tmp_path / "invented.toml"
    path.write_text(toml_of(tree_of(HARBOUR, INVENTED[name] | {"layout": None})), "utf-8")
    agree(str(path), 300)


def test_the_same_seed_gives_the_same_cents_and_another_seed_others() -> None:
    setting, _ = setting_for("md-235", seed="again")
    first = played(setting, 60)
    assert same(first, played(setting, 60))
    other = msgspec.structs.replace(setting, seed="other")
    assert not same(first, played(other, 60))


def test_these_are_the_cents_of_a_seed_on_every_machine() -> None:
    setting, _ = setting_for("md-235", seed="1", strategy="random", seats=3)
    tally = played(setting, 50)
    assert {name: sums.net for name, sums in tally.wagers.items()} == CENTS


def test_a_run_is_the_sum_of_its_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(the_playing, "STRETCH", 20)
    setting, _ = setting_for("md-wpt", strategy="first", seats=2)
    assert stretches(50) == [Stretch(1, 20), Stretch(2, 20), Stretch(3, 10)]
    backwards = RunTotals()
    for stretch in reversed(stretches(50)):
        backwards.add(play_stretch(setting, stretch))
    assert same(backwards, played(setting, 50))


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_money_is_conserved_whatever_is_played(rulebook: str) -> None:
    """`play_stretch` compares racks, drop, inventory and meters with the settlements itself."""
    setting, _ = setting_for(rulebook, strategy="random", seed="conserved")
    tally = played(setting, 150)
    nets = sum(s.net - s.forgone for name, s in tally.wagers.items() if name != "main")
    assert sum(tally.players.values()) == nets
    for columns in tally.meters.values():
        came = columns["seeded"] + columns["contributed"] + columns["reset"]
        assert columns["reading"] == came - columns["awarded"]


def test_a_cent_that_is_missing_is_found() -> None:
    setting, _ = setting_for("md-uth", strategy="first", seats=1)
    tally = play_stretch(setting, Stretch(1, 5))
    tally.wagers["ante"].net += 1
    table = the_playing._opened(setting, Stretch(2, 1), None).table
    with pytest.raises(BooksDiffer, match="the racks"):
        the_playing._check_books(tally, table)


def test_rounds_into_a_journal_come_to_the_same_cents(tmp_path: Path) -> None:
    setting, _ = setting_for("md-jackpot", strategy="random", seed="journal", seats=3)
    with open_journal(tmp_path / "journal.db") as store:
        journaled = play_stretch(setting, Stretch(1, 8), store)
    assert same(journaled, play_stretch(setting, Stretch(1, 8)))


def test_a_wrong_engine_would_be_loud() -> None:
    """A sample that is a tenth of a unit off the exact value, in a run long enough to see it."""
    setting, rules = setting_for("md-235", seed="loud", bets={"two_card_poker": 1000})
    tally = played(setting, 400)
    honest = compare(tally, setting, rules)[0]
    assert not honest.is_too_far
    tally.wagers["main"].net += int(6 * honest.error * 400 * 6 * 1000)
    assert compare(tally, setting, rules)[0].is_too_far


def test_bets_and_dealing_are_chosen_and_refused() -> None:
    setting, rules = setting_for("md-uth", bets={"ante": 2500, "trips": None})
    assert setting.wagers == {"ante": 2500, "blind": 2500, "trips": 500}
    setting, rules = setting_for("md-uth", dealing="automated_shoe/dealer_last")
    assert rules.options["deal_order"] == "dealer_last"
    for refused in ({"dealing": "telepathy"}, {"bets": {"play": 100}}, {"bets": {"trip": 100}}):
        with pytest.raises(CroupierError):
            setting_for("md-uth", **refused)


# -- the command ----------------------------------------------------------------------------------


def answered(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str]:
    code = run(["simulate", *words])
    return code, capsysbinary.readouterr().out.decode()


def test_the_command_tells_programs(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    words = ("md-235", "--rounds", "40", "--seats", "2", "--seed", "x", "--json")
    code, out = answered(capsysbinary, *words)
    told = json.loads(out)
    assert code == 0
    assert (told["rounds"], told["seats"], told["seed"]) == (40, 2, "x")
    assert told["wagers"]["main"]["exact"] == pytest.approx(-0.10510296, abs=1e-8)
    assert answered(capsysbinary, *words)[1] == out


def test_the_command_tells_people(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out = answered(capsysbinary, "md-235", "--rounds", "40", "--strategy", "random")
    assert code == 0
    assert "standard errors" in out.replace("\n", " ").replace("  ", " ")
    assert "no exact value (not computed for the strategy 'random')" in " ".join(out.split())
    assert "no cent is missing" in out


def test_the_number_of_processes_changes_nothing(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("md-235", "--rounds", "2050", "--seats", "1", "--strategy", "first", "--json")
    alone = answered(capsysbinary, *words)
    assert answered(capsysbinary, *words, "--jobs", "2") == alone


@pytest.mark.parametrize(
    "words",
    [
        ("md-uth", "--rounds", "0"),
        ("md-uth", "--seats", "7"),
        ("md-uth", "--wager", "ante=x"),
        ("md-uth", "--jobs", "0"),
        ("md-uth", "--journal", "j.db", "--jobs", "2"),
        ("md-nothing",),
    ],
    ids=" ".join,
)
def test_what_cannot_be_simulated_is_refused(
    capsysbinary: pytest.CaptureFixture[bytes], words: tuple[str, ...]
) -> None:
    assert answered(capsysbinary, *words)[0] == 2


def test_a_loud_difference_ends_with_1(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    off = Comparison("main", 1000, 80, 0, 0.9, 0.1, 0.0, 9.0)
    monkeypatch.setattr("croupier.library.simulating.compare", lambda *_: (off,))
    code, out = answered(capsysbinary, "md-235", "--rounds", "20", "--strategy", "first")
    assert code == 1
    assert "MAIN IS 9.0 STANDARD ERRORS OFF" in out


@pytest.mark.full
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_two_hundred_thousand_rounds_agree_with_the_exact_values(rulebook: str) -> None:
    setting, rules = setting_for(rulebook, seed="full")
    found = compare(played(setting, 200_000), setting, rules)
    for one in found:
        if one.z is not None and not one.hangs_on_few:
            assert abs(one.z) < 4, one


@pytest.mark.full
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_written_strategies_come_to_their_price(rulebook: str) -> None:
    for name in shipped_for(rulebook):
        setting, rules = setting_for(rulebook, seed="books", strategy=name)
        found = compare(played(setting, 20_000), setting, rules)
        assert found[0].z is not None
        assert abs(found[0].z) < 4, (name, found[0])


CENTS = {
    "two_card_poker": -42000,
    "three_card_poker": -34000,
    "five_card_poker": 16000,
    "five_card_raise": 4000,
    "win_em_all": 16000,
    "progressive": -4800,
    "main": -78000,
    "three_card_raise": -22000,
}


@pytest.mark.full
def test_a_game_that_decides_at_the_turn_is_simulated_too() -> None:
    from tests.commands.program import EXAMPLES, croupier

    harbour = str(EXAMPLES / "harbour-holdem.toml")
    ran = croupier("simulate", harbour, "--rounds", "10", "--seats", "2", "--seed", "1", "--json")
    assert ran.code == 0, ran.err


HARBOUR_TEXT = """
preflop:
    5x with any pair, any ace, K9+
    check otherwise
flop:
    2x with a hidden pair or better
    check otherwise
turn:
    1x with a hidden pair or better, four to a flush, fewer than 12 dealer outs
    check otherwise
river:
    1x with fewer than 25 dealer outs
    fold otherwise
"""


@pytest.fixture(scope="module")
def harbour() -> Rules:
    from tests.commands.program import EXAMPLES

    return put_in_force(open_rulebook(str(EXAMPLES / "harbour-holdem.toml")), Submission())


def test_a_written_strategy_says_at_the_turn_what_it_reads(harbour: Rules) -> None:
    """The player looks into a table of all situations; here the words are read hand by hand."""
    choices = solver_for(harbour).choices()
    plan = read_text(HARBOUR_TEXT, choices)
    player = strategy_of_text(harbour, plan)
    earlier = [d for d in harbour.book.decisions if d.sees_community < 4]
    decision = next(d for d in harbour.book.decisions if d.sees_community == 4)
    checked = tuple(d.otherwise for d in earlier)
    section = next(s for s in plan.sections if s.choice.scene.community == 4)
    chance = random.Random("turn")
    said = Counter[str]()
    for _ in range(300):
        cards = tuple(chance.sample(DECK, 6))
        word = player.action(TurnView(cards[:2], cards[2:], decision, said=checked))
        bets = section.lines[0].test
        assert bets is not None
        assert word == ("1x" if bets(features_of(cards[:2], cards[2:]))[0] else "check")
        said[word] += 1
    assert min(said["1x"], said["check"]) > 30


@pytest.mark.full
def test_a_written_strategy_plays_at_the_turn_and_comes_to_its_price(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    from tests.commands.program import EXAMPLES

    text, book = tmp_path / "mine.txt", str(EXAMPLES / "harbour-holdem.toml")
    text.write_text(HARBOUR_TEXT, "utf-8")
    words = (book, "--rounds", "1500", "--seats", "2", "--seed", "turn", "--strategy", str(text))
    code, out = answered(capsysbinary, *words, "--json")
    assert code == 0, out
    told = json.loads(out)["wagers"]
    for wager in ("main", "lighthouse"):
        assert abs(told[wager]["z"]) < 4, told[wager]
