"""`croupier table`: open a table, give it commands, close it; its slips and its shoes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

from cyclopts import App, Parameter

from croupier.commands.journal import opened
from croupier.commands.options import (
    Acting,
    AsJson,
    Flag,
    Journal,
    Repeated,
    Request,
    actor_of,
    documented,
    unwrapped,
)
from croupier.commands.output import (
    console,
    error_dict,
    print_json,
    print_refusal,
    styled,
)
from croupier.commands.output import (
    table as new_table,
)
from croupier.commands.table_show import list_tables, show
from croupier.errors import (
    BadRequest,
    CroupierError,
    Refusal,
    RuleBroken,
    not_installed,
    plain,
    suggest,
)
from croupier.files import is_toml_file

if TYPE_CHECKING:
    from croupier.ledger.journal import Journal as Store
    from croupier.rounds.declaration import Actor
    from croupier.rulebooks.schema import Rulebook
    from croupier.runtime.journal_session import CommandResult, JournalSession
    from croupier.submissions.findings import Finding
    from croupier.tables.commands import OpenTable, TableCommand
    from croupier.tables.state import Table as State
    from croupier.web.tables.shoes import Shoes

table = App(
    name="table",
    help=unwrapped(
        """Run a table: open it, show it, give any command to it. Everything is written to the
        journal of `--journal`, or to the one in the data folder."""
    ),
)
table.command(list_tables, name="list")
table.command(show, name="show")


# -- commands -------------------------------------------------------------------------------------


@table.command(name="do")
@documented
def do(
    table: str | None = None,
    command: str | None = None,
    /,
    *fields: str,
    acting: Acting = None,
    request: Request = None,
    foresee: Flag = False,
    duties: str = "",
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a command to a table; without a command, list them. Ends with 1 and the clause if the
    rules refuse it, with 2 if it cannot be understood.

        croupier table do T1 place_wagers seat=1 wagers.ante=10 wagers.blind=10 --as player:Ann

    Parameters
    ----------
    table
        The table's name.
    command
        place_wagers, deal, fill, …
    fields
        name=value for each field of the command.
    foresee
        Print what a decision would lead to, and do nothing.
    duties
        Clauses of the duties that `table show` printed and this person has done, with commas
        between them. No other duty is on record as confirmed.
    """
    from croupier.tables.command_input import command_from_words
    from croupier.tables.commands import COMMANDS

    if command is None:
        return _list_commands(as_json=json)
    tag, name = command.replace("-", "_"), str(table)
    if tag not in COMMANDS:
        raise suggest("command", command, COMMANDS)
    actor = actor_of(acting)
    if request is not None and not request.strip():
        raise BadRequest("--request is empty: write a key of your own, or leave it out")
    words = list(fields)
    if tag == "open_table" and not any(word.startswith("table=") for word in words):
        words.append(f"table={name}")
    chosen = command_from_words(tag, words, actor)
    with opened(journal) as store:
        return _give(
            *(store, name, chosen, actor),
            request=request,
            foresee=foresee,
            duties=duties,
            as_json=json,
        )


@table.command(name="close")
@documented
def close(
    table: str,
    /,
    *,
    void_reason: str = "",
    reason: str = "",
    chips: Annotated[list[str] | None, Parameter(name="--count", negative=())] = None,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Close a table.

    Parameters
    ----------
    table
        The table's name.
    void_reason
        Why the round in play is void; by default the round has to be finished first.
    reason
        Why the table closes.
    chips
        The chips of the inventory by denomination, as in 100:20,25:40. A second person signs the
        count with sign_count.
    """
    from croupier.tables.commands import CloseTable

    command = CloseTable(void_reason, reason, _chips(chips or ()))
    with opened(journal) as store:
        return _give(store, table, command, actor_of(acting), as_json=json)


def _give(
    store: Store,
    name: str,
    command: TableCommand,
    actor: Actor,
    *,
    request: str | None = None,
    foresee: bool = False,
    duties: str = "",
    as_json: bool,
) -> int:
    """Carry a command out, or preview its result; a refusal ends with 1."""
    import msgspec

    from croupier.rounds.declaration import to_json
    from croupier.runtime.journal_session import Expected, JournalSession
    from croupier.tables.commands import Assign
    from croupier.tables.sentences import describe_plan

    session = JournalSession(store, name)
    repeated = False
    try:
        if isinstance(command, Assign) and actor.role in command.declared.by:
            _check_assignment(store, session, command, actor)
        if foresee:
            lines, state = describe_plan(session.foresee(command, actor)), session.table
        else:
            key = None if request is None else f"{actor}:{request}"
            expected = Expected(duties=_duties(session, command, actor, duties))
            done = session.carry_out(command, actor, key, expected)
            state, repeated = done.plan.table if done.plan else session.table, done.repeated
            lines = _described(done, state)
    except CroupierError as error:
        if not isinstance(error, Refusal | RuleBroken) and not error.clause:
            raise
        print_refusal(error, as_json=as_json)
        return 1
    if as_json:
        written: dict[str, Any] = msgspec.json.decode(to_json(command.outside()))
        filled = command.declared.filled  # filled in by the house only, never typed
        print_json(
            {
                "table": name,
                "version": state.version,
                "command": {key: value for key, value in written.items() if key not in filled},
                "by": actor,
                "repeated": repeated,
                "foreseen": foresee,
                "told": lines,
            }
        )
        return 0
    _print_lines(lines, repeated=repeated, foreseen=foresee)
    return 0


def _print_lines(lines: Sequence[str], *, repeated: bool, foreseen: bool) -> None:
    from croupier.reports.story import with_cards

    if repeated:
        console().print("Done before under this key; nothing new has happened:", style="dim")
    if foreseen:
        console().print("This would happen:", style="dim")
    for line in lines:
        console().print(with_cards(line), soft_wrap=True)


def _duties(
    session: JournalSession, command: TableCommand, actor: Actor, typed: str
) -> tuple[str, ...]:
    """Return the clauses of the duties that the person says they have done; only those of this
    command."""
    from croupier.rounds.declaration import tag_of
    from croupier.tables.state import rules_of
    from croupier.tables.step_duties import confirmed

    if not typed.strip():
        return ()
    clauses = tuple(dict.fromkeys(clause.strip() for clause in typed.split(",")))
    state = session.table
    known = [d.clause for d in confirmed(command, actor, state, rules_of(state), session.now())]
    unknown = [clause for clause in clauses if clause not in known]
    if unknown:
        listed = ", ".join(dict.fromkeys(known)) or "none"
        raise BadRequest(
            f"{plain(', '.join(unknown))}: no duty that {actor.name} does with {tag_of(command)} "
            f"now; the duties are {listed}"
        )
    return clauses


def _check_assignment(
    store: Store, session: JournalSession, command: TableCommand, actor: Actor
) -> None:
    from croupier.ledger.records.table_entries import Asker
    from croupier.runtime.house import House
    from croupier.tables.commands import Assign
    from croupier.tables.duty import check_one_live_table

    assert isinstance(command, Assign)
    try:
        check_one_live_table(session.table, command, House(store).all_tables())
    except Refusal as refusal:
        session.record_attempt(command, Asker(actor.role, actor.name), refusal)
        raise


def _described(done: CommandResult, state: State) -> list[str]:
    """Return the events in words, without the cards that lie face down while their round is in
    play."""
    from croupier.ledger.history.past_rounds import face_down
    from croupier.tables.sentences import describe_event, meter_lines

    is_over = state.round.phase == "over"
    events = done.events if is_over else [face_down(event) for event in done.events]
    lines = [line for event in events for line in describe_event(event, state)]
    return lines if done.plan is None else lines + meter_lines(done.plan)


def _list_commands(*, as_json: bool) -> int:
    """Print every command with its label, who may give it, and its fields."""
    from rich.text import Text

    from croupier.rounds.declaration import ROLES
    from croupier.tables.command_input import usage
    from croupier.tables.commands import COMMANDS

    if as_json:
        rows = [
            {
                "command": tag,
                "label": command.declared.label,
                "roles": command.declared.by,
                "usage": usage(command),
                "foreseen": command.declared.foreseen,
            }
            for tag, command in COMMANDS.items()
        ]
        print_json({"commands": rows})
        return 0
    drawn = new_table("command", "what it does", "who")
    drawn.add_column("fields", overflow="fold")
    for tag, command in COMMANDS.items():
        declared = command.declared
        who = "anybody" if declared.by == ROLES else ", ".join(declared.by)
        drawn.add_row(Text(tag, "bold"), declared.label, who, Text(usage(command)))
    out = console()
    out.print(drawn)
    out.print(
        "\ncroupier table do TABLE COMMAND name=value… --as ROLE:NAME; what stands in brackets may "
        "be left out.",
        style="dim",
    )
    return 0


# -- open -----------------------------------------------------------------------------------------

FIRST_INVENTORY: Final = 1_000_000
"""The inventory of a new table in cents, unless stated."""


class Terms(NamedTuple):
    """The terms on which a table opens."""

    rulebook: str
    rulebook_text: str
    submission: str
    findings: Sequence[Finding] = ()

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "error"]


@table.command(name="open")
@documented
def open_table(
    terms: str,
    /,
    *,
    name: str | None = None,
    source: Literal["live", "virtual"] = "virtual",
    inventory: str | None = None,
    link: str = "",
    chips: Annotated[list[str] | None, Parameter(name="--float", negative=())] = None,
    approval: Repeated = None,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Open a table on a Rules Submission, or on a rulebook as it stands. A submission that breaks a
    rule is answered clause by clause, and the table stays closed. A rulebook alone opens with the
    first paytable of every wager and without its progressive, whose terms only a submission can
    state. The name of a closed table opens it again: on the terms that it had, on its link, with
    the chips that are there. Approvals that the documents demand stand in the submission, or here;
    a live table does not open without them.

        croupier table open examples/submissions/maryland-uth.toml --as floorperson:Flo

    Parameters
    ----------
    terms
        A submission (.toml), a rulebook (md-uth, …), the path of a rulebook file, or the name of a
        closed table.
    name
        The table's name; by default T1, T2, ….
    source
        virtual: the software shuffles and deals. live: the dealer enters real cards.
    inventory
        What the cage brings, in dollars; by default 10,000 for a new table.
    link
        The progressive that the table joins; by default its own.
    chips
        The float by denomination, as in 100:20,25:40. A second person signs it with sign_count
        before a round opens.
    approval
        NAME=NUMBER,DATE,AUTHORITY, as in layout=L-17,2026-11-15,Commission. Repeatable.
    """
    from croupier.ledger.data_folder import journal_to_write
    from croupier.ledger.journal import open_journal
    from croupier.runtime.signing import signing

    actor = actor_of(acting)
    before = _closed_table(terms, journal) if name is None else None
    stated = _terms_before(before) if before is not None else terms_of(terms)
    if stated.errors:
        refuse_submission(stated, as_json=json)
        return 1
    with open_journal(journal_to_write(journal)) as store, signing(store):
        named = before.id if before is not None else name or _free_name(store)
        command = _opening(
            *(store, named, stated, before, source, inventory, link),
            chips=_chips(chips or ()),
            approvals=approval or (),
        )
        return _give(store, named, command, actor, as_json=json)


def _opening(
    store: Store,
    name: str,
    terms: Terms,
    before: State | None,
    source: Literal["live", "virtual"],
    inventory: str | None,
    link: str,
    *,
    chips: dict[int, int],
    approvals: Sequence[str],
) -> OpenTable:
    """Return the command for a new table on its terms, or for reopening a closed one."""
    from croupier.money import parse_cents
    from croupier.tables.commands import OpenTable

    is_known = before is not None or f"table:{name}" in store.streams(f"table:{name}")
    if before is not None:
        source, link = before.source, link or before.link
    # Real chips are counted (--float), and a second person signs the count.
    usual = 0 if chips or is_known or source == "live" else FIRST_INVENTORY
    return OpenTable(
        name,
        terms.rulebook,
        _approved(terms, approvals),
        terms.rulebook_text,
        source,
        usual if inventory is None else parse_cents(inventory),
        link,
        float=chips,
        strict=True,
    )


def _closed_table(name: str, journal: str | None) -> State | None:
    """Return the table of this name, if the name is neither a file nor a bundled rulebook."""
    from croupier.rulebooks.bundled import BUNDLED
    from croupier.runtime.journal_session import JournalSession

    if is_toml_file(name) or name in BUNDLED:
        return None
    try:
        with opened(journal) as store:
            if f"table:{name}" not in store.streams("table:"):
                return None
            return JournalSession(store, name).table
    except BadRequest:
        return None  # there is no journal yet


def _terms_before(state: State) -> Terms:
    from croupier.rulebooks.kept_rules import own_text

    return Terms(state.rulebook, own_text(state.rulebook, state.rulebook_text), state.submission)


def _chips(texts: Sequence[str]) -> dict[int, int]:
    """Read `100:20,25:40`: twenty chips of $100 and forty of $25."""
    from croupier.money import parse_cents

    chips: dict[int, int] = {}
    for text in ",".join(texts).split(",") if texts else ():
        worth, colon, count = text.strip().partition(":")
        cents = parse_cents(worth) if colon else 0
        if not colon or not count.isdecimal() or cents in chips:
            raise BadRequest(f"--float {plain(text)}: write WORTH:COUNT, each worth once")
        chips[cents] = int(count[:9])
    return chips


def _approved(terms: Terms, texts: Sequence[str]) -> str:
    """Return the submission with the approvals of the command line, each as a submission would
    write it."""
    import msgspec

    from croupier.rulebooks.rules import rules_for, submission_of
    from croupier.rulebooks.submission import ApprovalTerms
    from croupier.submissions.approvals import approval_findings

    if not texts:
        return terms.submission
    stated = submission_of(terms.submission)
    approvals = dict(stated.approvals)
    for text in texts:
        name, equals, rest = text.partition("=")
        parts = [part.strip() for part in rest.split(",", 2)]
        if not equals or len(parts) != 3 or not all(parts):
            raise BadRequest(
                f"--approval {plain(text)}: write NAME=NUMBER,DATE,AUTHORITY, as in "
                "layout=L-17,2026-11-15,Commission"
            )
        approvals[name] = ApprovalTerms(*parts)
    stated = msgspec.structs.replace(stated, approvals=approvals)
    book = rules_for(terms.rulebook, terms.rulebook_text, terms.submission).book
    for finding in approval_findings(book, stated):
        raise BadRequest(f"--approval: {finding.message}", clause=finding.clause)
    return msgspec.json.encode(stated).decode()


def refuse_submission(terms: Terms, *, as_json: bool) -> None:
    """Print what is wrong with a submission clause by clause, as `croupier check` does."""
    from croupier.commands.documents import print_findings

    errors = terms.errors
    count = f"{len(errors)} error{'' if len(errors) == 1 else 's'}"
    refusal = Refusal(
        f"the submission breaks the rules ({count}), so the table does not open: "
        f"{errors[0].message}",
        code="submission_invalid",
        clause=errors[0].clause,
    )
    if as_json:
        print_json({"error": error_dict(refusal), "findings": terms.findings})
        return
    print_findings(terms.findings)
    console().print(styled("[bold red]The table does not open.[/]"))


def terms_of(name: str) -> Terms:
    """Return the terms in a submission, a rulebook file or a bundled rulebook; the contents of a
    file show which of them it is."""
    import msgspec

    from croupier.rulebooks.loader import open_rulebook, parse_toml, toml_text
    from croupier.rulebooks.submission import read_submission
    from croupier.submissions.check import check_file

    if not is_toml_file(name):
        book = open_rulebook(name).default
        return Terms(book.id, "", _without_progressive(book))
    path = Path(name)
    text = toml_text(path)
    tree = parse_toml(text, plain(path, 200))
    if "rulebook" not in tree and "id" in tree:
        book = open_rulebook(name).default
        return Terms(book.id, text, _without_progressive(book))
    checked = Terms("", "", "", check_file(path))
    if checked.errors:
        return checked
    stated = read_submission(path)
    own = toml_text(Path(stated.rulebook)) if is_toml_file(stated.rulebook) else ""
    rulebook = open_rulebook(stated.rulebook).default.id
    return Terms(rulebook, own, msgspec.json.encode(stated).decode(), checked.findings)


def _without_progressive(book: Rulebook) -> str:
    """Return every optional wager but the progressive, whose rates only an operator can state."""
    import msgspec

    from croupier.rulebooks.rules import progressive_wager
    from croupier.rulebooks.submission import Submission

    optional = [name for name, wager in book.wagers.items() if wager.role == "optional"]
    offered = tuple(name for name in optional if name != progressive_wager(book))
    return msgspec.json.encode(Submission(offered=offered)).decode()


def _free_name(store: Store) -> str:
    taken = {stream.removeprefix("table:") for stream in store.streams("table:")}
    return next(name for number in range(1, len(taken) + 2) if (name := f"T{number}") not in taken)


# -- slips ----------------------------------------------------------------------------------------


@table.command(name="slip")
@documented
def slip(
    table: str, number: str, /, *, html: bool = False, journal: Journal = None, json: AsJson = False
) -> int:
    """Print the slip of a fill, a credit or a drop.

    Parameters
    ----------
    table
        The table's name.
    number
        The slip's number: F-0001.
    html
        Print it as part of a web page.
    """
    from croupier.ledger.history.floor_records import slip_numbered
    from croupier.reports.slips import slip_form, slip_html, slip_text

    with opened(journal) as store:
        record = slip_numbered(store, table, number)
    if json:
        print_json(slip_form(record))
    else:
        sys.stdout.write(slip_html(record) if html else slip_text(record))
    return 0


# -- shoes ----------------------------------------------------------------------------------------

shoe = App(
    name="shoe",
    help="The reading shoes of a table: each sends its cards under a token of its own.",
)
table.command(shoe)


@shoe.command(name="add")
@documented
def add_shoe(
    table: str,
    name: str,
    /,
    *,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a shoe a token. It is shown once; the token that the shoe had before ends.

        croupier table shoe add T1 S-17 --as operator:Ola

    Parameters
    ----------
    table
        The table's name.
    name
        The shoe's name, as it will stand in the journal.
    """
    actor = actor_of(acting)
    with _shoes(table, journal) as shoes:
        try:
            _check_operator(actor)
            added, token = shoes.add(table, name, actor.name)
        except Refusal as refusal:
            print_refusal(refusal, as_json=json)
            return 1
    if json:
        print_json({"shoe": added._asdict(), "token": token})
        return 0
    sys.stdout.write(
        f"{token}\nThis is the token of shoe {name} at table {table}. It is shown only now; "
        "a token that the shoe had before opens nothing any more.\n"
    )
    return 0


@shoe.command(name="list")
@documented
def list_shoes(table: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """The shoes that have a token, and who made it.

    Parameters
    ----------
    table
        The table's name.
    """
    from rich.text import Text

    with _shoes(table, journal) as shoes:
        listed = shoes.of_table(table)
    if json:
        print_json({"shoes": [each._asdict() for each in listed]})
        return 0
    if not listed:
        console().print("No shoe has a token here: `croupier table shoe add TABLE NAME`.")
        return 0
    drawn = new_table("shoe", "made by", "made")
    for each in listed:
        drawn.add_row(Text(each.name), Text(each.made_by), each.made_at[:16].replace("T", " "))
    console().print(drawn)
    return 0


@shoe.command(name="revoke")
@documented
def revoke_shoe(
    table: str,
    name: str,
    /,
    *,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """End the token of a shoe: what it sends is refused from now on.

    Parameters
    ----------
    table
        The table's name.
    name
        The shoe's name.
    """
    actor = actor_of(acting)
    with _shoes(table, journal) as shoes:
        try:
            _check_operator(actor)
            shoes.remove(table, name)
        except Refusal as refusal:
            print_refusal(refusal, as_json=json)
            return 1
    if json:
        print_json({"table": table, "revoked": name})
        return 0
    sys.stdout.write(f"The token of shoe {name} opens nothing any more.\n")
    return 0


def _check_operator(actor: Actor) -> None:
    if actor.role != "operator":
        raise Refusal(
            "an operator makes and revokes the tokens of shoes: write --as operator:NAME",
            code="wrong_role",
        )


@contextmanager
def _shoes(table: str, journal: str | None) -> Iterator[Shoes]:
    """Return the shoes of a table that is in the journal."""
    try:
        from croupier.web.tables.shoes import Shoes
    except ImportError as error:
        raise not_installed("croupier table shoe", error.name or error, "web") from None

    with opened(journal) as store:
        tables = [stream.removeprefix("table:") for stream in store.streams("table:")]
        if table not in tables:
            raise suggest("table", table, tables)
        yield Shoes(store)
