"""NIST SP 800-22 rev. 1a: the worked examples of its sections.

Four figures of the text cannot be right (2.4.8, 2.6.4, 2.6.8, 2.8.4); the tests say why.
"""

from __future__ import annotations

import math

import pytest

from croupier.randomness.nist import counting
from croupier.randomness.nist.counting import (
    SequenceResult,
    aperiodic,
    approximate_entropy,
    block_frequency,
    cumulative_sums,
    frequency,
    longest_run,
    longest_run_law,
    non_overlapping,
    overlapping,
    overlapping_law,
    runs,
    serial,
)
from croupier.randomness.nist.spectral import (
    complexity_law,
    complexity_of,
    linear_complexity,
    matrix_rank,
    rank_law,
    spectral,
    universal_statistic,
)
from croupier.randomness.special_functions import pearson
from tests.randomness.digits import bits, digits_of_e, digits_of_pi

# The first hundred digits of pi, the example of many sections.
HUNDRED = bits(
    "11001001000011111101101010100010001000010110100011"
    "00001000110100110001001100011001100010100010111000"
)


def p(outcome: SequenceResult) -> float:
    """As printed: six digits."""
    return round(outcome.p_value, 6)


def test_the_hundred_digits_are_of_pi() -> None:
    assert digits_of_pi(100).tolist() == HUNDRED.tolist()


def test_2_1_frequency() -> None:
    assert p(frequency(bits("1011010101"))) == 0.527089
    assert p(frequency(HUNDRED)) == 0.109599


def test_2_2_block_frequency() -> None:
    assert p(block_frequency(bits("0110011010"), 3)) == 0.801252
    assert p(block_frequency(HUNDRED, 10)) == 0.706438


def test_2_3_runs() -> None:
    assert p(runs(bits("1001101011"))) == 0.147232
    assert p(runs(HUNDRED)) == 0.500798
    assert runs(bits("1" * 99 + "0")).p_value == 0.0


def test_2_4_longest_run() -> None:
    example = bits(
        "11001100000101010110110001001100111000000000001001001101010100010001001111010110"
        "100000001101011111001100111001101101100010110010"
    )
    # Printed is 0.180609, but the printed statistic of 4.882605 gives what is found here.
    assert p(longest_run(example, (0.2148, 0.3672, 0.2305, 0.1875))) == 0.180598
    assert longest_run(example).statistic == pytest.approx(4.882605, abs=2e-4)
    printed = (0.1174, 0.2430, 0.2493, 0.1752, 0.1027, 0.1124)
    # The third chance is printed as 0.2493; it is 0.24936.
    assert longest_run_law(128, 4, 9) == pytest.approx(printed, abs=1.01e-4)


def test_2_5_matrix_rank() -> None:
    example = bits("01011001001010101101")
    assert p(matrix_rank(example, 3, (0.2888, 0.5776, 0.1336))) == 0.741948
    assert rank_law(32) == pytest.approx((0.2888, 0.5776, 0.1336), abs=1e-4)
    assert rank_law(2) == pytest.approx((6 / 16, 9 / 16, 1 / 16))
    assert p(matrix_rank(digits_of_e(100_000))) == 0.532069  # 2.5.8


def test_2_6_spectral() -> None:
    """Printed are 0.029523 and 0.168669: from an older transform, as the peaks printed beside them
    show. These are what other programs find; the published figures of a million digits agree."""
    assert p(spectral(bits("1001010011"))) == 0.468160
    assert p(spectral(HUNDRED)) == 0.646355


def test_2_7_non_overlapping() -> None:
    assert p(non_overlapping(bits("10100100101110010110"), 3, 2)["001"]) == 0.344154
    assert [len(aperiodic(width)) for width in range(2, 11)] == [
        *(2, 4, 6, 12, 20, 40, 74, 148, 284)
    ]  # as many as the files of NIST's own program hold


def test_2_8_overlapping() -> None:
    example = bits("10111011110010110100011100101110111110000101101001")
    printed = (0.324652, 0.182617, 0.142670, 0.106645, 0.077147, 0.166269)
    # Five, one, three, four and one matches: the text counts a two among them, and even so its
    # p-value of 0.274932 is not that of its statistic.
    assert pearson((0, 1, 1, 1, 1, 1), printed) == pytest.approx(3.167729, abs=1e-6)
    assert p(overlapping(example, 2, 10, printed)) == 0.409633
    assert overlapping(example, 2, 10, printed).statistic == pearson((0, 2, 0, 1, 1, 1), printed)
    # The chances of the corrected 3.8 (Hamano and Kaneko), which NIST's program does not use.
    corrected = (0.364091, 0.185659, 0.139381, 0.100571, 0.070432, 0.139865)
    assert overlapping_law(9, 1032) == pytest.approx(corrected, abs=1e-6)


def test_2_9_universal() -> None:
    """The p-value's sigma is taken here as the example has it, straight from the table."""
    statistic = universal_statistic(bits("01011010011101010111"), 2, 4)
    assert statistic == pytest.approx(1.1949875, abs=1e-7)
    p_value = math.erfc(abs(statistic - 1.5374383) / (math.sqrt(2) * math.sqrt(1.338)))
    assert p_value == pytest.approx(0.767189, abs=1e-6)


def test_2_10_linear_complexity() -> None:
    assert complexity_of(bits("1101011110001")) == 4
    assert [complexity_of(bits(word)) for word in ("0000", "0001", "1111", "1010")] == [0, 4, 1, 2]
    exact = (1 / 96, 1 / 32, 1 / 8, 1 / 2, 1 / 4, 1 / 16, 1 / 48)
    assert complexity_law(500) == pytest.approx(exact, abs=1e-12)
    assert sum(complexity_law(13)) == pytest.approx(1.0)


def test_2_10_linear_complexity_of_a_register() -> None:
    """A register of 70 stages, more than one word holds, is measured exactly."""
    made = [1] + [0] * 69
    while len(made) < 500:
        made.append(made[-70] ^ made[-3] ^ made[-1])
    assert complexity_of(bits("".join(map(str, made)))) == 70
    assert linear_complexity(bits("".join(map(str, made)) * 4)).p_value < 1e-9


def test_2_11_serial() -> None:
    first, second = serial(bits("0011011101"), 3)
    assert p(first) == 0.808792
    assert p(second) == 0.670320


def test_2_12_approximate_entropy() -> None:
    assert p(approximate_entropy(bits("0100110101"), 3)) == 0.261961
    assert p(approximate_entropy(HUNDRED, 2)) == 0.235301


def test_2_13_cumulative_sums() -> None:
    assert p(cumulative_sums(bits("1011010111"))) == 0.411659
    assert p(cumulative_sums(HUNDRED)) == 0.219194
    assert p(cumulative_sums(HUNDRED, backward=True)) == 0.114866


def test_2_14_excursions() -> None:
    example = bits("0110110101")
    assert counting.returns(example) == 3
    assert counting.excursions(example)[1].p_value == pytest.approx(0.502529, abs=5e-5)
    # There the chances are rounded to four digits, as in the table of 3.14.
    assert counting.excursions_law(2) == pytest.approx(
        (0.7500, 0.0625, 0.0469, 0.0352, 0.0264, 0.0791), abs=6e-5
    )


def test_2_15_excursions_variant() -> None:
    found = counting.excursions_variant(bits("0110110101"))[1]
    assert found.statistic == 4
    assert p(found) == 0.683091
