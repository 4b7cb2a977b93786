"""A table opened by the book from the command line: approvals, float, slips, close, open again."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.ledger.history.past_rounds import duties_on_record, moments
from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable
from croupier.web.tables.demo import submission_for
from tests.commands.program import EXAMPLES, WHOLE, Ended, croupier

SUBMISSION = EXAMPLES / "submissions/maryland-uth.toml"
FLO, OLGA, DAN = "floorperson:Flo", "operator:Olga", "dealer:Dan"


class Pit:
    def __init__(self, journal: Path) -> None:
        self.journal = journal

    def __call__(self, *words: str | Path) -> Ended:
        return croupier("table", *words, "--journal", self.journal, "--json")

    def open(self, *words: str | Path) -> Ended:
        return self("open", *words, "--as", OLGA)

    def do(self, *words: str, by: str = FLO) -> Ended:
        return self("do", "T1", *words, "--as", by)


@pytest.fixture
def pit(tmp_path: Path) -> Pit:
    return Pit(tmp_path / "journal.db")


def test_a_live_table_opens_with_its_approvals_only(pit: Pit) -> None:
    live = ("md-uth", "--source", "live")
    refused = pit.open(*live)
    assert (refused.code, refused.error["code"]) == (1, "approval_missing")
    assert refused.error["clause"] == "2.B"
    layout = ("--approval", "layout=L-17,2026-11-15,Commission")
    assert pit.open(*live, *layout).error["clause"] == "2.D(1)"
    boxes = ("--approval", "boxes=B-2,2026-11-15,Commission, Maryland")
    assert pit.open(*live, *layout, "--approval", "boxes=B-2").code == 2
    assert pit.open(*live, *layout, *boxes).code == 0


def test_a_float_is_signed_twice_and_the_table_opens_again_on_its_link(pit: Pit) -> None:
    assert pit.open(SUBMISSION, "--float", "100:20,5:200", "--inventory", "1").code == 1
    assert pit.open(SUBMISSION, "--float", "100:20;5").code == 2
    assert pit.open(SUBMISSION, "--float", "100:20,5:200").code == 0
    (waits,) = pit("show", "T1").json["next"]
    assert "Olga counted first" in waits
    assert "sign_count" in waits
    assert pit.do("sign_count", "chips=100:20,5:200", by=OLGA).error["code"] == "not_yours"
    assert pit.do("sign_count", "chips=100:20,5:199").error["code"] == "counts_differ"
    assert pit.do("sign_count", "chips=100:20,5:200").code == 0
    assert pit("close", "T1", "--as", FLO, "--reason", "night", "--count", "100:30").code == 0
    assert pit.do("sign_count", "chips=100:30", by=DAN).code == 0
    assert pit.open("T1").code == 0
    links = croupier("link", "list", "--journal", pit.journal, "--json").json["links"]
    assert [(row["link"], row["tables"]) for row in links] == [("T1", ["T1"])]
    assert pit.open("T1").error["code"] == "already_done"
    assert croupier("verify", "--journal", pit.journal).code in WHOLE


def test_slips_are_numbered_and_printed(pit: Pit) -> None:
    assert pit.open("md-uth").code == 0
    for number, told in ((2, ("fill", "amount=500", "chips=5:100")), (4, ("credit", "amount=25"))):
        assert pit.do(*told).code == 0
        assert pit("slip", "T1", "F-0001" if number == 2 else "C-0001").code == 2, "proposed"
        assert pit.do("confirm", f"number={number}", by=FLO).error["code"] == "not_yours"
        assert pit.do("confirm", f"number={number}", by=DAN).code == 0
    assert pit.do("fill", "amount=5", "slip=F-0001").error["code"] == "slip_used"
    slip = pit("slip", "T1", "F-0001").json
    assert (slip["amount"], slip["chips"]) == ("500.00", {"5.00": 100})
    assert (slip["role"], slip["by"]) == ("floorperson", "Flo")
    assert (slip["second_role"], slip["second"]) == ("dealer", "Dan")
    printed = croupier("table", "slip", "T1", "F-0001", "--journal", pit.journal)
    assert b"100 x $5" in printed.out
    assert b"No. F-0001" in printed.out
    page = croupier("table", "slip", "T1", "C-0001", "--html", "--journal", pit.journal)
    assert b'<article class="slip">' in page.out
    assert pit("slip", "T1", "F-0009").code == 2


def test_a_dealer_at_two_live_tables_takes_the_floors_word(pit: Pit) -> None:
    approved = [f"--approval={name}=A-1,2026-11-15,Commission" for name in ("layout", "boxes")]
    for _ in range(2):
        assert pit.open("md-uth", "--source", "live", *approved).code == 0
    assert pit.do("assign", "role=dealer", "name=Dan").code == 0
    second = ("do", "T2", "assign", "role=dealer", "name=Dan")
    refused = pit(*second, "--as", FLO)
    assert (refused.code, refused.error["code"]) == (1, "deals_elsewhere")
    assert "Dan deals live table T1" in refused.error["message"]
    assert pit(*second, "--as", DAN).error["code"] == "wrong_role"
    assert pit(*second, "also=true", "--as", FLO).code == 0
    assert croupier("verify", "--journal", pit.journal).code in WHOLE


def test_duties_are_on_record_only_if_the_person_names_them(tmp_path: Path) -> None:
    """`table show` prints them with their clauses; a wrong one is refused with the right ones."""
    journal, dan = tmp_path / "j.db", "dealer:Dan"
    opening = OpenTable("L1", "md-uth", submission_for("md-uth"), source="live", inventory=10**7)
    with open_journal(journal) as store:
        House(store).do("L1", opening, Actor("operator", "Olga"))
    printed = croupier("table", "show", "L1", "--as", dan, "--journal", journal, "--json").json
    assert {"3.A(2)", "3.A(3)"} <= {duty["clause"] for duty in printed["duties"]}
    give = ("table", "do", "L1", "receive_deck", "back=red", "cover_cards=2", "--as", dan)
    wrong = croupier(*give, "--duties", "3.A(2),4.B", "--journal", journal)
    assert (wrong.code, "the duties are 3.A(2), 3.A(3)" in wrong.err) == (2, True)
    assert croupier(*give, "--duties", "3.A(2)", "--journal", journal).code == 0
    with open_journal(journal) as store:
        *_, last = moments(store, "L1")
        assert [duty.clause for duty in duties_on_record(last).confirmed] == ["3.A(2)"]
