"""`croupier check`: exit codes, the form of the findings, files that cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES, Ended, croupier, spawn
from tests.submissions.papers import PATHS


def checked(tmp_path: Path, text: str | bytes) -> Ended:
    path = tmp_path / "submission.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    ended = croupier("check", path, "--json")
    people = croupier("check", path)
    assert people.code == ended.code
    assert "Traceback" not in people.err
    return ended


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_examples_are_valid(rulebook: str) -> None:
    ended = croupier("check", PATHS[rulebook], "--json")
    assert (ended.code, ended.json, ended.err) == (0, {"valid": True, "findings": []}, "")
    people = croupier("check", PATHS[rulebook])
    assert people.code == 0
    assert "Valid" in people.text


def test_all_examples_are_known() -> None:
    assert set(PATHS.values()) == set((EXAMPLES / "submissions").glob("*.toml"))


def test_a_submission_that_breaks_a_rule_ends_with_1(tmp_path: Path) -> None:
    text = PATHS["md-uth"].read_text().replace("seed = 25000", "seed = 9000")
    ended = checked(tmp_path, text)
    assert ended.code == 1
    assert list(ended.json) == ["valid", "findings"]
    assert ended.json["valid"] is False
    (finding,) = ended.json["findings"]
    assert list(finding) == ["severity", "clause", "message"]
    assert (finding["severity"], finding["clause"]) == ("error", "12.D(3)(b)(iii)(1)")
    people = croupier("check", tmp_path / "submission.toml")
    assert "error [12.D(3)(b)(iii)(1)] progressive.meters.mega.seed is $9,000" in people.text
    assert "Not valid" in people.text


def test_warnings_alone_end_with_0(tmp_path: Path) -> None:
    text = PATHS["md-uth"].read_text().replace("stakes = [5]", "stakes = [1, 5]")
    ended = checked(tmp_path, text)
    assert ended.code == 0
    assert ended.json["valid"] is True
    assert [finding["severity"] for finding in ended.json["findings"]] == ["warning"]


def test_an_unknown_entry_is_a_finding_beside_the_others(tmp_path: Path) -> None:
    text = 'ofered = ["trips"]\n' + PATHS["md-uth"].read_text().replace("seed = 25000", "seed = 9")
    ended = checked(tmp_path, text)
    assert ended.code == 1
    said = [finding["message"] for finding in ended.json["findings"]]
    assert any("'ofered': did you mean 'offered'?" in message for message in said)
    assert any("must be at least $10,000" in message for message in said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no rulebook"),
        ("operator = 'x'", "names no rulebook"),
        ("rulebook = 'md-uht'", "did you mean 'md-uth'?"),
        ("rulebook = ''", "names no rulebook"),
        ('rulebook = "a\\u0000.toml"', "cannot be read"),
        ("rulebook = 'none.toml'", "cannot be read"),
        ("rulebook = 5", "at rulebook: text is expected here, not a whole number"),
        ("rulebook = 'md-uth", "is not TOML"),
        ("rulebook 'md-uth'", "is not TOML"),
        ("rulebook = 'md-uth'\nrulebook = 'md-uth'", "is not TOML"),
        ("{}", "is not TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b"\x00", "is not TOML"),
        ("a = " + "[" * 5000, "submission.toml is n"),
        ("a = " + "1" * 5000, "TOML"),
        ("rulebook = 'md-uth'\noffered = 'trips'", "at offered: a list is expected"),
        ("rulebook = 'md-uth'\noffered = [1]", "at offered[0]: text is expected"),
        ("rulebook = 'md-uth'\npaytables = []", "at paytables: a table is expected"),
        ("rulebook = 'md-uth'\n[paytables]\ntrips = 1", "at paytables.trips: text is expected"),
        (
            "rulebook = 'md-uth'\n[options]\ndecks = []",
            "at options.decks: true or false or a whole number",
        ),
        (
            "rulebook = 'md-uth'\n[options]\ndecks = 1979-05-27",
            "at options.decks: true or false or a whole number",
        ),
        ("rulebook = 'md-uth'\n[limits]\nante = 5", "at limits.ante: a table is expected"),
        ("rulebook = 'md-uth'\n[limits.ante]\nmin = 5", "did you mean 'minimum'?"),
        (
            "rulebook = 'md-uth'\n[limits.ante]\nminimum = true",
            "at limits.ante.minimum: a whole number",
        ),
        (
            "rulebook = 'md-uth'\n[progressive]\nstakes = 5",
            "at progressive.stakes: a list is expected",
        ),
        ("rulebook = 'md-uth'\n[progressive]\nmeter = 5", "did you mean 'meters'?"),
        (
            "rulebook = 'md-uth'\n[progressive.meters.main]\nrates = 1",
            "at progressive.meters.main: unknown field 'rates': did you mean 'rate'?",
        ),
        (
            "rulebook = 'md-uth'\n[[progressive.linked]]\ntable = 'x'",
            "at progressive.linked[0]: 'rulebook' is missing",
        ),
    ],
)
def test_what_cannot_be_understood_ends_with_2(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    ended = checked(tmp_path, text)
    assert ended.code == 2
    assert said in ended.error["message"]
    assert ended.error["clause"] is None
    assert len(ended.error["message"]) < 400


@pytest.mark.parametrize("amount", ["nan", "inf", "-inf", "1e400", "0.1", "1979-05-27"])
def test_amounts_that_only_toml_knows(tmp_path: Path, amount: str) -> None:
    text = PATHS["md-uth"].read_text().replace("payout_limit = 50000", f"payout_limit = {amount}")
    assert checked(tmp_path, text).code in {1, 2}
    text = PATHS["md-uth"].read_text().replace("seed = 25000", f"seed = {amount}")
    assert checked(tmp_path, text).code in {1, 2}
    text = PATHS["md-uth"].read_text().replace('rate = "0.12"', f"rate = {amount}")
    assert checked(tmp_path, text).code in {0, 1, 2}


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert checked(tmp_path, b"\xef\xbb\xbf" + PATHS["md-235"].read_bytes()).code == 0


def test_files_that_are_not_there_or_not_files(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        ended = croupier("check", path, "--json")
        assert ended.code == 2
        assert "cannot be read" in ended.error["message"]


def test_a_submission_for_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "harbour-holdem.toml", tmp_path)
    text = f"rulebook = '{tmp_path / 'harbour-holdem.toml'}'\noffered = []\n"
    ended = checked(tmp_path, text)
    assert ended.code in {0, 1}
    assert all(finding["message"] for finding in ended.json["findings"])


def test_the_installed_program_says_the_same() -> None:
    path = PATHS["ma-uth"]
    assert spawn("check", path, "--json") == croupier("check", path, "--json")
