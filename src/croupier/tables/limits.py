"""New limits between rounds: the same checks as for the submission that the table opened with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.errors import Refusal, RuleBroken, suggest
from croupier.money import format_cents
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import Rules, rules_for, submission_of
from croupier.rulebooks.submission import Limits
from croupier.submissions.findings import limit_findings, payout_limit_findings
from croupier.tables.commands import ChangeLimits
from croupier.tables.events import LimitsChanged, TableEvent
from croupier.tables.state import Table, rules_of


def change_limits(
    table: Table, command: ChangeLimits, _: Rules, actor: Actor, *__: Any
) -> tuple[TableEvent, ...]:
    if table.round.phase != "over":
        raise Refusal(
            "a round is being played: limits change between rounds, so that every player bets "
            "under the same ones",
            code="not_now",
        )
    if not command.minimum and not command.maximum:
        raise Refusal("say which limit is new", code="nothing_there")
    rules = rules_of(table)
    low, high = _followed(rules, command.minimum), _followed(rules, command.maximum)
    terms = _with_limits(table.submission, rules, low, high)
    _check(table, rules, terms)
    usual = table.care.usual_terms if table.care is not None else ""
    usual = _with_limits(usual, rules, low, high) if usual else ""
    return (LimitsChanged(terms, actor.name, usual),)


def _followed(rules: Rules, stated: Mapping[str, int]) -> dict[str, int]:
    """A wager that must equal another has its limits, unless it was named itself."""
    for name, cents in stated.items():
        if name not in rules.book.wagers:
            raise suggest("wager", name, rules.book.wagers)
        if cents <= 0:
            raise RuleBroken(
                f"{rules.book.wagers[name].title}: a limit is more than $0", code="bad_limits"
            )
    followers = {
        name: stated[wager.equals]
        for name, wager in rules.book.wagers.items()
        if wager.equals in stated and wager.role == "required"
    }
    return followers | dict(stated)


def _with_limits(text: str, rules: Rules, low: Mapping[str, int], high: Mapping[str, int]) -> str:
    terms = submission_of(text)
    limits = dict(terms.limits)
    for name in {**low, **high}:
        before = limits.get(name, Limits())
        limits[name] = Limits(
            minimum=format_cents(low[name]) if name in low else before.minimum,
            maximum=format_cents(high[name]) if name in high else before.maximum,
        )
    options = dict(terms.options)
    first = rules.required[0]
    if first in low and rules.options.get("minimum_wager") is not None:
        options["minimum_wager"] = format_cents(low[first])  # it says the same thing
    return msgspec.json.encode(replace(terms, limits=limits, options=options)).decode()


def _check(table: Table, before: Rules, text: str) -> None:
    """Refuse what changes nothing, and what the document forbids and the old limits did not do."""
    after = rules_for(table.rulebook, table.rulebook_text, text)
    if after.limits == before.limits:
        raise Refusal("the limits are these already", code="already_done")
    terms = submission_of(table.submission)
    known = {*limit_findings(before, terms), *payout_limit_findings(before)}
    for finding in limit_findings(after, submission_of(text)):
        if finding.severity == "error" and finding not in known:
            words = _in_words(finding.message, after)
            raise RuleBroken(words, clause=finding.clause, code="bad_limits")
    for finding in payout_limit_findings(after):
        if finding.severity == "error" and finding not in known:
            raise RuleBroken(
                "the table's payout limit does not fit these limits: "
                f"{_in_words(finding.message, after)}. "
                "Take another minimum, or close the table and open it on a submission with such a "
                "payout limit",
                clause=finding.clause,
                code="bad_limits",
            )


def _in_words(message: str, rules: Rules) -> str:
    """A finding names the places of a submission; the floor reads the names of wagers and terms."""
    wagers = rules.book.wagers.items()
    titles = {f"limits.{name}": wager.title for name, wager in wagers}
    titles |= {f"options.{name}": f"the {name.replace('_', ' ')}" for name in rules.book.options}
    return re.sub(r"\b(?:limits|options)\.\w+", lambda at: titles.get(at[0], at[0]), message)
