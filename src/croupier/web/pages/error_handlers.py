"""Error handlers: a page for people in a browser, a problem document for programs."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import MediaType, Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from croupier.errors import BadData, CroupierError, plain
from croupier.web.accounts.guard import visit_of
from croupier.web.pages.pages import problem_text
from croupier.web.server.problems import problem_of, problem_response, wants_page

_log = logging.getLogger("croupier.web")


def _ours(request: Request[Any, Any, Any], error: CroupierError) -> Response[Any]:
    return _page_or_problem(request, error)


def _page_or_problem(
    request: Request[Any, Any, Any], error: CroupierError, status: int | None = None
) -> Response[Any]:
    """Return a page for people in a browser, a problem document for programs."""
    response = problem_response(error, status)
    if not wants_page(request.scope["path"], request.headers.get("accept", "")):
        return response
    pit, problem = request.app.state.services.pit, problem_of(error, status)
    return Response(
        problem_text(pit.settings, problem, visit_of(request).person),
        status_code=problem.status,
        media_type=MediaType.HTML,
        headers=dict(response.headers),
    )


def _litestars(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    status = error.status_code
    if isinstance(error, ValidationException):
        problem = CroupierError(_validation(error), code="bad_data")
    elif isinstance(error, NotFoundException):
        problem = CroupierError(
            f"there is nothing at {plain(request.url.path, 200)}", code="not_found"
        )
    elif isinstance(error, MethodNotAllowedException):
        problem = CroupierError(f"{request.method} is not possible here", code="method_not_allowed")
    else:
        problem = CroupierError(plain(error.detail, 300), code="bad_request")
    response = _page_or_problem(request, problem, status)
    response.headers.update(error.headers or {})
    return response


def _validation(error: ValidationException) -> str:
    """Return a sentence that says where the request differs from its form."""
    parts = []
    for entry in error.extra if isinstance(error.extra, list) else []:
        if isinstance(entry, dict):
            where = f"{entry['key']}: " if entry.get("key") not in (None, "data") else ""
            parts.append(f"{where}{entry.get('message', '')}")
    return plain("; ".join(parts) or error.detail, 300)


def _unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.error("a request failed", exc_info=error)
    problem = CroupierError("this is a fault of the program, not yours", code="internal")
    try:
        return _page_or_problem(request, problem, 500)
    except Exception:  # the page itself may be what is broken
        return problem_response(problem, 500)


def _too_deep(request: Request[Any, Any, Any], error: RecursionError) -> Response[Any]:
    """Answer JSON that is nested too deeply, for which msgspec raises a RecursionError."""
    if "deserializing" not in str(error):
        return _unexpected(request, error)
    return _page_or_problem(request, BadData("this is nested too deeply for a request"))


def _no_text(request: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Any]:
    problem = BadData(f"this is not UTF-8: {error.reason} at byte {error.start}")
    return _page_or_problem(request, problem)


HANDLERS: Final[dict[Any, Any]] = {
    CroupierError: _ours,
    HTTPException: _litestars,
    RecursionError: _too_deep,
    UnicodeDecodeError: _no_text,
    Exception: _unexpected,
}
