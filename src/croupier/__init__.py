"""Casino poker tables run by the regulators' documents: rules engine and exact mathematics.

    import croupier

    croupier.settle(rulebook="md-uth", seats=[…], dealer="Qs Qh", community="As Kd 7h 2c 2d")
    croupier.analyze("md-uth", "trips")["trips"].house_edge
    table = croupier.Table.open("md-uth", seed=92)

docs/library.md teaches it. A refusal is a `CroupierError` with `code` and `clause`.
Amounts are dollars, never floats: you write `"7.50"` or 10 and read `Money`.
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
    from croupier.ledger.checkpoints.checkpoints import Checkpoint
    from croupier.ledger.checkpoints.proofs import ProvedEntry, RoundProof
    from croupier.ledger.checkpoints.signed_past import SignedPast
    from croupier.ledger.differences import Difference, Gap
    from croupier.ledger.entries import Transfer
    from croupier.library.auditing import (
        Adoption,
        ProofCheck,
        Pruning,
        Reindexing,
        Shift,
        SignedCheckpoints,
        adopt,
        check_proof,
        checkpoint,
        export,
        prove,
        prune,
        reindex,
        shift,
    )
    from croupier.library.batch import BatchObservation, BatchStep, TableBatch, batch
    from croupier.library.designing import PaytableSearch, design
    from croupier.library.documents import (
        Conformance,
        Guide,
        InvalidSubmission,
        Paytables,
        RulebookList,
        ShownRulebook,
        SubmissionCheck,
        TableSign,
        WrittenReport,
        check,
        conformance,
        guide,
        list_rulebooks,
        paytables,
        report,
        show_rulebook,
        sign,
    )
    from croupier.library.environment import Observation, TableEnvironment, environment
    from croupier.library.figures import (
        ActionValues,
        Analysis,
        WagerFigures,
        advise,
        analyze,
    )
    from croupier.library.hands import Hand, evaluate
    from croupier.library.journals import (
        Event,
        Journal,
        PastRound,
        ReplayedRound,
        Verification,
        open_journal,
        verify,
    )
    from croupier.library.rehearsing import Demo, DemoRound, Rehearsal, demo, rehearse
    from croupier.library.risk import ExposedTable, RuinChance, Session, exposure, session
    from croupier.library.rounds import Round, RoundEvent
    from croupier.library.rulebook import Rulebook, bundled_rulebooks, load_rulebook
    from croupier.library.rulebook_checks import (
        RulebookCheck,
        check_rulebook,
        new_rulebook,
        rulebook_schema,
        rulebook_toml,
    )
    from croupier.library.settling import (
        DealerHand,
        SettledRound,
        SettledSeat,
        SettledWager,
        settle,
    )
    from croupier.library.shuffling import (
        DeckCheck,
        SealCheck,
        SealedDeck,
        ShuffleExamination,
        check_deal,
        examine_shuffle,
        open_seal,
        shuffle,
    )
    from croupier.library.simulating import Simulation, simulate
    from croupier.library.strategies import (
        ChartedHand,
        FoundStrategy,
        OptimalStrategy,
        StrategyCard,
        StrategyChart,
        StrategyComparison,
        StrategyPrice,
        StrategyText,
        Without,
        chart,
        compare_strategies,
        optimal_strategy,
        price_strategy,
        search_strategy,
        strategy_card,
        strategy_text,
    )
    from croupier.library.table import Table
    from croupier.library.views import LegalAction, SeatView, TableView
    from croupier.money import Money
    from croupier.rounds.deal_record import DealRecord, DealStep, LaidHand
    from croupier.rounds.settle_requests import SeatRequest
    from croupier.rounds.state import AddedRandomness
    from croupier.rulebooks.schema import Decision, LeastHand, Line, Paytable, Seed, Wager
    from croupier.submissions.findings import Finding

__version__ = "0.3.0"

# Where each name lives. It is imported when it is first asked for: `import croupier` stays light.
_HOMES: Final = {
    "croupier.cards": ("DECK", "Card", "format_cards", "parse_cards"),
    "croupier.errors": (
        *("BadAmount", "BadCards", "BadData", "BadRequest", "CroupierError", "Refusal"),
        *("RuleBroken", "UnknownName", "Unsolvable"),
    ),
    "croupier.ledger.checkpoints.checkpoints": ("Checkpoint",),
    "croupier.ledger.checkpoints.proofs": (
        "ProvedEntry",
        "RoundProof",
    ),
    "croupier.ledger.checkpoints.signed_past": ("SignedPast",),
    "croupier.ledger.differences": (
        "Difference",
        "Gap",
    ),
    "croupier.ledger.entries": ("Transfer",),
    "croupier.rounds.deal_record": (
        "DealRecord",
        "DealStep",
        "LaidHand",
    ),
    "croupier.rounds.state": ("AddedRandomness",),
    "croupier.rulebooks.schema": (
        "Decision",
        "LeastHand",
        "Line",
        "Paytable",
        "Seed",
        "Wager",
    ),
    "croupier.submissions.findings": ("Finding",),
    "croupier.library.auditing": (
        *("Adoption", "ProofCheck", "Pruning", "Reindexing", "Shift", "SignedCheckpoints", "adopt"),
        *("check_proof", "checkpoint", "export", "prove", "prune", "reindex", "shift"),
    ),
    "croupier.library.batch": ("BatchObservation", "BatchStep", "TableBatch", "batch"),
    "croupier.library.designing": ("PaytableSearch", "design"),
    "croupier.library.documents": (
        *("Conformance", "Guide", "InvalidSubmission", "Paytables", "RulebookList"),
        *("ShownRulebook", "SubmissionCheck", "TableSign", "WrittenReport", "check", "conformance"),
        *("guide", "list_rulebooks", "paytables", "report", "show_rulebook", "sign"),
    ),
    "croupier.library.environment": ("Observation", "TableEnvironment", "environment"),
    "croupier.library.figures": ("ActionValues", "Analysis", "WagerFigures", "advise", "analyze"),
    "croupier.library.hands": ("Hand", "evaluate"),
    "croupier.library.journals": (
        *("Event", "Journal", "PastRound", "ReplayedRound", "Verification", "open_journal"),
        "verify",
    ),
    "croupier.library.rehearsing": ("Demo", "DemoRound", "Rehearsal", "demo", "rehearse"),
    "croupier.library.risk": ("ExposedTable", "RuinChance", "Session", "exposure", "session"),
    "croupier.library.rounds": ("Round", "RoundEvent"),
    "croupier.library.rulebook": ("Rulebook", "bundled_rulebooks", "load_rulebook"),
    "croupier.library.rulebook_checks": (
        *("RulebookCheck", "check_rulebook", "new_rulebook", "rulebook_schema", "rulebook_toml"),
    ),
    "croupier.library.settling": (
        *("DealerHand", "SettledRound", "SettledSeat", "SettledWager", "settle"),
    ),
    "croupier.library.shuffling": (
        *("DeckCheck", "SealCheck", "SealedDeck", "ShuffleExamination", "check_deal"),
        *("examine_shuffle", "open_seal", "shuffle"),
    ),
    "croupier.library.simulating": ("Simulation", "simulate"),
    "croupier.library.strategies": (
        *("ChartedHand", "FoundStrategy", "OptimalStrategy", "StrategyCard", "StrategyChart"),
        *("StrategyComparison", "StrategyPrice", "StrategyText", "Without", "chart"),
        *("compare_strategies", "optimal_strategy", "price_strategy", "search_strategy"),
        *("strategy_card", "strategy_text"),
    ),
    "croupier.library.table": ("Table",),
    "croupier.library.views": ("LegalAction", "SeatView", "TableView"),
    "croupier.money": ("Money",),
    "croupier.rounds.settle_requests": ("SeatRequest",),
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "DECK",
    "ActionValues",
    "AddedRandomness",
    "Adoption",
    "Analysis",
    "BadAmount",
    "BadCards",
    "BadData",
    "BadRequest",
    "BatchObservation",
    "BatchStep",
    "Card",
    "ChartedHand",
    "Checkpoint",
    "Conformance",
    "CroupierError",
    "DealRecord",
    "DealStep",
    "DealerHand",
    "Decision",
    "DeckCheck",
    "Demo",
    "DemoRound",
    "Difference",
    "Event",
    "ExposedTable",
    "Finding",
    "FoundStrategy",
    "Gap",
    "Guide",
    "Hand",
    "InvalidSubmission",
    "Journal",
    "LaidHand",
    "LeastHand",
    "LegalAction",
    "Line",
    "Money",
    "Observation",
    "OptimalStrategy",
    "PastRound",
    "Paytable",
    "PaytableSearch",
    "Paytables",
    "ProofCheck",
    "ProvedEntry",
    "Pruning",
    "Refusal",
    "Rehearsal",
    "Reindexing",
    "ReplayedRound",
    "Round",
    "RoundEvent",
    "RoundProof",
    "RuinChance",
    "RuleBroken",
    "Rulebook",
    "RulebookCheck",
    "RulebookList",
    "SealCheck",
    "SealedDeck",
    "SeatRequest",
    "SeatView",
    "Seed",
    "Session",
    "SettledRound",
    "SettledSeat",
    "SettledWager",
    "Shift",
    "ShownRulebook",
    "ShuffleExamination",
    "SignedCheckpoints",
    "SignedPast",
    "Simulation",
    "StrategyCard",
    "StrategyChart",
    "StrategyComparison",
    "StrategyPrice",
    "StrategyText",
    "SubmissionCheck",
    "Table",
    "TableBatch",
    "TableEnvironment",
    "TableSign",
    "TableView",
    "Transfer",
    "UnknownName",
    "Unsolvable",
    "Verification",
    "Wager",
    "WagerFigures",
    "Without",
    "WrittenReport",
    "__version__",
    "adopt",
    "advise",
    "analyze",
    "batch",
    "bundled_rulebooks",
    "chart",
    "check",
    "check_deal",
    "check_proof",
    "check_rulebook",
    "checkpoint",
    "compare_strategies",
    "conformance",
    "demo",
    "design",
    "environment",
    "evaluate",
    "examine_shuffle",
    "export",
    "exposure",
    "format_cards",
    "guide",
    "list_rulebooks",
    "load_rulebook",
    "new_rulebook",
    "open_journal",
    "open_seal",
    "optimal_strategy",
    "parse_cards",
    "paytables",
    "price_strategy",
    "prove",
    "prune",
    "rehearse",
    "reindex",
    "report",
    "rulebook_schema",
    "rulebook_toml",
    "search_strategy",
    "session",
    "settle",
    "shift",
    "show_rulebook",
    "shuffle",
    "sign",
    "simulate",
    "strategy_card",
    "strategy_text",
    "verify",
]


if not TYPE_CHECKING:  # a type checker is to complain about a name that is not there

    def __getattr__(name: str) -> object:
        module = _HOME_OF.get(name)
        if module is None:
            raise AttributeError(f"module 'croupier' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(module), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
