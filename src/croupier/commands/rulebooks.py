"""`croupier rulebooks`: the games, the readings of their documents, and how to write one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

import croupier
from croupier.commands.options import AsJson, Flag, Rulebook, documented
from croupier.commands.output import console, print_json, print_record, styled, table, working

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from croupier.library.rulebook_checks import RulebookCheck
    from croupier.rulebooks.readings import AdoptedReading
    from croupier.rulebooks.schema import Decision, Reading
    from croupier.rulebooks.schema import Rulebook as Document

rulebooks = App(name="rulebooks", help="The rulebooks, and how to write one of your own.")


@rulebooks.command(name="list")
@documented
def list_rulebooks(*, json: AsJson = False) -> int:
    """The rulebooks, one a line."""
    listed = croupier.list_rulebooks()
    if json:
        print_record(listed)
        return 0
    drawn = table("id", "game", "jurisdiction", "wagers", pad_edge=False, padding=(0, 1))
    for book in listed.books.values():
        drawn.add_row(book.id, book.title, book.jurisdiction, ", ".join(book.wagers))
    console().print(drawn)
    return 0


@rulebooks.command(name="show")
@documented
def show(rulebook: Rulebook, *, toml: Flag = False, json: AsJson = False) -> int:
    """One rulebook: wagers, decisions, options, and the reason of each reading.

    Parameters
    ----------
    toml
        Print the rulebook's file instead, to start a game of your own from.
    """
    if toml:
        text = croupier.rulebook_toml(rulebook)
        if json:
            print_json({"rulebook": rulebook, "toml": text})
        else:
            sys.stdout.write(text)
        return 0
    shown = croupier.show_rulebook(rulebook)
    if json:
        print_record(shown)
    else:
        _print_book(shown.document, shown.adopted)
    return 0


@rulebooks.command(name="check")
@documented
def check(file: Path, *, rounds: int = 10_000, json: AsJson = False) -> int:
    """Check a rulebook file of your own: everything wrong at once, what is unwise, then rounds
    played by the engine beside the exact figures. Ends with 1 if the file has mistakes, or if the
    engine and the exact figures differ.

    Parameters
    ----------
    file
        The rulebook file.
    rounds
        How many rounds are dealt; 0 for none.
    """
    with working(f"dealing {rounds:,} rounds"):
        checked = croupier.check_rulebook(file, rounds=rounds)
    if json:
        print_record(checked)
    else:
        _print_check(checked)
    return 0 if checked else 1


def _print_check(checked: RulebookCheck) -> None:
    out = console()
    if checked.mistakes:
        count = len(checked.mistakes)
        plural = "" if count == 1 else "s"
        out.print(styled("[bold red]{count} mistake{plural}[/]", count=count, plural=plural))
        for mistake in checked.mistakes:
            out.print(f"  {mistake}", soft_wrap=True)
        return
    out.print(styled("[bold green]{title} can be dealt and settled.[/]", title=checked.title))
    if checked.unwise:
        out.print(styled("\n[bold]Is this meant?[/]"))
    for place, words in checked.unwise:
        out.print(f"  at {place}: {words}", soft_wrap=True)
    for warning in checked.warnings:
        out.print(f"\nWarning: {warning}", soft_wrap=True)
    if checked.problem:
        out.print(f"\nNo rounds were dealt: {checked.problem}")
    if not checked.compared:
        return
    out.print(f"\n{checked.rounds:,} rounds by the engine, beside the exact figures:")
    drawn = table("wager", "mean", "exact", "z")
    for wager in checked.compared:
        exact = "–" if wager.exact is None else f"{wager.exact:+.5f}"
        score = "–" if wager.z is None else f"{wager.z:+.1f}"
        drawn.add_row(wager.wager, f"{wager.mean:+.4f}", exact, score)
    out.print(drawn)
    if checked.is_off:
        words = "The engine and the exact figures differ: please report this file."
        out.print(styled("[bold red]{words}[/]", words=words))


@rulebooks.command(name="new")
@documented
def new(name: str, *, to: Path | None = None) -> int:
    """Begin a game: a file with comments that can be played as it is.

    Parameters
    ----------
    name
        The game's id, as in casino-night.
    to
        The file; by default NAME.toml. A file that exists is never written over.
    """
    path = croupier.new_rulebook(name, to)
    console().print(f"{path} is written. Next: croupier rulebooks check {path}")
    return 0


@rulebooks.command(name="schema")
@documented
def schema() -> int:
    """The form of a rulebook file as JSON Schema, for editors."""
    print_json(croupier.rulebook_schema())
    return 0


# -- a rulebook for people ------------------------------------------------------------------------


def _print_book(book: Document, adopted: tuple[AdoptedReading, ...]) -> None:
    from rich.text import Text

    from croupier.rounds.paytable_lines import least_in_words, or_better
    from croupier.rulebooks.layouts import notice_kinds

    out = console()
    out.print(f"{book.title}: {book.document}", style="bold")
    out.print(book.summary + "\n")
    for drawn in (_wagers(book), _decisions(book), _hands(book)):
        out.print(drawn)
    if book.dealer is not None and "qualifies" in notice_kinds(book):
        least = or_better(least_in_words(book.dealer))
        out.print(Text(f"The dealer qualifies with {least}. "), end="")
        out.print(f"{book.dealer.clause}\n", style="dim")
    if book.bonuses:
        out.print(_bonuses(book))
    out.print(_options(book))
    if book.readings:
        out.print("How it is read", style="bold")
        out.print(
            "Where the document leaves room, the first choice holds; a submission may choose "
            "another.\n"
        )
        for name, reading in book.readings.items():
            _print_reading(name, reading)
    if adopted:
        out.print("Settled without a switch", style="bold")
        for item in adopted:
            _print_adopted(item)


def _wagers(book: Document) -> Table:
    drawn = _titled("Wagers", "wager", "", "needs", "stakes", "paytables", "clause")
    for name, wager in book.wagers.items():
        tables = "; ".join(_tables(book, name))
        needs = f"= {wager.equals}" if wager.equals else ", ".join(wager.needs)
        stakes = ", ".join(f"${stake}" for stake in wager.stakes)
        drawn.add_row(name, wager.role, needs, stakes, tables, wager.clause)
    return drawn


def _tables(book: Document, wager: str) -> Iterator[str]:
    """Yield the tables to choose from, with their family if it has another name."""
    from croupier.rulebooks.play_checks import families_of

    for family in dict.fromkeys(families_of(book.wagers[wager])):
        ids = ", ".join(book.paytables[family])
        called = "" if family == wager else family.replace("_", " ")
        if ids == "only":
            yield called or "one"
        else:
            yield f"{called}: {ids}" if called else ids


def _hands(book: Document) -> Table:
    """Return the hands that are compared, announced or paid, best kinds first."""
    from croupier.reports.phrases import cards_of
    from croupier.rulebooks.rankings import names_of

    drawn = _titled("Hands", "hand", "of", "ranked", "clause")
    for name, hand in book.hands.items():
        ranked = hand.ranking.replace("_", " ")
        if (own := book.rankings.get(hand.ranking)) is not None:
            kinds = [name.replace("_", " ") for name in names_of(book, hand.ranking)[::-1]]
            ranked = ", ".join(kinds) if own.by == "categories" else "longer suits first"
        drawn.add_row(name, cards_of(hand, book), ranked, hand.clause)
    return drawn


def _bonuses(book: Document) -> Table:
    drawn = _titled("Bonuses", "bonus", "on", "for", "clause")
    for name, bonus in book.bonuses.items():
        lines = next(iter(book.paytables[bonus.paytable].values())).lines
        paid = ", ".join(f"{line.hand.replace('_', ' ')} {line.pays}" for line in lines)
        drawn.add_row(name, bonus.on, paid, bonus.clause)
    return drawn


def _decisions(book: Document) -> Table:
    from croupier.rulebooks.schema import TAKE_BACK

    headings = ("own cards", "community", "dealer's", "bets", "otherwise", "clause")
    drawn = _titled("Decisions", "decision", *headings)
    for decision in book.decisions:
        bets = ", ".join(
            [
                f"{said} ({multiple} × {decision.multiple_of}{_only(decision, said)})"
                for said, multiple in decision.bets.items()
            ]
            + [f"{TAKE_BACK} ({decision.takes_back})"] * bool(decision.takes_back)
        )
        drawn.add_row(
            decision.name,
            str(decision.sees_player),
            str(decision.sees_community),
            str(decision.sees_dealer),
            bets,
            decision.otherwise,
            decision.clause,
        )
    return drawn


def _only(decision: Decision, bet: str) -> str:
    from croupier.rounds.paytable_lines import least_in_words, or_better

    least = decision.only_with.get(bet)
    return "" if least is None else f" with {or_better(least_in_words(least))}"


def _options(book: Document) -> Table:
    headings = ("option", "meaning", "must be stated", "clause")
    drawn = _titled("Options of a submission", *headings)
    for name, option in book.options.items():
        drawn.add_row(name, option.words, "yes" if option.must_state else "", option.clause)
    return drawn


def _titled(title: str, *headings: str) -> Table:
    return table(*headings, title=title, title_justify="left", title_style="bold", framed=True)


def _print_reading(name: str, reading: Reading) -> None:
    choices = [
        styled(
            "{mark} [bold]{choice}[/]: {words}",
            mark="○" if place else "●",
            choice=choice,
            words=terms.meaning,
        )
        for place, (choice, terms) in enumerate(reading.choices.items())
    ]
    why = " ".join(f"{reading.reason} {reading.effect}".split())
    reason = f"{why} ({', '.join(reading.ids)})"
    _print_entry(name, reading.clauses, reading.question, *choices, reason=reason)


def _print_adopted(item: AdoptedReading) -> None:
    adopted = styled("{question} [bold]{reading}[/]", question=item.question, reading=item.reading)
    _print_entry(item.id, item.clauses, adopted, reason=item.reason)


def _print_entry(name: str, clauses: Iterable[str], *lines: RenderableType, reason: str) -> None:
    from rich.padding import Padding
    from rich.text import Text

    out = console()
    out.print(Text(f"{name}  ", style="bold cyan") + Text(", ".join(clauses), style="dim"))
    for line in lines:
        out.print(Padding(line, (0, 0, 0, 2)))
    out.print(Padding(Text(reason, style="dim"), (0, 0, 1, 2)))
