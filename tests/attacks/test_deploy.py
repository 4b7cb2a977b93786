"""examples/deploy as it is: the very commands of the unit and of the container, run here, and what
somebody finds who looks for their secrets; dashboard and alerts against the figures there are."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from croupier.ledger.data_folder import DATABASE, DATABASE_FILE
from croupier.ledger.journal import open_journal
from croupier.web.accounts.people import People
from tests.attacks.test_tls import Certificate
from tests.attacks.test_tls import _made as made_certificate
from tests.commands.program import ROOT, croupier
from tests.ports import free_port
from tests.postgres import _children
from tests.web.kit import PASSWORD, PATIENCE, settings

DEPLOY: Final = ROOT / "examples/deploy"
SECRET: Final = "s3cret-of-the-database"
PROGRAM: Final = [sys.executable, "-m", "croupier"]


class Deployed(NamedTuple):
    """What a unit or a container runs, with the files of this test in place of those of a host."""

    serve: list[str]
    health: list[str]
    environment: dict[str, str]


@pytest.fixture
def house(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the four secrets, and a journal that their key of the machine vouches for."""
    folder = tmp_path / "secrets"
    folder.mkdir()
    made: Certificate = made_certificate(folder)
    made.cert.rename(folder / "tls.pem")
    made.key.rename(folder / "tls.key")
    url = postgres_url.replace("postgres@", f"postgres:{SECRET}@", 1)
    (folder / "database").write_text(f"{url}\n")
    (folder / "machine.key").write_text(f"{os.urandom(32).hex()}\n")
    for file in folder.iterdir():
        file.chmod(0o600)
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(folder / "machine.key"))
    with open_journal(url) as store:
        People(store, settings(url)).add("olga", "operator", PASSWORD)
    return folder


def unit_lines() -> dict[str, list[str]]:
    """Of croupier.service, by their keys."""
    text = (DEPLOY / "croupier.service").read_text("utf-8").replace("\\\n", " ")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def from_unit(secrets: Path, data: Path) -> Deployed:
    lines, port = unit_lines(), str(free_port())
    given = dict(one.split(":", 1) for one in lines["LoadCredential"])
    assert {name: path.rpartition("/")[2] for name, path in given.items()} == {n: n for n in given}
    assert set(given) == {path.name for path in secrets.iterdir()}

    def here(text: str) -> list[str]:
        text = text.replace("%d", str(secrets)).replace("8235", port)
        text = text.replace("${CROUPIER_NAME}", "localhost").replace("--workers 4", "--workers 2")
        program, *words = shlex.split(text)
        assert program == "/opt/croupier/bin/croupier"
        return [*PROGRAM, *words]

    environment = dict(
        one.replace("%d", str(secrets)).split("=", 1)
        for line in lines["Environment"]
        for one in shlex.split(line)
    )
    environment |= {"CROUPIER_DATA_DIR": str(data), "CROUPIER_CACHE_DIR": str(data / "cache")}
    return Deployed(here(lines["ExecStart"][0]), here(lines["ExecStartPost"][0]), environment)


def container_steps() -> list[tuple[str, str]]:
    """Of the Containerfile: instruction and what follows."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in lines]


def from_container(secrets: Path, data: Path) -> Deployed:
    port, steps = str(free_port()), container_steps()
    names = {
        "croupier-database": "database",
        "croupier-machine-key": "machine.key",
        "croupier-tls-cert": "tls.pem",
        "croupier-tls-key": "tls.key",
    }

    def here(text: str) -> str:
        text = text.replace("8235", port)
        for there, name in names.items():
            text = text.replace(f"/run/secrets/{there}", str(secrets / name))
        return text

    def command(what: str) -> list[str]:
        (text,) = [rest for step, rest in steps if step == what]
        words = json.loads(here(text[text.index("[") :]))
        assert words[0] == "croupier"
        return [*PROGRAM, *words[1:]]

    told = [one for step, rest in steps if step == "ENV" for one in here(rest).split()]
    environment = dict(one.split("=", 1) for one in told)
    del environment["PATH"]
    environment |= {"CROUPIER_DATA_DIR": str(data), "CROUPIER_CACHE_DIR": str(data / "cache")}
    serve = [*command("ENTRYPOINT"), "--name", "localhost", "--workers", "2"]
    return Deployed(serve, command("HEALTHCHECK"), environment)


@contextmanager
def running(deployed: Deployed, log: Path) -> Iterator[int]:
    environment = {**os.environ, **deployed.environment}
    with log.open("wb") as told:
        process = subprocess.Popen(deployed.serve, stdout=told, stderr=told, env=environment)
    try:
        yield process.pid
        assert process.poll() is None, log.read_text("utf-8")
    finally:
        process.terminate()
        process.wait(60)


def run_health(deployed: Deployed, seconds: float) -> tuple[int, str]:
    words = deployed.health
    if "--wait" in words:
        words = words[: words.index("--wait")]
    words = [*words, "--wait", str(seconds)]
    done = subprocess.run(
        words, capture_output=True, env=os.environ, check=False, timeout=2 * PATIENCE
    )
    return done.returncode, (done.stdout + done.stderr).decode()


def family(process: int) -> list[int]:
    return [process, *(one for child in _children(process) for one in family(child))]


@pytest.mark.parametrize("deploy", [from_unit, from_container], ids=["unit", "container"])
def test_the_house_runs_on_postgres_with_tls_and_shows_no_secret(
    house: Path, tmp_path: Path, deploy: Any
) -> None:
    """The URL with its password once stood on the command line, for everybody who asks `ps`."""
    data, log = tmp_path / "data", tmp_path / "log"
    data.mkdir()
    deployed: Deployed = deploy(house, data)
    assert run_health(deployed, 0)[0] == 1, "nothing runs yet"
    with running(deployed, log) as process:
        code, words = run_health(deployed, PATIENCE)
        assert (code, words.startswith("Ready")) == (0, True), log.read_text("utf-8")
        port = int(deployed.serve[deployed.serve.index("--port") + 1])
        trusting = ssl.create_default_context(cafile=str(house / "tls.pem"))
        link = http.client.HTTPSConnection("localhost", port, timeout=PATIENCE, context=trusting)
        link.request("GET", "/api/v1/me")
        me = json.loads(link.getresponse().read())
        link.request("GET", "/metrics", headers={"Host": f"127.0.0.1:{port}"})
        figures = link.getresponse().read().decode()
        link.request("GET", "/api/v1/health")
        health = link.getresponse().read().decode()
        link.close()
        assert me["demo"] is False, "the house, and not the demo"
        assert "croupier_workers " in figures
        everybody = family(process)
        assert len(everybody) > 2, "two workers"
        commands = [Path(f"/proc/{one}/cmdline").read_bytes() for one in everybody]
        assert not [command for command in commands if SECRET.encode() in command]
        machine_key = (house / "machine.key").read_text().strip()
        for text in (log.read_text("utf-8"), figures, health, *map(str, commands)):
            assert SECRET not in text
            assert machine_key not in text
        other = made_certificate(tmp_path)  # of the same names, by somebody else
        stranger = [*PROGRAM, "health", "--port", str(port), "--tls-cert", str(other.cert)]
        done = subprocess.run(stranger, capture_output=True, check=False, timeout=PATIENCE)
        assert done.returncode == 1
        assert b"CERTIFICATE_VERIFY_FAILED" in done.stdout
    assert run_health(deployed, 0)[0] == 1


def test_what_the_unit_and_the_container_install_is_what_a_house_needs() -> None:
    lock = (ROOT / "requirements-run.lock").read_text("utf-8")
    for needed in ("psycopg==", "typst==", "xlsxwriter==", "litestar==", "hatchling=="):
        assert re.search(f"(?m)^{needed}", lock), needed
    steps = container_steps()
    copied = [name for step, rest in steps if step == "COPY" for name in rest.split()[:-1]]
    for name in copied:
        assert name.startswith(("--from", "/opt")) or (ROOT / name).exists(), name
    installed = " ".join(rest for step, rest in steps if step == "RUN")
    assert "--require-hashes -r requirements-run.lock" in installed
    assert "requirements-run.lock" in copied


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "croupier"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "croupier.service"
    text = (DEPLOY / "croupier.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/croupier/bin/croupier", str(program)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, check=False
    )
    ours = [line for line in done.stderr.decode().splitlines() if "croupier.service" in line]
    assert ours == []


# -- secrets ---------------------------------------------------------------------------------------


def test_a_password_on_the_command_line_is_refused_or_warned_about(tmp_path: Path) -> None:
    url = f"postgresql://croupier:{SECRET}@127.0.0.1:1/none"
    refused = croupier("serve", "--database", url, "--json")
    assert refused.code == 2
    assert "CROUPIER_DATABASE_FILE" in refused.err
    assert "--database-file" in refused.err
    asked = f"postgresql://croupier@127.0.0.1:1/none?password={SECRET}"
    for words in (
        ("verify", "--journal", url),
        ("verify", f"--journal={url}"),
        ("verify", "--journal", asked, "--json"),
        ("people", "list", "--database", url),
        ("restore", tmp_path / "none.db", "--to", url),
        ("table", "list", "--journal", url),
        ("serve", "--database", asked),
    ):
        ended = croupier(*words)
        assert ended.code == 2, words
        assert "CROUPIER_DATABASE_FILE" in ended.err, words
        assert SECRET not in ended.err + ended.text, words
    assert "warning" not in croupier("verify", "--journal", tmp_path / "none.db").err


@pytest.mark.parametrize("where", ["environment", "file"])
@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("people", "list"),
        ("serve", "--port", "0"),
        ("backup", "none.db"),
        ("checkpoint", "--json"),
    ],
    ids=lambda words: words[0],
)
def test_errors_do_not_show_the_password_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for url in (
        f"postgresql://croupier:{SECRET}@127.0.0.1:1/none",
        f"postgresql://croupier:{SECRET}@127.0.0.1:port/none",
        f"postgresql://croupier@127.0.0.1:1/none?password={SECRET}",
    ):
        if where == "environment":
            monkeypatch.setenv(DATABASE, url)
        else:
            (tmp_path / "database").write_text(f"{url}\n")
            monkeypatch.setenv(DATABASE_FILE, str(tmp_path / "database"))
        ended = croupier(*words)
        assert ended.code == 2, (url, ended.text, ended.err)
        assert SECRET not in ended.err + ended.text
        assert "warning" not in ended.err


def test_the_environment_names_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    (tmp_path / "database").write_text(f"  {tmp_path / 'house.db'}\n\n")
    monkeypatch.setenv(DATABASE_FILE, str(tmp_path / "database"))
    added = croupier(
        *("people", "add", "olga", "--role", "operator"),
        *("--password-file", tmp_path / "password"),
    )
    assert added.code == 0, added.err
    assert [one["name"] for one in croupier("people", "list", "--json").json["people"]] == ["olga"]
    assert croupier("backup", tmp_path / "copy.db").code == 0
    monkeypatch.setenv(DATABASE, str(tmp_path / "other.db"))
    both = croupier("people", "list")
    assert (both.code, "both name a database" in both.err) == (2, True)
    monkeypatch.delenv(DATABASE_FILE)
    restored = croupier("restore", tmp_path / "copy.db")
    assert restored.code == 0, restored.err
    assert [one["name"] for one in croupier("people", "list", "--json").json["people"]] == ["olga"]
    monkeypatch.delenv(DATABASE)
    assert croupier("restore", tmp_path / "copy.db").code == 2


@pytest.mark.parametrize("text", ["", "\n", "postgresql://a\nsecret-line", "x" * 5000, None])
def test_a_file_that_names_no_database_is_refused_without_its_text(
    tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "database"
    if text is not None:
        file.write_text(text)
    ended = croupier("serve", "--database-file", file)
    assert ended.code == 2
    assert str(file) in ended.err
    assert "secret-line" not in ended.err
    assert "x" * 50 not in ended.err


# -- dashboard and alerts --------------------------------------------------------------------------


def _names(text: str) -> set[str]:
    return set(re.findall(r"\bcroupier_[a-z_]+", text))


def test_dashboard_and_alerts_use_figures_that_there_are(start: Any) -> None:
    server = start()
    server.guest()
    olga = server.staff("operator", "olga")
    figures = server.client.get("/metrics", headers={"Cookie": olga.cookie}).text
    there = {line.split("{")[0].split(" ")[0] for line in figures.splitlines() if line[0] != "#"}
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    told = [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    alerts = (DEPLOY / "prometheus-alerts.yml").read_text("utf-8")
    rules = re.sub(r'summary: .*|action: .*|".*?"', "", alerts)
    named = _names(" ".join(told)) | _names(rules)
    assert len(named) > 12
    assert named <= there, named - there
    unseen = {name for name in there if name not in named} - {"croupier_build_info"}
    assert unseen == set(), "and every figure is on the dashboard"
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len(places)


promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is in Debian's prometheus"
)


def _promtool(*words: str | Path) -> None:
    done = subprocess.run(["promtool", *map(str, words)], capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


@promtool
def test_prometheus_understands_configuration_alerts_and_dashboard(tmp_path: Path) -> None:
    _promtool("check", "config", DEPLOY / "prometheus.yml")
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    told = [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    rules = [
        {"record": f"panel:{n}", "expr": expr.replace("$__rate_interval", "5m")}
        for n, expr in enumerate(told)
    ]
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "b", "rules": rules}]}))
    _promtool("check", "rules", tmp_path / "rules.yml")


FIRES: Final = {
    "CroupierDown": ("up", "0x30"),
    "CroupierNotReady": ("croupier_ready", "0x30"),
    "CroupierProgramDiffers": ("croupier_program_differs", "1x30"),
    "CroupierWorkerEnded": ("croupier_workers_ended_total", "0x10 1x20"),
    "CroupierTurnsPeopleAway": ("croupier_requests_shed_total", "0+5x30"),
    "CroupierLate": ("croupier_loop_late_seconds", "0.7x30"),
    "CroupierSlow": ("croupier_request_seconds_bucket", "0+60x30"),
    "CroupierFails": ("croupier_requests_total", "0+60x30"),
    "CroupierQueue": ("croupier_pool_waiting", "18x30"),
}
LABELS: Final = {
    "CroupierFails": ', status="5xx"',
    "CroupierSlow": ', le="+Inf"',
    "CroupierQueue": ', pool="history"',
}
CALM: Final = {
    "CroupierDown": "1x30",
    "CroupierNotReady": "1x30",
    "CroupierProgramDiffers": "0x30",
    "CroupierWorkerEnded": "3x30",
    "CroupierTurnsPeopleAway": "7x30",
    "CroupierLate": "0.1x30",
    "CroupierQueue": "2x30",
}


@promtool
@pytest.mark.parametrize("fires", [True, False], ids=["fires", "calm"])
def test_every_alert_fires_when_it_should_and_not_before(tmp_path: Path, fires: bool) -> None:
    alerts = (DEPLOY / "prometheus-alerts.yml").read_text("utf-8")
    assert sorted(re.findall(r"alert: (\w+)", alerts)) == sorted(FIRES)
    tests = []
    for name in FIRES if fires else CALM:
        labels = f'job="croupier", instance="a"{LABELS.get(name, "")}'
        values = FIRES[name][1] if fires else CALM[name]
        series = [{"series": f"{FIRES[name][0]}{{{labels}}}", "values": values}]
        if name == "CroupierSlow":  # of sixty a minute one is answered within a second
            within = {"1": "0+1x30", "2.5": "0+60x30"}
            first = series[0]["series"]
            series += [
                {"series": first.replace("+Inf", le), "values": n} for le, n in within.items()
            ]
        told = f'count(ALERTS{{alertname="{name}", alertstate="firing", severity=~".+"}})'
        count = [{"labels": "{}", "value": 1}] if fires else []
        asked = {"expr": told, "eval_time": "20m", "exp_samples": count}
        tests.append({"interval": "1m", "input_series": series, "promql_expr_test": [asked]})
    (tmp_path / "alerts.yml").write_text(alerts)
    wanted = {"rule_files": ["alerts.yml"], "evaluation_interval": "1m", "tests": tests}
    (tmp_path / "test.yml").write_text(json.dumps(wanted))
    _promtool("test", "rules", tmp_path / "test.yml")
