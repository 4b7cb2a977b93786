"""Break a rule, and the test that holds it must fail.

A sample of the rules that stand in the rulebook files: each is changed in a copy of the package,
and the tests marked with its clause are run against the copy. A mutant that survives is named.
Then the changes that once survived the whole suite, each with the tests written against it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from croupier.reports.conformance import holding_tests
from croupier.rulebooks.bundled import DOCUMENTS, read_bundled

ROOT = Path(__file__).parents[1]
SAMPLE = 12


class Mutant(NamedTuple):
    document: str
    clause: str
    place: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.document}-{self.clause}: {self.old.strip()} -> {self.new.strip()}"


def _one_more(match: re.Match[str]) -> str:
    return f'pays = "{int(match[1]) + 1} {match[2]} {match[3]}"'


_CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r'pays = "(\d+) (to|for) (\d+)"'), _one_more),
    (re.compile(r'effect = "goes_on"'), lambda _: 'effect = "void"'),
    (re.compile(r'card = "set_aside"'), lambda _: 'card = "next"'),
    (re.compile(r'do = "return"'), lambda _: 'do = "collect"'),
    (re.compile(r'do = "collect"'), lambda _: 'do = "return"'),
    (re.compile(r"cards = 3, clause"), lambda _: "cards = 2, clause"),
    (re.compile(r'to = \["players", "dealer"\]'), lambda _: 'to = ["dealer", "players"]'),
    (re.compile(r'to = \["burn"\]'), lambda _: 'to = ["discard"]'),
    (re.compile(r"minimum = (\d+)"), lambda m: f"minimum = {int(m[1]) - 1}"),
    (re.compile(r'bets = \{ "2x" = 2 \}'), lambda _: 'bets = { "2x" = 3 }'),
)


def _mutants(document: str) -> Iterator[Mutant]:
    """Every change of one line, with the clause that stands in it or just after."""
    lines = read_bundled(document, "game.toml").splitlines()
    for place, line in enumerate(lines):
        for pattern, change in _CHANGES:
            match = pattern.search(line)
            clause = _clause_near(lines, place)
            if match is not None and clause is not None:
                new = line[: match.start()] + change(match) + line[match.end() :]
                yield Mutant(document, clause, place, line, new)


def _clause_near(lines: list[str], place: int) -> str | None:
    for near in (place, place - 1, place - 2, place - 3, place - 4):
        if near < 0 or not lines[near].strip():
            return None
        if found := re.search(r'\bclause = "([^"]+)"', lines[near]):
            return found[1]
    return None


def _sample(seed: int) -> list[Mutant]:
    chosen: list[Mutant] = []
    for document in DOCUMENTS:
        every = [m for m in _mutants(document) if m.clause in holding_tests(document)]
        chosen += Random(f"{seed} {document}").sample(every, min(SAMPLE, len(every)))
    return chosen


def _copied(folder: Path) -> Path:
    """The package, to be broken."""
    package = folder / "src" / "croupier"
    shutil.copytree(
        ROOT / "src" / "croupier", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    return package


def _run(tests: Iterable[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The tests against the package copied there."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{folder / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.full
@pytest.mark.parametrize("mutant", _sample(seed=1), ids=str)
def test_a_broken_rule_fails_the_test_of_its_clause(mutant: Mutant, tmp_path: Path) -> None:
    path = _copied(tmp_path) / "rulebooks" / mutant.document / "game.toml"
    lines = path.read_text("utf-8").splitlines()
    assert lines[mutant.place] == mutant.old
    lines[mutant.place] = mutant.new
    path.write_text("\n".join(lines) + "\n", "utf-8")
    ran = _run(sorted(set(holding_tests(mutant.document)[mutant.clause])), tmp_path)
    # Where the loader refuses the copy, the tests cannot even be collected.
    is_refused = ran.returncode in (2, 4) and "croupier.errors.BadData" in ran.stdout
    assert ran.returncode == 1 or is_refused, f"survived:\n{mutant}\n{ran.stdout[-500:]}"


def test_the_sample_is_there_to_be_broken() -> None:
    """Enough rules to choose from in every document, and each with a test to fail."""
    assert len(_sample(seed=1)) == SAMPLE * len(DOCUMENTS)


# -- changes that once survived -------------------------------------------------------------------


class Survivor(NamedTuple):
    """A change of one place in the package that no test noticed, and the tests that do now."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


_LARGEST = "test_the_largest_raise_of_a_wager_counts_once_whenever_it_can_be_made"
_ACCIDENTS = tuple(
    f"tests/rules/test_{document.replace('-', '_')}_irregularities.py" for document in DOCUMENTS
)
SURVIVORS = (
    Survivor(
        "leaving during betting keeps wagers",
        "rounds/deciding.py",
        "return (WagersTakenBack(seat.number, tuple(seat.wagers)),)",
        "return (WagersTakenBack(seat.number, ()),)",
        ("tests/tables/test_people_and_money.py",),
    ),
    Survivor(
        "an accident of the deal is accepted after players acted",
        "rounds/irregularities.py",
        "fresh = state.step == 0 and not any(seat.actions for seat in state.seats)",
        "fresh = state.step == 0",
        _ACCIDENTS,
    ),
    Survivor(
        "an accident of the deal is accepted after a card was turned up",
        "rounds/irregularities.py",
        "fresh = state.step == 0 and not any(seat.actions for seat in state.seats)",
        "fresh = not any(seat.actions for seat in state.seats)",
        ("tests/rules/test_md_jackpot_irregularities.py",),
    ),
    *(
        Survivor(
            f"several face-up cards are accepted after the deal in {document}",
            f"rulebooks/{document}/game.toml",
            f'while dealing"\nclause = "{clause}"\nwhen = ["dealing"]',
            f'while dealing"\nclause = "{clause}"\nwhen = ["dealing", "playing"]',
            (test,),
        )
        for document, test in zip(DOCUMENTS, _ACCIDENTS, strict=True)
        for clause in ["14(b)" if document == "ma-uth" else "13.B"]
    ),
    *(
        Survivor(
            f"an early community card is accepted only {words}",
            "rulebooks/md-235/game.toml",
            'clause = "13.E"\nwhen = ["dealing", "playing"]',
            f'clause = "13.E"\nwhen = ["{moment}"]',
            ("tests/rules/test_md_235_irregularities.py",),
        )
        for moment, words in (("playing", "while playing"), ("dealing", "while dealing"))
    ),
    Survivor(
        "an early community card is accepted with the board open",
        "rulebooks/md-235/game.toml",
        'clause = "13.E"\nwhen = ["dealing", "playing"]\nonly = "board_hidden"',
        'clause = "13.E"\nwhen = ["dealing", "playing"]',
        ("tests/rules/test_md_235_irregularities.py",),
    ),
    Survivor(
        "the floor's decision has the wrong number of chips",
        "rounds/chip_count.py",
        "ChipsCounted(len(stakes), sum(stakes.values()), clause)",
        "ChipsCounted(command.chips, sum(stakes.values()), clause)",
        ("tests/tables/test_chip_counts_that_differ.py",),
    ),
    Survivor(
        "a count has one chip too many",
        "rounds/chip_count.py",
        "ChipsCounted(command.chips, sum(stakes.values()), clause)",
        "ChipsCounted(command.chips + 1, sum(stakes.values()), clause)",
        ("tests/tables/test_chip_counts_that_differ.py",),
    ),
    Survivor(
        "the last raise counts, not the largest",
        "mathematics/stakes.py",
        "most[decision.wager] = max(cents, most.get(decision.wager, 0))",
        "most[decision.wager] = cents",
        ("tests/mathematics/questions/test_sessions.py::" + _LARGEST,),
    ),
    Survivor(
        "a dealer is offered the floor's actions",
        "web/tables/views.py",
        'is_staff = who.role in ("floorperson", "operator")',
        'is_staff = who.role in ("floorperson", "operator", "dealer")',
        ("tests/web/tables/test_roles.py::test_a_screen_offers_each_role_its_own_actions",),
    ),
    Survivor(
        "a seat that got less than its meter paid",
        "ledger/verification/table_replay.py",
        "elif award.cents != paid:",
        "elif award.cents < paid:",
        ("tests/ledger/test_verify.py",),
    ),
    Survivor(
        "what the meters showed is not compared",
        "ledger/verification/table_replay.py",
        'yield from same("what the meters showed", record.meters, reading)',
        "pass",
        ("tests/ledger/test_verify.py",),
    ),
    Survivor(
        "a wager that needs a withdrawn one stays",
        "deck_care/deciding.py",
        "withdrawn |= {name for name in offered if withdrawn & set(book.wagers[name].needs)}",
        "pass",
        ("tests/tables/test_care.py",),
    ),
    Survivor(
        "a folded hand that brings an Envy Bonus is not asked for",
        "rounds/card_entry.py",
        "hands = [*_hands_for_envy(state, rules, missing), *missing]",
        "hands = [*missing]",
        ("tests/rounds/test_live_equals_virtual.py",),
    ),
    *(
        Survivor(f"two people: {name}", file, old, new, (f"tests/tables/{test}",))
        for name, file, old, new, test in (
            (
                "what is taken back lowers the sum that a correction adds to",
                "tables/two_people.py",
                "alone = controls.alone.corrections + abs(command.amount)",
                "alone = controls.alone.corrections + command.amount",
                "test_two_people.py",
            ),
            (
                "what was taken back lowers the sum of a day",
                "ledger/history/floor_records.py",
                "corrections += abs(cents)",
                "corrections += cents",
                "test_two_people.py",
            ),
            (
                "corrections of other seats count",
                "runtime/journal_session.py",
                "if (before.event.seat, before.event.wager) == (correction.seat, correction.wager)",
                "if before.event.wager == correction.wager",
                "test_two_people.py",
            ),
            (
                "a limit does not count yesterday evening",
                "runtime/journal_session.py",
                "since = stamp(datetime.fromtimestamp(at, UTC) - timedelta(days=1))",
                "since = stamp(datetime.fromtimestamp(at, UTC))",
                "test_insiders.py",
            ),
            (
                "a proposal is not checked again when it is confirmed",
                "tables/two_people.py",
                "check_controls(table, read_command(pending.command), first, controls)",
                "pass",
                "test_insiders.py",
            ),
            (
                "a cashier is their own second person",
                "runtime/cashier_session.py",
                "if same_person(first, actor.name):",
                "if False:",
                "test_two_people.py",
            ),
            (
                "two cashiers of one operator's making",
                "runtime/cashier_session.py",
                "check_independent(self._journal, first, actor.name)",
                "pass",
                "test_two_people.py",
            ),
            (
                "a second cashier confirms another sum",
                "runtime/cashier_session.py",
                "if replace(command, confirms=0) != proposal.command:",
                "if False:",
                "test_two_people.py",
            ),
            (
                "a deposit is confirmed twice",
                "runtime/cashier_session.py",
                "if record.waits and entry.version not in done:",
                "if record.waits:",
                "test_two_people.py",
            ),
            (
                "payments have no limit",
                "runtime/cashier_session.py",
                "else limits.pay_out",
                "else 10**12",
                "test_two_people.py",
            ),
            (
                "deposits in several processes do not collide",
                "runtime/cashier_session.py",
                "if isinstance(command, Deposit) and not waits and not command.confirms:",
                "if False:",
                "test_money_matrix.py::test_no_cashier_raises_players_money_by_asking_several_processes",
            ),
            (
                "the floor alone cashes a player out of a live table",
                "tables/two_people.py",
                'case CashOut() if actor.role in FLOOR and table.source == "live":',
                "case CashOut() if False:",
                "test_insiders.py",
            ),
            (
                "chips that the floor takes up become cash",
                "tables/two_people.py",
                "return is_absent and controls.has_account",
                "return False",
                "test_insiders.py",
            ),
            (
                "who made the dealer validates the award",
                "runtime/journal_session.py",
                "self._check_award(table, made, controls)",
                "pass",
                "test_insiders.py",
            ),
        )
    ),
    Survivor(
        "a step that does not wait confirms its duties",
        "tables/step_duties.py",
        "return shown(waiting, table, rules, role)\n    return ()",
        "return shown(waiting, table, rules, role)\n    return duties_of(rules, step=step)",
        ("tests/web/tables/test_shown_duties.py",),
    ),
    Survivor(
        "a player lays a coupon at a live table",
        "tables/planning.py",
        'if isinstance(command, PlaceCoupon) and table.by_people_only and actor.role == "player":',
        "if False:",
        ("tests/rules/test_ma_uth_match_play.py",),
    ),
    Survivor(
        "a player lays out folded hands",
        "web/accounts/roles.py",
        '*("operator", "floorperson",',
        '*("player", "operator", "floorperson",',
        ("tests/web/tables/test_history.py",),
    ),
)


@pytest.mark.parametrize("change", SURVIVORS, ids=lambda change: change.name)
def test_a_change_that_once_survived_can_still_be_made(change: Survivor) -> None:
    """The place is there once, and so are the tests."""
    text = (ROOT / "src" / "croupier" / change.file).read_text("utf-8")
    assert text.count(change.old) == 1
    for test in change.tests:
        path, _, name = test.partition("::")
        assert f"def {name}" in (ROOT / path).read_text("utf-8")


@pytest.mark.full
@pytest.mark.parametrize("change", SURVIVORS, ids=lambda change: change.name)
def test_a_change_that_once_survived_fails_a_test(change: Survivor, tmp_path: Path) -> None:
    path = _copied(tmp_path) / change.file
    text = path.read_text("utf-8")
    path.write_text(text.replace(change.old, change.new), "utf-8")
    ran = _run(change.tests, tmp_path)
    assert ran.returncode == 1, f"survived:\n{change.name}\n{ran.stdout[-500:]}"
