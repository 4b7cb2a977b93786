"""The signatures of the commands on rulebooks: what a document offers, asks for and pays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import AsJson, Rulebook, documented

__all__ = ["check", "conformance", "demo", "guide", "paytables", "rulebooks", "settle", "sign"]


rulebooks = App(name="rulebooks", help="The five documents: what they offer and how they are read.")


@documented
def demo(
    game: str | None = None,
    *,
    seed: int | None = None,
    seats: int = 3,
    picture: Path | None = None,
    json: AsJson = False,
) -> int:
    """Deal and settle a round of each game, drawn in the terminal.

    Parameters
    ----------
    game
        One rulebook (md-uth, …) or the path of a rulebook file; all five when left out.
    seed
        Deal the same cards again: any whole number.
    seats
        How many players sit down.
    picture
        Also draw what the terminal shows into this SVG file.
    """
    from croupier.commands import demo as command

    return command.run(game, seed=seed, seats=seats, picture=picture, as_json=json)


@documented
def paytables(rulebook: str | None = None, *, json: AsJson = False) -> int:
    """Every line of every paytable, with its clause.

    Parameters
    ----------
    rulebook
        One rulebook, or the path of a rulebook file; all five when left out.
    """
    from croupier.commands import paytables as command

    return command.run(rulebook, as_json=json)


@documented
def settle(
    file: Path | None = None,
    *,
    rules: Annotated[list[str] | None, Parameter(negative=())] = None,
    json: AsJson = False,
) -> int:
    """Settle completed rounds: one JSON object a line in, one answer a line out.

    A round, here over several lines, is written like this:

        {"rulebook": "md-uth", "dealer": "Qs Qh", "community": "As Kd 7h 2c 2d",
         "seats": [{"seat": 1, "cards": "Ah Ad",
                    "wagers": {"ante": 10, "blind": 10, "trips": 5},
                    "actions": ["check", "2x"]}]}

    Without `--json` each round is told as a story. A round that cannot be settled is answered with
    an error in its place, the others are settled all the same, and the command ends with 2.

    Parameters
    ----------
    file
        The rounds, one a line; standard input when left out.
    rules
        The path of a rulebook file of your own, whose id the rounds may then name. Repeatable.
    """
    from croupier.commands import settle as command

    return command.run(file, rules or [], as_json=json)


@documented
def check(submission: Path, *, json: AsJson = False) -> int:
    """Check an operator's Rules Submission against its document.

    Everything wrong is found at once, each finding with its clause. Ends with 1 when the
    submission breaks a rule. Examples stand in `examples/submissions/`.

    Parameters
    ----------
    submission
        The submission as a TOML file.
    """
    from croupier.commands import check as command

    return command.run(submission, as_json=json)


@documented
def conformance(
    rulebook: str | None = None, *, write: Path | None = None, json: AsJson = False
) -> int:
    """What answers each of the 1,181 clauses: code, tests, and what is still open.

    Parameters
    ----------
    rulebook
        One document; all five when left out.
    write
        Write the report as Markdown pages into this folder.
    """
    from croupier.commands import conformance as command

    return command.run(rulebook, write=write, as_json=json)


@documented
def guide(rulebook: str, *, dealing: str | None = None, json: AsJson = False) -> int:
    """A round as its dealer is told it: every step, the hands' part too, with the clauses.

    Parameters
    ----------
    rulebook
        One of the five, or the path of a rulebook file.
    dealing
        manual_shoe, hand or automated_shoe; the rulebook's first when left out.
    """
    from croupier.commands import guide as command

    return command.run(rulebook, dealing=dealing, as_json=json)


@documented
def sign(
    rulebook: Rulebook,
    submission: Path | None = None,
    *,
    format: Literal["text", "json", "svg", "pdf"] = "text",  # noqa: A002
    part: Literal["sign", "layout"] | None = None,
    paper: Literal["letter", "a4"] = "letter",
    to: Path | None = None,
    json: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """What the table must show: paytables, rules and limit on a sign, betting spots on the felt.

    Every line has its clause. `--format svg` draws the layout, `--format pdf` sets the sign ready
    to print (it needs the extra `reports`). A submission that breaks a rule gets no sign: what is
    wrong is said and the command ends with 1.

    Parameters
    ----------
    submission
        The operator's Rules Submission; the document's first choices when left out.
    format
        To read, as data, drawn, or ready to print.
    part
        Only the sign or only the layout. Left out: both, the layout drawn, the sign printed.
    paper
        The sheet of a PDF.
    to
        Write into this file.
    json
        The same as `--format json`.
    """
    from croupier.commands import sign as command

    form = "json" if json else format
    return command.run(rulebook, submission, form=form, part=part, paper=paper, to=to)


@rulebooks.command(name="list")
def rulebooks_list(*, json: AsJson = False) -> int:
    """The rulebooks, one a line."""
    from croupier.commands import rulebooks as command

    return command.run_list(as_json=json)


@rulebooks.command(name="show")
def rulebooks_show(
    rulebook: Rulebook,
    *,
    toml: Annotated[bool, Parameter(negative=())] = False,
    json: AsJson = False,
) -> int:
    """One rulebook: wagers, decisions, options, and the reason of each reading.

    Parameters
    ----------
    toml
        Print the rulebook's file instead, to start a game of your own from.
    """
    from croupier.commands import rulebooks as command

    if toml:
        return command.run_show_toml(rulebook, as_json=json)
    return command.run_show(rulebook, as_json=json)


@rulebooks.command(name="check")
def rulebooks_check(file: Path, *, rounds: int = 10_000, json: AsJson = False) -> int:
    """A rulebook file of your own: everything wrong at once, what is unwise, then rounds dealt.

    The rounds are played by the engine and held against the exact figures. Ends with 1 when the
    file has mistakes.

    Parameters
    ----------
    file
        The rulebook file.
    rounds
        How many rounds are dealt; 0 for none.
    """
    from croupier.commands import rulebook_check as command

    return command.run_check(file, rounds=rounds, as_json=json)


@rulebooks.command(name="new")
def rulebooks_new(name: str, *, to: Path | None = None) -> int:
    """Begin a game: a file with comments that can be played as it is.

    Parameters
    ----------
    name
        The game's id, as in casino-night.
    to
        The file; NAME.toml when left out. A file that is there is never written over.
    """
    from croupier.commands import rulebook_check as command

    return command.run_new(name, to)


@rulebooks.command(name="schema")
def rulebooks_schema() -> int:
    """The form of a rulebook file as JSON Schema, for editors."""
    from croupier.commands import rulebook_check as command

    return command.run_schema()
