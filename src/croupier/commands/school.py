"""`croupier school` and `certificate`: exercises for staff, and checks of certificates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter

from croupier.commands.options import AsJson, Flag, Repeated, documented
from croupier.commands.output import console, print_json, styled, table
from croupier.errors import BadData, BadRequest, plain, shown

if TYPE_CHECKING:
    from croupier.school.certificates import Certificate, Verdict
    from croupier.school.drills.drill import Drill, Scene

school = App(name="school", help="Exercises for dealers and the floor, checked by the engine.")

Sort = Annotated[str, Parameter(name="--kind")]

MOST_COUNT: Final = 10_000


@school.command(name="skills")
@documented
def skills(*, sort: Sort = "", json: AsJson = False) -> int:
    """The skills that are drilled, with their target times and the games that have them.

    Parameters
    ----------
    sort
        payout, hands, procedure or irregularities; by default all of them.
    """
    from croupier.school.drills.drawing import rulebooks_for
    from croupier.school.drills.skills import mastery_rule
    from croupier.school.drills.skills import skills as all_skills

    listed = all_skills(sort)
    if json:
        import msgspec

        rows = [
            {
                **msgspec.to_builtins(skill),
                "kind": skill.subject,
                "rulebooks": rulebooks_for(skill.id),
            }
            for skill in listed
        ]
        print_json({"mastery": mastery_rule(), "skills": rows})
        return 0
    drawn = table("skill", "description", "seconds", "games", padding=(0, 1))
    for skill in listed:
        games = len(rulebooks_for(skill.id))
        drawn.add_row(skill.id, skill.words, str(skill.seconds), str(games))
    rule = mastery_rule()
    console().print(drawn)
    console().print(
        f"Mastered: {rule.exercises} exercises, and {rule.right} of the last {rule.last} right "
        "within the time."
    )
    return 0


@school.command(name="drill")
@documented
def drill(
    rulebook: str = "",
    *,
    sort: Sort = "",
    skill: str = "",
    seed: str = "1",
    count: int = 1,
    answer: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    solved: Flag = False,
    json: AsJson = False,
) -> int:
    """An exercise: the position, the question, the choices. The same seed makes the same one. Run
    it again with `--answer 17.50` for the correction, and exit code 1 if the answer is wrong.

        croupier school drill md-uth --skill payout.amount --seed 7

    Parameters
    ----------
    rulebook
        A bundled rulebook: md-uth, three-card-poker, …; by default the first one. With other
        paytables than the first: md-uth:trips=D,blind=B.
    sort
        One of this kind, drawn by the seed: payout, hands, procedure or irregularities.
    skill
        One skill: payout.amount. `croupier school skills` lists them.
    seed
        Any text or number.
    count
        How many exercises, with the seeds SEED, SEED/2, SEED/3, …
    answer
        The number of a choice, 1 for the first; an amount: 17.50, -20.
    solved
        Print the answer and the correction with it.
    """
    from croupier.rulebooks.bundled import BUNDLED
    from croupier.school.drills.drill import graded, why_wrong

    if not 1 <= count <= MOST_COUNT:
        raise BadRequest(f"--count is {shown(count)}: 1 to {MOST_COUNT:,} exercises at a time")
    if answer and count > 1:
        raise BadRequest("--answer goes with one exercise: leave --count out")
    right = True
    for each in _drills(rulebook or BUNDLED[0], sort, skill, seed, count):
        reply = _answer(each, answer) if answer else None
        is_right = None if reply is None else graded(each, reply)
        right = right and is_right is not False
        why = "" if reply is None or is_right else why_wrong(each, reply)
        _print(each, is_right, why, solved=solved or reply is not None, as_json=json)
    return 0 if right else 1


def _drills(rulebook: str, sort: str, skill: str, seed: str, count: int) -> Iterator[Drill]:
    from croupier.school.drills.drawing import draw_drill, skills_for
    from croupier.school.drills.draws import Draws
    from croupier.school.drills.skills import skill_named

    if skill and sort and skill_named(skill).subject != sort:
        raise BadRequest(f"the skill {skill} is not of the kind {shown(sort)}")
    for number in range(1, count + 1):
        own = seed if number == 1 else f"{seed}/{number}"
        chosen = skill
        if not chosen:
            known = skills_for(rulebook, sort)
            if not known:
                raise BadRequest(f"{rulebook} has nothing to drill of the kind {shown(sort)}")
            chosen = Draws(f"croupier skill 1\n{own}").pick(known)
        yield draw_drill(chosen, rulebook, own)


def _answer(drill: Drill, text: str) -> int | str:
    if drill.question.typed:
        return text
    try:
        return int(text) - 1
    except ValueError:
        raise BadRequest(
            f"{shown(text)} is not one of the choices: give its number, 1 for the first"
        ) from None


def _print(drill: Drill, is_right: bool | None, why: str, *, solved: bool, as_json: bool) -> None:
    question = drill.question
    if as_json:
        import msgspec

        from croupier.school.drills.skills import skill_named

        entry: dict[str, object] = {"seed": drill.seed, **msgspec.to_builtins(question)}
        entry["seconds"] = skill_named(question.skill).seconds
        if is_right is not None:
            entry |= {"is_right": is_right, "why": why}
        if solved:
            right = {} if drill.right is None else {"right": drill.right + 1}
            entry |= {**right, "answer": drill.answer, "correction": drill.correction}
        print_json(entry)
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
        _print_correction(drill, is_right, why)


def _print_correction(drill: Drill, is_right: bool | None, why: str) -> None:
    from rich.text import Text

    out, correction = console(), drill.correction
    verdict = {None: "Answer", True: "Right", False: "Wrong"}[is_right]
    out.print(
        styled("[bold]{verdict}:[/] ", verdict=verdict)
        + Text(drill.answer if drill.right is None else f"{drill.right + 1}  {drill.answer}")
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


# -- certificates ---------------------------------------------------------------------------------


@documented
def certificate(file: Path, /, *, key: Repeated = None, json: AsJson = False) -> int:
    """Check the certificate of an exam by dealing it again. The exam is dealt from its seed and
    scored. Exit code 0: valid. 1: forged, altered, or taken by rules that this program does not
    have.

    Parameters
    ----------
    file
        The certificate, as it was downloaded.
    key
        A public key that you trust; any other signature is refused. Repeatable.
    """
    from croupier.ledger.signatures.machine_key import is_public_key
    from croupier.school.certificate_kinds import KINDS
    from croupier.school.certificates import check, read

    for each in key or ():
        if not is_public_key(each):
            raise BadRequest(f"--key {plain(each)}: a public key has 64 hexadecimal digits")
    certificate = read(_bytes_of(file))
    verdict = check(certificate, KINDS, key or ())
    if json:
        print_json(verdict)
    else:
        _print_verdict(certificate, verdict)
    return 0 if verdict.verdict == "valid" else 1


def _bytes_of(file: Path) -> bytes:
    from croupier.school.certificates import MOST_BYTES

    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadData(f"{plain(file, 200)} cannot be read: {error.strerror}") from None


_VERDICTS: Final = {
    "valid": ("Valid: seed, answers, score, hash and signature agree.", "bold green"),
    "forged": ("Forged or altered:", "bold red"),
    "unchecked": ("Cannot be checked here:", "bold yellow"),
}


def _print_verdict(certificate: Certificate, verdict: Verdict) -> None:
    out = console()
    out.print(f"{certificate.title}, {certificate.person}", style="bold")
    out.print(f"From {certificate.began_at} to {certificate.ended_at}.")
    drawn = table("", "says", "recomputed", pad_edge=False, padding=(0, 1))
    for name, claimed in certificate.score.items():
        drawn.add_row(name.replace("_", " "), claimed, verdict.score.get(name, ""))
    out.print(drawn)
    words, style = _VERDICTS[verdict.verdict]
    out.print(words, style=style)
    for reason in verdict.reasons:
        out.print(f"- {reason}")
    if verdict.signed_by:
        out.print(f"Signed by {verdict.signed_by}: compare it with the key that the house names.")
