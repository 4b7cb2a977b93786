"""The `croupier` program: its commands and its exit codes.

Exit codes: 0 done, 1 the answer is no, 2 the request is wrong.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from cyclopts import App, CycloptsError, Group

from croupier import __version__
from croupier.commands.options import documented, unwrapped
from croupier.commands.output import print_error, print_refusal
from croupier.errors import BadRequest, CroupierError, our_fault
from croupier.files import STANDARD_INPUT
from croupier.mathematics.kernels.first_use import before_compiling

if TYPE_CHECKING:
    from croupier.mathematics.kernels.first_use import Sort

# Every command: its module, and its line in `croupier --help`, which is the first sentence of
# its own help (a test compares them). Only the requested command is loaded.
COMMANDS: Final = {
    "Play and settle": {
        "demo": ("settle", "Deal and settle a round of each game, drawn in the terminal."),
        "settle": ("settle", "Settle completed rounds: one JSON object a line in, one out."),
        "guide": ("settle", "Print a round step by step, as its dealer does it, with clauses."),
        "rehearse": ("rehearse", "Play whole sessions from a text and check what it expects."),
        "simulate": ("simulate", "Play rounds by the engine and compare with the exact values."),
        "shuffle": ("shuffle", "A sealed deck, opening a seal, testing that it is fair."),
    },
    "Mathematics": {
        "analyze": ("analyze", "Exact edge, deviation and outcomes of every wager."),
        "advise": ("analyze", "Exact value of every action that the rules allow now."),
        "strategy": ("strategy", "Optimal play, and what any strategy written down costs."),
        "design": ("design", "Search pay combinations for paytables that hit a target."),
        "session": ("risk", "Results of many rounds in a row, and the risk of ruin."),
        "exposure": ("risk", "What a seat and a table can cost the house."),
        "report": ("documents", "Write the mathematics report of a game."),
    },
    "Rulebooks and documents": {
        "rulebooks": ("rulebooks", "The rulebooks, and how to write one of your own."),
        "paytables": ("documents", "Every line of every paytable, with its clause."),
        "check": ("documents", "Check an operator's Rules Submission against its document."),
        "sign": ("documents", "What the table must show: a sign, and the felt's layout."),
        "conformance": ("documents", "What answers each clause of the five documents."),
    },
    "Tables and staff": {
        "serve": ("serve", "Open the tables on the web: play the games in a browser."),
        "table": ("table", "Run a table: open it, show it, give any command to it."),
        "link": ("link", "Progressive links: meters, tables, awards, terms."),
        "people": ("people", "Who may sign in at the tables on the web."),
        "cashier": ("cashier", "Players' accounts with the cashier."),
        "school": ("school", "Exercises for dealers and the floor, checked by the engine."),
        "certificate": ("school", "Check the certificate of an exam by dealing it again."),
    },
    "Journal and proof": {
        "replay": ("journal", "Print a past round: cards, decisions, payments and clauses."),
        "recall": ("journal", "Find past rounds by table, player, seat, hand or time."),
        "export": ("journal", "Write a journal out for a regulator, as JSON Lines or CSV."),
        "journal": ("journal", "Shift figures, pruning, and adopting a moved journal."),
        "reindex": ("journal", "Rebuild indexes and balances from the entries."),
        "verify": ("proofs", "Check a whole journal, or the proof of one round."),
        "checkpoint": ("proofs", "Sign what the journal has now, to be kept elsewhere."),
        "prove": ("proofs", "Write a proof that a round is in the journal and was signed."),
    },
    "Operations": {
        "backup": ("operations", "Copy a journal with its accounts into one file."),
        "restore": ("operations", "Make a journal from a backup, and verify it."),
        "cache": ("operations", "Show or clear the solved results on disk."),
        "warm": ("operations", "Compile the solvers of the bundled games once."),
        "health": ("operations", "Ask the server on this machine whether people can play."),
        "selfcheck": ("operations", "Compare the program's files with its installation."),
    },
}

_OPERATIONS: Final = "Operations"

# In the place of a password, or in PostgreSQL's `password` option.
_PASSWORD: Final = re.compile(r"://[^:/@]*:[^@]+@|://\S*[?&]password=")


def program(*, listing: bool = False) -> App:
    """Return the program. For a `listing` each command has its one line, and none is loaded."""
    made = App(
        name="croupier",
        version=__version__,
        help=unwrapped(
            """Casino poker tables by the book: every wager settled to the cent, with its clause.

            Five regulators' documents are built in: md-uth and ma-uth (Ultimate Texas Hold'em),
            md-jackpot (Jackpot Hold 'Em), md-wpt (World Poker Tour Heads-Up Hold'Em) and md-235
            (235 Stud Poker). So are nine casino games: `croupier rulebooks list`.

            Start with `croupier demo`, then `croupier rulebooks show md-uth`."""
        ),
        # Markdown would read better in the code and take a sixth of the time allowed for `--help`.
        help_format="plaintext",
        help_epilogue="Every command that prints data takes `--json`. `croupier COMMAND --help` "
        "explains a command and its options.",
    )
    for number, (title, commands) in enumerate(COMMANDS.items(), start=1):
        group = Group(title, sort_key=number)
        for name, (module, summary) in commands.items():
            made.command(
                f"croupier.commands.{module}:{name}",
                name=name,
                group=group,
                help=summary if listing else None,
            )
        if title == _OPERATIONS:
            made.command(completion, group=group)
    options = Group("Options", sort_key=len(COMMANDS) + 1)
    for flag in (*made.help_flags, *made.version_flags):
        made[flag].group = options
    return made


@documented
def completion(shell: Literal["bash", "zsh", "fish"]) -> int:
    """Print the completion script of a shell.

    For bash: `croupier completion bash >> ~/.bash_completion`. It completes commands, options, the
    ids of rulebooks and, in bash, the names of files.

    Parameters
    ----------
    shell
        The shell that you use.
    """
    app.resolved_commands()
    script = app.generate_completion(shell=shell)
    if shell == "bash":  # if no known word begins so, it may be the name of a file
        script = script.replace("complete -F ", "complete -o default -F ")
    sys.stdout.write(script)
    return 0


app = program()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program; every ending is an exit code, none is a traceback."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    before_compiling(_on_first_use)
    _mend_streams()
    try:
        code = run(words)
        sys.stdout.flush()
    except OSError as error:
        code = 0
        if not isinstance(error, BrokenPipeError):
            print_error(f"the answer cannot be written: {error.strerror}")
            code = 2
        # The reader has gone away (`croupier … | head`) or the disk is full: print nothing more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _on_first_use(sort: Sort) -> None:
    from croupier.commands.operations import on_first_use

    on_first_use(sort)


def _mend_streams() -> None:
    """Replace closed streams by empty ones; characters that the terminal cannot show are printed as
    question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run(words: list[str]) -> int:
    """Run one command line and return its exit code."""
    words = [STANDARD_INPUT if word == "-" else word for word in words]
    is_listing = not words or words[0] in app.help_flags
    chosen = program(listing=True) if is_listing else app
    try:
        _check_no_secret(words)
        code = chosen(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return refuse(BadRequest(_shortened(error), code="bad_arguments"), words)
    except CroupierError as error:
        return refuse(error, words)
    except OSError:
        raise
    except Exception as error:
        return refuse(our_fault(error), words)
    return code if isinstance(code, int) else 0


def _check_no_secret(words: list[str]) -> None:
    """Refuse secrets on the command line, or warn of them: everybody on the machine can read the
    arguments of a program (`ps`), those of a server for months."""
    if not any(_PASSWORD.search(word) for word in words):
        return
    cure = (
        "the password of a database does not belong on the command line, where everybody on this "
        "machine can read it: put the URL into a file, chmod 600, and name the file in "
        "CROUPIER_DATABASE_FILE; or into CROUPIER_DATABASE"
    )
    if words[0] == "serve":
        raise BadRequest(
            f"{cure}; or name the file with --database-file", code="secret_on_command_line"
        )
    print_error(f"warning: {cure}")


def _shortened(error: CycloptsError) -> str:
    message = " ".join(str(error).split())
    message = message if len(message) <= 300 else f"{message[:299]}…"
    return f"{message} (croupier --help lists the commands)"


def refuse(error: CroupierError, words: list[str]) -> int:
    """Print what is wrong with the request; return the exit code."""
    print_refusal(error, as_json="--json" in words)
    return 2


if __name__ == "__main__":
    main()
