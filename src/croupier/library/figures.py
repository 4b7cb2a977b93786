"""Exact figures as records: analyses of wagers and values of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from croupier.cards import Card, parse_cards
from croupier.errors import BadRequest, CroupierError, Unsolvable, plain, suggest
from croupier.library import html
from croupier.library.record import Progress, Record, quiet
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.mathematics.questions.analysis import (
    Asked,
    is_by_hands,
    tables_of,
    wagers_of,
)
from croupier.mathematics.questions.analysis import analyze as solved
from croupier.mathematics.questions.callouts import warnings_of
from croupier.mathematics.questions.information.seen_cards import check_known
from croupier.money import Amount, parse_cents
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.settle_requests import error_object
from croupier.rulebooks.changed_pays import ChangedLine, read_changes, with_changes
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.submissions.progressive import is_rate
from croupier.workers import Here, using, workers

if TYPE_CHECKING:
    from croupier.mathematics.questions.situation import Situation
    from croupier.simulation.sampling import Sampling

EqualActions: TypeAlias = Literal["first", "last"]


# -- wagers ---------------------------------------------------------------------------------------


class WagerFigures(Record, frozen=True):
    """The exact figures of one wager, per unit of it; those of `main` per unit of one required
    wager, under the best play.

    `details` is the whole object as the contract writes it, with `outcomes` and all the rest.
    """

    wager: str
    """The name of the wager; `main` is the game itself."""
    table: str
    """The paytable; empty for the table in force."""
    details: dict[str, Any]
    """All figures, as the contract writes them."""

    @property
    def paytables(self) -> dict[str, str]:
        """The paytables on which the figures depend."""
        return dict(self.details["paytables"])

    @property
    def error(self) -> Mapping[str, Any] | None:
        """Why there are no figures, if no solver models the wager."""
        return self.details.get("error")

    @property
    def sampled(self) -> bool:
        """Whether the figures are a mean of sampled rounds; `details` then has their
        `standard_error`."""
        return bool(self.details.get("sampled"))

    @property
    def estimate(self) -> float:
        """The expected value as a number: exact or, with its `standard_error`, sampled."""
        return float(self.details["expected_value"] if self.sampled else self.expected_value)

    @property
    def standard_error(self) -> float | None:
        """The standard error of a sampled figure; None if the figure is exact."""
        return self.details["standard_error"] if self.sampled else None

    @property
    def expected_value(self) -> Fraction:
        """The exact expected value."""
        if self.error is not None:
            raise BadRequest(self.error["message"], code=self.error["code"])
        if self.sampled:
            raise BadRequest(
                f"{self.wager} is sampled, not exact: take `estimate` and `standard_error`",
                code="sampled",
            )
        return Fraction(self.details["expected_value_exact"])

    @property
    def house_edge(self) -> Fraction:
        """The exact house edge: the expected value with its sign changed."""
        return -self.expected_value

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round."""
        return float(self.details["standard_deviation"])

    @property
    def hit_frequency(self) -> float:
        """How often the wager wins."""
        return float(self.details["hit_frequency"])

    @property
    def outcomes(self) -> tuple[Mapping[str, Any], ...]:
        """Every outcome with its combinations, as the contract writes it."""
        return tuple(self.details["outcomes"])

    @property
    def break_even_dollars(self) -> dict[str, Fraction | None]:
        """For each meter of a progressive, the exact reading from which the player has the edge,
        with the other meters fixed; None if there is none."""
        return {
            name: None if (exact := meter["break_even_exact"]) is None else Fraction(exact)
            for name, meter in self.details.get("meters", {}).items()
        }

    def to_dict(self) -> dict[str, Any]:
        return self.details

    def __repr__(self) -> str:
        name = " ".join((self.wager, self.table)).strip()
        if self.error is not None:
            return f"<WagerFigures {name}: {self.error['code']}>"
        if self.sampled:
            return f"<WagerFigures {name}: sampled house edge {_sampled_edge(self)}>"
        return f"<WagerFigures {name}: house edge {float(self.house_edge):.6%}>"

    def _repr_html_(self) -> str:
        return html.page(" ".join((self.wager, self.table)).strip(), _figures_html([self]))


class Analysis(Record, frozen=True):
    """The figures of several wagers: `analysis["trips"]`; after `every_table=True` also
    `analysis["trips", "B"]`."""

    rulebook: str
    """The id of the rulebook."""
    title: str
    """The game's name."""
    by_wager: dict[str, dict[str, WagerFigures]]
    """Figures by wager and table; the table in force is `""`."""
    pays: dict[str, str]
    """Lines changed to pay otherwise than printed."""
    warnings: tuple[str, ...]
    """Warnings: the player has the edge, or a paytable pays less for a better hand."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """The names of the wagers."""
        return tuple(self.by_wager)

    def __getitem__(self, key: str | tuple[str, str]) -> WagerFigures:
        wager, table = (key, "") if isinstance(key, str) else key
        if wager not in self.by_wager:
            raise KeyError(wager)
        tables = self.by_wager[wager]
        if not table and "" not in tables and len(tables) == 1:
            return next(iter(tables.values()))
        if table not in tables:
            raise suggest(f"table of {wager}", table, tables)
        return tables[table]

    def __iter__(self) -> Iterator[WagerFigures]:
        return iter([each for tables in self.by_wager.values() for each in tables.values()])

    def to_dict(self) -> dict[str, Any]:
        wagers = {
            wager: tables[""].details
            if "" in tables
            else {table: figures.details for table, figures in tables.items()}
            for wager, tables in self.by_wager.items()
        }
        about: dict[str, Any] = {"pays": self.pays} if self.pays else {}
        return {"rulebook": self.rulebook, "wagers": wagers, **about, "warnings": self.warnings}

    def __repr__(self) -> str:
        return f"<Analysis {self.rulebook}: {', '.join(self.wagers)}>"

    def _repr_html_(self) -> str:
        return html.page(
            f"{self.title} ({self.rulebook})",
            _figures_html(list(self)),
            html.note("Per unit of the wager; main: per unit of one required wager, best play."),
        )


def _figures_html(listed: Sequence[WagerFigures]) -> html.Markup:
    rows = [_figures_row(figures) for figures in listed]
    columns = ("wager", "table", "house edge", "exact value", "deviation", "hits")
    return html.grid(columns, rows, right=(2, 3, 4, 5))


def _sampled_edge(figures: WagerFigures) -> str:
    return f"{-figures.estimate:.3%} ± {figures.standard_error:.3%}"


def _figures_row(figures: WagerFigures) -> tuple[object, ...]:
    if figures.error is not None:
        return figures.wager, figures.table, figures.error["message"], "", "", ""
    return (
        figures.wager,
        figures.table or ", ".join(figures.paytables.values()),
        _sampled_edge(figures) if figures.sampled else f"{float(figures.house_edge):.6%}",
        "sampled" if figures.sampled else figures.expected_value,
        f"{figures.standard_deviation:.4f}",
        f"{figures.hit_frequency:.4%}",
    )


def analyze(
    rulebook: AnyRulebook,
    wagers: str | Iterable[str] = (),
    *,
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    stakes: Mapping[str, Amount] | None = None,
    meters: Mapping[str, Amount] | None = None,
    contributions: Mapping[str, str] | None = None,
    others: int = 0,
    hands: int = 2,
    knows: Mapping[str, int] | None = None,
    shares: int = 0,
    samples: int = 40,
    every_table: bool = False,
    pays: Mapping[str, str | int] | None = None,
    sample: int | None = None,
    seed: int = 15,
    strategy: str = "",
    equal_actions: EqualActions = "first",
    cluster: str | None = None,
    progress: Progress = quiet,
) -> Analysis:
    """Return the exact mathematics of a rulebook's wagers: of all of them, or of those named.

    `main` is the required wagers with the decisions in play, under optimal play. `every_table`
    computes every paytable, not only the one in force. `stakes` and `meters` are dollars,
    `contributions` the share of each stake that feeds a meter, `others` the other players who could
    win or cause an envy bonus, `hands` the number of hands for Cover All. `pays` changes lines of
    the tables in force: `{"blind.flush": 2, "blind.straight": "3 to 2"}`. `knows` are cards that
    the player has seen before the first decision (`{"dealer": 1}`), `shares` how many other
    players' hands they have seen: exact for one, otherwise the mean over `samples` sets of hands.
    If no solver models a wager, `sample` plays that many rounds from `seed`, by `strategy`; such
    figures are marked `sampled` and have a `standard_error`. `cluster` is the address of a dask
    scheduler whose workers do the work.
    """
    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    rules = put_in_force(book.file, book.submission, takes_first=equal_actions == "first")
    changes = read_changes(rules, [f"{name}={odds}" for name, odds in (pays or {}).items()])
    rules = with_changes(rules, changes)
    cents = cents_of(stakes, "stake")
    request = Asked(
        stakes=cents,
        meters=cents_of(meters, "meter"),
        others=others,
        hands=hands,
        knows=dict(knows or {}),
        shares=shares,
        samples=samples,
        seed=seed,
        rates=checked_contributions(contributions or {}, rules),
        limits=limits_in_force(rules) if cents else (),
    )
    names = _checked(rules, [wagers] if isinstance(wagers, str) else list(wagers), request)
    sampling = _sampling(sample, seed, strategy)
    if every_table:
        questions = _every_table(book, changes, rules, names, request)
    else:
        questions = [_Question(name, "", rules, request) for name in names]
    with using(cluster):
        answers = _answers([each._replace(sampling=sampling) for each in questions], progress)
    _check_some_solved(answers)
    figures = {
        wager: {table: WagerFigures(wager, table, details) for table, details in tables.items()}
        for wager, tables in answers.items()
    }
    warnings = tuple(warnings_of(rules, answers))
    return Analysis(book.id, book.title, figures, dict(rules.pays), warnings)


MOST_SAMPLES = 100_000
MOST_SEED = 2**32 - 1


def _checked(rules: Rules, wagers: Sequence[str], request: Asked) -> list[str]:
    """Return the wagers to analyze: those named, or all."""
    known = wagers_of(rules.book)
    _check_known("wager", request.stakes, (*known, *rules.book.wagers))
    _check_known("meter", request.meters or {}, rules.resets)
    _check_known("wager", wagers, known)
    seats = rules.book.positions.most
    for name, least, most in (
        ("others", 0, seats - 1),
        ("hands", 2, seats + 1),
        ("shares", 0, seats - 1),
        ("samples", 2, MOST_SAMPLES),
        ("seed", 0, MOST_SEED),
    ):
        count = getattr(request, name)
        if not least <= count <= most:
            raise BadRequest(f"{name} is {count}, but must be {least} to {most}")
    check_known(rules.book, request.knows)
    return list(wagers or known)


def _check_known(noun: str, names: Iterable[str], known: Iterable[str]) -> None:
    allowed = list(known)
    for name in names:
        if name not in allowed:
            raise suggest(noun, name, allowed)


def _sampling(rounds: int | None, seed: int, strategy: str) -> Sampling | None:
    """Return the terms of sampling. The round engine is loaded only if rounds are sampled."""
    if rounds is None:
        if strategy:
            raise BadRequest("a strategy goes with sampled rounds: exact figures are of best play")
        return None
    from croupier.simulation.sampling import Sampling

    return Sampling(rounds, seed, strategy)


Answers: TypeAlias = dict[str, dict[str, dict[str, Any]]]
"""The contract's object by wager and table; the table in force is `""`."""


class _Question(NamedTuple):
    """One wager to analyze; it may be sent to workers."""

    wager: str
    table: str
    rules: Rules
    request: Asked
    sampling: Sampling | None = None


def _every_table(
    book: Rulebook,
    changes: Sequence[ChangedLine],
    rules: Rules,
    names: Sequence[str],
    request: Asked,
) -> list[_Question]:
    """Return a question for every paytable of every wager: the table in force is changed for one
    wager at a time."""
    questions = []
    for name in names:
        family, tables = tables_of(rules, name)
        for table in tables:
            own, own_request = rules, request
            if is_by_hands(rules.book, name):
                own_request = replace(request, hands=int(table))
            elif family is not None:
                chosen = book.choosing(paytables={family: table})
                own = put_in_force(chosen.file, chosen.submission, takes_first=rules.takes_first)
                own = with_changes(own, changes)
                if request.limits:
                    own_request = replace(request, limits=limits_in_force(own))
            questions.append(_Question(name, table, own, own_request))
    return questions


def _answers(questions: Sequence[_Question], progress: Progress) -> Answers:
    """Answer the questions, the main game last, because it keeps the most in memory."""
    answers: Answers = {question.wager: {} for question in questions}
    ordered = sorted(questions, key=lambda question: question.wager == "main")
    # A single question is divided by its solver, if at all.
    details = (workers() if len(ordered) > 1 else Here()).map(_answer, ordered)
    for done, (wager, table, *_) in enumerate(ordered):
        progress(f"{wager} {table}".strip(), done, len(ordered))
        answers[wager][table] = next(details)
    return answers


def _answer(question: _Question) -> dict[str, Any]:
    """Return the figures of one wager. A wager that no solver models is sampled if requested;
    otherwise the error takes the place of its figures."""
    wager, _, rules, request, sampling = question
    try:
        if sampling is None:
            return solved(rules, wager, request)
        from croupier.simulation.sampling import analyze_or_sample

        return analyze_or_sample(rules, wager, request, sampling)
    except Unsolvable as error:
        return error_object(error)
    finally:
        if wager == "main":
            rules.prepared.clear()  # its solution takes 40 MB, and it is not needed again


def _check_some_solved(answers: Answers) -> None:
    """Raise the error of a single wager that is requested and not solved."""
    if len(answers) == 1:
        (tables,) = answers.values()
        errors = [details["error"] for details in tables.values() if "error" in details]
        if len(errors) == len(tables):
            raise Unsolvable(errors[0]["message"])


def checked_contributions(rates: Mapping[str, str], rules: Rules) -> dict[str, str]:
    """Return the share of each stake that feeds a meter, as a submission writes it. Either every
    meter has one or none has."""
    for meter, rate in rates.items():
        if meter not in rules.resets:
            raise suggest("meter", meter, rules.resets)
        if not is_rate(rate):
            raise BadRequest(
                f"contribution {meter}={plain(rate)}: write a share of each stake from 0 to 1, as "
                f"in {meter}=0.1"
            )
    missing = [meter for meter in rules.resets if meter not in rates]
    if rates and missing:
        raise BadRequest(f"contribution: state the share of {' and '.join(missing)} as well")
    if sum(map(Fraction, rates.values())) > 1:
        raise BadRequest("contribution: the shares of one stake come to more than the whole")
    return dict(rates)


def cents_of(amounts: Mapping[str, Amount] | None, noun: str) -> dict[str, int]:
    """Return amounts in dollars by name, as cents."""
    cents = {}
    for name, amount in (amounts or {}).items():
        try:
            cents[name] = parse_cents(amount)
        except CroupierError as error:
            raise error.within(f"{noun} {plain(name)}") from None
    return cents


# -- actions --------------------------------------------------------------------------------------


class ActionValues(Record, frozen=True):
    """The exact value of every action now, in units of one required wager, with the best play
    afterwards."""

    decision: str
    """The name of the decision."""
    values: dict[str, Fraction]
    """The exact value of each action."""

    @property
    def best(self) -> str:
        """The first of the best actions: bets before declining, in the order offered."""
        return max(self.values, key=lambda action: self.values[action])

    def cost(self, action: str) -> Fraction:
        """Return how much an action loses compared with the best one."""
        if action not in self.values:
            raise suggest("action", action, self.values)
        return self.values[self.best] - self.values[action]

    def to_dict(self) -> dict[str, Any]:
        actions = {
            action: {"expected_value": float(value), "expected_value_exact": str(value)}
            for action, value in self.values.items()
        }
        return {"decision": self.decision, "actions": actions, "best": self.best}

    def __repr__(self) -> str:
        values = ", ".join(f"{action} {float(value):+.6f}" for action, value in self.values.items())
        return f"<ActionValues {self.decision}: {values}; best {self.best}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                html.strong(action) if action == self.best else action,
                f"{float(value):+.6f}",
                value,
                f"{float(self.cost(action)):.6f}" if self.cost(action) else "",
            )
            for action, value in sorted(self.values.items(), key=lambda item: -item[1])
        ]
        return html.page(
            f"{self.decision} decision",
            html.grid(("action", "value", "exact", "cost"), rows, right=(1, 2, 3)),
            html.note("In units of one required wager, best play afterwards."),
        )


def advise(
    rulebook: AnyRulebook,
    cards: str | Iterable[Card],
    community: str | Iterable[Card] = (),
    *,
    known: str | Iterable[Card] = (),
    dealer: str | Iterable[Card] = (),
    said: Sequence[str] | None = None,
    decision: str = "",
    submission: AnySubmission = None,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> ActionValues:
    """Return the exact value of every action that the rules allow on these cards.

    `known`: cards of other players that lie face up, if the game shows them; `dealer`: those of the
    dealer. `said`: the earlier answers in order (by default those of the best play); `decision`:
    its name, if two are taken on the same cards.
    """
    from croupier.mathematics.questions.situation import Situation

    book = load_rulebook(rulebook, submission, paytables=paytables, readings=readings)
    own, board, others = _cards(cards), _cards(community), _cards(known)
    return valued(book.rules, Situation(own, board, others, decision, said, _cards(dealer)))


def valued(rules: Rules, seen: Situation, allowed: Sequence[str] = ()) -> ActionValues:
    """Return the values of these actions, or of all."""
    from croupier.mathematics.questions.registry import advise as solver_advice

    advice = solver_advice(rules, seen)
    values = advice.values
    chosen = {action: values[action] for action in allowed or values if action in values}
    return ActionValues(advice.decision, chosen)


def _cards(cards: str | Iterable[Card]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(cards)
