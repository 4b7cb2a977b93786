"""What every document asks of the care of the cards, told once; the tests name the clauses."""

from __future__ import annotations

from typing import Any

from croupier.deck_care import commands as c
from croupier.deck_care import events as did
from croupier.rounds import commands as r
from croupier.rounds import events as dealt
from croupier.tables.sentences import describe_plan
from tests.tables.cared_for import ANN, DAN, FLO, CaredFor

TWO: dict[str, Any] = {"shuffler": True, "decks": 2}


def handle(step: str, player: str | None = None) -> c.HandleDeck:
    return c.HandleDeck(step, player=player)  # type: ignore[arg-type]


def opened_deck(doc: str, **options: Any) -> CaredFor:
    """A deck of which every step before the shuffle is done."""
    table = CaredFor(doc, **options)
    table.open_deck("shuffle")
    return table


def a_deck_comes_with_its_cover_cards(doc: str, clause: str, many: int) -> None:
    table = CaredFor(doc)
    for wrong in {0, 1, 2, 3} - {many}:
        assert table.refused(c.ReceiveDeck("red", wrong)) == ("bad_deck", clause)
    assert table.refused(c.ReceiveDeck("red", many), ANN)[0] == "wrong_role"
    table.do(c.ReceiveDeck("red", many))
    assert table.care.decks[0].back == "red"


def the_prompt_for_a_deck_says(doc: str, *words: str) -> None:
    (step,) = CaredFor(doc).steps()
    assert step.name == "receive"
    for said in words:
        assert said in step.words


def one_deck_unless_a_shuffler_serves_two(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    covers = table.book.cover_cards
    assert table.refused(c.ReceiveDeck("blue", covers)) == ("too_many_decks", clause)


def two_decks_have_different_backs(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    covers = table.book.cover_cards
    table.do(c.ReceiveDeck("Red", covers))
    assert table.refused(c.ReceiveDeck("red", covers)) == ("same_backs", clause)
    table.do(c.ReceiveDeck("blue", covers))


def one_deck_waits_in_the_shuffler(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    table.two_decks()
    table.deal()
    table.play_on()
    step = next(step for step in table.steps() if step.back == "red")
    assert (step.name, step.clause, step.blocks) == ("load", clause, "round")
    table.do(c.ShuffleDeck("device", "blue"))
    assert table.refused(r.OpenBetting(2, "live")) == ("care_due", clause)
    assert table.refused(c.ShuffleDeck("hand", "red")) == ("care_due", clause)
    table.do(c.LoadDeck("red"))
    assert table.refused(c.ShuffleDeck("hand", "red")) == ("needs_shuffler", clause)
    table.deal()
    table.do(c.ShuffleDeck("device", "red"))
    assert table.deck("red").place == "machine"


def decks_are_swapped_every_round(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    table.two_decks()
    for _ in range(4):
        table.round()
    taken = [event for event in table.events if isinstance(event, did.DeckTaken)]
    assert [event.back for event in taken] == ["red", "blue", "red", "blue"]
    assert {event.clause for event in taken} == {clause}
    table.prepare()
    table.deal()
    assert table.refused(c.ShuffleDeck("device", "red")) == ("not_now", clause)


def the_discard_rack_has_one_deck(doc: str) -> None:
    """No round begins before the deck of the last one has left the rack for the shuffler."""
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    table.two_decks()
    for _ in range(3):
        table.deal()
        assert [deck.place for deck in table.care.decks].count("rack") == 0
        table.play_on()
        assert [deck.place for deck in table.care.decks].count("rack") == 1
        assert table.refused(r.OpenBetting(table.table.round.number + 1, "live"))[0] == "care_due"
        table.prepare()


def decks_live_so_many_hours(doc: str, clause: str, dealing: str, hours: int) -> None:
    table = CaredFor(doc, dealing=dealing)
    table.prepare()
    table.at += hours * 3600 - 1
    table.open_betting()
    table.bet()
    table.at += 1
    assert table.refused(r.Deal()) == ("care_due", clause)
    (step,) = [step for step in table.steps() if step.blocks == "round"]
    assert (step.name, step.clause, step.by[0]) == ("remove", clause, "dealer")
    table.do(c.RemoveDeck())
    assert table.refused(r.Deal())[0] == "care_due"
    table.prepare()
    table.do(r.Deal())


def a_clock_that_is_set_back_changes_nothing(doc: str, clause: str) -> None:
    """Four hours by hand are four hours on the table, whatever the clock on the wall does."""
    table = CaredFor(doc, dealing="hand")
    table.prepare()
    for _ in range(3):
        table.pass_hours(1)
        table.round()
        table.pass_hours(-5)
        table.round()
    table.prepare()
    table.pass_hours(0.9)
    assert table.first() is None
    table.pass_hours(0.1)
    assert table.refused(r.OpenBetting(7, "live")) == ("care_due", clause)


def the_dealer_inspects_and_a_floorperson_verifies(doc: str, first: str, second: str) -> None:
    table = CaredFor(doc)
    table.do(c.ReceiveDeck("red", table.book.cover_cards))
    assert table.refused(handle("verify"), FLO) == ("care_due", first)
    assert table.refused(handle("inspect"), FLO) == ("wrong_role", first)
    (event,) = table.do(handle("inspect"))
    assert isinstance(event, did.DeckHandled)
    assert (event.by, event.at, event.clause) == ("Dan", table.at, first)
    assert table.refused(handle("verify")) == ("wrong_role", second)
    assert table.refused(handle("spread")) == ("care_due", second)
    (event,) = table.do(handle("verify"), FLO)
    assert isinstance(event, did.DeckHandled)
    assert event.by == "Flo"


def cards_are_spread_for_the_first_player(doc: str, clause: str, *words: str) -> None:
    table = CaredFor(doc, seated=False)
    table.open_deck("spread")
    step = table.first()
    assert step is not None
    for said in words:
        assert said in step.words
    table.follow(step)
    # Nobody has come yet: the cards lie there, and nothing else may be done with them.
    assert table.refused(handle("view", "Ann")) == ("not_seated", table.book.opening["view"].clause)
    assert table.refused(handle("wash"))[0] == "care_due"
    table.sit()
    assert table.refused(handle("view")) == ("not_seated", table.book.opening["view"].clause)
    (event,) = table.do(handle("view", "Ann"), ANN)
    assert isinstance(event, did.DeckHandled)
    assert (event.player, event.clause) == ("Ann", clause)


def in_this_order(doc: str, name: str, clause: str) -> None:
    """The step is asked for, by the dealer, before anything that follows it."""
    table = CaredFor(doc)
    table.open_deck(name)
    step = table.first()
    assert step is not None
    assert (step.name, step.clause, step.by) == (name, clause, ("dealer",))
    order = ["turn", "wash", "stack"]
    for later in order[order.index(name) + 1 :]:
        assert table.refused(handle(later)) == ("care_due", clause)
    assert table.refused(c.ShuffleDeck("hand")) == ("care_due", clause)
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    assert table.refused(handle(name), FLO) == ("wrong_role", clause)
    table.follow(step)
    following = table.first()
    assert following is not None
    assert following.name != name


def stacked_cards_are_shuffled(doc: str, clause: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe")
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    assert table.refused(c.CutDeck(20)) == ("care_due", clause)
    table.do(c.ShuffleDeck("hand"))


def each_of_two_decks_is_opened(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    table.two_decks()
    for back in ("red", "blue"):
        steps = [e.step for e in table.events if isinstance(e, did.DeckHandled) and e.back == back]
        assert steps == ["inspect", "verify", "spread", "view", "turn", "wash", "stack"]
    table.do(c.RemoveDeck("blue", "a card is marked"))
    table.do(c.ReceiveDeck("green", table.book.cover_cards))
    assert table.refused(r.OpenBetting(1, "live"))[0] == "care_due"


def prepared_decks_skip_the_opening(doc: str, clause: str, cut: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    (event,) = table.do(c.ReceiveDeck("red", table.book.cover_cards, prepared=True))
    assert isinstance(event, did.DeckReceived)
    assert event.clause == clause
    step = table.first()
    assert step is not None
    assert (step.name, step.clause) == ("cut", cut)
    table.follow(step)
    assert table.first() is None
    # Only its first round: then it is shuffled like every other.
    table.round()
    assert table.names() == ["shuffle"]


def shuffled_before_play_and_after_every_round(doc: str, first: str, again: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe")
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", first)
    table.prepare()
    table.deal()
    table.play_on()
    assert table.refused(r.OpenBetting(2, "live")) == ("care_due", again)
    table.prepare()
    table.deal()
    table.do(r.VoidRound("a disturbance"), FLO)
    assert table.refused(r.OpenBetting(3, "live")) == ("care_due", again)


def shuffled_when_the_floor_says_so(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    assert table.refused(c.OrderShuffle("seen"))[0] == "wrong_role"
    assert table.refused(c.OrderShuffle(" "), FLO)[0] == "no_reason"
    (event,) = table.do(c.OrderShuffle("a card was seen"), FLO)
    assert isinstance(event, did.ShuffleOrdered)
    assert (event.by, event.clause) == ("Flo", clause)
    assert table.names() == ["shuffle"]
    table.prepare()
    table.deal()
    assert table.refused(c.OrderShuffle("too late"), FLO) == ("not_now", clause)


def the_prompt_says(doc: str, name: str, *words: str, **options: Any) -> None:
    table = CaredFor(doc, **options)
    table.open_deck(name)
    step = table.first()
    assert step is not None
    for said in words:
        assert said in step.words


def a_machine_shuffle_needs_no_cut(doc: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe", shuffler=True)
    table.do(c.ShuffleDeck("device"))
    assert table.first() is None
    assert table.refused(c.CutDeck(20))[0] == "already_done"
    table.deal()


def a_hand_shuffle_is_cut(doc: str, clause: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe", shuffler=True)
    table.do(c.ShuffleDeck("hand"))
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    table.do(c.CutDeck(26))
    table.deal()


def the_cut_is_ten_deep(doc: str, clause: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe")
    table.do(c.ShuffleDeck("hand"))
    for depth in (-1, 0, 9, 52):
        assert table.refused(c.CutDeck(depth)) == ("bad_cut", clause)
    (event,) = table.do(c.CutDeck(10))
    assert isinstance(event, did.DeckCut)
    assert (event.depth, event.by, event.at) == (10, "Dan", table.at)
    table.do(c.OrderRecut("cards were seen"), FLO)
    step = table.first()
    assert step is not None
    assert step.name == "cut"
    (confirmed,) = table.do(c.CutDeck())
    assert isinstance(confirmed, did.DeckCut)
    assert confirmed.depth is None, "confirmed to be deep enough: nobody counts the cards"
    assert table.first() is None


def a_shuffler_that_counts_wrong_removes_the_deck(doc: str, clause: str, counts: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    assert table.refused(c.ShuffleDeck("device")) == ("no_count", counts)
    foreseen = describe_plan(table.running.foresee(c.ShuffleDeck("device", count=51), DAN))
    assert "  the deck is taken off the table before it is dealt from; wagers stay" in foreseen
    shuffled, noted = table.do(c.ShuffleDeck("device", count=51))
    assert isinstance(shuffled, did.DeckShuffled)
    assert isinstance(noted, dealt.IrregularityNoted)
    assert (noted.kind, noted.clause) == ("shuffler_count_wrong", clause)
    assert shuffled.clause == clause
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    assert table.refused(c.ShuffleDeck("device", count=52)) == ("care_due", clause)
    table.do(c.RemoveDeck())
    assert table.names() == ["receive"]


def a_count_taken_back_before_the_deal(doc: str, clause: str) -> None:
    """The deck was ready and the bets are down: they stay, and it goes before a card is dealt."""
    table = CaredFor(doc, dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    table.prepare()
    table.open_betting()
    table.bet()
    bets = table.table.round.seats
    table.do(r.Report("shuffler_count_wrong"))
    assert table.refused(r.Deal()) == ("care_due", clause)
    table.prepare()
    assert table.deck().stage == "ready"
    assert table.table.round.seats == bets
    table.do(r.Deal())
    assert table.refused(r.Report("shuffler_count_wrong")) == ("not_now", clause)


def a_wrong_count_of_the_other_deck_leaves_the_round(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO, shuffler_counts=True)
    table.two_decks()
    table.deal()
    table.play_on("settling")
    _, noted = table.do(c.ShuffleDeck("device", "blue", count=53))
    assert isinstance(noted, dealt.IrregularityNoted)
    assert (noted.kind, noted.clause) == ("other_deck_count_wrong", clause)
    assert (table.deck("red").stage, table.deck("blue").stage) == ("in_play", "condemned")
    table.play_on()
    assert not table.table.round.void
    assert table.refused(r.OpenBetting(2, "live")) == ("care_due", clause)
    single = CaredFor(doc, dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    refused = single.refused(r.Report("other_deck_count_wrong"))
    assert refused == ("not_now", clause)


def only_a_shuffler_that_counts_counts_wrong(doc: str, clause: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", shuffler=True)
    assert table.refused(r.Report("shuffler_count_wrong")) == ("not_now", clause)


def a_jam_sends_the_other_deck_back_to_the_shuffler(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", **TWO)
    table.two_decks()
    table.deal()
    table.do(c.ShuffleDeck("device", "blue"))
    table.do(r.Report("other_deck_jam"))
    assert table.deck("red").stage == "in_play"
    assert table.refused(c.ShuffleDeck("device", "blue"))[0] == "care_due"
    table.do(c.LoadDeck("blue"))
    table.do(c.ShuffleDeck("device", "blue"))
    table.play_on()
    assert not table.table.round.void


def a_stub_counted_after_the_round_takes_its_deck(doc: str, clause: str) -> None:
    """What is settled stands; the deck goes all the same."""
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    assert table.refused(r.Report("stub_wrong")) == ("not_now", clause)
    table.deal()
    table.play_on()
    table.do(r.Report("stub_wrong"))
    assert table.deck().condemned_by == clause
    assert table.refused(r.OpenBetting(2, "live")) == ("care_due", clause)
    table.do(c.RemoveDeck())
    table.do(c.ReceiveDeck("red", table.book.cover_cards))
    table.do(r.Report("stub_wrong"))
    assert table.deck().stage == "received", "a new deck of the same color is another deck"


def a_shuffler_that_counts_spares_the_stub(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    for _ in range(7):
        table.round()
    assert not [event for event in table.events if isinstance(event, did.StubCounted)]


def a_recut_is_the_floors_order(doc: str, clause: str, cut: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    table.open_betting()
    table.bet()
    assert table.refused(c.OrderRecut("seen"))[0] == "wrong_role"
    (event,) = table.do(c.OrderRecut("cards were seen"), FLO)
    assert isinstance(event, did.RecutOrdered)
    assert (event.by, event.clause) == ("Flo", clause)
    assert table.refused(r.Deal()) == ("care_due", cut)
    table.do(c.CutDeck(30))
    table.do(r.Deal())
    assert table.refused(c.OrderRecut("too late"), FLO) == ("not_now", clause)


def an_idle_table_has_its_cards_spread(doc: str, clause: str, *words: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    table.leave()
    (step,) = table.steps()
    assert (step.name, step.clause, step.by) == ("lay_out", clause, ("dealer",))
    for said in words:
        assert said in step.words
    table.sit()
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    assert table.refused(c.LayOut(face_up=True)) == ("bad_request", clause)
    table.do(c.LayOut(face_up=True, player="Ann"))
    assert table.deck().face_up
    table.prepare()
    table.open_betting()
    table.leave()
    assert table.names() == ["lay_out"], "bets were open for nobody"


def the_next_player_looks_and_the_table_opens_again(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.prepare()
    table.leave()
    table.do(c.LayOut())
    table.sit()
    done = []
    while (step := table.first()) is not None:
        done.append(step.name)
        table.follow(step)
    assert done == ["view", "wash", "stack", "shuffle", "cut"]
    table.do(c.LayOut(face_up=True, player="Ann"))
    assert table.names() == ["view"]
    table.follow(table.steps()[0])
    assert table.names() == ["turn"]


def a_shoe_that_shuffles_and_counts_spares_the_cut(doc: str, *, idle_too: bool) -> None:
    table = CaredFor(doc, dealing="automated_shoe", self_shuffling=True)
    table.prepare()
    assert not [event for event in table.events if isinstance(event, did.DeckCut)]
    for _ in range(6):
        table.round()
    assert not [event for event in table.events if isinstance(event, did.StubCounted)]
    table.prepare()
    table.leave()
    assert table.names() == ([] if idle_too else ["lay_out"])


def the_stub_is_counted_every_five_rounds(doc: str, clause: str, dealing: str) -> None:
    table = CaredFor(doc, dealing=dealing)
    for _ in range(4):
        table.round()
    table.prepare()
    table.deal()
    table.play_on("settling")
    assert table.refused(r.Settle()) == ("care_due", clause)
    step = table.first("settlement")
    assert step is not None
    assert (step.name, step.by) == ("count_stub", ("dealer",))
    assert "count" in step.words.lower()
    assert "face down on the layout" in step.words
    table.do(c.CountStub(table.right_stub()))
    table.play_on()
    for _ in range(4):
        table.round()
    assert len([event for event in table.events if isinstance(event, did.StubCounted)]) == 1


def at_the_count(doc: str, dealing: str) -> CaredFor:
    table = CaredFor(doc, dealing=dealing)
    table.prepare()
    table.deal()
    table.play_on("settling")
    return table


def a_right_count_lets_the_round_go_on(doc: str, clause: str, dealing: str) -> None:
    table = at_the_count(doc, dealing)
    (event,) = table.do(c.CountStub(table.right_stub()))
    assert isinstance(event, did.StubCounted)
    assert (event.clause, event.count) == (clause, event.expected)
    table.play_on()
    assert not table.table.round.void


def a_wrong_count_voids_the_round(doc: str, clause: str, dealing: str, removed: bool) -> None:
    """Misdealt with all 52 there: the deck stays; not misdealt: it leaves the table."""
    table = at_the_count(doc, dealing)
    right = table.right_stub()
    assert table.refused(c.CountStub(right, misdealt=True))[0] == "bad_request"
    events = table.do(c.CountStub(right - 1, misdealt=not removed))
    assert isinstance(events[0], did.StubCounted)
    assert events[0].clause == clause
    assert isinstance(events[1], dealt.IrregularityNoted)
    assert events[1].kind == ("stub_wrong" if removed else "stub_misdealt")
    assert isinstance(events[2], dealt.RoundVoided)
    assert table.table.rack("Ann") == 10**6
    assert table.names() == (["remove"] if removed else ["shuffle"])
    table.round()


def a_broken_device_is_marked_first(doc: str, clause: str, how: str, by_way: str) -> None:
    table = CaredFor(doc, dealing="hand")
    table.open_deck("shuffle")
    assert table.refused(c.ChangeDealing("manual_shoe"), FLO) == ("not_now", clause)
    table.do(c.ReportMalfunction("shuffler"))
    assert table.refused(c.ShuffleDeck("device"))[0] == "care_due"
    assert table.refused(c.ChangeDealing("manual_shoe"), FLO) == ("care_due", clause)
    assert table.refused(r.OpenBetting(1, "live")) == ("care_due", clause)
    (event,) = table.do(c.MarkOutOfOrder("shuffler", how))  # type: ignore[arg-type]
    assert isinstance(event, did.DeviceMarked)
    assert event.clause == by_way
    table.do(c.ChangeDealing("manual_shoe"), FLO)
    table.do(c.ShuffleDeck("hand"))
    table.do(c.CutDeck(20))
    table.deal()
    table.play_on()
    assert table.refused(c.ChangeDealing("hand"), FLO)[0] == "out_of_order"
    table.do(c.RepairDevice("shuffler"), FLO)
    table.do(c.ChangeDealing("hand"), FLO)
    table.prepare()


def a_marked_shuffler_lets_hands_shuffle(doc: str, clause: str) -> None:
    table = opened_deck(doc, dealing="manual_shoe", shuffler=True)
    table.do(c.ReportMalfunction("shuffler"))
    assert table.refused(c.ShuffleDeck("hand")) == ("care_due", clause)
    table.do(c.MarkOutOfOrder("shuffler", "sign"), FLO)
    table.do(c.ShuffleDeck("hand"))
    assert table.names() == ["cut"]


def no_round_before_the_cards_are_ready(doc: str, dealing: str) -> None:
    """Every step of the opening, the shuffle and the cut stands between the deck and the shoe."""
    table = CaredFor(doc, dealing=dealing)
    seen = 0
    while (step := table.first()) is not None:
        assert table.refused(r.OpenBetting(1, "live")) == ("care_due", step.clause)
        table.follow(step)
        seen += 1
    assert seen >= 9
    table.deal()
    assert any(isinstance(event, did.DeckTaken) for event in table.events)


def by_dealer_only(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe")
    table.open_deck("shuffle")
    for actor in (FLO, ANN):
        assert table.refused(c.ShuffleDeck("hand"), actor)[0] == "wrong_role"
    table.do(c.ShuffleDeck("hand"), DAN)


def a_jam_between_rounds_means_a_new_shuffle(doc: str) -> None:
    table = CaredFor(doc, dealing="manual_shoe", shuffler=True)
    table.prepare()
    table.do(r.Report("shuffler_jam"))
    assert table.names() == ["shuffle"]
    assert table.refused(r.OpenBetting(1, "live"))[0] == "care_due"
    table.prepare()
    table.deal()
