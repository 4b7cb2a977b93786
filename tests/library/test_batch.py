"""Many tables at once: every reward is what `croupier.settle` says, for every bundled game."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import croupier
from croupier.library.batch import Bools
from croupier.money import Money
from croupier.rounds.legality import smallest_wagers
from tests.commands.program import EXAMPLES

GAMES = croupier.bundled_rulebooks()


def every_wager(rulebook: str) -> dict[str, Money]:
    """All wagers of the game that can be placed before the deal, each at its least."""
    book = croupier.load_rulebook(rulebook)
    least = smallest_wagers(book.rules)
    return {
        name: Money.of_cents(least.get(name, 500))
        for name, wager in book.wagers.items()
        if wager.role != "decided"
    }


def any_legal(legal: Bools, dice: np.random.Generator) -> Any:
    return (dice.random(legal.shape) * legal).argmax(axis=1)


@pytest.mark.parametrize("rulebook", GAMES)
@pytest.mark.parametrize("sides", [False, True], ids=["required", "every wager"])
def test_every_round_is_settled_as_settle_does(rulebook: str, *, sides: bool) -> None:
    """Round by round, with random answers: the reward is the net of the settlement."""
    wagers = every_wager(rulebook) if sides else None
    batch = croupier.batch(rulebook, wagers, tables=150, seed=rulebook)
    dice = np.random.default_rng(1)
    _, legal = batch.reset()
    compared = 0
    while compared < 300:
        step = batch.step(any_legal(legal, dice))
        legal = step.legal
        for table in np.flatnonzero(step.ended).tolist():
            settled = croupier.settle(batch.past_round(table))
            assert settled.seats[0].net.cents == step.rewards_cents[table]
            compared += 1
        assert not step.rewards_cents[~step.ended].any()


@pytest.mark.parametrize("rulebook", GAMES)
def test_rounds_that_are_held_alike_pay_alike(rulebook: str) -> None:
    """Rounds of one group are settled once: so of each group the last one is settled here, too.
    Half the deals are of tens and better only, where rare hands are frequent."""
    batch = croupier.batch(rulebook, every_wager(rulebook), tables=1)
    game, dice = batch._game, np.random.default_rng(7)
    over = np.flatnonzero(game.decision < 0)
    size = 3000
    low = np.argsort(dice.random((size, 52)), axis=1)[:, : game.dealt]
    high = game.deck.reshape(4, 13)[:, 8:].reshape(-1)
    deals = np.concatenate(
        [game.deck[low], high[np.argsort(dice.random((size, 20)), axis=1)[:, : game.dealt]]]
    )
    nodes = dice.choice(over, len(deals))
    facts = zip(nodes.tolist(), *[fact.tolist() for fact in game._facts(deals)], strict=True)
    last = {key: row for row, key in enumerate(facts)}
    rows = list(last.values())
    dice.shuffle(rows)
    allowed = []
    for row in rows[:600]:
        try:
            settled = game._net(game.completed(int(nodes[row]), deals[row]))
        except croupier.RuleBroken:
            continue  # an answer that the hand does not allow
        allowed.append((row, settled))
    chosen = [row for row, _ in allowed]
    # In the order dealt: so the first round of a group is settled, and the last one looked up.
    able = np.array([_is_allowed(batch, int(nodes[row]), deals[row]) for row in range(len(deals))])
    everyone = np.flatnonzero(able)
    nets = dict(zip(everyone.tolist(), game.nets(nodes[everyone], deals[everyone]), strict=True))
    assert len(chosen) > 20
    assert [nets[row] for row in chosen] == [net for _, net in allowed]


def _is_allowed(batch: Any, node: int, deal: Any) -> bool:
    game = batch._game
    if not game.least:
        return True
    said = set(game._paths[node].answers)
    strong = game.strong(deal[None, :])[0]
    return all(
        strong[place] or game.actions[action] not in said
        for place, (_, action, _, _) in enumerate(game.least)
    )


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_player_sees_and_may_do_the_same_as_at_a_table(rulebook: str) -> None:
    """The rounds of an environment, dealt again in a batch: the same observations, legal actions
    and rewards."""
    env = croupier.environment(rulebook, seed=5)
    dice = random.Random(rulebook)
    batch = croupier.batch(rulebook, env.wagers, tables=1)
    assert (batch.actions, batch.decisions) == (env.actions, env.decisions)
    for _ in range(25):
        observation, info = env.reset()
        steps = [(observation, info["action_mask"])]
        said: list[int] = []
        reward, terminated = Money(), False
        while not terminated:
            word = dice.choice(info["legal_actions"])
            said.append(env.actions.index(word))
            observation, reward, terminated, _, info = env.step(word)
            steps.append((observation, info["action_mask"]))
        played = env.table.state.round
        lying = [played.seats[0].cards, played.community, played.dealer, played.box]
        if any(len(cards) < count for cards, count in zip(lying, _counts(batch), strict=True)):
            continue  # folded before all cards were dealt
        dealt = [
            int(card) for cards, n in zip(lying, _counts(batch), strict=True) for card in cards[:n]
        ]
        batch.reset()
        batch._deck[0] = [*dealt, *[card for card in range(52) if card not in dealt]]
        if batch._game.least:
            batch._strong[:] = batch._game.strong(batch._deck)
        for action, (seen, mask) in zip([*said, None], steps, strict=True):
            if action is None:
                continue
            own = batch.observation()
            assert batch.decisions[own.decision[0]] == seen.decision
            for column, cards in zip(own[1:4], seen[1:4], strict=True):
                assert tuple(column[0][column[0] >= 0].tolist()) == tuple(map(int, cards))
            down = {
                name: cents
                for name, cents in zip(batch.wagers, own.stakes[0].tolist(), strict=True)
                if cents
            }
            assert down == {name: money.cents for name, money in seen.stakes.items()}
            assert batch.legal_actions()[0].tolist() == [bool(legal) for legal in mask]
            assert own.bits(len(batch.decisions))[0].tolist() == seen.bits(env.decisions)
            step = batch.step([action])
        assert step.ended[0]
        assert step.rewards_cents[0] == reward.cents
        assert step.final.decision.tolist() == [-1]


def _counts(batch: Any) -> list[int]:
    return [count for _, count in batch._game.places.values()]


def test_a_seed_repeats_every_table() -> None:
    dice = np.random.default_rng(3)
    one, two = (croupier.batch("md-uth", tables=20, seed="again") for _ in range(2))
    (seen, legal), (again, _) = one.reset(), two.reset()
    for _ in range(30):
        array: Any
        same: Any
        for array, same in zip(seen, again, strict=True):
            assert np.array_equal(array, same)
        actions = any_legal(legal, dice)
        step, repeated = one.step(actions), two.step(actions)
        assert np.array_equal(step.rewards_cents, repeated.rewards_cents)
        seen, legal, again = step.observation, step.legal, repeated.observation
    first = one.reset(seed=9)[0]
    assert np.array_equal(first.cards, one.reset(seed=9)[0].cards)
    assert not np.array_equal(first.cards, one.reset()[0].cards)


def test_a_deck_is_shuffled_fairly() -> None:
    """Every card comes to every place equally often: chi-square over 52 cards."""
    batch = croupier.batch("md-uth", tables=52_000, seed=1)
    batch.reset()
    for column in batch._deck[:, : batch._game.dealt].T:
        counts = np.bincount(column, minlength=52)
        assert ((counts - 1000) ** 2 / 1000).sum() < 120  # 51 degrees of freedom: one in 10^7
    assert (np.sort(batch._deck, axis=1) == np.arange(52)).all()


def test_a_batch_can_be_kept_and_copied() -> None:
    batch = croupier.batch("md-uth", tables=8, seed=1)
    dice = np.random.default_rng(3)
    _, legal = batch.reset()
    step = batch.step(any_legal(legal, dice))
    twins = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
    for _ in range(10):
        actions = any_legal(step.legal, dice)
        step = batch.step(actions)
        for twin in twins:
            same = twin.step(actions)
            assert np.array_equal(step.rewards_cents, same.rewards_cents)
            assert np.array_equal(step.observation.cards, same.observation.cards)


def test_what_makes_no_sense_is_refused_and_changes_nothing() -> None:
    batch = croupier.batch("md-uth", tables=3, seed=1)
    with pytest.raises(croupier.Refusal, match="call reset first"):
        batch.step([0, 0, 0])
    seen, legal = batch.reset()
    check, fold = batch.actions.index("check"), batch.actions.index("fold")
    assert legal[:, check].all()
    for wrong in ([check], [check, check, 99], [-1] * 3, [0.5] * 3, [[check] * 3], ["check"] * 3):
        with pytest.raises(croupier.BadRequest):
            batch.step(wrong)
    with pytest.raises(croupier.Refusal, match="table 1: fold is not allowed now"):
        batch.step([check, fold, check])
    assert np.array_equal(seen.cards, batch.observation().cards)
    assert (batch.observation().decision == 0).all()
    with pytest.raises(croupier.Refusal, match="no round has ended"):
        batch.past_round(0)
    for terms in ({"tables": 0}, {"wagers": {"ante": 10}}, {"wagers": {"ante": 10, "blind": 5}}):
        with pytest.raises(croupier.BadRequest):
            croupier.batch("md-uth", **terms)
    with pytest.raises(croupier.UnknownName):
        croupier.batch("md-uth", {"ante": 10, "blind": 10, "tripps": 5})
    with pytest.raises(croupier.CroupierError):
        croupier.batch("md-uth", {"ante": 10, "blind": 10, "play": 5})


@pytest.mark.parametrize(
    ("rulebook", "submission"),
    [
        (EXAMPLES / "harbour-holdem.toml", None),
        ("md-uth", {"options": {"payout_limit": "300", "minimum_wager": "5"}}),
        ("ma-uth", EXAMPLES / "submissions" / "massachusetts-uth.toml"),
    ],
    ids=["own rulebook", "payout limit", "submission"],
)
def test_choices_of_an_operator_count(rulebook: Any, submission: Any) -> None:
    batch = croupier.batch(rulebook, tables=200, seed=1, submission=submission)
    dice = np.random.default_rng(1)
    _, legal = batch.reset()
    for _ in range(6):
        step = batch.step(any_legal(legal, dice))
        legal = step.legal
        for table in np.flatnonzero(step.ended)[:40].tolist():
            settled = croupier.settle(batch.past_round(table), rulebook=batch.rulebook)
            assert settled.seats[0].net.cents == step.rewards_cents[table]


def test_games_that_a_batch_does_not_cover_are_refused_in_words(tmp_path: Path) -> None:
    text = (EXAMPLES / "harbour-holdem.toml").read_text("utf-8")
    own = tmp_path / "two-decks.toml"
    own.write_text(text + "\n[deck]\ncopies = 2\n", "utf-8")
    with pytest.raises(croupier.Unsolvable, match="2 decks"):
        croupier.batch(own)
