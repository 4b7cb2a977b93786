"""The setting of a simulation: a rulebook and every choice needed to open a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from croupier.errors import RuleBroken, suggest
from croupier.files import is_toml_file
from croupier.rounds.legality import smallest_wagers
from croupier.rulebooks.loader import open_rulebook
from croupier.rulebooks.rules import Rules, progressive_wager, put_in_force
from croupier.rulebooks.submission import MeterTerms, Submission

RATE = "0.1"
STAKE = "1"


class Setting(msgspec.Struct, frozen=True):
    """Everything that determines the result of a run."""

    rulebook: str
    submission: str
    wagers: dict[str, int]
    rulebook_text: str = ""
    seats: int = 6
    strategy: str = "optimal"
    seed: str = "1"


def setting_for(
    rulebook: str,
    *,
    paytables: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
    dealing: str | None = None,
    bets: Mapping[str, int | None] | None = None,
    seats: int = 6,
    strategy: str = "optimal",
    seed: str = "1",
) -> tuple[Setting, Rules]:
    """Return the setting for a rulebook with all its wagers on offer, and its rules. Where the
    document leaves a progressive's rates and stake to the operator, they are 10% per meter and
    $1."""
    file = open_rulebook(rulebook)
    text = Path(rulebook).read_text("utf-8") if is_toml_file(rulebook) else ""
    submission = Submission(paytables=dict(paytables or {}), readings=dict(readings or {}))
    submission = _dealt(submission, put_in_force(file, submission), dealing)
    submission = with_progressive(submission, put_in_force(file, submission))
    rules = put_in_force(file, submission)
    setting = Setting(
        rulebook=rulebook,
        rulebook_text=text,
        submission=msgspec.json.encode(submission).decode(),
        wagers=chosen_wagers(rules, bets or {}),
        seats=seats,
        strategy=strategy,
        seed=seed,
    )
    return setting, rules


def _dealt(submission: Submission, rules: Rules, dealing: str | None) -> Submission:
    """Return the submission with this way of dealing: `manual_shoe`, or
    `automated_shoe/dealer_last` to choose a deal order too."""
    if dealing is None:
        return submission
    method, _, order = dealing.partition("/")
    ways = rules.book.dealing
    if method not in ways:
        raise suggest("way of dealing", method, ways)
    if order and order not in ways[method].variants:
        raise suggest(f"order of {method}", order, ways[method].variants)
    options: dict[str, str | int | float | bool] = {"dealing": method}
    if order:
        options["deal_order"] = order
    return msgspec.structs.replace(submission, options=options)


def with_progressive(submission: Submission, rules: Rules) -> Submission:
    """Return the submission with the progressive's rates and stake stated, if the game offers
    one."""
    name = progressive_wager(rules.book)
    if name is None or name not in rules.offered:
        return submission
    terms = msgspec.structs.replace(
        submission.progressive,
        stakes=() if name in rules.stakes else (STAKE,),
        meters={
            meter: submission.progressive.meters.get(meter, MeterTerms(rate=RATE))
            for meter in rules.resets
        },
    )
    return msgspec.structs.replace(submission, progressive=terms)


def chosen_wagers(rules: Rules, bets: Mapping[str, int | None]) -> dict[str, int]:
    """Return every wager on offer at its smallest amount; with `bets`, only the required wagers and
    those named, at the amounts stated."""
    usual = smallest_wagers(rules)
    for name in bets:
        if name not in rules.book.wagers or rules.book.wagers[name].role == "decided":
            raise suggest("wager", name, usual)
        if name not in usual:
            raise RuleBroken(
                f"{name} cannot be bet when the cards are dealt this way",
                clause=rules.book.wagers[name].dealt_by_clause or None,
            )
    names = [name for name in usual if not bets or name in bets or name in rules.required]
    chosen = {name: bets.get(name) or usual[name] for name in names}
    stated = [cents for name in rules.required if (cents := bets.get(name))]
    if stated:
        for name in rules.required:
            chosen[name] = bets.get(name) or stated[0]
    return chosen
