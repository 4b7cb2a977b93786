"""The signatures of `croupier table`: a table run from the command line."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import Acting, AsJson, Journal, Repeated, unwrapped

__all__ = ["table_app"]


table_app = App(
    name="table",
    help=unwrapped(
        """Run a table: open it, see how it stands, give any command that the rules know.

        Everything is written to the journal of `--journal`, or to the one in the data folder."""
    ),
)


@table_app.command(name="open")
def table_open(
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
    """Open a table on a Rules Submission, or on a rulebook as it stands.

    For example: croupier table open examples/submissions/maryland-uth.toml --as floorperson:Flo

    A submission that breaks a rule is told clause by clause, and the table stays closed. A rulebook
    alone opens with the first paytable of every wager and without its progressive, whose terms only
    a submission can state.

    The name of a closed table opens it again: on the terms that it had, on its link, with the chips
    that are there. What the documents want approved by the regulator stands in the submission, or
    here; a live table does not open without.

    Parameters
    ----------
    terms
        A submission (.toml), a rulebook (md-uth, …), the path of a rulebook file, or the name of a
        closed table.
    name
        The table's name; T1, T2, … when left out.
    source
        virtual: the software shuffles and deals. live: the dealer enters real cards.
    inventory
        What the cage brings, in dollars; 10,000 for a new table.
    link
        The progressive that the table joins; its own when left out.
    chips
        The float by denomination, as in 100:20,25:40. A second person signs it with sign_count
        before a round opens.
    approval
        NAME=NUMBER,DATE,AUTHORITY, as in layout=L-17,2026-11-15,Commission. Repeatable.
    """
    from croupier.commands import table as command

    opening = command.Opening(
        terms, name, source, inventory, link, tuple(chips or ()), tuple(approval or ())
    )
    return command.open_table(opening, acting, journal, as_json=json)


@table_app.command(name="list")
def table_list(*, journal: Journal = None, json: AsJson = False) -> int:
    """The tables of a journal, and how they stand."""
    from croupier.commands import table_standing as command

    return command.list_tables(journal, as_json=json)


@table_app.command(name="show")
def table_show(
    table: str, /, *, acting: Acting = None, journal: Journal = None, json: AsJson = False
) -> int:
    """How a table stands: people, money, the round in play, and what is to be done next.

    Cards that lie face down are not shown. With `--as player:Ann` it is what Ann sees.

    Parameters
    ----------
    table
        The table's name.
    """
    from croupier.commands import table_standing as command

    return command.show_table(table, acting, journal, as_json=json)


@table_app.command(name="do")
def table_do(
    table: str | None = None,
    command: str | None = None,
    /,
    *fields: str,
    acting: Acting = None,
    request: str | None = None,
    foresee: Annotated[bool, Parameter(negative=())] = False,
    duties: str = "",
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a command to a table; without a command, list all of them.

    For example: croupier table do T1 place_wagers seat=1 wagers.ante=10 wagers.blind=10
    --as player:Ann

    Ends with 1 and the clause if the rules refuse it, with 2 if it cannot be understood.

    Parameters
    ----------
    table
        The table's name.
    command
        What is to be done: place_wagers, deal, fill, …
    fields
        name=value for each field of the command.
    request
        A key of your own: a command that arrives twice under it is done once.
    foresee
        Tell what a decision would lead to, and do nothing.
    duties
        Clauses of the duties that `table show` printed and this person has done, with commas
        between them. No other duty is on record as confirmed.
    """
    from croupier.commands import table as module

    if command is None:
        return module.list_commands(as_json=json)
    given = module.Given(command, fields, request, foresee, duties)
    return module.do(str(table), given, acting, journal, as_json=json)


@table_app.command(name="close")
def table_close(
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
        Why the round in play is void; left out, the round has to be finished first.
    reason
        Why the table closes.
    chips
        The chips of the inventory by denomination, as in 100:20,25:40. A second person signs the
        count with sign_count.
    """
    from croupier.commands import table as module

    closing = module.Closing(void_reason, reason, tuple(chips or ()))
    return module.close_table(table, closing, acting, journal, as_json=json)


@table_app.command(name="slip")
def table_slip(
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
        As a piece of a web page.
    """
    from croupier.commands import slips as module

    return module.print_slip(table, number, journal, html=html, as_json=json)


shoe_app = App(
    name="shoe",
    help="The reading shoes of a table: each sends its cards under a token of its own.",
)
table_app.command(shoe_app)


@shoe_app.command(name="add")
def shoe_add(
    table: str,
    name: str,
    /,
    *,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Give a shoe a token. It is shown once; the token that the shoe had before ends.

    For example: croupier table shoe add T1 S-17 --as operator:Ola

    Parameters
    ----------
    table
        The table's name.
    name
        The shoe's name, as it will stand in the journal.
    """
    from croupier.commands import table_shoes as command

    return command.add_shoe(table, name, acting, journal, as_json=json)


@shoe_app.command(name="list")
def shoe_list(table: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """The shoes that have a token, and who made it.

    Parameters
    ----------
    table
        The table's name.
    """
    from croupier.commands import table_shoes as command

    return command.list_shoes(table, journal, as_json=json)


@shoe_app.command(name="revoke")
def shoe_revoke(
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
    from croupier.commands import table_shoes as command

    return command.revoke_shoe(table, name, acting, journal, as_json=json)


for _given in (
    *(table_open, table_list, table_show, table_do, table_close, table_slip),
    *(shoe_add, shoe_list, shoe_revoke),
):
    _given.__doc__ = unwrapped(_given.__doc__ or "")
