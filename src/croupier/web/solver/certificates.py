"""Verification of certificates for anyone. An altered one is rejected at once; only intact, signed
ones are dealt again, one at a time, in a process beside the tables."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from anyio import to_thread
from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from croupier.errors import BadData, BadRequest
from croupier.ledger.signatures.machine_key import machine_key
from croupier.school.certificates import Certificate, Score, Verdict, altered, read
from croupier.web.accounts.guard import Buckets, Visit, visit_of
from croupier.web.server.problems import Overloaded
from croupier.web.server.requests import AnyRequest
from croupier.web.server.solver_process import PREPARING, Answers, SolverProcess, preparing

MOST_WAITING: Final = 4


class CheckedCertificate(msgspec.Struct, frozen=True):
    """A verified certificate. `score` is recomputed; `said` is the score on the certificate.
    `is_ours`: the house of this server signed it; otherwise compare `signed_by` with the key that
    the other house publishes."""

    verdict: str
    reasons: tuple[str, ...]
    title: str
    person: str
    began_at: str
    ended_at: str
    score: Score
    said: Score
    signed_by: str
    is_ours: bool


class CertificateChecks(Answers[str, Verdict]):
    """The verification of certificates. It belongs to the event loop."""

    remembered = 40

    def __init__(self, buckets: Buckets, process: SolverProcess | None = None) -> None:
        super().__init__(dealt_again, process)
        self._buckets = buckets

    async def check(self, text: str, visit: Visit) -> CheckedCertificate | None:
        """Return the checked certificate, or None while it is being dealt again: ask once more."""
        try:
            certificate = read(text.encode("utf-8", "replace"))
        except BadData as error:
            raise BadRequest(error.message) from None
        reasons = altered(certificate)
        if reasons:
            return await _told(certificate, Verdict("forged", reasons, certificate.key, {}))
        if not self.knows(text):
            self._buckets.take("certificates", visit.network)
            if self.waiting(text) >= MOST_WAITING:
                raise Overloaded("many certificates are being checked: try again in a moment")
        verdict = await self.ask(text)
        return None if verdict is None else await _told(certificate, verdict)


TheCertificateChecks: TypeAlias = NamedDependency[CertificateChecks]


async def _told(certificate: Certificate, verdict: Verdict) -> CheckedCertificate:
    house = await to_thread.run_sync(machine_key)
    return CheckedCertificate(
        verdict.verdict,
        verdict.reasons,
        certificate.title,
        certificate.person,
        certificate.began_at,
        certificate.ended_at,
        verdict.score,
        certificate.score,
        verdict.signed_by,
        verdict.signed_by == house.public,
    )


def dealt_again(text: str) -> Verdict:
    """Deal a certificate's exam again. Runs in the process beside the server, the only one that
    loads the solvers."""
    from croupier.school.certificate_kinds import KINDS
    from croupier.school.certificates import check

    return check(read(text.encode("utf-8", "replace")), KINDS)


class CertificateBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The certificate file as it was issued."""

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
        """Return the verdict: `valid`, `forged` with the reasons, or `unchecked` if this program
        has other rules. Status 202 means that the exam is still being dealt again: send the
        certificate once more."""
        checked = await certificate_checks.check(data.text, visit_of(request))
        return preparing() if checked is None else Response(checked)
