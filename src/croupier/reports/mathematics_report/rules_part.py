"""The rules in words: cards, wagers, decisions, procedure, irregularities."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import dollars
from croupier.reports.felt import felt_svg
from croupier.reports.irregularities import MOMENTS, ONLY
from croupier.reports.mathematics_report.examples import KINDS, examples_of
from croupier.reports.mathematics_report.record import (
    ExampleRound,
    Remedy,
    RulesPart,
    StepTold,
    WagerRule,
)
from croupier.reports.mathematics_report.source import Source
from croupier.reports.phrases import amounts, joined, number
from croupier.reports.procedure import procedure_of
from croupier.reports.signs import sign_of
from croupier.rounds.irregularities import consequence
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Cards, Decision, Irregularity
from croupier.rulebooks.wager_families import families_of


def rules_part(source: Source) -> RulesPart:
    rules, said = source.rules, source.submission
    sign = sign_of(rules, operator=said.operator, table=said.table)
    examples = examples_of(rules)
    return RulesPart(
        summary=rules.book.summary,
        notices=tuple(
            StepTold(step=item.kind.replace("_", " "), words=item.words, clause=item.rule)
            for item in sign.notices
        ),
        decisions=tuple(_decision(item) for item in rules.book.decisions),
        positions=rules.book.positions.most,
        cards=_cards(rules.book.cards),
        wagers=tuple(_wagers(source)),
        procedure=tuple(
            StepTold(step=item.step, words=item.words, clause=item.clause)
            for item in procedure_of(rules)
        ),
        remedies=tuple(
            _remedy(rules, accident)
            for accident in rules.book.irregularities.values()
            if not accident.dealt_by or rules.options.get("dealing") in (None, *accident.dealt_by)
        ),
        examples=examples,
        examples_not_computed=_missing(rules, examples),
        layout_svg=felt_svg(sign, printed=True),
    )


def _cards(cards: Cards) -> str:
    parts = [f"{number(cards.player)} to each player"]
    if cards.dealer:
        parts.append(f"{number(cards.dealer)} to the dealer")
    if cards.community:
        parts.append(f"{number(cards.community)} community cards")
    if cards.box:
        parts.append(f"{number(cards.box)} bonus cards")
    return joined(parts)


def _decision(decision: Decision) -> StepTold:
    seen = [f"{number(decision.sees_player)} own"]
    if decision.sees_community:
        seen.append(f"{number(decision.sees_community)} community")
    if decision.sees_dealer:
        seen.append(f"{number(decision.sees_dealer)} of the dealer's")
    cards = "card" if seen == ["one own"] else "cards"
    words = f"On {joined(seen)} {cards}: {joined(list(decision.answers), 'or')}."
    if decision.bets:
        words += f" A bet is a multiple of the {decision.multiple_of.replace('_', ' ')}."
    return StepTold(step=decision.name.replace("_", " "), words=words, clause=decision.clause)


def _wagers(source: Source) -> Iterator[WagerRule]:
    rules, book = source.rules, source.rules.book
    for name, wager in book.wagers.items():
        if wager.role == "optional" and name not in source.sides:
            continue
        needs = (
            joined([book.wagers[name_needed].title for name_needed in wager.needs])
            if wager.needs
            else ""
        )
        if wager.equals:
            needs = f"equals {book.wagers[wager.equals].title}"
        yield WagerRule(
            name=name,
            title=wager.title,
            role={"decided": "decided in play"}.get(wager.role, wager.role),
            stakes=_stakes(rules, name),
            paytable=", ".join(dict.fromkeys(_tables(rules, name))),
            needs=needs,
            clause=wager.clause,
        )


def _tables(rules: Rules, name: str) -> Iterator[str]:
    """Return what pays a wager: the letter of its table, or its odds if it has nothing else."""
    bonuses = [bonus.paytable for bonus in rules.book.bonuses.values() if bonus.on == name]
    for family in (*families_of(rules.book.wagers[name].settles), *bonuses):
        chosen = rules.chosen.get(family)
        if chosen is None:
            yield "by hands dealt"
            continue
        lines = rules.paytable(family).lines
        plain = lines[0].pays if len(lines) == 1 else family.replace("_", " ")
        yield plain if chosen == "only" else f"{family.replace('_', ' ')} {chosen}"


def _stakes(rules: Rules, name: str) -> str:
    if name in rules.stakes:
        return joined([dollars(cents) for cents in rules.stakes[name]], "or")
    low, high = rules.limits.get(name, (None, None))
    return amounts(low, high) if low or high else "not stated"


def _remedy(rules: Rules, accident: Irregularity) -> Remedy:
    when = ", ".join(MOMENTS[moment] for moment in accident.when)
    if accident.only:
        when += f"; while {ONLY[accident.only]}"
    return Remedy(
        what=accident.title,
        when=when,
        effect=consequence(accident, rules.book),
        clause=accident.clause,
    )


def _missing(rules: Rules, examples: tuple[ExampleRound, ...]) -> str:
    shown = {example.shows for example in examples}
    folds = any(decision.otherwise == "fold" for decision in rules.book.decisions)
    missing = [result for result in KINDS if result not in shown and (result != "fold" or folds)]
    return f"none of the deals tried shows a {joined(missing, 'or a')}" if missing else ""
