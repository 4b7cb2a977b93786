"""The expectations of a scenario, and how each is checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, get_args

from croupier.cards import Card, format_cards
from croupier.deck_care.next_steps import next_steps
from croupier.errors import shown
from croupier.rounds.actions import legal_actions
from croupier.rounds.irregularities import possible_irregularities
from croupier.rounds.state import LineRecord
from croupier.rounds.views import Audience, Viewer, view
from croupier.scenarios.roster import Roster
from croupier.scenarios.scenario import Check, CheckResult, LineError, NamedPerson, Situation
from croupier.scenarios.text_parts import (
    amount,
    amount_words,
    cards_of,
    items,
    look_up,
    normalized,
)

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


def expectation(roster: Roster, text: str) -> Check:
    """Return the check for the words after `expect`."""
    for pattern, read in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None:
            return read(roster, match)
    who, rest = roster.subject(re.sub(r"['’]s\b", " 's", text))
    said = shown(rest) if rest else "nothing"
    raise LineError(
        f"{said} cannot be expected of {who.name or f'seat {who.seat}'}: write, for instance, "
        + ", ".join(f"'{example}'" for example in EXAMPLES[1:9])
    )


def _money(words: str, question: str, read: Callable[[Situation], int]) -> Check:
    wanted = None if question == _UNKNOWN else amount(question)

    def check(situation: Situation) -> CheckResult:
        cents = read(situation)
        return CheckResult(cents == wanted, f"{words} {amount_words(cents)}")

    return check


def _has(roster: Roster, match: re.Match[str]) -> Check:
    who = roster.player(match[1])
    return _money(f"{match[1]} has", match[2], lambda s: s.table.rack(who.player(s.table)))


def _box_of(_: Roster, match: re.Match[str]) -> Check:
    name = match[1].lower()
    return _money(name, match[2], lambda s: s.table.money.get(name, 0))


def _meter(_: Roster, match: re.Match[str]) -> Check:
    name = normalized(match[1])

    def read(situation: Situation) -> int:
        meters = situation.link.shown() if situation.link is not None else {}
        if name not in meters:
            listed = ", ".join(meters) or "none: no line states their rates"
            raise LineError(f"{shown(match[1])} is no meter here; known are: {listed}")
        return meters[name]

    return _money(f"meter {name}", match[2], read)


def _board(_: Roster, match: re.Match[str]) -> Check:
    question = (match[1] or "").strip()
    wanted = None if question == _UNKNOWN else cards_of("" if question == "empty" else question)

    def check(situation: Situation) -> CheckResult:
        state = situation.table.round
        cards = state.community[: state.exposed]
        return CheckResult(cards == wanted, f"board {format_cards(cards) or 'empty'}")

    return check


def _seen(situation: Situation, who: NamedPerson) -> list[Card]:
    audience: Audience = who.role if who.role in get_args(Audience) else "floorperson"  # type: ignore[assignment]
    name = who.player(situation.table) if who.role == "player" else ""
    seen = view(situation.table.round, Viewer(audience, name), situation.rules)
    places = [seen.community, seen.dealer, seen.box, *(seat.cards for seat in seen.seats)]
    places.append(seen.set_aside)
    return [card for place in places for card in place if card is not None]


def _sees(roster: Roster, match: re.Match[str]) -> Check:
    who, rest = roster.subject(match[1])
    if rest:
        raise LineError(f"{shown(rest)} is not understood after the name")
    nothing = match[3].lower() == "nothing"
    wanted = () if nothing else cards_of(match[3])
    hidden = match[2].lower() != "sees"

    def check(situation: Situation) -> CheckResult:
        seen = _seen(situation, who)
        shown_cards = [card for card in wanted if card in seen]
        holds = not shown_cards if hidden else len(shown_cards) == len(wanted)
        if nothing:
            holds = (not seen) != hidden
        return CheckResult(holds, f"{match[1]} sees {format_cards(seen) or 'nothing'}")

    return check


def _holds(roster: Roster, match: re.Match[str]) -> Check:
    place = roster.place(match[1])
    wanted = None if match[2] == _UNKNOWN else cards_of(match[2])

    def check(situation: Situation) -> CheckResult:
        state = situation.table.round
        if isinstance(place, NamedPerson):
            seat = state.seat(place.position(situation.table))
            cards = seat.cards if seat is not None else ()
        else:
            cards = state.burned if place.place == "burn" else getattr(state, place.place)
        return CheckResult(cards == wanted, f"{match[1]} holds {format_cards(cards) or 'no card'}")

    return check


def _makes(roster: Roster, match: re.Match[str]) -> Check:
    who, _ = roster.subject(match[1])
    wanted = normalized(re.sub(r"^an? ", "", match[2], flags=re.I))

    def check(situation: Situation) -> CheckResult:
        state = situation.table.round
        hand = state.dealer_hand
        if who.role == "player":
            seat = state.seat(who.position(situation.table))
            hand = seat.hand if seat is not None else ""
        return CheckResult(
            hand == wanted, f"{match[1]} makes {hand.replace('_', ' ') or 'nothing yet'}"
        )

    return check


def _qualifies(_: Roster, match: re.Match[str]) -> Check:
    wanted = match[1].lower() == "qualifies"

    def check(situation: Situation) -> CheckResult:
        state = situation.table.round
        if not state.dealer_shown:
            return CheckResult(False, "dealer has not shown the hand")
        word = "qualifies" if state.qualifies else "does not qualify"
        return CheckResult(state.qualifies == wanted, f"dealer {word}")

    return check


_RESULTS: Final = {"wins": "win", "loses": "lose", "pushes": "push", "comes back": "void"}


def _line(roster: Roster, match: re.Match[str]) -> Check:
    who = roster.player(match[1])
    wager = roster.line(match[2])
    result, question, clause, limited = match[3], match[4], match[5], match[6]
    cents = None if question in (None, _UNKNOWN) else amount(question)

    def check(situation: Situation) -> CheckResult:
        seat = situation.table.round.seat(who.position(situation.table))
        line = next((line for line in seat.lines if line.wager == wager), None) if seat else None
        name = f"{match[1]}'s {match[2]}"
        if line is None:
            return CheckResult(False, f"{name} is not settled")
        wanted = _RESULTS[" ".join(result.lower().split())]
        agrees = line.result == wanted and clause in (None, line.clause)
        holds = (
            agrees
            and question != _UNKNOWN
            and (cents is None or cents == abs(line.net))
            and (limited or "") == line.limited_by
        )
        return CheckResult(holds, f"{name} {_line_words(line)}", agrees)

    return check


def _line_words(line: LineRecord) -> str:
    verb = next(word for word, result in _RESULTS.items() if result == line.result)
    money = "" if line.result in ("push", "void") else f" {amount_words(abs(line.net))}"
    limited = f", limited by {line.limited_by}" if line.limited_by else ""
    return f"{verb}{money} by {line.clause}{limited}"


def _turn(roster: Roster, match: re.Match[str]) -> Check:
    nobody = match[1].lower() == "nobody"
    who = None if nobody else roster.player(match[1])

    def check(situation: Situation) -> CheckResult:
        turn = situation.table.round.turn
        seat = situation.table.round.seat(turn)
        words = f"{seat.player}'s turn" if seat is not None else "nobody's turn"
        return CheckResult(turn == (0 if who is None else who.position(situation.table)), words)

    return check


def _may(roster: Roster, match: re.Match[str]) -> Check:
    who = roster.player(match[1])
    question = [] if match[2].lower() == "say nothing" else items(match[2])
    question = [roster.answer(word) for word in question]

    def check(situation: Situation) -> CheckResult:
        name, seat = who.player(situation.table), who.position(situation.table)
        choices = legal_actions(situation.table.round, situation.rules, seat, name)
        said = [choice.action for choice in choices if choice.do == "say"]
        words = ", ".join(said) or "say nothing"
        return CheckResult(sorted(said) == sorted(question), f"{match[1]} may {words}")

    return check


def _waits(roster: Roster, match: re.Match[str]) -> Check:
    who = roster.player(match[1])

    def check(situation: Situation) -> CheckResult:
        claim = situation.table.round.claim
        seat = claim.seat if claim is not None else 0
        words = f"seat {seat} waits for the floor" if seat else "nobody waits for the floor"
        return CheckResult(seat == who.position(situation.table), words)

    return check


def _round(_: Roster, match: re.Match[str]) -> Check:
    wanted = match[1].lower()

    def check(situation: Situation) -> CheckResult:
        state = situation.table.round
        stands = "void" if state.void else "over" if state.phase == "over" else "in play"
        return CheckResult(stands == wanted, f"round {stands}")

    return check


def _next(_: Roster, match: re.Match[str]) -> Check:
    question = [] if match[1].lower() == "nothing" else items(match[1].lower())

    def check(situation: Situation) -> CheckResult:
        steps = next_steps(situation.table, situation.rules, situation.at)
        names = [f"{step.name} {step.back}".strip().replace("_", " ") for step in steps]
        holds = names == question or [name.split()[0] for name in names] == question
        return CheckResult(holds, f"next {', '.join(names) or 'nothing'}")

    return check


def _irregularities(roster: Roster, match: re.Match[str]) -> Check:
    names = {name: name for name in roster.book.irregularities}
    question = match[1].strip().lower()
    listed = [] if question in ("none", _UNKNOWN) else items(question)
    wanted = {look_up("irregularity of this document", item, names) for item in listed}

    def check(situation: Situation) -> CheckResult:
        possible = possible_irregularities(situation.table.round, situation.rules)
        words = ", ".join(name.replace("_", " ") for name in possible) or "none"
        return CheckResult(
            set(possible) == wanted and question != _UNKNOWN, f"irregularities {words}"
        )

    return check


def _form(
    pattern: str, read: Callable[[Roster, re.Match[str]], Check]
) -> tuple[re.Pattern[str], Callable[[Roster, re.Match[str]], Check]]:
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
        r"(?:\s+by\s+(.+?))??(?:,?\s+limited\s+by\s+(.+))?",
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
