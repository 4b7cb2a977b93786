"""Checks that a round can be dealt and settled by a rulebook, beyond its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from croupier.errors import CroupierError
from croupier.money import Fixed, MeterShare, To, parse_cents, parse_pays
from croupier.ranking.ranking import SUIT_NAMES
from croupier.rulebooks.decks import deck_size, deck_words
from croupier.rulebooks.layouts import layout_problems
from croupier.rulebooks.name_checks import deal_orders
from croupier.rulebooks.rankings import card_count
from croupier.rulebooks.schema import (
    TAKE_BACK,
    AllWon,
    DealStep,
    Decision,
    EitherHandBeaten,
    Follows,
    Hand,
    HighestHand,
    Irregularity,
    Outcome,
    Rulebook,
    VersusDealer,
    VersusPaytable,
    Wager,
)

_SIZES = {"five_card": range(5, 8), "three_card": range(3, 4), "two_card": range(2, 3)}
_MOST_RANKED = 10
"""The most cards from which a rulebook's own ranking picks its best hand."""
_OPTION_TYPES = {
    "adjacent_boxes": "count",
    "decks": "count",
    "deal_order": "choice",
    "dealing": "choice",
    "envy_holder_must_bet": "yes_no",
    "minimum_wager": "amount",
    "payout_limit": "amount",
    "shuffler": "yes_no",
}


def unplayable(book: Rulebook, *, names_lead_nowhere: bool = False) -> Iterator[str]:
    """Yield everything that cannot be played, with its place. A check that needs a name that does
    not exist is skipped: the name itself is reported elsewhere."""
    for check in (_cards, *_CHECKS):
        problems: list[str] = []
        try:
            problems += check(book)
        except (KeyError, ValueError, AttributeError, CroupierError):
            if not names_lead_nowhere:
                raise
        yield from problems
        if problems and check is _cards:
            return


def _of_wagers(book: Rulebook) -> Iterator[str]:
    for name, wager in book.wagers.items():
        yield from (f"at wagers.{name}: {problem}" for problem in _wager(book, name, wager))


def _irregularities(book: Rulebook) -> Iterator[str]:
    for name, accident in book.irregularities.items():
        yield from (f"at irregularities.{name}: {p}" for p in _irregularity(book, accident))


def _options(book: Rulebook) -> Iterator[str]:
    for name, option in book.options.items():
        if option.type != _OPTION_TYPES.get(name, option.type):
            yield f"at options.{name}.type: it must be {_OPTION_TYPES[name]!r}"


def _payout_limits(book: Rulebook) -> Iterator[str]:
    """Check that payout limits leave out the meters, which belong to the players who fed them:
    every document keeps its awards, and the Envy Bonus with them, out of its payout limit (MD-34,
    MA-14, A29, B32, C14)."""
    for number, limit in enumerate(book.payout_limits):
        for name in limit.covers:
            if name in book.bonuses:
                continue
            settles = book.wagers[name].settles
            if isinstance(settles, VersusPaytable) and any(
                table.meters for table in book.paytables[settles.paytable].values()
            ):
                yield (
                    f"at payout_limits[{number}].covers: {name!r} wins from meters, and a payout "
                    "limit leaves the progressive alone"
                )


def _irregularity(book: Rulebook, accident: Irregularity) -> Iterator[str]:
    if not accident.when:
        yield "when: name at least one moment at which it can happen"
    if bool(accident.saves) != bool(accident.saves_clause):
        yield "saves and saves_clause go together: the wagers, and the clause that settles them"
    if accident.saves and accident.effect != "void":
        yield "saves: wagers are saved from a round that is void"
    if bool(accident.returns) != (accident.effect == "void_wagers"):
        yield "returns: the wagers that are void, with the effect 'void_wagers' and no other"
    if ("seat" in accident.asks) != (accident.effect == "void_hand"):
        yield "asks: the effect 'void_hand' asks for the seat, and no other does"
    if accident.card == "set_aside" and not {"card", "cards"} & set(accident.asks):
        yield "card: what is set aside has to be asked for"
    early = {"betting", "dealing"} & set(accident.when)
    if early and accident.effect in ("void_hand", "void_wagers"):
        yield "when: a hand or a wager can be void only when the cards are dealt"
    for name in accident.saves:
        if isinstance(book.wagers[name].settles, VersusDealer | EitherHandBeaten | HighestHand):
            yield f"saves: {name!r} needs the dealer's hand, which is void"
    if accident.counts and accident.effect not in ("void_hand", "void_wagers"):
        yield "counts: a wrong number of cards goes with a void hand or void wagers"
    orders = {order for way in book.dealing.values() for order in way.variants}
    for order in accident.orders:
        if order not in orders:
            yield f"orders: {order!r} is not an order of dealing of this rulebook"
    for name in accident.also:
        if name not in book.irregularities:
            yield f"also: {name!r} is not an irregularity of this rulebook"
    if "two_decks" in accident.needs and "decks" not in book.options:
        yield "needs: nothing states the number of decks: options.decks is missing"


def _cards(book: Rulebook) -> Iterator[str]:
    cards, most = book.cards, book.positions.most
    dealt = (cards.player, cards.dealer, cards.community, cards.box)
    if min(dealt) < 0 or cards.player < 1 or most < 1:
        yield "at cards: a round has at least one position and one card for it, and none below 0"
    elif cards.player * most + sum(dealt[1:]) > deck_size(book):
        yield f"at cards: {most} positions need more than the {deck_words(book.deck)}"
    for name, hand in book.hands.items():
        count, sizes = card_count(book, hand), _sizes(book, hand.ranking)
        if sizes is not None and count not in sizes:
            right = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"
            yield f"at hands.{name}: {count} cards cannot be ranked as {hand.ranking}: give {right}"
    yield from _compared(book)


def _sizes(book: Rulebook, ranking: str) -> range | None:
    """Return how many cards a hand of this ranking can have; None: any."""
    own = book.rankings.get(ranking)
    if own is None:
        return _SIZES.get(ranking)
    if own.by == "longest_suit":
        return range(1, len(SUIT_NAMES) + 1)
    return range(own.size, _MOST_RANKED + 1)


def _compared(book: Rulebook) -> Iterator[str]:
    """Check that hands that are announced or compared have a ranking, and that two compared hands
    have the same."""
    if book.hands[book.announces].ranking == "cards":
        yield f"at announces: hand {book.announces!r} is plain cards, which have no name"
    theirs = None if book.dealer is None else book.hands[book.dealer.hand]
    if theirs is not None and theirs.ranking == "cards":
        yield "at dealer.hand: plain cards have no rank, so nothing could be compared with them"
    for name, wager in book.wagers.items():
        settles = wager.settles
        if not isinstance(settles, VersusDealer | EitherHandBeaten | HighestHand):
            continue
        mine = book.hands[settles.hand]
        if mine.ranking == "cards":
            yield f"at wagers.{name}.settles.hand: plain cards cannot be compared"
        elif theirs is not None and _ranked(mine) != _ranked(theirs):
            yield (
                f"at wagers.{name}.settles.hand: {settles.hand!r} is ranked as {mine.ranking}, "
                f"the dealer's hand as {theirs.ranking}: only hands of one ranking compare"
            )


def _ranked(hand: Hand) -> tuple[str, bool]:
    """Return the ranking; for three and two cards, with the ace's place below the deuce."""
    return hand.ranking, hand.ace_low and hand.ranking in ("three_card", "two_card")


def _dealing(book: Rulebook) -> Iterator[str]:
    choices = book.options["deal_order"].choices if "deal_order" in book.options else ()
    for name, way in book.dealing.items():
        if way.order and way.variants:
            yield f"at dealing.{name}: write its order or its variants, not both"
        for variant in way.variants:
            if variant not in choices:
                yield f"at options.deal_order.choices: {variant!r} of dealing.{name} is missing"
    for where, order in deal_orders(book):
        problems = list(_steps(book, order)) or [*_totals(book, order), *_in_time(book, order)]
        yield from (f"at {where}.order{problem}" for problem in problems)
    yield from _box(book)


def _steps(book: Rulebook, order: Sequence[DealStep]) -> Iterator[str]:
    moments = ["deal", *(reveal.name for reveal in book.reveals)]
    latest = 0
    for number, step in enumerate(order):
        where = f"[{number}]"
        if step.cards < 1 or step.times < 1 or not step.to:
            yield f"{where}: a step deals at least one card to someone, at least once"
        if "players" in step.to and step.at != "deal":
            yield f"{where}.at: players get all their cards at the deal"
        if step.waits and (step.to != ("dealer",) or step.at != "deal"):
            yield f"{where}.waits: only the dealer's cards of the deal can wait in the machine"
        if step.needs_wager and set(step.to) - {"box", "burn", "discard"}:
            yield f"{where}.needs_wager: hands and board are dealt whatever is offered"
        if step.needs_wager and book.wagers[step.needs_wager].role != "optional":
            yield f"{where}.needs_wager: {step.needs_wager!r} is not optional"
        if moments.index(step.at) < latest:
            yield f"{where}.at: {step.at!r} comes before {moments[latest]!r}, not after it"
        latest = max(latest, moments.index(step.at))


def _given(order: Iterable[DealStep], place: str) -> int:
    """Return the number of cards dealt to a place, or to each player."""
    return sum(step.cards * step.times * step.to.count(place) for step in order)


def _totals(book: Rulebook, order: Sequence[DealStep]) -> Iterator[str]:
    cards = book.cards
    for place, wanted in (
        ("players", cards.player),
        ("dealer", cards.dealer),
        ("community", cards.community),
        ("box", cards.box if _given(order, "box") else 0),
    ):
        if (stated := _given(order, place)) != wanted:
            each = "each player" if place == "players" else f"the {place}"
            yield f": it deals {stated} to {each}, but [cards] says {wanted}"
    others = ("dealer", "community", "box", "burn", "discard")
    most = book.positions.most
    needed = most * _given(order, "players") + sum(_given(order, place) for place in others)
    if needed > deck_size(book):
        has = "a deck has" if book.deck.copies == 1 else "the decks have"
        yield (
            f": {most} positions need {needed} cards with those burned, and {has} {deck_size(book)}"
        )


def _in_time(book: Rulebook, order: Sequence[DealStep]) -> Iterator[str]:
    """Check that a card is turned up only after it has left the deck."""
    moments, shown = ["deal"], {"community": 0, "dealer": 0}
    words = {"community": "the board", "dealer": "the dealer's hand"}
    for reveal in book.reveals:
        moments.append(reveal.name)
        shown["community"] += reveal.community
        shown["dealer"] += reveal.dealer
        out = [step for step in order if step.at in moments]
        for place, count in shown.items():
            there = _given(out, place)
            if there < count:
                need = f"shows {words[place]} up to card {count}"
                yield f": {reveal.name!r} {need}, but by then it has {there}"
    if shown["dealer"] and any(step.waits for step in order):
        yield ": the dealer's cards wait in the machine, but some are turned up by a reveal"


def _box(book: Rulebook) -> Iterator[str]:
    """Check that a wager on the box is offered only where cards are dealt to it."""
    for name, wager in book.wagers.items():
        hand = getattr(wager.settles, "hand", "")
        if not hand or not any(place.startswith("box") for place in book.hands[hand].cards):
            continue
        for method in wager.dealt_by or book.dealing:
            way = book.dealing[method]
            for order in [v.order for v in way.variants.values()] or [way.order]:
                if not _given((s for s in order if s.needs_wager in {"", name}), "box"):
                    yield f"at wagers.{name}.dealt_by: dealing.{method} deals nothing to the box"
                    break


def _decisions(book: Rulebook) -> Iterator[str]:
    turned_up = sum(reveal.dealer for reveal in book.reveals)
    for number, decision in enumerate(book.decisions):
        where = f"at decisions[{number}]"
        if decision.bets and book.wagers[decision.wager].role != "decided":
            yield f"{where}.wager: {decision.wager!r} must have the role 'decided'"
        if decision.bets and book.wagers[decision.multiple_of].role != "required":
            yield f"{where}.multiple_of: {decision.multiple_of!r} must have the role 'required'"
        if not decision.bets and (decision.wager or decision.multiple_of):
            yield f"{where}.bets: a wager is named, but no bet that puts it down"
        for word in dict.fromkeys(("fold", decision.otherwise)):
            if word in decision.bets:
                yield f"{where}.bets: a bet cannot be called {word}"
        if TAKE_BACK in decision.bets:
            yield f"{where}.bets: a bet cannot be called {TAKE_BACK}: name what it takes_back"
        if not 0 <= decision.sees_community <= book.cards.community:
            yield f"{where}.sees_community: the board has {book.cards.community} cards"
        if not 0 <= decision.sees_player <= book.cards.player:
            yield f"{where}.sees_player: a player has {book.cards.player} cards"
        if not 0 <= decision.sees_dealer <= turned_up:
            yield f"{where}.sees_dealer: the reveals turn up {turned_up} cards of the dealer's"
        yield from (f"{where}.{problem}" for problem in _taking_back(book, number))
        yield from (f"{where}.{problem}" for problem in _only_with(book, decision))
    yield from _reveals(book)


def _taking_back(book: Rulebook, number: int) -> Iterator[str]:
    decision = book.decisions[number]
    name = decision.takes_back
    if not name:
        if decision.otherwise == "ride":
            yield "otherwise: a bet rides only where one can be taken back (takes_back)"
        return
    wager = book.wagers[name]
    if wager.taken_before_deal:
        yield f"takes_back: {name!r} is in the tray before the deal and cannot come back"
    if wager.role == "decided" and all(d.wager != name for d in book.decisions[:number]):
        yield f"takes_back: {name!r} is not down yet: no earlier decision puts it there"
    if wager.role == "optional":
        yield f"takes_back: {name!r} is optional: only a required or decided bet is taken back"


def _only_with(book: Rulebook, decision: Decision) -> Iterator[str]:
    """Check that players can see whether a bet is allowed: they must see every card of that
    hand."""
    sees = {
        "player": decision.sees_player,
        "community": decision.sees_community,
        "dealer": decision.sees_dealer,
        "box": 0,
    }
    for bet, least in decision.only_with.items():
        hand = book.hands[least.hand]
        if hand.ranking == "cards":
            yield f"only_with.{bet}.hand: {least.hand!r} is plain cards, which have no rank"
        for place in hand.cards:
            name, _, first = place.partition(":")
            count = int(first) if first else getattr(book.cards, name)
            if count > sees[name]:
                yield (
                    f"only_with.{bet}.hand: {least.hand!r} takes {count} cards of {name}, of which "
                    f"the player sees {sees[name]} at this decision"
                )


def _reveals(book: Rulebook) -> Iterator[str]:
    """Check that each reveal turns up something, and that together they turn up no more cards than
    there are."""
    cards = book.cards
    for place, there in (
        ("community", cards.community),
        ("player", cards.player),
        ("dealer", cards.dealer),
    ):
        counts = [getattr(reveal, place) for reveal in book.reveals]
        if any(count < 0 for count in counts):
            yield f"at reveals: no reveal turns up fewer than 0 cards ({place})"
        if place == "dealer" and sum(counts) > there:
            yield f"at reveals: they turn up {sum(counts)} of the dealer's {there} cards"


def _wager(book: Rulebook, name: str, wager: Wager) -> Iterator[str]:
    if wager.role == "decided" and all(d.wager != name for d in book.decisions):
        yield "a decided wager needs a decision that places it"
    if wager.equals and {wager.role, book.wagers[wager.equals].role} != {"required"}:
        yield "equals: only required wagers can be bound to be equal"
    if any(parse_cents(stake) <= 0 for stake in wager.stakes):
        yield "stakes: a stake is more than 0"
    if wager.scales_seeds and not wager.stakes:
        yield "scales_seeds: seeds scale with the one stake there is, and none is named"
    settles = wager.settles
    if isinstance(settles, EitherHandBeaten) and book.dealer is None:
        yield "it is settled against a dealer, but the rulebook has no [dealer]"
    if isinstance(settles, AllWon | Follows):
        earlier = list(book.wagers)[: list(book.wagers).index(name)]
        for led in settles.wagers if isinstance(settles, AllWon) else (settles.wager,):
            if led not in earlier or book.wagers[led].role != "required":
                yield f"settles: {led!r} must be required and stand before it in the file"


def _paytables(book: Rulebook) -> Iterator[str]:
    for family, tables in book.paytables.items():
        where = f"at paytables.{family}"
        if not tables or any(not table.lines for table in tables.values()):
            yield f"{where}: a family has at least one table, and a table at least one line"
        for table_id, table in tables.items():
            if any(seed.minimum < 0 for seed in table.meters.values()):
                yield f"{where}.{table_id}.meters: a minimum is not below 0"
    yield from _meters(book)
    reserved = set(book.envy.tables.values()) if book.envy else set()
    for wager in book.wagers.values():
        if isinstance(wager.settles, HighestHand):
            reserved.add(wager.settles.paytable)
            yield from _tables_by_count(book, wager.settles.paytable)
    for name, wager in book.wagers.items():
        for family in reserved.intersection(families_of(wager)):
            yield f"at wagers.{name}.settles: {family!r} is not a paytable an operator chooses"


def _meters(book: Rulebook) -> Iterator[str]:
    """Check that shares of meters are paid by one wager, which looks at its own hand only."""
    families = {
        family
        for family, tables in book.paytables.items()
        for table in tables.values()
        if table.meters or any(isinstance(parse_pays(x.pays), MeterShare) for x in table.lines)
    }
    settled = [w.settles for w in book.wagers.values() if isinstance(w.settles, VersusPaytable)]
    for family in families - {settles.paytable for settles in settled}:
        yield f"at paytables.{family}: only a wager settled by 'paytable' can pay from a meter"
    if len(families) > 1:
        yield f"at paytables: one family can have meters, not {' and '.join(sorted(families))}"


def _tables_by_count(book: Rulebook, family: str) -> Iterator[str]:
    dealer = 0 if book.dealer is None else 1
    counts = {str(seats + dealer) for seats in range(1, book.positions.most + 1)}
    if book.paytables[family].keys() != counts:
        yield (
            f"at paytables.{family}: its tables are named by the number of hands: "
            f"{', '.join(sorted(counts))}"
        )


def families_of(wager: Wager) -> Iterator[str]:
    """Return the paytables by which a wager is paid and from which the operator chooses."""
    settles = wager.settles
    if isinstance(settles, VersusPaytable | EitherHandBeaten | AllWon):
        yield settles.paytable
    if isinstance(settles, VersusDealer):
        for showdown in (settles.qualified, settles.unqualified or settles.qualified):
            for outcome in (showdown.higher, showdown.equal, showdown.lower):
                yield from _paid_by(outcome)


def _paid_by(outcome: Outcome) -> Iterator[str]:
    if outcome.do == "pay":
        yield outcome.paytable
        if outcome.otherwise is not None:
            yield from _paid_by(outcome.otherwise)


def _bonuses(book: Rulebook) -> Iterator[str]:
    """Check that bonuses pay odds or fixed sums: a bonus is not a bet, so it has no stake to return
    and pays from no meter."""
    for name, bonus in book.bonuses.items():
        if name in book.wagers or name in ("envy", "match_play"):
            yield f"at bonuses.{name}: a line of that name exists already"
        if book.wagers[bonus.on].taken_before_deal:
            yield f"at bonuses.{name}.on: {bonus.on!r} is in the tray before the deal"
        for table_id, table in book.paytables[bonus.paytable].items():
            for line in table.lines:
                if not isinstance(parse_pays(line.pays), To | Fixed):
                    yield (
                        f"at paytables.{bonus.paytable}.{table_id}: {line.hand} must pay odds "
                        "('5 to 1') or a fixed sum, since a bonus has no stake of its own"
                    )


def _envy(book: Rulebook) -> Iterator[str]:
    envy = book.envy
    if envy is None:
        return
    if not isinstance(book.wagers[envy.on].settles, VersusPaytable):
        yield f"at envy.on: {envy.on!r} must be settled by 'paytable'"
    for stake, family in envy.tables.items():
        if stake != "any" and not (stake.isascii() and stake.isdigit() and len(stake) < 10):
            yield f"at envy.tables: {stake!r} is no stake: write whole dollars, or any"
        for table_id, table in book.paytables[family].items():
            for line in table.lines:
                if not isinstance(parse_pays(line.pays), Fixed):
                    yield f"at paytables.{family}.{table_id}: {line.hand} must pay a fixed sum"


_CHECKS: Final[tuple[Callable[[Rulebook], Iterator[str]], ...]] = (
    *(_dealing, _decisions, _of_wagers, _paytables, _bonuses, _envy, _payout_limits),
    *(layout_problems, _irregularities, _options),
)
