"""Guests who want more than their share of the demo: the disk, the lobby, the solvers; and a class
behind one router, which is no attack."""

from __future__ import annotations

import os
import stat
from concurrent.futures import Future
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.rules_texts import RULES
from croupier.ledger.verification.verify import verify
from croupier.rulebooks import kept_rules
from croupier.rulebooks.bundled import read_bundled
from croupier.runtime import clock
from croupier.runtime.dealer import Pace
from croupier.runtime.leases import only_server
from croupier.web.accounts import guest_limits
from croupier.web.accounts.class_codes import LETTERS, ClassCodeRequest
from croupier.web.accounts.guest_limits import KEPT_TIMES, MOST_CLASS_SEATS, GuestLimits
from croupier.web.accounts.people import Person
from croupier.web.server.load import network_of
from croupier.web.server.problems import TooMany
from croupier.web.server.settings import Throttles
from croupier.web.tables.demo import submission_for
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.kit import Answer, Caller

UTH = "md-uth"
PATIENT = Pace(600, 600, 600, 600, 600)
posix = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")


# -- what lies beside the journal ------------------------------------------------------------------


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_the_lock_of_a_server_is_its_owners(tmp_path: Path) -> None:
    """It was readable by everybody on the machine; an older one is tightened."""
    lock = tmp_path / "journal.db.server"
    for _ in range(2):
        with only_server(str(tmp_path / "journal.db"), "http://localhost:1/"):
            assert _mode(lock) == 0o600
        lock.chmod(0o644)


@posix
def test_a_journal_and_what_sqlite_keeps_beside_it_are_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path):
        path.chmod(0o666)
        with open_journal(path) as journal:
            journal.head("x")
            for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
                assert not _mode(tmp_path / name) & 0o007, name
    path.chmod(0o640)
    with open_journal(path):
        assert _mode(path) == 0o640, "a group that an operator lets read stays"


@posix
def test_an_export_is_its_owners(tmp_path: Path) -> None:
    """It has every player's name and money."""
    journal, file = tmp_path / "journal.db", tmp_path / "rounds.csv"
    with open_journal(journal):
        pass
    found = croupier("export", "--format", "csv", "--to", str(file), "--journal", str(journal))
    assert found.code == 0, found
    assert _mode(file) == 0o600


# -- the disk --------------------------------------------------------------------------------------


def _guest(server: Server, role: str) -> Caller:
    who = server.stranger().look()
    found = who.call("POST", "/guests", {"role": role})
    assert found.status == 201, found.body
    who.csrf, who.name = found.body["csrf"], found.body["name"]
    return who


def _own_rulebook(name: str) -> str:
    text = read_bundled("caribbean-stud", "game.toml").replace("caribbean-stud", name)
    return text + "\n#" + "x" * (100_000 - len(text))


def _open(who: Caller, text: str, rulebook: str = "mine") -> Answer:
    table = f"rehearsal-{rulebook}"
    return who.send(
        table,
        type="open_table",
        table=table,
        rulebook=rulebook,
        rulebook_text=text,
        submission=submission_for("caribbean-stud"),
        source="live",
    )


def test_a_rulebook_is_kept_once_however_often_a_table_opens_with_it(start: Start) -> None:
    """Opening and closing a rehearsal table with a file of 150 KB wrote 300 KB each time."""
    server = start(pace=PATIENT)
    who, text = _guest(server, "operator"), _own_rulebook("mine")
    for _ in range(4):
        assert _open(who, text).status == 200
        who.do("rehearsal-mine", type="close_table")
    journal = server.pit.journal
    kept = [entry for entry in journal.read(RULES) if b"xxxxxxxx" in entry.body]
    assert len(kept) == 1
    written = sum(len(entry.body) for entry in journal.read("table:rehearsal-mine"))
    assert written < 20_000
    table = next(one for one in who.get("/house/tables")["tables"] if one["id"] == "rehearsal-mine")
    assert table["rulebook_text"] == text, "it opens again with it"
    assert verify(journal).valid


def test_a_table_opens_as_fast_however_many_rulebooks_the_journal_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each opening read all of them again: with 50 MB from one guest a day, later all day long."""
    import croupier as library

    file, read, checked = tmp_path / "mine.toml", list[str](), Journal._checked

    def counted(journal: Journal, entry: Entry) -> Entry:
        read.append(entry.stream)
        return checked(journal, entry)

    monkeypatch.setattr(Journal, "_checked", counted)
    with library.open_journal(tmp_path / "journal.db") as journal:
        for n in range(4):
            file.write_text(f"{_own_rulebook('mine')}\n# {n}", "utf-8")
            journal.open_table(str(file), name=f"T{n}", seed=3)
        journal.open_table(str(file), name="again", seed=3)
        assert len(list(journal.ledger.stored(RULES))) == 4
    assert read.count(RULES) == 4, "each was read once"


def test_a_retry_of_an_opening_is_the_same_opening(start: Start) -> None:
    server = start(pace=PATIENT)
    who, text = _guest(server, "operator"), _own_rulebook("mine")
    told: dict[str, Any] = {
        "type": "open_table",
        "table": "rehearsal-mine",
        "rulebook": "mine",
        "rulebook_text": text,
        "submission": submission_for("caribbean-stud"),
        "source": "live",
    }
    first, again = (who.send("rehearsal-mine", key="one", **told) for _ in range(2))
    assert (first.body["repeated"], again.body["repeated"]) == (False, True)
    told["rulebook_text"] = text + "\n# another"
    other = who.send("rehearsal-mine", key="one", **told)
    assert other.body["code"] == "key_reused"


def test_refused_rulebooks_do_not_fill_the_memory() -> None:
    """Only those of tables that open are kept; a few more while their tables may open."""
    before = len(kept_rules.kept_rules())
    for n in range(100):
        kept_rules.draft_rules("mine", f"# {n}")
    assert len(kept_rules.kept_rules()) == before
    assert len(kept_rules._DRAFTED) <= kept_rules.MOST_DRAFTED


def test_another_process_finds_a_rulebook_that_came_after_it_began(tmp_path: Path) -> None:
    """Of two workers, one opens the table and the other plays on."""
    import croupier as library

    path, text = tmp_path / "journal.db", _own_rulebook("later")
    file = tmp_path / "later.toml"
    file.write_text(text, "utf-8")
    with library.open_journal(path) as first, library.open_journal(path) as second:
        first.open_table(str(file), name="one", seed=3)
        kept = dict(kept_rules._KEPT)
        kept_rules._KEPT.clear()
        try:
            assert second.table("one").rules.book.id == "later"
        finally:
            kept_rules._KEPT.update(kept)


def test_guests_of_one_address_write_so_much_a_day(start: Start) -> None:
    """As many guests as one likes: 31 GB a day it was."""
    server = start(pace=PATIENT, throttles=Throttles(guest_bytes=3_000_000))
    for n in range(4):
        who = _guest(server, "operator")
        found = _open(who, _own_rulebook(f"mine-{n}"), f"mine-{n}")
        if found.status == 429:
            break
        assert found.status == 200, (n, found.body)
    assert (n, found.status, found.body["code"]) == (3, 429, "too_many_requests")
    assert "written 3 MB today" in found.body["message"]
    assert "sign in with an account" in found.body["message"]
    assert 0 < int(found.headers["retry-after"]) <= 86_400
    late = server.stranger().look()
    assert late.call("POST", "/guests", {}).status == 201, "to come in writes next to nothing"
    assert who.call("DELETE", "/session").status == 200, "anybody can leave"
    ann = server.staff("operator", "ann")
    assert ann.send("own", **_opening("own")).status == 200, "who has an account is not a guest"


def _opening(name: str) -> dict[str, Any]:
    return {"type": "open_table", "table": name, "rulebook": UTH, "submission": submission_for(UTH)}


def test_a_new_rulebook_of_a_guest_counts_for_the_memory_it_takes(start: Start) -> None:
    """Every worker keeps it as long as it runs: half a gigabyte in ten days from one address."""
    server = start(pace=PATIENT, throttles=Throttles())
    who, text = _guest(server, "operator"), _own_rulebook("taken")
    written = server.pit.guests._written
    for times in (1, 2):
        before = written.total()
        assert _open(who, text, "taken").status == 200
        who.do("rehearsal-taken", type="close_table")
        added = written.total() - before
        assert (added > KEPT_TIMES * len(text)) == (times == 1), "once for each"


def test_all_guests_together_write_so_much_and_tomorrow_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = GuestLimits(Throttles(guest_bytes=100_000, guest_bytes_all=250_000))
    guest, staff = Person("guest-1", "player", guest=True), Person("ann", "player")
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3"):
        limits.take_room(guest, address, 45_000)
    with pytest.raises(TooMany, match="guests have written"):
        limits.take_room(guest, "10.0.0.4", 1)
    limits.take_room(staff, "10.0.0.4", 10**9)
    limits.take_room(None, "10.0.0.4", 10**9)
    tomorrow = clock.now() + timedelta(days=1)
    monkeypatch.setattr(guest_limits, "now", lambda: tomorrow)
    limits.take_room(guest, "10.0.0.4", 1)


def test_one_household_is_one_address() -> None:
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert [network_of(one) for one in ("10.1.2.3", "local")] == ["10.1.2.3", "local"]


def test_people_with_ipv4_are_not_one_household_at_a_socket_for_both_protocols() -> None:
    """All of them were counted as the network ::/64: one stranger used up the limits of all."""
    assert network_of("::ffff:10.1.2.3") == network_of("10.1.2.3")
    assert network_of("::ffff:10.1.2.3") != network_of("::ffff:10.1.2.4") != network_of("::1")


# -- the lobby -------------------------------------------------------------------------------------


def test_the_list_of_tables_comes_in_pages(start: Start) -> None:
    """With 2,000 tables one answer had 1.8 MB."""
    server = start(pace=PATIENT)
    olga = server.staff("operator", "olga")
    for n in range(30):
        olga.do(f"T{n:02}", **_opening(f"T{n:02}"))
    who = server.stranger().look()
    assert len(who.get("/tables?size=10")["tables"]) == 10
    for path in ("/tables?size=101", "/tables?size=0", "/tables?page=0", "/tables?page=x"):
        assert who.call("GET", path).status == 400, path
    for asker, path in ((who, "/tables?size=7"), (olga, "/house/tables?size=7")):
        seen: list[str] = []
        pages, total, following = 0, asker.get(path)["total"], path
        while following:
            found = asker.get(following.removeprefix("/api/v1"))
            assert len(found["tables"]) <= 7
            seen += [one["id"] for one in found["tables"]]
            following, pages = found["next"], pages + 1
        assert len(seen) == len(set(seen)) == total == 44
        assert pages == 7
    assert olga.get("/house/tables?table=T07")["total"] == 1


def test_the_list_of_tables_is_narrowed(start: Start) -> None:
    server = start(pace=PATIENT)
    who = server.stranger().look()
    one = who.get("/tables?game=md-wpt")
    assert ([table["id"] for table in one["tables"]], one["total"]) == (["md-wpt"], 1)
    assert len(one["games"]) == 14, "all games can be chosen still"
    assert {
        table["jurisdiction"] for table in who.get("/tables?search=massachusetts")["tables"]
    } == {"Massachusetts"}
    assert who.get("/tables?search=uth%20maryland")["tables"][0]["id"] == UTH
    assert who.get("/tables?search=nothing%20here")["total"] == 0
    _guest(server, "dealer").call("POST", "/rehearsals", {"rulebook": UTH})
    assert who.get("/tables")["tables"][-1]["rehearsal"]
    assert who.get("/tables?rehearsals=false&size=100")["total"] == 14
    narrowed = who.get("/tables?rehearsals=false&size=2&search=stud")
    assert "rehearsals=false" in narrowed["next"]
    assert "search=stud" in narrowed["next"]


# -- the solvers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["report", "price"])
def test_one_guest_does_not_hold_the_queue_of_the_solvers(
    start: Start, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Nor do many guests of one address; whoever else asks comes next."""
    server = start()
    begun: list[Any] = []

    def run(_: object, __: object, given: object) -> Future[Any]:
        begun.append(given)
        return Future()

    monkeypatch.setattr("croupier.web.server.solver_process.Answers.run", run)
    monkeypatch.setattr("croupier.web.server.solver_process.asyncio.wait", _at_once)

    def ask(who: Caller, flush: int) -> Answer:
        body = {"family": "trips", "table": "A", "pays": {"flush": str(flush)}}
        return who.call("POST", f"/designs/md-uth/{what}", body)

    eve, mallory = _guest(server, "player"), _guest(server, "player")
    assert [ask(eve, flush).status for flush in (1, 2)] == [202, 202]
    third, from_there = ask(eve, 3), ask(mallory, 4)
    for found in (third, from_there):
        assert (found.status, found.body["code"]) == (429, "too_many_requests")
        assert "still waits for its turn" in found.body["message"]
        assert found.headers["retry-after"]
    assert ask(eve, 1).status == 202, "the same question may be asked again"
    ann = server.staff("player", "ann")
    assert ask(ann, 5).status == 202
    assert len(begun) == 1, "one is worked out at a time"


async def _at_once(waited: Any, timeout: float) -> Any:
    return set(), waited


# -- a class ---------------------------------------------------------------------------------------


def _issue(teacher: Caller, **asked: Any) -> Any:
    found = teacher.call("POST", "/school/codes", asked)
    assert found.status == 201, found.body
    return found.body


def _join(server: Server, code: str) -> tuple[Caller, Answer]:
    who = server.stranger().look()
    found = who.call("POST", "/class", {"code": code})
    if found.status == 201:
        who.csrf, who.name = found.body["csrf"], found.body["name"]
    return who, found


def test_a_class_of_thirty_behind_one_router_sits_down(start: Start) -> None:
    server = start(pace=PATIENT, throttles=Throttles(guests=(3, 0.001), guest_seats=2))
    teacher = server.staff("floorperson", "tess")
    issued = _issue(teacher, title="Monday", guests=30)
    free = [
        (one["id"], seat["number"])
        for one in server.stranger().get("/tables")["tables"]
        for seat in one["seats"]
    ]
    for n, (table, seat) in enumerate(free[:30]):
        typed = issued["code"].lower() if n % 2 else issued["code"].replace("-", " ")
        who, found = _join(server, typed)
        assert found.status == 201, (n, found.body)
        who.do(table, type="take_seat", seat=seat)
    (listed,) = teacher.get("/school/codes")["codes"]
    assert (listed["used"], listed["holds"], listed["code"]) == (30, True, "")
    _, found = _join(server, issued["code"])
    assert (found.status, found.body["code"]) == (409, "over_limit")
    others = [_guest(server, "player") for _ in range(3)]
    for one, (table, seat) in zip(others[:2], free[30:32], strict=True):
        one.do(table, type="take_seat", seat=seat)
    table, seat = free[32]
    full = others[2].send(table, type="take_seat", seat=seat)
    assert (full.status, full.body["code"]) == (409, "over_limit")
    assert "/class" in full.body["message"]


def test_a_guest_of_a_class_takes_no_more_than_its_own_seats(start: Start) -> None:
    server = start(pace=PATIENT, throttles=Throttles())
    code = _issue(server.staff("operator", "tess"))["code"]
    who, _ = _join(server, code)
    for table in ("md-uth", "ma-uth", "md-wpt")[:MOST_CLASS_SEATS]:
        who.do(table, type="take_seat", seat=1)
    found = who.send("md-235", type="take_seat", seat=1)
    assert (found.status, found.body["code"]) == (409, "over_limit")


def test_a_guest_who_is_there_joins_with_the_code(start: Start) -> None:
    server = start(pace=PATIENT, throttles=Throttles(guest_seats=1))
    code = _issue(server.staff("floorperson", "tess"), guests=1)["code"]
    first, second = _guest(server, "player"), _guest(server, "player")
    first.do(UTH, type="take_seat", seat=1)
    assert second.send(UTH, type="take_seat", seat=2).status == 409
    assert second.call("POST", "/class", {"code": code}).status == 201
    assert second.call("POST", "/class", {"code": code}).status == 201, "takes no second place"
    second.do(UTH, type="take_seat", seat=2)


def test_wrong_codes_are_counted(start: Start) -> None:
    """30 to the 8th power codes, and so many guesses of one address; right ones are not counted."""
    server = start(throttles=Throttles(class_guesses=(5, 0.001)))
    teacher = server.staff("floorperson", "tess")
    code = _issue(teacher)["code"]
    assert len(LETTERS) ** 8 > 6 * 10**11
    for _ in range(8):
        assert _join(server, code)[1].status == 201
    statuses = [_join(server, f"2222-222{letter}")[1].status for letter in "23456789"]
    assert statuses == [400] * 5 + [429] * 3
    blocked = _join(server, code)[1]
    assert blocked.status == 429, "whoever guesses waits, even with the right one"
    rows = server.pit.journal
    with rows.reader() as connection:
        kept = connection.exec_driver_sql("SELECT * FROM web_class_codes").all()
    assert code.replace("-", "") not in repr(kept), "the database has its hash"


def test_a_code_ends_and_is_revoked(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start(pace=PATIENT, throttles=Throttles(guest_seats=1))
    teacher, other = server.staff("floorperson", "tess"), server.staff("operator", "uma")
    issued = _issue(teacher)
    who, _ = _join(server, issued["code"])
    stolen = other.call("POST", f"/school/codes/{issued['id']}/revoke", {})
    assert (stolen.status, stolen.body["code"]) == (409, "nothing_there")
    assert teacher.call("POST", f"/school/codes/{issued['id']}/revoke", {}).status == 200
    assert _join(server, issued["code"])[1].body["code"] == "code_ended"
    person = server.pit.people.find_session(who.cookie.partition("=")[2])
    assert person is not None
    assert person.class_code == "", "those who came in share the address again"
    again = _issue(teacher, hours=1)
    codes = server.pit.people.class_codes
    late = clock.now() + timedelta(hours=1, seconds=1)
    monkeypatch.setattr(
        "croupier.web.accounts.class_codes.datetime", type("Late", (), {"now": lambda _: late})
    )
    with pytest.raises(Refusal, match="has ended"):
        codes.check(again["code"])


def test_who_issues_class_codes(start: Start) -> None:
    server = start()
    for who in (server.guest(), _guest(server, "operator"), server.staff("dealer")):
        found = who.call("POST", "/school/codes", {})
        assert (found.status, found.body["code"]) == (403, "wrong_role")
    assert server.stranger().look().call("POST", "/school/codes", {}).status == 401
    teacher = server.staff("floorperson", "tess")
    for wrong in ({"guests": 0}, {"guests": 61}, {"hours": 13}, {"hour": 1}):
        assert teacher.call("POST", "/school/codes", wrong).status == 400, wrong
    for _ in range(10):
        _issue(teacher)
    assert teacher.call("POST", "/school/codes", {}).body["code"] == "over_limit"


def test_a_house_with_money_has_no_class_codes(start: Start) -> None:
    server = start(demo=False)
    teacher = server.staff("floorperson", "tess")
    assert teacher.call("POST", "/school/codes", {}).body["code"] == "no_guests"
    found = server.stranger().look().call("POST", "/class", {"code": "2222-2222"})
    assert found.body["code"] == "no_guests"


def test_two_who_take_the_last_place_at_once_get_one(start: Start) -> None:
    server = start()
    people = server.pit.people
    issued = people.class_codes.issue("tess", ClassCodeRequest(guests=1))
    people.class_codes.enter(issued.code, people.add_guest().name)
    with pytest.raises(Refusal, match="places"):
        people.class_codes.enter(issued.code, people.add_guest().name)


def test_the_limits_of_a_guest_of_a_class_are_their_own(start: Start) -> None:
    """Live connections and what is written are counted for each, not for the router."""
    server = start(pace=PATIENT, throttles=Throttles(connections=(2, 0.001), guest_bytes=30_000))
    code = _issue(server.staff("floorperson", "tess"))["code"]
    pupils = [_join(server, code)[0] for _ in range(4)]
    for pupil in pupils:
        with pupil.live(UTH) as socket:
            assert socket.receive_text()
    for pupil in pupils[:2]:
        statuses = [pupil.call("POST", "/me/name", {"name": "x"}).status for _ in range(20)]
        assert 429 in statuses
        assert statuses[5] != 429
