"""Players of hold'em: the best play, or a written strategy; and the files that hold them.

A file has a line that says what it is, a line with the SHA-256 of the rest, and the rest: a
compressed archive of arrays. A file that was damaged or cut short is refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from itertools import permutations
from pathlib import Path as FilePath
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.cards import format_cards
from croupier.errors import BadCards, BadData, Unsolvable, plain
from croupier.mathematics.counters.boards.games import (
    HoldemGame,
    Path,
    Question,
    Showdowns,
    payoffs,
    showdowns_of,
)
from croupier.mathematics.counters.boards.geometry import (
    Flops,
    card_pairs,
    flops_of,
    hand_number,
    place_of_cards,
)
from croupier.mathematics.counters.boards.numbering import numbering, suit_classes
from croupier.mathematics.counters.boards.rulebook import holdem_solution
from croupier.mathematics.counters.boards.solver import river_game, turn_of
from croupier.mathematics.counters.boards.strategies import Strategy, best_river, optimal_strategy
from croupier.mathematics.kernels.arrays import I8, I64, U16
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.mathematics.questions.advice import DealtOut
from croupier.mathematics.questions.situation import Player, Situation
from croupier.mathematics.questions.strategies.boards_decisions import holdem_decisions
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.situations import suit_boards
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.ranking.fast import strengths_on_board
from croupier.rulebooks.rules import Rules

_MAGIC: Final = b"croupier strategy 1\n"


def write_player(
    path: FilePath, about: Mapping[str, object], arrays: dict[str, npt.NDArray[Any]]
) -> None:
    """Write a player; `about` describes the arrays."""
    encoded = np.frombuffer(msgspec.json.encode(about), np.uint8)
    buffer = io.BytesIO()
    save: Any = np.savez_compressed  # its stub takes the names of arrays for options
    save(buffer, about=encoded, **arrays)
    body = buffer.getvalue()
    try:
        path.write_bytes(_MAGIC + sha256(body).hexdigest().encode() + b"\n" + body)
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be written: {error.strerror}") from None


def read_player(path: FilePath) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Read a file of `write_player`."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadData(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    if not content.startswith(_MAGIC):
        raise BadData(f"{plain(path, 200)} is not a strategy that Croupier saved")
    written, _, body = content[len(_MAGIC) :].partition(b"\n")
    if sha256(body).hexdigest().encode() != written:
        raise BadData(
            f"{plain(path, 200)} is damaged: its checksum does not match; save the strategy again"
        )
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return msgspec.json.decode(arrays["about"].tobytes(), type=dict[str, Any]), arrays
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise of_other_version(path, error) from None


def of_other_version(path: FilePath, error: Exception) -> BadData:
    return BadData(f"{plain(path, 200)} is not a strategy of this version: {error}")


_FAST: Final = 3
"""After this many decisions on a flop, a table of all flops and hands is used."""


class _Turn(NamedTuple):
    """A question after earlier answers: the path that arrives there, the paths by which it may be
    left, and the word for each of them."""

    path: Path
    answers: tuple[Path, ...]
    words: tuple[str, ...]


class HoldemPlayer(Player):
    """A strategy that answers for given cards; the turn of a saved one is computed when needed."""

    def __init__(self, rulebook: str, names: Sequence[str], strategy: Strategy) -> None:
        self.rulebook, self.game = rulebook, strategy.game
        self._names, self._strategy = tuple(names), strategy
        self._answers: dict[tuple[int, Path], I8] = {
            (seen, path): places
            for seen, by_path in strategy.answers.items()
            for path, places in by_path.items()
        }
        self._tables: dict[tuple[int, Path], bytes] = {}
        self._turns: dict[tuple[str, int, tuple[str, ...]], _Turn] = {}
        self._asked_at_flop = 0
        self._paths = _paths_by_words(self.game)
        self._river = _RiverChoices(self.game)

    def answer(self, seen: Situation) -> str:
        """Return the answer. Earlier answers that are not stated are those of this player, as far
        as they lead to the decision."""
        turn = None
        if seen.said is not None:
            key = seen.decision, len(seen.community), tuple(seen.said)
            turn = self._turns.get(key)
            if turn is None and seen.decision in self._names and key[2] in self._paths:
                turn = self._turns[key] = self._turn(seen, self._paths[key[2]])
        if turn is not None:
            path, answers, words = turn
            shown = len(seen.community)
            return words[self._place(shown, path, answers, seen.own, seen.community)]
        number = self._question(seen)
        said = None if seen.said is None else self._paths.get(tuple(seen.said))
        if said is None:
            said = self._said_before(seen, number)
        path, answers = self._asked(said, number, seen)
        place = self._place(len(seen.community), path, answers, seen.own, seen.community)
        return self._word(answers[place], said, number)

    def _turn(self, seen: Situation, said: tuple[tuple[int, str], ...]) -> _Turn:
        """Return everything besides the cards on which an answer depends."""
        number = self._question(seen)
        path, answers = self._asked(said, number, seen)
        words = tuple([self._word(after, said, number) for after in answers])
        return _Turn(path, answers, words)

    def _word(self, after: Path, said: tuple[tuple[int, str], ...], number: int) -> str:
        """Return the word at this question for a player who leaves the cards by the path
        `after`."""
        question = self.game.questions[number]
        word = dict(after.said).get(number)
        if word is None or after.said[: len(said)] != said:  # this player would have bet before
            return question.decline or question.bets[0][0]
        return word

    def _question(self, seen: Situation) -> int:
        shown = len(seen.community)
        if seen.decision in self._names:
            number = self._names.index(seen.decision)
            if self.game.questions[number].seen == shown:
                return number
        numbers = [n for n, question in enumerate(self.game.questions) if question.seen == shown]
        cards = [*seen.own, *seen.community]
        if len(seen.own) != 2:
            raise BadCards(f"2 own cards are needed, not {len(seen.own)}")
        if len(set(cards)) != len(cards):
            raise BadCards(f"a deck holds every card once: {format_cards(cards)}")
        if not numbers:
            known = ", ".join(dict.fromkeys(str(each.seen) for each in self.game.questions))
            raise BadCards(f"nothing is decided after {shown} community cards, but after {known}")
        return numbers[0]

    def _said_before(self, seen: Situation, number: int) -> tuple[tuple[int, str], ...]:
        """Return this player's answers before a question, as far as they lead to it."""
        path = self.game.levels[0].arriving[0]
        for level in self.game.levels:
            if level.seen >= len(seen.community):
                break
            leading = [
                p for p in level.leaving[level.arriving.index(path)] if self._leads(p, number)
            ]
            if len(leading) != 1:
                own = self._at(level.seen, path, seen.own, seen.community[: level.seen])
                leading = [own] if own in leading or not leading else leading
            path = leading[0]
        return path.said

    def _leads(self, path: Path, number: int) -> bool:
        return any(
            later.said[: len(path.said)] == path.said and number in dict(later.said)
            for later in self.game.paths
        )

    def _asked(
        self, said: tuple[tuple[int, str], ...], number: int, seen: Situation
    ) -> tuple[Path, tuple[Path, ...]]:
        """Return the path that arrives at these cards, and the paths by which they may be left."""
        shown = len(seen.community)
        earlier = tuple(each for each in said if self.game.questions[each[0]].seen < shown)
        level = self.game.level(shown)
        assert level is not None
        path = next((p for p in level.arriving if p.said == earlier), None)
        if path is None:
            words = ", ".join(word for _, word in said)
            raise BadCards(f"{self._names[number]} is not asked after {words or 'nothing'}")
        return path, self.game.answers(shown, path)

    def _at(self, seen: int, path: Path, own: Sequence[int], community: Sequence[int]) -> Path:
        """Return the path by which these cards are left."""
        answers = self.game.answers(seen, path)
        return answers[self._place(seen, path, answers, own, community)]

    def _place(
        self,
        seen: int,
        path: Path,
        answers: tuple[Path, ...],
        own: Sequence[int],
        community: Sequence[int],
    ) -> int:
        """Return the index of the answer on these cards."""
        if len(answers) == 1:
            return 0
        if seen == 5:
            return self._at_river(path, answers, own, community)
        if seen == 4 and (4, path) not in self._answers:
            turn = self.game.level(4)
            assert turn is not None
            played = turn_of(self.game)
            self._answers |= {(4, p): row for p, row in zip(turn.asked_paths, played, strict=True)}
        places = self._answers[seen, path]
        if seen == 3:
            self._asked_at_flop += 1
            if self._asked_at_flop > _FAST:
                return self._table(path)[_flop_place(own, community)]
        return int(places[place_of_cards(self.game.deck, own, community)])

    def _table(self, path: Path) -> bytes:
        if (3, path) not in self._tables:
            self._tables[3, path] = _by_flop(self.game.deck, self._answers[3, path])
        return self._tables[3, path]

    def _at_river(
        self, path: Path, answers: tuple[Path, ...], own: Sequence[int], community: Sequence[int]
    ) -> int:
        policy = self._strategy.river
        if not policy.plain.size:
            return self._river.best(path, answers, own, community)
        by_suit, board, hand = river_place(own, community)
        choice = int((policy.suited if by_suit else policy.plain)[board, hand])
        return self._river.place(path, answers, choice)

    def save(self, path: FilePath) -> None:
        """Save the best play: the answers up to the flop and the game's payoffs, from which the
        rest follows."""
        game = self.game
        if game.ranking is not None or self._strategy.river.plain.size:
            raise Unsolvable(
                f"this way to play {self.rulebook} is not kept in a file ({path.name})"
            )
        about = {
            "kind": "holdem",
            "rulebook": self.rulebook,
            "names": list(self._names),
            "questions": [list(question) for question in game.questions],
            "folded": list(game.folded),
            "numbers": [game.qualifier, game.scale, game.deck, int(game.takes_first)],
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            f"answers_{seen}_{game.paths.index(way)}": places
            for (seen, way), places in self._answers.items()
            if seen < 4
        }
        pays = {f"decided_{n}": each for n, each in enumerate(game.decided)}
        write_player(path, about, arrays | pays | {"required": game.required})

    @classmethod
    def restored(
        cls, about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
    ) -> HoldemPlayer:
        """Return the player that `save` wrote."""
        qualifier, scale, deck, takes_first = about["numbers"]
        folded = tuple(about["folded"])
        game = HoldemGame(
            questions=tuple(
                Question(seen, wager, tuple((w, k) for w, k in bets), decline, folds)
                for seen, wager, bets, decline, folds in about["questions"]
            ),
            required=payoffs(list(arrays["required"])),
            decided=tuple(payoffs(list(arrays[f"decided_{n}"])) for n in range(len(folded) - 1)),
            folded=folded,
            qualifier=qualifier,
            scale=scale,
            deck=deck,
            takes_first=bool(takes_first),
        )
        answers: dict[int, dict[Path, I8]] = {}
        for name, places in arrays.items():
            if name.startswith("answers_"):
                seen, way = map(int, name.split("_")[1:])
                answers.setdefault(seen, {})[game.paths[way]] = places
        strategy = Strategy(game, answers, best_river(game.takes_first))
        return cls(about["rulebook"], about["names"], strategy)


def best_holdem(rules: Rules) -> HoldemPlayer:
    """Return the best play of hold'em against the dealer."""
    strategy = optimal_strategy(holdem_solution(rules))
    return HoldemPlayer(rules.book.id, [d.name for d in rules.book.decisions], strategy)


def holdem_following(rules: Rules, plan: WrittenStrategy) -> HoldemPlayer:
    """Return a written strategy, compiled for every hand."""
    strategy = holdem_decisions(rules).strategy(partial(answers_of, plan))
    return HoldemPlayer(rules.book.id, [d.name for d in rules.book.decisions], strategy)


def _paths_by_words(game: HoldemGame) -> dict[tuple[str, ...], tuple[tuple[int, str], ...]]:
    """Return the paths by their answers in words, question by question."""
    paths: dict[tuple[str, ...], tuple[tuple[int, str], ...]] = {}
    for path in game.paths:
        for end in range(len(path.said) + 1):
            said = path.said[:end]
            paths[tuple(word for _, word in said)] = said
    return paths


# -- the flop -------------------------------------------------------------------------------------


def _flop_place(own: Sequence[int], community: Sequence[int]) -> int:
    low, middle, high = sorted(community)
    flop = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
    return int(flop * 1326 + hand_number(own))


def _by_flop(deck: int, action: I8) -> bytes:
    table = np.zeros(22_100 * 1326, np.int8)
    _spread_flops(flops_of(deck), card_pairs().astype(np.int64), action, _suit_orders(), table)
    return table.tobytes()


@lru_cache(maxsize=1)
def _suit_orders() -> I8:
    return np.array(list(permutations(range(4))), np.int8)


@kernel
def _spread_flops(flops: Flops, ends: I8, action: I8, orders: I8, table: I8) -> None:
    """Copy the actions of canonical flop and hand pairs to all pairs that differ only in suits."""
    five = np.zeros(5, np.int64)
    for flop in range(len(flops.cards)):
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = flops.hand[pair]
            for order in orders:
                for i in range(5):
                    card = flops.cards[flop, i] if i < 3 else ends[hand, i - 3]
                    five[i] = 13 * order[card // 13] + card % 13
                a, b, c = five[0], five[1], five[2]
                high, low = max(a, b, c), min(a, b, c)
                middle = a + b + c - high - low
                number = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
                top, bottom = max(five[3], five[4]), min(five[3], five[4])
                table[number * 1326 + top * (top - 1) // 2 + bottom] = action[pair]


# -- the river ------------------------------------------------------------------------------------


class _RiverChoices:
    """The best choice at the river, path by path."""

    def __init__(self, game: HoldemGame) -> None:
        self._game = game
        self._known: dict[Path, tuple[Showdowns, tuple[int, ...], bool]] = {}
        self._board = 0
        self._strengths = np.zeros(1081, np.uint16)
        self._sums = np.zeros(3, np.int64)

    def _asked(self, path: Path) -> tuple[Showdowns, tuple[int, ...], bool]:
        if path not in self._known:
            own, _ = river_game(self._game, path)
            self._known[path] = (showdowns_of(own), own.multiples, own.folds)
        return self._known[path]

    def place(self, path: Path, answers: tuple[Path, ...], choice: int) -> int:
        """Return the index among the answers of a choice, as `RiverGame` lists them."""
        _, choices, _ = self._asked(path)
        if choice == len(choices):
            return next(place for place, answer in enumerate(answers) if answer.folded)
        units = sum(path.bets) + choices[choice]
        return next(
            place
            for place, answer in enumerate(answers)
            if not answer.folded and sum(answer.bets) == units
        )

    def best(
        self, path: Path, answers: tuple[Path, ...], own: Sequence[int], community: Sequence[int]
    ) -> int:
        game, takes_first = self._game, self._game.takes_first
        if game.ranking is not None:
            dealt = DealtOut(game, own, community)
            values = [dealt.value(answer) for answer in answers]
            best = max(values)
            equal = [place for place, value in enumerate(values) if value == best]
            return equal[0 if takes_first else -1]
        showdowns, choices, folds = self._asked(path)
        board = sum([1 << int(card) for card in community])
        if board != self._board:
            # All players of a round look at the same board.
            strengths_on_board(np.uint64(board), self._strengths)
            self._board = board
        high, low = int(max(own)), int(min(own))
        _meet_dealer(high, low, board, showdowns, self._strengths, self._sums)
        required, decided, _ = self._sums.tolist()
        worth = [required + k * decided for k in choices]
        worth += [0] if folds else []  # what a fold loses is taken off `required`
        highest = max(worth)
        choice = worth.index(highest)
        if not takes_first:
            choice = len(worth) - 1 - worth[::-1].index(highest)
        return self.place(path, answers, choice)


@kernel
def _meet_dealer(
    high: int, low: int, board: int, game: Showdowns, strengths: U16, sums: I64
) -> None:
    """Write into sums A, B and their number over the dealer's hands, from the strengths on the
    board."""
    deck, qualifier, required, decided = game.deck, game.qualifier, game.required, game.decided
    places = np.zeros(52, np.int64)
    free = np.zeros(47, np.bool_)
    count = 0
    for card in range(52):
        if not board >> card & 1:
            places[card] = count
            free[count] = card not in (high, low) and deck >> card % 13 & 1
            count += 1
    top, bottom = places[high], places[low]
    mine = whole(strengths[top * (top - 1) // 2 + bottom])
    counts = np.zeros(6, np.int64)
    for j in range(1, count):
        if not free[j]:
            continue
        start = j * (j - 1) // 2
        for i in range(j):
            if free[i]:
                theirs = whole(strengths[start + i])
                row = 0 if mine > theirs else 2 if mine == theirs else 4
                counts[row + (1 if theirs < qualifier else 0)] += 1
    sums[:] = 0
    for row in range(6):
        sums[0] += counts[row] * required[row, mine]
        sums[1] += counts[row] * decided[row, mine]
        sums[2] += counts[row]


def river_place(cards: Sequence[int], community: Sequence[int]) -> tuple[bool, int, int]:
    """Return the place in `outcomes.River`: by suit or not, number of the board, of the hand."""
    a, b = cards
    for suit in range(4):
        mask = sum([1 << card % 13 for card in community if card // 13 == suit])
        if mask.bit_count() >= 3:
            others = sorted([card % 13 for card in community if card // 13 != suit])
            return (
                True,
                _suited_boards()[mask, *others],
                int(suit_classes()[suit, hand_number(cards)]),
            )
    ranks = tuple(sorted([card % 13 for card in community]))
    high, low = max(a % 13, b % 13), min(a % 13, b % 13)
    return False, _plain_boards()[ranks], high * (high + 1) // 2 + low


@lru_cache(maxsize=1)
def _plain_boards() -> dict[tuple[int, ...], int]:
    return {tuple(ranks): place for place, ranks in enumerate(numbering().board_ranks.tolist())}


@lru_cache(maxsize=1)
def _suited_boards() -> dict[tuple[int, ...], int]:
    """Return the boards by the mask of the suit's ranks and the other ranks in ascending order."""
    boards = suit_boards()
    listed = zip(boards.mask.tolist(), boards.p.tolist(), boards.q.tolist(), strict=True)
    return {
        (mask, *sorted((p, q)[: 5 - mask.bit_count()])): place
        for place, (mask, p, q) in enumerate(listed)
    }
