"""The shuffle: sealed decks, opening a seal, checking a round's deck, testing fairness."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from croupier.cards import Card, format_cards, parse_cards
from croupier.errors import BadCards, BadData, BadRequest, plain, shown
from croupier.library.record import Progress, Record, quiet
from croupier.randomness import shuffling
from croupier.randomness.examine import Examination, examine, plan_sample
from croupier.rounds.deal_record import DealCheck, DealRecord, read_deal
from croupier.rounds.deal_record import check_deal as checks_of

_HEX_64 = re.compile("[0-9a-f]{64}")


class SealedDeck(Record, frozen=True):
    """A shuffled deck. The `commitment` is what a table shows before the bets; `salt` and `order`,
    shown after the round, open it."""

    order: tuple[Card, ...]
    """The order of the deck."""
    salt: str
    """256 random bits, in hexadecimal."""
    commitment: str
    """The hash of salt and order."""

    def to_dict(self) -> dict[str, Any]:
        order = format_cards(self.order)
        return {"order": order, "salt": self.salt, "commitment": self.commitment}


class SealCheck(Record, frozen=True):
    """The result of opening a seal."""

    opens: bool
    """Whether salt and order are those that were committed to."""

    def __bool__(self) -> bool:
        return self.opens

    def to_dict(self) -> dict[str, Any]:
        return {"opens": self.opens}


class DeckCheck(Record, frozen=True):
    """Every check of a finished round's deck."""

    checks: tuple[DealCheck, ...]
    """The checks, each with its result."""

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        return {"holds": self.holds, "checks": [check._asdict() for check in self.checks]}


class ShuffleExamination(Record, frozen=True):
    """Chi-square over shuffled decks, and NIST SP 800-22 over their bits."""

    result: Examination
    """Every test with its p-value."""
    source: str
    """The source of randomness, in words."""

    @property
    def fair(self) -> bool:
        """Whether no test finds the shuffle unfair."""
        return self.result.fair

    def __bool__(self) -> bool:
        return self.fair

    def markdown(self, command: str = "croupier.examine_shuffle") -> str:
        """Return the report as Markdown; `command` says how it was made."""
        from croupier.reports.shuffle import markdown

        return markdown(self.result, source=self.source, command=command)

    def to_dict(self) -> dict[str, Any]:
        from croupier.reports.shuffle import as_object

        return as_object(self.result, source=self.source)


def shuffle(seed: int | None = None) -> SealedDeck:
    """Shuffle a deck of 52 cards and seal its order. The bytes come from the system's generator
    unless a seed is passed."""
    draw = shuffling.from_system if seed is None else shuffling.Seeded(seed)
    sealed = shuffling.seal(shuffling.shuffle(draw), draw)
    return SealedDeck(tuple(sealed.order), sealed.salt, sealed.commitment)


def open_seal(commitment: str, salt: str, order: str | Iterable[Card]) -> SealCheck:
    """Check whether this salt with this order of the whole deck gives the commitment."""
    cards = parse_cards(order) if isinstance(order, str) else tuple(order)
    if len(cards) != 52:
        raise BadCards(f"the order has {len(cards)} cards: a sealed deck has all 52")
    digits = _hexadecimal(commitment, "the commitment"), _hexadecimal(salt, "the salt")
    return SealCheck(shuffling.matches_seal(*digits, cards))


def check_deal(file: str | Path, *, seal: str | None = None) -> DeckCheck:
    """Check a round's deck from its JSON file alone: seal, players' randomness, every dealt card.
    `seal` is the one that was seen before the bets."""
    record = _deal_in(Path(file))
    checks = list(checks_of(record))
    if seal is not None:
        same = _hexadecimal(seal, "the seal") == record.seal
        checks.insert(0, DealCheck(same, "The seal is the one that you saw before the bets."))
    return DeckCheck(tuple(checks))


def _deal_in(file: Path) -> DealRecord:
    """Return the part of a round's JSON that records the deal."""
    try:
        record = read_deal(file.read_bytes())
    except OSError as error:
        raise BadRequest(f"{plain(file, 200)} cannot be read: {error.strerror}") from None
    except BadData as error:
        raise BadRequest(
            f"{plain(file, 200)}: {error.message}; `croupier replay TABLE ROUND --json` prints one"
        ) from None
    if record is None:
        raise BadRequest(
            f"{plain(file, 200)} has no deck to check: the round is not over, or its cards were "
            "shuffled by hand"
        )
    return record


def _hexadecimal(text: str, noun: str) -> str:
    digits = text.strip().lower()
    if not _HEX_64.fullmatch(digits):
        raise BadRequest(f"{noun} is 64 hexadecimal digits (0-9, a-f), not {shown(text)}")
    return digits


def examine_shuffle(
    decks: int = 260_000,
    *,
    bits: int | None = None,
    seed: int | None = None,
    progress: Progress = quiet,
) -> ShuffleExamination:
    """Test the shuffle: chi-square over the decks, NIST SP 800-22 over sequences of `bits` bits (a
    million, or less if there are few decks)."""
    plan = plan_sample(decks, bits)
    draw = shuffling.from_system if seed is None else shuffling.Seeded(seed)
    done = iter(range(plan.steps + 1))
    result = examine(
        lambda: shuffling.shuffle(draw),
        plan,
        lambda label: progress(label, next(done, plan.steps), plan.steps),
    )
    if seed is not None:
        return ShuffleExamination(result, f"the seed {seed}, which gives this report again")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    return ShuffleExamination(result, f"the operating system's generator, on {today}")
