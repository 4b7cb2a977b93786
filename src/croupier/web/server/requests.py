"""Types of the parameters of request handlers."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.params import FromPath, QueryParameter

AnyRequest: TypeAlias = Request[Any, Any, Any]
NameInPath: TypeAlias = FromPath[str]
PageNumber: TypeAlias = Annotated[
    int, QueryParameter(name="page", ge=1, le=10**6, description="1 is the first")
]
PageSize: TypeAlias = Annotated[
    int, QueryParameter(name="size", ge=1, le=100, description="How many a page has at most")
]
