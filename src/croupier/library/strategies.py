"""Strategies: the optimal one, charts, and the price of any strategy written in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.errors import BadRequest, Unsolvable
from croupier.library.figures import EqualActions
from croupier.library.record import Record, write_file
from croupier.library.rulebook import AnyRulebook, AnySubmission, load_rulebook
from croupier.mathematics.questions.registry import WORD_PRICE, solver_for
from croupier.mathematics.questions.strategies.text import (
    WrittenStrategy,
    open_strategy,
    read_text,
    shipped_for,
)
from croupier.rulebooks.changed_pays import read_changes, with_changes
from croupier.rulebooks.rules import Rules, put_in_force

if TYPE_CHECKING:
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.pricing import Mistake, Price
    from croupier.reports.sheets import Paper


def _rules(
    rulebook: AnyRulebook,
    submission: AnySubmission,
    paytables: Mapping[str, str] | None,
    readings: Mapping[str, str] | None,
    pays: Mapping[str, str | int] | None = None,
    equal_actions: EqualActions = "first",
) -> Rules:
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    rules = put_in_force(book.file, book.submission, takes_first=equal_actions == "first")
    texts = [f"{name}={odds}" for name, odds in (pays or {}).items()]
    return with_changes(rules, read_changes(rules, texts))


def _drawable(grid: Grid) -> Grid:
    """Return the grid without the functions that read hands, so that it can be pickled."""
    scene = replace(grid.choice.scene, ranked=None)
    return replace(grid, choice=replace(grid.choice, scene=scene))


def _number(value: Fraction) -> dict[str, object]:
    return {"value": float(value), "exact": str(value)}


# -- charts ---------------------------------------------------------------------------------------


class ChartedHand(NamedTuple):
    """A starting hand: the action that is right most often, every value, how often each action is
    right."""

    best: str
    """The action that is right most often."""
    values: Mapping[str, Fraction]
    """The exact value of each action."""
    shares: Mapping[str, Fraction]
    """How often each action is right."""
    worth: Fraction
    """The exact value of the best play."""


class Without(NamedTuple):
    """The price of the game if a decision is always answered in one way."""

    decision: str
    """The name of the decision."""
    instead: str
    """The answer that is always given."""
    house_edge: Fraction
    """The house edge then."""


class StrategyChart(Record, frozen=True):
    """One decision over all starting hands: `chart.hands["AKs"].best`; a picture in a notebook."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    decision: str
    """The name of the decision."""
    hands: dict[str, ChartedHand]
    """The starting hands by their usual names: `AKs`, `22`."""
    house_edge: Fraction
    """The house edge under the best play."""
    without: tuple[Without, ...]
    """The house edge without each decision."""
    grid: Grid
    """The same hands in rows and columns, as they are drawn."""
    skipped: tuple[Skipped, ...]
    """The values without each decision, in the form that the picture takes."""

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        from croupier.reports.charts import chart_svg

        title = f"{self.title}: {self.decision.replace('_', ' ')}"
        return chart_svg(self.grid, self.house_edge, self.skipped, title)

    def save(self, path: str | Path) -> None:
        """Write the picture."""
        write_file(path, self.svg.encode())

    def to_dict(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "decision": self.decision,
            "hands": {name: _hand_object(hand) for name, hand in self.hands.items()},
            "house_edge": _number(self.house_edge),
            "without": [
                {
                    "decision": each.decision,
                    "instead": each.instead,
                    "house_edge": _number(each.house_edge),
                }
                for each in self.without
            ],
        }

    def __repr__(self) -> str:
        return f"<StrategyChart {self.rulebook}: {self.decision} over {len(self.hands)} hands>"

    def _repr_svg_(self) -> str:
        return self.svg


def _hand_object(hand: ChartedHand) -> dict[str, Any]:
    return {
        "best": hand.best,
        "actions": {
            action: {"expected_value": float(value), "expected_value_exact": str(value)}
            for action, value in hand.values.items()
        },
        "shares": {action: float(share) for action, share in hand.shares.items()},
        "worth": float(hand.worth),
    }


def chart(
    rulebook: AnyRulebook,
    *,
    decision: str = "",
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    equal_actions: EqualActions = "first",
) -> StrategyChart:
    """Return the best play at a decision (by default the first), and the house edge without each
    decision."""
    rules = _rules(rulebook, submission, paytables, readings, equal_actions=equal_actions)
    solver = solver_for(rules)
    grid = solver.chart(decision)
    best, skipped = solver.decision_values()
    hands = {
        cell.hand: ChartedHand(cell.action, cell.values, cell.shares, cell.worth)
        for cell in grid.cells()
    }
    without = tuple([Without(each.decision, each.how, each.house_edge) for each in skipped])
    book = rules.book
    return StrategyChart(
        book.id, book.title, grid.choice.name, hands, best, without, _drawable(grid), tuple(skipped)
    )


# -- the optimal strategy, and shipped ones -------------------------------------------------------


class OptimalStrategy(Record, frozen=True):
    """The optimal play: every decision with its actions, and the first one over all starting
    hands."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    decisions: dict[str, tuple[str, ...]]
    """The actions of each decision."""
    first: dict[str, str]
    """The action that is right most often on each starting hand."""
    shipped: tuple[str, ...]
    """Strategies in words that come with Croupier for this game."""
    grid: Grid
    """The first decision over all starting hands."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "strategy": "optimal",
            "decisions": [
                {"decision": name, "actions": list(actions)}
                for name, actions in self.decisions.items()
            ],
            "first": self.first,
            "shipped": list(self.shipped),
        }


class StrategyText(Record, frozen=True):
    """A strategy in words."""

    strategy: str
    """The name of the strategy."""
    title: str
    """The game's name."""
    text: str
    """The strategy in words."""

    def to_dict(self) -> dict[str, Any]:
        return {"strategy": self.strategy, "title": self.title, "text": self.text}


def optimal_strategy(
    rulebook: AnyRulebook,
    *,
    save: str | Path | None = None,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> OptimalStrategy:
    """Return the optimal play of a game. `save` names a file for the whole strategy, which
    `simulate` can play."""
    rules = _rules(rulebook, submission, paytables, readings)
    solver = solver_for(rules)
    if save is not None:
        solver.player().save(Path(save))
    grid = solver.chart()
    try:
        choices = solver.choices()
    except Unsolvable:  # no strategy can be written for this game: only the charted decision
        choices = (grid.choice,)
    return OptimalStrategy(
        rules.book.id,
        rules.book.title,
        {choice.name: tuple(choice.actions) for choice in choices},
        {cell.hand: cell.action for cell in grid.cells()},
        shipped_for(rules.book.id),
        _drawable(grid),
    )


def strategy_text(
    rulebook: AnyRulebook,
    strategy: str | Path,
    *,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> StrategyText:
    """Return the text of a shipped strategy, or of the one in a file, after reading it."""
    plan = _plan(_rules(rulebook, submission, paytables, readings), strategy)
    return StrategyText(str(strategy), plan.title, plan.text)


def _plan(rules: Rules, strategy: str | Path) -> WrittenStrategy:
    """Return a shipped strategy by its name, one from a file, or one as text of several lines."""
    choices = solver_for(rules).choices()
    if "\n" in str(strategy):
        return read_text(str(strategy), choices)
    return open_strategy(str(strategy), choices)


# -- prices ---------------------------------------------------------------------------------------


class StrategyPrice(Record, frozen=True):
    """The exact price of a strategy: amounts in units of one required wager, shares of rounds."""

    strategy: str
    """The name of the strategy."""
    words: int
    """The number of words in its lines."""
    price: Price
    """The solver's own price."""
    pays: dict[str, str]
    """Paytable lines that were changed."""

    @property
    def rulebook(self) -> str:
        """The id of the rulebook."""
        return self.price.rulebook

    @property
    def title(self) -> str:
        """The game's name."""
        return self.price.title

    @property
    def house_edge(self) -> Fraction:
        """The house edge against a player who follows it."""
        return self.price.house_edge

    @property
    def cost(self) -> Fraction:
        """The difference between its house edge and that of the best play."""
        return self.price.cost

    def to_dict(self) -> dict[str, Any]:
        price = self.price
        return {
            "rulebook": price.rulebook,
            "title": price.title,
            "expected_value": float(price.value),
            "expected_value_exact": str(price.value),
            "house_edge": float(price.house_edge),
            "optimal_exact": str(price.optimal),
            "cost": float(price.cost),
            "cost_exact": str(price.cost),
            "standard_deviation": price.standard_deviation,
            "units_decided": float(price.units_decided),
            "decisions": {
                name: {action: float(share) for action, share in shares.items()}
                for name, shares in price.frequencies.items()
            },
            "losses": {name: _number(loss) for name, loss in price.losses.items()},
            "mistakes": {
                name: [_mistake_object(mistake) for mistake in mistakes]
                for name, mistakes in price.mistakes.items()
            },
            **({"pays": self.pays} if self.pays else {}),
        }

    def __repr__(self) -> str:
        return f"<StrategyPrice {self.rulebook}: {self.title}, cost {float(self.cost):.4%}>"


def _mistake_object(mistake: Mistake) -> dict[str, object]:
    return {
        "hands": mistake.words,
        "cards": " ".join(map(str, mistake.example.own)),
        "community": " ".join(map(str, mistake.example.community)),
        "dealer": " ".join(map(str, mistake.example.dealer)),
        "taken": mistake.taken,
        "best": mistake.best,
        "frequency": float(mistake.frequency),
        "loss": float(mistake.loss),
        "loss_exact": str(mistake.loss),
    }


class StrategyComparison(Record, frozen=True):
    """Several strategies, the cheapest first."""

    rulebook: str
    """The id of the rulebook."""
    strategies: tuple[StrategyPrice, ...]
    """The strategies, the cheapest first."""

    def to_dict(self) -> dict[str, Any]:
        listed = [{"strategy": each.strategy} | each.to_dict() for each in self.strategies]
        return {"rulebook": self.rulebook, "strategies": listed}


class FoundStrategy(Record, frozen=True):
    """A simple strategy found by a search, as a text that `price_strategy` takes."""

    text: str
    """The strategy as a text."""
    price: StrategyPrice
    """Its price."""

    def to_dict(self) -> dict[str, Any]:
        price = self.price
        return {
            "rulebook": price.rulebook,
            "text": self.text,
            "house_edge": float(price.house_edge),
            "cost": float(price.cost),
            "house_edge_exact": str(price.house_edge),
            "cost_exact": str(price.cost),
        }


def price_strategy(
    rulebook: AnyRulebook,
    strategy: str | Path,
    *,
    mistakes: int = 10,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    pays: Mapping[str, str | int] | None = None,
) -> StrategyPrice:
    """Return the exact price of a strategy in words: a shipped one by its name, the path of a file,
    or the text itself. `mistakes` is how many of the worst errors are listed for each decision."""
    rules = _rules(rulebook, submission, paytables, readings, pays)
    return _priced(rules, str(strategy), _plan(rules, strategy), max(0, mistakes))


def _priced(rules: Rules, name: str, plan: WrittenStrategy, mistakes: int) -> StrategyPrice:
    from croupier.mathematics.questions.strategy_prices import price_of

    words = sum(len(line.words.split()) for section in plan.sections for line in section.lines)
    return StrategyPrice(name, words, price_of(rules, plan, mistakes=mistakes), dict(rules.pays))


def compare_strategies(
    rulebook: AnyRulebook,
    strategies: Sequence[str | Path] = (),
    *,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> StrategyComparison:
    """Price several strategies, or all that are shipped for the game, and put the cheapest
    first."""
    rules = _rules(rulebook, submission, paytables, readings)
    names = [str(strategy) for strategy in strategies] or list(shipped_for(rules.book.id))
    if not names:
        raise BadRequest(f"no strategy is shipped for {rules.book.id}: name files of your own")
    plans = {name: _plan(rules, name) for name in names}  # read all before pricing any
    prices = [_priced(rules, name, plan, 0) for name, plan in plans.items()]
    return StrategyComparison(rules.book.id, tuple(sorted(prices, key=lambda each: each.cost)))


def search_strategy(
    rulebook: AnyRulebook,
    *,
    word_price: float | None = None,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> FoundStrategy:
    """Search for a simple strategy in few words. `word_price` is what a word must save, in units of
    one required wager, to be worth remembering; a higher price makes a shorter text."""
    rules = _rules(rulebook, submission, paytables, readings)
    if word_price is not None and not 0 <= word_price < 1:
        raise BadRequest(f"the word price is {word_price}, but must be 0 or more and below 1")
    choices = solver_for(rules).choices()
    text = solver_for(rules).search(WORD_PRICE if word_price is None else word_price)
    return FoundStrategy(text, _priced(rules, "search", read_text(text, choices), 0))


# -- cards to print -------------------------------------------------------------------------------


class StrategyCard(Record, frozen=True):
    """A PDF page with the chart of the first decision, and strategies in words with their price."""

    rulebook: str
    """The id of the rulebook."""
    file: str
    """The file it was written to; empty if there is none."""
    missing: tuple[str, ...]
    """The parts that could not be put on it, and why."""
    pdf: bytes
    """The page as a PDF."""

    def to_dict(self) -> dict[str, Any]:
        return {"rulebook": self.rulebook, "file": self.file, "missing": list(self.missing)}


def strategy_card(
    rulebook: AnyRulebook,
    to: str | Path | None = None,
    *,
    paper: Paper = "letter",
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> StrategyCard:
    """Make a strategy card, and write it to a file if one is named."""
    from croupier.reports.strategy_aids import strategy_at_hand
    from croupier.reports.strategy_aids import strategy_card as printed_card

    aids = strategy_at_hand(_rules(rulebook, submission, paytables, readings))
    data = printed_card(aids, paper)
    if to is not None:
        write_file(to, data)
    return StrategyCard(aids.game, "" if to is None else str(to), tuple(aids.missing), data)
