"""The tables that a newcomer finds: their submissions keep the rules they show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.errors import RuleBroken
from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import progressive_wager, rules_for, submission_of
from croupier.runtime.house import House
from croupier.submissions.findings import limit_findings, payout_limit_findings
from croupier.tables.commands import ChangeLimits, OpenTable
from croupier.web.tables.demo import DEMO_TABLES, submission_for

OLA = Actor("operator", "Ola")


@pytest.mark.parametrize("game", DEMO_TABLES)
def test_a_demo_submission_breaks_no_rule_of_amounts(game: str) -> None:
    paper = submission_for(game)
    rules = rules_for(game, "", paper)
    found = [*limit_findings(rules, submission_of(paper)), *payout_limit_findings(rules)]
    assert not [one.message for one in found if one.severity == "error"]
    assert progressive_wager(rules.book) not in rules.limits, "it takes the stakes that are stated"


def test_12_F_1_a_minimum_that_the_payout_limit_does_not_cover_is_told_plainly(
    tmp_path: Path,
) -> None:
    paper = json.loads(submission_for("md-uth"))
    paper["options"]["payout_limit"] = 54_000
    with open_journal(tmp_path / "journal.db") as journal:
        house = House(journal)
        house.do("T1", OpenTable("T1", "md-uth", json.dumps(paper), inventory=10**7), OLA)
        with pytest.raises(RuleBroken) as told:
            house.do("T1", ChangeLimits({"ante": 2_500}), OLA)
        assert (told.value.code, told.value.clause) == ("bad_limits", "12.F(1)")
        assert "payout limit does not fit" in told.value.message
        assert "must be at least $64,025" in told.value.message
        assert "Take another minimum" in told.value.message
        house.do("T1", ChangeLimits(maximum={"trips": 20_000}), OLA)
