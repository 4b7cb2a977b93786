"""The words that guide people as a person has read them against their clauses.

`python -m tests.rules.reviewed` writes `reviewed_duties/` anew. Read the difference: a word more or
less can tell a dealer the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from croupier.reports.conformance import answers_of
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.duties import Duty, all_duties
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.schema import Rulebook

FOLDER = Path(__file__).parent / "reviewed_duties"


def lines(document: str) -> list[str]:
    """What people are told for guided clauses, as it is now: duties, the prompts of the decks, and
    what is told with an accident."""
    found = [_line(duty) for duty in all_duties(document)]
    found += [*_prompts(load_rulebook(document).default)]
    guided = {c for c, answered in answers_of(document).items() if answered.status == "guided"}
    return [line for line in found if line.split("\t")[0] in guided]


def _prompts(book: Rulebook) -> Iterator[str]:
    care = book.care
    assert care is not None
    steps = {name: getattr(care, name) for name in ("receive", "load", "shuffle", "cut", "idle")}
    steps |= {"remove": care.remove, "mark": care.out_of_order} | dict(care.opening)
    for name, step in steps.items():
        if step is not None:
            yield "\t".join((step.clause, "prompt", name, " ".join(step.words.split())))
    for way, stub in care.stub.items():
        yield "\t".join(
            (stub.clause, "prompt", f"count_stub ({way})", " ".join(stub.words.split()))
        )
    for kind, accident in book.irregularities.items():
        for clause, words in accident.hands.items():
            yield "\t".join((clause, "told", f"report ({kind})", words))


@cache
def written(document: str) -> dict[str, list[str]]:
    """The lines as they were read, by clause."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / f"{document}.tsv").read_text("utf-8").splitlines():
        found.setdefault(line.split("\t")[0], []).append(line)
    return found


def _line(duty: Duty) -> str:
    step = f"{duty.step} ({duty.at})" if duty.at else duty.step
    who = f"{duty.role} with {duty.second}" if duty.second else duty.role
    where = " ".join((duty.screen, *duty.dealing, *duty.needs, *duty.kind, duty.wager)).strip()
    return "\t".join((duty.clause, who, step, where, duty.words))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for document in DOCUMENTS:
        text = "".join(f"{line}\n" for line in lines(document))
        (FOLDER / f"{document}.tsv").write_text(text, "utf-8")
