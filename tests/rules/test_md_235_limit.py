"""12.K of 235 Stud as people meet it: in settlement, on tables, in submissions (reading C14)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from croupier.scenarios import read_text, rehearse
from tests.commands.program import croupier, lines_of

BOOK = "md-235"
ROYAL = {
    "rulebook": BOOK,
    "community": "Js Ts",
    "seats": [
        {
            "seat": 1,
            "cards": "As Ks Qs",
            "wagers": {"two_card_poker": 100, "three_card_poker": 100, "five_card_poker": 100},
            "actions": ["raise", "raise"],
        }
    ],
}
# A royal flush at $100: 1 + 50 + 50 + 500 + 500 units.
STATED = [
    pytest.param(None, "50000.00", id="no submission"),
    pytest.param({}, "50000.00", id="nothing stated"),
    pytest.param({"minimum_wager": 10}, "50000.00", id="low minimum"),
    pytest.param({"minimum_wager": 46}, "51198.00", id="best win at 46"),
    pytest.param({"minimum_wager": 100}, "110100.00", id="best win at 100"),
    pytest.param({"minimum_wager": 10, "payout_limit": 40_000}, "40000.00", id="lower"),
    pytest.param({"minimum_wager": 10, "payout_limit": 50_000}, "50000.00", id="the sum itself"),
    pytest.param({"minimum_wager": 10, "payout_limit": 60_000}, "50000.00", id="higher"),
]


@pytest.mark.clause(BOOK, "12.K", "12.K(1)", "12.K(2)")
@pytest.mark.parametrize(("options", "won"), STATED)
def test_12_K_a_royal_at_100_dollars_wins_the_limit(
    options: dict[str, Any] | None, won: str
) -> None:
    request = ROYAL if options is None else ROYAL | {"submission": {"options": options}}
    (seat,) = croupier("settle", "--json", stdin=lines_of([request])).json["seats"]
    assert seat["net"] == won


@pytest.mark.clause(BOOK, "12.K")
def test_12_K_the_last_settled_winnings_are_cut() -> None:
    (seat,) = croupier("settle", "--json", stdin=lines_of([ROYAL])).json["seats"]
    nets = [one["net"] for one in seat["lines"]]
    assert nets == ["100.00", "5000.00", "5000.00", "39900.00", "0.00"]
    assert "The payout limit (12.K) takes $50,000 off." in seat["lines"][-1]["explanation"]


TABLE = """\
table T1 plays md-235, dealt from the hand
{terms}
inventory 500,000
Ann sits at seat 1 with 2,000
round
{cards}
Ann bets 2 card poker 100, 3 card poker 100, 5 card poker 100
no more bets
deal
Ann raises
reveal third cards
Ann raises
reveal community cards{board}
{hand}
settle
expect Ann's 5 card poker wins {last} by 12.C(1){limited}
collect
expect Ann has {rack}
"""
LIVE = {"cards": "", "board": " Js Ts", "hand": "dealer enters Ann: As Ks Qs"}
VIRTUAL = {"cards": "cards Ann: As Ks Qs; board: Js Ts", "board": "", "hand": ""}


@pytest.mark.clause(BOOK, "12.K", "12.K(2)")
@pytest.mark.parametrize("source", ["virtual", "live"])
@pytest.mark.parametrize(
    ("stated", "last", "limited", "rack"),
    [
        ("", "39,900", ", limited by 12.K", "52,000"),
        ("limit two card poker from 100", "50,000", "", "112,100"),
        ("option payout limit 40,000", "29,900", ", limited by 12.K", "42,000"),
    ],
)
def test_12_K_a_table_without_a_stated_limit_pays_up_to_the_bound(
    source: str, stated: str, last: str, limited: str, rack: str
) -> None:
    is_live = source == "live"
    terms = f"live cards\ncare not kept\n{stated}" if is_live else stated
    cards = LIVE if is_live else VIRTUAL
    text = TABLE.format(terms=terms, last=last, limited=limited, rack=rack, **cards)
    rehearsal = rehearse(read_text(text))
    assert rehearsal.holds, rehearsal


@pytest.mark.clause(BOOK, "12.K")
def test_12_K_a_higher_limit_opens_no_table_and_makes_no_sign(tmp_path: Path) -> None:
    text = Path("examples/submissions/maryland-235.toml").read_text("utf-8")
    paper = tmp_path / "paper.toml"
    paper.write_text(text.replace("payout_limit = 50000", "payout_limit = 50001"), "utf-8")
    journal = str(tmp_path / "journal.db")
    opened = croupier(
        *("table", "open", str(paper), "--as", "operator:Olga", "--journal", journal, "--json")
    )
    assert opened.code == 1
    assert opened.json["error"]["clause"] == "12.K"
    assert croupier("check", str(paper), "--json").code == 1
    assert croupier("sign", BOOK, str(paper), "--json").code == 1


def test_a_rulebook_file_that_does_not_ask_for_it_has_no_limit_unless_one_is_stated() -> None:
    """Rulebook files are public: what was valid before means the same."""
    text = read_bundled(BOOK, "game.toml").replace("unless_stated = true", "")
    assert limits_in_force(put_in_force(rulebook_from(text, BOOK), Submission())) == ()
    assert len(limits_in_force(put_in_force(load_rulebook(BOOK), Submission()))) == 1
