"""The rules of a table, for the felt and its help."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.money import format_cents
from croupier.reports.notices import notices_of
from croupier.reports.phrases import joined
from croupier.rounds.paytable_lines import least_in_words, or_better, words_for
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.decks import deck_words
from croupier.rulebooks.duties import duties_of
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.layouts import layout_of, notice_kinds
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    Deck,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Paytable,
    Rulebook,
    VersusDealer,
    VersusPaytable,
    Wager,
)
from croupier.rulebooks.wager_families import tables_in_force

_ORDER: Final = ("player", "community", "dealer", "box")


class PayLineForm(msgspec.Struct, frozen=True):
    hand: str
    words: str
    pays: str
    clause: str


class PaytableForm(msgspec.Struct, frozen=True):
    """A paytable. `family` is its name in the rulebook, `title` its common name, `id` the
    document's paytable in force."""

    family: str
    id: str
    clause: str
    lines: tuple[PayLineForm, ...]
    title: str = ""


class WagerForm(msgspec.Struct, frozen=True):
    name: str
    title: str
    role: str
    clause: str
    equals: str
    needs: tuple[str, ...]
    stakes: tuple[str, ...]
    least: str | None
    most: str | None
    offered: bool
    progressive: bool
    paytables: tuple[PaytableForm, ...]
    """Every paytable of the wager: the Odds wager has one for winning and one for a bad beat."""
    words: str


class DecisionForm(msgspec.Struct, frozen=True):
    name: str
    bets: dict[str, int]
    otherwise: str
    clause: str
    wager: str
    multiple_of: str
    sees_player: int
    sees_community: int
    sees_dealer: int = 0
    takes_back: str = ""
    """The wager that the answer `take_back` returns."""
    answers: tuple[str, ...] = ()
    """Every possible answer, in order."""
    only_with: dict[str, str] = {}
    """Bets allowed only with strong hands, and the weakest such hand in words."""


class RevealForm(msgspec.Struct, frozen=True):
    name: str
    community: int
    player: int
    clause: str
    dealer: int = 0


class BonusForm(msgspec.Struct, frozen=True):
    """A bonus paid in addition to the wager `on`, whatever the dealer has."""

    name: str
    title: str
    on: str
    words: str
    clause: str
    paytable: PaytableForm


class ClauseForm(msgspec.Struct, frozen=True):
    words: str
    clause: str


class InscriptionForm(msgspec.Struct, frozen=True):
    """An inscription. `kind` is qualifies, unqualified_push, win_push, multiples, payout_limit,
    table_limits…"""

    words: str
    clause: str
    kind: str


class SpotForm(msgspec.Struct, frozen=True):
    """The place of a wager in front of each position, as its player sees it. Row 1 is nearest the
    dealer; `across` counts spots from the middle; `symbol` stands before the next spot to the
    right."""

    row: int
    across: float
    symbol: str
    clause: str
    device: bool


class AreaForm(msgspec.Struct, frozen=True):
    """A marked place that takes no wager: one per position if `each`, otherwise one for the
    table."""

    holds: str
    row: int
    across: float
    each: bool
    clause: str


class LayoutForm(msgspec.Struct, frozen=True):
    clause: str
    spots: dict[str, SpotForm]
    areas: tuple[AreaForm, ...]


class DutyForm(msgspec.Struct, frozen=True):
    """What a player must or may do at a step; `at` names one question of the round."""

    clause: str
    step: str
    at: str
    words: str


class CardsForm(msgspec.Struct, frozen=True):
    player: int
    dealer: int
    community: int
    box: int


class DeckForm(msgspec.Struct, frozen=True):
    """The deck: its ranks, lowest first, and how many decks. `words` is empty for one deck of 52
    cards."""

    ranks: str
    copies: int
    words: str


class RulesForm(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    jurisdiction: str
    document: str
    summary: str
    positions: int
    positions_clause: str
    boxes_each: int
    cards: CardsForm
    wagers: tuple[WagerForm, ...]
    decisions: tuple[DecisionForm, ...]
    reveals: tuple[RevealForm, ...]
    qualifier: ClauseForm | None
    inscriptions: tuple[InscriptionForm, ...]
    layout: LayoutForm
    dealing: ClauseForm
    envy: tuple[PaytableForm, ...]
    meters: dict[str, str]
    """The amount that each meter is reset to."""
    clauses: dict[str, str]
    """The gist of every clause of the document, by id."""
    duties: tuple[DutyForm, ...] = ()
    """The players' duties at this table."""
    bonuses: tuple[BonusForm, ...] = ()
    deck: DeckForm = DeckForm("", 1, "")


def rules_form(rules: Rules) -> RulesForm:
    book = rules.book
    way = dealing_in_force(rules)
    cards = book.cards
    boxes = rules.options.get("adjacent_boxes")
    return RulesForm(
        rulebook=book.id,
        title=book.title,
        jurisdiction=book.jurisdiction,
        document=book.document,
        summary=" ".join(book.summary.split()),
        positions=book.positions.most,
        positions_clause=book.positions.clause,
        boxes_each=boxes if isinstance(boxes, int) else 1,
        cards=CardsForm(cards.player, cards.dealer, cards.community, cards.box),
        wagers=tuple([_wager(name, wager, rules) for name, wager in book.wagers.items()]),
        decisions=tuple([_decision(book, index) for index in range(len(book.decisions))]),
        reveals=tuple(
            [RevealForm(r.name, r.community, r.player, r.clause, r.dealer) for r in book.reveals]
        ),
        qualifier=_qualifier(book),
        inscriptions=tuple(_inscriptions(rules)),
        layout=_layout(rules),
        dealing=ClauseForm(way.title, way.clause),
        envy=_envy(rules),
        meters={name: format_cents(cents) for name, cents in rules.resets.items()},
        clauses=_clauses(book),
        duties=tuple(
            [DutyForm(d.clause, d.step, d.at, d.words) for d in duties_of(rules, role="player")]
        ),
        bonuses=tuple([_bonus(name, rules) for name in book.bonuses]),
        deck=_deck(book.deck),
    )


def _deck(deck: Deck) -> DeckForm:
    is_usual = deck == Deck(clause=deck.clause)
    return DeckForm(deck.ranks, deck.copies, "" if is_usual else deck_words(deck))


def _bonus(name: str, rules: Rules) -> BonusForm:
    bonus = rules.book.bonuses[name]
    on = rules.book.wagers[bonus.on].title
    made = _hand_paid_for(bonus.hand, rules.book)
    words = f"Paid on top of the {on}, in multiples of it, for {made}. A folded hand gets nothing."
    table = _paytable(bonus.paytable, rules.chosen[bonus.paytable], rules, bonus.title)
    return BonusForm(name, bonus.title, bonus.on, words, bonus.clause, table)


def _wager(name: str, wager: Wager, rules: Rules) -> WagerForm:
    least, most = rules.limits.get(name, (None, None))
    return WagerForm(
        name=name,
        title=wager.title,
        role=wager.role,
        clause=wager.clause,
        equals=wager.equals,
        needs=wager.needs,
        stakes=tuple([format_cents(stake) for stake in rules.stakes.get(name, ())]),
        least=None if least is None else format_cents(least),
        most=None if most is None else format_cents(most),
        offered=wager.role != "optional" or name in rules.offered,
        progressive=wager.taken_before_deal,
        paytables=tuple(_paytables_of(wager, rules)),
        words=_words(name, wager, rules.book),
    )


def _paytables_of(wager: Wager, rules: Rules) -> list[PaytableForm]:
    """Return the paytables of a wager. The first has the wager's title; others have their own name
    or their number of hands."""
    paytables: list[PaytableForm] = []
    for family, table_id, _ in tables_in_force(rules, wager.settles):
        title = wager.title
        if isinstance(wager.settles, HighestHand):
            title = f"{wager.title} with {table_id} hands"
        elif paytables:
            title = family.replace("_", " ").title()
        paytables.append(_paytable(family, table_id, rules, title))
    return paytables


def _paytable(family: str, table_id: str, rules: Rules, title: str) -> PaytableForm:
    table: Paytable = rules.book.paytables[family][table_id]
    lines = [
        PayLineForm(line.hand, words_for(line.hand, rules.book.patterns), line.pays, line.clause)
        for line in table.lines
    ]
    return PaytableForm(family, table_id, table.clause, tuple(lines), title)


def _words(name: str, wager: Wager, book: Rulebook) -> str:
    """Describe the wager in sentences for somebody who has never seen the game."""
    said = [f"{wager.title} {_wins(wager, book)}."]
    if isinstance(wager.settles, VersusDealer) and wager.settles.qualified.lower.do == "pay":
        said.append("A strong hand that loses is paid too.")
    if wager.equals:
        said.append(f"It is always equal to your {book.wagers[wager.equals].title}.")
    multiples = sorted({k for d in book.decisions if d.wager == name for k in d.bets.values()})
    if wager.role == "decided" and multiples:
        of = next(d.multiple_of for d in book.decisions if d.wager == name)
        said.append(f"You make it during the round: {_times(multiples)} your {_title(of, book)}.")
    return " ".join(said)


def _wins(wager: Wager, book: Rulebook) -> str:
    match wager.settles:
        case VersusDealer():
            return "wins when your hand beats the dealer's"
        case VersusPaytable() if wager.taken_before_deal:
            return "wins with the rare hands of its paytable, the best of them from a growing meter"
        case VersusPaytable(hand=hand):
            return f"pays for {_hand_paid_for(hand, book)}"
        case EitherHandBeaten(loser="player_only"):
            return "pays when a strong hand of yours is beaten"
        case EitherHandBeaten():
            return "pays when a strong hand, yours or the dealer's, is beaten"
        case HighestHand():
            return "pays on the best hand at the table, in any seat"
        case AllWon(wagers=others):
            return f"wins when {joined([_title(named, book) for named in others])} all win"
        case Follows(wager=other):
            return f"raises {_title(other, book)} and wins with it"


def _title(wager: str, book: Rulebook) -> str:
    return book.wagers[wager].title


def _times(multiples: list[int]) -> str:
    if multiples == [1]:
        return "equal to"
    return f"{joined([str(multiple) for multiple in reversed(multiples)], 'or')} times"


def _hand_paid_for(hand: str, book: Rulebook) -> str:
    """Say which cards make the hand, and that the dealer's do not matter if there is a dealer."""
    places = [place.partition(":") for place in book.hands[hand].cards]
    places.sort(key=lambda place: _ORDER.index(place[0]))
    cards = []
    for where, _, count in places:
        first = f"first {count} " if count else ""
        cards.append(
            {
                "player": f"your {first}cards",
                "community": f"the {first}community cards",
                "dealer": "the dealer's cards",
                "box": "the bonus cards",
            }[where]
        )
    made = f"the hand that {joined(cards)} make"
    matters = book.dealer is None or any(where == "dealer" for where, _, _ in places)
    return made if matters else f"{made}, whatever the dealer has"


def _decision(book: Rulebook, index: int) -> DecisionForm:
    d = book.decisions[index]
    return DecisionForm(
        d.name,
        d.bets,
        d.otherwise,
        d.clause,
        d.wager,
        d.multiple_of,
        d.sees_player,
        d.sees_community,
        d.sees_dealer,
        d.takes_back,
        d.answers,
        {bet: or_better(least_in_words(least)) for bet, least in d.only_with.items()},
    )


def _qualifier(book: Rulebook) -> ClauseForm | None:
    dealer = book.dealer
    if dealer is None:
        return None
    if "qualifies" not in notice_kinds(book):
        return ClauseForm("The dealer always qualifies.", dealer.clause)
    least = or_better(least_in_words(dealer))
    return ClauseForm(f"Dealer qualifies with {least}.", dealer.clause)


def _inscriptions(rules: Rules) -> list[InscriptionForm]:
    """Return the inscriptions on the layout: qualification, push, multiples and limits."""
    return [
        InscriptionForm(notice.words, notice.asked_by or notice.rule, notice.kind)
        for notice in notices_of(rules)
    ]


def _layout(rules: Rules) -> LayoutForm:
    layout = layout_of(rules.book)
    spots = {
        name: SpotForm(spot.row, spot.across, spot.symbol, spot.clause, bool(spot.device_clause))
        for name, spot in layout.spots.items()
    }
    areas = [
        AreaForm(area.holds, area.row, area.across, area.each, area.clause)
        for area in layout.areas
        if not area.needs_wager or area.needs_wager in rules.offered
    ]
    return LayoutForm(layout.clause, spots, tuple(areas))


def _envy(rules: Rules) -> tuple[PaytableForm, ...]:
    envy = rules.book.envy
    if envy is None or envy.on not in rules.offered:
        return ()
    settles = rules.book.wagers[envy.on].settles
    assert isinstance(settles, VersusPaytable)
    letter = rules.chosen[settles.paytable]
    return tuple(
        [
            _paytable(family, letter, rules, _envy_title(stake, len(envy.tables)))
            for stake, family in envy.tables.items()
            if letter in rules.book.paytables[family]
        ]
    )


def _envy_title(stake: str, count: int) -> str:
    return "Envy Bonus" if count == 1 else f"Envy Bonus with a ${stake} Progressive"


def _clauses(book: Rulebook) -> dict[str, str]:
    if book.id not in DOCUMENTS:
        return {}
    return {clause.id: clause.gist for clause in clauses_of(book.id).values()}
