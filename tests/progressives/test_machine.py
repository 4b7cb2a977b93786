"""Links under random commands: every cent explained, every balance what the meter shows."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.progressives import (
    HOUSE,
    Award,
    Awarded,
    ChangeTerms,
    CloseLink,
    Command,
    Contribute,
    Event,
    FinishRound,
    JoinTable,
    LeaveTable,
    Link,
    LinkClosed,
    LinkMeterTerms,
    MoveTo,
    ReceiveMoney,
    ReverseRound,
    RoundReversed,
    Stated,
    decide,
    evolve,
    from_json,
    meter_account,
    replay,
    to_json,
    transfers,
)
from tests.progressives.links import opening, terms

TABLES = ("one", "two", "three")
LINKS = ("pot", "spare")
SEATS = st.lists(st.integers(1, 6), unique=True, max_size=6)
HANDS = ("royal_flush", "straight_flush", "four_of_a_kind", "flush")
PAYTABLES = {"md-uth": "ABCD", "md-235": "ABCD"}
_EVENTS = msgspec.json.Decoder(list[Event])


class Casino(RuleBasedStateMachine):
    """Two links of the same game; tables come, play, win, have void rounds and go."""

    def __init__(self) -> None:
        super().__init__()
        self.links: dict[str, Link] = {}
        self.journal: dict[str, list[Event]] = {name: [] for name in LINKS}
        self.ledger: Counter[str] = Counter()
        self.round = 0

    @initialize(
        rulebook=st.sampled_from(sorted(PAYTABLES)),
        letter=st.sampled_from("ABCD"),
        rates=st.lists(st.integers(0, 10**6), min_size=3, max_size=3),
        extra=st.integers(0, 10**5),
    )
    def open_links(self, rulebook: str, letter: str, rates: list[int], extra: int) -> None:
        self.model = terms(rulebook, letter, table="one")
        for name in LINKS:
            command = opening(rulebook, letter, link=name)
            meters = {
                meter: LinkMeterTerms(t.seed_cents + extra, t.reset_cents + extra // 2, rate)
                for (meter, t), rate in zip(command.meters.items(), rates, strict=False)
            }
            self.do(name, replace(command, meters=meters))
        for table in TABLES[1:]:
            self.do("pot", JoinTable(table=replace(self.model, table=table), by="Ann"))

    def do(self, name: str, command: Command) -> bool:
        """Taken, or refused with the link untouched."""
        before = self.links.get(name)
        text = b"" if before is None else to_json(before)
        try:
            events = decide(before, command)
        except CroupierError:
            assert before is None or to_json(before) == text
            return False
        link = before
        for event in events:
            grown = evolve(link, event)
            for source, target, cents in transfers(link, grown, event):
                assert cents > 0
                self.ledger[source] -= cents
                self.ledger[target] += cents
            if isinstance(event, Awarded):
                assert event.validated_by
                assert link is not None
                assert event.cents <= link.meters[event.meter].shown_cents
            link = grown
        assert link is not None
        self.links[name] = link
        self.journal[name].extend(events)
        return True

    @rule(name=st.sampled_from(LINKS), table=st.sampled_from(TABLES), decks=st.sampled_from([1, 2]))
    def join(self, name: str, table: str, decks: int) -> None:
        joined = self.do(
            name, JoinTable(table=replace(self.model, table=table, decks=decks), by="Ann")
        )
        assert not joined or decks == 1

    @rule(name=st.sampled_from(LINKS), table=st.sampled_from(TABLES[:2]))
    def leave(self, name: str, table: str) -> None:
        self.do(name, LeaveTable(table=table, by="Ann"))

    @rule(
        name=st.sampled_from(LINKS),
        table=st.sampled_from(TABLES),
        seats=SEATS,
        fresh=st.sampled_from([1, 1, 1, 0]),
    )
    def lock_out(self, name: str, table: str, seats: list[int], fresh: int) -> None:
        self.round += fresh
        stakes = tuple((seat, 500) for seat in seats)
        self.do(name, Contribute(table=table, round=self.round, stakes=stakes))

    def open_round(self, name: str, table: str) -> int:
        member = self.links[name].members.get(table)
        return member.round.number if member is not None and member.round else self.round

    @rule(table=st.sampled_from(TABLES), seats=SEATS, other=st.sampled_from(TABLES))
    def next_round(self, table: str, seats: list[int], other: str) -> None:
        """What mostly happens: the last round is over, or void, and the next one is locked."""
        number = self.open_round("pot", table)
        if other == table:
            self.do("pot", ReverseRound(table=table, round=number, reason="8.G(1)"))
        self.do("pot", FinishRound(table=table, round=number))
        self.lock_out("pot", table, seats, 1)

    @rule(
        name=st.sampled_from(LINKS),
        table=st.sampled_from(TABLES),
        seat=st.integers(1, 6),
        hand=st.sampled_from(HANDS),
        by=st.sampled_from(["Flo", ""]),
    )
    def claim(self, name: str, table: str, seat: int, hand: str, by: str) -> None:
        """Anybody asks for anything, mostly in vain."""
        number = self.open_round(name, table)
        command = Award(table=table, round=number, seat=seat, hand=hand, validated_by=by)
        if self.do(name, command):
            assert not self.do(name, command)

    @rule(table=st.sampled_from(TABLES), place=st.integers(0, 5), line=st.integers(0, 2))
    def award(self, table: str, place: int, line: int) -> None:
        """A seat that bet wins a line of its table."""
        member = self.links["pot"].members.get(table)
        if member is None or member.round is None:
            return
        hands, seats = sorted(member.terms.lines), member.round.seats
        self.claim("pot", table, seats[place % len(seats)], hands[line % len(hands)], "Flo")

    @rule(name=st.sampled_from(LINKS), table=st.sampled_from(TABLES), seats=SEATS)
    def void(self, name: str, table: str, seats: list[int]) -> None:
        number = self.open_round(name, table)
        command = ReverseRound(table=table, round=number, seats=tuple(seats), reason="13.B")
        if self.do(name, command):
            assert not self.do(name, command) or not seats

    @rule(name=st.sampled_from(LINKS), table=st.sampled_from(TABLES))
    def finish(self, name: str, table: str) -> None:
        self.do(name, FinishRound(table=table, round=self.open_round(name, table)))

    @rule(
        name=st.sampled_from(LINKS),
        rate=st.none() | st.integers(-1, 10**6 + 1),
        reset=st.none() | st.integers(0, 2 * 10**6),
        place=st.integers(0, 2),
    )
    def change(self, name: str, rate: int | None, reset: int | None, place: int) -> None:
        link = self.links[name]
        meter = sorted(link.meters)[place % len(link.meters)]
        shown = link.meters[meter].reading
        self.do(
            name,
            ChangeTerms(meter=meter, rate_millionths=rate, reset_cents=reset, reason="r", by="A"),
        )
        assert self.links[name].meters[meter].reading == shown

    @rule(move=st.booleans())
    def close_spare(self, move: bool) -> None:
        link = self.links["spare"]
        goes: dict[str, MoveTo | Stated] = {
            meter: MoveTo(link="pot", meter=meter) if move else Stated(words="to the house")
            for meter in link.meters
        }
        if self.do("spare", CloseLink(goes=goes, reason="over", by="Ann")):
            event = self.journal["spare"][-1]
            assert isinstance(event, LinkClosed)
            for meter, moved in event.goes.items():
                if move:
                    command = ReceiveMoney(
                        meter=meter,
                        microcents=moved.microcents,
                        from_link="spare",
                        from_meter=meter,
                        by="Ann",
                    )
                    assert self.do("pot", command)
                    assert not self.do("pot", command)

    @invariant()
    def every_meter_is_explained_and_balanced(self) -> None:
        for name, link in self.links.items():
            for meter, state in link.meters.items():
                account = link.explain(meter)
                assert state.reading == account.explained >= 0
                assert state.shown_cents == account.shown_cents
                assert self.ledger[meter_account(name, meter)] == state.shown_cents
            for member in link.members.values():
                assert member.round is None or member.round.stakes

    @invariant()
    def the_ledger_sums_to_zero(self) -> None:
        assert sum(self.ledger.values()) == 0
        paid = sum(
            event.cents
            for events in self.journal.values()
            for event in events
            if isinstance(event, Awarded)
        )
        assert sum(self.ledger[f"award:{table}"] for table in TABLES) == paid
        assert all(not cents for account, cents in self.ledger.items() if "moving" in account)
        assert all(cents >= 0 for account, cents in self.ledger.items() if account != HOUSE)

    @invariant()
    def replay_equals_live_and_json_comes_back(self) -> None:
        for name, link in self.links.items():
            text = to_json(link)
            assert from_json(text) == link
            assert to_json(from_json(text)) == text
            written = msgspec.json.encode(self.journal[name], order="sorted")
            again = replay(_EVENTS.decode(written))
            assert again is not None
            assert to_json(again) == text


def test_links_under_random_commands() -> None:
    run_state_machine_as_test(
        Casino, settings=settings(max_examples=40, stateful_step_count=40, deadline=None)
    )


@pytest.mark.parametrize(
    ("letter", "highest", "percents"),
    [("A", 4_000, {10, 100}), ("C", 10**6, {100})],  # a cent or two, or the whole stake
)
def test_a_long_evening_of_three_linked_tables(
    letter: str, highest: int, percents: set[int]
) -> None:
    """Hundreds of rounds that win far too often, some void, some after a meter was emptied."""
    chance = random.Random(letter)
    casino = Casino()
    casino.open_links("md-uth", letter, [chance.randrange(highest) for _ in range(3)], 12_345)
    for _ in range(1500):
        table = chance.choice(TABLES)
        seats = chance.sample(range(1, 7), chance.randint(1, 6))
        match chance.randrange(4):
            case 0:
                casino.next_round(table, seats, chance.choice(TABLES))
            case 1 | 2:
                casino.award(table, chance.randrange(6), chance.randrange(3))
            case 3:
                casino.void("pot", table, chance.choice([[], seats[:1]]))
        casino.every_meter_is_explained_and_balanced()
    casino.the_ledger_sums_to_zero()
    casino.replay_equals_live_and_json_comes_back()
    events = casino.journal["pot"]
    awards = [event for event in events if isinstance(event, Awarded)]
    assert {event.percent for event in awards} == percents
    assert len(awards) > 100
    voids = [event for event in events if isinstance(event, RoundReversed)]
    assert {any(event.made_good.values()) for event in voids} == {True, False}
