"""Irregularity drills: what follows for the round and the deck, who decides, by which clause, and
which irregularity is possible now.

The report is given to the engine at a real moment of a table; its events are the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from croupier.errors import CroupierError
from croupier.rounds.card_entry import known_cards
from croupier.rounds.commands import Report
from croupier.rounds.declaration import Actor
from croupier.rounds.events import (
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.irregularities import PossibleIrregularity, irregularities_now
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Irregularity
from croupier.runtime.session import TableSession
from croupier.school.drills.clauses import clause_choices, gist_of
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Asked, Correction, NoDrill, Option
from croupier.school.drills.positions import Position, refused_now, scene_at, walk_drawn
from croupier.tables.events import TableEvent

_FLOOR: Final = Actor("floorperson", "school")
_TRIES: Final = 30


class _Accident(NamedTuple):
    """A reported irregularity, its moment, and the engine's events."""

    at: Position
    kind: PossibleIrregularity
    report: Report
    events: tuple[TableEvent, ...]


def follows(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: what follows for the round?"""
    accident = _drawn(
        rules,
        draws,
        lambda irregularity: (irregularity.effect, irregularity.card, bool(irregularity.saves)),
    )
    at = accident.at
    right = outcome_of(accident.events, at.rules)
    known = _outcomes(at.rules)
    wrong = [Option.of(words) for words in known if words != right]
    return _asked(accident, "What follows?", Option.of(right), wrong)


def deck(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: what happens to the deck?"""
    accident = _drawn(rules, draws, lambda irregularity: irregularity.deck)
    noted = _noted(accident.events)
    right = _DECKS[noted.deck]
    wrong = [Option.of(words) for words in _DECKS.values() if words != right]
    return _asked(accident, "What becomes of the deck?", Option.of(right), wrong)


def decides(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: does the dealer handle it, or does a floorperson decide?"""
    accident = _drawn(rules, draws, lambda irregularity: irregularity.needs_floor)
    answers = {True: "The dealer reports it", False: "A floorperson decides"}
    dealer_may = "dealer" in accident.kind.by
    right, opposite = Option.of(answers[dealer_may]), Option.of(answers[not dealer_may])
    material = _asked(accident, "Whose is it?", right, [opposite])
    return material._replace(in_order=True)


def clause(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which clause applies?"""
    accident = _drawn(rules, draws)
    others = {
        irregularity.clause for irregularity in accident.at.rules.book.irregularities.values()
    }
    right, wrong = clause_choices(accident.at.rules, accident.kind.clause, others)
    return _asked(accident, "Which clause says what follows?", right, wrong)


def happened(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which of these can have happened now?"""
    accident = _drawn(rules, draws)
    at = accident.at
    possible = {candidate.kind for candidate in irregularities_now(at.table.round, at.rules)}
    labels = {candidate.label for candidate in irregularities_now(at.table.round, at.rules)}
    wrong = []
    for name, irregularity in at.rules.book.irregularities.items():
        label = irregularity.title[:1].upper() + irregularity.title[1:]
        # What the table has beside its way of dealing is not told, so it makes no wrong answer.
        if (
            name in possible
            or label in labels
            or irregularity.needs
            or irregularity.orders
            or irregularity.returns
        ):
            continue
        refusal = refused_now(at, Report(name), _FLOOR)
        if refusal is not None and refusal.code == "not_now":
            wrong.append(Option.of(label, f"{refusal.message[:1].upper()}{refusal.message[1:]}."))
    material = _asked(accident, "", Option.of(accident.kind.label), wrong)
    return material._replace(words="Something went wrong. Which of these can it be?")


# -- which accident -------------------------------------------------------------------------------


def _drawn(rules: Rules, draws: Draws, group: Callable[[Irregularity], object] = id) -> _Accident:
    """Draw an irregularity, every group equally likely, at a moment when it can happen."""
    groups: dict[object, list[str]] = {}
    for name, accident in rules.book.irregularities.items():
        groups.setdefault(group(accident), []).append(name)
    if not groups:
        raise NoDrill(f"no irregularity is written down for {rules.book.id}")
    for _ in range(_TRIES):
        walked = walk_drawn(rules, draws)
        wanted = draws.pick(draws.pick(list(groups.values())))
        fitting = [
            (at, candidate)
            for at in walked
            for candidate in irregularities_now(at.table.round, at.rules)
            if candidate.kind == wanted
        ]
        if not fitting:
            continue
        at, candidate = draws.pick(fitting)
        report = _report(at, candidate, draws)
        try:
            made = TableSession(at.table).plan(report, _FLOOR)
        except CroupierError:
            continue
        return _Accident(at, candidate, report, made.events)
    raise NoDrill(f"nothing goes wrong at a table of {rules.book.id}")


def _report(at: Position, accident: PossibleIrregularity, draws: Draws) -> Report:
    state = at.table.round
    lying = set(known_cards(state))
    free = [card for card in cards_of(at.rules.book.deck) if card not in lying]
    cards = draws.some(free, accident.least_cards) if "cards" in accident.asks else []
    seats = [seat.number for seat in state.seats if not seat.void]
    seat = draws.pick(seats) if "seat" in accident.asks and seats else 0
    return Report(accident.kind, tuple(cards), seat)


# -- what follows ---------------------------------------------------------------------------------

_ROUND_VOID: Final = "The round is void: every wager goes back"
_HAND_VOID: Final = "That seat's hand is void; the round goes on"
_GOES_ON: Final = "The round goes on"
_CARD_OUT: Final = "The card is out; the round goes on"


def outcome_of(events: tuple[TableEvent, ...], rules: Rules) -> str:
    """Return in words what the events mean for the round."""
    for event in events:
        match event:
            case RoundVoided():
                return _ROUND_VOID
            case HandsVoided(saves=saves):
                return _hands_void(saves, rules)
            case HandVoided():
                return _HAND_VOID
            case WagersVoided(wagers=wagers):
                return _wagers_void(wagers, rules)
    return _CARD_OUT if _noted(events).set_aside else _GOES_ON


def _outcomes(rules: Rules) -> list[str]:
    """Return every outcome that an irregularity can have in this game."""
    outcomes = [_ROUND_VOID, _HAND_VOID, _GOES_ON, _CARD_OUT]
    for accident in rules.book.irregularities.values():
        if accident.returns:
            outcomes.append(_wagers_void(accident.returns, rules))
        if accident.saves:
            outcomes.append(_hands_void(accident.saves, rules))
    return outcomes


def _hands_void(saves: tuple[str, ...], rules: Rules) -> str:
    return f"All hands are void; {_titles(saves, rules)} is still settled"


def _wagers_void(wagers: tuple[str, ...], rules: Rules) -> str:
    return f"{_titles(wagers, rules)} is void and goes back; the round goes on"


def _titles(wagers: tuple[str, ...], rules: Rules) -> str:
    return ", ".join(rules.book.wagers[name].title for name in wagers)


_DECKS: Final = {
    "": "Nothing: it stays in play",
    "reshuffled": "It is shuffled again",
    "removed": "It is removed from the table",
    "coming_removed": "It is removed before the next round",
    "other_reshuffled": "The other deck is shuffled again",
    "other_removed": "The other deck is removed",
}


def _noted(events: tuple[TableEvent, ...]) -> IrregularityNoted:
    return next(event for event in events if isinstance(event, IrregularityNoted))


def _asked(accident: _Accident, words: str, right: Option, wrong: list[Option]) -> Asked:
    at, accident_kind = accident.at, accident.kind
    follows_ = outcome_of(accident.events, at.rules)
    correction = Correction(
        f"{accident_kind.label}. {follows_}.",
        accident_kind.clause,
        gist_of(at.rules, accident_kind.clause),
    )
    where = f" (seat {accident.report.seat})" if accident.report.seat else ""
    return Asked(f"{accident_kind.label}{where}. {words}", scene_at(at), right, wrong, correction)
