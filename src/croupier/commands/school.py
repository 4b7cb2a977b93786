"""`croupier school`: the skills, and exercises for other programs or for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json, styled
from croupier.errors import BadRequest, shown
from croupier.rulebooks.bundled import BUNDLED
from croupier.school.drills.drawing import draw_drill, rulebooks_for, skills_for
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import Drill, Scene, graded, why_wrong
from croupier.school.drills.skills import mastery_rule, skill_named
from croupier.school.drills.skills import skills as all_skills

__all__ = ["drill", "skills"]

MOST_COUNT = 10_000


def skills(kind: str, *, as_json: bool) -> int:
    found = all_skills(kind)
    if as_json:
        listed = [
            {**msgspec.to_builtins(skill), "kind": skill.kind, "rulebooks": rulebooks_for(skill.id)}
            for skill in found
        ]
        print_json({"mastery": mastery_rule(), "skills": listed})
        return 0
    grid = Table("skill", "what", "seconds", "games", box=None)
    for skill in found:
        games = len(rulebooks_for(skill.id))
        grid.add_row(skill.id, skill.words, str(skill.seconds), str(games))
    rule = mastery_rule()
    console().print(grid)
    console().print(
        f"Mastered: {rule.exercises} exercises, and {rule.right} of the last {rule.last} right "
        "within the time."
    )
    return 0


def drill(
    rulebook: str,
    *,
    kind: str,
    skill: str,
    seed: str,
    count: int,
    answer: str,
    solved: bool,
    as_json: bool,
) -> int:
    if not 1 <= count <= MOST_COUNT:
        raise BadRequest(f"--count is {shown(count)}: 1 to {MOST_COUNT:,} exercises at a time")
    if answer and count > 1:
        raise BadRequest("--answer goes with one exercise: leave --count out")
    right = True
    for made in _drills(rulebook or BUNDLED[0], kind, skill, seed, count):
        said = _answer(made, answer) if answer else None
        is_right = None if said is None else graded(made, said)
        right = right and is_right is not False
        why = "" if said is None or is_right else why_wrong(made, said)
        _print(made, is_right, why, solved=solved or said is not None, as_json=as_json)
    return 0 if right else 1


def _drills(rulebook: str, kind: str, skill: str, seed: str, count: int) -> Iterator[Drill]:
    if skill and kind and skill_named(skill).kind != kind:
        raise BadRequest(f"the skill {skill} is not of the kind {shown(kind)}")
    for number in range(1, count + 1):
        own = seed if number == 1 else f"{seed}/{number}"
        chosen = skill
        if not chosen:
            known = skills_for(rulebook, kind)
            if not known:
                raise BadRequest(f"{rulebook} has nothing to drill of the kind {shown(kind)}")
            chosen = Draws(f"croupier skill 1\n{own}").pick(known)
        yield draw_drill(chosen, rulebook, own)


def _answer(made: Drill, text: str) -> int | str:
    if made.question.typed:
        return text
    try:
        return int(text) - 1
    except ValueError:
        raise BadRequest(f"{shown(text)} is no choice: give its number, 1 for the first") from None


def _print(made: Drill, is_right: bool | None, why: str, *, solved: bool, as_json: bool) -> None:
    question = made.question
    if as_json:
        told: dict[str, object] = {"seed": made.seed, **msgspec.to_builtins(question)}
        told["seconds"] = skill_named(question.skill).seconds
        if is_right is not None:
            told |= {"is_right": is_right, "why": why}
        if solved:
            right = {} if made.right is None else {"right": made.right + 1}
            told |= {**right, "answer": made.answer, "correction": made.correction}
        print_json(told)
        return
    out = console()
    out.print(styled("[bold]{game}[/] ({skill})", game=question.scene.game, skill=question.skill))
    for line in _scene(question.scene):
        out.print(f"  {line}")
    out.print(styled("[bold]{words}[/]", words=question.words))
    for number, choice in enumerate(question.choices, 1):
        out.print(f"  {number}  {choice.words}")
    if question.typed and not solved:
        out.print("  Call it: --answer 17.50")
    if solved:
        _print_correction(made, is_right, why)


def _print_correction(made: Drill, is_right: bool | None, why: str) -> None:
    out, correction = console(), made.correction
    verdict = {None: "Answer", True: "Right", False: "Wrong"}[is_right]
    out.print(
        styled("[bold]{verdict}:[/] ", verdict=verdict)
        + Text(made.answer if made.right is None else f"{made.right + 1}  {made.answer}")
    )
    if why:
        out.print(f"  {why}")
    clause = f" [{correction.clause}]" if correction.clause else ""
    out.print(f"  {correction.words}{clause}")
    for line in correction.lines:
        out.print(f"  {line}")


def _scene(scene: Scene) -> Iterator[str]:
    for name, cards in (
        ("Cards", scene.cards),
        ("Community", scene.community),
        ("Dealer", scene.dealer),
        ("Bonus cards", scene.box),
    ):
        if cards:
            yield f"{name} {cards}"
    for seat in scene.seats:
        wagers = ", ".join(f"{title} {stake}" for title, stake in seat.wagers.items())
        parts = [seat.cards, wagers, " ".join(seat.said)]
        yield f"Seat {seat.seat}: " + "; ".join(part for part in parts if part)
    for name, reading in scene.meters.items():
        yield f"Meter {name} {reading}"
    yield from scene.told
