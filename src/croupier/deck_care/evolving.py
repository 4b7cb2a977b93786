"""Update the decks and devices after an event of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.deck_care import events as did
from croupier.deck_care.devices import is_waived
from croupier.deck_care.state import OPENED, OPENING, Care, Deck, DifferingCount, with_ages_at
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.state import Round
from croupier.rulebooks.equipment import needs_shuffler
from croupier.rulebooks.rules import Rules


def after_care(care: Care, event: did.CareEvent, rules: Rules) -> Care:
    """Return the decks and devices after one of their own events."""
    after = _CHANGES[type(event)](with_ages_at(care, event.at), event, rules)
    return after if not after.idle or _is_opened(after) else replace(after, idle=False)


def after_round(care: Care, event: Any, state: Round) -> Care:
    """Return the decks and devices after an event of the round; `state` is the round after it."""
    match event:
        case round_commands.OpenBetting():
            return replace(care, counted=False)
        case round_events.IrregularityNoted():
            return _accident(care, event)
        case round_events.CardsCollected():
            # A round whose hands were void does not count as a round of play.
            counted = 0 if care.counted else care.uncounted + (not state.void_by)
            return _to_the_rack(replace(care, uncounted=counted))
        case round_events.RoundVoided():
            return _to_the_rack(care)
    return care


def after_last_player_left(care: Care, rules: Rules) -> Care:
    """Return the decks when nobody is seated and no round is in play: the cards must be spread."""
    if is_waived("idle", care, rules) or not _is_opened(care):
        return care
    return replace(care, idle=True)


def _is_opened(care: Care) -> bool:
    return any(deck.stage in OPENED for deck in care.decks)


def _to_the_rack(care: Care) -> Care:
    deck = care.in_play
    if deck is None:
        return care
    return care.with_deck(replace(deck, stage="used", place="rack", differing=None))


def _accident(care: Care, event: round_events.IrregularityNoted) -> Care:
    """Apply an irregularity to the decks. If no cards are dealt, it concerns the next round's deck
    (MD-47)."""
    playing, coming = care.in_play, care.next_deck
    match event.deck:
        case "removed":
            # A stub counted late belongs to the last round; its deck is still removed (MD-48).
            return _condemned(care, playing or care.deck(care.last), event.clause)
        case "coming_removed":
            return _condemned(care, coming, event.clause)
        case "other_removed":
            return _condemned(care, _other(care, playing or coming), event.clause)
        case "other_reshuffled":
            return _unshuffled(care, _other(care, playing or coming))
        case "reshuffled" if playing is None:
            return _unshuffled(care, coming)
    return care


def _other(care: Care, deck: Deck | None) -> Deck | None:
    return next((candidate for candidate in care.decks if candidate is not deck), None)


def _condemned(care: Care, deck: Deck | None, clause: str) -> Care:
    if deck is None or deck.stage not in (*OPENED, "in_play"):
        return care
    return care.with_deck(
        replace(deck, stage="condemned", place="table", condemned_by=clause, differing=None)
    )


def _unshuffled(care: Care, deck: Deck | None) -> Care:
    if deck is None or deck.stage not in ("ready", "shuffled"):
        return care
    return care.with_deck(replace(deck, stage="used", place="table", cut=0))


def _deck(care: Care, back: str) -> Deck:
    deck = care.deck(back)
    assert deck is not None, f"no deck with {back} backs is at the table"
    return deck


def _received(care: Care, event: did.DeckReceived, rules: Rules) -> Care:
    deck = Deck(event.back, prepared=event.prepared)
    if event.prepared:
        must = needs_shuffler(rules) or len(care.decks) == 1
        waived = is_waived("cut", care, rules)
        stage = "used" if must else "ready" if waived else "shuffled"
        deck = replace(deck, stage=stage)
    return replace(care, decks=(*care.decks, deck))


def _handled(care: Care, event: did.DeckHandled, _: Rules) -> Care:
    deck = _deck(care, event.back)
    stage = OPENING[deck.stage][1]
    if stage == "viewed" and not deck.face_up:
        stage = "turned"
    by = event.by if event.step == "inspect" else deck.inspected_by
    return care.with_deck(replace(deck, stage=stage, inspected_by=by))


def _loaded(care: Care, event: did.DeckLoaded, _: Rules) -> Care:
    deck = _deck(care, event.back)
    stage = "used" if deck.stage in ("ready", "shuffled") else deck.stage
    return care.with_deck(replace(deck, stage=stage, place="machine", cut=0))


def _shuffled(care: Care, event: did.DeckShuffled, _: Rules) -> Care:
    deck = _deck(care, event.back)
    place = "table" if deck.place == "rack" or event.how == "hand" else deck.place
    condemned_by = event.clause if event.then == "condemned" else ""
    return care.with_deck(
        replace(
            deck, stage=event.then, place=place, cut=0, condemned_by=condemned_by, differing=None
        )
    )


def _cut(care: Care, event: did.DeckCut, rules: Rules) -> Care:
    least = rules.book.care.cut_least if rules.book.care is not None else 0
    deck = _deck(care, event.back)
    return care.with_deck(replace(deck, stage="ready", cut=event.depth or least or 1))


def _shuffle_ordered(care: Care, event: did.ShuffleOrdered, _: Rules) -> Care:
    return care.with_deck(replace(_deck(care, event.back), stage="used", cut=0))


def _recut_ordered(care: Care, event: did.RecutOrdered, _: Rules) -> Care:
    return care.with_deck(replace(_deck(care, event.back), stage="shuffled", cut=0))


def _taken(care: Care, event: did.DeckTaken, _: Rules) -> Care:
    deck = replace(_deck(care, event.back), stage="in_play", place="table")
    return replace(care.with_deck(deck), last=event.back)


def _removed(care: Care, event: did.DeckRemoved, _: Rules) -> Care:
    left = tuple(deck for deck in care.decks if deck.back != event.back)
    return replace(care, decks=left, last="" if care.last == event.back else care.last)


def _laid_out(care: Care, event: did.CardsLaidOut, _: Rules) -> Care:
    decks = tuple(
        replace(deck, stage="spread", place="table", face_up=event.face_up, cut=0)
        if deck.stage in OPENED or (deck.stage == "spread" and not deck.face_up)
        else deck
        for deck in care.decks
    )
    return replace(care, decks=decks, idle=False)


def _differs(care: Care, event: did.CountDiffers, _: Rules) -> Care:
    counted = DifferingCount(event.count, event.by)
    return care.with_deck(replace(_deck(care, event.back), differing=counted))


def _stub_counted(care: Care, _: did.StubCounted, __: Rules) -> Care:
    deck = care.in_play
    if deck is not None and deck.differing is not None:
        care = care.with_deck(replace(deck, differing=None))
    return replace(care, counted=True)


def _failed(care: Care, event: did.MalfunctionReported, _: Rules) -> Care:
    care = replace(care, devices=care.devices | {event.device: "failed"})
    for deck in care.decks:
        if event.device == "shuffler" and deck.place == "machine" and deck.stage in OPENED:
            care = care.with_deck(replace(deck, stage="used", place="table", cut=0))
    return care


def _marked(care: Care, event: did.DeviceMarked, rules: Rules) -> Care:
    if event.device not in care.devices:
        care = _failed(care, event, rules)  # type: ignore[arg-type]
    return replace(care, devices=care.devices | {event.device: event.how})


def _repaired(care: Care, event: did.DeviceRepaired, _: Rules) -> Care:
    devices = {name: status for name, status in care.devices.items() if name != event.device}
    return replace(care, devices=devices)


def _dealing_changed(care: Care, event: did.DealingChanged, _: Rules) -> Care:
    """Change the dealing method. Decks shuffled for one method are shuffled again for the other."""
    care = replace(care, usual_terms="" if event.method == care.usual else event.usual_terms)
    for deck in care.decks:
        if deck.stage in ("ready", "shuffled"):
            care = care.with_deck(replace(deck, stage="used", cut=0))
    return care


_CHANGES: dict[type, Callable[[Care, Any, Rules], Care]] = {
    did.DeckReceived: _received,
    did.DeckHandled: _handled,
    did.DeckLoaded: _loaded,
    did.DeckShuffled: _shuffled,
    did.DeckCut: _cut,
    did.ShuffleOrdered: _shuffle_ordered,
    did.RecutOrdered: _recut_ordered,
    did.DeckTaken: _taken,
    did.DeckRemoved: _removed,
    did.CardsLaidOut: _laid_out,
    did.CountDiffers: _differs,
    did.StubCounted: _stub_counted,
    did.MalfunctionReported: _failed,
    did.DeviceMarked: _marked,
    did.DeviceRepaired: _repaired,
    did.DealingChanged: _dealing_changed,
}
