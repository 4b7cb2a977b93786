"""`croupier guide`: a round as the dealer is told it, step by step, with the clauses."""

from __future__ import annotations

from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.errors import suggest
from croupier.reports.procedure import procedure_of
from croupier.rulebooks.equipment import dealing_in_force
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["run"]


def run(rulebook: str, *, dealing: str | None, as_json: bool) -> int:
    rules = _rules(rulebook, dealing)
    told, way = list(procedure_of(rules)), dealing_in_force(rules).title
    if as_json:
        steps = [told_one._asdict() for told_one in told]
        print_json({"rulebook": rules.book.id, "dealing": way, "steps": steps})
        return 0
    out = console()
    title, where = rules.book.title, rules.book.jurisdiction
    out.print(styled("[bold]{title}[/] ({where}), dealt: {way}", title=title, where=where, way=way))
    last = ""
    for step, words, clause in told:
        if step != last:
            out.print(styled("\n[bold]{step}[/]", step=step))
        last = step
        out.print(Text(f"  {words} ") + Text(clause, style="dim"))
    return 0


def _rules(rulebook: str, dealing: str | None) -> Rules:
    """Everything offered that this way of dealing can serve."""
    file = open_rulebook(rulebook)
    if dealing is None:
        return put_in_force(file, Submission())
    if dealing not in file.default.dealing:
        raise suggest("way of dealing", dealing, file.default.dealing)
    offered = tuple(
        name
        for name, wager in file.default.wagers.items()
        if wager.role == "optional" and (not wager.dealt_by or dealing in wager.dealt_by)
    )
    return put_in_force(file, Submission(offered=offered, options={"dealing": dealing}))
