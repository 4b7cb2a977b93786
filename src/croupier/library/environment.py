"""A table as an environment for learning programs, in the style of Gymnasium.

One episode is one round of one player against the house. `croupier.gym` wraps it for Gymnasium;
`croupier.batch` plays many tables at once, much faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from croupier.cards import Card
from croupier.errors import BadRequest, Refusal, suggest
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.library.settling import SettledRound, moneys
from croupier.library.table import Table
from croupier.money import Amount, Money
from croupier.rounds.legality import smallest_wagers
from croupier.rounds.views import Viewer, view
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Decision
from croupier.runtime.automation import StrategyPlayer
from croupier.runtime.players import AlwaysFirst

PLAYER: Final = "player"


class Observation(NamedTuple):
    """What the player sees: at a decision, or at the end of the round with the dealer's cards."""

    decision: str
    """The name of the decision; empty if the round is over."""
    cards: tuple[Card, ...]
    """The player's own cards seen so far."""
    community: tuple[Card, ...]
    """The community cards turned up so far."""
    dealer: tuple[Card, ...] = ()
    """The dealer's cards turned up so far."""
    stakes: Mapping[str, Money] = {}
    """The chips on each wager: those placed before the deal, and those put down in play."""

    def bits(self, decisions: Sequence[str]) -> list[int]:
        """Return the cards and the decision as zeros and ones: 52 for the player's cards, 52 for
        the community's, 52 for the dealer's, then one for each decision."""
        bits = []
        for place in (self.cards, self.community, self.dealer):
            bits += [int(card in place) for card in range(52)]
        return bits + [int(self.decision == name) for name in decisions]


class TableEnvironment:
    """One player at one table: `reset` deals a round up to the first decision, `step` answers it.

    Rewards are `Money`: nothing until the round is over, then what the player has won or lost on
    all wagers together. `reward / unit` is in the units of `action_values`. Actions are words
    (`"4x"`) or their numbers in `actions`; an action that the rules do not allow raises an error
    and changes nothing.
    """

    metadata: Final[dict[str, Any]] = {"render_modes": ["ansi", "html"]}
    """The ways to render, as Gymnasium has them."""

    def __init__(
        self, rulebook: Rulebook, wagers: Mapping[str, Money], seed: int | str | None = None
    ) -> None:
        self.rulebook = rulebook
        self.wagers = dict(wagers)
        """The wagers placed in every round."""
        self.decisions = tuple([decision.name for decision in rulebook.decisions])
        """The names of all decisions of the game."""
        self.actions = actions_of(rulebook.decisions)
        """Every answer of the game; an action's number is its index here."""
        self.unit = self.wagers[rulebook.rules.required[0]]
        """The stake on one required wager."""
        cents = {name: stake.cents for name, stake in self.wagers.items()}
        most = StrategyPlayer(AlwaysFirst(), cents).most_needed(rulebook.rules)
        self._most = Money.of_cents(most)
        self.table = self._opened(seed)
        """The table at which the rounds are played."""

    def _opened(self, seed: int | str | None) -> Table:
        table = Table.open(self.rulebook, seed=seed, name="environment", inventory=10**10)
        table.sit(PLAYER, 1)
        return table

    # -- Gymnasium's methods ----------------------------------------------------------------------

    def reset(
        self, *, seed: int | str | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new round and return the observation and the info. A seed opens a new table, which
        deals the same cards for the same seed. Without a seed the table continues with its next
        cards and its meters. A round in play is first declined to its end."""
        if options:
            raise BadRequest("there are no options: pass the wagers to `environment`")
        if seed is not None:
            self.table = self._opened(seed)
        while (decision := self.table.decision) is not None:
            self.table.act(PLAYER, decision.otherwise)
        short = self._most - self.table.chips(PLAYER)
        if short > 0:
            self.table.buy_in(PLAYER, -(-short.cents // 100))
        self.table.bet(PLAYER, self.wagers)
        self.table.deal()
        return self.observation(), self._info()

    def step(self, action: str | int) -> tuple[Observation, Money, bool, bool, dict[str, Any]]:
        """Answer the decision. Return the observation, the reward, whether the round is over,
        False (nothing cuts a round short), and the info: `legal_actions`, `action_mask`, `round`
        and, when the round is over, `settlement`."""
        self.table.act(PLAYER, self._word(action))
        over = self.table.phase == "over"
        return self.observation(), self._reward(), over, False, self._info()

    def render(self, mode: str = "ansi") -> str:
        """Return the round so far, in words or as HTML."""
        if mode not in self.metadata["render_modes"]:
            raise suggest("way to render", mode, self.metadata["render_modes"])
        if mode == "html":
            return self.table.view(PLAYER)._repr_html_()
        return "\n".join(self.table.story())

    def close(self) -> None:
        """Do nothing: an environment keeps nothing open."""

    # -- what the player knows --------------------------------------------------------------------

    def observation(self) -> Observation:
        """Return what the player sees now."""
        played, rules = self.table.state.round, self.table.rules
        seen = view(played, Viewer("player", PLAYER), rules)
        seat = seen.seats[0] if seen.seats else None
        decision = self.table.decision
        return Observation(
            "" if decision is None else decision.name,
            () if seat is None else _known(seat.cards),
            _known(seen.community),
            _known(seen.dealer),
            {} if seat is None else moneys(seat.wagers),
        )

    def legal_actions(self) -> tuple[str, ...]:
        """Return the answers that are allowed now; none if the round is over."""
        if self.table.decision is None:
            return ()
        return tuple([legal.action for legal in self.table.legal_actions(PLAYER) if legal.action])

    def action_mask(self) -> list[int]:
        """Return 1 for each action of `actions` that is allowed now, 0 for the others."""
        return self._mask(self.legal_actions())

    def _mask(self, allowed: Sequence[str]) -> list[int]:
        return [int(word in allowed) for word in self.actions]

    def action_values(self) -> dict[str, Fraction]:
        """Return the exact value of each legal action, with the best play afterwards, in units of
        one required wager. It counts the required wagers and the bets in play, but no side
        wagers."""
        return dict(self.table.action_values().values)

    @property
    def settlement(self) -> SettledRound | None:
        """The settled round; None while it is in play."""
        return self.table.settlement if self.table.phase == "over" else None

    def _reward(self) -> Money:
        settled = self.settlement
        return Money() if settled is None else settled.seats[0].net

    def _info(self) -> dict[str, Any]:
        allowed = self.legal_actions()
        return {
            "round": self.table.round_number,
            "legal_actions": allowed,
            "action_mask": self._mask(allowed),
            "settlement": self.settlement,
        }

    def _word(self, action: str | int) -> str:
        if self.table.decision is None:
            raise Refusal("the round is over: reset deals the next one", code="not_now")
        if isinstance(action, str):
            return action
        number = int(action)
        if not 0 <= number < len(self.actions):
            raise BadRequest(f"action {number}: there are {len(self.actions)}, from 0")
        return self.actions[number]

    def __repr__(self) -> str:
        return f"<TableEnvironment {self.rulebook.id}: {', '.join(self.actions)}>"


def actions_of(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Return every answer of a game, in the order in which it is first offered."""
    answers = [answer for decision in decisions for answer in decision.answers]
    return tuple(dict.fromkeys(answers))


def _known(cards: Sequence[Card | None]) -> tuple[Card, ...]:
    return tuple([card for card in cards if card is not None])


def environment(
    rulebook: AnyRulebook,
    wagers: Mapping[str, Amount] | None = None,
    *,
    submission: AnySubmission = None,
    seed: int | str | None = None,
) -> TableEnvironment:
    """Return an environment for one player at a table with these rules. `wagers` are placed in
    every round. By default only the required ones are: at the table's minimum, or at $10."""
    book = load_rulebook(rulebook, submission)
    return TableEnvironment(book, placed_wagers(book.rules, wagers), seed)


def placed_wagers(rules: Rules, wagers: Mapping[str, Amount] | None) -> dict[str, Money]:
    """Return the wagers of every round: those named, or the required ones at their minimum."""
    if wagers is None:
        least = smallest_wagers(rules)
        return {name: Money.of_cents(least[name]) for name in rules.required}
    missing = [name for name in rules.required if name not in wagers]
    if missing:
        raise BadRequest(f"{missing[0]} has to be bet in every round")
    return {name: Money(amount) for name, amount in wagers.items()}
