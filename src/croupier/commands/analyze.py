"""`croupier analyze`: the exact mathematics of a rulebook's wagers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from rich.table import Table
from rich.text import Text

from croupier.commands.contributions import contributions, draw_long_run
from croupier.commands.limit_lines import draw_limited, limits_for
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.commands.return_tables import HIT_FREQUENCY, draw_return_tables
from croupier.commands.rules_asked import choices, pairs, pays_note
from croupier.errors import BadRequest, CroupierError, Unsolvable, suggest
from croupier.mathematics.questions.analysis import (
    Asked,
    analyze,
    is_by_hands,
    tables_of,
    wagers_of,
)
from croupier.mathematics.questions.callouts import warnings_of
from croupier.mathematics.questions.information.seen_cards import check_known
from croupier.money import parse_cents
from croupier.rulebooks.changed_pays import ChangedLine, read_changes, with_changes
from croupier.rulebooks.loader import RulebookFile, open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission
from croupier.workers import Here, Workers, using, workers

if TYPE_CHECKING:
    from croupier.simulation.sampling import Sampling

__all__ = ["pairs", "run"]

MOST_SAMPLES: Final = 100_000
MOST_SEED: Final = 2**32 - 1
MOST_DRAWN: Final = 14


def run(
    rulebook: str,
    *,
    paytables: list[str],
    readings: list[str],
    pays: list[str],
    wagers: list[str],
    stakes: list[str],
    meters: list[str],
    contribution: list[str],
    others: int,
    hands: int,
    knows: list[str],
    shares: int,
    samples: int,
    seed: int,
    sample: int | None = None,
    strategy: str = "",
    takes_first: bool,
    every: bool,
    lines: bool | None = None,
    cluster: str | None = None,
    as_json: bool,
) -> int:
    file = open_rulebook(rulebook)
    chosen = choices(paytables, readings)
    rules = put_in_force(file, chosen, takes_first=takes_first)
    changes = read_changes(rules, pays)
    rules = with_changes(rules, changes)
    asked = Asked(
        stakes=_amounts(stakes, "--stake"),
        meters=_amounts(meters, "--meter"),
        others=_count(others, "--others", 0, rules.book.positions.most - 1),
        hands=_count(hands, "--hands", 2, rules.book.positions.most + 1),
        knows=_known_cards(knows, rules.book),
        shares=_count(shares, "--shares", 0, rules.book.positions.most - 1),
        samples=_count(samples, "--samples", 2, MOST_SAMPLES),
        seed=_count(seed, "--seed", 0, MOST_SEED),
        rates=contributions(pairs(contribution, "--contribution"), rules),
        limits=limits_for(rules, stakes),
    )
    sampling = _sampling(sample, asked.seed, strategy)
    _known(asked.stakes, [*wagers_of(rules.book), *rules.book.wagers], "wager")
    _known(asked.meters or {}, rules.resets, "meter")
    names = wagers or list(wagers_of(rules.book))
    _known(names, wagers_of(rules.book), "wager")
    questions = (
        _every_table(file, chosen, changes, rules, names, asked)
        if every
        else _in_force(rules, names, asked)
    )
    questions = [question._replace(sampling=sampling) for question in questions]
    with using(cluster):
        found = _answers(questions)
    _all_refused(found)
    warnings = warnings_of(rules, found)
    if as_json:
        wagers_object = found if every else {name: tables[""] for name, tables in found.items()}
        about: dict[str, object] = {"pays": dict(rules.pays)} if rules.pays else {}
        about |= {"warnings": warnings}
        print_json({"rulebook": rules.book.id, "wagers": wagers_object} | about)
        return 0
    if lines or (lines is None and not every):
        _draw_lines(rules, found)
    _draw(rules, found, asked.others)
    if sampling is not None:
        _draw_sampled(found)
    _draw_warnings(rules, warnings)
    return 0


def _draw_lines(rules: Rules, found: _Found) -> None:
    for name, tables in found.items():
        for table, figures in tables.items():
            if "outcomes" in figures:
                draw_return_tables(rules.book, name, table, figures)
    console().print()


def _draw_warnings(rules: Rules, warnings: list[str]) -> None:
    if note := pays_note(rules):
        console().print(Text(note, "bold"), soft_wrap=True)
    for warning in warnings:
        console().print(Text(f"Warning: {warning}", "bold"), soft_wrap=True)


def _amounts(texts: list[str], flag: str) -> dict[str, int]:
    amounts = {}
    for name, value in pairs(texts, flag).items():
        try:
            amounts[name] = parse_cents(value)
        except CroupierError as error:
            raise error.within(f"{flag} {name}") from None
    return amounts


def _sampling(rounds: int | None, seed: int, strategy: str) -> Sampling | None:
    """What `--sample` asks for. The round engine is loaded only then."""
    if rounds is None:
        if strategy:
            raise BadRequest("--strategy goes with --sample: exact figures are of the best play")
        return None
    from croupier.simulation.sampling import Sampling

    return Sampling(rounds, seed, strategy)


def _known_cards(texts: list[str], book: Rulebook) -> dict[str, int]:
    known = {}
    for name, value in pairs(texts, "--knows").items():
        if not (value.isascii() and value.isdigit() and len(value) < 4):
            raise BadRequest(f"--knows {name}={value}: write how many cards, as in dealer=1")
        known[name] = int(value)
    check_known(book, known)
    return known


def _count(value: int, flag: str, least: int, most: int) -> int:
    if not least <= value <= most:
        raise BadRequest(f"{flag} is {value}, but must be {least} to {most}")
    return value


def _known(names: Iterable[str], known: Iterable[str], kind: str) -> None:
    allowed = list(known)
    for name in names:
        if name not in allowed:
            raise suggest(kind, name, allowed)


_Found: TypeAlias = dict[str, dict[str, dict[str, Any]]]
"""The answers by wager and by table."""


class _Question(NamedTuple):
    wager: str
    table: str
    rules: Rules
    asked: Asked
    sampling: Sampling | None = None


def _answers(questions: list[_Question]) -> _Found:
    """By wager and table, with progress shown; what no solver models has the error in its place.

    The main game comes last, since it keeps the most in memory for a further one."""
    found: _Found = {question.wager: {} for question in questions}
    ordered = sorted(questions, key=lambda question: question.wager == "main")
    with Progress(len(questions)) as progress:
        answers = _workers_for(ordered).map(_answer, ordered)
        for wager, table, *_ in ordered:
            found[wager][table] = progress.step(f"{wager} {table}", partial(next, answers))
    return found


def _workers_for(questions: list[_Question]) -> Workers:
    """A single question is cut finer by its solver, if at all."""
    return workers() if len(questions) > 1 else Here()


def _answer(question: _Question) -> dict[str, Any]:
    try:
        if question.sampling is None:
            return analyze(question.rules, question.wager, question.asked)
        from croupier.simulation.sampling import analyze_or_sample

        return analyze_or_sample(question.rules, question.wager, question.asked, question.sampling)
    except Unsolvable as error:
        return {"error": {"code": error.code, "message": error.message, "clause": error.clause}}
    finally:
        if question.wager == "main":
            question.rules.prepared.clear()  # its solution takes 40 MB, and nobody needs it again


def _all_refused(found: _Found) -> None:
    """Where one wager is asked for and not solved, that is the whole answer."""
    if len(found) == 1:
        (tables,) = found.values()
        errors = [figures["error"] for figures in tables.values() if "error" in figures]
        if len(errors) == len(tables):
            raise Unsolvable(errors[0]["message"])


def _in_force(rules: Rules, names: list[str], asked: Asked) -> list[_Question]:
    return [_Question(name, "", rules, asked) for name in names]


def _every_table(
    file: RulebookFile,
    chosen: Submission,
    changes: Sequence[ChangedLine],
    rules: Rules,
    names: list[str],
    asked: Asked,
) -> list[_Question]:
    """Every paytable of every wager: the id in force is changed one wager at a time."""
    questions = []
    for name in names:
        family, tables = tables_of(rules, name)
        for table in tables:
            with_table, with_hands = rules, asked
            if is_by_hands(rules.book, name):
                with_hands = replace(asked, hands=int(table))
            elif family is not None:
                with_table = _with(file, chosen, family, table, rules.takes_first)
                with_table = with_changes(with_table, changes)
            questions.append(_Question(name, table, with_table, with_hands))
    return questions


def _with(
    file: RulebookFile, chosen: Submission, family: str, table: str, takes_first: bool
) -> Rules:
    tables = {**chosen.paytables, family: table}
    submission = Submission(paytables=tables, readings=chosen.readings)
    return put_in_force(file, submission, takes_first=takes_first)


def _draw(rules: Rules, found: _Found, others: int) -> None:
    drawn = Table(title=f"{rules.book.title} ({rules.book.id})", title_justify="left")
    drawn.add_column("wager")
    drawn.add_column("table")
    for heading in ("house edge", "exact expected value", "std deviation", "hit frequency"):
        drawn.add_column(heading, justify="right")
    for name, tables in found.items():
        for table, figures in tables.items():
            if "error" in figures:
                drawn.add_row(name, table, "not solved", "", "", "")
                continue
            drawn.add_row(
                name,
                table or ", ".join(figures["paytables"].values()),
                _edge(figures),
                figures["expected_value_exact"] or "sampled",
                _told(figures["standard_deviation"], ".4f"),
                _told(figures["hit_frequency"], ".4%"),
            )
    console().print(drawn)
    main = found.get("main", {}).get("")
    if main is not None and "error" not in main:
        _draw_main(main)
        _draw_known(main)
    draw_limited(found)
    draw_long_run(found)
    _draw_refused(found)
    _draw_company(found, others)
    console().print(
        Text("Per unit of the wager; main: per unit of one required wager, best play.", "dim")
    )
    console().print(Text(HIT_FREQUENCY, "dim"), soft_wrap=True)


def _edge(figures: dict[str, Any]) -> str:
    """A sampled one with the digits that its standard error leaves it."""
    if not figures.get("sampled"):
        return f"{figures['house_edge']:.6%}"
    return f"{figures['house_edge']:.3%} ± {figures['standard_error']:.3%}"


def _told(figure: float | None, form: str) -> str:
    return "" if figure is None else format(figure, form)


def _draw_sampled(found: _Found) -> None:
    """What was sampled, how and how far it may be off; or that nothing had to be."""
    sampled = [
        (f"{name} {table}".strip(), figures)
        for name, tables in found.items()
        for table, figures in tables.items()
        if figures.get("sampled")
    ]
    for title, figures in sampled:
        console().print(
            Text(
                f"{title}: sampled, not exact. {figures['rounds']:,} rounds from seed "
                f"{figures['seed']}, standard error {figures['standard_error']:.6%}; "
                f"{figures['played']}. Not exact because {figures['not_exact_because']}."
            ),
            soft_wrap=True,
        )
    if not sampled:
        console().print("No sampling was needed: every figure is exact.")


def _draw_refused(found: _Found) -> None:
    told = {
        figures["error"]["message"]: None
        for tables in found.values()
        for figures in tables.values()
        if "error" in figures
    }
    for message in told:
        console().print(Text(f"Not solved: {message}."))
    if told:
        console().print("`--sample 10000` plays rounds instead: a mean with its standard error.")


def _draw_company(found: _Found, others: int) -> None:
    for name, tables in found.items():
        for table, figures in tables.items():
            exact = figures.get("expected_value_in_company_exact")
            if exact is not None:
                console().print(
                    f"{' '.join((name, table)).strip()}, settled after all {others} others: house "
                    f"edge {-figures['expected_value_in_company']:.6%}, exactly {exact}."
                )


def _draw_known(main: dict[str, Any]) -> None:
    if "knows" in main:
        told = ", ".join(f"{name} {count}" for name, count in main["knows"].items())
    elif "shares" in main:
        told = f"hands of {main['shares']} other players"
    else:
        return
    console().print(
        f"With cards seen before the first decision ({told}): worth {main['worth']:.6%} more than "
        "without."
    )
    if "standard_error" in main:
        console().print(
            f"Sampled, not exact: {main['samples']} sets of hands drawn, standard error "
            f"{main['standard_error']:.6%}. By one card that is seen among them, exactly:"
        )
    for card, found in _telling(main.get("by_card", {})):
        said = ", ".join(f"{word} {share:.2%}" for word, share in found["first_decision"].items())
        console().print(f"  {card}: {found['expected_value']:+.4%} to the player; {said}")


def _telling(by_card: dict[str, Any]) -> list[tuple[str, Any]]:
    """All of a few; of many the best for the player and the worst."""
    if len(by_card) <= MOST_DRAWN:
        return list(by_card.items())
    ordered = sorted(by_card.items(), key=lambda one: -float(one[1]["expected_value"]))
    half = MOST_DRAWN // 2
    return ordered[:half] + ordered[-half:]


def _draw_main(main: dict[str, Any]) -> None:
    out = console()
    if "units_wagered" in main:
        _draw_units(main)
    for decision, words in main["decisions"].items():
        said = ", ".join(f"{word} {share:.4%}" for word, share in words.items())
        out.print(f"  {decision}: {said}")


def _draw_units(main: dict[str, Any]) -> None:
    console().print(
        f"Main game: {main['units_wagered']:.6f} units wagered on average, element of risk "
        f"{main['element_of_risk']:.6%}."
    )
