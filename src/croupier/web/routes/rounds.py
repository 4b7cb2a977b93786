"""What was played: the table's rounds, told and laid out again."""

from __future__ import annotations

from litestar import Controller

__all__ = ["Rounds"]


class Rounds(Controller):
    path = "/api/v1/tables"
    tags = ("rounds",)
