"""Reader of scenarios: a session as a floor manager would write it down.

    table T1 plays md-uth, dealt from the hand
    Ann sits at seat 1 with 1,000

    round
    cards Ann: As Ah; dealer: Qs Qd; flop: 2c 3c 4c
    Ann bets ante 10, blind 10
    no more bets
    deal
    Ann raises 4x
    expect Ann has 940

`docs/scenarios.md` has the grammar. A line that cannot be understood is refused with its number,
its fault and what would be right; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from croupier.errors import CroupierError, plain, shown
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import Rules, rules_for
from croupier.runtime.session import next_round
from croupier.scenarios.deck_verbs import duration
from croupier.scenarios.expectations import expectation
from croupier.scenarios.opening_lines import OPENING_LINES, OpeningLines
from croupier.scenarios.roster import ROLES, Roster
from croupier.scenarios.scenario import (
    BadScenario,
    Expect,
    ExpectForeseen,
    ExpectLinkRefusal,
    ExpectRefusal,
    GiveCommands,
    LineError,
    NamedPerson,
    NewRound,
    OpenLinked,
    Scenario,
    ScenarioStep,
    SourceLine,
    TellLink,
    Wait,
)
from croupier.scenarios.text_parts import cards_of, did_you_mean
from croupier.scenarios.verbs import (
    IMPERATIVES,
    VERBS,
    commands_said,
    link_command_said,
    role_of,
)
from croupier.tables.commands import TableCommand
from croupier.tables.state import Table

_MOST_CHARACTERS: Final = 1_000_000
_LONGEST_LINE: Final = 1000
_BODY: Final = ("round", "deck", "cards", "expect", "after")
_REFUSED: Final = re.compile(r"refused\s+([A-Za-z_]+)(?:\s+([^:]+?))?\s*:\s*(.+)", re.I)
_FORESEEN: Final = re.compile(r"foreseen\s+([^:]+?)\s*:\s*(.+)", re.I)
_LINKED: Final = re.compile(r"linked\s+table\s+(\S{1,60})", re.I)
_AT: Final = re.compile(r"at\s+(\S+?)\s*:\s*(.+)", re.I)
_STRANGER: Final = re.compile(r"stranger\s+(\S+)", re.I)
_TELLS: Final = re.compile(r"(.+?)\s+tells\s+the\s+link\s+(.+)", re.I)
_VERBS_OF_OLD: Final = VERBS.keys() - {"does", "calls", "answers", "assigns"}
"""Verbs that cannot be names. Verbs added later remain allowed as names, so that old texts stay
valid."""
_RESERVED: Final = frozenset(
    {
        *OPENING_LINES,
        *_BODY,
        *ROLES,
        *_VERBS_OF_OLD,
        "table",
        "seat",
        "surveillance",
        "board",
        "nobody",
        "no",
        "the",
    }
    | {words.split()[0] for words in IMPERATIVES}
)


def read_file(path: Path) -> Scenario:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise BadScenario(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadScenario(f"{plain(path, 200)} cannot be read: it is not UTF-8 text") from None
    return read_text(text, plain(path, 200), path.parent)


def read_text(text: str, source: str = "scenario", folder: Path = Path()) -> Scenario:
    """Read a scenario; refuse a line that cannot be understood, with its number, the reason and the
    remedy."""
    if len(text) > _MOST_CHARACTERS:
        raise BadScenario(f"{source}: longer than any session that a person would write down")
    return _Reader(text, source, folder).read()


def _joined(text: str) -> Iterator[SourceLine]:
    """Yield the lines without comments; a line that ends with a comma or a semicolon continues on
    the next one."""
    begun: SourceLine | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        bare = " ".join(raw.partition("#")[0].split())
        if not bare:
            continue
        begun = (
            SourceLine(number, bare)
            if begun is None
            else SourceLine(begun.number, f"{begun.text} {bare}")
        )
        if not bare.endswith((",", ";")):
            yield begun
            begun = None
    if begun is not None:
        yield begun


class _Reader:
    def __init__(self, text: str, source: str, folder: Path) -> None:
        self.text = text
        self.source = source
        self.folder = folder
        self.first = SourceLine(1, "")
        self.head: OpeningLines | None = None
        self.roster: Roster | None = None
        self.opened_at = 0
        self.rules: Rules | None = None
        self.steps: list[ScenarioStep] = []
        self.linked: list[str] = []
        """Other tables on the same progressive link."""

    def read(self) -> Scenario:
        for line in _joined(self.text):
            try:
                if len(line.text) > _LONGEST_LINE:
                    raise LineError(f"a line has at most {_LONGEST_LINE} characters")
                self._line(line)
            except LineError as error:
                raise self._refuse(line, str(error)) from None
            except BadScenario:
                raise
            except CroupierError as error:
                raise self._refuse(line, error.message) from None
        if self.head is None:
            raise BadScenario(
                f"{self.source}: nothing is written here: begin with 'table T1 plays md-uth'"
            )
        self._open(SourceLine(self.first.number, self.first.text))
        assert self.rules is not None
        assert self.roster is not None
        return Scenario(
            self.source,
            self.text,
            self.first,
            self.head.opening(),
            Actor("operator", self.roster.on_duty["operator"]),
            self.head.has_rates,
            self.rules,
            tuple(self.steps),
        )

    def _refuse(self, line: SourceLine, message: str) -> BadScenario:
        return BadScenario(f"{self.source}, line {line.number}: {shown(line.text, 80)}: {message}")

    def _line(self, line: SourceLine) -> None:
        word = line.text.split(maxsplit=1)[0].lower()
        if self.head is None or self.roster is None:
            self.head = OpeningLines(line.text, self.folder)
            self.roster = Roster(self.head.book)
            self.first = line
        elif word == "table":
            raise LineError(f"one table a scenario: it was named in line {self.first.number}")
        elif word in OPENING_LINES:
            if self.opened_at:
                raise LineError(
                    f"the table is open since line {self.opened_at}: its terms come before that"
                )
            self.head.read(line.text)
        elif word in ROLES and self._hires(line.text, self.roster):
            pass
        else:
            self._open(line)
            self._body(line, word, self.roster)

    def _hires(self, text: str, roster: Roster) -> bool:
        """Read `dealer Dan`: from here on Dan is on duty. Return whether the line has this form."""
        words = text.split()
        if len(words) != 2 or words[1].lower() in _VERBS_OF_OLD:
            return False
        roster.hire(ROLES[words[0].lower()], roster.new_name(words[1], _RESERVED))
        return True

    def _open(self, line: SourceLine) -> None:
        """Open the table, because its terms are complete."""
        if self.opened_at:
            return
        assert self.head is not None
        opening = self.head.opening()
        try:
            self.rules = rules_for(opening.rulebook, opening.rulebook_text, opening.submission)
        except CroupierError as error:
            raise self._refuse(self.first, f"the table cannot open on these terms: {error}") from (
                None
            )
        self.opened_at = line.number

    def _body(self, line: SourceLine, word: str, roster: Roster) -> None:
        if self._added_later(line, roster):
            return
        text = line.text
        rest = text[len(word) :].strip()
        if word == "round":
            if rest and not rest.isdecimal():
                raise LineError("'round' stands alone in its line")
            self.steps.append(NewRound(line, roster.role("dealer")))
        elif word == "deck":
            self._deck(rest)
        elif word == "cards":
            self._cards(line, rest, roster)
        elif word == "expect":
            self._expect(line, rest, roster)
        elif word == "after":
            self.steps.append(Wait(line, duration(rest)))
        else:
            self.steps.append(self._given(line, text, roster))

    def _added_later(self, line: SourceLine, roster: Roster) -> bool:
        """Read the kinds of lines that were added in later versions; return whether this is one. A
        person named like one of these words takes precedence."""
        text = line.text
        if text.split()[0] in (*roster.players, *roster.staff):
            tells = _TELLS.fullmatch(text)
            if tells is None:
                return False
            self.steps.append(self._told(line, text, roster))
        elif linked := _LINKED.fullmatch(text):
            self._link_table(line, linked[1])
        elif (at := _AT.fullmatch(text)) and at[1] in self.linked:
            there = SourceLine(line.number, at[2], at[1])
            self._body(there, at[2].split()[0].lower(), roster)
        elif stranger := _STRANGER.fullmatch(text):
            roster.welcome(roster.new_name(stranger[1], _RESERVED))
        else:
            return False
        return True

    def _link_table(self, line: SourceLine, name: str) -> None:
        assert self.head is not None
        if not self.head.has_rates:
            raise LineError("this table has no progressive whose meters could be shared")
        if name in (*self.linked, self.head.table):
            raise LineError(f"table {name} is there already")
        self.linked.append(name)
        self.steps.append(OpenLinked(line, name))

    def _told(self, line: SourceLine, text: str, roster: Roster) -> TellLink:
        who, rest = roster.subject(text)
        said = re.sub(r"^tells\s+the\s+link\s+", "", rest, flags=re.I)
        return TellLink(line, who, link_command_said(who, said))

    def _new_round(self) -> NewRound:
        if not self.steps or not isinstance(self.steps[-1], NewRound):
            raise LineError("the cards are named right after the line 'round'")
        assert self.head is not None
        if self.head.live:
            raise LineError("this table's cards are live: the dealer enters them as they fall")
        return self.steps[-1]

    def _deck(self, rest: str) -> None:
        opened = self._new_round()
        if opened.cards() or opened.seed:
            raise LineError("the cards of this round are named already")
        seeded = re.fullmatch(r"seed\s+(\S{1,60})", rest, re.I)
        if seeded is not None:
            opened.seed = seeded[1]
            return
        opened.top = cards_of(rest)
        if not opened.top:
            raise LineError("write the cards from the top, or 'deck seed 7' for a shuffled deck")

    def _cards(self, line: SourceLine, rest: str, roster: Roster) -> None:
        opened = self._new_round()
        if opened.top or opened.seed:
            raise LineError("the deck of this round is written already: cards by place or a deck")
        for item in rest.split(";"):
            if not item.strip():
                continue
            name, colon, listed = item.partition(":")
            if not colon:
                raise LineError("write the place, a colon and its cards, as in 'cards Ann: As Ah'")
            self._place(line, opened, roster, name, listed)

    def _place(
        self, line: SourceLine, opened: NewRound, roster: Roster, name: str, listed: str
    ) -> None:
        place, cards = roster.place(name), cards_of(listed)
        for card in cards:
            if card in opened.cards():
                raise LineError(f"{card} has a place in this round already: a deck holds it once")
        most = roster.book.cards.player if isinstance(place, NamedPerson) else place.most
        if not 0 < len(cards) <= most:
            lie = "card lies" if most == 1 else "cards lie"
            raise LineError(f"{len(cards)} are named for {name.strip()}, but {most} {lie} there")
        if isinstance(place, NamedPerson):
            opened.named.append((line, place, "player", 0, cards))
        else:
            opened.named.append((line, None, place.place, place.first, cards))

    def _expect(self, line: SourceLine, rest: str, roster: Roster) -> None:
        if rest.lower().startswith("foreseen"):
            foreseen = _FORESEEN.fullmatch(rest)
            if foreseen is None:
                raise LineError(
                    "write the words, a colon and the decision, as in 'expect foreseen all hands "
                    "are void: Flo reports dealer card exposed'"
                )
            expected = self._given(line, foreseen[2], roster)
            self.steps.append(ExpectForeseen(line, foreseen[1], expected))
            return
        if not rest.lower().startswith("refused"):
            self.steps.append(Expect(line, expectation(roster, rest)))
            return
        match = _REFUSED.fullmatch(rest)
        if match is None:
            raise LineError(
                "write the reason, a colon and the command, as in 'expect refused out_of_turn "
                "11.D(1): Bob checks'"
            )
        code, clause = match[1].lower(), match[2] or ""
        if _TELLS.fullmatch(match[3]):
            words = self._told(line, match[3], roster)
            self.steps.append(ExpectLinkRefusal(line, code, clause, words))
            return
        if match[3].lower() == "round":
            expected = GiveCommands(line, roster.role("dealer"), (_any_round,))
        else:
            expected = self._given(line, match[3], roster)
        self.steps.append(ExpectRefusal(line, code, clause, expected))

    def _given(self, line: SourceLine, text: str, roster: Roster) -> GiveCommands:
        for words, (command_type, verb) in IMPERATIVES.items():
            if text.lower() == words or text.lower().startswith(f"{words} "):
                who = roster.role(role_of(command_type))
                said = f"{verb} {text[len(words) :].strip()}".strip()
                return GiveCommands(line, who, commands_said(roster, who, said))
        first, _, rest = text.partition(" ")
        if re.match(r"sits\b", rest, re.I) and first not in roster.players:
            roster.welcome(roster.new_name(first, _RESERVED))
        people = [*roster.players, *roster.staff]
        if first not in people and first.lower() not in (*ROLES, "seat", "surveillance"):
            known = [*OPENING_LINES, *_BODY, *IMPERATIVES, *people]
            raise LineError(
                f"{shown(first)} is neither a person at this table nor a thing that is done here: "
                f"{did_you_mean(first, known)}people: {', '.join(people) or 'none'}"
            )
        who, rest = roster.subject(text)
        return GiveCommands(line, who, commands_said(roster, who, rest))


def _any_round(table: Table) -> TableCommand:
    """Return a command that opens the next round, from any deck."""
    return next_round(table, Seeded("a round that is refused"))
