"""Decisions drawn hand by hand."""
