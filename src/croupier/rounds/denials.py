"""Why a floorperson denies a progressive, and what follows from each reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.errors import Refusal
from croupier.rounds.commands import DenialGround, RefuseProgressive
from croupier.rulebooks.rules import Rules

__all__ = [
    "DENIALS",
    "Denial",
    "check_denial",
    "denial_words",
    "lets_envy_stand",
    "named_denial",
    "pays_envy",
]


class Denial(NamedTuple):
    """`words` are what a floorperson picks. `returned`: no wager was accepted, so the chip goes
    back (MD-57). `hand_stands`: only the wager is denied, so the hand may still bring the others
    their Envy Bonus (MD-31)."""

    words: str
    returned: bool
    hand_stands: bool
    phrases: tuple[str, ...]
    """Beginnings of a reason in free words that mean the same."""


DENIALS: Final[Mapping[DenialGround, Denial]] = {
    "light_off": Denial(
        "the light was off",
        returned=True,
        hand_stands=True,
        phrases=("light was off", "light was not on", "light off", "no light"),
    ),
    "late_bet": Denial(
        "the bet came after no more bets",
        returned=True,
        hand_stands=True,
        phrases=("bet came after no more bets", "bet was late", "late bet"),
    ),
    "hand_does_not_win": Denial(
        "the hand does not win",
        returned=False,
        hand_stands=False,
        phrases=("hand does not win", "hand does not qualify"),
    ),
    "other": Denial("another reason", returned=False, hand_stands=True, phrases=()),
}


def named_denial(command: RefuseProgressive) -> RefuseProgressive:
    """The denial with the reason that its words name; `other` where they name none of the list."""
    said = command.reason.strip().casefold().removeprefix("the ")
    if not said or command.ground is not None:
        return command
    named = [
        ground
        for ground, one in DENIALS.items()
        if any(_begins(said, phrase) for phrase in one.phrases)
    ]
    return replace(command, ground=named[0] if named else "other")


def _begins(said: str, phrase: str) -> bool:
    """The phrase alone, or with more words after a comma, a full stop or the like."""
    return said.startswith(phrase) and not said[len(phrase) :].lstrip().strip(".")[:1].isalnum()


def check_denial(command: RefuseProgressive) -> None:
    """A denial names its reason."""
    if command.reason.strip() or command.ground not in (None, "other"):
        return
    listed = ", ".join(one.words for ground, one in DENIALS.items() if ground != "other")
    raise Refusal(
        f"say why the progressive is denied: {listed}, or another reason in words",
        code="no_reason",
    )


def denial_words(ground: str, reason: str) -> str:
    """The reason picked and what was added to it."""
    picked = next((one.words for name, one in DENIALS.items() if name == ground != "other"), "")
    added = reason.strip()
    if not picked or added.casefold().startswith(picked):
        return added
    return f"{picked}: {added}" if added else picked


def lets_envy_stand(ground: DenialGround, rules: Rules) -> bool:
    """Does the hand still bring others the Envy Bonus? Where its holder must have bet, a hand whose
    progressive is denied brings none."""
    must_bet = rules.options.get("envy_holder_must_bet") is True
    return DENIALS[ground].hand_stands and not must_bet


def pays_envy(hand: str, rules: Rules) -> bool:
    """Is it a line of the Envy Bonus that goes with the progressive in force?"""
    envy = rules.book.envy
    if envy is None:
        return False
    table_id = rules.chosen[getattr(rules.book.wagers[envy.on].settles, "paytable", "")]
    tables = [rules.book.paytables[family].get(table_id) for family in envy.tables.values()]
    return any(line.hand == hand for table in tables if table is not None for line in table.lines)
