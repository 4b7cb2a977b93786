"""The problems that every endpoint may answer with, for its description."""

from __future__ import annotations

from typing import Final

from litestar.openapi.datastructures import ResponseSpec

from croupier.web.forms import Problem
from croupier.web.problems import MEDIA_TYPE

__all__ = ["PROBLEMS"]

_TOLD: Final = {
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
    status: ResponseSpec(Problem, description=told, media_type=MEDIA_TYPE, generate_examples=False)
    for status, told in _TOLD.items()
}
