"""`croupier shuffle`: a sealed deck, opening a seal, and the report on the shuffle's fairness.

The words stand here with light imports only; what needs numpy is imported when it runs.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from croupier.commands.signatures.common import AsJson
from croupier.errors import BadCards, BadData, BadRequest, CroupierError, plain, shown

if TYPE_CHECKING:
    from croupier.randomness.examine import Examination
    from croupier.rounds.deal_record import DealRecord

__all__ = ["shuffle"]

shuffle = App(name="shuffle", help="A sealed deck, opening a seal, testing that it is fair.")

Seed = Annotated[
    int | None,
    Parameter(name="--seed", help="Repeat what this number gave; the system's generator if none."),
]

_HEX_64 = re.compile("[0-9a-f]{64}")


@shuffle.default
def deal(*, seed: Seed = None, json: AsJson = False) -> int:
    """Shuffle a deck and seal its order.

    The commitment is what a table shows before the bets; salt and order, shown after the round,
    open it: `croupier shuffle verify`."""
    from croupier.cards import format_cards
    from croupier.commands.output import console, print_json
    from croupier.randomness import shuffling

    draw = shuffling.from_system if seed is None else shuffling.Seeded(seed)
    sealed = shuffling.seal(shuffling.shuffle(draw), draw)
    order = format_cards(sealed.order)
    if json:
        print_json({"order": order, "salt": sealed.salt, "commitment": sealed.commitment})
        return 0
    out = console()
    for start in range(0, 52, 13):
        out.print(format_cards(sealed.order[start : start + 13]))
    out.print(f"\nsalt        {sealed.salt}\ncommitment  {sealed.commitment}", soft_wrap=True)
    return 0


@shuffle.command(name="verify")
def verify(*, commitment: str, salt: str, order: str, json: AsJson = False) -> int:
    """Open a seal: does this salt with this order give the commitment? Ends with 1 if not.

    Without Croupier: `printf 'croupier deck 1\\n%s\\n%s\\n' SALT "ORDER" | sha256sum`.

    Parameters
    ----------
    commitment
        What was shown before the bets: 64 hexadecimal digits.
    salt
        What was shown after the round: 64 hexadecimal digits.
    order
        The deck from the top, as in "As Kd 7h …", all 52 cards.
    """
    from croupier.cards import parse_cards
    from croupier.commands.output import console, print_json
    from croupier.randomness.shuffling import matches_seal

    cards = parse_cards(order)
    if len(cards) != 52:
        raise BadCards(f"--order has {len(cards)} cards: a sealed deck has all 52")
    good = matches_seal(
        _hexadecimal(commitment, "--commitment"), _hexadecimal(salt, "--salt"), cards
    )
    if json:
        print_json({"opens": good})
    else:
        console().print(
            "The seal opens: this is the order that the commitment was made for."
            if good
            else "The seal does NOT open: commitment, salt and order do not belong together."
        )
    return 0 if good else 1


@shuffle.command(name="check")
def check(file: Path, *, seal: str | None = None, json: AsJson = False) -> int:
    """Check a round's deck from its JSON alone: seal, players' randomness, every dealt card. Ends
    with 1 if anything is not so.

    Parameters
    ----------
    file
        What `croupier replay TABLE ROUND --json` printed, or *Save this round* on the web.
    seal
        The seal that you saw before the bets: it must be the same.
    """
    from croupier.commands.output import console, print_json
    from croupier.rounds.deal_record import DealCheck, check_deal

    record = _round_of(file)
    found = list(check_deal(record))
    if seal is not None:
        same = _hexadecimal(seal, "--seal") == record.seal
        found.insert(0, DealCheck(same, "The seal is the one that you saw before the bets."))
    good = all(one.holds for one in found)
    if json:
        print_json({"holds": good, "checks": [one._asdict() for one in found]})
        return 0 if good else 1
    out = console()
    for one in found:
        out.print(plain(f"✓ {one.words}" if one.holds else f"✗ NOT SO: {one.words}", 300))
    return 0 if good else 1


def _round_of(file: Path) -> DealRecord:
    """The part of a round's JSON that tells the deal."""
    from croupier.rounds.deal_record import read_deal

    try:
        found = read_deal(file.read_bytes())
    except OSError as error:
        raise BadRequest(f"{plain(file, 200)} cannot be read: {error.strerror}") from None
    except BadData as error:
        raise BadRequest(
            f"{plain(file, 200)}: {error.message}; `croupier replay TABLE ROUND --json` prints one"
        ) from None
    if found is None:
        raise BadRequest(
            f"{plain(file, 200)} has no deck to check: the round is not over, or its cards were "
            "shuffled by hand"
        )
    return found


def _hexadecimal(text: str, flag: str) -> str:
    digits = text.strip().lower()
    if not _HEX_64.fullmatch(digits):
        raise BadRequest(f"{flag} is 64 hexadecimal digits (0-9, a-f), not {shown(text)}")
    return digits


@shuffle.command(name="test")
def examine_shuffle(
    *,
    decks: int = 260_000,
    bits: int | None = None,
    seed: Seed = None,
    report: Path | None = None,
    json: AsJson = False,
) -> int:
    """Test the shuffle: chi-square over decks, NIST SP 800-22 over their bits.

    Ends with 1 when bias is found; a fair shuffle is called unfair about once in a thousand
    reports.
    The default gives 56 sequences of a million bits, which is enough for all that NIST asks.

    Parameters
    ----------
    decks
        How many decks are shuffled: 1,000 to 100,000,000.
    bits
        Bits in a sequence: a million when left out, less if there are few decks.
    report
        Also write the report, as Markdown, into this file.
    """
    from croupier.commands.output import print_json
    from croupier.commands.progress import Progress
    from croupier.randomness import shuffling
    from croupier.randomness.examine import examine, plan_sample
    from croupier.reports.shuffle import as_object, markdown

    chosen = plan_sample(decks, bits)
    if report is not None:
        _check_writable(report)
    draw = shuffling.from_system if seed is None else shuffling.Seeded(seed)
    with Progress(chosen.steps) as progress:
        found = examine(
            lambda: shuffling.shuffle(draw),
            chosen,
            lambda done: progress.step(done, lambda: None),
        )
    if report is not None:
        made_by = f"croupier shuffle test --decks {decks}"
        made_by += "" if bits is None else f" --bits {bits}"
        made_by += "" if seed is None else f" --seed {seed}"
        _write(report, markdown(found, source=_source(seed), command=made_by))
    if json:
        print_json(as_object(found, source=_source(seed)))
    else:
        _draw(found, _source(seed))
    return 0 if found.fair else 1


def _source(seed: int | None) -> str:
    if seed is not None:
        return f"the seed {seed}, which gives this report again"
    return f"the operating system's generator, on {datetime.now(UTC):%Y-%m-%d}"


def _check_writable(file: Path) -> None:
    """Before the work, not after it."""
    if file.is_dir() or not file.parent.is_dir():
        raise BadRequest(f"--report {plain(file)}: there is no such folder, or it is one itself")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or str(error)
        raise CroupierError(f"--report {plain(file)} cannot be written: {told}") from None


def _draw(found: Examination, source: str) -> None:
    from rich.table import Table

    from croupier.commands.output import console
    from croupier.reports import shuffle as words

    out = console()
    out.print(
        f"{found.decks:,} decks; {found.sequences:,} sequences of {found.bits:,} bits. "
        f"Randomness: {source}.\n"
    )
    for title, headings, rows in (
        ("Decks: chi-square", words.DECK_HEADINGS, words.deck_rows(found)),
        (
            "Bits: NIST SP 800-22 rev. 1a",
            words.NIST_HEADINGS,
            [line.cells for line in words.nist_lines(found)],
        ),
    ):
        table = Table(title=title, title_justify="left", title_style="bold")
        for heading in headings:
            figures = heading not in {"", "§", "test", "question"}
            table.add_column(heading, justify="right" if figures else "left")
        for cells in rows:
            table.add_row(*cells, style="bold red" if cells[-1] == "FAILS" else None)
        out.print(table)
    out.print(words.explanation(found) + "\n")
    out.print(words.answer(found), style="bold green" if found.fair else "bold red")
