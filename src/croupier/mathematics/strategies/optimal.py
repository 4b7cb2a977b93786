"""The optimal strategy as an object: asked about cards, saved to a file, loaded again.

The file is a line that says what it is, a line with the SHA-256 of the rest, and the rest: what is
done with every hand up to the flop, and the game's payoffs, from which the choices at the turn and
the river follow in milliseconds. A file that was damaged or cut short is refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import Card, format_cards
from croupier.errors import BadCards, BadData, plain
from croupier.mathematics.advice import AdvisedPlayer
from croupier.mathematics.holdem.advice import advise, pair_of_cards
from croupier.mathematics.holdem.arrays import I8
from croupier.mathematics.holdem.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.holdem.geometry import flops_of, orbits_of
from croupier.mathematics.holdem.solution_cache import solution_of
from croupier.mathematics.holdem.strategies import optimal_strategy
from croupier.mathematics.strategies.choices import StrategyDecision
from croupier.mathematics.stud.counts import place_of_three, place_of_two
from croupier.mathematics.stud.solver import solve_stud
from croupier.rulebooks.rules import Rules

__all__ = ["HoldemPlayer", "Player", "StudPlayer", "load_player", "optimal_holdem", "optimal_stud"]

_MAGIC: Final = b"croupier strategy 1\n"


@dataclass(frozen=True)
class HoldemPlayer:
    """Optimal play against the dealer. `words[seen]`: the actions, declining last."""

    rulebook: str
    game: HoldemGame
    words: dict[int, tuple[str, ...]]
    actions: dict[int, I8]

    def action(self, cards: Sequence[Card], community: Sequence[Card] = ()) -> str:
        seen = len(community)
        _check(cards, community, 2)
        if seen not in self.words:
            known = ", ".join(str(seen) for seen in self.words)
            raise BadCards(f"nothing is decided after {seen} community cards, but after {known}")
        if seen >= 4:
            advice = advise(self.game, cards, community)
            place = list(advice.actions).index(advice.best)
            return self.words[seen][place]
        place = int(self.actions[seen][self._place(cards, community)])
        return self.words[seen][place]

    def _place(self, cards: Sequence[Card], community: Sequence[Card]) -> int:
        if len(community) == 3:
            return pair_of_cards(flops_of(self.game.deck), cards, community)
        orbits = orbits_of(self.game.deck, len(community))
        shown = 0
        if community:
            shown = community[0] if len(community) == 1 else _number(community)
        return int(orbits.number[_number(cards) * orbits.width + shown])

    def save(self, path: Path) -> None:
        about = {
            "kind": "holdem",
            "rulebook": self.rulebook,
            "decisions": [[d.seen, list(d.multiples), d.decline] for d in self.game.levels],
            "numbers": [self.game.qualifier, self.game.fold, self.game.scale, self.game.deck],
            "words": {str(seen): list(words) for seen, words in self.words.items()},
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            f"actions_{seen}": action for seen, action in self.actions.items()
        }
        _write(path, about, arrays | {"A": self.game.required, "B": self.game.decided})


@dataclass(frozen=True)
class StudPlayer:
    """Optimal play without a dealer's hand. `raises[own]` has a flag for every set of cards."""

    rulebook: str
    words: dict[int, tuple[str, ...]]
    raises: dict[int, npt.NDArray[np.bool_]]

    def action(self, cards: Sequence[Card], community: Sequence[Card] = ()) -> str:
        if len(cards) not in self.words:
            known = " or ".join(str(own) for own in self.words)
            raise BadCards(f"a decision is taken on {known} own cards, not on {len(cards)}")
        _check(cards, community, len(cards))
        if community:
            raise BadCards("no community card is seen when this game decides")
        ordered = sorted(cards)
        place = place_of_two(*ordered) if len(cards) == 2 else place_of_three(*ordered)
        return self.words[len(cards)][0 if self.raises[len(cards)][place] else 1]

    def save(self, path: Path) -> None:
        about = {
            "kind": "stud",
            "rulebook": self.rulebook,
            "words": {str(own): list(words) for own, words in self.words.items()},
        }
        _write(path, about, {f"raises_{own}": flags for own, flags in self.raises.items()})


Player = HoldemPlayer | StudPlayer | AdvisedPlayer


def _check(cards: Sequence[Card], community: Sequence[Card], own: int) -> None:
    every = [*cards, *community]
    if len(cards) != own:
        raise BadCards(f"{own} own cards are needed, not {len(cards)}")
    if len(set(every)) != len(every):
        raise BadCards(f"a deck holds every card once: {format_cards(every)}")


def _number(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def optimal_holdem(rules: Rules, choices: Sequence[StrategyDecision]) -> HoldemPlayer:
    """The best play on one's own cards against the dealer."""
    solution = solution_of(rules)
    words = {choice.scene.community: choice.actions for choice in choices}
    return HoldemPlayer(
        rules.book.id, solution.game, words, optimal_strategy(solution, rules.takes_first).actions
    )


def optimal_stud(rules: Rules, choices: Sequence[StrategyDecision]) -> StudPlayer:
    """The best play on one's own cards without a dealer: the largest raise, or none."""
    stud = solve_stud(rules)
    decisions = {decision.name: decision for decision in stud.decisions}
    return StudPlayer(
        rules.book.id,
        {
            choice.scene.own: (
                stud.word(decisions[choice.name], raised=True),
                stud.word(decisions[choice.name], raised=False),
            )
            for choice in choices
        },
        {choice.scene.own: stud.raise_sums[choice.name] > 0 for choice in choices},
    )


# -- files ----------------------------------------------------------------------------------------


def _write(path: Path, about: Mapping[str, object], arrays: dict[str, npt.NDArray[Any]]) -> None:
    told = np.frombuffer(msgspec.json.encode(about), np.uint8)
    buffer = io.BytesIO()
    save: Any = np.savez_compressed  # its stub takes the names of arrays for options
    save(buffer, about=told, **arrays)
    body = buffer.getvalue()
    try:
        path.write_bytes(_MAGIC + sha256(body).hexdigest().encode() + b"\n" + body)
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be written: {error.strerror}") from None


def load_player(path: Path) -> HoldemPlayer | StudPlayer:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        raise BadData(f"{plain(path, 200)} is not a strategy that Croupier saved")
    written, _, body = content[len(_MAGIC) :].partition(b"\n")
    if sha256(body).hexdigest().encode() != written:
        raise BadData(
            f"{plain(path, 200)} is damaged: its checksum does not fit; save the strategy anew"
        )
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _player(arrays)
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise BadData(f"{plain(path, 200)} is not a strategy of this version: {error}") from None


def _player(arrays: dict[str, npt.NDArray[Any]]) -> HoldemPlayer | StudPlayer:
    about = cast(dict[str, Any], msgspec.json.decode(arrays["about"].tobytes()))
    words = {int(place): tuple(said) for place, said in about["words"].items()}
    if about["kind"] == "stud":
        flags = {own: arrays[f"raises_{own}"].astype(np.bool_) for own in words}
        return StudPlayer(about["rulebook"], words, flags)
    qualifier, fold, scale, deck = about["numbers"]
    game = HoldemGame(
        decisions=tuple(
            BetDecision(seen, tuple(multiples), cast(Literal["check", "fold"], decline))
            for seen, multiples, decline in about["decisions"]
        ),
        required=payoffs(list(arrays["A"])),
        decided=payoffs(list(arrays["B"])),
        qualifier=qualifier,
        fold=fold,
        scale=scale,
        deck=deck,
    )
    actions = {seen: arrays[f"actions_{seen}"] for seen in words if seen < 4}
    return HoldemPlayer(about["rulebook"], game, words, actions)
