"""The environment: Gymnasium's form, rewards that are settlements, values that are exact."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import croupier
from croupier import Money, TableEnvironment
from tests.commands.contract import RULEBOOKS

SIDES = {
    "md-uth": {"ante": 10, "blind": 10, "trips": 5, "progressive": 1, "bad_beat": 5},
    "ma-uth": {"ante": 5, "blind": 5, "trips": 5, "progressive": 5, "cover_all": 5},
    "md-jackpot": {"ante": 10, "x_tra_bonus": 10, "player_bonus": 5},
    "md-wpt": {"ante": 10, "odds": 10, "pocket_bonus": 5, "trips_plus": 5},
    "md-235": {"two_card_poker": 5, "three_card_poker": 5, "five_card_poker": 5, "win_em_all": 5},
}


def played(env: TableEnvironment, dice: random.Random) -> Money:
    """One episode of random answers; its reward."""
    _, info = env.reset()
    total = Money()
    while True:
        assert info["legal_actions"] == env.legal_actions()
        allowed = [env.actions[n] for n, is_legal in enumerate(info["action_mask"]) if is_legal]
        assert sorted(allowed) == sorted(info["legal_actions"])
        _, reward, terminated, truncated, info = env.step(dice.choice(info["legal_actions"]))
        assert not truncated
        assert terminated == (info["settlement"] is not None)
        total += reward
        if terminated:
            return total
        assert reward == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_rewards_are_what_the_settlements_say(rulebook: str) -> None:
    """A thousand rounds of each game: every reward is the net of its settlement, and all of them
    together are what the player's chips and buy-ins have become."""
    env = croupier.environment(rulebook, SIDES[rulebook], seed=rulebook)
    dice = random.Random(rulebook)
    total = Money()
    for _ in range(1000):
        reward = played(env, dice)
        settled = env.settlement
        assert settled is not None
        assert reward == sum(line.net for line in settled.seats[0].lines)
        total += reward
    money = env.table.state.money
    assert total.cents == env.table.chips("player").cents - money["drop"]
    assert env.table.round_number == 1000


def test_a_seed_repeats_an_episode() -> None:
    env = croupier.environment("md-uth")
    first = env.reset(seed=5)[0]
    second = env.reset()[0]
    assert env.reset(seed=5)[0] == first != second
    assert first.decision == "preflop"
    assert len(first.cards) == 2
    assert first.community == first.dealer == ()
    bits = first.bits(env.decisions)
    assert len(bits) == 3 * 52 + 3
    assert sum(bits) == 3
    assert [croupier.DECK[n] for n in range(52) if bits[n]] == sorted(first.cards)


def test_actions_are_words_or_their_numbers() -> None:
    env = croupier.environment("md-uth")
    assert env.actions == ("4x", "3x", "check", "2x", "1x", "fold")
    env.reset(seed=5)
    observation, *_ = env.step(env.actions.index("check"))
    assert observation.decision == "flop"
    assert len(observation.community) == 3
    for wrong in ("4x", 0, 17, -1):
        with pytest.raises(croupier.CroupierError):
            env.step(wrong)
    assert env.legal_actions() == ("2x", "check")
    observation, _, terminated, *_ = env.step("2x")
    assert terminated
    assert len(observation.dealer) == 2
    with pytest.raises(croupier.Refusal, match="reset deals"):
        env.step("2x")


def test_values_are_exact() -> None:
    """At the river by hand: every dealer's hand that is left, settled by the rules."""
    env = croupier.environment("md-uth", {"ante": 10, "blind": 10})
    env.reset(seed=11)
    env.step("check")
    observation, *_ = env.step("check")
    values = env.action_values()
    assert values["fold"] == -2
    seen = {*observation.cards, *observation.community}
    left = [card for card in croupier.DECK if card not in seen]
    nets = [
        croupier.settle(
            rulebook=env.rulebook,
            seats=[
                {
                    "seat": 1,
                    "cards": observation.cards,
                    "wagers": {"ante": 10, "blind": 10},
                    "actions": ["check", "check", "1x"],
                }
            ],
            dealer=dealer,
            community=observation.community,
        )
        .seats[0]
        .net
        for dealer in combinations(left, 2)
    ]
    assert len(nets) == 990
    assert values["1x"] == sum(nets, Money()) / env.unit / 990


def test_a_round_in_play_is_declined_before_the_next() -> None:
    env = croupier.environment("md-uth", seed=3)
    env.reset()
    env.reset()
    assert env.table.round_number == 2
    assert env.table.to_act == "player"


def test_it_can_be_looked_at() -> None:
    env = croupier.environment("md-235", seed=3)
    env.reset()
    assert "the bets are open" in env.render()
    assert "<table>" in env.render("html")
    assert "md-235" in repr(env)
    env.close()
    with pytest.raises(croupier.UnknownName):
        env.render("video")


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(croupier.BadRequest, match="blind has to be bet"):
        croupier.environment("md-uth", {"ante": 10})
    with pytest.raises(croupier.BadAmount):
        croupier.environment("md-uth", {"ante": 7.5, "blind": 7.5})  # type: ignore[dict-item]
    with pytest.raises(croupier.BadRequest, match="no options"):
        croupier.environment("md-uth").reset(options={"wagers": 5})
