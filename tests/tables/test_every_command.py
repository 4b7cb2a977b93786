"""Every command can be given: from the API, from the command line and in a rehearsal; and only by
those whom its declaration names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from croupier.errors import CroupierError
from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import ROLES, Actor, Command, Role
from croupier.rulebooks.kept_rules import own_text
from croupier.runtime import journal_session, session
from croupier.runtime.house import House
from croupier.scenarios import read_text, rehearse
from croupier.tables.command_fields import command_fields
from croupier.tables.command_input import command_from_json, fields_of
from croupier.tables.commands import COMMANDS, OpenTable, TableCommand
from croupier.tables.deciding import decide
from croupier.tables.planning import plan, plan_opening
from croupier.web.pages.description import command_schemas
from tests.commands.program import croupier
from tests.tables.command_examples import NAME, json_example, word_example

FLO = Actor("floorperson", "Flo")
OPENING = OpenTable(NAME, "md-uth", '{"offered": []}', source="live", care=False)

each_command = pytest.mark.parametrize("kind", COMMANDS.values(), ids=COMMANDS)
both_ways = pytest.mark.parametrize("whole", [True, False], ids=["all-fields", "needed-fields"])


def giver(kind: type[Command]) -> Actor:
    return Actor(kind.declared.by[0], NAME)


def expected(kind: type[Command], *, whole: bool) -> TableCommand:
    text = json.dumps(json_example(kind, whole=whole)).encode()
    return command_from_json(text, giver(kind))


def as_said(command: TableCommand) -> TableCommand:
    """Without what the house has filled in, and with the file that it refers to by its hash."""
    blank = {
        field.name: field.default
        for field in msgspec.structs.fields(command)
        if field.name in command.declared.filled
    }
    if isinstance(command, OpenTable):
        blank["rulebook_text"] = own_text(command.rulebook, command.rulebook_text)
    return msgspec.structs.replace(command, **blank)


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[TableCommand]:
    """The commands that reach the engine."""
    seen: list[TableCommand] = []

    def planned(table: Any, link: Any, command: TableCommand, *rest: Any) -> Any:
        seen.append(command)
        return plan(table, link, command, *rest)

    def opening(command: OpenTable, *rest: Any, **more: Any) -> Any:
        seen.append(command)
        return plan_opening(command, *rest, **more)

    for runtime in (session, journal_session):
        monkeypatch.setattr(runtime, "plan", planned)
        monkeypatch.setattr(runtime, "plan_opening", opening)
    return seen


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    with open_journal(path) as store:
        House(store).do(NAME, OPENING, FLO)
    return path


@pytest.fixture
def journal(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(template, tmp_path / "journal.db"))


def test_all_commands_are_known_by_their_names() -> None:
    assert set(COMMANDS.values()) == set(get_args(TableCommand))
    assert len(COMMANDS) == len(get_args(TableCommand))


@each_command
def test_a_command_declares_who_may_give_it_and_what_people_call_it(kind: type[Command]) -> None:
    declared = kind.declared
    assert declared.label
    assert declared.words
    assert declared.by
    assert set(declared.by) <= set(ROLES)
    assert declared.filled <= set(kind.__struct_fields__)


@each_command
def test_a_form_has_words_for_every_field_and_every_choice(kind: type[Command]) -> None:
    """In the command's own declaration: `Meta(title=...)` of the field, `help` of the command."""
    for field in command_fields(kind):
        titles = [mark.title for mark in _marks(kind, field.name) if mark.title]
        assert titles, f"{kind.__name__}.{field.name} has no title: give its Meta one"
        assert field.label == titles[-1]
        assert field.choice_labels.keys() == set(field.choices)
        for words in (field.label, *field.choice_labels.values()):
            assert words[0].isupper()
            assert "_" not in words
    assert not {"`", "_"} & set(kind.declared.help)


def _marks(kind: type[Command], name: str) -> list[msgspec.Meta]:
    """What is noted beside the type of a field, the inner first."""
    hint = get_type_hints(kind, include_extras=True)[name]
    parts = [hint, *(part for part in get_args(hint) if get_origin(part) is Annotated)]
    return [
        mark
        for part in parts
        if get_origin(part) is Annotated
        for mark in get_args(part)[1:]
        if isinstance(mark, msgspec.Meta)
    ]


@each_command
def test_whoever_may_not_give_it_is_told_so(kind: type[Command]) -> None:
    table = plan_opening(OPENING, FLO, with_link=False).table
    command = expected(kind, whole=False)
    others: list[Role] = [role for role in ROLES if role not in kind.declared.by]
    for role in others:
        with pytest.raises(CroupierError) as refused:
            decide(table, command, Actor(role, NAME))
        assert refused.value.code == "wrong_role"
        assert f"may not {command.doing()}: that takes" in refused.value.message


@each_command
@both_ways
def test_the_api_describes_it_and_takes_it(kind: type[Command], whole: bool) -> None:
    schema = command_schemas()[kind.__name__]
    assert set(schema["properties"]) == {"type", *fields_of(kind)}
    assert schema["title"] == kind.declared.label
    assert schema["x-roles"] == list(kind.declared.by)
    example = json_example(kind, whole=whole)
    assert set(schema["required"]) <= set(example)
    assert type(expected(kind, whole=whole)) is kind


@each_command
@both_ways
def test_the_command_line_gives_it(
    kind: type[Command], whole: bool, journal: Path, planned: list[TableCommand]
) -> None:
    tag, actor = str(kind.__struct_config__.tag), giver(kind)
    words = word_example(kind, whole=whole)
    acting = f"{actor.role}:{actor.name}"
    ran = croupier("table", "do", NAME, tag, *words, "--as", acting, "--journal", journal, "--json")
    assert planned, ran.err
    assert as_said(planned[-1]) == expected(kind, whole=whole)
    if ran.code:
        assert ran.error["code"] not in ("bad_data", "bad_arguments", "internal")
    else:
        assert ran.json["command"]["type"] == tag


@each_command
@both_ways
def test_a_rehearsal_says_it(kind: type[Command], whole: bool, planned: list[TableCommand]) -> None:
    actor = giver(kind)
    arrives = f"{NAME} sits at seat 1" if actor.role == "player" else f"{actor.role} {NAME}"
    tag, words = kind.__struct_config__.tag, " ".join(word_example(kind, whole=whole))
    head = f"table {NAME} plays md-uth\noffers nothing\nlive cards\ncare not kept\n"
    rehearsal = rehearse(read_text(f"{head}{arrives}\n{NAME} does {tag} {words}\n"))
    if whole and "account" in fields_of(kind):
        assert rehearsal.results[-1].code == "no_journal", "accounts are kept in a journal"
        return
    assert as_said(planned[-1]) == expected(kind, whole=whole)
    assert rehearsal.results[-1].code not in ("bad_data", "internal")


@each_command
def test_the_command_line_lists_it(kind: type[Command]) -> None:
    listed = {row["command"]: row for row in croupier("table", "do", "--json").json["commands"]}
    row = listed[kind.__struct_config__.tag]
    assert row["label"] == kind.declared.label
    assert row["roles"] == list(kind.declared.by)
    assert all(name in row["usage"] for name in fields_of(kind))
