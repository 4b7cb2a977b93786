"""`croupier sign`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from croupier.rulebooks.bundled import read_bundled
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES, croupier, spawn
from tests.submissions.papers import PATHS

HARBOUR = EXAMPLES / "harbour-holdem.toml"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_text_for_people_json_for_programs(rulebook: str) -> None:
    people = croupier("sign", rulebook, PATHS[rulebook])
    assert (people.code, people.err) == (0, "")
    programs = croupier("sign", rulebook, PATHS[rulebook], "--json")
    assert programs.out == croupier("sign", rulebook, PATHS[rulebook], "--format", "json").out
    sign = programs.json
    for notice in (*sign["notices"], *sign["inscriptions"]):
        assert notice["words"] in people.text
    for table in sign["paytables"]:
        assert table["title"] in people.text
        assert all(row["hand"] in people.text for row in table["rows"])
    assert all(spot["title"] in people.text for spot in sign["spots"])
    assert sign["missing"] == []


def test_a_part_of_it() -> None:
    whole = croupier("sign", "md-uth", "--json").json
    sign = croupier("sign", "md-uth", "--json", "--part", "sign").json
    layout = croupier("sign", "md-uth", "--json", "--part", "layout").json
    assert sign.keys() | layout.keys() == whole.keys()
    assert "spots" not in sign
    assert "paytables" not in layout
    assert "Royal flush" not in croupier("sign", "md-uth", "--part", "layout").text
    assert "at each position" not in croupier("sign", "md-uth", "--part", "sign").text


def test_without_a_submission_it_says_what_is_missing() -> None:
    ended = croupier("sign", "md-235")
    assert ended.code == 0
    assert "missing The submission does not name the operator" in ended.text
    for form in ("svg", "pdf"):
        drawn = croupier("sign", "md-235", "--format", form)
        assert drawn.code == 0
        assert "[2.B(1)]" in drawn.err


def test_a_limit_that_the_felt_must_name_is_missing_where_none_is_in_force(tmp_path: Path) -> None:
    text = read_bundled("md-235", "game.toml")
    file = tmp_path / "own.toml"
    file.write_text(text.replace("unless_stated = true", ""), "utf-8")
    ended = croupier("sign", str(file))
    assert "missing The submission states no payout limit" in ended.text


@pytest.mark.parametrize("form", ["text", "json", "svg", "pdf"])
def test_written_into_a_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / "sign"
    words = ("sign", "ma-uth", str(PATHS["ma-uth"]), "--format", form)
    ended = croupier(*words, "--to", str(path))
    assert (ended.code, ended.out, ended.err) == (0, b"", "")
    made = path.read_bytes()
    assert made.startswith({"pdf": b"%PDF-", "svg": b"<svg", "json": b"{"}.get(form, b"Ultimate"))
    if form != "text":
        assert made == croupier(*words).out
    assert b"299 to 1" in made or form in {"svg", "pdf"}


def test_every_form_of_every_part(tmp_path: Path) -> None:
    ElementTree.fromstring(croupier("sign", str(HARBOUR), "--format", "svg").out)
    sign = croupier("sign", str(HARBOUR), "--format", "svg", "--part", "sign").out
    ElementTree.fromstring(sign)
    layout = croupier("sign", str(HARBOUR), "--format", "pdf", "--part", "layout", "--paper", "a4")
    assert layout.out.startswith(b"%PDF-")
    assert layout.out != croupier("sign", str(HARBOUR), "--format", "pdf", "--paper", "a4").out


def test_a_submission_that_breaks_a_rule_gets_no_sign(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(PATHS["md-uth"].read_text().replace("seed = 25000", "seed = 9000"))
    target = tmp_path / "sign.pdf"
    ended = croupier("sign", "md-uth", path, "--format", "pdf", "--to", target)
    assert (ended.code, ended.out) == (1, b"")
    assert "$9,000" in ended.err
    assert "[12.D(3)(b)(iii)(1)]" in ended.err
    assert not target.exists()
    told = croupier("sign", "md-uth", path, "--json")
    assert told.code == 1
    assert told.json["valid"] is False


def test_a_submission_of_another_game_is_refused() -> None:
    ended = croupier("sign", "md-uth", PATHS["md-wpt"], "--json")
    assert ended.code == 2
    assert "is a submission for md-wpt, not for md-uth" in ended.error["message"]


def test_a_submission_that_names_no_rulebook_is_for_this_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(PATHS["md-wpt"].read_text().replace('rulebook = "md-wpt"\n', ""))
    assert croupier("sign", "md-wpt", path).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("md-uht",), "did you mean 'md-uth'?"),
        (("none.toml",), "cannot be read"),
        (("md-uth", "none.toml"), "cannot be read"),
        (("md-uth", "a\x00b"), "cannot be read"),
        (("md-uth", "--format", "gif"), "gif"),
        (("md-uth", "--part", "lid"), "lid"),
        (("md-uth", "--paper", "a5"), "a5"),
        (("md-uth", "--format", "svg", "--to", "/"), "cannot be written"),
        (("md-uth", "--format", "svg", "--to", "/none/at/all"), "cannot be written"),
        (("md-uth", "--format", "svg", "--to", "a\x00b"), "cannot be written"),
        ((), "rulebook"),
    ],
)
def test_what_makes_no_sense_ends_with_2(words: tuple[str, ...], said: str) -> None:
    ended = croupier("sign", *words)
    assert ended.code == 2
    assert said.lower() in ended.err.lower()
    assert "Traceback" not in ended.err


def test_without_typst_a_pdf_ends_with_2_and_the_rest_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    ended = croupier("sign", "md-uth", "--format", "pdf")
    assert (ended.code, ended.out) == (2, b"")
    assert ".[reports]" in ended.err
    assert croupier("sign", "md-uth", "--format", "svg").code == 0


def test_the_installed_program_says_the_same() -> None:
    words = ("sign", "md-jackpot", str(PATHS["md-jackpot"]), "--json")
    assert json.loads(spawn(*words).out) == croupier(*words).json
