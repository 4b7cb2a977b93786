"""Written strategies above the decisions of any game: compiled and priced."""

from __future__ import annotations

from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.questions.strategies.compiling import decide_all
from croupier.mathematics.questions.strategies.decisions import Decisions, InformationSets
from croupier.mathematics.questions.strategies.losses import Faults
from croupier.mathematics.questions.strategies.pricing import Price
from croupier.mathematics.questions.strategies.text import Section, WrittenStrategy

__all__ = ["answers_of", "price_written"]


def answers_of(plan: WrittenStrategy, section: Section, sets: InformationSets) -> I8:
    """A line that gives a hand an answer that is not allowed is refused."""
    chosen = decide_all(plan, section, sets.features, sets.example)
    for answer, word in enumerate(section.choice.actions):
        wrong = (chosen == answer) & ~sets.allowed[answer]
        if wrong.any():
            raise plan.refuse(
                section.lines[-1].number,
                f"{section.choice.name!r}: {word!r} may not be said with "
                f"{sets.example(int(wrong.argmax()))}",
            )
    return chosen


def price_written(decisions: Decisions, plan: WrittenStrategy, *, mistakes: int) -> Price:
    faults = [
        Faults(choice.scene, choice.actions, *decisions.unit(place))
        for place, choice in enumerate(decisions.choices)
    ]

    def choose(sets: InformationSets) -> I8:
        return answers_of(plan, plan.sections[sets.place], sets)

    def look(sets: InformationSets, answers: I8, weights: I64) -> None:
        faults[sets.place].add(sets.features, sets.example, weights, answers, sets.values)

    figures = decisions.played(choose, look)
    book = decisions.rules.book
    back = [decision.takes_back for decision in book.decisions]
    names = [choice.name for choice in decisions.choices]
    losses = {name: fault.loss for name, fault in zip(names, faults, strict=True)}
    assert sum(losses.values()) == decisions.best_value - figures.expected_value
    staked = sum(name not in back for name in decisions.rules.required)
    return Price(
        title=plan.title,
        rulebook=book.id,
        value=figures.expected_value,
        optimal=decisions.best_value,
        standard_deviation=figures.standard_deviation,
        units_decided=figures.units_wagered - staked,
        frequencies=figures.decisions,
        losses=losses,
        mistakes={
            name: fault.mistakes(mistakes) for name, fault in zip(names, faults, strict=True)
        },
    )
