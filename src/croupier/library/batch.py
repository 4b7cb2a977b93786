"""Many tables at once, for learning programs: observations, legal actions and rewards as arrays.

Every round is settled by the same code as at any table. That takes time, so each result is
memoized: two rounds pay the same if they have the same answers, their hands meet the same paytable
conditions, and they compare with the dealer's in the same way. These facts are computed for all
tables together, and only the first round of each group is settled card by card.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.cards import Card, format_cards
from croupier.errors import BadRequest, Refusal, Unsolvable, suggest
from croupier.library.environment import actions_of, placed_wagers
from croupier.library.rulebook import AnyRulebook, AnySubmission, Rulebook, load_rulebook
from croupier.mathematics.game.payoffs import Payoffs
from croupier.mathematics.game.paytable_lines import Leaf, LineTests, line_tests
from croupier.mathematics.hand_values import MOST_CARDS, values_of
from croupier.mathematics.side_wagers.columns import bits_of_hand
from croupier.money import Amount, Money, format_cents
from croupier.rounds.round_flow import answers_given
from croupier.rounds.settlement import Settling
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.rankings import card_count, ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import TAKE_BACK, EitherHandBeaten, HighestHand, VersusDealer

I8: TypeAlias = NDArray[np.int8]
I64: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

PLACES: Final = ("player", "community", "dealer", "box")
MOST_TABLES: Final = 1_000_000
_MOST_PATHS: Final = 20_000
_MOST_KEPT: Final = 2_000_000
_OVER: Final = -1


class BatchObservation(NamedTuple):
    """What the players see: a row for each table. Cards are numbers from 0 to 51 (`croupier.DECK`
    has them in this order); -1 is a card that is not seen yet."""

    decision: I8
    """The number of the decision in `TableBatch.decisions`; -1 if the round is over."""
    cards: I8
    """The player's own cards, one per column."""
    community: I8
    """The community cards, one per column."""
    dealer: I8
    """The dealer's cards, one per column."""
    stakes: I64
    """The chips on each wager in cents, one column for each name in `TableBatch.wagers`."""

    def bits(self, decisions: int) -> I8:
        """Return cards and decisions as zeros and ones, as `Observation.bits` does: 52 columns for
        the player's cards, 52 for the community's, 52 for the dealer's, one for each decision."""
        rows = np.arange(len(self.decision))
        bits = np.zeros((len(rows), 3 * 52 + decisions), np.int8)
        for place, cards in enumerate((self.cards, self.community, self.dealer)):
            for column in cards.T.astype(np.int64):
                seen = column >= 0
                bits[rows[seen], 52 * place + column[seen]] = 1
        decision = self.decision.astype(np.int64)
        in_play = decision >= 0
        bits[rows[in_play], 3 * 52 + decision[in_play]] = 1
        return bits


class BatchStep(NamedTuple):
    """The result of a step: a row for each table."""

    observation: BatchObservation
    """The next decision: at tables whose round has ended, the first one of the next round."""
    rewards_cents: I64
    """What the player has won or lost on all wagers, in cents; 0 until the round ends."""
    ended: Bools
    """Whether the round has ended with this step."""
    legal: Bools
    """The legal actions at the next decision: a column for each of `TableBatch.actions`."""
    final: BatchObservation
    """The rounds that have ended, with all cards turned up: a row for each table where `ended`."""


class TableBatch:
    """Many tables with one player each, all under the same rules and with the same wagers.

    `reset` deals a round at every table, `step` takes one action for each table. When a round ends,
    the next one is dealt at once. Progressive meters stand at their reset amounts in every round.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        wagers: Mapping[str, Money],
        tables: int,
        seed: int | str | None = None,
    ) -> None:
        if not 1 <= tables <= MOST_TABLES:
            raise BadRequest(f"tables is {tables}, but must be 1 to {MOST_TABLES:,}")
        self.rulebook = rulebook
        self.placed = dict(wagers)
        """The wagers placed in every round."""
        self.tables = tables
        """The number of tables."""
        self.decisions = tuple([decision.name for decision in rulebook.decisions])
        """The names of all decisions of the game."""
        self.actions = actions_of(rulebook.decisions)
        """Every answer of the game; an action's number is its index here."""
        self._game = _Game(rulebook.rules, {name: m.cents for name, m in wagers.items()})
        self.wagers = self._game.wagers
        """The names of the wagers placed and of those put down in play: columns of `stakes`."""
        self.unit_cents = self.placed[rulebook.rules.required[0]].cents
        """The stake on one required wager, in cents."""
        self._deck = np.tile(self._game.deck, (tables, 1))
        self._node = np.zeros(tables, np.int64)
        self._strong: Bools = np.ones((tables, len(self._game.least)), np.bool_)
        self._past: I8 = np.zeros((tables, self._game.dealt), np.int8)
        self._past_node = np.full(tables, _OVER, np.int64)
        self._is_dealt = False
        self._random = _generator(seed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_game"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        cents = {name: money.cents for name, money in self.placed.items()}
        self._game = _Game(self.rulebook.rules, cents)

    def reset(self, seed: int | str | None = None) -> tuple[BatchObservation, Bools]:
        """Deal a new round at every table; return the observation and the legal actions.

        The same seed deals the same cards. Rounds in play are dropped.
        """
        if seed is not None:
            self._random = _generator(seed)
            self._deck = np.tile(self._game.deck, (self.tables, 1))
        self._deal(np.arange(self.tables))
        self._is_dealt = True
        return self.observation(), self.legal_actions()

    def step(self, actions: ArrayLike) -> BatchStep:
        """Take one action for each table, by its number in `actions`. An action that the rules do
        not allow raises a `Refusal` and changes no table."""
        chosen = self._checked(actions)
        self._node = self._game.after[self._node, chosen]
        ended = self._game.decision[self._node] == _OVER
        over = np.flatnonzero(ended)
        rewards = np.zeros(self.tables, np.int64)
        final = self._seen(over)
        if over.size:
            cards, nodes = self._deck[over, : self._game.dealt], self._node[over]
            rewards[over] = self._game.nets(nodes, cards)
            self._past[over], self._past_node[over] = cards, nodes
            self._deal(over)
        return BatchStep(self.observation(), rewards, ended, self.legal_actions(), final)

    def observation(self) -> BatchObservation:
        """Return what the players see now."""
        return self._seen(np.arange(self.tables))

    def legal_actions(self) -> Bools:
        """Return which actions are legal now: a row for each table, a column for each action."""
        game = self._game
        legal: Bools = game.legal[self._node]
        for place, (decision, action, _, _) in enumerate(game.least):
            elsewhere = game.decision[self._node] != decision
            legal[:, action] &= elsewhere | self._strong[:, place]
        return legal

    def past_round(self, table: int) -> dict[str, Any]:
        """Return the last round that ended at a table, as `croupier.settle` takes it."""
        if not 0 <= table < self.tables or self._past_node[table] == _OVER:
            raise Refusal(f"no round has ended at table {table}", code="not_now")
        played = self._game.completed(self._past_node[table], self._past[table])
        (seat,) = played.seats
        request: dict[str, Any] = {
            "rulebook": self.rulebook.id,
            "submission": msgspec.json.decode(self.rulebook.submission_json),
            "seats": [
                {
                    "seat": seat.number,
                    "cards": format_cards(seat.cards),
                    "wagers": {name: format_cents(cents) for name, cents in seat.wagers.items()},
                    "actions": list(seat.actions),
                }
            ],
            "community": format_cards(played.community),
        }
        if played.dealer:
            request["dealer"] = format_cards(played.dealer)
        if played.box:
            request["bonus_cards"] = format_cards(played.box)
        return request

    def __repr__(self) -> str:
        return f"<TableBatch {self.rulebook.id}: {self.tables} tables, {', '.join(self.actions)}>"

    def _checked(self, actions: ArrayLike) -> I64:
        if not self._is_dealt:
            raise Refusal("no round is dealt yet: call reset first", code="not_now")
        chosen = np.asarray(actions)
        if chosen.shape != (self.tables,) or chosen.dtype.kind not in "iu":
            raise BadRequest(f"actions must be {self.tables} whole numbers, one for each table")
        if chosen.min() < 0 or chosen.max() >= len(self.actions):
            raise BadRequest(f"actions are numbered 0 to {len(self.actions) - 1}")
        allowed = self.legal_actions()[np.arange(self.tables), chosen]
        if not allowed.all():
            table = int(np.argmin(allowed))
            raise Refusal(
                f"table {table}: {self.actions[chosen[table]]} is not allowed now", code="not_now"
            )
        return chosen.astype(np.int64)

    def _deal(self, rows: I64) -> None:
        """Shuffle as many cards to the top of these decks as a round takes (Fisher-Yates)."""
        deck, random = self._deck, self._random
        size = deck.shape[1]
        for place in range(self._game.dealt):
            drawn = random.integers(place, size, rows.size)
            top = deck[rows, place]
            deck[rows, place] = deck[rows, drawn]
            deck[rows, drawn] = top
        self._node[rows] = 0
        if self._game.least:
            self._strong[rows] = self._game.strong(deck[rows])

    def _seen(self, rows: I64) -> BatchObservation:
        game, nodes = self._game, self._node[rows]

        def cards(place: str) -> I8:
            start, count = game.places[place]
            is_seen = np.arange(count) < game.seen[place][nodes, None]
            return np.where(is_seen, self._deck[rows, start : start + count], np.int8(-1))

        return BatchObservation(
            game.decision[nodes],
            cards("player"),
            cards("community"),
            cards("dealer"),
            game.stakes[nodes],
        )


def batch(
    rulebook: AnyRulebook,
    wagers: Mapping[str, Amount] | None = None,
    *,
    tables: int = 1024,
    submission: AnySubmission = None,
    seed: int | str | None = None,
) -> TableBatch:
    """Return many tables at once, for learning programs: arrays in, arrays out. `wagers` are placed
    at every table in every round; by default only the required ones."""
    book = load_rulebook(rulebook, submission)
    return TableBatch(book, placed_wagers(book.rules, wagers), tables, seed)


def _generator(seed: int | str | None) -> np.random.Generator:
    if isinstance(seed, str):
        seed = int.from_bytes(hashlib.sha256(seed.encode()).digest())
    return np.random.default_rng(seed)


# -- the game -------------------------------------------------------------------------------------


class _Path(NamedTuple):
    """The answers so far, and the next decision; -1 if the round is over."""

    answers: tuple[str, ...]
    decision: int
    stakes: dict[str, int]


class _Game:
    """A rulebook with the wagers placed: its paths of answers, and the payments of each round."""

    def __init__(self, rules: Rules, placed: Mapping[str, int]) -> None:
        book = rules.book
        self.rules, self.placed = rules, placed
        if book.deck.copies > 1:
            raise Unsolvable(
                f"{book.id} is dealt from {book.deck.copies} decks: a batch deals from one"
            )
        for name in placed:
            if name not in book.wagers:
                raise suggest("wager", name, book.wagers)
        self.deck = np.array(cards_of(book.deck), np.int8)
        self.wagers = tuple(
            [name for name, w in book.wagers.items() if name in placed or w.role == "decided"]
        )
        self.actions = actions_of(book.decisions)
        self._leaves = self._conditions()
        self.places = self._places()
        self.dealt = sum(count for _, count in self.places.values())
        self._paths = list(self._all_paths())
        self._tabulate()
        self.least = [
            (place, self.actions.index(action), least.hand, self._worth(least.hand, least))
            for place, decision in enumerate(book.decisions)
            for action, least in decision.only_with.items()
        ]
        self._compared = self._compared_hands()
        self._known: dict[tuple[int, ...], int] = {}
        self._check()

    def _places(self) -> dict[str, tuple[int, int]]:
        """Return for each place the index of its first card in the deck, and its number of cards.
        The box stays empty unless a wager looks at it."""
        book, start = self.rules.book, 0
        looked_at = [text for hand in self._leaves for text in book.hands[hand].cards]
        places = {}
        for place in PLACES:
            count = getattr(book.cards, place)
            if place == "box" and not any(text.startswith(place) for text in looked_at):
                count = 0
            places[place] = start, count
            start += count
        return places

    def _all_paths(self) -> Iterator[_Path]:
        """Return every path through the decisions, each after the path that it continues."""
        decisions = self.rules.book.decisions
        waiting: list[tuple[str, ...]] = [()]
        for said in waiting:  # grows during the loop
            answers = list(answers_given(decisions, self.placed, said))
            question = next((answer for answer in answers if answer.action is None), None)
            stakes = dict(self.placed)
            for answer in answers:
                decision, action = answer.decision, answer.action
                if action in decision.bets:
                    multiple = decision.bets[action]
                    stakes[decision.wager] = self.placed[decision.multiple_of] * multiple
                elif action == TAKE_BACK:
                    stakes[decision.takes_back] = 0
            yield _Path(said, _OVER if question is None else question.place, stakes)
            if question is not None:
                waiting += [(*said, action) for action in question.decision.answers]
            if len(waiting) > _MOST_PATHS:
                raise Unsolvable("the game has too many ways through its decisions for a batch")

    def _tabulate(self) -> None:
        """Convert the paths to arrays: the next path for each action, the stakes, the cards that
        are seen."""
        book, paths = self.rules.book, self._paths
        number = {path.answers: place for place, path in enumerate(paths)}
        self.decision = np.array([path.decision for path in paths], np.int8)
        self.after = np.full((len(paths), len(self.actions)), -1, np.int64)
        for place, path in enumerate(paths):
            if path.answers:
                action = self.actions.index(path.answers[-1])
                self.after[number[path.answers[:-1]], action] = place
        self.legal: Bools = self.after >= 0
        stakes = [[path.stakes.get(name, 0) for name in self.wagers] for path in paths]
        self.stakes = np.array(stakes, np.int64)
        self.seen = {
            place: np.array(
                [
                    self.places[place][1]
                    if path.decision == _OVER
                    else getattr(book.decisions[path.decision], f"sees_{place}")
                    for path in paths
                ],
                np.int64,
            )
            for place in PLACES[:3]
        }

    def _conditions(self) -> dict[str, tuple[Leaf, ...]]:
        """Return by hand all conditions that the paytables of these wagers test."""
        rules, book = self.rules, self.rules.book
        bonuses = [name for name, bonus in book.bonuses.items() if bonus.on in self.wagers]
        looked_up = Payoffs(rules, [*self.wagers, *bonuses]).leaves
        leaves = {leaf: place for place, leaf in enumerate(looked_up)}
        for name in self.wagers:
            settles = book.wagers[name].settles
            if isinstance(settles, EitherHandBeaten):
                tables = [rules.chosen[settles.paytable]]
            elif isinstance(settles, HighestHand):
                tables = [str(1 + (book.dealer is not None))]
            else:
                continue
            for table in tables:
                line_tests(rules, settles, table, leaves)
                if book.dealer is not None:
                    paytable = rules.paytable(settles.paytable, table)
                    returns = getattr(settles, "returns", ())
                    LineTests(
                        paytable, book.patterns, book.dealer.hand, returns=returns, leaves=leaves
                    )
        by_hand: dict[str, list[Leaf]] = {}
        for leaf in leaves:
            by_hand.setdefault(leaf.hand, []).append(leaf)
        return {hand: tuple(conditions) for hand, conditions in by_hand.items()}

    def _compared_hands(self) -> tuple[str, ...]:
        """Return the hands that are compared with the dealer's."""
        book = self.rules.book
        if book.dealer is None:
            return ()
        hands = [
            wager.settles.hand
            for wager in book.wagers.values()
            if isinstance(wager.settles, VersusDealer | EitherHandBeaten | HighestHand)
        ]
        return tuple(dict.fromkeys(hands))

    def _check(self) -> None:
        """Settle one round, so that wagers and games that cannot be settled are refused at once."""
        hands = {*self._leaves, *self._compared, *[hand for _, _, hand, _ in self.least]}
        if self.rules.book.dealer is not None:
            hands.add(self.rules.book.dealer.hand)
        for hand in hands:
            count = card_count(self.rules.book, self.rules.book.hands[hand])
            if count > MOST_CARDS:
                raise Unsolvable(
                    f"hands.{hand} has {count} cards: a batch compares up to {MOST_CARDS}"
                )
        over = np.flatnonzero(self.decision == _OVER)
        self.nets(over[-1:], self.deck[None, : self.dealt])

    # -- what a round pays ------------------------------------------------------------------------

    def strong(self, decks: I8) -> Bools:
        """Return for each bet that requires a good hand whether the player has one."""
        columns = [self._values(hand, decks) >= worth for _, _, hand, worth in self.least]
        return np.column_stack(columns)

    def nets(self, nodes: I64, cards: I8) -> I64:
        """Return what the player has won or lost over the round in cents, for rounds that are
        over."""
        facts = [nodes, *self._facts(cards)]
        known, nets = self._known, np.empty(nodes.size, np.int64)
        for place, key in enumerate(zip(*[fact.tolist() for fact in facts], strict=True)):
            net = known.get(key)
            if net is None:
                net = self._net(self.completed(key[0], cards[place]))
                if len(known) < _MOST_KEPT:
                    known[key] = net
            nets[place] = net
        return nets

    def _facts(self, cards: I8) -> Iterator[I64]:
        """Yield everything besides the answers on which the payments depend."""
        dealer = self.rules.book.dealer
        if dealer is not None:
            theirs = self._values(dealer.hand, cards)
            yield (theirs >= self._worth(dealer.hand, dealer)).astype(np.int64)
            for hand in self._compared:
                yield np.sign(self._values(hand, cards) - theirs)
        for hand, leaves in self._leaves.items():
            ranking = ranking_of(self.rules.book, hand)
            yield bits_of_hand(leaves, hand, ranking, self._masks(hand, cards))

    def completed(self, node: int, cards: I8) -> CompletedRound:
        """Return a round that is over, in the form that the settlement takes."""
        lying = {
            place: tuple([Card(int(card)) for card in cards[start : start + count]])
            for place, (start, count) in self.places.items()
        }
        answers = self._paths[node].answers
        seat = PlayedSeat(1, "player", lying["player"], self.placed, answers)
        return CompletedRound((seat,), lying["community"], lying["dealer"], lying["box"])

    def _net(self, played: CompletedRound) -> int:
        lines = Settling(played, self.rules).lines(0, dict(self.rules.resets))
        return sum(line.net for line in lines)

    def _worth(self, hand: str, least: Any) -> int:
        return ranking_of(self.rules.book, hand).least(least.at_least, least.of)

    def _values(self, hand: str, cards: I8) -> I64:
        ranking = ranking_of(self.rules.book, hand)
        return values_of(ranking, self._masks(hand, cards)).astype(np.int64)

    def _masks(self, hand: str, cards: I8) -> NDArray[np.uint64]:
        """Return the cards of a named hand as 52 bits, for each row."""
        columns: list[int] = []
        for text in self.rules.book.hands[hand].cards:
            place, _, first = text.partition(":")
            start, count = self.places[place]
            columns += range(start, start + (int(first) if first else count))
        return reduce(or_, [_BITS[cards[:, column]] for column in columns])


_BITS: Final = np.uint64(1) << np.arange(52, dtype=np.uint64)
