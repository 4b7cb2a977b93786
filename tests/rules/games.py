"""Rounds of the bundled casino games, told in short: cards, what was said, what was bet."""

from __future__ import annotations

from collections.abc import Mapping

from tests.rules.table import Settled, seat, settle

__all__ = ["nets", "play", "why"]


def play(
    game: str,
    cards: str,
    said: str,
    *,
    dealer: str = "",
    board: str = "",
    paytables: Mapping[str, str] | None = None,
    **bets: int,
) -> Settled:
    """One seat, settled."""
    told = seat(cards, said) | {"wagers": bets}
    return settle(game, told, community=board, dealer=dealer or None, paytables=paytables)


def nets(settled: Settled) -> dict[str, str]:
    """What every line changed in the player's money, without cents where there are none."""
    return {line["wager"]: line["net"].removesuffix(".00") for line in settled.seat(1)["lines"]}


def why(settled: Settled, wager: str) -> str:
    line = settled.line(wager)
    assert line is not None
    return str(line["explanation"])
