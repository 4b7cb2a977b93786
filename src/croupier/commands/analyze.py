"""`croupier analyze` and `advise`: the exact mathematics of wagers and actions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import croupier
from croupier.commands.options import (
    AsJson,
    Clustered,
    EqualActions,
    Flag,
    Pays,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    documented,
    pairs,
    rulebook_with,
)
from croupier.commands.output import Progress, console, print_record, styled, table
from croupier.errors import BadRequest, CroupierError

if TYPE_CHECKING:
    from croupier.cards import Card
    from croupier.library.figures import ActionValues, Analysis, WagerFigures
    from croupier.rulebooks.schema import Rulebook as Document

MOST_SEEN: Final = 14
"""The most lines of `by_card` that are printed."""


@documented
def analyze(
    rulebook: Rulebook,
    *,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    wager: Repeated = None,
    stake: Repeated = None,
    meter: Repeated = None,
    contribution: Repeated = None,
    others: int = 0,
    hands: int = 2,
    knows: Repeated = None,
    shares: int = 0,
    samples: int = 40,
    seed: int = 15,
    sample: int | None = None,
    strategy: str = "",
    equal_actions: EqualActions = "first",
    all: Flag = False,  # noqa: A002
    lines: bool | None = None,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """Exact edge, deviation and outcomes of every wager. `main` is the required wagers with what is
    decided in play, under the best play on one's own cards. Results are kept in
    `CROUPIER_CACHE_DIR`.

        croupier analyze md-uth --wager trips --paytable trips=B

    Parameters
    ----------
    wager
        Only this wager (`main`, `trips`, …); by default every wager. Repeatable.
    stake
        WAGER=AMOUNT; by default the smallest that the rulebook takes, else 1. Repeatable.
    meter
        NAME=AMOUNT: what a meter shows; by default its minimum seed. Repeatable.
    contribution
        METER=RATE: the share of each stake that feeds a meter, as in `main=0.1`; a progressive then
        has its return in the long run. Repeatable, for every meter.
    others
        Other players, whose hands can bring an Envy Bonus.
    hands
        Hands in the round, the dealer's included (Cover All).
    knows
        WHAT=N: the player has seen N cards of the dealer's or of a reveal (`dealer=1`, `flop=1`)
        before the first decision. The main game's figures are then those of the best play with
        that knowledge. Repeatable.
    shares
        How many other players' hands the player has seen: exact for one, else sampled, with its
        standard error.
    samples
        How many sets of shared hands are drawn if `--shares` is sampled.
    seed
        Seed of the draws of `--shares` and `--sample`: the same seed draws the same cards.
    sample
        If no solver fits a wager, play this many rounds through the round engine, and print the
        mean with its standard error, marked as sampled. A wager that is solved stays exact.
        Payments too rare to come up in the rounds are missing from both.
    strategy
        How the sampled rounds are played: `rollout` (trial rounds for each decision, 16 or as many
        as in `rollout:64`; a lower bound of the best play's value), `first`, `random`, `optimal`
        if the main game is solved, or a written strategy by name or file. By default `optimal`
        if it is known, else `rollout`.
    equal_actions
        Which of equally good actions the best play takes: the `first` that the rulebook offers
        (mostly a bet) or the `last` (mostly a check or a fold). No edge depends on it; decisions,
        units wagered and deviation may.
    all
        Every paytable of every wager.
    lines
        Print the return table of every wager; by default unless `--all` is given.
    """
    book = rulebook_with(rulebook, paytable, reading)
    with Progress(1) as progress:
        analysis = croupier.analyze(
            book,
            wager or (),
            pays=pairs(pays, "--pays"),
            stakes=pairs(stake, "--stake"),
            meters=pairs(meter, "--meter"),
            contributions=pairs(contribution, "--contribution"),
            others=others,
            hands=hands,
            knows=_seen_cards(knows),
            shares=shares,
            samples=samples,
            seed=seed,
            sample=sample,
            strategy=strategy,
            equal_actions=equal_actions,
            every_table=all,
            cluster=cluster,
            progress=progress.show,
        )
    if json:
        print_record(analysis)
        return 0
    if lines or (lines is None and not all):
        for figures in analysis:
            if "outcomes" in figures.details:
                _print_return_tables(book.document, figures)
        console().print()
    _print_analysis(analysis, others)
    if sample is not None:
        _print_sampled(analysis)
    print_pays_note(analysis.pays)
    for warning in analysis.warnings:
        console().print(f"Warning: {warning}", style="bold", soft_wrap=True)
    return 0


def _seen_cards(texts: Iterable[str] | None) -> dict[str, int]:
    seen = {}
    for name, value in pairs(texts, "--knows").items():
        if not (value.isascii() and value.isdigit() and len(value) < 4):
            raise BadRequest(f"--knows {name}={value}: write how many cards, as in dealer=1")
        seen[name] = int(value)
    return seen


@documented
def advise(
    rulebook: Rulebook,
    *,
    cards: str,
    community: str = "",
    known: str = "",
    dealer: str = "",
    said: Repeated = None,
    decision: str = "",
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """Exact value of every action that the rules allow now. Afterwards the best play is assumed.

        croupier advise md-uth --cards "Ah 7d" --community "As Kd 7h"

    Parameters
    ----------
    cards
        Your cards, as in `--cards "Ah 7d"`; in md-235 two, then three.
    community
        The community cards exposed so far.
    known
        md-235: other players' third cards, seen before the 5 Card decision.
    dealer
        The dealer's cards that lie face up, as in caribbean-stud.
    said
        Your earlier answers, in order, if they matter: `--said 1x --said 3x`. By default those
        of the best play. Repeatable.
    decision
        Its name, if two are taken on the same cards; by default the first of them.
    """
    book = rulebook_with(rulebook, paytable, reading)
    own, board = _cards(cards, "--cards"), _cards(community, "--community")
    with Progress(1) as progress:
        values = progress.step(
            "solving",
            lambda: croupier.advise(
                book,
                own,
                board,
                known=_cards(known, "--known"),
                dealer=_cards(dealer, "--dealer"),
                said=said,
                decision=decision,
            ),
        )
    if json:
        print_record(values)
    else:
        _print_values(values)
    return 0


def _cards(text: str, flag: str) -> tuple[Card, ...]:
    try:
        return croupier.parse_cards(text)
    except CroupierError as error:
        raise error.within(flag) from None


def _print_values(advice: ActionValues) -> None:
    from rich.text import Text

    drawn = table(title=f"{advice.decision} decision", title_justify="left", framed=True)
    drawn.add_column("action")
    for heading in ("expected value", "exact", "cost"):
        drawn.add_column(heading, justify="right")
    for action, value in sorted(advice.values.items(), key=lambda item: -item[1]):
        cost = advice.cost(action)
        drawn.add_row(
            Text(action, style="bold green" if action == advice.best else ""),
            f"{float(value):+.6f}",
            str(value),
            f"{float(cost):.6f}" if cost else "",
        )
    console().print(drawn)
    console().print(styled("[dim]In units of one required wager, best play afterwards.[/]"))


# -- what other commands print as well ------------------------------------------------------------


def print_pays_note(pays: Mapping[str, str]) -> None:
    """Print which lines `--pays` changed."""
    if pays:
        changed = ", ".join(f"{name} pays {odds}" for name, odds in pays.items())
        console().print(
            f"Pays changed, not as the rulebook prints them: {changed}.",
            style="bold",
            soft_wrap=True,
        )


def print_limits(limits: Iterable[Mapping[str, Any]]) -> None:
    """Print which payout limits are in force."""
    from croupier.money import dollars, parse_cents

    for limit in limits:
        covered = ", ".join(name.replace("_", " ") for name in limit["covers"])
        console().print(
            f"Winnings are cut at {dollars(parse_cents(limit['limit']))} a round "
            f"[{limit['clause']}] on {covered} together."
        )


# -- the analysis for people ----------------------------------------------------------------------


def _print_analysis(analysis: Analysis, others: int) -> None:
    drawn = table(
        title=f"{analysis.title} ({analysis.rulebook})", title_justify="left", framed=True
    )
    drawn.add_column("wager")
    drawn.add_column("table")
    for heading in ("house edge", "exact expected value", "std deviation", "hit frequency"):
        drawn.add_column(heading, justify="right")
    for figures in analysis:
        details = figures.details
        if figures.error is not None:
            drawn.add_row(figures.wager, figures.table, "not solved", "", "", "")
            continue
        drawn.add_row(
            figures.wager,
            figures.table or ", ".join(figures.paytables.values()),
            _edge(figures),
            details["expected_value_exact"] or "sampled",
            _formatted(details["standard_deviation"], ".4f"),
            _formatted(details["hit_frequency"], ".4%"),
        )
    console().print(drawn)
    main = analysis.by_wager.get("main", {}).get("")
    if main is not None and main.error is None:
        _print_main(main.details)
        _print_seen(main.details)
    for figures in analysis:
        _print_limited(figures)
    for figures in analysis:
        _print_long_run(figures)
    _print_unsolved(analysis)
    for figures in analysis:
        exact = figures.details.get("expected_value_in_company_exact")
        if exact is not None:
            console().print(
                f"{_name(figures)}, settled after all {others} others: house edge "
                f"{-figures.details['expected_value_in_company']:.6%}, exactly {exact}."
            )
    out = console()
    out.print(
        "Per unit of the wager; main: per unit of one required wager, best play.", style="dim"
    )
    out.print(
        "Hit frequency: how often the wager ends with a win, a push not counted; for the main "
        "game, how often the whole round does.",
        style="dim",
        soft_wrap=True,
    )


def _name(figures: WagerFigures) -> str:
    return f"{figures.wager} {figures.table}".strip()


def _edge(figures: WagerFigures) -> str:
    """Return the edge; a sampled edge has only the digits that its standard error allows."""
    details = figures.details
    if not figures.sampled:
        return f"{details['house_edge']:.6%}"
    return f"{details['house_edge']:.3%} ± {details['standard_error']:.3%}"


def _formatted(figure: float | None, form: str) -> str:
    return "" if figure is None else format(figure, form)


def _print_limited(figures: WagerFigures) -> None:
    """Print the figures at the stated stake, if a payout limit cuts what the wager wins."""
    from croupier.money import dollars, parse_cents

    limited = figures.details.get("limited")
    if limited is None:
        return
    limits = " and ".join(
        f"{dollars(parse_cents(each['limit']))} [{each['clause']}]" for each in limited["limits"]
    )
    console().print(
        f"{_name(figures)} at {dollars(parse_cents(limited['stake']))}, its winnings cut at "
        f"{limits}: house edge {limited['house_edge']:.6%}, exactly "
        f"{limited['expected_value_exact']}, std deviation {limited['standard_deviation']:.4f}."
    )


def _print_long_run(figures: WagerFigures) -> None:
    """Print the long-run return, if every meter has its contribution rate."""
    details = figures.details
    if "long_run_return" not in details:
        return
    rates = ", ".join(
        f"{name} {float(Fraction(rate)):.4%}" for name, rate in details["contributions"].items()
    )
    console().print(
        f"{_name(figures)}, fed by {rates} of each stake: returns {details['long_run_return']:.6%} "
        f"in the long run, exactly {details['long_run_return_exact']}."
    )


def _print_sampled(analysis: Analysis) -> None:
    """Print what was sampled, how, and its standard error; or that no wager had to be sampled."""
    sampled = [figures for figures in analysis if figures.sampled]
    for figures in sampled:
        details = figures.details
        console().print(
            f"{_name(figures)}: sampled, not exact. {details['rounds']:,} rounds from seed "
            f"{details['seed']}, standard error {details['standard_error']:.6%}; "
            f"{details['played']}. Not exact because {details['not_exact_because']}.",
            soft_wrap=True,
        )
    if not sampled:
        console().print("No sampling was needed: every figure is exact.")


def _print_unsolved(analysis: Analysis) -> None:
    messages = dict.fromkeys(
        figures.error["message"] for figures in analysis if figures.error is not None
    )
    for message in messages:
        console().print(f"Not solved: {message}.")
    if messages:
        console().print("`--sample 10000` plays rounds instead: a mean with its standard error.")


def _print_seen(main: Mapping[str, Any]) -> None:
    if "knows" in main:
        seen = ", ".join(f"{name} {count}" for name, count in main["knows"].items())
    elif "shares" in main:
        seen = f"hands of {main['shares']} other players"
    else:
        return
    console().print(
        f"With cards seen before the first decision ({seen}): worth {main['worth']:.6%} more than "
        "without."
    )
    if "standard_error" in main:
        console().print(
            f"Sampled, not exact: {main['samples']} sets of hands drawn, standard error "
            f"{main['standard_error']:.6%}. By one card that is seen among them, exactly:"
        )
    for card, figures in _best_and_worst(main.get("by_card", {})):
        shares = figures["first_decision"].items()
        decided = ", ".join(f"{action} {share:.2%}" for action, share in shares)
        console().print(f"  {card}: {figures['expected_value']:+.4%} to the player; {decided}")


def _best_and_worst(by_card: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return all of a few cards; of many, the best and the worst for the player."""
    if len(by_card) <= MOST_SEEN:
        return list(by_card.items())
    ordered = sorted(by_card.items(), key=lambda item: -float(item[1]["expected_value"]))
    return ordered[: MOST_SEEN // 2] + ordered[-MOST_SEEN // 2 :]


def _print_main(main: Mapping[str, Any]) -> None:
    out = console()
    if "units_wagered" in main:
        out.print(
            f"Main game: {main['units_wagered']:.6f} units wagered on average, element of risk "
            f"{main['element_of_risk']:.6%}."
        )
    for decision, shares in main["decisions"].items():
        listed = ", ".join(f"{action} {share:.4%}" for action, share in shares.items())
        out.print(f"  {decision}: {listed}")


# -- return tables --------------------------------------------------------------------------------

_Row = tuple[str, ...]
_HAND: Final = ("hand", "combinations", "probability", "pays", "return")
_WAGER: Final = ("hand", "bet", "combinations", "probability", "pays", "return")
_ACTION: Final = ("action", "combinations", "probability", "worth", "return")


def _print_return_tables(book: Document, figures: WagerFigures) -> None:
    """Print the outcomes of a side wager; or a table for each wager and each decision of the main
    game, unless cards are seen too early."""
    from croupier.reports.phrases import wager_words

    wager, details = figures.wager, figures.details
    if "line_tables" not in details:
        if wager != "main":
            ids = figures.table or ", ".join(figures.paytables.values())
            title = f"{wager_words(book, wager)} {ids}".rstrip()
            _print_rows(title, _HAND, tuple(_side_rows(book, details)))
        return
    main = f"Main game {figures.table}".strip()
    for name, part in details["line_tables"].items():
        title = f"{main}: {wager_words(book, name)} {_own_tables(details, part)}".rstrip()
        units = part["units_wagered"]
        title += f", {units:.6g} units on average" if units != 1 else ""
        _print_rows(title, _WAGER, tuple(_wager_rows(book, part)))
    for name, actions in details["decision_tables"].items():
        title = f"{main}: {name.replace('_', ' ')}"
        _print_rows(title, _ACTION, tuple(_action_rows(book, actions)))


def _own_tables(details: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """Return the ids of the paytables that pay a wager, if there is a choice."""
    families = dict.fromkeys(line["paytable"] for line in part["lines"])
    ids = (details["paytables"].get(family, "only") for family in families)
    return ", ".join(each for each in ids if each != "only")


def _side_rows(book: Document, details: Mapping[str, Any]) -> Iterator[_Row]:
    from croupier.reports.phrases import hand_words, pays_words

    outcomes = details["outcomes"]
    for line in outcomes:
        hand = hand_words(book, line["hand"])
        yield (hand, *_counted(line), pays_words(line), _percent(line["return"]))
    envy = details["expected_value"] - sum(line["return"] for line in outcomes)
    if abs(envy) > 1e-12:
        yield ("Envy bonuses of other players", "", "", "", _percent(envy))
    yield ("Total", *_totals(outcomes), "", _percent(details["expected_value"]))


def _wager_rows(book: Document, part: Mapping[str, Any]) -> Iterator[_Row]:
    from croupier.reports.phrases import line_words, pays_words

    for line in part["lines"]:
        pays, bet = pays_words(line), str(line["units"] or "")
        yield (line_words(book, line), bet, *_counted(line), pays, _percent(line["return"]))
    yield ("Total", "", *_totals(part["lines"]), "", _percent(part["expected_value"]))


def _action_rows(book: Document, actions: Sequence[Mapping[str, Any]]) -> Iterator[_Row]:
    from croupier.reports.phrases import hand_words

    for line in actions:
        worth = "" if line["expected_value"] is None else f"{line['expected_value']:+.6f}"
        action = hand_words(book, line["action"])
        yield (action, *_counted(line), worth, _percent(line["return"]))
    value = sum(line["return"] for line in actions)
    yield ("Total", *_totals(actions), f"{value:+.6f}", _percent(value))


def _counted(line: Mapping[str, Any]) -> tuple[str, str]:
    return f"{line['combinations']:,}", f"{line['probability']:.6%}"


def _totals(rows: Collection[Mapping[str, Any]]) -> tuple[str, str]:
    return f"{sum(line['combinations'] for line in rows):,}", "100.000000%"


def _percent(value: float) -> str:
    return f"{value:+.6%}"


def _print_rows(title: str, headings: _Row, rows: Sequence[_Row]) -> None:
    """Print the first column aligned left, numbers aligned right. Lines are plain, because rich
    takes longer for a hundred rows than everything else."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    out = console()
    out.print(f"\n{title}", style="bold", soft_wrap=True)
    lines = [_line(headings, widths), "─" * (sum(widths) + 2 * len(widths) - 2)]
    lines += [_line(row, widths) for row in rows]
    out.print("\n".join(lines), soft_wrap=True)


def _line(cells: _Row, widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join((first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)))
