"""What a scenario expects to find, and how it is looked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, get_args

from croupier.cards import Card, format_cards
from croupier.care.next_steps import next_steps
from croupier.errors import shown
from croupier.rounds.actions import legal_actions
from croupier.rounds.irregularities import possible_irregularities
from croupier.rounds.state import LineRecord
from croupier.rounds.views import Audience, Viewer, view
from croupier.scenarios.cast import Cast
from croupier.scenarios.steps import Check, Found, Misread, Scene, Who
from croupier.scenarios.words import (
    amount,
    amount_words,
    cards_of,
    chosen,
    items,
    squeezed,
)

__all__ = ["EXAMPLES", "expectation"]

EXAMPLES: Final = (
    "expect board 2c 3c 4c",
    "expect Ann sees As Ah",
    "expect Ann does not see Qs",
    "expect Ann holds As Ah",
    "expect Ann makes two pair",
    "expect dealer qualifies",
    "expect Ann's ante wins 10 by 12.A",
    "expect Ann's turn",
    "expect Ann may 4x, 3x, check",
    "expect Ann waits for the floor",
    "expect Ann has 1,125",
    "expect inventory 19,875",
    "expect meter main 10,000.05",
    "expect round void",
    "expect next cut",
    "expect Ann's blind comes back by 13.F",
    "expect irregularities wrong count, card drawn in error",
    "expect foreseen all hands are void: Flo reports wrong count",
    "expect refused out_of_turn 11.D(1): Bob checks",
)
_UNKNOWN: Final = "?"


def expectation(cast: Cast, text: str) -> Check:
    """The check that the words after `expect` stand for."""
    for pattern, read in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None:
            return read(cast, match)
    who, rest = cast.subject(re.sub(r"['’]s\b", " 's", text))
    said = shown(rest) if rest else "nothing"
    raise Misread(
        f"{said} cannot be expected of {who.name or f'seat {who.seat}'}: write, for instance, "
        + ", ".join(f"'{example}'" for example in EXAMPLES[1:9])
    )


def _money(words: str, asked: str, read: Callable[[Scene], int]) -> Check:
    wanted = None if asked == _UNKNOWN else amount(asked)

    def check(scene: Scene) -> Found:
        cents = read(scene)
        return Found(cents == wanted, f"{words} {amount_words(cents)}")

    return check


def _has(cast: Cast, match: re.Match[str]) -> Check:
    who = cast.player(match[1])
    return _money(f"{match[1]} has", match[2], lambda s: s.table.rack(who.player(s.table)))


def _box_of(_: Cast, match: re.Match[str]) -> Check:
    name = match[1].lower()
    return _money(name, match[2], lambda s: s.table.money.get(name, 0))


def _meter(_: Cast, match: re.Match[str]) -> Check:
    name = squeezed(match[1])

    def read(scene: Scene) -> int:
        meters = scene.link.shown() if scene.link is not None else {}
        if name not in meters:
            listed = ", ".join(meters) or "none: no line states their rates"
            raise Misread(f"{shown(match[1])} is no meter here; known are: {listed}")
        return meters[name]

    return _money(f"meter {name}", match[2], read)


def _board(_: Cast, match: re.Match[str]) -> Check:
    asked = (match[1] or "").strip()
    wanted = None if asked == _UNKNOWN else cards_of("" if asked == "empty" else asked)

    def check(scene: Scene) -> Found:
        state = scene.table.round
        cards = state.community[: state.exposed]
        return Found(cards == wanted, f"board {format_cards(cards) or 'empty'}")

    return check


def _seen(scene: Scene, who: Who) -> list[Card]:
    audience: Audience = who.role if who.role in get_args(Audience) else "floorperson"  # type: ignore[assignment]
    name = who.player(scene.table) if who.role == "player" else ""
    seen = view(scene.table.round, Viewer(audience, name), scene.rules)
    places = [seen.community, seen.dealer, seen.box, *(seat.cards for seat in seen.seats)]
    return [card for place in places for card in place if card is not None]


def _sees(cast: Cast, match: re.Match[str]) -> Check:
    who, rest = cast.subject(match[1])
    if rest:
        raise Misread(f"{shown(rest)} is not understood after the name")
    nothing = match[3].lower() == "nothing"
    wanted = () if nothing else cards_of(match[3])
    hidden = match[2].lower() != "sees"

    def check(scene: Scene) -> Found:
        seen = _seen(scene, who)
        shown_cards = [card for card in wanted if card in seen]
        holds = not shown_cards if hidden else len(shown_cards) == len(wanted)
        if nothing:
            holds = (not seen) != hidden
        return Found(holds, f"{match[1]} sees {format_cards(seen) or 'nothing'}")

    return check


def _holds(cast: Cast, match: re.Match[str]) -> Check:
    place = cast.place(match[1])
    wanted = None if match[2] == _UNKNOWN else cards_of(match[2])

    def check(scene: Scene) -> Found:
        state = scene.table.round
        if isinstance(place, Who):
            seat = state.seat(place.position(scene.table))
            cards = seat.cards if seat is not None else ()
        else:
            cards = state.burned if place.place == "burn" else getattr(state, place.place)
        return Found(cards == wanted, f"{match[1]} holds {format_cards(cards) or 'no card'}")

    return check


def _makes(cast: Cast, match: re.Match[str]) -> Check:
    who, _ = cast.subject(match[1])
    wanted = squeezed(re.sub(r"^an? ", "", match[2], flags=re.I))

    def check(scene: Scene) -> Found:
        state = scene.table.round
        hand = state.dealer_hand
        if who.role == "player":
            seat = state.seat(who.position(scene.table))
            hand = seat.hand if seat is not None else ""
        return Found(hand == wanted, f"{match[1]} makes {hand.replace('_', ' ') or 'nothing yet'}")

    return check


def _qualifies(_: Cast, match: re.Match[str]) -> Check:
    wanted = match[1].lower() == "qualifies"

    def check(scene: Scene) -> Found:
        state = scene.table.round
        if not state.dealer_shown:
            return Found(False, "dealer has not shown his hand")
        word = "qualifies" if state.qualifies else "does not qualify"
        return Found(state.qualifies == wanted, f"dealer {word}")

    return check


_RESULTS: Final = {"wins": "win", "loses": "lose", "pushes": "push", "comes back": "void"}


def _line(cast: Cast, match: re.Match[str]) -> Check:
    who = cast.player(match[1])
    is_envy = squeezed(match[2]) in ("envy", "envy_bonus")
    wager = "envy" if is_envy else cast.wager(match[2])
    result, asked, clause, limited = match[3], match[4], match[5], match[6]
    cents = None if asked in (None, _UNKNOWN) else amount(asked)

    def check(scene: Scene) -> Found:
        seat = scene.table.round.seat(who.position(scene.table))
        line = next((line for line in seat.lines if line.wager == wager), None) if seat else None
        name = f"{match[1]}'s {match[2]}"
        if line is None:
            return Found(False, f"{name} is not settled")
        wanted = _RESULTS[" ".join(result.lower().split())]
        agrees = line.result == wanted and clause in (None, line.clause)
        holds = (
            agrees
            and asked != _UNKNOWN
            and (cents is None or cents == abs(line.net))
            and (limited or "") == line.limited_by
        )
        return Found(holds, f"{name} {_line_words(line)}", agrees)

    return check


def _line_words(line: LineRecord) -> str:
    verb = next(word for word, result in _RESULTS.items() if result == line.result)
    money = "" if line.result in ("push", "void") else f" {amount_words(abs(line.net))}"
    limited = f", limited by {line.limited_by}" if line.limited_by else ""
    return f"{verb}{money} by {line.clause}{limited}"


def _turn(cast: Cast, match: re.Match[str]) -> Check:
    nobody = match[1].lower() == "nobody"
    who = None if nobody else cast.player(match[1])

    def check(scene: Scene) -> Found:
        turn = scene.table.round.turn
        seat = scene.table.round.seat(turn)
        words = f"{seat.player}'s turn" if seat is not None else "nobody's turn"
        return Found(turn == (0 if who is None else who.position(scene.table)), words)

    return check


def _may(cast: Cast, match: re.Match[str]) -> Check:
    who = cast.player(match[1])
    asked = [] if match[2].lower() == "say nothing" else items(match[2].lower())

    def check(scene: Scene) -> Found:
        name, seat = who.player(scene.table), who.position(scene.table)
        choices = legal_actions(scene.table.round, scene.rules, seat, name)
        said = [choice.action for choice in choices if choice.do == "say"]
        words = ", ".join(said) or "say nothing"
        return Found(sorted(said) == sorted(asked), f"{match[1]} may {words}")

    return check


def _waits(cast: Cast, match: re.Match[str]) -> Check:
    who = cast.player(match[1])

    def check(scene: Scene) -> Found:
        claim = scene.table.round.claim
        seat = claim.seat if claim is not None else 0
        words = f"seat {seat} waits for the floor" if seat else "nobody waits for the floor"
        return Found(seat == who.position(scene.table), words)

    return check


def _round(_: Cast, match: re.Match[str]) -> Check:
    wanted = match[1].lower()

    def check(scene: Scene) -> Found:
        state = scene.table.round
        stands = "void" if state.void else "over" if state.phase == "over" else "in play"
        return Found(stands == wanted, f"round {stands}")

    return check


def _next(_: Cast, match: re.Match[str]) -> Check:
    asked = [] if match[1].lower() == "nothing" else items(match[1].lower())

    def check(scene: Scene) -> Found:
        steps = next_steps(scene.table, scene.rules, scene.at)
        names = [f"{step.name} {step.back}".strip().replace("_", " ") for step in steps]
        holds = names == asked or [name.split()[0] for name in names] == asked
        return Found(holds, f"next {', '.join(names) or 'nothing'}")

    return check


def _irregularities(cast: Cast, match: re.Match[str]) -> Check:
    names = {name: name for name in cast.book.irregularities}
    asked = match[1].strip().lower()
    listed = [] if asked in ("none", _UNKNOWN) else items(asked)
    wanted = {chosen("irregularity of this document", item, names) for item in listed}

    def check(scene: Scene) -> Found:
        found = possible_irregularities(scene.table.round, scene.rules)
        words = ", ".join(name.replace("_", " ") for name in found) or "none"
        return Found(set(found) == wanted and asked != _UNKNOWN, f"irregularities {words}")

    return check


def _form(
    pattern: str, read: Callable[[Cast, re.Match[str]], Check]
) -> tuple[re.Pattern[str], Callable[[Cast, re.Match[str]], Check]]:
    return re.compile(pattern, re.IGNORECASE), read


_FORMS: Final = (
    _form(r"board(\s+.*)?", _board),
    _form(r"(inventory|drop|tips)\s+(\S+)", _box_of),
    _form(r"irregularities\s+(.+)", _irregularities),
    _form(r"meter\s+(\S+)\s+(\S+)", _meter),
    _form(r"round\s+(?:is\s+)?(void|over|in play)", _round),
    _form(r"next\s+(.+)", _next),
    _form(r"dealer\s+(qualifies|does\s+not\s+qualify)", _qualifies),
    _form(
        r"(.+?)['’]s\s+(.+?)\s+(wins|loses|pushes|comes\s+back)(?:\s+([$0-9?]\S*?))??"
        r"(?:\s+by\s+(\S+?))??(?:,?\s+limited\s+by\s+(\S+))?",
        _line,
    ),
    _form(r"(.+?)['’]s\s+turn", _turn),
    _form(r"(.+?)\s+(sees|does\s+not\s+see)\s+(.+)", _sees),
    _form(r"(.+?)\s+holds\s+(.+)", _holds),
    _form(r"(.+?)\s+makes\s+(.+)", _makes),
    _form(r"(.+?)\s+may\s+(.+)", _may),
    _form(r"(.+?)\s+waits\s+for\s+the\s+floor", _waits),
    _form(r"(.+?)\s+has\s+(\S+)", _has),
)
