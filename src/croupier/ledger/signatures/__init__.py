"""Hashes, MACs, keys and seals of entries."""
