"""The designer's API: the same figures as the solvers', and nonsense refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.design.pricing import DesignedTable, open_table, price
from croupier.mathematics.questions.design.search import sensitivities
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.reports.mathematics_report.as_pdf import pdf_report
from croupier.reports.mathematics_report.contents import PARTS, assumptions_for, report_of
from croupier.reports.mathematics_report.source import Source
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.edited_text import with_pays
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.web.app import create_app
from croupier.web.server.problems import TooMany
from croupier.web.server.settings import Settings
from croupier.web.solver import design_work
from croupier.web.solver.design import DesignReports
from croupier.web.solver.design_forms import ReportFile, WantedReport
from croupier.web.solver.design_work import choices_of, edited


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    database = f"sqlite:///{tmp_path_factory.mktemp('designs')}/journal.db"
    with TestClient(create_app(Settings(database, demo_tables=False))) as client:
        token = client.get("/api/v1/me").json()["csrf"]
        client.headers["X-CSRF-Token"] = token
        came = client.post("/api/v1/guests", json={})
        client.headers["X-CSRF-Token"] = came.json()["csrf"]
        yield client


def _asked(client: TestClient[Litestar], path: str, body: object) -> Any:
    last = monotonic() + 120
    while (answer := client.post(f"/api/v1/designs/{path}", json=body)).status_code == 202:
        assert monotonic() < last
        sleep(0.1)
    return answer


def test_a_changed_side_wager_has_the_figures_of_the_same_rulebook_file(
    client: TestClient[Litestar], tmp_path: Path
) -> None:
    body = {"family": "trips", "table": "A", "pays": {"flush": "6"}}
    found = _asked(client, "md-uth/price", body).json()
    saved = _asked(client, "md-uth/rulebook", {**body, "name": "harbour"}).json()
    rules = put_in_force(rulebook_from(saved["toml"], "harbour.toml"), Submission())
    assert rules.book.id == "harbour"
    assert found["expected_value_exact"] == analyze(rules, "trips")["expected_value_exact"]
    assert found["pays"]["flush"] == "6 to 1"


def test_what_one_unit_more_takes_off_is_the_difference() -> None:
    now = price(DesignedTable("md-uth", "trips", "A"))
    more = price(DesignedTable("md-uth", "trips", "A", (("straight", "5"),)))
    moved = Fraction(more.expected_value_exact) - Fraction(now.expected_value_exact)
    assert now.per_unit["straight"] == pytest.approx(float(moved), abs=1e-12)


def test_what_one_unit_more_on_the_blind_takes_off_the_main_games_edge() -> None:
    printed = price(DesignedTable("md-uth", "blind", "A")).per_unit
    assert (round(printed["straight"], 6), round(printed["flush"], 6)) == (0.037278, 0.025715)
    changed = DesignedTable("md-uth", "blind", "A", (("less_than_straight", "1/2"),))
    table, question = open_table(changed)
    lines = OpenTable.of(table.filled((Fraction(1, 2),)), question.family, "A", [])
    exact = sensitivities(lines, "main")
    assert exact is not None
    assert price(changed).per_unit == {hand: float(one) for hand, one in exact.items()}
    rest = "less_than_straight"
    assert float(exact[rest]) > printed[rest] + 0.001, "fewer hands are folded"


def test_the_report_of_a_changed_table_is_the_commands(client: TestClient[Litestar]) -> None:
    """What the page downloads is what `croupier report` writes about the saved file."""
    body = {"family": "pair_plus", "table": "A", "pays": {"flush": "4"}, "name": "harbour"}
    answer = _asked(client, "three-card-poker/report", {**body, "date": "2026-11-16"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    text = _asked(client, "three-card-poker/rulebook", body).json()["toml"]
    chosen = Submission(paytables={"pair_plus": "A"})
    source = Source("harbour.toml", text, rulebook_from(text, "harbour.toml"), chosen, False)
    assumed = assumptions_for(source.rules, date="2026-11-16")
    assert answer.content == pdf_report(report_of(source, assumed, without=PARTS))


def test_without_a_typesetter_the_report_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `make run` installs it."""
    monkeypatch.setattr(design_work, "has_typst", lambda: False)
    made = design_work.report_file(DesignedTable("three-card-poker", "pair_plus", "A"), "mine", "")
    assert made.media_type == "text/html"
    assert made.content.startswith(b"<!doctype html>")
    assert b"2.3167%" in made.content


@pytest.mark.parametrize("what", ["report", "rulebook"])
def test_a_changed_table_never_goes_by_a_printed_ones_id(
    client: TestClient[Litestar], what: str
) -> None:
    answer = _asked(client, f"md-uth/{what}", {**TRIPS, "name": "md-uth"})
    assert (answer.status_code, "another id" in answer.json()["message"]) == (400, True)


@pytest.mark.parametrize("date", ["2026-13-01", "tomorrow", "1/2/2026", "2026-11-16x"])
def test_a_report_without_a_real_date_is_refused(client: TestClient[Litestar], date: str) -> None:
    answer = _asked(client, "md-uth/report", {**TRIPS, "date": date})
    assert answer.status_code == 400


def _reports(count: int) -> list[WantedReport]:
    tables = [DesignedTable("md-uth", "trips", "A", (("flush", str(n)),)) for n in range(count)]
    return [WantedReport(table, "mine", "") for table in tables]


def _kinds(asked: Callable[[DesignReports, list[Future[Any]]], Awaitable[list[Any]]]) -> list[str]:
    """What a queue answered whose process works out nothing by itself: its work is listed."""
    begun: list[Future[Any]] = []

    async def ask() -> list[Any]:
        reports = DesignReports()

        def run(_: object, given: object) -> Future[Any]:
            begun.append(Future())
            begun[-1].given = given  # type: ignore[attr-defined]
            return begun[-1]

        reports.run = run  # type: ignore[assignment,method-assign]
        return await asked(reports, begun)

    return [type(one).__name__ for one in asyncio.run(ask())]


def test_of_one_person_one_report_is_made_and_one_waits() -> None:
    async def asked(reports: DesignReports, _: object) -> list[Any]:
        ask = [reports.ask_as("ann", one, 0.0) for one in (*_reports(4), _reports(1)[0])]
        return [(await asyncio.gather(one, return_exceptions=True))[0] for one in ask]

    assert _kinds(asked) == ["NoneType"] * 2 + ["TooMany"] * 2 + ["NoneType"]


def test_whoever_was_served_longest_ago_comes_next() -> None:
    """Ann always has a question waiting; Ben and Cat come in their turn all the same."""
    wanted = _reports(9)
    order: list[WantedReport] = []

    async def asked(reports: DesignReports, begun: list[Future[Any]]) -> list[Any]:
        for who, n in (("ann", 0), ("ann", 1), ("ben", 2), ("cat", 3)):
            await reports.ask_as(who, wanted[n], 0.0)
        for n in range(4, 9):
            begun[-1].set_result(ReportFile("text/html", b""))
            await asyncio.sleep(0.01)
            with suppress(TooMany):
                await reports.ask_as("ann", wanted[n], 0.0)
        order.extend(one.given for one in begun)  # type: ignore[attr-defined]
        return []

    _kinds(asked)
    assert order[:4] == [wanted[0], wanted[2], wanted[3], wanted[1]]


def test_a_question_that_waits_is_not_forgotten_for_newer_ones() -> None:
    """Only answers are: `remembered` of them."""

    async def asked(reports: DesignReports, begun: list[Future[Any]]) -> list[Any]:
        reports.answers.most = 2
        wanted = _reports(6)
        for n, one in enumerate(wanted):
            await reports.ask_as(f"person {n}", one, 0.0)
        for _ in wanted:
            begun[-1].set_result(ReportFile("text/html", b""))
            await asyncio.sleep(0.01)
        return [len(begun), await reports.ask_as("person 5", wanted[5], 0.0)]

    assert _kinds(asked) == ["int", "ReportFile"]


def test_a_target_is_searched_among_the_lines_that_are_open(client: TestClient[Litestar]) -> None:
    body = {"family": "trips", "table": "A", "vary": ["flush=5..9"], "edge": "0..4"}
    found = _asked(client, "md-uth/search", body).json()
    assert found["searched"] == 5
    assert found["found"] == len(found["tables"]) > 0
    assert all(0 <= one["house_edge"] <= 0.04 for one in found["tables"])
    none = _asked(client, "md-uth/search", {**body, "edge": "60..61"}).json()
    assert none["found"] == 0
    assert none["nearest"]


def test_tables_of_several_wagers_hit_a_target_together(client: TestClient[Litestar]) -> None:
    """A changed line that does not vary stays as it is; a bonus that pays 0 is saved without it."""
    plus = {"family": "pair_plus", "table": "A", "pays": {"flush": "3"}, "vary": ["straight=5..6"]}
    bonus = {"family": "ante_bonus", "table": "only", "vary": ["straight=0..1"]}
    body = {"tables": [plus, bonus], "stakes": {"main": "10", "pair_plus": "5"}, "hold": "0..9"}
    found = _asked(client, "three-card-poker/together", body).json()
    assert (found["searched"], found["found"]) == (4, len(found["designs"]))
    assert {each["pays"]["pair_plus"]["flush"] for each in found["designs"]} == {"3 to 1"}
    unpaid = [
        one for one in found["designs"] if one["pays"]["ante_bonus"]["straight"] == "not paid"
    ]
    asked = DesignedTable("three-card-poker", "ante_bonus", "only", (("straight", "0"),))
    book = rulebook_from(edited(asked, "mine"), "mine.toml")
    alone = analyze(put_in_force(book, Submission()), "main")
    assert {one["edges"]["main"] for one in unpaid} == {alone["house_edge"]}
    assert price(asked).house_edge == alone["house_edge"]
    none = _asked(client, "three-card-poker/together", {**body, "hold": "", "edges": {"x": "1"}})
    assert (none.status_code, "pair_plus" in none.json()["message"]) == (422, True), none.text


TRIPS = {"family": "trips", "table": "A"}
MANY = ["flush=1..99999", "straight=1..9"]


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("md-uth/price", {"family": "nope", "table": "A"}, 422, "trips"),
        ("md-uth/price", {"family": "trips", "table": "Z"}, 422, "table"),
        ("md-uth/price", {**TRIPS, "pays": {"flush": "-2"}}, 422, "flush"),
        ("md-uth/price", {**TRIPS, "pays": {"flush": "9" * 9}}, 422, "at most"),
        ("md-uth/price", {**TRIPS, "pays": {"full moon": "1"}}, 422, "line"),
        (
            "md-uth/price",
            {"family": "progressive", "table": "A", "pays": {"royal_flush": "1"}},
            422,
            "meter",
        ),
        ("md-uth/search", {**TRIPS, "vary": ["flush=1..9"], "edge": "x"}, 422, "edge"),
        ("md-uth/search", {**TRIPS, "vary": MANY, "edge": "1"}, 422, "narrow"),
        ("md-uth/rulebook", {**TRIPS, "name": "../x"}, 422, "small letters"),
        ("no-such/price", TRIPS, 404, "no rulebook"),
    ],
)
def test_nonsense_is_refused_in_words(
    client: TestClient[Litestar], path: str, body: object, status: int, told: str
) -> None:
    answer = _asked(client, path, body)
    assert answer.status_code in (status, 400), answer.text
    assert told in answer.json()["message"]


def test_a_stranger_starts_no_work(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(f"sqlite:///{tmp_path}/j.db", demo_tables=False))) as one:
        assert one.get("/api/v1/designs/md-uth").status_code == 401


def test_a_line_pays_one_amount_and_the_refusal_names_no_option(
    client: TestClient[Litestar],
) -> None:
    for pay in ("1/0", "3..5", "٣"):
        answer = _asked(client, "md-uth/price", {**TRIPS, "pays": {"flush": pay}})
        assert answer.status_code == 400
        assert "as in 6 or 7/2" in answer.json()["message"]
        assert "--" not in answer.json()["message"]


@pytest.mark.parametrize("most", [2, pytest.param(None, marks=pytest.mark.full)])
@pytest.mark.parametrize("rulebook", BUNDLED)
def test_every_table_of_every_game_can_be_chosen_and_saved(rulebook: str, most: int | None) -> None:
    for family in choices_of(rulebook).families:
        for table, lines in list(family.tables.items())[:most]:
            odds = [line for line in lines if line.units]
            if not odds:
                continue
            asked = DesignedTable(rulebook, family.family, table, ((odds[-1].hand, "17"),))
            book = rulebook_from(edited(asked, "mine"), "mine.toml").default
            written = {line.hand: line.pays for line in book.paytables[family.family][table].lines}
            assert written[odds[-1].hand] == "17 to 1"


def test_only_the_named_table_changes() -> None:
    text = with_pays(read_bundled("md-uth", "game.toml"), "x", "trips", "B", {"flush": "9 to 1"})
    book, printed = rulebook_from(text, "x.toml").default, load_rulebook("md-uth").default
    assert book.paytables["trips"]["A"] == printed.paytables["trips"]["A"]
    assert book.paytables["trips"]["B"] != printed.paytables["trips"]["B"]
