"""Decide commands about the decks: each step in its order, by the role that the document names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from croupier.deck_care import commands as ask
from croupier.deck_care import events as did
from croupier.deck_care.devices import (
    can_machine_shuffle,
    decks_allowed,
    machine_counts,
    usable_ways,
)
from croupier.deck_care.next_steps import (
    NextStep,
    blocking_step,
    expired_by,
    next_steps,
    step_of_deck,
    stub_expected,
)
from croupier.deck_care.state import OPENED, Care, Deck, TableWithDecks, with_ages_at
from croupier.errors import Refusal, plain, shown, suggest
from croupier.rounds import commands as round_commands
from croupier.rounds.declaration import Actor, wrong_role
from croupier.rounds.irregularities import report
from croupier.rulebooks.decks import deck_size
from croupier.rulebooks.equipment import AUTOMATED, dealing_name, has_shuffler, needs_shuffler
from croupier.rulebooks.rules import Rules, rules_for
from croupier.rulebooks.schema import CareRules

Events = tuple[Any, ...]


class _Context(NamedTuple):
    """The inputs of a decision. In `care` the decks have their age at the time `at`."""

    table: TableWithDecks
    care: Care
    rules: Rules
    book: CareRules
    by: str
    role: str
    at: int

    def signed(self, clause: str) -> dict[str, Any]:
        return {"by": self.by, "at": self.at, "clause": clause}


def decide_care(
    table: TableWithDecks, command: ask.CareCommand, actor: Actor, rules: Rules, at: int
) -> Events:
    """Return the events of a step that is due. Any other step is refused, naming what must come
    first."""
    if table.care is None or rules.book.care is None:
        raise Refusal("the cards of this table are not kept by the software", code="care_not_kept")
    context = _Context(
        table, with_ages_at(table.care, at), rules, rules.book.care, actor.name, actor.role, at
    )
    return _ANSWERS[type(command)](context, command)


def check_round(table: TableWithDecks, command: object, rules: Rules, at: int) -> None:
    """Refuse a round from a deck that is not ready, and settlement before a count that is due."""
    if table.care is None:
        return
    step = None
    if isinstance(command, round_commands.OpenBetting | round_commands.Deal):
        step = blocking_step(table, rules, at, "round")
    elif isinstance(command, round_commands.Settle):
        step = blocking_step(table, rules, at, "settlement")
    if step is not None:
        raise _first(step)


def deck_for_round(table: TableWithDecks, by: str, at: int, rules: Rules) -> Events:
    """Return the event that takes the next deck for a round."""
    book = rules.book.care
    if table.care is None or book is None:
        return ()
    deck = table.care.next_deck
    assert deck is not None, "no round without a deck"
    clause = book.alternate_clause if len(table.care.decks) == 2 else book.decks_clause
    return (did.DeckTaken(back=deck.back, by=by, at=at, clause=clause),)


def _first(step: NextStep) -> Refusal:
    return Refusal(f"first ({_roles(step.by)}): {step.words}", code="care_due", clause=step.clause)


def _roles(by: tuple[str, ...]) -> str:
    return " or ".join(role for role in by if role != "operator")


def _refuse(command: str, code: str, clause: str = "") -> Refusal:
    return Refusal(command, code=code, clause=clause or None)


def _deck(context: _Context, back: str, wanted: str) -> Deck:
    """Return the named deck, or the deck that waits for this step."""
    if back:
        deck = context.care.deck(_name(back))
        if deck is None:
            raise suggest("deck at this table", back, [deck.back for deck in context.care.decks])
        return deck
    for step in next_steps(context.table, context.rules, context.at):
        there = context.care.deck(step.back)
        if step.name == wanted and there is not None:
            return there
    if not context.care.decks:
        raise _first(_due(context))
    return next(iter(_in_turn(context.care)))


def _in_turn(care: Care) -> list[Deck]:
    coming = care.next_deck
    return sorted(care.decks, key=lambda deck: (deck.stage == "in_play", deck is not coming))


def _due(context: _Context) -> NextStep:
    steps = next_steps(context.table, context.rules, context.at)
    assert steps, "a table without decks waits for one"
    return steps[0]


def _must_wait_for(context: _Context, deck: Deck, command: ask.CareCommand, name: str) -> NextStep:
    """Return the deck's next step if it is this one; otherwise refuse, naming the step the deck
    waits for."""
    if deck.stage == "in_play":
        raise _refuse(f"the {deck.back} deck is in play", "not_now", context.book.alternate_clause)
    if context.care.idle:
        raise _first(_due(context))
    step = step_of_deck(deck, context.care, context.rules, context.book)
    if step is None:
        due = next_steps(context.table, context.rules, context.at)
        if due and due[0].name in ("mark", "change_dealing"):
            raise _first(due[0])
        raise _refuse(f"the {deck.back} deck is ready: it waits for nothing", "already_done")
    if step.name != name:
        raise _first(step)
    if context.role not in step.by:
        raise wrong_role(context.role, command, step.by, step.clause)
    return step


def _name(back: str) -> str:
    return " ".join(back.split()).casefold()


def _receive(context: _Context, command: ask.ReceiveDeck) -> Events:
    book, back = context.book, _name(command.back)
    if not 1 <= len(back) <= 20 or not back.isprintable():
        raise _refuse("name the color of the deck's backs", "bad_deck", book.receive.clause)
    allowed = decks_allowed(context.care, context.rules)
    if len(context.care.decks) >= allowed:
        clause = context.rules.book.decks_clause if allowed == 1 else book.decks_clause
        raise _refuse(
            f"{allowed} deck{'s are' if allowed > 1 else ' is'} used at this table: take one away "
            "first",
            "too_many_decks",
            clause,
        )
    if context.care.deck(back) is not None:
        raise _refuse(
            f"a deck with {back} backs is here: the other has another color",
            "same_backs",
            book.backs_clause,
        )
    if command.cover_cards != book.cover_cards:
        covers = "one cover card" if book.cover_cards == 1 else f"{book.cover_cards} cover cards"
        raise _refuse(
            f"a deck comes with {covers}, not {shown(command.cover_cards)}",
            "bad_deck",
            book.cover_cards_clause,
        )
    if command.prepared and not book.prepared_clause:
        raise _refuse(
            "this document knows no decks that were inspected and shuffled before",
            "bad_deck",
            book.opening["inspect"].clause,
        )
    clause = book.prepared_clause if command.prepared else book.receive.clause
    return (
        did.DeckReceived(
            back=back,
            cover_cards=command.cover_cards,
            prepared=command.prepared,
            **context.signed(clause),
        ),
    )


def _handle(context: _Context, command: ask.HandleDeck) -> Events:
    deck = _deck(context, command.back, command.step)
    step = _must_wait_for(context, deck, command, command.step)
    if command.step == "verify":
        _check_verifier(context, deck, step)
    player = command.player
    if command.step == "view":
        if player is None or not context.table.is_seated(player):
            raise _refuse("name the seated player who saw the cards", "not_seated", step.clause)
    elif player is not None:
        raise _refuse(f"no player takes part in this ({command.step})", "bad_request", step.clause)
    return (
        did.DeckHandled(
            step=command.step, back=deck.back, player=player, **context.signed(step.clause)
        ),
    )


def _check_verifier(context: _Context, deck: Deck, step: NextStep) -> None:
    """Refuse a verifier who inspected the deck themselves, and any floorperson other than the one
    assigned to this table, if there is one (4.A). An operator may do what a floorperson may."""
    if context.by == deck.inspected_by:
        raise _refuse(
            f"{plain(context.by)} inspected the cards: somebody else verifies it",
            "not_yours",
            step.clause,
        )
    assigned = context.table.staff.get("floorperson")
    if context.role == "floorperson" and assigned and assigned != context.by:
        raise _refuse(
            f"only the floorperson assigned to this table verifies the inspection: that is "
            f"{plain(assigned)}, not {plain(context.by)}",
            "not_on_duty",
            step.clause,
        )


def _load(context: _Context, command: ask.LoadDeck) -> Events:
    if len(context.care.decks) == 1:
        raise _refuse(
            "one deck is not kept in the shuffler", "not_needed", context.book.load.clause
        )
    deck = _deck(context, command.back, "load")
    step = _must_wait_for(context, deck, command, "load")
    if not can_machine_shuffle(context.care, context.rules):
        raise _refuse("the shuffler is out of order", "out_of_order", step.clause)
    return (did.DeckLoaded(back=deck.back, **context.signed(step.clause)),)


def _shuffle(context: _Context, command: ask.ShuffleDeck) -> Events:
    deck = _deck(context, command.back, "shuffle")
    step = _must_wait_for(context, deck, command, "shuffle")
    if command.how == "hand":
        _by_hand(context, command, step)
    else:
        _by_device(context, command)
    size = deck_size(context.rules.book)
    is_wrong = command.count is not None and command.count != size
    if is_wrong and command.twice and deck.differing is None:
        return _counted_again(context, deck, command.count or 0, size, context.book.remove.clause)
    then = "condemned" if is_wrong else "ready" if command.how == "device" else "shuffled"
    shuffled = did.DeckShuffled(
        back=deck.back,
        how=command.how,
        count=command.count,
        then=then,  # type: ignore[arg-type]
        **context.signed(context.book.remove.clause if is_wrong else step.clause),
    )
    return (shuffled, *_counted_wrong(context, deck)) if is_wrong else (shuffled,)


def _counted_again(context: _Context, deck: Deck, count: int, expected: int, clause: str) -> Events:
    """Return the event that asks for a second count: a miscount must not void a round or condemn a
    deck."""
    signed = context.signed(clause)
    return (did.CountDiffers(back=deck.back, count=count, expected=expected, **signed),)


def _counted_wrong(context: _Context, deck: Deck) -> Events:
    is_coming = context.care.in_play is None and deck is context.care.next_deck
    irregularity = "shuffler_count_wrong" if is_coming else "other_deck_count_wrong"
    return _reported(context, irregularity)


def _reported(context: _Context, irregularity: str) -> Events:
    """Return the effects of a wrong count on the round, if the rulebook has a rule for it."""
    if irregularity not in context.rules.book.irregularities:
        return ()
    return report(
        context.table.round, round_commands.Report(irregularity), context.rules, context.by
    )


def _by_hand(context: _Context, command: ask.ShuffleDeck, step: NextStep) -> None:
    care, rules, out = context.care, context.rules, context.book.out_of_order
    if "shuffler" in care.devices and care.devices["shuffler"] == "failed" and out is not None:
        raise _refuse(f"first: {out.words}", "care_due", out.clause)
    if needs_shuffler(rules):
        raise _refuse(
            "cards that are dealt this way are shuffled by a machine",
            "needs_shuffler",
            needs_shuffler(rules),
        )
    if len(care.decks) == 2:
        raise _refuse(
            "two decks are shuffled by the machine", "needs_shuffler", context.book.load.clause
        )
    if command.count is not None:
        raise _refuse("only a shuffler counts while it shuffles", "bad_request", step.clause)


def _by_device(context: _Context, command: ask.ShuffleDeck) -> None:
    care, rules = context.care, context.rules
    if not has_shuffler(rules):
        raise _refuse(
            "this table has no shuffler by its terms", "no_device", rules.book.decks_clause
        )
    if not can_machine_shuffle(care, rules):
        out = context.book.out_of_order
        raise _refuse(
            "the shuffler is out of order", "out_of_order", out.clause if out is not None else ""
        )
    counts = machine_counts(care, rules)
    if counts and (command.count is None or not 0 <= command.count <= 2 * deck_size(rules.book)):
        raise _refuse("what does the shuffler's counter show?", "no_count", _counts(rules))
    if not counts and command.count is not None:
        raise _refuse("this shuffler does not count by its terms", "no_device", _counts(rules))


def _counts(rules: Rules) -> str:
    option = rules.book.options.get("shuffler_counts")
    return option.clause if option is not None else ""


def _cut(context: _Context, command: ask.CutDeck) -> Events:
    deck = _deck(context, command.back, "cut")
    step = _must_wait_for(context, deck, command, "cut")
    if command.depth is not None and not context.book.cut_least <= command.depth <= 51:
        raise _refuse(
            f"the cut is at least {context.book.cut_least} cards deep, not {shown(command.depth)}",
            "bad_cut",
            step.clause,
        )
    return (did.DeckCut(back=deck.back, depth=command.depth, **context.signed(step.clause)),)


def _reason(reason: str) -> None:
    if not reason.strip():
        raise _refuse("say why: the reason is written down with it", "no_reason")


def _order_shuffle(context: _Context, command: ask.OrderShuffle) -> Events:
    deck = _ordered(context, command, ("ready", "shuffled"), context.book.ordered_clause)
    signed = context.signed(context.book.ordered_clause)
    return (did.ShuffleOrdered(back=deck.back, reason=command.reason, **signed),)


def _order_recut(context: _Context, command: ask.OrderRecut) -> Events:
    deck = _ordered(context, command, ("ready",), context.book.recut_clause)
    if not deck.cut:
        raise _refuse(
            f"the {deck.back} deck was not cut by hand", "nothing_there", context.book.recut_clause
        )
    signed = context.signed(context.book.recut_clause)
    return (did.RecutOrdered(back=deck.back, reason=command.reason, **signed),)


def _ordered(
    context: _Context,
    command: ask.OrderShuffle | ask.OrderRecut,
    stages: tuple[str, ...],
    clause: str,
) -> Deck:
    _reason(command.reason)
    if command.back:
        deck: Deck | None = _deck(context, command.back, "")
    else:
        deck = context.care.in_play or context.care.next_deck
    if deck is not None and deck.stage == "in_play":
        raise _refuse("cards have been dealt from this deck: it is too late", "not_now", clause)
    if deck is None or deck.stage not in stages:
        raise _refuse("no deck is shuffled and waiting to be dealt", "not_now", clause)
    return deck


def _remove(context: _Context, command: ask.RemoveDeck) -> Events:
    deck = _deck(context, command.back, "remove")
    if deck.stage == "in_play":
        raise _refuse(
            f"a round is being played with the {deck.back} deck",
            "not_now",
            context.book.decks_clause,
        )
    steps = next_steps(context.table, context.rules, context.at)
    due = next((s for s in steps if (s.name, s.back) == ("remove", deck.back)), None)
    if due is None:
        _reason(command.reason)
    clause = due.clause if due is not None else context.book.remove.clause
    reason = command.reason or _why(deck, context)
    return (
        did.DeckRemoved(back=deck.back, reason=reason, after=deck.age, **context.signed(clause)),
    )


def _why(deck: Deck, context: _Context) -> str:
    if deck.stage == "condemned":
        return f"it does not hold {deck_size(context.rules.book)} cards"
    return (
        "its hours are over" if expired_by(deck, context.rules) else "one deck without a shuffler"
    )


def _lay_out(context: _Context, command: ask.LayOut) -> Events:
    clause = context.book.idle.clause
    if context.table.round.phase != "over":
        raise _refuse("a round is being played", "not_now", clause)
    turns = command.face_up and context.care.lies_face_down
    if not turns and not any(deck.stage in OPENED for deck in context.care.decks):
        raise _refuse("no deck is open that could be spread", "nothing_there", clause)
    if command.face_up != (command.player is not None):
        raise _refuse(
            "the cards are spread face up for the player who asks for it, else face down",
            "bad_request",
            clause,
        )
    return (
        did.CardsLaidOut(face_up=command.face_up, player=command.player, **context.signed(clause)),
    )


def _count_stub(context: _Context, command: ask.CountStub) -> Events:
    stub = context.book.stub.get(dealing_name(context.rules))
    expected = stub_expected(context.table.round, context.rules, command.count)
    if stub is None or expected is None or context.care.in_play is None or context.care.counted:
        clause = stub.clause if stub is not None else ""
        raise _refuse(
            "the stub is counted once, when all cards are out and nobody is settled yet",
            "not_now",
            clause,
        )
    if not 0 <= command.count <= 2 * deck_size(context.rules.book):
        raise _refuse(f"{shown(command.count)} is not a number of cards", "no_count", stub.clause)
    is_right = command.count == expected
    if is_right and command.misdealt:
        raise _refuse(
            "the count is right: report who has a wrong number of cards instead",
            "bad_request",
            stub.right_clause,
        )
    deck = context.care.in_play
    if not is_right and command.twice and deck.differing is None:
        return _counted_again(context, deck, command.count, expected, stub.wrong_clause)
    counted = did.StubCounted(
        count=command.count,
        expected=expected,
        misdealt=command.misdealt,
        **context.signed(stub.right_clause if is_right else stub.wrong_clause),
    )
    if is_right:
        return (counted,)
    irregularity = "stub_misdealt" if command.misdealt else "stub_wrong"
    return (counted, *_reported(context, irregularity))


def _devices(context: _Context) -> list[str]:
    shoe = AUTOMATED in (context.care.usual, dealing_name(context.rules))
    known = has_shuffler(context.rules) or "shuffler" in context.care.devices
    return [*(["shuffler"] if known else []), *(["shoe"] if shoe else [])]


def _known_device(context: _Context, device: str) -> str:
    """Return the clause for broken devices; refuse a device that the table does not have."""
    if device not in _devices(context):
        raise suggest("device at this table", device, _devices(context))
    return context.book.out_of_order.clause if context.book.out_of_order is not None else ""


def _malfunction(context: _Context, command: ask.ReportMalfunction) -> Events:
    clause = _known_device(context, command.device)
    if command.device in context.care.devices:
        raise _refuse(f"the {command.device} is out of order already", "already_done", clause)
    return (did.MalfunctionReported(device=command.device, **context.signed(clause)),)


def _mark(context: _Context, command: ask.MarkOutOfOrder) -> Events:
    clause = _known_device(context, command.device)
    if context.care.devices.get(command.device, "failed") != "failed":
        raise _refuse(f"the {command.device} is marked already", "already_done", clause)
    book = context.book
    by_way = book.covered_clause if command.how == "covered" else book.sign_clause
    return (
        did.DeviceMarked(
            device=command.device, how=command.how, **context.signed(by_way or clause)
        ),
    )


def _repair(context: _Context, command: ask.RepairDevice) -> Events:
    clause = _known_device(context, command.device)
    if command.device not in context.care.devices:
        raise _refuse(f"the {command.device} is not out of order", "already_done", clause)
    return (did.DeviceRepaired(device=command.device, **context.signed(clause)),)


def _change_dealing(context: _Context, command: ask.ChangeDealing) -> Events:
    table, care, rules, method = context.table, context.care, context.rules, command.method
    out = context.book.out_of_order
    clause = out.clause if out is not None else ""
    if table.round.phase != "over":
        raise _refuse("a round is being played", "not_now", clause)
    if method not in rules.book.dealing:
        raise suggest("way of dealing", method, rules.book.dealing)
    if method == dealing_name(rules):
        raise _refuse("the cards are dealt this way now", "already_done", clause)
    for device, status in care.devices.items():
        if status == "failed" and out is not None:
            raise _refuse(f"first: the {device}: {out.words}", "care_due", clause)
    if method not in usable_ways(care, rules):
        needs = rules.book.dealing[method].needs_shuffler_clause
        raise _refuse(
            "the device that this takes is out of order or not there", "out_of_order", needs
        )
    shoe_is_out = dealing_name(rules) == AUTOMATED and "shoe" in care.devices
    shuffler_is_out = bool(needs_shuffler(rules)) and "shuffler" in care.devices
    if not shoe_is_out and not shuffler_is_out and method != care.usual:
        raise _refuse(
            "another method is used when a device is out of order and marked so", "not_now", clause
        )
    submission, withdrawn = _terms(context, method)
    return (
        did.DealingChanged(
            method=method,
            submission=submission,
            usual_terms=care.usual_terms or table.submission,
            withdrawn=withdrawn,
            **context.signed(clause),
        ),
    )


def _terms(context: _Context, method: str) -> tuple[str, tuple[str, ...]]:
    """Return the terms with the other dealing method, and the wagers that are not possible with
    it."""
    table, care, book = context.table, context.care, context.rules.book
    if method == care.usual and care.usual_terms:
        return care.usual_terms, ()
    offered = set(context.rules.offered)
    bound = {name: book.wagers[name].dealt_by for name in offered if book.wagers[name].dealt_by}
    withdrawn = {name for name, ways in bound.items() if method not in ways}
    withdrawn |= {name for name in offered if withdrawn & set(book.wagers[name].needs)}
    terms = msgspec.json.decode(table.submission)
    options = {**terms.get("options", {}), "dealing": method}
    if options.get("deal_order") not in book.dealing[method].variants:
        options.pop("deal_order", None)
    terms |= {"options": options, "offered": sorted(offered - withdrawn)}
    submission = msgspec.json.encode(terms, order="sorted").decode()
    rules_for(table.rulebook, table.rulebook_text, submission)
    return submission, tuple(sorted(withdrawn))


_ANSWERS: dict[type, Callable[[_Context, Any], Events]] = {
    ask.ReceiveDeck: _receive,
    ask.HandleDeck: _handle,
    ask.LoadDeck: _load,
    ask.ShuffleDeck: _shuffle,
    ask.CutDeck: _cut,
    ask.OrderShuffle: _order_shuffle,
    ask.OrderRecut: _order_recut,
    ask.RemoveDeck: _remove,
    ask.LayOut: _lay_out,
    ask.CountStub: _count_stub,
    ask.ReportMalfunction: _malfunction,
    ask.MarkOutOfOrder: _mark,
    ask.RepairDevice: _repair,
    ask.ChangeDealing: _change_dealing,
}
