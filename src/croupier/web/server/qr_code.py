"""QR codes."""

from __future__ import annotations

import io

import segno


def qr_code(address: str) -> bytes:
    """Black on white in every theme: cameras want it so."""
    drawn = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, light="white", omitsize=True, svgclass="", lineclass="")
    return drawn.getvalue()
