"""Help texts, completion, and what is said where an optional package is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cyclopts import App

from croupier.commands.app import app
from croupier.rulebooks.bundled import BUNDLED
from tests.commands.program import ROOT, croupier


def leaves(name: str, command: App) -> list[tuple[str, App]]:
    """Every command that does something, below this one and itself."""
    below = [each for each in command.resolved_commands().items() if each[0][0] != "-"]
    own = [(name, command)] if command.default_command is not None else []
    return own + [leaf for word, each in below for leaf in leaves(f"{name} {word}".strip(), each)]


COMMANDS = leaves("", app)


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_every_option_says_what_it_is(name: str, command: App) -> None:
    assert command.help, name
    paragraph = command.help.split("\n\n", 1)[0]
    assert "\n" not in paragraph, f"{name}: the terminal wraps it"
    for argument in command.assemble_argument_collection(parse_docstring=True):
        assert argument.parameter.help, f"{name} {argument.name}"


@pytest.mark.skipif(shutil.which("bash") is None, reason="completes in bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ana",), {"analyze"}),
        (("analyze", "md-"), {name for name in BUNDLED if name.startswith("md-")}),
        (("report", "ma"), {"ma-uth"}),
        (("strategy", "pr"), {"price"}),
        (("strategy", "price", "let"), {"let-it-ride"}),
        (("analyze", "md-uth", "--equal-actions", ""), {"first", "last"}),
        (("analyze", "./READ"), set()),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else f"{len(part)} offered",
)
def test_bash_completes_commands_options_and_rulebooks(
    words: tuple[str, ...], offered: set[str], tmp_path: Path
) -> None:
    script = tmp_path / "completion.sh"
    script.write_bytes(croupier("completion", "bash").out)
    assert "complete -o default -F _croupier croupier" in script.read_text("utf-8")
    line = " ".join(["croupier", *words])
    asked = (
        f"source '{script}'\n"
        f"COMP_WORDS=(croupier {' '.join(repr(word) for word in words)})\n"
        f"COMP_CWORD={len(words)}; COMP_LINE='{line}'; COMP_POINT={len(line)}\n"
        '_croupier; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], capture_output=True, check=True, text=True)
    assert {word.strip() for word in done.stdout.split()} == offered


BLOCKED = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from croupier.commands.app import run
sys.exit(run(sys.argv[2:]))
"""
WEB = "argon2,litestar,jinja2,segno,uvicorn,uvloop,httptools,websockets,anyio"


def without(packages: str, tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command line where these packages are not installed."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, packages, *words],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "CROUPIER_DATA_DIR": str(tmp_path)},
        input="",
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("packages", "extra", "words"),
    [
        (WEB, "web", "serve"),
        (WEB, "web", "people list"),
        (WEB, "web", "people add olga"),
        (WEB, "web", "table shoe list T1"),
        ("psycopg", "postgres", "verify --journal postgresql://localhost/nowhere"),
        ("distributed", "cluster", "verify --cluster tcp://127.0.0.1:1"),
        ("typst", "reports", "sign md-uth --format pdf --to sign.pdf"),
        ("xlsxwriter", "reports", "report md-uth --to report.xlsx"),
    ],
)
def test_a_missing_extra_is_named_with_its_installation(
    packages: str, extra: str, words: str, tmp_path: Path
) -> None:
    done = without(packages, tmp_path, *words.split())
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert " is not installed. " in done.stderr
    assert f"pip install '.[{extra}]'" in done.stderr


def test_tables_and_accounts_do_without_the_web(tmp_path: Path) -> None:
    opened = without(WEB, tmp_path, *["table", "open", "md-uth", "--as", "operator:Ola"])
    assert opened.returncode == 0, opened.stderr
    deposit = "cashier deposit ann 10 --receipt 1 --as cashier:Cleo"
    for words in (deposit, "cashier list", "table show T1", "link list", "verify"):
        done = without(WEB, tmp_path, *words.split())
        assert done.returncode in (0, 3), done.stderr
