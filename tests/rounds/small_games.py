"""Small games of the kinds that the documents do not have, for the engine's tests."""

from __future__ import annotations

import copy
import tomllib
from typing import Any, Final

from croupier.rulebooks.loader import RulebookFile
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["GAMES", "changed_game", "game_file", "in_force"]

_HEAD: Final = """
jurisdiction = "house rules"
document = "Tests"
summary = "For tests."
decks_clause = "Deck"
required_clause = "Ante"

[positions]
most = 4
clause = "Seats"
per_player = "one"
per_player_clause = "Seats"

[options.minimum_wager]
type = "amount"
words = "the smallest ante"
"""

_VERSUS: Final = """
[wagers.{name}]
title = "{title}"
role = "{role}"
clause = "{title}"
settles.by = "versus_dealer"
settles.hand = "mine"
settles.folded = {{ do = "collect", clause = "Fold" }}
settles.qualified.higher = {{ do = "pay", paytable = "even" }}
settles.qualified.equal = {{ do = "return", clause = "Tie" }}
settles.qualified.lower = {{ do = "collect", clause = "Showdown" }}
"""

_EVEN: Final = """
[paytables.even.only]
clause = "Even money"
lines = [{ hand = "any_winning", pays = "1 to 1", clause = "Even money" }]
"""

_UP_CARD: Final = f"""
id = "up-card"
title = "Up Card Stud"
announces = "mine"
{_HEAD}
[cards]
player = 5
dealer = 5
clause = "Cards"

[[reveals]]
name = "up card"
dealer = 1
clause = "Up card"

[[decisions]]
name = "raise"
sees_player = 5
sees_dealer = 1
wager = "raise"
multiple_of = "ante"
bets = {{ "double" = 2, "triple it" = 3 }}
only_with."triple it" = {{ hand = "mine", at_least = "pair", of = "A", clause = "Triple" }}
otherwise = "fold"
clause = "Raise"

[hands]
mine = {{ cards = ["player"], ranking = "five_card", clause = "Hands" }}
theirs = {{ cards = ["dealer"], ranking = "five_card", clause = "Hands" }}

[dealer]
hand = "theirs"
at_least = "high_card"
of = "AK"
clause = "Dealer qualifies"

{_VERSUS.format(name="ante", title="Ante", role="required")}
settles.unqualified.higher = {{ do = "pay", paytable = "even" }}
settles.unqualified.equal = {{ do = "pay", paytable = "even" }}
settles.unqualified.lower = {{ do = "pay", paytable = "even" }}
{_VERSUS.format(name="raise", title="Raise", role="decided")}
settles.unqualified.higher = {{ do = "return", clause = "Dealer qualifies" }}
settles.unqualified.equal = {{ do = "return", clause = "Dealer qualifies" }}
settles.unqualified.lower = {{ do = "return", clause = "Dealer qualifies" }}

[wagers.pairs]
title = "Any Pair"
role = "optional"
clause = "Any Pair"
after_fold = "stands"
settles.by = "paytable"
settles.hand = "mine"
settles.paytable = "pairs"
settles.lost = "Any Pair"

[bonuses.ante_bonus]
title = "Ante Bonus"
on = "ante"
hand = "mine"
paytable = "ante_bonus"
clause = "Ante Bonus"
{_EVEN}
[paytables.pairs.only]
clause = "Any Pair"
lines = [{{ hand = "pair", pays = "1 to 1", clause = "Any Pair" }}]

[paytables.ante_bonus.only]
clause = "Ante Bonus"
lines = [
    {{ hand = "flush", pays = "5 to 1", clause = "Ante Bonus, flush" }},
    {{ hand = "straight", pays = "$7", clause = "Ante Bonus, straight" }},
]

[dealing.by_hand]
title = "by hand"
clause = "Deal"
order = [{{ to = ["players", "dealer"], times = 5, clause = "Deal" }}]
"""

_BET: Final = """
[wagers.{name}]
title = "{title}"
role = "required"
{more}
clause = "{title}"
after_fold = "loses"
settles.by = "paytable"
settles.hand = "final"
settles.paytable = "riding"
settles.lost = "Lost"
"""

_RIDE: Final = f"""
id = "ride-on"
title = "Ride On"
announces = "final"
{_HEAD}
[cards]
player = 3
community = 2
clause = "Cards"

[[reveals]]
name = "first"
community = 1
clause = "First card"

[[reveals]]
name = "second"
community = 1
clause = "Second card"

[[decisions]]
name = "first bet"
sees_player = 3
takes_back = "one"
otherwise = "ride"
clause = "First bet back"

[[decisions]]
name = "second bet"
sees_player = 3
sees_community = 1
takes_back = "two"
otherwise = "ride"
clause = "Second bet back"

[hands]
final = {{ cards = ["player", "community"], ranking = "five_card", clause = "Hands" }}

[procedure]
abandoned = "Left"

[irregularities.wrong_hand]
title = "a hand with a wrong number of cards"
clause = "Misdeal"
when = ["playing"]
asks = ["seat"]
effect = "void_hand"
physical = false

{_BET.format(name="one", title="Bet 1", more="")}
{_BET.format(name="two", title="Bet 2", more='equals = "one"')}
{_BET.format(name="three", title="Bet 3", more='equals = "one"')}

[paytables.riding.only]
clause = "Paytable"
lines = [
    {{ hand = "two_pair", pays = "2 to 1", clause = "Paytable" }},
    {{ hand = "pair_tens_or_better", pays = "1 to 1", clause = "Paytable" }},
]

[dealing.by_hand]
title = "by hand"
clause = "Deal"
order = [
    {{ to = ["players"], times = 3, clause = "Deal" }},
    {{ to = ["community"], cards = 2, clause = "Deal" }},
]
"""

_STREET: Final = """
[[decisions]]
name = "{name}"
sees_player = 2
sees_community = {seen}
wager = "{name}"
multiple_of = "ante"
bets = {{ "1x" = 1, "3x" = 3 }}
otherwise = "fold"
clause = "{name}"
"""

_STREETS: Final = f"""
id = "two-streets"
title = "Two Streets"
announces = "final"
{_HEAD}
[cards]
player = 2
community = 3
clause = "Cards"

[[reveals]]
name = "first"
community = 1
clause = "First card"

[[reveals]]
name = "rest"
community = 2
clause = "Last cards"
{_STREET.format(name="early", seen=0)}
{_STREET.format(name="late", seen=1)}

[hands]
final = {{ cards = ["player", "community"], ranking = "five_card", clause = "Hands" }}

{_BET.format(name="ante", title="Ante", more="")}
{_BET.format(name="early", title="Early", more="").replace("required", "decided")}
{_BET.format(name="late", title="Late", more="").replace("required", "decided")}

[paytables.riding.only]
clause = "Paytable"
lines = [
    {{ hand = "two_pair", pays = "2 to 1", clause = "Paytable" }},
    {{ hand = "pair", pays = "push", clause = "Paytable" }},
]

[dealing.by_hand]
title = "by hand"
clause = "Deal"
order = [
    {{ to = ["players"], times = 2, clause = "Deal" }},
    {{ at = "first", to = ["community"], clause = "Deal" }},
    {{ at = "rest", to = ["community"], cards = 2, clause = "Deal" }},
]
"""

GAMES: Final = {"up-card": _UP_CARD, "ride-on": _RIDE, "two-streets": _STREETS}


def changed_game(name: str, **changes: Any) -> dict[str, Any]:
    """The game's tables with some places changed: `deck__ranks="789TJQKA"`; None leaves it out."""
    tree = copy.deepcopy(tomllib.loads(GAMES[name]))
    for path, value in changes.items():
        *where, last = path.split("__")
        at: Any = tree
        for part in where:
            at = at[int(part)] if isinstance(at, list) else at.setdefault(part, {})
        if isinstance(at, list):
            at[int(last)] = value
        elif value is None:
            at.pop(last, None)
        else:
            at[last] = value
    return tree


def game_file(name: str, **changes: Any) -> RulebookFile:
    return RulebookFile(changed_game(name, **changes), f"{name}.toml")


def in_force(name: str, **changes: Any) -> Rules:
    return put_in_force(game_file(name, **changes), Submission())
