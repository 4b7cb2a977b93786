"""Scenarios: what is understood, what is refused and how, and that no text breaks the reader."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import DECK
from croupier.errors import CroupierError
from croupier.rounds.dealing import dealt, whole_order
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Amount, Submission
from croupier.scenarios import BadScenario, Rehearsal, read_text, rehearse, with_answers
from croupier.scenarios.deck_order import stacked
from croupier.scenarios.expectations import EXAMPLES
from croupier.scenarios.verbs import VERBS
from croupier.tables import evolving
from croupier.tables.commands import Tip
from croupier.tables.evolving import Move
from croupier.tables.state import Table
from tests.commands.program import croupier

ROOT = Path(__file__).parents[2]

HEAD = """\
table T1 plays md-uth, dealt from the hand
inventory 10,000
dealer Dan
floor Flo
Ann sits at seat 1 with 1,000
Bob sits at seat 3 with 500
"""

ROUND = """\
round
cards Ann: As Ah; Bob: 7c 2d; dealer: Qs Qd; flop: 3h 4h 5s; turn: 9c; river: Jc
Ann bets ante 10, blind 10
Bob bets ante 10, blind 10
no more bets
deal
Ann raises 4x
Bob checks
reveal flop
Bob checks
reveal turn and river
Bob folds
show dealer
settle
collect
"""


def run(text: str) -> Rehearsal:
    return rehearse(read_text(text))


def refusal(text: str) -> str:
    with pytest.raises(BadScenario) as error:
        run(text)
    return error.value.message


def last(text: str) -> tuple[str, str]:
    """Verdict and message of the last line."""
    result = run(text).results[-1]
    return result.verdict, result.message


def test_a_session_that_goes_as_written_holds() -> None:
    rehearsal = run(HEAD + ROUND + "expect Ann has 1,050\nexpect Bob has 480\nexpect inventory ?\n")
    assert [result.verdict for result in rehearsal.results].count("failed") == 1
    assert rehearsal.results[-1].message == "found: inventory 8,470"
    assert not rehearsal.wrong


def test_an_expectation_that_does_not_hold_fails_and_says_what_was_found() -> None:
    assert last(HEAD + ROUND + "expect Ann has 1,060") == ("failed", "found: Ann has 1,050")
    verdict, message = last(HEAD + ROUND + "expect Ann's ante wins 20 by 12.A")
    assert (verdict, message) == ("failed", "found: Ann's ante wins 10 by 12.A")
    verdict, message = last(HEAD + ROUND + "expect Ann's ante wins 10 by 12.B")
    assert (verdict, message) == ("failed", "found: Ann's ante wins 10 by 12.A")


def test_an_unexpected_refusal_stops_the_session_with_code_and_clause() -> None:
    rehearsal = run(HEAD + ROUND.replace("Ann raises 4x", "Bob checks"))
    failed = [result for result in rehearsal.results if result.verdict == "failed"]
    assert [(result.text, result.code, result.clause) for result in failed] == [
        ("Bob checks", "out_of_turn", "11.B(1)")
    ]
    assert "it is seat 1's turn" in failed[0].message
    assert rehearsal.results[-1].verdict == "not run"
    assert not rehearsal.holds


def test_a_refusal_is_expected_by_code_and_clause() -> None:
    assert last(HEAD + "expect refused not_now: deal")[0] == "ok"
    assert last(HEAD + "expect refused out_of_turn: deal")[1].startswith("refused as not_now")
    assert last(HEAD + "expect refused not_now 8.A: deal")[1].startswith("refused by no clause")
    verdict, message = last(HEAD + "expect refused not_now: Ann tips 5")
    assert verdict == "failed"
    assert "was not refused" in message


def test_what_was_not_refused_is_not_carried_out_either() -> None:
    rehearsal = run(HEAD + "expect refused not_now: Ann tips 5\nexpect Ann has 1,000")
    assert rehearsal.results[-1].verdict == "ok"


def test_a_round_left_open_is_wrong_at_the_end() -> None:
    rehearsal = run(HEAD + "round\nAnn bets ante 10, blind 10\n")
    assert rehearsal.wrong == ("round 1 is not finished: the cards are not collected",)
    assert not rehearsal.holds


def test_money_that_goes_astray_is_found_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit follows the settled lines, not the balances."""

    def short(_: Table, event: Tip, __: Rules) -> list[Move]:
        return [Move(f"rack:{event.player}", "tips", event.amount - 1)]

    monkeypatch.setitem(evolving.MOVES, Tip, short)
    rehearsal = run(HEAD + "Ann tips 5\n")
    assert rehearsal.wrong == ("Ann has $995.01, but brought, took and won $995 in all",)


def test_the_command_ends_with_0_1_or_2(tmp_path: Path) -> None:
    right, not_so, unclear = (tmp_path / name for name in ("right", "not-so", "unclear"))
    right.write_text(HEAD + ROUND, "utf-8")
    not_so.write_text(HEAD + ROUND + "expect Ann has ?\n", "utf-8")
    unclear.write_text(HEAD + "Ann dances\n", "utf-8")
    ended = croupier("rehearse", right)
    assert ended.code == 0
    assert "all as written; money conserved, layout empty" in " ".join(ended.text.split())
    ended = croupier("rehearse", not_so)
    assert ended.code == 1
    assert "found: Ann has 1,050" in ended.text
    ended = croupier("rehearse", right, unclear, not_so, "--json")
    assert ended.code == 2
    assert [answer.get("holds") for answer in ended.lines] == [True, None, False]
    assert ended.lines[1]["error"]["code"] == "bad_scenario"
    assert "line 7: 'Ann dances'" in ended.err
    assert croupier("rehearse", not_so, "--write").code == 1
    assert croupier("rehearse", not_so).code == 0
    assert "dealer shows Qs Qd: pair, qualifies" in croupier("rehearse", right, "--tell").text
    assert croupier("rehearse", tmp_path / "nowhere").code == 2


def test_question_marks_are_filled_in_and_comments_stay() -> None:
    text = HEAD + ROUND + "  expect Ann has ?   # after the tip\nexpect Bob has 480\n"
    assert with_answers(run(text), text) == text.replace("has ?", "has 1,050")


def test_a_question_mark_is_not_filled_in_against_the_words_around_it() -> None:
    text = HEAD + ROUND + "expect Ann's ante loses ?\n"
    assert with_answers(run(text), text) == text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("abracadabra", "'abracadabra' is neither a person at this table nor a thing"),
        ("Anne bets ante 10", "did you mean 'Ann'?"),
        ("Ann bet ante 10", "'bet' is nothing that is done here: did you mean 'bets'?"),
        ("Ann bets", "as in 'Ann bets ante 10, blind 10'"),
        ("Ann bets ante", "'ante' is not a wager and its amount"),
        ("Ann bets antee 10", "did you mean 'ante'?"),
        ("Ann bets ante ten", "'ten' is not an amount"),
        ("Ann bets ante 10, ante 5", "ante is there twice"),
        ("Ann bets ante 10,, blind 5", "missing between two commas"),
        ("Ann tips -5", "'-5' is not an amount"),
        ("Ann tips 1.234", "'1.234' is not an amount"),
        ("Ann tips 1,00", "'1,00' is not an amount"),
        ("Ann checks twice", "'twice' is not one word to say"),
        ("Ann at seat", "after 'at seat' comes its number"),
        ("Ann leaves", "leaves the round, or the table?"),
        ("As sits at seat 2", "the word has a meaning of its own"),
        ("Dan sits at seat 2", "Dan works here as dealer"),
        ("dealer Ann", "Ann is somebody else already"),
        ("deal cards now", "'cards now' says too much"),
        ("reveal flopp", "did you mean 'flop'?"),
        ("count many chips", "how many chips?"),
        ("Flo fills lots", "on which slip?"),
        ("Flo voids the round", "for what reason?"),
        ("Flo validates Dan", "'Dan' is not a player"),
        ("Ann colours up 3 x 5", "which chips, and into which?"),
        ("offers trips", "the table is open since line 5: its terms come before that"),
        ("table T2 plays md-uth", "one table a scenario: it was named in line 1"),
        ("round two", "'round' stands alone in its line"),
        ("deck As Ks", "the cards are named right after the line 'round'"),
        ("expect Ann is happy", "'is happy' cannot be expected of Ann"),
        ("expect", "is nobody at this table"),
        ("expect Eve has 10", "'Eve' is nobody at this table"),
        ("expect refused: deal", "write the reason, a colon and the command"),
        ("expect refused not_now: dance", "'dance' is neither a person"),
        ("expect meter main 10,000", "'main' is no meter here"),
        ("expect Ann has lots", "'lots' is not an amount"),
        ("seat 5 checks", "nobody sits at seat 5"),
        ("x" * 2000, "a line has at most 1000 characters"),
        ("Flo does", "'' is no command"),
        ("Flo does credt amount=5 slip=x", "did you mean 'credit'?"),
        ("Flo does credit slip=C-1", "credit lacks amount: it takes amount=DOLLARS [slip=TEXT]"),
        ("Flo does credit 5", "'5': write name=value"),
        ("Flo does credit amount=lots slip=x", "'lots' is not an amount"),
        ("Flo does credit amount=1,0 slip=x", "'1,0' is not an amount"),
        ("Flo does credit amount=5 slpi=x", "did you mean 'slip'?"),
        ("Dan does open_betting number=7", "unknown field of open_betting 'number'"),
        ("Dan does tip amount=5", "tip lacks player"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused_with_its_number(line: str, says: str) -> None:
    message = refusal(HEAD + line + "\n")
    assert message.startswith("scenario, line 7: ")
    assert says in message


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("Flo does credit amount=2,000 slip=C-3", "Flo credits 2,000 on slip C-3"),
        ("Flo does fill slip=F 17 amount=$5", "Flo fills 5 on slip F 17"),
        ("Ann does tip amount=7.50", "Ann tips 7.50"),
        ("seat 1 does tip amount=5", "Ann tips 5"),
        ("Ann does cash_out", "Ann cashes out"),
        ("Ann does give_up_seat", "Ann leaves the table"),
        ("Ann does colour_up gives.5=20 gets.100=1", "Ann colours up 20 x 5 into 1 x 100"),
        ("Flo does close_table", "Flo closes the table"),
        ("Dan does open_betting", "round"),
        (
            "round\nAnn does place_wagers wagers.ante=10 wagers.blind=$10.00",
            "round\nAnn bets ante 10, blind 10",
        ),
        (
            'round\nFlo does void_round reason="x=5: no" clause=13.C',
            "round\nFlo voids the round: x=5: no by 13.C",
        ),
    ],
)
def test_any_command_is_said_by_its_name_and_fields(line: str, same: str) -> None:
    said, usual = run(f"{HEAD}{line}\n").results[-1], run(f"{HEAD}{same}\n").results[-1]
    assert (said.verdict, said.events_in_words) == ("ok", usual.events_in_words)


def test_a_table_opens_again_under_other_terms() -> None:
    text = HEAD + "Flo closes the table\nFlo does open_table table=T1 rulebook=ma-uth\n"
    assert (
        run(text)
        .results[-1]
        .events_in_words[0]
        .startswith("table T1 opens: Ultimate Texas Hold'em (Mass")
    )
    refused = "expect refused already_done: Flo does open_table table=T1 rulebook=ma-uth"
    assert last(HEAD + refused)[0] == "ok"


def test_a_person_called_does_is_still_welcome() -> None:
    text = HEAD + "dealer Does\nDoes2 sits at seat 2\nDoes does open_betting\n"
    assert run(text).results[-1].verdict == "ok"


def test_the_lines_with_does_that_the_page_shows_are_understood() -> None:
    page = (ROOT / "docs/scenarios.md").read_text("utf-8")
    lines = [line for line in page.splitlines() if re.match(r"(Ann|Dan|Flo) does ", line)]
    assert len(lines) == 4
    read_text(HEAD + "\n".join(lines))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("cards Ann: As As", "As is named twice"),
        ("cards Ann: As Ah; Bob: As Kd", "As has a place in this round already"),
        ("cards Ann: As Ah Ad", "3 are named for Ann, but 2 cards lie there"),
        ("cards Ann:", "0 are named for Ann"),
        ("cards Ann As Ah", "write the place, a colon and its cards"),
        ("cards flop: 2c 3c 4c 5c", "4 are named for flop, but 3 cards lie there"),
        ("cards river: 2c 3c", "2 are named for river, but 1 card lies there"),
        ("cards flob: 2c 3c 4c", "did you mean 'flop'?"),
        ("cards Ann: As Zz", "'Zz' is not a card"),
        ("deck As Kd As", "As is named twice"),
        ("deck", "write the cards from the top, or 'deck seed 7'"),
    ],
)
def test_cards_that_cannot_lie_there_are_refused(line: str, says: str) -> None:
    message = refusal(f"{HEAD}round\n{line}\n")
    assert message.startswith("scenario, line 8: ")
    assert says in message


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("cards Bob: Ks Kd", "Ks is named for seat 3, but no such card is dealt in this round"),
        ("cards board: 2c; flop: 3c", "2c lies there already, where 3c is to lie"),
        ("cards box: 2c", "2c is named for the box, but no such card is dealt"),
    ],
)
def test_cards_that_the_deal_does_not_bring_are_refused(cards: str, says: str) -> None:
    message = refusal(f"{HEAD}round\n{cards}\nAnn bets ante 10, blind 10\nno more bets\ndeal\n")
    assert message.startswith("scenario, line 8: ")
    assert says in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing is written here: begin with 'table T1 plays md-uth'"),
        ("# only a comment\n", "nothing is written here"),
        ("Ann sits at seat 1", "a scenario begins with its table"),
        ("table T1 plays md-uht", "did you mean 'md-uth'?"),
        ("table T1 plays nowhere.toml", "cannot be read"),
        ("table T1 plays md-uth, dealt by magic", "'magic' is no way of dealing here"),
        ("table T1 plays md-uth, dealt by hand, upside down", "is no order of the hand"),
        ("table T1 plays md-uth\noffers tripps", "did you mean 'trips'?"),
        ("table T1 plays md-uth\npaytable blind Z", "'Z' is no paytable of blind"),
        ("table T1 plays md-uth\nreading none", "is no reading of this document"),
        ("table T1 plays md-uth\noption decks many", "'many' is not a whole number"),
        ("table T1 plays md-uth\noption shuffler maybe", "'maybe' is no answer"),
        ("table T1 plays md-uth\nlimit ante 5", "write 'limit ante 5 to 500'"),
        ("table T1 plays md-uth\nmeter main rate 5", "'5' is not a rate"),
        ("table T1 plays md-uth\nmeter main grows", "'grows' is not a term of a meter"),
        ("table T1 plays md-uth\nmeter mian rate 5%", "cannot open on these terms"),
        ("table T1 plays md-uth\nmeter main starts at 5, rate 5%", "cannot open on these terms"),
        ("table T1 plays md-uth\nsubmission nowhere.toml", "cannot be read"),
        ("table T1 plays md-uth\nlive fish", "write 'live cards'"),
        ("table T:1 plays md-uth", "cannot name a table"),
    ],
)
def test_terms_on_which_no_table_opens_are_refused(text: str, says: str) -> None:
    assert says in refusal(text)


def test_a_player_with_two_boxes_says_which() -> None:
    text = HEAD.replace("inventory", "option adjacent boxes 2\ninventory") + (
        "round\nAnn bets ante 10, blind 10\nAnn at seat 2 bets ante 10, blind 10\n"
        "no more bets\ndeal\n"
    )
    assert "Ann plays seats 1 and 2: say which" in refusal(text + "Ann checks\n")
    rehearsal = run(text + "Ann at seat 1 checks\nseat 2 checks\n")
    assert all(result.verdict == "ok" for result in rehearsal.results)


def test_who_is_dealt_in_decides_where_the_named_cards_go() -> None:
    """Bob's wagers do not stand, so the deck is stacked for Ann alone."""
    text = HEAD + (
        "round\ncards Ann: As Ah; dealer: Qs Qd\nAnn bets ante 10, blind 10\nBob bets ante 10\n"
        "no more bets\ndeal\nexpect Ann holds As Ah\nexpect dealer holds Qs Qd\n"
    )
    assert [result.verdict for result in run(text).results[-2:]] == ["ok", "ok"]


def test_a_seed_deals_the_same_cards_again() -> None:
    text = HEAD + "round\ndeck seed 7\nAnn bets ante 10, blind 10\nno more bets\ndeal\n"
    held = [result.events_in_words for result in run(text).results]
    assert held == [result.events_in_words for result in run(text).results]
    assert held != [result.events_in_words for result in run(text.replace("7", "8")).results]


def test_a_rulebook_of_ones_own_and_a_submission_are_read_from_beside_the_scenario() -> None:
    own = read_text("table H plays harbour-holdem.toml\n", folder=ROOT / "examples")
    assert own.opening.rulebook_text
    assert rehearse(own).holds
    text = "table U plays md-uth\nsubmission submissions/maryland-uth.toml\n"
    assert rehearse(read_text(text, folder=ROOT / "examples")).holds


def test_the_session_that_the_page_shows_goes_as_written() -> None:
    page = (ROOT / "docs/scenarios.md").read_text("utf-8")
    assert run(page.split("```")[1]).holds


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_stacked_deck_deals_what_was_named(name: str) -> None:
    """For any cards by place, through every way of dealing."""
    file = load_rulebook(name)
    dice = random.Random(name)
    for way, dealing in file.default.dealing.items():
        for order in dealing.variants or ("",):
            options: dict[str, Amount | bool] = {"dealing": way}
            if order:
                options["deal_order"] = order
            rules = put_in_force(file, Submission(options=options))
            seats = sorted(dice.sample(range(1, 7), 3))
            deliveries = [delivery for _, delivery in whole_order(rules, seats)]
            sizes: dict[tuple[str, int], int] = {}
            for place, seat, count, _ in deliveries:
                sizes[place, seat] = sizes.get((place, seat), 0) + count
            cards = iter(dice.sample(DECK, 52))
            named = {
                spot: {i: next(cards) for i in range(size) if dice.random() < 0.6}
                for spot, size in sizes.items()
            }
            deck = stacked(named, rules, seats)
            assert sorted(deck) == list(DECK)
            out = dealt(deck, deliveries)
            lies = {("player", seat): hand for seat, hand in out.players.items()} | {
                ("dealer", 0): out.dealer,
                ("community", 0): out.community,
                ("box", 0): out.box,
                ("burn", 0): out.burned,
                ("discard", 0): out.discarded,
            }
            for spot, wanted in named.items():
                for number, card in wanted.items():
                    assert lies[spot][number] == card


WORDS = sorted(
    {word for verb in VERBS.values() for word in verb.like.split()}
    | {word for example in EXAMPLES for word in example.split()}
    | {"Ann", "Bob", "seat", "1", "2", "3", "5", "all", "?", ":", ";", ",", "3x", "#", "at", "by"}
    | {"ante 10, blind 10", "trips 5", "progressive 1", "2c 3c 4c", "’s", "-1", "9" * 18, "x"}
)
LINES = [line for text in (HEAD, ROUND) for line in text.splitlines()]
LINES += [*EXAMPLES, *(verb.like for verb in VERBS.values())]
TERMS = (
    "table T1 plays md-uth, dealt from the hand\noffers trips, progressive\n"
    "meter main starts at 10,000, rate 5%\nprogressive stakes 1\ndealer Dan\nfloor Flo\n"
)


def survives(text: str) -> None:
    try:
        rehearsal = run(text)
    except BadScenario as error:
        assert re.match(r"scenario(, line \d+)?: ", error.message)  # noqa: PT017
    except CroupierError as error:
        raise AssertionError(f"refused without a place: {error}") from error
    else:
        assert rehearsal.playthrough()
        assert with_answers(rehearsal, text)
        assert not [wrong for wrong in rehearsal.wrong if "not finished" not in wrong]


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_is_understood_or_refused(text: str) -> None:
    survives(text)
    survives(HEAD + text)


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join), max_size=3))
@settings(max_examples=200, deadline=None)
def test_any_mixture_of_words_is_understood_or_refused(lines: list[str]) -> None:
    survives(HEAD + "round\n" + "\n".join(lines))


@given(st.lists(st.sampled_from(LINES), max_size=30))
@settings(max_examples=200, deadline=None)
def test_any_order_of_lines_is_run_or_refused(lines: list[str]) -> None:
    survives(TERMS + "\n".join(HEAD.splitlines()[4:] + lines))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_session_with_lines_left_out_or_said_twice_keeps_its_money(data: st.DataObject) -> None:
    paths = sorted((ROOT / "tests/playthroughs/scenarios").glob("*.rehearsal"))
    lines = data.draw(st.sampled_from(paths)).read_text("utf-8").splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(("drop", "twice", "swap")))
        if change == "drop":
            del lines[at]
        elif change == "twice":
            lines.insert(at, lines[at])
        else:
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
    survives("\n".join(lines))
