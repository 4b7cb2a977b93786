"""The documentation as a site, under /docs/ of a server that has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from croupier.errors import BadRequest
from croupier.web.app import create_app
from croupier.web.pages.handbook import check_handbook
from croupier.web.server.settings import Settings

PAGE = "<title>Handbook</title><script>let a = 1</script><script src='x.js'></script>"


def _client(tmp_path: Path, handbook: str) -> TestClient[Litestar]:
    database = f"sqlite:///{tmp_path}/journal.db"
    return TestClient(create_app(Settings(database, demo_tables=False, handbook=handbook)))


def test_pages_run_their_own_scripts_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    with _client(tmp_path, str(tmp_path / "site")) as client:
        answer = client.get("/docs/index.html")
        assert answer.text == PAGE
        policy = answer.headers["Content-Security-Policy"]
        scripts = re.search(r"script-src ([^;]*)", policy)
        assert scripts is not None
        assert len(re.findall(r"'sha256-[^']{44}'", scripts[1])) == 1
        assert "unsafe" not in scripts[1]
        lobby = client.get("/")
        assert "sha256" not in lobby.headers["Content-Security-Policy"]
        assert 'href="/docs/index.html"' in lobby.text
        assert client.get("/docs/../journal.db").status_code == 404
        assert client.get("/docs/%2e%2e/journal.db").status_code == 404


def test_without_a_site_nothing_links_to_it(tmp_path: Path) -> None:
    with _client(tmp_path, "") as client:
        assert "/docs/" not in client.get("/").text
        assert client.get("/docs/index.html").status_code == 404


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="make docs"):
        check_handbook(tmp_path)
