"""A certificate says what the seed and the answers come to, or it is called forged, with why."""

from __future__ import annotations

import msgspec
import pytest

from croupier.errors import BadData, Refusal, UnknownName
from croupier.ledger.signatures.machine_key import MachineKey
from croupier.school.certificates import (
    Certificate,
    Unchecked,
    Verdict,
    check,
    commitment_to,
    hash_of,
    issue,
    read,
    text,
)

HOUSE = MachineKey(b"h" * 32)
STRANGER = MachineKey(b"s" * 32)


def sums(certificate: Certificate) -> dict[str, str]:
    """An exam for tests: every answer is right that is the length of the seed."""
    for given in certificate.answers:
        if given == ("nonsense",):
            raise Refusal("nonsense is no answer", code="bad_request")
    right = str(len(certificate.seed))
    return {"right": str(sum(given == (right,) for given in certificate.answers))}


KINDS = {"sums": sums}


@pytest.fixture
def certificate() -> Certificate:
    return issue(
        Certificate(
            1,
            "sums",
            "Sums",
            "Ann",
            "2026-05-02T12:00:00.000000Z",
            "2026-05-02T12:30:00.000000Z",
            "abcd",
            {"questions": "3"},
            (("4",), ("4",), ("5",)),
            {"right": "2"},
            "0.1",
        ),
        HOUSE,
    )


def judged(certificate: Certificate, **changed: object) -> Verdict:
    return check(msgspec.structs.replace(certificate, **changed), KINDS)


def test_a_true_one_is_valid_also_as_a_file(certificate: Certificate) -> None:
    found = check(read(text(certificate).encode()), KINDS, [HOUSE.public])
    assert found == Verdict("valid", (), HOUSE.public, {"right": "2"})


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"person": "Bea"}, "it was altered"),
        ({"score": {"right": "3"}}, "right is 3; the answers come to 2"),
        ({"score": {"right": "2", "wits": "9"}}, "wits is 9; the answers come to not part"),
        ({"score": {}}, "right is missing"),
        ({"answers": (("4",), ("4",), ("4",))}, "the answers come to 3"),
        ({"answers": (("nonsense",),)}, "cannot have been given: nonsense is no answer"),
        ({"seed": "abcde"}, "the answers come to 1"),
        ({"ended_at": "2026-05-02T11:00:00.000000Z"}, "before it began"),
        ({"ended_at": "soon"}, "no times"),
        ({"ended_at": "2026-05-02T11:00:00"}, "no times"),
        ({"signature": ""}, "nobody has signed it"),
        ({"key": STRANGER.public}, "the signature is not by the key"),
    ],
)
def test_an_altered_one_is_forged(
    certificate: Certificate, changed: dict[str, object], why: str
) -> None:
    found = judged(certificate, **changed)
    assert found.verdict == "forged"
    assert any(why in reason for reason in found.reasons), found.reasons


def test_a_new_hash_does_not_help_without_the_key(certificate: Certificate) -> None:
    changed = msgspec.structs.replace(certificate, person="Bea")
    again = msgspec.structs.replace(changed, hash=hash_of(changed))
    assert "the signature is not by the key" in check(again, KINDS).reasons[0]
    own = issue(changed, STRANGER)
    assert check(own, KINDS).verdict == "valid"  # whose key it is, only the reader can know
    assert check(own, KINDS, [HOUSE.public]).verdict == "forged"


def test_what_cannot_be_dealt_again_is_not_called_valid(certificate: Certificate) -> None:
    def cannot(_: Certificate) -> dict[str, str]:
        raise Unchecked("other rules")

    assert check(certificate, {"sums": cannot}).verdict == "unchecked"
    with pytest.raises(UnknownName):
        check(certificate, {})


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"[1]", b'{"croupier_certificate": "x"}'])
def test_what_is_no_certificate_is_refused(data: bytes) -> None:
    with pytest.raises(BadData, match="not a certificate"):
        read(data)


def test_another_form_is_refused(certificate: Certificate) -> None:
    newer = msgspec.structs.replace(certificate, croupier_certificate=2)
    with pytest.raises(BadData, match="form 2"):
        read(text(newer).encode())


def test_the_seed_is_committed_to() -> None:
    assert commitment_to("a") != commitment_to("b")
    assert len(commitment_to("a")) == 64
