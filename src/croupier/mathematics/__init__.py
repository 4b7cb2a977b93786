"""Exact mathematics: edges, strategies and distributions, as fractions."""
