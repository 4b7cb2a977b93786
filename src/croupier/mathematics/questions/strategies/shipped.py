"""The strategies that come with Croupier: texts in `shipped_texts/`, named after their files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from croupier.errors import suggest
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.text import WrittenStrategy, read_strategy, read_text

__all__ = ["open_strategy", "shipped_for", "shipped_names"]


@cache
def _texts() -> dict[str, str]:
    folder = files(__package__).joinpath("shipped_texts")
    found = {file.name[:-4]: file for file in folder.iterdir() if file.name.endswith(".txt")}
    return {name: found[name].read_text("utf-8") for name in sorted(found)}


def shipped_names() -> tuple[str, ...]:
    return tuple(_texts())


def shipped_for(rulebook: str) -> tuple[str, ...]:
    """Those whose `games:` line names the rulebook."""
    return tuple(name for name, text in _texts().items() if rulebook in _games(text))


def _games(text: str) -> list[str]:
    for line in text.splitlines():
        if line.lower().startswith("games:"):
            return line.partition(":")[2].replace(",", " ").split()
    return []


def open_strategy(name: str, choices: Sequence[StrategyDecision]) -> WrittenStrategy:
    """A shipped strategy by name, or any text by the path of its file."""
    if name in _texts():
        return read_text(_texts()[name], choices, name)
    path = Path(name)
    if path.suffix == ".txt" or len(path.parts) > 1 or path.exists():
        return read_strategy(path, choices)
    raise suggest("strategy", name, _texts())
