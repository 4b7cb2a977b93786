"""The choices of an operator, and the check of a submission."""

from __future__ import annotations

from functools import cache

import msgspec
from litestar import Controller, get, post

from croupier.errors import BadData
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.loader import load_rulebook
from croupier.submissions.choices import Choices, choices_of
from croupier.submissions.starting import starting_submission, submission_toml
from croupier.submissions.uploads import CheckedUpload, Upload
from croupier.web.accounts.guard import visit_of
from croupier.web.server.problems import PROBLEMS, NotThere
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.pit import ThePit

__all__ = ["Submissions"]

_JSON = "application/json"


class RulebookCard(msgspec.Struct, frozen=True):
    id: str
    title: str
    jurisdiction: str
    document: str


class RulebooksForm(msgspec.Struct, frozen=True):
    rulebooks: tuple[RulebookCard, ...]


class ChoicesForm(msgspec.Struct, frozen=True):
    """The choices of a rulebook. `toml` is a complete, lawful submission to start from, with the
    first choices."""

    choices: Choices
    toml: str


class Submissions(Controller):
    path = "/api/v1"
    tags = ("house",)

    @get("/rulebooks", summary="The bundled rulebooks", responses=PROBLEMS)
    async def rulebooks(self, pit: ThePit) -> RulebooksForm:
        forms: RulebooksForm = await pit.blocking(_rulebooks)
        return forms

    @get("/rulebooks/{rulebook:str}", summary="What it leaves open", responses=PROBLEMS)
    async def choices(self, rulebook: NameInPath, pit: ThePit) -> ChoicesForm:
        """Return everything that a submission for this rulebook can state."""
        if rulebook not in BUNDLED:
            raise NotThere(f"there is no rulebook {rulebook[:60]!r}: GET /api/v1/rulebooks")
        form: ChoicesForm = await pit.blocking(lambda: _choices(rulebook))
        return form

    @post("/submissions/check", status_code=200, summary="Is it lawful?", responses=PROBLEMS)
    async def check(self, request: AnyRequest, pit: ThePit) -> CheckedUpload:
        """Return the findings of `croupier check`, clause by clause. The body is the submission as
        TOML, or JSON with `toml` or `submission`, and with `rulebook_text` for a rulebook of your
        own."""
        visit_of(request).working("check a submission", "floorperson", "operator")
        upload = _upload(await request.body(), request.headers.get("content-type", ""))
        return await pit.checking(lambda: pit.checker.check(upload))


@cache
def _rulebooks() -> RulebooksForm:
    books = [load_rulebook(rulebook).default for rulebook in BUNDLED]
    return RulebooksForm(
        tuple([RulebookCard(b.id, b.title, b.jurisdiction, b.document) for b in books])
    )


@cache
def _choices(rulebook: str) -> ChoicesForm:
    file = load_rulebook(rulebook)
    return ChoicesForm(choices_of(file), submission_toml(starting_submission(file)))


def _upload(body: bytes, upload_type: str) -> Upload:
    if upload_type.partition(";")[0].strip().lower() == _JSON:
        return read_json(body, Upload)
    try:
        return Upload(toml=body.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadData("the submission is not UTF-8 text") from None
