"""One-time codes of an authenticator (TOTP, RFC 6238): six digits, new every thirty seconds."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from hashlib import sha1
from typing import Final
from urllib.parse import quote

__all__ = ["authenticator_uri", "code_at", "fresh_secret", "step_of", "why_not"]

STEP_SECONDS: Final = 30
DIGITS: Final = 6
DRIFT_STEPS: Final = 1
"""Clocks of telephones differ: the code before and the one after count, too."""
EARLIER_STEPS: Final = 20
"""A code that is older is simply wrong. Of codes to come nothing is said: a guesser could wait."""


def fresh_secret() -> str:
    """160 bits, as people type them into an authenticator."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int, digits: int = DIGITS) -> str:
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), sha1).digest()
    place = digest[-1] & 0x0F
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: str, code: str, seconds: float, after: int = 0) -> int | None:
    """The step that a code is for, if it is one of now; a code counts once, so `after` the last."""
    now = int(seconds) // STEP_SECONDS
    steps = _matching(secret, code, range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1))
    return next((step for step in steps if step > after), None)


def why_not(secret: str, code: str, seconds: float, after: int) -> str:
    """What is wrong with a code that `step_of` has no step for."""
    now = int(seconds) // STEP_SECONDS
    steps = _matching(secret, code, range(now - EARLIER_STEPS, now + DRIFT_STEPS + 1))
    if after in steps:
        return "this code was used already: wait for the next one"
    if steps:
        return (
            "this code is for an earlier time: take the one that the authenticator shows now, and "
            "see that the telephone's clock is right"
        )
    return "this code is wrong; if it stays so, see that the telephone's clock is right"


def _matching(secret: str, code: str, steps: range) -> list[int]:
    digits = re.sub(r"\s", "", code).encode()
    return [step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), digits)]


def authenticator_uri(secret: str, name: str, house: str = "Croupier") -> str:
    """What an authenticator opens."""
    label = quote(f"{house}:{name}", safe="")
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(house, safe='')}"
