"""`--contribution METER=RATE` of `analyze` and `report`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.mathematics.side_wagers.analysis import analyze_side
from tests.commands.program import croupier
from tests.mathematics.dealt import rules_of

FOUR = [
    word
    for meter in ("star", "spade", "heart", "diamond")
    for word in ("--contribution", f"{meter}=0.3")
]
RATES = ("--contribution", "main=0.15")


def test_a_progressive_has_its_return_in_the_long_run() -> None:
    asked = ("analyze", "md-uth", "--wager", "progressive", "--json")
    free = croupier(*asked).json["wagers"]["progressive"]
    fed = croupier(*asked, *RATES).json["wagers"]["progressive"]
    analysis = analyze_side(rules_of("md-uth"), "progressive")
    meter = analysis.meter_figures["main"]
    back = analysis.return_without_meters + Fraction(15, 100)
    back += meter.emptied * meter.reset / meter.stake
    assert fed["long_run_return_exact"] == str(back)
    assert fed["long_run_return"] == float(back)
    assert fed["contributions"] == {"main": "3/20"}
    # In the long run a meter pays what it is fed and its reset amount each time that it is emptied.
    paid = Fraction(15, 100) * meter.stake + meter.emptied * meter.reset
    assert fed["mean_readings"] == {"main": float(paid / meter.mean_share)}
    added = {"contributions", "long_run_return", "long_run_return_exact", "mean_readings"}
    assert {name: value for name, value in fed.items() if name not in added} == free
    text = croupier("analyze", "md-uth", "--wager", "progressive", *RATES).text
    assert "progressive, fed by main 15.0000% of each stake: returns 72.465909% in" in text


def test_other_wagers_have_none() -> None:
    found = croupier("analyze", "md-uth", "--wager", "trips", *RATES, "--json").json
    assert "long_run_return" not in found["wagers"]["trips"]


def test_a_report_of_a_rulebook_has_it_too(tmp_path: Path) -> None:
    to = tmp_path / "report.json"
    words = ("report", "md-235", "--to", to, "--simulate", "500", "--without", "readings")
    fewer = ("--without", "paytables", "--without", "known-cards")
    assert croupier(*words, *fewer, *RATES).code == 0
    (progressive,) = json.loads(to.read_text("utf-8"))["progressives"]
    assert progressive["long_run_not_computed"] == ""
    analysis = analyze_side(rules_of("md-235"), "progressive")
    back = analysis.long_run_return({"main": Fraction("0.15")})
    assert progressive["long_run_return"]["exact"] == str(back)
    assert progressive["meters"][0]["rate"]["exact"] == "3/20"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("md-uth", "--contribution", "mein=0.1"), "unknown meter 'mein': did you mean 'main'?"),
        (("md-uth", "--contribution", "main=10%"), "write a share of each stake from 0 to 1"),
        (("md-uth", "--contribution", "main=1.5"), "write a share of each stake from 0 to 1"),
        (("md-uth", "--contribution", "main=-0.1"), "write a share of each stake from 0 to 1"),
        (("md-jackpot", "--contribution", "spade=0.1"), "state the share of star and heart"),
        (("md-jackpot", *FOUR), "the shares of one stake come to more than the whole"),
    ],
)
def test_rates_that_make_no_sense(words: tuple[str, ...], message: str) -> None:
    ended = croupier("analyze", *words, "--wager", "progressive", "--json")
    assert ended.code == 2
    assert message in ended.error["message"]
