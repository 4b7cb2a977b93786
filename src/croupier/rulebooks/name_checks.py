"""Names in a rulebook must exist: hands, wagers, paytables, patterns, meters, sums."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from croupier.cards import RANKS, SUITS
from croupier.errors import CroupierError, suggest
from croupier.money import MeterShare, parse_cents, parse_pays
from croupier.ranking.built_in import BUILT_IN, SIZES
from croupier.ranking.categories import CATEGORIES, LARGEST, order_problems, ranks_problem
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.ranking import SUIT_NAMES
from croupier.rulebooks.decks import deck_problems
from croupier.rulebooks.rankings import names_of
from croupier.rulebooks.schema import (
    AllWon,
    Dealer,
    DealStep,
    EitherHandBeaten,
    Follows,
    HighestHand,
    LeastHand,
    Outcome,
    Pattern,
    Paytable,
    Resolver,
    Rulebook,
    VersusDealer,
    VersusPaytable,
    Wager,
)

_PLACE = re.compile(r"(player|dealer|community|box)(?::([1-9]))?")


def unknown_names(book: Rulebook) -> Iterator[str]:
    """Yield every name that does not exist, each with its place and a suggestion."""
    yield from deck_problems(book.deck)
    yield from _rankings(book)
    yield from _hands(book)
    yield from _decisions(book)
    for name, wager in book.wagers.items():
        yield from (f"at wagers.{name}: {problem}" for problem in _wager(book, wager))
    for family, tables in book.paytables.items():
        for table_id, table in tables.items():
            where = f"at paytables.{family}.{table_id}"
            yield from (f"{where}: {problem}" for problem in _paytable(book, table))
    for name, pattern in book.patterns.items():
        yield from (f"at patterns.{name}: {problem}" for problem in _pattern(book, pattern))
    yield from _dealing(book)
    yield from _irregularities(book)
    yield from _rest(book)


def _hands(book: Rulebook) -> Iterator[str]:
    for name, hand in book.hands.items():
        for place in hand.cards:
            match = _PLACE.fullmatch(place)
            if match is None:
                yield (
                    f"at hands.{name}.cards: {place!r} is not a place: write player, dealer, "
                    "community or box, with ':3' for the first three"
                )
            elif int(match[2] or 1) > getattr(book.cards, match[1]):
                yield f"at hands.{name}.cards: {place!r} has more cards than are dealt there"
        rankings = (*BUILT_IN, *book.rankings)
        if hand.ranking not in rankings:
            yield _missing(f"hands.{name}.ranking", hand.ranking, "ranking", rankings)
        if hand.ace_low and hand.ranking in book.rankings:
            yield f"at hands.{name}.ace_low: say it under rankings.{hand.ranking}"
    if book.announces not in book.hands:
        yield _missing("announces", book.announces, "hand", book.hands)
    if book.dealer is not None:
        if book.dealer.hand not in book.hands:
            yield _missing("dealer.hand", book.dealer.hand, "hand", book.hands)
        yield from _least(book, "dealer", book.dealer)


def _rankings(book: Rulebook) -> Iterator[str]:
    for name, ranking in book.rankings.items():
        where = f"rankings.{name}"
        if name in BUILT_IN:
            yield f"at {where}: {name!r} is built in; give your ranking another name"
        if ranking.by == "longest_suit":
            if ranking.order:
                yield f"at {where}.order: the longest suit needs no order"
            if book.deck.copies > 1:
                yield f"at {where}.by: the longest suit is counted in one deck, not in several"
            continue
        if not ranking.order:
            yield f"at {where}.order: name the categories that count, the best first"
        unknown = [name for name in dict.fromkeys(ranking.order) if name not in CATEGORIES]
        for category in unknown:
            yield _missing(f"{where}.order", category, "category", CATEGORIES)
        if not 1 <= ranking.size <= LARGEST:
            yield f"at {where}.size: a hand is made of 1 to {LARGEST} cards"
        elif not unknown:
            ranks, copies = book.deck.ranks, book.deck.copies
            for problem in order_problems(ranking.order, ranking.size, ranks=ranks, copies=copies):
                yield f"at {where}.order: {problem}"


def _least(book: Rulebook, where: str, least: Dealer | LeastHand) -> Iterator[str]:
    """Check a hand that must be at least something, by the names of its own ranking."""
    known = (*BUILT_IN, *book.rankings)
    if least.hand in book.hands and book.hands[least.hand].ranking in known:
        names = names_of(book, book.hands[least.hand].ranking)
        anything = isinstance(least, Dealer) and least.at_least == "high_card" and not least.of
        if least.at_least not in names and not anything:
            yield _missing(f"{where}.at_least", least.at_least, "hand", names)
    if set(least.of) - set(RANKS):
        yield f"at {where}.of: {least.of!r} has a letter that is no rank ({RANKS})"
    elif set(least.of) - set(book.deck.ranks):
        yield f"at {where}.of: {least.of!r} has a rank that the deck lacks ({book.deck.ranks})"
    elif least.hand in book.hands:
        problem = of_problem(book, least)
        # With a built-in ranking this was never refused, so it is only reported as unwise.
        is_new = isinstance(least, LeastHand) or book.hands[least.hand].ranking in book.rankings
        if problem and is_new:
            yield f"at {where}.of: {problem}"


def of_problem(book: Rulebook, least: Dealer | LeastHand) -> str:
    """Return why nobody can hold the named ranks."""
    ranking = book.hands[least.hand].ranking
    own = book.rankings.get(ranking)
    ranks = [RANKS.index(rank) for rank in least.of]
    if least.at_least in SUIT_NAMES:
        count = SUIT_NAMES.index(least.at_least) + 1
        if len(ranks) > count or ranks != sorted(set(ranks), reverse=True):
            return f"{least.of!r}: name up to {count} ranks of the suit from the highest down"
        return ""
    size = own.size if own is not None else SIZES.get(ranking, 0)
    category = CATEGORIES.get(least.at_least)
    if category is None or size not in category.sizes:
        return ""
    problem = ranks_problem(least.at_least, ranks, size, copies=book.deck.copies)
    return f"{least.of!r} is no hand: {problem}" if problem else ""


def _decisions(book: Rulebook) -> Iterator[str]:
    for number, decision in enumerate(book.decisions):
        where = f"decisions[{number}]"
        if not decision.bets and not decision.takes_back:
            yield f"at {where}.bets: every bet is a multiple of at least 1, and there is no bet"
        if any(multiple < 1 for multiple in decision.bets.values()):
            yield f"at {where}.bets: every bet is a multiple of at least 1"
        named = (decision.wager, decision.multiple_of) if decision.bets else ()
        for wager in (*named, *filter(None, [decision.takes_back])):
            if not wager:
                yield f"at {where}: bets need a wager that they put down, and multiple_of"
            elif wager not in book.wagers:
                yield _missing(where, wager, "wager", book.wagers)
        for bet, least in decision.only_with.items():
            place = f"{where}.only_with.{bet}"
            if bet not in decision.bets:
                yield _missing(f"{where}.only_with", bet, "bet", decision.bets)
            if least.hand not in book.hands:
                yield _missing(f"{place}.hand", least.hand, "hand", book.hands)
            yield from _least(book, place, least)


def _wager(book: Rulebook, wager: Wager) -> Iterator[str]:
    for name in (*wager.needs, *([wager.equals] if wager.equals else [])):
        if name not in book.wagers:
            yield _unknown(name, "wager", book.wagers)
    for method in wager.dealt_by:
        if method not in book.dealing:
            yield _unknown(method, "way of dealing", book.dealing)
    for stake in wager.stakes:
        yield from _amount(stake)
    yield from _resolver(book, wager.settles)


def _resolver(book: Rulebook, resolver: Resolver) -> Iterator[str]:
    match resolver:
        case VersusDealer():
            if book.dealer is None:
                yield "it is settled against a dealer, but the rulebook has no [dealer]"
            yield from _known(resolver.hand, "hand", book.hands)
            if resolver.folded.do == "pay":
                yield "settles.folded: a folded wager is collected or returned, not paid"
            for showdown in (resolver.qualified, resolver.unqualified):
                if showdown is not None:
                    for outcome in (showdown.higher, showdown.equal, showdown.lower):
                        yield from _outcome(book, outcome)
        case VersusPaytable() | HighestHand() | EitherHandBeaten():
            yield from _known(resolver.hand, "hand", book.hands)
            yield from _known(resolver.paytable, "paytable", book.paytables)
            if not isinstance(resolver, EitherHandBeaten):
                for pattern in resolver.returns:
                    yield from _pattern_name(book, pattern)
        case AllWon():
            yield from _known(resolver.paytable, "paytable", book.paytables)
            for name in resolver.wagers:
                yield from _known(name, "wager", book.wagers)
        case Follows():
            yield from _known(resolver.wager, "wager", book.wagers)
            if resolver.pays:
                yield from _pays(resolver.pays)


def _outcome(book: Rulebook, outcome: Outcome) -> Iterator[str]:
    if outcome.do != "pay":
        for name in outcome.clause_on:
            yield from _pattern_name(book, name)
        if not outcome.clause:
            yield f"an outcome that says {outcome.do!r} needs the clause that says so"
        return
    yield from _known(outcome.paytable, "paytable", book.paytables)
    if outcome.otherwise is not None:
        yield from _outcome(book, outcome.otherwise)


def _paytable(book: Rulebook, table: Paytable) -> Iterator[str]:
    for line in table.lines:
        for name in line.covers or (line.hand,):
            yield from _pattern_name(book, name)
        problem = list(_pays(line.pays))
        yield from problem
        pays = None if problem else parse_pays(line.pays)
        if isinstance(pays, MeterShare) and pays.meter not in table.meters:
            yield f"line {line.hand}: no meter {pays.meter!r} under meters of this table"


def _pattern(book: Rulebook, pattern: Pattern) -> Iterator[str]:
    known = _category_names(book)
    for name in pattern.category:
        if name not in known:
            yield _unknown(name, "hand", known)
    letters = set(pattern.made).union(*pattern.ranks) if pattern.ranks else set(pattern.made)
    if letters - set(RANKS):
        yield f"{''.join(sorted(letters - set(RANKS)))!r} is no rank: write {RANKS}"
    if set(pattern.suits) - set(SUITS):
        yield f"suits {pattern.suits!r} must be letters of {SUITS}"
    for part in (*pattern.also, *pattern.unless):
        yield from _pattern(book, part)


def _dealing(book: Rulebook) -> Iterator[str]:
    if not book.dealing:
        yield "at dealing: a rulebook knows at least one way of dealing"
    moments = ("deal", *(reveal.name for reveal in book.reveals))
    if len(set(moments)) != len(moments):
        yield "at reveals: each has a name of its own, and none is called deal"
    for where, order in deal_orders(book):
        if not order:
            yield f"at {where}: it needs an order, the steps in which cards leave the deck"
        for number, step in enumerate(order):
            for problem in (
                *_known(step.at, "reveal", moments),
                *(_known(step.needs_wager, "wager", book.wagers) if step.needs_wager else ()),
            ):
                yield f"at {where}.order[{number}]: {problem}"
    variants = list(dict.fromkeys(name for way in book.dealing.values() for name in way.variants))
    for name, sort, known in (
        ("dealing", "way of dealing", list(book.dealing)),
        ("deal_order", "order of dealing", variants),
    ):
        option = book.options.get(name)
        named = () if option is None else (*option.choices, option.default, option.fixed)
        for choice in named:
            if choice is not None and choice not in known:
                yield _missing(f"options.{name}", str(choice), sort, known)


def _irregularities(book: Rulebook) -> Iterator[str]:
    for name, accident in book.irregularities.items():
        for problem in (
            *(
                p
                for w in (*accident.saves, *accident.returns)
                for p in _known(w, "wager", book.wagers)
            ),
            *(
                p
                for way in (*accident.dealt_by, *accident.clause_by)
                for p in _known(way, "way of dealing", book.dealing)
            ),
        ):
            yield f"at irregularities.{name}: {problem}"


def deal_orders(book: Rulebook) -> Iterator[tuple[str, tuple[DealStep, ...]]]:
    """Yield every order the rulebook knows, with its place in the file."""
    for name, way in book.dealing.items():
        for variant, terms in way.variants.items():
            yield f"dealing.{name}.variants.{variant}", terms.order
        if way.order or not way.variants:
            yield f"dealing.{name}", way.order


def _bonuses(book: Rulebook) -> Iterator[str]:
    for name, bonus in book.bonuses.items():
        for problem in (
            *_known(bonus.on, "wager", book.wagers),
            *_known(bonus.hand, "hand", book.hands),
            *_known(bonus.paytable, "paytable", book.paytables),
        ):
            yield f"at bonuses.{name}: {problem}"


def _rest(book: Rulebook) -> Iterator[str]:
    yield from _bonuses(book)
    if book.envy is not None:
        for problem in (
            *_known(book.envy.on, "wager", book.wagers),
            *_known(book.envy.hand, "hand", book.hands),
            *(p for f in book.envy.tables.values() for p in _known(f, "paytable", book.paytables)),
        ):
            yield f"at envy: {problem}"
    if book.care is not None:
        for name in (*book.care.life, *book.care.stub):
            if name not in book.dealing:
                yield _missing("care", name, "way of dealing", book.dealing)
    for number, limit in enumerate(book.payout_limits):
        for name in limit.covers:
            if name not in book.wagers and name not in book.bonuses:
                known = (*book.wagers, *book.bonuses)
                yield _missing(f"payout_limits[{number}].covers", name, "wager", known)
    if book.layout is not None:
        named = [("spots", name) for name in book.layout.spots]
        named += [("areas", area.needs_wager) for area in book.layout.areas if area.needs_wager]
        for where, name in named:
            if name not in book.wagers:
                yield _missing(f"layout.{where}", name, "wager", book.wagers)
    for name, reading in book.readings.items():
        if not reading.choices:
            yield f"at readings.{name}.choices: a reading needs at least one choice"
        if not reading.clauses:
            yield f"at readings.{name}.clauses: a reading names the clauses it reads"


def _pattern_name(book: Rulebook, name: str) -> Iterator[str]:
    known = _category_names(book)
    if name not in book.patterns and name not in known:
        yield _unknown(name, "hand", (*known, *book.patterns))
        return
    if name in book.patterns:
        for part in _parts(book.patterns[name]):
            if part.hand and part.hand not in book.hands:
                yield f"hand {name!r} looks at {part.hand!r}, which this rulebook's [hands] lacks"


def _category_names(book: Rulebook) -> tuple[str, ...]:
    """Return the names of hands here: the ten categories, the mini royal, and the names of the
    rulebook's own rankings."""
    own = [name for ranking in book.rankings for name in names_of(book, ranking)]
    return tuple(dict.fromkeys((*CATEGORY_NAMES, "mini_royal", *own)))


def _parts(pattern: Pattern) -> Iterator[Pattern]:
    yield pattern
    for part in (*pattern.also, *pattern.unless):
        yield from _parts(part)


def _known(name: str, sort: str, known: Collection[str]) -> Iterator[str]:
    if name not in known:
        yield _unknown(name, sort, known)


def _missing(where: str, name: str, sort: str, known: Collection[str]) -> str:
    return f"at {where}: {_unknown(name, sort, known)}"


def _unknown(name: str, sort: str, known: Collection[str]) -> str:
    return suggest(sort, name, known).message


def _pays(text: str) -> Iterator[str]:
    try:
        parse_pays(text)
    except CroupierError as error:
        yield str(error)


def _amount(text: str) -> Iterator[str]:
    try:
        parse_cents(text)
    except CroupierError as error:
        yield str(error)
