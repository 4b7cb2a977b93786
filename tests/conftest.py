"""What all tests share: hypothesis' patience, solved results, and the marks that tie a test to a
clause."""

from __future__ import annotations

import atexit
import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rounds.settlement import Settlement
from croupier.rounds.state import CompletedRound
from croupier.rulebooks.rules import Rules
from tests.held import CLAUSES, clauses_held
from tests.rounds.as_live import check_live

# The key of the machine that runs the tests is none of theirs; child processes take the same one.
_KEYS = tempfile.mkdtemp(prefix="croupier-key-")
atexit.register(shutil.rmtree, _KEYS, ignore_errors=True)
os.environ["CROUPIER_KEY_FILE"] = str(Path(_KEYS, "machine.key"))

settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "not full":
        _same_examples_everywhere()


def _same_examples_everywhere() -> None:
    """Hypothesis also tries the constants of all modules that happen to be imported by then. Which
    those are depends on the worker and on the tests before, so that one commit could pass here and
    fail there. `make test-full` keeps them: they find things."""
    none = providers._local_constants
    providers._get_local_constants = lambda: none


def pytest_collection_finish() -> None:
    """What was collected stays: the search for garbage need not go through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Solved results of a test run go into a folder of their own, shared by its processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "croupier-cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_CACHE_DIR", str(folder))
        yield folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-clauses",
        metavar="FOLDER",
        help="write which test holds which clause, into tests.tsv of each document's folder",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Collect `@pytest.mark.clause("md-uth", "12.B(1)", …)` before anything is deselected. The long
    files come first, so that no worker is left with one at the end."""
    items.sort(key=lambda item: _LONG not in item.path.parents)
    target = config.getoption("--write-clauses")
    asked = {(config.invocation_params.dir / one).resolve() for one in config.args}
    config.stash[CLAUSES] = clauses_held(items) if asked == {Path(__file__).parent} else None
    if target is None:
        return
    for document, text in clauses_held(items).items():
        path = Path(target, document, "tests.tsv")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture(scope="module", autouse=True)
def also_live(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every settlement case of these folders is played at a live table as well, where only the
    cards that the table asks for are entered. `make test-full` takes all of them, the ordinary run
    the first of each module."""
    here = Path(__file__).parent
    most = [n for name, n in _ALSO_LIVE.items() if request.path.is_relative_to(here / name)]
    if not most:
        yield
        return
    left = None if request.config.getoption("markexpr") == "full" else most[0]
    settle, cases = RequestSettler.settle, itertools.count()

    def settle_and_play(
        settler: RequestSettler, asked: RoundRequest
    ) -> tuple[CompletedRound, Rules, Settlement]:
        played, rules, settlement = settle(settler, asked)
        if left is None or next(cases) < left:
            check_live(played, rules, asked.meters_in_cents(), settlement)
        return played, rules, settlement

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestSettler, "settle", settle_and_play)
        yield


_LONG = Path(__file__).parent / "web" / "browser"
_ALSO_LIVE = {"rules": 300, "rounds": 80, "playthroughs": 300}
"""How many cases of a module: those of the rounds are dealt at random."""
