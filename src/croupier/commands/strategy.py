"""`croupier strategy`: the optimal play, and what any other play costs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from threading import Timer

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json
from croupier.commands.rules_asked import pays_note
from croupier.errors import BadData, BadRequest, Unsolvable, plain
from croupier.mathematics.questions.registry import WORD_PRICE, solver_for
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.grid import Grid, HandCell, Skipped
from croupier.mathematics.questions.strategies.pricing import Mistake, Price
from croupier.mathematics.questions.strategies.text import open_strategy, read_text, shipped_for
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.reports.charts import chart_svg, grid_drawn, values_drawn
from croupier.reports.sheets import Paper
from croupier.reports.strategy_aids import strategy_at_hand, strategy_card
from croupier.rulebooks.rules import Rules

__all__ = ["card", "chart", "compare", "price", "search", "show", "working"]


@contextmanager
def working(what: str) -> Iterator[None]:
    """Says what is going on, on stderr, if it lasts longer than a second and a person looks."""
    if not sys.stderr.isatty():
        yield
        return
    status = Console(stderr=True).status(f"{what} …")
    timer = Timer(1.0, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


def show(rules: Rules, name: str | None, *, save: Path | None, as_json: bool) -> int:
    """The optimal strategy, or the text of a shipped one."""
    shipped = shipped_for(rules.book.id)
    if name is not None:
        plan = open_strategy(name, solver_for(rules).choices())
        if as_json:
            print_json({"strategy": name, "title": plan.title, "text": plan.text})
        else:
            console().print(Syntax(plan.text.rstrip(), "yaml", background_color="default"))
        return 0
    with working(f"solving {rules.book.id}"):
        if save is not None:
            solver_for(rules).player().save(save)
        grid = solver_for(rules).chart()
    if as_json:
        decisions = [
            {"decision": choice.name, "actions": list(choice.actions)}
            for choice in _choices(rules, grid)
        ]
        first = {cell.hand: cell.action for cell in grid.cells()}
        told: dict[str, object] = {"rulebook": rules.book.id, "strategy": "optimal"}
        print_json(told | {"decisions": decisions, "first": first, "shipped": list(shipped)})
        return 0
    out = console()
    out.print(Text(f"{rules.book.title}: optimal play at {grid.choice.name!r}", style="bold"))
    out.print(grid_drawn(grid))
    if shipped:
        out.print(f"\nShipped strategies: {', '.join(shipped)}  (croupier strategy compare)")
    if save is not None:
        out.print(f"Saved to {save}")
    return 0


def _choices(rules: Rules, grid: Grid) -> tuple[StrategyDecision, ...]:
    """All decisions; in a game that no strategy can be written for, the one of the chart."""
    try:
        return solver_for(rules).choices()
    except Unsolvable:
        return (grid.choice,)


def search(rules: Rules, *, word_price: float | None, as_json: bool) -> int:
    """A simple strategy that is looked for now, as a text that `price` takes."""
    if word_price is not None and not 0 <= word_price < 1:
        raise BadRequest(f"--word-price is {word_price}, but must be 0 or more and below 1")
    choices = solver_for(rules).choices()
    with working(f"searching, {rules.book.id}"):
        text = solver_for(rules).search(WORD_PRICE if word_price is None else word_price)
        found = price_of(rules, read_text(text, choices), mistakes=0)
    if as_json:
        figures = {"house_edge": float(found.house_edge), "cost": float(found.cost)}
        exact = {"house_edge_exact": str(found.house_edge), "cost_exact": str(found.cost)}
        print_json({"rulebook": rules.book.id, "text": text, **figures, **exact})
    else:
        sys.stdout.write(
            f"# house edge {float(found.house_edge):.4%}, {float(found.cost):.4%} over the best "
            f"play\n{text}"
        )
    return 0


def price(rules: Rules, name: str, *, mistakes: int, as_json: bool) -> int:
    plan = open_strategy(name, solver_for(rules).choices())
    with working(f"pricing {plan.title}"):
        found = price_of(rules, plan, mistakes=max(0, mistakes))
    if as_json:
        print_json(_price_json(found) | ({"pays": dict(rules.pays)} if rules.pays else {}))
        return 0
    out = console()
    out.print(Text(found.title, style="bold"))
    if note := pays_note(rules):
        out.print(note, soft_wrap=True)
    out.print(
        f"House edge {_percent(found.house_edge)} of one required wager, "
        f"{_percent(found.cost)} more than the best play ({_percent(-found.optimal)})."
    )
    out.print(f"Exactly {found.value}; standard deviation {found.standard_deviation:.6f}.\n")
    out.print(_decisions(found))
    for decision, listed in found.mistakes.items():
        if listed:
            out.print(_mistakes(decision, listed))
    return 0


def compare(rules: Rules, names: Sequence[str], *, as_json: bool) -> int:
    wanted = list(names) or list(shipped_for(rules.book.id))
    if not wanted:
        raise BadRequest(f"no strategy is shipped for {rules.book.id}: name files of your own")
    plans = [open_strategy(name, solver_for(rules).choices()) for name in wanted]
    with working(f"pricing {len(plans)} strategies"):
        prices = [price_of(rules, plan, mistakes=0) for plan in plans]
    order = sorted(range(len(plans)), key=lambda place: prices[place].cost)
    if as_json:
        listed = [{"strategy": wanted[i]} | _price_json(prices[i]) for i in order]
        print_json({"rulebook": rules.book.id, "strategies": listed})
        return 0
    drawn = Table("strategy", "house edge", "cost", "words", box=None, pad_edge=False)
    drawn.add_row("optimal", _percent(-prices[0].optimal), "", "")
    for i in order:
        words = sum(len(line.words.split()) for s in plans[i].sections for line in s.lines)
        cost = _percent(prices[i].cost)
        drawn.add_row(wanted[i], _percent(prices[i].house_edge), cost, str(words))
    console().print(drawn)
    return 0


def chart(
    rules: Rules, *, svg: Path | None, values: bool, as_json: bool, decision: str = ""
) -> int:
    with working(f"solving {rules.book.id}"):
        grid = solver_for(rules).chart(decision)
        best, skipped = solver_for(rules).decision_values()
    if svg is not None:
        title = f"{rules.book.title}: {grid.choice.name.replace('_', ' ')}"
        try:
            svg.write_text(chart_svg(grid, best, skipped, title), "utf-8")
        except OSError as error:
            raise BadData(f"{plain(svg, 200)} cannot be written: {error.strerror}") from None
    if as_json:
        print_json(
            {
                "rulebook": rules.book.id,
                "decision": grid.choice.name,
                "hands": {cell.hand: _cell_json(cell) for cell in grid.cells()},
                "house_edge": _number(best),
                "without": [_skipped_json(one) for one in skipped],
            }
        )
        return 0
    out = console()
    out.print(Text(f"{rules.book.title}: {grid.choice.name.replace('_', ' ')}", style="bold"))
    out.print(grid_drawn(grid, values=values))
    out.print()
    out.print(values_drawn(best, skipped))
    if svg is not None:
        out.print(f"\nDrawn into {svg}")
    return 0


def card(rules: Rules, file: Path, paper: Paper, *, as_json: bool) -> int:
    """The strategy on a page to print."""
    with working(f"solving {rules.book.id}"):
        found = strategy_at_hand(rules)
        data = strategy_card(found, paper)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise BadData(f"{plain(file, 200)} cannot be written: {error.strerror}") from None
    if as_json:
        print_json({"rulebook": found.game, "file": str(file), "missing": list(found.missing)})
        return 0
    for why in found.missing:
        console().print(f"Left out: {why}")
    console().print(f"Written to {file}")
    return 0


# -- for people -----------------------------------------------------------------------------------


def _percent(value: Fraction) -> str:
    return f"{float(value):.4%}"


def _decisions(found: Price) -> Table:
    drawn = Table("decision", "how often", "costs", box=None, pad_edge=False)
    for name, shares in found.frequencies.items():
        often = "  ".join(f"{said} {float(share):.3%}" for said, share in shares.items())
        drawn.add_row(name.replace("_", " "), often, _percent(found.losses[name]))
    return drawn


def _mistakes(decision: str, listed: Sequence[Mistake]) -> Table:
    drawn = Table(
        title=f"\nWhere it errs most at {decision.replace('_', ' ')!r}",
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
    )
    for heading in ("hands", "for instance", "says", "better", "how often", "costs"):
        drawn.add_column(heading)
    for one in listed:
        often = f"{float(one.frequency):.4%}"
        drawn.add_row(
            one.words, str(one.example), one.taken, one.best, often, f"{float(one.loss):.5%}"
        )
    return drawn


# -- for programs ---------------------------------------------------------------------------------


def _number(value: Fraction) -> dict[str, object]:
    return {"value": float(value), "exact": str(value)}


def _price_json(found: Price) -> dict[str, object]:
    return {
        "rulebook": found.rulebook,
        "title": found.title,
        "expected_value": float(found.value),
        "expected_value_exact": str(found.value),
        "house_edge": float(found.house_edge),
        "optimal_exact": str(found.optimal),
        "cost": float(found.cost),
        "cost_exact": str(found.cost),
        "standard_deviation": found.standard_deviation,
        "units_decided": float(found.units_decided),
        "decisions": {
            name: {said: float(share) for said, share in shares.items()}
            for name, shares in found.frequencies.items()
        },
        "losses": {name: _number(loss) for name, loss in found.losses.items()},
        "mistakes": {
            name: [_mistake_json(one) for one in listed] for name, listed in found.mistakes.items()
        },
    }


def _mistake_json(one: Mistake) -> dict[str, object]:
    return {
        "hands": one.words,
        "cards": " ".join(map(str, one.example.own)),
        "community": " ".join(map(str, one.example.community)),
        "dealer": " ".join(map(str, one.example.dealer)),
        "taken": one.taken,
        "best": one.best,
        "frequency": float(one.frequency),
        "loss": float(one.loss),
        "loss_exact": str(one.loss),
    }


def _cell_json(cell: HandCell) -> dict[str, object]:
    return {
        "best": cell.action,
        "actions": {
            said: {"expected_value": float(value), "expected_value_exact": str(value)}
            for said, value in cell.values.items()
        },
        "shares": {said: float(share) for said, share in cell.shares.items()},
        "worth": float(cell.worth),
    }


def _skipped_json(one: Skipped) -> dict[str, object]:
    return {"decision": one.decision, "instead": one.how, "house_edge": _number(one.house_edge)}
