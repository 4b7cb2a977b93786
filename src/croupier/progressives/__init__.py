"""Progressive meters and the links through which tables share them: pure, no journal, no clock.

`decide(link, command)` returns events or refuses, `evolve(link, event)` returns the link after an
event, and `transfers(before, after, event)` returns the money that moved. See docs/progressives.md.
"""

from croupier.progressives.award_payment import DueAward, awards_due, pay_awards, rules_on_link
from croupier.progressives.commands import LINK_COMMANDS, ChangeMeter, EndLink, LinkCommand
from croupier.progressives.deciding import decide
from croupier.progressives.evolving import evolve, replay
from croupier.progressives.joining import TermsDifference, check_link, differences
from croupier.progressives.links import Link, LinkGame, Member, OpenRound, from_json, to_json
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
from croupier.progressives.meters import (
    MICRO,
    LinkMeter,
    LinkMeterTerms,
    MeterTotals,
    rate_millionths,
)
from croupier.progressives.refusals import LinkRefusal
from croupier.progressives.table_terms import TableTerms, meter_terms, table_terms
from croupier.progressives.transfers import (
    HOUSE,
    MeterTransfer,
    award_account,
    meter_account,
    transfers,
)

__all__ = [
    "HOUSE",
    "LINK_COMMANDS",
    "MICRO",
    "Award",
    "Awarded",
    "ChangeMeter",
    "ChangeTerms",
    "CloseLink",
    "Command",
    "Contribute",
    "Contributed",
    "DueAward",
    "EndLink",
    "Event",
    "FinishRound",
    "JoinTable",
    "LeaveTable",
    "Link",
    "LinkClosed",
    "LinkCommand",
    "LinkGame",
    "LinkMeter",
    "LinkMeterTerms",
    "LinkOpened",
    "LinkRefusal",
    "Member",
    "MeterTotals",
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
    "pay_awards",
    "rate_millionths",
    "replay",
    "rules_on_link",
    "table_terms",
    "to_json",
    "transfers",
]
