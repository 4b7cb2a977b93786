"""The signatures of `croupier strategy`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import (
    AsJson,
    EqualActions,
    Pays,
    Paytables,
    Readings,
    Rulebook,
)

__all__ = ["strategy"]


strategy = App(name="strategy", help="Optimal play, and what any strategy written down costs.")


@strategy.command(name="show")
def strategy_show(
    rulebook: Rulebook,
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
    name
        A shipped strategy, or the path of a text.
    save
        Save the whole optimal strategy to this file.
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    rules = rules_asked(rulebook, paytable or (), reading or ())
    return command.show(rules, name, save=save, as_json=json)


@strategy.command(name="price")
def strategy_price(
    rulebook: Rulebook,
    file: str,
    *,
    mistakes: int = 10,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    json: AsJson = False,
) -> int:
    """The exact price of a strategy written in words (docs/strategies.md).

    Parameters
    ----------
    file
        The path of the text, or the name of a shipped strategy.
    mistakes
        How many of the worst errors to list for each decision.
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    rules = rules_asked(rulebook, paytable or (), reading or (), pays or ())
    return command.price(rules, file, mistakes=mistakes, as_json=json)


@strategy.command(name="compare")
def strategy_compare(
    rulebook: Rulebook,
    *files: str,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """Several strategies side by side, the cheapest first.

    Parameters
    ----------
    files
        Paths of texts, or names of shipped strategies; all that are shipped when left out.
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    rules = rules_asked(rulebook, paytable or (), reading or ())
    return command.compare(rules, files, as_json=json)


@strategy.command(name="search")
def strategy_search(
    rulebook: Rulebook,
    *,
    word_price: float | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """A simple strategy in few words, found by search, with its exact price.

    Parameters
    ----------
    word_price
        What a word must save to be worth remembering, in units of one required wager; 0.00003 when
        left out. A higher price makes a shorter text.
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    rules = rules_asked(rulebook, paytable or (), reading or ())
    return command.search(rules, word_price=word_price, as_json=json)


@strategy.command(name="chart")
def strategy_chart(
    rulebook: Rulebook,
    *,
    decision: str = "",
    svg: Path | None = None,
    values: Annotated[bool, Parameter(negative=())] = False,
    equal_actions: EqualActions = "first",
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """The first decision over all starting hands (or kinds of hands), and what each decision is
    worth.

    Parameters
    ----------
    decision
        Another decision than the first, by its name, where it is charted (let-it-ride).
    svg
        Also draw it into this SVG file.
    values
        List the exact value of every action.
    equal_actions
        Which of equally good actions is shown: the `first` that the rulebook offers (mostly a bet)
        or the `last` (mostly a check or a fold).
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    first = equal_actions == "first"
    rules = rules_asked(rulebook, paytable or (), reading or (), takes_first=first)
    return command.chart(rules, svg=svg, values=values, as_json=json, decision=decision)


@strategy.command(name="card")
def strategy_card(
    rulebook: Rulebook,
    file: Path,
    *,
    paper: Literal["letter", "a4"] = "letter",
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """A card to print: the chart of the first decision, and strategies in words with their price.

    Parameters
    ----------
    file
        The PDF file to write.
    paper
        Its size.
    """
    from croupier.commands import strategy as command
    from croupier.commands.rules_asked import rules_asked

    rules = rules_asked(rulebook, paytable or (), reading or ())
    return command.card(rules, file, paper, as_json=json)
