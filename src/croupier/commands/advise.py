"""`croupier advise`: the exact value of every action the rules allow now."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from rich.table import Table

from croupier.cards import Card, parse_cards
from croupier.commands.analyze import pairs
from croupier.commands.output import console, print_json
from croupier.commands.progress import Progress
from croupier.errors import BadCards, CroupierError
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["run"]


def run(
    rulebook: str,
    *,
    cards: str,
    community: str,
    known: str,
    paytables: list[str],
    readings: list[str],
    as_json: bool,
) -> int:
    rules = put_in_force(
        open_rulebook(rulebook),
        Submission(paytables=pairs(paytables, "--paytable"), readings=pairs(readings, "--reading")),
    )
    own, board = _cards(cards, "--cards"), _cards(community, "--community")
    seen = _cards(known, "--known")
    _all_different(own, board, seen)
    decision, values, best = (
        _stud(rules, own, board, seen)
        if rules.book.dealer is None
        else _holdem(rules, own, board, seen)
    )
    if as_json:
        print_json(
            {
                "decision": decision,
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
        _draw(decision, values, best)
    return 0


def _cards(text: str, flag: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except CroupierError as error:
        raise error.within(flag) from None


def _all_different(*groups: tuple[Card, ...]) -> None:
    cards = [card for group in groups for card in group]
    for card in cards:
        if cards.count(card) > 1:
            raise BadCards(f"{card} is given twice: a deck holds it once")


def _holdem(
    rules: Rules, own: tuple[Card, ...], board: tuple[Card, ...], known: tuple[Card, ...]
) -> tuple[str, dict[str, Fraction], str]:
    from croupier.mathematics.holdem.advice import advise
    from croupier.mathematics.holdem.rulebook import game_of
    from croupier.mathematics.holdem.stored import solution_of

    if known:
        raise BadCards("--known is for games that show other players' cards")
    decision = next((d for d in rules.book.decisions if d.sees_community == len(board)), None)
    if len(own) != rules.book.cards.player or decision is None:
        counts = ", ".join(str(d.sees_community) for d in rules.book.decisions)
        raise BadCards(
            f"{len(own)} own and {len(board)} community cards: a decision is taken on "
            f"{rules.book.cards.player} own cards and {counts} community cards",
            clause=rules.book.decisions[0].clause,
        )
    game = game_of(rules)
    solution = None
    if len(board) < 3:
        with Progress(1) as progress:
            solution = progress.step("solving", partial(solution_of, rules, game))
    advice = advise(game, own, board, solution)
    words = {f"{k}x": said for said, k in decision.bets.items()}
    values = {words.get(action, action): value for action, value in advice.actions.items()}
    return decision.name, values, words.get(advice.best, advice.best)


def _stud(
    rules: Rules, own: tuple[Card, ...], board: tuple[Card, ...], known: tuple[Card, ...]
) -> tuple[str, dict[str, Fraction], str]:
    from croupier.mathematics.stud.advice import advise_stud

    if board:
        raise BadCards(
            "the last decision is taken before the community cards are seen",
            clause=rules.book.decisions[-1].clause,
        )
    advice = advise_stud(rules, own, known)
    return advice.decision, advice.values, advice.best


def _draw(decision: str, values: dict[str, Fraction], best: str) -> None:
    drawn = Table(title=f"{decision} decision", title_justify="left")
    drawn.add_column("action")
    drawn.add_column("expected value", justify="right")
    drawn.add_column("exact", justify="right")
    drawn.add_column("cost", justify="right")
    for action, value in sorted(values.items(), key=lambda item: -item[1]):
        mark = "[bold green]" if action == best else ""
        cost = values[best] - value
        drawn.add_row(
            f"{mark}{action}",
            f"{float(value):+.6f}",
            str(value),
            f"{float(cost):.6f}" if cost else "",
        )
    console().print(drawn)
    console().print("[dim]In units of one required wager, best play afterwards.[/]")
