"""Signs and layouts as print-ready sheets, set by typst (the extra `reports`).

Texts reach typst as data, never as markup. It uses its own fonts and no date is written, so the
same sign gives the same bytes on every machine.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.util import find_spec
from types import ModuleType
from typing import Literal, TypeAlias

import msgspec

from croupier.errors import not_installed
from croupier.reports.felt import felt_svg
from croupier.reports.signs import Sign

Paper: TypeAlias = Literal["letter", "a4"]
Part: TypeAlias = Literal["sign", "layout"]


def sheet(
    sign: Sign, part: Part, paper: Paper = "letter", form: Literal["pdf", "svg", "png"] = "pdf"
) -> bytes:
    template = files(__package__).joinpath(f"{part}.typ").read_bytes()
    inputs = {
        "sign": msgspec.json.encode(printable(sign)).decode(),
        "paper": {"letter": "us-letter", "a4": "a4"}[paper],
    }
    if part == "layout":
        inputs["felt"] = felt_svg(sign, printed=True)
    return typeset(template, inputs, form)


def typeset(
    template: bytes,
    inputs: dict[str, str],
    form: Literal["pdf", "svg", "png"] = "pdf",
    *,
    standard: Literal["1.7", "a-3b"] = "1.7",
) -> bytes:
    """Set one of our templates with this data. `a-3b` is for archives and may have attachments."""
    made = load_typst().compile(
        template,
        format=form,
        sys_inputs=inputs,
        ignore_system_fonts=True,
        timestamp=0,
        pdf_standards=standard,
    )
    # Other forms than PDF come page by page where there are several.
    return bytes(made[0] if isinstance(made, list) else made)


def printable(value: object) -> object:
    """Return plain data without unprintable characters."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        return {name: printable(part) for name, part in plain.items()}
    if isinstance(plain, list | tuple):
        return [printable(part) for part in plain]
    if isinstance(plain, str):
        kept = "".join(letter if letter.isprintable() else " " for letter in plain)
        return kept.encode("utf-8", "replace").decode("utf-8")
    return plain


def has_typst() -> bool:
    return find_spec("typst") is not None


def load_typst() -> ModuleType:
    try:
        import typst
    except ImportError:
        raise not_installed("printed sheets", "typst", "reports") from None
    return typst
