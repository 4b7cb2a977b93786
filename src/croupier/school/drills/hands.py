"""Hand-reading drills: name the hand, its cards, the winner, or whether the dealer qualifies. The
rulebook's ranking gives the answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from croupier.cards import Card, format_cards
from croupier.rounds.held_hands import HandPlan, hands_of_seat, hands_of_table, plans_of
from croupier.rounds.paytable_lines import least_in_words, or_better, words_for
from croupier.rounds.settlement import SeatOutcome
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusDealer
from croupier.school.drills.clauses import gist_of
from croupier.school.drills.dealt_rounds import SettledDeal, scene_of, settled_deals
from croupier.school.drills.draws import Draws
from croupier.school.drills.drill import (
    Asked,
    Choice,
    Correction,
    NoDrill,
    Option,
    Scene,
    SceneSeat,
)

ROUNDS: Final = 6
_PLAYER, _DEALER, _TIE = "The player", "The dealer", "Nobody: it is a tie"


def category(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which hand do these cards make?"""
    plan, held = _drawn(rules, draws)
    value = plan.ranking.value_of(held)
    right = plan.ranking.name_of(value)
    place = plan.names.index(right)
    near = sorted(plan.names, key=lambda name: abs(plan.names.index(name) - place))
    wrong = [Option.of(_said(name)) for name in near if name != right][:4]
    clause = rules.book.hands[plan.name].clause
    return Asked(
        f"{len(held)} cards: what is the hand?",
        Scene(rules.book.title, cards=format_cards(held)),
        Option.of(_said(right)),
        wrong,
        Correction(_worth(plan, held), clause, gist_of(rules, clause)),
    )


def best_cards(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which cards make the hand?"""
    plan, held = _drawn(rules, draws)
    ranking = plan.ranking
    size = ranking.size
    value = ranking.value_of(held)
    others = [cards for cards in combinations(held, size) if ranking.value_of(cards) != value]
    # What is nearest to the best is the easiest mistake.
    others.sort(key=lambda cards: -ranking.value_of(cards))
    wrong = [
        Option(
            Choice(format_cards(cards), cards=format_cards(cards)),
            f"That is only {ranking.words[ranking.value_of(cards)]}.",
        )
        for cards in others[:6]
    ]
    if not wrong:
        raise NoDrill("every choice of cards makes the same hand")
    best = format_cards(ranking.best_cards(value, held))
    clause = rules.book.hands[plan.name].clause
    return Asked(
        f"Which {size} cards make the hand?",
        Scene(rules.book.title, cards=format_cards(held)),
        Option(Choice(best, cards=best)),
        wrong,
        Correction(_worth(plan, held), clause, gist_of(rules, clause)),
    )


def winner(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: whose hand is higher, the player's or the dealer's?"""
    deal, seat = _compared(rules, draws)
    dealer = deal.settlement.dealer
    assert dealer is not None
    said = {1: _PLAYER, -1: _DEALER, 0: _TIE}
    right = said[_higher(seat, deal)]
    wrong = [Option.of(words) for words in said.values() if words != right]
    clause = _versus_clause(rules)
    explanation = f"Seat {seat.seat} has {seat.words}, the dealer {dealer.words}."
    return Asked(
        f"Seat {seat.seat} against the dealer: whose hand is higher?",
        _bare(scene_of(deal, rules, seat.seat)),
        Option.of(right),
        wrong,
        Correction(explanation, clause, gist_of(rules, clause)),
        in_order=True,
    )


def qualifies(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: does the dealer's hand qualify?"""
    dealer_rule = rules.book.dealer
    assert dealer_rule is not None
    deals = list(settled_deals(rules, draws, ROUNDS))
    wanted = draws.one_in(2)
    fitting = [candidate for candidate in deals if _qualified(candidate) == wanted] or deals
    deal = draws.pick(fitting)
    dealer = deal.settlement.dealer
    assert dealer is not None
    right, opposite = ("Yes", "No") if dealer.qualifies else ("No", "Yes")
    needs = or_better(least_in_words(dealer_rule))
    explanation = f"The dealer has {dealer.words}; to qualify takes {needs}."
    return Asked(
        "Does the dealer's hand qualify?",
        replace(_bare(scene_of(deal, rules)), seats=()),
        Option.of(right),
        [Option.of(opposite)],
        Correction(explanation, dealer_rule.clause, gist_of(rules, dealer_rule.clause)),
        in_order=True,
    )


def highest(rules: Rules, draws: Draws) -> Asked:
    """Make an exercise: which seat holds the highest hand?"""
    for deal in settled_deals(rules, draws, 40):
        values = sorted((seat.value for seat in deal.settlement.seats), reverse=True)
        if len(values) < 2 or values[0] == values[1]:
            continue
        seats = sorted(deal.settlement.seats, key=lambda seat: -seat.value)
        explanation = ", ".join(f"seat {seat.seat} {seat.words}" for seat in seats)
        clause = rules.book.hands[rules.book.announces].clause
        return Asked(
            "Which seat holds the highest hand?",
            replace(_bare(scene_of(deal, rules)), dealer=""),
            Option.of(f"Seat {seats[0].seat}"),
            [Option.of(f"Seat {seat.seat}", f"It has {seat.words}.") for seat in seats[1:]],
            Correction(
                explanation[:1].upper() + explanation[1:] + ".", clause, gist_of(rules, clause)
            ),
            in_order=True,
        )
    raise NoDrill(f"no round of {rules.book.id} has one highest hand")


# -- helpers --------------------------------------------------------------------------------------


def _drawn(rules: Rules, draws: Draws) -> tuple[HandPlan, tuple[Card, ...]]:
    """Draw the cards of a seat's announced hand, every category equally likely."""
    plans = plans_of(rules)
    plan = plans[rules.book.announces]
    by_category: dict[str, list[tuple[Card, ...]]] = {}
    for deal in settled_deals(rules, draws, ROUNDS):
        table = hands_of_table(plans, deal.played)
        for seat in deal.played.seats:
            cards = hands_of_seat(plans, table, seat).cards(plan.name)
            name = plan.ranking.name_of(plan.ranking.value_of(cards))
            by_category.setdefault(name, []).append(cards)
    cards = draws.pick(draws.pick(list(by_category.values())))
    return plan, tuple(draws.some(cards, len(cards)))


def _compared(rules: Rules, draws: Draws) -> tuple[SettledDeal, SeatOutcome]:
    """Draw a seat that wins, loses, or ties, each equally likely."""
    by_result: dict[int, list[tuple[SettledDeal, SeatOutcome]]] = {}
    for deal in settled_deals(rules, draws, ROUNDS):
        for seat in deal.settlement.seats:
            by_result.setdefault(_higher(seat, deal), []).append((deal, seat))
    return draws.pick(draws.pick(list(by_result.values())))


def _higher(seat: SeatOutcome, deal: SettledDeal) -> int:
    """Return 1 if the player's hand is higher, -1 if the dealer's is, 0 for a tie."""
    dealer = deal.settlement.dealer
    assert dealer is not None
    return (seat.value > dealer.value) - (seat.value < dealer.value)


def undrillable(skill: str, rules: Rules) -> str:
    """Return why this rulebook has nothing to ask; empty if it has."""
    book, plan = rules.book, plans_of(rules)[rules.book.announces]
    if plan.ranking.by == "nothing":
        return f"the hands of {book.id} are not ranked"
    if skill == "hands.best" and (not plan.ranking.size or _held(plan, rules) <= plan.ranking.size):
        return f"all cards of a hand count in {book.id}"
    if skill not in ("hands.winner", "hands.qualifies"):
        return ""
    if book.dealer is None:
        return f"the dealer of {book.id} holds no hand"
    settled = [wager.settles for wager in book.wagers.values()]
    if book.announces not in [
        settling.hand for settling in settled if isinstance(settling, VersusDealer)
    ]:
        return f"the hand that is announced in {book.id} is not the one compared"
    if skill == "hands.qualifies" and book.dealer.at_least == "high_card" and not book.dealer.of:
        return f"every hand of the dealer qualifies in {book.id}"
    return ""


def _held(plan: HandPlan, rules: Rules) -> int:
    """Return how many cards a hand is made from."""
    counts = rules.book.cards
    return sum(getattr(counts, place) if count is None else count for place, count in plan.places)


def _versus_clause(rules: Rules) -> str:
    for wager in rules.book.wagers.values():
        if isinstance(wager.settles, VersusDealer):
            return rules.book.hands[wager.settles.hand].clause
    return ""


def _bare(scene: Scene) -> Scene:
    """Return the scene with cards only: wagers do not make a hand higher."""
    seats = tuple(SceneSeat(seat.seat, seat.cards, asked=seat.asked) for seat in scene.seats)
    return replace(scene, seats=seats, meters={}, box="")


def _qualified(deal: SettledDeal) -> bool:
    return deal.settlement.dealer is not None and deal.settlement.dealer.qualifies


def _said(name: str) -> str:
    words = words_for(name, {})
    return words[:1].upper() + words[1:]


def _worth(plan: HandPlan, held: Sequence[Card]) -> str:
    value = plan.ranking.value_of(held)
    words = plan.ranking.words[value]
    best = format_cards(plan.ranking.best_cards(value, held))
    return f"{words[:1].upper()}{words[1:]}: {best}."
