"""Write docs/solvable.md: which question is answered for which game, and what refusals say.

Run `python docs/make_solvable.py` from the project's folder after a change of solvers; a test
compares the page with what the program answers.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from croupier.commands.app import run
from croupier.mathematics.questions.registry import SOLVERS, solver_for
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

PAGE = Path(__file__).with_name("solvable.md")


class Refusal(NamedTuple):
    """A command that is refused; `changes` turn the bundled game into the one that it is about."""

    about: str
    game: str
    changes: tuple[tuple[str, str], ...]
    command: str


TWO_DECKS = (("[cards]\n", '[deck]\ncopies = 2\nclause = "Deck"\n\n[cards]\n'),)
FOUR_OWN_CARDS = (
    ("player = 2\n", "player = 4\n"),
    ('final = { cards = ["community", ', 'final = { cards = ["community:3", '),
    (
        '    { to = ["players", "dealer"], times = 2, clause = "Deal" },',
        '    { to = ["players", "dealer"], times = 2, clause = "Deal" },\n'
        '    { to = ["players"], times = 2, clause = "Deal" },',
    ),
    ('flopped = { cards = ["community:3", ', 'flopped = { cards = ["community:2", '),
)
SHORT_BOARD = (
    ("community = 5\n", "community = 4\n"),
    ('name = "turn and river"\ncommunity = 2', 'name = "turn and river"\ncommunity = 1'),
    ('to = ["community"], cards = 2', 'to = ["community"], cards = 1'),
)
REFUSALS = (
    Refusal(
        "Casino Hold'em with two decks", "casino-holdem", TWO_DECKS, "analyze {game} --wager main"
    ),
    Refusal(
        "Casino Hold'em with four own cards",
        "casino-holdem",
        FOUR_OWN_CARDS,
        "analyze {game} --wager main",
    ),
    Refusal(
        "a written strategy on a board of four cards",
        "casino-holdem",
        SHORT_BOARD,
        "strategy price {game} casino-holdem-simple",
    ),
    Refusal(
        "other players' cards on a board of four cards",
        "casino-holdem",
        SHORT_BOARD,
        "analyze {game} --wager main --shares 1",
    ),
    Refusal(
        "two kinds of seen cards at once",
        "md-uth",
        (),
        "analyze {game} --wager main --knows dealer=1 --shares 1",
    ),
    Refusal(
        "a box card in a session",
        "md-uth",
        (),
        "session {game} --stake ante=10 --stake trips=5 --stake six_card_bonus=5 --rounds 10",
    ),
    Refusal(
        "a chart of a decision on five board cards",
        "md-uth",
        (),
        "strategy chart {game} --decision river",
    ),
    Refusal(
        "a dealer's card where there is no dealer's hand",
        "md-235",
        (),
        "analyze {game} --wager main --knows dealer=1",
    ),
)


def head() -> Iterator[str]:
    yield "# What can be solved"
    yield "<!-- written by docs/make_solvable.py -->"
    yield ""
    yield (
        "A question about a game is answered exactly or refused; it is never answered with the "
        "figure of another game. Each solver declares the *shape* of the games it solves, field by "
        "field of the rulebook. `analyze`, `advise`, `session`, `design`, the library and the web "
        "all ask the same registry, which picks the solver that fits. "
        "[Exact figures](mathematics.md) explains how the solvers count."
    )
    yield ""
    yield "## Solvers and games"
    yield ""
    yield "| solver | games it solves | bundled games |"
    yield "| --- | --- | --- |"
    games = {
        game: type(solver_for(put_in_force(load_rulebook(game), Submission()))) for game in BUNDLED
    }
    for solver in SOLVERS:
        mine = ", ".join(f"`{game}`" for game, its in games.items() if its is solver)
        mine = mine or "none; rulebooks of your own"
        yield f"| {solver.shape.name} | {solver.shape.solves} | {mine} |"


def questions() -> Iterator[str]:
    """The table of questions and solvers."""
    answers = [solver.questions() for solver in SOLVERS]
    yield f"| question | {' | '.join(solver.shape.name for solver in SOLVERS)} |"
    yield f"| --- |{' :---: |' * len(SOLVERS)}"
    for question in answers[0]:
        marks = ["yes" if each[question] else "refused" for each in answers]
        yield f"| {question} | {' | '.join(marks)} |"


def refusals() -> Iterator[str]:
    yield "| subject | command | refused with |"
    yield "| --- | --- | --- |"
    for each in REFUSALS:
        command = each.command.format(game=f"{each.game}.toml" if each.changes else each.game)
        yield f"| {each.about} | `croupier {command}` | {message_of(each)} |"


def message_of(refusal: Refusal) -> str:
    """What the command prints."""
    with TemporaryDirectory() as folder:
        game = refusal.game
        if refusal.changes:
            text = printed("rulebooks", "show", game, "--toml")
            for old, new in refusal.changes:
                assert old in text, (refusal.about, old)
                text = text.replace(old, new)
            file = Path(folder) / f"{game}.toml"
            file.write_text(text, "utf-8")
            game = str(file)
        error = io.StringIO()
        with redirect_stderr(error), redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            code = run(shlex.split(refusal.command.format(game=game)))
        assert code == 2, (refusal, error.getvalue())
        return (
            error.getvalue()
            .strip()
            .removeprefix("croupier: ")
            .replace(f"{folder}/", "")
            .replace("|", "\\|")
        )


def printed(*words: str) -> str:
    out = io.BytesIO()
    stream = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    with redirect_stdout(stream):
        assert run(list(words)) == 0
    return out.getvalue().decode()


def page() -> str:
    lines = [*head(), "", "## Questions and answers", "", *questions(), ""]
    lines += [
        "Within a shape single questions may still be refused: a strategy for four own cards with "
        "more to come, a side wager on cards nobody else sees in a session, more deals than can be "
        "counted. `analyze --sample N` answers where no solver does, with a standard error "
        "([sampled figures](mathematics.md#sampled-figures)).",
        "",
        "## Refusals",
        "",
        "A refusal names in one sentence the field, its value and what the nearest solver takes. "
        "The games here are bundled ones with a few lines of the file changed.",
        "",
        *refusals(),
        "",
        "Side wagers are counted one by one, and a refusal names the line of the paytable that no "
        "counter takes. [The other wagers](mathematics.md#the-other-wagers) lists the counters.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
