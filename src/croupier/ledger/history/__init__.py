"""History read from the journal: past rounds, searches, records for the floor."""
