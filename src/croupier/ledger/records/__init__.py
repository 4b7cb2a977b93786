"""The form in which tables, links and accounts are written in the journal's entries."""
