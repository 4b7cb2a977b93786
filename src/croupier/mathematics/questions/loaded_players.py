"""Ways to play that are kept as tables, whichever game they are for."""

from __future__ import annotations

from pathlib import Path

from croupier.mathematics.questions.advice.situation import Player
from croupier.mathematics.questions.players.boards import HoldemPlayer
from croupier.mathematics.questions.strategies.files import of_other_version, read_player
from croupier.mathematics.questions.strategies.table_player import TablePlayer

__all__ = ["Player", "load_player"]


def load_player(path: Path) -> Player:
    """The player of a file that `save` wrote."""
    about, arrays = read_player(path)
    try:
        if about["kind"] == "table":
            return TablePlayer.restored(about, arrays)
        return HoldemPlayer.restored(about, arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise of_other_version(path, error) from None
