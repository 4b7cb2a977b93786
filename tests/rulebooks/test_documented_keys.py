"""docs/rulebooks.md has every key of a rulebook file, and its examples are in the form."""

from __future__ import annotations

import re
import tomllib

import msgspec
import pytest

from croupier.rulebooks import schema
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.schema import Rulebook
from tests.commands.program import ROOT
from tests.library.pages import examples_of, tutorial_game

PAGE = ROOT / "docs" / "rulebooks.md"
STRUCTS = [
    value
    for value in vars(schema).values()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value.__module__ == schema.__name__
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: str(struct.__name__))
def test_every_key_of_the_schema_is_in_the_docs(struct: type[msgspec.Struct]) -> None:
    told = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`\n]+`", PAGE.read_text("utf-8")))))
    assert set(struct.__struct_fields__) <= told


def test_every_table_in_the_docs_is_in_the_form() -> None:
    """The parts that the page shows, each put into a game that has the rest."""
    found = [one for one in examples_of(PAGE) if one.language == "toml"]
    forms = msgspec.structs.fields(Rulebook)
    kinds = {field.name: field.type for field in forms}
    looked = 0
    for example in found:
        tree = tomllib.loads(example.text)
        for name, part in tree.items():
            if name in kinds:
                msgspec.convert(part, kinds[name])
                looked += 1
    assert looked >= 8


@pytest.mark.parametrize(
    "part", ["cards", "reveals", "decisions", "hands", "dealer", "wagers", "paytables", "dealing"]
)
def test_the_tutorial_writes_casino_holdem(part: str) -> None:
    written = rulebook_from(tutorial_game(), "night.toml").default
    assert getattr(written, part) == getattr(load_rulebook("casino-holdem").default, part)
