"""The automation set: any part of a table's people by software, the others by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from croupier.cards import Card
from croupier.ledger.journal import open_journal
from croupier.randomness.shuffling import Seeded, matches_seal, seal, shuffle
from croupier.rounds.commands import CloseBets, EnterCards, OpenBetting, RevealCards, ShowDealer
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rounds.events import CardsCollected, SeatSettled
from croupier.rounds.legality import smallest_wagers
from croupier.rounds.state import Round
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import progressive_wager, rules_for
from croupier.runtime.automation import Automation, StrategyPlayer, play_round
from croupier.runtime.dealer import DEALER
from croupier.runtime.house import House
from croupier.runtime.players import AlwaysFirst, AtRandom, TurnView
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, CloseTable, OpenTable, TableCommand, TakeSeat
from croupier.tables.planning import plan_opening
from croupier.tables.state import rules_of

OPERATOR = Actor("operator", "olga")
SEATS = 6


def submission(rulebook: str, options: dict[str, str] | None = None) -> str:
    """Everything stated that a progressive needs."""
    rules = rules_for(rulebook, "", "{}")
    stated = progressive_wager(rules.book) in rules.stakes
    terms = {
        "stakes": [] if stated else ["1"],
        "meters": {meter: {"rate": "0.1"} for meter in rules.resets},
    }
    return json.dumps({"progressive": terms, "options": options or {}})


def opening(
    rulebook: str, options: dict[str, str] | None = None, source: str = "virtual"
) -> OpenTable:
    return OpenTable(
        table="T1",
        rulebook=rulebook,
        submission=submission(rulebook, options),
        inventory=10**9,
        source=source,  # type: ignore[arg-type]
        care=False,
    )


def seated(
    rulebook: str,
    options: dict[str, str] | None = None,
    source: str = "virtual",
    seats: int = SEATS,
) -> TableSession:
    draw = Seeded("deck")
    running = TableSession.opened(opening(rulebook, options, source), OPERATOR, draw=draw)
    for seat in range(1, seats + 1):
        running.do(TakeSeat(f"p{seat}", seat), Actor("player", f"p{seat}"))
    return running


def all_players(running: TableSession, seed: str = "play") -> dict[str, StrategyPlayer]:
    strategy = AtRandom(Seeded(seed))
    wagers = smallest_wagers(running.rules)
    return {name: StrategyPlayer(strategy, wagers) for name in running.table.seats.values()}


def ways() -> Iterator[tuple[str, dict[str, str]]]:
    """Every game with every method of dealing and each of its orders."""
    for rulebook in DOCUMENTS:
        for method, way in load_rulebook(rulebook).default.dealing.items():
            for order in way.variants or ("",):
                options = {"dealing": method} | ({"deal_order": order} if order else {})
                yield rulebook, options


@pytest.mark.parametrize(
    ("rulebook", "options"),
    list(ways()),
    ids=lambda part: part if isinstance(part, str) else "-".join(part.values()),
)
def test_software_plays_whole_rounds(rulebook: str, options: dict[str, str]) -> None:
    running = seated(rulebook, options)
    automation = Automation(players=all_players(running))
    for number in range(1, 21):
        events = play_round(running, automation)
        assert running.table.round.number == number
        assert isinstance(events[-1], CardsCollected)
        assert sum(isinstance(event, SeatSettled) for event in events) == SEATS
    assert not any(account.startswith("layout:") for account in running.table.money)


@pytest.mark.parametrize("rulebook", DOCUMENTS)
@pytest.mark.parametrize("by_hand", list(product([False, True], repeat=3)), ids=str)
def test_whatever_is_by_hand_waits_and_the_rest_goes_on(
    rulebook: str, by_hand: tuple[bool, bool, bool]
) -> None:
    """Dealer, floor and a player, each by software or by hand: software stops exactly where the
    others have to act, and the round comes to its end."""
    dealer, floor, player = by_hand
    running = seated(rulebook)
    everybody = Automation(players=all_players(running))
    some = {name: p for name, p in everybody.players.items() if not (player and name == "p2")}
    software = Automation(dealer=not dealer, floor=not floor, players=some)
    helped = 0
    for _ in range(4):
        while True:
            step = software.next_command(running.table, running.rules)
            if step is None:
                step = everybody.next_command(running.table, running.rules)
                helped += 1
                assert step is not None
                actor, _ = step
                assert (
                    (actor.role == "dealer" and (dealer or player))
                    or (actor.role == "floorperson" and floor)
                    or (actor.name == "p2" and player)
                )
            actor, command = step
            running.do(command, actor)
            if running.table.round.phase == "over":
                break
    assert running.table.round.number == 4
    assert (helped > 0) is (dealer or player or (floor and helped > 0))


def test_a_dealer_by_software_closes_when_people_say_that_they_are_done() -> None:
    running = seated("md-uth", seats=2)
    players = all_players(running)
    del players["p2"]
    automation = Automation(players=players)
    play_round(running, automation)
    assert running.table.round.phase == "betting"
    assert automation.next_command(running.table, running.rules) is None
    done = automation.next_command(running.table, running.rules, bets_done=True)
    assert done == (DEALER, CloseBets())


def test_software_signs_as_software_and_seals_its_decks() -> None:
    running = seated("md-uth")
    automation = Automation(players=all_players(running))
    step = automation.next_command(running.table, running.rules)
    assert step is not None
    actor, command = step
    assert actor == Actor("dealer", SOFTWARE)
    source = Seeded("deck")
    sealed = seal(shuffle(source), source)
    (opened, _) = running.do(command, actor)
    assert isinstance(opened, OpenBetting)
    assert opened.deck == sealed.order
    assert matches_seal(sealed.commitment, sealed.salt, sealed.order)


def test_a_player_who_is_short_buys_in_and_never_more_often_than_needed() -> None:
    running = seated("md-uth", seats=1)
    wagers = {"ante": 1000, "blind": 1000}
    automation = Automation(players={"p1": StrategyPlayer(AlwaysFirst(), wagers, 50_000)})
    for _ in range(30):
        play_round(running, automation)
        assert running.table.rack("p1") >= 0
    drop = running.table.money["drop"]
    assert drop % 50_000 == 0
    most = automation.players["p1"].most_needed(running.rules)
    assert most == 1000 + 1000 + 4 * 1000
    step = Automation(players=automation.players).next_command(running.table, running.rules)
    assert step is not None
    assert not isinstance(step[1], BuyIn)


class Peeks:
    """Remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[TurnView] = []

    def action(self, seen: TurnView) -> str:
        self.seen.append(seen)
        return seen.decision.otherwise


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_a_player_sees_what_the_decision_shows_and_no_more(rulebook: str) -> None:
    running = seated(rulebook)
    peeks = Peeks()
    wagers = smallest_wagers(running.rules)
    players = {name: StrategyPlayer(peeks, wagers) for name in running.table.seats.values()}
    play_round(running, Automation(players=players))
    assert peeks.seen
    for cards, community, decision, *_ in peeks.seen:
        assert len(cards) == decision.sees_player
        assert len(community) == decision.sees_community
    hidden = {*running.table.round.dealer, *running.table.round.burned}
    assert hidden.isdisjoint(card for seen in peeks.seen for card in (*seen.cards, *seen.community))


def test_at_a_live_table_software_waits_for_the_cards_to_be_entered() -> None:
    running = seated("md-uth", source="live", seats=1)
    automation = Automation(players=all_players(running))
    deck = iter(shuffle(Seeded("live")))

    def take(count: int) -> tuple[Card, ...]:
        return tuple(next(deck) for _ in range(count))

    def enters(round_: Round) -> TableCommand:
        """What a dealer with real cards does when software can do no more."""
        match round_.phase:
            case "deciding":
                return EnterCards("player", take(2), 1)
            case "revealing":
                return RevealCards(take(2 if round_.community else 3))
            case "showdown":
                return ShowDealer(take(2))
            case _:
                return EnterCards("box", take(4))

    waited = []
    while True:
        play_round(running, automation)
        if running.table.round.phase == "over":
            break
        waited.append(running.table.round.phase)
        running.do(enters(running.table.round), DEALER)
    assert waited[0] == "deciding"
    assert {"revealing", "showdown"} <= set(waited)
    assert all(seat.settled for seat in running.table.round.seats)


def test_nothing_is_done_at_a_closed_or_an_empty_table() -> None:
    made = plan_opening(opening("md-uth"), OPERATOR, with_link=True)
    running = TableSession(made.table, made.link)
    assert Automation().next_command(running.table, running.rules) is None
    running.do(CloseTable(), OPERATOR)
    assert Automation().next_command(running.table, running.rules) is None


def test_a_table_in_a_journal_is_played_by_the_same_commands(tmp_path: Path) -> None:
    running = seated("md-235")
    automation = Automation(players=all_players(running))
    in_memory = [event for _ in range(3) for event in play_round(running, automation)]
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store, clock=lambda: datetime(2026, 11, 15, tzinfo=UTC), draw=Seeded("deck"))
        house.do("T1", opening("md-235"), OPERATOR)
        for seat in range(1, SEATS + 1):
            house.do("T1", TakeSeat(f"p{seat}", seat), Actor("player", f"p{seat}"))
        again = Automation(players=all_players(running))
        journaled = [event for _ in range(3) for event in play_round(house.session("T1"), again)]
        assert house.table("T1").money == running.table.money
    assert journaled == in_memory


def test_smallest_wagers_keep_to_stakes_limits_and_the_way_of_dealing() -> None:
    rules = rules_of(seated("md-uth").table)
    wagers = smallest_wagers(rules)
    assert wagers["ante"] == wagers["blind"] == 1000
    assert wagers["progressive"] == min(rules.stakes["progressive"])
    by_hand = rules_for("md-uth", "", submission("md-uth", {"dealing": "hand"}))
    assert "six_card_bonus" in wagers
    assert ("six_card_bonus" in smallest_wagers(by_hand)) is (
        "hand" in (by_hand.book.wagers["six_card_bonus"].dealt_by or ("hand",))
    )
