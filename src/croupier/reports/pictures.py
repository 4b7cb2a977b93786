"""Terminal output as an SVG picture that makes no network request."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console, RenderableType

from croupier.errors import BadData

_WIDTH = 112
_FOREIGN = re.compile(r"@font-face \{\{.*?\}\}\s*|<!--.*?-->\s*", re.DOTALL)


def save_picture(parts: Sequence[RenderableType], path: Path, *, title: str) -> None:
    """Draw the parts below each other. rich's own template would fetch a font; ours does not."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True)
    for part in parts:
        console.print(part)
    template = _FOREIGN.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code", "ui-monospace")
    try:
        path.write_text(console.export_svg(title=title, code_format=template), "utf-8")
    except OSError as error:
        raise BadData(f"{path} cannot be written: {error.strerror}") from None
