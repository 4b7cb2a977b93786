"""Certificates that anybody brings, checked for everybody: what was altered is found at once; only
what is whole and signed is dealt again, one after the other, in a process beside the tables."""

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
    """`score` as it was recomputed, `said` as the certificate has it. `is_ours`: the house of this
    server signed it; else compare `signed_by` with the key that the other house names."""

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
    """Belongs to the event loop."""

    remembered = 40

    def __init__(self, buckets: Buckets, process: SolverProcess | None = None) -> None:
        super().__init__(dealt_again, process)
        self._buckets = buckets

    async def check(self, text: str, visit: Visit) -> CheckedCertificate | None:
        """None: it is being dealt again, ask once more."""
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
    """In the process beside the server, which alone loads the solvers."""
    from croupier.school.certificate_kinds import KINDS
    from croupier.school.certificates import check

    return check(read(text.encode("utf-8", "replace")), KINDS)


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
        checked = await certificate_checks.check(data.text, visit_of(request))
        return preparing() if checked is None else Response(checked)
