"""Every ambiguity of the documents is answered once: by a switch, or by an adopted reading."""

from __future__ import annotations

import msgspec
import pytest

from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clause_named
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.readings import AdoptedReading, adopted_readings

EXPECTED = {
    "md-uth": [f"MD-{number:02d}" for number in range(1, 64)],
    "ma-uth": [f"MA-{number:02d}" for number in range(1, 37)],
    "md-jackpot": [f"A{number}" for number in range(1, 35)],
    "md-wpt": [f"B{number}" for number in range(1, 35)],
    "md-235": [f"C{number}" for number in range(1, 30)],
}

ADOPTED = [
    pytest.param(document, adopted, id=adopted.id)
    for document in DOCUMENTS
    for adopted in adopted_readings(document)
]


def switched(document: str) -> set[str]:
    """Ids that switches answer; one id may concern several switches."""
    readings = load_rulebook(document).default.readings.values()
    return {id_ for reading in readings for id_ in reading.ids}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_ambiguity_is_answered_exactly_once(document: str) -> None:
    adopted = [reading.id for reading in adopted_readings(document)]
    assert len(adopted) == len(set(adopted))
    assert not switched(document) & set(adopted)
    assert switched(document) | set(adopted) == set(EXPECTED[document])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_adopted_readings_stand_in_the_order_of_their_ids(document: str) -> None:
    adopted = [reading.id for reading in adopted_readings(document)]
    assert adopted == [id_ for id_ in EXPECTED[document] if id_ in adopted]


@pytest.mark.parametrize(("document", "adopted"), ADOPTED)
def test_clauses_exist(document: str, adopted: AdoptedReading) -> None:
    assert adopted.clauses
    assert len(set(adopted.clauses)) == len(adopted.clauses)
    assert [id_ for id_ in adopted.clauses if clause_named(document, id_) is None] == []


@pytest.mark.parametrize(("document", "adopted"), ADOPTED)
def test_texts_are_whole_sentences(document: str, adopted: AdoptedReading) -> None:
    assert adopted.question.endswith("?")
    for text in (adopted.question, adopted.reading, adopted.reason):
        assert text == " ".join(text.split())
        assert text.endswith((".", "?"))
        assert text[0].isupper() or text[0].isdigit()


def test_unknown_fields_are_refused() -> None:
    first = msgspec.to_builtins(adopted_readings("md-uth")[0])
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({**first, "note": "x"}, AdoptedReading)
