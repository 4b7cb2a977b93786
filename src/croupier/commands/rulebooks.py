"""`croupier rulebooks`: the documents and how they are read."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.reports.phrases import cards_of
from croupier.rounds.paytable_lines import least_in_words, or_better
from croupier.rulebooks.bundled import BUNDLED, DOCUMENTS
from croupier.rulebooks.layouts import notice_kinds
from croupier.rulebooks.loader import load_rulebook, open_rulebook, rulebook_text
from croupier.rulebooks.play_checks import families_of
from croupier.rulebooks.rankings import names_of
from croupier.rulebooks.readings import AdoptedReading, adopted_readings
from croupier.rulebooks.schema import TAKE_BACK, Decision, Reading, Rulebook

__all__ = ["run_list", "run_show", "run_show_toml"]


def run_list(*, as_json: bool) -> int:
    books = [load_rulebook(name).default for name in BUNDLED]
    if as_json:
        print_json({book.id: _brief(book) for book in books})
        return 0
    drawn = Table("id", "game", "jurisdiction", "wagers", box=None, pad_edge=False)
    for book in books:
        drawn.add_row(book.id, book.title, book.jurisdiction, ", ".join(book.wagers))
    console().print(drawn)
    return 0


def _brief(book: Rulebook) -> dict[str, object]:
    return {
        "title": book.title,
        "jurisdiction": book.jurisdiction,
        "document": book.document,
        "wagers": list(book.wagers),
        "readings": {name: list(reading.choices) for name, reading in book.readings.items()},
    }


def run_show(rulebook: str, *, as_json: bool) -> int:
    book = open_rulebook(rulebook).default
    if as_json:
        told = {"adopted": msgspec.to_builtins(_adopted(book))}
        print_json({book.id: msgspec.to_builtins(book) | told})
        return 0
    out = console()
    out.print(Text(f"{book.title}: {book.document}", style="bold"))
    out.print(book.summary + "\n")
    out.print(_wagers(book))
    out.print(_decisions(book))
    out.print(_hands(book))
    if book.dealer is not None and "qualifies" in notice_kinds(book):
        least = or_better(least_in_words(book.dealer))
        out.print(Text(f"The dealer qualifies with {least}. "), end="")
        out.print(Text(f"{book.dealer.clause}\n", style="dim"))
    if book.bonuses:
        out.print(_bonuses(book))
    out.print(_options(book))
    if book.readings:
        out.print(Text("How it is read", style="bold"))
        out.print(
            "Where the document leaves room, the first choice holds; a submission may choose "
            "another.\n"
        )
        for name, reading in book.readings.items():
            _show_reading(name, reading)
    if adopted := _adopted(book):
        out.print(Text("Settled without a switch", style="bold"))
        for item in adopted:
            _show_adopted(item)
    return 0


def run_show_toml(rulebook: str, *, as_json: bool) -> int:
    """The file as it is: saved, it is a rulebook like any other."""
    text = rulebook_text(rulebook)
    if as_json:
        print_json({"rulebook": rulebook, "toml": text})
    else:
        sys.stdout.write(text)
    return 0


def _adopted(book: Rulebook) -> tuple[AdoptedReading, ...]:
    return adopted_readings(book.id) if book.id in DOCUMENTS else ()


def _wagers(book: Rulebook) -> Table:
    drawn = Table(title="Wagers", title_justify="left", title_style="bold")
    for heading in ("wager", "", "needs", "stakes", "paytables", "clause"):
        drawn.add_column(heading)
    for name, wager in book.wagers.items():
        tables = "; ".join(_tables(book, name))
        needs = f"= {wager.equals}" if wager.equals else ", ".join(wager.needs)
        stakes = ", ".join(f"${stake}" for stake in wager.stakes)
        drawn.add_row(name, wager.role, needs, stakes, tables, wager.clause)
    return drawn


def _tables(book: Rulebook, wager: str) -> Iterator[str]:
    """What pays the wager: the tables to choose from; their family where it has another name."""
    for family in dict.fromkeys(families_of(book.wagers[wager])):
        ids = ", ".join(book.paytables[family])
        called = "" if family == wager else family.replace("_", " ")
        if ids == "only":
            yield called or "one"
        else:
            yield f"{called}: {ids}" if called else ids


def _hands(book: Rulebook) -> Table:
    """The hands that are compared, announced or paid, best kinds first."""
    drawn = Table(title="Hands", title_justify="left", title_style="bold")
    for heading in ("hand", "of", "ranked", "clause"):
        drawn.add_column(heading)
    for name, hand in book.hands.items():
        ranked = hand.ranking.replace("_", " ")
        if (own := book.rankings.get(hand.ranking)) is not None:
            kinds = [kind.replace("_", " ") for kind in names_of(book, hand.ranking)[::-1]]
            ranked = ", ".join(kinds) if own.by == "categories" else "longer suits first"
        drawn.add_row(name, cards_of(hand, book), ranked, hand.clause)
    return drawn


def _bonuses(book: Rulebook) -> Table:
    drawn = Table(title="Paid besides", title_justify="left", title_style="bold")
    for heading in ("bonus", "on", "for", "clause"):
        drawn.add_column(heading)
    for name, bonus in book.bonuses.items():
        lines = next(iter(book.paytables[bonus.paytable].values())).lines
        paid = ", ".join(f"{line.hand.replace('_', ' ')} {line.pays}" for line in lines)
        drawn.add_row(name, bonus.on, paid, bonus.clause)
    return drawn


def _decisions(book: Rulebook) -> Table:
    drawn = Table(title="Decisions", title_justify="left", title_style="bold")
    for heading in (
        "decision",
        "own cards",
        "community",
        "dealer's",
        "bets",
        "otherwise",
        "clause",
    ):
        drawn.add_column(heading)
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
    least = decision.only_with.get(bet)
    return "" if least is None else f" with {or_better(least_in_words(least))}"


def _options(book: Rulebook) -> Table:
    drawn = Table(title="Options of a submission", title_justify="left", title_style="bold")
    for heading in ("option", "what it says", "must be stated", "clause"):
        drawn.add_column(heading)
    for name, option in book.options.items():
        drawn.add_row(name, option.words, "yes" if option.must_state else "", option.clause)
    return drawn


def _show_reading(name: str, reading: Reading) -> None:
    out = console()
    out.print(Text(f"{name}  ", style="bold cyan") + Text(", ".join(reading.clauses), style="dim"))
    out.print(Padding(reading.question, (0, 0, 0, 2)))
    for place, (choice, terms) in enumerate(reading.choices.items()):
        mark = "●" if place == 0 else "○"
        told = styled("{m} [bold]{choice}[/]: {words}", m=mark, choice=choice, words=terms.meaning)
        out.print(Padding(told, (0, 0, 0, 2)))
    why = " ".join(f"{reading.reason} {reading.effect}".split())
    out.print(Padding(Text(f"{why} ({', '.join(reading.ids)})", style="dim"), (0, 0, 1, 2)))


def _show_adopted(item: AdoptedReading) -> None:
    out = console()
    out.print(Text(f"{item.id}  ", style="bold cyan") + Text(", ".join(item.clauses), style="dim"))
    told = styled("{question} [bold]{taken}[/]", question=item.question, taken=item.reading)
    out.print(Padding(told, (0, 0, 0, 2)))
    out.print(Padding(Text(item.reason, style="dim"), (0, 0, 1, 2)))
