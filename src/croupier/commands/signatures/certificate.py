"""The signature of `croupier certificate`."""

from __future__ import annotations

from pathlib import Path

from croupier.commands.signatures.common import AsJson, Repeated, documented

__all__ = ["certificate"]


@documented
def certificate(file: Path, /, *, key: Repeated = None, json: AsJson = False) -> int:
    """Is the certificate of an exam true? Deals it again from its seed and scores it.

    Exit code 0: valid. 1: forged, altered, or taken by rules that this program does not have.

    Parameters
    ----------
    file
        The certificate, as it was downloaded.
    key
        A public key that you trust; any other signature is refused. Repeatable.
    """
    from croupier.commands import certificate as command

    return command.run(file, keys=key or (), as_json=json)
