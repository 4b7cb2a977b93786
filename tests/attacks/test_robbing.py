"""Somebody wants what is not his: chips on his own word, a floorperson's session, her password."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from litestar.exceptions import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed

from croupier.errors import BadAmount, BadRequest
from croupier.ledger.records.people_accounts import ACCOUNTS
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.tables.command_input import command_from_json
from croupier.web.accounts.passwords import check_password
from croupier.web.accounts.second_factors import code_at, step_of
from croupier.web.server.problems import Denied
from croupier.web.server.settings import Throttles
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, PATIENCE, Answer, Caller, Later, settings
from tests.web.real import Client, workers

UTH = "md-uth"
WRONG = "wrong but long enough"


# -- chips -----------------------------------------------------------------------------------------


def test_no_player_makes_chips_by_his_own_word(start: Start) -> None:
    """A signed-in player once bought in for $9,999,999,999,999."""
    server = start(demo=False, software_dealer=False)
    ann, dee = server.staff("player", "ann"), server.staff("dealer", "dee")
    ann.do(UTH, type="take_seat", seat=1)
    for amount in ("9999999999999.00", "100.00"):
        found = ann.send(UTH, type="buy_in", amount=amount)
        assert found.status in (400, 403), found.body
    assert server.pit.table(UTH).table.rack("ann") == 0
    dee.refused(UTH, 409, "account_only", type="buy_in", player="ann", amount="100.00")
    assert server.pit.table(UTH).table.rack("ann") == 0
    tried = [one.body for one in server.pit.journal.read(f"attempts:{UTH}")]
    assert any(b'"needs_cashier"' in one for one in tried), "who tried it is in the log"


def test_no_member_of_staff_makes_chips_at_a_virtual_table(start: Start) -> None:
    """A dealer once bought in for a friend, who moved it to her account."""
    server = start(demo=False)
    ann = server.staff("player", "ann")
    ann.do(UTH, type="take_seat", seat=1)
    for role in ("dealer", "floorperson", "operator"):
        staff = server.staff(role)
        staff.refused(UTH, 409, "account_only", type="buy_in", player="ann", amount="250.00")
    assert server.pit.table(UTH).table.rack("ann") == 0


def test_play_chips_have_a_limit(start: Start) -> None:
    """At a time, and in all that were not brought back, at whichever table."""
    server = start(most_buy_in=1000_00, most_bought=2500_00, software_dealer=False)
    ann = server.guest()
    for table in (UTH, "md-235"):
        ann.do(table, type="take_seat", seat=1)
    ann.refused(UTH, 409, "over_limit", type="buy_in", amount="1000.01")
    ann.do(UTH, type="buy_in", amount="1000.00")
    ann.do("md-235", type="buy_in", amount="1000.00")
    ann.refused("md-235", 409, "over_limit", type="buy_in", amount="500.01")
    ann.do(UTH, type="cash_out", amount="1000.00")
    ann.do("md-235", type="buy_in", amount="1000.00")


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"buy_in","player":"ann","amount":"1000000000.00"}',
        b'{"type":"fill","amount":"1000000000.00","slip":"1"}',
        b'{"type":"place_wagers","seat":1,"player":"ann","wagers":{"ante":"1000000000.00"}}',
    ],
)
def test_no_command_moves_more_than_sums_can_hold(text: bytes) -> None:
    """A billion dollars at a time: nine billion such commands would be needed to pass 64 bits."""
    with pytest.raises((BadAmount, BadRequest)):
        command_from_json(text, Actor("operator", "olga"))


# -- passwords -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "password",
    [
        *("short", "aaaaaaaaaaaa", "0123456789", "abcdefghijkl", "P@ssw0rd2026", "password12345"),
        *("floflo-2026-floflo", "31415926535", "CroupierCroupier", "qwertyuiop1"),
    ],
)
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(BadRequest):
        check_password(password, "floflo")


@pytest.mark.parametrize("password", [PASSWORD, "four words in a row", "Tr0ub4dor&3xkcd"])
def test_good_passwords_are_not(password: str) -> None:
    check_password(password, "flo")


def _try(who: Caller, name: str, password: str, code: str = "") -> Answer:
    told = {"name": name, "password": password} | ({"code": code} if code else {})
    return who.call("POST", "/session", told)


def test_waiting_tells_nothing_about_which_names_exist(start: Start) -> None:
    server = start(failures_allowed=2, lock_seconds=600)
    server.pit.people.add("flo", "floorperson", PASSWORD)
    stranger = server.stranger().look()
    answers = {
        name: [
            (found.status, found.body["code"], found.body["message"].partition(": try again")[0])
            for found in (_try(stranger, name, WRONG) for _ in range(4))
        ]
        for name in ("flo", "nobody")
    }
    minutes = re.compile(r"until \d\d:\d\d UTC after 2 wrong passwords")
    for answer in answers.values():
        assert answer[0] == (401, "wrong_password", "name or password is wrong")
        assert answer[-1][:2] == (429, "locked")
        assert minutes.search(answer[-1][2]), "and it is said in words until when"


def test_the_guesser_waits_and_the_floorperson_does_not(start: Start) -> None:
    people = start(failures_allowed=2, lock_seconds=600).pit.people
    people.add("flo", "floorperson", PASSWORD)
    assert people.sign_in("flo", PASSWORD, address="pit").name == "flo"
    for n in range(30):
        with pytest.raises(Exception, match="wrong"):
            people.sign_in("flo", WRONG, address=f"street {n}")
    with pytest.raises(Exception, match="locked until"):
        people.sign_in("flo", PASSWORD, address="street 1")
    with pytest.raises(Exception, match="locked until"):
        people.sign_in("flo", PASSWORD, address="street 99")
    assert people.sign_in("flo", PASSWORD, address="pit").name == "flo"


def test_many_guess_at_the_same_moment(start: Start, postgres_url: str) -> None:
    people = start(database=postgres_url, demo_tables=False, failures_allowed=100).pit.people

    def guess(_: int) -> str:
        with pytest.raises(Denied) as told:
            people.sign_in("flo", WRONG, address="street")
        return told.value.code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(guess, range(24))) == {"wrong_password"}


def test_sign_ins_are_throttled_by_address_whatever_the_cookie(start: Start) -> None:
    server = start(throttles=Throttles(sign_ins=(3, 0.001)))
    statuses = [_try(server.stranger().look(), f"n{n}", WRONG).status for n in range(5)]
    assert statuses == [401, 401, 401, 429, 429]


# -- the second factor -----------------------------------------------------------------------------


def test_codes_are_those_of_rfc_6238() -> None:
    """Appendix B, SHA-1; the secret is 12345678901234567890."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    for seconds, code in ((59, "94287082"), (1111111109, "07081804"), (20000000000, "65353130")):
        assert code_at(secret, seconds // 30, 8) == code
    now = 1_700_000_000
    code = code_at(secret, now // 30)
    assert step_of(secret, f" {code[:3]} {code[3:]}", now) == now // 30
    assert step_of(secret, code, now + 300) is None
    assert step_of(secret, code, now, after=now // 30) is None, "a code counts once"


def test_a_floorperson_signs_in_with_a_second_factor(start: Start) -> None:
    server = start(second_factor=True)
    server.pit.people.add("flo", "floorperson", PASSWORD)
    flo = server.stranger().look()
    assert _try(flo, "flo", PASSWORD).body["code"] == "enrol_second_factor"
    wrong = {"name": "flo", "password": WRONG}
    assert flo.call("POST", "/session/second-factor", wrong).status == 401
    asked = {"name": "flo", "password": PASSWORD}
    made = flo.call("POST", "/session/second-factor", asked)
    assert made.status == 201
    secret, step = made.body["secret"], int(time.time()) // 30
    assert made.body["uri"].startswith("otpauth://totp/")
    assert _try(flo, "flo", PASSWORD, "000000").body["code"] == "wrong_code"
    assert _try(flo, "flo", PASSWORD, code_at(secret, step)).status == 201
    again = server.stranger().look()
    assert _try(again, "flo", PASSWORD).body["code"] == "code_needed"
    assert _try(again, "flo", PASSWORD, code_at(secret, step)).body["code"] == "wrong_code"
    assert again.call("POST", "/session/second-factor", asked).body["code"] == "already_enrolled"
    assert _try(again, "flo", PASSWORD, code_at(secret, step + 1)).status == 201
    dee = server.staff("dealer", "dee")
    assert dee.get("/me")["role"] == "dealer", "a dealer needs none"


def test_a_house_may_want_a_second_factor_of_dealers(start: Start) -> None:
    server = start(second_factor=True, dealers_factor=True)
    server.pit.people.add("dee", "dealer", PASSWORD)
    dee = server.stranger().look()
    assert _try(dee, "dee", PASSWORD).body["code"] == "enrol_second_factor"
    made = dee.call("POST", "/session/second-factor", {"name": "dee", "password": PASSWORD})
    code = code_at(made.body["secret"], int(time.time()) // 30)
    assert _try(dee, "dee", PASSWORD, code).status == 201


def test_a_lost_authenticator_is_reset_by_an_operator(start: Start) -> None:
    server = start()
    olga, flo = server.staff("operator", "olga"), server.staff("floorperson", "flo")
    assert olga.call("POST", "/people/flo/second-factor/reset").body["code"] == "already_done"
    secret = server.pit.people.enrol("flo", PASSWORD)
    code = code_at(secret, int(time.time()) // 30)
    assert server.pit.people.sign_in("flo", PASSWORD, code).name == "flo"
    assert flo.call("POST", "/people/flo/second-factor/reset").status == 403
    assert olga.call("POST", "/people/flo/second-factor/reset").status == 200
    assert flo.get("/me")["role"] is None, "and the sessions of before have ended"
    assert server.pit.people.sign_in("flo", PASSWORD).name == "flo"


# -- sessions --------------------------------------------------------------------------------------


def test_staff_who_do_nothing_sign_in_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.accounts.people.datetime", Later)
    monkeypatch.setattr("croupier.web.accounts.guard.REMEMBER_SECONDS", 0.0)
    server = start(idle_minutes=30)
    flo, ann = server.staff("floorperson", "flo"), server.guest()
    for minutes, role in ((20, "floorperson"), (40, "floorperson"), (75, None)):
        monkeypatch.setattr(Later, "seconds", minutes * 60)
        assert flo.get("/me")["role"] == role
        flo.call("POST", "/tables/none/commands", {"type": "call_floor"}, {"Idempotency-Key": "a"})
    assert ann.get("/me")["role"] == "player", "guests are not asked"


def test_looking_at_a_page_that_asks_by_itself_is_no_sign_of_life(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.accounts.people.datetime", Later)
    monkeypatch.setattr("croupier.web.accounts.guard.REMEMBER_SECONDS", 0.0)
    server = start(idle_minutes=30)
    flo = server.staff("floorperson", "flo")
    for minutes in (10, 20, 29):
        monkeypatch.setattr(Later, "seconds", minutes * 60)
        assert flo.call("GET", f"/tables/{UTH}/work").status == 200
    monkeypatch.setattr(Later, "seconds", 31 * 60)
    assert flo.call("GET", f"/tables/{UTH}/work").status == 401


def test_the_last_sign_in_is_shown(start: Start) -> None:
    server = start()
    assert server.staff("floorperson", "flo").get("/me")["last_sign_in"] == ""
    again = Caller(server.client).sign_in("flo")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert again.get("/me")["last_sign_in"].startswith(today)


def _read_on(read: Callable[[], object]) -> None:
    """Frames that were on their way come first."""
    while True:
        read()


def test_a_connection_ends_with_its_session(start: Start) -> None:
    """On signing out, a guest's too; another session of the same person stays."""
    server = start()
    for who in (server.guest(), server.staff("dealer", "dee")):
        with who.live(UTH) as connection:
            connection.receive_json()
            assert who.call("DELETE", "/session").status == 200
            with pytest.raises(WebSocketDisconnect, match="this session has ended"):
                _read_on(connection.receive)
    one, two = Caller(server.client).sign_in("dee"), Caller(server.client).sign_in("dee")
    with two.live(UTH) as connection:
        connection.receive_json()
        one.call("DELETE", "/session")
        assert two.get("/me")["role"] == "dealer"
        server.guest().do(UTH, type="take_seat", seat=1)
        assert connection.receive_json()["view"], "still told what happens"


def test_connections_end_at_once_on_every_worker(postgres_url: str, tmp_path: Path) -> None:
    from croupier.ledger.journal import open_journal
    from croupier.web.accounts.people import People

    told = settings(postgres_url)
    with open_journal(postgres_url) as store:
        people = People(store, told)
        for name in ("dee", "dan"):
            people.add(name, "dealer", PASSWORD)
        with workers(told, 2, tmp_path) as (one, two):
            dee = Client(one.port).sign_in("dee")
            dan = Client(one.port).sign_in("dan")
            for who, end in (
                (dee, lambda: dee.call("DELETE", "/session")),
                (dan, lambda: people.set_role("dan", "player")),
            ):
                who.port = two.port
                with who.live(UTH) as connection:
                    connection.recv(timeout=PATIENCE)
                    who.port = one.port
                    began = time.monotonic()
                    end()
                    with pytest.raises(ConnectionClosed, match="this session has ended"):
                        _read_on(lambda: connection.recv(timeout=PATIENCE))
                    assert time.monotonic() - began < 4, "before anybody looks by himself"


def test_cookies_over_https_are_secure_and_stay_there(server: Server) -> None:
    plain = server.client.get("http://testserver.local/api/v1/me")
    server.client.cookies.clear()
    safe = server.client.get("https://testserver.local/api/v1/me")
    assert "Secure" not in plain.headers["set-cookie"]
    assert "strict-transport-security" not in plain.headers
    assert "Secure" in safe.headers["set-cookie"]
    assert safe.headers["strict-transport-security"].startswith("max-age=")


# -- accounts --------------------------------------------------------------------------------------


def test_changes_of_accounts_are_in_the_journal(start: Start) -> None:
    server = start()
    olga = server.staff("operator", "olga")
    made = {"name": "dan", "role": "dealer", "password": PASSWORD}
    assert olga.call("POST", "/people", made).status == 201
    olga.call("POST", "/people/dan/role", {"role": "player"})
    olga.call("POST", "/people/dan/password", {"password": "another long password"})
    olga.call("POST", "/people/dan/disable")
    text = b"".join(entry.body for entry in server.pit.journal.read(ACCOUNTS))
    assert b"another long" not in text
    assert b"argon2" not in text
    rows = olga.get("/audit/entries?kind=people")["entries"]
    told = [(row["type"], row["name"]) for row in reversed(rows)]
    assert told[-4:] == [
        ("person_added", "olga"),
        ("role_changed", "olga"),
        ("password_set", "olga"),
        ("person_disabled", "olga"),
    ]
    assert "dan" in rows[0]["about"]
    assert verify(server.pit.journal).valid


def test_a_name_that_nobody_has_is_told_before_the_password(tmp_path: Path) -> None:
    database = tmp_path / "j.db"
    secret = tmp_path / "secret"
    secret.write_text("short", "utf-8")
    words = ("--database", database, "--password-file", secret)
    (tmp_path / "good").write_text(PASSWORD, "utf-8")
    good = ("--database", database, "--password-file", tmp_path / "good")
    assert croupier("people", "add", "flo", "--role", "operator", *good).code == 0
    found = croupier("people", "password", "nobody", *words)
    assert found.code != 0
    assert "nobody" in found.err
    assert "characters" not in found.err


def test_a_guest_auditor_does_not_stop_anothers_verification(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.tables.verification._spawn", lambda *_: None)
    server = start()
    otto = server.staff("auditor", "otto")
    assert otto.call("POST", "/audit/verify").status == 202
    eve = server.stranger().look()
    eve._known(eve.call("POST", "/guests", {"role": "auditor"}))
    found = eve.call("DELETE", "/audit/verify")
    assert (found.status, found.body["code"]) == (403, "not_yours")
    assert server.staff("auditor", "pia").call("DELETE", "/audit/verify").status == 200
