"""The roles that people have."""

from __future__ import annotations

from typing import Literal, TypeAlias

PersonRole: TypeAlias = Literal[
    "player", "dealer", "floorperson", "cashier", "auditor", "operator", "surveillance"
]
