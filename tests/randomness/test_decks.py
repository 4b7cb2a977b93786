"""The chi-square tests on decks: their p-values are fair to a fair shuffle."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.randomness.bits import Decks
from croupier.randomness.decks import DeckCounts, DeckTest


def fair_decks(count: int, seed: int) -> Decks:
    deck = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return np.random.default_rng(seed).permuted(deck, axis=1)


def judged(*batches: Decks) -> dict[str, DeckTest]:
    counts = DeckCounts()
    for batch in batches:
        counts.add(batch)
    return {test.test: test for test in counts.tests()}


@pytest.fixture(scope="module")
def fair_reports() -> list[dict[str, DeckTest]]:
    return [judged(fair_decks(400, seed)) for seed in range(40)]


@pytest.mark.parametrize("test", ["card by position", "cards in a row"])
def test_statistics_have_the_mean_and_spread_of_their_law(
    test: str, fair_reports: list[dict[str, DeckTest]]
) -> None:
    """The factors in front of the sums come from covariances worked out by hand."""
    found = [one[test] for one in fair_reports]
    freedom = found[0].freedom or 0
    values = np.array([one.statistic for one in found], dtype=float)
    assert abs(values.mean() - freedom) < 4 * np.sqrt(2 * freedom / len(values))
    assert 0.4 < values.var() / (2 * freedom) < 2.0


def test_p_values_of_fair_decks_are_uniform(
    fair_reports: list[dict[str, DeckTest]],
) -> None:
    values = [
        one.p_value for report in fair_reports for one in report.values() if one.p_value is not None
    ]
    assert len(values) == 40 * 7
    counted, _ = np.histogram(np.array(values), bins=5, range=(0, 1))
    assert (abs(counted - 56) < 4 * np.sqrt(56)).all()
    assert min(values) > 1e-5


def test_batches_make_no_difference() -> None:
    decks = fair_decks(14_000, 3)
    whole, parts = judged(decks), judged(decks[:1], decks[1:8_000], decks[:0], decks[8_000:])
    assert whole == parts
    assert (whole["pairs of positions"].p_value or 0.0) > 0.01


def test_two_places_that_agree_are_found() -> None:
    """In every fifth deck, the lower of the top card and the bottom card lies on top."""
    decks = fair_decks(20_000, 4)
    decks[::5, ::51] = np.sort(decks[::5, ::51], axis=1)
    p_value = judged(decks)["pairs of positions"].p_value
    assert p_value is not None
    assert p_value < 1e-12


def test_too_few_decks_are_not_judged() -> None:
    found = judged(fair_decks(100, 5))
    assert found["card by position"].note == "not judged: takes 260 decks"
    assert found["card by position"].p_value is None
    assert all(one.p_value is None for one in judged().values())
