"""`croupier strategy`: the optimal play, and the price of any other strategy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

import croupier
from croupier.commands.analyze import print_pays_note
from croupier.commands.options import (
    AsJson,
    EqualActions,
    Flag,
    Pays,
    Paytables,
    Readings,
    Rulebook,
    documented,
    pairs,
    rulebook_with,
)
from croupier.commands.output import console, print_record, table, working
from croupier.errors import BadRequest

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.mathematics.questions.strategies.pricing import Mistake, Price

strategy = App(name="strategy", help="Optimal play, and what any strategy written down costs.")


@strategy.command(name="show")
@documented
def show(
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
        A shipped strategy, or the path of a text; by default the optimal play.
    save
        Save the whole optimal strategy to this file.
    """
    book = rulebook_with(rulebook, paytable, reading)
    out = console()
    if name is not None:
        from rich.syntax import Syntax

        plan = croupier.strategy_text(book, name)
        if json:
            print_record(plan)
        else:
            out.print(Syntax(plan.text.rstrip(), "yaml", background_color="default"))
        return 0
    with working(f"solving {book.id}"):
        optimal = croupier.optimal_strategy(book, save=save)
    if json:
        print_record(optimal)
        return 0
    from croupier.reports.charts import grid_drawn

    first = optimal.grid.choice.name
    out.print(f"{optimal.title}: optimal play at {first!r}", style="bold")
    out.print(grid_drawn(optimal.grid))
    if optimal.shipped:
        shipped = ", ".join(optimal.shipped)
        out.print(f"\nShipped strategies: {shipped}  (croupier strategy compare)")
    if save is not None:
        out.print(f"Saved to {save}")
    return 0


@strategy.command(name="price")
@documented
def price(
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
    book = rulebook_with(rulebook, paytable, reading)
    with working(f"pricing {file}"):
        priced = croupier.price_strategy(
            book, _named(file), mistakes=mistakes, pays=pairs(pays, "--pays")
        )
    if json:
        print_record(priced)
        return 0
    out, figures = console(), priced.price
    out.print(priced.title, style="bold")
    print_pays_note(priced.pays)
    out.print(
        f"House edge {_percent(priced.house_edge)} of one required wager, "
        f"{_percent(priced.cost)} more than the best play ({_percent(-figures.optimal)})."
    )
    out.print(f"Exactly {figures.value}; standard deviation {figures.standard_deviation:.6f}.\n")
    out.print(_decisions(figures))
    for decision, listed in figures.mistakes.items():
        if listed:
            out.print(_mistakes(decision, listed))
    return 0


def _named(strategy: str) -> str:
    """Return a name or a path; a text of several lines is only for the library."""
    if "\n" in strategy:
        raise BadRequest("name a shipped strategy, or the file of a text")
    return strategy


@strategy.command(name="compare")
@documented
def compare(
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
        Paths of texts, or names of shipped strategies; by default all that are shipped.
    """
    book = rulebook_with(rulebook, paytable, reading)
    with working(f"pricing {len(files) or 'the shipped'} strategies"):
        compared = croupier.compare_strategies(book, [_named(file) for file in files])
    if json:
        print_record(compared)
        return 0
    drawn = table("strategy", "house edge", "cost", "words", pad_edge=False, padding=(0, 1))
    optimal = compared.strategies[0].price.optimal
    drawn.add_row("optimal", _percent(-optimal), "", "")
    for each in compared.strategies:
        edge, cost = _percent(each.house_edge), _percent(each.cost)
        drawn.add_row(each.strategy, edge, cost, str(each.words))
    console().print(drawn)
    return 0


@strategy.command(name="search")
@documented
def search(
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
        What a word must save to be worth remembering, in units of one required wager; by default
        0.00003. A higher price makes a shorter text.
    """
    book = rulebook_with(rulebook, paytable, reading)
    with working(f"searching, {book.id}"):
        result = croupier.search_strategy(book, word_price=word_price)
    if json:
        print_record(result)
    else:
        edge, cost = _percent(result.price.house_edge), _percent(result.price.cost)
        sys.stdout.write(f"# house edge {edge}, {cost} over the best play\n{result.text}")
    return 0


@strategy.command(name="chart")
@documented
def chart(
    rulebook: Rulebook,
    *,
    decision: str = "",
    svg: Path | None = None,
    values: Flag = False,
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
        Another decision than the first, by its name, if it is charted (let-it-ride).
    svg
        Also draw it into this SVG file.
    values
        List the exact value of every action.
    equal_actions
        Which of equally good actions is shown: the `first` that the rulebook offers (mostly a bet)
        or the `last` (mostly a check or a fold).
    """
    book = rulebook_with(rulebook, paytable, reading)
    with working(f"solving {book.id}"):
        chart = croupier.chart(book, decision=decision, equal_actions=equal_actions)
    if svg is not None:
        chart.save(svg)
    if json:
        print_record(chart)
        return 0
    from croupier.reports.charts import grid_drawn, values_drawn

    out = console()
    out.print(f"{chart.title}: {chart.decision.replace('_', ' ')}", style="bold")
    out.print(grid_drawn(chart.grid, values=values))
    out.print()
    out.print(values_drawn(chart.house_edge, chart.skipped))
    if svg is not None:
        out.print(f"\nDrawn into {svg}")
    return 0


@strategy.command(name="card")
@documented
def card(
    rulebook: Rulebook,
    file: Path,
    *,
    paper: Annotated[Literal["letter", "a4"], Parameter(help="Its size.")] = "letter",
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """A card to print: the chart of the first decision, and strategies in words with their price.

    Parameters
    ----------
    file
        The PDF file to write.
    """
    book = rulebook_with(rulebook, paytable, reading)
    with working(f"solving {book.id}"):
        made = croupier.strategy_card(book, file, paper=paper)
    if json:
        print_record(made)
        return 0
    for reason in made.missing:
        console().print(f"Left out: {reason}")
    console().print(f"Written to {file}")
    return 0


# -- for people -----------------------------------------------------------------------------------


def _percent(value: Fraction) -> str:
    return f"{float(value):.4%}"


def _decisions(price: Price) -> Table:
    drawn = table("decision", "how often", "costs", pad_edge=False, padding=(0, 1))
    for name, shares in price.frequencies.items():
        often = "  ".join(f"{action} {float(share):.3%}" for action, share in shares.items())
        drawn.add_row(name.replace("_", " "), often, _percent(price.losses[name]))
    return drawn


def _mistakes(decision: str, listed: Sequence[Mistake]) -> Table:
    drawn = table(
        *("hands", "for instance", "plays", "better", "how often", "costs"),
        title=f"\nWhere it errs most at {decision.replace('_', ' ')!r}",
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        padding=(0, 1),
    )
    for mistake in listed:
        drawn.add_row(
            *(mistake.words, str(mistake.example), mistake.taken, mistake.best),
            *(f"{float(mistake.frequency):.4%}", f"{float(mistake.loss):.5%}"),
        )
    return drawn
