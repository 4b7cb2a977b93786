"""A rulebook, bundled or your own, with an operator's choices in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from croupier.errors import BadRequest, plain, suggest
from croupier.files import is_toml_file
from croupier.library import html
from croupier.money import parse_pays, pays_object
from croupier.rounds.settle_requests import RequestSettler
from croupier.rulebooks import loader
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.rules import Rules, rules_for, submission_of
from croupier.rulebooks.schema import Decision, Paytable, Wager
from croupier.rulebooks.schema import Rulebook as Document
from croupier.rulebooks.submission import Submission, read_submission

AnySubmission: TypeAlias = Submission | Mapping[str, Any] | str | Path | None
"""An operator's choices: the contract's object, or the path of a TOML file."""


class Rulebook:
    """One game by one document, with the paytables, readings and options that are in force.

    `load_rulebook` returns one. It never changes; `choosing` returns another one.
    """

    def __init__(self, file: loader.RulebookFile, text: str, submission: Submission) -> None:
        """`text` is the whole file of a rulebook that is not bundled."""
        self.file = file
        self.text = text
        self.submission = submission
        self.rules: Rules = rules_for(file.default.id, text, self.submission_json)

    @property
    def document(self) -> Document:
        """The whole file as the engine reads it."""
        return self.rules.book

    @property
    def id(self) -> str:
        """The rulebook's id: `md-uth`."""
        return self.document.id

    @property
    def title(self) -> str:
        """The game's name."""
        return self.document.title

    @property
    def wagers(self) -> dict[str, Wager]:
        """The wagers by name, in the order of settlement."""
        return self.document.wagers

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions put to a player, in order."""
        return self.document.decisions

    @property
    def paytables(self) -> Mapping[str, str]:
        """The table in force of every wager that has a choice: `{"trips": "B"}`."""
        return self.rules.chosen

    @property
    def readings(self) -> Mapping[str, str]:
        """The choice in force for each passage that can be read in more than one way."""
        return self.rules.readings

    def paytable(self, wager: str, table: str | None = None) -> Paytable:
        """Return a wager's paytable: the one in force, or the one named."""
        known = self.document.paytables
        if wager not in known:
            raise suggest("wager with paytables", wager, known)
        table = table or self.rules.chosen.get(wager) or next(iter(known[wager]))
        if table not in known[wager]:
            raise suggest(f"paytable for {wager!r}", table, known[wager])
        return known[wager][table]

    def choosing(
        self,
        submission: AnySubmission = None,
        *,
        paytables: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Rulebook:
        """Return the same rulebook under other choices: `submission` replaces the present ones, the
        others change some of them."""
        chosen = self.submission if submission is None else _read(submission)
        if chosen.rulebook not in ("", self.id):
            raise BadRequest(
                f"the submission is for {plain(chosen.rulebook)}, not for {plain(self.id)}"
            )
        chosen = msgspec.structs.replace(
            chosen,
            paytables={**chosen.paytables, **(paytables or {})},
            readings={**chosen.readings, **(readings or {})},
            options={**chosen.options, **(options or {})},
        )
        return self if chosen == self.submission else Rulebook(self.file, self.text, chosen)

    @cached_property
    def submission_json(self) -> str:
        """The choices as the journal keeps them, without those left at their default."""
        choices, defaults = msgspec.to_builtins(self.submission), msgspec.to_builtins(Submission())
        stated = {name: value for name, value in choices.items() if value != defaults[name]}
        return msgspec.json.encode(stated, order="sorted").decode()

    @cached_property
    def settler(self) -> RequestSettler:
        """The engine that settles rounds; it memoizes submissions."""
        return RequestSettler({self.file.default.id: self.file})

    def __eq__(self, rulebook: object) -> bool:
        if not isinstance(rulebook, Rulebook):
            return NotImplemented
        return self._key() == rulebook._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Callable[..., Rulebook], tuple[str, str, str]]:
        return recalled, self._key()

    def __deepcopy__(self, _: object) -> Rulebook:
        return self

    def _key(self) -> tuple[str, str, str]:
        return self.file.default.id, self.text, self.submission_json

    def to_dict(self) -> dict[str, Any]:
        """Return all paytables, as `croupier paytables --json` prints them."""
        return {self.id: paytables_object(self.document)}

    def to_json(self) -> str:
        """Return all paytables as a line of JSON."""
        return msgspec.json.encode(self.to_dict()).decode()

    def __repr__(self) -> str:
        chosen = ", ".join(f"{wager} {table}" for wager, table in self.paytables.items())
        return f"<Rulebook {self.id}: {self.title}; paytables {chosen}>"

    def _repr_html_(self) -> str:
        book = self.document
        wagers = [
            (wager.title, name, wager.role, self.paytables.get(name, ""), wager.clause)
            for name, wager in book.wagers.items()
        ]
        decisions = [
            (decision.name, ", ".join((*decision.bets, decision.otherwise)), decision.clause)
            for decision in book.decisions
        ]
        return html.page(
            f"{book.title} ({book.jurisdiction}, {book.id})",
            html.note(book.summary),
            html.grid(("wager", "name", "", "paytable", "clause"), wagers),
            html.grid(("decision", "answers", "clause"), decisions),
        )


AnyRulebook: TypeAlias = str | Path | Rulebook
"""An id (`"md-uth"`), the path of a rulebook file, or a rulebook."""


def bundled_rulebooks() -> tuple[str, ...]:
    """Return the ids of the bundled rulebooks."""
    return tuple(BUNDLED)


def load_rulebook(
    rulebook: AnyRulebook,
    submission: AnySubmission = None,
    *,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Rulebook:
    """Return a bundled rulebook by its id, or any by the path of its `.toml` file, with these
    choices in force."""
    book = rulebook if isinstance(rulebook, Rulebook) else _opened(rulebook)
    return book.choosing(submission, paytables=paytables, readings=readings, options=options)


def _opened(rulebook: str | Path) -> Rulebook:
    if not is_toml_file(str(rulebook)):
        return _bundled(str(rulebook))
    text = loader.toml_text(Path(rulebook))  # once: standard input is a file too
    return Rulebook(loader.rulebook_from(text, plain(rulebook, 200)), text, Submission())


@cache
def _bundled(name: str) -> Rulebook:
    return Rulebook(loader.load_rulebook(name), "", Submission())


def recalled(rulebook: str, text: str, submission: str) -> Rulebook:
    """Return a table's rulebook from the journal's record of it."""
    if not text:
        return Rulebook(loader.load_rulebook(rulebook), "", submission_of(submission))
    file = loader.RulebookFile(loader.parse_toml(text, rulebook), rulebook)
    return Rulebook(file, text, submission_of(submission))


def _read(submission: AnySubmission) -> Submission:
    if isinstance(submission, Submission):
        return submission
    if isinstance(submission, str | Path):
        return read_submission(Path(submission))
    return into_form(dict(submission or {}), Submission, "submission")


def paytables_object(book: Document) -> dict[str, dict[str, list[dict[str, object]]]]:
    """Return the paytables as the contract writes them: wager, table, lines."""
    return {
        family: {
            table_id: [
                {
                    "hand": line.hand,
                    "pays": pays_object(parse_pays(line.pays)),
                    "clause": line.clause,
                }
                for line in table.lines
            ]
            for table_id, table in tables.items()
        }
        for family, tables in book.paytables.items()
    }
