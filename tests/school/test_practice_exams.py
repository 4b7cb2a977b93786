"""An exam deals, counts and certifies; the certificate says the same in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from croupier.commands.school import certificate as certificate_command
from croupier.errors import BadData, BadRequest, Refusal
from croupier.ledger.signatures.machine_key import MachineKey
from croupier.school.certificate_kinds import KINDS
from croupier.school.certificates import Certificate, check, issue, text
from croupier.school.practice.exams import certified
from croupier.school.practice.pricing import price
from croupier.school.practice.sessions import (
    EXAM_HANDS,
    Session,
    answered,
    begun,
    check_turn,
    next_hand,
)
from croupier.school.practice.spots import values_at

GAME = "mississippi-stud"
NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
HOUSE = MachineKey(b"h" * 32)


def take(session: Session, *, wrong_every: int = 0) -> Session:
    """The best answer, but now and then the worst one."""
    asked = 0
    while not session.ended_at:
        hand = session.hand
        values = values_at(hand)
        asked += 1
        pick = min if wrong_every and asked % wrong_every == 0 else max
        said = pick(values, key=lambda action: values[action])
        session = answered(session, price(hand, values, said), NOW + timedelta(hours=1))
    return session


@pytest.fixture(scope="module")
def exam() -> Session:
    return take(begun(GAME, "exam", NOW), wrong_every=20)


@pytest.fixture(scope="module")
def certificate(exam: Session) -> Certificate:
    return certified(exam, "Ann", HOUSE)


def test_an_exam_has_a_hundred_hands(exam: Session, certificate: Certificate) -> None:
    assert len(exam.hands) == len(exam.all_answers) == EXAM_HANDS
    told = certificate.score
    decisions = sum(hand.decisions for hand in exam.hands)
    assert int(told["decisions"]) == decisions > EXAM_HANDS
    assert int(told["right"]) < decisions
    assert told["passed"] == "yes"
    assert told["lost_to_mistakes"] != "0.00"


def test_a_certificate_recomputes_in_a_fresh_process(
    certificate: Certificate, tmp_path: Path
) -> None:
    path = tmp_path / "ann.json"
    path.write_text(text(certificate), "utf-8")
    command = [sys.executable, "-m", "croupier", "certificate", str(path), "--json"]
    found = subprocess.run(command, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["verdict"] == "valid"
    assert told["score"] == certificate.score


def test_the_command_refuses_an_altered_one(certificate: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "bea.json"
    path.write_text(text(certificate).replace('"Ann"', '"Bea"'), "utf-8")
    assert certificate_command(path, key=[HOUSE.public], json=True) == 1
    path.write_text(text(certificate), "utf-8")
    assert certificate_command(path, key=[HOUSE.public]) == 0
    assert certificate_command(path, key=["0" * 64]) == 1
    with pytest.raises(BadRequest, match="64 hexadecimal digits"):
        certificate_command(path, key=["mine"])
    with pytest.raises(BadData, match="cannot be read"):
        certificate_command(tmp_path / "nobody.json")


@pytest.mark.parametrize("hand", [0, 50])
def test_a_better_answer_written_in_is_found(certificate: Certificate, hand: int) -> None:
    """Also by somebody who can sign: the seed deals other cards than the answers pretend."""
    answers = list(certificate.answers)
    answers[hand] = ("fold",) if answers[hand] != ("fold",) else ("1x", "1x", "1x")
    changed = issue(msgspec.structs.replace(certificate, answers=tuple(answers)), HOUSE)
    assert check(changed, KINDS).verdict == "forged"


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((), "0 hands are answered, not 100"),
        ((("call",),) + ((),) * 99, "unknown answer 'call'"),
        ((("1x",),) + ((),) * 99, "hand 1 is not answered to its end"),
        ((("fold", "fold"),) + ((),) * 99, "the hand is over"),
    ],
)
def test_answers_that_nobody_can_give(
    certificate: Certificate, answers: tuple[tuple[str, ...], ...], why: str
) -> None:
    changed = issue(msgspec.structs.replace(certificate, answers=answers), HOUSE)
    found = check(changed, KINDS)
    assert found.verdict == "forged"
    assert why in found.reasons[0]


def test_other_rules_are_not_judged(certificate: Certificate) -> None:
    terms = certificate.terms | {"rules": "sha256:0"}
    changed = issue(msgspec.structs.replace(certificate, terms=terms), HOUSE)
    assert check(changed, KINDS).verdict == "unchecked"


def test_there_is_no_certificate_before_the_end() -> None:
    with pytest.raises(Refusal, match="not ended"):
        certified(begun(GAME, "exam", NOW), "Ann", HOUSE)


def test_an_answer_counts_once() -> None:
    session = begun(GAME, "play", NOW)
    hand = session.hand
    once = answered(session, price(hand, values_at(hand), "fold"), NOW)
    assert once.is_hand_over
    with pytest.raises(Refusal, match="answered") as refused:
        check_turn(once, 1, 0)
    assert refused.value.code == "already_done"
    second = next_hand(once, 1, NOW)
    assert (second.number, second.answers) == (2, ())
    with pytest.raises(Refusal, match="not the one to go on from"):
        next_hand(second, 1, NOW)


def test_a_daily_hand_is_the_same_for_everybody() -> None:
    first, second = begun(GAME, "daily", NOW), begun(GAME, "daily", NOW + timedelta(hours=3))
    assert first.hand.own == second.hand.own
    assert begun(GAME, "daily", NOW + timedelta(days=1)).hand.own != first.hand.own
    assert begun(GAME, "play", NOW).seed != begun(GAME, "play", NOW).seed
