"""Spelling and lookalikes of names, for accounts and guests.

Every function takes linear time, because the length of a name is limited first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from croupier.errors import BadRequest, shown

MOST_TYPED: Final = 1000
"""The most characters that are examined. Normalization makes some names longer, others shorter."""
_FORMULA: Final = "=+-@"
"""First characters that make a spreadsheet take a cell for a formula."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Characters drawn as nothing, although Unicode counts them among letters, marks and symbols."""
_ONE_ALPHABET: Final = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK"}

# Letters of other alphabets that look like a Latin letter. Capitals come first, because a capital
# and its small letter may look like two different Latin letters (Η, η).
_CAPITALS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗЬҒԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧI", "abesijkmhopctyxebfgabezhikmnoptyxi"
)
_SMALL: Final = str.maketrans(
    "авеѕіјкмнорстухзьгпԁԛԝһӏѵαβεηικνορτυχγωϲσıɩøđħłƒɑɡ0134578@$|!l",
    "abesijkmhopctyxebrndqwhivabenikvoptuxywcoiiodhifagoieastbasiii",
)
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def spelled(name: str) -> str:
    """Return the only spelling of a name: composed, with single blanks and one type of hyphen.
    Refuse formulas, invisible characters and mixed alphabets."""
    if len(name) > MOST_TYPED:
        raise BadRequest(f"a name has no {len(name):,} characters: choose a shorter one")
    text = " ".join(unicodedata.normalize("NFKC", name).split())
    text = "".join("-" if unicodedata.category(char) == "Pd" else char for char in text)
    if text.startswith(tuple(_FORMULA)):
        raise BadRequest(
            f"{shown(name)} begins with {text[0]}, which a spreadsheet takes for a formula: begin "
            "a name with a letter or a digit"
        )
    if not text.isprintable() or not _INVISIBLE.isdisjoint(text):
        raise BadRequest(
            f"{shown(name)} has characters that nobody sees: type the name by its letters, digits, "
            "blanks, dots and hyphens"
        )
    if len({_script(letter) for letter in text if letter.isalpha()}) > 1:
        raise BadRequest("a name has the letters of one alphabet: do not mix two")
    return text


def name_key(name: str) -> str:
    """Return the key of a name. Two names with one key are the same: "Flo", "FLO", "ｆｌｏ"."""
    text = unicodedata.normalize("NFKC", name[:MOST_TYPED]).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def look_of(name: str) -> str:
    """Return how a name looks at a glance: it is the same for "Fl0", "Fló" and "FIo"."""
    text = unicodedata.normalize("NFKC", name[:MOST_TYPED]).translate(_CAPITALS).casefold()
    text = unicodedata.normalize("NFKD", text).translate(_SMALL)
    text = "".join(letter for letter in text if letter.isalnum())
    for drawn, like in _PAIRS:
        text = text.replace(drawn, like)
    return text


def lookalike_of(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the others that could be mistaken for this name."""
    key, look = name_key(name), look_of(name)
    for candidate in others:
        if name_key(candidate) == key or (look and look_of(candidate) == look):
            return candidate
    return None


def _script(letter: str) -> str:
    script = re.split(r"[ -]", unicodedata.name(letter, "?"), maxsplit=1)[0]
    return _ONE_ALPHABET.get(script, script)
