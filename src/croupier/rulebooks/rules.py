"""The rules in force at a table: a rulebook with the operator's choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeVar

from msgspec import structs

from croupier.errors import BadAmount, BadRequest, CroupierError, RuleBroken, shown, suggest
from croupier.money import dollars, parse_cents
from croupier.rulebooks.clock import Clock, clock_in_force
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.kept_rules import is_reference, referred
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml
from croupier.rulebooks.schema import HighestHand, Option, Paytable, Rulebook, VersusPaytable
from croupier.rulebooks.submission import Submission

OptionValue = int | str | bool | None
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules in force for settlement, dealing and mathematics, with every choice made."""

    book: Rulebook
    chosen: Mapping[str, str]
    """The id of the paytable in force, for each family from which an operator chooses."""
    readings: Mapping[str, str]
    options: Mapping[str, OptionValue]
    """Amounts in cents."""
    offered: frozenset[str]
    limits: Mapping[str, tuple[int | None, int | None]]
    stakes: Mapping[str, tuple[int, ...]]
    """The only stakes that a wager takes, in cents, if they are fixed."""
    resets: Mapping[str, int]
    """Every meter of the progressive paytable in force and what it is reset to, in cents."""
    clock: Clock | None = None
    """How long players have to bet and to answer; None if there is no time limit."""
    takes_first: bool = True
    """Whether the best play takes the first of equally good actions that the rulebook offers;
    otherwise it takes the last. The value is the same either way."""
    pays: Mapping[str, str] = field(default_factory=dict)
    """Lines that pay otherwise than printed, by name: `{"blind.flush": "2 to 1"}`."""
    prepared: dict[type, object] = field(default_factory=dict, repr=False)
    """Memoized values derived from these rules, by type; see `once`."""

    def once(self, form: type[Made], make: Callable[[Rules], Made]) -> Made:
        """Return `make(self)`, memoized by type for as long as the rules live."""
        made = self.prepared.get(form)
        if not isinstance(made, form):
            made = self.prepared[form] = make(self)
        return made

    def paytable(self, family: str, table_id: str | None = None) -> Paytable:
        return self.book.paytables[family][table_id or self.chosen[family]]

    @cached_property
    def minimum_wager(self) -> int | None:
        """The table's minimum for the first required wager, in cents, if it is stated."""
        stated = self.options.get("minimum_wager")
        return stated if isinstance(stated, int) else self.limits.get(self.required[0], (None,))[0]

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(name for name, wager in self.book.wagers.items() if wager.role == "required")


def put_in_force(file: RulebookFile, submission: Submission, *, takes_first: bool = True) -> Rules:
    """Return the rules in force. Names, choices and amounts that make no sense are refused; whether
    the choices are lawful is checked by `croupier.submissions.check`."""
    book = file.under(submission.readings)
    chosen = chosen_paytables(book, submission.paytables)
    return Rules(
        book=book,
        takes_first=takes_first,
        chosen=chosen,
        readings={
            name: submission.readings.get(name, next(iter(reading.choices)))
            for name, reading in book.readings.items()
        },
        options=_options(book, submission),
        offered=_offered(book, submission),
        limits=_limits(book, submission),
        stakes=_stakes(book, submission),
        resets=_resets(book, chosen, submission),
        clock=clock_in_force(submission.clock),
    )


def submission_of(text: str) -> Submission:
    return read_json(text, Submission)


@lru_cache(maxsize=256)
def rules_for(rulebook: str, rulebook_text: str, submission: str) -> Rules:
    """Return the rules in force, from what the journal stores of them."""
    try:
        terms = submission_of(submission)
        if is_reference(rulebook_text):
            file = referred(rulebook, rulebook_text)
        elif rulebook_text:
            file = RulebookFile(parse_toml(rulebook_text, rulebook), rulebook)
        else:
            file = load_rulebook(rulebook)
        return put_in_force(file, terms)
    except CroupierError as error:
        raise error.within("submission") from None


def families_to_choose(book: Rulebook) -> tuple[str, ...]:
    """Return the paytable families from which the operator chooses. Families selected by the number
    of hands or by the Envy Bonus are left out."""
    by_count = {
        wager.settles.paytable
        for wager in book.wagers.values()
        if isinstance(wager.settles, HighestHand)
    }
    envy = set(book.envy.tables.values()) if book.envy else set()
    return tuple(name for name in book.paytables if name not in by_count | envy)


def family_clause(book: Rulebook, family: str) -> str:
    """Return the clause that requires the choice: the clause that contains those of its tables."""
    if family in book.choice_clauses:
        return book.choice_clauses[family]
    first = next(iter(book.paytables[family].values())).clause
    if "only" in book.paytables[family]:
        return first
    return first[: first.rindex((first[-1] == "]" and "[") or "(")] if first[-1] in ")]" else first


def chosen_paytables(book: Rulebook, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the table in force of every family that has a choice.

    `wanted` may also name tables that are not chosen: Cover All's, which the number of hands
    selects in any case, and the Envy Bonus's, if they pay the same as the one that goes with the
    progressive.
    """
    families = families_to_choose(book)
    for family, table_id in wanted.items():
        if family not in book.paytables:
            raise suggest("wager with paytables", family, families)
        tables = book.paytables[family]
        if table_id not in tables:
            clause = family_clause(book, family)
            raise suggest(f"paytable for {family!r}", table_id, tables, clause=clause)
    chosen = {family: wanted.get(family, next(iter(book.paytables[family]))) for family in families}
    _check_envy(book, wanted, chosen)
    return chosen


def _check_envy(book: Rulebook, wanted: Mapping[str, str], chosen: Mapping[str, str]) -> None:
    """Refuse an Envy Bonus table unless it is, or pays the same as, the one with the progressive's
    letter (MD-33)."""
    if book.envy is None:
        return
    settles = book.wagers[book.envy.on].settles
    assert isinstance(settles, VersusPaytable)
    letter = chosen[settles.paytable]
    for family in book.envy.tables.values():
        tables = book.paytables[family]
        if family in wanted and _sums(tables[wanted[family]]) != _sums(tables.get(letter)):
            raise RuleBroken(
                f"paytables.{family} is {wanted[family]!r}, but the Envy Bonus goes with the "
                f"{book.envy.on} paytable, which is {letter!r}",
                clause=book.envy.clause,
            )


def _sums(table: Paytable | None) -> list[tuple[str, str]]:
    return [] if table is None else [(line.hand, line.pays) for line in table.lines]


def option_value(name: str, option: Option, value: object) -> OptionValue:
    """Return an option's value in its own type; amounts are converted to cents."""
    clause = option.clause or None
    if option.type == "amount":
        try:
            cents = parse_cents(value)
        except CroupierError as error:
            raise error.within(f"option {name!r}") from None
        if cents <= 0:
            raise BadRequest(f"option {name!r} must be more than 0", clause=clause)
        return cents
    if option.type == "yes_no" and isinstance(value, bool):
        return value
    if option.type == "count" and isinstance(value, int) and not isinstance(value, bool):
        if (option.least or 0) <= value <= (option.most or value):
            return value
        raise RuleBroken(
            f"option {name!r} is {shown(value)}, but must be {option.least} to {option.most}",
            clause=clause,
        )
    if option.type == "choice":
        if value in option.choices:
            return str(value)
        raise suggest(f"choice for option {name!r}", str(value), option.choices, clause=clause)
    wanted = {"yes_no": "true or false", "count": "a whole number"}[option.type]
    raise BadRequest(f"option {name!r} is {shown(value)}, but must be {wanted}", clause=clause)


def _options(book: Rulebook, submission: Submission) -> dict[str, OptionValue]:
    for name in submission.options:
        if name not in book.options:
            raise suggest("option", name, book.options)
    values: dict[str, OptionValue] = {}
    for name, option in book.options.items():
        values[name] = option.default
        if name in submission.options:
            values[name] = option_value(name, option, submission.options[name])
        if option.fixed is not None:
            values[name] = option.fixed
    check_deal_order(book, values)
    return values


def check_deal_order(book: Rulebook, options: Mapping[str, object]) -> None:
    """Refuse an order of dealing that belongs to another way of dealing."""
    order, dealing = str(options.get("deal_order")), str(options.get("dealing"))
    theirs = {n: way.variants[order] for n, way in book.dealing.items() if order in way.variants}
    if theirs and dealing in book.dealing and dealing not in theirs:
        raise RuleBroken(
            f"options.deal_order {order!r} is an order of {' or '.join(theirs)}, but "
            f"options.dealing is {dealing!r}",
            clause=next(iter(theirs.values())).clause,
        )


def optional_wagers(book: Rulebook) -> list[str]:
    return [name for name, wager in book.wagers.items() if wager.role == "optional"]


def at_a_table(submission: Submission, book: Rulebook) -> Submission:
    """Return the submission as a table opens under it. If it does not list the wagers offered, the
    table offers all optional wagers except those that the document requires the submission to
    name."""
    if submission.offered is not None:
        return submission
    offered = [name for name in optional_wagers(book) if not book.wagers[name].specified_clause]
    return structs.replace(submission, offered=tuple(offered))


def _offered(book: Rulebook, submission: Submission) -> frozenset[str]:
    optional = optional_wagers(book)
    if submission.offered is None:
        return frozenset(optional)
    for name in submission.offered:
        if name not in optional:
            raise suggest("optional wager", name, optional)
    return frozenset(submission.offered)


def _limits(book: Rulebook, submission: Submission) -> dict[str, tuple[int | None, int | None]]:
    limits = {}
    for name, limit in submission.limits.items():
        if name not in book.wagers:
            raise suggest("wager", name, book.wagers)
        low = _amount(limit.minimum, f"limits.{name}.minimum")
        high = _amount(limit.maximum, f"limits.{name}.maximum")
        limits[name] = (low, high)
    return limits


def _amount(value: object, where: str) -> int | None:
    """Return cents, or None if nothing is stated; a negative amount is refused."""
    if value is None:
        return None
    try:
        cents = parse_cents(value)
        if cents < 0:
            raise BadAmount(f"{dollars(cents)} is less than nothing")
    except CroupierError as error:
        raise error.within(where) from None
    return cents


def _stakes(book: Rulebook, submission: Submission) -> dict[str, tuple[int, ...]]:
    stakes = {
        name: tuple(parse_cents(stake) for stake in wager.stakes)
        for name, wager in book.wagers.items()
        if wager.stakes
    }
    offered = tuple(_amount(s, "progressive.stakes") or 0 for s in submission.progressive.stakes)
    name = progressive_wager(book)
    if offered and name is not None:
        wager = book.wagers[name]
        for stake in offered:
            if stake == 0:
                raise BadAmount("progressive.stakes: a stake is more than $0")
            if stake not in stakes.get(name, offered):
                raise RuleBroken(
                    f"progressive.stakes: {dollars(stake)} is not a stake the document knows "
                    f"({', '.join(wager.stakes)})",
                    clause=wager.stakes_clause or None,
                )
        stakes[name] = offered
    return stakes


def progressive_wager(book: Rulebook) -> str | None:
    """Return the wager whose paytables pay from meters, if the game has one."""
    for name, wager in book.wagers.items():
        if isinstance(wager.settles, VersusPaytable) and any(
            table.meters for table in book.paytables[wager.settles.paytable].values()
        ):
            return name
    return None


def seed_floors(book: Rulebook, chosen: Mapping[str, str]) -> dict[str, int]:
    """Return the document's minimum of each meter in cents, scaled to the stake if the text says
    so."""
    name = progressive_wager(book)
    if name is None:
        return {}
    wager = book.wagers[name]
    assert isinstance(wager.settles, VersusPaytable)
    family = wager.settles.paytable
    dollar = parse_cents(wager.stakes[0]) if wager.scales_seeds else 100
    seeds = book.paytables[family][chosen[family]].meters
    return {meter: seed.minimum * dollar for meter, seed in seeds.items()}


def _resets(book: Rulebook, chosen: Mapping[str, str], submission: Submission) -> dict[str, int]:
    resets = seed_floors(book, chosen)
    for name, terms in submission.progressive.meters.items():
        if name not in resets:
            raise suggest("meter", name, resets)
        reset = _amount(terms.reset, f"progressive.meters.{name}.reset")
        if reset is not None:
            resets[name] = reset
    return resets
