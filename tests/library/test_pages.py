"""Every example in README.md and docs is run, or says why not."""

from __future__ import annotations

import json
import tomllib
from itertools import groupby
from pathlib import Path

import pytest

from tests.library.pages import PAGES, RUN, examples_of, is_long, prepare, run, run_quickly

EXAMPLES = [example for page in PAGES for example in examples_of(page)]
RUNNABLE = [one for one in EXAMPLES if one.language in RUN and not one.reason]
SECTIONS = {
    f"{page}: {heading}": list(group)
    for (page, heading), group in groupby(RUNNABLE, key=lambda one: (one.page, one.heading))
}
LONG = [name for name, section in SECTIONS.items() if any(map(is_long, section))]


@pytest.fixture(scope="module")
def asked() -> set[tuple[str, ...]]:
    """Commands that other sections have run, whose answers are figures and nothing else."""
    return set()


@pytest.mark.parametrize("name", SECTIONS)
def test_examples_do_what_the_page_says(
    name: str, asked: set[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples below one heading, one after the other, in a folder of their own."""
    names = _begun(name, tmp_path, monkeypatch)
    for example in SECTIONS[name]:
        run_quickly(example, names, asked)


@pytest.mark.full
@pytest.mark.parametrize("name", LONG)
def test_long_examples_do_what_the_page_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many rounds as it says, and every command wherever it stands."""
    names = _begun(name, tmp_path, monkeypatch)
    for example in SECTIONS[name]:
        run(example, names)


def _begun(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    prepare(SECTIONS[name][0].page, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(folder / "data"))
    return {"__name__": "__main__"}


def test_the_library_is_taught_in_ten_examples() -> None:
    taught = [one for one in RUNNABLE if one.page == "library.md"]
    assert [one.heading.split(".")[0] for one in taught] == [str(n) for n in range(1, 11)]
    assert all(one.text.startswith(">>> import croupier\n") for one in taught)


def test_whoever_is_not_run_says_why() -> None:
    """A block without a language holds no command, and another shell's needs a reason."""
    for one in EXAMPLES:
        if one.language in ("sh", "bash", "shell", "sql"):
            assert one.reason, f"{one.place}: say why it is not run"
        if not one.language:
            lines = one.text.splitlines()
            asked = [line for line in lines if line.startswith(("croupier ", "$ ", ">>> "))]
            assert not asked, f"{one.place}: {asked[0]!r} stands in a block without a language"
        assert not one.reason or len(one.reason) > 10, one.place


def test_data_on_the_pages_can_be_read() -> None:
    for one in EXAMPLES:
        if one.language == "json":
            json.loads(one.text)
        elif one.language == "toml":
            tomllib.loads(one.text)
