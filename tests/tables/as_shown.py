"""Commands given as a page gives them: with every duty on the screen."""

from __future__ import annotations

from typing import Any

from croupier.rulebooks.duties import all_duties
from croupier.runtime.house import House
from croupier.runtime.journal_session import Expected
from croupier.tables.commands import OpenTable, TableCommand


def do_as_shown(house: House, name: str, command: TableCommand, actor: Any) -> None:
    """Every clause of the document stands on this screen: more than any page shows."""
    document = command.rulebook if isinstance(command, OpenTable) else house.table(name).rulebook
    clauses = tuple(dict.fromkeys(duty.clause for duty in all_duties(document)))
    house.do(name, command, actor, None, Expected(duties=clauses))
