"""Progressive meters and the links by which tables share them: pure, no journal, no clock.

`decide(link, command)` gives events or refuses, `evolve(link, event)` gives the link after one, and
`transfers(before, after, event)` says which money moved. docs/progressives.md tells the rest.
"""

from croupier.progressives.deciding import decide
from croupier.progressives.evolving import evolve, replay
from croupier.progressives.joining import TermsDifference, check_link, differences
from croupier.progressives.links import Game, Link, Member, OpenRound, from_json, to_json
from croupier.progressives.messages import (
    Award,
    Awarded,
    ChangeTerms,
    CloseLink,
    Command,
    Contribute,
    Contributed,
    Event,
    FinishRound,
    JoinTable,
    LeaveTable,
    LinkClosed,
    LinkOpened,
    MoneyReceived,
    Moved,
    MoveTo,
    OpenLink,
    ReceiveMoney,
    ReverseRound,
    RoundFinished,
    RoundReversed,
    Stated,
    TableJoined,
    TableLeft,
    TermsChanged,
)
from croupier.progressives.meters import MICRO, Account, Meter, Terms, rate_millionths
from croupier.progressives.refusals import LinkRefusal
from croupier.progressives.settled import DueAward, awards_due, rules_on_link, settled_meters
from croupier.progressives.terms import TableTerms, meter_terms, table_terms
from croupier.progressives.transfers import (
    HOUSE,
    MeterTransfer,
    award_account,
    meter_account,
    transfers,
)

__all__ = [
    "HOUSE",
    "MICRO",
    "Account",
    "Award",
    "Awarded",
    "ChangeTerms",
    "CloseLink",
    "Command",
    "Contribute",
    "Contributed",
    "DueAward",
    "Event",
    "FinishRound",
    "Game",
    "JoinTable",
    "LeaveTable",
    "Link",
    "LinkClosed",
    "LinkOpened",
    "LinkRefusal",
    "Member",
    "Meter",
    "MeterTransfer",
    "MoneyReceived",
    "MoveTo",
    "Moved",
    "OpenLink",
    "OpenRound",
    "ReceiveMoney",
    "ReverseRound",
    "RoundFinished",
    "RoundReversed",
    "Stated",
    "TableJoined",
    "TableLeft",
    "TableTerms",
    "Terms",
    "TermsChanged",
    "TermsDifference",
    "award_account",
    "awards_due",
    "check_link",
    "decide",
    "differences",
    "evolve",
    "from_json",
    "meter_account",
    "meter_terms",
    "rate_millionths",
    "replay",
    "rules_on_link",
    "settled_meters",
    "table_terms",
    "to_json",
    "transfers",
]
