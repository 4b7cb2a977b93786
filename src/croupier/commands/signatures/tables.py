"""The signatures of the commands that run tables: rehearsed, simulated, or open on the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from croupier.commands.signatures.common import (
    AsJson,
    Clustered,
    Paytables,
    Readings,
    Repeated,
    Rulebook,
    documented,
)

__all__ = ["rehearse", "serve", "simulate"]


@documented
def rehearse(
    files: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    tell: Annotated[bool, Parameter(negative=())] = False,
    write: Annotated[bool, Parameter(negative=())] = False,
    json: AsJson = False,
) -> int:
    """Run whole sessions from a text: table, cards, commands, and what is expected of them.

    A scenario reads like a pit's log, one thing a line:

        table T1 plays md-uth, dealt from the hand
        Ann sits at seat 1 with 1,000
        round
        cards Ann: As Ah; dealer: Qs Qd
        Ann bets ante 10, blind 10
        no more bets
        deal
        Ann raises 4x
        expect refused out_of_turn: Ann checks

    docs/scenarios.md has every kind of line. Ends with 0 when all is as expected, with 1 when it
    is not, with 2 when a file cannot be followed.

    Parameters
    ----------
    files
        The scenarios.
    tell
        Print everything that happens, in words, instead of the lines.
    write
        Write what was found in place of every `?` in an `expect` line: `expect Ann has ?`.
    """
    from croupier.commands import rehearse as command

    return command.run(files, tell=tell, write=write, as_json=json)


@documented
def simulate(
    rulebook: Rulebook,
    *,
    rounds: int = 10_000,
    seats: int = 6,
    strategy: str = "optimal",
    wager: Repeated = None,
    paytable: Paytables = None,
    reading: Readings = None,
    seed: str = "1",
    dealing: str | None = None,
    journal: str | None = None,
    jobs: int = 1,
    cluster: Clustered = None,
    json: AsJson = False,
) -> int:
    """Play rounds through the real engine and hold them against the exact values.

    For example: `croupier simulate md-uth --rounds 20000 --wager ante=10 --wager trips=5`. Every
    command of every round goes the way it goes at a table; the same seed gives the same cents
    anywhere. Ends with 1 if a wager is more than five standard errors off its exact value.

    Parameters
    ----------
    rounds
        How many rounds are played.
    seats
        How many seats play in each.
    strategy
        `optimal`, `random`, `first` (always the first bet offered), a shipped strategy
        (`croupier strategy compare`), or the path of a text or of a saved strategy.
    wager
        WAGER or WAGER=AMOUNT: the required wagers and only these. Repeatable; every wager at the
        least it takes when left out.
    seed
        Any text: the same one deals the same cards again.
    dealing
        How the cards are dealt: `hand`, or `automated_shoe/dealer_last` with an order.
    journal
        Write every round into this journal: a file, or postgresql://… for a server.
    jobs
        Processes to play in; the result does not depend on it.
    """
    from croupier.commands import simulate as command

    return command.run(
        rulebook,
        rounds=rounds,
        seats=seats,
        strategy=strategy,
        wagers=wager or [],
        paytables=paytable or [],
        readings=reading or [],
        seed=seed,
        dealing=dealing,
        journal=journal,
        jobs=jobs,
        cluster=cluster,
        as_json=json,
    )


@documented
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8235,
    database: str | None = None,
    database_file: Path | None = None,
    workers: int = 1,
    demo: bool = True,
    dealer: Literal["software", "people"] = "software",
    floor: Literal["auto", "software", "people"] = "auto",
    name: Repeated = None,
    submission: str | None = None,
    rules: str | None = None,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    proxy: Repeated = None,
    second_factor: bool | None = None,
    dealers_factor: bool = False,
    own_pace: bool = True,
    log: Literal["text", "json"] = "text",
    docs: Path | None = None,
    open: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002
) -> int:
    """Open the tables on the web: play any of the five games in a browser.

    Without options, tables of the five documents are open to guests with play chips, dealt by
    software, and kept in a journal in the data folder.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 for every one of this machine.
    port
        The port to listen at.
    database
        The journal: a file, or postgresql://… which several workers can share. If left out, the one
        of CROUPIER_DATABASE or CROUPIER_DATABASE_FILE, else the one in the data folder.
    database_file
        A file with the database in its one line. A password belongs there, never on the command
        line.
    workers
        How many processes serve; more than one needs PostgreSQL.
    demo
        Guests may play without an account, at tables of the five documents.
    dealer
        Who deals virtual cards: software, or people who have signed in.
    floor
        Who validates a progressive: software, the default of a demo and refused without it
        (11.J(2)(c)), or people.
    name
        A host name under which the server is reached. Repeatable.
    submission
        A Rules Submission whose table is opened at once; what is wrong with it is told clause by
        clause, and nothing is served.
    rules
        A rulebook, or the path of a rulebook file, that a table is opened on at once.
    tls_cert
        The certificate to serve HTTPS with, as a PEM file.
    tls_key
        Its private key.
    proxy
        The address of a proxy in front, which says where requests come from and whether they came
        by HTTPS. Repeatable; needs --name.
    second_factor
        Floorpersons, operators, auditors and surveillance sign in with an authenticator, too: the
        default outside the demo.
    dealers_factor
        Dealers sign in with an authenticator, too.
    own_pace
        Players may have software deal faster to them than the house's pace, and skip its waits.
    log
        What the log has: what goes wrong, in lines for people, or everything as JSON.
    docs
        The folder of the documentation as a site, shown under /docs/; in a checkout where
        `make docs` was run, its site/ without being named.
    open
        Show the lobby in the browser.
    """
    from croupier.commands import serve as command

    return command.run(
        host=host,
        port=port,
        database=database,
        database_file=database_file,
        workers=workers,
        demo=demo,
        dealer=dealer,
        floor=floor,
        names=name or [],
        show=open,
        tables=[named for named in (submission, rules) if named is not None],
        tls_cert=tls_cert,
        tls_key=tls_key,
        proxies=proxy or [],
        second_factor=second_factor,
        dealers_factor=dealers_factor,
        own_pace=own_pace,
        log=log,
        docs=docs,
    )
