"""The wagers of a round of streets together: what they come to deal by deal, in cents, and what a
side wager brings that a fold loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.outcomes import Told, played_out
from croupier.mathematics.counters.stages.payoffs import Endings, endings_of, is_folded_away
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.model import Loses, Payment, WagerAnalysis
from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits, WagerResult
from croupier.mathematics.shapes.course import can_fold, is_lost_with_fold, led_by
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.side_wagers.analysis import figures_of
from croupier.mathematics.side_wagers.endings import line_tests
from croupier.mathematics.side_wagers.shape import check_side
from croupier.mathematics.side_wagers.wager_tallies import WagerTally
from croupier.mathematics.stakes import meters_for, net_cents, stake_for
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, VersusPaytable

__all__ = ["analyze_beside", "streets_distribution"]


def streets_distribution(
    rules: Rules,
    main: Mapping[str, int],
    sides: Mapping[str, int],
    meters: Mapping[str, int] | None,
    limits: Sequence[PayoutLimit] = (),
) -> dict[int, int]:
    """In how many deals the wagers placed (in cents) come to each net (in cents), under the best
    play of the main game alone."""
    solution = _together(rules, sides)
    shown = meters_for(rules, meters)
    played = played_out(solution, to_the_end=bool(sides))
    limited = SeatLimits(rules.book, limits)
    found: Counter[int] = Counter()
    for (told, result), count in played.deals.items():
        ends = None if result is None else solution.ended[result]
        stakes = _stakes(solution, told, next(iter(main.values())), sides)
        found[limited.net(_results(solution, told, ends, stakes, shown))] += count
    return dict(sorted(found.items()))


def _stakes(
    solution: StreetsSolution, told: Told, unit: int, sides: Mapping[str, int]
) -> dict[str, int]:
    """What lies on each wager, and on each bonus that is not folded: the stake it is paid on."""
    placed = dict(zip(solution.course.wagers, told.units, strict=True))
    stakes = {name: units * unit for name, units in placed.items() if units}
    return stakes | dict(sides)


def _results(
    solution: StreetsSolution,
    told: Told,
    ends: Endings | None,
    stakes: Mapping[str, int],
    meters: Mapping[str, int],
) -> Iterator[WagerResult]:
    book = solution.rules.book
    for name, stake in stakes.items():
        if ends is None or (told.folded and is_folded_away(book, name)):
            yield WagerResult.of_net(name, -stake)
            continue
        taken = book.wagers[name].taken_before_deal
        net = net_cents(ends[name].pays, stake, meters, taken_before_deal=taken)
        yield WagerResult.of_net(name, net)
    for name, bonus in book.bonuses.items():
        if bonus.on in stakes and not told.folded and ends is not None and ends[name].wins:
            on = stakes[bonus.on]
            net = net_cents(ends[name].pays, on, meters, taken_before_deal=False)
            yield WagerResult.of_net(name, net)


def _together(rules: Rules, sides: Mapping[str, int]) -> StreetsSolution:
    """The main game, its deals told apart by what these wagers look at too."""
    for name in sides:
        _check_side(rules, name)
    try:
        main = solve_streets(rules)
        looked_at = endings_of(rules, (*main.course.wagers, *sides)).leaves
        # Where they look at nothing more, what can have been seen is the same.
        stages = main.stages if looked_at == main.endings.leaves else None
        return StreetsSolution(rules, tuple(sides), stages=stages)
    except Unsolvable as error:
        if not sides:
            raise
        raise refused(f"{' and '.join(sides)} beside the main game", str(error)) from None


def _check_side(rules: Rules, name: str) -> None:
    """A side wager is told apart where it looks at own and community cards."""
    if isinstance(rules.book.wagers[name].settles, AllWon) and can_fold(rules.book):
        why = f"wagers.{name}.settles.by is 'all_won', in a game with a fold"
        raise refused(f"{name} beside the main game", why)
    for led in _looked_at(rules, name):
        settles = rules.book.wagers[led].settles
        places = set()
        if isinstance(settles, VersusPaytable):
            hands = [settles.hand, *(leaf.hand for leaf in line_tests(rules, settles).leaves)]
            texts = [text for hand in hands for text in rules.book.hands[hand].cards]
            places = {text.partition(":")[0] for text in texts}
        if not places or not places <= {"player", "community"}:
            raise refused(
                f"{name} beside the main game",
                f"wagers.{name}.settles looks at other cards than the seat's own and the board",
            )


def _looked_at(rules: Rules, name: str) -> Iterator[str]:
    settles = rules.book.wagers[name].settles
    names = settles.wagers if isinstance(settles, AllWon) else (name,)
    yield from (led_by(rules.book, each) for each in names)


def analyze_beside(
    rules: Rules,
    wager: str,
    *,
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    hands: int = 2,  # noqa: ARG001
) -> WagerAnalysis:
    """A side wager that a fold loses, or that wins with others, under the best play of the main
    game alone."""
    check_side(rules, wager)
    if rules.book.envy is not None and rules.book.envy.on == wager:
        raise refused(wager, "an envy bonus that a fold loses is not worked out for such a game")
    solution = _together(rules, {wager: 0})
    played = played_out(solution, to_the_end=True)
    settles = rules.book.wagers[led_by(rules.book, wager)].settles
    assert isinstance(settles, VersusPaytable | AllWon)
    # The lines in their order, then pushes, the loss and the fold.
    lines = rules.paytable(settles.paytable).lines
    returned = settles.returns if isinstance(settles, VersusPaytable) else ()
    order = [line.hand for line in lines] + list(returned) + ["loses", "folded"]
    folded: tuple[str, Payment] = ("folded", Loses())
    endings = {folded: 0} if is_lost_with_fold(rules.book, rules.book.wagers[wager]) else {}
    for (told, result), count in played.deals.items():
        assert result is not None
        ending = solution.ended[result][wager]
        key = folded if told.folded and folded in endings else (ending.hand, ending.pays)
        endings[key] = endings.get(key, 0) + count
    listed = sorted(endings.items(), key=lambda item: order.index(item[0][0]))
    tally = WagerTally(tuple([(*key, count) for key, count in listed]), played.total)
    stake = stake_for(rules, wager, stake_cents)
    families = (settles.paytable, *_families(rules, settles))
    tables = {family: rules.chosen[family] for family in families}
    return figures_of(rules, wager, stake, tally, tables, meters, others, ((), 1))


def _families(rules: Rules, settles: VersusPaytable | AllWon) -> Iterator[str]:
    """The tables that say whether each of the wagers wins that must all win."""
    for name in settles.wagers if isinstance(settles, AllWon) else ():
        led = rules.book.wagers[name].settles
        if isinstance(led, VersusPaytable):
            yield led.paytable
