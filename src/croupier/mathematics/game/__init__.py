"""The game as the solvers see it, read from a rulebook once: its course and what wagers pay."""
