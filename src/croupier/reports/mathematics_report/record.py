"""The record behind the mathematics report, written to JSON as it is.

A counted figure is an `Exact`, a quotient of two integers with its decimal value. If a figure is
missing, `not_computed` says why; nothing ever takes its place.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec


class _Part(msgspec.Struct, frozen=True):
    """A part of the report."""


class Exact(msgspec.Struct, frozen=True):
    """`value` is the floating-point number nearest to `exact`, a fraction in lowest terms."""

    value: float
    exact: str

    @classmethod
    def of(cls, number: Fraction | int) -> Exact:
        number = Fraction(number)
        return cls(float(number), str(number))

    @property
    def fraction(self) -> Fraction:
        return Fraction(self.exact)


class Assumptions(_Part, frozen=True):
    """The assumptions of the figures in dollars and of the simulation; amounts in cents."""

    date: str
    rounds_per_hour: int
    seats: int
    hours: int
    """How long a player stays with one buy-in."""
    bet_cents: int
    """On each required wager; other wagers are at the smallest stake, unless in `stakes`."""
    buy_in_cents: int
    hands: int
    """Hands in a round, the dealer's included, for wagers on the highest of them."""
    simulated_rounds: int
    seed: str
    sampled_rounds: int = 0
    """Rounds to sample for each wager that no solver models; 0: such a wager has no figures."""


class Identity(_Part, frozen=True):
    title: str
    rulebook: str
    jurisdiction: str
    document: str
    date: str
    operator: str
    table: str
    program: str
    rules_hash: str
    solver_hash: str
    engine_hash: str
    paytables: dict[str, str]
    readings: dict[str, str]
    options: dict[str, str]
    offered: tuple[str, ...]
    pays: dict[str, str]
    """Lines that pay differently from print (`--pays`)."""
    warnings: tuple[str, ...]
    """A player's edge, paytables out of order, and the warnings of `croupier check` for a valid
    submission."""


# -- the rules ------------------------------------------------------------------------------------


class WagerRule(_Part, frozen=True):
    name: str
    title: str
    role: str
    stakes: str
    paytable: str
    needs: str
    clause: str


class StepTold(_Part, frozen=True):
    step: str
    words: str
    clause: str


class Remedy(_Part, frozen=True):
    what: str
    when: str
    effect: str
    clause: str


class ExampleLine(_Part, frozen=True):
    wager: str
    stake_cents: int
    result: str
    net_cents: int
    words: str
    clause: str


class ExampleRound(_Part, frozen=True):
    """A round dealt from a seed and settled by the engine."""

    shows: str
    """`win`, `loss`, `tie`, or `fold`: the combined result of the required wagers."""
    cards: str
    community: str
    dealer: str
    dealer_hand: str
    player_hand: str
    said: str
    net_cents: int
    lines: tuple[ExampleLine, ...]


class RulesPart(_Part, frozen=True):
    summary: str
    notices: tuple[StepTold, ...]
    decisions: tuple[StepTold, ...]
    positions: int
    cards: str
    wagers: tuple[WagerRule, ...]
    procedure: tuple[StepTold, ...]
    remedies: tuple[Remedy, ...]
    examples: tuple[ExampleRound, ...]
    examples_not_computed: str
    layout_svg: str


# -- the wagers -----------------------------------------------------------------------------------


class OutcomeRow(_Part, frozen=True):
    """One result of a wager. `net` is the change in the player's money per unit."""

    hand: str
    how: str
    pays: str
    net: Exact
    combinations: int
    probability: Exact
    contribution: Exact
    true_odds: str
    """Fair odds against the result: `64,973 to 1`."""


class Moments(_Part, frozen=True):
    """Moments of the net of one round, per unit, from the table of outcomes."""

    combinations: int
    expected_value: Exact
    house_edge: Exact
    variance: Exact
    standard_deviation: float
    skewness: float | None
    excess_kurtosis: float | None
    hit_frequency: Exact
    push_frequency: Exact
    loss_frequency: Exact
    most_common_net: Exact
    most_common_frequency: Exact
    largest_win: Exact
    largest_win_frequency: Exact
    largest_loss: Exact
    volatility_90: float
    volatility_95: float


class Convergence(_Part, frozen=True):
    """The 95% interval of the mean result of n rounds, per unit."""

    rounds: int
    low: float
    high: float
    exact_low: float | None
    exact_high: float | None


class PaidLine(_Part, frozen=True):
    """One result of a wager of the main game under the best play. `family` and `table` name the
    paytable used, if any; `net` is the change in the player's money with `units` staked. The
    contributions of all lines add up to the game's value."""

    wager: str
    family: str
    table: str
    hand: str
    result: str
    units: int
    pays: str
    combinations: int
    probability: Exact
    net: Exact
    contribution: Exact
    true_odds: str
    unit_more: Exact | None
    """What one more unit on the paytable's line takes off the house edge, until the best play
    changes; None if no paytable that shapes the game has the line."""


class SampledFigures(_Part, frozen=True):
    """The mean of sampled rounds, per unit: never exact."""

    house_edge: float
    standard_error: float
    standard_deviation: float
    hit_frequency: float
    rounds: int
    seed: str
    played: str

    @property
    def edge_words(self) -> str:
        return f"sampled: {self.house_edge:.3%} ± {self.standard_error:.3%}"


class WagerFigures(_Part, frozen=True):
    wager: str
    title: str
    tables: dict[str, str]
    stake_cents: int
    hands: int
    outcomes: tuple[OutcomeRow, ...] = ()
    moments: Moments | None = None
    convergence: tuple[Convergence, ...] = ()
    units_wagered: float | None = None
    element_of_risk: float | None = None
    lines: tuple[PaidLine, ...] = ()
    """For the main game: every result of each of its wagers."""
    not_computed: str = ""
    sampled: SampledFigures | None = None
    """The sampled figures beside the reason why they were not computed, if the report samples."""


class AlternativeTable(_Part, frozen=True):
    """A paytable of the document that may be chosen instead of the one in force."""

    wager: str
    table: str
    in_force: bool
    figures: WagerFigures


class Winnings(_Part, frozen=True):
    """The house's win from a wager under the assumptions."""

    wager: str
    title: str
    stake_cents: int
    per_hour_cents: Exact
    per_table_hour_cents: Exact
    hold: Exact
    """As a share of the buy-in, over the hours that a player stays."""
    largest_win_cents: Exact
    """At the largest stated stake, or at the assumed stake."""
    largest_stake_cents: int


class LimitEffect(_Part, frozen=True):
    """A payout limit and a wager it covers, taken alone."""

    clause: str
    limit_cents: int
    wager: str
    highest_pay: Exact
    binds_from_cents: Exact
    """The smallest stake at which the limit reduces the wager's highest payment."""
    stake_cents: int
    edge_with_limit: Exact | None
    edge_without: Exact
    not_computed: str = ""


# -- play -----------------------------------------------------------------------------------------


class DecisionShare(_Part, frozen=True):
    """An action at a decision: `value` is the mean net of the rounds that take it, in units of one
    required wager; None if none does."""

    decision: str
    said: str
    share: float
    combinations: int
    probability: Exact
    value: Exact | None
    contribution: Exact


class WithoutDecision(_Part, frozen=True):
    decision: str
    instead: str
    house_edge: Exact


class SimpleStrategy(_Part, frozen=True):
    name: str
    title: str
    text: str
    house_edge: Exact
    cost: Exact
    mistakes: tuple[str, ...]


class StrategyChart(_Part, frozen=True):
    decision: str
    hands: dict[str, str]
    svg: str
    printed_svgs: tuple[str, ...]
    """For paper: several pictures if a page is too short."""


class Strategy(_Part, frozen=True):
    equal_actions: str
    decisions: tuple[DecisionShare, ...]
    chart: StrategyChart | None
    chart_not_computed: str
    without: tuple[WithoutDecision, ...]
    without_not_computed: str
    simple: tuple[SimpleStrategy, ...]
    simple_not_computed: str


# -- progressives ---------------------------------------------------------------------------------


class Meter(_Part, frozen=True):
    name: str
    seed_cents: int
    reset_cents: int
    rate: Exact | None
    frequency: Exact
    bets_between_awards: Exact | None
    break_even_dollars: Exact | None
    mean_reading_dollars: Exact | None
    return_at_reset: Exact
    """The return per unit staked at the reset amount."""
    return_per_dollar: Exact
    """The additional return for each dollar on the meter."""


class EnvyRow(_Part, frozen=True):
    hand: str
    pays_cents: int
    combinations: int
    total: int


class Progressive(_Part, frozen=True):
    wager: str
    title: str
    table: str
    stake_cents: int
    return_without_meters: Exact
    return_at_reset: Exact
    long_run_return: Exact | None
    long_run_not_computed: str
    meters: tuple[Meter, ...]
    liability_cents: int
    """What the operator owes the players from the first bet: the seeds."""
    envy: tuple[EnvyRow, ...]
    envy_per_player: Exact


# -- what may be otherwise ------------------------------------------------------------------------


class ReadingEffect(_Part, frozen=True):
    reading: str
    question: str
    clauses: tuple[str, ...]
    choice: str
    meaning: str
    in_force: bool
    edges: dict[str, Exact]
    """The house edges that differ from those in force."""
    not_computed: dict[str, str]


class KnownCard(_Part, frozen=True):
    seen: dict[str, int]
    value: Exact | None
    worth: Exact | None
    not_computed: str = ""


class SimulatedWager(_Part, frozen=True):
    wager: str
    title: str
    hands: int
    mean: float
    standard_error: float
    exact: float | None
    z: float | None
    judged: bool
    """False if rare hands make most of the value, so that this many rounds say little."""
    note: str = ""


class Simulation(_Part, frozen=True):
    rounds: int
    seats: int
    seed: str
    strategy: str
    wagers: tuple[SimulatedWager, ...]
    not_computed: str = ""


class Check(_Part, frozen=True):
    what: str
    found: str
    holds: bool


class Method(_Part, frozen=True):
    solver: str
    solves: str
    not_computed: str
    checks: tuple[Check, ...]
    clauses: dict[str, int]
    """The number of the document's clauses in each status."""


class Version(_Part, frozen=True):
    """A version of the report, and its differences from the one before."""

    number: int
    date: str
    program: str
    rules_hash: str
    solver_hash: str
    changes: tuple[str, ...]


class Report(_Part, frozen=True):
    identity: Identity
    assumptions: Assumptions
    rules: RulesPart
    main: WagerFigures
    sides: tuple[WagerFigures, ...]
    alternatives: tuple[AlternativeTable, ...]
    winnings: tuple[Winnings, ...]
    limits: tuple[LimitEffect, ...]
    strategy: Strategy
    progressives: tuple[Progressive, ...]
    readings: tuple[ReadingEffect, ...]
    readings_not_computed: str
    known_cards: tuple[KnownCard, ...]
    known_cards_not_computed: str
    simulation: Simulation
    method: Method
    history: tuple[Version, ...] = ()
    """The versions so far, this one last."""
    form: int = 1
    """The version of this format: raised when a field changes its meaning."""
