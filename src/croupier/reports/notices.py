"""The rules a table tells its players in a sentence each, with the clause behind each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.money import dollars
from croupier.reports.phrases import amounts, called, joined, lowest_paid, number
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.clock import MOST_EXTENSIONS
from croupier.rulebooks.layouts import layout_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision, NoticeKind, Rulebook, VersusDealer

__all__ = ["Notice", "notices_of"]

Kind: TypeAlias = NoticeKind | Literal["table_limits", "clock", "electronic", "missing"]
_RANKS: Final = {
    "A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens", "9": "nines",
    "8": "eights", "7": "sevens", "6": "sixes", "5": "fives", "4": "fours", "3": "threes",
    "2": "twos",
}  # fmt: skip


class Notice(msgspec.Struct, frozen=True):
    """`asked_by`: the clause that wants it shown; `rule`: the one it tells. Either may be empty."""

    kind: Kind
    words: str
    asked_by: str
    rule: str


def notices_of(rules: Rules) -> Iterator[Notice]:
    asked = layout_of(rules.book).notices
    for kind, words, rule in (
        *_qualifies(rules.book),
        *_unqualified(rules.book),
        *_winning_hands_that_push(rules),
        *_multiples(rules.book),
        *_payout_limits(rules),
    ):
        yield Notice(kind, words, asked.get(kind, ""), rule)
    for name, (low, high) in rules.limits.items():
        wager = rules.book.wagers[name]
        if (low or high) and (wager.role != "optional" or name in rules.offered):
            words = f"{wager.title}: {amounts(low, high)}"
            yield Notice("table_limits", words, "", wager.clause)
    yield from _clock(rules)
    yield from _electronic(rules)


def _electronic(rules: Rules) -> Iterator[Notice]:
    """The operator's choice where a document has it (11.L)."""
    if rules.options.get("electronic_version") is True:
        words = "The dealer deals on an electronic table: the cards are shown on its screens"
        yield Notice("electronic", words, "", rules.book.options["electronic_version"].clause)


def _clock(rules: Rules) -> Iterator[Notice]:
    """The operator's own; no document asks for one."""
    clock = rules.clock
    if clock is None:
        return
    given = []
    if clock.betting is not None:
        given.append(f"{clock.betting} seconds to bet from the first bet")
    if clock.decision is not None:
        given.append(f"{clock.decision} seconds for each answer")
    words = (
        f"Where other players wait: {joined(given)}. Ask for more time and get {clock.extension} "
        f"seconds, up to {MOST_EXTENSIONS} times"
    )
    if clock.decision is not None:
        declines = joined(list(dict.fromkeys(d.otherwise for d in rules.book.decisions)), "or")
        words += f". No answer counts as {declines}, never as wagers abandoned"
    yield Notice("clock", words, "", "")


_Told: TypeAlias = tuple[NoticeKind, str, str]


def _least(book: Rulebook) -> str:
    """`a pair of sixes`, the least the dealer qualifies with."""
    assert book.dealer is not None
    least = called(book.dealer.at_least, book)
    return f"{least} of {_RANKS[book.dealer.of[0]]}" if book.dealer.of else least


def _qualifies(book: Rulebook) -> Iterator[_Told]:
    if book.dealer is not None and book.dealer.at_least != "high_card":
        words = f"The dealer qualifies with {_least(book)} or better"
        yield "qualifies", words, book.dealer.clause


def _unqualified(book: Rulebook) -> Iterator[_Told]:
    for wager in book.wagers.values():
        settles = wager.settles
        if not isinstance(settles, VersusDealer) or settles.unqualified is None:
            continue
        if settles.unqualified.higher.do == "return":
            words = f"The {wager.title} pushes if the dealer has less than {_least(book)}"
            if settles.unqualified.lower.do != "return":
                words += ", unless the dealer's hand is the higher one"
            yield "unqualified_push", words, settles.unqualified.higher.clause


def _winning_hands_that_push(rules: Rules) -> Iterator[_Told]:
    """Follows the paytable in force: Blind A pushes below a straight, Blind B below a flush."""
    for wager in rules.book.wagers.values():
        if isinstance(wager.settles, VersusDealer):
            won = wager.settles.qualified.higher
            if won.otherwise is not None and won.otherwise.do == "return":
                least = called(lowest_paid(rules.paytable(won.paytable)), rules.book)
                words = f"The {wager.title} pushes if the winning hand is not {least} or better"
                yield "win_push", words, won.otherwise.clause


def _multiples(book: Rulebook) -> Iterator[_Told]:
    for decision in book.decisions:
        if not decision.bets:
            back = book.wagers[decision.takes_back].title
            words = f"{back}: may be taken back {_moment(book, decision)}"
            yield "multiples", words, decision.clause
            continue
        wager, base = book.wagers[decision.wager].title, book.wagers[decision.multiple_of].title
        base = base if " " not in base else f"{base} wager"
        times = joined([str(multiple) for multiple in decision.bets.values()], "or")
        size = f"equal to the {base}" if times == "1" else f"{times} times the {base}"
        words = f"{wager}: {size} {_moment(book, decision)}, or {decision.otherwise}"
        yield "multiples", words, decision.clause


def _moment(book: Rulebook, decision: Decision) -> str:
    if decision.sees_player < book.cards.player:
        return f"on the first {number(decision.sees_player)} cards"
    if decision.sees_community == 0:
        return "before the community cards"
    if decision.sees_community < book.cards.community:
        count = number(decision.sees_community)
        return f"after the first {'' if count == 'one' else f'{count} '}community card" + (
            "" if count == "one" else "s"
        )
    return f"after all {number(book.cards.community)} community cards"


def _payout_limits(rules: Rules) -> Iterator[_Told]:
    """`rule` is empty where no limit is in force."""
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
