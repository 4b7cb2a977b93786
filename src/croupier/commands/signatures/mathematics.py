"""The signatures of the commands that work out what a wager, a decision or an evening is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.commands.signatures.common import (
    AsJson,
    Clustered,
    EqualActions,
    Pays,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    documented,
)

__all__ = ["advise", "analyze", "design", "exposure", "report", "session"]

Signed = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A range that may begin below zero."""
SignedRanges = Annotated[list[str] | None, Parameter(negative=(), allow_leading_hyphen=True)]


@documented
def analyze(
    rulebook: Rulebook,
    *,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    wager: Repeated = None,
    stake: Repeated = None,
    meter: Repeated = None,
    contribution: Repeated = None,
    others: int = 0,
    hands: int = 2,
    knows: Repeated = None,
    shares: int = 0,
    samples: int = 40,
    seed: int = 15,
    sample: int | None = None,
    strategy: str = "",
    equal_actions: EqualActions = "first",
    all: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002
    lines: bool | None = None,
    cluster: Clustered = None,
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
    contribution
        METER=RATE: the share of each stake that feeds a meter, as in `main=0.1`; a progressive then
        has its return in the long run. Repeatable, for every meter.
    others
        Other players, whose hands can bring an Envy Bonus.
    hands
        Hands in the round, the dealer's included (Cover All).
    knows
        WHAT=N: the player has seen N cards of the dealer's or of a reveal (`dealer=1`, `flop=1`)
        before the first decision. The main game's figures are then those of the best play with
        that knowledge. Repeatable.
    shares
        The player has seen the hands of so many other players: exact for one, else sampled, with
        its standard error.
    samples
        How many sets of shared hands are drawn where `--shares` is sampled.
    seed
        Of the draws of `--shares` and `--sample`: the same seed draws the same cards.
    sample
        Where no solver fits a wager: play so many rounds through the round engine, and print the
        mean with its standard error, marked as sampled. A wager that is solved stays exact.
        Payments too rare to come up in the rounds are missing from both.
    strategy
        How the sampled rounds are played: `rollout` (trial rounds for each decision, 16 or as many
        as in `rollout:64`; a lower bound of the best play's value), `first`, `random`, `optimal`
        where the main game is solved, or a written strategy by name or file. When left out,
        `optimal` where it is known, else `rollout`.
    equal_actions
        Which of equally good actions the best play takes: the `first` that the rulebook offers
        (mostly a bet) or the `last` (mostly a check or a fold). No edge depends on it; what is
        said, units wagered and deviation may.
    all
        Every paytable of every wager.
    lines
        Print the return table of every wager; left out, they are printed unless `--all` is asked.
    """
    from croupier.commands import analyze as command

    return command.run(
        rulebook,
        paytables=paytable or [],
        readings=reading or [],
        pays=pays or [],
        wagers=wager or [],
        stakes=stake or [],
        meters=meter or [],
        contribution=contribution or [],
        others=others,
        hands=hands,
        knows=knows or [],
        shares=shares,
        samples=samples,
        seed=seed,
        sample=sample,
        strategy=strategy,
        takes_first=equal_actions == "first",
        every=all,
        lines=lines,
        cluster=cluster,
        as_json=json,
    )


@documented
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


@documented
def design(
    rulebook: Rulebook,
    *,
    wager: str | None = None,
    vary: Repeated = None,
    edge: SignedRanges = None,
    hold: Signed | None = None,
    stake: Repeated = None,
    table: str | None = None,
    hit_frequency: Signed | None = None,
    deviation: Signed | None = None,
    best: str = "edge",
    limit: int = 20,
    most: int | None = None,
    any_order: Annotated[bool, Parameter(negative=())] = False,
    paytable: Paytables = None,
    reading: Readings = None,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """The paytables whose exact figures lie where they are wished, of all ways to fill some lines.

    A line is paid in units to 1. 0 is a push; on a bonus, which has no stake, 0 means that the line
    is not paid; on a side wager -1 means that it is not paid and the stake is lost. A better hand
    never pays less than one below it. Ends with 1 if no table is as wished, and names the nearest.

        croupier design md-uth --wager trips --vary flush=5..9 --vary straight=3..6 --edge 2..4

    Several wagers at once, bet together at stated stakes:

        croupier design md-uth --vary blind.flush=1..2:1/2 --vary trips.flush=5..7 --stake main=10
        --stake trips=5 --hold 0..1

    Parameters
    ----------
    wager
        The wager that the table pays (`blind`, `trips`, …), or `main`. A table of the main game is
        judged by the edge of the main game, best play.
    vary
        HAND=LOW..HIGH or HAND=LOW..HIGH:STEP, or WAGER.HAND=… for a line of another wager.
        Repeatable.
    edge
        House edge in percent: LOW..HIGH, or one number for exactly that. With several wagers
        WAGER=LOW..HIGH, for each whose edge matters: per unit of the wager, of `main` per unit of
        one required wager.
    hold
        In percent, LOW..HIGH: the mean win of the house divided by the mean of all that is wagered,
        raises included; of all wagers bet.
    stake
        WAGER=DOLLARS, for wagers bet together; `main` is every required wager. Required wagers, and
        those with a line that varies, are bet in any case: the least stake, or $1. Repeatable.
    table
        The paytable to start from; the first one when left out. With several wagers use --paytable.
    hit_frequency
        In percent, LOW..HIGH: how often the wager is paid more than its stake; of the main game,
        and of several wagers together, how often the round ends ahead.
    deviation
        LOW..HIGH: the standard deviation in units of the wager; of several wagers together, of the
        round in dollars.
    best
        What the tables are sorted by: `edge`, `hold` or `deviation` (lowest first), or
        `hit-frequency` (highest first). With several wagers `edge` is the mean win of the house.
    limit
        How many tables are printed.
    most
        How many tables may be gone through, if that is more than usual.
    any_order
        Also tables in which a better hand pays less.
    """
    from croupier.commands import design as command

    return command.run(
        rulebook,
        wager=wager,
        table=table,
        vary=vary or [],
        stakes=stake or [],
        edge=edge or [],
        hold=hold,
        hit_frequency=hit_frequency,
        deviation=deviation,
        best=best,
        limit=limit,
        most=most,
        any_order=any_order,
        paytables=paytable or [],
        readings=reading or [],
        cluster=cluster,
        as_json=json,
    )


@documented
def exposure(
    subject: Annotated[
        str, Parameter(help="A rulebook (md-uth, …), a rulebook file, or a submission's file.")
    ],
    *,
    stake: Annotated[list[str], Parameter(negative=())],
    seats: int | None = None,
    pace: int = 30,
    rounds: int | None = None,
    meter: Repeated = None,
    paytable: Paytables = None,
    reading: Readings = None,
    json: AsJson = False,
) -> int:
    """What one seat and a whole table can cost the house in a round, an hour and a shift.

    The largest loss with a deal that leads there, payout limits applied; the deviation of the win
    per hour; the bankroll that pays every win with 99 percent, also after a top award.

        croupier exposure md-uth --stake ante=25 --stake trips=5 --seats 6 --pace 30

    Parameters
    ----------
    stake
        WAGER=DOLLARS, for each wager that every seat places. Repeatable.
    seats
        Players at the table; all positions when left out.
    pace
        Rounds an hour.
    rounds
        Rounds that the bankroll is for; those of eight hours when left out.
    meter
        NAME=DOLLARS: what a progressive meter shows; its reset when left out. Repeatable.
    """
    from croupier.commands import exposure as command

    return command.run(
        subject,
        stakes=stake,
        seats=seats,
        pace=pace,
        rounds=rounds,
        meters=meter or [],
        paytables=paytable or [],
        readings=reading or [],
        as_json=json,
    )


@documented
def report(
    subject: Annotated[
        str, Parameter(help="A rulebook (md-uth, …), a rulebook file, or a submission's file.")
    ],
    *,
    to: Path,
    date: str = "",
    bet: str | None = None,
    rounds_per_hour: int = 30,
    seats: int | None = None,
    buy_in: str | None = None,
    hours: int = 2,
    hands: int = 2,
    simulate: int = 10_000,
    sample: int = 0,
    seed: str = "1",
    contribution: Repeated = None,
    without: Repeated = None,
    previous: Path | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """The mathematics report of a game, as a laboratory or a regulator asks for it.

    Rules with examples, every outcome, edges, moments, exposure, strategy, progressives, readings,
    seen cards, a simulation and what was checked. The same input gives the same bytes. Ends with 1
    if a submission breaks a clause, or if a check of the report itself fails.

        croupier report md-uth --to md-uth.pdf --date 2026-03-01

    Parameters
    ----------
    to
        The file to write. Its ending says the form: .pdf, .xlsx, .html or .json.
    date
        The date on the title page, as in 2026-03-01; a report never looks at the clock.
    bet
        Assumed dollars on each required wager; the table's minimum, else 10, when left out.
    rounds_per_hour
        Assumed rounds an hour.
    seats
        Assumed players at the table; all positions when left out.
    buy_in
        Assumed dollars that a player buys in for; 20 bets when left out.
    hours
        Assumed hours that a player stays for one buy-in.
    hands
        Hands in the round, the dealer's included (Cover All).
    simulate
        Rounds of one seat that are played through the engine; 0 for none.
    sample
        Rounds to sample for each wager that no solver models, as `analyze --sample`; 0 for none.
    seed
        Of the simulation and of what is sampled.
    contribution
        METER=RATE, for a rulebook: the share of each stake that feeds a meter, as in `main=0.1`. A
        submission states its own. Repeatable, for every meter.
    without
        Leave out what takes long: `paytables` (all but those in force), `readings` or
        `known-cards`. Repeatable.
    previous
        The version of this report before this one, as .json: the version history goes on from it.
    """
    from croupier.commands import report as command

    return command.run(
        subject,
        to=to,
        date=date,
        rounds_per_hour=rounds_per_hour,
        seats=seats,
        hours=hours,
        bet=bet,
        buy_in=buy_in,
        hands=hands,
        simulate=simulate,
        sample=sample,
        seed=seed,
        contribution=contribution or [],
        without=without or [],
        previous=previous,
        paytables=paytable or [],
        readings=reading or [],
        pays=pays or [],
        cluster=cluster,
        as_json=json,
    )


@documented
def session(
    rulebook: Rulebook,
    *,
    stake: Annotated[list[str], Parameter(negative=())],
    rounds: int = 100,
    bankroll: str | None = None,
    paytable: Paytables = None,
    reading: Readings = None,
    pays: Pays = None,
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
        pays=pays or [],
        meters=meter or [],
        as_json=json,
    )
