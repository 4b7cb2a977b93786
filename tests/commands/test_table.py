"""`croupier table`: a table opened, run and closed from the command line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.ledger.journal import open_journal
from croupier.rounds.state import Round
from croupier.runtime.house import House
from croupier.tables.commands import COMMANDS
from tests.commands.program import EXAMPLES, ROOT, WHOLE, Ended, croupier

SUBMISSION = EXAMPLES / "submissions/maryland-uth.toml"
FLO, DAN, ANN = "floorperson:Flo", "dealer:Dan", "player:Ann"


class Pit:
    """Command lines on one journal."""

    def __init__(self, journal: Path) -> None:
        self.journal = journal

    def __call__(self, *words: str | Path) -> Ended:
        return croupier("table", *words, "--journal", self.journal)

    def do(self, *words: str, by: str) -> Ended:
        return self("do", "T1", *words, "--as", by)

    def show(self, *words: str) -> Ended:
        return self("show", "T1", *words)

    def round(self) -> Round:
        with open_journal(self.journal) as store:
            return House(store).table("T1").round


@pytest.fixture
def pit(tmp_path: Path) -> Pit:
    found = Pit(tmp_path / "journal.db")
    assert found("open", "md-uth", "--as", FLO).code == 0
    return found


def seat_ann(pit: Pit) -> None:
    assert pit.do("take_seat", "seat=1", by=ANN).code == 0
    assert pit.do("buy_in", "amount=1,000", by=ANN).code == 0


def deal(pit: Pit) -> list[Ended]:
    seat_ann(pit)
    ran = [
        pit.do("open_betting", by=DAN),
        pit.do("place_wagers", "seat=1", "wagers.ante=10", "wagers.blind=10", by=ANN),
        pit.do("close_bets", by=DAN),
        pit.do("deal", by=DAN),
    ]
    assert [one.code for one in ran] == [0, 0, 0, 0]
    return ran


def test_a_round_is_played_told_and_verified(pit: Pit) -> None:
    deal(pit)
    for words, by in (
        (("act", "seat=1", "action=4x"), ANN),
        (("reveal",), DAN),
        (("reveal",), DAN),
        (("show_dealer",), DAN),
        (("settle", "every=yes"), DAN),
    ):
        assert pit.do(*words, by=by).code == 0
    told = pit.do("collect", by=DAN).text
    assert "the cards are collected" in told
    assert "[11.K]" in told
    shown = pit.show("--json").json
    assert shown["round"]["phase"] == "over"
    assert [line["wager"] for line in shown["round"]["seats"][0]["lines"]][:2] == ["ante", "blind"]
    assert pit("close", "T1", "--as", FLO).code == 0
    assert croupier("verify", "--journal", pit.journal).code in WHOLE


def test_no_card_that_lies_face_down_is_printed(pit: Pit) -> None:
    """Neither by what is done nor by how the table is shown; a player sees his own two."""
    ran = deal(pit)
    state = pit.round()
    own = {str(card) for card in state.seats[0].cards}
    hidden = {str(card) for card in state.deck}
    staff = [*ran, pit.show(), pit.show("--json"), pit.show("--as", DAN), pit("list", "--json")]
    for one in staff:
        assert not _cards_in(one.text) & hidden
        assert state.salt not in one.text
    mine = pit.show("--as", ANN, "--json")
    assert _cards_in(mine.text) & hidden == own
    assert state.salt not in mine.text
    assert pit.do("act", "seat=1", "action=check", by=ANN).code == 0
    flop = pit.do("reveal", by=DAN)
    board = {str(card) for card in pit.round().community[:3]}
    assert _cards_in(pit.show("--json").text) & hidden == board
    assert _cards_in(flop.text) & hidden == board


def test_a_burned_card_stays_unseen_while_its_round_is_in_play(pit: Pit) -> None:
    assert pit("close", "T1", "--as", FLO).code == 0
    terms = '{"offered": [], "options": {"dealing": "hand"}}'
    assert pit.do("open_table", "rulebook=md-uth", f"submission={terms}", by=FLO).code == 0
    deal(pit)
    assert pit.do("act", "seat=1", "action=4x", by=ANN).code == 0
    flop = pit.do("reveal", by=DAN)
    burned = {str(card) for card in pit.round().burned}
    assert burned
    assert not _cards_in(flop.text) & burned
    told = croupier("replay", "T1", "1", "--journal", pit.journal)
    assert not _cards_in(told.text) & burned


def _cards_in(text: str) -> set[str]:
    found = {f"{rank}{suit}" for rank, suit in re.findall(r"\b([2-9TJQKA])([cdhs])\b", text)}
    glyphs = dict(zip("♣♦♥♠", "cdhs", strict=True))
    return found | {
        f"{rank.replace('10', 'T')}{glyphs[suit]}"
        for rank, suit in re.findall(r"([2-9JQKA]|10)([♣♦♥♠])", text)
    }


def test_a_refused_command_ends_with_1_code_sentence_and_clause(pit: Pit) -> None:
    seat_ann(pit)
    ran = pit.do("deal", "--json", by=ANN)
    assert ran.code == 1
    assert ran.error == {
        "code": "wrong_role",
        "message": "a player may not deal the cards: that takes a dealer",
        "clause": "10.A(1)",
    }
    assert "a player may not deal the cards: that takes a dealer [10.A(1)]" in ran.err
    assert pit.do("deal", by=DAN).code == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("do", "T1", "dela", "--as", DAN), "did you mean 'deal'?"),
        (("do", "T1", "fill", "slip=F", "--as", FLO), "fill lacks amount: it takes amount=DOLLARS"),
        (("do", "T1", "fill", "amount=x", "slip=1", "--as", FLO), "'x' is not an amount"),
        (("do", "T1", "fill", "amuont=5", "--as", FLO), "did you mean 'amount'?"),
        (("do", "T1", "fill", "amount=5", "amount=6", "--as", FLO), "amount is there twice"),
        (("do", "T1", "deal", "now", "--as", DAN), "deal takes no field"),
        (("do", "T1", "tip", "amount=5", "--as", DAN), "tip lacks player"),
        (("do", "T1", "open_betting", "deck=As", "--as", DAN), "unknown field of open_betting"),
        (("do", "T1", "act", "seat=99", "action=x", "--as", ANN), "`int` <= 20 - at `$.seat`"),
        (("do", "T1", "enter_cards", "place=boks", "cards=As", "--as", DAN), "did you mean 'box'?"),
        (("do", "T1", "deal"), "who acts? Add --as ROLE:NAME, as in --as dealer:Dan"),
        (("do", "T1", "deal", "--as", "Dan"), "write ROLE:NAME, as in dealer:Dan"),
        (("do", "T1", "deal", "--as", "floor:Flo"), "did you mean 'floorperson'?"),
        (("do", "T1", "deal", "--foresee", "--as", DAN), "deal cannot be foreseen"),
        (("do", "T9", "deal", "--as", DAN), "did you mean 'T1'?"),
        (("show", "T9"), "did you mean 'T1'?"),
        (("close", "T9", "--as", FLO), "did you mean 'T1'?"),
        (("open", "md-uht", "--as", FLO), "did you mean 'md-uth'?"),
        (("open", "nowhere.toml", "--as", FLO), "nowhere.toml cannot be read"),
        (("open", "md-uth", "--inventory", "lots", "--as", FLO), "'lots' is not an amount"),
        (("open", "md-uth", "--name", "A B", "--as", FLO), "cannot name a table"),
        (("open", "md-uth"), "who acts?"),
    ],
)
def test_what_cannot_be_understood_ends_with_2_and_says_what_is_right(
    pit: Pit, words: tuple[str, ...], says: str
) -> None:
    ran = pit(*words)
    assert ran.code == 2
    assert says in ran.err
    assert not ran.out
    assert pit(*words, "--json").error["message"] in ran.err


def test_a_submission_opens_its_table_with_the_meters(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "journal.db")
    ran = pit("open", SUBMISSION, "--name", "T1", "--link", "L", "--as", FLO, "--json")
    assert ran.code == 0
    assert "meter mega: seed $25,000, reset $25,000, rate 12%" in ran.json["told"]
    shown = pit.show("--json").json
    assert shown["link"] == "L"
    assert shown["meters"]["mega"] == "25000.00"
    assert shown["inventory"] == "10000.00"


def test_a_submission_with_errors_is_told_clause_by_clause_and_nothing_opens(
    tmp_path: Path,
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(SUBMISSION.read_text("utf-8").replace('"C"', '"Z"'), "utf-8")
    pit = Pit(tmp_path / "journal.db")
    ran = pit("open", bad, "--as", FLO)
    assert ran.code == 1
    assert "error [12.D(1)] unknown paytable for 'progressive' 'Z'" in ran.text
    assert "The table does not open" in ran.text
    told = pit("open", bad, "--as", FLO, "--json").json
    assert told["error"]["code"] == "submission_invalid"
    assert [finding["clause"] for finding in told["findings"]] == ["12.E'", "12.D(1)"]
    assert not pit.journal.exists()


def test_a_rulebook_of_ones_own_opens_a_live_table(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "journal.db")
    words = ("open", EXAMPLES / "harbour-holdem.toml", "--source", "live", "--as", "operator:Olga")
    assert "live cards entered by the dealer" in pit(*words).text
    assert pit.show("--json").json["rulebook"] == "harbour-holdem"


def test_tables_are_listed_and_named_one_after_the_other(pit: Pit) -> None:
    assert pit("open", "md-235", "--as", FLO, "--json").json["table"] == "T2"
    rows = pit("list", "--json").json["tables"]
    assert [(row["table"], row["rulebook"], row["open"]) for row in rows] == [
        ("T1", "md-uth", True),
        ("T2", "md-235", True),
    ]
    assert "Ultimate Texas Hold'em" in pit("list").text
    again = pit("open", "md-uth", "--name", "T1", "--as", FLO, "--json")
    assert (again.code, again.error["code"]) == (1, "already_done")


def test_the_data_folder_holds_the_journal_when_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path / "data"))
    assert "make one with `croupier table open`" in croupier("table", "list").err
    assert croupier("table", "open", "md-uth", "--as", FLO).code == 0
    assert (tmp_path / "data/journal.db").exists()
    assert len(croupier("table", "list", "--json").json["tables"]) == 1


def test_a_command_that_arrives_twice_under_its_key_is_done_once(pit: Pit) -> None:
    fill = ("fill", "amount=5", "slip=F-1", "--request", "k", "--json")
    first, second = pit.do(*fill, by=FLO).json, pit.do(*fill, by=FLO).json
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert first["version"] == second["version"]
    other = pit.do("fill", "amount=6", "slip=F-1", "--request", "k", "--json", by=FLO)
    assert (other.code, other.error["code"]) == (1, "key_reused")
    other_slip = ("fill", "amount=5", "slip=F-2", "--request", "k", "--json")
    assert pit.do(*other_slip, by="operator:Olga").json["repeated"] is False


def test_a_decision_is_foreseen_and_nothing_happens(pit: Pit) -> None:
    deal(pit)
    before = pit.show("--json").json
    ran = pit.do("void_round", "reason=a test", "--foresee", "--json", by=FLO)
    assert ran.json["foreseen"] is True
    assert ran.json["told"] == ["the round is void, by Flo: a test", "Ann gets $20"]
    assert pit.show("--json").json == before


def test_a_table_with_a_round_in_play_closes_for_a_reason_only(pit: Pit) -> None:
    deal(pit)
    assert pit("close", "T1", "--as", FLO).code == 1
    ran = pit("close", "T1", "--void-reason", "a water leak", "--as", FLO)
    assert ran.code == 0
    assert "the round is void, by Flo: a water leak" in ran.text
    assert pit.show("--json").json["racks"] == {"Ann": "1000.00"}


def test_words_too_long_for_the_journal_are_refused_before_they_are_written(pit: Pit) -> None:
    """A reason of 301 letters was written once, and the table could never be read again."""
    deal(pit)
    ended = pit("close", "T1", "--void-reason", "x" * 301, "--as", FLO)
    assert (ended.code, ended.text) == (2, "")
    for link in ("x" * 61, "a b", "a\nb"):
        assert pit("open", "md-uth", "--link", link, "--as", FLO).code == 2
    assert pit.show().code == 0
    assert croupier("verify", "--journal", pit.journal).code in WHOLE
    assert pit("list", "--json").json["tables"][0]["open"]


@pytest.mark.parametrize("who", ["dealer:A:B", "dealer:A\nB", "dealer:" + "x" * 61, "dealer: "])
def test_who_acts_has_a_name_that_can_be_told(pit: Pit, who: str) -> None:
    """With a colon in it, the request keys of two people could be the same."""
    ended = pit.do("open_betting", "--request", "c", by=who)
    assert ended.code == 2
    assert pit.do("open_betting", "--request", " ", by=DAN).code == 2
    assert pit.round().number == 0


def test_a_table_shows_what_is_next_and_by_whom(pit: Pit) -> None:
    assert "next Take a seat: take_seat (player)" in pit.show().text
    deal(pit)
    assert "Ann (seat 1) says one of: 4x, 3x, check" in pit.show().text
    assert "[11.A(1)]" in pit.show().text


def test_a_live_table_asks_for_the_care_of_its_deck_first(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "journal.db")
    approved = [
        word
        for name in ("layout", "boxes")
        for word in ("--approval", f"{name}=A-1,2026-11-15,Commission")
    ]
    assert pit("open", "md-uth", "--source", "live", *approved, "--as", FLO).code == 0
    assert pit.do("receive-deck", "back=red", "cover_cards=2", by=DAN).code == 0
    assert pit.show("--json").json["next"] == [
        "The red deck: The dealer looks at every card for defects. (dealer) [4.A]"
    ]


def test_without_a_command_all_of_them_are_listed(pit: Pit) -> None:
    for ran in (pit("do"), pit("do", "T1")):
        assert ran.code == 0
        assert all(tag in ran.text for tag in COMMANDS)
        assert "wagers.NAME=DOLLARS" in ran.text


@given(
    st.sampled_from(list(COMMANDS)),
    st.lists(
        st.tuples(
            st.sampled_from(["seat", "amount", "wagers.ante", "cards", "slip", "x"]), st.text()
        )
    ),
)
@settings(max_examples=60, deadline=None)
def test_no_words_break_the_program(tag: str, pairs: list[tuple[str, str]]) -> None:
    words = [f"{name}={value}" for name, value in pairs]
    ran = croupier("table", "do", "T1", tag, *words, "--as", FLO, "--journal", "nowhere", "--json")
    assert ran.code == 2
    assert ran.error["code"] != "internal"


def test_the_page_about_tables_shows_what_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "tables.md").read_text("utf-8")
    section = text.partition("## From the command line")[2].partition("```console")[2]
    lines = section.partition("```")[0].strip().splitlines()
    assert len(lines) == 12
    for line in lines:
        program, *words = shlex.split(line)
        ran = croupier(*words)
        assert (program, ran.code) == ("croupier", 0), ran.err
