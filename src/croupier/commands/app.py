"""The `croupier` program: its commands, and how it ends.

Exit codes: 0 done, 1 the answer is no, 2 the request is wrong.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Final, Literal

from cyclopts import App, CycloptsError

from croupier import __version__
from croupier.commands.signatures.common import documented, unwrapped
from croupier.commands.stderr import print_error, print_refusal
from croupier.errors import BadRequest, CroupierError, our_fault
from croupier.files import STANDARD_INPUT
from croupier.mathematics.kernels.first_use import Sort, before_compiling

__all__ = ["app", "main"]

# Where each command is declared. Only the one that is given is loaded.
_HOMES: Final = {
    "signatures.rules": (
        *("check", "conformance", "demo", "guide", "paytables", "rulebooks", "settle", "sign"),
    ),
    "signatures.mathematics": ("advise", "analyze", "design", "exposure", "report", "session"),
    "signatures.table": ("table_app",),
    "signatures.tables": ("rehearse", "serve", "simulate"),
    "signatures.people": ("people",),
    "signatures.cashier": ("cashier_app",),
    "signatures.link": ("link_app",),
    "signatures.journal": (
        *("checkpoint", "export", "journal", "prove", "recall", "reindex", "replay", "verify"),
    ),
    "signatures.certificate": ("certificate",),
    "signatures.operations": ("backup", "cache", "health", "restore", "selfcheck", "warm"),
    "signatures.strategy": ("strategy",),
    "signatures.school": ("school",),
    "shuffle": ("shuffle",),
}

# In the place of a password, or as the option that PostgreSQL takes, too.
_WEB: Final = frozenset({"argon2", "jinja2", "litestar", "segno", "uvicorn", "websockets"})
"""Packages of the extra `web`."""
_PASSWORD: Final = re.compile(r"://[^:/@]*:[^@]+@|://\S*[?&]password=")

app = App(
    name="croupier",
    version=__version__,
    help=unwrapped(
        """Casino poker tables by the book: every wager settled to the cent, with its clause.

        Five regulators' documents are built in: md-uth and ma-uth (Ultimate Texas Hold'em),
        md-jackpot (Jackpot Hold 'Em), md-wpt (World Poker Tour Heads-Up Hold'Em) and md-235 (235
        Stud Poker). So are nine casino games: `croupier rulebooks list`.

        Start with `croupier demo`, then `croupier rulebooks show md-uth`."""
    ),
    # Markdown would read better in the code and cost a sixth of the time `--help` has.
    help_format="plaintext",
    help_epilogue="Every command that prints data takes `--json`; `COMMAND --help` teaches it.",
)

for home, declared in _HOMES.items():
    for name in declared:
        app.command(f"croupier.commands.{home}:{name}", name=name.removesuffix("_app"))


@app.command
@documented
def completion(shell: Literal["bash", "zsh", "fish"]) -> int:
    """Print the completion script of a shell.

    For bash: `croupier completion bash >> ~/.bash_completion`.

    Parameters
    ----------
    shell
        The shell to complete in.
    """
    app.resolved_commands()
    sys.stdout.write(app.generate_completion(shell=shell))
    return 0


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
        # The reader has gone away (`croupier … | head`) or the disk is full: say no more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _on_first_use(sort: Sort) -> None:
    from croupier.commands.warm import on_first_use

    on_first_use(sort)


def _mend_streams() -> None:
    """A closed stream is an empty one; what the terminal's encoding lacks is a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run(words: list[str]) -> int:
    """The exit code of one command line."""
    words = [STANDARD_INPUT if word == "-" else word for word in words]
    if not words or words[0] in app.help_flags:
        app.resolved_commands()  # the list says what each is for
    try:
        _check_no_secret(words)
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return refuse(BadRequest(_told(error), code="bad_arguments"), words)
    except CroupierError as error:
        return refuse(error, words)
    except OSError:
        raise
    except ModuleNotFoundError as error:
        return refuse(_missing(error), words)
    except Exception as error:
        return refuse(our_fault(error), words)
    return code if isinstance(code, int) else 0


def _missing(error: ModuleNotFoundError) -> CroupierError:
    """Accounts of people and cashiers need what the web needs."""
    if (error.name or "").partition(".")[0] in _WEB:
        return BadRequest(f"this needs the libraries of the web: pip install '.[web]' ({error})")
    return our_fault(error)


def _check_no_secret(words: list[str]) -> None:
    """Everybody on the machine reads the arguments of a program (`ps`), a server's for months."""
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


def _told(error: CycloptsError) -> str:
    said = " ".join(str(error).split())
    said = said if len(said) <= 300 else f"{said[:299]}…"
    return f"{said} (croupier --help lists the commands)"


def refuse(error: CroupierError, words: list[str]) -> int:
    """The request is wrong: say what about it."""
    print_refusal(error, as_json="--json" in words)
    return 2


if __name__ == "__main__":
    main()
