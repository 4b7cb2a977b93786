"""`--contribution METER=RATE`: the share of each stake that feeds a meter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from croupier.commands.output import console
from croupier.errors import BadRequest, plain, suggest
from croupier.rulebooks.rules import Rules
from croupier.submissions.progressive import is_rate

__all__ = ["contributions", "draw_long_run"]

_FLAG: Final = "--contribution"


def contributions(rates: dict[str, str], rules: Rules) -> dict[str, str]:
    """The same, checked: by meter, as a submission writes its rates. Every meter has one, or none
    has."""
    for meter, rate in rates.items():
        if meter not in rules.resets:
            raise suggest("meter", meter, rules.resets)
        if not is_rate(rate):
            raise BadRequest(
                f"{_FLAG} {meter}={plain(rate)}: write a share of each stake from 0 to 1, as in "
                f"{_FLAG} {meter}=0.1"
            )
    missing = [meter for meter in rules.resets if meter not in rates]
    if rates and missing:
        raise BadRequest(f"{_FLAG}: state the share of {' and '.join(missing)} as well")
    if sum(map(Fraction, rates.values())) > 1:
        raise BadRequest(f"{_FLAG}: the shares of one stake come to more than the whole")
    return rates


def draw_long_run(answers: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """By wager and table, each whose meters have their rates."""
    for wager, tables in answers.items():
        for table, figures in tables.items():
            if "long_run_return" not in figures:
                continue
            rates = ", ".join(
                f"{name} {float(Fraction(rate)):.4%}"
                for name, rate in figures["contributions"].items()
            )
            console().print(
                f"{' '.join((wager, table)).strip()}, fed by {rates} of each stake: returns "
                f"{figures['long_run_return']:.6%} in the long run, exactly "
                f"{figures['long_run_return_exact']}."
            )
