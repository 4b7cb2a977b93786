"""What the documents want on a table's felt or on a sign beside it."""

from __future__ import annotations

import re

import pytest

from croupier.money import To, parse_cents
from croupier.reports.signs import clauses_shown
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.contract import OPTIONAL, PAYTABLES, RULEBOOKS
from tests.rules.boards import Board, board
from tests.rules.table import seat, settle

MARYLAND = ("md-uth", "md-jackpot", "md-wpt", "md-235")


def beside(shown: Board, left: str, right: str) -> bool:
    """The two spots share a row, the second one place to the player's right."""
    one, other = shown.spots[left], shown.spots[right]
    return one.row == other.row and other.across - one.across == 1


# -- every Maryland document --------------------------------------------------------------------


@pytest.mark.clause("md-uth", "2.B", "2.B(1)")
@pytest.mark.clause("md-jackpot", "2.B", "2.B(1)")
@pytest.mark.clause("md-wpt", "2.B", "2.B(1)")
@pytest.mark.clause("md-235", "2.B", "2.B(1)")
@pytest.mark.parametrize("rulebook", MARYLAND)
def test_2_B_1_the_operators_name_is_on_the_layout(rulebook: str) -> None:
    shown = board(rulebook, operator="The Grand & Sons")
    assert shown.sign.layout_clause == "2.B"
    assert shown.areas["name"].clause == "2.B(1)"
    assert ">The Grand &amp; Sons</text>" in shown.svg
    assert shown.sign.missing == ()


@pytest.mark.clause("md-uth", "2.B(1)")
@pytest.mark.clause("md-jackpot", "2.B(1)")
@pytest.mark.clause("md-wpt", "2.B(1)")
@pytest.mark.clause("md-235", "2.B(1)")
@pytest.mark.parametrize("rulebook", MARYLAND)
def test_2_B_1_a_submission_without_a_name_is_told_so(rulebook: str) -> None:
    missing = board(rulebook, operator="").sign.missing
    assert "2.B(1)" in [one.asked_by for one in missing]


@pytest.mark.clause("md-uth", "2.B(3)")
@pytest.mark.clause("md-jackpot", "2.B(3)")
@pytest.mark.clause("md-wpt", "2.B(3)")
@pytest.mark.clause("md-235", "2.B(5)")
@pytest.mark.parametrize(
    ("rulebook", "clause", "cards"),
    [
        ("md-uth", "2.B(3)", 5),
        ("md-jackpot", "2.B(3)", 5),
        ("md-wpt", "2.B(3)", 5),
        ("md-235", "2.B(5)", 2),
    ],
)
def test_2_B_the_community_cards_lie_directly_in_front_of_the_chip_tray(
    rulebook: str, clause: str, cards: int
) -> None:
    shown = board(rulebook)
    community, tray = shown.areas["community"], shown.areas["chips"]
    assert (community.clause, community.cards) == (clause, cards)
    assert (community.row, community.across) == (tray.row + 1, tray.across)
    assert shown.drawn(f"Community cards [{clause}]") == 1


@pytest.mark.clause("md-uth", "2.B(4)")
@pytest.mark.clause("md-jackpot", "2.B(4)")
@pytest.mark.clause("md-wpt", "2.B(4)")
@pytest.mark.parametrize("rulebook", MARYLAND[:3])
def test_2_B_4_the_dealers_two_cards_have_a_place_of_their_own(rulebook: str) -> None:
    shown = board(rulebook)
    dealer = shown.areas["dealer"]
    assert (dealer.clause, dealer.cards) == ("2.B(4)", 2)
    taken = [(area.row, area.across) for area in shown.sign.areas if not area.each]
    assert len(set(taken)) == len(taken)
    assert shown.drawn("Dealer's cards [2.B(4)]") == 0
    assert shown.drawn("Dealer&#x27;s cards [2.B(4)]") == 1


PROGRESSIVE = {"md-uth": "2.B(5)", "md-jackpot": "2.B(5)", "md-wpt": "2.B(5)", "md-235": "2.B(7)"}


@pytest.mark.clause("md-uth", "2.B(5)", "2.C(1)")
@pytest.mark.clause("md-jackpot", "2.B(5)", "2.C(1)")
@pytest.mark.clause("md-wpt", "2.B(5)", "2.C(1)")
@pytest.mark.clause("md-235", "2.B(7)", "2.C(1)")
@pytest.mark.parametrize("rulebook", MARYLAND)
def test_2_B_the_progressive_has_a_spot_and_a_device_at_each_position(rulebook: str) -> None:
    shown = board(rulebook, offered=["progressive"])
    spot = shown.spots["progressive"]
    assert (spot.clause, spot.device_clause) == (PROGRESSIVE[rulebook], "2.C(1)")
    assert shown.drawn(f"Progressive [{spot.clause}]") == 6
    assert shown.svg.count('class="lamp"') == 6
    assert "progressive" not in board(rulebook, offered=[]).spots
    assert 'class="lamp"' not in board(rulebook, offered=[]).svg


OTHERS = [
    ("md-uth", "six_card_bonus", "Six Card Bonus", "2.B(6)"),
    ("md-jackpot", "player_bonus", "Player Bonus", "2.B(6)"),
    ("md-wpt", "pocket_bonus", "Pocket Bonus", "2.B(6)"),
    ("md-wpt", "trips_plus", "Trips Plus", "2.B(7)"),
    ("md-235", "win_em_all", "Win&#x27;em All", "2.B(6)"),
]


@pytest.mark.clause("md-uth", "2.B(6)")
@pytest.mark.clause("md-jackpot", "2.B(6)")
@pytest.mark.clause("md-wpt", "2.B(6)", "2.B(7)")
@pytest.mark.clause("md-235", "2.B(6)")
@pytest.mark.parametrize(("rulebook", "wager", "title", "clause"), OTHERS)
def test_2_B_an_optional_wager_on_offer_has_its_spot_at_each_position(
    rulebook: str, wager: str, title: str, clause: str
) -> None:
    shown = board(rulebook, offered=[wager])
    assert shown.spots[wager].clause == clause
    assert shown.drawn(f"{title} [{clause}]") == 6
    assert wager not in board(rulebook, offered=[]).spots


@pytest.mark.clause("md-uth", "2.B(7)")
@pytest.mark.clause("md-jackpot", "2.B(7)")
@pytest.mark.clause("md-wpt", "2.B(8)")
@pytest.mark.clause("md-235", "2.B(8)")
@pytest.mark.parametrize("rulebook", MARYLAND)
def test_2_B_every_line_of_every_paytable_in_force_is_on_the_sign(rulebook: str) -> None:
    odds = "2.B(7)" if rulebook in {"md-uth", "md-jackpot"} else "2.B(8)"
    file = load_rulebook(rulebook)
    for family, ids in PAYTABLES[rulebook].items():
        for table_id in ids:
            # The Envy Bonus goes with the progressive's letter.
            chosen = {"progressive" if family.startswith("envy") else family: table_id}
            rules = put_in_force(file, Submission(paytables=chosen))
            shown = board(rulebook, paytables=chosen).sign
            told = {
                (cell.clause, cell.says)
                for table in shown.paytables
                for row in table.rows
                for cell in row.cells
            }
            for line in rules.book.paytables[family][table_id].lines:
                share = re.fullmatch(r"(\d+%) of (\w+)", line.pays)
                meter = "the meter" if share and share[2] == "main" else ""
                says = f"{share[1]} of {meter or share[2].capitalize()}" if share else line.pays
                assert (line.clause, says) in told, (family, table_id, line)
            assert {table.asked_by for table in shown.paytables} == {odds}


@pytest.mark.clause("md-uth", "2.B(7)")
@pytest.mark.clause("md-jackpot", "2.B(7)")
@pytest.mark.clause("md-wpt", "2.B(8)")
@pytest.mark.clause("md-235", "2.B(8)")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_2_B_every_wager_on_offer_and_no_other_is_paid_by_the_sign(rulebook: str) -> None:
    for wager in OPTIONAL[rulebook]:
        offered = board(rulebook, offered=[wager]).sign
        title = load_rulebook(rulebook).default.wagers[wager].title
        assert title in [table.title for table in offered.paytables]
        without = board(rulebook, offered=[]).sign
        assert title not in [table.title for table in without.paytables]
    first = board(rulebook, offered=[]).sign.paytables[0]
    decided = [w for w in load_rulebook(rulebook).default.wagers.values() if w.role == "decided"]
    assert {wager.title for wager in decided} <= {row.hand for row in first.rows}


# -- md-uth ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "2.B(2)")
def test_md_uth_2_B_2_four_spots_and_an_equal_symbol_left_of_the_blind() -> None:
    shown = board("md-uth")
    spots = shown.spots
    assert {spots[name].clause for name in ("ante", "blind", "play", "trips")} == {"2.B(2)"}
    assert beside(shown, "ante", "blind")
    assert spots["ante"].symbol == "="
    assert [name for name, spot in spots.items() if spot.symbol] == ["ante"]
    for title in ("Ante", "Blind", "Play", "Trips"):
        assert shown.drawn(f"{title} [2.B(2)]") == 6
    assert shown.svg.count(">=</text>") == 6
    assert board("md-uth", offered=[]).drawn("Trips [2.B(2)]") == 6, "it is wanted in any case"


@pytest.mark.clause("md-uth", "2.B(8)(a)")
def test_md_uth_2_B_8_a_the_ante_pushes_below_a_pair() -> None:
    told = [("The Ante pushes if the dealer has less than a pair", "2.B(8)(a)")]
    shown = board("md-uth")
    assert shown.told("unqualified_push") == shown.inscribed("unqualified_push") == told


@pytest.mark.clause("md-uth", "2.B(8)(b)")
@pytest.mark.parametrize(("blind", "least"), [("A", "a straight"), ("B", "a flush")])
def test_md_uth_2_B_8_b_the_blind_pushes_as_its_paytable_says(blind: str, least: str) -> None:
    words = f"The Blind pushes if the winning hand is not {least} or better"
    shown = board("md-uth", paytables={"blind": blind})
    assert shown.told("win_push") == shown.inscribed("win_push") == [(words, "2.B(8)(b)")]
    assert shown.pays("Blind")[f"Less than {least}"] == "push"
    assert ("Straight" in shown.pays("Blind")) == (blind == "A")


@pytest.mark.clause("md-uth", "2.B(8)(c)")
def test_md_uth_2_B_8_c_play_is_a_multiple_of_the_ante() -> None:
    shown = board("md-uth")
    assert shown.told("multiples") == shown.inscribed("multiples")
    assert shown.told("multiples") == [
        ("Play: 4 or 3 times the Ante before the community cards, or check", "2.B(8)(c)"),
        ("Play: 2 times the Ante after the first three community cards, or check", "2.B(8)(c)"),
        ("Play: equal to the Ante after all five community cards, or fold", "2.B(8)(c)"),
    ]


LIMITED = [("md-uth", "2.B(8)(d)"), ("md-jackpot", "2.B(8)(c)"), ("md-wpt", "2.B(9)(b)")]


@pytest.mark.clause("md-uth", "2.B(8)(d)", "2.B(9)")
@pytest.mark.clause("md-jackpot", "2.B(8)(c)", "2.B(9)")
@pytest.mark.clause("md-wpt", "2.B(9)(b)", "2.B(10)")
@pytest.mark.parametrize(("rulebook", "clause"), LIMITED)
def test_2_B_the_felt_refers_to_the_limit_that_the_sign_states(rulebook: str, clause: str) -> None:
    shown = board(rulebook, offered=[], options={"payout_limit": 60000, "minimum_wager": 10})
    generic = "This game is subject to the posted payout limit"
    assert shown.inscribed("payout_limit") == [(generic, clause)]
    words = "Payout limit per hand: $60,000 on all wagers, taken together"
    assert shown.told("payout_limit") == [(words, clause)]
    assert shown.sign.sign_clause == {"md-wpt": "2.B(10)"}.get(rulebook, "2.B(9)")
    none = board(rulebook, offered=[])
    assert none.told("payout_limit") == [("No payout limit per hand has been set", clause)]
    assert none.inscribed("payout_limit") == [], "the felt refers to no limit that is not there"


@pytest.mark.clause("md-uth", "2.B(8)(d)")
def test_md_uth_2_B_8_d_the_limit_names_what_it_leaves_alone() -> None:
    shown = board("md-uth", options={"payout_limit": 50000, "minimum_wager": 15})
    ((words, _),) = shown.told("payout_limit")
    assert "except Six Card Bonus and Progressive" in words


@pytest.mark.clause("md-uth", "2.B(9)")
@pytest.mark.clause("md-jackpot", "2.B(9)")
@pytest.mark.clause("md-wpt", "2.B(10)")
@pytest.mark.parametrize("rulebook", MARYLAND[:3])
def test_2_B_the_sign_tells_all_that_the_felt_must_tell(rulebook: str) -> None:
    shown = board(rulebook, options={"payout_limit": 60000, "minimum_wager": 10})
    wanted = load_rulebook(rulebook).default.layout
    assert wanted is not None
    for kind, clause in wanted.notices.items():
        assert {asked for _, asked in shown.told(kind)} == {clause}
        assert {asked for _, asked in shown.inscribed(kind)} == {clause}


# -- md-jackpot -----------------------------------------------------------------------------------


@pytest.mark.clause("md-jackpot", "2.B(2)")
def test_md_jackpot_2_B_2_the_x_tra_bonus_is_right_of_the_ante_after_a_plus() -> None:
    shown = board("md-jackpot")
    assert {shown.spots[n].clause for n in ("ante", "x_tra_bonus", "play")} == {"2.B(2)"}
    assert beside(shown, "ante", "x_tra_bonus")
    assert shown.spots["ante"].symbol == "+"
    assert shown.svg.count(">+</text>") == 6
    for title in ("Ante", "X-tra Bonus", "Play"):
        assert shown.drawn(f"{title} [2.B(2)]") == 6


@pytest.mark.clause("md-jackpot", "2.B(8)(a)")
def test_md_jackpot_2_B_8_a_the_dealer_qualifies_with_a_pair() -> None:
    told = [("The dealer qualifies with a pair or better", "2.B(8)(a)")]
    shown = board("md-jackpot")
    assert shown.told("qualifies") == shown.inscribed("qualifies") == told


@pytest.mark.clause("md-jackpot", "2.B(8)(b)")
def test_md_jackpot_2_B_8_b_play_is_a_multiple_of_the_ante() -> None:
    shown = board("md-jackpot")
    assert shown.told("multiples") == shown.inscribed("multiples")
    assert shown.told("multiples") == [
        ("Play: 3 times the Ante after the first community card, or check", "2.B(8)(b)"),
        ("Play: 2 times the Ante after the first three community cards, or check", "2.B(8)(b)"),
        ("Play: equal to the Ante after all five community cards, or fold", "2.B(8)(b)"),
    ]


def test_md_jackpot_a_reading_changes_what_the_sign_says() -> None:
    shown = board("md-jackpot", readings={"ante_when_dealer_below_pair": "lost_when_beaten"})
    ((words, _),) = shown.told("unqualified_push")
    assert words.endswith("less than a pair, unless the dealer's hand is the higher one")


# -- md-wpt ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-wpt", "2.B(2)")
def test_md_wpt_2_B_2_ante_odds_and_raise_have_their_spots() -> None:
    shown = board("md-wpt", offered=[])
    assert list(shown.spots) == ["ante", "odds", "raise"]
    for title in ("Ante", "Odds", "Raise"):
        assert shown.drawn(f"{title} [2.B(2)]") == 6


@pytest.mark.clause("md-wpt", "2.B(9)(a)")
def test_md_wpt_2_B_9_a_the_ante_pushes_below_a_pair() -> None:
    told = [("The Ante pushes if the dealer has less than a pair", "2.B(9)(a)")]
    shown = board("md-wpt")
    assert shown.told("unqualified_push") == shown.inscribed("unqualified_push") == told


@pytest.mark.clause("md-wpt", "2.B(8)")
def test_md_wpt_2_B_8_the_bad_beat_bonus_is_on_the_sign() -> None:
    shown = board("md-wpt", paytables={"bad_beat_bonus": "D"})
    assert shown.table("Bad Beat Bonus").on.endswith("part of the Odds wager")
    assert shown.pays("Bad Beat Bonus") == {
        "Straight flush": "500 to 1",
        "Four of a kind": "25 to 1",
        "Full house": "6 to 1",
        "Flush": "5 to 1",
        "Straight": "4 to 1",
    }


# -- md-235 ---------------------------------------------------------------------------------------


@pytest.mark.clause("md-235", "2.B(2)", "2.B(3)")
def test_md_235_2_B_2_and_3_three_spots_and_each_raise_below_its_own() -> None:
    shown = board("md-235")
    for name in ("two", "three", "five"):
        assert shown.spots[f"{name}_card_poker"].clause == "2.B(2)"
    for number, name in ((3, "three"), (5, "five")):
        wager, tied = shown.spots[f"{name}_card_poker"], shown.spots[f"{name}_card_raise"]
        assert tied.clause == "2.B(3)"
        assert (tied.row, tied.across) == (wager.row + 1, wager.across)
        assert shown.drawn(f"{number} Card Poker [2.B(2)]") == 6
        assert shown.drawn(f"{number} Card Raise [2.B(3)]") == 6
    assert shown.drawn("2 Card Poker [2.B(2)]") == 6


@pytest.mark.clause("md-235", "2.B(4)")
def test_md_235_2_B_4_each_position_has_a_place_for_its_third_card() -> None:
    shown = board("md-235")
    area = shown.areas["third_card"]
    assert (area.each, area.clause, area.cards) == (True, "2.B(4)", 1)
    assert (area.row, area.across) not in [(s.row, s.across) for s in shown.sign.spots]
    assert shown.drawn("3rd card [2.B(4)]") == 6


@pytest.mark.clause("md-235", "2.B(9)")
def test_md_235_2_B_9_the_limit_itself_is_inscribed() -> None:
    shown = board("md-235", options={"payout_limit": 50000, "minimum_wager": 10})
    words = "Payout limit per hand: $50,000 on all wagers except Progressive, taken together"
    assert shown.told("payout_limit") == shown.inscribed("payout_limit") == [(words, "2.B(9)")]
    assert shown.sign.missing == ()
    low = board("md-235", options={"payout_limit": 40000, "minimum_wager": 10})
    assert low.told("payout_limit") == [(words.replace("50,000", "40,000"), "2.B(9)")]


@pytest.mark.clause("md-235", "2.B(9)", "12.K", "12.K(2)")
@pytest.mark.parametrize(("minimum", "limit"), [(None, "$50,000"), (45, "$50,085"), (5, "$50,000")])
def test_md_235_2_B_9_with_no_limit_stated_the_sign_states_the_one_of_12_K(
    minimum: int | None, limit: str
) -> None:
    shown = board("md-235", options={} if minimum is None else {"minimum_wager": minimum})
    words = f"Payout limit per hand: {limit} on all wagers except Progressive, taken together"
    assert shown.told("payout_limit") == shown.inscribed("payout_limit") == [(words, "2.B(9)")]
    assert shown.sign.missing == ()


def test_md_235_a_reading_changes_what_the_sign_says() -> None:
    assert board("md-235").pays("3 Card Raise and 5 Card Raise") == {
        "3 Card Raise": "same odds as 3 Card Poker",
        "5 Card Raise": "same odds as 5 Card Poker",
    }
    even = board("md-235", readings={"raise_pays": "even_money"})
    assert set(even.pays("3 Card Raise and 5 Card Raise").values()) == {"1 to 1"}
    pushes = board("md-235", readings={"five_card_low_pair": "pushes"})
    assert pushes.pays("5 Card Poker")["Pair not named above"] == "push"


# -- ma-uth ---------------------------------------------------------------------------------------


@pytest.mark.clause("ma-uth", "10(a)")
@pytest.mark.parametrize("table", PAYTABLES["ma-uth"]["progressive"])
def test_ma_uth_10_a_odds_are_told_with_to_or_win_and_never_with_for(table: str) -> None:
    shown = board("ma-uth", paytables={"progressive": table})
    assert shown.sign.odds_worded_by == "10(a)"
    for paytable in shown.sign.paytables:
        for row in paytable.rows:
            for cell in row.cells:
                worded = r"[\d,]+ to \d+|wins \d+% of [\w ]+|push|\$[\d,]+"
                assert re.fullmatch(worded, cell.says), cell
        for text in (paytable.title, paytable.on, *paytable.columns, *paytable.notes):
            assert "for" not in re.findall(r"\w+", text.lower())
    for notice in (*shown.sign.notices, *shown.sign.inscriptions):
        assert "for" not in re.findall(r"\w+", notice.words.lower())


@pytest.mark.clause("ma-uth", "10(a)")
@pytest.mark.parametrize(
    ("hand", "cards", "flop", "says"),
    [
        ("Four of a kind", "9s 9h", "9d 9c 2d", "299 to 1"),
        ("Full house", "9s 9h", "9d 2c 2d", "49 to 1"),
        ("Three of a kind", "9s 9h", "9d 3c 2d", "8 to 1"),
    ],
)
def test_ma_uth_10_a_the_sign_is_worded_anew_and_the_money_is_the_documents(
    hand: str, cards: str, flop: str, says: str
) -> None:
    """300 for 1 and 299 to 1 are the same money; the sign must promise what is paid."""
    assert board("ma-uth").pays("Progressive")[hand] == says
    settled = settle(
        "ma-uth",
        seat(cards, "4x", ante=10, blind=10, progressive=5),
        community=f"{flop} Kh 7s",
        dealer="Qs Jh",
        meters={"main": 50000},
    )
    odds = To(int(says.split(maxsplit=1)[0]), 1)
    assert parse_cents(settled.net("progressive")) == odds.winnings(500)


def test_only_massachusetts_words_odds_anew() -> None:
    assert board("md-235").pays("Progressive")["Four of a kind"] == "300 for 1"
    assert [board(name).sign.odds_worded_by for name in MARYLAND] == [""] * 4


@pytest.mark.clause("ma-uth", "12(e)")
def test_ma_uth_12_e_the_odds_of_cover_all_are_shown_by_the_number_of_hands() -> None:
    table = board("ma-uth").table("Cover All")
    assert table.columns == ("7", "6", "5", "4", "3", "2")
    says = {row.hand: [cell.says for cell in row.cells] for row in table.rows}
    assert says["Royal flush"] == [f"{odds} to 1" for odds in (70, 80, 100, 125, 150, 200)]
    assert says["Full house"] == [f"{odds} to 1" for odds in (4, 4, 5, 6, 8, 12)]
    pushing = board("ma-uth", readings={"cover_all_below_full_house": "pushes"}).table("Cover All")
    assert {row.hand for row in pushing.rows if row.cells[0].says == "push"} == {
        "Three of a kind",
        "Straight",
        "Flush",
    }


def test_ma_uth_envy_and_meters_are_told_as_they_are_read() -> None:
    shown = board("ma-uth", paytables={"progressive": "PTMGL02"})
    assert shown.pays("Envy Bonus") == {"Royal flush": "$5,000", "Straight flush": "$1,500"}
    assert shown.pays("Progressive meters") == {"The meter": "$50,000"}
    scaled = board("ma-uth", readings={"envy_scales": "yes", "progressive_seeds_scale": "no"})
    assert scaled.pays("Envy Bonus") == {"Royal flush": "$5,000", "Straight flush": "$1,500"}
    assert scaled.pays("Progressive meters") == {"The meter": "$10,000"}


def test_ma_uth_both_limits_are_told() -> None:
    words = [words for words, _ in board("ma-uth").told("payout_limit")]
    assert [re.findall(r"\$[\d,]+", one) for one in words] == [["$50,000"], ["$75,000"]]


# -- all of them ----------------------------------------------------------------------------------

DISPLAYS = {
    "md-uth": "2.B 2.B(1) 2.B(2) 2.B(3) 2.B(4) 2.B(5) 2.B(6) 2.B(7) 2.B(8)(a) 2.B(8)(b) 2.B(8)(c) "
    "2.B(8)(d) 2.B(9) 2.C(1)",
    "md-jackpot": "2.B 2.B(1) 2.B(2) 2.B(3) 2.B(4) 2.B(5) 2.B(6) 2.B(7) 2.B(8)(a) 2.B(8)(b) "
    "2.B(8)(c) 2.B(9) 2.C(1)",
    "md-wpt": "2.B 2.B(1) 2.B(2) 2.B(3) 2.B(4) 2.B(5) 2.B(6) 2.B(7) 2.B(8) 2.B(9)(a) 2.B(9)(b) "
    "2.B(10) 2.C(1)",
    "md-235": "2.B 2.B(1) 2.B(2) 2.B(3) 2.B(4) 2.B(5) 2.B(6) 2.B(7) 2.B(8) 2.B(9) 2.C(1)",
    "ma-uth": "10(a)",
}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_that_wants_something_shown_is_named_by_the_sign(rulebook: str) -> None:
    assert set(DISPLAYS[rulebook].split()) <= clauses_shown(board(rulebook).sign)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_paid_cell_names_its_clause(rulebook: str) -> None:
    for table in board(rulebook).sign.paytables:
        for row in table.rows:
            assert all(cell.clause for cell in row.cells if cell.says), (table.title, row)
