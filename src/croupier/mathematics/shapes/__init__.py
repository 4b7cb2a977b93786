"""The shapes of games that solvers declare, and what a rulebook is held against them by."""
