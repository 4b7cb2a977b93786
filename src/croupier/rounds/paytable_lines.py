"""Paytables prepared for settlement: they find the line a hand is paid on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import structs

from croupier.cards import RANK_WORDS, RANKS, SUITS
from croupier.errors import with_article
from croupier.money import Pays, parse_pays
from croupier.ranking.hands import CATEGORY_NAMES, describe_named
from croupier.rounds.held_hands import Hands
from croupier.rulebooks.schema import Dealer, LeastHand, Line, Pattern, Paytable

Test: TypeAlias = Callable[[Hands, str], bool]
"""Return whether the pattern holds for this seat, looking at the named hand."""


_WITHOUT_ARTICLE: Final = (
    *("two_pair", "three_of_a_kind", "four_of_a_kind", "five_of_a_kind", "high_card"),
)
_USUAL: Final = (*CATEGORY_NAMES, "mini_royal", "")
"""The categories that most hands have; the empty one is for cards that are not ranked."""


class PaidLine:
    """A line with its payment parsed."""

    __slots__ = ("clause", "hand", "pays", "words")

    def __init__(self, line: Line, words: str) -> None:
        self.hand = line.hand
        self.clause = line.clause
        self.pays: Pays = parse_pays(line.pays)
        self.words = words


class PaidTable:
    """The lines of a paytable sorted by category, each with the test that remains to be made.

    Within a category the lines keep their printed order, except that those a rulebook wants tested
    first come first. The first line whose test holds pays, and only that one (MD-62).
    """

    def __init__(
        self,
        table: Paytable,
        patterns: Mapping[str, Pattern],
        tested_first: Iterable[str] = (),
    ) -> None:
        first = tuple(tested_first)
        tests = [
            (pattern, PaidLine(line, words_for(line.hand, patterns)))
            for line in sorted(table.lines, key=lambda line: line.hand not in first)
            for pattern in (pattern_named(name, patterns) for name in line.covers or (line.hand,))
        ]
        self.clause = table.clause
        self._tests = tests
        self._by_category = {category: self._lines_of(category) for category in _USUAL}
        self.at_once: dict[str, PaidLine | None] = {
            category: lines.plain[0][1] if lines.plain else None
            for category, lines in self._by_category.items()
            if not lines.plain or lines.plain[0][0] is None
        }
        """The categories in which no test remains."""

    def line(self, hands: Hands, name: str) -> PaidLine | None:
        category = hands[name].name
        if category in self.at_once:
            return self.at_once[category]
        lines = self._by_category.get(category)
        if lines is None:
            lines = self._by_category[category] = self._lines_of(category)
        candidates = (
            lines.plain if lines.by_ranks is None else lines.by_ranks.get(hands.ranks(name), ())
        )
        for test, paid in candidates:
            if test is None or test(hands, name):
                return paid
        return None

    def _lines_of(self, category: str) -> _Lines:
        """Return the lines that a hand of that category may be paid on."""
        return _Lines(
            [
                (pattern, paid)
                for pattern, paid in self._tests
                if pattern.hand or not pattern.category or category in pattern.category
            ]
        )


class _Lines:
    """The lines of one category, indexed by the ranks held if every line names ranks."""

    def __init__(self, tests: list[tuple[Pattern, PaidLine]]) -> None:
        self.plain = [(matcher(p, check_category=bool(p.hand)), paid) for p, paid in tests]
        self.by_ranks: dict[tuple[int, ...], list[tuple[Test | None, PaidLine]]] | None = None
        if tests and all(pattern.ranks and not pattern.hand for pattern, _ in tests):
            self.by_ranks = {}
            for pattern, paid in tests:
                rest = matcher(structs.replace(pattern, ranks=()), check_category=False)
                for ranks in _rank_sets(pattern.ranks):
                    self.by_ranks.setdefault(ranks, []).append((rest, paid))


def pattern_named(name: str, patterns: Mapping[str, Pattern]) -> Pattern:
    """Return a pattern by name; a category is its own pattern."""
    pattern = patterns.get(name)
    return Pattern(category=(name,)) if pattern is None else pattern


def words_for(name: str, patterns: Mapping[str, Pattern]) -> str:
    pattern = patterns.get(name)
    if pattern is not None and pattern.words:
        return pattern.words
    words = name.replace("_card_", "-card ").replace("_", " ")
    return words if name in _WITHOUT_ARTICLE else with_article(words)


def matcher(pattern: Pattern, *, check_category: bool = True) -> Test | None:
    """Return the test of a pattern, or None if nothing remains to be tested."""
    tests: list[Test] = []
    if check_category and pattern.category:
        names = frozenset(pattern.category)
        tests.append(lambda hands, name: hands[name].name in names)
    if pattern.made:
        tops = frozenset(RANKS.index(rank) for rank in pattern.made)
        tests.append(lambda hands, name: hands[name].value >> 16 & 15 in tops)
    if pattern.ranks:
        tests.append(_ranks_are(pattern.ranks))
    if pattern.suited is not None:
        wanted = pattern.suited
        tests.append(
            lambda hands, name: (len({card.suit for card in hands.cards(name)}) == 1) is wanted
        )
    if pattern.suits:
        tests.append(_suits_within(pattern.suits, whole_hand=not pattern.category))
    tests += [test for part in pattern.also if (test := matcher(part)) is not None]
    tests += [_negated(test) for part in pattern.unless if (test := matcher(part)) is not None]
    if not tests:
        return None
    return _all_of(tests, looking_at=pattern.hand)


def _all_of(tests: list[Test], *, looking_at: str) -> Test:
    def holds(hands: Hands, name: str) -> bool:
        name = looking_at or name
        return all(test(hands, name) for test in tests)

    return tests[0] if len(tests) == 1 and not looking_at else holds


def _negated(test: Test) -> Test:
    return lambda hands, name: not test(hands, name)


def _ranks_are(wanted: tuple[str, ...]) -> Test:
    sets = _rank_sets(wanted)
    return lambda hands, name: hands.ranks(name) in sets


def _rank_sets(wanted: tuple[str, ...]) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(sorted(RANKS.index(rank) for rank in ranks)) for ranks in wanted)


def _suits_within(suits: str, *, whole_hand: bool) -> Test:
    """Return a test that the cards are of those suits: all the cards, or those that make the
    hand."""
    allowed = frozenset(SUITS.index(suit) for suit in suits)
    if whole_hand:
        return lambda hands, name: all(card.suit in allowed for card in hands.cards(name))
    return lambda hands, name: all(card.suit in allowed for card in hands.best(name))


def least_in_words(least: Dealer | LeastHand) -> str:
    """Return the least hand required in words, without "or better": `a pair of fours`, `ace-king
    high`, `a flush`."""
    ranks = [RANKS.index(rank) for rank in least.of]
    if not ranks:
        return words_for(least.at_least, {})
    return with_ranks(least.at_least, ranks, len(ranks))


def or_better(words: str) -> str:
    """Add "or better" to a hand in words: `a pair of fours or better`; `a flush, nine high, or
    better`."""
    return f"{as_subject(words)} or better"


_MADE: Final = {"pair": 1, "two_pair": 2, "three_of_a_kind": 1, "four_of_a_kind": 1}
"""The number of ranks that make the hand; the others are kickers."""


def with_ranks(category: str, ranks: Sequence[int], shown: int) -> str:
    """Return a hand in words with the first `shown` of its deciding ranks."""
    words = describe_named(category, ranks)
    made = _MADE.get(category, 1)
    if shown <= made:
        return words
    named = [RANK_WORDS[rank] for rank in ranks[:shown]]
    if category in _MADE:
        kickers, hand = named[made:], as_subject(words)
        if len(kickers) > 1:
            return f"{hand} with {'-'.join(kickers)} kickers"
        article = "an" if kickers[0] in ("ace", "eight") else "a"
        return f"{hand} with {article} {kickers[0]} kicker"
    return words.replace(f"{named[0]} high", f"{'-'.join(named)} high")


def as_subject(words: str) -> str:
    """Return a hand in words so that a sentence can go on after it: `two pair, sixes and twos,`
    gets a comma."""
    return f"{words}," if "," in words else words
