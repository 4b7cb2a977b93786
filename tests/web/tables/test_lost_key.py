"""A server that starts without the key of the machine: the round in play waits for a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.maintenance.adopting import adopt
from croupier.ledger.signatures.macs import AnotherKey
from croupier.runtime.dealer import FAST
from tests.web.conftest import Start
from tests.web.tables.test_audit import BY_HAND, UTH


def test_a_round_whose_key_is_lost_is_voided_by_a_floorperson(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = start(pace=BY_HAND)
    first.staff("floorperson", "flo")
    ann = first.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    first.client.__exit__(None, None, None)
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "another.key"))
    with pytest.raises(AnotherKey, match="`croupier journal adopt`"):
        start(pace=FAST)
    with open_journal(first.pit.journal.name) as journal:
        assert not adopt(journal).differences
    again = start(pace=FAST)
    assert again.pit.table(UTH).is_shut
    bob, flo = again.guest(), again.staff("floorperson", "fay")
    assert bob.view(UTH)["round"]["phase"] == "deciding"
    flo.refused(UTH, 409, "sealed", type="fill", amount="70.00", slip="F-1")
    flo.do(UTH, type="void_round", reason="the key of the machine is lost")
    assert bob.until(UTH, "over", "betting")["round"]["phase"] in ("over", "betting")
    bob.sit(UTH, 2)
    bob.until(UTH, "betting")
