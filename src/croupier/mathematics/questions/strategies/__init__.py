"""Strategies: the optimal one, and those that people write down in words."""
