"""A table as an environment for learning programs, in the style of Gymnasium.

One episode is one round of one player against the house. It depends on no other package: `reset`,
`step` and what they give back have Gymnasium's form, and docs/library.md shows the adapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from croupier.cards import Card
from croupier.errors import BadRequest, Refusal, suggest
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.library.settling import SettledRound
from croupier.library.table import Amount, Table
from croupier.money import parse_cents
from croupier.rounds.legality import smallest_wagers
from croupier.rulebooks.schema import Decision
from croupier.runtime.automation import StrategyPlayer
from croupier.runtime.players import AlwaysFirst

__all__ = ["Observation", "TableEnvironment", "environment"]

PLAYER: Final = "player"


class Observation(NamedTuple):
    """What the player sees when he is asked; when the round is over, also the dealer's cards."""

    decision: str
    cards: tuple[Card, ...]
    community: tuple[Card, ...]
    dealer: tuple[Card, ...] = ()

    def bits(self, decisions: Sequence[str]) -> list[int]:
        """The same as zeros and ones: 52 for each place, then one for each decision."""
        found = []
        for place in (self.cards, self.community, self.dealer):
            found += [int(card in place) for card in range(52)]
        return found + [int(self.decision == name) for name in decisions]


class TableEnvironment:
    """`reset` deals a round up to the first decision, `step` gives an answer.

    Rewards are whole cents: 0 until the round is over, then what the player won or lost on all his
    wagers. `reward / unit_cents` is in the units of `action_values`. Actions are words (`"4x"`) or
    their numbers in `actions`; one that the rules do not allow raises and changes nothing.
    """

    metadata: Final[dict[str, Any]] = {"render_modes": ["ansi", "html"]}

    def __init__(
        self, rulebook: Rulebook, wagers: Mapping[str, int], seed: int | str | None = None
    ) -> None:
        """`wagers` in cents."""
        self.rulebook = rulebook
        self.wagers_cents = dict(wagers)
        self.decisions = tuple([decision.name for decision in rulebook.decisions])
        self.actions = _words(rulebook.decisions)
        self.unit_cents = self.wagers_cents[rulebook.rules.required[0]]
        self._most = StrategyPlayer(AlwaysFirst(), self.wagers_cents).most_needed(rulebook.rules)
        self.table = self._opened(seed)

    def _opened(self, seed: int | str | None) -> Table:
        table = Table.open(self.rulebook, seed=seed, name="environment", inventory=10**10)
        table.sit(PLAYER, 1)
        return table

    # -- Gymnasium's methods ----------------------------------------------------------------------

    def reset(
        self, *, seed: int | str | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new round. A seed opens a fresh table whose cards it repeats; without one the cards and
        the meters go on. A round in play is declined to its end first."""
        if options:
            raise BadRequest("there are no options: wagers are given to `environment`")
        if seed is not None:
            self.table = self._opened(seed)
        while (decision := self.table.decision) is not None:
            self.table.act(PLAYER, decision.otherwise)
        short = self._most - self.table.chips_cents(PLAYER)
        if short > 0:
            self.table.buy_in(PLAYER, -(-short // 100))
        self.table.bet(
            PLAYER, {wager: f"{c // 100}.{c % 100:02d}" for wager, c in self.wagers_cents.items()}
        )
        self.table.deal()
        return self.observation(), self._info()

    def step(self, action: str | int) -> tuple[Observation, int, bool, bool, dict[str, Any]]:
        """Observation, reward in cents, whether the round is over, False (nothing cuts a round
        short), and more for whoever wants it."""
        self.table.act(PLAYER, self._word(action))
        over = self.table.phase == "over"
        return self.observation(), self._reward(), over, False, self._info()

    def render(self, mode: str = "ansi") -> str:
        """The round so far, in words or as HTML."""
        if mode not in self.metadata["render_modes"]:
            raise suggest("way to render", mode, self.metadata["render_modes"])
        if mode == "html":
            return self.table.view(PLAYER)._repr_html_()
        return "\n".join(self.table.story())

    def close(self) -> None:
        """Nothing is held open."""

    # -- what a player knows ----------------------------------------------------------------------

    def observation(self) -> Observation:
        seen = self.table.view(PLAYER)
        cards = seen.seats[0].cards if seen.seats else ()
        return Observation(
            seen.decision, _known(cards), _known(seen.community), _known(seen.dealer)
        )

    def legal_actions(self) -> tuple[str, ...]:
        """The answers that are allowed now; none when the round is over."""
        decision = self.table.decision
        if decision is None:
            return ()
        return tuple([one.action for one in self.table.legal_actions(PLAYER) if one.action])

    def action_mask(self) -> list[int]:
        """One for every action of `actions` that is allowed now, zero for the others."""
        allowed = self.legal_actions()
        return [int(word in allowed) for word in self.actions]

    def action_values(self) -> dict[str, Fraction]:
        """The exact value of every legal action for the required wagers and what is bet in play,
        best play afterwards, in units of one required wager. Side wagers do not count in it."""
        return dict(self.table.action_values().values)

    @property
    def settlement(self) -> SettledRound | None:
        return self.table.settlement if self.table.phase == "over" else None

    def _reward(self) -> int:
        settled = self.settlement
        return 0 if settled is None else settled.seats[0].net_cents

    def _info(self) -> dict[str, Any]:
        return {
            "round": self.table.round_number,
            "legal_actions": self.legal_actions(),
            "action_mask": self.action_mask(),
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


def _words(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Everything that can ever be said, in the order in which it is first offered."""
    said = [word for one in decisions for word in one.answers]
    return tuple(dict.fromkeys(said))


def _known(cards: Sequence[Card | None]) -> tuple[Card, ...]:
    return tuple([card for card in cards if card is not None])


def environment(
    rulebook: AnyRulebook,
    wagers: Mapping[str, Amount] | None = None,
    *,
    submission: AnySubmission = None,
    seed: int | str | None = None,
) -> TableEnvironment:
    """A table for one player by these rules. `wagers` are placed every round, in dollars; without
    them the required ones only, at the least the table takes or $10."""
    book = load_rulebook(rulebook, submission)
    if wagers is None:
        rules = book.rules
        least = smallest_wagers(rules)
        return TableEnvironment(book, {name: least[name] for name in rules.required}, seed)
    missing = [name for name in book.rules.required if name not in wagers]
    if missing:
        raise BadRequest(f"{missing[0]} has to be bet in every round")
    return TableEnvironment(book, {name: parse_cents(a) for name, a in wagers.items()}, seed)
