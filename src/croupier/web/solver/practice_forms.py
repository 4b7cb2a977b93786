"""What the practice pages receive: never a face-down card, nor the seed in play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.cards import Card
from croupier.money import format_cents
from croupier.rounds.explaining import Holdings, sentence
from croupier.school.certificates import commitment_to
from croupier.school.practice.game_figures import GameFigures
from croupier.school.practice.hands import Hand
from croupier.school.practice.leaks import INTERVALS, Leaks, due, ranked
from croupier.school.practice.pricing import Priced, money, words_for
from croupier.school.practice.scoring import score
from croupier.school.practice.sessions import Session
from croupier.school.practice.situations import situation_of

HandNumber = Annotated[int, Meta(ge=1, le=2000)]


# -- requests -------------------------------------------------------------------------------------


class BeginForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session to begin. `street` is the decision that a flash drill asks about; any decision by
    default."""

    street: Annotated[str, Meta(max_length=60)] = ""


class AnswerForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer. `hand` and `place` identify its question, so that nothing is answered twice."""

    hand: HandNumber
    place: Annotated[int, Meta(ge=0, le=20)]
    said: Annotated[str, Meta(min_length=1, max_length=60)]


class NextForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the next hand. `hand` is the one that is over."""

    hand: HandNumber


# -- responses ------------------------------------------------------------------------------------


class ChoiceForm(msgspec.Struct, frozen=True):
    action: str
    cost: str


class ValueForm(msgspec.Struct, frozen=True):
    """The value of an action. `worth` is in dollars on average, `exact` in units of one required
    wager."""

    action: str
    worth: str
    exact: str
    is_best: bool


class PricedForm(msgspec.Struct, frozen=True):
    """A decision and its cost. `words` says what it cost and why. `cost` is in dollars,
    `cost_exact` in units of one required wager."""

    decision: str
    situation: str
    said: str
    best: str
    right: bool
    cost: str
    cost_exact: str
    words: str
    values: tuple[ValueForm, ...]


class ResultForm(msgspec.Struct, frozen=True):
    net: str
    hand: str
    dealer_hand: str
    lines: tuple[str, ...]


class ScoreForm(msgspec.Struct, frozen=True):
    """A score. `accuracy` is in percent, `lost` in dollars. Until an exam ends, only `hands` is
    given."""

    hands: int
    decisions: int = 0
    right: int = 0
    accuracy: float | None = None
    lost: str = "0.00"
    result: str = "0.00"


class PracticeForm(msgspec.Struct, frozen=True):
    """The state of practice. `hand` and `place` go back with the answer. `commitment` seals the
    seed of an exam, which its certificate reveals."""

    game: str
    title: str
    mode: str
    hand: int
    length: int
    place: int
    decision: str
    situation: str
    cards: tuple[str | None, ...]
    community: tuple[str | None, ...]
    dealer: tuple[str | None, ...]
    wagers: dict[str, str]
    choices: tuple[ChoiceForm, ...]
    is_hand_over: bool
    is_over: bool
    score: ScoreForm
    priced: tuple[PricedForm, ...] = ()
    result: ResultForm | None = None
    commitment: str = ""
    certificate: str = ""
    street: str = ""
    others: str = ""
    """For a daily hand that is over: how others did."""


class PracticeGame(msgspec.Struct, frozen=True):
    game: str
    title: str
    jurisdiction: str
    by_document: bool
    streets: tuple[str, ...]
    decisions: int
    accuracy: float | None
    due: int


class PracticeGames(msgspec.Struct, frozen=True):
    games: tuple[PracticeGame, ...]
    day: str


class CurveForm(msgspec.Struct, frozen=True):
    """Money won in a session. The amounts are in dollars; result = expected - mistakes + luck to
    the cent, and in `exact` as fractions. `curve` is the money after each hand; each entry of
    `band` has the number of hands, the low end and the high end, in cents."""

    hands: int
    result: str
    expected: str
    mistakes: str
    luck: str
    exact: dict[str, str]
    curve: tuple[int, ...]
    band: tuple[tuple[int, int, int], ...]
    value_cents: float
    standard_deviation_cents: float


class LeakForm(msgspec.Struct, frozen=True):
    """A situation in which the person loses money. `box` 0: not waiting; `due`: asked now. `cost`
    is the total in dollars."""

    situation: str
    decision: str
    asked: int
    wrong: int
    cost: str
    said: str
    best: str
    box: int
    due: bool
    due_at: str


class LeaksForm(msgspec.Struct, frozen=True):
    leaks: tuple[LeakForm, ...]
    due: int
    rule: str


# -- forms of a session ---------------------------------------------------------------------------


def practice_form(session: Session, others: str = "") -> PracticeForm:
    hand = session.hand
    seen, question = hand.view(), hand.decision
    own = seen.seats[0]
    is_secret = session.mode == "exam"
    is_asking = question is not None and not session.is_hand_over
    name = question.name if question is not None and is_asking else ""
    return PracticeForm(
        game=session.game,
        title=hand.rules.book.title,
        mode=session.mode,
        hand=session.number,
        length=session.length,
        place=len(session.answers),
        decision=name,
        situation=situation_of(hand.rules, name, hand.own, hand.community) if name else "",
        cards=_names(own.cards),
        community=_names(seen.community),
        dealer=_names(seen.dealer),
        wagers={wager: format_cents(cents) for wager, cents in own.wagers.items()},
        choices=tuple([ChoiceForm(bet.action, format_cents(bet.cents)) for bet in hand.choices])
        if is_asking
        else (),
        is_hand_over=session.is_hand_over,
        is_over=session.is_over,
        score=_score(session, hand.unit_cents),
        priced=() if is_secret else _priced(session),
        result=_result(hand) if hand.is_over and not is_secret else None,
        commitment=commitment_to(session.seed) if is_secret else "",
        certificate=session.certificate,
        street=session.street,
        others=others,
    )


def _names(cards: Sequence[Card | None]) -> tuple[str | None, ...]:
    return tuple([None if card is None else str(card) for card in cards])


def _score(session: Session, unit: int) -> ScoreForm:
    if session.mode == "exam" and not session.ended_at:
        return ScoreForm(len(session.hands))
    total = score(session.hands, unit, Fraction(0))
    accuracy = round(100 * float(total.accuracy), 1) if total.decisions else None
    return ScoreForm(
        total.hands,
        total.decisions,
        total.right,
        accuracy,
        format_cents(round(total.cost * unit)),
        format_cents(int(total.result * unit)),
    )


def _priced(session: Session) -> tuple[PricedForm, ...]:
    """Return every decision of the current hand, as it stood when it was made."""
    price = []
    for place, priced in enumerate(session.decisions):
        said = (*session.start, *session.answers[:place])
        before = Hand(session.game, session.seed, session.dealt or session.number, said)
        price.append(_priced_form(priced, before))
    return tuple(price)


def _priced_form(priced: Priced, before: Hand) -> PricedForm:
    unit, best = before.unit_cents, priced.best_value
    return PricedForm(
        priced.decision,
        priced.situation,
        priced.said,
        priced.best,
        priced.is_right,
        format_cents(round(priced.cost * unit)),
        str(priced.cost),
        words_for(priced, before.choices, unit),
        tuple(
            [
                ValueForm(action, money(value, unit), str(value), value == best)
                for action, value in priced.exact.items()
            ]
        ),
    )


def _result(hand: Hand) -> ResultForm:
    seen = hand.view()
    seat = seen.seats[0]
    hands = Holdings.at(hand.table.round, seat.number)
    lines = tuple([sentence(line, hand.rules, hands) for line in seat.lines])
    return ResultForm(format_cents(hand.result_cents), seat.hand, seen.dealer_hand, lines)


def curve_form(session: Session, figures: GameFigures) -> CurveForm:
    unit = figures.unit_cents
    total = score(session.hands, unit, figures.value)
    sums, curve = 0, []
    for hand in session.hands:
        sums += hand.result_cents
        curve.append(sums)
    result, expected = total.result * unit, total.expected * unit
    mistakes, luck = total.cost * unit, total.luck * unit
    # The rounded amounts add up to the cent; the fractions add up exactly.
    rest = round(result) - round(expected) + round(mistakes)
    return CurveForm(
        total.hands,
        format_cents(round(result)),
        format_cents(round(expected)),
        format_cents(round(mistakes)),
        format_cents(rest),
        {
            "result": str(result / 100),
            "expected": str(expected / 100),
            "mistakes": str(mistakes / 100),
            "luck": str(luck / 100),
        },
        tuple(curve),
        figures.band,
        float(figures.value * unit),
        float(figures.variance) ** 0.5 * unit,
    )


def leaks_form(leaks: Leaks, unit: int, now: datetime) -> LeaksForm:
    waiting = set(due(leaks, now))
    listed = tuple(
        [
            LeakForm(
                name,
                leak.decision,
                leak.asked,
                leak.wrong,
                format_cents(round(leak.cost_exact * unit)),
                leak.said,
                leak.best,
                leak.box,
                name in waiting,
                leak.due_at,
            )
            for name, leak in ranked(leaks)
        ]
    )
    return LeaksForm(listed, len(waiting), _rule())


def _rule() -> str:
    first, *days = INTERVALS
    minutes = int(first.total_seconds() // 60)
    listed = ", ".join(str(entry.days) for entry in days[:-1])
    return (
        f"A mistake is asked again after {minutes} minutes, then after {listed} and "
        f"{days[-1].days} days, as long as you are right; a wrong answer begins again."
    )
