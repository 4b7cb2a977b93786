"""Write into docs/library.md what the library offers beside each command: `make reference`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import croupier
from croupier.commands.app import COMMANDS, app

PAGE: Final = Path(__file__).parent / "library.md"
BEGIN: Final = "<!-- begin: made by docs/make_commands.py -->"
END: Final = "<!-- end: made by docs/make_commands.py -->"

# The functions and methods behind each command, or why it has none.
LIBRARY: Final[dict[str, tuple[str, ...] | str]] = {
    "demo": ("demo",),
    "settle": ("settle",),
    "guide": ("guide",),
    "rehearse": ("rehearse",),
    "simulate": ("simulate",),
    "shuffle": ("shuffle",),
    "shuffle verify": ("open_seal",),
    "shuffle check": ("check_deal",),
    "shuffle test": ("examine_shuffle",),
    "analyze": ("analyze",),
    "advise": ("advise", "Table.action_values"),
    "strategy show": ("optimal_strategy", "strategy_text"),
    "strategy price": ("price_strategy",),
    "strategy compare": ("compare_strategies",),
    "strategy search": ("search_strategy",),
    "strategy chart": ("chart",),
    "strategy card": ("strategy_card",),
    "design": ("design",),
    "session": ("session",),
    "exposure": ("exposure",),
    "report": ("report",),
    "rulebooks list": ("list_rulebooks", "bundled_rulebooks"),
    "rulebooks show": ("show_rulebook", "load_rulebook", "rulebook_toml"),
    "rulebooks check": ("check_rulebook",),
    "rulebooks new": ("new_rulebook",),
    "rulebooks schema": ("rulebook_schema",),
    "paytables": ("paytables",),
    "check": ("check",),
    "sign": ("sign",),
    "conformance": ("conformance",),
    "serve": "a program that runs until it is stopped, not a function",
    "table open": ("Table.open", "Journal.open_table"),
    "table list": ("Journal.tables",),
    "table show": ("Table.view", "Journal.table"),
    "table do": ("Table.do",),
    "table close": ("Table.do",),
    "table slip": "slips are printed for the cage; the fills and credits are in `export`",
    "table shoe add": "tokens of devices that report to a server",
    "table shoe list": "tokens of devices that report to a server",
    "table shoe revoke": "tokens of devices that report to a server",
    "link list": ("Table.meters",),
    "link show": ("Table.meters",),
    "link explain": "the house's record of a link; its entries are in `export`",
    "link do": "an operator's work on a house's links, in its journal",
    "link close": "an operator's work on a house's links, in its journal",
    "people add": "accounts of a server",
    "people list": "accounts of a server",
    "people disable": "accounts of a server",
    "people password": "accounts of a server",
    "people reset-authenticator": "accounts of a server",
    "people sign-out": "accounts of a server",
    "cashier list": "accounts of players in a house, kept by its cashiers",
    "cashier show": "accounts of players in a house, kept by its cashiers",
    "cashier limits": "accounts of players in a house, kept by its cashiers",
    "cashier deposit": "accounts of players in a house, kept by its cashiers",
    "cashier pay-out": "accounts of players in a house, kept by its cashiers",
    "school skills": "the school is a program above the library",
    "school drill": "the school is a program above the library",
    "certificate": "the school is a program above the library",
    "replay": ("Journal.replay",),
    "recall": ("Journal.rounds",),
    "export": ("export",),
    "journal shift": ("shift",),
    "journal prune": ("prune",),
    "journal adopt": ("adopt",),
    "reindex": ("reindex",),
    "verify": ("verify", "Journal.verify", "check_proof"),
    "checkpoint": ("checkpoint", "Journal.checkpoint"),
    "prove": ("prove", "Journal.prove"),
    "backup": "care of a server's database",
    "restore": "care of a server's database",
    "cache": "care of the files of this machine",
    "warm": "care of the files of this machine",
    "health": "a question to a running server",
    "selfcheck": "care of the files of this machine",
    "completion": "a script for a shell",
}

# Parts of what a function returns, and errors of its own.
PARTS: Final = {
    "demo": ("DemoRound",),
    "analyze": ("WagerFigures",),
    "chart": ("ChartedHand", "Without"),
    "session": ("RuinChance",),
    "sign": ("InvalidSubmission",),
    "report": ("InvalidSubmission",),
}


def commands() -> list[str]:
    """Every command of the program, in the order of `croupier --help`."""
    names = [name for group in COMMANDS.values() for name in group]
    return [leaf for name in [*names, "completion"] for leaf in _leaves(name, app[name])]


def _leaves(name: str, command: object) -> list[str]:
    """The commands below a command, and itself if it does something."""
    known = command.resolved_commands()  # type: ignore[attr-defined]
    below = [each for each in known if not each.startswith("-")]
    own = [name] if command.default_command is not None else []  # type: ignore[attr-defined]
    return own + [leaf for each in below for leaf in _leaves(f"{name} {each}", known[each])]


def table() -> str:
    """The commands beside the library, as Markdown."""
    lines = ["| command | library | returns |", "| --- | --- | --- |"]
    for command in commands():
        offered = LIBRARY[command]
        if isinstance(offered, str):
            lines.append(f"| `{command}` | | none: {offered} |")
            continue
        returned = dict.fromkeys(each for name in offered for each in _returned(name))
        parts = [part for name in offered for part in PARTS.get(name, ())]
        types = ", ".join(f"`{each}`" for each in dict.fromkeys([*returned, *parts]))
        lines.append(f"| `{command}` | {', '.join(f'`{name}`' for name in offered)} | {types} |")
    return "\n".join(lines)


def _returned(name: str) -> list[str]:
    """The public type that a function or a method returns, if it is one of the library's own."""
    value: object = croupier
    for part in name.split("."):
        value = getattr(value, part)
    annotation = getattr(value, "__annotations__", {}).get("return", "")
    return [annotation] if annotation in croupier.__all__ else []


def written(page: str) -> str:
    """The page with the table between its marks."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
