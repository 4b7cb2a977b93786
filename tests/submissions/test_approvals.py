"""The regulator's approvals: what each document wants, when, and no live table without."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.rounds.declaration import Actor
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import rules_for, submission_of
from croupier.rulebooks.submission import ApprovalTerms, Submission
from croupier.submissions.approvals import approval_findings, link_approval, needed_approvals
from croupier.tables.commands import OpenTable
from croupier.tables.deciding import open_table
from tests.commands.program import croupier

OLGA = Actor("operator", "Olga")
GIVEN = {"number": "A-1", "date": "2026-11-15", "authority": "Commission"}
MARYLAND = ("md-uth", "md-235", "md-jackpot", "md-wpt")


def needed(rulebook: str, source: str, **options: Any) -> dict[str, str]:
    rules = rules_for(rulebook, "", json.dumps({"options": options, "offered": []}))
    return {one.name: one.clause for one in needed_approvals(rules, source)}  # type: ignore[arg-type]


def opening(rulebook: str, names: list[str], source: str = "live", **options: Any) -> OpenTable:
    terms = {"offered": [], "options": options, "approvals": dict.fromkeys(names, GIVEN)}
    return OpenTable(
        "T1",
        rulebook,
        json.dumps(terms),
        source=source,  # type: ignore[arg-type]
        strict=True,
    )


@pytest.mark.clause("md-uth", "2.B", "2.D(1)")
@pytest.mark.clause("md-jackpot", "2.B", "2.D(1)")
@pytest.mark.clause("md-wpt", "2.B", "2.D(1)")
@pytest.mark.clause("md-235", "2.B", "2.D")
@pytest.mark.parametrize("rulebook", MARYLAND)
def test_2_B_layout_and_boxes_are_approved_before_a_live_table_opens(rulebook: str) -> None:
    boxes = "2.D" if rulebook == "md-235" else "2.D(1)"
    assert needed(rulebook, "live", dealing="hand") == {"layout": "2.B", "boxes": boxes}
    assert needed(rulebook, "virtual", dealing="hand") == {}
    with pytest.raises(Refusal, match="boxes") as refused:
        open_table(opening(rulebook, [], dealing="hand"), OLGA)
    assert (refused.value.code, refused.value.clause) == ("approval_missing", "2.B")
    with pytest.raises(Refusal) as one_left:
        open_table(opening(rulebook, ["layout"], dealing="hand"), OLGA)
    assert one_left.value.clause == boxes
    assert open_table(opening(rulebook, ["layout", "boxes"], dealing="hand"), OLGA)


@pytest.mark.clause("md-uth", "2.E", "5.I", "8.A")
@pytest.mark.clause("md-jackpot", "2.E", "5.I", "8.A")
@pytest.mark.clause("md-wpt", "2.E", "5.I", "8.A")
@pytest.mark.clause("md-235", "2.E", "5.I", "8.A")
@pytest.mark.parametrize("rulebook", MARYLAND)
@pytest.mark.parametrize(
    ("options", "name", "clause"),
    [
        ({"dealing": "manual_shoe", "shuffler": True}, "shoe", "8.A"),
        ({"dealing": "hand", "tip_box_elsewhere": True}, "tip_box", "2.E"),
        (
            {"dealing": "automated_shoe", "shuffler": True, "self_shuffling": True},
            "self_shuffling",
            "5.I",
        ),
    ],
    ids=["8.A", "2.E", "5.I"],
)
def test_an_approval_belongs_to_a_way_of_dealing_or_to_a_device(
    rulebook: str, options: dict[str, Any], name: str, clause: str
) -> None:
    assert needed(rulebook, "live", **options)[name] == clause
    with pytest.raises(Refusal) as refused:
        open_table(opening(rulebook, ["layout", "boxes"], **options), OLGA)
    assert refused.value.clause == clause
    assert open_table(opening(rulebook, ["layout", "boxes", name], **options), OLGA)


@pytest.mark.clause("md-uth", "11.L")
def test_11_L_the_electronic_version_is_an_option_and_needs_its_approval() -> None:
    assert needed("md-uth", "virtual", electronic_version=True) == {"electronic_version": "11.L"}
    with pytest.raises(Refusal) as refused:
        open_table(opening("md-uth", [], "virtual", electronic_version=True), OLGA)
    assert refused.value.clause == "11.L"
    assert open_table(opening("md-uth", [], "virtual"), OLGA)


def test_11_L_the_sign_tells_of_the_electronic_version() -> None:
    from croupier.reports.notices import notices_of

    told = {one.kind: one for one in notices_of(rules_for("md-uth", "", '{"options": {}}'))}
    assert "electronic" not in told
    terms = '{"options": {"electronic_version": true}}'
    told = {one.kind: one for one in notices_of(rules_for("md-uth", "", terms))}
    assert told["electronic"].rule == "11.L"


@pytest.mark.clause("ma-uth", "7(a)", "8(a)", "14(e)", "14(f)")
def test_ma_7_a_and_8_a_the_shoes_of_massachusetts() -> None:
    manual = needed("ma-uth", "live", dealing="manual_shoe", shuffler=True)
    assert manual == {"shoe": "7(a)", "shuffler_failure": "14(e)"}
    automated = needed("ma-uth", "live", dealing="automated_shoe")
    assert automated == {"automated_shoe": "8(a)", "shoe_failure": "14(f)"}


def test_rehearsals_and_the_library_ask_for_none() -> None:
    assert open_table(OpenTable("T1", "md-uth", source="live"), OLGA)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "approvals.layout.number is left out"),
        (GIVEN | {"number": " "}, "approvals.layout.number is ' '"),
        (GIVEN | {"date": "soon"}, "approvals.layout.date is 'soon', which is not a day"),
        (GIVEN | {"date": 3}, "approvals.layout.date is 3"),
        (GIVEN | {"authority": True}, "approvals.layout.authority is True"),
    ],
)
def test_a_malformed_approval_is_a_finding_and_opens_nothing(
    given: dict[str, Any], said: str
) -> None:
    terms = submission_of(json.dumps({"approvals": {"layout": given}}))
    findings = list(approval_findings(load_rulebook("md-uth").default, terms))
    assert findings[0].message.startswith(said)
    assert (findings[0].severity, findings[0].clause) == ("error", "2.B")
    command = opening("md-uth", ["layout", "boxes"], dealing="hand")
    told = json.loads(command.submission)
    told["approvals"]["layout"] = given
    bad = OpenTable("T1", "md-uth", json.dumps(told), source="live", strict=True)
    with pytest.raises(Refusal, match="layout"):
        open_table(bad, OLGA)


def test_an_unknown_approval_is_a_finding() -> None:
    terms = submission_of(json.dumps({"approvals": {"layuot": GIVEN}}))
    (finding,) = approval_findings(load_rulebook("md-uth").default, terms)
    assert "did you mean 'layout'?" in finding.message


def test_a_date_of_toml_is_a_date_and_a_link_between_titles_names_its_approval() -> None:
    terms = Submission(approvals={"link": ApprovalTerms("L-9", date(2026, 11, 15), "Commission")})
    assert list(approval_findings(load_rulebook("md-uth").default, terms)) == []
    assert link_approval(terms) == "L-9, 2026-11-15, Commission"
    assert link_approval(Submission()) == ""


@pytest.mark.parametrize("rulebook", MARYLAND)
def test_8_A_the_shoe_is_asked_for_where_the_way_of_dealing_is_left_to_the_document(
    rulebook: str,
) -> None:
    """The way in force counts, stated or not; and it is the one with the wagers really on offer."""
    rules = rules_for(rulebook, "", '{"offered": []}')
    by_shoe = dealing_name(rules) == "manual_shoe"
    assert ("shoe" in needed(rulebook, "live")) is by_shoe
    unstated = {"approvals": dict.fromkeys(("layout", "boxes"), GIVEN)}
    command = OpenTable("T1", rulebook, json.dumps(unstated), source="live", strict=True)
    if by_shoe:
        with pytest.raises(Refusal) as refused:
            open_table(command, OLGA)
        assert refused.value.clause == "8.A"
    else:
        assert open_table(command, OLGA)


def test_an_approval_of_the_command_line_is_looked_at_like_a_submissions(tmp_path: Path) -> None:
    given = ("table", "open", "md-uth", "--source", "live", "--as", "operator:Olga")
    for said, told in (
        ("layout=L,2026-13-45,C", "write it as 2026-11-15"),
        ("layuot=L,2026-01-05,C", "did you mean 'layout'?"),
    ):
        ended = croupier(*given, "--approval", said, "--journal", tmp_path / "j.db")
        assert ended.code == 2
        assert told in ended.err
