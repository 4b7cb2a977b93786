"""The words of `croupier strategy`; what they do is in `commands.strategy`, loaded when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

__all__ = ["strategy"]

strategy = App(name="strategy", help="Optimal play, and what any strategy written down costs.")

AsJson = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print JSON for programs, not tables.")
]
Paytables = Annotated[
    list[str] | None,
    Parameter(name="--paytable", negative=(), help="WAGER=ID; the first one where left out."),
]
Readings = Annotated[
    list[str] | None,
    Parameter(name="--reading", negative=(), help="NAME=CHOICE; the first one where left out."),
]


@strategy.command(name="show")
def strategy_show(
    rulebook: str,
    name: str | None = None,
    *,
    save: Path | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """The optimal first decision as a chart, or the text of a strategy.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    name
        A shipped strategy, or the path of a text.
    save
        Save the whole optimal strategy to this file.
    """
    from croupier.commands import strategy as command

    rules = command.rules_in_force(rulebook, paytable or (), reading or ())
    return command.show(rules, name, save=save, as_json=json)


@strategy.command(name="price")
def strategy_price(
    rulebook: str,
    file: str,
    *,
    mistakes: int = 10,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """The exact price of a strategy written in words (docs/strategies.md).

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    file
        The path of the text, or the name of a shipped strategy.
    mistakes
        How many of the worst errors to list for each decision.
    """
    from croupier.commands import strategy as command

    rules = command.rules_in_force(rulebook, paytable or (), reading or ())
    return command.price(rules, file, mistakes=mistakes, as_json=json)


@strategy.command(name="compare")
def strategy_compare(
    rulebook: str,
    *files: str,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """Several strategies side by side, the cheapest first.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    files
        Paths of texts, or names of shipped strategies; all that are shipped when left out.
    """
    from croupier.commands import strategy as command

    rules = command.rules_in_force(rulebook, paytable or (), reading or ())
    return command.compare(rules, files, as_json=json)


@strategy.command(name="chart")
def strategy_chart(
    rulebook: str,
    *,
    svg: Path | None = None,
    values: Annotated[bool, Parameter(negative=())] = False,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """The first decision over all starting hands, and what each decision is worth.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    svg
        Also draw it into this SVG file.
    values
        List the exact value of every action.
    """
    from croupier.commands import strategy as command

    rules = command.rules_in_force(rulebook, paytable or (), reading or ())
    return command.chart(rules, svg=svg, values=values, as_json=json)
