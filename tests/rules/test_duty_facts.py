"""Duties against what the engine does: a text that tells somebody the opposite fails here."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from croupier.deck_care.commands import HandleDeck
from croupier.deck_care.next_steps import step_of_deck
from croupier.deck_care.state import OPENING, Care, Deck
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.duties import Duty, all_duties, duties_of, keeps_folded_cards
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

WITH_FOLDS = [
    document
    for document in DOCUMENTS
    if any(d.otherwise == "fold" for d in load_rulebook(document).default.decisions)
]


def everything(document: str) -> Rules:
    return put_in_force(load_rulebook(document), Submission())


def at(document: str, step: str, role: str = "dealer") -> list[Duty]:
    return [d for d in all_duties(document) if (d.step, d.role) == (step, role)]


# -- the opening of a deck -------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("stage", list(OPENING))
def test_each_step_of_opening_a_deck_is_asked_of_those_who_may_do_it(
    document: str, stage: str
) -> None:
    rules = everything(document)
    book = rules.book.care
    assert book is not None
    deck = Deck("red", stage)  # type: ignore[arg-type]
    prompt = step_of_deck(deck, Care("manual_shoe", (deck,)), rules, book)
    assert prompt is not None
    section = re.split(r"[.(]", prompt.clause)[0]
    duties = [d for d in duties_of(rules, step=prompt.name) if d.clause.startswith(section)]
    assert duties, f"{prompt.name} is asked for by {prompt.clause}, which gives nobody a duty"
    assert {d.role for d in duties} <= set(prompt.by)
    assert all(d.role in HandleDeck.declared.by for d in duties)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_inspection_takes_a_second_person(document: str) -> None:
    assert {d.second for d in at(document, "inspect") if not d.needs} == {"floorperson"}
    (verified,) = at(document, "verify", "floorperson")
    assert verified.clause in {d.clause for d in at(document, "inspect")}
    assert at(document, "verify") == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_deck_lies_face_up_until_it_is_turned(document: str) -> None:
    assert all("face up" in d.words and "face down" not in d.words for d in at(document, "spread"))
    assert all("face down" in d.words and "face up" not in d.words for d in at(document, "turn"))
    first, second, third = (at(document, step)[0] for step in ("turn", "wash", "stack"))
    order = all_duties(document)
    assert order.index(first) < order.index(second) < order.index(third)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_cut_is_as_deep_as_the_engine_demands(document: str) -> None:
    book = load_rulebook(document).default.care
    assert book is not None
    said = [d for d in at(document, "cut") if "or more cards" in d.words]
    assert len(said) == 1
    assert {10: "ten"}[book.cut_least] in said[0].words.lower()


# -- the round ------------------------------------------------------------------------------------


def faces(duties: list[Duty]) -> list[str]:
    return [found for d in duties for found in re.findall(r"face[- ](?:up|down)", d.words)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_cards_are_dealt_face_down_and_revealed_face_up(document: str) -> None:
    assert set(faces(at(document, "deal"))) == {"face down", "face-down"} - (
        {"face-down"} if "face-down" not in faces(at(document, "deal")) else set()
    )
    turned = [d for d in at(document, "reveal") if "face up" in d.words or "urn up" in d.words]
    shown = {d.at for d in turned}
    assert {reveal.name for reveal in load_rulebook(document).default.reveals} <= shown
    unseen = [d for d in all_duties(document) if "stub" in d.words and "rack" in d.words]
    assert unseen
    assert all("unseen" in d.words for d in unseen)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_questions_and_reveals_stand_in_the_order_of_the_round(document: str) -> None:
    """What a dealer is told for each, and that clauses go forward with the round."""
    rules = everything(document)
    order = {duty: place for place, duty in enumerate(all_duties(document))}
    firsts = []
    for step in flow_of(rules).steps:
        name, moment = ("ask", step.decision) if isinstance(step, Ask) else ("reveal", step.reveal)
        own = [d for d in duties_of(rules, role="dealer", step=name, at=moment.name) if d.at]
        assert own, f"{moment.name}: nothing is told"
        firsts.append(max(order[d] for d in own))
    assert all(before < after for before, after in pairwise(firsts))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_questions_go_clockwise_from_the_left_and_settlement_back_from_the_right(
    document: str,
) -> None:
    asked = [d.words for d in at(document, "ask") if "clockwise" in d.words]
    settled = [d.words for d in at(document, "settle") if "clockwise" in d.words]
    assert asked
    assert settled
    assert all("far left" in w and "counterclockwise" not in w for w in asked)
    assert all("far right" in w and "counterclockwise" in w for w in settled)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_multiples_that_players_are_told_are_those_the_engine_takes(document: str) -> None:
    named = {1: ("equal", "exactly your", "one ante"), 2: ("twice",)}
    named |= {3: ("three",), 4: ("four",)}
    for decision in load_rulebook(document).default.decisions:
        told = " ".join(
            d.words.lower()
            for d in all_duties(document)
            if (d.step, d.at) == ("ask", decision.name)
        )
        for multiple in decision.bets.values():
            assert any(word in told for word in named[multiple]), (decision.name, multiple)


# -- folded cards ---------------------------------------------------------------------------------


@pytest.mark.parametrize("document", WITH_FOLDS)
def test_the_words_keep_the_cards_that_the_engine_keeps(document: str) -> None:
    """MD-09, A14, B18, MA-20: against the flow by which the engine asks for folded cards."""
    rules = everything(document)
    optional = {n for n, w in rules.book.wagers.items() if w.role == "optional"}
    needed = optional - flow_of(rules).decided_by_fold
    on_board = {"play_the_board"} & optional
    """It is settled on the board alone: no player's cards."""
    assert set(keeps_folded_cards(rules)) == needed - on_board


@pytest.mark.parametrize("document", WITH_FOLDS)
def test_no_folded_hand_is_racked_without_a_look_at_its_wagers(document: str) -> None:
    for duty in at(document, "fold"):
        if "rack" in duty.words:
            assert duty.words.endswith("at once, if no {kept} is live.")
        elif duty.wager:
            assert "face down" in duty.words
            assert duty.words.endswith("until it is settled.") or "until that bet" in duty.words
        else:
            assert "tray" in duty.words


# -- the progressive ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document", [d for d in DOCUMENTS if any(x.step == "validate" for x in all_duties(d))]
)
def test_nothing_is_paid_before_a_floorperson_validates(document: str) -> None:
    called = [d for d in at(document, "validate") if d.second == "floorperson"]
    assert called
    (validates,) = at(document, "validate", "floorperson")
    assert validates.clause in {d.clause for d in called}
    assert validates.screen == "floor"
    paid = [
        d for d in at(document, "award") if d.words.startswith(("After validation", "Pay the pro"))
    ]
    assert paid
    order = all_duties(document)
    assert all(order.index(validates) < order.index(d) for d in paid)
