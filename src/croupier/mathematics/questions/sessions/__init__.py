"""Wagers placed together, over one round and over many: exact distributions, correlations
included."""
