"""Sampled figures for wagers without a solver: the mean over random rounds, with its standard
error.

Rounds are dealt from a seed, each from a fresh deck, and settled by the round engine. The figures
are marked as sampled: `sampled` is true, `standard_error` is present, and there is no exact value.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from math import lcm, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from croupier.errors import BadRequest, Unsolvable
from croupier.mathematics.cache import key_of, read_result, write_result
from croupier.mathematics.game.course import is_lost_with_fold
from croupier.mathematics.questions.analysis import Asked, analyze, shaping_tables
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_names
from croupier.mathematics.stakes import meters_for, stake_for
from croupier.money import To, parse_pays
from croupier.rounds.round_flow import answers_given
from croupier.rounds.settlement import Settling
from croupier.rounds.state import CompletedRound, LineRecord, PlayedSeat
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    TAKE_BACK,
    AllWon,
    Decision,
    Follows,
    HighestHand,
    VersusDealer,
)
from croupier.rulebooks.wager_families import families_of
from croupier.runtime.players import AlwaysFirst, AtRandom, TableStrategy, strategy_by_name
from croupier.simulation.dealt_rounds import dealt_round
from croupier.simulation.rollout import RolloutPlayer, WrittenPlayer, plain_choices, seen_by
from croupier.workers import workers

MOST_ROUNDS: Final = 100_000_000
ROLLOUT: Final = "rollout"
_DRAWS: Final = 16
_MOST_DRAWS: Final = 10_000
_AT_ONCE: Final = 500
"""Rounds per piece of work; each piece has a seed of its own."""


class Sampling(msgspec.Struct, frozen=True):
    """How many rounds to play if no solver models the wager, from which seed, and with which
    strategy.

    Without a `strategy`, the best play is used if a solver knows it, else `rollout`: trial rounds
    for each decision, as many as the number after a colon says (`rollout:64`).
    """

    rounds: int
    seed: int | str = 15
    strategy: str = ""

    def __post_init__(self) -> None:
        if not 2 <= self.rounds <= MOST_ROUNDS:
            raise BadRequest(f"sample is {self.rounds}, but must be 2 to {MOST_ROUNDS:,} rounds")


def analyze_or_sample(
    rules: Rules, wager: str, query: Asked, sampling: Sampling | None
) -> dict[str, Any]:
    """Return the exact figures of a wager, or sampled figures if no solver models it and `sampling`
    is requested. With `sampling`, the field `sampled` says which of the two they are."""
    try:
        figures = analyze(rules, wager, query)
    except Unsolvable as error:
        if sampling is None or (wager == "main" and query.sees_more):
            raise
        return _sampled(rules, wager, query, sampling, error.message)
    return figures if sampling is None else figures | {"sampled": False}


def _sampled(
    rules: Rules, wager: str, query: Asked, sampling: Sampling, why: str
) -> dict[str, Any]:
    if query.others:
        raise Unsolvable(
            f"{wager} with other players is neither counted nor sampled: leave `others` out"
        )
    key = None
    if not _is_file(sampling.strategy):
        terms = (sampling.rounds, sampling.seed, sampling.strategy)
        stakes, meters = dict(query.stakes), dict(query.meters or {})
        key = key_of(rules, wager, "sampled", terms, stakes, meters, query.hands)
        if (kept := read_result(key)) is not None:
            return kept
    plan = _plan(rules, wager, query, sampling)
    sums = _Sums()
    for part in workers().map(partial(_play, plan), _pieces(sampling.rounds)):
        sums.add(part)
    figures = _object(plan, sums, why)
    if key is not None:
        write_result(key, figures)
    return figures


# -- what is played -------------------------------------------------------------------------------


class _Plan(msgspec.Struct, frozen=True):
    """Everything that determines a piece of work; amounts in cents."""

    rules: Rules
    wager: str
    placed: dict[str, int]
    unit: int
    seats: int
    meters: dict[str, int]
    sampling: Sampling
    strategy: str
    """Empty if no decision can change the wager."""


def _plan(rules: Rules, wager: str, query: Asked, sampling: Sampling) -> _Plan:
    seats = 1
    if wager == "main":
        unit = _main_unit(rules, query)
        placed = dict.fromkeys(rules.required, unit)
    else:
        low, _ = rules.limits.get(wager, (None, None))
        unit = stake_for(rules, wager, query.stakes.get(wager) or low)
        placed = _placed_with(rules, wager, unit, query)
        if isinstance(rules.book.wagers[wager].settles, HighestHand):
            seats = query.hands - (rules.book.dealer is not None)
    meters = meters_for(rules, query.meters)
    played = _is_played(rules, wager)
    strategy = _strategy_name(rules, sampling.strategy) if played else ""
    return _Plan(rules, wager, placed, unit, seats, meters, sampling, strategy)


def _main_unit(rules: Rules, query: Asked) -> int:
    """Return a stake within the limits at which all odds pay whole cents."""
    stated = [query.stakes[name] for name in ("main", *rules.required) if name in query.stakes]
    fixed = [stake for name in rules.required for stake in rules.stakes.get(name, ())]
    if stated or fixed:
        return stated[0] if stated else min(fixed)
    lows = [rules.limits.get(name, (None, None))[0] or 0 for name in rules.required]
    whole = 100 * lcm(*_divisors(rules))
    return whole * max(1, -(-max(lows, default=0) // whole))


def _divisors(rules: Rules) -> Iterator[int]:
    for family, table in rules.chosen.items():
        for line in rules.book.paytables[family][table].lines:
            pays = parse_pays(line.pays)
            yield pays.d if isinstance(pays, To) else 1


def _placed_with(rules: Rules, wager: str, unit: int, query: Asked) -> dict[str, int]:
    """Return the required wagers, this wager and any others it needs, with their stakes."""
    wagers = rules.book.wagers
    names = [wager]
    for name in names:
        followed = getattr(wagers[name].settles, "wager", None)
        wanted = (*wagers[name].needs, *getattr(wagers[name].settles, "wagers", ()))
        wanted = (*wanted, *([followed] if followed else []))
        names += [n for n in wanted if n not in names and wagers[n].role == "optional"]
    same = wagers[wager].equals
    required = unit if same else _main_unit(rules, query)
    placed = dict.fromkeys(rules.required, required)
    for name in names:
        equals = wagers[name].equals
        placed[name] = placed.get(equals, required) if equals else stake_for(rules, name, None)
    placed[wager] = unit
    return {name: placed[name] for name in wagers if name in placed}


def _is_played(rules: Rules, wager: str) -> bool:
    """Return whether the player's decisions can change the wager's result."""
    if not rules.book.decisions:
        return False
    if wager == "main":
        return True
    settles = rules.book.wagers[wager].settles
    if isinstance(settles, AllWon | Follows | VersusDealer):
        return True
    return is_lost_with_fold(rules.book, rules.book.wagers[wager])


def _strategy_name(rules: Rules, chosen: str) -> str:
    if chosen:
        return chosen
    try:
        solver_for(rules)
    except Unsolvable:
        return ROLLOUT
    return "optimal"


def _is_file(strategy: str) -> bool:
    known = ("", ROLLOUT, "optimal", "first", "random", *shipped_names())
    return strategy not in known and not strategy.startswith(f"{ROLLOUT}:")


class _Players(dict[tuple[str, int | str], TableStrategy]):
    """A cache of players by strategy and seed; the class is its key in `Rules.prepared`."""


def _player(plan: _Plan, piece: _Piece) -> TableStrategy:
    if plan.strategy == "random":
        chance = random.Random(f"{plan.sampling.seed}/players/{piece.number}")
        return AtRandom(chance.randbytes)
    made = plan.rules.prepared.setdefault(_Players, _Players())
    assert isinstance(made, _Players)
    key = plan.strategy, plan.sampling.seed
    if key not in made:
        made[key] = _made_player(plan)
    return made[key]


def _made_player(plan: _Plan) -> TableStrategy:
    rules, name = plan.rules, plan.strategy
    if name in ("", "first"):
        return AlwaysFirst()
    if name == ROLLOUT or name.startswith(f"{ROLLOUT}:"):
        required = {wager: plan.placed[wager] for wager in rules.required}
        return RolloutPlayer(rules, required, _draws(name), str(plan.sampling.seed))
    try:
        solver_for(rules)
    except Unsolvable:
        return WrittenPlayer(rules, open_strategy(name, plain_choices(rules)))
    return strategy_by_name(rules, name)


def _draws(name: str) -> int:
    _, colon, count = name.partition(":")
    if not colon:
        return _DRAWS
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:6]) <= _MOST_DRAWS):
        raise BadRequest(
            f"--strategy {name}: write the trial rounds for each decision, 1 to {_MOST_DRAWS}, as "
            f"in {ROLLOUT}:64"
        )
    return int(count)


# -- the rounds -----------------------------------------------------------------------------------


class _Piece(NamedTuple):
    number: int
    rounds: int


_Said: TypeAlias = Counter[tuple[str, str]]


class _Sums(msgspec.Struct):
    rounds: int = 0
    net: int = 0
    squares: int = 0
    wins: int = 0
    staked: int = 0
    said: _Said = msgspec.field(default_factory=Counter)

    def add(self, more: _Sums) -> None:
        self.rounds += more.rounds
        self.net += more.net
        self.squares += more.squares
        self.wins += more.wins
        self.staked += more.staked
        self.said.update(more.said)


def _pieces(rounds: int) -> list[_Piece]:
    starts = range(0, rounds, _AT_ONCE)
    return [_Piece(number, min(_AT_ONCE, rounds - start)) for number, start in enumerate(starts)]


def _play(plan: _Plan, piece: _Piece) -> _Sums:
    rules, player, sums = plan.rules, _player(plan, piece), _Sums()
    chance = random.Random(f"{plan.sampling.seed}/rounds/{piece.number}")

    def answer(decision: Decision, seat: PlayedSeat, dealt: CompletedRound, rules: Rules) -> str:
        return player.action(seen_by(decision, seat, dealt, rules))

    for _ in range(piece.rounds):
        dealt = dealt_round(rules, chance, [plan.placed] * plan.seats, answer)
        lines = Settling(dealt, rules).lines(0, dict(plan.meters))
        if plan.wager == "main":
            net = sum([line.net + line.forgone for line in lines])
            sums.wins += net > 0
            _count_said(sums, plan, dealt.seats[0])
        else:
            net, won = _own_line(lines, plan.wager)
            sums.wins += won
        sums.net += net
        sums.squares += net * net
        sums.rounds += 1
    return sums


def _own_line(lines: list[LineRecord], wager: str) -> tuple[int, bool]:
    own = [line for line in lines if line.wager == wager]
    return sum(line.net + line.forgone for line in own), any(line.result == "win" for line in own)


def _count_said(sums: _Sums, plan: _Plan, seat: PlayedSeat) -> None:
    sums.staked += sum(plan.placed.values())
    for question in answers_given(plan.rules.book.decisions, seat.wagers, seat.actions):
        assert question.action is not None
        sums.said[question.decision.name, question.action] += 1
        if question.action in question.decision.bets:
            sums.staked += (
                seat.wagers[question.decision.multiple_of] * question.decision.bets[question.action]
            )
        elif question.action == TAKE_BACK:
            sums.staked -= seat.wagers.get(question.decision.takes_back, 0)


# -- the figures ----------------------------------------------------------------------------------


def _object(plan: _Plan, sums: _Sums, why: str) -> dict[str, Any]:
    rules, rounds, unit = plan.rules, sums.rounds, plan.unit
    mean = sums.net / (rounds * unit)
    variance = (sums.squares * rounds - sums.net**2) / (rounds * (rounds - 1) * unit**2)
    figures: dict[str, Any] = {
        "paytables": _tables(rules, plan),
        "expected_value": mean,
        "expected_value_exact": None,
        "house_edge": -mean,
        "standard_deviation": sqrt(variance),
        "hit_frequency": sums.wins / rounds,
        "sampled": True,
        "standard_error": sqrt(variance / rounds),
        "rounds": rounds,
        "seed": plan.sampling.seed,
        "strategy": plan.strategy or None,
        "played": _played_words(plan.strategy),
        "not_exact_because": why,
    }
    if plan.wager != "main":
        return figures | {"stake": f"{unit // 100}.{unit % 100:02d}"}
    staked = sums.staked / (rounds * unit)
    shares: Mapping[str, dict[str, float]] = {d.name: {} for d in rules.book.decisions}
    for (name, word), count in sums.said.items():
        shares[name][word] = count / rounds
    return figures | {
        "units_wagered": staked,
        "element_of_risk": -mean / staked,
        "decisions": dict(shares),
    }


def _played_words(strategy: str) -> str:
    if not strategy:
        return "no decision changes it"
    if strategy == "optimal":
        return "played by the exact best play of the main game"
    if strategy == ROLLOUT or strategy.startswith(f"{ROLLOUT}:"):
        return (
            f"played by the best of {_draws(strategy)} trial rounds for each decision, so the best "
            "play is worth at least as much to the player"
        )
    return f"played by the strategy {strategy}, so the best play is worth at least as much"


def _tables(rules: Rules, plan: _Plan) -> dict[str, str]:
    if plan.wager == "main":
        return shaping_tables(rules)
    settles = rules.book.wagers[plan.wager].settles
    if isinstance(settles, HighestHand):
        return {settles.paytable: str(plan.seats + (rules.book.dealer is not None))}
    return {family: rules.chosen[family] for family in families_of(settles)}
