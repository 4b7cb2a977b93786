"""The felt of a game: the layout of its rulebook, or a plain one if the rulebook has none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from croupier.rulebooks.schema import Area, Layout, NoticeKind, Rulebook, Spot, VersusDealer

_ROWS = 6
_WIDEST = 1.5
"""The farthest that a spot may be from the middle: a position has room for four side by side."""


def layout_of(book: Rulebook) -> Layout:
    return book.layout if book.layout is not None else _plain(book)


def _plain(book: Rulebook) -> Layout:
    """Return a plain layout: optional wagers nearest the dealer, then the required ones, then those
    decided in play."""
    rows: list[list[str]] = []
    for role in ("optional", "required", "decided"):
        names = [name for name, wager in book.wagers.items() if wager.role == role]
        rows += [names[at : at + 3] for at in range(0, len(names), 3)]
    spots = {
        name: Spot(row=row, across=at - (len(names) - 1) / 2, clause=book.wagers[name].clause)
        for row, names in enumerate(rows, 1)
        for at, name in enumerate(names)
    }
    areas = [Area(holds="chips", row=0), Area(holds="name", row=3)]
    if book.cards.community:
        areas.append(Area(holds="community", row=1, clause=book.cards.clause))
    if book.cards.dealer:
        areas.append(Area(holds="dealer", row=2, clause=book.cards.clause))
    if book.cards.box:
        clause = book.cards.box_clause or book.cards.clause
        areas.append(Area(holds="box", row=2, across=4.5, clause=clause))
    return Layout(spots=spots, areas=tuple(areas))


def notice_kinds(book: Rulebook) -> Iterator[NoticeKind]:
    """Yield the rules of this game that a sign can state."""
    against = [w.settles for w in book.wagers.values() if isinstance(w.settles, VersusDealer)]
    if book.dealer is not None and (book.dealer.at_least != "high_card" or book.dealer.of):
        yield "qualifies"
    if any(each.unqualified and each.unqualified.higher.do == "return" for each in against):
        yield "unqualified_push"
    if any(pays_anyway(each) for each in against):
        yield "unqualified_win"
    if any(_returns(each) for each in against):
        yield "win_push"
    if book.decisions:
        yield "multiples"
    if book.payout_limits:
        yield "payout_limit"


def pays_anyway(settles: VersusDealer) -> bool:
    """Return whether a dealer who does not qualify loses even to a lower hand."""
    showdown = settles.unqualified
    return showdown is not None and showdown.higher.do == showdown.lower.do == "pay"


def _returns(settles: VersusDealer) -> bool:
    """Return whether a winning hand below the paytable's last line gets the stake back."""
    otherwise = settles.qualified.higher.otherwise
    return otherwise is not None and otherwise.do == "return"


def layout_problems(book: Rulebook) -> Iterator[str]:
    """Yield what cannot be drawn or is missing on the felt."""
    layout = book.layout
    if layout is None:
        return
    for name in book.wagers:
        if name not in layout.spots:
            yield f"at layout.spots: {name!r} has no spot, so nobody could bet it"
    for name, spot in layout.spots.items():
        if not 1 <= spot.row <= _ROWS or not abs(spot.across) <= _WIDEST:
            yield (
                f"at layout.spots.{name}: rows are 1 to {_ROWS}, and a spot stands at most "
                f"{_WIDEST} from the middle"
            )
    yield from _apart(layout)
    yield from _areas(book, layout)
    for notice in layout.notices:
        if notice not in notice_kinds(book):
            yield f"at layout.notices: this game has nothing to state under {notice!r}"
    if layout.odds != "as_printed" and not layout.odds_words_clause:
        yield "at layout.odds_words_clause: odds are reworded only where a clause says so"


def _apart(layout: Layout) -> Iterator[str]:
    rows: dict[int, list[tuple[float, str]]] = {}
    for name, spot in layout.spots.items():
        rows.setdefault(spot.row, []).append((spot.across, name))
    for row in rows.values():
        row.sort()
        for (left, name), (right, right_name) in pairwise(row):
            if right - left < 1:
                yield f"at layout.spots.{right_name}: it overlaps the spot of {name!r}"
        _, last = row[-1]
        if layout.spots[last].symbol:
            yield f"at layout.spots.{last}.symbol: there is no spot to its right"


def _areas(book: Rulebook, layout: Layout) -> Iterator[str]:
    held = [area.holds for area in layout.areas]
    for number, area in enumerate(layout.areas):
        if held.index(area.holds) != number:
            yield f"at layout.areas[{number}]: {area.holds!r} has its place already"
        if not 0 <= area.row <= _ROWS or not abs(area.across) <= 12:
            yield f"at layout.areas[{number}]: rows are 0 to {_ROWS}, cards 12 to either side"
        if area.each and area.holds != "third_card":
            yield f"at layout.areas[{number}].each: only 'third_card' is at every position"
        if area.holds == "third_card" and not (area.each and book.cards.player >= 3):
            yield f"at layout.areas[{number}]: 'third_card' is for each player's third card"
        if area.holds in {"community", "dealer", "box"} and not getattr(book.cards, area.holds):
            yield f"at layout.areas[{number}]: no card is dealt to {area.holds!r}"
    for place in ("community", "dealer"):
        if getattr(book.cards, place) and place not in held:
            yield f"at layout.areas: cards are dealt to {place!r}, which has no place"
