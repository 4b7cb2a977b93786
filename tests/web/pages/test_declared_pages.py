"""One declaration of roles and pages: routes, bars and access follow from it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from litestar.testing import TestClient

from croupier.web.accounts.roles import ROLES, PersonRole
from croupier.web.accounts.second_factors import NEEDED_BY
from croupier.web.accounts.sign_in import GuestForm
from croupier.web.app import attach, bare_app
from croupier.web.pages import declared, pages
from croupier.web.pages.declared import PAGES, Page
from croupier.web.server.settings import Settings
from croupier.web.services import Services

_SITE = re.compile(r'<script type="application/json" id="site">(.*?)</script>')


def test_the_table_of_roles_has_every_role_once() -> None:
    assert sorted(role.name for role in ROLES) == sorted(get_args(PersonRole))
    tried = {role.name for role in ROLES if role.job}
    assert {"player", *tried} == set(get_args(get_type_hints(GuestForm)["role"]))
    assert set(NEEDED_BY) == {"floorperson", "operator", "cashier", "auditor", "surveillance"}


def test_everybody_may_look_at_their_home_and_at_what_their_bar_offers() -> None:
    by_path = {page.path: page for page in PAGES}
    for role in ROLES:
        home = by_path[role.home]
        assert not home.roles or role.name in home.roles
        for page in PAGES:
            assert role.name not in page.top or not page.roles or role.name in page.roles


def test_a_new_page_costs_a_declaration_and_a_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vault.html").write_text(
        '{% extends "base.html" %}{% set module = "shared/plain-page" %}{% set sheets = [] %}'
        "{% block main %}<h1>The vault</h1>{% endblock %}"
    )
    vault = Page("/vault", "vault", ("cashier",), top={"cashier": "Vault"}, house="Vault")
    monkeypatch.setattr(declared, "PAGES", (*PAGES, vault))
    monkeypatch.setattr(pages, "TEMPLATES", (tmp_path, pages.TEMPLATES))
    pages.templates.cache_clear()
    try:
        settings = Settings(str(tmp_path / "journal.db"), demo_tables=False)
        app = attach(bare_app(), Services(settings))
        with TestClient(app, base_url="http://testserver.local") as client:
            answer = client.get("/vault")
    finally:
        pages.templates.cache_clear()
    assert answer.status_code == 200
    assert "<h1>The vault</h1>" in answer.text
    found = _SITE.search(answer.text)
    assert found is not None
    (listed,) = [page for page in json.loads(found[1])["pages"] if page["path"] == "/vault"]
    assert listed == {
        "path": "/vault",
        "template": "vault",
        "roles": ["cashier"],
        "top": {"cashier": "Vault"},
        "house": "Vault",
    }
