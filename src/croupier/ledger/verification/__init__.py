"""Verification that the journal is what happened."""
