"""The signatures of `croupier table`: a table run from the command line."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import Acting, AsJson, Journal, unwrapped

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
    inventory: str = "10000",
    link: str = "",
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Open a table on a Rules Submission, or on a rulebook as it stands.

    For example: croupier table open examples/submissions/maryland-uth.toml --as floorperson:Flo

    A submission that breaks a rule is told clause by clause, and the table stays closed. A rulebook
    alone opens with the first paytable of every wager and without its progressive, whose terms only
    a submission can state.

    Parameters
    ----------
    terms
        A submission (.toml), a rulebook (md-uth, …) or the path of a rulebook file.
    name
        The table's name; T1, T2, … when left out.
    source
        virtual: the software shuffles and deals. live: the dealer enters real cards.
    inventory
        The chips in the table inventory, in dollars.
    link
        The progressive that the table joins; its own when left out.
    """
    from croupier.commands import table as command

    opening = command.Opening(terms, name, source, inventory, link)
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
    """
    from croupier.commands import table as module

    if command is None:
        return module.list_commands(as_json=json)
    given = module.Given(command, fields, request, foresee)
    return module.do(str(table), given, acting, journal, as_json=json)


@table_app.command(name="close")
def table_close(
    table: str,
    /,
    *,
    void_reason: str = "",
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
    """
    from croupier.commands import table as module

    return module.close_table(table, void_reason, acting, journal, as_json=json)


for _given in (table_open, table_list, table_show, table_do, table_close):
    _given.__doc__ = unwrapped(_given.__doc__ or "")
