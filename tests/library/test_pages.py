"""Every example in README.md and docs is run, or says why not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.library.pages import PAGES, examples_of, is_long, prepare, run, run_quickly

EXAMPLES = [example for page in PAGES for example in examples_of(page)]
RUNNABLE = [example for example in EXAMPLES if example.runs]
SESSIONS = {
    page: [example for example in RUNNABLE if example.page == page]
    for page in dict.fromkeys(example.page for example in RUNNABLE)
}
LONG = [page for page, examples in SESSIONS.items() if any(map(is_long, examples))]


@pytest.fixture(scope="module")
def done() -> set[tuple[str, ...]]:
    """Commands that other pages have run and that print figures only."""
    return set()


@pytest.mark.parametrize("page", SESSIONS)
def test_examples_do_what_the_page_says(
    page: str, done: set[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All examples of a page in reading order: one session, one folder, one data folder."""
    names = _begin(page, tmp_path, monkeypatch)
    for example in SESSIONS[page]:
        run_quickly(example, names, done)


@pytest.mark.full
@pytest.mark.parametrize("page", LONG)
def test_long_examples_do_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with every command and as many rounds as the page says."""
    names = _begin(page, tmp_path, monkeypatch)
    for example in SESSIONS[page]:
        run(example, names)


def _begin(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    prepare(page, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(folder / "data"))
    return {"__name__": "__main__"}


def test_every_section_about_the_library_begins_with_an_example() -> None:
    """It can be pasted: it imports what it needs."""
    page = next(page for page in PAGES if page.name == "library.md")
    sections = [line[3:] for line in page.read_text("utf-8").splitlines() if line[:3] == "## "]
    taught = [e for e in EXAMPLES if e.page == "docs/library.md" and e.language == "python"]
    first = {example.heading: example for example in reversed(taught)}
    assert [*list(first)[::-1], "Beside the command line"] == sections
    assert len(sections) >= 10
    for example in first.values():
        assert example.reason or example.text.startswith(">>> import croupier\n"), example.place


def test_blocks_that_are_not_run_say_why() -> None:
    """A block without a language holds no command, and another shell's needs a reason."""
    for example in EXAMPLES:
        if example.language in ("sh", "bash", "shell", "sql"):
            assert example.reason, f"{example.place}: say why it is not run"
        if not example.language:
            lines = example.text.splitlines()
            commands = [line for line in lines if line.startswith(("croupier ", "$ ", ">>> "))]
            assert not commands, (
                f"{example.place}: {commands[0]!r} stands in a block without a language"
            )
        assert not example.reason or len(example.reason) > 10, example.place


def test_data_on_the_pages_can_be_read() -> None:
    for example in EXAMPLES:
        if example.language == "json":
            json.loads(example.text)
        elif example.language == "toml":
            tomllib.loads(example.text)
