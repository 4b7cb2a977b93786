"""Attacks on accounts: a name like another's, a session left open, a known password."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.exceptions import WebSocketDisconnect

from croupier.errors import BadRequest, CroupierError
from croupier.ledger.records.people_accounts import ACCOUNTS, check_independent
from croupier.ledger.verification.verify import verify
from croupier.web.accounts.guard import WATCHING
from croupier.web.accounts.names import MOST_TYPED, look_of, name_key, spelled
from croupier.web.accounts.people import REMEMBERED_HOURS, WATCHED_SECONDS
from croupier.web.accounts.second_factors import STEP_SECONDS, code_at
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.kit import API, PASSWORD, Answer, Caller, Later, check_problem

UTH = "md-uth"
NEW = "another long password"
WRONG = "wrong but long enough"


def refused(found: Answer, status: int, code: str) -> str:
    assert (found.status, found.body["code"]) == (status, code), found.body
    check_problem(found)
    return str(found.body["message"])


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("flo", "FLO", "ＦＬＯ", "Fl0", "FIo", "F1o", "Fló", "F-l-o", "Flo.", "F|o"),
        "Ϝlo",  # a Greek letter among Latin ones
        "Fl\u200bo",
        "\u202eolF",
        "Flo\u3164",
        "Flo\ufe0f",
    ],
)
def test_nobody_gets_a_name_that_passes_for_another(server: Server, name: str) -> None:
    olga = server.staff("operator", "olga")
    server.pit.people.add("Flo", "floorperson", PASSWORD)
    made = {"name": name, "role": "dealer", "password": PASSWORD}
    found = olga.call("POST", "/people", made)
    assert found.status in (400, 409), found.body
    check_problem(found)
    assert [row["name"] for row in olga.get("/people")["people"]] == ["Flo", "olga"]


@pytest.mark.parametrize(("there", "name"), [("cope", "соре"), ("Arna", "Ama"), ("ΑΝΝΑ", "Anna")])
def test_whole_names_of_another_alphabet_pass_for_none(
    server: Server, there: str, name: str
) -> None:
    people = server.pit.people
    people.add(there, "dealer", PASSWORD)
    with pytest.raises(CroupierError, match="mistaken"):
        people.add(name, "dealer", PASSWORD)


def test_names_that_differ_are_all_there(server: Server) -> None:
    people = server.pit.people
    names = ("Dan 1", "Dan 2", "Dan 3", "Dana", "José", "Анна", "小林", "林さん", "Mary-Ann O'Hara")
    for name in names:
        people.add(name, "dealer", PASSWORD)
    assert {row.name for row in people.listed()} == set(names)
    assert people.add("Mary‐Ann  Oak", "dealer", PASSWORD).name == "Mary-Ann Oak", "one spelling"


@pytest.mark.parametrize("name", ["=1+1", "+49", "-flo", "@flo", "＝cmd", "﹢x", "—flo"])
def test_no_name_is_a_formula(server: Server, name: str) -> None:
    with pytest.raises(BadRequest, match="formula"):
        server.pit.people.add(name, "dealer", PASSWORD)
    guest = server.guest()
    refused(guest.call("POST", "/me/name", {"name": name}), 400, "bad_request")


def test_names_cost_linear_time() -> None:
    """Marks in the wrong order are sorted one by one: 20,000 of them took seconds."""
    marks = "a" + "\u0301\u0316" * 100_000
    began = time.process_time()
    for work in (spelled, name_key, look_of):
        for text in (marks, "ﷺ" * 100_000, " " * 200_000, "=" * 200_000):
            try:
                work(text)
            except BadRequest:
                assert work is spelled
    assert time.process_time() - began < 0.5
    assert name_key(marks) == name_key(marks[:MOST_TYPED])


def test_a_name_in_another_case_has_no_tries_of_its_own(start: Start) -> None:
    """Each spelling once had five tries: 2**n times as many for a name of n letters."""
    people = start(failures_allowed=3, lock_seconds=600).pit.people
    people.add("Flo", "floorperson", PASSWORD)
    assert people.sign_in("fLO ", PASSWORD, address="pit").name == "Flo", "as telephones write it"
    for name in ("flo", "FLO", "ｆｌｏ"):
        with pytest.raises(CroupierError, match="is wrong"):
            people.sign_in(name, WRONG, address="street")
    for name in ("Flo", "fLo", "flO"):
        with pytest.raises(CroupierError, match=r"locked until .* after 3 wrong passwords"):
            people.sign_in(name, PASSWORD, address="street")


# -- one's own password ----------------------------------------------------------------------------


def test_a_password_is_changed_with_the_old_one_only(start: Start) -> None:
    server = start(failures_allowed=3)
    dan = server.staff("dealer", "dan")
    other = Caller(server.client).sign_in("dan")
    before = dan.cookie
    found = dan.call("POST", "/me/password", {"old": WRONG, "new": NEW})
    refused(found, 401, "wrong_password")
    refused(
        dan.call("POST", "/me/password", {"old": PASSWORD, "new": PASSWORD}), 400, "bad_request"
    )
    refused(dan.call("POST", "/me/password", {"old": PASSWORD, "new": "short"}), 400, "bad_request")
    found = dan.call("POST", "/me/password", {"old": PASSWORD, "new": NEW})
    assert (found.status, found.body["name"]) == (200, "dan")
    dan.csrf = found.body["csrf"]
    assert dan.cookie != before, "under a new token"
    assert dan.get("/me")["role"] == "dealer", "and this device goes on"
    assert other.get("/me")["role"] is None, "the others do not"
    stolen = server.stranger()
    stolen.cookie = before
    assert stolen.get("/me")["role"] is None
    assert Caller(server.client).sign_in("dan", NEW).name == "dan"
    entry = list(server.pit.journal.read(ACCOUNTS))[-1]
    body = msgspec.json.decode(entry.body)
    mac = body["command"].pop("password")
    assert body["command"] == {"type": "password_set", "name": "dan"}
    assert len(bytes.fromhex(mac)) == 16, "a MAC of what is kept of the password, and no more"
    assert body["by"] == {"role": "dealer", "name": "dan"}
    assert verify(server.pit.journal).valid


def test_a_session_left_open_does_not_try_passwords_for_ever(start: Start) -> None:
    server = start(failures_allowed=3, lock_seconds=600)
    dan = server.staff("dealer", "dan")
    tries = [dan.call("POST", "/me/password", {"old": WRONG, "new": NEW}) for _ in range(4)]
    assert [one.status for one in tries] == [401, 401, 401, 429]
    words = refused(dan.call("POST", "/me/password", {"old": PASSWORD, "new": NEW}), 429, "locked")
    assert "after 3 wrong passwords" in words


def test_an_operator_needs_the_old_password_too(server: Server) -> None:
    """A session of an operator that was left open set her password and her authenticator anew."""
    olga = server.staff("operator", "olga")
    refused(olga.call("POST", "/people/olga/password", {"password": NEW}), 403, "not_yours")
    refused(olga.call("POST", "/people/olga/second-factor/reset"), 403, "not_yours")
    assert Caller(server.client).sign_in("olga").name == "olga"


def test_a_password_that_somebody_sets_for_himself_proves_no_second_person(server: Server) -> None:
    """Olga makes Carl, signs in as Carl and changes his password: she is still both of them."""
    server.staff("operator", "olga")
    olga = Caller(server.client).sign_in("olga")
    made = {"name": "carl", "role": "cashier", "password": PASSWORD}
    assert olga.call("POST", "/people", made).status == 201
    as_carl = Caller(server.client).sign_in("carl")
    assert as_carl.call("POST", "/me/password", {"old": PASSWORD, "new": NEW}).status == 200
    with pytest.raises(CroupierError) as told:
        check_independent(server.pit.journal, "olga", "carl")
    assert told.value.code == "not_independent"


def test_guests_have_no_password_to_change(server: Server) -> None:
    guest = server.guest()
    refused(guest.call("POST", "/me/password", {"old": PASSWORD, "new": NEW}), 403, "not_yours")
    refused(guest.call("DELETE", "/sessions"), 403, "not_yours")
    stranger = server.stranger().look()
    refused(stranger.call("POST", "/me/password", {"old": WRONG, "new": NEW}), 401, "signed_out")


# -- all devices -----------------------------------------------------------------------------------


def test_somebody_signs_out_on_all_devices(server: Server) -> None:
    olga = server.staff("operator", "olga")
    flo = server.staff("floorperson", "flo")
    lost = Caller(server.client).sign_in("flo")
    assert flo.call("DELETE", "/sessions").status == 200
    assert (flo.look().get("/me")["role"], lost.get("/me")["role"]) == (None, None)
    flo, lost = (Caller(server.client).sign_in("flo") for _ in range(2))
    refused(lost.call("POST", "/people/flo/sign-out"), 403, "wrong_role")
    assert olga.call("POST", "/people/flo/sign-out").status == 200
    assert (flo.get("/me")["role"], lost.get("/me")["role"]) == (None, None)
    assert olga.get("/me")["role"] == "operator", "nobody else"
    told = [msgspec.json.decode(entry.body) for entry in server.pit.journal.read(ACCOUNTS)]
    ended = [(one["command"]["name"], one["by"]["name"]) for one in told if "sessions" in str(one)]
    assert ended == [("flo", "flo"), ("flo", "olga")]
    assert verify(server.pit.journal).valid


def test_the_command_line_signs_somebody_out(server: Server, tmp_path: Path) -> None:
    flo = server.staff("floorperson", "flo")
    done = croupier("people", "sign-out", "flo", "--database", tmp_path / "journal.db")
    assert (done.code, done.text) == (0, "flo is signed out on all devices.\n")
    assert server.pit.people.find_session(flo.cookie.partition("=")[2]) is None
    done = croupier("people", "sign-out", "nobody", "--database", tmp_path / "journal.db")
    assert done.code == 2
    assert "nobody" in done.err


# -- a board that nobody attends -------------------------------------------------------------------


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> type[Later]:
    monkeypatch.setattr(Later, "seconds", 0.0)
    monkeypatch.setattr("croupier.web.accounts.people.datetime", Later)
    monkeypatch.setattr("croupier.web.accounts.guard.REMEMBER_SECONDS", 0.0)
    return Later


def _watch(who: Caller, later: type[Later], minutes: int) -> Answer:
    """A board is open and says so, minute by minute."""
    for _ in range(minutes):
        later.seconds += 60
        found = who.call("POST", "/me/watching")
    return found


def test_a_quiet_board_stays_to_look_at_and_can_do_nothing(
    start: Start, later: type[Later]
) -> None:
    server = start(idle_minutes=30)
    flo = server.staff("floorperson", "flo")
    assert _watch(flo, later, 29).body == {"looks_only": False, "words": ""}
    found = _watch(flo, later, 31)
    assert (found.status, found.body["looks_only"]) == (200, True)
    assert "30 minutes without activity" in found.body["words"]
    assert flo.call("GET", "/floor").status == 200
    assert flo.call("GET", f"/tables/{UTH}").status == 200
    version = server.pit.table(UTH).table.version
    commands: tuple[dict[str, Any], ...] = (
        {"type": "call_floor"},
        {"type": "fill", "amount": "100.00", "slip": "F-1"},
    )
    for command in commands:
        words = refused(flo.send(UTH, **command), 401, "signed_out")
        assert words == "you were signed out after 30 minutes without activity"
    assert server.pit.table(UTH).table.version == version
    for path in (f"/tables/{UTH}/work", "/audit/entries", "/school/progress", "/floor/x"):
        assert flo.call("GET", path).status in (401, 404), path
    assert flo.call("DELETE", "/sessions").status == 401
    assert flo.call("POST", "/me/password", {"old": PASSWORD, "new": NEW}).status == 401
    me = flo.get("/me")
    assert (me["role"], me["ended"]) == (None, words)
    # Whoever comes by reloads a page: that brings nothing back.
    server.client.get("/floor", headers={"Cookie": flo.cookie})
    refused(flo.send(UTH, type="call_floor"), 401, "signed_out")


def test_a_board_that_was_closed_is_signed_out(start: Start, later: type[Later]) -> None:
    server = start(idle_minutes=30)
    flo = server.staff("floorperson", "flo")
    assert _watch(flo, later, 31).body["looks_only"]
    later.seconds += WATCHED_SECONDS + 1
    refused(flo.call("GET", "/floor"), 401, "signed_out")
    refused(flo.call("POST", "/me/watching"), 401, "signed_out")


def _read_on(read: Callable[[], object]) -> None:
    """Frames that were on their way come first."""
    while True:
        read()


def test_a_live_connection_ends_when_its_person_is_quiet(
    start: Start, later: type[Later], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.tables.live.REMEMBER_SECONDS", 0.05)
    flo = start(idle_minutes=30).staff("floorperson", "flo")
    with flo.live(UTH) as connection:
        connection.receive_json()
        flo.call("POST", "/me/watching")
        later.seconds = 31 * 60
        with pytest.raises(WebSocketDisconnect, match="this session has ended"):
            _read_on(connection.receive)


def test_what_a_board_says_of_itself_needs_a_session_and_the_token(server: Server) -> None:
    assert f"{API}/me/watching" == WATCHING
    refused(server.stranger().look().call("POST", "/me/watching"), 401, "signed_out")
    flo = server.staff("floorperson", "flo")
    flo.csrf = "0" * 40
    refused(flo.call("POST", "/me/watching"), 403, "bad_csrf_token")


# -- words -----------------------------------------------------------------------------------------


def test_whoever_is_signed_out_is_told_why(start: Start, later: type[Later]) -> None:
    server = start(idle_minutes=20, session_hours=2)
    flo, pia = server.staff("floorperson", "flo"), server.staff("player", "pia")
    later.seconds = 21 * 60
    assert flo.get("/me")["ended"] == "you were signed out after 20 minutes without activity"
    assert (pia.get("/me")["role"], pia.get("/me")["ended"]) == ("player", "")
    words = refused(flo.send(UTH, type="call_floor"), 401, "signed_out")
    assert words == "you were signed out after 20 minutes without activity"
    later.seconds = 2 * 3600 + 60
    server.guest()  # sessions that are over are thrown away as people come in, but not at once
    words = refused(pia.send(UTH, type="take_seat", seat=1), 401, "signed_out")
    assert words == "you were signed out: a session lasts 2 hours"
    later.seconds = (2 + REMEMBERED_HOURS) * 3600 + 60
    server.guest()
    assert pia.get("/me")["ended"] == ""
    stranger = server.stranger().look()
    assert refused(stranger.send(UTH, type="take_seat", seat=1), 401, "signed_out").startswith(
        "sign in"
    )


def test_a_code_says_what_is_wrong_with_it(server: Server) -> None:
    people = server.pit.people
    people.add("flo", "floorperson", PASSWORD)
    secret = people.enrol("FLO", PASSWORD)
    step = int(time.time()) // STEP_SECONDS
    people.sign_in("flo", PASSWORD, code_at(secret, step), "pit")

    def words(code: str, password: str = PASSWORD) -> str:
        with pytest.raises(CroupierError) as told:
            people.sign_in("flo", password, code, f"street {code}")
        return str(told.value)

    used, earlier, ahead = (code_at(secret, step + away) for away in (0, -10, 10))
    assert "was used already" in words(used)
    assert "for an earlier time" in words(earlier)
    generic = words("x")
    assert "clock" in generic
    assert words(ahead) == generic, "a guesser does not learn which code will count soon"
    assert words(used, WRONG) == words("x", WRONG) == "name or password is wrong"
