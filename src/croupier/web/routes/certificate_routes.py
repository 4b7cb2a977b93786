"""Is this certificate true? For whoever holds one: nobody has to sign in."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, post
from litestar.params import JSONBody

from croupier.web.guard import visit_of
from croupier.web.routes.dependencies import AnyRequest, TheCertificateChecks
from croupier.web.routes.round_routes import PREPARING, preparing

__all__ = ["Certificates"]


class CertificateBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it was given out."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=150_000)]


class Certificates(Controller):
    path = "/api/v1/certificates"
    tags = ("school",)

    @post("/check", status_code=200, summary="Is a certificate true?", responses=PREPARING)
    async def check(
        self,
        request: AnyRequest,
        data: JSONBody[CertificateBody],
        certificate_checks: TheCertificateChecks,
    ) -> Response[Any]:
        """`valid`, `forged` with the reasons, or `unchecked` where this program has other rules.
        202: the exam is being dealt again, send it once more."""
        found = await certificate_checks.check(data.text, visit_of(request))
        return preparing() if found is None else Response(found)
