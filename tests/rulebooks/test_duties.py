"""`duties.tsv`: every value leads somewhere, and what a table lacks is not asked of its people."""

from __future__ import annotations

import msgspec
import pytest

from croupier.errors import BadData
from croupier.rulebooks import duties
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.duties import Duty, all_duties, duties_of, keeps_folded_cards
from croupier.rulebooks.loader import RulebookFile, load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.schema import Rulebook
from croupier.rulebooks.submission import Submission

ROWS = {"md-uth": 235, "md-jackpot": 219, "md-wpt": 222, "md-235": 199, "ma-uth": 130}
"""What the list of duties had when it was taken over; rows were split and added since."""
SCREENS_OF = {
    "player": {"table"},
    "dealer": {"dealer_console", "deck_board"},
    "floorperson": {"floor"},
    "operator": {
        *("open_a_table", "approvals", "felt", "sign", "progressive_controller", "deck_board"),
    },
    "commission": {"approvals"},
}


def rules_of(document: str, offered: tuple[str, ...] | None = None, **options: object) -> Rules:
    submission = Submission(offered=offered, options=options)  # type: ignore[arg-type]
    return put_in_force(load_rulebook(document), submission)


ANSWERS = {"bet", "check"}


def kinds_of(duty: Duty, book: Rulebook) -> set[str]:
    """What a duty can go with: the answer to a question, or an accident."""
    return ANSWERS if duty.step == "ask" else set(book.irregularities)


def problems(duty: Duty, book: Rulebook) -> list[str]:
    """Everything in a duty that leads nowhere."""
    ways = set(book.dealing)
    ways |= {f"{name}/{order}" for name, way in book.dealing.items() for order in way.variants}
    optional = {name for name, wager in book.wagers.items() if wager.role == "optional"}
    moments = {
        "ask": {decision.name for decision in book.decisions},
        "reveal": {reveal.name for reveal in book.reveals},
        "shuffle": {"new", "used"},
        "award": {"progressive", "envy"},
    }
    found = [f"dealing {way}" for way in duty.dealing if way not in ways]
    found += [f"kind {kind}" for kind in duty.kind if kind not in kinds_of(duty, book)]
    if duty.wager and duty.wager not in optional:
        found.append(f"wager {duty.wager}")
    if duty.at and duty.at not in moments.get(duty.step, ()):
        found.append(f"at {duty.at}")
    if duty.screen not in SCREENS_OF[duty.role]:
        found.append(f"screen {duty.screen}")
    if duty.second and duty.second not in (*SCREENS_OF, ""):
        found.append(f"second {duty.second}")
    if not duty.words.endswith(".") or "{" in duty.words.replace("{kept}", ""):
        found.append(f"words {duty.words}")
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_value_of_every_duty_exists(document: str) -> None:
    book, clauses = load_rulebook(document).default, clauses_of(document)
    assert len(all_duties(document)) >= ROWS[document]
    for duty in all_duties(document):
        assert duty.clause in clauses
        assert problems(duty, book) == [], duty


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_duty_of_an_accident_stands_in_the_accidents_clause(document: str) -> None:
    accidents = load_rulebook(document).default.irregularities
    for duty in all_duties(document):
        for kind in set(duty.kind) - ANSWERS:
            clauses = {accidents[kind].clause, *accidents[kind].clause_by.values()}
            clauses.add(accidents[kind].saves_clause)
            assert any(c and duty.clause.startswith(c) for c in clauses) or duty.clause in (
                "7(g)(2)",
                "7(h)",
            )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_duty_stands_twice(document: str) -> None:
    rows = all_duties(document)
    keys = [(d.clause, d.role, d.step, d.words) for d in rows]
    assert len(set(keys)) == len(keys)


def test_a_value_that_does_not_exist_is_found() -> None:
    book = load_rulebook("md-uth").default
    good = Duty(clause="4.A", role="dealer", step="inspect", screen="dealer_console", words="Do.")
    assert problems(good, book) == []
    for field, value in (
        ("dealing", ("by_mail",)),
        ("kind", ("earthquake",)),
        ("wager", "ante"),
        ("at", "flop"),
        ("screen", "floor"),
        ("words", "Do {this}."),
    ):
        assert problems(msgspec.structs.replace(good, **{field: value}), book), field


@pytest.mark.parametrize(
    ("column", "value"), [("role", "butler"), ("step", "dance"), ("screen", "ceiling"), ("x", "")]
)
def test_a_row_with_a_wrong_name_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch, column: str, value: str
) -> None:
    names = ("clause", "role", "step", "at", "screen", "dealing", "needs", "wager", "kind", "words")
    row = dict.fromkeys(names, "") | {"clause": "4.A", "role": "dealer", "step": "inspect"}
    row |= {"screen": "dealer_console", "words": "Look.", column: value}
    text = "\t".join(row) + "\n" + "\t".join(row.values()) + "\n"
    monkeypatch.setattr(duties, "read_bundled", lambda *_: text)
    with pytest.raises(BadData, match="line 2"):
        duties.all_duties.__wrapped__("md-uth")


def test_a_row_with_a_cell_too_few_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duties, "read_bundled", lambda *_: "clause\trole\n4.A\n")
    with pytest.raises(BadData, match="line 2: 1 cells, but 2 columns"):
        duties.all_duties.__wrapped__("md-uth")


# -- what holds at a table -------------------------------------------------------------------------


def clauses(rules: Rules, **where: str) -> set[str]:
    return {duty.clause for duty in duties_of(rules, **where)}


def test_the_way_of_dealing_decides() -> None:
    by_hand = clauses(rules_of("md-uth", (), dealing="hand"), step="deal")
    from_shoe = clauses(rules_of("md-uth", (), dealing="manual_shoe"), step="deal")
    assert {"9.A(2)", "9.B(2)"} <= by_hand
    assert {"8.D(1)", "8.D(2)"} <= from_shoe
    assert not by_hand & from_shoe


def test_of_the_orders_of_a_shoe_only_the_one_in_force_is_told() -> None:
    first = rules_of("md-uth", dealing="automated_shoe", deal_order="dealer_first")
    last = rules_of("md-uth", dealing="automated_shoe", deal_order="dealer_last")
    assert {"10.B(3)", "10.B(4)"} & clauses(first) == {"10.B(3)"}
    assert {"10.B(3)", "10.B(4)"} & clauses(last) == {"10.B(4)"}
    assert "10.B(3)" in clauses(rules_of("md-uth", dealing="automated_shoe"))


def test_a_wager_that_is_not_offered_asks_nothing() -> None:
    assert "11.F(3)(c)" in clauses(rules_of("md-uth", ("six_card_bonus",)), step="fold")
    assert "11.F(3)(c)" not in clauses(rules_of("md-uth", ("trips",)), step="fold")
    assert not clauses(rules_of("md-uth", ("trips",)), step="validate")


def test_a_device_that_is_not_there_asks_nothing() -> None:
    plain = rules_of("md-uth", (), dealing="manual_shoe")
    two = rules_of("md-uth", (), dealing="manual_shoe", shuffler=True, decks=2)
    counting = rules_of("md-uth", (), dealing="manual_shoe", shuffler=True, shuffler_counts=True)
    assert not {"3.B(3)", "4.E", "5.E", "13.H", "13.J"} & clauses(plain)
    assert {"3.B(3)", "4.E", "13.H", "13.J"} <= clauses(two)
    assert "5.E" not in clauses(two)
    assert "5.E" in clauses(counting)
    assert not {"13.I", "13.I(2)"} & clauses(two)
    assert "13.A" not in clauses(rules_of("md-uth", dealing="automated_shoe"), step="report")


def test_a_question_has_its_own_duties_and_those_of_every_question() -> None:
    rules = rules_of("md-uth", (), dealing="hand")
    at_flop = clauses(rules, role="dealer", step="ask", at="flop")
    assert at_flop == {"11.A(1)", "11.A(2)", "11.D"}
    assert "11.C(1)" in clauses(rules, step="reveal", at="flop")
    assert "11.C(1)" not in clauses(rules, step="reveal", at="turn and river")


@pytest.mark.parametrize(
    ("document", "offered", "kept"),
    [
        ("md-uth", ("trips", "progressive"), "Trips or Progressive"),
        ("md-uth", ("play_the_board",), "other bet"),
        ("md-jackpot", None, "Player Bonus or Progressive"),
        ("md-wpt", None, "Pocket Bonus, Trips Plus or Progressive"),
        ("ma-uth", None, "Trips, Progressive or Cover All"),
    ],
)
def test_folded_cards_go_only_if_no_live_wager_needs_them(
    document: str, offered: tuple[str, ...] | None, kept: str
) -> None:
    """MD-09, A14, B18, MA-20: the words name the wagers that keep the cards at this table."""
    rules = rules_of(document, offered)
    racked = [d for d in duties_of(rules, role="dealer", step="fold") if "rack" in d.words]
    assert racked
    for duty in racked:
        assert duty.words.endswith(f", if no {kept} is live."), duty.words


def test_under_the_other_reading_a_fold_lets_the_cards_go() -> None:
    stated = Submission(readings={"side_wagers_after_fold": "lose"})
    rules = put_in_force(load_rulebook("md-uth"), stated)
    assert set(keeps_folded_cards(rules)) == {"trips", "six_card_bonus"}


def test_a_file_of_ones_own_tells_its_dealer_what_its_guide_says() -> None:
    tree = load_rulebook("md-uth").tree | {"id": "house-rules"}
    guide = {"at": "show", "words": "Tap the\ntable.", "clause": "H.1", "dealing": "hand"}
    rules = put_in_force(
        RulebookFile(tree | {"guide": [guide]}, "own"),
        Submission(offered=(), options={"dealing": "hand"}),
    )
    (told,) = duties_of(rules)
    assert (told.role, told.step, told.screen) == ("dealer", "show_dealer", "dealer_console")
    assert (told.clause, told.words) == ("H.1", "Tap the table.")
    assert duties_of(put_in_force(RulebookFile(tree, "own"), Submission())) == ()
