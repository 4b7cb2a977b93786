"""The sign and felt that a table must show its players, made from the rules in force.

Every figure comes from the rulebook under the operator's submission, so the sign states what the
settlement pays. Only the wording can differ: if a document wants odds worded with "to", a line paid
at 300 for 1 reads 299 to 1, and the money is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from croupier.money import Fixed, For, MeterShare, Push, To, dollars, parse_pays
from croupier.reports.notices import Notice, notices_of
from croupier.reports.phrases import called, cards_of, joined, lowest_paid, sentence
from croupier.rulebooks.layouts import layout_of
from croupier.rulebooks.rules import Rules, progressive_wager
from croupier.rulebooks.schema import (
    AllWon,
    Area,
    EitherHandBeaten,
    Follows,
    HighestHand,
    Layout,
    Outcome,
    Paytable,
    VersusDealer,
    VersusPaytable,
)


class Cell(msgspec.Struct, frozen=True):
    says: str
    clause: str


class PayRow(msgspec.Struct, frozen=True):
    hand: str
    cells: tuple[Cell, ...]


class PayTable(msgspec.Struct, frozen=True):
    """What a wager pays: its `columns`, or one column without a heading; `on` says which cards
    count."""

    title: str
    paytable: str
    on: str
    columns: tuple[str, ...]
    rows: tuple[PayRow, ...]
    notes: tuple[str, ...]
    asked_by: str
    """The clause that requires it; empty if none does."""


class FeltSpot(msgspec.Struct, frozen=True):
    wager: str
    title: str
    role: str
    row: int
    across: float
    symbol: str
    clause: str
    device_clause: str


class FeltArea(msgspec.Struct, frozen=True):
    holds: str
    words: str
    cards: int
    row: int
    across: float
    each: bool
    clause: str


class Sign(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    jurisdiction: str
    document: str
    operator: str
    table: str
    positions: int
    positions_clause: str
    layout_clause: str
    sign_clause: str
    odds_worded_by: str
    notices: tuple[Notice, ...]
    paytables: tuple[PayTable, ...]
    spots: tuple[FeltSpot, ...]
    areas: tuple[FeltArea, ...]
    inscriptions: tuple[Notice, ...]
    """The inscriptions of the felt itself; everything else is on the sign."""
    missing: tuple[Notice, ...]
    """What a clause requires and the submission does not state."""


def sign_of(rules: Rules, *, operator: str = "", table: str = "") -> Sign:
    book, layout = rules.book, layout_of(rules.book)
    notices = tuple(notices_of(rules))
    return Sign(
        rulebook=book.id,
        title=book.title,
        jurisdiction=book.jurisdiction,
        document=book.document,
        operator=operator,
        table=table,
        positions=book.positions.most,
        positions_clause=book.positions.clause,
        layout_clause=layout.clause,
        sign_clause=layout.sign_clause,
        odds_worded_by=layout.odds_words_clause,
        notices=notices,
        paytables=tuple(_Paytables(rules, layout).all()),
        spots=tuple(_spots(rules, layout)),
        areas=tuple(_areas(rules, layout)),
        inscriptions=tuple(_inscriptions(layout, notices)),
        missing=tuple(_missing(layout, notices, operator)),
    )


# -- what is paid ---------------------------------------------------------------------------------


class _Paytables:
    def __init__(self, rules: Rules, layout: Layout) -> None:
        self.rules = rules
        self.book = rules.book
        self.layout = layout

    def all(self) -> Iterator[PayTable]:
        """Yield all paytables. Wagers that pay alike for any winning hand share one; the others
        have one each."""
        flat: list[tuple[str, Cell]] = []
        tables: list[PayTable] = []
        for name, wager in self.book.wagers.items():
            if wager.role == "optional" and name not in self.rules.offered:
                continue
            match wager.settles:
                case VersusDealer() as settles:
                    flat += self._flat(wager.title, settles.qualified.higher)
                    tables += self._versus(wager.title, settles)
                case Follows() as settles:
                    led = self.book.wagers[settles.wager].title
                    says = self._says(settles.pays) if settles.pays else f"same odds as {led}"
                    flat.append((wager.title, Cell(says, wager.clause)))
                case VersusPaytable() as settles:
                    tables.append(self._own(name, wager.title, settles))
                case EitherHandBeaten() as settles:
                    on = "the losing hand, the player's or the dealer's"
                    if settles.loser == "player_only":
                        on = "the player's hand when the dealer's beats it"
                    tables.append(self._one(wager.title, settles.paytable, on))
                case HighestHand() as settles:
                    tables.append(self._by_count(wager.title, settles))
                case AllWon() as settles:
                    titles = [self.book.wagers[wager_name].title for wager_name in settles.wagers]
                    on = f"{joined(titles)} all winning"
                    tables.append(self._one(wager.title, settles.paytable, on))
        if flat:
            yield self._made(
                joined([title for title, _ in flat]),
                on="a winning hand, or a tie" if self._pays_ties() else "a winning hand",
                rows=[PayRow(title, (cell,)) for title, cell in flat],
            )
        yield from _together(tables)
        yield from self._bonuses()
        yield from self._progressive()

    def _made(
        self,
        title: str,
        *,
        paytable: str = "",
        on: str = "",
        columns: Sequence[str] = (),
        rows: Iterable[PayRow] = (),
        notes: Sequence[str] = (),
    ) -> PayTable:
        clause = self.layout.odds_clause
        return PayTable(title, paytable, on, tuple(columns), tuple(rows), tuple(notes), clause)

    def _says(self, pays: str) -> str:
        """Word a payout as this document wants; the amount paid is the same."""
        paid = parse_pays(pays)
        plainly = self.layout.odds == "to"
        match paid:
            case For() if plainly:
                return str(To(paid.n - 1, 1)) if paid.n > 1 else "push"
            case MeterShare():
                share = f"{paid.percent}% of {_meter(paid.meter)}"
                return f"wins {share}" if plainly else share
            case _:
                return str(paid)

    def _flat(self, title: str, outcome: Outcome) -> Iterator[tuple[str, Cell]]:
        if outcome.do == "pay" and self._is_flat(outcome):
            (line,) = self.rules.paytable(outcome.paytable).lines
            yield title, Cell(self._says(line.pays), line.clause)

    def _is_flat(self, outcome: Outcome) -> bool:
        lines = self.rules.paytable(outcome.paytable).lines
        return [line.hand for line in lines] == ["any_winning"]

    def _pays_ties(self) -> bool:
        """Return the wagers paid to any winner that are also paid to an equal hand."""
        against = [w.settles for w in self.book.wagers.values()]
        equal = {
            settling.qualified.equal.do
            for settling in against
            if isinstance(settling, VersusDealer)
            and list(self._flat("", settling.qualified.higher))
        }
        return equal == {"pay"}

    def _versus(self, title: str, settles: VersusDealer) -> Iterator[PayTable]:
        won, lost = settles.qualified.higher, settles.qualified.lower
        always = lost.do == "pay" and lost.paytable == won.paytable and lost.stake_stays
        if won.do == "pay" and not self._is_flat(won):
            table = self.rules.paytable(won.paytable)
            hand = settles.hand if _gives_back(won) else ""
            rows = list(self._rows(table, pushes_below=hand))
            if hand and not any(_pushes(line.pays) for line in table.lines):
                assert won.otherwise is not None
                below = f"less than {lowest_paid(table, self.book, hand)}"
                cell = Cell("push unless beaten" if always else "push", won.otherwise.clause)
                rows.append(PayRow(sentence(below), (cell,)))
            on = "the player's hand when it beats the dealer's"
            if always:
                on = "the player's hand, whatever the dealer has"
            yield self._made(title, paytable=self._id(won.paytable), on=on, rows=rows)
        if lost.do == "pay" and not always:
            family = lost.paytable
            on = f"the player's hand when the dealer's beats it; part of the {title} wager"
            notes = () if lost.stake_stays else (f"The {title} wager itself is collected.",)
            yield self._one(family.replace("_", " ").title(), family, on, notes=notes)

    def _id(self, family: str) -> str:
        chosen = self.rules.chosen.get(family, "")
        return "" if chosen == "only" else chosen

    def _one(self, title: str, family: str, on: str, notes: Sequence[str] = ()) -> PayTable:
        rows = self._rows(self.rules.paytable(family))
        return self._made(title, paytable=self._id(family), on=on, rows=rows, notes=notes)

    def _own(self, name: str, title: str, settles: VersusPaytable) -> PayTable:
        table = self.rules.paytable(settles.paytable)
        rows = [*self._rows(table), *self._returned(settles.returns, table)]
        notes = list(self._stake_notes(name, table))
        on = cards_of(self.book.hands[settles.hand], self.book)
        paytable = self._id(settles.paytable)
        return self._made(title, paytable=paytable, on=on, rows=rows, notes=notes)

    def _bonuses(self) -> Iterator[PayTable]:
        """Yield what is paid besides a wager, whatever its result."""
        for bonus in self.book.bonuses.values():
            cards = cards_of(self.book.hands[bonus.hand], self.book)
            on = f"{cards}, whatever the dealer has; part of the {self.book.wagers[bonus.on].title}"
            yield self._one(bonus.title, bonus.paytable, on)

    def _rows(self, table: Paytable, *, pushes_below: str = "") -> Iterator[PayRow]:
        """`pushes_below`: hands below the lowest paying line push under this hand."""
        for line in table.lines:
            hand = called(line.hand, self.book)
            if pushes_below and _pushes(line.pays):
                # Whatever the line is called: MD-05.
                hand = f"less than {lowest_paid(table, self.book, pushes_below)}"
            elif len(line.covers) > 1:
                hand = joined([called(cover, self.book) for cover in line.covers], "or")
            yield PayRow(sentence(hand), (Cell(self._says(line.pays), line.clause),))

    def _returned(self, returns: Iterable[str], table: Paytable) -> Iterator[PayRow]:
        for hand in returns:
            words = f"{called(hand, self.book)} not named above"
            yield PayRow(sentence(words), (Cell("push", table.clause),))

    def _stake_notes(self, name: str, table: Paytable) -> Iterator[str]:
        """Yield what happens to the stake if the odds alone do not say it."""
        kinds = {type(parse_pays(line.pays)) for line in table.lines}
        if stakes := self.rules.stakes.get(name):
            yield f"The wager is {joined([dollars(stake) for stake in stakes], 'or')}."
        if For in kinds and self.layout.odds == "as_printed":
            yield "Odds worded “for” include the wager: it is not returned in addition."
        if self.book.wagers[name].taken_before_deal and kinds & {MeterShare, Fixed}:
            awards = [word for award, word in _AWARDS if award in kinds]
            yield f"Where {joined(awards, 'or')} is paid, the wager itself is not returned."

    def _by_count(self, title: str, settles: HighestHand) -> PayTable:
        """Return one column for each number of hands, most hands first."""
        tables = self.book.paytables[settles.paytable]
        counts = sorted(tables, key=int, reverse=True)
        hands = dict.fromkeys(line.hand for count in counts for line in tables[count].lines)
        rows = []
        for hand in hands:
            lines_found = [
                next((x for x in tables[n].lines if x.hand == hand), None) for n in counts
            ]
            cells = [Cell(self._says(x.pays), x.clause) if x else Cell("", "") for x in lines_found]
            rows.append(PayRow(sentence(called(hand, self.book)), tuple(cells)))
        for hand in settles.returns:
            cell = Cell("push", tables[counts[0]].clause)
            rows.append(PayRow(sentence(called(hand, self.book)), (cell,) * len(counts)))
        with_dealer = "the dealer's included" if self.book.dealer else "of all players"
        on = f"the highest hand at the table, {with_dealer}; columns: hands in the round"
        return self._made(title, on=on, columns=counts, rows=rows)

    def _progressive(self) -> Iterator[PayTable]:
        """Yield the reset amounts of the meters, and what other players receive."""
        name = progressive_wager(self.book)
        if name is None or name not in self.rules.offered:
            return
        settles = self.book.wagers[name].settles
        assert isinstance(settles, VersusPaytable)
        seeds = self.rules.paytable(settles.paytable).meters
        title = self.book.wagers[name].title
        rows = [
            PayRow(sentence(_meter(meter)), (Cell(dollars(cents), seed.clause),))
            for meter, seed in seeds.items()
            if (cents := self.rules.resets[meter]) > 0
        ]
        if rows:
            yield self._made(f"{title} meters", on="reset after a full payout to", rows=rows)
        yield from self._envy(self.rules.chosen[settles.paytable])

    def _envy(self, letter: str) -> Iterator[PayTable]:
        envy = self.book.envy
        if envy is None:
            return
        stakes = self.rules.stakes.get(envy.on, ())
        columns: dict[str, dict[str, Cell]] = {}
        for stake, family in envy.tables.items():
            table = self.book.paytables[family].get(letter)
            if table is None or (stake != "any" and stakes and int(stake) * 100 not in stakes):
                continue
            cents = max(stakes, default=100) if stake == "any" else int(stake) * 100
            times = cents // 100 if envy.per_dollar else 1
            title = f"{dollars(cents)} wager" if stakes or stake != "any" else ""
            columns[title] = {
                line.hand: Cell(_times(line.pays, times), line.clause) for line in table.lines
            }
        if not columns:
            return
        hands = dict.fromkeys(hand for column in columns.values() for hand in column)
        rows = [
            PayRow(
                sentence(called(hand, self.book)),
                tuple(column.get(hand, Cell("", "")) for column in columns.values()),
            )
            for hand in hands
        ]
        on = cards_of(self.book.hands[envy.hand], self.book, "another player's")
        holder = self.rules.options.get("envy_holder_must_bet")
        title = self.book.wagers[envy.on].title
        notes = [f"The holder of the hand must have bet the {title}."] if holder else []
        yield self._made("Envy Bonus", on=on, columns=list(columns), rows=rows, notes=notes)


def _together(tables: Iterable[PayTable]) -> Iterator[PayTable]:
    """Group wagers that are paid alike."""
    alike: dict[PayTable, list[str]] = {}
    for table in tables:
        alike.setdefault(msgspec.structs.replace(table, title=""), []).append(table.title)
    for table, titles in alike.items():
        yield msgspec.structs.replace(table, title=joined(titles))


def _meter(name: str) -> str:
    """Return a meter's name for players; a single meter is "the meter"."""
    return "the meter" if name == "main" else name.replace("_", " ").capitalize()


_AWARDS: Final = ((MeterShare, "a meter"), (Fixed, "a fixed sum"))


def _times(pays: str, times: int) -> str:
    paid = parse_pays(pays)
    return str(Fixed(paid.cents * times) if isinstance(paid, Fixed) else paid)


def _gives_back(outcome: Outcome) -> bool:
    return outcome.otherwise is not None and outcome.otherwise.do == "return"


def _pushes(pays: str) -> bool:
    return isinstance(parse_pays(pays), Push)


# -- the felt -------------------------------------------------------------------------------------


def _spots(rules: Rules, layout: Layout) -> Iterator[FeltSpot]:
    """Return the spots of the wagers on offer and of the mandatory ones, from the dealer down, left
    to right."""
    placed = sorted(layout.spots.items(), key=lambda item: (item[1].row, item[1].across))
    for name, spot in placed:
        wager = rules.book.wagers[name]
        if wager.role != "optional" or name in rules.offered or spot.always:
            yield FeltSpot(
                name,
                wager.title,
                wager.role,
                spot.row,
                spot.across,
                spot.symbol,
                spot.clause,
                spot.device_clause,
            )


_AREA_WORDS: Final = {
    "community": "Community cards",
    "dealer": "Dealer's cards",
    "box": "Bonus cards",
    "third_card": "3rd card",
    "name": "Name or logo of the operator",
    "chips": "Chip tray",
    "drop": "Drop box",
    "tips": "Tip box",
    "discards": "Discard rack",
}


def _areas(rules: Rules, layout: Layout) -> Iterator[FeltArea]:
    cards = rules.book.cards
    count = {"community": cards.community, "dealer": cards.dealer, "box": cards.box}
    count["third_card"] = 1
    for area in layout.areas:
        if not area.needs_wager or _on_offer(rules, area):
            words, held = _AREA_WORDS[area.holds], count.get(area.holds, 0)
            yield FeltArea(area.holds, words, held, area.row, area.across, area.each, area.clause)


def _on_offer(rules: Rules, area: Area) -> bool:
    wager = rules.book.wagers[area.needs_wager]
    return wager.role != "optional" or area.needs_wager in rules.offered


def _inscriptions(layout: Layout, notices: Iterable[Notice]) -> Iterator[Notice]:
    """The rules told on the felt. Felt outlives a submission: a limit in force is referred to where
    the document allows that; where none is, nothing is said of it."""
    for notice in notices:
        if notice.kind in ("table_limits", "clock", "electronic"):
            continue
        if notice.kind == "payout_limit" and layout.limit_may_be_posted:
            if notice.asked_by and notice.rule:
                words = "This game is subject to the posted payout limit"
                yield msgspec.structs.replace(notice, words=words)
            continue
        yield notice


def _missing(layout: Layout, notices: Iterable[Notice], operator: str) -> Iterator[Notice]:
    name = next((area for area in layout.areas if area.holds == "name"), None)
    if name is not None and name.clause and not operator:
        words = "The submission does not name the operator, whose name or logo is to be shown"
        yield Notice("missing", words, name.clause, name.clause)
    for notice in notices:
        if notice.kind == "payout_limit" and not notice.rule and not layout.limit_may_be_posted:
            words = "The submission states no payout limit, which is to be shown"
            yield Notice("missing", words, notice.asked_by, notice.asked_by)


def clauses_shown(sign: Sign) -> set[str]:
    """Every clause that something on the sign or the felt answers."""
    shown = {sign.layout_clause, sign.sign_clause, sign.odds_worded_by, sign.positions_clause}
    shown |= {notice.asked_by for notice in (*sign.notices, *sign.inscriptions)}
    shown |= {notice.rule for notice in sign.notices}
    shown |= {cell.clause for table in sign.paytables for row in table.rows for cell in row.cells}
    shown |= {table.asked_by for table in sign.paytables}
    shown |= {spot.clause for spot in sign.spots} | {spot.device_clause for spot in sign.spots}
    shown |= {area.clause for area in sign.areas}
    return shown - {""}
