"""The exact figures of every wager of a rulebook, in the contract's form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.errors import BadRequest, suggest
from croupier.mathematics.cache import key_of, read_result, write_result
from croupier.mathematics.model import Loses, Payment, WagerAnalysis
from croupier.money import pays_object
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand, Outcome, Rulebook, VersusDealer

__all__ = ["Asked", "analyze", "is_by_hands", "main_family", "tables_of", "wagers_of"]


@dataclass(frozen=True)
class Asked:
    """What the figures are for; what is left out takes the contract's default."""

    stakes: Mapping[str, int] = field(default_factory=dict)
    meters: Mapping[str, int] | None = None
    others: int = 0
    hands: int = 2


def wagers_of(book: Rulebook) -> tuple[str, ...]:
    """`main`, and every optional wager by name."""
    return ("main", *(name for name, wager in book.wagers.items() if wager.role == "optional"))


def analyze(rules: Rules, wager: str, asked: Asked | None = None) -> dict[str, object]:
    """The object of one wager: from the cache when it has been worked out before."""
    asked = asked or Asked()
    if wager not in wagers_of(rules.book):
        raise suggest("wager", wager, wagers_of(rules.book))
    key = key_of(
        rules,
        wager,
        asked.stakes.get(wager),
        dict(asked.meters or {}),
        asked.others,
        asked.hands,
    )
    found = read_result(key)
    if found is None:
        found = _main(rules) if wager == "main" else _side(rules, wager, asked)
        write_result(key, found)
    return found


def main_family(book: Rulebook) -> str | None:
    """The paytables that shape the main game: of the families its required wagers are paid by, the
    one with the most tables to choose from."""
    families = dict.fromkeys(
        family
        for wager in book.wagers.values()
        if wager.role == "required" and isinstance(wager.settles, VersusDealer)
        for family in _families(wager.settles)
    )
    if not families:
        return None

    def choices(family: str) -> tuple[int, bool]:
        return len(book.paytables[family]), "only" not in book.paytables[family]

    return max(families, key=choices)


def _families(settles: VersusDealer) -> Iterator[str]:
    for showdown in (settles.qualified, settles.unqualified):
        if showdown is not None:
            for outcome in (showdown.higher, showdown.equal, showdown.lower):
                yield from _paid_by(outcome)


def _paid_by(outcome: Outcome | None) -> Iterator[str]:
    if outcome is not None and outcome.do == "pay":
        yield outcome.paytable
        yield from _paid_by(outcome.otherwise)


def _figures(
    paytables: Mapping[str, str], value: Fraction, deviation: float, hit: Fraction
) -> dict[str, object]:
    return {
        "paytables": dict(paytables),
        "expected_value": float(value),
        "expected_value_exact": str(value),
        "house_edge": float(-value),
        "standard_deviation": deviation,
        "hit_frequency": float(hit),
    }


def _side(rules: Rules, wager: str, asked: Asked) -> dict[str, object]:
    found = _side_function(rules, wager)(
        rules,
        wager,
        stake_cents=asked.stakes.get(wager),
        meters=asked.meters,
        others=asked.others,
        hands=asked.hands,
    )
    result = _figures(
        found.paytables, found.expected_value, found.standard_deviation, found.hit_frequency
    )
    result["stake"] = f"{found.stake_cents // 100}.{found.stake_cents % 100:02d}"
    if found.is_progressive:
        result |= _progressive(found)
        if found.others:
            result |= _in_company(rules, found)
    result["outcomes"] = [
        {
            "hand": outcome.hand,
            "combinations": outcome.combinations,
            "probability": float(found.probability(outcome)),
            "pays": _payment_object(outcome.pays),
            "net": float(outcome.net),
        }
        for outcome in found.outcomes
    ]
    return result


def _is_lost_with_fold(rules: Rules, wager: str) -> bool:
    return rules.book.wagers[wager].after_fold == "loses" and rules.book.dealer is not None


def _side_function(rules: Rules, wager: str) -> Callable[..., WagerAnalysis]:
    if _is_lost_with_fold(rules, wager):
        from croupier.mathematics.sessions.after_fold import analyze_lost_with_fold

        return analyze_lost_with_fold
    from croupier.mathematics.sides.analysis import analyze_side

    return analyze_side


def _progressive(found: WagerAnalysis) -> dict[str, object]:
    return {
        "return_without_meters": float(found.return_without_meters),
        "envy_per_player": float(found.envy_per_player),
        "meters": {
            name: {
                "reading": float(meter.reading),
                "frequency": float(meter.frequency),
                "break_even": None if meter.break_even is None else float(meter.break_even),
                "break_even_exact": None if meter.break_even is None else str(meter.break_even),
            }
            for name, meter in found.meter_figures.items()
        },
    }


def _in_company(rules: Rules, found: WagerAnalysis) -> dict[str, object]:
    """The value of the bettor who is settled last: all others may have taken from a meter before.

    None where the lines are more than can be counted, or where folds would matter: a hand that is
    paid from a meter, and is folded under a reading that loses it, leaves the meter as it was.
    """
    from croupier.mathematics.sides.company import change_in_company

    value: Fraction | None = None
    if not _folds_a_meter(rules, found.wager):
        with suppress(BadRequest):
            value = found.expected_value + change_in_company(rules, found, found.others)
    return {
        "expected_value_in_company": None if value is None else float(value),
        "expected_value_in_company_exact": None if value is None else str(value),
    }


def _folds_a_meter(rules: Rules, wager: str) -> bool:
    if not _is_lost_with_fold(rules, wager):
        return False
    from croupier.mathematics.sessions.after_fold import split_by_fold

    return split_by_fold(rules, wager).folds_a_meter()


def _payment_object(pays: Payment) -> dict[str, object]:
    return {"loses": True} if isinstance(pays, Loses) else pays_object(pays)


def _main(rules: Rules) -> dict[str, object]:
    return _stud(rules) if rules.book.dealer is None else _holdem(rules)


def _shaping(rules: Rules) -> dict[str, str]:
    """The tables of the required wagers that an operator chooses."""
    book = rules.book
    names = [name for name, wager in book.wagers.items() if wager.role == "required"]
    families = [
        family
        for name in names
        if isinstance(settles := book.wagers[name].settles, VersusDealer)
        for family in _families(settles)
    ] or names
    return {f: rules.chosen[f] for f in families if f in rules.chosen and f != "ante"}


def _holdem(rules: Rules) -> dict[str, object]:
    from croupier.mathematics.holdem.ahead import second_process
    from croupier.mathematics.holdem.rulebook import game_of, required_wagers
    from croupier.mathematics.holdem.stored import solution_of
    from croupier.mathematics.holdem.strategies import optimal_strategy, outcome_table

    game = game_of(rules)
    with second_process():
        solution = solution_of(rules, game)
    value = solution.value
    table = outcome_table(game, optimal_strategy(solution))
    units = len(required_wagers(rules.book)) + table.decided_units()
    result = _figures(_shaping(rules), value, table.standard_deviation, table.hit_frequency)
    result["units_wagered"] = float(units)
    result["element_of_risk"] = float(-value / units)
    result["decisions"] = _said(rules.book, table)
    result["outcomes"] = list(_endings(rules.book, table))
    return result


def _word(book: Rulebook, ending: Any) -> tuple[str, str]:
    """The decision at which the betting ended, and what was said."""
    decision = [d for d in book.decisions if d.sees_community <= ending.seen][-1]
    if ending.fold or ending.multiple == 0:
        return decision.name, decision.otherwise
    for candidate in book.decisions:
        if candidate.sees_community == ending.seen:
            for said, multiple in candidate.bets.items():
                if multiple == ending.multiple:
                    return candidate.name, said
    raise AssertionError(ending)


def _said(book: Rulebook, table: Any) -> dict[str, dict[str, float]]:
    """For every decision how often, of all rounds, each word is said."""
    shares = {_word(book, ending): table.frequency(ending) for ending in table.endings}
    left = Fraction(1)
    said: dict[str, dict[str, float]] = {}
    for decision in book.decisions:
        taken = {word: shares.get((decision.name, word), Fraction(0)) for word in decision.bets}
        left -= sum(taken.values())
        words = {word: float(share) for word, share in taken.items()}
        said[decision.name] = words | {decision.otherwise: float(left)}
    return said


_RESULTS = ("win", "win", "push", "push", "lose", "lose")


def _endings(book: Rulebook, table: Any) -> Iterator[dict[str, object]]:
    """Every stage, hand and result, with the round's net in units of one required wager."""
    from croupier.mathematics.holdem.strengths import category_of_strength
    from croupier.ranking.hands import CATEGORY_NAMES

    categories = category_of_strength()
    deals = table.deals.sum(axis=1)
    for place, ending in enumerate(table.endings):
        decision, said = _word(book, ending)
        nets = table.net(ending)
        for category in range(len(CATEGORY_NAMES) - 1, -1, -1):
            which = categories == category
            for outcome, result in enumerate(_RESULTS):
                counts = deals[place][which, outcome]
                for net in np.unique(nets[which, outcome][counts > 0])[::-1].tolist():
                    combinations = int(counts[nets[which, outcome] == net].sum())
                    yield {
                        "decision": decision,
                        "said": said,
                        "hand": CATEGORY_NAMES[category],
                        "result": "fold" if ending.fold else result,
                        "dealer_qualifies": outcome % 2 == 0,
                        "combinations": combinations,
                        "probability": combinations / table.total,
                        "pays": {"net": str(Fraction(net, table.game.scale))},
                    }


def _stud(rules: Rules) -> dict[str, object]:
    from croupier.mathematics.stud.solver import solve_stud

    solved = solve_stud(rules)
    result = _figures(
        _shaping(rules), solved.expected_value, solved.standard_deviation, solved.hit_frequency
    )
    result["units_wagered"] = float(solved.units_wagered)
    result["element_of_risk"] = float(solved.element_of_risk)
    result["decisions"] = {
        name: {word: float(share) for word, share in words.items()}
        for name, words in solved.decision_frequencies.items()
    }
    result["outcomes"] = [
        {
            "said": outcome.said,
            "hands": {name: hand for name, (hand, _) in outcome.endings.items()},
            "combinations": outcome.combinations,
            "probability": outcome.combinations / solved.combinations_total,
            "pays": {"net": str(outcome.net)},
        }
        for outcome in solved.outcomes
    ]
    return result


def tables_of(rules: Rules, wager: str) -> tuple[str | None, tuple[str, ...]]:
    """The family that `--all` runs through for a wager, and its tables."""
    book = rules.book
    if wager == "main":
        family = main_family(book)
        return family, tuple(book.paytables[family]) if family else ("only",)
    family = getattr(book.wagers[wager].settles, "paytable", None)
    return family, tuple(book.paytables[family]) if family else ("only",)


def is_by_hands(book: Rulebook, wager: str) -> bool:
    """Are the tables of this wager picked by the number of hands dealt?"""
    return wager != "main" and isinstance(book.wagers[wager].settles, HighestHand)
