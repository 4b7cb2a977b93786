"""What a red team tried: cards by their hashes and by guessing, a player's bets, the server's
threads."""

from __future__ import annotations

import csv
import dataclasses
import threading
import time
from typing import Any
from urllib.parse import quote

import pytest
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.ledger.records.table_entries import attempts_stream, table_stream
from croupier.reports.signs import Sign
from croupier.rounds.irregularities import possible_irregularities
from croupier.web.server.pools import MOST_CHECKS_WAITING
from croupier.web.server.settings import Throttles
from croupier.web.tables import house as house_routes
from tests.tables.seated import Sitting
from tests.web.conftest import Server, Start
from tests.web.hidden import cards_in
from tests.web.kit import PATIENCE, Caller
from tests.web.tables.test_shoe import LiveTable

UTH = "md-uth"


def _dealt(server: Server, players: int = 1) -> tuple[Caller, list[Caller]]:
    """A virtual round of a dealer's, the cards just dealt."""
    dee, people = server.staff("dealer"), [server.guest() for _ in range(players)]
    for seat, who in enumerate(people, 1):
        who.do(UTH, type="take_seat", seat=seat)
        who.do(UTH, type="buy_in", amount="1000.00")
    dee.do(UTH, type="open_betting")
    for seat, who in enumerate(people, 1):
        who.bet(UTH, seat)
    _deal_until(dee, "deciding")
    return dee, people


def _deal_until(dee: Caller, *phases: str) -> Any:
    while (view := dee.view(UTH))["round"]["phase"] not in phases:
        told = {"chips": 0} if view["dealer_actions"][0] == "count_chips" else {}
        dee.do(UTH, type=view["dealer_actions"][0], **told)
    return view


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["auditor", "surveillance", "operator"])
def test_no_hash_of_a_round_in_play_is_told(start: Start, role: str) -> None:
    """The entry of the deal holds the hidden cards and nothing else that is secret: with its hash
    they could be tried until they fit."""
    server = start(software_dealer=False)
    dee, (ann,) = _dealt(server)
    otto, stream = server.staff(role, "otto"), table_stream(UTH)
    began = server.pit.table(UTH).table.began
    hashes = [entry.hash for entry in server.pit.journal.read(stream)]
    older, secret = hashes[: began - 1], hashes[began - 1 :]

    def told() -> str:
        entries = range(1, len(hashes) + 1)
        texts = [str(otto.get(f"/audit/entries/{stream}/{version}")) for version in entries]
        texts += [str(otto.get(f"/audit/entries?limit=100&table={UTH}"))]
        for form in ("jsonl", "csv"):
            texts += [str(otto.call("GET", f"/audit/export?format={form}").body)]
        return "".join(texts)

    while_played = told()
    assert all(one in while_played for one in older)
    assert not any(one in while_played for one in secret)
    assert otto.get(f"/audit/entries/{stream}/{began}")["holds"]
    for action in ("check", "check", "fold"):
        ann.do(UTH, type="act", seat=1, action=action)
        _deal_until(dee, "deciding", "over")
    afterwards = told()
    assert all(one in afterwards for one in secret), "when the round is over everything is told"


def test_a_folded_hand_is_not_exported_before_the_round_is_over(start: Start) -> None:
    server = start(software_dealer=False)
    dee, people = _dealt(server, 2)
    otto = server.staff("auditor", "otto")
    for action in ("check", "check", "fold"):
        for seat in (1, 2):
            people[seat - 1].do(UTH, type="act", seat=seat, action=action)
        _deal_until(dee, "deciding", "settling")
    dee.do(UTH, type="settle")
    state = server.pit.table(UTH).table.round
    (settled,) = [seat for seat in state.seats if seat.settled]
    path = f"/audit/export?what=wagers&format=csv&table={UTH}"
    assert not cards_in(str(otto.call("GET", path).body)) & set(settled.cards)
    _deal_until(dee, "over")
    assert cards_in(str(otto.call("GET", path).body)) >= set(settled.cards)


@pytest.mark.parametrize("query", ["words", "person", "clause", "role"])
def test_how_far_a_search_looked_tells_no_hidden_card(start: Start, query: str) -> None:
    """Every card is sought in the one entry of the deal: all answers are the same."""
    server = start(software_dealer=False)
    _dealt(server)
    otto = server.staff("auditor", "otto")
    written = server.pit.journal.read(table_stream(UTH))
    (deal,) = [entry for entry in written if b"cards_dealt" in entry.body]
    at = quote(deal.at)
    answers = [
        otto.get(f"/audit/entries?{query}={card}&since={at}&until={at}&stream={deal.stream}")
        for card in DECK
        if str(card).lower() not in UTH  # the ten of hearts is found in the table's name
    ]
    differ = [one for one in answers if one != answers[0]]
    assert not differ
    whole = otto.get("/audit/entries?words=deal&limit=100")
    assert whole["back_to"], "it says how far it looked"


def _attempts(server: Server, table: str) -> list[bytes]:
    return [entry.body for entry in server.pit.journal.read(attempts_stream(table))]


def test_whoever_tries_cards_on_the_shoe_leaves_a_trace(start: Start) -> None:
    """The same card twice would tell, and take nothing, whether it was read before."""
    live = LiveTable(start(software_dealer=False))
    live.deal()
    assert live.reads(["As"], key="1").body["waiting"] == 1
    fresh, read = (live.reads([card, card], key=f"try {card}").body for card in ("Kd", "As"))
    assert fresh["message"].replace("Kd", "As") == read["message"], "both sound the same"
    assert live.reads(["Kd", "As"], key="2").status == 400
    (tried,) = _attempts(live.server, "live")
    assert b"enter_cards" in tried
    assert b'"dealer-1"' in tried


def test_whoever_foresees_reports_of_cards_leaves_a_trace(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    live.dee.do("live", type="enter_cards", place="player", seat=1, cards=["As", "Kd"])
    kind = next(
        one["kind"]
        for one in live.dee.get("/tables/live/work")["irregularities"]
        if one["asks"] == ["cards"] and one["most_cards"] == 1 and not one["needs_floor"]
    )
    report = {"type": "report", "kind": kind}
    right = live.dee.call("POST", "/tables/live/foresee", {**report, "cards": ["2c"]})
    assert right.status == 200, right
    assert _attempts(live.server, "live") == []
    found = live.dee.call("POST", "/tables/live/foresee", {**report, "cards": ["As"]})
    assert (found.status, found.body["code"]) == (400, "bad_cards")
    (tried,) = _attempts(live.server, "live")
    assert b'"report"' in tried


def test_no_card_is_named_at_a_virtual_deck_whatever_an_own_rulebook_says() -> None:
    """A refused card would tell that it lies face down on the table."""
    table = Sitting(UTH, 1)
    table.open()
    table.bet(1)
    table.deal()
    book = table.rules.book
    loose = {name: replace(one, physical=False) for name, one in book.irregularities.items()}
    rules = dataclasses.replace(table.rules, book=replace(book, irregularities=loose))
    found = possible_irregularities(table.round, rules)
    assert found
    assert all({"card", "cards"}.isdisjoint(one.asks) for one in found.values())


# -- a player's chips ------------------------------------------------------------------------------


def test_with_virtual_cards_no_dealer_takes_a_player_out_of_the_round(start: Start) -> None:
    """His hand would be folded for him, and his bets lost."""
    server = start(software_dealer=False)
    dee, (ann,) = _dealt(server)
    dee.refused(UTH, 403, "not_yours", type="leave_round", seat=1, player=ann.name)
    flo = server.staff("floorperson", "flo")
    flo.do(UTH, type="leave_round", seat=1, player=ann.name)


# -- the server ------------------------------------------------------------------------------------


def test_submissions_that_are_checked_take_no_thread_from_the_tables(server: Server) -> None:
    """However many come at once: a player is seated, and what is too much is sent away."""
    olga, ann = server.staff("operator"), server.guest()
    waits, goes_on = threading.Event(), threading.Event()
    real, statuses = server.pit.checker.check, []

    def slow(upload: Any) -> Any:
        waits.set()
        goes_on.wait(60)
        return real(upload)

    server.pit.checker.check = slow

    def send() -> None:
        body = {"submission": {"rulebook": UTH}}
        statuses.append(olga.call("POST", "/submissions/check", body).status)

    people = [threading.Thread(target=send) for _ in range(MOST_CHECKS_WAITING + 5)]
    for one in people:
        one.start()
    assert waits.wait(60)
    ann.do(UTH, type="take_seat", seat=1)
    end = time.monotonic() + PATIENCE
    while not statuses and time.monotonic() < end:
        time.sleep(0.05)
    goes_on.set()
    for one in people:
        one.join()
    assert set(statuses) == {200, 503}
    assert statuses.count(503) <= 4


def test_whoever_guesses_tokens_of_shoes_is_slowed_down(start: Start) -> None:
    """Each guess is another token: it is the address that is counted."""
    server = start(throttles=Throttles(queries=(10, 0.001)))
    statuses = [
        server.stranger()
        .call(
            "POST",
            f"/tables/{UTH}/shoe",
            b"As",
            {"Authorization": f"Bearer guess-{n}", "Idempotency-Key": f"guess-{n}"},
        )
        .status
        for n in range(12)
    ]
    assert statuses[0] in (401, 403)
    assert statuses[-1] == 429


@pytest.mark.parametrize("path", [f"/tables/{UTH}/rounds", "/audit/entries", "/audit/shift"])
def test_a_time_before_all_times_is_none(server: Server, path: str) -> None:
    """In the first year, east of Greenwich: it has no time in Greenwich."""
    found = server.staff("auditor", "otto").call("GET", f"{path}?since=0001-01-01T00:00:00%2B23:59")
    assert (found.status, found.body["code"]) == (400, "bad_request")


def test_a_sign_that_everybody_asks_for_is_set_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(sign: Sign, part: str) -> bytes:
        made.append(f"{part} of {sign.table}")
        return b"%PDF"

    monkeypatch.setattr(house_routes, "sheet", counted)
    house_routes._printed.cache_clear()
    for _ in range(3):
        assert server.stranger().call("GET", f"/tables/{UTH}/sign.pdf").status == 200
    house_routes._printed.cache_clear()
    assert made == [f"sign of {UTH}"]


@pytest.mark.parametrize("reason", ["=1+1", "-1+1", "+1", "@SUM(1)"])
def test_no_reason_is_a_formula_in_a_spreadsheet(start: Start, reason: str) -> None:
    server = start(software_dealer=False)
    dee, (ann,) = _dealt(server)
    for action in ("check", "check", "fold"):
        ann.do(UTH, type="act", seat=1, action=action)
        _deal_until(dee, "deciding", "over")
    told = {"round": 1, "seat": 1, "player": ann.name, "wager": "ante"}
    server.staff("floorperson", "flo").do(UTH, type="correct", **told, amount="5.00", reason=reason)
    text = server.staff("auditor", "otto").call("GET", "/audit/export?format=csv&what=wagers").body
    rows = list(csv.reader(text.splitlines()))
    assert rows[-1][-1] == f"'{reason}"
    assert "5.00" in rows[-1], "an amount stays a number"
