"""`croupier report`: one record in every form, exact or refused, the same bytes each time."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from inspect import signature
from pathlib import Path

import msgspec
import pytest

from croupier.commands.documents import report as report_command
from croupier.errors import BadRequest
from croupier.reports.mathematics_report.as_html import html_report
from croupier.reports.mathematics_report.charts import convergence_svg
from croupier.reports.mathematics_report.contents import PARTS, assumptions_for, report_of
from croupier.reports.mathematics_report.forms import FORMS, form_of
from croupier.reports.mathematics_report.identity import read_previous
from croupier.reports.mathematics_report.money_part import limit_effects, winnings_of
from croupier.reports.mathematics_report.record import Assumptions, Convergence, Report
from croupier.reports.mathematics_report.source import Source, open_source
from croupier.reports.mathematics_report.wager_figures import main_figures, side_figures
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from tests.commands.program import EXAMPLES, croupier, spawn
from tests.reports.workbooks import computed, sheets_of

ASSUMED = Assumptions(
    date="",
    rounds_per_hour=30,
    seats=6,
    hours=2,
    bet_cents=1500,
    buy_in_cents=30_000,
    hands=2,
    simulated_rounds=0,
    seed="1",
)
QUICK = ("--simulate", "200", "--date", "2026-03-01")


def _made(subject: str | Path, to: Path, *options: str) -> bytes:
    ended = croupier("report", subject, "--to", to, *QUICK, *options)
    assert ended.code == 0, ended.err
    return to.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return msgspec.json.decode(_made("three-card-poker", folder / "a.json"), type=Report)


def test_what_the_command_assumes_is_what_the_designers_page_assumes() -> None:
    command, page = (signature(one).parameters for one in (report_command, assumptions_for))
    for name in ("date", "rounds_per_hour", "seats", "hours", "hands", "seed"):
        assert command[name].default == page[name].default, name
    assert command["simulate"].default == page["simulated_rounds"].default


def test_the_record_has_the_exact_figures(report: Report) -> None:
    assert report.main.moments is not None
    assert report.main.moments.house_edge.exact == "686689/20358520"
    pair_plus = report.sides[0]
    assert pair_plus.moments is not None
    assert pair_plus.moments.expected_value.fraction == Fraction(-128, 5525)
    assert sum(row.combinations for row in pair_plus.outcomes) == pair_plus.moments.combinations
    assert [one.table for one in report.alternatives] == ["A", "B"]


def test_moments_follow_from_the_outcomes(report: Report) -> None:
    found, rows = report.sides[0].moments, report.sides[0].outcomes
    assert found is not None
    nets = [(row.net.fraction, row.probability.fraction) for row in rows]
    mean = sum(net * share for net, share in nets)
    assert found.variance.fraction == sum((net - mean) ** 2 * share for net, share in nets)
    third = sum((net - mean) ** 3 * share for net, share in nets)
    assert found.skewness == pytest.approx(float(third) / found.standard_deviation**3)
    shares = (found.hit_frequency, found.push_frequency, found.loss_frequency)
    assert sum(share.fraction for share in shares) == 1


def test_every_line_of_the_main_game_has_its_true_odds(report: Report) -> None:
    """The Ante Bonus is paid whatever the dealer has: 48 of 22,100 hands are straight flushes."""
    first = next(one for one in report.main.lines if one.family == "ante_bonus")
    assert (first.wager, first.hand, first.pays) == ("Ante Bonus", "Straight flush", "5 to 1")
    assert first.probability.fraction == Fraction(48, 22100)
    assert first.contribution.fraction == Fraction(5 * 48, 22100)
    assert first.true_odds == "459.42 to 1"
    assert first.unit_more == first.probability
    assert report.main.moments is not None
    assert first.combinations == first.probability.fraction * report.main.moments.combinations


def test_lines_of_a_game_whose_bets_may_be_taken_back() -> None:
    """Let It Ride: all three bets ride with the cards of a royal; 4 of 2,598,960 hands are one."""
    source = open_source("let-it-ride", paytables={}, readings={})
    lines = main_figures(source.rules, settles=False).lines
    assert lines[0].probability.fraction == Fraction(4, 2598960)
    assert lines[0].unit_more is not None
    assert lines[0].unit_more.fraction == 3 * lines[0].probability.fraction
    first = [one for one in lines if one.wager == "Bet 1"]
    back = next(one for one in first if one.hand == "Taken back")
    assert (back.result, back.units) == ("push", 0)
    assert back.net.fraction == 0
    assert sum(one.probability.fraction for one in first) == 1


def test_lines_and_actions_of_the_main_game_add_up(report: Report) -> None:
    assert report.main.moments is not None
    value = report.main.moments.expected_value.fraction
    assert sum(one.contribution.fraction for one in report.main.lines) == value
    for wager in {one.wager for one in report.main.lines}:
        lines = [one for one in report.main.lines if one.wager == wager]
        assert sum(one.probability.fraction for one in lines) == 1
    actions = report.strategy.decisions
    assert sum(one.contribution.fraction for one in actions) == value
    fold = next(one for one in actions if one.said == "fold")
    assert fold.value is not None
    assert fold.value.exact == "-1"
    assert fold.contribution.fraction == -fold.probability.fraction


def test_changed_pays_and_their_warnings_stand_on_the_first_page(report: Report) -> None:
    source = open_source("three-card-poker", paytables={}, readings={})
    source = source.paying(["pair_plus.flush=12"])
    made = report_of(source, assumptions_for(source.rules, simulated_rounds=0), without=PARTS)
    who = made.identity
    assert who.pays == {"pair_plus.flush": "12 to 1"}
    assert any("better hand pays less" in said for said in who.warnings)
    assert any("The player has the edge on Pair Plus" in said for said in who.warnings)
    front = html_report(made).decode().partition("</header>")[0]
    assert "pair_plus.flush pays 12 to 1" in front
    assert "The player has the edge on Pair Plus" in front
    assert who.rules_hash != report.identity.rules_hash
    assert "rounds are dealt by rulebook files" in _with_rounds(source).simulation.not_computed


def test_versions_go_on_from_the_report_before_and_are_signed_for_by_hash(
    report: Report, tmp_path: Path
) -> None:
    """The first has no history; the next says what it changed, the one after it that nothing is."""
    assert [one.changes for one in report.history] == [("first version",)]
    before = tmp_path / "before.json"
    before.write_bytes(FORMS[".json"](report))
    source = open_source("three-card-poker", paytables={"pair_plus": "B"}, readings={})
    assumed = assumptions_for(source.rules, date="2026-11-19", simulated_rounds=0)
    previous = read_previous(before, "three-card-poker")
    made = report_of(source, assumed, without=PARTS, previous=previous)
    assert made.history[0] == report.history[0]
    assert made.history[1].number == 2
    assert made.history[1].date == "2026-11-19"
    changes = set(made.history[1].changes)
    assert changes == {
        "pair plus: A to B",
        "the rules in force",
        "Pair Plus: expected value changed",
    }
    again = report_of(source, assumed, without=PARTS, previous=made)
    assert [one.number for one in again.history] == [1, 2, 3]
    assert again.history[2].changes == ("no rule and no figure",)
    page = html_report(made).decode()
    signed = page.partition("Statement of verification</h2>")[2].partition("</section>")[0]
    assert made.identity.rules_hash in signed
    assert "all of them hold" in signed
    assert "pair plus: A to B" in page.partition("Version history</h2>")[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a report in JSON"),
        ("[1", "not a report in JSON"),
        ('{"identity": 3}', "not a report in JSON"),
        (None, "No such file"),
    ],
)
def test_a_previous_version_that_is_none_is_refused(
    text: str | None, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "old.json"
    if text is not None:
        file.write_text(text)
    words = ("report", "three-card-poker", "--to", str(tmp_path / "new.json"))
    ended = croupier(*words, "--previous", str(file), "--json")
    assert ended.code == 2
    assert message in ended.error["message"]
    assert not (tmp_path / "new.json").exists()


def test_the_previous_version_is_of_the_same_game(report: Report, tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_bytes(FORMS[".json"](report))
    with pytest.raises(BadRequest, match="about three-card-poker, not about md-uth"):
        read_previous(file, "md-uth")


def _with_rounds(source: Source) -> Report:
    return report_of(source, assumptions_for(source.rules, simulated_rounds=10), without=PARTS)


def test_intervals_are_counted_where_the_normal_ones_are_wrong(report: Report) -> None:
    """A bonus of 1,000 to 1: in a thousand rounds 95 of 100 players stay within these."""
    counted = {one.wager: one.convergence[0] for one in report.sides}["six_card_bonus"]
    assert counted.exact_low is not None
    assert counted.low < counted.exact_low
    assert (counted.exact_low, counted.exact_high) == (-0.349, 0.209)


def test_the_dots_of_the_interval_chart_stay_inside_its_frame() -> None:
    """Counted ends of Ultimate Texas Hold'em lie above the normal interval."""
    rows = [
        Convergence(rounds=1000, low=-0.328, high=0.284, exact_low=-0.287, exact_high=0.364),
        Convergence(rounds=10_000, low=-0.119, high=0.075, exact_low=None, exact_high=None),
    ]
    drawn = convergence_svg(rows, -0.02185, "Main game", printed=True)
    heights = [float(place) for place in re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', drawn)]
    assert len(heights) == 2
    assert all(44 + 3 <= height <= 300 - 50 - 3 for height in heights)


def test_examples_show_a_win_a_loss_a_tie_and_a_fold(report: Report) -> None:
    shown = {one.shows: one for one in report.rules.examples}
    assert list(shown) == ["win", "loss", "tie", "fold"]
    assert all(one.net_cents == sum(line.net_cents for line in one.lines) for one in shown.values())
    assert {line.result for line in shown["tie"].lines[:2]} == {"push"}


def test_every_check_holds_and_what_is_missing_says_why(report: Report) -> None:
    assert report.method.checks
    assert all(one.holds for one in report.method.checks)
    assert [each.name for each in report.strategy.simple] == ["three-card-poker-published"]
    assert report.strategy.simple_not_computed == ""
    assert report.known_cards[0].value is not None
    assert report.known_cards[0].value.exact == "443162/12724075"


def test_a_game_without_a_simple_strategy_says_so(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    text = read_bundled("three-card-poker", "game.toml")
    path.write_text(text.replace('id = "three-card-poker"', 'id = "own"', 1), "utf-8")
    record = _made(path, tmp_path / "a.json")
    report = msgspec.json.decode(record, type=Report)
    assert "no simple strategy comes with this game" in report.strategy.simple_not_computed
    assert "not computed, because no simple strategy comes" in html_report(report).decode()


def test_html_stands_alone(folder: Path) -> None:
    page = _made("three-card-poker", folder / "a.html").decode()
    for part in ("686689/20358520", "2026-03-01", "Prepared by", "z"):
        assert part in page
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_the_same_input_gives_the_same_bytes(report: Report, folder: Path) -> None:
    """Whatever the file is called, and whether it is worked out anew or not."""
    record = _made("three-card-poker", folder / "b.json")
    assert record == (folder / "a.json").read_bytes()
    again = msgspec.json.decode(record, type=Report)
    for ending in FORMS:
        make = form_of(folder / f"c{ending}")
        assert make(report) == make(again), ending


def test_paper_is_a_pdf_of_many_pages(report: Report) -> None:
    made = form_of(Path("a.pdf"))(report)
    assert made.startswith(b"%PDF-")
    assert int(made.split(b"/Type/Pages/Count ")[1].split(b"/")[0]) > 10


def test_formulas_of_the_workbook_give_the_figures_of_the_record(report: Report) -> None:
    """Every formula is computed anew from the cells it names, and must give the value beside it."""
    sheets = list(sheets_of(form_of(Path("a.xlsx"))(report)))
    formulas = 0
    for cells in sheets:
        for cell in cells.values():
            if cell.formula:
                formulas += 1
                assert computed(cell.formula, cells) == pytest.approx(cell.value, rel=1e-12)
    assert formulas > 100
    edges = {
        cells[name.replace("A", "B")].value
        for cells in sheets
        for name, cell in cells.items()
        if cell.text == "House edge" and name.startswith("A")
    }
    for one in (report.main, *report.sides):
        assert one.moments is not None
        assert one.moments.house_edge.value in edges


@pytest.mark.parametrize(("ending", "package"), [(".pdf", "typst"), (".xlsx", "xlsxwriter")])
def test_a_missing_extra_is_named_before_the_work(
    ending: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    ended = croupier("report", "md-uth", "--to", tmp_path / f"a{ending}")
    assert ended.code == 2
    assert f"{package} is not installed" in ended.err
    assert "pip install '.[reports]'" in ended.err


def test_a_rulebook_that_no_solver_models_says_so(tmp_path: Path) -> None:
    """Two decks are dealt and settled, and not solved."""
    path = tmp_path / "two-decks.toml"
    text = read_bundled("three-card-poker", "game.toml")
    path.write_text(f"{text}\n[deck]\ncopies = 2\nclause = 'two decks'\n", "utf-8")
    found = msgspec.json.decode(_made(path, tmp_path / "a.json"), type=Report)
    assert found.main.moments is None
    assert "deck.copies" in found.main.not_computed
    assert found.simulation.not_computed
    page = html_report(found).decode()
    assert "Main game:</strong> not computed, because" in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["three-card-poker", "--to", "a.doc"], "by the ending of the file's name"),
        (["three-card-poker", "--to", "nowhere/a.html"], "there is no folder nowhere"),
        (["three-card-poker", "--to", "."], "a report is written as"),
        (["three-card-poke", "--to", "a.html"], "did you mean 'three-card-poker'"),
        (["missing.toml", "--to", "a.html"], "missing.toml"),
        (["three-card-poker", "--to", "a.html", "--date", "March"], "as in 2026-03-01"),
        (["three-card-poker", "--to", "a.html", "--bet", "-5"], "the bet must be more than 0"),
        (["three-card-poker", "--to", "a.html", "--bet", "five"], "bet: "),
        (["three-card-poker", "--to", "a.html", "--seats", "9"], "seats is 9"),
        (["three-card-poker", "--to", "a.html", "--without", "edges"], "known are: paytables"),
        (["three-card-poker", "--to", "a.html", "--simulate", "-1"], "simulated rounds is -1"),
    ],
)
def test_a_request_that_makes_no_sense_is_told(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = croupier("report", *words)
    assert ended.code == 2
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_a_submission_that_breaks_a_clause_has_no_report(tmp_path: Path) -> None:
    text = (EXAMPLES / "submissions" / "maryland-uth.toml").read_text("utf-8")
    broken, to = tmp_path / "broken.toml", tmp_path / "a.html"
    broken.write_text(text.replace("reset = 25000", "reset = 1"), "utf-8")
    ended = croupier("report", broken, "--to", to, "--json")
    assert ended.code == 1
    assert not to.exists()
    (finding,) = [one for one in ended.json["findings"] if one["severity"] == "error"]
    assert "progressive.meters.mega.reset is $1, but must be at least" in finding["message"]
    assert finding["clause"] in ended.err


def test_12_F_1_a_payout_limit_shortens_a_wager_from_a_stake_on() -> None:
    """Play the Board pays 1,000 to 1: above $50 a limit of $50,000 is met."""
    path = EXAMPLES / "submissions" / "maryland-uth.toml"
    source = open_source(str(path), paytables={}, readings={})
    figures = side_figures(source.rules, "play_the_board", 2, settles=False)
    (one,) = limit_effects(source.rules, ASSUMED, [figures])
    assert one.binds_from_cents.exact == "5000"
    assert one.edge_with_limit is not None
    lost = one.edge_with_limit.fraction - one.edge_without.fraction
    assert lost == Fraction(4, 2598960) * 500  # at $100 four royals pay 500 to 1


def test_fixed_sums_do_not_grow_with_the_stake() -> None:
    """The Six Card Bonus pays a million dollars, and not a hundred millions at a stake of $100."""
    path = EXAMPLES / "submissions" / "maryland-uth.toml"
    source = open_source(str(path), paytables={}, readings={})
    figures = side_figures(source.rules, "six_card_bonus", 2, settles=False)
    (one,) = winnings_of(source.rules, ASSUMED, [figures])
    assert (one.stake_cents, one.largest_stake_cents) == (500, 10_000)
    assert one.largest_win_cents.exact == "100000000"


def test_what_people_write_is_text_and_nothing_else(tmp_path: Path) -> None:
    """Markup, formulas and control characters in a rulebook's words, in every form."""
    nasty = '=1+1 </title><script>alert(1)</script> #panic("x") $x$ *b* {{7*7}} \x07'
    path = tmp_path / "nasty.toml"
    text = read_bundled("three-card-poker", "game.toml")
    old, written = 'title = "Three Card Poker"', f"title = {json.dumps(nasty)}"
    assert old in text
    path.write_text(text.replace(old, written, 1), "utf-8")
    found = msgspec.json.decode(_made(path, tmp_path / "a.json"), type=Report)
    assert found.identity.title == nasty
    assert "<script" not in html_report(found).decode()
    assert form_of(Path("a.pdf"))(found).startswith(b"%PDF-")
    cells = [cell for sheet in sheets_of(form_of(Path("a.xlsx"))(found)) for cell in sheet.values()]
    assert any(cell.text.startswith("=1+1") for cell in cells)
    assert not any(cell.formula.startswith("1+1") for cell in cells)


def test_a_dash_is_standard_input(tmp_path: Path) -> None:
    """A submission, read once."""
    text = (EXAMPLES / "submissions" / "maryland-235.toml").read_bytes()
    to, options = tmp_path / "a.json", ("--without", "known-cards", "--without", "readings")
    ended = spawn("report", "-", "--to", to, "--simulate", "0", *options, stdin=text)
    assert ended.code == 0, ended.err
    found = msgspec.json.decode(to.read_bytes(), type=Report)
    assert found.identity.operator
    assert "left out (--without readings)" in found.readings_not_computed


@pytest.mark.full
@pytest.mark.parametrize("rulebook", BUNDLED)
def test_every_game_has_a_report(rulebook: str, tmp_path: Path) -> None:
    found = msgspec.json.decode(_made(rulebook, tmp_path / "a.json"), type=Report)
    assert found.main.moments is not None
    assert all(one.holds for one in found.method.checks)
    assert not found.simulation.not_computed


@pytest.mark.full
@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "submissions").glob("*.toml")), ids=lambda path: path.stem
)
def test_every_example_submission_has_a_report(path: Path, tmp_path: Path) -> None:
    found = msgspec.json.decode(_made(path, tmp_path / "a.json"), type=Report)
    assert found.identity.operator
    assert not found.simulation.not_computed
    assert all(one.long_run_return is not None for one in found.progressives)
