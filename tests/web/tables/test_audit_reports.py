"""The auditor verifies from the page, looks at a shift, and takes everything away."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from croupier.ledger.checkpoints.checkpoints import take_checkpoint
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.verification.verify import verify
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.hidden import cards_in
from tests.web.kit import PATIENCE, Caller
from tests.web.tables.test_audit import BY_HAND, UTH, play_round


@pytest.fixture
def played(start: Start) -> tuple[Server, Caller]:
    server = start(pace=BY_HAND)
    ann, flo = server.guest(), server.staff("floorperson", "flo")
    ann.sit(UTH, 1)
    play_round(ann, UTH)
    ann.refused(UTH, 403, "wrong_role", type="fill", amount="70.00", slip="F-1")
    ann.do(UTH, type="tip", amount="5.00")
    flo.do(UTH, type="fill", amount="2500.00", slip="F-7")
    flo.do(UTH, type="credit", amount="300.00", slip="C-1")
    server.sign()
    return server, ann


# -- verification ----------------------------------------------------------------------------------


def verified(who: Caller, *, until: str = "") -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = who.get("/audit/verify")
        if found["state"] != "running" or (until and found["state"] == until):
            return found
        time.sleep(0.05)
    raise AssertionError("the verification does not end")


def test_green_means_what_verify_means(played: tuple[Server, Caller]) -> None:
    server, _ = played
    otto = server.staff("auditor", "otto")
    assert otto.get("/audit/verify")["state"] == "none"
    begun = otto.call("POST", "/audit/verify")
    assert (begun.status, begun.body["started_by"]) == (202, "auditor otto")
    found = verified(otto)
    expected = verify(server.pit.journal)
    assert expected.valid
    assert found["state"] == expected.verdict, found
    assert (found["entries"], found["rounds"]) == (expected.entries, expected.rounds)
    assert (found["total"], found["percent"]) == (expected.entries, 100.0)
    assert otto.get("/audit/verify/differences") == {"differences": [], "after": None}


def test_every_difference_is_listed(played: tuple[Server, Caller], tmp_path: Path) -> None:
    server, _ = played
    with sqlite3.connect(tmp_path / "journal.db") as behind:
        behind.execute("DROP TRIGGER entries_never_change")
        behind.execute("UPDATE entries SET kind = 'forged' WHERE stream = 'table:md-uth'")
        behind.execute("UPDATE balances SET cents = cents + 1")
    otto = server.staff("surveillance", "otto")
    otto.call("POST", "/audit/verify")
    found = verified(otto)
    expected = verify(server.pit.journal)
    assert found["state"] == "differs"
    assert found["differences"] == len(expected.differences) > 20
    listed: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = otto.get(f"/audit/verify/differences?limit=7&after={after}")
        listed += page["differences"]
        after = page["after"]
    assert [one["message"] for one in listed] == [one.message for one in expected.differences]


def test_the_auditor_gives_back_a_checkpoint_that_was_kept(played: tuple[Server, Caller]) -> None:
    server, _ = played
    otto = server.staff("auditor", "otto")
    take_checkpoint(server.pit.journal, machine_key())
    kept = otto.get("/audit/checkpoint")["checkpoint"]
    assert kept["size"] > 0
    otto.call("POST", "/audit/verify", {"since": json.dumps(kept)})
    found = verified(otto)
    assert found["state"] == "anchored", found
    assert "It goes on from the 1 checkpoint that you gave." in found["message"]
    other = take_checkpoint(server.pit.journal, machine_key())
    assert other is not None
    odd = msgspec.to_builtins(other) | {"size": other.size + 1}
    otto.call("POST", "/audit/verify", {"since": json.dumps(odd)})
    assert verified(otto)["state"] == "differs"
    bad = otto.call("POST", "/audit/verify", {"since": "{}"})
    assert (bad.status, bad.body["code"]) == (400, "bad_data")
    assert server.guest().call("GET", "/audit/checkpoint").status in (401, 403)


def test_one_verification_at_a_time_and_it_can_be_stopped(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process never gets to walk: what is told of it is all there is."""
    import subprocess

    from croupier.web.tables import verification as verifying

    def sleeper(*_: object) -> Any:
        return subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE)

    monkeypatch.setattr(verifying, "_spawn", sleeper)
    server = start(pace=BY_HAND)
    otto, olga = server.staff("auditor", "otto"), server.staff("operator", "olga")
    assert otto.call("POST", "/audit/verify").body["state"] == "running"
    second = olga.call("POST", "/audit/verify")
    assert (second.status, second.body["code"]) == (409, "not_now")
    assert "auditor otto" in second.body["message"]
    olga.call("DELETE", "/audit/verify")
    run = verifying._Run(server.pit.journal, 1, ())
    assert verifying._change(server.pit.journal, 1), "it hears that it is to stop"
    run._stop.set()
    with pytest.raises(verifying._Stopped):
        run._heard(1000)
    monkeypatch.setattr(verifying, "SILENT_SECONDS", -1.0)
    gone = otto.get("/audit/verify")
    assert gone["state"] == "failed"
    assert "start it again" in gone["message"]


def test_a_verification_that_is_stopped_says_so(played: tuple[Server, Caller]) -> None:
    server, _ = played
    otto = server.staff("auditor", "otto")
    otto.call("POST", "/audit/verify")
    otto.call("DELETE", "/audit/verify")
    assert verified(otto)["state"] in ("stopped", "anchored", "unanchored")


def test_nobody_else_verifies_or_exports(played: tuple[Server, Caller]) -> None:
    server, ann = played
    for who in (ann, server.staff("dealer"), server.staff("floorperson")):
        assert who.call("POST", "/audit/verify").status == 403
        assert who.call("DELETE", "/audit/verify").status == 403
        for path in ("verify", "verify/differences", "export", "shift?since=2026-01-01T00:00:00Z"):
            assert who.call("GET", f"/audit/{path}").status == 403, path


# -- exports ---------------------------------------------------------------------------------------


def exported(who: Caller, **asked: str) -> str:
    found = who.call("GET", f"/audit/export?{urlencode(asked)}")
    assert found.status == 200, found
    assert "attachment" in found.headers["content-disposition"]
    text = found.body
    assert isinstance(text, str)
    return text


def test_everything_is_exported_and_the_command_line_says_the_same(
    played: tuple[Server, Caller], tmp_path: Path
) -> None:
    server, ann = played
    otto = server.staff("auditor", "otto")
    lines = exported(otto, what="entries").splitlines()
    entries = [json.loads(line) for line in lines]
    assert len(entries) == verify(server.pit.journal).entries
    kinds = {one["stream"].partition(":")[0] for one in entries}
    assert {"table", "link", "attempts"} <= kinds
    streams = [one["stream"] for one in entries if one["stream"].startswith("table:")]
    assert [one["stream"] for one in entries][: len(streams)] == streams, "tables first, as ever"
    (tried,) = [one for one in entries if one["stream"] == f"attempts:{UTH}"]
    assert (tried["by"], tried["code"]) == (f"player {ann.name}", "wrong_role")
    journal = str(tmp_path / "journal.db")
    done = croupier("export", "--journal", journal)
    assert done.text.splitlines() == lines
    for what in ("wagers", "transfers", "attempts", "tables", "links"):
        for form in ("jsonl", "csv"):
            page = exported(otto, what=what, format=form, table=UTH)
            cli = croupier("export", UTH, "--what", what, "--format", form, "--journal", journal)
            assert cli.text == page
            assert page


def test_transfers_as_csv_add_up_to_the_balances(played: tuple[Server, Caller]) -> None:
    server, _ = played
    otto = server.staff("auditor", "otto")
    rows = csv.DictReader(io.StringIO(exported(otto, what="transfers", format="csv")))
    sums: dict[str, float] = {}
    for row in rows:
        cents = round(float(row["amount"]) * 100)
        sums[row["source"]] = sums.get(row["source"], 0) - cents
        sums[row["target"]] = sums.get(row["target"], 0) + cents
    assert sums == server.pit.journal.balances()


def test_an_export_during_a_round_shows_no_card_that_lies_face_down(start: Start) -> None:
    server = start(pace=BY_HAND)
    ann, otto = server.guest(), server.staff("auditor", "otto")
    ann.sit(UTH, 1)

    def look() -> None:
        for what in ("entries", "tables", "attempts", "wagers"):
            text = exported(otto, what=what, format="csv", table=UTH)
            assert not cards_in(text) & set(server.pit.table(UTH).table.round.seats[0].cards)
            assert (salt := server.pit.table(UTH).table.round.salt) == "" or salt not in text

    play_round(ann, UTH, look)


@pytest.mark.parametrize("query", ["what=secrets", "format=pdf"])
def test_an_export_of_nonsense_is_told_so(server: Server, query: str) -> None:
    found = server.staff("auditor", "otto").call("GET", f"/audit/export?{query}")
    assert found.status == 400


# -- a shift ---------------------------------------------------------------------------------------


def test_a_shift_counts_drop_win_fills_credits_tips_and_pace(
    played: tuple[Server, Caller], tmp_path: Path
) -> None:
    server, ann = played
    otto = server.staff("auditor", "otto")
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    (found,) = otto.get(f"/audit/shift?{urlencode({'since': since, 'table': UTH})}")["tables"]
    assert (found["fills"], found["credits"], found["tips"]) == ("2500.00", "300.00", "5.00")
    assert (found["drop"], found["rounds"], found["refused"]) == ("1000.00", 1, 1)
    # What Ann does not have any more the table has won, but for her tip.
    rack = float(ann.view(UTH)["me"]["rack"])
    assert float(found["win"]) == pytest.approx(1000 - rack - 5)
    assert found["hold"] == pytest.approx(float(found["win"]) / 10, abs=0.1)
    (dealer,) = found["dealers"]
    assert (dealer["dealer"], dealer["rounds"]) == ("software", 1)
    told = croupier(
        "journal",
        "shift",
        UTH,
        "--since",
        since,
        "--json",
        "--journal",
        str(tmp_path / "journal.db"),
    )
    assert json.loads(told.text)["tables"] == [found]


def test_a_shift_that_makes_no_sense_is_told_so(server: Server) -> None:
    otto = server.staff("auditor", "otto")
    for query in (
        "since=yesterday",
        "since=2020-01-01T00:00:00Z",
        "",
        "since=2100-01-01T00:00:00Z",
    ):
        assert otto.call("GET", f"/audit/shift?{query}").status == 400, query
