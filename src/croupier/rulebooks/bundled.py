"""The rulebooks that come with Croupier: the folders beside this module.

A folder with a `game.toml` is a regulator's document, and the folder's name is its id. It also
holds the document's `clauses.tsv`, the `duties.tsv` of the people at a table, the `readings.toml`
adopted for unclear passages, the `answers.toml` that say what answers each clause, `tests.tsv`,
which test holds which clause, and `demo.toml`, a submission for a demonstration table. A game
without a document is in `games/`, in a folder that holds only its `game.toml`. Rulebooks are listed
in the order of `order.txt`; those it leaves out follow, by id.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from croupier.errors import suggest

_ORDER: Final = files(__package__).joinpath("order.txt").read_text("utf-8").split()


def rulebooks_in(folder: Traversable) -> dict[str, Traversable]:
    """Return the subfolders that hold a game, by name."""
    if not folder.is_dir():
        return {}
    folders = {path.name: path for path in folder.iterdir() if path.joinpath("game.toml").is_file()}
    return {name: folders[name] for name in sorted(folders, key=_place)}


def _place(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


_DOCUMENTS: Final = rulebooks_in(files(__package__))
_GAMES: Final = rulebooks_in(files(__package__).joinpath("games"))

DOCUMENTS: Final = tuple(_DOCUMENTS)
"""The ids of the regulators' documents."""
GAMES: Final = tuple(_GAMES)
"""The ids of the games without a document."""
BUNDLED: Final = (*DOCUMENTS, *GAMES)


def read_bundled(id_: str, name: str) -> str:
    """Return the text of one file of a bundled rulebook, such as `game.toml`."""
    folder = (_DOCUMENTS | _GAMES).get(id_)
    if folder is None:
        raise suggest("rulebook", id_, BUNDLED)
    return folder.joinpath(name).read_text("utf-8")


def read_template() -> str:
    """Return a commented rulebook file as a starting point for a new game."""
    return files(__package__).joinpath("template.toml").read_text("utf-8")
