"""How tables, links and accounts stand in the journal's entries."""
