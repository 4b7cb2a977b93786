"""Refusals as problem documents with code, message and clause."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import msgspec
from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

from croupier.errors import (
    BadAmount,
    BadRequest,
    CroupierError,
    Refusal,
    RuleBroken,
    UnknownName,
)
from croupier.ledger.faults import Conflict, JournalUnavailable
from croupier.ledger.signatures.chain import ChainBroken
from croupier.runtime.journal_session import StaleCommand


class Problem(msgspec.Struct, frozen=True):
    """A refusal (RFC 9457): `code` for programs, `message` for people, and the clause if a rule is
    involved. The refused request has changed nothing."""

    type: str
    title: str
    status: int
    code: str
    message: str
    clause: str | None = None


MEDIA_TYPE: Final = "application/problem+json"


class Denied(CroupierError):
    """Not signed in, not allowed, or not sent from our own pages."""

    code = "forbidden"


class HeadTooLarge(CroupierError):
    """The cookies or the address are longer than anybody needs here."""

    code = "cookies_too_large"


class NotThere(BadRequest):
    code = "not_found"


class TooMany(CroupierError):
    """A limit on requests, attempts or stored bytes is reached."""

    code = "too_many_requests"

    def __init__(self, message: str, seconds: float, *, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.seconds = max(1, round(seconds + 0.5))


class Overloaded(CroupierError):
    """The server or one of its queues is full: the request is rejected at once, before everybody
    waits."""

    code = "overloaded"


_FORBIDDEN: Final = (
    *("wrong_role", "not_yours", "not_on_record", "not_independent", "needs_cashier"),
)
_NOT_SIGNED_IN: Final = (
    *("signed_out", "wrong_password"),
    *("code_needed", "wrong_code", "enrol_second_factor"),
)
_BY_KIND: Final[tuple[tuple[type[CroupierError], int], ...]] = (
    (TooMany, 429),
    (HeadTooLarge, 431),
    (Denied, 403),
    (NotThere, 404),
    (StaleCommand, 409),
    (Conflict, 409),
    (JournalUnavailable, 503),
    (Overloaded, 503),
    (ChainBroken, 503),
    (RuleBroken, 422),
    (Refusal, 409),
    (BadAmount, 400),
    (UnknownName, 422),
    (BadRequest, 400),
)


def status_of(error: CroupierError) -> int:
    if error.code in _NOT_SIGNED_IN:
        return 401
    if error.code in _FORBIDDEN:
        return 403
    if error.code == "key_reused":
        return 422
    return next((status for error_type, status in _BY_KIND if isinstance(error, error_type)), 500)


def problem_of(error: CroupierError, status: int | None = None) -> Problem:
    status = status or status_of(error)
    return Problem(
        type=f"urn:croupier:problem:{error.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        code=error.code,
        message=error.message,
        clause=error.clause,
    )


def wants_page(path: str, accept: str) -> bool:
    """Return whether a person in a browser made the request, who gets a page instead of a
    document."""
    return "text/html" in accept and not path.startswith("/api/")


def retry_after(error: CroupierError) -> dict[str, str]:
    """Return the `Retry-After` header if trying again later helps."""
    if isinstance(error, TooMany):
        return {"Retry-After": str(error.seconds)}
    return {"Retry-After": "1"} if isinstance(error, Overloaded | JournalUnavailable) else {}


def problem_response(error: CroupierError, status: int | None = None) -> Response[Problem]:
    problem = problem_of(error, status)
    return Response(
        problem,
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=retry_after(error),
    )


_STATUS_WORDS: Final = {
    400: "The request does not have its form",
    401: "Nobody is signed in",
    403: "Not with this role, or not from our own pages",
    404: "There is no such thing",
    409: "Refused: not now, out of turn, stale or done already",
    422: "The rules forbid it",
    429: "Too many requests",
    503: "The journal cannot be used just now",
}

PROBLEMS: Final = {
    status: ResponseSpec(Problem, description=words, media_type=MEDIA_TYPE, generate_examples=False)
    for status, words in _STATUS_WORDS.items()
}
