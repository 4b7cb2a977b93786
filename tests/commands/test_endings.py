"""How the program ends: exit codes, where errors go, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.commands.app import COMMANDS as LISTED
from croupier.commands.app import app
from tests.commands.program import ROOT, croupier, spawn

COMMANDS = (
    (),
    ("demo",),
    ("paytables",),
    ("settle",),
    ("check",),
    ("conformance",),
    ("rulebooks",),
    ("rulebooks", "list"),
    ("rulebooks", "show"),
    ("completion",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_teaches_itself(command: tuple[str, ...], flag: str) -> None:
    ended = croupier(*command, flag)
    assert (ended.code, ended.err) == (0, "")
    assert f"Usage: croupier {' '.join(command)}".strip() in ended.text
    assert len(ended.text.splitlines()) > 5


def test_nothing_at_all_shows_the_help() -> None:
    assert croupier() == croupier("--help")


def test_the_version() -> None:
    from croupier import __version__

    assert croupier("--version").text.strip() == __version__


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("settl",), 'Did you mean "settle"?'),
        (("bogus",), "Available commands"),
        (("Settle",), "settle"),
        (("rulebooks", "shw", "md-uth"), 'Did you mean "show"?'),
        (("--bogus",), "--bogus"),
        (("settle", "--bogus"), "--bogus"),
        (("settle", "--rules"), "--rules"),
        (("settle", "a", "b"), "b"),
        (("paytables", "md-uth", "ma-uth"), "ma-uth"),
        (("check",), "submission"),
        (("rulebooks", "show"), "rulebook"),
        (("demo", "--seed", "x"), "--seed"),
        (("demo", "--seats", "many"), "--seats"),
        (("completion",), "shell"),
        (("completion", "tcsh"), "fish"),
        (("paytables", "--json", "--json=maybe"), "json"),
        (("x" * 9999,), "…"),
        (("settle", "--" + "x" * 9999), "…"),
    ],
)
def test_wrong_words_end_with_2(words: tuple[str, ...], said: str) -> None:
    ended = croupier(*words)
    assert ended.code == 2
    assert ended.err.startswith("croupier: ")
    assert ended.err.count("\n") == 1
    assert len(ended.err) < 400
    assert said.lower() in ended.err.lower()
    if "--json" not in words:
        assert ended.out == b""
    told = croupier(*words, "--json")
    if words[-1] != "--rules":  # which takes --json for its argument
        assert told.code == 2
        assert told.error["code"] == "bad_arguments"
        assert told.error["clause"] is None
        assert told.err


@pytest.mark.parametrize("seats", ["0", "-1", "7", "100000000000000000000"])
def test_a_demonstration_needs_one_to_six_players(seats: str) -> None:
    ended = croupier("demo", "--seats", seats, "--json")
    assert ended.code == 2
    assert ended.error["code"] == "bad_request"


@pytest.mark.parametrize(
    "words",
    [
        (b"settle", b"\xff\xfe", b"--json"),
        (b"paytables", b"\xff.toml", b"--json"),
        (b"check", b"\xff.toml", b"--json"),
        (b"\xff", b"--json"),
        (b"settle", b"--\xff", b"--json"),
    ],
)
def test_words_that_are_no_text(words: tuple[bytes, ...]) -> None:
    ended = spawn(*words)
    assert ended.code == 2
    assert "\\udcff" in ended.error["message"]
    assert "Traceback" not in ended.err


def test_a_fault_of_ours_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> int:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("croupier.paytables", broken)
    ended = croupier("paytables", "--json")
    assert ended.code == 2
    assert ended.error["code"] == "internal"
    assert "ZeroDivisionError: oops" in ended.error["message"]
    monkeypatch.setenv("CROUPIER_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        croupier("paytables", "--json")


def test_a_fault_of_ours_in_one_line_leaves_the_others_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("croupier.rounds.settle_requests.RequestSettler.settle", broken)
    ended = croupier("settle", "--json", stdin=b'{"rulebook":"md-uth","seats":[]}\n' * 3)
    assert ended.code == 2
    assert [answer["error"]["code"] for answer in ended.lines] == ["internal"] * 3


def shell(script: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    script = script.replace("croupier", f"'{sys.executable}' -m croupier")
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, **env},
    )


@pytest.mark.skipif(os.name != "posix", reason="speaks to bash")
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("croupier paytables --json | head -c 9; exit ${PIPESTATUS[0]}", 0),
        ("croupier paytables | head -c 9; exit ${PIPESTATUS[0]}", 0),
        ("croupier settle --json <&-", 0),
        ("croupier paytables --json >&-", 0),
        ("croupier paytables --json > /dev/full", 2),
        ("croupier paytables > /dev/full", 2),
    ],
)
def test_streams_that_are_closed_full_or_gone(script: str, code: int) -> None:
    done = shell(script)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="speaks to bash")
@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full", "2> >(exec 0<&-)"])
def test_answers_do_not_depend_on_who_reads_the_errors(errors: str) -> None:
    """A log that is full or a reader that has gone costs no answer, and the end is still 2."""
    done = shell(
        f"for n in {{1..200}}; do echo '{{}}'; sleep 0.002; done | croupier settle --json {errors}"
    )
    assert (done.returncode, done.stdout.count(b'"error"')) == (2, 200)
    done = shell(f"croupier paytables nowhere --json {errors}")
    assert (done.returncode, done.stdout.count(b"unknown_name")) == (2, 1)


INTERRUPTED = """
import sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "cyclopts":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from croupier.__main__ import main
main()
"""


def test_ctrl_c_while_the_program_is_read_in_shows_no_traceback() -> None:
    child = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(child, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(os.name != "posix", reason="speaks to bash")
def test_a_terminal_without_the_suits() -> None:
    done = shell("croupier demo md-uth --seed 1", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")


IMPORTED = """
import sys
from croupier.commands.app import run
run(sys.argv[1:])
heavy = {"numba", "numpy", "msgspec", "croupier.rulebooks", "croupier.rounds", "croupier.ranking"}
sys.stderr.write("imported: " + " ".join(sorted(heavy & sys.modules.keys())))
"""


def imported(*words: str) -> set[str]:
    child = subprocess.run(
        [sys.executable, "-c", IMPORTED, *words],
        capture_output=True,
        input=b"",
        check=True,
        timeout=60,
        cwd=ROOT,
    )
    return set(child.stderr.decode().rpartition("imported: ")[2].split())


@pytest.mark.parametrize("words", ["--help", "settle --help", "--version", "bogus"])
def test_help_imports_nothing_heavy(words: str) -> None:
    assert imported(*words.split()) == set()


@pytest.mark.parametrize(
    "words",
    [
        "settle --json",
        "settle examples/rounds.jsonl",
        "paytables --json",
        "rulebooks show md-uth",
    ],
)
def test_everyday_commands_do_without_numba(words: str) -> None:
    assert not imported(*words.split()) & {"numba", "numpy"}


def test_what_was_worked_out_before_is_told_without_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE_DIR", str(tmp_path))
    question = ("analyze", "md-wpt", "--wager", "pocket_bonus")
    assert croupier(*question).code == 0
    assert not imported(*question) & {"numba", "numpy"}
    assert "numba" in imported(*question, "--paytable", "pocket_bonus=B")


def test_the_list_of_commands_says_what_each_command_says_of_itself() -> None:
    listed = {name: summary for each in LISTED.values() for name, (_, summary) in each.items()}
    commands = {name: each for name, each in app.resolved_commands().items() if name[0] != "-"}
    assert {*listed, "completion"} == set(commands)
    for name, summary in listed.items():
        assert commands[name].help.partition(".")[0] + "." == summary, name
        assert len(summary) <= 66, "it has one line of 80 columns"
    help_text = croupier("--help").text
    for summary in listed.values():
        assert summary in help_text
    places = [help_text.index(f" {title} ") for title in LISTED]
    assert places == sorted(places)
