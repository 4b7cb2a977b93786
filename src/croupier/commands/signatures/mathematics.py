"""The signatures of the commands that work out what a wager, a decision or an evening is worth."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from croupier.commands.signatures.common import AsJson, Paytables, Readings, Repeated, Rulebook

__all__ = ["advise", "analyze", "session"]


def analyze(
    rulebook: Rulebook,
    *,
    paytable: Paytables = None,
    reading: Readings = None,
    wager: Repeated = None,
    stake: Repeated = None,
    meter: Repeated = None,
    others: int = 0,
    hands: int = 2,
    all: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002
    json: AsJson = False,
) -> int:
    """The exact mathematics: edge, variance and outcomes of every wager, as fractions.

    `main` is the required wagers with what is decided in play, under the best play on one's own
    cards. What has been worked out once is kept in `CROUPIER_CACHE_DIR`.

    Parameters
    ----------
    wager
        Only this wager (`main`, `trips`, …). Repeatable; every wager when left out.
    stake
        WAGER=AMOUNT: the smallest the rulebook takes, else 1, when left out. Repeatable.
    meter
        NAME=AMOUNT: what a meter shows; its minimum seed when left out. Repeatable.
    others
        Other players, whose hands can bring an Envy Bonus.
    hands
        Hands in the round, the dealer's included (Cover All).
    all
        Every paytable of every wager.
    """
    from croupier.commands import analyze as command

    return command.run(
        rulebook,
        paytables=paytable or [],
        readings=reading or [],
        wagers=wager or [],
        stakes=stake or [],
        meters=meter or [],
        others=others,
        hands=hands,
        every=all,
        as_json=json,
    )


def advise(
    rulebook: Rulebook,
    *,
    cards: str,
    community: str = "",
    known: str = "",
    dealer: str = "",
    said: Repeated = None,
    decision: str = "",
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """The exact value of every action that the rules allow now, best play afterwards.

    Parameters
    ----------
    cards
        Your cards, as in `--cards "Ah 7d"`; in md-235 two, then three.
    community
        The community cards exposed so far.
    known
        md-235: other players' third cards, seen before the 5 Card decision.
    dealer
        The dealer's cards that lie face up, as in caribbean-stud.
    said
        What you answered before, in order, where it matters: `--said 1x --said 3x`. Repeatable;
        the answers of the best play when left out.
    decision
        Its name, where two are taken on the same cards; the first of them when left out.
    """
    from croupier.commands import advise as command

    return command.run(
        rulebook,
        cards=cards,
        community=community,
        known=known,
        dealer=dealer,
        said=said,
        decision=decision,
        paytables=paytable or [],
        readings=reading or [],
        as_json=json,
    )


def session(
    rulebook: Rulebook,
    *,
    stake: Annotated[list[str], Parameter(negative=())],
    rounds: int = 100,
    bankroll: str | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    meter: Repeated = None,
    json: AsJson = False,
) -> int:
    """What an evening comes to: wagers placed together, over many rounds, under the best play.

    For example: `croupier session md-uth --stake ante=10 --stake trips=5 --rounds 200 --bankroll
    1000`. Correlations between the wagers are kept; chances are exact to the error stated.

    Parameters
    ----------
    stake
        WAGER=DOLLARS, for each wager placed. Repeatable.
    rounds
        How many rounds are played.
    bankroll
        Also the risk that so many dollars do not last.
    meter
        NAME=DOLLARS: what a progressive meter shows; its reset when left out. Repeatable.
    """
    from croupier.commands import session as command

    return command.run(
        rulebook,
        stakes=stake,
        rounds=rounds,
        bankroll=bankroll,
        paytables=paytable or [],
        readings=reading or [],
        meters=meter or [],
        as_json=json,
    )
