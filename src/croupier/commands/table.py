"""`croupier table open`, `do` and `close`: commands given to a table, and what came of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeGuard

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.check import print_findings
from croupier.commands.journal import opened
from croupier.commands.output import console, print_json, styled
from croupier.commands.stderr import print_refusal
from croupier.errors import BadRequest, CroupierError, Refusal, RuleBroken, plain, suggest
from croupier.files import is_toml_file
from croupier.ledger.data_folder import journal_to_write
from croupier.ledger.history.past_rounds import face_down
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import Asker
from croupier.money import parse_cents
from croupier.reports.story import with_cards
from croupier.rounds.declaration import ROLES, Actor, Role, tag_of, to_json
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.loader import open_rulebook, parse_toml, toml_text
from croupier.rulebooks.rules import progressive_wager, rules_for, submission_of
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import ApprovalTerms, Submission, read_submission
from croupier.runtime.house import House
from croupier.runtime.journal_session import CommandResult, Expected, JournalSession
from croupier.runtime.signing import signing
from croupier.submissions.approvals import approval_findings
from croupier.submissions.check import check_file
from croupier.submissions.findings import Finding
from croupier.tables.command_input import checked_actor, command_from_words, usage
from croupier.tables.commands import COMMANDS, Assign, CloseTable, OpenTable, TableCommand
from croupier.tables.duty import check_one_live_table
from croupier.tables.sentences import describe_event, describe_plan, meter_lines
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import confirmed

__all__ = [
    "Closing",
    "Given",
    "Opening",
    "Terms",
    "actor_of",
    "close_table",
    "do",
    "list_commands",
    "open_table",
    "refuse_submission",
    "terms_of",
]


class Opening(NamedTuple):
    """What a person says when he opens a table."""

    terms: str
    name: str | None
    source: Literal["live", "virtual"]
    inventory: str | None
    link: str
    chips: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()


class Given(NamedTuple):
    """A command as it is typed."""

    command: str
    fields: tuple[str, ...]
    request: str | None
    foresee: bool
    duties: str = ""


def actor_of(acting: str | None) -> Actor:
    """Who acts has to be said: nothing is done in nobody's name."""
    roles = ", ".join(ROLES)
    if acting is None:
        raise BadRequest(f"who acts? Add --as ROLE:NAME, as in --as dealer:Dan (roles: {roles})")
    role, sign, name = acting.partition(":")
    if not sign or not name.strip():
        raise BadRequest(f"--as {plain(acting)}: write ROLE:NAME, as in dealer:Dan")
    if not _is_role(role):
        raise suggest("role", role, ROLES)
    return checked_actor(Actor(role, name.strip()))


def _is_role(text: str) -> TypeGuard[Role]:
    return text in ROLES


# -- do, close ------------------------------------------------------------------------------------


def do(name: str, given: Given, acting: str | None, journal: str | None, *, as_json: bool) -> int:
    tag = given.command.replace("-", "_")
    if tag not in COMMANDS:
        raise suggest("command", given.command, COMMANDS)
    actor = actor_of(acting)
    if given.request is not None and not given.request.strip():
        raise BadRequest("--request is empty: write a key of your own, or leave it out")
    fields = list(given.fields)
    if tag == "open_table" and not any(field.startswith("table=") for field in fields):
        fields.append(f"table={name}")
    command = command_from_words(tag, fields, actor)
    with opened(journal) as store:
        return _give(store, name, command, actor, given, as_json=as_json)


class Closing(NamedTuple):
    """What a person says when he closes a table."""

    void_reason: str
    reason: str
    chips: tuple[str, ...] = ()


def close_table(
    name: str, closing: Closing, acting: str | None, journal: str | None, *, as_json: bool
) -> int:
    given = Given("close_table", (), None, foresee=False)
    command = CloseTable(closing.void_reason, closing.reason, _chips(closing.chips))
    with opened(journal) as store:
        return _give(store, name, command, actor_of(acting), given, as_json=as_json)


def _give(
    store: Journal, name: str, command: TableCommand, actor: Actor, given: Given, *, as_json: bool
) -> int:
    """Carry a command out, or look at what it would do; a refusal ends with 1."""
    session = JournalSession(store, name)
    repeated = False
    try:
        if isinstance(command, Assign) and actor.role in command.declared.by:
            _check_assignment(store, session, command, actor)
        if given.foresee:
            told, table = describe_plan(session.foresee(command, actor)), session.table
        else:
            key = None if given.request is None else f"{actor}:{given.request}"
            expected = Expected(duties=_duties(session, command, actor, given.duties))
            done = session.carry_out(command, actor, key, expected)
            table, repeated = done.plan.table if done.plan else session.table, done.repeated
            told = _told(done, table)
    except CroupierError as error:
        if not isinstance(error, Refusal | RuleBroken) and not error.clause:
            raise
        print_refusal(error, as_json=as_json)
        return 1
    if as_json:
        print_json(
            {
                "table": name,
                "version": table.version,
                "command": _as_typed(command),
                "by": msgspec.to_builtins(actor),
                "repeated": repeated,
                "foreseen": given.foresee,
                "told": told,
            }
        )
        return 0
    if repeated:
        console().print("Done before under this key; nothing new has happened:", style="dim")
    if given.foresee:
        console().print("This would happen:", style="dim")
    for line in told:
        console().print(with_cards(line), soft_wrap=True)
    return 0


def _duties(
    session: JournalSession, command: TableCommand, actor: Actor, typed: str
) -> tuple[str, ...]:
    """The clauses of the duties that the person says they have done; only those of this command."""
    if not typed.strip():
        return ()
    clauses = tuple(dict.fromkeys(clause.strip() for clause in typed.split(",")))
    table = session.table
    known = [d.clause for d in confirmed(command, actor, table, rules_of(table), session.now())]
    unknown = [clause for clause in clauses if clause not in known]
    if unknown:
        there = ", ".join(dict.fromkeys(known)) or "none"
        raise BadRequest(
            f"{plain(', '.join(unknown))}: no duty that {actor.name} does with {tag_of(command)} "
            f"now; the duties are {there}"
        )
    return clauses


def _check_assignment(
    store: Journal, session: JournalSession, command: Assign, actor: Actor
) -> None:
    try:
        check_one_live_table(session.table, command, House(store).all_tables())
    except Refusal as refusal:
        session.record_attempt(command, Asker(actor.role, actor.name), refusal)
        raise


def _told(done: CommandResult, table: Table) -> list[str]:
    """What happened, without the cards that lie face down while their round is in play."""
    is_over = table.round.phase == "over"
    events = done.events if is_over else [face_down(event) for event in done.events]
    told = [line for event in events for line in describe_event(event, table)]
    return told if done.plan is None else told + meter_lines(done.plan)


def _as_typed(command: TableCommand) -> dict[str, Any]:
    """The command without what only the house fills in."""
    found: dict[str, Any] = msgspec.json.decode(to_json(command.outside()))
    return {name: value for name, value in found.items() if name not in command.declared.filled}


def list_commands(*, as_json: bool) -> int:
    """Every command with its label, who may give it, and its fields."""
    if as_json:
        print_json(
            {
                "commands": [
                    {
                        "command": tag,
                        "label": kind.declared.label,
                        "roles": kind.declared.by,
                        "usage": usage(kind),
                        "foreseen": kind.declared.foreseen,
                    }
                    for tag, kind in COMMANDS.items()
                ]
            }
        )
        return 0
    grid = Grid("command", "what it does", "who", box=None, padding=(0, 2, 0, 0))
    grid.add_column("fields", overflow="fold")
    for tag, kind in COMMANDS.items():
        declared = kind.declared
        who = "anybody" if declared.by == ROLES else ", ".join(declared.by)
        grid.add_row(Text(tag, "bold"), declared.label, who, Text(usage(kind)))
    out = console()
    out.print(grid)
    out.print(
        "\ncroupier table do TABLE COMMAND name=value… --as ROLE:NAME; what stands in brackets may "
        "be left out.",
        style="dim",
        markup=False,
    )
    return 0


# -- open -----------------------------------------------------------------------------------------


class Terms(NamedTuple):
    rulebook: str
    rulebook_text: str
    submission: str
    findings: list[Finding]


FIRST_INVENTORY: Final = 1_000_000
"""In cents: what a new table gets where nobody says how much."""


def open_table(opening: Opening, acting: str | None, journal: str | None, *, as_json: bool) -> int:
    """A new table on its terms, or a closed one again: on new terms, or on those that it had."""
    actor = actor_of(acting)
    before = _named_table(opening, journal)
    terms = _terms_before(before) if before is not None else terms_of(opening.terms)
    errors = [finding for finding in terms.findings if finding.severity == "error"]
    if errors:
        refuse_submission(terms.findings, errors, as_json=as_json)
        return 1
    with open_journal(journal_to_write(journal)) as store, signing(store):
        name = before.id if before is not None else opening.name or _free_name(store)
        command = _opening(store, opening, terms, name, before)
        given = Given(tag_of(command), (), None, foresee=False)
        return _give(store, name, command, actor, given, as_json=as_json)


def _opening(
    store: Journal, opening: Opening, terms: Terms, name: str, before: Table | None
) -> OpenTable:
    chips = _chips(opening.chips)
    is_there = before is not None or f"table:{name}" in store.streams(f"table:{name}")
    source, link = opening.source, opening.link
    if before is not None:
        source, link = before.source, opening.link or before.link
    # Real chips are counted (--chips), and a second person signs the count.
    usual = 0 if chips or is_there or source == "live" else FIRST_INVENTORY
    return OpenTable(
        name,
        terms.rulebook,
        _approved(terms, opening.approvals),
        terms.rulebook_text,
        source,
        usual if opening.inventory is None else parse_cents(opening.inventory),
        link,
        float=chips,
        strict=True,
    )


def _named_table(opening: Opening, journal: str | None) -> Table | None:
    """The table that is meant where a table's name stands in place of its terms. A rulebook of the
    same name goes first."""
    named = opening.terms
    if opening.name is not None or is_toml_file(named) or named in BUNDLED:
        return None
    try:
        with opened(journal) as store:
            if f"table:{named}" not in store.streams("table:"):
                return None
            return JournalSession(store, named).table
    except BadRequest:
        return None  # there is no journal yet


def _terms_before(table: Table) -> Terms:
    text = own_text(table.rulebook, table.rulebook_text)
    return Terms(table.rulebook, text, table.submission, [])


def _chips(texts: tuple[str, ...]) -> dict[int, int]:
    """`100:20,25:40`: twenty chips of $100 and forty of $25."""
    found: dict[int, int] = {}
    for text in ",".join(texts).split(",") if texts else ():
        worth, sign, count = text.strip().partition(":")
        cents = parse_cents(worth) if sign else 0
        if not sign or not count.isdecimal() or cents in found:
            raise BadRequest(f"--float {plain(text)}: write WORTH:COUNT, each worth once")
        found[cents] = int(count[:9])
    return found


def _approved(given: Terms, texts: tuple[str, ...]) -> str:
    """The submission with the approvals of the command line, each as a submission would name it."""
    if not texts:
        return given.submission
    terms = submission_of(given.submission)
    approvals = dict(terms.approvals)
    for text in texts:
        name, sign, rest = text.partition("=")
        parts = [part.strip() for part in rest.split(",", 2)]
        if not sign or len(parts) != 3 or not all(parts):
            raise BadRequest(
                f"--approval {plain(text)}: write NAME=NUMBER,DATE,AUTHORITY, as in "
                "layout=L-17,2026-11-15,Commission"
            )
        approvals[name] = ApprovalTerms(*parts)
    terms = msgspec.structs.replace(terms, approvals=approvals)
    book = rules_for(given.rulebook, given.rulebook_text, given.submission).book
    for finding in approval_findings(book, terms):
        raise BadRequest(f"--approval: {finding.message}", clause=finding.clause)
    return msgspec.json.encode(terms).decode()


def refuse_submission(findings: list[Finding], errors: list[Finding], *, as_json: bool) -> None:
    """Clause by clause, as `croupier check` has it."""
    count = f"{len(errors)} error{'' if len(errors) == 1 else 's'}"
    refusal = Refusal(
        f"the submission breaks the rules ({count}), so the table does not open: "
        f"{errors[0].message}",
        code="submission_invalid",
        clause=errors[0].clause,
    )
    if as_json:
        told = {"code": refusal.code, "message": refusal.message, "clause": refusal.clause}
        print_json({"error": told, "findings": msgspec.to_builtins(findings)})
        return
    print_findings(findings)
    console().print(styled("[bold red]The table does not open.[/]"))


def terms_of(named: str) -> Terms:
    """A submission, a rulebook file or a bundled rulebook: told apart by what stands in it."""
    if not is_toml_file(named):
        book = open_rulebook(named).default
        return Terms(book.id, "", _without_progressive(book), [])
    path = Path(named)
    text = toml_text(path)
    tree = parse_toml(text, plain(path, 200))
    if "rulebook" not in tree and "id" in tree:
        book = open_rulebook(named).default
        return Terms(book.id, text, _without_progressive(book), [])
    findings = check_file(path)
    if any(finding.severity == "error" for finding in findings):
        return Terms("", "", "", findings)
    stated = read_submission(path)
    own = toml_text(Path(stated.rulebook)) if is_toml_file(stated.rulebook) else ""
    rulebook = open_rulebook(stated.rulebook).default.id
    return Terms(rulebook, own, msgspec.json.encode(stated).decode(), findings)


def _without_progressive(book: Rulebook) -> str:
    """Every optional wager but the progressive, whose rates only an operator can state."""
    optional = [name for name, wager in book.wagers.items() if wager.role == "optional"]
    offered = tuple(name for name in optional if name != progressive_wager(book))
    return msgspec.json.encode(Submission(offered=offered)).decode()


def _free_name(store: Journal) -> str:
    taken = {stream.removeprefix("table:") for stream in store.streams("table:")}
    return next(name for number in range(1, len(taken) + 2) if (name := f"T{number}") not in taken)
