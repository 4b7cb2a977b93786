"""`croupier journal adopt`: this machine takes a journal over that another key vouched for.

A journal that was moved can be read and verified anywhere. Whoever goes on with it on a machine
with another key says so once: the journal is verified as far as that goes without the old key, all
its entries get MACs with the new one, and the stream `keys` says since when, and who did before.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from croupier.errors import BadRequest
from croupier.ledger.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.differences import Difference
from croupier.ledger.journal import Journal
from croupier.ledger.machine_key import machine_key
from croupier.ledger.verify import verify
from croupier.ledger.vouching import begin_to_vouch, signer_of

__all__ = ["Adopted", "adopt"]


class Adopted(msgspec.Struct, frozen=True):
    """`before` and `key` are public keys. Where anything differs, nothing was changed."""

    before: str
    key: str
    entries: int
    differences: tuple[Difference, ...] = ()


def adopt(journal: Journal, kept: Sequence[Checkpoint] = ()) -> Adopted:
    """`kept` are checkpoints from elsewhere that the journal must go on from."""
    machine, identity = machine_key(), journal.identity()
    with journal.reader() as connection:
        signer = signer_of(connection)
    before = identity.key if identity is not None else signer
    if before in ("", machine.public):
        raise BadRequest(
            f"the key of this machine vouches for {journal.name} already: nothing to adopt",
            code="already_done",
        )
    if signer == machine.public:
        raise BadRequest(
            f"the last checkpoint of {journal.name} was signed with the key of this machine, but "
            f"its table `identity` names {before[:16]}…: somebody changed it. Restore a "
            "backup; nothing was changed",
            code="entry_forged",
        )
    found = verify(journal, kept=kept)
    if found.valid:
        if identity is None:
            journal.bring_up_to_date(adopting=True)
        else:
            with journal.alone() as connection:
                begin_to_vouch(connection, machine, before)
            journal.macs.forget()
        take_checkpoint(journal, machine)
    return Adopted(before, machine.public, found.entries, found.differences)
