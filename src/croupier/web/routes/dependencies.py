"""What handlers are given: the request, names out of the path, and what the application has."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from croupier.web.advising import Adviser
from croupier.web.certificate_checks import CertificateChecks
from croupier.web.designing import Designer, DesignReports
from croupier.web.guard import Buckets, Sessions
from croupier.web.pit import Pit
from croupier.web.practice import Practice
from croupier.web.school import School
from croupier.web.shoes import Shoes
from croupier.web.verifying import Verifications
from croupier.web.wager_figures import Figures

__all__ = [
    "AnyRequest",
    "NameInPath",
    "PageNumber",
    "PageSize",
    "TheAdviser",
    "TheBuckets",
    "TheCertificateChecks",
    "TheDesignReports",
    "TheDesigner",
    "TheFigures",
    "ThePit",
    "ThePractice",
    "TheSchool",
    "TheSessions",
    "TheShoes",
    "TheVerifications",
]

AnyRequest: TypeAlias = Request[Any, Any, Any]
NameInPath: TypeAlias = FromPath[str]
PageNumber: TypeAlias = Annotated[
    int, QueryParameter(name="page", ge=1, le=10**6, description="1 is the first")
]
PageSize: TypeAlias = Annotated[
    int, QueryParameter(name="size", ge=1, le=100, description="How many a page has at most")
]
ThePit: TypeAlias = NamedDependency[Pit]
ThePractice: TypeAlias = NamedDependency[Practice]
TheSessions: TypeAlias = NamedDependency[Sessions]
TheVerifications: TypeAlias = NamedDependency[Verifications]
TheBuckets: TypeAlias = NamedDependency[Buckets]
TheAdviser: TypeAlias = NamedDependency[Adviser]
TheCertificateChecks: TypeAlias = NamedDependency[CertificateChecks]
TheDesigner: TypeAlias = NamedDependency[Designer]
TheDesignReports: TypeAlias = NamedDependency[DesignReports]
TheFigures: TypeAlias = NamedDependency[Figures]
TheSchool: TypeAlias = NamedDependency[School]
TheShoes: TypeAlias = NamedDependency[Shoes]
