"""Submissions and rulebooks that somebody sends: every mistake is told, and no file is opened."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.submission import (
    Limits,
    LinkedTable,
    MeterTerms,
    ProgressiveTerms,
    Submission,
)
from croupier.submissions.check import check_file, check_submission
from croupier.submissions.choices import choices_of
from croupier.submissions.starting import starting_submission, submission_toml
from croupier.submissions.uploads import Upload, check_upload

EXAMPLES = Path(__file__).parents[2] / "examples"
PAPERS = sorted((EXAMPLES / "submissions").glob("*.toml"))
OWN = (EXAMPLES / "harbour-holdem.toml").read_text()


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_an_upload_has_the_findings_of_the_file(paper: Path) -> None:
    found = check_upload(Upload(toml=paper.read_text()))
    assert list(found.findings) == check_file(paper)
    assert found.valid


@pytest.mark.parametrize("rulebook", BUNDLED)
def test_the_submission_to_begin_from_is_lawful(rulebook: str) -> None:
    submission = starting_submission(load_rulebook(rulebook))
    assert not [one for one in check_submission(submission) if one.severity == "error"]


def test_the_submission_to_begin_from_is_lawful_for_an_own_rulebook() -> None:
    toml = submission_toml(starting_submission(rulebook_from(OWN, "harbour")))
    found = check_upload(Upload(toml=toml, rulebook_text=OWN))
    assert found.valid, found.findings
    assert found.choices is not None
    assert found.choices.rulebook == found.rulebook == "harbour-holdem"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.stem)
def test_what_is_written_reads_as_the_same_submission(paper: Path) -> None:
    first = check_upload(Upload(toml=paper.read_text()))
    assert check_upload(Upload(toml=first.toml)).submission == first.submission


_names = st.text(max_size=8)
_amounts = st.one_of(st.none(), st.integers(0, 10**6), st.text(max_size=6))
_submissions = st.builds(
    Submission,
    rulebook=_names,
    operator=st.text(max_size=20),
    offered=st.one_of(st.none(), st.lists(_names, max_size=3).map(tuple)),
    paytables=st.dictionaries(_names, _names, max_size=3),
    options=st.dictionaries(_names, st.one_of(st.booleans(), st.integers(), _names), max_size=3),
    limits=st.dictionaries(_names, st.builds(Limits, _amounts, _amounts), max_size=3),
    progressive=st.builds(
        ProgressiveTerms,
        stakes=st.lists(st.integers(0, 99), max_size=2).map(tuple),
        meters=st.dictionaries(_names, st.builds(MeterTerms, _amounts, _amounts), max_size=2),
        linked=st.lists(st.builds(LinkedTable, _names, _names, _names, st.just(5)), max_size=2).map(
            tuple
        ),
    ),
)


@given(_submissions)
def test_any_submission_can_be_written_and_read_again(submission: Submission) -> None:
    read = msgspec.convert(tomllib.loads(submission_toml(submission)), Submission)
    assert read == submission


@pytest.mark.parametrize("name", ["/etc/hostname.toml", "../secret.toml", "x.toml"])
def test_no_file_is_opened_because_a_submission_names_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.toml").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "read_text", lambda *_: pytest.fail("a file was read"))
    found = check_upload(Upload(toml=f"rulebook = '{name}'"))
    assert "unknown rulebook" in found.findings[0].message
    toml = submission_toml(starting_submission(load_rulebook("md-uth")))
    linked = f"linked = [{{ table = 'x', rulebook = '{name}', paytable = 'A', stake = 5 }}]\n"
    found = check_upload(Upload(toml=toml + linked))
    assert [one for one in found.findings if "unknown rulebook" in one.message]


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("", "nothing to check"),
        ("rulebook = ", "is not TOML"),
        ("x = " + "[" * 5000, "nested deeper"),
        ("rulebook = 5", "at rulebook"),
        ("offered = []", "names no rulebook"),
        ('rulebook = "md-uht"', "did you mean 'md-uth'"),
    ],
)
def test_what_cannot_be_understood_is_a_finding(toml: str, words: str) -> None:
    found = check_upload(Upload(toml=toml))
    assert not found.valid
    assert words in found.findings[0].message
    assert (found.submission, found.toml) == ("", "")


def test_a_rulebook_of_nonsense_ends_in_a_list_of_mistakes() -> None:
    text = read_bundled("md-uth", "game.toml")
    broken = text.replace('hand = "royal_flush"', 'hand = "no_such_hand"')
    found = check_upload(Upload(rulebook_text=broken))
    assert len(found.findings) > 1
    assert all(one.severity == "error" for one in found.findings)
    assert found.choices is None


def test_the_choices_have_the_printed_lines_and_the_floors_of_the_meters() -> None:
    choices = choices_of(load_rulebook("md-uth"))
    progressive = next(one for one in choices.paytables if one.family == "progressive")
    assert [table.id for table in progressive.tables] == ["A", "B", "C", "D"]
    meters = {table.id: {m.name: m.least for m in table.meters} for table in progressive.tables}
    assert meters["A"] == {"main": "10000.00"}
    assert len(meters["C"]) == 3
    assert progressive.tables[0].lines[0].pays == "100% of main"


def test_the_duties_of_the_operator_follow_the_choices() -> None:
    toml = submission_toml(starting_submission(load_rulebook("md-uth")))
    by_hand = toml.replace('dealing = "manual_shoe"', 'dealing = "hand"\nshuffler = true')
    clauses = {one.clause for one in check_upload(Upload(toml=toml)).duties}
    assert {"2.B", "8.A"} <= clauses
    assert "8.A" not in {one.clause for one in check_upload(Upload(toml=by_hand)).duties}
