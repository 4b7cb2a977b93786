"""QR codes."""

from __future__ import annotations

import io

import segno


def qr_code(address: str) -> bytes:
    """Return the QR code as an SVG, black on white in every theme because cameras need that."""
    drawn = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, light="white", omitsize=True, svgclass="", lineclass="")
    return drawn.getvalue()
