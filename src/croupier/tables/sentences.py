"""Every event in a sentence or two: who holds which card, what was said, what was paid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier import progressives
from croupier.cards import format_cards
from croupier.deck_care.deck_sentences import CARE_SENTENCES, blind_count
from croupier.money import dollars
from croupier.progressives import Link
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.explaining import Holdings, line_title, why
from croupier.rounds.payment import denial_words, pays_envy
from croupier.rounds.state import LineRecord
from croupier.rounds.views import odds_of_round
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook
from croupier.tables import commands as table_commands
from croupier.tables import events as table_events
from croupier.tables.chip_counts import chips_in_words
from croupier.tables.events import TableEvent
from croupier.tables.house_sentences import HOUSE_SENTENCES, count_in_words, role_names
from croupier.tables.planning import CommandPlan
from croupier.tables.state import Table, rules_of

Lines = Iterable[str]


def describe_event(event: TableEvent, table: Table) -> list[str]:
    """Describe the event in words; `table` is the table after it."""
    return list(_DESCRIBES[type(event)](event, table, rules_of(table)))


def describe_plan(made: CommandPlan) -> list[str]:
    """Describe what a decision would lead to before it is confirmed: its events, and who gets
    what."""
    events = map(blind_count, made.events)
    lines = [line for event in events for line in describe_event(event, made.table)]
    back: dict[str, int] = {}
    for moves in made.moves:
        for source, target, cents in moves:
            for account, change in ((target, cents), (source, -cents)):
                owner, _, name = account.partition(":")
                if owner in ("rack", "patron", "cashier"):
                    back[name] = back.get(name, 0) + change
    lines += [f"{name} {_gets(cents)}" for name, cents in sorted(back.items()) if cents]
    lines += meter_lines(made)
    is_proposed = any(isinstance(event, table_events.Proposed) for event in made.events)
    if made.wait is not None and not is_proposed:
        lines.append(f"this waits for {role_names(made.wait.by)} to confirm it: {made.wait.why}")
    return lines


def meter_lines(made: CommandPlan) -> list[str]:
    """Describe the effects of a plan on the meters."""
    if made.link is None:
        return []
    events = [event for change in made.link_changes for event in change.events]
    return [line for event in events for line in describe_link_event(event, made.link)]


def _gets(cents: int) -> str:
    return f"gets {dollars(cents)}" if cents > 0 else f"gives {dollars(-cents)}"


def describe_money(table: Table, link: Link | None) -> str:
    """List where the money is: players by name, the house, the meters."""
    racks = sorted(account for account in table.money if account.startswith("rack:"))
    spots = sorted(account for account in table.money if account.startswith("layout:"))
    parts = [
        f"{account.removeprefix('rack:')} {dollars(table.money[account])}" for account in racks
    ]
    parts += [
        f"layout of seat {a.removeprefix('layout:')} {dollars(table.money[a])}" for a in spots
    ]
    parts += [f"{box} {dollars(table.money.get(box, 0))}" for box in ("inventory", "drop", "tips")]
    if link is not None:
        parts += [f"meter {name} {dollars(cents)}" for name, cents in link.shown().items()]
    return "money: " + ", ".join(parts)


def _by(clause: str) -> str:
    return f" [{clause}]" if clause else ""


def _title(book: Rulebook, wager: str) -> str:
    return line_title(wager, book)


def _stakes(book: Rulebook, wagers: dict[str, int]) -> str:
    return ", ".join(f"{_title(book, name)} {dollars(cents)}" for name, cents in wagers.items())


def _names(book: Rulebook, wagers: Iterable[str]) -> str:
    return ", ".join(_title(book, name) for name in wagers)


def _person(table: Table, number: int) -> str:
    seat = table.round.seat(number)
    return f"seat {number}" if seat is None else _at_seat(seat.player, number)


def _at_seat(player: str, number: int) -> str:
    """Return the player with the seat, or the seat alone if the viewer may not see names."""
    return player if player == f"seat {number}" else f"{player} (seat {number})"


def _hand(name: str) -> str:
    return name.replace("_", " ")


def _opened(event: table_events.TableOpened, _: Table, rules: Rules) -> Lines:
    book, way = rules.book, dealing_in_force(rules)
    order = rules.options.get("deal_order")
    dealt = way.title + (f", {_hand(str(order))}" if order and way.variants else "")
    cards = "a virtual deck" if event.source == "virtual" else "live cards entered by the dealer"
    yield f"table {event.table} opens: {book.title} ({book.jurisdiction}, {book.id})"
    yield f"dealt: {dealt} [{way.clause}], {cards}; inventory {dollars(event.inventory)}"
    if event.count is not None:
        yield count_in_words(event.count)


def _closed_table(event: table_events.TableClosed, table: Table, __: Rules) -> Lines:
    yield f"table {table.id} closes" + (f": {event.reason}" if event.reason else "")
    if event.count is not None:
        yield count_in_words(event.count)


def _seat_taken(event: table_commands.TakeSeat, _: Table, __: Rules) -> Lines:
    taken = event.player == f"seat {event.seat}"
    yield f"seat {event.seat} is taken" if taken else f"{event.player} takes seat {event.seat}"


def _seat_given_up(event: table_commands.GiveUpSeat, _: Table, __: Rules) -> Lines:
    floor = f", by the floor: {event.reason}" if event.reason else ""
    if event.player == f"seat {event.seat}":
        yield f"seat {event.seat} is free"
        return
    yield f"{event.player} gives up seat {event.seat}{floor}"


def _face_up_asked(event: table_commands.AskFaceUp, _: Table, rules: Rules) -> Lines:
    clause = event.role_clause(rules)
    yield f"{event.player} asks that the cards lie face up{f' [{clause}]' if clause else ''}"


def _more_time(event: table_commands.MoreTime, _: Table, rules: Rules) -> Lines:
    assert rules.clock is not None
    yield f"{event.player} asks for more time: {rules.clock.extension} seconds"


def _bought_in(event: table_commands.BuyIn, table: Table, _: Rules) -> Lines:
    has = dollars(table.rack(event.player))
    source = " from the account" if event.account else ""
    yield f"{event.player} buys in for {dollars(event.amount)}{source} and has {has}"


def _cashed_out(event: table_events.CashedOut, table: Table, _: Rules) -> Lines:
    left = dollars(table.rack(event.player))
    target = " to the account" if event.account else ""
    yield f"{event.player} takes {dollars(event.cents)} off the table{target}; {left} is left"


def _colored_up(event: table_commands.ColorUp, _: Table, __: Rules) -> Lines:
    gives, gets = (
        ", ".join(f"{count} x {dollars(worth)}" for worth, count in chips.items())
        for chips in (event.gives, event.gets)
    )
    yield f"{event.player} changes {gives} into {gets}"


def _tipped(event: table_commands.Tip, _: Table, __: Rules) -> Lines:
    yield f"{event.player} tips the dealer {dollars(event.amount)}"


def _filled(event: table_commands.Fill, table: Table, _: Rules) -> Lines:
    yield from _on_slip("fill", event, table)


def _credited(event: table_commands.Credit, table: Table, _: Rules) -> Lines:
    yield from _on_slip("credit", event, table)


def _on_slip(title: str, event: table_commands.Fill | table_commands.Credit, table: Table) -> Lines:
    slip = f" on slip {event.slip}" if event.slip else ""
    chips = f" ({chips_in_words(event.chips)})" if event.chips else ""
    holds = dollars(table.money.get("inventory", 0))
    yield f"{title} of {dollars(event.amount)}{chips}{slip}; the inventory holds {holds}"


def _emptied(event: table_events.DropEmptied, _: Table, __: Rules) -> Lines:
    yield (
        f"to the count room on slip {event.slip}: drop {dollars(event.drop)}, "
        f"tips {dollars(event.tips)}"
    )


def _corrected(event: table_events.Corrected, _: Table, rules: Rules) -> Lines:
    more = "to" if event.cents > 0 else "from"
    away = ", who has left the table" if event.away else ""
    signed = f"; confirmed by {event.second}" if event.second else ""
    yield (
        f"round {event.round} corrected by {event.by}: {_title(rules.book, event.wager)}, "
        f"{dollars(abs(event.cents))} {more} {event.player} (seat {event.seat}){away}: "
        f"{event.reason}{signed}"
    )


def _stands(_: table_events.TableStands, __: Table, ___: Rules) -> Lines:
    return ()


def _betting(event: round_commands.OpenBetting, _: Table, __: Rules) -> Lines:
    sealed = ", the deck sealed" if event.source == "virtual" else ""
    yield f"round {event.number}: the bets are open{sealed}"


def _placed(event: round_events.WagersPlaced, table: Table, rules: Rules) -> Lines:
    yield f"{_person(table, event.seat)} bets {_stakes(rules.book, event.wagers)}"


def _taken_back(event: round_events.WagersTakenBack, _: Table, rules: Rules) -> Lines:
    yield f"seat {event.seat} takes back {_names(rules.book, event.wagers)}"


def _returned(event: round_events.WagerReturned, _: Table, rules: Rules) -> Lines:
    names = _names(rules.book, event.wagers)
    yield f"seat {event.seat} gets {names} back: {event.reason}{_by(event.clause)}"


def _bets_closed(event: round_events.BetsClosed, _: Table, __: Rules) -> Lines:
    listed = ", ".join(map(str, event.seats))
    are_in = f"seats {listed} are in" if len(event.seats) > 1 else f"seat {listed} is in"
    yield f"no more bets{_by(event.clause)}: {are_in}"
    if event.chips_to_count:
        yield f"the progressive has accepted {event.chips_to_count}: the chips are to be counted"


def _counted(event: round_events.ChipsCounted, _: Table, __: Rules) -> Lines:
    cents = dollars(event.cents)
    chips = f"{event.chips} progressive wager{'' if event.chips == 1 else 's'}"
    yield f"{chips} counted, {cents} into the inventory{_by(event.clause)}"


def _committed(event: round_commands.CommitRandomness, _: Table, __: Rules) -> Lines:
    yield f"{_at_seat(event.player, event.seat)} adds own randomness: {event.commitment[:8]}…"


def _value_revealed(event: round_commands.RevealRandomness, _: Table, __: Rules) -> Lines:
    yield f"{_at_seat(event.player, event.seat)} reveals it: {event.value[:8]}…"


def _mixed(event: round_events.DeckMixed, _: Table, __: Rules) -> Lines:
    if event.seats:
        yield f"the deck is mixed with the randomness of {_seats(event.seats)}"
    if event.missing:
        yield f"{_seats(event.missing)} did not reveal in time: only the commitment counts"


def _seats(numbers: tuple[int, ...]) -> str:
    return f"seat{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def _dealt(event: round_events.CardsDealt, table: Table, _: Rules) -> Lines:
    if not event.seats:
        yield f"{event.drawn} cards are dealt face down"
        return
    yield f"{event.drawn} cards are dealt"
    for number, cards in sorted(event.seats.items()):
        yield f"  {_person(table, number)}: {format_cards(cards)}"
    places = (
        ("dealer", event.dealer),
        ("board, face down", event.community),
        ("bonus box", event.box),
        ("burned", event.burned),
        ("discarded", event.discarded),
    )
    for place, cards in places:
        if cards:
            yield f"  {place}: {format_cards(cards)}"


def _entered(event: round_commands.EnterCards, table: Table, _: Rules) -> Lines:
    where = _person(table, event.seat) if event.seat else event.place
    cards = f": {format_cards(event.cards)}" if event.cards else ", face down"
    yield f"entered for {where}{cards}"


def _coupon_placed(event: round_events.CouponPlaced, table: Table, _: Rules) -> Lines:
    number = f" {event.number}" if event.number else ""
    if event.cents:
        laid = f"lays a match play coupon{number} of {dollars(event.cents)}"
    else:
        laid = "takes the match play coupon back"
    yield f"{_person(table, event.seat)} {laid}{_by(event.clause)}"


def _replaced(event: round_commands.ReplaceCards, table: Table, _: Rules) -> Lines:
    where = _person(table, event.seat) if event.seat else event.place
    cards = f": {format_cards(event.cards)}" if event.cards else ", face down"
    yield f"entered again for {where}{cards}"


def _answer_taken_back(event: round_events.AnswerTakenBack, table: Table, rules: Rules) -> Lines:
    put = f"; {_title(rules.book, event.wager)} {dollars(event.cents)} back" if event.wager else ""
    if event.cents < 0:
        put = f"; {_title(rules.book, event.wager)} {dollars(-event.cents)} lies there again"
    yield (
        f"{_person(table, event.seat)}: {event.action} at the {_hand(event.decision)} decision is "
        f"taken back{put}"
    )


def _count_decided(event: round_events.ChipCountDecided, _: Table, __: Rules) -> Lines:
    seats = ", ".join(map(str, event.seats))
    more = event.chips > event.accepted
    returned = "the chip goes back" if more else "the wager comes off the system"
    yield (
        f"{event.by} decides: {event.chips} chips, {event.accepted} accepted; no bet at seat "
        f"{seats}, {returned}{_by(event.clause)}: {event.reason}"
    )


def _count_differs(event: round_events.ChipCountDiffers, _: Table, __: Rules) -> Lines:
    yield (
        f"{event.by} counts the chips of {event.chips} progressive wagers, and the system accepted "
        f"{event.accepted}: the floor decides{_by(event.clause)}"
    )


def _recount_ordered(event: round_events.ChipRecountOrdered, _: Table, __: Rules) -> Lines:
    yield f"{event.by} has the progressive's chips counted again{_by(event.clause)}"


def _acted(event: round_events.Acted, table: Table, rules: Rules) -> Lines:
    put = f": {_title(rules.book, event.wager)} {dollars(event.cents)}" if event.wager else ""
    if event.cents < 0:
        yield (
            f"{_person(table, event.seat)} takes {_title(rules.book, event.wager)} back, "
            f"{dollars(-event.cents)}{_by(event.clause)}"
        )
        return
    yield (
        f"{_person(table, event.seat)} says {event.action} at the {_hand(event.decision)} "
        f"decision{put}{_by(event.clause)}"
    )


def _revealed(event: round_events.Revealed, table: Table, _: Rules) -> Lines:
    state = table.round
    burned = f", burned {format_cards(event.burned)}" if event.burned else ""
    up = format_cards(state.dealer[: state.dealer_up])
    parts = [f"the dealer's {up}"] if up else []
    board = format_cards(state.community[: state.exposed])
    if board or not up:
        parts.insert(0, f"board {board or 'empty'}")
    yield f"{event.name}{burned}: {', '.join(parts)}{_by(event.clause)}"


def _dealer_shown(event: round_events.DealerShown, table: Table, rules: Rules) -> Lines:
    qualifies = "qualifies" if event.qualifies else "does not qualify"
    cards = format_cards(event.cards)
    yield f"dealer shows {cards}: {_hand(event.hand)}, {qualifies}{_by(event.clause)}"
    for odds in odds_of_round(table.round, rules):
        paid = ", ".join(f"{hand} {pays}" for hand, pays in odds.lines)
        yield f"{odds.title} with {odds.hands} hands: {paid}{_by(odds.clause)}"


def _line(line: LineRecord, hands: Holdings, rules: Rules) -> str:
    book = rules.book
    stake = f" {dollars(line.stake or line.coupon)}" if line.stake or line.coupon else ""
    words = {
        "win": f"wins {dollars(line.net)}",
        "lose": "is taken" if line.coupon else f"loses {dollars(-line.net)}",
        "push": "goes back" if line.coupon else "pushes",
        "void": "comes back",
    }.get(line.result, line.result)
    if line.reason.code == "taken_back":
        return f"{_title(book, line.wager)}{stake} was taken back{_by(line.clause)}"
    is_named = line.wager in book.wagers or line.wager in book.bonuses
    at_odds = line.pays and line.result == "win" and is_named
    pays = f" ({line.pays})" if at_odds else ""
    cut = (
        f", {dollars(line.forgone)} cut off by the payout limit [{line.limited_by}]"
        if line.limited_by
        else ""
    )
    meter = f" from the {line.from_meter} meter" if line.from_meter else ""
    lost = ", and the stake is lost" if line.stake_lost and line.result == "win" else ""
    words_of_line = (
        f"{_title(book, line.wager)}{stake} {words}{pays}{lost}{meter}{_by(line.clause)}{cut}"
    )
    return f"{words_of_line}: {why(line, rules, hands)}"


def _settled(event: round_events.SeatSettled, table: Table, rules: Rules) -> Lines:
    net = sum(line.net for line in event.lines)
    hand = f" has {_hand(event.hand)}" if event.hand else ""
    seat = table.round.seat(event.seat)
    folded = ", folded" if seat is not None and seat.folded else ""
    yield f"{_person(table, event.seat)}{hand}{folded}: {'+' if net > 0 else ''}{dollars(net)}"
    hands = Holdings(event.holds, table.round.dealer_holds)
    for line in event.lines:
        yield f"  {_line(line, hands, rules)}"


def _won(event: round_events.ProgressiveWon, table: Table, _: Rules) -> Lines:
    claim = event.claim
    yield (
        f"{_person(table, claim.seat)} has won the progressive with {_hand(claim.hand)} "
        f"({claim.pays}){_by(claim.clause)}: a floorperson is to validate it"
    )


def _paid(event: round_events.ProgressivePaid, table: Table, rules: Rules) -> Lines:
    yield f"validated by {event.validated_by}: {_person(table, event.seat)}"
    yield f"  {_line(event.line, Holdings.at(table.round, event.seat), rules)}"


def _refused(event: round_events.ProgressiveRefused, table: Table, rules: Rules) -> Lines:
    because = denial_words(event.ground, event.reason)
    yield f"denied by {event.refused_by} ({because}): {_person(table, event.seat)}"
    yield f"  {_line(event.line, Holdings.at(table.round, event.seat), rules)}"
    if event.ground and pays_envy(event.line.reason.line, rules):
        stands = "still counts for the others'" if event.envy_stands else "brings nobody an"
        yield f"  the hand {stands} Envy Bonus{_by(_envy_clause(rules))}"


def _envy_clause(rules: Rules) -> str:
    return rules.book.envy.clause if rules.book.envy is not None else ""


def _envy(event: round_events.EnvyPaid, table: Table, rules: Rules) -> Lines:
    for number, line in event.lines.items():
        yield f"{_person(table, number)}: {_line(line, Holdings(), rules)}"


def _collected(event: round_events.CardsCollected, _: Table, __: Rules) -> Lines:
    yield f"the cards are collected{_by(event.clause)}: {format_cards(event.pile)}"


def _left(event: round_events.PlayerLeft, table: Table, _: Rules) -> Lines:
    if event.abandoned:
        yield f"the wagers of {_person(table, event.seat)} are ruled lost{_by(event.clause)}"
    else:
        yield f"{_person(table, event.seat)} leaves the round{_by(event.clause)}"


def _noted(event: round_events.IrregularityNoted, table: Table, rules: Rules) -> Lines:
    accident = rules.book.irregularities[event.kind]
    cards = f" ({format_cards(event.cards)})" if event.cards else ""
    where = f" at {_person(table, event.seat)}" if event.seat else ""
    note = f"; {event.note}" if event.note else ""
    held = f", {event.held} cards" if event.held is not None else ""
    yield f"{event.by} reports: {accident.title}{cards}{where}{held}{_by(event.clause)}{note}"
    if event.set_aside:
        are = "is" if len(event.cards) == 1 else "are"
        yield f"  {format_cards(event.cards)} {are} out of the round"
    if accident.card == "next":
        yield "  it is used as the next card"
    for clause, words in accident.hands.items():
        yield f"  {words}{_by(clause)}"
    if event.deck:
        yield f"  {_DECKS[event.deck]}"


_DECKS = {
    "reshuffled": "the cards are reshuffled",
    "removed": "the deck is taken off the table",
    "coming_removed": "the deck is taken off the table before it is dealt from; wagers stay",
    "other_reshuffled": "the other deck is reshuffled; this round goes on",
    "other_removed": "the other deck is taken off the table; this round goes on",
}


def _hands_voided(event: round_events.HandsVoided, table: Table, rules: Rules) -> Lines:
    yield f"all hands are void{_by(event.clause)}: {event.reason}"
    down = {name for seat in table.round.seats for name in seat.wagers}
    names = _names(rules.book, [name for name in event.saves if name in down])
    settled = f"the board is completed and {names} settled{_by(event.saves_clause)}"
    yield f"  {settled}; the rest comes back"


def _hand_voided(event: round_events.HandVoided, table: Table, _: Rules) -> Lines:
    yield f"the hand of {_person(table, event.seat)} is void{_by(event.clause)}"


def _wagers_voided(event: round_events.WagersVoided, _: Table, rules: Rules) -> Lines:
    yield f"{_names(rules.book, event.wagers)} is void at every seat{_by(event.clause)}"


def _voided(event: round_events.RoundVoided, _: Table, __: Rules) -> Lines:
    yield f"the round is void, by {event.by}: {event.reason}{_by(event.clause)}"


_DESCRIBES: dict[type, Callable[[Any, Table, Rules], Lines]] = {
    table_events.TableOpened: _opened,
    table_events.TableClosed: _closed_table,
    table_commands.TakeSeat: _seat_taken,
    table_commands.GiveUpSeat: _seat_given_up,
    table_commands.MoreTime: _more_time,
    table_commands.AskFaceUp: _face_up_asked,
    table_commands.BuyIn: _bought_in,
    table_events.CashedOut: _cashed_out,
    table_commands.ColorUp: _colored_up,
    table_commands.Tip: _tipped,
    table_commands.Fill: _filled,
    table_commands.Credit: _credited,
    table_events.Corrected: _corrected,
    table_events.DropEmptied: _emptied,
    table_events.TableStands: _stands,
    round_commands.OpenBetting: _betting,
    round_events.WagersPlaced: _placed,
    round_events.WagersTakenBack: _taken_back,
    round_events.WagerReturned: _returned,
    round_events.BetsClosed: _bets_closed,
    round_events.ChipsCounted: _counted,
    round_events.ChipCountDecided: _count_decided,
    round_events.ChipCountDiffers: _count_differs,
    round_events.ChipRecountOrdered: _recount_ordered,
    round_commands.CommitRandomness: _committed,
    round_commands.RevealRandomness: _value_revealed,
    round_events.DeckMixed: _mixed,
    round_events.CardsDealt: _dealt,
    round_commands.EnterCards: _entered,
    round_events.CouponPlaced: _coupon_placed,
    round_commands.ReplaceCards: _replaced,
    round_events.Acted: _acted,
    round_events.AnswerTakenBack: _answer_taken_back,
    round_events.Revealed: _revealed,
    round_events.DealerShown: _dealer_shown,
    round_events.SeatSettled: _settled,
    round_events.ProgressiveWon: _won,
    round_events.ProgressivePaid: _paid,
    round_events.ProgressiveRefused: _refused,
    round_events.EnvyPaid: _envy,
    round_events.CardsCollected: _collected,
    round_events.PlayerLeft: _left,
    round_events.IrregularityNoted: _noted,
    round_events.HandsVoided: _hands_voided,
    round_events.HandVoided: _hand_voided,
    round_events.WagersVoided: _wagers_voided,
    round_events.RoundVoided: _voided,
    **CARE_SENTENCES,
    **HOUSE_SENTENCES,
}


def describe_link_event(event: progressives.Event, link: Link) -> list[str]:
    """Describe the effect of an event on the meters."""
    shown = ", ".join(f"{name} {dollars(cents)}" for name, cents in link.shown().items())
    match event:
        case progressives.LinkOpened():
            return [f"meter {name}: {terms}" for name, terms in event.meters.items()]
        case progressives.Contributed():
            return [f"meters now: {shown}"]
        case progressives.Awarded():
            reset = f", reset by {dollars(event.reset_cents)}" if event.reset_cents else ""
            return [f"meter {event.meter} pays {dollars(event.cents)}{reset}; meters now: {shown}"]
        case progressives.RoundReversed():
            return [f"contributions taken back; meters now: {shown}"]
        case progressives.TermsChanged():
            return [f"meter {event.meter}, by {event.by}: {event.terms}: {event.reason}"]
        case progressives.LinkClosed():
            return [f"link {link.id} is closed by {event.by}: {event.reason}"]
        case progressives.MoneyReceived():
            source = f"{event.from_link}:{event.from_meter}"
            return [f"meter {event.meter} receives the money of {source}; meters now: {shown}"]
        case _:
            return []
