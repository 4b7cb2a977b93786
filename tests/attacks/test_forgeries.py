"""Each forgery against three kinds of evidence; docs/ledger.md has the table of what shows it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

from croupier.ledger.differences import Verdict
from croupier.ledger.journal import open_journal, open_to_read
from croupier.ledger.verification.verify import Verification, verify
from tests.attacks.forgeries import (
    FORGERIES,
    GROUPS,
    Evidence,
    Forgery,
    Kept,
    make_accounts,
    make_journal,
)
from tests.commands.program import ROOT

PAGE: Final = ROOT / "docs" / "ledger.md"
START: Final = "<!-- forgeries: written by `make matrix` -->"
STOP: Final = "<!-- end of the forgeries -->"
_WORDS: Final[dict[Evidence, tuple[str, str, str]]] = {
    "journal": ("differs", "differs", "differs"),
    "mac": ("—", "differs", "differs"),
    "key": ("—", "not anchored", "differs"),
    "since": ("—", "—", "differs"),
}
_VERDICTS: Final[dict[Verdict, str]] = {
    "anchored": "—",
    "unanchored": "not anchored",
    "differs": "differs",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Kept]:
    folder = tmp_path_factory.mktemp("forgeries")
    return {False: make_journal(folder), True: make_accounts(folder)}


def shown(found: Verification) -> str:
    return "\n".join([*(one.message for one in found.differences), *map(str, found.gaps)])


@pytest.mark.parametrize("of_accounts", [False, True])
def test_what_nobody_forged_is_anchored(made: dict[bool, Kept], of_accounts: bool) -> None:
    kept = made[of_accounts]
    with open_journal(kept.path) as journal:
        found = verify(journal, kept=[kept.checkpoint])
        assert (found.verdict, verify(journal).verdict) == ("anchored", "anchored"), shown(found)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: f"{one.group}: {one.name}")
def test_forgery(
    forgery: Forgery, made: dict[bool, Kept], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = made[forgery.of_accounts]
    path = Path(shutil.copy(kept.path, tmp_path / "journal.db"))
    forgery.forge(path, kept)
    with open_to_read(path) as journal:
        with_key = verify(journal)
        with_kept = verify(journal, kept=[kept.checkpoint])
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "no.key"))
    with open_to_read(path) as journal:
        without = verify(journal)
    alone = "differs" if without.differences else "—"
    seen = (alone, _VERDICTS[with_key.verdict], _VERDICTS[with_kept.verdict])
    assert seen == _WORDS[forgery.shown_by], shown(with_kept)
    assert forgery.says in shown(with_kept if forgery.shown_by == "since" else with_key)


# -- the table in the docs ------------------------------------------------------------------------


def table_of_forgeries() -> str:
    """By group, and by what shows them."""
    lines = [
        "| | what was forged | the journal alone | with the machine's key | with `--since` |",
        "| --- | --- | --- | --- | --- |",
    ]
    for group in GROUPS:
        for shown_by, words in _WORDS.items():
            names = [
                one.name for one in FORGERIES if (one.group, one.shown_by) == (group, shown_by)
            ]
            if names:
                cells = (f"*{group}* ({len(names)})", "; ".join(names), *words)
                lines.append(f"| {' | '.join(cells)} |")
    counts = [sum(_WORDS[one.shown_by][place] != "—" for one in FORGERIES) for place in range(3)]
    sums = ("*all*", f"{len(FORGERIES)} forgeries", *(f"{count} shown" for count in counts))
    return "\n".join([*lines, f"| {' | '.join(sums)} |"])


def test_the_table_in_the_docs_is_that_of_the_tests() -> None:
    before, _, rest = PAGE.read_text().partition(START)
    written, _, after = rest.partition(STOP)
    made = table_of_forgeries()
    if os.environ.get("CROUPIER_WRITE_MATRIX"):
        PAGE.write_text(f"{before}{START}\n\n{made}\n\n{STOP}{after}")
    else:
        assert written.strip() == made, "make matrix writes it again"
