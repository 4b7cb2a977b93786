"""Nobody ever receives a card that he may not see: every frame to every client is recorded and
compared with what follows from the journal."""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict, deque
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
import pytest

from croupier.cards import Card
from croupier.ledger.entries import Addition, Entry, Fence, StreamHead, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import table_record, table_stream
from croupier.ledger.signatures.sealing import RoundKeys
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import Rules
from croupier.runtime.dealer import FAST, Pace
from croupier.runtime.journal_session import JournalSession
from croupier.tables.command_input import command_from_data
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.tables.events import TableEvent
from croupier.web.server.settings import Settings
from croupier.web.tables.audience import Audience, News, Subscriber
from croupier.web.tables.demo import OPERATOR, submission_for
from croupier.web.tables.encoded_views import PersonalView
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.views import NOBODY, Onlooker
from tests.params import few
from tests.web.conftest import Start
from tests.web.hidden import Sight, cards_in, check_frame, check_told, check_view
from tests.web.kit import GAMES, OTHER_SHAPES, applied

PLAYERS = ("ann", "ben", "cat")
WATCHERS = (
    NOBODY,
    Onlooker("player", "eve"),
    Onlooker("dealer", "dee"),
    Onlooker("floorperson", "flo"),
    Onlooker("auditor", "otto"),
)


class MemoryJournal(Journal):
    """The journal's place taken by lists, of which the ends are kept: for volume."""

    is_shared = False

    def __init__(self) -> None:
        self._streams: dict[str, deque[Entry]] = defaultdict(lambda: deque(maxlen=500))
        self._trusting = True  # nobody else writes into these lists
        self.keys = RoundKeys(self)
        self._rules_there, self._rules_checked = set(), 0
        self.events: list[tuple[int, TableEvent]] = []
        """Of tables, with the version of their entry; for the checker, who takes them away."""

    def add(
        self, *additions: Addition, at: datetime, fence: Fence | None = None
    ) -> tuple[Entry, ...]:
        assert fence is None
        for one in additions:
            stream = self._streams[one.stream]
            assert one.after == (stream[-1].version if stream else 0)
            for version, new in enumerate(one.entries, one.after + 1):
                entry = Entry(one.stream, version, stamp(at), new.kind, new.body, (), "")
                stream.append(entry)
                if one.stream.startswith(table_stream("")):
                    record = table_record(self.keys.opened(entry))
                    self.events += [(version, event) for event in record.events]
        return ()

    def stored(self, stream: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        kept = [entry for entry in self._streams[stream] if entry.version > after]
        return iter([entry for entry in kept if up_to is None or entry.version <= up_to])

    def head(self, stream: str) -> StreamHead:
        kept = self._streams[stream]
        return StreamHead(kept[-1].version if kept else 0, "")

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        return tuple(
            [name for name, kept in self._streams.items() if kept and name.startswith(prefix)]
        )

    def remember(self, entry: Entry) -> None:
        pass

    def snapshot(self, stream: str) -> None:
        return None

    def chapter(self, stream: str, number: int) -> None:
        return None

    def answered(self, stream: str, request: str) -> None:
        return None


class DirectTable(ServedTable):
    """Nothing blocks in memory: no threads."""

    async def blocking(self, work: Any) -> Any:
        return work()


class ComparingAudience(Audience):
    """A view that is put together from parts is what the whole would be, and not a byte more."""

    compared = 0

    def _send(self, news: list[News]) -> None:
        for subscriber in self.subscribers:
            shown = self._shown()
            whole = msgspec.json.encode(shown.to(subscriber.who))
            text = shown.view_of(subscriber.who).whole
            assert json.loads(text) == json.loads(whole)
            assert len(text) == len(whole)
            self.compared += 1
        super()._send(news)


class ComparingTable(DirectTable):
    def __init__(self, session: JournalSession, settings: Settings) -> None:
        super().__init__(session, settings)
        self.audience = ComparingAudience(self._shown, names_everybody=settings.demo)


class Recorder(Subscriber):
    """Keeps every view as it is put, before anything could be left out."""

    def __init__(self, who: Onlooker, checker: Checker) -> None:
        super().__init__(who, lambda: None, diffs=True)
        self._checker = checker
        self._client: dict[str, Any] = {}

    def put(
        self, seq: int, view: PersonalView, events: list[bytes], *, settled: bool = False
    ) -> None:
        told = [text.decode() for text in events]
        self._checker.check(seq, view.whole.decode(), told, self.who)
        self._view = view.whole
        super().put(seq, view, events, settled=settled)
        self._check_difference(seq, told)

    def _check_difference(self, seq: int, told: list[str]) -> None:
        """A frame with changes leads a client to the whole view, and has nothing besides."""
        text = (self.take() or b"").decode()
        frame, whole = json.loads(text), self.latest
        if self._client:
            assert applied(whole, frame) == whole, "nothing but what the whole view has"
            self._checker.check(seq, text, told, self.who)
        self._client = applied(self._client, frame)
        assert self._client == whole

    @property
    def latest(self) -> Any:
        return json.loads(self._view)


class Checker:
    """Follows the journal, and compares every frame with it as it is sent."""

    def __init__(self, journal: MemoryJournal, rules: Rules) -> None:
        self._journal = journal
        is_stud = rules.book.id == "md-235"
        looked = 2 if is_stud else rules.book.cards.player
        folds = not is_stud and rules.book.id != "let-it-ride"
        self._sight = Sight(looked, folds=folds)
        self._allowed: dict[str | None, dict[int, frozenset[Card]]] = {}
        self.frames = 0
        self.cards = 0

    def check(self, seq: int, view: str, told: list[str], who: Onlooker) -> None:
        self._follow()
        player, name = who.name if who.role == "player" else None, who.name or "a stranger"
        allowed = self._allowed[player]
        self.cards += check_view(view, seq, allowed, name)
        for text in told:
            check_told(text, json.loads(text)["version"], allowed, name)
        self.frames += 1

    def _follow(self) -> None:
        names: list[str | None] = [*PLAYERS, "eve", "", None]
        for version, event in self._journal.events:
            self._sight.take_in(event)
            for name in names:
                known = self._allowed.setdefault(name, {})
                known[version] = self._sight.may_see(name)
                known.pop(version - 200, None)
        self._journal.events.clear()


async def _play(
    rulebook: str, rounds: int, kind: type[DirectTable] = DirectTable
) -> tuple[Checker, DirectTable]:
    """Three players by chance, each from what his own last frame lets him do; the dealer by
    software; five people who watch."""
    chance = random.Random(f"leaks {rulebook}")
    journal = MemoryJournal()
    session = JournalSession(journal, rulebook, keep_news=True)
    session.do(OpenTable(rulebook, rulebook, submission_for(rulebook), inventory=10**9), OPERATOR)
    session.take_news()
    served = kind(session, Settings("", pace=FAST, software_floor=True))
    await served.load()
    checker = Checker(journal, served.rules)
    players = {name: Recorder(Onlooker("player", name), checker) for name in PLAYERS}
    for subscriber in (*players.values(), *(Recorder(who, checker) for who in WATCHERS)):
        served.subscribe(subscriber, 0)
    for seat, name in enumerate(PLAYERS, 1):
        await served.do(TakeSeat(name, seat), Actor("player", name))
    while served.table.round.number <= rounds:
        state = served.table.round
        if state.phase == "betting":
            await _bet(served, players, chance)
        if state.phase == "deciding":
            asked = state.seat(state.turn)
            assert asked is not None
            await _answer(served, players[asked.player], chance)
            continue
        if state.phase in ("revealing", "showdown") and chance.random() < 0.01:
            flo = Actor("floorperson", "flo")
            told = {"type": "void_round", "reason": "a card was exposed"}
            await served.do(command_from_data(told, flo), flo)
            continue
        coming = served.due()
        assert coming is not None, served.table.round.phase
        await served.do(coming.command, coming.actor)
    return checker, served


async def _bet(served: ServedTable, players: dict[str, Recorder], chance: random.Random) -> None:
    said: dict[int, int] = {}
    for seat, name in served.table.seats.items():
        actor = Actor("player", name)
        if served.table.rack(name) < 50_000:
            await served.do(BuyIn(name, 500_000), actor)
        wagers: dict[str, str] = {}
        for _ in range(chance.choice((1, 1, 3))):
            for action in players[name].latest["actions"]:
                if action["do"] == "place" and action["seat"] == seat:
                    stakes = action.get("stakes")
                    wagers[action["wager"]] = stakes[0] if stakes else action["least"]
            told = {"type": "place_wagers", "seat": seat, "wagers": wagers}
            await served.do(command_from_data(told, actor), actor)
        said[seat] = served.table.version
    served.set_ready(dict.fromkeys(said, served.table.version))


async def _answer(served: ServedTable, player: Recorder, chance: random.Random) -> None:
    says = [action for action in player.latest["actions"] if action["do"] == "say"]
    assert says, "whose turn it is has something to say"
    said = chance.choice(says)
    actor = Actor("player", player.who.name)
    told = {"type": "act", "seat": said["seat"], "action": said["action"]}
    if chance.random() < 0.02:
        told = {"type": "leave_round", "seat": said["seat"]}
    await served.do(command_from_data(told, actor), actor)


@pytest.mark.parametrize("rulebook", [*GAMES, *OTHER_SHAPES])
def test_no_frame_holds_a_card_that_its_receiver_may_not_see(rulebook: str) -> None:
    checker, served = asyncio.run(_play(rulebook, 12))
    assert checker.frames > 12 * 7 * 10
    assert checker.cards > checker.frames
    assert sum(served.table.money.values()) > 0


@pytest.mark.parametrize("rulebook", few(GAMES, "md-uth", "md-235"))
def test_a_view_put_together_from_parts_is_the_whole_one(rulebook: str) -> None:
    _, served = asyncio.run(_play(rulebook, 10, ComparingTable))
    assert isinstance(served.audience, ComparingAudience)
    assert served.audience.compared > 10 * 7 * 10


@pytest.mark.full
@pytest.mark.parametrize("rulebook", GAMES)
def test_no_frame_holds_a_hidden_card_over_many_rounds(rulebook: str) -> None:
    asyncio.run(_play(rulebook, 4_000))


def test_nothing_that_can_be_asked_tells_a_sealed_deck(start: Start) -> None:
    """While a round is in play: every answer of the API, to every role, without the deck's salt and
    without a card that lies face down."""
    server = start(software_dealer=False, pace=Pace(600, 600, 600, 600, 600))
    uth, ann, dee = "md-uth", server.guest(), server.staff("dealer")
    ann.do(uth, type="take_seat", seat=1)
    ann.do(uth, type="buy_in", amount="1000.00")
    texts = [dee.send(uth, key="open", type="open_betting")]
    texts.append(dee.send(uth, key="open", type="open_betting"))
    assert texts[-1].body["repeated"]
    ann.bet(uth, 1)
    for command in ("close_bets", {"type": "count_chips", "chips": 0}, "deal"):
        told = {"type": command} if isinstance(command, str) else command
        texts.append(dee.send(uth, **told))
    texts += [dee.send(uth, type="open_betting"), dee.send(uth, type="open_betting", deck=["As"])]
    assert [one.status for one in texts[-2:]] == [409, 400]
    state = server.pit.table(uth).table.round
    assert (state.phase, state.number) == ("deciding", 1)
    own = set(state.seats[0].cards)
    people = [ann, dee, server.guest(), server.stranger(), server.staff("auditor", "otto")]
    people += [server.staff("floorperson"), server.staff("operator")]
    paths = ["/tables", "/me", "/openapi.json", "/description", f"/tables/{uth}"]
    paths += [
        f"/tables/{uth}/{rest}"
        for rest in ("rules", "rounds", "rounds/1", "work", "payouts", "shoes")
    ]
    paths += [f"/tables/{uth}/rounds/1/review"]
    shown = 0
    for who in people:
        for found in [who.call("GET", path) for path in paths]:
            text = json.dumps(found.body)
            assert state.salt not in text
            if "openapi" in text or '"clauses"' in text:
                continue  # cards there are examples
            assert cards_in(text) <= (own if who is ann else set())
            shown += len(cards_in(text))
        with who.live(uth, after=0) as socket:
            frame = socket.receive_text()
            assert state.salt not in frame
            assert cards_in(frame) <= (own if who is ann else set())
    assert shown == len(own), "the player's own cards are the only ones"
    for one in texts:
        assert state.salt not in json.dumps(one.body)
        assert not cards_in(json.dumps(one.body))
    attempts = b"".join(entry.body for entry in server.pit.journal.read(f"attempts:{uth}"))
    assert b"open_betting" in attempts
    assert state.salt.encode() not in attempts


def test_cards_that_a_live_dealer_enters_face_down_are_told_to_nobody_else(start: Start) -> None:
    server = start(software_dealer=False)
    operator, dee = server.staff("operator"), server.staff("dealer")
    ann, ben = server.guest(), server.guest()
    opening: dict[str, Any] = {
        "type": "open_table",
        "table": "live",
        "rulebook": "md-uth",
        "source": "live",
    }
    opening |= {"submission": submission_for("md-uth"), "inventory": "10000.00"}
    operator.do("live", **opening, care=False)
    for seat, who in ((1, ann), (2, ben)):
        who.do("live", type="take_seat", seat=seat)
        who.do("live", type="buy_in", amount="1000.00")
    dee.do("live", type="open_betting")
    for seat, who in ((1, ann), (2, ben)):
        who.bet("live", seat)
    dee.do("live", type="close_bets")
    while (tag := dee.view("live")["dealer_actions"][0]) in ("count_chips", "deal"):
        dee.do("live", type=tag, **({"chips": 0} if tag == "count_chips" else {}))
        if tag == "deal":
            break
    dee.do("live", type="enter_cards", place="player", seat=1, cards=["As", "Kd"])
    cards = cards_in("As Kd")
    for who in (ben, server.guest(), server.stranger(), server.staff("auditor", "otto")):
        with who.live("live", after=0) as socket:
            frame = socket.receive_text()
        assert '"enter_cards"' in frame
        assert not cards_in(frame)
        assert not cards_in(json.dumps(who.view("live")))
    assert cards_in(json.dumps(ann.view("live"))) <= cards


def test_the_check_would_find_a_leak() -> None:
    """A test that cannot fail proves nothing: one hidden card in a frame is found."""
    sight = Sight(2)
    from croupier.rounds.commands import OpenBetting
    from croupier.rounds.events import CardsDealt, WagersPlaced

    ace, king, two = (Card.parse(name) for name in ("As", "Kd", "2c"))
    for event in (
        OpenBetting(1, "virtual", deck=(ace, king, two)),
        WagersPlaced(1, "ann", {"ante": 500}),
        CardsDealt(3, {1: (ace, king)}, dealer=(two,)),
    ):
        sight.take_in(event)
    allowed = {1: sight.may_see("ann")}
    frame = '{"seq": 1, "view": {"cards": ["As", "%s"]}, "happened": %s}'
    assert check_frame(frame % ("Kd", "[]"), allowed, "ann") == 2
    with pytest.raises(AssertionError, match="ann was shown"):
        check_frame(frame % ("2c", "[]"), allowed, "ann")
    told = '[{"version": 1, "kind": "cards_dealt", "words": ["dealer: 2c"]}]'
    with pytest.raises(AssertionError, match="ann was told"):
        check_frame(frame % ("Kd", told), allowed, "ann")
    with pytest.raises(AssertionError, match="ben was shown"):
        check_frame(frame % ("Kd", "[]"), {1: sight.may_see("ben")}, "ben")
