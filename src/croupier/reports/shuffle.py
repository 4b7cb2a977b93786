"""The report on a shuffle: the tests, their results, and how to read them; also as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.randomness.decks import DeckTest
from croupier.randomness.examine import Examination
from croupier.randomness.judgment import ALPHA, FALSE_ALARM, PartTally, expected_misses
from croupier.randomness.nist.suite import SECTIONS


class NistLine(msgspec.Struct, frozen=True):
    """One of the fifteen tests with its parts combined: the fewest passing, the least uniform."""

    section: str
    test: str
    parts: int = 0
    sequences: int = 0
    fewest: int = 0
    least: int = 0
    missing: int = 0
    uniformity: float | None = None
    verdict: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        if not self.sequences:
            return (self.section, self.test, "", "", "", "", "", self.verdict)
        return (
            self.section,
            self.test,
            str(self.parts),
            f"{self.fewest} of {self.sequences}",
            str(self.least),
            str(self.missing),
            "" if self.uniformity is None else _chance(self.uniformity),
            self.verdict,
        )


NIST_HEADINGS = ("§", "test", "p-values", "fewest passing", "NIST asks", "below", "least P_T", "")
DECK_HEADINGS = ("test", "question", "statistic", "freedom", "p-value", "")


def nist_lines(examination: Examination) -> list[NistLine]:
    return [
        _nist_line(test, section, least_bits, examination)
        for test, (section, least_bits) in SECTIONS.items()
    ]


def _nist_line(test: str, section: str, least_bits: int, examination: Examination) -> NistLine:
    parts = [part for part in examination.parts if part.test == test]
    if not parts:
        return NistLine(section, test, verdict=f"not applied: takes {least_bits:,} bits")
    if not parts[0].sequences:
        return NistLine(section, test, verdict="not applied: no walk returned often enough")
    worst = min(parts, key=lambda part: part.passed)
    even = [part.uniformity for part in parts if part.uniformity is not None]
    return NistLine(
        section,
        test,
        len(parts),
        worst.sequences,
        worst.passed,
        worst.least,
        sum(part.misses_mark for part in parts),
        min(even, default=None),
        "FAILS" if any(examination.fails(part) for part in parts) else "passes",
    )


def deck_rows(examination: Examination) -> list[tuple[str, ...]]:
    return [
        (
            test.test,
            test.asks,
            "" if test.statistic is None else f"{test.statistic:,.1f}",
            "" if test.freedom is None else f"{test.freedom:,}",
            "" if test.p_value is None else _chance(test.p_value),
            _deck_verdict(test, examination),
        )
        for test in examination.deck_tests
    ]


def _deck_verdict(test: DeckTest, examination: Examination) -> str:
    if test.p_value is None:
        return test.note
    return "FAILS" if test.p_value < examination.limit else "passes"


def answer(examination: Examination) -> str:
    """Return the whole report in one sentence."""
    said = (
        "No bias was found"
        if examination.fair
        else "The shuffle is NOT fair (or its source of randomness is not)"
    )
    return (
        f"{said}: of {len(examination.chances)} p-values judged together the smallest is "
        f"{_chance(examination.worst)}, and below {_chance(examination.limit)} it would count as "
        "bias."
    )


def explanation(examination: Examination) -> str:
    """Return what the figures mean, and what they cannot mean."""
    missing = sum(part.misses_mark for part in examination.parts)
    by_chance = sum(expected_misses(part) for part in examination.parts)
    uniform = any(part.uniformity is not None for part in examination.parts)
    also = "" if uniform else " Uniformity (P_T) is not judged: that takes 55 sequences."
    return (
        f"A sequence passes a test when its p-value is at least {ALPHA}. NIST (4.2) asks that the "
        "share of passing sequences is not more than three standard deviations below 99%, and that "
        f"the p-values are uniform (P_T at least 0.0001). {missing} of "
        f"{len(examination.parts)} parts "
        f"miss one of these marks; a perfect generator misses {by_chance:.1f} on average, which is "
        f"why one part below its mark is no finding.{also} The verdicts here share about one false "
        f"alarm in {1 / FALSE_ALARM:,.0f} reports among all p-values (Bonferroni). Tests can find "
        "bias; they cannot prove that there is none, and they say nothing about whether the next "
        "deck could be guessed: that rests on the operating system's generator."
    )


def markdown(examination: Examination, *, source: str, command: str) -> str:
    """Return a page that includes the command to reproduce it."""
    parts = [
        "# Shuffle report",
        f"{examination.decks:,} decks; {examination.sequences:,} sequences of "
        f"{examination.bits:,} bits. "
        f"Randomness: {source}.",
        f"Made by `{command}`; the method is described in `docs/shuffle.md`.",
        f"**{answer(examination)}**",
        "## Decks: chi-square",
        _table(DECK_HEADINGS, deck_rows(examination)),
        "## Bits: NIST SP 800-22 rev. 1a",
        _table(NIST_HEADINGS, (line.cells for line in nist_lines(examination))),
        explanation(examination),
        "## All parts",
        _table(PART_HEADINGS, (_part_cells(part, examination) for part in examination.parts)),
    ]
    return "\n\n".join(parts) + "\n"


PART_HEADINGS = ("test", "part", "passing", "NIST asks", "P_T", "")


def _part_cells(part: PartTally, examination: Examination) -> tuple[str, ...]:
    verdict = "below its mark" if part.misses_mark else ""
    return (
        part.test,
        part.part,
        f"{part.passed} of {part.sequences}",
        str(part.least),
        "" if part.uniformity is None else _chance(part.uniformity),
        "FAILS" if examination.fails(part) else verdict,
    )


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def as_object(examination: Examination, *, source: str) -> dict[str, object]:
    """Return the report for programs: every p-value that was judged."""
    return {
        "source": source,
        "decks": examination.decks,
        "sequences": examination.sequences,
        "bits": examination.bits,
        "fair": examination.fair,
        "smallest_p_value": examination.worst,
        "limit": examination.limit,
        "answer": answer(examination),
        "deck_tests": [
            msgspec.to_builtins(test) | {"verdict": _deck_verdict(test, examination)}
            for test in examination.deck_tests
        ],
        "nist_tests": [msgspec.to_builtins(line) for line in nist_lines(examination)],
        "nist_parts": [
            msgspec.to_builtins(part)
            | {"below_mark": part.misses_mark, "fails": examination.fails(part)}
            for part in examination.parts
        ],
    }


def _chance(chance: float) -> str:
    if chance < 1e-300:
        return "0"
    return f"{chance:.4f}" if chance >= 0.001 else f"{chance:.1e}"
