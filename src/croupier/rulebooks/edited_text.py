"""A rulebook's text with other pays on some lines of a paytable; everything else stays."""

from __future__ import annotations

import re
from collections.abc import Mapping

from croupier.errors import BadRequest, suggest


def with_pays(text: str, name: str, family: str, table: str, pays: Mapping[str, str]) -> str:
    """Return the text under another id, because it is another game; a line's pay is written `7 to
    1`, `push`, or `not paid`, which removes the line."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", name):
        raise BadRequest(f"{name[:60]!r}: a rulebook's id is small letters, digits and dashes")
    start = re.search(
        rf"^\[paytables\.{re.escape(family)}\.{re.escape(table)}\]$", text, re.MULTILINE
    )
    if start is None:
        raise BadRequest(f"the rulebook's text has no table {family} {table}")
    end = re.compile(r"^\[", re.MULTILINE).search(text, start.end())
    stop = end.start() if end else len(text)
    lines = text[start.end() : stop]
    for hand, pay in pays.items():
        line, new = rf'(hand = "{re.escape(hand)}", pays = ")[^"]*(")', rf"\g<1>{pay}\g<2>"
        if pay == "not paid":
            line, new = rf'^[ \t]*\{{ *hand = "{re.escape(hand)}",[^\n]*\n', ""
        lines, changed = re.subn(line, new, lines, count=1, flags=re.MULTILINE)
        if not changed:
            raise suggest("line", hand, re.findall(r'hand = "([^"]+)"', lines))
    edited = text[: start.end()] + lines + text[stop:]
    return re.sub(r'^id = "[^"]*"', f'id = "{name}"', edited, count=1, flags=re.MULTILINE)
