"""Signed checkpoints over all entries, and the proofs that rest on them."""
