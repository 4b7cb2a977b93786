"""`croupier advise`: the exact value of every action the rules allow now."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from rich.table import Table
from rich.text import Text

from croupier.cards import Card, parse_cards
from croupier.commands.analyze import pairs
from croupier.commands.output import console, print_json, styled
from croupier.commands.progress import Progress
from croupier.errors import CroupierError
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["run"]


def run(
    rulebook: str,
    *,
    cards: str,
    community: str,
    known: str,
    dealer: str = "",
    said: list[str] | None = None,
    decision: str = "",
    paytables: list[str],
    readings: list[str],
    as_json: bool,
) -> int:
    rules = put_in_force(
        open_rulebook(rulebook),
        Submission(paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")),
    )
    own, board = _cards(cards, "--cards"), _cards(community, "--community")
    seen, shown = _cards(known, "--known"), _cards(dealer, "--dealer")
    situation = Situation(own, board, seen, decision, said, shown)
    with Progress(1) as progress:
        work = partial(advise, rules, situation)
        name, values, best = progress.step("solving", work)
    if as_json:
        print_json(
            {
                "decision": name,
                "actions": {
                    action: {
                        "expected_value": float(value),
                        "expected_value_exact": str(value),
                    }
                    for action, value in values.items()
                },
                "best": best,
            }
        )
    else:
        _draw(name, values, best)
    return 0


def _cards(text: str, flag: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except CroupierError as error:
        raise error.within(flag) from None


def _draw(decision: str, values: dict[str, Fraction], best: str) -> None:
    drawn = Table(title=f"{decision} decision", title_justify="left")
    drawn.add_column("action")
    drawn.add_column("expected value", justify="right")
    drawn.add_column("exact", justify="right")
    drawn.add_column("cost", justify="right")
    for action, value in sorted(values.items(), key=lambda item: -item[1]):
        cost = values[best] - value
        drawn.add_row(
            Text(action, style="bold green" if action == best else ""),
            f"{float(value):+.6f}",
            str(value),
            f"{float(cost):.6f}" if cost else "",
        )
    console().print(drawn)
    console().print(styled("[dim]In units of one required wager, best play afterwards.[/]"))
