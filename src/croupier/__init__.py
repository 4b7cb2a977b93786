"""Casino poker tables run by the regulators' documents: rules engine, exact mathematics, CLI.

    import croupier

    croupier.settle(rulebook="md-uth", seats=[…], dealer="Qs Qh", community="As Kd 7h 2c 2d")
    croupier.analyze("md-uth", "trips")["trips"].house_edge
    table = croupier.Table.open("md-uth", seed=92)

docs/library.md teaches it. Whatever is refused raises a `CroupierError` with `code` and `clause`.
Amounts you write are dollars, `"7.50"` or 10, never floats; amounts you read are whole cents.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know better; `typing` itself takes ten milliseconds
if TYPE_CHECKING:
    from typing import Final

    from croupier.cards import DECK, Card, format_cards, parse_cards
    from croupier.errors import (
        BadAmount,
        BadCards,
        BadData,
        BadRequest,
        CroupierError,
        Refusal,
        RuleBroken,
        UnknownName,
        Unsolvable,
    )
    from croupier.library.designing import PaytableSearch, design
    from croupier.library.environment import Observation, TableEnvironment, environment
    from croupier.library.figures import (
        ActionValues,
        Analysis,
        StrategyChart,
        WagerFigures,
        advise,
        analyze,
        chart,
    )
    from croupier.library.journals import (
        Event,
        Journal,
        PastRound,
        ReplayedRound,
        Verification,
        open_journal,
        verify,
    )
    from croupier.library.rulebook import Rulebook, bundled_rulebooks, load_rulebook
    from croupier.library.settling import (
        DealerHand,
        SettledRound,
        SettledSeat,
        SettledWager,
        settle,
    )
    from croupier.library.table import Table
    from croupier.library.views import LegalAction, SeatView, TableView
    from croupier.rounds.completed import SeatRequest

__version__ = "0.2.0"

# Where each name lives. It is imported when it is first asked for: `import croupier` stays light.
_HOMES: Final = {
    "croupier.cards": ("DECK", "Card", "format_cards", "parse_cards"),
    "croupier.errors": (
        *("BadAmount", "BadCards", "BadData", "BadRequest", "CroupierError", "Refusal"),
        *("RuleBroken", "UnknownName", "Unsolvable"),
    ),
    "croupier.library.designing": ("PaytableSearch", "design"),
    "croupier.library.environment": ("Observation", "TableEnvironment", "environment"),
    "croupier.library.figures": (
        *("ActionValues", "Analysis", "StrategyChart", "WagerFigures"),
        *("advise", "analyze", "chart"),
    ),
    "croupier.library.journals": (
        *("Journal", "Verification", "PastRound", "ReplayedRound", "Event"),
        *("open_journal", "verify"),
    ),
    "croupier.library.rulebook": ("Rulebook", "bundled_rulebooks", "load_rulebook"),
    "croupier.library.views": ("LegalAction", "SeatView", "TableView"),
    "croupier.library.settling": (
        *("DealerHand", "SettledRound", "SettledSeat", "SettledWager", "settle"),
    ),
    "croupier.library.table": ("Table",),
    "croupier.rounds.completed": ("SeatRequest",),
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "DECK",
    "ActionValues",
    "Analysis",
    "BadAmount",
    "BadCards",
    "BadData",
    "BadRequest",
    "Card",
    "CroupierError",
    "DealerHand",
    "Event",
    "Journal",
    "LegalAction",
    "Observation",
    "PastRound",
    "PaytableSearch",
    "Refusal",
    "ReplayedRound",
    "RuleBroken",
    "Rulebook",
    "SeatRequest",
    "SeatView",
    "SettledRound",
    "SettledSeat",
    "SettledWager",
    "StrategyChart",
    "Table",
    "TableEnvironment",
    "TableView",
    "UnknownName",
    "Unsolvable",
    "Verification",
    "WagerFigures",
    "__version__",
    "advise",
    "analyze",
    "bundled_rulebooks",
    "chart",
    "design",
    "environment",
    "format_cards",
    "load_rulebook",
    "open_journal",
    "parse_cards",
    "settle",
    "verify",
]


if not TYPE_CHECKING:  # a type checker is to complain about a name that is not there

    def __getattr__(name: str) -> object:
        module = _HOME_OF.get(name)
        if module is None:
            raise AttributeError(f"module 'croupier' has no attribute {name!r}")
        from importlib import import_module

        found = getattr(import_module(module), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
