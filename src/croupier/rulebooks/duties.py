"""The duties of a document: what each person at or around a table has to do, in our words.

`duties.tsv` of a document has one row for each duty: the clause, the person, the step at which it
is done and the screen on which that person sees it, who else confirms it and who sees it. A duty
can depend on the way of dealing (`manual_shoe`, or `automated_shoe/dealer_last` for one order), on
the table's equipment, and on a wager. `kind` names the irregularities that require it. If a step
happens several times, `at` is the question or the reveal, `new` or `used` for the shuffle of a
deck, `progressive` or `envy` for the award that is paid. A rulebook file of your own lists its
dealer's duties in `[[guide]]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from croupier.errors import BadData
from croupier.rulebooks.bundled import DOCUMENTS, read_bundled
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.equipment import Need, dealing_name, has, order_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Guidance, HighestHand, Irregularity, Rulebook, Wager

Role: TypeAlias = Literal["dealer", "floorperson", "operator", "player", "commission"]
RoundStep: TypeAlias = Literal[
    "open_betting",
    "bet",
    "close_bets",
    "count_chips",
    "deal",
    "ask",
    "fold",
    "reveal",
    "show_dealer",
    "enter_cards",
    "settle",
    "validate",
    "award",
    "collect",
]
DeckStep: TypeAlias = Literal[
    "receive",
    "inspect",
    "verify",
    "spread",
    "view",
    "turn",
    "wash",
    "stack",
    "load",
    "shuffle",
    "cut",
    "remove",
    "lay_out",
    "count_stub",
    "mark",
    "change_dealing",
]
HouseStep: TypeAlias = Literal[
    "open_table",
    "float",
    "approvals",
    "felt",
    "sign",
    "meters",
    "limits",
    "close_table",
    "order_shuffle",
    "order_recut",
    "rule_abandoned",
    "report",
    "correct",
    "answer_call",
    "fill",
    "confirm",
]
Step: TypeAlias = Literal[RoundStep, DeckStep, HouseStep]
Screen: TypeAlias = Literal[
    "table",
    "dealer_console",
    "deck_board",
    "floor",
    "open_a_table",
    "approvals",
    "felt",
    "sign",
    "progressive_controller",
]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
"""Every step of the work at a table and around it."""
SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)


class Duty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's duty. `second` also confirms it; `sees` says who must see it."""

    clause: str
    role: Role
    step: Step
    at: str = ""
    screen: Screen
    dealing: tuple[str, ...] = ()
    """Ways of dealing, or `way/order`; empty: any."""
    needs: tuple[Need, ...] = ()
    wager: str = ""
    kind: tuple[str, ...] = ()
    """The irregularities, or the answers (`bet`, `check`), it belongs to; empty: any."""
    second: str = ""
    sees: str = ""
    words: str
    unless: tuple[str, ...] = ()
    """Wagers that keep folded cards on the table: without any of them the cards are racked."""


@cache
def all_duties(document: str) -> tuple[Duty, ...]:
    """Return every duty of a document, in its order, whatever equipment a table has."""
    source = f"{document}/duties.tsv"
    head, *lines = read_bundled(document, "duties.tsv").splitlines()
    names = head.split("\t")
    duties: list[Duty] = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(names):
            raise BadData(f"{source}, line {number}: {len(cells)} cells, but {len(names)} columns")
        row: dict[str, object] = dict(zip(names, cells, strict=True))
        row |= {name: str(row[name]).split() for name in ("dealing", "needs", "kind")}
        duties.append(into_form(row, Duty, f"{source}, line {number}"))
    return tuple(duties)


def duties_of(
    rules: Rules,
    *,
    role: str | None = None,
    step: str | None = None,
    screen: str | None = None,
    at: str | None = None,
) -> tuple[Duty, ...]:
    """Return the duties at a table under these rules, for its way of dealing, its devices and the
    wagers on offer. `at`: those of this question, reveal or award, and those of every one."""
    return tuple(
        duty
        for duty in (_in_force(rules) if step is None else _in_force(rules).at_step(step))
        if role in (None, duty.role)
        and screen in (None, duty.screen)
        and (at is None or duty.at in ("", at))
    )


def duties_when_opening(rules: Rules) -> tuple[Duty, ...]:
    """Return the duties on the page on which a table is opened. Those with the decks are on the
    deck board."""
    return tuple(
        duty
        for duty in _in_force(rules)
        if duty.role in ("operator", "commission") and duty.screen != "deck_board"
    )


def keeps_folded_cards(rules: Rules) -> tuple[str, ...]:
    """Return the wagers on offer that are still settled after a fold and need the cards for it."""
    return tuple(
        name
        for name, wager in rules.book.wagers.items()
        if name in rules.offered and wager.after_fold == "stands" and _on_cards(wager, rules.book)
    )


def _on_cards(wager: Wager, book: Rulebook) -> bool:
    """Return whether a wager is settled on a player's cards."""
    hand = getattr(wager.settles, "hand", "")
    return isinstance(wager.settles, HighestHand) or any(
        place.startswith("player") for place in (book.hands[hand].cards if hand else ())
    )


# -- in force -------------------------------------------------------------------------------------


class _Duties:
    """The duties under one set of rules, memoized with them."""

    def __init__(self, duties: Iterable[Duty]) -> None:
        self._all = tuple(duties)
        self._at_step: dict[str, list[Duty]] = {}
        for duty in self._all:
            self._at_step.setdefault(duty.step, []).append(duty)

    def __iter__(self) -> Iterator[Duty]:
        return iter(self._all)

    def at_step(self, step: str) -> Sequence[Duty]:
        return self._at_step.get(step, ())


def _in_force(rules: Rules) -> _Duties:
    return rules.once(_Duties, lambda rules: _Duties(_applying(rules)))


def _applying(rules: Rules) -> Iterator[Duty]:
    way = dealing_name(rules)
    ways = {way, f"{way}/{order_name(rules)}"}
    for duty in _known(rules.book):
        if duty.dealing and not ways & set(duty.dealing):
            continue
        if duty.wager and duty.wager not in rules.offered:
            continue
        if not all(has(rules, need) for need in duty.needs):
            continue
        is_of_accident = duty.kind and duty.step != "ask"
        if is_of_accident and not any(_can_happen(accident, rules, way) for accident in duty.kind):
            continue
        yield _spoken(duty, rules)


def _known(book: Rulebook) -> tuple[Duty, ...]:
    """Return the guide of a file that guides its own dealer, or else the document's duties."""
    if book.guide or book.id not in DOCUMENTS:
        return tuple(_guided(guide) for guide in book.guide)
    return all_duties(book.id)


_STEP_OF_GUIDE: Final[Mapping[str, Step]] = {
    "betting": "close_bets",
    "count": "count_chips",
    "deal": "deal",
    "ask": "ask",
    "fold": "fold",
    "reveal": "reveal",
    "show": "show_dealer",
    "settle": "settle",
    "validate": "validate",
    "collect": "collect",
}


def _guided(guide: Guidance) -> Duty:
    return Duty(
        clause=guide.clause,
        role="dealer",
        step=_STEP_OF_GUIDE[guide.at],
        screen="dealer_console",
        dealing=(guide.dealing,) if guide.dealing else (),
        wager=guide.needs_wager,
        words=" ".join(guide.words.split()),
    )


def _can_happen(name: str, rules: Rules, way: str) -> bool:
    accident: Irregularity | None = rules.book.irregularities.get(name)
    if accident is None or (accident.dealt_by and way not in accident.dealt_by):
        return False
    if accident.orders and order_name(rules) not in accident.orders:
        return False
    return all(has(rules, need) for need in accident.needs)


_KEPT: Final = "{kept}"
"""In a duty's words: the wagers on offer that keep folded cards on the table."""


def in_general(duty: Duty) -> str:
    """Return the words of a duty without reference to a table."""
    return duty.words.replace(_KEPT, "wager that needs them")


def _spoken(duty: Duty, rules: Rules) -> Duty:
    if _KEPT not in duty.words:
        return duty
    names = keeps_folded_cards(rules)
    titles = [rules.book.wagers[name].title for name in names]
    kept = " or ".join(filter(None, (", ".join(titles[:-1]), *titles[-1:]))) or "other bet"
    words = duty.words.replace(_KEPT, kept)
    return msgspec.structs.replace(duty, words=words, unless=names)
