"""The `croupier` program: what people type, and how it ends.

Only the words of the command line stand here; what a command does is imported when it runs, so that
`croupier --help` answers at once. Exit codes: 0 done, 1 the answer is no, 2 the request is wrong.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import App, CycloptsError, Parameter

from croupier import __version__
from croupier.commands.complaints import complain
from croupier.commands.journal_words import export, recall, replay, verify
from croupier.commands.shuffle import shuffle
from croupier.commands.sign_words import sign
from croupier.commands.strategy_words import strategy
from croupier.errors import BadRequest, CroupierError, our_fault

__all__ = ["app", "main"]

Command = TypeVar("Command", bound=Callable[..., int])


def _unwrapped(text: str) -> str:
    """Paragraphs on one line each, for the terminal to break; indented ones stay as they are."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith(("    ", "Parameters\n")) else " ".join(part.split())
        for part in paragraphs
    )


def command(function: Command) -> Command:
    """A command of the program; what it teaches is its docstring."""
    function.__doc__ = _unwrapped(function.__doc__ or "")
    app.command(function)
    return function


app = App(
    name="croupier",
    version=__version__,
    help=_unwrapped(
        """Casino poker tables by the book: every wager settled to the cent, with its clause.

        Five regulators' documents are built in: md-uth and ma-uth (Ultimate Texas Hold'em),
        md-jackpot (Jackpot Hold 'Em), md-wpt (World Poker Tour Heads-Up Hold'Em) and md-235 (235
        Stud Poker).

        Start with `croupier demo`, then `croupier rulebooks show md-uth`."""
    ),
    # Markdown would read better in the code and cost a sixth of the time `--help` has.
    help_format="plaintext",
    help_epilogue="Every command that prints data takes `--json`; `COMMAND --help` teaches it.",
)

AsJson = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print JSON for programs, not tables.")
]


@command
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


@command
def paytables(rulebook: str | None = None, *, json: AsJson = False) -> int:
    """Every line of every paytable, with its clause.

    Parameters
    ----------
    rulebook
        One rulebook, or the path of a rulebook file; all five when left out.
    """
    from croupier.commands import paytables as command

    return command.run(rulebook, as_json=json)


@command
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


@command
def rehearse(
    files: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    tell: Annotated[bool, Parameter(negative=())] = False,
    write: Annotated[bool, Parameter(negative=())] = False,
    json: AsJson = False,
) -> int:
    """Run whole sessions from a text: table, cards, commands, and what is expected of them.

    A scenario reads like a pit's log, one thing a line:

        table T1 plays md-uth, dealt from the hand
        Ann sits at seat 1 with 1,000
        round
        cards Ann: As Ah; dealer: Qs Qd
        Ann bets ante 10, blind 10
        no more bets
        deal
        Ann raises 4x
        expect refused out_of_turn: Ann checks

    docs/scenarios.md has every kind of line. Ends with 0 when all is as expected, with 1 when it
    is not, with 2 when a file cannot be followed.

    Parameters
    ----------
    files
        The scenarios.
    tell
        Print everything that happens, in words, instead of the lines.
    write
        Write what was found in place of every `?` in an `expect` line: `expect Ann has ?`.
    """
    from croupier.commands import rehearse as command

    return command.run(files, tell=tell, write=write, as_json=json)


@command
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


@command
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


Repeated = Annotated[list[str] | None, Parameter(negative=())]


@command
def analyze(
    rulebook: str,
    *,
    paytable: Repeated = None,
    reading: Repeated = None,
    wager: Repeated = None,
    stake: Repeated = None,
    meter: Repeated = None,
    others: int = 0,
    hands: int = 2,
    all: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002
    json: AsJson = False,
) -> int:
    """The exact mathematics: edge, variance and outcomes of every wager, as fractions.

    `main` is the required wagers with what is decided in play, under the best play on one's own
    cards. What has been worked out once is kept in `CROUPIER_CACHE_DIR`.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    paytable
        WAGER=ID, as in `--paytable blind=B`. Repeatable.
    reading
        NAME=CHOICE, as in `--reading bad_beat_loser=player_only`. Repeatable.
    wager
        Only this wager (`main`, `trips`, …). Repeatable; every wager when left out.
    stake
        WAGER=AMOUNT: the smallest the rulebook takes, else 1, when left out. Repeatable.
    meter
        NAME=AMOUNT: what a meter shows; its minimum seed when left out. Repeatable.
    others
        Other players, whose hands can bring an Envy Bonus.
    hands
        Hands in the round, the dealer's included (Cover All).
    all
        Every paytable of every wager.
    """
    from croupier.commands import analyze as command

    return command.run(
        rulebook,
        paytables=paytable or [],
        readings=reading or [],
        wagers=wager or [],
        stakes=stake or [],
        meters=meter or [],
        others=others,
        hands=hands,
        every=all,
        as_json=json,
    )


@command
def advise(
    rulebook: str,
    *,
    cards: str,
    community: str = "",
    known: str = "",
    paytable: Repeated = None,
    reading: Repeated = None,
    json: AsJson = False,
) -> int:
    """The exact value of every action that the rules allow now, best play afterwards.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    cards
        Your cards, as in `--cards "Ah 7d"`; in md-235 two, then three.
    community
        The community cards exposed so far.
    known
        md-235: other players' third cards, seen before the 5 Card decision.
    paytable
        WAGER=ID. Repeatable.
    reading
        NAME=CHOICE. Repeatable.
    """
    from croupier.commands import advise as command

    return command.run(
        rulebook,
        cards=cards,
        community=community,
        known=known,
        paytables=paytable or [],
        readings=reading or [],
        as_json=json,
    )


rulebooks = App(name="rulebooks", help="The five documents: what they offer and how they are read.")
app.command(rulebooks)


@rulebooks.command(name="list")
def rulebooks_list(*, json: AsJson = False) -> int:
    """The rulebooks, one a line."""
    from croupier.commands import rulebooks as command

    return command.run_list(as_json=json)


@rulebooks.command(name="show")
def rulebooks_show(rulebook: str, *, json: AsJson = False) -> int:
    """One rulebook: wagers, decisions, options, and the reason of each reading.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    """
    from croupier.commands import rulebooks as command

    return command.run_show(rulebook, as_json=json)


@command
def session(
    rulebook: str,
    *,
    stake: Annotated[list[str], Parameter(negative=())],
    rounds: int = 100,
    bankroll: str | None = None,
    paytable: Repeated = None,
    reading: Repeated = None,
    meter: Repeated = None,
    json: AsJson = False,
) -> int:
    """What an evening comes to: wagers placed together, over many rounds, under the best play.

    For example: `croupier session md-uth --stake ante=10 --stake trips=5 --rounds 200 --bankroll
    1000`. Correlations between the wagers are kept; chances are exact to the error stated.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    stake
        WAGER=DOLLARS, for each wager placed. Repeatable.
    rounds
        How many rounds are played.
    bankroll
        Also the risk that so many dollars do not last.
    paytable
        WAGER=ID. Repeatable.
    reading
        NAME=CHOICE. Repeatable.
    meter
        NAME=DOLLARS: what a progressive meter shows; its reset when left out. Repeatable.
    """
    from croupier.commands import session as command

    return command.run(
        rulebook,
        stakes=stake,
        rounds=rounds,
        bankroll=bankroll,
        paytables=paytable or [],
        readings=reading or [],
        meters=meter or [],
        as_json=json,
    )


@command
def simulate(
    rulebook: str,
    *,
    rounds: int = 10_000,
    seats: int = 6,
    strategy: str = "optimal",
    wager: Repeated = None,
    paytable: Repeated = None,
    reading: Repeated = None,
    seed: str = "1",
    dealing: str | None = None,
    journal: str | None = None,
    jobs: int = 1,
    json: AsJson = False,
) -> int:
    """Play rounds through the real engine and hold them against the exact values.

    For example: `croupier simulate md-uth --rounds 20000 --wager ante=10 --wager trips=5`. Every
    command of every round goes the way it goes at a table; the same seed gives the same cents
    anywhere. Ends with 1 if a wager is more than five standard errors off its exact value.

    Parameters
    ----------
    rulebook
        A rulebook (md-uth, …) or the path of a rulebook file.
    rounds
        How many rounds are played.
    seats
        How many seats play in each.
    strategy
        `optimal`, `random`, `first` (always the first bet offered), a shipped strategy
        (`croupier strategy compare`), or the path of a text or of a saved strategy.
    wager
        WAGER or WAGER=AMOUNT: the required wagers and only these. Repeatable; every wager at the
        least it takes when left out.
    paytable
        WAGER=ID. Repeatable.
    reading
        NAME=CHOICE. Repeatable.
    seed
        Any text: the same one deals the same cards again.
    dealing
        How the cards are dealt: `hand`, or `automated_shoe/dealer_last` with an order.
    journal
        Write every round into this journal: a file, or postgresql://… for a server.
    jobs
        Processes to play in; the result does not depend on it.
    """
    from croupier.commands import simulate as command

    return command.run(
        rulebook,
        rounds=rounds,
        seats=seats,
        strategy=strategy,
        wagers=wager or [],
        paytables=paytable or [],
        readings=reading or [],
        seed=seed,
        dealing=dealing,
        journal=journal,
        jobs=jobs,
        as_json=json,
    )


@command
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8235,
    database: str | None = None,
    workers: int = 1,
    demo: bool = True,
    dealer: Literal["software", "people"] = "software",
    floor: Literal["auto", "software", "people"] = "auto",
    name: Repeated = None,
    open: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002
) -> int:
    """Open the tables on the web: play any of the five games in a browser.

    Without options, tables of the five documents are open to guests with play chips, dealt by
    software, and kept in a journal in the data folder.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 for every one of this machine.
    port
        The port to listen at.
    database
        The journal: a file, or postgresql://… which several workers can share.
    workers
        How many processes serve; more than one needs PostgreSQL.
    demo
        Guests may play without an account, at tables of the five documents.
    dealer
        Who deals virtual cards: software, or people who have signed in.
    floor
        Who validates a progressive: software (the default of a demo), or people.
    name
        A host name under which the server is reached. Repeatable.
    open
        Show the lobby in the browser.
    """
    from croupier.commands import serve as command

    return command.run(
        host=host,
        port=port,
        database=database,
        workers=workers,
        demo=demo,
        dealer=dealer,
        floor=floor,
        names=name or [],
        show=open,
    )


people = App(name="people", help="Who may sign in at the tables on the web.")
app.command(people)


@people.command(name="add")
def people_add(
    name: str,
    *,
    role: Literal["player", "dealer", "floorperson", "auditor", "operator"] = "player",
    database: str | None = None,
    password_file: Path | None = None,
) -> int:
    """Let somebody sign in; for a name that is there, set role and password anew.

    Parameters
    ----------
    name
        The name to sign in with, and to sign validations with.
    role
        What the person may do.
    database
        The journal that the server runs on.
    password_file
        Where the password stands; left out, it is asked for or read from standard input.
    """
    from croupier.commands import serve as command

    return command.add_person(name, role=role, database=database, password_file=password_file)


for reading_a_journal in (verify, replay, recall, export):
    command(reading_a_journal)
command(sign)
app.command(strategy)
app.command(shuffle)


@command
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


@command
def completion(shell: Literal["bash", "zsh", "fish"]) -> int:
    """Print the completion script of a shell.

    For bash: `croupier completion bash >> ~/.bash_completion`.

    Parameters
    ----------
    shell
        The shell to complete in.
    """
    sys.stdout.write(app.generate_completion(shell=shell))
    return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program; every ending is an exit code, none is a traceback."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _mend_streams()
    try:
        code = run(words)
        sys.stdout.flush()
    except OSError as error:
        code = 0
        if not isinstance(error, BrokenPipeError):
            complain(f"the answer cannot be written: {error.strerror}")
            code = 2
        # The reader has gone away (`croupier … | head`) or the disk is full: say no more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _mend_streams() -> None:
    """A closed stream is an empty one; what the terminal's encoding lacks is a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run(words: list[str]) -> int:
    """The exit code of one command line."""
    try:
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return refuse(BadRequest(_told(error), code="bad_arguments"), words)
    except CroupierError as error:
        return refuse(error, words)
    except OSError:
        raise
    except Exception as error:
        return refuse(our_fault(error), words)
    return code if isinstance(code, int) else 0


def _told(error: CycloptsError) -> str:
    said = " ".join(str(error).split())
    said = said if len(said) <= 300 else f"{said[:299]}…"
    return f"{said} (croupier --help lists the commands)"


def refuse(error: CroupierError, words: list[str]) -> int:
    """Say what is wrong: to people on stderr and, with `--json`, to programs on stdout."""
    if "--json" in words:
        from croupier.commands.output import print_json, print_refusal_object

        print_refusal_object(error, print_json)
    complain(f"{error.message}{f' [{error.clause}]' if error.clause else ''}")
    return 2


if __name__ == "__main__":
    main()
