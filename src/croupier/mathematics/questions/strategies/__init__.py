"""Strategies: the optimal one to ask and keep, and those that people write down in words."""
