"""Signed checkpoints over all entries, and what is proved by them."""
