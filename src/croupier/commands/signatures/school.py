"""The signatures of `croupier school`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from croupier.commands.signatures.common import AsJson

__all__ = ["school"]

school = App(name="school", help="Exercises for dealers and the floor, answered by the engine.")


@school.command(name="skills")
def school_skills(*, kind: str = "", json: AsJson = False) -> int:
    """The skills that are drilled, with their target times and the games that have them.

    Parameters
    ----------
    kind
        payout, hands, procedure or irregularities; all of them when left out.
    """
    from croupier.commands import school as command

    return command.skills(kind, as_json=json)


@school.command(name="drill")
def school_drill(
    rulebook: str = "",
    *,
    kind: str = "",
    skill: str = "",
    seed: str = "1",
    count: int = 1,
    answer: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    solved: Annotated[bool, Parameter(negative=())] = False,
    json: AsJson = False,
) -> int:
    """An exercise: the position, the question, the choices. The same seed makes the same one.

    `croupier school drill md-uth --skill payout.amount --seed 7`, then once more with
    `--answer 17.50`: the correction, and exit code 1 if the answer is wrong.

    Parameters
    ----------
    rulebook
        A bundled rulebook: md-uth, three-card-poker, …; the first one when left out. With other
        paytables than the first: md-uth:trips=D,blind=B.
    kind
        One of this kind, drawn by the seed: payout, hands, procedure or irregularities.
    skill
        One skill: payout.amount. `croupier school skills` lists them.
    seed
        Any text or number.
    count
        So many exercises, with the seeds SEED, SEED/2, SEED/3, …
    answer
        The number of a choice, 1 for the first; an amount: 17.50, -20.
    solved
        Print the answer and the correction with it.
    """
    from croupier.commands import school as command

    return command.drill(
        rulebook,
        kind=kind,
        skill=skill,
        seed=seed,
        count=count,
        answer=answer,
        solved=solved,
        as_json=json,
    )
