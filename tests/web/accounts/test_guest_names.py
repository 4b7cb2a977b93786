"""Guests choose a name that nobody can mistake for somebody else's, and invite others."""

from __future__ import annotations

import io

import pytest
import segno

from croupier.errors import CroupierError
from croupier.web.accounts.guest_names import MOST_LETTERS, checked_name
from croupier.web.server.qr_code import qr_code
from tests.web.conftest import Server
from tests.web.kit import Caller, check_problem


def choose(who: Caller, name: str) -> tuple[int, str]:
    found = who.call("POST", "/me/name", {"name": name})
    if found.status != 200:
        check_problem(found)
        return found.status, found.body["message"]
    return 200, found.body["name"]


def names(who: Caller, *players: str) -> dict[str, str]:
    asked = "&".join(f"of={player}" for player in players)
    found: dict[str, str] = who.call("GET", f"/names?{asked}").body["names"]
    return found


@pytest.mark.parametrize("name", ["Anna", "José", "Анна", "小林", "Mary-Ann O'Hara", "J. R. 7"])
def test_a_name_is_kept_as_it_is(name: str) -> None:
    assert checked_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "at least one letter"),
        ("   ", "at least one letter"),
        ("x" * 10_000, f"at most {MOST_LETTERS} letters"),
        ("42", "letters, digits"),
        ("<b>Anna</b>", "letters, digits"),
        ("An\0na", "letters, digits"),
        ("An\u202ena", "letters, digits"),
        ("Аnnа", "one alphabet"),  # the first and the last letter are Cyrillic
        ("Dealer", "staff"),
        ("The Dealer", "staff"),
        ("D3aler", "staff"),
        ("d e a l e r", "staff"),
        ("Déaler", "staff"),
        ("Ｄealer", "staff"),
        ("Floorperson 2", "staff"),
        ("C4shier", "staff"),
        ("software", "staff"),
        ("You", "staff"),
        ("Guest", "staff"),
    ],
)
def test_a_name_that_misleads_is_refused_with_what_would_be_right(name: str, told: str) -> None:
    with pytest.raises(CroupierError, match=told):
        checked_name(name)


def test_a_chosen_name_is_what_others_see(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    assert choose(ann, " Anna ") == (200, "Anna")
    assert names(ben, ann.name, ben.name) == {ann.name: "Anna"}
    assert names(server.stranger(), ann.name) == {ann.name: "Anna"}
    status, told = choose(ben, "anna")
    assert status == 409
    assert "already" in told
    assert choose(ben, "Anna 2") == (200, "Anna 2")
    assert choose(ann, "Annabel") == (200, "Annabel")
    assert choose(ben, "Anna") == (200, "Anna")
    assert names(ann, ann.name, ben.name) == {ann.name: "Annabel", ben.name: "Anna"}
    status, told = choose(ann, "n" * 10_000)
    assert status == 400
    assert "choose a shorter one" in told


def test_nobody_is_called_like_somebody_with_an_account(server: Server) -> None:
    flo = server.staff("floorperson", "Flo Rida")
    ann = server.guest()
    for name in ("Flo Rida", "flo-rida", "Fl0 Rida", "Flórida"):
        assert choose(ann, name)[0] == 409, name
    assert choose(flo, "Florence")[0] == 403
    assert choose(server.stranger(), "Florence")[0] == 403


def test_an_invitation_is_the_tables_address(server: Server) -> None:
    who = server.stranger()
    assert who.call("GET", "/tables/nowhere/invitation").status == 404
    drawn = qr_code("https://example.org/tables/md-uth")
    plain = io.BytesIO()
    code = segno.make("https://example.org/tables/md-uth", error="m", micro=False)
    code.save(plain, kind="svg", border=4, light="white", omitsize=True, svgclass="", lineclass="")
    assert drawn == plain.getvalue()
    assert b"<script" not in drawn
    assert b"style=" not in drawn
