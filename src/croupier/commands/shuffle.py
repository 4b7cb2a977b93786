"""`croupier shuffle`: a sealed deck, opening a seal, and the report on the shuffle's fairness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

import croupier
from croupier.commands.options import AsJson, documented
from croupier.commands.output import Progress, console, print_record, table
from croupier.errors import BadRequest, plain

if TYPE_CHECKING:
    from croupier.library.shuffling import ShuffleExamination

shuffle = App(name="shuffle", help="A sealed deck, opening a seal, testing that it is fair.")

Seed = Annotated[
    int | None,
    Parameter(
        name="--seed", help="Repeat the shuffle of this number; by default the system's generator."
    ),
]


@shuffle.default
@documented
def deal(*, seed: Seed = None, json: AsJson = False) -> int:
    """Shuffle a deck and seal its order. The commitment is what a table shows before the bets; salt
    and order, shown after the round, open it: `croupier shuffle verify`."""
    sealed = croupier.shuffle(seed)
    if json:
        print_record(sealed)
        return 0
    out = console()
    for start in range(0, 52, 13):
        out.print(croupier.format_cards(sealed.order[start : start + 13]))
    out.print(f"\nsalt        {sealed.salt}\ncommitment  {sealed.commitment}", soft_wrap=True)
    return 0


@shuffle.command(name="verify")
@documented
def verify(*, commitment: str, salt: str, order: str, json: AsJson = False) -> int:
    """Open a seal: check whether this salt with this order gives the commitment. Ends with 1 if
    not. Without Croupier:

        printf 'croupier deck 1\\n%s\\n%s\\n' SALT "ORDER" | sha256sum

    Parameters
    ----------
    commitment
        What was shown before the bets: 64 hexadecimal digits.
    salt
        What was shown after the round: 64 hexadecimal digits.
    order
        The deck from the top, as in "As Kd 7h …", all 52 cards.
    """
    checked = croupier.open_seal(commitment, salt, order)
    if json:
        print_record(checked)
    else:
        console().print(
            "The seal opens: this is the order that the commitment was made for."
            if checked
            else "The seal does NOT open: commitment, salt and order do not belong together."
        )
    return 0 if checked else 1


@shuffle.command(name="check")
@documented
def check(file: Path, *, seal: str | None = None, json: AsJson = False) -> int:
    """Check a round's deck from its JSON alone: seal, players' randomness, every dealt card. Ends
    with 1 if anything does not hold.

    Parameters
    ----------
    file
        What `croupier replay TABLE ROUND --json` printed, or *Save this round* on the web.
    seal
        The seal that you saw before the bets: it must be the same.
    """
    checked = croupier.check_deal(file, seal=seal)
    if json:
        print_record(checked)
        return 0 if checked else 1
    for each in checked.checks:
        mark = "✓" if each.holds else "✗ FAILS:"
        console().print(plain(f"{mark} {each.words}", 300))
    return 0 if checked else 1


@shuffle.command(name="test")
@documented
def run_tests(
    *,
    decks: int = 260_000,
    bits: int | None = None,
    seed: Seed = None,
    report: Path | None = None,
    json: AsJson = False,
) -> int:
    """Test the shuffle: chi-square over decks, NIST SP 800-22 over their bits. Ends with 1 if bias
    is found; a fair shuffle is called unfair about once in a thousand reports. The default gives 56
    sequences of a million bits, which is enough for everything that NIST requires.

    Parameters
    ----------
    decks
        How many decks are shuffled: 1,000 to 100,000,000.
    bits
        Bits in a sequence; by default a million, less if there are few decks.
    report
        Also write the report, as Markdown, into this file.
    """
    if report is not None and (report.is_dir() or not report.parent.is_dir()):
        raise BadRequest(f"--report {plain(report)}: there is no such folder, or it is a folder")
    with Progress(1) as progress:
        examined = croupier.examine_shuffle(decks, bits=bits, seed=seed, progress=progress.show)
    if report is not None:
        from croupier.library.record import write_file

        command = f"croupier shuffle test --decks {decks}"
        command += "" if bits is None else f" --bits {bits}"
        command += "" if seed is None else f" --seed {seed}"
        write_file(report, examined.markdown(command).encode())
    if json:
        print_record(examined)
    else:
        _print_examination(examined)
    return 0 if examined else 1


def _print_examination(examined: ShuffleExamination) -> None:
    from croupier.reports import shuffle as words

    out, result = console(), examined.result
    out.print(
        f"{result.decks:,} decks; {result.sequences:,} sequences of {result.bits:,} bits. "
        f"Randomness: {examined.source}.\n"
    )
    for title, headings, rows in (
        ("Decks: chi-square", words.DECK_HEADINGS, words.deck_rows(result)),
        (
            "Bits: NIST SP 800-22 rev. 1a",
            words.NIST_HEADINGS,
            [line.cells for line in words.nist_lines(result)],
        ),
    ):
        drawn = table(title=title, title_justify="left", title_style="bold", framed=True)
        for heading in headings:
            figures = heading not in {"", "§", "test", "question"}
            drawn.add_column(heading, justify="right" if figures else "left")
        for cells in rows:
            drawn.add_row(*cells, style="bold red" if cells[-1] == "FAILS" else None)
        out.print(drawn)
    out.print(words.explanation(result) + "\n")
    out.print(words.answer(result), style="bold green" if result.fair else "bold red")
