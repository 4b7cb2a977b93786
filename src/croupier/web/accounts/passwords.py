"""Refusal of weak passwords: short, simple, common, or containing the person's name."""

from __future__ import annotations

import re
from typing import Final

from croupier.errors import BadRequest

LEAST_PASSWORD: Final = 10
MOST_PASSWORD: Final = 200
LEAST_DIFFERENT: Final = 5

_WORDS: Final = """
    password passwort passphrase passcode welcome letmein admin administrator operator auditor
    surveillance dealer floorperson croupier casino poker holdem blackjack changeme default secret
    login guest master dragon monkey football baseball sunshine princess shadow superman batman
    trustno iloveyou whatever qwerty qwertyuiop qwertyui asdfgh asdfghjkl zxcvbn zxcvbnm azerty
    abcdef abcdefgh abcdefghij abc test testing temp temporary summer winter spring autumn
    january monday jackpot royalflush straightflush acekingqueen lucky luckyseven maryland
"""
_COMMON: Final = frozenset(_WORDS.split())
_LOOKS_LIKE: Final = str.maketrans("@4310$5!7", "aaeiossit")
_ROWS: Final = ("01234567890123456789", "98765432109876543210", "abcdefghijklmnopqrstuvwxyz")


def check_password(password: str, name: str = "") -> None:
    """Refuse a weak password, with the reason and a suggestion."""
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise BadRequest(
            f"a password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters, this one "
            f"{len(password)}"
        )
    if (why := _weakness(password.lower(), name.lower())) is not None:
        raise BadRequest(f"this password is easily guessed: {why}. Four words in a row would do")


def _weakness(password: str, name: str) -> str | None:
    if len(set(password)) < LEAST_DIFFERENT:
        return f"it has fewer than {LEAST_DIFFERENT} different characters"
    if len(name) >= 3 and name in password:
        return "the name is in it"
    if any(password in row for row in _ROWS):
        return "its characters follow one another"
    plain = re.sub(r"[^a-z]", "", password.strip("0123456789!?.,-_*# ").translate(_LOOKS_LIKE))
    letters = re.sub(r"[^a-z]", "", password)
    if {plain, letters} & _COMMON or _is_repeated_common(letters):
        return "it is among those that are tried first"
    if password.isdecimal() and len(password) < 16:
        return "it has digits only"
    return None


def _is_repeated_common(letters: str) -> bool:
    """Return whether it repeats one common word, as in `passwordpassword` or `pokerpoker`."""
    return any(
        letters == word * (len(letters) // len(word))
        for word in _COMMON
        if letters and len(letters) % len(word) == 0
    )
