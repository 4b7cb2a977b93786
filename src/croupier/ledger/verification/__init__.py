"""The parts of `verify`: one pass over each stream, and what is compared there."""
