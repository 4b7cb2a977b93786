"""Sampled figures: marked wherever they appear, honest in their standard error, never instead of
an exact one."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cards import DECK
from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.questions.strategies.text import open_strategy
from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.runtime.players import TurnView
from croupier.simulation.rollout import WrittenPlayer, plain_choices
from croupier.simulation.sampling import Sampling, _sampled, analyze_or_sample
from tests.commands.program import croupier as command
from tests.mathematics.changed import HARBOUR, changed, dealt, decision, toml_of, tree_of
from tests.mathematics.dealt import rules_of

SEEDS = 300
SMALL = {"deck": {"ranks": "JQKA", "clause": "x"}, "positions.most": 1, "layout": None}


def small() -> Rules:
    """Three-card poker with four ranks: its exact value takes milliseconds."""
    return changed("three-card-poker", SMALL)


def unsolved() -> dict[str, Any]:
    """No solver models it: the dealer has one card only."""
    steps = dealt({"flop": 3, "turn": 1, "river": 1}, dealer=1)
    return tree_of(HARBOUR, steps | {"decisions": [decision("flop", 3, {"2x": 2}, "fold")]})


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "unsolved.toml"
    path.write_text(toml_of(unsolved()), "utf-8")
    return str(path)


# -- the standard error ---------------------------------------------------------------------------


@pytest.mark.parametrize(("wager", "rounds"), [("main", 40), ("pair_plus", 40)])
def test_the_exact_value_lies_where_the_standard_error_says(wager: str, rounds: int) -> None:
    """Within one and two standard errors as often as repeated draws of a mean are, and their mean
    is the exact value."""
    rules = small()
    exact = float(Fraction(str(analyze(rules, wager)["expected_value_exact"])))
    within: Counter[int] = Counter()
    means, squares = [], []
    for seed in range(SEEDS):
        found = _sampled(rules, wager, Asked(), Sampling(rounds, seed, "optimal"), "asked for")
        off = abs(found["expected_value"] - exact) / found["standard_error"]
        within.update(width for width in (1, 2) if off <= width)
        means.append(found["expected_value"])
        squares.append(found["standard_error"] ** 2)
    average = sum(means) / SEEDS
    variance = sum((mean - average) ** 2 for mean in means) / (SEEDS - 1)
    assert abs(average - exact) < 4 * sqrt(variance / SEEDS)
    assert 0.75 < sum(squares) / SEEDS / variance < 1.33
    for width, share in ((1, 0.68), (2, 0.95)):
        assert abs(within[width] / SEEDS - share) < 0.09


def test_more_rounds_come_nearer() -> None:
    rules = small()
    exact = float(Fraction(str(analyze(rules, "main")["expected_value_exact"])))
    found = _sampled(rules, "main", Asked(), Sampling(4000, 3, "optimal"), "asked for")
    assert abs(found["expected_value"] - exact) < 4 * found["standard_error"] < 0.2
    exactly = analyze(rules, "main")
    for name in ("standard_deviation", "hit_frequency", "units_wagered"):
        assert found[name] == pytest.approx(exactly[name], rel=0.08)
    (words,) = found["decisions"].values()
    (shares,) = dict(exactly["decisions"]).values()  # type: ignore[call-overload]
    assert words == pytest.approx(shares, abs=0.04)


# -- the player -----------------------------------------------------------------------------------


def test_trial_rounds_play_nearly_as_well_as_the_best_play_and_never_better() -> None:
    rules = small()
    exact = float(Fraction(str(analyze(rules, "main")["expected_value_exact"])))
    found = _sampled(rules, "main", Asked(), Sampling(3000, 1, "rollout:24"), "asked for")
    always = _sampled(rules, "main", Asked(), Sampling(3000, 1, "first"), "asked for")
    assert exact - 0.15 < found["expected_value"] < exact + 4 * found["standard_error"]
    assert always["expected_value"] < exact
    assert "best play is worth at least as much" in found["played"]


def test_the_same_seed_samples_the_same_rounds() -> None:
    rules = changed_rules()
    first, again, other = (
        _sampled(rules, "main", Asked(stakes={"ante": cents}), Sampling(60, seed), "asked for")
        for seed, cents in ((1, 6000), (1, 6000), (2, 6000))
    )
    assert first == again
    assert first["expected_value"] != other["expected_value"]


def changed_rules() -> Rules:
    return put_in_force(RulebookFile(unsolved(), "unsolved"), Submission())


def test_a_written_strategy_is_followed_hand_by_hand() -> None:
    """As the solver's own player follows it, in a game that has one."""
    rules = rules_of("md-235")
    plan = open_strategy("235-simple", solver_for(rules).choices())
    theirs = solver_for(rules).following(plan)
    ours = WrittenPlayer(rules, open_strategy("235-simple", plain_choices(rules)))
    chance, seen = random.Random(2), Counter[str]()
    for _ in range(200):
        cards = tuple(chance.sample(DECK, 3))
        said: tuple[str, ...] = ()
        for one in rules.book.decisions:
            view = TurnView(cards[: one.sees_player], (), one, said)
            word = ours.action(view)
            assert word == theirs.answer(Situation(view.cards, (), (), one.name, said))
            said = (*said, word)
            seen[word] += 1
    assert min(seen.values()) > 100


# -- marked wherever it appears -------------------------------------------------------------------


def test_the_object_is_marked(file: str) -> None:
    ended = command("analyze", file, "--sample", "50", "--json")
    assert ended.code == 0
    main = ended.json["wagers"]["main"]
    assert main["sampled"] is True
    assert main["expected_value_exact"] is None
    assert main["standard_error"] > 0
    assert (main["rounds"], main["seed"], main["strategy"]) == (50, 15, "rollout")
    assert "cards.dealer" in main["not_exact_because"]
    assert ended.json["wagers"]["first_mates"]["sampled"] is False


def test_the_text_is_marked(file: str) -> None:
    ended = command("analyze", file, "--wager", "main", "--sample", "50", "--strategy", "first")
    assert ended.code == 0
    assert "±" in ended.text
    assert "sampled, not exact. 50 rounds from seed 15, standard error" in ended.text
    assert "the strategy first" in ended.text


def test_without_sample_it_is_refused(file: str) -> None:
    ended = command("analyze", file, "--wager", "main")
    assert ended.code == 2
    assert "cannot be solved exactly" in ended.err


def test_the_library_is_marked(file: str) -> None:
    main = croupier.analyze(file, "main", sample=50, strategy="first")["main"]
    assert main.sampled
    assert main.standard_error == main.details["standard_error"]
    assert main.estimate == main.details["expected_value"]
    assert "sampled" in repr(main)
    with pytest.raises(BadRequest, match="sampled, not exact"):
        _ = main.expected_value


def test_the_report_is_marked(file: str, tmp_path: Path) -> None:
    to = tmp_path / "report.html"
    parts = ("paytables", "readings", "known-cards")
    left_out = [word for part in parts for word in ("--without", part)]
    words = ("--sample", "40", "--simulate", "0", *left_out)
    ended = command("report", file, "--to", to, *words)
    assert ended.code == 0, ended.err
    page = to.read_text("utf-8")
    assert page.count("sampled: ") == 2
    assert "not an exact one" in page


def test_an_exact_figure_stays_exact() -> None:
    ended = command("analyze", "three-card-poker", "--wager", "pair_plus", "--sample", "50")
    assert ended.code == 0
    assert "No sampling was needed: every figure is exact." in ended.text
    assert "-128/5525" in ended.text
    rules = rules_of("three-card-poker")
    found = analyze_or_sample(rules, "pair_plus", Asked(), Sampling(50))
    assert found == analyze(rules, "pair_plus") | {"sampled": False}


# -- refused --------------------------------------------------------------------------------------


def test_requests_that_make_no_sense(file: str) -> None:
    for words, expected in (
        (("--sample", "1"), "must be 2 to"),
        (("--strategy", "first"), "a strategy goes with sampled rounds"),
        (("--sample", "10", "--strategy", "rollout:x"), "trial rounds for each decision"),
        (("--sample", "10", "--strategy", "nobodys"), "nobodys"),
    ):
        ended = command("analyze", file, "--wager", "main", *words)
        assert ended.code == 2, words
        assert expected in ended.err, words


def test_what_other_players_bring_is_not_sampled() -> None:
    with pytest.raises(Unsolvable, match="other players"):
        analyze_or_sample(changed_rules(), "main", Asked(others=2), Sampling(10))


def test_what_a_player_sees_too_early_is_not_sampled() -> None:
    with pytest.raises(Unsolvable):
        analyze_or_sample(changed_rules(), "main", Asked(knows={"dealer": 1}), Sampling(10))
