"""Casino poker tables run by the regulators' documents: rules engine, exact mathematics, CLI."""

__version__ = "0.1.0"
