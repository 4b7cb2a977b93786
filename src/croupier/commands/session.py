"""`croupier session`: wagers placed together, over one round and over an evening."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import sqrt
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from croupier.commands.limit_lines import draw_limits, limits_for, limits_object
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.commands.rules_asked import pairs, pays_note, rules_asked
from croupier.errors import CroupierError
from croupier.mathematics.questions.round_nets import checked_stakes, net_distribution
from croupier.mathematics.questions.sessions.over_rounds import (
    PERCENTILES,
    SessionSums,
    histogram,
    mean_of,
    sums_over,
    variance_of,
)
from croupier.mathematics.questions.sessions.ruin import (
    LongRun,
    Ruin,
    ruin_for_ever,
    ruin_within,
)
from croupier.mathematics.stakes import largest_raises
from croupier.money import dollars, format_cents, parse_cents

__all__ = ["run"]

_BARS = 16
_WIDEST = 48


def run(
    rulebook: str,
    *,
    stakes: list[str],
    rounds: int,
    bankroll: str | None,
    paytables: list[str],
    readings: list[str],
    pays: list[str],
    meters: list[str],
    as_json: bool,
) -> int:
    rules = rules_asked(rulebook, paytables, readings, pays)
    main, sides = checked_stakes(rules, _amounts(stakes, "--stake"))
    placed = main | sides
    money = None if bankroll is None else parse_cents(bankroll)
    shown = _amounts(meters, "--meter")
    with Progress(3) as progress:
        limits = limits_for(rules, stakes)
        one_round = partial(net_distribution, rules, placed, meters=shown, limits=limits)
        nets = progress.step("one round", one_round)
        sums = progress.step(f"{rounds:,} rounds", partial(sums_over, nets, rounds))
        needed = sum(placed.values())
        covered = needed + largest_raises(rules.book, placed)
        ruin = progress.step("ruin", partial(_ruins, nets, money, (needed, covered), rounds))
    if as_json:
        answer = _object(rules.book.id, placed, nets, sums, money, ruin)
        changed = {"pays": dict(rules.pays)} if rules.pays else {}
        print_json(answer | {"payout_limits": limits_object(limits, placed)} | changed)
    else:
        _draw(rules.book.title, placed, nets, sums, money, ruin)
        draw_limits(limits, placed)
        if note := pays_note(rules):
            console().print(note, soft_wrap=True)
    return 0


def _amounts(texts: list[str], flag: str) -> dict[str, int]:
    amounts = {}
    for name, value in pairs(texts, flag).items():
        try:
            amounts[name] = parse_cents(value)
        except CroupierError as error:
            raise error.within(f"{flag} {name}") from None
    return amounts


class _Ruined(NamedTuple):
    """Of a player who needs so much, in cents, for a round."""

    needed: int
    within: Ruin
    ever: LongRun


def _ruins(
    nets: Mapping[int, int], money: int | None, needed: tuple[int, int], rounds: int
) -> list[_Ruined]:
    """For the stakes of a round, and for those with the largest raises where that can be played."""
    if money is None:
        return []
    first, covered = needed
    return [
        _Ruined(each, ruin_within(nets, money, each, rounds), ruin_for_ever(nets, money, each))
        for each in (first, covered)
        if each == first or money >= covered
    ]


def _object(
    rulebook: str,
    placed: Mapping[str, int],
    nets: Mapping[int, int],
    sums: SessionSums,
    money: int | None,
    ruins: list[_Ruined],
) -> dict[str, object]:
    total = sum(nets.values())
    mean = mean_of(nets) / 100
    ahead = sums.exactly_ahead()
    answer: dict[str, object] = {
        "rulebook": rulebook,
        "stakes": {name: format_cents(cents) for name, cents in placed.items()},
        "round": {
            "expected_value": float(mean),
            "expected_value_exact": f"{mean.numerator}/{mean.denominator}",
            "standard_deviation": sqrt(variance_of(nets)) / 100,
            "combinations": total,
            "outcomes": [
                {"net": format_cents(net), "combinations": deals, "probability": deals / total}
                for net, deals in nets.items()
            ],
        },
        "session": {
            "rounds": sums.rounds,
            "expected_value": float(sums.mean) / 100,
            "standard_deviation": sums.standard_deviation / 100,
            "ahead": sums.ahead(),
            "ahead_exact": None if ahead is None else f"{ahead.numerator}/{ahead.denominator}",
            "even": sums.even(),
            "behind": sums.behind(),
            "percentiles": {str(p): format_cents(sums.percentile(p)) for p in PERCENTILES},
            "error": sums.error,
        },
    }
    if money is not None:
        first, *covered = [_ruin_object(one) for one in ruins]
        answer["ruin"] = {"bankroll": format_cents(money), **first}
        # Whoever could not make the largest raise at once is ruined before he begins.
        answer["ruin_covering_raises"] = covered[0] if covered else None
    return answer


def _ruin_object(one: _Ruined) -> dict[str, object]:
    return {
        "needed": format_cents(one.needed),
        "chance": one.within.chance,
        "error": one.within.error,
        "ever_at_least": one.ever.at_least,
        "ever_at_most": one.ever.at_most,
    }


def _draw(
    title: str,
    placed: Mapping[str, int],
    nets: Mapping[int, int],
    sums: SessionSums,
    money: int | None,
    ruins: list[_Ruined],
) -> None:
    out = console()
    told = ", ".join(f"{name.replace('_', ' ')} {dollars(cents)}" for name, cents in placed.items())
    out.print(Text(f"{title}: {told}", "bold"))
    out.print(
        f"One round: {float(mean_of(nets)) / 100:+.4f} dollars on average, standard deviation "
        f"{sqrt(variance_of(nets)) / 100:.2f}, {len(nets)} different results."
    )
    out.print(
        f"{sums.rounds:,} rounds: {float(sums.mean) / 100:+,.2f} on average, standard deviation "
        f"{sums.standard_deviation / 100:,.2f}; ahead {sums.ahead():.4%}, even {sums.even():.4%}, "
        f"behind {sums.behind():.4%}."
    )
    drawn = Table(title="percentiles", title_justify="left")
    for percent in PERCENTILES:
        drawn.add_column(f"{percent}%", justify="right")
    drawn.add_row(*(dollars(sums.percentile(percent)) for percent in PERCENTILES))
    out.print(drawn)
    _draw_bars(sums)
    for place, one in enumerate(ruins):
        assert money is not None
        told = "which cover every raise as well" if place else "every raise taken for affordable"
        out.print(
            f"With {dollars(money)}, leaving below {dollars(one.needed)} ({told}): ruined within "
            f"{sums.rounds:,} rounds {one.within.chance:.4%}, ever {_between(one.ever)}."
        )
    out.print(Text(f"Every chance is right to {sums.error:.1e}.", "dim"))


def _between(ever: LongRun) -> str:
    if ever.at_least == ever.at_most:
        return f"{ever.at_most:.4%}"
    return f"{ever.at_least:.4%} to {ever.at_most:.4%}"


def _draw_bars(sums: SessionSums) -> None:
    bars = histogram(sums, _BARS)
    highest = max(chance for _, _, chance in bars)
    left = [f"{dollars(low)} to {dollars(high)}" for low, high, _ in bars]
    left[0], left[-1] = f"up to {dollars(bars[0][1])}", f"from {dollars(bars[-1][0])}"
    wide = max(map(len, left))
    for label, (low, high, chance) in zip(left, bars, strict=True):
        style = "green" if low > 0 else "red" if high < 0 else "yellow"
        bar = Text("█" * round(_WIDEST * chance / highest), style)
        console().print(Text(f"{label:>{wide}} {chance:8.3%} ") + bar)
