"""Coming in: guests, passwords, lock-out, forged requests, foreign pages, rates, headers."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

import pytest

from croupier.errors import BadRequest
from croupier.web.accounts.guard import MOST_BODY
from croupier.web.server.settings import Throttles
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, check_problem


def test_a_stranger_is_nobody_and_is_given_a_token(server: Server) -> None:
    stranger = server.stranger()
    found = stranger.call("GET", "/me")
    assert found.body["role"] is None
    assert found.body["name"] == ""
    assert found.body["demo"]
    assert len(found.body["csrf"]) == 40
    cookie = found.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert stranger.call("GET", "/me").headers.get("set-cookie") is None


def test_a_guest_comes_in_with_a_new_secret(server: Server) -> None:
    guest = server.stranger().look()
    before = guest.cookie
    guest.come_in()
    assert guest.cookie != before, "a cookie that somebody planted is worth nothing"
    assert guest.get("/me") == {
        "name": guest.name,
        "role": "player",
        "guest": True,
        "csrf": guest.csrf,
        "demo": True,
        "last_sign_in": "",
        "ended": "",
    }
    again = guest.call("POST", "/guests", {})
    assert (again.status, again.body["code"]) == (409, "already_done")


def test_no_guests_where_there_is_no_demo(start: Start) -> None:
    stranger = start(demo=False).stranger().look()
    found = stranger.call("POST", "/guests", {})
    assert (found.status, found.body["code"]) == (409, "no_guests")


def test_signing_in_and_out(server: Server) -> None:
    flo = server.staff("floorperson", "flo")
    assert flo.get("/me")["role"] == "floorperson"
    cookie = flo.cookie
    assert flo.call("DELETE", "/session").body["role"] is None
    flo.cookie = cookie
    assert flo.get("/me")["role"] is None


def test_a_wrong_name_and_a_wrong_password_sound_the_same(server: Server) -> None:
    server.staff("dealer", "dee")
    stranger = server.stranger().look()
    answers = [
        stranger.call("POST", "/session", {"name": name, "password": "wrong password"})
        for name in ("dee", "nobody")
    ]
    assert {answer.status for answer in answers} == {401}
    assert answers[0].body == answers[1].body
    check_problem(answers[0])


def test_a_guest_cannot_be_signed_in_as(server: Server) -> None:
    guest = server.guest()
    found = (
        server.stranger().look().call("POST", "/session", {"name": guest.name, "password": "None"})
    )
    assert found.status == 401


class _InAnHour:
    """Instead of the clock."""

    fromisoformat = datetime.fromisoformat

    @staticmethod
    def now(zone: tzinfo) -> datetime:
        return datetime.now(zone) + timedelta(hours=1)


def test_repeated_failures_lock_out_and_time_lets_in_again(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(failures_allowed=3, lock_seconds=3600)
    server.staff("dealer", "dee")
    stranger = server.stranger().look()
    wrong = {"name": "dee", "password": "wrong password"}
    right = {"name": "dee", "password": PASSWORD}
    assert [stranger.call("POST", "/session", wrong).status for _ in range(3)] == [401] * 3
    found = stranger.call("POST", "/session", right)
    assert (found.status, found.body["code"]) == (429, "locked")
    assert "after 3 wrong passwords" in found.body["message"]
    assert int(found.headers["retry-after"]) > 3000
    monkeypatch.setattr("croupier.web.accounts.people.datetime", _InAnHour)
    assert stranger.call("POST", "/session", right).status == 201


@pytest.mark.parametrize(
    ("name", "role", "password"),
    [
        ("guest-1", "dealer", PASSWORD),
        ("Software", "dealer", PASSWORD),
        ("a:b", "dealer", PASSWORD),
        (" dee", "dealer", PASSWORD),
        ("", "dealer", PASSWORD),
        ("dee", "king", PASSWORD),
        ("dee", "dealer", "short"),
        ("dee", "dealer", "x" * 201),
    ],
)
def test_people_who_cannot_be(server: Server, name: str, role: str, password: str) -> None:
    with pytest.raises(BadRequest):
        server.pit.people.add(name, role, password)


def test_a_new_password_ends_the_sessions(server: Server) -> None:
    dee = server.staff("dealer", "dee")
    server.pit.people.add("dee", "dealer", "another password")
    other = server.stranger()
    other.cookie, other.csrf = dee.cookie, dee.csrf
    assert server.pit.people.find_session(dee.cookie.partition("=")[2]) is None


@pytest.mark.parametrize("token", ["", "0" * 40, "é" * 20])
def test_what_changes_things_needs_the_token(server: Server, token: str) -> None:
    guest = server.guest()
    headers = {"X-CSRF-Token": token} if token.isascii() else {}
    guest.csrf = "" if not token.isascii() else guest.csrf
    found = guest.call("POST", "/tables/md-uth/commands", {"type": "take_seat", "seat": 1}, headers)
    assert (found.status, found.body["code"]) == (403, "bad_csrf_token")
    check_problem(found)


def test_another_persons_token_does_not_do(server: Server) -> None:
    ann, eve = server.guest(), server.guest()
    ann.csrf = eve.csrf
    assert ann.send("md-uth", type="take_seat", seat=1).body["code"] == "bad_csrf_token"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://testserver.local"},
    ],
)
def test_foreign_pages_change_nothing(server: Server, headers: dict[str, str]) -> None:
    guest = server.guest()
    body = {"type": "take_seat", "seat": 1}
    found = guest.call(
        "POST", "/tables/md-uth/commands", body, {**headers, "Idempotency-Key": "one"}
    )
    assert (found.status, found.body["code"]) == (403, "foreign_origin")
    assert guest.view("md-uth")["version"] == 1


def test_our_own_pages_may(server: Server) -> None:
    guest = server.guest()
    headers = {
        "Origin": "http://testserver.local",
        "Sec-Fetch-Site": "same-origin",
        "Idempotency-Key": "one",
    }
    body = {"type": "take_seat", "seat": 1}
    assert guest.call("POST", "/tables/md-uth/commands", body, headers).status == 200


def test_the_server_answers_to_its_names_only(start: Start) -> None:
    stranger = start(hosts=("localhost", "::1")).stranger()
    assert stranger.call("GET", "/me").status == 403
    for name in ("localhost", "localhost:8235", "[::1]:8235"):
        assert stranger.call("GET", "/me", headers={"Host": name}).status == 200
    assert stranger.call("GET", "/me", headers={"Host": "localhost.evil.example"}).status == 403


def test_too_many_requests_are_told_when_to_come_back(start: Start) -> None:
    server = start(throttles=Throttles(sign_ins=(3, 0.001), queries=(1000, 1000)))
    stranger = server.stranger().look()
    wrong = {"name": "nobody", "password": "wrong password"}
    statuses = [stranger.call("POST", "/session", wrong).status for _ in range(4)]
    assert statuses == [401, 401, 401, 429]
    found = stranger.call("POST", "/session", wrong)
    assert found.body["code"] == "too_many_requests"
    assert 1 <= int(found.headers["retry-after"]) <= 1001


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    stranger = server.stranger()
    for path in ("/me", "/tables", "/nothing", "/tables/nothing", "/openapi.json"):
        headers = stranger.call("GET", path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


def test_a_novel_is_not_read(server: Server) -> None:
    guest = server.guest()
    found = guest.call("POST", "/tables/md-uth/commands", b"x" * (MOST_BODY + 1))
    assert found.status in (403, 413)
    check_problem(found)


def test_passwords_and_tokens_are_not_in_the_database(server: Server, tmp_path: object) -> None:
    dee = server.staff("dealer", "dee")
    data = b"".join(path.read_bytes() for path in tmp_path.glob("journal.db*"))  # type: ignore[attr-defined]
    assert b"$argon2id$" in data
    assert PASSWORD.encode() not in data
    assert dee.cookie.partition("=")[2].encode() not in data
