"""Games with several wagers decided in play, drawn at random: Harbour Hold'em with more sails."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.mathematics.changed import dealt, decision, lines

THREE_RANKS = 0b1011 << 9  # tens, jacks and aces: full houses and four of a kind only
WAGERS = ("sail", "oars", "wind")
HANDS = ("four_of_a_kind", "full_house", "aces_full", "any_winning")
PAYS = ("1 to 1", "3 to 2", "20 to 1", "1 to 2", "4 for 1", "push")


@st.composite
def settlements(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """As a rulebook settles a wager against the dealer: even money as a rule, or anything."""

    def outcome() -> dict[str, Any]:
        do = draw(st.sampled_from(("pay", "return", "collect")))
        if do != "pay":
            return {"do": do, "clause": "x"}
        otherwise = {"do": draw(st.sampled_from(("return", "collect"))), "clause": "x"}
        return {"do": "pay", "paytable": name, "otherwise": otherwise}

    plain = {
        "higher": {"do": "pay", "paytable": "even"},
        "equal": {"do": "return", "clause": "x"},
        "lower": {"do": "collect", "clause": "x"},
    }
    own = {how: outcome() for how in ("higher", "equal", "lower")}
    found = {
        "by": "versus_dealer",
        "hand": "final",
        "folded": {"do": draw(st.sampled_from(("collect", "collect", "return"))), "clause": "x"},
        "qualified": draw(st.sampled_from((plain, own))),
    }
    return found | ({"unqualified": own} if draw(st.booleans()) else {})


@st.composite
def courses(draw: st.DrawFn) -> dict[str, Any]:
    """Reveals in some steps, and two to four decisions about up to three wagers."""
    steps = draw(st.sampled_from(((3, 1, 1), (3, 1, 1), (1, 2, 1, 1), (3, 2), (2, 1, 2))))
    reveals = {f"reveal {number}": count for number, count in enumerate(steps)}
    seen = [sum(steps[:place]) for place in range(len(steps) + 1)]
    places = sorted(draw(st.lists(st.sampled_from(seen), min_size=2, max_size=4)))
    decisions: list[dict[str, Any]] = []
    for number, place in enumerate(places):
        wager = WAGERS[draw(st.integers(0, min(number, 2)))]
        if place == 5:
            wager = next((d["wager"] for d in decisions if d["sees_community"] == 5), wager)
        multiples = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True))
        bets = {f"{multiple}x": multiple for multiple in multiples}
        otherwise = draw(st.sampled_from(("fold", "check", "check")))
        decisions.append(decision(f"d{number}", place, bets, otherwise, wager=wager))
    return dealt(reveals) | {"decisions": decisions}


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    changes: dict[str, Any] = draw(courses())
    used = {each["wager"] for each in changes["decisions"]}
    changes["paytables.even.only"] = {"clause": "x", "lines": lines(("any_winning", "1 to 1"))}
    changes["patterns.aces_full"] = {"category": ["full_house"], "made": "A"}
    for name in ("ante", "anchor", *WAGERS):
        if name in WAGERS and name not in used:
            changes[f"wagers.{name}"] = None
            changes[f"paytables.{name}"] = None
            continue
        table = "A" if name == "anchor" else "only"
        hands = draw(st.lists(st.sampled_from(HANDS), min_size=1, max_size=2, unique=True))
        paid = lines(*((hand, draw(st.sampled_from(PAYS))) for hand in hands))
        changes[f"paytables.{name}.{table}"] = {"clause": "x", "lines": paid}
        if name in WAGERS:
            changes[f"wagers.{name}"] = {"title": name.title(), "role": "decided", "clause": "x"}
        changes[f"wagers.{name}.settles"] = draw(settlements(name))
    if draw(st.booleans()):
        bonus = {
            "title": "More",
            "on": draw(st.sampled_from(("ante", *sorted(used)))),
            "clause": "x",
        }
        changes["bonuses.more"] = bonus | {"hand": "final", "paytable": "more"}
        paid = lines(("four_of_a_kind", "5 to 2"), ("aces_full", "1 to 1"))
        changes["paytables.more.only"] = {"clause": "x", "lines": paid}
    qualifier = draw(st.sampled_from((("pair", ""), ("full_house", "A"), ("four_of_a_kind", ""))))
    changes["dealer.at_least"], changes["dealer.of"] = qualifier
    return changes
