"""Rules in force, as tests ask for them."""

from __future__ import annotations

import pytest

from tests.mathematics.side_wagers.in_force import InForce


@pytest.fixture(scope="session")
def in_force() -> InForce:
    return InForce()
