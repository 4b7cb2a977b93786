"""What an operator must see and can do: a full disk, figures, logs, copies, a changed program."""

from __future__ import annotations

import json
import logging
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.maintenance.backups import back_up, restore
from croupier.ledger.verification.verify import verify
from croupier.runtime.selfcheck import PROGRAMS, SelfCheck, check_installation, note_program
from croupier.web.accounts.people import People
from croupier.web.server.journal_probe import LOW_BYTES, Probe
from croupier.web.server.logs import JsonFormatter, log_fields
from tests.commands.program import ROOT, croupier
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, PATIENCE, settings
from tests.web.real import Client, workers

UTH = "md-uth"


# -- health ----------------------------------------------------------------------------------------


def test_health_and_ready(server: Server) -> None:
    stranger = server.stranger()
    health = stranger.get("/health")
    assert (health["status"], health["journal"]) == ("ok", "ok")
    assert health["tables"] == len(stranger.get("/tables")["tables"])
    ready = stranger.get("/ready")
    assert ready["status"] == "ready"
    assert ready["disk_free_bytes"] > 0


def test_a_disk_that_is_nearly_full_is_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = Probe(True, "the disk is nearly full: 5 MiB are left", LOW_BYTES - 1)
    monkeypatch.setattr("croupier.web.tables.pit.probe_journal", lambda *_: low)
    health = server.stranger().get("/health")
    assert (health["status"], health["journal"]) == ("impaired", "low")
    assert "nearly full" in health["words"]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="prlimit is Linux's")
def test_a_full_disk_is_noticed_and_nothing_is_lost(tmp_path: Path) -> None:
    """No file of the server may grow any more, as on a full disk; then there is room again."""
    database = tmp_path / "journal.db"
    with workers(settings(database), 1, tmp_path) as (one,):
        ann = Client(one.port).come_in()
        ann.do(UTH, type="take_seat", seat=1)
        process = one.process.pid
        before = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, before[1]))
        time.sleep(2.1)  # the last probe is remembered for so long
        assert Client(one.port).call("GET", "/ready").status == 503
        health = Client(one.port).call("GET", "/health")
        assert (health.status, health.body["journal"]) == (200, "unwritable")
        assert ann.send(UTH, key="one", type="buy_in", amount="10.00").status == 503
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)
        end = time.monotonic() + PATIENCE
        while ann.send(UTH, key="one", type="buy_in", amount="10.00").status != 200:
            assert time.monotonic() < end
            time.sleep(0.2)
        time.sleep(2.1)
        assert Client(one.port).call("GET", "/ready").status == 200
    with open_journal(str(database)) as store:
        assert verify(store).valid


# -- figures and logs ------------------------------------------------------------------------------


def test_metrics_are_text_that_prometheus_reads(start: Start) -> None:
    server = start()
    ann = server.guest()
    ann.sit(UTH, 1)
    olga = server.staff("operator", "olga")
    assert server.client.get("/metrics").status_code == 403
    got = server.client.get("/metrics", headers={"Cookie": olga.cookie})
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")
    figures = dict(
        line.rsplit(" ", 1) for line in got.text.splitlines() if not line.startswith("#")
    )
    assert float(figures["croupier_seats_taken"]) == 1
    assert float(figures["croupier_tables_open"]) == len(olga.get("/tables")["tables"])
    assert float(figures['croupier_requests_total{status="2xx"}']) >= 4
    assert float(figures['croupier_requests_total{status="4xx"}']) == 1
    assert float(figures["croupier_request_seconds_count"]) >= 5
    assert ann.name not in got.text, "figures name nobody"
    typed = {line.split(" ")[2] for line in got.text.splitlines() if line.startswith("# TYPE")}
    named = {name.partition("{")[0] for name in figures}
    ends = ("_bucket", "_sum", "_count")
    assert all(
        name in typed or any(name.removesuffix(end) in typed for end in ends) for name in named
    )


def test_a_log_line_is_one_json_object() -> None:
    record = logging.getLogger("croupier.web").makeRecord(
        *("croupier.web", logging.INFO, "f", 1, "two\nlines %s", ("♠",), None),
        extra=log_fields(person="flo", code="x"),
    )
    text = JsonFormatter().format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert (line["level"], line["message"], line["person"]) == ("info", "two\nlines ♠", "flo")


def test_a_server_logs_sign_ins_and_no_passwords(tmp_path: Path) -> None:
    told_settings = settings(tmp_path / "journal.db", log_format="json")
    with open_journal(told_settings.database) as store:
        People(store, told_settings).add("flo", "floorperson", PASSWORD)
    with workers(told_settings, 1, tmp_path) as (one,):
        Client(one.port).sign_in("flo")
        eve = Client(one.port)
        eve.csrf = eve.call("GET", "/me").body["csrf"]
        eve.call("POST", "/session", {"name": "typed-password-here", "password": "y" * 12})
    text = (tmp_path / "worker-0.log").read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    said = {line["message"]: line for line in lines}
    assert said["signed in"]["person"] == "flo"
    assert said["sign-in refused"]["code"] == "wrong_password"
    assert PASSWORD not in text
    assert "typed-password-here" not in text


# -- copies ----------------------------------------------------------------------------------------


def test_a_journal_is_copied_while_it_is_played(start: Start, tmp_path: Path) -> None:
    server = start()
    server.staff("operator", "olga")
    ann = server.guest()
    ann.sit(UTH, 1)
    file = tmp_path / "copy.db"
    done = back_up(server.pit.journal, file)
    assert done.valid
    assert file.stat().st_mode & 0o077 == 0, "for its owner only"
    with sqlite3.connect(file) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert "web_people" in names
    assert "web_sessions" not in names
    ann.bet(UTH, 1)
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    target = tmp_path / "restored.db"
    assert restore(file, str(target)).entries == done.entries
    with open_journal(str(target)) as store:
        assert verify(store).valid
        people = People(store, settings(target))
        assert [row.name for row in people.listed()] == ["olga"]
        assert people.sign_in("olga", PASSWORD).role == "operator"


def test_a_copy_goes_to_postgres_and_comes_back(
    start: Start, postgres_url: str, tmp_path: Path
) -> None:
    server = start()
    server.guest().sit(UTH, 1)
    server.staff("operator", "olga")
    done = back_up(server.pit.journal, tmp_path / "one.db")
    assert restore(tmp_path / "one.db", postgres_url).valid
    with open_journal(postgres_url) as store:
        again = back_up(store, tmp_path / "two.db")
        People(store, settings(postgres_url)).add("flo", "dealer", PASSWORD)
        assert verify(store).valid
    assert (again.valid, again.entries) == (True, done.entries)
    with open_journal(str(tmp_path / "two.db")) as store:
        assert [row.name for row in People(store, settings("x")).listed()] == ["olga"]


def test_what_does_not_verify_is_no_backup(start: Start, tmp_path: Path) -> None:
    server = start()
    server.guest().sit(UTH, 1)
    good = tmp_path / "good.db"
    assert back_up(server.pit.journal, good).valid
    bad = tmp_path / "bad.db"
    shutil.copy(good, bad)
    with sqlite3.connect(bad) as connection:
        connection.execute("DROP TRIGGER entries_never_change")
        connection.execute("UPDATE entries SET at = '2020-01-01T00:00:00.000000Z'")
    connection.close()
    assert not restore(bad, str(tmp_path / "target.db")).valid
    assert not (tmp_path / "target.db").exists()
    with open_journal(str(bad)) as store:
        assert not back_up(store, tmp_path / "copy.db").valid
    assert not (tmp_path / "copy.db").exists()


def test_the_commands_say_what_they_did(start: Start, tmp_path: Path) -> None:
    server = start()
    server.guest().sit(UTH, 1)
    file = tmp_path / "copy.db"
    done = croupier("backup", file, "--journal", server.pit.journal.name)
    assert done.code == 0
    assert "verified" in done.text
    assert croupier("backup", file, "--journal", server.pit.journal.name).code == 2, "it is there"
    again = croupier("restore", file, "--to", tmp_path / "new.db", "--json")
    assert (again.code, again.json["valid"]) == (0, True)
    assert croupier("restore", file, "--to", tmp_path / "new.db").code == 2, "it is not empty"
    assert croupier("restore", tmp_path / "none.db", "--to", tmp_path / "other.db").code == 2


# -- the program itself ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as a wheel installs it: its files, and a record of them."""
    site = tmp_path_factory.mktemp("site")
    skip = shutil.ignore_patterns("__pycache__", "*.pyc", "static", "rulebooks", "mathematics")
    shutil.copytree(ROOT / "src/croupier", site / "croupier", ignore=skip)
    import base64
    import hashlib

    info = site / "croupier-9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: croupier\nVersion: 9.9\n")
    lines = []
    for path in sorted((site / "croupier").rglob("*")):
        if path.is_file():
            raw = hashlib.sha256(path.read_bytes()).digest()
            digest = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
            lines.append(f"{path.relative_to(site)},sha256={digest},{path.stat().st_size}")
    (info / "RECORD").write_text("\n".join(lines) + "\n")
    return site


def _checked(site: Path) -> SelfCheck:
    program = (
        "import sys, json, msgspec; from pathlib import Path\n"
        "from importlib import metadata\n"
        f"found = metadata.Distribution.at(Path({str(site)!r}) / 'croupier-9.9.dist-info')\n"
        "metadata.distribution = lambda _: found\n"
        "from croupier.runtime.selfcheck import check_installation\n"
        f"print(msgspec.json.encode(check_installation(Path({str(site)!r}) / 'croupier')).decode())"
    )
    import msgspec

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=os.environ
    )
    return msgspec.json.decode(done.stdout, type=SelfCheck)


def test_a_changed_program_is_found(installed: Path) -> None:
    assert _checked(installed).state == "whole"
    dealing = installed / "croupier/rounds/dealing.py"
    target = dealing if dealing.exists() else installed / "croupier/money.py"
    text = target.read_text("utf-8")
    target.write_text(text + "\n# one more line\n", "utf-8")
    (installed / "croupier/extra.py").write_text("", "utf-8")
    (installed / "croupier/cards.py").rename(installed / "croupier/cards.txt")
    found = _checked(installed)
    assert found.state == "differs"
    assert found.changed == (target.relative_to(installed).as_posix(),)
    assert found.added == ("croupier/cards.txt", "croupier/extra.py")
    assert found.missing == ("croupier/cards.py",)


def test_a_server_loads_no_mathematics() -> None:
    """Kernels and their compiler take 130 MB and seconds: advice has a process of its own."""
    program = "import sys, croupier.web.app; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"False", b"False"]


def test_sources_have_no_record_and_say_so() -> None:
    done = croupier("selfcheck", "--json")
    assert done.code == 0
    assert done.json["state"] == "unrecorded"
    assert done.json["digest"] == check_installation().digest


def test_versions_that_ran_are_in_the_journal(start: Start) -> None:
    journal = start().pit.journal
    first = SelfCheck("whole", "1.0", 3, "a" * 64)
    assert note_program(journal, first)
    assert not note_program(journal, first), "the same again is no news"
    assert note_program(journal, SelfCheck("whole", "1.1", 3, "b" * 64))
    told_entries = [json.loads(entry.body)["version"] for entry in journal.read(PROGRAMS)]
    assert told_entries == ["1.0", "1.1"]
    assert verify(journal).valid
