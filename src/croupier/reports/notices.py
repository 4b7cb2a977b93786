"""The rules that a table posts for its players, one sentence each, with their clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from croupier.money import dollars
from croupier.reports.phrases import amounts, joined, lowest_paid, number
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.paytable_lines import least_in_words, or_better
from croupier.rulebooks.clock import MOST_EXTENSIONS
from croupier.rulebooks.layouts import layout_of, notice_kinds, pays_anyway
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, NoticeKind, Rulebook, VersusDealer

Kind: TypeAlias = NoticeKind | Literal["table_limits", "clock", "electronic", "missing"]


class Notice(msgspec.Struct, frozen=True):
    """`asked_by`: the clause that requires the notice; `rule`: the clause it states. Either may be
    empty."""

    kind: Kind
    words: str
    asked_by: str
    rule: str


def notices_of(rules: Rules) -> Iterator[Notice]:
    clauses = layout_of(rules.book).notices
    for notice, words, rule in (
        *_qualifies(rules.book),
        *_unqualified(rules.book),
        *_winning_hands_that_push(rules),
        *_multiples(rules.book),
        *_payout_limits(rules),
    ):
        yield Notice(notice, words, clauses.get(notice, ""), rule)
    for name, (low, high) in rules.limits.items():
        wager = rules.book.wagers[name]
        if (low or high) and (wager.role != "optional" or name in rules.offered):
            words = f"{wager.title}: {amounts(low, high)}"
            yield Notice("table_limits", words, "", wager.clause)
    yield from _clock(rules)
    yield from _electronic(rules)


def _electronic(rules: Rules) -> Iterator[Notice]:
    """The operator's choice, if the document has it (11.L)."""
    if rules.options.get("electronic_version") is True:
        words = "The dealer deals on an electronic table: the cards are shown on its screens"
        yield Notice("electronic", words, "", rules.book.options["electronic_version"].clause)


def _clock(rules: Rules) -> Iterator[Notice]:
    """The operator's own clock; no document asks for one."""
    clock = rules.clock
    if clock is None:
        return
    limits = []
    if clock.betting is not None:
        limits.append(f"{clock.betting} seconds to bet after the first bet")
    if clock.decision is not None:
        limits.append(f"{clock.decision} seconds for each answer")
    words = (
        f"Where others wait you have {joined(limits)}. Ask for more time and get "
        f"{clock.extension} seconds, up to {MOST_EXTENSIONS} times"
    )
    if clock.decision is not None:
        declines = joined(list(dict.fromkeys(d.otherwise for d in rules.book.decisions)), "or")
        words += f". No answer counts as {declines}; your wagers are never counted as abandoned"
    yield Notice("clock", words, "", "")


_Told: TypeAlias = tuple[NoticeKind, str, str]


def _qualifies(book: Rulebook) -> Iterator[_Told]:
    if book.dealer is not None and "qualifies" in notice_kinds(book):
        words = f"The dealer qualifies with {or_better(least_in_words(book.dealer))}"
        yield "qualifies", words, book.dealer.clause


def _unqualified(book: Rulebook) -> Iterator[_Told]:
    for wager in book.wagers.values():
        settles = wager.settles
        if not isinstance(settles, VersusDealer) or settles.unqualified is None:
            continue
        assert book.dealer is not None
        unqualified, least = settles.unqualified, least_in_words(book.dealer)
        if unqualified.higher.do == "return":
            words = f"The {wager.title} pushes if the dealer has less than {least}"
            if unqualified.lower.do != "return":
                words += ", unless the dealer's hand is the higher one"
            yield "unqualified_push", words, unqualified.higher.clause
        elif pays_anyway(settles):
            words = (
                f"The {wager.title} wins if the dealer has less than {least}, whatever your hand"
            )
            yield "unqualified_win", words, book.dealer.clause


def _winning_hands_that_push(rules: Rules) -> Iterator[_Told]:
    """Depends on the paytable in force: Blind A pushes below a straight, Blind B below a flush."""
    for wager in rules.book.wagers.values():
        if isinstance(wager.settles, VersusDealer):
            won = wager.settles.qualified.higher
            if won.otherwise is not None and won.otherwise.do == "return":
                table = rules.paytable(won.paytable)
                least = lowest_paid(table, rules.book, wager.settles.hand)
                words = f"The {wager.title} pushes if the winning hand is not {least} or better"
                yield "win_push", words, won.otherwise.clause


def _multiples(book: Rulebook) -> Iterator[_Told]:
    for decision in book.decisions:
        moment = _moment(book, decision)
        if decision.takes_back:
            title = book.wagers[decision.takes_back].title
            yield "multiples", f"{title} may be taken back{moment}", decision.clause
        if decision.bets:
            title = book.wagers[decision.wager].title
            size = _sizes(book, decision)
            words = f"{title}: {size}{moment}, or {decision.otherwise}{_strong(decision)}"
            yield "multiples", words, decision.clause


def _sizes(book: Rulebook, decision: Decision) -> str:
    """Return the bets that any hand may make, or all bets."""
    base = book.wagers[decision.multiple_of].title
    base = base if " " not in base else f"{base} wager"
    free = [str(n) for bet, n in decision.bets.items() if bet not in decision.only_with]
    times = joined(free or [str(n) for n in decision.bets.values()], "or")
    return f"equal to the {base}" if times == "1" else f"{times} times the {base}"


def _strong(decision: Decision) -> str:
    """Return the bets that only certain hands may make."""
    by_hand: dict[str, list[str]] = {}
    for bet, least in decision.only_with.items():
        by_hand.setdefault(least_in_words(least), []).append(str(decision.bets[bet]))
    return "".join(
        f"; {joined(times, 'or')} times only with {or_better(least)}"
        for least, times in by_hand.items()
    )


def _moment(book: Rulebook, decision: Decision) -> str:
    """Return what lies on the table at the decision, if there is more than one decision."""
    if decision.sees_player < book.cards.player:
        return f" on the first {number(decision.sees_player)} cards"
    if decision.sees_dealer:
        up = "one card" if decision.sees_dealer == 1 else f"{number(decision.sees_dealer)} cards"
        return f" when {up} of the dealer's {'is' if up == 'one card' else 'are'} up"
    if not book.cards.community:
        return ""
    if decision.sees_community == 0:
        return " before the community cards"
    if decision.sees_community < book.cards.community:
        count = number(decision.sees_community)
        return f" after the first {'' if count == 'one' else f'{count} '}community card" + (
            "" if count == "one" else "s"
        )
    return f" after all {number(book.cards.community)} community cards"


def _payout_limits(rules: Rules) -> Iterator[_Told]:
    """`rule` is empty if no limit is in force."""
    if not rules.book.payout_limits:
        return
    placed = {
        name: wager.title
        for name, wager in rules.book.wagers.items()
        if wager.role != "optional" or name in rules.offered
    }
    limits = limits_in_force(rules)
    for limit in limits:
        on = joined([title for name, title in placed.items() if name in limit.covers])
        others = [title for name, title in placed.items() if name not in limit.covers]
        if len(others) <= 2:
            on = f"all wagers except {joined(others)}" if others else "all wagers"
        words = f"Payout limit per hand: {dollars(limit.cents)} on {on}, taken together"
        yield "payout_limit", words, limit.clause
    if not limits:
        yield "payout_limit", "No payout limit per hand has been set", ""
