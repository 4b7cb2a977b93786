"""The signatures of `croupier link`: the progressive controller from the command line."""

from __future__ import annotations

from cyclopts import App

from croupier.commands.signatures.common import Acting, AsJson, Journal, Repeated, unwrapped

__all__ = ["link_app"]


link_app = App(
    name="link",
    help=unwrapped(
        """Progressive links: what their meters show and why, their tables, their awards; change
        terms, close a link."""
    ),
)


@link_app.command(name="list")
def link_list(*, journal: Journal = None, json: AsJson = False) -> int:
    """The links of a journal, and what their meters show."""
    from croupier.commands import link as module

    return module.list_links(journal, as_json=json)


@link_app.command(name="show")
def link_show(link: str, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """Meters with their terms, tables with the lights of their seats, and the last 25 awards.

    Parameters
    ----------
    link
        The link's name.
    """
    from croupier.commands import link as module

    return module.show_link(link, journal, as_json=json)


@link_app.command(name="explain")
def link_explain(
    link: str, /, *, limit: int = 100, journal: Journal = None, json: AsJson = False
) -> int:
    """Where every part of a cent came from: the sums of each meter, and the entries behind them.

    Parameters
    ----------
    link
        The link's name.
    limit
        So many entries, the newest first; 0 for all of them.
    """
    from croupier.commands import link as module

    return module.explain(link, journal, limit=limit, as_json=json)


@link_app.command(name="do")
def link_do(
    link: str | None = None,
    command: str | None = None,
    /,
    *fields: str,
    acting: Acting = None,
    request: str | None = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Tell a link something; without a command, list what can be told.

    For example: croupier link do pot change_terms meter=main rate=0.06 reason=promotion
    --as operator:Olga

    Ends with 1 and the clause if the rules refuse it, with 2 if it cannot be understood.

    Parameters
    ----------
    link
        The link's name.
    command
        What is to be done: change_terms, close_link.
    fields
        name=value for each field of the command.
    request
        A key of your own: a command that arrives twice under it is done once.
    """
    from croupier.commands import link as module
    from croupier.commands.table import Given

    if command is None:
        return module.list_link_commands(as_json=json)
    given = Given(command, fields, request, foresee=False)
    return module.do(str(link), given, acting, journal, as_json=json)


@link_app.command(name="close")
def link_close(
    link: str,
    /,
    *,
    reason: str,
    move: Repeated = None,
    state: Repeated = None,
    acting: Acting = None,
    journal: Journal = None,
    json: AsJson = False,
) -> int:
    """Close a link that no table is on. For every meter it is said where its money goes.

    Parameters
    ----------
    link
        The link's name.
    reason
        Why it is closed.
    move
        METER=LINK:METER, the meter of another link that takes the money over. Repeatable.
    state
        METER=WORDS, what else becomes of the money. Repeatable.
    """
    from croupier.commands import link as module

    return module.close_link(link, reason, move or [], state or [], acting, journal, as_json=json)


for _given in (link_list, link_show, link_explain, link_do, link_close):
    _given.__doc__ = unwrapped(_given.__doc__ or "")
