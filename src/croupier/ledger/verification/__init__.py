"""Whether the journal is what happened."""
