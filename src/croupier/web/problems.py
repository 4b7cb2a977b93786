"""Every no of the server's as a problem document: code, message, clause; nothing has changed."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from croupier.errors import (
    BadAmount,
    BadRequest,
    CroupierError,
    Refusal,
    RuleBroken,
    UnknownName,
    plain,
)
from croupier.ledger.faults import Conflict, JournalUnavailable
from croupier.web.forms import Problem

__all__ = [
    "HANDLERS",
    "MEDIA_TYPE",
    "Denied",
    "NotThere",
    "Stale",
    "TooMany",
    "problem_of",
    "problem_response",
]

MEDIA_TYPE: Final = "application/problem+json"
_log = logging.getLogger("croupier.web")


class Denied(CroupierError):
    """Not signed in, not allowed, or not from our own pages."""

    code = "forbidden"


class NotThere(BadRequest):
    code = "not_found"


class Stale(CroupierError):
    """Meant for a table that has gone on. Nobody has tried anything unlawful."""

    code = "stale"


class TooMany(CroupierError):
    code = "too_many_requests"

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = max(1, round(seconds + 0.5))


_FORBIDDEN: Final = ("wrong_role", "not_yours")
_BY_KIND: Final[tuple[tuple[type[CroupierError], int], ...]] = (
    (TooMany, 429),
    (Denied, 403),
    (NotThere, 404),
    (Stale, 409),
    (Conflict, 409),
    (JournalUnavailable, 503),
    (RuleBroken, 422),
    (Refusal, 409),
    (BadAmount, 400),
    (UnknownName, 422),
    (BadRequest, 400),
)


def status_of(error: CroupierError) -> int:
    if error.code in ("signed_out", "wrong_password"):
        return 401
    if error.code in _FORBIDDEN:
        return 403
    if error.code == "key_reused":
        return 422
    return next((status for kind, status in _BY_KIND if isinstance(error, kind)), 500)


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


def problem_response(error: CroupierError, status: int | None = None) -> Response[Problem]:
    problem = problem_of(error, status)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TooMany) else {}
    return Response(problem, status_code=problem.status, media_type=MEDIA_TYPE, headers=headers)


def _ours(request: Request[Any, Any, Any], error: CroupierError) -> Response[Any]:
    return page_or_problem(request, error)


def page_or_problem(
    request: Request[Any, Any, Any], error: CroupierError, status: int | None = None
) -> Response[Any]:
    """People who follow a link are told on a page, programs in a document."""
    response = problem_response(error, status)
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", "/static/")):
        return response
    from croupier.web.routes.pages import problem_page

    page = problem_page(request, problem_of(error, status))
    page.headers.update(response.headers)
    return page


def _litestars(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    status = error.status_code
    if isinstance(error, ValidationException):
        told = CroupierError(_validation(error), code="bad_data")
    elif isinstance(error, NotFoundException):
        told = CroupierError(
            f"there is nothing at {plain(request.url.path, 200)}", code="not_found"
        )
    elif isinstance(error, MethodNotAllowedException):
        told = CroupierError(f"{request.method} is not possible here", code="method_not_allowed")
    else:
        told = CroupierError(plain(error.detail, 300), code="bad_request")
    response = page_or_problem(request, told, status)
    response.headers.update(error.headers or {})
    return response


def _validation(error: ValidationException) -> str:
    """Where the request differs from its form, in a sentence."""
    parts = []
    for one in error.extra if isinstance(error.extra, list) else []:
        if isinstance(one, dict):
            where = f"{one['key']}: " if one.get("key") not in (None, "data") else ""
            parts.append(f"{where}{one.get('message', '')}")
    return plain("; ".join(parts) or error.detail, 300)


def _unexpected(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    _log.error("a request failed", exc_info=error)
    return problem_response(
        CroupierError("this is a fault of the program, not yours", code="internal"), 500
    )


HANDLERS: Final[dict[Any, Any]] = {
    CroupierError: _ours,
    HTTPException: _litestars,
    Exception: _unexpected,
}
