"""The exact figures of every wager of a rulebook, in the contract's form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, cast

from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.mathematics.cache import key_of, read_result, write_result
from croupier.mathematics.game.course import is_lost_with_fold
from croupier.mathematics.game.payments import payment_object
from croupier.mathematics.model import MainFigures, WagerAnalysis
from croupier.mathematics.questions.information.seen_cards import DRAWS_SEED
from croupier.mathematics.shapes import MAIN_ROLES
from croupier.mathematics.stakes import PayoutLimit
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand, Rulebook
from croupier.rulebooks.wager_families import families_of

SAMPLES: Final = 40


@dataclass(frozen=True)
class Asked:
    """The options of a request for figures; omitted ones take the contract's defaults."""

    stakes: Mapping[str, int] = field(default_factory=dict)
    meters: Mapping[str, int] | None = None
    others: int = 0
    hands: int = 2
    knows: Mapping[str, int] = field(default_factory=dict)
    """Cards that the player saw before the first decision, against the rules."""
    shares: int = 0
    """Other players whose hands the player has seen."""
    samples: int = SAMPLES
    """How many sets of shared hands are drawn if there are too many to solve all."""
    seed: int = DRAWS_SEED
    """The seed of these draws."""
    rates: Mapping[str, str] = field(default_factory=dict)
    """The contribution rate of each meter, for the long-run return."""
    limits: Sequence[PayoutLimit] = ()
    """The payout limits in force, for wagers with a stated stake."""

    @property
    def sees_more(self) -> bool:
        return bool(self.knows or self.shares)


def wagers_of(book: Rulebook) -> tuple[str, ...]:
    """Return `main`, and every optional wager by name."""
    return ("main", *(name for name, wager in book.wagers.items() if wager.role == "optional"))


def analyze(rules: Rules, wager: str, request: Asked | None = None) -> dict[str, object]:
    """Return the object of one wager, from the cache if it has been computed before; the solvers
    are loaded only if it has not."""
    request = request or Asked()
    if wager not in wagers_of(rules.book):
        raise suggest("wager", wager, wagers_of(rules.book))
    result = kept(rules, wager, request)
    if result is None:
        result = _work_out(rules, wager, request)
        write_result(_key(rules, wager, request), result)
    limited = _limited(rules, wager, request, result)
    return result if limited is None else result | {"limited": limited}


def kept(rules: Rules, wager: str, request: Asked) -> dict[str, object] | None:
    """Return the object of one wager if it has been computed before."""
    return read_result(_key(rules, wager, request))


def _key(rules: Rules, wager: str, request: Asked) -> str:
    if wager == "main" and request.sees_more:
        return key_of(
            rules, "knows", dict(request.knows), request.shares, request.samples, request.seed
        )
    stake, meters = request.stakes.get(wager), dict(request.meters or {})
    rates = [dict(request.rates)] if request.rates else []
    return key_of(rules, wager, stake, meters, request.others, request.hands, *rates)


def _limited(
    rules: Rules, wager: str, request: Asked, result: Mapping[str, object]
) -> dict[str, object] | None:
    """Return the figures at the stated stake if payout limits cut what the wager wins."""
    stake = _stated_stake(rules, wager, request)
    if stake is None or not request.limits or (wager == "main" and request.sees_more):
        return None
    terms = [[each.clause, sorted(each.covers), each.cents] for each in request.limits]
    key = key_of(rules, wager, "limited", stake, dict(request.meters or {}), request.hands, terms)
    kept_before = read_result(key)
    if kept_before is None:
        from croupier.mathematics.questions.round_nets import limited_main, limited_side

        if wager == "main":
            limited = limited_main(rules, stake, result, request.limits)
        else:
            limited = limited_side(rules, _side_analysis(rules, wager, request), request.limits)
        kept_before = {"limited": limited}
        write_result(key, kept_before)
    return cast("dict[str, object] | None", kept_before["limited"])


def _stated_stake(rules: Rules, wager: str, request: Asked) -> int | None:
    """Return the stated stake; the main game is solved at one stake, stated by its own name or by a
    required wager's."""
    names = ("main", *rules.required) if wager == "main" else (wager,)
    return next((request.stakes[name] for name in names if name in request.stakes), None)


def _work_out(rules: Rules, wager: str, request: Asked) -> dict[str, object]:
    if wager != "main":
        return _side(rules, wager, request)
    return _knowing(rules, request) if request.sees_more else _main(rules)


def main_family(book: Rulebook) -> str | None:
    """Return the paytables that shape the main game: of the families that pay its required wagers,
    the one with the most tables to choose from."""
    families = dict.fromkeys(
        family
        for wager in book.wagers.values()
        if wager.role == "required"
        for family in families_of(wager.settles)
    ) | _bonus_families(book, ("required",))
    if not families:
        return None

    def choices(family: str) -> tuple[int, bool]:
        return len(book.paytables[family]), "only" not in book.paytables[family]

    return max(families, key=choices)


def _bonus_families(book: Rulebook, roles: Collection[str]) -> dict[str, None]:
    """Return the tables of bonuses on wagers with these roles."""
    bonuses = book.bonuses.values()
    return dict.fromkeys(b.paytable for b in bonuses if book.wagers[b.on].role in roles)


def _figures(
    paytables: Mapping[str, str], value: Fraction, deviation: float | None, hit: Fraction | None
) -> dict[str, object]:
    return {
        "paytables": dict(paytables),
        "expected_value": float(value),
        "expected_value_exact": str(value),
        "house_edge": float(-value),
        "standard_deviation": deviation,
        "hit_frequency": None if hit is None else float(hit),
    }


def _side_analysis(rules: Rules, wager: str, request: Asked) -> WagerAnalysis:
    from croupier.mathematics.questions.registry import analyze_wager

    return analyze_wager(
        rules,
        wager,
        stake_cents=request.stakes.get(wager),
        meters=request.meters,
        others=request.others,
        hands=request.hands,
    )


def _side(rules: Rules, wager: str, request: Asked) -> dict[str, object]:
    figures = _side_analysis(rules, wager, request)
    result = _figures(
        figures.paytables, figures.expected_value, figures.standard_deviation, figures.hit_frequency
    )
    result["stake"] = f"{figures.stake_cents // 100}.{figures.stake_cents % 100:02d}"
    if figures.is_progressive:
        result |= _progressive(figures, request.rates)
        if figures.others:
            result |= _in_company(rules, figures)
    result["outcomes"] = [
        {
            "hand": outcome.hand,
            "combinations": outcome.combinations,
            "probability": float(figures.probability(outcome)),
            "pays": payment_object(outcome.pays),
            "net": float(outcome.net),
            "return": float(outcome.net * figures.probability(outcome)),
        }
        for outcome in figures.outcomes
    ]
    return result


def _progressive(figures: WagerAnalysis, rates: Mapping[str, str]) -> dict[str, object]:
    return _long_run(figures, {name: Fraction(rate) for name, rate in rates.items()}) | {
        "return_without_meters": float(figures.return_without_meters),
        "envy_per_player": float(figures.envy_per_player),
        "meters": {
            name: {
                "reading": float(meter.reading),
                "frequency": float(meter.frequency),
                "break_even": None if meter.break_even is None else float(meter.break_even),
                "break_even_exact": None if meter.break_even is None else str(meter.break_even),
            }
            for name, meter in figures.meter_figures.items()
        },
    }


def _long_run(figures: WagerAnalysis, rates: Mapping[str, Fraction]) -> dict[str, object]:
    """Return the long-run return of one unit as the meters fill and are paid out, if all rates are
    stated."""
    if not rates or not rates.keys() >= figures.meters.keys():
        return {}  # another paytable may have other meters
    back = figures.long_run_return(dict(rates))
    readings = {
        name: figures.meter_figures[name].mean_reading(rates[name]) for name in figures.meters
    }
    return {
        "contributions": {name: str(rates[name]) for name in figures.meters},
        "long_run_return": float(back),
        "long_run_return_exact": str(back),
        "mean_readings": {
            name: None if reading is None else float(reading) for name, reading in readings.items()
        },
    }


def _in_company(rules: Rules, figures: WagerAnalysis) -> dict[str, object]:
    """Return the value for the bettor who is settled last, after all others may have been paid from
    a meter. None if there are too many lines to count, or if folds would matter: a hand that is
    paid from a meter, and is folded under a reading that loses it, leaves the meter unchanged."""
    from croupier.mathematics.side_wagers.shared_meters import change_by_others

    value: Fraction | None = None
    if not _folds_a_meter(rules, figures.wager):
        with suppress(BadRequest):
            value = figures.expected_value + change_by_others(rules, figures, figures.others)
    return {
        "expected_value_in_company": None if value is None else float(value),
        "expected_value_in_company_exact": None if value is None else str(value),
    }


def _folds_a_meter(rules: Rules, wager: str) -> bool:
    if not is_lost_with_fold(rules.book, rules.book.wagers[wager]):
        return False
    from croupier.mathematics.questions.lost_with_fold import split_by_fold

    try:
        return split_by_fold(rules, wager).folds_a_meter()
    except Unsolvable:  # folds are not separated in other kinds of games
        return True


def _knowing(rules: Rules, request: Asked) -> dict[str, object]:
    """Return the main game with cards seen, beside its value without them."""
    from croupier.mathematics.questions.registry import figures_knowing, solver_for

    if request.knows and request.shares:
        raise BadRequest(
            "--knows and --shares: ask for only one of them; they are not computed together"
        )
    if request.shares:
        seen = solver_for(rules).figures_sharing(request.shares, request.samples, request.seed)
    else:
        seen = figures_knowing(rules, request.knows)
    fair = Fraction(str(analyze(rules, "main")["expected_value_exact"]))
    if seen.figures is not None:
        result = _main_object(rules, seen.figures)
    else:
        result = _figures(shaping_tables(rules), seen.expected_value, None, None)
        result["equal_actions"] = _equal_actions(rules)
        result["decisions"] = shares_of(seen.decisions)
    result |= {"shares": request.shares} if request.shares else {"knows": dict(request.knows)}
    result["expected_value_without"] = str(fair)
    result["worth"] = float(seen.expected_value - fair)
    result["worth_exact"] = str(seen.expected_value - fair)
    if seen.standard_error is not None:
        result |= {"expected_value_exact": None, "worth_exact": None}
        result |= {"standard_error": seen.standard_error, "samples": seen.samples}
        result["seed"] = request.seed
    if seen.by_card:
        result["by_card"] = {
            card: {
                "expected_value": float(value),
                "expected_value_exact": str(value),
                "first_decision": {word: float(share) for word, share in words.items()},
            }
            for card, (value, words) in seen.by_card.items()
        }
    return result


def shares_of(decisions: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, float]]:
    return {
        name: {word: float(share) for word, share in words.items()}
        for name, words in decisions.items()
    }


def _main(rules: Rules) -> dict[str, object]:
    """Return the main game, with every wager line by line and every decision action by action."""
    from croupier.mathematics.questions.line_tables import tabulate
    from croupier.mathematics.questions.registry import solver_for

    rounds = solver_for(rules).rounds()
    figures, tables = rounds.figures(), tabulate(rounds)
    assert tables.value == figures.expected_value
    return _main_object(rules, figures) | tables.to_dict()


def _main_object(rules: Rules, figures: MainFigures) -> dict[str, object]:
    result = _figures(
        shaping_tables(rules),
        figures.expected_value,
        figures.standard_deviation,
        figures.hit_frequency,
    )
    result["units_wagered"] = float(figures.units_wagered)
    result["element_of_risk"] = float(figures.element_of_risk)
    result["equal_actions"] = _equal_actions(rules)
    result["decisions"] = shares_of(figures.decisions)
    total = sum(_combinations(outcome) for outcome in figures.outcomes)
    result["outcomes"] = [
        outcome | {"return": float(_net(outcome) * _combinations(outcome) / total)}
        for outcome in figures.outcomes
    ]
    return result


def _combinations(outcome: Mapping[str, Any]) -> int:
    return int(outcome["combinations"])


def _net(outcome: Mapping[str, Any]) -> Fraction:
    return Fraction(outcome["pays"]["net"])


def _equal_actions(rules: Rules) -> str:
    """Return which of several equally good actions these figures take."""
    return "first" if rules.takes_first else "last"


def shaping_tables(rules: Rules) -> dict[str, str]:
    """Return the tables that shape the main game: those with a choice, and those whose payment
    depends on the hand. A table that pays every winner alike is left out, because it only states
    odds."""
    book = rules.book
    families = dict.fromkeys(
        family
        for wager in book.wagers.values()
        if wager.role in MAIN_ROLES
        for family in families_of(wager.settles)
    ) | _bonus_families(book, MAIN_ROLES)
    return {
        family: rules.chosen[family]
        for family in families
        if len(book.paytables[family]) > 1 or len(rules.paytable(family).lines) > 1
    }


def tables_of(rules: Rules, wager: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the family that `--all` iterates over for a wager, and its tables."""
    book = rules.book
    if wager == "main":
        family = main_family(book)
        return family, tuple(book.paytables[family]) if family else ("only",)
    family = getattr(book.wagers[wager].settles, "paytable", None)
    return family, tuple(book.paytables[family]) if family else ("only",)


def is_by_hands(book: Rulebook, wager: str) -> bool:
    """Return whether the number of hands dealt selects the wager's table."""
    return wager != "main" and isinstance(book.wagers[wager].settles, HighestHand)
