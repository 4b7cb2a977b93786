"""The figures of a game of streets under the best play."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from croupier.mathematics.counters.stages.outcomes import Played, Told, played_out
from croupier.mathematics.counters.stages.payoffs import Endings, is_folded_away, unit_net
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.model import Loses, MainFigures
from croupier.mathematics.side_wagers.endings import WagerEnding
from croupier.rulebooks.rules import Rules

__all__ = ["ending_at", "figures_of", "streets_figures"]

_FOLDED = WagerEnding("folded", Loses())


class _Outcome(NamedTuple):
    """One way a round can end: what was said, how every wager that lay there ended, the net and
    the units wagered."""

    said: tuple[tuple[str, str], ...]
    hands: tuple[tuple[str, str], ...]
    net: Fraction
    wagered: int


def streets_figures(rules: Rules) -> MainFigures:
    solution = solve_streets(rules)
    return figures_of(solution, played_out(solution))


def figures_of(solution: StreetsSolution, played: Played) -> MainFigures:
    """The figures of a game, played in the way of its solution."""
    outcomes = _outcomes(solution, played)
    total = played.total
    mean = sum((one.net * count for one, count in outcomes.items()), Fraction(0)) / total
    assert mean == solution.expected_value
    squares = sum((one.net**2 * count for one, count in outcomes.items()), Fraction(0)) / total
    order = sorted(outcomes, key=lambda one: (-one.net, -outcomes[one]))
    return MainFigures(
        expected_value=mean,
        standard_deviation=sqrt(squares - mean**2),
        hit_frequency=Fraction(sum(n for one, n in outcomes.items() if one.net > 0), total),
        units_wagered=Fraction(sum(one.wagered * n for one, n in outcomes.items()), total),
        decisions=_frequencies(solution, played),
        outcomes=tuple(
            {
                "said": dict(one.said),
                "hands": dict(one.hands),
                "combinations": outcomes[one],
                "probability": outcomes[one] / total,
                "pays": {"net": str(one.net)},
            }
            for one in order
        ),
    )


def _outcomes(solution: StreetsSolution, played: Played) -> Counter[_Outcome]:
    found: Counter[_Outcome] = Counter()
    for (told, result), count in played.deals.items():
        ends = None if result is None else solution.ended[result]
        found[_outcome(solution, told, ends)] += count
    return found


def _outcome(solution: StreetsSolution, told: Told, ends: Endings | None) -> _Outcome:
    book = solution.rules.book
    net, hands = Fraction(0), []
    placed = {n: u for n, u in zip(solution.course.wagers, told.units, strict=True) if u}
    for name, units in placed.items():
        ending = ending_at(solution, name, told, ends)
        net += units * unit_net(ending)
        hands.append((name, ending.hand))
    for name, bonus in book.bonuses.items():
        if bonus.on in placed and not told.folded and ends is not None and ends[name].wins:
            net += placed[bonus.on] * unit_net(ends[name])
            hands.append((name, ends[name].hand))
    return _Outcome(told.said, tuple(hands), net, sum(placed.values()))


def ending_at(
    solution: StreetsSolution, name: str, told: Told, ends: Endings | None
) -> WagerEnding:
    """How a wager ends, `ends` being None where a fold lost all before the hands were known."""
    if ends is None or (told.folded and is_folded_away(solution.rules.book, name)):
        return _FOLDED
    return ends[name]


def _frequencies(solution: StreetsSolution, played: Played) -> dict[str, dict[str, Fraction]]:
    """Of all rounds, how often each word is said at each decision."""
    counts = {
        question.decision.name: dict.fromkeys([answer.word for answer in question.answers], 0)
        for question in solution.course.questions
    }
    for told, count in played.told:
        for name, word in told.said:
            counts[name][word] += count
    return {
        name: {word: Fraction(count, played.total) for word, count in words.items()}
        for name, words in counts.items()
    }
