"""The next steps with the decks: who does them, by which clause, and what they block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.deck_care.devices import (
    can_machine_shuffle,
    decks_allowed,
    machine_counts,
    usable_ways,
)
from croupier.deck_care.state import (
    OPENING,
    Care,
    Deck,
    DifferingCount,
    TableWithDecks,
    with_ages_at,
)
from croupier.rounds.dealing import deal_order
from croupier.rounds.declaration import CREW, DEALER, FLOOR, Role
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.decks import deck_size
from croupier.rulebooks.duties import DeckStep
from croupier.rulebooks.equipment import AUTOMATED, dealing_name, needs_shuffler
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import CareRules

Blocks: TypeAlias = Literal["round", "settlement", ""]


class NextStep(msgspec.Struct, frozen=True):
    """A step to do now: `words` is the prompt, `blocks` what cannot continue before it is done."""

    name: DeckStep
    by: tuple[Role, ...]
    clause: str
    words: str
    back: str = ""
    blocks: Blocks = "round"
    device: str = ""


_OPENED_BY: Final[dict[str, tuple[Role, ...]]] = {"verify": FLOOR, "view": ("dealer", "player")}


def next_steps(table: TableWithDecks, rules: Rules, at: int) -> tuple[NextStep, ...]:
    """Return the steps to do now, in order; none if the care of the decks is not checked."""
    book = rules.book.care
    if table.care is None or book is None or not table.is_open:
        return ()
    care = with_ages_at(table.care, at)
    of_decks = _of_decks(care, rules, book)
    return (*_of_stub(table, rules, book), *_of_devices(care, rules, book), *of_decks)


def blocking_step(table: TableWithDecks, rules: Rules, at: int, command: Blocks) -> NextStep | None:
    """Return the first step that blocks a round, or a settlement."""
    return next((step for step in next_steps(table, rules, at) if step.blocks == command), None)


def expired_by(deck: Deck, rules: Rules) -> str:
    """Return the clause that limits a deck's hours if this deck is too old; otherwise an empty
    string."""
    book = rules.book.care
    life = book.life.get(dealing_name(rules)) if book is not None else None
    return life.clause if life is not None and deck.age >= life.hours * 3600 else ""


def stub_expected(state: Round, rules: Rules, count: int | None = None) -> int | None:
    """Return how many cards a complete stub holds; None while cards are still to be dealt, and once
    a seat is settled.

    The stub lacks the cards dealt, those set aside, and the surplus cards of a void hand or the
    box. If such a number is unknown, a `count` of the stub within the possible range is accepted.
    """
    if state.phase not in ("deciding", "revealing", "showdown", "settling"):
        return None
    if any(seat.settled for seat in state.seats):
        return None
    seats = tuple(seat.number for seat in state.seats)
    steps = flow_of(rules).steps
    to_come = [s.reveal.name for s in steps[state.step :] if not isinstance(s, Ask)]
    out = [d.count for d in deal_order(rules, seats)]
    for reveal in rules.book.reveals:
        dealt = [d.count for d in deal_order(rules, seats, reveal.name)]
        if dealt and reveal.name in to_come:
            return None
        out += dealt
    expected = deck_size(rules.book) - sum(out) - len(state.set_aside) - state.extra
    if count is not None and expected - state.untold <= count <= expected + state.untold:
        return count
    return expected


def _of_stub(table: TableWithDecks, rules: Rules, book: CareRules) -> Iterator[NextStep]:
    care = table.care
    stub = book.stub.get(dealing_name(rules))
    if care is None or stub is None or care.counted or care.in_play is None:
        return
    differing = care.in_play.differing
    is_due = care.uncounted + 1 >= stub.every and not machine_counts(care, rules)
    if differing is None and (not is_due or table.round.void_by):
        return
    if stub_expected(table.round, rules) is not None:
        words = f"{stub.words} At least once every {stub.every} rounds."
        if differing is not None:
            words = f"{_not_right(differing)} Only a second count that differs has effects."
        yield NextStep(
            "count_stub", DEALER, stub.clause, words, care.in_play.back, blocks="settlement"
        )


def _not_right(counted: DifferingCount) -> str:
    return f"{counted.by} counted {counted.count} cards, which is not right: count again."


def _of_devices(care: Care, rules: Rules, book: CareRules) -> Iterator[NextStep]:
    for device, status in care.devices.items():
        if status == "failed" and book.out_of_order is not None:
            step = book.out_of_order
            words = f"The {device}: {step.words}"
            yield NextStep("mark", CREW, step.clause, words, device=device)
    clause = needs_shuffler(rules) if not can_machine_shuffle(care, rules) else ""
    if dealing_name(rules) == AUTOMATED and "shoe" in care.devices:
        clause = book.out_of_order.clause if book.out_of_order is not None else ""
        clause = clause or rules.book.dealing[AUTOMATED].clause
    if clause:
        ways = " or ".join(rules.book.dealing[way].title for way in usable_ways(care, rules))
        words = f"Deal by another method ({ways}), or have the device repaired."
        yield NextStep("change_dealing", FLOOR, clause, words)


def _of_decks(care: Care, rules: Rules, book: CareRules) -> Iterator[NextStep]:
    allowed = decks_allowed(care, rules)
    if care.idle:
        yield NextStep("lay_out", DEALER, book.idle.clause, book.idle.words)
        return
    if len(care.decks) < allowed:
        blocks: Blocks = "" if care.decks else "round"
        yield NextStep("receive", CREW, book.receive.clause, book.receive.words, blocks=blocks)
    coming = care.next_deck
    for deck in sorted(care.decks, key=lambda deck: deck is not coming):
        if deck.stage == "in_play":
            continue
        if len(care.decks) > allowed:
            # Without a shuffler one of the two decks must be removed first.
            if deck is not coming:
                words = f"Two decks are used with a shuffler only. {book.remove.words}"
                yield _step("remove", deck, rules.book.decks_clause, words, by=CREW)
            continue
        step = step_of_deck(deck, care, rules, book)
        if step is not None:
            yield step


def _step(
    name: DeckStep,
    deck: Deck,
    clause: str,
    words: str,
    *,
    by: tuple[Role, ...] = DEALER,
    blocks: Blocks = "round",
) -> NextStep:
    return NextStep(name, by, clause, f"The {deck.back} deck: {words}", deck.back, blocks)


def step_of_deck(deck: Deck, care: Care, rules: Rules, book: CareRules) -> NextStep | None:
    """Return the step that this deck waits for."""
    if deck.stage == "condemned":
        return _step("remove", deck, deck.condemned_by, book.remove.words, by=CREW)
    too_old = expired_by(deck, rules)
    if too_old:
        hours = book.life[dealing_name(rules)].hours
        words = f"It is changed at least every {hours} hours. {book.remove.words}"
        return _step("remove", deck, too_old, words, by=CREW)
    if deck.stage in OPENING:
        name = OPENING[deck.stage][0]
        step = book.opening[name]
        by = _OPENED_BY.get(name, DEALER)
        return _step(name, deck, step.clause, step.words, by=by)
    two, is_next = len(care.decks) == 2, deck is care.next_deck
    if not can_machine_shuffle(care, rules) and needs_shuffler(rules):
        return None  # first choose another way of dealing
    if two and deck.place != "machine" and not (is_next and deck.stage in ("shuffled", "ready")):
        return _step("load", deck, book.load.clause, book.load.words)
    if deck.stage in ("stacked", "used"):
        clause = book.again_clause if deck.stage == "used" else book.shuffle.clause
        # The shuffler may still shuffle one deck while the other is played.
        waits: Blocks = "" if two and not is_next else "round"
        words = book.shuffle.words if deck.differing is None else _not_right(deck.differing)
        return _step("shuffle", deck, clause, words, blocks=waits)
    if deck.stage == "shuffled":
        return _step("cut", deck, book.cut.clause, book.cut.words)
    return None
