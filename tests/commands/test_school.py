"""`croupier school`: exercises for the terminal and for other programs."""

from __future__ import annotations

from tests.commands.program import croupier


def test_a_seed_makes_the_same_exercise_and_the_answer_decides_the_exit_code() -> None:
    words = ("school", "drill", "md-uth", "--skill", "payout.amount", "--seed", "7", "--json")
    asked = croupier(*words)
    assert asked.code == 0, asked.err
    assert "right" not in asked.json
    assert "correction" not in asked.json
    solved = croupier(*words, "--solved")
    unknown = {"answer": 0, "correction": 0}
    assert solved.json | unknown == asked.json | unknown
    assert asked.json["choices"] == []
    assert croupier(*words, "--answer", solved.json["answer"]).code == 0
    wrong = croupier(*words, "--answer", "0.01")
    assert wrong.code == 1
    assert wrong.json["is_right"] is False
    assert wrong.json["correction"]["clause"]


def test_for_people_the_scene_the_choices_and_the_correction() -> None:
    told = croupier("school", "drill", "md-uth", "--skill", "payout.total", "--solved")
    assert told.code == 0, told.err
    assert "Seat" in told.text
    assert "in all" in told.text
    listed = croupier("school", "skills", "--kind", "hands")
    assert "hands.winner" in listed.text
    assert "27 of the last 30" in listed.text


def test_a_choice_is_answered_by_its_number_and_payouts_by_chosen_paytables() -> None:
    words = ("school", "drill", "md-uth", "--skill", "hands.winner", "--json")
    right = croupier(*words, "--solved").json["right"]
    assert croupier(*words, "--answer", str(right)).code == 0
    assert croupier(*words, "--answer", str(1 if right != 1 else 2)).code == 1
    other = croupier("school", "drill", "md-uth:trips=D", "--skill", "payout.odds", "--json")
    assert other.json["rulebook"] == "md-uth:trips=D"
    assert "Trips D" in other.json["scene"]["told"][0]


def test_several_exercises_have_seeds_of_their_own() -> None:
    words = ("school", "drill", "md-235", "--kind", "hands", "--count", "3", "--json")
    seeds = [line["seed"] for line in croupier(*words).lines]
    assert seeds == ["1", "1/2", "1/3"]


def test_nonsense_is_refused_with_the_reason() -> None:
    for words, reason in (
        (("md-uht",), "md-uth"),
        (("md-uth", "--skill", "payout.amuont"), "payout.amount"),
        (("md-uth", "--kind", "luck"), "payout"),
        (("md-uth", "--skill", "hands.best", "--kind", "payout"), "not of the kind"),
        (("md-uth", "--count", "0"), "1 to 10,000"),
        (("md-uth", "--skill", "hands.best", "--answer", "x"), "number"),
        (("md-uth", "--skill", "hands.best", "--answer", "9"), "not one of the choices"),
        (("md-uth", "--skill", "hands.best", "--answer", "-1"), "not one of the choices"),
        (("md-235", "--skill", "hands.winner"), "holds no hand"),
        (("md-uth", "--skill", "payout.amount", "--answer", "lots"), "not an amount"),
        (("md-uth:trips=Z",), "known are: A, B, C, D, E"),
    ):
        ended = croupier("school", "drill", *words)
        assert ended.code == 2, words
        assert reason in ended.err
